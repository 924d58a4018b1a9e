/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout at every size: panes within the screen, none over another, and the right ones left out
 * where there is no room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "group.h"
#include "screen/layout.h"

static LpScreenLayout layout(int cols, int rows, int groups) {
    return lp_layout(&(LpLayoutSpec){
        rows, cols, groups, 38, 57, LP_PANE_COUNT, 0, 0, {LP_PANE_TITLE}, 10, 10, 0, 0});
}

static bool shown(const LpScreenLayout *l, LpPane pane) {
    return l->pane[pane].w > 0 && l->pane[pane].h > 0;
}

static bool overlap(LpRect a, LpRect b) {
    return a.w > 0 && b.w > 0 && a.h > 0 && b.h > 0 && a.x < b.x + b.w && b.x < a.x + a.w &&
           a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check_geometry(const LpScreenLayout *l, int cols, int rows) {
    int covered = 0;
    for (int i = 0; i < LP_PANE_COUNT; i++) {
        LpRect r = l->pane[i];
        if (r.x < 0 || r.y < 0 || r.w < 0 || r.h < 0 || r.x + r.w > cols || r.y + r.h > rows ||
            (r.h == 2 && i != LP_PANE_NOW))
            fail_msg("%s at %dx%d: %d,%d %dx%d", lp_pane_name((LpPane)i), cols, rows, r.x, r.y, r.w,
                     r.h);
        covered += r.w * r.h;
        for (int k = 0; k < i; k++)
            if (overlap(r, l->pane[k]))
                fail_msg("%s lies over %s at %dx%d", lp_pane_name((LpPane)i),
                         lp_pane_name((LpPane)k), cols, rows);
    }
    if (covered != cols * rows)
        fail_msg("%d of %d cells at %dx%d", covered, cols * rows, cols, rows);
}

static void test_every_size(void **state) {
    (void)state;
    static const int groups[] = {1, 4, 9, 64};
    for (size_t g = 0; g < LP_COUNTOF(groups); g++)
        for (int cols = 1; cols <= 400; cols++)
            for (int rows = 1; rows <= 120; rows++) {
                LpScreenLayout l = layout(cols, rows, groups[g]);
                check_geometry(&l, cols, rows);
            }
}

/* What may be left out before what. */
static void test_order_of_dropping(void **state) {
    (void)state;
    for (int cols = 20; cols <= 200; cols += 3)
        for (int rows = 5; rows <= 60; rows++) {
            LpScreenLayout l = layout(cols, rows, 4);
            bool jobs_full = l.pane[LP_PANE_JOBS].h >= 3;
            assert_true(shown(&l, LP_PANE_LEDGER));
            assert_true(shown(&l, LP_PANE_SERVERS));
            assert_true(shown(&l, LP_PANE_DECISION));
            assert_true(shown(&l, LP_PANE_TIMELINE));
            assert_true(shown(&l, LP_PANE_KEYS));
            if (shown(&l, LP_PANE_EVENTS))
                assert_true(shown(&l, LP_PANE_CIRCUITS));
            if (shown(&l, LP_PANE_CIRCUITS))
                assert_true(jobs_full);
            if (jobs_full)
                assert_true(shown(&l, LP_PANE_CURVE));
        }
}

static void test_tiny(void **state) {
    (void)state;
    LpScreenLayout l = layout(1, 1, 4);
    assert_true(shown(&l, LP_PANE_LEDGER));
    l = layout(20, 2, 4);
    assert_true(shown(&l, LP_PANE_LEDGER) && shown(&l, LP_PANE_DECISION));
    l = layout(20, 5, 4);
    for (int i = 0; i < LP_PANE_COUNT; i++)
        assert_true(l.pane[i].h <= 1);
    l = lp_layout(
        &(LpLayoutSpec){0, 0, 4, 38, 57, LP_PANE_COUNT, 0, 0, {LP_PANE_TITLE}, 10, 10, 0, 0});
    for (int i = 0; i < LP_PANE_COUNT; i++)
        assert_false(shown(&l, (LpPane)i));
    l = lp_layout(
        &(LpLayoutSpec){-5, -7, 4, 38, 57, LP_PANE_SERVERS, 0, 0, {LP_PANE_TITLE}, 10, 10, 0, 0});
    assert_false(shown(&l, LP_PANE_SERVERS));
}

/* The now bar: a row, what comes next from 120x40 on, and air from 200x60 on; alone or not. */
static void test_now_bar(void **state) {
    (void)state;
    static const struct {
        int cols, rows, h;
    } sizes[] = {{20, 5, 0},   {60, 20, 1},  {80, 24, 1},  {119, 60, 1},
                 {120, 39, 1}, {120, 40, 2}, {200, 59, 2}, {200, 60, 3}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (int alone = 0; alone < 2; alone++) {
            LpPane only = alone ? LP_PANE_JOBS : LP_PANE_COUNT;
            LpScreenLayout l = lp_layout(&(LpLayoutSpec){sizes[i].rows,
                                                         sizes[i].cols,
                                                         4,
                                                         38,
                                                         57,
                                                         only,
                                                         false,
                                                         0,
                                                         {LP_PANE_TITLE},
                                                         10,
                                                         10,
                                                         0,
                                                         0});
            if (sizes[i].rows < 7 && alone)
                continue;
            assert_int_equal(l.pane[LP_PANE_NOW].h, sizes[i].h);
            assert_true(sizes[i].h == 0 || l.pane[LP_PANE_NOW].y == 1);
        }
}

/* The sizes that the screens are drawn for: from 80x24 on nothing is left out. */
static void test_known_sizes(void **state) {
    (void)state;
    static const struct {
        int cols, rows, boards, decision, curve;
    } sizes[] = {
        {80, 24, 7, 7, 9}, {100, 30, 10, 7, 11}, {120, 40, 11, 12, 14}, {200, 60, 11, 22, 24}};
    for (size_t k = 0; k < LP_COUNTOF(sizes); k++) {
        LpScreenLayout l = lp_layout(&(LpLayoutSpec){sizes[k].rows,
                                                     sizes[k].cols,
                                                     4,
                                                     60,
                                                     65,
                                                     LP_PANE_COUNT,
                                                     false,
                                                     0,
                                                     {LP_PANE_TITLE},
                                                     10,
                                                     10,
                                                     0,
                                                     0});
        for (int i = 0; i < LP_PANE_COUNT; i++)
            assert_int_equal(shown(&l, (LpPane)i),
                             !lp_pane_is_extra((LpPane)i) && i != LP_PANE_FABRIC &&
                                 (i != LP_PANE_LEGEND || sizes[k].rows >= 30));
        assert_int_equal(l.pane[LP_PANE_SERVERS].h, sizes[k].boards);
        assert_int_equal(l.pane[LP_PANE_CIRCUITS].y, l.pane[LP_PANE_SERVERS].y);
        assert_int_equal(l.pane[LP_PANE_DECISION].h, sizes[k].decision);
        assert_int_equal(l.pane[LP_PANE_CURVE].h, sizes[k].curve);
    }
}

static void test_one_pane_alone(void **state) {
    (void)state;
    for (int pane = LP_PANE_SERVERS; pane < LP_PANE_LESSON; pane++)
        for (int cols = 1; cols <= 400; cols += cols < 130 ? 1 : 9)
            for (int rows = 1; rows <= 120; rows += rows < 50 ? 1 : 7) {
                LpScreenLayout l = lp_layout(&(LpLayoutSpec){
                    rows, cols, 4, 38, 57, (LpPane)pane, 0, 0, {LP_PANE_TITLE}, 10, 10, 0, 0});
                check_geometry(&l, cols, rows);
                if (rows >= 7)
                    assert_int_equal(l.pane[pane].h, rows - 4 - l.pane[LP_PANE_NOW].h);
            }
}

/* A lesson takes its part of every screen, and leaves the rest what it would be without. */
static void test_lesson(void **state) {
    (void)state;
    static const LpPane only[] = {LP_PANE_COUNT, LP_PANE_CIRCUITS, LP_PANE_STEP};
    for (size_t p = 0; p < LP_COUNTOF(only); p++)
        for (int cols = 1; cols <= 220; cols++)
            for (int rows = 1; rows <= 70; rows++) {
                LpLayoutSpec spec = {
                    rows, cols, 4, 38, 57, only[p], LP_PANE_TOLD, 0, {LP_PANE_TITLE}, 10, 10, 0, 0};
                LpScreenLayout l = lp_layout(&spec);
                LpRect rest = lp_pane_rest(spec.cols, spec.rows, spec.lesson),
                       told = l.pane[LP_PANE_LESSON];
                check_geometry(&l, cols, rows);
                assert_int_equal(shown(&l, LP_PANE_LESSON), rows >= 4);
                assert_int_equal(told.w * told.h + rest.w * rest.h, cols * rows);
            }
    LpLayoutSpec spec = {24, 80, 4, 38, 57, LP_PANE_COUNT, LP_PANE_TOLD, 0, {LP_PANE_TITLE},
                         10, 10, 0, 0};
    LpScreenLayout l = lp_layout(&spec);
    assert_int_equal(l.pane[LP_PANE_LESSON].h, 10); /* eight of text */
    assert_int_equal(l.pane[LP_PANE_KEYS].y, 23);
    assert_true(shown(&l, LP_PANE_CIRCUITS) && !lp_layout_reads(&spec, &l, LP_PANE_CIRCUITS));
    assert_false(lp_layout_reads(&spec, &l, LP_PANE_CURVE));
    spec.only = LP_PANE_CIRCUITS;
    l = lp_layout(&spec);
    assert_true(lp_layout_reads(&spec, &l, LP_PANE_CIRCUITS));
    spec = (LpLayoutSpec){30, 100, 4, 38, 57, LP_PANE_COUNT, LP_PANE_TOLD, 0, {LP_PANE_TITLE},
                          10, 10,  0, 0};
    l = lp_layout(&spec);
    assert_true(lp_layout_reads(&spec, &l, LP_PANE_SERVERS));
    assert_true(lp_layout_reads(&spec, &l, LP_PANE_CIRCUITS));
    assert_true(lp_layout_reads(&spec, &l, LP_PANE_DECISION));
    spec = (LpLayoutSpec){60, 200, 4, 38, 57, LP_PANE_COUNT, LP_PANE_TOLD, 0, {LP_PANE_TITLE},
                          10, 10,  0, 0};
    l = lp_layout(&spec);
    for (int pane = 0; pane < LP_PANE_COUNT; pane++)
        if (!lp_pane_is_extra((LpPane)pane) && pane != LP_PANE_FABRIC) /* has no room there */
            assert_true(lp_layout_reads(&spec, &l, (LpPane)pane));
    assert_int_equal(l.pane[LP_PANE_LESSON].h, 60);
}

/* What a step wants is there at every size that has room for a pane at all. */
static void test_wanted(void **state) {
    (void)state;
    for (int cols = 20; cols <= 220; cols += 3)
        for (int rows = 1; rows <= 70; rows++)
            for (int panes = 1; panes <= 3; panes++) {
                LpLayoutSpec spec = {rows,
                                     cols,
                                     4,
                                     38,
                                     57,
                                     LP_PANE_COUNT,
                                     LP_PANE_TOLD,
                                     panes,
                                     {LP_PANE_SERVERS, LP_PANE_WHATIF, LP_PANE_EVENTS},
                                     10,
                                     10,
                                     0,
                                     0};
                LpScreenLayout l = lp_layout(&spec);
                check_geometry(&l, cols, rows);
                if (rows < 24)
                    continue;
                assert_true(shown(&l, LP_PANE_SERVERS) && !shown(&l, LP_PANE_CIRCUITS));
                assert_true(cols < 76 || panes < 2 || shown(&l, LP_PANE_WHATIF));
                assert_true(l.pane[LP_PANE_SERVERS].h >= 6);
            }
}

/* From 120x40 on the decision takes rows that it can use from the jobs, down to a few of theirs. */
static void test_rows_of_a_decision(void **state) {
    (void)state;
    LpLayoutSpec spec = {.rows = 40,
                         .cols = 120,
                         .groups = 4,
                         .servers_width = 38,
                         .circuits_width = 57,
                         .only = LP_PANE_COUNT,
                         .servers_rows = 8,
                         .circuits_rows = 8};
    LpScreenLayout usual = lp_layout(&spec), tall;
    spec.decision_rows = usual.pane[LP_PANE_DECISION].h + 2;
    tall = lp_layout(&spec);
    assert_int_equal(tall.pane[LP_PANE_DECISION].h, usual.pane[LP_PANE_DECISION].h + 3);
    assert_int_equal(tall.pane[LP_PANE_JOBS].h, usual.pane[LP_PANE_JOBS].h - 3);
    spec.decision_rows = 100;
    tall = lp_layout(&spec);
    assert_int_equal(tall.pane[LP_PANE_JOBS].h, 5);
}

TEST_GROUP(test_ui_layout) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_order_of_dropping),
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_now_bar),
        cmocka_unit_test(test_known_sizes),
        cmocka_unit_test(test_one_pane_alone),
        cmocka_unit_test(test_lesson),
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_rows_of_a_decision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
