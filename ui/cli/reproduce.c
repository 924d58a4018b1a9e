/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath reproduce`: makes a result again, and says whether it is the same. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/common/batch.h"
#include "host/origin.h"
#include "many/results/part.h"

enum { PIECE = 65536, EXTRA_WORDS = 3 };

typedef struct Options {
    bool inputs;
} Options;

static const LpFlag flags[] = {
    {"--inputs", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, inputs), NULL,
     "only say whether version and inputs are the same, and run nothing"},
};

/* A result and what it is made of. */
typedef struct Result {
    const char *name;
    char *text;
    size_t len;
    LpArena *arena;
    LpOrigin origin;
} Result;

/* ---- may it be run? ---- */

/* The commands that can be made again: all that say where their results come from. */
static const LpCommand *find_command(const LpCli *cli, const char *name) {
    static const char *const MADE[] = {"run", "compare", "sweep", "tournament", "experiment"};
    for (size_t i = 0; i < LP_COUNTOF(MADE); i++)
        if (strcmp(MADE[i], name) == 0)
            return lp_command_find(cli, name);
    return NULL;
}

/* A result may be anybody's: its command may name no file to write. */
static LpErr check_command(const LpCli *cli, const Result *r, const LpCommand **out, LpDiag *diag) {
    const LpOrigin *o = &r->origin;
    const char *const *word;
    uint32_t words;
    char shown[80];
    *out = find_command(cli, o->word[0]);
    if (*out == NULL)
        return lp_fail_at(diag, LP_EINVAL, r->name, 0, 0, "is of the command \"%s\", %s",
                          lp_str_show(shown, sizeof shown, o->word[0]),
                          "expected run, compare, sweep, tournament or experiment");
    LpCli of = *cli;
    of.argc = (int)o->words - 1;
    of.argv = (char **)(uintptr_t)(o->word + 1);
    LP_TRY(lp_cli_words(*out, &of, r->arena, &word, &words, diag));
    if (words == o->words)
        return LP_OK;
    return lp_fail_at(diag, LP_EINVAL, r->name, 0, 0,
                      "its command says where results go, which no result's does: it was changed");
}

static LpErr check_whole(const Result *r, LpDiag *diag) {
    const LpOrigin *o = &r->origin;
    if (!o->complete)
        return lp_fail_at(diag, LP_EINVAL, r->name, 0, 0, "was interrupted: %s",
                          o->part ? "expected a whole one (--resume goes on with it)"
                                  : "a whole result is not the same");
    if (o->part && strcmp(o->word[0], "experiment") == 0)
        return lp_fail_at(diag, LP_EINVAL, r->name, 0, 0,
                          "is a file of an experiment: expected what its command prints with "
                          "--resume %s --json",
                          r->name);
    return LP_OK;
}

/* ---- what differs before anything is run ---- */

static bool is_made(const LpSource *source) {
    return strncmp(source->file, "experiment:", 11) == 0 || strcmp(source->file, "-") == 0;
}

/* Appends a line for each input that is not what it was. */
static LpErr tell_inputs(const LpOrigin *o, LpBuf *out, LpDiag *diag) {
    char file[LP_DIAG_FILE], kind[40], digits[60];
    for (uint32_t i = 0; i < o->sources; i++) {
        const LpSource *source = &o->source[i];
        bool same = true;
        LpDiag why;
        LpErr err = is_made(source) ? LP_OK : lp_origin_check(source, &same, &why);
        if (err == LP_ENOMEM)
            return lp_fail_memory(diag, "an input");
        if (err == LP_OK && same)
            continue;
        lp_buf_addf(out, "%s (%s): ", lp_str_show(file, sizeof file, source->file),
                    lp_str_show(kind, sizeof kind, source->kind));
        if (err == LP_OK)
            lp_buf_addf(out, "other contents than sha256 %.12s...\n",
                        lp_str_show(digits, sizeof digits, source->sha256));
        else
            lp_buf_addf(out, "%s\n", lp_str_show(file, sizeof file, why.text));
    }
    return lp_buf_ok(out, diag);
}

static bool same_program(const LpOrigin *o) {
    return strcmp(o->version, LP_VERSION) == 0 && strcmp(o->build, lp_build_sources()) == 0;
}

static void note_program(const Result *r) {
    const LpOrigin *o = &r->origin;
    if (!same_program(o))
        lp_cli_note("%s was made by version %s (%s), this is " LP_VERSION " (%s)", r->name,
                    o->version, o->build, lp_build_sources());
}

/* ---- again ---- */

/* In a process of its own, whose output is read. */
static LpErr run_again(const LpCli *cli, const LpCommand *command, int argc, char **argv,
                       LpBuf *out, int *code, LpDiag *diag) {
    int ends[2], status = 0;
    char piece[PIECE];
    ssize_t got;
    if (pipe(ends) != 0)
        return lp_fail(diag, LP_EIO, "cannot run it again: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        LpCli of = *cli;
        of.argc = argc;
        of.argv = argv;
        (void)close(ends[0]);
        if (dup2(ends[1], STDOUT_FILENO) < 0)
            _exit(LP_EXIT_FAILED);
        _exit(command->run(&of));
    }
    int why = errno;
    (void)close(ends[1]);
    while (child > 0 &&
           ((got = read(ends[0], piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0)
            lp_buf_add_bytes(out, piece, (size_t)got);
    (void)close(ends[0]);
    if (child < 0)
        return lp_fail(diag, LP_EIO, "cannot run it again: %s", strerror(why));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : LP_EXIT_FAILED;
    return lp_buf_ok(out, diag);
}

/* The text without what names the program, where another one made it: bytes of the results. */
static size_t skip_program(const char *text, size_t at) {
    static const char VERSION[] = "\"version\":\"", BUILD[] = "\"build\":\"";
    const size_t version = sizeof VERSION - 1, build = sizeof BUILD - 1;
    bool found = strncmp(text + at, VERSION, version) == 0;
    if (!found && strncmp(text + at, BUILD, build) != 0)
        return at;
    at += found ? version : build;
    return at + strcspn(text + at, "\"\n");
}

/* In the head of a part a hash follows from the names of the program. */
static size_t skip_check(const char *text, size_t at) {
    static const char CHECK[] = ",\"check\":\"";
    if (strncmp(text + at, CHECK, sizeof CHECK - 1) != 0)
        return at;
    at += sizeof CHECK - 1;
    return at + strcspn(text + at, "\"\n");
}

/* Line of the first difference, 0: none. With `all`, whatever differs counts. */
static uint64_t first_difference(const char *a, const char *b, bool all, bool part) {
    uint64_t line = 1;
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        if (!all) {
            i = skip_program(a, i);
            k = skip_program(b, k);
        }
        if (!all && part && line == 1) {
            i = skip_check(a, i);
            k = skip_check(b, k);
        }
        if (a[i] != b[k])
            return line;
        if (a[i] == '\0')
            return 0;
        line += a[i] == '\n';
    }
}

static int tell(const Result *r, const LpBuf *again) {
    LpBuf text = {0};
    LpDiag diag;
    char shown[LP_DIAG_FILE];
    const char *name = lp_str_show(shown, sizeof shown, r->name);
    bool same = same_program(&r->origin);
    uint64_t line = first_difference(r->text, lp_buf_text(again), same, r->origin.part);
    if (line == 0 && same)
        lp_buf_addf(&text, "%s: the same, to the byte\n", name);
    else if (line == 0)
        lp_buf_addf(&text, "%s: the same, but for the version that is named in it\n", name);
    else
        lp_buf_addf(&text, "%s:%" PRIu64 ": differs, although all inputs are the same\n", name,
                    line);
    int code = lp_cli_print(lp_buf_ok(&text, &diag), &text, &diag);
    return code == LP_EXIT_OK && line > 0 ? LP_EXIT_FAILED : code;
}

static int make_again(const LpCli *cli, const Result *r, const LpCommand *command) {
    const LpOrigin *o = &r->origin;
    LpBuf again = {0};
    LpDiag diag;
    int argc = 0, code = 0;
    char share[32], json[] = "--json";
    char **argv = lp_arena_alloc(r->arena, o->words + EXTRA_WORDS, sizeof *argv);
    if (argv == NULL) {
        (void)lp_fail_memory(&diag, "the command");
        return lp_cli_fail_run(&diag);
    }
    snprintf(share, sizeof share, "--shard=%" PRIu32 "/%" PRIu32, o->shard, o->shards);
    argv[argc++] = o->part ? share : json;
    for (uint32_t i = 1; i < o->words; i++)
        argv[argc++] = (char *)(uintptr_t)o->word[i];
    LpErr err = run_again(cli, command, argc, argv, &again, &code, &diag);
    if (err != LP_OK)
        code = lp_cli_fail_run(&diag);
    else if (again.len > 0) /* what a run says of itself is printed also where its policy failed */
        code = tell(r, &again);
    lp_buf_fini(&again);
    return code;
}

/* ---- the command ---- */

static int tell_origin(const LpCli *cli, const Options *options, Result *r) {
    const LpCommand *command = NULL;
    LpBuf differ = {0};
    LpDiag diag;
    LpErr err = check_command(cli, r, &command, &diag);
    if (err == LP_OK)
        err = check_whole(r, &diag);
    if (err == LP_OK)
        err = tell_inputs(&r->origin, &differ, &diag);
    bool changed = err == LP_OK && differ.len > 0;
    if (err == LP_OK)
        note_program(r);
    if (err == LP_OK && !changed && options->inputs)
        lp_buf_addf(&differ, "all %" PRIu32 " inputs are the same\n", r->origin.sources);
    if (err != LP_OK || changed || options->inputs) {
        int code = lp_cli_print(err, &differ, &diag);
        return code == LP_EXIT_OK && changed ? LP_EXIT_FAILED : code;
    }
    lp_buf_fini(&differ);
    return make_again(cli, r, command);
}

static LpErr read_result(Result *r, LpDiag *diag) {
    LpPart file;
    if ((r->arena = lp_arena_new(0)) == NULL)
        return lp_fail_memory(diag, "a result");
    LP_TRY(lp_part_read(r->name, &file, diag));
    r->text = file.text;
    r->len = file.len;
    LP_TRY(lp_text_check(r->name, r->text, r->len, diag));
    return lp_origin_read(r->name, r->text, r->len, r->arena, &r->origin, diag);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_reproduce, cli, &options, &args, &code))
        return code;
    Result result = {.name = args.word[0]};
    code = read_result(&result, &diag) == LP_OK ? tell_origin(cli, &options, &result)
                                                : lp_cli_fail(&diag);
    lp_free(result.text);
    lp_arena_free(result.arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_reproduce = {
    .name = "reproduce",
    .arguments = "RESULT",
    .summary = "Make a result again, and say whether it is the same",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "RESULT is what run, compare, sweep, tournament, experiment or merge printed with\n"
             "--json, or a file of --out. Where an input is not what it was nothing is run.\n",
    .run = run,
};
