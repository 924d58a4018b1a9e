/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regrouping by hand: which servers to rejoin so that every running job sits under one aggregator.
 */
#ifndef LP_SESSION_MOMENT_MOMENT_REGROUP_H
#define LP_SESSION_MOMENT_MOMENT_REGROUP_H

#include "session/session.h"

/* Jobs are given an aggregator each, larger jobs first (then lower ids): where most of its
 * servers hang already, then the one with most ports left, then the lower number; the links are the
 * servers that hang elsewhere. A job that fits under no aggregator stays. *out is the caller's
 * (lp_free); none where all is well. Errors: LP_ESTATE on a fabric without circuit switches or
 * aggregators, LP_ENOMEM. O(jobs log jobs + servers * ports). */
LpErr lp_regroup_links(const LpSession *session, LpRegroupLink **out, uint32_t *count,
                       LpDiag *diag) LP_MUST_USE;

#endif
