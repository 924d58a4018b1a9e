/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath compare`: policies side by side on the same arrivals. */
#include <string.h>

#include "cli/common/batch.h"

static const LpFlag flags[] = {
    LP_BATCH_FLAG(LpBatchArgs, "--policy", "FILE[:k=v,...]", LP_FLAG_LIST, policies, NULL,
                  "a policy, with parameters of its own; repeat it for each one"),
    LP_BATCH_FLAGS(LpBatchArgs),
    LP_BATCH_FLAG(LpBatchArgs, "--curves", "FILE", LP_FLAG_TEXT, curves, NULL,
                  "write the curves of every policy and seed as CSV; each is run once more"),
};

static LpErr read_variants(const LpBatchArgs *a, LpArena *arena, LpVariant **out, LpDiag *diag) {
    if (a->policies.count < 2)
        return lp_fail(diag, LP_EINVAL,
                       "compare expects two policies or more: --policy A "
                       "--policy B");
    LpVariant *v = lp_arena_alloc(arena, a->policies.count, sizeof *v);
    if (v == NULL)
        return lp_fail_memory(diag, "the policies");
    for (uint32_t i = 0; i < a->policies.count; i++) {
        LP_TRY(lp_variant_parse(a->policies.item[i], arena, &v[i], diag));
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(v[k].label, v[i].label) == 0)
                return lp_fail(diag, LP_EINVAL, "--policy %s is there twice", v[i].label);
    }
    *out = v;
    return LP_OK;
}

static int run(const LpCli *cli) {
    LpBatchArgs options = {0};
    LpArgs args;
    LpVariant *variant = NULL;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_compare, cli, &options, &args, &code))
        return code;
    LpCompareHead head = {.work = "compare", .policies = options.policies.count};
    if (read_variants(&options, args.arena, &variant, &diag) != LP_OK)
        code = lp_cli_fail(&diag);
    else
        code = lp_cli_batch(&lp_command_compare, cli, &options, args.word[0], &head, variant,
                            head.policies, false, args.arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_compare = {
    .name = "compare",
    .arguments = "SCENARIO",
    .summary = "Run policies side by side on the same arrivals",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Each policy is compared with the first one, seed by seed. Ctrl-C prints the runs\n"
             "that were done and exits with 130.\n",
    .run = run,
};
