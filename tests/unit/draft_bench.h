/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of drafts: a session at a decision, and what words come to there. */
#ifndef LP_TESTS_DRAFT_BENCH_H
#define LP_TESTS_DRAFT_BENCH_H

#include "ask/draft/draft.h"

/* A scenario of scenarios/ at a moment; fails the test where that fails. */
LpSession *open_with(const char *scenario, const char *at, const char *const *set, uint32_t sets);
LpSession *open_at(const char *scenario, const char *at);
LpPrice price_of(LpSession *session, const char *words);
bool near(double a, double b);

#endif
