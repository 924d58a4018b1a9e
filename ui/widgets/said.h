/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sentence in several wordings, so that one fits every width. */
#ifndef LP_UI_WIDGETS_SAID_H
#define LP_UI_WIDGETS_SAID_H

#include "base/str.h"

/* Wordings, the longest first. */
typedef enum LpForm { LP_FORM_LONG, LP_FORM_MIDDLE, LP_FORM_SHORT, LP_FORMS } LpForm;

/* Zero-initialise. A wording that is empty is left out. */
typedef struct LpSaid {
    LpBuf form[LP_FORMS];
} LpSaid;

void lp_said_clear(LpSaid *said);
void lp_said_fini(LpSaid *said);
/* Adds to a wording. */
void lp_said_add(LpSaid *said, LpForm form, const char *fmt, ...) LP_PRINTF(3, 4);
/* The longest wording of at most `width` columns; else the shortest cut after a sentence, else
 * after a clause, else after a word. The result is added to out. */
void lp_said_fit(const LpSaid *said, int width, LpBuf *out);

#endif
