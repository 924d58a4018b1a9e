/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One metric of a study as a Markdown table, for pages and papers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "many/experiment/experiment_impl.h"

/* ".2630", as shares are written without the nought before the point. */
static void add_share(double value, LpBuf *out) {
    char text[LP_NUM_TEXT];
    snprintf(text, sizeof text, "%.4f", value);
    if (isnan(value))
        lp_buf_add(out, "-");
    else if (text[0] == '0')
        lp_buf_add(out, text + 1);
    else if (strncmp(text, "-0", 2) == 0)
        lp_buf_addf(out, "-%s", text + 2);
    else
        lp_buf_add(out, text);
}

static LpErr add_cell(const LpExperiment *e, uint32_t p, uint32_t a, LpStudyMetric m, LpBuf *out,
                      LpDiag *diag) {
    bool rate = lp_study_metric_is_rate(m);
    LpEstimate v;
    LP_TRY(lp_experiment_estimate(e, p, a, m, &v, diag));
    double value = v.mean;
    if (rate || isnan(value))
        add_share(value, out);
    else
        lp_buf_addf(out, "%.4g", value);
    if (!isnan(v.half) && !isnan(v.mean)) {
        lp_buf_add(out, " ± ");
        if (rate)
            add_share(v.half, out);
        else
            lp_buf_addf(out, "%.3g", v.half);
    }
    if (rate && m != LP_STUDY_METRIC_LOST && lp_experiment_late_at(e, p, a))
        lp_buf_add(out, " !");
    return LP_OK;
}

static void add_bounds(const LpExperiment *e, LpBuf *out) {
    for (int k = 0; e->bound != NULL && k < LP_BOUND_COUNT; k++) {
        lp_buf_addf(out, "| bound `%s` |", lp_bound_key((LpBoundKind)k));
        for (uint32_t p = 0; p < e->points; p++) {
            lp_buf_add(out, " ");
            add_share(lp_experiment_bound(e, p, (LpBoundKind)k), out);
            lp_buf_add(out, " |");
        }
        lp_buf_add(out, "\n");
    }
}

LpErr lp_experiment_markdown(const LpExperiment *e, LpStudyMetric m, LpBuf *out, LpDiag *diag) {
    lp_buf_add(out, "| agent |");
    for (uint32_t p = 0; p < e->points; p++)
        lp_buf_addf(out, " %s |", e->point[p].label);
    lp_buf_add(out, "\n|---|");
    for (uint32_t p = 0; p < e->points; p++)
        lp_buf_add(out, "---|");
    lp_buf_add(out, "\n");
    for (uint32_t a = 0; a < e->agents; a++) {
        /* Code with a bar in it would end the cell. */
        const char *name = e->agent[a].label;
        lp_buf_add(out, "| `");
        for (const char *c = name; *c != '\0'; c++)
            lp_buf_addf(out, *c == '|' ? "\\%c" : "%c", *c);
        lp_buf_add(out, "` |");
        for (uint32_t p = 0; p < e->points; p++) {
            lp_buf_add(out, " ");
            LP_TRY(add_cell(e, p, a, m, out, diag));
            lp_buf_add(out, " |");
        }
        lp_buf_add(out, "\n");
    }
    if (m == LP_STUDY_METRIC_LOST)
        add_bounds(e, out);
    return lp_buf_ok(out, diag);
}
