/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of the API: every documented field is there with the documented type, agrees with the
 * engine, and dies with the call. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "lab.h"
#include "script/policy/api_table.h"
#include "sim/forecast.h"
#include "sim/world.h"

#define POLICY(body)                                                                               \
    "local policy = { name = 'test', api = 1 }\n"                                                  \
    "function policy:partition(job, cluster)\n" body "\nend\n"                                     \
    "return policy\n"

static void must_ask(Lab *lab) {
    assert_int_equal(lab_ask(lab), LP_OK);
    if (lab->failed)
        fail_msg("line %d: %s", lab->diag.line, lab->diag.text);
}

static void open_with(Lab *lab, const char *source) {
    lab_open(lab, LAB_SCENARIO);
    if (lab_load(lab, source) != LP_OK)
        fail_msg("does not load: %s", lab->diag.text);
    assert_true(lab_advance(lab));
}

/* Asks once and compares the reason. */
static void check_why(const char *source, const char *why) {
    Lab lab;
    open_with(&lab, source);
    must_ask(&lab);
    assert_string_equal(lab.answer.why, why);
    lab_close(&lab);
}

#define CHECK(body, why) check_why(POLICY(body), why)

/* ---- documented fields ---- */

static void check_row(LpBuf *source, const LpApiRow *row) {
    lp_buf_addf(source, "check('%s', '%s', views['%s'], [==[", row->group, row->name, row->group);
    lp_api_describe(source, row);
    lp_buf_add(source, "]==])\n");
}

/* Reads every field of every group; the documentation's word for its type must be the truth. */
static void every_documented_field_exists(void **state) {
    (void)state;
    static const char CHECKER[] =
        "local function check(group, name, object, said)\n"
        "  local value = object[name]\n"
        "  local kind = math.type(value) or type(value)\n"
        "  local known = { float = 'number', userdata = 'list', table = '{', ['function'] = ':' }\n"
        "  local word = known[kind] or kind\n"
        "  if value == nil then\n"
        "    assert(said:find('nil', 1, true), group .. '.' .. name .. ' is nil')\n"
        "  elseif not said:find(word, 1, true) and not said:find('any', 1, true) then\n"
        "    error(group .. '.' .. name .. ' is ' .. kind .. ', documented as ' .. said)\n"
        "  end\n"
        "end\n"
        "local options = { degree = 2, kind = 'model', servers = { 0, 1 }, order_ops = 'fifo',"
        " order_flows = 'fifo' }\n"
        "local forecast = cluster:predict(job, options)\n"
        "assert(forecast.feasible, forecast.why)\n"
        "local views = { cluster = cluster, job = job, op = job.ops[1], dep = job.deps[1],"
        " forecast = forecast, block = cluster:blocks(2, { shape = '2x1x1', limit = 1 })[1] }\n";
    LpBuf source = {0};
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    lp_buf_addf(&source,
                "local policy = { name = 'test', api = 1 }\n"
                "function policy:partition(job, cluster)\n%s",
                CHECKER);
    for (size_t i = 0; i < count; i++)
        if (strstr("cluster job op dep forecast block", rows[i].group))
            check_row(&source, &rows[i]);
    lp_buf_add(&source, "return 2, 'all there'\nend\nreturn policy\n");
    check_why(lp_buf_text(&source), "all there");
    lp_buf_fini(&source);
}

static void the_table_is_complete(void **state) {
    (void)state;
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    assert_true(count > 60);
    for (size_t i = 0; i < count; i++) {
        LpBuf said = {0};
        lp_api_describe(&said, &rows[i]);
        assert_true(strlen(rows[i].name) > 0 && said.len > 0);
        lp_buf_fini(&said);
        assert_true(strlen(rows[i].doc) > 0);
        for (size_t j = 0; j < i; j++)
            assert_false(strcmp(rows[i].group, rows[j].group) == 0 &&
                         strcmp(rows[i].name, rows[j].name) == 0);
    }
}

/* ---- values ---- */

static void a_job_as_it_arrives(void **state) {
    (void)state;
    Lab lab;
    char expected[400];
    open_with(&lab,
              POLICY("return 1, ('%d %s %s %s %.17g %.17g %.17g %d %.17g %.17g %.17g %d %d %s %s"
                     " %d %g'):format(job.id, job.graph, job.kind, job.state, job.arrival,"
                     " job.waited, job.deadline, job.steps, job.sequential_jct, job.max_jct,"
                     " job.max_jct_fraction, #job.ops, #job.deps, job.degree, job.finish,"
                     " #job.servers, job.attained)"));
    must_ask(&lab);
    const LpJob *job = lab_due(&lab);
    const LpGraph *graph = lab.scenario->graph[0];
    snprintf(expected, sizeof expected,
             "0 alexnet model deciding 0 0 %.17g 50 %.17g %.17g 0.5 %u %u nil nil 0 0",
             lp_job_deadline(job), job->asked.sequential_jct, job->asked.max_jct,
             (unsigned)graph->ops, (unsigned)graph->edges);
    expected[LP_WHY_TEXT - 1] = '\0';
    assert_string_equal(lab.answer.why, expected);
    lab_close(&lab);
}

static void a_graph_op_by_op(void **state) {
    (void)state;
    Lab lab;
    open_with(&lab, POLICY("local f, b, a, p, bytes = 0, 0, 0, 0, 0\n"
                           "for i, op in ipairs(job.ops) do\n"
                           "  assert(op.number == i and #op.name > 0)\n"
                           "  f = f + op.forward b = b + op.backward\n"
                           "  a = a + op.activation p = p + op.parameters\n"
                           "end\n"
                           "for _, dep in ipairs(job.deps) do\n"
                           "  assert(job.ops[dep.from] and job.ops[dep.to] and"
                           " dep.bytes == job.ops[dep.from].activation)\n"
                           "end\n"
                           "assert(job.ops[0] == nil and job.ops[#job.ops + 1] == nil)\n"
                           "return 1, ('%.9g %.9g %.9g %.9g'):format(f, b, a, p)"));
    must_ask(&lab);
    const LpGraph *graph = lab.scenario->graph[0];
    char expected[200];
    snprintf(expected, sizeof expected, "%.9g %.9g %.9g %.9g", graph->forward_sum,
             graph->backward_sum, graph->activation_sum, graph->parameter_sum);
    assert_string_equal(lab.answer.why, expected);
    lab_close(&lab);
}

static void a_hint_is_read_only_data(void **state) {
    (void)state;
    CHECK("local hint, out = job.hint, {}\n"
          "for key in pairs(hint) do out[#out + 1] = key end\n"
          "local written = pcall(function() hint.degree = 5 end)\n"
          "return hint.degree, table.concat(out, ' ') .. ' ' .. #hint.list .. ' '"
          " .. table.concat(hint.list, ',') .. ' ' .. tostring(hint.yes) .. ' '"
          " .. tostring(hint.missing) .. ' ' .. tostring(written) .. ' '"
          " .. math.type(hint.degree) .. ' ' .. math.type(hint.list[2])",
          "degree list yes 3 1,2.5,x true nil false integer float");
}

static void the_cluster_empty(void **state) {
    (void)state;
    CHECK("return 1, ('%g %d %d %g %d %d %d %d %s %d %d %d %s'):format(cluster.now,"
          " cluster.servers, cluster.free, cluster.busy, #cluster.running, #cluster.waiting,"
          " cluster.queue_capacity, cluster.max_degree, cluster.fabric, cluster.groups,"
          " cluster.racks, cluster.servers_per_rack, cluster:is_free(7))",
          "0 8 8 0 0 0 10 8 ramp 2 2 2 true");
}

/* The first job runs on two servers, the second waits, the third asks. */
static void the_cluster_in_use(void **state) {
    (void)state;
    static const char SOURCE[] =
        "local policy = { name = 'test', api = 1 }\n"
        "function policy:partition(job, cluster)\n"
        "  if job.id == 0 then return 4 end\n"
        "  if job.id == 1 then return 'wait', 'later', { retry = 1000 } end\n"
        "  assert(job.id == 3)\n"
        "  local a, b = cluster.running[1], cluster.waiting[1]\n"
        "  assert(a == cluster.running[1] and a ~= b and cluster.running[3] == nil)\n"
        "  assert(a.id == 0 and a.state == 'running' and a.degree == 4 and #a.servers == 4)\n"
        "  for _, id in ipairs(a.servers) do assert(not cluster:is_free(id)) end\n"
        "  assert(a.start == 0 and a.finish > cluster.now)\n"
        "  assert(a.remaining == a.finish - cluster.now and a.waited == 0)\n"
        "  assert(a.attained == 4 * cluster.now)\n"
        "  assert(b.id == 1 and b.state == 'waiting' and b.finish == nil and #b.servers == 0)\n"
        "  assert(b.waited == cluster.now - b.arrival)\n"
        "  assert(b.deadline == math.huge and b.max_jct_fraction == nil)\n"
        "  local ids = {}\n"
        "  for i, other in ipairs(cluster.running) do ids[i] = other.id end\n"
        "  return 1, ('%d %g %d %s %d %s'):format(cluster.free, cluster.busy, #cluster.running,"
        " table.concat(ids, ','), #cluster.waiting, tostring(cluster:predict(b, { degree = 1 })"
        ".feasible))\n"
        "end\n"
        "return policy\n";
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, SOURCE), LP_OK);
    while (lab_advance(&lab)) {
        LpEvent event;
        must_ask(&lab);
        if (lab_due(&lab)->id == 3)
            break;
        lab_apply(&lab, &event);
    }
    assert_string_equal(lab.answer.why, "2 0.75 2 0,2 1 true");
    lab_close(&lab);
}

static void degrees_fits_and_blocks(void **state) {
    (void)state;
    CHECK("return 1, table.concat(cluster:degrees(job), ' ') .. '|'"
          " .. table.concat(cluster:degrees(job, 2), ' ') .. '|' .. tostring(cluster:fits(8))"
          " .. tostring(cluster:fits(9)) .. tostring(cluster:fits(0))",
          "1 2 4 8|1 2|truefalsefalse");
    CHECK("local out = {}\n"
          "for i, block in ipairs(cluster:blocks(4)) do\n"
          "  assert(#block.servers == 4)\n"
          "  out[i] = block.shape .. ':' .. table.concat(block.servers, ',') .. ':'"
          " .. block.largest_left\n"
          "  if i == 2 then break end\n"
          "end\n"
          "return 1, table.concat(out, ' ') .. ' ' .. #cluster:blocks(4, { limit = 3 }) .. ' '"
          " .. cluster:blocks(4, { shape = '1x2x2' })[1].shape .. ' ' .. #cluster:blocks(99)",
          "2x2x1:0,2,4,6:4 2x2x1:1,3,5,7:4 3 1x2x2 0");
}

static void a_forecast_is_the_engines(void **state) {
    (void)state;
    Lab lab;
    LpForecast forecast;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 4};
    char expected[400];
    open_with(&lab, POLICY("local f = cluster:predict(job, { degree = 4 })\n"
                           "local g = cluster:predict(job, { degree = 4, servers = f.servers })\n"
                           "assert(g.jct == f.jct and g.finish == f.finish)\n"
                           "return 4, ('%s %s %.17g %.17g %.17g %d %d %d %d %s %s'):format("
                           "f.feasible, f.cause, f.jct, f.step_time, f.exposed, f.degree,"
                           " f.partition_degree, f.ops, f.deps, f.shape,"
                           " table.concat(f.servers, ','))"));
    must_ask(&lab);
    assert_int_equal(lp_policy_use(lab.policy).predictions, 2);
    assert_int_equal(lp_world_predict(lab.world, lab.context, 0, &answer, &forecast, &lab.diag),
                     LP_OK);
    snprintf(expected, sizeof expected, "true nil %.17g %.17g %.17g 4 %u %u %u 2x2x1 0,2,4,6",
             forecast.jct, forecast.step_time, forecast.exposed,
             (unsigned)forecast.partition_degree, (unsigned)forecast.ops, (unsigned)forecast.deps);
    assert_string_equal(lab.answer.why, expected);
    lab_close(&lab);
}

static void what_cannot_be_is_told(void **state) {
    (void)state;
    CHECK("local f = cluster:predict(job, { degree = 4, servers = { 0, 0, 0, 0 } })\n"
          "assert(not f.feasible and f.jct == nil and #f.servers == 0 and f.shape == nil)\n"
          "assert(#f.why > 10, 'a sentence')\n"
          "local late = cluster:predict(job, { degree = 1 })\n"
          "return 1, f.cause .. ' ' .. late.cause .. ' ' .. tostring(late.feasible)",
          "refused deadline true");
}

/* In place, what partition answered is the default of predict. */
static void predict_in_place(void **state) {
    (void)state;
    check_why("local policy = { name = 'test', api = 1 }\n"
              "function policy:partition() return 2 end\n"
              "function policy:place(job, cluster)\n"
              "  local f = cluster:predict(job, { servers = { 1, 3 } })\n"
              "  local g = cluster:predict(job)\n"
              "  return { servers = f.servers }, f.degree .. ' ' .. table.concat(f.servers, ',')"
              " .. ' ' .. tostring(g.jct == f.jct)\n"
              "end\n"
              "return policy\n",
              "2 1,3 true");
}

/* ---- life ---- */

static void views_die_with_the_call(void **state) {
    (void)state;
    Lab lab;
    LpEvent event;
    open_with(&lab, "local kept\n"
                    "local policy = { name = 'test', api = 1 }\n"
                    "function policy:partition(job, cluster)\n"
                    "  if not kept then\n"
                    "    kept = { job, cluster.running, job.ops, job.ops[1],"
                    " cluster:predict(job, { degree = 1 }), cluster:blocks(1)[1],"
                    " cluster:after{} }\n"
                    "    return 1\n"
                    "  end\n"
                    "  local n = 0\n"
                    "  for _, view in ipairs(kept) do\n"
                    "    local ok, message = pcall(function() return view.id end)\n"
                    "    if not ok and message:find('kept from an earlier call', 1, true) then"
                    " n = n + 1 end\n"
                    "  end\n"
                    "  assert(kept[1] ~= job)\n"
                    "  return 1, tostring(n)\n"
                    "end\n"
                    "return policy\n");
    lp_policy_let_last(lab.policy); /* or nothing could be kept */
    must_ask(&lab);
    lab_apply(&lab, &event);
    assert_true(lab_advance(&lab));
    must_ask(&lab);
    assert_string_equal(lab.answer.why, "7");
    lab_close(&lab);
}

static void rand_is_the_given_stream(void **state) {
    (void)state;
    Lab lab;
    char expected[200];
    open_with(&lab, POLICY("return 1, ('%.17g %d %d'):format(self:rand(), self:rand(6),"
                           " self:rand(1))"));
    LpRng copy = *lp_world_policy_rng(lab.world);
    must_ask(&lab);
    double unit = lp_rng_unit(&copy);
    unsigned die = (unsigned)lp_rng_below(&copy, 6) + 1;
    snprintf(expected, sizeof expected, "%.17g %u 1", unit, die);
    assert_string_equal(lab.answer.why, expected);
    (void)lp_rng_below(&copy, 1);
    assert_memory_equal(&copy, lp_world_policy_rng(lab.world), sizeof copy);
    lab_close(&lab);
}

static void mem_lasts(void **state) {
    (void)state;
    Lab lab;
    open_with(&lab, POLICY("self.mem.calls = (self.mem.calls or 0) + 1\n"
                           "return 1, tostring(self.mem.calls)"));
    must_ask(&lab);
    must_ask(&lab);
    assert_string_equal(lab.answer.why, "2");
    lab_close(&lab);
}

/* Asking changes nothing in the world but the policy's stream. */
static void asking_changes_nothing(void **state) {
    (void)state;
    Lab lab;
    open_with(&lab, POLICY("for _, d in ipairs(cluster:degrees(job)) do"
                           " cluster:predict(job, { degree = d }) end\n"
                           "for _, b in ipairs(cluster:blocks(2)) do local n = b.largest_left end\n"
                           "return 2"));
    uint64_t before = lp_world_hash(lab.world);
    must_ask(&lab);
    assert_true(lp_world_hash(lab.world) == before);
    lab_close(&lab);
}

TEST_GROUP(test_api) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_documented_field_exists),
        cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(a_job_as_it_arrives),
        cmocka_unit_test(a_graph_op_by_op),
        cmocka_unit_test(a_hint_is_read_only_data),
        cmocka_unit_test(the_cluster_empty),
        cmocka_unit_test(the_cluster_in_use),
        cmocka_unit_test(degrees_fits_and_blocks),
        cmocka_unit_test(a_forecast_is_the_engines),
        cmocka_unit_test(what_cannot_be_is_told),
        cmocka_unit_test(predict_in_place),
        cmocka_unit_test(views_die_with_the_call),
        cmocka_unit_test(rand_is_the_given_stream),
        cmocka_unit_test(mem_lasts),
        cmocka_unit_test(asking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
