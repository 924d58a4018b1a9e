/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath completions`: what a shell needs to complete command lines, made from the same tables
 * as the commands themselves. */
#include <string.h>

#include "cli/common/cli.h"
#include "host/paths.h"
#include "term/theme.h"

/* ---- what there is to complete ---- */

static void add_commands(const LpCli *cli, LpBuf *out) {
    for (size_t i = 0; cli->commands[i] != NULL; i++)
        lp_buf_addf(out, "%s ", cli->commands[i]->name);
    lp_buf_add(out, "help");
}

static void add_policy_commands(LpBuf *out) {
    for (size_t i = 0; lp_policy_commands[i] != NULL; i++)
        lp_buf_addf(out, "%s%s", i ? " " : "", lp_policy_commands[i]->name + strlen("policy "));
}

/* "dark light ..." */
static LpErr list_themes(LpBuf *out, LpDiag *diag) {
    LpBuf names = {0};
    LpErr err = lp_theme_names(&names, diag);
    for (const char *at = lp_buf_text(&names); *at != '\0'; at++)
        if (*at != ',')
            lp_buf_add_bytes(out, at, 1);
    lp_buf_fini(&names);
    return err != LP_OK ? err : lp_buf_ok(out, diag);
}

/* ---- bash ---- */

static void add_bash_case(const char *pattern, const LpCommand *command, LpBuf *out) {
    lp_buf_addf(out, "    %s) flags=\"", pattern);
    /* "--seed", then "-s": one after the other with a blank. */
    for (size_t i = 0; i < command->flags; i++) {
        lp_buf_addf(out, "%s ", command->flag[i].name);
        if (command->flag[i].alias != NULL)
            lp_buf_addf(out, "%s ", command->flag[i].alias);
    }
    lp_buf_add(out, "--help");
    lp_buf_add(out, "\" ;;\n");
}

static void add_bash(const LpCli *cli, const char *themes, LpBuf *out) {
    lp_buf_add(out, "# bash completion of lightpath; made by lightpath completions bash\n"
                    "_lightpath() {\n"
                    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                    "    local command=${COMP_WORDS[1]} flags words=\n"
                    "    COMPREPLY=()\n"
                    "    case $prev in\n"
                    "    --policy) words=$(lightpath completions policies 2>/dev/null) ;;\n"
                    "    --theme) words='");
    lp_buf_add(out, themes);
    lp_buf_add(out, "' ;;\n    help) [ \"$COMP_CWORD\" -eq 2 ] && words='");
    add_commands(cli, out);
    lp_buf_add(out, "' ;;\n    policy) [ \"$COMP_CWORD\" -eq 2 ] && words='");
    add_policy_commands(out);
    lp_buf_add(out, "' ;;\n    esac\n"
                    "    if [ -n \"$words\" ]; then\n"
                    "        COMPREPLY=( $(compgen -W \"$words\" -- \"$cur\") $(compgen -f -- "
                    "\"$cur\") )\n"
                    "        return\n"
                    "    fi\n"
                    "    case $command in\n");
    for (size_t i = 0; cli->commands[i] != NULL; i++)
        add_bash_case(cli->commands[i]->name, cli->commands[i], out);
    add_bash_case("*", &lp_command_open, out);
    lp_buf_add(out, "    esac\n"
                    "    case $cur in\n"
                    "    -*) COMPREPLY=( $(compgen -W \"$flags\" -- \"$cur\") ) ; return ;;\n"
                    "    esac\n"
                    "    words=$(lightpath completions scenarios 2>/dev/null)\n"
                    "    [ \"$COMP_CWORD\" -gt 1 ] || words=\"$words ");
    add_commands(cli, out);
    lp_buf_add(out, "\"\n"
                    "    COMPREPLY=( $(compgen -W \"$words\" -- \"$cur\") $(compgen -f -- "
                    "\"$cur\") )\n"
                    "}\n"
                    "complete -o filenames -F _lightpath lightpath\n");
}

/* ---- zsh ---- */

/* In single quotes, as zsh's _arguments wants its texts. */
static void add_quoted(LpBuf *out, const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\'')
            lp_buf_add(out, "'\\''");
        else if (*c == '[' || *c == ']' || *c == ':' || *c == '\\')
            lp_buf_addf(out, "\\%c", *c);
        else
            lp_buf_add_bytes(out, c, 1);
}

static void add_zsh_flags(const LpCommand *command, LpBuf *out) {
    for (size_t i = 0; i < command->flags; i++) {
        const LpFlag *flag = &command->flag[i];
        bool policy = strcmp(flag->name, "--policy") == 0;
        lp_buf_addf(out, "        '%s%s[", flag->kind == LP_FLAG_LIST ? "*" : "", flag->name);
        add_quoted(out, flag->help);
        lp_buf_add(out, "]");
        if (flag->value != NULL) {
            lp_buf_add(out, ":");
            add_quoted(out, flag->value);
            lp_buf_add(out, policy ? ":_lightpath_policies" : ":_files");
        }
        lp_buf_add(out, "' \\\n");
    }
    lp_buf_add(out, "        '--help[show help]' '*:scenario:_lightpath_scenarios' ;;\n");
}

static void add_zsh(const LpCli *cli, const char *themes LP_UNUSED, LpBuf *out) {
    lp_buf_add(out, "#compdef lightpath\n# made by lightpath completions zsh\n"
                    "_lightpath_scenarios() { compadd -- ${(f)\"$(lightpath completions scenarios "
                    "2>/dev/null)\"}; _files }\n"
                    "_lightpath_policies() { compadd -- ${(f)\"$(lightpath completions policies "
                    "2>/dev/null)\"}; _files }\n"
                    "_lightpath() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; cli->commands[i] != NULL; i++) {
        lp_buf_addf(out, "        '%s:", cli->commands[i]->name);
        add_quoted(out, cli->commands[i]->summary);
        lp_buf_add(out, "'\n");
    }
    lp_buf_add(out, "    )\n    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n"
                    "        _describe command commands\n        _lightpath_scenarios\n"
                    "        return\n    fi\n    case $words[2] in\n");
    for (size_t i = 0; cli->commands[i] != NULL; i++) {
        lp_buf_addf(out, "    %s) _arguments '1:command:' \\\n", cli->commands[i]->name);
        add_zsh_flags(cli->commands[i], out);
    }
    lp_buf_add(out, "    *) _arguments \\\n");
    add_zsh_flags(&lp_command_open, out);
    lp_buf_add(out, "    esac\n}\n_lightpath \"$@\"\n");
}

/* ---- fish ---- */

static void add_fish_text(LpBuf *out, const char *text) {
    lp_buf_add(out, "'");
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '\'' || *c == '\\')
            lp_buf_addf(out, "\\%c", *c);
        else
            lp_buf_add_bytes(out, c, 1);
    lp_buf_add(out, "'");
}

static void add_fish_flags(const LpCommand *command, const char *when, LpBuf *out) {
    for (size_t i = 0; i < command->flags; i++) {
        const LpFlag *flag = &command->flag[i];
        lp_buf_addf(out, "complete -c lightpath -n '%s' -l %s", when, flag->name + 2);
        if (flag->alias != NULL && flag->alias[0] == '-' && flag->alias[1] != '-')
            lp_buf_addf(out, " -s %s", flag->alias + 1);
        if (strcmp(flag->name, "--policy") == 0)
            lp_buf_add(out, " -r -a '(lightpath completions policies)'");
        else if (flag->value != NULL)
            lp_buf_add(out, " -r");
        lp_buf_add(out, " -d ");
        add_fish_text(out, flag->help);
        lp_buf_add(out, "\n");
    }
}

static void add_fish(const LpCli *cli, const char *themes LP_UNUSED, LpBuf *out) {
    char when[128];
    lp_buf_add(out, "# made by lightpath completions fish\n"
                    "complete -c lightpath -a '(lightpath completions scenarios)' -d scenario\n");
    for (size_t i = 0; cli->commands[i] != NULL; i++) {
        lp_buf_addf(out, "complete -c lightpath -n __fish_use_subcommand -a %s -d ",
                    cli->commands[i]->name);
        add_fish_text(out, cli->commands[i]->summary);
        lp_buf_add(out, "\n");
        lp_str_copy(when, sizeof when, "__fish_seen_subcommand_from ");
        lp_str_copy(when + strlen(when), sizeof when - strlen(when), cli->commands[i]->name);
        add_fish_flags(cli->commands[i], when, out);
    }
    add_fish_flags(&lp_command_open, "__fish_use_subcommand", out);
}

/* ---- words ---- */

static LpErr add_scenarios(LpBuf *out, LpDiag *diag) {
    LpBuf names = {0};
    LpErr err = lp_paths_list_scenarios(&names, diag);
    for (const char *at = lp_buf_text(&names); *at != '\0';) {
        size_t blank = strspn(at, " "), len = strcspn(at + blank, "\n");
        lp_buf_addf(out, "%.*s\n", (int)len, at + blank);
        at += blank + len + (at[blank + len] == '\n');
    }
    lp_buf_fini(&names);
    return err;
}

static const struct {
    const char *name;
    void (*add)(const LpCli *cli, const char *themes, LpBuf *out); /* this, or `list` */
    LpErr (*list)(LpBuf *out, LpDiag *diag);                       /* this, or `add` */
} kinds[] = {{"bash", add_bash, NULL},
             {"zsh", add_zsh, NULL},
             {"fish", add_fish, NULL},
             {"scenarios", NULL, add_scenarios},
             {"policies", NULL, lp_paths_list_policies}};

static int print(const LpCli *cli, const char *word) {
    LpBuf text = {0}, themes = {0};
    LpDiag diag;
    char shown[64];
    size_t i = 0;
    while (i < LP_COUNTOF(kinds) && strcmp(kinds[i].name, word) != 0)
        i++;
    if (i == LP_COUNTOF(kinds)) {
        lp_fail(&diag, LP_EINVAL, "no completions for \"%s\": expected bash, zsh or fish",
                lp_str_show(shown, sizeof shown, word));
        return lp_cli_fail(&diag);
    }
    LpErr err = kinds[i].list != NULL ? kinds[i].list(&text, &diag) : list_themes(&themes, &diag);
    if (err == LP_OK && kinds[i].add != NULL)
        kinds[i].add(cli, lp_buf_text(&themes), &text);
    lp_buf_fini(&themes);
    return lp_cli_print(err, &text, &diag);
}

static int run(const LpCli *cli) {
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_completions, cli, NULL, &args, &code))
        return code;
    code = print(cli, args.word[0]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_completions = {
    .name = "completions",
    .arguments = "SHELL",
    .summary = "Print what bash, zsh or fish needs to complete command lines",
    .least = 1,
    .most = 1,
    .flag = NULL,
    .flags = 0,
    .notes = "Such as: lightpath completions bash >~/.local/share/bash-completion/completions/"
             "lightpath\nmake install puts them in their places. scenarios and policies instead of "
             "a\nshell print the names there are.\n",
    .run = run,
};
