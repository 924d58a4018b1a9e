/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placements in the store, and the fabric as one on a slice has it. Where nobody looks back, those
 * of jobs without parts are kept packed: as a pattern, which jobs of one shape share, and the racks
 * that it is laid on. */
#include <string.h>

#include "base/assert.h"
#include "model/pod/place.h"
#include "sim/store/store_impl.h"

const LpFabric *lp_store_fabric(const LpContext *context, const LpPlacement *p) {
    LpStore *store = context->store;
    if (p->slice == 0)
        return &context->fabric;
    for (uint32_t i = 0; i < p->servers; i++)
        store->in_slice[p->server[i]] = i;
    store->slice = lp_pod_slice_on(&context->fabric.cluster->pod.net,
                                   &context->scenario->slice[p->slice - 1].slice, p->server);
    lp_pod_fabric(&context->fabric, &store->slice, store->in_slice, store->rest, &store->on_slice);
    return &store->on_slice;
}

/* ---- keys ---- */

LpErr lp_store_key_room(LpStore *store, size_t bytes) {
    void *items = store->key;
    LP_TRY(lp_grow(&items, &store->key_cap, bytes, 1));
    store->key = items;
    return LP_OK;
}

size_t lp_store_key_add(LpStore *store, size_t at, const void *bytes, size_t len) {
    LP_ASSERT(at + len <= store->key_cap);
    if (len > 0) /* an empty list may be NULL */
        memcpy(store->key + at, bytes, len);
    return at + len;
}

size_t lp_store_placement_key(LpStore *store, size_t at, const LpPlacement *p,
                              const uint32_t *group_server) {
    uint32_t head[3] = {p->ops, p->groups, p->slice};
    size_t size = p->slice > 0 ? sizeof head : 2 * sizeof head[0]; /* as keys always were */
    at = lp_store_key_add(store, at, head, size);
    at = lp_store_key_add(store, at, p->op_group, p->ops * sizeof *p->op_group);
    at = lp_store_key_add(store, at, p->group_begin,
                          ((size_t)p->groups + 1) * sizeof *p->group_begin);
    return lp_store_key_add(store, at, group_server,
                            p->group_begin[p->groups] * sizeof *group_server);
}

size_t lp_store_placement_room(const LpPlacement *p) {
    return 64 + p->ops * sizeof *p->op_group + ((size_t)p->groups + 1) * 4 +
           p->group_begin[p->groups] * sizeof(uint32_t) + p->servers * sizeof(uint32_t);
}

/* ---- packed ---- */

/* Packed bytes begin with a word of which the highest bit is set, other keys with a number of ops.
 * The word's other bits are the number of a pattern, or say that the pattern comes next, for one
 * that is not kept. Then comes a number in sevens of bits for each rack, in the order in which the
 * servers first lie in them. A pattern is the shape, the number of servers, and for each of these
 * the ordinal of its rack times the servers of a rack and its place there. */
#define PACKED 0x80000000U
#define ALONE 0x7fffffffU
enum {
    PATTERN_HEAD = 5,
    PATTERNS_BYTES = 1 << 20, /* of all patterns: beyond them they are not shared */
    RACK_MAX = 1024,          /* servers of a rack, or lists are cut into RACK_CUT */
    RACK_CUT = 64,
    SEVENS = 5 /* bytes of a number, at most */
};

struct LpOpenPlacements {
    uint32_t servers, per_rack, next;
    uint32_t none[1];  /* group_begin of each */
    size_t patterns;   /* bytes of them */
    uint32_t *ordinal; /* per rack: 1 + ordinal in the list that is packed now, 0: none */
    uint32_t *rack;    /* per ordinal */
    uint32_t *pattern; /* PATTERN_HEAD, and one per server */
    uint8_t *bytes;    /* packed */
    struct {
        uint32_t index; /* LP_NO_INDEX: none */
        LpPlacement placement;
        uint32_t *server;
    } open[LP_STORE_OPEN];
};

static LpErr open_some(LpStore *store, uint32_t servers, uint32_t per_rack) {
    struct LpOpenPlacements *o = lp_alloc(1, sizeof *o);
    if ((store->open = o) == NULL)
        return LP_ENOMEM;
    o->servers = servers;
    o->per_rack = per_rack;
    size_t racks = servers / per_rack + 1, words = (size_t)servers + PATTERN_HEAD;
    o->ordinal = lp_alloc(racks, sizeof *o->ordinal);
    o->rack = lp_alloc(racks, sizeof *o->rack);
    o->pattern = lp_alloc(words, sizeof *o->pattern);
    o->bytes = lp_alloc(sizeof(uint32_t) + SEVENS * (words + racks), 1);
    bool ok = o->ordinal && o->rack && o->pattern && o->bytes;
    for (uint32_t i = 0; i < LP_STORE_OPEN; i++) {
        o->open[i].index = LP_NO_INDEX;
        o->open[i].server = lp_alloc(servers, sizeof(uint32_t));
        ok = ok && o->open[i].server != NULL;
    }
    return ok ? LP_OK : LP_ENOMEM;
}

LpErr lp_store_pack(const LpContext *context, LpDiag *diag) {
    const LpFabric *f = &context->fabric;
    LP_ASSERT(context->store->open == NULL && context->store->placement_key.count == 0);
    uint32_t per_rack = f->per_rack > 1 && f->per_rack <= RACK_MAX ? f->per_rack : RACK_CUT;
    if (open_some(context->store, f->servers, per_rack) != LP_OK)
        return lp_fail_memory(diag, "placements");
    return LP_OK;
}

LpErr lp_store_share_packed(LpStore *to, const LpStore *from) {
    if (from->open == NULL)
        return LP_OK;
    LP_TRY(open_some(to, from->open->servers, from->open->per_rack));
    to->open->patterns = from->open->patterns;
    for (uint32_t i = 0; i < LP_STORE_OPEN; i++) /* those that are open there */
        if (from->open->open[i].index != LP_NO_INDEX)
            to->placement[from->open->open[i].index] = NULL;
    return lp_intern_share(&to->pattern_key, &from->pattern_key);
}

void lp_store_close_placements(LpStore *store) {
    struct LpOpenPlacements *o = store->open;
    if (o == NULL)
        return;
    for (uint32_t i = 0; i < LP_STORE_OPEN; i++)
        lp_free(o->open[i].server);
    lp_free(o->ordinal);
    lp_free(o->rack);
    lp_free(o->pattern);
    lp_free(o->bytes);
    lp_free(o);
}

static uint8_t *put_number(uint8_t *to, uint32_t number) {
    for (; number > 127; number >>= 7)
        *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    return to;
}

static const uint8_t *get_number(const uint8_t *from, uint32_t *number) {
    *number = 0;
    for (uint32_t shift = 0;; shift += 7) {
        *number |= (uint32_t)(*from & 127) << shift;
        if (*from++ < 128)
            return from;
    }
}

/* Fills pattern and racks, and says how many these are. */
static uint32_t take_apart(struct LpOpenPlacements *o, const LpPlacement *p) {
    uint32_t racks = 0;
    const uint32_t head[PATTERN_HEAD] = {p->shape.groups, p->shape.racks, p->shape.servers,
                                         p->shape.diagonal, p->servers};
    memcpy(o->pattern, head, sizeof head);
    for (uint32_t i = 0; i < p->servers; i++) {
        uint32_t rack = p->server[i] / o->per_rack, place = p->server[i] % o->per_rack;
        if (o->ordinal[rack] == 0) {
            o->rack[racks++] = rack;
            o->ordinal[rack] = racks;
        }
        o->pattern[PATTERN_HEAD + i] = (o->ordinal[rack] - 1) * o->per_rack + place;
    }
    for (uint32_t r = 0; r < racks; r++)
        o->ordinal[o->rack[r]] = 0;
    return racks;
}

/* The number of the pattern, kept where there is room for it; ALONE: it is not kept. */
static LpErr keep_pattern(LpStore *store, size_t bytes, uint32_t *number) {
    struct LpOpenPlacements *o = store->open;
    uint64_t hash;
    *number = lp_intern_find(&store->pattern_key, o->pattern, bytes, &hash);
    if (*number != LP_NO_INDEX)
        return LP_OK;
    *number = ALONE;
    if (o->patterns + bytes > PATTERNS_BYTES)
        return LP_OK;
    LP_TRY(lp_intern_add(&store->pattern_key, o->pattern, bytes, hash, number));
    o->patterns += bytes;
    return LP_OK;
}

/* In open->bytes. */
static LpErr pack(LpStore *store, const LpPlacement *p, size_t *len) {
    struct LpOpenPlacements *o = store->open;
    uint32_t racks = take_apart(o, p), words = PATTERN_HEAD + p->servers, number;
    LP_TRY(keep_pattern(store, words * sizeof *o->pattern, &number));
    uint32_t first = PACKED | number;
    memcpy(o->bytes, &first, sizeof first);
    uint8_t *to = o->bytes + sizeof first;
    for (uint32_t i = 0; number == ALONE && i < words; i++)
        to = put_number(to, o->pattern[i]);
    for (uint32_t r = 0; r < racks; r++)
        to = put_number(to, o->rack[r]);
    *len = (size_t)(to - o->bytes);
    return LP_OK;
}

static void unpack(const LpStore *store, const LpInternEntry *entry, LpPlacement *p) {
    struct LpOpenPlacements *o = store->open;
    const uint8_t *from = entry->bytes;
    const uint32_t *pattern = o->pattern;
    uint32_t first, racks = 0;
    memcpy(&first, from, sizeof first);
    from += sizeof first;
    if (first != (PACKED | ALONE))
        pattern = store->pattern_key.entry[first - PACKED].bytes;
    else
        for (uint32_t i = 0; i < PATTERN_HEAD || i < PATTERN_HEAD + o->pattern[4]; i++)
            from = get_number(from, &o->pattern[i]);
    for (const uint8_t *end = (const uint8_t *)entry->bytes + entry->len; from < end; racks++)
        from = get_number(from, &o->rack[racks]);
    *p = (LpPlacement){.group_begin = o->none,
                       .servers = pattern[4],
                       .server = p->server,
                       .shape = {pattern[0], pattern[1], pattern[2], pattern[3] != 0},
                       .hash = entry->hash};
    for (uint32_t i = 0; i < p->servers; i++) {
        uint32_t at = pattern[PATTERN_HEAD + i];
        p->server[i] = o->rack[at / o->per_rack] * o->per_rack + at % o->per_rack;
    }
}

/* Opens a packed one, in place of the one that was opened first. */
static const LpPlacement *open_placement(const LpStore *store, uint32_t index) {
    struct LpOpenPlacements *o = store->open;
    uint32_t at = o->next;
    o->next = (o->next + 1) % LP_STORE_OPEN;
    if (o->open[at].index != LP_NO_INDEX)
        store->placement[o->open[at].index] = NULL;
    o->open[at].index = index;
    o->open[at].placement.server = o->open[at].server;
    unpack(store, &store->placement_key.entry[index], &o->open[at].placement);
    return store->placement[index] = &o->open[at].placement;
}

/* ---- placements ---- */

const LpPlacement *lp_store_placement(const LpStore *store, uint32_t index) {
    LP_ASSERT(index < store->placement_key.count);
    const LpPlacement *p = store->placement[index];
    return p != NULL ? p : open_placement(store, index);
}

static void *copy(LpArena *arena, const void *items, size_t count, size_t size) {
    void *to = lp_arena_alloc(arena, count, size);
    if (to != NULL && count > 0)
        memcpy(to, items, count * size);
    return to;
}

static LpPlacement *copy_placement(LpArena *arena, const LpPlacement *from, uint64_t hash) {
    LpPlacement *p = lp_arena_alloc(arena, 1, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = *from;
    p->hash = hash;
    p->op_group = copy(arena, from->op_group, from->ops, sizeof *p->op_group);
    p->group_begin =
        copy(arena, from->group_begin, (size_t)from->groups + 1, sizeof *p->group_begin);
    p->group_server =
        copy(arena, from->group_server, from->group_begin[from->groups], sizeof *p->group_server);
    p->server = copy(arena, from->server, from->servers, sizeof *p->server);
    return p->op_group && p->group_begin && p->group_server && p->server ? p : NULL;
}

/* Adds what is not known yet under a key. */
static LpErr add(LpStore *store, const LpPlacement *placement, const void *key, size_t len,
                 uint64_t hash, uint32_t *index) {
    bool packed = key != store->key;
    void *items = store->placement;
    LP_TRY(lp_grow(&items, &store->placement_cap, store->placement_key.count + 1,
                   sizeof *store->placement));
    store->placement = items;
    LpPlacement *p = packed ? NULL : copy_placement(store->arena, placement, hash);
    if (p == NULL && !packed)
        return LP_ENOMEM;
    LP_TRY(lp_intern_add(&store->placement_key, key, len, hash, index));
    store->placement[*index] = p;
    return LP_OK;
}

LpErr lp_store_add_placement(const LpContext *context, const LpPlacement *placement,
                             uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    uint64_t hash;
    if (lp_store_key_room(store, lp_store_placement_room(placement)) != LP_OK)
        return lp_fail_memory(diag, "a placement");
    const void *key = store->key;
    size_t len = lp_store_placement_key(store, 0, placement, placement->group_server);
    len = lp_store_key_add(store, len, placement->server, placement->servers * sizeof(uint32_t));
    *index = lp_intern_find(&store->placement_key, key, len, &hash);
    LpErr err = LP_OK;
    if (*index == LP_NO_INDEX && placement->ops == 0 && store->open != NULL) {
        err = pack(store, placement, &len);
        key = store->open->bytes;
        if (err == LP_OK)
            *index = lp_intern_seek(&store->placement_key, key, len, hash);
    }
    if (err == LP_OK && *index == LP_NO_INDEX)
        err = add(store, placement, key, len, hash, index);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "a placement");
}
