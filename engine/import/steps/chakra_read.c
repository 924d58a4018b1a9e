/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chakra's .et files: messages of protocol buffers, one after the other, of which the first is the
 * head and all others are nodes. */
#include "base/hash.h"
#include "base/str.h"
#include "import/steps/chakra_node.h"

static LpErr no_memory(LpDiag *diag) {
    return lp_fail_memory(diag, "a trace of a step");
}

/* ---- a rank ---- */

/* Ids to numbers of nodes: open addressing, number + 1, 0 free. */
typedef struct Map {
    uint32_t *slot;
    size_t slots;
} Map;

/* The slot of an id, or the free one that would be its. */
static uint32_t *find(const Map *map, const uint64_t *id, uint64_t wanted) {
    size_t at = lp_hash_u64(LP_HASH_INIT, wanted) & (map->slots - 1);
    while (map->slot[at] != 0 && id[map->slot[at] - 1] != wanted)
        at = (at + 1) & (map->slots - 1);
    return &map->slot[at];
}

static LpErr map_ids(const LpChakraReader *r, Map *map, LpDiag *diag) {
    for (map->slots = 16; map->slots < 2 * r->ids;)
        map->slots *= 2;
    map->slot = lp_alloc(map->slots, sizeof *map->slot);
    if (map->slot == NULL)
        return no_memory(diag);
    for (size_t i = 0; i < r->ids; i++) {
        uint32_t *slot = find(map, r->id, r->id[i]);
        if (*slot != 0)
            return lp_bytes_fail(&r->bytes, r->place[i], diag, "node %llu stands there twice",
                                 (unsigned long long)r->id[i]);
        *slot = (uint32_t)i + 1;
    }
    return LP_OK;
}

static LpErr add_edges(LpChakraReader *r, const Map *map, LpDiag *diag) {
    size_t at = 0;
    for (size_t i = 0; i < r->ids; i++) {
        size_t end = i + 1 < r->ids ? r->draft.node[i + 1].first : r->needs;
        for (; at < end; at++) {
            uint32_t needed = *find(map, r->id, r->need[at]);
            if (needed == 0)
                return lp_bytes_fail(&r->bytes, r->place[i], diag,
                                     "node %llu depends on node %llu, which is not there",
                                     (unsigned long long)r->id[i], (unsigned long long)r->need[at]);
            LP_TRY(lp_trace_draft_edge(&r->draft, (uint32_t)i, needed - 1, diag));
        }
    }
    return LP_OK;
}

static LpErr end_rank(LpChakraReader *r, LpDiag *diag) {
    LpTraceRank *rank = &r->chakra->trace->rank[r->rank];
    Map map = {0};
    uint32_t cycle;
    LpErr err = map_ids(r, &map, diag);
    if (err == LP_OK)
        err = add_edges(r, &map, diag);
    lp_free(map.slot);
    LP_TRY(err);
    LP_TRY(lp_trace_draft_end(&r->draft, rank, &cycle, diag));
    if (cycle != LP_NO_INDEX)
        return lp_bytes_fail(&r->bytes, r->place[cycle], diag, "node %llu depends on itself",
                             (unsigned long long)r->id[cycle]);
    uint64_t *less = lp_realloc(r->id, r->ids > 0 ? r->ids : 1, sizeof *r->id);
    rank->id = less != NULL ? less : r->id;
    r->id = NULL;
    r->id_cap = r->ids = r->needs = 0;
    return LP_OK;
}

/* ---- a file ---- */

static LpErr read_head(LpChakraReader *r, LpProto message, LpDiag *diag) {
    LpProto version = {0};
    LpProtoField field = {0};
    LpAttr attr;
    bool more, named = false;
    for (;;) {
        LP_TRY(lp_proto_next(&message, &field, &more, diag));
        if (!more)
            break;
        if (field.wire != LP_WIRE_BYTES)
            continue;
        if (field.number == 1) {
            version = field.bytes;
            named = true;
        } else if (field.number == 2) {
            LP_TRY(lp_attr_read(field.bytes, &attr, diag));
            if (!named && lp_attr_is(&attr, "schema") && attr.value.kind == LP_ATTR_STRING)
                version = attr.value.text;
        }
    }
    r->figures->version = lp_arena_strndup(r->chakra->arena, (const char *)version.at,
                                           (size_t)(version.end - version.at));
    return r->figures->version != NULL ? LP_OK : no_memory(diag);
}

/* The length in front of a message, and the message. */
static LpErr look_message(LpChakraReader *r, LpProto *message, bool *more, LpDiag *diag) {
    enum { LENGTH_MAX = 11 };
    const unsigned char *data;
    uint64_t place = lp_bytes_place(&r->bytes), len;
    size_t got;
    LP_TRY(lp_bytes_look(&r->bytes, LENGTH_MAX, &data, &got, diag));
    *more = got > 0;
    if (!*more)
        return LP_OK;
    int used = lp_proto_varint(data, got, &len);
    if (used <= 0)
        return lp_bytes_fail(&r->bytes, place, diag,
                             used < 0 ? "a length of more than 10 bytes"
                                      : "the file ends inside a length");
    lp_bytes_take(&r->bytes, (size_t)used);
    LP_TRY(lp_bytes_look(&r->bytes, len, &data, &got, diag));
    if (got < len)
        return lp_bytes_fail(&r->bytes, place, diag, "a message of %llu bytes where %zu are left",
                             (unsigned long long)len, got);
    *message = (LpProto){data, data + len, place + (uint64_t)used, r->figures->file};
    return LP_OK;
}

static LpErr read_file(LpChakraReader *r, LpDiag *diag) {
    LpProto message;
    bool more;
    LP_TRY(look_message(r, &message, &more, diag));
    if (!more)
        return lp_bytes_fail(&r->bytes, 0, diag, "the file is empty");
    LP_TRY(read_head(r, message, diag));
    lp_bytes_take(&r->bytes, (size_t)(message.end - message.at));
    for (;;) {
        LP_TRY(look_message(r, &message, &more, diag));
        if (!more)
            return end_rank(r, diag);
        LP_TRY(lp_chakra_node(r, message, diag));
        lp_bytes_take(&r->bytes, (size_t)(message.end - message.at));
    }
}

/* Once all communicators are known. */
static LpErr check_calls(const LpChakraReader *r, LpDiag *diag) {
    const LpStepTrace *trace = r->chakra->trace;
    for (size_t i = 0; i < r->calls; i++) {
        const LpChakraCall *call = &r->call[i];
        const LpTraceRank *rank = &trace->rank[call->rank];
        uint32_t comm = rank->node[call->node].peer;
        unsigned long long id = lp_trace_node_id(rank, call->node);
        if (lp_step_trace_group_of(trace, comm, call->rank) != NULL)
            continue;
        char name[64];
        lp_str_show(name, sizeof name, trace->comm[comm].name);
        const char *file = r->chakra->rank[call->rank].file;
        if (trace->comm[comm].groups == 0)
            return lp_bytes_fail_in(file, call->place, diag,
                                    "node %llu names the communicator \"%s\", which is in no file "
                                    "of communicators (--groups)",
                                    id, name);
        return lp_bytes_fail_in(file, call->place, diag,
                                "node %llu uses the communicator \"%s\", of which rank %u is no "
                                "member",
                                id, name, call->rank);
    }
    return LP_OK;
}

LpErr lp_chakra_read(const LpReading *reading, LpChakra *chakra, LpDiag *diag) {
    LpChakraReader r = {.chakra = chakra, .no_ctrl_deps = reading->options->no_ctrl_deps};
    LpErr err = LP_OK;
    for (; err == LP_OK && r.rank < chakra->trace->ranks; r.rank++) {
        r.figures = &chakra->rank[r.rank];
        err = lp_bytes_open(&r.bytes, r.figures->file, reading->options->max_input, diag);
        if (err == LP_OK)
            err = read_file(&r, diag);
        lp_bytes_close(&r.bytes);
    }
    if (err == LP_OK)
        err = check_calls(&r, diag);
    lp_trace_draft_fini(&r.draft);
    lp_free(r.id);
    lp_free(r.place);
    lp_free(r.need);
    lp_free(r.call);
    return err;
}
