/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small drawings that several views share. */
#include "moment/picture/picture_draw.h"

#include <math.h>
#include <stdio.h>

void lp_draw_share(const LpArea *area, int x, int bar, int end, int y, LpStyle style, double share,
                   bool brief) {
    char text[LP_SHOW_TEXT];
    int full = (int)(share * bar + 0.5);
    snprintf(text, sizeof text, brief ? "%.0f %%" : "%.1f %%", 100 * share);
    lp_area_right(area, end, y, style, text);
    lp_area_repeat(area, x, y, full, style, LP_GLYPH_FULL);
}

void lp_draw_network(const LpModel *model, const LpArea *area, int x, int bar, int end, int y,
                     uint32_t degree) {
    const LpNetworkModel *n = &model->network;
    if (!n->known || n->seen.actions == 0)
        return;
    bool best = n->seen.action[n->seen.best].degree == degree;
    if (lp_network_open(&n->seen, degree))
        lp_draw_share(area, x, bar, end, y, best ? LP_ROLE_PENDING : LP_ROLE_TEXT,
                      lp_network_share(&n->seen, degree), false);
    else
        lp_area_right(area, end, y, LP_ROLE_MUTED, "closed");
}
