/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a failed assertion ends. The one place of the engine that prints and stops the process,
 * and in checked builds only: a bug has been found, and nobody is left to return an error to. */
#include "base/assert.h"

#if defined(LP_CHECKED)

#include <stdio.h>
#include <stdlib.h>

void lp_assert_failed(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: bug: %s\n", file, line, what);
    abort();
}

#endif
