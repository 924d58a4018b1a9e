/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the reports: the table of job columns that JSON and CSV share, output in pieces, and
 * the tasks of one step as trace lines. Private to run/. */
#ifndef LP_RUN_REPORT_IMPL_H
#define LP_RUN_REPORT_IMPL_H

#include "base/csv_out.h"
#include "run/report/report.h"
#include "sim/account/job_time.h"

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
} LpReport;

/* Hands over what has gathered. */
LpErr lp_report_hand_over(LpReport *report) LP_MUST_USE;
/* The same, if it is worth while. */
LpErr lp_report_flush(LpReport *report) LP_MUST_USE;

LpErr lp_report_write_json(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_csv(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_csv_raw(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_text(LpReport *report) LP_MUST_USE;
LpErr lp_report_write_trace(LpReport *report) LP_MUST_USE;

/* Where jobs ask for slices, their members of a job, and of the summary (engine/run/report/pod.c).
 */
void lp_report_slice_job(const LpReport *report, LpJsonOut *out, const LpJob *job);
LpErr lp_report_slices(LpReport *report, LpJsonOut *out) LP_MUST_USE;
/* ... and their columns in CSV, of a fabric that rents out slices only: shape, waiting by what it
 * was for, s. */
void lp_report_slice_titles(const LpReport *report, LpCsvOut *out);
void lp_report_slice_cells(const LpReport *report, LpCsvOut *out, const LpJob *job);
LpErr lp_report_slices_text(LpReport *report) LP_MUST_USE;
/* What failures did, likewise (engine/run/report/failures.c), and accounts of held time. */
void lp_report_failures_job(const LpReport *report, LpJsonOut *out, const LpJob *job);
LpErr lp_report_failures(LpReport *report, LpJsonOut *out) LP_MUST_USE;
void lp_report_failures_titles(const LpReport *report, LpCsvOut *out);
void lp_report_failures_cells(const LpReport *report, LpCsvOut *out, const LpJob *job);
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
/* Where circuits turn inside steps, likewise (engine/run/report/turning.c); nothing elsewhere. */
void lp_report_turning_job(const LpReport *report, LpJsonOut *out, const LpJob *job);
void lp_report_turning(const LpReport *report, LpJsonOut *out);
void lp_report_turning_text(const LpReport *report, LpBuf *out);
/* Appends one entry of jobs[]. Errors: lp_job_time. */
LpErr lp_report_json_job(LpReport *report, const LpJob *job) LP_MUST_USE;
/* Appends an object with the summary alone. */
LpErr lp_report_json_summary(LpReport *report) LP_MUST_USE;
/* What is to be known of a graph whose values are narrow, "ID: 2 bytes each, arithmetic at the fp32
 * rate of ...", appended to out (NULL: not). False: nothing is. */
bool lp_report_values(const LpGraph *graph, LpBuf *out);

/* ---- columns ---- */

typedef enum LpReportType {
    LP_VALUE_NULL,
    LP_VALUE_NUMBER,
    LP_VALUE_TEXT,
    LP_VALUE_LIST
} LpReportType;

typedef struct LpReportValue {
    LpReportType type;
    double number;
    const char *text;
    const uint32_t *item;
    uint32_t count;
} LpReportValue;

typedef struct LpReportColumn {
    const char *key;
    LpReportValue (*value)(const LpReport *report, const LpJob *job);
    bool forecast; /* null unless the job completed or has a forecast */
    bool cut;      /* null for rigid jobs */
} LpReportColumn;

const LpReportColumn *lp_report_columns(size_t *count);
/* The column's value after its two rules. */
LpReportValue lp_report_value(const LpReport *report, const LpReportColumn *column,
                              const LpJob *job);

/* As jobs[] has it; a text without quotes. */
void lp_report_json_value(const LpReportValue *value, LpBuf *text);

/* ---- trace lines ---- */

/* The tasks of one job's step by starting time. Owned. */
typedef struct LpTraceTasks {
    uint32_t job;
    double offset;      /* s, start of the step */
    uint32_t count, at; /* tasks, next one to be written */
    struct LpTraceTask *task;
    uint32_t *server; /* of collectives ... */
    size_t servers, servers_cap;
    LpSend *send; /* ... and what they send */
    size_t sends, sends_cap;
} LpTraceTasks;

/* Simulates the step again and sorts its tasks; step_time as in lp_trace_stretch. Errors:
 * LP_ENOMEM; LP_EREFUSED where the step cannot be simulated. */
LpErr lp_trace_tasks(const LpContext *context, uint32_t job, double offset, uint32_t partition,
                     uint32_t placement, LpOrders orders, double step_time, LpTraceTasks *out,
                     LpDiag *diag) LP_MUST_USE;
void lp_trace_tasks_fini(LpTraceTasks *tasks);
/* Time of the next task, INFINITY when there is none left. */
double lp_trace_tasks_next(const LpTraceTasks *tasks);
/* Appends the next task's line. */
void lp_trace_tasks_print(LpTraceTasks *tasks, const LpContext *context, LpBuf *out);

#endif
