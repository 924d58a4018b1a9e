/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath policy`: list, new, check, api - tools for people who write policies. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ask/policy/tools.h"
#include "cli/common/cli.h"
#include "host/paths.h"
#include "host/write_file.h"

enum { SHOWN = 80, COMMANDS = 4 };

static const LpCommand list_command, new_command, check_command, api_command;

/* Prints what was made, or why it was not, and frees it. */
static int print(LpErr err, LpBuf *text, LpDiag *diag) {
    LpOutput output = lp_output_standard();
    int code = LP_EXIT_OK;
    if (err != LP_OK)
        code = lp_cli_fail(diag);
    else if (lp_output_add(&output, text, diag) != LP_OK)
        code = lp_cli_fail_output(&output, diag);
    lp_buf_fini(text);
    return code;
}

/* ---- policy list ---- */

typedef struct ListOptions {
    bool json;
} ListOptions;

static const LpFlag list_flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(ListOptions, json), NULL,
     "print one JSON object"},
};

static int run_list(const LpCli *cli) {
    ListOptions options = {0};
    LpArgs args;
    LpBuf text = {0};
    LpDiag diag;
    int code;
    if (!lp_args_read(&list_command, cli, &options, &args, &code))
        return code;
    lp_args_fini(&args);
    LpErr err = lp_policy_tool_list(options.json, &text, &diag);
    return print(err, &text, &diag);
}

static const LpCommand list_command = {
    .name = "policy list",
    .arguments = "",
    .summary = "List the policies that can be named: rule, parameters and their defaults",
    .least = 0,
    .most = 0,
    .flag = list_flags,
    .flags = LP_COUNTOF(list_flags),
    .notes = "Looks in the working folder, its scripts/, and where the program's own are.\n",
    .run = run_list,
};

/* ---- policy new ---- */

typedef struct NewOptions {
    const char *out;
} NewOptions;

static const LpFlag new_flags[] = {
    {"--output", "-o", "FILE", LP_FLAG_TEXT, offsetof(NewOptions, out), NULL,
     "file to write (default NAME.lua; -: standard output)"},
};

static int write_new(const char *path, const LpBuf *text) {
    struct stat about;
    LpWriteSpec spec = {.path = path, .fresh = true};
    LpDiag diag;
    if (lstat(path, &about) == 0) {
        lp_fail(&diag, LP_EINVAL, "%s exists already: expected the name of a new file", path);
        return lp_cli_fail(&diag);
    }
    if (lp_write_text(&spec, text, &diag) != LP_OK)
        return lp_cli_fail_run(&diag);
    lp_cli_note("wrote %s; try it with lightpath policy check %s", path, path);
    return LP_EXIT_OK;
}

static int make_new(const char *name, const char *out) {
    char path[LP_PATH_TEXT];
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = lp_policy_tool_new(name, &text, &diag);
    bool standard = out != NULL && strcmp(out, "-") == 0;
    if (err != LP_OK || standard)
        return print(err, &text, &diag);
    snprintf(path, sizeof path, "%s.lua", name);
    int code = write_new(out != NULL ? out : path, &text);
    lp_buf_fini(&text);
    return code;
}

static int run_new(const LpCli *cli) {
    NewOptions options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&new_command, cli, &options, &args, &code))
        return code;
    code = make_new(args.word[0], options.out);
    lp_args_fini(&args);
    return code;
}

static const LpCommand new_command = {
    .name = "policy new",
    .arguments = "NAME",
    .summary = "Write a policy to start from, with every hook as an example",
    .least = 1,
    .most = 1,
    .flag = new_flags,
    .flags = LP_COUNTOF(new_flags),
    .notes = "An existing file is never overwritten.\n",
    .run = run_new,
};

/* ---- policy check ---- */

typedef struct CheckOptions {
    LpTexts params;
} CheckOptions;

static const LpFlag check_flags[] = {
    {"--param", NULL, "NAME=VALUE", LP_FLAG_LIST, offsetof(CheckOptions, params), NULL,
     "parameter of the policies, typed as they declare it; may be repeated"},
};

/* A bad file does not keep the others from being checked. */
static int run_check(const LpCli *cli) {
    CheckOptions options = {0};
    LpArgs args;
    int code, worst = LP_EXIT_OK;
    if (!lp_args_read(&check_command, cli, &options, &args, &code))
        return code;
    for (int i = 0; i < args.words; i++) {
        bool passed = false;
        LpBuf text = {0};
        LpDiag diag;
        LpErr err = lp_policy_tool_check(args.word[i], options.params.count, options.params.item,
                                         &text, &passed, &diag);
        code = print(err, &text, &diag);
        if (code == LP_EXIT_OK && !passed)
            code = LP_EXIT_FAILED;
        worst = code > worst ? code : worst;
    }
    lp_args_fini(&args);
    return worst;
}

static const LpCommand check_command = {
    .name = "policy check",
    .arguments = "FILE...",
    .summary = "Check policies: names, contract, determinism, cost, and how they compare",
    .least = 1,
    .most = -1,
    .flag = check_flags,
    .flags = LP_COUNTOF(check_flags),
    .notes = "Runs each policy twice on three mini-scenarios. Exits with 1 if a check failed,\n"
             "with 2 if a file cannot be read.\n",
    .run = run_check,
};

/* ---- policy api ---- */

typedef struct ApiOptions {
    const char *format;
} ApiOptions;

static const LpFlag api_flags[] = {
    {"--format", NULL, "FORMAT", LP_FLAG_TEXT, offsetof(ApiOptions, format), NULL,
     "luacats, man, or text (default text)"},
};

static int run_api(const LpCli *cli) {
    ApiOptions options = {.format = "text"};
    LpArgs args;
    LpBuf text = {0};
    LpDiag diag;
    int code;
    if (!lp_args_read(&api_command, cli, &options, &args, &code))
        return code;
    lp_args_fini(&args);
    LpErr err = lp_policy_tool_api(options.format, &text, &diag);
    return print(err, &text, &diag);
}

static const LpCommand api_command = {
    .name = "policy api",
    .arguments = "",
    .summary = "Print the interface of policies: every hook, field and method",
    .least = 0,
    .most = 0,
    .flag = api_flags,
    .flags = LP_COUNTOF(api_flags),
    .notes = "luacats is what editors read (scripts/meta/lightpath.lua).\n",
    .run = run_api,
};

/* ---- policy ---- */

const LpCommand *const lp_policy_commands[] = {&list_command, &new_command, &check_command,
                                               &api_command, NULL};

static int fail_command(const char *word) {
    const char *names[COMMANDS];
    char shown[SHOWN];
    LpDiag diag;
    for (int i = 0; i < COMMANDS; i++)
        names[i] = lp_policy_commands[i]->name + strlen("policy ");
    int near = lp_str_nearest(word, names, COMMANDS);
    lp_fail(&diag, LP_EINVAL, "there is no command \"policy %s\"%s%s (see lightpath policy --help)",
            lp_str_show(shown, sizeof shown, word), near >= 0 ? ", did you mean " : "",
            near >= 0 ? names[near] : "");
    return lp_cli_fail(&diag);
}

static int run(const LpCli *cli) {
    LpArgs args;
    int code;
    LpCli rest = *cli;
    if (cli->argc == 0 || cli->argv[0][0] == '-') {
        if (lp_args_read(&lp_command_policy, cli, NULL, &args, &code)) {
            code = fail_command(args.word[0]);
            lp_args_fini(&args);
        }
        return code;
    }
    rest.argc--;
    rest.argv++;
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(lp_policy_commands[i]->name + strlen("policy "), cli->argv[0]) == 0)
            return lp_policy_commands[i]->run(&rest);
    return fail_command(cli->argv[0]);
}

const LpCommand lp_command_policy = {
    .name = "policy",
    .arguments = "COMMAND",
    .summary = "List, start, check and document policies",
    .least = 1,
    .most = -1,
    .flag = NULL,
    .flags = 0,
    .notes = "Commands:\n"
             "  list [--json]            the policies that can be named\n"
             "  new NAME [-o FILE]       write a policy to start from\n"
             "  check [--param K=V] FILE...  names, contract, determinism, cost, comparison\n"
             "  api [--format FORMAT]    the interface\n"
             "Each has its own --help.\n",
    .run = run,
};
