/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a part. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "io/scenario/scenario.h"
#include "run/host/paths.h"
#include "run/session/impl.h"
#include "run/study/shard_impl.h"

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
                             .files = lp_inputs_files(spec->inputs)};
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
            policy[i] = s->policy != NULL ? lp_policy_hash(s->policy) : 1;
            lp_session_close(s);
        }
    }
    head.policy = policy;
    *out = head;
    return LP_OK;
}

/* ---- the head ---- */

static void add_texts(LpBuf *out, const char *key, const char *const *text, uint32_t count) {
    lp_buf_addf(out, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        lp_buf_add(out, i > 0 ? "," : "");
        lp_str_json(out, text[i]);
    }
    lp_buf_add(out, "]");
}

static void add_hash(LpBuf *out, uint64_t hash) {
    char hex[LP_HASH_HEX];
    lp_buf_addf(out, "\"%s\"", lp_hash_hex(hash, hex));
}

static void add_policies(const LpCompareHead *h, const LpShardHead *shard, const LpBatch *b,
                         LpBuf *out) {
    lp_buf_add(out, ",\"policies\":[");
    for (uint32_t i = 0; i < h->policies; i++) {
        lp_buf_add(out, i > 0 ? "," : "");
        lp_str_json(out, b->variant[i].label);
    }
    lp_buf_add(out, "],\"policy_hash\":[");
    for (uint32_t i = 0; i < h->policies; i++) {
        lp_buf_add(out, i > 0 ? "," : "");
        add_hash(out, shard->policy[i]);
    }
    lp_buf_add(out, "]");
}

/* The values of the axes, variant by variant. */
static void add_variants(const LpCompareHead *h, const LpBatch *b, LpBuf *out) {
    add_texts(out, "vary", h->axis, h->axes);
    lp_buf_add(out, ",\"variants\":[");
    for (uint32_t v = 0; v < b->variants; v++) {
        lp_buf_add(out, v > 0 ? ",[" : "[");
        for (uint32_t a = 0; a < h->axes; a++) {
            lp_buf_add(out, a > 0 ? "," : "");
            lp_str_json(out, h->value[(size_t)v * h->axes + a]);
        }
        lp_buf_add(out, "]");
    }
    lp_buf_add(out, "]");
}

static void add_head(const LpCompareHead *h, const LpShardHead *shard, const LpBatchSpec *spec,
                     const LpBatch *b, LpBuf *out) {
    char until[LP_NUM_TEXT];
    lp_buf_addf(out, "{\"lightpath_part\":%d,\"version\":\"" LP_VERSION "\",\"work\":\"%s\"",
                (int)LP_PART_FORMAT, h->work);
    lp_buf_add(out, ",\"scenario\":");
    lp_str_json(out, h->scenario);
    lp_buf_add(out, ",\"inputs\":");
    add_hash(out, shard->inputs);
    add_texts(out, "set", spec->base.set, spec->base.sets);
    add_texts(out, "param", spec->base.param, spec->base.params);
    lp_buf_addf(out, ",\"until\":%s,\"seeds\":[", lp_num_print(spec->base.until, until));
    for (uint32_t s = 0; s < b->seeds; s++)
        lp_buf_addf(out, "%s%" PRIu64, s > 0 ? "," : "", b->seed[s]);
    lp_buf_add(out, "]");
    add_policies(h, shard, b, out);
    add_variants(h, b, out);
    lp_buf_addf(out, ",\"shard\":[%" PRIu32 ",%" PRIu32 "]}\n", spec->shard + 1, spec->shards);
}

/* ---- runs ---- */

static void add_number(LpBuf *out, const char *before, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "%s%s", before, lp_num_print(value, text));
}

static void add_choice(LpBuf *out, const LpChoice *c) {
    lp_buf_addf(out, "[%d,%d,%" PRIu32, c->outcome, c->cause, c->degree);
    add_number(out, ",", c->arrival);
    add_number(out, ",", c->start);
    lp_buf_add(out, ",");
    add_hash(out, c->plan);
    lp_buf_add(out, "]");
}

static void add_done(const LpRun *run, LpBuf *out) {
    const uint64_t count[] = {
#define X(field) run->field,
        LP_PART_COUNTS(X)
#undef X
    };
    lp_buf_add(out, ",\"policy\":");
    lp_str_json(out, run->policy);
    lp_buf_add(out, ",\"hash\":");
    add_hash(out, run->hash);
    for (size_t i = 0; i < LP_COUNTOF(count); i++)
        lp_buf_addf(out, "%s%" PRIu64, i == 0 ? ",\"counts\":[" : ",", count[i]);
    for (int m = 0; m < LP_METRIC_COUNT; m++)
        add_number(out, m == 0 ? "],\"metrics\":[" : ",",
                   lp_metric_value(&run->summary, (LpMetric)m));
    lp_buf_add(out, "],\"jobs\":[");
    for (uint32_t i = 0; i < run->jobs; i++) {
        lp_buf_add(out, i > 0 ? "," : "");
        add_choice(out, &run->choice[i]);
    }
    lp_buf_add(out, "]");
}

static void add_run(const LpRun *run, uint32_t variant, uint32_t seed, LpBuf *out) {
    lp_buf_addf(out, "{\"run\":[%" PRIu32 ",%" PRIu32 "],\"error\":%d,\"cause\":", variant, seed,
                (int)run->err);
    lp_str_json(out, run->cause != NULL ? run->cause : "");
    if (run->done)
        add_done(run, out);
    lp_buf_add(out, "}\n");
}

LpErr lp_shard_write(const LpCompareHead *head, const LpShardHead *shard, const LpBatchSpec *spec,
                     const LpBatch *b, LpBuf *out, LpDiag *diag) {
    size_t from = out->len;
    uint32_t runs = 0;
    add_head(head, shard, spec, b, out);
    for (uint32_t s = 0; s < b->seeds; s++)
        for (uint32_t v = 0; v < b->variants; v++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (!lp_batch_has(spec, v, s) || (!run->done && run->err == LP_OK))
                continue;
            add_run(run, v, s, out);
            runs++;
        }
    LP_TRY(lp_buf_ok(out, diag));
    if (b->stopped)
        return LP_OK;
    uint64_t check = lp_hash_bytes(LP_HASH_INIT, lp_buf_text(out) + from, out->len - from);
    lp_buf_addf(out, "{\"end\":%" PRIu32 ",\"check\":", runs);
    add_hash(out, check);
    lp_buf_add(out, "}\n");
    return lp_buf_ok(out, diag);
}
