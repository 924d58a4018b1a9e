/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cluster that jobs of a trace are put onto: a file of another program, or a scenario whose
 * cluster is taken. */
#ifndef LP_IMPORT_ONTO_H
#define LP_IMPORT_ONTO_H

#include "import/import.h"

struct LpImportOnto {
    LpImport net;  /* of a file of another program; format NULL: it was a scenario */
    LpBuf cluster; /* JSON: the value of a scenario's key "cluster" */
    uint32_t servers;
    uint32_t level_servers; /* of the largest node of the level that is required; 0: none is */
    bool hosts;             /* its servers are hosts of a tree */
    bool slices;            /* jobs on it may ask for slices */
};

/* Reads the cluster of a file, whose format is told from its contents; what is not of a format is
 * read as a scenario. The level that `options` require has to be one of the cluster's. `out` is to
 * be freed in any case; *file and the texts of `options` are used until then. Errors: LP_EINVAL for
 * a file that holds no cluster, and for a level that the cluster does not have, naming those that
 * it has; those of reading it. */
LpErr lp_import_onto(const char *const *file, const LpImportOptions *options, LpImportOnto *out,
                     LpDiag *diag) LP_MUST_USE;
void lp_import_onto_free(LpImportOnto *onto);

#endif
