/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/pod/outage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { STREAM = 32, SHOWN = 64 };

static const char *const words[LP_OUTAGE_COUNT] = {
#define X(id, word) #word,
    LP_OUTAGE_KINDS(X)
#undef X
};

const char *lp_outage_word(LpOutageKind kind) {
    return words[kind];
}

int lp_outage_find(const char *word) {
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        if (strcmp(words[k], word) == 0)
            return k;
    return -1;
}

const char *lp_outage_kinds(const uint32_t counts[LP_OUTAGE_COUNT], char *buf, size_t size) {
    uint32_t left = 0;
    buf[0] = '\0';
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        left += counts[k] > 0;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++) {
        size_t len = strlen(buf);
        if (counts[k] > 0)
            snprintf(buf + len, size - len, "%s%s", words[k],
                     left > 2    ? ", "
                     : left == 2 ? " or "
                                 : "");
        left -= counts[k] > 0;
    }
    return buf;
}

/* ---- times ---- */

/* Gamma(1 + x), x >= 0, by Lanczos' series (g = 7, nine terms): 15 digits. */
static double factorial(double x) {
    static const double term[] = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                  -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                  9.9843695780195716e-6, 1.5056327351493116e-7};
    double sum = 0.99999999999980993, t = x + 7.5;
    for (size_t i = 0; i < LP_COUNTOF(term); i++)
        sum += term[i] / (x + (double)(i + 1));
    return 2.5066282746310002 * sum * lp_num_exp((x + 0.5) * lp_num_log(t) - t);
}

double lp_outage_mean(const LpOutageTime *t) {
    switch (t->law) {
    case LP_OUTAGE_NEVER:
        return (double)INFINITY;
    case LP_OUTAGE_WEIBULL:
        return t->b == 1 ? t->a : t->a * factorial(1 / t->b);
    case LP_OUTAGE_LOGNORMAL:
        return t->a * lp_num_exp(t->b * t->b / 2);
    default:
        return t->a;
    }
}

static double draw_any(const LpOutageTime *t, LpRng *rng) {
    switch (t->law) {
    case LP_OUTAGE_FIXED:
        return t->a;
    case LP_OUTAGE_EXPONENTIAL:
        return lp_rng_exponential(rng, t->a);
    case LP_OUTAGE_WEIBULL:
        return t->a * lp_num_exp(lp_num_log(lp_rng_exponential(rng, 1)) / t->b);
    case LP_OUTAGE_LOGNORMAL:
        return t->a * lp_num_exp(t->b * lp_rng_normal(rng));
    default:
        return (double)INFINITY;
    }
}

static double draw(const LpOutageTime *t, LpRng *rng) {
    double time = draw_any(t, rng);
    return t->law != LP_OUTAGE_NEVER && time > LP_OUTAGE_LONGEST ? LP_OUTAGE_LONGEST : time;
}

void lp_outage_nsdi24(LpOutages *o) {
    static const double DAY = 86400;
    static const struct {
        LpOutageKind kind;
        double days;
    } rows[] = {{LP_OUTAGE_HOST, 1250}, {LP_OUTAGE_SWITCH, 2500}, {LP_OUTAGE_CABLE, 20000}};
    for (size_t i = 0; i < LP_COUNTOF(rows); i++)
        o->process[rows[i].kind] =
            (LpOutageProcess){.fails = {LP_OUTAGE_EXPONENTIAL, rows[i].days * DAY, 0},
                              .repair = {LP_OUTAGE_EXPONENTIAL, DAY, 0}};
    o->any = true;
}

/* ---- traces ---- */

/* Where a line stands. */
typedef struct At {
    const char *file; /* NULL: in the scenario itself */
    unsigned line;
} At;

static LpErr fail_line(At at, const char *text, size_t len, const char *expected, LpDiag *diag) {
    char copy[SHOWN], shown[SHOWN];
    snprintf(copy, sizeof copy, "%.*s", (int)(len < SHOWN - 1 ? len : SHOWN - 1), text);
    lp_str_show(shown, sizeof shown, copy);
    if (at.file != NULL)
        return lp_fail_at(diag, LP_EINVAL, at.file, (int)at.line, 1, "found %s: expected %s", shown,
                          expected);
    return lp_fail(diag, LP_EINVAL, "line %u of the trace is %s: expected %s", at.line, shown,
                   expected);
}

enum { FIELDS = 4 };

/* Cuts a line at its commas, blanks around what is between them left out. */
static bool split_line(char *line, char *field[FIELDS]) {
    int fields = 0;
    for (char *at = line; at != NULL; fields++) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        if (fields == FIELDS)
            return false;
        field[fields] = at + strspn(at, " ");
        field[fields][strcspn(field[fields], " \r")] = '\0';
        at = comma != NULL ? comma + 1 : NULL;
    }
    return fields == FIELDS;
}

static bool read_number(const char *text, double *out) {
    return lp_num_parse(text, out, NULL) == LP_OK;
}

static LpErr fail_kind(At line, const char *text, size_t len, const uint32_t *counts,
                       LpDiag *diag) {
    char expected[SHOWN * 4] = "a kind: ";
    lp_outage_kinds(counts, expected + strlen(expected), sizeof expected - strlen(expected));
    return fail_line(line, text, len, expected, diag);
}

/* "time,kind,index,duration" of len bytes. */
static LpErr read_line(const char *text, size_t len, At line, const uint32_t *counts,
                       LpOutageFault *out, LpDiag *diag) {
    char copy[SHOWN * 2], expected[SHOWN * 2], *field[FIELDS];
    double index = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy - 1 ? len : sizeof copy - 1), text);
    bool good = split_line(copy, field) && read_number(field[0], &out->time) &&
                read_number(field[2], &index) && read_number(field[3], &out->duration);
    if (!good || !(out->time >= 0) || !(out->duration > 0))
        return fail_line(line, text, len, "time_s,kind,index,duration_s such as 60,host,19,140",
                         diag);
    if (out->time > LP_OUTAGE_LONGEST || out->duration > LP_OUTAGE_LONGEST)
        return fail_line(line, text, len, "times of at most 1e15 s", diag);
    int found = lp_outage_find(field[1]);
    if (found < 0 || counts[found] == 0)
        return fail_kind(line, text, len, counts, diag);
    out->kind = (uint32_t)found;
    if (!(index >= 0 && index < counts[found]) || index != floor(index)) {
        snprintf(expected, sizeof expected, "a %s from 0 to %u", field[1], counts[found] - 1);
        return fail_line(line, text, len, expected, diag);
    }
    out->index = (uint32_t)index;
    return LP_OK;
}

static int compare_faults(const void *left, const void *right) {
    const LpOutageFault *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

static uint32_t join(LpOutageFault *fault, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        LpOutageFault *last = kept > 0 ? &fault[kept - 1] : NULL;
        bool same = last != NULL && last->kind == fault[i].kind && last->index == fault[i].index;
        double end = fault[i].time + fault[i].duration;
        if (!same || last->time + last->duration < fault[i].time)
            fault[kept++] = fault[i];
        else if (end > last->time + last->duration)
            last->duration = end - last->time;
    }
    return kept;
}

/* time_s,kind,index,duration_s: what the manual calls the fields, with blanks as a line may have.
 */
static bool is_header(const char *text, size_t len) {
    static const char *const names[FIELDS] = {"time_s", "kind", "index", "duration_s"};
    char copy[SHOWN * 2], *field[FIELDS];
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy - 1 ? len : sizeof copy - 1), text);
    if (!split_line(copy, field))
        return false;
    for (int i = 0; i < FIELDS; i++)
        if (strcmp(field[i], names[i]) != 0)
            return false;
    return true;
}

LpErr lp_outage_trace(const char *file, const char *text, const uint32_t counts[LP_OUTAGE_COUNT],
                      LpOutageFault *out, uint32_t room, uint32_t *count, LpDiag *diag) {
    uint32_t found = 0;
    unsigned line = 1;
    bool begun = false;
    for (const char *at = text; *at != '\0'; line++) {
        size_t len = strcspn(at, "\n"), said = strcspn(at, "\n#");
        bool empty = strspn(at, " \t\r") >= said;
        bool header = !empty && !begun && is_header(at, said);
        begun = begun || !empty;
        if (!empty && !header && found < room)
            LP_TRY(read_line(at, said, (At){file, line}, counts, &out[found++], diag));
        at += len + (at[len] == '\n');
    }
    qsort(out, found, sizeof *out, compare_faults);
    *count = join(out, found);
    return LP_OK;
}

/* ---- the list ---- */

/* A component's clock, or a component of a trace: what it does next, and when. */
typedef struct Clock {
    LpOutageEvent next;
    LpRng rng;      /* of a process; not used where `traced` */
    uint32_t fault; /* line of the trace, where `traced` */
    uint32_t traced;
} Clock;

struct LpOutageList {
    LpOutages outages;
    uint64_t seed;
    Clock *clock; /* a heap, the first to come on top */
    uint32_t clocks;
    LpOutageEvent *event;
    size_t event_cap;
    uint32_t events;
};

static bool before(const LpOutageEvent *a, const LpOutageEvent *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->fails != b->fails)
        return a->fails < b->fails;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    if (a->index != b->index)
        return a->index < b->index;
    return a->number < b->number;
}

static void sink(LpOutageList *l, uint32_t at) {
    for (;;) {
        uint32_t least = at;
        for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < l->clocks; child++)
            if (before(&l->clock[child].next, &l->clock[least].next))
                least = child;
        if (least == at)
            return;
        Clock swap = l->clock[at];
        l->clock[at] = l->clock[least];
        l->clock[least] = swap;
        at = least;
    }
}

static void start_fault(LpOutageList *l, uint32_t fault) {
    const LpOutageFault *f = &l->outages.fault[fault];
    l->clock[l->clocks++] =
        (Clock){.next = {f->time, f->kind, f->index, fault, 1}, .fault = fault, .traced = 1};
}

LpErr lp_outage_list_new(const LpOutages *outages, const uint32_t counts[LP_OUTAGE_COUNT],
                         uint64_t seed, LpOutageList **out) {
    size_t clocks = outages->faults + 1;
    for (int k = 0; k < LP_OUTAGE_COUNT; k++)
        clocks += outages->process[k].fails.law != LP_OUTAGE_NEVER ? counts[k] : 0;
    LpOutageList *l = lp_alloc(1, sizeof *l);
    if (l == NULL || (l->clock = lp_alloc(clocks, sizeof *l->clock)) == NULL) {
        lp_free(l);
        return LP_ENOMEM;
    }
    l->outages = *outages;
    l->seed = seed;
    for (uint32_t k = 0; k < LP_OUTAGE_COUNT; k++)
        for (uint32_t i = 0; outages->process[k].fails.law != LP_OUTAGE_NEVER && i < counts[k];
             i++) {
            char stream[STREAM];
            Clock *c = &l->clock[l->clocks++];
            snprintf(stream, sizeof stream, "failure %s", words[k]);
            c->rng = lp_rng_stream(l->seed, stream, i);
            c->next = (LpOutageEvent){.kind = k, .index = i, .fails = 1};
            c->next.time = draw(&l->outages.process[k].fails, &c->rng);
        }
    for (uint32_t f = 0; f < outages->faults; f++)
        start_fault(l, f);
    for (uint32_t at = l->clocks / 2; at-- > 0;)
        sink(l, at);
    *out = l;
    return LP_OK;
}

void lp_outage_list_free(LpOutageList *list) {
    if (list == NULL)
        return;
    lp_free(list->clock);
    lp_free(list->event);
    lp_free(list);
}

uint64_t lp_outage_list_seed(const LpOutageList *list) {
    return list->seed;
}

/* What this clock does after what it does next. */
static void wind(LpOutageList *l, Clock *c) {
    static const double LEAST = 1e-9; /* of a repair */
    const LpOutageProcess *p = &l->outages.process[c->next.kind];
    bool failed = c->next.fails;
    c->next.fails = !failed;
    if (c->traced) {
        c->next.time =
            failed ? c->next.time + l->outages.fault[c->fault].duration : (double)INFINITY;
        return;
    }
    double time = draw(failed ? &p->repair : &p->fails, &c->rng);
    c->next.time += failed && time < LEAST ? LEAST : time;
    c->next.number += !failed;
}

LpErr lp_outage_list_at(LpOutageList *l, uint32_t at, const LpOutageEvent **out) {
    while (l->events <= at && l->clocks > 0 && !isinf(l->clock[0].next.time)) {
        void *items = l->event;
        LP_TRY(lp_grow(&items, &l->event_cap, (size_t)l->events + 1, sizeof *l->event));
        l->event = items;
        l->event[l->events++] = l->clock[0].next;
        wind(l, &l->clock[0]);
        sink(l, 0);
    }
    *out = at < l->events ? &l->event[at] : NULL;
    return LP_OK;
}
