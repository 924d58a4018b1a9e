/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that names keys. */
#ifndef LP_UI_WIDGETS_KEYS_H
#define LP_UI_WIDGETS_KEYS_H

#include "term/canvas.h"
#include "term/keymap.h"

/* A line of keys, named by their defaults in braces (lp_keymap_text), in at most `width` columns.
 */
void lp_area_keys(const LpArea *area, int x, int y, int width, LpStyle style, const LpKeymap *map,
                  const char *text);

#endif
