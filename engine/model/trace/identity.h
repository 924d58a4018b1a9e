/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose job it is: what a user, or the scheduler of a real cluster, calls it. */
#ifndef LP_MODEL_IDENTITY_H
#define LP_MODEL_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* Texts of the scenario's arena; NULL: not said. */
typedef struct LpIdentity {
    const char *key; /* "id" of the scenario: no two jobs have the same */
    const char *name, *user, *group;
    bool number; /* the key was given as a whole number, of which it has the digits */
} LpIdentity;

/* A whole number that is a key, so that no two of them are the same double. */
#define LP_KEY_NUMBER_MOST 0x1p53

enum { LP_LABEL_TEXT = 64 };
/* What a job is called on a screen and in a sentence: its name, or "job 41" with its number where
 * it has none. Every character of it is one column wide, and a long name ends in an ellipsis.
 * `identity` may be NULL. Returns out. */
const char *lp_identity_label(const LpIdentity *identity, uint32_t number, char out[LP_LABEL_TEXT]);

#endif
