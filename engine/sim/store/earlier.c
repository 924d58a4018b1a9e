/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches of jobs whose plan changed, and their spells in the queue, found by content: a run that
 * is played again after a rewind adds none. Where light changes often they are by far the most that
 * a store keeps, each one a moment of its own. So they are found from the stretch before, which
 * hardly ever has more than one after it, and only the first ones of jobs by a table. */
#include <string.h>

#include "base/assert.h"
#include "sim/store/store_impl.h"

_Static_assert(sizeof(LpEarlier) == 4 * sizeof(uint32_t) + sizeof(double),
               "its bytes are compared: no holes");

const LpEarlier *lp_store_earlier(const LpStore *store, uint32_t number) {
    LP_ASSERT(number > 0 && number <= store->stretches);
    return &store->stretch[number - 1].earlier;
}

LpErr lp_store_reserve_earlier(const LpContext *context, uint32_t more, LpDiag *diag) {
    LpStore *store = context->store;
    void *stretches = store->stretch, *firsts = store->first;
    LpErr err =
        lp_grow(&stretches, &store->stretch_cap, store->stretches + more, sizeof *store->stretch);
    store->stretch = stretches;
    if (err == LP_OK)
        err = lp_grow(&firsts, &store->first_cap, store->first_key.count + more,
                      sizeof *store->first);
    store->first = firsts;
    if (err == LP_OK)
        err = lp_intern_reserve(&store->first_key, more, sizeof(LpEarlier));
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "the plans that a job had");
}

static uint32_t append(LpStore *store, const LpEarlier *earlier, uint32_t beside) {
    LP_ASSERT(store->stretches < store->stretch_cap); /* reserved */
    store->stretch[store->stretches++] = (LpBooked){*earlier, 0, beside};
    return (uint32_t)store->stretches;
}

static uint32_t add_first(LpStore *store, const LpEarlier *earlier) {
    uint64_t hash;
    uint32_t index = lp_intern_find(&store->first_key, earlier, sizeof *earlier, &hash);
    if (index != LP_NO_INDEX)
        return store->first[index];
    LpErr err = lp_intern_add(&store->first_key, earlier, sizeof *earlier, hash, &index);
    LP_ASSERT(err == LP_OK); /* reserved */
    (void)err;
    return store->first[index] = append(store, earlier, 0);
}

uint32_t lp_store_add_earlier(LpStore *store, const LpEarlier *earlier) {
    if (earlier->before == 0)
        return add_first(store, earlier);
    LpBooked *before = &store->stretch[earlier->before - 1];
    for (uint32_t at = before->after; at > 0; at = store->stretch[at - 1].beside)
        if (memcmp(&store->stretch[at - 1].earlier, earlier, sizeof *earlier) == 0)
            return at;
    return before->after = append(store, earlier, before->after);
}

LpErr lp_store_share_earlier(LpStore *to, const LpStore *from) {
    LP_TRY(lp_copy_array((void **)&to->stretch, &to->stretch_cap, from->stretch, from->stretches,
                         sizeof *to->stretch));
    to->stretches = from->stretches;
    LP_TRY(lp_copy_array((void **)&to->first, &to->first_cap, from->first, from->first_key.count,
                         sizeof *to->first));
    return lp_intern_share(&to->first_key, &from->first_key);
}

_Static_assert(sizeof(LpSpell) == 2 * sizeof(uint32_t) + 2 * sizeof(double),
               "its bytes are its key: no holes");

const LpSpell *lp_store_spell(const LpStore *store, uint32_t number) {
    LP_ASSERT(number > 0 && number <= store->spell_key.count);
    return store->spell_key.entry[number - 1].bytes;
}

LpErr lp_store_reserve_spell(const LpContext *context, LpDiag *diag) {
    if (lp_intern_reserve(&context->store->spell_key, 1, sizeof(LpSpell)) != LP_OK)
        return lp_fail_memory(diag, "how long a job waited");
    return LP_OK;
}

uint32_t lp_store_add_spell(LpStore *store, const LpSpell *spell) {
    uint64_t hash;
    uint32_t index = lp_intern_find(&store->spell_key, spell, sizeof *spell, &hash);
    LpErr err = LP_OK;
    if (index == LP_NO_INDEX) /* room was reserved */
        err = lp_intern_add(&store->spell_key, spell, sizeof *spell, hash, &index);
    LP_ASSERT(err == LP_OK);
    (void)err;
    return index + 1;
}

const LpStepPlan *lp_store_step_plan(const LpStore *store, uint32_t step) {
    LP_ASSERT(step < store->step_key.count);
    return &store->step[step]->plan;
}
