/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results as one JSON object. */
#include <math.h>

#include "ask/blame/blame.h"
#include "ask/inspect/story.h"
#include "base/json_out.h"
#include "say/report_impl.h"
#include "session/failure.h"
#include "session/session_impl.h"
#include "sim/facts/metric.h"
#include "sim/facts/worst.h"
#include "sim/place/slice.h"

/* ---- jobs ---- */

/* Why a job waits, or did when the run ended. */
static LpErr add_waiting(LpReport *r, LpJsonOut *out, const LpJob *job) {
    LpWhyAsk ask = lp_story_asks(r->session, job->id);
    LpReason reason;
    if (!lp_why_waits(job))
        return LP_OK;
    if (r->why == NULL)
        LP_TRY(lp_why_open(r->world, r->context, &r->why, r->diag));
    LP_TRY(lp_why_ask(r->why, job->id, &ask, &reason, r->diag));
    lp_reason_json(&reason, lp_session_wording(r->session), out);
    return LP_OK;
}

/* What it waited for, where that is known. */
static void add_waited(const LpReport *r, LpJsonOut *out, const LpJob *job) {
    const LpWaitBook *book = lp_session_wait_book(r->session);
    if (book == NULL)
        return;
    LpWaited waited = lp_wait_book_of(book, r->world, job->id);
    lp_waited_json(out, &waited);
}

static LpErr add_job(LpReport *r, LpJsonOut *out, const LpJob *job) {
    LpJobTime time;
    lp_json_open(out, NULL, '{');
    lp_facts_json(&lp_job_number_facts, job, &r->around, out);
    if (lp_job_identities_told(r->context))
        lp_facts_json(&lp_job_identity_facts, job, &r->around, out);
    lp_facts_json(&lp_job_rest_facts, job, &r->around, out);
    if (lp_job_slice(r->context, job) != NULL) {
        lp_facts_json(&lp_job_slice_facts, job, &r->around, out);
        lp_report_waited(r, out, job);
    } else {
        add_waited(r, out, job);
    }
    if (lp_job_failures_told(r->context)) {
        LpAccounts accounts = lp_job_accounts(r->world, r->context, job);
        lp_facts_json(&lp_job_failure_facts, job, &r->around, out);
        lp_report_accounts(out, &accounts);
    }
    if (r->scenario->turning.form != LP_TURNING_NONE)
        lp_facts_json(&lp_job_turning_facts, job, &r->around, out);
    const char *explain = lp_session_explain(r->session, job->id);
    if (explain != NULL)
        lp_json_put_raw(out, "explain", explain);
    LP_TRY(add_waiting(r, out, job));
    LP_TRY(lp_job_time(r->world, r->context, job, &r->book, &time, r->diag));
    lp_job_time_json(out, &time);
    lp_json_close(out, '}');
    return r->around.failed ? lp_fail_memory(r->diag, "the list of jobs") : LP_OK;
}

LpErr lp_report_json_job(LpReport *r, const LpJob *job) {
    LpJsonOut out = {.out = r->out};
    return add_job(r, &out, job);
}

static LpErr add_jobs(LpReport *r, LpJsonOut *out) {
    LP_TRY(lp_report_stand(r));
    lp_json_break(out);
    lp_json_open(out, "jobs", '[');
    for (uint32_t i = 0; i < lp_world_jobs(r->world); i++) {
        lp_json_break(out);
        LP_TRY(add_job(r, out, lp_world_job(r->world, i)));
        LP_TRY(lp_report_flush(r));
    }
    lp_json_close(out, ']');
    return LP_OK;
}

/* ---- summary ---- */

static void add_window(const LpReport *r, LpJsonOut *out, const char *key, const LpSummary *s) {
    if (!(s->from < s->until)) {
        lp_json_put_null(out, key);
        return;
    }
    lp_json_open(out, key, '{');
    lp_json_put_number(out, "from", lp_scenario_time(r->scenario, s->from));
    lp_json_put_number(out, "until", lp_scenario_time(r->scenario, s->until));
    lp_json_close(out, '}');
}

/* The same flat, as tables of results have it. */
static void add_window_ends(const LpReport *r, LpJsonOut *out, const LpSummary *s) {
    bool any = s->from < s->until;
    double from = any ? lp_scenario_time(r->scenario, s->from) : (double)NAN;
    double until = any ? lp_scenario_time(r->scenario, s->until) : (double)NAN;
    lp_json_put_number(out, "window_from", from);
    lp_json_put_number(out, "window_until", until);
}

/* Most jobs waiting, and for how many servers: null where nobody waited. */
static void add_queue_peak(const LpReport *r, LpJsonOut *out, const LpSummary *s) {
    lp_json_open(out, "queue_peak", '{');
    lp_json_put_count(out, "waiting", s->peak_waiting);
    lp_json_put_count(out, "servers", s->peak_servers);
    lp_json_put_number(out, "time", lp_scenario_time(r->scenario, s->peak_time));
    lp_json_close(out, '}');
}

static void add_import(const LpReport *r, LpJsonOut *out) {
    const LpImported *imported = &r->scenario->imported;
    if (!imported->given)
        return;
    lp_json_open(out, "import", '{');
    lp_json_put_count(out, "rows", imported->rows);
    lp_json_put_count(out, "taken", imported->taken);
    lp_json_open(out, "left_out", '{');
    for (uint32_t i = 0; i < imported->reasons; i++)
        lp_json_put_count(out, imported->left_out[i].reason, imported->left_out[i].rows);
    lp_json_close(out, '}');
    lp_json_close(out, '}');
}

static LpErr add_summary(LpReport *r, LpJsonOut *out) {
    LpSummary s;
    LP_TRY(lp_report_sum(r, &s));
    lp_json_break(out);
    lp_json_open(out, "summary", '{');
    lp_facts_json(&lp_summary_facts, &s, NULL, out);
    add_queue_peak(r, out, &s);
    lp_json_put_number(out, "end", lp_scenario_time(r->scenario, lp_world_now(r->world)));
    add_window_ends(r, out, &s);
    lp_summary_json_causes(out, &s);
    lp_json_put_count(out, "killed", s.killed);
    const LpTally *tally = lp_world_tally(r->world);
    if (tally->preemptions + tally->moves > 0) {
        lp_json_put_count(out, "preemptions", tally->preemptions);
        lp_json_put_count(out, "moves", tally->moves);
    }
    LP_TRY(lp_report_slices(r, out));
    LP_TRY(lp_report_failures(r, out));
    lp_report_turning(r, out);
    add_import(r, out);
    if (s.windowed)
        add_window(r, out, "measure", &s);
    add_window(r, out, "window", &s);
    lp_json_close(out, '}');
    return LP_OK;
}

LpErr lp_report_json_summary(LpReport *r) {
    LpJsonOut out = {.out = r->out};
    lp_json_open(&out, NULL, '{');
    LP_TRY(add_summary(r, &out));
    lp_json_end(&out);
    return LP_OK;
}

static LpErr add_worst(LpReport *r, LpJsonOut *out) {
    LpWorst worst;
    LP_TRY(lp_worst_find(&r->standing, r->context, &worst, r->diag));
    lp_json_break(out);
    worst.remaining.time = lp_scenario_time(r->scenario, worst.remaining.time);
    worst.queue.time = lp_scenario_time(r->scenario, worst.queue.time);
    worst.longest.time = lp_scenario_time(r->scenario, worst.longest.time);
    lp_worst_json(out, &worst);
    return LP_OK;
}

/* ---- published statistics ---- */

static LpErr add_statistic(LpReport *r, LpJsonOut *out, const LpStatistic *s) {
    if (!s->is_list) {
        lp_json_put_number(out, s->name, s->value);
        return LP_OK;
    }
    if (s->count == 0)
        return LP_OK;
    lp_json_open(out, s->name, '[');
    for (uint32_t i = 0; i < s->count; i++) {
        lp_json_put_number(out, NULL, s->values[i]);
        LP_TRY(lp_report_flush(r));
    }
    lp_json_close(out, ']');
    return LP_OK;
}

static LpErr add_published(LpReport *r, LpJsonOut *out) {
    LpStatistics statistics = {0};
    LpErr err = LP_OK;
    if (!lp_options_all_published(&r->scenario->options))
        return LP_OK;
    LP_TRY(lp_metrics_published(r->world, r->context, &statistics, r->diag));
    lp_json_break(out);
    lp_json_open(out, "published", '{');
    for (uint32_t i = 0; err == LP_OK && i < statistics.count; i++)
        err = add_statistic(r, out, &statistics.item[i]);
    lp_json_close(out, '}');
    lp_statistics_fini(&statistics);
    return err;
}

/* ---- who is to blame, how the policy failed ---- */

static void add_blames(LpReport *r, LpJsonOut *out) {
    size_t count;
    const LpBlame *blame = lp_session_blames(r->session, &count);
    if (!r->session->blamed)
        return;
    lp_json_break(out);
    lp_json_open(out, "blame", '[');
    for (size_t i = 0; i < count; i++) {
        lp_json_break(out);
        lp_blame_json(r->scenario, &blame[i], out);
    }
    lp_json_close(out, ']');
}

/* Only of a run that would not end. */
static void add_stuck(LpReport *r, LpJsonOut *out) {
    static const char *const cause[] = {[LP_STUCK_IDLE] = "idle", [LP_STUCK_VAINLY] = "endless"};
    LpBuf text = {0};
    if (lp_session_stuck(r->session, &text)) {
        lp_json_open(out, "stuck", '{');
        lp_json_put_text(out, "cause", cause[lp_world_stuck(r->world)]);
        lp_json_put_text(out, "text", lp_buf_text(&text));
        lp_json_close(out, '}');
    }
    lp_buf_fini(&text);
}

static void add_failures(LpReport *r, LpJsonOut *out) {
    size_t count = lp_session_failures(r->session);
    if (count == 0)
        return;
    lp_json_break(out);
    lp_json_open(out, "policy_errors", '[');
    for (size_t i = 0; i < count; i++) {
        lp_json_break(out);
        lp_failure_json(r->scenario, lp_session_failure(r->session, i), out);
    }
    lp_json_close(out, ']');
}

/* What the policy was asked, and what that took. */
static void add_asked(LpReport *r, LpJsonOut *out) {
    const LpPolicyRecord *asked = lp_session_policy_record(r->session);
    if (asked->calls == 0)
        return;
    lp_json_break(out);
    lp_json_open(out, "asked", '{');
    lp_json_put_count(out, "calls", asked->calls);
    lp_json_put_count(out, "decisions", asked->decisions);
    lp_json_put_count(out, "reviews", asked->reviews);
    lp_json_put_count(out, "orders", asked->orders);
    lp_json_put_count(out, "keys", asked->keys);
    lp_json_put_count(out, "instructions", asked->instructions);
    lp_json_close(out, '}');
}

/* ---- the object ---- */

static void add_values(LpReport *r, LpJsonOut *out) {
    bool any = false;
    for (uint32_t g = 0; g < r->scenario->graphs; g++) {
        const LpGraph *graph = r->scenario->graph[g];
        if (!lp_report_values(graph, NULL))
            continue;
        if (!any)
            lp_json_open(out, "values", '[');
        any = true;
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "graph", graph->id);
        lp_json_put_count(out, "bytes", (uint64_t)graph->value_bytes);
        lp_json_put_text(out, "arithmetic", lp_precision_word(graph->rates.precision));
        if (graph->rates.by_size)
            lp_json_put_text(out, "efficiency", "size");
        lp_json_put_text(out, "device", graph->device);
        lp_json_close(out, '}');
    }
    if (any)
        lp_json_close(out, ']');
}

LpErr lp_report_write_json(LpReport *r) {
    LpJsonOut out = {.out = r->out};
    lp_json_open(&out, NULL, '{');
    lp_session_json_head(r->session, &out);
    lp_json_put_hash(&out, "hash", lp_session_hash(r->session));
    add_values(r, &out);
    LP_TRY(add_jobs(r, &out));
    LP_TRY(add_summary(r, &out));
    LP_TRY(add_worst(r, &out));
    LP_TRY(add_published(r, &out));
    add_stuck(r, &out);
    add_blames(r, &out);
    add_failures(r, &out);
    add_asked(r, &out);
    if (r->told != NULL) {
        lp_json_break(&out);
        lp_json_put_bool(&out, "complete", r->told->complete);
        lp_json_put_raw(&out, "provenance", r->told->provenance);
    }
    lp_json_end(&out);
    return LP_OK;
}
