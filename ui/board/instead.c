/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in place of circuits where no job can light any: of jobs without a graph the queue,
 * of transformers that are split by plans what their ways send. */
#include "board/instead.h"

#include <math.h>
#include <stdio.h>

#include "model/split/split.h"
#include "moment/picture/words.h"
#include "sim/store/store.h"

enum { WIDE = 66 /* columns of whole sentences */ };

static bool lights_any(const LpModel *model) {
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].txs > 0)
            return true;
    return model->moving.txs > 0;
}

static LpArea open_box(const LpArea *area, const char *title) {
    LpArea box = lp_area_heading(area, title);
    return lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
}

/* "C" and what is said of that job, in its colour. */
static void draw_job(const LpModel *model, const LpArea *area, int y, const LpJob *job,
                     const char *text) {
    bool due = model->decision.due && model->decision.job == job->id;
    lp_letter_put(area, 0, y, lp_model_fill(model, job->id), job->id,
                  lp_letters_ever(&model->letters, job->id));
    lp_area_fit(area, 2, y, area->rect.w - 2, due ? LP_ROLE_PENDING : LP_ROLE_TEXT, text);
    lp_area_hit(area, (LpRect){0, y, area->rect.w, 1}, LP_HIT_JOB, job->id);
}

/* ---- the queue ---- */

/* A row for a job that waits, or for the one that the decision is about. */
static int draw_one(const LpModel *model, const LpArea *area, int y, uint32_t id, const char *says,
                    const char *since) {
    char text[120], number[LP_MANY_TEXT], at[LP_SHOW_TEXT];
    const LpJob *job = lp_world_job(model->world, id);
    lp_words_clock(model, job->asked.arrival, at);
    snprintf(text, sizeof text, "%s %s%s%s", says,
             lp_str_many(number, lp_words_ways(job), "server"), since, at);
    draw_job(model, area, y, job, text);
    return y + 1;
}

/* The job that asks now, then those that wait, in the order of the queue. */
static int draw_waiting(const LpModel *model, const LpArea *area) {
    uint32_t due = model->decision.due ? model->decision.job : LP_NO_INDEX;
    int y = 0;
    if (due != LP_NO_INDEX && area->rect.h > 0)
        y = draw_one(model, area, y, due, "asks for", ", came at ");
    for (uint32_t id = lp_world_first_waiting(model->world); id != LP_NO_INDEX && y < area->rect.h;
         id = lp_world_next_waiting(model->world, id))
        if (id != due)
            y = draw_one(model, area, y, id, "waits for", " since ");
    if (y == 0 && area->rect.h > 0)
        lp_area_fit(area, 0, y++, area->rect.w, LP_ROLE_MUTED, "nobody waits");
    return y;
}

/* Which of two running jobs ends first; at the same time the one of the lower number. */
static bool ends_before(const LpJob *a, const LpJob *b) {
    double first = a->times.forecast_end, second = b->times.forecast_end;
    return first < second || (first <= second && a->id < b->id);
}

/* The running jobs in the order of their ends: what becomes free when. */
static void draw_ends(const LpModel *model, const LpArea *area, int y) {
    double now = lp_world_now(model->world);
    uint32_t free = 0;
    for (uint32_t s = 0; s < lp_world_servers(model->world); s++) {
        const LpServer *server = lp_world_server(model->world, s);
        free += server->job == LP_NO_INDEX && server->state == LP_SERVER_IN_SERVICE;
    }
    const LpJob *last = NULL;
    for (uint32_t n = 0; n < model->running_count && y < area->rect.h; n++) {
        const LpJob *next = NULL;
        for (uint32_t i = 0; i < model->running_count; i++) {
            const LpJob *job = model->running[i].job;
            if ((last == NULL || ends_before(last, job)) &&
                (next == NULL || ends_before(job, next)))
                next = job;
        }
        if (next == NULL)
            return;
        char text[120], left[LP_SHOW_TEXT];
        last = next;
        free += lp_words_ways(next);
        snprintf(text, sizeof text, "ends in %s: then %u of %u free",
                 lp_show_left(fmax(next->times.forecast_end - now, 0.0), model->marks.scale, left),
                 (unsigned)free, (unsigned)lp_world_servers(model->world));
        draw_job(model, area, y++, next, text);
    }
}

static void draw_queue(const LpModel *model, const LpArea *area) {
    LpArea inside = open_box(area, "QUEUE jobs waiting, servers and time");
    int y = draw_waiting(model, &inside);
    draw_ends(model, &inside, y + (y + 1 + (int)model->running_count < inside.rect.h));
}

/* ---- plans ---- */

/* The plan of a job that is placed, or the one that would be taken; NULL: it has none. */
static const LpParallel *plan_of(const LpModel *model, const LpJob *job) {
    int marked = lp_model_marked(model);
    if (model->decision.due && model->decision.job == job->id)
        return marked >= 0 && model->decision.candidate[marked].plan.plan.tensor > 0
                   ? &model->decision.candidate[marked].plan.plan
                   : NULL;
    const LpPartition *p = job->placed.partition != LP_NO_INDEX
                               ? lp_store_partition(model->context->store, job->placed.partition)
                               : NULL;
    return p != NULL && p->planned ? &p->plan : NULL;
}

/* What the ways of one kind send to each other. */
static int draw_ways(const LpArea *area, int y, const char *name, uint32_t ways, const char *many,
                     const char *one) {
    char text[160];
    if (y < area->rect.h) {
        snprintf(text, sizeof text, "%-8s %3u  %s", name, (unsigned)ways, ways > 1 ? many : one);
        lp_area_fit(area, 2, y, area->rect.w - 2, ways > 1 ? LP_ROLE_TEXT : LP_ROLE_MUTED, text);
    }
    return y + 1;
}

static int draw_plan(const LpModel *model, const LpArea *area, int y, const LpJob *job,
                     bool whole) {
    const LpParallel *plan = plan_of(model, job);
    char text[200], cut[LP_PLAN_WAYS_TEXT], bytes[LP_SHOW_TEXT], share[LP_SHOW_TEXT],
        sent[LP_SHOW_TEXT];
    int marked = lp_model_marked(model);
    bool due = model->decision.due && model->decision.job == job->id;
    if (plan == NULL || y >= area->rect.h)
        return y;
    const LpStepSummary *step = job->placed.step != LP_NO_INDEX
                                    ? lp_store_step(model->context->store, job->placed.step)
                                    : NULL;
    /* "t4 p1 d2: sends 17 % of a step", and with room how much of it nobody computes */
    bool known = step != NULL && step->step_time > 0;
    double exposed = known                ? step->exposed / step->step_time
                     : due && marked >= 0 ? model->decision.candidate[marked].plan.exposed
                                          : (double)NAN;
    lp_plan_ways(plan, cut);
    lp_show_percent(exposed, share);
    int used = snprintf(text, sizeof text, "%s:", cut);
    if (known)
        used += snprintf(text + used, sizeof text - (size_t)used, " sends %s, %s of a step",
                         lp_show_bytes(step->flow_bytes, sent),
                         lp_show_percent(step->communication / step->step_time, bytes));
    if (!isnan(exposed) && (!known || area->rect.w >= WIDE))
        snprintf(text + used, sizeof text - (size_t)used, "%s %s of a step exposed",
                 known ? "," : "", share);
    draw_job(model, area, y++, job, text);
    if (!whole)
        return y;
    y = draw_ways(area, y, "tensor", plan->tensor, "share each layer: activations, twice a layer",
                  "no layer is shared");
    y = draw_ways(area, y, "pipeline", plan->pipeline, "stages: activations, to the next one",
                  "one stage has all layers");
    y = draw_ways(area, y, "data", plan->data, "replicas: gradients, once a step",
                  "one replica: no gradients");
    if (lp_parallel_expert(plan) > 1)
        y = draw_ways(area, y, "expert", lp_parallel_expert(plan), "ways: tokens, twice a layer",
                      "");
    return y;
}

static void draw_plans(const LpModel *model, const LpArea *area) {
    enum { KINDS = 5 }; /* lines of a plan, and air */
    LpArea inside = open_box(area, "TRAFFIC between the ways of each plan");
    int count = (int)model->running_count + model->decision.due, y = 0;
    if (count == 0)
        lp_area_fit(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED, "no job runs: nothing travels");
    for (int i = -1; i < (int)model->running_count; i++) {
        if (i < 0 && !model->decision.due)
            continue;
        const LpJob *job =
            i < 0 ? lp_world_job(model->world, model->decision.job) : model->running[i].job;
        int others = count - 1;
        count--;
        bool whole = y + KINDS + others <= inside.rect.h;
        y = draw_plan(model, &inside, y, job, whole);
        y += whole && y + KINDS + others < inside.rect.h;
    }
}

static bool is_queue(const LpScenario *s) {
    return s->graphs == 0 && s->slices == 0;
}

static bool is_plans(const LpModel *model) {
    return lp_words_has_plans(model) && model->scenario->turning.form == LP_TURNING_NONE;
}

int lp_board_instead_tall(const LpModel *model) {
    enum { QUEUE = 3, PLANS = 9 };
    return is_queue(model->scenario) ? QUEUE : is_plans(model) ? PLANS : 0;
}

bool lp_board_instead(const LpModel *model, const LpArea *area) {
    if (area->rect.h < 3 || lights_any(model))
        return false;
    if (is_queue(model->scenario))
        draw_queue(model, area);
    else if (is_plans(model))
        draw_plans(model, area);
    else
        return false;
    return true;
}
