/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A block that grows, and a table of numbers into it. */
#include "import/rows/text_store.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

enum { FIRST_SLOTS = 64 };

void lp_text_store_fini(LpTextStore *t) {
    lp_free(t->text);
    lp_free(t->slot);
    *t = (LpTextStore){0};
}

LpErr lp_text_store_add(LpTextStore *t, const char *text, uint32_t *out, LpDiag *diag) {
    *out = 0;
    if (text == NULL || text[0] == '\0')
        return LP_OK;
    size_t size = strlen(text) + 1, at = t->len > 0 ? t->len : 1;
    if (at + size > UINT32_MAX)
        return lp_fail(diag, LP_ELIMIT, "the texts of the trace have more than 4 GiB");
    if (lp_grow((void **)&t->text, &t->cap, at + size, 1) != LP_OK)
        return lp_fail_memory(diag, "the texts of a trace");
    t->text[0] = '\0';
    memcpy(t->text + at, text, size);
    t->len = at + size;
    *out = (uint32_t)at;
    return LP_OK;
}

static size_t find(const LpTextStore *t, const char *text) {
    size_t at = lp_hash_text(LP_HASH_INIT, text) & (t->slots - 1);
    while (t->slot[at] != 0 && strcmp(t->text + t->slot[at], text) != 0)
        at = (at + 1) & (t->slots - 1);
    return at;
}

static LpErr more_slots(LpTextStore *t, LpDiag *diag) {
    LpTextStore wide = *t;
    wide.slots = t->slots > 0 ? 2 * t->slots : FIRST_SLOTS;
    wide.slot = lp_alloc(wide.slots, sizeof *wide.slot);
    if (wide.slot == NULL)
        return lp_fail_memory(diag, "the texts of a trace");
    for (size_t i = 0; i < t->slots; i++)
        if (t->slot[i] != 0)
            wide.slot[find(&wide, t->text + t->slot[i])] = t->slot[i];
    lp_free(t->slot);
    *t = wide;
    return LP_OK;
}

LpErr lp_text_store_once(LpTextStore *t, const char *text, uint32_t *out, LpDiag *diag) {
    *out = 0;
    if (text == NULL || text[0] == '\0')
        return LP_OK;
    if (2 * (t->used + 1) > t->slots)
        LP_TRY(more_slots(t, diag));
    size_t at = find(t, text);
    if (t->slot[at] == 0) {
        uint32_t number;
        LP_TRY(lp_text_store_add(t, text, &number, diag));
        t->slot[at] = number;
        t->used++;
    }
    *out = t->slot[at];
    return LP_OK;
}

const char *lp_text_store_get(const LpTextStore *t, uint32_t number) {
    return number > 0 ? t->text + number : NULL;
}
