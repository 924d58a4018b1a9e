/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside or outside of what a network knows. */
#include "session/player/setting.h"

#include <math.h>

#include "base/num.h"
#include "session/player/player_impl.h"
#include "session/player/services_network.h"

static void widen(double range[2], double least, double most, bool known) {
    range[0] = known && range[0] < least ? range[0] : least;
    range[1] = known && range[1] > most ? range[1] : most;
}

void lp_note_widen(LpNetNote *note, const LpPlayer *player) {
    LpSetting s = lp_observer_setting(player->observer);
    bool known = note->servers[1] > 0;
    widen(note->servers, s.servers, s.servers, known);
    widen(note->load, s.load, s.load, known);
    widen(note->limit, s.limit[0], s.limit[1], known);
}

/* ---- outside ---- */

#define TENTH 0.1

static void add_number(LpBuf *out, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_add(out, lp_num_print(lp_num_round(value, 2), text));
}

static void add_range(LpBuf *out, const double range[2]) {
    add_number(out, range[0]);
    if (range[1] > range[0]) {
        lp_buf_add(out, " to ");
        add_number(out, range[1]);
    }
}

/* Is here outside of range? Says so, `before` what was said already. */
static bool tell(const char *what, const double range[2], const double here[2], bool before,
                 LpBuf *out) {
    if (here[0] >= range[0] * (1 - TENTH) && here[1] <= range[1] * (1 + TENTH))
        return false;
    lp_buf_addf(out, "%s%s ", before ? "; " : "the network was trained for ", what);
    add_range(out, range);
    lp_buf_add(out, ", here ");
    add_range(out, here);
    return true;
}

bool lp_player_outside(const LpPlayer *player, LpBuf *out) {
    const LpNetNote *note = &player->agent->note;
    LpSetting s = lp_observer_setting(player->observer);
    const double servers[2] = {s.servers, s.servers}, load[2] = {s.load, s.load};
    if (!(note->servers[1] > 0))
        return false;
    bool is = tell("servers", note->servers, servers, false, out);
    if (s.load > 0)
        is |= tell("load", note->load, load, is, out);
    is |= tell("limits", note->limit, s.limit, is, out);
    return is;
}

bool lp_policy_outside(const LpPolicy *policy, const LpContext *context, LpBuf *out) {
    uint32_t param;
    for (uint32_t i = 0; i < lp_policy_networks(policy); i++) {
        LpPlayer *player;
        LpDiag ignored;
        void *network = lp_policy_network(policy, i, &param);
        LpErr err = lp_network_player(network, context, &player, &ignored);
        if (err == LP_ENOMEM)
            out->failed = true;
        if (err == LP_OK && lp_player_outside(player, out))
            return true;
    }
    return out->failed;
}
