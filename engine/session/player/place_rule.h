/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement by name: which free block of servers a job takes. The same rules as the policies of
 * these names in scripts/, for agents that choose one together with the degree. */
#ifndef LP_SESSION_PLAYER_PLACE_RULE_H
#define LP_SESSION_PLAYER_PLACE_RULE_H

#include "learn/observe.h"
#include "learn/weights.h"
#include "sim/context.h"
#include "sim/state/state.h"

/* X(ID, "name", "one line") */
#define LP_PLACE_RULES(X)                                                                          \
    X(ENGINE, "engine", "the engine's own: first fit, under the published rules per operation")    \
    X(FIRST_FIT, "first_fit", "the first free block, for the whole job")                           \
    X(BEST_FIT, "best_fit", "the block that leaves the fewest servers free in its racks")          \
    X(LEAST_FRAGMENTING, "least_fragmenting", "the block that leaves the largest block free")

typedef enum LpPlaceRule {
#define X(id, name, doc) LP_PLACE_##id,
    LP_PLACE_RULES(X)
#undef X
        LP_PLACE_RULE_COUNT
} LpPlaceRule;

const char *lp_place_rule_name(LpPlaceRule rule);
int lp_place_rule_find(const char *name); /* -1: none */

/* Blocks that best_fit and least_fragmenting look at, in the order of the search. */
enum { LP_PLACE_BEST_LIMIT = 256, LP_PLACE_LEAST_LIMIT = 32 };

/* The block for a job whose decision is due, at a degree (ignored for rigid jobs): writes its
 * servers in block order into `server` (room for all of the cluster's) and sets *count, 0 where the
 * engine places (rule ENGINE) or no block is free; of equal blocks the first. largest_left (NULL
 * allowed) gets the largest block that is free afterwards, for LEAST_FRAGMENTING only. The block
 * has as many servers as the cut has ways at most (partition_degree). Errors: LP_ENOMEM.
 * O(blocks * servers); LEAST_FRAGMENTING that times a search per size of block. */
/* Servers that a job needs at most for a way; 0 where there is none. Errors: LP_ENOMEM. */
LpErr lp_place_size(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t way,
                    uint32_t *servers, LpDiag *diag) LP_MUST_USE;
LpErr lp_place_choose(const LpWorld *world, const LpContext *context, uint32_t job, uint32_t degree,
                      LpPlaceRule rule, uint32_t *server, uint32_t *count, uint32_t *largest_left,
                      LpDiag *diag) LP_MUST_USE;

/* Working room for the same, for one thread and worlds of one scenario; it remembers what it found
 * out about the servers that are free, so that asking for many degrees costs little more than
 * asking for one. NULL: no memory. */
typedef struct LpPlaceRoom LpPlaceRoom;
LpPlaceRoom *lp_place_room_new(const LpContext *context);
void lp_place_room_free(LpPlaceRoom *room); /* NULL allowed */
LpErr lp_place_choose_in(LpPlaceRoom *room, const LpWorld *world, const LpContext *context,
                         uint32_t job, uint32_t degree, LpPlaceRule rule, uint32_t *server,
                         uint32_t *count, uint32_t *largest_left, LpDiag *diag) LP_MUST_USE;

/* Rules that an agent chooses from, in its order. */
typedef struct LpPlaceChoice {
    uint32_t count; /* at least 1 */
    LpPlaceRule rule[LP_PLACINGS_MAX];
    LpPlaceRoom *room; /* borrowed */
} LpPlaceChoice;

/* Rules by name; "engine" alone where none is named. Errors: LP_EINVAL for a name that there is
 * not, or more than LP_PLACINGS_MAX of them. */
LpErr lp_place_choice_read(const char *const *name, uint32_t count, LpPlaceChoice *out,
                           LpDiag *diag) LP_MUST_USE;
/* lp_place_choose_in by rule number `placing` of the choice; *left as in LpPlacer. *engine: the
 * engine places, and *count is 0. */
LpErr lp_place_choice_choose(const LpPlaceChoice *choice, const LpWorld *world,
                             const LpContext *context, uint32_t job, uint32_t degree,
                             uint32_t placing, uint32_t *server, uint32_t *count, uint32_t *left,
                             bool *engine, LpDiag *diag) LP_MUST_USE;
/* What observers ask; borrows the choice. */
LpPlacer lp_place_choice_placer(const LpPlaceChoice *choice);

#endif
