/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a collective on circuits, and what keys do there. */
#include "views/collective/collective_view.h"

#include <string.h>

#include "ask/collective/steps_words.h"
#include "views/collective/collective_view_impl.h"

enum { FIRST_STOP = 50 }; /* 100 us */

static LpErr read_words(const char *words, LpCollSpec *out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpCollWords pairs;
    if (arena == NULL)
        return lp_fail_memory(diag, "a collective");
    LpErr err = lp_coll_words_cut(words, arena, &pairs, diag);
    if (err == LP_OK && lp_coll_words_find(&pairs, "algorithm") == NULL)
        err = lp_fail(diag, LP_EINVAL, "algorithm must be there, as in lightpath collective");
    if (err == LP_OK)
        err = lp_coll_steps_read(&pairs, out, diag);
    lp_arena_free(arena);
    return err;
}

LpErr lp_collective_open(LpHost *host, const char *words, LpDiag *diag) {
    LpCollectiveState *state = lp_collective_state(host->model);
    if (words != NULL && words[0] != '\0') {
        LpCollSpec spec;
        LP_TRY(read_words(words, &spec, diag));
        *state = (LpCollectiveState){
            .spec = spec, .opened = true, .turn = state->turn + 1, .stop = FIRST_STOP, .mark = -1};
    } else if (!state->opened) {
        return lp_fail(diag, LP_EINVAL,
                       "no collective is open: expected KEY=VALUE ..., as in :collective "
                       "algorithm=halving servers=16 bytes=16MiB rate=50GB/s");
    }
    host->app->enter(host, LP_PANE_COLLECTIVE);
    return LP_OK;
}

/* ---- keys ---- */

static void key_move(LpHost *host, int lines) {
    LpCollectiveState *state = lp_collective_state(host->model);
    const LpCollectiveFacts *f = lp_collective_facts(host->model);
    int64_t last = f->plan != NULL ? (int64_t)lp_coll_steps_count(f->plan) - 1 : 0;
    int64_t step = (int64_t)state->step + lines;
    state->step = (uint32_t)(step < 0 ? 0 : step > last ? last : step);
}

static void key_along(LpHost *host, int columns) {
    LpCollectiveState *state = lp_collective_state(host->model);
    int stop = state->stop + columns;
    state->stop = stop < 0 ? 0 : stop > LP_COLLECTIVE_STOPS ? LP_COLLECTIVE_STOPS : stop;
    state->turn++;
}

static void key_mark(LpHost *host) {
    LpCollectiveState *state = lp_collective_state(host->model);
    state->mark = state->mark == state->stop ? -1 : state->stop;
}

static void key_letters(LpHost *host) {
    lp_collective_state(host->model)->letters = !lp_collective_state(host->model)->letters;
}

/* Takes a spec if it is one. */
static bool take(LpCollectiveState *state, const LpCollSpec *spec) {
    LpDiag ignored;
    if (lp_coll_check(spec, &ignored) != LP_OK)
        return false;
    state->spec = *spec;
    state->turn++;
    state->step = 0;
    return true;
}

/* The next algorithm that does the same op; turned: orders of the other kind. */
static void key_algorithm(LpHost *host, bool turn) {
    LpCollectiveState *state = lp_collective_state(host->model);
    if (turn) {
        state->orders = state->orders == LP_COLL_DEMAND ? LP_COLL_PROVISIONED : LP_COLL_DEMAND;
        state->turn++;
        return;
    }
    LpCollSpec spec = state->spec;
    spec.order = LP_COLL_NEAR;
    spec.fan = 1;
    for (int i = 1; i < LP_COLL_ALGORITHMS; i++) {
        spec.algorithm = (LpCollAlgorithm)(((int)state->spec.algorithm + i) % LP_COLL_ALGORITHMS);
        if (take(state, &spec))
            return;
    }
    lp_host_say(host, false, "no other algorithm does that on so many servers and ports");
}

/* The ring, a torus as square as there is, nothing. */
static void key_base(LpHost *host) {
    LpCollectiveState *state = lp_collective_state(host->model);
    LpCollSpec spec = state->spec;
    for (uint32_t a = 2; a * a <= spec.servers; a++)
        if (spec.servers % a == 0) {
            spec.side[0] = a;
            spec.side[1] = spec.servers / a;
        }
    for (int i = 1; i < 3; i++) {
        spec.base = (LpCollBase)(((int)state->spec.base + i) % 3);
        if (take(state, &spec))
            return;
    }
    lp_host_say(host, false, "no other base has so many servers and ports");
}

static LpErr update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    return lp_collective_update(lp_collective_facts(model), lp_collective_state(model), diag);
}

static void drop(void *facts) {
    lp_collective_facts_fini(facts);
}

static const LpViewKey keys[] = {
    {"Left Right", "a shorter or longer delay of a turn, ten stops a decade"},
    {"Up Down", "the step in focus"},
    {"s", "another algorithm for the same op"},
    {"S", "orders on demand, or ahead of time"},
    {"b", "what is lit before the start: a ring, a torus, nothing"},
    {"v", "the choice as networks, or as letters"},
    {"Enter", "leave a mark at this delay, or take it away"},
    {NULL, NULL},
};

const LpView lp_collective_view = {
    .still = true,
    .state = sizeof(LpCollectiveState),
    .facts = sizeof(LpCollectiveFacts),
    .drop = drop,
    .update = update,
    .draw = lp_view_collective,
    .move = key_move,
    .along = key_along,
    .variant = key_letters,
    .take = key_mark,
    .takes = "mark",
    .looks = "letters",
    /* b, which blames elsewhere */
    .blame = key_base,
    .sort = key_algorithm,
    .keys = keys,
};
