/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has changed, with thousands of running jobs: the table of a run (`run --series`) beside the
 * run alone, and what a view of the curves reads at a moment beside going through the run again.
 * Processor time; ratios are what to compare. */
#include <stdio.h>
#include <stdlib.h>

#include "ask/inspect/series.h"
#include "bench.h"
#include "session/replay.h"
#include "sim/world.h"

enum { READS = 101, SHOWN = 6, ROOM = 4096, RUNS = 3 };

/* scenarios/pac-ml-32.json on c x r x s servers. */
static LpSession *open_run(int c, int r, int s, int jobs, bool timeline) {
    char groups[64], racks[64], servers[64], count[64];
    const char *const set[] = {groups, racks, servers, count, "horizon=\"1e9 s\""};
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .sets = LP_COUNTOF(set),
                          .set = set,
                          .keep_timeline = timeline,
                          .pack_past = !timeline};
    LpSession *session;
    LpDiag diag = {0};
    snprintf(groups, sizeof groups, "cluster.ramp.communication_groups=%d", c);
    snprintf(racks, sizeof racks, "cluster.ramp.racks_per_group=%d", r);
    snprintf(servers, sizeof servers, "cluster.ramp.servers_per_rack=%d", s);
    snprintf(count, sizeof count, "generator.count=%d", jobs);
    if (lp_session_open(&spec, &session, &diag) != LP_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    return session;
}

/* ---- the table ---- */

static LpErr count_bytes(void *user, const char *bytes, size_t len, LpDiag *diag) {
    (void)bytes;
    (void)diag;
    *(size_t *)user += len;
    return LP_OK;
}

/* s; with the table where `bytes` is not NULL. */
static double run_once(size_t *bytes, uint64_t *running) {
    LpSession *session = open_run(16, 16, 16, 8000, false);
    LpSeries *series = NULL;
    LpEvent event;
    double start = bench_cpu();
    if (bytes != NULL && lp_series_open(session, count_bytes, bytes, &series, NULL) != LP_OK)
        exit(1);
    while (!lp_world_over(lp_session_world(session))) {
        if (lp_session_step(session, &event, NULL) != LP_OK)
            exit(1);
        uint64_t now = lp_world_tally(lp_session_world(session))->running;
        *running = now > *running ? now : *running;
    }
    if (series != NULL && lp_series_end(series, NULL) != LP_OK)
        exit(1);
    double spent = bench_cpu() - start;
    lp_series_close(series);
    lp_session_close(session);
    return spent;
}

static void table(void) {
    double alone[RUNS], with[RUNS];
    size_t bytes = 0;
    uint64_t running = 0;
    for (int i = 0; i < RUNS; i++) {
        alone[i] = run_once(NULL, &running);
        bytes = 0;
        with[i] = run_once(&bytes, &running);
    }
    double run = bench_median(alone, RUNS);
    printf(
        "4 096 servers, 8 000 jobs, up to %llu running: run %.3f s; with --series %.2f times, %zu "
        "bytes\n",
        (unsigned long long)running, run, bench_median(with, RUNS) / run, bytes);
}

/* ---- the view ---- */

static LpErr look_at_all(void *user, const LpContext *context, const LpWorld *world,
                         const LpEvent *event, LpDiag *diag) {
    size_t *samples = user;
    (void)event;
    (void)diag;
    for (uint32_t id = lp_world_first_running(world); id != LP_NO_INDEX;
         id = lp_world_next_running(world, id))
        *samples += lp_sample_of(world, context, id).compute > 0;
    return LP_OK;
}

/* What the view reads: the curves of the last jobs to run. */
static double read_curves(const LpSession *session) {
    static LpSample sample[ROOM];
    double start = bench_cpu();
    uint32_t shown = 0;
    for (uint32_t id = lp_world_jobs(lp_session_world(session)); id-- > 0 && shown < SHOWN;)
        shown += lp_session_samples(session, lp_session_moment(session), id, sample, ROOM) > 0;
    return bench_cpu() - start;
}

static void view(void) {
    LpSession *session = open_run(32, 32, 64, 10000, true);
    LpEvent event;
    double spent[READS];
    size_t samples = 0;
    while (lp_world_tally(lp_session_world(session))->decisions < 5000)
        if (lp_session_step(session, &event, NULL) != LP_OK)
            exit(1);
    for (int i = 0; i < READS; i++)
        spent[i] = read_curves(session);
    double read = bench_median(spent, READS), start = bench_cpu();
    if (lp_session_again(session, look_at_all, &samples, NULL) != LP_OK)
        exit(1);
    double again = bench_cpu() - start;
    printf(
        "65 536 servers, decision 5 000 of 10 000, %llu running: curves read in %.1f us, 1/%.0f of "
        "going through the run again (%zu samples of all jobs after all events)\n",
        (unsigned long long)lp_world_tally(lp_session_world(session))->running, 1e6 * read,
        again / read, samples);
    printf("peak resident memory: %.1f MiB\n", bench_peak_mib());
    lp_session_close(session);
}

int main(void) {
    table();
    view();
    return 0;
}
