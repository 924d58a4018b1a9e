/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if table as JSON and for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "run/inspect/network_text.h"
#include "run/whatif/whatif.h"
#include "sim/metric.h"

enum { TEXT = 64 };

static const char *const kinds[] = {
    [LP_ANSWER_RUN] = "run", [LP_ANSWER_DECLINE] = "decline", [LP_ANSWER_WAIT] = "wait"};

/* ---- JSON ---- */

static void add_forecast(LpJsonOut *out, const LpWhatIf *row) {
    const LpForecast *f = &row->forecast;
    bool ok = row->kind == LP_ANSWER_RUN && f->feasible;
    char shape[LP_SHAPE_TEXT];
    const LpJsonNumber number[] = {{"jct", f->jct},
                                   {"step_time", f->step_time},
                                   {"finish", f->finish},
                                   {"communication_time", f->communication},
                                   {"exposed_communication_time", f->exposed},
                                   {"circuits", f->circuits},
                                   {"of_limit", row->of_limit}};
    for (size_t i = 0; i < LP_COUNTOF(number); i++)
        lp_json_put_number(out, number[i].key, ok ? number[i].value : (double)NAN);
    lp_json_put_text(out, "shape",
                     ok && f->shape.groups > 0 ? lp_shape_print(&f->shape, shape) : NULL);
    if (ok)
        lp_json_put_counts(out, "servers", row->server, row->servers);
    else
        lp_json_put_null(out, "servers");
}

static void add_end(LpJsonOut *out, const LpWhatIf *row) {
    static const LpMetric metric[] = {
        LP_METRIC_COMPLETED, LP_METRIC_BLOCKED, LP_METRIC_UNFINISHED, LP_METRIC_BLOCKING,
        LP_METRIC_MEAN_JCT,  LP_METRIC_P95_JCT, LP_METRIC_UTILISATION};
    if (!row->ended) {
        lp_json_put_null(out, "end");
        return;
    }
    lp_json_open(out, "end", '{');
    lp_json_put_hash(out, "hash", row->hash);
    lp_summary_json(out, &row->end, metric, LP_COUNTOF(metric));
    lp_json_close(out, '}');
}

static void add_row(LpJsonOut *out, const LpWhatIf *row) {
    bool runs = row->kind == LP_ANSWER_RUN;
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "answer", kinds[row->kind]);
    lp_json_put_number(out, "degree", runs ? row->degree : (double)NAN);
    lp_json_put_bool(out, "allowed", row->allowed);
    lp_json_put_bool(out, "accepted", row->accepted);
    lp_json_put_bool(out, "chosen", row->chosen);
    lp_json_put_text(out, "cause", runs ? lp_cause_code(row->forecast.cause) : NULL);
    add_forecast(out, row);
    lp_json_put_number(out, "free_after", row->free_after);
    add_end(out, row);
    lp_json_close(out, '}');
}

LpErr lp_whatif_json(LpSession *s, const LpWhatIfs *table, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_session_json_head(s, &json);
    lp_json_put_count(&json, "job", table->job);
    lp_json_put_count(&json, "decision", table->decision);
    lp_json_put_number(&json, "time", table->time);
    lp_json_open(&json, "rows", '[');
    for (uint32_t i = 0; i < table->count; i++) {
        lp_json_break(&json);
        add_row(&json, &table->row[i]);
    }
    lp_json_close(&json, ']');
    lp_json_break(&json);
    LP_TRY(lp_network_json(s, table->job, "networks", &json, diag));
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}

/* ---- for people ---- */

static const char *time_text(double seconds, char *buf) {
    return lp_quantity_print(seconds, LP_DIM_TIME, buf, TEXT);
}

static void add_verdict(LpBuf *out, const LpWhatIf *row) {
    if (row->kind == LP_ANSWER_RUN && row->accepted)
        lp_buf_addf(out, "accepted, %" PRIu32 " free", row->free_after);
    else if (row->kind == LP_ANSWER_RUN && row->forecast.cause != LP_CAUSE_NONE)
        lp_str_escape(out, row->forecast.why, strlen(row->forecast.why));
    else if (row->kind == LP_ANSWER_RUN)
        lp_buf_add(out, "not allowed");
    else
        lp_buf_add(out, row->kind == LP_ANSWER_WAIT && !row->accepted ? "the queue is full" : "");
}

static void add_line(LpBuf *out, const LpWhatIf *row, bool ends) {
    char step[TEXT] = "-", jct[TEXT] = "-", shape[LP_SHAPE_TEXT] = "-", what[TEXT],
         limit[TEXT] = "-";
    bool ok = row->kind == LP_ANSWER_RUN && row->forecast.feasible;
    if (row->kind == LP_ANSWER_RUN)
        snprintf(what, sizeof what, "%" PRIu32 " way%s", row->degree, row->degree == 1 ? "" : "s");
    else
        snprintf(what, sizeof what, "%s", kinds[row->kind]);
    if (ok) {
        time_text(row->forecast.step_time, step);
        time_text(row->forecast.jct, jct);
        if (row->forecast.shape.groups > 0)
            lp_shape_print(&row->forecast.shape, shape);
    }
    if (ok && !isnan(row->of_limit))
        snprintf(limit, sizeof limit, "%.0f %%", 100 * row->of_limit);
    lp_buf_addf(out, "%s %-8s %11s %11s %8s %8s", row->chosen ? ">" : " ", what, step, jct, limit,
                shape);
    if (ends && row->ended)
        lp_buf_addf(out, " %8.1f %% %11s", 100 * row->end.blocking_rate,
                    time_text(row->end.mean_jct, jct));
    else if (ends)
        lp_buf_addf(out, " %10s %11s", "-", "-");
    lp_buf_add(out, "  ");
    add_verdict(out, row);
    lp_buf_add(out, "\n");
}

LpErr lp_whatif_text(LpSession *s, const LpWhatIfs *table, LpBuf *out, LpDiag *diag) {
    char at[TEXT];
    bool ends = false;
    for (uint32_t i = 0; i < table->count; i++)
        ends |= table->row[i].ended;
    lp_buf_addf(out, "decision %" PRIu64 " at %s: job %" PRIu32 ", decided by ", table->decision,
                time_text(table->time, at), table->job);
    const char *policy = lp_session_policy_name(s);
    lp_str_escape(out, policy, strlen(policy));
    lp_buf_addf(out, "\n  %-8s %11s %11s %8s %8s", "answer", "step time", "JCT", "of limit",
                "block");
    if (ends)
        lp_buf_addf(out, " %10s %11s", "blocked", "mean JCT");
    lp_buf_add(out, "  verdict\n");
    for (uint32_t i = 0; i < table->count; i++)
        add_line(out, &table->row[i], ends);
    if (ends)
        lp_buf_add(out, "blocked, mean JCT: of the whole run, if this were answered; > what the "
                        "policy answers\n");
    LP_TRY(lp_network_text(s, table->job, out, diag));
    return lp_buf_ok(out, diag);
}
