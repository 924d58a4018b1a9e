/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index of free room finds what asking server by server finds: the same blocks in the same
 * order, the same largest block, the same best one, on random clusters with random free servers.
 * LP_WORLDS=100000 makes so many worlds; the seed of a world is its number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "group.h"
#include "model/fabric/best.h"
#include "model/fabric/room_read.h"

enum { SERVERS_MAX = 1100, WORLDS = 2000, BLOCKS = 40 };

typedef struct World {
    LpArena *arena;
    LpCluster cluster;
    LpFabric fabric;
    LpRoom *room;
    bool free[SERVERS_MAX];
    uint32_t count;
} World;

/* ---- random worlds ---- */

static uint32_t draw(LpRng *rng, uint32_t low, uint32_t high) {
    return low + (uint32_t)lp_rng_below(rng, high - low + 1);
}

static void make_ramp(World *w, LpRng *rng) {
    static const uint32_t DEPTH[] = {1, 2, 3, 4, 5, 8, 16};
    uint32_t j = draw(rng, 1, 6), x = j + draw(rng, 0, 4);
    uint32_t l = DEPTH[draw(rng, 0, LP_COUNTOF(DEPTH) - 1)];
    if (draw(rng, 0, 9) == 0) { /* racks of several words */
        x = draw(rng, 1, 2), j = 1, l = draw(rng, 60, 200);
    } else if (draw(rng, 0, 20) == 0) { /* groups of several words of racks */
        x = 66, j = draw(rng, 63, 66), l = 1;
        x = SERVERS_MAX / j;
    } else if (draw(rng, 0, 12) == 0) { /* many blocks of one size */
        j = draw(rng, 16, 30), x = j + draw(rng, 0, 3), l = 1;
    } else if (draw(rng, 0, 12) == 0) { /* racks of a whole word */
        j = draw(rng, 1, 3), x = j + draw(rng, 0, 1), l = draw(rng, 62, 64);
    }
    w->cluster.fabric = LP_FABRIC_RAMP;
    w->cluster.ramp = (LpRampParams){x, j, l, 1.6e12, 50e-9, 100e-9, 1, true, 20e-9};
    w->cluster.every_shape = draw(rng, 0, 1) == 1;
}

static void make_network(World *w, LpRng *rng) {
    LpNetworkSpec spec = {.topology = LP_TOPOLOGY_FAT_TREE,
                          .k = 2 * draw(rng, 1, 4),
                          .server_bandwidth = 1e9,
                          .uplink_bandwidth = 5e8};
    LpDiag diag = {0};
    uint32_t kind = draw(rng, 0, 3);
    LpCable cable[60];
    if (kind == 0) {
        spec.topology = LP_TOPOLOGY_LEAF_SPINE;
        spec.leaves = draw(rng, 1, 9);
        spec.spines = draw(rng, 1, 3);
        spec.servers_per_leaf = draw(rng, 1, 40);
    } else if (kind == 1) {
        spec.topology = LP_TOPOLOGY_TORUS;
        spec.dimensions = 2;
        spec.size[0] = draw(rng, 2, 8);
        spec.size[1] = draw(rng, 2, 8);
    } else if (kind == 2) { /* servers of a switch do not follow each other */
        uint32_t servers = draw(rng, 2, 50), switches = draw(rng, 1, 5);
        for (uint32_t s = 0; s < servers; s++)
            cable[s] = (LpCable){s, servers + (s * 7 + 3) % switches, 1e9, 1e-6};
        for (uint32_t i = 1; i < switches; i++)
            cable[servers + i - 1] = (LpCable){servers + i - 1, servers + i, 1e9, 1e-6};
        spec.topology = LP_TOPOLOGY_LINKS;
        spec.servers = servers;
        spec.switches = switches;
        spec.cable = cable;
        spec.cables = servers + switches - 1;
    }
    w->cluster.fabric = LP_FABRIC_PACKET;
    w->cluster.packet = (LpPacketParams){.spec = spec, .io_latency = 1e-7};
    if (lp_network_build(&spec, w->arena, &w->cluster.packet.network, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    w->cluster.packet.spec = w->cluster.packet.network->spec;
}

/* Nearly empty to nearly full, whole stretches or single servers. */
static void occupy(World *w, LpRng *rng) {
    uint32_t servers = w->fabric.servers, busy = draw(rng, 0, 10), most = draw(rng, 0, 1) ? 1 : 12;
    for (uint32_t s = 0; s < servers; s++)
        w->free[s] = true;
    bool board = draw(rng, 0, w->fabric.racks >= 16 ? 1 : 9) == 0; /* every second rack */
    for (uint32_t s = 0; board && s < servers; s++)
        lp_room_set(w->room, s,
                    w->free[s] =
                        (lp_fabric_group(&w->fabric, s) + lp_fabric_rack(&w->fabric, s)) % 2);
    for (uint32_t s = 0; !board && s < servers;) {
        uint32_t run = draw(rng, 1, most);
        bool free = draw(rng, 0, 9) >= busy;
        for (; run > 0 && s < servers; run--, s++)
            lp_room_set(w->room, s, w->free[s] = free);
    }
    for (uint32_t i = 0; i < 8; i++) { /* there and back again */
        uint32_t s = draw(rng, 0, servers - 1);
        lp_room_set(w->room, s, w->free[s] = !w->free[s]);
    }
    w->count = 0;
    for (uint32_t s = 0; s < servers; s++)
        w->count += w->free[s];
}

static void make(World *w, LpRng *rng) {
    *w = (World){.arena = lp_arena_new(0)};
    uint32_t kind = draw(rng, 0, 9);
    if (kind < 6)
        make_ramp(w, rng);
    else if (kind < 9)
        make_network(w, rng);
    else
        w->cluster = (LpCluster){.fabric = LP_FABRIC_IDEAL,
                                 .ideal = {draw(rng, 1, 300), 1.6e12, 50e-9, 100e-9}};
    lp_fabric_init(&w->fabric, &w->cluster);
    w->cluster.servers = w->fabric.servers;
    assert_true(w->fabric.servers >= 1 && w->fabric.servers <= SERVERS_MAX);
    w->room = lp_alloc(lp_room_bytes(&w->fabric), 1);
    lp_room_init(w->room, &w->fabric);
    occupy(w, rng);
}

static void drop(World *w) {
    lp_free(w->room);
    lp_arena_free(w->arena);
}

/* ---- the naive search: every origin, every server ---- */

typedef struct Naive {
    const World *w;
    uint32_t n, shapes, at_shape;
    uint64_t at;
    LpShape shape[LP_SHAPES_MAX];
} Naive;

static void naive_start(Naive *q, const World *w, uint32_t n, bool fallbacks) {
    q->w = w;
    q->n = n;
    q->at = q->at_shape = 0;
    q->shapes = w->fabric.ops->shapes(&w->fabric, n, fallbacks, q->shape);
}

/* The block of RAMP at an origin; false where it does not lie or is not free. */
static bool naive_ramp(const Naive *q, const LpShape *s, uint64_t origin, uint32_t *out) {
    const LpRampParams *r = &q->w->cluster.ramp;
    uint32_t depth = r->servers_per_rack + 2, count = 0;
    uint32_t k = (uint32_t)(origin % depth), j = (uint32_t)(origin / depth % r->racks_per_group);
    uint32_t i = (uint32_t)(origin / depth / r->racks_per_group);
    if (i + s->groups > r->communication_groups || j + s->racks > r->racks_per_group ||
        (!s->diagonal && k + s->servers > r->servers_per_rack))
        return false;
    for (uint32_t c = 0; c < s->groups; c++)
        for (uint32_t q2 = 0; q2 < (s->diagonal ? 1 : s->racks); q2++)
            for (uint32_t t = 0; t < (s->diagonal ? 1 : s->servers); t++) {
                uint32_t rack = (i + c) * r->racks_per_group + j + (s->diagonal ? c : q2);
                uint32_t server = rack * r->servers_per_rack + (k + t) % r->servers_per_rack;
                if (!q->w->free[server])
                    return false;
                out[count++] = server;
            }
    return count == q->n;
}

/* Servers of a locality, of a pod, all; in order of numbers. */
static bool naive_network(const Naive *q, uint64_t origin, uint32_t *out) {
    const LpNetwork *net = q->w->fabric.network;
    uint32_t count = 0, pods = net->spec.topology == LP_TOPOLOGY_FAT_TREE ? net->spec.k : 0;
    for (uint32_t s = 0; s < net->servers && count < q->n; s++) {
        bool in = origin >= net->localities + pods;
        if (origin < net->localities)
            in = lp_network_locality(net, s) == origin;
        else if (!in)
            in = s / (net->servers / pods) == origin - net->localities;
        if (in && q->w->free[s])
            out[count++] = s;
    }
    return count == q->n;
}

static bool naive_any(const Naive *q, uint32_t *out) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < q->w->fabric.servers && count < q->n; s++)
        if (q->w->free[s])
            out[count++] = s;
    return count == q->n;
}

static uint64_t naive_origins(const Naive *q) {
    const LpRampParams *r = &q->w->cluster.ramp;
    if (q->w->cluster.fabric == LP_FABRIC_RAMP)
        return (uint64_t)r->communication_groups * r->racks_per_group * (r->servers_per_rack + 2);
    const LpNetwork *net = q->w->fabric.network;
    return net == NULL ? 1 : (uint64_t)net->localities + net->spec.k * 1u + 1;
}

static bool naive_block(const Naive *q, uint32_t *out) {
    const LpNetwork *net = q->w->fabric.network;
    if (q->w->cluster.fabric == LP_FABRIC_RAMP)
        return naive_ramp(q, &q->shape[q->at_shape], q->at, out);
    if (net == NULL)
        return naive_any(q, out);
    uint32_t pods = net->spec.topology == LP_TOPOLOGY_FAT_TREE ? net->spec.k : 0;
    return q->at <= net->localities + pods && naive_network(q, q->at, out);
}

static bool naive_next(Naive *q, uint32_t *out) {
    for (; q->at_shape < q->shapes; q->at_shape++, q->at = 0)
        for (uint64_t origins = naive_origins(q); q->at < origins;) {
            bool found = naive_block(q, out);
            q->at++;
            if (found)
                return true;
        }
    return false;
}

/* ---- the same blocks in the same order ---- */

static void compare_blocks(const World *w, uint32_t n, bool fallbacks) {
    uint32_t expected[SERVERS_MAX], found[SERVERS_MAX];
    LpBlockSearch search, any;
    Naive naive;
    naive_start(&naive, w, n, fallbacks);
    lp_block_search_in(&search, &w->fabric, n, fallbacks, w->room, NULL, NULL);
    lp_block_search_in(&any, &w->fabric, n, fallbacks, w->room, NULL, NULL);
    for (int i = 0; i < BLOCKS; i++) {
        bool is = naive_next(&naive, expected);
        assert_int_equal(lp_block_next(&search, found), is);
        assert_int_equal(lp_block_next(&any, NULL), is);
        if (!is)
            return;
        assert_int_equal(search.at_shape, naive.at_shape);
        assert_memory_equal(found, expected, n * sizeof *found);
    }
}

/* ---- the largest and the best ---- */

static uint32_t naive_largest(const World *w, bool fallbacks) {
    uint32_t out[SERVERS_MAX];
    Naive naive;
    for (uint32_t n = w->count; n > 0; n--) {
        naive_start(&naive, w, n, fallbacks);
        if (naive_next(&naive, out))
            return n;
    }
    return 0;
}

/* ---- the largest, rectangle by rectangle, where a rack is one word ---- */

static uint64_t rack_word(const World *w, uint32_t group, uint32_t rack) {
    const LpRampParams *r = &w->cluster.ramp;
    uint64_t word = 0;
    for (uint32_t k = 0; k < r->servers_per_rack; k++)
        word |= (uint64_t)w->free[(group * r->racks_per_group + rack) * r->servers_per_rack + k]
                << k;
    return word;
}

static uint32_t run_of(uint64_t word) {
    uint32_t longest = 0, run = 0;
    for (uint32_t k = 0; k < 64; k++) {
        run = word >> k & 1 ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* What the shapes of semantics 5.2 allow p groups, q racks and a run of so many indices to hold. */
static uint32_t allowed(const LpRampParams *r, bool every, uint32_t p, uint32_t q, uint32_t run) {
    uint32_t side = r->racks_per_group, l = r->servers_per_rack; /* racks <= groups */
    if (run == 0)
        return 0;
    if (every || (p <= side && (p == q || q == 1)))
        return p * q * run;
    if (p <= side && q <= l)
        return p * q;
    return q == 1 ? p : 0;
}

static uint32_t rectangles_from(const World *w, uint32_t i, uint32_t j, uint32_t most) {
    const LpRampParams *r = &w->cluster.ramp;
    for (uint32_t p = 1; i + p <= r->communication_groups; p++) {
        uint64_t word = UINT64_MAX;
        for (uint32_t q = 1; j + q <= r->racks_per_group && word != 0; q++) {
            for (uint32_t g = 0; g < p; g++)
                word &= rack_word(w, i + g, j + q - 1);
            uint32_t size = allowed(r, w->cluster.every_shape, p, q, run_of(word));
            most = size > most ? size : most;
        }
    }
    return most;
}

static uint32_t diagonal_from(const World *w, uint32_t i, uint32_t j) {
    const LpRampParams *r = &w->cluster.ramp;
    uint64_t word = UINT64_MAX;
    uint32_t n = 0;
    for (; i + n < r->communication_groups && j + n < r->racks_per_group; n++)
        if ((word &= rack_word(w, i + n, j + n)) == 0)
            break;
    return n;
}

static uint32_t rectangles_largest(const World *w, bool fallbacks) {
    const LpRampParams *r = &w->cluster.ramp;
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->communication_groups; i++)
        for (uint32_t j = 0; j < r->racks_per_group; j++) {
            most = rectangles_from(w, i, j, most);
            uint32_t line = fallbacks ? diagonal_from(w, i, j) : 0;
            most = line > most ? line : most;
        }
    return most;
}

/* What is left of the largest block by each of the first blocks of n, in one scratch. */
static void compare_left(World *w, uint32_t n, bool fallbacks) {
    uint32_t block[SERVERS_MAX];
    LpBlockScratch *scratch = lp_block_scratch_new(&w->fabric);
    LpBlockSearch search;
    uint64_t looked = 0;
    lp_block_search_in(&search, &w->fabric, n, fallbacks, w->room, NULL, NULL);
    for (int i = 0; i < 5 && lp_block_next(&search, block); i++) {
        for (uint32_t s = 0; s < n; s++)
            w->free[block[s]] = false;
        uint32_t expected = rectangles_largest(w, fallbacks);
        assert_int_equal(
            lp_block_largest_left(&w->fabric, w->room, fallbacks, block, n, scratch, &looked),
            expected);
        for (uint32_t s = 0; s < n; s++)
            w->free[block[s]] = true;
    }
    lp_block_scratch_free(scratch);
}

static void compare_largest(World *w, LpRng *rng, bool fallbacks) {
    uint64_t looked = 0;
    assert_int_equal(lp_block_largest(&w->fabric, w->room, fallbacks, 0, &looked),
                     rectangles_largest(w, fallbacks));
    uint32_t most = w->fabric.servers < 24 ? w->fabric.servers : 24;
    compare_left(w, 1, fallbacks);
    compare_left(w, draw(rng, 1, most < 4 ? most : 4), fallbacks);
    compare_left(w, draw(rng, 1, most), fallbacks);
}

static uint32_t racks_left(const World *w, const uint32_t *block, uint32_t n) {
    uint32_t size = w->fabric.per_rack, left = 0;
    bool touched[SERVERS_MAX + 1] = {false};
    for (uint32_t i = 0; i < n; i++)
        touched[block[i] / size] = true;
    for (uint32_t s = 0; s < w->fabric.servers; s++)
        left += w->free[s] && touched[s / size];
    return left - n;
}

static uint32_t parts(const uint32_t *block, uint32_t n, uint32_t size) {
    uint32_t count = 0;
    bool touched[SERVERS_MAX + 1] = {false};
    for (uint32_t i = 0; i < n; i++) {
        count += !touched[block[i] / size];
        touched[block[i] / size] = true;
    }
    return count;
}

/* What the block touches and leaves, server by server. */
static void compare_trace(const World *w, const uint32_t *block, uint32_t n) {
    uint32_t rack = w->fabric.per_rack, group = rack * w->fabric.racks, runs = 0, left = 0;
    bool rack_touched[SERVERS_MAX + 1] = {false}, group_touched[SERVERS_MAX + 1] = {false};
    bool taken[SERVERS_MAX] = {false}, before = false;
    for (uint32_t i = 0; i < n; i++)
        taken[block[i]] = rack_touched[block[i] / rack] = group_touched[block[i] / group] = true;
    for (uint32_t s = 0; s < w->fabric.servers; s++) {
        bool stays = w->free[s] && !taken[s];
        runs += stays && rack_touched[s / rack] && (s % rack == 0 || !before);
        left += stays && group_touched[s / group];
        before = stays;
    }
    LpBlockTrace t = lp_block_trace(&w->fabric, w->room, block, n);
    assert_int_equal(t.racks, parts(block, n, rack));
    assert_int_equal(t.groups, parts(block, n, group));
    assert_int_equal(t.fragments, runs);
    assert_int_equal(t.left_in_groups, left);
}

/* Counting free servers, and finding one of them, between any two numbers. */
static void compare_counts(const World *w, LpRng *rng) {
    uint32_t begin = draw(rng, 0, w->fabric.servers - 1);
    uint32_t end = draw(rng, begin, w->fabric.servers), count = 0;
    for (uint32_t s = begin; s < end; s++)
        if (w->free[s])
            assert_int_equal(lp_room_nth(w->room, begin, end, count++), s);
    assert_int_equal(lp_room_free(w->room, begin, end), count);
    assert_int_equal(lp_room_nth(w->room, begin, end, count), UINT32_MAX);
}

/* Lower is better. */
static int64_t naive_badness(World *w, LpBlockScore score, const uint32_t *block, uint32_t n,
                             bool fallbacks) {
    uint32_t rack = w->fabric.per_rack;
    if (score == LP_SCORE_BEST_FIT)
        return racks_left(w, block, n);
    if (score == LP_SCORE_WORST_FIT)
        return -(int64_t)racks_left(w, block, n);
    if (score == LP_SCORE_FEWEST_GROUPS)
        return 1000 * (int64_t)parts(block, n, rack * w->fabric.racks) + parts(block, n, rack);
    if (score == LP_SCORE_FIRST_FIT)
        return 0;
    for (uint32_t i = 0; i < n; i++)
        w->free[block[i]] = false;
    w->count -= n;
    int64_t bad = -(int64_t)naive_largest(w, fallbacks);
    w->count += n;
    for (uint32_t i = 0; i < n; i++)
        w->free[block[i]] = true;
    return bad;
}

static void compare_best(World *w, LpBlockRank rank, uint32_t n, uint32_t limit, bool fallbacks) {
    uint32_t block[SERVERS_MAX], expected[SERVERS_MAX], found[SERVERS_MAX];
    int64_t least = 0, second = 0;
    bool first = false; /* has one been seen? */
    LpBlockSearch search;
    LpBlockChoice choice;
    Naive naive;
    naive_start(&naive, w, n, fallbacks);
    for (uint32_t i = 0; i < limit && naive_next(&naive, block); i++) {
        int64_t bad = naive_badness(w, rank.score, block, n, fallbacks);
        int64_t tied = naive_badness(w, rank.tie, block, n, fallbacks);
        compare_trace(w, block, n);
        if (first && (bad > least || (bad == least && tied >= second)))
            continue;
        memcpy(expected, block, n * sizeof *block);
        least = bad;
        second = tied;
        first = true;
    }
    LpBlockScratch *scratch = lp_block_scratch_new(&w->fabric);
    lp_block_search_in(&search, &w->fabric, n, fallbacks, w->room, NULL, NULL);
    assert_int_equal(lp_block_best(&search, rank, limit, fallbacks, scratch, found, &choice),
                     first);
    lp_block_scratch_free(scratch);
    if (!first)
        return;
    assert_memory_equal(found, expected, n * sizeof *found);
    if (rank.score == LP_SCORE_LEAST_FRAGMENTING)
        assert_int_equal(choice.value, -least);
}

/* ---- tests ---- */

static uint32_t worlds(void) {
    const char *text = getenv("LP_WORLDS");
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : WORLDS;
}

static void check_world(uint32_t number, uint32_t *compared) {
    LpRng rng = lp_rng_stream(number, "room", 0);
    World w;
    make(&w, &rng);
    bool fallbacks = draw(&rng, 0, 1) == 1;
    for (int i = 0; i < 4; i++) {
        uint32_t most = i < 2 ? 16 : w.fabric.servers;
        uint32_t n = draw(&rng, 1, most < w.fabric.servers ? most : w.fabric.servers);
        compare_blocks(&w, n, fallbacks);
        compare_counts(&w, &rng);
        ++*compared;
    }
    if (number % 8 == 0 && w.fabric.servers <= 120) { /* the naive way to the largest is slow */
        uint64_t looked = 0;
        uint32_t n = draw(&rng, 1, w.fabric.servers < 12 ? w.fabric.servers : 12);
        assert_int_equal(lp_block_largest(&w.fabric, w.room, fallbacks, 0, &looked),
                         naive_largest(&w, fallbacks));
        for (int score = 0; score < LP_SCORE_COUNT; score++) {
            LpBlockScore tie = (LpBlockScore)(number / 8 % LP_SCORE_COUNT);
            compare_best(&w, (LpBlockRank){(LpBlockScore)score, LP_SCORE_FIRST_FIT}, n, 6,
                         fallbacks);
            compare_best(&w, (LpBlockRank){(LpBlockScore)score, tie}, n, 6, fallbacks);
        }
    }
    if (number % 4 == 0 && w.cluster.fabric == LP_FABRIC_RAMP &&
        w.cluster.ramp.servers_per_rack <= 64)
        compare_largest(&w, &rng, fallbacks);
    drop(&w);
}

static void the_index_finds_what_asking_finds(void **state) {
    (void)state;
    uint32_t compared = 0;
    for (uint32_t i = 0; i < worlds(); i++)
        check_world(i, &compared);
    assert_int_equal(compared, 4 * worlds());
}

TEST_GROUP(test_room) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_index_finds_what_asking_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
