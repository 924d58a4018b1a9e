/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that collide. Lua searches the keys of a table that fall in the same place one by one, in
 * one instruction, and a script can make them fall so: whole numbers by the remainder that is
 * taken, floats by all but their first bits, texts by their hash. No chain of such keys may become
 * long: each array of nodes is watched while it is filled, and before Lua fills a larger one anew
 * its chains are counted. Only memory of our own heap is read, and within the block. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "script/sandbox/sandbox.h"

enum {
    WATCHED_NODES = 128, /* smaller arrays cannot hold a chain that matters */
    CHAIN_MAX = LP_SANDBOX_CHAIN,
    CHAIN_FREE = 32,  /* keys in a chain that cost nothing; random ones make chains of ten */
    LENGTH_FREE = 12, /* the same for a length, which is found with up to 120 searches */
    KEYS_PER_UNIT = 16,
    ARRAYS_PER_LOOK = 16
};

/* A node of Lua 5.4: value, tag of the value, tag of the key, distance to the next, key. */
typedef struct Node {
    uint64_t value;
    unsigned char value_tag, key_tag;
    int32_t next; /* in nodes; 0: the last of its chain */
    uint64_t key;
} Node;
_Static_assert(sizeof(Node) == LP_SANDBOX_NODE, "as script/sandbox/memory.c knows it");

/* Tags of keys. Of the others numbers and addresses are hashed alike. */
enum { NO_KEY = 0, FALSE_KEY = 1, TRUE_KEY = 17, WHOLE = 3, FLOAT = 19, SHORT = 68, LONG = 84 };
enum { HASH_AT = 12 }; /* bytes from the start of a text's object to its hash */

/* An array of nodes, or what has the size of one. */
struct LpNodes {
    const Node *node;
    uint32_t count;
    uint32_t open;  /* nodes that were not looked at yet: Lua takes free ones from the end */
    uint32_t chain; /* the longest seen */
};

/* ---- chains as they are ---- */

/* Keys from this node on; garbage is left at once. */
static uint32_t chain_from(const struct LpNodes *a, uint32_t at) {
    uint32_t keys = 1;
    int64_t place = at;
    while (a->node[place].next != 0 && keys <= CHAIN_MAX) {
        place += a->node[place].next;
        if (place < 0 || place >= (int64_t)a->count)
            return 1;
        keys++;
    }
    return keys;
}

/* Whatever was put in a chain since the last look lies in a node that was free then: newer ones
 * come first in a chain. Returns keys looked at. */
static uint64_t look_at(struct LpNodes *a) {
    uint64_t steps = 0;
    while (a->open > 0 && a->node[a->open - 1].key_tag != NO_KEY) {
        uint32_t keys = chain_from(a, --a->open);
        a->chain = keys > a->chain ? keys : a->chain;
        steps += keys;
    }
    return steps;
}

bool lp_chains_find(LpSandbox *s) {
    uint64_t steps = 0;
    size_t most = s->arrays < ARRAYS_PER_LOOK ? s->arrays : ARRAYS_PER_LOOK;
    for (size_t i = 0; i < most; i++) {
        s->array_next = s->array_next + 1 < s->arrays ? s->array_next + 1 : 0;
        struct LpNodes *a = &s->array[s->array_next];
        steps += look_at(a);
        s->chain = a->chain > s->chain ? a->chain : s->chain;
    }
    if (steps >= KEYS_PER_UNIT)
        lp_sandbox_spend(s, steps / KEYS_PER_UNIT);
    return s->chain <= CHAIN_MAX && s->texts <= CHAIN_MAX;
}

uint64_t lp_chains_price(const LpSandbox *s) {
    uint32_t chain = s->chain > s->texts ? s->chain : s->texts;
    return chain > CHAIN_FREE ? chain / KEYS_PER_UNIT : 0;
}

uint64_t lp_chains_length(const LpSandbox *s) {
    return s->chain > LENGTH_FREE ? s->chain : 0;
}

/* ---- chains as they will be ---- */

static uint32_t hash_float(double number) {
    int exponent;
    double scaled = frexp(number, &exponent) * -(double)INT_MIN;
    if (!(scaled >= -0x1p63 && scaled < 0x1p63))
        return 0;
    uint32_t hash = (uint32_t)exponent + (uint32_t)(uint64_t)(int64_t)scaled;
    return hash <= INT_MAX ? hash : ~hash;
}

static bool in_heap(const LpSandbox *s, uint64_t address, size_t bytes) {
    uint64_t base = (uint64_t)(uintptr_t)s->heap.base;
    return address >= base && address - base + bytes <= s->heap.top;
}

/* Where the key falls among `count` nodes, a power of two. */
static uint32_t place_of(const LpSandbox *s, const Node *node, uint32_t count) {
    uint32_t odd = (count - 1) | 1, hash;
    double number;
    switch (node->key_tag) {
    case FALSE_KEY:
    case TRUE_KEY:
        return 0;
    case WHOLE:
        return (uint32_t)(node->key % odd);
    case FLOAT:
        memcpy(&number, &node->key, sizeof number);
        return hash_float(number) % odd;
    case SHORT:
    case LONG:
        if (!in_heap(s, node->key, HASH_AT + sizeof hash))
            return 0;
        memcpy(&hash, (const char *)(uintptr_t)node->key + HASH_AT, sizeof hash);
        return hash & (count - 1);
    default:
        return (uint32_t)node->key % odd;
    }
}

/* Only keys with a value are filled in anew. counts: zeroed. */
static bool fits(const LpSandbox *s, const struct LpNodes *full, Node *counts, uint32_t count) {
    bool fine = true;
    for (uint32_t i = 0; i < full->count && fine; i++) {
        const Node *node = &full->node[i];
        bool filled = (node->value_tag & 15) != 0 && node->key_tag != NO_KEY;
        fine = !filled || ++counts[place_of(s, node, count)].value <= CHAIN_MAX;
    }
    memset(counts, 0, count * sizeof *counts);
    return fine;
}

/* Lua asks for a larger array when it finds no free node, so what it will fill in anew is one of
 * those that are full. */
static bool all_fit(LpSandbox *s, Node *counts, uint32_t count) {
    uint64_t steps = 0;
    bool fine = true;
    for (size_t i = 0; i < s->arrays && fine; i++) {
        struct LpNodes *a = &s->array[i];
        steps += 1 + look_at(a);
        if (a->open > 0 || a->count <= CHAIN_MAX)
            continue;
        steps += a->count + count / 4;
        fine = fits(s, a, counts, count);
    }
    if (s->running)
        lp_sandbox_spend(s, steps / KEYS_PER_UNIT);
    return fine;
}

/* ---- arrays ---- */

/* A table's keys lie in a power of two of nodes; hardly anything else has such a size. */
bool lp_chains_watches(size_t size) {
    size_t nodes = size / sizeof(Node);
    return nodes >= WATCHED_NODES && size % sizeof(Node) == 0 && (nodes & (nodes - 1)) == 0;
}

LpErr lp_chains_add(LpSandbox *s, void *block, size_t size) {
    uint32_t count = (uint32_t)(size / sizeof(Node));
    memset(block, 0, size); /* what is no array of nodes must not look like one */
    if (count > CHAIN_MAX && !all_fit(s, block, count))
        return LP_ELIMIT;
    if (lp_grow((void **)&s->array, &s->array_room, s->arrays + 1, sizeof *s->array) != LP_OK)
        return LP_ENOMEM;
    s->array[s->arrays++] = (struct LpNodes){.node = block, .count = count, .open = count};
    return LP_OK;
}

void lp_chains_drop(LpSandbox *s, const void *block) {
    size_t at = s->arrays;
    while (at > 0 && (const void *)s->array[at - 1].node != block)
        at--;
    if (at == 0)
        return;
    bool longest = s->array[at - 1].chain == s->chain;
    s->array[at - 1] = s->array[--s->arrays];
    if (!longest)
        return;
    s->chain = 0;
    for (size_t i = 0; i < s->arrays; i++)
        s->chain = s->array[i].chain > s->chain ? s->array[i].chain : s->chain;
}

LpErr lp_chains_save(const LpSandbox *s, struct LpNodes **copy, LpDiag *diag) {
    struct LpNodes *made = lp_alloc(s->arrays + 1, sizeof *made);
    if (!made)
        return lp_fail_memory(diag, "a policy");
    if (s->arrays > 0)
        memcpy(made, s->array, s->arrays * sizeof *made);
    *copy = made;
    return LP_OK;
}

void lp_chains_restore(LpSandbox *s, const struct LpNodes *copy, size_t arrays) {
    if (arrays > 0)
        memcpy(s->array, copy, arrays * sizeof *copy); /* its room never shrinks */
    s->arrays = arrays;
}

void lp_chains_free(LpSandbox *s) {
    lp_free(s->array);
    s->array = NULL;
    s->arrays = s->array_room = 0;
}

/* ---- the layout ---- */

static bool lies(const LpSandbox *s, const struct LpNodes *a, unsigned char tag) {
    for (uint32_t i = 0; i < a->count; i++)
        if (a->node[i].key_tag == tag)
            return place_of(s, &a->node[i], a->count) == i;
    return false;
}

bool lp_chains_check(lua_State *L) {
    static const char TEXT[] = "a key that Lua keeps by itself, since it has more than 40 bytes";
    enum { KEY = 17, TAGS = 4 };
    static const unsigned char TAG[TAGS] = {FLOAT, SHORT, LONG, 5 | 64 /* a table */};
    LpSandbox *s = lp_sandbox_of(L);
    size_t before = s->arrays;
    bool same = true;
    lua_createtable(L, 0, WATCHED_NODES);
    int table = lua_gettop(L);
    lua_pushnumber(L, 0.375);
    lua_pushliteral(L, "name");
    lua_pushlstring(L, TEXT, sizeof TEXT - 1);
    lua_createtable(L, 0, 0);
    while (lua_gettop(L) > table) {
        lua_pushboolean(L, 1);
        lua_rawset(L, table);
    }
    for (lua_Integer i = 0; i < 2; i++) {
        lua_pushboolean(L, 1);
        lua_rawseti(L, table, KEY + i * (WATCHED_NODES - 1));
    }
    same = s->arrays == before + 1 && s->array[before].count == WATCHED_NODES;
    for (int i = 0; i < TAGS && same; i++)
        same = lies(s, &s->array[before], TAG[i]);
    if (same) {
        struct LpNodes *a = &s->array[before];
        const Node *first = &a->node[KEY];
        same = first->key_tag == WHOLE && first->key == KEY && chain_from(a, KEY) == 2;
        (void)look_at(a);
        same = same && a->open == WATCHED_NODES - 1 && a->chain == 1;
    }
    lua_pop(L, 1);
    return same;
}

/* ---- texts that collide ---- */

/* Lua keeps each short text once, and searches those that fall in the same place of its table one
 * by one whenever a text is made, also one that is there already. The allocator sees each new one;
 * a new one is put before the older ones of its place, so what follows it is what Lua had to
 * search. */
enum {
    TEXT_HEAD = 24,    /* bytes of a text's object before its characters */
    TEXT_NEXT_AT = 16, /* byte of that head at which the next text of its place is */
    TEXT_SHORT_MAX = 40,
    TEXTS_REFUSED = 2 * CHAIN_MAX /* the hook stops a call before, and knows the line; but the
                                     parser has no hook */
};

/* The text after this one; anything else than a text of our heap is none. */
static inline const char *next_of(const LpSandbox *s, const char *text) {
    const char *next;
    memcpy(&next, text + TEXT_NEXT_AT, sizeof next);
    return (uintptr_t)next - (uintptr_t)s->heap.base < s->heap.top - TEXT_HEAD ? next : NULL;
}

/* The last text is whole by now: Lua fills it in before it asks for anything else. */
static void look_at_texts(LpSandbox *s, const char *text) {
    uint32_t count = 1;
    while (count < TEXTS_REFUSED && (text = next_of(s, text)) != NULL)
        count++;
    if (count >= KEYS_PER_UNIT)
        lp_sandbox_spend(s, count / KEYS_PER_UNIT);
    if (count <= s->texts)
        return;
    s->texts = count;
    if (count > LP_SANDBOX_CHAIN)
        lp_sandbox_arm(s);
}

bool lp_texts_add(LpSandbox *s, const void *text, size_t size) {
    if (size > TEXT_HEAD + TEXT_SHORT_MAX + 1)
        return true;
    if (s->text != NULL)
        look_at_texts(s, s->text);
    s->text = s->texts < TEXTS_REFUSED ? text : NULL;
    return s->texts < TEXTS_REFUSED;
}

bool lp_texts_check(lua_State *L) {
    /* Two texts with one hash under our seed. */
    static const char *const TEXT[] = {"twin1322", "twin1583"};
    LpSandbox *s = lp_sandbox_of(L);
    const char *made[2];
    uint32_t hash[2];
    for (size_t i = 0; i < 2; i++) {
        (void)lua_pushstring(L, TEXT[i]);
        made[i] = s->text;
        if (made[i] == NULL || lua_tostring(L, -1) != made[i] + TEXT_HEAD)
            return false;
        memcpy(&hash[i], made[i] + HASH_AT, sizeof hash[i]);
    }
    bool same = hash[0] == hash[1] && next_of(s, made[1]) == made[0];
    lua_pop(L, 2);
    return same;
}
