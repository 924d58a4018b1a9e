/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches of jobs whose plan changed, and their spells in the queue, found by content: a run that
 * is played again after a rewind adds none. */
#include "base/assert.h"
#include "sim/store/store_impl.h"

_Static_assert(sizeof(LpEarlier) == 4 * sizeof(uint32_t) + sizeof(double),
               "its bytes are its key: no holes");

const LpEarlier *lp_store_earlier(const LpStore *store, uint32_t number) {
    LP_ASSERT(number > 0 && number <= store->earlier_key.count);
    return store->earlier_key.entry[number - 1].bytes;
}

LpErr lp_store_reserve_earlier(const LpContext *context, uint32_t more, LpDiag *diag) {
    if (lp_intern_reserve(&context->store->earlier_key, more, sizeof(LpEarlier)) != LP_OK)
        return lp_fail_memory(diag, "the plans that a job had");
    return LP_OK;
}

/* Adds what room was reserved for. */
static uint32_t add(LpIntern *table, const void *bytes, size_t len) {
    uint64_t hash;
    uint32_t index = lp_intern_find(table, bytes, len, &hash);
    LpErr err = LP_OK;
    if (index == LP_NO_INDEX)
        err = lp_intern_add(table, bytes, len, hash, &index);
    LP_ASSERT(err == LP_OK);
    return index + 1;
}

uint32_t lp_store_add_earlier(LpStore *store, const LpEarlier *earlier) {
    return add(&store->earlier_key, earlier, sizeof *earlier);
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
    return add(&store->spell_key, spell, sizeof *spell);
}

const LpStepPlan *lp_store_step_plan(const LpStore *store, uint32_t step) {
    LP_ASSERT(step < store->step_key.count);
    return &store->step[step]->plan;
}
