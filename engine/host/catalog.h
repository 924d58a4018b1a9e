/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenarios that can be opened by name, with what a person wants to know before choosing. */
#ifndef LP_HOST_CATALOG_H
#define LP_HOST_CATALOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/trace/trace_job.h"

typedef struct LpCatalogItem {
    const char *name; /* "pac-ml-32" */
    const char *path;
    const char *title, *notes; /* untrusted texts; "" when the file says nothing */
    const char *fabric;        /* "ramp" */
    const char *semantics;     /* "corrected" or "published" */
    uint32_t servers, graphs;
    uint32_t lesson, minutes; /* number of its lesson, how long it takes */
    uint32_t order;           /* its place in the list, 0: none */
    const char *needs;        /* "needs 1, 2": lessons that come before it; NULL: none */
    const char *goal;         /* of its lesson; NULL: it has none */
    const char *error;        /* why it cannot be opened, NULL: it can */
} LpCatalogItem;

/* The scenarios that came with the program, in order of their names, then the lessons, in their
 * order; everything is in the arena. `traces` reads what they have from files of other programs.
 * Reads every file. Errors: LP_ENOMEM, also where descriptors ran out; LP_EIO where a folder cannot
 * be read. */
LpErr lp_catalog_read(LpArena *arena, const LpTraceSource *traces, const LpCatalogItem **out,
                      size_t *count, LpDiag *diag) LP_MUST_USE;

#endif
