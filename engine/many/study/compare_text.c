/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch for people: one line per variant, then what differs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "many/study/compare_impl.h"
#include "session/session_impl.h"

/* With fewer no paired test falls below 5 %. */
enum { TEXT = 64, LABEL = 34, SEEDS_TO_TELL = 6 };

/* An interval this narrow, relatively, is only rounding. */
#define ROUNDING 1e-9

/* Is the metric a column of the table? The others are told where policies differ. */
static bool is_column(LpMetric m) {
    return m == LP_METRIC_BLOCKING || m == LP_METRIC_UNSERVED || m == LP_METRIC_MEAN_JCT ||
           m == LP_METRIC_P95_JCT || m == LP_METRIC_UTILISATION;
}

static bool is_share(LpMetric m) {
    return m == LP_METRIC_BLOCKING || m == LP_METRIC_UNSERVED || m == LP_METRIC_UTILISATION;
}

/* A text tells those measures of waiting and fairness that say most, where they differ. */
static bool is_told(LpMetric m, double difference) {
    bool says_most = m == LP_METRIC_P95_WAIT || m == LP_METRIC_MAX_WAIT ||
                     m == LP_METRIC_OVERTAKINGS || m == LP_METRIC_MEAN_SLOWDOWN ||
                     m == LP_METRIC_MEAN_RHO;
    return m < LP_METRIC_P99_JCT || (says_most && difference != 0);
}

static const char *value_text(LpMetric m, double value, char buf[TEXT]) {
    if (isnan(value))
        snprintf(buf, TEXT, "-");
    else if (is_share(m))
        snprintf(buf, TEXT, "%.2f %%", 100 * value);
    else
        lp_quantity_print(value, lp_metric_dimension(m), buf, TEXT);
    return buf;
}

static void add_label(LpBuf *out, const char *text, int width) {
    char shown[TEXT];
    lp_buf_addf(out, "%-*s", width, lp_str_show(shown, sizeof shown, text));
}

static int label_width(const LpBatch *b) {
    int width = 6;
    for (uint32_t v = 0; v < b->variants; v++)
        if ((int)strlen(b->variant[v].label) > width)
            width = (int)strlen(b->variant[v].label);
    return width < LABEL ? width : LABEL;
}

static void add_values(const LpCompareHead *h, uint32_t v, LpBuf *out) {
    for (uint32_t a = 0; a < h->axes; a++) {
        lp_buf_add(out, "  ");
        add_label(out, h->value[(size_t)v * h->axes + a], 12);
    }
}

/* The test behind the rank, and the budget that a call of the policy takes. */
static void add_standing(const LpCompareHead *h, const LpBatch *b, uint32_t v, LpBuf *out) {
    LpPolicyRecord r = lp_compare_record(b, v);
    char cell[TEXT];
    snprintf(cell, sizeof cell, isnan(h->rank[v].p) ? "-" : "%.3g", h->rank[v].p);
    lp_buf_addf(out, "  %6s", cell);
    if (r.calls == 0) {
        lp_buf_addf(out, "  %24s  %14s", "-", "-");
        return;
    }
    snprintf(cell, sizeof cell, "%.3g %% most %.3g %%",
             100.0 * (double)r.instructions / (double)r.calls / LP_POLICY_INSTRUCTIONS,
             100.0 * (double)r.most_instructions / LP_POLICY_INSTRUCTIONS);
    lp_buf_addf(out, "  %24s", cell);
    snprintf(cell, sizeof cell, "%.3g most %llu", (double)r.predictions / (double)r.calls,
             (unsigned long long)r.most_predictions);
    lp_buf_addf(out, "  %14s", cell);
}

static void add_variant(const LpCompareHead *h, const LpBatch *b, uint32_t v, int width,
                        double *room, LpBuf *out) {
    char mean[TEXT], half[TEXT], cell[2 * TEXT];
    if (h->rank != NULL && h->rank[v].rank > 0)
        lp_buf_addf(out, "%4" PRIu32 "%s ", h->rank[v].rank, h->rank[v].tied ? "=" : " ");
    else if (h->rank != NULL)
        lp_buf_add(out, "   -  ");
    add_label(out, b->variant[v].label, width);
    add_values(h, v, out);
    for (int i = 0; i < LP_BATCH_METRICS; i++) {
        LpMetric m = lp_batch_metric[i];
        if (!is_column(m))
            continue;
        lp_compare_values(b, v, m, room);
        LpEstimate e = lp_estimate(room, b->seeds);
        e.half = e.half <= ROUNDING * fabs(e.mean) ? 0 : e.half;
        value_text(m, e.mean, mean);
        snprintf(cell, sizeof cell, "%s", mean);
        if (!isnan(e.half))
            snprintf(cell, sizeof cell, "%s ±%s", mean, value_text(m, e.half, half));
        /* "±" is two bytes and one column */
        lp_buf_addf(out, "  %*s", isnan(e.half) ? 17 : 18, cell);
    }
    if (h->rank != NULL)
        add_standing(h, b, v, out);
    lp_buf_add(out, "\n");
}

static void add_table(const LpCompareHead *h, const LpBatch *b, double *room, LpBuf *out) {
    int width = label_width(b);
    lp_buf_addf(out, "%s%-*s", h->rank != NULL ? "rank  " : "", width, "policy");
    for (uint32_t a = 0; a < h->axes; a++) {
        const char *dot = strrchr(h->axis[a], '.');
        char name[TEXT + 16];
        snprintf(name, sizeof name, "%.60s%s%s", dot != NULL ? dot + 1 : h->axis[a],
                 h->unit[a][0] != '\0' ? ", " : "", h->unit[a]);
        lp_buf_add(out, "  ");
        add_label(out, name, 12);
    }
    for (int m = 0; m < LP_BATCH_METRICS; m++)
        if (is_column(lp_batch_metric[m]))
            lp_buf_addf(out, "  %17s", lp_metric_heading(lp_batch_metric[m]));
    if (h->rank != NULL)
        lp_buf_addf(out, "  %6s  %24s  %14s", "p", "budget of a call", "predictions");
    lp_buf_add(out, "\n");
    for (uint32_t v = 0; v < b->variants; v++)
        add_variant(h, b, v, width, room, out);
}

/* Whose jobs ended after their deadline and count as served above. */
static void add_late(const LpBatch *b, double *room, LpBuf *out) {
    bool any = false;
    for (uint32_t v = 0; v < b->variants; v++) {
        char name[TEXT], mean[TEXT], half[TEXT];
        if (!lp_batch_late(b, v))
            continue;
        for (uint32_t s = 0; s < b->seeds; s++)
            room[s] = lp_run_lost(lp_batch_at(b, v, s));
        LpEstimate e = lp_estimate(room, b->seeds);
        lp_buf_addf(out, "! %s: %s", lp_str_show(name, sizeof name, b->variant[v].label),
                    value_text(LP_METRIC_UNSERVED, e.mean, mean));
        if (!isnan(e.half))
            lp_buf_addf(out, " ±%s", value_text(LP_METRIC_UNSERVED, e.half, half));
        lp_buf_add(out, " not served by the true deadlines\n");
        any = true;
    }
    if (any)
        lp_buf_add(out, "! There jobs ended after their deadline, which the table counts as served "
                        "(published rules: what a job has waited is forgotten, Q17).\n");
}

/* A run that failed, or whose policy did. */
static void add_cause(const LpBatch *b, uint32_t v, uint32_t s, LpBuf *out) {
    const LpRun *run = lp_batch_at(b, v, s);
    char name[TEXT], shown[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    lp_buf_addf(out, "%s, seed %" PRIu64 ": ", lp_str_show(name, sizeof name, b->variant[v].label),
                b->seed[s]);
    if (run->err == LP_OK)
        lp_buf_addf(out, "the policy failed in %" PRIu64 " of %" PRIu64 " call%s, first: ",
                    run->record.failures, run->record.calls, lp_str_s(run->record.calls));
    lp_buf_addf(out, "%s\n", lp_str_show(shown, sizeof shown, run->cause));
}

static void add_difference(const LpBatch *b, uint32_t first, uint32_t v, LpMetric m, double *room,
                           LpBuf *out) {
    char text[TEXT], half[TEXT];
    lp_compare_values(b, first, m, room);
    lp_compare_values(b, v, m, room + b->seeds);
    LpPaired pair = lp_paired(room, room + b->seeds, b->seeds);
    LpEstimate base = lp_estimate(room, b->seeds);
    if (pair.difference.n == 0 || !is_told(m, pair.difference.mean))
        return;
    lp_buf_addf(out, "  %-12s %s%s", lp_metric_heading(m), pair.difference.mean > 0 ? "+" : "",
                value_text(m, pair.difference.mean, text));
    if (pair.difference.half <= ROUNDING * fabs(base.mean))
        pair.difference.half = 0;
    if (!isnan(pair.difference.half))
        lp_buf_addf(out, " ±%s", value_text(m, pair.difference.half, half));
    if (base.mean != 0 && !isnan(base.mean))
        lp_buf_addf(out, " (%+.1f %% of it)", 100 * pair.difference.mean / base.mean);
    if (!isnan(pair.p))
        lp_buf_addf(out, ", p %.4g%s", pair.p, pair.exact ? "" : " (sampled)");
    lp_buf_add(out, "\n");
}

static const char *choice_text(const LpChoice *c, char buf[TEXT]) {
    const char *cause = lp_cause_code((LpCause)c->cause);
    if (!isnan(c->start))
        snprintf(buf, TEXT, "%u way%s at %.6g s", (unsigned)c->degree, lp_str_s(c->degree),
                 c->start);
    else
        snprintf(buf, TEXT, "%s%s%s", lp_outcome_name((LpOutcome)c->outcome),
                 cause != NULL ? ", " : "", cause != NULL ? cause : "");
    return buf;
}

static void add_divergence(const LpBatch *b, uint32_t first, uint32_t v, LpBuf *out) {
    const LpRun *x = lp_batch_at(b, first, 0), *y = lp_batch_at(b, v, 0);
    char one[TEXT], other[TEXT];
    if (!x->done || !y->done)
        return;
    LpDivergence d = lp_batch_divergence(x, y);
    if (d.job == LP_NO_INDEX)
        lp_buf_addf(out, "  seed %" PRIu64 ": no decision differs\n", b->seed[0]);
    else
        lp_buf_addf(out, "  seed %" PRIu64 ": first at job %" PRIu32 ": %s, instead of %s%s\n",
                    b->seed[0], d.job, choice_text(d.b, other), choice_text(d.a, one),
                    strcmp(lp_divergence_name(&d), "servers") == 0 ? " on other servers" : "");
}

static void add_pairs(const LpCompareHead *h, const LpBatch *b, double *room, LpBuf *out) {
    for (uint32_t v = 0; v < b->variants; v++) {
        uint32_t first = v - v % h->policies;
        char one[TEXT], other[TEXT];
        if (v == first)
            continue;
        lp_buf_addf(out, "\n%s against %s", lp_str_show(other, sizeof other, b->variant[v].label),
                    lp_str_show(one, sizeof one, b->variant[first].label));
        add_values(h, v, out);
        lp_buf_add(out, "\n");
        if (b->seeds == 1) /* which jobs come, and when, may favour one of them */
            lp_buf_add(out, "  one seed, no verdict: the difference may be luck; --seeds 1..20 "
                            "tells how much of it is\n");
        for (int m = 0; b->seeds > 1 && m < LP_BATCH_METRICS; m++)
            add_difference(b, first, v, lp_batch_metric[m], room, out);
        add_divergence(b, first, v, out);
    }
}

/* Whose networks decided what they were not trained for. */
static void add_outside(const LpBatch *b, LpBuf *out) {
    char name[TEXT];
    for (uint32_t v = 0; v < b->variants; v++)
        if (lp_batch_outside(b, v) != NULL)
            lp_buf_addf(out, "%s: outside of its training: %s\n",
                        lp_str_show(name, sizeof name, b->variant[v].label),
                        lp_batch_outside(b, v));
}

/* ---- keys of a sweep that change nothing ---- */

static bool same_number(double x, double y) {
    return x == y || (isnan(x) && isnan(y));
}

/* What a job came to; not the hash of its plan, which knows what else its graph could have been
 * split by. */
static bool same_choice(const LpChoice *a, const LpChoice *b) {
    return a->outcome == b->outcome && a->cause == b->cause && a->degree == b->degree &&
           same_number(a->start, b->start);
}

static bool same_run(const LpRun *a, const LpRun *b) {
    if (!a->done || !b->done || a->jobs != b->jobs)
        return false;
    for (uint32_t i = 0; i < a->jobs; i++)
        if (!same_choice(&a->choice[i], &b->choice[i]))
            return false;
    for (int m = 0; m < LP_METRIC_COUNT; m++) {
        if (!same_number(lp_metric_value(&a->summary, (LpMetric)m),
                         lp_metric_value(&b->summary, (LpMetric)m)))
            return false;
    }
    return true;
}

/* Do two variants differ in this key, and in nothing else? */
static bool differ_in(const LpCompareHead *h, uint32_t a, uint32_t b, uint32_t axis) {
    if (a % h->policies != b % h->policies)
        return false;
    for (uint32_t k = 0; k < h->axes; k++) {
        const char *x = h->value[(size_t)a * h->axes + k];
        if ((strcmp(x, h->value[(size_t)b * h->axes + k]) != 0) != (k == axis))
            return false;
    }
    return true;
}

static bool changes_nothing(const LpCompareHead *h, const LpBatch *b, uint32_t axis) {
    bool any = false;
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t w = v + 1; w < b->variants; w++)
            for (uint32_t s = 0; s < b->seeds && differ_in(h, v, w, axis); s++) {
                any = true;
                if (!same_run(lp_batch_at(b, v, s), lp_batch_at(b, w, s)))
                    return false;
            }
    return any;
}

static void add_idle_keys(const LpCompareHead *h, const LpBatch *b, LpBuf *out) {
    char shown[TEXT];
    for (uint32_t a = 0; a < h->axes; a++)
        if (changes_nothing(h, b, a))
            lp_buf_addf(out, "%s: all values gave the same runs; %s\n",
                        lp_str_show(shown, sizeof shown, h->axis[a]),
                        strstr(h->axis[a], ".parallel[") != NULL
                            ? "no job ran by this plan"
                            : "nothing that ran depends on it");
}

/* How many runs the table is of, where the batch was stopped. */
static void add_made(const LpBatch *b, LpBuf *out) {
    uint32_t made = 0;
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++)
            made += lp_batch_at(b, v, s)->done || lp_batch_at(b, v, s)->err != LP_OK;
    if (b->stopped)
        lp_buf_addf(out, "not complete: %" PRIu32 " of %" PRIu32 " runs\n", made,
                    b->variants * b->seeds);
}

LpErr lp_compare_text(const LpCompareHead *h, const LpBatch *b, LpBuf *out, LpDiag *diag) {
    double *room = lp_alloc((size_t)b->seeds * 2, sizeof *room);
    char shown[TEXT];
    if (room == NULL)
        return lp_fail_memory(diag, "a comparison");
    lp_buf_addf(out, "%s, %" PRIu32 " seed%s; %s\n", lp_str_show(shown, sizeof shown, h->scenario),
                b->seeds, b->seeds == 1 ? "" : "s",
                b->seeds == 1 ? "a run each" : "mean ± half width of the 95 % interval");
    add_made(b, out);
    add_table(h, b, room, out);
    if (h->rank != NULL && b->seeds < SEEDS_TO_TELL)
        lp_buf_addf(out, "fewer than %d seeds cannot tell policies apart: all share a rank\n",
                    SEEDS_TO_TELL);
    add_late(b, room, out);
    add_outside(b, out);
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (run->cause == NULL)
                continue;
            add_cause(b, v, s, out);
            break;
        }
    add_idle_keys(h, b, out);
    if (strcmp(h->work, "compare") == 0)
        add_pairs(h, b, room, out);
    lp_free(room);
    return lp_buf_ok(out, diag);
}
