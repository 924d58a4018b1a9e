/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control sequences that a terminal sends: the keys that came in pieces, answers to questions, the
 * brackets around what is pasted, and all others, which are no keys and are dropped whole. */
#ifndef LP_UI_TERM_SEQUENCE_H
#define LP_UI_TERM_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "term/keymap.h"

/* A longer one is dropped up to here, and the rest is read as keys. */
enum { LP_SEQUENCE_MOST = 256 };

/* What has come after Esc. Plain data; zero-initialise, but `pasted` within what is pasted: no
 * string begins there, which could hide the end of it. */
typedef struct LpSequence {
    char text[LP_SEQUENCE_MOST + 1]; /* without Esc and without what ends a string */
    int len;
    bool ended, pasted;
    bool escaped; /* the last character was an Esc within a string */
} LpSequence;

typedef enum LpSequenceKind {
    LP_SEQUENCE_OTHER,
    LP_SEQUENCE_KEY,
    LP_SEQUENCE_PASTE,      /* what follows is pasted */
    LP_SEQUENCE_PASTED,     /* the end of what was pasted */
    LP_SEQUENCE_BACKGROUND, /* the colour of the background, an answer to OSC 11 */
    LP_SEQUENCE_DEVICE      /* device attributes, an answer that every terminal gives */
} LpSequenceKind;

/* Adds the next character after Esc. False: the characters so far begin no sequence, or it cannot
 * go on so (`cp` is not part of it): they are Esc and keys. Sets `ended` with the last one. */
bool lp_sequence_add(LpSequence *sequence, uint32_t cp);
/* What a sequence that has ended is; *key for LP_SEQUENCE_KEY; *luminance, 0 (black) to 1,
 * for LP_SEQUENCE_BACKGROUND. */
LpSequenceKind lp_sequence_kind(const LpSequence *sequence, LpKey *key, double *luminance);

/* What is known of the background, in words, and whether it is light. luminance < 0: the terminal
 * did not say; then by the variable COLORFGBG ("15;0"), which some terminals set (NULL: not set).
 */
const char *lp_background_told(double luminance, const char *colorfgbg, bool *light);

#endif
