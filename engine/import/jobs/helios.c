/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SenseTime's Helios, 2020 (HeliosData, data/CLUSTER/cluster_log.csv). */
#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"

static const char *const COLUMN[LP_TIMED_COLUMNS] = {
    "job_id",      "user",       "node_num", "gpu_num",  "vc",     "state",
    "submit_time", "start_time", "end_time", "duration", "cpu_num"};

static const LpTraceTable TABLE = {.column = COLUMN,
                                   .columns = LP_TIMED_COLUMNS,
                                   .needed = LP_TIMED_NEEDED,
                                   .separator = ',',
                                   .quotes = true};

static LpErr read_helios(LpReading *reading, LpDiag *diag) {
    lp_rows_dated(reading->rows);
    lp_rows_assume(reading->rows, LP_ASSUME_LOCAL);
    return lp_table_read(reading, reading->file[0], &TABLE, lp_timed_row, NULL, diag);
}

static bool is_helios(const LpHead *head) {
    static const char *const names[] = {"gpu_num", "vc", NULL};
    return lp_head_columns(head, ',', names);
}

const LpFormat lp_format_helios = {.name = "helios",
                                   .what = "jobs of SenseTime, 2020: cluster_log.csv of Helios",
                                   .makes = LP_MAKES_JOBS,
                                   .least = 1,
                                   .most = 1,
                                   .is = is_helios,
                                   .read = read_helios};
