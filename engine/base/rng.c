/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers: xoshiro256** streams keyed by (seed, purpose, entity), and the variates on them.
 */
#include "base/rng.h"

#include <math.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/num.h"

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

LpRng lp_rng_stream(uint64_t seed, const char *purpose, uint64_t entity) {
    uint64_t state = lp_hash_u64(LP_HASH_INIT, seed);
    state = lp_hash_u64(lp_hash_text(state, purpose), entity);
    LpRng rng;
    for (int i = 0; i < 4; i++)
        rng.s[i] = splitmix64(&state); /* a bijection of four different states: not all zero */
    return rng;
}

static uint64_t rotate_left(uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
}

uint64_t lp_rng_u64(LpRng *rng) {
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double lp_rng_unit(LpRng *rng) {
    return (double)(lp_rng_u64(rng) >> 11) * 0x1p-53;
}

uint64_t lp_rng_below(LpRng *rng, uint64_t n) {
    if (n < 2)
        return 0;
    /* The lowest 2^64 mod n draws would make small results more likely: they are drawn again. */
    uint64_t reject = (0 - n) % n, draw;
    do
        draw = lp_rng_u64(rng);
    while (draw < reject);
    return draw % n;
}

double lp_rng_exponential(LpRng *rng, double mean) {
    LP_ASSERT(mean > 0);
    /* 1 - u is exact and in [2^-53, 1]: the logarithm never meets 0. */
    return mean * (0.0 - lp_num_log(1.0 - lp_rng_unit(rng)));
}

double lp_rng_normal(LpRng *rng) {
    /* Marsaglia's polar method. The second variate is dropped: a stream has no hidden state. */
    for (;;) {
        double x = 2.0 * lp_rng_unit(rng) - 1.0;
        double y = 2.0 * lp_rng_unit(rng) - 1.0;
        double r = x * x + y * y;
        if (r > 0.0 && r < 1.0)
            return x * sqrt(-2.0 * lp_num_log(r) / r);
    }
}
