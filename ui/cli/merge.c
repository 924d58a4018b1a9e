/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath merge`: the parts of --shard joined to what one run would have printed. */
#include <inttypes.h>

#include "cli/common/batch.h"
#include "many/results/part.h"

typedef struct Options {
    bool json, missing, partial;
    LpCsvMode csv;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--missing", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, missing), NULL,
     "print only the shards that are missing or not whole, such as 7,13"},
    {"--partial", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, partial), NULL,
     "print the runs that are there although others are missing"},
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

static int merge(const Options *options, const LpArgs *args, LpPart *part) {
    LpMerged merged;
    LpDiag diag;
    if (options->json && options->csv) {
        lp_fail(&diag, LP_EINVAL, "--json and --csv exclude each other");
        return lp_cli_fail(&diag);
    }
    if (options->missing && (options->json || options->csv || options->partial)) {
        lp_fail(&diag, LP_EINVAL, "--missing is a list: expected no --json, --csv or --partial");
        return lp_cli_fail(&diag);
    }
    bool whole = !options->missing && !options->partial;
    if (read_parts(args, part, &diag) != LP_OK ||
        lp_merge(part, (uint32_t)args->words, whole ? LP_MERGE_WHOLE : LP_MERGE_THERE, &merged,
                 &diag) != LP_OK)
        return lp_cli_fail(&diag);
    note_partial(&merged);
    int code = options->missing ? print_missing(&merged)
                                : lp_cli_batch_print(&merged.head, &merged.batch, options->json,
                                                     options->csv, merged.arena);
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
