/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of causes and orders. */
#include "model/answer.h"

#include <string.h>

#include "base/assert.h"
#include "base/err.h"

typedef struct CauseRow {
    const char *code, *sentence;
} CauseRow;

static const CauseRow causes[LP_CAUSE_COUNT] = {
#define X(id, code, golden, sentence) [LP_CAUSE_##id] = {code, sentence},
    LP_CAUSE_TABLE(X)
#undef X
};

static const char *const stages[] = {
#define X(id, name) name,
    LP_STAGE_TABLE(X)
#undef X
};

static const char *const orders[LP_ORDER_COUNT] = {[LP_ORDER_SRPT] = "srpt",
                                                   [LP_ORDER_CRITICAL_PATH] = "critical_path",
                                                   [LP_ORDER_FIFO] = "fifo",
                                                   [LP_ORDER_LONGEST] = "longest"};

const char *lp_cause_code(LpCause cause) {
    LP_ASSERT(cause < LP_CAUSE_COUNT);
    return causes[cause].code;
}

const char *lp_cause_sentence(LpCause cause) {
    LP_ASSERT(cause < LP_CAUSE_COUNT);
    return causes[cause].sentence;
}

const char *lp_stage_name(LpStage stage) {
    LP_ASSERT(stage < LP_STAGE_COUNT);
    return stages[stage];
}

static bool same_name(const char *a, const char *b) {
    for (; *a != '\0' && (*a == *b || (*a == ' ' && (*b == '_' || *b == '-'))); a++, b++)
        ;
    return *a == *b;
}

int lp_stage_find(const char *name) {
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        if (same_name(stages[i], name))
            return i;
    return -1;
}

int lp_order_find(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(orders); i++)
        if (strcmp(orders[i], name) == 0)
            return (int)i;
    return -1;
}

const char *lp_order_name(LpOrder order) {
    LP_ASSERT(order < LP_ORDER_COUNT);
    return orders[order];
}
