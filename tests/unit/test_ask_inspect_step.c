/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step laid out: rows in order, servers that do one thing at a time, shares that add up, and a
 * critical path without gaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ask/inspect/inspect_step.h"
#include "group.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/store/store.h"
#include "sim/world.h"

static LpStepInspection look_at(LpSession *s, uint32_t degree, double *step_time) {
    const LpContext *context = lp_session_context(s);
    const LpWorld *world = lp_session_world(s);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpForecast f;
    LpStepInspection seen = {0};
    assert_int_equal(lp_world_predict(world, context, lp_world_due(world), &answer, &f, NULL),
                     LP_OK);
    assert_true(f.feasible);
    assert_int_equal(
        lp_step_inspect(context, f.partition, f.placement, f.orders, f.step_time, &seen, NULL),
        LP_OK);
    *step_time = f.step_time;
    return seen;
}

static void check_rows(const LpStepInspection *seen) {
    uint32_t bars = 0;
    for (uint32_t i = 0; i < seen->rows; i++) {
        const LpStepRow *row = &seen->row[i];
        LpStepRowKind kind = i < seen->servers                 ? LP_STEP_SERVER
                             : i < seen->servers + seen->pairs ? LP_STEP_PAIR
                                                               : LP_STEP_COLLECTIVES;
        double sum = 0;
        assert_int_equal(row->kind, kind);
        assert_int_equal(row->first, bars);
        for (uint32_t b = row->first; b < row->end; b++) {
            const LpStepBar *bar = &seen->bar[b];
            assert_true(bar->end >= bar->start && bar->end <= seen->step_time);
            assert_true(b == row->first || bar->start >= seen->bar[b - 1].start);
            if (kind == LP_STEP_SERVER && b > row->first)
                assert_true(bar->start >= seen->bar[b - 1].end);
            sum += bar->end - bar->start;
        }
        bars = row->end;
        assert_true(row->busy <= sum * (1 + 1e-12));
        if (kind == LP_STEP_SERVER)
            assert_true(fabs(row->busy - sum) <= 1e-9 * sum);
        assert_true(fabs(lp_step_inspection_share(seen, i, 0, seen->step_time) * seen->step_time -
                         row->busy) <= 1e-9 * seen->step_time);
    }
    assert_int_equal(bars, seen->bars);
}

/* Shares of small stretches add up to that of the whole. */
static void check_shares(const LpStepInspection *seen, uint32_t row) {
    enum { PARTS = 97 };
    double sum = 0, width = seen->step_time / PARTS;
    for (int i = 0; i < PARTS; i++) {
        double share = lp_step_inspection_share(seen, row, i * width, (i + 1) * width);
        assert_true(share >= 0 && share <= 1 + 1e-9);
        sum += share * width;
    }
    assert_true(fabs(sum - seen->row[row].busy) <= 1e-9 * seen->step_time);
}

static void check_critical(const LpStepInspection *seen) {
    double reached = 0;
    assert_true(seen->critical > 0);
    for (uint32_t i = 0; i < seen->critical; i++) {
        const LpStepBar *bar = &seen->bar[seen->critical_bar[i]];
        assert_true(bar->critical);
        assert_true(bar->start <= reached * (1 + 1e-9) + 1e-12);
        assert_true(bar->end >= reached);
        reached = bar->end;
    }
    assert_true(fabs(reached - seen->step_time) <= 1e-12 * reached);
}

static void test_layout(void **state) {
    static const uint32_t degrees[] = {1, 2, 4, 8};
    LpSession *s;
    static const char *const set[] = {"partition.kind=model"}; /* parts send to each other */
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json", .sets = 1, .set = set};
    LpEvent event;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    for (size_t i = 0; i < LP_COUNTOF(degrees); i++) {
        double step_time;
        LpStepInspection seen = look_at(s, degrees[i], &step_time);
        assert_true(seen.step_time == step_time);
        assert_int_equal(seen.pairs > 0, degrees[i] > 1);
        check_rows(&seen);
        for (uint32_t row = 0; row < seen.rows; row++)
            check_shares(&seen, row);
        check_critical(&seen);
        lp_step_inspection_fini(&seen);
    }
    lp_session_close(s);
}

static void test_instants(void **state) {
    LpSession *s;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json"};
    LpEvent event;
    double step_time;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    LpStepInspection seen = look_at(s, 2, &step_time);
    assert_int_equal(lp_step_inspection_at(&seen, 0, -1), LP_NO_INDEX);
    for (uint32_t b = seen.row[0].first; b < seen.row[0].end; b++) {
        const LpStepBar *bar = &seen.bar[b];
        if (bar->end > bar->start)
            assert_int_equal(lp_step_inspection_at(&seen, 0, (bar->start + bar->end) / 2), b);
    }
    assert_int_equal(lp_step_inspection_at(&seen, 0, 2 * step_time), seen.row[0].end - 1);
    lp_step_inspection_fini(&seen);
    lp_session_close(s);
}

TEST_GROUP(test_ask_inspect_step) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout),
                                       cmocka_unit_test(test_instants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
