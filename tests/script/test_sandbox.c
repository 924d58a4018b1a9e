/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sandbox promises to scripts that mean well: order, texts, sort, budgets and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "group.h"
#include "lab.h"
#include "script/source/source.h"

#define POLICY(body)                                                                               \
    "local policy = { name = 'test', api = 1 }\n"                                                  \
    "function policy:partition(job, cluster)\n" body "\nend\n"                                     \
    "return policy\n"

/* Runs the body as a partition hook and compares its reason. */
static void check_why(const char *source, const char *why) {
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    if (lab_load(&lab, source) != LP_OK)
        fail_msg("does not load: %s", lab.diag.text);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    if (lab.failed)
        fail_msg("failed: %s", lab.diag.text);
    assert_string_equal(lab.answer.why, why);
    lab_close(&lab);
}

#define CHECK(body, why) check_why(POLICY(body), why)

static void check_fails(const char *source, const char *text, int line) {
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    if (lab_load(&lab, source) != LP_OK)
        fail_msg("does not load: %s", lab.diag.text);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    if (!strstr(lab.diag.text, text))
        fail_msg("expected \"%s\", got \"%s\"", text, lab.diag.text);
    assert_int_equal(lab.diag.line, line);
    assert_string_equal(lab.diag.file, "some/folder/test.lua");
    assert_int_equal(lab.answer.kind, LP_ANSWER_DECLINE);
    assert_int_equal(lab.answer.cause, LP_CAUSE_POLICY_ERROR);
    lab_close(&lab);
}

/* ---- order ---- */

static void pairs_goes_by_value_of_the_keys(void **state) {
    (void)state;
    CHECK("local t, out = { zeta = 1, alpha = 2, [10] = 3, [2] = 4, [-1.5] = 5, [true] = 6,"
          " [false] = 7, Beta = 8, [math.huge] = 9, [''] = 10 }, {}\n"
          "for k, v in pairs(t) do out[#out + 1] = tostring(k) .. '=' .. v end\n"
          "return 1, table.concat(out, ' ')",
          "-1.5=5 2=4 10=3 inf=9 =10 Beta=8 alpha=2 zeta=1 false=7 true=6");
    CHECK("local t, out = {}, {}\n"
          "for i = 1, 200 do t['k' .. i * 7919 % 200] = i end\n"
          "local last = ''\n"
          "for k in pairs(t) do if k <= last then return 1, 'unsorted' end last = k end\n"
          "return 1, 'sorted'",
          "sorted");
}

static void pairs_bears_changes_while_it_runs(void **state) {
    (void)state;
    CHECK("local t, n = { a = 1, b = 2, c = 3, d = 4 }, 0\n"
          "for k in pairs(t) do n = n + 1; t.c = nil; t[k] = 0; if k == 'a' then t.e = 1 end end\n"
          "return 1, tostring(n)",
          "3");
}

static void next_goes_the_same_way(void **state) {
    (void)state;
    CHECK("local t, out = { b = 1, a = 2, [3] = 3 }, {}\n"
          "local k, v = next(t)\n"
          "while k do out[#out + 1] = k; k = next(t, k) end\n"
          "return 1, table.concat(out, ' ') .. tostring(next({}))",
          "3 a bnil");
}

static void sort_is_stable_and_unmoved_by_errors(void **state) {
    (void)state;
    CHECK("local t = {}\n"
          "for i = 1, 500 do t[i] = { key = i * 7919 % 10, at = i } end\n"
          "table.sort(t, function(a, b) return a.key < b.key end)\n"
          "for i = 2, 500 do\n"
          "  local a, b = t[i - 1], t[i]\n"
          "  if a.key > b.key or (a.key == b.key and a.at > b.at) then return 1, 'bad' end\n"
          "end\n"
          "return 1, 'stable'",
          "stable");
    CHECK("local t = { 3, 1, 2 }\n"
          "local ok = pcall(table.sort, t, function() error('no') end)\n"
          "local u = { 5, 4, 3, 2, 1, 10, 9, 8, 7, 6, 0 }\n"
          "table.sort(u)\n"
          "return 1, tostring(ok) .. table.concat(t) .. table.concat(u, ',')",
          "false3120,1,2,3,4,5,6,7,8,9,10");
}

/* ---- tables and texts ---- */

static void tables_work_as_in_lua(void **state) {
    (void)state;
    CHECK("local t = { 1, 2, 3 }\n"
          "table.insert(t, 4) table.insert(t, 1, 0)\n"
          "local gone = table.remove(t, 2) .. table.remove(t)\n"
          "local moved = table.move({ 1, 2, 3 }, 2, 3, 1)\n"
          "local over = table.move({ 1, 2, 3, 4 }, 1, 3, 2)\n"
          "local packed = table.pack(1, nil, 3)\n"
          "return 1, table.concat(t, ' ') .. '|' .. gone .. '|' .. table.concat(moved, ' ')"
          " .. '|' .. table.concat(over, ' ') .. '|' .. packed.n .. '|'"
          " .. select('#', table.unpack({ 1, 2, 3 }, 2)) .. '|' .. tostring(table.remove({}))",
          "0 2 3|14|2 3 3|1 1 2 3|3|2|nil");
}

static void strings_work_as_in_lua(void **state) {
    (void)state;
    CHECK("local s = ('ab'):rep(3, '-')\n"
          "local a, b = s:find('b-', 1, true)\n"
          "return 1, s .. '|' .. a .. b .. '|' .. s:sub(-2) .. '|' .. s:upper() .. '|' .. #s .. '|'"
          " .. ('%5.2f|%d|%s|%q|%%'):format(3.14159, 42, true, 'x') .. '|'"
          " .. ('abc'):byte(-1) .. '|' .. string.char(65, 66) .. '|' .. ('x'):rep(0)"
          " .. tostring(s:find('nothing')) .. tostring(('a'):find('', 9))",
          "ab-ab-ab|23|ab|AB-AB-AB|8| 3.14|42|true|\"x\"|%|99|AB|nilnil");
}

static void texts_show_no_addresses(void **state) {
    (void)state;
    CHECK("return 1, tostring({}) .. tostring(print) .. tostring(job) .. tostring(cluster)"
          " .. ('%s %s'):format({}, job) .. tostring(0 / 0) .. tostring(nil)"
          " .. tostring(setmetatable({}, { __tostring = function() return '!' end }))",
          "tablefunctionjob 0clustertable job 0nannil!");
}

static void math_is_exact(void **state) {
    (void)state;
    CHECK("return 1, ('%d %d %.17g %.17g %d %s'):format(math.ceil(2.5), math.max(3, 1, 2),"
          " math.sqrt(2), math.log(8) / math.log(2), math.fmod(7, 3), math.type(1))",
          "3 3 1.4142135623730951 3 1 integer");
    CHECK("return 1, tostring(math.log(8, 2))", "3.0");
}

static void print_is_kept_for_the_host(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, POLICY("print('job', job.id, { 1 })\nprint('\\27[31m')")),
                     LP_OK);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lp_policy_take_output(lab.policy), "job\t0\ttable\n\\x1b[31m\n");
    assert_string_equal(lp_policy_take_output(lab.policy), "");
    assert_int_equal(lab_load(&lab, POLICY("for i = 1, 9999 do print('0123456789') end")), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    const char *text = lp_policy_take_output(lab.policy);
    assert_true(strlen(text) <= 16 * 1024 + 32);
    assert_non_null(strstr(text, "[the rest is cut]\n"));
    assert_string_equal(lp_policy_take_output(lab.policy), "");
    lab_close(&lab);
}

/* ---- budgets ---- */

static LpErr load_limited(Lab *lab, const char *source, LpPolicyLimits limits) {
    lp_policy_free(lab->policy);
    lab->policy = NULL;
    return lp_policy_load_text("test.lua", source, strlen(source), NULL, 0, lab->scenario, &limits,
                               NULL, &lab->policy, &lab->diag);
}

/* A hook of an earlier version is refused, unless the text comes from a session that has it. */
static void hooks_that_are_gone(void **state) {
    (void)state;
    static const char GONE[] =
        "return { name = 'p', api = 1, partition = function() return 1 end,\n"
        "  allocate = function() end }\n";
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    LpScriptServices services = {.saved = false};
    for (int saved = 0; saved < 2; saved++) {
        lp_policy_free(lab.policy);
        lab.policy = NULL;
        services.saved = saved == 1;
        LpErr err = lp_policy_load_text("gone.lua", GONE, strlen(GONE), NULL, 0, lab.scenario, NULL,
                                        &services, &lab.policy, &lab.diag);
        assert_int_equal(err, saved == 1 ? LP_OK : LP_ESCRIPT);
        if (saved == 0)
            assert_non_null(strstr(lab.diag.text, "'allocate', which is no hook any more"));
    }
    lab_close(&lab);
}

static void limits_are_kept(void **state) {
    (void)state;
    static const char LOOP[] = POLICY("for i = 1, 100000 do end return 1");
    static const char TABLE[] = POLICY("local t = {} for i = 1, 20000 do t[i] = i end return 1");
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(load_limited(&lab, LOOP, (LpPolicyLimits){.instructions = 50000}), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_int_equal(lab.diag.code, LP_EBUDGET);
    assert_non_null(strstr(lab.diag.text, "50000 instructions"));
    assert_int_equal(load_limited(&lab, LOOP, (LpPolicyLimits){.instructions = 500000}), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_false(lab.failed);
    LpPolicyUse use = lp_policy_use(lab.policy);
    assert_true(use.instructions >= 100000 && use.instructions < 500000);
    assert_int_equal(load_limited(&lab, TABLE, (LpPolicyLimits){.memory = 200000}), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_non_null(strstr(lab.diag.text, "a policy may use 195 KiB"));
    assert_int_equal(lab.diag.line, 3);
    assert_int_equal(load_limited(&lab, TABLE, (LpPolicyLimits){.memory = 2000000}), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_false(lab.failed);
    lab_close(&lab);
}

/* Wherever memory runs out, loading and asking end in order. */
/* Tables of texts, of whole numbers and of objects, filled and read: some instructions for each
 * key, and hardly more. 150000 are 3 % of a hook's budget. */
static void honest_tables_are_cheap(void **state) {
    (void)state;
    static const char *const HOOKS[] = {
        POLICY("local t, s = {}, 0\n"
               "for i = 1, 2400 do t['k'..i..'x'..job.id] = true end\n"
               "for i = 1, 2400 do if t['k'..i..'x'..job.id] then s = s + 1 end end\n"
               "return s == 2400 and 1 or nil"),
        POLICY("local t, s = {}, 0\n"
               "for i = 1, 3000 do t[i * 1000 + 7] = true end\n"
               "for i = 1, 3000 do if t[i * 1000 + 7] then s = s + 1 end end\n"
               "return s == 3000 and 1 or nil"),
        POLICY("local t, s = {}, 0\n"
               "for i = 1, 3000 do t[i + 0.25] = true end\n"
               "for i = 1, 3000 do if t[i + 0.25] then s = s + 1 end end\n"
               "return s == 3000 and 1 or nil")};
    for (size_t i = 0; i < LP_COUNTOF(HOOKS); i++) {
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        assert_true(lab_advance(&lab));
        assert_int_equal(lab_load(&lab, HOOKS[i]), LP_OK);
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_false(lab.failed);
        LpPolicyUse use = lp_policy_use(lab.policy);
        if (use.instructions >= 150000)
            fail_msg("hook %zu: %llu instructions", i, (unsigned long long)use.instructions);
        lab_close(&lab);
    }
}

static void every_memory_limit_is_survived(void **state) {
    (void)state;
    static const char SOURCE[] =
        "local policy = { name = 'test', api = 1, params = { a = { default = 1, doc = 'x' } } }\n"
        "function policy:partition(job, cluster)\n"
        "  local t, room = {}, {}\n"
        "  for i = 1, 60 do room[i] = { i, i } end\n"
        "  for k, v in pairs({ a = 1, b = 2 }) do t[#t + 1] = k .. v end\n"
        "  print(table.concat(t), job.hint.degree, cluster:predict(job, { degree = 2 }).jct)\n"
        "  pcall(error, { 'x' })\n"
        "  return { [1] = 2 }, ('%s'):format(self.p.a)\n"
        "end\n"
        "return policy\n";
    Lab lab;
    int loaded = 0, answered = 0;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    for (size_t memory = 1024; memory < 70000; memory += 97) {
        if (load_limited(&lab, SOURCE, (LpPolicyLimits){.memory = memory}) != LP_OK) {
            assert_null(lab.policy);
            continue;
        }
        loaded++;
        assert_int_equal(lab_ask(&lab), LP_OK);
        answered += !lab.failed;
        assert_true(lp_policy_use(lab.policy).memory <= memory);
    }
    assert_true(loaded > 0 && answered > 0 && answered < loaded);
    lab_close(&lab);
}

static void the_clock_stops_what_the_budget_does_not(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(load_limited(&lab, POLICY("while true do end"),
                                  (LpPolicyLimits){.instructions = UINT64_MAX, .seconds = 0.01}),
                     LP_OK);
    assert_int_equal(lab_ask(&lab), LP_EBUDGET);
    assert_non_null(strstr(lab.diag.text, "0.01 s of processor time"));
    lab_close(&lab);
}

/* A policy whose function g has `before`, `times` times, and then a mistake at the end of so many
 * fields; all its hook does is to catch that. */
static char *naming_policy(const char *before, int times, int fields) {
    LpBuf text = {0};
    lp_buf_add(&text, "local policy = { name = 'test', api = 1 }\n"
                      "local x, u = 1, {} u.a = u\n"
                      "function policy:partition()\n"
                      "local function g(go) if not go then ");
    for (int i = 0; i < times; i++)
        lp_buf_add(&text, before);
    lp_buf_add(&text, " end local y = u");
    for (int i = 0; i < fields; i++)
        lp_buf_add(&text, ".a");
    lp_buf_add(&text, ".b.c end\nwhile true do pcall(g, true) end\nend\nreturn policy\n");
    return text.text;
}

/* Lua names the value in an error by a walk over the function, once per field; the budget ends it
 * long before the clock would, so the end is the same on every machine. */
static void naming_a_value_has_its_price(void **state) {
    static const struct {
        const char *before;
        int times, fields;
    } ROWS[] = {{"x=x ", 120000, 1},           {"x=x ", 120000, 190},
                {"x=x ", 20000, 190},          {"x=x ", 500, 190},
                {"do local a end ", 32000, 1}, {"do local a end ", 32000, 190}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(ROWS); i++) {
        char *source = naming_policy(ROWS[i].before, ROWS[i].times, ROWS[i].fields);
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        if (lab_load(&lab, source) != LP_OK)
            fail_msg("does not load: %s", lab.diag.text);
        assert_true(lab_advance(&lab));
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_true(lab.failed);
        if (!strstr(lab.diag.text, "used up its budget"))
            fail_msg("row %zu: %s", i, lab.diag.text);
        lab_close(&lab);
        lp_free(source);
    }
}

static void functions_are_bounded(void **state) {
    static const struct {
        const char *before;
        int times, fields;
        const char *text;
    } ROWS[] = {{"x=x ", 140000, 1, "more than 262144 instructions"},
                {"", 0, 210, "more than 200 fields follow one another"},
                {"", 0, 100000, "more than 200 fields follow one another"}};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(ROWS); i++) {
        char *source = naming_policy(ROWS[i].before, ROWS[i].times, ROWS[i].fields);
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        assert_int_equal(lab_load(&lab, source), LP_ESCRIPT);
        if (!strstr(lab.diag.text, ROWS[i].text))
            fail_msg("row %zu: %s", i, lab.diag.text);
        assert_int_equal(lab.diag.line, 4);
        lab_close(&lab);
        lp_free(source);
    }
    /* a local variable is named at once, however often it goes on to its own field */
    LpBuf text = {0};
    lp_buf_add(&text, "local policy = { name = 'test', api = 1 }\n"
                      "function policy:partition()\n"
                      "local t = {} t.a = t\n");
    for (int i = 0; i < 1000; i++)
        lp_buf_add(&text, "t = t.a\n");
    lp_buf_add(&text, "return 1, 'fine' end return policy\n");
    check_why(text.text, "fine");
    lp_buf_fini(&text);
}

/* Functions in functions, each with many variables, and in the innermost so many uses of a name
 * that none of them has. */
static char *nested_policy(int depth, int locals, const char *uses, int times) {
    LpBuf text = {0};
    lp_buf_add(&text, "local policy = { name = 'test', api = 1 }\n");
    for (int i = 0; i < depth; i++) {
        lp_buf_add(&text, "local function f(p, ...)\nlocal v0");
        for (int v = 1; v < locals; v++)
            lp_buf_addf(&text, v == 3 ? ", v%d <const>" : ", v%d", v);
        lp_buf_add(&text, " -- [[ end\n if p then repeat local a until a end\n"
                          "local t = [=[ end ]] ]=] .. 'end\\'end' for i = 1, 2 do t = i end\n");
    }
    for (int i = 0; i < times; i++)
        lp_buf_add(&text, uses);
    for (int i = 0; i < depth; i++)
        lp_buf_add(&text, " end");
    lp_buf_add(&text, " function policy:partition() return 1 end return policy\n");
    return text.text;
}

/* The parser searches all of them for each use, in 10 s and more, and no hook sees it. */
static void names_in_a_source_have_their_price(void **state) {
    static const char *const USES[] = {"x=x ", "f'' ", "x'' ", "local a f'' ", "y.z=x "};
    static const char *const SHIPPED[] = {"pac_ml_queue", "defragment", "easy_backfill",
                                          "fewest_late", "ocs_eclipse"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(USES); i++) {
        char *source = nested_policy(50, 190, USES[i], 60000);
        Lab lab;
        lab_open(&lab, LAB_SCENARIO);
        assert_int_equal(lab_load(&lab, source), LP_EBUDGET);
        if (!strstr(lab.diag.text, "used up its budget"))
            fail_msg("%s: %s", USES[i], lab.diag.text);
        lab_close(&lab);
        lp_free(source);
        source = nested_policy(4, 20, USES[i], 150); /* an ordinary file is free */
        assert_true(lp_scopes_price(source, strlen(source)) == 0);
        lp_free(source);
    }
    for (size_t i = 0; i < LP_COUNTOF(SHIPPED); i++) {
        char path[300], text[200000];
        snprintf(path, sizeof path, LP_SOURCEDIR "/scripts/%s.lua", SHIPPED[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        size_t len = fread(text, 1, sizeof text, file);
        fclose(file);
        assert_true(len > 100);
        assert_true(lp_scopes_price(text, len) == 0);
    }
}

/* Many texts alone are no fault: ordinary ones do not fall in the same place. */
static void honest_texts_are_cheap(void **state) {
    (void)state;
    CHECK("local n = 0\n"
          "for i = 1, 100000 do n = n + #('job ' .. i) end\n"
          "return 1, tostring(n)",
          "888895");
}

static void a_failure_leaves_the_policy_usable(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_int_equal(lab_load(&lab, "local n = 0\n" POLICY("n = n + 1\n"
                                                           "assert(next(self.mem) == nil)\n"
                                                           "self.mem.n = n\n"
                                                           "if n == 1 then while true do end end\n"
                                                           "if n == 2 then error('x', 0) end\n"
                                                           "return 1, 'call ' .. n")),
                     LP_OK);
    lp_policy_let_last(lab.policy); /* the variable lasts, what was written to self.mem does not */
    assert_true(lab_advance(&lab));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_int_equal(lab.failed, i < 2);
    }
    assert_string_equal(lab.answer.why, "call 3");
    lab_close(&lab);
}

/* ---- errors ---- */

static void errors_name_the_line(void **state) {
    (void)state;
    check_fails(POLICY("local x = nil\nreturn x.y"), "attempt to index a nil value", 4);
    check_fails(POLICY("error('my message')"), "partition(job 0): my message", 3);
    check_fails(POLICY("error('my message', 0)"), "partition(job 0): my message", 3);
    check_fails(POLICY("local function deep()\nerror('blame the caller', 2)\nend\n\ndeep()"),
                "blame the caller", 7);
    check_fails(POLICY("\nreturn 'four'"), "returned \"four\"; expected a degree", 4);
    check_fails(POLICY("return 1\nend\nfunction policy:place()\nreturn 7"), "place(job 0)", 6);
    check_fails(POLICY("assert(job.id == 1, 'not that job')"), "not that job", 3);
    check_fails(POLICY("local a = jbo"), "unknown global 'jbo'", 3);
    check_fails(POLICY("cluster:prdict(job)"), "did you mean 'predict'?", 3);
}

static void the_deciding_line_is_known(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    assert_int_equal(lab_load(&lab, POLICY("local function f() return 1 end\n"
                                           "for i = 1, 3 do f() end\n"
                                           "if f() == 1 then\n"
                                           "  return 1, 'why'\n"
                                           "end\n"
                                           "return 2")),
                     LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.where, "test.lua:6");
    assert_int_equal(lab_load(&lab, POLICY("return self:helper()\nend\n"
                                           "function policy:helper()\n"
                                           "return 1")),
                     LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.where, "test.lua:6"); /* a tail call decides where it ends */
    lab_close(&lab);
}

TEST_GROUP(test_sandbox) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_goes_by_value_of_the_keys),
        cmocka_unit_test(pairs_bears_changes_while_it_runs),
        cmocka_unit_test(next_goes_the_same_way),
        cmocka_unit_test(sort_is_stable_and_unmoved_by_errors),
        cmocka_unit_test(tables_work_as_in_lua),
        cmocka_unit_test(strings_work_as_in_lua),
        cmocka_unit_test(texts_show_no_addresses),
        cmocka_unit_test(math_is_exact),
        cmocka_unit_test(print_is_kept_for_the_host),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(honest_tables_are_cheap),
        cmocka_unit_test(every_memory_limit_is_survived),
        cmocka_unit_test(the_clock_stops_what_the_budget_does_not),
        cmocka_unit_test(naming_a_value_has_its_price),
        cmocka_unit_test(functions_are_bounded),
        cmocka_unit_test(names_in_a_source_have_their_price),
        cmocka_unit_test(honest_texts_are_cheap),
        cmocka_unit_test(a_failure_leaves_the_policy_usable),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(the_deciding_line_is_known),
        cmocka_unit_test(hooks_that_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
