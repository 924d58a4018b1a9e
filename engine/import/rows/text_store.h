/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of a trace in one block, named by numbers of 32 bits: a million jobs of sixty users keep
 * sixty names. */
#ifndef LP_IMPORT_ROWS_TEXT_STORE_H
#define LP_IMPORT_ROWS_TEXT_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef struct LpTextStore {
    char *text; /* each with its NUL; the first is "", which is number 0 */
    size_t len, cap;
    uint32_t *slot; /* open addressing by hash: the number of a text, 0: free */
    size_t slots, used;
} LpTextStore;

void lp_text_store_fini(LpTextStore *texts);
/* Copies a text; NULL and "" are 0. Errors: LP_ENOMEM, LP_ELIMIT over 4 GiB. */
LpErr lp_text_store_add(LpTextStore *texts, const char *text, uint32_t *out,
                        LpDiag *diag) LP_MUST_USE;
/* The number of an equal text that was added by this function, or of a new copy. Expected O(1). */
LpErr lp_text_store_once(LpTextStore *texts, const char *text, uint32_t *out,
                         LpDiag *diag) LP_MUST_USE;
/* NULL for number 0. Valid until the next text is added. */
const char *lp_text_store_get(const LpTextStore *texts, uint32_t number);

#endif
