/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile files as the commands meet them: which format, and what to call the graph. */
#ifndef LP_HOST_PROFILE_H
#define LP_HOST_PROFILE_H

#include <stddef.h>

#include "base/err.h"

typedef enum LpProfileFormat {
    LP_PROFILE_NEITHER,
    LP_PROFILE_PIPEDREAM, /* text with nodes and edges, or nothing that looks like JSON */
    LP_PROFILE_OWN        /* a JSON object with the key "lightpath_profile" */
} LpProfileFormat;

/* By contents (text[len] is 0). A JSON object without the key, such as a scenario, is NEITHER.
 * O(len). */
LpProfileFormat lp_profile_format(const char *text, size_t len);
/* Format of a file, by its contents: read whole. Errors: those of reading it. */
LpErr lp_profile_detect(const char *file, size_t max_input, LpProfileFormat *out,
                        LpDiag *diag) LP_MUST_USE;
/* A graph's name: the file's without folder and ending; where the file is called graph.txt, as
 * PipeDream does, its folder's. Writes at most size - 1 bytes. Returns buf. */
const char *lp_profile_name(const char *file, char *buf, size_t size);

#endif
