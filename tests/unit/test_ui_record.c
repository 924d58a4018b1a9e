/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded run, played again, gives the same screen: whatever was pressed, typed or played. And
 * casts: the same bytes each time, with no control byte of anybody else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "front/front.h"
#include "group.h"
#include "term/cast.h"

typedef struct Bench {
    LpSession *session;
    LpApp app;
    int64_t now;
} Bench;

static char record_file[64], screen_file[64];

static LpSession *open_session(const char *scenario) {
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true, .keep_explain = true};
    LpSession *session;
    LpDiag diag;
    if (lp_session_open(&spec, &session, &diag) != LP_OK)
        fail_msg("%s", diag.text);
    return session;
}

static void open_bench(Bench *b, const char *scenario) {
    LpUiOptions options = {.no_motion = true};
    LpDiag diag;
    char line[100];
    *b = (Bench){.session = open_session(scenario)};
    assert_int_equal(lp_app_open(&b->app, b->session, &options, 30, 100, &diag), LP_OK);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
    snprintf(line, sizeof line, "record %s", record_file);
    assert_int_equal(lp_app_command(&b->app, line, 0, &diag), LP_OK);
}

static void press(Bench *b, LpKey key) {
    LpDiag diag;
    lp_app_key(&b->app, key, b->now);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

/* Key names and characters; what stands in "..." is typed. */
static void press_all(Bench *b, const char *keys) {
    char word[64];
    while (*(keys += strspn(keys, " "))) {
        if (*keys == '"') {
            for (keys++; *keys != '"'; keys++)
                press(b, (LpKey)*keys);
            keys++;
            continue;
        }
        size_t len = strcspn(keys, " ");
        lp_str_copy(word, len + 1, keys);
        LpKey key = lp_key_find(word);
        assert_true(key != LP_KEY_NONE);
        press(b, key);
        keys += len;
    }
}

static void play_for(Bench *b, int64_t ms) {
    LpDiag diag;
    for (int64_t until = b->now + ms; b->now < until; b->now += 20) {
        lp_app_tick(&b->app, b->now);
        assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
    }
}

static char *read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = lp_alloc(1 << 20, 1);
    assert_non_null(text);
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Ends the record, plays it on a fresh session, and compares screens but for the line of keys,
 * which tells of the recording. */
static void same_again(Bench *b, const char *scenario) {
    LpUiOptions options = {
        .no_motion = true, .keys_file = record_file, .save_screen = screen_file, .size = "100x30"};
    LpBuf mine = {0};
    LpDiag diag;
    LpSession *again = open_session(scenario);
    b->app.ui.message[0] = '\0';
    b->app.dirty = true;
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
    lp_canvas_print(&b->app.canvas, &mine);
    uint64_t hash = lp_session_hash(b->session);
    lp_app_fini(&b->app);
    char *script = read_all(record_file);
    if (lp_ui_run_keys(again, &options, &diag) != 0)
        fail_msg("%s\n%s", diag.text, script);
    char *theirs = read_all(screen_file), *end = strrchr(theirs, '\n');
    *end = '\0';
    end = strrchr(theirs, '\n'); /* the last line */
    size_t len = (size_t)(end - theirs);
    if (strncmp(theirs, lp_buf_text(&mine), len) != 0)
        fail_msg("recorded:\n%splayed:\n%s\nscript:\n%s", lp_buf_text(&mine), theirs, script);
    assert_true(hash == lp_session_hash(again));
    lp_free(script);
    lp_free(theirs);
    lp_buf_fini(&mine);
    lp_session_close(again);
    lp_session_close(b->session);
}

static const char PAC[] = "scenarios/pac-ml-32.json";

static void keys_and_commands(void **state) {
    (void)state;
    static const char *const runs[] = {
        "n n n ] ] Tab Tab",
        "n n n Up Up Enter n 7 Down",
        "n n n n p [ u",
        ": \"next 5\" Enter : \"view circuits\" Enter",
        "n n f \"degree=2\" Enter n n c",
        "n n 3 s s Down x Down",
        "n n n t Left Left Left",
        "n n n n < > 6",
        "w Down Down Enter n",
        "n n m n n ' 8 z Right Right v",
        "? Down Down Esc n / \"alex\" Enter",
        "n n ? / \"play\" Enter",
        "n n 7 D n : \"theme light\" Enter",
        ": \"nosuch\" Enter n",
        "n n n : \"seek 1 s\" Enter 5 v",
    };
    for (size_t i = 0; i < LP_COUNTOF(runs); i++) {
        Bench b;
        open_bench(&b, PAC);
        press_all(&b, runs[i]);
        same_again(&b, PAC);
    }
}

static void what_was_played(void **state) {
    (void)state;
    static const char *const ends[] = {"space", "4", "n", ""};
    for (size_t i = 0; i < LP_COUNTOF(ends); i++) {
        Bench b;
        open_bench(&b, PAC);
        press_all(&b, "n n space");
        play_for(&b, 700);
        press_all(&b, "+");
        play_for(&b, 400);
        press_all(&b, ends[i]);
        same_again(&b, PAC);
    }
}

static void lessons_and_presenting(void **state) {
    (void)state;
    static const char LESSON[] = "scenarios/lessons/4-placing.json";
    Bench b;
    open_bench(&b, LESSON);
    press_all(&b, "PgDn PgDn PgDn b PgDn . n PgUp");
    same_again(&b, LESSON);
    open_bench(&b, PAC);
    press_all(&b, ": \"present\" Enter PgDn PgDn PgUp PgDn");
    same_again(&b, PAC);
}

static void a_record_says_what_it_means(void **state) {
    (void)state;
    Bench b;
    LpDiag diag;
    open_bench(&b, PAC);
    press_all(&b, "n n Tab e : \"whatif\" Enter");
    assert_int_equal(lp_app_command(&b.app, "record off", 0, &diag), LP_OK);
    press_all(&b, "n n n");
    char *script = read_all(record_file);
    assert_non_null(strstr(script, "\nsize 100x30\n"));
    assert_non_null(
        strstr(script, "do next-decision\ndo next-decision\ndo stage\ndo policy\nwhatif\n"));
    assert_null(strstr(script, "whatif\ndo"));
    lp_free(script);
    assert_int_equal(lp_app_command(&b.app, "record /nosuch/folder/x", 0, &diag), LP_EIO);
    assert_int_equal(lp_app_command(&b.app, "do nosuch", 0, &diag), LP_EINVAL);
    assert_int_equal(lp_app_command(&b.app, "do stage 0", 0, &diag), LP_EINVAL);
    lp_app_fini(&b.app);
    lp_session_close(b.session);
}

/* ---- casts ---- */

static char *cast_once(const char *text) {
    LpCanvas canvas = {0};
    LpCast *cast;
    LpDiag diag;
    assert_int_equal(lp_canvas_resize(&canvas, 2, 12, &diag), LP_OK);
    assert_int_equal(lp_cast_open(record_file, 12, 2, &cast, &diag), LP_OK);
    LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, 12, 2});
    lp_area_text(&area, 0, 0, LP_ROLE_TEXT, text);
    assert_int_equal(lp_cast_frame(cast, &canvas, lp_theme_built_in(), 0, &diag), LP_OK);
    assert_int_equal(lp_cast_frame(cast, &canvas, lp_theme_built_in(), 10, &diag), LP_OK);
    lp_area_text(&area, 3, 1, LP_ROLE_BAD, "x\"\\");
    assert_int_equal(lp_cast_frame(cast, &canvas, lp_theme_built_in(), 1250, &diag), LP_OK);
    assert_int_equal(lp_canvas_resize(&canvas, 1, 5, &diag), LP_OK);
    assert_int_equal(lp_cast_frame(cast, &canvas, lp_theme_built_in(), 1300, &diag), LP_OK);
    assert_int_equal(lp_cast_close(cast, &diag), LP_OK);
    lp_canvas_fini(&canvas);
    return read_all(record_file);
}

static void casts(void **state) {
    (void)state;
    unlink(record_file); /* a record gives way to a record only */
    char *a = cast_once("\x1b[2Jevil\x07"), *b = cast_once("\x1b[2Jevil\x07");
    LpCast *cast;
    LpDiag diag;
    assert_string_equal(a, b);
    assert_int_equal(strncmp(a, "{\"version\": 2, \"width\": 12, \"height\": 2,", 40), 0);
    assert_non_null(strstr(a, "\\\\x1b[2Jevil")); /* the text, made visible */
    assert_non_null(strstr(a, "\n[1.250, \"o\", \"\\u001b[2;4H"));
    assert_non_null(strstr(a, "x\\\"\\\\"));
    assert_non_null(strstr(a, "\n[1.300, \"r\", \"5x1\"]\n"));
    assert_null(strstr(a, "[0.010")); /* nothing had changed */
    for (const char *c = a; *c; c++)
        assert_true((unsigned char)*c >= 0x20 || *c == '\n');
    lp_free(a);
    lp_free(b);
    assert_int_equal(lp_cast_open("/nosuch/folder/x", 1, 1, &cast, &diag), LP_EIO);
}

static int make_files(void **state) {
    (void)state;
    strcpy(record_file, "/tmp/record-test.XXXXXX");
    strcpy(screen_file, "/tmp/record-test.XXXXXX");
    int a = mkstemp(record_file), b = mkstemp(screen_file);
    close(a);
    close(b);
    return a < 0 || b < 0;
}

static int remove_files(void **state) {
    (void)state;
    unlink(record_file);
    unlink(screen_file);
    return 0;
}

TEST_GROUP(test_ui_record) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_commands), cmocka_unit_test(what_was_played),
        cmocka_unit_test(lessons_and_presenting), cmocka_unit_test(a_record_says_what_it_means),
        cmocka_unit_test(casts)};
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
