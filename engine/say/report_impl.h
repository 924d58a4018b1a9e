/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the reports: output in pieces, and what stands beside the facts of a job. Private to
 * say/. */
#ifndef LP_SAY_REPORT_IMPL_H
#define LP_SAY_REPORT_IMPL_H

#include "base/csv_out.h"
#include "say/report.h"
#include "sim/account/job_time.h"
#include "sim/facts/job_facts.h"
#include "sim/facts/standing.h"
#include "sim/waits/wait_book.h"
#include "sim/waits/why.h"

/* A report while it is written. */
typedef struct LpReport {
    const LpSession *session;
    const LpScenario *scenario;
    const LpContext *context;
    const LpWorld *world;
    LpBuf *out;
    LpSink sink; /* NULL: everything stays in out */
    void *user;
    LpDiag *diag;
    LpTimeBook book;
    LpStanding standing;      /* once lp_report_stand was called */
    LpJobAround around;       /* of its facts */
    const LpReportTold *told; /* NULL: nothing */
    LpWhyBook *why;           /* opened for the first job that waits; NULL: not yet */
} LpReport;
/* A report of the session as it stands; end it with lp_report_fini. */
LpReport lp_report_open(const LpSession *session, LpBuf *out, LpDiag *diag);
void lp_report_fini(LpReport *report);
/* Finds out how the jobs stand beside each other, for their facts and the summary; once. Errors:
 * those of lp_standing_new. */
LpErr lp_report_stand(LpReport *report) LP_MUST_USE;
/* The summary of the run. */
LpErr lp_report_sum(LpReport *report, struct LpSummary *out) LP_MUST_USE;

/* Hands over what has gathered. */
LpErr lp_report_hand_over(LpReport *report) LP_MUST_USE;
/* The same, if it is worth while. */
LpErr lp_report_flush(LpReport *report) LP_MUST_USE;

LpErr lp_report_write_json(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_csv(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_csv_raw(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_text(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_trace(LpReport *report) LP_MUST_USE;

/* Where jobs ask for slices, what stands beside the facts of a job: waiting by what it was for, s;
 * and the members of the summary (engine/say/pod.c). */
void lp_report_waited(const LpReport *report, LpJsonOut *out, const LpJob *job);
void lp_report_waited_titles(LpCsvOut *out);
void lp_report_waited_cells(LpCsvOut *out, const LpJob *job);
LpErr lp_report_slices(LpReport *report, LpJsonOut *out) LP_MUST_USE;
LpErr lp_report_slices_text(LpReport *report) LP_MUST_USE;
/* What failures did, and accounts of held time, likewise (engine/say/failures.c). */
void lp_report_accounts_titles(LpCsvOut *out);
void lp_report_accounts_cells(LpCsvOut *out, const LpAccounts *accounts);
LpErr lp_report_failures(LpReport *report, LpJsonOut *out) LP_MUST_USE;
LpErr lp_report_failures_text(LpReport *report) LP_MUST_USE;
void lp_report_accounts(LpJsonOut *out, const LpAccounts *accounts);
void lp_report_accounts_text(LpBuf *out, const LpAccounts *accounts);
/* "LABEL useful 92.0 %, lost 1.2 %": shares of `all` that can be seen. */
typedef struct LpReportShare {
    const char *name;
    double value;
} LpReportShare;
void lp_report_shares(LpBuf *out, const char *label, const LpReportShare *part, size_t count,
                      double all);
/* What of waiting and fairness is told to people (engine/say/waits.c). */
void lp_report_waits_text(const LpReport *report, const struct LpSummary *summary);
/* Where circuits turn inside steps, likewise (engine/say/turning.c); nothing elsewhere. */
void lp_report_turning(const LpReport *report, LpJsonOut *out);
void lp_report_turning_text(const LpReport *report, LpBuf *out);
/* Appends one entry of jobs[]. Errors: lp_job_time. */
LpErr lp_report_json_job(LpReport *report, const LpJob *job) LP_MUST_USE;
/* Appends an object with the summary alone. */
LpErr lp_report_json_summary(LpReport *report) LP_MUST_USE;
/* What is to be known of a graph whose values are narrow, "ID: 2 bytes each, arithmetic at the fp32
 * rate of ...", appended to out (NULL: not). False: nothing is. */
bool lp_report_values(const LpGraph *graph, LpBuf *out);

#endif
