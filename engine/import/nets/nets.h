/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of clusters and networks, one file each: rows of the table in import/formats.c. */
#ifndef LP_IMPORT_NETS_NETS_H
#define LP_IMPORT_NETS_NETS_H

#include "import/rows/format.h"

extern const LpFormat lp_format_slurm_topology, lp_format_topograph, lp_format_graphml,
    lp_format_gml, lp_format_edges, lp_format_astra_network;

#endif
