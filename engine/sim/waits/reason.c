/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/waits/reason.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

/* One question, with what is worked out for it. */
typedef struct Asking {
    const LpReasonView *view;
    const LpReasonJob *job;
    const LpTree *tree;
    uint32_t n, level; /* servers, and the level whose nodes may hold them */
    uint32_t *room;    /* by node, for its segments */
    LpTreeCount *mended;
    uint32_t *lowest; /* free servers of the lowest nodes as jobs end */
    LpReason *out;
    size_t len; /* of out->text */
} Asking;

LP_PRINTF(2, 3) static void say(Asking *a, const char *fmt, ...) {
    va_list args;
    if (a->len >= sizeof a->out->text)
        return;
    va_start(args, fmt);
    int added = vsnprintf(a->out->text + a->len, sizeof a->out->text - a->len, fmt, args);
    va_end(args);
    a->len += added > 0 ? (size_t)added : 0;
}

/* ---- words ---- */

const char *lp_reason_code(LpReasonCode code) {
#define X(ID, code, word) code,
    static const char *const CODES[] = {LP_REASONS(X)};
#undef X
    return CODES[code];
}

int lp_wording_find(const char *word) {
#define X(ID, word) #word,
    static const char *const WORDS[] = {LP_WORDINGS(X)};
#undef X
    for (int w = 0; w < LP_WORDING_COUNT; w++)
        if (strcmp(word, WORDS[w]) == 0)
            return w;
    return -1;
}

static const char *slurm_word(LpReasonCode code) {
#define X(ID, code, word) word,
    static const char *const WORDS[] = {LP_REASONS(X)};
#undef X
    return WORDS[code];
}

static bool could_start(LpReasonCode code) {
    return code == LP_REASON_BEHIND || code == LP_REASON_POLICY;
}

/* As of 2026. */
static void print_kueue(const LpReason *r, char *out) {
    char level[80];
    bool too_many = r->code == LP_REASON_NEVER && strcmp(r->level, "cluster") == 0;
    if (could_start(r->code) || too_many) {
        snprintf(out, LP_REASON_WORD, "%s", too_many ? "ExceedsMaxQuota" : "Pending");
        return;
    }
    lp_str_show(level, sizeof level, r->level);
    if (r->most == 0)
        snprintf(out, LP_REASON_WORD,
                 "TopologyPlacementFailed: topology \"%s\" doesn't allow to fit any of %" PRIu32
                 " pod(s)",
                 level, r->servers);
    else
        snprintf(out, LP_REASON_WORD,
                 "TopologyPlacementFailed: topology \"%s\" allows to fit only %" PRIu32
                 " out of %" PRIu32 " pod(s)",
                 level, r->most, r->servers);
}

const char *lp_reason_word(const LpReason *r, LpWording wording, char out[LP_REASON_WORD]) {
    if (wording == LP_WORDING_SLURM)
        snprintf(out, LP_REASON_WORD, "%s", slurm_word(r->then));
    else if (wording == LP_WORDING_KUEUE)
        print_kueue(r, out);
    else if (wording == LP_WORDING_VOLCANO && could_start(r->code))
        snprintf(out, LP_REASON_WORD, "Inqueue");
    else if (wording == LP_WORDING_VOLCANO)
        snprintf(out, LP_REASON_WORD,
                 "pod group is not ready, %" PRIu32 " Pending, %" PRIu32 " minAvailable",
                 r->servers, r->servers);
    else
        snprintf(out, LP_REASON_WORD, "%s", lp_reason_code(r->code));
    return out;
}

static const char *level_name(const LpTree *tree, uint32_t level, char out[LP_TREE_PLURAL],
                              bool plural) {
    char name[LP_TREE_PLURAL];
    if (plural)
        lp_tree_plural(tree->level_name[level], name);
    else
        snprintf(name, sizeof name, "%s", tree->level_name[level]);
    return lp_str_show(out, LP_TREE_PLURAL, name);
}

/* "needs 4 segments of 4 in leaves in one row", "needs 8 servers". brief: "needs 8". */
static void say_need(Asking *a, const LpReasonJob *job, bool brief) {
    char name[LP_TREE_PLURAL];
    uint32_t k = brief ? 0 : job->ask.segment, level = lp_tree_asked_level(a->tree, &job->ask);
    if (k > 0)
        say(a, "needs %" PRIu32 " segments of %" PRIu32, job->servers / k, k);
    else
        say(a, "needs %" PRIu32, job->servers);
    if (k > 0 && level != 0)
        say(a, " in %s", level_name(a->tree, 0, name, true));
    if (level != a->tree->levels)
        say(a, " in one %s", level_name(a->tree, level, name, false));
    else if (k == 0 && !brief)
        say(a, " servers");
}

/* ---- when there will be enough ---- */

static bool is_down(const LpReasonView *view, uint32_t server) {
    uint32_t low = 0, high = view->downs;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->down[middle].server < server)
            low = middle + 1;
        else
            high = middle;
    }
    return low < view->downs && view->down[low].server == server;
}

/* One more server is free in a lowest node. Has the node of the level that is asked for room then?
 */
static bool grows(Asking *a, uint32_t leaf, uint32_t segment, uint32_t level, uint32_t n) {
    uint32_t k = segment > 1 ? segment : 1, before = a->lowest[leaf]++ / k * k;
    uint32_t more = a->lowest[leaf] / k * k - before, node = leaf;
    for (; more > 0; node = a->tree->parent[node]) {
        a->room[node] += more;
        if (a->tree->level[node] == level)
            return a->room[node] >= n;
    }
    return false;
}

/* The first end after which a job fits if all end as they are known to and nobody starts; NULL: it
 * is not known. */
static const LpReasonEnd *find_enough(Asking *a, const LpReasonJob *job) {
    const LpReasonView *v = a->view;
    uint32_t level = lp_tree_asked_level(a->tree, &job->ask);
    bool fits = false;
    lp_tree_room(a->tree, v->count, job->ask.segment, a->room);
    for (uint32_t i = 0; i < a->tree->level_begin[1]; i++)
        a->lowest[i] = v->count[i].free;
    for (uint32_t i = a->tree->level_begin[level]; i < a->tree->level_begin[level + 1]; i++)
        fits = fits || a->room[i] >= job->servers;
    for (uint32_t e = 0; e < v->ends; e++) {
        const LpReasonEnd *end = &v->end[e];
        for (uint32_t i = end->begin; i < end->begin + end->count; i++)
            if (!is_down(v, v->held[i]))
                fits =
                    grows(a, a->tree->lowest[v->held[i]], job->ask.segment, level, job->servers) ||
                    fits;
        if (fits)
            return end;
    }
    return NULL;
}

static void say_enough(Asking *a, const LpReasonEnd *end) {
    char span[LP_SPAN_TEXT];
    if (end == NULL) {
        say(a, "when there will be enough is not known");
        return;
    }
    say(a, "enough in %s, when %s ends", lp_span_print(end->at - a->view->now, span), end->label);
    a->out->enough_at = end->at;
    a->out->when_job = end->job;
}

/* ---- now, across several nodes ---- */

static int falling(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a < b) - (a > b);
}

/* Free servers of the nodes of the level, the most first, into a->room; returns how many nodes. */
static uint32_t list_free(Asking *a) {
    uint32_t begin = a->tree->level_begin[a->level];
    uint32_t nodes = a->tree->level_begin[a->level + 1] - begin;
    for (uint32_t i = 0; i < nodes; i++)
        a->room[i] = a->view->count[begin + i].free;
    qsort(a->room, nodes, sizeof *a->room, falling);
    return nodes;
}

static void say_across(Asking *a) {
    const LpReasonView *v = a->view;
    char plural[LP_TREE_PLURAL];
    if (a->level == a->tree->levels || a->job->ask.segment > 0 ||
        v->count[a->tree->nodes - 1].free < a->n)
        return;
    uint32_t nodes = list_free(a), used = 0;
    for (uint32_t have = 0; have < a->n && used < nodes; used++)
        have += a->room[used];
    if (used < 2)
        return;
    a->out->across = used;
    a->out->ratio = v->ratio != NULL ? v->ratio(v->context, used) : (double)NAN;
    say(a, ", or now across %" PRIu32 " %s", used, level_name(a->tree, a->level, plural, true));
    if (!isnan(a->out->ratio))
        say(a, " for %.2f times the step time", a->out->ratio);
    else if (a->job->rigid)
        say(a, " (it states how long it runs, so what that costs is not known)");
}

static void say_later(Asking *a) {
    say(a, "; ");
    say_enough(a, find_enough(a, a->job));
    say_across(a);
}

/* ---- reasons, in their order ---- */

/* The most servers, or segments, that a node of the level has by a->room. */
static uint32_t most_room(const Asking *a) {
    uint32_t most = 0;
    for (uint32_t i = a->tree->level_begin[a->level]; i < a->tree->level_begin[a->level + 1]; i++)
        most = a->room[i] > most ? a->room[i] : most;
    return most;
}

static void begin(Asking *a, LpReasonCode code) {
    a->out->then = code;
    a->out->code = code;
    if (code > LP_REASON_STOPPED && !isnan(a->view->stopped_at)) {
        char span[LP_SPAN_TEXT];
        a->out->code = LP_REASON_STOPPED;
        say(a, "stopped %s ago by %s; ", lp_span_print(a->view->now - a->view->stopped_at, span),
            a->view->stopped_by);
    }
}

static bool never(Asking *a) {
    char level[LP_TREE_PLURAL];
    uint32_t k = a->job->ask.segment;
    lp_tree_room(a->tree, NULL, k, a->room);
    uint32_t most = most_room(a);
    if (most >= a->n)
        return false;
    begin(a, LP_REASON_NEVER);
    say_need(a, a->job, false);
    level_name(a->tree, a->level, level, false);
    if (a->n > a->tree->servers || (k == 0 && a->level == a->tree->levels))
        say(a, "; the cluster has %" PRIu32, a->tree->servers);
    else if (k == 0)
        say(a, "; the largest %s has %" PRIu32, level, most);
    else if (a->level == a->tree->levels)
        say(a, "; the cluster has room for %" PRIu32, most / k);
    else
        say(a, "; the %s with the most has room for %" PRIu32, level, most / k);
    say(a, ": it can never start");
    return true;
}

static void say_policy(Asking *a) {
    char says[LP_REASON_WORD * 2];
    begin(a, LP_REASON_POLICY);
    say(a, "could start now; the policy lets it wait");
    if (a->view->says != NULL && a->view->says[0] != '\0')
        say(a, ": \"%s\"", lp_str_show(says, sizeof says, a->view->says));
}

static void say_before(Asking *a) {
    const LpReasonJob *head = a->view->head;
    char span[LP_SPAN_TEXT];
    if (a->job->arrival > head->arrival)
        say(a, "came %s before", lp_span_print(a->job->arrival - head->arrival, span));
    else
        say(a, "stands before it");
}

/* Behind one that it would delay; false: it would not, or how long it runs is not known. */
static bool fills_no_gap(Asking *a) {
    const LpReasonJob *head = a->view->head;
    const LpReasonEnd *end = find_enough(a, head);
    char over[LP_SPAN_TEXT], until[LP_SPAN_TEXT];
    if (end == NULL) {
        begin(a, LP_REASON_BEHIND);
        say(a, "could start now, but when %s starts, which ", head->label);
        say_before(a);
        say(a, ", is not known");
        return true;
    }
    double late = a->job->duration - (end->at - a->view->now);
    if (!(late > 0))
        return false;
    begin(a, LP_REASON_BEHIND);
    say(a, "could start now, but would end %s after %s is to start, in %s",
        lp_span_print(late, over), head->label, lp_span_print(end->at - a->view->now, until));
    return true;
}

static void could(Asking *a) {
    const LpReasonView *v = a->view;
    a->out->enough_at = v->now;
    if (v->head == NULL || v->order == LP_IN_ANY_ORDER) {
        say_policy(a);
        return;
    }
    if (v->order == LP_IN_ORDER_FILL) {
        if (!fills_no_gap(a))
            say_policy(a);
        return;
    }
    begin(a, LP_REASON_BEHIND);
    say(a, "could start now, but waits for %s, which ", v->head->label);
    say_before(a);
    say(a, " and ");
    say_need(a, v->head, true);
}

/* Names of the broken servers under a node. */
static void say_down(Asking *a, uint32_t node) {
    const LpReasonView *v = a->view;
    char name[LP_SERVER_TEXT];
    bool first = true;
    for (uint32_t i = 0; i < v->downs; i++) {
        uint32_t s = v->down[i].server;
        if (lp_tree_node_of(a->tree, s, a->tree->level[node]) != node)
            continue;
        snprintf(name, sizeof name, "%" PRIu32, s);
        if (v->cluster != NULL)
            lp_cluster_server(v->cluster, s, name);
        say(a, "%s%s", first ? "" : ", ", name);
        first = false;
    }
}

/* Would it fit if all that is broken were mended? */
static bool broken(Asking *a) {
    const LpReasonView *v = a->view;
    char name[LP_REASON_WORD];
    uint32_t best = LP_NO_NODE;
    memcpy(a->mended, v->count, a->tree->nodes * sizeof *a->mended);
    for (uint32_t i = 0; i < v->downs; i++)
        if (!v->down[i].held)
            lp_tree_add(a->tree, a->mended, v->down[i].server, 1, 0);
    lp_tree_room(a->tree, a->mended, a->job->ask.segment, a->room);
    for (uint32_t i = a->tree->level_begin[a->level]; i < a->tree->level_begin[a->level + 1]; i++)
        if (a->room[i] >= a->n && (best == LP_NO_NODE || v->count[i].down < v->count[best].down))
            best = i;
    if (best == LP_NO_NODE)
        return false;
    begin(a, LP_REASON_BROKEN);
    say_need(a, a->job, false);
    say(a, "; %s would have ", lp_str_show(name, sizeof name, a->tree->name[best]));
    if (a->job->ask.segment > 0)
        say(a, "room");
    else
        say(a, "%" PRIu32, a->mended[best].free);
    say(a, " if server%s ", v->count[best].down == 1 ? "" : "s");
    say_down(a, best);
    say(a, " were not down");
    return true;
}

static void lacking(Asking *a, uint32_t fit) {
    const LpReasonView *v = a->view;
    char plural[LP_TREE_PLURAL];
    uint32_t free = v->count[a->tree->nodes - 1].free, k = a->job->ask.segment;
    begin(a, free < a->n ? LP_REASON_RESOURCE : LP_REASON_SHAPE);
    say_need(a, a->job, false);
    if (free < a->n) {
        say(a, "; %" PRIu32 " of %" PRIu32 " %s free", free, a->tree->servers,
            free == 1 ? "is" : "are");
    } else if (k > 0) {
        say(a, "; %" PRIu32 " are free, but only %" PRIu32 " such segments", free, fit / k);
    } else {
        uint32_t nodes = list_free(a);
        say(a, "; %s have ", level_name(a->tree, a->level, plural, true));
        for (uint32_t i = 0; i < nodes && i < 3; i++)
            say(a, "%s%" PRIu32, i > 0 ? ", " : "", a->room[i]);
        say(a, "%s free", nodes > 3 ? " and less" : "");
    }
}

/* There are servers enough, but the engine finds no place on them. */
static void no_place(Asking *a) {
    const LpReasonView *v = a->view;
    begin(a, v->lacks);
    say_need(a, a->job, false);
    say(a, "; %s; ", v->lacking);
    say_enough(a, isnan(v->enough_at) ? NULL : &v->end[v->when]);
}

static void find(Asking *a) {
    lp_tree_room(a->tree, a->view->count, a->job->ask.segment, a->room);
    uint32_t fit = most_room(a);
    a->out->most = fit;
    if (never(a))
        return;
    if (fit >= a->n && a->view->lacks == LP_REASON_POLICY) {
        could(a);
        return;
    }
    if (fit >= a->n) {
        no_place(a);
        return;
    }
    if (!broken(a))
        lacking(a, fit);
    say_later(a);
}

LpErr lp_reason_find(const LpReasonView *view, const LpReasonJob *job, LpReason *out,
                     LpDiag *diag) {
    const LpTree *tree = view->tree;
    Asking a = {.view = view,
                .job = job,
                .tree = tree,
                .n = job->servers,
                .level = lp_tree_asked_level(tree, &job->ask),
                .out = out};
    *out = (LpReason){.enough_at = (double)NAN,
                      .when_job = UINT32_MAX,
                      .ratio = (double)NAN,
                      .servers = job->servers,
                      .level = tree->level_name[a.n > tree->servers ? tree->levels : a.level]};
    a.room = lp_alloc(tree->nodes, sizeof *a.room);
    a.mended = lp_alloc(tree->nodes, sizeof *a.mended);
    a.lowest = lp_alloc(tree->level_begin[1], sizeof *a.lowest);
    bool there = a.room != NULL && a.mended != NULL && a.lowest != NULL;
    if (there)
        find(&a);
    lp_free(a.room);
    lp_free(a.mended);
    lp_free(a.lowest);
    return there ? LP_OK : lp_fail_memory(diag, "why a job waits");
}
