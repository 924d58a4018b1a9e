/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the numbers of an observation. */
#include "learn/feature.h"

#include "learn/observe_impl.h"
#include "learn/queue.h"

typedef struct Row {
    const char *name, *doc;
} Row;

#define ROW(name, doc) {name, doc},
#define SOON_ROW(arrivals, name, doc) {name, doc},
static const Row NODE[] = {LP_NODE_FEATURES(ROW)};
static const Row EDGE[] = {LP_EDGE_FEATURES(ROW)};
static const Row JOB[] = {LP_JOB_FEATURES(ROW)};
static const Row SOON[] = {LP_SOON_FEATURES(SOON_ROW)};
static const Row ACTION[] = {LP_ACTION_FEATURES(ROW)};
static const Row QUEUE[] = {LP_QUEUE_COMMON(ROW)};
static const Row OWN[] = {LP_QUEUE_OWN(ROW)};
static const Row MASK[] = {LP_MASK_FEATURES(ROW)};

_Static_assert(LP_COUNTOF(NODE) == LP_NET_NODE, "a name per feature of a node");
_Static_assert(LP_COUNTOF(EDGE) == LP_NET_EDGE, "a name per feature of an edge");
_Static_assert(LP_COUNTOF(JOB) == LP_GRAPH_FEATURES, "a name per feature of job and cluster");
_Static_assert(LP_COUNTOF(SOON) == LP_SOON_COUNT, "a name per time ahead");
_Static_assert(LP_COUNTOF(ACTION) == LP_PER_ACTION, "a name per number of an action");

static LpFeature feature_of(LpFeatureKind kind, const Row *table, uint32_t row, uint32_t action) {
    return (LpFeature){kind, table[row].name, table[row].doc, row, action};
}

static LpFeature queue_feature(uint32_t actions, uint32_t index) {
    if (index < LP_QUEUE_COMMONS)
        return feature_of(LP_FEATURE_QUEUE, QUEUE, index, UINT32_MAX);
    index -= LP_QUEUE_COMMONS;
    if (index < LP_QUEUE_OWNS * actions)
        return feature_of(LP_FEATURE_OWN, OWN, index / actions, index % actions);
    return feature_of(LP_FEATURE_MASK, MASK, 0, index - LP_QUEUE_OWNS * actions);
}

LpFeature lp_feature(LpEncoding encoding, uint32_t actions, uint32_t index) {
    if (encoding == LP_ENCODING_QUEUE)
        return queue_feature(actions, index);
    if (index < LP_GRAPH_FEATURES)
        return feature_of(LP_FEATURE_JOB, JOB, index, UINT32_MAX);
    index -= LP_GRAPH_FEATURES;
    if (encoding == LP_ENCODING_PUBLISHED)
        return feature_of(LP_FEATURE_MASK, MASK, 0, index);
    if (index < LP_SOON_COUNT)
        return feature_of(LP_FEATURE_SOON, SOON, index, UINT32_MAX);
    index -= LP_SOON_COUNT;
    if (index < LP_PER_ACTION * actions)
        return feature_of(LP_FEATURE_ACTION, ACTION, index / actions, index % actions);
    return feature_of(LP_FEATURE_MASK, MASK, 0, index - LP_PER_ACTION * actions);
}

LpFeature lp_feature_node(uint32_t index) {
    return feature_of(LP_FEATURE_NODE, NODE, index, UINT32_MAX);
}

LpFeature lp_feature_edge(uint32_t index) {
    return feature_of(LP_FEATURE_EDGE, EDGE, index, UINT32_MAX);
}

static void add_rows(LpBuf *out, const char *of, const Row *row, size_t rows, const char *in) {
    for (size_t i = 0; i < rows; i++)
        lp_buf_addf(out, "| %s | %s | %s | %s |\n", of, row[i].name, in, row[i].doc);
}

void lp_feature_table(LpBuf *out) {
    lp_buf_add(out, "| of | name | encoding | what it is |\n|---|---|---|---|\n");
    add_rows(out, "job, cluster", JOB, LP_COUNTOF(JOB), "both");
    add_rows(out, "cluster", SOON, LP_COUNTOF(SOON), "corrected");
    add_rows(out, "each action", ACTION, LP_COUNTOF(ACTION), "corrected");
    add_rows(out, "each action", MASK, LP_COUNTOF(MASK), "both");
    add_rows(out, "job, queue", QUEUE, LP_COUNTOF(QUEUE), "queue");
    add_rows(out, "each action", OWN, LP_COUNTOF(OWN), "queue");
    add_rows(out, "each op", NODE, LP_COUNTOF(NODE), "both");
    add_rows(out, "each dependency", EDGE, LP_COUNTOF(EDGE), "both");
}
