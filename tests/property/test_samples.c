/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept changes, replayed, are what looking at every job after every event gives: along a time line
 * with failures, moves, preemption, forks and going back, and as the table of a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/series.h"
#include "base/csv_out.h"
#include "group.h"
#include "session/replay.h"

enum { JOBS = 600, STEPS = 300, MOVES = 8, FORK_STEPS = 60 };

#define OK(call) check((call), &diag, __LINE__)
static void check(LpErr err, const LpDiag *diag, int line) {
    if (err != LP_OK)
        fail_msg("line %d: %s", line, diag->text);
}

/* ---- every job after every event ---- */

typedef struct Curve {
    LpSample *sample;
    size_t samples;
} Curve;

typedef struct All {
    Curve job[JOBS];
    double most;
    size_t samples;
    LpBuf text;
} All;

static void tell(LpBuf *text, const LpSample *s) {
    LpCsvOut csv = {.out = text};
    lp_csv_put_number(&csv, s->time);
    lp_csv_put_count(&csv, s->job);
    lp_csv_put_words(&csv, s->dark ? "dark" : "lit");
    lp_csv_put_number(&csv, s->throughput);
    lp_csv_put_number(&csv, s->compute);
    lp_csv_put_number(&csv, s->resident);
    lp_csv_end(&csv);
}

static LpErr look_at_all(void *user, const LpContext *context, const LpWorld *world,
                         const LpEvent *event, LpDiag *diag) {
    All *all = user;
    (void)diag;
    for (uint32_t id = 0; event != NULL && id < lp_world_jobs(world); id++) {
        assert_true(id < JOBS);
        Curve *c = &all->job[id];
        LpSample now = lp_sample_of(world, context, id);
        LpSample last = c->samples > 0 ? c->sample[c->samples - 1] : (LpSample){0};
        if (lp_sample_same(&now, &last))
            continue;
        c->sample = realloc(c->sample, (c->samples + 1) * sizeof now);
        assert_non_null(c->sample);
        c->sample[c->samples++] = now;
        all->samples++;
        all->most = now.throughput > all->most ? now.throughput : all->most;
        tell(&all->text, &now);
    }
    return LP_OK;
}

static void all_fini(All *all) {
    for (int i = 0; i < JOBS; i++)
        free(all->job[i].sample);
    lp_buf_fini(&all->text);
    *all = (All){0};
}

/* ---- along a time line ---- */

typedef struct Walk {
    LpSession *s;
    uint32_t seed;
    size_t compared;
} Walk;

static uint32_t draw(Walk *w, uint64_t below) {
    w->seed = w->seed * 1664525u + 1013904223u;
    return (uint32_t)((w->seed >> 8) % below);
}

static void compare_job(const Walk *w, uint32_t id, const Curve *all) {
    LpMoment at = lp_session_moment(w->s);
    size_t room = all->samples + 2;
    LpSample *kept = calloc(room, sizeof *kept);
    assert_non_null(kept);
    size_t count = lp_session_samples(w->s, at, id, kept, room);
    if (count != all->samples)
        fail_msg("job %u at step %u: %zu changes are kept of %zu", id, (unsigned)at.step, count,
                 all->samples);
    for (size_t i = 0; i < count; i++) {
        const LpSample *a = &all->sample[count - 1 - i];
        if (kept[i].time != a->time || kept[i].job != id || !lp_sample_same(&kept[i], a))
            fail_msg("job %u at step %u: change %zu is another one", id, (unsigned)at.step,
                     count - 1 - i);
    }
    free(kept);
}

static void compare(Walk *w) {
    static All all;
    LpDiag diag = {0};
    OK(lp_session_again(w->s, look_at_all, &all, &diag));
    for (uint32_t id = 0; id < lp_world_jobs(lp_session_world(w->s)); id++)
        compare_job(w, id, &all.job[id]);
    assert_true(lp_session_most_sent(w->s, lp_session_moment(w->s)) == all.most);
    w->compared += all.samples;
    all_fini(&all);
}

/* A server breaks or links get slower, where that can happen here. */
static void change(Walk *w) {
    LpDiag ignored;
    LpEvent event;
    LpCondition c = {.kind = LP_CONDITION_BANDWIDTH, .value = draw(w, 2) > 0 ? 0.5 : 2};
    if (draw(w, 2) > 0)
        c = (LpCondition){.kind = LP_CONDITION_FAIL_SERVER,
                          .value = draw(w, lp_world_servers(lp_session_world(w->s)))};
    (void)(lp_session_change(w->s, &c, &event, &ignored) == LP_OK);
}

static void play(Walk *w, uint64_t steps) {
    LpDiag diag = {0};
    LpEvent event;
    for (uint64_t i = 0; i < steps && !lp_world_over(lp_session_world(w->s)); i++) {
        if (draw(w, 60) == 0 && lp_session_at_tip(w->s))
            change(w);
        OK(lp_session_step(w->s, &event, &diag));
    }
}

static void move(Walk *w) {
    LpDiag diag = {0};
    uint32_t branch, forks = lp_session_branches(w->s);
    LpMoment at = lp_session_moment(w->s);
    if (draw(w, 3) == 0)
        OK(lp_session_switch(w->s, draw(w, forks), &diag));
    else
        OK(lp_session_seek(w->s, draw(w, lp_session_tip(w->s, at.branch) + 1), &diag));
    if (draw(w, 2) > 0 || lp_world_over(lp_session_world(w->s)))
        return;
    OK(lp_session_fork(w->s, &(LpForkSpec){0}, &branch, &diag));
    change(w);
    play(w, FORK_STEPS);
}

static void walk(const char *scenario, const char *policy, uint32_t seed) {
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = scenario, .policy = policy, .keep_timeline = true};
    Walk w = {.seed = seed};
    OK(lp_session_open(&spec, &w.s, &diag));
    play(&w, STEPS);
    compare(&w);
    for (int i = 0; i < MOVES; i++) {
        move(&w);
        compare(&w);
    }
    assert_true(w.compared > 0);
    lp_session_close(w.s);
}

static void along_time_lines(void **state) {
    static const char *const run[][2] = {{"pac-ml-32", NULL},
                                         {"pac-ml-32", "scripts/defragment.lua"},
                                         {"published-32", NULL},
                                         {"rigid", "scripts/las_preempt.lua"},
                                         {"leaf-spine", NULL},
                                         {"zones", NULL},
                                         {"disaggregated-rack", NULL},
                                         {"optics-vs-packets", NULL},
                                         {"ocs-failures", "scripts/hold_if_near.lua"},
                                         {"pod-failures", NULL},
                                         {"transformers", NULL}};
    (void)state;
    for (uint32_t i = 0; i < LP_COUNTOF(run); i++) {
        char scenario[64];
        snprintf(scenario, sizeof scenario, "scenarios/%s.json", run[i][0]);
        walk(scenario, run[i][1], i + 1);
    }
}

/* Where there is no room for all of them, the latest stay. */
static void the_latest_stay(void **state) {
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .keep_timeline = true,
                          .sets = 1,
                          .set = (const char *const[]){"generator.count=9000"}};
    LpDiag diag = {0};
    LpSession *s;
    LpSample kept[4];
    bool stopped;
    (void)state;
    OK(lp_session_open(&spec, &s, &diag));
    *lp_session_context(s)->max_memory = 300e3;
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    LpMoment end = lp_session_moment(s);
    uint32_t last = lp_world_jobs(lp_session_world(s)) - 1;
    while (lp_world_job(lp_session_world(s), last)->outcome != LP_JOB_COMPLETED)
        last--;
    assert_int_equal(lp_session_samples(s, end, 0, kept, 4), 0);
    assert_int_equal(lp_session_samples(s, end, last, kept, 4), 2);
    assert_true(lp_sample_same(&kept[0], &(LpSample){0}) && kept[1].compute > 0);
    lp_session_close(s);
}

/* ---- as the table of a run ---- */

static LpErr add_to(void *user, const char *bytes, size_t len, LpDiag *diag) {
    lp_buf_add_bytes(user, bytes, len);
    return lp_buf_ok(user, diag);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The lines of a text in order; it is cut up. */
static char **lines_of(char *text, size_t *count) {
    char **line = calloc(strlen(text) + 1, sizeof *line);
    assert_non_null(line);
    *count = 0;
    for (char *at = strtok(text, "\n"); at != NULL; at = strtok(NULL, "\n"))
        line[(*count)++] = at;
    return line;
}

/* Within an event jobs may come in any order. */
static void same_lines(LpBuf *table, LpBuf *all) {
    size_t kept, found;
    char **a = lines_of(table->text, &kept), **b = lines_of(all->text, &found);
    double before = 0;
    assert_string_equal(a[0], "time,job,light,throughput,compute_busy,kernel_resident");
    assert_int_equal(kept - 1, found);
    for (size_t i = 1; i < kept; i++) {
        double time = strtod(a[i], NULL);
        assert_true(time >= before);
        before = time;
    }
    qsort(a + 1, kept - 1, sizeof *a, by_text);
    qsort(b, found, sizeof *b, by_text);
    for (size_t i = 0; i < found; i++)
        assert_string_equal(a[i + 1], b[i]);
    free(a);
    free(b);
}

static void write_table(const char *scenario, const char *policy) {
    static All all;
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = scenario, .policy = policy, .pack_past = true};
    LpSession *s; /* its log is not kept */
    LpSeries *series;
    LpBuf table = {0};
    bool stopped;
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_series_open(s, add_to, &table, &series, &diag));
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    OK(lp_series_end(series, &diag));
    lp_series_close(series);
    lp_session_close(s);
    spec.pack_past = false;
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_session_run(s, NULL, NULL, &stopped, &diag));
    OK(lp_session_again(s, look_at_all, &all, &diag));
    same_lines(&table, &all.text);
    lp_buf_fini(&table);
    all_fini(&all);
    lp_session_close(s);
}

static void tables_of_runs(void **state) {
    (void)state;
    write_table("scenarios/pac-ml-32.json", NULL);
    write_table("scenarios/leaf-spine.json", "scripts/las_preempt.lua");
    write_table("scenarios/ocs-failures.json", NULL);
    write_table("scenarios/zones.json", NULL);
    write_table("scenarios/optics-vs-packets.json", NULL);
}

static void tables_keep_to_the_limit(void **state) {
    LpDiag diag = {0};
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json"};
    LpSession *s;
    LpSeries *series;
    LpBuf table = {0};
    bool stopped;
    (void)state;
    OK(lp_session_open(&spec, &s, &diag));
    OK(lp_series_open(s, add_to, &table, &series, &diag));
    *lp_session_context(s)->max_memory = 64;
    assert_int_equal(lp_session_run(s, NULL, NULL, &stopped, &diag), LP_EMEMLIMIT);
    lp_series_close(series);
    lp_buf_fini(&table);
    lp_session_close(s);
}

TEST_GROUP(test_samples) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_time_lines),
        cmocka_unit_test(the_latest_stay),
        cmocka_unit_test(tables_of_runs),
        cmocka_unit_test(tables_keep_to_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
