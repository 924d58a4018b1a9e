/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs strip: the legend of the letters, how far each job is, and who waits or is decided. */
#include "views/jobs/jobs_view_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ITEM_COLS = 36, /* of one entry, where several stand beside each other */
    COLUMNS_MOST = 4,
    GAP = 2,
    NAME_MOST = 13,
    NAME_LEAST = 7,
    BAR_LEAST = 5, /* its blank included */
    BAR_MOST = 20,
    WAYS = 5,    /* " x16" */
    PERCENT = 5, /* "  73%" */
    TIGHT = 16,  /* an entry narrower than this has a name, one blank and "73%" */
    LEFT = 9     /* " 18 336 s" */
};

typedef enum ItemKind { RUNNING, WAITING, DECIDING } ItemKind;

/* An entry of the list: the job that is decided, then running jobs, then waiting ones. */
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
    bool begun;
} Walk;

static Walk walk(const LpModel *model) {
    return (Walk){model, 0, lp_world_first_waiting(model->world), false};
}

static bool next(Walk *walk, Item *item) {
    const LpModel *model = walk->model;
    if (!walk->begun && model->decision.due) {
        walk->begun = true;
        *item = (Item){DECIDING, lp_world_job(model->world, model->decision.job), NULL};
        return true;
    }
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
    return false;
}

static uint32_t count_items(const LpModel *model) {
    Walk w = walk(model);
    Item item;
    uint32_t count = 0;
    while (next(&w, &item))
        count++;
    return count;
}

/* Columns of the parts of an entry: the same for all, so that they stand in line. */
typedef struct Form {
    int width, name, ways, bar, percent, left; /* percent, left: where they end; 0: left out */
    int bar_width;
} Form;

static int longest_name(const LpModel *model) {
    int longest = model->scenario->identities > 0 ? NAME_MOST : 5; /* "rigid" */
    for (uint32_t i = 0; i < model->scenario->slices; i++) {
        int len = lp_text_width(model->scenario->slice[i].name);
        longest = len > longest ? len : longest;
    }
    for (uint32_t i = 0; i < model->scenario->graphs; i++) {
        int len = lp_text_width(model->scenario->graph[i]->id);
        longest = len > longest ? len : longest;
    }
    return longest < NAME_MOST ? longest : NAME_MOST;
}

/* Columns of the widest " x16" or " t8 p4 d2" with the blank that follows. Without plans that of
 * the most ways is the widest, which spares a sentence for each of thousands of jobs. */
static int ways_width(const LpModel *model) {
    const LpDecision *d = &model->decision;
    int marked = lp_model_marked(model), width = WAYS;
    char cut[LP_WORDS_CUT];
    bool plans = lp_words_has_plans(model);
    const LpJob *most = NULL;
    if (d->due && marked >= 0)
        width = (int)fmax(width, lp_text_width(lp_words_cut_of(&d->candidate[marked], cut)) + 2);
    for (uint32_t i = 0; i < model->running_count; i++) {
        const LpJob *job = model->running[i].job;
        if (most == NULL || lp_words_ways(job) > lp_words_ways(most))
            most = job;
        if (plans)
            width = (int)fmax(width, lp_text_width(lp_words_cut(model, job, cut)) + 2);
    }
    if (most != NULL && !plans)
        width = (int)fmax(width, lp_text_width(lp_words_cut(model, most, cut)) + 2);
    return width;
}

/* Columns of the longest time that is left, in seconds as all clocks of the screen. */
static int left_width(const LpModel *model) {
    double now = lp_world_now(model->world), scale = model->marks.scale;
    double plain = lp_show_left_plain(scale), most = 0.0;
    int width = LEFT;
    char left[LP_SHOW_TEXT];
    for (uint32_t i = 0; i < model->running_count; i++) {
        double rest = fmax(model->running[i].job->times.forecast_end - now, 0.0);
        if (rest < plain) /* the longest of these is the widest, where one exceeds LEFT at all */
            most = fmax(most, rest);
        else
            width = (int)fmax(width, lp_text_width(lp_show_left(rest, scale, left)) + 1);
    }
    if (most > 0.0)
        width = (int)fmax(width, lp_text_width(lp_show_left(most, scale, left)) + 1);
    return width;
}

/* The name gives way first, then the bar, the ways and the time that is left. */
static Form form_of(const LpModel *model, int width) {
    Form form = {.width = width, .name = longest_name(model)};
    int count = ways_width(model), time = left_width(model);
    bool left = width >= 24, ways = width >= 28 + count - WAYS;
    int percent = width < TIGHT ? PERCENT - 1 : PERCENT;
    count = ways ? count : 0;
    int rest = width - 2 - percent - (left ? time : 0) - count;
    int least = rest - BAR_LEAST < NAME_LEAST ? rest : rest - BAR_LEAST;
    form.name = form.name < least ? form.name : least;
    form.name = form.name > 0 ? form.name : 0;
    int x = 2 + form.name;
    if (ways) {
        form.ways = x + 1;
        x += count;
    }
    int bar = width - x - percent - (left ? time : 0) - 1;
    if (bar >= BAR_LEAST - 1) {
        form.bar = x + 1;
        form.bar_width = bar < BAR_MOST ? bar : BAR_MOST;
        x = form.bar + form.bar_width;
    }
    form.percent = x + percent;
    form.left = left ? form.percent + time : 0;
    return form;
}

static void draw_letter(const LpModel *model, const LpArea *area, int x, const Item *item) {
    int letter = lp_letters_of(&model->letters, item->job->id);
    LpStyle style = item->kind == RUNNING   ? lp_letter_hue(item->job->id) | LP_BOLD
                    : item->kind == WAITING ? LP_ROLE_WAIT
                                            : LP_ROLE_PENDING;
    lp_letter_put(area, x, 0, style, item->job->id, letter);
}

/* Bytes of a name that is cut: never within a number, for resnet1 is not resnet18. */
static int cut_at(const char *name, int most) {
    int len = (int)lp_text_prefix(name, most);
    if (name[len] == '\0')
        return len;
    while (len > 1 && name[len - 1] >= '0' && name[len - 1] <= '9')
        len--;
    return len;
}

static void draw_running(const LpModel *model, const LpArea *area, const Form *form,
                         const Item *item) {
    char percent[LP_SHOW_TEXT], left[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    double now = lp_world_now(model->world);
    snprintf(percent, sizeof percent, "%.0f%%", floor(item->running->progress * 100.0));
    if (form->ways)
        lp_area_text(area, form->ways, 0, LP_ROLE_TEXT, lp_words_cut(model, item->job, cut));
    if (form->bar) {
        LpStyle style = lp_letter_hue(item->job->id);
        int width = form->bar_width,
            full = (int)(fmin(fmax(item->running->progress, 0.0), 1.0) * width + 0.5);
        lp_area_repeat(area, form->bar, 0, full, style, LP_GLYPH_BAR);
        lp_area_repeat(area, form->bar + full, 0, width - full, LP_ROLE_FREE, LP_GLYPH_BAR_REST);
    }
    lp_area_right(area, form->percent, 0, LP_ROLE_TEXT, percent);
    lp_show_left(fmax(item->job->times.forecast_end - now, 0.0), model->marks.scale, left);
    if (form->left && item->job->light.dark != LP_JOB_LIT)
        lp_area_right(area, form->left, 0, LP_ROLE_WAIT,
                      item->job->light.dark == LP_JOB_HELD ? "held up" : "no light");
    else if (form->left)
        lp_area_right(area, form->left, 0, LP_ROLE_TEXT, left);
}

/* "new, limit 2.82 s", "waits 33 min, limit 5 h": as much of it as there is room for. A job that is
 * offered again waits, too. */
static void draw_other(const LpModel *model, const LpArea *area, const Form *form,
                       const Item *item) {
    LpStyle style = item->kind == DECIDING ? LP_ROLE_PENDING : LP_ROLE_WAIT;
    char waited[LP_SHOW_TEXT], limit[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    double now = lp_world_now(model->world);
    int x = form->ways ? form->ways : form->name + 3, room = form->width - x;
    LpBuf what = {0};
    int marked = item->kind == DECIDING ? lp_model_marked(model) : -1;
    if (form->ways && marked >= 0) {
        lp_area_text(area, x, 0, style, lp_words_cut_of(&model->decision.candidate[marked], cut));
        x += ways_width(model);
        room = form->width - x;
    }
    if (!lp_job_waits(item->job))
        lp_buf_add(&what, "new");
    else
        lp_buf_addf(&what, "waits %s", lp_show_span(now - item->job->times.waiting_since, waited));
    if (isfinite(item->job->asked.max_jct) && room >= (item->kind == DECIDING ? 18 : 25))
        lp_buf_addf(&what, ", limit %s", lp_show_seconds(item->job->asked.max_jct, limit));
    lp_area_fit(area, x, 0, room, style, lp_buf_text(&what));
    lp_area_done(area, &what);
}

static void draw_item(const LpModel *model, const LpArea *area, const Form *form,
                      const Item *item) {
    /* "A squeezenet": what all entries begin with. */
    const char *name = lp_words_graph(model, item->job);
    draw_letter(model, area, 0, item);
    lp_area_textf(area, 2, 0, item->kind == DECIDING ? LP_ROLE_PENDING : LP_ROLE_TEXT, "%.*s",
                  cut_at(name, form->name), name);
    if (item->kind == RUNNING)
        draw_running(model, area, form, item);
    else
        draw_other(model, area, form, item);
    lp_area_hit(area, (LpRect){0, 0, form->width, 1}, LP_HIT_JOB, item->job->id);
}

/* Everything in one line: "jobs A0 58 % C2 67 %". */
static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "jobs") + 2;
    Walk w = walk(model);
    Item item;
    uint32_t left = count_items(model);
    while (next(&w, &item)) {
        char text[128], more[32], cut[LP_WORDS_CUT];
        const char *name = lp_words_graph(model, item.job);
        if (item.kind == RUNNING)
            snprintf(text, sizeof text, "%u %.*s %s %.0f %%", (unsigned)item.job->id,
                     (int)lp_str_prefix(name, 16), name, lp_words_cut(model, item.job, cut),
                     floor(item.running->progress * 100.0));
        else
            snprintf(text, sizeof text, "%u %.*s", (unsigned)item.job->id,
                     (int)lp_str_prefix(name, 16), name);
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

/* Columns of the strip, which do not change while a run goes on: fewer where there are few rows. */
static int columns_of(int width, int rows) {
    int least = rows < 4 ? ITEM_COLS : ITEM_COLS + 10;
    int columns = width >= 2 * least ? width / least : width >= 24 && width < 34 ? 2 : 1;
    return columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

/* Columns of entries, filled downwards. */
static void draw_columns(const LpModel *model, const LpArea *area) {
    if (area->rect.w <= 0 || area->rect.h <= 0)
        return;
    int columns = columns_of(area->rect.w, area->rect.h);
    int gap = columns > 1 && area->rect.w / columns < TIGHT ? 1 : GAP;
    int width = (area->rect.w + gap) / columns;
    Form form = form_of(model, width - gap);
    int rows = area->rect.h, room = columns * rows, at = 0;
    Walk w = walk(model);
    for (Item item; at < room && next(&w, &item); at++) {
        LpArea cell = lp_area_part(area, (LpRect){at / rows * width, at % rows, width - gap, 1});
        draw_item(model, &cell, &form, &item);
    }
}

void lp_view_jobs(const LpModel *model, const LpArea *area) {
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    int count = (int)count_items(model), rows = area->rect.h - 1;
    int room = columns_of(area->rect.w - 2, rows) * rows;
    char title[160] = "JOBS";
    if (count > room)
        snprintf(title, sizeof title, "JOBS 1-%d of %d", room, count);
    else if (area->rect.w >= 60)
        snprintf(title, sizeof title, "JOBS a letter is the same job everywhere; time left");
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (count == 0)
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED,
                     inside.rect.w < 30 ? "no job runs or waits" : "no job is running or waiting");
    else
        draw_columns(model, &inside);
}
