/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BLAS by the names of its functions. Which BLAS is installed is known only when the program runs,
 * so functions that only some have are looked for. */
#include "learn/blas/blas.h"

#include "late/library.h"

#ifndef LP_BLAS_SONAME /* make says what is installed; this is for an editor or a checker without  \
                          it */
#define LP_BLAS_SONAME "libblas.so.3"
#endif

static const char *const NAMES[] = {"cblas_dgemm", "cblas_dgemv", "cblas_ddot"};
_Static_assert(sizeof(LpBlas) == LP_COUNTOF(NAMES) * sizeof(void *), "pointers alone");

/* Functions that take the number of threads, by library: OpenBLAS, and MKL. */
static const char *const SETTERS[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads"};

LpErr lp_blas_load(LpBlas *blas, LpDiag *diag) {
    LP_TRY(lp_library_load(LP_BLAS_SONAME, NAMES, LP_COUNTOF(NAMES), blas, "training a network",
                           diag));
    for (size_t i = 0; i < LP_COUNTOF(SETTERS); i++) {
        void (*set)(int) = NULL;
        lp_library_find(LP_BLAS_SONAME, SETTERS[i], &set);
        if (set != NULL)
            set(1);
    }
    return LP_OK;
}
