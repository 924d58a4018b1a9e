/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in a tree there is room, and where a job goes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/str.h"
#include "model/tree/tree.h"

int lp_tree_pick_find(const char *word) {
#define WORD(ID, word) #word,
    static const char *const WORDS[] = {LP_TREE_PICKS(WORD)};
#undef WORD
    for (int pick = 0; pick < LP_TREE_PICK_COUNT; pick++)
        if (strcmp(word, WORDS[pick]) == 0)
            return pick;
    return -1;
}

void lp_tree_add(const LpTree *tree, LpTreeCount *count, uint32_t server, int32_t free,
                 int32_t down) {
    for (uint32_t node = tree->lowest[server]; node != LP_NO_NODE; node = tree->parent[node]) {
        count[node].free += (uint32_t)free; /* modulo 2^32: one less is one more of the largest */
        count[node].down += (uint32_t)down;
    }
}

void lp_tree_room(const LpTree *tree, const LpTreeCount *count, uint32_t segment, uint32_t *room) {
    uint32_t lowest = tree->level_begin[1];
    for (uint32_t i = 0; i < tree->nodes; i++) {
        uint32_t free = count != NULL ? count[i].free : tree->size[i];
        room[i] = segment <= 1 ? free : i < lowest ? free / segment * segment : 0;
    }
    for (uint32_t i = 0; segment > 1 && i + 1 < tree->nodes; i++) /* children come first */
        room[tree->parent[i]] += room[i];
}

/* The node among those of a list, or from `begin` on, that has room for n and is picked. */
static uint32_t pick_of(const uint32_t *list, uint32_t begin, uint32_t end, const uint32_t *room,
                        uint32_t n, LpTreePick pick) {
    uint32_t best = LP_NO_NODE;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t node = list != NULL ? list[i] : i;
        if (room[node] < n)
            continue;
        if (best == LP_NO_NODE || (pick == LP_TREE_TIGHT && room[node] < room[best]) ||
            (pick == LP_TREE_LOOSE && room[node] > room[best]))
            best = node;
    }
    return best;
}

uint32_t lp_tree_fit(const LpTree *tree, const uint32_t *room, const LpTreeAsk *ask, uint32_t n,
                     LpTreePick pick) {
    uint32_t top = lp_tree_asked_level(tree, ask), level = ask->required > 0 ? top : 0;
    if (ask->preferred > 0)
        level = ask->preferred - 1;
    for (; level <= top; level++) {
        uint32_t node =
            pick_of(NULL, tree->level_begin[level], tree->level_begin[level + 1], room, n, pick);
        if (node != LP_NO_NODE)
            return node;
    }
    return LP_NO_NODE;
}

void lp_tree_fill(const LpTree *tree, uint32_t *room, uint32_t node, uint32_t n, LpTreePick pick,
                  uint32_t *take) {
    LP_ASSERT(room[node] >= n);
    if (tree->level[node] == 0) {
        take[node] += n;
        room[node] -= n;
        return;
    }
    uint32_t begin = tree->child_begin[node], end = tree->child_begin[node + 1];
    while (n > 0) {
        uint32_t child = pick_of(tree->child, begin, end, room, n, pick), part = n;
        if (child == LP_NO_NODE) {
            child = pick_of(tree->child, begin, end, room, 1, LP_TREE_LOOSE);
            part = room[child];
        }
        lp_tree_fill(tree, room, child, part, pick, take);
        room[child] = 0; /* no part of the rest goes there */
        n -= part;
    }
}

uint32_t lp_tree_spread(const LpTree *tree, uint32_t level, const uint32_t *server, uint32_t n,
                        uint32_t *mark) {
    uint32_t nodes = 0;
    memset(mark, 0, tree->nodes * sizeof *mark);
    for (uint32_t i = 0; i < n; i++)
        nodes += mark[lp_tree_node_of(tree, server[i], level)]++ == 0;
    return nodes;
}

bool lp_tree_keeps(const LpTree *tree, const LpTreeAsk *ask, const uint32_t *server, uint32_t n,
                   uint32_t *mark, char reason[LP_DIAG_TEXT]) {
    char name[80], level[80], plural[LP_TREE_PLURAL];
    uint32_t asked = lp_tree_asked_level(tree, ask);
    uint32_t spread = lp_tree_spread(tree, asked, server, n, mark);
    if (spread > 1) {
        lp_str_show(level, sizeof level, lp_tree_plural(tree->level_name[asked], plural));
        snprintf(reason, LP_DIAG_TEXT,
                 "place: the servers lie under %" PRIu32 " %s, the job requires one", spread,
                 level);
        return false;
    }
    if (ask->segment <= 1)
        return true;
    (void)lp_tree_spread(tree, 0, server, n, mark);
    for (uint32_t i = 0; i < tree->level_begin[1]; i++)
        if (mark[i] % ask->segment != 0) {
            snprintf(reason, LP_DIAG_TEXT,
                     "place: %" PRIu32 " server%s of %s, the job asks for segments of %" PRIu32,
                     mark[i], mark[i] == 1 ? "" : "s",
                     lp_str_show(name, sizeof name, tree->name[i]), ask->segment);
            return false;
        }
    return true;
}
