/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of the explorer as an asciicast (version 2), to be played back in a terminal or a page. */
#ifndef LP_UI_TERM_CAST_H
#define LP_UI_TERM_CAST_H

#include <stdint.h>

#include "term/canvas.h"

typedef struct LpCast LpCast;

/* Begins the file, which appears when it is closed; of what is there only a cast gives way. It
 * states no date, so that the same script gives the same bytes. Errors: LP_EIO, LP_ENOMEM. */
LpErr lp_cast_open(const char *path, int cols, int rows, LpCast **out, LpDiag *diag) LP_MUST_USE;
/* What changed since the last frame, at `ms` ms since the start (never less than before). Cells
 * hold nothing but printable code points, so no text of the screen acts in a terminal: the escape
 * sequences are the cast's own. Errors: LP_EIO, LP_ENOMEM. */
LpErr lp_cast_frame(LpCast *cast, const LpCanvas *canvas, const LpTheme *theme, int64_t ms,
                    LpDiag *diag) LP_MUST_USE;
/* Ends the file, unless a frame could not be written: then what was there before stays. Frees the
 * cast in any case. NULL allowed. Errors: LP_EIO. */
LpErr lp_cast_close(LpCast *cast, LpDiag *diag) LP_MUST_USE;
/* Frees it; what was there before stays. NULL allowed. */
void lp_cast_drop(LpCast *cast);

#endif
