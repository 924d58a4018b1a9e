/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which command the words name, and opening sessions for them. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/host/paths.h"
#include "run/session/file.h"

/* clang-format off */
const LpCommand *const lp_commands[] = {
    &lp_command_run,
    &lp_command_predict,
    &lp_command_check,
    &lp_command_import,
    &lp_command_policy,
    &lp_command_whatif,
    &lp_command_explain,
    &lp_command_compare,
    &lp_command_sweep,
    &lp_command_tournament,
    &lp_command_merge,
    &lp_command_replay,
    &lp_command_train,
    &lp_command_env,
    &lp_command_experiment,
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

const LpCommand *lp_command_find(const char *name) {
    for (size_t i = 0; lp_commands[i] != NULL; i++)
        if (strcmp(lp_commands[i]->name, name) == 0)
            return lp_commands[i];
    return NULL;
}

static int print_version(void) {
    LpOutput output = lp_output_standard();
    LpDiag diag;
    static const char text[] = "lightpath " LP_VERSION "\n";
    if (lp_output_write(&output, text, strlen(text), &diag) != LP_OK)
        return lp_cli_fail_output(&output, &diag);
    return LP_EXIT_OK;
}

/* ---- what a first word that is no command may mean ----------------------------------------------
 */

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
    for (; lp_commands[count] != NULL && count + 1 < NAMES_MAX; count++)
        names[count] = lp_commands[count]->name;
    names[count++] = "help";
    int near = lp_str_nearest(word, names, count);
    lp_str_show(shown, sizeof shown, word);
    lp_fail(&diag, LP_EINVAL,
            "\"%s\" is neither a command nor a scenario%s%s (see lightpath --help)", shown,
            near >= 0 ? ", did you mean " : "", near >= 0 ? names[near] : "");
    return lp_cli_fail(&diag);
}

int lp_cli_main(const LpCli *cli) {
    LpCli rest = *cli;
    const char *word = cli->argc > 1 ? cli->argv[1] : NULL;
    rest.argc = cli->argc > 1 ? cli->argc - 2 : 0;
    rest.argv = cli->argv + 2;
    if (word != NULL && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0))
        return print_version();
    if (word != NULL && strcmp(word, "help") == 0)
        return lp_help_run(&rest);
    const LpCommand *command = word != NULL ? lp_command_find(word) : NULL;
    if (command != NULL)
        return command->run(&rest);
    if (word != NULL && word[0] != '-' && !may_be_scenario(word))
        return fail_word(word);
    rest.argc = cli->argc > 0 ? cli->argc - 1 : 0;
    rest.argv = cli->argv + (cli->argc > 0);
    return lp_command_open.run(&rest);
}

/* ---- sessions ---- */

LpErr lp_cli_is_session(const char *path, bool *is, LpDiag *diag) {
    char shown[200];
    errno = 0;
    *is = strcmp(path, "-") != 0 && lp_session_file_is(path);
    if (*is || (errno != EMFILE && errno != ENFILE && errno != ENOMEM))
        return LP_OK;
    const char *why = strerror(errno);
    return lp_fail(diag, LP_EIO, "%s: cannot open: %s", lp_str_show(shown, sizeof shown, path),
                   why);
}

LpErr lp_cli_open(const char *scenario, const LpSessionArgs *args, bool keep_events,
                  LpSession **out, LpDiag *diag) {
    char path[LP_PATH_TEXT];
    LpSessionSpec spec = {.scenario = scenario,
                          .sets = args->sets.count,
                          .set = args->sets.item,
                          .policy = args->policy,
                          .params = args->params.count,
                          .param = args->params.item,
                          .has_seed = args->seed.given,
                          .seed = args->seed.value,
                          .until = args->until,
                          .keep_events = keep_events,
                          .keep_explain = args->keep_explain,
                          .keep_timeline = args->keep_timeline,
                          .max_input = args->max_input,
                          .max_memory = args->max_memory};
    bool is_session;
    LP_TRY(lp_cli_is_session(scenario, &is_session, diag));
    if (is_session)
        return lp_fail(diag, LP_EINVAL,
                       "%s is a session, expected a scenario (lightpath FILE opens a session, "
                       "lightpath replay FILE runs it again)",
                       lp_str_show(path, sizeof path, scenario));
    bool named = strcmp(scenario, "-") != 0 && access(scenario, F_OK) != 0;
    if (named && lp_paths_scenario(scenario, path, sizeof path))
        spec.scenario = path;
    return lp_session_open(&spec, out, diag);
}
