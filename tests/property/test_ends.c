/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ends of running jobs in a heap against looking through all of them: jobs start, stop and move
 * their ends at random, and many end at the same time. The seed of a world is its number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "sim/state/ends.h"

enum { JOBS = 64, WORLDS = 200, MOVES = 400 };

static LpImage *image_of_jobs(void) {
    LpImage head = {.shared = 1, .jobs_cap = JOBS, .jobs = JOBS, .kept = JOBS};
    lp_image_lay_out(&head);
    LpImage *m = lp_alloc(head.bytes, 1);
    assert_non_null(m);
    *m = head;
    for (uint32_t i = 0; i < JOBS; i++)
        lp_image_job(m, i)->id = i;
    return m;
}

/* Few different times, so that there are ties; some never end. */
static double draw_time(LpRng *rng) {
    uint64_t drawn = lp_rng_below(rng, 24);
    return drawn == 0 ? (double)INFINITY : (double)drawn / 8;
}

static void change(LpImage *m, LpRng *rng) {
    LpJob *job = lp_image_job(m, (uint32_t)lp_rng_below(rng, JOBS));
    if (job->queue.ends_at == 0) {
        job->times.forecast_end = draw_time(rng);
        lp_ends_moved(m, job); /* it does not run: nothing happens */
        lp_ends_add(m, job);
    } else if (lp_rng_below(rng, 3) == 0) {
        lp_ends_remove(m, job);
    } else {
        job->times.forecast_end = draw_time(rng);
        lp_ends_moved(m, job);
    }
}

static void compare(LpImage *m, double until) {
    double first = (double)INFINITY;
    uint32_t due = LP_NO_INDEX, running = 0;
    for (uint32_t i = JOBS; i-- > 0;) {
        const LpJob *job = lp_image_job(m, i);
        if (job->queue.ends_at == 0)
            continue;
        running++;
        first = job->times.forecast_end < first ? job->times.forecast_end : first;
        due = job->times.forecast_end <= until ? i : due;
    }
    assert_int_equal(m->endings, running);
    assert_true(lp_ends_next(m) == first);
    assert_int_equal(lp_ends_due(m, until), due);
}

static void the_heap_finds_what_looking_at_all_finds(void **state) {
    (void)state;
    for (uint32_t world = 0; world < WORLDS; world++) {
        LpRng rng = lp_rng_stream(world, "ends", 0);
        LpImage *m = image_of_jobs();
        compare(m, 1);
        for (int i = 0; i < MOVES; i++) {
            change(m, &rng);
            compare(m, (double)lp_rng_below(&rng, 26) / 8);
        }
        lp_free(m);
    }
}

TEST_GROUP(test_ends) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_heap_finds_what_looking_at_all_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
