/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results as one JSON object. */
#include <inttypes.h>

#include "base/hash.h"
#include "base/num.h"
#include "run/report/impl.h"
#include "run/session/failure.h"
#include "run/session/impl.h"
#include "run/whatif/blame_impl.h"

static void add_number(LpBuf *out, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_add(out, lp_num_print(value, text));
}

/* `"key":` with what comes before it. Keys are words. */
static void add_key(LpBuf *out, const char *before, const char *key) {
    lp_buf_add(out, before);
    lp_buf_add(out, "\"");
    lp_buf_add(out, key);
    lp_buf_add(out, "\":");
}

/* ---- jobs ---- */

static void add_list(LpBuf *out, const uint32_t *item, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        lp_buf_addf(out, "%s%" PRIu32, i > 0 ? "," : "[", item[i]);
    lp_buf_add(out, count > 0 ? "]" : "[]");
}

static void add_value(LpBuf *out, const LpReportValue *value) {
    switch (value->type) {
    case LP_VALUE_NULL:
        lp_buf_add(out, "null");
        break;
    case LP_VALUE_NUMBER:
        add_number(out, value->number);
        break;
    case LP_VALUE_TEXT:
        lp_str_json(out, value->text);
        break;
    case LP_VALUE_LIST:
        add_list(out, value->item, value->count);
        break;
    }
}

static void add_job(LpReport *r, const LpJob *job) {
    size_t count;
    const LpReportColumn *column = lp_report_columns(&count);
    for (size_t c = 0; c < count; c++) {
        LpReportValue value = lp_report_value(r, &column[c], job);
        add_key(r->out, c > 0 ? "," : "{", column[c].key);
        add_value(r->out, &value);
    }
    const char *explain = lp_session_explain(r->session, job->id);
    if (explain != NULL)
        lp_buf_addf(r->out, ",\"explain\":%s", explain);
    lp_buf_add(r->out, "}");
}

static LpErr add_jobs(LpReport *r) {
    uint32_t jobs = lp_world_jobs(r->world);
    lp_buf_add(r->out, ",\n\"jobs\":[");
    for (uint32_t i = 0; i < jobs; i++) {
        lp_buf_add(r->out, i > 0 ? ",\n" : "\n");
        add_job(r, lp_world_job(r->world, i));
        LP_TRY(lp_report_flush(r));
    }
    lp_buf_add(r->out, "]");
    return LP_OK;
}

/* ---- summary ---- */

static void add_blocked_by(LpBuf *out, const LpSummary *s) {
    const char *before = "";
    lp_buf_add(out, ",\"blocked_by\":{");
    for (int c = 0; c < LP_CAUSE_COUNT; c++) {
        if (s->blocked_by[c] == 0 || lp_cause_code((LpCause)c) == NULL)
            continue;
        add_key(out, before, lp_cause_code((LpCause)c));
        lp_buf_addf(out, "%" PRIu64, s->blocked_by[c]);
        before = ",";
    }
    lp_buf_add(out, "}");
}

static void add_window(LpBuf *out, const char *key, const LpSummary *s) {
    add_key(out, ",", key);
    if (!(s->from < s->until)) {
        lp_buf_add(out, "null");
        return;
    }
    lp_buf_add(out, "{\"from\":");
    add_number(out, s->from);
    lp_buf_add(out, ",\"until\":");
    add_number(out, s->until);
    lp_buf_add(out, "}");
}

static LpErr add_summary(LpReport *r) {
    LpSummary s;
    LP_TRY(lp_metrics_summary(r->world, r->context, &s, r->diag));
    const struct {
        const char *key;
        double value;
    } row[] = {
        {"arrived", (double)s.arrived},
        {"completed", (double)s.completed},
        {"blocked", (double)s.blocked},
        {"unfinished", (double)s.unfinished},
        {"blocking_rate", s.blocking_rate},
        {"unserved_rate", s.unserved_rate},
        {"mean_jct", s.mean_jct},
        {"p50_jct", s.p50_jct},
        {"p95_jct", s.p95_jct},
        {"mean_jct_speedup", s.mean_jct_speedup},
        {"mean_wait", s.mean_wait},
        {"server_utilisation", s.server_utilisation},
        {"kernel_utilisation", s.kernel_utilisation},
        {"compute_throughput", s.compute_throughput},
        {"dep_throughput", s.dep_throughput},
        {"flow_throughput", s.flow_throughput},
        {"demand_throughput", s.demand_throughput},
    };
    lp_buf_add(r->out, ",\n\"summary\":");
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        add_key(r->out, i > 0 ? "," : "{", row[i].key);
        add_number(r->out, row[i].value);
    }
    add_blocked_by(r->out, &s);
    const LpTally *tally = lp_world_tally(r->world);
    if (tally->preemptions + tally->moves > 0)
        lp_buf_addf(r->out, ",\"preemptions\":%" PRIu64 ",\"moves\":%" PRIu64, tally->preemptions,
                    tally->moves);
    if (s.windowed)
        add_window(r->out, "measure", &s);
    add_window(r->out, "window", &s);
    lp_buf_add(r->out, "}");
    return LP_OK;
}

/* ---- published statistics ---- */

static LpErr add_statistic(LpReport *r, const LpStatistic *s) {
    if (!s->is_list) {
        add_number(r->out, s->value);
        return LP_OK;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        lp_buf_add(r->out, i > 0 ? "," : "[");
        add_number(r->out, s->values[i]);
        LP_TRY(lp_report_flush(r));
    }
    lp_buf_add(r->out, "]");
    return LP_OK;
}

static LpErr add_statistics(LpReport *r, const LpStatistics *statistics) {
    const char *before = "{";
    lp_buf_add(r->out, ",\n\"published\":");
    for (uint32_t i = 0; i < statistics->count; i++) {
        const LpStatistic *s = &statistics->item[i];
        if (s->is_list && s->count == 0)
            continue;
        add_key(r->out, before, s->name);
        LP_TRY(add_statistic(r, s));
        before = ",";
    }
    lp_buf_add(r->out, before[0] == '{' ? "{}" : "}");
    return LP_OK;
}

static LpErr add_published(LpReport *r) {
    LpStatistics statistics = {0};
    if (!lp_options_all_published(&r->scenario->options))
        return LP_OK;
    LP_TRY(lp_metrics_published(r->world, r->context, &statistics, r->diag));
    LpErr err = add_statistics(r, &statistics);
    lp_statistics_fini(&statistics);
    return err;
}

/* ---- who is to blame ---- */

static void add_blames(LpReport *r) {
    size_t count;
    const LpBlame *blame = lp_session_blames(r->session, &count);
    if (!r->session->blamed)
        return;
    lp_buf_add(r->out, ",\n\"blame\":[");
    for (size_t i = 0; i < count; i++) {
        lp_buf_add(r->out, i > 0 ? ",\n" : "\n");
        lp_blame_json(r->out, &blame[i]);
    }
    lp_buf_add(r->out, "]");
}

/* ---- how the policy failed ---- */

static void add_failures(LpReport *r) {
    size_t count = lp_session_failures(r->session);
    if (count == 0)
        return;
    lp_buf_add(r->out, ",\n\"policy_errors\":[");
    for (size_t i = 0; i < count; i++) {
        lp_buf_add(r->out, i > 0 ? ",\n" : "\n");
        lp_failure_json(lp_session_failure(r->session, i), r->out);
    }
    lp_buf_add(r->out, "]");
}

/* ---- the object ---- */

static void add_values(LpReport *r) {
    const char *before = ",\"values\":[";
    for (uint32_t g = 0; g < r->scenario->graphs; g++) {
        const LpGraph *graph = r->scenario->graph[g];
        if (!lp_report_values(graph, NULL))
            continue;
        lp_buf_addf(r->out, "%s{\"graph\":", before);
        lp_str_json(r->out, graph->id);
        lp_buf_addf(r->out, ",\"bytes\":%u,\"arithmetic\":\"fp32\",\"device\":",
                    (unsigned)graph->value_bytes);
        lp_str_json(r->out, graph->device);
        lp_buf_add(r->out, "}");
        before = ",";
    }
    lp_buf_add(r->out, before[1] == '\0' ? "]" : "");
}

static void add_head(LpReport *r) {
    char hash[LP_HASH_HEX];
    lp_buf_add(r->out, "{\"lightpath\":1,\"scenario\":");
    lp_str_json(r->out, r->scenario->name);
    lp_buf_add(r->out, ",\"policy\":");
    lp_str_json(r->out, lp_session_policy_name(r->session));
    lp_buf_addf(r->out, ",\"seed\":%" PRIu64 ",\"hash\":\"%s\"", lp_world_seed(r->world),
                lp_hash_hex(lp_session_hash(r->session), hash));
    add_values(r);
}

LpErr lp_report_write_json(LpReport *report) {
    add_head(report);
    LP_TRY(add_jobs(report));
    LP_TRY(add_summary(report));
    LP_TRY(add_published(report));
    add_blames(report);
    add_failures(report);
    lp_buf_add(report->out, "}\n");
    return LP_OK;
}
