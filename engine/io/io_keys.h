/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of keys: {"lightpath_keys": 1, "keys": {"NAME": "KEY" or ["KEY", ...]}}. What the names and
 * keys mean is the caller's to judge. */
#ifndef LP_IO_KEYS_H
#define LP_IO_KEYS_H

#include <stddef.h>

#include "base/binding.h"
#include "base/err.h"
#include "base/mem.h"
#include "io/json/json.h"

/* From a text; `file` is what messages call it. The result lies in the arena, in the order of the
 * file. Errors: LP_EPARSE, LP_EINVAL at file:line:col; LP_ENOMEM. */
LpErr lp_keys_parse(const char *file, const char *text, size_t len, LpArena *arena, LpBindings *out,
                    LpDiag *diag) LP_MUST_USE;
extern const LpJsonShape lp_shape_keys; /* for the schema */
/* From a regular file of at most 1 MiB; further errors: LP_EIO, LP_ELIMIT. */
LpErr lp_keys_load(const char *path, LpArena *arena, LpBindings *out, LpDiag *diag) LP_MUST_USE;

#endif
