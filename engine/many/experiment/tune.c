/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search over rules and their parameters, as a baseline: each rule of the table of agents as it
 * stands, then the best of them with one parameter changed at a time, all on seeds that no result
 * is reported for. Values that a policy's declaration refuses are passed over. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "many/experiment/experiment_impl.h"
#include "many/study/compare.h"
#include "session/session_impl.h"

/* Seeds of training begin where the test never is (docs/env.md). WIDENED rules of a point have
 * their parameters changed, in each of ROUNDS; FINALISTS are compared on FINAL further seeds. */
enum { FIRST_SEED = 1 << 20, SEEDS = 2, FINAL = 6, WIDENED = 3, ROUNDS = 2, FINALISTS = 3 };
enum { VALUES = 8, TEXT = 64 };

/* A rule with parameters. */
typedef struct Entry {
    LpVariant variant; /* label: as `FILE.lua:k=v,k=v` */
    bool tried, widened;
    double lost; /* NAN: it cannot run */
} Entry;

typedef struct Pool {
    Entry *entry; /* of one point */
    size_t count, cap;
} Pool;

typedef struct Search {
    const LpBatchSpec *batch;
    LpExperiment *e;
    Pool *pool; /* [point] */
    LpDiag *diag;
} Search;

/* ---- pools ---- */

static LpErr add(Search *t, uint32_t p, const LpVariant *variant) {
    Pool *pool = &t->pool[p];
    void *items = pool->entry;
    for (size_t i = 0; i < pool->count; i++)
        if (strcmp(pool->entry[i].variant.label, variant->label) == 0)
            return LP_OK;
    if (lp_grow(&items, &pool->cap, pool->count + 1, sizeof *pool->entry) != LP_OK)
        return lp_fail_memory(t->diag, "a search");
    pool->entry = items;
    pool->entry[pool->count++] = (Entry){.variant = *variant, .lost = (double)NAN};
    return LP_OK;
}

/* "FILE.lua:k=v,k=v" with parameter `name` at `value`, whatever it was; NULL: as it is. */
static LpErr add_changed(Search *t, uint32_t p, const LpVariant *from, const char *name,
                         const char *value) {
    LpBuf text = {0};
    const char *before = ":";
    size_t len = name != NULL ? strlen(name) : 0;
    lp_buf_add(&text, from->policy);
    for (uint32_t i = 0; i < from->params; i++) {
        if (name != NULL && strncmp(from->param[i], name, len) == 0 && from->param[i][len] == '=')
            continue;
        lp_buf_addf(&text, "%s%s", before, from->param[i]);
        before = ",";
    }
    if (name != NULL)
        lp_buf_addf(&text, "%s%s=%s", before, name, value);
    LpVariant changed;
    LpErr err = lp_buf_ok(&text, t->diag);
    if (err == LP_OK)
        err = lp_variant_parse(lp_buf_text(&text), t->e->arena, &changed, t->diag);
    lp_buf_fini(&text);
    return err == LP_OK ? add(t, p, &changed) : err;
}

/* All rules of the table, but those that draw. */
static LpErr begin(Search *t) {
    size_t count;
    const LpAgent *agent = lp_agents(&count);
    for (uint32_t p = 0; p < t->e->points; p++)
        for (size_t i = 0; i < count; i++) {
            LpVariant rule;
            if (strncmp(agent[i].name, "random", 6) == 0)
                continue;
            LP_TRY(lp_experiment_rule(&agent[i], t->e->arena, &rule, t->diag));
            LP_TRY(add_changed(t, p, &rule, NULL, NULL));
        }
    return LP_OK;
}

/* The one with the least loss among those that are no better than `above` and after; NULL: none. */
static Entry *best_of(const Pool *pool, bool unwidened) {
    Entry *best = NULL;
    for (size_t i = 0; i < pool->count; i++) {
        Entry *one = &pool->entry[i];
        if (!isnan(one->lost) && (!unwidened || !one->widened) &&
            (best == NULL || one->lost < best->lost))
            best = one;
    }
    return best;
}

/* ---- runs ---- */

typedef struct Round {
    LpVariant *variant;
    Entry **entry;
    uint32_t count;
} Round;

static LpErr collect(Search *t, Round *out) {
    LpExperiment *e = t->e;
    size_t most = 0;
    for (uint32_t p = 0; p < e->points; p++)
        most += t->pool[p].count;
    *out = (Round){.variant = lp_arena_alloc(e->arena, most, sizeof *out->variant),
                   .entry = lp_arena_alloc(e->arena, most, sizeof(Entry *))};
    if (out->variant == NULL || out->entry == NULL)
        return lp_fail_memory(t->diag, "a search");
    for (uint32_t p = 0; p < e->points; p++)
        for (size_t i = 0; i < t->pool[p].count; i++) {
            Entry *one = &t->pool[p].entry[i];
            if (one->tried)
                continue;
            out->variant[out->count] = one->variant;
            out->variant[out->count].sets = e->variant[p * e->agents].sets;
            out->variant[out->count].set = e->variant[p * e->agents].set;
            out->entry[out->count++] = one;
        }
    return LP_OK;
}

static double mean_lost(const LpBatch *b, uint32_t variant) {
    double sum = 0;
    for (uint32_t s = 0; s < b->seeds; s++)
        sum += lp_run_lost(lp_batch_at(b, variant, s));
    return sum / b->seeds;
}

/* Runs all that were not tried yet. *stopped: somebody wants no more. */
static LpErr run_round(Search *t, uint64_t first, uint32_t seeds, bool *stopped) {
    uint64_t seed[FINAL];
    Round round;
    LpBatch done;
    for (uint32_t i = 0; i < seeds; i++)
        seed[i] = first + i;
    LP_TRY(collect(t, &round));
    if (round.count == 0)
        return LP_OK;
    LpBatchSpec spec = *t->batch;
    spec.variants = round.count;
    spec.variant = round.variant;
    spec.seeds = seeds;
    spec.seed = seed;
    spec.tolerant = true; /* a value that the declaration refuses */
    LP_TRY(lp_batch_run(&spec, &done, NULL, t->diag));
    for (uint32_t i = 0; i < round.count; i++) {
        round.entry[i]->tried = true;
        round.entry[i]->lost = mean_lost(&done, i);
    }
    *stopped = done.stopped;
    lp_batch_fini(&done);
    return LP_OK;
}

/* ---- parameters ---- */

/* Values to try in place of one, as texts; how many. */
static uint32_t values_of(const LpPolicyParamInfo *param, const char *now, char out[VALUES][TEXT]) {
    static const double counts[] = {0, 1, 2, 4, 8, 16}, factors[] = {0, 0.25, 0.5, 2, 4};
    static const double small[] = {0.01, 0.1, 1};
    double value = 0;
    uint32_t n = 0;
    bool number = lp_num_parse(now, &value, NULL) == LP_OK;
    if (strcmp(param->type, "boolean") == 0) {
        snprintf(out[0], TEXT, "%s", strcmp(now, "true") == 0 ? "false" : "true");
        return 1;
    }
    bool whole = strcmp(param->type, "integer") == 0;
    if (!whole && strcmp(param->type, "number") != 0)
        return 0;
    if (whole && (!number || value <= 16)) {
        for (size_t i = 0; i < LP_COUNTOF(counts); i++)
            lp_num_print(counts[i], out[n++]);
        return n;
    }
    if (!number || value == 0) {
        for (size_t i = 0; i < LP_COUNTOF(small); i++)
            lp_num_print(small[i], out[n++]);
        return n;
    }
    for (size_t i = 0; i < LP_COUNTOF(factors); i++)
        lp_num_print(whole ? floor(value * factors[i]) : value * factors[i], out[n++]);
    return n;
}

static LpErr change(Search *t, uint32_t p, const LpVariant *from, const LpPolicyParamInfo *param) {
    char text[VALUES][TEXT];
    uint32_t n = values_of(param, param->value, text);
    for (uint32_t i = 0; i < n; i++)
        LP_TRY(add_changed(t, p, from, param->name, text[i]));
    return LP_OK;
}

/* Every declared parameter of a rule, one changed at a time. */
static LpErr widen(Search *t, uint32_t p, const Entry *one) {
    LpVariant from = one->variant; /* the pool moves */
    LpSession *session;
    from.sets = t->e->variant[p * t->e->agents].sets;
    from.set = t->e->variant[p * t->e->agents].set;
    LP_TRY(lp_batch_open(t->batch, &from, FIRST_SEED, lp_inputs_files(t->batch->inputs), &session,
                         t->diag));
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < lp_policy_params(session->loaded.policy); i++) {
        LpPolicyParamInfo param = lp_policy_param(session->loaded.policy, i);
        err = change(t, p, &from, &param);
    }
    lp_session_close(session);
    return err;
}

static LpErr widen_best(Search *t) {
    for (uint32_t p = 0; p < t->e->points; p++)
        for (int i = 0; i < WIDENED; i++) {
            Entry *one = best_of(&t->pool[p], true);
            if (one == NULL)
                break;
            one->widened = true;
            LP_TRY(widen(t, p, one));
        }
    return LP_OK;
}

/* ---- the last ones ---- */

static LpErr take(Search *t, LpTuned *tuned) {
    LpExperiment *e = t->e;
    for (uint32_t p = 0; p < e->points; p++) {
        const Entry *best = best_of(&t->pool[p], false);
        LpVariant *v = &e->variant[p * e->agents + e->agents - 1];
        if (best == NULL)
            return lp_fail(t->diag, LP_EINVAL, "no rule can run at %s", e->point[p].label);
        tuned[p].label = best->variant.label;
        tuned[p].lost = best->lost;
        v->policy = best->variant.policy;
        v->params = best->variant.params;
        v->param = best->variant.param;
    }
    return LP_OK;
}

static LpErr search(Search *t, LpTuned *tuned) {
    bool stopped = false;
    LP_TRY(begin(t));
    LP_TRY(run_round(t, FIRST_SEED, SEEDS, &stopped));
    for (int i = 0; i < ROUNDS && !stopped; i++) {
        LP_TRY(widen_best(t));
        LP_TRY(run_round(t, FIRST_SEED, SEEDS, &stopped));
    }
    /* Only the best few of each point are left, untried: on the seeds of the final they begin anew.
     */
    for (uint32_t p = 0; p < t->e->points; p++) {
        Pool *pool = &t->pool[p];
        Entry kept[FINALISTS];
        size_t n = 0;
        tuned[p].tried = (uint32_t)pool->count;
        for (Entry *one; n < FINALISTS && (one = best_of(pool, false)) != NULL; n++) {
            kept[n] = *one;
            kept[n].tried = false;
            one->lost = (double)NAN;
        }
        memcpy(pool->entry, kept, n * sizeof *kept);
        pool->count = n;
    }
    if (!stopped)
        LP_TRY(run_round(t, FIRST_SEED + SEEDS, FINAL, &stopped));
    if (stopped) /* the runs that follow will be, too */
        return LP_OK;
    return take(t, tuned);
}

LpErr lp_experiment_tune(const LpBatchSpec *batch, LpExperiment *e, LpDiag *diag) {
    Search t = {.batch = batch, .e = e, .diag = diag};
    LpTuned *tuned = lp_arena_alloc(e->arena, e->points, sizeof *tuned);
    t.pool = lp_arena_alloc(e->arena, e->points, sizeof *t.pool);
    if (tuned == NULL || t.pool == NULL)
        return lp_fail_memory(diag, "a search");
    LpErr err = search(&t, tuned);
    for (uint32_t p = 0; p < e->points; p++)
        lp_free(t.pool[p].entry);
    if (err == LP_OK && tuned[0].label != NULL)
        e->tuned = tuned;
    return err;
}
