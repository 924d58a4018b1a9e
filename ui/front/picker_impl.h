/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the list, its drawing, and the terminal. */
#ifndef LP_UI_FRONT_PICKER_IMPL_H
#define LP_UI_FRONT_PICKER_IMPL_H

#include "front/picker.h"

/* The entry of a row that the search leaves; NULL below the last. */
const LpPickEntry *lp_picker_shown(const LpPicker *picker, int row);

/* Reads the words that stand on the canvas and draws what they mean into the area, from the
 * picker's line on (picker_words.c). */
void lp_picker_draw_words(const LpPicker *picker, const LpCanvas *canvas, const LpArea *area);

#endif
