/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of jobs that ended, shared by counting owners. */
#include "sim/state/past.h"

#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "sim/state/pack.h"

typedef struct Page {
    atomic_size_t owners;
    size_t bytes;
    _Alignas(LpJob) unsigned char content[]; /* LpJobs, or what pack.h makes of them */
} Page;

struct LpPast {
    atomic_size_t owners;
    size_t pages, cap;
    Page **page;
    LpKinds *kinds; /* packed: what jobs are written against */
};

static bool drop_owner(atomic_size_t *owners) {
    return atomic_fetch_sub_explicit(owners, 1, memory_order_acq_rel) == 1;
}

static void add_owner(atomic_size_t *owners) {
    atomic_fetch_add_explicit(owners, 1, memory_order_relaxed);
}

LpPast *lp_past_share(LpPast *past) {
    if (past != NULL)
        add_owner(&past->owners);
    return past;
}

void lp_past_drop(LpPast *past) {
    if (past == NULL || !drop_owner(&past->owners))
        return;
    for (size_t i = 0; i < past->pages; i++)
        if (drop_owner(&past->page[i]->owners))
            lp_free(past->page[i]);
    lp_kinds_free(past->kinds);
    lp_free(past->page);
    lp_free(past);
}

static Page *new_page(const void *content, size_t bytes) {
    Page *page = lp_realloc(NULL, 1, sizeof *page + bytes); /* written in full */
    if (page == NULL)
        return NULL;
    atomic_init(&page->owners, 1);
    page->bytes = bytes;
    memcpy(page->content, content, bytes);
    return page;
}

/* An empty one with room for as many pages as another one has. */
static LpPast *new_past(size_t cap, bool packed) {
    LpPast *past = lp_alloc(1, sizeof *past);
    if (past == NULL)
        return NULL;
    atomic_init(&past->owners, 1);
    past->page = lp_alloc(cap, sizeof(Page *));
    past->cap = cap;
    past->kinds = packed ? lp_kinds_new() : NULL;
    if (past->page != NULL && (past->kinds != NULL || !packed))
        return past;
    lp_past_drop(past);
    return NULL;
}

/* One of one's own: others go on with theirs. */
static LpPast *own(const LpPast *shared) {
    LpPast *past = new_past(shared->pages + shared->pages / 4 + 1, false);
    if (past == NULL)
        return NULL;
    if (shared->kinds != NULL && (past->kinds = lp_kinds_clone(shared->kinds)) == NULL) {
        lp_past_drop(past);
        return NULL;
    }
    for (; past->pages < shared->pages; past->pages++) {
        past->page[past->pages] = shared->page[past->pages];
        add_owner(&past->page[past->pages]->owners);
    }
    return past;
}

static Page *make_page(LpPast *past, const LpJob *jobs) {
    if (past->kinds == NULL)
        return new_page(jobs, LP_PAST_PAGE * sizeof *jobs);
    size_t bytes;
    const void *packed = lp_pack_jobs(past->kinds, jobs, LP_PAST_PAGE, &bytes);
    return packed != NULL ? new_page(packed, bytes) : NULL;
}

static LpErr add_page(LpPast *past, const LpJob *jobs) {
    void *items = past->page;
    LP_TRY(lp_grow(&items, &past->cap, past->pages + 1, sizeof(Page *)));
    past->page = items;
    Page *page = make_page(past, jobs);
    if (page == NULL)
        return LP_ENOMEM;
    past->page[past->pages++] = page;
    return LP_OK;
}

LpErr lp_past_append(LpPast **past, const LpJob *jobs, bool packed) {
    LpPast *to = *past;
    LP_ASSERT(to == NULL || packed == (to->kinds != NULL));
    if (to == NULL)
        to = new_past(1, packed);
    else if (atomic_load_explicit(&to->owners, memory_order_acquire) > 1)
        to = own(to);
    if (to == NULL)
        return LP_ENOMEM;
    LpErr err = add_page(to, jobs);
    if (to == *past)
        return err;
    lp_past_drop(err == LP_OK ? *past : to);
    *past = err == LP_OK ? to : *past;
    return err;
}

/* ---- reading ---- */

typedef struct Open {
    const Page *page; /* NULL: none */
    LpJob job[LP_PAST_PAGE];
} Open;

struct LpPastReader {
    uint32_t last, next; /* read last; to be given up next */
    Open open[LP_PAST_OPEN];
};

LpPastReader *lp_past_reader_new(void) {
    return lp_alloc(1, sizeof(LpPastReader));
}

void lp_past_reader_free(LpPastReader *reader) {
    lp_free(reader);
}

static const LpJob *read_packed(const LpPast *past, LpPastReader *r, const Page *page) {
    if (r->open[r->last].page == page)
        return r->open[r->last].job;
    for (uint32_t i = 0; i < LP_PAST_OPEN; i++)
        if (r->open[i].page == page) {
            r->last = i;
            return r->open[i].job;
        }
    r->last = r->next;
    r->next = (r->next + 1) % LP_PAST_OPEN;
    Open *open = &r->open[r->last];
    open->page = page;
    lp_unpack_jobs(past->kinds, page->content, open->job, LP_PAST_PAGE);
    return open->job;
}

const LpJob *lp_past_job(const LpPast *past, LpPastReader *reader, uint32_t id) {
    LP_ASSERT(past != NULL && id / LP_PAST_PAGE < past->pages);
    const Page *page = past->page[id / LP_PAST_PAGE];
    if (past->kinds == NULL)
        return (const LpJob *)(const void *)page->content + id % LP_PAST_PAGE;
    return read_packed(past, reader, page) + id % LP_PAST_PAGE;
}

uint32_t lp_past_jobs(const LpPast *past) {
    return past != NULL ? (uint32_t)past->pages * LP_PAST_PAGE : 0;
}
