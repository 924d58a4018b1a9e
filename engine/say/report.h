/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results in the formats of the command line: JSON object, CSV table, trace lines, and
 * a summary for people. */
#ifndef LP_SAY_REPORT_H
#define LP_SAY_REPORT_H

#include "base/str.h"
#include "session/session.h"

/* JSON: the object of lightpath(1), keys in that order, and a newline. What is not known is null.
 * For jobs that completed, and those blocked by a deadline or the published horizon, jct,
 * step_time, communication_time, computation_time, servers, circuits, ops, deps and
 * partition_degree hold what happened or would have (jct from arrival: what was waited before the
 * start, or the decision, plus the forecast); for the others they are null. A rigid job has no
 * graph, steps, degrees, parts or light paths.
 *
 * CSV: jobs[] keys as columns: a header line, then one line per job; lists joined by spaces, null
 * empty, texts quoted where they must be (RFC 4180, but lines end in \n).
 *
 * TEXT: a summary for people, units named.
 *
 * TRACE: one JSON line per event, in order of time t, in s: {t, kind, job, op, part, dep, server,
 * from, to, circuit, start, end}, null where a key says nothing of a kind; flows and collectives
 * also have bytes, collectives sends: [from, to, bytes] of each pair.
 * - arrival, start, wait, block, completion, preempt, resume (start of a job that ran before),
 * move, hold, abort, stop (its servers were taken by an event of another line): of a job; block
 * also has its "cause". failure, repair, condition: job is the first one that it stopped, or null;
 * the first two have a "component". server: the list of those that the job holds from then on,
 * null: none. So the latest line of each job tells who holds what.
 * - op, flow, collective: the tasks of the first training step of every job that started, t =
 * start. op: number in the profile, a backward op 2n + 1 - number; part: 0, 1, ...; a flow's op and
 * part are the sender's. dep: index of the dependency between the two ops. server: one number, of a
 *   collective the list of its servers. from, to: servers. circuit: where flows occupy light paths
 *   (RAMP, option circuits corrected) "tx2 w1 r3 rx0": transceiver group 2 of the source,
 * wavelength 1, rack selector 3, receiver group 0 of the destination; otherwise "from>to". */
typedef enum LpReportKind {
    LP_REPORT_JSON,
    LP_REPORT_CSV,     /* texts that a spreadsheet would compute neutralised, see lp_str_csv */
    LP_REPORT_CSV_RAW, /* texts as they are */
    LP_REPORT_TEXT,
    LP_REPORT_TRACE
} LpReportKind;

/* Appends a whole report. Errors: LP_ENOMEM; of a trace LP_ESTATE when the session keeps no events.
 */
LpErr lp_report_whole(const LpSession *session, LpReportKind kind, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;

/* Appends the object of one job, as it stands in jobs[] of JSON; `job` counts from 0 and is one of
 * the world's. Errors: LP_ENOMEM. */
LpErr lp_report_job(const LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* Appends an object that has nothing but the "summary" of JSON: no job is printed for it. Errors:
 * LP_ENOMEM. */
LpErr lp_report_summary(const LpSession *session, LpBuf *out, LpDiag *diag) LP_MUST_USE;
/* How many jobs have this value, as JSON writes it but a text without quotes, under this key of
 * jobs[]; *known: it is a key of the jobs of this scenario, and of no object. Errors: LP_ENOMEM. */
LpErr lp_report_count(const LpSession *session, const char *key, const char *value, bool *known,
                      uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* Appends the value under this key of one entry of jobs[], as JSON writes it but a text without
 * quotes; *known: it is there, and neither a list nor an object. Errors: LP_ENOMEM. */
LpErr lp_report_fact(const LpSession *session, uint32_t job, const char *key, LpBuf *out,
                     bool *known, LpDiag *diag) LP_MUST_USE;

/* Any of the reports in pieces of about 64 KiB, so that none has to fit into memory. Errors: those
 * of the report and of the sink. */
LpErr lp_report_write(const LpSession *session, LpReportKind kind, LpSink sink, void *user,
                      LpDiag *diag) LP_MUST_USE;

/* What a run says of itself beside what came out. */
typedef struct LpReportTold {
    bool complete;          /* it was not interrupted */
    const char *provenance; /* as JSON (host/provenance.h); NULL: not known */
} LpReportTold;

/* The report as JSON, with "complete" and "provenance". Errors: as lp_report_write. */
LpErr lp_report_told(const LpSession *session, const LpReportTold *told, LpSink sink, void *user,
                     LpDiag *diag) LP_MUST_USE;

/* Appends the moments at which waiting was worst, a line each with the command that opens it, or
 * only that of a word (LpWorstWord; -1: all). command: "lightpath FILE". Errors: LP_ENOMEM. */
LpErr lp_report_worst(const LpSession *session, const char *command, int word, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;

#endif
