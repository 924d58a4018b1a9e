/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/jobs/timed.h"

LpErr lp_timed_units(LpLineFile *lines, double units, LpTraceJob *job, LpDiag *diag) {
    if (units >= UINT32_MAX)
        return lp_lines_fail(lines, diag, "a job of %g servers, expected less than 2^32 - 1",
                             units);
    job->gpus = units;
    job->servers = (uint32_t)units;
    job->servers += units > job->servers;
    return LP_OK;
}

/* A column of seconds beside the two moments tells when it means something else. */
static LpErr compare_duration(LpReading *reading, const LpTraceRow *row, const LpTraceJob *job,
                              int64_t end, LpDiag *diag) {
    double says;
    if (lp_row_text(row, LP_TIMED_DURATION)[0] == '\0')
        return LP_OK;
    LP_TRY(lp_row_number(row, LP_TIMED_DURATION, &says, diag));
    if (says == job->duration)
        return LP_OK;
    lp_rows_note(reading->rows,
                 says == lp_ns_between(job->submit_ns, end) ? "duration_counts_from_submission"
                                                            : "duration_is_not_end_minus_start",
                 1);
    return LP_OK;
}

LpErr lp_timed_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    LpImportUnit unit = reading->options->unit;
    int64_t start, end;
    double units, nodes = 0;
    LpTraceJob job = {0};
    char state[32];
    (void)user;
    LP_TRY(lp_row_number(row,
                         unit == LP_UNIT_GPU    ? LP_TIMED_GPUS
                         : unit == LP_UNIT_NODE ? LP_TIMED_NODES
                                                : LP_TIMED_CPUS,
                         &units, diag));
    LpLeft left = units <= 0                                    ? LP_LEFT_NO_GPUS
                  : lp_row_text(row, LP_TIMED_START)[0] == '\0' ? LP_LEFT_NO_START
                  : lp_row_text(row, LP_TIMED_END)[0] == '\0'   ? LP_LEFT_NO_END
                                                                : LP_LEFT_COUNT;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    LP_TRY(lp_row_when(row, LP_TIMED_SUBMIT, &job.submit_ns, diag));
    LP_TRY(lp_row_when(row, LP_TIMED_START, &start, diag));
    LP_TRY(lp_row_when(row, LP_TIMED_END, &end, diag));
    if (lp_row_text(row, LP_TIMED_NODES)[0] != '\0')
        LP_TRY(lp_row_number(row, LP_TIMED_NODES, &nodes, diag));
    LP_TRY(lp_timed_units(row->lines, units, &job, diag));
    job.duration = lp_ns_between(start, end);
    LP_TRY(compare_duration(reading, row, &job, end, diag));
    if (job.duration <= 0) {
        lp_rows_leave(reading->rows, LP_LEFT_ZERO_DURATION);
        return LP_OK;
    }
    lp_rows_note(reading->rows, "starts_before_submission", start < job.submit_ns);
    job.id = lp_row_text(row, LP_TIMED_ID);
    job.user = lp_row_text(row, LP_TIMED_USER);
    job.group = lp_row_text(row, LP_TIMED_GROUP);
    job.state = lp_text_lower(lp_row_text(row, LP_TIMED_STATE), state, sizeof state);
    job.nodes = nodes > 0 && nodes < UINT32_MAX ? (uint32_t)nodes : 0;
    return lp_rows_take(reading->rows, &job, diag);
}
