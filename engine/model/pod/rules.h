/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By which rules places of slices are searched; the search is in model/pod/place.h. */
#ifndef LP_MODEL_POD_RULES_H
#define LP_MODEL_POD_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* How places are searched. Zero: the lowest cubes first, parts where fewest are free. */
typedef struct LpPodRules {
    bool spread;     /* cubes of a slice over failure domains; else the lowest ones */
    bool sub_lowest; /* parts into the lowest cube; else into the one with fewest free */
    uint32_t spares; /* cubes that whole-cube slices leave free (switched wiring) */
    uint32_t cubes_per_domain;
} LpPodRules;

#endif
