/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of base/mem: overflow, growth, and the arena's alignment, zeroing and reuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/slack.h"
#include "group.h"
#if defined(LP_SLACK_ASAN)
#include <sanitizer/asan_interface.h>
#endif

/* Without this an address sanitizer ends the program where malloc would return NULL. It holds for
 * each test that is linked with this one; test_base_str needs it too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* Fits ptrdiff_t, but no machine. */
static const size_t huge = (size_t)PTRDIFF_MAX / 2;

static bool all_bytes(const void *data, size_t len, unsigned char value) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

static void alloc_is_zeroed(void **state) {
    (void)state;
    double *items = lp_alloc(1000, sizeof *items);
    assert_non_null(items);
    assert_true(all_bytes(items, 1000 * sizeof *items, 0));
    lp_free(items);
}

static void alloc_of_nothing_is_a_pointer(void **state) {
    (void)state;
    void *a = lp_alloc(0, 8), *b = lp_alloc(8, 0);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    lp_free(a);
    lp_free(b);
    lp_free(NULL);
}

static void alloc_overflow_is_refused(void **state) {
    (void)state;
    assert_null(lp_alloc(SIZE_MAX, 2));
    assert_null(lp_alloc(SIZE_MAX / 2 + 2, 2)); /* the product wraps to a small number */
    assert_null(lp_alloc(1, SIZE_MAX));
    assert_null(lp_alloc((size_t)PTRDIFF_MAX + 1, 1));
    assert_null(lp_alloc(huge, 1));
}

static void realloc_keeps_contents(void **state) {
    (void)state;
    int *items = lp_realloc(NULL, 4, sizeof *items);
    assert_non_null(items);
    for (int i = 0; i < 4; i++)
        items[i] = i;
    items = lp_realloc(items, 1000, sizeof *items);
    assert_non_null(items);
    for (int i = 0; i < 4; i++)
        assert_int_equal(items[i], i);
    assert_null(lp_realloc(items, SIZE_MAX, sizeof *items));
    assert_null(lp_realloc(items, huge, 1));
    assert_int_equal(items[3], 3);
    items = lp_realloc(items, 0, sizeof *items);
    assert_non_null(items);
    lp_free(items);
}

static void grow_makes_room(void **state) {
    (void)state;
    int *items = NULL;
    size_t cap = 0, moves = 0;
    for (size_t i = 0; i < 100000; i++) {
        size_t before = cap;
        assert_int_equal(lp_grow((void **)&items, &cap, i + 1, sizeof *items), LP_OK);
        assert_true(cap > i);
        moves += cap != before;
        items[i] = (int)i;
    }
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    assert_true(moves >= 1 && moves <= 20); /* doubling, not one by one */
    lp_free(items);
}

static void grow_jumps_to_a_large_need(void **state) {
    (void)state;
    char *items = NULL;
    size_t cap = 0;
    assert_int_equal(lp_grow((void **)&items, &cap, 0, 1), LP_OK);
    assert_null(items);
    assert_int_equal(lp_grow((void **)&items, &cap, 5000, 1), LP_OK);
    assert_true(cap >= 5000);
    items[4999] = 'x';
    const char *same = items;
    assert_int_equal(lp_grow((void **)&items, &cap, 4000, 1), LP_OK);
    assert_ptr_equal(items, same);
    lp_free(items);
}

static void grow_failure_changes_nothing(void **state) {
    (void)state;
    int *items = NULL;
    size_t cap = 0;
    assert_int_equal(lp_grow((void **)&items, &cap, 3, sizeof *items), LP_OK);
    items[2] = 42;
    const int *before = items;
    size_t cap_before = cap;
    static const size_t needs[] = {SIZE_MAX, SIZE_MAX / 4 + 2, PTRDIFF_MAX};
    for (size_t i = 0; i < LP_COUNTOF(needs); i++)
        assert_int_equal(lp_grow((void **)&items, &cap, needs[i], sizeof *items), LP_ENOMEM);
    assert_int_equal(lp_grow((void **)&items, &cap, huge / sizeof *items, sizeof *items),
                     LP_ENOMEM);
    assert_ptr_equal(items, before);
    assert_int_equal(cap, cap_before);
    assert_int_equal(items[2], 42);
    lp_free(items);
}

static void arena_is_aligned_and_zeroed(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(1000);
    assert_non_null(arena);
    for (int round = 0; round < 3; round++) {
        for (size_t size = 0; size < 300; size++) {
            unsigned char *data = lp_arena_alloc(arena, size, 3);
            assert_non_null(data);
            assert_int_equal((uintptr_t)data % 16, 0);
            assert_true(all_bytes(data, size * 3, 0));
            memset(data, 0xEE, size * 3); /* dirt that the next round must not see */
        }
        lp_arena_reset(arena);
    }
    lp_arena_free(arena);
}

static void arena_items_do_not_overlap(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    LpArena *arena = lp_arena_new(256);
    unsigned char *items[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size_t len = i * 7 % 600; /* many are larger than a block */
        items[i] = lp_arena_alloc(arena, len, 1);
        assert_non_null(items[i]);
        memset(items[i], (int)(i % 251), len);
    }
    for (size_t i = 0; i < COUNT; i++)
        assert_true(all_bytes(items[i], i * 7 % 600, (unsigned char)(i % 251)));
    lp_arena_free(arena);
}

static void arena_counts_bytes(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    assert_int_equal(lp_arena_bytes(arena), 0);
    lp_arena_alloc(arena, 1, 1);
    assert_int_equal(lp_arena_bytes(arena), 16);
    lp_arena_alloc(arena, 3, 16);
    assert_int_equal(lp_arena_bytes(arena), 64);
    lp_arena_alloc(arena, 100, 1000); /* beyond the default block */
    assert_int_equal(lp_arena_bytes(arena), 64 + 100000);
    lp_arena_reset(arena);
    assert_int_equal(lp_arena_bytes(arena), 0);
    lp_arena_free(arena);
    lp_arena_free(NULL);
}

/* What was reserved lies side by side: one block has it all. */
static void arena_reserves(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(512);
    unsigned char *last = NULL;
    assert_non_null(lp_arena_alloc(arena, 400, 1));
    assert_int_equal(lp_arena_reserve(arena, 100, 24), LP_OK);
    for (int i = 0; i < 100; i++) {
        unsigned char *item = lp_arena_alloc(arena, 24, 1);
        assert_non_null(item);
        assert_true(last == NULL || item - last == 32 + LP_SLACK);
        last = item;
    }
    assert_int_equal(lp_arena_reserve(arena, 0, 24), LP_OK);
    assert_int_equal(lp_arena_reserve(arena, SIZE_MAX, 24), LP_ENOMEM);
    assert_int_equal(lp_arena_reserve(arena, 2, SIZE_MAX), LP_ENOMEM);
    assert_int_equal(lp_arena_reserve(arena, SIZE_MAX / 32, 24), LP_ENOMEM);
    assert_non_null(lp_arena_alloc(arena, 24, 1));
    lp_arena_free(arena);
}

static void arena_reset_reuses_blocks(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(512);
    void *first[20];
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < 20; i++) {
            void *data = lp_arena_alloc(arena, i == 7 ? 5000 : 200, 1);
            if (round == 0)
                first[i] = data;
            else
                assert_ptr_equal(data, first[i]);
        }
        lp_arena_reset(arena);
    }
    /* In another order a large kept block is still found. */
    assert_ptr_equal(lp_arena_alloc(arena, 5000, 1), first[7]);
    lp_arena_free(arena);
}

static void arena_overflow_is_refused(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(64);
    char *kept = lp_arena_strdup(arena, "kept");
    size_t bytes = lp_arena_bytes(arena);
    assert_null(lp_arena_alloc(arena, SIZE_MAX, 1));
    assert_null(lp_arena_alloc(arena, SIZE_MAX / 2 + 2, 2));
    assert_null(lp_arena_alloc(arena, PTRDIFF_MAX, 1));
    assert_null(lp_arena_alloc(arena, (size_t)PTRDIFF_MAX - 40, 1));
    assert_null(lp_arena_alloc(arena, huge, 1));
    assert_int_equal(lp_arena_bytes(arena), bytes);
    assert_string_equal(kept, "kept");
    assert_non_null(lp_arena_alloc(arena, 10, 1));
    lp_arena_free(arena);
}

static void arena_copies_texts(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    char source[] = "alexnet";
    char *copy = lp_arena_strdup(arena, source);
    source[0] = 'X';
    assert_string_equal(copy, "alexnet");
    assert_string_equal(lp_arena_strndup(arena, "alexnet", 4), "alex");
    assert_string_equal(lp_arena_strndup(arena, "alexnet", 0), "");
    assert_string_equal(lp_arena_strndup(arena, NULL, 0), "");
    assert_string_equal(lp_arena_strdup(arena, ""), "");
    assert_string_equal(lp_arena_strdup(arena, NULL), "");
    const char open[3] = {'a', 'b', 'c'}; /* no NUL within len: none may be looked for beyond */
    assert_string_equal(lp_arena_strndup(arena, open, 3), "abc");
    lp_arena_free(arena);
}

/* Whoever keeps the length beside a copy may read as much: a NUL on the way changes nothing. With a
 * copy that ended there the bytes behind it were foreign ones, at block ends none at all. */
static void arena_copies_what_was_asked(void **state) {
    (void)state;
    char source[600], after = 'x';
    for (size_t len = 0; len < sizeof source; len += len < 70 ? 1 : 37)
        for (size_t nul = 0; nul < len; nul += nul + 3 < len ? 1 + nul / 2 : 1) {
            LpArena *arena = lp_arena_new(64);
            memset(source, 'a', sizeof source);
            source[nul] = '\0';
            char *copy = lp_arena_strndup(arena, source, len);
            assert_non_null(copy);
            assert_memory_equal(copy, source, len);
            assert_int_equal(copy[len], '\0');
            char *next = lp_arena_strndup(arena, &after, 1);
            assert_string_equal(next, "x");
            assert_memory_equal(copy, source, len);
            lp_arena_free(arena);
        }
}

static void arena_refuses_an_endless_text(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(0);
    assert_null(lp_arena_strndup(arena, "abc", SIZE_MAX));
    assert_null(lp_arena_strndup(arena, "abc", PTRDIFF_MAX));
    lp_arena_free(arena);
}

#if defined(LP_CHECKED)
/* Is it a byte between allocations, at the end of a block, or of an arena that was reset? */
static bool is_nobodys(const char *at) {
#if defined(LP_SLACK_ASAN)
    return __asan_address_is_poisoned(at);
#else
    return (unsigned char)*at == LP_SLACK_BYTE;
#endif
}

static void arena_slack_is_nobodys(void **state) {
    (void)state;
    LpArena *arena = lp_arena_new(4096);
    for (size_t len = 1; len < 100; len++) {
        char *item = lp_arena_strndup(arena, "", 0), *text = lp_arena_raw(arena, len, 1);
        memset(text, 'a', len);
        assert_false(is_nobodys(text + len - 1));
        assert_false(is_nobodys(item));
        assert_true(is_nobodys(item + 1));
        for (size_t i = 0; i < LP_SLACK; i++)
            assert_true(is_nobodys(text + len + i));
    }
    char *last = lp_arena_alloc(arena, 100, 1);
    lp_arena_reset(arena);
    assert_true(is_nobodys(last));
    assert_true(is_nobodys(last + 99));
    lp_arena_free(arena);
}
#endif

TEST_GROUP(test_base_mem) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alloc_is_zeroed),
        cmocka_unit_test(alloc_of_nothing_is_a_pointer),
        cmocka_unit_test(alloc_overflow_is_refused),
        cmocka_unit_test(realloc_keeps_contents),
        cmocka_unit_test(grow_makes_room),
        cmocka_unit_test(grow_jumps_to_a_large_need),
        cmocka_unit_test(grow_failure_changes_nothing),
        cmocka_unit_test(arena_is_aligned_and_zeroed),
        cmocka_unit_test(arena_items_do_not_overlap),
        cmocka_unit_test(arena_counts_bytes),
        cmocka_unit_test(arena_reserves),
        cmocka_unit_test(arena_reset_reuses_blocks),
        cmocka_unit_test(arena_overflow_is_refused),
        cmocka_unit_test(arena_copies_texts),
        cmocka_unit_test(arena_copies_what_was_asked),
        cmocka_unit_test(arena_refuses_an_endless_text),
#if defined(LP_CHECKED)
        cmocka_unit_test(arena_slack_is_nobodys),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
