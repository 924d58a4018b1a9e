/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a candidate means inside one training step: the order of ops, the light paths, the order of
 * flows. */
#include "views/decision/impl.h"

#include <math.h>
#include <stdio.h>

static const struct {
    const char *ops, *flows;
} order_says[LP_ORDER_COUNT] = {
    [LP_ORDER_SRPT] = {"of the sub-ops ready on a server the shortest runs first",
                       "of the flows that wait for a light path the shortest goes first"},
    [LP_ORDER_CRITICAL_PATH] = {"of the sub-ops ready on a server the one with most work behind "
                                "it runs first",
                                "of the flows that wait for a light path the one with most work "
                                "behind it goes first"},
    [LP_ORDER_FIFO] = {"sub-ops run in the order in which they became ready",
                       "flows go in the order in which they became ready"},
};

/* What a stage shows: the step, and room for its numbers as text. */
typedef struct Stage {
    const LpModel *model;
    const LpForecast *forecast;
    const LpStepSummary *step;
    const LpArea *area;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT];
} Stage;

static LpOrder order_of(const Stage *stage, bool flows) {
    const LpAnswer *answer = stage->model->decision.answer;
    if (!answer)
        return LP_ORDER_SRPT;
    return flows ? answer->order_flows : answer->order_ops;
}

/* Two shares of a step as one bar: "▓▓▓▓▓▓░░ what 75 %, rest 25 %". */
static void draw_split(const Stage *stage, int y, double share, const char *what,
                       const char *rest) {
    enum { WIDTH = 40 };
    char first[LP_SHOW_TEXT], second[LP_SHOW_TEXT];
    int full = (int)(fmin(fmax(share, 0.0), 1.0) * WIDTH + 0.5);
    lp_area_repeat(stage->area, 0, y, full, LP_ROLE_GOOD, LP_GLYPH_FULL);
    lp_area_repeat(stage->area, full, y, WIDTH - full, LP_ROLE_FREE, LP_GLYPH_EMPTY);
    lp_area_textf(stage->area, WIDTH + 1, y, LP_ROLE_TEXT, "%s %s, %s %s", what,
                  lp_show_percent(share, first), rest, lp_show_percent(1.0 - share, second));
}

/* A policy's own priorities. */
static bool draw_list(const Stage *stage, bool flows) {
    const LpAnswer *answer = stage->model->decision.answer;
    if (!answer || !(flows ? answer->flow_priority : answer->op_priority))
        return false;
    int x = lp_area_text(stage->area, 0, 0, LP_ROLE_LABEL, "by hand");
    lp_area_textf(stage->area, x, 0, LP_ROLE_TEXT, ": %s by %u priorities of the policy",
                  flows ? "flows that wait for a light path go" : "sub-ops ready on a server run",
                  flows ? (unsigned)answer->flow_priorities : (unsigned)answer->op_priorities);
    return true;
}

static void draw_rule(const Stage *stage, bool flows) {
    if (draw_list(stage, flows))
        return;
    LpOrder order = order_of(stage, flows);
    const char *says = flows ? order_says[order].flows : order_says[order].ops;
    int x = lp_area_textf(stage->area, 0, 0, LP_ROLE_LABEL, "%s", lp_order_name(order));
    lp_area_textf(stage->area, x, 0, LP_ROLE_TEXT, ": %s", says);
}

static void draw_order_ops(Stage *s) {
    const LpStepSummary *step = s->step;
    double busy = step->servers && step->step_time > 0.0
                      ? step->busy_area / (step->servers * step->step_time)
                      : 0.0;
    draw_rule(s, false);
    lp_area_textf(s->area, 0, 1, LP_ROLE_TEXT, "%s sub-ops with %s dependencies on %u server%s",
                  lp_show_count(s->forecast->ops, s->a), lp_show_count(s->forecast->deps, s->b),
                  (unsigned)step->servers, step->servers == 1 ? "" : "s");
    lp_area_textf(s->area, 0, 2, LP_ROLE_TEXT,
                  "a step takes %s, at least one server computes "
                  "for %s of it",
                  lp_show_seconds(step->step_time, s->a), lp_show_seconds(step->computation, s->b));
    draw_split(s, 3, busy, "servers compute", "idle");
}

static void draw_circuits(Stage *s) {
    const LpStepSummary *step = s->step;
    double capacity = s->model->context->fabric.light_capacity;
    double mean = step->step_time > 0.0 ? step->light_area / step->step_time : 0.0;
    const LpPartition *partition =
        lp_store_partition(s->model->context->store, s->forecast->partition);
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

static void draw_order_flows(Stage *s) {
    const LpStepSummary *step = s->step;
    double exposed = step->step_time > 0.0 ? step->exposed / step->step_time : 0.0;
    draw_rule(s, true);
    lp_area_textf(s->area, 0, 1, LP_ROLE_TEXT,
                  "communication runs for %s of a step of %s, %s of it exposed: no op runs then",
                  lp_show_seconds(step->communication, s->a),
                  lp_show_seconds(step->step_time, s->b), lp_show_seconds(step->exposed, s->c));
    draw_split(s, 2, 1.0 - exposed, "with computation", "exposed");
}

void lp_view_stage(const LpModel *model, const LpCandidate *candidate, const LpArea *area) {
    Stage stage = {.model = model, .forecast = &candidate->forecast, .area = area};
    if (!candidate->forecast.feasible || candidate->forecast.step == LP_NO_INDEX) {
        lp_area_text(area, 0, 0, LP_ROLE_MUTED,
                     candidate->forecast.feasible ? "a rigid job has no step to look into"
                                                  : "this candidate cannot be placed");
        return;
    }
    stage.step = lp_store_step(model->context->store, candidate->forecast.step);
    switch (model->ui->stage) {
    case LP_STAGE_CIRCUITS:
        draw_circuits(&stage);
        return;
    case LP_STAGE_ORDER_FLOWS:
        draw_order_flows(&stage);
        return;
    default:
        draw_order_ops(&stage);
        return;
    }
}
