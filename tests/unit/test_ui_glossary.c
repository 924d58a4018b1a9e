/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the screen: each has its row, and whatever a view has as a heading or a column can
 * be looked up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "glossary/glossary.h"
#include "group.h"
#include "screen/screen.h"
#include "screen/views.h"

enum { TEXT = 400 };

/* ---- the table ---- */

static void check_names(const LpGloss *word, const char *list, const char *field) {
    for (const char *at = list ? list : ""; *at;) {
        char name[64];
        size_t len = strcspn(at, ",");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, at);
        if (!lp_gloss_find(name))
            fail_msg("%s: %s names \"%s\", which has no row", word->name, field, name);
        at += len + strspn(at + len, ", ");
    }
}

static void test_rows(void **state) {
    (void)state;
    assert_true(lp_gloss_count() > 150 && lp_gloss_count() <= LP_UI_WORDS_SHOWN);
    for (size_t i = 0; i < lp_gloss_count(); i++) {
        const LpGloss *word = lp_gloss_at(i);
        LpBuf text = {0};
        if (!word->name) /* the cause that is none */
            continue;
        assert_int_equal(lp_gloss_index(word), i);
        lp_gloss_tell(word, lp_app_views(), NULL, &text);
        assert_true(text.len > 20);
        lp_buf_fini(&text);
        bool in_table = word->meaning || lp_gloss_columns(lp_app_views(), word->name, &text);
        if (!in_table)
            fail_msg("%s: neither a meaning nor a column of this name", word->name);
        lp_buf_fini(&text);
        check_names(word, word->see, "see");
        bool also_cause = strcmp(word->name, "memory") == 0 || strcmp(word->name, "broken") == 0;
        if (lp_gloss_find(word->name) != word && !also_cause)
            fail_msg("%s: \"%s\" answers for it", word->name, lp_gloss_find(word->name)->name);
    }
    assert_null(lp_gloss_at(lp_gloss_count()));
}

static void finds(const char *text, const char *name) {
    const LpGloss *word = lp_gloss_find(text);
    if (!word || strcmp(word->name, name) != 0)
        fail_msg("\"%s\": %s", text, word ? word->name : "nothing");
}

static void test_find(void **state) {
    static const struct {
        const char *text, *name;
    } words[] = {
        {"jct", "JCT"},
        {"ways", "ways"},
        {"x4", "ways"},
        {"2x2x1", "block"},
        {"+1", "deciding"},
        {"(+1)", "deciding"},
        {"[-2]", "difference"},
        {"[+12]", "difference"},
        {"comm", "data"},
        {"exposed", "nobody computes"},
        {"worst", "busiest"},
        {"light", "lit"},
        {"blocked:", "blocked"},
        {"corrected", "corrected"},
        {"Light Paths", "circuits"},
        {"step time", "step time"},
        {"step", "step"},
        {"servers", "server"},
        {"RAMP", "RAMP"},
        {"of limit", "of limit"},
        {"mean JCT", "mean JCT"},
        {"t8", "plan"},
        {"p16", "pipeline stage"},
        {"copy", "replica"},
        {"full", "recomputation"},
        {"plain rings", "gain"},
        {"apart", "compare"},
        {"2 IS BEHIND", "compare"},
        {"EVEN SO FAR", "compare"},
        {"offered", "waiting"},
        {"BETWEEN", "between"},
        {"ASK", "ask"},
        {"room", "no block"},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(words); i++)
        finds(words[i].text, words[i].name);
    assert_null(lp_gloss_find(""));
    assert_null(lp_gloss_find("stepwise"));
    assert_null(lp_gloss_find("nothing of the kind"));
    assert_null(lp_gloss_find("pac-ml-32"));
    assert_null(lp_gloss_find("\xff\xfe"));
}

/* ---- what stands on the screen ---- */

typedef struct Bench {
    LpSession *session;
    LpApp app;
} Bench;

static void open_bench(Bench *b, const char *scenario, int cols, int rows) {
    LpSessionSpec spec = {.scenario = scenario, .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    if (lp_session_open(&spec, &b->session, &diag) != LP_OK)
        fail_msg("%s: %s", scenario, diag.text);
    assert_int_equal(lp_app_open(&b->app, b->session, &options, rows, cols, &diag), LP_OK);
}

static void close_bench(Bench *b) {
    lp_app_fini(&b->app);
    lp_session_close(b->session);
}

static void command(Bench *b, const char *text) {
    LpDiag diag = {0};
    if (lp_app_command(&b->app, text, 0, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_int_equal(lp_app_draw(&b->app, &diag), LP_OK);
}

/* Words that mean on the screen what they mean everywhere. */
static bool is_plain(const char *word) {
    static const char *const plain[] = {
        "a",       "about",   "above", "alone",  "all",    "and",        "another", "as",
        "at",      "before",  "begun", "but",    "by",     "decide",     "decides", "default",
        "depends", "down",    "each",  "ends",   "every",  "everywhere", "far",     "files",
        "first",   "for",     "from",  "here",   "if",     "in",         "is",      "it",
        "its",     "job's",   "last",  "leaves", "left",   "many",       "max",     "measured",
        "more",    "most",    "ms",    "much",   "next",   "no",         "none",    "not",
        "now",     "numbers", "of",    "off",    "on",     "one",        "or",      "other",
        "over",    "same",    "set",   "shown",  "so",     "taken",      "than",    "that",
        "the",     "their",   "them",  "then",   "there",  "this",       "to",      "took",
        "true",    "up",      "use",   "was",    "were",   "what",       "when",    "where",
        "which",   "while",   "who",   "with",   "within", "would",      "x",       "yet",
    };
    for (size_t i = 0; i < LP_COUNTOF(plain); i++)
        if (strcmp(word, plain[i]) == 0)
            return true;
    return false;
}

static bool is_letter(uint32_t cp) {
    return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') || cp == '-' || cp == '_';
}

/* Is the cell one of a heading: bold words of a pane, or the title of a column? */
static bool is_heading(const LpCell *cell) {
    return (cell->style & 0xFF) == LP_ROLE_LABEL || cell->hit == LP_HIT_TITLE;
}

/* Names that scenarios, graphs and policies give are no words of the screen: those of graphs, ops
 * and sites, and what has a line in it. */
static bool is_name(const Bench *b, const char *word) {
    static const char *const names[] = {"Input", "Layer", "north"};
    const LpScenario *scenario = lp_session_scenario(b->session);
    for (size_t i = 0; i < LP_COUNTOF(names); i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    if (strpbrk(word, "-_"))
        return true;
    for (uint32_t i = 0; i < scenario->graphs; i++)
        if (strstr(scenario->graph[i]->id, word))
            return true;
    return false;
}

/* Every word of the headings has a row, alone or with its neighbours. Returns how many have none.
 */
static int check_headings(const Bench *b, const char *where) {
    const LpCanvas *canvas = &b->app.canvas;
    int unknown = 0;
    for (int y = 0; y < canvas->rows; y++)
        for (int x = 0; x < canvas->cols;) {
            char word[TEXT];
            int from = x, len = 0;
            LpGlossPlace place;
            while (x < canvas->cols && is_letter(lp_canvas_at(canvas, x, y)->cp) && len + 1 < TEXT)
                word[len++] = (char)lp_canvas_at(canvas, x++, y)->cp;
            word[len] = '\0';
            if (len == 0) {
                x++;
                continue;
            }
            if (!is_heading(lp_canvas_at(canvas, from, y)) || is_plain(word) || is_name(b, word) ||
                len < 2)
                continue;
            if (lp_gloss_under(canvas, from, y, &place) || is_name(b, word))
                continue;
            print_error("%s: \"%s\" is a heading's, and no word of ui/glossary\n", where, word);
            unknown++;
        }
    return unknown;
}

static const char *const scenarios[] = {"scenarios/pac-ml-32.json",
                                        "scenarios/published-32.json",
                                        "scenarios/disaggregated-rack.json",
                                        "scenarios/leaf-spine.json",
                                        "scenarios/zones.json",
                                        "scenarios/ideal-loss.json",
                                        "scenarios/rigid.json",
                                        "scenarios/pod-64.json",
                                        "scenarios/lessons/10-learned-policy.json"};
static const struct { int cols, rows; } sizes[] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};

static void test_headings(void **state) {
    int unknown = 0;
    (void)state;
    for (size_t s = 0; s < LP_COUNTOF(scenarios); s++)
        for (size_t i = 0; i < LP_COUNTOF(sizes); i++) {
            Bench b;
            open_bench(&b, scenarios[s], sizes[i].cols, sizes[i].rows);
            command(&b, "next 6");
            unknown += check_headings(&b, scenarios[s]);
            for (int pane = LP_PANE_SERVERS; pane < LP_PANE_TIMELINE; pane++) {
                char text[TEXT];
                if (lp_app_view((LpPane)pane)->fixed)
                    continue;
                snprintf(text, sizeof text, "view %s", lp_pane_name((LpPane)pane));
                command(&b, text);
                snprintf(text, sizeof text, "%s, %s, %dx%d", scenarios[s],
                         lp_pane_name((LpPane)pane), sizes[i].cols, sizes[i].rows);
                unknown += check_headings(&b, text);
            }
            close_bench(&b);
        }
    assert_int_equal(unknown, 0);
}

/* Columns that are not on the screen at these moments, too. */
static void test_columns(void **state) {
    (void)state;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpTable *table = lp_app_view((LpPane)pane)->table;
        for (int c = 0; table && c < table->columns; c++)
            if (table->column[c].name && !lp_gloss_find(table->column[c].name))
                fail_msg("%s: no word for its column \"%s\"", lp_pane_name((LpPane)pane),
                         table->column[c].name);
    }
}

TEST_GROUP(test_ui_glossary) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_headings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
