/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the calculator that the words mean, and has it answer. */
#include "ask/collective/collective_report.h"

#include "ask/collective/collective_kinds.h"
#include "sim/turns/turns_keys.h"

/* The key that says which calculator answers. */
static const struct {
    const char *key;
    const LpCollKind *kind;
} KINDS[] = {{"algorithm", &lp_coll_steps}, {"demand", &lp_coll_uneven}, {"combs", &lp_coll_combs}};

struct LpCollReport {
    const LpCollKind *kind;
    void *it;
};

static LpErr find_kind(const LpCollWords *words, const LpCollKind **out, LpDiag *diag) {
    size_t found = LP_COUNTOF(KINDS);
    for (size_t i = 0; i < LP_COUNTOF(KINDS); i++) {
        if (lp_coll_words_find(words, KINDS[i].key) == NULL)
            continue;
        if (found < LP_COUNTOF(KINDS))
            return lp_fail(diag, LP_EINVAL, "%s and %s: expected only one of them",
                           KINDS[found].key, KINDS[i].key);
        found = i;
    }
    if (found == LP_COUNTOF(KINDS))
        return lp_fail(diag, LP_EINVAL, "expected one of the keys %s, %s, %s", KINDS[0].key,
                       KINDS[1].key, KINDS[2].key);
    *out = KINDS[found].kind;
    return LP_OK;
}

static LpErr make(LpCollReport *report, const char *text, const char *delays, LpArena *arena,
                  LpDiag *diag) {
    LpCollWords words;
    double *delay = NULL;
    uint32_t count = 0;
    LP_TRY(lp_coll_words_cut(text, arena, &words, diag));
    LP_TRY(find_kind(&words, &report->kind, diag));
    LP_TRY(lp_turn_delays_read(delays, &delay, &count, diag));
    LpCollAsk ask = {.words = &words, .delay = delay, .delays = count, .arena = arena};
    LpErr err = report->kind->make(&ask, &report->it, diag);
    lp_free(delay);
    return err;
}

LpErr lp_coll_report_make(const char *words, const char *delays, LpCollReport **out, LpDiag *diag) {
    LpCollReport *report = lp_alloc(1, sizeof *report);
    LpArena *arena = lp_arena_new(0);
    LpErr err = report != NULL && arena != NULL ? make(report, words, delays, arena, diag)
                                                : lp_fail_memory(diag, "a collective");
    lp_arena_free(arena);
    if (err != LP_OK) {
        lp_free(report);
        return err;
    }
    *out = report;
    return LP_OK;
}

void lp_coll_report_free(LpCollReport *report) {
    if (report == NULL)
        return;
    report->kind->free(report->it);
    lp_free(report);
}

void lp_coll_report_json(const LpCollReport *report, bool each, LpBuf *text) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    report->kind->json(report->it, each, &out);
    lp_json_end(&out);
}

void lp_coll_report_text(const LpCollReport *report, bool each, bool ascii, LpBuf *out) {
    report->kind->text(report->it, each, ascii, out);
}

const LpCollCurves *lp_coll_report_curves(const LpCollReport *report) {
    return report->kind->curves != NULL ? report->kind->curves(report->it) : NULL;
}
