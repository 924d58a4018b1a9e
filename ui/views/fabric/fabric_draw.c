/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups as boxes: in each its racks as lines, in these the servers in the colour of their job. */
#include <stdio.h>

#include "views/fabric/fabric_view_impl.h"

enum { FRAME = 2, LABEL = 4 };

/* ---- servers ---- */

/* A letter in as many filled columns as the server has, but one. */
static void put_letter(const LpArea *area, const LpFabricPlan *p, int x, int y, LpStyle style,
                       uint32_t job, int letter, const char *brackets) {
    int wide = p->server >= 4 ? 3 : 1;
    for (int i = 0; i < wide; i++)
        lp_area_put(area, x + i, y, style,
                    brackets != NULL && i != 1 ? (uint32_t)brackets[i > 0] : ' ');
    lp_letter_put(area, x + wide / 2, y, style, job, letter);
}

static void draw_server(const LpModel *model, const LpArea *area, const LpFabricPlan *p, int x,
                        int y, uint32_t server) {
    uint32_t job = lp_world_server(model->world, server)->job;
    bool taken = lp_model_mark(model, server) == LP_SERVER_NEWEST;
    int wide = p->server >= 4 ? 3 : 1;
    if (lp_model_is_pending(model, server) || (taken && job == LP_NO_INDEX))
        put_letter(area, p, x, y, LP_ROLE_STAGE | LP_FILL, model->decision.job,
                   lp_model_deciding(model),
                   wide < 3 ? NULL
                   : taken  ? "[]"
                            : "()");
    else if (job == LP_NO_INDEX)
        lp_area_glyph(area, x + wide / 2, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    else
        put_letter(area, p, x, y, lp_model_fill(model, job), job,
                   lp_letters_of(&model->letters, job),
                   job == model->focus && wide == 3 ? "[]" : NULL);
    lp_area_hit(area, (LpRect){x, y, wide, 1}, LP_HIT_SERVER, server);
}

/* ---- groups ---- */

static void draw_group(const LpModel *model, const LpArea *area, const LpFabricPlan *p,
                       uint32_t group) {
    char name[24];
    int x = (int)group * p->pitch;
    snprintf(name, sizeof name, p->width >= 12 ? "group %u" : "g%u", (unsigned)group);
    LpArea box = lp_area_part(area, (LpRect){x, 0, p->width, (int)p->racks + FRAME});
    LpArea inside = lp_area_box(&box, name);
    for (uint32_t r = 0; r < p->racks; r++) {
        lp_area_textf(&inside, 0, (int)r, LP_ROLE_MUTED, "r%u", (unsigned)r);
        for (uint32_t i = 0; i < p->per_rack; i++)
            draw_server(model, &inside, p, LABEL + (int)i * p->server, (int)r,
                        (group * p->racks + r) * p->per_rack + i);
    }
    lp_area_glyph(area, lp_fabric_wire(p, group), (int)p->racks + 1, LP_ROLE_BORDER,
                  LP_GLYPH_TICK_DOWN);
}

static void print_title(const LpModel *model, int width, char *out, size_t size) {
    const LpBoardPlan *plan = &model->board;
    if (width >= 70 && lp_fabric_focus(model) != NULL)
        snprintf(out, size, "FABRIC %s: %u group%s x %u rack%s x %u server%s; double: light of %c",
                 plan->name, (unsigned)plan->groups, lp_str_s(plan->groups), (unsigned)plan->racks,
                 lp_str_s(plan->racks), (unsigned)plan->per_rack, lp_str_s(plan->per_rack),
                 lp_letter(lp_letters_ever(&model->letters, model->focus)));
    else
        snprintf(out, size, "FABRIC %s: %u group%s x %u rack%s x %u", plan->name,
                 (unsigned)plan->groups, lp_str_s(plan->groups), (unsigned)plan->racks,
                 lp_str_s(plan->racks), (unsigned)plan->per_rack);
}

static void draw(const LpModel *model, const LpArea *area) {
    LpFabricPlan p;
    char title[128];
    int width = area->rect.w - 2, height = area->rect.h - 1;
    if (!lp_fabric_plan(&model->board, width, height, &p)) {
        /* Other fabrics are pictures where their circuits are. */
        lp_view_part(model, LP_PANE_CIRCUITS, area);
        return;
    }
    print_title(model, area->rect.w, title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, width, box.rect.h});
    for (uint32_t g = 0; g < p.groups; g++)
        draw_group(model, &inside, &p, g);
    int top = (int)p.racks + FRAME;
    LpArea below = lp_area_part(&inside, (LpRect){0, top, width, inside.rect.h - top});
    lp_view_rails(model, &below, &p);
}

/* Lines that it can make use of on the main screen; 0: it is no picture of groups. */
static int rows(const LpBoardPlan *plan) {
    enum { RAILS = 6, MOST = 18 };
    int lines = 1 + FRAME + (int)plan->racks + RAILS;
    return plan->groups < 2 || plan->joins != LP_BOARD_LIGHT || lines > MOST ? 0 : lines;
}

/* Columns that it needs. */
static int columns(const LpBoardPlan *plan) {
    LpFabricPlan p;
    for (int width = 24; width <= 100; width += 4)
        if (lp_fabric_plan(plan, width, LP_CANVAS_ROWS, &p) && p.server >= 3)
            return width;
    return 0;
}

const LpView lp_fabric_view = {.draw = draw, .part = draw, .width = columns, .rows = rows};
