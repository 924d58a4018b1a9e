/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath collective "combs=..."`: jobs that take turns on a link. */
#include "ask/collective/combs_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/collective/collective_kinds.h"

enum { SHOWN = 64, SOLVED = 100, SAMPLED = 10, TRIES = 64 };

static const double most_steps = 1e7; /* of all jobs together until each has done its own */

/* ---- reading ---- */

typedef struct Words {
    LpCombs combs;
    const char *jobs, *cap, *shift;
} Words;

#define WORD(name) offsetof(Words, name)

static const LpCollKey keys[] = {
    {.name = "combs", .form = LP_COLL_TEXT, .needed = true, .offset = WORD(jobs)},
    {.name = "rate", .form = LP_COLL_RATE, .needed = true, .offset = WORD(combs.rate)},
    {.name = "cap", .form = LP_COLL_TEXT, .offset = WORD(cap)},
    {.name = "shift", .form = LP_COLL_TEXT, .offset = WORD(shift)},
    {.name = "steps",
     .form = LP_COLL_COUNT,
     .offset = WORD(combs.steps),
     .least = 1,
     .most = LP_COMBS_STEPS_MAX},
    {.name = "tries",
     .form = LP_COLL_COUNT,
     .offset = WORD(combs.tries),
     .least = 1,
     .most = LP_COMBS_TRIES_MAX},
};

static uint32_t count_items(const char *list, char comma) {
    uint32_t count = 1;
    for (; *list != '\0'; list++)
        count += *list == comma;
    return count;
}

/* The next item of a list, without blanks around it; *list moves behind it. */
static const char *next_item(const char **list, const char *ends, char item[SHOWN]) {
    const char *from = *list + strspn(*list, " ");
    size_t len = strcspn(from, ends), used = len;
    while (used > 0 && from[used - 1] == ' ')
        used--;
    if (used >= SHOWN)
        used = SHOWN - 1; /* so long is no number: it is refused as it stands */
    memcpy(item, from, used);
    item[used] = '\0';
    *list = from + len + (from[len] != '\0');
    return item;
}

static LpErr read_time(const char *key, const char *item, double *out, LpDiag *diag) {
    LP_TRY(lp_coll_words_quantity(key, item, LP_DIM_TIME, out, diag));
    return *out <= LP_COMBS_TIME_MAX
               ? LP_OK
               : lp_coll_words_fail(diag, key, item, "expected at most a million seconds");
}

static LpErr read_job(const char *item, uint32_t i, LpComb *out, LpDiag *diag) {
    char text[SHOWN], shown[SHOWN];
    if (count_items(item, '/') != 2)
        return lp_coll_words_fail(diag, "combs", item,
                                  "expected a time and bytes, such as 100ms/1GB");
    LP_TRY(read_time("combs", next_item(&item, "/", text), &out->compute, diag));
    LP_TRY(lp_coll_words_quantity("combs", next_item(&item, "/", text), LP_DIM_BYTES, &out->bytes,
                                  diag));
    if (out->compute > 0 && out->bytes > 0)
        return LP_OK;
    lp_quantity_print(out->compute, LP_DIM_TIME, text, sizeof text);
    return lp_fail(
        diag, LP_EINVAL, "combs: job %u computes %s and sends %s: expected both to be more than 0",
        (unsigned)i, text, lp_quantity_print(out->bytes, LP_DIM_BYTES, shown, sizeof shown));
}

static LpErr read_jobs(const char *list, LpCombs *combs, LpDiag *diag) {
    uint32_t jobs = count_items(list, ',');
    char item[SHOWN];
    if (jobs < 2 || jobs > LP_COMBS_JOBS_MAX)
        return lp_fail(diag, LP_EINVAL, "combs: %u job%s: expected 2 to %d", (unsigned)jobs,
                       lp_str_s(jobs), (int)LP_COMBS_JOBS_MAX);
    for (uint32_t i = 0; i < jobs; i++)
        LP_TRY(read_job(next_item(&list, ",", item), i, &combs->job[i], diag));
    combs->jobs = jobs;
    return LP_OK;
}

/* One for all jobs, or one for each. */
static LpErr read_caps(const char *list, LpCombs *combs, LpDiag *diag) {
    uint32_t caps = list == NULL ? 1 : count_items(list, ',');
    double cap = combs->rate;
    char item[SHOWN];
    if (caps != 1 && caps != combs->jobs)
        return lp_fail(diag, LP_EINVAL, "cap: %u values for %u jobs: expected 1 or %u",
                       (unsigned)caps, (unsigned)combs->jobs, (unsigned)combs->jobs);
    for (uint32_t i = 0; i < combs->jobs; i++) {
        if (list != NULL && i < caps)
            LP_TRY(lp_coll_words_quantity("cap", next_item(&list, ",", item), LP_DIM_BANDWIDTH,
                                          &cap, diag));
        if (!(cap > 0))
            return lp_coll_words_fail(diag, "cap", item, "expected more than 0");
        combs->job[i].cap = cap < combs->rate ? cap : combs->rate;
    }
    return LP_OK;
}

/* Jobs whose steps are far shorter than another's do many of them meanwhile. */
static LpErr check_steps(const LpCombs *combs, LpDiag *diag) {
    double longest = 0, steps = 0, rest = 0;
    for (uint32_t i = 0; i < combs->jobs; i++) {
        double send = lp_comb_send(&combs->job[i]);
        if (!(send > 0 && send <= LP_COMBS_TIME_MAX))
            return lp_fail(diag, LP_EINVAL,
                           "combs: job %u sends for %g s: expected more than 0 and at most a "
                           "million seconds",
                           (unsigned)i, send);
        longest = fmax(longest, combs->job[i].compute + combs->jobs * send);
        rest += send;
    }
    for (uint32_t i = 0; i < combs->jobs; i++)
        steps += combs->steps * (longest + rest) / lp_comb_alone(&combs->job[i]);
    return steps <= most_steps
               ? LP_OK
               : lp_fail(diag, LP_ELIMIT,
                         "combs: while each job does %u steps all do up to %.3g: expected at most "
                         "%.3g, so steps that are more alike, or fewer of them",
                         (unsigned)combs->steps, steps, most_steps);
}

static LpErr read_shifts(const char *list, const LpCollCombs *c, double *shift, LpDiag *diag) {
    uint32_t count = count_items(list, ',');
    char item[SHOWN], shown[SHOWN];
    if (count != c->combs.jobs)
        return lp_fail(diag, LP_EINVAL, "shift=%s: %u value%s for %u jobs",
                       lp_str_show(shown, sizeof shown, list), (unsigned)count, lp_str_s(count),
                       (unsigned)c->combs.jobs);
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(read_time("shift", next_item(&list, ",", item), &shift[i], diag));
    return LP_OK;
}

static LpErr fill_rows(LpCollCombs *c, const char *list, LpDiag *diag) {
    double shift[LP_COMBS_JOBS_MAX] = {0};
    c->rows = list == NULL ? 1 : count_items(list, '/');
    c->row = lp_arena_alloc(c->arena, c->rows, sizeof *c->row);
    char *lists = lp_arena_strdup(c->arena, list);
    if (c->row == NULL || lists == NULL)
        return lp_fail_memory(diag, "the shifts of jobs");
    for (uint32_t i = 0; i < c->rows; i++) {
        size_t len = strcspn(lists, "/");
        bool more = lists[len] != '\0';
        lists[len] = '\0';
        if (list != NULL)
            LP_TRY(read_shifts(lists, c, shift, diag));
        lists += len + more;
        c->row[i] = lp_combs_row(&c->combs, shift);
    }
    return LP_OK;
}

/* ---- making ---- */

static LpErr fill(LpCollCombs *c, const LpCollAsk *ask, LpDiag *diag) {
    Words w = {.combs = {.tries = TRIES}};
    LP_TRY(lp_coll_words_read(ask->words, keys, LP_COUNTOF(keys), &w, diag));
    LP_TRY(read_jobs(w.jobs, &w.combs, diag));
    LP_TRY(read_caps(w.cap, &w.combs, diag));
    if (w.combs.steps == 0)
        w.combs.steps = w.combs.jobs == 2 ? SOLVED : SAMPLED;
    LP_TRY(check_steps(&w.combs, diag));
    c->combs = w.combs;
    LP_TRY(fill_rows(c, w.shift, diag));
    c->best = lp_combs_best(&c->combs);
    c->fits = lp_combs_fit(&c->combs, &c->fit);
    for (uint32_t i = 0; i < c->combs.jobs; i++)
        c->bound = fmax(c->bound, lp_comb_alone(&c->combs.job[i]));
    return LP_OK;
}

static LpErr make(const LpCollAsk *ask, void **out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpCollCombs *c = arena == NULL ? NULL : lp_arena_alloc(arena, 1, sizeof *c);
    if (c == NULL) {
        lp_arena_free(arena);
        return lp_fail_memory(diag, "jobs that share a link");
    }
    c->arena = arena;
    LpErr err = fill(c, ask, diag);
    if (err != LP_OK) {
        lp_arena_free(arena);
        return err;
    }
    *out = c;
    return LP_OK;
}

static void release(void *it) {
    LpCollCombs *c = it;
    lp_arena_free(c->arena);
}

/* ---- JSON ---- */

static void add_numbers(LpJsonOut *out, const char *key, const double *item, uint32_t count) {
    lp_json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++)
        lp_json_put_number(out, NULL, item[i]);
    lp_json_close(out, ']');
}

static void add_row_json(const LpCombsRow *row, uint32_t jobs, const char *key, LpJsonOut *out) {
    lp_json_break(out);
    lp_json_open(out, key, '{');
    add_numbers(out, "shift", row->shift, jobs);
    add_numbers(out, "step", row->step, jobs);
    lp_json_put_number(out, "slowdown", row->slowdown);
    lp_json_put_bool(out, "sensitive", row->sensitive);
    lp_json_close(out, '}');
}

static void add_json(const void *it, LP_UNUSED bool each, LpJsonOut *out) {
    const LpCollCombs *c = it;
    uint32_t jobs = c->combs.jobs;
    double alone[LP_COMBS_JOBS_MAX], share[LP_COMBS_JOBS_MAX];
    for (uint32_t i = 0; i < jobs; i++) {
        alone[i] = lp_comb_alone(&c->combs.job[i]);
        share[i] = lp_comb_send(&c->combs.job[i]) / alone[i];
    }
    add_numbers(out, "alone", alone, jobs);
    add_numbers(out, "share", share, jobs);
    lp_json_open(out, "rows", '[');
    for (uint32_t i = 0; i < c->rows; i++)
        add_row_json(&c->row[i], jobs, NULL, out);
    lp_json_close(out, ']');
    add_row_json(&c->best, jobs, "best", out);
    if (c->fits) {
        lp_json_open(out, "fits", '{');
        lp_json_put_number(out, "from", c->fit.from);
        lp_json_put_number(out, "width", c->fit.width);
        lp_json_put_number(out, "every", c->fit.every);
        lp_json_close(out, '}');
    } else {
        lp_json_put_null(out, "fits");
    }
    lp_json_put_number(out, "bound", c->bound);
}

const LpCollKind lp_coll_combs = {
    .make = make, .free = release, .json = add_json, .text = lp_coll_combs_text};
