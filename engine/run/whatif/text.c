/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if table as JSON and for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "run/inspect/network_text.h"
#include "run/whatif/whatif.h"

enum { TEXT = 64 };

static const char *const kinds[] = {
    [LP_ANSWER_RUN] = "run", [LP_ANSWER_DECLINE] = "decline", [LP_ANSWER_WAIT] = "wait"};

/* ---- JSON ---- */

static void add_number(LpBuf *out, const char *key, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, ",\"%s\":%s", key, lp_num_print(value, text));
}

static void add_bool(LpBuf *out, const char *key, bool value) {
    lp_buf_addf(out, ",\"%s\":%s", key, value ? "true" : "false");
}

static void add_forecast(LpBuf *out, const LpWhatIf *row) {
    const LpForecast *f = &row->forecast;
    bool ok = row->kind == LP_ANSWER_RUN && f->feasible;
    char shape[LP_SHAPE_TEXT];
    const struct {
        const char *key;
        double value;
    } number[] = {{"jct", f->jct},
                  {"step_time", f->step_time},
                  {"finish", f->finish},
                  {"communication_time", f->communication},
                  {"exposed_communication_time", f->exposed},
                  {"circuits", f->circuits}};
    for (size_t i = 0; i < LP_COUNTOF(number); i++)
        add_number(out, number[i].key, ok ? number[i].value : (double)NAN);
    add_number(out, "of_limit", ok ? row->of_limit : (double)NAN);
    lp_buf_add(out, ",\"shape\":");
    if (ok && f->shape.groups > 0)
        lp_str_json(out, lp_shape_print(&f->shape, shape));
    else
        lp_buf_add(out, "null");
    lp_buf_add(out, ok ? ",\"servers\":[" : ",\"servers\":null");
    for (uint32_t i = 0; ok && i < row->servers; i++)
        lp_buf_addf(out, "%s%" PRIu32, i > 0 ? "," : "", row->server[i]);
    if (ok)
        lp_buf_add(out, "]");
}

static void add_end(LpBuf *out, const LpWhatIf *row) {
    char hash[LP_HASH_HEX];
    if (!row->ended) {
        lp_buf_add(out, ",\"end\":null");
        return;
    }
    lp_buf_addf(out, ",\"end\":{\"hash\":\"%s\"", lp_hash_hex(row->hash, hash));
    add_number(out, "completed", (double)row->end.completed);
    add_number(out, "blocked", (double)row->end.blocked);
    add_number(out, "unfinished", (double)row->end.unfinished);
    add_number(out, "blocking_rate", row->end.blocking_rate);
    add_number(out, "mean_jct", row->end.mean_jct);
    add_number(out, "p95_jct", row->end.p95_jct);
    add_number(out, "server_utilisation", row->end.server_utilisation);
    lp_buf_add(out, "}");
}

static void add_row(LpBuf *out, const LpWhatIf *row) {
    const char *cause = row->kind == LP_ANSWER_RUN ? lp_cause_code(row->forecast.cause) : NULL;
    lp_buf_addf(out, "{\"answer\":\"%s\"", kinds[row->kind]);
    add_number(out, "degree", row->kind == LP_ANSWER_RUN ? row->degree : (double)NAN);
    add_bool(out, "allowed", row->allowed);
    add_bool(out, "accepted", row->accepted);
    add_bool(out, "chosen", row->chosen);
    lp_buf_add(out, ",\"cause\":");
    if (cause != NULL)
        lp_str_json(out, cause);
    else
        lp_buf_add(out, "null");
    add_forecast(out, row);
    add_number(out, "free_after", row->free_after);
    add_end(out, row);
    lp_buf_add(out, "}");
}

LpErr lp_whatif_json(LpSession *s, const LpWhatIfs *table, LpBuf *out, LpDiag *diag) {
    lp_buf_add(out, "{\"lightpath\":1,\"scenario\":");
    lp_str_json(out, lp_session_scenario(s)->name);
    lp_buf_add(out, ",\"policy\":");
    lp_str_json(out, lp_session_policy_name(s));
    lp_buf_addf(out, ",\"seed\":%" PRIu64, lp_world_seed(lp_session_world(s)));
    lp_buf_addf(out, ",\"job\":%" PRIu32 ",\"decision\":%" PRIu64, table->job, table->decision);
    add_number(out, "time", table->time);
    lp_buf_add(out, ",\"rows\":[");
    for (uint32_t i = 0; i < table->count; i++) {
        lp_buf_add(out, i > 0 ? ",\n" : "\n");
        add_row(out, &table->row[i]);
    }
    lp_buf_add(out, "],\n\"networks\":");
    LP_TRY(lp_network_json(s, table->job, out, diag));
    lp_buf_add(out, "}\n");
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
