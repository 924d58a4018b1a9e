/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What must hold of a picture. */
#ifndef LP_TESTS_LIVE_CHECKS_H
#define LP_TESTS_LIVE_CHECKS_H

#include "live/picture.h"

enum { LIVE_SAYS = 240 };

/* Each says in `what` what is wrong. */
typedef enum LiveCheck {
    LIVE_CHECK_SAME,    /* as without a terminal */
    LIVE_CHECK_SAID,    /* the last row holds no message that nobody asked for */
    LIVE_CHECK_MARKED,  /* what a step or a script points at is marked */
    LIVE_CHECK_PANE,    /* in the pane that is spoken of */
    LIVE_CHECK_PAINTED, /* without painting its bars in the colour of the screen */
    LIVE_CHECK_CUT,     /* a text that is cut ends in ~ */
    LIVE_CHECK_TOLD,    /* what a demo tells does not stand in the last row */
    LIVE_CHECK_REACHED, /* the walk has got where it should */
    LIVE_CHECK_LEFT,    /* the terminal is given back */
    LIVE_CHECKS
} LiveCheck;

const char *live_check_name(LiveCheck check);

/* Is there a message in the last row (its text), in the colour of errors? NULL: none; else freed by
 * the caller. */
char *live_message(const LivePicture *picture, bool *bad);
/* The heading over a cell, its first word in small letters; false: there is none. */
bool live_heading_over(const LivePicture *picture, int x, int y, char *name, size_t size);

/* `plain` is the same moment without marks. Each returns false with `what` filled if it fails. */
bool live_check_marked(const LivePicture *picture, const LivePicture *plain, char what[LIVE_SAYS]);
bool live_check_pane(const LivePicture *picture, const LivePicture *plain, const char *const *pane,
                     int panes, char what[LIVE_SAYS]);
bool live_check_painted(const LivePicture *picture, const LivePicture *plain, char what[LIVE_SAYS]);

/* Words that are whole, of pictures on which they had room. */
typedef struct LiveLexicon LiveLexicon;
LiveLexicon *live_lexicon_new(void);
void live_lexicon_free(LiveLexicon *lexicon);
/* Words at the right edge of a pane are whole only where the picture is `wide`. */
void live_lexicon_learn(LiveLexicon *lexicon, const LivePicture *picture, bool wide);
/* Call after the last picture, and before the first check. */
void live_lexicon_sort(LiveLexicon *lexicon);
bool live_check_cut(const LivePicture *picture, const LiveLexicon *lexicon, char what[LIVE_SAYS]);

#endif
