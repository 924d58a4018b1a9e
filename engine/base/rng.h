/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers: named streams of xoshiro256** (Blackman & Vigna 2018), seeded through splitmix64.
 * A stream is a plain struct that lives in the world image, so clones and rewinds carry it. */
#ifndef LP_BASE_RNG_H
#define LP_BASE_RNG_H

#include <stdint.h>

typedef struct LpRng {
    uint64_t s[4];
} LpRng;

/* The stream for (seed, purpose, entity), e.g. (1, "arrivals", 0): draws in one stream never shift
 * another. */
LpRng lp_rng_stream(uint64_t seed, const char *purpose, uint64_t entity);
uint64_t lp_rng_u64(LpRng *rng);
double lp_rng_unit(LpRng *rng);                     /* uniform in [0, 1), 53 bits */
uint64_t lp_rng_below(LpRng *rng, uint64_t n);      /* uniform in [0, n), n > 0, by rejection */
double lp_rng_exponential(LpRng *rng, double mean); /* mean > 0; own logarithm, see lp_num_log */
double lp_rng_normal(LpRng *rng); /* standard normal, polar method on own log, sqrt */

#endif
