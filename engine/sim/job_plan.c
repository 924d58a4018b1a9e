/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers become plans. */
#include "sim/job_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/debug_log.h"
#include "base/hash.h"
#include "sim/light/circuits_impl.h"
#include "sim/light/reserve.h"
#include "sim/place/asked.h"
#include "sim/place/left.h"
#include "sim/place/place.h"
#include "sim/place/slice.h"
#include "sim/sharing/sharing.h"
#include "sim/sim_impl.h"
#include "sim/state/debug.h"
#include "sim/store/store_impl.h"

typedef struct Making {
    const LpWorld *world;
    const LpContext *context;
    const LpJob *job;
    const LpAnswer *answer;
    bool masked;
    LpPlan *plan;
    LpDiag *diag;
    double steps;       /* training steps that the forecast is for */
    LpBlockPlan *known; /* of the block that it takes; NULL: not looked up */
} Making;

static bool option(const Making *m, LpOption o) {
    return lp_published(&m->context->scenario->options, o);
}

static LpErr stop(Making *m, LpCause cause, const char *reason) {
    m->plan->cause = cause;
    if (reason != m->plan->reason)
        snprintf(m->plan->reason, sizeof m->plan->reason, "%s", reason);
    return LP_OK;
}

/* ---- deadlines ---- */

double lp_plan_stall(const LpContext *context, const LpJob *job, const LpPlan *plan) {
    double bytes, settle = lp_slice_settle(context, job);
    if (lp_job_in_pieces(job))
        return settle + (job->stops.preemptions + job->stops.count > 0 ? job->pieces.restart : 0);
    if (job->stops.preemptions + job->stops.count == 0 || !(job->work.steps_done > 0))
        return settle;
    return settle + lp_job_checkpoint(context, job, plan->servers, plan->servers, &bytes);
}

/* From the beginning of work to the end, checkpoints included. */
static double run_time(const LpJob *job, const LpPlan *plan) {
    LpJob on = *job;
    on.asked.rigid_duration = lp_plan_work(job, plan);
    on.slice.drag = plan->drag;
    return lp_job_run_time(&on);
}

double lp_plan_left(const LpContext *context, const LpJob *job, const LpPlan *plan) {
    if (lp_job_in_pieces(job))
        return lp_plan_stall(context, job, plan) + run_time(job, plan);
    if (!(job->work.steps_done > 0))
        return plan->jct;
    return lp_plan_stall(context, job, plan) +
           (job->asked.steps - job->work.steps_done) * plan->step_time;
}

bool lp_job_misses(double now, const LpJob *job, double left, double *taken, double *limit) {
    if (!(job->asked.fraction > 0))
        return false;
    *taken = (now - job->asked.arrival) + left;
    *limit = job->asked.max_jct;
    return *taken > *limit * (1 + 1e-9);
}

bool lp_plan_misses(double now, const LpContext *context, const LpJob *job, const LpPlan *plan,
                    double *taken, double *limit) {
    if (!(job->asked.fraction > 0))
        return false;
    if (lp_published(&context->scenario->options, LP_OPT_DEADLINE)) {
        double sequential = job->graph < 0 ? job->asked.sequential_jct : plan->part_sequential;
        *taken = plan->jct;
        *limit = job->asked.fraction * sequential;
        return *taken > *limit; /* strict, no tolerance: Q17 */
    }
    return lp_job_misses(now, job, lp_plan_left(context, job, plan), taken, limit);
}

/* ---- the mask ---- */

bool lp_world_degree_masked(const LpWorld *world, const LpContext *context, uint32_t degree) {
    const LpFabric *f = &context->fabric;
    uint32_t seen = world != NULL ? world->image->seen_busy : 0;
    if (degree == 0 || degree > context->scenario->partition.max_degree)
        return false;
    if ((degree > 1 && degree % 2 != 0) || degree > f->servers - seen)
        return false;
    return degree == 1 || lp_fabric_mask_shape(f, degree);
}

static const LpSplit *split_of(const Making *m) {
    return m->context->scenario->graph[m->job->graph]->split;
}

/* Published: semantics 10.1. Corrected: a degree in range; whether a placement exists is found out
 * by placing. */
static LpErr check_degree(Making *m, uint32_t degree) {
    uint32_t most = m->context->scenario->partition.max_degree;
    LpPlan *plan = m->plan;
    if (option(m, LP_OPT_MASK)) {
        if (lp_world_degree_masked(m->world, m->context, degree))
            return LP_OK;
        snprintf(plan->reason, sizeof plan->reason, "degree %u is masked out now", degree);
        return stop(m, LP_CAUSE_REFUSED, plan->reason);
    }
    if (degree <= most)
        return LP_OK;
    snprintf(plan->reason, sizeof plan->reason,
             "degree %u is above the scenario's largest, %u (partition max_degree)", degree, most);
    return stop(m, LP_CAUSE_REFUSED, plan->reason);
}

/* ---- partition ---- */

/* A policy's own ways, settled by the rules. */
static LpErr partition_by_ways(Making *m, uint32_t graph, LpPartitionKind kind, LpDiag *diag) {
    LpCut cut = lp_context_cut(m->context, graph, kind);
    uint32_t *ways = m->context->store->ways;
    LpPlan *plan = m->plan;
    memcpy(ways, m->answer->ways, cut.graph->ops * sizeof *ways);
    LP_TRY(lp_cut_settle(&cut, ways, &plan->degree, diag));
    if (m->masked)
        LP_TRY(check_degree(m, plan->degree));
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    return lp_store_add_partition(m->context, graph, kind, ways, &plan->partition, diag);
}

static LpErr partition_by_degree(Making *m, uint32_t graph, LpPartitionKind kind, LpDiag *diag) {
    LpPlan *plan = m->plan;
    plan->degree = m->answer->degree;
    if (plan->degree == 0)
        return stop(m, LP_CAUSE_DECLINED, "the answer is degree 0");
    if (m->masked)
        LP_TRY(check_degree(m, plan->degree));
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    if (plan->degree % 2 != 0 && plan->degree > 1 && option(m, LP_OPT_MASK))
        return stop(m, LP_CAUSE_UNSUPPORTED,
                    "the published simulator takes degree 1 or an even degree");
    return lp_store_degree(m->context, graph, kind, plan->degree, &plan->partition, diag);
}

/* Any degree but 0 means the ranks that there are, and nothing can be split otherwise. */
static LpErr partition_as_recorded(Making *m, uint32_t graph, LpDiag *diag) {
    if (m->answer->degree == 0 && m->answer->ways == NULL)
        return partition_by_degree(m, graph, LP_PARTITION_MODEL, diag);
    m->plan->degree = m->context->scenario->graph[graph]->ops;
    return lp_store_degree(m->context, graph, LP_PARTITION_MODEL, m->plan->degree,
                           &m->plan->partition, diag);
}

/* A policy's own plan, or why it is none. */
static LpErr partition_by_plan(Making *m, uint32_t graph, LpDiag *diag) {
    const LpSplit *split = split_of(m);
    if (split == NULL)
        return stop(m, LP_CAUSE_REFUSED, "the answer is a plan, but the job's graph has none");
    m->plan->degree = lp_parallel_devices(&m->answer->parallel);
    return lp_store_add_plan(m->context, graph, &m->answer->parallel, &m->plan->partition, diag);
}

/* What only graphs without plans can be answered. */
static LpErr check_planned(Making *m) {
    if (split_of(m) == NULL)
        return LP_OK;
    if (m->answer->ways != NULL)
        return stop(m, LP_CAUSE_REFUSED,
                    "the answer splits single ops, but the job's graph is split by plans");
    bool turns = split_of(m)->turning.form != LP_TURNING_NONE; /* the list is for them, then */
    if (m->answer->op_priority != NULL || (m->answer->flow_priority != NULL && !turns))
        return stop(m, LP_CAUSE_REFUSED,
                    "the answer orders parts or flows, but a plan has its own schedule");
    return LP_OK;
}

static LpErr make_partition(Making *m) {
    LpPartitionKind kind =
        m->answer->has_partition_kind ? m->answer->partition_kind : (LpPartitionKind)m->job->kind;
    uint32_t graph = (uint32_t)m->job->graph;
    LpDiag local = {0};
    LP_TRY(check_planned(m));
    if (m->plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    bool recorded = m->context->scenario->graph[graph]->trace != NULL && !m->answer->has_plan;
    LpErr err = recorded                  ? partition_as_recorded(m, graph, &local)
                : m->answer->has_plan     ? partition_by_plan(m, graph, &local)
                : m->answer->ways != NULL ? partition_by_ways(m, graph, kind, &local)
                                          : partition_by_degree(m, graph, kind, &local);
    if (err == LP_ELIMIT || err == LP_EREFUSED)
        return stop(m, LP_CAUSE_REFUSED, local.text);
    if (err != LP_OK && m->diag != NULL)
        *m->diag = local;
    return err;
}

static void describe_partition(Making *m) {
    const LpPartition *p = m->context->store->partition[m->plan->partition];
    LpPlan *plan = m->plan;
    plan->partition_degree = p->degree;
    plan->ops = p->parts;
    plan->deps = p->deps;
    plan->part_memory = p->memory_sum;
    plan->part_deps = p->dep_sum;
    plan->part_sequential = p->sequential_time * m->job->asked.steps;
}

/* ---- placement and step ---- */

static void say_placement(const Making *m, const LpPlacement *placement) {
    char name[LP_DEBUG_JOB], servers[LP_DEBUG_NUMBERS];
    const LpDebugLog *log = m->context->log;
    lp_debug_job(m->context, m->job, name);
    if (m->plan->cause != LP_CAUSE_NONE)
        lp_debug_line(log, LP_DEBUG_PLACE, 1, "none %s for x%u cause %s: %s", name, m->plan->degree,
                      lp_cause_code(m->plan->cause), m->plan->reason);
    else
        lp_debug_line(log, LP_DEBUG_PLACE, 1, "found %s as x%u servers%s", name, m->plan->degree,
                      lp_debug_numbers(placement->server, placement->servers, servers));
}

/* What is known of the block that the engine would take; NULL: nothing can be. */
static LpBlockPlan *known_plan(const Making *m) {
    const LpContext *c = m->context;
    uint32_t block;
    LpTreeAsk ask = lp_job_tree_ask(c, m->job);
    if (lp_tree_asks(&ask) || m->job->graph < 0 || m->answer->servers > 0 ||
        m->answer->part_server != NULL || lp_job_slice(c, m->job) != NULL)
        return NULL;
    const LpPartition *p = c->store->partition[m->plan->partition];
    if (!lp_place_known_block(c, m->world, p, &block) || block == LP_NO_INDEX)
        return NULL;
    return lp_blocks_plan(c->place->blocks, c, m->plan->partition, p->degree, block);
}

static LpErr make_placement(Making *m) {
    LpStore *store = m->context->store;
    LpPlacement placement;
    LpErr err;
    LpPlan *plan = m->plan;
    LpTreeAsk ask = lp_job_tree_ask(m->context, m->job);
    m->known = known_plan(m);
    if (m->known != NULL && m->known->placement != LP_NO_INDEX) {
        plan->placement = m->known->placement;
        plan->servers = store->placement[plan->placement]->servers;
        return LP_OK;
    }
    if (lp_job_slice(m->context, m->job) != NULL)
        plan->cause = lp_place_slice(m->context->place, m->context, m->world, m->job,
                                     m->job->graph < 0 ? NULL : store->partition[plan->partition],
                                     m->answer, &placement, &plan->never, plan->reason, &err);
    else if (m->job->graph < 0)
        plan->cause =
            lp_place_rigid(m->context->place, m->context, m->world, m->job->asked.rigid_servers,
                           &ask, m->answer, &placement, plan->reason, &err);
    else
        plan->cause =
            lp_place(m->context->place, m->context, m->world, store->partition[plan->partition],
                     &ask, m->answer, &placement, plan->reason, &err);
    if (err != LP_OK)
        return lp_fail_memory(m->diag, "a placement");
    if (lp_debug_on(m->context->log, LP_DEBUG_PLACE, 1))
        say_placement(m, &placement);
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    plan->servers = placement.servers;
    LP_TRY(lp_store_add_placement(m->context, &placement, &plan->placement, m->diag));
    if (m->known != NULL)
        m->known->placement = plan->placement;
    return LP_OK;
}

/* The hook that answers a number for each of these. */
static const char *hook_of(const char *what) {
    if (strcmp(what, "part") == 0)
        return "order_ops";
    return strcmp(what, "flow") == 0 ? "order_flows" : "phase";
}

/* For how many flows, or turns of circuits inside the step, an answer has a number each. */
static LpErr count_choices(Making *m, const char **what, uint32_t *count) {
    const LpPlan *plan = m->plan;
    const LpStore *store = m->context->store;
    const LpFlow *flow;
    *what = "flow";
    if (!store->partition[plan->partition]->planned)
        return lp_store_flows(m->context, plan->partition, plan->placement, &flow, count, m->diag);
    *what = "turn";
    return lp_store_count_turns(m->context, store->partition[plan->partition],
                                lp_store_placement(store, plan->placement), count, m->diag);
}

/* A policy's priorities before the rule *order become an order of the store; a wrong number of
 * them, or one that is no number, is refused. */
static LpErr take_list(Making *m, const double *priority, uint32_t given, uint32_t wanted,
                       const char *what, uint32_t *order) {
    LpPlan *plan = m->plan;
    uint32_t sound = 0;
    if (priority == NULL || plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    while (sound < given && isfinite(priority[sound]))
        sound++;
    if (given == wanted && sound == given)
        return lp_store_add_order(m->context, (LpOrder)*order, priority, given, order, m->diag);
    if (given != wanted)
        snprintf(plan->reason, sizeof plan->reason, "%s gives %u %s; expected %u, one for each %s",
                 hook_of(what), given, strcmp(what, "turn") == 0 ? "orders" : "priorities", wanted,
                 what);
    else
        snprintf(plan->reason, sizeof plan->reason, "the priority of %s %u is not a finite number",
                 what, sound + 1);
    return stop(m, LP_CAUSE_REFUSED, plan->reason);
}

static LpErr make_orders(Making *m) {
    LpPlan *plan = m->plan;
    const LpAnswer *answer = m->answer;
    const char *what = "flow";
    uint32_t flows = 0;
    if (m->context->scenario->graph[m->job->graph]->trace != NULL)
        return LP_OK; /* all goes in the order that was recorded */
    plan->orders = (LpOrders){answer->order_ops, answer->order_flows};
    if (answer->flow_priority != NULL && option(m, LP_OPT_STEP_CLOCK))
        return stop(m, LP_CAUSE_UNSUPPORTED,
                    "the published simulator takes no priorities of single flows");
    if (answer->flow_priority != NULL)
        LP_TRY(count_choices(m, &what, &flows));
    LP_TRY(take_list(m, answer->op_priority, answer->op_priorities, plan->ops, "part",
                     &plan->orders.ops));
    return take_list(m, answer->flow_priority, answer->flow_priorities, flows, what,
                     &plan->orders.flows);
}

/* A way is missing. Where circuits follow the demand the job may start, and is forecast as if all
 * were lit; it makes no progress until they are. */
static LpErr lack_light(Making *m, const char *reason) {
    LpPlan *plan = m->plan;
    if (!lp_circuits_follow(m->context))
        return stop(m, LP_CAUSE_NO_CIRCUIT, reason);
    const LpContext *ideal = lp_circuits_reference(m->context);
    plan->network = ideal->network;
    plan->dark = true;
    return lp_store_add_step(ideal, plan->partition, plan->placement, plan->orders, &plan->step,
                             m->diag);
}

/* The step of a block that was taken before with these orders is known by its number. */
static LpErr find_step(Making *m) {
    LpPlan *plan = m->plan;
    LpBlockPlan *known = m->known;
    if (known != NULL && known->step != LP_NO_INDEX && known->orders.ops == plan->orders.ops &&
        known->orders.flows == plan->orders.flows &&
        !lp_debug_on(m->context->log, LP_DEBUG_STORE, 2)) {
        plan->step = known->step;
        m->context->store->step_hits++;
        return LP_OK;
    }
    LP_TRY(lp_store_add_step(m->context, plan->partition, plan->placement, plan->orders,
                             &plan->step, m->diag));
    if (known != NULL) {
        known->step = plan->step;
        known->orders = plan->orders;
    }
    return LP_OK;
}

static LpErr make_step(Making *m) {
    LpPlan *plan = m->plan;
    const LpStore *store = m->context->store;
    LP_TRY(make_orders(m));
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    if (m->world != NULL && option(m, LP_OPT_CACHE)) {
        plan->step =
            lp_world_cached_step(m->world, m->job->graph, plan->partition_degree, &m->steps);
        plan->cached = plan->step != LP_NO_INDEX;
    }
    if (plan->step == LP_NO_INDEX)
        LP_TRY(find_step(m));
    const LpStepEntry *entry = store->step[plan->step];
    if (entry->refused != LP_OK && m->context->circuits != NULL)
        return lack_light(m, entry->reason);
    if (entry->refused != LP_OK)
        return stop(m, LP_CAUSE_UNSUPPORTED, entry->reason);
    return LP_OK;
}

/* Flow bytes and circuits belong to the placement even when the step is a cached one. */
static LpErr describe_traffic(Making *m) {
    LpPlan *plan = m->plan;
    LpTraffic traffic;
    if (!plan->cached)
        return LP_OK;
    LP_TRY(lp_store_add_traffic(m->context, plan->partition, plan->placement, &traffic, m->diag));
    plan->circuits = traffic.channels;
    plan->flow_bytes = traffic.flow_bytes;
    return LP_OK;
}

static void describe_step(Making *m) {
    LpPlan *plan = m->plan;
    const LpStepSummary *s = &m->context->store->step[plan->step]->summary;
    double steps = m->steps;
    plan->step_time = s->step_time;
    plan->jct = s->step_time * steps;
    plan->computation = s->computation * steps;
    plan->communication = s->communication * steps;
    plan->exposed = s->exposed * steps;
    plan->busy_area = s->busy_area;
    plan->light_area = s->light_area;
    plan->circuits = s->channels;
    plan->peak_circuits = s->peak_circuits;
    plan->flow_bytes = s->flow_bytes;
    plan->ticks = s->ticks;
    /* semantics 8: one step's ticks over the time of all steps (Q15) */
    if (plan->jct > 0)
        plan->worker_utilisation = s->busy_area / (plan->servers * plan->jct);
}

/* On shared links the forecast is for the shares as they would be now. */
static LpErr share_links(Making *m) {
    LpPlan *plan = m->plan;
    if (plan->dark)
        return LP_OK;
    LP_TRY(lp_store_add_load(m->context, plan->partition, plan->placement, plan->step, plan->orders,
                             &plan->load, m->diag));
    if (plan->load == LP_NO_INDEX)
        return LP_OK;
    const LpStepSummary *step = lp_store_step(m->context->store, plan->step);
    LpPlannedLoad job = {m->job->id, plan->load, plan->step, m->steps};
    LpJobPace pace;
    LP_TRY(lp_sharing_forecast(m->world, m->context, &job, &pace, m->diag));
    plan->rate = pace.rate;
    plan->step_time = step->step_time + pace.delay;
    plan->jct = plan->step_time * m->steps;
    plan->communication = (step->communication + pace.more) * m->steps;
    plan->exposed = (step->exposed + pace.delay) * m->steps;
    return LP_OK;
}

static void hash_plan(Making *m) {
    LpPlan *plan = m->plan;
    const LpStore *store = m->context->store;
    uint64_t h = lp_hash_u64(LP_HASH_INIT, plan->placement != LP_NO_INDEX
                                               ? lp_store_placement(store, plan->placement)->hash
                                               : 0);
    if (plan->partition != LP_NO_INDEX)
        h = lp_hash_u64(h, store->partition[plan->partition]->hash);
    if (plan->step != LP_NO_INDEX)
        h = lp_hash_u64(h, store->step[plan->step]->summary.hash);
    plan->hash = lp_store_order_hash(store, h, plan->orders);
}

/* ---- light reserved for the whole run (corrected rule 3) ---- */

/* Circuits of the slice that it was given, and its pace where some of them are dead. */
static LpErr take_circuits(Making *m) {
    LpPlan *plan = m->plan;
    const LpContext *c = m->context;
    const LpSlice *slice = lp_job_slice(c, m->job);
    LpSliceLeft left;
    double drag;
    if (slice == NULL || plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    LpSliceWork work = {m->job->slice.shape > 0 ? m->job->slice.shape : m->job->slice.row,
                        plan->partition, plan->placement, plan->orders, m->job->slice.shared_part};
    LP_TRY(lp_slice_drag(m->world, c, &work, &left, &drag, m->diag));
    if (isinf(drag))
        return stop(m, LP_CAUSE_BROKEN, "what is left of the slice's light falls apart");
    plan->circuits = plan->peak_circuits =
        lp_slice_circuits(&c->fabric.cluster->pod.net, slice) - left.lost;
    plan->drag = drag;
    return LP_OK;
}

static LpErr make_rigid(Making *m) {
    LpPlan *plan = m->plan;
    LP_TRY(make_placement(m));
    plan->step_time = plan->computation = m->job->asked.rigid_duration;
    LP_TRY(take_circuits(m));
    plan->jct = !lp_job_in_pieces(m->job)
                    ? plan->step_time
                    : lp_slice_settle(m->context, m->job) + run_time(m->job, plan);
    plan->busy_area = plan->servers * plan->step_time;
    plan->partition_degree = plan->degree = m->job->asked.rigid_servers;
    hash_plan(m);
    return LP_OK;
}

static LpErr outline(Making *m) {
    LP_TRY(make_partition(m));
    if (m->plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    describe_partition(m);
    return make_placement(m);
}

static LpErr make_cut(Making *m) {
    LpPlan *plan = m->plan;
    LP_TRY(outline(m));
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    LP_TRY(make_step(m));
    if (plan->cause != LP_CAUSE_NONE)
        return LP_OK;
    describe_step(m);
    LP_TRY(describe_traffic(m));
    LP_TRY(share_links(m));
    /* A job pays for checkpoints, and on a slice holds its circuits, which settle. */
    LP_TRY(take_circuits(m));
    if (lp_job_in_pieces(m->job))
        m->plan->jct = lp_slice_settle(m->context, m->job) + run_time(m->job, m->plan);
    hash_plan(m);
    if (m->world != NULL)
        LP_TRY(lp_world_check_light(m->world, m->context, plan->partition, plan->placement,
                                    &plan->cause, plan->reason, m->diag));
    if (m->world != NULL && plan->cause == LP_CAUSE_NONE)
        LP_TRY(lp_world_check_failed(m->world, m->context, plan->partition, plan->placement,
                                     &plan->cause, plan->reason, m->diag));
    return LP_OK;
}

static const LpPlan NO_PLAN = {
    .partition = LP_NO_INDEX, .placement = LP_NO_INDEX, .step = LP_NO_INDEX, .load = LP_NO_INDEX};

LpErr lp_plan_cut(const LpWorld *world, const LpContext *context, const LpJob *job,
                  const LpAnswer *answer, LpPlan *out, LpDiag *diag) {
    LpPlan plan = NO_PLAN;
    Making m = {world, context, job, answer, false, &plan, diag, job->asked.steps, NULL};
    LP_TRY(make_partition(&m));
    if (plan.cause == LP_CAUSE_NONE)
        describe_partition(&m);
    *out = plan;
    return LP_OK;
}

LpErr lp_plan_outline(const LpWorld *world, const LpContext *context, const LpJob *job,
                      const LpAnswer *answer, LpPlan *out, LpDiag *diag) {
    LpPlan plan = NO_PLAN;
    Making m = {world, context, job, answer, false, &plan, diag, job->asked.steps, NULL};
    LP_TRY(outline(&m));
    *out = plan;
    return LP_OK;
}

/* Another shape may be answered, of as many accelerators. */
static LpErr take_shape(Making *m, const LpJob *job) {
    const LpScenario *scenario = m->context->scenario;
    uint32_t row = m->answer->slice;
    if (row == 0 && job->slice.shape > 0 &&
        scenario->slice[job->slice.shape - 1].slice.accelerators <
            scenario->slice[job->slice.row - 1].slice.accelerators) /* it was shrunk: it stays so */
        row = job->slice.shape;
    if (row == 0)
        return LP_OK;
    m->plan->shape = row == job->slice.row ? 0 : row;
    if (row == job->slice.shape)
        return LP_OK;
    if (job->slice.row == 0 || row > scenario->shapes ||
        scenario->slice[row - 1].slice.accelerators !=
            scenario->slice[job->slice.row - 1].slice.accelerators)
        return stop(m, LP_CAUSE_REFUSED,
                    "place: a slice answered, expected one of as many accelerators as the job asks "
                    "for");
    return LP_OK;
}

LpErr lp_plan_make(const LpWorld *world, const LpContext *context, const LpJob *job,
                   const LpAnswer *answer, bool masked, LpPlan *out, LpDiag *diag) {
    LpPlan plan = NO_PLAN;
    LpJob as = *job;
    Making m = {world, context, &as, answer, masked, &plan, diag, job->asked.steps, NULL};
    plan.network = context->network;
    LP_TRY(take_shape(&m, job));
    as.slice.shape = plan.shape;
    if (plan.cause == LP_CAUSE_NONE)
        LP_TRY(job->graph < 0 ? make_rigid(&m) : make_cut(&m));
    if (plan.step != LP_NO_INDEX && !isnan(job->times.start)) /* it may have plans to remember */
        LP_TRY(lp_store_reserve_earlier(context, LP_EARLIER_ROOM, diag));
    if (!isnan(job->times.start))
        LP_TRY(lp_store_reserve_spell(context, diag));
    *out = plan;
    return LP_OK;
}
