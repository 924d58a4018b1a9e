/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the readers of a lesson: what stands in several of its objects. The context of every
 * reader is the arena. */
#ifndef LP_IO_LESSON_PARTS_H
#define LP_IO_LESSON_PARTS_H

#include "io/lesson/lesson.h"

enum { LP_LESSON_LIST_MOST = 256 };

/* A list of values, each read by its own function into an entry of `size` bytes. LP_EINVAL unless
 * there are `least` to `most`. */
typedef LpErr LpLessonRead(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag);
LpErr lp_lesson_list(LpJsonValue value, size_t size, size_t least, size_t most, LpLessonRead *read,
                     LpArena *arena, void **out, uint32_t *count, LpDiag *diag) LP_MUST_USE;

/* Text that is not empty, into a `const char *`. */
LpErr lp_lesson_text(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) LP_MUST_USE;
/* A text, or a list of texts: paragraphs, as lines. */
LpErr lp_lesson_paragraphs(LpJsonValue value, LpArena *arena, const char **out,
                           LpDiag *diag) LP_MUST_USE;
/* A list of PATH=VALUE. */
LpErr lp_lesson_sets(LpJsonValue value, LpArena *arena, const char *const **out, uint32_t *count,
                     LpDiag *diag) LP_MUST_USE;
/* A list of commands with their places. */
LpErr lp_lesson_commands(LpJsonValue value, LpArena *arena, const LpLessonCommand **out,
                         uint32_t *count, LpDiag *diag) LP_MUST_USE;
/* The name of a pane, as the screen knows it. */
LpErr lp_lesson_pane(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) LP_MUST_USE;
bool lp_lesson_is_pane(const char *name);
/* Exactly one of the keys stands in the object. */
LpErr lp_lesson_one_of(LpJsonValue object, const char *const *names, size_t count,
                       LpDiag *diag) LP_MUST_USE;

/* The objects themselves; `one` and `target` are what the names say. */
LpErr lp_lesson_step(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) LP_MUST_USE;
LpErr lp_lesson_fact(LpJsonValue value, void *one, LpArena *arena, LpDiag *diag) LP_MUST_USE;
/* "question" of an LpLessonStep, "exercise" of an LpLesson. */
LpErr lp_lesson_question(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;
LpErr lp_lesson_exercise(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;
/* "figure" of an LpLessonStep. */
LpErr lp_lesson_figure(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;
/* Keys of an LpLessonSetup, with which the target begins. */
LpErr lp_lesson_run_set(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;
LpErr lp_lesson_run_params(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;
LpErr lp_lesson_run_seed(LpJsonValue value, void *target, void *arena, LpDiag *diag) LP_MUST_USE;

/* Shapes for the schema: a number; a text; one or several (paragraphs); several; the objects. */
extern const LpJsonShape lp_lesson_shape_number, lp_lesson_shape_text, lp_lesson_shape_paragraphs,
    lp_lesson_shape_texts, lp_lesson_shape_pane, lp_lesson_shape_panes, lp_lesson_shape_steps,
    lp_lesson_shape_question, lp_lesson_shape_facts, lp_lesson_shape_exercise,
    lp_lesson_shape_figure;

/* A reader of paragraphs into a field, read_STRUCTURE_FIELD. */
#define LP_LESSON_PARAGRAPHS(structure, field)                                                     \
    static LpErr read_##structure##_##field(LpJsonValue value, void *target, void *context,        \
                                            LpDiag *diag) {                                        \
        return lp_lesson_paragraphs(value, context, &((structure *)target)->field, diag);          \
    }
/* Rows of tables of keys. */
#define LP_LESSON_KEY(key, reader, form)                                                           \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader, .shape = &(form) }
#define LP_LESSON_REQUIRED(key, reader, form)                                                      \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader, .shape = &(form), .required = true }
#define LP_LESSON_REQUIRED_TEXT(key, structure, field)                                             \
    { LP_FIELD(key, LP_KEY_TEXT, structure, field), .required = true }
/* The keys of a run, of a structure whose first field is the LpLessonSetup `run`. */
#define LP_LESSON_RUN_KEYS(structure)                                                              \
    LP_LESSON_KEY("set", lp_lesson_run_set, lp_lesson_shape_texts),                                \
        {LP_FIELD("policy", LP_KEY_TEXT, structure, run.policy)},                                  \
        LP_LESSON_KEY("params", lp_lesson_run_params, lp_lesson_shape_texts),                      \
        LP_LESSON_KEY("seed", lp_lesson_run_seed, lp_lesson_shape_number), {                       \
        LP_FIELD("scenario", LP_KEY_TEXT, structure, run.scenario)                                 \
    }

#endif
