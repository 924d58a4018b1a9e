/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of places in a tree and of reasons for waiting, on random states: a job that could
 * start has a place; its servers are free, as many as asked for, under one node, in whole segments;
 * what is said to be enough is, and nothing before it. And of gangs: single servers leave nothing
 * unused, a gang leaves no less than one whose width divides its own, and which of two equal nodes
 * holds what changes no number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/inspect/tree_board.h"
#include "base/rng.h"
#include "group.h"
#include "sim/waits/reason.h"

enum { STATES = 4000, LEAVES = 9, SIZE = 7, SERVERS = LEAVES * SIZE, NODES = 32, ENDS = 12 };

typedef struct Case {
    LpArena *arena;
    const LpTree *tree;
    LpTreeCount count[NODES];
    uint32_t holder[SERVERS]; /* 0: free, else 1 + an end */
    bool broken[SERVERS];
    uint32_t held[SERVERS];
    LpReasonEnd end[ENDS];
    LpReasonDown down[SERVERS];
    LpReasonView view;
    LpReasonJob job;
} Case;

static uint32_t draw(LpRng *rng, uint32_t below) {
    return (uint32_t)lp_rng_below(rng, below);
}

/* Leaves of 1 to SIZE servers whose numbers are dealt out, in rows of leaves that lie apart. */
static const LpTree *random_tree(LpRng *rng, LpArena *arena, const uint32_t *size,
                                 const uint32_t *row, uint32_t rows) {
    static char name[LEAVES + 3][8];
    static uint32_t server[SERVERS];
    static const char *of[3][LEAVES];
    LpTreeNodeSpec leaf[LEAVES], top[3];
    uint32_t all = 0, below[3] = {0};
    for (uint32_t i = 0; i < LEAVES; i++) {
        snprintf(name[i], sizeof name[i], "l%u", i);
        leaf[i] = (LpTreeNodeSpec){.name = name[i], .servers = size[i], .server = server + all};
        all += size[i];
        of[row[i]][below[row[i]]++] = name[i];
    }
    for (uint32_t i = 0; i < all; i++)
        server[i] = i;
    for (uint32_t i = all; i > 1; i--) {
        uint32_t k = draw(rng, i), kept = server[k];
        server[k] = server[i - 1];
        server[i - 1] = kept;
    }
    for (uint32_t r = 0; r < rows; r++) {
        snprintf(name[LEAVES + r], sizeof name[0], "r%u", r);
        top[r] = (LpTreeNodeSpec){.name = name[LEAVES + r], .children = below[r], .of = of[r]};
    }
    LpTreeLevelSpec level[2] = {{"leaf", LEAVES, leaf}, {"row", rows, top}};
    LpTreeSpec spec = {2, level};
    const LpTree *tree;
    LpDiag diag;
    if (lp_tree_build(&spec, all, arena, &tree, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return tree;
}

static void count_servers(Case *c) {
    memset(c->count, 0, sizeof c->count);
    c->view.downs = 0;
    for (uint32_t s = 0; s < c->tree->servers; s++) {
        lp_tree_add(c->tree, c->count, s, c->holder[s] == 0 && !c->broken[s], c->broken[s]);
        if (c->broken[s])
            c->down[c->view.downs++] = (LpReasonDown){s, c->holder[s] > 0};
    }
}

static void open_case(Case *c, LpRng *rng) {
    uint32_t size[LEAVES], row[LEAVES], rows = 1 + draw(rng, 3), held = 0;
    memset(c, 0, sizeof *c);
    c->arena = lp_arena_new(0);
    for (uint32_t i = 0; i < LEAVES; i++) {
        size[i] = 1 + draw(rng, SIZE);
        row[i] = i < rows ? i : draw(rng, rows);
    }
    c->tree = random_tree(rng, c->arena, size, row, rows);
    uint32_t ends = draw(rng, ENDS), part = draw(rng, 100), down = draw(rng, 12);
    for (uint32_t s = 0; s < c->tree->servers; s++) {
        c->holder[s] = ends > 0 && draw(rng, 100) < part ? 1 + draw(rng, ends) : 0;
        c->broken[s] = draw(rng, 100) < down;
    }
    double at = 100;
    for (uint32_t e = 0; e < ends; e++) {
        at += draw(rng, 3); /* some end at once */
        c->end[e] = (LpReasonEnd){.label = "j", .job = e, .begin = held, .at = at};
        for (uint32_t s = 0; s < c->tree->servers; s++)
            if (c->holder[s] == e + 1)
                c->held[held++] = s;
        c->end[e].count = held - c->end[e].begin;
    }
    LpTreeAsk *ask = &c->job.ask;
    ask->required = draw(rng, 3);
    ask->preferred = ask->required > 0 ? draw(rng, ask->required) : draw(rng, 3);
    ask->segment = draw(rng, 2) * (1 + draw(rng, 4));
    c->job.servers = (1 + draw(rng, 6)) * (ask->segment > 0 ? ask->segment : 1);
    c->job.label = "job";
    c->job.rigid = true;
    c->view = (LpReasonView){.tree = c->tree,
                             .count = c->count,
                             .now = 50,
                             .down = c->down,
                             .end = c->end,
                             .ends = ends,
                             .held = c->held,
                             .lacks = LP_REASON_POLICY,
                             .enough_at = (double)NAN,
                             .stopped_at = (double)NAN};
    count_servers(c);
}

static uint32_t find_place(const Case *c, uint32_t *take) {
    uint32_t room[NODES];
    memset(take, 0, NODES * sizeof *take);
    lp_tree_room(c->tree, c->count, c->job.ask.segment, room);
    uint32_t node = lp_tree_fit(c->tree, room, &c->job.ask, c->job.servers, LP_TREE_TIGHT);
    if (node != LP_NO_NODE)
        lp_tree_fill(c->tree, room, node, c->job.servers, LP_TREE_TIGHT, take);
    return node;
}

/* Is the place that is found one that was asked for? */
static void check_place(const Case *c, uint32_t state) {
    uint32_t take[NODES], sum = 0, first = LP_NO_NODE;
    uint32_t asked = lp_tree_asked_level(c->tree, &c->job.ask), k = c->job.ask.segment;
    if (find_place(c, take) == LP_NO_NODE)
        return;
    for (uint32_t i = 0; i < LEAVES; i++) {
        uint32_t node = lp_tree_node_of(c->tree, c->tree->member[c->tree->member_begin[i]], asked);
        if (take[i] == 0)
            continue;
        if (take[i] > c->count[i].free || (k > 0 && take[i] % k != 0))
            fail_msg("state %u: %u of leaf %u, %u free", state, take[i], i, c->count[i].free);
        first = first == LP_NO_NODE ? node : first;
        if (node != first)
            fail_msg("state %u: two nodes of level %u", state, asked);
        sum += take[i];
    }
    assert_int_equal(sum, c->job.servers);
}

/* Jobs end one after the other until the one that was named: then it fits, and not before. */
static void check_enough(Case *c, const LpReason *reason, uint32_t state) {
    uint32_t take[NODES];
    bool fits = false;
    for (uint32_t e = 0; e < c->view.ends && !fits; e++) {
        for (uint32_t s = 0; s < c->tree->servers; s++)
            c->holder[s] = c->holder[s] == e + 1 ? 0 : c->holder[s];
        count_servers(c);
        fits = find_place(c, take) != LP_NO_NODE;
        if (fits && (reason->when_job != e || reason->enough_at != c->end[e].at))
            fail_msg("state %u: it fits when %u ends, said was %u", state, e, reason->when_job);
    }
    if (!fits && !isnan(reason->enough_at))
        fail_msg("state %u: it never fits, said was %g s", state, reason->enough_at);
}

static void reasons_and_places_hold_together(void **unused) {
    (void)unused;
    LpRng rng = lp_rng_stream(1, "tree", 0);
    uint32_t starts = 0, waits = 0, nevers = 0;
    for (uint32_t state = 0; state < STATES; state++) {
        static Case c;
        uint32_t take[NODES];
        LpReason reason;
        LpDiag diag;
        open_case(&c, &rng);
        assert_int_equal(lp_reason_find(&c.view, &c.job, &reason, &diag), LP_OK);
        bool could = reason.code == LP_REASON_BEHIND || reason.code == LP_REASON_POLICY;
        if (could != (find_place(&c, take) != LP_NO_NODE))
            fail_msg("state %u: %s", state, reason.text);
        check_place(&c, state);
        nevers += reason.code == LP_REASON_NEVER;
        starts += could;
        waits += !could && reason.code != LP_REASON_NEVER;
        if (!could && reason.code != LP_REASON_NEVER)
            check_enough(&c, &reason, state);
        lp_arena_free(c.arena);
    }
    assert_true(starts > STATES / 8 && waits > STATES / 8 && nevers > STATES / 100);
}

/* ---- gangs ---- */

static LpTreeBoard board_of(const Case *c, uint32_t level) {
    LpTreeBoard board;
    LpDiag diag;
    assert_int_equal(lp_tree_board(c->tree, c->count, level, 0, &board, &diag), LP_OK);
    return board;
}

static void check_gangs(const LpTreeBoard *b, uint32_t state) {
    for (uint32_t i = 0; i < b->gangs; i++) {
        double expected =
            b->free > 0 ? 1 - (double)b->gang[i].fit * b->gang[i].servers / b->free : 0;
        if (fabs(b->gang[i].unused - expected) > 1e-12)
            fail_msg("state %u: gangs of %u leave %g unused, expected %g", state,
                     b->gang[i].servers, b->gang[i].unused, expected);
        for (uint32_t k = 0; k < i; k++)
            if (b->gang[i].servers % b->gang[k].servers == 0 &&
                b->gang[i].unused < b->gang[k].unused)
                fail_msg("state %u: gangs of %u leave less unused than those of %u", state,
                         b->gang[i].servers, b->gang[k].servers);
    }
    assert_true(b->gangs > 0 && b->gang[0].servers == 1 && b->gang[0].unused == 0);
}

/* Two leaves of one size hold what the other one held. False: there are no two. */
static bool swap_leaves(Case *c, LpRng *rng) {
    const LpTree *t = c->tree;
    uint32_t a = draw(rng, LEAVES), b = (a + 1 + draw(rng, LEAVES - 1)) % LEAVES;
    if (t->size[a] != t->size[b])
        return false;
    for (uint32_t i = 0; i < t->size[a]; i++) {
        uint32_t one = t->member[t->member_begin[a] + i], other = t->member[t->member_begin[b] + i];
        uint32_t holder = c->holder[one];
        bool broken = c->broken[one];
        c->holder[one] = c->holder[other];
        c->broken[one] = c->broken[other];
        c->holder[other] = holder;
        c->broken[other] = broken;
    }
    count_servers(c);
    return true;
}

static void gangs_leave_what_they_must(void **unused) {
    (void)unused;
    LpRng rng = lp_rng_stream(1, "gangs", 0);
    uint32_t swapped = 0, broken_up = 0;
    for (uint32_t state = 0; state < STATES; state++) {
        static Case c;
        open_case(&c, &rng);
        for (uint32_t level = 0; level <= c.tree->levels; level++) {
            LpTreeBoard board = board_of(&c, level);
            check_gangs(&board, state);
            broken_up += board.gangs > 2 && board.gang[2].unused > 0;
        }
        LpTreeBoard before = board_of(&c, 0);
        if (swap_leaves(&c, &rng)) {
            LpTreeBoard after = board_of(&c, 0);
            swapped++;
            if (before.free != after.free || before.down != after.down ||
                before.level[0].largest != after.level[0].largest)
                fail_msg("state %u: another number is free", state);
            for (uint32_t i = 0; i < before.gangs; i++)
                if (before.gang[i].fit != after.gang[i].fit ||
                    before.gang[i].across != after.gang[i].across ||
                    before.gang[i].unused != after.gang[i].unused)
                    fail_msg("state %u: other gangs of %u", state, before.gang[i].servers);
        }
        lp_arena_free(c.arena);
    }
    assert_true(swapped > STATES / 20 && broken_up > STATES);
}

TEST_GROUP(test_tree) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reasons_and_places_hold_together),
                                       cmocka_unit_test(gangs_leave_what_they_must)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
