/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry points of the reports. */
#include <string.h>

#include "run/report/report_impl.h"

typedef LpErr (*Writer)(LpReport *report);

static const Writer writers[] = {
    [LP_REPORT_JSON] = lp_report_write_json,       [LP_REPORT_CSV] = lp_report_write_csv,
    [LP_REPORT_CSV_RAW] = lp_report_write_csv_raw, [LP_REPORT_TEXT] = lp_report_write_text,
    [LP_REPORT_TRACE] = lp_report_write_trace,
};

static LpReport open_report(const LpSession *session, LpBuf *out, LpDiag *diag) {
    return (LpReport){.session = session,
                      .scenario = lp_session_scenario(session),
                      .context = lp_session_context(session),
                      .world = lp_session_world(session),
                      .out = out,
                      .diag = diag};
}

LpErr lp_report_write(const LpSession *session, LpReportKind kind, LpSink sink, void *user,
                      LpDiag *diag) {
    LpBuf out = {0};
    LpReport report = open_report(session, &out, diag);
    report.sink = sink;
    report.user = user;
    LpErr err = writers[kind](&report);
    if (err == LP_OK)
        err = lp_report_hand_over(&report);
    lp_time_book_fini(&report.book);
    lp_buf_fini(&out);
    return err;
}

LpErr lp_report_whole(const LpSession *session, LpReportKind kind, LpBuf *out, LpDiag *diag) {
    LpReport report = open_report(session, out, diag);
    LpErr err = writers[kind](&report);
    lp_time_book_fini(&report.book);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* ---- the summary, one job, one key ---- */

LpErr lp_report_summary(const LpSession *session, LpBuf *out, LpDiag *diag) {
    LpReport report = open_report(session, out, diag);
    LP_TRY(lp_report_json_summary(&report));
    return lp_buf_ok(out, diag);
}

LpErr lp_report_job(const LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) {
    LpReport report = open_report(session, out, diag);
    LpErr err = lp_report_json_job(&report, lp_world_job(report.world, job));
    lp_time_book_fini(&report.book);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

static const LpReportColumn *find_column(const char *key) {
    size_t count;
    const LpReportColumn *column = lp_report_columns(&count);
    for (size_t c = 0; c < count; c++)
        if (strcmp(column[c].key, key) == 0)
            return &column[c];
    return NULL;
}

LpErr lp_report_count(const LpSession *session, const char *key, const char *value, bool *known,
                      uint32_t *count, LpDiag *diag) {
    const LpReportColumn *column = find_column(key);
    LpBuf text = {0};
    LpReport report = open_report(session, &text, diag);
    uint32_t found = 0;
    *known = column != NULL;
    for (uint32_t i = 0; column != NULL && i < lp_world_jobs(report.world); i++) {
        LpReportValue is = lp_report_value(&report, column, lp_world_job(report.world, i));
        lp_buf_clear(&text);
        lp_report_json_value(&is, &text);
        found += strcmp(lp_buf_text(&text), value) == 0 ? 1 : 0;
    }
    LpErr err = lp_buf_ok(&text, diag);
    lp_buf_fini(&text);
    if (err == LP_OK)
        *count = found;
    return err;
}
