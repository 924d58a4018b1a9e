/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help: the page of all keys, commands and settings, and what is known of one word. */
#include <string.h>

#include "app/show/show.h"
#include "ask/policy/tools.h"
#include "views/help/help_view.h"

static void add_command_help(const LpKeymap *map, LpUiCommand command, LpBuf *out) {
    lp_ui_command_usage(command, out);
    lp_buf_add(out, "\t");
    lp_keymap_add(map, lp_ui_command_info(command)->help, out);
    lp_buf_add(out, "\n");
}

static const char *section_of(int command) {
    return lp_ui_command_info((LpUiCommand)command)->section;
}

/* The commands of a section together, in the order of the sections' first ones. */
static void add_section(const LpKeymap *map, int first, const char *mark, LpBuf *out) {
    for (int i = 0; i < first; i++)
        if (strcmp(section_of(i), section_of(first)) == 0)
            return;
    lp_buf_addf(out, "%s Commands: %s\n", mark, section_of(first));
    for (int i = first; i < LP_UI_COMMAND_COUNT; i++)
        if (strcmp(section_of(i), section_of(first)) == 0)
            add_command_help(map, (LpUiCommand)i, out);
}

static void add_commands(const LpKeymap *map, LpBuf *out) {
    for (int i = 0; i < LP_UI_COMMAND_COUNT; i++)
        add_section(map, i, i == 0 ? "#=" : "#", out);
    lp_buf_add(out, "# Settings\n");
    lp_app_tell_settings(out);
}

void lp_app_help_keys(LpApp *app) {
    LpBuf text = {0};
    lp_view_help_text(&app->model, app->canvas.ascii, &text);
    add_commands(&app->keymap, &text);
    lp_app_page(app, "help", &text);
    app->ui.help = true;
    lp_buf_fini(&text);
}

LpErr lp_app_help(LpApp *app, const char *topic, LpDiag *diag) {
    LpBuf text = {0};
    char title[64] = "commands", shown[48];
    int command = topic ? lp_ui_command_find(topic) : -1;
    uint32_t found = 1;
    if (!topic) {
        add_commands(&app->keymap, &text);
        lp_keymap_add(
            &app->keymap,
            "# More\n{help}\tthe keys\n{words}\tthe words of the screen\nhelp WORD\twhat a word of "
            "the screen means: JCT, ways, lit, 2x2x1\nhelp cluster\twhat a Lua policy can "
            "ask: cluster, job, hook, match, graph, or one name such as "
            "cluster.predict\n",
            &text);
    } else {
        if (command >= 0)
            add_command_help(&app->keymap, (LpUiCommand)command, &text);
        found = lp_app_tell_setting(topic, &text);
        found += lp_app_word_text(app, topic, &text);
        found += lp_policy_tool_about(topic, &text) + (command >= 0);
        lp_str_copy(title, sizeof title, lp_str_show(shown, sizeof shown, topic));
    }
    if (found > 0)
        lp_app_page(app, title, &text);
    lp_buf_fini(&text);
    if (found > 0)
        return LP_OK;
    return lp_fail(
        diag, LP_EINVAL,
        "nothing is known of \"%s\": expected a word of the screen, a command, or a name "
        "of the Lua interface",
        lp_str_show(shown, sizeof shown, topic));
}
