/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alibaba's pods of 2023 (clusterdata, cluster-trace-gpu-v2023, openb_pod_list_*.csv). */
#include "import/jobs/jobs.h"
#include "import/rows/table.h"

enum { NAME, GPUS, MILLI, PHASE, CREATED, DELETED, SCHEDULED, NEEDED, QOS = NEEDED, COLUMNS };

static const char *const COLUMN[COLUMNS] = {
    "name",          "num_gpu",       "gpu_milli",      "pod_phase",
    "creation_time", "deletion_time", "scheduled_time", "qos"};

static const LpTraceTable TABLE = {
    .column = COLUMN, .columns = COLUMNS, .needed = NEEDED, .separator = ',', .quotes = true};

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    double gpus, milli;
    int64_t start, end;
    LpTraceJob job = {0};
    char state[32];
    (void)user;
    LP_TRY(lp_row_number(row, GPUS, &gpus, diag));
    LP_TRY(lp_row_number(row, MILLI, &milli, diag));
    if (gpus < 0 || gpus >= UINT32_MAX || gpus != (uint32_t)gpus || milli < 0 || milli > 1000)
        return lp_lines_fail(row->lines, diag,
                             "line %d asks for %g GPUs of %g thousandths, expected a whole number "
                             "and 0 to 1000",
                             lp_lines_number(row->lines), gpus, milli);
    LpLeft left = gpus == 0                                ? LP_LEFT_NO_GPUS
                  : lp_row_text(row, SCHEDULED)[0] == '\0' ? LP_LEFT_NO_START
                  : lp_row_text(row, DELETED)[0] == '\0'   ? LP_LEFT_NO_END
                                                           : LP_LEFT_COUNT;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    LP_TRY(lp_row_seconds(row, SCHEDULED, &start, diag));
    LP_TRY(lp_row_seconds(row, DELETED, &end, diag));
    if (end <= start) {
        lp_rows_leave(reading->rows, LP_LEFT_ZERO_DURATION);
        return LP_OK;
    }
    LP_TRY(lp_row_seconds(row, CREATED, &job.submit_ns, diag));
    job.id = lp_row_text(row, NAME);
    job.group = lp_row_text(row, QOS);
    job.state = lp_text_lower(lp_row_text(row, PHASE), state, sizeof state);
    job.gpus = gpus * milli / 1000;
    job.servers = (uint32_t)gpus;
    job.duration = lp_ns_between(start, end);
    lp_rows_note(reading->rows, "shares_rounded_up", job.gpus != gpus);
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_openb(LpReading *reading, LpDiag *diag) {
    return lp_table_read(reading, reading->file[0], &TABLE, read_row, NULL, diag);
}

static bool is_openb(const LpHead *head) {
    static const char *const names[] = {"gpu_milli", "num_gpu", "pod_phase", NULL};
    return lp_head_columns(head, ',', names);
}

const LpFormat lp_format_openb = {.name = "openb",
                                  .what = "pods of Alibaba, 2023: openb_pod_list_*.csv",
                                  .makes = LP_MAKES_JOBS,
                                  .least = 1,
                                  .most = 1,
                                  .is = is_openb,
                                  .read = read_openb};
