/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that are no decision of one job: the order of the queue, what to do after an event,
 * what a policy remembers, and the candidates that it shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "lab.h"

#define HEAD "local policy = { name = 'test', api = 1 }\n"
#define HOOK(signature, body) HEAD "function policy:" signature "\n" body "\nend\nreturn policy\n"
#define PARTITION(body) HOOK("partition(job, cluster)", body)
#define QUEUE(body) HOOK("order_queue(queue, cluster)", body)
#define REVIEW(body) HOOK("review(event, cluster)", body)

static void must_load(Lab *lab, const char *source) {
    if (lab_load(lab, source) != LP_OK)
        fail_msg("line %d: %s", lab->diag.line, lab->diag.text);
}

/* Three jobs: 0 runs on four servers, 1 and 2 wait. */
static void open_busy(Lab *lab) {
    LpEvent event;
    lab_open(lab, LAB_SCENARIO);
    for (int i = 0; i < 3; i++) {
        assert_true(lab_advance(lab));
        lab->answer = (LpAnswer){.kind = i == 0 ? LP_ANSWER_RUN : LP_ANSWER_WAIT, .degree = 4};
        lab_apply(lab, &event);
    }
}

/* ---- order_queue ---- */

static void order(Lab *lab, uint32_t *jobs, uint32_t *count) {
    const uint32_t *answer;
    lab->diag = (LpDiag){.code = LP_OK};
    assert_int_equal(lp_policy_order_queue(lab->policy, lab->context, lab->world,
                                           lp_world_policy_rng(lab->world), jobs, count, &answer,
                                           &lab->failed, &lab->diag),
                     LP_OK);
    if (answer != NULL && *count > 0)
        memcpy(jobs, answer, *count * sizeof *jobs);
}

static void check_order(Lab *lab, const char *body, uint32_t expected, uint32_t first) {
    uint32_t jobs[] = {1, 2}, count = 2;
    must_load(lab, body);
    order(lab, jobs, &count);
    if (lab->failed)
        fail_msg("%s", lab->diag.text);
    assert_int_equal(count, expected);
    if (count > 0)
        assert_int_equal(jobs[0], first);
}

static void queues_are_ordered(void **state) {
    (void)state;
    Lab lab;
    open_busy(&lab);
    check_order(&lab, QUEUE("assert(#queue == 2 and queue[1].id == 1)\nreturn { queue[2] }"), 1, 2);
    check_order(&lab, QUEUE("return { 2, queue[1] }"), 2, 2);
    check_order(&lab, QUEUE("return {}, 'nobody'"), 0, 0);
    assert_string_equal(lp_policy_why(lab.policy), "nobody");
    check_order(&lab, QUEUE("return nil"), 2, 1);
    check_order(&lab, PARTITION("return 1"), 2, 1);
    check_order(&lab,
                QUEUE("table.sort(queue, function(a, b) return a.id > b.id end)\nreturn queue"), 2,
                2);
    lab_close(&lab);
}

static void check_bad_order(Lab *lab, const char *body, const char *text) {
    uint32_t jobs[] = {1, 2}, count = 2;
    must_load(lab, body);
    order(lab, jobs, &count);
    assert_true(lab->failed);
    if (!strstr(lab->diag.text, text))
        fail_msg("expected \"%s\", got \"%s\"", text, lab->diag.text);
    assert_int_equal(lab->diag.line, 3);
    assert_true(count == 2 && jobs[0] == 1 && jobs[1] == 2);
}

static void bad_orders_change_nothing(void **state) {
    (void)state;
    Lab lab;
    open_busy(&lab);
    check_bad_order(&lab, QUEUE("return 7"), "order_queue: returned 7; expected { job, ... }");
    check_bad_order(&lab, QUEUE("return { 'one' }"), "entry 1: job is \"one\"; expected a job");
    check_bad_order(&lab, QUEUE("return { 2, 2 }"), "entry 2: job 2 was named before");
    check_bad_order(&lab, QUEUE("return { 0 }"), "job 0 is not among those to be offered");
    check_bad_order(&lab, QUEUE("return { 1, 2, 1 }"), "3 entries for a queue of 2");
    check_bad_order(&lab, QUEUE("return { 99 }"), "or the id of one, 0 to 2");
    check_bad_order(&lab, QUEUE("return { queue[1] }, {}"), "the second result is a table");
    lab_close(&lab);
}

/* ---- review ---- */

static uint32_t review(Lab *lab, const char *source, LpEvent event, const LpAction **actions) {
    uint32_t count = 77;
    must_load(lab, source);
    lab->diag = (LpDiag){.code = LP_OK};
    assert_int_equal(lp_policy_review(lab->policy, lab->context, lab->world, &event,
                                      lp_world_policy_rng(lab->world), actions, &count,
                                      &lab->failed, &lab->diag),
                     LP_OK);
    return count;
}

static void actions_are_read(void **state) {
    (void)state;
    Lab lab;
    const LpAction *a;
    open_busy(&lab);
    LpEvent event = {.kind = LP_EVENT_WAIT, .job = 2, .time = 0.002};
    uint32_t count = review(&lab,
                            REVIEW("assert(event.kind == 'wait' and event.job.id == 2)\n"
                                   "assert(event.time == 0.002)\n"
                                   "local run = cluster.running[1]\n"
                                   "return { { 'preempt', job = run }, { 'resume', job = 1 },\n"
                                   "{ 'migrate', job = 0, servers = { 4, 5, 6, 7 } },\n"
                                   "{ 'resize', job = run, degree = 2 }, { 'wake', at = 5 },\n"
                                   "{ 'migrate', job = 0, servers = { 1 } } }, 'all at once'"),
                            event, &a);
    if (lab.failed)
        fail_msg("%s", lab.diag.text);
    assert_int_equal(count, 6);
    assert_int_equal(a[0].kind, LP_ACTION_PREEMPT);
    assert_int_equal(a[0].job, 0);
    assert_int_equal(a[1].job, 1);
    assert_int_equal(a[2].servers, 4);
    assert_int_equal(a[2].server[3], 7);
    assert_int_equal(a[3].degree, 2);
    assert_true(a[4].at == 5);
    assert_int_equal(a[5].server[0], 1);
    assert_string_equal(a[5].why, "all at once");
    assert_int_equal(review(&lab, REVIEW("return nil"), event, &a), 0);
    event.job = LP_NO_INDEX;
    assert_int_equal(review(&lab, REVIEW("assert(not event.job)\nreturn {}"), event, &a), 0);
    assert_false(lab.failed);
    lab_close(&lab);
}

static void bad_actions_are_explained(void **state) {
    (void)state;
    static const struct {
        const char *source, *text;
    } BAD[] = {
        {REVIEW("return 5"), "review(wait of job 2): returned 5; expected a list of actions"},
        {REVIEW("return { 5 }"), "action 1 is 5; expected an action"},
        {REVIEW("return { preempt = 1 }"), "a table with a key \"preempt\""},
        {REVIEW("return { {} }"), "action 1 begins with nil"},
        {REVIEW("return { { 'premept', job = 0 } }"), "did you mean 'preempt'?"},
        {REVIEW("return { { 'preempt' } }"), "action 1: preempt needs job"},
        {REVIEW("return { { 'preempt', job = 0 }, { 'preempt', job = 3.5 } }"),
         "action 2: job is 3.5; expected a job or the id of one, 0 to 2"},
        {REVIEW("return { { 'preempt', job = 0, degree = 2 } }"), "preempt has no \"degree\""},
        {REVIEW("return { { 'migrate', job = 0, servers = { 8 } } }"),
         "action 1: servers: entry 1 is 8; expected a server id from 0 to 7"},
        {REVIEW("return { { 'resize', job = 0, degree = 0 } }"), "degree is 0; expected a whole"},
        {REVIEW("return { { 'wake', at = 0 / 0 } }"), "at is nan; expected a time"},
    };
    Lab lab;
    const LpAction *a;
    LpEvent event = {.kind = LP_EVENT_WAIT, .job = 2, .time = 0.002};
    open_busy(&lab);
    for (size_t i = 0; i < LP_COUNTOF(BAD); i++) {
        assert_int_equal(review(&lab, BAD[i].source, event, &a), 0);
        assert_true(lab.failed);
        if (!strstr(lab.diag.text, BAD[i].text))
            fail_msg("expected \"%s\", got \"%s\"", BAD[i].text, lab.diag.text);
    }
    lab_close(&lab);
}

/* What actions do shows in the views. */
static void preempted_jobs_show(void **state) {
    (void)state;
    Lab lab;
    const LpAction *a;
    LpEvent event = {.kind = LP_EVENT_WAIT, .job = 2, .time = 0.002}, done;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    open_busy(&lab);
    assert_int_equal(review(&lab, REVIEW("return { { 'preempt', job = 0 } }"), event, &a), 1);
    assert_int_equal(lp_world_act(lab.world, lab.context, a, &done, &cause, reason, NULL), LP_OK);
    assert_int_equal(cause, LP_CAUSE_NONE);
    (void)review(&lab,
                 REVIEW("assert(#cluster.running == 0 and #cluster.waiting == 3)\n"
                        "local job = event.job\n"
                        "assert(job.state == 'preempted' and job.preemptions == 1)\n"
                        "assert(job.steps_done == 0 and job.remaining > 0 and job.start == 0)\n"
                        "assert(job.attained == 4 * cluster.now and job.finish == nil)\n"),
                 done, &a);
    if (lab.failed)
        fail_msg("%s", lab.diag.text);
    lab_close(&lab);
}

/* ---- self.mem ---- */

#define FILL                                                                                       \
    "if not self.mem.n then\n"                                                                     \
    "  self.mem.n = 7\n"                                                                           \
    "  self.mem.list = { 1, 2.5, 'x', true, { deep = { -0.0, 0 / 0, math.huge } } }\n"             \
    "  self.mem[3], self.mem[true], self.mem['a b'], self.mem[0.5] = 'i', false, '', 1\n"          \
    "  return 1, 'filled'\n"                                                                       \
    "end\n"                                                                                        \
    "local m = self.mem\n"                                                                         \
    "assert(m.n == 7 and math.type(m.n) == 'integer' and #m.list == 5)\n"                          \
    "assert(m.list[2] == 2.5 and m.list[3] == 'x' and m.list[4] == true)\n"                        \
    "local d = m.list[5].deep\n"                                                                   \
    "assert(1 / d[1] == -math.huge and d[2] ~= d[2] and d[3] == math.huge)\n"                      \
    "assert(m[3] == 'i' and m[true] == false and m['a b'] == '' and m[0.5] == 1)\n"                \
    "return 1, 'found'"

static void memory_goes_out_and_in(void **state) {
    (void)state;
    Lab lab;
    char first[4096];
    size_t len, again;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    must_load(&lab, PARTITION(FILL));
    (void)lp_policy_mem(lab.policy, &len);
    assert_int_equal(len, 0);
    assert_int_equal(lab_ask(&lab), LP_OK);
    const void *bytes = lp_policy_mem(lab.policy, &len);
    assert_true(!lab.failed && len > 50 && len < sizeof first);
    memcpy(first, bytes, len);
    must_load(&lab, PARTITION(FILL)); /* another policy gets the same memory */
    assert_int_equal(lp_policy_set_mem(lab.policy, first, len, &lab.diag), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    if (lab.failed)
        fail_msg("%s", lab.diag.text);
    assert_string_equal(lab.answer.why, "found");
    bytes = lp_policy_mem(lab.policy, &again);
    assert_int_equal(again, len);
    assert_memory_equal(bytes, first, len);
    assert_int_equal(lp_policy_set_mem(lab.policy, NULL, 0, &lab.diag), LP_OK);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.why, "filled");
    lab_close(&lab);
}

/* Every cut and every flipped byte is refused or means something: it never harms. */
static void broken_memory_is_refused(void **state) {
    (void)state;
    Lab lab;
    char first[4096], bad[4096];
    size_t len;
    int refused = 0;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    must_load(&lab, PARTITION(FILL));
    assert_int_equal(lab_ask(&lab), LP_OK);
    const void *bytes = lp_policy_mem(lab.policy, &len);
    memcpy(first, bytes, len);
    for (size_t at = 0; at < len; at++) {
        memcpy(bad, first, len);
        bad[at] = (char)(bad[at] ^ 0x55);
        refused += lp_policy_set_mem(lab.policy, bad, len, &lab.diag) == LP_EINVAL;
        refused += lp_policy_set_mem(lab.policy, first, at, &lab.diag) == LP_EINVAL;
    }
    assert_true(refused > (int)len);
    assert_int_equal(lp_policy_set_mem(lab.policy, "i", 1, &lab.diag), LP_EINVAL);
    assert_non_null(strstr(lab.diag.text, "no self.mem"));
    (void)lp_policy_mem(lab.policy, &len);
    assert_int_equal(len, 0);
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_string_equal(lab.answer.why, "filled");
    lab_close(&lab);
}

static void what_cannot_be_kept_is_named(void **state) {
    (void)state;
    static const struct {
        const char *source, *text;
    } BAD[] = {
        {PARTITION("self.mem.seen = { 1, 2, print } return 1"),
         "self.mem.seen[3] is a function; expected plain data"},
        {PARTITION("self.mem.job = job return 1"), "self.mem.job is job 0; expected"},
        {PARTITION("self.mem.a = {} self.mem.a.me = self.mem.a return 1"),
         "self.mem.a.me contains itself"},
        {PARTITION("self.mem.a = {} self.mem.b = self.mem.a return 1"),
         "self.mem.b is a table that stands elsewhere"},
        {PARTITION("self.mem['a b'] = setmetatable({}, {}) return 1"),
         "self.mem[\"a b\"] has a metatable"},
        {PARTITION("self.mem.h = job.hint return 1"), "self.mem.h is a read-only table"},
        {PARTITION("self.mem[job] = 1 return 1"), "self.mem has a key that is job 0"},
        {PARTITION("self.mem.t = ('x'):rep(60000) self.mem.u = self.mem.t return 1"),
         "self.mem.u does not fit: self.mem may take 64 KiB"},
        {PARTITION("local t = self.mem for i = 1, 100 do t.x = {} t = t.x end return 1"),
         "is nested too deeply"},
    };
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    for (size_t i = 0; i < LP_COUNTOF(BAD); i++) {
        size_t len;
        must_load(&lab, BAD[i].source);
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_true(lab.failed);
        assert_int_equal(lab.answer.cause, LP_CAUSE_POLICY_ERROR);
        if (!strstr(lab.diag.text, BAD[i].text))
            fail_msg("expected \"%s\", got \"%s\"", BAD[i].text, lab.diag.text);
        assert_int_equal(lab.diag.line, 3);
        (void)lp_policy_mem(lab.policy, &len);
        assert_int_equal(len, 0);
    }
    lab_close(&lab);
}

/* ---- explain ---- */

static void candidates_are_kept(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    must_load(&lab, PARTITION("if job.id == 99 then return 1 end\n"
                              "explain{ columns = { 'ways', 'JCT' },\n"
                              "rows = { { 2, 1.23456789 }, { 4, '\\27[31m' }, { 8 } },\n"
                              "chosen = 2 }\nreturn 4"));
    assert_null(lp_policy_explain(lab.policy));
    assert_int_equal(lab_ask(&lab), LP_OK);
    const LpExplain *e = lp_policy_explain(lab.policy);
    assert_non_null(e);
    assert_true(e->columns == 2 && e->rows == 3 && e->chosen == 1);
    assert_string_equal(e->column[1], "JCT");
    assert_string_equal(e->cell[0], "2");
    assert_string_equal(e->cell[1], "1.23457");
    assert_string_equal(e->cell[3], "\\x1b[31m");
    assert_string_equal(e->cell[5], "-");
    must_load(&lab, PARTITION("return 1"));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_null(lp_policy_explain(lab.policy));
    lab_close(&lab);
}

static void bad_candidates_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *source, *text;
    } BAD[] = {
        {PARTITION("explain(3)"), "explain: got 3"},
        {PARTITION("explain{ columns = {}, rows = {} }"), "columns is empty"},
        {PARTITION("explain{ columns = { 'a' } }"), "rows is nil; expected a list"},
        {PARTITION("explain{ columns = { 'a' }, rows = { { 1, 2 } } }"),
         "row 1 has 2 cells for 1 columns"},
        {PARTITION("explain{ columns = { 'a' }, rows = { { {} } } }"),
         "row 1, column 1 is a table"},
        {PARTITION("explain{ columns = { 'a' }, rows = { { 1 } }, chosen = 2 }"),
         "chosen is 2; expected a whole number from 1 to 1"},
        {PARTITION("explain{ columns = { 'a' }, rows = {}, choosen = 1 }"),
         "did you mean 'chosen'?"},
        {PARTITION("local r = {} for i = 1, 65 do r[i] = { i } end\n"
                   "explain{ columns = { 'a' }, rows = r }"),
         "65 rows; at most 64"},
    };
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    for (size_t i = 0; i < LP_COUNTOF(BAD); i++) {
        must_load(&lab, BAD[i].source);
        assert_int_equal(lab_ask(&lab), LP_OK);
        assert_true(lab.failed);
        if (!strstr(lab.diag.text, BAD[i].text))
            fail_msg("expected \"%s\", got \"%s\"", BAD[i].text, lab.diag.text);
        assert_null(lp_policy_explain(lab.policy));
    }
    lab_close(&lab);
}

/* ---- the rest ---- */

static void hooks_are_known(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    must_load(&lab, REVIEW("return nil"));
    assert_true(lp_policy_has_hook(lab.policy, "review"));
    assert_false(lp_policy_has_hook(lab.policy, "partition"));
    assert_false(lp_policy_has_hook(lab.policy, "nonsense"));
    lab_close(&lab);
}

static void calls_under_way_are_told(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, LAB_SCENARIO);
    assert_true(lab_advance(&lab));
    must_load(&lab, "local function deep(x) return x.y.z end\n" PARTITION(
                        "local n = deep({})\nreturn n"));
    assert_int_equal(lab_ask(&lab), LP_OK);
    assert_true(lab.failed);
    assert_string_equal(lp_policy_traceback(lab.policy),
                        "test.lua:1: in deep\ntest.lua:4: in partition(job 0)");
    lab_close(&lab);
}

TEST_GROUP(test_calls) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_are_ordered),       cmocka_unit_test(bad_orders_change_nothing),
        cmocka_unit_test(actions_are_read),         cmocka_unit_test(bad_actions_are_explained),
        cmocka_unit_test(preempted_jobs_show),      cmocka_unit_test(memory_goes_out_and_in),
        cmocka_unit_test(broken_memory_is_refused), cmocka_unit_test(what_cannot_be_kept_is_named),
        cmocka_unit_test(candidates_are_kept),      cmocka_unit_test(bad_candidates_are_refused),
        cmocka_unit_test(hooks_are_known),          cmocka_unit_test(calls_under_way_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
