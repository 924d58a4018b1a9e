/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that collide. Lua keeps each short text once, and searches those that fall in the same
 * place of its table one by one whenever a text is made, also one that is there already. A script
 * can choose texts that fall so. The allocator sees each new one; a new one is put before the older
 * ones of its place, so what follows it is what Lua had to search. Only memory of our own heap is
 * read. */
#include <string.h>

#include "script/sandbox/sandbox.h"

enum {
    HEAD = 24,    /* bytes of a text's object before its characters ... */
    HASH_AT = 12, /* ... in which its hash ... */
    NEXT_AT = 16, /* ... and the next text of its place are */
    SHORT_MAX = 40,
    REFUSED = 2 * LP_SANDBOX_CHAIN, /* the hook stops a call before, and knows the line; but the
                                       parser has no hook */
    TEXTS_PER_UNIT = 16
};

/* The text after this one; anything else than a text of our heap is none. */
static inline const char *next_of(const LpSandbox *s, const char *text) {
    const char *next;
    memcpy(&next, text + NEXT_AT, sizeof next);
    return (uintptr_t)next - (uintptr_t)s->heap.base < s->heap.top - HEAD ? next : NULL;
}

/* The last text is whole by now: Lua fills it in before it asks for anything else. */
static void look_at(LpSandbox *s, const char *text) {
    uint32_t count = 1;
    while (count < REFUSED && (text = next_of(s, text)) != NULL)
        count++;
    if (count >= TEXTS_PER_UNIT)
        lp_sandbox_spend(s, count / TEXTS_PER_UNIT);
    if (count <= s->texts)
        return;
    s->texts = count;
    if (count > LP_SANDBOX_CHAIN)
        lp_sandbox_arm(s);
}

bool lp_texts_add(LpSandbox *s, const void *text, size_t size) {
    if (size > HEAD + SHORT_MAX + 1)
        return true;
    if (s->text != NULL)
        look_at(s, s->text);
    s->text = s->texts < REFUSED ? text : NULL;
    return s->texts < REFUSED;
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
        if (made[i] == NULL || lua_tostring(L, -1) != made[i] + HEAD)
            return false;
        memcpy(&hash[i], made[i] + HASH_AT, sizeof hash[i]);
    }
    bool same = hash[0] == hash[1] && next_of(s, made[1]) == made[0];
    lua_pop(L, 2);
    return same;
}
