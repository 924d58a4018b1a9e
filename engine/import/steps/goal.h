/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GOAL schedules of LogGOPSim and ATLAHS: text, and what its txt2bin makes of it. */
#ifndef LP_IMPORT_STEPS_GOAL_H
#define LP_IMPORT_STEPS_GOAL_H

#include "import/rows/format.h"
#include "sim/ranks/ranks_run.h"

/* Largest numbers of a stream and a port, and of a rank and a tag: all ones mean any. */
enum { LP_GOAL_STREAM_MAX = UINT8_MAX };
#define LP_GOAL_RANK_MAX (UINT32_MAX - 1)

/* A port sends one at a time; up to LogGOPSim's S, a send does not wait for its receive. */
#define LP_GOAL_RULES ((LpTraceRules){.ports = true, .eager = 65535})

typedef struct LpGoal {
    LpStepTrace *trace;
    uint64_t unmatched, wild; /* flows; receives that take any */
    bool ran;                 /* alone, on the network of the options */
    LpTraceRun run;
} LpGoal;

/* Reads a file of the one form or the other into goal->trace, of which a rank that was read has
 * edges. LP_EPARSE at file:line or file: byte N; LP_ELIMIT, LP_ENOMEM. */
LpErr lp_goal_read_text(const char *file, uint64_t max, LpGoal *goal, LpDiag *diag) LP_MUST_USE;
LpErr lp_goal_read_binary(const char *file, uint64_t max, LpGoal *goal, LpDiag *diag) LP_MUST_USE;

#endif
