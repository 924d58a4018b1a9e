/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why jobs wait: each reason and its words, of states that are worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"
#include "group.h"
#include "sim/waits/reason.h"

enum { LEAVES = 3, SERVERS = 24, NODES = LEAVES + 1, NOW = 10000 };

/* Three leaves of 8; job 30 holds 0 to 2 and 8 to 10 until 17800, job 31 holds 16 to 20 until
 * 23200: 5, 5 and 3 are free. */
typedef struct Scene {
    LpArena *arena;
    const LpTree *tree;
    LpTreeCount count[NODES];
    uint32_t held[11];
    LpReasonEnd end[2];
    LpReasonDown down[4];
    LpReasonView view;
} Scene;

static void open_scene(Scene *s) {
    static const char *const names[] = {"leaf"};
    static const uint32_t servers[] = {8}, held[11] = {0, 1, 2, 8, 9, 10, 16, 17, 18, 19, 20};
    LpTreeSpec spec;
    LpDiag diag;
    memset(s, 0, sizeof *s);
    s->arena = lp_arena_new(0);
    assert_int_equal(lp_tree_spec_even(1, names, servers, SERVERS, s->arena, &spec, &diag), LP_OK);
    assert_int_equal(lp_tree_build(&spec, SERVERS, s->arena, &s->tree, &diag), LP_OK);
    memcpy(s->held, held, sizeof held);
    for (uint32_t i = 0; i < SERVERS; i++)
        lp_tree_add(s->tree, s->count, i, 1, 0);
    for (uint32_t i = 0; i < 11; i++)
        lp_tree_add(s->tree, s->count, held[i], -1, 0);
    s->end[0] = (LpReasonEnd){"job 30", 30, 0, 6, 17800};
    s->end[1] = (LpReasonEnd){"job 31", 31, 6, 5, 23200};
    s->view = (LpReasonView){.tree = s->tree,
                             .count = s->count,
                             .now = NOW,
                             .down = s->down,
                             .end = s->end,
                             .ends = 2,
                             .held = s->held,
                             .lacks = LP_REASON_POLICY,
                             .enough_at = (double)NAN,
                             .stopped_at = (double)NAN};
}

static void breaks(Scene *s, uint32_t server) {
    s->down[s->view.downs++] = (LpReasonDown){server, false};
    lp_tree_add(s->tree, s->count, server, -1, 1);
}

static LpReason ask(const Scene *s, const LpReasonJob *job) {
    LpReason reason;
    LpDiag diag;
    assert_int_equal(lp_reason_find(&s->view, job, &reason, &diag), LP_OK);
    return reason;
}

static void expect(const Scene *s, const LpReasonJob *job, LpReasonCode code, const char *text) {
    LpReason reason = ask(s, job);
    if (reason.code != code || strcmp(reason.text, text) != 0)
        fail_msg("%s \"%s\", expected %s \"%s\"", lp_reason_code(reason.code), reason.text,
                 lp_reason_code(code), text);
}

static LpReasonJob job_of(uint32_t servers, uint32_t required, uint32_t segment) {
    return (LpReasonJob){.label = "job 50",
                         .servers = servers,
                         .arrival = 7000,
                         .duration = 3600,
                         .ask = {.required = required, .segment = segment},
                         .rigid = true};
}

static double thirty_more(void *context, uint32_t nodes) {
    (void)context;
    return nodes == 2 ? 1.3 : (double)NAN;
}

static void what_is_lacking_is_said(void **state) {
    (void)state;
    Scene s;
    open_scene(&s);
    LpReasonJob job = job_of(25, 0, 0);
    expect(&s, &job, LP_REASON_NEVER, "needs 25 servers; the cluster has 24: it can never start");
    job = job_of(9, 1, 0);
    expect(&s, &job, LP_REASON_NEVER,
           "needs 9 in one leaf; the largest leaf has 8: it can never start");
    job = job_of(18, 1, 9);
    expect(&s, &job, LP_REASON_NEVER,
           "needs 2 segments of 9 in one leaf; the leaf with the most has room for 0: it can never "
           "start");
    job = job_of(21, 0, 7);
    expect(&s, &job, LP_REASON_RESOURCE,
           "needs 3 segments of 7 in leaves; 13 of 24 are free; enough in 3 h 40 min, when job 31 "
           "ends");
    job = job_of(20, 0, 5);
    expect(&s, &job, LP_REASON_NEVER,
           "needs 4 segments of 5 in leaves; the cluster has room for 3: it can never start");
    job = job_of(14, 0, 0);
    expect(&s, &job, LP_REASON_RESOURCE,
           "needs 14 servers; 13 of 24 are free; enough in 2 h 10 min, when job 30 ends");
    job = job_of(12, 0, 4);
    expect(&s, &job, LP_REASON_SHAPE,
           "needs 3 segments of 4 in leaves; 13 are free, but only 2 such segments; enough in 2 h "
           "10 min, when job 30 ends");
    job = job_of(8, 1, 0);
    expect(&s, &job, LP_REASON_SHAPE,
           "needs 8 in one leaf; leaves have 5, 5, 3 free; enough in 2 h 10 min, when job 30 ends, "
           "or now across 2 leaves (it states how long it runs, so what that costs is not known)");
    job.rigid = false;
    s.view.ratio = thirty_more;
    expect(&s, &job, LP_REASON_SHAPE,
           "needs 8 in one leaf; leaves have 5, 5, 3 free; enough in 2 h 10 min, when job 30 ends, "
           "or now across 2 leaves for 1.30 times the step time");
    LpReason reason = ask(&s, &job);
    assert_true(reason.enough_at == 17800 && reason.when_job == 30 && reason.across == 2);
    s.view.ends = 0;
    job = job_of(14, 0, 0);
    expect(&s, &job, LP_REASON_RESOURCE,
           "needs 14 servers; 13 of 24 are free; when there will be enough is not known");
    lp_arena_free(s.arena);
}

static void who_could_start_is_told_what_holds_it(void **state) {
    (void)state;
    Scene s;
    LpReasonJob head = job_of(8, 1, 0), job = job_of(2, 0, 0);
    open_scene(&s);
    head.label = "llama-70b";
    job.arrival = 9400;
    s.view.head = &head;
    expect(&s, &job, LP_REASON_POLICY, "could start now; the policy lets it wait");
    s.view.says = "not before \"noon\"";
    expect(&s, &job, LP_REASON_POLICY,
           "could start now; the policy lets it wait: \"not before \"noon\"\"");
    s.view.order = LP_IN_ORDER;
    expect(&s, &job, LP_REASON_BEHIND,
           "could start now, but waits for llama-70b, which came 40 min before and needs 8 in one "
           "leaf");
    job.arrival = head.arrival;
    expect(&s, &job, LP_REASON_BEHIND,
           "could start now, but waits for llama-70b, which stands before it and needs 8 in one "
           "leaf");
    s.view.order = LP_IN_ORDER_FILL;
    job.duration = 7801;
    expect(&s, &job, LP_REASON_BEHIND,
           "could start now, but would end 1 s after llama-70b is to start, in 2 h 10 min");
    s.view.says = NULL;
    job.duration = 7800; /* ends as it starts */
    expect(&s, &job, LP_REASON_POLICY, "could start now; the policy lets it wait");
    s.view.ends = 0;
    job.arrival = 9400;
    expect(&s, &job, LP_REASON_BEHIND,
           "could start now, but when llama-70b starts, which came 40 min before, is not known");
    s.view.head = NULL;
    expect(&s, &job, LP_REASON_POLICY, "could start now; the policy lets it wait");
    lp_arena_free(s.arena);
}

static void what_is_broken_is_named(void **state) {
    (void)state;
    Scene s;
    LpReasonJob job = job_of(5, 1, 0);
    open_scene(&s);
    breaks(&s, 3);
    breaks(&s, 11);
    expect(
        &s, &job, LP_REASON_BROKEN,
        "needs 5 in one leaf; leaf 0 would have 5 if server 3 were not down; enough in 2 h 10 "
        "min, when job 30 ends, or now across 2 leaves (it states how long it runs, so what that "
        "costs is not known)");
    breaks(&s, 12);
    job = job_of(13, 0, 0);
    expect(&s, &job, LP_REASON_BROKEN,
           "needs 13 servers; the cluster would have 13 if servers 3, 11, 12 were not down; enough "
           "in 2 h 10 min, when job 30 ends");
    job = job_of(15, 0, 0); /* not even if all were mended */
    assert_int_equal(ask(&s, &job).code, LP_REASON_RESOURCE);
    lp_arena_free(s.arena);
}

static void stops_and_the_engine_s_reasons_are_told(void **state) {
    (void)state;
    Scene s;
    LpReasonJob job = job_of(14, 0, 0);
    char word[LP_REASON_WORD];
    open_scene(&s);
    s.view.stopped_at = NOW - 23 * 60;
    s.view.stopped_by = "server 7";
    expect(&s, &job, LP_REASON_STOPPED,
           "stopped 23 min ago by server 7; needs 14 servers; 13 of 24 are free; enough in 2 h 10 "
           "min, when job 30 ends");
    LpReason reason = ask(&s, &job);
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_SLURM, word), "Resources");
    s.view.stopped_at = (double)NAN;
    s.view.lacks = LP_REASON_MEMORY;
    s.view.lacking = "a part needs 90 GB";
    job = job_of(4, 0, 0);
    expect(&s, &job, LP_REASON_MEMORY,
           "needs 4 servers; a part needs 90 GB; when there will be enough is not known");
    lp_arena_free(s.arena);
}

static void words_are_those_of_others(void **state) {
    (void)state;
    Scene s;
    char word[LP_REASON_WORD];
    open_scene(&s);
    LpReasonJob job = job_of(8, 1, 0);
    LpReason reason = ask(&s, &job);
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_PLAIN, word), "shape");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_SLURM, word), "Resources");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_KUEUE, word),
                        "TopologyPlacementFailed: topology \"leaf\" allows to fit only 5 out of 8 "
                        "pod(s)");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_VOLCANO, word),
                        "pod group is not ready, 8 Pending, 8 minAvailable");
    job = job_of(25, 0, 0);
    reason = ask(&s, &job);
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_SLURM, word), "BadConstraints");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_KUEUE, word), "ExceedsMaxQuota");
    job = job_of(2, 0, 0);
    reason = ask(&s, &job);
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_SLURM, word), "None");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_KUEUE, word), "Pending");
    assert_string_equal(lp_reason_word(&reason, LP_WORDING_VOLCANO, word), "Inqueue");
    assert_int_equal(lp_wording_find("kueue"), LP_WORDING_KUEUE);
    assert_int_equal(lp_wording_find("sge"), -1);
    lp_arena_free(s.arena);
}

static void spans_have_two_units(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0 s"},           {9.756, "9.76 s"},    {59.9, "59.9 s"},  {59.96, "1 min"},
        {89.4, "1 min 29 s"}, {7800, "2 h 10 min"}, {3600, "1 h"},     {3599.5, "1 h"},
        {97200, "1 d 3 h"},   {172800 - 1, "2 d"},  {1e-6, "1e-06 s"}, {864000, "10 d"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        char out[LP_SPAN_TEXT];
        assert_string_equal(lp_span_print(cases[i].seconds, out), cases[i].text);
    }
}

TEST_GROUP(test_sim_reason) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_lacking_is_said),
                                       cmocka_unit_test(who_could_start_is_told_what_holds_it),
                                       cmocka_unit_test(what_is_broken_is_named),
                                       cmocka_unit_test(stops_and_the_engine_s_reasons_are_told),
                                       cmocka_unit_test(words_are_those_of_others),
                                       cmocka_unit_test(spans_have_two_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
