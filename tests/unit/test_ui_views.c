/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of views, the columns of jobs, and lists of which only some rows fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "screen/views.h"
#include "views/jobs/jobs_columns.h"
#include "widgets/widgets_list.h"

static void check_view(LpPane pane, const LpView *view) {
    const char *name = lp_pane_name(pane);
    if (!view || !view->draw)
        fail_msg("%s draws nothing", name);
    if (view->fixed != (lp_pane_is_extra(pane) ? pane == LP_PANE_LESSON
                                               : pane < LP_PANE_SERVERS || pane > LP_PANE_EVENTS))
        fail_msg("%s: fixed is %d", name, view->fixed);
    for (const LpViewKey *key = view->keys; key && key->keys; key++)
        if (!key->keys[0] || !key->help || !key->help[0])
            fail_msg("%s: a key without help", name);
    if (view->lines)
        assert_true(view->lines->count && view->lines->at && view->lines->text && view->lines->go);
    assert_true(!view->update || view->facts > 0); /* what is worked out has its place */
    assert_true(!view->drop || view->facts > 0);
    assert_true((!view->begin && !view->end) || view->state > 0);
    assert_true(!view->tick == !view->deadline);
}

static void test_table(void **state) {
    (void)state;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        check_view((LpPane)pane, lp_app_view((LpPane)pane));
        assert_ptr_equal(lp_app_view((LpPane)pane), lp_app_views()[pane]);
        for (int other = 0; other < pane; other++)
            assert_ptr_not_equal(lp_app_view((LpPane)pane), lp_app_view((LpPane)other));
    }
}

/* What other views ask of a view by its pane is there. */
static void test_parts(void **state) {
    static const LpPane parts[] = {LP_PANE_SERVERS, LP_PANE_CIRCUITS, LP_PANE_CURVE, LP_PANE_WHATIF,
                                   LP_PANE_NETWORK};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(parts); i++)
        assert_non_null(lp_app_view(parts[i])->part);
    assert_non_null(lp_app_view(LP_PANE_STEP)->open);
    assert_non_null(lp_app_view(LP_PANE_GRAPH)->open);
    assert_true(lp_app_view(LP_PANE_SERVERS)->width && lp_app_view(LP_PANE_SERVERS)->rows);
    assert_non_null(lp_app_view(LP_PANE_CIRCUITS)->width);
    assert_true(lp_app_view(LP_PANE_SERVERS)->click && lp_app_view(LP_PANE_JOBS)->click);
    assert_non_null(lp_app_view(LP_PANE_JOBS)->filter);
}

static void assert_cell(const LpTableRow *row, const char *name, const char *expected) {
    char text[LP_SHOW_TEXT];
    for (int c = 0; c < lp_jobs_table.columns; c++)
        if (strcmp(lp_jobs_table.column[c].name, name) == 0) {
            assert_string_equal(lp_table_print(&lp_jobs_table, row, c, text), expected);
            return;
        }
    fail_msg("no column %s", name);
}

static void test_job_columns(void **state) {
    LpGraph graph = {.id = "gnmt"};
    LpGraph *graphs[] = {&graph};
    LpScenario scenario = {.graphs = 1, .graph = graphs};
    LpJob job = {.id = 7,
                 .outcome = LP_JOB_RUNNING,
                 .asked.arrival = 2.0,
                 .times.forecast_end = 12.0,
                 .asked.max_jct = 20.0,
                 .placed.servers = 4,
                 .placed.partition = LP_NO_INDEX,
                 .placed.partition_degree = 4};
    LpModel model = {.scenario = &scenario};
    LpTableRow row = {.list = &model, .item = &job};
    (void)state;
    for (int c = 0; c < lp_jobs_table.columns; c++) {
        const LpColumn *column = &lp_jobs_table.column[c];
        LpTableValue value = lp_table_value(&lp_jobs_table, &row, c);
        assert_int_equal(value.text != NULL, column->width > 0); /* words have a width */
        assert_true(!lp_job_sorts(c) == (c + 1 == lp_jobs_table.columns));
    }
    assert_cell(&row, "graph", "gnmt");
    assert_cell(&row, "ways", "x4");
    assert_cell(&row, "of limit", "50 %");
    assert_cell(&row, "waited", "-"); /* there is no world */
    assert_cell(&row, "over", "-");
    job.outcome = LP_JOB_WAITING;
    assert_cell(&row, "JCT", "-");
    assert_cell(&row, "servers", "-");
    job.queue.held = true;
    assert_cell(&row, "state", "preempted");
}

/* At each of the four widths, with and without plans: titles follow each other without touching, so
 * a column whose step is too short is found. */
static void test_job_places(void **state) {
    static const int widths[] = {40, 70, 96, 130};
    (void)state;
    for (size_t i = 0; i < 2 * LP_COUNTOF(widths); i++) {
        int at[LP_TABLE_COLUMNS], end = 0;
        lp_jobs_form(widths[i / 2], i % 2 == 1, at);
        for (int c = 0; c < lp_jobs_table.columns; c++) {
            const LpColumn *column = &lp_jobs_table.column[c];
            int length = (int)strlen(column->name);
            int first = column->width > 0 ? at[c] : at[c] - length + 1;
            if (at[c] == 0)
                continue;
            if (first <= end)
                fail_msg("%d columns wide: \"%s\" touches what is before it", widths[i / 2],
                         column->name);
            end = first + length;
        }
        assert_true(end > 0);
    }
}

/* Every view's table: what help and titles tell of each column, and CSV of an empty moment. */
static void test_tables(void **state) {
    LpModel model = {0};
    int tables = 0;
    (void)state;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpTable *table = lp_app_view((LpPane)pane)->table;
        tables += table != NULL;
        for (int c = 0; table && c < table->columns; c++) {
            const LpColumn *column = &table->column[c];
            assert_true(column->name || column->key);
            assert_true(column->meaning[0] && column->value);
        }
        assert_true(!table || table->columns <= LP_TABLE_COLUMNS);
        assert_true(!table || table->hit == 0 || table->hit / LP_TABLE_COLUMNS == (uint32_t)pane);
    }
    assert_true(tables >= 7);
    LpBuf csv = {0};
    LpDiag diag = {0};
    assert_int_equal(lp_table_csv(lp_app_view(LP_PANE_DECISION)->table, &model, &csv, &diag),
                     LP_OK);
    assert_string_equal(
        lp_buf_text(&csv),
        "job,degree,jct,step_time,communication,computation,circuits,of_limit,"
        "plan,memory,bubble,exposed,exposed_turns,free_after,feasible,cause,chosen,why\n");
    lp_buf_fini(&csv);
}

static void test_lists(void **state) {
    (void)state;
    for (int count = 0; count < 12; count++)
        for (int rows = 1; rows < 15; rows++)
            for (int marked = 0; marked < count; marked++) {
                int first = lp_list_around(marked, count, rows);
                assert_true(first >= 0 && first <= marked && marked < first + rows);
                assert_true(count <= rows ? first == 0 : first + rows <= count);
            }
    assert_int_equal(lp_list_moved(3, 1 << 20, 8), 7);
    assert_int_equal(lp_list_moved(3, -(1 << 20), 8), 0);
    assert_int_equal(lp_list_moved(3, 2, 8), 5);
    assert_int_equal(lp_list_moved(0, -1, 8), 0);
    assert_int_equal(lp_list_moved(0, 5, 0), 0);
}

TEST_GROUP(test_ui_views) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),       cmocka_unit_test(test_parts),
        cmocka_unit_test(test_job_columns), cmocka_unit_test(test_job_places),
        cmocka_unit_test(test_tables),      cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
