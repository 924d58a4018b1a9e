/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event-driven step on cases small enough to be worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "step_builder.h"

/* All times in these cases are small whole numbers, so doubles are exact. */
#define assert_time(got, want) assert_true((got) == (want))

typedef struct Result {
    StepBuilder b;
    LpStepScratch *scratch;
    LpStepSummary sum;
    LpTrace trace;
    LpDiag diag;
} Result;

static int setup(void **state) {
    Result *r = lp_alloc(1, sizeof *r);
    *state = r;
    if (r)
        r->scratch = lp_step_scratch_new();
    return r && r->scratch ? 0 : -1;
}

static int teardown(void **state) {
    Result *r = *state;
    lp_step_scratch_free(r->scratch);
    lp_trace_fini(&r->trace);
    lp_free(r);
    return 0;
}

static void run_with(Result *r, bool shared) {
    const LpStepGraph *g = sb_finish(&r->b);
    lp_trace_fini(&r->trace);
    r->trace = (LpTrace){0};
    LpErr err = lp_step_run_events(r->scratch, g, shared, &r->sum, &r->trace, &r->diag);
    if (err != LP_OK)
        fail_msg("%s", r->diag.text);
    LpStepSummary bare;
    assert_int_equal(lp_step_run_events(r->scratch, g, shared, &bare, NULL, &r->diag), LP_OK);
    assert_true(bare.hash == r->sum.hash); /* a trace changes nothing */
    assert_time(bare.step_time, r->sum.step_time);
}

static void run(Result *r) {
    run_with(r, true);
}

static void check_task(const Result *r, uint32_t t, double start, double end, uint32_t by) {
    if (r->trace.start[t] != start || r->trace.end[t] != end || r->trace.released_by[t] != by)
        fail_msg("task %u: %g..%g by %d, expected %g..%g by %d", (unsigned)t, r->trace.start[t],
                 r->trace.end[t], (int)r->trace.released_by[t], start, end, (int)by);
}

static void check_path(const Result *r, uint32_t n, const uint32_t *path) {
    assert_int_equal(r->trace.critical, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(r->trace.critical_path[i], path[i]);
}

/* One op on each of `servers` servers, 1 s each, and a port each way per server. */
static void ops_on(Result *r, uint32_t servers) {
    sb_init(&r->b, servers, servers, servers);
    for (uint32_t s = 0; s < servers; s++)
        sb_op(&r->b, s, 1, s);
}

/* A flow over the ports of its two servers. */
static uint32_t flow(Result *r, uint32_t src, uint32_t dst, double time, uint64_t priority) {
    return sb_flow(&r->b, src, dst, src, dst, time, priority);
}

/* ---- ops ---- */

static void empty_graph(void **state) {
    Result *r = *state;
    sb_init(&r->b, 0, 0, 0);
    run(r);
    assert_time(r->sum.step_time, 0);
    assert_time(r->sum.worker_utilisation, 0);
    assert_int_equal(r->sum.ticks, 0);
    assert_int_equal(r->trace.critical, 0);
}

/* a (server 0, 2 s) -> flow (3 s) -> b (server 1, 4 s): 9 s, nothing overlaps. */
static void two_ops_two_servers(void **state) {
    Result *r = *state;
    sb_init(&r->b, 2, 2, 2);
    uint32_t a = sb_op(&r->b, 0, 2, 0), b = sb_op(&r->b, 1, 4, 1), f = flow(r, 0, 1, 3, 0);
    sb_edge(&r->b, a, f);
    sb_edge(&r->b, f, b);
    run(r);
    check_task(r, a, 0, 2, LP_TRACE_NONE);
    check_task(r, f, 2, 5, a);
    check_task(r, b, 5, 9, f);
    check_path(r, 3, (uint32_t[]){a, f, b});
    assert_time(r->sum.step_time, 9);
    assert_time(r->sum.computation, 6);
    assert_time(r->sum.communication, 3);
    assert_time(r->sum.exposed, 3);
    assert_time(r->sum.waiting, 0);
    assert_time(r->sum.busy_area, 6);
    assert_time(r->sum.light_area, 3);
    assert_time(r->sum.worker_utilisation, 6.0 / 18);
    assert_int_equal(r->sum.peak_circuits, 1);
    assert_int_equal(r->sum.ticks, 3);
    assert_int_equal(r->sum.servers, 2);
    assert_int_equal(r->sum.channels, 1);
    assert_int_equal(r->sum.flows, 1);
    assert_time(r->sum.flow_bytes, 1);
}

/* a -> b on one server, joined by a transfer that is no flow: at once, and no communication. */
static void same_server(void **state) {
    Result *r = *state;
    sb_init(&r->b, 1, 1, 1);
    uint32_t a = sb_op(&r->b, 0, 2, 0), b = sb_op(&r->b, 0, 4, 1), d = sb_local(&r->b, 0);
    sb_edge(&r->b, a, d);
    sb_edge(&r->b, d, b);
    run(r);
    check_task(r, d, 2, 2, a);
    check_task(r, b, 2, 6, d);
    assert_time(r->sum.communication, 0);
    assert_time(r->sum.worker_utilisation, 1);
    assert_int_equal(r->sum.ticks, 2);
}

/* c becomes ready at the instant at which its server is freed, and is preferred to the waiting b.
 */
static void ready_before_start(void **state) {
    Result *r = *state;
    sb_init(&r->b, 1, 1, 1);
    uint32_t a = sb_op(&r->b, 0, 2, 0), b = sb_op(&r->b, 0, 4, 2), c = sb_op(&r->b, 0, 1, 1);
    uint32_t d = sb_local(&r->b, 0);
    sb_edge(&r->b, a, d);
    sb_edge(&r->b, d, c);
    run(r);
    check_task(r, c, 2, 3, d);
    check_task(r, b, 3, 7, c);
    check_path(r, 4, (uint32_t[]){a, d, c, b});
}

/* Three ready ops on one server run shortest first, as their priorities say; a running op is not
 * pre-empted by the shorter one that becomes ready meanwhile. */
static void shortest_first(void **state) {
    Result *r = *state;
    sb_init(&r->b, 2, 0, 0);
    uint32_t slow = sb_op(&r->b, 0, 5, 50), mid = sb_op(&r->b, 0, 4, 40);
    uint32_t quick = sb_op(&r->b, 0, 1, 10), other = sb_op(&r->b, 1, 2, 20);
    uint32_t late = sb_op(&r->b, 0, 1, 11);
    sb_edge(&r->b, other, late);
    run(r);
    check_task(r, quick, 0, 1, LP_TRACE_NONE);
    check_task(r, mid, 1, 5, quick);
    check_task(r, late, 5, 6, mid);
    check_task(r, slow, 6, 11, late);
    assert_time(r->sum.busy_area, 13);
    assert_time(r->sum.computation, 11);
}

/* Ops of no time end at the instant at which they start; all of it is one tick. */
static void no_time(void **state) {
    Result *r = *state;
    sb_init(&r->b, 1, 0, 0);
    uint32_t a = sb_op(&r->b, 0, 0, 0), b = sb_op(&r->b, 0, 0, 1), c = sb_op(&r->b, 0, 0, 2);
    sb_edge(&r->b, c, a);
    run(r);
    check_task(r, b, 0, 0, LP_TRACE_NONE);
    check_task(r, a, 0, 0, c);
    assert_time(r->sum.step_time, 0);
    assert_int_equal(r->sum.ticks, 1);
}

/* Ties among parents: the one of highest id released the child. */
static void last_parent(void **state) {
    Result *r = *state;
    sb_init(&r->b, 4, 0, 0);
    for (uint32_t s = 0; s < 3; s++)
        sb_op(&r->b, s, s == 1 ? 1 : 2, s);
    uint32_t child = sb_op(&r->b, 3, 1, 9);
    for (uint32_t s = 0; s < 3; s++)
        sb_edge(&r->b, s, child);
    run(r);
    check_task(r, child, 2, 3, 2);
}

/* Of the tasks that end last the one of lowest id ends the critical path. */
static void last_task(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    r->b.time[1] = r->b.time[2] = 2;
    run(r);
    check_path(r, 1, (uint32_t[]){1});
}

/* need below the number of parents: the first to end are enough. */
static void some_parents(void **state) {
    Result *r = *state;
    sb_init(&r->b, 3, 0, 0);
    uint32_t a = sb_op(&r->b, 0, 2, 0), b = sb_op(&r->b, 1, 5, 1), c = sb_op(&r->b, 2, 1, 2);
    sb_edge(&r->b, a, c);
    sb_edge(&r->b, b, c);
    r->b.need[c] = 1;
    run(r);
    check_task(r, c, 2, 3, a);
}

/* An op and a flow at the same time: communication that is not exposed. */
static void overlap(void **state) {
    Result *r = *state;
    sb_init(&r->b, 2, 2, 2);
    uint32_t a = sb_op(&r->b, 0, 2, 0), b = sb_op(&r->b, 0, 3, 1), c = sb_op(&r->b, 1, 1, 2);
    uint32_t f = flow(r, 0, 1, 5, 0);
    sb_edge(&r->b, a, f);
    sb_edge(&r->b, f, c);
    run(r);
    check_task(r, b, 2, 5, a);
    check_task(r, f, 2, 7, a);
    check_task(r, c, 7, 8, f);
    assert_time(r->sum.computation, 6);
    assert_time(r->sum.communication, 5);
    assert_time(r->sum.exposed, 2);
}

/* ---- flows ---- */

/* Two flows leave server 0 by one port: the preferred one first, the other waits 3 s. */
static void one_transmitter(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    uint32_t f = flow(r, 0, 1, 2, 8), g = flow(r, 0, 2, 3, 7);
    sb_edge(&r->b, 0, f);
    sb_edge(&r->b, 0, g);
    run(r);
    check_task(r, g, 1, 4, 0);
    check_task(r, f, 4, 6, g);
    assert_time(r->sum.waiting, 3);
    assert_time(r->sum.communication, 5);
    assert_int_equal(r->sum.peak_circuits, 1);
    check_path(r, 3, (uint32_t[]){0, g, f});
}

/* Two flows meet in one receiver. */
static void one_receiver(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    uint32_t f = flow(r, 0, 2, 2, 7), g = flow(r, 1, 2, 3, 8);
    sb_edge(&r->b, 0, f);
    sb_edge(&r->b, 1, g);
    run(r);
    check_task(r, f, 1, 3, 0);
    check_task(r, g, 3, 6, f);
    assert_time(r->sum.waiting, 2);
}

/* The same with nothing shared, by option or by fabric: both at once, both paths lit. */
static void nothing_shared(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    uint32_t f = flow(r, 0, 2, 2, 7), g = flow(r, 1, 2, 3, 8);
    r->b.graph.slot = 1;
    run_with(r, false);
    check_task(r, f, 0, 2, LP_TRACE_NONE);
    check_task(r, g, 0, 3, LP_TRACE_NONE);
    assert_time(r->sum.reconfiguration, 0);
    assert_time(r->sum.light_area, 5);
    assert_int_equal(r->sum.peak_circuits, 2);
    r->b.graph.tx_ports = r->b.graph.rx_ports = 0;
    for (uint32_t i = 0; i < 2; i++)
        r->b.tx[i] = r->b.rx[i] = LP_NO_PORT;
    run_with(r, true);
    check_task(r, g, 0, 3, LP_TRACE_NONE);
}

/* f holds 0 -> 2. g (0 -> 1) cannot start; h (1 -> 0), which comes after it, can. */
static void next_is_not_held_back(void **state) {
    Result *r = *state;
    sb_init(&r->b, 3, 3, 3);
    uint32_t f = flow(r, 0, 2, 5, 1), g = flow(r, 0, 1, 1, 2), h = flow(r, 1, 0, 1, 3);
    run(r);
    check_task(r, f, 0, 5, LP_TRACE_NONE);
    check_task(r, g, 5, 6, f);
    check_task(r, h, 0, 1, LP_TRACE_NONE);
}

/* Both ports must be free at once. g (0 -> 2) finds its receiver busy until 4; k (0 -> 1), of lower
 * priority, takes the transmitter meanwhile, so g starts only when k ends at 6. */
static void both_ports(void **state) {
    Result *r = *state;
    sb_init(&r->b, 3, 3, 3);
    uint32_t f = flow(r, 1, 2, 4, 1), g = flow(r, 0, 2, 1, 2), k = flow(r, 0, 1, 6, 3);
    run(r);
    check_task(r, f, 0, 4, LP_TRACE_NONE);
    check_task(r, k, 0, 6, LP_TRACE_NONE);
    check_task(r, g, 6, 7, k);
}

/* A port that is given back goes to the preferred of those that wait, whatever their channel. */
static void preferred_of_waiting(void **state) {
    Result *r = *state;
    sb_init(&r->b, 4, 4, 4);
    uint32_t f = flow(r, 0, 1, 2, 1), g = flow(r, 0, 2, 2, 4), h = flow(r, 0, 3, 2, 2);
    uint32_t k = flow(r, 0, 2, 2, 3);
    run(r);
    check_task(r, f, 0, 2, LP_TRACE_NONE);
    check_task(r, h, 2, 4, f);
    check_task(r, k, 4, 6, h);
    check_task(r, g, 6, 8, k);
    assert_time(r->sum.waiting, 12);
}

/* Priorities are unique by contract; where they are not, the lower id goes first. */
static void equal_priorities(void **state) {
    Result *r = *state;
    sb_init(&r->b, 3, 3, 3);
    uint32_t f = flow(r, 0, 1, 2, 1), g = flow(r, 0, 2, 2, 1);
    run(r);
    check_task(r, f, 0, 2, LP_TRACE_NONE);
    check_task(r, g, 2, 4, f);
}

/* slot 10: at first lighting, not for the same destination again, and for another one. */
static void slots(void **state) {
    Result *r = *state;
    sb_init(&r->b, 3, 3, 3);
    uint32_t f = flow(r, 0, 1, 1, 1), g = flow(r, 0, 1, 1, 2), h = flow(r, 0, 2, 1, 3);
    uint32_t k = flow(r, 0, 1, 1, 4);
    r->b.graph.slot = 10;
    run(r);
    check_task(r, f, 0, 11, LP_TRACE_NONE);
    check_task(r, g, 11, 12, f);
    check_task(r, h, 12, 23, g);
    check_task(r, k, 23, 34, h);
    assert_time(r->sum.reconfiguration, 30);
    assert_time(r->sum.light_area, 34);
}

/* ---- collectives ---- */

/* After a collective on the sender the port has to be turned again; a collective on the receiver
 * alone changes nothing. */
static void slot_after_collective(void **state) {
    Result *r = *state;
    for (uint32_t member = 0; member < 2; member++) {
        sb_init(&r->b, 2, 2, 2);
        r->b.graph.slot = 10;
        uint32_t f = flow(r, 0, 1, 1, 1), g = flow(r, 0, 1, 1, 2);
        uint32_t c = sb_collective(&r->b, 5);
        sb_member(&r->b, member);
        sb_edge(&r->b, f, c);
        sb_edge(&r->b, c, g);
        run(r);
        check_task(r, c, 11, 16, f);
        check_task(r, g, 16, member == 0 ? 27 : 17, c);
        assert_time(r->sum.reconfiguration, member == 0 ? 20 : 10);
    }
}

/* A collective over 0, 1, 2 (x = 4) becomes ready at 1 while f lights 1 -> 3 until 4. It waits; g
 * (2 -> 3), ready at 2, does not start before it; h (4 -> 5) touches none of its servers and does.
 */
static void collective_waits_and_blocks(void **state) {
    Result *r = *state;
    sb_init(&r->b, 6, 6, 6);
    r->b.graph.ports_per_server = 4;
    uint32_t a = sb_op(&r->b, 0, 1, 0), b = sb_op(&r->b, 2, 2, 1);
    uint32_t f = flow(r, 1, 3, 4, 1), g = flow(r, 2, 3, 1, 2), h = flow(r, 4, 5, 1, 3);
    uint32_t c = sb_collective(&r->b, 10);
    for (uint32_t s = 0; s < 3; s++)
        sb_member(&r->b, s);
    sb_edge(&r->b, a, c);
    sb_edge(&r->b, b, g);
    sb_edge(&r->b, b, h);
    run(r);
    check_task(r, f, 0, 4, LP_TRACE_NONE);
    check_task(r, c, 4, 14, f);
    check_task(r, g, 14, 15, c);
    check_task(r, h, 2, 3, b);
    check_path(r, 3, (uint32_t[]){f, c, g});
    assert_time(r->sum.waiting, 12);
    assert_int_equal(r->sum.peak_circuits, 12);
    assert_time(r->sum.light_area, 4 + 1 + 1 + 120);
    assert_time(r->sum.communication, 15);
    assert_time(r->sum.exposed, 13);
}

/* A collective that becomes ready at the instant of a flow is first in line, though flows start
 * before collectives: the flow touches its servers. */
static void collective_blocks_from_its_readiness(void **state) {
    Result *r = *state;
    ops_on(r, 2);
    uint32_t f = flow(r, 0, 1, 1, 0), c = sb_collective(&r->b, 2);
    sb_member(&r->b, 0);
    sb_member(&r->b, 1);
    sb_edge(&r->b, 0, f);
    sb_edge(&r->b, 1, c);
    run(r);
    check_task(r, c, 1, 3, 1);
    check_task(r, f, 3, 4, c);
}

/* c = {0,1}, d = {1,2}, e = {2,3}: by id c starts, d waits for c, e does not wait for the waiting
 * d; e ends first, d still waits for c. */
static void collectives_exclude(void **state) {
    Result *r = *state;
    sb_init(&r->b, 4, 4, 4);
    uint32_t id[3];
    for (uint32_t i = 0; i < 3; i++) {
        id[i] = sb_collective(&r->b, 3.0 - i);
        sb_member(&r->b, i);
        sb_member(&r->b, i + 1);
    }
    run(r);
    check_task(r, id[0], 0, 3, LP_TRACE_NONE);
    check_task(r, id[1], 3, 5, id[0]);
    check_task(r, id[2], 0, 1, LP_TRACE_NONE);
    run_with(r, false);
    check_task(r, id[1], 0, 2, LP_TRACE_NONE);
}

/* ---- refusals ---- */

static void refuse(Result *r, LpErr code, const char *part) {
    const LpStepGraph *g = sb_finish(&r->b);
    LpStepSummary sum = {.hash = 77};
    LpTrace trace = {.tasks = 77};
    assert_int_equal(lp_step_run_events(r->scratch, g, true, &sum, &trace, &r->diag), code);
    assert_non_null(strstr(r->diag.text, part));
    assert_true(sum.hash == 77 && trace.tasks == 77 && !trace.start); /* unchanged */
}

static void never_ready(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    sb_edge(&r->b, 1, 2);
    sb_edge(&r->b, 2, 1);
    refuse(r, LP_EREFUSED, "after 1 of 3 tasks: op part 1 still waits for 1");
    ops_on(r, 2);
    sb_edge(&r->b, 0, 1);
    r->b.need[1] = LP_NEVER;
    refuse(r, LP_EREFUSED, "after 1 of 2 tasks: op part 1 can never start");
}

static void bad_times(void **state) {
    Result *r = *state;
    ops_on(r, 2);
    r->b.time[1] = -1;
    refuse(r, LP_EREFUSED, "op part 1 takes -1 s");
    r->b.time[1] = 0.0 / r->b.graph.slot;
    refuse(r, LP_EREFUSED, "op part 1 takes");
    r->b.time[0] = r->b.time[1] = 1.7e308;
    sb_edge(&r->b, 0, 1);
    refuse(r, LP_EREFUSED, "longer than a number can hold");
}

static void bad_channels(void **state) {
    Result *r = *state;
    ops_on(r, 3);
    flow(r, 0, 1, 1, 0);
    flow(r, 0, 2, 1, 1);
    r->b.channel[1] = 0;
    refuse(r, LP_EINVAL, "flow 4 has other servers or ports");
    r->b.channel[1] = 2;
    refuse(r, LP_EINVAL, "flow 4 names a channel or port out of range");
    r->b.channel[1] = 1;
    r->b.dst[1] = 5;
    refuse(r, LP_EINVAL, "flow 4 joins servers outside the step");
}

/* The hash tells different steps apart. */
static void hashes(void **state) {
    Result *r = *state;
    ops_on(r, 2);
    run(r);
    uint64_t first = r->sum.hash;
    r->b.time[0] = 2;
    run(r);
    assert_true(r->sum.hash != first);
    r->b.time[0] = 1;
    run(r);
    assert_true(r->sum.hash == first);
}

TEST_GROUP(test_sim_step_events) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(empty_graph),
        CASE(two_ops_two_servers),
        CASE(same_server),
        CASE(ready_before_start),
        CASE(shortest_first),
        CASE(no_time),
        CASE(last_parent),
        CASE(last_task),
        CASE(some_parents),
        CASE(overlap),
        CASE(one_transmitter),
        CASE(one_receiver),
        CASE(nothing_shared),
        CASE(next_is_not_held_back),
        CASE(both_ports),
        CASE(preferred_of_waiting),
        CASE(equal_priorities),
        CASE(slots),
        CASE(slot_after_collective),
        CASE(collective_waits_and_blocks),
        CASE(collective_blocks_from_its_readiness),
        CASE(collectives_exclude),
        CASE(never_ready),
        CASE(bad_times),
        CASE(bad_channels),
        CASE(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
