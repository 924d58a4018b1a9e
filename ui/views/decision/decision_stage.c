/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a candidate means inside one training step: the order of ops, the light paths, the order of
 * flows. */
#include "views/decision/decision_view_impl.h"

/* What a stage shows: the step, and room for its numbers as text. */
typedef struct Stage {
    const LpModel *model;
    const LpForecast *forecast;
    const LpStepSummary *step;
    const LpArea *area;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT];
} Stage;

/* In as few words as there is room for. */
static void draw_circuits_narrow(Stage *s, double mean, bool collectives) {
    const LpStepSummary *step = s->step;
    lp_area_textf(s->area, 0, 0, LP_ROLE_TEXT,
                  collectives ? "%s pairs, %s flows, collectives, %s"
                              : "%s pairs send %s flows, %s a step",
                  lp_show_count(step->channels, s->a), lp_show_count(step->flows, s->b),
                  lp_show_bytes(step->flow_bytes, s->c));
    lp_area_textf(s->area, 0, 1, LP_ROLE_TEXT, "at most %s at once, %.2f on average",
                  lp_show_count(step->peak_circuits, s->a), mean);
    lp_area_textf(s->area, 0, 2, LP_ROLE_TEXT, "flows wait %s, reconfigure %s",
                  lp_show_seconds(step->waiting, s->a),
                  lp_show_seconds(step->reconfiguration, s->b));
}

static void draw_circuits(Stage *s) {
    enum { NARROW = 60 };
    const LpStepSummary *step = s->step;
    double capacity = s->model->board.light;
    double mean = step->step_time > 0.0 ? step->light_area / step->step_time : 0.0;
    const LpPartition *partition =
        lp_store_partition(s->model->context->store, s->forecast->partition);
    if (s->area->rect.w < NARROW) {
        draw_circuits_narrow(s, mean, partition->collectives > 0);
        return;
    }
    lp_area_textf(s->area, 0, 0, LP_ROLE_TEXT,
                  partition->collectives > 0
                      ? "%s light paths (ordered pairs): %s flows and collectives, %s a step"
                      : "%s light paths (ordered pairs of servers) carry %s flows, %s in a step",
                  lp_show_count(step->channels, s->a), lp_show_count(step->flows, s->b),
                  lp_show_bytes(step->flow_bytes, s->c));
    lp_area_textf(
        s->area, 0, 1, LP_ROLE_TEXT, "at most %s of %s lit at once, %.2f on average%s",
        lp_show_count(step->peak_circuits, s->a), lp_show_count((uint64_t)capacity, s->b), mean,
        step->peak_circuits > step->channels ? "; a collective lights all of its servers" : "");
    lp_area_textf(s->area, 0, 2, LP_ROLE_TEXT,
                  "summed over flows: %s waiting for a light path, %s reconfiguring",
                  lp_show_seconds(step->waiting, s->a),
                  lp_show_seconds(step->reconfiguration, s->b));
}

void lp_view_stage(const LpModel *model, const LpArea *area) {
    const LpForecast *forecast = lp_model_plan(model);
    Stage stage = {.model = model, .forecast = forecast, .area = area};
    if (!forecast || !forecast->feasible || forecast->step == LP_NO_INDEX) {
        lp_area_text(area, 0, 0, LP_ROLE_MUTED,
                     forecast && forecast->feasible ? "a rigid job has no step to look into"
                     : model->drafted.priced        ? model->drafted.price.why
                                                    : "this candidate cannot be placed");
        return;
    }
    if (model->ui->stage != LP_STAGE_CIRCUITS) {
        if (model->motion.step.known)
            lp_view_order(model, area);
        else
            lp_area_text(area, 1, 0, LP_ROLE_MUTED, "there is no training step to look into");
        return;
    }
    stage.step = lp_store_step(model->context->store, forecast->step);
    draw_circuits(&stage);
}

/* Bars say most of orders, rows of everything else; while an order is shown frame by frame the bars
 * have all the room. */
void lp_view_stage_body(const LpModel *model, const LpArea *area) {
    enum { BARS = 4, LIGHT = 3, ROWS_LEAST = 4 };
    LpStage stage = model->ui->stage;
    bool order = stage == LP_STAGE_ORDER_OPS || stage == LP_STAGE_ORDER_FLOWS;
    int h = area->rect.h, rows = lp_view_choices_rows(model, area->rect.w),
        most = order ? BARS : LIGHT;
    const LpStepInspection *seen = &model->motion.step.seen;
    uint32_t light = stage == LP_STAGE_ORDER_FLOWS ? seen->pairs : 2; /* or light, and idle */
    int tall = order ? (int)(seen->servers + light) + 2 : LIGHT; /* the axis, and a blank line */
    int below = 0;
    (void)lp_view_order_rows(model, &below);
    tall += order ? below : 0;
    bool instant = order && model->motion.on && model->motion.frame < model->motion.choices;
    int picture = stage == LP_STAGE_PLACE ? 0 : h - rows;
    if (rows == 0 || instant)
        picture = h;
    else if (picture < most)
        picture = order && h >= BARS + ROWS_LEAST ? BARS : 0;
    else
        picture = picture < tall ? picture : tall;
    LpRect upper = {0, 0, area->rect.w, order ? picture : 0}, rest = {0, upper.h, area->rect.w, 0};
    rest.h = h - picture;
    LpArea bars =
        lp_area_part(area, order ? upper : (LpRect){0, h - picture, area->rect.w, picture});
    LpArea list = lp_area_part(area, rest);
    if (picture > 0)
        lp_view_stage(model, &bars);
    lp_view_choices(model, &list);
}
