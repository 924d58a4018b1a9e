/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of the JSON reader: the document, shared by json.c and json_set.c. */
#ifndef LP_IO_JSON_INTERNAL_H
#define LP_IO_JSON_INTERNAL_H

#include <cjson/cJSON.h>

#include "io/json/json.h"
#include "io/json/scan.h"

/* Where values came from: the file, or one --set. */
typedef struct LpJsonSource {
    const char *file; /* NULL for a --set */
    const char *text; /* of a --set: the whole assignment */
} LpJsonSource;

/* Every node's valueint (unused by cJSON's readers) is its index in `places`. */
struct LpJson {
    cJSON *root;
    LpJsonPlaces places;
    LpJsonSource *source;
    size_t sources, source_cap;
    uint32_t *line; /* offset of each line of the file */
    size_t lines, line_cap;
};

/* Reads text[start..len) (text[len] is 0) as one value of a new source. *out is detached, owned by
 * the caller (cJSON_Delete). */
LpErr lp_json_build(LpJson *doc, const LpJsonSource *source, size_t start, size_t len, cJSON **out,
                    LpDiag *diag) LP_MUST_USE;

#endif
