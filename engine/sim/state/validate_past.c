/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a world in order? All jobs that ever were, what was counted of them, and their memory. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/state/job_members.h"
#include "sim/state/validate_impl.h"
#include "sim/store/store_impl.h"

/* ---- every job ---- */

/* What holds of a number of a job at all times. */
typedef enum Range { LP_RANGE_ANY, LP_RANGE_NOT_NEGATIVE, LP_RANGE_NAN_OR_TIME } Range;
static const char *const expected[] = {
    [LP_RANGE_NOT_NEGATIVE] = "0 or more", [LP_RANGE_NAN_OR_TIME] = "0 or more, or not known"};

static const struct {
    const char *name;
    size_t at;
    Range range;
} reals[] = {
#define REAL(member, range) {#member, offsetof(LpJob, member), LP_RANGE_##range},
#define WHOLE(member)
    LP_JOB_MEMBERS(REAL, WHOLE)
#undef REAL
#undef WHOLE
};

static LpErr check_ranges(const LpValidation *v, const LpJob *job) {
    for (size_t i = 0; i < LP_COUNTOF(reals); i++) {
        double x;
        memcpy(&x, (const char *)job + reals[i].at, sizeof x);
        bool sound = reals[i].range == LP_RANGE_ANY || x >= 0 ||
                     (reals[i].range == LP_RANGE_NAN_OR_TIME && isnan(x));
        if (!sound)
            return LP_BROKEN(v, "jobs: %s of job %u is %.17g, expected %s", reals[i].name, job->id,
                             x, expected[reals[i].range]);
    }
    return LP_OK;
}

/* Times in their order; a time that is not known is NAN and in no order. */
static LpErr check_job(const LpValidation *v, const LpJob *job, uint32_t id) {
    const LpImage *m = v->image;
    if (job->id != id || job->outcome >= LP_JOB_OUTCOMES || job->cause >= LP_CAUSE_COUNT)
        return LP_BROKEN(v, "jobs: job %u says that it is job %u, outcome %u, cause %u", id,
                         job->id, job->outcome, job->cause);
    if (!(job->asked.arrival <= m->now * (1 + LP_VALIDATE_SLACK)) ||
        job->times.decided < job->asked.arrival || job->times.start < job->asked.arrival ||
        job->times.end < job->times.start || job->times.end > m->now)
        return LP_BROKEN(v, "jobs: job %u arrived at %.17g s, started at %.17g s, ended at %.17g s",
                         id, job->asked.arrival, job->times.start, job->times.end);
    LP_TRY(check_ranges(v, job));
    if (job->work.steps_done > job->asked.steps * (1 + LP_VALIDATE_SLACK))
        return LP_BROKEN(v, "work: job %u has done %.17g of %.17g steps", id, job->work.steps_done,
                         job->asked.steps);
    if (job->outcome != LP_JOB_RUNNING && job->placed.first_server != LP_NO_INDEX)
        return LP_BROKEN(v, "servers: job %u is %s and holds server %u", id,
                         lp_outcome_name((LpOutcome)job->outcome), job->placed.first_server);
    return LP_OK;
}

/* What the jobs say that the tally counts. */
typedef struct Counts {
    uint64_t outcome[LP_JOB_OUTCOMES], blocked_by[LP_CAUSE_COUNT];
    uint64_t preemptions, moves, stops, ranks;
} Counts;

static LpErr check_count(const LpValidation *v, const char *what, uint64_t counted,
                         uint64_t found) {
    if (counted != found)
        return LP_BROKEN(v, "tally: %llu %s are counted, the jobs say %llu",
                         (unsigned long long)counted, what, (unsigned long long)found);
    return LP_OK;
}

/* Jobs that are being decided: the one that is due, and extra ones that are not announced yet. The
 * first of these may be among the waiting ones, and then is counted there. */
static uint64_t deciding(LpImage *m) {
    uint64_t extra = m->extra != LP_NO_INDEX ? m->jobs - m->extra : 0;
    return extra + (m->due != LP_NO_INDEX) + m->aside;
}

static uint64_t asked_of_queue(LpImage *m) {
    uint64_t count = 0;
    for (uint32_t id = m->first_waiting; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        count += lp_image_job(m, id)->outcome == LP_JOB_DECIDING;
    return count;
}

static LpErr check_tally(const LpValidation *v, const Counts *n) {
    LpImage *m = v->image;
    const LpTally *t = &m->tally;
    LP_TRY(check_count(v, "arrived jobs", t->arrived, m->jobs));
    LP_TRY(check_count(v, "running jobs", t->running, n->outcome[LP_JOB_RUNNING]));
    LP_TRY(
        check_count(v, "waiting jobs", t->waiting, n->outcome[LP_JOB_WAITING] + asked_of_queue(m)));
    LP_TRY(check_count(v, "jobs to be decided", deciding(m), n->outcome[LP_JOB_DECIDING]));
    LP_TRY(check_count(v, "completed jobs", t->completed, n->outcome[LP_JOB_COMPLETED]));
    LP_TRY(check_count(v, "blocked jobs", t->blocked, n->outcome[LP_JOB_BLOCKED]));
    LP_TRY(check_count(v, "aborted jobs", t->aborted, n->outcome[LP_JOB_ABORTED]));
    LP_TRY(check_count(v, "killed jobs", t->killed, n->outcome[LP_JOB_KILLED]));
    LP_TRY(check_count(v, "unfinished jobs", t->unfinished, n->outcome[LP_JOB_UNFINISHED]));
    for (int c = 0; c < LP_CAUSE_COUNT; c++)
        LP_TRY(check_count(v, lp_cause_sentence((LpCause)c), t->blocked_by[c], n->blocked_by[c]));
    LP_TRY(check_count(v, "preemptions", t->preemptions, n->preemptions));
    LP_TRY(check_count(v, "moves", t->moves, n->moves));
    LP_TRY(check_count(v, "stops", t->stops, n->stops));
    return check_count(v, "jobs with a rank", m->ranks, t->completed + t->blocked);
}

static LpErr check_jobs(const LpValidation *v) {
    LpImage *m = v->image;
    Counts n = {0};
    for (uint32_t id = 0; id < m->jobs; id++) {
        const LpJob *job = lp_world_job(v->world, id);
        if (lp_image_past(m, id) && job->outcome < LP_JOB_COMPLETED)
            return LP_BROKEN(v, "jobs: job %u is %s, and lies in the past", id,
                             lp_outcome_name((LpOutcome)job->outcome));
        LP_TRY(check_job(v, job, id));
        n.outcome[job->outcome]++;
        n.blocked_by[job->cause] += job->outcome == LP_JOB_BLOCKED;
        n.preemptions += job->stops.preemptions;
        n.moves += job->stops.moves;
        n.stops += job->stops.count;
    }
    return check_tally(v, &n);
}

/* ---- memory ---- */

static double part_bytes_on(const LpContext *context, const LpPartition *p,
                            const LpPlacement *placement, uint32_t server) {
    double bytes = 0;
    for (uint32_t f = 0; f < p->graph->ops; f++) {
        uint32_t begin = placement->group_begin[placement->op_group[f]];
        for (uint32_t k = 0; k < p->ways[f]; k++)
            if (placement->group_server[begin + k] == server)
                bytes += lp_store_op_bytes(context, p, f);
    }
    return bytes;
}

static LpErr check_job_memory(const LpValidation *v, const LpJob *job) {
    const LpStore *store = v->context->store;
    const LpCluster *cluster = &v->context->scenario->cluster;
    const LpPartition *p = lp_store_partition(store, job->placed.partition);
    const LpPlacement *placement = lp_store_placement(store, job->placed.placement);
    for (uint32_t i = 0; i < placement->servers; i++) {
        uint32_t s = placement->server[i];
        double room = cluster->type[lp_cluster_type_of(cluster, s)].memory;
        if (lp_store_needs(store, p)->all <= room)
            continue;
        double bytes = part_bytes_on(v->context, p, placement, s);
        if (bytes > room * (1 + LP_VALIDATE_SLACK))
            return LP_BROKEN(v, "memory: job %u has %.9g bytes on server %u, which has %.9g",
                             job->id, bytes, s, room);
    }
    return LP_OK;
}

static LpErr check_memory(const LpValidation *v) {
    LpImage *m = v->image;
    if (lp_published(&v->context->scenario->options, LP_OPT_MEMORY))
        return LP_OK;
    for (uint32_t id = m->first_running; id != LP_NO_INDEX; id = lp_image_job(m, id)->queue.next)
        if (lp_image_job(m, id)->placed.partition != LP_NO_INDEX)
            LP_TRY(check_job_memory(v, lp_image_job(m, id)));
    return LP_OK;
}

LpErr lp_validate_past(const LpValidation *v) {
    LP_TRY(check_jobs(v));
    return check_memory(v);
}
