/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands, reading a line, and the manual that says the same as the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/line/command.h"
#include "group.h"
#include "term/keymap.h"

/* No name stands twice, and none is the name of a key, so that scripts can leave the colon out. */
static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++) {
        const LpUiCommandInfo *info = lp_ui_command_info((LpUiCommand)i);
        char names[64], *name;
        assert_true(*info->help && *info->section && strlen(info->names) < sizeof names);
        assert_true(info->least <= info->most);
        strcpy(names, info->names);
        for (name = strtok(names, " "); name; name = strtok(NULL, " ")) {
            assert_int_equal(lp_ui_command_find(name), i);
            if (strlen(name) > 1)
                assert_int_equal(lp_key_find(name), LP_KEY_NONE);
        }
    }
    assert_int_equal(lp_ui_command_find(""), -1);
    assert_int_equal(lp_ui_command_find("ste"), -1);
}

static void test_reading(void **state) {
    (void)state;
    LpUiLine line;
    LpDiag diag = {0};
    assert_int_equal(lp_ui_command_read("  :step   3 ", &line, &diag), LP_OK);
    assert_int_equal(line.command, LP_UI_COMMAND_STEP);
    assert_string_equal(line.rest, "3");
    assert_int_equal(line.words, 1);
    assert_string_equal(line.word[0], "3");
    assert_int_equal(lp_ui_command_read("save-screen \"a b\" ", &line, &diag), LP_OK);
    assert_string_equal(line.word[0], "a b");
    assert_string_equal(line.rest, "\"a b\"");
    assert_int_equal(lp_ui_command_read("set theme=\"a b\" \"c \\\"d\\\"\"", &line, &diag), LP_OK);
    assert_int_equal(line.words, 2);
    assert_string_equal(line.word[0], "theme=a b");
    assert_string_equal(line.word[1], "c \"d\"");
    assert_int_equal(lp_ui_command_read("run-until  job(3).state == \"x ", &line, &diag), LP_OK);
    assert_string_equal(line.rest, "job(3).state == \"x");
    assert_int_equal(line.words, 1);
    assert_int_equal(lp_ui_command_read("q", &line, &diag), LP_OK);
    assert_int_equal(line.command, LP_UI_COMMAND_QUIT);
}

/* A moment needs no command before it. */
static void test_moments(void **state) {
    (void)state;
    static const struct {
        const char *text, *rest;
    } cases[] = {{"d30", "d30"},   {":30", "d30"},   {" e120 ", "e120"}, {"j12", "j12"},
                 {"42 s", "42 s"}, {"1.5h", "1.5h"}, {"30  ", "d30"}};
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpUiLine line;
        LpDiag diag = {0};
        assert_int_equal(lp_ui_command_read(cases[i].text, &line, &diag), LP_OK);
        assert_int_equal(line.command, LP_UI_COMMAND_SEEK);
        assert_string_equal(line.rest, cases[i].rest);
    }
    static const char *const others[] = {"d", "d30 x", "dd3", "e", "do 3x", "x30"};
    for (size_t i = 0; i < LP_COUNTOF(others); i++) {
        LpUiLine line;
        LpDiag diag = {0};
        if (lp_ui_command_read(others[i], &line, &diag) == LP_OK)
            assert_int_not_equal(line.command, LP_UI_COMMAND_SEEK);
    }
}

static void test_mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "there is no command \"\""},
        {"stpe 3", "did you mean step"},
        {"\x1b[31mstep", "there is no command \"\\x1b[31mstep\""},
        {"view", "a word is missing: expected view NAME"},
        {"step 1 2", "too many words: expected step [N]"},
        {"save-screen \"a b", "a quote is not closed"},
        {"set a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a", "more than"},
        {"set a a a a a a a a a", "too many words"},
        {"run-until ", "a word is missing: expected run-until CONDITION"},
    };
    for (size_t i = 0; i < LP_COUNTOF(cases); i++) {
        LpUiLine line;
        LpDiag diag = {0};
        assert_int_equal(lp_ui_command_read(cases[i].text, &line, &diag), LP_EINVAL);
        if (!strstr(diag.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", diag.text, cases[i].says);
    }
}

static void test_long_line(void **state) {
    (void)state;
    char text[5000] = "save-screen ";
    LpUiLine line;
    LpDiag diag = {0};
    memset(text + 12, 'x', 4000);
    assert_int_equal(lp_ui_command_read(text, &line, &diag), LP_EINVAL);
    memset(text, 'x', 4000);
    assert_int_equal(lp_ui_command_read(text, &line, &diag), LP_EINVAL);
}

/* "-" as a minus that can be copied. */
static void add_escaped(LpBuf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '-')
            lp_buf_add(out, "\\");
        lp_buf_add_bytes(out, text, 1);
    }
}

static void make_manual(LpBuf *out) {
    char help[400];
    lp_buf_add(out, ".Bl -tag -width Ds\n");
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++) {
        LpBuf usage = {0};
        lp_ui_command_usage((LpUiCommand)i, &usage);
        lp_buf_add(out, ".It Li \"");
        add_escaped(out, lp_buf_text(&usage));
        lp_buf_add(out, "\"\n");
        add_escaped(
            out, lp_keymap_text(NULL, lp_ui_command_info((LpUiCommand)i)->help, help, sizeof help));
        lp_buf_add(out, "\n");
        lp_buf_fini(&usage);
    }
    lp_buf_add(out, ".El\n");
}

#define MANUAL LP_SOURCEDIR "/docs/lightpath.1"

/* Puts the list in place of the old one, which begins with the same command. */
static void update_manual(const char *text, const char *wanted) {
    static const char end[] = "\n.El\n";
    size_t head = strcspn(strstr(wanted, ".It"), "\n") + (size_t)(strstr(wanted, ".It") - wanted);
    char first[200];
    snprintf(first, sizeof first, "%.*s", (int)head, wanted);
    const char *from = strstr(text, first);
    assert_non_null(from);
    const char *to = strstr(from, end);
    assert_non_null(to);
    FILE *file = fopen(MANUAL, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(from - text), text, wanted, to + sizeof end - 1);
    assert_int_equal(fclose(file), 0);
}

/* UPDATE=1 writes the list into the manual. */
static void test_manual(void **state) {
    (void)state;
    static char text[1 << 18];
    LpBuf wanted = {0};
    FILE *file = fopen(MANUAL, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    make_manual(&wanted);
    bool same = strstr(text, lp_buf_text(&wanted)) != NULL;
    if (!same && getenv("UPDATE"))
        update_manual(text, lp_buf_text(&wanted));
    else if (!same)
        fail_msg("docs/lightpath.1 has another list of commands than the table; UPDATE=1 %s",
                 "build/release/tests/unit/test_ui_command writes it");
    lp_buf_fini(&wanted);
}

TEST_GROUP(test_ui_command) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_reading),
        cmocka_unit_test(test_moments),   cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_long_line), cmocka_unit_test(test_manual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
