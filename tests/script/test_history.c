/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy decides, and what that takes, follows from what it is asked, not from what it was
 * asked before: nothing of an earlier call is left, neither variables, garbage, sizes of tables,
 * addresses of objects nor prices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "lab.h"

/* Says all that could tell: a variable of the file, the length of lists with holes in tables that
 * were there before (one of them self.mem), with objects as keys, and what was made before. `what`
 * is a parameter so that the same policy can be told to do other things. */
static const char SOURCE[] =
    "local policy = { name = 'history', api = 1 }\n"
    "local count, lasting, busy = 0, {}, {}\n"
    "function policy:partition(job, cluster)\n"
    "  count = count + 1\n"
    "  local m, sum = self.mem, 0\n"
    "  if job.id % 2 == 1 then\n" /* leave as much behind as can be */
    "    for i = 1, 200 do m[i] = i end\n"
    "    for i = 9, 200 do m[i] = nil end\n"
    "    for i = 1, 3000 do lasting[i], busy['k' .. i] = i, { i } end\n"
    "    for i = 1, 250 do busy[i * 0x7fffffff] = i end\n"
    "    for i = 4, 3000 do lasting[i] = nil end\n"
    "    local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end\n"
    "    deep(150)\n"
    "    if job.id == 3 then ('x'):rep(1 << 20) end\n"
    "    if job.id == 5 then while true do end end\n"
    "  end\n"
    "  for i = 1, 12 do\n"
    "    lasting[i + i // 3] = i\n"
    "    lasting[{ i }], lasting[job] = true, i\n"
    "    m[i + i // 4] = i\n"
    "    sum = 31 * sum + #lasting + #m\n"
    "  end\n"
    "  for _ in pairs(busy) do sum = sum + 1 end\n"
    "  return 1, count .. ' ' .. sum\n"
    "end\n"
    "return policy\n";

enum { JOBS = 6 };

typedef struct Answer {
    char why[200];
    bool failed;
    LpPolicyUse use;
} Answer;

static Answer ask(Lab *lab, uint32_t job) {
    Answer out = {.failed = false};
    LpRng rng = *lp_world_policy_rng(lab->world);
    assert_int_equal(lp_policy_set_mem(lab->policy, NULL, 0, NULL), LP_OK);
    LpContext *context = lab->context;
    assert_int_equal(lp_policy_decide(lab->policy, context, lab->world, job, &rng, &lab->answer,
                                      &out.failed, &lab->diag),
                     LP_OK);
    snprintf(out.why, sizeof out.why, "%s", lab->answer.why ? lab->answer.why : "");
    out.use = lp_policy_use(lab->policy);
    return out;
}

static void check_same(const Answer *a, const Answer *b) {
    assert_string_equal(a->why, b->why);
    assert_int_equal(a->failed, b->failed);
    assert_int_equal(a->use.instructions, b->use.instructions);
    assert_int_equal(a->use.memory, b->use.memory);
}

/* Six jobs have arrived: five were declined, the last one is due. */
static void open_busy(Lab *lab) {
    LpEvent event;
    lab_open(lab, "{ \"lightpath\": 1, \"name\": \"busy\", \"cluster\": { \"fabric\": \"ideal\","
                  "  \"ideal\": { \"servers\": 4 } }, \"graphs\": [ { \"id\": \"alexnet\","
                  "  \"zoo\": \"alexnet\", \"batch\": 32 } ], \"jobs\": ["
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 },"
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 },"
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 },"
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 },"
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 },"
                  "  { \"graph\": \"alexnet\", \"arrival\": 0, \"steps\": 5 } ] }");
    for (int job = 0; job < JOBS; job++) {
        assert_true(lab_advance(lab));
        lab->answer = (LpAnswer){.kind = LP_ANSWER_DECLINE};
        if (job + 1 < JOBS)
            lab_apply(lab, &event);
    }
}

static void answers_do_not_depend_on_the_past(void **state) {
    (void)state;
    Answer alone[JOBS];
    Lab lab;
    open_busy(&lab);
    for (uint32_t job = 0; job < JOBS; job++) { /* each by a policy that was asked nothing yet */
        assert_int_equal(lab_load(&lab, SOURCE), LP_OK);
        alone[job] = ask(&lab, job);
        assert_int_equal(alone[job].failed, job == 3 || job == 5);
    }
    for (int turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < JOBS; i++) {
            uint32_t job = (5 * i + (uint32_t)turn) % JOBS;
            Answer now = ask(&lab, job);
            check_same(&alone[job], &now);
        }
    lab_close(&lab);
}

/* The same policy does tell when the past lasts: the test above can fail. */
static void the_policy_would_tell(void **state) {
    (void)state;
    Lab lab;
    open_busy(&lab);
    assert_int_equal(lab_load(&lab, SOURCE), LP_OK);
    lp_policy_let_last(lab.policy);
    Answer first = ask(&lab, 1), again = ask(&lab, 1);
    assert_string_not_equal(first.why, again.why);
    assert_int_not_equal(first.use.memory, again.use.memory);
    lab_close(&lab);
}

/* self.mem is given as bytes: how it came to be what it is must not show. */
static void memory_has_no_past(void **state) {
    (void)state;
    static const char MEM[] =
        "local policy = { name = 'mem', api = 1 }\n"
        "function policy:partition(job, cluster)\n"
        "  local m, sum = self.mem, 0\n"
        "  m.list = m.list or {}\n"
        "  for i = 1, 100 do m.list[i], m[i], m['k' .. i] = i, i, i end\n"
        "  for i = 100, 10, -1 do m.list[i], m[i], m['k' .. i] = nil, nil, nil end\n"
        "  for i = 11, 40, 2 do m.list[i], m[i] = i, i sum = 31 * sum + #m.list + #m end\n"
        "  for i = 11, 40, 2 do m.list[i], m[i] = nil, nil end\n"
        "  return 1, 'sum ' .. sum\n"
        "end\n"
        "return policy\n";
    Lab lab;
    char bytes[4096];
    size_t len;
    open_busy(&lab);
    assert_int_equal(lab_load(&lab, MEM), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK); /* goes on with its own */
    assert_false(lab.failed);
    char straight[100];
    snprintf(straight, sizeof straight, "%s", lab.answer.why);
    LpPolicyUse use = lp_policy_use(lab.policy);
    const void *own = lp_policy_mem(lab.policy, &len);
    assert_true(len >= 1 && len <= sizeof bytes);
    memcpy(bytes, own, len);
    assert_int_equal(lab_load(&lab, MEM), LP_OK);
    assert_int_equal(lp_policy_set_mem(lab.policy, bytes, len, &lab.diag), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.why, straight);
    assert_int_equal(lp_policy_use(lab.policy).instructions, use.instructions);
    assert_int_equal(lp_policy_use(lab.policy).memory, use.memory);
    lab_close(&lab);
}

TEST_GROUP(test_history) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_the_past),
        cmocka_unit_test(the_policy_would_tell),
        cmocka_unit_test(memory_has_no_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
