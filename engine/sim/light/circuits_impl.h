/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cluster clock, plans and the store need of circuits; private to sim/. */
#ifndef LP_SIM_LIGHT_CIRCUITS_IMPL_H
#define LP_SIM_LIGHT_CIRCUITS_IMPL_H

#include "sim/light/circuits.h"
#include "sim/state/image.h"

/* Networks and schedules of one context, and working memory. */
LpErr lp_circuits_new(LpContext *context, LpDiag *diag) LP_MUST_USE;
void lp_circuits_free(LpCircuits *circuits); /* NULL allowed */

/* The ideal network of a context with other scales, once, which the context then answers for.
 * Errors: LP_ENOMEM. */
LpErr lp_circuits_scale(LpContext *context, LpDiag *diag) LP_MUST_USE;
/* The world's network is as fast as the context's now, or its cycles of matchings pay another
 * delay: what is lit, and all running jobs, again. Errors: LP_ENOMEM; world unchanged then. */
LpErr lp_circuits_again(LpWorld *world, const LpContext *context, LpDiag *diag) LP_MUST_USE;
/* The same networks and schedules under the same numbers, shared with those of `from`, which has
 * the same scales; nothing where there are none. Errors: LP_ENOMEM. O(networks). */
LpErr lp_circuits_share(const LpContext *context, const LpContext *from) LP_MUST_USE;

/* The context, as fast as this one, of the ideal network (lp_ocs_reference). */
const LpContext *lp_circuits_reference(const LpContext *context);

/* Circuits whose time has come are lit. False when none was due. Errors: LP_ENOMEM. */
LpErr lp_circuits_light(LpWorld *world, const LpContext *context, bool *lit,
                        LpDiag *diag) LP_MUST_USE;
/* May a job start that has no circuits yet? Where they follow the demand. */
bool lp_circuits_follow(const LpContext *context);
/* When circuits are next to be decided about, INFINITY: never. */
double lp_circuits_next_interval(const LpImage *image, const LpContext *context);
/* Does a running job wait for light, and not for more than LP_PATIENCE intervals in vain? */
enum { LP_PATIENCE = 100 };
bool lp_circuits_awaited(LpImage *image, const LpContext *context);
void lp_circuits_take_interval(LpImage *image, const LpContext *context);

/* Does something broken cover this port? */
static inline bool lp_port_broken(LpImage *image, uint32_t port) {
    return image->covers > image->servers && lp_image_cover(image)[image->servers + port] > 0;
}

/* Ends a job's dark stretch, if it is in one, at now. */
void lp_circuits_settle(LpImage *image, LpJob *job);

#endif
