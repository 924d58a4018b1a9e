/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The star couplers between groups: a wire for each pair of groups between which light is, as many
 * side by side as do not meet. */
#include <stdio.h>

#include "base/mem.h"
#include "views/fabric/fabric_view_impl.h"

enum { JOBS = 24, WIRES = 256 };

/* Between two groups, in both directions. */
typedef struct Wire {
    uint32_t a, b; /* a <= b */
    bool there, back;
    uint32_t count, shown; /* jobs; those in `job` */
    const LpRunning *job[JOBS];
    int line;
} Wire;

/* ---- who lights what ---- */

static bool sends(const LpModel *model, const LpRunning *job, uint32_t from, uint32_t to) {
    uint32_t per = model->board.racks * model->board.per_rack;
    if (job->light == NULL || !(job->light[(size_t)from * model->light_groups + to] > 0.0))
        return false;
    if (job != &model->moving)
        return true;
    for (uint32_t i = 0; i < job->txs; i++)
        if (job->tx[i].server / per == from && job->tx[i].group == to &&
            lp_model_shines(model, job, &job->tx[i]))
            return true;
    return false;
}

static void add_job(const LpModel *model, Wire *w, const LpRunning *job) {
    bool there = sends(model, job, w->a, w->b), back = sends(model, job, w->b, w->a);
    if (!there && !back)
        return;
    w->there |= there;
    w->back |= back;
    w->count++;
    if (w->shown < JOBS)
        w->job[w->shown++] = job;
}

/* All wires with light, the shortest first; returns how many. */
static uint32_t gather(const LpModel *model, uint32_t groups, Wire *out) {
    uint32_t count = 0, running = model->motion.instant ? 0 : model->running_count;
    for (uint32_t span = 0; span < groups; span++)
        for (uint32_t a = 0; a + span < groups && count < WIRES; a++) {
            Wire w = {.a = a, .b = a + span, .line = -1};
            for (uint32_t i = 0; i < running; i++)
                add_job(model, &w, &model->running[i]);
            add_job(model, &w, &model->moving);
            if (w.count > 0)
                out[count++] = w;
        }
    return count;
}

/* ---- where ---- */

/* Columns of a wire; one within a group is as wide as its letters. */
static void span_of(const LpFabricPlan *p, const Wire *w, int *from, int *to) {
    *from = lp_fabric_wire(p, w->a);
    *to = lp_fabric_wire(p, w->b);
    if (w->a == w->b) {
        *from -= (int)w->shown / 2 + 1;
        *to = *from + (int)w->shown + 1;
    }
}

static bool meets(const LpFabricPlan *p, const Wire *a, const Wire *b) {
    int from, to, other_from, other_to;
    span_of(p, a, &from, &to);
    span_of(p, b, &other_from, &other_to);
    return from <= other_to && other_from <= to;
}

/* The first line on which each meets no other; returns how many find none. */
static uint32_t place(const LpFabricPlan *p, Wire *wire, uint32_t count, int lines) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int line = 0; line < lines && wire[i].line < 0; line++) {
            bool room = true;
            for (uint32_t k = 0; k < i && room; k++)
                room = wire[k].line != line || !meets(p, &wire[i], &wire[k]);
            if (room)
                wire[i].line = line;
        }
        left += wire[i].line < 0;
    }
    return left;
}

/* ---- drawing ---- */

/* The wires of the groups, down to the last line on which they end. */
static void draw_down(const LpArea *area, const LpFabricPlan *p, const Wire *wire, uint32_t count) {
    for (uint32_t g = 0; g < p->groups; g++) {
        int last = -1;
        for (uint32_t i = 0; i < count; i++)
            if ((wire[i].a == g || wire[i].b == g) && wire[i].line > last)
                last = wire[i].line;
        for (int y = 0; y < last; y++)
            lp_area_glyph(area, lp_fabric_wire(p, g), y, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
    }
}

static bool has_focus(const LpModel *model, const Wire *w) {
    for (uint32_t i = 0; i < w->shown; i++)
        if (w->job[i]->job->id == model->focus)
            return true;
    return false;
}

static void draw_wire(const LpModel *model, const LpArea *area, const LpFabricPlan *p,
                      const Wire *w) {
    int from, to;
    bool focus = has_focus(model, w);
    LpStyle ink =
        focus ? (LpStyle)(lp_model_ink(model, model->focus) | LP_BOLD) : (LpStyle)LP_ROLE_BORDER;
    span_of(p, w, &from, &to);
    lp_area_repeat(area, from, w->line, to - from + 1, ink,
                   focus ? LP_GLYPH_DOUBLE : LP_GLYPH_HORIZONTAL);
    lp_area_glyph(area, from, w->line, ink, w->back ? LP_GLYPH_LEFT : LP_GLYPH_TICK_UP);
    lp_area_glyph(area, to, w->line, ink, w->there ? LP_GLYPH_POINTER : LP_GLYPH_TICK_UP);
    int room = to - from - 1, shown = (int)w->shown < room ? (int)w->shown : room;
    int x = (from + to + 1 - shown) / 2;
    for (int i = 0; i < shown; i++) {
        bool cut = (uint32_t)shown < w->count && i + 1 == shown;
        uint32_t job = w->job[i]->job->id;
        if (cut) {
            lp_area_put(area, x + i, w->line, LP_ROLE_MUTED, '+');
            continue;
        }
        lp_letter_put(area, x + i, w->line, lp_model_fill(model, job), job, w->job[i]->letter);
        lp_area_hit(area, (LpRect){x + i, w->line, 1, 1}, LP_HIT_JOB, job);
    }
}

/* What the job in focus lights, else what the wires are. */
static void draw_words(const LpModel *model, const LpArea *area, int y, uint32_t left) {
    const LpRunning *job = lp_fabric_focus(model);
    char text[160], share[LP_SHOW_TEXT];
    double most = 0.0;
    for (uint32_t i = 0; job != NULL && i < job->txs; i++)
        most = job->tx[i].share > most ? job->tx[i].share : most;
    if (left > 0)
        snprintf(text, sizeof text, "+ %u more pair%s of groups with light", (unsigned)left,
                 lp_str_s(left));
    else if (job != NULL)
        snprintf(text, sizeof text,
                 "%c: %u transmitter%s light%s %u path%s, the busiest for %s of a step",
                 lp_letter(job->letter), (unsigned)job->txs, lp_str_s(job->txs),
                 job->txs == 1 ? "s" : "", (unsigned)job->paths, lp_str_s(job->paths),
                 lp_show_percent(most, share));
    else
        snprintf(text, sizeof text,
                 "a wire: star couplers between two groups; a letter: the job that lights them");
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_MUTED, text);
}

void lp_view_rails(const LpModel *model, const LpArea *area, const LpFabricPlan *p) {
    if (area->rect.h < 2)
        return;
    Wire *wire = lp_alloc(WIRES, sizeof *wire);
    if (wire == NULL) {
        area->canvas->incomplete = true;
        return;
    }
    uint32_t count = gather(model, p->groups, wire);
    uint32_t left = place(p, wire, count, area->rect.h - 1);
    draw_down(area, p, wire, count);
    for (uint32_t i = 0; i < count; i++)
        if (wire[i].line >= 0)
            draw_wire(model, area, p, &wire[i]);
    draw_words(model, area, area->rect.h - 1, left);
    lp_free(wire);
}
