/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What-if tables with nothing in the store, ends on other threads, and the ghost of a saved policy.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ask/whatif/ghost.h"
#include "ask/whatif/work.h"
#include "bench.h"
#include "session/time.h"

enum { TIMES = 21, STEPS = 16, LATE = 400 };

static LpSession *open_run(const char *scenario, const char *policy, uint32_t sets,
                           const char *const *set) {
    LpSessionSpec spec = {
        .scenario = scenario, .policy = policy, .sets = sets, .set = set, .keep_timeline = true};
    LpSession *s;
    LpDiag diag = {0};
    if (lp_session_open(&spec, &s, &diag) != LP_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    return s;
}

static void to_decision(LpSession *s, uint64_t decision) {
    LpEvent event;
    while (lp_world_due(lp_session_world(s)) == LP_NO_INDEX ||
           lp_world_tally(lp_session_world(s))->decisions < decision)
        if (lp_session_step(s, &event, NULL) != LP_OK)
            exit(1);
}

/* resnet18 alone; degrees 1 to 64 have seven powers of two. */
static void table(const char *rules) {
    static double spent[TIMES];
    char semantics[40];
    const char *const set[] = {"generator.graphs=[\"resnet18\"]", "partition.max_degree=64",
                               "cluster.ramp.servers_per_rack=8", semantics};
    uint32_t rows = 0;
    snprintf(semantics, sizeof semantics, "semantics=%s", rules);
    for (int i = 0; i < TIMES; i++) {
        LpWhatIfs whatif;
        LpSession *s = open_run("scenarios/pac-ml-32.json", "scripts/random.lua", 4, set);
        to_decision(s, 0);
        double start = bench_now();
        if (lp_whatif_table(s, &whatif, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_now() - start;
        rows = whatif.count;
        lp_whatif_fini(&whatif);
        lp_session_close(s);
    }
    double median = bench_median(spent, TIMES);
    printf("what-if table, resnet18, %s, cold, %u rows: median %.1f ms, max %.1f ms\n", rules,
           (unsigned)rows, 1e3 * median, 1e3 * spent[TIMES - 1]);
}

static void ends(unsigned threads) {
    const char *const set[] = {"generator.count=1000"};
    LpSession *s = open_run("scenarios/pac-ml-32.json", NULL, 1, set);
    LpWhatIfs whatif;
    LpWhatIfWork *work;
    bool news = false;
    to_decision(s, LATE);
    if (lp_whatif_table(s, &whatif, NULL) != LP_OK)
        exit(1);
    double start = bench_now(), first = 0;
    if (lp_whatif_start(s, &whatif, 0, threads, &work, NULL) != LP_OK)
        exit(1);
    double away = bench_now() - start;
    while (lp_whatif_works(work)) {
        lp_whatif_wait(work, 1000);
        if (lp_whatif_collect(work, &whatif, &news, NULL) != LP_OK)
            exit(1);
        if (news && first == 0)
            first = bench_now() - start;
    }
    printf(
        "to the end of 1 000 jobs from decision %d, %u threads: started after %.1f ms, first row "
        "%.0f ms, all %.0f ms\n",
        (int)LATE, threads, 1e3 * away, 1e3 * first, 1e3 * (bench_now() - start));
    lp_whatif_free(work);
    lp_whatif_fini(&whatif);
    lp_session_close(s);
}

/* The run decided again by its own policy: steps are in the store. */
static void ghost(const char *policy) {
    const char *const set[] = {"generator.count=1000"};
    LpSession *s = open_run("scenarios/pac-ml-32.json", policy, 1, set);
    LpWorld *from;
    LpGhost *g;
    bool stopped;
    if (lp_session_run(s, NULL, NULL, &stopped, NULL) != LP_OK ||
        lp_session_world_at(s, (LpMoment){0, 0}, &from, NULL) != LP_OK)
        exit(1);
    double start = bench_now(), first = 0, longest = 0;
    if (lp_ghost_new(s, from, &g, NULL) != LP_OK)
        exit(1);
    while (!lp_ghost_report(g).done) {
        double slice = bench_now();
        if (lp_ghost_work(g, STEPS, NULL) != LP_OK)
            exit(1);
        slice = bench_now() - slice;
        longest = slice > longest ? slice : longest;
        if (first == 0 && lp_ghost_report(g).jobs > 0)
            first = bench_now() - start;
    }
    LpGhostReport report = lp_ghost_report(g);
    printf("ghost, %s: first figures after %.2f ms, %u decisions after %.1f ms, %d steps at most "
           "%.2f ms\n",
           policy, 1e3 * first, (unsigned)report.jobs, 1e3 * (bench_now() - start), (int)STEPS,
           1e3 * longest);
    lp_ghost_free(g);
    lp_world_free(from);
    lp_session_close(s);
}

int main(void) {
    table("corrected");
    table("published");
    ends(1);
    ends(2);
    ghost("scripts/max_parallelism.lua");
    ghost("scripts/meets_deadline.lua");
    return 0;
}
