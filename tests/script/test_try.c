/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy can find out before it answers: costs of actions, the cluster after them, links,
 * matchings and graphs; and the files that it may require. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "lab.h"
#include "script/policy/api_table.h"

#define HEAD "local policy = { name = 'test', api = 1 }\n"
#define PARTITION(body)                                                                            \
    HEAD "function policy:partition(job, cluster)\n" body "\nend\nreturn policy\n"

/* Runs the body as partition of job 1, while job 0 runs on four of eight servers. */
static void check(const char *body) {
    Lab lab;
    LpEvent event;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    lab.answer = (LpAnswer){.kind = LP_ANSWER_RUN, .degree = 4};
    lab_apply(&lab, &event);
    assert_true(lab_advance(&lab));
    uint64_t before = lp_world_hash(lab.world);
    if (lab_load(&lab, body) != LP_OK || lab_ask(&lab) != LP_OK || lab.failed)
        fail_msg("line %d: %s", lab.diag.line, lab.diag.text);
    assert_true(lp_world_hash(lab.world) == before);
    lab_close(&lab);
}

static void actions_have_costs(void **state) {
    (void)state;
    check(PARTITION("local run = cluster.running[1]\n"
                    "local c = cluster:cost{ 'preempt', job = run }\n"
                    "assert(c.seconds == 0 and c.bytes == 0 and c.pauses)\n"
                    "c = cluster:cost{ 'resize', job = run, degree = 2 }\n"
                    "assert(c.seconds > 0 and c.bytes > 1e8 and c.pauses)\n"
                    "local none, cause, why = cluster:cost{ 'preempt', job = job }\n"
                    "assert(none == nil and cause == 'refused' and why:find('job 1', 1, true))\n"
                    "none, cause, why = cluster:cost{ 'regroup', links = {} }\n"
                    "assert(cause == 'refused' and why:find('ramp', 1, true))\n"
                    "assert(not cluster:cost{ 'wake', at = 1 }.pauses)\n"
                    "return 1"));
}

/* Tables that scripts are given have the fields of the documentation, and no others. */
static void plain_tables_are_as_documented(void **state) {
    (void)state;
    static const char *const GROUPS[] = {"cost", "link", "match", "graph"};
    LpBuf source = {0};
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    lp_buf_add(&source,
               HEAD "function policy:partition(job, cluster)\n"
                    "local real = { match = match, graph = graph,\n"
                    "  cost = cluster:cost{ 'preempt', job = 0 }, link = cluster:link(0, 1) }\n"
                    "local said = { cost = {}, link = {}, match = {}, graph = {} }\n");
    for (size_t g = 0; g < LP_COUNTOF(GROUPS); g++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(rows[i].group, GROUPS[g]) == 0)
                lp_buf_addf(&source, "said.%s.%s = true\n", GROUPS[g], rows[i].name);
    lp_buf_add(&source, "for group, fields in pairs(said) do\n"
                        "  for name in pairs(fields) do\n"
                        "    assert(real[group][name] ~= nil, group .. ' has no ' .. name)\n"
                        "  end\n"
                        "  for name in pairs(real[group]) do\n"
                        "    assert(fields[name], group .. '.' .. name .. ' is not documented')\n"
                        "  end\n"
                        "end\n"
                        "return 1\nend\nreturn policy\n");
    check(lp_buf_text(&source));
    lp_buf_fini(&source);
}

static void clusters_can_be_tried(void **state) {
    (void)state;
    check(PARTITION("assert(cluster.free == 4 and not cluster:fits(8))\n"
                    "local run = cluster.running[1]\n"
                    "local after = cluster:after{ { 'preempt', job = run } }\n"
                    "assert(after.free == 8 and after:fits(8) and #after.running == 0)\n"
                    "assert(#after.waiting == 1 and after.waiting[1].state == 'preempted')\n"
                    "assert(after.waiting[1].id == 0 and after.waiting[1] == run)\n"
                    "assert(#after:blocks(8) > 0 and #cluster:blocks(8) == 0)\n"
                    "local degrees = after:degrees(job)\n"
                    "assert(degrees[#degrees] == 8)\n"
                    "assert(after:predict(job, { degree = 8 }).feasible)\n"
                    "assert(not cluster:predict(job, { degree = 8 }).feasible)\n"
                    "assert(cluster.free == 4 and run.state == 'running' and #run.servers == 4)\n"
                    "assert(after.free == 8 and #cluster.running == 1 and #after.running == 0)\n"
                    "local again = after:after{ { 'resume', job = 0 } }\n"
                    "assert(again.free == 8 and again.waiting[1].state == 'deciding')\n"
                    "local none, cause, why = cluster:after{ { 'resume', job = run } }\n"
                    "assert(none == nil and cause == 'refused' and type(why) == 'string')\n"
                    "assert(cluster:after{ { 'wake', at = 9 } }.free == 4)\n"
                    "return 1"));
}

static void links_are_described(void **state) {
    (void)state;
    check(PARTITION("local l = cluster:link(0, 7)\n"
                    "assert(l.delay > 0 and l.loss == 0 and l.throughput > 1e9)\n"
                    "assert(l.measured_at == cluster.now and cluster:link(3, 3).delay == 0)\n"
                    "return 1"));
}

static void matchings_are_found(void **state) {
    (void)state;
    check(PARTITION("local W = { { 5, 4 }, { 4, 0 } }\n"
                    "local m = match.max_weight(W)\n"
                    "assert(m[1] == 2 and m[2] == 1 and match.value(W, m) == 8)\n"
                    "m = match.max_weight{ { 1, 0, 0 }, { 0, -2, 0 } }\n"
                    "assert(m[1] == 1 and m[2] == false and #m == 2)\n"
                    "assert(match.value({ { 3, 7 } }, { false }) == 0)\n"
                    "local a = match.assignment{ { 1, 9 }, { 9, 1 } }\n"
                    "assert(a[1] == 1 and a[2] == 2)\n"
                    "local terms, residue = match.bvn{ { 1, 3 }, { 3, 1 } }\n"
                    "local sum = 0\n"
                    "for _, t in ipairs(terms) do\n"
                    "  sum = sum + t.weight\n"
                    "  assert(t.match[1] ~= t.match[2])\n"
                    "end\n"
                    "assert(sum == 4 and #terms == 2 and residue == 0)\n"
                    "assert(#match.max_weight{} == 0)\n"
                    "return 1"));
}

static void graphs_are_walked(void **state) {
    (void)state;
    check(PARTITION(
        "local order, depth = graph.topological(3, { { 3, 2 }, { 2, 1 } })\n"
        "assert(order[1] == 3 and order[2] == 2 and order[3] == 1 and depth[1] == 2)\n"
        "local none, why = graph.topological(2, { { 1, 2 }, { 2, 1 } })\n"
        "assert(none == nil and type(why) == 'string')\n"
        "local value, flow = graph.max_flow(3, { { 1, 2, 5 }, { 2, 3, 3 }, { 1, 3, 1 } }, 1, 3)\n"
        "assert(value == 4 and flow[1] == 3 and flow[3] == 1)\n"
        "local d, last = graph.shortest(4, { { 1, 2, 1 }, { 2, 3, 1 }, { 1, 3, 5 } }, 1)\n"
        "assert(d[3] == 2 and last[3] == 2 and last[1] == false and d[4] == math.huge)\n"
        "return 1"));
}

static void what_is_missing_is_told(void **state) {
    (void)state;
    static const char SOURCE[] = PARTITION("match.max_weight{ { 1 } }");
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(lp_policy_load_text("test.lua", SOURCE, sizeof SOURCE - 1, NULL, 0,
                                         lab.scenario, NULL, NULL, &lab.policy, &lab.diag),
                     LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_non_null(strstr(lab.diag.text, "match.max_weight is not available here"));
    lab_close(&lab);
}

/* ---- require ---- */

static void put(const char *folder, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void drop(const char *folder, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void files_are_required(void **state) {
    (void)state;
    char folder[] = "/tmp/lightpath-require-XXXXXX", path[300];
    Lab lab;
    assert_non_null(mkdtemp(folder));
    put(folder, "b.lua", "local c = require('c')\nreturn { n = c + 1 }");
    put(folder, "c.lua", "return 4");
    put(folder, "main.lua",
        "local c, b = require('c'), require('b')\nassert(require('b') == b)\n" PARTITION(
            "return b.n - c, 'from ' .. require('b').n"));
    snprintf(path, sizeof path, "%s/main.lua", folder);
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    if (lab_load_file(&lab, path, NULL, 0) != LP_OK)
        fail_msg("%s", lab.diag.text);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.why, "from 5");
    assert_int_equal(lp_policy_files(lab.policy), 3);
    assert_string_equal(lp_policy_file(lab.policy, 0), path);
    assert_non_null(strstr(lp_policy_file(lab.policy, 1), "/b.lua"));
    assert_non_null(strstr(lp_policy_file(lab.policy, 2), "/c.lua"));
    uint64_t hash = lp_policy_hash(lab.policy);
    put(folder, "c.lua", "return 5");
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_OK);
    assert_true(lp_policy_hash(lab.policy) != hash);
    put(folder, "c.lua", "local x\nx()");
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_ESCRIPT);
    assert_non_null(strstr(lab.diag.file, "/c.lua"));
    assert_int_equal(lab.diag.line, 2);
    put(folder, "c.lua", "return require('b')");
    assert_int_equal(lab_load_file(&lab, path, NULL, 0), LP_ESCRIPT);
    assert_non_null(strstr(lab.diag.text, "require each other"));
    drop(folder, "b.lua");
    drop(folder, "c.lua");
    drop(folder, "main.lua");
    assert_int_equal(rmdir(folder), 0);
    lab_close(&lab);
}

TEST_GROUP(test_try) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_have_costs),      cmocka_unit_test(plain_tables_are_as_documented),
        cmocka_unit_test(clusters_can_be_tried),   cmocka_unit_test(links_are_described),
        cmocka_unit_test(matchings_are_found),     cmocka_unit_test(graphs_are_walked),
        cmocka_unit_test(what_is_missing_is_told), cmocka_unit_test(files_are_required),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
