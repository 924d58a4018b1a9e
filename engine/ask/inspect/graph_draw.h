/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of graphs that are worked out on another thread, since a large one takes a second. */
#ifndef LP_ASK_INSPECT_GRAPH_DRAW_H
#define LP_ASK_INSPECT_GRAPH_DRAW_H

#include "ask/inspect/graph.h"

typedef struct LpGraphDraw LpGraphDraw;

/* Begins to draw; what it needs is copied. Errors: LP_ENOMEM; LP_EIO when no thread can be made. */
LpErr lp_graph_draw(const LpGraphInspection *seen, LpGraphDraw **out, LpDiag *diag) LP_MUST_USE;
bool lp_graph_draw_works(LpGraphDraw *draw); /* is it still being drawn? */
/* Waits for the drawing. x, y: nodes items each, valid until it is freed, as lp_graph_layers makes
 * them (graph/layout.h), with its errors; what is above its limits is drawn without a search for
 * few crossings. */
LpErr lp_graph_draw_wait(LpGraphDraw *draw, const double **x, const double **y,
                         LpDiag *diag) LP_MUST_USE;
uint32_t lp_graph_draw_nodes(const LpGraphDraw *draw);
/* Waits for the thread; NULL allowed. */
void lp_graph_draw_free(LpGraphDraw *draw);

#endif
