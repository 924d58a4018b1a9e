/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath import`: others' profiles and traces of faults as lightpath's own. */
#include <string.h>

#include "cli/common/cli.h"
#include "say/import.h"

typedef struct Options {
    const char *out, *time_unit, *kind;
    double servers;
    size_t max_input;
} Options;

static const LpFlag flags[] = {
    {"--output", "-o", "OUT", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "file to write (default and -: standard output)"},
    {"--time-unit", NULL, "UNIT", LP_FLAG_TEXT, offsetof(Options, time_unit), NULL,
     "of the profile's times: s, ms, us, ns (default ms)"},
    {"--servers", NULL, "COUNT", LP_FLAG_PARSED, offsetof(Options, servers), lp_arg_whole,
     "stepfun: servers that there were (default 400)"},
    {"--kind", NULL, "KIND", LP_FLAG_TEXT, offsetof(Options, kind), NULL,
     "stepfun: what they are in the trace (default host)"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
};

static bool to_standard(const Options *o) {
    return o->out == NULL || strcmp(o->out, "-") == 0;
}

static int write_text(const Options *o, const char *input, const LpBuf *text) {
    bool profile = lp_buf_text(text)[0] == '{';
    LpOutput output = lp_output_standard();
    LpWriteSpec spec = {.path = o->out,
                        .kind = {"profile of lightpath's own", "{\"lightpath_profile\":"},
                        .input = {input}};
    if (!profile)
        spec.kind = (LpFileKind){"trace of failures", "# "};
    LpDiag diag;
    if (!to_standard(o) && lp_output_begin(&output, &spec, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err = lp_output_add(&output, text, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static int import(const Options *o, const char *format, const char *file) {
    LpImportSpec spec = {.format = format,
                         .file = file,
                         .time_unit = o->time_unit,
                         .max_input = o->max_input,
                         .servers = o->servers < UINT32_MAX ? (uint32_t)o->servers : UINT32_MAX,
                         .kind = o->kind};
    LpBuf text = {0}, figures = {0};
    LpDiag diag;
    int code = lp_import_run(&spec, &text, &figures, &diag) == LP_OK ? write_text(o, file, &text)
                                                                     : lp_cli_fail(&diag);
    if (code == LP_EXIT_OK && !to_standard(o)) {
        Options standard = {0};
        code = figures.len > 0 ? write_text(&standard, file, &figures) : code;
    }
    lp_buf_fini(&text);
    lp_buf_fini(&figures);
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
    .summary = "Convert a profile or a trace of faults to lightpath's own form",
    .least = 2,
    .most = 2,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "FORMAT is pipedream (a profile, which becomes JSON) or stepfun (faults of\n"
             "servers as StepFun published them, which become lines for a scenario's\n"
             "failures.trace; with --output their figures are printed). FILE may be - for\n"
             "standard input. Times become seconds.\n",
    .run = run,
};
