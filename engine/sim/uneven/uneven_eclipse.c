/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eclipse: the matching and the time to hold it that carry most bytes for the time that they take.
 * Every different entry h of what is left is a time to hold, and its heaviest matching is one of
 * min(rest, h): thousands of searches for each matching, were it not for what two of them say of
 * those between: a longer time carries no less, and a shorter one at most n bytes less for each
 * byte that it is shorter. Stretches of entries of which none can be best are not looked at. */
#include <string.h>

#include "base/mem.h"
#include "sim/uneven/uneven_cut.h"

enum { MOST = LP_UNEVEN_SERVERS_MAX };

typedef struct Search {
    LpUnevenWork *work;
    double rate, delay;
    LpUnevenHeavy heavy;
    uint32_t order[MOST * MOST]; /* places of the demand, by what is left there, descending */
    uint32_t places;
    int64_t hold[MOST * MOST]; /* the different entries, descending */
    int64_t most[MOST * MOST]; /* no matching held so long carries more; of those looked at */
    uint32_t holds;
    int64_t greatest[2 * MOST]; /* entry of each row, then of each column */
    uint32_t pairs;             /* no matching of entries has more */
    uint32_t best;
    double gain; /* bytes/s of it */
} Search;

/* Kept from matching to matching: few entries move. */
static void sort_places(Search *s) {
    const int64_t *rest = s->work->rest;
    for (uint32_t k = 1; k < s->places; k++) {
        uint32_t place = s->order[k], at = k;
        for (; at > 0 && rest[s->order[at - 1]] < rest[place]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = place;
    }
    while (s->places > 0 && rest[s->order[s->places - 1]] == 0)
        s->places--;
    s->holds = 0;
    for (uint32_t k = 0; k < s->places; k++)
        if (k == 0 || rest[s->order[k]] < rest[s->order[k - 1]])
            s->hold[s->holds++] = rest[s->order[k]];
}

static void find_greatest(Search *s) {
    uint32_t n = s->work->n;
    memset(s->greatest, 0, sizeof s->greatest);
    for (uint32_t k = 0; k < s->places; k++) {
        int64_t bytes = s->work->rest[s->order[k]];
        int64_t *row = &s->greatest[s->order[k] / n], *column = &s->greatest[n + s->order[k] % n];
        *row = bytes > *row ? bytes : *row;
        *column = bytes > *column ? bytes : *column;
    }
}

/* No matching of entries longer than this has more pairs. */
static uint32_t pairs_beyond(const Search *s, int64_t hold) {
    uint32_t rows = 0, columns = 0, n = s->work->n;
    for (uint32_t i = 0; i < n; i++) {
        rows += s->greatest[i] > hold;
        columns += s->greatest[n + i] > hold;
    }
    rows = columns < rows ? columns : rows;
    return s->pairs < rows ? s->pairs : rows;
}

static double gain_of(const Search *s, double bytes, double hold) {
    return bytes / (hold / s->rate + s->delay);
}

/* Could an entry with at most this gain be preferred to the best one known? Entries are tried in
 * their order, and a later one must be more by a tie. */
static bool may_beat(const Search *s, uint32_t k, double gain) {
    return k > s->best ? gain > s->gain * (1 + LP_UNEVEN_TIE)
                       : gain * (1 + LP_UNEVEN_TIE) >= s->gain;
}

static void set_weights(Search *s, uint32_t k) {
    const LpUnevenWork *w = s->work;
    for (uint32_t place = 0; place < w->n * w->n; place++)
        s->heavy.weight[place] = w->rest[place] < s->hold[k] ? w->rest[place] : s->hold[k];
}

/* Looks at one entry, wholly only where it may be the best. */
static void look(Search *s, uint32_t k) {
    set_weights(s, k);
    s->most[k] = lp_uneven_heavy_bound(&s->heavy);
    if (!may_beat(s, k, gain_of(s, (double)s->most[k], (double)s->hold[k])))
        return;
    s->most[k] = lp_uneven_heavy_solve(&s->heavy);
    double gain = gain_of(s, (double)s->most[k], (double)s->hold[k]);
    if (!may_beat(s, k, gain))
        return;
    s->best = k;
    s->gain = gain;
}

/* The entries between two that were looked at, long > short: their greatest gain is where the two
 * limits meet, or at the shorter end. */
static double gain_between(const Search *s, uint32_t long_, uint32_t short_) {
    double low = (double)s->hold[short_], high = (double)s->hold[long_];
    double base = (double)s->most[short_], top = (double)s->most[long_];
    double pairs = pairs_beyond(s, s->hold[short_]);
    double meet = pairs > 0 ? low + (top - base) / pairs : high;
    double gain = gain_of(s, base < top ? base : top, low);
    meet = meet < high ? meet : high;
    if (meet > low) {
        double there = gain_of(s, base + pairs * (meet - low), meet);
        gain = there > gain ? there : gain;
    }
    return gain;
}

static void look_between(Search *s, uint32_t long_, uint32_t short_) {
    if (short_ - long_ < 2 || !may_beat(s, long_ + 1, gain_between(s, long_, short_)))
        return;
    uint32_t middle = long_ + (short_ - long_) / 2;
    look(s, middle);
    look_between(s, long_, middle);
    look_between(s, middle, short_);
}

/* The entry nearest to what was best before: a good guess spares most of the rest. */
static uint32_t guess(const Search *s, int64_t hold) {
    uint32_t low = 0, high = s->holds - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->hold[middle] <= hold)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The shortest time first: each of its pairs carries all of it. */
static void search(Search *s, int64_t before) {
    uint32_t last = s->holds - 1, first = guess(s, before);
    s->best = last;
    s->gain = 0;
    look(s, last);
    s->pairs = (uint32_t)(s->most[last] / s->hold[last]);
    if (first < last)
        look(s, first);
    if (first > 0)
        look(s, 0);
    look_between(s, 0, first);
    look_between(s, first, last);
}

LpErr lp_uneven_eclipse(LpUnevenWork *work, double rate, double delay, LpDiag *diag) {
    Search *s = lp_alloc(1, sizeof *s);
    LpErr err = LP_OK;
    if (s == NULL)
        return lp_fail_memory(diag, "an all-to-all to be cut");
    s->work = work;
    s->rate = rate;
    s->delay = delay;
    s->heavy.n = work->n;
    for (uint32_t place = 0; place < work->n * work->n; place++)
        if (work->rest[place] > 0)
            s->order[s->places++] = place;
    int64_t hold = INT64_MAX;
    while (work->left > 0 && err == LP_OK) {
        uint8_t to[MOST];
        sort_places(s);
        find_greatest(s);
        search(s, hold);
        hold = s->hold[s->best];
        set_weights(s, s->best);
        lp_uneven_heavy_bound(&s->heavy);
        lp_uneven_heavy_solve(&s->heavy);
        lp_uneven_heavy_first(&s->heavy, to);
        err = lp_uneven_serve(work, to, hold, diag);
    }
    lp_free(s);
    return err;
}
