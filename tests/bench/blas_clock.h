/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and multiplications spent in BLAS, for the benchmarks. */
#ifndef LP_TESTS_BLAS_CLOCK_H
#define LP_TESTS_BLAS_CLOCK_H

/* File of the library. */
void blas_name(char path[4096]);
/* Of all threads, since the last call: processor seconds, and multiplications with an addition. */
void blas_clock(double *seconds, double *multiplied);

#endif
