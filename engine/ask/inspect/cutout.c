/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ask/inspect/cutout.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/json_out.h"
#include "base/num.h"
#include "io/json/json.h"
#include "model/fabric/fabric.h"
#include "model/parallel/decoder.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/place/slice.h"
#include "sim/store/store.h"

enum { SETS_MAX = 10, JOBS_MAX = 256 };

/* Decimal digits that give a double back. */
enum { DIGITS = 17 };

typedef struct Cutter {
    const LpSession *s;
    LpCutout *c;
    const uint32_t *id; /* of the jobs that are in it, by start */
    uint32_t count;
} Cutter;

static const LpJob *job_of(const LpSession *s, uint32_t id) {
    return lp_world_job(s->world, id);
}

/* ---- who shared its network ---- */

static bool shares_network(const LpContext *context) {
    return context->sharing != NULL || context->circuits != NULL;
}

static bool meet(const LpJob *a, const LpJob *b) {
    return a->times.start >= 0 && b->times.start >= 0 && !(a->times.end <= b->times.start) &&
           !(b->times.end <= a->times.start);
}

/* Into list[], room for every job: who ran beside the job, who beside those, and so on, since what
 * came before decides how far each of them was; not who started after the job had ended. Stops at
 * one more than a cut-out may have. O(jobs x JOBS_MAX). */
static uint32_t gather(const LpSession *s, uint32_t id, uint8_t *in, uint32_t *list) {
    uint32_t jobs = lp_world_jobs(s->world), count = 1;
    double end = job_of(s, id)->times.end;
    list[0] = id;
    in[id] = 1;
    for (uint32_t at = 0; shares_network(s->context) && at < count; at++)
        for (uint32_t j = 0; j < jobs && count <= JOBS_MAX; j++)
            if (!in[j] && !(job_of(s, j)->times.start >= end) &&
                meet(job_of(s, j), job_of(s, list[at]))) {
                in[j] = 1;
                list[count++] = j;
            }
    return count;
}

static void sort_by_start(const LpSession *s, uint32_t *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t id = list[i], at = i;
        for (; at > 0; at--) {
            const LpJob *before = job_of(s, list[at - 1]), *job = job_of(s, id);
            if (before->times.start < job->times.start ||
                (before->times.start == job->times.start && before->rank < job->rank))
                break;
            list[at] = list[at - 1];
        }
        list[at] = id;
    }
}

/* ---- what cannot be cut out ---- */

static const char *obstacle(const LpJob *job) {
    if (job->stops.preemptions > 0 || job->stops.moves > 0)
        return "a policy stopped or moved it while it ran";
    if (job->placed.orders.ops >= LP_ORDER_COUNT || job->placed.orders.flows >= LP_ORDER_COUNT)
        return "a policy gave an order of its ops or flows of its own";
    return NULL;
}

/* ---- its jobs as JSON ---- */

static void put_number(LpJsonOut *out, const char *key, double value) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", DIGITS, value);
    lp_json_put_raw(out, key, text);
}

static void put_size(LpJsonOut *out, const char *key, uint32_t size) {
    if (size > 0) /* 0: not stated */
        lp_json_put_count(out, key, size);
}

static void put_plan(LpJsonOut *out, const LpParallel *plan) {
#define PUT_NEEDED(key, value) put_size(out, key, value)
#define PUT_WHOLE(key, value) put_size(out, key, value)
#define PUT_COUNT(key, value) lp_json_put_count(out, key, value)
#define PUT_SWITCH(key, value) lp_json_put_bool(out, key, value)
#define PUT_RECOMPUTE(key, value) lp_json_put_text(out, key, lp_recompute_name(value))
#define PUT_ATTENTION(key, value) lp_json_put_text(out, key, lp_attention_name(value))
#define X(field, kind, usual) PUT_##kind(#field, plan->field);
    lp_json_open(out, "plan", '{');
    LP_PARALLEL_KEYS(X)
    lp_json_close(out, '}');
#undef X
}

static void put_job(const LpSession *s, const LpJob *job, LpJsonOut *out) {
    char name[LP_SLICE_TEXT];
    lp_json_open(out, NULL, '{');
    put_number(out, "arrival", job->times.start);
    if (job->slice.row > 0)
        lp_json_put_text(out, "slice",
                         lp_slice_name(&s->scenario->slice[job->slice.row - 1].slice, name));
    if (job->graph >= 0) {
        lp_json_put_text(out, "graph", s->scenario->graph[job->graph]->id);
        put_number(out, "steps", job->asked.steps);
        lp_json_put_text(out, "kind", lp_partition_kind_word((LpPartitionKind)job->kind));
    } else {
        put_number(out, "duration", job->asked.sequential_jct);
        if (job->slice.row == 0)
            lp_json_put_count(out, "servers", job->asked.rigid_servers);
        else
            put_number(out, "communication_share", job->slice.shared_part);
    }
    if (job->pieces.interval > 0) {
        lp_json_open(out, "checkpoint", '{');
        put_number(out, "interval", job->pieces.interval);
        put_number(out, "cost", job->pieces.cost);
        put_number(out, "restart", job->pieces.restart);
        lp_json_close(out, '}');
    }
    /* The decision, as hinted.lua repeats it. */
    const LpPlacement *placement = lp_store_placement(s->context->store, job->placed.placement);
    const LpPartition *partition =
        job->graph >= 0 ? lp_store_partition(s->context->store, job->placed.partition) : NULL;
    lp_json_open(out, "hint", '{');
    if (partition != NULL && partition->planned)
        put_plan(out, &partition->plan);
    else if (partition != NULL)
        lp_json_put_count(out, "degree", job->placed.degree);
    if (job->slice.row == 0)
        lp_json_put_counts(out, "servers", placement->server, placement->servers);
    if (partition != NULL) {
        lp_json_put_text(out, "order_ops", lp_order_name((LpOrder)job->placed.orders.ops));
        lp_json_put_text(out, "order_flows", lp_order_name((LpOrder)job->placed.orders.flows));
    }
    lp_json_close(out, '}');
    lp_json_close(out, '}');
}

/* ---- the overrides ---- */

static LpErr add_set(const Cutter *t, const LpBuf *text, const char **out, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    *out = lp_arena_strdup(t->c->arena, lp_buf_text(text));
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "a job's cut-out");
}

LP_PRINTF(3, 4)
static LpErr set(const Cutter *t, LpDiag *diag, const char *fmt, ...) {
    LpBuf text = {0};
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    LP_ASSERT(t->c->sets < SETS_MAX);
    LpErr err = add_set(t, &text, &t->c->set[t->c->sets++], diag);
    lp_buf_fini(&text);
    return err;
}

static LpErr set_jobs(const Cutter *t, const uint32_t *id, uint32_t count, const char **out,
                      LpDiag *diag) {
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    lp_buf_add(&text, "jobs=");
    lp_json_open(&json, NULL, '[');
    for (uint32_t i = 0; i < count; i++)
        put_job(t->s, job_of(t->s, id[i]), &json);
    lp_json_close(&json, ']');
    LpErr err = add_set(t, &text, out, diag);
    lp_buf_fini(&text);
    return err;
}

static bool any_graph(const Cutter *t) {
    bool any = false;
    for (uint32_t i = 0; i < t->count; i++)
        any = any || job_of(t->s, t->id[i])->graph >= 0;
    return any;
}

/* ---- running it ---- */

static LpErr take_held(const LpSession *s, uint32_t id, LpCutoutRun *out, LpDiag *diag) {
    LpJobTime time;
    const LpJob *job = job_of(s, id);
    if (job->outcome != LP_JOB_COMPLETED)
        return LP_OK;
    LP_TRY(lp_job_time(s->world, s->context, job, NULL, &time, diag));
    out->held = 0;
    for (int p = 0; p < LP_TIME_COUNT; p++)
        if (p != LP_TIME_WAIT && p != LP_TIME_PREEMPTED && p != LP_TIME_REQUEUED)
            out->held += time.part[p];
    out->step_time = job->graph >= 0 ? out->held / job->asked.steps : (double)NAN;
    return LP_OK;
}

/* Runs the cut-out with one more override, NULL: as it is. */
static LpErr run_cut(const Cutter *t, const char *more, uint32_t job, LpCutoutRun *out,
                     LpDiag *diag) {
    const char *sets[SETS_MAX + 1];
    LpSession *cut;
    LpEvent event;
    memcpy(sets, t->c->set, t->c->sets * sizeof *sets);
    sets[t->c->sets] = more;
    LpSessionSpec spec = {.sets = t->c->sets + (more != NULL), .set = sets};
    spec.policy = any_graph(t) ? "hinted.lua" : NULL;
    LP_TRY(lp_session_variant(t->s, &spec, &cut, diag));
    LpErr err = LP_OK;
    while (err == LP_OK && !lp_world_over(cut->world) &&
           (job >= lp_world_jobs(cut->world) || !(job_of(cut, job)->times.end >= 0)))
        err = lp_session_step(cut, &event, diag);
    out->set = more;
    if (err == LP_OK && job < lp_world_jobs(cut->world))
        err = take_held(cut, job, out, diag);
    lp_session_close(cut);
    return err;
}

static bool turns(const Cutter *t, const LpJob *job) {
    const LpContext *c = t->s->context;
    return c->fabric.slot > 0 || c->circuits != NULL ||
           (job->slice.row > 0 && c->fabric.cluster->pod.settle > 0) ||
           lp_store_turns(lp_store_partition(c->store, job->placed.partition));
}

static LpErr run_knob(const Cutter *t, LpStepKnob knob, uint32_t id, LpDiag *diag) {
    const LpScenario *scenario = t->s->scenario;
    const struct {
        const char *key;
        double to;
    } scale[LP_KNOB_COUNT] = {
        [LP_KNOB_COMPUTE] = {"compute", 2 * scenario->compute},
        [LP_KNOB_BANDWIDTH] = {"bandwidth", 2 * scenario->scale.bandwidth},
        [LP_KNOB_LATENCY] = {"latency", 0.5 * scenario->scale.latency},
        [LP_KNOB_SLOT] = {"reconfiguration", 0.5 * scenario->scale.reconfiguration},
    };
    LpBuf text = {0};
    const char *more;
    if ((knob == LP_KNOB_SLOT && !turns(t, job_of(t->s, id))) ||
        (knob == LP_KNOB_ALONE && !shares_network(t->s->context)))
        return LP_OK;
    if (knob == LP_KNOB_ALONE) {
        LP_TRY(set_jobs(t, &id, 1, &more, diag));
        return run_cut(t, more, 0, &t->c->knob[knob], diag);
    }
    lp_buf_addf(&text, "scale.%s=%.*g", scale[knob].key, DIGITS, scale[knob].to);
    LpErr err = add_set(t, &text, &more, diag);
    lp_buf_fini(&text);
    return err == LP_OK ? run_cut(t, more, t->c->job, &t->c->knob[knob], diag) : err;
}

static const char *why_other(const LpSession *s) {
    static const char *const hooks[] = {"configure", "failure", "review"};
    static const char *const acts[] = {
        "its time there is another one: the policy's hook configure acts while it runs",
        "its time there is another one: the policy's hook failure answers while it runs",
        "its time there is another one: the policy's hook review acts while it runs"};
    for (size_t i = 0; s->loaded.policy != NULL && i < LP_COUNTOF(hooks); i++)
        if (lp_policy_has_hook(s->loaded.policy, hooks[i]))
            return acts[i];
    if (s->scenario->outages.any)
        return "its time there is another one: failures find other servers free there";
    if (lp_published(&s->scenario->options, LP_OPT_CACHE))
        return "its time there is another one: here it is that of the first job of its graph and "
               "degree (published option cache)";
    return "its time there is another one than here";
}

/* Is the job on its servers for as long there as here? */
static LpErr hold_against(const Cutter *t, uint32_t id, LpDiag *diag) {
    LpCutoutRun here = {.held = (double)NAN};
    LP_TRY(take_held(t->s, id, &here, diag));
    LP_TRY(run_cut(t, NULL, t->c->job, &t->c->base, diag));
    double off = fabs(t->c->base.held - here.held);
    if (!(off <= 1e-9 * fmax(1, here.held)))
        t->c->not = why_other(t->s);
    return LP_OK;
}

/* A failure of a run is a reason not to tell what it would come to, unless memory is short. */
static LpErr or_not(const Cutter *t, LpErr err, const LpDiag *why, LpDiag *diag) {
    if (err == LP_OK)
        return LP_OK;
    if (err == LP_ENOMEM) {
        *diag = *why;
        return err;
    }
    t->c->not = lp_arena_strdup(t->c->arena, why->text);
    return t->c->not != NULL ? LP_OK : lp_fail_memory(diag, "a job's cut-out");
}

/* ---- the cut-out ---- */

static LpErr cut(Cutter *t, uint32_t id, uint8_t *in, uint32_t *list, LpDiag *diag) {
    LpCutout *c = t->c;
    t->id = list;
    t->count = c->jobs = gather(t->s, id, in, list);
    if (t->count > JOBS_MAX)
        c->not = "more than 256 jobs shared its network, directly or through others";
    for (uint32_t i = 0; c->not == NULL && i < t->count; i++)
        c->not = obstacle(job_of(t->s, list[i]));
    if (c->not != NULL)
        return LP_OK;
    sort_by_start(t->s, list, t->count);
    while (list[c->job] != id)
        c->job++;
    const LpScenario *scenario = t->s->scenario;
    LP_TRY(set(t, diag, "name=%s-job-%" PRIu32, scenario->name, id));
    LP_TRY(set(t, diag, "generator=null"));
    LP_TRY(set(t, diag, "lesson=null"));
    LP_TRY(set(t, diag, "measure=null"));
    LP_TRY(set(t, diag, any_graph(t) ? "policy={\"script\":\"hinted.lua\"}" : "policy=null"));
    LP_TRY(set(t, diag, "seed=%" PRIu64, lp_world_seed(t->s->world)));
    if (!isinf(scenario->horizon))
        LP_TRY(set(t, diag, "horizon=%.*g", DIGITS, scenario->horizon));
    LP_TRY(set_jobs(t, t->id, t->count, &t->c->set[t->c->sets++], diag));
    LpDiag why;
    LP_TRY(or_not(t, hold_against(t, id, &why), &why, diag));
    for (int k = 0; t->c->not == NULL && job_of(t->s, id)->graph >= 0 && k < LP_KNOB_COUNT; k++)
        LP_TRY(or_not(t, run_knob(t, (LpStepKnob)k, id, &why), &why, diag));
    return LP_OK;
}

LpErr lp_cutout_new(const LpSession *s, uint32_t id, LpCutout *out, LpDiag *diag) {
    LpCutout c = {.arena = lp_arena_new(0), .id = id, .base = {.held = (double)NAN}};
    uint32_t jobs = lp_world_jobs(s->world);
    Cutter t = {.s = s, .c = &c};
    if (id >= jobs) {
        lp_arena_free(c.arena);
        return lp_fail(diag, LP_ERANGE, "there is no job %" PRIu32 ": %" PRIu32 " have arrived", id,
                       jobs);
    }
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        c.knob[k].held = c.knob[k].step_time = (double)NAN;
    uint8_t *in = lp_alloc(jobs, sizeof *in);
    uint32_t *list = lp_alloc(jobs, sizeof *list);
    c.set = c.arena != NULL ? lp_arena_alloc(c.arena, SETS_MAX, sizeof *c.set) : NULL;
    LpErr err = LP_OK;
    if (in == NULL || list == NULL || c.set == NULL)
        err = lp_fail_memory(diag, "a job's cut-out");
    else if (job_of(s, id)->outcome != LP_JOB_COMPLETED)
        c.not = "it did not end";
    else
        err = cut(&t, id, in, list, diag);
    lp_free(in);
    lp_free(list);
    if (err != LP_OK)
        lp_cutout_fini(&c);
    else
        *out = c;
    return err;
}

void lp_cutout_fini(LpCutout *c) {
    lp_arena_free(c->arena);
}

double lp_cutout_gain(const LpCutout *c, LpStepKnob knob) {
    return c->base.held / c->knob[knob].held;
}

/* ---- as a file ---- */

/* Profiles are where they were read. */
static LpErr name_profiles(const LpSession *s, LpJson *doc, LpArena *arena, LpDiag *diag) {
    for (size_t i = 0; i < s->kept->files; i++) {
        const LpKeptFile *file = &s->kept->file[i];
        LpBuf text = {0};
        LpJsonOut json = {.out = &text};
        char *path = file->path != NULL ? realpath(file->path, NULL) : NULL;
        if (path == NULL)
            return lp_fail(diag, LP_EIO, "the profile %s is not where it was read any more",
                           file->path != NULL ? file->path : file->name);
        lp_buf_addf(&text, "graphs[%zu].file=", file->graph);
        lp_json_put_text(&json, NULL, path);
        free(path);
        LpErr err = lp_buf_ok(&text, diag);
        const char *own = err == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&text)) : NULL;
        lp_buf_fini(&text);
        if (err == LP_OK && own == NULL)
            err = lp_fail_memory(diag, "a job's cut-out");
        if (err == LP_OK)
            err = lp_json_set(doc, own, diag);
        LP_TRY(err);
    }
    return LP_OK;
}

/* A key a line, what it is first. */
static void print_document(const LpCutout *c, LpJsonValue root, LpBuf *out) {
    lp_buf_addf(out, LP_CUTOUT_BEGINS ": job %" PRIu32, c->id);
    if (c->jobs > 1)
        lp_buf_addf(out, " (here %" PRIu32 ") and %" PRIu32 " whose links met its own", c->job,
                    c->jobs - 1);
    lp_buf_add(out, ", each from its start on, decided as there.\"");
    for (LpJsonValue v = lp_json_first(root); v.item != NULL; v = lp_json_next(v)) {
        if (strcmp(lp_json_key(v), "notes") == 0)
            continue;
        lp_buf_addf(out, ",\n  \"%s\": ", lp_json_key(v));
        lp_json_print(v, out);
    }
    lp_buf_add(out, " }\n");
}

LpErr lp_cutout_document(const LpSession *s, const LpCutout *c, LpBuf *out, LpDiag *diag) {
    LpJson *doc;
    LP_ASSERT(c->not == NULL);
    LP_TRY(lp_json_parse(s->kept->name, s->kept->scenario, strlen(s->kept->scenario), &doc, diag));
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < c->sets; i++)
        err = lp_json_set(doc, c->set[i], diag);
    if (err == LP_OK)
        err = name_profiles(s, doc, c->arena, diag);
    if (err == LP_OK) {
        print_document(c, lp_json_root(doc), out);
        err = lp_buf_ok(out, diag);
    }
    lp_json_free(doc);
    return err;
}
