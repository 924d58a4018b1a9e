/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step laid out: rows in order, servers that do one thing at a time, shares that add up, and a
 * critical path without gaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/inspect/step.h"
#include "run/session/session.h"
#include "sim/store/store.h"

static LpStepLook look_at(LpSession *s, uint32_t degree, double *step_time) {
    const LpContext *context = lp_session_context(s);
    const LpWorld *world = lp_session_world(s);
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpForecast f;
    LpStepLook look = {0};
    assert_int_equal(lp_world_predict(world, context, lp_world_due(world), &answer, &f, NULL),
                     LP_OK);
    assert_true(f.feasible);
    assert_int_equal(
        lp_step_look(context, f.partition, f.placement, f.orders, f.step_time, &look, NULL), LP_OK);
    *step_time = f.step_time;
    return look;
}

static void check_rows(const LpStepLook *look) {
    uint32_t bars = 0;
    for (uint32_t i = 0; i < look->rows; i++) {
        const LpStepRow *row = &look->row[i];
        LpStepRowKind kind = i < look->servers                 ? LP_STEP_SERVER
                             : i < look->servers + look->pairs ? LP_STEP_PAIR
                                                               : LP_STEP_COLLECTIVES;
        double sum = 0;
        assert_int_equal(row->kind, kind);
        assert_int_equal(row->first, bars);
        for (uint32_t b = row->first; b < row->end; b++) {
            const LpStepBar *bar = &look->bar[b];
            assert_true(bar->end >= bar->start && bar->end <= look->step_time);
            assert_true(b == row->first || bar->start >= look->bar[b - 1].start);
            if (kind == LP_STEP_SERVER && b > row->first)
                assert_true(bar->start >= look->bar[b - 1].end);
            sum += bar->end - bar->start;
        }
        bars = row->end;
        assert_true(row->busy <= sum * (1 + 1e-12));
        if (kind == LP_STEP_SERVER)
            assert_true(fabs(row->busy - sum) <= 1e-9 * sum);
        assert_true(fabs(lp_step_look_share(look, i, 0, look->step_time) * look->step_time -
                         row->busy) <= 1e-9 * look->step_time);
    }
    assert_int_equal(bars, look->bars);
}

/* Shares of small stretches add up to that of the whole. */
static void check_shares(const LpStepLook *look, uint32_t row) {
    enum { PARTS = 97 };
    double sum = 0, width = look->step_time / PARTS;
    for (int i = 0; i < PARTS; i++) {
        double share = lp_step_look_share(look, row, i * width, (i + 1) * width);
        assert_true(share >= 0 && share <= 1 + 1e-9);
        sum += share * width;
    }
    assert_true(fabs(sum - look->row[row].busy) <= 1e-9 * look->step_time);
}

static void check_critical(const LpStepLook *look) {
    double reached = 0;
    assert_true(look->critical > 0);
    for (uint32_t i = 0; i < look->critical; i++) {
        const LpStepBar *bar = &look->bar[look->critical_bar[i]];
        assert_true(bar->critical);
        assert_true(bar->start <= reached * (1 + 1e-9) + 1e-12);
        assert_true(bar->end >= reached);
        reached = bar->end;
    }
    assert_true(fabs(reached - look->step_time) <= 1e-12 * reached);
}

static void test_layout(void **state) {
    static const uint32_t degrees[] = {1, 2, 4, 8};
    LpSession *s;
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json"};
    LpEvent event;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &s, NULL), LP_OK);
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    for (size_t i = 0; i < LP_COUNTOF(degrees); i++) {
        double step_time;
        LpStepLook look = look_at(s, degrees[i], &step_time);
        assert_true(look.step_time == step_time);
        assert_int_equal(look.pairs > 0, degrees[i] > 1);
        check_rows(&look);
        for (uint32_t row = 0; row < look.rows; row++)
            check_shares(&look, row);
        check_critical(&look);
        lp_step_look_fini(&look);
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
    LpStepLook look = look_at(s, 2, &step_time);
    assert_int_equal(lp_step_look_at(&look, 0, -1), LP_NO_INDEX);
    for (uint32_t b = look.row[0].first; b < look.row[0].end; b++) {
        const LpStepBar *bar = &look.bar[b];
        if (bar->end > bar->start)
            assert_int_equal(lp_step_look_at(&look, 0, (bar->start + bar->end) / 2), b);
    }
    assert_int_equal(lp_step_look_at(&look, 0, 2 * step_time), look.row[0].end - 1);
    lp_step_look_fini(&look);
    lp_session_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout),
                                       cmocka_unit_test(test_instants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
