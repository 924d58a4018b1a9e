/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the screen shows and says of each kind of event, one row for each (sim/state/event.h has
 * what the engine knows of them). Sentences with numbers in them are made in ui/moment. */
#ifndef LP_UI_MOMENT_EVENT_FACE_H
#define LP_UI_MOMENT_EVENT_FACE_H

#include "moment/parts/motion.h"
#include "sim/state/event.h"
#include "term/canvas.h"
#include "term/glyph.h"

typedef struct LpEventFace {
    LpEventKind kind;  /* of this row */
    const char *verb;  /* in capitals, before the sentence of the moment */
    LpStyle style;     /* of its line in the list */
    LpGlyph glyph;     /* what stands before its line */
    uint8_t mark;      /* on the time line (LP_MARK_...), 0: none */
    LpScene scene;     /* how it is shown in steps where it happened to a job */
    LpScene all;       /* how it is shown in steps where it happened to no job */
    bool gives;        /* from it on its job has a letter */
    bool unseen;       /* passed over while playing */
    bool unlisted;     /* has no line in the list */
    const char *line;  /* after its job's name in the list, NULL: the name of the kind */
    const char *job;   /* the sentence after its job's name, NULL: the line of the list */
    const char *whole; /* the whole sentence, NULL: none that holds always */
} LpEventFace;

const LpEventFace *lp_event_face(LpEventKind kind);

#endif
