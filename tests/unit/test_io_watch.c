/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Being told of saves: writing in place, renaming over, deleting; and nothing when nothing is. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/watch.h"

enum { SOON_MS = 5000 };

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The descriptor becomes readable, and is not when what was told is taken. */
static void expect_told(LpWatch *watch) {
    struct pollfd end = {.fd = lp_watch_fd(watch), .events = POLLIN};
    assert_int_equal(poll(&end, 1, SOON_MS), 1);
    assert_true(lp_watch_take(watch));
    assert_false(lp_watch_take(watch));
    assert_int_equal(poll(&end, 1, 0), 0);
}

static void test_saves(void **state) {
    char folder[] = "/tmp/lightpath-watch-XXXXXX", file[64], other[64];
    const char *const files[] = {file, file}, *const none[] = {"/no/such/folder/x.lua"};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.lua", folder);
    snprintf(other, sizeof other, "%s/b.lua", folder);
    put(file, "1");
    LpWatch *watch = lp_watch_new();
    if (watch == NULL) { /* no such system, or too many watches: the times of the files tell */
        unlink(file);
        rmdir(folder);
        skip();
    }
    lp_watch_files(watch, files, 2);
    assert_false(lp_watch_take(watch));
    put(file, "2");
    expect_told(watch);
    put(other, "3");
    expect_told(watch);
    assert_int_equal(rename(other, file), 0);
    expect_told(watch);
    assert_int_equal(unlink(file), 0);
    expect_told(watch);
    lp_watch_files(watch, none, 1);
    (void)lp_watch_take(watch); /* that the folder is watched no more is told, too */
    put(file, "4");
    assert_false(lp_watch_take(watch));
    unlink(file);
    rmdir(folder);
    lp_watch_free(watch);
}

static void test_none(void **state) {
    (void)state;
    assert_int_equal(lp_watch_fd(NULL), -1);
    lp_watch_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_saves), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
