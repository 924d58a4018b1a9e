/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks, light paths and symmetry of the fabrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/rng.h"
#include "group.h"
#include "model/fabric/fabric.h"

enum { BLOCK_MAX = 128 };

/* A fabric and the cluster behind it. */
typedef struct Fixture {
    LpCluster cluster;
    LpFabric fabric;
} Fixture;

static void ramp(Fixture *fixture, uint32_t groups, uint32_t racks, uint32_t per_rack) {
    fixture->cluster =
        (LpCluster){.fabric = LP_FABRIC_RAMP,
                    .ramp = {groups, racks, per_rack, 1.6e12, 50e-9, 100e-9, 1, true, 20e-9},
                    .servers = groups * racks * per_rack};
    lp_fabric_init(&fixture->fabric, &fixture->cluster);
}

static void ideal(Fixture *fixture, uint32_t servers) {
    fixture->cluster = (LpCluster){
        .fabric = LP_FABRIC_IDEAL, .ideal = {servers, 1.6e12, 50e-9, 100e-9}, .servers = servers};
    lp_fabric_init(&fixture->fabric, &fixture->cluster);
}

static void search_shape(LpBlockSearch *search, const LpFabric *fabric, const LpShape *shape,
                         LpServerTest test, const void *context) {
    lp_block_search(search, fabric, 0, false, test, context);
    lp_block_only(search, shape);
}

/* ---- the table ---- */

/* Whoever adds a fabric learns here what its row lacks. */
static void every_row_is_whole(void **state) {
    (void)state;
#define WORD(KIND, word) #word,
    static const char *const words[] = {LP_FABRICS(WORD)};
    assert_int_equal(sizeof words / sizeof *words, LP_FABRIC_COUNT);
    for (int kind = 0; kind < LP_FABRIC_COUNT; kind++) {
        const LpFabricOps *o = lp_fabric_ops((LpFabricKind)kind);
        const LpFabricForm *form = &o->form;
        assert_string_equal(o->name, words[kind]);
        assert_non_null(o->title);
        assert_true(o->defaults && o->check && o->count && o->scale && o->init && o->board_plan);
        assert_true(o->shapes && o->regular && o->origins && o->block && o->block_in && o->bound);
        assert_true(o->transfer_time != NULL);
        assert_true(o->collective_time && o->published_collective_time && o->sends && o->ports);
        assert_true(o->canonical && o->wavelength && o->wavelengths);
        assert_memory_equal(form->usage, o->name, strlen(o->name));
        assert_int_equal(form->usage[strlen(o->name)], ':');
        assert_true(form->sizes >= 1 && form->sizes <= LP_FORM_SIZES);
        for (uint32_t i = 0; i < form->sizes; i++)
            assert_true(form->write != NULL || form->size[i] != NULL);
    }
}

/* Each fabric fills in its own parameters alone, so the order of the rows means nothing. */
static void defaults_do_not_meet(void **state) {
    (void)state;
    LpCluster all;
    lp_cluster_defaults(&all);
    assert_int_equal(all.fabric, LP_FABRIC_RAMP);
    assert_int_equal(all.types, 1);
    assert_int_equal(lp_cluster_servers(&all), 32);
    for (int kind = 0; kind < LP_FABRIC_COUNT; kind++) {
        const LpFabricOps *o = lp_fabric_ops((LpFabricKind)kind);
        LpCluster one = {.fabric = (LpFabricKind)kind};
        o->defaults(&one);
        assert_true(o->count(&one) == o->count(&all));
        assert_int_equal(one.types, 0);
    }
}

static void constants_are_derived(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2);
    assert_int_equal(f.fabric.servers, 32);
    assert_true(f.fabric.port_rate == 4e11);
    assert_true(f.fabric.latency == 50e-9 + 2.0 * 100e-9);
    assert_true(f.fabric.slot == 20e-9);
    assert_int_equal(f.fabric.tx_ports, 128);
    assert_int_equal(f.fabric.rx_ports, 128);
    assert_true(f.fabric.light_capacity == 128.0);
    ideal(&f, 32);
    assert_int_equal(f.fabric.servers, 32);
    assert_true(f.fabric.port_rate == 1.6e12);
    assert_int_equal(f.fabric.tx_ports, 0);
    assert_true(f.fabric.slot == 0.0);
    assert_true(f.fabric.light_capacity == 32.0);
}

/* ---- shapes ---- */

/* The different shapes in the order of their first appearance, as text. */
static void shapes_text(const LpFabric *fabric, uint32_t n, bool fallbacks, char *text) {
    LpShape shape[LP_SHAPES_MAX];
    char one[LP_SHAPE_TEXT], padded[LP_SHAPE_TEXT + 2];
    uint32_t count = fabric->ops->shapes(fabric, n, fallbacks, shape);
    strcpy(text, " ");
    for (uint32_t i = 0; i < count; i++) {
        snprintf(padded, sizeof padded, " %s,", lp_shape_print(&shape[i], one));
        if (!strstr(text, padded) && fabric->ops->origins(fabric, &shape[i]) > 0)
            strcat(text, padded);
    }
}

static void shapes_follow_the_published_order(void **state) {
    (void)state;
    const struct {
        uint32_t n;
        bool fallbacks;
        const char *expected;
    } cases[] = {
        {1, true, "  1x1x1, diagonal 1,"},
        {2, true, "  2x1x1, 1x1x2, 1x2x1, diagonal 2,"},
        {4, true, "  2x2x1, 4x1x1, 2x1x2, diagonal 4,"},
        {6, true, "  3x1x2, 3x2x1,"},
        {8, true, "  2x2x2, 4x1x2, 4x2x1,"},
        {16, true, "  4x4x1,"},
        {2, false, "  2x1x1, 1x1x2, 1x2x1,"},
        {4, false, "  2x2x1, 4x1x1, 2x1x2,"},
        {3, false, "  3x1x1,"},
        {5, true, " "},
        {32, true, "  4x4x2,"},
        {33, true, " "},
        {0, true, " "},
    };
    Fixture f;
    char text[1024];
    ramp(&f, 4, 4, 2);
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        shapes_text(&f.fabric, cases[i].n, cases[i].fallbacks, text);
        assert_string_equal(text, cases[i].expected);
    }
}

/* One row per group is a last resort of its own: it may be longer than a group has racks. */
static void a_row_of_groups_is_tried_last(void **state) {
    (void)state;
    Fixture f;
    char text[1024];
    ramp(&f, 4, 2, 4);
    shapes_text(&f.fabric, 4, false, text);
    assert_string_equal(text, "  2x2x1, 2x1x2, 1x1x4, 4x1x1,");
    shapes_text(&f.fabric, 3, true, text);
    assert_string_equal(text, "  1x1x3, 3x1x1,");
}

/* The definition, without the bounds that the engine derives from it. */
static uint32_t reference_shapes(const LpRampParams *r, uint32_t n, LpShape *out) {
    uint32_t count = 0;
    for (uint32_t i = 1; i <= n; i++) {
        if (n % i)
            continue;
        uint32_t a = n / i, b = i, v = 1;
        while (v * v < a)
            v++;
        if (v * v == a && v <= r->communication_groups && v <= r->racks_per_group &&
            b <= r->servers_per_rack)
            out[count++] = (LpShape){v, v, b, false};
        if (a <= r->communication_groups && a <= r->racks_per_group && b <= r->servers_per_rack) {
            out[count++] = (LpShape){a, 1, b, false};
            out[count++] = (LpShape){a, b, 1, false};
        }
    }
    return count;
}

static void shapes_are_those_of_the_definition(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{4, 4, 2}, {4, 2, 4},  {3, 3, 3},
                                 {8, 4, 4}, {6, 5, 24}, {1, 1, 60}};
    LpShape expected[512], shape[LP_SHAPES_MAX];
    Fixture f;
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
        ramp(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
        for (uint32_t n = 1; n <= f.fabric.servers; n++) {
            uint32_t want = reference_shapes(&f.cluster.ramp, n, expected);
            assert_int_equal(lp_fabric_mask_shape(&f.fabric, n), want > 0);
            expected[want] = (LpShape){n, n, 1, true};
            expected[want + 1] = (LpShape){n, 1, 1, false};
            assert_int_equal(f.fabric.ops->shapes(&f.fabric, n, true, shape), want + 2);
            for (uint32_t k = 0; k < want + 2; k++) {
                assert_int_equal(shape[k].groups, expected[k].groups);
                assert_int_equal(shape[k].racks, expected[k].racks);
                assert_int_equal(shape[k].diagonal, expected[k].diagonal);
                if (!shape[k].diagonal)
                    assert_int_equal(shape[k].servers, expected[k].servers);
            }
        }
    }
}

/* The option shapes corrected: the published list, then what it lacks, by groups and racks. */
static void every_shape_follows_the_published_ones(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{4, 4, 1}, {4, 2, 4},  {3, 3, 3},
                                 {8, 4, 4}, {6, 5, 24}, {1, 1, 60}};
    LpShape first[LP_SHAPES_MAX], all[LP_SHAPES_MAX];
    Fixture f;
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (uint32_t n = 1; n <= sizes[i][0] * sizes[i][1] * sizes[i][2]; n++) {
            ramp(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
            uint32_t listed = f.fabric.ops->shapes(&f.fabric, n, true, first), at = listed;
            f.cluster.every_shape = true;
            uint32_t count = f.fabric.ops->shapes(&f.fabric, n, true, all);
            assert_memory_equal(first, all, listed * sizeof *all);
            for (uint32_t p = 1; p <= sizes[i][0]; p++)
                for (uint32_t q = 1; q <= sizes[i][1]; q++) {
                    uint32_t k = 0, r = n / p / q;
                    while (k < listed && (all[k].diagonal || all[k].groups != p ||
                                          all[k].racks != q || all[k].servers != r))
                        k++;
                    if (p * q * r != n || r > sizes[i][2] || k < listed)
                        continue;
                    assert_true(at < count && all[at].groups == p && all[at].racks == q);
                    assert_int_equal(all[at++].servers, r);
                }
            assert_int_equal(at, count);
        }
}

static void the_mask_lists_the_published_degrees(void **state) {
    (void)state;
    const struct {
        uint32_t groups, racks, per_rack;
        const char *degrees;
    } cases[] = {
        {2, 2, 2, "1 2 4 8 "},
        {2, 2, 4, "1 2 4 6 8 12 16 "},
        {3, 3, 3, "1 2 4 6 8 12 18 "},
        {4, 4, 2, "1 2 4 6 8 16 18 32 "},
        {4, 2, 4, "1 2 4 6 8 12 16 "},
        {4, 4, 4, "1 2 4 6 8 12 16 18 32 36 48 64 "},
        {8, 4, 4, "1 2 4 6 8 12 16 18 32 36 48 64 "},
        {4, 4, 8, "1 2 4 6 8 10 12 14 16 18 20 24 28 32 36 48 54 64 72 80 96 112 128 "},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        Fixture f;
        char text[256] = "";
        ramp(&f, cases[i].groups, cases[i].racks, cases[i].per_rack);
        for (uint32_t n = 1; n <= f.fabric.servers + 1; n++)
            if ((n == 1 || n % 2 == 0) && lp_fabric_mask_shape(&f.fabric, n))
                snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", (unsigned)n);
        assert_string_equal(text, cases[i].degrees);
    }
}

static void the_mask_of_ideal_is_its_size(void **state) {
    (void)state;
    Fixture f;
    ideal(&f, 5);
    assert_false(lp_fabric_mask_shape(&f.fabric, 0));
    assert_true(lp_fabric_mask_shape(&f.fabric, 1));
    assert_true(lp_fabric_mask_shape(&f.fabric, 5));
    assert_false(lp_fabric_mask_shape(&f.fabric, 6));
}

static void a_shape_too_large_has_no_origin(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 2, 4);
    const LpShape shapes[] = {{2, 4, 1, false}, {5, 1, 1, false},          {1, 1, 5, false},
                              {3, 3, 1, true},  {UINT32_MAX, 1, 1, false}, {0, 1, 1, false},
                              {0, 0, 1, true},  {65536, 65536, 1, false}};
    uint32_t out[BLOCK_MAX];
    LpBlockSearch search;
    for (size_t i = 0; i < LP_COUNTOF(shapes); i++) {
        assert_int_equal(f.fabric.ops->origins(&f.fabric, &shapes[i]), 0);
        search_shape(&search, &f.fabric, &shapes[i], NULL, NULL);
        assert_false(lp_block_next(&search, out));
    }
}

/* ---- blocks ---- */

/* Servers that are taken. */
typedef struct Busy {
    bool server[4096];
} Busy;

static bool is_free(const void *context, uint32_t server, uint32_t position) {
    (void)position;
    return !((const Busy *)context)->server[server];
}

static void assert_block(LpBlockSearch *search, uint32_t n, const uint32_t *expected) {
    uint32_t out[BLOCK_MAX];
    assert_true(lp_block_next(search, out));
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(out[i], expected[i]);
}

static void the_first_blocks_are_the_known_ones(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    Busy busy = {{false}};
    ramp(&f, 4, 4, 2);
    lp_block_search(&search, &f.fabric, 4, true, is_free, &busy);
    assert_block(&search, 4, (uint32_t[]){0, 2, 8, 10});
    assert_int_equal(search.shape[search.at_shape].groups, 2);
    assert_int_equal(search.shape[search.at_shape].racks, 2);
    assert_block(&search, 4, (uint32_t[]){1, 3, 9, 11});
    assert_block(&search, 4, (uint32_t[]){2, 4, 10, 12});
    busy.server[2] = busy.server[9] = true;
    lp_block_search(&search, &f.fabric, 4, true, is_free, &busy);
    assert_block(&search, 4, (uint32_t[]){3, 5, 11, 13});
    lp_block_search(&search, &f.fabric, 8, true, is_free, &busy);
    assert_block(&search, 8, (uint32_t[]){4, 5, 6, 7, 12, 13, 14, 15});
}

static void the_diagonal_steps_over_groups_and_racks(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    ramp(&f, 4, 4, 2);
    const LpShape diagonal = {4, 4, 1, true};
    assert_int_equal(f.fabric.ops->origins(&f.fabric, &diagonal), 4);
    search_shape(&search, &f.fabric, &diagonal, NULL, NULL);
    assert_block(&search, 4, (uint32_t[]){0, 10, 20, 30});
    assert_block(&search, 4, (uint32_t[]){1, 11, 21, 31});
    assert_block(&search, 4, (uint32_t[]){0, 10, 20, 30}); /* the index wraps, published */
    const LpShape two = {2, 2, 1, true};
    assert_int_equal(f.fabric.ops->origins(&f.fabric, &two), 3 * 3 * 4);
}

/* Next expected block of a shape at an origin written out as loops; false past the last. */
typedef struct Walk {
    uint32_t i, j, k;
} Walk;

static bool walk_block(const LpRampParams *r, const LpShape *shape, Walk *at, uint32_t *out) {
    uint32_t depth = shape->diagonal ? r->servers_per_rack + 2
                                     : r->servers_per_rack + 1 - shape->servers,
             n = 0;
    if (at->i + shape->groups > r->communication_groups)
        return false;
    for (uint32_t c = 0; c < shape->groups; c++)
        for (uint32_t q = 0; q < (shape->diagonal ? 1 : shape->racks); q++)
            for (uint32_t t = 0; t < (shape->diagonal ? 1 : shape->servers); t++)
                out[n++] = ((at->i + c) * r->racks_per_group + at->j + (shape->diagonal ? c : q)) *
                               r->servers_per_rack +
                           (at->k + t) % r->servers_per_rack;
    if (++at->k == depth)
        at->k = 0, at->j++;
    if (at->j + shape->racks > r->racks_per_group)
        at->j = 0, at->i++;
    return true;
}

/* Blocks found by the search and by the definition, for one pattern of busy servers. */
static uint32_t compare_search(const Fixture *f, uint32_t n, const Busy *busy) {
    uint32_t expected[BLOCK_MAX], found[BLOCK_MAX], blocks = 0;
    LpShape shape[LP_SHAPES_MAX];
    LpBlockSearch search;
    uint32_t shapes = f->fabric.ops->shapes(&f->fabric, n, true, shape);
    lp_block_search(&search, &f->fabric, n, true, is_free, busy);
    for (uint32_t s = 0; s < shapes; s++) {
        Walk at = {0, 0, 0};
        if (f->fabric.ops->origins(&f->fabric, &shape[s]) == 0)
            continue;
        while (walk_block(&f->cluster.ramp, &shape[s], &at, expected)) {
            bool free = true;
            for (uint32_t i = 0; i < n; i++)
                free = free && !busy->server[expected[i]];
            if (!free)
                continue;
            assert_true(lp_block_next(&search, found));
            assert_int_equal(search.at_shape, s);
            assert_memory_equal(found, expected, n * sizeof *found);
            blocks++;
        }
    }
    assert_false(lp_block_next(&search, found));
    assert_false(lp_block_next(&search, found));
    return blocks;
}

static void the_search_finds_what_the_definition_says(void **state) {
    (void)state;
    const uint32_t sizes[][3] = {{4, 4, 2}, {4, 2, 4}, {3, 3, 3}, {5, 3, 1}};
    LpRng rng = lp_rng_stream(1, "blocks", 0);
    uint32_t blocks = 0;
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (uint32_t round = 0; round < 8; round++) {
            Fixture f;
            Busy busy = {{false}};
            ramp(&f, sizes[i][0], sizes[i][1], sizes[i][2]);
            for (uint32_t s = 0; s < f.fabric.servers; s++)
                busy.server[s] = lp_rng_below(&rng, 10) < round;
            for (uint32_t n = 1; n <= f.fabric.servers; n++)
                blocks += compare_search(&f, n, &busy);
        }
    assert_true(blocks > 2000);
}

static bool refuse_and_count(const void *context, uint32_t server, uint32_t position) {
    (void)server;
    assert_int_equal(position, 0);
    (*(uint32_t *const *)context)[0]++;
    return false;
}

static void an_origin_is_left_at_its_first_bad_server(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    uint32_t asked = 0, out[BLOCK_MAX];
    uint32_t *counter = &asked;
    ramp(&f, 4, 4, 2);
    const LpShape shape = {2, 2, 2, false};
    search_shape(&search, &f.fabric, &shape, refuse_and_count, &counter);
    assert_false(lp_block_next(&search, out));
    assert_int_equal(asked, 3 * 3 * 1);
}

static void the_largest_ramp_is_searched(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    ramp(&f, 32, 32, 64);
    uint32_t *out = malloc(65536 * sizeof *out);
    assert_non_null(out);
    lp_block_search(&search, &f.fabric, 65536, false, NULL, NULL);
    assert_true(lp_block_next(&search, out));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[65535], 65535);
    assert_false(lp_block_next(&search, out));
    free(out);
}

static void ideal_takes_the_lowest_free_servers(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    Busy busy = {{false}};
    uint32_t out[BLOCK_MAX];
    char text[LP_SHAPE_TEXT];
    ideal(&f, 6);
    busy.server[0] = busy.server[3] = true;
    lp_block_search(&search, &f.fabric, 3, true, is_free, &busy);
    assert_block(&search, 3, (uint32_t[]){1, 2, 4});
    assert_string_equal(lp_shape_print(&search.shape[search.at_shape], text), "1x1x3");
    assert_false(lp_block_next(&search, out));
    lp_block_search(&search, &f.fabric, 5, true, is_free, &busy);
    assert_false(lp_block_next(&search, out));
    lp_block_search(&search, &f.fabric, 7, true, NULL, NULL);
    assert_false(lp_block_next(&search, out));
}

static bool at_its_number(const void *context, uint32_t server, uint32_t position) {
    (void)context;
    return server == 2 * position; /* servers 0, 2, 4 ... */
}

static void positions_count_the_servers_taken(void **state) {
    (void)state;
    Fixture f;
    LpBlockSearch search;
    ideal(&f, 6);
    lp_block_search(&search, &f.fabric, 3, false, at_its_number, NULL);
    assert_block(&search, 3, (uint32_t[]){0, 2, 4});
    ramp(&f, 4, 4, 2);
    lp_block_search(&search, &f.fabric, 4, false, at_its_number, NULL);
    uint32_t out[BLOCK_MAX];
    assert_false(lp_block_next(&search, out)); /* 0 2 8 10, 0 8 16 24, ... */
}

/* ---- light paths ---- */

static void a_transfer_takes_latency_and_bytes(void **state) {
    (void)state;
    Fixture f;
    ramp(&f, 4, 4, 2);
    const LpFabricOps *ops = f.fabric.ops;
    assert_true(ops->transfer_time(&f.fabric, 0, 1, 198339584.0) == 0.00049609896);
    assert_true(ops->transfer_time(&f.fabric, 3, 3, 198339584.0) == 0.0);
    assert_true(ops->transfer_time(&f.fabric, 0, 1, 0.0) == 0.0);
    ideal(&f, 32);
    assert_true(f.fabric.ops->transfer_time(&f.fabric, 0, 1, 1.6e12) == 250e-9 + 1.0);
    assert_true(f.fabric.ops->transfer_time(&f.fabric, 1, 1, 1.0) == 0.0);
}

static void a_port_faces_one_group(void **state) {
    (void)state;
    Fixture f;
    uint32_t tx, rx, users[2][36] = {{0}};
    ramp(&f, 3, 2, 2);
    for (uint32_t src = 0; src < 12; src++)
        for (uint32_t dst = 0; dst < 12; dst++) {
            f.fabric.ops->ports(&f.fabric, src, dst, &tx, &rx);
            assert_int_equal(tx, src * 3 + dst / 4);
            assert_int_equal(rx, dst * 3 + src / 4);
            users[0][tx]++;
            users[1][rx]++;
        }
    for (uint32_t port = 0; port < 36; port++) { /* a group has four servers */
        assert_int_equal(users[0][port], 4);
        assert_int_equal(users[1][port], 4);
    }
    assert_int_equal(f.fabric.tx_ports, 36);
    ideal(&f, 12);
    f.fabric.ops->ports(&f.fabric, 0, 1, &tx, &rx);
    assert_true(tx == LP_NO_PORT && rx == LP_NO_PORT);
}

static void wavelengths_are_numbered_by_subnet_and_index(void **state) {
    (void)state;
    Fixture f;
    uint32_t seen[18] = {0};
    ramp(&f, 3, 2, 2);
    assert_int_equal(f.fabric.ops->wavelength(&f.fabric, 0, 5), LP_NO_PORT);
    assert_int_equal(f.fabric.ops->wavelengths(&f.fabric), 0);
    f.cluster.ramp.rack_isolated = false;
    assert_int_equal(f.fabric.ops->wavelengths(&f.fabric), 18);
    for (uint32_t src = 0; src < 12; src++)
        for (uint32_t dst = 0; dst < 12; dst++) {
            uint32_t w = f.fabric.ops->wavelength(&f.fabric, src, dst);
            assert_int_equal(w, (src / 4 * 3 + dst / 4) * 2 + dst % 2);
            seen[w]++;
        }
    for (uint32_t w = 0; w < 18; w++)
        assert_int_equal(seen[w], 4 * 2);
    ideal(&f, 12);
    assert_int_equal(f.fabric.ops->wavelength(&f.fabric, 0, 1), LP_NO_PORT);
    assert_int_equal(f.fabric.ops->wavelengths(&f.fabric), 0);
}

/* ---- symmetry ---- */

/* n ascending numbers below most. */
static void ascending(LpRng *rng, uint32_t *items, uint32_t n, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t v = 0; v < most; v++)
        if (lp_rng_below(rng, most - v) < n - count)
            items[count++] = v;
}

/* Servers of a cluster in a larger one, in the same order along each axis. */
static void moving_servers_in_order_changes_no_canonical_form(void **state) {
    (void)state;
    enum { N = 20, X = 4, J = 3, L = 5, MORE = 9 };
    Fixture f;
    LpRng rng = lp_rng_stream(2, "canonical", 0);
    uint32_t list[N], moved[N], form[N], form_moved[N], group[X], rack[J], index[L];
    ramp(&f, MORE, MORE, MORE);
    for (int round = 0; round < 200; round++) {
        ascending(&rng, group, X, MORE);
        ascending(&rng, rack, J, MORE);
        ascending(&rng, index, L, MORE);
        for (int i = 0; i < N; i++) {
            uint32_t s = (uint32_t)lp_rng_below(&rng, X * J * L);
            list[i] = (s / (J * L) * MORE + s / L % J) * MORE + s % L;
            moved[i] = (group[s / (J * L)] * MORE + rack[s / L % J]) * MORE + index[s % L];
        }
        f.fabric.ops->canonical(&f.fabric, list, N, form);
        f.fabric.ops->canonical(&f.fabric, moved, N, form_moved);
        assert_memory_equal(form, form_moved, sizeof form);
        for (int i = 0; i < N; i++) /* the form is itself such a move, of all that are used */
            for (int k = 0; k < N; k++) {
                assert_int_equal(list[i] < list[k], form[i] < form[k]);
                assert_int_equal(list[i] / MORE % MORE == list[k] / MORE % MORE,
                                 form[i] / MORE % MORE == form[k] / MORE % MORE);
                assert_int_equal(list[i] / (MORE * MORE) == list[k] / (MORE * MORE),
                                 form[i] / (MORE * MORE) == form[k] / (MORE * MORE));
                assert_int_equal(list[i] % MORE == list[k] % MORE,
                                 form[i] % MORE == form[k] % MORE);
            }
    }
}

static void canonical_forms_tell_different_layouts_apart(void **state) {
    (void)state;
    Fixture f;
    uint32_t form[2];
    ramp(&f, 4, 4, 2);
    const struct {
        uint32_t list[2], form[2];
    } cases[] = {
        {{31, 31}, {0, 0}}, {{31, 30}, {1, 0}}, {{31, 29}, {2, 0}}, {{31, 23}, {8, 0}},
        {{5, 12}, {1, 8}},  {{5, 14}, {1, 10}}, {{30, 6}, {8, 0}},  {{6, 30}, {0, 8}},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        f.fabric.ops->canonical(&f.fabric, cases[i].list, 2, form);
        assert_memory_equal(form, cases[i].form, sizeof form);
    }
}

static void long_axes_are_relabelled_too(void **state) {
    (void)state;
    Fixture f;
    const uint32_t list[] = {4999, 7, 4999, 0, 7, 2500};
    const uint32_t expected[] = {3, 1, 3, 0, 1, 2};
    enum { TIMES = 20 }; /* few servers and many are numbered in two ways, which agree */
    uint32_t form[LP_COUNTOF(list)];
    uint32_t many[TIMES * LP_COUNTOF(list)], form_many[TIMES * LP_COUNTOF(list)];
    for (int i = 0; i < TIMES; i++)
        memcpy(many + i * LP_COUNTOF(list), list, sizeof list);
    ideal(&f, 5000);
    f.fabric.ops->canonical(&f.fabric, list, LP_COUNTOF(list), form);
    assert_memory_equal(form, expected, sizeof form);
    f.fabric.ops->canonical(&f.fabric, many, LP_COUNTOF(many), form_many);
    assert_memory_equal(form_many, expected, sizeof form);
    ramp(&f, 1, 1, 5000);
    f.fabric.ops->canonical(&f.fabric, list, LP_COUNTOF(list), form);
    assert_memory_equal(form, expected, sizeof form);
}

static void shapes_print(void **state) {
    (void)state;
    char text[LP_SHAPE_TEXT];
    assert_string_equal(lp_shape_print(&(LpShape){2, 2, 1, false}, text), "2x2x1");
    assert_string_equal(lp_shape_print(&(LpShape){4, 4, 1, true}, text), "diagonal 4");
    const uint32_t most = UINT32_MAX;
    assert_string_equal(lp_shape_print(&(LpShape){most, most, most, false}, text),
                        "4294967295x4294967295x4294967295");
}

TEST_GROUP(test_model_fabric) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(defaults_do_not_meet),
        cmocka_unit_test(constants_are_derived),
        cmocka_unit_test(shapes_follow_the_published_order),
        cmocka_unit_test(a_row_of_groups_is_tried_last),
        cmocka_unit_test(shapes_are_those_of_the_definition),
        cmocka_unit_test(every_shape_follows_the_published_ones),
        cmocka_unit_test(the_mask_lists_the_published_degrees),
        cmocka_unit_test(the_mask_of_ideal_is_its_size),
        cmocka_unit_test(a_shape_too_large_has_no_origin),
        cmocka_unit_test(the_first_blocks_are_the_known_ones),
        cmocka_unit_test(the_diagonal_steps_over_groups_and_racks),
        cmocka_unit_test(the_search_finds_what_the_definition_says),
        cmocka_unit_test(an_origin_is_left_at_its_first_bad_server),
        cmocka_unit_test(the_largest_ramp_is_searched),
        cmocka_unit_test(ideal_takes_the_lowest_free_servers),
        cmocka_unit_test(positions_count_the_servers_taken),
        cmocka_unit_test(a_transfer_takes_latency_and_bytes),
        cmocka_unit_test(a_port_faces_one_group),
        cmocka_unit_test(wavelengths_are_numbered_by_subnet_and_index),
        cmocka_unit_test(moving_servers_in_order_changes_no_canonical_form),
        cmocka_unit_test(canonical_forms_tell_different_layouts_apart),
        cmocka_unit_test(long_axes_are_relabelled_too),
        cmocka_unit_test(shapes_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
