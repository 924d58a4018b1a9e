/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands, and which of them the words name. */
#include "cli/common/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/paths.h"

/* clang-format off */
static const LpCommand *const commands[] = {
    &lp_command_run,
    &lp_command_predict,
    &lp_command_turns,
    &lp_command_collective,
    &lp_command_pods,
    &lp_command_check,
    &lp_command_import,
    &lp_command_doctor,
    &lp_command_policy,
    &lp_command_whatif,
    &lp_command_explain,
    &lp_command_compare,
    &lp_command_sweep,
    &lp_command_tournament,
    &lp_command_merge,
    &lp_command_reproduce,
    &lp_command_replay,
    &lp_command_train,
    &lp_command_env,
    &lp_command_experiment,
    &lp_command_bound,
    &lp_command_lesson,
    &lp_command_presets,
    &lp_command_devices,
    &lp_command_completions,
    &lp_command_keys,
    &lp_command_paths,
    &lp_command_schema,
    NULL};
/* clang-format on */

enum { NAMES_MAX = 32, SHOWN = 80 };

const LpCommand *const *lp_cli_commands(void) {
    return commands;
}

static int print_version(void) {
    LpOutput output = lp_output_standard();
    LpDiag diag;
    static const char text[] = "lightpath " LP_VERSION "\n";
    if (lp_output_write(&output, text, strlen(text), &diag) != LP_OK)
        return lp_cli_fail_output(&output, &diag);
    return LP_EXIT_OK;
}

/* `lightpath help [COMMAND]` */
static int run_help(const LpCli *cli) {
    LpOutput output = lp_output_standard();
    LpBuf help = {0};
    LpDiag diag;
    int code = LP_EXIT_OK;
    const LpCommand *command = cli->argc > 0 ? lp_command_find(cli, cli->argv[0]) : NULL;
    if (cli->argc > 0 && command == NULL) {
        char shown[80];
        lp_fail(&diag, LP_EINVAL, "there is no command \"%s\" (see lightpath --help)",
                lp_str_show(shown, sizeof shown, cli->argv[0]));
        return lp_cli_fail(&diag);
    }
    if (command != NULL)
        lp_help_command(cli, command, &help);
    else
        lp_help_program(cli, &lp_command_open, &help);
    if (lp_output_add(&output, &help, &diag) != LP_OK)
        code = lp_cli_fail_output(&output, &diag);
    lp_buf_fini(&help);
    return code;
}

/* ---- what a first word that is no command may mean ---- */

/* A path, or a scenario that came with the program. */
static bool may_be_scenario(const char *word) {
    char path[LP_PATH_TEXT];
    if (strcmp(word, "-") == 0 || strchr(word, '/') != NULL || strchr(word, '.') != NULL)
        return true;
    return access(word, F_OK) == 0 || lp_paths_scenario(word, path, sizeof path);
}

static int fail_word(const char *word) {
    const char *names[NAMES_MAX];
    char shown[SHOWN];
    size_t count = 0;
    LpDiag diag;
    for (; commands[count] != NULL && count + 1 < NAMES_MAX; count++)
        names[count] = commands[count]->name;
    names[count++] = "help";
    int near = lp_str_nearest(word, names, count);
    LpBuf places = {0};
    lp_paths_scenario_places(&places);
    lp_str_show(shown, sizeof shown, word);
    lp_fail(&diag, LP_EINVAL,
            "\"%s\" is neither a command nor a scenario%s%s (see lightpath --help)", shown,
            near >= 0 ? ", did you mean " : ", here or in ",
            near >= 0 ? names[near] : lp_buf_text(&places));
    lp_buf_fini(&places);
    return lp_cli_fail(&diag);
}

static int run_words(const LpCli *cli, const LpCliLog *log) {
    LpCli rest = *cli;
    rest.commands = lp_cli_commands();
    rest.log = log;
    const char *word = cli->argc > 1 ? cli->argv[1] : NULL;
    rest.argc = cli->argc > 1 ? cli->argc - 2 : 0;
    rest.argv = cli->argv + 2;
    if (word != NULL && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0))
        return print_version();
    if (word != NULL && strcmp(word, "help") == 0)
        return run_help(&rest);
    const LpCommand *command = word != NULL ? lp_command_find(&rest, word) : NULL;
    if (command != NULL)
        return command->run(&rest);
    if (word != NULL && word[0] != '-' && !may_be_scenario(word))
        return fail_word(word);
    rest.argc = cli->argc > 0 ? cli->argc - 1 : 0;
    rest.argv = cli->argv + (cli->argc > 0);
    return lp_command_open.run(&rest);
}

int lp_cli_main(const LpCli *cli) {
    LpCliLog *log;
    LpDiag diag;
    if (lp_cli_log_open_asked(&log, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = run_words(cli, log);
    lp_cli_log_close(log);
    return code;
}
