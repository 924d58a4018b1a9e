/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimiser's step. */
#include "learn/adam.h"

#include <math.h>
#include <string.h>

/* In numbers of its own, so that a compiler sees that nothing written changes them. */
static void move(const LpAdam *a, double scale, const double *restrict grad, double *restrict first,
                 double *restrict second, double *restrict params) {
    double beta1 = a->beta1, beta2 = a->beta2, rate = a->rate, epsilon = a->epsilon;
    double left1 = 1 - a->power1, left2 = 1 - a->power2;
    for (size_t i = 0, count = a->params; i < count; i++) {
        double g = grad[i] * scale;
        first[i] = beta1 * first[i] + (1 - beta1) * g;
        second[i] = beta2 * second[i] + (1 - beta2) * g * g;
        params[i] -= rate * (first[i] / left1) / (sqrt(second[i] / left2) + epsilon);
    }
}

double lp_adam_step(LpAdam *a, double clip, double *grad, double *params) {
    double norm = 0;
    for (size_t i = 0; i < a->params; i++)
        norm += grad[i] * grad[i];
    norm = sqrt(norm);
    a->steps++;
    a->power1 *= a->beta1;
    a->power2 *= a->beta2;
    move(a, clip > 0 && norm > clip ? clip / norm : 1, grad, a->first, a->second, params);
    return norm;
}

double lp_adam_power(double base, uint64_t times) {
    double power = 1;
    while (times-- > 0 && power > 0)
        power *= base;
    return power;
}
