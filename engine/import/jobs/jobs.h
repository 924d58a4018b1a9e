/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of traces of jobs, one file each: rows of the table in import/formats.c. */
#ifndef LP_IMPORT_JOBS_JOBS_H
#define LP_IMPORT_JOBS_JOBS_H

#include "import/rows/format.h"

extern const LpFormat lp_format_sacct, lp_format_openb, lp_format_swf, lp_format_philly;
extern const LpFormat lp_format_helios, lp_format_acme, lp_format_pai, lp_format_tiresias;
extern const LpFormat lp_format_rfold, lp_format_rfold_mix, lp_format_csv;

#endif
