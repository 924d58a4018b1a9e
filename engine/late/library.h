/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared libraries that are loaded when something of them is needed for the first time. The program
 * is not linked with them, so most commands start without them, and a machine that lacks one can do
 * all that does not need it. Knows no library: each has its table in the one folder that sees it.
 */
#ifndef LP_LATE_LIBRARY_H
#define LP_LATE_LIBRARY_H

#include <stddef.h>

#include "base/err.h"

/* Loads the library `soname` ("libigraph.so.3"), which stays until the process ends, and finds
 * `count` functions by name[]; pointers to them are written to `functions`, an array of pointers to
 * functions or a struct of nothing else, in that order. `what` says what the library is for, as in
 * "needed for a layout". Loading again what is there costs microseconds. Any thread. Errors:
 * LP_ENOMEM; LP_EIO with a sentence that names the library and its Debian package; `functions` is
 * as before then. */
LpErr lp_library_load(const char *soname, const char *const *name, size_t count, void *functions,
                      const char *what, LpDiag *diag) LP_MUST_USE;

/* A function that a library which was loaded may have or not: its pointer goes to *function, a
 * pointer to a function, which is left alone where there is none. */
void lp_library_find(const char *soname, const char *name, void *function);

#endif
