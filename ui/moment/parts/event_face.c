/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moment/parts/event_face.h"

#include "moment/parts/marks.h"

#define LOOK(role, sign) .style = LP_ROLE_##role, .glyph = LP_GLYPH_##sign
#define PLAIN LOOK(TEXT, SPACE)
#define STILL .scene = LP_SCENE_NONE, .all = LP_SCENE_NONE

static const LpEventFace faces[] = {
    {LP_EVENT_NONE, "BEGIN", PLAIN, STILL, .whole = "Nothing has happened yet."},
    {LP_EVENT_ARRIVAL, "ARRIVES", PLAIN, STILL, .gives = true, .job = "arrives."},
    {LP_EVENT_OFFER, "AGAIN", PLAIN, STILL, .line = "offered again",
     .job = "waits and is offered again."},
    {LP_EVENT_COMPLETION, "DONE", LOOK(GOOD, DONE), .mark = LP_MARK_DONE, .scene = LP_SCENE_DONE,
     .all = LP_SCENE_NONE},
    {LP_EVENT_EXPIRY, "BLOCKED", LOOK(BAD, BLOCKED), .mark = LP_MARK_BLOCKED,
     .scene = LP_SCENE_BLOCKED, .all = LP_SCENE_NONE,
     .line = "blocked: waited until it could not be in time any more"},
    {LP_EVENT_START, "STARTS", LOOK(TEXT, STARTED), .mark = LP_MARK_STARTED,
     .scene = LP_SCENE_START, .all = LP_SCENE_NONE, .gives = true},
    {LP_EVENT_WAIT, "WAITS", LOOK(WAIT, WAITING), .mark = LP_MARK_WAITING, STILL, .line = "waits",
     .job = "waits in the queue."},
    {LP_EVENT_BLOCK, "BLOCKED", LOOK(BAD, BLOCKED), .mark = LP_MARK_BLOCKED,
     .scene = LP_SCENE_BLOCKED, .all = LP_SCENE_NONE},
    {LP_EVENT_ROUND, "AGAIN", PLAIN, STILL, .unseen = true,
     .whole = "The waiting jobs are about to be offered again."},
    {LP_EVENT_PREEMPT, "STOPPED", PLAIN, STILL,
     .job = "is stopped and waits with the steps that it has done."},
    {LP_EVENT_MOVE, "MOVES", PLAIN, STILL, .job = "goes on on other servers."},
    {LP_EVENT_WAKE, "POLICY", PLAIN, STILL, .unseen = true,
     .whole = "The policy is asked, at a time that it had asked for."},
    {LP_EVENT_CONFIGURE, "DARK", PLAIN, .scene = LP_SCENE_NONE, .all = LP_SCENE_REGROUP,
     .unlisted = true},
    {LP_EVENT_LIT, "LIGHT", PLAIN, .scene = LP_SCENE_NONE, .all = LP_SCENE_RELIT},
    {LP_EVENT_INTERVAL, "CIRCUITS", PLAIN, STILL, .unseen = true, .unlisted = true,
     .whole = "The policy decides which circuits are lit from now on."},
    {LP_EVENT_CONDITION, "CHANGES", LOOK(WAIT, SPACE), STILL},
    {LP_EVENT_HORIZON, "END", PLAIN, STILL, .line = "the run is over"},
    {LP_EVENT_FAILURE, "BROKEN", LOOK(BAD, BROKEN), STILL},
    {LP_EVENT_REPAIR, "MENDED", PLAIN, STILL},
    {LP_EVENT_RESUME, "GOES ON", LOOK(TEXT, STARTED), STILL},
    {LP_EVENT_ABORT, "ABORTED", LOOK(BAD, BLOCKED), STILL},
    {LP_EVENT_HOLD, "HOLDS", LOOK(WAIT, WAITING), STILL},
    {LP_EVENT_KILL, "KILLED", LOOK(BAD, BLOCKED), STILL,
     .job = "had its servers for as long as was requested: it is ended."},
    {LP_EVENT_STOPPED, "STOPPED", PLAIN, STILL},
};

_Static_assert(LP_COUNTOF(faces) == LP_EVENT_COUNT, "each kind of event has a face");

const LpEventFace *lp_event_face(LpEventKind kind) {
    LP_ASSERT(kind < LP_EVENT_COUNT && faces[kind].kind == kind);
    return &faces[kind];
}
