/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside of a player; private to session/player. */
#ifndef LP_SESSION_PLAYER_PLAYER_IMPL_H
#define LP_SESSION_PLAYER_PLAYER_IMPL_H

#include "base/mem.h"
#include "session/player/player.h"

struct LpPlayer {
    LpArena *arena;
    const LpWeights *agent;
    LpObserver *observer;
    LpPlaceChoice places;
    uint32_t *server;        /* of an answer */
    const double *embedding; /* graphs x shape.embedding */
    double *own, *room, *head_room;
    double *seen; /* encoding queue: features and scores of a job that is asked about on the way */
};

#endif
