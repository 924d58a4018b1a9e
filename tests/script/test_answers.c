/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What hooks may return and the answers that come of it. Forms that are refused are in hostile/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "degrees.h"
#include "group.h"
#include "lab.h"
#include "sim/forecast.h"

/* Asks about the first job of the lab, or the n-th decision. */
static void ask_nth(Lab *lab, const char *source, int n) {
    lab_open(lab, LAB_SCENARIO);
    if (lab_load(lab, source) != LP_OK)
        fail_msg("does not load: %s", lab->diag.text);
    for (int i = 0; i < n; i++) {
        LpEvent event;
        assert_true(lab_advance(lab));
        assert_int_equal(lab_ask(lab), LP_OK);
        if (lab->failed)
            fail_msg("failed: %s", lab->diag.text);
        if (i + 1 < n)
            lab_apply(lab, &event);
    }
}

static void ask(Lab *lab, const char *body) {
    char source[2000];
    snprintf(source, sizeof source,
             "local policy = { name = 'test', api = 1 }\nfunction policy:partition(job, cluster)\n"
             "%s\nend\nreturn policy\n",
             body);
    ask_nth(lab, source, 1);
}

static void a_degree(void **state) {
    (void)state;
    Lab lab;
    ask(&lab, "return 4, 'four is nice'");
    assert_int_equal(lab.answer.kind, LP_ANSWER_RUN);
    assert_int_equal(lab.answer.degree, 4);
    assert_null(lab.answer.ways);
    assert_int_equal(lab.answer.servers, 0);
    assert_int_equal(lab.answer.order_ops, LP_ORDER_SRPT);
    assert_string_equal(lab.answer.why, "four is nice");
    assert_string_equal(lab.answer.where, "test.lua:3");
    lab_close(&lab);
    ask(&lab, "return 4.0");
    assert_int_equal(lab.answer.degree, 4);
    assert_null(lab.answer.why);
    assert_string_equal(lab.answer.where, "test.lua:3");
    lab_close(&lab);
}

static void declining(void **state) {
    (void)state;
    static const char *const BODIES[] = {"return nil, 'no'", "return 0, 'no'", "return 0.0, 'no'"};
    for (size_t i = 0; i < LP_COUNTOF(BODIES); i++) {
        Lab lab;
        ask(&lab, BODIES[i]);
        assert_int_equal(lab.answer.kind, LP_ANSWER_DECLINE);
        assert_int_equal(lab.answer.cause, LP_CAUSE_DECLINED);
        assert_string_equal(lab.answer.why, "no");
        lab_close(&lab);
    }
    Lab lab;
    ask(&lab, "");
    assert_int_equal(lab.answer.kind, LP_ANSWER_DECLINE);
    assert_null(lab.answer.why);
    lab_close(&lab);
}

static void waiting(void **state) {
    (void)state;
    Lab lab;
    ask(&lab, "return 'wait', 'later'");
    assert_int_equal(lab.answer.kind, LP_ANSWER_WAIT);
    assert_false(lab.answer.has_retry);
    assert_string_equal(lab.answer.why, "later");
    lab_close(&lab);
    ask(&lab, "return 'wait', nil, { retry = 2.5 }");
    assert_true(lab.answer.has_retry);
    assert_true(lab.answer.retry == 2.5);
    lab_close(&lab);
    ask(&lab, "return 'wait', nil, { retry = 'on_complete' }");
    assert_int_equal(lab.answer.kind, LP_ANSWER_WAIT);
    assert_false(lab.answer.has_retry);
    lab_close(&lab);
}

static void ways_per_op(void **state) {
    (void)state;
    Lab lab;
    ask(&lab, "return { [1] = 2, [3] = 4, kind = 'data' }, 'uneven'");
    const LpGraph *graph = lab.scenario->graph[0];
    assert_int_equal(lab.answer.kind, LP_ANSWER_RUN);
    assert_non_null(lab.answer.ways);
    for (uint32_t op = 1; op <= graph->ops; op++)
        assert_int_equal(lab.answer.ways[graph->by_number[op]], op == 1 ? 2 : op == 3 ? 4 : 1);
    assert_int_equal(lab.answer.degree, 4);
    assert_true(lab.answer.has_partition_kind);
    assert_int_equal(lab.answer.partition_kind, LP_PARTITION_DATA);
    lab_close(&lab);
    ask(&lab, "return { degree = 2, kind = 'model' }");
    assert_null(lab.answer.ways);
    assert_int_equal(lab.answer.degree, 2);
    assert_true(lab.answer.has_partition_kind);
    lab_close(&lab);
    ask(&lab, "local ways = {} for i = 1, #job.ops do ways[i] = i % 2 + 1 end return ways");
    assert_int_equal(lab.answer.degree, 2);
    lab_close(&lab);
}

static void reasons_are_cut(void **state) {
    (void)state;
    Lab lab;
    ask(&lab, "return 1, ('\\u{e4}'):rep(5000)");
    assert_true(strlen(lab.answer.why) < LP_WHY_TEXT);
    assert_int_equal(strlen(lab.answer.why) % 2, 0); /* no half letter */
    lab_close(&lab);
    ask(&lab, "return 1, 42");
    assert_string_equal(lab.answer.why, "42");
    lab_close(&lab);
}

static void placing(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition() return 2, 'two' end\n"
            "function policy:place(job, cluster)\n"
            "  assert(job.degree == 2)\n"
            "  return { servers = { 5, 4 } }\n"
            "end\n"
            "return policy",
            1);
    assert_int_equal(lab.answer.servers, 2);
    assert_int_equal(lab.answer.server[0], 5);
    assert_int_equal(lab.answer.server[1], 4);
    assert_string_equal(lab.answer.why, "two"); /* the reason, and where it was given, stay */
    assert_string_equal(lab.answer.where, "test.lua:2");
    LpEvent event;
    lab_apply(&lab, &event);
    lab_close(&lab);
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition() return 1 end\n"
            "function policy:place(job, cluster)\n"
            "  local parts = {}\n"
            "  for i = 1, #job.ops do parts[i] = { i % 2 } end\n"
            "  return { parts = parts }, 'alternating'\n"
            "end\n"
            "return policy",
            1);
    const LpGraph *graph = lab.scenario->graph[0];
    for (uint32_t i = 0; i < graph->ops; i++) {
        assert_int_equal(lab.answer.part_begin[i + 1] - lab.answer.part_begin[i], 1);
        assert_int_equal(lab.answer.part_server[lab.answer.part_begin[i]], graph->op[i].number % 2);
    }
    assert_string_equal(lab.answer.why, "alternating");
    assert_string_equal(lab.answer.where, "test.lua:6");
    lab_close(&lab);
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition() return 2, 'two' end\n"
            "function policy:place() return nil, 'no good block' end\n"
            "return policy",
            1);
    assert_int_equal(lab.answer.kind, LP_ANSWER_DECLINE);
    assert_string_equal(lab.answer.why, "no good block");
    lab_close(&lab);
}

static void orders(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition() return 2 end\n"
            "function policy:order_ops() return 'critical_path' end\n"
            "function policy:order_flows(job, flows, cluster)\n"
            "  assert(#flows > 0 and cluster.now == 0)\n"
            "  return 'fifo', 'in order'\n"
            "end\n"
            "return policy",
            1);
    assert_int_equal(lab.answer.order_ops, LP_ORDER_CRITICAL_PATH);
    assert_int_equal(lab.answer.order_flows, LP_ORDER_FIFO);
    assert_string_equal(lab.answer.why, "in order");
    assert_string_equal(lab.answer.where, "test.lua:6");
    lab_close(&lab);
}

/* Priorities, one for each part and flow; the views say what they are for. */
static void own_orders(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition(job) assert(job.parts == nil) return 2 end\n"
            "function policy:place(job, cluster)\n"
            "  assert(job.parts == nil)\n"
            "  return { servers = cluster:blocks(2)[1].servers }\n"
            "end\n"
            "function policy:order_ops(job)\n"
            "  local list = {}\n"
            "  for i, part in ipairs(job.parts) do\n"
            "    assert(part.op >= 1 and part.op <= #job.ops and part.part <= 2)\n"
            "    assert(part.time >= 0 and part.server >= 0)\n"
            "    list[i] = part.backward and -i or i\n"
            "  end\n"
            "  return list\n"
            "end\n"
            "function policy:order_flows(job, flows, cluster)\n"
            "  local list = {}\n"
            "  assert(#flows > 0)\n"
            "  for i, flow in ipairs(flows) do\n"
            "    assert(flow.source ~= flow.target and flow.bytes > 0 and flow.transfers > 0)\n"
            "    assert(flow.from >= 1 and flow.to <= #job.ops)\n"
            "    assert(cluster:predict(job, { degree = 2, order_flows = 'fifo' }).feasible)\n"
            "    list[i] = flow.bytes\n"
            "  end\n"
            "  return list, 'large flows first'\n"
            "end\n"
            "return policy",
            1);
    LpForecast forecast;
    assert_non_null(lab.answer.op_priority);
    assert_true(lab.answer.op_priority[0] == 1);
    assert_non_null(lab.answer.flow_priority);
    assert_string_equal(lab.answer.why, "large flows first");
    assert_int_equal(lp_world_predict(lab.world, lab.context, 0, &lab.answer, &forecast, NULL),
                     LP_OK);
    assert_true(forecast.feasible);
    assert_int_equal(forecast.ops, lab.answer.op_priorities);
    lab.answer.op_priorities--;
    assert_int_equal(lp_world_predict(lab.world, lab.context, 0, &lab.answer, &forecast, NULL),
                     LP_OK);
    assert_false(forecast.feasible);
    assert_int_equal(forecast.cause, LP_CAUSE_REFUSED);
    char why[100];
    snprintf(why, sizeof why, "order_ops gives %u priorities; expected %u, one for each part",
             lab.answer.op_priorities, lab.answer.op_priorities + 1);
    assert_string_equal(forecast.why, why);
    lab_close(&lab);
}

/* Refused by the world, which says how many there must be; a metatable adds none. */
static void too_few_priorities(void **state) {
    (void)state;
    static const char *const lists[] = {"{}", "{ 1 }",
                                        ("setmetatable({}, { __len = function() return 1e9 end, "
                                         "__index = function() return 1 end })")};
    for (size_t i = 0; i < LP_COUNTOF(lists); i++) {
        Lab lab;
        LpForecast f;
        char source[400], text[60];
        snprintf(source, sizeof source,
                 "local policy = { name = 'test', api = 1 }\n"
                 "function policy:partition() return 2 end\n"
                 "function policy:order_flows(job, flows) return %s end\n"
                 "return policy",
                 lists[i]);
        ask_nth(&lab, source, 1);
        assert_non_null(lab.answer.flow_priority);
        assert_int_equal(lp_world_predict(lab.world, lab.context, 0, &lab.answer, &f, NULL), LP_OK);
        assert_int_equal(f.cause, LP_CAUSE_REFUSED);
        snprintf(text, sizeof text, "order_flows gives %d priorities; expected ", i == 1);
        assert_non_null(strstr(f.why, text));
        assert_non_null(strstr(f.why, ", one for each flow"));
        lab_close(&lab);
    }
}

/* What was answered before is what a prediction in the orders is for. */
static void predictions_of_orders(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition(job) return { degree = 2, kind = 'data' }, 'x' end\n"
            "function policy:place(job, cluster)\n"
            "  local blocks = cluster:blocks(2)\n"
            "  return { servers = blocks[#blocks].servers }\n"
            "end\n"
            "function policy:order_ops(job, cluster)\n"
            "  local by_rule, list = cluster:predict(job), {}\n"
            "  local blocks = cluster:blocks(2)\n"
            "  assert(by_rule.servers[1] == blocks[#blocks].servers[1])\n"
            "  assert(by_rule.ops == #job.parts)\n"
            "  for i = 1, #job.parts do list[i] = i end\n"
            "  assert(cluster:predict(job, { order_ops = list }).feasible)\n"
            "  list[#list] = nil\n"
            "  local short = cluster:predict(job, { order_ops = list })\n"
            "  assert(not short.feasible and short.cause == 'refused')\n"
            "  assert(short.why:find('expected ' .. #job.parts, 1, true))\n"
            "end\n"
            "return policy",
            1);
    assert_null(lab.answer.op_priority);
    lab_close(&lab);
}

/* Before anything is answered a forecast says what its lists are for. */
static void forecasts_have_parts(void **state) {
    (void)state;
    Lab lab;
    ask_nth(
        &lab,
        "local policy = { name = 'test', api = 1 }\n"
        "local function list(from)\n"
        "  local list = {}\n"
        "  for i in ipairs(from) do list[i] = -i end\n"
        "  return list\n"
        "end\n"
        "function policy:partition(job, cluster)\n"
        "  assert(job.parts == nil)\n"
        "  local two = cluster:predict(job, { degree = 2 })\n"
        "  local one = cluster:predict(job, { degree = 1 })\n"
        "  assert(#two.parts == two.ops and #one.parts == one.ops and two.ops > one.ops)\n"
        "  assert(#one.flows == 0 and #two.flows > 0)\n"
        "  for i, flow in ipairs(two.flows) do\n"
        "    assert(#one.flows == 0)\n" /* to and fro */
        "    assert(flow.source ~= flow.target and flow.bytes > 0)\n"
        "  end\n"
        "  local held = {}\n"
        "  for _, id in ipairs(two.servers) do held[id] = true end\n"
        "  for i, part in ipairs(two.parts) do assert(held[part.server] and part.time >= 0) end\n"
        "  local own = cluster:predict(job, { degree = 2, order_ops = list(two.parts),\n"
        "                                     order_flows = list(two.flows) })\n"
        "  assert(own.feasible)\n"
        "  own = cluster:predict(job, { degree = 1, order_flows = list(two.flows) })\n"
        "  assert(not own.feasible and own.parts == nil and own.flows == nil)\n"
        "  return 2, two.parts[1].op .. ' ' .. #two.parts\n"
        "end\n"
        "function policy:order_ops(job, cluster)\n"
        "  local forecast = cluster:predict(job)\n"
        "  for i, part in ipairs(job.parts) do\n"
        "    local other = forecast.parts[i]\n"
        "    assert(part.op == other.op and part.server == other.server)\n"
        "  end\n"
        "  return list(forecast.parts)\n"
        "end\n"
        "return policy",
        1);
    assert_non_null(lab.answer.op_priority);
    lab_close(&lab);
}

/* Hooks that are missing are answered by the engine. */
static void defaults(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:order_ops() return nil end\n"
            "return policy",
            1);
    uint32_t degrees[64];
    uint32_t count = allowed_degrees(lab.world, lab.context, 0, 0, degrees, 64);
    assert_true(count > 0);
    assert_int_equal(lab.answer.kind, LP_ANSWER_RUN);
    assert_int_equal(lab.answer.degree, degrees[count - 1]);
    assert_int_equal(lab.answer.order_ops, LP_ORDER_SRPT);
    lab_close(&lab);
}

/* The third job is rigid: it is placed, not partitioned. */
static void rigid_jobs(void **state) {
    (void)state;
    Lab lab;
    ask_nth(&lab,
            "local policy = { name = 'test', api = 1 }\n"
            "function policy:partition(job) assert(job.graph) return 1 end\n"
            "function policy:place(job, cluster)\n"
            "  if not job.rigid then return { servers = { cluster.servers - 1 - job.id } } end\n"
            "  assert(job.rigid == 2 and job.duration == 10 and not job.ops and not job.graph)\n"
            "  return { servers = { 0, 1 } }, 'rigid'\n"
            "end\n"
            "function policy:order_ops(job) assert(job.graph) return 'fifo' end\n"
            "return policy",
            3);
    assert_int_equal(lab.answer.kind, LP_ANSWER_RUN);
    assert_int_equal(lab.answer.servers, 2);
    assert_string_equal(lab.answer.why, "rigid");
    LpEvent event;
    lab_apply(&lab, &event);
    assert_int_equal(event.kind, LP_EVENT_START);
    assert_true(lab_advance(&lab));
    lab_close(&lab);
}

static void check_limit(const char *source, size_t most, const char *message) {
    Lab lab;
    LpPolicyLimits limits = {.result = most};
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(lp_policy_load_text("test.lua", source, strlen(source), NULL, 0, lab.scenario,
                                         &limits, NULL, &lab.policy, NULL),
                     LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_int_equal(lab.failed, message != NULL);
    if (message != NULL)
        assert_non_null(strstr(lab.diag.text, message));
    lab_close(&lab);
}

static void lists_have_a_limit(void **state) {
    (void)state;
    static const char PLACE[] = "local policy = { name = 'test', api = 1 }\n"
                                "function policy:partition() return 2 end\n"
                                "function policy:place() return { servers = { 0, 1, 2 } } end\n"
                                "return policy";
    static const char ORDER[] = "local policy = { name = 'test', api = 1 }\n"
                                "function policy:partition() return 2 end\n"
                                "function policy:order_ops() return { 1, 2, 3 } end\n"
                                "return policy";
    check_limit(PLACE, 100, NULL);
    check_limit(PLACE, 2, "at most 2 are allowed");
    check_limit(ORDER, 3, NULL);
    check_limit(ORDER, 2, "is a list of 3 entries; at most 2 are allowed");
}

TEST_GROUP(test_answers) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_degree),
        cmocka_unit_test(declining),
        cmocka_unit_test(waiting),
        cmocka_unit_test(ways_per_op),
        cmocka_unit_test(reasons_are_cut),
        cmocka_unit_test(placing),
        cmocka_unit_test(orders),
        cmocka_unit_test(own_orders),
        cmocka_unit_test(too_few_priorities),
        cmocka_unit_test(predictions_of_orders),
        cmocka_unit_test(forecasts_have_parts),
        cmocka_unit_test(defaults),
        cmocka_unit_test(rigid_jobs),
        cmocka_unit_test(lists_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
