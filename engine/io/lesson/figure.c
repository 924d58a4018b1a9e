/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "figure" of a step: a plot or a table whose values the program computes. */
#include <math.h>
#include <string.h>

#include "io/lesson/parts.h"

static const double nothing = (double)NAN;

/* ---- values ---- */

static LpErr read_asked(LpJsonValue value, LpLessonSource source, LpArena *arena,
                        LpLessonValue *out, LpDiag *diag) {
    out->source = source;
    return lp_lesson_text(value, &out->text, arena, diag);
}

static LpErr read_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_LUA, context, target, diag);
}

static LpErr read_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_RESULT, context, target, diag);
}

static LpErr read_given(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_asked(value, LP_LESSON_GIVEN, context, target, diag);
}

/* Keys of a structure that begins with a value. */
#define VALUE_KEYS                                                                                 \
    LP_LESSON_RUN_KEYS(LpLessonValue), LP_LESSON_KEY("lua", read_lua, lp_lesson_shape_text),       \
        LP_LESSON_KEY("result", read_result, lp_lesson_shape_text),                                \
        {LP_FIELD("at", LP_KEY_TEXT, LpLessonValue, at)},                                          \
        LP_COUNTED("runs", LpLessonValue, runs, 1, LP_LESSON_RUNS),                                \
        {LP_FIELD("unit", LP_KEY_TEXT, LpLessonValue, unit)},                                      \
        LP_COUNTED("digits", LpLessonValue, digits, 1, 12), {                                      \
        LP_FIELD("hidden", LP_KEY_FLAG, LpLessonValue, hidden)                                     \
    }
#define SHOWS_KEY                                                                                  \
    { LP_FIELD("shows", LP_KEY_TEXT, LpLessonValue, shows) }

static const char *const sources[] = {"lua", "result", "value"};

static LpErr check_value(LpJsonValue object, LpLessonValue *value, LpDiag *diag) {
    if (lp_json_member(object, "at").item != NULL && value->source != LP_LESSON_LUA)
        return lp_json_fail_key(lp_json_member(object, "at"), diag, LP_EINVAL,
                                "\"at\" is the moment of a Lua expression: expected it beside "
                                "\"lua\"");
    if (value->runs > 1 && value->source == LP_LESSON_GIVEN)
        return lp_json_fail(object, diag, LP_EINVAL, "a text has no runs");
    value->runs = value->runs > 0 ? value->runs : 1;
    return LP_OK;
}

/* ---- axes ---- */

static const LpJsonKey axis_keys[] = {
    {LP_FIELD("label", LP_KEY_TEXT, LpLessonAxis, label)},
    {LP_FIELD("unit", LP_KEY_TEXT, LpLessonAxis, unit)},
    {LP_FIELD("log", LP_KEY_FLAG, LpLessonAxis, log)},
    LP_QUANTITY("min", LpLessonAxis, min, .min = -1e300),
    LP_QUANTITY("max", LpLessonAxis, max, .min = -1e300),
};

static LpErr read_axis(LpJsonValue value, LpLessonAxis *axis, LpArena *arena, LpDiag *diag) {
    axis->min = axis->max = nothing;
    LP_TRY(lp_json_read(value, axis_keys, LP_COUNTOF(axis_keys), axis, arena, arena, diag));
    if (axis->min >= axis->max)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"min\" is not below \"max\", expected an axis with some length");
    if (axis->log && (axis->min <= 0 || axis->max <= 0))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a logarithmic axis has no 0: expected bounds above it");
    return LP_OK;
}

static LpErr read_x(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_axis(value, &((LpLessonFigure *)target)->x, context, diag);
}

static LpErr read_y(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_axis(value, &((LpLessonFigure *)target)->y, context, diag);
}

/* ---- series ---- */

/* What holds for all of its points, and the series. */
typedef struct Series {
    LpLessonValue all;
    LpLessonSeries one;
} Series;

static const LpJsonKey point_keys[] = {
    VALUE_KEYS,
    SHOWS_KEY,
    {LP_FIELD("x", LP_KEY_QUANTITY, LpLessonPoint, x), .range = {.min = -1e300}, .required = true},
};

static LpErr read_point(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonPoint *point = one;
    *point = (LpLessonPoint){0};
    lp_json_place(value, &point->y.line, &point->y.col);
    return lp_json_read(value, point_keys, LP_COUNTOF(point_keys), point, arena, arena, diag);
}

/* The overrides of all points before those of one. */
static LpErr join(uint32_t more, const char *const *first, const char *const **texts,
                  uint32_t *count, LpArena *arena, LpDiag *diag) {
    const char **both = lp_arena_alloc(arena, more + *count + 1, sizeof *both);
    if (both == NULL)
        return lp_fail_memory(diag, "a lesson");
    for (uint32_t i = 0; i < more; i++)
        both[i] = first[i];
    for (uint32_t i = 0; i < *count; i++)
        both[more + i] = (*texts)[i];
    *texts = both;
    *count += more;
    return LP_OK;
}

/* What a point does not say is as for all points. */
static LpErr complete(LpLessonValue *value, const LpLessonValue *all, LpArena *arena,
                      LpDiag *diag) {
    LpLessonSetup *run = &value->run;
    LP_TRY(join(all->run.sets, all->run.set, &run->set, &run->sets, arena, diag));
    LP_TRY(join(all->run.params, all->run.param, &run->param, &run->params, arena, diag));
    run->policy = run->policy != NULL ? run->policy : all->run.policy;
    run->scenario = run->scenario != NULL ? run->scenario : all->run.scenario;
    if (!run->has_seed && all->run.has_seed) {
        run->has_seed = true;
        run->seed = all->run.seed;
    }
    if (value->text == NULL) {
        value->source = all->source;
        value->text = all->text;
    }
    value->at = value->at != NULL || value->source != LP_LESSON_LUA ? value->at : all->at;
    value->runs = value->runs > 0 ? value->runs : all->runs;
    value->unit = value->unit != NULL ? value->unit : all->unit;
    value->digits = value->digits > 0 ? value->digits : all->digits;
    value->hidden |= all->hidden;
    return LP_OK;
}

static LpErr read_points(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Series *series = target;
    LpLessonPoint *point;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *point, 1, LP_LESSON_POINTS, read_point, context, &list,
                          &series->one.points, diag));
    series->one.point = point = list;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v), point++) {
        /* A value says at most once where it is from; not at all where something else does. */
        bool known = series->all.text != NULL;
        bool says = false;
        for (size_t i = 0; i < LP_COUNTOF(sources); i++)
            says |= lp_json_member(v, sources[i]).item != NULL;
        LP_TRY(says || !known ? lp_lesson_one_of(v, sources, LP_COUNTOF(sources), diag) : LP_OK);
        LP_TRY(complete(&point->y, &series->all, context, diag));
        LP_TRY(check_value(v, &point->y, diag));
    }
    return LP_OK;
}

static const LpJsonShape point_shape = LP_OBJECT_SHAPE(point_keys);
static const LpJsonShape *const of_point[] = {&point_shape, NULL};
static const LpJsonShape points_shape = {.form = LP_FORM_LIST, .of = of_point};
static const LpJsonKey series_keys[] = {
    VALUE_KEYS,
    LP_LESSON_REQUIRED_TEXT("name", Series, one.name),
    {LP_FIELD("line", LP_KEY_FLAG, Series, one.line)},
    {LP_FIELD("formula", LP_KEY_TEXT, Series, one.formula)},
    LP_LESSON_KEY("points", read_points, points_shape),
};

static LpErr read_series(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    Series series = {0};
    LP_TRY(lp_json_read(value, series_keys, LP_COUNTOF(series_keys), &series, arena, arena, diag));
    if ((series.one.formula != NULL) == (series.one.points > 0))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "expected \"points\", or a \"formula\" such as \"4 / x\"");
    series.one.hidden = series.all.hidden && series.one.formula != NULL;
    lp_json_place(value, &series.one.line_at, &series.one.col_at);
    *(LpLessonSeries *)one = series.one;
    return LP_OK;
}

static LpErr read_all_series(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFigure *figure = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *figure->one, 1, LP_LESSON_SERIES, read_series, context,
                          &list, &figure->series, diag));
    figure->one = list;
    return LP_OK;
}

static const LpJsonShape axis_shape = LP_OBJECT_SHAPE(axis_keys);
static const LpJsonShape one_series_shape = LP_OBJECT_SHAPE(series_keys);
static const LpJsonShape *const of_series[] = {&one_series_shape, NULL};
static const LpJsonShape series_shape = {.form = LP_FORM_LIST, .of = of_series};

/* ---- what was predicted ---- */

static LpErr read_height(LpJsonValue value, void *one, LpArena *arena LP_UNUSED, LpDiag *diag) {
    static const LpJsonRange any = {.min = -1e300};
    *(double *)one = nothing;
    return lp_json_kind(value) == LP_JSON_NULL ? LP_OK : lp_json_quantity(value, &any, one, diag);
}

static LpErr read_heights(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonGuess *guess = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof(double), 2, LP_LESSON_CHOICES, read_height, context, &list,
                          &guess->choices, diag));
    guess->y = list;
    return LP_OK;
}

static const LpJsonShape *const of_height[] = {&lp_lesson_shape_number, NULL};
static const LpJsonShape heights_shape = {.form = LP_FORM_LIST, .of = of_height};
static const LpJsonKey guess_keys[] = {
    LP_QUANTITY("x", LpLessonGuess, x, .min = -1e300),
    LP_LESSON_KEY("y", read_heights, heights_shape),
};

static LpErr read_guess(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFigure *figure = target;
    LpArena *arena = context;
    LpLessonGuess *guess;
    if (lp_json_kind(value) == LP_JSON_BOOL && !lp_json_bool(value))
        return LP_OK;
    guess = lp_arena_alloc(arena, 1, sizeof *guess);
    if (guess == NULL)
        return lp_fail_memory(diag, "a lesson");
    *guess = (LpLessonGuess){.x = nothing};
    figure->guess = guess;
    if (lp_json_kind(value) == LP_JSON_BOOL)
        return LP_OK;
    return lp_json_read(value, guess_keys, LP_COUNTOF(guess_keys), guess, arena, arena, diag);
}

/* ---- tables ---- */

static const LpJsonKey cell_keys[] = {
    VALUE_KEYS,
    SHOWS_KEY,
    LP_LESSON_KEY("value", read_given, lp_lesson_shape_text),
};

static LpErr read_cell(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonValue *cell = one;
    *cell = (LpLessonValue){.source = LP_LESSON_GIVEN, .runs = 1, .text = ""};
    lp_json_place(value, &cell->line, &cell->col);
    if (lp_json_kind(value) == LP_JSON_TEXT && lp_json_text(value)[0] == '\0')
        return LP_OK; /* nothing stands there */
    if (lp_json_kind(value) == LP_JSON_TEXT)
        return lp_lesson_text(value, &cell->text, arena, diag);
    LP_TRY(lp_json_read(value, cell_keys, LP_COUNTOF(cell_keys), cell, arena, arena, diag));
    LP_TRY(lp_lesson_one_of(value, sources, LP_COUNTOF(sources), diag));
    return check_value(value, cell, diag);
}

static LpErr read_row(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    LpLessonRow *row = one;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *row->cell, 1, LP_LESSON_COLUMNS, read_cell, arena, &list,
                          &row->cells, diag));
    row->cell = list;
    return LP_OK;
}

static LpErr read_rows(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFigure *figure = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof *figure->row, 1, LP_LESSON_ROWS, read_row, context, &list,
                          &figure->rows, diag));
    figure->row = list;
    return LP_OK;
}

/* A column may have no title. */
static LpErr read_title(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    if (lp_json_kind(value) != LP_JSON_TEXT || lp_json_text(value)[0] != '\0')
        return lp_lesson_text(value, one, arena, diag);
    *(const char **)one = "";
    return LP_OK;
}

static LpErr read_columns(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFigure *figure = target;
    void *list;
    LP_TRY(lp_lesson_list(value, sizeof(char *), 1, LP_LESSON_COLUMNS, read_title, context, &list,
                          &figure->columns, diag));
    figure->column = list;
    return LP_OK;
}

static const LpJsonShape cell_object = LP_OBJECT_SHAPE(cell_keys);
static const LpJsonShape *const text_or_cell[] = {&lp_lesson_shape_text, &cell_object, NULL};
static const LpJsonShape cell_shape = {.form = LP_FORM_ONE_OF, .of = text_or_cell};
static const LpJsonShape *const of_cell[] = {&cell_shape, NULL};
static const LpJsonShape row_shape = {.form = LP_FORM_LIST, .of = of_cell};
static const LpJsonShape *const of_row[] = {&row_shape, NULL};
static const LpJsonShape rows_shape = {.form = LP_FORM_LIST, .of = of_row};

/* ---- the figure ---- */

static const char *const kinds[] = {"plot", "table", NULL};
static const char *const fills[] = {"at once", "question", NULL};

/* `waits`: all that is computed is hidden, unless something says so of itself. */
typedef struct Figure {
    LpLessonFigure figure;
    uint32_t waits;
} Figure;

static const LpJsonKey figure_keys[] = {
    {LP_FIELD("kind", LP_KEY_WORD, Figure, figure.kind), .words = kinds, .required = true},
    LP_LESSON_REQUIRED_TEXT("title", Figure, figure.title),
    LP_LESSON_KEY("x", read_x, axis_shape),
    LP_LESSON_KEY("y", read_y, axis_shape),
    LP_LESSON_KEY("series", read_all_series, series_shape),
    LP_CUSTOM("guess", read_guess),
    {LP_FIELD("fill", LP_KEY_WORD, Figure, waits), .words = fills},
    LP_LESSON_KEY("columns", read_columns, lp_lesson_shape_texts),
    LP_LESSON_KEY("rows", read_rows, rows_shape),
};

const LpJsonShape lp_lesson_shape_figure = LP_OBJECT_SHAPE(figure_keys);

/* A plot has the keys of a plot, a table those of a table. */
static LpErr check_kind(LpJsonValue value, const LpLessonFigure *figure, LpDiag *diag) {
    static const char *const plots[] = {"series", "x", "y", "guess", NULL};
    static const char *const tables[] = {"rows", "columns", NULL};
    bool plot = figure->kind == LP_LESSON_PLOT;
    const char *const *needed = plot ? plots : tables, *const *wrong = plot ? tables : plots;
    for (; *wrong != NULL; wrong++)
        if (lp_json_member(value, *wrong).item != NULL)
            return lp_json_fail_key(lp_json_member(value, *wrong), diag, LP_EINVAL,
                                    "a %s has no \"%s\"", kinds[figure->kind], *wrong);
    if (lp_json_member(value, needed[0]).item == NULL)
        return lp_json_fail(value, diag, LP_EINVAL, "the key \"%s\" is missing here", needed[0]);
    for (uint32_t r = 0; r < figure->rows; r++)
        if (figure->columns > 0 && figure->row[r].cells > figure->columns)
            return lp_json_fail(lp_json_member(value, "rows"), diag, LP_EINVAL,
                                "row %u has %u cells, but there are %u columns", (unsigned)r + 1,
                                (unsigned)figure->row[r].cells, (unsigned)figure->columns);
    return LP_OK;
}

/* A logarithmic axis has no place for 0. */
static LpErr check_x(LpJsonValue value, const LpLessonFigure *figure, LpDiag *diag) {
    for (uint32_t s = 0; figure->x.log && s < figure->series; s++)
        for (uint32_t p = 0; p < figure->one[s].points; p++)
            if (figure->one[s].point[p].x <= 0)
                return lp_json_fail(lp_json_member(value, "series"), diag, LP_EINVAL,
                                    "a logarithmic axis has no 0: expected \"x\" above it");
    return LP_OK;
}

/* The i-th value is among what this file has just made. */
static LpLessonValue *own_value(LpLessonFigure *figure, uint32_t index) {
    union {
        const LpLessonValue *made;
        LpLessonValue *value;
    } own = {.made = lp_lesson_figure_value(figure, index)};
    return own.value;
}

static void hide_all(LpLessonFigure *figure) {
    uint32_t count = lp_lesson_figure_values(figure);
    for (uint32_t i = 0; i < count; i++)
        if (own_value(figure, i)->hidden)
            return;
    for (uint32_t i = 0; i < count; i++)
        own_value(figure, i)->hidden = own_value(figure, i)->source != LP_LESSON_GIVEN;
}

LpErr lp_lesson_figure(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpArena *arena = context;
    LpLessonStep *step = target;
    Figure *read = lp_arena_alloc(arena, 1, sizeof *read);
    if (read == NULL)
        return lp_fail_memory(diag, "a lesson");
    *read = (Figure){
        .figure = {.x = {.min = nothing, .max = nothing}, .y = {.min = nothing, .max = nothing}}};
    LP_TRY(lp_json_read(value, figure_keys, LP_COUNTOF(figure_keys), read, arena, arena, diag));
    LP_TRY(check_kind(value, &read->figure, diag));
    LP_TRY(check_x(value, &read->figure, diag));
    if (read->waits)
        hide_all(&read->figure);
    step->figure = &read->figure;
    return LP_OK;
}
