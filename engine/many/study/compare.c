/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of a batch for programs: JSON and CSV. */
#include "many/study/compare.h"

#include <math.h>
#include <string.h>

#include "base/csv_out.h"
#include "base/hash.h"
#include "many/study/compare_impl.h"
#include "session/session_impl.h"

enum { SHOWN = 80 };

static const LpMetric counts[] = {LP_METRIC_ARRIVED, LP_METRIC_COMPLETED, LP_METRIC_BLOCKED};

/* ---- variants ---- */

static LpErr add_params(char *text, LpArena *arena, LpVariant *out, LpDiag *diag) {
    const char **param = lp_arena_alloc(arena, strlen(text) / 2 + 1, sizeof *param);
    char shown[SHOWN];
    if (param == NULL)
        return lp_fail_memory(diag, "a policy's parameters");
    for (char *at = text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        const char *equals = strchr(at, '=');
        if (equals == NULL || equals == at)
            return lp_fail(diag, LP_EINVAL, "--policy %s: expected FILE or FILE:name=value,...",
                           lp_str_show(shown, sizeof shown, out->label));
        param[out->params++] = at;
        at = comma;
    }
    out->param = param;
    return LP_OK;
}

LpErr lp_variant_parse(const char *text, LpArena *arena, LpVariant *out, LpDiag *diag) {
    LpVariant v = {.label = lp_arena_strdup(arena, text)};
    char *policy = lp_arena_strdup(arena, text);
    if (v.label == NULL || policy == NULL)
        return lp_fail_memory(diag, "a policy");
    char *colon = strrchr(policy, ':');
    v.policy = policy;
    if (colon != NULL && strchr(colon, '=') != NULL) {
        *colon = '\0';
        LP_TRY(add_params(colon + 1, arena, &v, diag));
    }
    if (policy[0] == '\0')
        return lp_fail(diag, LP_EINVAL, "--policy: expected the name of a file");
    *out = v;
    return LP_OK;
}

/* ---- differences ---- */

static bool alike(const LpChoice *a, const LpChoice *b) {
    bool started = !isnan(a->start), other = !isnan(b->start);
    if (started != other)
        return false;
    if (started)
        return a->degree == b->degree && a->plan == b->plan && a->start == b->start;
    return a->outcome == b->outcome && a->cause == b->cause;
}

LpDivergence lp_batch_divergence(const LpRun *a, const LpRun *b) {
    uint32_t jobs = a->jobs < b->jobs ? a->jobs : b->jobs;
    for (uint32_t i = 0; i < jobs; i++)
        if (!alike(&a->choice[i], &b->choice[i]))
            return (LpDivergence){i, &a->choice[i], &b->choice[i]};
    return (LpDivergence){LP_NO_INDEX, NULL, NULL};
}

const char *lp_divergence_name(const LpDivergence *d) {
    if (d->job == LP_NO_INDEX)
        return "nothing";
    if (isnan(d->a->start) || isnan(d->b->start))
        return "outcome";
    if (d->a->degree != d->b->degree)
        return "degree";
    return d->a->start != d->b->start ? "start" : "servers";
}

void lp_compare_values(const LpBatch *b, uint32_t variant, LpMetric metric, double *out) {
    for (uint32_t s = 0; s < b->seeds; s++) {
        const LpRun *run = lp_batch_at(b, variant, s);
        out[s] = run->done ? lp_metric_value(&run->summary, metric) : (double)NAN;
    }
}

static void take_larger(uint64_t *most, uint64_t value) {
    *most = value > *most ? value : *most;
}

LpPolicyRecord lp_compare_record(const LpBatch *b, uint32_t variant) {
    LpPolicyRecord sum = {0};
    for (uint32_t s = 0; s < b->seeds; s++) {
        const LpPolicyRecord *r = &lp_batch_at(b, variant, s)->record;
        sum.calls += r->calls;
        sum.failures += r->failures;
        sum.instructions += r->instructions;
        sum.predictions += r->predictions;
        take_larger(&sum.most_instructions, r->most_instructions);
        take_larger(&sum.most_predictions, r->most_predictions);
    }
    return sum;
}

/* ---- JSON ---- */

typedef struct Writer {
    const LpCompareHead *h;
    const LpBatch *b;
    double *room; /* twice the seeds */
    LpJsonOut out;
} Writer;

void lp_compare_put_policies(LpJsonOut *out, const LpBatch *b, uint32_t policies) {
    lp_json_open(out, "policies", '[');
    for (uint32_t v = 0; v < policies; v++)
        lp_json_put_text(out, NULL, b->variant[v].label);
    lp_json_close(out, ']');
}

void lp_compare_put_seeds(LpJsonOut *out, const LpBatch *b) {
    lp_json_open(out, "seeds", '[');
    for (uint32_t s = 0; s < b->seeds; s++)
        lp_json_put_count(out, NULL, b->seed[s]);
    lp_json_close(out, ']');
}

static void open_variant(Writer *w, uint32_t v) {
    const LpCompareHead *h = w->h;
    lp_json_open(&w->out, NULL, '{');
    lp_json_put_text(&w->out, "policy", w->b->variant[v].label);
    if (h->axes > 0)
        lp_json_put_texts(&w->out, "values", &h->value[(size_t)v * h->axes], h->axes);
}

static void add_head(Writer *w) {
    const LpCompareHead *h = w->h;
    lp_json_put_count(&w->out, "lightpath", 1);
    lp_json_put_text(&w->out, "work", h->work);
    lp_json_put_text(&w->out, "scenario", h->scenario);
    lp_compare_put_policies(&w->out, w->b, h->policies);
    lp_compare_put_seeds(&w->out, w->b);
    if (h->axes > 0)
        lp_json_put_texts(&w->out, "vary", h->axis, h->axes);
    lp_json_put_bool(&w->out, "complete", !w->b->stopped);
}

static void add_row(Writer *w, uint32_t v, uint32_t s) {
    const LpRun *run = lp_batch_at(w->b, v, s);
    LpJsonOut *out = &w->out;
    open_variant(w, v);
    lp_json_put_count(out, "seed", w->b->seed[s]);
    if (run->done) {
        lp_json_put_hash(out, "hash", run->hash);
        lp_summary_json(out, &run->summary, counts, LP_COUNTOF(counts));
        lp_summary_json(out, &run->summary, lp_batch_metric, LP_BATCH_METRICS);
        lp_json_put_count(out, "late", run->summary.late);
        lp_json_put_number(out, "lost_rate", lp_run_lost(run));
        lp_json_put_count(out, "policy_errors", run->policy_errors);
        /* What the policy took, and its first failure. */
        const LpPolicyRecord *r = &run->record;
        lp_json_put_count(out, "calls", r->calls);
        lp_json_put_count(out, "failures", r->failures);
        lp_json_put_text(out, "cause", run->cause);
        lp_json_put_count(out, "instructions", r->instructions);
        lp_json_put_count(out, "most_instructions", r->most_instructions);
        lp_json_put_count(out, "predictions", r->predictions);
        lp_json_put_count(out, "most_predictions", r->most_predictions);
    } else {
        const char *cause = run->cause != NULL ? run->cause : "";
        lp_json_put_text(out, "error", run->err != LP_OK ? cause : "not run");
    }
    lp_json_close(out, '}');
}

static void put_interval(LpJsonOut *out, const char *mean, const LpEstimate *e) {
    lp_json_put_count(out, "n", e->n);
    lp_json_put_number(out, mean, e->mean);
    lp_json_put_number(out, "low", e->mean - e->half);
    lp_json_put_number(out, "high", e->mean + e->half);
}

static void add_summary(Writer *w, uint32_t v) {
    open_variant(w, v);
    for (int m = 0; m < LP_BATCH_METRICS; m++) {
        lp_compare_values(w->b, v, lp_batch_metric[m], w->room);
        LpEstimate e = lp_estimate(w->room, w->b->seeds);
        lp_json_open(&w->out, lp_metric_key(lp_batch_metric[m]), '{');
        put_interval(&w->out, "mean", &e);
        lp_json_close(&w->out, '}');
    }
    for (uint32_t s = 0; s < w->b->seeds; s++)
        w->room[s] = lp_run_lost(lp_batch_at(w->b, v, s));
    LpEstimate lost = lp_estimate(w->room, w->b->seeds);
    lp_json_open(&w->out, "lost_rate", '{');
    put_interval(&w->out, "mean", &lost);
    lp_json_close(&w->out, '}');
    lp_json_put_bool(&w->out, "late_jobs_count_as_served", lp_batch_late(w->b, v));
    lp_json_put_text(&w->out, "outside_training", lp_batch_outside(w->b, v));
    lp_json_close(&w->out, '}');
}

static void add_paired(Writer *w, uint32_t first, uint32_t v, LpMetric metric) {
    uint32_t seeds = w->b->seeds;
    lp_compare_values(w->b, first, metric, w->room);
    lp_compare_values(w->b, v, metric, w->room + seeds);
    LpPaired pair = lp_paired(w->room, w->room + seeds, seeds);
    LpEstimate base = lp_estimate(w->room, seeds);
    lp_json_open(&w->out, lp_metric_key(metric), '{');
    put_interval(&w->out, "difference", &pair.difference);
    lp_json_put_number(&w->out, "relative",
                       base.mean != 0 ? pair.difference.mean / base.mean : (double)NAN);
    lp_json_put_number(&w->out, "p", pair.p);
    lp_json_put_bool(&w->out, "exact", pair.exact);
    lp_json_close(&w->out, '}');
}

static void add_choice(LpJsonOut *out, const char *key, const LpChoice *c) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "outcome", lp_outcome_name((LpOutcome)c->outcome));
    lp_json_put_text(out, "cause", lp_cause_code((LpCause)c->cause));
    lp_json_put_number(out, "degree", !isnan(c->start) ? c->degree : (double)NAN);
    lp_json_put_number(out, "start", c->start);
    lp_json_close(out, '}');
}

static void add_divergence(Writer *w, uint32_t first, uint32_t v, uint32_t s) {
    const LpRun *x = lp_batch_at(w->b, first, s), *y = lp_batch_at(w->b, v, s);
    LpJsonOut *out = &w->out;
    if (!x->done || !y->done)
        return;
    LpDivergence d = lp_batch_divergence(x, y);
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "seed", w->b->seed[s]);
    lp_json_put_index(out, "job", d.job);
    if (d.job != LP_NO_INDEX) {
        lp_json_put_number(out, "time", d.a->arrival);
        lp_json_put_text(out, "what", lp_divergence_name(&d));
        add_choice(out, "a", d.a);
        add_choice(out, "b", d.b);
    }
    lp_json_close(out, '}');
}

static void add_ranking(Writer *w) {
    lp_json_open(&w->out, "ranking", '[');
    for (uint32_t v = 0; v < w->b->variants; v++) {
        lp_json_open(&w->out, NULL, '{');
        lp_json_put_text(&w->out, "policy", w->b->variant[v].label);
        const LpRank *rank = &w->h->rank[v];
        bool tested = rank->against != LP_NO_INDEX;
        lp_json_put_index(&w->out, "rank", rank->rank > 0 ? rank->rank : LP_NO_INDEX);
        lp_json_put_bool(&w->out, "tied", rank->tied);
        lp_json_put_text(&w->out, "against", tested ? w->b->variant[rank->against].label : NULL);
        lp_json_put_text(&w->out, "by", tested ? lp_metric_key(rank->by) : NULL);
        lp_json_put_number(&w->out, "p", rank->p);
        /* What a call of the policy took, over all seeds. */
        LpPolicyRecord r = lp_compare_record(w->b, v);
        double calls = r.calls > 0 ? (double)r.calls : (double)NAN;
        lp_json_open(&w->out, "use", '{');
        lp_json_put_count(&w->out, "calls", r.calls);
        lp_json_put_count(&w->out, "budget", LP_POLICY_INSTRUCTIONS);
        lp_json_put_number(&w->out, "mean_instructions", (double)r.instructions / calls);
        lp_json_put_count(&w->out, "most_instructions", r.most_instructions);
        lp_json_put_number(&w->out, "mean_predictions", (double)r.predictions / calls);
        lp_json_put_count(&w->out, "most_predictions", r.most_predictions);
        lp_json_close(&w->out, '}');
        lp_json_close(&w->out, '}');
    }
    lp_json_close(&w->out, ']');
}

static void open_list(Writer *w, const char *key) {
    lp_json_break(&w->out);
    lp_json_open(&w->out, key, '[');
}

static void add_lists(Writer *w) {
    uint32_t variants = w->b->variants;
    open_list(w, "rows");
    for (uint32_t i = 0; i < variants * w->b->seeds; i++) {
        lp_json_break(&w->out);
        add_row(w, i / w->b->seeds, i % w->b->seeds);
    }
    lp_json_close(&w->out, ']');
    open_list(w, "summary");
    for (uint32_t v = 0; v < variants; v++) {
        lp_json_break(&w->out);
        add_summary(w, v);
    }
    lp_json_close(&w->out, ']');
    open_list(w, "paired");
    for (uint32_t v = 0; v < variants; v++) {
        if (v % w->h->policies == 0)
            continue;
        lp_json_break(&w->out);
        /* A variant against the first policy at the same point. */
        uint32_t first = v - v % w->h->policies;
        open_variant(w, v);
        lp_json_put_text(&w->out, "against", w->b->variant[first].label);
        lp_json_open(&w->out, "metrics", '{');
        for (int m = 0; m < LP_BATCH_METRICS; m++)
            add_paired(w, first, v, lp_batch_metric[m]);
        lp_json_close(&w->out, '}');
        lp_json_open(&w->out, "first_difference", '[');
        for (uint32_t s = 0; s < w->b->seeds; s++)
            add_divergence(w, first, v, s);
        lp_json_close(&w->out, ']');
        lp_json_close(&w->out, '}');
    }
    lp_json_close(&w->out, ']');
}

LpErr lp_compare_json(const LpCompareHead *h, const LpBatch *b, LpBuf *out, LpDiag *diag) {
    Writer w = {h, b, lp_alloc((size_t)b->seeds * 2, sizeof *w.room), {.out = out}};
    if (w.room == NULL)
        return lp_fail_memory(diag, "a comparison");
    lp_json_open(&w.out, NULL, '{');
    add_head(&w);
    if (h->rank != NULL)
        add_ranking(&w);
    add_lists(&w);
    lp_json_break(&w.out);
    lp_json_put_raw(&w.out, "provenance", h->provenance);
    lp_json_end(&w.out);
    lp_free(w.room);
    return lp_buf_ok(out, diag);
}

/* ---- CSV ---- */

static void add_metrics(LpCsvOut *out, const LpRun *run, const LpMetric *metric, size_t count) {
    for (size_t i = 0; i < count; i++)
        lp_csv_put_number(out, run->done ? lp_metric_value(&run->summary, metric[i]) : (double)NAN);
}

static void add_line(const LpCompareHead *h, const LpBatch *b, uint32_t v, uint32_t s,
                     LpCsvOut *out) {
    const LpRun *run = lp_batch_at(b, v, s);
    const LpPolicyRecord *r = &run->record;
    char hash[LP_HASH_HEX];
    if (!run->done && run->err == LP_OK)
        return; /* interrupted before it */
    lp_csv_put_text(out, b->variant[v].label);
    for (uint32_t a = 0; a < h->axes; a++)
        lp_csv_put_text(out, h->value[(size_t)v * h->axes + a]);
    lp_csv_put_count(out, b->seed[s]);
    add_metrics(out, run, counts, LP_COUNTOF(counts));
    add_metrics(out, run, lp_batch_metric, LP_BATCH_METRICS);
    lp_csv_put_words(out, run->done ? lp_hash_hex(run->hash, hash) : NULL);
    lp_csv_put_text(out, run->cause);
    const double taken[] = {(double)run->policy_errors, (double)r->calls,
                            (double)r->instructions,    (double)r->most_instructions,
                            (double)r->predictions,     (double)r->most_predictions};
    for (size_t i = 0; i < LP_COUNTOF(taken); i++)
        lp_csv_put_number(out, run->done ? taken[i] : (double)NAN);
    lp_csv_put_number(out, run->done ? (double)run->summary.late : (double)NAN);
    lp_csv_put_number(out, lp_run_lost(run));
    lp_csv_end(out);
}

LpErr lp_compare_csv(const LpCompareHead *h, const LpBatch *b, bool raw, LpBuf *out, LpDiag *diag) {
    LpCsvOut csv = {.out = out, .raw = raw};
    lp_csv_put_words(&csv, "policy");
    for (uint32_t a = 0; a < h->axes; a++)
        lp_csv_put_text(&csv, h->axis[a]);
    lp_csv_put_words(&csv, "seed,arrived,completed,blocked");
    for (int m = 0; m < LP_BATCH_METRICS; m++)
        lp_csv_put_words(&csv, lp_metric_key(lp_batch_metric[m]));
    lp_csv_put_words(&csv, "hash,error,policy_errors,calls,instructions,"
                           "most_instructions,predictions,most_predictions,late,lost_rate");
    lp_csv_end(&csv);
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++)
            add_line(h, b, v, s, &csv);
    return lp_buf_ok(out, diag);
}
