/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shortest decimal digits that read back to a double. */
#ifndef LP_BASE_SHORTEST_H
#define LP_BASE_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* The decimals with fewest digits that are nearer to the value (normal, above 0) than to any other
 * double; of these the nearest to it: *digits times 10 to *exponent, at most 17 digits, the last
 * not 0. False for a power of two, next to which doubles lie closer on one side, and for what is no
 * normal number; then nothing is written. Source: R. Giulietti, The Schubfach way to render doubles
 * (2020), sections 8 and 9. O(1). */
bool lp_shortest(double value, uint64_t *digits, int *exponent);

#endif
