/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that share links only while both send: pairs solved by hand, what holds of every run, and
 * that the state of a step is in the world. tests/golden/test_simgrid.sh compares with SimGrid. */
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

#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "sim/condition.h"
#include "sim/sharing/phase_view.h"
#include "sim/state/validate.h"
#include "sim/store/store.h"
#include "sim/world.h"

/* Cut by batch in two: 0.1 s of computing, then a ring all-reduce of 1 GB. */
static const char one[] =
    "{ \"lightpath_profile\": 1, \"ops\": [ { \"id\": 1, \"forward\": 0.1, \"backward\": 0.1, "
    "\"activation\": 0, \"parameters\": 1e9 } ], \"edges\": [] }";

/* Two ops: the second one's all-reduce runs beside the first one's backward pass. */
static const char two[] =
    "{ \"lightpath_profile\": 1, \"ops\": [ { \"id\": 1, \"forward\": 0.1, \"backward\": 0.5, "
    "\"activation\": 0, \"parameters\": 2e8 }, { \"id\": 2, \"forward\": 0.1, \"backward\": 0.1, "
    "\"activation\": 0, \"parameters\": 1e9 } ], \"edges\": [ [1, 2] ] }";

/* Two leaves and a spine, 10 GB/s everywhere, and devices that add for nothing. */
static const char scenario[] =
    "{ \"lightpath\": 1, \"name\": \"interleave\", \"cluster\": { \"fabric\": \"packet\", "
    "\"packet\": { \"topology\": \"leaf_spine\", \"leaves\": 2, \"spines\": 1, "
    "\"servers_per_leaf\": %d, \"server_bandwidth\": 1e10, \"uplink_bandwidth\": 1e10, "
    "\"server_delay\": 0, \"uplink_delay\": 0, \"io_latency\": 0, \"sharing\": \"%s\" }, "
    "\"server\": { \"device\": \"fast\" } }, \"devices\": [ { \"name\": \"fast\", \"fp32\": 1e30, "
    "\"bandwidth\": 1e30, \"memory\": 1e12 } ], \"graphs\": [ { \"id\": \"one\", \"file\": \"%s\", "
    "\"format\": \"lightpath\" } ], %s, \"partition\": { \"kind\": \"data\", \"max_degree\": 8, "
    "\"min_op_time\": 1e-6 } }";

static void write_text(char *path, const char *text) {
    int f = mkstemp(path);
    assert_true(f >= 0);
    assert_int_equal(write(f, text, strlen(text)), strlen(text));
    close(f);
}

static LpSession *open_with(const char *profile, const char *sharing, int servers,
                            const char *work) {
    char graph[] = "/tmp/lightpath-interleave-XXXXXX", file[] = "/tmp/lightpath-interleave-XXXXXX";
    char text[4096];
    LpSession *s = NULL;
    LpDiag diag = {0};
    write_text(graph, profile);
    snprintf(text, sizeof text, scenario, servers, sharing, graph, work);
    write_text(file, text);
    LpSessionSpec spec = {.scenario = file, .keep_events = true};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        printf("# %s\n", diag.text);
    unlink(graph);
    unlink(file);
    assert_non_null(s);
    return s;
}

static LpSession *open_pair(const char *profile, const char *sharing, double first, double second,
                            double steps) {
    char work[256];
    snprintf(work, sizeof work,
             "\"jobs\": [ { \"graph\": \"one\", \"arrival\": %.17g, \"steps\": %.0f }, "
             "{ \"graph\": \"one\", \"arrival\": %.17g, \"steps\": %.0f } ]",
             first, steps, second, steps);
    return open_with(profile, sharing, 2, work);
}

static const LpJob *job(LpSession *s, uint32_t id) {
    return lp_world_job(lp_session_world(s), id);
}

static const uint32_t across[2][2] = {{0, 2}, {1, 3}};

static void start(LpSession *s, uint32_t number) {
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = across[number]};
    assert_int_equal(lp_session_to_decision(s, &event, NULL), LP_OK);
    assert_int_equal(lp_session_answer(s, &answer, &event, NULL), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
}

static void to_end(LpSession *s) {
    bool stopped;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, NULL), LP_OK);
}

static void near_to(double a, double b, double share) {
    if (!(fabs(a - b) <= share * fabs(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}

/* ---- by hand ---- */

static double jct_of_pair(const char *sharing, double later, double steps, uint32_t id) {
    LpSession *s = open_pair(one, sharing, 0, later, steps);
    start(s, 0);
    start(s, 1);
    to_end(s);
    double jct = job(s, id)->forecast.jct;
    near_to(jct, job(s, id)->times.end - job(s, id)->times.start, 1e-12);
    lp_session_close(s);
    return jct;
}

/* One computes while the other sends: nobody waits. In step with each other both send at once, and
 * the mode that takes flows for always on has it so whatever they do. A lag of half a phase is half
 * of the way: each sends 0.05 s alone and 0.1 s together. */
static void two_take_turns(void **state) {
    (void)state;
    for (uint32_t id = 0; id < 2; id++) {
        near_to(jct_of_pair("interleaved", 0.1, 100, id), 20.0, 1e-9);
        near_to(jct_of_pair("interleaved", 0, 100, id), 30.0, 1e-9);
    }
    near_to(jct_of_pair("always_on", 0, 100, 0), 30.0, 1e-9);
    near_to(jct_of_pair("always_on", 0.1, 1000, 0), 300.0, 1e-3);
    near_to(jct_of_pair("interleaved", 0.05, 1000, 0), 250.0, 1e-3);
}

/* What recurs is not gone through step by step: ten million steps take no time to speak of, and end
 * where a thousand lead. */
static void periods_are_jumped_over(void **state) {
    (void)state;
    near_to(jct_of_pair("interleaved", 0.05, 1e7, 0),
            1e4 * jct_of_pair("interleaved", 0.05, 1e3, 0), 1e-3);
    near_to(jct_of_pair("interleaved", 0.1, 1e7, 1), 2e6, 1e-9);
}

/* The all-reduce of op 2 is 0.1 s of the 0.25 s that the backward pass of op 1 takes: slowed down
 * to 0.2 s it still hides; the one of op 1, 0.02 s, does not. */
static void hidden_sending_delays_nobody(void **state) {
    (void)state;
    LpSession *s = open_pair(two, "interleaved", 0, 0, 10);
    start(s, 0);
    double alone = job(s, 0)->forecast.step_time;
    near_to(alone, 0.05 + 0.05 + 0.05 + 0.25 + 0.02, 1e-9);
    start(s, 1);
    to_end(s);
    near_to(job(s, 0)->forecast.jct, 10 * (alone + 0.02), 1e-9);
    near_to(job(s, 0)->forecast.exposed, 10 * 0.04, 1e-9);
    lp_session_close(s);
}

/* ---- what holds of every run ---- */

/* A job by itself has the bits that it has where flows are always on. */
static void alone_is_as_ever(void **state) {
    (void)state;
    static const char *const sharing[] = {"always_on", "interleaved"};
    static const char work[] =
        "\"jobs\": [ { \"graph\": \"one\", \"arrival\": 0.3, \"steps\": 7 } ]";
    LpJob seen[2];
    for (int i = 0; i < 2; i++) {
        LpSession *s = open_with(two, sharing[i], 2, work);
        start(s, 0);
        to_end(s);
        seen[i] = *job(s, 0);
        assert_true(seen[i].sharing.load != LP_NO_INDEX && seen[i].sharing.paces == 0);
        lp_session_close(s);
    }
    assert_true(seen[0].times.end == seen[1].times.end &&
                seen[0].forecast.jct == seen[1].forecast.jct);
    assert_true(seen[0].forecast.step_time == seen[1].forecast.step_time &&
                seen[0].sharing.rate == seen[1].sharing.rate);
    assert_true(seen[0].forecast.communication == seen[1].forecast.communication);
    assert_true(seen[0].forecast.exposed == seen[1].forecast.exposed);
}

/* All jobs later are all ends later. */
static void delays_shift(void **state) {
    (void)state;
    double end[2][2];
    for (int i = 0; i < 2; i++) {
        LpSession *s = open_pair(two, "interleaved", i * 7.25, i * 7.25 + 0.137, 50);
        start(s, 0);
        start(s, 1);
        to_end(s);
        for (uint32_t id = 0; id < 2; id++)
            end[i][id] = job(s, id)->times.end - i * 7.25;
        lp_session_close(s);
    }
    near_to(end[1][0], end[0][0], 1e-9);
    near_to(end[1][1], end[0][1], 1e-9);
}

/* What is sent over time is the bytes of the steps, and whoever is slowed down is so by a full link
 * (work conserving). */
static void bytes_are_kept(void **state) {
    (void)state;
    enum { SAMPLES = 4000 };
    LpSession *s = open_pair(one, "interleaved", 0, 0.05, 1000);
    start(s, 0);
    start(s, 1);
    const LpContext *context = lp_session_context(s);
    LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
    assert_non_null(world);
    double from = 20, to = 45, sent[2] = {0};
    for (int i = 0; i < SAMPLES; i++) {
        assert_true(lp_world_pass(world, context, from + (to - from) * (i + 0.5) / SAMPLES));
        double both = 0;
        for (uint32_t id = 0; id < 2; id++) {
            LpPhaseView seen;
            assert_true(lp_world_phase(world, context, id, &seen));
            sent[id] += seen.rate * (to - from) / SAMPLES;
            both += seen.rate;
            assert_true(seen.rate <= seen.full * (1 + 1e-12));
            assert_true((seen.rate > 0) == (seen.phase > 0));
            bool slowed = seen.rate > 0 && seen.rate < seen.full * (1 - 1e-9);
            assert_true(slowed == (seen.link != LP_NO_INDEX) && slowed == (seen.others == 1));
            assert_true(!slowed || seen.other == 1 - id);
            assert_true((seen.doing == LP_DOING_SENDING) == (seen.rate > 0));
            assert_int_equal(seen.partners, 1);
        }
        assert_true(both <= 1e10 * (1 + 1e-12));
    }
    for (uint32_t id = 0; id < 2; id++) /* 0.25 s a step, as above: 100 steps of 1 GB */
        near_to(sent[id], 100e9, 5e-3);
    lp_world_free(world);
    lp_session_close(s);
}

/* ---- the world has all of it ---- */

static double end_of(LpWorld *world, const LpContext *context, uint64_t *hash) {
    LpEvent event = {.kind = LP_EVENT_NONE};
    while (event.kind != LP_EVENT_HORIZON)
        assert_int_equal(lp_world_advance(world, context, &event, NULL), LP_OK);
    *hash = lp_world_hash(world);
    return lp_world_job(world, 0)->times.end;
}

/* A clone goes the same way to the same bits; places in a step that differ are different worlds;
 * looking changes nothing. */
static void clones_go_on_alike(void **state) {
    (void)state;
    LpSession *s = open_pair(two, "interleaved", 0, 0.137, 300);
    start(s, 0);
    start(s, 1);
    const LpContext *context = lp_session_context(s);
    LpWorld *a = lp_world_clone(lp_session_world(s), NULL), *b = NULL;
    assert_non_null(a);
    uint64_t before = lp_world_hash(a), hash[2];
    LpPhaseView seen;
    assert_true(lp_world_pass(a, context, 3.3));
    assert_true(lp_world_phase(a, context, 0, &seen));
    b = lp_world_clone(a, NULL);
    assert_non_null(b);
    assert_true(end_of(a, context, &hash[0]) == end_of(b, context, &hash[1]));
    assert_true(hash[0] == hash[1]);
    assert_true(lp_session_hash(s) == before);
    to_end(s);
    assert_true(lp_session_hash(s) == hash[0]);
    lp_world_free(a);
    lp_world_free(b);
    lp_session_close(s);
}

/* Half the bandwidth from some moment on: steps until then are kept, those to come take longer. */
static void a_slower_network_slows_the_rest(void **state) {
    (void)state;
    LpSession *s = open_pair(one, "interleaved", 0, 0.1, 100);
    start(s, 0);
    start(s, 1);
    const LpContext *context = lp_session_context(s);
    LpWorld *world = lp_world_clone(lp_session_world(s), NULL);
    assert_non_null(world);
    LpEvent event;
    LpCondition half = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5};
    assert_true(lp_world_pass(world, context, 10.05));
    assert_int_equal(lp_world_change(world, context, &half, &event, NULL), LP_OK);
    assert_int_equal(lp_world_validate(world, context, NULL), LP_OK);
    /* each sends 0.2 s of every 0.4 s when they take turns: one waits for that at first */
    uint64_t hash;
    near_to(end_of(world, context, &hash), 10.05 + 50 * 0.4, 0.02);
    near_to(lp_world_job(world, 0)->sharing.sent, 50 * 0.1 + 50 * 0.2, 0.35);
    lp_world_free(world);
    lp_session_close(s);
}

/* A job that is stopped keeps its whole steps, and the other one is alone from then on. */
static void whole_steps_are_kept(void **state) {
    (void)state;
    LpSession *s = open_pair(one, "interleaved", 0, 0.1, 100);
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    start(s, 0);
    start(s, 1);
    assert_int_equal(job(s, 0)->sharing.partners, 1);
    assert_int_equal(job(s, 1)->sharing.partners, 1);
    LpAction preempt = {.kind = LP_ACTION_PREEMPT, .job = 1};
    assert_int_equal(lp_session_act(s, &preempt, &event, &cause, reason, NULL), LP_OK);
    assert_int_equal(cause, LP_CAUSE_NONE);
    assert_int_equal(job(s, 0)->sharing.partners, 0);
    assert_true(job(s, 1)->work.steps_done == 0);
    near_to(job(s, 0)->times.forecast_end, 20, 1e-9);
    lp_session_close(s);
}

/* ---- random runs ---- */

static void answer_anyhow(LpSession *s, LpRng *rng, LpEvent *event) {
    const LpWorld *w = lp_session_world(s);
    uint32_t free[64], count = 0, n = 2 + (uint32_t)lp_rng_below(rng, 3);
    for (uint32_t i = 0; i < lp_world_servers(w); i++)
        if (lp_world_server_free(w, i))
            free[count++] = i;
    for (uint32_t i = 0; i < n && n <= count; i++) {
        uint32_t at = i + (uint32_t)lp_rng_below(rng, count - i), held = free[i];
        free[i] = free[at];
        free[at] = held;
    }
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = n, .servers = n, .server = free};
    if (n > count)
        answer = (LpAnswer){.kind = LP_ANSWER_DECLINE};
    assert_int_equal(lp_session_answer(s, &answer, event, NULL), LP_OK);
}

static void check_phases(LpSession *s, uint32_t *met) {
    const LpWorld *w = lp_session_world(s);
    const LpContext *c = lp_session_context(s);
    LpDiag diag = {0};
    if (lp_world_validate(w, c, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    for (uint32_t id = lp_world_first_running(w); id != LP_NO_INDEX;
         id = lp_world_next_running(w, id)) {
        LpPhaseView seen;
        if (!lp_world_phase(w, c, id, &seen))
            continue;
        *met += seen.partners > 0;
        assert_true(seen.part >= 0 && seen.part <= 1);
        assert_true(seen.rate <= 0 || seen.rate >= seen.full * (1 - 1e-9) ||
                    seen.link != LP_NO_INDEX || seen.others == 0);
    }
}

static void random_runs(void **state) {
    (void)state;
    static const char work[] =
        "\"generator\": { \"count\": 80, \"load\": 1.2, \"steps\": 20 }, \"seed\": 5";
    for (int profile = 0; profile < 2; profile++) {
        LpSession *s = open_with(profile ? two : one, "interleaved", 6, work);
        LpEvent event = {.kind = LP_EVENT_NONE};
        LpRng rng = lp_rng_stream(1, "answers", 0);
        uint32_t met = 0, longer = 0;
        while (event.kind != LP_EVENT_HORIZON) {
            if (lp_world_due(lp_session_world(s)) != LP_NO_INDEX)
                answer_anyhow(s, &rng, &event);
            else
                assert_int_equal(lp_session_step(s, &event, NULL), LP_OK);
            check_phases(s, &met);
        }
        for (uint32_t i = 0; i < lp_world_jobs(lp_session_world(s)); i++) {
            const LpJob *j = job(s, i);
            if (j->outcome != LP_JOB_COMPLETED)
                continue;
            double alone = lp_store_step(lp_session_context(s)->store, j->placed.step)->step_time *
                           j->asked.steps;
            near_to(j->forecast.jct, j->times.end - j->times.start, 1e-9);
            assert_true(j->forecast.jct >= alone * (1 - 1e-9));
            assert_true(j->forecast.exposed <= j->forecast.communication * (1 + 1e-9));
            longer += j->forecast.jct > alone * 1.01;
        }
        assert_true(met > 20 && longer > 5);
        lp_session_close(s);
    }
}

TEST_GROUP(test_sim_interleave) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_take_turns),
        cmocka_unit_test(periods_are_jumped_over),
        cmocka_unit_test(hidden_sending_delays_nobody),
        cmocka_unit_test(alone_is_as_ever),
        cmocka_unit_test(delays_shift),
        cmocka_unit_test(bytes_are_kept),
        cmocka_unit_test(clones_go_on_alike),
        cmocka_unit_test(a_slower_network_slows_the_rest),
        cmocka_unit_test(whole_steps_are_kept),
        cmocka_unit_test(random_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
