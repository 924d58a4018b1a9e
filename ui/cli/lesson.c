/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath lesson`: lists the lessons, opens one, marks its exercise, prints it. */
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/common/cli.h"
#include "front/lesson_verify.h"
#include "host/catalog.h"
#include "import/import.h"
#include "many/study/lesson_fill.h"
#include "many/study/lesson_mark.h"
#include "many/study/study_lesson.h"
#include "model/lesson/lesson.h"
#include "term/keymap.h"

typedef struct Options {
    const char *check, *id;
    bool handout, student, solutions, verify, json;
    LpTexts params;
    double seconds;
    size_t max_memory;
    const char *keys, *size, *save, *theme, *keymap;
    bool ascii, no_color, plain, no_motion, no_mouse, no_autosave;
    const LpDebugLog *log; /* NULL: nobody listens */
} Options;

static const LpFlag flags[] = {
    {"--check", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, check), NULL,
     "mark this policy, or this network (.json), as a solution of the exercise, with a reason"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "with --check: one JSON object with the points of every check"},
    {"--param", NULL, "NAME=VALUE", LP_FLAG_LIST, offsetof(Options, params), NULL,
     "with --check: parameter of the policy; may be repeated"},
    {"--id", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, id), NULL,
     "a student's own seed and limits, the same for the same name"},
    {"--time-limit", NULL, "TIME", LP_FLAG_PARSED, offsetof(Options, seconds), lp_arg_time,
     "with --check: of computing, for all runs together (default 10 min)"},
    {"--max-memory", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_memory), lp_arg_size,
     "with --check: memory that a run may ask for (default 1 GiB)"},
    {"--handout", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, handout), NULL,
     "print text, questions and answers as Markdown"},
    {"--student", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, student), NULL,
     "with --handout: without answers, hints and what is shown after an answer"},
    {"--solutions", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, solutions), NULL,
     "with --handout, for whoever teaches: policies that pass, and usual mistakes"},
    {"--verify", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, verify), NULL,
     "go through it and compute every number of its texts again"},
    {"--keys", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, keys), NULL,
     "as in the explorer, like the following"},
    {"--size", NULL, "WxH", LP_FLAG_TEXT, offsetof(Options, size), NULL, "columns and rows"},
    {"--save-screen", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, save), NULL,
     "write the last screen"},
    {"--theme", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, theme), NULL, "colours"},
    {"--ascii", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ascii), NULL, "only ASCII"},
    {"--no-color", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_color), NULL, "no colours"},
    {"--plain", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, plain), NULL,
     "no screen: one event per line, for screen readers"},
    {"--keymap", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, keymap), NULL, "other keys"},
    {"--no-motion", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_motion), NULL,
     "show the last frame of what is otherwise shown in steps"},
    {"--no-mouse", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_mouse), NULL,
     "leave the mouse to the terminal"},
    {"--no-autosave", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_autosave), NULL,
     "do not save the session by itself"},
};

/* ---- which lesson ---- */

/* By number, name, or name without its number. */
static bool is_called(const LpCatalogItem *item, const char *word) {
    uint64_t number;
    const char *dash = strchr(item->name, '-');
    if (lp_num_parse_u64(word, &number, NULL) == LP_OK)
        return number == item->lesson && number > 0;
    return strcmp(item->name, word) == 0 || (dash != NULL && strcmp(dash + 1, word) == 0);
}

static LpErr fail_lesson(const LpCatalogItem *item, size_t count, const char *word, LpDiag *diag) {
    LpBuf names = {0};
    char shown[80];
    for (size_t i = 0; i < count; i++)
        if (item[i].goal != NULL)
            lp_buf_addf(&names, "%s%s", names.len > 0 ? ", " : "", item[i].name);
    lp_fail(diag, LP_EINVAL,
            "there is no lesson \"%s\": expected its number, a scenario's file with a "
            "lesson (lightpath check FILE says what is wrong in one), or one of %s",
            lp_str_show(shown, sizeof shown, word), lp_buf_text(&names));
    lp_buf_fini(&names);
    return LP_EINVAL;
}

/* The scenario's file; it may also be given as such. */
static LpErr find_lesson(LpArena *arena, const char *word, const char **path, LpDiag *diag) {
    const LpCatalogItem *item;
    size_t count;
    bool file = strchr(word, '/') != NULL || strstr(word, ".json") != NULL;
    *path = word;
    if (file && access(word, F_OK) == 0)
        return LP_OK;
    LP_TRY(lp_catalog_read(arena, &lp_import_source, &item, &count, diag));
    for (size_t i = 0; i < count; i++)
        if (item[i].goal != NULL && is_called(&item[i], word)) {
            *path = item[i].path;
            return LP_OK;
        }
    return fail_lesson(item, count, word, diag);
}

/* ---- what is done with it ---- */

enum { TIME_LIMIT = 600 /* s */ };

static int print(LpErr err, LpBuf *text, const LpDiag *failed) {
    LpOutput output = lp_output_standard();
    LpDiag diag;
    int code = err != LP_OK ? lp_cli_fail(failed) : LP_EXIT_OK;
    if (err == LP_OK && lp_output_add(&output, text, &diag) != LP_OK)
        code = lp_cli_fail_output(&output, &diag);
    lp_buf_fini(text);
    return code;
}

static int list(LpArena *arena) {
    const LpCatalogItem *item;
    size_t count;
    LpBuf text = {0};
    LpDiag diag;
    if (lp_catalog_read(arena, &lp_import_source, &item, &count, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    for (size_t i = 0; i < count; i++) {
        char name[80], title[160], goal[400];
        if (item[i].goal == NULL)
            continue;
        lp_buf_addf(&text, "%-20s %3u min  %s%s%s\n%29s%s\n",
                    lp_str_show(name, sizeof name, item[i].name), (unsigned)item[i].minutes,
                    lp_str_show(title, sizeof title, item[i].title), item[i].needs ? "; " : "",
                    item[i].needs ? item[i].needs : "", "",
                    lp_str_show(goal, sizeof goal, item[i].goal));
    }
    return print(lp_buf_ok(&text, &diag), &text, &diag);
}

static int check(const char *scenario, const Options *o) {
    LpLessonAttempt attempt = {.scenario = scenario,
                               .policy = o->check,
                               .params = o->params.count,
                               .param = o->params.item,
                               .id = o->id,
                               .seconds = o->seconds > 0 ? o->seconds : TIME_LIMIT,
                               .max_memory = o->max_memory,
                               .log = o->log};
    LpLessonMark mark;
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = lp_lesson_mark(&attempt, &mark, &diag);
    if (err == LP_OK && o->json)
        lp_lesson_mark_json(&mark, &attempt, &text);
    else if (err == LP_OK)
        lp_lesson_mark_text(&mark, &text);
    bool passed = mark.passed;
    lp_lesson_mark_fini(&mark);
    if (err == LP_OK)
        err = lp_buf_ok(&text, &diag);
    int code = print(err, &text, &diag);
    return code == LP_EXIT_OK && !passed ? LP_EXIT_FAILED : code;
}

static LpErr open_lesson(const char *scenario, LpSession **session, LpDiag *diag) {
    LpSessionSpec spec = {.scenario = scenario, .keep_timeline = true, .keep_explain = true};
    char shown[LP_DIAG_FILE];
    LP_TRY(lp_session_open(&spec, session, diag));
    if (lp_session_scenario(*session)->lesson != NULL)
        return LP_OK;
    lp_session_close(*session);
    return lp_fail(diag, LP_EINVAL, "%s has no lesson", lp_str_show(shown, sizeof shown, scenario));
}

/* What a handout needs to compute its figures. */
typedef struct Figures {
    const char *scenario;
    const LpLesson *lesson;
    bool student;
    LpLessonKnown *known;
} Figures;

static void add_figure(void *user, uint32_t step, LpBuf *out) {
    const Figures *f = user;
    const LpLessonStep *s = &f->lesson->step[step];
    LpLessonFill *fill;
    LpDiag diag;
    LpErr err = lp_lesson_fill_new(f->scenario, s->figure, f->known, &fill, &diag);
    if (err != LP_OK) {
        out->failed = true;
        return;
    }
    while (err == LP_OK && !lp_lesson_fill_done(fill))
        err = lp_lesson_fill_work(fill, UINT32_MAX, &diag);
    lp_lesson_fill_paper(fill, f->student, out);
    out->failed |= err != LP_OK;
    lp_lesson_fill_free(fill);
}

static int handout(const char *scenario, const Options *o) {
    LpSession *session;
    LpBuf text = {0}, own = {0}, told = {0};
    LpDiag diag;
    if (open_lesson(scenario, &session, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    const LpScenario *s = lp_session_scenario(session);
    LpLessonKnown known = {0};
    Figures figures = {scenario, s->lesson, o->student, &known};
    LpLessonPaper paper = {
        .title = s->title, .student = o->student, .figure = add_figure, .user = &figures};
    if (o->id != NULL && s->lesson->exercise != NULL) {
        lp_lesson_own_text(s->lesson->exercise, o->id, &own);
        paper.own = lp_buf_text(&own);
    }
    lp_lesson_handout(s->lesson, &paper, &told);
    lp_keymap_add(NULL, lp_buf_text(&told), &text); /* on paper the keys of the table */
    LpErr err = o->solutions && s->lesson->exercise != NULL
                    ? lp_lesson_solutions(s->lesson->exercise, scenario, &text, &diag)
                    : LP_OK;
    text.failed |= own.failed || told.failed;
    lp_buf_fini(&told);
    lp_buf_fini(&own);
    lp_lesson_forget(&known);
    lp_session_close(session);
    return print(err == LP_OK ? lp_buf_ok(&text, &diag) : err, &text, &diag);
}

static int verify(const char *scenario, const char *id) {
    LpSession *session;
    LpBuf text = {0};
    LpDiag diag;
    uint32_t wrong = 0;
    if (open_lesson(scenario, &session, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    LpErr err = lp_lesson_verify(session, scenario, id, &wrong, &text, &diag);
    lp_session_close(session);
    int code = print(err, &text, &diag);
    return code == LP_EXIT_OK && wrong > 0 ? LP_EXIT_FAILED : code;
}

/* The explorer, as if it had been called with the file and these options. */
static int explore(const LpCli *cli, const Options *o, const char *path) {
    const struct {
        const char *flag, *value;
    } texts[] = {{"--keys", o->keys},
                 {"--size", o->size},
                 {"--save-screen", o->save},
                 {"--theme", o->theme},
                 {"--keymap", o->keymap}};
    const struct {
        const char *flag;
        bool set;
    } switches[] = {{"--ascii", o->ascii},       {"--no-color", o->no_color},
                    {"--plain", o->plain},       {"--no-motion", o->no_motion},
                    {"--no-mouse", o->no_mouse}, {"--no-autosave", o->no_autosave}};
    union {
        const char *text;
        char *word;
    } words[1 + 2 * LP_COUNTOF(texts) + LP_COUNTOF(switches)];
    char *argv[LP_COUNTOF(words)];
    int count = 0;
    words[count++].text = path;
    for (size_t i = 0; i < LP_COUNTOF(texts); i++)
        if (texts[i].value != NULL) {
            words[count++].text = texts[i].flag;
            words[count++].text = texts[i].value;
        }
    for (size_t i = 0; i < LP_COUNTOF(switches); i++)
        if (switches[i].set)
            words[count++].text = switches[i].flag;
    for (int i = 0; i < count; i++)
        argv[i] = words[i].word;
    LpCli inner = *cli;
    inner.argc = count;
    inner.argv = argv;
    return lp_command_open.run(&inner);
}

static int work(const LpCli *cli, const Options *o, const char *word, LpArena *arena) {
    const char *path;
    LpDiag diag;
    if (word == NULL && (o->check != NULL || o->handout || o->verify)) {
        lp_fail(&diag, LP_EINVAL, "which lesson? Expected its name or number");
        return lp_cli_fail(&diag);
    }
    if (o->student && o->solutions) {
        lp_fail(&diag, LP_EINVAL,
                "--student and --solutions: expected one of them, a handout is "
                "for students or for whoever teaches");
        return lp_cli_fail(&diag);
    }
    if (word == NULL)
        return list(arena);
    if (find_lesson(arena, word, &path, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    if (o->check != NULL)
        return check(path, o);
    if (o->handout)
        return handout(path, o);
    return o->verify ? verify(path, o->id) : explore(cli, o, path);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_lesson, cli, &options, &args, &code))
        return code;
    options.log = lp_cli_log_to(cli->log);
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL) {
        lp_fail_memory(&diag, "a list of lessons");
        code = lp_cli_fail(&diag);
    } else {
        code = work(cli, &options, args.words > 0 ? args.word[0] : NULL, arena);
    }
    lp_arena_free(arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_lesson = {
    .name = "lesson",
    .arguments = "[NAME]",
    .summary = "List the lessons, open one, or check an exercise",
    .least = 0,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "NAME is a lesson's name or number, or a scenario with a lesson.\n"
             "Exit codes of --check: 0 the solution is right, 1 not yet, 2 bad input or usage.\n"
             "Those of --verify: 0 every number is right, 1 one is not.\n",
    .run = run,
};
