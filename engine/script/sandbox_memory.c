/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a Lua state: an allocator with a limit, which charges for what it gives, and which
 * keeps Lua's stack of values small. */
#include <string.h>

#include "base/mem.h"
#include "script/sandbox.h"

enum {
    REFUSED_UNITS = 1000,
    SMALL = 72,               /* bytes: Lua's short strings and frames are no larger */
    ALLOCATION_UNITS = 16,    /* price of an allocation ... */
    BYTES_PER_UNIT = 8,       /* ... and of its bytes (a table that grows is filled anew) ... */
    CHARACTERS_PER_UNIT = 16, /* ... or of a string's */
    COLLECTION_BYTES =
        8,           /* a refused allocation makes Lua collect: a unit per so many bytes used */
    NODE_BYTES = 24, /* of a table's key and value in Lua 5.4 */
    /* A value that is called through __call moves all above it on the stack, again and again where
     * it leads to itself, in one instruction: the stack bounds how long that takes. */
    STACK_BYTES = 10300 * 16, /* some thousand calls */
    STACK_EXTRA = 5 * 16,     /* that Lua 5.4 keeps above a stack's size */
    STACK_LEVELS = 40,        /* calls that a stack of that size has at least */
    FRAME_SLOTS = 1000,       /* of one call: registers and what it passes on are half of it */
    PLACE_LEVELS = 32
};

/* ---- refusing ---- */

/* While Lua 5.4.5 and later move the stack, the functions of calls are known by offsets from its
 * start, and lua_getinfo would take these for addresses. The call whose line is asked for gets its
 * address back meanwhile: it is the first field of what i_ci points to, in all of 5.4. */
static bool get_line(lua_State *L, lua_Debug *info, char *moving) {
    enum { NO_ADDRESS = 1 << 28 }; /* no stack is as large, no address as low */
    char **function = (char **)(void *)info->i_ci, *kept = *function;
    bool offset = moving && (uintptr_t)kept < NO_ADDRESS;
    if (offset)
        *function = moving + (uintptr_t)kept;
    bool known = lua_getinfo(L, "Sl", info) && info->currentline > 0;
    if (offset)
        *function = kept;
    return known;
}

/* Notes where the script is; moving: the stack that is being moved, NULL for none. */
static void note_place(LpSandbox *s, char *moving) {
    lua_Debug info;
    for (int level = 0; level < PLACE_LEVELS && lua_getstack(s->L, level, &info); level++) {
        if (get_line(s->L, &info, moving)) {
            s->place.line = info.currentline;
            lp_str_copy(s->place.file, sizeof s->place.file, info.short_src);
            return; /* there is none while Lua unwinds an error */
        }
    }
}

/* Lua answers a refusal with a full collection and a second try, then with an error that cannot say
 * where it was: note the place now. */
static void *refuse(LpSandbox *s, LpRefusal why, char *moving) {
    if (s->L && s->running) {
        note_place(s, moving);
        lp_sandbox_spend(s, s->used / COLLECTION_BYTES + REFUSED_UNITS);
    }
    s->refusal = why;
    return NULL;
}

/* ---- growing ---- */

/* A table's keys lie in a power of two of nodes; hardly anything else has such a size. */
static bool is_nodes(size_t size) {
    size_t nodes = size / NODE_BYTES;
    return size % NODE_BYTES == 0 && (nodes & (nodes - 1)) == 0;
}

/* Work must not depend on addresses, but when Lua collects does a little (it keeps short strings by
 * address), and with it which short strings, frames and stacks are made once more. These, and what
 * grows, go with the instructions that ask for them; new tables, functions, long strings and large
 * blocks have their price. kind: of a new object, 0: a plain block. */
static void *grow(LpSandbox *s, void *old, size_t old_size, size_t size, int kind) {
    bool string = kind == LUA_TSTRING;
    char *moving = old && old == s->stack ? old : NULL;
    if (string && size > LP_SANDBOX_STRING + 64) /* 64: more than any header */
        return refuse(s, LP_REFUSED_STRING, moving);
    if (size - old_size > s->limits.memory - s->used)
        return refuse(s, LP_REFUSED_BYTES, moving);
    void *block = lp_realloc(old, size, 1);
    if (!block)
        return refuse(s, LP_REFUSED_BYTES, moving);
    s->used += size - old_size;
    if (s->used > s->peak)
        s->peak = s->used;
    if (!string && size > s->block)
        s->block = size;
    if (!old && size > NODE_BYTES * s->nodes && is_nodes(size))
        s->nodes = size / NODE_BYTES;
    bool dear = (kind != 0 && !string) || size > SMALL;
    if (!old && dear)
        lp_sandbox_spend(s,
                         ALLOCATION_UNITS + size / (string ? CHARACTERS_PER_UNIT : BYTES_PER_UNIT));
    return block;
}

/* ---- the stack ---- */

/* It grows to twice its size. (lua_gettop is right while it moves: a difference of offsets.) */
static bool stack_too_large(const LpSandbox *s, size_t size) {
    lua_Debug level;
    if (!s->running)
        return false;
    bool doubled = size == 2 * (s->stack_bytes - STACK_EXTRA) + STACK_EXTRA;
    return lua_gettop(s->L) > FRAME_SLOTS ||
           (doubled && size > STACK_BYTES && lua_getstack(s->L, STACK_LEVELS, &level));
}

/* The first plain block of a state is its stack, and to 5.4.4 it grows in a new block. */
static void *new_plain(LpSandbox *s, size_t size) {
    if (stack_too_large(s, size))
        return refuse(s, LP_REFUSED_STACK, NULL);
    void *block = grow(s, NULL, 0, size, 0);
    s->plain = block;
    s->plain_bytes = size;
    if (!s->stack) {
        s->stack = block;
        s->stack_bytes = size;
    }
    return block;
}

/* From 5.4.5 on it grows and shrinks in place. */
static void *resize_stack(LpSandbox *s, void *old, size_t old_size, size_t size) {
    if (size > old_size && stack_too_large(s, size))
        return refuse(s, LP_REFUSED_STACK, old);
    void *block = size > old_size ? grow(s, old, old_size, size, 0) : lp_realloc(old, size, 1);
    if (!block && size > old_size)
        return NULL;
    if (size < old_size)
        s->used -= old_size - size;
    s->stack = block ? block : old;
    s->stack_bytes = size;
    return block ? block : old;
}

static void release(LpSandbox *s, void *old) {
    if (old && old == s->stack) { /* copied to the block made last */
        s->stack = s->plain;
        s->stack_bytes = s->plain_bytes;
    }
    lp_free(old);
}

void *lp_sandbox_allocate(void *user, void *old, size_t old_size, size_t size) {
    LpSandbox *s = user;
    int kind = old ? 0 : (int)old_size; /* for new blocks it states the kind */
    size_t had = old ? old_size : 0;
    if (old && old == s->stack && size > 0)
        return resize_stack(s, old, old_size, size);
    if (size > had)
        return !old && kind == 0 ? new_plain(s, size) : grow(s, old, had, size, kind);
    s->used -= had - size;
    if (size == 0) {
        release(s, old);
        return NULL;
    }
    void *block = lp_realloc(old, size, 1);
    return block ? block : old; /* Lua relies on shrinking never failing */
}
