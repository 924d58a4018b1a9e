/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs without loss in few bytes. Jobs of one kind (graph, outcome, step, servers) agree in most of
 * their members, so each is written as the words in which it differs from the first one of its
 * kind, and of these a word that stands in it already (a job that starts as it arrives has one
 * time many times over) as one byte. Private to sim/state. */
#ifndef LP_SIM_STATE_PACK_H
#define LP_SIM_STATE_PACK_H

#include "sim/state/state.h"

/* The first jobs of each kind. Grows with the kinds there are, to a limit. */
typedef struct LpKinds LpKinds;
LpKinds *lp_kinds_new(void); /* NULL: out of memory */
/* NULL: out of memory. */
LpKinds *lp_kinds_clone(const LpKinds *kinds);
void lp_kinds_free(LpKinds *kinds); /* NULL allowed */

/* The bytes of `count` jobs, one behind the other; `kinds` learns. They are good until the next
 * call. NULL: out of memory, kinds may have learnt. */
const void *lp_pack_jobs(LpKinds *kinds, const LpJob *jobs, uint32_t count, size_t *bytes);
/* Reads them back into jobs[count], to the last bit; with the kinds that wrote them, which may
 * have learnt more since. */
void lp_unpack_jobs(const LpKinds *kinds, const void *bytes, LpJob *jobs, uint32_t count);

#endif
