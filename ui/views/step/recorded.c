/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded step in words: what nodes of its ranks do, and what a rank waits for. */
#include "views/step/step_view_impl.h"

#include <stdio.h>

static void add_what(const LpStepBar *bar, LpBuf *out) {
    char bytes[LP_SHOW_TEXT];
    lp_buf_addf(out, "node %u of rank %u", (unsigned)bar->part, (unsigned)bar->op - 1);
    if (bar->kind == LP_TASK_OP)
        lp_buf_add(out, " computes");
    else if (bar->kind == LP_TASK_FLOW)
        lp_buf_addf(out, " sends %s to rank %u", lp_show_bytes(bar->bytes, bytes),
                    (unsigned)bar->to - 1);
    else
        lp_buf_addf(out, ", a collective of %s", lp_show_bytes(bar->bytes, bytes));
}

void lp_step_add_node(const LpStepBar *bar, bool among, LpBuf *out) {
    char from[LP_SHOW_TEXT], length[LP_SHOW_TEXT];
    add_what(bar, out);
    lp_buf_addf(out, ", from %s for %s%s", lp_show_seconds(bar->start, from),
                lp_show_seconds(bar->end - bar->start, length),
                bar->critical && !among ? ", the step waited for it" : "");
}

bool lp_step_add_wait(const LpStepInspection *seen, uint32_t row, uint32_t last, LpBuf *out) {
    const LpStepRow *r = &seen->row[row];
    uint32_t next = last == LP_NO_INDEX ? r->first : last + 1;
    if (r->kind != LP_STEP_SERVER || next >= r->end || seen->bar[next].after == LP_NO_INDEX)
        return false;
    lp_buf_add(out, "waits: ");
    add_what(&seen->bar[seen->bar[next].after], out);
    return true;
}
