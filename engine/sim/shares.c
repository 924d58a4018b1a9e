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
    uint32_t round;      /* of the call in which the fields below were set */
    uint32_t begin, end; /* its entries in by_link, in order of flows */
    bool seen, dirty;    /* in a component already; the level in the heap is too low */
    double level;        /* rate / weight at which its active flows fill it */
} Link;

typedef struct Flow {
    bool seen, frozen;
} Flow;

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
    uint32_t *by_link, *entry; /* entries grouped by link: flow, and where its use stands */
    size_t by_link_cap, entry_cap;
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
    void *owned[] = {s->link,   s->flow,  s->by_link, s->entry, s->used,
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
    GROW(s, entry, entries + 1);
    GROW(s, used, entries + 1);
    GROW(s, member, (size_t)p->flows + 1);
    GROW(s, queue, entries + 1);
    GROW(s, solved, (size_t)p->flows + 1);
    GROW(s, heap, entries + p->flows + 1);
    return LP_OK;
}

/* ---- who is on which link ---- */

/* Touches only links with entries: a call costs what the flows are, not what the network is. */
static void count_entries(LpShares *s) {
    const LpShareProblem *p = s->p;
    for (uint32_t i = 0; i < p->begin[p->flows]; i++) {
        Link *l = &s->link[p->link[i]];
        if (l->round != s->round) {
            *l = (Link){.round = s->round};
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
            s->by_link[l->end] = f;
            s->entry[l->end++] = i;
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

/* ---- a heap of levels ---- */

static bool before(Item a, Item b) {
    return a.level < b.level || (a.level == b.level && a.id < b.id);
}

static void push(LpShares *s, double level, uint32_t id) {
    uint32_t at = s->heap_count++;
    Item item = {level, id};
    for (; at > 0 && before(item, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap[at] = s->heap[(at - 1) / 2];
    s->heap[at] = item;
}

static Item pop(LpShares *s) {
    Item top = s->heap[0], last = s->heap[--s->heap_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && before(s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s->heap[child], last))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return top;
}

/* ---- filling ---- */

/* Level at which the active flows fill the link, summed anew in order of flows: differences would
 * leave residues of rounding behind. False when no flow is active. */
static bool fill_level(const LpShares *s, uint32_t link, double *level) {
    const LpShareProblem *p = s->p;
    const Link *l = &s->link[link];
    double taken = 0, wanted = 0;
    bool active = false;
    for (uint32_t i = l->begin; i < l->end; i++) {
        uint32_t f = s->by_link[i];
        double use = use_of(p, s->entry[i]);
        if (s->flow[f].frozen) {
            taken += use * s->rate[f];
        } else {
            wanted += use * weight_of(p, f);
            active = true;
        }
    }
    double left = p->capacity[link] - taken;
    *level = left > 0 ? left / wanted : 0;
    return active;
}

static void freeze(LpShares *s, uint32_t flow, double rate) {
    const LpShareProblem *p = s->p;
    s->rate[flow] = rate;
    s->flow[flow].frozen = true;
    for (uint32_t i = p->begin[flow]; i < p->begin[flow + 1]; i++)
        s->link[p->link[i]].dirty = true;
}

static void freeze_link(LpShares *s, uint32_t link, double level) {
    const Link *l = &s->link[link];
    for (uint32_t i = l->begin; i < l->end; i++) {
        uint32_t f = s->by_link[i];
        double rate = level * weight_of(s->p, f), cap = cap_of(s->p, f);
        if (!s->flow[f].frozen)
            freeze(s, f, rate < cap ? rate : cap);
    }
}

/* Levels only rise while flows freeze, so a dirty link's level in the heap is a lower bound: it is
 * worked out again when it comes up. Rounding may lower it by an ulp; it never falls behind what is
 * frozen already. */
static void fill(LpShares *s) {
    double reached = 0;
    while (s->heap_count > 0) {
        Item top = pop(s);
        if (top.id >= s->p->links) {
            uint32_t f = top.id - s->p->links;
            if (!s->flow[f].frozen)
                freeze(s, f, cap_of(s->p, f));
            reached = top.level > reached ? top.level : reached;
            continue;
        }
        Link *l = &s->link[top.id];
        double level = top.level;
        if (l->dirty) {
            l->dirty = false;
            if (!fill_level(s, top.id, &level))
                continue;
            level = level > reached ? level : reached;
            if (s->heap_count > 0 && before(s->heap[0], (Item){level, top.id})) {
                push(s, level, top.id);
                continue;
            }
        }
        reached = level;
        freeze_link(s, top.id, level);
    }
}

/* ---- components ---- */

static int compare_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void visit_link(LpShares *s, uint32_t link, uint32_t *links) {
    Link *l = &s->link[link];
    if (l->round != s->round || l->seen)
        return;
    l->seen = true;
    s->queue[(*links)++] = link;
}

static void visit_flow(LpShares *s, uint32_t flow, uint32_t *flows, uint32_t *links) {
    const LpShareProblem *p = s->p;
    if (s->flow[flow].seen)
        return;
    s->flow[flow].seen = true;
    s->member[(*flows)++] = flow;
    for (uint32_t i = p->begin[flow]; i < p->begin[flow + 1]; i++)
        visit_link(s, p->link[i], links);
}

/* Solves the component whose first links are in the queue. */
static void solve_component(LpShares *s, uint32_t flows, uint32_t links) {
    for (uint32_t at = 0; at < links; at++) {
        const Link *l = &s->link[s->queue[at]];
        for (uint32_t i = l->begin; i < l->end; i++)
            visit_flow(s, s->by_link[i], &flows, &links);
    }
    s->heap_count = 0;
    for (uint32_t i = 0; i < links; i++) {
        double level;
        s->link[s->queue[i]].dirty = false;
        if (fill_level(s, s->queue[i], &level))
            push(s, level, s->queue[i]);
    }
    qsort(s->member, flows, sizeof *s->member, compare_u32);
    for (uint32_t i = 0; i < flows; i++) {
        uint32_t f = s->member[i];
        if (!isinf(cap_of(s->p, f)))
            push(s, cap_of(s->p, f) / weight_of(s->p, f), s->p->links + f);
        s->solved[s->solved_count++] = f;
    }
    fill(s);
}

static void solve_from_link(LpShares *s, uint32_t link) {
    uint32_t links = 0;
    visit_link(s, link, &links);
    if (links > 0)
        solve_component(s, 0, links);
}

static void solve_from_flow(LpShares *s, uint32_t flow) {
    uint32_t flows = 0, links = 0;
    visit_flow(s, flow, &flows, &links);
    if (flows == 0)
        return;
    if (links == 0)
        s->rate[flow] = cap_of(s->p, flow); /* nothing else would set it without a cap */
    solve_component(s, flows, links);
}

/* ---- public ---- */

LpErr lp_shares_solve(LpShares *s, const LpShareProblem *problem, double *rate) {
    LP_TRY(begin(s, problem, rate));
    for (uint32_t f = 0; f < problem->flows; f++)
        solve_from_flow(s, f);
    return LP_OK;
}

LpErr lp_shares_update(LpShares *s, const LpShareProblem *problem, const uint32_t *touched,
                       uint32_t count, double *rate) {
    LP_TRY(begin(s, problem, rate));
    for (uint32_t i = 0; i < count; i++)
        solve_from_link(s, touched[i]);
    return LP_OK;
}

const uint32_t *lp_shares_solved(const LpShares *s, uint32_t *count) {
    *count = s->solved_count;
    return s->solved;
}
