/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a command and as files (stage.h says what must hold). Each input is one thing, which
 * its first byte chooses: one command of an explorer that stays open and one look at its screen, or
 * one file. A run whose every text is the input is another target, fuzz_names: it takes as long as
 * hundreds of these. */
#include "app/app_impl.h"
#include "io/io_keys.h"
#include "io/scenario/scenario.h"
#include "io/theme.h"
#include "stage.h"

enum { INPUTS_EACH = 1000, BRANCHES = 8 };

/* In an explorer that serves many inputs: it is opened anew where it was left, and before its tree
 * of branches grows. */
static void check_command(size_t command, const char *text) {
    static const uint8_t name[] = "name";
    static LpFuzzStage stage;
    static int left;
    if (left-- <= 0 || stage.app.quit || lp_session_branches(stage.session) > BRANCHES) {
        lp_fuzz_close(&stage);
        lp_fuzz_open(&stage, name, sizeof name - 1);
        lp_fuzz_must(stage.open);
        left = INPUTS_EACH;
    }
    lp_fuzz_command(&stage.app, command, text);
}

static LpErr read_theme(const char *text, LpDiag *diag) {
    static const char *const roles[] = {"text", NULL};
    LpThemeSpec theme;
    return lp_theme_parse(text, text, strlen(text), roles, &theme, diag);
}

static LpErr read_keys(const char *text, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpBindings keys;
    LpErr err = LP_ENOMEM;
    if (arena)
        err = lp_keys_parse(text, text, strlen(text), arena, &keys, diag);
    lp_arena_free(arena);
    return err;
}

static LpErr read_scenario(const char *text, LpDiag *diag) {
    const LpLoadOptions options = {.max_input = 1 << 12};
    LpScenario *scenario = NULL;
    LpErr err = lp_scenario_parse(text, strlen(text), text, &options, &scenario, diag);
    lp_scenario_free(scenario);
    return err;
}

/* What is said of a file whose name and text are the input. */
static LpErr (*const readers[])(const char *text, LpDiag *diag) = {read_theme, read_keys,
                                                                   read_scenario};

FUZZ_TARGET(terminal)(const uint8_t *data, size_t size) {
    char text[LP_FUZZ_TEXT + 1];
    LpDiag diag = {0};
    size_t kind = size > 0 ? data[0] % (LP_FUZZ_COMMANDS + LP_COUNTOF(readers)) : 0;
    lp_fuzz_line(size > 0 ? data + 1 : data, size > 0 ? size - 1 : 0, text);
    if (kind < LP_FUZZ_COMMANDS)
        check_command(kind, text);
    else
        lp_fuzz_diag(readers[kind - LP_FUZZ_COMMANDS](text, &diag), &diag);
    return true;
}
