/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves: lines read back as they were written, and files are followed whatever happens to
 * them. */
#include <math.h>
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

#include "group.h"
#include "many/train/learning.h"

enum { ALL = 1 << 30 };

static LpLearnPoint point_of(uint64_t update, double reward) {
    LpTrainReport report = {.update = update,
                            .steps = 100 * update,
                            .total = 1000,
                            .episodes = update,
                            .reward = reward,
                            .blocked = 0.25};
    return lp_learn_point(&report);
}

static LpLearnPoint judged(uint64_t update, double reward, bool saved) {
    LpLearnPoint p = point_of(update, reward);
    p.value[LP_LEARN_EVAL_REWARD] = reward;
    p.saved = saved;
    return p;
}

/* ---- lines ---- */

static void a_line_reads_back(void **state) {
    (void)state;
    LpLearnPoint p = judged(7, 0.1, true), read;
    LpBuf line = {0};
    LpDiag diag = {0};
    lp_learn_line(&p, &line);
    assert_int_equal(lp_learn_parse("f", 1, line.text, line.len, &read, &diag), LP_OK);
    assert_true(read.update == 7 && read.steps == 700 && read.episodes == 7 && read.saved);
    for (int i = 0; i < LP_LEARN_COUNT; i++)
        assert_true(read.value[i] == p.value[i] || (isnan(read.value[i]) && isnan(p.value[i])));
    lp_buf_fini(&line);
}

static void wrong_lines_are_refused_at_their_place(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"", "9:1: "},
        {"{", "9:"},
        {"[1,2]", "expected an object"},
        {"{\"steps\": 1}", "\"update\" is missing"},
        {"{\"update\": 1}", "\"steps\" is missing"},
        {"{\"update\": -1, \"steps\": 1}", "9:12: "},
        {"{\"update\": 1.5, \"steps\": 1}", "9:12: "},
        {"{\"update\": 1, \"steps\": 1e300}", "9:24: "},
        {"{\"update\": 1, \"steps\": 1, \"reward\": \"\\u001b[2J\"}", "expected a number"},
        {"{\"update\": 1, \"steps\": 1, \"kl\": NaN}", "9:"},
        {"{\"update\": 1, \"steps\": 1, \"saved\": 3}", "9:"},
        {"{\"update\": 1, \"update\": 2, \"steps\": 1}", "9:"},
        {"{\"update\": 1, \"steps\": 1} {}", "9:"},
    };
    for (size_t i = 0; i < LP_COUNTOF(wrong); i++) {
        LpLearnPoint read = {.update = 77};
        LpDiag diag = {0};
        char text[LP_DIAG_TEXT];
        assert_int_not_equal(
            lp_learn_parse("f", 9, wrong[i].line, strlen(wrong[i].line), &read, &diag), LP_OK);
        lp_diag_format(&diag, text, sizeof text);
        if (strstr(text, wrong[i].says) == NULL || strchr(text, '\033') != NULL)
            fail_msg("%s: %s", wrong[i].line, text);
        assert_true(read.update == 77);
    }
}

static void what_is_missing_is_not_known(void **state) {
    (void)state;
    const char *line = "{\"update\": 3, \"steps\": 9, \"kl\": null, \"other\": [1]}";
    LpLearnPoint p;
    assert_int_equal(lp_learn_parse("f", 1, line, strlen(line), &p, NULL), LP_OK);
    for (int i = 0; i < LP_LEARN_COUNT; i++)
        assert_true(isnan(p.value[i]));
    assert_false(p.saved);
}

/* ---- curves ---- */

static void add(LpLearnCurve *c, LpLearnPoint p) {
    assert_int_equal(lp_learn_add(c, &p, NULL), LP_OK);
}

static void a_training_that_went_on_from_before_replaces_what_followed(void **state) {
    (void)state;
    LpLearnCurve c = {0};
    add(&c, judged(1, 0.1, true));
    add(&c, point_of(2, 0.2));
    add(&c, judged(3, 0.3, true));
    assert_true(c.count == 3 && c.best == 3 && c.evaluated == 2);
    add(&c, point_of(2, 0.5));
    assert_true(c.count == 2 && c.best == 1 && c.evaluated == 1);
    assert_true(c.point[1].value[LP_LEARN_REWARD] == 0.5);
    add(&c, point_of(0, 0.7));
    assert_true(c.count == 1 && c.best == 0 && c.evaluated == 0);
    lp_learn_fini(&c);
}

static void values_are_found_by_decisions(void **state) {
    (void)state;
    LpLearnCurve c = {0};
    assert_null(lp_learn_at(&c, 0));
    assert_null(lp_learn_evaluated(&c, 1e9));
    add(&c, point_of(1, 0.1));
    add(&c, judged(2, 0.2, true));
    add(&c, point_of(3, 0.3));
    assert_true(lp_learn_at(&c, 0)->update == 1);
    assert_true(lp_learn_at(&c, 100)->update == 1);
    assert_true(lp_learn_at(&c, 101)->update == 2);
    assert_null(lp_learn_at(&c, 301));
    assert_null(lp_learn_evaluated(&c, 199));
    assert_true(lp_learn_evaluated(&c, 200)->update == 2);
    assert_true(lp_learn_evaluated(&c, 300)->update == 2);
    lp_learn_fini(&c);
}

/* ---- files ---- */

static char folder[] = "/tmp/lightpath-learning-XXXXXX";
static char path[64];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/curve.jsonl", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void put(const char *mode, const char *text) {
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void put_update(const char *mode, uint64_t update) {
    LpLearnPoint p = point_of(update, 0.5);
    LpBuf line = {0};
    lp_learn_line(&p, &line);
    put(mode, lp_buf_text(&line));
    lp_buf_fini(&line);
}

static LpLearnFile *opened(void) {
    LpLearnFile *f;
    LpDiag diag = {0};
    if (lp_learn_open(path, 0, &f, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return f;
}

static void a_file_is_followed(void **state) {
    (void)state;
    put_update("w", 1);
    LpLearnFile *f = opened();
    assert_true(lp_learn_status(f).more);
    assert_true(lp_learn_poll(f, ALL));
    assert_int_equal(lp_learn_status(f).curve->count, 1);
    assert_false(lp_learn_poll(f, ALL));
    put_update("a", 2);
    put("a", "{\"update\": 3, \"st");
    assert_true(lp_learn_poll(f, ALL));
    assert_true(lp_learn_status(f).curve->count == 2 && lp_learn_status(f).cut);
    put("a", "eps\": 300}\n");
    assert_true(lp_learn_poll(f, ALL));
    LpLearnStatus status = lp_learn_status(f);
    assert_true(status.curve->count == 3 && !status.cut && status.bad == 0 && status.lines == 3);
    lp_learn_close(f);
}

static void bad_lines_are_counted_and_passed(void **state) {
    (void)state;
    put_update("w", 1);
    put("a", "\n\x1b[2J hostile\n");
    put_update("a", 2);
    LpLearnFile *f = opened();
    lp_learn_poll(f, ALL);
    LpLearnStatus status = lp_learn_status(f);
    assert_true(status.curve->count == 2 && status.bad == 1 && status.lines == 4);
    assert_non_null(strstr(status.first_bad, "line 3:"));
    assert_null(strchr(status.first_bad, '\033'));
    lp_learn_close(f);
}

static void overlong_lines_are_passed(void **state) {
    (void)state;
    char *text = malloc(200001);
    memset(text, 'x', 200000);
    text[200000] = '\0';
    put("w", text);
    free(text);
    LpLearnFile *f = opened();
    lp_learn_poll(f, ALL);
    assert_true(lp_learn_status(f).cut && lp_learn_status(f).bad == 0);
    put("a", "\n");
    put_update("a", 1);
    lp_learn_poll(f, ALL);
    LpLearnStatus status = lp_learn_status(f);
    assert_true(status.curve->count == 1 && status.bad == 1);
    assert_non_null(strstr(status.first_bad, "bytes"));
    lp_learn_close(f);
}

static void a_shorter_or_another_file_is_read_anew(void **state) {
    (void)state;
    char other[80];
    put_update("w", 1);
    put_update("a", 2);
    LpLearnFile *f = opened();
    lp_learn_poll(f, ALL);
    put_update("w", 5);
    assert_true(lp_learn_poll(f, ALL));
    assert_true(lp_learn_status(f).curve->count == 1 &&
                lp_learn_status(f).curve->point[0].update == 5);
    snprintf(other, sizeof other, "%s.new", path);
    assert_int_equal(rename(path, other), 0);
    assert_true(lp_learn_poll(f, ALL));
    assert_non_null(strstr(lp_learn_status(f).trouble, "No such file"));
    assert_int_equal(lp_learn_status(f).curve->count, 1); /* what was read stays */
    put_update("w", 8);
    assert_true(lp_learn_poll(f, ALL));
    assert_true(lp_learn_status(f).curve->point[0].update == 8);
    assert_string_equal(lp_learn_status(f).trouble, "");
    unlink(other);
    lp_learn_close(f);
}

static void large_files_come_piece_by_piece(void **state) {
    (void)state;
    put("w", "");
    for (uint64_t i = 1; i <= 2000; i++)
        put_update("a", i);
    LpLearnFile *f = opened();
    int polls = 0;
    while (lp_learn_poll(f, 1) && lp_learn_status(f).more)
        polls++;
    assert_true(polls > 2);
    assert_int_equal(lp_learn_status(f).curve->count, 2000);
    lp_learn_close(f);
}

static void what_is_no_curve_is_refused(void **state) {
    (void)state;
    LpLearnFile *f = NULL;
    LpDiag diag = {0};
    unlink(path);
    assert_int_equal(lp_learn_open(path, 0, &f, &diag), LP_EIO);
    assert_non_null(strstr(diag.text, "No such file"));
    assert_int_equal(lp_learn_open(folder, 0, &f, &diag), LP_EIO);
    assert_int_equal(lp_learn_open("/dev/zero", 0, &f, &diag), LP_EIO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(lp_learn_open(path, 0, &f, &diag), LP_EIO);
    unlink(path);
    put_update("w", 1);
    assert_int_equal(lp_learn_open(path, 10, &f, &diag), LP_ELIMIT);
    assert_null(f);
}

static void a_file_that_grows_too_large_says_so(void **state) {
    (void)state;
    LpLearnFile *f;
    put_update("w", 1);
    assert_int_equal(lp_learn_open(path, 400, &f, NULL), LP_OK);
    lp_learn_poll(f, ALL);
    put_update("a", 2);
    put_update("a", 3);
    assert_true(lp_learn_poll(f, ALL));
    assert_non_null(strstr(lp_learn_status(f).trouble, "MiB"));
    assert_int_equal(lp_learn_status(f).curve->count, 1);
    lp_learn_close(f);
}

TEST_GROUP(test_many_learning) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_reads_back),
        cmocka_unit_test(wrong_lines_are_refused_at_their_place),
        cmocka_unit_test(what_is_missing_is_not_known),
        cmocka_unit_test(a_training_that_went_on_from_before_replaces_what_followed),
        cmocka_unit_test(values_are_found_by_decisions),
        cmocka_unit_test(a_file_is_followed),
        cmocka_unit_test(bad_lines_are_counted_and_passed),
        cmocka_unit_test(overlong_lines_are_passed),
        cmocka_unit_test(a_shorter_or_another_file_is_read_anew),
        cmocka_unit_test(large_files_come_piece_by_piece),
        cmocka_unit_test(what_is_no_curve_is_refused),
        cmocka_unit_test(a_file_that_grows_too_large_says_so),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
