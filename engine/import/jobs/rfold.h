/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes as files of RFold write them, in its traces and in its distributions. */
#ifndef LP_IMPORT_JOBS_RFOLD_H
#define LP_IMPORT_JOBS_RFOLD_H

#include "io/files/lines.h"

typedef struct LpRfoldSlice {
    char slice[64]; /* "4x4x8 twisted"; "" where the topology is no torus */
    double size;    /* accelerators: the product of the edges, or the sum over machines */
    bool swapped;   /* the shape stood where the size is meant to stand */
    bool differs;   /* the size said another number */
} LpRfoldSlice;

/* T2D, T3D_NT, T3D_T (a twisted torus) or CLOS. */
bool lp_rfold_is_topology(const char *name);

/* Takes a shape such as "4x4x8" or "4+4" apart; which of the two fields it is, its marks tell.
 * Errors: LP_EPARSE at the line that was read last. */
LpErr lp_rfold_slice(LpLineFile *lines, const char *topology, const char *shape, const char *size,
                     LpRfoldSlice *out, LpDiag *diag) LP_MUST_USE;

#endif
