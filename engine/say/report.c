/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry points of the reports. */
#include <string.h>

#include "say/report_impl.h"

typedef LpErr (*Writer)(LpReport *report);

static const Writer writers[] = {
    [LP_REPORT_JSON] = lp_report_write_json,       [LP_REPORT_CSV] = lp_report_write_csv,
    [LP_REPORT_CSV_RAW] = lp_report_write_csv_raw, [LP_REPORT_TEXT] = lp_report_write_text,
    [LP_REPORT_TRACE] = lp_report_write_trace,
};

/* The policy's reason; where it gave none for a blocked job, or wanted something else than what
 * became of it, the engine's sentence. */
static const char *why_of(const void *session, const LpJob *job) {
    LpWhy why = lp_session_why(session, job->id);
    bool overruled = job->cause == LP_CAUSE_QUEUE_FULL || job->cause == LP_CAUSE_REFUSED ||
                     job->cause == LP_CAUSE_TOO_LARGE;
    if (job->outcome != LP_JOB_BLOCKED || (why.why[0] != '\0' && !overruled))
        return why.why;
    return why.reason[0] != '\0' ? why.reason : lp_cause_sentence((LpCause)job->cause);
}

LpReport lp_report_open(const LpSession *session, LpBuf *out, LpDiag *diag) {
    return (LpReport){.session = session,
                      .scenario = lp_session_scenario(session),
                      .context = lp_session_context(session),
                      .world = lp_session_world(session),
                      .out = out,
                      .diag = diag,
                      .around = {.world = lp_session_world(session),
                                 .context = lp_session_context(session),
                                 .why = why_of,
                                 .user = session}};
}

void lp_report_fini(LpReport *report) {
    lp_standing_fini(&report->standing);
    lp_time_book_fini(&report->book);
    lp_job_around_fini(&report->around);
    lp_why_close(report->why);
}

static LpErr write_to(const LpSession *session, LpReportKind kind, const LpReportTold *told,
                      LpSink sink, void *user, LpDiag *diag) {
    LpBuf out = {0};
    LpReport report = lp_report_open(session, &out, diag);
    report.sink = sink;
    report.user = user;
    report.told = told;
    LpErr err = writers[kind](&report);
    if (err == LP_OK)
        err = lp_report_hand_over(&report);
    lp_report_fini(&report);
    lp_buf_fini(&out);
    return err;
}

LpErr lp_report_write(const LpSession *session, LpReportKind kind, LpSink sink, void *user,
                      LpDiag *diag) {
    return write_to(session, kind, NULL, sink, user, diag);
}

LpErr lp_report_told(const LpSession *session, const LpReportTold *told, LpSink sink, void *user,
                     LpDiag *diag) {
    return write_to(session, LP_REPORT_JSON, told, sink, user, diag);
}

LpErr lp_report_whole(const LpSession *session, LpReportKind kind, LpBuf *out, LpDiag *diag) {
    LpReport report = lp_report_open(session, out, diag);
    LpErr err = writers[kind](&report);
    lp_report_fini(&report);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* ---- the summary, one job, one key ---- */

LpErr lp_report_summary(const LpSession *session, LpBuf *out, LpDiag *diag) {
    LpReport report = lp_report_open(session, out, diag);
    LpErr err = lp_report_json_summary(&report);
    lp_report_fini(&report);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

LpErr lp_report_job(const LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) {
    LpReport report = lp_report_open(session, out, diag);
    LpErr err = lp_report_stand(&report);
    if (err == LP_OK)
        err = lp_report_json_job(&report, lp_world_job(report.world, job));
    lp_report_fini(&report);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* The table with this key, NULL: none. */
static const LpFacts *find_table(const LpReport *r, const char *key, const LpFact **fact) {
    const LpFacts *table[LP_JOB_TABLES];
    uint32_t tables = lp_job_tables(r->context, table);
    for (uint32_t i = 0; i < tables; i++)
        if ((*fact = lp_facts_find(table[i], key)) != NULL)
            return table[i];
    return NULL;
}

LpErr lp_report_count(const LpSession *session, const char *key, const char *value, bool *known,
                      uint32_t *count, LpDiag *diag) {
    LpBuf text = {0};
    LpReport report = lp_report_open(session, &text, diag);
    const LpFact *fact = NULL;
    const LpFacts *facts = find_table(&report, key, &fact);
    uint32_t found = 0;
    *known = facts != NULL;
    LpErr stand = *known && lp_job_fact_stands(fact) ? lp_report_stand(&report) : LP_OK;
    for (uint32_t i = 0; facts != NULL && stand == LP_OK && i < lp_world_jobs(report.world); i++) {
        LpFactValue is = lp_fact_value(facts, fact, lp_world_job(report.world, i), &report.around);
        lp_buf_clear(&text);
        lp_fact_print(&is, &text);
        found += strcmp(lp_buf_text(&text), value) == 0 ? 1 : 0;
    }
    text.failed = text.failed || report.around.failed;
    LpErr err = stand == LP_OK ? lp_buf_ok(&text, diag) : stand;
    lp_report_fini(&report);
    lp_buf_fini(&text);
    if (err == LP_OK)
        *count = found;
    return err;
}

LpErr lp_report_fact(const LpSession *session, uint32_t job, const char *key, LpBuf *out,
                     bool *known, LpDiag *diag) {
    LpReport report = lp_report_open(session, out, diag);
    const LpFact *fact = NULL;
    const LpFacts *facts = find_table(&report, key, &fact);
    *known = facts != NULL && (fact->to & LP_TO_JSON) && fact->is != LP_FACT_LIST;
    LpErr err = *known && lp_job_fact_stands(fact) ? lp_report_stand(&report) : LP_OK;
    if (*known && err == LP_OK) {
        LpFactValue is =
            lp_fact_value(facts, fact, lp_world_job(report.world, job), &report.around);
        *known = is.is != LP_FACT_ABSENT;
        if (*known)
            lp_fact_print(&is, out);
    }
    lp_report_fini(&report);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}
