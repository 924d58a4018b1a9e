/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the scenes (motion.c) and those of light (motion_light.c). */
#ifndef LP_UI_MOMENT_MOTION_INTERNAL_H
#define LP_UI_MOMENT_MOTION_INTERNAL_H

#include "moment/words.h"

/* A plan: the marked candidate's, or a job's. */
typedef struct LpMotionSubject {
    const LpModel *model;
    LpSession *session;
    LpMotionModel *motion;
    const LpJob *job;
    const LpForecast *forecast; /* NULL: the job's own plan */
    const uint32_t *server;     /* in the order in which they are taken */
    uint32_t servers;
    uint32_t pairs; /* of groups that are lit at all */
} LpMotionSubject;

/* ---- motion_plan.c ---- */

/* How many of n things are there in a frame: all of them in the last one. */
uint32_t lp_motion_upto(uint32_t n, int frame, int frames);
/* Frames for so many things, at least one. */
int lp_motion_frames_for(uint32_t things);
/* Lays out the step of the plan; false when there is none, or it cannot be made. */
bool lp_motion_lay_out(LpMotionSubject *s);
/* The frame's instant: the middle of its share of the step; false for the still at the end. */
bool lp_motion_instant(LpMotionSubject *s);
/* What a row of the step does at a time, NULL: nothing. */
const LpStepBar *lp_motion_bar(const LpStepInspection *seen, uint32_t row, double t);

/* ---- motion_light.c ---- */

int lp_motion_light_frames(LpMotionSubject *s);
void lp_motion_show_light(LpMotionSubject *s);
void lp_motion_show_flows(LpMotionSubject *s);
/* The job's light does not show yet. */
void lp_motion_dark(LpMotionSubject *s);

#endif
