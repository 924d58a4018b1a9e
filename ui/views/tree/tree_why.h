/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why the jobs wait that the view of the tree shows: asked for once a moment and job. */
#ifndef LP_UI_VIEWS_TREE_WHY_H
#define LP_UI_VIEWS_TREE_WHY_H

#include "moment/picture/model.h"

enum { LP_TREE_WORD = 40, LP_TREE_TEXT = 1024, LP_TREE_WHYS = 96 };

typedef struct LpTreeWhy {
    uint32_t job;
    char word[LP_TREE_WORD]; /* in the words of a scheduler */
    char text[LP_TREE_TEXT];
    double enough_at;  /* s; NAN: not known, or never */
    uint32_t when_job; /* whose end makes it enough, LP_NO_INDEX: nobody's */
    uint32_t across;   /* nodes that it could lie in now, 0: none */
    double ratio;      /* step time there over that in one node; NAN: not known */
} LpTreeWhy;

/* Zero-initialise. */
typedef struct LpTreeWhys {
    LpTreeWhy *why; /* of LP_TREE_WHYS; NULL: not asked yet */
    uint32_t count, next;
    LpMoment of;
    double at;
} LpTreeWhys;

/* The reason of a waiting job, kept until the moment is another one. Errors: LP_ENOMEM. */
LpErr lp_tree_why_ask(LpTreeWhys *whys, LpModel *model, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* What was asked; NULL: it was not. */
const LpTreeWhy *lp_tree_why_of(const LpTreeWhys *whys, uint32_t job);
void lp_tree_whys_fini(LpTreeWhys *whys);

#endif
