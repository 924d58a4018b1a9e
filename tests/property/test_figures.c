/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures mean what they say, on every fabric: the trace of a job's step lasts as long as its step;
 * what its records send over the window is the throughput, and what its curve covers; its pairs of
 * servers are the circuits; and a job that is refused changes no mean over time. */
#include <math.h>

#include "base/rng.h"
#include "group.h"
#include "say/report.h"
#include "session/replay.h"
#include "sim/facts/metrics.h"
#include "sim/facts/samples.h"
#include "tiny.h"

enum { JOBS = 8, SERVERS = 24, DEGREES = 5 };

static const char *const clusters[] = {
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2, \"racks_per_group\": 2, "
    "\"servers_per_rack\": 4, \"node_bandwidth\": 2e9 } }",
    "{ \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 3, \"racks_per_group\": 2, "
    "\"servers_per_rack\": 3, \"node_bandwidth\": 3e9, \"rack_isolated\": false } }",
    "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 12, \"node_bandwidth\": 1e9 } }",
    "{ \"fabric\": \"packet\", \"packet\": { \"topology\": \"leaf_spine\", \"leaves\": 6, "
    "\"spines\": 2, \"servers_per_leaf\": 3, \"server_bandwidth\": 1e9, \"uplink_bandwidth\": 5e8 "
    "} "
    "}",
    "{ \"fabric\": \"packet\", \"packet\": { \"topology\": \"torus\", \"size\": [4, 4], "
    "\"server_bandwidth\": 1e9, \"collective\": \"halving_doubling\" } }",
    "{ \"fabric\": \"packet\", \"packet\": { \"topology\": \"leaf_spine\", \"leaves\": 4, "
    "\"spines\": 1, \"servers_per_leaf\": 4, \"server_bandwidth\": 1e9, \"uplink_bandwidth\": 3e8, "
    "\"collective\": \"tree\", \"ring\": \"given\" } }",
    "{ \"fabric\": \"zones\", \"zones\": { \"zones\": [ { \"name\": \"a\", \"servers\": 7 }, { "
    "\"name\": \"b\", \"servers\": 9 } ], \"between\": { \"delay\": \"1 ms\", \"bandwidth\": \"1 "
    "Gb/s\" } } }",
    "{ \"fabric\": \"ocs\", \"ocs\": { \"servers\": 12, \"aggregators\": 0, \"server_bandwidth\": "
    "1e9, "
    "\"reconfiguration\": \"10 ms\", \"interval\": \"500 ms\" } }",
    "{ \"fabric\": \"ocs\", \"ocs\": { \"servers\": 12, \"aggregators\": 0, \"nics\": 2, "
    "\"server_bandwidth\": 1e9, \"servers_forward\": true, \"interval\": \"2 s\" } }",
    "{ \"fabric\": \"ocs\", \"ocs\": { \"servers\": 8, \"aggregators\": 2, "
    "\"ports_per_aggregator\": 4, \"server_bandwidth\": 1e9, \"uplink_bandwidth\": 5e8, "
    "\"ring\": \"given\", \"circuits\": [ { \"from\": \"server 0..3\", \"to\": \"aggregator 0\" }, "
    "{ \"from\": \"server 4..7\", \"to\": \"aggregator 1\" } ] } }"};

static const uint32_t edges[][2] = {{1, 2}, {1, 3}, {2, 4}, {3, 4}};

static char *random_graph(LpRng *rng) {
    TinyOp op[4];
    for (int i = 0; i < 4; i++)
        op[i] = (TinyOp){1 + lp_rng_unit(rng), 2 + lp_rng_unit(rng), 1e9 * lp_rng_unit(rng),
                         1e9 * lp_rng_unit(rng)};
    return tiny_profile(op, 4, edges, 4);
}

static void decline(LpSession *s) {
    const LpAnswer answer = {.kind = LP_ANSWER_DECLINE};
    assert_int_equal(tiny_decide(s, &answer)->outcome, LP_JOB_BLOCKED);
}

/* early, late: a job that is refused arrives before, after the others. */
static LpSession *run(uint32_t number, bool early, bool late) {
    LpRng rng = lp_rng_stream(number, "figures", 0);
    LpBuf jobs = {0};
    uint32_t degree[JOBS], first = early ? 1 : 0;
    char *graph = random_graph(&rng);
    double at = 1000;
    if (early)
        lp_buf_add(&jobs, "[ { \"servers\": 1, \"duration\": 1, \"arrival\": 10 }");
    for (uint32_t i = 0; i < JOBS; i++) {
        lp_buf_addf(&jobs, "%s { \"graph\": \"g\", \"arrival\": %.17g, \"steps\": %u }",
                    i > 0 || early ? "," : "[", at, 1 + (unsigned)lp_rng_below(&rng, 6));
        at += 4 * lp_rng_unit(&rng);
        degree[i] = 1 + (uint32_t)lp_rng_below(&rng, DEGREES);
    }
    if (late)
        lp_buf_add(&jobs, ", { \"servers\": 1, \"duration\": 1, \"arrival\": 99999 }");
    lp_buf_add(&jobs, " ]");
    const Tiny t = {.cluster = clusters[number % LP_COUNTOF(clusters)],
                    .graph = {graph},
                    .partition = lp_rng_below(&rng, 2) ? "\"min_op_time\": 0.3, \"kind\": \"data\""
                                                       : "\"min_op_time\": 0.3",
                    .jobs = lp_buf_text(&jobs)};
    LpSession *s = tiny_open(&t);
    for (uint32_t id; (id = tiny_next(s)) != LP_NO_INDEX;)
        if (id >= first && id < JOBS + first)
            tiny_decide_degree(s, degree[id - first]);
        else
            decline(s);
    lp_buf_fini(&jobs);
    free(graph);
    return s;
}

static LpSummary summary_of(const LpSession *s) {
    LpSummary sum;
    assert_int_equal(lp_metrics_summary(lp_session_world(s), lp_session_context(s), &sum, NULL),
                     LP_OK);
    return sum;
}

/* ---- the trace ---- */

typedef struct Traced {
    double end, bytes;
    bool pair[SERVERS][SERVERS];
    uint32_t pairs;
} Traced;

static double value_of(const char *line, const char *key) {
    const char *at = strstr(line, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static void add_pair(Traced *t, double from, double to) {
    uint32_t a = (uint32_t)from, b = (uint32_t)to;
    assert_true(a < SERVERS && b < SERVERS && a != b);
    t->pairs += !t->pair[a][b];
    t->pair[a][b] = true;
}

static void read_sends(Traced *t, const char *line) {
    const char *at = strstr(line, "\"sends\":[");
    double sum = 0, triple[3];
    assert_non_null(at);
    for (at += strlen("\"sends\":["); *at == '[' || *at == ',';) {
        at += *at == ',';
        for (int i = 0; i < 3; i++) {
            char *end;
            triple[i] = strtod(at + 1, &end);
            at = end;
        }
        assert_int_equal(*at++, ']');
        add_pair(t, triple[0], triple[1]);
        sum += triple[2];
    }
    tiny_near("a collective's bytes", value_of(line, "\"bytes\":"), sum, 1e-12);
}

static void read_line(Traced *traced, const char *line) {
    Traced *t = &traced[(uint32_t)value_of(line, "\"job\":")];
    bool op = strstr(line, "\"kind\":\"op\"") != NULL;
    bool flow = strstr(line, "\"kind\":\"flow\"") != NULL;
    bool collective = strstr(line, "\"kind\":\"collective\"") != NULL;
    if (!op && !flow && !collective)
        return;
    t->end = fmax(t->end, value_of(line, "\"end\":"));
    t->bytes += op ? 0 : value_of(line, "\"bytes\":");
    if (flow)
        add_pair(t, value_of(line, "\"from\":"), value_of(line, "\"to\":"));
    if (collective)
        read_sends(t, line);
}

static Traced *read_trace(const LpSession *s) {
    Traced *traced = calloc(JOBS + 2, sizeof *traced);
    LpBuf text = {0};
    assert_non_null(traced);
    assert_int_equal(lp_report_whole(s, LP_REPORT_TRACE, &text, NULL), LP_OK);
    for (char *line = strtok(text.text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        read_line(traced, line);
    lp_buf_fini(&text);
    return traced;
}

static void check_trace(uint32_t number, bool *shared, bool *sent) {
    LpSession *s = run(number, false, false);
    LpSummary sum = summary_of(s);
    Traced *traced = read_trace(s);
    double bytes = 0;
    char what[64];
    for (uint32_t i = 0; i < JOBS; i++) {
        const LpJob *job = tiny_job(s, i);
        if (job->outcome != LP_JOB_COMPLETED)
            continue;
        snprintf(what, sizeof what, "case %u: the step of job %u", (unsigned)number, (unsigned)i);
        tiny_near(what, traced[i].end - job->times.start, job->forecast.step_time, 1e-9);
        if (traced[i].pairs != job->placed.circuits)
            fail_msg("case %u: job %u: %u pairs, %u circuits", (unsigned)number, (unsigned)i,
                     (unsigned)traced[i].pairs, (unsigned)job->placed.circuits);
        bytes += traced[i].bytes * job->asked.steps;
        *shared |= job->sharing.paces > 0;
    }
    *sent |= bytes > 0;
    if (sum.from < sum.until)
        tiny_near("sent", bytes / (sum.until - sum.from), sum.flow_throughput, 1e-9);
    free(traced);
    lp_session_close(s);
}

static void traces_are_the_steps(void **state) {
    bool shared = false, sent[LP_COUNTOF(clusters)] = {false};
    (void)state;
    for (uint32_t i = 0; i < 10 * LP_COUNTOF(clusters); i++)
        check_trace(i, &shared, &sent[i % LP_COUNTOF(clusters)]);
    assert_true(shared);
    for (size_t i = 0; i < LP_COUNTOF(clusters); i++)
        if (!sent[i])
            fail_msg("nothing is sent on %s", clusters[i]);
}

/* ---- curves ---- */

typedef struct Curves {
    LpSample last[JOBS];
    double bytes[JOBS];
    bool *dark;
} Curves;

static LpErr cover(void *user, const LpContext *context, const LpWorld *world,
                   const LpEvent *event LP_UNUSED, LpDiag *diag LP_UNUSED) {
    Curves *c = user;
    for (uint32_t i = 0; i < lp_world_jobs(world); i++) {
        LpSample now = lp_sample_of(world, context, i);
        c->bytes[i] += c->last[i].throughput * (now.time - c->last[i].time);
        *c->dark |= now.dark;
        c->last[i] = now;
    }
    return LP_OK;
}

/* What a job's curve covers is what its steps send, however often its pace changes. */
static void check_curves(uint32_t number, bool *dark) {
    LpSession *s = run(number, false, false);
    Curves curves = {.dark = dark};
    assert_int_equal(lp_session_again(s, cover, &curves, NULL), LP_OK);
    for (uint32_t i = 0; i < JOBS; i++) {
        const LpJob *job = tiny_job(s, i);
        char what[64];
        snprintf(what, sizeof what, "case %u: what job %u sends", (unsigned)number, (unsigned)i);
        if (job->outcome == LP_JOB_COMPLETED)
            tiny_near(what, curves.bytes[i], job->forecast.flow_bytes * job->asked.steps, 1e-9);
    }
    lp_session_close(s);
}

static void curves_cover_what_is_sent(void **state) {
    bool dark = false;
    (void)state;
    for (uint32_t i = 0; i < 10 * LP_COUNTOF(clusters); i++)
        check_curves(i, &dark);
    assert_true(dark);
}

/* ---- the window ---- */

static void same_means(const LpSummary *a, const LpSummary *b) {
    assert_true(a->from == b->from && a->until == b->until);
    assert_true(a->server_utilisation == b->server_utilisation);
    assert_true(a->kernel_utilisation == b->kernel_utilisation);
    assert_true(a->compute_throughput == b->compute_throughput);
    assert_true(a->dep_throughput == b->dep_throughput);
    assert_true(a->flow_throughput == b->flow_throughput);
    assert_true(a->demand_throughput == b->demand_throughput);
    assert_true(a->server_utilisation <= 1 && a->kernel_utilisation <= 1);
}

static void refused_jobs_change_no_mean(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 2 * LP_COUNTOF(clusters); i++) {
        LpSession *s[3] = {run(i, false, false), run(i, false, true), run(i, true, true)};
        LpSummary plain = summary_of(s[0]), late = summary_of(s[1]), both = summary_of(s[2]);
        assert_int_equal(plain.arrived + 2, both.arrived);
        assert_true(plain.from >= 1000 && plain.until < 99999);
        same_means(&plain, &late);
        same_means(&plain, &both);
        for (int k = 0; k < 3; k++)
            lp_session_close(s[k]);
    }
}

/* One job on all servers is busy all of the time, whatever else comes and goes. */
static void a_full_cluster_is_full(void **state) {
    static const char *const more[] = {"",
                                       ", { \"servers\": 8, \"duration\": 1, \"arrival\": 500 }",
                                       ", { \"servers\": 8, \"duration\": 1, \"arrival\": 0 }",
                                       ", { \"servers\": 8, \"duration\": 1, \"arrival\": 11 }"};
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(more); i++) {
        char jobs[256];
        snprintf(jobs, sizeof jobs, "[ { \"servers\": 8, \"duration\": 5, \"arrival\": 10 }%s ]",
                 more[i]);
        const Tiny t = {.cluster = "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8 } }",
                        .jobs = jobs};
        LpSession *s = tiny_open(&t);
        for (uint32_t id; (id = tiny_next(s)) != LP_NO_INDEX;)
            if (tiny_job(s, id)->asked.rigid_duration == 5)
                tiny_decide_degree(s, 8);
            else
                decline(s);
        LpSummary sum = summary_of(s);
        assert_true(sum.server_utilisation == 1 && sum.from == 10 && sum.until == 15);
        lp_session_close(s);
    }
}

static void no_work_is_no_number(void **state) {
    (void)state;
    const Tiny t = {.cluster = "{ \"fabric\": \"ideal\", \"ideal\": { \"servers\": 8 } }",
                    .jobs = "[ { \"servers\": 8, \"duration\": 1, \"arrival\": 3 } ]"};
    LpSession *s = tiny_open(&t);
    LpBuf json = {0};
    assert_int_equal(tiny_next(s), 0);
    decline(s);
    tiny_run(s);
    LpSummary sum = summary_of(s);
    assert_true(isnan(sum.server_utilisation) && isnan(sum.flow_throughput));
    assert_int_equal(lp_report_whole(s, LP_REPORT_JSON, &json, NULL), LP_OK);
    assert_non_null(strstr(lp_buf_text(&json), "\"window\":null"));
    lp_buf_fini(&json);
    lp_session_close(s);
}

/* Uncut, dependencies and demand are one thing: what the corrected rules send, there and back. */
static void demand_is_what_an_uncut_job_handles(void **state) {
    LpRng rng = lp_rng_stream(7, "figures", 0);
    char *graph = random_graph(&rng);
    (void)state;
    const Tiny t = {.graph = {graph}};
    LpSession *s = tiny_open(&t);
    tiny_decide_degree(s, 1);
    tiny_run(s);
    LpSummary sum = summary_of(s);
    tiny_near("demand", sum.demand_throughput, sum.compute_throughput + sum.dep_throughput, 1e-12);
    lp_session_close(s);
    free(graph);
}

TEST_GROUP(test_figures) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_the_steps),
        cmocka_unit_test(curves_cover_what_is_sent),
        cmocka_unit_test(refused_jobs_change_no_mean),
        cmocka_unit_test(a_full_cluster_is_full),
        cmocka_unit_test(no_work_is_no_number),
        cmocka_unit_test(demand_is_what_an_uncut_job_handles),
    };
    return cmocka_run_group_tests_name("figures", tests, NULL, NULL);
}
