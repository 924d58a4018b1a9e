/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ask/sooner/sooner.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "model/fabric/larger.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/account/job_time.h"
#include "sim/facts/identity.h"
#include "sim/place/asked.h"
#include "sim/waits/why.h"

enum { DIGITS = 17 };          /* that give a double back */
enum { EVENTS_BETWEEN = 256 }; /* two questions whether to go on */

typedef struct Finder {
    const LpSession *s;
    const LpJob *job;
    LpSooner *out;
    bool (*go_on)(void *user);
    void *user;
    bool interrupted;
    uint32_t waiting, *waits; /* who waited when it came, in the order of the queue */
    uint32_t when;            /* whose end makes it enough, LP_NO_INDEX: nobody's */
} Finder;

/* ---- overrides ---- */

static LpErr keep(LpArena *arena, const LpBuf *text, const char **out, LpDiag *diag) {
    LP_TRY(lp_buf_ok(text, diag));
    *out = lp_arena_strdup(arena, lp_buf_text(text));
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "what would be sooner");
}

static LpErr begin_sets(const Finder *f, LpSoonerRun *run, uint32_t most, LpDiag *diag) {
    run->set = lp_arena_alloc(f->out->arena, most, sizeof *run->set);
    return run->set != NULL ? LP_OK : lp_fail_memory(diag, "what would be sooner");
}

LP_PRINTF(4, 5)
static LpErr add_set(const Finder *f, LpSoonerRun *run, LpDiag *diag, const char *fmt, ...) {
    LpBuf text = {0};
    va_list args;
    va_start(args, fmt);
    lp_buf_vaddf(&text, fmt, args);
    va_end(args);
    LpErr err = keep(f->out->arena, &text, &run->set[run->sets], diag);
    lp_buf_fini(&text);
    run->sets += err == LP_OK;
    return err;
}

/* Where the file lists the job, LP_NO_INDEX: nowhere. */
static uint32_t listed(const Finder *f, const LpJob *job) {
    const LpScenario *scenario = f->s->scenario;
    return job->asked.spec < scenario->jobs ? scenario->job[job->asked.spec].listed : LP_NO_INDEX;
}

static const LpJob *job_of(const Finder *f, uint32_t id) {
    return lp_world_job(f->s->world, id);
}

/* Who waited when it came, and had not run yet, arrives at the next moment that there is; the
 * second next, since its own may have been rounded as the run's clock was counted back. */
static LpErr set_first(const Finder *f, LpSoonerRun *run, LpDiag *diag) {
    double arrival = lp_scenario_time(f->s->scenario, f->job->asked.arrival);
    double after = nextafter(nextafter(arrival, (double)INFINITY), (double)INFINITY);
    LP_TRY(begin_sets(f, run, f->waiting, diag));
    for (uint32_t i = 0; i < f->waiting; i++)
        LP_TRY(add_set(f, run, diag, "jobs[%" PRIu32 "].arrival=%.*g",
                       listed(f, job_of(f, f->waits[i])), DIGITS, after));
    run->job = f->job->id - f->waiting;
    f->out->before = f->waiting;
    return LP_OK;
}

static LpErr set_anywhere(const Finder *f, LpSoonerRun *run, LpDiag *diag) {
    static const char *const keys[] = {"required", "preferred", "segment"};
    const LpTree *tree = f->s->context->fabric.cluster->tree;
    LpTreeAsk ask = lp_job_tree_ask(f->s->context, f->job);
    const uint32_t asks[] = {ask.required, ask.preferred, ask.segment};
    if (ask.required == 0 && ask.segment == 0)
        return LP_OK;
    LP_TRY(begin_sets(f, run, LP_COUNTOF(keys), diag));
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (asks[i] > 0)
            LP_TRY(add_set(f, run, diag, "jobs[%" PRIu32 "].%s=null", listed(f, f->job), keys[i]));
    f->out->level = ask.required > 0 ? tree->level_name[ask.required - 1] : NULL;
    f->out->segments = ask.segment > 0;
    return LP_OK;
}

static LpErr set_larger(const Finder *f, LpLargerBy by, LpSoonerRun *run, uint32_t *more,
                        LpDiag *diag) {
    LpLarger larger;
    LP_TRY(lp_cluster_larger(&f->s->scenario->cluster, by, f->out->arena, &larger, diag));
    run->sets = larger.sets;
    run->set = larger.set;
    *more = larger.more;
    f->out->node_level = larger.level;
    return LP_OK;
}

/* A scenario that was made of a trace counts its jobs. */
static LpErr set_without(const Finder *f, LpSoonerRun *run, LpDiag *diag) {
    const LpJob *other = job_of(f, f->when);
    LpLabel label = lp_job_label(f->s->scenario, other);
    LP_TRY(begin_sets(f, run, 2, diag));
    LP_TRY(add_set(f, run, diag, "jobs[%" PRIu32 "]=null", listed(f, other)));
    if (f->s->scenario->imported.given)
        LP_TRY(add_set(f, run, diag, "import=null"));
    run->job = f->job->id - (f->when < f->job->id);
    lp_str_copy(f->out->without, sizeof f->out->without, label.text);
    return LP_OK;
}

/* ---- running it ---- */

static bool is_over(const LpJob *job) {
    return job->outcome != LP_JOB_DECIDING && job->outcome != LP_JOB_WAITING &&
           job->outcome != LP_JOB_RUNNING;
}

static LpErr take_times(const LpSession *s, uint32_t id, LpSoonerRun *out, LpDiag *diag) {
    const LpJob *job = lp_world_job(s->world, id);
    LpJobTime time;
    out->start = job->times.start;
    out->end = job->times.end;
    if (job->outcome != LP_JOB_COMPLETED)
        return LP_OK;
    LP_TRY(lp_job_time(s->world, s->context, job, NULL, &time, diag));
    out->held = 0;
    for (int p = 0; p < LP_TIME_COUNT; p++)
        if (p != LP_TIME_WAIT && p != LP_TIME_PREEMPTED && p != LP_TIME_REQUEUED)
            out->held += time.part[p];
    return LP_OK;
}

/* What is seen of the run as it is, when the job has come into the queue. */
static LpErr look(Finder *f, const LpSession *run, LpDiag *diag) {
    const LpWorld *w = run->world;
    LpReason reason;
    uint32_t waiting = (uint32_t)lp_world_tally(w)->waiting;
    f->waits = lp_arena_alloc(f->out->arena, (size_t)waiting + 1, sizeof *f->waits);
    if (f->waits == NULL)
        return lp_fail_memory(diag, "what would be sooner");
    for (uint32_t id = lp_world_first_waiting(w); id != LP_NO_INDEX;
         id = lp_world_next_waiting(w, id))
        if (id < f->job->id && isnan(lp_world_job(w, id)->times.start))
            f->waits[f->waiting++] = id;
    LP_TRY(lp_world_why(w, run->context, f->job->id, &(LpWhyAsk){0}, &reason, diag));
    f->when = reason.when_job;
    return LP_OK;
}

/* As far as the job's end. base: the run is the session's own. */
static LpErr play(Finder *f, LpSession *run, uint32_t id, bool base, LpDiag *diag) {
    LpEvent event;
    bool looked = !base;
    for (uint64_t i = 1; !lp_world_over(run->world); i++) {
        if (i % EVENTS_BETWEEN == 0 && f->go_on != NULL && !f->go_on(f->user)) {
            f->interrupted = true;
            return LP_OK;
        }
        LP_TRY(lp_session_step(run, &event, diag));
        if (id >= lp_world_jobs(run->world))
            continue;
        const LpJob *job = lp_world_job(run->world, id);
        if (!looked && job->outcome == LP_JOB_WAITING) {
            LP_TRY(look(f, run, diag));
            looked = true;
        }
        if (is_over(job))
            break;
    }
    return LP_OK;
}

static LpErr run_with(Finder *f, LpSoonerRun *run, bool base, LpDiag *diag) {
    LpSessionSpec spec = {.sets = run->sets, .set = run->set};
    LpSession *s;
    run->start = run->end = run->held = (double)NAN;
    LP_TRY(lp_session_variant(f->s, &spec, &s, diag));
    LpErr err = play(f, s, run->job, base, diag);
    if (err == LP_OK && f->interrupted)
        run->not = "interrupted";
    else if (err == LP_OK && run->job < lp_world_jobs(s->world))
        err = take_times(s, run->job, run, diag);
    lp_session_close(s);
    return err;
}

/* A failure of a run is a reason not to tell what it would come to, unless memory is short. */
static LpErr or_not(const Finder *f, LpErr err, const LpDiag *why, const char * * not,
                    LpDiag *diag) {
    if (err == LP_OK)
        return LP_OK;
    if (err == LP_ENOMEM) {
        *diag = *why;
        return err;
    }
    *not = lp_arena_strdup(f->out->arena, why->text);
    return *not != NULL ? LP_OK : lp_fail_memory(diag, "what would be sooner");
}

/* ---- all of it ---- */

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Is the session's run that of its files alone? */
static LpErr run_base(Finder *f, LpDiag *diag) {
    LpSooner *o = f->out;
    LpDiag why;
    LpSoonerRun here = {.start = (double)NAN, .end = (double)NAN, .held = (double)NAN};
    o->base.job = f->job->id;
    LP_TRY(take_times(f->s, f->job->id, &here, diag));
    LP_TRY(or_not(f, run_with(f, &o->base, true, &why), &why, &o->not, diag));
    if (o->not == NULL)
        o->not = o->base.not ;
    if (o->not == NULL && !(same(o->base.start, here.start) && same(o->base.end, here.end)))
        o->not = "the scenario run once more takes another course than this run";
    return LP_OK;
}

/* The changes that there are. */
static LpErr set_all(Finder *f, LpDiag *diag) {
    LpSooner *o = f->out;
    for (int k = 0; k < LP_SOONER_COUNT; k++)
        o->run[k].job = f->job->id;
    if (lp_why_waits(f->job)) { /* the one that its reason names now */
        LpReason reason;
        LP_TRY(lp_world_why(f->s->world, f->s->context, f->job->id, &(LpWhyAsk){0}, &reason, diag));
        f->when = reason.when_job;
    }
    if (listed(f, f->job) != LP_NO_INDEX) {
        if (f->waiting > 0)
            LP_TRY(set_first(f, &o->run[LP_SOONER_FIRST], diag));
        LP_TRY(set_anywhere(f, &o->run[LP_SOONER_ANYWHERE], diag));
        if (f->when != LP_NO_INDEX)
            LP_TRY(set_without(f, &o->run[LP_SOONER_WITHOUT], diag));
    }
    LP_TRY(set_larger(f, LP_LARGER_NODE, &o->run[LP_SOONER_NODE], &o->node, diag));
    return set_larger(f, LP_LARGER_SERVERS, &o->run[LP_SOONER_SERVERS], &o->servers, diag);
}

static LpErr run_all(Finder *f, LpDiag *diag) {
    LpSooner *o = f->out;
    LpDiag why;
    LP_TRY(run_base(f, diag));
    if (o->not != NULL)
        return LP_OK;
    LP_TRY(set_all(f, diag));
    for (int k = 0; k < LP_SOONER_COUNT; k++)
        if (o->run[k].sets > 0)
            LP_TRY(or_not(f, run_with(f, &o->run[k], false, &why), &why, &o->run[k].not, diag));
    return LP_OK;
}

static bool mostly_waits(const LpJobTime *time) {
    for (int p = 0; p < LP_TIME_COUNT; p++)
        if (time->part[p] > time->part[LP_TIME_WAIT])
            return false;
    return time->part[LP_TIME_WAIT] > 0;
}

LpErr lp_sooner_new(const LpSession *s, uint32_t id, bool (*go_on)(void *user), void *user,
                    LpSooner *out, LpDiag *diag) {
    LpSooner sooner = {.arena = lp_arena_new(0)};
    Finder f = {.s = s, .out = &sooner, .go_on = go_on, .user = user, .when = LP_NO_INDEX};
    LpJobTime time;
    LpErr err = LP_OK;
    if (sooner.arena == NULL)
        return lp_fail_memory(diag, "what would be sooner");
    if (id >= lp_world_jobs(s->world)) {
        err = lp_fail(diag, LP_ERANGE, "there is no job %" PRIu32, id);
    } else {
        f.job = lp_world_job(s->world, id);
        err = lp_job_time(s->world, s->context, f.job, NULL, &time, diag);
    }
    sooner.asked = err == LP_OK && mostly_waits(&time);
    if (sooner.asked)
        err = run_all(&f, diag);
    if (err == LP_OK)
        *out = sooner;
    else
        lp_sooner_fini(&sooner);
    return err;
}

void lp_sooner_fini(LpSooner *sooner) {
    lp_arena_free(sooner->arena);
}

double lp_sooner_gain(const LpSooner *sooner, LpSoonerKnob knob) {
    return sooner->base.start - sooner->run[knob].start;
}
