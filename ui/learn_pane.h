/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's view of learning curves in files: which files, and how they are shown. */
#ifndef LP_UI_LEARN_PANE_H
#define LP_UI_LEARN_PANE_H

#include "learn_charts.h"

typedef struct LpLearnPane {
    int files;
    LpLearnFile *file[LP_LEARN_SERIES]; /* the explorer's */
    LpLearnState state;
} LpLearnPane;

#endif
