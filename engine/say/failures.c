/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of failures: what broke, what that stopped, and where the time of held servers
 * went. Of scenarios in which something breaks by itself or that say what stopped jobs do, and of
 * all pods. */
#include <inttypes.h>

#include "base/mem.h"
#include "say/report_impl.h"
#include "sim/facts/failures.h"
#include "sim/outages.h"

void lp_report_accounts(LpJsonOut *out, const LpAccounts *a) {
    lp_json_open(out, "accounts", '{');
#define X(field, word) lp_json_put_number(out, #field, a->field);
    LP_ACCOUNTS(X)
#undef X
    lp_json_put_number(out, "held", a->held);
    lp_json_close(out, '}');
}

void lp_report_accounts_titles(LpCsvOut *out) {
#define X(field, word) lp_csv_put_words(out, #field);
    LP_ACCOUNTS(X)
#undef X
    lp_csv_put_words(out, "held");
}

void lp_report_accounts_cells(LpCsvOut *out, const LpAccounts *a) {
#define X(field, word) lp_csv_put_number(out, a->field);
    LP_ACCOUNTS(X)
#undef X
    lp_csv_put_number(out, a->held);
}

/* ---- the run ---- */

LpErr lp_report_failures(LpReport *r, LpJsonOut *out) {
    LpFailureSummary s;
    if (!lp_job_failures_told(r->context))
        return LP_OK;
    LP_TRY(lp_failures_summary(r->world, r->context, &s, r->diag));
    if (r->scenario->outages.any) {
        lp_json_open(out, "failures", '{');
        for (int k = 0; k < LP_OUTAGE_COUNT; k++) {
            if (s.kind[k].failures == 0)
                continue;
            lp_json_open(out, lp_outage_word((LpOutageKind)k), '{');
            lp_json_put_count(out, "failures", s.kind[k].failures);
            lp_json_put_count(out, "repairs", s.kind[k].repairs);
            lp_json_put_number(out, "down", s.kind[k].down);
            lp_json_close(out, '}');
        }
        lp_json_close(out, '}');
    }
    if (r->context->fabric.ops->slices) /* pod.c tells the rest */
        return LP_OK;
    lp_json_put_count(out, "stops", s.stops);
    lp_json_put_count(out, "aborted", s.aborted);
    lp_json_put_number(out, "lost_work", s.accounts.lost);
    lp_report_accounts(out, &s.accounts);
    if (s.area > 0)
        lp_json_put_number(out, "held", s.accounts.held / s.area);
    return LP_OK;
}

/* ---- as text ---- */

#define SHOWN 0.0005 /* smaller shares would print as 0.0 % */

void lp_report_shares(LpBuf *out, const char *label, const LpReportShare *part, size_t count,
                      double all) {
    bool any = false;
    if (!(all > 0))
        return;
    lp_buf_addf(out, "%-12s", label);
    for (size_t i = 0; i < count; i++) {
        if (!(part[i].value / all >= SHOWN))
            continue;
        lp_buf_addf(out, "%s%s %.1f %%", any ? ", " : "", part[i].name, 100 * part[i].value / all);
        any = true;
    }
    lp_buf_add(out, "\n");
}

void lp_report_accounts_text(LpBuf *out, const LpAccounts *a) {
    const LpReportShare part[] = {
#define X(field, word) {word, a->field},
        LP_ACCOUNTS(X)
#undef X
    };
    lp_report_shares(out, "held time", part, LP_COUNTOF(part), a->held);
}

static void add_broken(LpBuf *out, const LpFailureSummary *s) {
    bool any = false;
    uint64_t last = 0;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++) {
        if (s->kind[k].failures == 0)
            continue;
        last = s->kind[k].failures;
        lp_buf_addf(out, "%s%s %" PRIu64, any ? ", " : "broke       ",
                    lp_outage_word((LpOutageKind)k), s->kind[k].failures);
        any = true;
    }
    if (any)
        lp_buf_addf(out, " time%s\n", lp_str_s(last));
}

LpErr lp_report_failures_text(LpReport *r) {
    LpFailureSummary s;
    if (!lp_job_failures_told(r->context))
        return LP_OK;
    LP_TRY(lp_failures_summary(r->world, r->context, &s, r->diag));
    if (!r->context->fabric.ops->slices) {
        if (s.area > 0)
            lp_buf_addf(r->out, "held        %.1f %% of the servers' time, usefully %.1f %%\n",
                        100 * s.accounts.held / s.area, 100 * s.accounts.useful / s.area);
        lp_report_accounts_text(r->out, &s.accounts);
    }
    add_broken(r->out, &s);
    if (s.stops > 0)
        lp_buf_addf(r->out,
                    "failures    stopped jobs %" PRIu64 " time%s; %" PRIu64 " %s given up\n",
                    s.stops, lp_str_s(s.stops), s.aborted, s.aborted == 1 ? "was" : "were");
    return LP_OK;
}
