/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of clusters: what is read and refused, levels of fabrics, and the rule of placing, worked
 * out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/tree/hostlist.h"
#include "scenario_text.h"

#define HEAD "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\",\"ideal\":{\"servers\":6},\n"
#define JOB "{\"servers\":2,\"duration\":1"
#define TAIL "},\n\"jobs\":[" JOB "}]}"
#define LEAVES "{\"name\":\"s1\",\"servers\":\"0..2\"},{\"name\":\"s2\",\"servers\":[3,\"4..5\"]}"
#define LEAF "{\"name\":\"leaf\",\"nodes\":[" LEAVES "]}"

static void levels_are_read(void **state) {
    (void)state;
    LpScenario *s = load_text(HEAD "\"levels\":[" LEAF
                                   ",{\"name\":\"row\",\"nodes\":[{\"name\":\"top\",\"of\":[\"s2\","
                                   "\"s1\"]}]}],\"names\":\"n[8-12],x\"},\n\"jobs\":[" JOB
                                   ",\"required\":\"row\",\"preferred\":\"leaf\",\"segment\":2}]}",
                              NULL, 0);
    const LpTree *t = s->cluster.tree;
    char name[LP_SERVER_TEXT];
    assert_int_equal(t->levels, 2);
    assert_int_equal(t->nodes, 4);
    assert_int_equal(t->size[0] + t->size[1], 6);
    assert_int_equal(t->parent[0], 2);
    assert_int_equal(t->parent[2], 3);
    assert_int_equal(t->lowest[4], 1);
    assert_int_equal(lp_tree_node_of(t, 5, 2), 3);
    assert_string_equal(lp_cluster_server(&s->cluster, 4, name), "n12");
    assert_string_equal(lp_cluster_server(&s->cluster, 5, name), "x");
    assert_int_equal(s->job[0].place.required, 2);
    assert_int_equal(s->job[0].place.preferred, 1);
    assert_int_equal(s->job[0].place.segment, 2);
    lp_scenario_free(s);
}

static void fabrics_have_levels(void **state) {
    (void)state;
    static const struct {
        const char *cluster, *lowest, *next;
        uint32_t nodes, server, at, name_of;
        const char *name;
    } cases[] = {
        {"\"packet\",\"packet\":{\"topology\":\"leaf_spine\",\"leaves\":3,\"spines\":2,"
         "\"servers_per_leaf\":4}",
         "leaf", NULL, 3, 7, 1, 1, "leaf 1"},
        {"\"packet\",\"packet\":{\"topology\":\"fat_tree\",\"k\":4}", "edge", "pod", 8, 5, 2, 9,
         "pod 1"},
        {"\"ramp\",\"ramp\":{\"communication_groups\":2,\"racks_per_group\":2,"
         "\"servers_per_rack\":3}",
         "rack", "group", 4, 8, 2, 5, "group 1"},
        {"\"zones\",\"zones\":{\"zones\":[{\"name\":\"a\",\"servers\":2},{\"name\":\"b\","
         "\"servers\":5}],\"inside\":{\"bandwidth\":1e9,\"delay\":1e-6},\"between\":{\"bandwidth\":"
         "1e9,\"delay\":1e-3}}",
         "zone", NULL, 2, 2, 1, 1, "b"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"lightpath\":1,\"cluster\":{\"fabric\":%s},\"jobs\":[" JOB "}]}",
                 cases[i].cluster);
        LpScenario *s = load_text(text, NULL, 0);
        const LpTree *t = s->cluster.tree;
        assert_string_equal(t->level_name[0], cases[i].lowest);
        assert_int_equal(t->levels, cases[i].next != NULL ? 2 : 1);
        if (cases[i].next != NULL)
            assert_string_equal(t->level_name[1], cases[i].next);
        assert_int_equal(t->level_begin[1], cases[i].nodes);
        assert_int_equal(t->lowest[cases[i].server], cases[i].at);
        assert_string_equal(t->name[cases[i].name_of], cases[i].name);
        lp_scenario_free(s);
    }
}

static void mistakes_are_told_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEAD "\"levels\":[{\"name\":\"leaf\",\"nodes\":[{\"name\":\"a\",\"servers\":\"0..5\"},\n"
              "{\"name\":\"b\",\"servers\":[3]}]}]" TAIL,
         "s:3:23: cluster.levels[0].nodes[1].servers names server 3, which is in \"a\": expected "
         "each server in one node"},
        {HEAD
         "\"levels\":[{\"name\":\"leaf\",\"nodes\":[{\"name\":\"a\",\"servers\":\"0..4\"}]}]" TAIL,
         "s:2:34: cluster.levels[0].nodes has no node with server 5: expected each server in one"},
        {HEAD
         "\"levels\":[{\"name\":\"leaf\",\"nodes\":[{\"name\":\"a\",\"servers\":\"0..6\"}]}]" TAIL,
         "s:2:57: cluster.levels[0].nodes[0].servers names server 6: expected 0 to 5"},
        {HEAD "\"levels\":[{\"name\":\"cluster\",\"nodes\":[" LEAVES "]}]" TAIL,
         "s:2:19: cluster.levels[0].name is \"cluster\": expected another name, since that is what "
         "stands above all levels"},
        {HEAD "\"levels\":[" LEAF ",\n{\"name\":\"leaf\",\"nodes\":[{\"name\":\"x\",\"of\":[\"s1\","
              "\"s2\"]}]}]" TAIL,
         "s:3:9: cluster.levels[1].name is \"leaf\", as that of level 0: expected a name of its "
         "own"},
        {HEAD "\"levels\":[" LEAF ",\n{\"name\":\"row\",\"nodes\":[{\"name\":\"x\",\"of\":[\"s1\","
              "\"s9\"]}]}]" TAIL,
         "s:3:47: cluster.levels[1].nodes[0].of[1] is \"s9\": expected a node of the level "
         "\"leaf\""},
        {HEAD "\"levels\":[" LEAF
              ",\n{\"name\":\"row\",\"nodes\":[{\"name\":\"x\",\"of\":[\"s1\"]}]}]" TAIL,
         "s:3:23: cluster.levels[1].nodes has no node with \"s2\" of the level \"leaf\": expected "
         "each one in one"},
        {HEAD "\"levels\":[" LEAF ",\n{\"name\":\"row\",\"nodes\":[{\"name\":\"x\",\"of\":[\"s1\","
              "\"s2\",\"s1\"]}]}]" TAIL,
         "s:3:52: cluster.levels[1].nodes[0].of[2] is \"s1\", which is in \"x\": expected each "
         "node "
         "in one"},
        {HEAD "\"levels\":[{\"name\":\"leaf\",\"nodes\":[" LEAVES
              ",\n{\"name\":\"s3\",\"servers\":[]}]}]" TAIL,
         "s:3:1: cluster.levels[0].nodes[2] \"s3\" is empty: expected at least one server"},
        {HEAD "\"levels\":[]" TAIL, "s:2:10: \"levels\" has 0 levels, expected 1 to 6"},
        {HEAD
         "\"levels\":[{\"name\":\"leaf\",\"nodes\":[{\"name\":\"a\",\"servers\":\"5..3\"}]}]" TAIL,
         "s:2:57: \"servers\" is the text \"5..3\": expected numbers of servers such as \"0..3\" "
         "or "
         "\"0..3,8\""},
        {HEAD "\"names\":\"n[0-4]\"" TAIL,
         "s:2:9: cluster.names has 5 names: expected as many as servers, 6"},
        {HEAD "\"names\":\"n[0-4\"" TAIL,
         "s:2:9: \"names\": the list of names has \"[0-4\": expected a \"]\" after it"},
        {HEAD "\"levels\":[" LEAF "]},\n\"jobs\":[" JOB ",\"required\":\"row\"}]}",
         "s:3:46: \"required\" is the text \"row\": expected \"leaf\""},
        {HEAD "\"names\":\"n[0-5]\"},\n\"jobs\":[" JOB ",\"required\":\"row\"}]}",
         "s:3:46: \"required\" is the text \"row\": expected none, since the cluster has no levels "
         "(cluster.levels)"},
        {HEAD "\"levels\":[" LEAF "]},\n\"jobs\":[" JOB ",\"segment\":3}]}",
         "s:3:45: jobs[0].segment is 3: expected a divisor of the job's servers, 2"},
        {HEAD "\"names\":\"n[0-5]\"},\n\"jobs\":[" JOB ",\"segment\":2}]}",
         "s:3:45: jobs[0].segment is 2: expected none, since the cluster has no levels "
         "(cluster.levels)"},
        {HEAD "\"levels\":[" LEAF "]},\n\"jobs\":[" JOB
              ",\"required\":\"leaf\",\"preferred\":\"leaf\"}]}",
         "s:3:65: jobs[0].preferred is \"leaf\" beside the required \"leaf\": expected a level "
         "below "
         "that"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++)
        expect_load_error(cases[i].text, NULL, 0, cases[i].message);
}

static void lists_of_hosts_are_expanded(void **state) {
    (void)state;
    static const struct {
        const char *text, *names; /* joined by blanks; NULL: refused */
    } cases[] = {
        {"n[08-11]", "n08 n09 n10 n11"},
        {"a,b", "a b"},
        {"r[1-2]n[0-1]x,z", "r1n0x r1n1x r2n0x r2n1x z"},
        {"g[3,7-8]", "g3 g7 g8"},
        {"n[2-1]", NULL},
        {"n[1-", NULL},
        {"a,,b", NULL},
        {"n]", NULL},
        {"n[a]", NULL},
        {"n[1-9999]", NULL},
    };
    LpArena *arena = lp_arena_new(0);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        const char *const *name = NULL;
        char joined[256] = "";
        uint32_t count = 0;
        LpDiag diag;
        LpErr err = lp_hostlist_expand(cases[i].text, 100, arena, &name, &count, &diag);
        if ((err == LP_OK) != (cases[i].names != NULL))
            fail_msg("%s: %s", cases[i].text, err == LP_OK ? "taken" : diag.text);
        for (uint32_t n = 0; n < count; n++) {
            strcat(joined, n > 0 ? " " : "");
            strcat(joined, name[n]);
        }
        if (err == LP_OK)
            assert_string_equal(joined, cases[i].names);
    }
    lp_arena_free(arena);
}

/* Two rows of three leaves of 4; free: 1 3 2 | 4 2 4. */
static const LpTree *two_rows(LpArena *arena, LpTreeCount count[9]) {
    static const char *const names[] = {"leaf", "row"};
    static const uint32_t servers[] = {4, 12}, free[] = {1, 3, 2, 4, 2, 4};
    LpTreeSpec spec;
    const LpTree *tree;
    LpDiag diag;
    assert_int_equal(lp_tree_spec_even(2, names, servers, 24, arena, &spec, &diag), LP_OK);
    assert_int_equal(lp_tree_build(&spec, 24, arena, &tree, &diag), LP_OK);
    memset(count, 0, 9 * sizeof *count);
    for (uint32_t s = 0; s < 24; s++)
        lp_tree_add(tree, count, s, s % 4 < free[s / 4], 0);
    return tree;
}

static void places_are_those_of_the_rule(void **state) {
    (void)state;
    static const struct {
        LpTreeAsk ask;
        uint32_t n;
        LpTreePick pick;
        const char *takes; /* of the leaves; NULL: no place */
    } cases[] = {
        {{0, 0, 0}, 2, LP_TREE_TIGHT, "002000"},  /* the tightest leaf, of equal ones the first */
        {{0, 0, 0}, 2, LP_TREE_LOOSE, "000200"},  /* the roomiest */
        {{0, 0, 0}, 2, LP_TREE_FIRST, "020000"},  /* the first */
        {{0, 0, 0}, 5, LP_TREE_TIGHT, "032000"},  /* row 0 has 6, row 1 10: the fullest, the rest */
        {{0, 0, 0}, 7, LP_TREE_TIGHT, "000403"},  /* row 1: 4, then 3 in the tightest that has it */
        {{0, 0, 0}, 11, LP_TREE_TIGHT, "100424"}, /* both: row 1 whole, then 1 in row 0 */
        {{1, 0, 0}, 4, LP_TREE_TIGHT, "000400"},  /* in one leaf */
        {{1, 0, 0}, 5, LP_TREE_TIGHT, NULL},
        {{2, 0, 0}, 2, LP_TREE_TIGHT, "002000"}, /* from the row on: row 0 is the tighter */
        {{2, 0, 0}, 11, LP_TREE_TIGHT, NULL},    /* the largest row has 10 */
        {{0, 2, 0}, 6, LP_TREE_TIGHT, "132000"}, /* preferred row */
        {{2, 1, 0}, 4, LP_TREE_TIGHT, "000400"}, /* a leaf, though row 0 would be tighter */
        {{0, 0, 2}, 6, LP_TREE_TIGHT, "000420"}, /* room in pairs: 0 2 2 | 4 2 4 */
        {{0, 0, 2}, 14, LP_TREE_TIGHT, "022424"},
        {{0, 0, 2}, 16, LP_TREE_TIGHT, NULL}, /* 16 are free, but only 7 pairs */
        {{0, 0, 4}, 8, LP_TREE_TIGHT, "000404"},
    };
    LpArena *arena = lp_arena_new(0);
    LpTreeCount count[9];
    const LpTree *tree = two_rows(arena, count);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        uint32_t room[9], take[9] = {0};
        char takes[8] = "";
        lp_tree_room(tree, count, cases[i].ask.segment, room);
        uint32_t node = lp_tree_fit(tree, room, &cases[i].ask, cases[i].n, cases[i].pick);
        if ((node != LP_NO_NODE) != (cases[i].takes != NULL))
            fail_msg("case %zu: %s", i, node != LP_NO_NODE ? tree->name[node] : "no place");
        if (node == LP_NO_NODE)
            continue;
        lp_tree_fill(tree, room, node, cases[i].n, cases[i].pick, take);
        for (int leaf = 0; leaf < 6; leaf++)
            takes[leaf] = (char)('0' + take[leaf]);
        if (strcmp(takes, cases[i].takes) != 0)
            fail_msg("case %zu: %s, expected %s", i, takes, cases[i].takes);
    }
    lp_arena_free(arena);
}

static void servers_that_break_an_ask_are_told(void **state) {
    (void)state;
    static const struct {
        LpTreeAsk ask;
        uint32_t server[4];
        const char *reason; /* NULL: they keep to it */
    } cases[] = {
        {{1, 0, 0}, {0, 1, 2, 3}, NULL},
        {{1, 0, 0}, {0, 1, 2, 4}, "place: the servers lie under 2 leaves, the job requires one"},
        {{2, 0, 0}, {0, 1, 2, 11}, NULL},
        {{2, 0, 0}, {0, 1, 2, 12}, "place: the servers lie under 2 rows, the job requires one"},
        {{0, 0, 2}, {0, 1, 20, 21}, NULL},
        {{0, 0, 2}, {0, 4, 5, 6}, "place: 1 server of leaf 0, the job asks for segments of 2"},
        {{0, 1, 0}, {0, 4, 8, 12}, NULL},
    };
    LpArena *arena = lp_arena_new(0);
    LpTreeCount count[9];
    const LpTree *tree = two_rows(arena, count);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        uint32_t mark[9];
        char reason[LP_DIAG_TEXT] = "";
        bool keeps = lp_tree_keeps(tree, &cases[i].ask, cases[i].server, 4, mark, reason);
        assert_int_equal(keeps, cases[i].reason == NULL);
        if (!keeps)
            assert_string_equal(reason, cases[i].reason);
    }
    lp_arena_free(arena);
}

TEST_GROUP(test_model_tree) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_are_read),
                                       cmocka_unit_test(fabrics_have_levels),
                                       cmocka_unit_test(mistakes_are_told_with_their_place),
                                       cmocka_unit_test(lists_of_hosts_are_expanded),
                                       cmocka_unit_test(places_are_those_of_the_rule),
                                       cmocka_unit_test(servers_that_break_an_ask_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
