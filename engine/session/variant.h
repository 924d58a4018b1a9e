/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session on the same inputs with something else in the scenario: another load, another cluster.
 * Such a change cannot be a branch, since nothing that was decided holds any more. */
#ifndef LP_SESSION_VARIANT_H
#define LP_SESSION_VARIANT_H

#include "session/session.h"

/* A new session from its start, read from the files that this one was opened from as they were then
 * (the disk is not asked), with the policy that decides here now. Of the spec count `set` (on top
 * of what this one was opened with), `policy` (NULL: that of this session), `param`, `has_seed`
 * (else this session's seed) and the flags `keep_...`. Errors: LP_ESTATE where this session keeps
 * neither files nor a time line, or was made in memory; those of lp_session_open. Cost: reading the
 * scenario and its graphs. */
LpErr lp_session_variant(const LpSession *session, const LpSessionSpec *spec, LpSession **out,
                         LpDiag *diag) LP_MUST_USE;

#endif
