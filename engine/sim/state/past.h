/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that ended, out of the world's image: the oldest ones, in pages of equal size that never
 * change again. Worlds share pages, so a clone costs nothing for them. A world that packs its past
 * keeps of a job only the words in which it differs from an earlier one of its kind, without
 * loss: about 120 bytes instead of sizeof(LpJob). Private to sim/state.
 *
 * Threads: one world belongs to one thread at a time; worlds of several threads may share pages. */
#ifndef LP_SIM_STATE_PAST_H
#define LP_SIM_STATE_PAST_H

#include "sim/state/state.h"

/* Jobs of a page. */
enum { LP_PAST_PAGE = 32 };

typedef struct LpPast LpPast;

/* Another owner of the same past; NULL is no past, and stays so. */
LpPast *lp_past_share(LpPast *past);
/* Gives up one owner's share; NULL allowed. */
void lp_past_drop(LpPast *past);

/* Appends LP_PAST_PAGE jobs, which are copied. *past may be NULL, and may become another one when
 * it is shared. `packed` as in the pages before. LP_ENOMEM: nothing has changed. */
LpErr lp_past_append(LpPast **past, const LpJob *jobs, bool packed) LP_MUST_USE;

/* The pages of a packed past that were read last, open. Of one thread. */
typedef struct LpPastReader LpPastReader;
enum { LP_PAST_OPEN = 8 };
LpPastReader *lp_past_reader_new(void);         /* NULL: out of memory */
void lp_past_reader_free(LpPastReader *reader); /* NULL allowed */
/* Job `id` of the past, below LP_PAST_PAGE times its pages. The pointer is good as long as `past`
 * has an owner; of a packed one, which needs a reader, until LP_PAST_OPEN - 1 other pages have been
 * read. */
const LpJob *lp_past_job(const LpPast *past, LpPastReader *reader, uint32_t id);

/* How many there are; 0 of NULL. */
uint32_t lp_past_jobs(const LpPast *past);

#endif
