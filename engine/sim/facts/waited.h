/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job waited for: one cause at a time, evaluated after all that happens in an instant, good
 * until the next event. Who finds it out is sim/waits/wait_book.h. */
#ifndef LP_SIM_FACTS_WAITED_H
#define LP_SIM_FACTS_WAITED_H

#include <stdint.h>

/* X(ID, "code", "what it waited for"): the last two are of a job that would have fitted. */
#define LP_WAIT_CAUSES(X)                                                                          \
    X(RESOURCE, "resource", "fewer servers were free than it needs")                               \
    X(SHAPE, "shape", "servers enough were free, but in no block or node that it can take")        \
    X(BROKEN, "broken", "it would have fitted if what was down had been up")                       \
    X(MEMORY, "memory", "no place had the memory")                                                 \
    X(LIGHT, "light", "no circuit was free")                                                       \
    X(BEHIND, "behind", "it would have fitted, but a job that came earlier waited, too")           \
    X(POLICY, "policy", "it would have fitted, and was the first of those that waited")
typedef enum LpWaitCause {
#define X(ID, code, meaning) LP_WAITED_##ID,
    LP_WAIT_CAUSES(X)
#undef X
        LP_WAITED_COUNT
} LpWaitCause;

/* A job's waits, s by cause; in all its time in the queue. */
typedef struct LpWaited {
    double by[LP_WAITED_COUNT];
} LpWaited;

#endif
