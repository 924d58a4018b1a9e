/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The account of a job whose plan, or whose light, changes: what it did with each step is shared
 * among the parts as that step is, under policies that put jobs aside, move them and cut them
 * anew, where circuits come and go, and where servers break. Looked at after every event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "job_history.h"
#include "sim/world.h"

enum { STEPS = 1200 };

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

/* Cuts a job another way each time that it is asked; puts one that runs aside at every third event
 * and lets it go on, and resizes one at others. */
static const char restless[] =
    "local policy = { name = 'restless', api = 1 }\n"
    "local function count(self)\n"
    "  self.mem.n = (self.mem.n or 0) + 1\n"
    "  return self.mem.n\n"
    "end\n"
    "function policy:partition(job, cluster)\n"
    "  local degree = ({ 4, 2, 8, 1 })[count(self) % 4 + 1]\n"
    "  if not cluster:fits(degree) then return 'wait' end\n"
    "  return degree\n"
    "end\n"
    "function policy:review(event, cluster)\n"
    "  local n, running = count(self), cluster.running\n"
    "  if #running == 0 then return nil end\n"
    "  local job = running[n % #running + 1]\n"
    "  if n % 3 == 0 then\n"
    "    return { { 'preempt', job = job }, { 'resume', job = job } }\n"
    "  elseif n % 4 == 1 then\n"
    "    return { { 'resize', job = job, degree = n % 7 < 4 and 2 or 4 } }\n"
    "  end\n"
    "end\n"
    "return policy\n";

typedef struct Case {
    const char *scenario, *set[4];
    bool restless; /* under that policy, else its own */
} Case;
static const Case cases[] = {
    {"scenarios/pac-ml-32.json", {"generator.count=60", "queue_capacity=20"}, true},
    {"scenarios/leaf-spine.json", {"generator.count=60", "queue_capacity=20"}, true},
    {"scenarios/leaf-spine.json",
     {"generator.count=40", "queue_capacity=20", "cluster.packet.sharing=interleaved"},
     true},
    {"scenarios/zones.json", {"generator.count=40", "queue_capacity=20"}, true},
    {"scenarios/optics-vs-packets.json", {"generator.count=4"}, true},
    {"scenarios/optics-vs-packets.json",
     {"policy.script=ocs_queue.lua", "generator.count=40"},
     false},
    {"scenarios/ocs-failures.json", {"generator.count=40"}, false},
    {"scenarios/ocs-failures.json", {"generator.count=40"}, true},
};

static void play(const Case *c, const char *policy) {
    static History history;
    LpSessionSpec spec = {
        .scenario = c->scenario, .policy = c->restless ? policy : NULL, .set = c->set};
    LpSession *s;
    LpDiag diag = {0};
    LpEvent event;
    memset(&history, 0, sizeof history);
    while (spec.sets < LP_COUNTOF(c->set) && c->set[spec.sets] != NULL)
        spec.sets++;
    OK(lp_session_open(&spec, &s, &diag));
    for (int i = 0; i < STEPS && !lp_world_over(lp_session_world(s)); i++) {
        OK(lp_session_step(s, &event, &diag));
        history_look(&history, s, c->scenario);
    }
    assert_true(history.changes > 0);
    lp_time_book_fini(&history.book);
    lp_session_close(s);
}

static void accounts_are_what_was_done(void **state) {
    char path[] = "/tmp/lightpath-restless-XXXXXX";
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(restless, file);
    fclose(file);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        play(&cases[i], path);
    unlink(path);
}

TEST_GROUP(test_job_time) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_are_what_was_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
