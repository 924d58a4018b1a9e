/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can happen in a world: one row for each kind of event. What the screen shows of a kind is
 * its row in ui/moment/parts/event_face.c. Places that ask for a kind by its name deal with that
 * one alone; what holds of several is asked of their traits. Decisions to blame and forecasts
 * (ask/whatif) follow START, WAIT and BLOCK: a new kind needs nothing there unless it LOSES its
 * job. */
#ifndef LP_SIM_EVENT_H
#define LP_SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/assert.h"

/* What the engine asks of a kind. */
enum {
    LP_EVENT_LOSES = 1,    /* its job is turned away */
    LP_EVENT_ENDS = 2,     /* its job is lost or done: the last thing that is told of it */
    LP_EVENT_SHIFTS = 4,   /* jobs hold other servers, or can use them otherwise: circuits follow */
    LP_EVENT_HELPS = 8,    /* a job came or went: what the policy asks for is not in vain */
    LP_EVENT_ASKED = 16,   /* the policy asked for it, or is asked again (LP_QUIET_MAX) */
    LP_EVENT_COMES = 32,   /* comes by itself, as often as it likes (state/vain.h) */
    LP_EVENT_INSIDE = 64,  /* a step of the engine's: never recorded, told to nobody */
    LP_EVENT_TOLD = 128,   /* the hook review may be told of it */
    LP_EVENT_DECIDED = 256 /* what came of a decision */
};

/* X(ID, "name", "kind in a trace" or NULL, traits, "what has happened") */
#define LP_EVENTS(X)                                                                               \
    X(NONE, "none", NULL, LP_EVENT_INSIDE, "nothing")                                              \
    X(ARRIVAL, "arrival", "arrival", LP_EVENT_HELPS, "a job has arrived: its decision is due")     \
    X(OFFER, "offer", NULL, LP_EVENT_ASKED, "a waiting job is offered again: its decision is due") \
    X(COMPLETION, "completion", "completion",                                                      \
      LP_EVENT_ENDS | LP_EVENT_SHIFTS | LP_EVENT_HELPS | LP_EVENT_TOLD, "a job is done")           \
    X(EXPIRY, "expiry", "block", LP_EVENT_LOSES | LP_EVENT_ENDS | LP_EVENT_HELPS | LP_EVENT_TOLD,  \
      "a waiting job can no longer meet its deadline: it is blocked")                              \
    X(START, "start", "start", LP_EVENT_DECIDED | LP_EVENT_SHIFTS | LP_EVENT_TOLD,                 \
      "a decision: a job starts")                                                                  \
    X(WAIT, "wait", "wait", LP_EVENT_DECIDED | LP_EVENT_TOLD,                                      \
      "a decision: a job waits in the queue")                                                      \
    X(BLOCK, "block", "block",                                                                     \
      LP_EVENT_DECIDED | LP_EVENT_LOSES | LP_EVENT_ENDS | LP_EVENT_HELPS | LP_EVENT_TOLD,          \
      "a decision: a job is turned away")                                                          \
    X(ROUND, "round", NULL, LP_EVENT_INSIDE,                                                       \
      "waiting jobs are about to be offered again: their order may be set")                        \
    X(PREEMPT, "preempt", "preempt", LP_EVENT_SHIFTS | LP_EVENT_TOLD,                              \
      "an action stopped a job, which waits")                                                      \
    X(MOVE, "move", "move", LP_EVENT_SHIFTS | LP_EVENT_TOLD,                                       \
      "an action migrated or resized a job")                                                       \
    X(WAKE, "wake", NULL, LP_EVENT_ASKED | LP_EVENT_TOLD, "a time that a policy asked for")        \
    X(CONFIGURE, "configure", NULL, LP_EVENT_TOLD, "circuits are being set")                       \
    X(LIT, "lit", NULL, LP_EVENT_COMES | LP_EVENT_TOLD, "circuits set before carry light now")     \
    X(INTERVAL, "interval", NULL, LP_EVENT_COMES | LP_EVENT_TOLD,                                  \
      "circuits are to be decided about")                                                          \
    X(CONDITION, "condition", "condition", LP_EVENT_HELPS | LP_EVENT_TOLD,                         \
      "the conditions changed (sim/condition.h); job: the first one stopped, or an extra one")     \
    X(HORIZON, "horizon", NULL, 0, "the run is over")                                              \
    X(FAILURE, "failure", "failure", LP_EVENT_SHIFTS | LP_EVENT_COMES | LP_EVENT_TOLD,             \
      "a component broke; job: the first one that it stopped")                                     \
    X(REPAIR, "repair", "repair", LP_EVENT_SHIFTS | LP_EVENT_COMES | LP_EVENT_TOLD,                \
      "a component was mended")                                                                    \
    X(RESUME, "resume", "resume", LP_EVENT_SHIFTS | LP_EVENT_TOLD,                                 \
      "a stopped job goes on: at once elsewhere, or where it was once mended")                     \
    X(ABORT, "abort", "abort", LP_EVENT_ENDS | LP_EVENT_SHIFTS | LP_EVENT_TOLD,                    \
      "a stopped job was given up")                                                                \
    X(HOLD, "hold", "hold", LP_EVENT_SHIFTS | LP_EVENT_TOLD,                                       \
      "a stopped job keeps its servers until they are mended")                                     \
    X(KILL, "kill", "kill", LP_EVENT_ENDS | LP_EVENT_SHIFTS | LP_EVENT_HELPS | LP_EVENT_TOLD,      \
      "a job had its servers for as long as was requested: it is ended")                           \
    X(STOPPED, "stopped", NULL, LP_EVENT_INSIDE,                                                   \
      "what a stopped job does is to be answered; nothing has happened, not counted "              \
      "(lp_world_recover)")

typedef enum LpEventKind {
#define X(id, name, traced, traits, what) LP_EVENT_##id,
    LP_EVENTS(X)
#undef X
        LP_EVENT_COUNT
} LpEventKind;

typedef struct LpEventRow {
    const char *name, *traced, *what;
    uint64_t traits; /* 64 bits: no padding in a header that a test compiles with -Wpadded */
} LpEventRow;

extern const LpEventRow lp_event_rows[LP_EVENT_COUNT];

/* Name of a kind, such as "arrival". */
static inline const char *lp_event_name(LpEventKind kind) {
    LP_ASSERT(kind < LP_EVENT_COUNT);
    return lp_event_rows[kind].name;
}

/* Has the kind one of these traits? */
static inline bool lp_event_is(LpEventKind kind, unsigned traits) {
    LP_ASSERT(kind < LP_EVENT_COUNT);
    return (lp_event_rows[kind].traits & traits) != 0;
}

#endif
