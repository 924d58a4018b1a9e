/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only a bug can break is asserted: preconditions of internal functions, invariants of data.
 * What a user, a file, a script or a lack of memory can break is an LpErr instead.
 *
 * Checked builds (LP_CHECKED: every MODE but release and coverage) stop at an assertion that does
 * not hold with "FILE:LINE: bug: CONDITION does not hold" on stderr and a SIGABRT, which tests,
 * sanitizers, fuzzers and debuggers see. In the others an assertion is no code; its condition is
 * compiled but never evaluated, so it must have no effects. May be included again after LP_CHECKED
 * has changed, like <assert.h>. */
#ifndef LP_BASE_ASSERT_H
#define LP_BASE_ASSERT_H

#include <stddef.h>

#if defined(__GNUC__)
#define LP_NORETURN __attribute__((noreturn, cold))
#else
#define LP_NORETURN
#endif

/* Says "FILE:LINE: bug: WHAT" on stderr and aborts. There in checked builds only. */
void lp_assert_failed(const char *file, int line, const char *what) LP_NORETURN;

#endif

#undef LP_ASSERT
#if defined(LP_CHECKED)
#define LP_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : lp_assert_failed(__FILE__, __LINE__, #condition " does not hold"))
#else
#define LP_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
