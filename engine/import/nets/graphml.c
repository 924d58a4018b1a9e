/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as GraphML; what is called so may also be GML or a list of edges, as its contents say.
 */
#include <string.h>

#include "import/nets/graph_net.h"
#include "import/nets/nets.h"
#include "io/files/lines.h"

/* The first letter that is no blank and in no comment line. */
static size_t begin_of(const LpHead *head) {
    size_t at = 0;
    while (at < head->len &&
           (memchr(" \t\r\n", head->text[at], 4) != NULL || head->text[at] == '#'))
        if (head->text[at] == '#')
            while (at < head->len && head->text[at] != '\n')
                at++;
        else
            at++;
    return at;
}

static bool is_graphml(const LpHead *head) {
    return lp_head_has(head, "<graphml");
}

/* Reads what the contents are; a file that is not named twice is needed for that. */
static LpErr read_any(LpReading *reading, LpDiag *diag) {
    LpLineFile *lines;
    LpHead head = {0};
    bool gml = false, xml = true;
    if (strcmp(reading->file[0], "-") != 0) { /* which can be read once */
        LP_TRY(lp_lines_open(reading->file[0], 0, &lines, diag));
        LpErr err = lp_lines_head(lines, &head.text, &head.len, diag);
        if (err == LP_OK) {
            size_t begin = begin_of(&head);
            xml = begin == head.len || head.text[begin] == '<';
            gml = !xml && lp_format_gml.is(&head);
        }
        lp_lines_close(lines);
        LP_TRY(err);
    }
    if (gml)
        return lp_format_gml.read(reading, diag);
    return xml ? lp_net_read_graph(reading, lp_graph_read_graphml, diag)
               : lp_format_edges.read(reading, diag);
}

const LpFormat lp_format_graphml = {
    .name = "graphml",
    .what = "a network in GraphML: nodes of a kind, edges with a bandwidth",
    .makes = LP_MAKES_CLUSTER,
    .least = 1,
    .most = 1,
    .is = is_graphml,
    .read = read_any,
    .report = lp_net_report,
    .text = lp_net_text,
};
