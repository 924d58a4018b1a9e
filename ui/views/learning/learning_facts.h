/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's view of learning curves in files: which files, and how they are shown. */
#ifndef LP_UI_VIEWS_LEARNING_FACTS_H
#define LP_UI_VIEWS_LEARNING_FACTS_H

#include "views/learning/learning_charts.h"

typedef struct LpLearnPane {
    int files;
    LpLearnFile *file[LP_LEARN_SERIES]; /* the explorer's */
    LpLearnState state;
    int64_t until; /* ms, when the files are looked at next */
} LpLearnPane;

#endif
