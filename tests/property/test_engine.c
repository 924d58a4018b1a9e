/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of every placed job under the corrected rules: its parts, its bytes, the rules of
 * light, the bounds of its step, and that names and caches change nothing. The checks are made from
 * the scenario's own numbers. */
#include <math.h>

#include "engine_case.h"
#include "group.h"
#include "sim/forecast.h"
#include "sim/world.h"
#include "step_naive.h"

enum { CASES = 400 };

/* One placed job and the trace of its step. */
typedef struct Step {
    EngineCase *c;
    LpForecast f;
    const LpPartition *p;
    LpStepGraph g;
    LpTrace t;
    const LpFabric *fabric;
} Step;

/* Every dependency between ops of the mirrored graph: forward 0 .. n-1, backward n .. 2n-1. */
typedef struct Edge {
    uint32_t src, dst;
    double bytes;
} Edge;

static uint32_t mirrored_edges(const EngineCase *c, Edge *out) {
    uint32_t count = 0, n = c->ops;
    for (uint32_t e = 0; e < c->edges; e++) {
        uint32_t u = c->edge[e][0] - 1, v = c->edge[e][1] - 1;
        out[count++] = (Edge){u, v, c->op[u].activation};
        out[count++] = (Edge){n + v, n + u, c->op[u].activation};
    }
    return count;
}

static bool near(double a, double b) {
    double d = a < b ? b - a : a - b;
    return d <= 1e-9 * (1 + (a < b ? b : a));
}

static uint32_t part(const Step *s, uint32_t op, uint32_t k) {
    return s->p->part_begin[op] + k;
}

static uint32_t server(const Step *s, uint32_t p) {
    return s->g.server_id[s->g.server[p]];
}

/* Length of the overlap of [a/s, (a+1)/s) and [b/t, (b+1)/t), in parts of 1/(s t): whole. */
static uint32_t overlap(uint32_t a, uint32_t s, uint32_t b, uint32_t t) {
    uint32_t from = a * t > b * s ? a * t : b * s;
    uint32_t to = (a + 1) * t < (b + 1) * s ? (a + 1) * t : (b + 1) * s;
    return to > from ? to - from : 0;
}

/* Calls back for every pair of parts that exchange something. */
typedef void (*Visit)(Step *s, const Edge *e, uint32_t tail, uint32_t head, double bytes,
                      void *user);

static void each_exchange(Step *s, Visit visit, void *user) {
    Edge edges[2 * EC_EDGES];
    uint32_t count = mirrored_edges(s->c, edges);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t from = s->p->ways[edges[e].src], to = s->p->ways[edges[e].dst];
        for (uint32_t a = 0; a < from; a++)
            for (uint32_t b = 0; b < to; b++) {
                uint32_t share = overlap(a, from, b, to);
                if (share > 0)
                    visit(s, &edges[e], part(s, edges[e].src, a), part(s, edges[e].dst, b),
                          edges[e].bytes * share / (from * to), user);
            }
    }
}

/* ---- the plan of a random job ---- */

static void read_step(LpSession *session, EngineCase *c, const LpForecast *f, Step *s) {
    const LpContext *context = lp_session_context(session);
    LpDiag diag = {0};
    *s = (Step){.c = c,
                .f = *f,
                .p = lp_store_partition(context->store, f->partition),
                .fabric = &context->fabric};
    if (lp_store_trace(context, f->partition, f->placement, LP_RULES_SRPT, &s->g, &s->t, &diag) !=
        LP_OK)
        fail_msg("seed %u: %s", (unsigned)c->seed, diag.text);
}

/* A random degree, now and then with a random block, that can be placed on the empty cluster. */
static LpForecast random_plan(LpSession *session, EngineCase *c) {
    for (;;) {
        uint32_t map[EC_SERVERS];
        LpForecast f = tiny_predict_degree(session, 1 + engine_below(c, 12));
        if (!f.feasible)
            continue;
        if (engine_below(c, 2))
            return f;
        engine_shuffle(c, map, c->servers);
        LpAnswer answer = {.degree = f.degree, .servers = f.partition_degree, .server = map};
        f = tiny_predict(session, &answer);
        ENGINE_CHECK(c, f.feasible);
        return f;
    }
}

enum { FLOWS, COLLECTIVES, KINDS };

static void for_random_steps(const char *stream, void (*check)(Step *s)) {
    uint32_t seen[KINDS] = {0};
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        if (!test_taken(seed))
            continue;
        EngineCase c;
        Step s;
        engine_case_make(&c, seed, stream);
        LpSession *session = engine_case_open(&c, NULL, NULL);
        LpForecast f = random_plan(session, &c);
        read_step(session, &c, &f, &s);
        check(&s);
        seen[FLOWS] += s.g.flows;
        seen[COLLECTIVES] += s.g.collectives;
        lp_trace_fini(&s.t);
        lp_session_close(session);
        engine_case_free(&c);
    }
    uint32_t cases = test_every() == 1 ? CASES : CASES / (2 * test_every());
    assert_true(seen[FLOWS] > 3 * cases && seen[COLLECTIVES] > cases); /* worth it */
}

/* ---- parts ---- */

/* need = ceil(forward / 1 s), at most the degree; D is the largest; the others go down to divisors
 * of D. Together the parts do the op's work. */
static void check_parts(Step *s) {
    const EngineCase *c = s->c;
    uint32_t need[EC_OPS], largest = 1;
    for (uint32_t i = 0; i < c->ops; i++) {
        need[i] = (uint32_t)ceil(c->op[i].forward);
        need[i] = need[i] < 1 ? 1 : need[i] > s->f.degree ? s->f.degree : need[i];
        largest = need[i] > largest ? need[i] : largest;
    }
    ENGINE_CHECK(c, s->f.partition_degree == largest && s->f.servers == largest);
    for (uint32_t i = 0; i < c->ops; i++) {
        uint32_t ways = need[i];
        double forward = 0, backward = 0;
        while (largest % ways != 0)
            ways--;
        ENGINE_CHECK(c, s->p->ways[i] == ways && s->p->ways[c->ops + i] == ways);
        for (uint32_t k = 0; k < ways; k++) {
            ENGINE_CHECK(c, server(s, part(s, i, k)) == s->f.server[k]);
            ENGINE_CHECK(c, server(s, part(s, c->ops + i, k)) == s->f.server[k]);
            forward += s->g.time[part(s, i, k)];
            backward += s->g.time[part(s, c->ops + i, k)];
        }
        ENGINE_CHECK(c, near(forward, c->op[i].forward) && near(backward, c->op[i].backward));
    }
}

static void parts_do_the_work(void **state) {
    (void)state;
    for_random_steps("parts", check_parts);
}

/* ---- bytes ---- */

typedef struct Traffic {
    uint32_t flows;
    double out[EC_SERVERS], in[EC_SERVERS], all;
} Traffic;

static void count_exchange(Step *s, const Edge *e, uint32_t tail, uint32_t head, double bytes,
                           void *user) {
    Traffic *want = user;
    (void)e;
    if (server(s, tail) == server(s, head) || bytes == 0)
        return;
    want->flows++;
    want->out[server(s, tail)] += bytes;
    want->in[server(s, head)] += bytes;
    want->all += bytes;
}

/* About what any algorithm has to send, (n - 1)/n of the bytes from each member and way; stages of
 * RAMP whose lines are not all full send less. */
static double collective_bytes(Step *s, uint32_t index) {
    const LpCollectiveTask *task = &s->p->collective[index];
    uint32_t ways = s->p->ways[task->op], sends;
    double sum = 0, least = task->bytes * (ways - 1) * (task->kind == LP_ALL_REDUCE ? 2 : 1);
    LpSend *send;
    assert_int_equal(
        lp_fabric_sends(s->fabric, task->kind, s->f.server, ways, task->bytes, &send, &sends),
        LP_OK);
    for (uint32_t i = 0; i < sends; i++) {
        ENGINE_CHECK(s->c, send[i].from != send[i].to && send[i].bytes > 0);
        sum += send[i].bytes;
    }
    ENGINE_CHECK(s->c, sum >= least / 2);
    lp_free(send);
    return sum;
}

static void check_bytes(Step *s) {
    const EngineCase *c = s->c;
    Traffic want = {0}, got = {0};
    each_exchange(s, count_exchange, &want);
    for (uint32_t i = 0; i < s->g.transfers; i++) {
        ENGINE_CHECK(c, s->g.flow[i] && s->g.src[i] != s->g.dst[i]);
        got.out[s->g.src[i]] += s->g.bytes[i];
        got.in[s->g.dst[i]] += s->g.bytes[i];
        got.flows++;
    }
    ENGINE_CHECK(c, got.flows == want.flows && s->g.flows == want.flows);
    for (uint32_t i = 0; i < s->p->collectives; i++)
        want.all += collective_bytes(s, i);
    ENGINE_CHECK(c, near(s->g.flow_bytes, want.all));
    for (uint32_t i = 0; i < c->servers; i++)
        ENGINE_CHECK(c, near(got.out[i], want.out[i]) && near(got.in[i], want.in[i]));
}

static void bytes_sent_are_bytes_received(void **state) {
    (void)state;
    for_random_steps("bytes", check_bytes);
}

/* ---- precedences ---- */

static void check_exchange(Step *s, const Edge *e, uint32_t tail, uint32_t head, double bytes,
                           void *user) {
    (void)user, (void)e;
    ENGINE_CHECK(s->c, s->t.end[tail] <= s->t.start[head]);
    if (server(s, tail) == server(s, head) || bytes == 0)
        return;
    for (uint32_t i = 0; i < s->g.transfers; i++) {
        uint32_t t = s->g.parts + i;
        if (s->g.tail[i] != tail || s->g.head[i] != head)
            continue;
        ENGINE_CHECK(s->c, near(s->g.bytes[i], bytes));
        ENGINE_CHECK(s->c, s->t.end[tail] <= s->t.start[t] && s->t.end[t] <= s->t.start[head]);
    }
}

/* First start and last end of the parts of one op. */
static double first_start(const Step *s, uint32_t op) {
    double first = s->t.start[part(s, op, 0)];
    for (uint32_t k = 1; k < s->p->ways[op]; k++)
        first = fmin(first, s->t.start[part(s, op, k)]);
    return first;
}

static double last_end(const Step *s, uint32_t op) {
    double last = 0;
    for (uint32_t k = 0; k < s->p->ways[op]; k++)
        last = fmax(last, s->t.end[part(s, op, k)]);
    return last;
}

static double last_backward(const Step *s) {
    double last = 0;
    for (uint32_t i = 0; i < s->c->ops; i++)
        last = fmax(last, last_end(s, s->c->ops + i));
    return last;
}

/* A reduce-scatter lies between an op and all that comes after it, an all-gather between all that
 * comes before a backward op and the op. */
static void check_collective(Step *s, uint32_t c) {
    const LpCollectiveTask *task = &s->p->collective[c];
    uint32_t t = s->g.parts + s->g.transfers + c;
    double start = s->t.start[t], end = s->t.end[t];
    if (task->kind != LP_ALL_GATHER)
        ENGINE_CHECK(s->c, last_end(s, task->op) <= start);
    else
        ENGINE_CHECK(s->c, end <= first_start(s, task->op));
    if (task->kind == LP_ALL_REDUCE && !s->c->overlap)
        ENGINE_CHECK(s->c, last_backward(s) <= start);
    for (uint32_t i = 0; i < s->g.transfers; i++) {
        uint32_t u = s->p->part_op[s->g.tail[i]], v = s->p->part_op[s->g.head[i]];
        if (task->kind == LP_REDUCE_SCATTER && u == task->op)
            ENGINE_CHECK(s->c, end <= s->t.start[s->g.parts + i]);
        if (task->kind == LP_ALL_GATHER && v == task->op)
            ENGINE_CHECK(s->c, s->t.end[s->g.parts + i] <= start);
    }
    Edge edges[2 * EC_EDGES];
    uint32_t count = mirrored_edges(s->c, edges);
    for (uint32_t e = 0; e < count; e++) {
        if (task->kind == LP_REDUCE_SCATTER && edges[e].src == task->op)
            ENGINE_CHECK(s->c, end <= first_start(s, edges[e].dst));
        if (task->kind == LP_ALL_GATHER && edges[e].dst == task->op)
            ENGINE_CHECK(s->c, last_end(s, edges[e].src) <= start);
    }
}

static uint32_t collectives_wanted(const Step *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->c->ops; i++) {
        const TinyOp *op = &s->c->op[i];
        if (s->p->ways[i] > 1)
            count += s->c->data ? op->parameters > 0 : 2 * (op->activation > 0);
    }
    return count;
}

static void check_order(Step *s) {
    each_exchange(s, check_exchange, NULL);
    for (uint32_t i = 0; i < s->c->ops; i++)
        for (uint32_t k = 0; k < s->p->ways[i]; k++)
            ENGINE_CHECK(s->c, s->t.end[part(s, i, k)] <= s->t.start[part(s, s->c->ops + i, k)]);
    ENGINE_CHECK(s->c, s->g.collectives == collectives_wanted(s));
    for (uint32_t c = 0; c < s->g.collectives; c++)
        check_collective(s, c);
}

static void ops_wait_for_their_data(void **state) {
    (void)state;
    for_random_steps("order", check_order);
}

/* ---- rules ---- */

static bool at_once(const Step *s, uint32_t t, uint32_t u) {
    return s->t.start[t] < s->t.end[u] && s->t.start[u] < s->t.end[t];
}

/* Rules 1 to 3 from the servers' places. */
static bool one_path(const Step *s, uint32_t i, uint32_t k) {
    const EngineCase *c = s->c;
    uint32_t from[2] = {s->g.src[i], s->g.src[k]}, to[2] = {s->g.dst[i], s->g.dst[k]};
    bool out = engine_group(c, from[0]) == engine_group(c, from[1]);
    bool in = engine_group(c, to[0]) == engine_group(c, to[1]);
    if ((from[0] == from[1] && in) || (to[0] == to[1] && out))
        return true;
    return !c->isolated && out && in && engine_index(c, to[0]) == engine_index(c, to[1]);
}

static bool member(const Step *s, uint32_t c, uint32_t id) {
    for (uint32_t m = s->g.member_begin[c]; m < s->g.member_begin[c + 1]; m++)
        if (s->g.server_id[s->g.member[m]] == id)
            return true;
    return false;
}

static void check_flow_rules(Step *s, uint32_t i) {
    uint32_t t = s->g.parts + i;
    for (uint32_t k = 0; k < i; k++)
        ENGINE_CHECK(s->c, !at_once(s, t, s->g.parts + k) || !one_path(s, i, k));
    for (uint32_t c = 0; c < s->g.collectives; c++)
        if (member(s, c, s->g.src[i]) || member(s, c, s->g.dst[i]))
            ENGINE_CHECK(s->c, !at_once(s, t, s->g.parts + s->g.transfers + c));
}

static void check_rules(Step *s) {
    for (uint32_t p = 0; p < s->g.parts; p++)
        for (uint32_t q = 0; q < p; q++)
            ENGINE_CHECK(s->c, s->g.server[p] != s->g.server[q] || !at_once(s, p, q));
    if (!s->c->ramp)
        return;
    for (uint32_t i = 0; i < s->g.transfers; i++)
        check_flow_rules(s, i);
    for (uint32_t c = 0; c < s->g.collectives; c++) /* all are on the block's first server */
        for (uint32_t d = 0; d < c; d++)
            ENGINE_CHECK(s->c, !at_once(s, s->g.parts + s->g.transfers + c,
                                        s->g.parts + s->g.transfers + d));
}

static void light_paths_carry_one_flow(void **state) {
    (void)state;
    for_random_steps("rules", check_rules);
}

/* ---- times ---- */

/* The flow before flow i on its transceiver group, LP_NO_INDEX: none; *steered: a collective was
 * there in between. */
static uint32_t flow_before(const Step *s, uint32_t i, bool *steered) {
    uint32_t before = LP_NO_INDEX, group = engine_group(s->c, s->g.dst[i]);
    double at = s->t.start[s->g.parts + i];
    for (uint32_t k = 0; k < s->g.transfers; k++)
        if (s->g.src[k] == s->g.src[i] && engine_group(s->c, s->g.dst[k]) == group &&
            s->t.start[s->g.parts + k] < at &&
            (before == LP_NO_INDEX || s->t.start[s->g.parts + k] > s->t.start[s->g.parts + before]))
            before = k;
    *steered = false;
    for (uint32_t c = 0; before != LP_NO_INDEX && c < s->g.collectives; c++) {
        double then = s->t.start[s->g.parts + s->g.transfers + c];
        *steered = *steered || (member(s, c, s->g.src[i]) && then < at &&
                                then >= s->t.end[s->g.parts + before]);
    }
    return before;
}

/* Propagation + I/O + size / rate, and one slot where the transceiver group turns. */
static void check_times(Step *s) {
    for (uint32_t i = 0; i < s->g.transfers; i++) {
        double took = s->t.end[s->g.parts + i] - s->t.start[s->g.parts + i];
        double bare = s->c->latency + s->g.bytes[i] / s->c->rate;
        bool steered;
        uint32_t before = flow_before(s, i, &steered);
        if (before == LP_NO_INDEX || s->g.dst[before] != s->g.dst[i])
            ENGINE_CHECK(s->c, near(took, bare + s->c->slot));
        else
            ENGINE_CHECK(s->c, near(took, bare) || (steered && near(took, bare + s->c->slot)));
    }
}

static void slots_are_paid_for_turning(void **state) {
    (void)state;
    for_random_steps("times", check_times);
}

/* ---- bounds ---- */

/* End of the step if nothing had to wait: tasks are visited until nothing moves. */
static double critical_path(const Step *s) {
    const LpStepGraph *g = &s->g;
    double *start = calloc(g->tasks, sizeof *start), last = 0;
    assert_non_null(start);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t t = 0; t < g->tasks; t++)
            for (uint32_t i = g->succ_begin[t]; i < g->succ_begin[t + 1]; i++)
                if (start[t] + g->time[t] > start[g->succ[i]]) {
                    start[g->succ[i]] = start[t] + g->time[t];
                    again = true;
                }
    }
    for (uint32_t t = 0; t < g->tasks; t++)
        last = fmax(last, start[t] + g->time[t]);
    free(start);
    return last;
}

static void check_bounds(Step *s) {
    const EngineCase *c = s->c;
    double longest = 0, all = 0, path = critical_path(s), step = s->f.step_time;
    for (uint32_t t = 0; t < s->g.tasks; t++) {
        double took = s->t.end[t] - s->t.start[t];
        if (t < s->g.parts)
            longest = fmax(longest, took);
        all += took;
    }
    ENGINE_CHECK(c, step >= path * (1 - 1e-12) && path >= longest * (1 - 1e-12));
    ENGINE_CHECK(c, step <= all * (1 + 1e-12));
    ENGINE_CHECK(c, near(s->f.jct, step) && s->f.computation <= step);
    ENGINE_CHECK(c, s->f.communication <= step && s->f.exposed <= s->f.communication);
    /* at every instant something runs: an op, or communication that is exposed */
    ENGINE_CHECK(c, near(s->f.computation + s->f.exposed, step));
}

static void steps_lie_between_bounds(void **state) {
    (void)state;
    for_random_steps("bounds", check_bounds);
}

/* ---- the words of the rules ---- */

static void check_naive(Step *s) {
    Naive naive;
    LpStepSummary want;
    if (s->g.tasks > SB_TASKS)
        return;
    naive_run(&naive, &s->g, s->c->ramp);
    ENGINE_CHECK(s->c, naive.done == s->g.tasks);
    for (uint32_t t = 0; t < s->g.tasks; t++)
        ENGINE_CHECK(s->c, naive.start[t] == s->t.start[t] && naive.end[t] == s->t.end[t]);
    naive_summary(&naive, &want);
    ENGINE_CHECK(s->c, want.step_time == s->f.step_time);
    ENGINE_CHECK(s->c, near(want.communication, s->f.communication));
    ENGINE_CHECK(s->c, near(want.computation, s->f.computation));
    ENGINE_CHECK(s->c, near(want.exposed, s->f.exposed));
}

static void steps_are_those_of_a_full_scan(void **state) {
    (void)state;
    for_random_steps("scan", check_naive);
}

/* ---- splitting ---- */

static void splitting_divides_what_sends_nothing(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 100; seed++) {
        EngineCase c;
        engine_case_make(&c, seed, "divide");
        free(c.graph);
        const TinyOp one = {12 * (1 + lp_rng_unit(&c.rng)), 12 * lp_rng_unit(&c.rng), 0, 0};
        c.graph = tiny_profile(&one, 1, NULL, 0);
        LpSession *session = engine_case_open(&c, NULL, NULL);
        for (uint32_t ways = 1; ways <= 12; ways++) {
            LpForecast f = tiny_predict_degree(session, ways);
            if (f.feasible)
                ENGINE_CHECK(&c, near(f.step_time, (one.forward + one.backward) / ways));
            if (f.feasible)
                ENGINE_CHECK(&c, f.communication == 0 && f.circuits == 0);
        }
        lp_session_close(session);
        engine_case_free(&c);
    }
}

/* ---- names and caches ---- */

static void expect_same(const EngineCase *c, const LpForecast *a, const LpForecast *b) {
    ENGINE_CHECK(c, a->feasible == b->feasible && a->cause == b->cause);
    if (!a->feasible)
        return;
    ENGINE_CHECK(c, a->step_time == b->step_time && a->jct == b->jct);
    ENGINE_CHECK(c, a->communication == b->communication && a->exposed == b->exposed);
    ENGINE_CHECK(c, a->computation == b->computation && a->ticks == b->ticks);
    ENGINE_CHECK(c, a->circuits == b->circuits && a->ops == b->ops && a->deps == b->deps);
}

/* Groups, racks and indices each renamed; on ideal any renaming. */
static void rename_block(EngineCase *c, const uint32_t *block, uint32_t n, uint32_t *out) {
    uint32_t group[EC_SERVERS], rack[EC_SERVERS], index[EC_SERVERS];
    engine_shuffle(c, group, c->groups);
    engine_shuffle(c, rack, c->racks);
    engine_shuffle(c, index, c->per_rack);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (group[engine_group(c, block[i])] * c->racks + rack[engine_rack(c, block[i])]) *
                     c->per_rack +
                 index[engine_index(c, block[i])];
}

static LpForecast predict_alone(const EngineCase *c, const LpAnswer *answer) {
    LpSession *session = engine_case_open(c, NULL, NULL);
    LpForecast f = tiny_predict(session, answer);
    lp_session_close(session);
    return f;
}

static void names_of_servers_change_nothing(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        if (!test_taken(seed))
            continue;
        EngineCase c;
        uint32_t block[EC_SERVERS];
        engine_case_make(&c, seed, "names");
        LpSession *session = engine_case_open(&c, NULL, NULL);
        LpForecast first = random_plan(session, &c);
        rename_block(&c, first.server, first.servers, block);
        const LpAnswer answer = {.degree = first.degree, .servers = first.servers, .server = block};
        LpForecast here = tiny_predict(session, &answer), alone = predict_alone(&c, &answer);
        expect_same(&c, &first, &here);
        expect_same(&c, &first, &alone);
        lp_session_close(session);
        engine_case_free(&c);
    }
}

/* Random answers in one session, each also in a session of its own. */
static void a_hit_is_a_miss(void **state) {
    (void)state;
    uint64_t hits = 0;
    for (uint32_t seed = 1; seed <= CASES / 4; seed++) {
        if (!test_taken(seed))
            continue;
        EngineCase c;
        engine_case_make(&c, seed, "cache");
        LpSession *session = engine_case_open(&c, NULL, NULL);
        for (int i = 0; i < 12; i++) {
            uint32_t map[EC_SERVERS];
            engine_shuffle(&c, map, c.servers);
            LpAnswer answer = {.degree = 1 + engine_below(&c, 4),
                               .has_partition_kind = engine_below(&c, 2) > 0,
                               .partition_kind =
                                   (LpPartitionKind)engine_below(&c, LP_PARTITION_KINDS),
                               .order_ops = (LpOrder)engine_below(&c, LP_ORDER_COUNT),
                               .order_flows = (LpOrder)engine_below(&c, LP_ORDER_COUNT)};
            LpForecast f = tiny_predict(session, &answer);
            if (f.feasible && engine_below(&c, 2)) {
                answer.servers = f.partition_degree;
                answer.server = map;
                f = tiny_predict(session, &answer);
            }
            LpForecast alone = predict_alone(&c, &answer);
            expect_same(&c, &f, &alone);
        }
        hits += lp_store_stats(lp_session_context(session)->store).step_hits;
        lp_session_close(session);
        engine_case_free(&c);
    }
    assert_true(hits > 50 / test_every());
}

TEST_GROUP(test_engine) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_the_work),
        cmocka_unit_test(bytes_sent_are_bytes_received),
        cmocka_unit_test(ops_wait_for_their_data),
        cmocka_unit_test(light_paths_carry_one_flow),
        cmocka_unit_test(slots_are_paid_for_turning),
        cmocka_unit_test(steps_lie_between_bounds),
        cmocka_unit_test(steps_are_those_of_a_full_scan),
        cmocka_unit_test(splitting_divides_what_sends_nothing),
        cmocka_unit_test(names_of_servers_change_nothing),
        cmocka_unit_test(a_hit_is_a_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
