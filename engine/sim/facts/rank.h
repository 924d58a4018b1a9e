/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by their place in order. */
#ifndef LP_SIM_FACTS_RANK_H
#define LP_SIM_FACTS_RANK_H

#include <stdint.h>

/* The nearest rank of p per cent, 0..100: that value; NAN without values, which change their order.
 * O(count) in the mean. */
double lp_rank(double *value, uint64_t count, uint64_t percent);

#endif
