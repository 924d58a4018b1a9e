/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks and schedules by content, and the contexts of the networks. */
#include "sim/light/networks.h"

#include <string.h>

#include "base/hash.h"
#include "sim/store/family.h"

/* ---- networks and schedules by content ---- */

static const char REFERENCE[] = "reference";

static LpErr keep_network(const LpContext *context, const LpNetwork *network, const void *key,
                          size_t len, uint64_t hash, uint32_t *number) {
    LpIntern *keys = &context->circuits->network_key;
    LP_TRY(lp_family_light(context, network, (uint32_t)keys->count));
    return lp_intern_add(keys, key, len, hash, number);
}

/* Scales are part of the key as one more entry. */
LpErr lp_circuits_network(const LpContext *context, uint32_t count, uint32_t *number,
                          LpDiag *diag) {
    LpCircuits *c = context->circuits;
    const LpNetwork *network;
    uint64_t hash;
    c->lit[count] = (LpLit){LP_DARK, context->scales, 0};
    size_t len = (count + (context->scales != 0)) * sizeof *c->lit;
    *number = lp_intern_find(&c->network_key, c->lit, len, &hash);
    if (*number != LP_NO_INDEX)
        return LP_OK;
    LP_TRY(lp_ocs_network(&context->fabric.cluster->ocs, c->lit, count, c->arena, &network, diag));
    if (keep_network(context, network, c->lit, len, hash, number) != LP_OK)
        return lp_fail_memory(diag, "the network of circuits");
    return LP_OK;
}

/* What a network's key says: its circuits, then the scales, if any. */
LpErr lp_circuits_at(const LpContext *base, uint32_t scales, uint32_t network,
                     const LpContext **out, LpDiag *diag) {
    const LpContext *scaled = lp_context_at(base, scales);
    LpCircuits *c = base->circuits;
    uint32_t number;
    *out = scaled;
    if (c == NULL)
        return LP_OK;
    const LpInternEntry *key = &c->network_key.entry[network];
    size_t count = key->len / sizeof(LpLit);
    const LpLit *lit = key->bytes;
    if (count == 1 && memcmp(key->bytes, REFERENCE, sizeof REFERENCE) == 0)
        return LP_OK; /* it is the scaled one's own network */
    void *room = c->lit;
    if (lp_grow(&room, &c->lit_cap, count + 1, sizeof *c->lit) != LP_OK)
        return lp_fail_memory(diag, "the network of circuits");
    c->lit = room;
    if (count > 0 && lit[count - 1].in == LP_DARK)
        count--;
    if (count > 0)
        memcpy(c->lit, lit, count * sizeof *c->lit);
    LP_TRY(lp_circuits_network(scaled, (uint32_t)count, &number, diag));
    *out = lp_context_lit(scaled, number);
    return LP_OK;
}

static uint64_t hash_schedule(const LpSchedule *s) {
    uint64_t h = lp_hash_u64(LP_HASH_INIT, s->entries);
    for (uint32_t e = 0; e < s->entries; e++)
        h = lp_hash_f64(h, s->hold[e]);
    return lp_hash_bytes(h, s->to, (size_t)s->entries * s->ports * sizeof *s->to);
}

static LpSchedule *copy_schedule(LpCircuits *c, const LpSchedule *s) {
    size_t cells = (size_t)s->entries * s->ports;
    LpSchedule *copy = lp_arena_alloc(c->arena, 1, sizeof *copy);
    uint32_t *to = lp_arena_raw(c->arena, cells, sizeof *to);
    double *hold = lp_arena_raw(c->arena, s->entries, sizeof *hold);
    if (copy == NULL || to == NULL || hold == NULL)
        return NULL;
    memcpy(to, s->to, cells * sizeof *to);
    memcpy(hold, s->hold, s->entries * sizeof *hold);
    *copy = (LpSchedule){s->ports, s->entries, to, hold};
    return copy;
}

static LpErr add_schedule(LpCircuits *c, const LpSchedule *s, const void *key, size_t len,
                          uint64_t hash, uint32_t *number) {
    void *items = c->schedule, *hashes = c->schedule_hash;
    LP_TRY(lp_grow(&items, &c->schedule_cap, c->schedule_key.count + 1, sizeof *c->schedule));
    c->schedule = items;
    LP_TRY(lp_grow(&hashes, &c->hash_cap, c->schedule_key.count + 1, sizeof *c->schedule_hash));
    c->schedule_hash = hashes;
    LpSchedule *copy = copy_schedule(c, s);
    if (copy == NULL)
        return LP_ENOMEM;
    LP_TRY(lp_intern_add(&c->schedule_key, key, len, hash, number));
    c->schedule[*number] = copy;
    c->schedule_hash[*number] = hash_schedule(copy);
    return LP_OK;
}

LpErr lp_circuits_schedule(LpCircuits *c, const LpSchedule *s, uint32_t *number) {
    size_t holds = s->entries * sizeof *s->hold;
    size_t cells = (size_t)s->entries * s->ports * sizeof *s->to;
    uint64_t hash;
    uint8_t *key = lp_alloc(holds + cells, 1);
    if (key == NULL)
        return LP_ENOMEM;
    memcpy(key, s->hold, holds);
    memcpy(key + holds, s->to, cells);
    *number = lp_intern_find(&c->schedule_key, key, holds + cells, &hash);
    LpErr err =
        *number == LP_NO_INDEX ? add_schedule(c, s, key, holds + cells, hash, number) : LP_OK;
    lp_free(key);
    return err;
}

LpErr lp_circuits_lit_room(LpCircuits *c, const LpSchedule *s) {
    void *items = c->lit;
    size_t most = (size_t)s->ports * (s->entries < s->ports ? s->entries : s->ports);
    LP_TRY(lp_grow(&items, &c->lit_cap, most + 1, sizeof *c->lit));
    c->lit = items;
    return LP_OK;
}

/* ---- a context's circuits ---- */

LpErr lp_circuits_scale(LpContext *context, LpDiag *diag) {
    LpCircuits *c = context->circuits;
    if (c == NULL)
        return LP_OK;
    struct {
        char word[12];
        uint32_t scales;
    } key = {"", context->scales};
    const LpNetwork *network;
    uint64_t hash;
    void *items = c->reference;
    memcpy(key.word, REFERENCE, sizeof REFERENCE);
    LP_TRY(lp_ocs_reference(&context->fabric.cluster->ocs, c->arena, &network, diag));
    (void)lp_intern_find(&c->network_key, &key, sizeof key, &hash);
    if (lp_grow(&items, &c->reference_cap, (size_t)context->scales + 1, sizeof *c->reference) !=
        LP_OK)
        return lp_fail_memory(diag, "the network of circuits");
    c->reference = items;
    if (keep_network(context, network, &key, sizeof key, hash, &c->reference[context->scales]) !=
        LP_OK)
        return lp_fail_memory(diag, "the network of circuits");
    context->network = c->reference[context->scales];
    context->fabric.network = network;
    return LP_OK;
}

/* Worlds begin with the circuits of the scenario, and the base context answers for these. */
static LpErr keep_first(LpContext *context, LpDiag *diag) {
    LpCircuits *c = context->circuits;
    const double hold = 1;
    const LpSchedule first = {c->ocs->ports, 1, c->ocs->initial, &hold};
    if (lp_circuits_schedule(c, &first, &c->first.schedule) != LP_OK ||
        lp_circuits_lit_room(c, &first) != LP_OK)
        return lp_fail_memory(diag, "the circuits of a context");
    c->first.hash = c->schedule_hash[c->first.schedule];
    c->first.lit = lp_schedule_lit(&first, 0, c->lit);
    LP_TRY(lp_circuits_network(context, c->first.lit, &c->first.network, diag));
    context->fabric.network = lp_context_lit(context, c->first.network)->fabric.network;
    context->network = c->first.network;
    return LP_OK;
}

LpErr lp_circuits_new(LpContext *context, LpDiag *diag) {
    if (!context->fabric.ops->circuits)
        return LP_OK;
    LpCircuits *c = context->circuits = lp_alloc(1, sizeof *c);
    if (c == NULL || (c->arena = lp_arena_new(0)) == NULL)
        return lp_fail_memory(diag, "the circuits of a context");
    c->ocs = &context->fabric.cluster->ocs;
    context->first = &c->first;
    LP_TRY(lp_circuits_scale(context, diag));
    return keep_first(context, diag);
}

#define SHARE(field, cap, count)                                                                   \
    LP_TRY(lp_copy_array((void **)&c->field, &c->cap, from->field, count, sizeof *c->field))

/* In place of what a fresh one has, which is the beginning of it. */
LpErr lp_circuits_share(const LpContext *context, const LpContext *of) {
    LpCircuits *c = context->circuits;
    const LpCircuits *from = of->circuits;
    if (from == NULL)
        return LP_OK;
    void *lit = c->lit; /* room for the largest schedule */
    LP_TRY(lp_grow(&lit, &c->lit_cap, from->lit_cap, sizeof *c->lit));
    c->lit = lit;
    SHARE(reference, reference_cap, from->reference_cap);
    SHARE(schedule, schedule_cap, from->schedule_key.count);
    SHARE(schedule_hash, hash_cap, from->schedule_key.count);
    for (uint32_t i = 0; i < from->network_key.count; i++) {
        const LpContext *same = lp_context_lit(of, i);
        LP_TRY(lp_family_light(lp_context_at(context, same->scales), same->fabric.network, i));
    }
    LP_TRY(lp_intern_share(&c->network_key, &from->network_key));
    LP_TRY(lp_intern_share(&c->schedule_key, &from->schedule_key));
    return LP_OK;
}

void lp_circuits_free(LpCircuits *c) {
    if (c == NULL)
        return;
    lp_intern_fini(&c->network_key);
    lp_intern_fini(&c->schedule_key);
    lp_free(c->schedule);
    lp_free(c->schedule_hash);
    lp_free(c->lit);
    lp_free(c->next);
    lp_free(c->reference);
    lp_free(c->asked);
    lp_free(c->touched);
    lp_arena_free(c->arena);
    lp_free(c);
}

const LpContext *lp_circuits_reference(const LpContext *context) {
    return lp_context_lit(context, context->circuits->reference[context->scales]);
}

bool lp_circuits_follow(const LpContext *context) {
    return context->circuits != NULL && context->circuits->ocs->interval > 0;
}
