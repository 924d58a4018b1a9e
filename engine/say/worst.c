/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moments at which waiting was worst, with the commands that open them. */
#include "sim/facts/worst.h"

#include <inttypes.h>

#include "base/num.h"
#include "say/report_impl.h"
#include "sim/facts/identity.h"

enum { TEXT = 64 };

static void add_time(LpBuf *out, const char *before, double seconds) {
    char text[TEXT];
    lp_buf_addf(out, "%s%s", before, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

/* How a job's time in the queue ended at `time`. */
static const char *end_of_wait(const LpJob *job, double time) {
    if (lp_job_waits(job) && job->times.waiting_since < time)
        return " waits still, for ";
    return job->outcome == LP_JOB_BLOCKED && job->times.turned_away == time
               ? " is turned away after "
               : " starts after ";
}

static void add_moment(LpReport *r, const LpWorst *w, LpWorstWord word, LpBuf *out) {
    char span[LP_SPAN_TEXT];
    switch (word) {
    case LP_WORST_REMAINING:
        lp_buf_addf(out, "%" PRIu64 " wait%s", w->remaining.waiting,
                    w->remaining.waiting == 1 ? "s" : "");
        lp_buf_addf(out, ", %s", lp_span_print(w->remaining.seconds, span));
        lp_buf_add(out, " more in all");
        break;
    case LP_WORST_QUEUE:
        lp_buf_addf(out, "%" PRIu64 " wait%s for %" PRIu64 " server%s", w->queue.waiting,
                    w->queue.waiting == 1 ? "s" : "", w->queue.servers, lp_str_s(w->queue.servers));
        break;
    case LP_WORST_LONGEST:
        lp_buf_add(out, lp_world_label(r->world, r->scenario, w->longest.job).text);
        lp_buf_addf(out, "%s%s",
                    end_of_wait(lp_world_job(r->world, w->longest.job), w->longest.time),
                    lp_span_print(w->longest.seconds, span));
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
        lp_scenario_date(r.scenario, time, r.scenario->epoch.given ? LP_DATE_WHOLE : LP_DATE_PLAIN,
                         date);
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
