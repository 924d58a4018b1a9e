/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file of keys says, as plain data: words by name, each with its place. */
#ifndef LP_BASE_BINDING_H
#define LP_BASE_BINDING_H

#include <stdint.h>

typedef struct LpBoundWord {
    const char *text;
    int line, col;
} LpBoundWord;

typedef struct LpBinding {
    LpBoundWord name;
    const LpBoundWord *word;
    uint32_t words;
} LpBinding;

typedef struct LpBindings {
    const LpBinding *item;
    uint32_t count;
} LpBindings;

#endif
