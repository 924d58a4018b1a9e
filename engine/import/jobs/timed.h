/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several tables of jobs have in common: a job that was submitted, started and ended, and how
 * many units it had. */
#ifndef LP_IMPORT_JOBS_TIMED_H
#define LP_IMPORT_JOBS_TIMED_H

#include "import/rows/table.h"

#define LP_ASSUME_LOCAL                                                                            \
    "times are local (no offset): jobs across a change of daylight saving are up to 1 h off"

/* Columns of a table that lp_timed_row reads, in this order. */
enum {
    LP_TIMED_ID,
    LP_TIMED_USER,
    LP_TIMED_NODES,
    LP_TIMED_GPUS,
    LP_TIMED_GROUP,
    LP_TIMED_STATE,
    LP_TIMED_SUBMIT,
    LP_TIMED_START,
    LP_TIMED_END,
    LP_TIMED_NEEDED,
    LP_TIMED_DURATION = LP_TIMED_NEEDED, /* s; told where it is not end - start */
    LP_TIMED_CPUS,
    LP_TIMED_COLUMNS
};

/* An LpRowReader: takes the row or leaves it out. */
LpErr lp_timed_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) LP_MUST_USE;

/* Sets a job's GPUs to its units, and its servers to them rounded up. Errors: LP_EPARSE at the row
 * from 2^32 - 1 on. `units` > 0. */
LpErr lp_timed_units(LpLineFile *lines, double units, LpTraceJob *job, LpDiag *diag) LP_MUST_USE;

#endif
