/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of each of the known states of a cluster's tree: free servers of every node, gangs, and
 * what no gang can use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/tree_board.h"
#include "golden.h"
#include "group.h"

enum { NODES = 256, SERVERS = 4096, LEVELS = LP_TREE_LEVELS, PATH = 128, WIDEST = 32 };

static const char *const states[] = {
    "01-leaf-7-5-3", "02-marin-empty",  "03-marin-both-taken", "04-two-per-leaf", "05-rows",
    "06-segments",   "07-broken",       "08-broken-two",       "09-resource",     "10-unknown-ends",
    "11-backfill",   "12-behind-names", "13-same-instant",     "14-preferred",    "15-random-0",
    "16-random-1",   "17-random-2",     "18-random-3",         "19-random-4",     "20-random-5",
    "21-random-6",   "22-random-7",
};

/* What a tree is built from, out of a file. */
typedef struct Spec {
    LpTreeNodeSpec node[NODES];
    LpTreeLevelSpec level[LEVELS];
    uint32_t server[SERVERS];
    const char *of[NODES];
    uint32_t nodes, servers, listed;
    LpTreeSpec tree;
} Spec;

static void add_node(Spec *spec, const cJSON *node) {
    LpTreeNodeSpec *out = &spec->node[spec->nodes++];
    const cJSON *item;
    *out = (LpTreeNodeSpec){.name = golden_word(node, "name"),
                            .server = spec->server + spec->servers,
                            .of = spec->of + spec->listed};
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(node, "servers")) {
        spec->server[spec->servers++] = (uint32_t)item->valueint;
        out->servers++;
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(node, "children")) {
        spec->of[spec->listed++] = item->valuestring;
        out->children++;
    }
}

static void read_spec(const cJSON *state, Spec *spec) {
    const cJSON *level, *node;
    memset(spec, 0, sizeof *spec);
    cJSON_ArrayForEach(level, cJSON_GetObjectItem(state, "levels")) {
        LpTreeLevelSpec *out = &spec->level[spec->tree.levels++];
        *out = (LpTreeLevelSpec){level->valuestring, 0, spec->node + spec->nodes};
        cJSON_ArrayForEach(node, cJSON_GetObjectItem(state, "nodes")) {
            if (strcmp(golden_word(node, "level"), level->valuestring) != 0)
                continue;
            add_node(spec, node);
            out->nodes++;
        }
    }
    spec->tree.level = spec->level;
}

/* Free servers: those that are neither held nor broken. */
static void count_servers(const LpTree *tree, const cJSON *state, LpTreeCount *count) {
    static bool taken[SERVERS];
    const cJSON *job, *server;
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < tree->nodes; i++)
        count[i] = (LpTreeCount){tree->size[i], 0};
    cJSON_ArrayForEach(server, cJSON_GetObjectItem(state, "down")) {
        taken[server->valueint] = true;
        lp_tree_add(tree, count, (uint32_t)server->valueint, -1, 1);
    }
    cJSON_ArrayForEach(job, cJSON_GetObjectItem(state, "running"))
        cJSON_ArrayForEach(server, cJSON_GetObjectItem(job, "servers")) {
        if (!taken[server->valueint])
            lp_tree_add(tree, count, (uint32_t)server->valueint, -1, 0);
        taken[server->valueint] = true;
    }
}

static void expect_levels(const LpTree *tree, const LpTreeCount *count, const LpTreeBoard *board,
                          const cJSON *levels) {
    for (uint32_t l = 0; l < tree->levels; l++) {
        const cJSON *level = cJSON_GetObjectItem(levels, tree->level_name[l]);
        const cJSON *free = cJSON_GetObjectItem(level, "free");
        assert_non_null(free);
        assert_int_equal(board->level[l].largest, (int)golden_number(level, "largest"));
        assert_int_equal(board->level[l].most, (int)golden_number(level, "most"));
        assert_int_equal(board->level[l].nodes, cJSON_GetArraySize(free));
        for (uint32_t i = tree->level_begin[l]; i < tree->level_begin[l + 1]; i++)
            assert_int_equal(count[i].free, (int)golden_number(free, tree->name[i]));
    }
}

static void expect_board(const char *name) {
    static Spec spec;
    static LpTreeCount count[NODES];
    char path[PATH];
    const LpTree *tree;
    LpArena *arena = lp_arena_new(0);
    LpTreeBoard board;
    LpDiag diag;
    snprintf(path, sizeof path, "queue/tree-%s.json", name);
    cJSON *state = golden_load(path);
    snprintf(path, sizeof path, "queue/tree-%s.expected.json", name);
    cJSON *answer = golden_load(path);
    const cJSON *expected = cJSON_GetObjectItem(answer, "board");
    assert_non_null(state);
    assert_non_null(expected);
    read_spec(state, &spec);
    assert_int_equal(lp_tree_build(&spec.tree, spec.servers, arena, &tree, &diag), LP_OK);
    count_servers(tree, state, count);
    assert_int_equal(lp_tree_board(tree, count, 0, 0, &board, &diag), LP_OK);
    assert_int_equal(board.free, (int)golden_number(expected, "free"));
    assert_int_equal(board.servers, (int)golden_number(expected, "servers"));
    assert_int_equal(board.down, (int)golden_number(expected, "down"));
    expect_levels(tree, count, &board, cJSON_GetObjectItem(expected, "levels"));
    for (uint32_t i = 0; i < board.gangs && board.gang[i].servers <= WIDEST; i++) {
        char width[16];
        snprintf(width, sizeof width, "%u", (unsigned)board.gang[i].servers);
        assert_int_equal(board.gang[i].fit,
                         (int)golden_number(cJSON_GetObjectItem(expected, "gangs"), width));
        assert_true(
            golden_close(path, board.gang[i].unused,
                         golden_number(cJSON_GetObjectItem(expected, "fragmentation"), width)));
    }
    lp_arena_free(arena);
    cJSON_Delete(state);
    cJSON_Delete(answer);
}

static void test_boards(void **state) {
    (void)state;
    if (!golden_present())
        skip();
    for (size_t i = 0; i < LP_COUNTOF(states); i++)
        expect_board(states[i]);
}

TEST_GROUP(test_golden_trees) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_boards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
