/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens at this moment, in one sentence for the bar under the title: a verb, the sentence in
 * several wordings so that one fits every width, what comes next, and which step of how many. */
#ifndef LP_UI_MOMENT_NOW_H
#define LP_UI_MOMENT_NOW_H

#include <stdint.h>

#include "base/err.h"
#include "widgets/said.h"

typedef enum LpNowMark { LP_NOW_NONE, LP_NOW_GOOD, LP_NOW_BAD, LP_NOW_EVEN } LpNowMark;

/* Zero-initialise. */
typedef struct LpNow {
    const char *verb; /* "1/5 SPLIT", never NULL once updated */
    LpSaid said, next;
    int step, steps;       /* "2 of 5"; 0: no steps */
    LpNowMark mark;        /* of a verdict; NONE: it is none */
    const char *mark_text; /* "2 LOSES MORE" */
    uint32_t job;          /* that it speaks of, LP_NO_INDEX: none */
} LpNow;

struct LpModel;

/* What the moment is called and says where no frame said it; call when the frame is gathered.
 * Errors: LP_ENOMEM. */
LpErr lp_now_update(struct LpModel *model, LpDiag *diag) LP_MUST_USE;
void lp_now_fini(LpNow *now);
/* Columns of a line of what whoever presents says in a bar of `cols` columns. */
int lp_now_told_width(int cols);
/* Rows that the text takes there, 0 for none. */
int lp_now_told_rows(const char *told, int cols);

#endif
