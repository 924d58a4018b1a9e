/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals: lists, pools, streams that do not disturb each other, and a state that can be copied.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "group.h"
#include "sim/state/workload.h"

enum { GRAPHS = 3, MANY = 60000 };

static const double INF = (double)INFINITY;
static const uint32_t GRAPH[GRAPHS] = {4, 0, 2};

/* A finished scenario without graphs: a workload only hands their numbers on. */
static LpScenario scenario_of(LpSampling sampling, uint64_t count, uint64_t replication) {
    return (LpScenario){
        .options = lp_options_corrected(),
        .graphs = 5,
        .has_generator = true,
        .generator = {
            .count = count,
            .graphs = GRAPHS,
            .graph = GRAPH,
            .sampling = sampling,
            .replication = replication,
            .interarrival = {.kind = LP_DIST_EXPONENTIAL, .value = 1000.0},
            .steps = {.kind = LP_DIST_UNIFORM, .min = 10.0, .max = 19.0, .decimals = -1},
            .max_jct_fraction = {.kind = LP_DIST_UNIFORM, .min = 0.1, .max = 1.0, .decimals = 2}}};
}

static size_t size_of(const LpScenario *s) {
    size_t bytes = 0;
    assert_int_equal(lp_workload_size(s, &bytes, NULL), LP_OK);
    assert_true(bytes % 8 == 0);
    return bytes;
}

static LpWorkload *start(const LpScenario *s, uint64_t seed) {
    LpWorkload *w = lp_alloc(1, size_of(s));
    assert_non_null(w);
    assert_int_equal(lp_workload_init(w, s, seed, NULL), LP_OK);
    return w;
}

/* Takes an arrival that must be there. */
static LpArrival take(LpWorkload *w, const LpScenario *s) {
    LpArrival a;
    double due = lp_workload_peek(w);
    assert_true(lp_workload_take(w, s, &a));
    assert_true(a.spec.arrival == due);
    assert_true(a.next == lp_workload_peek(w));
    return a;
}

static int place_of(const LpArrival *a) {
    for (int g = 0; g < GRAPHS; g++)
        if (a->spec.graph == (int32_t)GRAPH[g])
            return g;
    fail_msg("graph %d is not of the generator", (int)a->spec.graph);
    return -1;
}

static void expect_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not within %g of %g", value, tolerance, expected);
}

/* ---- lists ---- */

static void a_list_arrives_as_it_stands(void **state) {
    (void)state;
    const LpJobSpec jobs[] = {{.graph = 1, .arrival = 3.0, .steps = 5.0, .hint = {.json = "{}"}},
                              {.graph = -1, .arrival = 3.0, .rigid_servers = 4},
                              {.graph = 0, .arrival = 8.0, .max_jct_fraction = 0.5}};
    const LpScenario s = {.jobs = 3, .job = jobs};
    LpWorkload *w = start(&s, 1);
    LpArrival a = take(w, &s);
    assert_true(a.spec.graph == 1 && a.spec.steps == 5.0 && a.spec.hint.json == jobs[0].hint.json);
    assert_true(a.next == 3.0);
    a = take(w, &s);
    assert_true(a.spec.graph == -1 && a.spec.rigid_servers == 4 && a.next == 8.0);
    a = take(w, &s);
    assert_true(a.spec.arrival == 8.0 && a.spec.max_jct_fraction == 0.5 && a.next == INF);
    assert_false(lp_workload_take(w, &s, &a));
    assert_true(lp_workload_peek(w) == INF);
    lp_free(w);
}

static void nothing_asked_for_is_nothing_to_do(void **state) {
    (void)state;
    const LpScenario s = {.jobs = 0};
    LpArrival a;
    LpWorkload *w = start(&s, 1);
    assert_true(lp_workload_peek(w) == INF);
    assert_false(lp_workload_take(w, &s, &a));
    lp_free(w);
}

/* ---- arrivals ---- */

static void arrivals_accumulate_from_zero_to_the_count(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REPLACE, 5, 2);
    s.generator.interarrival = (LpDist){.kind = LP_DIST_FIXED, .value = 0.1};
    LpWorkload *w = start(&s, 1);
    LpArrival a;
    double due = 0.0;
    for (int i = 0; i < 5; i++, due += 0.1)
        assert_true(take(w, &s).spec.arrival == due);
    assert_true(lp_workload_peek(w) == INF);
    assert_false(lp_workload_take(w, &s, &a));
    lp_free(w);
}

static void draws_have_the_moments_asked_for(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REPLACE, 0, 1);
    LpWorkload *w = start(&s, 1);
    double before = 0.0, squares = 0.0, fractions = 0.0, steps[20] = {0.0};
    int models[GRAPHS] = {0};
    for (int i = 0; i < MANY; i++) {
        LpArrival a = take(w, &s);
        double gap = a.next - a.spec.arrival;
        models[place_of(&a)]++;
        squares += gap * gap;
        fractions += a.spec.max_jct_fraction;
        assert_true(a.spec.steps == floor(a.spec.steps));
        assert_true((int)a.spec.steps >= 10 && (int)a.spec.steps <= 19);
        steps[(int)a.spec.steps]++;
        before = a.next;
    }
    expect_near(before / MANY, 1000.0, 15.0);
    expect_near(sqrt(squares / MANY), 1000.0 * sqrt(2.0), 25.0);
    expect_near(fractions / MANY, 0.55, 0.005);
    for (int g = 0; g < GRAPHS; g++)
        expect_near((double)models[g] / MANY, 1.0 / GRAPHS, 0.008);
    for (int n = 10; n < 20; n++)
        expect_near(steps[n] / MANY, 0.1, 0.006);
    lp_free(w);
}

static void jobs_without_a_fraction_have_no_deadline(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 9, 3);
    s.generator.max_jct_fraction = (LpDist){.kind = LP_DIST_NONE};
    s.generator.kind = LP_PARTITION_DATA;
    for (int published = 0; published < 2; published++) {
        LpWorkload *w = start(&s, 1);
        for (int i = 0; i < 9; i++) {
            LpArrival a = take(w, &s);
            assert_true(a.spec.max_jct_fraction == 0.0);
            assert_int_equal(a.spec.kind, LP_PARTITION_DATA);
            assert_null(a.spec.hint.json);
        }
        lp_free(w);
        s.options = lp_options_published();
    }
}

/* ---- the pool ---- */

static void a_pool_is_emptied_evenly(void **state) {
    (void)state;
    enum { COPIES = 40, ROUNDS = 20 };
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, COPIES);
    for (int published = 0; published < 2; published++) {
        LpWorkload *w = start(&s, 3);
        int runs = 0, last = -1;
        for (int round = 0; round < ROUNDS; round++) {
            int models[GRAPHS] = {0};
            for (int i = 0; i < COPIES * GRAPHS; i++) {
                LpArrival a = take(w, &s);
                int g = place_of(&a);
                models[g]++;
                runs += g == last;
                last = g;
            }
            for (int g = 0; g < GRAPHS; g++)
                assert_int_equal(models[g], COPIES);
        }
        /* shuffled: the next one is the same model one time in three */
        expect_near(runs / (double)(COPIES * GRAPHS * ROUNDS), 1.0 / 3.0, 0.03);
        lp_free(w);
        s.options = lp_options_published();
    }
}

static void an_empty_pool_ends_the_arrivals(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE, 0, 7);
    for (int published = 0; published < 2; published++) {
        LpWorkload *w = start(&s, 3);
        LpArrival a;
        int models[GRAPHS] = {0};
        for (int i = 0; i < 7 * GRAPHS; i++) {
            assert_true(lp_workload_peek(w) < INF);
            a = take(w, &s);
            models[place_of(&a)]++;
        }
        for (int g = 0; g < GRAPHS; g++)
            assert_int_equal(models[g], 7);
        assert_true(a.next == INF);
        assert_false(lp_workload_take(w, &s, &a));
        lp_free(w);
        s.options = lp_options_published();
    }
}

/* Sum that is the same for the same jobs in any order (grid values and small integers: exact). */
static double fingerprint(const LpArrival *a) {
    double hundredths = floor(a->spec.max_jct_fraction * 100.0 + 0.5);
    return (a->spec.graph + 1.0) * (hundredths * 101.0 + a->spec.steps) * (hundredths + 7.0);
}

static void only_published_fractions_belong_to_pool_jobs(void **state) {
    (void)state;
    enum { COPIES = 30 };
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, COPIES);
    for (int published = 0; published < 2; published++) {
        LpWorkload *w = start(&s, 4);
        double round[2] = {0.0, 0.0};
        for (int i = 0; i < 2 * COPIES * GRAPHS; i++) {
            LpArrival a = take(w, &s);
            round[i / (COPIES * GRAPHS)] += fingerprint(&a);
        }
        assert_int_equal(round[0] == round[1], published);
        lp_free(w);
        s.options = lp_options_published();
    }
}

static void memory_grows_with_published_pools_only(void **state) {
    (void)state;
    LpDiag diag;
    size_t bytes = 7;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, UINT32_MAX);
    assert_true(size_of(&s) < 1024);
    LpWorkload *w = start(&s, 1);
    for (int i = 0; i < 1000; i++)
        (void)take(w, &s);
    lp_free(w);
    s.options = lp_options_published();
    assert_int_equal(lp_workload_size(&s, &bytes, &diag), LP_ELIMIT);
    assert_int_equal(bytes, 7);
    assert_non_null(strstr(diag.text, "generator.replication is 4294967295"));
    s.generator.replication = 1000;
    assert_true(size_of(&s) >= 20 * 1000 * GRAPHS && size_of(&s) <= 20 * 1000 * GRAPHS + 1024);
}

/* ---- streams ---- */

/* What the two workloads share over 300 arrivals. */
enum { MODEL = 1, TIME = 2, FRACTION = 4, STEPS = 8, ALL = 15 };

static int shared(const LpScenario *a, uint64_t seed_a, const LpScenario *b, uint64_t seed_b) {
    LpWorkload *first = start(a, seed_a), *second = start(b, seed_b);
    int same = ALL;
    for (int i = 0; i < 300; i++) {
        LpJobSpec x = take(first, a).spec, y = take(second, b).spec;
        same &= ~(x.graph != y.graph ? MODEL : 0);
        same &= ~(x.arrival != y.arrival ? TIME : 0);
        same &= ~(x.max_jct_fraction != y.max_jct_fraction ? FRACTION : 0);
        same &= ~(x.steps != y.steps ? STEPS : 0);
    }
    lp_free(first);
    lp_free(second);
    return same;
}

static void streams_do_not_disturb_each_other(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, 50), other = s;
    for (int published = 0; published < 2; published++) {
        s.options = published ? lp_options_published() : lp_options_corrected();
        assert_int_equal(shared(&s, 1, &s, 1), ALL);
        assert_int_equal(shared(&s, 1, &s, 2), 0);
        other = s;
        other.generator.interarrival = (LpDist){.kind = LP_DIST_UNIFORM, .min = 1.0, .max = 2.0};
        assert_int_equal(shared(&s, 1, &other, 1), ALL & ~TIME);
        other = s;
        other.generator.max_jct_fraction = (LpDist){.kind = LP_DIST_NONE};
        assert_int_equal(shared(&s, 1, &other, 1), ALL & ~FRACTION);
        other.generator.max_jct_fraction = (LpDist){
            .kind = LP_DIST_SKEW_NORMAL, .min = 0.1, .max = 1.0, .decimals = 2, .skewness = 5.0};
        assert_int_equal(shared(&s, 1, &other, 1), ALL & ~FRACTION);
        other = s;
        other.generator.steps = (LpDist){.kind = LP_DIST_EXPONENTIAL, .value = 30.0};
        assert_int_equal(shared(&s, 1, &other, 1), ALL & ~STEPS);
        other = s;
        other.generator.sampling = LP_SAMPLE_REPLACE;
        /* a published fraction belongs to the pool job that is drawn */
        assert_int_equal(shared(&s, 1, &other, 1), published ? TIME : ALL & ~MODEL);
    }
}

static void a_choice_is_made_once_per_run(void **state) {
    (void)state;
    const LpDist members[] = {
        {.kind = LP_DIST_FIXED, .value = 0.25},
        {.kind = LP_DIST_SKEW_NORMAL, .min = 0.5, .max = 1.0, .decimals = 2, .skewness = 0.0}};
    LpScenario s = scenario_of(LP_SAMPLE_REPLACE, 0, 1);
    s.generator.max_jct_fraction = (LpDist){.kind = LP_DIST_CHOICE, .count = 2, .choices = members};
    int chosen[2] = {0, 0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        LpWorkload *w = start(&s, seed);
        bool fixed = take(w, &s).spec.max_jct_fraction == 0.25;
        for (int i = 0; i < 50; i++) {
            double fraction = take(w, &s).spec.max_jct_fraction;
            assert_true(fixed ? fraction == 0.25 : fraction >= 0.5 && fraction <= 1.0);
        }
        chosen[fixed]++;
        lp_free(w);
    }
    assert_true(chosen[0] > 0 && chosen[1] > 0);
}

static void choices_are_made_independently(void **state) {
    (void)state;
    const LpDist members[] = {{.kind = LP_DIST_FIXED, .value = 1.0},
                              {.kind = LP_DIST_FIXED, .value = 2.0}};
    LpScenario s = scenario_of(LP_SAMPLE_REPLACE, 0, 1);
    s.generator.max_jct_fraction = s.generator.steps =
        (LpDist){.kind = LP_DIST_CHOICE, .count = 2, .choices = members};
    int alike = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        LpWorkload *w = start(&s, seed);
        LpArrival a = take(w, &s);
        alike += a.spec.max_jct_fraction == a.spec.steps;
        lp_free(w);
    }
    assert_true(alike >= 10 && alike <= 30);
}

/* ---- the state ---- */

static void a_copy_goes_on_alike(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, 20);
    for (int published = 0; published < 2; published++) {
        size_t bytes = size_of(&s);
        LpWorkload *w = start(&s, 5), *copy = lp_alloc(1, bytes);
        assert_non_null(copy);
        for (int i = 0; i < 33; i++)
            (void)take(w, &s);
        memcpy(copy, w, bytes);
        assert_true(lp_workload_hash(copy) == lp_workload_hash(w));
        for (int i = 0; i < 100; i++) {
            LpArrival a = take(w, &s), b = take(copy, &s);
            assert_true(a.spec.graph == b.spec.graph && a.next == b.next);
            assert_true(a.spec.max_jct_fraction == b.spec.max_jct_fraction);
            assert_true(lp_workload_hash(copy) == lp_workload_hash(w));
        }
        assert_memory_equal(copy, w, bytes);
        lp_free(copy);
        lp_free(w);
        s.options = lp_options_published();
    }
}

/* What is drawn after it comes from the other seed; what has been drawn stays. */
static void another_future_begins_where_it_is_asked_for(void **state) {
    (void)state;
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, 20);
    size_t bytes = size_of(&s);
    LpWorkload *w[3];
    int differ = 0;
    for (int k = 0; k < 3; k++) {
        w[k] = start(&s, 5);
        for (int i = 0; i < 33; i++)
            (void)take(w[k], &s);
        lp_workload_reseed(w[k], k == 0 ? 7 : 8);
    }
    assert_memory_equal(w[1], w[2], bytes);
    assert_true(lp_workload_hash(w[0]) != lp_workload_hash(w[1]));
    assert_true(lp_workload_peek(w[0]) == lp_workload_peek(w[1]));
    for (int i = 0; i < 20; i++) {
        LpArrival a = take(w[0], &s), b = take(w[1], &s), c = take(w[2], &s);
        differ += a.spec.graph != b.spec.graph || a.next != b.next;
        assert_true(b.spec.graph == c.spec.graph && b.next == c.next);
    }
    assert_true(differ > 10);
    for (int k = 0; k < 3; k++)
        lp_free(w[k]);
}

static void every_arrival_changes_the_hash(void **state) {
    (void)state;
    enum { TAKEN = 200 };
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, 20);
    for (int published = 0; published < 2; published++) {
        uint64_t seen[TAKEN];
        LpWorkload *w = start(&s, 5), *other = start(&s, 6);
        assert_true(lp_workload_hash(w) != lp_workload_hash(other));
        for (int i = 0; i < TAKEN; i++) {
            seen[i] = lp_workload_hash(w);
            for (int k = 0; k < i; k++)
                assert_true(seen[k] != seen[i]);
            (void)take(w, &s);
        }
        lp_free(other);
        lp_free(w);
        s.options = lp_options_published();
    }
}

static void a_list_hashes_by_its_place(void **state) {
    (void)state;
    const LpJobSpec jobs[2] = {{.steps = 1.0}, {.steps = 1.0}}; /* both at 0 */
    const LpScenario s = {.jobs = 2, .job = jobs};
    LpWorkload *w = start(&s, 1);
    uint64_t before = lp_workload_hash(w);
    (void)take(w, &s);
    assert_true(lp_workload_hash(w) != before);
    lp_free(w);
}

/* Written down, so that a compiler or a change that shifts a draw is found out. */
static void the_draws_of_a_seed_never_change(void **state) {
    (void)state;
    const uint64_t expected[] = {UINT64_C(0x2c85a1b980b59d92), UINT64_C(0xfa2c6b64ea0a6005)};
    LpScenario s = scenario_of(LP_SAMPLE_REMOVE_AND_REPEAT, 0, 100);
    s.generator.max_jct_fraction = (LpDist){
        .kind = LP_DIST_SKEW_NORMAL, .min = 0.1, .max = 1.0, .decimals = 2, .skewness = 5.0};
    for (int published = 0; published < 2; published++) {
        LpWorkload *w = start(&s, 1);
        uint64_t hash = LP_HASH_INIT;
        for (int i = 0; i < 1000; i++) {
            LpArrival a = take(w, &s);
            hash = lp_hash_u64(hash, (uint64_t)a.spec.graph);
            hash = lp_hash_f64(hash, a.spec.arrival);
            hash = lp_hash_f64(lp_hash_f64(hash, a.spec.max_jct_fraction), a.spec.steps);
        }
        lp_free(w);
        if (hash != expected[published])
            fail_msg("0x%016" PRIx64, hash);
        s.options = lp_options_published();
    }
}

TEST_GROUP(test_sim_workload) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_arrives_as_it_stands),
        cmocka_unit_test(nothing_asked_for_is_nothing_to_do),
        cmocka_unit_test(arrivals_accumulate_from_zero_to_the_count),
        cmocka_unit_test(draws_have_the_moments_asked_for),
        cmocka_unit_test(jobs_without_a_fraction_have_no_deadline),
        cmocka_unit_test(a_pool_is_emptied_evenly),
        cmocka_unit_test(an_empty_pool_ends_the_arrivals),
        cmocka_unit_test(only_published_fractions_belong_to_pool_jobs),
        cmocka_unit_test(memory_grows_with_published_pools_only),
        cmocka_unit_test(streams_do_not_disturb_each_other),
        cmocka_unit_test(a_choice_is_made_once_per_run),
        cmocka_unit_test(choices_are_made_independently),
        cmocka_unit_test(a_copy_goes_on_alike),
        cmocka_unit_test(another_future_begins_where_it_is_asked_for),
        cmocka_unit_test(every_arrival_changes_the_hash),
        cmocka_unit_test(a_list_hashes_by_its_place),
        cmocka_unit_test(the_draws_of_a_seed_never_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
