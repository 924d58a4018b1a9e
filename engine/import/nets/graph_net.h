/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: the network that a graph of servers and switches is. */
#ifndef LP_IMPORT_NETS_GRAPH_NET_H
#define LP_IMPORT_NETS_GRAPH_NET_H

#include "graph/graph_file.h"
#include "import/nets/net.h"

/* Makes the network of a graph whose nodes have the kind of a server or a switch and whose edges
 * have bandwidths. Errors: LP_EPARSE at the line of a node or an edge for a kind, a bandwidth, a
 * delay that is none, a loop, a server that is apart, directions that differ; LP_ENOMEM, LP_ELIMIT.
 */
LpErr lp_net_of_graph(const LpGraphFile *graph, const char *file, const LpImportOptions *options,
                      LpNet *net, LpDiag *diag) LP_MUST_USE;

typedef LpErr LpGraphReader(const char *file, const char *text, size_t len, LpGraphFile **out,
                            LpDiag *diag);

/* Reads the one file of `reading` as a graph, and makes its network. Errors: those of `reader`, of
 * reading the file, and those above. */
LpErr lp_net_read_graph(LpReading *reading, LpGraphReader *reader, LpDiag *diag) LP_MUST_USE;

#endif
