/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "lesson": what is told step by step, questions, facts, and the exercise. */
#ifndef LP_IO_LESSON_LESSON_H
#define LP_IO_LESSON_LESSON_H

#include "io/json/json.h"
#include "model/lesson/lesson.h"

/* Everything is copied to the arena. Errors: LP_EINVAL at the value that is wrong; *out unchanged
 * then. */
LpErr lp_lesson_read(LpJsonValue value, LpArena *arena, const LpLesson **out,
                     LpDiag *diag) LP_MUST_USE;

/* What may stand there, for the schema. */
extern const LpJsonShape lp_shape_lesson;

#endif
