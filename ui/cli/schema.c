/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath schema NAME`: what editors and checkers of JSON want to know of a kind of file. */
#include "cli/common/cli.h"
#include "say/records.h"

typedef struct Options {
    bool man;
} Options;

static const LpFlag flags[] = {
    {"--man", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, man), NULL,
     "print the lists of lightpath(1) instead: the keys of all records"},
};

static int run(const LpCli *cli) {
    Options options = {0};
    LpBuf text = {0};
    LpArgs args;
    LpDiag diag;
    LpErr err = LP_OK;
    int code;
    if (!lp_args_read(&lp_command_schema, cli, &options, &args, &code))
        return code;
    if (options.man)
        lp_result_man(&text);
    else
        err = lp_result_schema(args.words > 0 ? args.word[0] : "", &text, &diag);
    code = lp_cli_print(err, &text, &diag);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_schema = {
    .name = "schema",
    .arguments = "[NAME]",
    .summary = "Print the JSON Schema of a kind of file, or of a record in results",
    .least = 0,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "NAME is a kind of file: scenario, lesson, theme or keys; lightpath check says more than\n"
        "the schema can. Or it is a record of results, all keys with meaning and unit: job, "
        "summary\n"
        "and blame (of run --json), step, plan and slice (of predict GRAPH, zoo:decoder and\n"
        "slice:...), way (of whatif), device and machine (of devices), capacity (of pods).\n",
    .run = run,
};
