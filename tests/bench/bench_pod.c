/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pods: a year of failures and 10^5 jobs on 9 216 accelerators (bar: 20 s), also with slices that
 * go on without dead light, and a slice of all of them with a dead switch or cable. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench.h"
#include "session/pod/pod_predict.h"

#define SCENARIO LP_SOURCEDIR "/scenarios/pod-failures.json"

static const char *const year[] = {
    "cluster.pod.cubes=144",
    "cluster.pod.spares=4",
    "generator.count=100000",
    "generator.load=0.3",
    "generator.duration={\"exponential\":{\"mean\":\"36 min\"}}",
    "cluster.pod.fault_tolerant=true", /* last: it can be left out */
};

static int fail(const LpDiag *diag) {
    fprintf(stderr, "bench_pod: %s\n", diag->text);
    return EXIT_FAILURE;
}

static int run(const char *policy, const char *const *set, unsigned sets) {
    LpSession *session;
    LpDiag diag;
    bool stopped;
    LpSessionSpec spec = {.scenario = SCENARIO,
                          .sets = sets,
                          .set = set,
                          .policy = policy,
                          .pack_past = true,
                          .untold = true};
    double cpu = bench_cpu(), start = bench_now();
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        return fail(&diag);
    if (lp_session_run(session, NULL, NULL, &stopped, &diag) != LP_OK) {
        lp_session_close(session);
        return fail(&diag);
    }
    const LpWorld *world = lp_session_world(session);
    const LpTally *tally = lp_world_tally(world);
    printf(
        "9216 accelerators, %.0f days, %llu jobs, %llu stops, %-15s %6.2f s of processor, %6.2f s "
        "elapsed, peak %.0f MiB\n",
        lp_world_now(world) / 86400, (unsigned long long)tally->arrived,
        (unsigned long long)tally->stops, policy != NULL ? policy : "engine default",
        bench_cpu() - cpu, bench_now() - start, bench_peak_mib());
    lp_session_close(session);
    return EXIT_SUCCESS;
}

static int predict(const char *dead) {
    LpSliceSpec spec = {.slice = "16x24x24", .fabric = "pod:144", .dead = dead};
    LpSlicePrediction is;
    LpDiag diag;
    double cpu = bench_cpu();
    if (lp_slice_predict(&spec, &is, &diag) != LP_OK)
        return fail(&diag);
    printf("predict slice:16x24x24 %-10s %6.2f s of processor, load %.4f\n",
           dead != NULL ? dead : "intact", bench_cpu() - cpu, is.load);
    return EXIT_SUCCESS;
}

int main(void) {
    unsigned sets = LP_COUNTOF(year);
    int code = run(NULL, year, sets - 1);
    if (code == EXIT_SUCCESS)
        code = run("pod_first_fit", year, sets - 1);
    if (code == EXIT_SUCCESS)
        code = run(NULL, year, sets);
    if (code == EXIT_SUCCESS)
        code = predict(NULL);
    if (code == EXIT_SUCCESS)
        code = predict("switch:32");
    if (code == EXIT_SUCCESS)
        code = predict("cable:7");
    return code;
}
