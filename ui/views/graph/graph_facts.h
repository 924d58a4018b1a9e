/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job's computation graph for its view: whose, cut or not, and how it is drawn. */
#ifndef LP_UI_VIEWS_GRAPH_FACTS_H
#define LP_UI_VIEWS_GRAPH_FACTS_H

#include "ask/inspect/graph_draw.h"
#include "moment/parts/step_parts.h"

/* How close one looks. */
typedef enum LpGraphZoom {
    LP_GRAPH_ZOOM_AUTO, /* as close as all of it fits */
    LP_GRAPH_ZOOM_ALL,  /* all of it, a dot an op */
    LP_GRAPH_ZOOM_DOTS,
    LP_GRAPH_ZOOM_NUMBERS,
    LP_GRAPH_ZOOM_NAMES,
    LP_GRAPH_ZOOMS
} LpGraphZoom;

/* The screen's own state of the view. */
typedef struct LpGraphState {
    bool chosen; /* `job` was asked for; else the decision's, as in the view of a step */
    uint32_t job;
    bool cut;         /* after the partition, where there is one */
    uint32_t node[2]; /* under the cursor, before and after */
    LpGraphZoom zoom;
} LpGraphState;

/* A drawing that was made once. */
typedef struct LpGraphDrawing {
    uint64_t shape;
    uint32_t nodes;
    double *x, *y;
} LpGraphDrawing;

enum { LP_GRAPH_DRAWINGS = 12 };

/* Zero-initialise. */
typedef struct LpGraphModel {
    bool known;          /* there is a graph to show */
    bool cuts;           /* the graph is cut */
    LpStepSubject of;    /* that it was made for; partition LP_NO_INDEX: not cut */
    uint64_t conditions; /* under which it was made */
    uint32_t graph;
    LpGraphInspection seen; /* drawn once look.width >= 0 */
    LpGraphDraw *draw;      /* being drawn, or just done */
    uint64_t drawn;         /* the shape that `draw` is for */
    LpGraphDrawing kept[LP_GRAPH_DRAWINGS];
    int keeps, oldest;
    int64_t until; /* ms, when it is looked whether it is drawn */
} LpGraphModel;

/* subject NULL: nothing to show. Of a subject without a placement the profile is shown. The drawing
 * is made on a thread, see lp_graph_model_works; or waited for (at_once). Errors: LP_ENOMEM; those
 * of the drawing. */
LpErr lp_graph_model_update(LpGraphModel *model, const LpSession *session,
                            const LpStepSubject *subject, const LpGraphState *state, bool at_once,
                            LpDiag *diag) LP_MUST_USE;
void lp_graph_model_fini(LpGraphModel *model);
/* Is a drawing being made that is waited for? */
bool lp_graph_model_works(const LpGraphModel *model);
/* Node under the cursor. */
uint32_t lp_graph_model_node(const LpGraphModel *model, const LpGraphState *state);

#endif
