/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of events: every kind has its name and its sentence, traits agree with each other, and
 * those that `review` is told of are those that the interface of policies names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "sim/state/event.h"

enum { LINE = 4096 };

static void every_kind_has_words(void **state) {
    (void)state;
    for (int k = 0; k < LP_EVENT_COUNT; k++) {
        const LpEventRow *row = &lp_event_rows[k];
        assert_true(row->name != NULL && row->name[0] != '\0');
        assert_true(row->what != NULL && row->what[0] != '\0');
        assert_ptr_equal(lp_event_name((LpEventKind)k), row->name);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(row->name, lp_event_rows[other].name);
    }
}

static void traits_agree(void **state) {
    (void)state;
    for (int k = 0; k < LP_EVENT_COUNT; k++) {
        LpEventKind kind = (LpEventKind)k;
        if (lp_event_is(kind, LP_EVENT_LOSES))
            assert_true(lp_event_is(kind, LP_EVENT_ENDS));
        if (lp_event_is(kind, LP_EVENT_INSIDE)) {
            assert_int_equal(lp_event_rows[k].traits, LP_EVENT_INSIDE);
            assert_null(lp_event_rows[k].traced);
        }
        if (lp_event_is(kind, LP_EVENT_HELPS)) /* neither in vain nor a question of the policy's */
            assert_false(lp_event_is(kind, LP_EVENT_ASKED | LP_EVENT_COMES));
    }
}

/* The line of the interface that says what happened in an event. */
static void find_sentence(char line[LINE]) {
    FILE *file = fopen(LP_SOURCEDIR "/scripts/meta/lightpath.lua", "r");
    bool found = false;
    assert_non_null(file);
    while (!found && fgets(line, LINE, file) != NULL)
        found = strncmp(line, "---@field kind string what happened:", 36) == 0;
    fclose(file);
    assert_true(found);
}

static void policies_are_told_of_those_that_the_interface_names(void **state) {
    char line[LINE], quoted[64];
    uint32_t told = 0, named = 0;
    (void)state;
    find_sentence(line);
    for (int k = 0; k < LP_EVENT_COUNT; k++) {
        snprintf(quoted, sizeof quoted, "\"%s\"", lp_event_rows[k].name);
        bool is_told = lp_event_is((LpEventKind)k, LP_EVENT_TOLD);
        if (is_told != (strstr(line, quoted) != NULL))
            fail_msg("%s: told %d, and the interface says otherwise", quoted, is_told);
        told += is_told;
    }
    for (const char *at = line; *at != '\0'; at++)
        named += *at == '"';
    assert_int_equal(named, 2 * told); /* and no other name */
}

TEST_GROUP(test_sim_event) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_words),
        cmocka_unit_test(traits_agree),
        cmocka_unit_test(policies_are_told_of_those_that_the_interface_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
