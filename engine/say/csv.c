/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's jobs as a CSV table: the facts of the JSON report. */
#include <math.h>
#include <stdio.h>

#include "base/csv_out.h"
#include "say/report_impl.h"
#include "sim/place/slice.h"

/* Times are seconds from the scenario's epoch, which the first row has. */
static void add_epoch(const LpReport *r, bool first, LpCsvOut *out) {
    char epoch[LP_DATE_TEXT];
    if (r->scenario->epoch.given)
        lp_csv_put_text(out, first ? lp_scenario_epoch(r->scenario, epoch) : NULL);
}

/* Its wait by cause; nothing where that is not known. */
static void add_wait_titles(LpCsvOut *out) {
    char title[64];
    for (int i = 0; i < LP_WAITED_COUNT; i++) {
        snprintf(title, sizeof title, "wait_%s", lp_waited_code((LpWaitCause)i));
        lp_csv_put_words(out, title);
    }
}

static void add_wait_cells(const LpReport *r, const LpJob *job, LpCsvOut *out) {
    const LpWaitBook *book = lp_session_wait_book(r->session);
    LpWaited waited = lp_wait_book_of(book, r->world, job->id);
    bool known = book != NULL || lp_job_slice(r->context, job) != NULL;
    for (int i = 0; i < LP_WAITED_COUNT; i++)
        lp_csv_put_number(out, known ? waited.by[i] : (double)NAN);
}

static void add_titles(const LpReport *r, LpCsvOut *out) {
    lp_facts_csv_titles(&lp_job_number_facts, out);
    if (lp_job_identities_told(r->context))
        lp_facts_csv_titles(&lp_job_identity_facts, out);
    lp_facts_csv_titles(&lp_job_rest_facts, out);
    add_wait_titles(out);
    if (r->context->fabric.ops->slices) {
        lp_facts_csv_titles(&lp_job_slice_facts, out);
        lp_report_waited_titles(out);
    }
    if (lp_job_failures_told(r->context)) {
        lp_facts_csv_titles(&lp_job_failure_facts, out);
        lp_report_accounts_titles(out);
    }
    if (r->scenario->epoch.given)
        lp_csv_put_words(out, "epoch");
    lp_csv_end(out);
}

static void add_cells(LpReport *r, const LpJob *job, LpCsvOut *out) {
    lp_facts_csv(&lp_job_number_facts, job, &r->around, out);
    if (lp_job_identities_told(r->context))
        lp_facts_csv(&lp_job_identity_facts, job, &r->around, out);
    lp_facts_csv(&lp_job_rest_facts, job, &r->around, out);
    add_wait_cells(r, job, out);
    if (r->context->fabric.ops->slices) {
        lp_facts_csv(&lp_job_slice_facts, job, &r->around, out);
        lp_report_waited_cells(out, job);
    }
    if (lp_job_failures_told(r->context)) {
        LpAccounts accounts = lp_job_accounts(r->world, r->context, job);
        lp_facts_csv(&lp_job_failure_facts, job, &r->around, out);
        lp_report_accounts_cells(out, &accounts);
    }
    add_epoch(r, job->id == 0, out);
    lp_csv_end(out);
}

static LpErr write_csv(LpReport *report, bool raw) {
    LpCsvOut out = {.out = report->out, .raw = raw};
    LP_TRY(lp_report_stand(report));
    add_titles(report, &out);
    for (uint32_t i = 0; i < lp_world_jobs(report->world); i++) {
        add_cells(report, lp_world_job(report->world, i), &out);
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
