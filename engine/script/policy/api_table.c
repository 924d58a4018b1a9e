/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The API tables as one list, and its rows in the words of the manual. */
#include "script/policy/api_table.h"

#include <string.h>

/* ---- the rows ---- */

/* The short names of the types. */
enum {
#define X(id, shown, annotation) id = LP_TYPE_##id,
    LP_API_TYPES(X)
#undef X
};

#define FIELD(...) .kind = LP_API_FIELD, .value = {{__VA_ARGS__}}
#define OPTIONAL(...) .kind = LP_API_OPTIONAL, .value = {{__VA_ARGS__}}
#define CALL(arguments, results) .kind = LP_API_CALL, arguments, results
#define HOOK(arguments, results) .kind = LP_API_HOOK, arguments, results
#define ACTION_OF(...) .kind = LP_API_ACTION, .takes = {__VA_ARGS__}
#define TAKES(...) .takes = {__VA_ARGS__}
#define GIVES(...) .gives = {__VA_ARGS__}
#define NO_ARGUMENT .takes = {{NULL, LP_TYPE_NONE, false, false}}
#define NO_RESULT .gives = {{{{LP_TYPE_NONE}}, false}}
#define ARG(name, type)                                                                            \
    { #name, type, false, false }
#define OPT(name, type)                                                                            \
    { #name, type, true, false }
#define SHAPE(name, type)                                                                          \
    { #name, type, false, true }
#define SHAPE_OPT(name, type)                                                                      \
    { #name, type, true, true }
#define KEY(name)                                                                                  \
    { #name, LP_TYPE_NONE, false, false }
#define RESULT(...)                                                                                \
    { {{__VA_ARGS__}}, false }
#define MAYBE(...)                                                                                 \
    { {{__VA_ARGS__}}, true }

#define ROW(its_group, its_owner, its_call, its_name, its_doc, ...)                                \
    {.group = its_group,                                                                           \
     .owner = its_owner,                                                                           \
     .call = its_call,                                                                             \
     .name = its_name,                                                                             \
     .doc = its_doc,                                                                               \
     __VA_ARGS__},
#define HOOK_ROW(name, what, doc) ROW("hook", "policy", "", #name, doc, what)
#define SELF_ROW(name, what, doc) ROW("self", "policy", "self:", #name, doc, what)
#define POLICY_ROW(name, what, doc) ROW("policy", "policy", "", #name, doc, what)
#define PARAM_ROW(name, what, doc) ROW("param", "param", "", #name, doc, what)
#define CLUSTER_ROW(name, what, doc) ROW("cluster", "cluster", "cluster:", #name, doc, what)
#define JOB_ROW(name, what, doc) ROW("job", "job", "job:", #name, doc, what)
#define NETWORK_ROW(name, what, doc) ROW("network", "network", "network:", #name, doc, what)
#define OP_ROW(name, what, doc) ROW("op", "op", "", #name, doc, what)
#define DEP_ROW(name, what, doc) ROW("dep", "dep", "", #name, doc, what)
#define PART_ROW(name, what, doc) ROW("part", "part", "", #name, doc, what)
#define FLOW_ROW(name, what, doc) ROW("flow", "flow", "", #name, doc, what)
#define FORECAST_ROW(name, what, doc) ROW("forecast", "forecast", "", #name, doc, what)
#define BLOCK_ROW(name, what, doc) ROW("block", "block", "", #name, doc, what)
#define SLICE_ROW(name, what, doc) ROW("slice", "slice", "", #name, doc, what)
#define CUBE_ROW(name, what, doc) ROW("cube", "cube", "", #name, doc, what)
#define SLICES_ROW(name, what, doc) ROW("slices option", "slices option", "", #name, doc, what)
#define PREDICT_ROW(name, what, doc) ROW("predict option", "predict option", "", #name, doc, what)
#define BLOCKS_ROW(name, what, doc) ROW("blocks option", "blocks option", "", #name, doc, what)
#define TREE_ROW(name, what, doc) ROW("tree option", "tree option", "", #name, doc, what)
#define BEST_ROW(name, what, doc) ROW("best option", "best option", "", #name, doc, what)
#define EVENT_ROW(name, what, doc) ROW("event", "event", "", #name, doc, what)
#define PHASE_ROW(name, what, doc) ROW("phase", "phase", "", #name, doc, what)
#define FAILURE_ROW(name, what, doc) ROW("failure", "failure", "", #name, doc, what)
#define LIGHT_ROW(name, what, doc) ROW("light", "light", "", #name, doc, what)
#define ACTION_ROW(name, what, doc) ROW("action", "action", "", #name, doc, what)
#define KEY_ROW(name, what, doc) ROW("action key", "action", "", #name, doc, what)
#define GLOBAL_ROW(name, what, doc) ROW("global", "global", "", #name, doc, what)
#define EXPLAIN_ROW(name, what, doc) ROW("explain", "explain", "", #name, doc, what)
#define OPTICS_ROW(name, what, doc) ROW("optics", "optics", "", #name, doc, what)
#define COST_ROW(name, what, doc) ROW("cost", "cost", "", #name, doc, what)
#define LINK_ROW(name, what, doc) ROW("link", "link", "", #name, doc, what)
#define PLAN_ROW(name, what, doc) ROW("plan", "plan", "", #name, doc, what)
#define ZONE_ROW(name, what, doc) ROW("zone", "zone", "", #name, doc, what)
#define MATCH_ROW(name, what, doc) ROW("match", "match", "match.", #name, doc, what)
#define GRAPH_ROW(name, what, doc) ROW("graph", "graph", "graph.", #name, doc, what)

const LpApiRow *lp_api_table(size_t *count) {
    /* clang-format off */
    static const LpApiRow ROWS[] = {
        LP_API_HOOKS(HOOK_ROW)
        LP_API_SELF(SELF_ROW)
        LP_API_POLICY(POLICY_ROW)
        LP_API_PARAM(PARAM_ROW)
        LP_API_CLUSTER_FIELDS(CLUSTER_ROW)
        LP_API_CLUSTER_METHODS(CLUSTER_ROW)
        LP_API_JOB_FIELDS(JOB_ROW)
        LP_API_JOB_METHODS(JOB_ROW)
        LP_API_OP_FIELDS(OP_ROW)
        LP_API_DEP_FIELDS(DEP_ROW)
        LP_API_PART_FIELDS(PART_ROW)
        LP_API_FLOW_FIELDS(FLOW_ROW)
        LP_API_FORECAST_FIELDS(FORECAST_ROW)
        LP_API_BLOCK_FIELDS(BLOCK_ROW)
        LP_API_SLICE_FIELDS(SLICE_ROW)
        LP_API_CUBE_FIELDS(CUBE_ROW)
        LP_API_PREDICT_OPTIONS(PREDICT_ROW)
        LP_API_BLOCKS_OPTIONS(BLOCKS_ROW)
        LP_API_SLICES_OPTIONS(SLICES_ROW)
        LP_API_TREE_OPTIONS(TREE_ROW)
        LP_API_BEST_OPTIONS(BEST_ROW)
        LP_API_EVENT_FIELDS(EVENT_ROW)
        LP_API_FAILURE_FIELDS(FAILURE_ROW)
        LP_API_PHASE_FIELDS(PHASE_ROW)
        LP_API_LIGHT_FIELDS(LIGHT_ROW)
        LP_API_ACTIONS(ACTION_ROW)
        LP_API_ACTION_KEYS(KEY_ROW)
        LP_API_GLOBALS(GLOBAL_ROW)
        LP_API_EXPLAIN_FIELDS(EXPLAIN_ROW)
        LP_API_OPTICS_FIELDS(OPTICS_ROW)
        LP_API_COST_FIELDS(COST_ROW)
        LP_API_LINK_FIELDS(LINK_ROW)
        LP_API_ZONE_FIELDS(ZONE_ROW)
        LP_API_PLAN_FIELDS(PLAN_ROW)
        LP_API_NETWORK_FIELDS(NETWORK_ROW)
        LP_API_NETWORK_METHODS(NETWORK_ROW)
        LP_API_MATCH(MATCH_ROW)
        LP_API_GRAPH(GRAPH_ROW)
    };
    /* clang-format on */
    *count = LP_COUNTOF(ROWS);
    return ROWS;
}

bool lp_api_has(const char *group, const char *name) {
    size_t count;
    const LpApiRow *row = lp_api_table(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(row[i].group, group) == 0 && strcmp(row[i].name, name) == 0)
            return true;
    return false;
}

size_t lp_api_takes(const LpApiRow *row) {
    size_t count = 0;
    while (count < LP_API_ARGUMENTS && row->takes[count].name != NULL)
        count++;
    return count;
}

size_t lp_api_gives(const LpApiRow *row) {
    size_t count = 0;
    while (count < LP_API_RESULTS && row->gives[count].value.of[0] != LP_TYPE_NONE)
        count++;
    return count;
}

/* ---- in words ---- */

static const struct {
    const char *shown, *annotation;
} TYPES[LP_TYPE_COUNT] = {
#define X(id, shown, annotation) [LP_TYPE_##id] = {shown, annotation},
    LP_API_TYPES(X)
#undef X
};

void lp_api_annotate(LpBuf *out, const LpApiUnion *value) {
    for (size_t i = 0; i < LP_API_UNION && value->of[i] != LP_TYPE_NONE; i++)
        lp_buf_addf(out, "%s%s", i > 0 ? "|" : "", TYPES[value->of[i]].annotation);
}

static void describe_union(LpBuf *out, const LpApiUnion *value) {
    for (size_t i = 0; i < LP_API_UNION && value->of[i] != LP_TYPE_NONE; i++)
        lp_buf_addf(out, "%s%s", i > 0 ? " | " : "", TYPES[value->of[i]].shown);
}

/* What stands before item i of a list: what may be missing is in brackets. */
static const char *between(size_t i, bool optional) {
    if (i == 0)
        return optional ? "[" : "";
    return optional ? " [, " : ", ";
}

static void describe_arguments(LpBuf *out, const LpApiRow *row) {
    size_t count = lp_api_takes(row), brackets = 0;
    bool bare = count == 1 && row->takes[0].shape; /* f{ ... } is Lua for f({ ... }) */
    lp_buf_add(out, bare ? "" : "(");
    for (size_t i = 0; i < count; i++) {
        const LpApiArgument *a = &row->takes[i];
        lp_buf_addf(out, "%s%s", between(i, a->optional),
                    a->shape ? TYPES[a->type].shown : a->name);
        brackets += a->optional;
    }
    while (brackets-- > 0)
        lp_buf_add(out, "]");
    lp_buf_add(out, bare ? "" : ")");
}

static void describe_action(LpBuf *out, const LpApiRow *row) {
    lp_buf_addf(out, "{ \"%s\"", row->name);
    for (size_t i = 0; i < lp_api_takes(row); i++)
        lp_buf_addf(out, ", %s =", row->takes[i].name);
    lp_buf_add(out, " }");
}

void lp_api_describe(LpBuf *out, const LpApiRow *row) {
    if (row->kind == LP_API_ACTION) {
        describe_action(out, row);
    } else if (row->kind == LP_API_CALL || row->kind == LP_API_HOOK) {
        if (row->kind == LP_API_CALL)
            lp_buf_addf(out, "%s%s", row->call, row->name);
        describe_arguments(out, row);
        size_t count = lp_api_gives(row), brackets = 0;
        for (size_t i = 0; i < count; i++) {
            lp_buf_addf(out, "%s%s", i == 0 ? " -> " : "", between(i, row->gives[i].optional));
            describe_union(out, &row->gives[i].value);
            brackets += row->gives[i].optional;
        }
        while (brackets-- > 0)
            lp_buf_add(out, "]");
    } else {
        describe_union(out, &row->value);
    }
}
