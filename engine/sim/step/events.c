/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One training step, event by event: what ends, what becomes ready, which op a free server starts;
 * and the accounts of it. Light paths and collectives: sim/step/step_circuits.c. */
#include "sim/step/events.h"

#include <inttypes.h>
#include <math.h>

#include "base/num.h"

/* One instant is a number of rounds, until a round leaves nothing that ends at the same instant.
 * A round: everything that ends; then ops, flows and collectives start. A transfer that is no flow
 * is a precedence and not a task of its own: it ends in the same round as the last of its parents.
 */

/* State between two instants, for the integrals. */
typedef struct Account {
    double at;         /* s, the instant before */
    double op_since;   /* s, since when at least one op runs, < 0: none does */
    double comm_since; /* s, since when a flow or collective runs, < 0: none does */
    double bare_since; /* s, since when a flow or collective and no op run, < 0: not so */
    uint32_t ops;
    uint64_t circuits;
} Account;

/* ---- becoming ready ---- */

static void list_server(LpStepRun *run, uint32_t s) {
    if (run->server[s].listed || run->server[s].op != LP_TRACE_NONE)
        return;
    run->server[s].listed = true;
    run->free_server[run->free_servers++] = s;
}

static void offer_transfer(LpStepRun *run, uint32_t t) {
    if (run->graph->flow[t - run->graph->parts]) {
        lp_light_offer_flow(run, t);
        return;
    }
    if (run->trace)
        run->trace->start[t] = run->trace->end[t] = run->now;
    run->ended[run->ended_count++] = t;
}

/* Task t may start from now on. */
static void offer(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    run->ready[t] = run->now;
    if (t < g->parts) {
        lp_heap_push(&run->server[g->server[t]].ready, g->op_priority[t], t);
        list_server(run, g->server[t]);
    } else if (t < g->parts + g->transfers) {
        offer_transfer(run, t);
    } else {
        lp_light_offer_collective(run, t);
    }
}

static void release_children(LpStepRun *run, uint32_t t) {
    const LpStepGraph *g = run->graph;
    for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++) {
        uint32_t child = g->succ[i];
        if (!run->need[child])
            continue; /* was ready with fewer parents than name it */
        if (run->trace) {
            /* Notes t as the last parent of `child` so far; of those at one instant the highest id.
             */
            LpTrace *trace = run->trace;
            uint32_t last = trace->released_by[child];
            if (last == LP_TRACE_NONE || trace->end[last] != trace->end[t] || last < t)
                trace->released_by[child] = t;
        }
        if (--run->need[child] == 0)
            offer(run, child);
    }
}

/* ---- ending ---- */

static void end_op(LpStepRun *run, uint32_t t) {
    uint32_t s = run->graph->server[t];
    run->ops--;
    run->server[s].op = LP_TRACE_NONE;
    if (run->trace)
        lp_held_note(&run->server[s].held_op, run->now, t);
    if (run->server[s].ready.count)
        list_server(run, s);
}

/* Collects the running tasks that end at the earliest time, those that only rounding tells from it
 * among them: all of them end when the last one does. False when nothing runs. */
static bool collect_ends(LpStepRun *run) {
    if (!run->ends.count)
        return false;
    double first = lp_heap_key_time(run->ends.key[0]);
    uint64_t key = run->ends.key[0], limit = lp_heap_time(first * (1 + LP_NUM_TIE));
    while (run->ends.count && run->ends.key[0] <= limit) {
        key = run->ends.key[0];
        run->ended[run->ended_count++] = lp_heap_pop(&run->ends).id;
    }
    run->now = lp_heap_key_time(key);
    for (uint32_t i = 0; run->trace && run->now > first && i < run->ended_count; i++)
        run->trace->end[run->ended[i]] = run->now;
    return true;
}

/* Ends what was collected, and with it the transfers that are no flows. */
static void end_all(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    for (uint32_t i = 0; i < run->ended_count; i++) {
        uint32_t t = run->ended[i];
        if (t < g->parts)
            end_op(run, t);
        else if (t >= g->parts + g->transfers)
            lp_light_end_collective(run, t);
        else if (g->flow[t - g->parts])
            lp_light_end_flow(run, t);
        release_children(run, t);
    }
    run->done += run->ended_count;
    run->ended_count = 0;
}

/* ---- starting ---- */

static void start_all(LpStepRun *run) {
    for (uint32_t i = 0; i < run->free_servers; i++) {
        LpStepServer *server = &run->server[run->free_server[i]];
        server->listed = false;
        uint32_t t = lp_heap_pop(&server->ready).id;
        server->op = t;
        run->ops++;
        uint32_t holder =
            run->trace ? lp_held_best(&server->held_op, run->now, LP_TRACE_NONE) : LP_TRACE_NONE;
        lp_step_begin(run, t, run->graph->time[t], holder);
    }
    run->free_servers = 0;
    if (!run->shared)
        return; /* flows and collectives started when they became ready */
    lp_light_start_flows(run);
    lp_light_start_collectives(run);
}

/* ---- accounts ---- */

/* Whole intervals are summed, not the pieces between instants, so that rounding cannot pile up. */
static void account_state(double now, bool on, double *since, double *sum) {
    if (on && *since < 0)
        *since = now;
    if (on || *since < 0)
        return;
    *sum += now - *since;
    *since = -1;
}

static double at_most(double value, double limit) {
    return value < limit ? value : limit;
}

/* ---- the run ---- */

static const char *kind_of(const LpStepGraph *g, uint32_t t) {
    if (t < g->parts)
        return "op part";
    return t < g->parts + g->transfers ? "transfer" : "collective";
}

static LpErr check_times(const LpStepGraph *g, LpDiag *diag) {
    for (uint32_t t = 0; t < g->tasks; t++)
        if (!(g->time[t] >= 0 && isfinite(g->time[t])))
            return lp_fail(diag, LP_EREFUSED,
                           "%s %" PRIu32 " takes %g s, expected a finite time of at least 0",
                           kind_of(g, t), t, g->time[t]);
    if (!(g->slot >= 0 && isfinite(g->slot)))
        return lp_fail(diag, LP_EREFUSED, "a slot takes %g s, expected a finite time of at least 0",
                       g->slot);
    return LP_OK;
}

static LpErr allocate(LpStepRun *run, LpArena *arena, LpStepHeap *queues, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    run->need = lp_arena_alloc(arena, g->tasks, sizeof *run->need);
    run->ready = lp_arena_alloc(arena, g->tasks, sizeof *run->ready);
    run->ended = lp_arena_alloc(arena, g->tasks, sizeof *run->ended);
    run->server = lp_arena_alloc(arena, g->servers, sizeof *run->server);
    run->free_server = lp_arena_alloc(arena, g->servers, sizeof *run->free_server);
    if (!run->need || !run->ready || !run->ended || !run->server || !run->free_server ||
        !lp_heap_init(&run->ends, arena, g->tasks) || !lp_heap_init(queues, arena, g->parts))
        return lp_fail_memory(diag, "the simulation of a training step");
    return LP_OK;
}

static LpErr prepare(LpStepRun *run, LpArena *arena, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    LpStepHeap queues = {0};
    LP_TRY(allocate(run, arena, &queues, diag));
    memcpy(run->need, g->need, (size_t)g->tasks * sizeof *run->need);
    for (uint32_t s = 0; s < g->servers; s++)
        run->server[s] = (LpStepServer){.op = LP_TRACE_NONE,
                                        .watcher = LP_TRACE_NONE,
                                        .held_op = lp_held_never(),
                                        .held_flow = lp_held_never(),
                                        .held_collective = lp_held_never()};
    for (uint32_t p = 0; p < g->parts; p++)
        run->server[g->server[p]].ready.count++; /* its size for now */
    for (uint32_t s = 0; s < g->servers; s++)
        lp_heap_cut(&run->server[s].ready, &queues, run->server[s].ready.count);
    return lp_light_init(run, arena, diag);
}

/* Why a run that stopped is no result. */
static LpErr check_end(const LpStepRun *run, LpDiag *diag) {
    const LpStepGraph *g = run->graph;
    if (run->done == g->tasks && isfinite(run->now))
        return LP_OK;
    if (run->done == g->tasks)
        return lp_fail(diag, LP_EREFUSED, "the step would take longer than a number can hold");
    uint32_t t = 0;
    while (t + 1 < g->tasks && !run->need[t])
        t++;
    if (run->need[t] > g->tasks) /* LP_NEVER, less the parents that have ended */
        return lp_fail(diag, LP_EREFUSED,
                       "the step cannot go on after %" PRIu32 " of %" PRIu32 " tasks: %s %" PRIu32
                       " can never start",
                       run->done, g->tasks, kind_of(g, t), t);
    return lp_fail(diag, LP_EREFUSED,
                   "the step cannot go on after %" PRIu32 " of %" PRIu32 " tasks: %s %" PRIu32
                   " still waits for %" PRIu32 " of its inputs",
                   run->done, g->tasks, kind_of(g, t), t, run->need[t]);
}

static void simulate(LpStepRun *run) {
    const LpStepGraph *g = run->graph;
    Account a = {.op_since = -1, .comm_since = -1, .bare_since = -1};
    for (uint32_t t = 0; t < g->tasks; t++)
        if (!g->need[t])
            offer(run, t);
    uint32_t counted = 0;
    for (;;) {
        end_all(run);
        start_all(run);
        bool more = run->ends.count > 0;
        if (!more || lp_heap_key_time(run->ends.key[0]) > run->now) {
            /* Books the time since the instant before and notes what runs from now on. */
            double now = run->now, span = now - a.at;
            bool op = run->ops > 0, comm = run->transfers > 0;
            run->sum.busy_area += span * a.ops;
            run->sum.light_area += span * (double)a.circuits;
            if (run->circuits > run->sum.peak_circuits)
                run->sum.peak_circuits =
                    run->circuits < UINT32_MAX ? (uint32_t)run->circuits : UINT32_MAX;
            account_state(now, op, &a.op_since, &run->sum.computation);
            account_state(now, comm, &a.comm_since, &run->sum.communication);
            account_state(now, comm && !op, &a.bare_since, &run->sum.exposed);
            a.at = now;
            a.ops = run->ops;
            a.circuits = run->circuits;
            run->sum.ticks += run->done > counted;
            counted = run->done;
        }
        if (!collect_ends(run))
            return;
    }
}

LpErr lp_step_run_events(LpStepScratch *scratch, const LpStepGraph *graph, bool shared_light,
                         LpStepSummary *out, LpTrace *trace, LpDiag *diag) {
    LpTrace kept = {0};
    LpStepRun run = {.graph = graph, .shared = shared_light && graph->tx_ports > 0};
    lp_arena_reset(scratch->run);
    LP_TRY(check_times(graph, diag));
    LP_TRY(prepare(&run, scratch->run, diag));
    if (trace) {
        LP_TRY(lp_trace_init(&kept, graph->tasks, diag));
        run.trace = &kept;
    }
    simulate(&run);
    LpErr err = check_end(&run, diag);
    if (err != LP_OK) {
        lp_trace_fini(&kept);
        return err;
    }
    /* Sums of rounded pieces may pass the whole by some units in the last place. */
    LpStepSummary *sum = &run.sum;
    const LpStepGraph *g = run.graph;
    double area = (double)g->servers * run.now;
    sum->step_time = run.now;
    sum->computation = at_most(sum->computation, run.now);
    sum->communication = at_most(sum->communication, run.now);
    sum->exposed = at_most(sum->exposed, sum->communication);
    sum->busy_area = at_most(sum->busy_area, area);
    sum->worker_utilisation = area > 0 ? sum->busy_area / area : 0;
    sum->servers = g->servers;
    sum->channels = g->channels;
    sum->flows = g->flows;
    sum->flow_bytes = g->flow_bytes;
    sum->hash = lp_step_summary_hash(sum);
    if (trace) {
        lp_trace_critical_path(&kept);
        *trace = kept;
    }
    *out = run.sum;
    return LP_OK;
}
