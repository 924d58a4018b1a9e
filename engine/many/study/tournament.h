/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies ranked against each other. */
#ifndef LP_MANY_STUDY_TOURNAMENT_H
#define LP_MANY_STUDY_TOURNAMENT_H

#include "many/study/compare.h"

/* One variant for every .lua file of the folder, by name; the label is the file's name. Errors:
 * LP_EIO naming the folder, LP_EINVAL where there is none in it; LP_ENOMEM. */
LpErr lp_tournament_entries(const char *folder, LpArena *arena, LpVariant **out, uint32_t *count,
                            LpDiag *diag) LP_MUST_USE;

/* Puts the variants (copied into the arena) and their runs in order: lowest mean share of
 * jobs that were not completed (blocked or unfinished: neither refusing nor keeping jobs waiting
 * helps), then lowest mean JCT, then label; those with a run that failed come last, unranked.
 * (*rank)[i] is that of variant i: it shares the rank of the first one before it that the paired
 * test over the seeds does not tell it from: by that share (p < 0.05), or, where it is the same
 * with every seed, by mean JCT. With fewer than 6 seeds no test tells anything, but a policy that
 * completes no job shares no rank with one that does. Errors: LP_ENOMEM. */
LpErr lp_tournament_rank(LpBatch *batch, LpArena *arena, const LpRank **rank,
                         LpDiag *diag) LP_MUST_USE;

#endif
