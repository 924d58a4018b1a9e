/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in an arena, found by their hash. */
#include "import/nets/names.h"

#include <string.h>

#include "base/hash.h"

enum { NAMES_MAX = 1 << 24, SLOTS_FIRST = 64 };

void lp_names_fini(LpNames *names) {
    lp_arena_free(names->arena);
    lp_free(names->name);
    lp_free(names->slot);
    *names = (LpNames){0};
}

/* The slot that holds the name, or the free one where it would be. */
static uint32_t *slot_of(const LpNames *names, const char *name) {
    size_t mask = names->slots - 1, at = (size_t)lp_hash_text(LP_HASH_INIT, name) & mask;
    while (names->slot[at] != 0 && strcmp(names->name[names->slot[at] - 1], name) != 0)
        at = (at + 1) & mask;
    return &names->slot[at];
}

/* Room for one name more: slots are never more than half full. */
static LpErr make_room(LpNames *names) {
    if (names->arena == NULL && (names->arena = lp_arena_new(0)) == NULL)
        return LP_ENOMEM;
    LP_TRY(
        lp_grow((void **)&names->name, &names->cap, (size_t)names->count + 1, sizeof *names->name));
    if (2 * ((size_t)names->count + 1) <= names->slots)
        return LP_OK;
    size_t slots = names->slots > 0 ? 2 * names->slots : SLOTS_FIRST;
    uint32_t *slot = lp_alloc(slots, sizeof *slot);
    if (slot == NULL)
        return LP_ENOMEM;
    lp_free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < names->count; i++)
        *slot_of(names, names->name[i]) = i + 1;
    return LP_OK;
}

LpErr lp_names_add(LpNames *names, const char *name, uint32_t *number, bool *fresh, LpDiag *diag) {
    if (names->count >= NAMES_MAX)
        return lp_fail(diag, LP_ELIMIT, "more than %d names", (int)NAMES_MAX);
    if (make_room(names) != LP_OK)
        return lp_fail_memory(diag, "the names of a network");
    uint32_t *slot = slot_of(names, name);
    bool is_new = *slot == 0;
    if (is_new) {
        char *copy = lp_arena_strdup(names->arena, name);
        if (copy == NULL)
            return lp_fail_memory(diag, "the names of a network");
        names->name[names->count] = copy;
        *slot = ++names->count;
    }
    *number = *slot - 1;
    if (fresh != NULL)
        *fresh = is_new;
    return LP_OK;
}

uint32_t lp_names_find(const LpNames *names, const char *name) {
    uint32_t slot = names->slots > 0 ? *slot_of(names, name) : 0;
    return slot > 0 ? slot - 1 : LP_NO_INDEX;
}
