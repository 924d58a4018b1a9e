/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath import`: others' profiles as lightpath's own. */
#include <string.h>

#include "cli/cli.h"
#include "run/report/import.h"

typedef struct Options {
    const char *out, *time_unit;
    size_t max_input;
} Options;

static const LpFlag flags[] = {
    {"--output", "-o", "OUT", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "file to write (default and -: standard output)"},
    {"--time-unit", NULL, "UNIT", LP_FLAG_TEXT, offsetof(Options, time_unit), NULL,
     "of the profile's times: s, ms, us, ns (default ms)"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
};

static int write_profile(const Options *o, const char *input, const LpBuf *text) {
    bool standard = o->out == NULL || strcmp(o->out, "-") == 0;
    LpOutput output = lp_output_standard();
    LpWriteSpec spec = {.path = o->out,
                        .kind = {"profile of lightpath's own", "{\"lightpath_profile\":"},
                        .input = {input}};
    LpDiag diag;
    if (!standard && lp_output_begin(&output, &spec, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err = lp_output_add(&output, text, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static int import(const Options *o, const char *format, const char *file) {
    LpImportSpec spec = {
        .format = format, .file = file, .time_unit = o->time_unit, .max_input = o->max_input};
    LpBuf text = {0};
    LpDiag diag;
    int code = lp_import_run(&spec, &text, &diag) == LP_OK ? write_profile(o, file, &text)
                                                           : lp_cli_fail(&diag);
    lp_buf_fini(&text);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_import, cli, &options, &args, &code))
        return code;
    code = import(&options, args.word[0], args.word[1]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_import = {
    .name = "import",
    .arguments = "FORMAT FILE",
    .summary = "Convert a profile to lightpath's own JSON",
    .least = 2,
    .most = 2,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "FORMAT is pipedream. FILE may be - for standard input. Times become seconds.\n",
    .run = run,
};
