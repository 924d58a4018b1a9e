/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath keys`: what the keys of the explorer do, as a list, as a file of keys to begin with,
 * or as the manual's list. */
#include <string.h>

#include "cli/common/cli.h"
#include "term/keymap.h"

typedef struct Options {
    const char *keymap;
    bool json, man;
} Options;

static const LpFlag flags[] = {
    {"--keymap", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, keymap), NULL,
     "those of a file instead of one's own"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "as a file of keys, to be changed and used with --keymap"},
    {"--man", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, man), NULL,
     "the defaults as the list of lightpath-keys(5)"},
};

static void add_list(const LpKeymap *map, LpBuf *out) {
    const char *section = "";
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++) {
        const LpUiActionInfo *info = lp_ui_action_info((LpUiAction)i);
        if (strcmp(section, info->section) != 0)
            lp_buf_addf(out, "%s%s\n", i > 1 ? "\n" : "", section = info->section);
        LpUiAction action = (LpUiAction)i;
        char name[LP_UI_ACTION_NAME];
        LpBuf keys = {0};
        lp_keymap_keys(map, action, &keys);
        lp_buf_addf(out, "  %-14s%-16s", lp_buf_text(&keys), lp_ui_action_name(action, name));
        lp_keymap_add(map, lp_ui_action_info(action)->help, out);
        lp_buf_add(out, "\n");
        out->failed |= keys.failed;
        lp_buf_fini(&keys);
    }
}

/* Escapes what roff would take for a request or an escape. */
static void add_roff(const char *text, LpBuf *out) {
    lp_buf_add(out, *text == '.' || *text == '\'' ? "\\&" : "");
    for (; *text; text++)
        if (*text == '\\' || *text == '"')
            lp_buf_add(out, *text == '"' ? "\\(dq" : "\\e");
        else if (*text == '-' || *text == '\'')
            lp_buf_addf(out, "\\%s", *text == '-' ? "-" : "(aq");
        else
            lp_buf_add_bytes(out, text, 1);
}

static void add_manual(LpBuf *out) {
    char name[LP_UI_ACTION_NAME], help[200];
    lp_buf_add(out, ".Ss keys\n.Bl -tag -width Ds\n");
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++) {
        const LpUiActionInfo *info = lp_ui_action_info((LpUiAction)i);
        lp_buf_add(out, ".It Ic ");
        add_roff(lp_ui_action_name((LpUiAction)i, name), out);
        lp_buf_add(out, " No \"");
        add_roff(info->keys, out);
        lp_buf_add(out, "\"\n");
        add_roff(lp_keymap_text(NULL, info->help, help, sizeof help), out);
        lp_buf_add(out, "\n");
    }
    lp_buf_add(out, ".El\n");
}

static LpErr make(const Options *o, LpBuf *out, LpDiag *diag) {
    LpKeymap map;
    if (o->keymap != NULL)
        LP_TRY(lp_keymap_load(o->keymap, &map, diag));
    else
        LP_TRY(lp_keymap_load_default(&map, diag));
    if (o->man)
        add_manual(out);
    else if (o->json)
        lp_keymap_json(&map, out);
    else
        add_list(&map, out);
    return LP_OK;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpBuf text = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_keys, cli, &options, &args, &code))
        return code;
    LpErr err = make(&options, &text, &diag);
    code = lp_cli_print(err, &text, &diag);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_keys = {
    .name = "keys",
    .arguments = "",
    .summary = "List what the keys of the explorer do",
    .least = 0,
    .most = 0,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Keys are changed by keys.json in the folder of the configuration (lightpath paths),\n"
             "or --keymap FILE; --json prints a file to begin with. See lightpath-keys(5).\n",
    .run = run,
};
