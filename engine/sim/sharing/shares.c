/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progressive filling, one component at a time; the next bottleneck is on top of a heap. */
#include "sim/sharing/shares.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/sharing/shares_heap.h"

/* What the filling knows of a link. */
typedef struct Link {
    double capacity;
    double most;         /* of its flows at their caps */
    uint32_t round;      /* of the call in which the other fields were set */
    uint32_t begin, end; /* its entries in by_link, in order of flows */
    uint32_t active;     /* flows on it that still speed up */
    bool seen, dirty;    /* in a component already; its level in the heap is too low */
    bool spare;          /* carries all its flows at their caps: never a bottleneck */
} Link;

typedef struct Flow {
    bool seen, frozen;
    bool here; /* in the component at hand, while its flows are put in order */
} Flow;

/* A flow on a link. */
typedef struct Entry {
    double use;
    uint32_t flow;
} Entry;

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
    LpShareHeap heap; /* of links */
    LpShareItem *cap; /* of the component's flows */
    size_t cap_cap;
    uint32_t cap_count;
    double least_cap;
    uint32_t active; /* flows of the component that still speed up */
};

LpShares *lp_shares_new(void) {
    return lp_alloc(1, sizeof(LpShares));
}

void lp_shares_free(LpShares *s) {
    if (s == NULL)
        return;
    void *owned[] = {s->link,  s->flow,   s->by_link,   s->used, s->member,
                     s->queue, s->solved, s->heap.item, s->cap};
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

static LpErr grow_heap(LpShares *s, size_t need) {
    void *grown = s->heap.item;
    LP_TRY(lp_grow(&grown, &s->heap.cap, need, sizeof *s->heap.item));
    s->heap.item = grown;
    return LP_OK;
}

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
    LP_TRY(grow_heap(s, entries + 1 + LP_SHARE_SPARE));
    GROW(s, cap, (size_t)p->flows + 1);
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
    LP_TRY(grow_heap(s, like->heap.cap));
    GROW(s, cap, like->cap_cap);
    return LP_OK;
}

/* ---- who is on which link ---- */

/* Touches only links with entries: a call costs what the flows are, not what the network is. */
static void count_entries(LpShares *s) {
    const LpShareProblem *p = s->p;
    for (uint32_t f = 0; f < p->flows; f++) {
        double cap = cap_of(p, f);
        for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++) {
            Link *l = &s->link[p->link[i]];
            if (l->round != s->round) {
                *l = (Link){.round = s->round, .capacity = p->capacity[p->link[i]]};
                s->used[s->used_count++] = p->link[i];
            }
            l->most += use_of(p, i) * cap;
            l->end++;
        }
    }
}

/* A link that could carry every flow at its cap keeps nobody back and joins nobody. */
static void group_entries(LpShares *s) {
    const LpShareProblem *p = s->p;
    uint32_t at = 0;
    for (uint32_t u = 0; u < s->used_count; u++) {
        Link *l = &s->link[s->used[u]];
        uint32_t entries = l->end;
        l->spare = l->most <= l->capacity;
        l->begin = l->end = at;
        at += entries;
    }
    for (uint32_t f = 0; f < p->flows; f++)
        for (uint32_t i = p->begin[f]; i < p->begin[f + 1]; i++) {
            Link *l = &s->link[p->link[i]];
            s->by_link[l->end++] = (Entry){use_of(p, i), f};
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
    return LP_OK;
}

/* ---- filling ---- */

/* Level at which the active flows fill the link, summed anew in order of flows: differences would
 * leave residues of rounding behind. False when the link keeps nobody back: no flow is active, or
 * there is room for all of them at their caps. */
static bool fill_level(const LpShares *s, Link *l, double *level) {
    double taken = 0, wanted = 0, most = 0;
    l->active = 0;
    for (uint32_t i = l->begin; i < l->end; i++) {
        const Entry *e = &s->by_link[i];
        if (s->flow[e->flow].frozen) {
            taken += e->use * s->rate[e->flow];
        } else {
            l->active++;
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
    s->active--;
    for (uint32_t i = p->begin[flow]; i < p->begin[flow + 1]; i++) {
        Link *l = &s->link[p->link[i]];
        l->dirty = true;
        l->active--;
    }
}

/* Levels only rise while flows freeze, so a dirty link's level in the heap is a lower bound: it is
 * worked out again when it comes up. Rounding may lower it by an ulp; it never falls behind what is
 * reached already. */
static void renew_top(LpShares *s, Link *l, double reached) {
    double level;
    l->dirty = false;
    if (l->active == 0 || !fill_level(s, l, &level)) {
        lp_share_heap_drop(&s->heap);
        return;
    }
    lp_share_heap_change(&s->heap, level > reached ? level : reached);
}

static void freeze_top(LpShares *s, double *reached) {
    LpShareItem top = s->heap.item[0];
    Link *l = &s->link[top.id];
    if (l->dirty) {
        renew_top(s, l, *reached);
        return;
    }
    lp_share_heap_drop(&s->heap);
    double level = top.level;
    for (uint32_t i = l->begin; i < l->end; i++) {
        uint32_t f = s->by_link[i].flow;
        double rate = level * weight_of(s->p, f), cap = cap_of(s->p, f);
        if (!s->flow[f].frozen)
            freeze(s, f, rate < cap ? rate : cap);
    }
    *reached = top.level > *reached ? top.level : *reached;
}

/* Links left on the heap when the last flow has stopped limit no flow. Caps are put in order
 * when the least of them is reached: by then few are left. */
static void fill(LpShares *s) {
    double reached = 0;
    while (s->active > 0 && s->heap.count > 0 && s->heap.item[0].level <= s->least_cap)
        freeze_top(s, &reached);
    if (s->active > 0) {
        /* Puts the caps of the flows that go on in order. */
        uint32_t count = 0;
        for (uint32_t i = 0; i < s->cap_count; i++)
            if (!s->flow[s->cap[i].id].frozen)
                s->cap[count++] = s->cap[i];
        s->cap_count = count;
        lp_share_sort(s->cap, count);
    }
    for (uint32_t next = 0; s->active > 0 && (s->heap.count > 0 || next < s->cap_count);) {
        if (s->heap.count > 0 &&
            (next == s->cap_count || s->heap.item[0].level <= s->cap[next].level)) {
            freeze_top(s, &reached);
        } else {
            LpShareItem top = s->cap[next++];
            reached = top.level > reached ? top.level : reached;
            if (!s->flow[top.id].frozen)
                freeze(s, top.id, cap_of(s->p, top.id));
        }
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

/* Ascending: a large component is gathered anew faster than it is sorted. */
static void order_members(LpShares *s, uint32_t flows) {
    if (flows < s->p->flows / 16) {
        qsort(s->member, flows, sizeof *s->member, compare_u32);
        return;
    }
    for (uint32_t i = 0; i < flows; i++)
        s->flow[s->member[i]].here = true;
    for (uint32_t f = 0, at = 0; at < flows; f++)
        if (s->flow[f].here) {
            s->flow[f].here = false;
            s->member[at++] = f;
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
    order_members(s, *flows);
}

/* The levels of the component's links and the caps of its flows. */
static void pose(LpShares *s, uint32_t flows, uint32_t links) {
    const LpShareProblem *p = s->p;
    s->heap.count = s->cap_count = 0;
    for (uint32_t i = 0; i < links; i++) {
        Link *l = &s->link[s->queue[i]];
        double level;
        l->dirty = false;
        if (fill_level(s, l, &level))
            s->heap.item[s->heap.count++] = (LpShareItem){level, s->queue[i]};
    }
    s->least_cap = (double)INFINITY;
    for (uint32_t i = 0; i < flows; i++) {
        double cap = cap_of(p, s->member[i]), level = cap / weight_of(p, s->member[i]);
        if (isinf(cap))
            continue;
        s->cap[s->cap_count++] = (LpShareItem){level, s->member[i]};
        s->least_cap = level < s->least_cap ? level : s->least_cap;
    }
    lp_share_heap_order(&s->heap);
}

static void solve_from(LpShares *s, uint32_t flow) {
    uint32_t flows, links;
    if (s->flow[flow].seen)
        return;
    find_component(s, flow, &flows, &links);
    memcpy(s->solved + s->solved_count, s->member, flows * sizeof *s->member);
    s->solved_count += flows;
    if (links == 0) { /* INFINITY where nothing bounds it */
        for (uint32_t i = 0; i < flows; i++)
            s->rate[s->member[i]] = cap_of(s->p, s->member[i]);
        return;
    }
    pose(s, flows, links);
    s->active = flows;
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

LpErr lp_shares_update(LpShares *s, const LpShareProblem *problem, const uint32_t *touched,
                       uint32_t count, double from, double *rate) {
    LP_TRY(begin(s, problem, rate));
    /* Flows that stopped before the first change keep their rate and join no component. */
    double change = first_change(s, touched, count, from);
    for (uint32_t f = 0; f < s->p->flows; f++)
        if (s->rate[f] < change * weight_of(s->p, f))
            s->flow[f].seen = s->flow[f].frozen = true;
    for (uint32_t i = 0; i < count; i++) {
        const Link *l = &s->link[touched[i]];
        if (l->round != s->round) /* no flow is left on it */
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
