/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry points of the reports. */
#include "run/report/impl.h"

typedef LpErr (*Writer)(LpReport *report);

static const Writer writers[] = {
    [LP_REPORT_JSON] = lp_report_write_json,
    [LP_REPORT_CSV] = lp_report_write_csv,
    [LP_REPORT_TEXT] = lp_report_write_text,
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
    lp_buf_fini(&out);
    return err;
}

LpErr lp_report_whole(const LpSession *session, LpReportKind kind, LpBuf *out, LpDiag *diag) {
    LpReport report = open_report(session, out, diag);
    LP_TRY(writers[kind](&report));
    return lp_buf_ok(out, diag);
}
