/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/lightpath-lua.7 says what the API table says, and its examples run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "group.h"
#include "lab.h"
#include "script/policy/api_table.h"

#define PAGE LP_SOURCEDIR "/docs/lightpath-lua.7"
enum { PAGE_MAX = 200000 };

static char *read_page(void) {
    char *text = lp_alloc(PAGE_MAX + 1, 1);
    FILE *file = fopen(PAGE, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, PAGE_MAX, file) > 1000);
    fclose(file);
    return text;
}

static void every_row_is_on_the_page(void **state) {
    (void)state;
    char *page = read_page();
    size_t count;
    const LpApiRow *rows = lp_api_table(&count);
    for (size_t i = 0; i < count; i++) {
        LpBuf item = {0};
        lp_buf_addf(&item, "\n.It Ic %s\n", rows[i].name);
        lp_api_describe(&item, &rows[i]);
        lp_buf_addf(&item, "\n.br\n%s\n", rows[i].doc);
        if (!strstr(page, lp_buf_text(&item)))
            fail_msg("docs/lightpath-lua.7 lacks this entry of %s:%s", rows[i].group,
                     lp_buf_text(&item));
        lp_buf_fini(&item);
    }
    lp_free(page);
}

static void nothing_else_is_on_the_page(void **state) {
    (void)state;
    char *page = read_page();
    size_t count, items = 0;
    (void)lp_api_table(&count);
    for (const char *at = page; (at = strstr(at, "\n.It Ic ")) != NULL; at++)
        items++;
    assert_int_equal(items, count);
    lp_free(page);
}

/* Takes the escapes of mdoc out of a literal block. */
static void plain(LpBuf *out, const char *from, const char *to) {
    for (const char *c = from; c < to; c++) {
        if (strncmp(c, "\\(aq", 4) == 0) {
            lp_buf_add(out, "'");
            c += 3;
        } else if (c[0] == '\\' && c + 1 < to) {
            c++;
            lp_buf_add_bytes(out, *c == 'e' ? "\\" : c, 1);
        } else {
            lp_buf_add_bytes(out, c, 1);
        }
    }
}

static void run_example(const char *source) {
    Lab lab;
    LpEvent event;
    lab_open(&lab, LAB_SCENARIO);
    if (lab_load(&lab, source) != LP_OK)
        fail_msg("line %d: %s in\n%s", lab.diag.line, lab.diag.text, source);
    while (lab_advance(&lab)) {
        assert_int_equal(lab_ask(&lab), LP_OK);
        if (lab.failed)
            fail_msg("line %d: %s in\n%s", lab.diag.line, lab.diag.text, source);
        lab_apply(&lab, &event);
        if (event.kind == LP_EVENT_BLOCK)
            assert_int_not_equal(lp_world_job(lab.world, event.job)->cause, LP_CAUSE_REFUSED);
    }
    lab_close(&lab);
}

static void the_examples_run(void **state) {
    (void)state;
    static const char BEGIN[] = ".Bd -literal -offset indent\n";
    char *page = read_page();
    int examples = 0;
    for (char *at = page; (at = strstr(at, BEGIN)) != NULL;) {
        at += sizeof BEGIN - 1;
        char *end = strstr(at, "\n.Ed");
        LpBuf source = {0};
        assert_non_null(end);
        plain(&source, at, end + 1);
        assert_non_null(strstr(lp_buf_text(&source), "return policy"));
        run_example(lp_buf_text(&source));
        lp_buf_fini(&source);
        examples++;
    }
    assert_true(examples >= 4);
    lp_free(page);
}

/* "string: byte, char, find (plain text only), ..." names what there is. */
static void check_library(const char *page, const char *title, const char *prefix, LpBuf *source) {
    const char *at = strstr(page, title);
    assert_non_null(at);
    at += strlen(title);
    int names = 0;
    while (*at != '\n') {
        size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        assert_true(len > 0);
        lp_buf_addf(source, "assert(%s%.*s ~= nil)\n", prefix, (int)len, at);
        names++;
        at += strcspn(at, ",\n");
        at += strspn(at, ", ");
    }
    assert_true(names > 5);
}

static void the_libraries_have_what_is_listed(void **state) {
    (void)state;
    char *page = read_page();
    LpBuf source = {0};
    check_library(page, "\nBasic functions: ", "", &source);
    check_library(page, "\nstring: ", "string.", &source);
    check_library(page, "\ntable: ", "table.", &source);
    check_library(page, "\nmath: ", "math.", &source);
    lp_buf_add(&source, "return { name = 'x', api = 1, partition = function() return 1 end }");
    run_example(lp_buf_text(&source));
    lp_buf_fini(&source);
    lp_free(page);
}

TEST_GROUP(test_docs) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_on_the_page),
        cmocka_unit_test(nothing_else_is_on_the_page),
        cmocka_unit_test(the_examples_run),
        cmocka_unit_test(the_libraries_have_what_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
