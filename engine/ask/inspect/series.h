/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of a run as a table that is written while the run goes on: what each job sends, and how
 * busy its servers are, wherever that changes. */
#ifndef LP_ASK_INSPECT_SERIES_H
#define LP_ASK_INSPECT_SERIES_H

#include "base/str.h"
#include "session/session.h"
#include "sim/facts/samples.h"

typedef struct LpSeries LpSeries;

/* Writes "time,job,light,throughput,compute_busy,kernel_resident", and while the session goes on a
 * line per sample, in the order of events, in pieces to `sink`. What a line says holds until the
 * job's next one; only what changes has one. Holds what jobs do that have not ended long ago: 48
 * bytes each, for as many as the world's image has. Nobody else may listen to the session.
 * Errors: LP_ENOMEM, and of the session's later steps also LP_EMEMLIMIT (--max-memory) and those of
 * `sink`. */
LpErr lp_series_open(LpSession *session, LpSink sink, void *user, LpSeries **out,
                     LpDiag *diag) LP_MUST_USE;
/* At the end of the run: what is left. */
LpErr lp_series_end(LpSeries *series, LpDiag *diag) LP_MUST_USE;
/* The session is listened to no more. NULL allowed. Before the session is closed. */
void lp_series_close(LpSeries *series);

#endif
