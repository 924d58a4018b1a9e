/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of a batch for programs: JSON and CSV. */
#include "run/study/compare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "run/session/impl.h"
#include "run/study/compare_impl.h"

enum { SHOWN = 80 };

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

static void add_number(LpBuf *out, const char *key, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, ",\"%s\":%s", key, lp_num_print(value, text));
}

static void add_names(LpBuf *out, const char *key, const char *const *name, uint32_t count) {
    lp_buf_addf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        lp_buf_add(out, i > 0 ? "," : "");
        lp_str_json(out, name[i]);
    }
    lp_buf_add(out, "]");
}

static void add_variant(const LpCompareHead *h, const LpBatch *b, uint32_t v, LpBuf *out) {
    lp_buf_add(out, "{\"policy\":");
    lp_str_json(out, b->variant[v].label);
    if (h->axes > 0)
        add_names(out, "values", &h->value[(size_t)v * h->axes], h->axes);
}

static void add_head(const LpCompareHead *h, const LpBatch *b, LpBuf *out) {
    lp_buf_addf(out, "{\"lightpath\":1,\"work\":\"%s\",\"scenario\":", h->work);
    lp_str_json(out, h->scenario);
    lp_buf_add(out, ",\"policies\":[");
    for (uint32_t v = 0; v < h->policies; v++) {
        lp_buf_add(out, v > 0 ? "," : "");
        lp_str_json(out, b->variant[v].label);
    }
    lp_buf_add(out, "],\"seeds\":[");
    for (uint32_t s = 0; s < b->seeds; s++)
        lp_buf_addf(out, "%s%" PRIu64, s > 0 ? "," : "", b->seed[s]);
    lp_buf_add(out, "]");
    if (h->axes > 0)
        add_names(out, "vary", h->axis, h->axes);
    lp_buf_addf(out, ",\"complete\":%s", b->stopped ? "false" : "true");
}

/* What the policy took, and its first failure. */
static void add_record(const LpRun *run, LpBuf *out) {
    const LpPolicyRecord *r = &run->record;
    lp_buf_addf(out, ",\"calls\":%" PRIu64 ",\"failures\":%" PRIu64 ",\"cause\":", r->calls,
                r->failures);
    if (run->cause != NULL)
        lp_str_json(out, run->cause);
    else
        lp_buf_add(out, "null");
    lp_buf_addf(out,
                ",\"instructions\":%" PRIu64 ",\"most_instructions\":%" PRIu64
                ",\"predictions\":%" PRIu64 ",\"most_predictions\":%" PRIu64 "}",
                r->instructions, r->most_instructions, r->predictions, r->most_predictions);
}

static void add_row(const LpCompareHead *h, const LpBatch *b, uint32_t v, uint32_t s, LpBuf *out) {
    const LpRun *run = lp_batch_at(b, v, s);
    char hash[LP_HASH_HEX];
    add_variant(h, b, v, out);
    lp_buf_addf(out, ",\"seed\":%" PRIu64, b->seed[s]);
    if (!run->done) {
        lp_buf_add(out, ",\"error\":");
        lp_str_json(out, run->err != LP_OK ? run->cause : "not run");
        lp_buf_add(out, "}");
        return;
    }
    lp_buf_addf(out, ",\"hash\":\"%s\"", lp_hash_hex(run->hash, hash));
    add_number(out, "arrived", (double)run->summary.arrived);
    add_number(out, "completed", (double)run->summary.completed);
    add_number(out, "blocked", (double)run->summary.blocked);
    for (int m = 0; m < LP_METRIC_COUNT; m++)
        add_number(out, lp_metric_key((LpMetric)m), lp_metric_value(&run->summary, (LpMetric)m));
    lp_buf_addf(out, ",\"policy_errors\":%" PRIu64, run->policy_errors);
    add_record(run, out);
}

static void add_estimate(LpBuf *out, const char *key, const LpEstimate *e) {
    lp_buf_addf(out, ",\"%s\":{\"n\":%" PRIu32, key, e->n);
    add_number(out, "mean", e->mean);
    add_number(out, "low", e->mean - e->half);
    add_number(out, "high", e->mean + e->half);
    lp_buf_add(out, "}");
}

static void add_summary(const LpCompareHead *h, const LpBatch *b, uint32_t v, double *room,
                        LpBuf *out) {
    add_variant(h, b, v, out);
    for (int m = 0; m < LP_METRIC_COUNT; m++) {
        lp_compare_values(b, v, (LpMetric)m, room);
        LpEstimate e = lp_estimate(room, b->seeds);
        add_estimate(out, lp_metric_key((LpMetric)m), &e);
    }
    lp_buf_add(out, "}");
}

static void add_paired(const LpBatch *b, uint32_t first, uint32_t v, double *room, LpBuf *out) {
    const char *before = "";
    lp_buf_add(out, ",\"metrics\":{");
    for (int m = 0; m < LP_METRIC_COUNT; m++) {
        lp_compare_values(b, first, (LpMetric)m, room);
        lp_compare_values(b, v, (LpMetric)m, room + b->seeds);
        LpPaired pair = lp_paired(room, room + b->seeds, b->seeds);
        LpEstimate base = lp_estimate(room, b->seeds);
        lp_buf_addf(out, "%s\"%s\":{\"n\":%" PRIu32, before, lp_metric_key((LpMetric)m),
                    pair.difference.n);
        add_number(out, "difference", pair.difference.mean);
        add_number(out, "low", pair.difference.mean - pair.difference.half);
        add_number(out, "high", pair.difference.mean + pair.difference.half);
        add_number(out, "relative",
                   base.mean != 0 ? pair.difference.mean / base.mean : (double)NAN);
        add_number(out, "p", pair.p);
        lp_buf_addf(out, ",\"exact\":%s}", pair.exact ? "true" : "false");
        before = ",";
    }
    lp_buf_add(out, "}");
}

static void add_choice(LpBuf *out, const char *key, const LpChoice *c) {
    lp_buf_addf(out, ",\"%s\":{\"outcome\":\"%s\"", key, lp_outcome_name((LpOutcome)c->outcome));
    const char *cause = lp_cause_code((LpCause)c->cause);
    lp_buf_add(out, ",\"cause\":");
    if (cause != NULL)
        lp_str_json(out, cause);
    else
        lp_buf_add(out, "null");
    add_number(out, "degree", !isnan(c->start) ? c->degree : (double)NAN);
    add_number(out, "start", c->start);
    lp_buf_add(out, "}");
}

static void add_divergence(const LpBatch *b, uint32_t first, uint32_t v, uint32_t s, LpBuf *out) {
    const LpRun *x = lp_batch_at(b, first, s), *y = lp_batch_at(b, v, s);
    lp_buf_addf(out, "{\"seed\":%" PRIu64, b->seed[s]);
    LpDivergence d = lp_batch_divergence(x, y);
    add_number(out, "job", d.job != LP_NO_INDEX ? (double)d.job : (double)NAN);
    if (d.job != LP_NO_INDEX) {
        add_number(out, "time", d.a->arrival);
        lp_buf_addf(out, ",\"what\":\"%s\"", lp_divergence_name(&d));
        add_choice(out, "a", d.a);
        add_choice(out, "b", d.b);
    }
    lp_buf_add(out, "}");
}

/* A variant against the first policy at the same point. */
static void add_pair(const LpCompareHead *h, const LpBatch *b, uint32_t v, double *room,
                     LpBuf *out) {
    uint32_t first = v - v % h->policies;
    add_variant(h, b, v, out);
    lp_buf_add(out, ",\"against\":");
    lp_str_json(out, b->variant[first].label);
    add_paired(b, first, v, room, out);
    lp_buf_add(out, ",\"first_difference\":[");
    const char *before = "";
    for (uint32_t s = 0; s < b->seeds; s++) {
        if (!lp_batch_at(b, first, s)->done || !lp_batch_at(b, v, s)->done)
            continue;
        lp_buf_add(out, before);
        add_divergence(b, first, v, s, out);
        before = ",";
    }
    lp_buf_add(out, "]}");
}

static void add_rank(const LpCompareHead *h, const LpBatch *b, uint32_t v, LpBuf *out) {
    const LpRank *rank = &h->rank[v];
    bool tested = rank->against != LP_NO_INDEX;
    add_number(out, "rank", rank->rank > 0 ? rank->rank : (double)NAN);
    lp_buf_addf(out, ",\"tied\":%s,\"against\":", rank->tied ? "true" : "false");
    if (tested)
        lp_str_json(out, b->variant[rank->against].label);
    else
        lp_buf_add(out, "null");
    lp_buf_addf(out, ",\"by\":%s%s%s", tested ? "\"" : "",
                tested ? lp_metric_key(rank->by) : "null", tested ? "\"" : "");
    add_number(out, "p", rank->p);
}

/* Of a call of the policy, over all seeds. */
static void add_use(const LpBatch *b, uint32_t v, LpBuf *out) {
    LpPolicyRecord r = lp_compare_record(b, v);
    double calls = r.calls > 0 ? (double)r.calls : (double)NAN;
    lp_buf_addf(out, ",\"use\":{\"calls\":%" PRIu64 ",\"budget\":%d", r.calls,
                (int)LP_POLICY_INSTRUCTIONS);
    add_number(out, "mean_instructions", (double)r.instructions / calls);
    add_number(out, "most_instructions", (double)r.most_instructions);
    add_number(out, "mean_predictions", (double)r.predictions / calls);
    add_number(out, "most_predictions", (double)r.most_predictions);
    lp_buf_add(out, "}");
}

static void add_ranking(const LpCompareHead *h, const LpBatch *b, LpBuf *out) {
    lp_buf_add(out, ",\"ranking\":[");
    for (uint32_t v = 0; v < b->variants; v++) {
        lp_buf_add(out, v > 0 ? "," : "");
        lp_buf_add(out, "{\"policy\":");
        lp_str_json(out, b->variant[v].label);
        add_rank(h, b, v, out);
        add_use(b, v, out);
        lp_buf_add(out, "}");
    }
    lp_buf_add(out, "]");
}

static void add_lists(const LpCompareHead *h, const LpBatch *b, double *room, LpBuf *out) {
    const char *before = "\n";
    lp_buf_add(out, ",\n\"rows\":[");
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++, before = ",\n") {
            lp_buf_add(out, before);
            add_row(h, b, v, s, out);
        }
    lp_buf_add(out, "],\n\"summary\":[");
    for (uint32_t v = 0; v < b->variants; v++) {
        lp_buf_add(out, v > 0 ? ",\n" : "\n");
        add_summary(h, b, v, room, out);
    }
    lp_buf_add(out, "],\n\"paired\":[");
    before = "\n";
    for (uint32_t v = 0; v < b->variants; v++) {
        if (v % h->policies == 0)
            continue;
        lp_buf_add(out, before);
        add_pair(h, b, v, room, out);
        before = ",\n";
    }
    lp_buf_add(out, "]}\n");
}

LpErr lp_compare_json(const LpCompareHead *h, const LpBatch *b, LpBuf *out, LpDiag *diag) {
    double *room = lp_alloc((size_t)b->seeds * 2, sizeof *room);
    if (room == NULL)
        return lp_fail_memory(diag, "a comparison");
    add_head(h, b, out);
    if (h->rank != NULL)
        add_ranking(h, b, out);
    add_lists(h, b, room, out);
    lp_free(room);
    return lp_buf_ok(out, diag);
}

/* ---- CSV ---- */

static void add_cell(LpBuf *out, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_add(out, ",");
    if (!isnan(value))
        lp_buf_add(out, lp_num_print(value, text));
}

static void add_line(const LpCompareHead *h, const LpBatch *b, uint32_t v, uint32_t s, LpBuf *out) {
    const LpRun *run = lp_batch_at(b, v, s);
    const LpPolicyRecord *r = &run->record;
    char hash[LP_HASH_HEX];
    if (!run->done && run->err == LP_OK)
        return; /* interrupted before it */
    lp_str_csv(out, b->variant[v].label, false);
    for (uint32_t a = 0; a < h->axes; a++) {
        lp_buf_add(out, ",");
        lp_str_csv(out, h->value[(size_t)v * h->axes + a], false);
    }
    lp_buf_addf(out, ",%" PRIu64, b->seed[s]);
    add_cell(out, run->done ? (double)run->summary.arrived : (double)NAN);
    add_cell(out, run->done ? (double)run->summary.completed : (double)NAN);
    add_cell(out, run->done ? (double)run->summary.blocked : (double)NAN);
    for (int m = 0; m < LP_METRIC_COUNT; m++)
        add_cell(out, run->done ? lp_metric_value(&run->summary, (LpMetric)m) : (double)NAN);
    lp_buf_addf(out, ",%s,", run->done ? lp_hash_hex(run->hash, hash) : "");
    lp_str_csv(out, run->cause, false);
    add_cell(out, run->done ? (double)run->policy_errors : (double)NAN);
    const double taken[] = {(double)r->calls, (double)r->instructions, (double)r->most_instructions,
                            (double)r->predictions, (double)r->most_predictions};
    for (size_t i = 0; i < LP_COUNTOF(taken); i++)
        add_cell(out, run->done ? taken[i] : (double)NAN);
    lp_buf_add(out, "\n");
}

LpErr lp_compare_csv(const LpCompareHead *h, const LpBatch *b, LpBuf *out, LpDiag *diag) {
    lp_buf_add(out, "policy");
    for (uint32_t a = 0; a < h->axes; a++) {
        lp_buf_add(out, ",");
        lp_str_csv(out, h->axis[a], false);
    }
    lp_buf_add(out, ",seed,arrived,completed,blocked");
    for (int m = 0; m < LP_METRIC_COUNT; m++)
        lp_buf_addf(out, ",%s", lp_metric_key((LpMetric)m));
    lp_buf_add(out, ",hash,error,policy_errors,calls,instructions,"
                    "most_instructions,predictions,most_predictions\n");
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++)
            add_line(h, b, v, s, out);
    return lp_buf_ok(out, diag);
}
