/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progressive filling over one component at a time: bottlenecks come off a heap. */
#include "sim/shares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What the filling knows of a link. */
typedef struct Link {
    double capacity;
    uint32_t round;      /* of the call in which the other fields were set */
    uint32_t begin, end; /* its entries in by_link, in order of flows */
    bool seen, dirty;    /* in a component already; its level in the heap is too low */
    bool spare;          /* carries all its flows at their caps: never a bottleneck */
} Link;

typedef struct Flow {
    bool seen, frozen;
} Flow;

/* A flow on a link. */
typedef struct Entry {
    double use;
    uint32_t flow;
} Entry;

typedef struct Item {
    double level;
    uint32_t id; /* link, or links + flow for a cap; breaks ties */
} Item;

struct LpShares {
    const LpShareProblem *p;
    double *rate;
    uint32_t round;
    Link *link;
    size_t link_cap;
    Flow *flow;
    size_t flow_cap;
    Entry *by_link; /* entries grouped by link */
    size_t by_link_cap;
    uint32_t *used; /* links with entries */
    size_t used_cap;
    uint32_t used_count;
    uint32_t *member; /* flows of the component, then links to visit */
    size_t member_cap;
    uint32_t *queue;
    size_t queue_cap;
    uint32_t *solved;
    size_t solved_cap;
    uint32_t solved_count;
    Item *heap;
    size_t heap_cap;
    uint32_t heap_count;
};

LpShares *lp_shares_new(void) {
    return lp_alloc(1, sizeof(LpShares));
}

void lp_shares_free(LpShares *s) {
    if (s == NULL)
        return;
    void *owned[] = {s->link,   s->flow,  s->by_link, s->used,
                     s->member, s->queue, s->solved,  s->heap};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_free(s);
}

static double use_of(const LpShareProblem *p, uint32_t entry) {
    return p->use != NULL ? p->use[entry] : 1;
}

static double weight_of(const LpShareProblem *p, uint32_t flow) {
    return p->weight != NULL ? p->weight[flow] : 1;
}

static double cap_of(const LpShareProblem *p, uint32_t flow) {
    return p->cap != NULL ? p->cap[flow] : (double)INFINITY;
}

/* ---- room ---- */

#define GROW(s, field, need)                                                                       \
    do {                                                                                           \
        void *grown_ = (s)->field;                                                                 \
        LP_TRY(lp_grow(&grown_, &(s)->field##_cap, (need), sizeof *(s)->field));                   \
        (s)->field = grown_;                                                                       \
    } while (0)

static LpErr make_room(LpShares *s, const LpShareProblem *p) {
    size_t entries = p->begin[p->flows], before = s->link_cap;
    GROW(s, link, (size_t)p->links + 1);
    for (size_t l = before; l < s->link_cap; l++)
        s->link[l].round = 0;
    GROW(s, flow, (size_t)p->flows + 1);
    GROW(s, by_link, entries + 1);
    GROW(s, used, entries + 1);
    GROW(s, member, (size_t)p->flows + 1);
    GROW(s, queue, entries + 1);
    GROW(s, solved, (size_t)p->flows + 1);
    GROW(s, heap, entries + p->flows + 1);
    return LP_OK;
}

LpErr lp_shares_reserve(LpShares *s, const LpShares *like) {
    size_t before = s->link_cap;
    GROW(s, link, like->link_cap);
    for (size_t l = before; l < s->link_cap; l++)
        s->link[l].round = 0;
    GROW(s, flow, like->flow_cap);
    GROW(s, by_link, like->by_link_cap);
    GROW(s, used, like->used_cap);
    GROW(s, member, like->member_cap);
    GROW(s, queue, like->queue_cap);
    GROW(s, solved, like->solved_cap);
    GROW(s, heap, like->heap_cap);
    return LP_OK;
}

/* ---- who is on which link ---- */

/* Touches only links with entries: a call costs what the flows are, not what the network is. */
static void count_entries(LpShares *s) {
    const LpShareProblem *p = s->p;
    for (uint32_t i = 0; i < p->begin[p->flows]; i++) {
        Link *l = &s->link[p->link[i]];
        if (l->round != s->round) {
            *l = (Link){.round = s->round, .capacity = p->capacity[p->link[i]]};
            s->used[s->used_count++] = p->link[i];
        }
        l->end++;
    }
}

static void group_entries(LpShares *s) {
    const LpShareProblem *p = s->p;
    uint32_t at = 0;
    for (uint32_t u = 0; u < s->used_count; u++) {
        Link *l = &s->link[s->used[u]];
        uint32_t entries = l->end;
        l->begin = l->end = at;
        at += entries;
    }
    for (uint32_t f = 0; f < p->flows; f++)
        for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++) {
            Link *l = &s->link[p->link[i]];
            s->by_link[l->end++] = (Entry){use_of(p, i), f};
        }
}

/* A link that could carry every flow at its cap keeps nobody back and joins nobody. */
static void find_spare(LpShares *s) {
    for (uint32_t u = 0; u < s->used_count; u++) {
        Link *l = &s->link[s->used[u]];
        double most = 0;
        for (uint32_t i = l->begin; i < l->end; i++)
            most += s->by_link[i].use * cap_of(s->p, s->by_link[i].flow);
        l->spare = most <= l->capacity;
    }
}

static LpErr begin(LpShares *s, const LpShareProblem *p, double *rate) {
    s->solved_count = 0;
    LP_TRY(make_room(s, p));
    s->p = p;
    s->rate = rate;
    s->used_count = 0;
    if (++s->round == 0) { /* stale rounds could match again */
        for (size_t l = 0; l < s->link_cap; l++)
            s->link[l].round = 0;
        s->round = 1;
    }
    memset(s->flow, 0, p->flows * sizeof *s->flow);
    count_entries(s);
    group_entries(s);
    find_spare(s);
    return LP_OK;
}

/* ---- a heap of levels ---- */

static bool before(Item a, Item b) {
    return a.level < b.level || (a.level == b.level && a.id < b.id);
}

static void append(LpShares *s, double level, uint32_t id) {
    s->heap[s->heap_count++] = (Item){level, id};
}

enum { ARITY = 4 };

static uint32_t least_child(const LpShares *s, uint32_t at) {
    uint32_t first = ARITY * at + 1, best = first;
    for (uint32_t c = first + 1; c < first + ARITY && c < s->heap_count; c++)
        if (before(s->heap[c], s->heap[best]))
            best = c;
    return best;
}

static void sift_down(LpShares *s, uint32_t at, Item item) {
    while (ARITY * at + 1 < s->heap_count) {
        uint32_t child = least_child(s, at);
        if (!before(s->heap[child], item))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = item;
}

static void order_heap(LpShares *s) {
    for (uint32_t at = (s->heap_count + ARITY - 2) / ARITY; at-- > 0;)
        sift_down(s, at, s->heap[at]);
}

static void drop_top(LpShares *s) {
    Item last = s->heap[--s->heap_count];
    if (s->heap_count > 0)
        sift_down(s, 0, last);
}

/* ---- filling ---- */

/* Level at which the active flows fill the link, summed anew in order of flows: differences would
 * leave residues of rounding behind. False when the link keeps nobody back: no flow is active, or
 * there is room for all of them at their caps. */
static bool fill_level(const LpShares *s, const Link *l, double *level) {
    double taken = 0, wanted = 0, most = 0;
    for (uint32_t i = l->begin; i < l->end; i++) {
        const Entry *e = &s->by_link[i];
        if (s->flow[e->flow].frozen) {
            taken += e->use * s->rate[e->flow];
        } else {
            wanted += e->use * weight_of(s->p, e->flow);
            most += e->use * cap_of(s->p, e->flow);
        }
    }
    double left = l->capacity - taken;
    *level = left > 0 ? left / wanted : 0;
    return most > left;
}

static void freeze(LpShares *s, uint32_t flow, double rate) {
    const LpShareProblem *p = s->p;
    s->rate[flow] = rate;
    s->flow[flow].frozen = true;
    for (uint32_t i = p->begin[flow]; i < p->begin[flow + 1]; i++)
        s->link[p->link[i]].dirty = true;
}

static void freeze_link(LpShares *s, const Link *l, double level) {
    for (uint32_t i = l->begin; i < l->end; i++) {
        uint32_t f = s->by_link[i].flow;
        double rate = level * weight_of(s->p, f), cap = cap_of(s->p, f);
        if (!s->flow[f].frozen)
            freeze(s, f, rate < cap ? rate : cap);
    }
}

/* Levels only rise while flows freeze, so a dirty link's level in the heap is a lower bound: it is
 * worked out again when it comes up. Rounding may lower it by an ulp; it never falls behind what is
 * reached already. False: the link is no longer, or not yet, the next one. */
static bool renew_top(LpShares *s, Link *l, double reached, double *level) {
    if (!l->dirty)
        return true;
    l->dirty = false;
    if (!fill_level(s, l, level)) {
        drop_top(s);
        return false;
    }
    *level = *level > reached ? *level : reached;
    Item item = {*level, s->heap[0].id};
    sift_down(s, 0, item);
    return s->heap[0].id == item.id;
}

static void fill(LpShares *s) {
    double reached = 0;
    while (s->heap_count > 0) {
        Item top = s->heap[0];
        double level = top.level;
        if (top.id >= s->p->links) {
            uint32_t f = top.id - s->p->links;
            drop_top(s);
            if (!s->flow[f].frozen)
                freeze(s, f, cap_of(s->p, f));
        } else {
            Link *l = &s->link[top.id];
            if (!renew_top(s, l, reached, &level))
                continue;
            drop_top(s);
            freeze_link(s, l, level);
        }
        reached = level > reached ? level : reached;
    }
}

/* ---- components ---- */

static int compare_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void visit_flow(LpShares *s, uint32_t flow, uint32_t *flows, uint32_t *links) {
    const LpShareProblem *p = s->p;
    if (s->flow[flow].seen)
        return;
    s->flow[flow].seen = true;
    s->member[(*flows)++] = flow;
    for (uint32_t i = p->begin[flow]; i < p->begin[flow + 1]; i++) {
        Link *l = &s->link[p->link[i]];
        if (l->seen || l->spare)
            continue;
        l->seen = true;
        s->queue[(*links)++] = p->link[i];
    }
}

/* Everybody joined to `flow` by links that may be bottlenecks. */
static void find_component(LpShares *s, uint32_t flow, uint32_t *flows, uint32_t *links) {
    *flows = *links = 0;
    visit_flow(s, flow, flows, links);
    for (uint32_t at = 0; at < *links; at++) {
        const Link *l = &s->link[s->queue[at]];
        for (uint32_t i = l->begin; i < l->end; i++)
            visit_flow(s, s->by_link[i].flow, flows, links);
    }
    qsort(s->member, *flows, sizeof *s->member, compare_u32);
}

static void solve_from(LpShares *s, uint32_t flow) {
    uint32_t flows, links;
    if (s->flow[flow].seen)
        return;
    find_component(s, flow, &flows, &links);
    s->heap_count = 0;
    for (uint32_t i = 0; i < links; i++) {
        double level;
        Link *l = &s->link[s->queue[i]];
        l->dirty = false;
        if (fill_level(s, l, &level))
            append(s, level, s->queue[i]);
    }
    for (uint32_t i = 0; i < flows; i++) {
        uint32_t f = s->member[i];
        if (links == 0)
            s->rate[f] = cap_of(s->p, f); /* INFINITY where nothing bounds it */
        else if (!isinf(cap_of(s->p, f)))
            append(s, cap_of(s->p, f) / weight_of(s->p, f), s->p->links + f);
        s->solved[s->solved_count++] = f;
    }
    order_heap(s);
    fill(s);
}

/* ---- public ---- */

LpErr lp_shares_solve(LpShares *s, const LpShareProblem *problem, double *rate) {
    LP_TRY(begin(s, problem, rate));
    for (uint32_t f = 0; f < problem->flows; f++)
        solve_from(s, f);
    return LP_OK;
}

/* Level at which a link fills when everybody goes on until the rate that they had before, or until
 * their cap where they are new; INFINITY when it does not. */
static double first_full(const LpShares *s, const Link *l) {
    double level = 0;
    for (bool more = true; more;) {
        double taken = 0, wanted = 0, next;
        for (uint32_t i = l->begin; i < l->end; i++) {
            const Entry *e = &s->by_link[i];
            double had = s->rate[e->flow], weight = weight_of(s->p, e->flow);
            double end = isnan(had) ? cap_of(s->p, e->flow) : had;
            if (end < level * weight)
                taken += e->use * end;
            else
                wanted += e->use * weight;
        }
        next = l->capacity > taken ? (l->capacity - taken) / wanted : 0;
        if (!(wanted > 0))
            return (double)INFINITY;
        more = next > level;
        level = more ? next : level;
    }
    return level;
}

static bool has_new(const LpShares *s, const Link *l) {
    for (uint32_t i = l->begin; i < l->end; i++)
        if (isnan(s->rate[s->by_link[i].flow]))
            return true;
    return false;
}

/* Filling goes as it went before up to here, but for rounding. */
static double first_change(const LpShares *s, const uint32_t *touched, uint32_t count,
                           double from) {
    for (uint32_t i = 0; i < count; i++) {
        const Link *l = &s->link[touched[i]];
        if (l->round != s->round || l->spare || !has_new(s, l))
            continue;
        double full = first_full(s, l);
        from = full < from ? full : from;
    }
    return from * (1 - 1e-9);
}

/* Who stopped before the first change keeps the rate and joins nobody. */
static void keep_slow(LpShares *s, double change) {
    for (uint32_t f = 0; f < s->p->flows; f++)
        if (s->rate[f] < change * weight_of(s->p, f))
            s->flow[f].seen = s->flow[f].frozen = true;
}

LpErr lp_shares_update(LpShares *s, const LpShareProblem *problem, const uint32_t *touched,
                       uint32_t count, double from, double *rate) {
    LP_TRY(begin(s, problem, rate));
    keep_slow(s, first_change(s, touched, count, from));
    for (uint32_t i = 0; i < count; i++) {
        const Link *l = &s->link[touched[i]];
        if (l->round != s->round) /* nobody is on it any more */
            continue;
        for (uint32_t k = l->begin; k < l->end; k++)
            solve_from(s, s->by_link[k].flow);
    }
    return LP_OK;
}

const uint32_t *lp_shares_solved(const LpShares *s, uint32_t *count) {
    *count = s->solved_count;
    return s->solved;
}
