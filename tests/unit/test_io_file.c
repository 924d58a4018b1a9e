/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of io/file: what is read, what is refused, and where names are looked up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "io/files/file.h"

enum { PATH = 512 };

typedef struct Folder {
    char path[64];
} Folder;

static int make_folder(void **state) {
    Folder *folder = malloc(sizeof *folder);
    if (folder == NULL)
        return -1;
    strcpy(folder->path, "/tmp/lightpath-file-XXXXXX");
    *state = folder;
    return mkdtemp(folder->path) != NULL ? 0 : -1;
}

static const char *at(void **state, const char *name, char path[PATH]) {
    const Folder *folder = *state;
    snprintf(path, PATH, "%s/%s", folder->path, name);
    return path;
}

static void put(void **state, const char *name, const char *bytes, size_t len) {
    char path[PATH];
    FILE *file = fopen(at(state, name, path), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void drop(void **state, const char *name) {
    char path[PATH];
    assert_int_equal(remove(at(state, name, path)), 0);
}

static int drop_folder(void **state) {
    Folder *folder = *state;
    int result = rmdir(folder->path);
    free(folder);
    return result;
}

static void expect_refused(const char *path, size_t max, LpErr code, const char *text) {
    char *got = NULL;
    size_t len = 77;
    LpDiag diag;
    assert_int_equal(lp_file_read(path, max, &got, &len, &diag), code);
    assert_string_equal(diag.file, path);
    assert_string_equal(diag.text, text);
    assert_null(got);
    assert_int_equal(len, 77);
}

static void whole_files_are_read(void **state) {
    char path[PATH];
    char *text;
    size_t len;
    LpDiag diag;
    put(state, "a", "x\1y\n", 4);
    assert_int_equal(lp_file_read(at(state, "a", path), 0, &text, &len, &diag), LP_OK);
    assert_int_equal(len, 4);
    assert_memory_equal(text, "x\1y\n", 5);
    lp_free(text);
    put(state, "a", "", 0);
    assert_int_equal(lp_file_read(path, 0, &text, &len, &diag), LP_OK);
    assert_int_equal(len, 0);
    assert_int_equal(text[0], '\0');
    lp_free(text);
    drop(state, "a");
}

/* Files are text: whoever took one with a NUL for a C string would see less than its length. */
static void a_nul_byte_is_refused(void **state) {
    static const struct {
        const char *text;
        size_t len;
        int line, col;
    } files[] = {{"\0", 1, 1, 1},      {"\0abc\n", 5, 1, 1},     {"abc\0", 4, 1, 4},
                 {"abc\n\0", 5, 2, 1}, {"\n\nab\0c\0", 7, 3, 3}, {"\xff\xfe.\0", 4, 1, 4}};
    char path[PATH];
    for (size_t i = 0; i < LP_COUNTOF(files); i++) {
        char *text = NULL;
        size_t len = 77;
        LpDiag diag;
        put(state, "a", files[i].text, files[i].len);
        assert_int_equal(lp_file_read(at(state, "a", path), 0, &text, &len, &diag), LP_EPARSE);
        assert_string_equal(diag.text, "a NUL byte, expected text (UTF-8)");
        assert_string_equal(diag.file, path);
        assert_int_equal(diag.line, files[i].line);
        assert_int_equal(diag.col, files[i].col);
        assert_null(text);
        assert_int_equal(len, 77);
        drop(state, "a");
    }
}

static void sizes_are_limited(void **state) {
    char path[PATH];
    char *text;
    size_t len;
    LpDiag diag;
    put(state, "a", "0123456789", 10);
    assert_int_equal(lp_file_read(at(state, "a", path), 10, &text, &len, &diag), LP_OK);
    lp_free(text);
    expect_refused(path, 9, LP_ELIMIT, "the file has 10 B, limit 9 B (--max-input)");
    drop(state, "a");
}

/* /proc files state a size of 0, so only reading shows how much there is. */
static void a_hidden_size_is_limited(void **state) {
    (void)state;
    if (access("/proc/self/status", R_OK) != 0)
        skip();
    expect_refused("/proc/self/status", 16, LP_ELIMIT,
                   "the file has more than 16 B, limit 16 B (--max-input)");
    char *text;
    size_t len;
    LpDiag diag;
    assert_int_equal(lp_file_read("/proc/self/status", 0, &text, &len, &diag), LP_OK);
    assert_int_equal(strlen(text), len);
    assert_true(len > 16);
    lp_free(text);
}

static void other_kinds_are_refused(void **state) {
    char path[PATH];
    expect_refused(at(state, "none", path), 0, LP_EIO, "No such file or directory");
    expect_refused("/tmp", 0, LP_EIO, "is a folder, expected a regular file");
    expect_refused("/dev/zero", 0, LP_EIO, "is a device, expected a regular file");
    assert_int_equal(mkfifo(at(state, "fifo", path), 0600), 0);
    expect_refused(path, 0, LP_EIO, "is a FIFO, expected a regular file");
    drop(state, "fifo");
    assert_null(lp_file_refusal(S_IFREG | 0644));
    assert_string_equal(lp_file_refusal(S_IFLNK),
                        "is a link, which is not followed: expected a regular file");
    assert_string_equal(lp_file_refusal(S_IFSOCK), "is a socket, expected a regular file");
    assert_string_equal(lp_file_refusal(S_IFBLK | 0600), "is a device, expected a regular file");
}

static void names_are_found(void **state) {
    char beside[PATH], dir[PATH], want[PATH], path[PATH];
    const char *dirs[] = {"/nowhere", at(state, "data", dir), NULL};
    LpDiag diag;
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_int_equal(mkdir(at(state, "data/scripts", want), 0700), 0);
    put(state, "data/scripts/p.lua", "", 0);
    put(state, "q.lua", "", 0);
    at(state, "scenario.json", beside);
    assert_int_equal(lp_files_find(NULL, "q.lua", beside, dirs, "scripts", path, PATH, &diag),
                     LP_OK);
    assert_string_equal(path, at(state, "q.lua", want));
    assert_int_equal(lp_files_find(NULL, "p.lua", beside, dirs, "scripts", path, PATH, &diag),
                     LP_OK);
    assert_string_equal(path, at(state, "data/scripts/p.lua", want));
    put(state, "p.lua", "", 0); /* beside comes first */
    assert_int_equal(lp_files_find(NULL, "p.lua", beside, dirs, "scripts", path, PATH, &diag),
                     LP_OK);
    assert_string_equal(path, at(state, "p.lua", want));
    assert_int_equal(
        lp_files_find(NULL, "data/scripts/p.lua", beside, NULL, NULL, path, PATH, &diag), LP_OK);
    assert_int_equal(lp_files_find(NULL, want, NULL, dirs, "x", path, PATH, &diag), LP_OK);
    assert_string_equal(path, want);
    static const char *const made[] = {"p.lua", "q.lua", "data/scripts/p.lua", "data/scripts",
                                       "data"};
    for (size_t i = 0; i < LP_COUNTOF(made); i++)
        drop(state, made[i]);
}

static void places_tried_are_named(void **state) {
    (void)state;
    static const char *const dirs[] = {"/nowhere", "/else/", NULL};
    char path[PATH] = "unchanged";
    LpDiag diag;
    assert_int_equal(lp_files_find(NULL, "x.lua", "/no/s.json", dirs, "scripts", path, PATH, &diag),
                     LP_EIO);
    assert_string_equal(diag.text, "there is no file \"x.lua\" (tried /no/x.lua, "
                                   "/nowhere/scripts/x.lua, /else/scripts/x.lua)");
    assert_int_equal(lp_files_find(NULL, "a/x.lua", "/s.json", dirs, "scripts", path, PATH, &diag),
                     LP_EIO);
    assert_string_equal(diag.text, "there is no file \"a/x.lua\" (tried /a/x.lua)");
    assert_int_equal(lp_files_find(NULL, "/no/x.lua", NULL, dirs, "scripts", path, PATH, &diag),
                     LP_EIO);
    assert_string_equal(diag.text, "there is no file \"/no/x.lua\" (tried /no/x.lua)");
    assert_int_equal(lp_files_find(NULL, "", NULL, dirs, "scripts", path, PATH, &diag), LP_EIO);
    assert_int_equal(lp_files_find(NULL, "/tmp", NULL, NULL, NULL, path, 3, &diag), LP_ELIMIT);
    assert_string_equal(path, "unchanged");
}

TEST_GROUP(test_io_file) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nul_byte_is_refused),   cmocka_unit_test(whole_files_are_read),
        cmocka_unit_test(sizes_are_limited),       cmocka_unit_test(a_hidden_size_is_limited),
        cmocka_unit_test(other_kinds_are_refused), cmocka_unit_test(names_are_found),
        cmocka_unit_test(places_tried_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
