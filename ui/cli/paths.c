/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath paths`: where files are looked for and kept, and which of them exist. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/files/progress.h"
#include "base/json_out.h"
#include "cli/common/cli.h"
#include "host/paths.h"

typedef struct Options {
    bool json;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL, "print one JSON object"},
};

/* The user's own: a folder, or a file in it. */
static const struct {
    const char *name;
    LpHome home;
    const char *file; /* NULL: the folder itself */
    const char *what;
} own[] = {
    {"config", LP_HOME_CONFIG, NULL, "configuration"},
    {"theme", LP_HOME_CONFIG, "theme.json", "colours to begin with, lightpath-theme(5)"},
    {"keys", LP_HOME_CONFIG, "keys.json", "other keys, lightpath-keys(5)"},
    {"state", LP_HOME_STATE, NULL, "sessions that were saved by themselves"},
    {"data", LP_HOME_DATA, NULL, "your own scripts/, scenarios/ and themes/"},
    {"progress", LP_PROGRESS_HOME, LP_PROGRESS_FILE, "lessons and the tour that were gone through"},
};

static const struct {
    const char *name, *folder;
} kinds[] = {{"scripts", "scripts"},
             {"libraries", "scripts/lib"},
             {"scenarios", "scenarios"},
             {"themes", "themes"}};

static bool exists(const char *path) {
    return path[0] != '\0' && access(path, F_OK) == 0;
}

static void own_path(size_t i, char path[LP_PATH_TEXT]) {
    if (own[i].file == NULL)
        lp_paths_home(own[i].home, path, LP_PATH_TEXT);
    else
        lp_paths_in_home(own[i].home, own[i].file, path, LP_PATH_TEXT);
}

/* ---- as text ---- */

static void add_line(const char *name, const char *path, const char *what, LpBuf *out) {
    lp_buf_addf(out, "%s %-10s ", exists(path) ? " " : "-", name);
    if (path[0] != '\0')
        lp_str_escape(out, path, strlen(path));
    else
        lp_buf_add(out, "(neither HOME nor the XDG variable is an absolute path)");
    lp_buf_addf(out, "%s%s\n", what[0] != '\0' ? "  " : "", what);
}

static void add_text(LpBuf *out) {
    LpPaths paths;
    char path[LP_PATH_TEXT + 32];
    lp_buf_add(out, "Your own (- where there is none)\n");
    for (size_t i = 0; i < LP_COUNTOF(own); i++) {
        own_path(i, path);
        add_line(own[i].name, path, own[i].what, out);
    }
    lp_buf_add(out, "\nLooked through in this order, after the folder of the scenario\n");
    const char *const *dirs = lp_paths_candidates(&paths);
    for (size_t k = 0; k < LP_COUNTOF(kinds); k++)
        for (size_t i = 0; dirs[i] != NULL; i++) {
            snprintf(path, sizeof path, "%s/%s", dirs[i], kinds[k].folder);
            add_line(i == 0 ? kinds[k].name : "", path, "", out);
        }
}

/* ---- as JSON ---- */

static void add_place(LpJsonOut *out, const char *key, const char *path) {
    lp_json_open(out, key, '{');
    lp_json_put_text(out, "path", path[0] != '\0' ? path : NULL);
    lp_json_put_bool(out, "exists", exists(path));
    lp_json_close(out, '}');
}

static void add_json(LpBuf *text) {
    LpJsonOut out = {.out = text, .spaced = true};
    LpPaths paths;
    char path[LP_PATH_TEXT + 32];
    lp_json_lines(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    for (size_t i = 0; i < LP_COUNTOF(own); i++) {
        own_path(i, path);
        add_place(&out, own[i].name, path);
    }
    const char *const *dirs = lp_paths_candidates(&paths);
    for (size_t k = 0; k < LP_COUNTOF(kinds); k++) {
        lp_json_open(&out, kinds[k].name, '[');
        for (size_t i = 0; dirs[i] != NULL; i++) {
            snprintf(path, sizeof path, "%s/%s", dirs[i], kinds[k].folder);
            add_place(&out, NULL, path);
        }
        lp_json_close(&out, ']');
    }
    lp_json_end(&out);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpBuf text = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_paths, cli, &options, &args, &code))
        return code;
    if (options.json)
        add_json(&text);
    else
        add_text(&text);
    code = lp_cli_print(LP_OK, &text, NULL);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_paths = {
    .name = "paths",
    .arguments = "",
    .summary = "Print where files are looked for and kept",
    .least = 0,
    .most = 0,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = NULL,
    .run = run,
};
