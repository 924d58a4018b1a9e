/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A network in a file: JSON of one object, format 1. Written here; whoever parses the file (run/)
 * hands the parts over, and here they are checked. Parameters are rounded to what the file says
 * when training ends, so that a loaded network has the bits of the saved one.
 *
 *   { "lightpath_network": 1, "encoding": "pac-ml", "degrees": 16,
 *     "placings": ["engine"],
 *     "shape": { "rounds": 2, "messages": 32, ... "silent_sources": true },
 *     "trained": { "scenario": "...", "algorithm": "ppo", "seed": 1, "steps": 1000000, ... },
 *     "tensors": { "round0.node.gain": [ ... ], ... } }
 *
 * A tensor is a list of numbers, or packed: {"scale": 1.5e-5, "int16": "AAEA..."} with integers of
 * 16 bits, two's complement, low byte first, in base64 (RFC 4648, with padding), each times scale.
 */
#ifndef LP_LEARN_WEIGHTS_H
#define LP_LEARN_WEIGHTS_H

#include "base/json_out.h"
#include "learn/observe.h"

enum {
    LP_NETWORK_FORMAT = 1,
    LP_NETWORK_NOTE = 128,
    LP_PLACINGS_MAX = 4,
    LP_PLACING_NAME = 32,
    LP_NETWORK_SETTINGS = 1024
};

/* How it came about; for people. Unknown numbers are 0. */
typedef struct LpNetNote {
    char scenario[LP_NETWORK_NOTE], algorithm[LP_NETWORK_NOTE];
    uint64_t seed, steps, simulated;    /* decisions learnt from, and simulated for it in all */
    uint32_t scenarios;                 /* that it met */
    char settings[LP_NETWORK_SETTINGS]; /* of its training, "name=value name=value"; may be "" */
    double return_mean;                 /* of the last episodes */
    /* What it was trained for, least and most over its scenarios: see LpSetting. servers[1] 0: not
     * known, as in older files. */
    double servers[2], load[2], limit[2];
} LpNetNote;

typedef struct LpWeights {
    LpEncoding encoding;
    uint32_t degrees, placings;                     /* what actions stand for, see observe.h */
    char placing[LP_PLACINGS_MAX][LP_PLACING_NAME]; /* names of the rules */
    LpNetPlan plan;
    double *params; /* plan.params; owned */
    bool *given;    /* tensors that were handed over so far; owned */
    double
        *scale; /* of each tensor: its parameters are 16-bit integers times this; 0: any; owned */
    LpNetNote note;
} LpWeights;

/* A network of the encoding's features and actions; shape's own are not looked at. placing: names
 * of rules, at most LP_PLACINGS_MAX. All parameters are 0. Errors: as lp_net_check; LP_ERANGE for
 * degrees and placings; LP_ENOMEM. */
LpErr lp_weights_new(LpEncoding encoding, uint32_t degrees, const char *const *placing,
                     uint32_t placings, const LpNetShape *shape, LpWeights **out,
                     LpDiag *diag) LP_MUST_USE;
void lp_weights_free(LpWeights *agent); /* NULL allowed */
/* The same network once more. NULL: out of memory. */
LpWeights *lp_weights_copy(const LpWeights *agent);

/* Rounds every parameter to a multiple of 1/32767 of the largest of its tensor: then the file is
 * written packed. Tensors that hold what is not finite stay as they are. */
void lp_weights_round(LpWeights *agent);
/* Writes the members of the file into an open object; they read back to the same bits. */
void lp_weights_write(const LpWeights *agent, LpJsonOut *json);

/* Room for one tensor of the file: its parameters and how many they are. Errors: LP_EINVAL for a
 * name that there is not (with the nearest) or that was given before. */
LpErr lp_weights_tensor(LpWeights *agent, const char *name, double **values, size_t *count,
                        LpDiag *diag) LP_MUST_USE;
/* A packed tensor of the file: scale, positive, and text of exactly the bytes of its parameters.
 * Errors: LP_EINVAL naming what is wrong; as lp_weights_tensor. */
LpErr lp_weights_unpack(LpWeights *agent, const char *name, double scale, const char *text,
                        LpDiag *diag) LP_MUST_USE;
/* All tensors must have been given, and all parameters be finite. Errors: LP_EINVAL naming the one
 * that is not. */
LpErr lp_weights_complete(const LpWeights *agent, LpDiag *diag) LP_MUST_USE;

#endif
