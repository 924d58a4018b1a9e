/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program says of itself: every key, command and option that a sentence names is in the
 * tables. Sentences are all string literals of ui/ and engine/, the texts of lessons, the manual
 * pages and the pages of docs/. Keys are named by what they do, "{next-decision} goes on", so that
 * each is the one that is bound now, and the words beside it must be those of its action. */
#include <ctype.h>
#include <dirent.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/line/command.h"
#include "base/str.h"
#include "cli/common/cli.h"
#include "group.h"
#include "term/keymap.h"

enum { NAME = 64 };

/* What is wrong with a sentence is added to `wrong`. `named` counts what was looked up. */
typedef struct Check {
    const char *file;
    int line;
    bool lesson; /* of a scenario, where capitals are jobs and numbers count things */
    regex_t regex[5];
    LpBuf wrong;
    uint32_t named;
} Check;

static void blame(Check *c, const char *what, const char *name, const char *text) {
    lp_buf_addf(&c->wrong, "%s:%d: %s \"%s\" in: %.160s\n", c->file, c->line, what, name, text);
}

/* ---- keys in braces ---- */

static bool is_action_char(char c) {
    return (c >= 'a' && c <= 'z') || c == '-';
}

/* Do the two words begin alike, as "searches" and "search" do? */
static bool alike(const char *a, size_t a_len, const char *b, size_t b_len) {
    size_t same = 0;
    while (same < a_len && same < b_len &&
           tolower((unsigned char)a[same]) == tolower((unsigned char)b[same]))
        same++;
    return same >= 4 || (same >= 3 && (same == a_len || same == b_len));
}

/* Has `text` a word like this one? */
static bool has_word(const char *text, const char *word, size_t len) {
    for (size_t n; *text; text += n ? n : 1) {
        for (n = 0; isalpha((unsigned char)text[n]);)
            n++;
        if (n >= 3 && alike(text, n, word, len))
            return true;
    }
    return false;
}

/* Actions whose words depend on the view: what they do there is in its own table of keys. */
static bool is_general(LpUiAction action) {
    static const LpUiAction general[] = {
        LP_UI_ACTION_TAKE,  LP_UI_ACTION_OUT,      LP_UI_ACTION_PLAY,    LP_UI_ACTION_QUIT,
        LP_UI_ACTION_UP,    LP_UI_ACTION_DOWN,     LP_UI_ACTION_LEFT,    LP_UI_ACTION_RIGHT,
        LP_UI_ACTION_TOP,   LP_UI_ACTION_BOTTOM,   LP_UI_ACTION_PAGE_UP, LP_UI_ACTION_PAGE_DOWN,
        LP_UI_ACTION_STAGE, LP_UI_ACTION_FRAME_ON, LP_UI_ACTION_VARIANT, LP_UI_ACTION_FRAME_BACK,
        LP_UI_ACTION_UNDO,  LP_UI_ACTION_ZOOM_IN,  LP_UI_ACTION_ZOOM_OUT};
    for (size_t i = 0; i < LP_COUNTOF(general); i++)
        if (general[i] == action)
            return true;
    return false;
}

/* Words for an action that its row does not have. */
static const char *other_words(LpUiAction action) {
    switch (action) {
    case LP_UI_ACTION_CURVE:
        return "curves read off";
    case LP_UI_ACTION_NEXT_DECISION:
        return "goes on next shows search text starts step";
    case LP_UI_ACTION_EXPLAIN:
        return "story ways"; /* of a job; without a policy's own table */
    case LP_UI_ACTION_JOBS:
        return "shows all";
    case LP_UI_ACTION_REDO:
        return "goes back";
    case LP_UI_ACTION_ANSWER:
        return "told";
    case LP_UI_ACTION_BOOKMARK:
        return "checkpoint update"; /* of a training: where it may be stopped */
    case LP_UI_ACTION_BLANK:
        return "nothing";
    case LP_UI_ACTION_FORK:
        return "another answer";
    case LP_UI_ACTION_STAGE_BACK:
        return "the one before";
    case LP_UI_ACTION_WHATIF:
        return "compares run best";
    case LP_UI_ACTION_SORT:
        return "runs seeds"; /* of two policies that are compared */
    case LP_UI_ACTION_SEARCH:
        return "all words";
    default:
        return "";
    }
}

static bool is_told(LpUiAction action, const char *clause) {
    const LpUiActionInfo *info = lp_ui_action_info(action);
    const char *const words[] = {lp_ui_action_info(action)->name, info->help, info->label,
                                 other_words(action)};
    if (is_general(action))
        return true;
    for (size_t i = 0; i < LP_COUNTOF(words); i++)
        for (const char *at = words[i]; *at;) {
            size_t len = 0;
            while (isalpha((unsigned char)at[len]))
                len++;
            if (len >= 3 && has_word(clause, at, len))
                return true;
            at += len ? len : 1;
        }
    return false;
}

/* Copies the clause around `at` without what stands in braces. */
static void copy_clause(const char *text, const char *at, char *out, size_t size) {
    const char *from = at, *to = at + strcspn(at, "}");
    size_t len = 0;
    while (from > text && !strchr(";\n", from[-1]) && !(from[-1] == '.' && *from == ' ') &&
           !(from[-1] == ',' && from[0] == ' ') && strncmp(from - 1, "  ", 2) != 0)
        from--;
    while (*to && !strchr(";\n", *to) && !(to[0] == '.' && to[1] == ' ') &&
           !(to[0] == ',' && to[1] == ' ') && (to[0] != ' ' || to[1] != ' ' || to[-1] == '}'))
        to++;
    for (bool inside = false; from < to && len + 1 < size; from++) {
        inside = *from == '{' || (inside && *from != '}');
        if (!inside && *from != '}')
            out[len++] = *from;
    }
    out[len] = '\0';
}

/* Has it no word that says what a key does? */
static bool says_nothing(const char *clause) {
    for (size_t n; *clause; clause += n ? n : 1) {
        for (n = 0; isalpha((unsigned char)clause[n]);)
            n++;
        if (n >= 3 && strncmp(clause, "and", n) != 0)
            return false;
    }
    return true;
}

/* "{next-decision}": an action, and the words of its clause are like those of its row. A clause
 * that has no words besides says nothing that could be wrong. */
static void check_braces(Check *c, const char *text) {
    char name[NAME], clause[400];
    for (const char *at = text; (at = strchr(at, '{')) != NULL; at++) {
        size_t len = 0;
        while (is_action_char(at[1 + len]))
            len++;
        if (len == 0 || len >= sizeof name || at[1 + len] != '}')
            continue;
        lp_str_copy(name, len + 1, at + 1);
        LpUiAction action = lp_ui_action_find(name);
        copy_clause(text, at, clause, sizeof clause);
        c->named++;
        if (action == LP_UI_ACTION_NONE)
            blame(c, "no action is called", name, text);
        else if (!says_nothing(clause) && !is_told(action, clause))
            blame(c, "another action than what is said of", name, text);
    }
}

/* ---- keys by their names ---- */

/* Keys that are the same whatever is bound: of the line that is typed into, and of --plain. */
static const struct {
    const char *file, *text;
} fixed[] = {
    {"ui/app/keep/open.c", "Tab completes their names"},
    {"ui/app/show/prompt.c", "Tab completes, help lists them, Esc leaves"},
    {"ui/views/console/", "Tab completes"},
    {"ui/term/keymap.h", "type a command; Tab completes"},
    {"ui/app/line/script.c", "or a name such as space, Tab, Enter, Esc, Up, C-c"},
    {"ui/term/keymap_file.c", "or a name such as space, Tab, Enter, Esc, Up, F5, C-x"},
    {"ui/front/picker_draw.c", "Enter opens  Esc shows all"}, /* while a text is typed */
    {"ui/term/keymap_file.c", "C-c"},                         /* always stops */
    {"ui/front/plain.c", "Enter "},
    {"engine/many/experiment/study.c", "x marks where"}, /* no key: a cross */
    {"ui/glossary/", "what 2 comes to"},                 /* no keys: a branch and a stage */
    {"ui/glossary/", "where stage 3 begins"},
};

static bool is_fixed(const Check *c, const char *text) {
    for (size_t i = 0; i < LP_COUNTOF(fixed); i++)
        if (strstr(c->file, fixed[i].file) && strstr(text, fixed[i].text))
            return true;
    return false;
}

/* A list of names of keys and nothing else, as tables have it: "Up Down". */
static bool is_list(const char *text) {
    char name[NAME];
    for (size_t len; *text; text += len + (text[len] == ' ')) {
        len = strcspn(text, " ");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, text);
        if (lp_key_find(name) == LP_KEY_NONE)
            return false;
    }
    return true;
}

#define BEFORE "(^|[ (,;:.\n])"
#define VERBS                                                                                      \
    "(shows|opens|goes|tells|asks|compares|marks|sorts|decides|begins|steps|explains|plays|"       \
    "closes|leaves|stops|sets|chooses|scrolls|reads off|lists|saves|runs it|ends "                 \
    "that|quits|undoes|comes|moves|zooms|searches|turns it|to see|to have|to go|"                  \
    "to look|to come|to step|on a row)"

static const char *const patterns[] = {
    BEFORE "[Pp]ress [^{t]",
    BEFORE "(Enter|Esc|S-Tab|Tab|PgUp|PgDn|F[1-9][0-2]?|C-[a-z])($|[ ,;:.)])",
    BEFORE "(Up|Down|Left|Right|Home|End)( and| or|,)? (Up|Down|Left|Right|Home|End)($|[ ,;:.])",
    BEFORE "(space|[]a-rt-zA-Z0-9?`/<>'[]) " VERBS "($|[ ,;:.])", /* s: seconds */
    BEFORE "(space|[]a-gi-rt-z?`/<>'[]) " VERBS "($|[ ,;:.])",    /* in lessons */
};
enum { EVERYWHERE = 3, PATTERNS = 5 };

static void check_keys(Check *c, const char *text) {
    if (is_list(text) || is_fixed(c, text))
        return;
    for (int i = 0; i < PATTERNS; i++) {
        regmatch_t match;
        char found[NAME];
        if (i >= EVERYWHERE && (i == EVERYWHERE) == c->lesson)
            continue;
        if (regexec(&c->regex[i], text, 1, &match, 0) != 0)
            continue;
        size_t len = (size_t)(match.rm_eo - match.rm_so);
        lp_str_copy(found, len + 1 < sizeof found ? len + 1 : sizeof found, text + match.rm_so);
        blame(c, "a key that may be bound otherwise:", found, text);
    }
}

static void begin_check(Check *c, const char *file, bool lesson) {
    *c = (Check){.file = file, .lesson = lesson};
    for (int i = 0; i < PATTERNS; i++)
        assert_int_equal(regcomp(&c->regex[i], patterns[i], REG_EXTENDED), 0);
}

static void end_check(Check *c) {
    for (int i = 0; i < PATTERNS; i++)
        regfree(&c->regex[i]);
    lp_buf_fini(&c->wrong);
}

/* ---- commands and options ---- */

/* The length of a name at `text`: small letters and -. */
static size_t name_at(const char *text, char out[NAME]) {
    size_t len = 0;
    while (is_action_char(text[len]))
        len++;
    while (len > 0 && text[len - 1] == '-')
        len--;
    lp_str_copy(out, len + 1 < NAME ? len + 1 : NAME, text);
    return len;
}

/* ":yank pane": a command of the explorer. */
static void check_colons(Check *c, const char *text) {
    char name[NAME];
    for (const char *at = text; (at = strchr(at, ':')) != NULL; at++) {
        bool begins = at == text || strchr(" (\"`", at[-1]) != NULL;
        size_t len = begins ? name_at(at + 1, name) : 0;
        if (len < 2 || (at[1 + len] && strchr("=._:\\(,", at[1 + len])))
            continue;
        c->named++;
        if (lp_ui_command_find(name) < 0)
            blame(c, "no command is called", name, text);
    }
}

static const LpCommand *named(const LpCommand *const *all, const char *name) {
    for (; *all; all++)
        if (strcmp((*all)->name, name) == 0)
            return *all;
    return NULL;
}

/* The command that the words begin with, "policy check FILE"; the explorer where it is a scenario,
 * or a word of prose. */
static const LpCommand *command_of(const char *words) {
    char name[NAME], second[NAME], both[2 * NAME];
    size_t len = name_at(words, name);
    const LpCommand *command = named(lp_cli_commands(), name), *below = NULL;
    if (command && words[len] == ' ' && name_at(words + len + 1, second) > 0) {
        snprintf(both, sizeof both, "%s %s", name, second);
        below = named(lp_policy_commands, both);
    }
    return below ? below : command ? command : &lp_command_open;
}

static bool has_flag(const LpCommand *command, const char *flag) {
    if (strcmp(flag, "--help") == 0 || strcmp(flag, "--version") == 0)
        return true;
    for (size_t i = 0; i < command->flags; i++)
        if (strcmp(command->flag[i].name, flag) == 0)
            return true;
    return false;
}

static bool has_any(const char *flag) {
    const LpCommand *const *const all[] = {lp_cli_commands(), lp_policy_commands};
    bool any = has_flag(&lp_command_open, flag);
    for (size_t i = 0; i < LP_COUNTOF(all); i++)
        for (const LpCommand *const *at = all[i]; *at && !any; at++)
            any = has_flag(*at, flag);
    return any;
}

/* "lightpath lesson 3 --check FILE": the options up to the end of the line, or of the quotation,
 * are those of the command. Without a command before it, an option must be one of any command. */
static void check_flags(Check *c, const char *text, bool alone) {
    const LpCommand *command = NULL;
    char name[NAME], flag[NAME + 2];
    for (const char *at = text; *at; at++) {
        if (strchr("`\n;|(),", *at) || (at[0] == '.' && (at[1] == ' ' || !at[1])))
            command = NULL;
        bool begins = at == text || strchr(" (\"`[", at[-1]) != NULL;
        if (begins && strncmp(at, "lightpath ", 10) == 0) {
            command = command_of(at + 10);
            c->named++;
        }
        if (!begins || strncmp(at, "--", 2) != 0 || name_at(at + 2, name) < 2)
            continue;
        snprintf(flag, sizeof flag, "--%s", name);
        c->named++;
        if (command ? !has_flag(command, flag) : alone && !has_any(flag))
            blame(c, command ? command->name : "of any command", flag, text);
    }
}

/* ---- where sentences stand ---- */

static void check_literal(Check *c, const char *text) {
    check_braces(c, text);
    check_keys(c, text);
    check_colons(c, text);
    check_flags(c, text, true);
}

/* The next string literal from `at` on, those that follow each other as one; NULL at the end. */
static const char *next_literal(Check *c, const char *at, bool json, LpBuf *out) {
    bool open = false;
    lp_buf_clear(out);
    for (; *at; at++) {
        if (*at == '\n')
            c->line++;
        if (!json && strncmp(at, "/*", 2) == 0) {
            for (; strncmp(at, "*/", 2) != 0; at++)
                c->line += *at == '\n';
            at++;
        } else if (!json && *at == '\'') {
            for (at++; *at != '\''; at++)
                at += *at == '\\';
            if (open)
                return at + 1;
        } else if (*at == '"') {
            for (at++; *at != '"'; at++) {
                if (*at == '\\' && at[1] == 'n')
                    lp_buf_add(out, "\n"), at++;
                else
                    lp_buf_add_bytes(out, at += *at == '\\', 1);
            }
            if (json)
                return at + 1;
            open = true;
        } else if (open && !isspace((unsigned char)*at) && *at != '\\' &&
                   strncmp(at, "PRI", 3) != 0 &&
                   !(isalnum((unsigned char)*at) && isalnum((unsigned char)at[-1]))) {
            return at;
        }
    }
    return out->len ? at : NULL;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    LpBuf text = {0};
    char part[4096];
    assert_non_null(file);
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        lp_buf_add_bytes(&text, part, n);
    fclose(file);
    lp_buf_add(&text, "");
    char *copy = strdup(lp_buf_text(&text));
    lp_buf_fini(&text);
    return copy;
}

static void check_source(Check *c, const char *path, bool json) {
    char *text = read_file(path);
    LpBuf literal = {0};
    c->file = path;
    c->line = 1;
    for (const char *at = text; (at = next_literal(c, at, json, &literal)) != NULL;)
        check_literal(c, lp_buf_text(&literal));
    lp_buf_fini(&literal);
    free(text);
}

/* A page: paragraphs, in which a line that ends with a backslash goes on. */
static void check_page(Check *c, const char *path) {
    char *text = read_file(path);
    c->file = path;
    c->line = 1;
    for (char *at = text, *end; *at; at = end) {
        for (end = at; *end && (*end != '\n' || (end > at && end[-1] == '\\')); end++)
            ;
        if (*end)
            *end++ = '\0';
        for (char *line = at; (line = strstr(line, "\\\n")) != NULL;)
            memset(line, ' ', 2);
        check_flags(c, at, false);
        check_colons(c, at);
        c->line++;
    }
    free(text);
}

/* On the page for teachers what a lesson is opened with are options of `lesson`, too. */
static void check_teaching(Check *c) {
    char *text = read_file("docs/teaching.md");
    c->file = "docs/teaching.md";
    for (size_t i = 0; i < lp_command_open.flags; i++) {
        const char *flag = lp_command_open.flag[i].name;
        char quoted[NAME];
        snprintf(quoted, sizeof quoted, "`%s", flag);
        for (const char *at = text; (at = strstr(at, quoted)) != NULL; at++) {
            const char *end = at + strlen(quoted);
            bool of_runs = strcmp(flag, "--set") == 0;
            if (is_action_char(*end) || of_runs)
                continue;
            c->named++;
            if (!has_flag(named(lp_cli_commands(), "lesson"), flag))
                blame(c, "lesson", flag, at);
        }
    }
    free(text);
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static void walk(Check *c, const char *folder, const char *const ends[], int depth) {
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        if (!strchr(entry->d_name, '.') && depth > 0) {
            DIR *inner = opendir(path);
            if (inner) {
                closedir(inner);
                walk(c, path, ends, depth - 1);
            }
            continue;
        }
        for (size_t i = 0; ends[i]; i++)
            if (ends_with(path, ends[i])) {
                if (ends_with(path, ".json"))
                    check_source(c, path, true);
                else if (ends_with(path, ".c") || ends_with(path, ".h"))
                    check_source(c, path, false);
                else
                    check_page(c, path);
            }
    }
    closedir(dir);
}

static void expect_right(Check *c, uint32_t least) {
    fputs(lp_buf_text(&c->wrong), stderr);
    assert_int_equal(c->wrong.len, 0);
    assert_true(c->named >= least);
    end_check(c);
}

static void test_sources(void **state) {
    static const char *const ends[] = {".c", ".h", NULL};
    Check c;
    (void)state;
    begin_check(&c, "", false);
    walk(&c, "ui", ends, 3);
    walk(&c, "engine", ends, 3);
    expect_right(&c, 500);
}

static void test_lessons(void **state) {
    static const char *const ends[] = {".json", NULL};
    Check c;
    (void)state;
    begin_check(&c, "", true);
    walk(&c, "scenarios", ends, 1);
    expect_right(&c, 10);
}

static void test_pages(void **state) {
    static const char *const ends[] = {".md", ".1", ".5", ".7", NULL};
    Check c;
    (void)state;
    begin_check(&c, "", false);
    walk(&c, "docs", ends, 0);
    c.file = "README.md";
    check_page(&c, "README.md");
    check_teaching(&c);
    expect_right(&c, 100);
}

/* ---- what is wrong is found ---- */

static void test_planted(void **state) {
    static const struct {
        const char *text;
        bool wrong;
    } sentences[] = {
        {"{curve}  opens all curves; :yank curves FILE.csv writes them", false},
        {"{traffic}  opens all curves; :yank curves FILE.csv writes them", true},
        {"9 opens all curves", true},
        {"{help} shows the keys", false},
        {"? shows the keys", true},
        {"{nonsense} shows the keys", true},
        {"the line of what happens, events {step}", true},
        {"the line of what happens, events {events}", false},
        {"Press {servers} to see the servers alone", false},
        {"Press 1 to see them alone", true},
        {"branch saved: c compares, u goes back", true},
        {"mark a row with Up and Down first", true},
        {"Enter keeps this as a branch", true},
        {"Enter", false},
        {"the same with :fork degree=2", false},
        {"the same with :frok degree=2", true},
        {"see lightpath lesson --help", false},
        {"see lightpath lesson 3 --check FILE", false},
        {"see lightpath lesson 3 --sheet", true},
        {"--seed takes a number", false},
        {"--sead takes a number", true},
        {"a letter means the same job everywhere", false},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(sentences); i++) {
        Check c;
        begin_check(&c, "planted", false);
        check_literal(&c, sentences[i].text);
        if ((c.wrong.len > 0) != sentences[i].wrong)
            fail_msg("%s: %s", sentences[i].text, c.wrong.len ? lp_buf_text(&c.wrong) : "passes");
        end_check(&c);
    }
}

/* A key that is bound otherwise is the one that the tour, the help and the end of a run name. */
static void test_bound_otherwise(void **state) {
    static const struct {
        const char *command, *text;
    } shown[] = {{"tour", "Press F7 to see them alone"},
                 {"summary", "F8  opens the curves"},
                 {"help present", "F9 and PgUp go from decision to decision"}};
    LpSessionSpec spec = {
        .scenario = "scenarios/pac-ml-32.json", .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true};
    LpDiag diag = {0};
    LpApp app;
    LpSession *session;
    (void)state;
    assert_int_equal(lp_session_open(&spec, &session, &diag), LP_OK);
    assert_int_equal(lp_app_open(&app, session, &options, 60, 160, &diag), LP_OK);
    app.keymap.key[LP_UI_ACTION_SERVERS][0] = LP_KEY_F1 + 6;
    app.keymap.key[LP_UI_ACTION_CURVE][0] = LP_KEY_F1 + 7;
    app.keymap.key[LP_UI_ACTION_PAGE_DOWN][0] = LP_KEY_F1 + 8;
    for (size_t i = 0; i < LP_COUNTOF(shown); i++) {
        LpBuf screen = {0};
        if (lp_app_command(&app, shown[i].command, 0, &diag) != LP_OK)
            fail_msg("%s: %s", shown[i].command, diag.text);
        assert_int_equal(lp_app_draw(&app, &diag), LP_OK);
        lp_canvas_print(&app.canvas, &screen);
        if (!strstr(lp_buf_text(&screen), shown[i].text))
            fail_msg("%s does not show: %s\n%s", shown[i].command, shown[i].text,
                     lp_buf_text(&screen));
        lp_buf_fini(&screen);
    }
    lp_app_fini(&app);
    lp_session_close(session);
}

TEST_GROUP(test_ui_sentences) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planted),
                                       cmocka_unit_test(test_sources),
                                       cmocka_unit_test(test_lessons), cmocka_unit_test(test_pages),
                                       cmocka_unit_test(test_bound_otherwise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
