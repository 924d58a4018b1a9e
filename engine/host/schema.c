/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemas, for those above: of files that are read, and of what is told of a job. */
#include "host/schema.h"

#include <string.h>

#include "io/schema.h"
#include "sim/account/job_time.h"
#include "sim/facts/job_facts.h"

/* ---- one job of run --json ---- */

/* An object of numbers by name. */
static void open_numbers(LpJsonOut *out, const char *key, const char *meaning) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "type", "object");
    lp_json_put_text(out, "description", meaning);
    lp_json_open(out, "properties", '{');
}

static void add_number(LpJsonOut *out, const char *key, const char *meaning) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "type", "number");
    if (meaning != NULL)
        lp_json_put_text(out, "description", meaning);
    lp_json_close(out, '}');
}

static void close_numbers(LpJsonOut *out) {
    lp_json_close(out, '}');
    lp_json_close(out, '}');
}

static void add_objects(LpJsonOut *out) {
    open_numbers(out, "waited", "time in the queue by what it waited for, s");
    for (int w = 0; w < LP_WAIT_COUNT; w++)
        add_number(out, lp_wait_code((LpWaitFor)w), NULL);
    close_numbers(out);
    open_numbers(out, "accounts", "where the time went for which it held servers, s");
#define X(field, word) add_number(out, #field, word);
    LP_ACCOUNTS(X)
#undef X
    add_number(out, "held", "all of it");
    close_numbers(out);
    open_numbers(out, "account",
                 "where its time went, from its arrival on, s; parts of 0 are left out");
    for (int i = 0; i < LP_TIME_COUNT; i++)
        add_number(out, lp_time_name((LpTimePart)i), lp_time_words((LpTimePart)i));
    close_numbers(out);
    lp_json_open(out, "explain", '{');
    lp_json_put_text(out, "type", "object");
    lp_json_put_text(out, "description", "candidates that the policy explained (--explain)");
    lp_json_close(out, '}');
}

static LpErr add_job(LpBuf *out, LpDiag *diag) {
    static const LpFacts *const tables[] = {&lp_job_facts, &lp_job_slice_facts,
                                            &lp_job_failure_facts, &lp_job_turning_facts};
    LpJsonOut json = {.out = out, .spaced = true};
    lp_json_lines(&json, NULL, '{');
    lp_json_put_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    lp_json_put_text(&json, "title", "An entry of jobs in what lightpath run --json prints");
    lp_json_put_text(&json, "type", "object");
    lp_json_lines(&json, "properties", '{');
    for (size_t i = 0; i < LP_COUNTOF(tables); i++)
        lp_facts_schema(tables[i], &json);
    add_objects(&json);
    lp_json_close(&json, '}');
    lp_json_put_raw(&json, "additionalProperties", "false");
    lp_json_open(&json, "required", '[');
    for (size_t i = 0; i < lp_job_facts.facts; i++)
        lp_json_put_text(&json, NULL, lp_job_facts.fact[i].key);
    lp_json_close(&json, ']');
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}

LpErr lp_run_schema(const char *name, LpBuf *out, LpDiag *diag) {
    return strcmp(name, "job") == 0 ? add_job(out, diag) : lp_schema_add(name, out, diag);
}
