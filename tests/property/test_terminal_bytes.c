/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputs of the fuzz targets `terminal` and `names`, and every single byte among letters, the
 * same each time, on every screen and with every command: it aborts where one of them reaches a
 * terminal. */
#include <setjmp.h>
#include <stdarg.h>

#include "../fuzz/fuzz_terminal.c"
#include "../fuzz/stage.c"
#include "group.h"

#include <dirent.h>
#include <stdio.h>

#include <cmocka.h>

#define CORPUS LP_SOURCEDIR "/tests/fuzz/corpus/"

/* As a run whose every text it is, and as one command or file. */
static void check_whole(const uint8_t *bytes, size_t size) {
    LpFuzzStage stage;
    char text[LP_FUZZ_TEXT + 1];
    lp_fuzz_line(bytes, size, text);
    lp_fuzz_open(&stage, bytes, size);
    for (size_t i = 0; stage.open && i < LP_FUZZ_KEYS; i++)
        lp_fuzz_key(&stage.app, i);
    for (size_t i = 0; stage.open && i < LP_FUZZ_COMMANDS; i++)
        lp_fuzz_command(&stage.app, i, text);
    if (stage.open)
        lp_fuzz_reports(stage.session);
    lp_fuzz_close(&stage);
    lp_fuzz_terminal(bytes, size);
}

static int check_folder(const char *name) {
    DIR *folder = opendir(name);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[600];
        uint8_t bytes[LP_FUZZ_TEXT];
        snprintf(path, sizeof path, "%.300s%.250s", name, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (file == NULL)
            continue;
        check_whole(bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
        count++;
    }
    closedir(folder);
    return count;
}

static void test_corpus(void **state) {
    (void)state;
    assert_true(check_folder(CORPUS "terminal/") >= 5);
    assert_true(check_folder(CORPUS "names/") >= 2);
}

/* In groups, so that it takes no longer than it must. */
static void test_bytes(void **state) {
    (void)state;
    for (int from = 0; from < 256; from += 32) {
        uint8_t bytes[96];
        for (int i = 0; i < 32; i++) {
            bytes[3 * i] = 'a';
            bytes[3 * i + 1] = (uint8_t)(from + i);
            bytes[3 * i + 2] = 'b';
        }
        check_whole(bytes, sizeof bytes);
    }
}

TEST_GROUP(test_terminal_bytes) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
