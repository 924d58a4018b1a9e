/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting runs aside. A context lives as long as any run that was made in it. */
#include "session/seat.h"

#include "base/mem.h"
#include "session/session_impl.h"

struct LpSeat {
    LpWorld *world;
    LpContext *context; /* shared */
};

static LpErr check(const LpSession *s, LpDiag *diag) {
    if (s->timeline == NULL && s->loaded.policy == NULL)
        return LP_OK;
    return lp_fail(diag, LP_ESTATE, "a session with a policy or a time line cannot be set aside");
}

/* The record is of another run now. */
static void begin_record(LpSession *s) {
    lp_log_cut(s->log, 0);
    lp_session_forget_run(s);
}

LpErr lp_session_keep(const LpSession *s, LpSeat **out, LpDiag *diag) {
    LP_TRY(check(s, diag));
    LpSeat *seat = lp_alloc(1, sizeof *seat);
    if (seat == NULL || (seat->world = lp_world_clone(s->world, NULL)) == NULL) {
        lp_free(seat);
        return lp_fail_memory(diag, "a copy of a run");
    }
    seat->context = s->context;
    lp_context_share(seat->context);
    *out = seat;
    return LP_OK;
}

LpErr lp_session_go_back(LpSession *s, const LpSeat *seat, LpDiag *diag) {
    LpContext *before = s->context;
    LpLog *log = lp_log_new(); /* an old one would keep the room of its records */
    LpWorld *world = lp_world_clone(seat->world, NULL);
    if (log == NULL || world == NULL) {
        lp_log_free(log);
        lp_world_free(world);
        return lp_fail_memory(diag, "a copy of a run");
    }
    lp_world_free(s->world);
    lp_log_free(s->log);
    s->world = world;
    s->log = log;
    lp_context_share(seat->context);
    lp_session_use_context(s, seat->context);
    lp_context_free(before);
    begin_record(s);
    return LP_OK;
}

void lp_session_exchange(LpSession *s, LpSeat *seat) {
    LpSeat present = {s->world, s->context};
    s->world = seat->world;
    lp_session_use_context(s, seat->context);
    *seat = present;
    begin_record(s);
}

LpErr lp_session_restart_beside(LpSession *s, const LpSeat *seat, uint64_t seed, LpDiag *diag) {
    return lp_session_restart_from(s, seat->context, seed, diag);
}

void lp_session_earliest_first(LpSession *s) {
    s->by_deadline = true;
}

void lp_session_reseed(LpSession *s, uint64_t seed) {
    lp_world_reseed(s->world, seed);
    lp_session_forget(s);
}

void lp_seat_fetch(const LpSeat *seat, bool late) {
    lp_world_fetch(seat->world, late);
}

void lp_seat_free(LpSeat *seat) {
    if (seat == NULL)
        return;
    lp_world_free(seat->world);
    lp_context_free(seat->context);
    lp_free(seat);
}

void lp_session_mute(LpSession *s, bool mute) {
    s->mute = mute;
}
