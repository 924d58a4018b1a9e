/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demands in words: "0,6MB/4MB,0", "zipf:16,1,16MB", or the text of a file. */
#ifndef LP_SIM_UNEVEN_KEYS_H
#define LP_SIM_UNEVEN_KEYS_H

#include "base/mem.h"
#include "sim/uneven/uneven.h"

/* Is the word a demand, and not the name of a file? */
bool lp_uneven_is_demand(const char *word);

/* The bytes from each server to each, in the arena: *demand has servers * servers.
 * `uniform:N,BYTES` each to each other; `zipf:N,E,BYTES` BYTES times 1/(j+1)^E over their sum, to
 * server j; `skew:N,E,BYTES` likewise, from each server on; `random:N,SHARE,BYTES,SEED` 1 to BYTES,
 * or nothing. Errors: LP_EINVAL with the row, counted from 0, and the number; LP_ENOMEM. O(n^2). */
LpErr lp_uneven_demand_read(const char *word, LpArena *arena, uint32_t *servers, int64_t **demand,
                            LpDiag *diag) LP_MUST_USE;

/* Reads them from a file: a row a line, commas between. `file` is named in errors, with line and
 * column. */
LpErr lp_uneven_demand_file(const char *file, const char *text, LpArena *arena, uint32_t *servers,
                            int64_t **demand, LpDiag *diag) LP_MUST_USE;

#endif
