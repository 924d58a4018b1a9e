/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs that Tiresias was simulated with (SymbioticLab/Tiresias, simulator/60_job.csv). */
#include <string.h>

#include "import/jobs/jobs.h"
#include "import/jobs/timed.h"
#include "model/zoo/zoo.h"

enum { ID, GPUS, SUBMIT, ITERATIONS, MODEL, DURATION, COLUMNS };

static const char *const COLUMN[COLUMNS] = {"job_id",     "num_gpu",    "submit_time",
                                            "iterations", "model_name", "duration"};

static const LpTraceTable TABLE = {
    .column = COLUMN, .columns = COLUMNS, .needed = COLUMNS, .separator = ',', .quotes = true};

static bool in_zoo(const char *name) {
    size_t models;
    const LpZooModel *model = lp_zoo_table(&models);
    for (size_t i = 0; i < models; i++)
        if (strcmp(model[i].name, name) == 0)
            return true;
    return false;
}

static LpErr read_row(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    static const double MOST_STEPS = 0x1p53;
    double gpus, steps;
    LpTraceJob job = {0};
    (void)user;
    LP_TRY(lp_row_number(row, GPUS, &gpus, diag));
    LP_TRY(lp_row_number(row, DURATION, &job.duration, diag));
    LP_TRY(lp_row_number(row, ITERATIONS, &steps, diag));
    LP_TRY(lp_row_seconds(row, SUBMIT, &job.submit_ns, diag));
    LpLeft left = gpus <= 0           ? LP_LEFT_NO_GPUS
                  : job.duration <= 0 ? LP_LEFT_ZERO_DURATION
                                      : LP_LEFT_COUNT;
    if (left != LP_LEFT_COUNT) {
        lp_rows_leave(reading->rows, left);
        return LP_OK;
    }
    LP_TRY(lp_timed_units(row->lines, gpus, &job, diag));
    job.id = lp_row_text(row, ID);
    job.model = lp_row_text(row, MODEL);
    job.group = job.model;
    job.steps = steps >= 1 && steps < MOST_STEPS ? (uint64_t)steps : 0;
    lp_rows_note(reading->rows, "models_not_in_the_zoo", !in_zoo(job.model));
    return lp_rows_take(reading->rows, &job, diag);
}

static LpErr read_tiresias(LpReading *reading, LpDiag *diag) {
    return lp_table_read(reading, reading->file[0], &TABLE, read_row, NULL, diag);
}

static bool is_tiresias(const LpHead *head) {
    static const char *const names[] = {"model_name", "num_gpu", "interval", NULL};
    return lp_head_columns(head, ',', names);
}

const LpFormat lp_format_tiresias = {.name = "tiresias",
                                     .what = "jobs that Tiresias was simulated with: 60_job.csv",
                                     .makes = LP_MAKES_JOBS,
                                     .least = 1,
                                     .most = 1,
                                     .is = is_tiresias,
                                     .read = read_tiresias};
