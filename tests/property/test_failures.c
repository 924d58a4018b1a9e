/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures on every fabric, random scenarios: accounts add up to the time that jobs held servers,
 * as a clock beside the run measures it; no job works on what is broken; failures are the same
 * whatever jobs and answers are; a fork without one lacks exactly its two events; and every moment
 * can be visited again, also across failures that a policy answered, without asking it. */
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
#include "group.h"
#include "job_history.h"
#include "session/moment/moment.h"
#include "session/session.h"
#include "sim/account/accounts.h"
#include "sim/outages.h"
#include "sim/world.h"

enum { TEXT = 4096, JOBS = 512, STEPS = 4000, SEEKS = 40 };

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

/* Answers by chance, and counts the calls in its data. */
static const char chance[] =
    "local policy = { name = 'chance', api = 1 }\n"
    "local words = { 'spare', 'requeue', 'hold', 'shrink', 'abort', 'degraded' }\n"
    "function policy:failure(job, what, cluster)\n"
    "  self.mem.n = (self.mem.n or 0) + 1\n"
    "  assert(what.stops ~= nil and what.saved >= 0 and what.lost >= 0 and #what.name > 0)\n"
    "  local i = math.floor(self:rand() * 7) + 1\n"
    "  if job.rigid and i == 4 and what.cubes == nil then i = 3 end\n"
    "  return words[i], 'answer ' .. self.mem.n\n"
    "end\n"
    "return policy\n";

typedef struct Fabric {
    const char *name, *cluster, *kinds[3];
} Fabric;

static const Fabric fabrics[] = {
    {"ideal", "\"ideal\": { \"servers\": 12 }", {"server", "circuit", NULL}},
    {"ramp",
     "\"ramp\": { \"communication_groups\": 3, \"racks_per_group\": 2, "
     "\"servers_per_rack\": 2 }",
     {"server", "circuit", NULL}},
    {"packet",
     "\"packet\": { \"topology\": \"leaf_spine\", \"leaves\": 3, \"spines\": 2, "
     "\"servers_per_leaf\": 4 }",
     {"server", "link", "switch"}},
    {"ocs",
     "\"ocs\": { \"servers\": 12, \"nics\": 2, \"switches\": 2, \"interval\": \"1 s\" }",
     {"server", "link", "switch"}},
    {"zones",
     "\"zones\": { \"inside\": { \"delay\": \"50 us\", \"loss\": 0, \"bandwidth\": \"10 Gb/s\" }, "
     "\"between\": { \"delay\": \"1 ms\", \"loss\": 0, \"bandwidth\": \"1 Gb/s\" }, "
     "\"zones\": [ { \"name\": \"a\", \"servers\": 6 }, { \"name\": \"b\", \"servers\": 6 } ] }",
     {"server", "link", "switch"}},
    {"pod", "\"pod\": { \"cubes\": 6, \"settle\": \"1 s\" }", {"host", "switch", "cable"}},
    {"pod",
     "\"pod\": { \"cubes\": 6, \"settle\": \"1 s\", \"fault_tolerant\": true }",
     {"host", "switch", "cable"}},
};

typedef struct Draw {
    uint32_t seed;
} Draw;

static uint32_t below(Draw *d, uint32_t n) {
    d->seed = d->seed * 1664525u + 1013904223u;
    return (d->seed >> 8) % n;
}

static void add_time(char *out, Draw *d, unsigned typical) {
    char *at = out + strlen(out);
    size_t room = TEXT - strlen(out);
    switch (below(d, 4)) {
    case 0:
        snprintf(at, room, "{ \"exponential\": { \"mean\": %u } }", typical);
        return;
    case 1:
        snprintf(at, room, "{ \"weibull\": { \"scale\": %u, \"shape\": 0.7 } }", typical);
        return;
    case 2:
        snprintf(at, room, "{ \"lognormal\": { \"median\": %u, \"sigma\": 1.2 } }", typical);
        return;
    default:
        snprintf(at, room, "%u", typical);
    }
}

static void add_times(char *out, Draw *d, const char *kind, unsigned fails, unsigned repair) {
    snprintf(out + strlen(out), TEXT - strlen(out), "\"%s\": { \"fails\": ", kind);
    add_time(out, d, fails);
    strcat(out, ", \"repair\": ");
    add_time(out, d, repair);
    strcat(out, " }");
}

static void add_job(char *out, Draw *d, const Fabric *f, unsigned i) {
    static const char *const slices[] = {"4x4x4", "4x4x8", "2x2x4", "4x4x8 twisted"};
    char *at = out + strlen(out);
    bool pod = strcmp(f->name, "pod") == 0;
    bool light = strcmp(f->name, "ideal") == 0 || strcmp(f->name, "ramp") == 0;
    bool graph = !pod && below(d, 2) > 0;
    size_t room = TEXT - strlen(out);
    if (pod)
        snprintf(at, room, "{ \"slice\": \"%s\", \"duration\": %u, \"communication_share\": 0.%u",
                 slices[below(d, 4)], 20 + below(d, 200), 5 + below(d, 5));
    else if (graph)
        snprintf(at, room, "{ \"graph\": \"a\", \"steps\": %u", 100 + below(d, 2000));
    else
        snprintf(at, room, "{ \"servers\": %u, \"duration\": %u", 1 + below(d, 6),
                 20 + below(d, 200));
    snprintf(out + strlen(out), TEXT - strlen(out), ", \"arrival\": %u", i * below(d, 20));
    if ((!graph || light) && below(d, 3) > 0)
        snprintf(out + strlen(out), TEXT - strlen(out),
                 ", \"checkpoint\": { \"interval\": %u, \"cost\": %u, \"restart\": %u }",
                 5 + below(d, 30), below(d, 4), below(d, 6));
    strcat(out, " }");
}

/* Faults beside those of chance, some of them of one component at once. */
static void add_trace(char *out, Draw *d, const char *kind) {
    uint32_t lines = below(d, 5);
    if (lines == 0)
        return;
    strcat(out, ", \"trace\": \"");
    for (uint32_t i = 0; i < lines; i++)
        snprintf(out + strlen(out), TEXT - strlen(out), "%u,%s,%u,%u\\n", 5 + below(d, 400), kind,
                 below(d, 4), 1 + below(d, 60));
    strcat(out, "\"");
}

static void make(char *out, Draw *d, const Fabric *f, const char *on_failure) {
    snprintf(out, TEXT,
             "{ \"lightpath\": 1, \"cluster\": { \"fabric\": \"%s\", %s }, \"seed\": %u, ", f->name,
             f->cluster, below(d, 1000));
    if (strcmp(f->name, "pod") == 0)
        strcat(out, "\"queue\": \"fifo\", ");
    else
        strcat(out, "\"graphs\": [ { \"id\": \"a\", \"zoo\": \"alexnet\" } ], ");
    snprintf(out + strlen(out), TEXT - strlen(out), "\"on_failure\": \"%s\", \"failures\": { ",
             on_failure);
    for (int k = 0; k < 3 && f->kinds[k] != NULL; k++) {
        if (k > 0)
            strcat(out, ", ");
        add_times(out, d, f->kinds[k], 200 + below(d, 800), 5 + below(d, 40));
    }
    add_trace(out, d, f->kinds[0]);
    strcat(out, " }, \"horizon\": 2000, \"queue_capacity\": 100, \"jobs\": [ ");
    unsigned jobs = 5 + below(d, 6);
    for (unsigned i = 0; i < jobs; i++) {
        if (i > 0)
            strcat(out, ", ");
        add_job(out, d, f, i);
    }
    strcat(out, " ] }");
}

/* ---- one run, with a clock beside it ---- */

typedef struct Run {
    LpSession *s;
    double held[JOBS]; /* s that each job was among those that run, by our own clock */
    uint64_t print[STEPS + 1];
    uint64_t steps;
    bool ran[JOBS];
    double last;
    History history;
} Run;

static void measure(Run *r) {
    const LpWorld *w = lp_session_world(r->s);
    double now = lp_world_now(w);
    for (uint32_t j = 0; j < JOBS; j++)
        r->held[j] += r->ran[j] ? now - r->last : 0;
    r->last = now;
    for (uint32_t j = 0; j < lp_world_jobs(w); j++)
        r->ran[j] = lp_world_job(w, j)->outcome == LP_JOB_RUNNING;
}

static void nobody_works_on_what_is_broken(const LpWorld *w) {
    for (uint32_t s = 0; s < lp_world_servers(w); s++) {
        const LpServer *server = lp_world_server(w, s);
        if (server->state == LP_SERVER_FAILED && server->job != LP_NO_INDEX)
            assert_int_equal(lp_world_job(w, server->job)->light.dark, LP_JOB_HELD);
    }
}

static void accounts_add_up(const Run *r, const char *text) {
    const LpWorld *w = lp_session_world(r->s);
    for (uint32_t j = 0; j < lp_world_jobs(w); j++) {
        const LpJob *job = lp_world_job(w, j);
        LpAccounts a = lp_job_accounts(w, lp_session_context(r->s), job);
        double slack = 1e-9 * (1 + r->held[j]);
#define X(field, word)                                                                             \
    if (a.field < -slack)                                                                          \
        fail_msg("job %u: %s %.17g\n%s", j, word, a.field, text);
        LP_ACCOUNTS(X)
#undef X
        if (fabs(a.held - r->held[j]) > slack)
            fail_msg("job %u at %.6g s: accounts say %.17g s, the clock %.17g s\n%s", j,
                     lp_world_now(w), a.held, r->held[j], text);
        if (job->outcome == LP_JOB_ABORTED && fabs(a.useful) > slack)
            fail_msg("job %u was given up with %.17g s of useful work\n%s", j, a.useful, text);
        if (job->outcome == LP_JOB_COMPLETED && job->graph < 0 && job->slice.shape == 0 &&
            fabs(a.useful - job->asked.rigid_duration) > 1e-9 * job->asked.rigid_duration)
            fail_msg("job %u has done %.17g s of %.17g s\n%s", j, a.useful,
                     job->asked.rigid_duration, text);
    }
}

static void open_run(Run *r, const char *text, const char *policy) {
    char path[] = "/tmp/lightpath-failures-XXXXXX";
    LpDiag diag = {0};
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    LpSessionSpec spec = {.scenario = path, .policy = policy, .keep_timeline = true};
    LpErr err = lp_session_open(&spec, &r->s, &diag);
    unlink(path);
    if (err != LP_OK)
        fail_msg("%s\n%s", diag.text, text);
}

static void play(Run *r, const char *text) {
    LpDiag diag = {0};
    LpEvent event;
    r->print[0] = lp_session_hash(r->s);
    while (!lp_world_over(lp_session_world(r->s)) && r->steps < STEPS) {
        OK(lp_session_step(r->s, &event, &diag));
        measure(r);
        r->print[++r->steps] = lp_session_hash(r->s);
        nobody_works_on_what_is_broken(lp_session_world(r->s));
        accounts_add_up(r, text);
        history_look(&r->history, r->s, text);
    }
}

static void visit_again(Run *r, Draw *d, const char *text) {
    LpDiag diag = {0};
    uint64_t calls = lp_session_policy_record(r->s)->calls;
    for (int i = 0; i < SEEKS; i++) {
        uint64_t step = below(d, (uint32_t)r->steps + 1);
        OK(lp_session_seek(r->s, step, &diag));
        if (lp_session_hash(r->s) != r->print[step])
            fail_msg("step %u is not what it was\n%s", (unsigned)step, text);
    }
    assert_int_equal(lp_session_policy_record(r->s)->calls, calls);
}

/* ---- what broke ---- */

typedef struct Fault {
    double time;
    uint32_t kind, index, number, fails;
} Fault;

/* The step after which fault `at` of the list has happened. */
static uint32_t step_of(LpSession *s, uint32_t at) {
    for (size_t i = 0; i < lp_session_events(s); i++)
        if (lp_outages_of(lp_session_context(s), lp_world_seed(lp_session_world(s)),
                          lp_session_event(s, i)->fault) != NULL &&
            at-- == 0)
            return (uint32_t)i + 1;
    fail_msg("there are not so many faults");
    return 0;
}

static uint32_t list_faults(LpSession *s, Fault *out, uint32_t room) {
    uint32_t count = 0;
    for (size_t i = 0; i < lp_session_events(s); i++) {
        const LpEvent *e = lp_session_event(s, i);
        const LpOutageEvent *o =
            lp_outages_of(lp_session_context(s), lp_world_seed(lp_session_world(s)), e->fault);
        if (o == NULL)
            continue;
        assert_true(count < room && o->fails == (e->kind == LP_EVENT_FAILURE));
        out[count++] = (Fault){o->time, o->kind, o->index, o->number, o->fails};
    }
    return count;
}

/* Both, as far as both runs went: the same but for the pair of `without`. */
static void compare_faults(const Fault *a, uint32_t n, const Fault *b, uint32_t m,
                           const Fault *without) {
    uint32_t i = 0, k = 0;
    for (; i < n && k < m; i++) {
        bool left_out = without != NULL && a[i].kind == without->kind &&
                        a[i].index == without->index && a[i].number == without->number;
        if (left_out)
            continue;
        assert_memory_equal(&a[i], &b[k], sizeof a[i]);
        k++;
    }
}

static void fork_without_one(Run *r, Draw *d, const char *text) {
    LpDiag diag = {0};
    static Fault before[2 * STEPS], after[2 * STEPS];
    char words[96];
    uint32_t branch, n, at;
    OK(lp_session_seek(r->s, r->steps, &diag));
    n = list_faults(r->s, before, 2 * STEPS);
    if (n == 0)
        return;
    at = below(d, n);
    while (at > 0 && !before[at].fails)
        at--;
    OK(lp_session_seek(r->s, below(d, step_of(r->s, at)), &diag)); /* any moment before it */
    snprintf(words, sizeof words, "without_failure=%s:%u:%u",
             lp_outage_word((LpOutageKind)before[at].kind), before[at].index, before[at].number);
    OK(lp_session_fork_text(r->s, words, &branch, &diag));
    LpEvent event;
    for (int i = 0; i < STEPS && !lp_world_over(lp_session_world(r->s)); i++)
        OK(lp_session_step(r->s, &event, &diag));
    uint32_t m = list_faults(r->s, after, 2 * STEPS);
    compare_faults(before, n, after, m, &before[at]);
    for (uint32_t k = 0; k < m; k++)
        if (after[k].kind == before[at].kind && after[k].index == before[at].index &&
            after[k].number == before[at].number)
            fail_msg("%s happened all the same\n%s", words, text);
}

/* ---- all of them ---- */

static void one(const Fabric *f, uint32_t seed, const char *on_failure, const char *policy) {
    static Run r, other;
    static Fault a[STEPS], b[STEPS];
    char text[TEXT];
    Draw d = {seed};
    memset(&r, 0, sizeof r);
    memset(&other, 0, sizeof other);
    make(text, &d, f, on_failure);
    open_run(&r, text, policy);
    play(&r, text);
    visit_again(&r, &d, text);
    fork_without_one(&r, &d, text);
    d.seed = seed;
    make(text, &d, f, "abort");
    open_run(&other, text, NULL);
    play(&other, text);
    LpDiag diag = {0};
    OK(lp_session_switch(r.s, 0, &diag));
    OK(lp_session_seek(r.s, r.steps, &diag));
    compare_faults(a, list_faults(r.s, a, STEPS), b, list_faults(other.s, b, STEPS), NULL);
    lp_session_close(r.s);
    lp_session_close(other.s);
    lp_time_book_fini(&r.history.book);
    lp_time_book_fini(&other.history.book);
}

static void failures_on_every_fabric(void **state) {
    static const char *const words[] = {"spare", "requeue", "hold", "abort"};
    (void)state;
    for (size_t f = 0; f < sizeof fabrics / sizeof *fabrics; f++)
        for (uint32_t seed = 1; seed <= 8; seed++)
            if (test_taken(seed + (unsigned)f)) /* so that the fabrics share the answers */
                one(&fabrics[f], seed * 77, words[seed % 4], NULL);
}

static void shrinking_on_pods(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 2 * test_share(4); seed++)
        one(&fabrics[5 + seed % 2], seed * 91, "shrink", NULL);
}

static void answered_by_chance(void **state) {
    char path[] = "/tmp/lightpath-chance-XXXXXX";
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(chance, file);
    fclose(file);
    for (size_t f = 0; f < sizeof fabrics / sizeof *fabrics; f++)
        for (uint32_t seed = 1; seed <= test_share(6); seed++)
            one(&fabrics[f], seed * 31, "requeue", path);
    unlink(path);
}

TEST_GROUP(test_failures) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_on_every_fabric),
        cmocka_unit_test(shrinking_on_pods),
        cmocka_unit_test(answered_by_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
