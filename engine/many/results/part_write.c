/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a part. */
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "host/paths.h"
#include "import/import.h"
#include "io/scenario/scenario.h"
#include "many/results/part_impl.h"
#include "many/study/compare_impl.h"
#include "session/session_impl.h"

enum { SHOWN = 60, PIECE = 65536 };

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

static LpErr load_scenario(const LpBatchSpec *spec, const LpVariant *v, LpArena *arena,
                           LpDiag *diag) {
    LpPaths paths;
    uint32_t own = v != NULL ? v->sets : 0;
    const char **set = lp_arena_alloc(arena, (size_t)spec->base.sets + own + 1, sizeof *set);
    LpScenario *scenario;
    if (set == NULL)
        return lp_fail_memory(diag, "a part");
    for (uint32_t i = 0; i < spec->base.sets + own; i++)
        set[i] = i < spec->base.sets ? spec->base.set[i] : v->set[i - spec->base.sets];
    LpLoadOptions options = {.sets = spec->base.sets + own,
                             .set = set,
                             .max_input = spec->base.max_input,
                             .data_dirs = lp_paths_dirs(&paths),
                             .files = lp_inputs_files(spec->inputs),
                             .traces = &lp_import_source};
    LP_TRY(lp_scenario_load(spec->base.scenario, &options, &scenario, diag));
    lp_scenario_free(scenario);
    return LP_OK;
}

static LpErr hash_policies(const LpBatchSpec *spec, uint32_t policies, uint64_t *policy,
                           LpDiag *diag) {
    LpBatchSpec quiet = *spec;
    quiet.base.log = NULL; /* it is told when it runs */
    for (uint32_t i = 0; i < policies; i++) {
        LpSession *s;
        LpErr err = lp_batch_open(&quiet, &spec->variant[i], spec->seed[0],
                                  lp_inputs_files(spec->inputs), &s, diag);
        if (err != LP_OK && !lp_batch_tolerates(spec, err))
            return err;
        if (err == LP_OK) {
            policy[i] = s->loaded.policy != NULL ? lp_policy_hash(s->loaded.policy) : 1;
            lp_session_close(s);
        }
    }
    return LP_OK;
}

/* Does only one axis differ from the first variant? Together such points meet each value once. */
static bool is_on_an_axis(const LpCompareHead *h, uint32_t v) {
    uint32_t differ = 0;
    for (uint32_t a = 0; a < h->axes; a++)
        differ += strcmp(h->value[(size_t)v * h->axes + a], h->value[a]) != 0;
    return differ == 1;
}

/* What values of axes name: graphs, traces. One that cannot be loaded is told when it is run. */
static LpErr read_axes(const LpBatchSpec *spec, const LpCompareHead *h, LpArena *arena,
                       LpDiag *diag) {
    for (uint32_t v = h->policies; h->axes > 0 && v < spec->variants; v += h->policies) {
        if (!is_on_an_axis(h, v))
            continue;
        if (load_scenario(spec, &spec->variant[v], arena, diag) == LP_ENOMEM)
            return LP_ENOMEM;
    }
    return LP_OK;
}

static LpErr tell_provenance(const LpBatchSpec *spec, const char *const *word, uint32_t words,
                             LpArena *arena, const char **out, LpDiag *diag) {
    LpSource *source;
    LpProvenance p = {.word = word,
                      .words = words,
                      .set = spec->base.set,
                      .sets = spec->base.sets,
                      .param = spec->base.param,
                      .params = spec->base.params,
                      .seed = spec->seed,
                      .seeds = spec->seeds};
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    LP_TRY(lp_inputs_sources(spec->inputs, arena, &source, &p.sources, diag));
    p.source = source;
    lp_provenance_json(&p, NULL, &json);
    *out = text.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "a part");
}

LpErr lp_shard_identify(const LpBatchSpec *spec, const LpCompareHead *h, const char *const *word,
                        uint32_t words, LpArena *arena, LpShardHead *out, LpDiag *diag) {
    LpShardHead head = {0};
    uint64_t *policy = lp_arena_alloc(arena, h->policies, sizeof *policy);
    if (policy == NULL)
        return lp_fail_memory(diag, "a part");
    LP_TRY(load_scenario(spec, NULL, arena, diag));
    head.inputs = lp_inputs_hash(spec->inputs);
    LP_TRY(hash_policies(spec, h->policies, policy, diag));
    head.policy = policy;
    LP_TRY(read_axes(spec, h, arena, diag));
    LP_TRY(tell_provenance(spec, word, words, arena, &head.provenance, diag));
    *out = head;
    return LP_OK;
}

/* ---- lines ---- */

/* Ends a line that begins at `from`, whose object is still open. */
static void end_line(LpBuf *out, size_t from) {
    char hex[LP_HASH_HEX];
    uint64_t check = lp_hash_bytes(LP_HASH_INIT, lp_buf_text(out) + from, out->len - from);
    lp_buf_addf(out, "%s%s\"}\n", LP_PART_CHECK, lp_hash_hex(check, hex));
}

/* ---- the head ---- */

void lp_part_put_head(const LpPartSpec *part, const LpBatch *b, LpBuf *text) {
    const LpCompareHead *h = part->head;
    const LpBatchSpec *spec = part->spec;
    const uint32_t number[] = {spec->shard + 1, spec->shards > 0 ? spec->shards : 1};
    size_t from = text->len;
    LpJsonOut json = {.out = text}, *out = &json;
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "lightpath_part", LP_PART_FORMAT);
    lp_json_put_text(out, "version", LP_VERSION);
    lp_json_put_text(out, "build", lp_build_sources());
    lp_json_put_text(out, "work", h->work);
    lp_json_put_text(out, "scenario", h->scenario);
    lp_json_put_hash(out, "inputs", part->shard->inputs);
    lp_json_put_texts(out, "set", spec->base.set, spec->base.sets);
    lp_json_put_texts(out, "param", spec->base.param, spec->base.params);
    lp_json_put_number(out, "until", spec->base.until);
    lp_compare_put_seeds(out, b);
    lp_compare_put_policies(out, b, h->policies);
    lp_json_open(out, "policy_hash", '[');
    for (uint32_t i = 0; i < h->policies; i++)
        lp_json_put_hash(out, NULL, part->shard->policy[i]);
    lp_json_close(out, ']');
    /* The values of the axes, variant by variant. */
    lp_json_put_texts(out, "vary", h->axis, h->axes);
    lp_json_put_texts(out, "units", h->unit, h->axes);
    lp_json_open(out, "variants", '[');
    for (uint32_t v = 0; v < b->variants; v++)
        lp_json_put_texts(out, NULL, h->axes > 0 ? &h->value[(size_t)v * h->axes] : NULL, h->axes);
    lp_json_close(out, ']');
    lp_json_put_raw(out, "provenance", part->shard->provenance);
    lp_json_put_counts(out, "shard", number, LP_COUNTOF(number));
    end_line(text, from);
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
    lp_json_put_bool(out, "places", run->places);
    lp_json_open(out, "causes", '[');
    for (int i = 0; i < LP_CAUSE_COUNT; i++)
        lp_json_put_count(out, NULL, run->summary.blocked_by[i]);
    lp_json_close(out, ']');
    lp_json_open(out, "numbers", '[');
#define X(field) lp_json_put_number(out, NULL, run->summary.field);
    LP_PART_NUMBERS(X)
#undef X
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

void lp_part_put_run(const LpRun *run, uint32_t variant, uint32_t seed, LpBuf *out) {
    const uint32_t which[] = {variant, seed};
    size_t from = out->len;
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_json_put_counts(&json, "run", which, LP_COUNTOF(which));
    lp_json_put_number(&json, "error", run->err);
    lp_json_put_text(&json, "cause", run->cause != NULL ? run->cause : "");
    if (run->done)
        add_done(run, &json);
    end_line(out, from);
}

void lp_part_put_end(uint32_t runs, LpBuf *out) {
    size_t from = out->len;
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_json_put_count(&json, "end", runs);
    end_line(out, from);
}

static LpErr flush(LpBuf *text, size_t from, LpSink sink, void *user, LpDiag *diag) {
    if (text->len < from)
        return LP_OK;
    LP_TRY(lp_buf_ok(text, diag));
    LP_TRY(sink(user, lp_buf_text(text), text->len, diag));
    lp_buf_clear(text);
    return LP_OK;
}

/* Runs that are there: those of other shares are not. */
static LpErr write_runs(const LpBatch *b, LpBuf *text, LpSink sink, void *user, LpDiag *diag) {
    uint32_t runs = 0;
    for (uint32_t s = 0; s < b->seeds; s++)
        for (uint32_t v = 0; v < b->variants; v++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (!run->done && run->err == LP_OK)
                continue;
            lp_part_put_run(run, v, s, text);
            LP_TRY(flush(text, PIECE, sink, user, diag));
            runs++;
        }
    if (!b->stopped)
        lp_part_put_end(runs, text);
    return flush(text, 0, sink, user, diag);
}

LpErr lp_part_write(const LpPartSpec *part, const LpBatch *b, LpSink sink, void *user,
                    LpDiag *diag) {
    LpBuf text = {0};
    lp_part_put_head(part, b, &text);
    LpErr err = write_runs(b, &text, sink, user, diag);
    lp_buf_fini(&text);
    return err;
}

/* The first part's head as that of the only share. */
static void put_joined_head(const LpMerged *merged, LpBuf *out) {
    static const char SHARD[] = ",\"shard\":[";
    const char *end = NULL;
    for (const char *at = merged->line; (at = strstr(at, SHARD)) != NULL; at++)
        end = at;
    size_t from = out->len;
    lp_buf_add_bytes(out, merged->line,
                     end != NULL ? (size_t)(end - merged->line) : strlen(merged->line));
    lp_buf_addf(out, "%s1,1]", SHARD);
    end_line(out, from);
}

LpErr lp_merged_write(const LpMerged *merged, LpSink sink, void *user, LpDiag *diag) {
    LpBuf text = {0};
    put_joined_head(merged, &text);
    LpErr err = write_runs(&merged->batch, &text, sink, user, diag);
    lp_buf_fini(&text);
    return err;
}
