/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of conditions. */
#include "sim/condition.h"

#include <string.h>

static const struct {
    const char *name, *meaning;
} conditions[] = {
#define X(id, name, meaning, low, high) {name, meaning},
    LP_CONDITION_TABLE(X)
#undef X
};

const char *lp_condition_name(LpConditionKind kind) {
    return conditions[kind].name;
}

const char *lp_condition_meaning(LpConditionKind kind) {
    return conditions[kind].meaning;
}

int lp_condition_find(const char *name) {
    for (int k = 0; k < LP_CONDITION_COUNT; k++)
        if (strcmp(conditions[k].name, name) == 0)
            return k;
    return -1;
}
