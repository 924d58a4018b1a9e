/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps worked out by hand in which the order is everything: by rule, by a list that says the same,
 * and the other way round. */
#include "group.h"
#include "tiny.h"

#include "sim/context.h"
#include "sim/store/store.h"

enum { POLICY_ROOM = 1000 };

/* Ops 1 and 2 on server 0, op 3 on server 1, op 4 on server 2. */
static void write_policy(char *out, const char *hooks) {
    snprintf(out, POLICY_ROOM,
             "local policy = { name = 'hand', api = 1 }\n"
             "function policy:partition() return 1 end\n"
             "function policy:place() return { parts = { { 0 }, { 0 }, { 1 }, { 2 } } } end\n"
             "%s\nreturn policy\n",
             hooks);
}

/* Op 1 (2 s) and op 2 (1 s) start on server 0; op 1 feeds op 3 (5 s) and op 4 (1 s). The backward
 * pass takes no time. */
static double step_time(const char *hooks, double bytes, uint64_t *hash) {
    char policy[POLICY_ROOM];
    const TinyOp op[] = {{2, 0, bytes, 0}, {1, 0, 0, 0}, {5, 0, 0, 0}, {1, 0, 0, 0}};
    static const uint32_t edge[][2] = {{1, 3}, {1, 4}};
    char *graph = tiny_profile(op, 4, edge, 2);
    write_policy(policy, hooks);
    LpSession *s = tiny_open(
        &(Tiny){.cluster = "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 1,"
                           " \"racks_per_group\": 1, \"servers_per_rack\": 3,"
                           " \"node_bandwidth\": \"1 GB/s\", \"slot\": 0,"
                           " \"propagation_latency\": 0, \"io_latency\": 0 } }",
                .graph = {graph},
                .policy = policy});
    LpDiag diag = {0};
    bool stopped;
    free(graph);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    const LpJob *job = lp_world_job(lp_session_world(s), 0);
    if (job->outcome != LP_JOB_COMPLETED)
        fail_msg("%s", lp_session_why(s, 0).reason);
    double time = job->forecast.step_time;
    *hash = lp_store_step(lp_session_context(s)->store, job->placed.step)->hash;
    lp_session_close(s);
    return time;
}

typedef struct Hand {
    const char *hooks;
    double time;
} Hand;

/* All with the same time have the same step. */
static void check(const Hand *hand, size_t count, double bytes) {
    uint64_t hash[8];
    assert_true(count <= LP_COUNTOF(hash));
    for (size_t i = 0; i < count; i++) {
        double time = step_time(hand[i].hooks, bytes, &hash[i]);
        if (time != hand[i].time)
            fail_msg("%g s instead of %g s for\n%s", time, hand[i].time, hand[i].hooks);
        for (size_t k = 0; k < i; k++)
            assert_true((hash[i] == hash[k]) == (hand[i].time == hand[k].time));
    }
}

/* The shorter op 2 first: op 1 at 1 to 3 s, op 3 at 3 to 8 s. Op 1 first: one second less. */
static void test_parts(void **state) {
    (void)state;
    static const Hand hand[] = {
        {"", 8},
        {"function policy:order_ops() return 'srpt' end", 8},
        {"function policy:order_ops() return { 1, 2, 0, 0, 0, 0, 0, 0 } end", 8},
        {"function policy:order_ops() return { 0, 0, 0, 0, 0, 0, 0, 0 } end", 8},
        {"function policy:order_ops() return 'fifo' end", 7},
        {"function policy:order_ops() return { 2, 1, 0, 0, 0, 0, 0, 0 } end", 7},
        {"function policy:order_ops() return { -1, -1.5, 9, 0, 0, 0, 7, 0 } end", 7},
    };
    check(hand, LP_COUNTOF(hand), 0);
}

#define FLOWS(priority)                                                                            \
    "function policy:order_flows(job, flows)\n"                                                    \
    "  local list = {}\n"                                                                          \
    "  for i, flow in ipairs(flows) do\n"                                                          \
    "    assert(flow.bytes == 2e9 and flow.transfers == 1)\n"                                      \
    "    assert(flow.backward == (flow.to == 1) and flow.backward == (flow.target == 0))\n"        \
    "    list[i] = " priority "\n"                                                                 \
    "  end\n"                                                                                      \
    "  return list\n"                                                                              \
    "end"

/* Two flows of 2 s leave server 0 at 3 s. To op 3 first, which the lower op decides: it runs at 5
 * to 10 s, its gradient is back at 12 s; op 4's was at 10 s. To op 4 first: op 3 at 7 to 12 s. */
static void test_flows(void **state) {
    (void)state;
    static const Hand hand[] = {
        {"", 12},
        {"function policy:order_flows() return { 0, 0, 0, 0 } end", 12},
        {FLOWS("flow.to == 3 and 2 or 1"), 12},
        {FLOWS("flow.to == 4 and 1e-300 or 0"), 14},
        {FLOWS("flow.to == 3 and -1 or 0"), 14},
        {FLOWS("flow.backward and 5 or flow.to"), 14},
    };
    check(hand, LP_COUNTOF(hand), 2e9);
}

TEST_GROUP(test_orders_hand) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
