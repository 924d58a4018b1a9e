/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out the values of a figure: each run once for all values that are read off it. */
#include "many/study/lesson_fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "many/study/lesson_impl.h"
#include "many/study/study_lesson.h"
#include "model/lesson/lesson.h"
#include "sim/world.h"

struct LpLessonFill {
    const LpLessonFigure *figure;
    char *scenario;
    LpLessonRun run;
    uint32_t count, done;
    LpLessonFilled *value;
    uint32_t at;   /* the value in work; `count`: none */
    uint32_t runs; /* runs that are done */
    double sum;
    double *formula; /* figure->series of LP_LESSON_SAMPLES */
    bool *drawn;     /* of which formulas are worked out */
};

LpErr lp_lesson_fill_new(const char *scenario, const LpLessonFigure *figure, LpLessonKnown *known,
                         LpLessonFill **out, LpDiag *diag) {
    LpLessonFill *fill = calloc(1, sizeof *fill);
    if (fill == NULL)
        return lp_fail_memory(diag, "a figure");
    size_t len = strlen(scenario) + 1;
    fill->figure = figure;
    fill->count = fill->at = lp_lesson_figure_values(figure);
    fill->scenario = malloc(len);
    fill->value = calloc(fill->count + 1, sizeof *fill->value);
    fill->formula = calloc((size_t)(figure->series + 1) * LP_LESSON_SAMPLES, sizeof(double));
    fill->drawn = calloc(figure->series + 1, sizeof *fill->drawn);
    if (fill->scenario == NULL || fill->value == NULL || fill->formula == NULL ||
        fill->drawn == NULL) {
        lp_lesson_fill_free(fill);
        return lp_fail_memory(diag, "a figure");
    }
    memcpy(fill->scenario, scenario, len);
    fill->run.scenario = fill->scenario;
    fill->run.known = known;
    *out = fill;
    return LP_OK;
}

void lp_lesson_fill_free(LpLessonFill *fill) {
    if (fill == NULL)
        return;
    lp_lesson_run_fini(&fill->run);
    for (uint32_t i = 0; fill->value != NULL && i < fill->count; i++)
        free(fill->value[i].text);
    free(fill->value);
    free(fill->formula);
    free(fill->drawn);
    free(fill->scenario);
    free(fill);
}

/* ---- one value ---- */

static LpErr settle(LpLessonFill *fill, LpLessonFillState state, double number, const char *text,
                    LpDiag *diag) {
    LpLessonFilled *value = &fill->value[fill->at];
    size_t len = strlen(text) + 1;
    value->text = malloc(len);
    if (value->text == NULL)
        return lp_fail_memory(diag, "a figure");
    memcpy(value->text, text, len);
    value->number = number;
    value->state = state;
    fill->done++;
    fill->at = fill->count;
    fill->runs = 0;
    fill->sum = 0;
    return LP_OK;
}

/* The settings of the present run of the value. */
static LpLessonSetup setup_of(const LpLessonFill *fill, const LpLessonValue *value) {
    LpLessonSetup own = value->run;
    if (value->runs <= 1)
        return own;
    own.seed = (own.has_seed ? own.seed : 1) + fill->runs;
    own.has_seed = true;
    return own;
}

/* What was found in one run; then the next one, or the mean of all. */
static LpErr take(LpLessonFill *fill, const LpLessonValue *value, const char *text, LpDiag *diag) {
    double number = (double)NAN;
    char mean[LP_NUM_TEXT];
    if (lp_num_parse(text, &number, NULL) != LP_OK)
        number = (double)NAN;
    fill->sum += number;
    if (++fill->runs < value->runs)
        return LP_OK;
    number = fill->sum / value->runs;
    if (value->runs > 1 && isfinite(number))
        text = lp_num_print(number, mean);
    return settle(fill, LP_FILL_KNOWN, number, text, diag);
}

/* Some steps towards where the value can be read; *there: it can. */
static LpErr advance(LpLessonFill *fill, const LpLessonValue *value, uint32_t steps, bool *there,
                     LpDiag *diag) {
    LpSession *session = fill->run.session;
    LpEvent event;
    bool end =
        value->source == LP_LESSON_RESULT || (value->at != NULL && strcmp(value->at, "end") == 0);
    *there = true;
    if (!end) {
        if (!fill->run.moved)
            LP_TRY(lp_lesson_go_to(session, value->at, diag));
        fill->run.moved = true;
        fill->run.at = value->at;
        return LP_OK;
    }
    for (uint32_t i = 0; i < steps && !lp_world_over(lp_session_world(session)); i++)
        LP_TRY(lp_session_step(session, &event, diag));
    *there = fill->run.done = lp_world_over(lp_session_world(session));
    return LP_OK;
}

static LpErr read_value(LpLessonFill *fill, const LpLessonValue *value, LpBuf *text, LpDiag *diag) {
    if (value->source == LP_LESSON_RESULT)
        return lp_lesson_result(fill->run.session, &fill->run.result, value->text, text, diag);
    return lp_lesson_lua(fill->run.session, value->text, text, diag);
}

static LpErr read_and_keep(LpLessonFill *fill, const LpLessonValue *value, const LpLessonAsk *ask,
                           LpBuf *text, LpDiag *diag) {
    LP_TRY(read_value(fill, value, text, diag));
    return fill->run.known != NULL ? lp_lesson_keep(fill->run.known, ask, lp_buf_text(text), diag)
                                   : LP_OK;
}

static LpErr work_on(LpLessonFill *fill, const LpLessonValue *value, uint32_t steps, bool *there,
                     LpBuf *text, LpDiag *diag) {
    LpLessonSetup own = setup_of(fill, value);
    LpLessonAsk ask = {NULL, &own, value->source, value->text, value->at};
    const char *known = fill->run.known != NULL ? lp_lesson_known(fill->run.known, &ask) : NULL;
    *there = known != NULL;
    if (known != NULL) {
        lp_buf_add(text, known);
        return lp_buf_ok(text, diag);
    }
    bool fresh = !lp_lesson_run_same(&fill->run, NULL, &own);
    if (!fresh && value->source == LP_LESSON_LUA && !lp_lesson_run_reaches(&fill->run, value->at)) {
        lp_lesson_run_fini(&fill->run); /* it goes only forward */
        fresh = true;
    }
    LP_TRY(lp_lesson_run_open(&fill->run, NULL, &own, diag));
    if (fresh)
        return LP_OK; /* opening is enough for once */
    LP_TRY(advance(fill, value, steps, there, diag));
    return *there ? read_and_keep(fill, value, &ask, text, diag) : LP_OK;
}

/* One that can be read off the run that is open, else the first. */
static uint32_t next_of(const LpLessonFill *fill) {
    uint32_t first = fill->count;
    for (uint32_t i = fill->count; i-- > 0;) {
        const LpLessonValue *value = lp_lesson_figure_value(fill->figure, i);
        if (fill->value[i].state != LP_FILL_WAITS)
            continue;
        first = i;
        if (value->runs == 1 && value->source == LP_LESSON_RESULT && fill->run.done &&
            lp_lesson_run_same(&fill->run, NULL, &value->run))
            return i;
    }
    return first;
}

/* ---- formulas ---- */

void lp_lesson_fill_ends(const LpLessonFill *fill, double *from, double *to) {
    const LpLessonAxis *x = &fill->figure->x;
    *from = (double)INFINITY;
    *to = -(double)INFINITY;
    for (uint32_t s = 0; s < fill->figure->series; s++)
        for (uint32_t p = 0; p < fill->figure->one[s].points; p++) {
            *from = fmin(*from, fill->figure->one[s].point[p].x);
            *to = fmax(*to, fill->figure->one[s].point[p].x);
        }
    *from = isfinite(x->min)   ? x->min
            : isfinite(*from)  ? *from
            : isfinite(x->max) ? x->max / 10
                               : 1;
    *to = isfinite(x->max) ? x->max : isfinite(*to) ? *to : *from * 10;
    if (!(*to > *from))
        *to = x->log ? *from * 10 : *from + 1;
}

/* All heights by one question, to any session: a formula knows nothing of runs. */
static LpErr sample(LpLessonFill *fill, uint32_t series, LpBuf *text, LpDiag *diag) {
    double from, to;
    LpBuf ask = {0};
    lp_lesson_fill_ends(fill, &from, &to);
    lp_buf_addf(&ask,
                "local f = function(x) return %s end "
                "local t = {} for i = 0, %d do local s = i / %d "
                "local y = f(%s) t[#t + 1] = string.format('%%.12g', y) end "
                "return table.concat(t, ' ')",
                fill->figure->one[series].formula, LP_LESSON_SAMPLES - 1, LP_LESSON_SAMPLES - 1,
                fill->figure->x.log ? "FROM * (TO / FROM) ^ s" : "FROM + (TO - FROM) * s");
    LpBuf whole = {0};
    lp_buf_addf(&whole, "local FROM, TO = %.17g, %.17g %s", from, to, lp_buf_text(&ask));
    LpErr err = lp_buf_ok(&ask, diag);
    if (err == LP_OK)
        err = lp_buf_ok(&whole, diag);
    if (err == LP_OK && fill->run.session == NULL)
        err = lp_lesson_run_open(&fill->run, NULL, NULL, diag);
    if (err == LP_OK)
        err = lp_lesson_lua(fill->run.session, whole.text, text, diag);
    lp_buf_fini(&ask);
    lp_buf_fini(&whole);
    return err;
}

static void draw_formula(LpLessonFill *fill, uint32_t series) {
    double *y = &fill->formula[(size_t)series * LP_LESSON_SAMPLES];
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = sample(fill, series, &text, &diag);
    const char *at = lp_buf_text(&text);
    for (int i = 0; i < LP_LESSON_SAMPLES; i++) {
        char word[40];
        size_t len = strcspn(at, " ");
        lp_str_copy(word, len + 1 < sizeof word ? len + 1 : sizeof word, at);
        if (err != LP_OK || lp_num_parse(word, &y[i], NULL) != LP_OK)
            y[i] = (double)NAN;
        at += len + (at[len] == ' ' ? 1 : 0);
    }
    lp_buf_fini(&text);
    fill->drawn[series] = true;
}

static bool draw_next(LpLessonFill *fill) {
    for (uint32_t s = 0; s < fill->figure->series; s++)
        if (fill->figure->one[s].formula != NULL && !fill->drawn[s]) {
            draw_formula(fill, s);
            return true;
        }
    return false;
}

const double *lp_lesson_fill_formula(const LpLessonFill *fill, uint32_t series) {
    return fill->drawn[series] ? &fill->formula[(size_t)series * LP_LESSON_SAMPLES] : NULL;
}

/* ---- all of them ---- */

bool lp_lesson_fill_done(const LpLessonFill *fill) {
    for (uint32_t s = 0; s < fill->figure->series; s++)
        if (fill->figure->one[s].formula != NULL && !fill->drawn[s])
            return false;
    return fill->done == fill->count;
}

const LpLessonFigure *lp_lesson_fill_figure(const LpLessonFill *fill) {
    return fill->figure;
}

const LpLessonFilled *lp_lesson_fill_at(const LpLessonFill *fill, uint32_t index) {
    return &fill->value[index];
}

LpErr lp_lesson_fill_work(LpLessonFill *fill, uint32_t steps, LpDiag *diag) {
    LpBuf text = {0};
    LpDiag cause = {0};
    bool there = false;
    if (draw_next(fill) || fill->done == fill->count)
        return LP_OK;
    if (fill->at == fill->count)
        fill->at = next_of(fill);
    const LpLessonValue *value = lp_lesson_figure_value(fill->figure, fill->at);
    if (value->source == LP_LESSON_GIVEN)
        return settle(fill, LP_FILL_KNOWN, (double)NAN, value->text, diag);
    LpErr err = work_on(fill, value, steps, &there, &text, &cause);
    if (err != LP_OK)
        err = settle(fill, LP_FILL_FAILED, (double)NAN, cause.text, diag);
    else if (there)
        err = take(fill, value, lp_buf_text(&text), diag);
    lp_buf_fini(&text);
    if (fill->done == fill->count)
        lp_lesson_run_fini(&fill->run);
    return err;
}
