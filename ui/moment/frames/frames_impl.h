/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the scenes: which there are (motion.c), those of a decision (motion_decide.c), inside a
 * training step (motion_step.c), light (motion_light.c), after a decision (motion_after.c), and
 * circuits that turn (motion_regroup.c). */
#ifndef LP_UI_MOMENT_MOTION_INTERNAL_H
#define LP_UI_MOMENT_MOTION_INTERNAL_H

#include "moment/picture/words.h"

/* A plan: the marked candidate's, or a job's. */
typedef struct LpMotionSubject {
    const LpModel *model;
    LpSession *session;
    LpMotionModel *motion;
    LpNow *now;
    bool failed; /* out of memory */
    const LpJob *job;
    char name[LP_WORDS_JOB];    /* in sentences: its letter, or "job 4" */
    const LpForecast *forecast; /* NULL: the job's own plan */
    const uint32_t *server;     /* in the order in which they are taken */
    uint32_t servers;
    uint32_t txs; /* transmitters that are lit at all */
} LpMotionSubject;

/* ---- motion_plan.c ---- */

/* How many of n things are there in a frame: all of them in the last one. */
uint32_t lp_motion_upto(uint32_t n, int frame, int frames);
/* Frames for `things` things, at least one. */
int lp_motion_frames_for(uint32_t things);
/* Lays out the step of the plan; false when there is none, or it cannot be made. */
bool lp_motion_lay_out(LpMotionSubject *s);
/* The instants at which an order is chosen, of ops or of flows. */
void lp_motion_find_choices(LpMotionModel *m);
/* The frame's choice, at whose instant m->at is; NULL for the still at the end. */
const LpOrderTurn *lp_motion_choice(LpMotionSubject *s);
/* "50 and 52", and by which rule of the answer one goes first: "Shorter first". */
void lp_motion_name_bars(const LpMotionModel *m, const LpOrderTurn *choice, LpBuf *out);
const char *lp_motion_rule(const LpMotionSubject *s, bool flows, const LpOrderTurn *turn);
/* What a row of the step does at a time, NULL: nothing. */
const LpStepBar *lp_motion_bar(const LpStepInspection *seen, uint32_t row, double t);

/* Marks a server; the first n of the plan's show as wanted, those since `before` as the newest. */
void lp_motion_mark(LpMotionModel *m, uint32_t server, LpServerMark as);
void lp_motion_want(LpMotionSubject *s, uint32_t before, uint32_t n);
/* Marks every free server as one that cannot be used. */
void lp_motion_refuse_free(LpMotionSubject *s);
/* The candidate that is marked, else the policy's; NULL: none. */
const LpCandidate *lp_motion_candidate(const LpModel *model);

/* ---- the scenes: how many frames, and one of them ---- */

int lp_motion_split_frames(LpMotionSubject *s);
void lp_motion_show_split(LpMotionSubject *s);
int lp_motion_place_frames(LpMotionSubject *s);
void lp_motion_show_place(LpMotionSubject *s);
int lp_motion_step_frames(LpMotionSubject *s);
void lp_motion_show_ops(LpMotionSubject *s);
int lp_motion_light_frames(LpMotionSubject *s);
void lp_motion_show_light(LpMotionSubject *s);
void lp_motion_show_flows(LpMotionSubject *s);
int lp_motion_start_frames(LpMotionSubject *s);
void lp_motion_show_start(LpMotionSubject *s);
int lp_motion_blocked_frames(LpMotionSubject *s);
void lp_motion_show_blocked(LpMotionSubject *s);
int lp_motion_done_frames(LpMotionSubject *s);
void lp_motion_show_done(LpMotionSubject *s);
int lp_motion_regroup_frames(LpMotionSubject *s);
void lp_motion_show_regroup(LpMotionSubject *s);
int lp_motion_relit_frames(LpMotionSubject *s);
void lp_motion_show_relit(LpMotionSubject *s);

#endif
