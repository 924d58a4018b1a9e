/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as GML. */
#include <string.h>

#include "import/nets/graph_net.h"
#include "import/nets/nets.h"

static LpErr read_gml(LpReading *reading, LpDiag *diag) {
    reading->called = lp_format_gml.name;
    return lp_net_read_graph(reading, lp_graph_read_gml, diag);
}

/* "graph [", perhaps behind keys such as Creator "somebody". */
static bool is_gml(const LpHead *head) {
    for (size_t at = 0; at + 5 < head->len; at++) {
        size_t end = at + 5;
        if (memcmp(head->text + at, "graph", 5) != 0 ||
            (at > 0 && memchr(" \t\r\n", head->text[at - 1], 4) == NULL))
            continue;
        while (end < head->len && memchr(" \t\r\n", head->text[end], 4) != NULL)
            end++;
        if (end < head->len && head->text[end] == '[')
            return true;
    }
    return false;
}

const LpFormat lp_format_gml = {
    .name = "gml",
    .what = "a network in GML: nodes of a kind, edges with a bandwidth",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .is = is_gml,
    .read = read_gml,
    .report = lp_net_report,
    .text = lp_net_text,
};
