/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help, made from the tables of commands and options. */
#include <string.h>

#include "cli/common/cli.h"

enum { COLUMN = 27, WIDTH = 80, ROOM = WIDTH - COLUMN };

/* Bytes of `text` (ASCII) for a line from COLUMN on: all of it, or up to the last space that fits
 * (the first one where none does). */
static size_t line_length(const char *text) {
    const char *space = NULL, *at = text;
    for (; *at != '\0'; at++) {
        if (at - text > ROOM && space != NULL)
            return (size_t)(space - text);
        if (*at == ' ')
            space = at;
    }
    return (size_t)((at - text > ROOM && space != NULL ? space : at) - text);
}

/* "  NAME" and then, from a fixed column on, what it is. */
static void add_row(LpBuf *out, const char *left, const char *right) {
    int room = COLUMN - 2;
    lp_buf_addf(out, "  %-*s", room, left);
    if ((int)strlen(left) >= room)
        lp_buf_addf(out, "\n%*s", COLUMN, "");
    while (right[0] != '\0') {
        size_t len = line_length(right);
        lp_buf_add_bytes(out, right, len);
        right += len + (right[len] == ' ');
        lp_buf_addf(out, "\n%*s", right[0] != '\0' ? COLUMN : 0, "");
    }
}

static void add_flag(LpBuf *out, const LpFlag *flag) {
    LpBuf left = {0};
    if (flag->alias != NULL)
        lp_buf_addf(&left, "%s, ", flag->alias);
    lp_buf_add(&left, flag->name);
    if (flag->value != NULL)
        lp_buf_addf(&left, " %s", flag->value);
    add_row(out, lp_buf_text(&left), flag->help);
    lp_buf_fini(&left);
}

const LpCommand *lp_command_find(const LpCli *cli, const char *name) {
    for (size_t i = 0; cli->commands[i] != NULL; i++)
        if (strcmp(cli->commands[i]->name, name) == 0)
            return cli->commands[i];
    return NULL;
}

void lp_help_command(const LpCli *cli, const LpCommand *command, LpBuf *out) {
    bool named = command->name[0] != '\0';
    if (!named) {
        lp_help_program(cli, command, out);
        return;
    }
    lp_buf_addf(out, "Usage: lightpath %s %s [OPTION]...\n%s.\n\nOptions:\n", command->name,
                command->arguments, command->summary);
    for (size_t i = 0; i < command->flags; i++)
        add_flag(out, &command->flag[i]);
    add_row(out, "-h, --help", "this text");
    if (command->notes != NULL)
        lp_buf_addf(out, "\n%s", command->notes);
}

void lp_help_program(const LpCli *cli, const LpCommand *open, LpBuf *out) {
    lp_buf_add(out, "Usage: lightpath [SCENARIO] [OPTION]...\n"
                    "       lightpath COMMAND ...\n"
                    "How to cut, place and connect deep-learning jobs on optically switched "
                    "clusters.\n\nCommands:\n");
    add_row(out, "[SCENARIO]", open->summary);
    for (size_t i = 0; cli->commands[i] != NULL; i++) {
        LpBuf left = {0};
        lp_buf_addf(&left, "%s %s", cli->commands[i]->name, cli->commands[i]->arguments);
        add_row(out, lp_buf_text(&left), cli->commands[i]->summary);
        lp_buf_fini(&left);
    }
    add_row(out, "help [COMMAND]", "This text, or a command's");
    lp_buf_add(out, "\nOptions:\n");
    for (size_t i = 0; i < open->flags; i++)
        add_flag(out, &open->flag[i]);
    add_row(out, "--version", "the version");
    add_row(out, "-h, --help", "this text");
    lp_buf_addf(out, "\n%s", open->notes);
}
