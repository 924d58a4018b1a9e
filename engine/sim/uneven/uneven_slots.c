/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matchings of an all-to-all, as they are found. */
#include "base/mem.h"
#include "sim/uneven/uneven_cut.h"

enum { NONE = LP_UNEVEN_NONE };

void lp_uneven_slots_free(LpUnevenSlots *slots) {
    if (slots == NULL)
        return;
    lp_free(slots->to);
    lp_free(slots->bytes);
    *slots = (LpUnevenSlots){0};
}

LpErr lp_uneven_serve(LpUnevenWork *w, const uint8_t *to, int64_t hold, LpDiag *diag) {
    LpUnevenSlots *slots = w->slots;
    size_t at = (size_t)slots->count * w->n;
    int64_t before = w->left;
    if (lp_grow((void **)&slots->to, &slots->to_cap, at + w->n, sizeof *slots->to) != LP_OK ||
        lp_grow((void **)&slots->bytes, &slots->bytes_cap, at + w->n, sizeof *slots->bytes) !=
            LP_OK)
        return lp_fail_memory(diag, "the matchings of an all-to-all");
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t *rest = to[i] == NONE ? NULL : &w->rest[i * w->n + to[i]];
        int64_t bytes = rest == NULL ? 0 : *rest < hold ? *rest : hold;
        slots->to[at + i] = bytes > 0 ? to[i] : NONE;
        slots->bytes[at + i] = bytes;
        if (bytes > 0)
            *rest -= bytes;
        w->left -= bytes;
    }
    slots->count += w->left < before;
    return LP_OK;
}
