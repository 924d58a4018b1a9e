/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which action a key stands for now: a question, the line, the presenter, or an action. */
#include <string.h>

#include "app/app_impl.h"

/* Only the keys that answer do what was asked. */
static void answer(LpApp *app, LpKey key, int64_t now) {
    LpDiag diag = {0};
    const char *found = key < 128 && key > 0 ? strchr(app->typed.keys, (int)key) : NULL;
    app->ui.ask[0] = '\0';
    if (found) {
        const char *command = app->typed.answer[found - app->typed.keys];
        lp_app_attempt(app, lp_app_command(app, command, now, &diag), &diag);
    } else {
        lp_app_say(app, false, "not done");
    }
}

static void say_useless(LpApp *app, LpKey key) {
    char name[16], rest[64];
    lp_app_say(app, false, "%s does nothing here; %s", lp_key_name(key, name),
               lp_keymap_text(&app->keymap, "{help} shows the keys", rest, sizeof rest));
}

void lp_app_key(LpApp *app, LpKey key, int64_t now) {
    LpUiAction action = lp_keymap_action(&app->keymap, key);
    if (lp_app_looks(app)) {
        lp_app_look_stop(app);
        return;
    }
    if (lp_app_demo_back_key(app, key) || lp_app_demo_key(app, key, now))
        return;
    app->ui.message[0] = '\0';
    app->ui.message_bad = false;
    if (!app->demo.on)
        app->ui.told[0] = '\0';
    app->dirty = true;
    lp_app_record_played(app);
    lp_app_poll(app);
    if (app->ui.ask[0])
        answer(app, key, now);
    else if (app->ui.prompt.open && action != LP_UI_ACTION_INTERRUPT)
        lp_app_prompt_key(app, key, now);
    else if (lp_app_presenter_key(app, key, now))
        app->dirty = true;
    else if (action != LP_UI_ACTION_NONE)
        lp_app_act(app, action, now), lp_app_record_action(app, action);
    else
        say_useless(app, key);
    lp_app_saved(app, now);
}

void lp_app_paste(LpApp *app, const char *text, int64_t now) {
    size_t len = strlen(text), step, count = 0;
    bool line = app->ui.prompt.open && !app->ui.ask[0];
    uint32_t cp;
    for (size_t at = 0; at < len; at += step, count++) {
        step = lp_utf8_decode(text + at, len - at, &cp);
        if (line)
            lp_app_key(app, cp, now);
    }
    if (!line) {
        char more[80];
        app->dirty = true;
        lp_app_say(app, false, "%zu character%s pasted; %s", count, count == 1 ? "" : "s",
                   lp_keymap_text(&app->keymap, "{command} types a command that takes them", more,
                                  sizeof more));
    }
}
