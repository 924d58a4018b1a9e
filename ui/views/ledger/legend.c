/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend below the boards: each mark as it looks there, and what it means, as many as have
 * room. */
#include <stdio.h>

#include "sim/cube.h"
#include "views/ledger/ledger_view_impl.h"

typedef struct Entry {
    const char *mark, *text;
    LpStyle style;
    bool boards; /* only where circuits are counted transmitter by transmitter */
    bool absent; /* no cube is so now */
} Entry;

/* A job that runs stands for all of them: its letter. */
static int any_letter(const LpModel *model) {
    return model->running_count > 0 ? model->running[0].letter : 0;
}

static bool counts_transmitters(const LpModel *model) {
    return model->board.joins == LP_BOARD_LIGHT;
}

/* What cubes are now besides taken or free, as bits of LpCubeState: only that is explained. */
static unsigned states_now(const LpModel *model) {
    unsigned states = 0;
    bool cubes = model->board.joins == LP_BOARD_SLICES;
    for (uint32_t c = 0; cubes && c < model->board.racks; c++)
        states |= 1u << lp_world_cube(model->world, model->context, c).state;
    return states;
}

void lp_view_legend(const LpModel *model, const LpArea *area) {
    enum { GAP = 2 };
    int letter = any_letter(model), deciding = lp_model_deciding(model), x = 1;
    char job[2] = {lp_letter(letter >= 0 ? letter : 0), '\0'}, taken[4], tried[4];
    char now = lp_letter(deciding >= 0 ? deciding : 11);
    snprintf(taken, sizeof taken, "[%c]", now);
    snprintf(tried, sizeof tried, "(%c)", now);
    bool wide = area->rect.w >= 96;
    bool slices = model->board.joins == LP_BOARD_SLICES;
    unsigned states = states_now(model);
    LpStyle hue =
        lp_letter_hue(letter >= 0 && model->running_count > 0 ? model->running[0].job->id : 0);
    LpStyle fill = (LpStyle)(hue | LP_FILL);
#define NO_CUBE(state) ((states >> LP_CUBE_##state & 1u) == 0)
    const Entry entries[] = {
        {job, "a job", fill, false, false},
        {taken, "taken now", LP_ROLE_STAGE | LP_FILL, false, false},
        {tried, wide ? "would be taken" : "tried", LP_ROLE_STAGE | LP_FILL, false, false},
        {".", wide && !slices ? "free, dark" : "free", LP_ROLE_FREE, false, false},
        {"2", "hosts down", LP_ROLE_BAD, false, NO_CUBE(BROKEN)},
        {"s", "kept as spares", LP_ROLE_FREE, false, NO_CUBE(KEPT)},
        {job, "slow", (LpStyle)(hue | LP_BOLD), false, NO_CUBE(SLOW)},
        {job, "held up", (LpStyle)(LP_ROLE_BAD | LP_REVERSE), false, NO_CUBE(HELD)},
        {job, "settles, restarts", (LpStyle)(fill | LP_DIM), false,
         NO_CUBE(SETTLING) && NO_CUBE(RESTORING)},
        {lp_glyph_text(LP_GLYPH_DASH, area->canvas->ascii), "no light", LP_ROLE_WAIT, false,
         NO_CUBE(DARK)},
        {"",
         wide ? "one letter: one transmitter, a bar: share of a step lit"
              : "one letter = one transmitter lit",
         LP_ROLE_TEXT, true, false},
        {lp_glyph_text(LP_GLYPH_BROKEN, area->canvas->ascii), "broken", LP_ROLE_BAD, false, false},
    };
#undef NO_CUBE
    for (size_t i = 0; i < LP_COUNTOF(entries); i++) {
        const Entry *e = &entries[i];
        int mark = lp_text_width(e->mark);
        if (e->absent || (e->boards && !counts_transmitters(model)) ||
            x + mark + 1 + lp_text_width(e->text) > area->rect.w)
            continue;
        x = lp_area_text(area, x, 0, e->style, e->mark);
        x = lp_area_text(area, x + (mark > 0), 0, LP_ROLE_MUTED, e->text) + GAP;
    }
}
