/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of reports in pieces. */
#include "say/report_impl.h"

enum { PIECE = 1 << 16 };

LpErr lp_report_hand_over(LpReport *report) {
    LP_TRY(lp_buf_ok(report->out, report->diag));
    if (report->out->len > 0)
        LP_TRY(report->sink(report->user, report->out->text, report->out->len, report->diag));
    lp_buf_clear(report->out);
    return LP_OK;
}

LpErr lp_report_flush(LpReport *report) {
    if (report->sink == NULL || report->out->len < PIECE)
        return lp_buf_ok(report->out, report->diag);
    return lp_report_hand_over(report);
}
