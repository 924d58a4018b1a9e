/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces of jobs of every format: the report is the one that is known, to the last digit, and what
 * is damaged is refused at its place by a sentence that says why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "golden.h"
#include "group.h"
#include "import/import.h"

enum { PATH = 512, SENTENCE = 1024 };

typedef struct Golden {
    const char *format, *file, *other, *report;
} Golden;

static const Golden goldens[] = {
    {"acme", "trace.csv", NULL, "trace.json"},
    {"helios", "cluster_log.csv", NULL, "cluster_log.json"},
    {"openb", "openb_pod_list.csv", NULL, "openb_pod_list.json"},
    {"pai", "pai_job_table.csv", "pai_task_table.csv", "pai.json"},
    {"philly", "cluster_job_log", NULL, "cluster_job_log.json"},
    {"rfold", "trace.csv", NULL, "trace.json"},
    {"sacct", "small.psv", NULL, "small.json"},
    {"swf", "small.swf", NULL, "small.json"},
    {"swf", "small.swf.gz", NULL, "small.json"},
    {"tiresias", "jobs.csv", NULL, "jobs.json"},
};

static const char *path_of(const Golden *golden, const char *name, char path[PATH]) {
    snprintf(path, PATH, "%s/formats/%s/%s", GOLDENS, golden->format, name);
    return path;
}

static LpErr read_files(const Golden *golden, const char *file, LpImport *out, LpDiag *diag) {
    static char first[PATH], second[PATH]; /* used until the import is freed */
    static const char *files[2];
    LpImportOptions options = {0};
    files[0] = path_of(golden, file, first);
    files[1] = golden->other != NULL ? path_of(golden, golden->other, second) : NULL;
    return lp_import_read(lp_format_find(golden->format), files, golden->other != NULL ? 2 : 1,
                          &options, out, diag);
}

static void expect_report(const Golden *golden) {
    char name[PATH];
    LpImport import;
    LpBuf text = {0};
    LpDiag diag;
    snprintf(name, sizeof name, "formats/%s/%s", golden->format, golden->report);
    cJSON *expected = golden_load(name);
    assert_non_null(expected);
    assert_int_equal(read_files(golden, golden->file, &import, &diag), LP_OK);
    assert_int_equal(lp_import_json(&import, true, &text, &diag), LP_OK);
    cJSON *got = cJSON_Parse(lp_buf_text(&text));
    assert_non_null(got);
    if (!cJSON_Compare(got, expected, 1))
        fail_msg("%s: the report is %s", name, lp_buf_text(&text));
    cJSON_Delete(got);
    cJSON_Delete(expected);
    lp_buf_fini(&text);
    lp_import_free(&import);
}

static void test_reports(void **state) {
    (void)state;
    for (size_t i = 0; golden_present() && i < LP_COUNTOF(goldens); i++)
        expect_report(&goldens[i]);
    if (!golden_present())
        skip();
}

static void expect_refused(const Golden *golden, const char *file, const char *words) {
    char name[PATH], said[SENTENCE];
    LpImport import;
    LpDiag diag = {0};
    snprintf(name, sizeof name, "bad/%s", file);
    LpErr err = read_files(golden, name, &import, &diag);
    lp_import_free(&import);
    lp_diag_format(&diag, said, sizeof said);
    if (err == LP_OK || diag.line < 1 || strstr(diag.file, name) == NULL ||
        strstr(said, words) == NULL)
        fail_msg("%s: expected a refusal with \"%s\", got: %s", name, words, said);
}

static int refuse_all(const Golden *golden) {
    char name[PATH];
    int count = 0;
    snprintf(name, sizeof name, "formats/%s/bad/expected.json", golden->format);
    cJSON *list = golden_load(name);
    for (const cJSON *entry = list != NULL ? list->child : NULL; entry != NULL;
         entry = entry->next, count++)
        expect_refused(golden, entry->string, golden_word(entry, "must_tell"));
    cJSON_Delete(list);
    return count;
}

static void test_refusals(void **state) {
    int count = 0;
    (void)state;
    for (size_t i = 0; golden_present() && i < LP_COUNTOF(goldens); i++)
        count += refuse_all(&goldens[i]);
    if (!golden_present())
        skip();
    assert_in_range(count, 31, 1000);
}

TEST_GROUP(test_golden_jobs) {
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_reports),
                                              cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
