/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step in words: "stages=4 forward=90ms,100ms,100ms,110ms ...". */
#ifndef LP_SIM_TURNS_KEYS_H
#define LP_SIM_TURNS_KEYS_H

#include "base/str.h"
#include "sim/turns/experts.h"

/* Reads KEY=VALUE by KEY=VALUE; lists go into the arena. A value may have a blank before its unit.
 * Keys that are left out have the values of docs/turning-light.md; `preset` stands for a whole
 * step, whose values other keys replace. The step is not checked. Errors: LP_EINVAL with the key
 * and, where one is near, the key that was meant; LP_ENOMEM. */
LpErr lp_turn_step_read(const char *text, LpArena *arena, LpTurnStep *out,
                        LpDiag *diag) LP_MUST_USE;

/* Layers with experts in the same way: "layers=32 attention=20ms experts=110ms ...". */
LpErr lp_turn_experts_read(const char *text, LpArena *arena, LpTurnExperts *out,
                           LpDiag *diag) LP_MUST_USE;

/* A delay: a time, or the name of a preset of `lightpath presets`. LP_EINVAL names the text. */
LpErr lp_turn_delay_read(const char *text, double *out, LpDiag *diag) LP_MUST_USE;

/* The delays of `--delays`, such as "0,60ms,mixnet": *out is an array of *count >= 1 to free with
 * lp_free. Errors: LP_EINVAL and LP_ELIMIT name the option; LP_ENOMEM. */
enum { LP_TURN_DELAYS_MAX = 4096 };
LpErr lp_turn_delays_read(const char *list, double **out, uint32_t *count,
                          LpDiag *diag) LP_MUST_USE;

/* ---- steps that are published ---- */

/* What is published of a job on rails, from which its step follows. */
typedef struct LpTurnPreset {
    const char *name, *title, *source;
    uint32_t stages, replicas;
    double time, computing; /* s: of the step without delays, fitted; of one accelerator */
} LpTurnPreset;

const LpTurnPreset *lp_turn_preset_table(size_t *count);
const LpTurnPreset *lp_turn_preset_find(const char *name); /* NULL when unknown */
/* The step of a preset. LP_ENOMEM. */
LpErr lp_turn_preset_step(const LpTurnPreset *preset, LpArena *arena, LpTurnStep *out,
                          LpDiag *diag) LP_MUST_USE;

#endif
