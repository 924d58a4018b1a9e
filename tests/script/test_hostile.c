/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every script in tests/script/hostile fails as its first line says, at a line of the file, and the
 * run goes on. First line: `-- expect: load|run: text of the message`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "lab.h"

#define FOLDER LP_SOURCEDIR "/tests/script/hostile/"
enum { FILES_MAX = 400, PATH_ROOM = 600 };

typedef struct Expected {
    bool load; /* fails when loaded, not when asked */
    char text[200];
} Expected;

static void read_expected(const char *path, Expected *out) {
    char line[300] = "", kind[8] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t got = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    *out = (Expected){.load = true, .text = "compiled code"};
    if (line[0] == '\x1b')
        return; /* bytecode has no room for a remark */
    line[got] = '\0';
    line[strcspn(line, "\n")] = '\0';
    int at = 0;
    if (sscanf(line, "-- expect: %7[a-z]: %n", kind, &at) != 1 || at == 0)
        fail_msg("%s: the first line is not `-- expect: load|run: text`", path);
    out->load = strcmp(kind, "load") == 0;
    snprintf(out->text, sizeof out->text, "%.*s", (int)sizeof out->text - 1, line + at);
}

static void check_message(const char *path, const LpDiag *diag, const Expected *expected) {
    if (!strstr(diag->text, expected->text))
        fail_msg("%s: expected \"%s\", got \"%s\"", path, expected->text, diag->text);
    assert_string_equal(diag->file, path);
    if (!strstr(expected->text, "C stack overflow")) /* Lua's parser does not say where */
        assert_true(diag->line > 0);
    for (const char *c = diag->text; *c; c++)
        assert_true((unsigned char)*c >= 0x20); /* nothing that a terminal would obey */
}

/* Decides job after job until the script fails; the rest of the run must still work. */
static bool run_until_failure(Lab *lab, const char *path, const Expected *expected) {
    bool failed = false;
    while (lab_advance(lab)) {
        LpEvent event;
        assert_int_equal(lab_ask(lab), LP_OK);
        if (lab->failed && !failed)
            check_message(path, &lab->diag, expected);
        uint32_t job = lp_world_due(lab->world);
        lab_apply(lab, &event);
        if (lab->failed) {
            assert_int_equal(event.kind, LP_EVENT_BLOCK);
            assert_int_equal(lp_world_job(lab->world, job)->cause, LP_CAUSE_POLICY_ERROR);
        }
        failed = failed || lab->failed;
        if (failed)
            break;
    }
    return failed;
}

static void hostile(void **state) {
    const char *path = *state;
    Expected expected;
    Lab lab;
    read_expected(path, &expected);
    lab_open(&lab, LAB_SCENARIO);
    if (strstr(expected.text, "budget")) /* a smaller one ends the same way, but sooner */
        lab.limits.instructions = LP_POLICY_INSTRUCTIONS / 5;
    LpErr err = lab_load_file(&lab, path, NULL, 0);
    if (expected.load) {
        bool text = !strstr(expected.text, "a NUL byte");
        assert_true(text ? err == LP_ESCRIPT || err == LP_EBUDGET : err == LP_EPARSE);
        assert_null(lab.policy);
        check_message(path, &lab.diag, &expected);
    } else {
        if (err != LP_OK)
            fail_msg("%s does not load: %s", path, lab.diag.text);
        if (!run_until_failure(&lab, path, &expected))
            fail_msg("%s: nothing failed", path);
        LpEvent event;
        lab.limits = (LpPolicyLimits){0};
        assert_int_equal(
            lab_load(&lab,
                     "return { name = 'good', api = 1, partition = function() return 1 end }"),
            LP_OK);
        while (lab_advance(&lab)) {
            assert_int_equal(lab_ask(&lab), LP_OK);
            assert_false(lab.failed);
            lab_apply(&lab, &event);
        }
    }
    lab_close(&lab);
}

static int compare_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static size_t list_files(char **paths) {
    size_t count = 0;
    DIR *folder = opendir(FOLDER);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        size_t len = strlen(entry->d_name);
        if (len < 5 || strcmp(entry->d_name + len - 4, ".lua") != 0 || count == FILES_MAX)
            continue;
        paths[count] = lp_alloc(PATH_ROOM, 1);
        snprintf(paths[count++], PATH_ROOM, FOLDER "%.300s", entry->d_name);
    }
    if (folder)
        closedir(folder);
    qsort(paths, count, sizeof *paths, compare_text);
    return count;
}

TEST_GROUP(test_hostile) {
    static char *paths[FILES_MAX];
    static struct CMUnitTest tests[FILES_MAX];
    size_t count = list_files(paths);
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){strrchr(paths[i], '/') + 1, hostile, NULL, NULL, paths[i]};
    int failed = count < 100 ? 1 : _cmocka_run_group_tests("hostile", tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        lp_free(paths[i]);
    return failed;
}
