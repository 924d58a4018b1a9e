/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions in files: what is saved on the way and opened again is the same session, to the bit of
 * every state of every branch, and its policies decide the same again; a file that is cut anywhere
 * gives what was before, and no flipped byte goes unnoticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "group.h"
#include "io/files/file.h"
#include "session/file.h"
#include "session/replay.h"

enum { BRANCHES = 8, MOVES = 400 };

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

static void temporary(char path[64], const char *what) {
    snprintf(path, 64, "/tmp/lightpath-%s-XXXXXX", what);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    unlink(path);
}

/* ---- comparing two sessions ---- */

static uint32_t live_branches(const LpSession *s, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < lp_session_branches(s); i++) {
        LpBranchInfo info;
        assert_int_equal(lp_session_branch(s, i, &info), LP_OK);
        if (!info.deleted)
            out[count++] = i;
    }
    return count;
}

static void same_branch(LpSession *a, uint32_t i, LpSession *b, uint32_t k, Draw *d) {
    LpBranchInfo one, two;
    LpDiag diag = {0};
    assert_int_equal(lp_session_branch(a, i, &one), LP_OK);
    assert_int_equal(lp_session_branch(b, k, &two), LP_OK);
    assert_string_equal(one.name, two.name);
    assert_string_equal(one.what, two.what);
    assert_string_equal(one.policy, two.policy);
    assert_int_equal(one.tip, two.tip);
    assert_int_equal(one.forked_at, two.forked_at);
    assert_int_equal(one.over, two.over);
    assert_true(lp_log_hash(lp_session_log(a, i)) == lp_log_hash(lp_session_log(b, k)));
    assert_int_equal(lp_session_branch_events(a, i), lp_session_branch_events(b, k));
    for (int n = 0; n < 6; n++) {
        uint64_t step = n == 0 ? one.tip : draw(d, one.tip + 1);
        LpWorld *first, *second;
        OK(lp_session_world_at(a, (LpMoment){i, step}, &first, &diag));
        OK(lp_session_world_at(b, (LpMoment){k, step}, &second, &diag));
        assert_true(lp_world_hash(first) == lp_world_hash(second));
        for (uint32_t job = 0; job < lp_world_jobs(first); job++)
            assert_string_equal(lp_session_why_at(a, (LpMoment){i, step}, job).why,
                                lp_session_why_at(b, (LpMoment){k, step}, job).why);
        lp_world_free(first);
        lp_world_free(second);
    }
}

static void same_sessions(LpSession *a, LpSession *b, Draw *d) {
    uint32_t one[2 * BRANCHES + 2], two[2 * BRANCHES + 2];
    uint32_t count = live_branches(a, one);
    assert_int_equal(live_branches(b, two), count);
    for (uint32_t i = 0; i < count; i++)
        same_branch(a, one[i], b, two[i], d);
}

/* ---- a session that somebody works with ---- */

static void fork_here(LpSession *s, Draw *d) {
    static const LpAnswer answers[] = {{.kind = LP_ANSWER_DECLINE},
                                       {.kind = LP_ANSWER_RUN, .degree = 2, .why = "by \"hand\""},
                                       {.kind = LP_ANSWER_WAIT}};
    static const char *const params[] = {"max_degree=4"};
    LpDiag diag = {0};
    LpForkSpec spec = {0};
    LpCondition condition = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5};
    uint32_t branch;
    if (lp_session_branches(s) >= BRANCHES)
        return;
    if (lp_world_due(lp_session_world(s)) != LP_NO_INDEX)
        spec.answer = &answers[draw(d, 3)];
    else if (draw(d, 3) > 0)
        spec.policy = draw(d, 2) > 0 ? "scripts/sjf.lua" : "scripts/random.lua";
    else if (strcmp(lp_session_policy_name(s), "meets-deadline") == 0)
        spec = (LpForkSpec){.params = 1, .param = params};
    else
        spec.condition = &condition;
    if (lp_session_scenario(s)->semantics_published || lp_world_over(lp_session_world(s)))
        spec.condition = NULL;
    OK(lp_session_fork(s, &spec, &branch, &diag));
}

static void move(LpSession *s, Draw *d) {
    LpDiag diag = {0};
    LpEvent event;
    LpMoment at = lp_session_moment(s);
    char name[32];
    uint32_t count = lp_session_branches(s), branch = draw(d, count);
    switch (draw(d, 30)) {
    case 0:
        fork_here(s, d);
        break;
    case 1:
        (void)!lp_session_switch(s, branch, &diag); /* it may be deleted */
        break;
    case 2:
        OK(lp_session_seek(s, draw(d, lp_session_tip(s, at.branch) + 1), &diag));
        break;
    case 3:
        snprintf(name, sizeof name, "name \x1b %u", (unsigned)draw(d, 1000));
        (void)!lp_session_rename(s, branch, name, &diag);
        break;
    case 4:
        if (draw(d, 3) == 0)
            (void)!lp_session_delete(s, branch, &diag);
        break;
    default:
        if (!lp_world_over(lp_session_world(s)))
            OK(lp_session_step(s, &event, &diag));
    }
}

static void verify(const char *path) {
    LpLoadSpec spec = {.path = path, .verify = true};
    LpLoadReport report;
    LpSession *s;
    LpDiag diag = {0};
    OK(lp_session_load(&spec, &s, &report, &diag));
    if (report.differences > 0)
        fail_msg("branch %s, decision %u: recorded %s, now %s", report.branch,
                 (unsigned)report.decision, report.recorded, report.now);
    assert_int_equal(report.damage_line, 0);
    assert_false(report.policy_failed);
    lp_session_close(s);
}

static LpSession *load(const char *path, LpLoadReport *report) {
    LpLoadSpec spec = {.path = path};
    LpSession *s;
    LpDiag diag = {0};
    OK(lp_session_load(&spec, &s, report, &diag));
    return s;
}

static void work(const char *scenario, const char *policy, uint32_t seed) {
    static const char *const sets[] = {"notes=\"\\u202e \\\\ \\n\""};
    char path[64], again[64];
    LpDiag diag = {0};
    LpSessionSpec spec = {
        .scenario = scenario, .policy = policy, .keep_timeline = true, .sets = 1, .set = sets};
    LpSession *s;
    LpSave *save, *second;
    LpLoadReport report;
    Draw d = {seed};
    temporary(path, "session");
    temporary(again, "again");
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_save_open(s, path, false, &save, &diag));
    assert_int_not_equal(lp_save_open(s, path, false, &second, &diag), LP_OK);
    for (int i = 0; i < MOVES; i++) {
        move(s, &d);
        if (draw(&d, 3) > 0)
            OK(lp_save_update(save, s, &diag));
    }
    LpMoment at = lp_session_moment(s);
    lp_save_close(save, s);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    LpSession *copy = load(path, &report);
    assert_int_equal(report.damage_line, 0);
    assert_int_equal(report.differences, 0);
    assert_true(report.ended);
    assert_int_equal(lp_session_moment(copy).step, at.step);
    same_sessions(s, copy, &d);
    /* what was opened can be worked on and saved like any other */
    OK(lp_session_switch(copy, 0, &diag));
    for (int i = 0; i < 60; i++)
        move(copy, &d);
    OK(lp_save_open(copy, again, false, &second, &diag));
    lp_save_close(second, copy);
    LpSession *third = load(again, &report);
    assert_int_equal(report.damage_line, 0);
    same_sessions(copy, third, &d);
    lp_session_close(third);
    lp_session_close(copy);
    lp_session_close(s);
    verify(path);
    verify(again);
    unlink(path);
    unlink(again);
}

#define WORK(name, ...)                                                                            \
    static void name(void **state) {                                                               \
        (void)state;                                                                               \
        work(__VA_ARGS__);                                                                         \
    }
WORK(pac_ml, "scenarios/pac-ml-32.json", NULL, 1)
WORK(published, "scenarios/published-32.json", NULL, 2)
WORK(random_stream, "scenarios/pac-ml-32.json", "scripts/random.lua", 3)
WORK(preemption, "scenarios/rigid.json", "scripts/las_preempt.lua", 4)
WORK(backfill, "scenarios/rigid.json", "scripts/easy_backfill.lua", 5)
WORK(own_orders, "scenarios/pac-ml-32.json", "scripts/order_longest_way.lua", 6)
WORK(shared_links, "scenarios/leaf-spine.json", NULL, 7)
WORK(circuits, "scenarios/disaggregated-rack.json", NULL, 8)
WORK(migration, "scenarios/pac-ml-32.json", "scripts/defragment.lua", 9)
WORK(network, "scenarios/published-32.json", "scripts/pac_ml.lua", 10)

/* ---- damage ---- */

typedef struct Small {
    char path[64];
    char *text;
    size_t len;
    uint64_t steps, *tip; /* tip of the trunk after so many lines */
    size_t lines;
} Small;

static void write_bytes(const char *path, const char *bytes, size_t len) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

/* A session of a few decisions on a scenario without files. */
static Small make_small(void) {
    static const char scenario[] =
        "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":2}},"
        "\"jobs\":[{\"servers\":1,\"duration\":5,\"arrival\":0},"
        "{\"servers\":2,\"duration\":3,\"arrival\":1},{\"servers\":1,\"duration\":2,"
        "\"arrival\":2}]}";
    Small small = {0};
    char input[64];
    LpDiag diag = {0};
    LpSession *s;
    LpSave *save;
    uint32_t branch;
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
    LpForkSpec fork = {.answer = &answer};
    temporary(input, "scenario");
    temporary(small.path, "small");
    write_bytes(input, scenario, sizeof scenario - 1);
    LpSessionSpec spec = {.scenario = input, .keep_timeline = true};
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_session_to_decision(s, &event, &diag));
    OK(lp_save_open(s, small.path, false, &save, &diag));
    for (int i = 0; i < 4; i++) {
        OK(lp_session_step(s, &event, &diag));
        OK(lp_save_update(save, s, &diag));
    }
    OK(lp_session_back_decision(s, &diag));
    OK(lp_session_fork(s, &fork, &branch, &diag));
    OK(lp_save_update(save, s, &diag));
    small.steps = lp_session_tip(s, 0);
    lp_save_close(save, s);
    lp_session_close(s);
    unlink(input);
    OK(lp_file_read(small.path, 0, &small.text, &small.len, &diag));
    return small;
}

/* Loads what is in the file; false when there is no session in it. */
static bool try_load(const char *path, LpLoadReport *report, uint64_t *trunk) {
    LpLoadSpec spec = {.path = path};
    LpSession *s;
    LpDiag diag = {0};
    if (lp_session_load(&spec, &s, report, &diag) != LP_OK) {
        assert_true(diag.text[0] != '\0');
        return false;
    }
    *trunk = lp_session_tip(s, 0);
    lp_session_close(s);
    return true;
}

static size_t whole_lines(const char *text, size_t len) {
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n';
    return lines;
}

static void a_cut_leaves_what_was_before(void **state) {
    (void)state;
    Small small = make_small();
    uint64_t trunk = 0, before = 0;
    size_t opened = 0;
    for (size_t len = 0; len <= small.len; len++) {
        LpLoadReport report;
        write_bytes(small.path, small.text, len);
        if (!try_load(small.path, &report, &trunk))
            continue;
        opened++;
        size_t whole = whole_lines(small.text, len);
        /* a whole line that lacks only its end counts */
        assert_true(report.lines == whole || report.lines == whole + 1);
        assert_true(report.damage_line == 0 || report.damage_cut);
        assert_int_equal(report.differences, 0);
        assert_true(trunk >= before);
        before = trunk;
    }
    assert_true(opened > small.len / 2);
    assert_int_equal(before, small.steps);
    unlink(small.path);
    lp_free(small.text);
}

static void a_flip_is_noticed(void **state) {
    (void)state;
    Small small = make_small();
    for (size_t i = 0; i < small.len; i++) {
        LpLoadReport report;
        uint64_t trunk;
        small.text[i] ^= (char)(1 << (i % 8));
        write_bytes(small.path, small.text, small.len);
        small.text[i] ^= (char)(1 << (i % 8));
        if (!try_load(small.path, &report, &trunk))
            continue;
        size_t line = whole_lines(small.text, i) + 1;
        bool last = i + 1 == small.len; /* only the line end of the last line */
        if (!last && report.damage_line != (int)line && report.damage_line != (int)line + 1)
            fail_msg("byte %zu of line %zu: damage at line %d", i, line, report.damage_line);
        assert_true(trunk <= small.steps);
    }
    unlink(small.path);
    lp_free(small.text);
}

static void a_line_twice_is_noticed(void **state) {
    (void)state;
    Small small = make_small();
    char *twice = malloc(2 * small.len);
    assert_non_null(twice);
    for (size_t from = 0; from < small.len;) {
        const char *end = memchr(small.text + from, '\n', small.len - from);
        size_t to = (size_t)(end - small.text) + 1;
        LpLoadReport report;
        uint64_t trunk;
        memcpy(twice, small.text, to);
        memcpy(twice + to, small.text + from, small.len - from);
        write_bytes(small.path, twice, small.len + to - from);
        if (try_load(small.path, &report, &trunk))
            assert_int_equal(report.damage_line, whole_lines(small.text, to) + 1);
        from = to;
    }
    free(twice);
    unlink(small.path);
    lp_free(small.text);
}

/* Another explorer has put its session in the place: nothing more is said to be saved, and neither
 * file is written over. */
static void another_one_is_noticed(void **state) {
    Small small = make_small();
    char elsewhere[64];
    LpLoadReport report;
    LpEvent event;
    LpDiag diag = {0};
    LpSave *save;
    (void)state;
    temporary(elsewhere, "elsewhere");
    LpSession *s = load(small.path, &report);
    OK(lp_save_open(s, small.path, true, &save, &diag));
    assert_int_equal(lp_save_open(s, small.path, true, &(LpSave *){NULL}, &diag), LP_EIO);
    unlink(small.path);
    write_bytes(small.path, small.text, small.len);
    OK(lp_session_switch(s, 0, &diag));
    (void)!lp_session_step(s, &event, &diag);
    assert_int_equal(lp_save_update(save, s, &diag), LP_ESTATE);
    assert_non_null(strstr(diag.text, "another program has replaced it"));
    assert_non_null(lp_save_paused(save));
    assert_int_equal(lp_save_resume(save, s, &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "expected another name"));
    char *text;
    size_t len;
    OK(lp_file_read(small.path, 0, &text, &len, &diag));
    assert_int_equal(len, small.len);
    assert_memory_equal(text, small.text, len);
    lp_free(text);
    OK(lp_save_move(s, elsewhere, &save, &diag));
    OK(lp_save_move(s, elsewhere, &save, &diag)); /* over itself */
    assert_null(lp_save_paused(save));
    unlink(elsewhere); /* gone: it is made again */
    assert_int_equal(lp_save_update(save, s, &diag), LP_EIO);
    OK(lp_save_resume(save, s, &diag));
    OK(lp_save_end(save, s, &diag));
    lp_save_close(save, s);
    LpSession *again = load(elsewhere, &report);
    assert_true(report.ended);
    lp_session_close(again);
    lp_session_close(s);
    unlink(small.path);
    unlink(elsewhere);
    lp_free(small.text);
}

TEST_GROUP(test_session_files) {
    if (chdir(LP_SOURCEDIR) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pac_ml),
        cmocka_unit_test(published),
        cmocka_unit_test(random_stream),
        cmocka_unit_test(preemption),
        cmocka_unit_test(backfill),
        cmocka_unit_test(own_orders),
        cmocka_unit_test(shared_links),
        cmocka_unit_test(circuits),
        cmocka_unit_test(migration),
        cmocka_unit_test(network),
        cmocka_unit_test(a_cut_leaves_what_was_before),
        cmocka_unit_test(a_flip_is_noticed),
        cmocka_unit_test(a_line_twice_is_noticed),
        cmocka_unit_test(another_one_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
