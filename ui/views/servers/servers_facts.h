/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The servers for their view: how they lie together, and what each has to do. */
#ifndef LP_UI_VIEWS_SERVERS_FACTS_H
#define LP_UI_VIEWS_SERVERS_FACTS_H

#include "ask/inspect/server.h"
#include "board/fleet.h"
#include "session/session.h"

/* What the height of a cell stands for. X(ID, "name") */
#define LP_FLEET_FILL_TABLE(X)                                                                     \
    X(COMPUTES, "time computing")                                                                  \
    X(MEMORY, "memory held")                                                                       \
    X(TAKEN, "taken")

typedef enum LpFleetFill {
#define X(id, name) LP_FLEET_FILL_##id,
    LP_FLEET_FILL_TABLE(X)
#undef X
        LP_FLEET_FILL_COUNT
} LpFleetFill;

const char *lp_fleet_fill_name(LpFleetFill fill);

/* The screen's own state of the view. */
typedef struct LpServersState {
    uint32_t cursor; /* server */
    bool zoomed;     /* `level` was asked for; else the finest that fits */
    LpFleetLevel level;
    LpFleetFill fill;
} LpServersState;

/* What a server's job was when its load was worked out. */
typedef struct LpLoadKey {
    uint32_t job, partition, placement;
} LpLoadKey;

/* Zero-initialise. */
typedef struct LpServersModel {
    LpFleet fleet;
    LpServerLoad *load; /* per server; of servers that a job with a graph has */
    LpLoadKey *key;
} LpServersModel;

/* Errors: LP_ENOMEM. O(running jobs + parts of those that are new). */
LpErr lp_servers_model_update(LpServersModel *model, const LpSession *session,
                              LpDiag *diag) LP_MUST_USE;
void lp_servers_model_fini(LpServersModel *model);

/* Figures of the servers at places from..end-1. */
typedef struct LpServersSum {
    uint32_t servers, busy, broken, free;
    uint32_t jobs;             /* different ones in a row: 0, 1, or more */
    uint32_t job;              /* of the first server that has one */
    double computes;           /* sum over servers: share of a step */
    double memory, has_memory; /* bytes */
} LpServersSum;
LpServersSum lp_servers_sum(const LpServersModel *model, const LpSession *session, uint32_t from,
                            uint32_t end);
/* What the fill says of them, 0..1. */
double lp_servers_share(const LpServersSum *sum, LpFleetFill fill);

#endif
