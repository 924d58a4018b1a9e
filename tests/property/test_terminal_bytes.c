/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputs of the fuzz target `terminal`, and every single byte among letters, the same each
 * time: it aborts where one of them reaches a terminal. */
#include <setjmp.h>
#include <stdarg.h>

#include "../fuzz/fuzz_terminal.c"

#include <dirent.h>
#include <stdio.h>

#include <cmocka.h>

#define FOLDER LP_SOURCEDIR "/tests/fuzz/corpus/terminal/"

/* As a run whose every text it is, and as one command. */
static void check_whole(uint8_t *bytes, size_t size) {
    uint8_t text[TEXT_MAX] = {0};
    memcpy(text + 1, bytes, size < TEXT_MAX ? size : TEXT_MAX - 1);
    lp_fuzz_input(text, size + 1);
    lp_fuzz_input(bytes, size);
}

static void test_corpus(void **state) {
    (void)state;
    DIR *folder = opendir(FOLDER);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[600];
        uint8_t bytes[TEXT_MAX];
        snprintf(path, sizeof path, FOLDER "%.300s", entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (file == NULL)
            continue;
        check_whole(bytes, fread(bytes, 1, sizeof bytes, file));
        fclose(file);
        count++;
    }
    closedir(folder);
    assert_true(count >= 5);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
