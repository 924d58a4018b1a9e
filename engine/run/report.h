/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results in the formats of the command line: JSON object, CSV table, trace lines, and
 * a summary for people. */
#ifndef LP_RUN_REPORT_H
#define LP_RUN_REPORT_H

#include "base/str.h"
#include "run/session.h"

/* The object of design section 4, keys in that order, and a newline. */
LpErr lp_report_json(const LpSession *session, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* jobs[] keys as columns. */
LpErr lp_report_csv(const LpSession *session, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Summary for people, units named. */
LpErr lp_report_text(const LpSession *session, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* One JSON line per event: arrivals, decisions, starts, completions, and the ops, flows and
 * collectives of each job's first step: {t, kind, job, op, part, dep, server, from, to, circuit,
 * start, end}. */
LpErr lp_report_trace(const LpSession *session, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
