/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LP_ASSERT both ways, whatever this is built as: checked, a planted violation says where and stops
 * the process; released, the condition is not even looked at. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#if !defined(LP_CHECKED)
#define LP_CHECKED 1
#include "base/assert.c" /* a release library has none */
#endif
#include "base/assert.h"
#include "group.h"

static int checked_half(int n, int *looked) {
    LP_ASSERT((++*looked, n % 2 == 0));
    return n / 2;
}

static int checked_plain(int n) {
    LP_ASSERT(n % 2 == 0);
    return n / 2;
}
enum { LINE = __LINE__ - 3 };

#undef LP_CHECKED
#include "base/assert.h"

static int released_half(int n, int *looked) {
    (void)looked;
    LP_ASSERT((++*looked, n % 2 == 0));
    return n / 2;
}

static void what_holds_says_nothing(void **state) {
    (void)state;
    int looked = 0;
    assert_int_equal(checked_half(4, &looked), 2);
    assert_int_equal(looked, 1);
}

static void a_violation_stops_the_process(void **state) {
    (void)state;
    int said[2], status = 0;
    char text[256] = "", expected[256];
    assert_int_equal(pipe(said), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(said[1], STDERR_FILENO);
        close(said[0]);
        signal(SIGABRT, SIG_DFL);
        _exit(checked_plain(3));
    }
    close(said[1]);
    size_t len = 0;
    for (ssize_t n;
         len < sizeof text - 1 && (n = read(said[0], text + len, sizeof text - 1 - len)) > 0;)
        len += (size_t)n;
    close(said[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    snprintf(expected, sizeof expected, "%s:%d: bug: n %% 2 == 0 does not hold\n", __FILE__, LINE);
    assert_string_equal(text, expected);
}

static void released_conditions_are_not_looked_at(void **state) {
    (void)state;
    int looked = 0;
    assert_int_equal(released_half(3, &looked), 1);
    assert_int_equal(looked, 0);
}

TEST_GROUP(test_base_assert) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_says_nothing),
        cmocka_unit_test(a_violation_stops_the_process),
        cmocka_unit_test(released_conditions_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
