/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agents ranked by what they lose on the test's seeds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "many/experiment/experiment_impl.h"

enum { NAME = 34, CELL = 8 };

typedef struct Row {
    uint32_t agent;
    LpEstimate all; /* over the seeds, of the mean over the distributions */
} Row;

/* Best first; runs that were not made last; then in the order given. */
static int compare(const void *left, const void *right) {
    const Row *a = left, *b = right;
    if (isnan(a->all.mean) != isnan(b->all.mean))
        return isnan(a->all.mean) ? 1 : -1;
    if (a->all.mean < b->all.mean || a->all.mean > b->all.mean)
        return a->all.mean < b->all.mean ? -1 : 1;
    return a->agent < b->agent ? -1 : 1;
}

static LpErr make_rows(const LpExperiment *e, Row *row, LpDiag *diag) {
    double *value = lp_alloc(e->batch.seeds, sizeof *value);
    if (value == NULL)
        return lp_fail_memory(diag, "the leaderboard");
    for (uint32_t a = 0; a < e->agents; a++) {
        uint32_t n = 0;
        for (uint32_t s = 0; s < e->batch.seeds; s++) {
            double sum = 0;
            for (uint32_t p = 0; p < e->points; p++)
                sum += lp_run_lost(lp_experiment_at(e, p, a, s));
            value[n] = sum / e->points;
            n += isnan(value[n]) ? 0 : 1;
        }
        row[a] = (Row){a, n > 0 ? lp_estimate(value, n)
                                : (LpEstimate){.mean = (double)NAN, .half = (double)NAN}};
    }
    lp_free(value);
    qsort(row, e->agents, sizeof *row, compare);
    return LP_OK;
}

static void add_share(double value, LpBuf *out) {
    char text[LP_NUM_TEXT] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.4f", value);
    lp_buf_addf(out, " %-*s", CELL, text);
}

static void add_rows(const LpExperiment *e, const Row *row, LpBuf *out) {
    for (uint32_t i = 0; i < e->agents; i++) {
        lp_buf_addf(out, "%-4u %-*s", i + 1, NAME, e->agent[row[i].agent].label);
        add_share(row[i].all.mean, out);
        add_share(row[i].all.half, out);
        for (uint32_t p = 0; p < e->points; p++)
            add_share(lp_experiment_lost(e, p, row[i].agent), out);
        lp_buf_add(out, "\n");
    }
}

LpErr lp_experiment_board(const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    Row *row = lp_alloc(e->agents, sizeof *row);
    if (row == NULL)
        return lp_fail_memory(diag, "the leaderboard");
    LpErr err = make_rows(e, row, diag);
    if (err == LP_OK) {
        lp_buf_addf(out,
                    "Share of jobs lost: blocked, not finished, or let in after their true "
                    "deadline. Seeds %llu to %llu, %s.\n\n",
                    (unsigned long long)e->batch.seed[0],
                    (unsigned long long)e->batch.seed[e->batch.seeds - 1],
                    e->profiles != NULL ? "published profiles" : "models of the zoo");
        lp_buf_addf(out, "%-4s %-*s %-*s %-*s", "rank", NAME, "agent", CELL, "lost", CELL, "+-");
        for (uint32_t p = 0; p < e->points; p++)
            lp_buf_addf(out, " %-*s", CELL, e->point[p].label);
        lp_buf_add(out, "\n");
        add_rows(e, row, out);
        lp_experiment_add_outside(e, out);
    }
    lp_free(row);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}
