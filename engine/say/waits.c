/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the summary for people says of waiting and fairness, and the worst moments with the commands
 * that open them. */
#include <inttypes.h>
#include <math.h>

#include "base/num.h"
#include "base/word.h"
#include "say/report_impl.h"
#include "sim/facts/metrics.h"
#include "sim/facts/worst.h"

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

/* ---- the worst moments ---- */

/* How a job's time in the queue ended at `time`. */
static const char *end_of_wait(const LpJob *job, double time) {
    if (lp_job_waits(job) && job->times.waiting_since < time)
        return " waits still, for ";
    return job->outcome == LP_JOB_BLOCKED && job->times.turned_away == time
               ? " is turned away after "
               : " starts after ";
}

static void add_moment(LpReport *r, const LpWorst *w, LpWorstWord word, LpBuf *out) {
    switch (word) {
    case LP_WORST_REMAINING:
        lp_buf_addf(out, "%" PRIu64 " wait%s", w->remaining.waiting,
                    w->remaining.waiting == 1 ? "s" : "");
        add_time(out, ", ", w->remaining.seconds);
        lp_buf_add(out, " more in all");
        break;
    case LP_WORST_QUEUE:
        lp_buf_addf(out, "%" PRIu64 " wait%s for %" PRIu64 " server%s", w->queue.waiting,
                    w->queue.waiting == 1 ? "s" : "", w->queue.servers, lp_str_s(w->queue.servers));
        break;
    case LP_WORST_LONGEST:
        lp_buf_addf(out, "job %" PRIu32, w->longest.job);
        add_time(out, end_of_wait(lp_world_job(r->world, w->longest.job), w->longest.time),
                 w->longest.seconds);
        break;
    case LP_WORST_WORD_COUNT:
        break;
    }
}

LpErr lp_report_worst(const LpSession *session, const char *command, int word, LpBuf *out,
                      LpDiag *diag) {
    LpWorst worst;
    LpReport r = lp_report_open(session, out, diag);
    LpErr err = lp_worst_of(r.world, r.context, &worst, diag);
    if (err == LP_OK && !worst.any)
        lp_buf_add(out, "worst       nobody waited\n");
    for (int i = 0, lines = 0; err == LP_OK && worst.any && i < LP_WORST_WORD_COUNT; i++) {
        if (word >= 0 && word != i)
            continue;
        lp_buf_addf(out, "%-12s%-10s ", lines++ == 0 ? "worst" : "", lp_worst_word((LpWorstWord)i));
        char date[LP_DATE_TEXT];
        double time = lp_worst_time(&worst, (LpWorstWord)i);
        lp_scenario_date(r.scenario, time, date);
        if (date[0] != '\0')
            lp_buf_addf(out, "%s", date);
        else
            add_time(out, "", time);
        lp_buf_add(out, "   ");
        add_moment(&r, &worst, (LpWorstWord)i, out);
        lp_buf_addf(out, "   %s --at ", command);
        lp_buf_addf(out, i == LP_WORST_REMAINING ? "worst" : "\"worst %s\"",
                    lp_worst_word((LpWorstWord)i));
        lp_buf_add(out, "\n");
    }
    lp_report_fini(&r);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}
