/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of the simulations of Opus (docs/turning-light.md, 7): what they print, and what of a step
 * follows from it. */
#include <string.h>

#include "sim/turns/turns_keys.h"

/* Their model and their rail. */
enum { LAYERS = 128, TENSOR_PARALLEL = 32, BATCH = 256, SEQUENCE = 4096, HIDDEN = 16384 };
static const double LAYER_PARAMETERS = 3.187e9, BYTES = 2, RAIL = 100e9;

static const LpTurnPreset PRESETS[] = {
    {"opus_pp4", "128 layers on 512 accelerators: 4 stages, 4 replicas, tensor parallelism of 32",
     "arXiv 2602.12521, github.com/opusfabric/Opus: simulated steps at delay 0", 4, 4, 22.7209,
     4.0930},
    {"opus_pp8", "128 layers on 2048 accelerators: 8 stages, 8 replicas, tensor parallelism of 32",
     "arXiv 2602.12521, github.com/opusfabric/Opus: simulated steps at delay 0", 8, 8, 11.5945,
     1.0287},
};

const LpTurnPreset *lp_turn_preset_table(size_t *count) {
    *count = LP_COUNTOF(PRESETS);
    return PRESETS;
}

const LpTurnPreset *lp_turn_preset_find(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(PRESETS); i++)
        if (strcmp(name, PRESETS[i].name) == 0)
            return &PRESETS[i];
    return NULL;
}

static LpTurnTimes one_time(LpArena *arena, double value) {
    double *item = lp_arena_alloc(arena, 1, sizeof *item);
    if (item == NULL)
        return (LpTurnTimes){0};
    *item = value;
    return (LpTurnTimes){.count = 1, .item = item};
}

/* Tensor-parallel communication takes a stage `extra` each way: what the time of the step leaves
 * when computing, buckets and sends are taken off it. */
LpErr lp_turn_preset_step(const LpTurnPreset *preset, LpArena *arena, LpTurnStep *out,
                          LpDiag *diag) {
    double p = preset->stages, r = preset->replicas, layers = LAYERS / p;
    double gradients = LAYER_PARAMETERS * BYTES / TENSOR_PARALLEL;
    double bucket = 2 * (r - 1) / r * gradients / (2 * RAIL); /* a ring both ways */
    double send = BATCH / r * SEQUENCE * HIDDEN * BYTES / TENSOR_PARALLEL / RAIL;
    double own = (preset->time - p * layers * bucket - 2 * (p - 1) * send) / p;
    double extra = (own - preset->computing) / 2;
    LpTurnStep step = {.stages = preset->stages,
                       .replicas = preset->replicas,
                       .micro_batches = 1,
                       .layers = LAYERS / preset->stages,
                       .ports = 2,
                       .steps = 1,
                       .serial = true,
                       .reduce = LP_TURN_REDUCE_BUCKET,
                       .forward = one_time(arena, preset->computing / 3 + extra),
                       .backward = one_time(arena, 2 * preset->computing / 3 + extra),
                       .send = one_time(arena, send),
                       .bucket = one_time(arena, bucket)};
    if (step.forward.count == 0 || step.backward.count == 0 || step.send.count == 0 ||
        step.bucket.count == 0)
        return lp_fail_memory(diag, "a published step");
    *out = step;
    return LP_OK;
}
