/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job cut out of a run: a scenario with it and those that shared its network, each arriving when
 * it started, on the servers and cut as it was decided. Run once more with one input changed it
 * says what that input is worth. */
#ifndef LP_ASK_INSPECT_CUTOUT_H
#define LP_ASK_INSPECT_CUTOUT_H

#include "ask/inspect/bottleneck.h"
#include "base/str.h"
#include "session/session.h"

/* What the job's time on servers comes to. */
typedef struct LpCutoutRun {
    double held;      /* s on its servers, from its start to its end but for its times in the queue;
                         NAN: it did not end, or there is no such run */
    double step_time; /* s a step: held over its steps */
    const char *set;  /* the override of the cut-out that makes this run; NULL: none */
} LpCutoutRun;

typedef struct LpCutout {
    LpArena *arena;
    const char * not ; /* why the job cannot be cut out, a clause; NULL: it can */
    uint32_t id, job;  /* its number in the session, and there */
    uint32_t jobs;     /* of the cut-out */
    uint32_t sets;     /* overrides of the session's scenario that make the cut-out */
    const char **set;  /* [sets] */
    LpCutoutRun base;
    LpCutoutRun knob[LP_KNOB_COUNT]; /* of a rigid job, which states how long it runs: none */
} LpCutout;

/* Cuts the job out, runs that, holds it against the session (`not` where the job is on its servers
 * for another time than there, to 1e-9) and runs it once with each knob. The session keeps its
 * files (LpSessionSpec.keep_files) and is over. The caller frees it. Errors: LP_ERANGE: no such
 * job; LP_ENOMEM; what a run of the cut-out may meet goes to `not`. */
LpErr lp_cutout_new(const LpSession *session, uint32_t job, LpCutout *out,
                    LpDiag *diag) LP_MUST_USE;
void lp_cutout_fini(LpCutout *cutout); /* zeroed or filled */

/* How many times shorter the job is on its servers; NAN: there is no such knob. */
double lp_cutout_gain(const LpCutout *cutout, LpStepKnob knob);
/* How such a scenario begins, so that it may be written over. */
#define LP_CUTOUT_BEGINS "{ \"notes\": \"Cut out of a run by lightpath explain"

/* The scenario file of a job that can be cut out; profiles by absolute names. Errors: LP_EIO where
 * a profile is not there any more; LP_ESTATE where the run was read from a session; LP_ENOMEM. */
LpErr lp_cutout_document(const LpSession *session, const LpCutout *cutout, LpBuf *out,
                         LpDiag *diag) LP_MUST_USE;

#endif
