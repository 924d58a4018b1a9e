/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions that change under a running cluster: a faster or slower network is the network of
 * another scenario, failures stop and refuse what they touch, draws of arrivals stay the same, and
 * worlds of one context under different conditions never mix. */
#include <math.h>
#include <string.h>

#include "../tiny.h"
#include "group.h"

#include "session/moment/moment.h"
#include "session/replay.h"
#include "sim/condition.h"
#include "sim/forecast.h"
#include "sim/light/circuits.h"
#include "sim/sharing/links.h"
#include "sim/world.h"

static LpSession *open_with(const char *scenario, const char *set1, const char *set2) {
    const char *sets[3] = {set1, set2};
    uint32_t count = (set1 != NULL) + (set2 != NULL);
    if (strstr(scenario, "pac-ml") != NULL) /* the kind of cutting in which parts send to others */
        sets[count++] = "partition.kind=model";
    LpSessionSpec spec = {.scenario = scenario,
                          .keep_events = true,
                          .keep_timeline = true,
                          .sets = count,
                          .set = sets};
    LpSession *s = NULL;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

static LpSession *open_ramp(void) {
    return open_with("scenarios/pac-ml-32.json", "generator.count=60", NULL);
}

static const LpWorld *world(const LpSession *s) {
    return lp_session_world(s);
}

static LpEvent change(LpSession *s, LpConditionKind kind, double value, double other) {
    LpCondition c = {.kind = kind, .value = value, .other = other, .steps = 50};
    LpEvent event;
    LpDiag diag = {0};
    if (lp_session_change(s, &c, &event, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(event.kind, LP_EVENT_CONDITION);
    return event;
}

static void decide(LpSession *s, uint64_t decisions) {
    LpEvent event;
    LpDiag diag = {0};
    while (lp_world_tally(world(s))->decisions < decisions || lp_world_due(world(s)) == LP_NO_INDEX)
        if (lp_session_step(s, &event, &diag) != LP_OK)
            fail_msg("%s", diag.text);
}

static LpForecast predict(const LpWorld *w, const LpSession *s, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpForecast f;
    LpDiag diag = {0};
    if (lp_world_predict(w, lp_session_context(s), lp_world_due(w), &answer, &f, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return f;
}

static void same_forecasts(const LpSession *a, const LpSession *b) {
    for (uint32_t degree = 1; degree <= 8; degree++) {
        LpForecast x = predict(world(a), a, degree), y = predict(world(b), b, degree);
        assert_true(x.feasible == y.feasible);
        if (!x.feasible)
            continue;
        assert_true(x.jct == y.jct);
        assert_true(x.exposed == y.exposed);
        assert_true(x.communication == y.communication);
    }
}

/* A scale is the scenario with another number in it, to the last bit. */
static void a_scale_is_another_scenario(void **state) {
    (void)state;
    static const struct {
        const char *scenario;
        LpConditionKind kind;
        double value;
        const char *set1, *set2;
    } cases[] = {
        {"scenarios/pac-ml-32.json", LP_CONDITION_BANDWIDTH, 0.5,
         "cluster.ramp.node_bandwidth=0.8e12", NULL},
        {"scenarios/pac-ml-32.json", LP_CONDITION_LATENCY, 4096,
         "cluster.ramp.propagation_latency=0.0002048", "cluster.ramp.io_latency=0.0004096"},
        {"scenarios/pac-ml-32.json", LP_CONDITION_RECONFIGURATION, 65536,
         "cluster.ramp.slot=0.00131072", NULL},
        {"scenarios/leaf-spine.json", LP_CONDITION_BANDWIDTH, 0.25,
         "cluster.packet.server_bandwidth=3.125e9", "cluster.packet.uplink_bandwidth=1.5625e9"},
        {"scenarios/disaggregated-rack.json", LP_CONDITION_BANDWIDTH, 0.5,
         "cluster.ocs.server_bandwidth=1.9375e9", "cluster.ocs.uplink_bandwidth=0.625e9"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpSession *a = open_with(cases[i].scenario, NULL, NULL);
        LpSession *b = open_with(cases[i].scenario, cases[i].set1, cases[i].set2);
        decide(a, 0);
        decide(b, 0);
        LpForecast before = predict(world(a), a, 4);
        change(a, cases[i].kind, cases[i].value, 0);
        assert_true(predict(world(a), a, 4).jct != before.jct);
        same_forecasts(a, b);
        change(a, cases[i].kind, 1, 0);
        assert_true(predict(world(a), a, 4).jct == before.jct);
        lp_session_close(a);
        lp_session_close(b);
    }
}

/* Two worlds of one context, asked in turn. */
static void worlds_do_not_mix(void **state) {
    (void)state;
    LpSession *s = open_ramp();
    LpEvent event;
    LpDiag diag = {0};
    decide(s, 0);
    LpWorld *slow = lp_world_clone(world(s), NULL), *fast = lp_world_clone(world(s), NULL);
    assert_non_null(slow);
    assert_non_null(fast);
    LpCondition half = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5};
    LpCondition twice = {.kind = LP_CONDITION_BANDWIDTH, .value = 2};
    assert_int_equal(lp_world_change(slow, lp_session_context(s), &half, &event, &diag), LP_OK);
    assert_int_equal(lp_world_change(fast, lp_session_context(s), &twice, &event, &diag), LP_OK);
    assert_true(lp_world_hash(slow) != lp_world_hash(fast));
    for (int round = 0; round < 2; round++)
        for (uint32_t degree = 2; degree <= 8; degree *= 2) {
            double a = predict(slow, s, degree).communication;
            double b = predict(world(s), s, degree).communication;
            double c = predict(fast, s, degree).communication;
            assert_true(a > b && b > c);
        }
    lp_world_free(slow);
    lp_world_free(fast);
    lp_session_close(s);
}

static uint32_t some_running(const LpWorld *w) {
    uint32_t id = lp_world_first_running(w);
    assert_int_not_equal(id, LP_NO_INDEX);
    return id;
}

/* A broken server is left, keeps its job's steps, takes no other, and comes back. */
static void a_broken_server(void **state) {
    (void)state;
    LpSession *s = open_ramp();
    LpEvent event;
    LpDiag diag = {0};
    decide(s, 20);
    uint32_t id = some_running(world(s)), server = lp_world_job(world(s), id)->placed.first_server;
    uint32_t busy = lp_world_tally(world(s))->busy_servers;
    uint32_t free = lp_world_free_servers(world(s)),
             had = lp_world_job(world(s), id)->placed.servers;
    double steps = lp_world_steps_done(world(s), id);
    event = change(s, LP_CONDITION_FAIL_SERVER, server, 0);
    const LpJob *job = lp_world_job(world(s), id);
    assert_int_equal(event.job, id);
    assert_int_equal(job->outcome, LP_JOB_WAITING);
    assert_int_equal(job->stops.count, 1);
    assert_true(job->work.steps_done == steps);
    assert_int_equal(lp_world_tally(world(s))->busy_servers, busy - had);
    assert_int_equal(lp_world_free_servers(world(s)), free + had - 1);
    assert_int_equal(lp_world_tally(world(s))->failed_servers, 1);
    assert_false(lp_world_server_free(world(s), server));
    LpAnswer there = {.kind = LP_ANSWER_RUN, .degree = 1, .servers = 1, .server = &server};
    LpForecast f;
    assert_int_equal(lp_world_predict(world(s), lp_session_context(s), lp_world_due(world(s)),
                                      &there, &f, &diag),
                     LP_OK);
    assert_false(f.feasible);
    assert_non_null(strstr(f.why, "broken"));
    bool started = false;
    while (!lp_world_over(world(s))) {
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
        assert_int_equal(lp_world_server(world(s), server)->job, LP_NO_INDEX);
        started |= event.kind == LP_EVENT_START && event.job == id;
        if (lp_world_tally(world(s))->decisions == 40 && lp_world_due(world(s)) != LP_NO_INDEX)
            break;
    }
    assert_true(started); /* offered again and placed elsewhere */
    change(s, LP_CONDITION_REPAIR_SERVER, server, 0);
    assert_true(lp_world_server_free(world(s), server));
    assert_int_equal(lp_world_tally(world(s))->failed_servers, 0);
    lp_session_close(s);
}

/* Placements that need the broken path are refused, others are not; users are stopped. */
static void a_broken_light_path(void **state) {
    (void)state;
    LpSession *s = open_ramp();
    LpDiag diag = {0};
    decide(s, 0);
    const uint32_t pair[2] = {0, 8}, other[2] = {1, 9};
    LpAnswer needs = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = pair};
    LpAnswer not = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = other};
    LpEvent event;
    LpForecast f;
    change(s, LP_CONDITION_FAIL_CIRCUIT, 8, 0);
    uint32_t due = lp_world_due(world(s));
    const LpContext *context = lp_session_context(s);
    assert_int_equal(lp_world_predict(world(s), context, due, &needs, &f, &diag), LP_OK);
    assert_int_equal(f.cause, LP_CAUSE_NO_CIRCUIT);
    assert_non_null(strstr(f.why, "servers 0 and 8"));
    assert_int_equal(lp_world_predict(world(s), context, due, &not, &f, &diag), LP_OK);
    assert_true(f.feasible);
    change(s, LP_CONDITION_REPAIR_CIRCUIT, 0, 8);
    assert_int_equal(lp_session_answer(s, &needs, &event, &diag), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_START);
    change(s, LP_CONDITION_FAIL_CIRCUIT, 1, 9); /* nobody uses it */
    assert_int_equal(lp_world_job(world(s), due)->outcome, LP_JOB_RUNNING);
    event = change(s, LP_CONDITION_FAIL_CIRCUIT, 0, 8);
    assert_int_equal(event.job, due);
    assert_int_equal(lp_world_job(world(s), due)->outcome, LP_JOB_WAITING);
    assert_int_equal(lp_world_failed_circuits(world(s)), 2);
    char text[100];
    assert_string_equal(lp_world_conditions_text(world(s), text, sizeof text),
                        "2 circuits broken (0-8 ...)");
    lp_session_close(s);
}

/* A cable of a network: its routes are refused, and no other. */
static void a_broken_cable(void **state) {
    (void)state;
    LpSession *s = open_with("scenarios/leaf-spine.json", NULL, NULL);
    LpDiag diag = {0};
    decide(s, 0);
    const LpContext *context = lp_session_context(s);
    uint32_t leaf = context->fabric.servers; /* of servers 0 to 3 */
    const uint32_t inside[2] = {1, 2}, uses[2] = {0, 1};
    LpAnswer a = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = uses};
    LpAnswer b = {.kind = LP_ANSWER_RUN, .degree = 2, .servers = 2, .server = inside};
    LpForecast f;
    change(s, LP_CONDITION_FAIL_CIRCUIT, 0, leaf);
    assert_int_equal(lp_world_predict(world(s), context, lp_world_due(world(s)), &a, &f, &diag),
                     LP_OK);
    assert_int_equal(f.cause, LP_CAUSE_NO_CIRCUIT);
    assert_non_null(strstr(f.why, "cable"));
    assert_int_equal(lp_world_predict(world(s), context, lp_world_due(world(s)), &b, &f, &diag),
                     LP_OK);
    assert_true(f.feasible);
    lp_session_close(s);
}

/* Links that jobs share have their new capacity at once, and never carry more. */
static void shared_links_change_at_once(void **state) {
    (void)state;
    LpSession *s = open_with("scenarios/leaf-spine.json", NULL, NULL);
    decide(s, 12);
    const LpContext *base = lp_session_context(s);
    uint32_t links = base->fabric.network->links;
    double *rate = calloc(links, sizeof *rate), scale = 0.03125;
    assert_non_null(rate);
    change(s, LP_CONDITION_BANDWIDTH, scale, 0);
    lp_world_link_rates(world(s), base, rate);
    double most = 0;
    for (uint32_t l = 0; l < links; l++) {
        double full = base->fabric.network->capacity[l] * scale;
        assert_true(rate[l] <= full * (1 + 1e-12));
        most = fmax(most, rate[l] / full);
    }
    assert_true(most > 0.99); /* somebody is kept back */
    free(rate);
    lp_session_close(s);
}

typedef struct Arrivals {
    double at[60];
    int32_t graph[60];
    double steps[60], limit[60];
    uint32_t count;
} Arrivals;

static Arrivals play(LpSession *s) {
    Arrivals a = {.count = 0};
    bool stopped;
    LpDiag diag = {0};
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_OK);
    for (uint32_t i = 0; i < lp_world_jobs(world(s)) && i < 60; i++) {
        const LpJob *j = lp_world_job(world(s), i);
        a.at[a.count] = j->asked.arrival;
        a.graph[a.count] = j->graph;
        a.steps[a.count] = j->asked.steps;
        a.limit[a.count++] = j->asked.max_jct;
    }
    return a;
}

static uint32_t fork_with(LpSession *s, uint64_t decision, const char *words) {
    LpAt at = {.kind = LP_SEEK_DECISION, .value = (double)decision};
    LpDiag diag = {0};
    uint32_t branch;
    assert_int_equal(lp_session_switch(s, 0, &diag), LP_OK);
    assert_int_equal(lp_session_go(s, &at, &diag), LP_OK);
    if (lp_session_fork_text(s, words, &branch, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return branch;
}

/* Common random numbers: what arrives is the same in every future; a rate divides the gaps. */
static void arrivals_are_common(void **state) {
    (void)state;
    static const char *const words[] = {"bandwidth=0.5",    "latency=100",  "fail_server=3",
                                        "fail_circuit=0-8", "deadline=0.5", "arrival_rate=2"};
    LpSession *s = open_ramp();
    const Arrivals base = play(s);
    assert_int_equal(base.count, 60);
    for (size_t k = 0; k < LP_COUNTOF(words); k++) {
        uint32_t at = 20;
        double rate = strstr(words[k], "arrival_rate") != NULL ? 2 : 1;
        double limit = strstr(words[k], "deadline") != NULL ? 0.5 : 1;
        fork_with(s, at, words[k]);
        Arrivals a = play(s);
        assert_int_equal(a.count, base.count);
        for (uint32_t i = 0; i < a.count; i++) {
            assert_int_equal(a.graph[i], base.graph[i]);
            assert_true(a.steps[i] == base.steps[i]);
            double scaled = base.limit[i] * (i > at ? limit : 1);
            assert_true(fabs(a.limit[i] - scaled) <= 1e-12 * scaled);
            /* the next arrival was drawn already when the rate changed */
            double from = base.at[at + 1];
            double due = i <= at + 1 ? base.at[i] : from + (base.at[i] - from) / rate;
            assert_true(rate == 1 ? a.at[i] == base.at[i] : fabs(a.at[i] - due) <= 1e-9 * due);
        }
    }
    lp_session_close(s);
}

/* Another job, now; those of the workload stay what they are. */
static void an_extra_job(void **state) {
    (void)state;
    LpSession *s = open_ramp();
    const Arrivals base = play(s);
    fork_with(s, 20, "extra_job=alexnet:7:0.5");
    uint32_t extra = lp_world_jobs(world(s)) - 1, due = lp_world_due(world(s));
    assert_int_equal(extra, due + 1);
    assert_true(lp_world_job(world(s), extra)->asked.steps == 7);
    LpEvent event;
    LpDiag diag = {0};
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK); /* the decision that was due */
    assert_int_equal(event.job, due);
    assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    assert_int_equal(event.kind, LP_EVENT_ARRIVAL);
    assert_int_equal(event.job, extra);
    assert_int_equal(lp_world_due(world(s)), extra);
    Arrivals a = play(s);
    assert_int_equal(lp_world_jobs(world(s)), base.count + 1);
    for (uint32_t i = 0; i + 1 < a.count; i++) {
        uint32_t k = i < extra ? i : i + 1;
        if (k < a.count)
            assert_true(a.at[k] == base.at[i] && a.graph[k] == base.graph[i]);
    }
    const LpTally *t = lp_world_tally(world(s));
    assert_int_equal(t->arrived, t->completed + t->blocked + t->unfinished);
    lp_session_close(s);
}

/* The same changes by seeking and in a twin. */
static void twins_and_rewinds_carry_conditions(void **state) {
    (void)state;
    LpSession *s = open_ramp(), *twin;
    LpDiag diag = {0};
    uint32_t branch = fork_with(s, 15, "fail_server=0");
    decide(s, 25);
    change(s, LP_CONDITION_BANDWIDTH, 0.25, 0);
    change(s, LP_CONDITION_FAIL_CIRCUIT, 1, 9);
    decide(s, 30);
    LpMoment tip = lp_session_moment(s);
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(tip.branch, branch);
    LpErr err = lp_session_twin(s, tip, NULL, 0, NULL, false, &twin, &diag);
    if (err != LP_OK)
        fail_msg("%s", diag.text);
    assert_true(lp_session_hash(twin) == hash);
    same_forecasts(s, twin);
    lp_session_close(twin);
    assert_int_equal(lp_session_seek(s, 3, &diag), LP_OK);
    char text[100];
    assert_string_equal(lp_world_conditions_text(world(s), text, sizeof text), "");
    assert_int_equal(lp_session_seek(s, tip.step - 2, &diag), LP_OK);
    assert_int_equal(lp_session_seek(s, tip.step, &diag), LP_OK);
    assert_true(lp_session_hash(s) == hash);
    assert_string_equal(lp_world_conditions_text(world(s), text, sizeof text),
                        "bandwidth x0.25, 1 server broken (0), 1 circuit broken (1-9)");
    lp_session_close(s);
}

/* On circuits running jobs change pace at once, and are what they were when the scale is gone. */
static void circuits_change_at_once(void **state) {
    (void)state;
    LpSession *s = open_with("scenarios/disaggregated-rack.json", NULL, NULL);
    LpEvent event;
    LpDiag diag = {0};
    LpCondition circuit = {.kind = LP_CONDITION_FAIL_CIRCUIT, .other = 1};
    while (lp_world_tally(world(s))->running < 2)
        assert_int_equal(lp_session_step(s, &event, &diag), LP_OK);
    const LpContext *base = lp_session_context(s);
    double before = lp_world_job(world(s), 0)->forecast.step_time;
    double delay = lp_world_reconfiguration_time(world(s), base);
    change(s, LP_CONDITION_BANDWIDTH, 0.5, 0);
    assert_true(lp_world_job(world(s), 0)->forecast.step_time > before);
    change(s, LP_CONDITION_BANDWIDTH, 1, 0);
    assert_true(lp_world_job(world(s), 0)->forecast.step_time == before);
    change(s, LP_CONDITION_RECONFIGURATION, 8, 0);
    assert_true(lp_world_reconfiguration_time(world(s), base) == 8 * delay);
    assert_true(lp_world_job(world(s), 0)->forecast.step_time == before);
    uint64_t hash = lp_session_hash(s);
    assert_int_equal(lp_session_change(s, &circuit, &event, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "ocs"));
    assert_true(lp_session_hash(s) == hash);
    change(s, LP_CONDITION_FAIL_SERVER, 0, 0);
    assert_int_equal(lp_world_job(world(s), 0)->outcome, LP_JOB_WAITING);
    lp_session_close(s);
}

static void refused(LpSession *s, const LpCondition *c, LpErr code, const char *words) {
    LpDiag diag = {0};
    LpEvent event;
    uint64_t before = lp_session_hash(s);
    LpErr err = lp_session_change(s, c, &event, &diag);
    if (err != code || strstr(diag.text, words) == NULL)
        fail_msg("%d: \"%s\", expected \"%s\"", err, diag.text, words);
    assert_true(lp_session_hash(s) == before);
}

static void bad_changes_change_nothing(void **state) {
    (void)state;
    static const struct {
        LpCondition c;
        LpErr code;
        const char *words;
    } bad[] = {
        {{.kind = LP_CONDITION_BANDWIDTH, .value = 0}, LP_ERANGE, "bandwidth: 0"},
        {{.kind = LP_CONDITION_LATENCY, .value = -1}, LP_ERANGE, "latency"},
        {{.kind = LP_CONDITION_DEADLINE, .value = (double)NAN}, LP_ERANGE, "deadline"},
        {{.kind = LP_CONDITION_FAIL_SERVER, .value = 32}, LP_ERANGE, "servers are 0 to 31"},
        {{.kind = LP_CONDITION_FAIL_SERVER, .value = 1.5}, LP_EINVAL, "whole number"},
        {{.kind = LP_CONDITION_REPAIR_SERVER, .value = 1}, LP_EINVAL, "not broken"},
        {{.kind = LP_CONDITION_FAIL_CIRCUIT, .value = 3, .other = 3}, LP_EINVAL, "two different"},
        {{.kind = LP_CONDITION_FAIL_CIRCUIT, .value = 3, .other = 40}, LP_ERANGE, "server 40"},
        {{.kind = LP_CONDITION_REPAIR_CIRCUIT, .value = 3, .other = 4}, LP_EINVAL, "not broken"},
        {{.kind = LP_CONDITION_EXTRA_JOB, .value = 99, .steps = 5}, LP_ERANGE, "no graph 99"},
        {{.kind = LP_CONDITION_EXTRA_JOB, .steps = 0}, LP_EINVAL, "training steps"},
        {{.kind = LP_CONDITION_EXTRA_JOB, .steps = 1, .fraction = -1}, LP_EINVAL, "fraction"},
    };
    LpSession *s = open_ramp();
    decide(s, 3);
    for (size_t i = 0; i < LP_COUNTOF(bad); i++)
        refused(s, &bad[i].c, bad[i].code, bad[i].words);
    change(s, LP_CONDITION_FAIL_SERVER, 31, 0);
    LpCondition again = {.kind = LP_CONDITION_FAIL_SERVER, .value = 31};
    refused(s, &again, LP_EINVAL, "already");
    play(s);
    refused(s, &bad[0].c, LP_ESTATE, "over");
    lp_session_close(s);
    s = open_with("scenarios/published-32.json", NULL, NULL);
    LpCondition slow = {.kind = LP_CONDITION_BANDWIDTH, .value = 0.5};
    refused(s, &slow, LP_ESTATE, "published");
    lp_session_close(s);
    s = open_with("scenarios/leaf-spine.json", NULL, NULL);
    LpCondition none = {.kind = LP_CONDITION_FAIL_CIRCUIT, .value = 0, .other = 1};
    refused(s, &none, LP_EINVAL, "no cable");
    lp_session_close(s);
}

static void words_are_read(void **state) {
    (void)state;
    static const char *const good[] = {"bandwidth=0.5", "fail_circuit=3-7", "repair_server=2",
                                       "extra_job=alexnet:100:0.5", "reconfiguration=10"};
    static const struct {
        const char *text, *words;
    } bad[] = {{"fail_circuit=3", "3-7"},
               {"fail_circuit=3-x", "3-7"},
               {"extra_job=", "graph"},
               {"extra_job=alexnet:x", "STEPS"},
               {"extra_job=alexnt", "did you mean alexnet"},
               {"bandwidth=fast", "number"},
               {"bandwidth=2 latency=2", "second condition"}};
    LpSession *s = open_ramp();
    decide(s, 2);
    LpArena *arena = lp_arena_new(0);
    for (size_t i = 0; i < LP_COUNTOF(good); i++) {
        LpForkText fork;
        char text[LP_CONDITION_TEXT];
        assert_int_equal(lp_fork_parse(good[i], arena, &fork, NULL), LP_OK);
        assert_int_equal(lp_fork_complete(s, &fork, NULL), LP_OK);
        assert_string_equal(lp_condition_words(&fork.condition, lp_session_context(s), text),
                            good[i]);
        assert_true(strlen(lp_condition_text(&fork.condition, lp_session_context(s), text)) > 4);
    }
    for (size_t i = 0; i < LP_COUNTOF(bad); i++) {
        LpDiag diag = {0};
        uint32_t branch;
        assert_int_equal(lp_session_fork_text(s, bad[i].text, &branch, &diag), LP_EINVAL);
        if (strstr(diag.text, bad[i].words) == NULL)
            fail_msg("\"%s\", expected \"%s\"", diag.text, bad[i].words);
    }
    assert_int_equal(lp_session_branches(s), 1);
    lp_arena_free(arena);
    lp_session_close(s);
}

/* lightpath(1) explains every condition. */
static void all_are_documented(void **state) {
    static char text[1 << 17];
    (void)state;
    FILE *f = fopen("docs/lightpath.1", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *section = strstr(text, ".Sh CONDITIONS");
    assert_non_null(section);
    for (int k = 0; k < LP_CONDITION_COUNT; k++) {
        char word[64];
        snprintf(word, sizeof word, " %s=", lp_condition_name((LpConditionKind)k));
        if (strstr(section, word) == NULL)
            fail_msg("%s is not in docs/lightpath.1", word);
    }
}

TEST_GROUP(test_sim_condition) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scale_is_another_scenario),
        cmocka_unit_test(worlds_do_not_mix),
        cmocka_unit_test(a_broken_server),
        cmocka_unit_test(a_broken_light_path),
        cmocka_unit_test(a_broken_cable),
        cmocka_unit_test(shared_links_change_at_once),
        cmocka_unit_test(circuits_change_at_once),
        cmocka_unit_test(arrivals_are_common),
        cmocka_unit_test(an_extra_job),
        cmocka_unit_test(twins_and_rewinds_carry_conditions),
        cmocka_unit_test(bad_changes_change_nothing),
        cmocka_unit_test(words_are_read),
        cmocka_unit_test(all_are_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
