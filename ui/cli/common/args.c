/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads options by a command's table. */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "cli/common/cli.h"

enum { FLAGS_MAX = 40, SHOWN = 80 };

typedef struct Reading {
    const LpCommand *command;
    char **argv;
    int argc, at;
    char *options;
    LpArgs *args;
    LpDiag *diag;
} Reading;

/* ---- failures ---- */

static const char *command_name(const LpCommand *command, char buf[SHOWN]) {
    snprintf(buf, SHOWN, "lightpath%s%s", command->name[0] != '\0' ? " " : "", command->name);
    return buf;
}

static LpErr fail_unknown(const Reading *r, const char *word, size_t len) {
    const char *names[FLAGS_MAX];
    char asked[SHOWN], shown[SHOWN], name[SHOWN];
    size_t count = 0;
    for (; count < r->command->flags && count + 1 < FLAGS_MAX; count++)
        names[count] = r->command->flag[count].name;
    names[count++] = "--help";
    snprintf(asked, sizeof asked, "%.*s", (int)len, word);
    int near = lp_str_nearest(asked, names, count);
    return lp_fail(r->diag, LP_EINVAL, "unknown option %s%s%s (see %s --help)",
                   lp_str_show(shown, sizeof shown, asked), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? names[near] : "", command_name(r->command, name));
}

static LpErr fail_value(const Reading *r, const LpFlag *flag) {
    char name[SHOWN];
    return lp_fail(r->diag, LP_EINVAL, "%s needs a value: expected %s %s (see %s --help)",
                   flag->name, flag->name, flag->value, command_name(r->command, name));
}

static LpErr fail_words(const Reading *r) {
    char name[SHOWN], shown[SHOWN];
    const LpCommand *c = r->command;
    if (r->args->words < c->least)
        return lp_fail(r->diag, LP_EINVAL, "%s expects %s (see %s --help)", command_name(c, name),
                       c->arguments, name);
    return lp_fail(r->diag, LP_EINVAL, "unexpected word \"%s\": %s expects %s",
                   lp_str_show(shown, sizeof shown, r->args->word[c->most]), command_name(c, name),
                   c->arguments[0] != '\0' ? c->arguments : "options only");
}

/* ---- options ---- */

static bool is_name(const char *name, const char *word, size_t len) {
    return name != NULL && strlen(name) == len && memcmp(name, word, len) == 0;
}

static const LpFlag *find_flag(const LpCommand *command, const char *word, size_t len) {
    for (size_t i = 0; i < command->flags; i++)
        if (is_name(command->flag[i].name, word, len) || is_name(command->flag[i].alias, word, len))
            return &command->flag[i];
    return NULL;
}

/* A list has room for every word that there is. */
static LpErr add_text(Reading *r, LpTexts *list, const char *text) {
    if (list->item == NULL)
        list->item = lp_arena_alloc(r->args->arena, (size_t)r->argc, sizeof *list->item);
    if (list->item == NULL)
        return lp_fail_memory(r->diag, "the options");
    list->item[list->count++] = text;
    return LP_OK;
}

static LpErr parse_value(const Reading *r, const LpFlag *flag, const char *text) {
    char shown[SHOWN];
    LpDiag inner = {0};
    LpErr err = flag->parse(text, r->options + flag->offset, &inner);
    if (err == LP_OK)
        return LP_OK;
    return lp_fail(r->diag, err, "%s %s: %s", flag->name, lp_str_show(shown, sizeof shown, text),
                   inner.text);
}

static LpErr take_value(Reading *r, const LpFlag *flag, const char *text) {
    void *field = r->options + flag->offset;
    switch (flag->kind) {
    case LP_FLAG_SWITCH:
        *(bool *)field = true;
        return LP_OK;
    case LP_FLAG_CSV:
        *(LpCsvMode *)field = text != NULL ? LP_CSV_RAW : LP_CSV_SAFE;
        return LP_OK;
    case LP_FLAG_TEXT:
        *(const char **)field = text;
        return LP_OK;
    case LP_FLAG_LIST:
        return add_text(r, field, text);
    case LP_FLAG_PARSED:
    case LP_FLAG_OPTIONAL:
        return parse_value(r, flag, text);
    }
    return LP_OK;
}

/* --csv, --csv raw or --csv=raw: any other word is not the option's. */
static LpErr read_csv(Reading *r, const LpFlag *flag, const char *equals) {
    char shown[SHOWN];
    if (equals != NULL && strcmp(equals + 1, "raw") != 0)
        return lp_fail(r->diag, LP_EINVAL, "%s=%s: expected %s or %s raw", flag->name,
                       lp_str_show(shown, sizeof shown, equals + 1), flag->name, flag->name);
    bool follows = equals == NULL && r->at + 1 < r->argc && strcmp(r->argv[r->at + 1], "raw") == 0;
    r->at += follows;
    return take_value(r, flag, equals != NULL || follows ? "raw" : NULL);
}

static LpErr read_option(Reading *r) {
    const char *word = r->argv[r->at], *equals = strchr(word, '='), *value = NULL;
    size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
    if (is_name("--help", word, len) || is_name("-h", word, len)) {
        r->args->help = true;
        return LP_OK;
    }
    const LpFlag *flag = find_flag(r->command, word, len);
    if (flag == NULL)
        return fail_unknown(r, word, len);
    if (flag->kind == LP_FLAG_CSV)
        return read_csv(r, flag, equals);
    if (flag->kind == LP_FLAG_OPTIONAL)
        return take_value(r, flag, equals != NULL ? equals + 1 : NULL);
    if (flag->value == NULL && equals != NULL)
        return lp_fail(r->diag, LP_EINVAL, "%s takes no value", flag->name);
    if (flag->value != NULL && equals != NULL) {
        value = equals + 1;
    } else if (flag->value != NULL) {
        value = r->at + 1 < r->argc ? r->argv[++r->at] : NULL;
        if (value == NULL || strncmp(value, "--", 2) == 0)
            return fail_value(r, flag);
    }
    return take_value(r, flag, value);
}

static LpErr read_all(Reading *r) {
    bool only_words = false;
    for (r->at = 0; r->at < r->argc; r->at++) {
        const char *word = r->argv[r->at];
        if (!only_words && strcmp(word, "--") == 0)
            only_words = true;
        else if (!only_words && word[0] == '-' && word[1] != '\0')
            LP_TRY(read_option(r));
        else
            r->args->word[r->args->words++] = word;
        if (r->args->help)
            return LP_OK;
    }
    int words = r->args->words, most = r->command->most;
    return words < r->command->least || (most >= 0 && words > most) ? fail_words(r) : LP_OK;
}

LpErr lp_args_parse(const LpCommand *command, const LpCli *cli, void *options, LpArgs *args,
                    LpDiag *diag) {
    Reading r = {.command = command,
                 .argv = cli->argv,
                 .argc = cli->argc,
                 .options = options,
                 .args = args,
                 .diag = diag};
    *args = (LpArgs){.arena = lp_arena_new(0)};
    if (args->arena != NULL)
        args->word = lp_arena_alloc(args->arena, (size_t)cli->argc + 1, sizeof *args->word);
    if (args->word == NULL)
        return lp_fail_memory(diag, "the options");
    return read_all(&r);
}

void lp_args_fini(LpArgs *args) {
    lp_arena_free(args->arena);
    *args = (LpArgs){0};
}

bool lp_args_read(const LpCommand *command, const LpCli *cli, void *options, LpArgs *args,
                  int *code) {
    LpDiag diag;
    if (lp_args_parse(command, cli, options, args, &diag) != LP_OK) {
        *code = lp_cli_fail(&diag);
    } else if (args->help) {
        LpOutput output = lp_output_standard();
        LpBuf help = {0};
        lp_help_command(cli, command, &help);
        LpErr err = lp_output_add(&output, &help, &diag);
        *code = err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
        lp_buf_fini(&help);
    } else {
        return true;
    }
    lp_args_fini(args);
    return false;
}

/* ---- values ---- */

static LpErr positive(const char *text, LpDimension dim, double *out, LpDiag *diag) {
    double value;
    LP_TRY(lp_quantity_parse(text, dim, &value, diag));
    if (!(value > 0))
        return lp_fail(diag, LP_ERANGE, "expected more than 0");
    *out = value;
    return LP_OK;
}

LpErr lp_arg_time(const char *text, void *seconds, LpDiag *diag) {
    return positive(text, LP_DIM_TIME, seconds, diag);
}

LpErr lp_arg_tau(const char *text, void *tau, LpDiag *diag) {
    LpTauArg arg = {.given = true};
    LP_TRY(lp_quantity_parse(text, LP_DIM_TIME, &arg.value, diag));
    if (!(arg.value >= 0))
        return lp_fail(diag, LP_ERANGE, "expected 0 or more");
    *(LpTauArg *)tau = arg;
    return LP_OK;
}

LpErr lp_arg_size(const char *text, void *bytes, LpDiag *diag) {
    double value = 0;
    LP_TRY(positive(text, LP_DIM_BYTES, &value, diag));
    if (value < 1 || value > 0x1p60)
        return lp_fail(diag, LP_ERANGE, "expected 1 B to 1 EiB");
    *(size_t *)bytes = (size_t)value;
    return LP_OK;
}

LpErr lp_arg_whole(const char *text, void *number, LpDiag *diag) {
    uint64_t value;
    if (lp_num_parse_u64(text, &value, NULL) != LP_OK || value < 1 || value > UINT64_C(1) << 53)
        return lp_fail(diag, LP_EINVAL, "expected a whole number from 1");
    *(double *)number = (double)value;
    return LP_OK;
}

LpErr lp_arg_wording(const char *text, void *wording, LpDiag *diag) {
    int found = lp_wording_find(text);
    if (found < 0)
        return lp_fail(diag, LP_EINVAL, "expected plain, slurm, kueue or volcano");
    *(LpWordingArg *)wording = (LpWordingArg){true, (LpWording)found};
    return LP_OK;
}

LpErr lp_arg_seed(const char *text, void *seed, LpDiag *diag) {
    LpSeedArg *out = seed;
    if (lp_num_parse_u64(text, &out->value, NULL) != LP_OK)
        return lp_fail(diag, LP_EINVAL, "expected a whole number from 0 to 2^64 - 1");
    out->given = true;
    return LP_OK;
}
