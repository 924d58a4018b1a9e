/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives in steps as JSON and as tables for people. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/collective/collective_kinds.h"
#include "ask/collective/steps_words.h"
#include "base/num.h"
#include "model/collective/coll_plan.h"

enum { TEXT = 64, LETTERS = 24 };

/* A delay and a kind of orders. */
typedef struct Row {
    double delay, stay, every_turn;
    LpCollOrders orders;
    LpCollBest best;
    char *choice; /* in the arena */
} Row;

typedef struct Steps {
    LpCollSpec spec;
    LpArena *arena;
    LpCollPlan *plan;
    uint32_t delays;
    Row *row;        /* delays x orders */
    double *overlap; /* delays; NAN: ports cannot be halved */
    double ring, direct;
    LpCollCurves curves;
} Steps;

/* ---- making ---- */

static LpErr fill_row(Steps *s, Row *row, LpDiag *diag) {
    row->choice = lp_arena_raw(s->arena, (size_t)lp_coll_steps_count(s->plan) + 1, 1);
    if (row->choice == NULL)
        return lp_fail_memory(diag, "a choice of turns");
    row->stay = lp_coll_stay(s->plan);
    row->every_turn = lp_coll_every_turn(s->plan, row->orders, row->delay);
    row->best = lp_coll_best(s->plan, row->orders, row->delay, row->choice, NULL);
    return LP_OK;
}

/* Both kinds of orders at a delay. */
static LpErr fill_delay(Steps *s, double delay, Row *row, LpDiag *diag) {
    row[LP_COLL_DEMAND] = (Row){.delay = delay, .orders = LP_COLL_DEMAND};
    LP_TRY(fill_row(s, &row[LP_COLL_DEMAND], diag));
    row[LP_COLL_PROVISIONED] = row[LP_COLL_DEMAND];
    row[LP_COLL_PROVISIONED].orders = LP_COLL_PROVISIONED;
    return lp_coll_has_gaps(s->plan) ? fill_row(s, &row[LP_COLL_PROVISIONED], diag) : LP_OK;
}

static LpErr fill_curve(Steps *s, LpCollOrders orders, LpDiag *diag) {
    return lp_coll_curve(s->plan, orders, &s->curves.piece[orders], &s->curves.pieces[orders],
                         diag);
}

static LpErr fill(Steps *s, const LpCollAsk *ask, LpDiag *diag) {
    LP_TRY(lp_coll_plan_make(&s->spec, &s->plan, diag));
    LP_TRY(lp_coll_beside(&s->spec, &s->ring, &s->direct, diag));
    s->delays = ask->delays;
    s->row = lp_arena_alloc(s->arena, (size_t)s->delays * LP_COLL_ORDERS_COUNT, sizeof *s->row);
    s->overlap = lp_arena_alloc(s->arena, s->delays, sizeof *s->overlap);
    if (s->row == NULL || s->overlap == NULL)
        return lp_fail_memory(diag, "the rows of a collective");
    for (uint32_t i = 0; i < s->delays; i++) {
        s->curves.most = ask->delay[i] > s->curves.most ? ask->delay[i] : s->curves.most;
        LP_TRY(fill_delay(s, ask->delay[i], &s->row[i * LP_COLL_ORDERS_COUNT], diag));
        LP_TRY(lp_coll_overlap(s->plan, ask->delay[i], &s->overlap[i], diag));
    }
    LP_TRY(fill_curve(s, LP_COLL_DEMAND, diag));
    if (lp_coll_has_gaps(s->plan))
        return fill_curve(s, LP_COLL_PROVISIONED, diag);
    size_t room = 0;
    void **copy = (void **)&s->curves.piece[LP_COLL_PROVISIONED];
    s->curves.pieces[LP_COLL_PROVISIONED] = s->curves.pieces[LP_COLL_DEMAND];
    return lp_copy_array(copy, &room, s->curves.piece[LP_COLL_DEMAND],
                         s->curves.pieces[LP_COLL_DEMAND], sizeof(LpCollPiece));
}

static void free_steps(void *it) {
    Steps *s = it;
    for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++)
        lp_free(s->curves.piece[orders]);
    lp_coll_plan_free(s->plan);
    lp_arena_free(s->arena);
    lp_free(s);
}

static LpErr make(const LpCollAsk *ask, void **out, LpDiag *diag) {
    LpCollSpec spec;
    LP_TRY(lp_coll_steps_read(ask->words, &spec, diag));
    Steps *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return lp_fail_memory(diag, "a collective");
    s->spec = spec;
    s->arena = lp_arena_new(0);
    LpErr err = s->arena != NULL ? fill(s, ask, diag) : lp_fail_memory(diag, "a collective");
    if (err != LP_OK) {
        free_steps(s);
        return err;
    }
    *out = s;
    return LP_OK;
}

static const LpCollCurves *get_curves(const void *it) {
    return &((const Steps *)it)->curves;
}

/* ---- JSON ---- */

static void put_row(const Row *row, LpJsonOut *out) {
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_number(out, "delay", row->delay);
    lp_json_put_text(out, "orders", lp_coll_orders_name(row->orders));
    lp_json_put_number(out, "stay", row->stay);
    lp_json_put_number(out, "every_turn", row->every_turn);
    lp_json_put_number(out, "best", row->best.time);
    lp_json_put_text(out, "choice", row->choice);
    lp_json_put_count(out, "turns", row->best.turns);
    lp_json_put_count(out, "exposed_turns", row->best.exposed);
    lp_json_close(out, '}');
}

/* `row`: with orders ahead, at the same delay. */
static void put_overlap(const Row *row, double time, LpJsonOut *out) {
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_number(out, "delay", row->delay);
    lp_json_put_text(out, "orders", "overlap");
    lp_json_put_number(out, "stay", row->stay);
    lp_json_put_number(out, "every_turn", row->every_turn);
    lp_json_put_number(out, "best", time);
    lp_json_put_null(out, "choice");
    lp_json_put_null(out, "turns");
    lp_json_put_null(out, "exposed_turns");
    lp_json_close(out, '}');
}

static void put_rows(const Steps *s, LpJsonOut *out) {
    lp_json_open(out, "rows", '[');
    for (uint32_t i = 0; i < s->delays; i++) {
        const Row *row = &s->row[i * LP_COLL_ORDERS_COUNT];
        for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++)
            put_row(&row[orders], out);
        if (!isnan(s->overlap[i]))
            put_overlap(&row[LP_COLL_PROVISIONED], s->overlap[i], out);
    }
    lp_json_close(out, ']');
}

static void put_curves(const LpCollCurves *curves, LpJsonOut *out) {
    lp_json_open(out, "curve", '[');
    for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++)
        for (uint32_t i = 0; i < curves->pieces[orders]; i++) {
            const LpCollPiece *piece = &curves->piece[orders][i];
            lp_json_break(out);
            lp_json_open(out, NULL, '{');
            lp_json_put_text(out, "orders", lp_coll_orders_name((LpCollOrders)orders));
            lp_json_put_number(out, "delay", piece->delay);
            lp_json_put_number(out, "time", piece->time);
            lp_json_put_count(out, "exposed_turns", piece->slope);
            lp_json_close(out, '}');
        }
    lp_json_close(out, ']');
}

/* What the collective has to beat. */
static double rival(const Steps *s) {
    return s->spec.op == LP_COLL_ALL_TO_ALL ? s->direct : s->ring;
}

static const char *rival_name(const Steps *s) {
    return s->spec.op == LP_COLL_ALL_TO_ALL ? "direct" : "ring";
}

/* The delay up to which it does; INFINITY: always; NAN: there is no rival. */
static double beats_below(const Steps *s, LpCollOrders orders) {
    double other = rival(s);
    return isnan(other)
               ? (double)NAN
               : lp_coll_curve_below(s->curves.piece[orders], s->curves.pieces[orders], other);
}

/* The delay from which nothing turns; NAN: something always does. */
static double stay_from(const Steps *s, LpCollOrders orders) {
    const LpCollPiece *last = &s->curves.piece[orders][s->curves.pieces[orders] - 1];
    return last->slope == 0 ? last->delay : (double)NAN;
}

static void put_thresholds(const Steps *s, LpJsonOut *out) {
    lp_json_open(out, "thresholds", '[');
    for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++) {
        lp_json_break(out);
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "orders", lp_coll_orders_name((LpCollOrders)orders));
        lp_json_put_number(out, "stay_from", stay_from(s, (LpCollOrders)orders));
        lp_json_put_number(out, "beats_below", beats_below(s, (LpCollOrders)orders));
        lp_json_put_text(out, "beats", rival_name(s));
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static void put_steps(const Steps *s, LpJsonOut *out) {
    lp_json_open(out, "steps", '[');
    for (uint32_t j = 0; j < lp_coll_steps_count(s->plan); j++) {
        LpCollStep step = lp_coll_step(s->plan, j);
        lp_json_break(out);
        lp_json_open(out, NULL, '{');
        lp_json_put_number(out, "bytes", step.bytes);
        lp_json_put_number(out, "stay", step.stay);
        if (isnan(step.stay))
            lp_json_put_null(out, "hops");
        else
            lp_json_put_count(out, "hops", step.hops);
        lp_json_put_number(out, "load", step.load);
        lp_json_put_number(out, "turned", step.turned);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static void put_json(const void *it, LP_UNUSED bool each, LpJsonOut *out) {
    const Steps *s = it;
    const LpJsonNumber beside[] = {
        {"ring", s->ring}, {"direct", s->direct}, {"bound", lp_coll_bound(&s->spec)}};
    put_rows(s, out);
    put_curves(&s->curves, out);
    put_thresholds(s, out);
    lp_json_open(out, "beside", '{');
    lp_json_put_numbers(out, beside, LP_COUNTOF(beside));
    lp_json_close(out, '}');
    put_steps(s, out);
}

/* ---- text ---- */

/* Times side by side differ in later digits than the third. */
static void add_time(LpBuf *out, int width, double seconds) {
    char text[TEXT];
    bool zero = !(seconds > 0);
    double unit = seconds >= 1 || zero ? 1 : seconds >= 1e-3 ? 1e3 : seconds >= 1e-6 ? 1e6 : 1e9;
    const char *name = seconds >= 1 || zero ? "s"
                       : seconds >= 1e-3    ? "ms"
                       : seconds >= 1e-6    ? "us"
                                            : "ns";
    if (isnan(seconds))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.6g %s", seconds * unit, name);
    lp_buf_addf(out, "  %*s", width, text);
}

static void add_row(const Row *row, const char *orders, double best, LpBuf *out) {
    add_time(out, 10, row->delay);
    lp_buf_addf(out, "  %-11s", orders);
    add_time(out, 11, row->stay);
    add_time(out, 11, row->every_turn);
    add_time(out, 11, best);
}

static void add_rows(const Steps *s, LpBuf *out) {
    lp_buf_addf(out, "  %10s  %-11s  %11s  %11s  %11s  %5s  %7s  %s\n", "delay", "orders",
                "staying", "turning all", "best", "turns", "exposed", "choice");
    for (uint32_t i = 0; i < s->delays; i++) {
        const Row *row = &s->row[i * LP_COLL_ORDERS_COUNT];
        for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++) {
            const Row *it = &row[orders];
            add_row(it, lp_coll_orders_name(it->orders), it->best.time, out);
            lp_buf_addf(out, "  %5" PRIu32 "  %7" PRIu32 "  %.*s%s\n", it->best.turns,
                        it->best.exposed, LETTERS, it->choice,
                        strlen(it->choice) > LETTERS ? "..." : "");
        }
        if (!isnan(s->overlap[i])) {
            add_row(&row[LP_COLL_PROVISIONED], "overlap", s->overlap[i], out);
            lp_buf_add(out, "\n");
        }
    }
    lp_buf_add(out, "choice: a letter a step; s stay, t turn to its own circuits, b back to the "
                    "base, o to other ones\n");
}

static void add_beside(const Steps *s, LpBuf *out) {
    char text[TEXT];
    lp_buf_add(out, "\n");
    if (!isnan(rival(s)))
        lp_buf_addf(out, "%s  %s\n",
                    s->spec.op == LP_COLL_ALL_TO_ALL ? "all at once on the base" : "ring algorithm",
                    lp_quantity_print(rival(s), LP_DIM_TIME, text, sizeof text));
    lp_buf_addf(out, "no circuits do better than  %s\n",
                lp_quantity_print(lp_coll_bound(&s->spec), LP_DIM_TIME, text, sizeof text));
}

/* "on-demand    4 turns up to 83.9 us, 3 up to 117 us, then none; beats the ring below 1.38 us" */
static void add_corners(const Steps *s, LpCollOrders orders, LpBuf *out) {
    const LpCollPiece *piece = s->curves.piece[orders];
    uint32_t pieces = s->curves.pieces[orders];
    double below = beats_below(s, orders);
    char text[TEXT];
    lp_buf_addf(out, "%-11s ", lp_coll_orders_name(orders));
    for (uint32_t i = 0; i < pieces; i++) {
        lp_buf_addf(out, "%s", i == 0 ? " " : i + 1 < pieces ? ", " : ", then ");
        if (piece[i].slope == 0)
            lp_buf_add(out, "none");
        else
            lp_buf_addf(out, "%" PRIu32, piece[i].slope);
        if (i == 0)
            lp_buf_addf(out, " exposed turn%s", lp_str_s(piece[i].slope));
        if (i + 1 < pieces)
            lp_buf_addf(out, " up to %s",
                        lp_quantity_print(piece[i + 1].delay, LP_DIM_TIME, text, sizeof text));
    }
    if (below > 0 && below < (double)INFINITY)
        lp_buf_addf(out, "; beats %s below %s", rival_name(s),
                    lp_quantity_print(below, LP_DIM_TIME, text, sizeof text));
    else if (!isnan(below))
        lp_buf_addf(out, "; %s beats %s", below > 0 ? "always" : "never", rival_name(s));
    lp_buf_add(out, "\n");
}

/* To whom server 0 sends in a step: "1, 15", or how many they are. */
static void print_partners(const Steps *s, uint32_t step, char *text, size_t size) {
    uint32_t ways = lp_coll_step(s->plan, step).ways, first = lp_coll_partner(s->plan, step, 0, 0);
    if (ways > 2)
        snprintf(text, size, "%" PRIu32 " others", ways);
    else if (first == LP_NO_INDEX)
        snprintf(text, size, "nobody");
    else if (ways == 2)
        snprintf(text, size, "%" PRIu32 ", %" PRIu32, first, lp_coll_partner(s->plan, step, 1, 0));
    else
        snprintf(text, size, "%" PRIu32, first);
}

static void add_steps(const Steps *s, LpBuf *out) {
    lp_buf_addf(out, "\n  %4s  %10s  %10s  %5s  %10s  %11s  %11s  %11s\n", "step", "0 sends to",
                "bytes", "hops", "load", "gap before", "on the base", "turned");
    for (uint32_t j = 0; j < lp_coll_steps_count(s->plan); j++) {
        LpCollStep step = lp_coll_step(s->plan, j);
        char to[TEXT], bytes[TEXT], load[TEXT], hops[TEXT];
        lp_quantity_print(step.bytes, LP_DIM_BYTES, bytes, sizeof bytes);
        lp_quantity_print(step.load, LP_DIM_BYTES, load, sizeof load);
        snprintf(hops, sizeof hops, "%" PRIu32, step.hops);
        print_partners(s, j, to, sizeof to);
        lp_buf_addf(out, "  %4" PRIu32 "  %10s  %10s  %5s  %10s", j, to, bytes,
                    isnan(step.stay) ? "-" : hops, isnan(step.stay) ? "-" : load);
        add_time(out, 11, step.gap);
        add_time(out, 11, step.stay);
        add_time(out, 11, step.turned);
        lp_buf_add(out, "\n");
    }
}

static void add_text(const void *it, bool each, LP_UNUSED bool ascii, LpBuf *out) {
    const Steps *s = it;
    add_rows(s, out);
    if (each)
        add_steps(s, out);
    add_beside(s, out);
    for (int orders = 0; orders < LP_COLL_ORDERS_COUNT; orders++)
        add_corners(s, (LpCollOrders)orders, out);
}

const LpCollKind lp_coll_steps = {
    .make = make, .free = free_steps, .json = put_json, .text = add_text, .curves = get_curves};
