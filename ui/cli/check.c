/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath check`: what is wrong with scenarios and profiles, without running them. */
#include <string.h>

#include "cli/common/cli.h"
#include "say/check.h"

typedef struct Options {
    size_t max_input;
} Options;

static const LpFlag flags[] = {
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
};

static void add_notes(const char *name, const char *notes, LpBuf *out) {
    for (size_t len; *notes != '\0'; notes += len + 1) {
        len = strcspn(notes, "\n");
        lp_buf_addf(out, "%s: %.*s\n", name, (int)len, notes);
    }
}

/* A bad file does not keep the others from being checked. */
static int check_all(const Options *o, const LpArgs *args) {
    LpOutput output = lp_output_standard();
    int code = LP_EXIT_OK;
    LpDiag diag;
    for (int i = 0; i < args->words; i++) {
        char name[LP_DIAG_FILE];
        LpBuf text = {0}, notes = {0};
        if (lp_check_file(args->word[i], o->max_input, &notes, &diag) != LP_OK) {
            int failed = lp_cli_fail(&diag);
            lp_buf_fini(&notes);
            code = failed > code ? failed : code;
            continue;
        }
        lp_str_show(name, sizeof name, args->word[i]);
        lp_buf_addf(&text, "%s: ok\n", name);
        add_notes(name, lp_buf_text(&notes), &text);
        LpErr err = lp_output_add(&output, &text, &diag);
        lp_buf_fini(&text);
        lp_buf_fini(&notes);
        if (err != LP_OK)
            return lp_cli_fail_output(&output, &diag);
    }
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_check, cli, &options, &args, &code))
        return code;
    code = check_all(&options, &args);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "Check scenarios and profiles without running them",
    .least = 1,
    .most = -1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Prints \"FILE: ok\" for each good file, and what is to be known of its figures;\n"
             "exits with 2 if one is not good. What a file is shows in its contents: a\n"
             "scenario, a profile of lightpath's own, or PipeDream's.\n",
    .run = run,
};
