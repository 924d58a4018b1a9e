/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the loader: scenarios from short texts. */
#include "scenario_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

LpScenario *load_text(const char *text, const char *const *set, uint32_t sets) {
    const LpLoadOptions options = {.sets = sets, .set = set};
    LpScenario *scenario = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT + LP_DIAG_FILE];
    if (lp_scenario_parse(text, strlen(text), "s", &options, &scenario, &diag) != LP_OK)
        fail_msg("%s", lp_diag_format(&diag, shown, sizeof shown));
    return scenario;
}

void expect_load_error(const char *text, const char *const *set, uint32_t sets,
                       const char *message) {
    const LpLoadOptions options = {.sets = sets, .set = set};
    LpScenario *scenario = NULL;
    LpDiag diag;
    char shown[LP_DIAG_TEXT + LP_DIAG_FILE];
    LpErr err = lp_scenario_parse(text, strlen(text), "s", &options, &scenario, &diag);
    assert_int_not_equal(err, LP_OK);
    assert_int_equal(diag.code, err);
    assert_string_equal(lp_diag_format(&diag, shown, sizeof shown), message);
    assert_null(scenario);
}
