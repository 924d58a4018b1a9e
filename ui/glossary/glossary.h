/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the screen: one table of what each means, from which `?`, `:help WORD`, clicks and
 * the tests answer. A new heading or column word is one row. */
#ifndef LP_UI_GLOSSARY_GLOSSARY_H
#define LP_UI_GLOSSARY_GLOSSARY_H

#include "moment/view.h"

typedef struct LpGloss {
    const char *name;
    const char *also; /* how else it stands on the screen, "|" between; '#' is any number; NULL */
    const char *meaning; /* NULL: what the columns of this name mean */
    const char *formula; /* NULL: none */
    const char *unit;    /* NULL: none */
    const char *where;   /* where it is seen, keys by their defaults in braces; NULL: everywhere */
    const char *see;     /* other words, ", " between; NULL */
} LpGloss;

/* All words, those of a subject together. */
size_t lp_gloss_count(void);
const LpGloss *lp_gloss_at(size_t index);
/* By a name or another form of it; capitals, a plural s and punctuation around it do not matter.
 * NULL when the word is not known. */
const LpGloss *lp_gloss_find(const char *text);
/* Its place in the table. */
size_t lp_gloss_index(const LpGloss *word);

/* Where a word stands on a canvas: `length` cells from x, y on. */
typedef struct LpGlossPlace {
    const LpGloss *word;
    int x, y, length;
} LpGlossPlace;

enum { LP_GLOSS_PLACES = 128 };

/* The words within a part of a canvas, each where it stands first, in the order of reading. Returns
 * how many, LP_GLOSS_PLACES at most. O(cells). */
int lp_gloss_read(const LpCanvas *canvas, LpRect rect, LpGlossPlace out[LP_GLOSS_PLACES]);
/* Where one word stands first; false when it is not there. */
bool lp_gloss_where(const LpCanvas *canvas, const LpGloss *word, LpGlossPlace *out);
/* The word at a cell; false when there is none. */
bool lp_gloss_under(const LpCanvas *canvas, int x, int y, LpGlossPlace *out);

/* What the columns of this name mean, a line each: "in jobs, decision", tab, meaning. False when no
 * view has one. */
bool lp_gloss_columns(const LpView *const *views, const char *name, LpBuf *out);
/* All that is known of the word, in the form of lp_flow_draw. */
void lp_gloss_tell(const LpGloss *word, const LpView *const *views, const LpKeymap *map,
                   LpBuf *out);

/* ---- the list that is gone through over the screen (glossary/glossary_list.c) ---- */

/* Every word, by name; the one that the text names is the present one, else the first. */
void lp_gloss_list(LpWordsState *words, const char *text);
/* The word of a line, NULL: there is none. */
const LpGloss *lp_gloss_listed(const LpWordsState *words, int line);
void lp_gloss_move(LpWordsState *words, int lines);
/* A line of the list as a text to be searched. */
void lp_gloss_line(const LpModel *model, int line, LpBuf *out);

#endif
