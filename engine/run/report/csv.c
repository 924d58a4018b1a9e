/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's jobs as a CSV table: the columns of the JSON report. */
#include <inttypes.h>

#include "base/csv_out.h"
#include "run/report/report_impl.h"

/* Numbers in one cell. */
static void add_list(LpCsvOut *out, const LpReportValue *value) {
    lp_csv_put_words(out, "");
    for (uint32_t i = 0; i < value->count; i++)
        lp_buf_addf(out->out, "%s%" PRIu32, i > 0 ? " " : "", value->item[i]);
}

static void add_value(LpCsvOut *out, const LpReportValue *value) {
    if (value->type == LP_VALUE_NUMBER)
        lp_csv_put_number(out, value->number);
    else if (value->type == LP_VALUE_LIST)
        add_list(out, value);
    else
        lp_csv_put_text(out, value->type == LP_VALUE_TEXT ? value->text : NULL);
}

static LpErr write_csv(LpReport *report, bool raw) {
    size_t count;
    const LpReportColumn *column = lp_report_columns(&count);
    LpCsvOut out = {.out = report->out, .raw = raw};
    for (size_t c = 0; c < count; c++)
        lp_csv_put_words(&out, column[c].key);
    lp_report_slice_titles(report, &out);
    lp_report_failures_titles(report, &out);
    lp_csv_end(&out);
    for (uint32_t i = 0; i < lp_world_jobs(report->world); i++) {
        const LpJob *job = lp_world_job(report->world, i);
        for (size_t c = 0; c < count; c++) {
            LpReportValue value = lp_report_value(report, &column[c], job);
            add_value(&out, &value);
        }
        lp_report_slice_cells(report, &out, job);
        lp_report_failures_cells(report, &out, job);
        lp_csv_end(&out);
        LP_TRY(lp_report_flush(report));
    }
    return LP_OK;
}

LpErr lp_report_write_csv(LpReport *report) {
    return write_csv(report, false);
}

LpErr lp_report_write_csv_raw(LpReport *report) {
    return write_csv(report, true);
}
