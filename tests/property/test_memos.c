/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is remembered answers for what was asked: after any walk through a session - forks,
 * policies, conditions, knobs, regrouping, seeks, what-if tables, blame, stories - on every shipped
 * scenario and lesson each step in the store is what its job's own inputs give, and the session,
 * saved and verified, comes to the same states where nothing was looked at before. MEMO_WALKS=N: so
 * many walks of each, 1 by default. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ask/blame/blame.h"
#include "ask/inspect/story.h"
#include "ask/whatif/turn.h"
#include "ask/whatif/whatif.h"
#include "group.h"
#include "session/file.h"
#include "session/moment/moment_regroup.h"
#include "session/replay.h"
#include "sim/state/state.h"
#include "sim/store/store.h"
#include "sim/world.h"

enum { BRANCHES = 6, MOVES = 40, SCENARIOS = 64, MOST_STEPS = 60 };

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

typedef struct Draw {
    uint32_t seed;
} Draw;

static uint32_t draw(Draw *d, uint64_t below) {
    d->seed = d->seed * 1664525u + 1013904223u;
    return (uint32_t)((d->seed >> 8) % below);
}

/* ---- what the store has is what the inputs give ---- */

static void check_step(const LpSession *s, const LpJob *job) {
    const LpContext *context = lp_job_context(job, lp_session_context(s));
    LpStepSummary fresh;
    LpDiag diag = {0};
    if (job->graph < 0 || job->placed.step == LP_NO_INDEX || job->placed.placement == LP_NO_INDEX ||
        lp_published(&context->scenario->options, LP_OPT_CACHE)) /* the first job's, by rule */
        return;
    const LpStepSummary *kept = lp_store_step(context->store, job->placed.step);
    OK(lp_store_step_again(context, job->placed.partition, job->placed.placement,
                           job->placed.orders, &fresh, &diag));
    if (fresh.hash != kept->hash || fresh.bubble != kept->bubble ||
        fresh.held_bytes != kept->held_bytes)
        fail_msg(
            "%s, job %u: %u circuits, light for %.17g s and %.17g s a step are remembered, its "
            "inputs give %u, %.17g s and %.17g s",
            lp_session_scenario(s)->name, (unsigned)job->id, kept->channels, kept->light_area,
            kept->step_time, fresh.channels, fresh.light_area, fresh.step_time);
}

static void check_steps(const LpSession *s) {
    const LpWorld *world = lp_session_world(s);
    uint32_t jobs = lp_world_jobs(world);
    for (uint32_t i = jobs > MOST_STEPS ? jobs - MOST_STEPS : 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(world, i);
        if (job->outcome == LP_JOB_RUNNING)
            check_step(s, job);
    }
}

/* ---- a walk ---- */

static const char *const policies[] = {
    "scripts/first_fit.lua",
    "scripts/random_servers.lua",
    "scripts/random.lua",
    "scripts/zone_aware.lua",
    "scripts/sjf.lua",
    "scripts/max_parallelism.lua",
    "scripts/las_preempt.lua",
    "scripts/defragment.lua",
    "scripts/spread_default.lua",
    "scripts/pod_best_shape.lua",
    "scripts/ocs_bvn.lua",
    "scripts/order_fifo.lua",
    "scripts/easy_backfill.lua",
};

static const LpCondition conditions[] = {
    {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5},
    {.kind = LP_CONDITION_LATENCY, .value = 4},
    {.kind = LP_CONDITION_RECONFIGURATION, .value = 2},
    {.kind = LP_CONDITION_BANDWIDTH, .value = 1},
};

/* What cannot be done here is refused, and changes nothing. */
static void fork_somehow(LpSession *s, Draw *d) {
    static const LpAnswer answers[] = {{.kind = LP_ANSWER_DECLINE},
                                       {.kind = LP_ANSWER_RUN, .degree = 2},
                                       {.kind = LP_ANSWER_RUN, .degree = 4},
                                       {.kind = LP_ANSWER_WAIT}};
    LpForkSpec spec = {0};
    LpDiag diag = {0};
    uint32_t branch;
    if (lp_session_branches(s) >= BRANCHES)
        return;
    if (draw(d, 3) == 0)
        spec.answer = &answers[draw(d, LP_COUNTOF(answers))];
    else if (draw(d, 3) > 0)
        spec.policy = policies[draw(d, LP_COUNTOF(policies))];
    else
        spec.condition = &conditions[draw(d, LP_COUNTOF(conditions))];
    (void)!lp_session_fork(s, &spec, &branch, &diag);
}

/* Knobs are turned, and the run with them is looked at for a while; those of now may become a
 * branch. */
static void turn_knobs(LpSession *s, Draw *d) {
    LpDiag diag = {0};
    LpKnobs knobs;
    LpKnobTurn *turn;
    uint32_t branch;
    bool done;
    uint64_t hash = lp_world_hash(lp_session_world(s));
    OK(lp_knobs_list(s, &knobs, &diag));
    for (uint32_t i = draw(d, 2) + 1; knobs.count > 0 && i > 0; i--)
        (void)lp_knob_turn(&knobs.row[draw(d, knobs.count)], draw(d, 2) == 0 ? 1 : -1);
    if (lp_turn_new(s, &knobs, &turn, &diag) == LP_OK) {
        (void)!lp_turn_work(turn, draw(d, 60) + 1, &done, &diag);
        lp_turn_free(turn);
    }
    assert_true(lp_world_hash(lp_session_world(s)) == hash);
    if (draw(d, 2) == 0 && lp_knobs_turned(&knobs) && lp_session_branches(s) < BRANCHES)
        (void)!lp_knobs_fork(s, &knobs, &branch, &diag);
    lp_knobs_fini(&knobs);
}

/* Every running job under one aggregator, on a branch of its own where something is recorded. */
static void regroup(LpSession *s, Draw *d) {
    LpDiag diag = {0};
    LpRegroupLink *link;
    LpForkSpec spec = {0};
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    uint32_t count, branch;
    LpMoment at = lp_session_moment(s);
    bool room = lp_session_branches(s) < BRANCHES || at.step == lp_session_tip(s, at.branch);
    if (!room || lp_regroup_links(s, &link, &count, &diag) != LP_OK)
        return;
    if (count > 0 && draw(d, 2) == 0)
        count = 1;
    LpAction action = {.kind = LP_ACTION_REGROUP, .link = link, .links = count, .why = "walk"};
    if (at.step < lp_session_tip(s, at.branch))
        OK(lp_session_fork(s, &spec, &branch, &diag));
    if (count > 0)
        (void)!lp_session_act(s, &action, &event, &cause, reason, &diag);
    lp_free(link);
}

static void look(LpSession *s, Draw *d) {
    LpDiag diag = {0};
    LpBuf text = {0};
    uint32_t jobs = lp_world_jobs(lp_session_world(s));
    uint64_t hash = lp_world_hash(lp_session_world(s));
    LpWhatIfs table;
    LpBlame blame = {0};
    switch (draw(d, 3)) {
    case 0:
        if (lp_whatif_table(s, &table, &diag) == LP_OK)
            lp_whatif_fini(&table);
        break;
    case 1:
        if (jobs > 0)
            (void)!lp_blame_job(s, draw(d, jobs), &blame, &diag);
        break;
    default:
        if (jobs > 0)
            (void)!lp_story_json(s, draw(d, jobs), NULL, NULL, &text, &diag);
        lp_buf_fini(&text);
    }
    assert_true(lp_world_hash(lp_session_world(s)) == hash);
}

static void move(LpSession *s, Draw *d) {
    LpDiag diag = {0};
    LpEvent event;
    LpMoment at = lp_session_moment(s);
    switch (draw(d, 10)) {
    case 8:
        turn_knobs(s, d);
        break;
    case 9:
        regroup(s, d);
        break;
    case 0:
        fork_somehow(s, d);
        break;
    case 1:
        OK(lp_session_switch(s, draw(d, lp_session_branches(s)), &diag));
        break;
    case 2:
        OK(lp_session_seek(s, draw(d, lp_session_tip(s, at.branch) + 1), &diag));
        break;
    case 3:
        look(s, d);
        break;
    default: /* on, some way */
        for (uint32_t i = draw(d, 12) + 1; i > 0 && !lp_world_over(lp_session_world(s)); i--)
            OK(lp_session_step(s, &event, &diag));
        check_steps(s);
    }
}

static void walk(const char *scenario, uint32_t seed) {
    static const char *const few[] = {"generator.count=24"};
    char path[64] = "/tmp/lightpath-memo-XXXXXX";
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true};
    LpLoadReport report;
    LpSession *s, *again;
    LpSave *save;
    Draw d = {seed};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
    spec.set = few;
    spec.sets = 1;
    if (lp_session_open(&spec, &s, &diag) != LP_OK) { /* it lists its jobs */
        spec.sets = 0;
        OK(lp_session_open(&spec, &s, &diag));
    }
    OK(lp_save_open(s, path, false, &save, &diag));
    for (int i = 0; i < MOVES; i++)
        move(s, &d);
    OK(lp_save_update(save, s, &diag));
    lp_save_close(save, s);
    lp_session_close(s);
    LpLoadSpec load = {.path = path, .verify = true};
    OK(lp_session_load(&load, &again, &report, &diag));
    if (report.differences > 0)
        fail_msg("%s, walk %u: branch %s, decision %u: recorded %s, now %s", scenario,
                 (unsigned)seed, report.branch, (unsigned)report.decision, report.recorded,
                 report.now);
    assert_int_equal(report.damage_line, 0);
    lp_session_close(again);
    unlink(path);
}

/* ---- all scenarios ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk_all(const char *folder, uint32_t seed) {
    const char *often = getenv("MEMO_WALKS");
    char *name[SCENARIOS], path[512];
    int count = 0, walks = often != NULL ? atoi(often) : (int)test_share(3);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e = readdir(dir); e != NULL && count < SCENARIOS; e = readdir(dir))
        if (strlen(e->d_name) > 5 && strcmp(e->d_name + strlen(e->d_name) - 5, ".json") == 0)
            name[count++] = strdup(e->d_name);
    closedir(dir);
    assert_true(count > 10);
    qsort(name, (size_t)count, sizeof *name, compare_names);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        for (int k = 0; k < walks; k++)
            walk(path, seed + (uint32_t)(100 * i + k));
        free(name[i]);
    }
}

static void scenarios(void **state) {
    (void)state;
    walk_all("scenarios", 1);
}

static void lessons(void **state) {
    (void)state;
    walk_all("scenarios/lessons", 7001);
}

/* The same servers in another order, which a ring that follows the network treats alike, and the
 * circuits of a step do not: decided by one policy, then by another one in the same session. */
static void other_order_of_the_same_servers(void **state) {
    LpSessionSpec spec = {.scenario = "scenarios/zones.json", .keep_timeline = true};
    LpForkSpec fork = {.policy = "scripts/first_fit.lua"};
    LpSession *s, *fresh;
    LpDiag diag = {0};
    uint32_t branch;
    bool stopped;
    (void)state;
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    OK(lp_session_seek(s, 0, &diag));
    OK(lp_session_fork(s, &fork, &branch, &diag));
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    spec.policy = fork.policy;
    OK(lp_session_open(&spec, &fresh, &diag));
    OK(lp_session_run(fresh, NULL, NULL, &stopped, &diag));
    assert_true(lp_session_hash(s) == lp_session_hash(fresh));
    lp_session_close(fresh);
    lp_session_close(s);
}

TEST_GROUP(test_memos) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_order_of_the_same_servers),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(lessons),
    };
    if (chdir(LP_SOURCEDIR) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
