/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath merge`: the parts of --shard joined to what one run would have printed. */
#include "cli/common/batch.h"
#include "many/study/shard.h"

typedef struct Options {
    bool json;
    LpCsvMode csv;
} Options;

static const LpFlag flags[] = {
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--csv", NULL, NULL, LP_FLAG_CSV, offsetof(Options, csv), NULL, LP_CSV_RUNS_HELP},
};

static LpErr read_parts(const LpArgs *args, LpPart *part, LpDiag *diag) {
    for (int i = 0; i < args->words; i++)
        LP_TRY(lp_part_read(args->word[i], &part[i], diag));
    return LP_OK;
}

static int merge(const Options *options, const LpArgs *args, LpPart *part) {
    LpMerged merged;
    LpDiag diag;
    if (options->json && options->csv) {
        lp_fail(&diag, LP_EINVAL, "--json and --csv exclude each other");
        return lp_cli_fail(&diag);
    }
    if (read_parts(args, part, &diag) != LP_OK ||
        lp_merge(part, (uint32_t)args->words, &merged, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code =
        lp_cli_batch_print(&merged.head, &merged.batch, options->json, options->csv, merged.arena);
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
        "are damaged, missing, there twice or of another work are refused by name.\n",
    .run = run,
};
