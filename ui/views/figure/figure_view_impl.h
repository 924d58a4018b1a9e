/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of a figure. */
#ifndef LP_UI_VIEWS_FIGURE_IMPL_H
#define LP_UI_VIEWS_FIGURE_IMPL_H

#include "many/study/lesson_fill.h"
#include "moment/picture/model.h"
#include "moment/view.h"

enum { LP_FIGURE_FILLS = 8 /* figures of a lesson that are kept once they are worked out */ };

/* One figure that was looked at. */
typedef struct LpFigureKept {
    const LpLessonFigure *figure; /* NULL: nothing is kept here */
    LpLessonFill *fill;
} LpFigureKept;

typedef struct LpFigureFacts {
    const LpLesson *lesson; /* of which figures are kept */
    LpFigureKept kept[LP_FIGURE_FILLS];
    uint32_t next;            /* which is given up next */
    const LpLessonFill *fill; /* of the step that is shown, NULL: none */
} LpFigureFacts;

typedef struct LpFigureState {
    int cursor; /* the value that is marked, -1: none */
    const LpLessonFigure *of;
} LpFigureState;

static inline LpFigureFacts *lp_figure_facts(const LpModel *model) {
    return model->facts[LP_PANE_FIGURE];
}

static inline LpFigureState *lp_figure_state(const LpModel *model) {
    return model->state[LP_PANE_FIGURE];
}

/* Is the question of the step answered, or is there none? */
bool lp_figure_told(const LpModel *model);
void lp_view_figure(const LpModel *model, const LpArea *area);

#endif
