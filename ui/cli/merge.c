/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath merge`: the parts of --shard joined to what one run would have printed. */
#include <inttypes.h>
#include <string.h>

#include "cli/common/batch.h"
#include "many/results/part.h"

typedef struct Options {
    bool json, missing, partial;
    const char *out;
    LpCsvMode csv;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--missing", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, missing), NULL,
     "print only the shards that are missing or not whole, such as 7,13"},
    {"--partial", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, partial), NULL,
     "print the runs that are there although others are missing"},
    {"--out", NULL, "RESULTS", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "print nothing, and write one file of results, for --resume"},
    {"--csv", NULL, NULL, LP_FLAG_CSV, offsetof(Options, csv), NULL, LP_CSV_RUNS_HELP},
};

static LpErr read_parts(const LpArgs *args, LpPart *part, LpDiag *diag) {
    for (int i = 0; i < args->words; i++)
        LP_TRY(lp_part_read(args->word[i], &part[i], diag));
    return LP_OK;
}

static int print_missing(const LpMerged *merged) {
    LpBuf text = {0};
    LpDiag diag;
    for (uint32_t i = 0; i < merged->shards; i++)
        if (merged->share[i].missing > 0)
            lp_buf_addf(&text, "%s%" PRIu32, text.len > 0 ? "," : "", i + 1);
    if (text.len > 0)
        lp_buf_add(&text, "\n");
    LpErr err = lp_buf_ok(&text, &diag);
    return lp_cli_print(err, &text, &diag);
}

/* Where runs are missing says how many there are. */
static void note_partial(const LpMerged *merged) {
    const LpBatch *b = &merged->batch;
    uint32_t runs = b->variants * b->seeds, missing = 0;
    for (uint32_t i = 0; i < merged->shards; i++)
        missing += merged->share[i].missing;
    if (missing > 0)
        lp_cli_note("%" PRIu32 " of %" PRIu32 " runs are there", runs - missing, runs);
}

static LpErr add_bytes(void *writer, const char *bytes, size_t len, LpDiag *diag) {
    return lp_writer_add(writer, bytes, len, diag);
}

static int write_joined(const char *path, const LpMerged *merged) {
    const LpWriteSpec spec = {.path = path, .fresh = true};
    LpWriter file;
    LpDiag diag;
    if (lp_writer_open(&file, &spec, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    LpErr err = lp_merged_write(merged, add_bytes, &file, &diag);
    if (err == LP_OK)
        err = lp_writer_close(&file, &diag);
    lp_writer_drop(&file);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_run(&diag);
}

/* What is printed of an experiment follows from more than its runs. */
static int print_merged(const Options *options, LpMerged *merged) {
    LpDiag diag;
    if (options->missing)
        return print_missing(merged);
    note_partial(merged);
    if (options->out != NULL)
        return write_joined(options->out, merged);
    if (strcmp(merged->head.work, "experiment") != 0)
        return lp_cli_batch_print(&merged->head, &merged->batch, options->json, options->csv,
                                  merged->arena);
    lp_fail(&diag, LP_EINVAL,
            "these are parts of an experiment: join them by --out RESULTS, and give the command "
            "again with --resume RESULTS");
    return lp_cli_fail(&diag);
}

static int merge(const Options *options, const LpArgs *args, LpPart *part) {
    LpMerged merged;
    LpDiag diag;
    if (options->json && options->csv) {
        lp_fail(&diag, LP_EINVAL, "--json and --csv exclude each other");
        return lp_cli_fail(&diag);
    }
    bool listed = options->missing || options->out != NULL;
    if (listed && (options->json || options->csv || (options->missing && options->partial))) {
        lp_fail(&diag, LP_EINVAL, "%s",
                options->missing ? "--missing is a list: expected no --json, --csv or --partial"
                                 : "--out writes results: expected no --json or --csv");
        return lp_cli_fail(&diag);
    }
    bool whole = !options->missing && !options->partial;
    if (read_parts(args, part, &diag) != LP_OK ||
        lp_merge(part, (uint32_t)args->words, whole ? LP_MERGE_WHOLE : LP_MERGE_THERE, &merged,
                 &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = print_merged(options, &merged);
    lp_merged_fini(&merged);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_merge, cli, &options, &args, &code))
        return code;
    LpPart *part = lp_alloc((size_t)args.words, sizeof *part);
    if (part != NULL) {
        code = merge(&options, &args, part);
    } else {
        lp_fail_memory(&diag, "the parts");
        code = lp_cli_fail(&diag);
    }
    for (int i = 0; part != NULL && i < args.words; i++)
        lp_part_fini(&part[i]);
    lp_free(part);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_merge = {
    .name = "merge",
    .arguments = "PART...",
    .summary = "Join the parts of a compare, sweep or tournament in shards",
    .least = 1,
    .most = -1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Prints what the command would have printed without --shard, byte for byte. Parts that\n"
        "are damaged, missing, there twice or of another work are refused by name. Files of --out\n"
        "and --resume are parts, too, also packed by gzip.\n",
    .run = run,
};
