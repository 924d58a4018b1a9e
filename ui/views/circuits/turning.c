/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Circuits that turn inside steps, on rails or in a region: which server's ports are whose, and how
 * often light turns for each job. No two jobs share one, and when it turns is seen in the step. */
#include "model/split/split.h"
#include "sim/store/store.h"
#include "sim/turns/turns.h"
#include "views/circuits/circuits_view_impl.h"

#include <stdio.h>

enum {
    NARROW = 60,
    RAIL = 8 /* columns of a rail's name */,
    LINES = 2 /* of a job, below the board */
};

static bool lights_nothing(const LpModel *model) {
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].txs > 0)
            return false;
    return true;
}

/* Servers of a node: the k-th of each hangs on rail k. 0: no graph has plans. */
static uint32_t node_of(const LpScenario *scenario) {
    for (uint32_t i = 0; i < scenario->graphs; i++)
        if (scenario->graph[i]->split != NULL)
            return (uint32_t)scenario->graph[i]->split->machine.node;
    return 0;
}

/* The switch's row: a column stands for several of its servers, the first of them is shown. */
static void draw_switch(const LpModel *model, const LpArea *area, int x, int y, uint32_t first,
                        uint32_t apart, uint32_t count, uint32_t unit) {
    for (uint32_t i = 0; i < count; i += unit) {
        const LpRunning *job =
            lp_model_running(model, lp_world_server(model->world, first + i * apart)->job);
        int at = x + (int)(i / unit);
        if (job == NULL || job->letter < 0)
            lp_area_glyph(area, at, y, LP_ROLE_FREE, LP_GLYPH_FREE);
        else
            lp_letter_put(area, at, y, lp_model_job_style(model, job), job->job->id, job->letter);
    }
}

/* A row for each rail, or one for the switch of a region. Returns the line after. */
static int draw_switches(const LpModel *model, const LpArea *area, uint32_t node, int lines) {
    uint32_t servers = model->board.servers;
    bool rails = model->scenario->turning.form == LP_TURNING_RAILS;
    uint32_t rows = rails ? node : 1, count = servers / rows;
    uint32_t columns = area->rect.w > RAIL + 1 ? (uint32_t)(area->rect.w - RAIL) : 1;
    uint32_t unit = (count + columns - 1) / columns, y = 0;
    for (; y < rows && (int)y < lines; y++) {
        char name[24];
        snprintf(name, sizeof name, rails ? "rail %u" : "servers", (unsigned)y);
        lp_area_fit(area, 0, (int)y, RAIL - 1, LP_ROLE_MUTED, name);
        draw_switch(model, area, RAIL, (int)y, y, rows, count, unit);
    }
    bool narrow = area->rect.w < NARROW;
    if ((int)y + (int)model->running_count < area->rect.h)
        lp_area_textf(area, narrow ? 0 : RAIL, (int)y++, LP_ROLE_MUTED,
                      narrow ? "a letter: that job's ports, of %u %s%s"
                             : "a letter: %u %s%s whose ports are that job's",
                      (unsigned)unit, rails ? "node" : "server", lp_str_s(unit));
    return (int)y;
}

/* "A t8 p16 d4: 46 turns a step, 46 exposed: 1.15 s of 46.3 s"; narrow without plan and times. */
static void draw_job(const LpModel *model, const LpArea *area, int y, const LpRunning *running) {
    const LpJob *job = running->job;
    char time[LP_SHOW_TEXT], step_time[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    const LpStepSummary *step = job->placed.step != LP_NO_INDEX
                                    ? lp_store_step(model->context->store, job->placed.step)
                                    : NULL;
    LpBuf text = {0};
    bool narrow = area->rect.w < NARROW;
    if (running->letter >= 0)
        lp_buf_addf(&text, "%c%s", lp_letter(running->letter), narrow ? "" : " ");
    if (running->letter < 0 || !narrow)
        lp_buf_add(&text, lp_words_cut(model, job, cut));
    if (step == NULL || step->turns == 0)
        lp_buf_add(&text, ": no light turns for it");
    else
        lp_buf_addf(&text, ": %u turn%s a step, %u exposed", (unsigned)step->turns,
                    lp_str_s(step->turns), (unsigned)step->exposed_turns);
    if (step != NULL && step->turns > 0 && !narrow)
        lp_buf_addf(&text, ": %s of %s", lp_show_seconds(step->turn_time, time),
                    lp_show_seconds(step->step_time, step_time));
    lp_area_fit(area, 0, y, area->rect.w, lp_model_job_style(model, running), lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void print_title(const LpModel *model, uint32_t node, int rows, int width, char *title,
                        size_t size) {
    const LpTurning *t = &model->scenario->turning;
    bool rails = t->form == LP_TURNING_RAILS;
    char delay[LP_SHOW_TEXT], name[64];
    LpTurnOrders orders = rails ? t->rails.orders : t->region.orders;
    lp_show_seconds(rails ? t->rails.delay : t->region.delay, delay);
    int shown = rows - (int)model->running_count; /* rails that have a row */
    if (rails && shown < (int)node)
        snprintf(name, sizeof name, "CIRCUITS rail 0-%d of %u", shown > 1 ? shown - 1 : 0,
                 (unsigned)node);
    else
        snprintf(name, sizeof name, rails ? "CIRCUITS of %u rails" : "CIRCUITS of a region",
                 (unsigned)node);
    if (width >= 70)
        snprintf(title, size, "%s: light turns inside steps, %s a turn, %s", name, delay,
                 lp_turn_orders_name(orders));
    else if (width >= 40)
        snprintf(title, size, "%s, %s a turn", name, delay);
    else
        snprintf(title, size, "%s", name);
}

int lp_view_turning_tall(const LpModel *model) {
    enum { JOBS = 2 };
    LpTurningForm form = model->scenario->turning.form;
    int rails = form == LP_TURNING_RAILS ? (int)node_of(model->scenario) : 1;
    return form == LP_TURNING_NONE || node_of(model->scenario) == 0 ? 0 : rails + JOBS + LINES;
}

bool lp_view_turning(const LpModel *model, const LpArea *area) {
    uint32_t node = node_of(model->scenario);
    char title[160];
    if (model->scenario->turning.form == LP_TURNING_NONE || node == 0 || area->rect.h < 3 ||
        model->board.servers % node != 0 || !lights_nothing(model))
        return false;
    print_title(model, node, area->rect.h - 1, area->rect.w, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    bool rails = model->scenario->turning.form == LP_TURNING_RAILS;
    int jobs = (int)model->running_count, room = inside.rect.h, all = rails ? (int)node : 1;
    int lines = room - jobs - LINES >= all ? all : room - jobs > 1 ? room - jobs : 1;
    int y = draw_switches(model, &inside, node, lines);
    for (int i = 0; i < jobs && y < inside.rect.h; i++, y++)
        draw_job(model, &inside, y, &model->running[i]);
    if (jobs == 0 && y < inside.rect.h)
        lp_area_fit(&inside, 0, y++, inside.rect.w, LP_ROLE_MUTED, "no job runs: no light turns");
    if (y < inside.rect.h)
        lp_area_keys(&inside, 0, y, inside.rect.w, LP_ROLE_MUTED, model->ui->keymap,
                     inside.rect.w < NARROW
                         ? "{step} when it turns in a step"
                         : "{step} when light turns in a step; jobs share none of these circuits");
    return true;
}
