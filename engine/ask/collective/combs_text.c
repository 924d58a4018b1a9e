/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shifted jobs as a table, and as combs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/collective/combs_kind.h"
#include "base/num.h"

enum { TEXT = 32, COMB = 60, LISTED = LP_COMBS_JOBS_MAX * 12 };

static const char *time_text(double seconds, char text[TEXT]) {
    return lp_quantity_print(seconds, LP_DIM_TIME, text, TEXT);
}

/* "0 s, 50 ms" */
static const char *list_times(const double *item, uint32_t count, char text[LISTED]) {
    size_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        char one[TEXT];
        at += (size_t)snprintf(text + at, LISTED - at, "%s%s", i > 0 ? ", " : "",
                               time_text(item[i], one));
    }
    return text;
}

static void add_row(const LpCollCombs *c, const char *name, const LpCombsRow *row, LpBuf *out) {
    char shift[LISTED], step[LISTED];
    int width = (int)c->combs.jobs * 10;
    list_times(row->shift, c->combs.jobs, shift);
    list_times(row->step, c->combs.jobs, step);
    lp_buf_addf(out, "  %-4s  %-*s  %-*s  %.4g%s\n", name, width, shift, width, step, row->slowdown,
                row->sensitive ? "  sensitive: three or more jobs under fair shares, only a sample"
                               : "");
}

static void add_table(const LpCollCombs *c, LpBuf *out) {
    int width = (int)c->combs.jobs * 10;
    char rate[TEXT], one[TEXT], bytes[TEXT];
    lp_buf_addf(out, "%" PRIu32 " jobs on a link of %s, steps that count: %" PRIu32 " of each\n",
                c->combs.jobs,
                lp_quantity_print(c->combs.rate, LP_DIM_BANDWIDTH, rate, sizeof rate),
                c->combs.steps);
    for (uint32_t i = 0; i < c->combs.jobs; i++) {
        const LpComb *job = &c->combs.job[i];
        lp_buf_addf(out, "job %" PRIu32 " computes %s, then sends %s", i,
                    time_text(job->compute, one),
                    lp_quantity_print(job->bytes, LP_DIM_BYTES, bytes, sizeof bytes));
        lp_buf_addf(out, "; alone %s a step, sending %.3g %% of it\n",
                    time_text(lp_comb_alone(job), one),
                    100 * lp_comb_send(job) / lp_comb_alone(job));
    }
    lp_buf_addf(out, "\n  %-4s  %-*s  %-*s  %s\n", "", width, "shift", width, "step", "slowdown");
    for (uint32_t i = 0; i < c->rows; i++)
        add_row(c, "", &c->row[i], out);
    add_row(c, "best", &c->best, out);
}

static bool equal_jobs(const LpCombs *combs) {
    const LpComb *a = &combs->job[0], *b = &combs->job[1];
    return combs->jobs == 2 && !(fabs(a->compute - b->compute) > 0) &&
           !(fabs(a->bytes - b->bytes) > 0) && a->cap >= combs->rate && b->cap >= combs->rate;
}

static void add_fit(const LpCollCombs *c, LpBuf *out) {
    char from[TEXT], to[TEXT], every[TEXT];
    lp_buf_add(out, "\n");
    if (c->fits && isnan(c->fit.width)) {
        lp_buf_add(out, "fits: both have room on the link side by side, with any shift\n");
    } else if (c->fits) {
        lp_buf_addf(out, "fits: they never meet with job 1 %s", time_text(c->fit.from, from));
        if (c->fit.width > 1e-9 * c->fit.every)
            lp_buf_addf(out, " to %s", time_text(c->fit.from + c->fit.width, to));
        lp_buf_addf(out, " later, and every %s again\n", time_text(c->fit.every, every));
    } else if (c->combs.jobs == 2) {
        lp_buf_add(out, "fits: never, they meet whatever the shift is\n");
    } else {
        lp_buf_addf(out,
                    "best of %" PRIu32 " shifts of each job in turn, those before it as found\n",
                    c->combs.tries);
    }
    if (equal_jobs(&c->combs)) {
        const LpComb *job = &c->combs.job[0];
        double f = fmod(c->best.shift[1], lp_comb_alone(job));
        lp_buf_addf(out, "two equal jobs in the long run: %s a step unshifted, %s at best\n",
                    time_text(lp_combs_two(job->compute, lp_comb_send(job), 0), from),
                    time_text(lp_combs_two(job->compute, lp_comb_send(job), f), to));
    }
}

/* ---- combs ---- */

typedef struct Window {
    double from, length, last;
    bool sends[LP_COMBS_JOBS_MAX][COMB];
} Window;

/* Marks the columns in whose middle the job sends. */
static void mark(void *user, const LpCombsSend *send) {
    Window *w = user;
    w->last = send->to;
    for (int x = 0; x < COMB; x++) {
        double at = w->from + w->length * (x + .5) / COMB;
        if (at >= send->from && at < send->to)
            w->sends[send->job][x] = true;
    }
}

/* A period near the end, all of whose sends have ended. */
static void add_combs(const LpCollCombs *c, const char *name, const LpCombsRow *row, bool ascii,
                      LpBuf *out) {
    char text[TEXT], shift[LISTED];
    Window w = {0};
    lp_combs_sends(&c->combs, row->shift, mark, &w);
    double last = w.last;
    for (uint32_t i = 0; i < c->combs.jobs; i++)
        w.length = fmax(w.length, row->step[i]);
    memset(w.sends, 0, sizeof w.sends);
    w.from = fmax(0, last - 2 * w.length);
    lp_combs_sends(&c->combs, row->shift, mark, &w);
    lp_buf_addf(out, "\n%s, shift %s: %s\n", name, list_times(row->shift, c->combs.jobs, shift),
                time_text(w.length, text));
    for (uint32_t i = 0; i < c->combs.jobs; i++) {
        lp_buf_addf(out, "  job %" PRIu32 "  ", i);
        for (int x = 0; x < COMB; x++)
            lp_buf_add(out, w.sends[i][x] ? ascii ? "#" : "█" : ascii ? "." : "░");
        lp_buf_addf(out, "  step %s\n", time_text(row->step[i], text));
    }
}

static void tell_send(void *user, const LpCombsSend *send) {
    char from[TEXT], to[TEXT];
    lp_buf_addf(user, "  %3" PRIu32 "  %6" PRIu32 "  %12s  %12s\n", send->job, send->step,
                time_text(send->from, from), time_text(send->to, to));
}

void lp_coll_combs_text(const void *it, bool each, bool ascii, LpBuf *out) {
    const LpCollCombs *c = it;
    char shift[LISTED];
    add_table(c, out);
    add_fit(c, out);
    add_combs(c, "before", &c->row[0], ascii, out);
    add_combs(c, "after", &c->best, ascii, out);
    for (uint32_t i = 0; each && i < c->rows; i++) {
        lp_buf_addf(out, "\nshift %s:\n  %3s  %6s  %12s  %12s\n",
                    list_times(c->row[i].shift, c->combs.jobs, shift), "job", "step", "sends from",
                    "to");
        lp_combs_sends(&c->combs, c->row[i].shift, tell_send, out);
    }
}
