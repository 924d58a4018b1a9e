/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers what the view of the tree shows of a moment. */
#include "views/tree/tree_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/account/belief.h"
#include "sim/facts/identity.h"
#include "sim/place/asked.h"

/* An array that never grew is NULL, which qsort may not be given. */
static void sort(void *items, size_t count, size_t size,
                 int (*compare)(const void *, const void *)) {
    if (count > 1)
        qsort(items, count, size, compare);
}

enum { ROWS_SEEN = 40 }; /* on either side of the marked one that may be on the screen */

const char *lp_tree_order_name(LpTreeOrder order) {
#define X(id, name) name,
    static const char *const names[] = {LP_TREE_ORDERS(X)};
#undef X
    return names[order];
}

const char *lp_tree_shade_name(LpTreeShade shade) {
#define X(id, name) name,
    static const char *const names[] = {LP_TREE_SHADES(X)};
#undef X
    return names[shade];
}

static LpErr grow(void *list, size_t *cap, size_t count, size_t size, LpDiag *diag) {
    if (lp_grow(list, cap, count + 1, size) != LP_OK)
        return lp_fail_memory(diag, "the board of the cluster's tree");
    return LP_OK;
}

/* ---- who waits ---- */

static void add_waiter(LpTreeFacts *f, const LpModel *model, uint32_t id) {
    const LpJob *job = lp_world_job(model->world, id);
    double now = lp_world_now(model->world);
    double before = isnan(job->times.wait) ? 0 : job->times.wait;
    double since = isnan(job->times.waiting_since) ? now : job->times.waiting_since;
    f->waiter[f->waiters++] = (LpTreeWaiter){.job = job,
                                             .waited = before + now - since,
                                             .ask = lp_job_tree_ask(model->context, job),
                                             .servers = job->asked.rigid_servers};
}

/* Counts, for each of the waiting jobs in order of arrival, the later ones that have started. */
static void count_overtakers(LpTreeFacts *f, const LpModel *model) {
    uint32_t later = 0, id = lp_world_jobs(model->world);
    for (uint32_t i = f->waiters; i-- > 0;) {
        while (--id > f->waiter[i].job->id)
            later += !isnan(lp_world_job(model->world, id)->times.start);
        f->waiter[i].overtaken = later;
    }
}

static int by_arrival(const void *x, const void *y) {
    const LpTreeWaiter *a = x, *b = y;
    return (a->job->id > b->job->id) - (a->job->id < b->job->id);
}

static int longest_first(const void *x, const void *y) {
    const LpTreeWaiter *a = x, *b = y;
    return a->waited != b->waited ? (a->waited < b->waited ? 1 : -1) : by_arrival(x, y);
}

static int widest_first(const void *x, const void *y) {
    const LpTreeWaiter *a = x, *b = y;
    return a->servers != b->servers ? (a->servers < b->servers ? 1 : -1) : longest_first(x, y);
}

static int overtaken_first(const void *x, const void *y) {
    const LpTreeWaiter *a = x, *b = y;
    return a->overtaken != b->overtaken ? (a->overtaken < b->overtaken ? 1 : -1)
                                        : longest_first(x, y);
}

/* A waiting job with the words that it is sorted by. */
typedef struct Named {
    LpTreeWaiter waiter;
    const char *words;
} Named;

static int by_words(const void *x, const void *y) {
    const Named *a = x, *b = y;
    int order = strcmp(a->words, b->words);
    return order != 0 ? order : longest_first(&a->waiter, &b->waiter);
}

static LpErr sort_by_words(LpTreeFacts *f, const LpModel *model, bool user, LpDiag *diag) {
    Named *named = lp_alloc(f->waiters, sizeof *named);
    if (named == NULL)
        return lp_fail_memory(diag, "the list of waiting jobs");
    for (uint32_t i = 0; i < f->waiters; i++) {
        const LpIdentity *who = lp_job_identity(model->scenario, f->waiter[i].job);
        const char *words = user ? who->user : who->name;
        named[i] = (Named){f->waiter[i], words != NULL ? words : ""};
    }
    sort(named, f->waiters, sizeof *named, by_words);
    for (uint32_t i = 0; i < f->waiters; i++)
        f->waiter[i] = named[i].waiter;
    lp_free(named);
    return LP_OK;
}

static LpErr sort_waiters(LpTreeFacts *f, const LpModel *model, LpTreeOrder order, LpDiag *diag) {
    static int (*const compare[LP_TREE_ORDER_COUNT])(const void *, const void *) = {
        [LP_TREE_ORDER_LONGEST] = longest_first,
        [LP_TREE_ORDER_WIDEST] = widest_first,
        [LP_TREE_ORDER_OVERTAKEN] = overtaken_first};
    if (compare[order] == NULL)
        return sort_by_words(f, model, order == LP_TREE_ORDER_USER, diag);
    sort(f->waiter, f->waiters, sizeof *f->waiter, compare[order]);
    return LP_OK;
}

/* The marked job, else who waits longest. */
static int focus_of(const LpTreeFacts *f, uint32_t marked) {
    int focus = -1;
    for (uint32_t i = 0; i < f->waiters; i++) {
        if (f->waiter[i].job->id == marked)
            return (int)i;
        if (focus < 0 || longest_first(&f->waiter[i], &f->waiter[focus]) < 0)
            focus = (int)i;
    }
    return focus;
}

static LpErr gather_waiters(LpTreeFacts *f, const LpModel *model, const LpTreeState *state,
                            LpDiag *diag) {
    f->waiters = 0;
    for (uint32_t id = lp_world_first_waiting(model->world); id != LP_NO_INDEX;
         id = lp_world_next_waiting(model->world, id)) {
        LP_TRY(grow(&f->waiter, &f->waiter_cap, f->waiters, sizeof *f->waiter, diag));
        add_waiter(f, model, id);
    }
    sort(f->waiter, f->waiters, sizeof *f->waiter, by_arrival);
    count_overtakers(f, model);
    LP_TRY(sort_waiters(f, model, state->order, diag));
    f->focus = focus_of(f, state->job);
    f->width = f->focus >= 0 ? f->waiter[f->focus].servers : 0;
    return LP_OK;
}

static LpErr ask_why(LpTreeFacts *f, LpModel *model, LpDiag *diag) {
    int from = f->focus > ROWS_SEEN ? f->focus - ROWS_SEEN : 0;
    for (int i = from; i < (int)f->waiters && i <= f->focus + ROWS_SEEN; i++)
        LP_TRY(lp_tree_why_ask(&f->whys, model, f->waiter[i].job->id, diag));
    return LP_OK;
}

/* ---- nodes ---- */

typedef struct NodeFree {
    uint32_t node, free;
} NodeFree;

static int freest_first(const void *x, const void *y) {
    const NodeFree *a = x, *b = y;
    if (a->free != b->free)
        return a->free < b->free ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

static LpErr gather_nodes(LpTreeFacts *f, const LpTreeState *state, LpDiag *diag) {
    uint32_t begin = f->tree->level_begin[f->level];
    f->nodes = f->tree->level_begin[f->level + 1] - begin;
    LP_TRY(grow(&f->node, &f->node_cap, f->nodes, sizeof *f->node, diag));
    NodeFree *sorted = lp_alloc(f->nodes, sizeof *sorted);
    if (sorted == NULL)
        return lp_fail_memory(diag, "the board of the cluster's tree");
    for (uint32_t i = 0; i < f->nodes; i++)
        sorted[i] = (NodeFree){begin + i, f->count[begin + i].free};
    if (state->freest)
        sort(sorted, f->nodes, sizeof *sorted, freest_first);
    for (uint32_t i = 0; i < f->nodes; i++)
        f->node[i] = sorted[i].node;
    lp_free(sorted);
    return LP_OK;
}

/* ---- who runs ---- */

static int next_end_first(const void *x, const void *y) {
    const LpTreeRunner *a = x, *b = y;
    if (a->ends != b->ends && !isnan(a->ends) && !isnan(b->ends))
        return a->ends > b->ends ? 1 : -1;
    if (isnan(a->ends) != isnan(b->ends))
        return isnan(a->ends) ? 1 : -1;
    return (a->job->id > b->job->id) - (a->job->id < b->job->id);
}

/* Room for the servers of all running jobs, and for what is asked of each job. */
typedef struct Held {
    uint32_t *server, *mark;
    LpHeldServers *of;
    LpIfEnded *ended;
} Held;

static void free_held(Held *held) {
    lp_free(held->server);
    lp_free(held->mark);
    lp_free(held->of);
    lp_free(held->ended);
}

/* Its servers that would be free, after those that are listed already. */
static uint32_t list_servers(const LpModel *model, const LpJob *job, uint32_t *server) {
    uint32_t n = 0;
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
         s = lp_world_server(model->world, s)->next)
        if (lp_world_server(model->world, s)->state == LP_SERVER_IN_SERVICE)
            server[n++] = s;
    return n;
}

static LpErr fill_runners(LpTreeFacts *f, const LpModel *model, Held *held, LpDiag *diag) {
    uint32_t used = 0;
    const LpTreeWaiter *focus = f->focus >= 0 ? &f->waiter[f->focus] : NULL;
    for (uint32_t i = 0; i < f->runners; i++) {
        LpTreeRunner *runner = &f->runner[i];
        uint32_t n = list_servers(model, runner->job, held->server + used);
        held->of[i] = (LpHeldServers){n, held->server + used};
        runner->nodes = lp_tree_spread(f->tree, f->level, held->server + used, n, held->mark);
        used += n;
    }
    LP_TRY(lp_tree_if_ended(f->tree, f->count, focus != NULL ? &focus->ask : &(LpTreeAsk){0},
                            f->width, held->of, f->runners, held->ended, diag));
    for (uint32_t i = 0; i < f->runners; i++) {
        f->runner[i].main = held->ended[i].main;
        f->runner[i].frees = f->width > 0 ? held->ended[i].node : LP_NO_NODE;
    }
    return LP_OK;
}

static LpErr gather_runners(LpTreeFacts *f, const LpModel *model, LpDiag *diag) {
    f->runners = 0;
    for (uint32_t id = lp_world_first_running(model->world); id != LP_NO_INDEX;
         id = lp_world_next_running(model->world, id)) {
        const LpJob *job = lp_world_job(model->world, id);
        LP_TRY(grow(&f->runner, &f->runner_cap, f->runners, sizeof *f->runner, diag));
        /* as the reasons have it, which stand beside */
        f->runner[f->runners++] = (LpTreeRunner){
            .job = job,
            .ends = lp_job_believed_end(model->scenario, job, lp_world_now(model->world))};
    }
    sort(f->runner, f->runners, sizeof *f->runner, next_end_first);
    Held held = {.server = lp_alloc(f->tree->servers, sizeof *held.server),
                 .mark = lp_alloc(f->tree->nodes, sizeof *held.mark),
                 .of = lp_alloc(f->runners, sizeof *held.of),
                 .ended = lp_alloc(f->runners, sizeof *held.ended)};
    LpErr err = held.server && held.mark && held.of && held.ended
                    ? fill_runners(f, model, &held, diag)
                    : lp_fail_memory(diag, "the jobs that run");
    free_held(&held);
    return err;
}

/* ---- the queue over time ---- */

static int ascending(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* When it left the queue for the first time, NAN: it has not. */
static double left_at(const LpJob *job) {
    return !isnan(job->times.start)         ? job->times.start
           : job->outcome == LP_JOB_BLOCKED ? job->asked.arrival + fmax(job->times.wait, 0)
                                            : (double)NAN;
}

/* When jobs came and left in the whole branch, where it is known. */
static LpErr gather_queue(LpTreeFacts *f, const LpModel *model, LpDiag *diag) {
    LpModel ahead = lp_model_ahead(model);
    uint32_t jobs = lp_world_jobs(ahead.world);
    f->cames = f->lefts = 0;
    f->until = lp_world_now(ahead.world);
    LP_TRY(grow(&f->came, &f->came_cap, jobs, sizeof *f->came, diag));
    LP_TRY(grow(&f->left, &f->left_cap, jobs, sizeof *f->left, diag));
    for (uint32_t i = 0; i < jobs; i++) {
        const LpJob *job = lp_world_job(ahead.world, i);
        double left = left_at(job);
        f->came[f->cames++] = job->asked.arrival;
        if (!isnan(left))
            f->left[f->lefts++] = left;
    }
    sort(f->came, f->cames, sizeof *f->came, ascending);
    sort(f->left, f->lefts, sizeof *f->left, ascending);
    return LP_OK;
}

/* Times in a list that are not later. */
static uint32_t up_to(const double *time, uint32_t count, double at) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (time[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double lp_tree_queue_at(const LpTreeFacts *facts, double time) {
    return (double)up_to(facts->came, facts->cames, time) -
           (double)up_to(facts->left, facts->lefts, time);
}

/* ---- all of it ---- */

LpErr lp_tree_facts_update(LpTreeFacts *f, LpModel *model, const LpTreeState *state, LpDiag *diag) {
    f->tree = model->scenario->cluster.tree;
    f->count = lp_world_nodes(model->world);
    f->level = state->level < f->tree->levels ? state->level : f->tree->levels;
    LP_TRY(gather_waiters(f, model, state, diag));
    LP_TRY(lp_tree_board(f->tree, f->count, f->level, f->width, &f->board, diag));
    LP_TRY(gather_nodes(f, state, diag));
    LP_TRY(gather_runners(f, model, diag));
    LP_TRY(gather_queue(f, model, diag));
    return ask_why(f, model, diag);
}

void lp_tree_facts_fini(LpTreeFacts *f) {
    lp_tree_whys_fini(&f->whys);
    lp_free(f->node);
    lp_free(f->waiter);
    lp_free(f->runner);
    lp_free(f->came);
    lp_free(f->left);
    *f = (LpTreeFacts){0};
}
