/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many runs: each is what it would be alone, however many threads; and the statistics over them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "group.h"
#include "host/workers.h"
#include "many/study/compare.h"
#include "many/study/paired.h"
#include "many/study/sweep.h"
#include "many/study/tournament.h"
#include "sim/facts/standing.h"

static const char *const few[] = {"generator.count=60"};
static const char *const eight[] = {"max_degree=8"};
static const LpVariant three[] = {
    {.label = "a", .policy = "meets_deadline.lua"},
    {.label = "b", .policy = "random.lua"},
    {.label = "c", .policy = "max_parallelism.lua", .params = 1, .param = eight},
};
static const uint64_t seeds[] = {1, 7, 3, 4};

static LpBatchSpec spec_of(unsigned threads) {
    return (LpBatchSpec){.base = {.scenario = "scenarios/pac-ml-32.json", .sets = 1, .set = few},
                         .variants = 3,
                         .variant = three,
                         .seeds = 4,
                         .seed = seeds,
                         .threads = threads};
}

static uint64_t run_alone(const LpVariant *v, uint64_t seed) {
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .sets = 1,
                          .set = few,
                          .policy = v->policy,
                          .params = v->params,
                          .param = v->param,
                          .has_seed = true,
                          .seed = seed};
    LpSession *s;
    LpDiag diag;
    bool stopped;
    assert_int_equal(lp_session_open(&spec, &s, &diag), LP_OK);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    uint64_t hash = lp_session_hash(s);
    lp_session_close(s);
    return hash;
}

static void test_alone_and_together(void **state) {
    LpBuf json[3] = {{0}};
    LpDiag diag = {0};
    const LpCompareHead head = {.work = "compare", .scenario = "x", .policies = 3};
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        LpBatchSpec spec = spec_of(threads);
        LpBatch b;
        if (lp_batch_run(&spec, &b, NULL, &diag) != LP_OK)
            fail_msg("%s", diag.text);
        assert_false(b.stopped);
        for (uint32_t v = 0; threads == 3 && v < 3; v++)
            for (uint32_t s = 0; s < 4; s++) {
                assert_true(lp_batch_at(&b, v, s)->done);
                assert_true(lp_batch_at(&b, v, s)->hash == run_alone(&three[v], seeds[s]));
            }
        assert_int_equal(lp_compare_json(&head, &b, &json[threads - 1], &diag), LP_OK);
        assert_string_equal(lp_buf_text(&json[threads - 1]), lp_buf_text(&json[0]));
        lp_batch_fini(&b);
    }
    for (int i = 0; i < 3; i++)
        lp_buf_fini(&json[i]);
}

static void test_bad_variant(void **state) {
    const LpVariant pair[] = {{.label = "a", .policy = "meets_deadline.lua"},
                              {.label = "b", .policy = "no-such-policy.lua"}};
    LpBatchSpec spec = spec_of(2);
    LpBatch b;
    LpDiag diag = {0};
    (void)state;
    spec.variant = pair;
    spec.variants = 2;
    assert_int_not_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    assert_non_null(strstr(diag.text, "no-such-policy.lua"));
    spec.tolerant = true;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    for (uint32_t s = 0; s < 4; s++) {
        assert_true(lp_batch_at(&b, 0, s)->done);
        assert_false(lp_batch_at(&b, 1, s)->done);
        assert_non_null(strstr(lp_batch_at(&b, 1, s)->cause, "no-such-policy.lua"));
    }
    lp_batch_fini(&b);
}

static void test_divergence(void **state) {
    LpBatchSpec spec = spec_of(1);
    LpBatch b;
    LpDiag diag;
    (void)state;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    for (uint32_t s = 0; s < 4; s++) {
        const LpRun *x = lp_batch_at(&b, 0, s), *y = lp_batch_at(&b, 2, s);
        LpDivergence same = lp_batch_divergence(x, x), d = lp_batch_divergence(x, y);
        assert_int_equal(same.job, LP_NO_INDEX);
        assert_string_equal(lp_divergence_name(&same), "nothing");
        assert_int_not_equal(d.job, LP_NO_INDEX);
        for (uint32_t i = 0; i < d.job; i++)
            assert_true(x->choice[i].plan == y->choice[i].plan);
        assert_string_not_equal(lp_divergence_name(&d), "nothing");
    }
    lp_batch_fini(&b);
}

/* ---- statistics, worked out by hand ---- */

static void test_estimates(void **state) {
    const double value[] = {1, (double)NAN, 2, 0.5};
    LpEstimate e = lp_estimate(value, 4);
    (void)state;
    assert_int_equal(e.n, 3);
    assert_true(fabs(e.mean - 3.5 / 3) < 1e-12);
    assert_true(fabs(e.half - 4.303 * sqrt(0.58333333333333333 / 3)) < 1e-9);
    e = lp_estimate(value, 1);
    assert_true(e.mean == 1 && isnan(e.half));
    e = lp_estimate(value + 1, 1);
    assert_true(e.n == 0 && isnan(e.mean));
    assert_true(isnan(lp_student_975(0)));
    assert_true(lp_student_975(1) == 12.706 && lp_student_975(30) == 2.042);
    assert_true(lp_student_975(40) == 2.021 && lp_student_975(120) == 1.98);
    assert_true(lp_student_975(50) < 2.021 && lp_student_975(50) > 2.0);
    assert_true(lp_student_975(1000000) < 1.9601);
}

static void test_pairs(void **state) {
    const double a[] = {1, 2, 3, (double)NAN}, b[] = {2, 4, 3.5, 1};
    LpPaired p = lp_paired(a, b, 4);
    (void)state;
    assert_int_equal(p.difference.n, 3);
    assert_true(p.exact && p.p == 0.25); /* +++ and --- of eight */
    assert_true(fabs(p.difference.mean - 3.5 / 3) < 1e-12);
    p = lp_paired(a, a, 3);
    assert_true(p.p == 1 && p.difference.mean == 0);
    p = lp_paired(a, b, 1);
    assert_true(p.difference.n == 1 && isnan(p.p) && isnan(p.difference.half));
    const double x[] = {1, -2, 3, 4}, zero[4] = {0};
    p = lp_paired(zero, x, 4); /* sums of at least 6: 8 of 16 are +-6 or more */
    uint32_t far = 0;
    for (int k = 0; k < 16; k++) {
        double sum = 0;
        for (int i = 0; i < 4; i++)
            sum += k >> i & 1 ? -x[i] : x[i];
        far += fabs(sum) >= 6;
    }
    assert_true(p.p == far / 16.0);
    double many[40], none[40] = {0};
    for (int i = 0; i < 40; i++)
        many[i] = 1 + i % 3;
    p = lp_paired(none, many, 40);
    assert_false(p.exact);
    assert_true(p.p > 0 && p.p < 1e-4);
}

static void expect_seeds(const char *text, LpErr err, uint32_t count, uint64_t last) {
    LpArena *arena = lp_arena_new(0);
    const uint64_t *seed = NULL;
    uint32_t n = 0;
    LpDiag diag = {0};
    assert_non_null(arena);
    assert_int_equal(lp_seeds_parse(text, arena, &seed, &n, &diag), err);
    assert_int_equal(n, count);
    if (err == LP_OK)
        assert_true(seed[n - 1] == last);
    lp_arena_free(arena);
}

static void test_seeds(void **state) {
    (void)state;
    expect_seeds("1..10", LP_OK, 10, 10);
    expect_seeds("5", LP_OK, 1, 5);
    expect_seeds("0,9,2..4", LP_OK, 5, 4);
    expect_seeds("18446744073709551615", LP_OK, 1, UINT64_MAX);
    expect_seeds("", LP_EINVAL, 0, 0);
    expect_seeds("1..", LP_EINVAL, 0, 0);
    expect_seeds("3..1", LP_EINVAL, 0, 0);
    expect_seeds("1,1", LP_EINVAL, 0, 0);
    expect_seeds("a", LP_EINVAL, 0, 0);
    expect_seeds("1..1000000000000", LP_ELIMIT, 0, 0);
    expect_seeds("0..18446744073709551615", LP_ELIMIT, 0, 0);
}

static void test_variants(void **state) {
    LpArena *arena = lp_arena_new(0);
    LpVariant v;
    LpDiag diag = {0};
    (void)state;
    assert_int_equal(lp_variant_parse("a.lua", arena, &v, &diag), LP_OK);
    assert_string_equal(v.policy, "a.lua");
    assert_int_equal(v.params, 0);
    assert_int_equal(lp_variant_parse("d/a.lua:x=1,y=\"z\"", arena, &v, &diag), LP_OK);
    assert_string_equal(v.policy, "d/a.lua");
    assert_string_equal(v.label, "d/a.lua:x=1,y=\"z\"");
    assert_int_equal(v.params, 2);
    assert_string_equal(v.param[0], "x=1");
    assert_int_equal(lp_variant_parse("a.lua:x=1,y", arena, &v, &diag), LP_EINVAL);
    assert_int_equal(lp_variant_parse("", arena, &v, &diag), LP_EINVAL);
    lp_arena_free(arena);
}

/* ---- files that change while runs are made ---- */

static const char *const edited[] = {"s.json", "g.txt", "p.lua", "helper.lua"};
static const char policy_text[] = "local helper = require(\"helper\")\n"
                                  "local policy = { name = \"p\", api = 1 }\n"
                                  "function policy:partition() return helper.degree end\n"
                                  "return policy\n";

typedef struct Saver {
    char folder[64];
    bool saves;
} Saver;

static void write_file(const Saver *saver, const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", saver->folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Every file is another one from the first run on. */
static bool save_between(void *user, size_t done, size_t count) {
    const Saver *saver = user;
    (void)count;
    for (size_t i = 0; saver->saves && done == 1 && i < 4; i++)
        write_file(saver, edited[i], "is being saved");
    return true;
}

static uint64_t run_edited(Saver *saver, const LpVariant *variant) {
    static const char graph[] =
        "node1 -- Conv -- forward_compute_time=2.0, backward_compute_time=3.0, "
        "activation_size=1000.0, parameter_size=2000.0\n"
        "node2 -- Conv -- forward_compute_time=1.0, backward_compute_time=1.0, "
        "activation_size=1000.0, parameter_size=2000.0\n"
        "\tnode1 -- node2\n";
    static const char scenario[] =
        "{\"lightpath\":1,\"name\":\"s\",\"cluster\":{\"fabric\":\"ramp\",\"ramp\":{"
        "\"communication_groups\":2,\"racks_per_group\":2,\"servers_per_rack\":2}},\"graphs\":[{"
        "\"id\":\"g\",\"file\":\"g.txt\",\"format\":\"pipedream\",\"time_unit\":\"ms\"}],"
        "\"generator\":{\"count\":5,\"graphs\":[\"g\"],\"load\":0.5,\"interarrival\":"
        "\"exponential\"}}";
    char path[128];
    LpBatch b;
    LpDiag diag = {0};
    uint64_t hash = LP_HASH_INIT;
    write_file(saver, "s.json", scenario);
    write_file(saver, "g.txt", graph);
    write_file(saver, "p.lua", policy_text);
    write_file(saver, "helper.lua", "return { degree = 2 }");
    snprintf(path, sizeof path, "%s/s.json", saver->folder);
    LpBatchSpec spec = {.base = {.scenario = path},
                        .variants = 2,
                        .variant = variant,
                        .seeds = 4,
                        .seed = seeds,
                        .threads = 1,
                        .progress = save_between,
                        .user = saver};
    if (lp_batch_run(&spec, &b, NULL, &diag) != LP_OK)
        fail_msg("%s: %s", diag.file, diag.text);
    for (size_t i = 0; i < 8; i++)
        hash = lp_hash_u64(hash, b.run[i].hash);
    lp_batch_fini(&b);
    return hash;
}

static void test_edited(void **state) {
    Saver saver = {.folder = "/tmp/lightpath-batch-XXXXXX"};
    char path[128];
    (void)state;
    assert_non_null(mkdtemp(saver.folder));
    snprintf(path, sizeof path, "%s/p.lua", saver.folder);
    const LpVariant two[] = {{.label = "a", .policy = path},
                             {.label = "b", .policy = path, .params = 0}};
    uint64_t quiet = run_edited(&saver, two);
    saver.saves = true;
    assert_true(run_edited(&saver, two) == quiet);
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", saver.folder, edited[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(saver.folder), 0);
}

/* ---- policies that fail ---- */

static void test_failures(void **state) {
    const LpVariant two[] = {{.label = "good", .policy = "no_parallelism.lua"},
                             {.label = "bad", .policy = "tests/property/policies/fails.lua"}};
    const LpCompareHead head = {.work = "compare", .scenario = "x", .policies = 2};
    LpBatchSpec spec = spec_of(2);
    LpBatch b;
    LpBuf text = {0};
    LpDiag diag = {0};
    (void)state;
    spec.variant = two;
    spec.variants = 2;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    const LpRun *bad = lp_batch_at(&b, 1, 0);
    assert_true(bad->done && bad->err == LP_OK);
    assert_true(bad->record.failures > 1 && bad->record.failures == bad->policy_errors);
    assert_non_null(strstr(bad->cause, "fails.lua:6: partition(job 3): no answer for job 3"));
    assert_null(lp_batch_at(&b, 0, 0)->cause);
    assert_int_equal(lp_compare_text(&head, &b, &text, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&text), "fails.lua:6: partition(job 3)"));
    lp_buf_clear(&text);
    assert_int_equal(lp_compare_json(&head, &b, &text, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&text), "fails.lua:6: partition(job 3)"));
    lp_buf_clear(&text);
    assert_int_equal(lp_compare_csv(&head, &b, false, &text, &diag), LP_OK);
    assert_non_null(strstr(lp_buf_text(&text), "fails.lua:6: partition(job 3)"));
    lp_buf_fini(&text);
    lp_batch_fini(&b);
}

static bool stop_after_two(void *user, size_t done, size_t count) {
    (void)user;
    (void)count;
    return done < 2;
}

static void test_interrupted(void **state) {
    const LpCompareHead head = {.work = "compare", .scenario = "x", .policies = 3};
    LpBatchSpec spec = spec_of(1);
    LpBatch b;
    LpBuf text = {0};
    LpDiag diag = {0};
    uint32_t lines = 0;
    (void)state;
    spec.progress = stop_after_two;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    assert_true(b.stopped);
    assert_int_equal(lp_compare_csv(&head, &b, false, &text, &diag), LP_OK);
    for (const char *at = lp_buf_text(&text); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 3); /* the heading and what was done */
    lp_buf_fini(&text);
    lp_batch_fini(&b);
}

/* ---- sweeps ---- */

static void expect_axis(const char *text, const char *values) {
    LpArena *arena = lp_arena_new(0);
    LpBuf got = {0};
    LpSweepAxis axis;
    LpDiag diag = {0};
    if (lp_axis_parse(text, arena, &axis, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    for (uint32_t i = 0; i < axis.values; i++)
        lp_buf_addf(&got, "%s%s", i > 0 ? " " : "", axis.value[i]);
    assert_string_equal(lp_buf_text(&got), values);
    lp_buf_fini(&got);
    lp_arena_free(arena);
}

static void expect_bad_axis(const char *text, LpErr err, const char *words) {
    LpArena *arena = lp_arena_new(0);
    LpSweepAxis axis = {.values = 7};
    LpDiag diag = {0};
    assert_int_equal(lp_axis_parse(text, arena, &axis, &diag), err);
    assert_int_equal(axis.values, 7);
    if (strstr(diag.text, words) == NULL)
        fail_msg("%s: \"%s\" lacks \"%s\"", text, diag.text, words);
    lp_arena_free(arena);
}

static void test_axes(void **state) {
    (void)state;
    expect_axis("a.b=1..3/3", "1 2 3");
    expect_axis("a=1..8/log2", "1 2 4 8");
    expect_axis("a=1 s..1000 s/log10", "1 10 100 1000");
    expect_axis("a=1 ms..2 s/2", "0.001 2");
    expect_axis("a=1ns..1us/log10", "1e-09 1e-08 1e-07 1e-06");
    expect_axis("a=1 GB/s..4 GB/s/log2", "1000000000 2000000000 4000000000");
    expect_axis("a=corrected,published", "corrected published");
    expect_bad_axis("a", LP_EINVAL, "no PATH");
    expect_bad_axis("=1..2/2", LP_EINVAL, "no PATH");
    expect_bad_axis("a=1..2", LP_EINVAL, "without its steps");
    expect_bad_axis("a=1 GB/s..4 GB/s", LP_EINVAL, "without its steps");
    expect_bad_axis("a=1..2/1", LP_EINVAL, "2 or more");
    expect_bad_axis("a=1..2/log1", LP_EINVAL, "above 1");
    expect_bad_axis("a=0..2/log2", LP_EINVAL, "above 0");
    expect_bad_axis("a=2..1/3", LP_EINVAL, "does not rise");
    expect_bad_axis("a=1 s..2 GB/3", LP_EINVAL, "different kinds");
    expect_bad_axis("a=x..2/3", LP_EINVAL, "no number");
    expect_bad_axis("a=1,,2", LP_EINVAL, "empty value");
    expect_bad_axis("a=1..2/99999999", LP_ELIMIT, "more than");
    expect_bad_axis("a=1..1e300/log1.0000001", LP_ELIMIT, "more than");
}

/* A run with these overrides has the hash and the statistics of the point. */
static void check_point(const LpBatch *b, uint32_t v, const char *load, const char *racks) {
    char text[2][80];
    const char *set[] = {few[0], text[0], text[1]};
    LpSessionSpec one = {.scenario = "scenarios/pac-ml-32.json",
                         .sets = 3,
                         .set = set,
                         .policy = three[v % 2].policy,
                         .has_seed = true,
                         .seed = seeds[0]};
    LpSession *s;
    LpSummary summary;
    LpDiag diag;
    bool stopped;
    snprintf(text[0], sizeof text[0], "generator.load=%s", load);
    snprintf(text[1], sizeof text[1], "cluster.ramp.racks_per_group=%s", racks);
    assert_int_equal(lp_session_open(&one, &s, &diag), LP_OK);
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    assert_true(lp_batch_at(b, v, 0)->hash == lp_session_hash(s));
    LpStanding standing;
    assert_int_equal(
        lp_standing_new(lp_session_world(s), lp_session_context(s), true, &standing, &diag), LP_OK);
    assert_int_equal(
        lp_metrics_of(lp_session_world(s), lp_session_context(s), &standing, &summary, &diag),
        LP_OK);
    lp_standing_fini(&standing);
    for (int m = 0; m < LP_METRIC_COUNT; m++) {
        double x = lp_metric_value(&summary, (LpMetric)m);
        double y = lp_metric_value(&lp_batch_at(b, v, 0)->summary, (LpMetric)m);
        assert_true(x == y || (isnan(x) && isnan(y)));
    }
    lp_session_close(s);
}

/* Every point of a sweep is the run with these overrides. */
static void test_sweep(void **state) {
    LpArena *arena = lp_arena_new(0);
    LpSweepAxis axis[2];
    LpCompareHead head = {.work = "sweep", .scenario = "x"};
    LpBatchSpec spec = spec_of(2);
    LpVariant *variant;
    uint32_t variants;
    LpBatch b;
    LpDiag diag = {0};
    (void)state;
    assert_int_equal(lp_axis_parse("generator.load=0.5..1/2", arena, &axis[0], &diag), LP_OK);
    assert_int_equal(lp_axis_parse("cluster.ramp.racks_per_group=2,4", arena, &axis[1], &diag),
                     LP_OK);
    assert_int_equal(lp_sweep_variants(axis, 2, three, 2, arena, &head, &variant, &variants, &diag),
                     LP_OK);
    assert_int_equal(variants, 8);
    spec.variant = variant;
    spec.variants = variants;
    spec.seeds = 1;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    for (uint32_t v = 0; v < variants; v++)
        check_point(&b, v, head.value[v * 2], head.value[v * 2 + 1]);
    assert_string_equal(head.value[5 * 2], "1");
    assert_string_equal(head.value[5 * 2 + 1], "2");
    lp_batch_fini(&b);
    axis[0].values = axis[1].values = 2000;
    assert_int_equal(lp_sweep_variants(axis, 2, three, 2, arena, &head, &variant, &variants, &diag),
                     LP_ELIMIT);
    lp_arena_free(arena);
}

/* ---- tournaments ---- */

static void test_tournament(void **state) {
    const LpVariant four[] = {{.label = "no", .policy = "no_parallelism.lua"},
                              {.label = "broken", .policy = "no-such-policy.lua"},
                              {.label = "twin", .policy = "meets_deadline.lua"},
                              {.label = "meets", .policy = "meets_deadline.lua"}};
    static const uint64_t eight_seeds[] = {1, 2, 3, 4, 5, 6, 7, 8};
    LpArena *arena = lp_arena_new(0);
    LpBatchSpec spec = spec_of(2);
    const LpRank *rank;
    LpBatch b;
    LpDiag diag = {0};
    (void)state;
    spec.variant = four;
    spec.variants = 4;
    spec.seed = eight_seeds;
    spec.seeds = 8;
    spec.tolerant = true;
    assert_int_equal(lp_batch_run(&spec, &b, NULL, &diag), LP_OK);
    assert_int_equal(lp_tournament_rank(&b, arena, &rank, &diag), LP_OK);
    assert_string_equal(b.variant[0].label, "meets"); /* equal: by label */
    assert_string_equal(b.variant[1].label, "twin");
    assert_string_equal(b.variant[2].label, "no");
    assert_string_equal(b.variant[3].label, "broken");
    assert_true(rank[0].rank == 1 && rank[1].rank == 1 && rank[2].rank == 3 && rank[3].rank == 0);
    assert_true(rank[0].tied && rank[1].tied && !rank[2].tied && !rank[3].tied);
    assert_true(rank[1].against == 0 && rank[1].p == 1 && rank[1].by == LP_METRIC_MEAN_JCT);
    assert_true(rank[2].against == 0 && rank[2].p < 0.05 && rank[2].by == LP_METRIC_UNSERVED);
    assert_int_equal(rank[0].against, LP_NO_INDEX);
    assert_true(lp_batch_at(&b, 0, 3)->hash == lp_batch_at(&b, 1, 3)->hash);
    assert_false(lp_batch_at(&b, 3, 0)->done);
    lp_batch_fini(&b);
    lp_arena_free(arena);
}

/* Runs whose shares of jobs not served and JCTs are given: variant v, seed s. */
static void make_runs(LpBatch *b, const double *blocking, const double *jct) {
    b->run = lp_alloc((size_t)b->variants * b->seeds, sizeof *b->run);
    assert_non_null(b->run);
    for (size_t i = 0; i < (size_t)b->variants * b->seeds; i++) {
        b->run[i].done = true;
        b->run[i].summary.unserved_rate = blocking[i];
        b->run[i].summary.mean_jct = jct[i];
    }
}

static void test_ranks(void **state) {
    static const uint64_t seed[] = {1, 2, 3, 4, 5, 6};
    const LpVariant four[] = {
        {.label = "slow"}, {.label = "none"}, {.label = "fast"}, {.label = "worse"}};
    const double none = (double)NAN;
    const double blocking[] = {.1, .2, .3, .1, .2, .3, .1, .2, .3, .1, .2, .3,
                               .1, .2, .3, .1, .2, .3, .2, .3, .4, .2, .3, .4};
    const double jct[] = {9, 9, 9, 9, 9, 9, none, none, none, none, none, none,
                          5, 5, 5, 5, 5, 5, 1,    1,    1,    1,    1,    1};
    LpBatch b = {.variants = 4, .seeds = 6, .variant = four, .seed = seed};
    LpArena *arena = lp_arena_new(0);
    const LpRank *rank;
    LpDiag diag = {0};
    (void)state;
    make_runs(&b, blocking, jct);
    assert_int_equal(lp_tournament_rank(&b, arena, &rank, &diag), LP_OK);
    static const char *const order[] = {"fast", "slow", "none", "worse"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(b.variant[i].label, order[i]);
    /* the same share with every seed: JCT decides where there is one */
    assert_true(rank[0].rank == 1 && !rank[0].tied);
    assert_true(rank[1].rank == 2 && rank[1].by == LP_METRIC_MEAN_JCT && rank[1].p == 1.0 / 32);
    assert_true(rank[2].rank == 2 && rank[2].tied && isnan(rank[2].p) && rank[1].tied);
    assert_true(rank[3].rank == 4 && rank[3].by == LP_METRIC_UNSERVED && rank[3].against == 1);
    lp_batch_fini(&b);
    lp_arena_free(arena);
}

static void test_entries(void **state) {
    LpArena *arena = lp_arena_new(0);
    LpVariant *variant = NULL;
    uint32_t count = 0;
    LpDiag diag = {0};
    (void)state;
    assert_int_equal(lp_tournament_entries("scripts", arena, &variant, &count, &diag), LP_OK);
    assert_true(count > 10);
    for (uint32_t i = 1; i < count; i++)
        assert_true(strcmp(variant[i - 1].label, variant[i].label) < 0);
    assert_int_equal(lp_tournament_entries("no-such-folder", arena, &variant, &count, &diag),
                     LP_EIO);
    assert_non_null(strstr(diag.text, "no-such-folder"));
    assert_int_equal(lp_tournament_entries("themes", arena, &variant, &count, &diag), LP_EINVAL);
    lp_arena_free(arena);
}

/* ---- threads ---- */

typedef struct Tasks {
    int done[100];
    size_t fails_from;
} Tasks;

static LpErr count_task(void *user, size_t index, LpDiag *diag) {
    Tasks *t = user;
    t->done[index]++;
    return index >= t->fails_from ? lp_fail(diag, LP_EIO, "task %d", (int)index) : LP_OK;
}

static bool stop_at_once(void *user, size_t done, size_t count) {
    (void)user;
    (void)done;
    (void)count;
    return false;
}

static bool stop_at_the_end(void *user, size_t done, size_t count) {
    (void)user;
    return done < count;
}

static void test_workers(void **state) {
    (void)state;
    for (unsigned threads = 0; threads <= 8; threads++) {
        Tasks t = {.fails_from = 100};
        LpDiag diag = {0};
        bool stopped;
        assert_int_equal(lp_workers_run(threads, 100, count_task, &t, NULL, NULL, &stopped, &diag),
                         LP_OK);
        for (int i = 0; i < 100; i++)
            assert_int_equal(t.done[i], 1);
        assert_false(stopped);
        t = (Tasks){.fails_from = 20};
        assert_int_equal(lp_workers_run(threads, 100, count_task, &t, NULL, NULL, NULL, &diag),
                         LP_EIO);
        assert_string_equal(diag.text, "task 20");
        t = (Tasks){.fails_from = 100};
        assert_int_equal(
            lp_workers_run(1, 100, count_task, &t, stop_at_once, NULL, &stopped, &diag), LP_OK);
        assert_true(stopped);
        assert_int_equal(t.done[99], 0);
        t = (Tasks){.fails_from = 100};
        assert_int_equal(
            lp_workers_run(threads, 100, count_task, &t, stop_at_the_end, NULL, &stopped, &diag),
            LP_OK);
        assert_false(stopped); /* nothing was left to stop */
    }
    assert_int_equal(lp_workers_run(4, 0, count_task, NULL, NULL, NULL, NULL, NULL), LP_OK);
    assert_true(lp_workers_processors() >= 1);
}

TEST_GROUP(test_batch) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_and_together),
        cmocka_unit_test(test_bad_variant),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_tournament),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_edited),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
