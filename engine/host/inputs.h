/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input files that are read once and given to many sessions, so that all of them see the same bytes
 * even when somebody saves one of the files meanwhile. */
#ifndef LP_HOST_INPUTS_H
#define LP_HOST_INPUTS_H

#include <stdint.h>

#include "base/files.h"
#include "base/mem.h"
#include "host/sha256.h"
#include "script/policy/policy.h"

typedef struct LpInputs LpInputs;

/* Empty. Errors: LP_ENOMEM. */
LpErr lp_inputs_new(LpInputs **out, LpDiag *diag) LP_MUST_USE;
/* Keeps no texts, but what they were (lp_inputs_sources): each time that a path is asked for, the
 * disk is read. Errors: LP_ENOMEM. */
LpErr lp_inputs_new_passing(LpInputs **out, LpDiag *diag) LP_MUST_USE;
void lp_inputs_free(LpInputs *inputs); /* NULL allowed */
/* Reads the disk the first time that a path is asked for and remembers what it found: the text, the
 * failure, or that there is no such file. For any number of threads; valid as long as the inputs.
 */
const LpFiles *lp_inputs_files(LpInputs *inputs);
/* A text that is on no disk, under a path of its own, before anybody asks for it; copied. Errors:
 * LP_ENOMEM. */
LpErr lp_inputs_put(LpInputs *inputs, const char *path, const char *text, size_t len,
                    LpDiag *diag) LP_MUST_USE;
/* Hash of all texts read so far, in the order in which they were first read; paths do not count. */
uint64_t lp_inputs_hash(LpInputs *inputs);

/* A file that was read, by its contents as they were unpacked; of a trace those of the file. */
typedef struct LpSource {
    const char *kind; /* "scenario", "graph", "policy", "network", "trace", "failures" */
    const char *file; /* as it was opened */
    char sha256[LP_SHA256_HEX];
} LpSource;
/* All of them, the scenario first, the others by their paths; in the arena. Errors: LP_ENOMEM. */
LpErr lp_inputs_sources(LpInputs *inputs, LpArena *arena, LpSource **out, uint32_t *count,
                        LpDiag *diag) LP_MUST_USE;

/* The files that a policy was made of as they were when it was loaded: to load it once more
 * whatever the disk says. Both are borrowed while *files is in use. */
LpFiles lp_inputs_of_policy(const LpPolicy *policy);

#endif
