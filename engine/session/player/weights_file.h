/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a network from its file (learn/weights.h says what stands in it). */
#ifndef LP_SESSION_PLAYER_WEIGHTS_FILE_H
#define LP_SESSION_PLAYER_WEIGHTS_FILE_H

#include "learn/weights.h"

/* What a run of training that is to go on needs besides the network. */
typedef struct LpNetworkCheckpoint {
    uint64_t updates, steps, episodes, adam_steps;
    uint64_t waited;        /* evaluations since the best */
    double baseline;        /* running mean of rewards */
    double *first, *second; /* Adam's moments, plan.params each; the caller's (lp_free) */
} LpNetworkCheckpoint;

/* From a text; name is what messages call it. checkpoint NULL: it is not looked at; else the file
 * must have one. *out is the caller's (lp_weights_free). Errors: LP_EPARSE, LP_EINVAL, LP_ERANGE at
 * file:line:col; LP_ENOMEM. */
LpErr lp_weights_parse(const char *name, const char *text, size_t len, LpWeights **out,
                       LpNetworkCheckpoint *checkpoint, LpDiag *diag) LP_MUST_USE;
/* From a file, at most 64 MiB, with a checkpoint 256 MiB. Errors also: LP_EIO, LP_ELIMIT. */
LpErr lp_weights_load(const char *path, LpWeights **out, LpNetworkCheckpoint *checkpoint,
                      LpDiag *diag) LP_MUST_USE;
/* Appends the file's text. checkpoint NULL: without. */
void lp_weights_text(const LpWeights *agent, const LpNetworkCheckpoint *checkpoint, LpBuf *out);
/* Writes the file at once (host/write_file.h); of what is there only a network gives way.
 * checkpoint NULL: without. Errors: LP_EIO, LP_ENOMEM. */
LpErr lp_weights_save(const char *path, const LpWeights *agent,
                      const LpNetworkCheckpoint *checkpoint, LpDiag *diag) LP_MUST_USE;
/* Could one be written there now? */
LpErr lp_weights_try(const char *path, LpDiag *diag) LP_MUST_USE;
/* The policy that plays a network's file: "pac_ml_queue.lua" for networks that let jobs wait, else,
 * also where there is no such file, "pac_ml.lua". */
const char *lp_weights_script(const char *path);

#endif
