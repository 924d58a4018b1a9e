/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues that ask only who could start decide as those that ask everybody: each shipped rule beside
 * the same rule written plainly (queues/naive.lua), on random jobs. Every job starts and ends at
 * the same time, to the bit, and the calls do not grow with the queue. QUEUE_RUNS=N: so many runs
 * of each, 12 by default. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "group.h"
#include "io/scenario/scenario.h"
#include "session/session.h"
#include "sim/state/state.h"

enum { JOBS = 60, RUNS = 12, CALLS = 4, CALLS_PREEMPTING = 8 };

static const struct {
    const char *rule;
    unsigned calls; /* at most, for each job */
} rules[] = {{"fit_first", CALLS},
             {"strict_fifo", CALLS},
             {"sjf", CALLS},
             {"edf", CALLS},
             {"easy_backfill", CALLS},
             {"srpt", CALLS_PREEMPTING},
             {"las_preempt", CALLS_PREEMPTING}};

static uint32_t draw(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Rigid jobs on a fabric with blocks of any shape, or of its own ones. */
static void make_scenario(uint32_t seed, LpBuf *out) {
    static const char *const fabrics[] = {
        "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8 } }",
        "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2, \"racks_per_group\": 2, "
        "\"servers_per_rack\": 2 } }"};
    bool crowded = draw(&seed, 3) == 0, even = draw(&seed, 2) == 0;
    uint32_t at = 0;
    lp_buf_addf(out, "{ \"lightpath\": 1, \"cluster\": %s, \"queue_capacity\": 1000, \"jobs\": [",
                fabrics[draw(&seed, 2)]);
    for (int i = 0; i < JOBS; i++) {
        at += crowded ? 0 : draw(&seed, 9);
        uint32_t servers = even ? UINT32_C(1) << draw(&seed, 4) : 1 + draw(&seed, 8);
        lp_buf_addf(out, "%s{ \"servers\": %u, \"duration\": %u.%u, \"arrival\": %u", i ? "," : "",
                    servers, 1 + draw(&seed, 20), draw(&seed, 10), at);
        if (draw(&seed, 5) == 0)
            lp_buf_addf(out, ", \"max_jct_fraction\": %u.5", 1 + draw(&seed, 30));
        lp_buf_add(out, " }");
    }
    lp_buf_add(out, "] }");
}

static LpSession *run(const char *scenario, const char *policy, const char *rule) {
    LpLoadOptions options = {0};
    char param[40];
    const char *params[] = {param};
    LpSessionSpec spec = {.policy = policy, .params = rule != NULL, .param = params};
    LpScenario *parsed;
    LpSession *s = NULL;
    LpDiag diag;
    bool stopped;
    snprintf(param, sizeof param, "rule=%s", rule != NULL ? rule : "");
    LpErr err =
        lp_scenario_parse(scenario, strlen(scenario), "queue.json", &options, &parsed, &diag);
    if (err == LP_OK)
        err = lp_session_open_with(parsed, &spec, &s, &diag);
    if (err == LP_OK)
        err = lp_session_run(s, NULL, NULL, &stopped, &diag);
    if (err != LP_OK)
        fail_msg("%s: %s", policy, diag.text);
    return s;
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static void compare(const LpSession *a, const LpSession *b, const char *rule, uint32_t seed) {
    for (uint32_t i = 0; i < JOBS; i++) {
        const LpJob *x = lp_world_job(lp_session_world(a), i);
        const LpJob *y = lp_world_job(lp_session_world(b), i);
        if (x->outcome != y->outcome || !same(x->times.start, y->times.start) ||
            !same(x->times.end, y->times.end))
            fail_msg("%s, run %u: job %u starts at %.17g s and ends at %.17g s, written plainly "
                     "at %.17g s and %.17g s",
                     rule, seed, i, x->times.start, x->times.end, y->times.start, y->times.end);
    }
}

static void rules_decide_as_if_all_were_asked(void **state) {
    (void)state;
    const char *more = getenv("QUEUE_RUNS");
    uint32_t runs = more != NULL ? (uint32_t)strtoul(more, NULL, 10) : RUNS;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (uint32_t seed = 1; seed <= runs; seed++) {
            char path[80];
            LpBuf text = {0};
            make_scenario(seed * 7919, &text);
            snprintf(path, sizeof path, "scripts/%s.lua", rules[r].rule);
            LpSession *a = run(lp_buf_text(&text), path, NULL);
            LpSession *b =
                run(lp_buf_text(&text), "tests/property/queues/naive.lua", rules[r].rule);
            compare(a, b, rules[r].rule, seed);
            lp_session_close(a);
            lp_session_close(b);
            lp_buf_fini(&text);
        }
}

/* All there at the beginning, so that the queue is as long as it gets. */
static uint64_t calls_of(const char *rule, unsigned jobs) {
    char path[80];
    LpBuf text = {0};
    uint32_t seed = 5;
    lp_buf_add(&text, "{ \"lightpath\": 1, \"cluster\": { \"fabric\": \"ideal\", \"ideal\": { "
                      "\"servers\": 16 } }, \"queue_capacity\": 100000, \"jobs\": [");
    for (unsigned i = 0; i < jobs; i++)
        lp_buf_addf(&text, "%s{ \"servers\": %u, \"duration\": %u.5, \"arrival\": 0 }",
                    i ? "," : "", UINT32_C(1) << draw(&seed, 4), 1 + draw(&seed, 60));
    lp_buf_add(&text, "] }");
    snprintf(path, sizeof path, "scripts/%s.lua", rule);
    LpSession *s = run(lp_buf_text(&text), path, NULL);
    uint64_t calls = lp_session_policy_record(s)->calls;
    assert_int_equal(lp_world_tally(lp_session_world(s))->completed, jobs);
    lp_session_close(s);
    lp_buf_fini(&text);
    return calls;
}

static void calls_do_not_grow_with_the_queue(void **state) {
    (void)state;
    static const unsigned jobs[] = {250, 1000};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
            uint64_t calls = calls_of(rules[r].rule, jobs[i]);
            if (calls > (uint64_t)rules[r].calls * jobs[i])
                fail_msg("%s: %llu calls for %u jobs, at most %u for each", rules[r].rule,
                         (unsigned long long)calls, jobs[i], rules[r].calls);
        }
}

TEST_GROUP(test_queues) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_decide_as_if_all_were_asked),
        cmocka_unit_test(calls_do_not_grow_with_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
