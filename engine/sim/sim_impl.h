/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the clock, decisions, actions and changes of conditions share. Private to this room. */
#ifndef LP_SIM_IMPL_H
#define LP_SIM_IMPL_H

#include "sim/context.h"
#include "sim/place/blocks.h"
#include "sim/state/image.h"
#include "sim/state/state.h"

/* Starting and stopping jobs (running.c). */
struct LpPlan;
void lp_job_take_plan(LpJob *job, const LpContext *context, const struct LpPlan *plan);
/* Mounts the plan that the job has taken and lets it run after `stall` seconds. */
void lp_job_start(LpImage *image, const LpContext *context, LpJob *job, double stall);
/* Adds the present spell in the queue, if it is in one, to those of its kind: before the first
 * start, after a preemption, after a failure. Returns its length, s. */
double lp_job_book_spell(const LpImage *image, LpJob *job);
/* The same, and the spell is over: part of its wait. A job that has started takes what
 * lp_store_reserve_spell reserved. */
void lp_job_leave_queue(const LpImage *image, const LpContext *context, LpJob *job);
/* Like lp_job_start where its circuits are counted elsewhere: `settle` seconds, then `restart`. */
void lp_job_go_on(LpImage *image, const LpContext *context, LpJob *job, double settle,
                  double restart);
/* A job that was stopped just now takes its servers back, broken ones too, and stands still. */
void lp_job_hold(LpImage *image, const LpContext *context, LpJob *job);
/* A job of the workload, or an extra one, arrives now; spec_index as in LpJob. */
void lp_job_new(LpImage *image, const LpContext *context, const LpJobSpec *spec,
                uint32_t spec_index);
/* Servers came free in the middle of an instant: everything that can happen at it is looked at once
 * more, so that waiting jobs are offered again now and not at the next event. */
void lp_image_recheck(LpImage *image);
/* From now on a second of work of a running job on a slice takes 1 + drag. */
void lp_job_change_pace(LpImage *image, LpJob *job, double drag);
/* Takes a running job off its servers; finished steps are kept, busy time is remembered. */
void lp_job_stop(LpImage *image, const LpContext *context, uint32_t id);
/* A failure stops a running job: it waits, and its finished steps are kept. */
void lp_job_interrupt(LpImage *image, const LpContext *context, uint32_t id);
/* A server breaks, or is mended, which nobody holds or a job that is held up. */
void lp_server_set(LpImage *image, const LpContext *context, uint32_t server, bool failed);
/* A completed job whose pace changed: its forecasts become what really was. */
void lp_job_settle_totals(LpJob *job);
void lp_job_release(LpImage *image, const LpContext *context, uint32_t id);
void lp_job_mount(LpImage *image, const LpContext *context, LpJob *job);
/* What it waited for until now counts; from now on it waits for `next`. Nothing without a slice. */
void lp_job_book_wait(const LpImage *image, LpJob *job, LpWaitFor next);
/* Puts a job at the end of the queue; a fifo queue is by arrival number. */
void lp_job_wait(LpImage *image, LpJob *job);
/* Seconds and bytes of reading a job's checkpoint onto its servers; 0 before its first step ends.
 */
double lp_job_checkpoint(const LpContext *context, const LpJob *job, uint32_t from, uint32_t to,
                         double *bytes);
/* Steps finished by now, whole ones. */
double lp_job_steps_done(const LpImage *image, const LpJob *job);

/* The degrees allowed now as a list in the store; LP_NO_INDEX for a rigid job. */
LpErr lp_world_list_degrees(const LpWorld *world, const LpContext *context, uint32_t job,
                            uint32_t *list, LpDiag *diag) LP_MUST_USE;

/* Published statistics of one tick (semantics 9.4). */
void lp_published_tick(LpImage *image, const LpContext *context, double tick);
void lp_published_arrival(LpImage *image, const LpContext *context, uint32_t job);

/* The largest degree that is looked at for a job that is not rigid; max 0: the scenario's. */
uint32_t lp_world_most_degree(const LpContext *context, const LpJob *job, uint32_t max);
/* What the degrees of a job come to, by degree up to `most`, where all of them can be looked up
 * (place/blocks.h); NULL: some cannot. */
const LpBlockSize *lp_world_block_sizes(const LpWorld *world, const LpContext *context,
                                        const LpJob *job, uint32_t most);

#endif
