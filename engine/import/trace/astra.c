/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/trace/astra.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "io/files/file.h"
#include "io/json/json.h"

static const double GIGA = 1e9, TERA = 1e12;

static LpErr member(LpJsonValue object, const char *key, double unit, bool above, double *out,
                    LpDiag *diag) {
    LpJsonValue value = lp_json_member(object, key);
    LpJsonRange range = {.above = above};
    double number;
    if (lp_json_kind(value) == LP_JSON_NOTHING)
        return LP_OK;
    LP_TRY(lp_json_quantity(value, &range, &number, diag));
    *out = number * unit;
    return LP_OK;
}

static LpErr read_system(LpJsonValue root, LpAstraSystem *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(root, LP_JSON_OBJECT, diag));
    LP_TRY(member(root, "preferred-dataset-splits", 1, true, &out->chunks, diag));
    LP_TRY(member(root, "active-chunks-per-dimension", 1, true, &out->active, diag));
    LP_TRY(member(root, "endpoint-delay", 1, false, &out->endpoint_ns, diag));
    LP_TRY(member(root, "local-mem-bw", GIGA, true, &out->memory, diag));
    return member(root, "peak-perf", TERA, true, &out->peak_flops, diag);
}

LpErr lp_astra_system(const char *file, LpAstraSystem *out, LpDiag *diag) {
    LpJson *doc = NULL;
    char *text;
    size_t len;
    *out = (LpAstraSystem){.chunks = 1, .active = 1};
    LP_TRY(lp_file_read(file, 0, &text, &len, diag));
    LpErr err = lp_json_parse(file, text, len, &doc, diag);
    if (err == LP_OK)
        err = read_system(lp_json_root(doc), out, diag);
    lp_json_free(doc);
    lp_free(text);
    return err;
}

/* Steps of a chunk around the ring. */
static double steps_of(LpTraceCall call, double ranks) {
    switch (call) {
    case LP_TRACE_ALL_GATHER:
    case LP_TRACE_REDUCE_SCATTER:
        return ranks - 1;
    case LP_TRACE_ALL_REDUCE:
        return 2 * (ranks - 1);
    case LP_TRACE_ALL_TO_ALL: /* a message to a server k places on passes k links */
        return ranks * (ranks - 1) / 2;
    default:
        return 0;
    }
}

bool lp_astra_time(LpTraceCall call, uint32_t ranks, uint64_t bytes, const LpAstraSystem *system,
                   const LpAstraRing *ring, LpAstraTime *out) {
    double steps = steps_of(call, ranks), chunks = floor(system->chunks);
    bool reduces = call == LP_TRACE_ALL_REDUCE || call == LP_TRACE_REDUCE_SCATTER;
    double part = call == LP_TRACE_ALL_GATHER ? 1 : ranks; /* of its bytes that a step sends */
    if (steps <= 0 || chunks < 1 || (reduces && system->memory <= 0))
        return false;
    double rate = ring->bandwidth / GIGA; /* bytes a ns */
    double message = floor(floor((double)bytes / chunks) / part);
    double hop = floor(ring->latency_ns + message / rate);
    double reduce = reduces ? 3 * floor(message / system->memory * GIGA) : 0;
    double sending = steps * ((double)bytes / part) / rate;
    *out = (LpAstraTime){
        .bytes = bytes,
        .ranks = ranks,
        .call = call,
        .astra_ns = chunks * (steps * (hop + system->endpoint_ns) + system->endpoint_ns +
                              (reduces ? ranks - 1 : 0) * reduce),
        .fluid_ns = call == LP_TRACE_ALL_TO_ALL ? (double)NAN : steps * ring->latency_ns + sending,
        .latencies_ns = (chunks - 1) * steps * ring->latency_ns,
        .endpoints_ns = chunks * (steps + 1) * system->endpoint_ns,
        .reductions_ns = chunks * (reduces ? ranks - 1 : 0) * reduce,
        .rounding_ns = chunks * steps * (hop - ring->latency_ns) - sending};
    return true;
}

void lp_astra_times(const LpStepTrace *trace, const LpAstraSystem *system, const LpAstraRing *ring,
                    LpAstraTime *out, size_t most, size_t *count) {
    *count = 0;
    for (uint32_t r = 0; r < trace->ranks; r++)
        for (uint32_t i = 0; i < trace->rank[r].nodes && *count < most; i++) {
            const LpTraceNode *node = &trace->rank[r].node[i];
            if (node->kind != LP_TRACE_COLLECTIVE)
                continue;
            uint32_t ranks = lp_step_trace_group_of(trace, node->peer, r)->members;
            size_t at = 0;
            while (at < *count && (out[at].call != node->what || out[at].ranks != ranks ||
                                   out[at].bytes != node->amount))
                at++;
            if (at == *count &&
                lp_astra_time((LpTraceCall)node->what, ranks, node->amount, system, ring, &out[at]))
                ++*count;
        }
}

void lp_astra_put(const LpAstraTime *time, size_t count, LpJsonOut *json) {
    lp_json_lines(json, "astra_sim", '[');
    for (size_t i = 0; i < count; i++) {
        lp_json_open(json, NULL, '{');
        lp_json_put_text(json, "collective", lp_trace_call_word(time[i].call));
        lp_json_put_count(json, "npus", time[i].ranks);
        lp_json_put_count(json, "bytes", time[i].bytes);
        lp_json_put_number(json, "astra_sim_ns", time[i].astra_ns);
        lp_json_put_number(json, "fluid_ns", time[i].fluid_ns);
        lp_json_put_number(json, "latencies_ns", time[i].latencies_ns);
        lp_json_put_number(json, "endpoints_ns", time[i].endpoints_ns);
        lp_json_put_number(json, "reductions_ns", time[i].reductions_ns);
        lp_json_put_number(json, "rounding_ns", time[i].rounding_ns);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

void lp_astra_text(const LpAstraTime *time, size_t count, const LpAstraSystem *system, LpBuf *out) {
    for (size_t i = 0; i < count; i++) {
        const LpAstraTime *t = &time[i];
        lp_buf_addf(out, "  %-18s%s of %llu B on a ring of %u: %.0f ns", i == 0 ? "astra-sim" : "",
                    lp_trace_call_word(t->call), (unsigned long long)t->bytes, t->ranks,
                    t->astra_ns);
        if (isnan(t->fluid_ns)) {
            lp_buf_add(out, "\n");
            continue;
        }
        lp_buf_addf(out,
                    ", as a fluid %.0f ns\n"
                    "                    %.0f ns more: latencies of %.0f further chunks %.0f, "
                    "delays at the ends %.0f",
                    t->fluid_ns, t->astra_ns - t->fluid_ns, floor(system->chunks) - 1,
                    t->latencies_ns, t->endpoints_ns);
        if (t->reductions_ns > 0)
            lp_buf_addf(out, ", adding up %.0f", t->reductions_ns);
        lp_buf_addf(out, ", rounding %.0f\n", t->rounding_ns);
    }
    if (count > 0 && system->active != 1)
        lp_buf_addf(out,
                    "                    this is of one chunk at a time, the file says %g "
                    "(active-chunks-per-dimension)\n",
                    system->active);
}
