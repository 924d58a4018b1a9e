/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of one policy on a mini-scenario, and what it was like. Private to ask/. */
#ifndef LP_ASK_POLICY_PLAY_H
#define LP_ASK_POLICY_PLAY_H

#include "ask/policy/mini.h"
#include "sim/facts/metrics.h"

typedef struct LpPolicyRun {
    uint64_t hash, decisions, units, most_units, predictions, most_predictions, failures, refused;
    LpDiag failure, action; /* the first of each */
    uint64_t actions_refused;
    char last[LP_DIAG_TEXT]; /* message after the last step */
    char refusal[LP_DIAG_TEXT];
    uint32_t refused_job;
    LpSummary summary;
    bool changed; /* lasting: hooks changed what they keep outside of self.mem, or may have */
} LpPolicyRun;

/* Plays the mini-scenario to its end. lasting: what hooks change outside of self.mem is there in
 * the next call, as it is in no other run. Errors: LP_ENOMEM, and those of loading. */
LpErr lp_policy_play(const char *path, uint32_t params, const char *const *param, int mini,
                     bool lasting, LpPolicyRun *run, LpDiag *diag) LP_MUST_USE;

#endif
