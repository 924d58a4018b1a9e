/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time lines of 10 000 decisions: seeking anywhere, forking (both in processor time, for others may
 * use the machine), memory, and what keeping one costs. */
#define _DEFAULT_SOURCE 1 /* wait4 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "session/time.h"

enum { SEEKS = 2000, FORKS = 101 };

enum { FEW = 10000, MANY = 60000 }; /* jobs, each with a decision */

static LpSession *run(const char *policy, int jobs, bool timeline, double *spent) {
    char count[40];
    const char *const sets[] = {count, "horizon=\"1e9 s\""};
    snprintf(count, sizeof count, "generator.count=%d", jobs);
    LpSessionSpec spec = {.scenario = "scenarios/pac-ml-32.json",
                          .policy = policy,
                          .sets = 2,
                          .set = sets,
                          .keep_timeline = timeline};
    LpSession *s;
    LpDiag diag = {0};
    bool stopped;
    if (lp_session_open(&spec, &s, &diag) != LP_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    double start = bench_now();
    if (lp_session_run(s, NULL, NULL, &stopped, &diag) != LP_OK)
        exit(1);
    *spent = bench_now() - start;
    return s;
}

static void seeks(LpSession *s, const char *label) {
    static double spent[SEEKS];
    double sum = 0;
    uint64_t tip = lp_session_tip(s, 0);
    uint32_t seed = 1;
    for (int i = 0; i < SEEKS; i++) {
        seed = seed * 1664525u + 1013904223u;
        double start = bench_cpu();
        if (lp_session_seek(s, (uint64_t)seed * tip >> 32, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_cpu() - start;
        sum += spent[i];
    }
    bench_median(spent, SEEKS); /* sorts */
    printf("seek anywhere (%s): mean %.2f ms, p99 %.2f ms, max %.2f ms\n", label, 1e3 * sum / SEEKS,
           1e3 * spent[SEEKS * 99 / 100], 1e3 * spent[SEEKS - 1]);
}

static void forks(LpSession *s) {
    double spent[FORKS];
    uint32_t branch;
    for (int i = 0; i < FORKS; i++) {
        if (lp_session_switch(s, 0, NULL) != LP_OK ||
            lp_session_seek(s, lp_session_tip(s, 0) * (uint64_t)(i + 1) / (FORKS + 1), NULL) !=
                LP_OK)
            exit(1);
        double start = bench_cpu();
        if (lp_session_fork(s, &(LpForkSpec){0}, &branch, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_cpu() - start;
    }
    double median = bench_median(spent, FORKS);
    printf("fork: median %.3f ms, max %.3f ms", 1e3 * median, 1e3 * spent[FORKS - 1]);
    for (int i = 0; i < FORKS; i++) {
        if (lp_session_switch(s, 0, NULL) != LP_OK ||
            lp_session_seek(s, lp_session_tip(s, 0), NULL) != LP_OK)
            exit(1);
        double start = bench_cpu();
        if (lp_session_fork(s, &(LpForkSpec){0}, &branch, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_cpu() - start;
    }
    median = bench_median(spent, FORKS);
    printf("; at the end, where the world is copied: median %.3f ms, max %.3f ms\n", 1e3 * median,
           1e3 * spent[FORKS - 1]);
}

static void measure(const char *policy) {
    double plain, kept;
    lp_session_close(run(policy, FEW, false, &plain));
    LpSession *s = run(policy, FEW, true, &kept);
    LpTimelineStats stats = lp_session_timeline_stats(s);
    double decisions = (double)lp_world_tally(lp_session_world(s))->decisions;
    printf("%s: %.0f decisions in %llu steps; %.2f us each without a time line, %.2f us with\n",
           policy, decisions, (unsigned long long)lp_session_tip(s, 0), 1e6 * plain / decisions,
           1e6 * kept / decisions);
    printf("per 1 000 decisions: log, events and stories %.0f KiB, checkpoints %.1f MiB (%zu in "
           "all, world %zu KiB at the end)\n",
           (double)stats.log_bytes / 1024 * 1000 / decisions,
           (double)stats.checkpoint_bytes / 1048576 * 1000 / decisions, stats.checkpoints,
           lp_world_bytes(lp_session_world(s)) / 1024);
    seeks(s, "256 MiB");
    lp_session_set_budget(s, (size_t)32 << 20);
    seeks(s, "32 MiB");
    forks(s);
    lp_session_close(s);
}

/* KiB at its peak, of a process of its own. */
static long peak_of(const char *policy, int jobs) {
    int status;
    double spent;
    struct rusage usage;
    pid_t child = fork();
    if (child == 0) {
        (void)run(policy, jobs, true, &spent);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        exit(1);
    return usage.ru_maxrss;
}

static void memory(const char *policy) {
    long few = peak_of(policy, FEW), many = peak_of(policy, MANY);
    printf("%s: %d decisions with a time line take %.0f MiB, each further one %.2f kB\n", policy,
           FEW, (double)few / 1024, 1.024 * (double)(many - few) / (MANY - FEW));
}

int main(void) {
    memory("scripts/max_parallelism.lua");
    memory("scripts/random.lua");
    measure("scripts/max_parallelism.lua");
    measure("scripts/random.lua");
    return 0;
}
