/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands between the engine and BLAS: loads it in place of engine/learn/blas, with a function that
 * looks at the clock and calls the library's. Only benchmarks link this. */
#define _GNU_SOURCE 1 /* dladdr */
#include "blas_clock.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn/blas/blas.h"

static _Atomic unsigned long long spent, multiplications; /* ns */

static unsigned long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000ULL + (unsigned long long)t.tv_nsec;
}

static void note(unsigned long long start, double multiplied) {
    atomic_fetch_add(&spent, now() - start);
    atomic_fetch_add(&multiplications, (unsigned long long)multiplied);
}

static void dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k,
                  double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                  double *c, int ldc) {
    unsigned long long start = now();
    cblas_dgemm(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    note(start, (double)m * n * k);
}

LpErr lp_blas_load(LpBlas *blas, LpDiag *diag) {
    (void)diag;
    *blas = (LpBlas){dgemm, cblas_dgemv, cblas_ddot};
    void (*set)(int);
    void *symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    memcpy(&set, &symbol, sizeof set);
    if (set != NULL)
        set(1);
    return LP_OK;
}

void blas_name(char path[4096]) {
    Dl_info info;
    if (dladdr(dlsym(RTLD_DEFAULT, "cblas_dgemm"), &info) == 0 ||
        realpath(info.dli_fname, path) == NULL)
        strcpy(path, "unknown");
}

void blas_clock(double *seconds, double *multiplied) {
    *seconds = 1e-9 * (double)atomic_exchange(&spent, 0);
    *multiplied = (double)atomic_exchange(&multiplications, 0);
}
