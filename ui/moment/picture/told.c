/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the present step of a lesson wants of the screen. */
#include <string.h>

#include "model/lesson/lesson.h"
#include "moment/picture/model.h"

const LpLessonQuestion *lp_model_asked(const LpUiState *ui) {
    const LpLessonState *l = &ui->lesson;
    return l->on && !l->told[l->step] ? l->lesson->step[l->step].question : NULL;
}

bool lp_model_tells(const LpUiState *ui) {
    const LpLessonState *l = &ui->lesson;
    bool covered =
        ui->page || ui->words.open || ui->search.text[0] || ui->playing || ui->hand.board;
    return l->on && !l->moved && !covered && ui->only == l->only && ui->row < 0 && ui->pick < 0;
}

static LpPane pane_called(const char *name) {
    int pane = 0;
    while (pane < LP_PANE_COUNT && strcmp(lp_pane_name((LpPane)pane), name) != 0)
        pane++;
    return (LpPane)pane;
}

int lp_model_panes(const LpUiState *ui, LpPane pane[LP_LESSON_PANES]) {
    const LpLessonState *l = &ui->lesson;
    const LpLessonStep *step = l->on && l->points ? &l->lesson->step[l->step] : NULL;
    bool alone = ui->only != LP_PANE_COUNT;
    int count = 0;
    for (uint32_t i = 0; step && i < step->panes; i++) {
        LpPane next = pane_called(step->pane[i]);
        if (next != LP_PANE_COUNT)
            pane[count++] = next;
        alone = alone && next != ui->only;
    }
    return alone ? 0 : count;
}
