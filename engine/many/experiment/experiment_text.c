/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study's results for people: tables beside what was published. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "many/experiment/experiment_impl.h"

enum { TITLE = 40, NAME = 25, CELL = 21 };

static void add_head(const LpExperiment *e, LpBuf *out) {
    lp_buf_addf(out, "PAC-ML (Parsonson et al., arXiv 2301.13799), study \"%s\":\n%s.\n",
                lp_study_name(e->study), lp_study_doc(e->study));
    if (e->profiles != NULL)
        lp_buf_addf(out,
                    "Profiles of %s, their milliseconds read as seconds (Q2), 1e6 s, published "
                    "semantics.\n",
                    e->profiles);
    else
        lp_buf_add(out,
                   "No profiles were given (--profiles, LIGHTPATH_PROFILES): models of the zoo "
                   "instead, at the same load;\nthe published numbers are for the profiles and do "
                   "not apply.\n");
    lp_buf_addf(out, "Mean%s of %u seed%s, half widths of 95 %% intervals.\n",
                lp_str_s(e->batch.seeds), e->batch.seeds, lp_str_s(e->batch.seeds));
}

/* ---- tables ---- */

/* With an exclamation mark where jobs ended too late and count as served. */
static void add_estimate(const LpEstimate *v, bool rate, bool marked, LpBuf *out) {
    char text[2 * LP_NUM_TEXT + 2], half[LP_NUM_TEXT] = "";
    const char *mark = rate && marked ? " !" : "";
    if (!isnan(v->half))
        snprintf(half, sizeof half, rate ? " +-%.4f" : " +-%.3g", v->half);
    if (isnan(v->mean))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, rate ? "%.4f%s%s" : "%.4g%s%s", v->mean, half, mark);
    lp_buf_addf(out, " %-*s", CELL, text);
}

static LpErr add_cell(const LpExperiment *e, uint32_t p, uint32_t a, LpStudyMetric m, LpBuf *out,
                      LpDiag *diag) {
    LpEstimate v;
    LP_TRY(lp_experiment_estimate(e, p, a, m, &v, diag));
    add_estimate(&v, lp_study_metric_is_rate(m), lp_experiment_late_at(e, p, a), out);
    return LP_OK;
}

/* With its unit; rates are shares here, not percent. */
static const char *title_of(LpStudyMetric m, char title[TITLE]) {
    snprintf(title, TITLE, lp_study_metric_is_rate(m) ? "%s" : "%s, %s", lp_study_metric_heading(m),
             lp_study_metric_unit(m));
    return title;
}

static void add_heading(const LpExperiment *e, const char *what, bool acts, LpBuf *out) {
    lp_buf_addf(out, "\n%-*s", NAME, what);
    for (uint32_t p = 0; p < e->points; p++)
        lp_buf_addf(out, " %s%-*s", e->point[p].beta >= 0 ? "beta_" : "",
                    e->point[p].beta >= 0 ? CELL - 5 : CELL, e->point[p].label);
    lp_buf_addf(out, "%s\n", acts ? " does" : "");
}

/* What others have for this row. */
static void add_references(const LpExperiment *e, const char *agent, LpBuf *out) {
    size_t count;
    const LpReference *r = lp_references(&count);
    for (size_t i = 0; i < count; i++) {
        if (r[i].study != e->study || strcmp(r[i].agent, agent) != 0 || e->profiles == NULL)
            continue;
        lp_buf_addf(out, "%-*s", NAME, "");
        for (uint32_t p = 0; p < e->points; p++) {
            double value = r[i].value[e->point[p].beta];
            char text[LP_NUM_TEXT] = "";
            if (!isnan(value))
                snprintf(text, sizeof text, "(%.4f)", value);
            lp_buf_addf(out, " %-*s", CELL, text);
        }
        lp_buf_addf(out, " %s\n", r[i].source);
    }
}

/* Who forgets what a job has waited lets it in too late: what is left of its rate. */
static LpErr add_true_deadlines(const LpExperiment *e, uint32_t a, LpBuf *out, LpDiag *diag) {
    if (!lp_experiment_late(e, a))
        return LP_OK;
    lp_buf_addf(out, "%-*s", NAME, "! by true deadlines");
    for (uint32_t p = 0; p < e->points; p++) {
        LpEstimate v;
        LP_TRY(lp_experiment_losses(e, p, a, &v, diag));
        add_estimate(&v, true, false, out);
    }
    lp_buf_add(out, " compare this one\n");
    return LP_OK;
}

/* How far an agent is above what its kind of policy could reach at most, late jobs counted. */
static void add_gap(const LpExperiment *e, uint32_t a, LpBuf *out) {
    LpBoundKind kind = lp_experiment_bound_kind(e, a);
    char text[LP_NUM_TEXT];
    if (e->bound == NULL)
        return;
    lp_buf_addf(out, "%-*s", NAME, "  gap to bound");
    for (uint32_t p = 0; p < e->points; p++) {
        snprintf(text, sizeof text, "%.4f",
                 lp_experiment_lost(e, p, a) - lp_experiment_bound(e, p, kind));
        lp_buf_addf(out, " %-*s", CELL, text);
    }
    lp_buf_addf(out, " %s\n", lp_bound_key(kind));
}

static void add_bounds(const LpExperiment *e, LpBuf *out) {
    char text[LP_NUM_TEXT];
    for (int k = 0; e->bound != NULL && k < LP_BOUND_COUNT; k++) {
        snprintf(text, sizeof text, "bound, %s", lp_bound_key((LpBoundKind)k));
        lp_buf_addf(out, "%-*s", NAME, text);
        for (uint32_t p = 0; p < e->points; p++) {
            snprintf(text, sizeof text, "%.4f", lp_experiment_bound(e, p, (LpBoundKind)k));
            lp_buf_addf(out, " %-*s", CELL, text);
        }
        lp_buf_add(out, "\n");
    }
}

/* What it did, as words. */
static void add_acts(const LpExperiment *e, uint32_t a, LpBuf *out) {
    unsigned acts = lp_experiment_acts(e, a);
    for (int i = 0; i < LP_ACT_COUNT; i++)
        if (acts >> i & 1)
            lp_buf_addf(out, " %s", lp_act_word((LpAct)i));
}

/* A network that decides as a rule does is that rule. */
static void add_nearest(const LpExperiment *e, uint32_t a, LpBuf *out) {
    char text[2 * LP_NUM_TEXT];
    if (e->nearest == NULL || e->nearest[a].rule == NULL)
        return;
    lp_buf_addf(out, "%-*s", NAME, "  decides as");
    for (uint32_t p = 0; p < e->points; p++) {
        const LpNearest *near = &e->nearest[p * e->agents + a];
        snprintf(text, sizeof text, "%.12s %.1f %%", near->rule, 100 * near->share);
        lp_buf_addf(out, " %-*s", CELL, text);
    }
    lp_buf_add(out, " nearest rule, share of equal decisions\n");
}

static void add_tuned(const LpExperiment *e, LpBuf *out) {
    if (e->tuned == NULL)
        return;
    lp_buf_add(out,
               "\nThe search over rules and their parameters, on seeds of its own, came to:\n");
    for (uint32_t p = 0; p < e->points; p++)
        lp_buf_addf(out, "  %-8s %s, lost there %.4f, of %u\n", e->point[p].label,
                    e->tuned[p].label, e->tuned[p].lost, (unsigned)e->tuned[p].tried);
}

static bool any_late(const LpExperiment *e) {
    for (uint32_t a = 0; a < e->agents; a++)
        if (lp_experiment_late(e, a))
            return true;
    return false;
}

static LpErr add_table(const LpExperiment *e, LpStudyMetric m, LpBuf *out, LpDiag *diag) {
    char title[TITLE];
    add_heading(e, title_of(m, title), m == LP_STUDY_METRIC_BLOCKING, out);
    for (uint32_t a = 0; a < e->agents; a++) {
        lp_buf_addf(out, "%-*s", NAME, e->agent[a].label);
        for (uint32_t p = 0; p < e->points; p++)
            LP_TRY(add_cell(e, p, a, m, out, diag));
        if (m == LP_STUDY_METRIC_BLOCKING)
            add_acts(e, a, out);
        lp_buf_add(out, "\n");
        if (m == LP_STUDY_METRIC_BLOCKING) {
            add_nearest(e, a, out);
            add_references(e, e->agent[a].label, out);
        }
        if (m == LP_STUDY_METRIC_UNSERVED) {
            LP_TRY(add_true_deadlines(e, a, out, diag));
            add_gap(e, a, out);
        }
    }
    if (m == LP_STUDY_METRIC_UNSERVED) {
        add_bounds(e, out);
        lp_buf_add(out,
                   "Not served: blocked, or waiting or running at the end of the run. Who lets "
                   "jobs wait is compared by it.\n");
    }
    return LP_OK;
}

/* PAC-ML itself cannot be run here; its published rates close the table. */
static void add_published_agent(const LpExperiment *e, LpBuf *out) {
    if (e->study != LP_STUDY_TABLE || e->profiles == NULL)
        return;
    lp_buf_addf(out, "%-*s\n", NAME, "pac-ml (published)");
    add_references(e, "pac-ml", out);
}

/* ---- by time between arrivals ---- */

static LpErr add_rows(const LpExperiment *e, LpStudyMetric m, LpBuf *out, LpDiag *diag) {
    char title[TITLE];
    lp_buf_addf(out, "\n%-*s", NAME, title_of(m, title));
    for (uint32_t a = 0; a < e->agents; a++)
        lp_buf_addf(out, " %-*s", CELL, e->agent[a].label);
    lp_buf_add(out, "\n");
    for (uint32_t p = 0; p < e->points; p++) {
        lp_buf_addf(out, "%-*s", NAME, e->point[p].label);
        for (uint32_t a = 0; a < e->agents; a++)
            LP_TRY(add_cell(e, p, a, m, out, diag));
        lp_buf_add(out, "\n");
    }
    return LP_OK;
}

/* Where agents let jobs in too late: the same by true deadlines. */
static LpErr add_true_rows(const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    lp_buf_addf(out, "\n! by true deadlines\n");
    for (uint32_t p = 0; p < e->points; p++) {
        lp_buf_addf(out, "%-*s", NAME, e->point[p].label);
        for (uint32_t a = 0; a < e->agents; a++) {
            LpEstimate v;
            LP_TRY(lp_experiment_losses(e, p, a, &v, diag));
            add_estimate(&v, true, false, out);
        }
        lp_buf_add(out, "\n");
    }
    return LP_OK;
}

void lp_experiment_add_outside(const LpExperiment *e, LpBuf *out) {
    for (uint32_t a = 0; a < e->agents; a++) {
        const char *told = "";
        for (uint32_t p = 0; p < e->points; p++) {
            const char *outside = lp_experiment_outside(e, p, a);
            if (outside == NULL || strcmp(outside, told) == 0)
                continue;
            lp_buf_addf(out, "\n%s, %s%s: outside of its training: %s\n", e->agent[a].label,
                        e->point[p].beta >= 0 ? "beta_" : "", e->point[p].label, outside);
            told = outside;
        }
    }
}

static const char *lesson(LpStudy study) {
    switch (study) {
    case LP_STUDY_TABLE:
        return "\nThe cluster throughput counts the bytes of the jobs as they were cut, so "
               "splitting "
               "raises it by itself:\nmax leads there while it blocks more. The offered throughput "
               "counts the jobs as they came.\n";
    case LP_STUDY_IDEAL:
        return "\nThe difference to the study \"table\" is what blocks of servers and parts that "
               "take "
               "servers of their own cost.\n";
    case LP_STUDY_LOAD:
        return "\nWhere arrivals are rare, splitting far costs nothing; where they are frequent, "
               "it "
               "takes room from the next job.\n";
    default:
        return "\nWhere room is scarce the agent with the best JCT is the one that blocks most: "
               "JCT "
               "counts only the jobs that were let in.\n";
    }
}

LpErr lp_experiment_text(const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    bool curves = e->study == LP_STUDY_LOAD || e->study == LP_STUDY_METRIC;
    add_head(e, out);
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++) {
        if ((curves && m > LP_STUDY_METRIC_JCT) ||
            (m > LP_STUDY_METRIC_UNSERVED && e->study == LP_STUDY_IDEAL))
            break;
        if (m == LP_STUDY_METRIC_LOST) /* rows of the table before */
            continue;
        LP_TRY(curves ? add_rows(e, (LpStudyMetric)m, out, diag)
                      : add_table(e, (LpStudyMetric)m, out, diag));
        if (curves && m == LP_STUDY_METRIC_UNSERVED && any_late(e))
            LP_TRY(add_true_rows(e, out, diag));
        if (m == LP_STUDY_METRIC_BLOCKING)
            add_published_agent(e, out);
        if (m == LP_STUDY_METRIC_BLOCKING)
            add_tuned(e, out);
    }
    if (any_late(e))
        lp_buf_add(
            out,
            "\n! Not comparable: in these runs jobs ended after their deadline and count as "
            "served. "
            "Published rules compare\nthe forecast alone with the limit and forget what a job has "
            "waited (Q17). \"by true deadlines\" takes such jobs as lost;\n"
            "--set options.deadline=corrected decides by the true deadlines.\n");
    lp_experiment_add_outside(e, out);
    lp_buf_add(out, lesson(e->study));
    return lp_buf_ok(out, diag);
}
