/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of servers as clusters have published them. */
#ifndef LP_IO_FAULTS_H
#define LP_IO_FAULTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* One fault of a server; servers are numbered from 0 in the order in which they first fail. */
typedef struct LpServerFault {
    double time, end; /* s */
    uint32_t server;
} LpServerFault;

typedef struct LpServerFaults {
    LpServerFault *fault; /* by time, then as in the file; owned (lp_free) */
    uint32_t faults;
    uint32_t servers; /* that failed at least once */
    uint32_t open;    /* faults without an end, which last until the last event */
    double until;     /* time of the last event, s */
} LpServerFaults;

/* A list of {node_id, event_time (days), event_type "fault_start" or "fault_end", fault_type
 * {Level, Class, Desc}} in order of time, as StepFun published it (InfiniteHBD, SIGCOMM 2025): an
 * end belongs to the earliest open fault of its node and type. `file` is what messages call it.
 * Errors: LP_EPARSE, LP_EINVAL at file:line:col; LP_ENOMEM. O(n log n + n open faults of a server).
 */
LpErr lp_faults_stepfun(const char *file, const char *text, size_t len, LpServerFaults *out,
                        LpDiag *diag) LP_MUST_USE;

/* What faults come to. Two of one server at once are one server that is down. */
typedef struct LpFaultFigures {
    double mean_down;    /* servers, from 0 to the last event */
    double mean_simple;  /* the same where the end of a fault ends all that its server has */
    uint32_t most_down;  /* servers at one instant; whoever comes back then counts as up */
    double median, mean; /* time of a repair, s */
} LpFaultFigures;
/* Errors: LP_ENOMEM. O(n log n). */
LpErr lp_faults_figures(const LpServerFaults *faults, LpFaultFigures *out,
                        LpDiag *diag) LP_MUST_USE;

#endif
