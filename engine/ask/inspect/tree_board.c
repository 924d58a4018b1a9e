/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ask/inspect/tree_board.h"

#include <stdlib.h>
#include <string.h>

/* ---- gangs ---- */

static int fullest_first(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* free: of the nodes of the level, the fullest first. */
static LpGang gang_of(const LpTree *tree, uint32_t level, const uint32_t *free, uint32_t all_free,
                      uint32_t servers) {
    LpGang gang = {.servers = servers};
    uint32_t begin = tree->level_begin[level], nodes = tree->level_begin[level + 1] - begin;
    uint64_t have = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        gang.nodes += tree->size[begin + i] >= servers;
        gang.fit += free[i] / servers;
        if (have < servers && (have += free[i]) >= servers)
            gang.across = i + 1;
    }
    if (all_free > 0)
        gang.unused = 1 - (double)((uint64_t)gang.fit * servers) / all_free;
    return gang;
}

LpErr lp_tree_board(const LpTree *tree, const LpTreeCount *count, uint32_t level, uint32_t width,
                    LpTreeBoard *out, LpDiag *diag) {
    uint32_t begin = tree->level_begin[level], nodes = tree->level_begin[level + 1] - begin;
    LpTreeCount all = count[tree->nodes - 1];
    LpTreeBoard board = {.servers = tree->servers, .free = all.free, .down = all.down};
    uint32_t *free = lp_alloc(nodes, sizeof *free);
    if (free == NULL)
        return lp_fail_memory(diag, "the board of the cluster's tree");
    for (uint32_t i = 0; i < tree->nodes; i++) {
        LpLevelRoom *room = &board.level[tree->level[i]];
        room->nodes++;
        room->largest = count[i].free > room->largest ? count[i].free : room->largest;
        room->most = tree->size[i] > room->most ? tree->size[i] : room->most;
    }
    for (uint32_t i = 0; i < nodes; i++)
        free[i] = count[begin + i].free;
    qsort(free, nodes, sizeof *free, fullest_first);
    /* A width between two powers of two stands between them. */
    for (uint64_t g = 1, before = 0; g <= tree->servers; before = g, g *= 2) {
        if (width > before && width < g)
            board.gang[board.gangs++] = gang_of(tree, level, free, all.free, width);
        if (board.gangs < LP_GANGS - 1)
            board.gang[board.gangs++] = gang_of(tree, level, free, all.free, (uint32_t)g);
    }
    if (width > board.gang[board.gangs - 1].servers)
        board.gang[board.gangs++] = gang_of(tree, level, free, all.free, width);
    lp_free(free);
    *out = board;
    return LP_OK;
}

/* ---- if one ended ---- */

typedef struct Ending {
    const LpTree *tree;
    const LpTreeCount *count;
    uint32_t segment, level, n;
    uint32_t *room;    /* as lp_tree_room has it */
    uint32_t *back;    /* by node: servers that come back to a lowest node, room to one above */
    uint32_t *touched; /* nodes whose `back` is not zero */
    uint32_t count_touched;
} Ending;

/* Counts what comes back, by lowest node. */
static void give_back(Ending *e, const LpHeldServers *holder) {
    e->count_touched = 0;
    for (uint32_t i = 0; i < holder->servers; i++) {
        uint32_t node = e->tree->lowest[holder->server[i]];
        if (e->back[node]++ == 0)
            e->touched[e->count_touched++] = node;
    }
}

static uint32_t main_of(const Ending *e) {
    uint32_t best = LP_NO_NODE;
    for (uint32_t i = 0; i < e->count_touched; i++) {
        uint32_t node = e->touched[i];
        if (best == LP_NO_NODE || e->back[node] > e->back[best] ||
            (e->back[node] == e->back[best] && node < best))
            best = node;
    }
    return best;
}

/* Makes room of the servers that have come back, from the lowest nodes up to the level. */
static void raise_room(Ending *e) {
    uint32_t lowest = e->count_touched, segment = e->segment > 1 ? e->segment : 1;
    for (uint32_t i = 0; i < lowest; i++) {
        uint32_t node = e->touched[i], free = e->count[node].free;
        uint32_t more = (free + e->back[node]) / segment * segment - free / segment * segment;
        e->back[node] = more;
        while (e->tree->level[node] < e->level) {
            node = e->tree->parent[node];
            if (more > 0 && (e->back[node] += more) == more)
                e->touched[e->count_touched++] = node;
        }
    }
}

/* Is the first node a better place than the second one (LP_NO_NODE: none)? */
static bool is_tighter(uint32_t node, uint32_t room, uint32_t best, uint32_t least) {
    return best == LP_NO_NODE || room < least || (room == least && node < best);
}

/* The node of the level that has enough room already. */
static uint32_t fits_now(const Ending *e) {
    const uint32_t *begin = e->tree->level_begin;
    uint32_t best = LP_NO_NODE;
    for (uint32_t i = begin[e->level]; i < begin[e->level + 1]; i++)
        if (e->room[i] >= e->n &&
            is_tighter(i, e->room[i], best, best == LP_NO_NODE ? 0 : e->room[best]))
            best = i;
    return best;
}

/* The node of the level that has enough room with what has come back. */
static uint32_t fits_then(const Ending *e) {
    uint32_t best = LP_NO_NODE, least = 0;
    for (uint32_t i = 0; i < e->count_touched; i++) {
        uint32_t node = e->touched[i], room = e->room[node] + e->back[node];
        if (e->tree->level[node] != e->level || room < e->n || !is_tighter(node, room, best, least))
            continue;
        best = node;
        least = room;
    }
    return best;
}

static LpIfEnded end_one(Ending *e, const LpHeldServers *holder) {
    LpIfEnded ended;
    give_back(e, holder);
    ended.main = main_of(e);
    raise_room(e);
    ended.node = fits_then(e);
    for (uint32_t i = 0; i < e->count_touched; i++)
        e->back[e->touched[i]] = 0;
    return ended;
}

LpErr lp_tree_if_ended(const LpTree *tree, const LpTreeCount *count, const LpTreeAsk *ask,
                       uint32_t n, const LpHeldServers *holder, uint32_t holders, LpIfEnded *out,
                       LpDiag *diag) {
    uint32_t level = lp_tree_asked_level(tree, ask);
    Ending e = {.tree = tree, .count = count, .segment = ask->segment, .level = level, .n = n};
    e.room = lp_alloc(tree->nodes, sizeof *e.room);
    e.back = lp_alloc(tree->nodes, sizeof *e.back);
    e.touched = lp_alloc(tree->nodes, sizeof *e.touched);
    bool have = e.room != NULL && e.back != NULL && e.touched != NULL;
    if (have) {
        memset(e.back, 0, tree->nodes * sizeof *e.back);
        lp_tree_room(tree, count, ask->segment, e.room);
        uint32_t fits = fits_now(&e);
        for (uint32_t i = 0; i < holders; i++) {
            out[i] = end_one(&e, &holder[i]);
            out[i].node = fits != LP_NO_NODE ? fits : out[i].node;
        }
    }
    lp_free(e.room);
    lp_free(e.back);
    lp_free(e.touched);
    return have ? LP_OK : lp_fail_memory(diag, "what would fit if a job ended");
}
