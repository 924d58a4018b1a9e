/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computation-graph files: PipeDream profiles, and lightpath's own JSON profile. */
#ifndef LP_IO_PROFILE_H
#define LP_IO_PROFILE_H

#include "base/str.h"
#include "model/graph.h"

/* PipeDream text (grammar: semantics 1.1). Times are left in the file's unit: scale them with
 * lp_graph_scale_time. Errors: LP_EPARSE and LP_EINVAL at file:line:col, LP_ECYCLE. */
LpErr lp_profile_pipedream(const char *id, const char *file, const char *text, size_t len,
                           LpGraph **out, LpDiag *diag) LP_MUST_USE;
/* Own JSON profile ("lightpath_profile": 1), times in seconds. */
LpErr lp_profile_json(const char *id, const char *file, const char *text, size_t len, LpGraph **out,
                      LpDiag *diag) LP_MUST_USE;
/* Writes the own format; reading it back gives an equal graph. */
LpErr lp_profile_write(const LpGraph *graph, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Seconds per unit: "s", "ms", "us", "ns"; LP_EINVAL otherwise. */
LpErr lp_profile_unit(const char *name, double *seconds, LpDiag *diag) LP_MUST_USE;

#endif
