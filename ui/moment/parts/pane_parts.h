/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panes of the screen by name, and the part of it that is theirs. */
#ifndef LP_UI_MOMENT_PANE_H
#define LP_UI_MOMENT_PANE_H

#include <stdbool.h>

#include "term/canvas.h"

/* X(ID, "name") */
#define LP_PANE_TABLE(X)                                                                           \
    X(TITLE, "title")                                                                              \
    X(LEGEND, "legend")                                                                            \
    X(NOW, "now")                                                                                  \
    X(LEDGER, "ledger")                                                                            \
    X(SERVERS, "servers")                                                                          \
    X(CIRCUITS, "circuits")                                                                        \
    X(FABRIC, "fabric")                                                                            \
    X(JOBS, "jobs")                                                                                \
    X(DECISION, "decision")                                                                        \
    X(CURVE, "curves")                                                                             \
    X(EVENTS, "events")                                                                            \
    X(WHATIF, "what-if")                                                                           \
    X(NETWORK, "network")                                                                          \
    X(POLICY, "policy")                                                                            \
    X(BRANCHES, "branches")                                                                        \
    X(STEP, "step")                                                                                \
    X(GRAPH, "graph")                                                                              \
    X(TRAFFIC, "traffic")                                                                          \
    X(TREE, "tree")                                                                                \
    X(COLLECTIVE, "collective")                                                                    \
    X(POD, "pod")                                                                                  \
    X(ADJUST, "adjust")                                                                            \
    X(SUMMARY, "summary")                                                                          \
    X(COMPARE, "compare")                                                                          \
    X(LEARNING, "learning")                                                                        \
    X(STUDY, "study")                                                                              \
    X(FIGURE, "figure")                                                                            \
    X(LESSON, "lesson")                                                                            \
    X(CONSOLE, "console")                                                                          \
    X(TIMELINE, "timeline")                                                                        \
    X(KEYS, "keys")

typedef enum LpPane {
#define X(id, name) LP_PANE_##id,
    LP_PANE_TABLE(X)
#undef X
        LP_PANE_COUNT
} LpPane;

const char *lp_pane_name(LpPane pane);
/* Is the pane no part of the main screen, only shown alone? */
bool lp_pane_is_extra(LpPane pane);

enum { LP_PANE_TOLD = 10 }; /* rows that what is told may want, with its frame */

/* The part of a screen of this size that is left beside a lesson which wants `told` rows, 1 to
 * LP_PANE_TOLD (0: none is told): on its left on wide screens, else above it. */
LpRect lp_pane_rest(int cols, int rows, int told);

#endif
