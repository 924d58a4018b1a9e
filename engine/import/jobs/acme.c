/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Shanghai AI Laboratory's Acme, 2023 (AcmeTrace, data/job_trace/trace_seren.csv and
 * trace_kalos.csv): the columns of Helios by other names, and times with offsets. */
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"

static const char *const COLUMN[LP_TIMED_COLUMNS] = {
    "job_id",      "user",       "node_num", "gpu_num",  "type",   "state",
    "submit_time", "start_time", "end_time", "duration", "cpu_num"};

static const LpTraceTable TABLE = {
    .column = COLUMN, .columns = LP_TIMED_COLUMNS, .needed = LP_TIMED_NEEDED, .separator = ','};

static LpErr read_acme(LpReading *reading, LpDiag *diag) {
    lp_rows_dated(reading->rows);
    return lp_table_read(reading, reading->file[0], &TABLE, lp_timed_row, NULL, diag);
}

static bool is_acme(const LpHead *head) {
    static const char *const names[] = {"gpu_num", "type", NULL};
    return lp_head_columns(head, ',', names);
}

const LpFormat lp_format_acme = {.name = "acme",
                                 .what = "jobs of the Shanghai AI Laboratory, 2023: trace_*.csv",
                                 .makes = LP_MAKES_JOBS,
                                 .least = 1,
                                 .most = 1,
                                 .is = is_acme,
                                 .read = read_acme};
