/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of a training while it goes on: reports, keys and time go in, a canvas comes out. It
 * knows neither terminal nor thread. */
#ifndef LP_UI_FRONT_LIVE_H
#define LP_UI_FRONT_LIVE_H

#include "many/train/work.h"
#include "term/canvas.h"
#include "term/keymap.h"
#include "views/learning/learning_charts.h"

enum { LP_LIVE_RECENT = 16 };

/* Set what is borrowed, leave the rest 0, and set `began`. */
typedef struct LpLive {
    const char *scenario, *out, *settings; /* borrowed */
    const LpKeymap *keymap;                /* NULL: the default keys */
    int64_t began;                         /* ms, on the clock of `now` below */
    LpLearnState state;
    LpLearnCurve curve;
    LpTrainReport last; /* last.update 0: none yet */
    struct {
        int64_t at;
        uint64_t steps;
    } recent[LP_LIVE_RECENT + 1]; /* the newest first */
    int recents;
    LpTrainWish wish;
    bool ended;  /* training has */
    bool closed; /* the screen can go */
    char message[240];
} LpLive;

/* Errors: LP_ENOMEM; LP_ELIMIT: the curve is full, and ends there. */
LpErr lp_live_report(LpLive *live, const LpTrainReport *report, int64_t now,
                     LpDiag *diag) LP_MUST_USE;
void lp_live_key(LpLive *live, LpKey key);
/* What a stop keeps and loses, in a sentence; any: an update was made. */
void lp_live_tell(const LpTrainReport *last, bool any, const char *out, LpBuf *text);
/* s until the end at that rate, NAN where it is not known. */
double lp_live_left(const LpLive *live);
void lp_live_draw(const LpLive *live, LpCanvas *canvas, int64_t now);
void lp_live_fini(LpLive *live);

#endif
