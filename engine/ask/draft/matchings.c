/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits of a draft from port to port, one by one, and how long each matching holds. */
#include <stdlib.h>
#include <string.h>

#include "ask/draft/choices.h"
#include "ask/draft/edit.h"
#include "base/mem.h"
#include "base/str.h"
#include "session/moment/moment.h"
#include "session/session_impl.h"
#include "sim/light/circuits.h"
#include "sim/world.h"

/* A copy with room for one matching more. */
typedef struct Matchings {
    uint32_t ports, entries;
    uint32_t *to;
    double *hold;
} Matchings;

static void free_matchings(Matchings *m) {
    lp_free(m->to);
    lp_free(m->hold);
}

static LpErr copy_schedule(const LpSchedule *from, Matchings *out, LpDiag *diag) {
    size_t cells = (size_t)from->entries * from->ports;
    *out = (Matchings){from->ports, from->entries, NULL, NULL};
    out->to = lp_alloc(cells + from->ports, sizeof *out->to);
    out->hold = lp_alloc((size_t)from->entries + 1, sizeof *out->hold);
    if (out->to == NULL || out->hold == NULL) {
        free_matchings(out);
        return lp_fail_memory(diag, "the circuits of a draft");
    }
    if (from->entries > 0) {
        memcpy(out->to, from->to, cells * sizeof *out->to);
        memcpy(out->hold, from->hold, from->entries * sizeof *out->hold);
    }
    return LP_OK;
}

static bool is_dark(const Matchings *m, uint32_t at) {
    for (uint32_t p = 0; p < m->ports; p++)
        if (m->to[(size_t)at * m->ports + p] != LP_DARK)
            return false;
    return true;
}

static void drop_dark(Matchings *m) {
    uint32_t kept = 0;
    for (uint32_t e = 0; e < m->entries; e++) {
        if (is_dark(m, e))
            continue;
        memmove(&m->to[(size_t)kept * m->ports], &m->to[(size_t)e * m->ports],
                m->ports * sizeof *m->to);
        m->hold[kept++] = m->hold[e];
    }
    m->entries = kept;
}

static LpErr read_matchings(LpSession *s, const LpDraft *draft, Matchings *out, LpDiag *diag) {
    const char *words = draft->word[LP_STAGE_CIRCUITS];
    const LpOcsParams *ocs = &s->scenario->cluster.ocs;
    LpSchedule none = {.ports = ocs->ports};
    LpForkText fork;
    if (s->context->circuits == NULL || ocs->aggregators > 0)
        return lp_fail(diag, LP_EREFUSED, "no port can be joined to another on this fabric");
    if (words[0] == '\0') {
        LP_TRY(copy_schedule(lp_world_schedule(s->world, s->context), out, diag));
        drop_dark(out);
        return LP_OK;
    }
    if (strcmp(words, "circuits=") == 0)
        return copy_schedule(&none, out, diag);
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "the circuits of a draft");
    LpErr err = lp_fork_parse(words, arena, &fork, diag);
    if (err == LP_OK)
        err = lp_fork_complete(s, &fork, diag);
    if (err == LP_OK)
        err = copy_schedule(fork.spec.schedule != NULL ? fork.spec.schedule : &none, out, diag);
    lp_arena_free(arena);
    return err;
}

static LpSchedule as_schedule(const Matchings *m) {
    return (LpSchedule){m->ports, m->entries, m->to, m->hold};
}

/* Writes them into the draft if they keep the rules; frees them. */
static LpErr write_matchings(LpSession *s, LpDraft *draft, Matchings *m, LpDiag *diag) {
    LpSchedule schedule = as_schedule(m);
    char words[LP_DRAFT_WORDS];
    LpErr err = LP_OK;
    if (m->entries > 0)
        err = lp_schedule_check(&s->scenario->cluster.ocs, &schedule, diag);
    if (err == LP_OK && !lp_circuits_words(&schedule, words))
        err = lp_fail(diag, LP_EREFUSED, "more circuits than a draft has words for");
    if (err == LP_OK)
        lp_str_copy(draft->word[LP_STAGE_CIRCUITS], LP_DRAFT_WORDS, words);
    free_matchings(m);
    return err;
}

LpErr lp_draft_matchings(LpSession *s, const LpDraft *draft, LpSchedule *out, LpDiag *diag) {
    Matchings m;
    LP_TRY(read_matchings(s, draft, &m, diag));
    *out = as_schedule(&m);
    return LP_OK;
}

LpErr lp_draft_join_ports(LpSession *s, LpDraft *draft, uint32_t at, uint32_t in, uint32_t out,
                          LpDiag *diag) {
    Matchings m;
    LP_TRY(read_matchings(s, draft, &m, diag));
    LpErr err = LP_OK;
    if (in >= m.ports || out >= m.ports)
        err = lp_fail(diag, LP_EREFUSED, "there is no port %u: ports are 0 to %u",
                      in >= m.ports ? in : out, m.ports - 1);
    else if (in == out)
        err = lp_fail(diag, LP_EREFUSED, "port %u cannot be joined to itself", in);
    if (err != LP_OK) {
        free_matchings(&m);
        return err;
    }
    at = at > m.entries ? m.entries : at;
    uint32_t *to = &m.to[(size_t)at * m.ports];
    if (at == m.entries) { /* read_matchings leaves room for one */
        for (uint32_t p = 0; p < m.ports; p++)
            to[p] = LP_DARK;
        m.hold[at] = at > 0 ? m.hold[at - 1] : 1;
        m.entries++;
    }
    bool leaves = to[in] == out;
    for (uint32_t p = 0; p < m.ports; p++)
        if (p == in || to[p] == out)
            to[p] = LP_DARK;
    if (!leaves)
        to[in] = out;
    drop_dark(&m);
    return write_matchings(s, draft, &m, diag);
}

/* ---- holds ---- */

static const double holds[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1,
                               2,     5,     10,    20,   50,   100,  200, 500, 1000};

/* The next one, 0: there is none. */
static double next_hold(double hold, bool longer) {
    double best = 0;
    for (size_t i = 0; i < LP_COUNTOF(holds); i++) {
        if (!longer && holds[i] < hold)
            best = holds[i];
        if (longer && holds[i] > hold)
            return holds[i];
    }
    return best;
}

LpErr lp_draft_hold(LpSession *s, LpDraft *draft, uint32_t at, bool longer, LpDiag *diag) {
    Matchings m;
    LP_TRY(read_matchings(s, draft, &m, diag));
    double hold = m.entries > 1 && at < m.entries ? next_hold(m.hold[at], longer) : 0;
    LpErr err = LP_OK;
    if (m.entries < 2)
        err = lp_fail(diag, LP_EREFUSED, "one matching stays for good: only several take turns");
    else if (at >= m.entries)
        err = lp_fail(diag, LP_EREFUSED, "this matching has no circuit yet");
    else if (hold == 0)
        err = lp_fail(diag, LP_EREFUSED, "no matching is held for %s",
                      longer ? "more than 1000 s" : "less than 1 ms");
    if (err != LP_OK) {
        free_matchings(&m);
        return err;
    }
    m.hold[at] = hold;
    return write_matchings(s, draft, &m, diag);
}
