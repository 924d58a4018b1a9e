/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light that a job needs for as long as it runs: wavelengths that nobody else holds, and circuits
 * and cables that are not broken. Private to sim/. */
#ifndef LP_SIM_LIGHT_RESERVE_H
#define LP_SIM_LIGHT_RESERVE_H

#include "sim/state/image.h"

/* Corrected rule 3 on RAMP without isolated racks: a job reserves every wavelength of a subnet that
 * its circuits need for as long as it runs. *cause is NO_CIRCUIT, with a sentence, when one is
 * taken, else unchanged. Errors: LP_ENOMEM. */
LpErr lp_world_check_light(const LpWorld *world, const LpContext *context, uint32_t partition,
                           uint32_t placement, LpCause *cause, char reason[LP_DIAG_TEXT],
                           LpDiag *diag) LP_MUST_USE;

/* Reserves the wavelengths that a starting job needs (corrected rule 3). */
void lp_world_take_light(LpImage *image, const LpContext *context, const LpJob *job);
/* Does a placed partition need light or cables between one of these pairs (a < b)? *hit is then the
 * first such pair, else NULL. Errors: LP_ENOMEM. */
LpErr lp_light_needs(const LpContext *context, uint32_t partition, uint32_t placement,
                     const LpFailed *pair, uint32_t count, const LpFailed **hit,
                     LpDiag *diag) LP_MUST_USE;
/* Corrected: *cause is NO_CIRCUIT, with a sentence, when the tasks of a placed partition need a
 * broken light path or cable, else unchanged. Errors: LP_ENOMEM. */
LpErr lp_world_check_failed(const LpWorld *world, const LpContext *context, uint32_t partition,
                            uint32_t placement, LpCause *cause, char reason[LP_DIAG_TEXT],
                            LpDiag *diag) LP_MUST_USE;

#endif
