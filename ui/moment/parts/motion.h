/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Motion that explains: what a moment has to show in steps - a decision its arrival and five
 * stages, a block what it would have taken, a completion what is free again - as frames, each a
 * still that reads alone, with its sentence (now.h). The same moment, stage and frame always give
 * the same picture. */
#ifndef LP_UI_MOMENT_MOTION_H
#define LP_UI_MOMENT_MOTION_H

#include <stdbool.h>
#include <stdint.h>

#include "moment/parts/step_parts.h"

/* The first five in the order of the stages of a decision. */
typedef enum LpScene {
    LP_SCENE_PARTITION,
    LP_SCENE_PLACE,
    LP_SCENE_ORDER_OPS,
    LP_SCENE_CIRCUITS,
    LP_SCENE_ORDER_FLOWS,
    LP_SCENE_START,
    LP_SCENE_BLOCKED,
    LP_SCENE_DONE,
    LP_SCENE_REGROUP, /* circuits are turned */
    LP_SCENE_RELIT,   /* circuits are turned and lit again */
    LP_SCENE_NONE,
    LP_SCENE_COUNT
} LpScene;

enum { LP_MOTION_FRAMES = 8 }; /* of a scene, at most; the last one is the still */

/* What a frame makes of a server, the more telling ones higher. */
typedef enum LpServerMark {
    LP_SERVER_UNMARKED,
    LP_SERVER_IDLE,     /* of the job, and waits at this instant of the step */
    LP_SERVER_RELEASED, /* given back */
    LP_SERVER_REFUSED,  /* free, or wanted, and yet of no use */
    LP_SERVER_PAUSED,   /* its job stands still */
    LP_SERVER_COMPUTES, /* of the job, and computes at this instant of the step */
    LP_SERVER_NEWEST    /* just taken */
} LpServerMark;

/* What a frame makes of a transmitter. */
typedef enum LpShine { LP_SHINE_NOT, LP_SHINE_LIT, LP_SHINE_NEWEST } LpShine;

enum { LP_MOTION_CHOICES = 3, LP_CHOICE_WAIT = 4 };

/* An instant of a step at which one of several goes first: bars of one row, all ready by then. */
typedef struct LpOrderTurn {
    uint32_t row, bar; /* which goes */
    uint32_t waits;    /* number of others that wait, of which `wait` are the next to go */
    uint32_t wait[LP_CHOICE_WAIT];
} LpOrderTurn;

/* Zero-initialise. */
typedef struct LpMotionModel {
    LpScene scene; /* of this moment and stage; NONE: nothing to show in steps */
    bool on;       /* a frame is shown, else the still */
    int frame, frames;
    uint32_t job;
    int weighed; /* PARTITION: the candidate of this frame, -1: none */
    /* servers that show as wanted in place of those of the marked candidate */
    bool wants;
    const uint32_t *wanted;
    uint32_t wanted_count;
    uint8_t *mark; /* LpServerMark per server; of use while `marks` */
    uint32_t mark_cap, marks;
    /* light of the job in place of its own: groups x groups, share of a step or, at an instant, 0
     * or 1 */
    bool lit;
    bool plan; /* the light is of a job that does not run yet */
    int letter;
    double *light;
    size_t light_cap;
    uint32_t groups;
    const struct LpTransmitter *tx; /* of the job or its plan, by sender */
    uint32_t txs;
    const struct LpPath *path; /* light paths of `tx` */
    uint32_t paths;
    uint8_t *shine; /* an LpShine for each of `path` */
    size_t shine_cap;
    bool instant;
    double at, step_time;                  /* s: the instant, and how long a step takes */
    LpOrderTurn choice[LP_MOTION_CHOICES]; /* ORDER_OPS, ORDER_FLOWS: by time */
    int choices;
    uint64_t choices_of; /* the step and scene that they were found for, 0: none */
    LpStepModel step;    /* of the job's plan, for the order in which things light up */
} LpMotionModel;

struct LpModel;

/* Which scene a moment shows. */
LpScene lp_motion_scene(const struct LpModel *model);
/* Fills model->motion for ui->frame (-1: the still) and ui->stage, and says it to model->now. Call
 * when decision and events are gathered. Errors: LP_ENOMEM. */
LpErr lp_motion_update(struct LpModel *model, LpSession *session, LpDiag *diag) LP_MUST_USE;
void lp_motion_fini(LpMotionModel *motion);

#endif
