/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's jobs as a CSV table: the columns of the JSON report. */
#include <inttypes.h>

#include "base/num.h"
#include "run/report/impl.h"

static void add_value(LpBuf *out, const LpReportValue *value) {
    char text[LP_NUM_TEXT];
    switch (value->type) {
    case LP_VALUE_NULL:
        break;
    case LP_VALUE_NUMBER:
        lp_buf_add(out, lp_num_print(value->number, text));
        break;
    case LP_VALUE_TEXT:
        lp_str_csv(out, value->text, false);
        break;
    case LP_VALUE_LIST:
        for (uint32_t i = 0; i < value->count; i++)
            lp_buf_addf(out, "%s%" PRIu32, i > 0 ? " " : "", value->item[i]);
        break;
    }
}

LpErr lp_report_write_csv(LpReport *report) {
    size_t count;
    const LpReportColumn *column = lp_report_columns(&count);
    for (size_t c = 0; c < count; c++)
        lp_buf_addf(report->out, "%s%s", column[c].key, c + 1 < count ? "," : "\n");
    for (uint32_t i = 0; i < lp_world_jobs(report->world); i++) {
        const LpJob *job = lp_world_job(report->world, i);
        for (size_t c = 0; c < count; c++) {
            LpReportValue value = lp_report_value(report, &column[c], job);
            add_value(report->out, &value);
            lp_buf_add(report->out, c + 1 < count ? "," : "\n");
        }
        LP_TRY(lp_report_flush(report));
    }
    return LP_OK;
}
