/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Schemas of the files that lightpath reads, and of a job in its results. */
#ifndef LP_HOST_SCHEMA_H
#define LP_HOST_SCHEMA_H

#include "base/err.h"
#include "base/str.h"

/* Appends the schema of "scenario", "lesson", "theme", "keys" or "job", an entry of jobs[] in
 * results. LP_EINVAL for another name. */
LpErr lp_run_schema(const char *name, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
