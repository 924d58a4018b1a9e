/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distributions that RFold draws its traces from: which slices are asked for (id, topology,
 * shape, size, duration, percent), and perhaps after what times (seconds, percent). They become a
 * generator of slices on a pod. */
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "import/jobs/jobs.h"
#include "import/jobs/rfold.h"
#include "import/rows/table.h"

enum { ID, TOPOLOGY, SHAPE, SIZE, DURATION, PERCENT, COLUMNS };

static const char *const COLUMN[COLUMNS] = {"id",   "topology", "shape",
                                            "size", "duration", "probability"};
static const LpTraceTable SIZES = {.column = COLUMN,
                                   .columns = COLUMNS,
                                   .needed = COLUMNS,
                                   .separator = ',',
                                   .headless = true,
                                   .uncounted = true,
                                   .comment = "#"};

static const char *const TIME_COLUMN[] = {"seconds", "probability"};
static const LpTraceTable TIMES = {.column = TIME_COLUMN,
                                   .columns = LP_COUNTOF(TIME_COLUMN),
                                   .needed = LP_COUNTOF(TIME_COLUMN),
                                   .separator = ',',
                                   .headless = true,
                                   .uncounted = true,
                                   .comment = "#"};

/* Assumed where the files do not say. */
static const double LASTS = 28800, LOAD = .7;
enum { COUNT = 2000, CUBES = 64, CUBE = 64 };

/* A time, or a slice with its accelerators, and what it weighs. */
typedef struct Share {
    LpRfoldSlice slice;
    double value, weight;
} Share;

typedef struct Shares {
    Share *item;
    size_t count, cap;
    double weight; /* of all */
    double mean;
} Shares;

typedef struct Mix {
    Shares sizes, durations, times;
    size_t without_torus;
    double largest;
} Mix;

/* Items of no weight are never drawn. */
static LpErr add(Shares *to, const Share *share, LpDiag *diag) {
    if (share->weight == 0)
        return LP_OK;
    if (lp_grow((void **)&to->item, &to->cap, to->count + 1, sizeof *to->item) != LP_OK)
        return lp_fail_memory(diag, "a distribution");
    to->item[to->count++] = *share;
    to->mean =
        (to->mean * to->weight + share->value * share->weight) / (to->weight + share->weight);
    to->weight += share->weight;
    return LP_OK;
}

static LpErr positive(const LpTraceRow *row, size_t column, double *out, LpDiag *diag) {
    LP_TRY(lp_row_number(row, column, out, diag));
    if (*out < 0)
        return lp_lines_fail(row->lines, diag, "%s is %g, expected a number >= 0",
                             row->table->column[column], *out);
    return LP_OK;
}

static LpErr read_size(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    Mix *mix = user;
    Share share = {0};
    double lasts;
    (void)reading;
    LP_TRY(lp_rfold_slice(row->lines, lp_row_text(row, TOPOLOGY), lp_row_text(row, SHAPE),
                          lp_row_text(row, SIZE), &share.slice, diag));
    LP_TRY(positive(row, DURATION, &lasts, diag));
    LP_TRY(positive(row, PERCENT, &share.weight, diag));
    if (share.slice.slice[0] == '\0') {
        mix->without_torus++;
        return LP_OK;
    }
    share.value = share.slice.size;
    mix->largest = share.value > mix->largest ? share.value : mix->largest;
    LP_TRY(add(&mix->sizes, &share, diag));
    share.value = lasts;
    return lasts > 0 ? add(&mix->durations, &share, diag) : LP_OK;
}

static LpErr read_time(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag) {
    Mix *mix = user;
    Share share = {0};
    (void)reading;
    LP_TRY(positive(row, 0, &share.value, diag));
    LP_TRY(positive(row, 1, &share.weight, diag));
    return add(&mix->times, &share, diag);
}

static LpErr need(const Shares *shares, const char *file, const char *what, LpDiag *diag) {
    return shares->count > 0
               ? LP_OK
               : lp_fail_at(diag, LP_EPARSE, file, 1, 0, "no %s has a probability over 0", what);
}

static LpErr read_mix(LpReading *reading, LpDiag *diag) {
    Mix *mix = lp_alloc(1, sizeof *mix);
    if (mix == NULL)
        return lp_fail_memory(diag, "a distribution");
    reading->own = mix;
    LP_TRY(lp_table_read(reading, reading->file[0], &SIZES, read_size, mix, diag));
    LP_TRY(need(&mix->sizes, reading->file[0], "slice of a torus", diag));
    if (reading->files == 1)
        return LP_OK;
    LP_TRY(lp_table_read(reading, reading->file[1], &TIMES, read_time, mix, diag));
    return need(&mix->times, reading->file[1], "time", diag);
}

static void drop_mix(void *own) {
    Mix *mix = own;
    lp_free(mix->sizes.item);
    lp_free(mix->durations.item);
    lp_free(mix->times.item);
    lp_free(mix);
}

/* ---- the generator ---- */

/* s that a slice is held on average, where no file says: times between arrivals leave one for the
 * load. */
static double held_for(const Mix *mix) {
    return mix->times.mean > 0 ? LOAD * CUBES * CUBE * mix->times.mean / mix->sizes.mean : LASTS;
}

static void put_pmf(const Shares *shares, const char *key, LpJsonOut *json) {
    lp_json_open(json, key, '{');
    lp_json_open(json, "pmf", '{');
    lp_json_open(json, "values", '[');
    for (size_t i = 0; i < shares->count; i++)
        lp_json_put_number(json, NULL, shares->item[i].value);
    lp_json_close(json, ']');
    lp_json_open(json, "weights", '[');
    for (size_t i = 0; i < shares->count; i++)
        lp_json_put_number(json, NULL, shares->item[i].weight / shares->weight);
    lp_json_close(json, ']');
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

static void put_exponential(const char *key, double mean, LpJsonOut *json) {
    lp_json_open(json, key, '{');
    lp_json_open(json, "exponential", '{');
    lp_json_put_number(json, "mean", mean);
    lp_json_close(json, '}');
    lp_json_close(json, '}');
}

static void put_slices(const Shares *sizes, LpJsonOut *json) {
    lp_json_lines(json, "slices", '[');
    for (size_t i = 0; i < sizes->count; i++) {
        lp_json_open(json, NULL, '{');
        lp_json_put_text(json, "slice", sizes->item[i].slice.slice);
        lp_json_put_number(json, "weight", sizes->item[i].weight);
        lp_json_close(json, '}');
    }
    lp_json_close(json, ']');
}

static LpErr write_mix(const LpReading *reading, LpBuf *out, LpDiag *diag) {
    const Mix *mix = reading->own;
    LpJsonOut json = {.out = out, .spaced = true};
    lp_json_lines(&json, NULL, '{');
    lp_json_put_count(&json, "lightpath", 1);
    lp_json_put_text(&json, "name", "slices");
    lp_json_open(&json, "cluster", '{');
    lp_json_put_text(&json, "fabric", "pod");
    lp_json_open(&json, "pod", '{');
    lp_json_put_count(&json, "cubes", CUBES);
    lp_json_close(&json, '}');
    lp_json_close(&json, '}');
    lp_json_put_text(&json, "queue", "fifo");
    lp_json_lines(&json, "generator", '{');
    lp_json_put_count(&json, "count", COUNT);
    put_slices(&mix->sizes, &json);
    if (mix->durations.count > 0)
        put_pmf(&mix->durations, "duration", &json);
    else
        put_exponential("duration", held_for(mix), &json);
    if (mix->times.count > 0)
        put_pmf(&mix->times, "interarrival", &json);
    else
        lp_json_put_number(&json, "load", LOAD);
    lp_json_close(&json, '}');
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}

/* ---- the report ---- */

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const Mix *mix = reading->own;
    lp_json_put_count(json, "sizes", mix->sizes.count);
    lp_json_put_number(json, "percent", lp_num_round(mix->sizes.weight, 6));
    lp_json_put_count(json, "without_torus", mix->without_torus);
    lp_json_put_number(json, "largest", mix->largest);
    lp_json_put_number(json, "mean_size", lp_num_round(mix->sizes.mean, 6));
    lp_json_put_count(json, "times", mix->times.count);
    if (mix->times.count > 0)
        lp_json_put_number(json, "mean_time_s", lp_num_round(mix->times.mean, 6));
    if (all)
        put_slices(&mix->sizes, json);
}

static void say(const LpReading *reading, LpBuf *out) {
    const Mix *mix = reading->own;
    char time[32];
    lp_buf_addf(out,
                "  slices            %zu of %.1f %%: %.1f accelerators on average, at most %.0f\n",
                mix->sizes.count, mix->sizes.weight, mix->sizes.mean, mix->largest);
    if (mix->without_torus > 0)
        lp_buf_addf(out, "  left out          %zu of no torus\n", mix->without_torus);
    if (mix->times.count > 0)
        lp_buf_addf(out, "  arrivals          after %.1f s on average, by %zu times\n",
                    mix->times.mean, mix->times.count);
    lp_buf_addf(out, "  assumed           a pod of %d cubes", CUBES);
    if (mix->times.count == 0 || mix->durations.count == 0)
        lp_buf_addf(out, " and a load of %.2f", LOAD);
    if (mix->durations.count == 0)
        lp_buf_addf(out, "; a slice is held for %s on average, which no file says",
                    lp_quantity_print(held_for(mix), LP_DIM_TIME, time, sizeof time));
    lp_buf_add(out, "\n");
}

static bool is_mix(const LpHead *head) {
    return lp_head_begins(head, "# slice id");
}

const LpFormat lp_format_rfold_mix = {.name = "rfold-mix",
                                      .called = "rfold distribution",
                                      .what = "sizes of slices, and times between them: "
                                              "distributions of RFold",
                                      .makes = LP_MAKES_GENERATOR,
                                      .least = 1,
                                      .most = 2,
                                      .is = is_mix,
                                      .read = read_mix,
                                      .report = report,
                                      .text = say,
                                      .write = write_mix,
                                      .drop = drop_mix};
