/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a run as a table: how soon jobs are done, how busy the servers are and how many
 * jobs are blocked. */
#ifndef LP_ASK_INSPECT_CURVES_H
#define LP_ASK_INSPECT_CURVES_H

#include "base/csv_out.h"
#include "session/time.h"

/* The line of titles. In all curves x is in seconds and y a share of 1. */
#define LP_CURVES_CSV_TITLES "run,curve,x_s,y_share"
#define LP_CURVES_CSV_TITLES_SEEDS "run,seed,curve,x_s,y_share"

/* The rows of one branch up to a time, `run` in the first column; `seed` in a second one unless it
 * is NULL:
 * jct: share of the arrived jobs that is done within x of its arrival;
 * utilisation: share of the servers that jobs hold from time x on;
 * blocking: share of the arrived jobs that is blocked, from time x on.
 * The session keeps a time line. Errors: LP_ENOMEM, LP_ERANGE. O(jobs log jobs + steps log
 * steps). */
LpErr lp_curves_csv(const LpSession *session, uint32_t branch, double until, const char *run,
                    const char *seed, LpCsvOut *csv, LpDiag *diag) LP_MUST_USE;
/* All branches of a session that are not deleted, up to the present time, the present one first,
 * titles included. Errors: LP_ENOMEM, LP_ESTATE without a time line. */
LpErr lp_curves_csv_all(const LpSession *session, bool raw, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
