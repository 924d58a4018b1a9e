/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hook `failure`: what does a job do that a failure stopped? */
#include "script/policy/failure.h"
#include "script/script_impl.h"

static int failure_body(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    char doing[80];
    LpBuf text = {0};
    luaL_checkstack(L, 40, "a failure");
    lp_buf_addf(&text, "failure(job %u)", (unsigned)p->job);
    lp_str_copy(doing, sizeof doing, lp_buf_text(&text));
    lp_buf_fini(&text);
    int first = lp_hook_call(L, p, LP_HOOK_failure, doing);
    lp_hook_read_failure(L, first);
    lp_hook_note_where(p, true);
    return 0;
}

LpErr lp_policy_failure(LpPolicy *policy, const LpContext *context, const LpWorld *world,
                        uint32_t job, LpRng *rng, const LpRecovery **out, bool *failed,
                        LpDiag *diag) {
    *failed = false;
    *out = NULL;
    if (!policy->has_hook[LP_HOOK_failure])
        return LP_OK;
    policy->job = job;
    policy->recovers = false;
    policy->recovery = (LpRecovery){0};
    policy->swaps.count = 0;
    LP_TRY(lp_policy_run(policy, context, world, rng, failure_body, failed, diag));
    if (*failed || !policy->recovers)
        return LP_OK;
    /* The pairs as the world reads them. */
    void *items = policy->swap;
    uint32_t count = policy->swaps.count / 2;
    if (lp_grow(&items, &policy->swap_cap, (size_t)count + 1, sizeof *policy->swap) != LP_OK)
        return lp_fail_memory(diag, "an answer");
    policy->swap = items;
    for (uint32_t i = 0; i < count; i++)
        policy->swap[i] = (LpSwap){policy->swaps.item[2 * i], policy->swaps.item[2 * i + 1]};
    policy->recovery.swaps = count;
    policy->recovery.swap = policy->swap;
    policy->recovery.why = policy->answer.why;
    policy->recovery.where = policy->answer.where;
    *out = &policy->recovery;
    return LP_OK;
}
