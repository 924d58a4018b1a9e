/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Episodes that are set aside. */
#include <string.h>

#include "base/mem.h"
#include "many/train/gym_impl.h"
#include "session/seat.h"

struct LpGymState {
    LpSeat *seat;
    LpGymTally tally;
    LpGymOpen open;
};

static void copy_open(const LpGym *gym, LpGymOpen *to, const LpGymOpen *from) {
    memcpy(to->degree, from->degree, gym->actions * sizeof *to->degree);
    to->count = from->count;
    to->known = from->known;
}

LpErr lp_gym_save(const LpGym *gym, LpGymState **out, LpDiag *diag) {
    LpGymState *state = lp_alloc(1, sizeof *state);
    if (state != NULL)
        state->open.degree = lp_alloc(gym->actions, sizeof *state->open.degree);
    LpErr err = state != NULL && state->open.degree != NULL
                    ? lp_session_keep(gym->session, &state->seat, diag)
                    : lp_fail_memory(diag, "a copy of an episode");
    if (err != LP_OK) {
        lp_gym_state_free(state);
        return err;
    }
    state->tally = gym->tally;
    copy_open(gym, &state->open, &gym->open);
    *out = state;
    return LP_OK;
}

LpErr lp_gym_restore(LpGym *gym, const LpGymState *state, LpDiag *diag) {
    LP_TRY(lp_session_go_back(gym->session, state->seat, diag));
    gym->tally = state->tally;
    copy_open(gym, &gym->open, &state->open);
    return LP_OK;
}

void lp_gym_reseed(LpGym *gym, uint64_t seed) {
    lp_session_reseed(gym->session, seed);
}

void lp_gym_state_free(LpGymState *state) {
    if (state == NULL)
        return;
    lp_seat_free(state->seat);
    lp_free(state->open.degree);
    lp_free(state);
}

void lp_gym_state_fetch(const LpGymState *state, bool late) {
    lp_seat_fetch(state->seat, late);
}

void lp_gym_exchange(LpGym *gym, LpGymState *state) {
    LpGymTally tally = gym->tally;
    LpGymOpen open = gym->open;
    lp_session_exchange(gym->session, state->seat);
    gym->tally = state->tally;
    gym->open = state->open;
    state->tally = tally;
    state->open = open;
}

void lp_gym_mute(LpGym *gym, bool mute) {
    lp_session_mute(gym->session, mute);
}

LpErr lp_gym_reset_beside(LpGym *gym, const LpGymState *state, uint64_t seed, LpDiag *diag) {
    LP_TRY(lp_session_restart_beside(gym->session, state->seat, seed, diag));
    return lp_gym_begin(gym, diag);
}
