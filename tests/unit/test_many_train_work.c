/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training on a thread of its own: every report arrives, wishes are followed, and how it ended is
 * told. */
#include <poll.h>
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
#include "many/train/work.h"

static char folder[] = "/tmp/lightpath-train-XXXXXX";
static char out[64];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(out, sizeof out, "%s/W.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    char checkpoint[80];
    (void)state;
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", out);
    unlink(out);
    unlink(checkpoint);
    return rmdir(folder);
}

static LpTrainSpec spec_of(const char *scenario, uint64_t steps) {
    LpTrainSpec spec = lp_train_defaults();
    static const char *const settings[] = {"envs=4", "rollout=16", "eval_every=2",
                                           "eval_episodes=1", "checkpoint_every=3"};
    for (size_t i = 0; i < LP_COUNTOF(settings); i++)
        assert_int_equal(lp_train_set(&spec, settings[i], NULL), LP_OK);
    spec.session.scenario = scenario;
    spec.session.until = 2000;
    spec.steps = steps;
    spec.threads = 2;
    spec.out = out;
    return spec;
}

/* Until it is over; counts the reports, which come in order. */
static uint64_t follow(LpTrainWork *w, uint64_t stop_at, LpTrainWish wish, LpTrainReport *last) {
    uint64_t seen = 0;
    bool over = false;
    while (!over) {
        struct pollfd news = {.fd = lp_train_work_fd(w), .events = POLLIN};
        poll(&news, 1, 60000);
        while (lp_train_work_take(w, last)) {
            assert_int_equal(last->update, ++seen);
            if (seen == stop_at)
                lp_train_work_wish(w, wish);
        }
        over = lp_train_work_is_over(w, NULL, NULL);
    }
    return seen;
}

static bool count(void *user, const LpTrainReport *report) {
    (void)report;
    ++*(uint64_t *)user;
    return true;
}

static void every_report_arrives(void **state) {
    (void)state;
    LpTrainSpec spec = spec_of("scenarios/pac-ml-32.json", 512);
    LpTrainWork *w;
    LpTrainReport last = {0};
    LpErr err = LP_EIO;
    uint64_t calls = 0;
    assert_int_equal(lp_train_work_begin(&spec, count, &calls, &w, NULL), LP_OK);
    assert_int_equal(follow(w, 0, LP_TRAIN_GO_ON, &last), 8);
    assert_true(lp_train_work_is_over(w, &err, NULL) && err == LP_OK);
    assert_int_equal(calls, 8);
    assert_true(last.steps == 512 && last.kept == 512 && last.first == 0);
    lp_train_work_free(w);
}

/* What ended between two looks at the news has a last report still: whoever stops at the end of
 * the training must know of all updates. */
static void it_is_not_over_before_the_last_report_is_taken(void **state) {
    (void)state;
    LpTrainSpec spec = spec_of("scenarios/pac-ml-32.json", 128);
    LpTrainWork *w;
    LpTrainReport last = {0};
    assert_int_equal(lp_train_work_begin(&spec, NULL, NULL, &w, NULL), LP_OK);
    while (!lp_train_work_began(w)) /* true once the thread has ended */
        poll(NULL, 0, 1);
    for (uint64_t update = 1; update <= 2; update++) {
        assert_false(lp_train_work_is_over(w, NULL, NULL));
        assert_true(lp_train_work_take(w, &last) && last.update == update);
    }
    assert_true(lp_train_work_is_over(w, NULL, NULL));
    lp_train_work_free(w);
}

static void it_stops_after_an_update_or_at_a_checkpoint(void **state) {
    (void)state;
    LpTrainSpec spec = spec_of("scenarios/pac-ml-32.json", 1000000);
    LpTrainWork *w;
    LpTrainReport last = {0};
    assert_int_equal(lp_train_work_begin(&spec, NULL, NULL, &w, NULL), LP_OK);
    assert_true(follow(w, 2, LP_TRAIN_STOP, &last) >= 2);
    assert_true(last.steps < 1000000);
    assert_true(last.kept == last.update / 3 * 3 * 64 && last.keeps > last.update);
    lp_train_work_free(w);
    assert_int_equal(lp_train_work_begin(&spec, NULL, NULL, &w, NULL), LP_OK);
    assert_true(follow(w, 1, LP_TRAIN_AT_CHECKPOINT, &last) % 3 == 0);
    assert_true(last.kept == last.steps);
    lp_train_work_free(w);
    spec.resume = true;
    assert_int_equal(lp_train_work_begin(&spec, NULL, NULL, &w, NULL), LP_OK);
    LpTrainReport report;
    struct pollfd news = {.fd = lp_train_work_fd(w), .events = POLLIN};
    poll(&news, 1, 60000);
    while (!lp_train_work_take(w, &report))
        poll(&news, 1, 60000);
    assert_true(report.first == last.steps && report.update == last.update + 1);
    lp_train_work_free(w); /* while it goes on */
}

static void how_it_failed_is_told(void **state) {
    (void)state;
    LpTrainSpec spec = spec_of("scenarios/no-such.json", 512);
    LpTrainWork *w;
    LpTrainReport last;
    LpErr err = LP_OK;
    LpDiag diag = {0};
    assert_int_equal(lp_train_work_begin(&spec, NULL, NULL, &w, NULL), LP_OK);
    assert_int_equal(follow(w, 0, LP_TRAIN_GO_ON, &last), 0);
    assert_true(lp_train_work_is_over(w, &err, &diag) && err == LP_EIO);
    assert_non_null(strstr(diag.file, "no-such.json"));
    lp_train_work_free(w);
    lp_train_work_free(NULL);
}

TEST_GROUP(test_many_train_work) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_report_arrives),
        cmocka_unit_test(it_is_not_over_before_the_last_report_is_taken),
        cmocka_unit_test(it_stops_after_an_update_or_at_a_checkpoint),
        cmocka_unit_test(how_it_failed_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
