/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Components break and are mended while jobs run: what that stops, and what stopped jobs
 * do. When it happens is a list of the seed alone (model/pod/outage.h); a world has the number of
 * its events that have happened. */
#ifndef LP_SIM_OUTAGES_H
#define LP_SIM_OUTAGES_H

#include "sim/context.h"
#include "sim/state/image.h"
#include "sim/state/state.h"

/* The lists that worlds of a context ask for, by seed. NULL where nothing breaks by itself.
 * Errors: LP_ENOMEM. */
LpErr lp_outages_new(LpContext *context) LP_MUST_USE;
void lp_outages_free(LpOutageBook *book); /* NULL allowed */
/* Event number `at` of a seed's list; NULL: the list has no more than `at`. Errors: LP_ENOMEM. */
LpErr lp_outages_at(const LpContext *context, uint64_t seed, uint32_t at,
                    const LpOutageEvent **out) LP_MUST_USE;

/* Time of the next one, INFINITY: none, or none that anybody could notice. */
double lp_outages_next(LpImage *image, const LpContext *context);
/* Was it asked for that this one does not happen (LP_CONDITION_WITHOUT_FAILURE)? O(changes). */
bool lp_outages_averted(LpImage *image, const LpOutageEvent *event);
/* The failure of a component that has this number, negative: the next one, among those that are
 * still to come; NULL: there is none among the next million events. Errors: LP_ENOMEM. */
LpErr lp_outages_failure(const LpWorld *world, const LpContext *context, uint32_t kind,
                         uint32_t index, double number, const LpOutageEvent **out) LP_MUST_USE;
/* What broke or was mended: LpEvent.fault, or LpJob.stopped_by; NULL: 0, or nothing breaks by
 * itself. Good until the next call of this room. */
const LpOutageEvent *lp_outages_of(const LpContext *context, uint64_t seed, uint32_t fault);
/* Its component in words (lp_cluster_component). Returns buf. */
const char *lp_outages_text(const LpContext *context, const LpOutageEvent *event,
                            char buf[LP_COMPONENT_TEXT]);
/* What breaks or is mended now, one. *done says whether there was one. Errors: LP_ENOMEM, the world
 * is spoilt then. */
LpErr lp_outages_one(LpWorld *world, const LpContext *context, bool *done, LpEvent *out,
                     LpDiag *diag) LP_MUST_USE;

/* Will nothing come of this run? No more jobs arrive, no horizon ends it, and LP_VAIN_MAX events in
 * vain (sim/state/vain.h), and LP_VAIN_EACH for each component with a clock, have come in a row. */
enum { LP_VAIN_MAX = 100000, LP_VAIN_EACH = 10 };
bool lp_outages_endless(const LpImage *image, const LpContext *context);

#endif
