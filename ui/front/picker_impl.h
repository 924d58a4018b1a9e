/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the list, its drawing, and the terminal. */
#ifndef LP_UI_FRONT_PICKER_IMPL_H
#define LP_UI_FRONT_PICKER_IMPL_H

#include "front/picker.h"

/* The entry of a row that the search leaves; NULL below the last. */
const LpPickEntry *lp_picker_shown(const LpPicker *picker, int row);

#endif
