/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath [SCENARIO]`: the explorer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/common/cli.h"
#include "front/front.h"
#include "front/picker.h"
#include "host/file_lock.h"
#include "host/paths.h"
#include "session/file.h"
#include "session/moment/line.h"
#include "session/moment/moment.h"

static const char DEFAULT_SCENARIO[] = "pac-ml-32";

/* Where to go and what to fork there, in the order of the options. */
typedef enum MoveKind { MOVE_AT, MOVE_FORK, MOVE_BRANCH } MoveKind;

enum { MOVES_MOST = 64 };

typedef struct Moves {
    size_t count;
    struct {
        MoveKind kind;
        const char *text;
    } move[MOVES_MOST];
} Moves;

static LpErr add_move(Moves *moves, MoveKind kind, const char *text, LpDiag *diag) {
    if (moves->count == MOVES_MOST)
        return lp_fail(diag, LP_ELIMIT, "more than %d of --at, --fork and --branch", MOVES_MOST);
    moves->move[moves->count].kind = kind;
    moves->move[moves->count++].text = text;
    return LP_OK;
}

static LpErr read_at(const char *text, void *moves, LpDiag *diag) {
    return add_move(moves, MOVE_AT, text, diag);
}

static LpErr read_fork(const char *text, void *moves, LpDiag *diag) {
    return add_move(moves, MOVE_FORK, text, diag);
}

static LpErr read_branch(const char *text, void *moves, LpDiag *diag) {
    return add_move(moves, MOVE_BRANCH, text, diag);
}

typedef struct Options {
    LpSessionArgs session;
    LpUiOptions ui;
    Moves moves;
    const char *expect;
    const char *theme; /* name or file */
    LpTheme colours;
    const char *keymap_file;
    LpKeymap keymap;
    LpBuf command_line;
    LpUiNext next;     /* after the present session */
    char opened[4096]; /* its file */
    bool no_autosave, no_mouse;
    char notice[240];
    char wrong[240]; /* with the user's configuration; "" for nothing */
} Options;

#define UI_SWITCH(flag, field, help)                                                               \
    { flag, NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ui.field), NULL, help }
#define UI_TEXT(flag, value, field, help)                                                          \
    { flag, NULL, value, LP_FLAG_TEXT, offsetof(Options, ui.field), NULL, help }

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--at", NULL, "MOMENT", LP_FLAG_PARSED, offsetof(Options, moves), read_at,
     "open at d57 (a decision), e120 (an event), j12 (a job), a time, or worst, \"worst queue\", "
     "\"worst longest\" (waiting was worst); may be repeated"},
    {"--words", NULL, "WHOSE", LP_FLAG_PARSED, offsetof(Options, session.wording), lp_arg_wording,
     "whose short word says why a job waits: plain, slurm, kueue, volcano"},
    {"--fork", NULL, "WORDS", LP_FLAG_PARSED, offsetof(Options, moves), read_fork,
     "fork there, such as degree=8 or \"policy=edf.lua\"; may be repeated"},
    {"--branch", NULL, "NAME", LP_FLAG_PARSED, offsetof(Options, moves), read_branch,
     "go to a branch of a session from a file"},
    {"--expect", NULL, "HASHES", LP_FLAG_TEXT, offsetof(Options, expect), NULL,
     "say what is not as it was when the line was written"},
    {"--no-autosave", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_autosave), NULL,
     "do not save the session by itself"},
    {"--no-mouse", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_mouse), NULL,
     "leave the mouse to the terminal"},
    UI_SWITCH("--ascii", ascii, "draw with ASCII characters only"),
    UI_SWITCH("--no-color", no_color, "use no colours (also when NO_COLOR is set)"),
    UI_SWITCH("--plain", plain, "no screen: one event per line, for screen readers"),
    UI_SWITCH("--no-tour", no_tour, "do not offer the tour at the first run"),
    UI_SWITCH("--no-motion", no_motion, "show the last frame of what is otherwise shown in steps"),
    {"--theme", NULL, "NAME|FILE", LP_FLAG_TEXT, offsetof(Options, theme), NULL,
     "colours: dark, light, high-contrast, colour-blind, paper, or a file"},
    {"--keymap", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, keymap_file), NULL,
     "other keys, see lightpath-keys(5)"},
    UI_TEXT("--keys", "FILE", keys_file, "press the keys in FILE instead of opening a terminal"),
    UI_TEXT("--play", "FILE", play_file,
            "play this key script in the explorer, such as one-fast-job; it stops at its pauses "
            "until a key goes on"),
    UI_TEXT("--size", "WxH", size, "columns and rows of that screen (default 80x24)"),
    UI_TEXT("--cast", "FILE", cast, "record all screens as an asciicast"),
    UI_TEXT("--save-screen", "FILE", save_screen,
            "write the last screen to FILE: text, or .svg, .html, .ansi (-: standard output)"),
};

static int fail(const char *text) {
    LpDiag diag;
    lp_fail(&diag, LP_EINVAL, "%s", text);
    return lp_cli_fail(&diag);
}

static bool headless(const LpUiOptions *ui) {
    return ui->keys_file != NULL || ui->save_screen != NULL;
}

static int check_terminal(const Options *o, bool named) {
    if (headless(&o->ui))
        return LP_EXIT_OK;
    if (o->ui.size != NULL)
        return fail("--size is for --keys and --save-screen: a terminal has its own size");
    if (o->ui.plain || (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        return LP_EXIT_OK;
    if (named)
        return fail("the explorer needs a terminal: expected lightpath run SCENARIO, or --keys, "
                    "--save-screen or --plain");
    int code = fail("the explorer needs a terminal: expected lightpath run SCENARIO");
    LpBuf names = {0};
    LpErr err = lp_paths_list_scenarios(&names, NULL);
    if (err == LP_OK && names.len > 0)
        fprintf(stderr, "Scenarios that came with it:\n");
    lp_cli_tell(lp_buf_text(&names));
    lp_buf_fini(&names);
    return code;
}

static int explore(LpSession *session, Options *o) {
    LpUiOptions *ui = &o->ui;
    ui->mouse = !o->no_mouse && !headless(ui);
    LpDiag diag = {0};
    const char *no_color = getenv("NO_COLOR");
    if (ui->notice == NULL && o->wrong[0] != '\0')
        ui->notice = o->wrong;
    ui->no_color |= no_color != NULL && no_color[0] != '\0';
    if (headless(ui) && ui->keys_file == NULL)
        ui->keys_file = "/dev/null";
    int code = headless(ui) ? lp_ui_run_keys(session, ui, &diag) : lp_ui_run(session, ui, &diag);
    if (code != LP_EXIT_OK && code < LP_EXIT_SIGNAL)
        lp_cli_fail(&diag);
    return code;
}

/* ---- moments ---- */

static LpErr go_to(LpSession *session, const char *text, LpDiag *diag) {
    LpAt at;
    LP_TRY(lp_at_parse(text, &at, diag));
    return lp_session_go(session, &at, diag);
}

static LpErr go_to_branch(LpSession *session, const char *name, LpDiag *diag) {
    int branch = lp_session_branch_find(session, name);
    char shown[80];
    if (branch < 0)
        return lp_fail(diag, LP_EINVAL, "--branch: there is no branch \"%s\"",
                       lp_str_show(shown, sizeof shown, name));
    return lp_session_switch(session, (uint32_t)branch, diag);
}

static LpErr make_move(LpSession *session, MoveKind kind, const char *text, LpDiag *diag) {
    uint32_t branch;
    if (kind == MOVE_AT)
        return go_to(session, text, diag);
    return kind == MOVE_FORK ? lp_session_fork_text(session, text, &branch, diag)
                             : go_to_branch(session, text, diag);
}

static bool is_worst(const char *text) {
    return strncmp(text, "worst", 5) == 0;
}

/* The explorer itself looks for the worst moment, so that it can say how far that is. */
static bool waits_for_keys(const Options *o) {
    return !headless(&o->ui) && !o->ui.plain && o->expect == NULL;
}

/* Where a scenario says that it is looked at from some moment on, and the command line nothing
 * else. The end of a run in which nobody waits is no worse than its beginning. */
static LpErr go_to_open(Options *o, LpSession *session, LpDiag *diag) {
    const char *open = lp_session_scenario(session)->open;
    LpDiag none;
    for (size_t i = 0; i < o->moves.count; i++)
        if (o->moves.move[i].kind == MOVE_AT)
            return LP_OK;
    if (open == NULL || lp_session_moment(session).step > 0)
        return LP_OK;
    o->ui.look = waits_for_keys(o) && is_worst(open) ? open : NULL;
    LpErr err = o->ui.look ? LP_OK : go_to(session, open, &none);
    if (err == LP_ERANGE)
        return LP_OK;
    if (err != LP_OK)
        *diag = none;
    o->ui.stay = err == LP_OK;
    return err;
}

/* One after the other. */
static LpErr go_and_fork(Options *o, LpSession *session, LpDiag *diag) {
    const Moves *m = &o->moves;
    LpAt at;
    LP_TRY(go_to_open(o, session, diag));
    if (m->count == 0)
        return LP_OK;
    const char *last = m->move[m->count - 1].text;
    o->ui.stay = m->move[m->count - 1].kind == MOVE_AT && is_worst(last);
    o->ui.look = o->ui.stay && waits_for_keys(o) ? last : NULL;
    for (size_t i = 0; i + (o->ui.look != NULL) < m->count; i++)
        LP_TRY(make_move(session, m->move[i].kind, m->move[i].text, diag));
    return o->ui.look ? lp_at_parse(o->ui.look, &at, diag) : LP_OK;
}

/* Notes what differs from the facts given by --expect. */
static LpErr check_expected(Options *o, const LpSession *session, LpDiag *diag) {
    LpBuf said = {0};
    if (o->expect == NULL)
        return LP_OK;
    LpErr err = lp_moment_check(session, o->expect, &said, diag);
    if (err == LP_OK && said.len > 0 && o->ui.notice == NULL) {
        snprintf(o->notice, sizeof o->notice, "not as it was: %s", lp_buf_text(&said));
        o->ui.notice = o->notice;
    }
    lp_buf_fini(&said);
    return err;
}

/* The line that opened this session. */
static LpErr note_command_line(Options *o, const char *scenario, LpDiag *diag) {
    const LpSessionArgs *a = &o->session;
    LpBuf *out = &o->command_line;
    char time[LP_NUM_TEXT];
    lp_buf_add(out, "lightpath ");
    lp_shell_word(out, scenario);
    if (a->seed.given)
        lp_buf_addf(out, " --seed %llu", (unsigned long long)a->seed.value);
    if (a->until > 0)
        lp_buf_addf(out, " --until %s", lp_num_print(a->until, time));
    if (a->policy != NULL) {
        lp_buf_add(out, " --policy ");
        lp_shell_word(out, a->policy);
    }
    for (uint32_t i = 0; i < a->params.count; i++) {
        lp_buf_add(out, " --param ");
        lp_shell_word(out, a->params.item[i]);
    }
    for (uint32_t i = 0; i < a->sets.count; i++) {
        lp_buf_add(out, " --set ");
        lp_shell_word(out, a->sets.item[i]);
    }
    o->ui.command_line = lp_buf_text(out);
    return lp_buf_ok(out, diag);
}

/* ---- sessions in files ---- */

/* Two that write one file would lose what one of them did: the second has a copy. */
static void note_holder(Options *o, const char *path) {
    LpHolder holder = lp_lock_holder_of(path);
    char who[48] = "another program";
    if (!holder.held)
        return;
    if (holder.pid > 0)
        snprintf(who, sizeof who, "process %ld", holder.pid);
    snprintf(o->notice, sizeof o->notice,
             "%s is writing this session: here is a copy as of now; :write NAME saves it elsewhere",
             who);
    o->ui.notice = o->notice;
}

static LpErr load_session(Options *o, const char *path, LpSession **session, LpDiag *diag) {
    const LpSessionArgs *args = &o->session;
    LpLoadSpec spec = {.path = path,
                       .max_input = args->max_input,
                       .max_memory = args->max_memory,
                       .keep_explain = true,
                       .log = args->log};
    LpLoadReport report;
    if (args->policy != NULL || args->params.count > 0 || args->sets.count > 0 ||
        args->seed.given || args->until > 0)
        return lp_fail(diag, LP_EINVAL,
                       "a session is opened as it was: expected no --policy, --param, --set, "
                       "--seed or --until (--fork forks it)");
    o->ui.session_stamp = lp_session_file_stamp(path);
    LP_TRY(lp_session_load(&spec, session, &report, diag));
    o->ui.session_file = path;
    /* What a person should know of the file before anything else. */
    char text[2 * LP_DIAG_TEXT] = "";
    if (report.differences > 0)
        snprintf(text, sizeof text,
                 "branch %s ends at decision %llu: version %s decided otherwise (%s; now: %s)",
                 report.branch, (unsigned long long)report.decision, report.version,
                 report.recorded, report.now);
    else if (report.policy_failed)
        snprintf(text, sizeof text, "a policy of the session does not load: %s",
                 report.policy_error);
    else if (report.damage_cut)
        snprintf(text, sizeof text, "line %d of the session is cut off; all before it is here",
                 report.damage_line);
    else if (report.damage_line > 0)
        snprintf(text, sizeof text, "damaged at line %d: %s; the %llu line%s before it %s here",
                 report.damage_line, report.damage, (unsigned long long)report.lines,
                 lp_str_s(report.lines), report.lines == 1 ? "is" : "are");
    lp_str_copy(o->notice, sizeof o->notice, text);
    o->ui.notice = o->notice[0] != '\0' ? o->notice : NULL;
    note_holder(o, path);
    return LP_OK;
}

static LpErr open_session(Options *o, const char *scenario, LpSession **session, LpDiag *diag) {
    o->session.keep_explain = o->session.keep_timeline = true;
    bool is_session;
    LP_TRY(lp_cli_is_session(scenario, &is_session, diag));
    if (is_session)
        return load_session(o, scenario, session, diag);
    return lp_cli_open(scenario, &o->session, true, session, diag);
}

/* What cannot be opened ends the program; with `refused` it is left to the list to say so. */
static int open_named(Options *o, const char *scenario, bool *refused) {
    LpSession *session;
    LpDiag diag;
    int code;
    if (open_session(o, scenario, &session, &diag) != LP_OK) {
        if (refused == NULL)
            return lp_cli_fail(&diag);
        lp_diag_format(&diag, o->wrong, sizeof o->wrong);
        *refused = true;
        return LP_EXIT_OK;
    }
    o->ui.autosave = !o->no_autosave;
    if (go_and_fork(o, session, &diag) == LP_OK && check_expected(o, session, &diag) == LP_OK &&
        note_command_line(o, scenario, &diag) == LP_OK)
        code = explore(session, o);
    else
        code = lp_cli_fail(&diag);
    lp_session_close(session);
    return code;
}

/* One that the session before made. */
static int open_made(Options *o, LpSession *session) {
    o->ui.autosave = !o->no_autosave;
    int code = explore(session, o);
    lp_session_close(session);
    return code;
}

/* The list of scenarios; *word NULL: the user wants none of them. Returns an exit code. */
static int choose(Options *o, LpArena *arena, const char **word, bool *tour) {
    LpDiag diag = {0};
    const char *no_color = getenv("NO_COLOR");
    o->ui.no_color |= no_color != NULL && no_color[0] != '\0';
    o->ui.notice = o->wrong[0] != '\0' ? o->wrong : NULL;
    *word = NULL;
    int code = arena != NULL ? lp_ui_pick(&o->ui, DEFAULT_SCENARIO, arena, word, tour, &diag)
                             : (lp_fail_memory(&diag, "a list of scenarios"), LP_EXIT_FAILED);
    if (code != LP_EXIT_OK && code < LP_EXIT_SIGNAL)
        lp_cli_fail(&diag);
    o->wrong[0] = '\0';
    o->ui.notice = NULL;
    return code;
}

/* One session after the other, for as long as leaving one leads on. */
static int open_in_turn(Options *o, const char *word, LpArena *arena) {
    int code = LP_EXIT_OK;
    bool tour = false, first = word != NULL;
    o->ui.next = &o->next;
    if (word == NULL)
        code = choose(o, arena, &word, &tour);
    LpSession *made = NULL;
    while (code == LP_EXIT_OK && (word != NULL || made != NULL)) {
        o->ui.tour = tour;
        bool refused = false;
        o->next = (LpUiNext){0};
        code = made != NULL ? open_made(o, made) : open_named(o, word, first ? NULL : &refused);
        first = false;
        made = o->next.session;
        /* What was said of the first session does not hold for those that follow it. */
        LpSessionArgs *a = &o->session;
        a->policy = NULL;
        a->params.count = a->sets.count = 0;
        a->seed.given = false;
        a->until = 0;
        o->moves.count = 0;
        o->expect = NULL;
        o->notice[0] = '\0';
        o->ui.notice = o->ui.session_file = o->ui.look = NULL;
        lp_buf_clear(&o->command_line);
        lp_str_copy(o->opened, sizeof o->opened, o->next.open);
        tour = o->next.tour;
        word = o->opened[0] != '\0' ? o->opened : NULL;
        if (code == LP_EXIT_OK && (o->next.list || refused))
            code = choose(o, arena, &word, &tour);
    }
    lp_session_close(made); /* made, and then nobody went there: a signal, an error */
    return code;
}

/* In a terminal the user chooses; a script of keys, and --plain, begin with the default. */
static int open_or_choose(Options *o, const char *word) {
    if (headless(&o->ui) || o->ui.plain)
        return open_named(o, word != NULL ? word : DEFAULT_SCENARIO, NULL);
    LpArena *arena = lp_arena_new(0);
    int code = open_in_turn(o, word, arena);
    lp_arena_free(arena);
    return code;
}

/* What was asked for must be there; the user's own choice gives way with a notice. A script of keys
 * knows no configuration. */
static LpErr choose_theme(Options *o, LpDiag *diag) {
    bool found = true;
    o->ui.theme = &o->colours;
    if (o->theme != NULL)
        return lp_theme_open(o->theme, o->ui.scenario_file, &o->colours, diag);
    o->colours = *lp_theme_built_in();
    LpErr err = headless(&o->ui) ? LP_OK : lp_theme_open_default(&o->colours, &found, diag);
    if (!found)
        o->ui.theme = NULL; /* as the terminal is */
    if (err == LP_OK)
        return LP_OK;
    lp_diag_format(diag, o->wrong, sizeof o->wrong);
    return LP_OK;
}

static LpErr choose_keys(Options *o, LpDiag *diag) {
    o->ui.keymap = &o->keymap;
    if (o->keymap_file != NULL)
        return lp_keymap_load(o->keymap_file, &o->keymap, diag);
    lp_keymap_defaults(&o->keymap);
    if (!headless(&o->ui) && lp_keymap_load_default(&o->keymap, diag) != LP_OK)
        lp_diag_format(diag, o->wrong, sizeof o->wrong);
    return LP_OK;
}

static int open_explorer(Options *o, const char *word) {
    LpDiag diag;
    int code = check_terminal(o, word != NULL);
    if (code != LP_EXIT_OK)
        return code;
    o->ui.scenario_file = word != NULL && strcmp(word, "-") != 0 ? word : NULL;
    if (choose_theme(o, &diag) != LP_OK || choose_keys(o, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    return open_or_choose(o, word);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_open, cli, &options, &args, &code))
        return code;
    options.session.log = lp_cli_log_to(cli->log);
    if (lp_cli_log_on_terminal(cli->log) && !headless(&options.ui) && !options.ui.plain)
        code = fail("LP_LOG: the explorer takes the whole terminal: expected a file for the lines "
                    "in LP_LOG_FILE, or standard error sent elsewhere");
    else
        code = open_explorer(&options, args.words > 0 ? args.word[0] : NULL);
    lp_buf_fini(&options.command_line);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_open = {
    .name = "",
    .arguments = "[SCENARIO]",
    .summary = "Open the explorer (without SCENARIO: on one that you choose)",
    .least = 0,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "SCENARIO is a file, or the name of a scenario that is installed.\n"
             "Exit codes: 0 done, 1 the run failed, 2 bad input or usage.\n",
    .run = run,
};
