/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: names numbered from 0 in the order in which they come. */
#ifndef LP_IMPORT_NETS_NAMES_H
#define LP_IMPORT_NETS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

/* Zero-initialise; free with lp_names_fini. */
typedef struct LpNames {
    LpArena *arena;
    const char **name; /* `count` of them */
    uint32_t count;
    size_t cap;
    uint32_t *slot; /* open addressing by hash: a number + 1, 0 is free */
    size_t slots;   /* 0 or a power of 2 */
} LpNames;

void lp_names_fini(LpNames *names);
/* The number of the name, which is copied where it is new; *fresh (NULL allowed) says whether it
 * is. Errors: LP_ENOMEM, LP_ELIMIT above 2^24 names. Expected O(1). */
LpErr lp_names_add(LpNames *names, const char *name, uint32_t *number, bool *fresh,
                   LpDiag *diag) LP_MUST_USE;
/* LP_NO_INDEX where no such name was added. Expected O(1). */
uint32_t lp_names_find(const LpNames *names, const char *name);

#endif
