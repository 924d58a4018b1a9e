/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as cluster managers write them: "n[000-127]", "gpu[1-2,5],login". */
#ifndef LP_MODEL_HOSTLIST_H
#define LP_MODEL_HOSTLIST_H

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

/* The names of a list, in its order, into the arena: items by commas; in each, any number of
 * brackets with numbers and ranges, the last one counting fastest; leading zeros are kept. Errors,
 * with what was found and expected: LP_EPARSE; LP_ELIMIT for more than `most`; LP_ENOMEM. *out and
 * *count are unchanged then. O(len + bytes of the names). */
LpErr lp_hostlist_expand(const char *text, uint32_t most, LpArena *arena, const char *const **out,
                         uint32_t *count, LpDiag *diag) LP_MUST_USE;

#endif
