/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step inside which circuits turn: a row per stage as for any plan, and one for the light between
 * it and the others, with transfers and the turns before them. */
#include <stdlib.h>

#include "ask/inspect/inspect_step.h"
#include "base/mem.h"
#include "model/split/split.h"
#include "sim/parallel/rail_light.h"
#include "sim/store/store.h"

/* A bar and its row. */
typedef struct Placed {
    uint32_t row, made;
    LpStepBar bar;
} Placed;

typedef struct Layout {
    const LpPartition *partition;
    const LpRailLight *light;
    LpStepInspection *seen;
    Placed *item;
    uint32_t count;
    double end; /* of the layers or passes */
    bool region;
} Layout;

static void add(Layout *l, uint32_t row, LpStepBar bar) {
    l->item[l->count] = (Placed){row, l->count, bar};
    l->count++;
}

/* A pass, or an update. Of a region the place is a layer, and a step a micro-batch. */
static void add_task(Layout *l, const LpTurnTransfer *t) {
    bool update = t->pass == LP_TURN_OPTIMISER;
    LpStepBar bar = {.start = t->start,
                     .end = t->end,
                     .ready = t->ready,
                     .op = l->partition->graph->op[0].number,
                     .part = l->region ? t->step : t->number,
                     .chunk = l->region ? t->place : t->chunk,
                     .kind = update ? LP_TASK_COLLECTIVE : LP_TASK_OP,
                     .backward = t->pass != LP_TURN_FORWARD};
    if (t->end <= t->start)
        return;
    add(l, l->region ? 0 : t->place, bar);
}

/* A transfer, and before it the turn of its circuit: from when the switch begins with it. */
static void add_transfer(Layout *l, const LpTurnTransfer *t) {
    uint32_t row = l->seen->servers + (l->region ? 0 : t->place);
    LpStepBar bar = {.start = t->start,
                     .end = t->end,
                     .ready = t->ready,
                     .op = l->partition->graph->op[0].number,
                     .part = l->region ? t->step : t->number,
                     .chunk = t->place,
                     .kind = t->ring ? LP_TASK_COLLECTIVE : LP_TASK_FLOW,
                     .transfer = (uint8_t)t->kind,
                     .backward = t->kind != LP_TURN_KIND_ACT};
    if (t->end > t->start)
        add(l, row, bar);
    if (!t->turned || !(l->light->delay > 0))
        return;
    bar.start = t->lit - l->light->delay;
    bar.end = t->lit;
    bar.turn = t->exposed ? LP_STEP_TURN_EXPOSED
               : t->waits ? LP_STEP_TURN_WAITED
                          : LP_STEP_TURN_HIDDEN;
    add(l, row, bar);
}

/* What follows: nothing that turns. */
static void add_rest(Layout *l) {
    for (uint32_t i = 0; i < l->seen->servers && l->light->more > 0; i++)
        add(l, i,
            (LpStepBar){.start = l->end,
                        .end = l->seen->step_time,
                        .ready = l->end,
                        .op = l->partition->graph->op[0].number,
                        .kind = LP_TASK_COLLECTIVE,
                        .backward = true});
}

static int by_row(const void *x, const void *y) {
    const Placed *a = x, *b = y;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->bar.start != b->bar.start)
        return a->bar.start < b->bar.start ? -1 : 1;
    return (a->made > b->made) - (a->made < b->made);
}

/* Cuts the items into rows; in a row of light only what is sent counts as busy. */
static void make_rows(Layout *l, const LpPlacement *at) {
    LpStepInspection *seen = l->seen;
    uint32_t servers = at->servers / seen->servers, next = 0;
    qsort(l->item, l->count, sizeof *l->item, by_row);
    for (uint32_t r = 0; r < seen->rows; r++) {
        LpStepRow *row = &seen->row[r];
        double reached = 0;
        uint32_t stage = r % seen->servers;
        *row = (LpStepRow){.kind = r < seen->servers ? LP_STEP_SERVER : LP_STEP_PAIR,
                           .server = at->server[stage * servers],
                           .to = stage,
                           .first = next};
        for (; next < l->count && l->item[next].row == r; next++) {
            LpStepBar *bar = &seen->bar[next];
            *bar = l->item[next].bar;
            row->busy += bar->turn == LP_STEP_TURN_NONE ? bar->end - bar->start : 0;
            bar->reach = reached = bar->end > reached ? bar->end : reached;
        }
        row->end = next;
    }
    seen->bars = next;
}

static LpErr lay_out(Layout *l, const LpPlacement *at, const LpLightStep *step) {
    LpStepInspection *seen = l->seen;
    uint32_t stages = l->region ? 1 : l->partition->plan.pipeline;
    size_t room = 2 * (size_t)lp_turn_nodes(l->light->plan) + stages;
    *seen = (LpStepInspection){.step_time = step->with.time,
                               .planned = true,
                               .turning = true,
                               .region = l->region,
                               .bubble = step->bubble,
                               .turns = step->with.turns,
                               .exposed_turns = step->with.exposed,
                               .turn_time = step->with.time - step->without.time,
                               .rows = 2 * stages,
                               .servers = stages,
                               .pairs = stages,
                               .row = lp_alloc(2 * (size_t)stages, sizeof *seen->row),
                               .bar = lp_alloc(room, sizeof *seen->bar)};
    l->item = lp_alloc(room, sizeof *l->item);
    if (seen->row == NULL || seen->bar == NULL || l->item == NULL)
        return LP_ENOMEM;
    for (uint32_t id = 0; id < lp_turn_nodes(l->light->plan); id++) {
        LpTurnTransfer t = lp_turn_transfer(l->light->plan, id);
        if (t.end > l->end)
            l->end = t.end;
        if (t.kind == LP_TURN_TASK)
            add_task(l, &t);
        else
            add_transfer(l, &t);
    }
    add_rest(l);
    make_rows(l, at);
    return LP_OK;
}

LpErr lp_step_inspect_light(const LpContext *context, uint32_t partition, uint32_t placement,
                            LpOrders orders, LpStepInspection *out, LpDiag *diag) {
    const LpPartition *p = lp_store_partition(context->store, partition);
    const LpPlacement *at = lp_store_placement(context->store, placement);
    LpRailLight light;
    LpStepInspection seen = {0};
    LP_TRY(lp_store_plan_light(context, p, at, orders, &light, diag));
    LpLightStep step = lp_light_run(&light);
    Layout l = {.partition = p,
                .light = &light,
                .seen = &seen,
                .region = p->graph->split->turning.form == LP_TURNING_REGION};
    LpErr err = lay_out(&l, at, &step);
    lp_free(l.item);
    lp_light_fini(&light);
    if (err != LP_OK) {
        lp_step_inspection_fini(&seen);
        return lp_fail_memory(diag, "a training step");
    }
    *out = seen;
    return LP_OK;
}
