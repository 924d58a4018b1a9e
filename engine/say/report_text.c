/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results as a summary for people, every number with its unit. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ask/blame/blame.h"
#include "base/hash.h"
#include "base/num.h"
#include "model/device/device.h"
#include "say/report_impl.h"

enum { TEXT = 64 };

/* What is below 1 is slower, and told so: nobody reads "0.09 times faster" as eleven times slower.
 */
static void add_speedup(LpBuf *out, double times) {
    if (isnan(times))
        return;
    if (times >= 0.995 && times < 1.005)
        lp_buf_add(out, "; as fast as unsplit");
    else if (times >= 1)
        lp_buf_addf(out, "; %.2f times faster than unsplit", times);
    else if (times > 0)
        lp_buf_addf(out, "; %.2f times slower than unsplit", 1 / times);
    else
        lp_buf_add(out, "; without end slower than unsplit");
}

/* "label      " in a column of its own. */
static void add_label(LpBuf *out, const char *label) {
    lp_buf_addf(out, "%-12s", label);
}

static void add_safe(LpBuf *out, const char *text) {
    lp_str_escape(out, text, strlen(text));
}

static void add_quantity(LpBuf *out, const char *before, double value, LpDimension dim) {
    char text[TEXT];
    lp_buf_addf(out, "%s%s", before, lp_quantity_print(value, dim, text, sizeof text));
}

static void add_percent(LpBuf *out, const char *before, double share, const char *after) {
    if (isnan(share))
        lp_buf_addf(out, "%sn/a%s", before, after);
    else
        lp_buf_addf(out, "%s%.1f %%%s", before, 100 * share, after);
}

static const char *semantics(const LpScenario *scenario) {
    LpOptions base =
        scenario->semantics_published ? lp_options_published() : lp_options_corrected();
    bool pure = memcmp(&base, &scenario->options, sizeof base) == 0;
    if (scenario->semantics_published)
        return pure ? "published semantics" : "published semantics with options";
    return pure ? "corrected semantics" : "corrected semantics with options";
}

static void add_rate(LpBuf *out, const LpRates *rates) {
    if (rates->precision == LP_PRECISION_FP32)
        lp_buf_addf(out, "arithmetic at the fp32 rate of %s", rates->device->name);
    else
        lp_buf_addf(out, "products in %s on matrix units of %s, the rest in fp32",
                    lp_precision_word(rates->precision), rates->device->name);
    if (rates->by_size)
        lp_buf_add(out, ", efficiency by size");
}

/* At what rate times were worked out, where it is not the usual one: narrow values do not make the
 * arithmetic faster, a precision does. */
bool lp_report_values(const LpGraph *graph, LpBuf *out) {
    const LpRates *rates = &graph->rates;
    bool narrow = graph->value_bytes == 2;
    bool usual = rates->precision == LP_PRECISION_FP32 && !rates->by_size;
    if (rates->device == NULL || (usual && !narrow))
        return false;
    if (out == NULL)
        return true;
    add_safe(out, graph->id);
    lp_buf_add(out, narrow ? ": 2 bytes each, " : ": ");
    add_rate(out, rates);
    if (usual)
        lp_buf_add(out, ", not fp16 or bf16");
    return true;
}

static void add_head(LpReport *r) {
    const LpScenario *s = r->scenario;
    add_label(r->out, "scenario");
    add_safe(r->out, s->name);
    if (s->title != NULL && s->title[0] != '\0') {
        lp_buf_add(r->out, ": ");
        add_safe(r->out, s->title);
    }
    lp_buf_addf(r->out, " (%s, seed %" PRIu64 ")\n", semantics(s), lp_world_seed(r->world));
    add_label(r->out, "policy");
    add_safe(r->out, lp_session_policy_name(r->session));
    lp_buf_add(r->out, "\n");
    for (uint32_t g = 0; g < r->scenario->graphs; g++) {
        if (!lp_report_values(r->scenario->graph[g], NULL))
            continue;
        add_label(r->out, "values");
        lp_report_values(r->scenario->graph[g], r->out);
        lp_buf_add(r->out, "\n");
    }
    add_quantity(r->out, "time        0 s to ", lp_world_now(r->world), LP_DIM_TIME);
    lp_buf_add(r->out, "\n");
    char number[LP_NUM_TEXT], date[LP_DATE_TEXT], zone[LP_ZONE_TEXT];
    if (s->epoch.given) {
        lp_buf_addf(r->out, "clock       %s to ", lp_scenario_date(s, 0, LP_DATE_WHOLE, date));
        lp_buf_addf(r->out, "%s %s\n",
                    lp_scenario_date(s, lp_world_now(r->world), LP_DATE_WHOLE, date),
                    lp_epoch_zone(&s->epoch, zone));
    } else if (s->clock_offset > 0) {
        lp_scenario_date(s, 0, LP_DATE_PLAIN, date);
        lp_buf_addf(r->out, "clock       0 s is %s s of the scenario%s%s%s\n",
                    lp_num_print(s->clock_offset, number), *date ? ", " : "", date,
                    *date ? " UTC" : "");
    }
}

static void add_jobs(const LpReport *r, const LpSummary *s) {
    LpBuf *out = r->out;
    add_label(out, "jobs");
    lp_buf_addf(out, "%" PRIu64 " arrived: %" PRIu64 " completed, %" PRIu64 " blocked", s->arrived,
                s->completed, s->blocked);
    add_percent(out, " (", s->blocking_rate, ")");
    lp_buf_addf(out, ", %" PRIu64 " unfinished", s->unfinished);
    if (s->never_started > 0)
        lp_buf_addf(out, ", of which %" PRIu64 " never started", s->never_started);
    if (s->aborted > 0)
        lp_buf_addf(out, ", %" PRIu64 " aborted", s->aborted);
    lp_buf_add(out, "\n");
    if (s->late > 0) {
        add_label(out, "! late");
        lp_buf_addf(out, "%" PRIu64 " of the completed ended after their deadline", s->late);
        add_percent(out, "; by true deadlines ", lp_summary_lost(s), " are not served");
        lp_buf_add(out, " (Q17)\n");
    }
    if (s->blocked == 0)
        return;
    const char *before = "";
    add_label(out, "blocked by");
    for (int c = 0; c < LP_CAUSE_COUNT; c++) {
        if (s->blocked_by[c] == 0 || lp_cause_code((LpCause)c) == NULL)
            continue;
        lp_buf_addf(out, "%s%s %" PRIu64, before, lp_cause_code((LpCause)c), s->blocked_by[c]);
        if (c == LP_CAUSE_QUEUE_FULL)
            lp_buf_addf(out, " (queue_capacity %" PRIu32 ")", r->scenario->queue_capacity);
        before = ", ";
    }
    lp_buf_add(out, "\n");
}

static void add_jcts(LpBuf *out, const LpSummary *s) {
    add_label(out, "JCT");
    if (s->completed == 0) {
        lp_buf_add(out, "n/a: no job completed\n");
        return;
    }
    add_quantity(out, "mean ", s->mean_jct, LP_DIM_TIME);
    add_quantity(out, ", median ", s->p50_jct, LP_DIM_TIME);
    add_quantity(out, ", 95 % within ", s->p95_jct, LP_DIM_TIME);
    add_speedup(out, s->mean_jct_speedup);
    lp_buf_add(out, " (completed jobs)\n");
}

static LpErr add_use(LpReport *r, const LpSummary *s) {
    LpBuf *out = r->out;
    add_label(out, "window");
    if (s->from < s->until) {
        add_quantity(out, "", s->from, LP_DIM_TIME);
        add_quantity(out, " to ", s->until, LP_DIM_TIME);
        lp_buf_add(out, ", of which:\n");
    } else {
        lp_buf_add(out, "n/a: no job ran\n");
    }
    add_label(out, "servers");
    lp_buf_addf(out, "%" PRIu32, lp_world_servers(r->world));
    add_percent(out, ", computing ", s->server_utilisation, " of the time");
    add_percent(out, "; held ", s->allocation, "");
    add_percent(out, ", useful and kept ", s->goodput, "\n");
    if (r->context->fabric.ops->slices)
        LP_TRY(lp_report_slices_text(r));
    LP_TRY(lp_report_failures_text(r));
    if (r->context->fabric.ops->slices)
        return LP_OK;
    lp_report_turning_text(r, out);
    add_label(out, "throughput");
    add_quantity(out, "memory of ops ", s->compute_throughput, LP_DIM_BANDWIDTH);
    add_quantity(out, ", dependencies ", s->dep_throughput, LP_DIM_BANDWIDTH);
    add_quantity(out, ", sent ", s->flow_throughput, LP_DIM_BANDWIDTH);
    add_quantity(out, ", demand ", s->demand_throughput, LP_DIM_BANDWIDTH);
    lp_buf_add(out, "\n");
    return LP_OK;
}

LpErr lp_report_write_text(LpReport *report) {
    LpSummary s;
    char hash[LP_HASH_HEX];
    LP_TRY(lp_report_sum(report, &s));
    add_head(report);
    if (s.windowed) {
        add_quantity(report->out, "measured    ", s.from, LP_DIM_TIME);
        add_quantity(report->out, " to ", s.until, LP_DIM_TIME);
        lp_buf_add(report->out, " (jobs that arrived then)\n");
    }
    add_jobs(report, &s);
    add_jcts(report->out, &s);
    lp_report_waits_text(report, &s);
    LP_TRY(add_use(report, &s));
    /* Who is to blame, one line for each blocked job. */
    size_t count;
    const LpBlame *blame = lp_session_blames(report->session, &count);
    for (size_t i = 0; i < count; i++) {
        add_label(report->out, i == 0 ? "blame" : "");
        lp_buf_addf(report->out, "%s\n", blame[i].text);
        LP_TRY(lp_report_flush(report));
    }
    add_label(report->out, "hash");
    lp_buf_addf(report->out, "%s\n", lp_hash_hex(lp_session_hash(report->session), hash));
    return LP_OK;
}
