/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath sweep`: one or more keys of a scenario over ranges of values. */
#include "many/study/sweep.h"
#include "cli/common/batch.h"

static const LpFlag flags[] = {
    LP_BATCH_FLAG(LpBatchArgs, "--vary", "PATH=VALUES", LP_FLAG_LIST, vary, NULL,
                  "A..B/N, A..B/log10 or A,B,C; repeat it for every combination"),
    LP_BATCH_FLAG(LpBatchArgs, "--policy", "FILE[:k=v,...]", LP_FLAG_LIST, policies, NULL,
                  "a policy; may be repeated (default: the scenario's)"),
    LP_BATCH_FLAGS(LpBatchArgs),
};

static LpErr read_policies(const LpBatchArgs *a, LpArena *arena, LpVariant **out, uint32_t *count,
                           LpDiag *diag) {
    *count = a->policies.count > 0 ? a->policies.count : 1;
    LpVariant *v = lp_arena_alloc(arena, *count, sizeof *v);
    if (v == NULL)
        return lp_fail_memory(diag, "the policies");
    v[0] = (LpVariant){.label = "scenario's"};
    for (uint32_t i = 0; i < a->policies.count; i++)
        LP_TRY(lp_variant_parse(a->policies.item[i], arena, &v[i], diag));
    *out = v;
    return LP_OK;
}

static LpErr read_variants(const LpBatchArgs *a, LpArena *arena, LpCompareHead *head,
                           LpVariant **out, uint32_t *count, LpDiag *diag) {
    LpVariant *policy = NULL;
    uint32_t policies = 0;
    if (a->vary.count == 0)
        return lp_fail(diag, LP_EINVAL,
                       "sweep expects --vary PATH=VALUES, such as generator.load=0.2..1.2/6");
    LP_TRY(read_policies(a, arena, &policy, &policies, diag));
    LpSweepAxis *axis = lp_arena_alloc(arena, a->vary.count, sizeof *axis);
    if (axis == NULL)
        return lp_fail_memory(diag, "a sweep");
    for (uint32_t i = 0; i < a->vary.count; i++)
        LP_TRY(lp_axis_parse(a->vary.item[i], arena, &axis[i], diag));
    return lp_sweep_variants(axis, a->vary.count, policy, policies, arena, head, out, count, diag);
}

static int run(const LpCli *cli) {
    LpBatchArgs options = {0};
    LpArgs args;
    LpVariant *variant = NULL;
    uint32_t variants = 0;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_sweep, cli, &options, &args, &code))
        return code;
    LpCompareHead head = {.work = "sweep"};
    if (read_variants(&options, args.arena, &head, &variant, &variants, &diag) != LP_OK)
        code = lp_cli_fail(&diag);
    else
        code = lp_cli_batch(&lp_command_sweep, cli, &options, args.word[0], &head, variant,
                            variants, false, args.arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_sweep = {
    .name = "sweep",
    .arguments = "SCENARIO",
    .summary = "Run a scenario over ranges of values",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "A..B/N: N values with equal steps; A..B/log10: one per decade (log2: doubling).\n"
             "Policies are compared with the first one within each combination (--json).\n",
    .run = run,
};
