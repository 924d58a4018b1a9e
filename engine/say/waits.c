/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the summary for people says of waiting and fairness. */
#include <inttypes.h>
#include <math.h>

#include "base/num.h"
#include "say/report_impl.h"
#include "sim/facts/identity.h"
#include "sim/facts/metrics.h"

enum { TEXT = 64 };

static void add_time(LpBuf *out, const char *before, double seconds) {
    char text[TEXT];
    lp_buf_addf(out, "%s%s", before, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

static void add_waits(LpBuf *out, const LpSummary *s) {
    if (!isnan(s->mean_wait)) {
        add_time(out, "wait        mean ", s->mean_wait);
        add_time(out, ", median ", s->p50_wait);
        add_time(out, ", 95 % within ", s->p95_wait);
        add_time(out, ", 99 % within ", s->p99_wait);
        add_time(out, ", longest ", s->max_wait);
        lp_buf_add(out, " (jobs that started)\n");
    }
    if (s->still_waiting == 0)
        return;
    lp_buf_addf(out,
                "%-12swith the %" PRIu64 " that wait%s still: ", isnan(s->mean_wait) ? "wait" : "",
                s->still_waiting, s->still_waiting == 1 ? "s" : "");
    add_time(out, "mean ", s->mean_wait_all);
    add_time(out, ", longest ", s->max_wait_all);
    add_time(out, " so far; ", s->oldest_waiting);
    lp_buf_addf(out, " now: job %.0f\n", s->oldest_job);
}

static void add_overtaken(LpBuf *out, const LpSummary *s) {
    if (s->overtakings == 0)
        return;
    lp_buf_addf(out,
                "overtaken   most often job %.0f: %" PRIu64
                " later job%s started before it; %" PRIu64 " overtaking%s in all\n",
                s->most_overtaken, s->max_overtaken, lp_str_s(s->max_overtaken), s->overtakings,
                lp_str_s(s->overtakings));
}

static void add_queue(LpBuf *out, const LpSummary *s) {
    if (s->peak_waiting == 0)
        return;
    lp_buf_addf(out, "queue       mean %.3g jobs, most %" PRIu64 " (%" PRIu64 " server%s)",
                s->mean_queue, s->peak_waiting, s->peak_servers, lp_str_s(s->peak_servers));
    add_time(out, " at ", s->peak_time);
    lp_buf_add(out, "\n");
}

static void add_slowdown(LpBuf *out, const LpSummary *s, double tau) {
    if (isnan(s->mean_slowdown))
        return;
    lp_buf_addf(out, "slowdown    mean %.3g, 95 %% within %.3g, largest %.3g (", s->mean_slowdown,
                s->p95_slowdown, s->max_slowdown);
    if (tau > 0)
        add_time(out, "bounded: jobs count as at least ", tau);
    else
        lp_buf_add(out, "JCT over the time alone");
    lp_buf_addf(out, "); Jain's index %.2f\n", s->jain_slowdown);
}

static void add_fairness(LpBuf *out, const LpSummary *s) {
    if (isnan(s->mean_rho))
        return;
    lp_buf_addf(out,
                "fairness    finish-time rho mean %.3g, largest %.3g; %.0f %% of the jobs later "
                "than with their share of the cluster\n",
                s->mean_rho, s->max_rho, 100 * s->unfair);
}

void lp_report_waits_text(const LpReport *r, const LpSummary *s) {
    if (s->peak_waiting > 0 || s->still_waiting > 0)
        add_waits(r->out, s);
    add_overtaken(r->out, s);
    add_queue(r->out, s);
    add_slowdown(r->out, s, r->scenario->tau);
    add_fairness(r->out, s);
}
