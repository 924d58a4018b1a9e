/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of semantic options: found by name, hashed, refused in meaningless pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/options.h"

static void options_are_found_by_name(void **state) {
    (void)state;
    for (int o = 0; o < LP_OPT_COUNT; o++) {
        const LpOptionInfo *info = lp_option_info((LpOption)o);
        assert_int_equal(lp_option_find(info->name), o);
        assert_true(strlen(info->published) > 0 && strlen(info->corrected) > 0);
        assert_true(strlen(info->quirks) > 0);
    }
    assert_int_equal(lp_option_find("step_clock"), LP_OPT_STEP_CLOCK);
    assert_int_equal(lp_option_find("Step_clock"), -1);
    assert_int_equal(lp_option_find(""), -1);
    assert_int_equal(lp_option_find(NULL), -1);
}

static void both_semantics_are_whole(void **state) {
    (void)state;
    LpOptions published = lp_options_published(), corrected = lp_options_corrected();
    for (int o = 0; o < LP_OPT_COUNT; o++) {
        assert_true(lp_published(&published, (LpOption)o));
        assert_int_equal(lp_published(&corrected, (LpOption)o), o == LP_OPT_COLLECTIVE_LIGHT);
    }
    assert_int_equal(lp_options_first_published(&published), 0);
    assert_int_equal(lp_options_first_published(&corrected), -1);
    corrected.published[LP_OPT_SHAPES] = true; /* blocks to try are no rule of conditions */
    assert_int_equal(lp_options_first_published(&corrected), -1);
    assert_true(lp_options_all_published(&published));
    assert_false(lp_options_all_published(&corrected));
    assert_int_equal(lp_options_check(&published, NULL), LP_OK);
    assert_int_equal(lp_options_check(&corrected, NULL), LP_OK);
    assert_int_equal(lp_options_against_tensor(&published), LP_OPT_WEIGHT_SYNC);
    assert_int_equal(lp_options_against_tensor(&corrected), -1);
    corrected.published[LP_OPT_EDGE_SIZE] = true;
    assert_int_equal(lp_options_against_tensor(&corrected), LP_OPT_EDGE_SIZE);
}

static void every_option_counts(void **state) {
    (void)state;
    for (int o = 0; o < LP_OPT_COUNT; o++) {
        LpOptions options = lp_options_published();
        uint64_t hash = lp_options_hash(&options);
        options.published[o] = false;
        assert_false(lp_options_all_published(&options));
        assert_true(lp_options_hash(&options) != hash);
        for (int other = 0; other < o; other++) {
            LpOptions second = lp_options_published();
            second.published[other] = false;
            assert_true(lp_options_hash(&options) != lp_options_hash(&second));
        }
    }
}

static void a_meaningless_pair_is_named(void **state) {
    (void)state;
    LpOptions options = lp_options_corrected();
    options.published[LP_OPT_STEP_CLOCK] = true;
    LpDiag diag;
    assert_int_equal(lp_options_check(&options, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "circuits \"corrected\""));
    assert_non_null(strstr(diag.text, "step_clock \"published\""));

    options.published[LP_OPT_CIRCUITS] = true;
    assert_int_equal(lp_options_check(&options, &diag), LP_OK);
    options.published[LP_OPT_STEP_CLOCK] = false;
    assert_int_equal(lp_options_check(&options, &diag), LP_OK);

    options.published[LP_OPT_COLLECTIVE] = true;
    assert_int_equal(lp_options_check(&options, &diag), LP_OK);
    options.published[LP_OPT_COLLECTIVE_LIGHT] = false;
    assert_int_equal(lp_options_check(&options, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "collective_light \"corrected\""));
    assert_non_null(strstr(diag.text, "expected collective_light \"published\""));
}

/* Every other single departure, from either side, has a meaning. */
static void single_departures_are_allowed(void **state) {
    (void)state;
    for (int o = 0; o < LP_OPT_COUNT; o++) {
        LpOptions from_corrected = lp_options_corrected(), from_published = lp_options_published();
        from_corrected.published[o] = true;
        from_published.published[o] = false;
        LpErr corrected = lp_options_check(&from_corrected, NULL);
        LpErr published = lp_options_check(&from_published, NULL);
        assert_int_equal(corrected, o == LP_OPT_STEP_CLOCK ? LP_EINVAL : LP_OK);
        bool refused = o == LP_OPT_CIRCUITS || o == LP_OPT_COLLECTIVE_LIGHT;
        assert_int_equal(published, refused ? LP_EINVAL : LP_OK);
    }
}

TEST_GROUP(test_model_options) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_found_by_name),
        cmocka_unit_test(both_semantics_are_whole),
        cmocka_unit_test(every_option_counts),
        cmocka_unit_test(a_meaningless_pair_is_named),
        cmocka_unit_test(single_departures_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
