/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the line that is typed, and the hint above it. */
#include <stdio.h>
#include <string.h>

#include "app/show/show.h"
#include "views/console/console_view.h"

void lp_app_prompt_hint(LpApp *app) {
    char name[64];
    const char *text = app->ui.prompt.text;
    size_t len = strcspn(text, " ");
    LpBuf hint = {0};
    lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, text);
    int command = lp_ui_command_find(name);
    app->typed.choice = -1;
    app->ui.hint_from = app->ui.hint_to = 0;
    if (app->ui.prompt.mark == '/') {
        lp_keymap_text(&app->keymap,
                       "a text to look for; then {next-decision} and {match-back} go to the next "
                       "and the last, {out} ends",
                       app->ui.hint, sizeof app->ui.hint);
        return;
    }
    if (app->ui.prompt.mark == '>') {
        lp_console_hint(&app->ui.prompt, app->ui.hint, sizeof app->ui.hint);
        return;
    }
    if (command >= 0) {
        lp_ui_command_usage((LpUiCommand)command, &hint);
        lp_buf_add(&hint, ": ");
        lp_keymap_add(&app->keymap, lp_ui_command_info((LpUiCommand)command)->help, &hint);
    } else if (app->ui.prompt.len == 0) {
        lp_buf_add(&hint, "a command; Tab completes, help lists them, Esc leaves");
    }
    lp_str_copy(app->ui.hint, sizeof app->ui.hint, lp_buf_text(&hint));
    lp_buf_fini(&hint);
}

LpHistory *lp_app_prompt_history(LpApp *app) {
    char mark = app->ui.prompt.mark;
    return mark == '/'   ? &app->typed.searches
           : mark == '>' ? &app->typed.questions
                         : &app->typed.history;
}

void lp_app_prompt(LpApp *app, const char *text) {
    lp_app_prompt_for(app, ':', text);
}

void lp_app_prompt_for(LpApp *app, char mark, const char *text) {
    app->ui.playing = false;
    app->ui.prompt.open = true;
    app->ui.prompt.mark = mark;
    lp_app_prompt_history(app)->at = lp_app_prompt_history(app)->count;
    lp_prompt_set(&app->ui.prompt, text);
    lp_app_prompt_hint(app);
}
