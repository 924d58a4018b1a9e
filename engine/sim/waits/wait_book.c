/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/waits/wait_book.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "sim/forecast.h"
#include "sim/place/asked.h"
#include "sim/place/slice.h"
#include "sim/state/mark.h"
#include "sim/store/store.h"
#include "sim/waits/lacks.h"

#define NONE UINT32_MAX

/* ---- the book ---- */

/* Who was first in the order of arrival from a time on, while the jobs of a kind would have fitted.
 */
typedef struct Lead {
    double from;
    uint32_t job; /* NONE: they would not have, or none waited */
} Lead;

/* Jobs that ask for the same. */
typedef struct Kind {
    LpLackAsk ask;
    uint32_t waiting, first;   /* how many wait, and the first of their list */
    uint32_t next;             /* kind of the same bucket */
    LpLack lack;               /* since the last look */
    uint64_t seen;             /* lp_lack_room that it was found in, 0: none */
    LpSum time[LP_LACK_COUNT]; /* for which each held while one of them waited */
    Lead *lead;                /* in order of time */
    size_t leads, lead_cap;
} Kind;

/* A job that waits now. */
typedef struct Waiter {
    uint32_t job, kind, next, before;
    double since;              /* when it came into the queue */
    LpSum then[LP_LACK_COUNT]; /* of its kind, when it was first seen there */
    LpSum led;                 /* time for which it would have fitted, and was the first */
} Waiter;

/* What is kept for a job that ever waited. */
typedef struct Page {
    uint32_t waiter; /* NONE: it does not wait */
    LpWaited past;   /* of its spells that are over */
} Page;

enum { BUCKETS = 256 };

struct LpWaitBook {
    double at;     /* time of the last look; NAN: there was none */
    LpStamp stamp; /* the world's then */
    uint32_t bucket[BUCKETS];
    Kind *kind;
    Waiter *waiter;
    uint32_t *page_of; /* by job; NONE: it never waited */
    Page *page;
    uint32_t *heap; /* jobs that wait or waited, the lowest number first */
    LpLackLook *look;
    size_t kinds, kind_cap, waiters, waiter_cap, jobs, job_cap, pages, page_cap, heaped, heap_cap;
    uint32_t first;       /* in the order of arrival since the last look, NONE: nobody waits */
    bool names;           /* who was first is kept */
    uint32_t free_waiter; /* list of those that nobody uses */
};

const char *lp_waited_code(LpWaitCause cause) {
    static const char *const codes[] = {
#define X(ID, code, meaning) code,
        LP_WAIT_CAUSES(X)
#undef X
    };
    return codes[cause];
}

const char *lp_waited_meaning(LpWaitCause cause) {
    static const char *const meanings[] = {
#define X(ID, code, meaning) meaning,
        LP_WAIT_CAUSES(X)
#undef X
    };
    return meanings[cause];
}

LpErr lp_wait_book_new(bool names, LpWaitBook **out, LpDiag *diag) {
    LpWaitBook *b = lp_alloc(1, sizeof *b);
    if (b == NULL)
        return lp_fail_memory(diag, "what jobs wait for");
    memset(b->bucket, 0xff, sizeof b->bucket);
    b->at = (double)NAN;
    b->free_waiter = b->first = NONE;
    b->names = names;
    *out = b;
    return LP_OK;
}

void lp_wait_book_free(LpWaitBook *b) {
    if (b == NULL)
        return;
    lp_lack_look_free(b->look);
    for (size_t i = 0; i < b->kinds; i++)
        lp_free(b->kind[i].lead);
    void *owned[] = {b->kind, b->waiter, b->page_of, b->page, b->heap, b};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
}

/* Makes room for one more; false: no memory. */
static bool grow(void **items, size_t *cap, size_t count, size_t size) {
    return lp_grow(items, cap, count, size) == LP_OK;
}
#define GROW(items, cap, count) grow((void **)&(items), &(cap), count, sizeof *(items))

/* ---- kinds ---- */

static uint32_t bucket_of(const LpLackAsk *ask) {
    uint32_t mixed = (uint32_t)ask->graph * 31 + ask->servers;
    return (mixed * 31 + ask->ask.required * 7 + ask->ask.segment) % BUCKETS;
}

static LpErr kind_of(LpWaitBook *b, const LpWorld *world, const LpContext *context,
                     const LpJob *job, uint32_t *out, LpDiag *diag) {
    LpLackAsk ask = lp_lack_ask(context, job);
    uint32_t bucket = bucket_of(&ask), at = b->bucket[bucket];
    while (at != NONE && !lp_lack_same(&b->kind[at].ask, &ask))
        at = b->kind[at].next;
    if (at == NONE) {
        if (!GROW(b->kind, b->kind_cap, b->kinds + 1))
            return lp_fail_memory(diag, "what jobs wait for");
        LP_TRY(lp_lack_measure(world, context, job->id, &ask, diag));
        at = (uint32_t)b->kinds++;
        b->kind[at] = (Kind){.ask = ask, .first = NONE, .next = b->bucket[bucket]};
        b->bucket[bucket] = at;
    }
    *out = at;
    return LP_OK;
}

/* ---- who waits first ---- */

static void push(LpWaitBook *b, uint32_t job) {
    size_t at = b->heaped++;
    for (; at > 0 && b->heap[(at - 1) / 2] > job; at = (at - 1) / 2)
        b->heap[at] = b->heap[(at - 1) / 2];
    b->heap[at] = job;
}

static void pop(LpWaitBook *b) {
    uint32_t last = b->heap[--b->heaped];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < b->heaped; at = child) {
        child += child + 1 < b->heaped && b->heap[child + 1] < b->heap[child];
        if (b->heap[child] >= last)
            break;
        b->heap[at] = b->heap[child];
    }
    b->heap[at] = last;
}

static Waiter *waiter_of(const LpWaitBook *b, uint32_t job) {
    uint32_t page = job < b->jobs ? b->page_of[job] : NONE;
    uint32_t waiter = page != NONE ? b->page[page].waiter : NONE;
    return waiter != NONE ? &b->waiter[waiter] : NULL;
}

/* The first of those that wait, NONE: nobody does. Jobs that have left stay in the heap until they
 * come to its top. */
static uint32_t first_of(LpWaitBook *b) {
    while (b->heaped > 0 && waiter_of(b, b->heap[0]) == NULL)
        pop(b);
    return b->heaped > 0 ? b->heap[0] : NONE;
}

/* ---- coming and going ---- */

static uint32_t take_waiter(LpWaitBook *b) {
    uint32_t at = b->free_waiter;
    if (at != NONE)
        b->free_waiter = b->waiter[at].next;
    else if (GROW(b->waiter, b->waiter_cap, b->waiters + 1))
        at = (uint32_t)b->waiters++;
    return at;
}

static LpErr page_for(LpWaitBook *b, uint32_t job, Page **out, LpDiag *diag) {
    if (!GROW(b->page_of, b->job_cap, (size_t)job + 1) || !GROW(b->page, b->page_cap, b->pages + 1))
        return lp_fail_memory(diag, "what jobs wait for");
    while (b->jobs <= job)
        b->page_of[b->jobs++] = NONE;
    if (b->page_of[job] == NONE) {
        b->page_of[job] = (uint32_t)b->pages;
        b->page[b->pages++] = (Page){.waiter = NONE};
    }
    *out = &b->page[b->page_of[job]];
    return LP_OK;
}

static LpErr come(LpWaitBook *b, const LpWorld *world, const LpContext *context, const LpJob *job,
                  LpDiag *diag) {
    uint32_t kind = NONE;
    Page *page = NULL;
    LP_TRY(kind_of(b, world, context, job, &kind, diag));
    LP_TRY(page_for(b, job->id, &page, diag));
    uint32_t at = take_waiter(b);
    if (at == NONE || !GROW(b->heap, b->heap_cap, b->heaped + 1))
        return lp_fail_memory(diag, "what jobs wait for");
    Kind *k = &b->kind[kind];
    Waiter *w = &b->waiter[at];
    *w = (Waiter){.job = job->id,
                  .kind = kind,
                  .next = k->first,
                  .before = NONE,
                  .since = job->times.waiting_since};
    memcpy(w->then, k->time, sizeof w->then);
    if (k->first != NONE)
        b->waiter[k->first].before = at;
    k->first = at;
    k->waiting++;
    page->waiter = at;
    push(b, job->id);
    return LP_OK;
}

/* What the present spell of a waiter was for, `more` s after the last look. */
static LpWaited spell_of(const LpWaitBook *b, const Waiter *w, double more) {
    static const LpWaitCause cause[] = {
        [LP_LACK_RESOURCE] = LP_WAITED_RESOURCE, [LP_LACK_SHAPE] = LP_WAITED_SHAPE,
        [LP_LACK_BROKEN] = LP_WAITED_BROKEN,     [LP_LACK_MEMORY] = LP_WAITED_MEMORY,
        [LP_LACK_LIGHT] = LP_WAITED_LIGHT,       [LP_LACK_NOTHING] = LP_WAITED_BEHIND};
    const Kind *k = &b->kind[w->kind];
    LpWaited out = {{0}};
    double all = 0;
    for (int i = 0; i < LP_LACK_COUNT; i++) {
        double time = lp_sum_since(k->time[i], w->then[i]) + (i == (int)k->lack ? more : 0);
        out.by[cause[i]] = time;
        all += time;
    }
    double led = lp_sum_since(w->led, (LpSum){0}) +
                 (b->first == w->job && k->lack == LP_LACK_NOTHING ? more : 0);
    double behind = out.by[LP_WAITED_BEHIND] - led;
    out.by[LP_WAITED_POLICY] = led;
    out.by[LP_WAITED_BEHIND] = behind > 1e-12 * all ? behind : 0; /* else it is what was rounded */
    return out;
}

static void go(LpWaitBook *b, uint32_t job) {
    Page *page = &b->page[b->page_of[job]];
    Waiter *w = &b->waiter[page->waiter];
    Kind *k = &b->kind[w->kind];
    LpWaited spell = spell_of(b, w, 0);
    for (int i = 0; i < LP_WAITED_COUNT; i++)
        page->past.by[i] += spell.by[i];
    if (w->before != NONE)
        b->waiter[w->before].next = w->next;
    else
        k->first = w->next;
    if (w->next != NONE)
        b->waiter[w->next].before = w->before;
    k->waiting--;
    w->next = b->free_waiter;
    b->free_waiter = page->waiter;
    page->waiter = NONE;
}

/* A job that may have come into the queue, or left it. */
static LpErr visit(LpWaitBook *b, const LpWorld *world, const LpContext *context, uint32_t id,
                   LpDiag *diag) {
    const LpJob *job = lp_world_job(world, id);
    const Waiter *w = waiter_of(b, id);
    bool waits = lp_job_waits(job) && job->slice.row == 0;
    if (w != NULL && waits && w->since == job->times.waiting_since)
        return LP_OK;
    if (w != NULL)
        go(b, id);
    return waits ? come(b, world, context, job, diag) : LP_OK;
}

static LpErr visit_changed(LpWaitBook *b, const LpWorld *world, const LpContext *context,
                           LpDiag *diag) {
    uint32_t job;
    uint64_t at = b->stamp.mark;
    if (!isnan(b->at) && lp_world_follows(world, b->stamp)) {
        while (lp_world_next_changed(world, &at, &job))
            LP_TRY(visit(b, world, context, job, diag));
        return LP_OK;
    }
    for (uint32_t i = 0; i < b->jobs; i++)
        if (waiter_of(b, i) != NULL)
            LP_TRY(visit(b, world, context, i, diag));
    for (job = lp_world_first_waiting(world); job != LP_NO_INDEX;
         job = lp_world_next_waiting(world, job))
        LP_TRY(visit(b, world, context, job, diag));
    return LP_OK;
}

/* ---- looking ---- */

/* Time since the last look goes to what held since then. */
static void pass(LpWaitBook *b, double now) {
    double time = isnan(b->at) ? 0 : now - b->at;
    b->at = now;
    if (!(time > 0))
        return;
    for (size_t i = 0; i < b->kinds; i++)
        if (b->kind[i].waiting > 0)
            lp_sum_add(&b->kind[i].time[b->kind[i].lack], time);
    Waiter *w = b->first != NONE ? waiter_of(b, b->first) : NULL;
    if (w != NULL && b->kind[w->kind].lack == LP_LACK_NOTHING)
        lp_sum_add(&w->led, time);
}

static LpErr note_lead(Kind *k, double now, uint32_t first, LpDiag *diag) {
    uint32_t job = k->waiting > 0 && k->lack == LP_LACK_NOTHING ? first : NONE;
    uint32_t before = k->leads > 0 ? k->lead[k->leads - 1].job : NONE;
    if (job == before)
        return LP_OK;
    if (!GROW(k->lead, k->lead_cap, k->leads + 1))
        return lp_fail_memory(diag, "what jobs wait for");
    k->lead[k->leads++] = (Lead){now, job};
    return LP_OK;
}

static LpErr find_lacks(LpWaitBook *b, const LpWorld *world, const LpContext *context,
                        LpDiag *diag) {
    if (b->look == NULL)
        LP_TRY(lp_lack_look_new(context, &b->look, diag));
    LP_TRY(lp_lack_look(b->look, world, context, diag));
    for (size_t i = 0; i < b->kinds; i++) {
        Kind *k = &b->kind[i];
        bool rigid = k->ask.graph < 0;
        if (k->waiting == 0 || (rigid && k->seen == lp_lack_room(b->look)))
            continue;
        LP_TRY(lp_lack_find(b->look, b->waiter[k->first].job, &k->ask, &k->lack, diag));
        k->seen = lp_lack_room(b->look);
    }
    return LP_OK;
}

LpErr lp_wait_book_look(LpWaitBook *b, const LpWorld *world, const LpContext *base, LpDiag *diag) {
    const LpContext *context = lp_world_context(world, base);
    pass(b, lp_world_now(world));
    LP_TRY(visit_changed(b, world, context, diag));
    b->stamp = lp_world_stamp(world);
    b->first = first_of(b);
    if (b->first != NONE)
        LP_TRY(find_lacks(b, world, context, diag));
    for (size_t i = 0; b->names && i < b->kinds; i++)
        LP_TRY(note_lead(&b->kind[i], b->at, b->first, diag));
    return LP_OK;
}

/* ---- reading ---- */

/* Slices: the world keeps what they wait for. */
static LpWaited of_slice(const LpJob *job, double now) {
    static const LpWaitCause cause[LP_WAIT_COUNT] = {[LP_WAIT_POLICY] = LP_WAITED_POLICY,
                                                     [LP_WAIT_RESOURCE] = LP_WAITED_RESOURCE,
                                                     [LP_WAIT_SHAPE] = LP_WAITED_SHAPE,
                                                     [LP_WAIT_BROKEN] = LP_WAITED_BROKEN,
                                                     [LP_WAIT_BEHIND] = LP_WAITED_BEHIND};
    LpWaited out = {{0}};
    for (int i = 0; i < LP_WAIT_COUNT; i++)
        out.by[cause[i]] += job->queue.waited[i];
    if (lp_job_waits(job))
        out.by[cause[job->queue.waits_for]] += now - job->queue.waits_since;
    return out;
}

static LpWaited waited_of(const LpWaitBook *b, const LpWorld *world, uint32_t id) {
    const LpJob *job = lp_world_job(world, id);
    if (job->slice.row > 0)
        return of_slice(job, lp_world_now(world));
    LpWaited out = {{0}};
    if (b == NULL || id >= b->jobs || b->page_of[id] == NONE)
        return out;
    out = b->page[b->page_of[id]].past;
    const Waiter *w = waiter_of(b, id);
    if (w == NULL)
        return out;
    LpWaited spell = spell_of(b, w, lp_world_now(world) - b->at); /* who has left left now */
    for (int i = 0; i < LP_WAITED_COUNT; i++)
        out.by[i] += spell.by[i];
    return out;
}

LpWaited lp_wait_book_of(const LpWaitBook *b, const LpWorld *world, uint32_t id) {
    LpWaited out = waited_of(b, world, id);
    for (int i = 0; i < LP_WAITED_COUNT; i++)
        out.by[i] = lp_num_calm(out.by[i]);
    return out;
}

/* Adds what a time in the queue has to it. */
static void add_spell(const Kind *k, uint32_t job, double begin, double end, double *longest,
                      LpStoodBehind *out) {
    for (size_t i = 0; i < k->leads; i++) {
        const Lead *lead = &k->lead[i];
        double until = i + 1 < k->leads ? fmin(lead[1].from, end) : end;
        double time = until - fmax(lead->from, begin);
        if (!(time > 0) || lead->job == NONE || lead->job == job)
            continue;
        out->others |= out->job != LP_NO_INDEX && out->job != lead->job;
        if (time > *longest) {
            *longest = time;
            out->job = lead->job;
        }
    }
}

LpStoodBehind lp_wait_book_behind(const LpWaitBook *b, const LpWorld *world,
                                  const LpContext *context, uint32_t id) {
    LpStoodBehind out = {LP_NO_INDEX, false};
    const LpJob *job = lp_world_job(world, id);
    LpLackAsk ask = lp_lack_ask(context, job);
    double longest = 0;
    uint32_t at = b->bucket[bucket_of(&ask)];
    while (at != NONE && !lp_lack_same(&b->kind[at].ask, &ask))
        at = b->kind[at].next;
    if (at == NONE)
        return out;
    const Kind *k = &b->kind[at];
    if (job->times.start > job->asked.arrival)
        add_spell(k, id, job->asked.arrival, job->times.start, &longest, &out);
    for (uint32_t s = job->queue.spells; s > 0; s = lp_store_spell(context->store, s)->before) {
        const LpSpell *spell = lp_store_spell(context->store, s);
        add_spell(k, id, spell->begin, spell->end, &longest, &out);
    }
    if (lp_job_waits(job) || job->outcome == LP_JOB_BLOCKED)
        add_spell(k, id, job->times.waiting_since,
                  lp_job_waits(job) ? lp_world_now(world) : job->times.turned_away, &longest, &out);
    return out;
}

void lp_waited_json(LpJsonOut *out, const LpWaited *waited) {
    lp_json_open(out, "waited", '{');
    for (int i = 0; i < LP_WAITED_COUNT; i++)
        if (waited->by[i] != 0 || i == LP_WAITED_RESOURCE || i == LP_WAITED_BEHIND ||
            i == LP_WAITED_POLICY)
            lp_json_put_number(out, lp_waited_code((LpWaitCause)i), waited->by[i]);
    lp_json_close(out, '}');
}
