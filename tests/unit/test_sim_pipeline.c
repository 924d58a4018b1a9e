/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules of pipelines worked out by hand: four stages, forward 1 s and backward 2 s of a stage.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "group.h"
#include "sim/parallel/schedule.h"

enum { STAGES = 4, CHUNKS_MOST = 8, TEXT = 1024 };

/* A pipeline whose chunks share a stage's time evenly, and whose messages all take `wire`. */
typedef struct Uniform {
    double forward[CHUNKS_MOST], backward[CHUNKS_MOST], wire[STAGES];
    LpPipeline pipeline;
} Uniform;

static void make(Uniform *u, uint32_t chunks, uint32_t micro_batches, double wire, bool wait) {
    for (uint32_t i = 0; i < STAGES * chunks; i++) {
        u->forward[i] = 1.0 / chunks;
        u->backward[i] = 2.0 / chunks;
    }
    for (uint32_t i = 0; i < STAGES; i++)
        u->wire[i] = wire;
    u->pipeline = (LpPipeline){.stages = STAGES,
                               .chunks = chunks,
                               .micro_batches = micro_batches,
                               .wait = wait,
                               .forward = u->forward,
                               .backward = u->backward,
                               .wire = u->wire};
}

/* What each stage did, as "F3 6, B0 10" (chunks a, b behind the number). */
typedef struct Story {
    const LpPipeline *pipeline;
    char text[STAGES][TEXT];
} Story;

static void tell(void *user, const LpPipelineEntry *e) {
    Story *story = user;
    char *text = story->text[e->stage];
    size_t len = strlen(text);
    const char *kappa = story->pipeline->chunks == 1 ? "" : e->chunk < STAGES ? "a" : "b";
    snprintf(text + len, TEXT - len, "%s%c%u%s %g", len > 0 ? ", " : "", e->forward ? 'F' : 'B',
             (unsigned)e->micro_batch, kappa, e->start);
}

static double run(uint32_t chunks, uint32_t micro_batches, double wire, bool wait, Story *story) {
    Uniform u;
    double end;
    make(&u, chunks, micro_batches, wire, wait);
    memset(story, 0, sizeof *story);
    story->pipeline = &u.pipeline;
    assert_int_equal(lp_pipeline_run(&u.pipeline, tell, story, &end, NULL), LP_OK);
    return end;
}

static void one_forward_one_backward(void **state) {
    (void)state;
    static const char *const expected[STAGES] = {
        "F0 0, F1 1, F2 2, F3 3, B0 10, F4 12, B1 13, F5 15, B2 16, F6 18, B3 19, F7 21, B4 22, "
        "B5 25, B6 28, B7 31",
        "F0 1, F1 2, F2 3, B0 8, F3 10, B1 11, F4 13, B2 14, F5 16, B3 17, F6 19, B4 20, F7 22, "
        "B5 23, B6 26, B7 29",
        "F0 2, F1 3, B0 6, F2 8, B1 9, F3 11, B2 12, F4 14, B3 15, F5 17, B4 18, F6 20, B5 21, "
        "F7 23, B6 24, B7 27",
        "F0 3, B0 4, F1 6, B1 7, F2 9, B2 10, F3 12, B3 13, F4 15, B4 16, F5 18, B5 19, F6 21, "
        "B6 22, F7 24, B7 25",
    };
    Story story;
    assert_true(run(1, 8, 0, true, &story) == 33);
    for (int i = 0; i < STAGES; i++)
        assert_string_equal(story.text[i], expected[i]);
}

static void interleaved(void **state) {
    (void)state;
    Story story;
    assert_true(run(2, 8, 0, true, &story) == 28.5);
    assert_string_equal(
        story.text[0],
        "F0a 0, F1a 0.5, F2a 1, F3a 1.5, F0b 2, F1b 2.5, F2b 3, F3b 3.5, F4a 4, F5a 4.5, F6a 5, "
        "B0b 7, F7a 8, B1b 8.5, F4b 10, B2b 10.5, F5b 11.5, B3b 12, F6b 13, B0a 13.5, F7b 14.5, "
        "B1a 15, B2a 16, B3a 17.5, B4b 19, B5b 20.5, B6b 22, B7b 23.5, B4a 24.5, B5a 25.5, "
        "B6a 26.5, B7a 27.5");
    static const char begins[] = "F0a 1.5, F1a 2, F2a 2.5, F3a 3, F0b 3.5, B0b 4, F1b 5, B1b 5.5,";
    static const char ends[] = " B7a 24.5";
    const char *last = story.text[STAGES - 1];
    assert_int_equal(strncmp(last, begins, strlen(begins)), 0);
    assert_string_equal(last + strlen(last) - strlen(ends), ends);
}

static void sends_and_few_micro_batches(void **state) {
    (void)state;
    Story story;
    assert_true(run(1, 8, 0.25, true, &story) == 37.75);
    assert_true(run(1, 8, 0.25, false, &story) == 37);
    assert_true(run(2, 8, 0.25, true, &story) == 36);
    assert_true(run(1, 2, 0, true, &story) == 15);
    assert_true(run(2, 4, 0, true, &story) == 16.5);
}

static void what_is_held(void **state) {
    (void)state;
    static const struct {
        uint32_t chunks, micro_batches;
        double held[STAGES];
    } row[] = {
        {1, 8, {4, 3, 2, 1}}, {2, 8, {11, 9, 7, 5}}, {2, 4, {8, 8, 8, 8}}, {1, 2, {2, 2, 2, 1}}};
    static const double one[CHUNKS_MOST] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t r = 0; r < LP_COUNTOF(row); r++) {
        Uniform u;
        make(&u, row[r].chunks, row[r].micro_batches, 0, true);
        for (uint32_t i = 0; i < STAGES; i++)
            assert_true(lp_pipeline_held(&u.pipeline, i, one) == row[r].held[i]);
    }
}

TEST_GROUP(test_sim_pipeline) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_forward_one_backward),
        cmocka_unit_test(interleaved),
        cmocka_unit_test(sends_and_few_micro_batches),
        cmocka_unit_test(what_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
