/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks: how many of what, routes that are shortest and valid, the same routes from the
 * structured topologies as from their cables listed, dimension order, and refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "model/network/network.h"

static const double NIC = 12.5e9, UPLINK = 5e9;

static LpNetworkSpec leaf_spine(uint32_t leaves, uint32_t spines, uint32_t per_leaf) {
    return (LpNetworkSpec){.topology = LP_TOPOLOGY_LEAF_SPINE,
                           .leaves = leaves,
                           .spines = spines,
                           .servers_per_leaf = per_leaf,
                           .server_bandwidth = NIC,
                           .uplink_bandwidth = UPLINK,
                           .server_delay = 1e-6,
                           .uplink_delay = 2e-6};
}

static LpNetworkSpec fat_tree(uint32_t k) {
    LpNetworkSpec spec = leaf_spine(0, 0, 0);
    spec.topology = LP_TOPOLOGY_FAT_TREE;
    spec.k = k;
    return spec;
}

static LpNetworkSpec torus(uint32_t dimensions, uint32_t a, uint32_t b, uint32_t c) {
    LpNetworkSpec spec = leaf_spine(0, 0, 0);
    spec.topology = LP_TOPOLOGY_TORUS;
    spec.dimensions = dimensions;
    spec.size[0] = a;
    spec.size[1] = b;
    spec.size[2] = c;
    return spec;
}

static const LpNetwork *build(LpArena *arena, LpNetworkSpec spec) {
    const LpNetwork *n = NULL;
    LpDiag diag = {0};
    if (lp_network_build(&spec, arena, &n, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return n;
}

/* The same cables as a list. */
static const LpNetwork *relist(LpArena *arena, const LpNetwork *n, bool forward) {
    LpCable *cable = lp_arena_alloc(arena, n->links / 2, sizeof *cable);
    for (uint32_t c = 0; c < n->links / 2; c++)
        cable[c] = (LpCable){n->from[2 * c], n->to[2 * c], n->capacity[2 * c], n->delay[2 * c]};
    return build(arena, (LpNetworkSpec){.topology = LP_TOPOLOGY_LINKS,
                                        .ecmp = n->spec.ecmp,
                                        .seed = n->spec.seed,
                                        .servers = n->servers,
                                        .switches = n->switches,
                                        .cables = n->links / 2,
                                        .cable = cable,
                                        .servers_forward = forward});
}

static uint32_t check_route(const LpNetwork *n, uint32_t src, uint32_t dst, uint32_t *route) {
    uint32_t count = lp_network_route(n, src, dst, route), at = src;
    assert_true(count <= n->route_max);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(n->from[route[i]], at);
        at = n->to[route[i]];
    }
    assert_int_equal(at, dst);
    return count;
}

static void sizes(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    const LpNetwork *ls = build(arena, leaf_spine(4, 2, 3));
    assert_int_equal(ls->servers, 12);
    assert_int_equal(ls->switches, 6);
    assert_int_equal(ls->links, 2 * (12 + 8));
    assert_int_equal(lp_network_locality(ls, 5), 1);
    const LpNetwork *ft = build(arena, fat_tree(4));
    assert_int_equal(ft->servers, 16);
    assert_int_equal(ft->switches, 20);
    assert_int_equal(ft->links, 2 * 48);
    const LpNetwork *t = build(arena, torus(3, 4, 3, 2));
    assert_int_equal(t->servers, 24);
    assert_int_equal(t->links, 2 * 72);
    assert_int_equal(t->route_max, 2 + 1 + 1);
    lp_arena_free(arena);
}

/* Worked out by hand: 4 leaves of 3, 2 spines; server 1 to server 10: leaf 0, spine 10 mod 2 = 0,
 * leaf 3. */
static void routes_by_hand(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    uint32_t route[16];
    const LpNetwork *ls = build(arena, leaf_spine(4, 2, 3));
    assert_int_equal(check_route(ls, 1, 10, route), 4);
    assert_int_equal(route[0], 2 * 1);
    assert_int_equal(route[1], 2 * (12 + 0));
    assert_int_equal(route[2], 2 * (12 + 3 * 2 + 0) + 1);
    assert_int_equal(route[3], 2 * 10 + 1);
    assert_int_equal(check_route(ls, 3, 5, route), 2);
    assert_int_equal(check_route(ls, 5, 5, route), 0);
    /* fat tree of 4 ports: server 0 to 13 = 1101b: aggregation 1, core (13 div 2) mod 2 = 0 */
    const LpNetwork *ft = build(arena, fat_tree(4));
    assert_int_equal(check_route(ft, 0, 13, route), 6);
    assert_int_equal(route[1], 2 * (16 + 0 * 2 + 1));
    assert_int_equal(route[2], 2 * (32 + 1 * 2 + 0));
    assert_int_equal(route[3], 2 * (32 + (3 * 2 + 1) * 2 + 0) + 1);
    /* 4 x 4 torus, (0, 0) to (2, 3): two up in the first dimension (a tie goes up), then one down
     */
    const LpNetwork *t = build(arena, torus(2, 4, 4, 0));
    assert_int_equal(check_route(t, 0, 11, route), 3);
    assert_int_equal(route[0], 2 * 0);
    assert_int_equal(route[1], 2 * (4 * 2));
    assert_int_equal(route[2], 2 * (11 * 2 + 1) + 1);
    lp_arena_free(arena);
}

static void all_pairs(const LpNetwork *n, const LpNetwork *list, bool same) {
    uint32_t a[64], b[64];
    for (uint32_t s = 0; s < n->servers; s++)
        for (uint32_t d = 0; d < n->servers; d++) {
            uint32_t count = check_route(n, s, d, a);
            assert_int_equal(check_route(list, s, d, b), count);
            if (same)
                assert_memory_equal(a, b, count * sizeof *a);
        }
}

/* A structured network and its cables listed take the same shortest ways, by either rule; on a
 * torus dimension order is one of them. */
static void listed_alike(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    LpNetworkSpec specs[] = {leaf_spine(4, 3, 5), leaf_spine(1, 2, 4), fat_tree(4), fat_tree(6)};
    for (size_t i = 0; i < LP_COUNTOF(specs); i++)
        for (int hash = 0; hash < 2; hash++) {
            specs[i].ecmp = hash ? LP_ECMP_HASH : LP_ECMP_DESTINATION;
            specs[i].seed = 7;
            const LpNetwork *n = build(arena, specs[i]);
            all_pairs(n, relist(arena, n, false), true);
        }
    const LpNetwork *t = build(arena, torus(3, 4, 3, 2)), *line = build(arena, torus(1, 7, 0, 0));
    all_pairs(t, relist(arena, t, true), false);
    all_pairs(line, relist(arena, line, true), true);
    lp_arena_free(arena);
}

/* Random lists: routes are valid, as short as a breadth-first search says, and do not pass through
 * servers. */
static void random_lists(void **state) {
    (void)state;
    LpRng rng = lp_rng_stream(1, "networks", 0);
    for (int round = 0; round < 40; round++) {
        LpArena *arena = lp_arena_new(0);
        uint32_t switches = 2 + (uint32_t)lp_rng_below(&rng, 8), servers = 6, cables = 0, at[64];
        LpCable cable[64];
        for (uint32_t w = 1; w < switches; w++) /* a random tree, then more */
            cable[cables++] =
                (LpCable){servers + w, servers + (uint32_t)lp_rng_below(&rng, w), 1, 0};
        for (uint32_t s = 0; s < servers; s++)
            cable[cables++] = (LpCable){s, servers + (uint32_t)lp_rng_below(&rng, switches), 1, 0};
        for (int extra = 0; extra < 6; extra++) {
            uint32_t a = (uint32_t)lp_rng_below(&rng, servers + switches);
            uint32_t b = servers + (uint32_t)lp_rng_below(&rng, switches);
            if (a != b)
                cable[cables++] = (LpCable){a, b, 1, 0};
        }
        const LpNetwork *n = build(arena, (LpNetworkSpec){.topology = LP_TOPOLOGY_LINKS,
                                                          .ecmp = LP_ECMP_HASH,
                                                          .servers = servers,
                                                          .switches = switches,
                                                          .cables = cables,
                                                          .cable = cable});
        for (uint32_t s = 0; s < servers; s++) {
            uint32_t queue[64], head = 0, tail = 0, route[64];
            memset(at, 0xff, sizeof at);
            at[s] = 0;
            queue[tail++] = s;
            while (head < tail) {
                uint32_t v = queue[head++];
                for (uint32_t l = 0; (v == s || v >= servers) && l < n->links; l++)
                    if (n->from[l] == v && at[n->to[l]] == UINT32_MAX) {
                        at[n->to[l]] = at[v] + 1;
                        queue[tail++] = n->to[l];
                    }
            }
            for (uint32_t d = 0; d < servers; d++) {
                uint32_t count = check_route(n, s, d, route);
                assert_int_equal(count, at[d]);
                for (uint32_t i = 0; i + 1 < count; i++)
                    assert_true(n->to[route[i]] >= servers);
            }
        }
        lp_arena_free(arena);
    }
}

/* D-mod-k on a leaf-spine spreads the servers of a leaf evenly over the spines. */
static void spread(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    const LpNetwork *n = build(arena, leaf_spine(4, 4, 8));
    uint32_t load[512] = {0}, route[8];
    for (uint32_t s = 0; s < 8; s++)
        for (uint32_t i = 0, count = lp_network_route(n, s, 8 + s, route); i < count; i++)
            load[route[i]]++;
    for (uint32_t spine = 0; spine < 4; spine++)
        assert_int_equal(load[2 * (32 + spine)], 2);
    lp_arena_free(arena);
}

/* 65 536 servers in linear memory. */
static void large(void **state) {
    (void)state;
    LpNetworkSpec specs[] = {fat_tree(64), leaf_spine(2048, 32, 32), torus(3, 64, 32, 32)};
    for (size_t i = 0; i < LP_COUNTOF(specs); i++) {
        LpArena *arena = lp_arena_new(0);
        const LpNetwork *n = build(arena, specs[i]);
        uint32_t route[256];
        assert_int_equal(n->servers, 65536);
        assert_true(lp_arena_bytes(arena) < 32u << 20);
        check_route(n, 0, 65535, route);
        check_route(n, 40000, 123, route);
        lp_arena_free(arena);
    }
}

/* Ranks are a walk: no two alike, and on a torus one hop from each to the next. */
static void ranks(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    const LpNetwork *t = build(arena, torus(3, 4, 3, 4));
    uint32_t at[48], route[16];
    assert_true(t->route_max <= LP_COUNTOF(route));
    memset(at, 0xff, sizeof at);
    for (uint32_t s = 0; s < 48; s++) {
        assert_true(lp_network_rank(t, s) < 48 && at[lp_network_rank(t, s)] == UINT32_MAX);
        at[lp_network_rank(t, s)] = s;
    }
    for (uint32_t i = 0; i + 1 < 48; i++)
        assert_int_equal(lp_network_route(t, at[i], at[i + 1], route), 1);
    assert_int_equal(t->localities, 12);
    const LpNetwork *ls = build(arena, leaf_spine(3, 2, 4)), *list = relist(arena, ls, false);
    for (uint32_t s = 0; s < 12; s++) {
        assert_int_equal(lp_network_locality(list, s), lp_network_locality(ls, s));
        assert_int_equal(list->locality_member[s], s);
        assert_int_equal(list->locality_begin[s / 4], ls->locality_begin[s / 4]);
    }
    lp_arena_free(arena);
}

static void refused(LpNetworkSpec spec, LpErr err, const char *text) {
    LpArena *arena = lp_arena_new(0);
    const LpNetwork *n = NULL;
    LpDiag diag = {0};
    assert_int_equal(lp_network_build(&spec, arena, &n, &diag), err);
    assert_null(n);
    if (strstr(diag.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.text, text);
    lp_arena_free(arena);
}

static void refusals(void **state) {
    (void)state;
    LpNetworkSpec spec = leaf_spine(0, 2, 3);
    refused(spec, LP_EINVAL, "leaves is 0");
    spec = leaf_spine(4, 2, 3);
    spec.uplink_bandwidth = 0;
    refused(spec, LP_EINVAL, "uplink_bandwidth is 0");
    spec = leaf_spine(4, 2, 3);
    spec.server_delay = -1;
    refused(spec, LP_EINVAL, "server_delay is -1");
    refused(fat_tree(5), LP_EINVAL, "even");
    refused(torus(2, 4, 1, 0), LP_EINVAL, "size[1] is 1");
    refused(leaf_spine(65536, 4, 65536), LP_ELIMIT, "expected at most");
    refused(fat_tree(4000000000u), LP_ELIMIT, "expected at most");
    refused(torus(1, 100000, 0, 0), LP_ELIMIT, "longest route");
    refused(torus(3, 4000000000u, 4000000000u, 4000000000u), LP_ELIMIT, "expected at most");
    LpCable cable[] = {{0, 2, 1e9, 0}, {1, 3, 1e9, 0}};
    spec = (LpNetworkSpec){
        .topology = LP_TOPOLOGY_LINKS, .servers = 2, .switches = 2, .cables = 2, .cable = cable};
    refused(spec, LP_EINVAL, "server 1 cannot be reached from switch 0");
    cable[1].b = 4;
    refused(spec, LP_EINVAL, "links[1] ends at node 4");
    cable[1] = (LpCable){1, 1, 1e9, 0};
    refused(spec, LP_EINVAL, "to itself");
    cable[1] = (LpCable){1, 2, -1, 0};
    refused(spec, LP_EINVAL, "links[1].capacity is -1");
    cable[0] = (LpCable){0, 1, 1e9, 0};
    cable[1] = (LpCable){1, 2, 1e9, 0};
    refused(spec, LP_EINVAL, "server 0 has no link to a switch");
    spec.switches = 3000;
    refused(spec, LP_ELIMIT, "routes through 3000");
}

TEST_GROUP(test_model_network) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),        cmocka_unit_test(routes_by_hand),
        cmocka_unit_test(listed_alike), cmocka_unit_test(random_lists),
        cmocka_unit_test(ranks),        cmocka_unit_test(spread),
        cmocka_unit_test(large),        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
