/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/facts/worst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct {
    const char *word, *meaning;
} words[] = {
#define X(id, word, meaning) {word, meaning},
    LP_WORST_WORDS(X)
#undef X
};

const char *lp_worst_word(LpWorstWord word) {
    return words[word].word;
}

const char *lp_worst_meaning(LpWorstWord word) {
    return words[word].meaning;
}

int lp_worst_find_word(const char *word) {
    for (int i = 0; i < LP_WORST_WORD_COUNT; i++)
        if (strcmp(words[i].word, word) == 0)
            return i;
    return -1;
}

/* ---- finding them ---- */

/* What is longer by less than rounding may be is as long. */
#define TIE (1 + 1e-12)

static int by_begin(const void *a, const void *b) {
    const LpQueued *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static int by_end(const void *a, const void *b) {
    const LpQueued *x = *(const LpQueued *const *)a, *y = *(const LpQueued *const *)b;
    return (x->end > y->end) - (x->end < y->end);
}

/* Sorted by begin: of equals the first is the earliest, then the lowest number. */
static void find_longest(const LpQueued *spell, size_t count, LpWorst *w) {
    for (size_t i = 0; i < count; i++) {
        double length = spell[i].end - spell[i].begin;
        if (!(length > w->longest.seconds * TIE))
            continue;
        w->longest.time = spell[i].end;
        w->longest.seconds = length;
        w->longest.job = spell[i].job;
    }
}

/* Who stands in the queue at a time, and how long they have still to. */
typedef struct Line {
    uint64_t waiting, servers;
    double still; /* s, in all */
    double time;
} Line;

static void pass(Line *line, double time) {
    line->still -= (double)line->waiting * (time - line->time);
    line->time = time;
    if (line->waiting == 0)
        line->still = 0; /* what rounding left of it */
}

static void take(LpWorst *w, const Line *line) {
    if (line->still > w->remaining.seconds * TIE) {
        w->remaining.time = line->time;
        w->remaining.seconds = line->still;
        w->remaining.waiting = line->waiting;
    }
    if (line->waiting > w->queue.waiting ||
        (line->waiting == w->queue.waiting && line->servers > w->queue.servers)) {
        w->queue.time = line->time;
        w->queue.waiting = line->waiting;
        w->queue.servers = line->servers;
    }
}

/* What is left to wait falls while time passes and jumps up when somebody comes, so only moments
 * right after that are looked at. */
static void sweep(const LpQueued *spell, const LpQueued *const *ends, size_t count, LpWorst *w) {
    Line line = {0};
    size_t gone = 0;
    for (size_t i = 0; i < count;) {
        double now = spell[i].begin;
        for (; gone < count && ends[gone]->end <= now; gone++) {
            pass(&line, ends[gone]->end);
            line.waiting--;
            line.servers -= ends[gone]->servers;
        }
        pass(&line, now);
        for (; i < count && spell[i].begin == now; i++) {
            line.waiting++;
            line.servers += spell[i].servers;
            line.still += spell[i].end - now;
        }
        take(w, &line);
    }
}

LpErr lp_worst_find(const LpStanding *standing, const LpContext *context, LpWorst *out,
                    LpDiag *diag) {
    LpQueued *spell;
    size_t count;
    LpWorst w = {0};
    LP_TRY(lp_standing_spells(standing, context, &spell, &count, diag));
    const LpQueued **ends = lp_alloc(count + 1, sizeof(const LpQueued *));
    if (ends != NULL) {
        qsort(spell, count, sizeof *spell, by_begin);
        for (size_t i = 0; i < count; i++)
            ends[i] = &spell[i];
        qsort(ends, count, sizeof(const LpQueued *), by_end);
        find_longest(spell, count, &w);
        sweep(spell, ends, count, &w);
        w.any = count > 0;
    }
    bool made = ends != NULL;
    lp_free(ends);
    lp_free(spell);
    if (!made)
        return lp_fail_memory(diag, "the worst moment");
    *out = w;
    return LP_OK;
}

LpErr lp_worst_of(const LpWorld *world, const LpContext *context, LpWorst *out, LpDiag *diag) {
    LpStanding standing;
    LP_TRY(lp_standing_new(world, context, false, &standing, diag));
    LpErr err = lp_worst_find(&standing, context, out, diag);
    lp_standing_fini(&standing);
    return err;
}

double lp_worst_time(const LpWorst *w, LpWorstWord word) {
    const double time[] = {w->remaining.time, w->queue.time, w->longest.time};
    return time[word];
}

void lp_worst_json(LpJsonOut *out, const LpWorst *w) {
    if (!w->any) {
        lp_json_put_null(out, "worst");
        return;
    }
    lp_json_open(out, "worst", '{');
    lp_json_open(out, "remaining", '{');
    lp_json_put_number(out, "time", w->remaining.time);
    lp_json_put_number(out, "seconds", w->remaining.seconds);
    lp_json_put_count(out, "waiting", w->remaining.waiting);
    lp_json_close(out, '}');
    lp_json_open(out, "queue", '{');
    lp_json_put_number(out, "time", w->queue.time);
    lp_json_put_count(out, "waiting", w->queue.waiting);
    lp_json_put_count(out, "servers", w->queue.servers);
    lp_json_close(out, '}');
    lp_json_open(out, "longest", '{');
    lp_json_put_number(out, "time", w->longest.time);
    lp_json_put_count(out, "job", w->longest.job);
    lp_json_put_number(out, "seconds", w->longest.seconds);
    lp_json_close(out, '}');
    lp_json_close(out, '}');
}
