/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optimiser's step. */
#include "learn/adam.h"

#include <math.h>
#include <string.h>

LpAdam lp_adam(size_t params, double rate, double *first, double *second) {
    memset(first, 0, params * sizeof *first);
    memset(second, 0, params * sizeof *second);
    return (LpAdam){.rate = rate,
                    .beta1 = 0.9,
                    .beta2 = 0.999,
                    .epsilon = 1e-8,
                    .params = params,
                    .first = first,
                    .second = second,
                    .power1 = 1,
                    .power2 = 1};
}

double lp_adam_step(LpAdam *a, double clip, double *grad, double *params) {
    double norm = 0;
    for (size_t i = 0; i < a->params; i++)
        norm += grad[i] * grad[i];
    norm = sqrt(norm);
    double scale = clip > 0 && norm > clip ? clip / norm : 1;
    a->steps++;
    a->power1 *= a->beta1;
    a->power2 *= a->beta2;
    for (size_t i = 0; i < a->params; i++) {
        double g = grad[i] * scale;
        a->first[i] = a->beta1 * a->first[i] + (1 - a->beta1) * g;
        a->second[i] = a->beta2 * a->second[i] + (1 - a->beta2) * g * g;
        double first = a->first[i] / (1 - a->power1), second = a->second[i] / (1 - a->power2);
        params[i] -= a->rate * first / (sqrt(second) + a->epsilon);
    }
    return norm;
}
