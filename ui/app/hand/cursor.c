/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every cell says what it shows, so a cursor goes where something is drawn, whatever the board. */
#include <stdlib.h>

#include "app/hand/hand.h"
#include "screen/screen.h"

/* The cells of one thing, by their first one. */
typedef struct Spot {
    bool known;
    int x, y;
} Spot;

LpRect lp_hand_pane(const LpApp *app, LpPane pane) {
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    LpRect rect = layout.pane[pane];
    /* where a view has the screen for itself its parts lie in it */
    return rect.w > 0 ? rect : layout.pane[app->ui.only < LP_PANE_COUNT ? app->ui.only : pane];
}

static Spot find(const LpApp *app, LpRect in, LpHit hit, uint32_t what) {
    for (int y = in.y; y < in.y + in.h; y++)
        for (int x = in.x; x < in.x + in.w; x++) {
            const LpCell *cell = lp_canvas_at(&app->canvas, x, y);
            if (cell && cell->hit == hit && cell->what == what)
                return (Spot){true, x, y};
        }
    return (Spot){false, 0, 0};
}

uint32_t lp_hand_first(const LpApp *app, LpPane pane, LpHit hit) {
    LpRect in = lp_hand_pane(app, pane);
    for (int y = in.y; y < in.y + in.h; y++)
        for (int x = in.x; x < in.x + in.w; x++) {
            const LpCell *cell = lp_canvas_at(&app->canvas, x, y);
            if (cell && cell->hit == hit)
                return cell->what;
        }
    return LP_NO_INDEX;
}

uint32_t lp_hand_step(const LpApp *app, LpPane pane, LpHit hit) {
    LpRect in = lp_hand_pane(app, pane);
    uint32_t least = LP_NO_INDEX, before = LP_NO_INDEX;
    for (int y = in.y; y < in.y + in.h; y++)
        for (int x = in.x; x < in.x + in.w; x++) {
            const LpCell *cell = lp_canvas_at(&app->canvas, x, y);
            if (!cell || cell->hit != hit || cell->what == before)
                continue;
            if (before != LP_NO_INDEX && cell->what > before && cell->what - before < least)
                least = cell->what - before;
            before = cell->what;
        }
    return least == LP_NO_INDEX ? 1 : least;
}

/* Along first, and as little aside as can be: a row is twice as far as a column. */
uint32_t lp_hand_next(const LpApp *app, LpPane pane, LpHit hit, uint32_t what, int dx, int dy) {
    LpRect in = lp_hand_pane(app, pane);
    Spot from = find(app, in, hit, what);
    uint32_t best = what;
    int least = 1 << 30;
    if (!from.known)
        return lp_hand_first(app, pane, hit);
    for (int y = in.y; y < in.y + in.h; y++)
        for (int x = in.x; x < in.x + in.w; x++) {
            const LpCell *cell = lp_canvas_at(&app->canvas, x, y);
            const LpCell *left = x > in.x ? lp_canvas_at(&app->canvas, x - 1, y) : NULL;
            int along = dx != 0 ? (x - from.x) * dx : (y - from.y) * dy * 2;
            int aside = dx != 0 ? abs(y - from.y) * 2 : abs(x - from.x);
            bool begins = !left || left->hit != hit || (cell && left->what != cell->what);
            if (!cell || cell->hit != hit || cell->what == what || !begins || along <= 0 ||
                (dx != 0 && aside > 0))
                continue;
            int cost = along + 3 * aside;
            if (cost < least) {
                least = cost;
                best = cell->what;
            }
        }
    return best;
}
