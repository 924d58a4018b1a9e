/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug log: what the engine does, said in lines while it does it, for people who change it. A
 * front end asks for it by rooms and levels (`lightpath run --log sim,light:2`, LP_LOG). By default
 * nobody listens; a place that could say something then costs one comparison, and no line is put
 * together. The log is no state: neither results nor hashes know of it. */
#ifndef LP_BASE_DEBUG_LOG_H
#define LP_BASE_DEBUG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* X(id, name, what its lines say at level 1; from level 2 on). Help, the manual page and the check
 * of the option read this table. */
#define LP_DEBUG_ROOMS(X)                                                                          \
    X(SIM, "sim", "events of the cluster's clock", "offers, and each instant")                     \
    X(PLACE, "place", "where jobs are placed, or why not", "blocks that are looked at")            \
    X(LIGHT, "light", "circuits set, lit and broken, and jobs without light", "each port")         \
    X(SHARING, "sharing", "rates on shared links", "each job's pace")                              \
    X(STORE, "store", "steps that are simulated", "steps found in the store, partitions")          \
    X(POLICY, "policy", "hooks that are asked, and answers", "what each call costs")               \
    X(SLICE, "slice", "cubes of a pod that slices take, or why none",                              \
      "questions whether one would fit")

typedef enum LpDebugRoom {
#define X(id, name, first, second) LP_DEBUG_##id,
    LP_DEBUG_ROOMS(X)
#undef X
        LP_DEBUG_COUNT
} LpDebugRoom;

enum { LP_DEBUG_LEVELS = 2, LP_DEBUG_LINE = 1000 };

/* Who listens. All zero: nobody. */
typedef struct LpDebugLog {
    /* Takes one line without its end, "5123.4 s sim start job 5 gnmt x4 servers 1 2 3 4", cut to
     * LP_DEBUG_LINE bytes; names in it are as the input has them. */
    void (*write)(void *user, LpDebugRoom room, unsigned level, const char *line);
    void *user;
    double now;                    /* s, of the world that moved last; lines begin with it */
    uint8_t level[LP_DEBUG_COUNT]; /* of each room, 0: nothing */
} LpDebugLog;

/* Sets the levels from a list such as "sim,light:2" or "all:2". Of a room that is named twice the
 * last level counts. Errors: LP_EINVAL with a sentence that names the rooms; the levels are
 * unchanged then. */
LpErr lp_debug_parse(LpDebugLog *log, const char *list, LpDiag *diag) LP_MUST_USE;
/* Puts a line together and hands it on. Call it by LP_DEBUG. */
void lp_debug_line(const LpDebugLog *log, LpDebugRoom room, unsigned level, const char *fmt, ...)
    LP_PRINTF(4, 5);
/* " 1 2 3" for a line. Only the first LP_DEBUG_SHOWN numbers are read and shown, then how many more
 * there are: " 1 2 ... 16 and 84 more". Returns buf. */
enum { LP_DEBUG_SHOWN = 16, LP_DEBUG_NUMBERS = 240 };
const char *lp_debug_numbers(const uint32_t *number, uint32_t count, char buf[LP_DEBUG_NUMBERS]);

/* Does anybody listen to this room? Ask before you put together what a line needs. O(1). */
static inline bool lp_debug_on(const LpDebugLog *log, LpDebugRoom room, unsigned level) {
    return log->level[room] >= level;
}

/* Tells the log what time it is. */
static inline void lp_debug_at(LpDebugLog *log, double now) {
    if (log->write != NULL)
        log->now = now;
}

/* LP_DEBUG(context->log, SIM, 1, "block job %u", id): arguments are only worked out if it is on. */
#define LP_DEBUG(log, room, level, ...)                                                            \
    do {                                                                                           \
        if (lp_debug_on((log), LP_DEBUG_##room, (level)))                                          \
            lp_debug_line((log), LP_DEBUG_##room, (level), __VA_ARGS__);                           \
    } while (0)

#endif
