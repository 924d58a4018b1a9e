/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a file of keys (lightpath-keys(5)). */
#ifndef LP_HOST_HOST_KEYS_H
#define LP_HOST_HOST_KEYS_H

#include "base/binding.h"
#include "base/err.h"
#include "base/mem.h"

/* The bindings in the order of the file, in the arena. Errors: LP_EIO, LP_EPARSE, LP_EINVAL,
 * LP_ELIMIT, LP_ENOMEM, with file:line:col. */
LpErr lp_run_keys_load(const char *path, LpArena *arena, LpBindings *out, LpDiag *diag) LP_MUST_USE;

#endif
