/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a part. */
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "host/paths.h"
#include "import/import.h"
#include "io/scenario/scenario.h"
#include "many/study/compare_impl.h"
#include "many/study/shard_impl.h"
#include "session/session_impl.h"

enum { SHOWN = 60 };

LpErr lp_shard_parse(const char *text, uint32_t *shard, uint32_t *shards, LpDiag *diag) {
    char number[24], shown[SHOWN];
    const char *slash = strchr(text, '/');
    uint64_t at = 0, of = 0;
    size_t len = slash != NULL ? (size_t)(slash - text) : 0;
    bool good = len > 0 && len < sizeof number;
    if (good) {
        memcpy(number, text, len);
        number[len] = '\0';
        good = lp_num_parse_u64(number, &at, NULL) == LP_OK &&
               lp_num_parse_u64(slash + 1, &of, NULL) == LP_OK;
    }
    if (!good || at < 1 || at > of || of > LP_SHARDS_MAX)
        return lp_fail(diag, LP_EINVAL,
                       "--shard %s: expected I/N, such as 3/10 for the third of ten shares",
                       lp_str_show(shown, sizeof shown, text));
    *shard = (uint32_t)at - 1;
    *shards = (uint32_t)of;
    return LP_OK;
}

/* ---- what the inputs are ---- */

static LpErr hash_scenario(const LpBatchSpec *spec, LpShardHead *out, LpDiag *diag) {
    LpPaths paths;
    LpLoadOptions options = {.sets = spec->base.sets,
                             .set = spec->base.set,
                             .max_input = spec->base.max_input,
                             .data_dirs = lp_paths_dirs(&paths),
                             .files = lp_inputs_files(spec->inputs),
                             .traces = &lp_import_source};
    LpScenario *scenario;
    LP_TRY(lp_scenario_load(spec->base.scenario, &options, &scenario, diag));
    lp_scenario_free(scenario);
    out->inputs = lp_inputs_hash(spec->inputs);
    return LP_OK;
}

LpErr lp_shard_identify(const LpBatchSpec *spec, uint32_t policies, LpArena *arena,
                        LpShardHead *out, LpDiag *diag) {
    LpShardHead head = {0};
    uint64_t *policy = lp_arena_alloc(arena, policies, sizeof *policy);
    if (policy == NULL)
        return lp_fail_memory(diag, "a part");
    LP_TRY(hash_scenario(spec, &head, diag));
    for (uint32_t i = 0; i < policies; i++) {
        LpSession *s;
        LpErr err = lp_batch_open(spec, &spec->variant[i], spec->seed[0],
                                  lp_inputs_files(spec->inputs), &s, diag);
        if (err != LP_OK && !lp_batch_tolerates(spec, err))
            return err;
        if (err == LP_OK) {
            policy[i] = s->loaded.policy != NULL ? lp_policy_hash(s->loaded.policy) : 1;
            lp_session_close(s);
        }
    }
    head.policy = policy;
    *out = head;
    return LP_OK;
}

/* ---- the head ---- */

static void add_head(const LpCompareHead *h, const LpShardHead *shard, const LpBatchSpec *spec,
                     const LpBatch *b, LpJsonOut *out) {
    const uint32_t number[] = {spec->shard + 1, spec->shards};
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "lightpath_part", LP_PART_FORMAT);
    lp_json_put_text(out, "version", LP_VERSION);
    lp_json_put_text(out, "work", h->work);
    lp_json_put_text(out, "scenario", h->scenario);
    lp_json_put_hash(out, "inputs", shard->inputs);
    lp_json_put_texts(out, "set", spec->base.set, spec->base.sets);
    lp_json_put_texts(out, "param", spec->base.param, spec->base.params);
    lp_json_put_number(out, "until", spec->base.until);
    lp_compare_put_seeds(out, b);
    lp_compare_put_policies(out, b, h->policies);
    lp_json_open(out, "policy_hash", '[');
    for (uint32_t i = 0; i < h->policies; i++)
        lp_json_put_hash(out, NULL, shard->policy[i]);
    lp_json_close(out, ']');
    /* The values of the axes, variant by variant. */
    lp_json_put_texts(out, "vary", h->axis, h->axes);
    lp_json_put_texts(out, "units", h->unit, h->axes);
    lp_json_open(out, "variants", '[');
    for (uint32_t v = 0; v < b->variants; v++)
        lp_json_put_texts(out, NULL, h->axes > 0 ? &h->value[(size_t)v * h->axes] : NULL, h->axes);
    lp_json_close(out, ']');
    lp_json_put_counts(out, "shard", number, LP_COUNTOF(number));
    lp_json_end(out);
}

/* ---- runs ---- */

static void add_done(const LpRun *run, LpJsonOut *out) {
    const uint64_t count[] = {
#define X(field) run->field,
        LP_PART_COUNTS(X)
#undef X
    };
    lp_json_put_text(out, "policy", run->policy);
    if (run->outside != NULL)
        lp_json_put_text(out, "outside_training", run->outside);
    lp_json_put_hash(out, "hash", run->hash);
    lp_json_open(out, "counts", '[');
    for (size_t i = 0; i < LP_COUNTOF(count); i++)
        lp_json_put_count(out, NULL, count[i]);
    lp_json_close(out, ']');
    lp_json_open(out, "metrics", '[');
    for (int m = 0; m < LP_BATCH_METRICS; m++)
        lp_json_put_number(out, NULL, lp_metric_value(&run->summary, lp_batch_metric[m]));
    lp_json_close(out, ']');
    lp_json_open(out, "jobs", '[');
    for (uint32_t i = 0; i < run->jobs; i++) {
        const LpChoice *c = &run->choice[i];
        lp_json_open(out, NULL, '[');
        lp_json_put_count(out, NULL, c->outcome);
        lp_json_put_count(out, NULL, c->cause);
        lp_json_put_count(out, NULL, c->degree);
        lp_json_put_number(out, NULL, c->arrival);
        lp_json_put_number(out, NULL, c->start);
        lp_json_put_hash(out, NULL, c->plan);
        lp_json_close(out, ']');
    }
    lp_json_close(out, ']');
}

static void add_run(const LpRun *run, uint32_t variant, uint32_t seed, LpJsonOut *out) {
    const uint32_t which[] = {variant, seed};
    lp_json_open(out, NULL, '{');
    lp_json_put_counts(out, "run", which, LP_COUNTOF(which));
    lp_json_put_number(out, "error", run->err);
    lp_json_put_text(out, "cause", run->cause != NULL ? run->cause : "");
    if (run->done)
        add_done(run, out);
    lp_json_end(out);
}

LpErr lp_shard_write(const LpCompareHead *head, const LpShardHead *shard, const LpBatchSpec *spec,
                     const LpBatch *b, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out};
    size_t from = out->len;
    uint32_t runs = 0;
    add_head(head, shard, spec, b, &json);
    for (uint32_t s = 0; s < b->seeds; s++)
        for (uint32_t v = 0; v < b->variants; v++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (!lp_batch_has(spec, v, s) || (!run->done && run->err == LP_OK))
                continue;
            add_run(run, v, s, &json);
            runs++;
        }
    LP_TRY(lp_buf_ok(out, diag));
    if (b->stopped)
        return LP_OK;
    uint64_t check = lp_hash_bytes(LP_HASH_INIT, lp_buf_text(out) + from, out->len - from);
    lp_json_open(&json, NULL, '{');
    lp_json_put_count(&json, "end", runs);
    lp_json_put_hash(&json, "check", check);
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}
