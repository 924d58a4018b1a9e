/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cube of a running pod: what holds it, and what of it is broken. */
#ifndef LP_SIM_CUBE_H
#define LP_SIM_CUBE_H

#include "sim/context.h"
#include "sim/state/state.h"

/* X(ID, word): the first that holds. */
#define LP_CUBE_STATES(X)                                                                          \
    X(OFF, off)             /* every accelerator is down */                                        \
    X(BROKEN, broken)       /* some are */                                                         \
    X(DARK, dark)           /* a cable of it, or a switch, is dead */                              \
    X(SETTLING, settling)   /* its slice waits until its circuits have settled */                  \
    X(RESTORING, restoring) /* its slice reads a checkpoint */                                     \
    X(HELD, held)           /* its slice stands still until what broke is mended */                \
    X(SLOW, slow)           /* its slice goes on without some of its light */                      \
    X(RUNNING, running)     /* one slice holds all of it */                                        \
    X(PART, part)           /* parts of it are held */                                             \
    X(KEPT, kept)           /* kept back as a spare: of the usable ones the highest numbers */     \
    X(FREE, free)
typedef enum LpCubeState {
#define X(id, word) LP_CUBE_##id,
    LP_CUBE_STATES(X)
#undef X
        LP_CUBE_STATE_COUNT
} LpCubeState;
const char *lp_cube_word(LpCubeState state);

typedef struct LpCube {
    LpCubeState state;
    uint32_t job;             /* whose slice holds all of it; LP_NO_INDEX: none */
    uint32_t domain;          /* failure domain */
    uint32_t up;              /* accelerators that work */
    uint32_t free;            /* accelerators that work and that nobody holds */
    uint32_t hosts, hosts_up; /* a host is up where all of its accelerators work */
    bool usable;              /* by a slice of whole cubes */
} LpCube;

/* cube < the pod's cubes; the fabric rents out slices. O(accelerators of a cube), of all of them
 * where spares are kept. */
LpCube lp_world_cube(const LpWorld *world, const LpContext *context, uint32_t cube);

/* Failures of components that cover accelerators of a cube, so far: hosts, itself, its domain, its
 * accelerators. Errors: LP_ENOMEM. O(failures so far). */
LpErr lp_world_cube_faults(const LpWorld *world, const LpContext *context, uint32_t cube,
                           uint32_t *out) LP_MUST_USE;

/* Cubes first .. last - 1 have accelerators that the component of an event covers; none of a switch
 * or cable. */
void lp_outage_cubes(const LpContext *context, const LpOutageEvent *event, uint32_t *first,
                     uint32_t *last);

#endif
