/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of a lesson's step as a whole: its values come one by one while the screen goes on. */
#include <math.h>
#include <string.h>

#include "base/csv_out.h"
#include "model/lesson/lesson.h"
#include "views/figure/figure_view.h"
#include "views/figure/figure_view_impl.h"

enum { PIECE = 64, BUDGET_MS = 20 };

static void drop(void *facts) {
    LpFigureFacts *f = facts;
    for (int i = 0; i < LP_FIGURE_FILLS; i++)
        lp_lesson_fill_free(f->kept[i].fill);
    *f = (LpFigureFacts){0};
}

static LpLessonFill *working(LpFigureFacts *f) {
    for (int i = 0; i < LP_FIGURE_FILLS; i++)
        if (f->kept[i].fill == f->fill && f->fill != NULL)
            return f->kept[i].fill;
    return NULL;
}

static LpErr work(LpFigureFacts *f, int64_t (*clock)(void), LpDiag *diag) {
    LpLessonFill *fill = working(f);
    int64_t start = clock ? clock() : 0;
    while (fill != NULL && !lp_lesson_fill_done(fill) && !(clock && clock() - start >= BUDGET_MS))
        LP_TRY(lp_lesson_fill_work(fill, PIECE, diag));
    return LP_OK;
}

static LpErr update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    LpFigureFacts *f = lp_figure_facts(model);
    const LpLessonState *l = &model->ui->lesson;
    const LpLessonStep *step =
        l->lesson != NULL && l->on && !l->tour ? &l->lesson->step[l->step] : NULL;
    const char *file = model->ui->lesson.file;
    if (f->lesson != model->ui->lesson.lesson)
        drop(f);
    f->lesson = model->ui->lesson.lesson;
    f->fill = NULL;
    if (step == NULL || step->figure == NULL || file == NULL)
        return LP_OK;
    for (int i = 0; i < LP_FIGURE_FILLS; i++)
        if (f->kept[i].figure == step->figure)
            f->fill = f->kept[i].fill;
    if (f->fill == NULL) {
        LpLessonKnown *known = model->ui->lesson.known;
        LpFigureKept *kept = &f->kept[f->next];
        LpLessonFill *fill;
        LP_TRY(lp_lesson_fill_new(file, step->figure, known, &fill, diag));
        lp_lesson_fill_free(kept->fill);
        *kept = (LpFigureKept){step->figure, fill};
        f->fill = fill;
        f->next = (f->next + 1) % LP_FIGURE_FILLS;
    }
    LpFigureState *state = lp_figure_state(model);
    if (state->of != step->figure)
        *state = (LpFigureState){-1, step->figure};
    return model->ui->at_once ? work(f, NULL, diag) : LP_OK;
}

static void tick(LpHost *host, bool shown, int64_t now LP_UNUSED) {
    LpFigureFacts *f = lp_figure_facts(host->model);
    LpDiag diag = {0};
    if (!shown || f->fill == NULL || lp_lesson_fill_done(f->fill))
        return;
    (void)host->app->check(host, work(f, host->clock, &diag), &diag);
    host->app->redraw(host);
}

static int64_t deadline(const LpHost *host, bool shown) {
    const LpFigureFacts *f = lp_figure_facts(host->model);
    return shown && f->fill != NULL && !lp_lesson_fill_done(f->fill) ? 0 : -1;
}

/* The cursor goes from value to value of a plot. */
static void along(LpHost *host, int columns) {
    const LpFigureFacts *f = lp_figure_facts(host->model);
    LpFigureState *state = lp_figure_state(host->model);
    if (f->fill == NULL || lp_lesson_fill_figure(f->fill)->kind != LP_LESSON_PLOT)
        return;
    int last = (int)lp_lesson_figure_values(lp_lesson_fill_figure(f->fill)) - 1;
    int to = state->cursor < 0 ? (columns > 0 ? 0 : last) : state->cursor + columns;
    state->cursor = to < 0 ? 0 : to > last ? last : to;
    host->app->redraw(host);
}

/* ---- as a table ---- */

static void csv_value(const LpModel *model, LpCsvOut *csv, uint32_t index) {
    const LpLessonFill *fill = lp_figure_facts(model)->fill;
    const LpLessonValue *value = lp_lesson_figure_value(lp_lesson_fill_figure(fill), index);
    const LpLessonFilled *found = lp_lesson_fill_at(fill, index);
    if (value->hidden && !lp_figure_told(model))
        lp_csv_put_text(csv, NULL);
    else if (found->state == LP_FILL_KNOWN && isfinite(found->number))
        lp_csv_put_number(csv, found->number);
    else
        lp_csv_put_text(csv, found->state == LP_FILL_KNOWN ? found->text : NULL);
}

/* Numbers in SI units, as the program computed them. */
static LpErr csv(const LpModel *model, LpBuf *out, LpDiag *diag) {
    const LpLessonFill *fill = lp_figure_facts(model)->fill;
    LpCsvOut table = {.out = out};
    uint32_t index = 0;
    if (fill == NULL)
        return lp_fail(diag, LP_ESTATE, "this step has no figure");
    const LpLessonFigure *f = lp_lesson_fill_figure(fill);
    if (f->kind == LP_LESSON_PLOT) {
        lp_csv_put_words(&table, "series,x,y");
        lp_csv_end(&table);
    }
    for (uint32_t c = 0; c < f->columns; c++)
        lp_csv_put_text(&table, f->column[c]);
    if (f->columns > 0)
        lp_csv_end(&table);
    for (uint32_t s = 0; s < f->series; s++)
        for (uint32_t p = 0; p < f->one[s].points; p++) {
            lp_csv_put_text(&table, f->one[s].name);
            lp_csv_put_number(&table, f->one[s].point[p].x);
            csv_value(model, &table, index++);
            lp_csv_end(&table);
        }
    for (uint32_t r = 0; r < f->rows; r++) {
        for (uint32_t c = 0; c < f->row[r].cells; c++)
            csv_value(model, &table, index++);
        lp_csv_end(&table);
    }
    return lp_buf_ok(out, diag);
}

static void begin(void *state) {
    ((LpFigureState *)state)->cursor = -1;
}

static const LpViewKey keys[] = {
    {"Left Right", "from point to point, whose value is told"},
    {NULL, NULL},
};

const LpView lp_figure_view = {
    .state = sizeof(LpFigureState),
    .facts = sizeof(LpFigureFacts),
    .begin = begin,
    .drop = drop,
    .update = update,
    .draw = lp_view_figure,
    .along = along,
    .deadline = deadline,
    .tick = tick,
    .csv = csv,
    .keys = keys,
};
