/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath import`: files of other programs as lightpath's own. */
#include <string.h>

#include "cli/common/import_args.h"

typedef struct Options {
    const char *out;
    bool json, formats, man;
    LpImportArgs import;
} Options;

static const LpFlag flags[] = {
    {"--output", "-o", "OUT", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "file to write (default and -: standard output)"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "with --output: the report as one JSON object on standard output"},
    {"--formats", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, formats), NULL,
     "list the formats, and nothing else"},
    {"--man", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, man), NULL,
     "with --formats: as the manual's list"},
    LP_IMPORT_FLAGS(Options),
};

static bool to_standard(const Options *o) {
    return o->out == NULL || strcmp(o->out, "-") == 0;
}

/* What kind of file may give way to what is written. */
static LpFileKind kind_of(const LpImport *import) {
    switch (import->format->makes) {
    case LP_MAKES_PROFILE:
        return (LpFileKind){"profile of lightpath's own", "{\"lightpath_profile\":"};
    case LP_MAKES_FAULTS:
        return (LpFileKind){"trace of failures", "# "};
    default:
        return (LpFileKind){"scenario", "{"};
    }
}

static int write_out(const Options *o, const LpImportedRows *is) {
    const LpImport *import = &is->import;
    LpOutput output = lp_output_standard();
    LpWriteSpec spec = {.path = o->out,
                        .kind = kind_of(import),
                        .input = {import->reading.file[0], o->import.cluster}};
    LpDiag diag;
    if (!to_standard(o) && lp_output_begin(&output, &spec, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err =
        lp_import_write(import, is->has_onto ? &is->onto : NULL, lp_output_write, &output, &diag);
    if (err == LP_EINVAL) {
        lp_output_drop(&output);
        return lp_cli_fail(&diag);
    }
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

/* Figures of faults, without the blanks before the lines of a report. */
static int print_figures(const LpImport *import) {
    LpBuf report = {0}, text = {0};
    LpDiag diag;
    import->format->text(&import->reading, &report);
    for (const char *at = lp_buf_text(&report); *at != '\0';) {
        size_t len = strcspn(at, "\n");
        lp_buf_addf(&text, "%.*s\n", (int)len - 2, at + 2);
        at += len + (at[len] == '\n');
    }
    text.failed |= report.failed;
    lp_buf_fini(&report);
    return lp_cli_print(lp_buf_ok(&text, &diag), &text, &diag);
}

/* The report goes to where it is not in the way of what is written. */
static int report(const Options *o, const LpImportedRows *is) {
    const LpImport *import = &is->import;
    LpBuf text = {0};
    LpDiag diag;
    if (to_standard(o) && import->format->makes != LP_MAKES_JOBS)
        return LP_EXIT_OK;
    if (o->json && !to_standard(o)) {
        LpErr err = lp_import_json(import, false, &text, &diag);
        return lp_cli_print(err, &text, &diag);
    }
    if (import->format->makes == LP_MAKES_FAULTS)
        return print_figures(import);
    LpErr err = lp_cli_import_text(is, &text, &diag);
    char out[256];
    if (err == LP_OK && import->format->makes == LP_MAKES_JOBS && !to_standard(o)) {
        lp_str_show(out, sizeof out, o->out);
        err = lp_import_together(import, &text, &diag);
        lp_buf_addf(&text, "next                lightpath %s      lightpath run %s --worst\n", out,
                    out);
    }
    if (err == LP_OK && import->format->makes == LP_MAKES_JOBS)
        lp_cli_tell(lp_buf_text(&text));
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail(&diag);
}

static int list_formats(bool man) {
    const LpFormat *const *format;
    size_t formats = lp_formats(&format);
    LpBuf text = {0};
    LpDiag diag;
    if (man)
        lp_buf_add(&text, ".Ss formats\n.Bl -tag -width Ds\n");
    for (size_t i = 0; i < formats; i++)
        lp_buf_addf(&text, man ? ".It Li %s\n%s\n" : "%-16s %s\n", format[i]->name,
                    format[i]->what);
    if (man)
        lp_buf_add(&text, ".El\n");
    return lp_cli_print(lp_buf_ok(&text, &diag), &text, &diag);
}

static int import_files(const Options *o, const LpArgs *args) {
    LpImportedRows is;
    LpDiag diag;
    int code = LP_EXIT_OK;
    if (lp_cli_import(args->word, args->words, &o->import, &is, &diag) != LP_OK)
        code = lp_cli_fail(&diag);
    else
        code = write_out(o, &is);
    if (code == LP_EXIT_OK)
        code = report(o, &is);
    lp_cli_import_free(&is);
    return code;
}

static int run(const LpCli *cli) {
    Options o = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_import, cli, &o, &args, &code))
        return code;
    code = o.formats ? list_formats(o.man) : import_files(&o, &args);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_import = {
    .name = "import",
    .arguments = "[FORMAT] FILE...",
    .summary = "Make a scenario of jobs or a cluster that another program wrote",
    .least = 0,
    .most = -1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Jobs become a scenario in which nobody is turned away for want of a queue;\n"
             "the report of `lightpath doctor` goes to standard error. pipedream (a\n"
             "profile) becomes JSON of lightpath's own, stepfun (faults of servers) lines\n"
             "for a scenario's failures.trace. Without FORMAT, or with auto, it is told from\n"
             "the file's contents. FILE may be - for standard input, packed by gzip or zstd.\n"
             "`lightpath import --formats` lists the formats.\n",
    .run = run,
};
