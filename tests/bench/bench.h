/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the benchmarks: a clock, medians, and scenarios made of text. */
#ifndef LP_TESTS_BENCH_H
#define LP_TESTS_BENCH_H

#include <stdbool.h>

#include "session/session.h"

double bench_now(void); /* s, monotonic */
/* CPU time of this process, seconds: what a busy machine leaves alone. */
double bench_cpu(void);
/* Median of the values; sorts them. */
double bench_median(double *values, int count);
/* Peak resident memory so far, MiB. */
double bench_peak_mib(void);

/* The five profiles are read from ../shared/graphs or $LIGHTPATH_PROFILES where they are; otherwise
 * the zoo's models of the same names stand in, and the report says so. */
bool bench_has_profiles(void);

/* A published or corrected scenario on c x r x s servers with the five models. generator: JSON of
 * the "generator" or "jobs" value with its key. */
LpSession *bench_open(bool published, int c, int r, int s, int max_degree, const char *work,
                      const char *policy);

/* Writes the published experiment's scenario (deadlines A) to a new file below /tmp; unlink it. */
void bench_write_published(char path[64]);

extern const char *const bench_models[5];

#endif
