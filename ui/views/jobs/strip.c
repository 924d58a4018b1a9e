/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs strip: the legend of the letters, how far each job is, and who waits or is decided. */
#include "views/jobs/impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ITEM_COLS = 46, BAR_MOST = 10, NAME_MOST = 14, COLUMNS_MOST = 4, ROWS_LEAST = 3 };

typedef enum ItemKind { RUNNING, WAITING, DECIDING } ItemKind;

/* Entry `index` of the list: running jobs, then waiting ones, then the one that is decided. */
typedef struct Item {
    ItemKind kind;
    const LpJob *job;
    const LpRunning *running;
} Item;

/* A walk over the list. */
typedef struct Walk {
    const LpModel *model;
    uint32_t at;      /* running jobs passed */
    uint32_t waiting; /* next waiting job */
    bool over;
} Walk;

static Walk walk(const LpModel *model) {
    return (Walk){model, 0, lp_world_first_waiting(model->world), false};
}

static bool next(Walk *walk, Item *item) {
    const LpModel *model = walk->model;
    if (walk->at < model->running_count) {
        const LpRunning *running = &model->running[walk->at++];
        *item = (Item){RUNNING, running->job, running};
        return true;
    }
    while (walk->waiting != LP_NO_INDEX) {
        uint32_t id = walk->waiting;
        walk->waiting = lp_world_next_waiting(model->world, id);
        if (model->decision.due && id == model->decision.job)
            continue;
        *item = (Item){WAITING, lp_world_job(model->world, id), NULL};
        return true;
    }
    if (walk->over || !model->decision.due)
        return false;
    walk->over = true;
    *item = (Item){DECIDING, lp_world_job(model->world, model->decision.job), NULL};
    return true;
}

static uint32_t count_items(const LpModel *model) {
    Walk w = walk(model);
    Item item;
    uint32_t count = 0;
    while (next(&w, &item))
        count++;
    return count;
}

static void draw_bar(const LpArea *area, int x, int y, int width, LpStyle style, double share) {
    int full = (int)(fmin(fmax(share, 0.0), 1.0) * width + 0.5);
    lp_area_repeat(area, x, y, full, style, LP_GLYPH_FULL);
    lp_area_repeat(area, x + full, y, width - full, LP_ROLE_FREE, LP_GLYPH_EMPTY);
}

/* Columns of the parts of an entry: the same for all, so that they stand in line. */
typedef struct Form {
    int name, ways, bar, percent, left; /* where each begins; percent: where it ends */
    int bar_width;
} Form;

static Form form_of(const LpModel *model, int width) {
    int longest = 5;
    for (uint32_t i = 0; i < model->scenario->graphs; i++) {
        int len = lp_text_width(model->scenario->graph[i]->id);
        longest = len > longest ? len : longest;
    }
    longest = longest < NAME_MOST ? longest : NAME_MOST;
    Form form = {.name = 3 + snprintf(NULL, 0, "%u", (unsigned)lp_world_jobs(model->world))};
    form.ways = form.name + longest + 1;
    form.bar = form.ways + 4;
    form.bar_width = width - form.bar - 6 - 1 - 12;
    form.bar_width = form.bar_width < 0 ? 0 : form.bar_width > BAR_MOST ? BAR_MOST : form.bar_width;
    form.percent = form.bar + form.bar_width + 6;
    form.left = form.percent + 1;
    return form;
}

static void draw_letter(const LpModel *model, const LpArea *area, int x, const Item *item) {
    int letter = lp_letters_of(&model->letters, item->job->id);
    LpStyle style = item->kind == RUNNING   ? lp_model_letter_style(letter) | LP_BOLD
                    : item->kind == WAITING ? LP_ROLE_WAIT
                                            : LP_ROLE_PENDING;
    lp_area_put(area, x, 0, style, (uint32_t)lp_letter(letter));
}

/* "A 0 vgg16": what all entries begin with. */
static void draw_head(const LpModel *model, const LpArea *area, const Form *form,
                      const Item *item) {
    draw_letter(model, area, 0, item);
    lp_area_textf(area, 2, 0, LP_ROLE_TEXT, "%u", (unsigned)item->job->id);
    lp_area_fit(area, form->name, 0, form->ways - form->name - 1, LP_ROLE_TEXT,
                lp_words_graph(model, item->job));
}

static void draw_running(const LpArea *area, const Form *form, const Item *item, double now) {
    char percent[LP_SHOW_TEXT], left[LP_SHOW_TEXT];
    LpStyle style = lp_model_letter_style(item->running->letter);
    snprintf(percent, sizeof percent, "%.0f %%", floor(item->running->progress * 100.0));
    lp_show_seconds(fmax(item->job->forecast_end - now, 0.0), left);
    lp_area_textf(area, form->ways, 0, LP_ROLE_TEXT, "x%u", (unsigned)lp_words_ways(item->job));
    draw_bar(area, form->bar, 0, form->bar_width, style, item->running->progress);
    lp_area_right(area, form->percent, 0, LP_ROLE_TEXT, percent);
    if (item->job->dark != LP_JOB_LIT)
        lp_area_text(area, form->left, 0, LP_ROLE_WAIT, " no light");
    else
        lp_area_textf(area, form->left, 0, LP_ROLE_TEXT, " %s left", left);
}

static void draw_limit(const LpArea *area, int x, const char *what, const LpJob *job) {
    char limit[LP_SHOW_TEXT];
    if (isinf(job->max_jct))
        lp_area_textf(area, x, 0, LP_ROLE_TEXT, "%s, no limit", what);
    else
        lp_area_textf(area, x, 0, LP_ROLE_TEXT, "%s, limit %s", what,
                      lp_show_seconds(job->max_jct, limit));
}

static void draw_item(const LpModel *model, const LpArea *area, const Item *item) {
    double now = lp_world_now(model->world);
    Form form = form_of(model, area->rect.w);
    char what[64], waited[LP_SHOW_TEXT];
    draw_head(model, area, &form, item);
    if (item->kind == RUNNING) {
        draw_running(area, &form, item, now);
        return;
    }
    int marked = item->kind == DECIDING ? lp_model_marked(model) : -1;
    if (marked >= 0)
        lp_area_textf(area, form.ways, 0, LP_ROLE_PENDING, "x%u",
                      (unsigned)model->decision.candidate[marked].degree);
    snprintf(what, sizeof what, "waiting %s", lp_show_seconds(now - item->job->arrival, waited));
    draw_limit(area, form.bar, item->kind == WAITING ? what : "deciding", item->job);
}

/* Everything in one line: "jobs A0 58 % C2 67 %". */
static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "jobs") + 2;
    Walk w = walk(model);
    Item item;
    uint32_t left = count_items(model);
    while (next(&w, &item)) {
        char text[96], more[32];
        if (item.kind == RUNNING)
            snprintf(text, sizeof text, "%u %.16s x%u %.0f %%", (unsigned)item.job->id,
                     lp_words_graph(model, item.job), (unsigned)lp_words_ways(item.job),
                     floor(item.running->progress * 100.0));
        else
            snprintf(text, sizeof text, "%u %.16s", (unsigned)item.job->id,
                     lp_words_graph(model, item.job));
        snprintf(more, sizeof more, "+%u", (unsigned)left);
        if (x + 2 + lp_text_width(text) + 2 + lp_text_width(more) > area->rect.w) {
            lp_area_text(area, x, 0, LP_ROLE_MUTED, more);
            return;
        }
        draw_letter(model, area, x, &item);
        int end = lp_area_text(area, x + 2, 0, LP_ROLE_TEXT, text);
        lp_area_hit(area, (LpRect){x, 0, end - x, 1}, LP_HIT_JOB, item.job->id);
        x = end + 2;
        left--;
    }
    if (x == 7)
        lp_area_text(area, x, 0, LP_ROLE_MUTED, "none");
}

static int columns_of(int width) {
    int columns = width / ITEM_COLS;
    return columns < 1 ? 1 : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

/* Columns of entries, filled downwards and about equally long; the one that is decided always has a
 * place. */
static void draw_columns(const LpModel *model, const LpArea *area, uint32_t count) {
    if (area->rect.w <= 0 || area->rect.h <= 0)
        return;
    int columns = columns_of(area->rect.w), width = area->rect.w / columns;
    int rows = ((int)count + columns - 1) / columns;
    rows = rows < ROWS_LEAST ? ROWS_LEAST : rows;
    rows = rows < area->rect.h ? rows : area->rect.h;
    uint32_t room = (uint32_t)(columns * rows), index = 0;
    Walk w = walk(model);
    for (Item item; next(&w, &item); index++) {
        bool last = item.kind == DECIDING && index >= room;
        uint32_t at = last ? room - 1 : index;
        if (at >= room)
            continue;
        LpArea cell =
            lp_area_part(area, (LpRect){(int)at / rows * width, (int)at % rows, width - 2, 1});
        lp_area_repeat(&cell, 0, 0, width, LP_ROLE_TEXT, LP_GLYPH_SPACE);
        draw_item(model, &cell, &item);
        lp_area_hit(&cell, (LpRect){0, 0, width, 1}, LP_HIT_JOB, item.job->id);
    }
    for (int column = 1; column < columns; column++)
        for (int y = 0; y < area->rect.h; y++)
            lp_area_glyph(area, column * width - 2, y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
}

void lp_view_jobs(const LpModel *model, const LpArea *area) {
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    uint32_t count = count_items(model);
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[160];
    uint32_t room = (uint32_t)(columns_of(area->rect.w - 2) * (area->rect.h - 1));
    snprintf(title, sizeof title, "jobs %s a letter means the same job on every board", dash);
    if (count > room)
        snprintf(title, sizeof title, "jobs %s %u of %u shown", dash, (unsigned)room,
                 (unsigned)count);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (count == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "no job is running or waiting");
    else
        draw_columns(model, &inside, count);
}
