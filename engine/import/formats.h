/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats that are neither jobs, nor clusters, nor steps, and what their readers share. */
#ifndef LP_IMPORT_FORMATS_H
#define LP_IMPORT_FORMATS_H

#include "import/rows/format.h"

extern const LpFormat lp_format_pipedream, lp_format_stepfun;

#endif
