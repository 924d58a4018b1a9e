/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is this a step? Every number with its key (docs/turning-light.md, 2). */
#include "base/num.h"
#include "sim/turns/turns.h"

typedef struct Count {
    const char *key;
    uint32_t value, most;
} Count;

static LpErr check_counts(const Count *count, size_t counts, LpDiag *diag) {
    for (size_t i = 0; i < counts; i++)
        if (count[i].value < 1 || count[i].value > count[i].most)
            return lp_fail(diag, LP_EINVAL, "%s is %u: expected a whole number from 1 to %u",
                           count[i].key, (unsigned)count[i].value, (unsigned)count[i].most);
    return LP_OK;
}

typedef struct Times {
    const char *key;
    const LpTurnTimes *times;
    uint32_t most; /* how many there may be besides one for all */
    bool positive; /* none may be 0, or left out */
    const char *of;
} Times;

static LpErr check_time(const char *key, double value, bool positive, LpDiag *diag) {
    char text[LP_NUM_TEXT];
    if ((positive ? value > 0 : value >= 0) && value <= LP_TURN_LONGEST)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "%s is %s s: expected %s, and at most %g s", key,
                   lp_num_print(value, text), positive ? "more than 0" : "0 or more",
                   LP_TURN_LONGEST);
}

static LpErr check_times(const Times *row, LpDiag *diag) {
    const LpTurnTimes *times = row->times;
    if (times->count == 0 && row->positive)
        return lp_fail(diag, LP_EINVAL, "%s is missing: expected a time above 0", row->key);
    if (times->count > 1 && times->count != row->most)
        return lp_fail(diag, LP_EINVAL, "%s has %u times: expected one, or %u, one for each %s",
                       row->key, (unsigned)times->count, (unsigned)row->most, row->of);
    for (uint32_t i = 0; i < times->count; i++)
        LP_TRY(check_time(row->key, times->item[i], row->positive, diag));
    return LP_OK;
}

/* Tasks and transfers, at most: of a micro-batch two passes, two sends and three ring transfers. */
static LpErr check_size(const LpTurnStep *s, LpDiag *diag) {
    double each = (s->replicas > 1 && s->reduce == LP_TURN_REDUCE_ZERO3 ? 7.0 : 4.0) *
                  (double)s->micro_batches;
    bool parts = s->replicas > 1 && s->reduce == LP_TURN_REDUCE_BUCKET;
    double chunks = s->chunks > 1 ? s->chunks : 1;
    double nodes = (chunks * (each + (parts ? 2.0 * s->layers : 1.0)) + 1) * s->stages * s->steps;
    if (nodes <= LP_TURN_NODES_MAX)
        return LP_OK;
    return lp_fail(diag, LP_ELIMIT,
                   "%u stages, %u micro-batches, %u layers and %u steps make up to %.0f tasks and "
                   "transfers: expected at most %d",
                   (unsigned)s->stages, (unsigned)s->micro_batches, (unsigned)s->layers,
                   (unsigned)s->steps, nodes, (int)LP_TURN_NODES_MAX);
}

static LpErr check_chunks(const LpTurnStep *s, LpDiag *diag) {
    if (s->chunks <= 1)
        return LP_OK;
    if (s->stages == 1 || s->gpipe)
        return lp_fail(diag, LP_EINVAL, "chunks is %u with %s: expected 1", (unsigned)s->chunks,
                       s->gpipe ? "gpipe" : "one stage");
    if (s->micro_batches % s->stages != 0)
        return lp_fail(
            diag, LP_EINVAL,
            "micro_batches is %u: with chunks above 1, expected a multiple of stages, %u",
            (unsigned)s->micro_batches, (unsigned)s->stages);
    return LP_OK;
}

LpErr lp_turn_step_check(const LpTurnStep *s, LpDiag *diag) {
    const uint32_t most = LP_TURN_NODES_MAX;
    const Count count[] = {
        {"stages", s->stages, most},
        {"replicas", s->replicas, most},
        {"micro_batches", s->micro_batches, most},
        {"chunks", s->chunks > 0 ? s->chunks : 1, most},
        {"layers", s->layers, most},
        {"ports", s->ports, 2},
        {"steps", s->steps, most},
    };
    LP_TRY(check_counts(count, LP_COUNTOF(count), diag));
    bool gathers = s->replicas > 1 && s->reduce == LP_TURN_REDUCE_ZERO3;
    uint32_t chunks = s->chunks > 1 && s->chunks <= most / s->stages ? s->chunks : 1;
    uint32_t passes = s->stages * chunks, links = chunks > 1 ? s->stages : s->stages - 1;
    const char *pass = chunks > 1 ? "chunk of the model" : "stage";
    const Times times[] = {
        {"forward", &s->forward, passes, true, pass},
        {"backward", &s->backward, passes, true, pass},
        {"send", &s->send, links, false, "link between stages"},
        {"bucket", &s->bucket, s->stages, false, "stage"},
        {"gather", &s->gather, s->stages, gathers, "stage"},
        {"optimiser", &s->optimiser, s->stages, false, "stage"},
    };
    LP_TRY(check_chunks(s, diag));
    for (size_t i = 0; i < LP_COUNTOF(times); i++)
        LP_TRY(check_times(&times[i], diag));
    LP_TRY(check_time("notice", s->notice, false, diag));
    LP_TRY(check_time("order_cost", s->order_cost, false, diag));
    return check_size(s, diag);
}
