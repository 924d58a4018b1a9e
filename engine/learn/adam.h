/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adam (Kingma & Ba 2015) over one flat array of parameters. */
#ifndef LP_LEARN_ADAM_H
#define LP_LEARN_ADAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct LpAdam {
    double rate, beta1, beta2, epsilon;
    size_t params;
    double *first, *second; /* moments, params each; the caller's */
    double power1, power2;  /* beta1^steps, beta2^steps */
    uint64_t steps;
} LpAdam;

/* One step against the gradient, which is first scaled down to `clip` where its Euclidean norm is
 * above that (0: never). Returns the norm before. */
double lp_adam_step(LpAdam *adam, double clip, double *grad, double *params);

/* base^times, multiplied up as lp_adam_step does: where a run that goes on begins. O(times). */
double lp_adam_power(double base, uint64_t times);

#endif
