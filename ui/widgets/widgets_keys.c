/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that names keys. */
#include "widgets/widgets_keys.h"

void lp_area_keys(const LpArea *area, int x, int y, int width, LpStyle style, const LpKeymap *map,
                  const char *text) {
    char shown[400];
    lp_area_fit(area, x, y, width, style, lp_keymap_text(map, text, shown, sizeof shown));
}
