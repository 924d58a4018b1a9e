/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ways in which jobs of a scenario can run. Private to many/bound. */
#ifndef LP_MANY_BOUND_MENU_H
#define LP_MANY_BOUND_MENU_H

#include "many/bound/relax.h"
#include "session/session.h"

/* Per graph, filled when its first job arrives; times are of one training step. */
typedef struct LpMenu {
    LpArena *arena;
    uint32_t graphs;
    struct LpDishes {
        bool known;
        uint32_t ways;
        const LpBoundWay *way;
        LpBoundWay any; /* all servers of the cluster, the work shared evenly */
    } * graph;
} LpMenu;

LpErr lp_menu_new(uint32_t graphs, LpMenu *out, LpDiag *diag) LP_MUST_USE;
void lp_menu_fini(LpMenu *menu);
/* The job's decision is due in a session of which no server is held. */
LpErr lp_menu_learn(LpMenu *menu, const LpSession *session, uint32_t job, LpDiag *diag) LP_MUST_USE;

#endif
