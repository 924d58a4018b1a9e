/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of a tree, by hand: gangs that fit, what no gang can use, and what one end would free.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/tree_board.h"
#include "group.h"

enum { MOST = 128 };

/* Leaves of so many servers in the order of their numbers; rows of so many leaves each, 0: none. */
typedef struct Built {
    LpArena *arena;
    const LpTree *tree;
    LpTreeCount count[MOST];
} Built;

static void build(Built *b, uint32_t leaves, const uint32_t *size, uint32_t per_row) {
    static char name[MOST][16];
    static const char *called[MOST];
    static LpTreeNodeSpec leaf[MOST], row[MOST];
    static uint32_t server[MOST];
    LpTreeLevelSpec level[] = {{"leaf", leaves, leaf}, {"row", 0, row}};
    LpDiag diag;
    uint32_t servers = 0;
    memset(b, 0, sizeof *b);
    b->arena = lp_arena_new(0);
    assert_non_null(b->arena);
    for (uint32_t i = 0; i < MOST; i++) {
        server[i] = i;
        snprintf(name[i], sizeof name[i], "s%u", (unsigned)i + 1);
        called[i] = name[i];
    }
    for (uint32_t i = 0; i < leaves; i++) {
        leaf[i] = (LpTreeNodeSpec){called[i], size[i], 0, server + servers, NULL};
        servers += size[i];
    }
    for (uint32_t i = 0; per_row > 0 && i < leaves / per_row; i++) {
        row[i] = (LpTreeNodeSpec){i == 0 ? "r0" : "r1", 0, per_row, NULL, called + i * per_row};
        level[1].nodes++;
    }
    LpTreeSpec spec = {per_row > 0 ? 2 : 1, level};
    assert_int_equal(lp_tree_build(&spec, servers, b->arena, &b->tree, &diag), LP_OK);
    for (uint32_t i = 0; i < b->tree->nodes; i++)
        b->count[i].free = b->tree->size[i];
}

/* Somebody has servers first .. first + n - 1. */
static void hold(Built *b, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        lp_tree_add(b->tree, b->count, first + i, -1, 0);
}

static LpTreeBoard board_of(const Built *b, uint32_t level, uint32_t width) {
    LpTreeBoard board;
    LpDiag diag;
    assert_int_equal(lp_tree_board(b->tree, b->count, level, width, &board, &diag), LP_OK);
    return board;
}

static LpGang gang_of(const LpTreeBoard *board, uint32_t servers) {
    for (uint32_t i = 0; i < board->gangs; i++)
        if (board->gang[i].servers == servers)
            return board->gang[i];
    fail_msg("no gang of %u", (unsigned)servers);
    return (LpGang){0};
}

static const uint32_t uneven[] = {1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 11};

static void test_leaves_of_many_sizes(void **state) {
    (void)state;
    Built b;
    build(&b, 15, uneven, 0);
    LpTreeBoard empty = board_of(&b, 0, 12);
    assert_int_equal(empty.servers, 77);
    assert_int_equal(empty.gangs, 8); /* 1 2 4 8 12 16 32 64 */
    assert_int_equal(empty.gang[4].servers, 12);
    assert_int_equal(gang_of(&empty, 8).fit, 2);
    assert_int_equal(gang_of(&empty, 8).nodes, 2);
    assert_int_equal(gang_of(&empty, 12).fit, 0);
    assert_int_equal(gang_of(&empty, 12).nodes, 0);
    assert_int_equal(empty.level[0].most, 11);
    hold(&b, 58, 8); /* all of the leaf of 8 */
    hold(&b, 66, 8); /* 3 of the leaf of 11 are left */
    LpTreeBoard taken = board_of(&b, 0, 8);
    assert_int_equal(taken.free, 61);
    assert_int_equal(taken.level[0].largest, 7);
    assert_int_equal(gang_of(&taken, 8).fit, 0);
    assert_int_equal(gang_of(&taken, 8).across, 2); /* 7 and 7 */
    assert_true(gang_of(&taken, 8).unused == 1);
    assert_int_equal(gang_of(&taken, 2).fit, 26);
    assert_true(gang_of(&taken, 1).unused == 0);
    assert_int_equal(gang_of(&taken, 64).across, 0);
    lp_arena_free(b.arena);
}

static void test_half_of_each_leaf(void **state) {
    static const uint32_t four[] = {4, 4, 4, 4, 4, 4, 4, 4};
    (void)state;
    Built b;
    build(&b, 8, four, 0);
    for (uint32_t i = 0; i < 8; i++)
        hold(&b, i * 4, 2);
    LpTreeBoard board = board_of(&b, 0, 0);
    assert_int_equal(board.free, 16);
    assert_int_equal(gang_of(&board, 2).fit, 8);
    assert_int_equal(gang_of(&board, 4).fit, 0);
    assert_true(gang_of(&board, 4).unused == 1);
    assert_int_equal(gang_of(&board, 16).across, 8);
    lp_arena_free(b.arena);
}

static void test_rows(void **state) {
    static const uint32_t four[] = {4, 4, 4, 4, 4, 4};
    (void)state;
    Built b;
    build(&b, 6, four, 3);
    LpTreeBoard leaves = board_of(&b, 0, 13), rows = board_of(&b, 1, 13), all = board_of(&b, 2, 13);
    assert_int_equal(gang_of(&leaves, 13).fit, 0);
    assert_int_equal(gang_of(&leaves, 13).across, 4);
    assert_int_equal(gang_of(&rows, 8).fit, 2);
    assert_int_equal(gang_of(&rows, 13).across, 2);
    assert_int_equal(gang_of(&all, 13).fit, 1);
    assert_int_equal(rows.level[1].largest, 12);
    assert_int_equal(rows.level[2].nodes, 1);
    lp_arena_free(b.arena);
}

static LpIfEnded ended(const Built *b, LpTreeAsk ask, uint32_t n, uint32_t first, uint32_t held) {
    uint32_t server[MOST];
    LpHeldServers holder[] = {{held, server}, {0, NULL}};
    LpIfEnded out[2];
    LpDiag diag;
    for (uint32_t i = 0; i < held; i++)
        server[i] = first + i;
    assert_int_equal(lp_tree_if_ended(b->tree, b->count, &ask, n, holder, 2, out, &diag), LP_OK);
    assert_int_equal(out[1].main, LP_NO_NODE);
    return out[0];
}

static void test_if_one_ended(void **state) {
    (void)state;
    Built b;
    LpTreeAsk leaf = {.required = 1}, anywhere = {0}, segments = {.segment = 4};
    build(&b, 15, uneven, 0);
    hold(&b, 0, 77);
    /* 10 .. 16 lie in s5 (4 servers from 9 on, 3 of them) and s6 (4 from 13 on). */
    LpIfEnded one = ended(&b, leaf, 4, 10, 7);
    assert_int_equal(one.node, 5);
    assert_int_equal(one.main, 5);
    assert_int_equal(ended(&b, leaf, 5, 10, 7).node, LP_NO_NODE);
    assert_int_equal(ended(&b, leaf, 8, 58, 8).node, 13);
    assert_int_equal(ended(&b, leaf, 9, 58, 8).node, LP_NO_NODE);
    assert_int_equal(ended(&b, anywhere, 7, 10, 7).node, b.tree->nodes - 1);
    assert_int_equal(ended(&b, anywhere, 8, 10, 7).node, LP_NO_NODE);
    /* Of seven servers one whole segment of four comes back, of these eleven two. */
    assert_int_equal(ended(&b, segments, 8, 10, 7).node, LP_NO_NODE);
    assert_int_equal(ended(&b, segments, 8, 66, 11).node, b.tree->nodes - 1);
    lp_arena_free(b.arena);
}

/* Free servers that are there already make up a segment with those that come back. */
static void test_segments_are_made_up(void **state) {
    static const uint32_t six[] = {6, 6};
    (void)state;
    Built b;
    build(&b, 2, six, 0);
    hold(&b, 0, 3);
    hold(&b, 6, 6);
    assert_int_equal(ended(&b, (LpTreeAsk){.segment = 4}, 4, 0, 1).node, 2);
    assert_int_equal(ended(&b, (LpTreeAsk){.segment = 4}, 4, 6, 3).node, LP_NO_NODE);
    assert_int_equal(ended(&b, (LpTreeAsk){.required = 1, .segment = 3}, 3, 6, 6).node, 0);
    lp_arena_free(b.arena);
}

TEST_GROUP(test_ask_tree_board) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_of_many_sizes),
        cmocka_unit_test(test_half_of_each_leaf),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_if_one_ended),
        cmocka_unit_test(test_segments_are_made_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
