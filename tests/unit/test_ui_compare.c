/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two clusters beside each other: both boards are of the same time and can be counted, the job in
 * focus is lit in both, and the other branch is played on by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "group.h"
#include "screen/screen.h"
#include "sim/world.h"

#define SCENARIO LP_SOURCEDIR "/scenarios/pac-ml-32.json"

typedef struct Bench {
    LpSession *session;
    LpApp app;
} Bench;

static void draw(Bench *b) {
    LpDiag diag = {0};
    b->app.dirty = true;
    if (lp_app_draw(&b->app, &diag) != LP_OK)
        fail_msg("%s", diag.text);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    draw(b);
}

/* The numbers below were counted under these rules. */
static const char *const COUNTED[] = {"partition.kind=model", "options.shapes=published"};

static void open_bench(Bench *b, int cols, int rows) {
    LpSessionSpec spec = {.scenario = SCENARIO,
                          .sets = 2,
                          .set = COUNTED,
                          .keep_events = true,
                          .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static bool is_letter(uint32_t cp) {
    return (cp >= 'A' && cp <= 'Z') || (cp >= 'a' && cp <= 'z');
}

/* Filled letters of running jobs in the rows of the boards, in columns from..to. */
static uint32_t letters(const Bench *b, int from, int to, int last_row, unsigned bits) {
    uint32_t count = 0;
    for (int y = 4; y <= last_row; y++)
        for (int x = from; x < to; x++) {
            const LpCell *cell = lp_canvas_at(&b->app.canvas, x, y);
            bool accent = (cell->style & 0xFF) == LP_ROLE_STAGE;
            count += is_letter(cell->cp) && !accent && (cell->style & LP_FILL) &&
                     (cell->style & bits) == bits;
        }
    return count;
}

/* 80x24: the boards are rows 4 to 8, each half of the columns. */
static void both_boards_can_be_counted(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 80, 24);
    command(&b, "compare policy=max_parallelism");
    for (int n = 0; n < 12; n++) {
        command(&b, "next 7");
        const LpModel *model = &b.app.model;
        assert_non_null(model->beside);
        assert_false(model->time.other.short_of);
        /* the same job is decided in both */
        assert_int_equal(lp_world_due(model->beside->world), lp_world_due(model->world));
        assert_int_equal(lp_world_tally(model->beside->world)->arrived,
                         lp_world_tally(model->world)->arrived);
        assert_int_equal(letters(&b, 0, 40, 8, 0), lp_world_tally(model->world)->busy_servers);
        assert_int_equal(letters(&b, 40, 80, 8, 0),
                         lp_world_tally(model->beside->world)->busy_servers);
    }
    close_bench(&b);
}

static void the_focus_is_lit_in_both(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 80, 24);
    command(&b, "seek d60");
    command(&b, "compare policy=max_parallelism");
    uint32_t seen_in_both = 0;
    for (int i = 0; i < 12; i++) {
        LpModel *model = &b.app.model;
        bool here = lp_model_shows(model, model->focus);
        bool there = lp_model_shows(model->beside, model->focus);
        assert_true(here || there);
        assert_int_equal(model->beside->focus, there ? model->focus : LP_NO_INDEX);
        seen_in_both += here && there;
        b.app.ui.focus_job = lp_model_next_focus(model, 1) + 1;
        draw(&b);
    }
    assert_true(seen_in_both > 1); /* the one that is decided, and one that runs in both */
    close_bench(&b);
}

/* Going on, back, and while it plays. */
static void the_other_branch_keeps_up(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "compare policy=max_parallelism");
    uint64_t here = lp_session_moment(b.session).branch;
    static const char *const moves[] = {"seek 30 s", "next", "back 3", "seek 5 s", "seek 60 s"};
    for (size_t i = 0; i < LP_COUNTOF(moves); i++) {
        command(&b, moves[i]);
        const LpOther *other = &b.app.model.time.other;
        assert_false(other->short_of);
        assert_int_equal(lp_session_moment(b.session).branch, here);
        assert_true(lp_world_now(other->world) <= lp_world_now(lp_session_world(b.session)));
    }
    command(&b, "play");
    for (int ms = 0; ms < 20000; ms += 500) {
        lp_app_tick(&b.app, ms);
        draw(&b);
        assert_false(b.app.model.time.other.short_of);
    }
    assert_true(lp_world_now(lp_session_world(b.session)) > 60.0);
    close_bench(&b);
}

/* One is the older branch wherever one stands, and what 2 loses more has a sign. */
static void the_verdict_does_not_turn_with_the_branch(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 120, 40);
    command(&b, "seek d60");
    command(&b, "compare policy=max_parallelism name=largest");
    char said[400], again[400];
    snprintf(said, sizeof said, "%s", lp_buf_text(&b.app.model.now.said.form[LP_FORM_LONG]));
    assert_non_null(strstr(said, "2 has turned away 30 of 61 jobs, 1 only 10."));
    assert_non_null(strstr(said, "2.9 times sooner (25 jobs done in both)"));
    assert_int_equal(b.app.model.now.mark, LP_NOW_EVEN); /* of policies on one seed: no verdict */
    assert_string_equal(b.app.model.now.mark_text, "ONE SEED");
    command(&b, "branch largest");
    command(&b, "seek d60");
    command(&b, "compare main");
    snprintf(again, sizeof again, "%s", lp_buf_text(&b.app.model.now.said.form[LP_FORM_LONG]));
    assert_string_equal(again, said);
    close_bench(&b);
}

/* Of one decision in one run what follows is known; of two policies the end says how to learn more.
 */
static void a_verdict_is_of_decisions_not_of_policies(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 120, 40);
    command(&b, "seek d8");
    command(&b, "fork decline");
    command(&b, "next 5");
    command(&b, "compare main");
    assert_int_not_equal(b.app.model.now.mark, LP_NOW_EVEN);
    command(&b, "branch main");
    command(&b, "compare policy=max_parallelism");
    command(&b, "seek 1e9 s");
    assert_string_equal(b.app.model.now.mark_text, "ONE SEED");
    assert_non_null(strstr(lp_buf_text(&b.app.model.now.next.form[LP_FORM_LONG]),
                           "s runs both with five more"));
    close_bench(&b);
}

/* Also where the branch has not played on yet: at the end of what is recorded. */
static void the_next_difference_is_played_to(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "seek d20");
    command(&b, "compare policy=max_parallelism");
    uint32_t due = lp_world_due(lp_session_world(b.session));
    for (int i = 0; i < 5; i++) {
        command(&b, "do difference");
        uint32_t next = lp_world_due(lp_session_world(b.session));
        assert_true(next != LP_NO_INDEX && next > due);
        due = next;
    }
    close_bench(&b);
}

static const char *said(const Bench *b) {
    return b->app.ui.message;
}

/* The change that helps as a branch, both at the decision about the job, and what changed. */
static void blame_leads_into_the_comparison(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "next 30");
    command(&b, "blame");
    assert_true(b.app.blamed.shown);
    uint32_t job = b.app.blamed.blame.job;
    command(&b, "do take");
    assert_int_equal(b.app.ui.only, LP_PANE_COMPARE);
    assert_int_equal(lp_world_due(b.app.model.world), job);
    assert_int_equal(lp_world_due(b.app.model.beside->world), job);
    assert_int_equal(b.app.model.focus, job);
    assert_non_null(strstr(said(&b), "job 5 takes 3 ways, not 2: so job 12 gets in"));
    command(&b, "next");
    assert_int_equal(lp_world_job(b.app.model.world, job)->outcome, LP_JOB_RUNNING);
    assert_int_equal(lp_world_job(b.app.model.beside->world, job)->outcome, LP_JOB_BLOCKED);
    close_bench(&b);
}

/* Back before it on a branch without it; the one with it stays. */
static void a_change_is_told_and_undone(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "next 12");
    uint64_t hash = lp_session_hash(b.session);
    LpMoment before = lp_session_moment(b.session);
    command(&b, "change bandwidth=0.5");
    assert_non_null(strstr(said(&b), "bandwidth=0.5; u undoes it"));
    LpMoment changed = lp_session_moment(b.session);
    assert_true(lp_session_hash(b.session) != hash);
    command(&b, "undo");
    assert_non_null(strstr(said(&b), "undone: before bandwidth=0.5"));
    assert_int_equal(lp_session_hash(b.session), hash);
    assert_true(lp_session_moment(b.session).branch != before.branch);
    assert_true(lp_session_at_tip(b.session)); /* nothing ahead: the change does not come again */
    command(&b, "redo");
    assert_int_equal(lp_session_moment(b.session).branch, changed.branch);
    assert_int_equal(lp_session_moment(b.session).step, changed.step);
    close_bench(&b);
}

static void a_fork_says_what_it_changed(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 100, 30);
    command(&b, "next 8");
    command(&b, "fork degree=4");
    assert_non_null(strstr(said(&b), "job 8 takes 4 ways instead of 3 ways"));
    command(&b, "next");
    command(&b, "fork decline");
    assert_non_null(strstr(said(&b), "is turned away instead of"));
    command(&b, "fork bandwidth=0.5");
    assert_non_null(strstr(said(&b), "bandwidth"));
    close_bench(&b);
}

/* What is said is what became of the job: for every answer at every decision of a run. */
static void a_fork_says_what_became_of_it(void **state) {
    static const char *const answers[] = {"degree=99", "degree=1", "degree=4", "degree=16"};
    uint32_t away = 0, refused = 0;
    (void)state;
    Bench b;
    open_bench(&b, 200, 30);
    for (uint32_t d = 0; d < 40; d++)
        for (size_t i = 0; i < LP_COUNTOF(answers); i++) {
            char text[64];
            command(&b, "branch main");
            snprintf(text, sizeof text, "seek d%u", (unsigned)d);
            command(&b, text);
            snprintf(text, sizeof text, "fork %s", answers[i]);
            uint32_t due = lp_world_due(lp_session_world(b.session));
            LpDiag diag = {0};
            LpErr err = lp_app_command(&b.app, text, 0, &diag);
            const LpJob *job = lp_world_job(lp_session_world(b.session), due);
            if (err != LP_OK) { /* there is no room, or it is not allowed: nothing was taken */
                assert_int_equal(err, LP_EREFUSED);
                assert_int_equal(job->outcome, LP_JOB_DECIDING);
                refused++;
                continue;
            }
            bool blocked = job->outcome == LP_JOB_BLOCKED;
            if (blocked != (strstr(said(&b), "is turned away") != NULL) ||
                blocked == (strstr(said(&b), " takes ") != NULL))
                fail_msg("%s at d%u: %s", text, (unsigned)d, said(&b));
            away += blocked;
        }
    assert_true(refused > 40 && away > 0 && away < 120);
    close_bench(&b);
}

/* The first cell of the other cluster whose server a job has. */
static bool find_taken(const Bench *b, LpMouse *at) {
    const LpCanvas *canvas = &b->app.canvas;
    for (int i = 0; i < canvas->rows * canvas->cols; i++) {
        const LpCell *cell = &canvas->cell[i];
        if (cell->hit != LP_HIT_OTHER ||
            lp_world_server(b->app.model.beside->world, cell->what)->job == LP_NO_INDEX)
            continue;
        *at = (LpMouse){.kind = LP_MOUSE_PRESS, .x = i % canvas->cols, .y = i / canvas->cols};
        return true;
    }
    return false;
}

/* A click on a server of the other cluster tells whose it is there; the second one goes there. */
static void the_other_cluster_is_clicked(void **state) {
    (void)state;
    Bench b;
    LpMouse at;
    char expected[64];
    open_bench(&b, 80, 24);
    command(&b, "seek d60");
    command(&b, "compare policy=max_parallelism");
    b.app.ui.mouse = LP_MOUSE_ON;
    uint32_t other = (uint32_t)b.app.ui.versus;
    assert_true(find_taken(&b, &at));
    uint32_t server = lp_canvas_at(&b.app.canvas, at.x, at.y)->what;
    uint32_t job = lp_world_server(b.app.model.beside->world, server)->job;
    assert_int_not_equal(job, lp_world_server(b.app.model.world, server)->job);
    lp_app_mouse(&b.app, &at, 0);
    snprintf(expected, sizeof expected, "server %u: job %u ", (unsigned)server, (unsigned)job);
    if (strstr(said(&b), expected) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", expected, said(&b));
    lp_app_mouse(&b.app, &at, 0);
    draw(&b);
    if (lp_session_moment(b.session).branch != other)
        fail_msg("\"%s\"", said(&b));
    close_bench(&b);
}

/* Between two events nothing but time goes on: jobs are farther, servers and light as they were.
 * Two clusters side by side stand at events. */
static void a_time_between_two_events(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, 80, 24);
    command(&b, "seek d11");
    command(&b, "seek 2.0 s");
    const LpModel *model = &b.app.model;
    const LpWorld *event = lp_session_world(b.session);
    uint64_t hash = lp_world_hash(event);
    assert_true(lp_world_now(event) < 2.0 && lp_world_now(model->world) == 2.0);
    assert_true(model->until > 2.0 && model->running_count > 0);
    assert_string_equal(model->now.verb, "BETWEEN");
    for (uint32_t i = 0; i < model->running_count; i++)
        assert_true(model->running[i].progress >
                    lp_world_progress(event, model->running[i].job->id));
    assert_int_equal(lp_world_tally(model->world)->busy_servers,
                     lp_world_tally(event)->busy_servers);
    command(&b, "compare policy=max_parallelism");
    assert_true(lp_world_now(b.app.model.world) < 2.0);
    command(&b, "view main");
    command(&b, "seek 2.0 s");
    command(&b, "next");
    assert_true(b.app.model.until <= 0.0);
    assert_int_not_equal(lp_world_hash(lp_session_world(b.session)), hash);
    close_bench(&b);
}

TEST_GROUP(test_ui_compare) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_cluster_is_clicked),
        cmocka_unit_test(a_time_between_two_events),
        cmocka_unit_test(both_boards_can_be_counted),
        cmocka_unit_test(the_focus_is_lit_in_both),
        cmocka_unit_test(the_other_branch_keeps_up),
        cmocka_unit_test(the_verdict_does_not_turn_with_the_branch),
        cmocka_unit_test(a_verdict_is_of_decisions_not_of_policies),
        cmocka_unit_test(the_next_difference_is_played_to),
        cmocka_unit_test(blame_leads_into_the_comparison),
        cmocka_unit_test(a_change_is_told_and_undone),
        cmocka_unit_test(a_fork_says_what_it_changed),
        cmocka_unit_test(a_fork_says_what_became_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
