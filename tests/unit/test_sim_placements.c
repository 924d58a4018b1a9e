/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements of jobs without parts, packed: the same servers, shape, hash and numbers as in a store
 * that keeps them as they are, whatever the lists look like; and the same run on a pod. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "group.h"
#include "session/session.h"
#include "sim/store/store_impl.h"

enum { LISTS = 4000, MOST = 4096 };

static LpSession *open_session(const char *scenario, const char *set, bool pack_past) {
    LpSessionSpec spec = {
        .scenario = scenario, .sets = 1, .set = &set, .untold = true, .pack_past = pack_past};
    LpSession *s;
    LpDiag diag;
    if (lp_session_open(&spec, &s, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return s;
}

typedef struct List {
    uint32_t group_begin[1];
    uint32_t server[MOST];
    LpPlacement placement;
} List;

/* Some are whole racks in any order, some a run, some servers anywhere; a few come again. */
static void make_list(List *l, uint32_t number, uint32_t servers, uint32_t per_rack) {
    LpRng rng = lp_rng_stream(7, "list", number % 7 == 0 ? number / 2 : number);
    uint32_t kind = (uint32_t)lp_rng_below(&rng, 3), count = 0;
    bool taken[MOST] = {false};
    if (kind == 0)
        for (uint32_t k = (uint32_t)lp_rng_below(&rng, 6); k > 0; k--) {
            uint32_t rack = (uint32_t)lp_rng_below(&rng, servers / per_rack);
            for (uint32_t i = 0; i < per_rack && !taken[rack * per_rack + per_rack - 1]; i++)
                l->server[count++] = rack * per_rack + i;
            taken[rack * per_rack + per_rack - 1] = true;
        }
    else if (kind == 1)
        for (uint32_t i = (uint32_t)lp_rng_below(&rng, servers); i < servers && count < 40; i++)
            l->server[count++] = i;
    else
        for (uint32_t k = (uint32_t)lp_rng_below(&rng, servers); k > 0; k--) {
            uint32_t server = (uint32_t)lp_rng_below(&rng, servers);
            if (!taken[server])
                l->server[count++] = server;
            taken[server] = true;
        }
    l->group_begin[0] = 0;
    l->placement = (LpPlacement){.group_begin = l->group_begin,
                                 .servers = count,
                                 .server = l->server,
                                 .shape = {count, count > 0 ? l->server[0] : 0, 1, count % 2}};
}

static void check(const LpPlacement *p, const LpPlacement *expected) {
    assert_int_equal(p->ops, 0);
    assert_int_equal(p->groups, 0);
    assert_int_equal(p->group_begin[0], 0);
    assert_int_equal(p->slice, 0);
    assert_int_equal(p->servers, expected->servers);
    assert_memory_equal(p->server, expected->server, expected->servers * sizeof *p->server);
    assert_int_equal(p->shape.groups, expected->shape.groups);
    assert_int_equal(p->shape.racks, expected->shape.racks);
    assert_int_equal(p->shape.servers, expected->shape.servers);
    assert_int_equal(p->shape.diagonal, expected->shape.diagonal);
    if (expected->hash != 0) /* a store's own */
        assert_true(p->hash == expected->hash);
}

static void packed_lists_come_back(void **state) {
    (void)state;
    static const char *const CASE[][2] = {{"scenarios/pod-64.json", "seed=1"},
                                          {"scenarios/rigid.json", "seed=1"},
                                          {"scenarios/ideal-loss.json", "seed=1"}};
    static List list;
    for (size_t c = 0; c < LP_COUNTOF(CASE); c++) {
        LpSession *s[2] = {open_session(CASE[c][0], CASE[c][1], false),
                           open_session(CASE[c][0], CASE[c][1], true)};
        const LpContext *plain = lp_session_context(s[0]), *packed = lp_session_context(s[1]);
        uint32_t servers = plain->fabric.servers, at[2], known = 0;
        assert_true(servers <= MOST);
        assert_non_null(packed->store->open);
        assert_null(plain->store->open);
        for (uint32_t n = 0; n < LISTS; n++) {
            make_list(&list, n, servers, plain->fabric.per_rack);
            assert_int_equal(lp_store_add_placement(plain, &list.placement, &at[0], NULL), LP_OK);
            assert_int_equal(lp_store_add_placement(packed, &list.placement, &at[1], NULL), LP_OK);
            assert_int_equal(at[0], at[1]);
            known = at[0] + 1 > known ? at[0] + 1 : known;
            check(lp_store_placement(packed->store, at[1]), &list.placement);
        }
        assert_in_range(known, 100, LISTS - LISTS / 20); /* those that came again are the same */
        for (uint32_t i = 0; i < known; i++)
            check(lp_store_placement(packed->store, i), lp_store_placement(plain->store, i));
        lp_session_close(s[0]);
        lp_session_close(s[1]);
    }
}

/* A pointer stays good while seven others are read, and a twin reads for itself. */
static void placements_stay_open(void **state) {
    (void)state;
    static List list;
    LpSession *s = open_session("scenarios/pod-64.json", "seed=1", true);
    const LpContext *context = lp_session_context(s);
    uint32_t at[3 * LP_STORE_OPEN];
    for (uint32_t n = 0; n < LP_COUNTOF(at); n++) {
        make_list(&list, n + 1, context->fabric.servers, context->fabric.per_rack);
        assert_int_equal(lp_store_add_placement(context, &list.placement, &at[n], NULL), LP_OK);
    }
    const LpPlacement *first = lp_store_placement(context->store, at[0]);
    for (uint32_t n = 1; n < LP_STORE_OPEN; n++)
        (void)lp_store_placement(context->store, at[n]);
    make_list(&list, 1, context->fabric.servers, context->fabric.per_rack);
    check(first, &list.placement);
    assert_ptr_equal(lp_store_placement(context->store, at[0]), first);
    LpContext *twin;
    assert_int_equal(lp_context_twin(context, &twin, NULL), LP_OK);
    for (uint32_t n = LP_COUNTOF(at); n-- > 0;) {
        make_list(&list, n + 1, context->fabric.servers, context->fabric.per_rack);
        check(lp_store_placement(twin->store, at[n]), &list.placement);
        uint32_t again;
        assert_int_equal(lp_store_add_placement(twin, &list.placement, &again, NULL), LP_OK);
        assert_int_equal(again, at[n]);
    }
    make_list(&list, 1, context->fabric.servers, context->fabric.per_rack);
    check(first, &list.placement);
    lp_context_free(twin);
    lp_session_close(s);
}

/* Nothing else tells the runs apart. */
static void a_packed_pod_is_the_same(void **state) {
    (void)state;
    static const char *const SCENARIO[] = {"scenarios/pod-64.json", "scenarios/pod-failures.json"};
    for (size_t c = 0; c < LP_COUNTOF(SCENARIO); c++) {
        LpSession *s[2];
        bool stopped;
        for (int i = 0; i < 2; i++) {
            s[i] = open_session(SCENARIO[c], "generator.count=700", i == 1);
            assert_int_equal(lp_session_run(s[i], NULL, NULL, &stopped, NULL), LP_OK);
        }
        const LpStore *plain = lp_session_context(s[0])->store;
        const LpStore *packed = lp_session_context(s[1])->store;
        assert_true(lp_world_hash(lp_session_world(s[0])) == lp_world_hash(lp_session_world(s[1])));
        for (uint32_t id = 0; id < 700; id++) {
            uint32_t at = lp_world_job(lp_session_world(s[0]), id)->placed.placement;
            assert_int_equal(lp_world_job(lp_session_world(s[1]), id)->placed.placement, at);
            if (at != LP_NO_INDEX)
                check(lp_store_placement(packed, at), lp_store_placement(plain, at));
        }
        lp_session_close(s[0]);
        lp_session_close(s[1]);
    }
}

TEST_GROUP(test_sim_placements) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_lists_come_back),
        cmocka_unit_test(placements_stay_open),
        cmocka_unit_test(a_packed_pod_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
