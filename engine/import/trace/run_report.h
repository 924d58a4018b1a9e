/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the doctor's report says of a trace that was run alone. */
#ifndef LP_IMPORT_TRACE_RUN_REPORT_H
#define LP_IMPORT_TRACE_RUN_REPORT_H

#include "base/json_out.h"
#include "sim/ranks/ranks_run.h"

/* It, under the key "alone", with `all` by rank; and as lines of a report. */
void lp_trace_run_put(const LpTraceRun *run, bool all, LpJsonOut *json);
void lp_trace_run_text(const LpTraceRun *run, LpBuf *out);

#endif
