/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath tournament`: every policy of a folder, ranked. */
#include "many/study/tournament.h"
#include "cli/common/batch.h"

static const LpFlag flags[] = {
    LP_BATCH_FLAG(LpBatchArgs, "--policies", "DIR", LP_FLAG_TEXT, folder, NULL,
                  "the folder whose .lua files take part"),
    LP_BATCH_FLAGS(LpBatchArgs),
};

static int run(const LpCli *cli) {
    LpBatchArgs options = {0};
    LpArgs args;
    LpVariant *variant = NULL;
    uint32_t variants = 0;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_tournament, cli, &options, &args, &code))
        return code;
    LpErr err = LP_OK;
    if (options.folder == NULL)
        err = lp_fail(&diag, LP_EINVAL, "tournament expects --policies DIR");
    else
        err = lp_tournament_entries(options.folder, args.arena, &variant, &variants, &diag);
    LpCompareHead head = {.work = "tournament", .policies = variants};
    code = err != LP_OK ? lp_cli_fail(&diag)
                        : lp_cli_batch(&lp_command_tournament, cli, &options, args.word[0], &head,
                                       variant, variants, true, args.arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_tournament = {
    .name = "tournament",
    .arguments = "SCENARIO",
    .summary = "Rank every policy of a folder",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "By jobs not served; policies that the seeds cannot tell apart share a rank. One that\n"
        "fails loses only its own row.\n",
    .run = run,
};
