/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When there will be room: running jobs end one after the other in a copy of the index of free
 * room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/account/belief.h"
#include "sim/state/image.h"
#include "sim/world.h"

typedef struct Ending {
    double at;
    uint32_t job;
} Ending;

/* The room once the first `ended` jobs have ended. */
typedef struct Ahead {
    const LpWorld *world;
    const LpScenario *scenario;
    const LpFabric *fabric;
    uint32_t n;
    bool fallbacks;
    LpRoom *room;
    Ending *ending;
    uint32_t running, ended;
    uint64_t *looked;
} Ahead;

static int by_time(const void *a, const void *b) {
    const Ending *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

/* Its servers come back, but those that are broken; or are taken again. */
static void turn_job(Ahead *a, uint32_t id, bool ends) {
    const LpServer *servers = lp_image_server(a->world->image);
    for (uint32_t s = lp_world_job(a->world, id)->placed.first_server; s != LP_NO_INDEX;
         s = servers[s].next) {
        lp_room_set(a->room, s, ends && servers[s].state == LP_SERVER_IN_SERVICE);
        ++*a->looked;
    }
}

static bool room_after(Ahead *a, uint32_t ended) {
    for (; a->ended < ended; a->ended++)
        turn_job(a, a->ending[a->ended].job, true);
    for (; a->ended > ended; a->ended--)
        turn_job(a, a->ending[a->ended - 1].job, false);
    if (a->n > a->room->free)
        return false;
    LpBlockSearch search;
    lp_block_search_in(&search, a->fabric, a->n, a->fallbacks, a->room, NULL, NULL);
    bool found = lp_block_next(&search, NULL);
    *a->looked += search.looked + 1;
    return found;
}

/* How many of the endings are needed at least, for the number of servers alone. */
static uint32_t ended_for_count(const Ahead *a) {
    uint64_t free = a->room->free;
    uint32_t ended = 0;
    while (free < a->n && ended < a->running)
        free += lp_world_job(a->world, a->ending[ended++].job)->placed.servers;
    return ended;
}

/* The fewest that have to end, running + 1 where all are not enough. More room never takes a block
 * away: first in growing steps, since there is mostly little to go, then by halves. */
static uint32_t least_ended(Ahead *a) {
    uint32_t low = ended_for_count(a), high = low;
    for (uint32_t step = 1; !room_after(a, high); step *= 2) {
        low = high + 1;
        if (high == a->running)
            return low;
        high = step < a->running - high ? high + step : a->running;
    }
    while (low < high) { /* high is enough */
        uint32_t middle = low + (high - low) / 2;
        if (room_after(a, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static double find(Ahead *a) {
    memcpy(a->room, lp_world_room(a->world), lp_room_size(lp_world_room(a->world)));
    double now = lp_world_now(a->world);
    a->running = 0;
    for (uint32_t id = lp_world_first_running(a->world); id != LP_NO_INDEX;
         id = lp_world_next_running(a->world, id))
        a->ending[a->running++] =
            (Ending){lp_job_believed_end(a->scenario, lp_world_job(a->world, id), now), id};
    qsort(a->ending, a->running, sizeof *a->ending, by_time);
    *a->looked += a->room->words / 8 + a->running;
    uint32_t ended = least_ended(a);
    if (ended > a->running)
        return (double)INFINITY;
    return ended > 0 ? a->ending[ended - 1].at : lp_world_now(a->world);
}

LpErr lp_world_free_at(const LpWorld *world, const LpContext *base, uint32_t n, double *at,
                       uint64_t *looked, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    Ahead a = {.world = world,
               .scenario = context->scenario,
               .fabric = &context->fabric,
               .n = n,
               .looked = looked};
    size_t running = (size_t)lp_world_tally(world)->running;
    a.fallbacks = lp_published(&context->scenario->options, LP_OPT_RESERVE);
    a.room = lp_alloc(lp_room_size(lp_world_room(world)), 1);
    a.ending = lp_alloc(running + 1, sizeof *a.ending);
    LpErr err = LP_OK;
    if (a.room != NULL && a.ending != NULL) {
        *at = find(&a);
    } else {
        err = lp_fail_memory(diag, "a look ahead");
    }
    lp_free(a.room);
    lp_free(a.ending);
    return err;
}
