/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much a lesson can have: for those who keep something for each of its steps. */
#ifndef LP_MODEL_LESSON_LIMITS_H
#define LP_MODEL_LESSON_LIMITS_H

enum {
    LP_LESSON_STEPS = 64,
    LP_LESSON_PANES = 8, /* that a step points at */
    LP_LESSON_MARKS = 16 /* that a step makes in them */
};

#endif
