/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command as its results tell it. */
#include <string.h>

#include "cli/common/batch.h"

/* Options that change no result: where it goes, how it is told, how fast it comes. */
static const char *const TELLING[] = {"--json",   "--csv",    "--out",     "-o",         "--resume",
                                      "--shard",  "--curves", "--threads", "--trace",    "--series",
                                      "--values", "--log",    "--hash",    "--hash-each"};

static const LpFlag *flag_of(const LpCommand *command, const char *word) {
    size_t len = strcspn(word, "=");
    for (size_t i = 0; i < command->flags; i++)
        if (strlen(command->flag[i].name) == len && memcmp(command->flag[i].name, word, len) == 0)
            return &command->flag[i];
    return NULL;
}

static bool only_tells(const LpFlag *flag) {
    for (size_t i = 0; flag != NULL && i < LP_COUNTOF(TELLING); i++)
        if (strcmp(flag->name, TELLING[i]) == 0)
            return true;
    return false;
}

/* How many words an option is. */
static int span_of(const LpFlag *flag, const LpCli *cli, int at) {
    const char *next = at + 1 < cli->argc ? cli->argv[at + 1] : NULL;
    bool whole = flag == NULL || strchr(cli->argv[at], '=') != NULL || next == NULL;
    if (whole)
        return 1;
    if (flag->kind == LP_FLAG_CSV)
        return strcmp(next, "raw") == 0 ? 2 : 1;
    return flag->value != NULL && flag->kind != LP_FLAG_OPTIONAL ? 2 : 1;
}

LpErr lp_cli_words(const LpCommand *command, const LpCli *cli, LpArena *arena,
                   const char *const **out, uint32_t *count, LpDiag *diag) {
    const char **word = lp_arena_alloc(arena, (size_t)cli->argc + 1, sizeof *word);
    uint32_t n = 0;
    bool only_words = false;
    if (word == NULL)
        return lp_fail_memory(diag, "the command's words");
    word[n++] = command->name;
    for (int at = 0; at < cli->argc;) {
        bool option = !only_words && cli->argv[at][0] == '-';
        const LpFlag *flag = option ? flag_of(command, cli->argv[at]) : NULL;
        int span = span_of(flag, cli, at);
        only_words |= strcmp(cli->argv[at], "--") == 0;
        for (int i = 0; i < span && !only_tells(flag); i++)
            word[n++] = cli->argv[at + i];
        at += span;
    }
    *out = word;
    *count = n;
    return LP_OK;
}
