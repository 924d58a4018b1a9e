/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The explorer's view of a study of the experiment: which file, and how it is shown. */
#ifndef LP_UI_VIEWS_STUDY_FACTS_H
#define LP_UI_VIEWS_STUDY_FACTS_H

#include "views/study/study_charts.h"

typedef struct LpStudyPane {
    bool open;
    LpStudyData data; /* the explorer's */
    LpStudyState state;
    char path[160]; /* as it was asked for, maybe cut */
} LpStudyPane;

#endif
