/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/chakra_node.h"

#include <stdio.h>

/* Attributes that mean something. */
enum { CPU, CALL, SIZE, SOURCE, TARGET, TAG, GROUP, FLOP, TENSOR, ATTRS };
static const char *const ATTR[ATTRS] = {"is_cpu_op", "comm_type", "comm_size",
                                        "comm_src",  "comm_dst",  "comm_tag",
                                        "pg_name",   "num_ops",   "tensor_size"};

/* A node as it stands in the file. */
typedef struct Raw {
    uint64_t id, type, micros, place;
    bool has_start;
    LpProto inputs;
    LpAttrValue attr[ATTRS];
} Raw;

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a trace of a step");
}

/* ---- a node ---- */

static LpErr read_attr(LpProto message, Raw *raw, LpDiag *diag) {
    LpAttr attr;
    LP_TRY(lp_attr_read(message, &attr, diag));
    for (int i = 0; i < ATTRS; i++)
        if (lp_attr_is(&attr, ATTR[i])) {
            raw->attr[i] = attr.value;
            break;
        }
    if (attr.of != LP_ATTR_NONE) { /* whether it is one */
        LpProto packed = {0};
        LpAttrValue item;
        bool more = true;
        while (more)
            LP_TRY(lp_attr_item(&attr, &packed, &item, &more, diag));
    }
    return LP_OK;
}

static LpErr add_need(LpChakraReader *r, uint64_t id, LpDiag *diag) {
    if (lp_grow((void **)&r->need, &r->need_cap, r->needs + 1, sizeof id) != LP_OK)
        return no_memory(diag);
    r->need[r->needs++] = id;
    return LP_OK;
}

static LpErr read_needs(LpChakraReader *r, const LpProtoField *field, LpDiag *diag) {
    LpProto list = field->bytes;
    if (field->wire == LP_WIRE_VARINT)
        return add_need(r, field->value, diag);
    while (field->wire == LP_WIRE_BYTES && list.at < list.end) {
        uint64_t id;
        LP_TRY(lp_proto_packed(&list, &id, diag));
        LP_TRY(add_need(r, id, diag));
    }
    return LP_OK;
}

static LpErr read_raw(LpChakraReader *r, LpProto message, Raw *raw, LpDiag *diag) {
    LpProtoField field = {0};
    bool more;
    *raw = (Raw){.place = message.place};
    for (;;) {
        LP_TRY(lp_proto_next(&message, &field, &more, diag));
        if (!more)
            return LP_OK;
        bool number = field.wire == LP_WIRE_VARINT;
        if (field.number == 1 && number)
            raw->id = field.value;
        else if (field.number == 3 && number)
            raw->type = field.value;
        else if ((field.number == 4 && !r->no_ctrl_deps) || field.number == 5)
            LP_TRY(read_needs(r, &field, diag));
        else if (field.number == 6 && number)
            raw->has_start = field.value != 0;
        else if (field.number == 7 && number)
            raw->micros = field.value;
        else if (field.number == 8 && field.wire == LP_WIRE_BYTES)
            raw->inputs = field.bytes;
        else if (field.number == 10 && field.wire == LP_WIRE_BYTES)
            LP_TRY(read_attr(field.bytes, raw, diag));
    }
}

static LpErr fail(const LpChakraReader *r, const Raw *raw, LpDiag *diag, const char *what) {
    return lp_bytes_fail(&r->bytes, raw->place, diag, "node %llu %s", (unsigned long long)raw->id,
                         what);
}

/* A whole number >= 0 of an attribute, whatever its kind; `missing` where it is not there. */
static LpErr whole(const LpChakraReader *r, const Raw *raw, int attr, uint64_t most, uint64_t *out,
                   LpDiag *diag) {
    const LpAttrValue *value = &raw->attr[attr];
    if (value->kind == LP_ATTR_NONE)
        return LP_OK;
    if (value->kind == LP_ATTR_STRING || value->kind == LP_ATTR_BYTES || value->real < 0 ||
        value->whole > most || value->real != value->real)
        return lp_bytes_fail(&r->bytes, raw->place, diag,
                             "node %llu: %s is no whole number from 0 to %llu",
                             (unsigned long long)raw->id, ATTR[attr], (unsigned long long)most);
    *out = value->whole;
    return LP_OK;
}

static LpErr read_comp(LpChakraReader *r, const Raw *raw, LpTraceNode *node, LpDiag *diag) {
    uint64_t flop = 0, bytes = 0;
    LP_TRY(whole(r, raw, FLOP, UINT64_MAX, &flop, diag));
    LP_TRY(whole(r, raw, TENSOR, UINT64_MAX, &bytes, diag));
    node->kind = LP_TRACE_OP;
    node->amount = raw->micros > UINT64_MAX / 1000 ? UINT64_MAX : raw->micros * 1000;
    r->figures->compute_ns = lp_trace_sum(r->figures->compute_ns, node->amount);
    r->figures->flop = lp_trace_sum(r->figures->flop, flop);
    r->figures->tensor_bytes = lp_trace_sum(r->figures->tensor_bytes, bytes);
    r->figures->unknown += raw->micros == 0;
    if (raw->micros > 0 || flop == 0)
        return LP_OK;
    LpErr err =
        lp_trace_draft_work(&r->draft, (uint32_t)r->draft.nodes, (double)flop, (double)bytes);
    return err == LP_OK ? LP_OK : no_memory(diag);
}

static LpErr read_flow(LpChakraReader *r, const Raw *raw, bool sends, LpTraceNode *node,
                       LpDiag *diag) {
    int of_peer = sends ? TARGET : SOURCE;
    uint64_t peer = 0, tag = 0;
    if (raw->attr[of_peer].kind == LP_ATTR_NONE)
        return fail(r, raw, diag,
                    sends ? "sends, but has no comm_dst" : "receives, but has no comm_src");
    LP_TRY(whole(r, raw, of_peer, UINT32_MAX - 1, &peer, diag));
    LP_TRY(whole(r, raw, TAG, UINT32_MAX - 1, &tag, diag));
    LP_TRY(whole(r, raw, SIZE, UINT64_MAX, &node->amount, diag));
    node->kind = sends ? LP_TRACE_SEND : LP_TRACE_RECEIVE;
    node->peer = (uint32_t)peer;
    node->tag = (uint32_t)tag;
    node->stream = LP_CHAKRA_NETWORK;
    uint64_t *sum = sends ? &r->figures->sent : &r->figures->received;
    *sum = lp_trace_sum(*sum, node->amount);
    return LP_OK;
}

static LpErr read_call(LpChakraReader *r, const Raw *raw, LpTraceNode *node, LpDiag *diag) {
    const LpAttrValue *value = &raw->attr[GROUP];
    LpStepTrace *trace = r->chakra->trace;
    uint64_t call = 0;
    char number[24] = "";
    const char *name = number;
    if (raw->attr[CALL].kind == LP_ATTR_NONE)
        return fail(r, raw, diag, "has no comm_type");
    LP_TRY(whole(r, raw, CALL, LP_TRACE_CALLS - 1, &call, diag));
    LP_TRY(whole(r, raw, SIZE, UINT64_MAX, &node->amount, diag));
    node->kind = LP_TRACE_COLLECTIVE;
    node->what = (uint8_t)call;
    node->stream = LP_CHAKRA_NETWORK;
    size_t len = 0;
    if (value->kind == LP_ATTR_STRING || value->kind == LP_ATTR_BYTES) {
        name = (const char *)value->text.at;
        len = (size_t)(value->text.end - value->text.at);
    } else if (value->kind != LP_ATTR_NONE) {
        len = (size_t)snprintf(number, sizeof number, "%llu", (unsigned long long)value->whole);
    }
    LP_TRY(lp_step_trace_comm(trace, name, len, &node->peer, diag));
    if (lp_step_trace_group_of(trace, node->peer, r->rank) != NULL)
        return LP_OK;
    if (lp_grow((void **)&r->call, &r->call_cap, r->calls + 1, sizeof *r->call) != LP_OK)
        return no_memory(diag);
    r->call[r->calls++] = (LpChakraCall){r->rank, (uint32_t)r->draft.nodes, raw->place};
    return LP_OK;
}

/* What a node of PyTorch says of its process groups stands in its inputs {1: values}. */
static LpErr read_metadata(LpChakraReader *r, const Raw *raw, LpDiag *diag) {
    LpProto inputs = raw->inputs;
    LpProtoField field = {0};
    LpDiag inner;
    bool more = inputs.at != NULL;
    while (more) {
        LP_TRY(lp_proto_next(&inputs, &field, &more, diag));
        if (!more || field.number != 1 || field.wire != LP_WIRE_BYTES)
            continue;
        if (lp_chakra_groups_of(r->chakra, (const char *)field.bytes.at,
                                (size_t)(field.bytes.end - field.bytes.at), &inner) != LP_OK)
            return lp_bytes_fail(&r->bytes, field.place, diag, "%s", inner.text);
    }
    return LP_OK;
}

LpErr lp_chakra_node(LpChakraReader *r, LpProto message, LpDiag *diag) {
    LpTraceNode node = {.first = (uint32_t)r->needs};
    uint64_t on_host = 0;
    Raw raw;
    LP_TRY(read_raw(r, message, &raw, diag));
    if (raw.type >= LP_CHAKRA_TYPES)
        return lp_bytes_fail(&r->bytes, raw.place, diag,
                             "node %llu has the unknown type %llu, expected 0 to 7",
                             (unsigned long long)raw.id, (unsigned long long)raw.type);
    if (r->needs > LP_TRACE_NODES_MAX)
        return fail(r, &raw, diag, "waits for too much: the file has over 2^31 dependencies");
    LP_TRY(whole(r, &raw, CPU, UINT64_MAX, &on_host, diag));
    switch ((LpChakraType)raw.type) {
    case LP_CHAKRA_COMP:
        LP_TRY(read_comp(r, &raw, &node, diag));
        break;
    case LP_CHAKRA_SEND:
    case LP_CHAKRA_RECV:
        LP_TRY(read_flow(r, &raw, raw.type == LP_CHAKRA_SEND, &node, diag));
        break;
    case LP_CHAKRA_COLL:
        LP_TRY(read_call(r, &raw, &node, diag));
        break;
    case LP_CHAKRA_METADATA:
        LP_TRY(read_metadata(r, &raw, diag));
        break;
    default:
        break;
    }
    if (on_host != 0)
        node.stream = LP_CHAKRA_HOST;
    if (node.kind != LP_TRACE_COLLECTIVE)
        node.what = (uint8_t)raw.type;
    r->figures->types[raw.type]++;
    r->figures->has_starts |= raw.has_start;
    if (lp_grow((void **)&r->id, &r->id_cap, r->ids + 1, sizeof *r->id) != LP_OK ||
        lp_grow((void **)&r->place, &r->place_cap, r->ids + 1, sizeof *r->place) != LP_OK)
        return no_memory(diag);
    r->id[r->ids] = raw.id;
    r->place[r->ids++] = raw.place;
    return lp_trace_draft_node(&r->draft, &node, diag);
}
