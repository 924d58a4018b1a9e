/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of a Lua state: an allocator with a limit, which charges for what it gives, which keeps
 * Lua's stack of values small, and which sets the seed of its tables. */
#include <string.h>

#include "base/mem.h"
#include "script/sandbox/sandbox.h"

#include "base/assert.h"

enum {
    REFUSED_UNITS = 1000,
    SMALL = 72,            /* bytes: Lua's short strings and frames are no larger */
    ALLOCATION_UNITS = 16, /* price of an allocation */
    BYTES_PER_UNIT = 8,    /* bytes of an allocation per unit: a table that grows is filled anew */
    CHARACTERS_PER_UNIT = 16, /* bytes of a string per unit */
    COLLECTION_BYTES = 8,     /* bytes in use per unit: a refused allocation makes Lua collect */
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

/* The machine has no memory, which is no fault of the policy. */
static void *no_memory(LpSandbox *s) {
    if (s->stop == LP_STOP_NONE) {
        s->stop = LP_STOP_ENGINE;
        (void)lp_fail_memory(&s->engine, "a policy");
    }
    return NULL;
}

/* Ends the call: what Lua searches one by one is too long. */
static void *refuse_chain(LpSandbox *s, void *block, size_t size) {
    lp_heap_give(&s->heap, block, size);
    (void)refuse(s, LP_REFUSED_BYTES, NULL);
    if (s->stop == LP_STOP_NONE)
        s->stop = LP_STOP_CHAIN;
    return NULL;
}

/* Watches the keys of a table, unless they collide: then the call ends. */
static bool watch(LpSandbox *s, void *block, size_t size) {
    LpErr err = lp_chains_add(s, block, size);
    if (err == LP_OK)
        return true;
    if (err == LP_ENOMEM) {
        lp_heap_give(&s->heap, block, size);
        (void)no_memory(s);
        return false;
    }
    (void)refuse_chain(s, block, size);
    return false;
}

/* Short strings, frames and stacks, and what grows, go with the instructions that ask for them; new
 * tables, functions, long strings and large blocks have their price. kind: of a new object, 0: a
 * plain block. */
static void *grow(LpSandbox *s, void *old, size_t old_size, size_t size, int kind) {
    bool string = kind == LUA_TSTRING;
    char *moving = old && old == s->stack ? old : NULL;
    if (string && size > LP_SANDBOX_STRING + 64) /* 64: more than any header */
        return refuse(s, LP_REFUSED_STRING, moving);
    if (size - old_size > s->limits.memory - s->used)
        return refuse(s, LP_REFUSED_BYTES, moving);
    void *block = lp_heap_resize(&s->heap, old, old_size, size);
    if (!block)
        return s->heap.no_memory ? no_memory(s) : refuse(s, LP_REFUSED_BYTES, moving);
    if (!old && kind == 0 && lp_chains_watches(size) && !watch(s, block, size))
        return NULL;
    if (!old && string && !lp_texts_add(s, block, size))
        return refuse_chain(s, block, size);
    s->used += size - old_size;
    LP_ASSERT(s->used <= s->limits.memory);
    if (s->used > s->peak)
        s->peak = s->used;
    if (!string && size > s->block)
        s->block = size;
    bool dear = (kind != 0 && !string) || size > SMALL;
    if (!old && dear)
        lp_sandbox_spend(s,
                         ALLOCATION_UNITS + size / (string ? CHARACTERS_PER_UNIT : BYTES_PER_UNIT));
    return block;
}

/* ---- the seed ---- */

/* Lua 5.4 draws the seed of its tables from the clock and from addresses, so the order of keys, and
 * what `#` says of a list with holes, would differ from run to run. It is drawn while the state's
 * first block is filled; the next request is for the stack, and only then the first string is made.
 * At that moment it can be set. The head of the block, from our own allocator on, is this, in all
 * of 5.4: */
typedef struct Head {
    lua_Alloc allocate;
    void *user;
    ptrdiff_t bytes, debt;
    size_t estimate, lastatomic;
    struct {
        void *bucket;
        int used, size;
    } strings;
    struct {
        void *value;
        unsigned char tag;
    } registry, nil;
    unsigned seed;
} Head;
enum { SEED = 0x1f5d4a3b, HASH_BEFORE = 12 }; /* bytes before a long text: its hash */

static bool is_head(const LpSandbox *s, const Head *head) {
    return head->allocate == lp_sandbox_allocate && head->user == s &&
           head->bytes == (ptrdiff_t)s->state_bytes && head->debt == 0 && !head->strings.bucket &&
           head->registry.tag == 0 && !head->nil.value;
}

static bool set_seed(LpSandbox *s) {
    for (size_t at = 0; at + sizeof(Head) <= s->state_bytes; at += sizeof(void *)) {
        Head *head = (Head *)(void *)((char *)s->state + at);
        if (is_head(s, head)) {
            head->seed = SEED;
            return true;
        }
    }
    return false;
}

bool lp_sandbox_check_seed(lua_State *L) {
    static const char LONG[] = "a text that Lua keeps by itself, since it has more than 40 bytes";
    unsigned hash;
    const char *text = lua_pushlstring(L, LONG, sizeof LONG - 1);
    memcpy(&hash, text - HASH_BEFORE, sizeof hash); /* the seed, until it is used as a key */
    lua_pop(L, 1);
    return lp_sandbox_of(L)->seeded && hash == SEED;
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
        s->seeded = set_seed(s);
    }
    return block;
}

/* From 5.4.5 on it grows and shrinks in place. */
static void *resize_stack(LpSandbox *s, void *old, size_t old_size, size_t size) {
    if (size > old_size && stack_too_large(s, size))
        return refuse(s, LP_REFUSED_STACK, old);
    void *block = size > old_size ? grow(s, old, old_size, size, 0)
                                  : lp_heap_resize(&s->heap, old, old_size, size);
    if (!block)
        return NULL;
    if (size < old_size)
        s->used -= old_size - size;
    s->stack = block;
    s->stack_bytes = size;
    return block;
}

static void *new_state(LpSandbox *s, size_t size) {
    s->state_bytes = size;
    return s->state = grow(s, NULL, 0, size, LUA_TTHREAD);
}

void *lp_sandbox_allocate(void *user, void *old, size_t old_size, size_t size) {
    LpSandbox *s = user;
    int kind = old ? 0 : (int)old_size; /* for new blocks it states the kind */
    size_t had = old ? old_size : 0;
    if (old && lp_chains_watches(had) && size != had)
        lp_chains_drop(s, old);
    if (!s->state)
        return new_state(s, size);
    if (old && old == s->stack && size > 0)
        return resize_stack(s, old, old_size, size);
    if (size > had)
        return !old && kind == 0 ? new_plain(s, size) : grow(s, old, had, size, kind);
    LP_ASSERT(s->used >= had - size);
    s->used -= had - size;
    if (size == 0) {
        if (old && old == s->stack) { /* copied to the block made last */
            s->stack = s->plain;
            s->stack_bytes = s->plain_bytes;
        }
        if (old == (const void *)s->text)
            s->text = NULL;
        lp_heap_give(&s->heap, old, had);
        return NULL;
    }
    return lp_heap_resize(&s->heap, old, had, size);
}
