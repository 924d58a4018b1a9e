/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath [SCENARIO]`: the explorer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"
#include "run/moment.h"
#include "run/paths.h"

static const char DEFAULT_SCENARIO[] = "pac-ml-32";

typedef struct Options {
    LpSessionArgs session;
    LpUiOptions ui;
    const char *at;
    LpTexts forks;
} Options;

#define UI_SWITCH(flag, field, help)                                                               \
    { flag, NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ui.field), NULL, help }
#define UI_TEXT(flag, value, field, help)                                                          \
    { flag, NULL, value, LP_FLAG_TEXT, offsetof(Options, ui.field), NULL, help }

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--at", NULL, "MOMENT", LP_FLAG_TEXT, offsetof(Options, at), NULL,
     "open at d57 (a decision), e120 (an event), j12 (a job) or a time"},
    {"--fork", NULL, "WORDS", LP_FLAG_LIST, offsetof(Options, forks), NULL,
     "fork there, such as degree=8 or \"policy=edf.lua\"; may be repeated"},
    UI_SWITCH("--ascii", ascii, "draw with ASCII characters only"),
    UI_SWITCH("--no-color", no_color, "use no colours (also when NO_COLOR is set)"),
    UI_SWITCH("--plain", plain, "no screen: one event per line, for screen readers"),
    UI_TEXT("--theme", "NAME", theme, "colours"),
    UI_TEXT("--keys", "FILE", keys_file, "press the keys in FILE instead of opening a terminal"),
    UI_TEXT("--size", "WxH", size, "columns and rows of that screen (default 80x24)"),
    UI_TEXT("--save-screen", "FILE", save_screen,
            "write the last screen to FILE (- for standard output)"),
};

static int fail(const char *text) {
    LpDiag diag;
    lp_fail(&diag, LP_EINVAL, "%s", text);
    return lp_cli_fail(&diag);
}

static bool headless(const LpUiOptions *ui) {
    return ui->keys_file != NULL || ui->save_screen != NULL;
}

static void list_scenarios(void) {
    LpBuf names = {0};
    lp_paths_list_scenarios(&names);
    if (names.len > 0)
        fprintf(stderr, "Scenarios that came with it:\n%s", lp_buf_text(&names));
    lp_buf_fini(&names);
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
    list_scenarios();
    return code;
}

static int explore(LpSession *session, LpUiOptions *ui) {
    LpDiag diag = {0};
    const char *no_color = getenv("NO_COLOR");
    ui->no_color |= no_color != NULL && no_color[0] != '\0';
    if (headless(ui) && ui->keys_file == NULL)
        ui->keys_file = "/dev/null";
    int code = headless(ui) ? lp_ui_run_keys(session, ui, &diag) : lp_ui_run(session, ui, &diag);
    if (code != LP_EXIT_OK)
        lp_cli_fail(&diag);
    return code;
}

/* To the moment that was asked for, and the forks from there. */
static LpErr go_and_fork(const Options *o, LpSession *session, LpDiag *diag) {
    LpAt at;
    uint32_t branch;
    if (o->at != NULL) {
        LP_TRY(lp_at_parse(o->at, &at, diag));
        LP_TRY(lp_session_go(session, &at, diag));
    }
    for (uint32_t i = 0; i < o->forks.count; i++)
        LP_TRY(lp_session_fork_text(session, o->forks.item[i], &branch, diag));
    return LP_OK;
}

static int open_explorer(Options *o, const char *word) {
    const char *scenario = word != NULL ? word : DEFAULT_SCENARIO;
    LpSession *session;
    LpDiag diag;
    int code = check_terminal(o, word != NULL);
    if (code != LP_EXIT_OK)
        return code;
    if (!lp_theme_find(o->ui.theme)) {
        lp_ui_unknown_theme(o->ui.theme, &diag);
        return lp_cli_fail(&diag);
    }
    o->session.keep_explain = o->session.keep_timeline = true;
    if (lp_cli_open(scenario, &o->session, true, &session, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    if (go_and_fork(o, session, &diag) == LP_OK)
        code = explore(session, &o->ui);
    else
        code = lp_cli_fail(&diag);
    lp_session_close(session);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_open, cli, &options, &args, &code))
        return code;
    code = open_explorer(&options, args.words > 0 ? args.word[0] : NULL);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_open = {
    .name = "",
    .arguments = "[SCENARIO]",
    .summary = "Open the explorer (without SCENARIO: on pac-ml-32)",
    .least = 0,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "SCENARIO is a file, or the name of a scenario that is installed.\n"
             "Exit codes: 0 done, 1 the run failed, 2 bad input or usage.\n",
    .run = run,
};
