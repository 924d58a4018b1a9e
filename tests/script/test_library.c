/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy library: each rule restated in C and compared at every decision of a run, and every
 * shipped policy over 200 jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "degrees.h"
#include "group.h"
#include "io/scenario/scenario.h"
#include "lab.h"
#include "session/session.h"
#include "sim/forecast.h"
#include "sim/queue/rank.h"

#define SCRIPTS LP_SOURCEDIR "/scripts/"
#define CLUSTER                                                                                    \
    "\"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 4,"                \
    "    \"racks_per_group\": 4, \"servers_per_rack\": 2 } }, "

/* Jobs of two sizes with and without hurry. */
#define RUN(semantics, count, degree)                                                              \
    "{ \"lightpath\": 1, \"name\": \"run\", \"semantics\": \"" semantics                           \
    "\", \"seed\": 7, " CLUSTER "  \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\" },"   \
    "    { \"id\": \"squeezenet\", \"zoo\": \"squeezenet1_0\" } ],"                                \
    "  \"generator\": { \"count\": " count ", \"graphs\": [\"alexnet\", \"squeezenet\"],"          \
    "    \"sampling\": \"remove_and_repeat\", \"load\": 1.2, \"interarrival\": \"exponential\","   \
    "    \"steps\": 50, \"max_jct_fraction\": { \"uniform\": { \"min\": 0.2, \"max\": 1,"          \
    "    \"decimals\": 2 } } },"                                                                   \
    "  \"queue_capacity\": 40, \"partition\": { \"max_degree\": " degree " } }"

/* Rigid and graph jobs on eight servers; what waits is asked again. */
#define GRAPH_JOB(at) "{ \"graph\": \"alexnet\", \"arrival\": " at ", \"steps\": 500 }"
static const char MIXED[] =
    "{ \"lightpath\": 1, \"name\": \"mixed\","
    "  \"cluster\": { \"fabric\": \"ramp\", \"ramp\": { \"communication_groups\": 2,"
    "    \"racks_per_group\": 2, \"servers_per_rack\": 2 } },"
    "  \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\", \"batch\": 32 } ],"
    "  \"jobs\": ["
    "    { \"servers\": 8, \"duration\": \"10 s\", \"arrival\": 0 }," GRAPH_JOB(
        "1") ","
             "    { \"servers\": 2, \"duration\": \"40 s\", \"arrival\": 2 },"
             "    { \"servers\": 4, \"duration\": \"5 s\", \"arrival\": 3 }," GRAPH_JOB(
                 "3.5") ","
                        "    { \"servers\": 1, \"duration\": \"1 s\", \"arrival\": 4 },"
                        "    { \"servers\": 8, \"duration\": \"2 s\", \"arrival\": 5 },"
                        "    { \"servers\": 2, \"duration\": \"90 s\", \"arrival\": 30 },"
                        "    { \"servers\": 8, \"duration\": \"2 s\", \"arrival\": 31 },"
                        "    { \"servers\": 1, \"duration\": \"3 s\", \"arrival\": 32 } ],"
                        "  \"queue_capacity\": 20, \"partition\": { \"max_degree\": 8 } }";

/* ---- playing a run ---- */

/* Looks at one decision: the answer is in the lab, not applied yet. */
typedef void Check(const Lab *lab);

static void load(Lab *lab, const char *file, const LpPolicyParam *param) {
    char path[600];
    snprintf(path, sizeof path, SCRIPTS "%s.lua", file);
    if (lab_load_file(lab, path, param, param != NULL) != LP_OK)
        fail_msg("%s: line %d: %s", path, lab->diag.line, lab->diag.text);
}

/* Asks as long as there is something to decide; returns how many decisions there were. */
static int play(Lab *lab, const char *file, Check *check) {
    int decisions = 0;
    while (lab_advance(lab)) {
        LpEvent event;
        uint32_t job = lp_world_due(lab->world);
        assert_int_equal(lab_ask(lab), LP_OK);
        if (lab->failed)
            fail_msg("%s: job %u: line %d: %s", file, (unsigned)job, lab->diag.line,
                     lab->diag.text);
        if (check != NULL)
            check(lab);
        lab_apply(lab, &event);
        decisions++;
    }
    return decisions;
}

static int follow(const char *scenario, const char *file, Check *check) {
    Lab lab;
    lab_open(&lab, scenario);
    load(&lab, file, NULL);
    int decisions = play(&lab, file, check);
    lab_close(&lab);
    return decisions;
}

/* In a session, so that queues are ordered and events reviewed. */
static LpSession *open_session_with(const char *scenario, const char *name, const char *param) {
    char path[600];
    LpLoadOptions options = {0};
    LpSessionSpec spec = {.policy = path, .params = param != NULL, .param = &param};
    LpScenario *parsed;
    LpSession *session = NULL;
    LpDiag diag;
    snprintf(path, sizeof path, SCRIPTS "%s.lua", name);
    LpErr err = lp_scenario_parse(scenario, strlen(scenario), "run.json", &options, &parsed, &diag);
    if (err == LP_OK)
        err = lp_session_open_with(parsed, &spec, &session, &diag);
    if (err != LP_OK)
        fail_msg("%s: line %d: %s", name, diag.line, diag.text);
    return session;
}

static LpSession *open_session(const char *scenario, const char *name) {
    return open_session_with(scenario, name, NULL);
}

/* Actions may be refused (published semantics know none); nothing else may go wrong. */
static void step(LpSession *session, const char *name, LpEvent *event) {
    LpDiag diag;
    if (lp_session_step(session, event, &diag) != LP_OK)
        fail_msg("%s: %s", name, diag.text);
    const LpDiag *error = lp_session_policy_error(session);
    if (error != NULL && error->code != LP_EREFUSED)
        fail_msg("%s: line %d: %s", name, error->line, error->text);
}

static LpForecast predict(const Lab *lab, uint32_t degree) {
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = degree};
    LpForecast forecast;
    assert_int_equal(lp_world_predict(lab->world, lab->context, lp_world_due(lab->world), &answer,
                                      &forecast, NULL),
                     LP_OK);
    return forecast;
}

/* ---- queues ---- */

static double work(const LpJob *job) {
    return job->graph < 0 ? job->asked.rigid_servers * job->asked.rigid_duration
                          : job->asked.sequential_jct;
}

typedef bool Ahead(const LpJob *other, const LpJob *job);

static bool by_arrival(const LpJob *other, const LpJob *job) {
    return other->id < job->id;
}

static bool by_work(const LpJob *other, const LpJob *job) {
    return work(other) < work(job) || (work(other) == work(job) && other->id < job->id);
}

static bool by_deadline(const LpJob *other, const LpJob *job) {
    double a = lp_job_deadline(other), b = lp_job_deadline(job);
    return a < b || (a == b && other->id < job->id);
}

static bool somebody_ahead(const Lab *lab, Ahead *ahead) {
    for (uint32_t id = lp_world_first_waiting(lab->world); id != LP_NO_INDEX;
         id = lp_world_next_waiting(lab->world, id))
        if (id != lp_world_due(lab->world) && ahead(lp_world_job(lab->world, id), lab_due(lab)))
            return true;
    return false;
}

/* Four ways, or less on an empty cluster. */
static bool room(const Lab *lab) {
    uint32_t degree[64];
    if (lab_due(lab)->graph < 0)
        return predict(lab, 0).feasible;
    uint32_t count =
        allowed_degrees(lab->world, lab->context, lp_world_due(lab->world), 4, degree, 64);
    return count > 0 && (degree[count - 1] == 4 || lp_world_tally(lab->world)->busy_servers == 0);
}

static void check_queue(const Lab *lab, Ahead *ahead) {
    bool starts = (ahead == NULL || !somebody_ahead(lab, ahead)) && room(lab);
    assert_int_equal(lab->answer.kind, starts ? LP_ANSWER_RUN : LP_ANSWER_WAIT);
    assert_non_null(lab->answer.where);
}

static void check_fifo(const Lab *lab) {
    check_queue(lab, by_arrival);
}

static void check_fit(const Lab *lab) {
    check_queue(lab, NULL);
}

static void check_sjf(const Lab *lab) {
    check_queue(lab, by_work);
}

static void check_edf(const Lab *lab) {
    check_queue(lab, by_deadline);
}

static void queues_keep_their_order(void **state) {
    (void)state;
    static const struct {
        const char *file;
        Check *check;
    } CASES[] = {{"strict_fifo", check_fifo},
                 {"fit_first", check_fit},
                 {"sjf", check_sjf},
                 {"edf", check_edf}};
    for (size_t i = 0; i < LP_COUNTOF(CASES); i++) {
        int long_run = follow(RUN("corrected", "120", "8"), CASES[i].file, CASES[i].check);
        int short_run = follow(MIXED, CASES[i].file, CASES[i].check);
        if (long_run <= 125 || short_run <= 10) /* somebody must have waited and come again */
            fail_msg("%s: only %d and %d decisions", CASES[i].file, long_run, short_run);
    }
}

/* Who has moved more often than is noted; notes it. */
static uint32_t mover(const LpWorld *world, uint32_t moves[16]) {
    for (uint32_t id = 0; id < lp_world_jobs(world); id++)
        if (lp_world_job(world, id)->stops.moves > moves[id]) {
            moves[id]++;
            return id;
        }
    return LP_NO_INDEX;
}

/* What starts, is stopped or moves, and when, in a run worked out by hand: jobs on eight servers,
 * four racks of two. */
static void history_with(const char *file, const char *param, const char *jobs, uint32_t blocked,
                         const char *expected) {
    char text[2000], order[400] = "";
    LpEvent event;
    snprintf(
        text, sizeof text,
        "{ \"lightpath\": 1, \"name\": \"hand\", \"cluster\": { \"fabric\": \"ramp\","
        " \"ramp\": { \"communication_groups\": 2, \"racks_per_group\": 2,"
        " \"servers_per_rack\": 2 } }, \"graphs\": [ { \"id\": \"alexnet\", \"zoo\": \"alexnet\","
        " \"batch\": 32 } ], \"jobs\": [ %s ], \"partition\": { \"max_degree\": 8,"
        " \"kind\": \"model\" } }",
        jobs);
    LpSession *session = open_session_with(text, file, param);
    const LpWorld *world = lp_session_world(session);
    uint64_t stops = 0;
    uint32_t moves[16] = {0};
    while (!lp_world_over(world)) {
        step(session, file, &event);
        size_t len = strlen(order);
        const LpTally *tally = lp_world_tally(world);
        if (event.kind == LP_EVENT_START)
            snprintf(order + len, sizeof order - len, "%u@%g ", (unsigned)event.job, event.time);
        uint32_t moved = mover(world, moves);
        len = strlen(order);
        if (moved != LP_NO_INDEX)
            snprintf(order + len, sizeof order - len, "move%u@%g ", (unsigned)moved, event.time);
        else if (tally->preemptions > stops)
            snprintf(order + len, sizeof order - len, "stop@%g ", event.time);
        stops = tally->preemptions;
    }
    uint64_t refused = lp_world_tally(world)->blocked;
    lp_session_close(session);
    if (strcmp(order, expected) != 0 || refused != blocked)
        fail_msg("%s: %sand %u blocked, expected %sand %u", file, order, (unsigned)refused,
                 expected, (unsigned)blocked);
}

static void history(const char *file, const char *jobs, const char *expected) {
    history_with(file, NULL, jobs, 0, expected);
}

#define RIGID(servers, seconds, at)                                                                \
    "{ \"servers\": " servers ", \"duration\": " seconds ", \"arrival\": " at " }"
#define STEPS(steps, at) "{ \"graph\": \"alexnet\", \"steps\": " steps ", \"arrival\": " at " }"
#define DUE(servers, seconds, at, fraction)                                                        \
    "{ \"servers\": " servers ", \"duration\": " seconds ", \"arrival\": " at                      \
    ", \"max_jct_fraction\": " fraction " }"

static void queues_by_hand(void **state) {
    (void)state;
    /* job 0 holds all servers until 10 s; work 40, 18 and 12 server-seconds wait */
    static const char THREE[] = RIGID("8", "10", "0") "," DUE("8", "5", "1", "9") "," DUE(
        "2", "9", "2", "4") "," RIGID("4", "3", "3");
    history("strict_fifo", THREE, "0@0 1@10 2@15 3@15 ");
    history("fit_first", THREE, "0@0 1@10 2@15 3@15 ");
    history("sjf", THREE, "0@0 3@10 2@10 1@19 ");
    history("edf", THREE, "0@0 2@10 1@19 3@24 ");
    /* job 1 needs all servers, at 10 s; job 2 ends just then, job 3 would not */
    static const char GAP[] = RIGID("4", "10", "0") "," RIGID("8", "5", "1") "," RIGID(
        "2", "8", "2") "," RIGID("2", "9", "2.5") "," RIGID("2", "1", "3");
    history("easy_backfill", GAP, "0@0 2@2 4@3 1@10 3@15 ");
    history("easy_classic", GAP, "0@0 2@2 4@3 1@10 3@15 ");
    history("strict_fifo", GAP, "0@0 1@10 2@15 3@15 4@15 ");
    history("fit_first", GAP, "0@0 2@2 3@2.5 4@10 1@11.5 ");
    /* job 1 ends first, and gives job 2 its block at 10 s; job 3 would end at 17 s */
    history("easy_backfill",
            RIGID("4", "20", "0") "," RIGID("2", "10",
                                            "0") "," RIGID("4", "5", "1") "," RIGID("2", "15", "2"),
            "0@0 1@0 2@10 3@15 ");
    /* when job 0 ends job 2, the head, leaves two of its servers: job 3 runs on beside it */
    static const char BESIDE[] = RIGID("4", "10", "0") "," RIGID("2", "20", "0") "," RIGID(
        "4", "5", "1") "," RIGID("2", "100", "2") "," RIGID("2", "9", "3");
    history("easy_classic", BESIDE, "0@0 1@0 3@2 2@10 4@15 ");
    history("easy_backfill", BESIDE, "0@0 1@0 2@10 3@10 4@15 ");
    /* job 2 is the head, not job 3, whose turn is at 20 s; job 4 would end at 18 s */
    history("easy_backfill",
            RIGID("4", "10", "0") "," RIGID("2", "20", "0") "," RIGID("4", "5", "1") "," RIGID(
                "8", "1", "2") "," RIGID("2", "15", "3"),
            "0@0 1@0 2@10 3@20 4@21 ");
    /* the head needs eight servers, at 20 s; not four, at 10 s */
    history("easy_backfill",
            RIGID("4", "10", "0") "," RIGID("2", "20",
                                            "0") "," RIGID("8", "1", "1") "," RIGID("2", "12", "2"),
            "0@0 1@0 3@2 2@20 ");
    /* there is no block of five, ever */
    static const char *const QUEUES[] = {"strict_fifo", "fit_first",  "sjf",         "edf",
                                         "srpt",        "defragment", "las_preempt", "fewest_late"};
    for (size_t i = 0; i < LP_COUNTOF(QUEUES); i++)
        history_with(QUEUES[i], NULL, RIGID("5", "1", "0") "," RIGID("8", "2", "1"), 1, "1@1 ");
}

static void late_jobs_by_hand(void **state) {
    (void)state;
    /* job 1 is due first, at 23 s, and takes 12 s: behind it jobs 3 and 4, due at 32 and 33 s, are
     * late */
    static const char LONG[] = RIGID("8", "10", "0") "," DUE("8", "12", "0.5", "1.875") "," DUE(
        "8", "6", "1", "5") "," DUE("8", "6", "2", "5") "," DUE("8", "6", "3", "5");
    history_with("edf", NULL, LONG, 2, "0@0 1@10 2@22 ");
    history_with("fewest_late", NULL, LONG, 1, "0@0 2@10 3@16 4@22 ");
    /* job 2, due at 10 s, fits now; job 1 needs all servers, which are free at 10 s */
    history("fewest_late",
            RIGID("4", "10", "0") "," RIGID("8", "5", "1") "," DUE("4", "8", "2", "1"),
            "0@0 2@2 1@10 ");
    /* nobody gives way unless asked to; who is stopped goes on */
    static const char SHORT[] = RIGID("8", "10", "0") "," DUE("8", "1", "1", "2");
    history_with("fewest_late", NULL, SHORT, 1, "0@0 ");
    history_with("fewest_late", "preempt=true", SHORT, 0, "0@0 stop@1 1@1 0@2 ");
    /* job 0, due at 10 s, would be late itself, and has less work left than what comes */
    static const char EQUAL[] = DUE("8", "10", "0", "1") "," DUE("8", "12", "1", "1");
    history_with("fewest_late", "preempt=true", EQUAL, 1, "0@0 ");
}

static void preemption_by_hand(void **state) {
    (void)state;
    /* 80 server-seconds; at 1 s 72 are left, and 8 come: they go first, 1 s; the rest from 2 s */
    history("srpt", RIGID("8", "10", "0") "," RIGID("8", "1", "1"), "0@0 stop@1 1@1 0@2 ");
    /* as much (72) or more work stops nobody */
    history("srpt", RIGID("8", "10", "0") "," RIGID("8", "9", "1"), "0@0 1@10 ");
    history("srpt", RIGID("8", "10", "0") "," RIGID("8", "10", "1"), "0@0 1@10 ");
    /* of two that run the one with more left is stopped */
    history("srpt", RIGID("4", "10", "0") "," RIGID("4", "20", "0") "," RIGID("4", "1", "1"),
            "0@0 1@0 stop@1 2@1 1@2 ");
    /* work counts, not time: 36 are left in 9 s, and 40 come that would take 5 s */
    history("srpt", RIGID("4", "10", "0") "," RIGID("8", "5", "1"), "0@0 1@10 ");
    /* of equals the first */
    history("srpt", RIGID("8", "10", "0") "," RIGID("8", "20", "1") "," RIGID("8", "20", "2"),
            "0@0 1@10 2@30 ");
    /* 5000 steps, 50 server-seconds unsplit, 15 s on four: at 12 s 10 are left, less than 16 */
    history("srpt", STEPS("5000", "0") "," RIGID("4", "13", "0") "," RIGID("4", "4", "12"),
            "0@0 1@0 2@13 ");
    history("srpt", STEPS("5000", "0") "," RIGID("4", "4", "0") "," RIGID("4", "2", "3"),
            "0@0 1@0 stop@3 2@3 0@4 ");
    /* four ways or not at all, while others run */
    history("srpt", RIGID("4", "3", "0") "," RIGID("2", "3", "0") "," STEPS("5000", "1"),
            "0@0 1@0 2@3 ");
    /* 8 servers pass 3250 server-seconds at 406.25 s; who comes before that waits until then */
    history("las_preempt", RIGID("8", "1000", "0") "," RIGID("8", "100", "10"),
            "0@0 stop@406.25 1@406.25 0@506.25 ");
    /* both pass 3250, job 1 passes 7200 after 900 s of its own, and job 0 18000 after 2250 s */
    history("las_preempt", RIGID("8", "3000", "0") "," RIGID("8", "3000", "10"),
            "0@0 stop@406.25 1@406.25 stop@1306.25 0@1306.25 stop@3150 1@3150 0@5250 ");
    /* job 0 passes 400 first, at 100 s; job 1 at 200 s */
    history_with("las_preempt", "first=400",
                 RIGID("4", "1000", "0") "," RIGID("2", "2000", "0") "," RIGID("4", "100", "10"), 0,
                 "0@0 1@0 stop@100 2@100 0@200 ");
    /* jobs 0 and 3 lie across both groups, and what is free between them at 10 s is no block */
    static const char GAPS[] = RIGID("2", "30", "0") "," RIGID("2", "10", "0") "," RIGID(
        "2", "10", "0") "," RIGID("2", "30", "0") "," RIGID("4", "5", "1");
    history("fit_first", GAPS, "0@0 1@0 2@0 3@0 4@30 ");
    history("defragment", GAPS, "0@0 1@0 2@0 3@0 move0@10 4@10 ");
    /* job 0 would have to carry its parameters along; job 3 has none */
    history_with("defragment", "degree=2",
                 STEPS("5000", "0") "," RIGID("2", "10", "0") "," RIGID("2", "10", "0") "," RIGID(
                     "2", "30", "0") "," RIGID("4", "5", "1"),
                 0, "0@0 1@0 2@0 3@0 move3@10 4@10 ");
    /* only for the first in the queue, and it needs all servers */
    history("defragment",
            RIGID("2", "10", "0") "," RIGID("8", "10", "0") "," RIGID("1", "30", "0") "," RIGID(
                "2", "40", "6") "," RIGID("4", "20", "14"),
            "0@0 2@0 3@6 4@30 1@50 ");
    /* the first move that is looked at makes no room, a later one does */
    static const char MOVES[] =
        RIGID("1", "40", "0") "," RIGID("2", "20", "0") "," RIGID("2", "10", "0") "," RIGID(
            "1", "10", "0") "," RIGID("1", "20", "11") "," RIGID("4", "30", "11");
    history("defragment", MOVES, "0@0 1@0 2@0 3@0 4@11 move1@11 5@11 ");
    history_with("defragment", "tries=1", MOVES, 0, "0@0 1@0 2@0 3@0 4@11 5@20 ");
    /* nobody moves for who fits already */
    history("defragment", RIGID("8", "30", "0") "," RIGID("2", "5", "0") "," RIGID("2", "40", "15"),
            "0@0 1@30 2@30 ");
}

/* ---- partition ---- */

static void check_greedy(const Lab *lab) {
    uint32_t degree[64], best = 0;
    double most = 0;
    uint32_t count =
        allowed_degrees(lab->world, lab->context, lp_world_due(lab->world), 0, degree, 64);
    for (uint32_t i = 0; i < count; i++) {
        LpForecast f = predict(lab, degree[i]);
        double each = f.feasible ? 1 / f.step_time / f.servers : 0;
        if (f.feasible && f.finish <= lp_job_deadline(lab_due(lab)) && each > most) {
            best = degree[i];
            most = each;
        }
    }
    assert_int_equal(lab->answer.kind == LP_ANSWER_RUN ? lab->answer.degree : 0, best);
}

static void check_fastest(const Lab *lab) {
    uint32_t degree[64];
    uint32_t count =
        allowed_degrees(lab->world, lab->context, lp_world_due(lab->world), 0, degree, 64);
    if (lab->answer.kind != LP_ANSWER_RUN)
        return;
    double chosen = predict(lab, lab->answer.degree).step_time;
    for (uint32_t i = 0; i < count; i++) {
        LpForecast f = predict(lab, degree[i]);
        assert_true(!f.feasible || f.finish > lp_job_deadline(lab_due(lab)) ||
                    f.step_time >= chosen);
    }
}

static void check_least_degree(const Lab *lab) {
    uint32_t degree[64], expected = 0;
    uint32_t count =
        allowed_degrees(lab->world, lab->context, lp_world_due(lab->world), 0, degree, 64);
    for (uint32_t i = 0; i < count && expected == 0; i++) {
        LpForecast f = predict(lab, degree[i]);
        if (f.feasible && f.finish <= lp_job_deadline(lab_due(lab)))
            expected = degree[i];
    }
    assert_int_equal(lab->answer.kind == LP_ANSWER_RUN ? lab->answer.degree : 0, expected);
}

static void throughput_is_weighed(void **state) {
    (void)state;
    const LpPolicyParam fastest = {"per_server", "false", NULL};
    Lab lab;
    (void)follow(RUN("corrected", "60", "16"), "greedy_throughput", check_greedy);
    (void)follow(RUN("published", "60", "16"), "greedy_throughput", check_greedy);
    lab_open(&lab, RUN("corrected", "60", "16"));
    load(&lab, "greedy_throughput", &fastest);
    (void)play(&lab, "greedy_throughput", check_fastest);
    lab_close(&lab);
}

/* ---- placement ---- */

typedef struct Taken {
    const Lab *lab;
    const uint32_t *server; /* to be thought taken, too */
    uint32_t servers;
} Taken;

static bool still_free(const void *context, uint32_t server, uint32_t position) {
    const Taken *taken = context;
    (void)position;
    for (uint32_t i = 0; i < taken->servers; i++)
        if (taken->server[i] == server)
            return false;
    return lp_world_server_free(taken->lab->world, server);
}

static void search(LpBlockSearch *s, const Taken *taken, uint32_t n) {
    bool fallbacks = lp_published(&taken->lab->scenario->options, LP_OPT_RESERVE);
    lp_block_search(s, &taken->lab->context->fabric, n, fallbacks, still_free, taken);
}

/* How bad a block is: the policy takes the first of the least bad. */
typedef int Badness(const Lab *lab, const uint32_t *block, uint32_t n);

static int none(const Lab *lab, const uint32_t *block, uint32_t n) {
    (void)lab, (void)block, (void)n;
    return 0;
}

/* Free servers beside the block, in the racks that it touches (32 servers, racks of 2). */
static int left(const Lab *lab, const uint32_t *block, uint32_t n) {
    int result = 0;
    for (uint32_t s = 0; s < 32; s++) {
        bool mate = false, member = false;
        for (uint32_t i = 0; i < n; i++) {
            mate = mate || block[i] / 2 == s / 2;
            member = member || block[i] == s;
        }
        result += mate && !member && lp_world_server_free(lab->world, s);
    }
    return result;
}

static int right(const Lab *lab, const uint32_t *block, uint32_t n) {
    return -left(lab, block, n);
}

static int places(const uint32_t *block, uint32_t n, uint32_t size) {
    int result = 0;
    for (uint32_t place = 0; place < 32 / size; place++) {
        bool touched = false;
        for (uint32_t i = 0; i < n; i++)
            touched = touched || block[i] / size == place;
        result += touched;
    }
    return result;
}

static int groups(const Lab *lab, const uint32_t *block, uint32_t n) {
    (void)lab;
    return 100 * places(block, n, 8) + places(block, n, 2);
}

static int largest_left(const Lab *lab, const uint32_t *block, uint32_t n) {
    Taken taken = {lab, block, n};
    LpBlockSearch s;
    uint32_t out[32];
    for (uint32_t m = 32; m > 0; m--) {
        search(&s, &taken, m);
        if (lp_block_next(&s, out))
            return -(int)m;
    }
    return 0;
}

/* The first of the least bad blocks of n servers; false: there is none. */
static bool least_bad(const Lab *lab, Badness *badness, int limit, uint32_t n, uint32_t best[32]) {
    uint32_t block[32];
    Taken taken = {.lab = lab};
    LpBlockSearch s;
    int least = 1 << 30;
    search(&s, &taken, n);
    for (int i = 0; i < limit && lp_block_next(&s, block); i++) {
        int bad = badness(lab, block, n);
        if (bad < least) {
            least = bad;
            memcpy(best, block, sizeof block);
        }
    }
    return least < 1 << 30;
}

static void check_block(const Lab *lab, Badness *badness, int limit) {
    uint32_t best[32] = {0}, n = lab->answer.servers;
    if (lab->answer.kind != LP_ANSWER_RUN)
        return;
    assert_int_equal(n, predict(lab, lab->answer.degree).partition_degree);
    (void)least_bad(lab, badness, limit, n, best);
    assert_memory_equal(lab->answer.server, best, n * sizeof *best);
}

static void check_first(const Lab *lab) {
    check_block(lab, none, 256);
}

static void check_best(const Lab *lab) {
    check_block(lab, left, 256);
}

static void check_worst(const Lab *lab) {
    check_block(lab, right, 256);
}

static void check_pack(const Lab *lab) {
    check_block(lab, groups, 256);
}

/* Is a degree in time on the block that leaves most? */
static bool in_time_on_block(const Lab *lab, uint32_t degree) {
    uint32_t best[32], n = predict(lab, degree).partition_degree;
    LpAnswer answer = {.degree = degree, .servers = n, .server = best};
    LpForecast f;
    LpDiag diag;
    if (n == 0 || !least_bad(lab, largest_left, 32, n, best))
        return false;
    assert_int_equal(
        lp_world_predict(lab->world, lab->context, lp_world_due(lab->world), &answer, &f, &diag),
        LP_OK);
    return f.feasible && f.finish <= lp_job_deadline(lab_due(lab));
}

static void check_fragments(const Lab *lab) {
    uint32_t degree[64], expected = 0;
    uint32_t count =
        allowed_degrees(lab->world, lab->context, lp_world_due(lab->world), 0, degree, 64);
    for (uint32_t i = 0; i < count && expected == 0; i++)
        expected = in_time_on_block(lab, degree[i]) ? degree[i] : 0;
    assert_int_equal(lab->answer.kind == LP_ANSWER_RUN ? lab->answer.degree : 0, expected);
    check_block(lab, largest_left, 32);
}

static void check_drawn(const Lab *lab) {
    uint32_t block[32];
    Taken taken = {.lab = lab};
    LpBlockSearch s;
    if (lab->answer.kind != LP_ANSWER_RUN)
        return;
    search(&s, &taken, lab->answer.servers);
    while (lp_block_next(&s, block))
        if (memcmp(block, lab->answer.server, lab->answer.servers * sizeof *block) == 0)
            return;
    fail_msg("the answer is no free block");
}

static void blocks_are_chosen(void **state) {
    (void)state;
    static const struct {
        const char *file;
        Check *check;
    } CASES[] = {{"first_fit", check_first},    {"best_fit", check_best},
                 {"worst_fit", check_worst},    {"pack_groups", check_pack},
                 {"random_place", check_drawn}, {"least_fragmenting", check_fragments}};
    for (size_t i = 0; i < LP_COUNTOF(CASES); i++) {
        (void)follow(RUN("corrected", "80", "4"), CASES[i].file, CASES[i].check);
        (void)follow(RUN("published", "80", "4"), CASES[i].file, CASES[i].check);
    }
}

static uint64_t hash_of(const char *scenario, const char *file) {
    Lab lab;
    lab_open(&lab, scenario);
    load(&lab, file, NULL);
    (void)play(&lab, file, NULL);
    uint64_t hash = lp_world_hash(lab.world);
    lab_close(&lab);
    return hash;
}

/* The rules differ where it counts, and a draw repeats. */
static void placements_differ(void **state) {
    (void)state;
    static const char *const FILES[] = {"first_fit", "worst_fit", "pack_groups", "random_place"};
    uint64_t hash[LP_COUNTOF(FILES)];
    for (size_t i = 0; i < LP_COUNTOF(FILES); i++) {
        hash[i] = hash_of(RUN("corrected", "60", "4"), FILES[i]);
        for (size_t k = 0; k < i; k++)
            if (hash[i] == hash[k])
                fail_msg("%s and %s give the same run", FILES[i], FILES[k]);
    }
    assert_true(hash[3] == hash_of(RUN("corrected", "60", "4"), FILES[3]));
}

/* ---- parts ---- */

static void check_tight(const Lab *lab) {
    check_least_degree(lab);
    check_block(lab, groups, 256);
    if (lab->answer.kind == LP_ANSWER_RUN) {
        assert_int_equal(lab->answer.order_ops, LP_ORDER_CRITICAL_PATH);
        assert_int_equal(lab->answer.order_flows, LP_ORDER_CRITICAL_PATH);
    }
}

static void check_ops_fifo(const Lab *lab) {
    assert_true(lab->answer.kind != LP_ANSWER_RUN || lab->answer.order_ops == LP_ORDER_FIFO);
    assert_int_equal(lab->answer.order_flows, LP_ORDER_SRPT);
}

/* Loads a policy that composes, as if it lay in scripts/. */
static LpErr compose(Lab *lab, const char *spec) {
    LpBuf text = {0};
    lp_buf_addf(&text, "return require('compose')(%s)\n", spec);
    lp_policy_free(lab->policy);
    lab->policy = NULL;
    LpErr err = lp_policy_load_text(SCRIPTS "made.lua", lp_buf_text(&text), text.len, NULL, 0,
                                    lab->scenario, NULL, NULL, &lab->policy, &lab->diag);
    lp_buf_fini(&text);
    return err;
}

static void parts_are_combined(void **state) {
    (void)state;
    Lab lab;
    (void)follow(RUN("corrected", "80", "8"), "tight", check_tight);
    lab_open(&lab, RUN("corrected", "10", "8"));
    assert_int_equal(compose(&lab, "{ name = 'x', doc = 'd', place = require('random_place'),"
                                   " order_ops = function() return 'fifo' end,"
                                   " params = { candidates = { default = 3 } } }"),
                     LP_OK);
    assert_int_equal(lp_policy_params(lab.policy), 1);
    assert_string_equal(lp_policy_param(lab.policy, 0).value, "3");
    (void)play(&lab, "made", check_ops_fifo);
    assert_int_equal(compose(&lab, "{ name = 'x', plaice = require('first_fit') }"), LP_ESCRIPT);
    assert_non_null(strstr(lab.diag.text, "compose: there is no hook 'plaice'"));
    assert_int_equal(compose(&lab, "{ name = 'x', place = require('order_fifo') }"), LP_ESCRIPT);
    assert_non_null(strstr(lab.diag.text, "the policy 'order_fifo' has no hook place"));
    lab_close(&lab);
}

/* Of a policy with keys a part is the order alone, or the order with how it binds. */
static void a_part_is_the_order_of_a_queue(void **state) {
    (void)state;
    Lab lab;
    lab_open(&lab, RUN("corrected", "10", "8"));
    assert_int_equal(compose(&lab, "{ name = 'x', order_queue = require('sjf') }"), LP_OK);
    assert_true(lp_policy_has_hook(lab.policy, "order_queue"));
    assert_int_equal(lp_policy_queue(lab.policy).rule, 0);
    assert_int_equal(compose(&lab, "{ name = 'x', queue_key = require('sjf') }"), LP_OK);
    assert_int_equal(lp_policy_queue(lab.policy).rule, LP_QUEUE_BLOCKS);
    assert_int_equal(compose(&lab, "{ name = 'x', order_queue = require('easy_backfill') }"),
                     LP_OK);
    assert_true(lp_policy_queue(lab.policy).unlisted);
    lab_close(&lab);
}

/* ---- orders ---- */

static void check_order(const Lab *lab, LpOrder order) {
    if (lab->answer.kind != LP_ANSWER_RUN)
        return;
    assert_int_equal(lab->answer.order_ops, order);
    assert_int_equal(lab->answer.order_flows, order);
}

static void check_path(const Lab *lab) {
    check_order(lab, LP_ORDER_CRITICAL_PATH);
}

static void check_graph(const Lab *lab) {
    check_order(lab, LP_ORDER_FIFO);
}

static void check_srpt(const Lab *lab) {
    check_order(lab, LP_ORDER_SRPT);
}

static void orders_are_answered(void **state) {
    (void)state;
    (void)follow(RUN("corrected", "10", "8"), "order_critical_path", check_path);
    (void)follow(RUN("corrected", "10", "8"), "order_fifo", check_graph);
    (void)follow(RUN("corrected", "10", "8"), "order_srpt", check_srpt);
}

/* ---- all of them ---- */

static bool is_policy(const char *file, char name[256]) {
    size_t len = strlen(file);
    if (len < 5 || len > 200 || strcmp(file + len - 4, ".lua") != 0)
        return false;
    snprintf(name, 256, "%.*s", (int)len - 4, file);
    return true;
}

/* At most 120 lines, of which the head says rule and source. */
static void check_text(const char *name, const char *source) {
    int lines = 0;
    for (const char *at = source; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines >= 120)
        fail_msg("%s.lua has %d lines", name, lines);
    const char *code = strstr(source, "\nlocal ");
    const char *rule = strstr(source, "\n-- Rule: "), *from = strstr(source, "\n-- Source: ");
    if (rule == NULL || from == NULL || rule > code || from > code)
        fail_msg("%s.lua does not begin with its rule and source", name);
}

static void run_whole(const char *scenario, const char *name) {
    Lab lab;
    LpEvent event;
    lab_open(&lab, scenario);
    load(&lab, name, NULL);
    check_text(name, lp_policy_source(lab.policy));
    if (lp_policy_doc(lab.policy)[0] == '\0')
        fail_msg("%s.lua has no doc", name);
    lab_close(&lab);
    LpSession *session = open_session(scenario, name);
    while (!lp_world_over(lp_session_world(session)))
        step(session, name, &event);
    const LpTally *tally = lp_world_tally(lp_session_world(session));
    if (tally->blocked_by[LP_CAUSE_POLICY_ERROR] > 0 || tally->blocked_by[LP_CAUSE_REFUSED] > 0)
        fail_msg("%s: %u answers refused", name, (unsigned)tally->blocked_by[LP_CAUSE_REFUSED]);
    lp_session_close(session);
}

static void every_policy_runs(void **state) {
    const char *scenario = *state;
    struct dirent *entry;
    char name[256];
    int found = 0;
    DIR *folder = opendir(SCRIPTS);
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        if (is_policy(entry->d_name, name)) {
            run_whole(scenario, name);
            found++;
        }
    closedir(folder);
    assert_true(found >= 25);
}

TEST_GROUP(test_library) {
    static char corrected[] = RUN("corrected", "200", "8"),
                published[] = RUN("published", "200", "8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_keep_their_order),
        cmocka_unit_test(queues_by_hand),
        cmocka_unit_test(late_jobs_by_hand),
        cmocka_unit_test(preemption_by_hand),
        cmocka_unit_test(throughput_is_weighed),
        cmocka_unit_test(blocks_are_chosen),
        cmocka_unit_test(placements_differ),
        cmocka_unit_test(parts_are_combined),
        cmocka_unit_test(a_part_is_the_order_of_a_queue),
        cmocka_unit_test(orders_are_answered),
        {"every_policy_runs (corrected)", every_policy_runs, NULL, NULL, corrected},
        {"every_policy_runs (published)", every_policy_runs, NULL, NULL, published},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
