/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell of the board: the letter of a job, or how many of its servers are busy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cube.h"
#include "views/servers/servers_view_impl.h"

/* What a cell's servers are doing. */
typedef struct Content {
    uint32_t size, busy, pending, broken, job; /* job: of the first busy server */
    bool mixed;
    LpServerMark mark; /* the most telling one */
} Content;

static Content look_at(const LpModel *model, uint32_t first, uint32_t unit) {
    uint32_t servers = lp_world_servers(model->world);
    Content content = {0, 0, 0, 0, LP_NO_INDEX, false, LP_SERVER_UNMARKED};
    for (uint32_t s = first; s < servers && s - first < unit; s++) {
        uint32_t job = lp_world_server(model->world, s)->job;
        content.size++;
        content.pending += lp_model_is_pending(model, s);
        LpServerMark mark = lp_model_mark(model, s);
        content.mark = mark > content.mark ? mark : content.mark;
        content.broken += lp_world_server(model->world, s)->state == LP_SERVER_FAILED;
        if (job == LP_NO_INDEX)
            continue;
        content.mixed |= content.busy && job != content.job;
        if (!content.busy++)
            content.job = job;
    }
    return content;
}

/* Where a cell lies, and how much of the board is its own. */
typedef struct Place {
    const LpModel *model;
    const LpArea *area;
    int x, y, w, h;
    uint32_t server; /* the only one, LP_NO_INDEX: it has several */
} Place;

enum {
    NAMED = 8,   /* columns from which a cell has words beside its letter, and air behind them */
    BROAD = 6,   /* columns from which it has the progress */
    LONG_ROW = 5 /* rows from which its last one is air */
};

/* The rows of a large cell below its letter: a bar, its number and the progress, the time left. */
static void put_details(const Place *p, LpStyle style, uint32_t job) {
    const LpRunning *running = lp_model_running(p->model, job);
    char text[48], left[LP_SHOW_TEXT];
    int w = p->w - 2, number = p->w >= NAMED && p->h > 2 ? 2 : 1;
    style = (LpStyle)(style & ~LP_BOLD);
    if (p->w >= NAMED && p->server != LP_NO_INDEX) {
        lp_area_fit(p->area, p->x + 4, p->y, p->w - 5, style,
                    lp_words_graph(p->model, lp_world_job(p->model->world, job)));
        snprintf(text, sizeof text, running ? "s%u %.0f%%" : "s%u", (unsigned)p->server,
                 running ? floor(running->progress * 100) : 0.0);
    } else {
        snprintf(text, sizeof text, "%.0f%%", running ? floor(running->progress * 100) : 0.0);
    }
    if (running && lp_text_width(text) > w)
        snprintf(text, sizeof text, "%.0f%%", floor(running->progress * 100));
    if (p->w >= NAMED || running)
        lp_area_fit(p->area, p->x + 1, p->y + number, w, style, text);
    if (number < 2 || !running)
        return;
    int full = (int)(running->progress * w + 0.5);
    lp_area_repeat(p->area, p->x + 1, p->y + 1, full, style, LP_GLYPH_BAR);
    lp_area_repeat(p->area, p->x + 1 + full, p->y + 1, w - full, style, LP_GLYPH_BAR_REST);
    double rest = running->job->times.forecast_end - lp_world_now(p->model->world);
    if (p->h > 3 && isfinite(rest) &&
        lp_text_width(lp_show_left(rest, p->model->marks.scale, left)) <= w)
        lp_area_text(p->area, p->x + 1, p->y + 3, style, left);
}

/* A job's letter in a filled block. */
static void put_block(const Place *p, LpStyle style, uint32_t job, int letter,
                      const char *brackets) {
    int w = p->w >= NAMED ? p->w - 1 : p->w, h = p->h >= LONG_ROW ? p->h - 1 : p->h;
    for (int y = 0; y < h; y++)
        lp_area_repeat(p->area, p->x, p->y + y, w, style, LP_GLYPH_SPACE);
    if (p->h > 1 && p->w >= BROAD && job != LP_NO_INDEX)
        put_details(p, style, job);
    if (brackets && p->w >= 3) {
        lp_area_put(p->area, p->x, p->y, style, (uint32_t)brackets[0]);
        lp_area_put(p->area, p->x + 2, p->y, style, (uint32_t)brackets[1]);
    }
    lp_letter_put(p->area, p->x + (p->w >= 3), p->y, style, job, letter);
}

static void put_glyph(const Place *p, LpStyle style, LpGlyph glyph) {
    lp_area_glyph(p->area, p->x + (p->w >= 3), p->y, style, glyph);
}

/* "(L)" would be taken, "[L]" taken now. */
static void put_deciding(const LpModel *model, const Place *p) {
    bool placed = model->motion.on ? model->motion.scene != LP_SCENE_PARTITION
                                   : model->ui->stage >= LP_STAGE_PLACE;
    put_block(p, LP_ROLE_STAGE | LP_FILL, model->decision.job, lp_model_deciding(model),
              placed ? "[]" : "()");
}

/* What a frame of the motion says of a cell; false when it says nothing. */
static bool put_mark(const LpModel *model, const Place *p, const Content *content) {
    uint32_t job = content->job == LP_NO_INDEX ? model->motion.job : content->job;
    if (job == LP_NO_INDEX && !content->pending)
        return false;
    LpStyle fill = content->pending ? LP_ROLE_STAGE | LP_FILL : lp_model_fill(model, job);
    job = content->pending ? model->decision.job : job;
    int letter = lp_letters_ever(&model->letters, job);
    switch (content->mark) {
    case LP_SERVER_UNMARKED:
        return false;
    case LP_SERVER_IDLE:
        put_block(p, (LpStyle)(fill & ~LP_BOLD), job, letter, NULL);
        return true;
    case LP_SERVER_PAUSED:
        put_block(p, (LpStyle)((fill & ~LP_BOLD) | LP_DIM), job, letter, NULL);
        if (p->w >= 3)
            lp_area_glyph(p->area, p->x, p->y, (LpStyle)(fill | LP_DIM), LP_GLYPH_PAUSED);
        return true;
    case LP_SERVER_RELEASED:
        put_glyph(p, LP_ROLE_GOOD, LP_GLYPH_DONE);
        return true;
    case LP_SERVER_REFUSED:
        put_glyph(p, LP_ROLE_BAD, LP_GLYPH_BLOCKED);
        return true;
    case LP_SERVER_COMPUTES:
    case LP_SERVER_NEWEST:
        put_block(p, (LpStyle)(fill | LP_BOLD), job, letter, "[]");
        return true;
    }
    return false;
}

/* ---- cubes ---- */

/* Hosts of a cube that are down: a digit, + above nine. */
static void put_broken(const Place *p, const LpCube *cube) {
    uint32_t down = cube->hosts - cube->hosts_up;
    lp_area_put(p->area, p->x + (p->w >= 3), p->y, LP_ROLE_BAD,
                down > 9 ? '+' : (uint32_t)('0' + down));
}

/* A cube whose state is more than who has it; false: what a cell shows anyway says all. */
static bool put_cube(const LpModel *model, const Place *p, const LpCube *cube) {
    int letter = cube->job != LP_NO_INDEX ? lp_letters_of(&model->letters, cube->job) : -1;
    LpStyle fill = cube->job != LP_NO_INDEX ? lp_model_fill(model, cube->job) : LP_ROLE_TEXT;
    switch (cube->state) {
    case LP_CUBE_BROKEN:
        if (cube->job != LP_NO_INDEX)
            put_block(p, (LpStyle)(LP_ROLE_BAD | LP_REVERSE), cube->job, letter, NULL);
        else
            put_broken(p, cube);
        return true;
    case LP_CUBE_KEPT:
        lp_area_put(p->area, p->x + (p->w >= 3), p->y, LP_ROLE_FREE, 's');
        return true;
    case LP_CUBE_DARK:
        put_glyph(p, LP_ROLE_WAIT, LP_GLYPH_DASH);
        return true;
    case LP_CUBE_HELD:
        put_block(p, (LpStyle)(LP_ROLE_BAD | LP_REVERSE), cube->job, letter, NULL);
        return true;
    case LP_CUBE_SETTLING:
    case LP_CUBE_RESTORING:
        put_block(p, (LpStyle)((fill & ~LP_BOLD) | LP_DIM), cube->job, letter, NULL);
        return true;
    case LP_CUBE_SLOW:
        put_block(p, (LpStyle)((fill & ~LP_FILL) | LP_BOLD), cube->job, letter, NULL);
        return true;
    default:
        return false;
    }
}

/* A cell that is a cube, where no frame of the motion says more. */
static bool is_cube(const LpModel *model, const Content *content, uint32_t unit) {
    return model->board.joins == LP_BOARD_SLICES && unit == model->board.per_rack &&
           content->pending == 0;
}

static void put_content(const LpModel *model, const Place *p, const Content *content) {
    int letter = lp_letters_of(&model->letters, content->job);
    if (content->pending) {
        put_deciding(model, p);
    } else if (content->broken > 0 && content->busy == 0) {
        put_glyph(p, LP_ROLE_BAD, LP_GLYPH_BROKEN);
    } else if (content->busy == 0) {
        put_glyph(p, LP_ROLE_FREE, LP_GLYPH_FREE);
        if (p->h > 1 && p->w >= NAMED && p->server != LP_NO_INDEX)
            lp_area_textf(p->area, p->x + 1, p->y + (p->h > 2 ? 2 : 1), LP_ROLE_FREE,
                          p->w > NAMED ? "s%u free" : "s%u", (unsigned)p->server);
    } else if (content->busy == content->size && !content->mixed) {
        bool focus = content->job == model->focus && model->ui->focus_job > 0;
        put_block(p, lp_model_fill(model, content->job), content->job, letter, focus ? "[]" : NULL);
    } else {
        LpStyle style = content->mixed ? LP_ROLE_TEXT : lp_model_ink(model, content->job);
        lp_area_put(p->area, p->x + (p->w >= 3), p->y, style,
                    lp_glyph_height((double)content->busy / content->size, p->area->canvas->ascii));
    }
}

void lp_view_server_cell(const LpModel *model, const LpArea *area, LpRect cell, uint32_t first,
                         uint32_t unit) {
    Content content = look_at(model, first, unit);
    Place place = {model, area, cell.x, cell.y, cell.w, cell.h, unit == 1 ? first : LP_NO_INDEX};
    if (content.size == 0)
        return;
    LpCube cube = {.state = LP_CUBE_FREE};
    if (is_cube(model, &content, unit))
        cube = lp_world_cube(model->world, model->context, first / unit);
    if (!put_mark(model, &place, &content) && !put_cube(model, &place, &cube))
        put_content(model, &place, &content);
    lp_area_hit(area, cell, LP_HIT_SERVER, first);
}

LpArea lp_view_servers_head(const LpModel *model, const LpArea *area, const char *title) {
    enum { LEAST = 12, GAP = sizeof "SERVERS  " };
    char text[160];
    lp_world_conditions_text(model->world, text, sizeof text);
    LpArea inside = lp_area_heading(area, title);
    if (text[0] == '\0' || lp_area_heading_note(area, title, LEAST, LP_ROLE_WAIT, text))
        return inside;
    char *list = strrchr(text, '('); /* which ones: where there is room */
    if (list != NULL && lp_text_width(text) + GAP > area->rect.w)
        *list = '\0';
    LpArea line = lp_area_part(area, (LpRect){0, 0, area->rect.w, 1});
    lp_area_clear(&line);
    lp_area_heading(area, "SERVERS");
    lp_area_heading_note(area, "SERVERS", 0, LP_ROLE_WAIT, text);
    return inside;
}
