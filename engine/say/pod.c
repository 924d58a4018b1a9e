/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of slices, beside what it says of every job and run. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/pod/place.h"
#include "say/report_impl.h"
#include "sim/facts/slices.h"
#include "sim/place/slice.h"

/* What waiting was for, without what nobody waited for. */
static void add_waiting(LpJsonOut *out, const char *key, const double waited[LP_WAIT_COUNT]) {
    lp_json_open(out, key, '{');
    for (int w = 0; w < LP_WAIT_COUNT; w++)
        if (waited[w] > 0)
            lp_json_put_number(out, lp_wait_code((LpWaitFor)w), waited[w]);
    lp_json_close(out, '}');
}

void lp_report_waited(const LpReport *r, LpJsonOut *out, const LpJob *job) {
    double waited[LP_WAIT_COUNT];
    memcpy(waited, job->queue.waited, sizeof waited);
    if (lp_job_waits(job))
        waited[job->queue.waits_for] += lp_world_now(r->world) - job->queue.waits_since;
    add_waiting(out, "waited", waited);
}

void lp_report_waited_titles(LpCsvOut *out) {
    char title[64];
    for (int w = 0; w < LP_WAIT_COUNT; w++) {
        snprintf(title, sizeof title, "waited_%s", lp_wait_code((LpWaitFor)w));
        lp_csv_put_words(out, title);
    }
}

void lp_report_waited_cells(LpCsvOut *out, const LpJob *job) {
    for (int w = 0; w < LP_WAIT_COUNT; w++)
        lp_csv_put_number(out, job->queue.waited[w]);
}

/* ---- the run ---- */

static void add_capacity(LpJsonOut *out, uint32_t cubes, double switched, double fixed) {
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "cubes", cubes);
    lp_json_put_number(out, "switched", switched);
    lp_json_put_number(out, "static", fixed);
    lp_json_close(out, '}');
}

LpErr lp_report_slices(LpReport *r, LpJsonOut *out) {
    LpSliceSummary s;
    if (!r->context->fabric.ops->slices)
        return LP_OK;
    LP_TRY(lp_slices_summary(r->world, r->context, &s, r->diag));
    lp_json_open(out, "blocking_by_class", '[');
    for (uint32_t i = 0; i < s.classes; i++) {
        const LpSliceClass *c = &s.item[i];
        char name[LP_SLICE_TEXT];
        double rate = c->arrived > 0 ? (double)c->blocked / (double)c->arrived : 0;
        lp_json_break(out);
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "slice", lp_slice_name(c->slice, name));
        lp_json_put_count(out, "cubes", c->slice->cubes);
        lp_json_put_count(out, "arrived", c->arrived);
        lp_json_put_count(out, "blocked", c->blocked);
        lp_json_put_number(out, "blocking_rate", rate);
        for (int cause = 1; cause < LP_CAUSE_COUNT; cause++)
            if (c->blocked_by[cause] > 0)
                lp_json_put_count(out, lp_cause_code((LpCause)cause), c->blocked_by[cause]);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    lp_json_open(out, "capacity", '[');
    for (uint32_t i = 0; i < s.capacities; i++)
        add_capacity(out, s.capacity[i].cubes, s.capacity[i].switched, s.capacity[i].fixed);
    lp_json_close(out, ']');
    lp_json_open(out, "promised", '[');
    for (uint32_t i = 0; i < s.capacities; i++)
        add_capacity(out, s.capacity[i].cubes, s.capacity[i].promised,
                     s.capacity[i].promised_fixed);
    lp_json_close(out, ']');
    lp_json_put_count(out, "stops", s.stops);
    lp_json_put_count(out, "aborted", s.aborted);
    lp_json_put_count(out, "cross_connects", s.cross_connects);
    lp_json_put_number(out, "lost_work", s.accounts.lost);
    add_waiting(out, "waiting_by_cause", s.waited);
    lp_report_accounts(out, &s.accounts);
    if (s.area > 0)
        lp_json_put_number(out, "held", s.accounts.held / s.area);
    lp_slices_fini(&s);
    return LP_OK;
}

/* ---- as text ---- */

static void add_held(LpBuf *out, const LpSliceSummary *s) {
    const LpAccounts *a = &s->accounts;
    if (s->area > 0)
        lp_buf_addf(out,
                    "slices      held %.1f %% of the pod's time, usefully %.1f %%; %" PRIu64
                    " circuits set\n",
                    100 * a->held / s->area, 100 * a->useful / s->area, s->cross_connects);
    lp_report_accounts_text(out, a);
}

LpErr lp_report_slices_text(LpReport *r) {
    LpSliceSummary s;
    LP_TRY(lp_slices_summary(r->world, r->context, &s, r->diag));
    add_held(r->out, &s);
    LpBuf *out = r->out;
    LpReportShare part[LP_WAIT_COUNT];
    double all = 0;
    for (int w = 0; w < LP_WAIT_COUNT; w++) {
        part[w] = (LpReportShare){lp_wait_code((LpWaitFor)w), s.waited[w]};
        all += s.waited[w];
    }
    lp_report_shares(out, "waited for", part, LP_WAIT_COUNT, all);
    lp_slices_fini(&s);
    return LP_OK;
}
