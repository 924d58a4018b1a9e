/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The what-if table as JSON and for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/network/network_text.h"
#include "ask/whatif/whatif_impl.h"
#include "base/num.h"
#include "sim/facts/identity.h"
#include "sim/facts/metric.h"

enum { TEXT = 64 };

static const char *const kinds[] = {
    [LP_ANSWER_RUN] = "run", [LP_ANSWER_DECLINE] = "decline", [LP_ANSWER_WAIT] = "wait"};

/* ---- facts ---- */

/* A job that is not cut, of a duration, has no step and no degree, as in `run --json`. */
enum { RUNS = 1, FITS = 2, CUT = 4 };
static unsigned traits_of(const void *record) {
    const LpWhatIf *row = record;
    bool runs = row->kind == LP_ANSWER_RUN;
    return (runs ? RUNS : 0) | (runs && row->forecast.feasible ? FITS : 0) |
           (row->degree > 0 ? CUT : 0);
}

static LpFactValue answer(const void *record, void *around LP_UNUSED) {
    return lp_fact_text(kinds[((const LpWhatIf *)record)->kind]);
}

static LpFactValue cause(const void *record, void *around LP_UNUSED) {
    return lp_fact_text(lp_cause_code(((const LpWhatIf *)record)->forecast.cause));
}

static LpFactValue shape(const void *record, void *around) {
    const LpShape *is = &((const LpWhatIf *)record)->forecast.shape;
    return lp_fact_text(is->groups > 0 ? lp_shape_print(is, around) : NULL);
}

static LpFactValue servers(const void *record, void *around LP_UNUSED) {
    const LpWhatIf *row = record;
    return lp_fact_list(row->server, row->servers);
}

#define MEMBER(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpWhatIf, name)
static const LpFact of_way[] = {
    {"answer", LP_WORDS, "run, wait or decline", LP_TO_JSON, .value = answer},
    {"degree", LP_NUMBER, "that is answered; of a plan its servers", MEMBER(degree), .of = RUNS,
     .positive = true},
};
const LpFacts lp_way_facts = {"way", of_way, LP_COUNTOF(of_way), traits_of};

static const LpFact of_outcome[] = {
    {"allowed", LP_FLAG, "the policy may answer it", MEMBER(allowed)},
    {"accepted", LP_FLAG, "the job would start: it has a place, is allowed and in time",
     MEMBER(accepted)},
    {"chosen", LP_FLAG, "what the policy answers", MEMBER(chosen)},
    {"cause", LP_WORDS, "code of why not", LP_TO_JSON, .of = RUNS, .value = cause},
    {"jct", LP_SECONDS, "time of all steps", MEMBER(forecast.jct), .of = FITS},
    {"step_time", LP_SECONDS, "time of one training step", MEMBER(forecast.step_time),
     .of = FITS | CUT},
    {"finish", LP_SECONDS, "when the job would be done", MEMBER(forecast.finish), .of = FITS},
    {"communication_time", LP_SECONDS, "time of all steps in which it sends",
     MEMBER(forecast.communication), .of = FITS | CUT},
    {"exposed_communication_time", LP_SECONDS,
     "time of all steps in which it sends and computes nothing", MEMBER(forecast.exposed),
     .of = FITS | CUT},
    {"circuits", LP_NUMBER, "circuits that a step uses", MEMBER(forecast.circuits),
     .of = FITS | CUT},
    {"of_limit", LP_NUMBER, "JCT as a share of the largest that the job accepts", MEMBER(of_limit),
     .of = FITS},
    {"shape", LP_WORDS, "groups x racks x servers of its block", LP_TO_JSON, .of = FITS,
     .value = shape},
    {"servers", LP_COUNTS, "servers that it would run on", LP_TO_JSON, .of = FITS,
     .value = servers},
    {"free_after", LP_NUMBER, "servers that are left", MEMBER(free_after)},
};
const LpFacts lp_way_outcome_facts = {"way", of_outcome, LP_COUNTOF(of_outcome), traits_of};

/* ---- JSON ---- */

void lp_whatif_end_json(LpJsonOut *out, const LpWhatIf *row) {
    static const LpMetric metric[] = {
        LP_METRIC_COMPLETED, LP_METRIC_BLOCKED, LP_METRIC_UNFINISHED, LP_METRIC_BLOCKING,
        LP_METRIC_MEAN_JCT,  LP_METRIC_P95_JCT, LP_METRIC_UTILISATION};
    if (row == NULL || !row->ended) {
        lp_json_put_null(out, "end");
        return;
    }
    lp_json_open(out, "end", '{');
    lp_json_put_hash(out, "hash", row->hash);
    lp_summary_json(out, &row->end, metric, LP_COUNTOF(metric));
    lp_json_close(out, '}');
}

static void add_row(const LpScenario *scenario, LpJsonOut *out, const LpWhatIf *row) {
    char text[LP_SHAPE_TEXT];
    lp_json_open(out, NULL, '{');
    LpWhatIf told = *row;
    told.forecast.finish = lp_scenario_time(scenario, row->forecast.finish);
    lp_facts_json(&lp_way_facts, &told, NULL, out);
    lp_plan_figures_json(out, &row->plan);
    lp_facts_json(&lp_way_outcome_facts, row, text, out);
    lp_whatif_end_json(out, row);
    lp_json_close(out, '}');
}

LpErr lp_whatif_json(LpSession *s, const LpWhatIfs *table, LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out};
    lp_json_open(&json, NULL, '{');
    lp_session_json_head(s, &json);
    lp_json_put_count(&json, "job", table->job);
    lp_json_put_count(&json, "decision", table->decision);
    lp_json_put_number(&json, "time", lp_scenario_time(lp_session_scenario(s), table->time));
    lp_json_open(&json, "rows", '[');
    for (uint32_t i = 0; i < table->count; i++) {
        lp_json_break(&json);
        add_row(lp_session_scenario(s), &json, &table->row[i]);
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
        lp_buf_add(out, row->kind == LP_ANSWER_WAIT && !row->accepted
                            ? lp_cause_sentence(LP_CAUSE_QUEUE_FULL)
                            : "");
}

/* "t8 p4 d2 selective sp": of a plan; else "8 ways". */
static void print_answer(const LpWhatIf *row, char what[LP_PARALLEL_TEXT]) {
    if (row->kind != LP_ANSWER_RUN)
        snprintf(what, LP_PARALLEL_TEXT, "%s", kinds[row->kind]);
    else if (row->plan.plan.tensor > 0)
        lp_parallel_brief(&row->plan.plan, what);
    else if (row->degree == 0) /* a job that is not cut */
        snprintf(what, LP_PARALLEL_TEXT, "start");
    else
        snprintf(what, LP_PARALLEL_TEXT, "%" PRIu32 " way%s", row->degree,
                 row->degree == 1 ? "" : "s");
}

static int answer_width(const LpWhatIfs *table) {
    char what[LP_PARALLEL_TEXT];
    int width = 8;
    for (uint32_t i = 0; i < table->count; i++) {
        print_answer(&table->row[i], what);
        width = (int)strlen(what) > width ? (int)strlen(what) : width;
    }
    return width;
}

/* Which columns the table has. */
typedef struct Form {
    int answer; /* width */
    bool plans, turns, ends;
} Form;

static Form form_of(const LpWhatIfs *table) {
    Form form = {.answer = answer_width(table)};
    for (uint32_t i = 0; i < table->count; i++) {
        form.plans |= table->row[i].plan.planned;
        form.turns |= table->row[i].plan.turns > 0;
        form.ends |= table->row[i].ended;
    }
    return form;
}

void lp_whatif_end_text(const LpWhatIf *row, LpBuf *out) {
    char jct[TEXT];
    if (row != NULL && row->ended)
        lp_buf_addf(out, " %8.1f %% %11s", 100 * row->end.blocking_rate,
                    time_text(row->end.mean_jct, jct));
    else
        lp_buf_addf(out, " %10s %11s", "-", "-");
}

static void add_line(LpBuf *out, const LpWhatIf *row, const Form *form) {
    char step[TEXT] = "-", jct[TEXT] = "-", shape[LP_SHAPE_TEXT] = "-", limit[TEXT] = "-",
         what[LP_PARALLEL_TEXT];
    bool ok = row->kind == LP_ANSWER_RUN && row->forecast.feasible;
    print_answer(row, what);
    if (ok) {
        time_text(row->forecast.step_time, step);
        time_text(row->forecast.jct, jct);
        if (row->forecast.shape.groups > 0)
            lp_shape_print(&row->forecast.shape, shape);
    }
    if (ok && !isnan(row->of_limit))
        snprintf(limit, sizeof limit, "%.0f %%", 100 * row->of_limit);
    lp_buf_addf(out, "%s %-*s %11s %11s %8s %8s", row->chosen ? ">" : " ", form->answer, what, step,
                jct, limit, shape);
    if (form->plans) {
        /* "53.7 of 80 GB", bubble and exposed communication; of a job on rails the exposed turns.
         */
        bool turns = form->turns;
        char memory[TEXT] = "-", bubble[TEXT] = "-", exposed[TEXT] = "-", of[TEXT] = "-";
        if (row->plan.plan.tensor > 0) {
            snprintf(memory, sizeof memory, "%.1f of %.0f GB", row->plan.memory / 1e9,
                     row->plan.memory_most / 1e9);
            snprintf(bubble, sizeof bubble, "%.1f %%", 100 * row->plan.bubble);
            snprintf(exposed, sizeof exposed, "%.1f %%", 100 * row->plan.exposed);
        }
        if (row->plan.turns > 0)
            snprintf(of, sizeof of, "%" PRIu32 " of %" PRIu32, row->plan.exposed_turns,
                     row->plan.turns);
        lp_buf_addf(out, " %16s %8s %8s", memory, bubble, exposed);
        if (turns)
            lp_buf_addf(out, " %12s", of);
    }
    if (form->ends)
        lp_whatif_end_text(row, out);
    lp_buf_add(out, "  ");
    add_verdict(out, row);
    lp_buf_add(out, "\n");
}

LpErr lp_whatif_text(LpSession *s, const LpWhatIfs *table, LpBuf *out, LpDiag *diag) {
    char at[TEXT];
    Form form = form_of(table);
    lp_buf_addf(out, "decision %" PRIu64 " at %s: %s, decided by ", table->decision,
                time_text(table->time, at),
                lp_world_label(lp_session_world(s), lp_session_scenario(s), table->job).text);
    const char *policy = lp_session_policy_name(s);
    lp_str_escape(out, policy, strlen(policy));
    lp_buf_addf(out, "\n  %-*s %11s %11s %8s %8s", form.answer, "answer", "step time", "JCT",
                "of limit", "block");
    if (form.plans)
        lp_buf_addf(out, " %16s %8s %8s", "memory", "bubble", "exposed");
    if (form.turns)
        lp_buf_addf(out, " %12s", "turns");
    if (form.ends)
        lp_buf_add(out, LP_WHATIF_ENDS);
    lp_buf_add(out, "  verdict\n");
    for (uint32_t i = 0; i < table->count; i++)
        add_line(out, &table->row[i], &form);
    if (form.ends)
        lp_buf_add(out, LP_WHATIF_ENDS_MEAN);
    if (form.plans)
        lp_buf_add(out,
                   "t8 p16 d4: 8 tensor, 16 pipeline, 4 data ways; then what is recomputed, sp: "
                   "sequence parallel, nowait: stages do not wait for sends, v: chunks\n"
                   "memory: of the fullest server, of the largest that there is; bubble: share "
                   "of the stages' time; exposed: of the step\n");
    LP_TRY(lp_network_text(s, table->job, out, diag));
    return lp_buf_ok(out, diag);
}
