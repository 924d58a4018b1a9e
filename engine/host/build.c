/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one file that is compiled anew for each commit. */
#include "host/provenance.h"

#ifndef LP_BUILD /* who only reads the sources, as linters do */
#define LP_BUILD "unknown"
#endif

const char *lp_build_sources(void) {
    return LP_BUILD;
}
