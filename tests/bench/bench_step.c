/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uncached step simulation of the five models at degree 16: partition + place + simulate, and the
 * simulation alone per event (an op or a dependency that ends). */
#include <stdio.h>
#include <stdlib.h>

#include "ask/predict/parallel_predict.h"
#include "bench.h"
#include "sim/forecast.h"
#include "sim/world.h"

enum { RUNS = 21 };

/* A fresh session, so nothing is cached: the whole way from degree to forecast. */
static double cold(bool published, int model, LpForecast *f) {
    char work[256];
    snprintf(work, sizeof work,
             "\"jobs\": [ { \"graph\": \"%s\", \"arrival\": 0, \"steps\": 50 } ]",
             bench_models[model]);
    LpSession *s = bench_open(published, 4, 4, 2, 16, work, NULL);
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 16};
    if (s == NULL || lp_session_to_decision(s, &event, NULL) != LP_OK)
        exit(1);
    double start = bench_now();
    if (lp_world_predict(lp_session_world(s), lp_session_context(s), 0, &answer, f, NULL) != LP_OK)
        exit(1);
    double spent = bench_now() - start;
    lp_session_close(s);
    return spent;
}

/* The simulation alone, on a task graph that is there already. */
static double simulate(bool published, int model, double *events) {
    char work[256];
    snprintf(work, sizeof work,
             "\"jobs\": [ { \"graph\": \"%s\", \"arrival\": 0, \"steps\": 50 } ]",
             bench_models[model]);
    LpSession *s = bench_open(published, 4, 4, 2, 16, work, NULL);
    const LpContext *cx = lp_session_context(s);
    LpEvent event;
    LpAnswer answer = {.kind = LP_ANSWER_RUN, .degree = 16};
    LpForecast f;
    LpStepGraph g;
    LpTrace trace;
    LpStepSummary summary;
    double spent[RUNS];
    if (lp_session_to_decision(s, &event, NULL) != LP_OK ||
        lp_world_predict(lp_session_world(s), cx, 0, &answer, &f, NULL) != LP_OK ||
        lp_store_trace(cx, f.partition, f.placement, LP_RULES_SRPT, &g, &trace, NULL) != LP_OK)
        exit(1);
    lp_trace_fini(&trace);
    for (int i = 0; i < RUNS; i++) {
        double start = bench_now();
        if (lp_step_run(cx->scratch, &g, &cx->scenario->options, &summary, NULL, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_now() - start;
    }
    *events = f.ops + (double)f.deps + g.collectives;
    lp_session_close(s);
    return bench_median(spent, RUNS);
}

static void report(bool published) {
    printf("%-14s %6s %7s %10s %10s %9s\n", published ? "published" : "corrected", "ops", "deps",
           "cold ms", "step ms", "ns/event");
    for (int m = 0; m < 5; m++) {
        double spent[RUNS], events;
        LpForecast f;
        for (int i = 0; i < RUNS; i++)
            spent[i] = cold(published, m, &f);
        double step = simulate(published, m, &events);
        printf("%-14s %6u %7u %10.3f %10.3f %9.1f\n", bench_models[m], f.ops, f.deps,
               1e3 * bench_median(spent, RUNS), 1e3 * step, 1e9 * step / events);
    }
}

/* A transformer by name, from its words to the figures: nothing is kept between two predictions. */
static void report_plan(const char *rails) {
    const LpParallelSpec spec = {.name = "llama-3-405b",
                                 .parallel = "tensor=8 pipeline=16 data=16 batch=2048 "
                                             "recompute=selective sequence=true",
                                 .device = "h100",
                                 .rails = rails};
    double spent[RUNS];
    for (int i = 0; i < RUNS; i++) {
        LpParallelPrediction prediction;
        double start = bench_now();
        if (lp_parallel_predict(&spec, &prediction, NULL) != LP_OK)
            exit(1);
        spent[i] = bench_now() - start;
    }
    printf("llama-3-405b on 2048 devices, 1F1B%s: predicted in %.3f ms\n",
           rails != NULL ? ", on rails" : "", 1e3 * bench_median(spent, RUNS));
}

int main(void) {
    printf("step simulation at degree 16 on 4x4x2, medians of %d (%s)\n", RUNS,
           bench_has_profiles() ? "measured profiles" : "zoo models");
    report(true);
    report(false);
    report_plan(NULL);
    report_plan("delay=10ms ports=2 serial=true provisioned=true");
    return 0;
}
