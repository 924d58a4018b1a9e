/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stands between the engine and BLAS: functions of its names in the program itself, which look at
 * the clock and call the library's. Only benchmarks link this. */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "blas_clock.h"

#include <cblas.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Atomic unsigned long long spent, multiplications; /* ns */

static unsigned long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000ULL + (unsigned long long)t.tv_nsec;
}

/* The library's cblas_dgemm. */
static void *library(void) {
    static _Atomic(void *) kept;
    void *symbol = atomic_load(&kept);
    if (symbol == NULL)
        atomic_store(&kept, symbol = dlsym(RTLD_NEXT, "cblas_dgemm"));
    if (symbol == NULL)
        abort();
    return symbol;
}

static void note(unsigned long long start, double multiplied) {
    atomic_fetch_add(&spent, now() - start);
    atomic_fetch_add(&multiplications, (unsigned long long)multiplied);
}

void cblas_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b, int ldb, double beta,
                 double *c, int ldc) {
    void (*call)(CBLAS_LAYOUT, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int, int, int, double,
                 const double *, int, const double *, int, double, double *, int);
    void *symbol = library();
    memcpy(&call, &symbol, sizeof call);
    unsigned long long start = now();
    call(layout, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    note(start, (double)m * n * k);
}

void blas_name(char path[4096]) {
    Dl_info info;
    if (dladdr(library(), &info) == 0 || realpath(info.dli_fname, path) == NULL)
        strcpy(path, "unknown");
}

void blas_clock(double *seconds, double *multiplied) {
    *seconds = 1e-9 * (double)atomic_exchange(&spent, 0);
    *multiplied = (double)atomic_exchange(&multiplications, 0);
}
