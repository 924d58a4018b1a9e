/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study as one file, which is a part (part.h) that grows: each run is written down as it is done,
 * so that a study that was killed goes on where it was. When all runs are there the file is written
 * anew in their order, with its end: however often a study was interrupted, its file is the same.
 */
#ifndef LP_MANY_RESULTS_RESULTS_H
#define LP_MANY_RESULTS_RESULTS_H

#include "many/results/part.h"

typedef struct LpResults LpResults;

/* Begins the file of a study, or goes on with the one that is there (`resume`; an empty or missing
 * one is begun). Nobody else can write it until it is closed. All that the part points to is
 * borrowed. Errors: LP_EINVAL where the file is of something else, naming what differs, and where
 * it is there without `resume`; LP_EPARSE where it has no whole head; LP_EIO. */
LpErr lp_results_open(const char *path, bool resume, const LpPartSpec *part, LpResults **out,
                      LpDiag *diag) LP_MUST_USE;
/* What a batch needs of it; valid until it is closed. */
const LpBatchKeeper *lp_results_keeper(LpResults *results);
/* How many runs were there when it was opened, and how many lines were damaged and count for
 * nothing. */
uint32_t lp_results_found(const LpResults *results, uint32_t *damaged);
/* Brings the file to the disk, in order and with its end where the batch is whole. Errors: LP_EIO:
 * all runs that were done are in it, but not in order. */
LpErr lp_results_end(LpResults *results, const LpBatch *batch, LpDiag *diag) LP_MUST_USE;
/* Closes it; what was written stays. NULL allowed. */
void lp_results_close(LpResults *results);

#endif
