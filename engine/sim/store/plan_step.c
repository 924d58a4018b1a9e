/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan asks of servers, and its step where it is placed: docs/parallel.md, "Jobs". */
#include <math.h>

#include "model/parallel/shard.h"
#include "sim/parallel/rail_light.h"
#include "sim/parallel/stages.h"
#include "sim/step/step_impl.h"
#include "sim/store/store_impl.h"

/* ---- needs ---- */

/* What the devices of a stage hold is shared among its ops: state by parameters, the rest evenly.
 */
static void share_bytes(const LpPartition *p, const LpStageMemory *stage, LpBlockNeeds *needs,
                        double *shared, uint32_t *ops) {
    uint32_t n = p->graph->ops;
    const LpSplit *split = p->graph->split;
    double per_byte = lp_shard_bytes(&p->plan, &split->machine) / LP_WEIGHT_BYTES;
    for (uint32_t f = 0; f < n; f++) {
        shared[needs->op_group[f]] += per_byte * p->op_parameters[f];
        ops[needs->op_group[f]]++;
    }
    for (uint32_t f = 0; f < n; f++) {
        uint32_t i = needs->op_group[f];
        needs->op_bytes[f] = per_byte * p->op_parameters[f] + (stage[i].all - shared[i]) / ops[i];
    }
}

LpErr lp_store_plan_needs(const LpContext *context, const LpPartition *p, LpBlockNeeds *out) {
    LpArena *a = context->store->arena;
    const LpSplit *s = p->graph->split;
    uint32_t n = p->graph->ops, stages = p->plan.pipeline;
    LpBlockNeeds needs = {.groups = stages,
                          .need = lp_arena_alloc(a, p->degree, sizeof(double)),
                          .op_group = lp_arena_alloc(a, n, sizeof(uint16_t)),
                          .op_bytes = lp_arena_alloc(a, n, sizeof(double)),
                          .group_ways = lp_arena_alloc(a, stages, sizeof(uint32_t)),
                          .group_from = lp_arena_alloc(a, stages, sizeof(uint32_t))};
    LpStageMemory *stage = lp_alloc(stages, sizeof *stage);
    double *shared = lp_alloc(stages, sizeof *shared);
    uint32_t *ops = lp_alloc(stages, sizeof *ops);
    bool ok = needs.need && needs.op_group && needs.op_bytes && needs.group_ways &&
              needs.group_from && stage && shared && ops &&
              lp_parallel_memory(&s->model, &p->plan, &s->machine, stage, NULL) == LP_OK;
    if (ok) {
        uint32_t servers = p->plan.tensor * lp_parallel_replicas(&p->plan);
        for (uint32_t i = 0; i < p->plan.pipeline; i++) {
            needs.group_ways[i] = servers;
            needs.group_from[i] = i * servers;
            for (uint32_t k = 0; k < servers; k++)
                needs.need[i * servers + k] = stage[i].all;
            if (stage[i].all > needs.most)
                needs.most = stage[i].all;
        }
        for (uint32_t f = 0; f < p->graph->ops; f++)
            needs.op_group[f] = (uint16_t)lp_parallel_stage(&p->graph->split->model, &p->plan, f);
        share_bytes(p, stage, &needs, shared, ops);
        needs.all = needs.most;
        *out = needs;
    }
    lp_free(stage);
    lp_free(shared);
    lp_free(ops);
    return ok ? LP_OK : LP_ENOMEM;
}

/* ---- devices and ways where it is placed ---- */

static bool lies_in_nodes(const LpPlacement *at, uint32_t node, uint32_t run) {
    for (uint32_t k = 0; k < at->servers; k++)
        if (at->server[k] / node != at->server[k / run * run] / node)
            return false;
    return true;
}

uint32_t lp_store_plan_node(const LpPartition *p, const LpPlacement *at) {
    double stated = p->graph->split->machine.node;
    uint32_t node = stated < LP_SERVERS_MAX ? (uint32_t)stated : LP_SERVERS_MAX;
    uint32_t run = node < at->servers ? node : at->servers;
    uint32_t t = p->plan.tensor;
    /* a run that cuts tensor groups unevenly would hide that some of them leave their node */
    while (run > 1 &&
           ((run < node && run % t != 0 && t % run != 0) || !lies_in_nodes(at, node, run)))
        run--;
    return run == at->servers && run < node ? node : run; /* all in one: there may be more */
}

/* A way between two servers: what it takes is latency + bytes / rate. */
typedef struct Ways {
    const LpContext *context;
    const LpPlacement *at;
    uint32_t node;
    double rate, latency; /* the least and the greatest so far */
    uint32_t from, to;    /* servers without a way; LP_NO_INDEX */
} Ways;

static void look(Ways *w, uint32_t a, uint32_t b) {
    static const double BYTES = 1e9;
    const LpFabric *f = lp_store_fabric(w->context, w->at);
    uint32_t src = w->at->server[a], dst = w->at->server[b];
    if (a == b || a / w->node == b / w->node)
        return;
    double once = f->ops->transfer_time(f, src, dst, BYTES);
    double twice = f->ops->transfer_time(f, src, dst, 2 * BYTES);
    if (!isfinite(twice) || !(twice > once)) {
        w->from = src;
        w->to = dst;
        return;
    }
    double rate = BYTES / (twice - once), latency = 2 * once - twice;
    if (rate < w->rate)
        w->rate = rate;
    if (latency > w->latency)
        w->latency = latency;
}

/* Neighbours in the rings of tensor, context and data groups, and between stages. */
static void look_around(Ways *w, const LpParallel *plan) {
    uint32_t t = plan->tensor, context = t * lp_parallel_context(plan);
    uint32_t stage = context * plan->data, all = stage * plan->pipeline;
    for (uint32_t k = 0; k < all; k++) {
        uint32_t in_group = k % t, in_stage = k % stage, in_context = k % context;
        if (t > 1)
            look(w, k, k - in_group + (in_group + 1) % t);
        if (context > t)
            look(w, k, k - in_context + (in_context + t) % context);
        if (plan->data > 1)
            look(w, k, k - in_stage + (in_stage + t) % stage);
        if (k + stage < all || (plan->chunks > 1 && all > stage))
            look(w, k, (k + stage) % all);
    }
}

static double slowest(const LpContext *context, const LpPlacement *at) {
    double least = context->speed != NULL ? (double)INFINITY : 1;
    for (uint32_t k = 0; context->speed != NULL && k < at->servers; k++) {
        double speed =
            context->speed[lp_cluster_type_of(&context->scenario->cluster, at->server[k])];
        if (speed < least)
            least = speed;
    }
    return least;
}

static LpErr machine_of(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                        LpMachine *out, LpDiag *diag) {
    LpMachine m = p->graph->split->machine;
    double speed = slowest(context, at);
    m.network_rate *= context->stated.bandwidth;
    m.network_latency *= context->stated.latency;
    Ways w = {.context = context,
              .at = at,
              .node = lp_store_plan_node(p, at),
              .rate = m.network_rate,
              .latency = m.network_latency,
              .from = LP_NO_INDEX};
    look_around(&w, &p->plan);
    if (w.from != LP_NO_INDEX)
        return lp_fail(diag, LP_EREFUSED, "no way leads from server %u to server %u",
                       (unsigned)w.from, (unsigned)w.to);
    m.peak *= speed;
    m.vector_peak *= speed;
    m.bandwidth *= speed;
    m.node = w.node;
    m.network_rate = w.rate;
    m.network_latency = w.latency;
    *out = m;
    return LP_OK;
}

LpErr lp_store_plan_step(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                         LpMachine *machine, LpParallelStep *out, LpDiag *diag) {
    LpMachine m;
    LP_TRY(machine_of(context, p, at, &m, diag));
    if (out != NULL)
        LP_TRY(lp_parallel_step(&p->graph->split->model, &p->plan, &m, out, diag));
    if (machine != NULL)
        *machine = m;
    return LP_OK;
}

/* ---- circuits that turn inside it ---- */

bool lp_store_turns(const LpPartition *p) {
    return p->planned && lp_split_turns(p->graph->split, &p->plan);
}

/* Rails are a network of their own: only what lies in a node, and how fast it computes, is the
 * placement's. */
LpErr lp_store_plan_light(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                          LpOrders orders, LpRailLight *out, LpDiag *diag) {
    const LpSplit *s = p->graph->split;
    LpMachine m;
    LpDiag inner;
    uint32_t count = 0;
    const double *choice = lp_store_priorities(context->store, orders.flows, &count);
    LP_TRY(machine_of(context, p, at, &m, diag));
    if (s->turning.form == LP_TURNING_RAILS) {
        m.network_rate = s->machine.network_rate * context->stated.bandwidth;
        m.network_latency = s->machine.network_latency * context->stated.latency;
    }
    /* The light that a split states, under the conditions of now. */
    LpTurning turning = s->turning;
    turning.rails.delay *= context->stated.reconfiguration;
    turning.rails.rate *= context->stated.bandwidth;
    turning.region.delay *= context->stated.reconfiguration;
    LpErr err = lp_light_make(&s->model, &p->plan, &m, &turning, out, &inner);
    if (err != LP_OK)
        return lp_fail(diag, err == LP_ENOMEM ? err : LP_EREFUSED, "%s", inner.text);
    if (choice != NULL)
        lp_light_choose(out, choice, count);
    return LP_OK;
}

LpErr lp_store_count_turns(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                           uint32_t *count, LpDiag *diag) {
    LpRailLight light;
    *count = 0;
    if (!lp_store_turns(p))
        return LP_OK;
    LP_TRY(lp_store_plan_light(context, p, at, LP_RULES_SRPT, &light, diag));
    *count = lp_light_turns(&light);
    lp_light_fini(&light);
    return LP_OK;
}

static LpErr add_light(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                       LpOrders orders, LpStepSummary *s, LpDiag *diag) {
    LpRailLight light;
    if (!lp_store_turns(p))
        return LP_OK;
    LP_TRY(lp_store_plan_light(context, p, at, orders, &light, diag));
    LpLightStep step = lp_light_run(&light);
    s->step_time = step.with.time;
    s->turns = step.with.turns;
    s->waiting_turns = step.with.waiting;
    s->exposed_turns = step.with.exposed;
    s->turn_time = step.with.time - step.without.time;
    s->bubble = step.bubble;
    s->worker_utilisation = s->computation / s->step_time;
    lp_light_fini(&light);
    return LP_OK;
}

/* ---- its step as any other ---- */

LpErr lp_store_plan_summary(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                            LpOrders orders, const LpStepGraph *graph, uint32_t more,
                            LpStepSummary *out, LpDiag *diag) {
    LpParallelStep step;
    uint32_t circuits = graph->channels + more;
    LP_TRY(lp_store_plan_step(context, p, at, NULL, &step, diag));
    LpStepSummary s = {.step_time = step.step_time,
                       .computation = step.computation_time,
                       .communication = step.communication_time,
                       .exposed = step.communication_time - step.hidden_time,
                       .busy_area = step.computation_time * at->servers,
                       .light_area = circuits * step.communication_time,
                       .worker_utilisation = step.computation_time / step.step_time,
                       .servers = at->servers,
                       .channels = circuits,
                       .flows = graph->flows,
                       .peak_circuits = circuits,
                       .flow_bytes = graph->flow_bytes,
                       .bubble = step.bubble,
                       .held_bytes = step.held_bytes,
                       .ticks =
                           2 * (uint64_t)p->plan.pipeline * p->plan.chunks * step.micro_batches};
    LP_TRY(add_light(context, p, at, orders, &s, diag));
    s.hash = lp_step_summary_hash(&s);
    *out = s;
    return LP_OK;
}

/* From the first to the last micro-batch of each chunk. */
typedef struct Spans {
    double *forward_from, *forward_to, *backward_from, *backward_to; /* per chunk */
} Spans;

static void widen(void *user, const LpPipelineEntry *e) {
    const Spans *s = user;
    double *from = e->forward ? s->forward_from : s->backward_from;
    double *to = e->forward ? s->forward_to : s->backward_to;
    if (e->micro_batch == 0 || e->start < from[e->chunk])
        from[e->chunk] = e->start;
    if (e->end > to[e->chunk])
        to[e->chunk] = e->end;
}

static uint32_t chunk_of(const LpSplit *s, const LpParallel *plan, uint32_t op) {
    uint32_t chunks = plan->pipeline * plan->chunks, end = 1;
    for (uint32_t chunk = 0; op > 0 && chunk < chunks; chunk++) {
        end += lp_parallel_layers(&s->model, plan, chunk);
        if (op < end)
            return chunk;
    }
    return op == 0 ? 0 : chunks - 1;
}

/* Widens the spans by a step whose circuits turn. */
static LpErr widen_light(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                         LpOrders orders, const Spans *s, LpDiag *diag) {
    LpRailLight light;
    LP_TRY(lp_store_plan_light(context, p, at, orders, &light, diag));
    lp_light_run(&light);
    for (uint32_t i = 0; i < 2 * p->plan.pipeline * p->plan.chunks; i++)
        s->forward_from[i] = (double)INFINITY; /* and those of backward passes, behind them */
    for (uint32_t id = 0; id < lp_turn_nodes(light.plan); id++) {
        LpTurnTransfer t = lp_turn_transfer(light.plan, id);
        bool forward = t.pass == LP_TURN_FORWARD;
        if (t.kind != LP_TURN_TASK || t.pass == LP_TURN_OPTIMISER)
            continue;
        double *from = forward ? s->forward_from : s->backward_from;
        double *to = forward ? s->forward_to : s->backward_to;
        from[t.chunk] = fmin(from[t.chunk], t.start);
        to[t.chunk] = fmax(to[t.chunk], t.end);
    }
    lp_light_fini(&light);
    return LP_OK;
}

static LpErr run_spans(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                       LpOrders orders, LpStages *stages, double *room, Spans *s, LpDiag *diag) {
    uint32_t chunks = p->plan.pipeline * p->plan.chunks;
    LpMachine machine;
    double end;
    *s = (Spans){.forward_from = room,
                 .backward_from = room + chunks,
                 .forward_to = room + 2 * (size_t)chunks,
                 .backward_to = room + 3 * (size_t)chunks};
    if (lp_split_turns(p->graph->split, &p->plan))
        return widen_light(context, p, at, orders, s, diag);
    LP_TRY(machine_of(context, p, at, &machine, diag));
    LP_TRY(lp_stages_init(stages, &p->graph->split->model, &p->plan, &machine, diag));
    return lp_pipeline_run(&stages->pipeline, widen, s, &end, diag);
}

LpErr lp_store_plan_trace(const LpContext *context, const LpPartition *p, const LpPlacement *at,
                          LpOrders orders, const LpStepGraph *graph, LpTrace *trace, LpDiag *diag) {
    LpStages stages = {0};
    Spans spans;
    LpTrace fresh;
    double *room = lp_alloc(4 * (size_t)p->plan.pipeline * p->plan.chunks, sizeof *room);
    if (room == NULL)
        return lp_fail_memory(diag, "the trace of a training step");
    LpErr err = run_spans(context, p, at, orders, &stages, room, &spans, diag);
    if (err == LP_OK)
        err = lp_trace_init(&fresh, graph->tasks, diag);
    if (err == LP_OK) {
        /* A transfer goes when what sends it has ended. */
        uint32_t n = p->graph->ops;
        for (uint32_t i = 0; i < graph->parts; i++) {
            uint32_t op = p->part_op[i], chunk = chunk_of(p->graph->split, &p->plan, op % n);
            fresh.start[i] = op < n ? spans.forward_from[chunk] : spans.backward_from[chunk];
            fresh.end[i] = op < n ? spans.forward_to[chunk] : spans.backward_to[chunk];
        }
        for (uint32_t i = 0; i < graph->transfers; i++)
            fresh.start[graph->parts + i] = fresh.end[graph->parts + i] = fresh.end[graph->tail[i]];
        *trace = fresh;
    }
    lp_stages_fini(&stages);
    lp_free(room);
    return err;
}
