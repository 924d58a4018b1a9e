/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps with turning circuits as JSON and as tables for people. */
#include "ask/predict/turns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"
#include "base/num.h"
#include "sim/turns/turns_keys.h"

enum { TEXT = 64 };

typedef struct Row {
    double delay;
    LpTurnOrders orders;
    LpTurnResult result;
} Row;

typedef struct Curve {
    LpTurnPiece *piece;
    uint32_t pieces;
} Curve;

struct LpTurns {
    LpTurnPlan *plan;
    uint32_t rows;
    Row *row;
    double most;                       /* the longest delay */
    LpTurnResult light;                /* at delay 0 */
    Curve curve[LP_TURN_ORDERS_COUNT]; /* up to `most` */
};

/* ---- making ---- */

static LpErr make_rows(LpTurns *t, const char *list, LpDiag *diag) {
    double *delay = NULL;
    uint32_t count = 0;
    LP_TRY(lp_turn_delays_read(list, &delay, &count, diag));
    t->row = lp_alloc((size_t)count * LP_TURN_ORDERS_COUNT, sizeof *t->row);
    for (uint32_t i = 0; t->row != NULL && i < count; i++) {
        t->most = delay[i] > t->most ? delay[i] : t->most;
        for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++)
            t->row[t->rows++] = (Row){.delay = delay[i], .orders = (LpTurnOrders)orders};
    }
    lp_free(delay);
    return t->row != NULL ? LP_OK : lp_fail_memory(diag, "the delays");
}

static LpErr run_rows(LpTurns *t, LpDiag *diag) {
    t->light = lp_turn_run(t->plan, LP_TURN_DEMAND, 0);
    for (uint32_t i = 0; i < t->rows; i++)
        t->row[i].result = lp_turn_run(t->plan, t->row[i].orders, t->row[i].delay);
    for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++)
        LP_TRY(lp_turn_curve(t->plan, (LpTurnOrders)orders, t->most, &t->curve[orders].piece,
                             &t->curve[orders].pieces, diag));
    return LP_OK;
}

static LpErr plan_stages(LpTurns *t, const char *text, LpArena *arena, LpDiag *diag) {
    LpTurnStep step;
    LP_TRY(lp_turn_step_read(text, arena, &step, diag));
    return lp_turn_plan_make(&step, &t->plan, diag);
}

static LpErr plan_experts(LpTurns *t, const char *text, LpArena *arena, LpDiag *diag) {
    LpTurnExperts step;
    LP_TRY(lp_turn_experts_read(text, arena, &step, diag));
    return lp_turn_experts_make(&step, &t->plan, diag);
}

static LpErr make_plan(LpTurns *t, const char *text, bool experts, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "the keys of a step");
    LpErr err = (experts ? plan_experts : plan_stages)(t, text, arena, diag);
    lp_arena_free(arena);
    return err;
}

LpErr lp_turns_make(const char *step, bool experts, const char *delays, LpTurns **out,
                    LpDiag *diag) {
    LpTurns *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return lp_fail_memory(diag, "a step");
    LpErr err = make_rows(t, delays, diag);
    if (err == LP_OK)
        err = make_plan(t, step, experts, diag);
    if (err == LP_OK)
        err = run_rows(t, diag);
    if (err != LP_OK) {
        lp_turns_free(t);
        return err;
    }
    *out = t;
    return LP_OK;
}

void lp_turns_free(LpTurns *t) {
    if (t == NULL)
        return;
    for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++)
        lp_free(t->curve[orders].piece);
    lp_turn_plan_free(t->plan);
    lp_free(t->row);
    lp_free(t);
}

double lp_turns_most(const LpTurns *t) {
    return t->most;
}

double lp_turns_height(const LpTurns *t, LpTurnOrders orders, double delay) {
    return lp_turn_curve_at(t->curve[orders].piece, t->curve[orders].pieces, delay);
}

/* What a transfer's circuit is called. */
static const char *circuit_name(const LpTurnTransfer *transfer) {
    if (transfer->kind == LP_TURN_KIND_DISPATCH || transfer->kind == LP_TURN_KIND_COMBINE)
        return "layer";
    return transfer->ring ? "ring" : "link";
}

/* ---- JSON ---- */

static void add_transfer_json(LpJsonOut *out, const LpTurnTransfer *transfer) {
    const LpJsonNumber times[] = {{"ordered", transfer->ordered},
                                  {"lit", transfer->lit},
                                  {"ready", transfer->ready},
                                  {"start", transfer->start},
                                  {"end", transfer->end}};
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "transfer", lp_turn_kind_name(transfer->kind));
    lp_json_put_text(out, "circuit", circuit_name(transfer));
    lp_json_put_count(out, "stage", transfer->place);
    lp_json_put_count(out, "step", transfer->step);
    lp_json_put_count(out, "number", transfer->number);
    lp_json_put_numbers(out, times, LP_COUNTOF(times));
    lp_json_put_bool(out, "waits", transfer->waits);
    lp_json_close(out, '}');
}

static void add_row_json(LpTurns *t, const Row *row, bool each, LpJsonOut *out) {
    const LpTurnResult *r = &row->result;
    lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_number(out, "delay", row->delay);
    lp_json_put_text(out, "orders", lp_turn_orders_name(row->orders));
    lp_json_put_number(out, "time", r->time);
    lp_json_put_number(out, "step_time", r->step_time);
    lp_json_put_count(out, "exposed_turns", r->exposed);
    lp_json_put_count(out, "turns", r->turns);
    lp_json_put_count(out, "waiting_turns", r->waiting);
    if (each) {
        lp_turn_run(t->plan, row->orders, row->delay);
        lp_json_open(out, "transfers", '[');
        for (uint32_t id = 0; id < lp_turn_nodes(t->plan); id++) {
            LpTurnTransfer transfer = lp_turn_transfer(t->plan, id);
            if (transfer.kind != LP_TURN_TASK)
                add_transfer_json(out, &transfer);
        }
        lp_json_close(out, ']');
    }
    lp_json_close(out, '}');
}

static void add_curves_json(const LpTurns *t, LpJsonOut *out) {
    lp_json_open(out, "curve", '[');
    for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++)
        for (uint32_t i = 0; i < t->curve[orders].pieces; i++) {
            const LpTurnPiece *piece = &t->curve[orders].piece[i];
            lp_json_break(out);
            lp_json_open(out, NULL, '{');
            lp_json_put_text(out, "orders", lp_turn_orders_name((LpTurnOrders)orders));
            lp_json_put_number(out, "delay", piece->delay);
            lp_json_put_number(out, "time", piece->time);
            lp_json_put_count(out, "exposed_turns", piece->slope);
            lp_json_close(out, '}');
        }
    lp_json_close(out, ']');
}

void lp_turns_json(LpTurns *t, bool each, LpBuf *text) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "rows", '[');
    for (uint32_t i = 0; i < t->rows; i++)
        add_row_json(t, &t->row[i], each, &out);
    lp_json_close(&out, ']');
    add_curves_json(t, &out);
    lp_json_end(&out);
}

/* ---- text ---- */

/* Times side by side differ in later digits than the third. */
static void add_time(LpBuf *out, int width, double seconds) {
    char text[TEXT];
    double size = seconds < 0 ? -seconds : seconds;
    bool zero = !(size > 0);
    double unit = size >= 1 || zero ? 1 : size >= 1e-3 ? 1e3 : size >= 1e-6 ? 1e6 : 1e9;
    const char *name = size >= 1 || zero ? "s" : size >= 1e-3 ? "ms" : size >= 1e-6 ? "us" : "ns";
    snprintf(text, sizeof text, "%.6g %s", seconds * unit, name);
    lp_buf_addf(out, "  %*s", width, text);
}

static void add_row_text(const LpTurns *t, const Row *row, LpBuf *out) {
    const LpTurnResult *r = &row->result;
    lp_buf_add(out, "  ");
    add_time(out, 10, row->delay);
    lp_buf_addf(out, "  %-11s", lp_turn_orders_name(row->orders));
    add_time(out, 12, r->time);
    add_time(out, 12, r->time - t->light.time);
    lp_buf_addf(out, "  %7" PRIu32 "  %6" PRIu32 "  %6" PRIu32 "\n", r->exposed, r->turns,
                r->waiting);
}

static void add_transfer_text(const LpTurnTransfer *transfer, LpBuf *out) {
    char circuit[TEXT];
    snprintf(circuit, sizeof circuit, "%s %" PRIu32, circuit_name(transfer), transfer->place);
    lp_buf_addf(out, "  %4" PRIu32 "  %-10s %-8s %4" PRIu32, transfer->step, circuit,
                lp_turn_kind_name(transfer->kind), transfer->number);
    add_time(out, 11, transfer->ready);
    if (transfer->turned) {
        add_time(out, 11, transfer->ordered);
        add_time(out, 11, transfer->lit);
    } else {
        lp_buf_addf(out, "  %11s  %11s", "-", "-");
    }
    add_time(out, 11, transfer->start);
    add_time(out, 11, transfer->end);
    lp_buf_add(out, transfer->waits ? "  waits\n" : "\n");
}

static void add_transfers_text(LpTurns *t, const Row *row, LpBuf *out) {
    char delay[TEXT];
    lp_turn_run(t->plan, row->orders, row->delay);
    lp_buf_addf(out, "\n%s, delay %s:\n  %4s  %-10s %-8s %4s  %11s  %11s  %11s  %11s  %11s\n",
                lp_turn_orders_name(row->orders),
                lp_quantity_print(row->delay, LP_DIM_TIME, delay, sizeof delay), "step", "circuit",
                "for", "no.", "ready", "ordered", "lit", "from", "to");
    for (uint32_t id = 0; id < lp_turn_nodes(t->plan); id++) {
        LpTurnTransfer transfer = lp_turn_transfer(t->plan, id);
        if (transfer.kind != LP_TURN_TASK)
            add_transfer_text(&transfer, out);
    }
}

void lp_turns_text(LpTurns *t, bool each, LpBuf *out) {
    lp_buf_addf(out, "  %12s  %-11s  %12s  %12s  %7s  %6s  %6s\n", "delay", "orders", "time",
                "exposed time", "exposed", "turns", "wait");
    for (uint32_t i = 0; i < t->rows; i++)
        add_row_text(t, &t->row[i], out);
    for (uint32_t i = 0; each && i < t->rows; i++)
        add_transfers_text(t, &t->row[i], out);
}

void lp_turns_corners(const LpTurns *t, LpBuf *out) {
    for (int orders = 0; orders < LP_TURN_ORDERS_COUNT; orders++) {
        const Curve *curve = &t->curve[orders];
        lp_buf_addf(out, "%-11s ", lp_turn_orders_name((LpTurnOrders)orders));
        for (uint32_t i = 0; i < curve->pieces; i++) {
            char from[TEXT];
            lp_quantity_print(curve->piece[i].delay, LP_DIM_TIME, from, sizeof from);
            lp_buf_addf(out, " %s%s %" PRIu32, i > 0 ? "from " : "", i > 0 ? from : "slope",
                        curve->piece[i].slope);
            lp_buf_add(out, i + 1 < curve->pieces ? "," : "");
        }
        lp_buf_add(out, "\n");
    }
}
