/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath schema NAME`: what editors and checkers of JSON want to know of a kind of file. */
#include "host/schema.h"
#include "cli/common/cli.h"

static int run(const LpCli *cli) {
    LpBuf text = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_schema, cli, NULL, &args, &code))
        return code;
    LpErr err = lp_run_schema(args.word[0], &text, &diag);
    code = lp_cli_print(err, &text, &diag);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_schema = {
    .name = "schema",
    .arguments = "scenario|lesson|theme|keys|job",
    .summary = "Print the JSON Schema of a kind of file, or of a job in results",
    .least = 1,
    .most = 1,
    .flag = NULL,
    .flags = 0,
    .notes =
        "The schema says which keys there are and what they may be; lightpath check says more. job "
        "is an\n"
        "entry of jobs in what lightpath run --json prints: every key with its meaning and unit.\n",
    .run = run,
};
