/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The corrected rules of the cluster clock on cases worked out by hand: memory, deadlines, valid
 * degrees, wavelengths, horizon, rigid jobs, and waiting. */
#include "degrees.h"
#include "group.h"
#include "sim/forecast.h"
#include "tiny.h"

#include <math.h>

#define SERVER "\"server\": { \"device\": \"A100\", \"memory\": \"10 GB\" }"
#define IDEAL(n)                                                                                   \
    "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": " #n ", \"node_bandwidth\": 1e9, "         \
    "\"latency\": 1e-3, \"io_latency\": 5e-4 }, " SERVER " }"
#define RAMP(x, j, l, isolated)                                                                    \
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": " #x                            \
    ", \"racks_per_group\": " #j ", \"servers_per_rack\": " #l ", \"rack_isolated\": " #isolated   \
    " }, " SERVER " }"
#define UNIT_OPS "\"min_op_time\": 1, \"max_degree\": 32"
#define TOLERANCE 1e-12

static const uint32_t CHAIN[1][2] = {{1, 2}};
/* 10 s a step; nothing to send, nothing to keep */
static const TinyOp BARE[2] = {{1, 2, 0, 0}, {3, 4, 0, 0}};

static LpSession *open_with(Tiny t, const TinyOp *op, uint32_t ops, const uint32_t (*edge)[2],
                            uint32_t edges) {
    char *graph = tiny_profile(op, ops, edge, edges);
    t.graph[0] = graph;
    LpSession *s = tiny_open(&t);
    free(graph);
    return s;
}

static LpSession *open_bare(Tiny t) {
    if (t.partition == NULL)
        t.partition = "\"min_op_time\": 0.01";
    return open_with(t, BARE, 2, CHAIN, 1);
}

static void expect_outcome(const LpJob *job, LpOutcome outcome, LpCause cause) {
    if (job->outcome != (uint8_t)outcome || job->cause != (uint8_t)cause)
        fail_msg("job %u is %s (%s), expected %s (%s)", (unsigned)job->id,
                 lp_outcome_name((LpOutcome)job->outcome), lp_cause_sentence((LpCause)job->cause),
                 lp_outcome_name(outcome), lp_cause_sentence(cause));
}

static void expect_degrees(LpSession *s, const uint32_t *want, uint32_t count) {
    uint32_t got[64], job = tiny_next(s);
    uint32_t n =
        allowed_degrees(lp_session_world(s), lp_session_context(s), job, 0, got, LP_COUNTOF(got));
    for (uint32_t i = 0; i < n && i < count; i++)
        assert_int_equal(got[i], want[i]);
    assert_int_equal(n, count);
}

/* ---- memory ---- */

/* A server holds 4 * parameters + activations, once per pair of parts. */
static LpSession *open_heavy(double activation, const char *more) {
    const TinyOp heavy[2] = {{4, 4, activation, 1e9}, {4, 4, 2e9, 1e9}};
    const Tiny t = {.cluster = IDEAL(8), .partition = UNIT_OPS, .more = more};
    return open_with(t, heavy, 2, CHAIN, 1);
}

static LpCause cause_of(LpSession *s, uint32_t degree, LpPartitionKind kind) {
    LpAnswer answer = {.degree = degree, .has_partition_kind = true, .partition_kind = kind};
    return tiny_predict(s, &answer).cause;
}

static void memory_counts_state_and_activations(void **state) {
    (void)state;
    /* 4e9 + 1e9 + 4e9 + 2e9 = 11e9 on one server; halves on two; replicas hold 8e9 + 3e9 / s */
    static const uint32_t from_two[] = {2, 3, 4};
    LpSession *s = open_heavy(1e9, NULL);
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_MEMORY);
    assert_int_equal(cause_of(s, 2, LP_PARTITION_MODEL), LP_CAUSE_NONE);
    assert_int_equal(cause_of(s, 1, LP_PARTITION_DATA), LP_CAUSE_MEMORY);
    assert_int_equal(cause_of(s, 2, LP_PARTITION_DATA), LP_CAUSE_NONE);
    assert_int_equal(cause_of(s, 8, LP_PARTITION_DATA), LP_CAUSE_NONE);
    uint32_t got[64];
    uint32_t n = allowed_degrees(lp_session_world(s), lp_session_context(s), 0, 4, got, 64);
    assert_int_equal(n, 3);
    assert_memory_equal(got, from_two, sizeof from_two);
    expect_outcome(tiny_decide_degree(s, 1), LP_JOB_BLOCKED, LP_CAUSE_MEMORY);
    assert_int_equal(lp_world_free_servers(lp_session_world(s)), 8);
    lp_session_close(s);
    s = open_heavy(0, NULL); /* exactly 10e9 */
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_NONE);
    lp_session_close(s);
    s = open_heavy(1e3, NULL); /* 1 kB more */
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_MEMORY);
    lp_session_close(s);
    s = open_heavy(6e9, "\"memory\": { \"state_factor\": 1 },\n"); /* 1 + 6 + 1 + 2 */
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_NONE);
    lp_session_close(s);
    s = open_heavy(7e9, "\"memory\": { \"state_factor\": 1 },\n");
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_MEMORY);
    lp_session_close(s);
}

/* An unsplit op lies on the first server, which holds more than the others. */
static void memory_is_counted_per_server(void **state) {
    (void)state;
    static const TinyOp ops[2] = {{1, 1, 1e9, 1e9}, {4, 4, 0, 2e9}};
    /* unsplit: 4e9 + 1e9. Split over 2: + 4e9 each: 9e9 on the first. Over 1: + 8e9: too much */
    const Tiny t = {.cluster = IDEAL(8), .partition = UNIT_OPS};
    LpSession *s = open_with(t, ops, 2, CHAIN, 1);
    assert_int_equal(cause_of(s, 1, LP_PARTITION_MODEL), LP_CAUSE_MEMORY);
    assert_int_equal(cause_of(s, 2, LP_PARTITION_MODEL), LP_CAUSE_NONE);
    assert_int_equal(cause_of(s, 4, LP_PARTITION_MODEL), LP_CAUSE_NONE);
    /* replicas: 5e9 + 8e9 wherever the first is */
    assert_int_equal(cause_of(s, 4, LP_PARTITION_DATA), LP_CAUSE_MEMORY);
    lp_session_close(s);
}

/* ---- deadlines ---- */

static LpSession *open_fraction(const char *fraction) {
    char jobs[160];
    snprintf(jobs, sizeof jobs,
             "[ { \"graph\": \"g\", \"arrival\": 5, \"steps\": 3, \"max_jct_fraction\": %s } ]",
             fraction);
    const Tiny t = {.cluster = IDEAL(4), .jobs = jobs};
    return open_bare(t);
}

static void deadlines_have_a_tolerance(void **state) {
    (void)state;
    /* one server takes 30 s, which is the unsplit job's time */
    static const struct {
        const char *fraction;
        bool met;
    } cases[] = {{"1", true},
                 {"0.9999999995", true},
                 {"0.999999998", false},
                 {"1.5", true},
                 {"0.5000000001", false}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *s = open_fraction(cases[i].fraction);
        LpForecast f = tiny_predict_degree(s, 1);
        assert_int_equal(f.cause, cases[i].met ? LP_CAUSE_NONE : LP_CAUSE_DEADLINE);
        const LpJob *job = tiny_decide_degree(s, 1);
        expect_outcome(job, cases[i].met ? LP_JOB_RUNNING : LP_JOB_BLOCKED, f.cause);
        tiny_near("forecast", job->forecast.jct, 30, TOLERANCE);
        tiny_near("unsplit", job->asked.sequential_jct, 30, TOLERANCE);
        lp_session_close(s);
    }
    LpSession *s = open_fraction("0.5"); /* two servers take 15 s */
    expect_outcome(tiny_decide_degree(s, 2), LP_JOB_RUNNING, LP_CAUSE_NONE);
    lp_session_close(s);
}

/* A rigid job holds both servers for 4 s; the other, which arrives at 1 s, takes 10 s on one
 * server. */
static LpSession *open_late(const char *fraction) {
    char jobs[240];
    snprintf(jobs, sizeof jobs,
             "[ { \"servers\": 2, \"duration\": 4, \"arrival\": 0 }, { \"graph\": \"g\", "
             "\"arrival\": 1, \"steps\": 1, \"max_jct_fraction\": %s } ]",
             fraction);
    const Tiny t = {.cluster = IDEAL(2), .jobs = jobs};
    LpSession *s = open_bare(t);
    const LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    expect_outcome(tiny_decide_degree(s, 0), LP_JOB_RUNNING, LP_CAUSE_NONE);
    assert_int_equal(tiny_predict_degree(s, 1).cause, LP_CAUSE_NO_PLACEMENT);
    expect_outcome(tiny_decide(s, &wait), LP_JOB_WAITING, LP_CAUSE_NONE);
    return s;
}

static void waiting_counts(void **state) {
    (void)state;
    LpSession *s = open_late("1.3"); /* 3 s waited, 10 s of work */
    const LpJob *job = tiny_decide_degree(s, 1);
    expect_outcome(job, LP_JOB_RUNNING, LP_CAUSE_NONE);
    tiny_near("start", job->times.start, 4, TOLERANCE);
    tiny_near("wait", job->times.wait, 3, TOLERANCE);
    tiny_run(s);
    job = tiny_job(s, 1);
    expect_outcome(job, LP_JOB_COMPLETED, LP_CAUSE_NONE);
    tiny_near("jct", job->times.end - job->asked.arrival, 13, TOLERANCE);
    lp_session_close(s);
    s = open_late("1.29");
    assert_int_equal(tiny_predict_degree(s, 1).cause, LP_CAUSE_DEADLINE);
    assert_int_equal(tiny_predict_degree(s, 2).cause, LP_CAUSE_NONE); /* 3 + 5 s */
    expect_outcome(tiny_decide_degree(s, 1), LP_JOB_BLOCKED, LP_CAUSE_DEADLINE);
    lp_session_close(s);
    s = open_late("0.2"); /* gone at 1 + 2 s, before there is room */
    tiny_run(s);
    expect_outcome(tiny_job(s, 1), LP_JOB_BLOCKED, LP_CAUSE_DEADLINE);
    tiny_near("given up after", tiny_job(s, 1)->times.wait, 2, TOLERANCE);
    lp_session_close(s);
}

/* ---- degrees and blocks ---- */

static void degrees_are_what_has_a_block(void **state) {
    (void)state;
    /* 3, 5, 6 and 7 are no product of three numbers of at most 2 */
    static const uint32_t ramp222[] = {1, 2, 4, 8};
    /* 12 = 3x2x2: only the published list does not have it */
    static const uint32_t ramp332[] = {1, 2, 3, 4, 6, 8, 9, 12, 18};
    static const uint32_t ideal5[] = {1, 2, 3, 4, 5};
    Tiny t = {.cluster = RAMP(2, 2, 2, true), .partition = UNIT_OPS};
    static const TinyOp one[1] = {{100, 100, 0, 0}};
    LpSession *s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, ramp222, 4);
    lp_session_close(s);
    t.cluster = RAMP(3, 3, 2, true);
    s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, ramp332, 9);
    lp_session_close(s);
    t.options = "\"shapes\": \"published\"";
    static const uint32_t published[] = {1, 2, 3, 4, 6, 8, 9, 18};
    s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, published, 8);
    t.options = NULL;
    lp_session_close(s);
    t.cluster = IDEAL(5);
    s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, ideal5, 5);
    lp_session_close(s);
}

/* Every degree up to max_degree whose cut has a placement: an op of 3 s and min_op_time 1 s is
 * never cut more than 3 ways, and 3 is not rounded to 4. */
static void needs_are_not_rounded(void **state) {
    (void)state;
    static const TinyOp one[1] = {{3, 3, 0, 0}};
    static const uint32_t all[] = {1, 2, 3, 4, 5, 6};
    const Tiny t = {.cluster = IDEAL(8), .partition = "\"min_op_time\": 1, \"max_degree\": 6"};
    LpSession *s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, all, 6);
    assert_int_equal(tiny_predict_degree(s, 6).partition_degree, 3);
    assert_int_equal(tiny_predict_degree(s, 6).servers, 3);
    assert_int_equal(tiny_predict_degree(s, 2).partition_degree, 2);
    LpAnswer seven = {.degree = 7};
    expect_outcome(tiny_decide(s, &seven), LP_JOB_BLOCKED, LP_CAUSE_REFUSED);
    lp_session_close(s);
}

static void degrees_above_the_servers_count(void **state) {
    (void)state;
    static const TinyOp one[1] = {{2, 2, 0, 0}};
    static const uint32_t all[] = {1, 2, 3, 4, 5};
    const Tiny t = {.cluster = IDEAL(2), .partition = "\"min_op_time\": 1, \"max_degree\": 5"};
    LpSession *s = open_with(t, one, 1, NULL, 0);
    expect_degrees(s, all, 5);
    expect_outcome(tiny_decide_degree(s, 5), LP_JOB_RUNNING, LP_CAUSE_NONE);
    lp_session_close(s);
}

#define RIGID(n, at) "{ \"servers\": " #n ", \"duration\": 100, \"arrival\": " #at " }"
#define GRAPH(at) "{ \"graph\": \"g\", \"arrival\": " #at ", \"steps\": 1 }"

/* RAMP 2x2x2: rigid jobs of 1 server take server 0, then 1. What is left of the first rack's pair
 * of groups decides which blocks exist. */
static void blocks_avoid_busy_servers(void **state) {
    (void)state;
    /* server 0 busy: 2x1x1 at the origin (0, 0, 1) = servers 1 and 5; 2x2x1 = 1 3 5 7; no 2x2x2 */
    static const uint32_t degrees[] = {1, 2, 4}, four[] = {1, 3, 5, 7};
    const Tiny t = {.cluster = RAMP(2, 2, 2, true),
                    .jobs = "[ " RIGID(1, 0) ", " GRAPH(1) ", " GRAPH(2) " ]"};
    LpSession *s = open_bare(t);
    tiny_decide_degree(s, 0);
    expect_degrees(s, degrees, 3);
    LpForecast f = tiny_predict_degree(s, 4);
    assert_memory_equal(f.server, four, sizeof four);
    assert_true(f.shape.groups == 2 && f.shape.racks == 2 && f.shape.servers == 1);
    expect_outcome(tiny_decide_degree(s, 4), LP_JOB_RUNNING, LP_CAUSE_NONE);
    /* left are 2 4 6: servers (0,1,0), (1,0,0), (1,1,0): the pair 2 and 6 */
    static const uint32_t pair[] = {2, 6}, degrees_left[] = {1, 2};
    expect_degrees(s, degrees_left, 2);
    f = tiny_predict_degree(s, 2);
    assert_memory_equal(f.server, pair, sizeof pair);
    assert_int_equal(tiny_predict_degree(s, 4).cause, LP_CAUSE_NO_PLACEMENT);
    expect_outcome(tiny_decide_degree(s, 4), LP_JOB_BLOCKED, LP_CAUSE_NO_PLACEMENT);
    lp_session_close(s);
}

/* ---- wavelengths ---- */

/* One op of 4 s, cut in two by channel: its servers exchange 1e6 bytes. The first blocks of RAMP
 * 2x2x2 are 0 4, then 1 5, then 2 6, then 3 7: pairs between the groups, of index 0, 1, 0, 1. In
 * one subnet the third needs the wavelength of the first. */
static LpSession *open_waves(bool isolated) {
    static const TinyOp one[1] = {{4, 4, 1e6, 0}};
    const Tiny t = {
        .cluster = isolated ? RAMP(2, 2, 2, true) : RAMP(2, 2, 2, false),
        .partition = UNIT_OPS,
        .jobs = "[ " GRAPH(0) ", " GRAPH(1) ", " GRAPH(2) ", " GRAPH(3) ", " GRAPH(50) " ]"};
    return open_with(t, one, 1, NULL, 0);
}

static void a_wavelength_has_one_owner(void **state) {
    (void)state;
    static const LpCause causes[] = {LP_CAUSE_NONE, LP_CAUSE_NONE, LP_CAUSE_NO_CIRCUIT,
                                     LP_CAUSE_NO_CIRCUIT};
    LpSession *s = open_waves(false);
    for (int i = 0; i < 4; i++) {
        if (i == 2) {
            assert_int_equal(tiny_predict_degree(s, 2).cause, LP_CAUSE_NO_CIRCUIT);
            assert_int_equal(tiny_predict_degree(s, 1).cause, LP_CAUSE_NONE); /* sends nothing */
        }
        const LpJob *job = tiny_decide_degree(s, 2);
        expect_outcome(job, causes[i] == LP_CAUSE_NONE ? LP_JOB_RUNNING : LP_JOB_BLOCKED,
                       causes[i]);
    }
    expect_outcome(tiny_decide_degree(s, 2), LP_JOB_RUNNING, LP_CAUSE_NONE); /* given back */
    lp_session_close(s);
    s = open_waves(true);
    for (int i = 0; i < 5; i++)
        expect_outcome(tiny_decide_degree(s, 2), LP_JOB_RUNNING, LP_CAUSE_NONE);
    lp_session_close(s);
}

/* ---- the horizon ---- */

static void the_horizon_cuts(void **state) {
    (void)state;
    /* 2 servers; rigid jobs of 2 take 100 s. Job 0 ends at the horizon, which is in time; job 1
     * waits for it; job 2 arrives with the horizon. */
    const Tiny t = {.cluster = IDEAL(2),
                    .more = "\"horizon\": 100,\n",
                    .jobs = "[ " RIGID(2, 0) ", " RIGID(2, 1) ", " RIGID(1, 100) " ]"};
    LpSession *s = open_bare(t);
    const LpAnswer wait = {.kind = LP_ANSWER_WAIT, .has_retry = true, .retry = 1000};
    tiny_decide_degree(s, 0);
    tiny_decide(s, &wait);
    tiny_run(s);
    assert_int_equal(lp_world_jobs(lp_session_world(s)), 2);
    expect_outcome(tiny_job(s, 0), LP_JOB_COMPLETED, LP_CAUSE_NONE);
    expect_outcome(tiny_job(s, 1), LP_JOB_UNFINISHED, LP_CAUSE_NONE);
    const LpTally *tally = lp_world_tally(lp_session_world(s));
    assert_int_equal(tally->arrived, 2);
    assert_int_equal(tally->blocked, 0);
    assert_int_equal(tally->unfinished, 1);
    lp_session_close(s);
}

/* Who waits at the horizon is unfinished, although the completion there would be a reason to ask
 * once more. */
static void nobody_is_asked_at_the_horizon(void **state) {
    (void)state;
    const Tiny t = {.cluster = IDEAL(2),
                    .more = "\"horizon\": 100,\n",
                    .jobs = "[ " RIGID(2, 0) ", " RIGID(2, 1) ", " RIGID(2, 50) " ]"};
    LpSession *s = open_bare(t);
    const LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    tiny_decide_degree(s, 0);
    tiny_decide(s, &wait);
    expect_outcome(tiny_decide(s, &wait), LP_JOB_WAITING, LP_CAUSE_NONE);
    assert_int_equal(tiny_next(s), LP_NO_INDEX);
    expect_outcome(tiny_job(s, 1), LP_JOB_UNFINISHED, LP_CAUSE_NONE);
    expect_outcome(tiny_job(s, 2), LP_JOB_UNFINISHED, LP_CAUSE_NONE);
    lp_session_close(s);
}

static void running_at_the_horizon_is_unfinished(void **state) {
    (void)state;
    const Tiny t = {
        .cluster = IDEAL(2), .more = "\"horizon\": 40,\n", .jobs = "[ " RIGID(2, 0) " ]"};
    LpSession *s = open_bare(t);
    tiny_run(s);
    expect_outcome(tiny_job(s, 0), LP_JOB_UNFINISHED, LP_CAUSE_NONE);
    tiny_near("over at", lp_world_now(lp_session_world(s)), 40, TOLERANCE);
    LpSummary sum;
    assert_int_equal(lp_metrics_summary(lp_session_world(s), lp_session_context(s), &sum, NULL),
                     LP_OK);
    assert_true(sum.unfinished == 1 && sum.blocked == 0 && sum.completed == 0);
    tiny_near("utilisation", sum.server_utilisation, 1, TOLERANCE);
    assert_true(isnan(sum.mean_jct));
    lp_session_close(s);
}

/* ---- rigid jobs ---- */

static void rigid_jobs_hold_a_block(void **state) {
    (void)state;
    const Tiny t = {.cluster = RAMP(2, 2, 2, true),
                    .jobs = "[ " RIGID(4, 0) ", " RIGID(3, 1) ", " RIGID(4, 2) ", " RIGID(
                        1, 3) ", " RIGID(8, 102) " ]"};
    LpSession *s = open_bare(t);
    const LpJob *job = tiny_decide_degree(s, 0);
    expect_outcome(job, LP_JOB_RUNNING, LP_CAUSE_NONE);
    static const bool busy[] = {true, false, true, false, true, false, true, false}; /* 2x2x1 */
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(lp_world_server_free(lp_session_world(s), i), !busy[i]);
    /* 3 servers have no shape; the next 4 are the other indices; then all is taken */
    expect_outcome(tiny_decide_degree(s, 0), LP_JOB_BLOCKED, LP_CAUSE_NO_PLACEMENT);
    expect_outcome(tiny_decide_degree(s, 0), LP_JOB_RUNNING, LP_CAUSE_NONE);
    expect_outcome(tiny_decide_degree(s, 0), LP_JOB_BLOCKED, LP_CAUSE_NO_PLACEMENT);
    expect_outcome(tiny_decide_degree(s, 0), LP_JOB_RUNNING, LP_CAUSE_NONE); /* at 102 s */
    tiny_run(s);
    tiny_near("jct", tiny_job(s, 2)->times.end - 2, 100, TOLERANCE);
    LpSummary sum;
    assert_int_equal(lp_metrics_summary(lp_session_world(s), lp_session_context(s), &sum, NULL),
                     LP_OK);
    /* 4 + 4 + 8 servers of 8 for 100 s each, over 202 s */
    tiny_near("utilisation", sum.server_utilisation, 1600.0 / (8 * 202), TOLERANCE);
    lp_session_close(s);
}

/* ---- waiting, by a policy ---- */

#define PATIENT(how)                                                                               \
    "local policy = { name = 'patient', api = 1 }\n"                                               \
    "function policy:partition(job, cluster)\n"                                                    \
    "  if cluster:fits(2) then return 2 end\n"                                                     \
    "  return 'wait', 'no room'" how "\n"                                                          \
    "end\n"                                                                                        \
    "return policy\n"

/* Three jobs of 5 s on two servers, at 0, 1 and 2 s. */
static LpSession *run_patient(const char *policy, const char *more) {
    const Tiny t = {.cluster = IDEAL(2),
                    .policy = policy,
                    .more = more,
                    .jobs = "[ " GRAPH(0) ", " GRAPH(1) ", " GRAPH(2) " ]"};
    LpSession *s = open_bare(t);
    tiny_run(s);
    return s;
}

static void expect_span(const LpSession *s, uint32_t id, double start, double end) {
    const LpJob *job = tiny_job(s, id);
    expect_outcome(job, LP_JOB_COMPLETED, LP_CAUSE_NONE);
    tiny_near("start", job->times.start, start, TOLERANCE);
    tiny_near("end", job->times.end, end, TOLERANCE);
    tiny_near("wait", job->times.wait, start - job->asked.arrival, TOLERANCE);
}

static void waits_for_completions(void **state) {
    (void)state;
    static const char *const policies[] = {PATIENT(""), PATIENT(", { retry = 'on_complete' }")};
    for (int i = 0; i < 2; i++) {
        LpSession *s = run_patient(policies[i], NULL);
        expect_span(s, 0, 0, 5);
        expect_span(s, 1, 5, 10);
        expect_span(s, 2, 10, 15);
        assert_int_equal(tiny_job(s, 2)->offers, 3); /* at 2, 5 and 10 s */
        lp_session_close(s);
    }
}

/* Job 1 asks at 1, 4, 7, 10 s, job 2 at 2 and 5: it overtakes. */
static void waits_for_a_time(void **state) {
    (void)state;
    LpSession *s = run_patient(PATIENT(", { retry = 3 }"), NULL);
    expect_span(s, 0, 0, 5);
    expect_span(s, 1, 10, 15);
    expect_span(s, 2, 5, 10);
    assert_int_equal(tiny_job(s, 1)->offers, 4);
    assert_int_equal(tiny_job(s, 2)->offers, 2);
    lp_session_close(s);
}

static void the_queue_is_full(void **state) {
    (void)state;
    LpSession *s = run_patient(PATIENT(""), "\"queue_capacity\": 1,\n");
    expect_span(s, 0, 0, 5);
    expect_span(s, 1, 5, 10);
    expect_outcome(tiny_job(s, 2), LP_JOB_BLOCKED, LP_CAUSE_QUEUE_FULL);
    assert_true(isnan(tiny_job(s, 2)->times.start));
    lp_session_close(s);
}

/* A retry so short that the clock cannot show it would be asked again at the same instant for
 * ever. */
static void a_retry_moves_the_clock(void **state) {
    (void)state;
    const Tiny t = {.cluster = IDEAL(2), .jobs = "[ " RIGID(2, 0) ", " RIGID(2, 64) " ]"};
    LpSession *s = open_bare(t);
    const LpAnswer wait = {.kind = LP_ANSWER_WAIT, .has_retry = true, .retry = 1e-20};
    tiny_decide_degree(s, 0);
    expect_outcome(tiny_decide(s, &wait), LP_JOB_BLOCKED, LP_CAUSE_REFUSED);
    lp_session_close(s);
}

/* Jobs that wait for nothing at all are not waited for. */
static void waiting_for_nothing_ends(void **state) {
    (void)state;
    const Tiny t = {.cluster = IDEAL(2), .jobs = "[ " RIGID(2, 0) " ]"};
    LpSession *s = open_bare(t);
    const LpAnswer wait = {.kind = LP_ANSWER_WAIT};
    expect_outcome(tiny_decide(s, &wait), LP_JOB_WAITING, LP_CAUSE_NONE);
    tiny_run(s);
    expect_outcome(tiny_job(s, 0), LP_JOB_UNFINISHED, LP_CAUSE_NONE);
    lp_session_close(s);
}

/* ---- what a policy may not do ---- */

static void placements_are_checked(void **state) {
    (void)state;
    static const uint32_t busy[] = {0, 1}, twice[] = {5, 5}, far[] = {5, 8}, good[] = {7, 3};
    static const uint32_t *const bad[] = {busy, twice, far};
    for (int i = 0; i < 3; i++) {
        const Tiny t = {.cluster = RAMP(2, 2, 2, true),
                        .jobs = "[ " RIGID(1, 0) ", " GRAPH(1) ", " GRAPH(2) " ]"};
        LpSession *s = open_bare(t);
        LpAnswer answer = {.degree = 2, .servers = 2, .server = bad[i]};
        tiny_decide_degree(s, 0);
        expect_outcome(tiny_decide(s, &answer), LP_JOB_BLOCKED, LP_CAUSE_REFUSED);
        assert_string_not_equal(lp_session_why(s, 1).reason, "");
        answer.server = good;
        expect_outcome(tiny_decide(s, &answer), LP_JOB_RUNNING, LP_CAUSE_NONE);
        assert_int_equal(lp_world_free_servers(lp_session_world(s)), 5);
        lp_session_close(s);
    }
}

/* ---- throughput ---- */

/* Op 1 (1 part) sends half of 4e8 bytes to op 2's second part, and back, in each of ten steps. */
static void throughput_counts_every_step(void **state) {
    (void)state;
    static const TinyOp ops[2] = {{1, 2, 4e8, 0}, {2, 3, 0, 0}};
    const Tiny t = {.cluster = IDEAL(8),
                    .partition = UNIT_OPS,
                    .jobs = "[ { \"graph\": \"g\", \"arrival\": 0, \"steps\": 10 } ]"};
    LpSession *s = open_with(t, ops, 2, CHAIN, 1);
    tiny_decide_degree(s, 2);
    tiny_run(s);
    double flow = 2e-3 + 2e8 / 1e9, step = 1 + flow + 1 + 1.5 + flow + 2;
    LpSummary sum;
    assert_int_equal(lp_metrics_summary(lp_session_world(s), lp_session_context(s), &sum, NULL),
                     LP_OK);
    tiny_near("mean jct", sum.mean_jct, 10 * step, TOLERANCE);
    tiny_near("flows", sum.flow_throughput, 4e8 / step, TOLERANCE);
    /* 1 + 2 and two halves of 2 + 3 s in every step */
    tiny_near("utilisation", sum.server_utilisation, 8 / (8 * step), TOLERANCE);
    tiny_near("speedup", sum.mean_jct_speedup, 8 / step, TOLERANCE);
    lp_session_close(s);
}

TEST_GROUP(test_corrected_cluster) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_counts_state_and_activations),
        cmocka_unit_test(memory_is_counted_per_server),
        cmocka_unit_test(deadlines_have_a_tolerance),
        cmocka_unit_test(waiting_counts),
        cmocka_unit_test(degrees_are_what_has_a_block),
        cmocka_unit_test(needs_are_not_rounded),
        cmocka_unit_test(degrees_above_the_servers_count),
        cmocka_unit_test(blocks_avoid_busy_servers),
        cmocka_unit_test(a_wavelength_has_one_owner),
        cmocka_unit_test(the_horizon_cuts),
        cmocka_unit_test(nobody_is_asked_at_the_horizon),
        cmocka_unit_test(running_at_the_horizon_is_unfinished),
        cmocka_unit_test(rigid_jobs_hold_a_block),
        cmocka_unit_test(waits_for_completions),
        cmocka_unit_test(waits_for_a_time),
        cmocka_unit_test(the_queue_is_full),
        cmocka_unit_test(a_retry_moves_the_clock),
        cmocka_unit_test(waiting_for_nothing_ends),
        cmocka_unit_test(placements_are_checked),
        cmocka_unit_test(throughput_counts_every_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
