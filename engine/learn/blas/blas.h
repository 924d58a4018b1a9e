/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside engine/learn: what training calls of BLAS, loaded when a batch is made. */
#ifndef LP_LEARN_BLAS_H
#define LP_LEARN_BLAS_H

#include <cblas.h>

#include "base/err.h"

/* Functions of the BLAS that is installed, and nothing else. */
typedef struct LpBlas {
    __typeof__(cblas_dgemm) *dgemm;
    __typeof__(cblas_dgemv) *dgemv;
    __typeof__(cblas_ddot) *ddot;
} LpBlas;

/* Loads BLAS and has it use no threads of its own, where it has any: training has its threads
 * already, and sums must not depend on how many there are. Any thread. Errors: LP_EIO with a
 * sentence that names the library; *blas is as before then. */
LpErr lp_blas_load(LpBlas *blas, LpDiag *diag) LP_MUST_USE;

#endif
