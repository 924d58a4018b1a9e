/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first stage by hand: ops one by one, or the numbers of a plan, with the one under the cursor.
 */
#include <stdio.h>

#include "ask/draft/edit.h"
#include "views/decision/decision_view_impl.h"
#include "widgets/widgets_list.h"

enum { NUMBER = 6, WAYS = 12, TIME = 22, NAME = 24 }; /* ends of columns; where the name begins */

/* A row under the cursor has braces around its number, and is the other way round. */
static void draw_value(const LpModel *model, const LpArea *area, int y, uint32_t row,
                       uint32_t value) {
    bool here = row == model->ui->hand.cursor;
    char text[LP_SHOW_TEXT];
    snprintf(text, sizeof text, here ? "{%u}" : "%u ", (unsigned)value);
    lp_area_right(area, WAYS, y, here ? LP_ROLE_PENDING : LP_ROLE_TEXT, text);
    if (here)
        lp_area_mark(area, 0, y, WAYS, LP_REVERSE);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_OP, row);
}

static void draw_op(const LpModel *model, const LpArea *area, int y, uint32_t row,
                    const LpGraph *graph, const LpPartition *p) {
    uint32_t i = graph->by_number[row + 1];
    char text[LP_SHOW_TEXT];
    snprintf(text, sizeof text, "op %u", (unsigned)row + 1);
    lp_area_fit(area, 0, y, NUMBER + 2, LP_ROLE_TEXT, text);
    draw_value(model, area, y, row, p->ways[i]);
    if (area->rect.w >= TIME)
        lp_area_right(area, TIME, y, LP_ROLE_TEXT,
                      lp_show_seconds(p->op_time[i] + p->op_time[graph->ops + i], text));
    if (area->rect.w > NAME + 4 && graph->op[i].name != NULL)
        lp_area_fit(area, NAME, y, area->rect.w - NAME, LP_ROLE_MUTED, graph->op[i].name);
}

static void draw_plan(const LpModel *model, const LpArea *area) {
    static const char *const means[LP_WAY_COUNT] = {"share each layer", "stages of layers",
                                                    "replicas, each its samples",
                                                    "share the tokens of a sample"};
    const LpParallel *plan = &model->drafted.plan;
    lp_area_text(area, 0, 0, LP_ROLE_LABEL, "plan");
    lp_area_right(area, WAYS, 0, LP_ROLE_LABEL, "ways");
    for (int k = 0; k < LP_WAY_COUNT && 1 + k < area->rect.h; k++) {
        lp_area_text(area, 0, 1 + k, LP_ROLE_TEXT, lp_way_name((LpWayKind)k));
        draw_value(model, area, 1 + k, (uint32_t)k, lp_way_of(plan, (LpWayKind)k));
        if (area->rect.w > WAYS + 6)
            lp_area_fit(area, WAYS + 2, 1 + k, area->rect.w - WAYS - 2, LP_ROLE_MUTED, means[k]);
    }
    if (area->rect.h > 1 + LP_WAY_COUNT)
        lp_area_textf(area, 0, 1 + LP_WAY_COUNT, LP_ROLE_MUTED, "%u servers",
                      (unsigned)lp_parallel_devices(plan));
}

void lp_view_parts(const LpModel *model, const LpArea *area) {
    const LpForecast *f = &model->drafted.price.forecast;
    uint32_t count = lp_model_split_rows(model);
    int shown = area->rect.h - 1;
    if (model->drafted.plan.tensor > 0) {
        draw_plan(model, area);
        return;
    }
    if (!model->drafted.priced || f->partition == LP_NO_INDEX) {
        lp_area_fit(area, 0, 0, area->rect.w, LP_ROLE_BAD, model->drafted.price.why);
        return;
    }
    const LpPartition *p = lp_store_partition(model->context->store, f->partition);
    int first = lp_list_around((int)model->ui->hand.cursor, (int)count, shown);
    lp_area_text(area, 0, 0, LP_ROLE_LABEL, "op");
    lp_area_right(area, WAYS, 0, LP_ROLE_LABEL, "ways");
    if (area->rect.w >= TIME)
        lp_area_right(area, TIME, 0, LP_ROLE_LABEL, "a part");
    for (int i = 0; i < shown && first + i < (int)count; i++)
        draw_op(model, area, 1 + i, (uint32_t)(first + i), p->graph, p);
}
