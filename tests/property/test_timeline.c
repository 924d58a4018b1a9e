/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every moment that was can be visited again: after any walk of seeks, steps back, steps forward,
 * forks and switches the state is the one of then, to the bit, and no policy was asked for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "group.h"
#include "kept_marks.h"
#include "session/replay.h"
#include "sim/sharing/links.h"

enum { STEPS = 1000, SEEKS = 600, BRANCHES = 12 };

/* Uses its data, its stream, the order of offers and actions; tells how often it was called. */
static const char restless[] =
    "local calls = 0\n"
    "local policy = { name = 'restless', api = 1 }\n"
    "local function count(self) calls = calls + 1; self.mem.n = (self.mem.n or 0) + 1 end\n"
    "function policy:order_queue(queue, cluster)\n"
    "  count(self)\n"
    "  local out = {}\n"
    "  for i = #queue, 1, -1 do if self:rand() < 0.9 then out[#out + 1] = queue[i] end end\n"
    "  return out, 'backwards'\n"
    "end\n"
    "function policy:place(job, cluster)\n"
    "  count(self)\n"
    "  if self:rand() < 0.2 then return 'wait', 'call ' .. calls, { retry = 1 + self:rand() } end\n"
    "  return nil\n"
    "end\n"
    "function policy:partition(job, cluster)\n"
    "  count(self)\n"
    "  if self:rand() < 0.15 then\n"
    "    return 'wait', 'call ' .. calls, { retry = 5 + self.mem.n % 3 } end\n"
    "  local d = cluster:degrees(job)\n"
    "  if #d == 0 then return 'wait', 'call ' .. calls end\n"
    "  return d[1 + math.floor(self:rand() * #d)], 'call ' .. calls\n"
    "end\n"
    "function policy:review(event, cluster)\n"
    "  count(self)\n"
    "  local r = cluster.running\n"
    "  if #r > 0 and self:rand() < 0.1 then return { { 'preempt', job = r[1] } }, 'out' end\n"
    "  local w = cluster.waiting\n"
    "  if #w > 0 and self:rand() < 0.2 then return { { 'resume', job = w[1] } }, 'in' end\n"
    "end\n"
    "return policy\n";

typedef struct Walk {
    LpSession *s;
    uint32_t seed;
    size_t visits, changes;
    uint64_t *print[BRANCHES + 1]; /* of every step of a branch */
    uint64_t steps[BRANCHES + 1];
    KeptMarks marks;
    LpLinkSums sums; /* kept all the way */
} Walk;

static uint32_t draw(Walk *w, uint64_t below) {
    w->seed = w->seed * 1664525u + 1013904223u;
    return (uint32_t)((w->seed >> 8) % below);
}

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

/* What is kept of shared links is what summing gives now, wherever the walk has got to. */
static void check_sums(Walk *w) {
    const LpWorld *world = lp_session_world(w->s);
    const LpContext *context = lp_session_context(w->s);
    LpDiag diag = {0};
    OK(lp_link_sums_update(&w->sums, world, context, &diag));
    LpLinkView *now = calloc((size_t)w->sums.links + 1, sizeof *now);
    uint32_t used = 0;
    assert_non_null(now);
    lp_world_links(world, context, now);
    for (uint32_t l = 0; l < w->sums.links; l++) {
        const LpLinkView *kept = &w->sums.link[l];
        assert_memory_equal(&kept->rate, &now[l].rate, sizeof kept->rate);
        assert_memory_equal(&kept->most, &now[l].most, sizeof kept->most);
        assert_int_equal(kept->job, now[l].job);
        assert_int_equal(kept->jobs, now[l].jobs);
        if (now[l].jobs > 0)
            assert_int_equal(w->sums.used[used++], l);
    }
    assert_int_equal(w->sums.used_count, used);
    free(now);
}

/* World, events and stories of a moment as one number. */
static uint64_t print_of(Walk *w) {
    const LpSession *s = w->s;
    kept_marks_see(&w->marks, lp_session_world(s));
    check_sums(w);
    uint64_t h = lp_hash_u64(lp_session_hash(s), lp_session_events(s));
    if (lp_session_events(s) > 0) {
        const LpEvent *last = lp_session_event(s, lp_session_events(s) - 1);
        h = lp_hash_u64(h, last->serial);
        h = lp_hash_u64(h, last->kind);
    }
    uint32_t jobs = lp_world_jobs(lp_session_world(s));
    for (uint32_t j = jobs > 4 ? jobs - 4 : 0; j < jobs; j++) {
        LpWhy why = lp_session_why(s, j);
        h = lp_hash_text(lp_hash_text(lp_hash_text(h, why.why), why.where), why.reason);
    }
    return h;
}

/* What breaks by itself is mended by itself. */
static bool broken_by_hand(const LpWorld *world, uint32_t server) {
    uint32_t count;
    const LpChange *change = lp_world_changes(world, &count);
    int failures = 0;
    for (uint32_t i = 0; i < count; i++)
        if (change[i].condition.value == server)
            failures += (change[i].condition.kind == LP_CONDITION_FAIL_SERVER) -
                        (change[i].condition.kind == LP_CONDITION_REPAIR_SERVER);
    return failures > 0;
}

/* A server as a component: it breaks so, or is mended if it has. */
static LpCondition *draw_component(const Walk *w, uint32_t server, LpCondition *c) {
    uint32_t count;
    const LpChange *change = lp_world_changes(lp_session_world(w->s), &count);
    int broken = 0;
    for (uint32_t i = 0; i < count; i++)
        if (change[i].condition.value == server)
            broken += (change[i].condition.kind == LP_CONDITION_FAIL) -
                      (change[i].condition.kind == LP_CONDITION_REPAIR);
    *c = (LpCondition){.kind = broken > 0 ? LP_CONDITION_REPAIR : LP_CONDITION_FAIL,
                       .value = server,
                       .steps = LP_OUTAGE_SERVER};
    return lp_session_scenario(w->s)->answers ? c : NULL;
}

/* One of many changes, or NULL where this one makes no sense now. */
static LpCondition *draw_condition(Walk *w, LpCondition *c) {
    static const double scales[] = {0.25, 0.5, 1, 2, 16};
    const LpWorld *world = lp_session_world(w->s);
    uint32_t server = draw(w, lp_world_servers(world)), other = draw(w, lp_world_servers(world));
    bool broken = lp_world_server(world, server)->state != LP_SERVER_IN_SERVICE;
    if (lp_session_scenario(w->s)->semantics_published || lp_world_over(world))
        return NULL;
    *c = (LpCondition){.kind = (LpConditionKind)draw(w, LP_CONDITION_COUNT), .steps = 3};
    switch (c->kind) {
    case LP_CONDITION_FAIL_SERVER:
    case LP_CONDITION_REPAIR_SERVER:
        c->kind = broken ? LP_CONDITION_REPAIR_SERVER : LP_CONDITION_FAIL_SERVER;
        c->value = server;
        return !broken || broken_by_hand(world, server) ? c : NULL;
    case LP_CONDITION_FAIL_CIRCUIT:
        c->value = server;
        c->other = other;
        if (server == other || lp_world_failed_circuits(world) > 0)
            return NULL;
        return lp_session_context(w->s)->fabric.network == NULL ? c : NULL;
    case LP_CONDITION_REPAIR_CIRCUIT:
    case LP_CONDITION_WITHOUT_FAILURE:
        return NULL;
    case LP_CONDITION_FAIL:
    case LP_CONDITION_REPAIR:
        return draw_component(w, server, c);
    case LP_CONDITION_EXTRA_JOB:
        c->value = draw(w, 4);
        return c->value < lp_session_scenario(w->s)->graphs ? c : NULL;
    default:
        c->value = scales[draw(w, 5)];
        return c;
    }
}

/* At the tip now and then: what no decision did. */
static void change_here(Walk *w) {
    LpCondition condition, *drawn = NULL;
    LpDiag diag = {0};
    LpEvent event;
    if (draw(w, 40) == 0)
        drawn = draw_condition(w, &condition);
    if (drawn == NULL)
        return;
    OK(lp_session_change(w->s, drawn, &event, &diag));
    assert_int_equal(event.kind, LP_EVENT_CONDITION);
    w->changes++;
}

/* Plays the current branch on and notes each of its moments. */
static void record(Walk *w, uint64_t steps) {
    LpDiag diag = {0};
    LpEvent event;
    LpMoment at = lp_session_moment(w->s);
    uint64_t *print = realloc(w->print[at.branch], (at.step + steps + 2) * sizeof *print);
    assert_non_null(print);
    w->print[at.branch] = print;
    LpBranchInfo info;
    assert_int_equal(lp_session_branch(w->s, at.branch, &info), LP_OK);
    if (at.branch > 0 && w->steps[at.branch] == 0) { /* what was before the fork */
        memcpy(print, w->print[info.parent], (info.forked_at + 1) * sizeof *print);
        for (uint64_t step = info.forked_at + 1; step <= at.step; step++) {
            OK(lp_session_seek(w->s, step, &diag));
            print[step] = print_of(w);
        }
    } else if (w->steps[at.branch] == 0) {
        print[0] = print_of(w);
    }
    for (uint64_t i = 0; i < steps && !lp_world_over(lp_session_world(w->s)); i++) {
        uint64_t before = lp_session_moment(w->s).step;
        change_here(w);
        if (lp_session_moment(w->s).step == before)
            OK(lp_session_step(w->s, &event, &diag));
        assert_int_equal(lp_session_moment(w->s).step, before + 1);
        print[before + 1] = print_of(w);
    }
    w->steps[at.branch] = lp_session_tip(w->s, at.branch);
}

static void compare(Walk *w) {
    LpMoment at = lp_session_moment(w->s);
    w->visits++;
    if (print_of(w) != w->print[at.branch][at.step])
        fail_msg("step %u of branch %u is not what it was", (unsigned)at.step, at.branch);
    LpMomentFacts facts;
    assert_int_equal(lp_session_moment_facts(w->s, at, &facts), LP_OK);
    const LpWorld *world = lp_session_world(w->s);
    assert_true(facts.time == lp_world_now(world));
    assert_int_equal(facts.due, lp_world_due(world));
    assert_int_equal(facts.decisions, lp_world_tally(world)->decisions);
}

static void fork_here(Walk *w) {
    static const LpAnswer answers[] = {{.kind = LP_ANSWER_DECLINE},
                                       {.kind = LP_ANSWER_RUN, .degree = 2},
                                       {.kind = LP_ANSWER_WAIT}};
    static const char *const params[] = {"max_degree=4"};
    LpDiag diag = {0};
    uint32_t branch;
    LpForkSpec spec = {0};
    LpCondition condition;
    if (lp_session_branches(w->s) > BRANCHES)
        return;
    if (lp_world_due(lp_session_world(w->s)) != LP_NO_INDEX)
        spec.answer = &answers[draw(w, 3)];
    else if (draw(w, 2) > 0)
        spec.policy = draw(w, 2) > 0 ? "scripts/sjf.lua" : "scripts/random.lua";
    else if (strcmp(lp_session_policy_name(w->s), "meets-deadline") == 0)
        spec = (LpForkSpec){.params = 1, .param = params};
    if (draw(w, 2) > 0 && (spec.condition = draw_condition(w, &condition)) != NULL)
        spec.answer = NULL;
    OK(lp_session_fork(w->s, &spec, &branch, &diag));
    w->changes += spec.condition != NULL;
    assert_int_equal(lp_session_moment(w->s).branch, branch);
    record(w, 200);
}

static void seek_found(Walk *w) {
    LpDiag diag = {0};
    uint64_t step, decisions = lp_world_tally(lp_session_world(w->s))->decisions;
    LpMoment at = lp_session_moment(w->s);
    if (decisions == 0)
        return;
    uint64_t n = draw(w, decisions);
    OK(lp_session_find(w->s, LP_SEEK_DECISION, (double)n, &step, &diag));
    assert_true(step < at.step);
    OK(lp_session_seek(w->s, step, &diag));
    assert_true(lp_world_tally(lp_session_world(w->s))->decisions <= n);
    compare(w);
    OK(lp_session_seek(w->s, step + 1, &diag));
    assert_true(lp_world_tally(lp_session_world(w->s))->decisions > n);
}

static void move(Walk *w) {
    LpDiag diag = {0};
    LpEvent event;
    LpMoment at = lp_session_moment(w->s);
    switch (draw(w, 12)) {
    case 0:
        if (at.step > 0)
            OK(lp_session_back(w->s, &diag));
        break;
    case 1:
        for (int i = 0; i < 5 && !lp_session_at_tip(w->s); i++) {
            OK(lp_session_step(w->s, &event, &diag));
            compare(w);
        }
        break;
    case 2:
        if (lp_world_tally(lp_session_world(w->s))->decisions > 0)
            OK(lp_session_back_decision(w->s, &diag));
        break;
    case 3:
        OK(lp_session_switch(w->s, draw(w, lp_session_branches(w->s)), &diag));
        break;
    case 4:
        seek_found(w);
        break;
    case 5:
        if (draw(w, 10) == 0)
            fork_here(w);
        break;
    default:
        OK(lp_session_seek(w->s, draw(w, lp_session_tip(w->s, at.branch) + 1), &diag));
    }
    compare(w);
}

/* A twin, which carries out the log, arrives where the original is. */
static void copies_agree(Walk *w) {
    LpDiag diag = {0};
    LpSession *twin;
    for (uint32_t b = 0; b < lp_session_branches(w->s); b += 3) {
        LpMoment at = {b, draw(w, lp_session_tip(w->s, b) + 1)};
        OK(lp_session_twin(w->s, at, NULL, 0, NULL, b % 2 == 0, &twin, &diag));
        LpWorld *world;
        OK(lp_session_world_at(w->s, at, &world, &diag));
        assert_true(lp_session_hash(twin) == lp_world_hash(world));
        if (b % 2 == 0)
            assert_int_equal(lp_session_moment(twin).step, at.step);
        lp_world_free(world);
        lp_session_close(twin);
    }
}

static void walk(const char *scenario, const char *policy, size_t budget, uint32_t seed) {
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = scenario, .policy = policy, .keep_timeline = true};
    Walk w = {.seed = seed};
    OK(lp_session_open(&spec, &w.s, &diag));
    if (budget > 0)
        lp_session_set_budget(w.s, budget);
    record(&w, STEPS);
    while (w.visits < SEEKS)
        move(&w);
    copies_agree(&w);
    assert_true(w.changes > 0 || lp_session_scenario(w.s)->semantics_published);
    LpTimelineStats stats = lp_session_timeline_stats(w.s);
    assert_true(stats.checkpoints == 1 || stats.checkpoint_bytes <= stats.budget);
    assert_true(w.marks.same > 0 && w.marks.followed > SEEKS);
    lp_session_close(w.s);
    lp_link_sums_fini(&w.sums);
    kept_marks_fini(&w.marks);
    for (int i = 0; i <= BRANCHES; i++)
        free(w.print[i]);
}

static void walk_text(const char *scenario, const char *lua, size_t budget, uint32_t seed) {
    char path[] = "/tmp/lightpath-timeline-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(lua, file);
    fclose(file);
    walk(scenario, path, budget, seed);
    unlink(path);
}

#define WALK(name, ...)                                                                            \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        walk(__VA_ARGS__);                                                                         \
    }
WALK(walks_pac_ml, "scenarios/pac-ml-32.json", NULL, 0, 1)
WALK(walks_published, "scenarios/published-32.json", NULL, 0, 2)
WALK(walks_random, "scenarios/pac-ml-32.json", "scripts/random.lua", 1 << 20, 3)
WALK(walks_preemption, "scenarios/rigid.json", "scripts/las_preempt.lua", 0, 4)
WALK(walks_own_orders, "scenarios/pac-ml-32.json", "scripts/order_longest_way.lua", 1 << 18, 7)
WALK(walks_priority, "scenarios/rigid.json", "scripts/easy_backfill.lua", 1 << 20, 5)
WALK(walks_shared_links, "scenarios/leaf-spine.json", NULL, 1 << 20, 9)
WALK(walks_circuits, "scenarios/disaggregated-rack.json", NULL, 1 << 20, 10)
WALK(walks_failures, "scenarios/ocs-failures.json", NULL, 1 << 20, 14)
WALK(walks_answered_failures, "scenarios/ocs-failures.json", "scripts/hold_if_near.lua", 0, 15)
WALK(walks_migration, "scenarios/pac-ml-32.json", "scripts/defragment.lua", 1, 6)

static void walks_restless(void **state) {
    (void)state;
    walk_text("scenarios/pac-ml-32.json", restless, 1 << 20, 7);
    walk_text("scenarios/rigid.json", restless, 0, 8);
}

/* Where each action changes the pace or the light of others too. */
static void walks_restless_on_networks(void **state) {
    (void)state;
    walk_text("scenarios/optics-vs-packets.json", restless, 1 << 20, 11);
    walk_text("scenarios/leaf-spine.json", restless, 1 << 20, 12);
    walk_text("scenarios/zones.json", restless, 1 << 20, 13);
}

TEST_GROUP(test_timeline) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_pac_ml),
        cmocka_unit_test(walks_published),
        cmocka_unit_test(walks_random),
        cmocka_unit_test(walks_preemption),
        cmocka_unit_test(walks_own_orders),
        cmocka_unit_test(walks_priority),
        cmocka_unit_test(walks_migration),
        cmocka_unit_test(walks_failures),
        cmocka_unit_test(walks_answered_failures),
        cmocka_unit_test(walks_restless),
        cmocka_unit_test(walks_shared_links),
        cmocka_unit_test(walks_circuits),
        cmocka_unit_test(walks_restless_on_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
