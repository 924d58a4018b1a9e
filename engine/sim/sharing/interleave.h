/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sharing of links where jobs meet only while they really send (LP_SHARING_INTERLEAVED). The
 * world keeps where each job was in its step when something last changed for those whom it can
 * meet, directly or through others; from there sim/sharing/meeting.h goes on, to the first end of
 * one of them or to the next change. So steps make no events of the cluster's clock. Private to
 * sim/. */
#ifndef LP_SIM_SHARING_INTERLEAVE_H
#define LP_SIM_SHARING_INTERLEAVE_H

#include "sim/sharing/sharing.h"

LpInterleave *lp_interleave_new(void); /* NULL: out of memory */
void lp_interleave_free(LpInterleave *interleave);
LpErr lp_interleave_reserve(LpInterleave *interleave, const LpInterleave *like) LP_MUST_USE;

/* As the functions of sim/sharing/sharing.h that they stand for. */
LpErr lp_interleave_forecast(LpInterleave *interleave, const LpWorld *world,
                             const LpContext *context, const LpPlannedLoad *job,
                             LpJobPace *out) LP_MUST_USE;
void lp_interleave_changed(LpInterleave *interleave, LpImage *image, const LpContext *context,
                           const LpJob *job, bool started);
void lp_interleave_settle(LpInterleave *interleave, LpImage *image, const LpContext *context,
                          const LpJob *job);
void lp_interleave_settle_all(LpInterleave *interleave, LpImage *image, const LpContext *context);
LpErr lp_interleave_again(LpInterleave *interleave, LpImage *image,
                          const LpContext *context) LP_MUST_USE;
LpErr lp_interleave_look(LpInterleave *interleave, const LpWorld *world, const LpContext *context,
                         uint32_t job, LpPhaseView *out) LP_MUST_USE;

#endif
