/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Theme files: how each role looks. The names of the roles are the caller's. */
#ifndef LP_IO_THEME_H
#define LP_IO_THEME_H

#include <stddef.h>

#include "base/err.h"
#include "base/look.h"
#include "io/json/json.h"

/* Reads {"lightpath_theme": 1, ...} from a text; `file` is what messages call it. role:
 * NULL-terminated, at most LP_LOOKS_MAX. What a role leaves out follows from what it says: c256
 * from c16, c16 from a c256 below 16 (else from c8), c8 from c16 without its brightness, mono from
 * attr. Errors: LP_EPARSE, LP_EINVAL, LP_ERANGE at file:line:col; LP_ENOMEM. */
LpErr lp_theme_parse(const char *file, const char *text, size_t len, const char *const *role,
                     LpThemeSpec *out, LpDiag *diag) LP_MUST_USE;
extern const LpJsonShape lp_shape_theme; /* for the schema */
/* The same from a regular file of at most 1 MiB. */
LpErr lp_theme_load(const char *path, const char *const *role, LpThemeSpec *out,
                    LpDiag *diag) LP_MUST_USE;

#endif
