/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees are built and checked. */
#include "model/tree/tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/str.h"

/* A node by its name, for looking it up. */
typedef struct Named {
    const char *name;
    uint32_t at; /* in its level */
} Named;

/* The arrays of a tree that is being built. */
typedef struct Building {
    const LpTreeSpec *spec;
    LpTree tree;
    const char **name;
    uint32_t *level, *parent, *size, *child_begin, *child, *lowest, *member_begin, *member;
    Named *named; /* the nodes of one level, by name */
    LpDiag *diag;
} Building;

enum { SHOWN = 80 };

static int by_name(const void *left, const void *right) {
    const Named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int compare_name(const void *key, const void *item) {
    return strcmp(key, ((const Named *)item)->name);
}

static LpErr make_room(Building *b, uint32_t servers, LpArena *arena) {
    LpTree *t = &b->tree;
    t->servers = servers;
    for (uint32_t l = 0; l < t->levels; l++)
        t->level_begin[l + 1] = t->level_begin[l] + b->spec->level[l].nodes;
    t->level_begin[t->levels + 1] = t->level_begin[t->levels] + 1;
    t->nodes = t->level_begin[t->levels + 1];
    size_t n = t->nodes;
    b->name = lp_arena_alloc(arena, n, sizeof *b->name);
    b->level = lp_arena_alloc(arena, n, sizeof *b->level);
    b->parent = lp_arena_alloc(arena, n, sizeof *b->parent);
    b->size = lp_arena_alloc(arena, n, sizeof *b->size);
    b->child_begin = lp_arena_alloc(arena, n + 1, sizeof *b->child_begin);
    b->child = lp_arena_alloc(arena, n, sizeof *b->child);
    b->lowest = lp_arena_alloc(arena, servers, sizeof *b->lowest);
    b->member_begin = lp_arena_alloc(arena, (size_t)t->level_begin[1] + 1, sizeof(uint32_t));
    b->member = lp_arena_alloc(arena, servers, sizeof *b->member);
    bool all = b->name != NULL && b->level != NULL && b->parent != NULL && b->size != NULL &&
               b->child_begin != NULL && b->child != NULL && b->lowest != NULL &&
               b->member_begin != NULL && b->member != NULL;
    b->named = lp_alloc(n, sizeof *b->named);
    return all && b->named != NULL ? LP_OK : lp_fail_memory(b->diag, "the levels of a cluster");
}

/* ---- names ---- */

static LpErr check_level(const Building *b, uint32_t l) {
    const LpTreeLevelSpec *level = &b->spec->level[l];
    char shown[SHOWN];
    lp_str_show(shown, sizeof shown, level->name);
    if (level->name[0] == '\0' || strlen(level->name) >= LP_TREE_NAME)
        return lp_fail(b->diag, LP_EINVAL,
                       "cluster.levels[%" PRIu32 "].name is \"%s\": expected 1 to %d bytes", l,
                       shown, LP_TREE_NAME - 1);
    if (strcmp(level->name, "cluster") == 0)
        return lp_fail(b->diag, LP_EINVAL,
                       "cluster.levels[%" PRIu32 "].name is \"cluster\": expected another name, "
                       "since that is what stands above all levels",
                       l);
    for (uint32_t below = 0; below < l; below++)
        if (strcmp(level->name, b->spec->level[below].name) == 0)
            return lp_fail(b->diag, LP_EINVAL,
                           "cluster.levels[%" PRIu32 "].name is \"%s\", as that of level %" PRIu32
                           ": expected a name of its own",
                           l, shown, below);
    return level->nodes > 0
               ? LP_OK
               : lp_fail(b->diag, LP_EINVAL,
                         "cluster.levels[%" PRIu32 "].nodes is empty: expected at least one node",
                         l);
}

/* Lists the nodes of a level by their names, which are its own. */
static LpErr list_names(Building *b, uint32_t l) {
    const LpTreeLevelSpec *level = &b->spec->level[l];
    char shown[SHOWN];
    for (uint32_t i = 0; i < level->nodes; i++)
        b->named[i] = (Named){level->node[i].name, i};
    qsort(b->named, level->nodes, sizeof *b->named, by_name);
    for (uint32_t i = 0; i + 1 < level->nodes; i++)
        if (strcmp(b->named[i].name, b->named[i + 1].name) == 0)
            return lp_fail(b->diag, LP_EINVAL,
                           "cluster.levels[%" PRIu32 "].nodes[%" PRIu32
                           "].name is \"%s\", as that of node %" PRIu32
                           ": expected a name of its own",
                           l, b->named[i + 1].at,
                           lp_str_show(shown, sizeof shown, b->named[i].name), b->named[i].at);
    return LP_OK;
}

static LpErr fail_empty(const Building *b, uint32_t l, uint32_t i) {
    char shown[SHOWN];
    return lp_fail(b->diag, LP_EINVAL,
                   "cluster.levels[%" PRIu32 "].nodes[%" PRIu32
                   "] \"%s\" is empty: expected at least one %s",
                   l, i, lp_str_show(shown, sizeof shown, b->spec->level[l].node[i].name),
                   l == 0 ? "server" : "node in \"of\"");
}

/* ---- servers and nodes into nodes ---- */

static LpErr take_servers(Building *b) {
    const LpTreeLevelSpec *level = &b->spec->level[0];
    const LpTree *t = &b->tree;
    char shown[SHOWN];
    memset(b->lowest, 0xff, t->servers * sizeof *b->lowest);
    for (uint32_t i = 0; i < level->nodes; i++) {
        const LpTreeNodeSpec *node = &level->node[i];
        if (node->servers == 0)
            return fail_empty(b, 0, i);
        for (uint32_t k = 0; k < node->servers; k++) {
            uint32_t s = node->server[k];
            if (s >= t->servers)
                return lp_fail(b->diag, LP_EINVAL,
                               "cluster.levels[0].nodes[%" PRIu32 "].servers names server %" PRIu32
                               ": expected 0 to %" PRIu32,
                               i, s, t->servers - 1);
            if (b->lowest[s] != LP_NO_NODE)
                return lp_fail(b->diag, LP_EINVAL,
                               "cluster.levels[0].nodes[%" PRIu32 "].servers names server %" PRIu32
                               ", which is in \"%s\": expected each server in one node",
                               i, s,
                               lp_str_show(shown, sizeof shown, level->node[b->lowest[s]].name));
            b->lowest[s] = i;
        }
        b->size[i] = node->servers;
    }
    for (uint32_t s = 0; s < t->servers; s++)
        if (b->lowest[s] == LP_NO_NODE)
            return lp_fail(b->diag, LP_EINVAL,
                           "cluster.levels[0].nodes has no node with server %" PRIu32
                           ": expected each server in one",
                           s);
    return LP_OK;
}

static LpErr take_child(Building *b, uint32_t l, uint32_t i, uint32_t k) {
    const LpTreeLevelSpec *level = &b->spec->level[l], *below = &b->spec->level[l - 1];
    const char *name = level->node[i].of[k];
    char shown[SHOWN], other[SHOWN];
    lp_str_show(shown, sizeof shown, name);
    const Named *found = bsearch(name, b->named, below->nodes, sizeof *b->named, compare_name);
    if (found == NULL)
        return lp_fail(b->diag, LP_EINVAL,
                       "cluster.levels[%" PRIu32 "].nodes[%" PRIu32 "].of[%" PRIu32
                       "] is \"%s\": expected a node of the level \"%s\"",
                       l, i, k, shown, lp_str_show(other, sizeof other, below->name));
    uint32_t child = b->tree.level_begin[l - 1] + found->at, node = b->tree.level_begin[l] + i;
    if (b->parent[child] != LP_NO_NODE)
        return lp_fail(b->diag, LP_EINVAL,
                       "cluster.levels[%" PRIu32 "].nodes[%" PRIu32 "].of[%" PRIu32
                       "] is \"%s\", which is in \"%s\": expected each node in one",
                       l, i, k, shown, lp_str_show(other, sizeof other, b->name[b->parent[child]]));
    b->parent[child] = node;
    b->size[node] += b->size[child];
    return LP_OK;
}

/* The list of names is that of the level below. */
static LpErr take_children(Building *b, uint32_t l) {
    const LpTreeLevelSpec *level = &b->spec->level[l], *below = &b->spec->level[l - 1];
    const uint32_t *begin = b->tree.level_begin;
    char shown[SHOWN], name[SHOWN];
    for (uint32_t i = 0; i < level->nodes; i++) {
        if (level->node[i].children == 0)
            return fail_empty(b, l, i);
        for (uint32_t k = 0; k < level->node[i].children; k++)
            LP_TRY(take_child(b, l, i, k));
    }
    for (uint32_t i = 0; i < below->nodes; i++)
        if (b->parent[begin[l - 1] + i] == LP_NO_NODE)
            return lp_fail(b->diag, LP_EINVAL,
                           "cluster.levels[%" PRIu32 "].nodes has no node with \"%s\" of the level "
                           "\"%s\": expected each one in one",
                           l, lp_str_show(name, sizeof name, below->node[i].name),
                           lp_str_show(shown, sizeof shown, below->name));
    return LP_OK;
}

static LpErr take_all(Building *b) {
    LpTree *t = &b->tree;
    uint32_t top = t->nodes - 1;
    memset(b->parent, 0xff, t->nodes * sizeof *b->parent);
    for (uint32_t l = 0; l < t->levels; l++) {
        const LpTreeLevelSpec *level = &b->spec->level[l];
        LP_TRY(check_level(b, l));
        t->level_name[l] = level->name;
        for (uint32_t i = 0; i < level->nodes; i++) {
            b->name[t->level_begin[l] + i] = level->node[i].name;
            b->level[t->level_begin[l] + i] = l;
        }
        LP_TRY(l == 0 ? take_servers(b) : take_children(b, l));
        LP_TRY(list_names(b, l));
    }
    for (uint32_t i = t->levels > 0 ? t->level_begin[t->levels - 1] : top; i < top; i++)
        b->parent[i] = top;
    t->level_name[t->levels] = "cluster";
    b->name[top] = "the cluster";
    b->level[top] = t->levels;
    b->size[top] = t->servers;
    if (t->levels == 0)
        memset(b->lowest, 0, t->servers * sizeof *b->lowest);
    return LP_OK;
}

/* Lists of children and of servers, by counting. */
static void list_below(Building *b) {
    LpTree *t = &b->tree;
    uint32_t lowest = t->level_begin[1];
    for (uint32_t i = 0; i + 1 < t->nodes; i++)
        b->child_begin[b->parent[i] + 1]++;
    for (uint32_t i = 0; i < t->nodes; i++)
        b->child_begin[i + 1] += b->child_begin[i];
    for (uint32_t s = 0; s < t->servers; s++)
        b->member_begin[b->lowest[s] + 1]++;
    for (uint32_t i = 0; i < lowest; i++)
        b->member_begin[i + 1] += b->member_begin[i];
    /* `begin` walks on while a list is filled, and is set back after it. */
    for (uint32_t i = 0; i + 1 < t->nodes; i++)
        b->child[b->child_begin[b->parent[i]]++] = i;
    for (uint32_t i = t->nodes; i-- > 0;)
        b->child_begin[i + 1] = b->child_begin[i];
    b->child_begin[0] = 0;
    for (uint32_t s = 0; s < t->servers; s++)
        b->member[b->member_begin[b->lowest[s]]++] = s;
    for (uint32_t i = lowest; i-- > 0;)
        b->member_begin[i + 1] = b->member_begin[i];
    b->member_begin[0] = 0;
}

LpErr lp_tree_build(const LpTreeSpec *spec, uint32_t servers, LpArena *arena, const LpTree **out,
                    LpDiag *diag) {
    Building b = {.spec = spec, .tree = {.levels = spec->levels}, .diag = diag};
    LpTree *tree = lp_arena_alloc(arena, 1, sizeof *tree);
    if (spec->levels > LP_TREE_LEVELS)
        return lp_fail(diag, LP_ELIMIT,
                       "cluster.levels has %" PRIu32 " levels: expected at most %d", spec->levels,
                       LP_TREE_LEVELS);
    if (tree == NULL)
        return lp_fail_memory(diag, "the levels of a cluster");
    LpErr err = make_room(&b, servers, arena);
    if (err == LP_OK)
        err = take_all(&b);
    lp_free(b.named);
    LP_TRY(err);
    list_below(&b);
    b.tree.name = b.name;
    b.tree.level = b.level;
    b.tree.parent = b.parent;
    b.tree.size = b.size;
    b.tree.child_begin = b.child_begin;
    b.tree.child = b.child;
    b.tree.lowest = b.lowest;
    b.tree.member_begin = b.member_begin;
    b.tree.member = b.member;
    for (uint32_t i = 0; i < b.tree.nodes; i++)
        if (b.size[i] > b.tree.most[b.level[i]])
            b.tree.most[b.level[i]] = b.size[i];
    *tree = b.tree;
    *out = tree;
    return LP_OK;
}

/* ---- levels of equal nodes ---- */

enum { NUMBERED = LP_TREE_NAME + 12 };

/* The names of all nodes of a level. */
static const char *const *number_names(const char *level, uint32_t nodes, LpArena *arena) {
    const char **name = lp_arena_alloc(arena, nodes, sizeof *name);
    char text[NUMBERED];
    for (uint32_t i = 0; name != NULL && i < nodes; i++) {
        snprintf(text, sizeof text, "%.*s %" PRIu32, LP_TREE_NAME - 1, level, i);
        name[i] = lp_arena_strdup(arena, text);
        if (name[i] == NULL)
            return NULL;
    }
    return name;
}

LpErr lp_tree_spec_even(uint32_t levels, const char *const *name, const uint32_t *servers,
                        uint32_t all, LpArena *arena, LpTreeSpec *out, LpDiag *diag) {
    LpTreeLevelSpec *level = lp_arena_alloc(arena, levels, sizeof *level);
    uint32_t *server = lp_arena_alloc(arena, all, sizeof *server);
    const char *const *below = NULL;
    if (level == NULL || server == NULL)
        return lp_fail_memory(diag, "the levels of a cluster");
    for (uint32_t s = 0; s < all; s++)
        server[s] = s;
    for (uint32_t l = 0; l < levels; l++) {
        LP_ASSERT(servers[l] > 0 && all % servers[l] == 0);
        uint32_t nodes = all / servers[l], under = l > 0 ? servers[l] / servers[l - 1] : 0;
        LpTreeNodeSpec *node = lp_arena_alloc(arena, nodes, sizeof *node);
        const char *const *names = number_names(name[l], nodes, arena);
        if (node == NULL || names == NULL)
            return lp_fail_memory(diag, "the levels of a cluster");
        for (uint32_t i = 0; i < nodes; i++)
            node[i] = (LpTreeNodeSpec){.name = names[i],
                                       .servers = l == 0 ? servers[0] : 0,
                                       .server = l == 0 ? server + (size_t)i * servers[0] : NULL,
                                       .children = under,
                                       .of = l > 0 ? below + (size_t)i * under : NULL};
        level[l] = (LpTreeLevelSpec){name[l], nodes, node};
        below = names;
    }
    *out = (LpTreeSpec){levels, level};
    return LP_OK;
}

/* ---- questions ---- */

int lp_tree_level_find(const LpTree *tree, const char *name) {
    for (uint32_t l = 0; l <= tree->levels; l++)
        if (strcmp(tree->level_name[l], name) == 0)
            return (int)l;
    return -1;
}

const char *lp_tree_plural(const char *level, char out[LP_TREE_PLURAL]) {
    if (strcmp(level, "leaf") == 0)
        snprintf(out, LP_TREE_PLURAL, "leaves");
    else if (strcmp(level, "switch") == 0)
        snprintf(out, LP_TREE_PLURAL, "switches");
    else
        snprintf(out, LP_TREE_PLURAL, "%.*ss", LP_TREE_NAME - 1, level);
    return out;
}

uint32_t lp_tree_node_of(const LpTree *tree, uint32_t server, uint32_t level) {
    uint32_t node = tree->lowest[server];
    while (tree->level[node] < level)
        node = tree->parent[node];
    return node;
}
