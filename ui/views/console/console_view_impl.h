/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the console. */
#ifndef LP_UI_VIEWS_CONSOLE_IMPL_H
#define LP_UI_VIEWS_CONSOLE_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "widgets/widgets_keys.h"

/* How a line of the console begins. */
enum { LP_CONSOLE_ASKED = '>', LP_CONSOLE_ANSWER = ' ', LP_CONSOLE_ERROR = '!' };

typedef struct LpConsoleState {
    LpBuf said; /* a marked line each */
} LpConsoleState;

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpConsoleState *lp_console_state(const LpModel *model) {
    return model->state[LP_PANE_CONSOLE];
}

void lp_view_console(const LpModel *model, const LpArea *area);
/* Lines of what was said. */
int lp_view_console_lines(const char *text);

#endif
