/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts: the numbers of a step's texts, and where they come from. */
#include "io/lesson/parts.h"

static LpErr read_source(LpJsonValue value, LpLessonSource source, LpArena *arena,
                         LpLessonFact *fact, LpDiag *diag) {
    fact->source = source;
    return lp_lesson_text(value, &fact->text, arena, diag);
}

static LpErr read_lua(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_LUA, context, target, diag);
}

static LpErr read_result(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_RESULT, context, target, diag);
}

static LpErr read_cited(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return read_source(value, LP_LESSON_CITED, context, target, diag);
}

static LpErr read_set(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLessonFact *fact = target;
    return lp_lesson_sets(value, context, &fact->set, &fact->sets, diag);
}

static const LpJsonKey keys[] = {
    LP_LESSON_REQUIRED_TEXT("shows", LpLessonFact, shows),
    LP_LESSON_KEY("lua", read_lua, lp_lesson_shape_text),
    LP_LESSON_KEY("result", read_result, lp_lesson_shape_text),
    LP_LESSON_KEY("cited", read_cited, lp_lesson_shape_text),
    LP_LESSON_KEY("set", read_set, lp_lesson_shape_texts),
    {LP_FIELD("at", LP_KEY_TEXT, LpLessonFact, at)},
};
static const LpJsonShape shape = LP_OBJECT_SHAPE(keys);
static const LpJsonShape *const of[] = {&shape, NULL};
const LpJsonShape lp_lesson_shape_facts = {.form = LP_FORM_LIST, .of = of};

LpErr lp_lesson_fact(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) {
    static const char *const sources[] = {"lua", "result", "cited"};
    LpLessonFact *fact = one;
    *fact = (LpLessonFact){0};
    lp_json_place(value, &fact->line, &fact->col);
    LP_TRY(lp_json_read(value, keys, LP_COUNTOF(keys), fact, arena, arena, diag));
    LP_TRY(lp_lesson_one_of(value, sources, LP_COUNTOF(sources), diag));
    if (fact->at != NULL && fact->source != LP_LESSON_LUA)
        return lp_json_fail_key(lp_json_member(value, "at"), diag, LP_EINVAL,
                                "\"at\" is the moment of a Lua expression: expected it beside "
                                "\"lua\"");
    return LP_OK;
}
