/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of records, and what a schema says of each. */
#include "say/records.h"

#include <string.h>

#include "ask/blame/blame.h"
#include "ask/pod/pod_report.h"
#include "ask/pod/tables.h"
#include "ask/predict/parallel_predict.h"
#include "ask/predict/predict.h"
#include "ask/whatif/whatif.h"
#include "io/schema.h"
#include "model/device/device.h"
#include "model/parallel/machine.h"
#include "sim/account/job_time.h"
#include "sim/facts/job_facts.h"
#include "sim/facts/metric.h"
#include "sim/waits/wait_book.h"

const LpFacts *const lp_fact_tables[] = {
    &lp_job_facts,
    &lp_job_identity_facts,
    &lp_job_slice_facts,
    &lp_job_failure_facts,
    &lp_job_turning_facts,
    &lp_slice_facts,
    &lp_capacity_facts,
    &lp_summary_facts,
    &lp_step_facts,
    &lp_plan_facts,
    &lp_plan_rails_facts,
    &lp_way_facts,
    &lp_plan_figure_facts,
    &lp_way_outcome_facts,
    &lp_choice_facts,
    &lp_device_facts,
    &lp_machine_facts,
    &lp_blame_facts,
    NULL,
};

/* ---- what is no fact ---- */

static void add_property(LpJsonOut *out, const char *key, const char *type, const char *meaning) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "type", type);
    if (meaning != NULL)
        lp_json_put_text(out, "description", meaning);
    lp_json_close(out, '}');
}

/* An object of numbers by name. */
static void open_numbers(LpJsonOut *out, const char *key, const char *meaning) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "type", "object");
    lp_json_put_text(out, "description", meaning);
    lp_json_open(out, "properties", '{');
}

static void close_numbers(LpJsonOut *out) {
    lp_json_close(out, '}');
    lp_json_close(out, '}');
}

/* What is written beside the facts of a job. */
static void add_job(LpJsonOut *out) {
    open_numbers(out, "waited",
                 "time in the queue by what it waited for, s; parts of 0 are left out, but for "
                 "resource, behind and policy");
    for (int w = 0; w < LP_WAITED_COUNT; w++)
        add_property(out, lp_waited_code((LpWaitCause)w), "number",
                     lp_waited_meaning((LpWaitCause)w));
    close_numbers(out);
    open_numbers(out, "accounts", "where the time went for which it held servers, s");
#define X(field, word) add_property(out, #field, "number", word);
    LP_ACCOUNTS(X)
#undef X
    add_property(out, "held", "number", "all of it");
    close_numbers(out);
    open_numbers(
        out, "account",
        "where its time went, from its arrival on, s; parts of 0 are left out, but for wait, "
        "preempted, computing and lost");
    for (int i = 0; i < LP_TIME_COUNT; i++)
        add_property(out, lp_time_name((LpTimePart)i), "number", lp_time_words((LpTimePart)i));
    close_numbers(out);
    add_property(out, "explain", "object", "candidates that the policy explained (--explain)");
}

static void add_slice(LpJsonOut *out) {
    add_property(out, "ring", "array",
                 "of each dimension extent, closed, load and hops of its neighbours' traffic");
    add_property(out, "rings", "string", "twisted rings count as plain");
}

static void add_way(LpJsonOut *out) {
    lp_json_open(out, "end", '{');
    lp_json_put_raw(out, "type", "[\"object\", \"null\"]");
    lp_json_put_text(out, "description",
                     "with --to-end: hash and metrics of the run (schema summary)");
    lp_json_close(out, '}');
}

static void add_machine(LpJsonOut *out) {
    add_property(out, "name", "string", "of the device");
    add_property(out, "source", "string", "where its units, link and network rate come from");
}

/* ---- schemas ---- */

static const struct {
    const char *name, *title;
    void (*beside)(LpJsonOut *out); /* properties that are no facts; NULL: none */
    bool open;                      /* it has others */
} records[] = {
    {"job", "An entry of jobs in what lightpath run --json prints", add_job, false},
    {"summary", "The summary of lightpath run --json: what every run has", NULL, true},
    {"way", "A row of lightpath whatif --json", add_way, false},
    {"device", "An entry of devices in what lightpath devices --json prints", NULL, false},
    {"machine", "An entry of devices in what lightpath devices --step --json prints", add_machine,
     false},
    {"blame", "An entry of blame in what lightpath run --blame --json prints", NULL, false},
    {"step", "A row of lightpath predict --json", NULL, false},
    {"plan", "The row of lightpath predict zoo:decoder --json", NULL, false},
    {"slice", "The row of lightpath predict slice:... --json", add_slice, false},
    {"capacity", "A row of lightpath pods capacity --json", NULL, false},
};

static void add_required(LpJsonOut *out, const LpFacts *facts) {
    lp_json_open(out, "required", '[');
    for (size_t i = 0; i < facts->facts; i++)
        if (!facts->fact[i].optional)
            lp_json_put_text(out, NULL, facts->fact[i].key);
    lp_json_close(out, ']');
}

static void add_record(const char *name, size_t r, LpBuf *out) {
    LpJsonOut json = {.out = out, .spaced = true};
    const LpFacts *first = NULL;
    lp_json_lines(&json, NULL, '{');
    lp_json_put_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lp_json_put_text(&json, "title", records[r].title);
    lp_json_put_text(&json, "type", "object");
    lp_json_lines(&json, "properties", '{');
    for (size_t i = 0; lp_fact_tables[i] != NULL; i++)
        if (strcmp(lp_fact_tables[i]->record, name) == 0) {
            first = first == NULL ? lp_fact_tables[i] : first;
            lp_facts_schema(lp_fact_tables[i], &json);
        }
    if (records[r].beside != NULL)
        records[r].beside(&json);
    lp_json_close(&json, '}');
    lp_json_put_raw(&json, "additionalProperties", records[r].open ? "true" : "false");
    add_required(&json, first);
    lp_json_end(&json);
}

LpErr lp_result_schema(const char *name, LpBuf *out, LpDiag *diag) {
    LpBuf names = {0};
    LpDiag file;
    for (size_t r = 0; r < LP_COUNTOF(records); r++)
        if (strcmp(records[r].name, name) == 0) {
            add_record(name, r, out);
            return lp_buf_ok(out, diag);
        } else
            lp_buf_addf(&names, "%s %s", r > 0 ? "," : "", records[r].name);
    LpErr err = lp_schema_add(name, out, &file);
    if (err != LP_OK)
        err = lp_fail(diag, err, "%s, or of results%s", file.text, lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

void lp_result_man(LpBuf *out) {
    for (size_t r = 0; r < LP_COUNTOF(records); r++) {
        lp_buf_addf(out, ".Ss %s\n", records[r].name);
        for (size_t i = 0; lp_fact_tables[i] != NULL; i++)
            if (strcmp(lp_fact_tables[i]->record, records[r].name) == 0)
                lp_facts_man(lp_fact_tables[i], out);
    }
}
