/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands that make many runs share: options, progress, output. */
#ifndef LP_UI_CLI_BATCH_H
#define LP_UI_CLI_BATCH_H

#include "cli/common/cli.h"
#include "many/study/compare.h"

typedef struct LpBatchArgs {
    LpTexts policies, params, sets, vary;
    const char *seeds, *folder, *shard, *curves, *out, *resume;
    double until, threads;
    size_t max_input, max_memory;
    bool json;
    LpCsvMode csv;
} LpBatchArgs;

/* What --csv does, in every command of many runs. */
#define LP_CSV_RUNS_HELP                                                                           \
    "print one line per run; a text that a spreadsheet would compute gets a ' in front, unless "   \
    "raw follows"
#define LP_BATCH_FLAG(type, flag, value, kind, field, parse, help)                                 \
    { flag, NULL, value, kind, offsetof(type, field), parse, help }
#define LP_BATCH_FLAGS(type)                                                                       \
    LP_BATCH_FLAG(type, "--seeds", "LIST", LP_FLAG_TEXT, seeds, NULL,                              \
                  "seeds such as 1..10 or 1,2,5..7 (default 1..5, tournament 1..10)"),             \
        LP_BATCH_FLAG(type, "--param", "NAME=VALUE", LP_FLAG_LIST, params, NULL,                   \
                      "parameter of every policy; may be repeated"),                               \
        LP_BATCH_FLAG(type, "--set", "PATH=VALUE", LP_FLAG_LIST, sets, NULL,                       \
                      "override a key of the scenario; may be repeated"),                          \
        LP_BATCH_FLAG(type, "--until", "TIME", LP_FLAG_PARSED, until, lp_arg_time,                 \
                      "end of every run, such as \"1e5 s\" or \"3 h\""),                           \
        LP_BATCH_FLAG(type, "--threads", "N", LP_FLAG_PARSED, threads, lp_arg_whole,               \
                      "runs at a time (default: one per processor)"),                              \
        LP_BATCH_FLAG(type, "--shard", "I/N", LP_FLAG_TEXT, shard, NULL,                           \
                      "make only share I of N, and print a part for lightpath merge"),             \
        LP_BATCH_FLAG(type, "--out", "RESULTS", LP_FLAG_TEXT, out, NULL,                           \
                      "keep each run in this new file as it is done"),                             \
        LP_BATCH_FLAG(type, "--resume", "RESULTS", LP_FLAG_TEXT, resume, NULL,                     \
                      "go on with such a file, or begin it"),                                      \
        LP_BATCH_FLAG(type, "--max-input", "SIZE", LP_FLAG_PARSED, max_input, lp_arg_size,         \
                      "largest input file (default 64 MiB)"),                                      \
        LP_BATCH_FLAG(type, "--max-memory", "SIZE", LP_FLAG_PARSED, max_memory, lp_arg_size,       \
                      "memory that one run may need (default 1 GiB)"),                             \
        LP_BATCH_FLAG(type, "--json", NULL, LP_FLAG_SWITCH, json, NULL,                            \
                      "print everything as one JSON object"),                                      \
        LP_BATCH_FLAG(type, "--csv", NULL, LP_FLAG_CSV, csv, NULL, LP_CSV_RUNS_HELP)

/* How far many runs are, on standard error where that is a terminal; Ctrl-C stops them. */
typedef struct LpCliProgress {
    const LpCli *cli;
    bool shown, line;
    int64_t began;  /* ms */
    uint32_t found; /* runs that were made before, which are not counted otherwise */
} LpCliProgress;

LpCliProgress lp_cli_progress(const LpCli *cli);
/* Callbacks of a batch, whose user is the progress. */
bool lp_cli_progress_show(void *progress, size_t done, size_t count);
bool lp_cli_progress_cancelled(void *progress);
void lp_cli_progress_end(LpCliProgress *progress);

/* Notes on standard error: that lines of a file of results were damaged, if any; that a study was
 * interrupted, and how to go on with its file (NULL: it has none). */
void lp_cli_note_damaged(uint32_t lines);
void lp_cli_note_stopped(const char *file);

/* The words of the command line that its results follow from: without those that say how and where
 * results are told, and how many threads make them. In the arena. Errors: LP_ENOMEM. */
LpErr lp_cli_words(const LpCommand *command, const LpCli *cli, LpArena *arena,
                   const char *const **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* Runs the variants and prints what came out; the exit code. head->scenario is filled in. */
int lp_cli_batch(const LpCommand *command, const LpCli *cli, const LpBatchArgs *args,
                 const char *scenario, LpCompareHead *head, const LpVariant *variant,
                 uint32_t variants, bool tolerant, LpArena *arena);
/* Prints what came out of a batch, ranked if it is a tournament; the exit code. */
int lp_cli_batch_print(LpCompareHead *head, LpBatch *batch, bool json, LpCsvMode csv,
                       LpArena *arena);

#endif
