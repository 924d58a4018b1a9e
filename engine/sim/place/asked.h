/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in the cluster's tree, for jobs that ask for one. */
#ifndef LP_SIM_PLACE_ASKED_H
#define LP_SIM_PLACE_ASKED_H

#include "model/tree/tree.h"
#include "sim/place/place.h"
#include "sim/state/state.h"

/* In place of a job's entry in the scenario (LpJobAsked.spec), of a copy for forecasts: it asks for
 * no place. */
#define LP_SPEC_ANYWHERE (LP_NO_INDEX - 1)
/* What a job asks of the tree: as the scenario's entry for it says, else the generator. O(1). */
LpTreeAsk lp_job_tree_ask(const LpContext *context, const LpJob *job);

/* Would n servers of such an ask fit now (world NULL: on the empty cluster)? The node under which
 * they would lie, LP_NO_NODE: they do not. room: a number for each node, overwritten. O(nodes). */
uint32_t lp_tree_fits_now(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                          uint32_t n, LpTreePick pick, uint32_t *room);
/* Servers for a job of n: by the rule of model/tree, in each node the lowest numbers, the nodes in
 * their order, into server[n]; take[i]: how many of lowest node i. False: there are none; room and
 * take as above. O(nodes + servers of the nodes taken). */
bool lp_tree_servers(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                     uint32_t n, LpTreePick pick, uint32_t *room, uint32_t *take, uint32_t *server);

/* Why there is no place for n servers now: a cause and a sentence. */
LpCause lp_tree_no_place(const LpContext *context, const LpWorld *world, const LpTreeAsk *ask,
                         uint32_t n, char reason[LP_DIAG_TEXT]);

#endif
