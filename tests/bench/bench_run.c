/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole runs: decisions per second over 10 000 jobs, the cost of a cached decision, of a world
 * clone and hash, of a very large topology, and peak memory. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

enum { JOBS = 10000, CLONES = 201 };

static const char work[] =
    "\"generator\": { \"count\": 10000, \"graphs\": [\"alexnet\", \"gnmt\", \"resnet18\", "
    "\"squeezenet1_0\", \"vgg16\"], \"sampling\": \"remove_and_repeat\", \"interarrival\": { "
    "\"fixed\": 1000 }, \"steps\": 50, \"max_jct_fraction\": { \"uniform\": { \"min\": 0.1, "
    "\"max\": 1, \"decimals\": 2 } } }, \"horizon\": \"1e9 s\"";

static void whole_run(const char *label, bool published, int c, int r, int s, const char *policy) {
    LpSession *session = bench_open(published, c, r, s, 16, work, policy);
    bool stopped;
    if (session == NULL)
        exit(1);
    double start = bench_now();
    if (lp_session_run(session, NULL, NULL, &stopped, NULL) != LP_OK)
        exit(1);
    double spent = bench_now() - start;
    const LpTally *tally = lp_world_tally(lp_session_world(session));
    LpStoreStats stats = lp_store_stats(lp_session_context(session)->store);
    printf("%-10s %3d servers  %-20s %9.0f decisions/s  %6.2f us each  blocked %.3f  steps "
           "simulated %llu  world %zu KiB\n",
           label, c * r * s, policy != NULL ? policy : "engine default",
           (double)tally->decisions / spent, 1e6 * spent / (double)tally->decisions,
           (double)tally->blocked / (double)tally->arrived, (unsigned long long)stats.step_misses,
           lp_world_bytes(lp_session_world(session)) / 1024);
    lp_session_close(session);
}

static void clones(void) {
    LpSession *session = bench_open(true, 4, 4, 2, 16, work, NULL);
    LpEvent event;
    double spent[CLONES];
    LpWorld *copy = NULL;
    while (lp_world_jobs(lp_session_world(session)) < 1000)
        if (lp_session_step(session, &event, NULL) != LP_OK)
            exit(1);
    const LpWorld *world = lp_session_world(session);
    for (int i = 0; i < CLONES; i++) {
        double start = bench_now();
        copy = lp_world_clone(world, copy);
        spent[i] = bench_now() - start;
    }
    double clone = bench_median(spent, CLONES);
    uint64_t hash = 0;
    for (int i = 0; i < CLONES; i++) {
        double start = bench_now();
        hash ^= lp_world_hash(world);
        spent[i] = bench_now() - start;
    }
    printf("clone of a 1000-job world (%zu KiB, recycled block): %.1f us; hash %.1f us (%s)\n",
           lp_world_bytes(world) / 1024, 1e6 * clone, 1e6 * bench_median(spent, CLONES),
           hash == 0 || lp_world_hash(copy) == lp_world_hash(world) ? "equal" : "DIFFERENT");
    lp_world_free(copy);
    lp_session_close(session);
}

static void large_topology(void) {
    double start = bench_now();
    LpSession *session = bench_open(false, 32, 32, 64, 16,
                                    "\"jobs\": [ { \"graph\": \"vgg16\", \"arrival\": 0, "
                                    "\"steps\": 50 } ]",
                                    NULL);
    bool stopped;
    if (session == NULL)
        exit(1);
    double opened = bench_now() - start;
    if (lp_session_run(session, NULL, NULL, &stopped, NULL) != LP_OK)
        exit(1);
    printf("65 536 servers: opened in %.3f s, one job run in %.3f s, world %zu KiB\n", opened,
           bench_now() - start - opened, lp_world_bytes(lp_session_world(session)) / 1024);
    lp_session_close(session);
}

int main(void) {
    printf("runs of %d jobs, %s\n", JOBS,
           bench_has_profiles() ? "measured profiles" : "zoo models");
    whole_run("published", true, 4, 4, 2, "max_parallelism.lua");
    whole_run("published", true, 4, 4, 2, "random.lua");
    whole_run("published", true, 4, 4, 2, NULL);
    whole_run("published", true, 4, 4, 8, "max_parallelism.lua");
    whole_run("published", true, 4, 4, 8, "random.lua");
    printf("peak resident memory after the published runs: %.1f MiB\n", bench_peak_mib());
    whole_run("corrected", false, 4, 4, 2, "max_parallelism.lua");
    whole_run("corrected", false, 4, 4, 8, "random.lua");
    clones();
    large_topology();
    printf("peak resident memory: %.1f MiB\n", bench_peak_mib());
    return 0;
}
