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
