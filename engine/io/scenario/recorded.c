/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph of the scenario key "graphs" that is a recorded step: written out rank by rank ("ranks"),
 * or in files of another program ("trace"). */
#include <math.h>
#include <string.h>

#include "io/files/file.h"
#include "io/scenario/loader.h"
#include "io/scenario/recorded.h"
#include "model/device/device.h"
#include "model/split/recorded.h"
#include "sim/ranks/ranks_run.h"

enum { PATH_TEXT = 4096, FILES_MAX = 1 << 16 };

static const char *const call_words[] = {
#define X(name, word) word,
    LP_TRACE_CALL_TABLE(X)
#undef X
        NULL};

/* ---- what gives times to ops that say what they compute ---- */

typedef struct RecordedSpec {
    const char *id, *format, *groups;
    LpRates rates;
    LpTraceRules rules;
    bool streams, ctrl_deps;
    uint64_t eager; /* UINT64_MAX: not stated */
    uint32_t gpus;
} RecordedSpec;

static LpErr read_device(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    return lp_load_device(value, loader->scenario, &((RecordedSpec *)target)->rates.device, diag);
}

/* ---- a node ---- */

typedef struct NodeSpec {
    uint64_t ns, bytes, id;
    double flop, moved;
    uint32_t send, receive, tag, stream, port;
    int call;
} NodeSpec;

/* A number, or "any". */
static LpErr read_any(LpJsonValue value, uint32_t *out, LpDiag *diag) {
    uint64_t number;
    if (lp_json_kind(value) == LP_JSON_TEXT && strcmp(lp_json_text(value), "any") == 0) {
        *out = LP_TRACE_ANY;
        return LP_OK;
    }
    LP_TRY(lp_json_u64(value, 0, LP_TRACE_ANY - 1, &number, diag));
    *out = (uint32_t)number;
    return LP_OK;
}

static LpErr read_receive(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return read_any(value, &((NodeSpec *)target)->receive, diag);
}

static LpErr read_tag(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    return read_any(value, &((NodeSpec *)target)->tag, diag);
}

static const LpJsonShape *const of_number[] = {&lp_shape_number, NULL};
static const LpJsonShape numbers_shape = {.form = LP_FORM_LIST, .of = of_number};

static const LpJsonKey node_keys[] = {
    {LP_FIELD("ns", LP_KEY_COUNT64, NodeSpec, ns)},
    LP_QUANTITY("flop", NodeSpec, flop, .dim = LP_DIM_NONE),
    LP_QUANTITY("moved", NodeSpec, moved, .dim = LP_DIM_BYTES),
    {LP_FIELD("send", LP_KEY_COUNT, NodeSpec, send)},
    {.name = "receive",
     .type = LP_KEY_CUSTOM,
     .read = read_receive,
     .shape = &lp_shape_text_or_number},
    {.name = "tag", .type = LP_KEY_CUSTOM, .read = read_tag, .shape = &lp_shape_text_or_number},
    {LP_FIELD("call", LP_KEY_WORD, NodeSpec, call), .words = call_words},
    {LP_FIELD("bytes", LP_KEY_COUNT64, NodeSpec, bytes)},
    {.name = "group", .type = LP_KEY_SKIP, .shape = &lp_shape_text},
    {LP_FIELD("stream", LP_KEY_COUNT, NodeSpec, stream), .range = {.max = UINT8_MAX}},
    {LP_FIELD("port", LP_KEY_COUNT, NodeSpec, port), .range = {.max = UINT8_MAX}},
    {LP_FIELD("id", LP_KEY_COUNT64, NodeSpec, id)},
    {.name = "after", .type = LP_KEY_SKIP, .shape = &numbers_shape},
    {.name = "begun", .type = LP_KEY_SKIP, .shape = &numbers_shape},
};

static const LpJsonShape node_shape = LP_OBJECT_SHAPE(node_keys);
static const LpJsonShape *const of_node[] = {&node_shape, NULL};
static const LpJsonShape rank_shape = {.form = LP_FORM_LIST, .of = of_node};
static const LpJsonShape *const of_rank[] = {&rank_shape, NULL};
static const LpJsonShape ranks_shape = {.form = LP_FORM_LIST, .of = of_rank};

static bool has(LpJsonValue value, const char *key) {
    return lp_json_member(value, key).item != NULL;
}

/* What the node does, by the keys that it has. */
static LpErr kind_of(LpJsonValue value, LpTraceKind *kind, LpDiag *diag) {
    static const struct {
        const char *key;
        LpTraceKind kind;
    } is[] = {{"ns", LP_TRACE_OP},
              {"flop", LP_TRACE_OP},
              {"send", LP_TRACE_SEND},
              {"receive", LP_TRACE_RECEIVE},
              {"call", LP_TRACE_COLLECTIVE}};
    const char *said = NULL;
    *kind = LP_TRACE_INSTANT;
    for (size_t i = 0; i < LP_COUNTOF(is); i++) {
        if (!has(value, is[i].key))
            continue;
        if (said != NULL && is[i].kind != *kind)
            return lp_json_fail(value, diag, LP_EINVAL,
                                "a node has both \"%s\" and \"%s\", expected one of \"ns\", "
                                "\"send\", \"receive\" and \"call\"",
                                said, is[i].key);
        said = is[i].key;
        *kind = is[i].kind;
    }
    return LP_OK;
}

/* Keys that say nothing of such a node are mistakes. */
static LpErr check_keys(LpJsonValue value, LpTraceKind kind, LpDiag *diag) {
    static const struct {
        const char *key, *of;
        unsigned kinds; /* bit: a kind that has it */
    } rule[] = {
        {"moved", "\"flop\"", 1U << LP_TRACE_OP},
        {"tag", "\"send\" or \"receive\"", 1U << LP_TRACE_SEND | 1U << LP_TRACE_RECEIVE},
        {"bytes", "\"send\" or \"call\"", 1U << LP_TRACE_SEND | 1U << LP_TRACE_COLLECTIVE},
        {"port", "\"send\"", 1U << LP_TRACE_SEND},
        {"group", "\"call\"", 1U << LP_TRACE_COLLECTIVE},
    };
    for (size_t i = 0; i < LP_COUNTOF(rule); i++) {
        LpJsonValue at = lp_json_member(value, rule[i].key);
        if (at.item != NULL && (rule[i].kinds >> kind & 1) == 0)
            return lp_json_fail(at, diag, LP_EINVAL, "\"%s\" is of a node with %s", rule[i].key,
                                rule[i].of);
    }
    return LP_OK;
}

/* ---- ranks ---- */

typedef struct Reading {
    LpStepTrace *trace;
    LpTraceDraft draft;
    uint64_t *id; /* of the rank that is read; NULL: their numbers */
    LpArena *arena;
    uint32_t rank, nodes;
    bool named;
} Reading;

static LpErr read_edges(Reading *r, LpJsonValue list, uint32_t node, uint32_t mark, LpDiag *diag) {
    if (list.item == NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        uint64_t to;
        LP_TRY(lp_json_u64(v, 0, r->nodes - 1, &to, diag));
        LP_TRY(lp_trace_draft_edge(&r->draft, node, (uint32_t)to | mark, diag));
    }
    return LP_OK;
}

static LpErr check_peer(const Reading *r, LpJsonValue at, uint32_t peer, LpDiag *diag) {
    if (peer < r->trace->ranks || peer == LP_TRACE_ANY)
        return LP_OK;
    return lp_json_fail(at, diag, LP_EINVAL, "there is no rank %u, expected 0 to %u", peer,
                        r->trace->ranks - 1);
}

/* The communicator of a call, in which the rank has to be. */
static LpErr read_group(const Reading *r, LpJsonValue value, uint32_t *out, LpDiag *diag) {
    LpJsonValue at = lp_json_member(value, "group");
    const char *name = "";
    char shown[64];
    if (at.item != NULL) {
        LP_TRY(lp_json_expect(at, LP_JSON_TEXT, diag));
        name = lp_json_text(at);
    }
    LP_TRY(lp_step_trace_comm(r->trace, name, strlen(name), out, diag));
    if (lp_step_trace_group_of(r->trace, *out, r->rank) != NULL)
        return LP_OK;
    return lp_json_fail(at, diag, LP_EINVAL, "rank %u is in no group \"%s\"", r->rank,
                        lp_str_show(shown, sizeof shown, name));
}

static LpErr read_node(Reading *r, LpJsonValue value, uint32_t number, LpDiag *diag) {
    NodeSpec spec = {.id = number};
    LpTraceKind kind;
    LP_TRY(lp_json_read(value, node_keys, LP_COUNTOF(node_keys), &spec, r->arena, NULL, diag));
    LP_TRY(kind_of(value, &kind, diag));
    LP_TRY(check_keys(value, kind, diag));
    LpTraceNode node = {.kind = (uint8_t)kind,
                        .stream = (uint8_t)spec.stream,
                        .port = (uint8_t)spec.port,
                        .tag = spec.tag,
                        .amount = kind == LP_TRACE_OP ? spec.ns : spec.bytes,
                        .peer = kind == LP_TRACE_SEND ? spec.send : spec.receive,
                        .what = kind == LP_TRACE_COLLECTIVE ? (uint8_t)spec.call : 0};
    if (kind == LP_TRACE_SEND || kind == LP_TRACE_RECEIVE)
        LP_TRY(check_peer(r, lp_json_member(value, kind == LP_TRACE_SEND ? "send" : "receive"),
                          node.peer, diag));
    if (kind == LP_TRACE_SEND && node.tag == LP_TRACE_ANY)
        return lp_json_fail(lp_json_member(value, "tag"), diag, LP_EINVAL,
                            "a send has a number as its tag, a receive may have \"any\"");
    if (kind == LP_TRACE_COLLECTIVE)
        LP_TRY(read_group(r, value, &node.peer, diag));
    LP_TRY(lp_trace_draft_node(&r->draft, &node, diag));
    if (has(value, "flop") &&
        lp_trace_draft_work(&r->draft, number, spec.flop, spec.moved) != LP_OK)
        return lp_fail_memory(diag, "a recorded step");
    r->id[number] = spec.id;
    r->named |= spec.id != number;
    LP_TRY(read_edges(r, lp_json_member(value, "after"), number, 0, diag));
    return read_edges(r, lp_json_member(value, "begun"), number, LP_TRACE_BEGUN, diag);
}

static LpErr read_rank(Reading *r, LpJsonValue list, LpDiag *diag) {
    uint32_t cycle = LP_NO_INDEX, number = 0;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    r->nodes = (uint32_t)lp_json_count(list);
    r->named = false;
    r->id = lp_alloc(r->nodes, sizeof *r->id);
    LpErr err = r->id != NULL ? LP_OK : lp_fail_memory(diag, "a recorded step");
    for (LpJsonValue v = lp_json_first(list); err == LP_OK && v.item != NULL; v = lp_json_next(v))
        err = read_node(r, v, number++, diag);
    LpTraceRank *rank = &r->trace->rank[r->rank];
    if (err == LP_OK)
        err = lp_trace_draft_end(&r->draft, rank, &cycle, diag);
    if (err == LP_OK && r->named)
        rank->id = r->id;
    else
        lp_free(r->id);
    if (err == LP_OK && cycle != LP_NO_INDEX)
        return lp_json_fail(list, diag, LP_ECYCLE, "node %u of rank %u waits for itself", cycle,
                            r->rank);
    return err;
}

/* ---- groups ---- */

typedef struct GroupSpec {
    const char *name;
} GroupSpec;

static const LpJsonKey group_keys[] = {
    {LP_FIELD("name", LP_KEY_TEXT, GroupSpec, name), .required = true},
    {.name = "ranks", .type = LP_KEY_SKIP, .shape = &numbers_shape, .required = true},
};

static const LpJsonShape group_shape = LP_OBJECT_SHAPE(group_keys);
static const LpJsonShape *const of_group[] = {&group_shape, NULL};
static const LpJsonShape groups_shape = {.form = LP_FORM_LIST, .of = of_group};

static LpErr add_group(LpStepTrace *trace, uint32_t comm, LpJsonValue list, uint32_t *member,
                       LpDiag *diag) {
    uint32_t count = 0;
    LpDiag inner;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        uint64_t rank;
        LP_TRY(lp_json_u64(v, 0, trace->ranks - 1, &rank, diag));
        if (count == trace->ranks)
            return lp_json_fail(v, diag, LP_EINVAL, "a rank stands twice in the group");
        if (lp_step_trace_group_of(trace, comm, (uint32_t)rank) != NULL)
            return lp_json_fail(v, diag, LP_EINVAL,
                                "rank %u is in another group of this name: expected each once",
                                (unsigned)rank);
        member[count++] = (uint32_t)rank;
    }
    if (count == 0)
        return lp_json_fail(list, diag, LP_EINVAL, "a group without ranks");
    LpErr err = lp_step_trace_group(trace, comm, member, count, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(list, diag, err, "%s", inner.text);
}

static LpErr read_groups(const LpLoader *loader, LpJsonValue list, LpStepTrace *trace,
                         LpDiag *diag) {
    uint32_t comm;
    LP_TRY(lp_step_trace_comm(trace, "", 0, &comm, diag));
    LP_TRY(lp_step_trace_group(trace, comm, NULL, 0, diag));
    if (list.item == NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    uint32_t *member = lp_alloc(trace->ranks, sizeof *member);
    LpErr err = member != NULL ? LP_OK : lp_fail_memory(diag, "the groups of a recorded step");
    for (LpJsonValue v = lp_json_first(list); err == LP_OK && v.item != NULL; v = lp_json_next(v)) {
        GroupSpec spec = {0};
        err = lp_json_read(v, group_keys, LP_COUNTOF(group_keys), &spec, loader->scenario->arena,
                           NULL, diag);
        if (err == LP_OK && spec.name[0] == '\0')
            err = lp_json_fail(lp_json_member(v, "name"), diag, LP_EINVAL,
                               "a group of no name is that of all ranks");
        if (err == LP_OK)
            err = lp_step_trace_comm(trace, spec.name, strlen(spec.name), &comm, diag);
        if (err == LP_OK)
            err = add_group(trace, comm, lp_json_member(v, "ranks"), member, diag);
    }
    lp_free(member);
    return err;
}

/* ---- a step that is written out ---- */

#define RATES_KEYS                                                                                 \
    {.name = "device", .type = LP_KEY_CUSTOM, .read = read_device, .shape = &lp_shape_text}, {     \
        LP_FIELD("precision", LP_KEY_WORD, RecordedSpec, rates.precision),                         \
            .words = lp_precision_words                                                            \
    }

static const LpJsonKey ranks_keys[] = {
    {LP_FIELD("id", LP_KEY_TEXT, RecordedSpec, id), .required = true},
    {.name = "ranks", .type = LP_KEY_SKIP, .shape = &ranks_shape, .required = true},
    {.name = "groups", .type = LP_KEY_SKIP, .shape = &groups_shape},
    {LP_FIELD("ports", LP_KEY_FLAG, RecordedSpec, rules.ports)},
    {LP_FIELD("eager", LP_KEY_COUNT64, RecordedSpec, eager)},
    {LP_FIELD("streams", LP_KEY_FLAG, RecordedSpec, streams)},
    RATES_KEYS,
};
const LpJsonShape lp_shape_ranks = LP_OBJECT_SHAPE(ranks_keys);

static LpErr read_ranks(const LpLoader *loader, LpJsonValue value, LpStepTrace **out,
                        LpDiag *diag) {
    LpJsonValue list = lp_json_member(value, "ranks");
    LpDiag inner;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    size_t ranks = lp_json_count(list);
    if (ranks < 1 || ranks > LP_RECORDED_RANKS)
        return lp_json_fail(list, diag, ranks < 1 ? LP_EINVAL : LP_ELIMIT,
                            "%zu ranks, expected 1 to %d", ranks, LP_RECORDED_RANKS);
    Reading r = {.arena = loader->scenario->arena};
    LpErr err = lp_step_trace_new(ranks, &r.trace, &inner);
    if (err != LP_OK)
        return lp_json_fail(list, diag, err, "%s", inner.text);
    err = read_groups(loader, lp_json_member(value, "groups"), r.trace, diag);
    for (LpJsonValue v = lp_json_first(list); err == LP_OK && v.item != NULL;
         v = lp_json_next(v), r.rank++)
        err = read_rank(&r, v, diag);
    lp_trace_draft_fini(&r.draft);
    if (err == LP_OK)
        *out = r.trace;
    else
        lp_step_trace_free(r.trace);
    return err;
}

/* ---- a step in files ---- */

static const LpJsonShape *const of_text[] = {&lp_shape_text, NULL};
static const LpJsonShape texts_shape = {.form = LP_FORM_LIST, .of = of_text};
static const LpJsonShape *const one_or_more[] = {&lp_shape_text, &texts_shape, NULL};
static const LpJsonShape files_shape = {.form = LP_FORM_ONE_OF, .of = one_or_more};

static const LpJsonKey trace_keys[] = {
    {LP_FIELD("id", LP_KEY_TEXT, RecordedSpec, id), .required = true},
    {LP_FIELD("trace", LP_KEY_TEXT, RecordedSpec, format), .required = true},
    {.name = "files", .type = LP_KEY_SKIP, .shape = &files_shape, .required = true},
    {LP_FIELD("groups", LP_KEY_TEXT, RecordedSpec, groups)},
    LP_COUNTED("gpus", RecordedSpec, gpus, 1, LP_RECORDED_RANKS),
    {LP_FIELD("ctrl_deps", LP_KEY_FLAG, RecordedSpec, ctrl_deps)},
    {LP_FIELD("eager", LP_KEY_COUNT64, RecordedSpec, eager)},
    {LP_FIELD("streams", LP_KEY_FLAG, RecordedSpec, streams)},
    RATES_KEYS,
};
const LpJsonShape lp_shape_trace = LP_OBJECT_SHAPE(trace_keys);

/* Where a file is: relative paths start from the folder of the scenario. */
static LpErr find_file(const LpLoader *loader, LpJsonValue at, const char **out, LpDiag *diag) {
    char path[PATH_TEXT];
    LpDiag inner;
    LP_TRY(lp_json_expect(at, LP_JSON_TEXT, diag));
    LpErr err =
        lp_files_find(NULL, lp_json_text(at), loader->file, NULL, NULL, path, sizeof path, &inner);
    if (err != LP_OK)
        return lp_json_fail(at, diag, err, "%s", inner.text);
    *out = lp_arena_strdup(loader->scenario->arena, path);
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "the files of a trace");
}

static LpErr find_files(const LpLoader *loader, LpJsonValue value, const char ***out, size_t *count,
                        LpDiag *diag) {
    LpJsonValue at = lp_json_member(value, "files");
    bool one = lp_json_kind(at) == LP_JSON_TEXT;
    if (!one)
        LP_TRY(lp_json_expect(at, LP_JSON_LIST, diag));
    size_t files = one ? 1 : lp_json_count(at), i = 0;
    if (files < 1 || files > FILES_MAX)
        return lp_json_fail(at, diag, files < 1 ? LP_EINVAL : LP_ELIMIT,
                            "%zu files, expected 1 to %d", files, FILES_MAX);
    const char **path = lp_arena_alloc(loader->scenario->arena, files, sizeof *path);
    if (path == NULL)
        return lp_fail_memory(diag, "the files of a trace");
    if (one)
        LP_TRY(find_file(loader, at, &path[0], diag));
    for (LpJsonValue v = lp_json_first(at); !one && v.item != NULL; v = lp_json_next(v))
        LP_TRY(find_file(loader, v, &path[i++], diag));
    *out = path;
    *count = files;
    return LP_OK;
}

static LpErr read_files(const LpLoader *loader, LpJsonValue value, RecordedSpec *spec,
                        LpStepTrace **out, LpDiag *diag) {
    const LpTraceSource *source = loader->options->traces;
    const char **path = NULL;
    size_t files = 0;
    LpDiag inner;
    if (source == NULL)
        return lp_json_fail(value, diag, LP_ESTATE,
                            "files of other programs are not read here: expected \"ranks\"");
    LP_TRY(find_files(loader, value, &path, &files, diag));
    LpImportOptions options = {.max_input = loader->options->max_input,
                               .gpus = spec->gpus,
                               .no_ctrl_deps = !spec->ctrl_deps};
    if (spec->groups != NULL)
        LP_TRY(find_file(loader, lp_json_member(value, "groups"), &options.groups, diag));
    LpErr err = source->step(spec->format, path, files, &options, out, &spec->rules, &inner);
    if (err != LP_OK && inner.file[0] != '\0') { /* its place is in the trace */
        *diag = inner;
        return err;
    }
    return err == LP_OK ? LP_OK
                        : lp_json_fail(lp_json_member(value, "trace"), diag, err, "%s", inner.text);
}

/* ---- both ---- */

/* Does it end? That depends on no network. */
static LpErr check_run(LpJsonValue at, const LpStepTrace *trace, const LpTraceRules *rules,
                       LpDiag *diag) {
    const LpTraceRunSpec spec = {.rules = *rules, .bandwidth = 1e9};
    LpTraceRun run;
    LpDiag inner;
    LpErr err = lp_trace_run(trace, &spec, &run, &inner);
    if (err != LP_OK)
        return lp_json_fail(at, diag, err, "%s", inner.text);
    if (run.stuck[0] != '\0')
        err = lp_json_fail(at, diag, LP_EINVAL, "the step never ends: %s", run.stuck);
    else if (!(run.step_ns > 0))
        err = lp_json_fail(at, diag, LP_EINVAL, "the step takes no time: nobody computes or sends");
    lp_trace_run_free(&run);
    return err;
}

static LpErr check_spec(LpJsonValue value, const RecordedSpec *spec, LpDiag *diag) {
    LpJsonValue precision = lp_json_member(value, "precision"), at = lp_json_member(value, "eager");
    LpDiag inner;
    if (at.item != NULL && !spec->rules.ports)
        return lp_json_fail(at, diag, LP_EINVAL,
                            "\"eager\" is of sends that end when a receive has their data: those "
                            "of goal, or with \"ports\": true");
    LpErr err = lp_rates_check(&spec->rates, &inner);
    return err == LP_OK ? LP_OK
                        : lp_json_fail(precision.item != NULL ? precision : value, diag, err, "%s",
                                       inner.text);
}

LpErr lp_load_recorded(LpJsonValue value, LpLoader *loader, LpGraph **out, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    RecordedSpec spec = {.streams = true,
                         .ctrl_deps = true,
                         .eager = UINT64_MAX,
                         .rates = {.device = scenario->cluster.type[0].device}};
    bool files = has(value, "trace");
    LpJsonValue at = lp_json_member(value, files ? "files" : "ranks");
    LpStepTrace *trace = NULL;
    LpDiag inner;
    LP_TRY(lp_json_read(value, files ? trace_keys : ranks_keys,
                        files ? LP_COUNTOF(trace_keys) : LP_COUNTOF(ranks_keys), &spec,
                        scenario->arena, loader, diag));
    LP_TRY(files ? read_files(loader, value, &spec, &trace, diag)
                 : read_ranks(loader, value, &trace, diag));
    if (spec.eager != UINT64_MAX)
        spec.rules.eager = spec.eager;
    spec.rules.free_streams = !spec.streams;
    LpErr err = check_spec(value, &spec, diag);
    if (err == LP_OK)
        err = check_run(at, trace, &spec.rules, diag);
    if (err != LP_OK) {
        lp_step_trace_free(trace);
        return err;
    }
    err = lp_recorded_graph(spec.id, NULL, trace, &spec.rules, &spec.rates, out, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(at, diag, err, "%s", inner.text);
}

/* ---- writing one out ---- */

static void put_edges(const LpTraceRank *rank, uint32_t node, bool begun, LpJsonOut *json) {
    uint32_t count;
    const uint32_t *edge = lp_trace_edges(rank, node, &count);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (((edge[i] & LP_TRACE_BEGUN) != 0) != begun)
            continue;
        if (!any)
            lp_json_open(json, begun ? "begun" : "after", '[');
        any = true;
        lp_json_put_count(json, NULL, edge[i] & ~LP_TRACE_BEGUN);
    }
    if (any)
        lp_json_close(json, ']');
}

static void put_any(LpJsonOut *json, const char *key, uint32_t value) {
    if (value == LP_TRACE_ANY)
        lp_json_put_text(json, key, "any");
    else
        lp_json_put_count(json, key, value);
}

/* `work`: the next one that is not written yet. */
static void put_op(const LpTraceRank *rank, uint32_t node, double unknown, size_t *work,
                   LpJsonOut *json) {
    uint64_t ns = rank->node[node].amount;
    bool works = *work < rank->works && rank->work[*work].node == node;
    if (works && ns == 0) {
        lp_json_put_number(json, "flop", rank->work[*work].flop);
        lp_json_put_number(json, "moved", rank->work[*work].bytes);
    } else {
        lp_json_put_count(json, "ns", ns > 0 ? ns : (uint64_t)unknown);
    }
    *work += works;
}

static void put_node(const LpStepTrace *trace, const LpTraceRules *rules, uint32_t r, uint32_t i,
                     size_t *work, LpJsonOut *json) {
    const LpTraceRank *rank = &trace->rank[r];
    const LpTraceNode *node = &rank->node[i];
    bool flow = node->kind == LP_TRACE_SEND || node->kind == LP_TRACE_RECEIVE;
    lp_json_open(json, NULL, '{');
    if (node->kind == LP_TRACE_OP)
        put_op(rank, i, rules->unknown_ns, work, json);
    if (flow)
        put_any(json, node->kind == LP_TRACE_SEND ? "send" : "receive", node->peer);
    if (flow && node->tag != 0)
        put_any(json, "tag", node->tag);
    if (node->kind == LP_TRACE_COLLECTIVE)
        lp_json_put_text(json, "call", lp_trace_call_word((LpTraceCall)node->what));
    if (node->kind == LP_TRACE_SEND || node->kind == LP_TRACE_COLLECTIVE)
        lp_json_put_count(json, "bytes", node->amount);
    if (node->kind == LP_TRACE_COLLECTIVE && trace->comm[node->peer].name[0] != '\0')
        lp_json_put_text(json, "group", trace->comm[node->peer].name);
    if (node->stream > 0)
        lp_json_put_count(json, "stream", node->stream);
    if (node->kind == LP_TRACE_SEND && node->port > 0)
        lp_json_put_count(json, "port", node->port);
    if (lp_trace_node_id(rank, i) != i)
        lp_json_put_count(json, "id", lp_trace_node_id(rank, i));
    put_edges(rank, i, false, json);
    put_edges(rank, i, true, json);
    lp_json_close(json, '}');
}

/* The groups of communicators that have a name. */
static void put_groups(const LpStepTrace *trace, LpJsonOut *json) {
    lp_json_lines(json, "groups", '[');
    for (uint32_t g = 0; g < trace->groups; g++) {
        const LpTraceGroup *group = &trace->group[g];
        const char *name = trace->comm[group->comm].name;
        if (name[0] == '\0')
            continue;
        lp_json_open(json, NULL, '{');
        lp_json_put_text(json, "name", name);
        lp_json_put_counts(json, "ranks", group->member, group->members);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

void lp_recorded_put(const LpStepTrace *trace, const LpTraceRules *rules, LpJsonOut *json) {
    if (rules->ports) {
        lp_json_put_bool(json, "ports", true);
        lp_json_put_count(json, "eager", rules->eager);
    }
    if (rules->free_streams)
        lp_json_put_bool(json, "streams", false);
    put_groups(trace, json);
    lp_json_lines(json, "ranks", '[');
    for (uint32_t r = 0; r < trace->ranks; r++) {
        size_t work = 0;
        lp_json_lines(json, NULL, '[');
        for (uint32_t i = 0; i < trace->rank[r].nodes; i++)
            put_node(trace, rules, r, i, &work, json);
        lp_json_close(json, ']');
    }
    lp_json_close(json, ']');
}
