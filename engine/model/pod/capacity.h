/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a pod can be rented out: when hosts fail, and when requests are turned away. */
#ifndef LP_MODEL_POD_CAPACITY_H
#define LP_MODEL_POD_CAPACITY_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { LP_POD_CUBES_MAX = 4096 };

/* ---- availability ---- */

/* Shares of the pod in slices of `of` cubes, when every host works with a probability of its own.
 */
typedef struct LpPodCapacity {
    double mean;     /* over time */
    double promised; /* the most that is there for at least `share` of the time */
} LpPodCapacity;

/* `cubes` cubes of `hosts` hosts that work for the share `up` of the time; switched wiring takes
 * any cubes, static only floor(cubes/of) fixed places. LP_EINVAL, with the number, where a count is
 * 0 or above LP_POD_CUBES_MAX, `of` above cubes, or a share none; LP_ENOMEM. O(cubes^2). */
typedef struct LpPodSupply {
    uint32_t cubes, of, hosts;
    double up, share;
} LpPodSupply;
LpErr lp_pod_capacity(const LpPodSupply *supply, LpPodCapacity *switched, LpPodCapacity *fixed,
                      LpDiag *diag) LP_MUST_USE;

/* ---- blocking ---- */

/* Requests for `cubes` cubes, `weight` of all (any sum). */
typedef struct LpPodClass {
    uint32_t cubes;
    double weight;
    double blocked; /* out: share of the class's requests that is turned away */
} LpPodClass;

typedef struct LpPodLoss {
    double mean;     /* cubes of a request */
    double arrivals; /* per mean duration */
    double blocked;  /* share of all requests */
    double carried;  /* share of the cubes that is busy */
} LpPodLoss;

/* A switched pod in which nothing is broken and whoever finds too few cubes goes away: exact for
 * any distribution of durations (Kaufman 1981, Roberts 1981). `load`: cubes asked for over cubes.
 * LP_EINVAL, with the number; LP_ENOMEM. O(cubes classes). */
LpErr lp_pod_loss(uint32_t cubes, double load, LpPodClass *classes, size_t count, LpPodLoss *out,
                  LpDiag *diag) LP_MUST_USE;

/* ---- what is asked for ---- */

/* A slice of the published sample (Jouppi et al., Table 2, November 2022, as transcribed in RFold's
 * workload data): percent of all; the rows sum to 97.5, the rest is not listed. */
typedef struct LpPodAsked {
    const char *slice;
    double percent;
} LpPodAsked;
const LpPodAsked *lp_pod_mix(size_t *count);

#endif
