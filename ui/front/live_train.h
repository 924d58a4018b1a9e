/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training in a terminal that shows how it goes. */
#ifndef LP_UI_FRONT_LIVE_TRAIN_H
#define LP_UI_FRONT_LIVE_TRAIN_H

#include "many/train/train.h"
#include "term/keymap.h"
#include "term/theme.h"

typedef struct LpLiveSpec {
    const LpTrainSpec *train;
    const char *scenario, *settings; /* in words */
    LpTrainProgress each;            /* called on the training's thread; NULL: nothing is */
    void *user;
    const LpTheme *theme; /* NULL: as the terminal is */
    const LpKeymap *keymap;
    bool ascii, no_color;
} LpLiveSpec;

/* Until training has ended and the user closes the screen, or stops it. *last: the last report,
 * *began: an update was made. Errors: of lp_term_open before anything else, then *began is false;
 * those of lp_train. */
LpErr lp_live_train(const LpLiveSpec *spec, LpTrainReport *last, bool *began, bool *stopped,
                    LpDiag *diag) LP_MUST_USE;

#endif
