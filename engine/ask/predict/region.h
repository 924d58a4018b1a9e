/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath turns --region`: greedy circuits of a region for experts, and its all-to-all. */
#ifndef LP_ASK_PREDICT_REGION_H
#define LP_ASK_PREDICT_REGION_H

#include "base/str.h"

/* Reads "demand=0,6/4,0 ports=3 packet_ports=1 rate=1 rule=stop" (docs/turning-light.md, 8) and
 * appends the rounds, the circuits and the times: JSON, or tables for people. Errors: LP_EINVAL
 * with the key; LP_ENOMEM. Nothing is appended then. */
LpErr lp_region_report(const char *text, bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
