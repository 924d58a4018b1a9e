/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the table of words by subject; private to ui/glossary. */
#ifndef LP_UI_GLOSSARY_TABLES_H
#define LP_UI_GLOSSARY_TABLES_H

#include "glossary/glossary.h"

typedef struct LpGlossTable {
    const LpGloss *word;
    size_t count;
} LpGlossTable;

LpGlossTable lp_gloss_jobs(void), lp_gloss_steps(void), lp_gloss_light(void), lp_gloss_runs(void),
    lp_gloss_tree(void);

#endif
