/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of the cluster's tree. */
#ifndef LP_UI_VIEWS_TREE_IMPL_H
#define LP_UI_VIEWS_TREE_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/tree/tree_facts.h"
#include "widgets/widgets_keys.h"
#include "widgets/widgets_table.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpTreeState *lp_tree_state(const LpModel *model) {
    return model->state[LP_PANE_TREE];
}

static inline LpTreeFacts *lp_tree_facts(const LpModel *model) {
    return model->facts[LP_PANE_TREE];
}

/* Is a question of a lesson open? Then nothing says why a job waits, or who would make room. */
static inline bool lp_tree_is_asked(const LpModel *model) {
    return lp_model_asked(model->ui) != NULL;
}

/* The jobs that wait, as a table whose rows are LpTreeWaiter of a model. */
extern const LpTable lp_tree_waiting;
/* Where its columns stand in an area of this width. */
void lp_tree_waiting_form(int width, int at[LP_TABLE_COLUMNS]);

/* Where waiting is worst the now bar says so, and where else to look. Errors: LP_ENOMEM. */
LpErr lp_tree_say_worst(LpModel *model, LpDiag *diag) LP_MUST_USE;

void lp_view_tree(const LpModel *model, const LpArea *area);
/* Parts of it, each with its heading. */
void lp_view_tree_nodes(const LpModel *model, const LpArea *area);
void lp_view_tree_gangs(const LpModel *model, const LpArea *area);
void lp_view_tree_ended(const LpModel *model, const LpArea *area);
void lp_view_tree_waiting(const LpModel *model, const LpArea *area);
void lp_view_tree_why(const LpModel *model, const LpArea *area, bool with_ended);
void lp_view_tree_queue(const LpModel *model, const LpArea *area);
void lp_view_tree_running(const LpModel *model, const LpArea *area);
/* Free servers of all nodes in a line. */
void lp_view_tree_line(const LpModel *model, const LpArea *area);

/* How the nodes stand: column by column. */
typedef struct LpTreeGrid {
    int columns, rows; /* rows that all nodes need in the columns */
    int cell;          /* columns of the canvas that a node has, with the gap behind it */
    int name, size, held, shade;
} LpTreeGrid;
/* The grid of all nodes in an area of this width: with as few columns as `rows` allow (0: with as
 * many as there is room for), each as wide as it can make use of. */
LpTreeGrid lp_tree_grid(const LpModel *model, int width, int rows);

/* What a job asks for: "8 in one leaf", "16 by 4". */
enum { LP_TREE_ASKS = 128 };
const char *lp_tree_asks_text(const LpModel *model, const LpTreeWaiter *waiter,
                              char out[LP_TREE_ASKS]);
/* "cluster" for the node that is all of it. */
const char *lp_tree_node_name(const LpTreeFacts *facts, uint32_t node, char out[LP_TREE_NAME]);

#endif
