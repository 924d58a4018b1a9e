/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath doctor`: what an import would take of a file, and what it would leave out. */
#include "cli/common/import_args.h"

typedef struct Options {
    bool json, all;
    LpImportArgs import;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL, "as one JSON object"},
    {"--all", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, all), NULL,
     "with --json: the long lists, too: jobs, links, nodes by rank"},
    LP_IMPORT_FLAGS(Options),
};

static int run(const LpCli *cli) {
    Options o = {0};
    LpArgs args;
    LpImported is;
    LpBuf text = {0};
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_doctor, cli, &o, &args, &code))
        return code;
    LpErr err = lp_cli_import(args.word, args.words, &o.import, &is, &diag);
    if (err == LP_OK)
        err = o.json ? lp_import_json(&is.import, o.all, &text, &diag)
                     : lp_cli_import_text(&is, &text, &diag);
    code = lp_cli_print(err, &text, &diag);
    lp_cli_import_free(&is);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_doctor = {
    .name = "doctor",
    .arguments = "[FORMAT] FILE...",
    .summary = "Say what a file of another program holds, and what an import would leave out",
    .least = 1,
    .most = -1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Nothing is written. Rows are taken or left out for one reason each, so that\n"
             "rows = taken + left out. Without FORMAT it is told from the file's contents.\n"
             "`lightpath import --formats` lists the formats.\n",
    .run = run,
};
