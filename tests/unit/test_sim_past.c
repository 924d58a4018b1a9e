/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that ended, out of the image: packed and back to the last bit, shared, and the same run
 * whether its past is packed or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "sim/state/image.h"
#include "sim/state/validate.h"

enum { PAGES = 40 };

/* Jobs of few kinds, some of whose words are at random and some repeat. */
static void make_jobs(LpJob *jobs, uint32_t page, uint64_t seed) {
    LpRng rng = lp_rng_stream(seed, "past", page);
    for (uint32_t i = 0; i < LP_PAST_PAGE; i++) {
        LpJob *job = &jobs[i];
        memset(job, 0, sizeof *job);
        job->id = page * LP_PAST_PAGE + i;
        job->graph = (int32_t)(lp_rng_u64(&rng) % 3) - 1;
        job->outcome = lp_rng_u64(&rng) % 2 ? LP_JOB_COMPLETED : LP_JOB_BLOCKED;
        job->placed.step = (uint32_t)(lp_rng_u64(&rng) % 4);
        job->asked.arrival = job->times.decided = job->times.start = lp_rng_unit(&rng);
        job->times.end = (double)NAN;
        job->forecast.jct = -0.0;
        if (lp_rng_u64(&rng) % 50 == 0)
            for (size_t b = 0; b < sizeof *job; b++)
                ((unsigned char *)job)[b] = (unsigned char)lp_rng_u64(&rng);
    }
}

static LpPast *make_past(bool packed, uint64_t seed) {
    LpJob jobs[LP_PAST_PAGE];
    LpPast *past = NULL;
    for (uint32_t page = 0; page < PAGES; page++) {
        make_jobs(jobs, page, seed);
        assert_int_equal(lp_past_append(&past, jobs, packed), LP_OK);
    }
    assert_int_equal(lp_past_jobs(past), PAGES * LP_PAST_PAGE);
    return past;
}

static void check_past(const LpPast *past, LpPastReader *reader, uint32_t pages, uint64_t seed) {
    LpJob jobs[LP_PAST_PAGE];
    for (uint32_t n = 0; n < pages; n++) {
        uint32_t page = n * 7 % pages;
        make_jobs(jobs, page, seed);
        for (uint32_t i = 0; i < LP_PAST_PAGE; i++)
            assert_memory_equal(lp_past_job(past, reader, page * LP_PAST_PAGE + i), &jobs[i],
                                sizeof *jobs);
    }
}

static void what_is_packed_comes_back(void **state) {
    (void)state;
    LpPastReader *reader = lp_past_reader_new();
    LpPast *packed = make_past(true, 1), *plain = make_past(false, 1);
    check_past(packed, reader, PAGES, 1);
    check_past(plain, NULL, PAGES, 1);
    lp_past_drop(packed);
    lp_past_drop(plain);
    lp_past_reader_free(reader);
}

/* A pointer stays good while seven other pages are read. */
static void pages_stay_open(void **state) {
    (void)state;
    LpPastReader *reader = lp_past_reader_new();
    LpPast *past = make_past(true, 2);
    const LpJob *first = lp_past_job(past, reader, 5);
    LpJob copy = *first;
    for (uint32_t page = 1; page < LP_PAST_OPEN; page++)
        assert_int_not_equal(lp_past_job(past, reader, page * LP_PAST_PAGE)->asked.arrival, -1);
    assert_memory_equal(first, &copy, sizeof copy);
    assert_ptr_equal(lp_past_job(past, reader, 5), first);
    lp_past_drop(past);
    lp_past_reader_free(reader);
}

/* Who appends to a past that others have goes on with one of his own. */
static void owners_go_their_ways(void **state) {
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        LpJob jobs[LP_PAST_PAGE];
        LpPastReader *reader = packed ? lp_past_reader_new() : NULL;
        LpPast *one = make_past(packed, 3), *two = lp_past_share(one);
        make_jobs(jobs, PAGES, 3);
        assert_int_equal(lp_past_append(&one, jobs, packed), LP_OK);
        assert_ptr_not_equal(one, two);
        assert_int_equal(lp_past_jobs(two), PAGES * LP_PAST_PAGE);
        check_past(one, reader, PAGES + 1, 3);
        lp_past_drop(one);
        lp_past_reader_free(reader);
        reader = packed ? lp_past_reader_new() : NULL;
        check_past(two, reader, PAGES, 3);
        lp_past_drop(two);
        lp_past_reader_free(reader);
    }
    assert_null(lp_past_share(NULL));
    lp_past_drop(NULL);
    assert_int_equal(lp_past_jobs(NULL), 0);
}

/* ---- in a run ---- */

static LpSession *open_run(bool pack_past) {
    static const char *const set[] = {"generator.count=600"};
    LpSessionSpec spec = {
        .scenario = "scenarios/pac-ml-32.json", .sets = 1, .set = set, .pack_past = pack_past};
    LpSession *s;
    LpDiag diag;
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static void a_packed_run_is_the_same(void **state) {
    (void)state;
    LpSession *s[2] = {open_run(false), open_run(true)};
    const LpWorld *w[2] = {lp_session_world(s[0]), lp_session_world(s[1])};
    LpDiag diag;
    for (int i = 0; i < 2; i++) {
        bool stopped;
        assert_int_equal(lp_session_run(s[i], NULL, NULL, &stopped, &diag), LP_OK);
        assert_int_equal(lp_world_validate(w[i], lp_session_context(s[i]), &diag), LP_OK);
    }
    assert_true(w[0]->image->kept < 300); /* the others have left */
    assert_int_equal(lp_world_jobs(w[0]), 600);
    assert_true(lp_world_hash(w[0]) == lp_world_hash(w[1]));
    for (uint32_t id = 0; id < 600; id++)
        assert_memory_equal(lp_world_job(w[0], id), lp_world_job(w[1], id), sizeof(LpJob));
    LpWorld *late = lp_world_clone(w[0], NULL);
    assert_int_equal(lp_world_pack_past(late, &diag), LP_ESTATE);
    lp_world_free(late);
    LpWorld *copy = lp_world_clone(w[1], NULL);
    assert_non_null(copy);
    lp_session_close(s[1]);
    assert_true(lp_world_hash(copy) == lp_world_hash(w[0]));
    lp_world_free(copy);
    lp_session_close(s[0]);
}

static void a_past_that_is_short_is_named(void **state) {
    (void)state;
    LpSession *s = open_run(true);
    LpDiag diag;
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    LpWorld *w = lp_world_clone(lp_session_world(s), NULL);
    w->image->kept -= 1;
    assert_int_equal(lp_world_validate(w, lp_session_context(s), &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "600 jobs in the image"));
    lp_world_free(w);
    lp_session_close(s);
}

TEST_GROUP(test_sim_past) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_comes_back),     cmocka_unit_test(pages_stay_open),
        cmocka_unit_test(owners_go_their_ways),          cmocka_unit_test(a_packed_run_is_the_same),
        cmocka_unit_test(a_past_that_is_short_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
