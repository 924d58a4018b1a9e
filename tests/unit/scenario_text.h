/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the loader: scenarios from short texts. */
#ifndef LP_TESTS_SCENARIO_TEXT_H
#define LP_TESTS_SCENARIO_TEXT_H

#include "io/scenario/scenario.h"

/* Loads `text` as the file "s" with overrides; fails the test where that fails. */
LpScenario *load_text(const char *text, const char *const *set, uint32_t sets);
/* Expects the load to fail with exactly this message ("s:1:2: ..."). */
void expect_load_error(const char *text, const char *const *set, uint32_t sets,
                       const char *message);

#endif
