/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/simai.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "import/steps/steps.h"
#include "import/trace/run_report.h"

/* ---- telling and reading ---- */

static bool is_simai(const LpHead *head) {
    size_t len = 0;
    while (len < head->len && strchr(" \t\r\n", head->text[len]) == NULL)
        len++;
    return lp_simai_kind(head->text, len) != NULL;
}

static void drop(void *own) {
    LpSimai *simai = own;
    lp_step_trace_free(simai->trace);
    lp_trace_run_free(&simai->run);
    lp_free(simai->layer);
    lp_free(simai);
}

/* A step on the network of the options. */
static LpErr run_alone(const LpImportOptions *options, LpSimai *simai, LpDiag *diag) {
    LpTraceRunSpec spec = {.bandwidth = options->server_bandwidth,
                           .latency_ns = lp_num_round(options->latency * 1e9, 6)};
    LpStepTrace *trace;
    if (spec.bandwidth <= 0 || lp_simai_refusal(simai) != NULL)
        return LP_OK;
    LP_TRY(lp_simai_trace(simai, &trace, diag));
    LpErr err = lp_trace_run(trace, &spec, &simai->run, diag);
    simai->ran = err == LP_OK;
    lp_step_trace_free(trace);
    return err;
}

static LpErr read_simai(LpReading *reading, LpDiag *diag) {
    LpSimai *simai = lp_alloc(1, sizeof *simai);
    if (simai == NULL)
        return lp_fail_memory(diag, "a workload");
    reading->own = simai;
    LP_TRY(lp_simai_read(reading->file[0], reading->options, simai, diag));
    return run_alone(reading->options, simai, diag);
}

/* ---- the report ---- */

/* Words of SimAI for what the collectives are. */
static const struct {
    LpTraceCall call;
    const char *word;
} CALL[] = {{LP_TRACE_ALL_GATHER, "allgather"},
            {LP_TRACE_ALL_REDUCE, "allreduce"},
            {LP_TRACE_ALL_TO_ALL, "alltoall"},
            {LP_TRACE_BROADCAST, "broadcast"},
            {LP_TRACE_REDUCE_SCATTER, "reducescatter"}};

typedef struct Sums {
    double ns[LP_SIMAI_PHASES], compute_ns;
    double bytes[LP_SIMAI_CALL_PHASES][LP_COUNTOF(CALL)][LP_SIMAI_GROUPS];
    uint64_t unmeasured;
} Sums;

static void sum_up(const LpSimai *simai, Sums *sums) {
    *sums = (Sums){0};
    for (size_t i = 0; i < simai->layers; i++) {
        const LpSimaiLayer *layer = &simai->layer[i];
        for (int phase = 0; phase < LP_SIMAI_PHASES; phase++)
            sums->ns[phase] += layer->ns[phase];
        sums->unmeasured += layer->ns[LP_SIMAI_FORWARD] == 1;
        for (int phase = 0; phase < LP_SIMAI_CALL_PHASES; phase++)
            for (size_t c = 0; c < LP_COUNTOF(CALL); c++)
                if (layer->bytes[phase] > 0 && layer->call[phase] == CALL[c].call)
                    sums->bytes[phase][c][layer->group[phase]] += layer->bytes[phase];
    }
    for (int phase = 0; phase < LP_SIMAI_PHASES; phase++)
        sums->compute_ns += sums->ns[phase];
}

/* "forward allreduce tp" */
static const char *name_of(int phase, size_t call, int group, char name[64]) {
    snprintf(name, 64, "%s %s %s", lp_simai_phase_word((LpSimaiPhase)phase), CALL[call].word,
             lp_simai_group_word((LpSimaiGroup)group));
    return name;
}

static void put_bytes(const Sums *sums, LpJsonOut *json) {
    char name[64];
    lp_json_open(json, "bytes", '{');
    for (int phase = 0; phase < LP_SIMAI_CALL_PHASES; phase++)
        for (size_t c = 0; c < LP_COUNTOF(CALL); c++)
            for (int g = 0; g < LP_SIMAI_GROUPS; g++)
                if (sums->bytes[phase][c][g] > 0)
                    lp_json_put_number(json, name_of(phase, c, g, name), sums->bytes[phase][c][g]);
    lp_json_close(json, '}');
}

static void put_or_null(LpJsonOut *json, const char *key, double value) {
    if (value >= 0)
        lp_json_put_number(json, key, value);
    else
        lp_json_put_null(json, key);
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpSimai *s = reading->own;
    Sums sums;
    char key[32];
    sum_up(s, &sums);
    lp_json_put_text(json, "kind", s->kind);
    lp_json_open(json, "header", '{');
    lp_json_put_number(json, "tp", s->tensor);
    lp_json_put_number(json, "ep", s->expert);
    lp_json_put_number(json, "pp", s->pipeline);
    lp_json_put_number(json, "vpp", s->virtual_pipeline);
    lp_json_put_number(json, "ga", s->micro_batches);
    put_or_null(json, "all_gpus", s->gpus);
    lp_json_put_number(json, "pp_comm", s->pipeline_bytes);
    lp_json_put_number(json, "mode", s->mode);
    lp_json_close(json, '}');
    put_or_null(json, "dp", s->data);
    lp_json_put_count(json, "layers", s->layers);
    for (int phase = 0; phase < LP_SIMAI_PHASES; phase++) {
        snprintf(key, sizeof key, "%s_ns", lp_simai_phase_word((LpSimaiPhase)phase));
        lp_json_put_number(json, key, sums.ns[phase]);
    }
    lp_json_put_number(json, "compute_ns", sums.compute_ns);
    lp_json_put_count(json, "collectives_of_no_bytes", s->empty);
    put_bytes(&sums, json);
    if (s->ran)
        lp_trace_run_put(&s->run, all, json);
}

static void add_bytes(const LpSimai *s, const Sums *sums, LpBuf *out) {
    const char *before = "communication";
    char name[64], amount[32];
    for (int phase = 0; phase < LP_SIMAI_CALL_PHASES; phase++)
        for (size_t c = 0; c < LP_COUNTOF(CALL); c++)
            for (int g = 0; g < LP_SIMAI_GROUPS; g++) {
                if (sums->bytes[phase][c][g] <= 0)
                    continue;
                double ranks = lp_simai_group_ranks(s, (LpSimaiGroup)g);
                lp_quantity_print(sums->bytes[phase][c][g], LP_DIM_BYTES, amount, sizeof amount);
                lp_buf_addf(out, "  %-18s%s: %s", before, name_of(phase, c, g, name), amount);
                if (ranks > 0)
                    lp_buf_addf(out, " among %g", ranks);
                lp_buf_add(out, "\n");
                before = "";
            }
}

static void text(const LpReading *reading, LpBuf *out) {
    const LpSimai *s = reading->own;
    Sums sums;
    char time[32];
    sum_up(s, &sums);
    lp_buf_addf(out, "  kind              %s\n", s->kind);
    lp_buf_addf(out, "  layers            %zu; %g micro-batch%s a step\n", s->layers,
                s->micro_batches, s->micro_batches == 1 ? "" : "es");
    lp_buf_addf(out, "  ways              %g tensor, %g expert, %g pipeline, ", s->tensor,
                s->expert, s->pipeline);
    if (s->data > 0)
        lp_buf_addf(out, "%g data: %g accelerators%s\n", s->data, s->gpus,
                    s->gpus_of_file ? " (all_gpus)" : " (--gpus)");
    else
        lp_buf_add(out, "data unknown: the file has no all_gpus, say --gpus N\n");
    for (int phase = 0; phase < LP_SIMAI_PHASES; phase++)
        lp_buf_addf(out, "  %-18s%s %s\n", phase == 0 ? "computing" : "",
                    lp_quantity_print(sums.ns[phase] * 1e-9, LP_DIM_TIME, time, sizeof time),
                    lp_simai_phase_word((LpSimaiPhase)phase));
    add_bytes(s, &sums, out);
    if (s->empty > 0)
        lp_buf_addf(out, "  %-18s%llu collective%s of no bytes, which is none\n", "noted",
                    (unsigned long long)s->empty, lp_str_s(s->empty));
    if (sums.unmeasured > 0)
        lp_buf_addf(out,
                    "  %-18s%llu layer%s of exactly 1 ns forward: AICB's word for not measured\n",
                    s->empty > 0 ? "" : "noted", (unsigned long long)sums.unmeasured,
                    lp_str_s(sums.unmeasured));
    if (s->ran)
        lp_trace_run_text(&s->run, out);
    if (lp_simai_refusal(s) != NULL)
        lp_buf_addf(out, "  cannot run        %s\n", lp_simai_refusal(s));
}

static LpErr step(const LpReading *reading, bool take, LpStepTrace **out, LpTraceRules *rules,
                  LpDiag *diag) {
    LpSimai *simai = reading->own;
    if (simai->trace == NULL)
        LP_TRY(lp_simai_trace(simai, &simai->trace, diag));
    *out = simai->trace;
    *rules = (LpTraceRules){0};
    if (take)
        simai->trace = NULL;
    return LP_OK;
}

const LpFormat lp_format_simai = {.name = "simai",
                                  .what = "a transformer's layers of SimAI, AICB and ASTRA-sim 1",
                                  .makes = LP_MAKES_STEP,
                                  .least = 1,
                                  .most = 1,
                                  .is = is_simai,
                                  .read = read_simai,
                                  .report = report,
                                  .text = text,
                                  .step = step,
                                  .drop = drop};
