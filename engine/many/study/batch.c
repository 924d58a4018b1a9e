/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs variants times seeds. */
#include "many/study/batch.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "host/inputs.h"
#include "host/workers.h"
#include "session/failure.h"
#include "session/player/setting.h"
#include "session/session_impl.h"
#include "sim/facts/standing.h"

enum { MAX_SEEDS = 10000, SHOWN = 60 };

const LpMetric lp_batch_metric[LP_BATCH_METRICS] = {LP_METRIC_BLOCKING,
                                                    LP_METRIC_UNSERVED,
                                                    LP_METRIC_MEAN_JCT,
                                                    LP_METRIC_P50_JCT,
                                                    LP_METRIC_P95_JCT,
                                                    LP_METRIC_UNFINISHED,
                                                    LP_METRIC_WAIT,
                                                    LP_METRIC_UTILISATION,
                                                    LP_METRIC_P99_JCT,
                                                    LP_METRIC_LONGEST_JCT,
                                                    LP_METRIC_P50_WAIT,
                                                    LP_METRIC_P95_WAIT,
                                                    LP_METRIC_P99_WAIT,
                                                    LP_METRIC_MAX_WAIT,
                                                    LP_METRIC_MEAN_WAIT_ALL,
                                                    LP_METRIC_P50_WAIT_ALL,
                                                    LP_METRIC_P95_WAIT_ALL,
                                                    LP_METRIC_P99_WAIT_ALL,
                                                    LP_METRIC_MAX_WAIT_ALL,
                                                    LP_METRIC_STILL_WAITING,
                                                    LP_METRIC_OLDEST,
                                                    LP_METRIC_MEAN_SLOWDOWN,
                                                    LP_METRIC_P95_SLOWDOWN,
                                                    LP_METRIC_MAX_SLOWDOWN,
                                                    LP_METRIC_MEAN_SLOWDOWN_ALL,
                                                    LP_METRIC_JAIN,
                                                    LP_METRIC_MAKESPAN,
                                                    LP_METRIC_OVERTAKINGS,
                                                    LP_METRIC_MAX_OVERTAKEN,
                                                    LP_METRIC_MOST_OVERTAKEN,
                                                    LP_METRIC_MEAN_RHO,
                                                    LP_METRIC_MAX_RHO,
                                                    LP_METRIC_UNFAIR,
                                                    LP_METRIC_ALLOCATION,
                                                    LP_METRIC_GOODPUT,
                                                    LP_METRIC_MEAN_QUEUE};

/* ---- one run ---- */

typedef struct Work {
    const LpBatchSpec *spec;
    LpBatch *out;
    const LpFiles *files;
    const size_t *todo; /* numbers of the runs to make: all variants of a seed after the other */
} Work;

/* The base's list followed by the variant's. */
static const char *const *join(LpArena *arena, uint32_t first, const char *const *a,
                               uint32_t second, const char *const *b) {
    const char **all = lp_arena_alloc(arena, (size_t)first + second, sizeof *all);
    for (uint32_t i = 0; all != NULL && i < first + second; i++)
        all[i] = i < first ? a[i] : b[i - first];
    return all;
}

static LpErr open_in(const LpBatchSpec *spec, const LpVariant *v, uint64_t seed,
                     const LpFiles *files, LpArena *arena, LpSession **out, LpDiag *diag) {
    LpSessionSpec s = spec->base;
    s.files = files;
    s.set = join(arena, s.sets, s.set, v->sets, v->set);
    s.param = join(arena, s.params, s.param, v->params, v->param);
    if (s.set == NULL || s.param == NULL)
        return lp_fail_memory(diag, "a batch of runs");
    s.sets += v->sets;
    s.params += v->params;
    s.policy = v->policy != NULL ? v->policy : s.policy;
    s.has_seed = true;
    s.seed = seed;
    return lp_session_open(&s, out, diag);
}

LpErr lp_batch_open(const LpBatchSpec *spec, const LpVariant *v, uint64_t seed,
                    const LpFiles *files, LpSession **out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(4096);
    if (arena == NULL)
        return lp_fail_memory(diag, "a batch of runs");
    LpErr err = open_in(spec, v, seed, files, arena, out, diag);
    lp_arena_free(arena);
    return err;
}

static bool go_on(void *user, const LpSession *session) {
    const LpBatchSpec *spec = user;
    (void)session;
    return spec->cancelled == NULL || !spec->cancelled(spec->user);
}

static LpErr keep_choices(const LpSession *s, LpRun *run, LpDiag *diag) {
    run->jobs = lp_world_jobs(s->world);
    run->choice = lp_alloc(run->jobs, sizeof *run->choice);
    if (run->choice == NULL)
        return lp_fail_memory(diag, "a batch of runs");
    for (uint32_t i = 0; i < run->jobs; i++) {
        const LpJob *j = lp_world_job(s->world, i);
        bool started = j->times.start >= 0;
        run->choice[i] = (LpChoice){.outcome = j->outcome,
                                    .cause = j->cause,
                                    .degree = started ? j->placed.degree : 0,
                                    .arrival = j->asked.arrival,
                                    .start = started ? j->times.start : (double)NAN,
                                    .plan = started ? j->placed.plan_hash : 0};
    }
    return LP_OK;
}

static LpErr keep_text(const char *text, char **out, LpDiag *diag) {
    *out = lp_alloc(strlen(text) + 1, 1);
    if (*out == NULL)
        return lp_fail_memory(diag, "a batch of runs");
    memcpy(*out, text, strlen(text));
    return LP_OK;
}

static LpErr keep_cause(LpRun *run, const LpDiag *error, LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
    return keep_text(lp_diag_format(error, text, sizeof text), &run->cause, diag);
}

static LpErr keep_outside(const LpSession *s, LpRun *run, LpDiag *diag) {
    LpBuf text = {0};
    bool outside =
        s->loaded.policy != NULL && lp_policy_outside(s->loaded.policy, s->context, &text);
    LpErr err = outside ? lp_buf_ok(&text, diag) : LP_OK;
    if (outside && err == LP_OK)
        err = keep_text(lp_buf_text(&text), &run->outside, diag);
    lp_buf_fini(&text);
    return err;
}

static LpErr finish(const LpSession *s, LpRun *run, LpDiag *diag) {
    const LpTally *tally = lp_world_tally(s->world);
    lp_str_copy(run->policy, sizeof run->policy, lp_session_policy_name(s));
    run->hash = lp_session_hash(s);
    run->policy_errors = tally->blocked_by[LP_CAUSE_POLICY_ERROR];
    run->preemptions = tally->preemptions + tally->moves;
    run->places = s->loaded.policy != NULL && lp_policy_has_hook(s->loaded.policy, "place");
    run->record = *lp_session_policy_record(s);
    if (lp_session_first_failure(s) != NULL)
        LP_TRY(keep_cause(run, lp_session_first_failure(s), diag));
    if (run->cause == NULL) {
        /* A run that cannot end says so where a failure of its policy would. */
        LpBuf text = {0};
        bool stuck = lp_world_stuck(s->world) == LP_STUCK_VAINLY && lp_session_stuck(s, &text);
        LpErr err = stuck ? lp_buf_ok(&text, diag) : LP_OK;
        if (stuck && err == LP_OK)
            err = keep_text(lp_buf_text(&text), &run->cause, diag);
        lp_buf_fini(&text);
        LP_TRY(err);
    }
    LpStanding standing;
    LP_TRY(lp_standing_new(s->world, s->context, true, &standing, diag));
    LpErr summed = lp_metrics_of(s->world, s->context, &standing, &run->summary, diag);
    lp_standing_fini(&standing);
    LP_TRY(summed);
    return keep_choices(s, run, diag);
}

bool lp_batch_late(const LpBatch *b, uint32_t variant) {
    for (uint32_t s = 0; s < b->seeds; s++) {
        const LpRun *run = lp_batch_at(b, variant, s);
        if (run->done && run->summary.late > 0)
            return true;
    }
    return false;
}

const char *lp_batch_outside(const LpBatch *b, uint32_t variant) {
    const char *outside = NULL;
    for (uint32_t s = 0; s < b->seeds && outside == NULL; s++)
        outside = lp_batch_at(b, variant, s)->outside;
    return outside;
}

double lp_run_lost(const LpRun *run) {
    return run->done ? lp_summary_lost(&run->summary) : (double)NAN;
}

LpErr lp_batch_lost(const LpBatch *b, uint32_t variant, LpEstimate *out, LpDiag *diag) {
    double *value = lp_alloc(b->seeds, sizeof *value);
    if (value == NULL)
        return lp_fail_memory(diag, "a mean");
    for (uint32_t s = 0; s < b->seeds; s++)
        value[s] = lp_run_lost(lp_batch_at(b, variant, s));
    *out = lp_estimate(value, b->seeds);
    lp_free(value);
    return LP_OK;
}

static LpErr run_variant(const Work *w, const LpVariant *v, uint64_t seed, LpRun *run,
                         LpDiag *diag) {
    LpSession *s;
    bool stopped = false;
    LP_TRY(lp_batch_open(w->spec, v, seed, w->files, &s, diag));
    run->began = true;
    LpErr err = keep_outside(s, run, diag);
    if (err == LP_OK)
        err = lp_session_run(s, go_on, (void *)(uintptr_t)w->spec, &stopped, diag);
    if (err == LP_OK && !stopped) {
        err = finish(s, run, diag);
        run->done = err == LP_OK;
    }
    lp_session_close(s);
    return err;
}

bool lp_batch_tolerates(const LpBatchSpec *spec, LpErr err) {
    return spec->tolerant && err != LP_ENOMEM && err != LP_EMEMLIMIT;
}

static LpErr make_run(const Work *w, uint32_t variant, uint32_t seed, LpRun *run, LpDiag *diag) {
    const LpBatchSpec *spec = w->spec;
    LpDiag error = {0};
    LpErr err = run_variant(w, &spec->variant[variant], spec->seed[seed], run, &error);
    run->err = err;
    if (err == LP_OK)
        return LP_OK;
    if (lp_batch_tolerates(spec, err))
        return keep_cause(run, &error, diag);
    *diag = error;
    return err;
}

static LpErr task(void *user, size_t index, LpDiag *diag) {
    Work *w = user;
    const LpBatchSpec *spec = w->spec;
    uint32_t variant = (uint32_t)(w->todo[index] % spec->variants);
    uint32_t seed = (uint32_t)(w->todo[index] / spec->variants);
    LpRun *run = &w->out->run[(size_t)variant * spec->seeds + seed];
    LP_TRY(make_run(w, variant, seed, run, diag));
    bool made = run->done || run->err != LP_OK; /* not so where it was abandoned */
    if (!made || spec->keeper == NULL)
        return LP_OK;
    return spec->keeper->keep(spec->keeper->user, variant, seed, run, diag);
}

/* Which runs are to be made: those of the share that were not made before. */
static size_t list_runs(const LpBatchSpec *spec, LpBatch *b, size_t *todo) {
    size_t count = 0;
    for (uint32_t s = 0; s < spec->seeds; s++)
        for (uint32_t v = 0; v < spec->variants; v++) {
            LpRun *run = &b->run[(size_t)v * spec->seeds + s];
            if (!lp_batch_has(spec, v, s) ||
                (spec->keeper != NULL && spec->keeper->take(spec->keeper->user, v, s, run)))
                continue;
            todo[count++] = (size_t)s * spec->variants + v;
        }
    return count;
}

/* A step from one seed to the next moves every variant to the next shard. */
uint32_t lp_batch_share(uint32_t variants, uint32_t variant, uint32_t seed, uint32_t shards) {
    uint64_t task = (uint64_t)seed * variants + variant;
    uint64_t turn = variants % shards == 0 ? seed : 0;
    return (uint32_t)((task + turn) % shards);
}

bool lp_batch_has(const LpBatchSpec *spec, uint32_t variant, uint32_t seed) {
    return spec->shards == 0 ||
           lp_batch_share(spec->variants, variant, seed, spec->shards) == spec->shard;
}

/* Runs that are this batch's to make and were neither made nor failed. */
static bool any_missing(const LpBatchSpec *spec, const LpBatch *b) {
    for (uint32_t v = 0; v < b->variants; v++)
        for (uint32_t s = 0; s < b->seeds; s++) {
            const LpRun *run = lp_batch_at(b, v, s);
            if (!run->done && run->err == LP_OK && lp_batch_has(spec, v, s))
                return true;
        }
    return false;
}

/* Did the failed run with the lowest number begin? lp_workers_run tells that one's error. */
static bool first_failure_began(const LpBatch *b) {
    for (uint32_t s = 0; s < b->seeds; s++)
        for (uint32_t v = 0; v < b->variants; v++)
            if (lp_batch_at(b, v, s)->err != LP_OK)
                return lp_batch_at(b, v, s)->began;
    return true;
}

LpErr lp_batch_run(const LpBatchSpec *spec, LpBatch *out, bool *began, LpDiag *diag) {
    LpBatch batch = {.variants = spec->variants,
                     .seeds = spec->seeds,
                     .variant = spec->variant,
                     .seed = spec->seed};
    size_t count = (size_t)spec->variants * spec->seeds;
    LpInputs *own = NULL;
    bool ignored;
    size_t *todo = lp_alloc(count, sizeof *todo);
    batch.run = lp_alloc(count, sizeof *batch.run);
    LpErr err = batch.run != NULL && todo != NULL ? LP_OK : lp_fail_memory(diag, "a batch of runs");
    if (err == LP_OK && spec->inputs == NULL)
        err = lp_inputs_new(&own, diag);
    if (err != LP_OK) {
        lp_free(todo);
        lp_batch_fini(&batch);
        return err;
    }
    Work work = {spec, &batch, lp_inputs_files(own != NULL ? own : spec->inputs), todo};
    count = list_runs(spec, &batch, todo);
    if (count > 0)
        err = lp_workers_run(spec->threads, count, task, &work, spec->progress, spec->user,
                             &ignored, diag);
    lp_inputs_free(own);
    lp_free(todo);
    batch.stopped = any_missing(spec, &batch);
    if (err != LP_OK && began != NULL)
        *began = first_failure_began(&batch);
    if (err != LP_OK)
        lp_batch_fini(&batch);
    else
        *out = batch;
    return err;
}

void lp_batch_fini(LpBatch *batch) {
    for (size_t i = 0; batch->run != NULL && i < (size_t)batch->variants * batch->seeds; i++) {
        lp_free(batch->run[i].choice);
        lp_free(batch->run[i].cause);
        lp_free(batch->run[i].outside);
    }
    lp_free(batch->run);
    *batch = (LpBatch){0};
}

/* ---- seeds ---- */

static LpErr fail_seeds(const char *text, LpDiag *diag) {
    char shown[SHOWN];
    return lp_fail(diag, LP_EINVAL, "seeds \"%s\": expected a list such as 1..10 or 1,2,5..7",
                   lp_str_show(shown, sizeof shown, text));
}

/* "7" or "1..10". */
static LpErr read_range(char *text, uint64_t *from, uint64_t *to) {
    char *dots = strstr(text, "..");
    if (dots != NULL)
        *dots = '\0';
    if (lp_num_parse_u64(text, from, NULL) != LP_OK)
        return LP_EINVAL;
    *to = *from;
    if (dots == NULL)
        return LP_OK;
    return lp_num_parse_u64(dots + 2, to, NULL) == LP_OK && *to >= *from ? LP_OK : LP_EINVAL;
}

static LpErr add_seeds(const char *text, uint64_t from, uint64_t to, uint64_t **seed, size_t *cap,
                       uint32_t *count, LpDiag *diag) {
    void *items = *seed;
    if (to - from >= MAX_SEEDS || *count + (to - from) >= MAX_SEEDS)
        return lp_fail(diag, LP_ELIMIT, "more than %d seeds", MAX_SEEDS);
    if (lp_grow(&items, cap, *count + (size_t)(to - from) + 1, sizeof **seed) != LP_OK)
        return lp_fail_memory(diag, "the seeds");
    *seed = items;
    for (uint64_t s = from; *count == 0 || s <= to; s++) {
        for (uint32_t i = 0; i < *count; i++)
            if ((*seed)[i] == s)
                return lp_fail(diag, LP_EINVAL, "seeds \"%s\": %llu is there twice", text,
                               (unsigned long long)s);
        (*seed)[(*count)++] = s;
        if (s == to)
            break;
    }
    return LP_OK;
}

static LpErr read_seeds(const char *text, char *copy, uint64_t **seed, uint32_t *count,
                        LpDiag *diag) {
    size_t cap = 0;
    for (char *at = copy; at != NULL;) {
        char *comma = strchr(at, ',');
        uint64_t from, to;
        if (comma != NULL)
            *comma++ = '\0';
        if (read_range(at, &from, &to) != LP_OK)
            return fail_seeds(text, diag);
        LP_TRY(add_seeds(text, from, to, seed, &cap, count, diag));
        at = comma;
    }
    return LP_OK;
}

LpErr lp_seeds_parse(const char *text, LpArena *arena, const uint64_t **out, uint32_t *count,
                     LpDiag *diag) {
    uint64_t *seed = NULL;
    uint32_t n = 0;
    char *copy = lp_arena_strdup(arena, text);
    if (copy == NULL)
        return lp_fail_memory(diag, "the seeds");
    LpErr err = read_seeds(text, copy, &seed, &n, diag);
    uint64_t *kept = err == LP_OK ? lp_arena_alloc(arena, n, sizeof *kept) : NULL;
    if (kept != NULL) {
        memcpy(kept, seed, n * sizeof *kept);
        *out = kept;
        *count = n;
    } else if (err == LP_OK) {
        err = lp_fail_memory(diag, "the seeds");
    }
    lp_free(seed);
    return err;
}
