/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/chakra.h"

#include <string.h>

#include "base/num.h"
#include "import/steps/proto.h"
#include "import/steps/steps.h"
#include "import/trace/run_report.h"

static const char *const TYPE[] = {
#define X(name, word) word,
    LP_CHAKRA_TYPE_TABLE(X)
#undef X
};

/* ---- telling and reading ---- */

/* A length, and a head of fields 1 and 2 to its end: text is no such thing but by a wonder. */
static bool is_chakra(const LpHead *head) {
    const unsigned char *data = (const unsigned char *)head->text;
    LpProtoField field = {0};
    LpDiag diag;
    uint64_t len;
    bool more;
    int used = lp_proto_varint(data, head->len, &len);
    if (used <= 0 || len < 2)
        return false;
    size_t here = head->len - (size_t)used;
    bool whole = len <= here;
    LpProto message = {data + used, data + used + (whole ? (size_t)len : here), 0, ""};
    for (int fields = 0;; fields++) {
        if (lp_proto_next(&message, &field, &more, &diag) != LP_OK)
            return !whole && fields > 0;
        if (!more)
            return fields > 0;
        if (field.wire != LP_WIRE_BYTES || field.number > 2)
            return false;
    }
}

static void drop(void *own) {
    LpChakra *chakra = own;
    lp_step_trace_free(chakra->trace);
    lp_trace_run_free(&chakra->run);
    lp_free(chakra->rank);
    lp_arena_free(chakra->arena);
    lp_free(chakra);
}

/* All ranks are the communicator that has no name. */
static LpErr know_all(LpStepTrace *trace, LpDiag *diag) {
    static const char *const names[] = {"", "0"};
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        uint32_t comm;
        LP_TRY(lp_step_trace_comm(trace, names[i], strlen(names[i]), &comm, diag));
        LP_TRY(lp_step_trace_group(trace, comm, NULL, 0, diag));
    }
    return LP_OK;
}

/* What ASTRA-sim would say, where the options have its network. */
static LpErr ask_astra(const LpImportOptions *options, LpChakra *chakra, LpDiag *diag) {
    LpAstraRing ring = {.bandwidth = options->server_bandwidth,
                        .latency_ns = lp_num_round(options->latency * 1e9, 6)};
    if (options->system == NULL)
        return LP_OK;
    LP_TRY(lp_astra_system(options->system, &chakra->system, diag));
    if (ring.bandwidth > 0)
        lp_astra_times(chakra->trace, &chakra->system, &ring, chakra->time, LP_CHAKRA_TIMES,
                       &chakra->times);
    return LP_OK;
}

/* A step on the network of the options. */
static LpErr run_alone(const LpImportOptions *options, LpChakra *chakra, LpDiag *diag) {
    LpTraceRunSpec spec = {.bandwidth = options->server_bandwidth,
                           .latency_ns = lp_num_round(options->latency * 1e9, 6),
                           .rules = LP_CHAKRA_RULES,
                           .peak_flops = chakra->system.peak_flops,
                           .memory = chakra->system.memory};
    chakra->ran = spec.bandwidth > 0;
    return chakra->ran ? lp_trace_run(chakra->trace, &spec, &chakra->run, diag) : LP_OK;
}

static LpErr read_chakra(LpReading *reading, LpDiag *diag) {
    LpChakra *chakra = lp_alloc(1, sizeof *chakra);
    uint64_t flows, wild;
    if (chakra == NULL)
        return lp_fail_memory(diag, "a trace of a step");
    reading->own = chakra;
    chakra->arena = lp_arena_new(0);
    if (chakra->arena == NULL)
        return lp_fail_memory(diag, "a trace of a step");
    LP_TRY(lp_chakra_files(reading, chakra, diag));
    LP_TRY(know_all(chakra->trace, diag));
    if (chakra->groups != NULL)
        LP_TRY(lp_chakra_groups(chakra, chakra->groups, diag));
    LP_TRY(lp_chakra_read(reading, chakra, diag));
    LP_TRY(ask_astra(reading->options, chakra, diag));
    LP_TRY(run_alone(reading->options, chakra, diag));
    LP_TRY(lp_step_trace_unmatched(chakra->trace, &flows, &chakra->unmatched, &wild, diag));
    return lp_step_trace_differing(chakra->trace, &chakra->differing, diag);
}

/* ---- the report ---- */

static uint64_t calls_of(const LpChakra *chakra) {
    uint64_t calls = 0;
    for (uint32_t r = 0; r < chakra->trace->ranks; r++)
        calls += chakra->rank[r].types[LP_CHAKRA_COLL];
    return calls;
}

static void put_calls(const LpStepTrace *trace, uint32_t r, LpJsonOut *json) {
    const LpTraceRank *rank = &trace->rank[r];
    lp_json_lines(json, "collectives", '[');
    for (uint32_t i = 0; i < rank->nodes; i++) {
        const LpTraceNode *node = &rank->node[i];
        if (node->kind != LP_TRACE_COLLECTIVE)
            continue;
        lp_json_open(json, NULL, '{');
        lp_json_put_count(json, "node", lp_trace_node_id(rank, i));
        lp_json_put_text(json, "type", lp_trace_call_word((LpTraceCall)node->what));
        lp_json_put_count(json, "bytes", node->amount);
        lp_json_put_text(json, "group", trace->comm[node->peer].name);
        lp_json_put_count(json, "members", lp_step_trace_group_of(trace, node->peer, r)->members);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

static void put_rank(const LpChakra *chakra, uint32_t r, LpJsonOut *json) {
    const LpChakraRank *figures = &chakra->rank[r];
    const LpTraceRank *rank = &chakra->trace->rank[r];
    lp_json_open(json, NULL, '{');
    lp_json_put_count(json, "rank", r);
    lp_json_put_text(json, "version", figures->version);
    lp_json_put_count(json, "nodes", rank->nodes);
    lp_json_open(json, "types", '{');
    for (int t = 0; t < LP_CHAKRA_TYPES; t++)
        if (figures->types[t] > 0)
            lp_json_put_count(json, TYPE[t], figures->types[t]);
    lp_json_close(json, '}');
    lp_json_put_count(json, "dependencies", rank->edges);
    lp_json_put_count(json, "compute_ns", figures->compute_ns);
    lp_json_put_count(json, "flop", figures->flop);
    lp_json_put_count(json, "tensor_bytes", figures->tensor_bytes);
    put_calls(chakra->trace, r, json);
    lp_json_put_count(json, "sent", figures->sent);
    lp_json_put_count(json, "received", figures->received);
    lp_json_put_count(json, "compute_path_ns", rank->longest_ns);
    lp_json_close(json, '}');
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpChakra *chakra = reading->own;
    const LpStepTrace *trace = chakra->trace;
    uint64_t nodes = 0, sent = 0;
    for (uint32_t r = 0; r < trace->ranks; r++) {
        nodes += trace->rank[r].nodes;
        sent = lp_trace_sum(sent, chakra->rank[r].sent);
    }
    lp_json_put_count(json, "ranks", trace->ranks);
    lp_json_open(json, "notes", '{');
    if (chakra->unmatched > 0)
        lp_json_put_count(json, "unmatched_send_or_receive", chakra->unmatched);
    if (chakra->differing > 0)
        lp_json_put_count(json, "collectives_differ_between_ranks", chakra->differing);
    lp_json_close(json, '}');
    lp_json_put_count(json, "nodes", nodes);
    lp_json_put_count(json, "collective_calls", calls_of(chakra));
    lp_json_put_count(json, "sent", sent);
    lp_json_put_count(json, "slowest_compute_path_ns",
                      trace->rank[lp_step_trace_slowest(trace)].longest_ns);
    if (reading->options->system != NULL)
        lp_astra_put(chakra->time, chakra->times, json);
    if (chakra->ran)
        lp_trace_run_put(&chakra->run, all, json);
    if (!all)
        return;
    lp_json_lines(json, "rank", '[');
    for (uint32_t r = 0; r < trace->ranks; r++)
        put_rank(chakra, r, json);
    lp_json_close(json, ']');
}

/* ---- as text ---- */

static void add_nodes(const LpChakra *chakra, LpBuf *out) {
    uint64_t nodes = 0, types[LP_CHAKRA_TYPES] = {0}, unknown = 0;
    for (uint32_t r = 0; r < chakra->trace->ranks; r++) {
        nodes += chakra->trace->rank[r].nodes;
        unknown += chakra->rank[r].unknown;
        for (int t = 0; t < LP_CHAKRA_TYPES; t++)
            types[t] += chakra->rank[r].types[t];
    }
    lp_buf_addf(out, "  ranks             %u\n  nodes             %llu", chakra->trace->ranks,
                (unsigned long long)nodes);
    const char *before = ": ";
    for (int t = LP_CHAKRA_TYPES - 1; t >= 0; t--)
        if (types[t] > 0) {
            lp_buf_addf(out, "%s%llu %s", before, (unsigned long long)types[t], TYPE[t]);
            before = ", ";
        }
    lp_buf_add(out, "\n");
    if (unknown > 0)
        lp_buf_addf(out, "  no duration       %.1f %% of the comp nodes\n",
                    100 * (double)unknown / (double)types[LP_CHAKRA_COMP]);
}

/* One kind of collective of one communicator. */
typedef struct Talk {
    uint64_t calls, bytes;
} Talk;

static void add_talk(const LpStepTrace *trace, LpBuf *out) {
    enum { SHOWN = 12 };
    Talk *talk = lp_alloc(trace->comms, LP_TRACE_CALLS * sizeof *talk);
    size_t shown = 0, kinds = 0;
    char amount[32], name[64];
    for (uint32_t r = 0; talk != NULL && r < trace->ranks; r++)
        for (uint32_t i = 0; i < trace->rank[r].nodes; i++) {
            const LpTraceNode *node = &trace->rank[r].node[i];
            if (node->kind != LP_TRACE_COLLECTIVE)
                continue;
            Talk *t = &talk[(size_t)node->peer * LP_TRACE_CALLS + node->what];
            t->calls++;
            t->bytes = lp_trace_sum(t->bytes, node->amount);
        }
    for (size_t k = 0; talk != NULL && k < (size_t)trace->comms * LP_TRACE_CALLS; k++) {
        const char *comm = trace->comm[k / LP_TRACE_CALLS].name;
        if (talk[k].calls == 0 || ++kinds > SHOWN)
            continue;
        lp_quantity_print((double)talk[k].bytes, LP_DIM_BYTES, amount, sizeof amount);
        lp_buf_addf(out, "  %-18s%s of %s%s%s: %llu call%s, %s\n",
                    shown++ == 0 ? "communication" : "",
                    lp_trace_call_word((LpTraceCall)(k % LP_TRACE_CALLS)),
                    comm[0] == '\0' ? "all ranks" : "\"", lp_str_show(name, sizeof name, comm),
                    comm[0] == '\0' ? "" : "\"", (unsigned long long)talk[k].calls,
                    lp_str_s(talk[k].calls), amount);
    }
    if (kinds > SHOWN)
        lp_buf_addf(out, "                    and %zu more\n", kinds - SHOWN);
    lp_free(talk);
}

static void add_notes(const LpChakra *chakra, LpBuf *out) {
    uint64_t memory = 0;
    bool starts = false;
    for (uint32_t r = 0; r < chakra->trace->ranks; r++) {
        memory +=
            chakra->rank[r].types[LP_CHAKRA_MEM_LOAD] + chakra->rank[r].types[LP_CHAKRA_MEM_STORE];
        starts |= chakra->rank[r].has_starts;
    }
    if (chakra->unmatched > 0)
        lp_buf_addf(out,
                    "  noted             of %llu (source, destination, tag) sends and receives "
                    "differ\n",
                    (unsigned long long)chakra->unmatched);
    if (chakra->differing > 0)
        lp_buf_addf(out,
                    "  noted             in %llu communicator%s ranks do not call the same "
                    "collectives\n",
                    (unsigned long long)chakra->differing, lp_str_s(chakra->differing));
    lp_buf_add(out,
               "  assumed           the trace was taken on unknown hardware: durations are not "
               "scaled\n");
    if (starts)
        lp_buf_add(out, "                    recorded start times are not used\n");
    if (memory > 0)
        lp_buf_addf(out,
                    "                    %llu memory nodes are taken as instant: lightpath has no "
                    "remote memory\n",
                    (unsigned long long)memory);
}

static void text(const LpReading *reading, LpBuf *out) {
    const LpChakra *chakra = reading->own;
    const LpStepTrace *trace = chakra->trace;
    uint32_t slowest = lp_step_trace_slowest(trace);
    uint64_t sent = 0;
    char number[32];
    add_nodes(chakra, out);
    lp_buf_addf(out, "  longest computing %s on rank %u\n",
                lp_quantity_print((double)trace->rank[slowest].longest_ns * 1e-9, LP_DIM_TIME,
                                  number, sizeof number),
                slowest);
    add_talk(trace, out);
    for (uint32_t r = 0; r < trace->ranks; r++)
        sent = lp_trace_sum(sent, chakra->rank[r].sent);
    if (sent > 0)
        lp_buf_addf(out, "  sent              %s from rank to rank\n",
                    lp_quantity_print((double)sent, LP_DIM_BYTES, number, sizeof number));
    if (chakra->ran)
        lp_trace_run_text(&chakra->run, out);
    lp_astra_text(chakra->time, chakra->times, &chakra->system, out);
    if (reading->options->system != NULL && reading->options->server_bandwidth <= 0)
        lp_buf_add(out, "  astra-sim         its times need a link, such as --server-bandwidth "
                        "50GiB/s --latency 500ns\n");
    add_notes(chakra, out);
}

static LpErr step(const LpReading *reading, bool take, LpStepTrace **out, LpTraceRules *rules,
                  LpDiag *diag) {
    LpChakra *chakra = reading->own;
    (void)diag;
    *out = chakra->trace;
    *rules = LP_CHAKRA_RULES;
    if (take)
        chakra->trace = NULL;
    return LP_OK;
}

const LpFormat lp_format_chakra = {.name = "chakra",
                                   .what = "a training step of MLCommons Chakra: PREFIX.RANK.et",
                                   .makes = LP_MAKES_STEP,
                                   .least = 1,
                                   .is = is_chakra,
                                   .read = read_chakra,
                                   .report = report,
                                   .text = text,
                                   .step = step,
                                   .drop = drop};
