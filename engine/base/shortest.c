/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A double c 2^q is known to within half of 2^q. Its decimals are sought on the grid of 10^k, the
 * widest with a point in there for sure, and on the tenfold grid, where there may be one. */
#include "base/shortest.h"

#include <string.h>

#include "base/powers.h"

enum { FRACTION_BITS = 52, BIAS = 1075, EXPONENT_MASK = 2047 };

typedef struct Power {
    uint64_t high, low;
} Power;

static const Power powers[LP_POWER_LAST - LP_POWER_FIRST + 1] = {
#define X(high, low) {high, low},
    LP_POWER_TABLE(X)
#undef X
};

static const uint64_t low_63 = ~UINT64_C(0) >> 1;

/* Upper half of a product. */
static uint64_t multiply_high(uint64_t a, uint64_t b) {
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t cross = a0 * b1 + (middle & UINT32_MAX);
    return a1 * b1 + (middle >> 32) + (cross >> 32);
}

/* c times the power, by 2^127, rounded to odd: the last bit also says whether anything was cut off,
 * so that the result compares with even numbers as the exact product does. */
static uint64_t scale(const Power *g, uint64_t c) {
    uint64_t carry = multiply_high(g->low, c);
    uint64_t z = (g->high * c >> 1) + carry;
    uint64_t whole = multiply_high(g->high, c) + (z >> 63);
    return whole | (((z & low_63) + low_63) >> 63);
}

/* floor(q log10 2) and floor(e log2 10), exact for |q|, |e| up to 1 100: the factors are those
 * numbers times 2^41 and 2^38. */
static int log10_of_power_of_two(int q) {
    return (int)((q * INT64_C(661971961083)) >> 41);
}
static int log2_of_power_of_ten(int e) {
    return (int)((e * INT64_C(913124641741)) >> 38);
}

/* The point of the grid for c 2^q: digits, and *tens: whether those of the tenfold grid. */
static uint64_t find(uint64_t c, int q, int k, bool *tens) {
    const Power *g = &powers[-k - LP_POWER_FIRST];
    int h = q + log2_of_power_of_ten(-k) + 2;
    uint64_t odd = c & 1;                    /* the ends belong to an even c: ties go to even */
    uint64_t value = scale(g, (4 * c) << h); /* four times, on the grid of 10^k */
    uint64_t below = scale(g, (4 * c - 2) << h) + odd, above = scale(g, (4 * c + 2) << h) - odd;
    uint64_t s = value / 4, ten = s / 10;
    bool low = below <= 40 * ten, high = 40 * ten + 40 <= above;
    *tens = s >= 10 && low != high;
    if (*tens)
        return ten + high;
    low = below <= 4 * s;
    high = 4 * s + 4 <= above;
    if (low != high)
        return s + high;
    uint64_t middle = 4 * s + 2; /* both are in: the nearer one, of equals the even one */
    return s + (value > middle || (value == middle && (s & 1) == 1));
}

bool lp_shortest(double value, uint64_t *digits, int *exponent) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    int biased = (int)(bits >> FRACTION_BITS);
    if (biased <= 0 || biased >= EXPONENT_MASK || fraction == 0)
        return false;
    int q = biased - BIAS, k = log10_of_power_of_two(q);
    bool tens;
    uint64_t found = find(fraction | UINT64_C(1) << FRACTION_BITS, q, k, &tens);
    k += tens;
    for (; found % 10 == 0; k++)
        found /= 10;
    *digits = found;
    *exponent = k;
    return true;
}
