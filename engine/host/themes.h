/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and reads theme files. */
#ifndef LP_HOST_THEMES_H
#define LP_HOST_THEMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/look.h"

/* Where a theme's file is: `name` is a path (it has a slash, or ends in .json) or a bare name,
 * whose NAME.json is looked for beside the file `beside` (NULL: nowhere), then in themes/ of the
 * data folders (lp_paths_dirs). A path is relative to the working folder, or to that of `beside`
 * where `nested`. False when there is no such file, or the path does not fit. */
bool lp_themes_find(const char *name, const char *beside, bool nested, char *path, size_t size);

/* Reads a theme file, see io/theme.h: role is NULL-terminated; what a role leaves out follows from
 * what it says. Errors: LP_EIO, LP_EPARSE, LP_EINVAL, LP_ELIMIT, LP_ENOMEM, with file:line:col. */
LpErr lp_themes_load(const char *path, const char *const *role, LpThemeSpec *out,
                     LpDiag *diag) LP_MUST_USE;

#endif
