/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the user has been through: the tour and lessons, a line each in the file "progress" of the
 * user's folder for data: "tour", "lesson 3", "answered 4 of 6 in lesson 5". */
#ifndef LP_UI_APP_PROGRESS_H
#define LP_UI_APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "host/paths.h"

/* Where it is. */
#define LP_PROGRESS_FILE "progress"
#define LP_PROGRESS_HOME LP_HOME_DATA

enum { LP_PROGRESS_LESSONS = 64 };

typedef struct LpGoneThrough {
    bool toured;
    bool lesson[LP_PROGRESS_LESSONS]; /* by number: all is read and answered */
    /* By number: the most questions that were answered in one go, of how many; 0 of 0: not known.
     */
    uint8_t answered[LP_PROGRESS_LESSONS], asked[LP_PROGRESS_LESSONS];
} LpGoneThrough;

/* Nothing where there is no such file, or it cannot be read. */
LpGoneThrough lp_progress_read(void);
/* Adds what is not there yet. LP_EIO, LP_ENOMEM: it is not kept. */
LpErr lp_progress_add(const LpGoneThrough *more, LpDiag *diag) LP_MUST_USE;

#endif
