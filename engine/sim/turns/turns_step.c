/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step as tasks and transfers, made in the order that ties on ports go by
 * (docs/turning-light.md, 2 and 4.1). */
#include "sim/turns/plan_impl.h"

/* What a stage has made: nodes, or LP_NO_INDEX. */
typedef struct Stage {
    uint64_t next;       /* number of the task that it makes next, over all steps */
    uint32_t task, gate; /* its last task; what the next one waits for */
    uint32_t ring, grad; /* its last ring transfer and the last gradient that it sent */
} Stage;

typedef struct Maker {
    const LpTurnStep *step;
    LpTurnPlan *plan;
    LpTurnReduce reduce;
    Stage *stage;
    uint32_t chunks;      /* of the model, on all stages */
    uint32_t *act, *grad; /* by chunk and micro-batch: the transfer sent last */
} Maker;

/* One task of a stage. */
typedef struct Task {
    enum { FORWARD, BACKWARD, OPTIMISER } kind;
    uint32_t step, micro;
    uint32_t chunk; /* of the model; chunk c is on stage c mod stages */
} Task;

static double at(const LpTurnTimes *times, uint32_t i) {
    return times->count == 0 ? 0 : times->item[times->count > 1 ? i : 0];
}

/* ---- the sequence of a stage ---- */

/* Chunks of one stage. */
static uint64_t own_chunks(const LpTurnStep *step) {
    return step->chunks > 1 ? step->chunks : 1;
}

/* 1F1B: `warm` forwards, then a forward and a backward in turn, then the other backwards, of m. */
static Task nth_of_1f1b(uint32_t n, uint32_t warm, uint32_t m) {
    if (n < warm)
        return (Task){.kind = FORWARD, .micro = n};
    if (n >= 2 * m - warm)
        return (Task){.kind = BACKWARD, .micro = n - m};
    uint32_t pair = (n - warm) / 2;
    if ((n - warm) % 2 == 0)
        return (Task){.kind = FORWARD, .micro = warm + pair};
    return (Task){.kind = BACKWARD, .micro = pair};
}

/* Forwards before the first backward. */
static uint32_t warm_up(const LpTurnStep *step, uint32_t s) {
    uint64_t behind = step->stages - 1 - s, v = own_chunks(step), all = v * step->micro_batches;
    uint64_t warm = v == 1 ? behind : 2 * behind + (v - 1) * step->stages;
    if (v > 1 && step->micro_batches == step->stages)
        warm = all;
    return (uint32_t)(warm < all ? warm : all);
}

/* The number-th pass of a kind as chunk and micro-batch: a stage goes through as many micro-batches
 * as there are stages, chunk by chunk, backwards from the last one. */
static Task spread(const LpTurnStep *step, uint32_t s, Task task) {
    uint64_t v = own_chunks(step), p = step->stages, number = task.micro;
    uint64_t kappa = number % (p * v) / p;
    task.chunk = (uint32_t)((task.kind == FORWARD ? kappa : v - 1 - kappa) * p + s);
    task.micro = (uint32_t)(number / (p * v) * p + number % p);
    return task;
}

static Task nth_task(const LpTurnStep *step, uint32_t s, uint64_t number) {
    uint64_t m = step->micro_batches * own_chunks(step);
    uint32_t n = (uint32_t)(number % (2 * m + 1)), all = (uint32_t)m;
    Task task = {.kind = OPTIMISER};
    if (n < 2 * all && step->gpipe)
        task = spread(step, s, (Task){.kind = n < all ? FORWARD : BACKWARD, .micro = n % all});
    else if (n < 2 * all)
        task = spread(step, s, nth_of_1f1b(n, warm_up(step, s), all));
    task.step = (uint32_t)(number / (2 * m + 1));
    return task;
}

/* ---- nodes ---- */

static LpErr add_task(Maker *mk, uint32_t s, Task task, double length, uint32_t a, uint32_t b) {
    static const LpTurnPass pass[] = {LP_TURN_FORWARD, LP_TURN_BACKWARD, LP_TURN_OPTIMISER};
    LpTurnNode node = lp_turn_node(LP_TURN_TASK, length);
    Stage *stage = &mk->stage[s];
    node.dep[0] = stage->gate;
    node.dep[1] = a;
    node.dep[2] = b;
    node.place = s;
    node.step = task.step;
    node.number = task.micro;
    node.pass = pass[task.kind];
    node.chunk = task.chunk;
    node.last = task.kind == OPTIMISER;
    LP_TRY(lp_turn_plan_add(mk->plan, &node, &stage->task));
    stage->gate = stage->task;
    return LP_OK;
}

/* With one port a stage has port s for everything; with two it has 2s, which looks back, and
 * 2s + 1, which looks forward. Between chunks the last stage has a link to the first one; with two
 * stages of one port that is the circuit between them. */
static void join_link(const Maker *mk, uint32_t s, LpTurnNode *node) {
    bool two = mk->step->ports == 2;
    uint32_t next = s + 1 < mk->step->stages ? s + 1 : 0;
    node->circuit = !two && mk->step->stages == 2 ? 0 : 2 * s;
    node->place = s;
    node->port[0] = two ? 2 * s + 1 : s;
    node->port[1] = two ? 2 * next : next;
}

/* A transfer on the link from stage `s` to the next one. */
static LpErr add_send(Maker *mk, LpTurnKind kind, uint32_t s, Task task, uint32_t after,
                      uint32_t *id) {
    LpTurnNode node = lp_turn_node(kind, at(&mk->step->send, s));
    join_link(mk, s, &node);
    node.dep[0] = after;
    node.step = task.step;
    node.number = task.micro;
    return lp_turn_plan_add(mk->plan, &node, id);
}

/* A transfer on the ring of stage `s`. */
static LpErr add_ring(Maker *mk, LpTurnKind kind, uint32_t s, Task task, double length,
                      uint32_t after, uint32_t other) {
    LpTurnNode node = lp_turn_node(kind, length);
    bool two = mk->step->ports == 2;
    node.circuit = 2 * s + 1;
    node.place = s;
    node.port[0] = two ? 2 * s : s;
    node.port[1] = two ? 2 * s + 1 : LP_NO_INDEX;
    node.dep[0] = after;
    node.dep[1] = other;
    node.step = task.step;
    node.number = task.micro;
    node.noticed = kind == LP_TURN_KIND_BUCKET;
    return lp_turn_plan_add(mk->plan, &node, &mk->stage[s].ring);
}

/* ---- tasks ---- */

/* Before a pass with sharded weights: the ring transfer that it waits for. */
static LpErr make_gather(Maker *mk, uint32_t s, Task task, uint32_t *id) {
    *id = LP_NO_INDEX;
    if (mk->reduce != LP_TURN_REDUCE_ZERO3)
        return LP_OK;
    LP_TRY(add_ring(mk, LP_TURN_KIND_GATHER, s, task, at(&mk->step->gather, s), mk->stage[s].gate,
                    LP_NO_INDEX));
    *id = mk->stage[s].ring;
    return LP_OK;
}

static LpErr make_forward(Maker *mk, uint32_t s, Task task, uint32_t input) {
    uint32_t gathered, m = mk->step->micro_batches;
    LP_TRY(make_gather(mk, s, task, &gathered));
    LP_TRY(add_task(mk, s, task, at(&mk->step->forward, task.chunk), input, gathered));
    if (task.chunk + 1 == mk->chunks)
        return LP_OK;
    return add_send(mk, LP_TURN_KIND_ACT, s, task, mk->stage[s].task,
                    &mk->act[(size_t)task.chunk * m + task.micro]);
}

/* The parts of a chunk's last backward, each with its bucket behind it. */
static LpErr make_parts(Maker *mk, uint32_t s, Task task, uint32_t input) {
    uint32_t layers = mk->step->layers;
    for (uint32_t i = 0; i < layers; i++) {
        Task part = {.kind = BACKWARD, .step = task.step, .micro = i, .chunk = task.chunk};
        LP_TRY(add_task(mk, s, task, at(&mk->step->backward, task.chunk) / layers, input,
                        LP_NO_INDEX));
        LP_TRY(add_ring(mk, LP_TURN_KIND_BUCKET, s, part, at(&mk->step->bucket, s),
                        mk->stage[s].task, LP_NO_INDEX));
        if (!mk->step->overlap)
            mk->stage[s].gate = mk->stage[s].ring;
        input = LP_NO_INDEX;
    }
    return LP_OK;
}

static LpErr make_pass(Maker *mk, uint32_t s, Task task, uint32_t input) {
    bool last = task.micro + 1 == mk->step->micro_batches;
    uint32_t gathered;
    if (last && mk->reduce == LP_TURN_REDUCE_BUCKET)
        return make_parts(mk, s, task, input);
    LP_TRY(make_gather(mk, s, task, &gathered));
    LP_TRY(add_task(mk, s, task, at(&mk->step->backward, task.chunk), input, gathered));
    if (mk->reduce != LP_TURN_REDUCE_ZERO3)
        return LP_OK;
    LP_TRY(add_ring(mk, LP_TURN_KIND_SCATTER, s, task, at(&mk->step->gather, s), mk->stage[s].task,
                    LP_NO_INDEX));
    if (!mk->step->overlap)
        mk->stage[s].gate = mk->stage[s].ring;
    return LP_OK;
}

static LpErr make_backward(Maker *mk, uint32_t s, Task task, uint32_t input) {
    Stage *stage = &mk->stage[s];
    uint32_t m = mk->step->micro_batches;
    LP_TRY(make_pass(mk, s, task, input));
    if (task.chunk > 0) {
        uint32_t link = s > 0 ? s - 1 : mk->step->stages - 1;
        LP_TRY(add_send(mk, LP_TURN_KIND_GRAD, link, task, stage->gate, &stage->grad));
        mk->grad[(size_t)task.chunk * m + task.micro] = stage->grad;
    }
    if (mk->reduce != LP_TURN_REDUCE_FLUSH || task.micro + 1 < m || task.chunk != s)
        return LP_OK;
    double length = (double)(mk->step->layers * own_chunks(mk->step)) * at(&mk->step->bucket, s);
    return add_ring(mk, LP_TURN_KIND_FLUSH, s, task, length, stage->task, stage->grad);
}

/* ---- sweeps ---- */

/* The transfer that brings a task's input; false while it has not been made. */
static bool find_input(const Maker *mk, Task task, uint32_t *input) {
    uint32_t m = mk->step->micro_batches;
    *input = LP_NO_INDEX;
    if (task.kind == FORWARD && task.chunk > 0)
        *input = mk->act[(size_t)(task.chunk - 1) * m + task.micro];
    else if (task.kind == BACKWARD && task.chunk + 1 < mk->chunks)
        *input = mk->grad[(size_t)(task.chunk + 1) * m + task.micro];
    else
        return true;
    return *input != LP_NO_INDEX && mk->plan->node[*input].step == task.step;
}

static LpErr make_task(Maker *mk, uint32_t s, Task task, uint32_t input) {
    if (task.kind == FORWARD)
        return make_forward(mk, s, task, input);
    if (task.kind == BACKWARD)
        return make_backward(mk, s, task, input);
    /* The last ring transfer and the last gradient end after all earlier ones of the stage. */
    Stage *stage = &mk->stage[s];
    return add_task(mk, s, task, at(&mk->step->optimiser, s), stage->ring, stage->grad);
}

/* As many tasks of a stage as have their input. */
static LpErr sweep(Maker *mk, uint32_t s, uint64_t tasks) {
    Stage *stage = &mk->stage[s];
    for (; stage->next < tasks; stage->next++) {
        Task task = nth_task(mk->step, s, stage->next);
        uint32_t input;
        if (!find_input(mk, task, &input))
            break;
        LP_TRY(make_task(mk, s, task, input));
    }
    return LP_OK;
}

static LpErr make_all(Maker *mk) {
    const LpTurnStep *step = mk->step;
    uint64_t tasks = step->steps * (2 * step->micro_batches * own_chunks(step) + 1);
    while (mk->stage[step->stages - 1].next < tasks || mk->stage[0].next < tasks)
        for (uint32_t s = 0; s < step->stages; s++)
            LP_TRY(sweep(mk, s, tasks));
    return LP_OK;
}

static LpErr make(Maker *mk) {
    size_t stages = mk->step->stages, boxes = (size_t)mk->chunks * mk->step->micro_batches;
    mk->stage = lp_alloc(stages, sizeof *mk->stage);
    mk->act = lp_alloc(boxes, sizeof *mk->act);
    mk->grad = lp_alloc(boxes, sizeof *mk->grad);
    if (mk->stage == NULL || mk->act == NULL || mk->grad == NULL)
        return LP_ENOMEM;
    for (size_t s = 0; s < stages; s++)
        mk->stage[s] = (Stage){
            .task = LP_NO_INDEX, .gate = LP_NO_INDEX, .ring = LP_NO_INDEX, .grad = LP_NO_INDEX};
    for (size_t i = 0; i < boxes; i++)
        mk->act[i] = mk->grad[i] = LP_NO_INDEX;
    LP_TRY(make_all(mk));
    return lp_turn_plan_order(mk->plan);
}

LpErr lp_turn_plan_make(const LpTurnStep *step, LpTurnPlan **out, LpDiag *diag) {
    LP_TRY(lp_turn_step_check(step, diag));
    Maker mk = {.step = step, .plan = lp_turn_plan_new(step->stages * step->ports)};
    LpErr err = LP_ENOMEM;
    mk.chunks = (uint32_t)(step->stages * own_chunks(step));
    mk.reduce = step->replicas > 1 ? step->reduce : LP_TURN_REDUCE_NONE;
    if (mk.plan != NULL) {
        mk.plan->steps = step->steps;
        mk.plan->serial = step->serial;
        mk.plan->notice = step->notice * LP_TURN_SECOND;
        mk.plan->order_cost = step->order_cost * LP_TURN_SECOND;
        err = make(&mk);
    }
    lp_free(mk.stage);
    lp_free(mk.act);
    lp_free(mk.grad);
    if (err != LP_OK) {
        lp_turn_plan_free(mk.plan);
        return lp_fail_memory(diag, "the tasks and transfers of a step");
    }
    *out = mk.plan;
    return LP_OK;
}
