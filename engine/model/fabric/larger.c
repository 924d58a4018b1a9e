/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/fabric/larger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/fabric/fabric_impl.h"

typedef struct Making {
    const LpCluster *cluster;
    LpArena *arena;
    LpGrowth growth;
    LpLarger *out;
    LpDiag *diag;
} Making;

/* ---- which servers are copied ---- */

static uint32_t largest_lowest(const LpTree *tree) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < tree->level_begin[1]; i++)
        if (tree->size[i] > tree->size[best])
            best = i;
    return best;
}

static void copy_node(Making *m) {
    const LpTree *tree = m->cluster->tree;
    m->growth.node = largest_lowest(tree);
    m->growth.of = tree->member + tree->member_begin[m->growth.node];
    m->growth.count = tree->size[m->growth.node];
}

/* One of each lowest node, then the next of each, and from the first again. */
static LpErr copy_tenth(Making *m) {
    const LpTree *tree = m->cluster->tree;
    uint32_t count = (tree->servers + 9) / 10, lowest = tree->level_begin[1];
    uint32_t *of = lp_arena_alloc(m->arena, count, sizeof *of);
    if (of == NULL)
        return lp_fail_memory(m->diag, "a larger cluster");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = i % lowest;
        of[i] = tree->member[tree->member_begin[node] + i / lowest % tree->size[node]];
    }
    m->growth.node = LP_NO_NODE;
    m->growth.of = of;
    m->growth.count = count;
    return LP_OK;
}

/* ---- the tree and the names, where the scenario states them ---- */

static LpErr keep(Making *m, LpBuf *text) {
    LpErr err = lp_buf_ok(text, m->diag);
    const char *kept = err == LP_OK ? lp_arena_strdup(m->arena, lp_buf_text(text)) : NULL;
    lp_buf_clear(text);
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(m->diag, "a larger cluster");
    if (err == LP_OK)
        m->out->set[m->out->sets++] = kept;
    return err;
}

static void put_copy_of(LpJsonOut *json, const char *key, const char *name) {
    char text[2 * LP_TREE_NAME + 16];
    snprintf(text, sizeof text, "copy of %s", name);
    lp_json_put_text(json, key, text);
}

/* The servers of a lowest node, and the copies that it gets. */
static void put_servers(const Making *m, uint32_t node, LpJsonOut *json) {
    const LpTree *tree = m->cluster->tree;
    lp_json_open(json, "servers", '[');
    for (uint32_t i = tree->member_begin[node]; i < tree->member_begin[node + 1]; i++)
        lp_json_put_count(json, NULL, tree->member[i]);
    for (uint32_t i = 0; i < m->growth.count && m->growth.node == LP_NO_NODE; i++)
        if (tree->lowest[m->growth.of[i]] == node)
            lp_json_put_count(json, NULL, tree->servers + i);
    lp_json_close(json, ']');
}

static void put_new_node(const Making *m, LpJsonOut *json) {
    const LpTree *tree = m->cluster->tree;
    lp_json_open(json, NULL, '{');
    put_copy_of(json, "name", tree->name[m->growth.node]);
    lp_json_open(json, "servers", '[');
    for (uint32_t i = 0; i < m->growth.count; i++)
        lp_json_put_count(json, NULL, tree->servers + i);
    lp_json_close(json, ']');
    lp_json_close(json, '}');
}

/* The nodes under one, and the copy where it is of one of them. */
static void put_children(const Making *m, uint32_t node, LpJsonOut *json) {
    const LpTree *tree = m->cluster->tree;
    lp_json_open(json, "of", '[');
    for (uint32_t i = tree->child_begin[node]; i < tree->child_begin[node + 1]; i++)
        lp_json_put_text(json, NULL, tree->name[tree->child[i]]);
    if (m->growth.node != LP_NO_NODE && tree->parent[m->growth.node] == node)
        put_copy_of(json, NULL, tree->name[m->growth.node]);
    lp_json_close(json, ']');
}

static void put_levels(const Making *m, LpJsonOut *json) {
    const LpTree *tree = m->cluster->tree;
    lp_json_open(json, NULL, '[');
    for (uint32_t l = 0; l < tree->levels; l++) {
        lp_json_open(json, NULL, '{');
        lp_json_put_text(json, "name", tree->level_name[l]);
        lp_json_open(json, "nodes", '[');
        for (uint32_t i = tree->level_begin[l]; i < tree->level_begin[l + 1]; i++) {
            lp_json_open(json, NULL, '{');
            lp_json_put_text(json, "name", tree->name[i]);
            if (l == 0)
                put_servers(m, i, json);
            else
                put_children(m, i, json);
            lp_json_close(json, '}');
        }
        if (l == 0 && m->growth.node != LP_NO_NODE)
            put_new_node(m, json);
        lp_json_close(json, ']');
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

static void put_names(const Making *m, LpJsonOut *json) {
    const LpCluster *c = m->cluster;
    lp_json_open(json, NULL, '[');
    for (uint32_t s = 0; s < c->names; s++)
        lp_json_put_text(json, NULL, c->name[s]);
    for (uint32_t i = 0; i < m->growth.count; i++)
        put_copy_of(json, NULL, c->name[m->growth.of[i]]);
    lp_json_close(json, ']');
}

static LpErr set_tree(Making *m, LpBuf *text) {
    if (m->cluster->levels.levels > 0) {
        LpJsonOut json = {.out = text};
        lp_buf_add(text, "cluster.levels=");
        put_levels(m, &json);
        LP_TRY(keep(m, text));
    }
    if (m->cluster->names > 0) {
        LpJsonOut json = {.out = text};
        lp_buf_add(text, "cluster.names=");
        put_names(m, &json);
        LP_TRY(keep(m, text));
    }
    return LP_OK;
}

/* ---- all of it ---- */

/* Each line of the fabric's text is an override. */
static LpErr set_fabric(Making *m, const LpBuf *lines, LpBuf *text) {
    const char *at = lp_buf_text(lines);
    LP_TRY(lp_buf_ok(lines, m->diag));
    while (*at != '\0') {
        size_t len = strcspn(at, "\n");
        lp_buf_add_bytes(text, at, len);
        LP_TRY(keep(m, text));
        at += len + (at[len] == '\n');
    }
    return LP_OK;
}

LpErr lp_cluster_larger(const LpCluster *cluster, LpLargerBy by, LpArena *arena, LpLarger *out,
                        LpDiag *diag) {
    const LpFabricOps *ops = lp_fabric_ops(cluster->fabric);
    LpLarger larger = {.level = cluster->tree->level_name[0]};
    Making m = {.cluster = cluster, .arena = arena, .out = &larger, .diag = diag};
    LpBuf lines = {0}, text = {0};
    *out = larger;
    if (ops->larger == NULL || cluster->types != 1 ||
        (by == LP_LARGER_NODE && cluster->tree->levels == 0))
        return LP_OK;
    larger.set = lp_arena_alloc(arena, LP_LARGER_SETS, sizeof *larger.set);
    if (larger.set == NULL)
        return lp_fail_memory(diag, "a larger cluster");
    LpErr err = LP_OK;
    if (by == LP_LARGER_NODE)
        copy_node(&m);
    else
        err = copy_tenth(&m);
    if (err == LP_OK && (larger.more = ops->larger(cluster, &m.growth, &lines)) > 0) {
        err = set_fabric(&m, &lines, &text);
        if (err == LP_OK)
            err = set_tree(&m, &text);
    }
    lp_buf_fini(&lines);
    lp_buf_fini(&text);
    if (err == LP_OK)
        *out = larger;
    return err;
}
