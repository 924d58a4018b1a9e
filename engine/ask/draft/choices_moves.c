/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of single moves: one op, or one flow, goes before all others, where that shortens the step.
 * Only what is ready and lets another one pass can gain by it: whatever never does so runs with or
 * without it at the same time. */
#include <stdio.h>
#include <stdlib.h>

#include "ask/draft/choices_impl.h"
#include "ask/inspect/inspect_step.h"
#include "base/mem.h"
#include "session/session_impl.h"
#include "sim/world.h"

enum {
    ROWS_MOST = 4,
    TRIED_MOST = 128,  /* simulations of the step, */
    BARS_MOST = 60000, /* and bars of all of them together */
};
static const double SHORTER = 0.01; /* share of the step that a move has to save */

typedef struct Move {
    uint32_t op, to; /* numbers; to 0: an op */
    bool back, to_back;
    bool critical;    /* on a longest path through the step */
    double waits;     /* s, its longest wait */
    double step_time; /* s, if it goes first */
    uint32_t at;      /* its first bar, which parts equals */
} Move;

typedef struct Moves {
    Move *item;
    uint32_t count;
    size_t cap;
} Moves;

static Move move_of(const LpStepBar *bar, bool flow) {
    Move move = {.op = bar->op,
                 .back = bar->backward,
                 .critical = bar->critical,
                 .waits = bar->start - bar->ready};
    if (flow) {
        move.to = bar->to;
        move.to_back = bar->to_backward;
    }
    return move;
}

static bool same_move(const Move *a, const Move *b) {
    return a->op == b->op && a->to == b->to && a->back == b->back && a->to_back == b->to_back;
}

/* Does the bar let another op of its row pass, or, of a flow, wait for its path? */
static bool lets_pass(const LpStepInspection *seen, const LpStepRow *row, uint32_t at) {
    const LpStepBar *bar = &seen->bar[at];
    bool flow = row->kind == LP_STEP_PAIR;
    if (!(bar->start > bar->ready))
        return false;
    if (flow)
        return true;
    for (uint32_t i = at; i-- > row->first && seen->bar[i].start >= bar->ready;)
        if (seen->bar[i].op != bar->op || seen->bar[i].backward != bar->backward)
            return true;
    return false;
}

static int by_name(const void *left, const void *right) {
    const Move *a = left, *b = right;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->back != b->back)
        return b->back ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->to_back != b->to_back)
        return b->to_back ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

/* Parts of an op, or of a flow, become one move, which waits as long as the longest of them. */
static void merge(Moves *moves) {
    uint32_t kept = 0;
    if (moves->count > 0)
        qsort(moves->item, moves->count, sizeof *moves->item, by_name);
    for (uint32_t i = 0; i < moves->count; i++) {
        Move *last = kept > 0 ? &moves->item[kept - 1] : NULL, *next = &moves->item[i];
        if (last == NULL || !same_move(last, next)) {
            moves->item[kept++] = *next;
            continue;
        }
        last->critical |= next->critical;
        last->waits = next->waits > last->waits ? next->waits : last->waits;
    }
    moves->count = kept;
}

static LpErr find_moves(const LpStepInspection *seen, bool flows, Moves *out, LpDiag *diag) {
    LpStepRowKind kind = flows ? LP_STEP_PAIR : LP_STEP_SERVER;
    for (uint32_t r = 0; r < seen->rows; r++) {
        const LpStepRow *row = &seen->row[r];
        for (uint32_t i = row->first; row->kind == kind && i < row->end; i++) {
            if (!lets_pass(seen, row, i))
                continue;
            size_t room = (size_t)out->count + 1;
            if (lp_grow((void **)&out->item, &out->cap, room, sizeof *out->item) != LP_OK)
                return lp_fail_memory(diag, "single moves");
            out->item[out->count] = move_of(&seen->bar[i], flows);
            out->item[out->count++].at = i;
        }
    }
    merge(out);
    return LP_OK;
}

/* Moves of a longest path come first, then the others, by how long they wait. */
static int by_promise(const void *left, const void *right) {
    const Move *a = left, *b = right;
    if (a->critical != b->critical)
        return a->critical ? -1 : 1;
    if (a->waits != b->waits)
        return a->waits > b->waits ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

static int by_step(const void *left, const void *right) {
    const Move *a = left, *b = right;
    if (a->step_time != b->step_time)
        return a->step_time < b->step_time ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

/* "5b", "9b-5b" */
static void print_move(const Move *move, char *out, size_t size) {
    int len = snprintf(out, size, "%u%s", move->op, move->back ? "b" : "");
    if (move->to > 0)
        snprintf(out + len, size - (size_t)len, "-%u%s", move->to, move->to_back ? "b" : "");
}

static void print_words(const Move *move, LpOrder rule, char out[LP_DRAFT_WORDS]) {
    char name[32];
    print_move(move, name, sizeof name);
    snprintf(out, LP_DRAFT_WORDS, "%s=%s:%s", move->to > 0 ? "order_flows" : "order_ops",
             lp_order_name(rule), name);
}

/* Works out the first `tried` moves and keeps, at the front and best first, the *good ones that
 * save enough. */
static LpErr price_moves(const LpChoosing *c, Moves *moves, LpOrder rule, uint32_t tried,
                         uint32_t *good) {
    *good = 0;
    for (uint32_t i = 0; i < tried; i++) {
        LpDraft draft = *c->draft;
        char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
        LpPrice price;
        print_words(&moves->item[i], rule, draft.word[c->stage]);
        LP_TRY(lp_draft_price(c->session, lp_draft_text(&draft, text), &price, c->diag));
        if (!price.possible || !(price.step_time <= c->base.step_time * (1 - SHORTER)))
            continue;
        Move kept = moves->item[i];
        kept.step_time = price.step_time;
        moves->item[(*good)++] = kept;
    }
    qsort(moves->item, *good, sizeof *moves->item, by_step);
    return LP_OK;
}

LpErr lp_choose_moves(LpChoosing *c) {
    const LpContext *context = lp_world_context(c->session->world, c->session->context);
    const LpForecast *f = &c->base.forecast;
    bool flows = c->stage == LP_STAGE_ORDER_FLOWS;
    uint32_t order = flows ? f->orders.flows : f->orders.ops, good = 0;
    LpStepInspection seen;
    Moves moves = {0};
    if (order >= LP_ORDER_COUNT || f->partition == LP_NO_INDEX || f->placement == LP_NO_INDEX)
        return LP_OK; /* beside a list of the policy's own a move says nothing */
    LpErr err = lp_step_inspect(context, f->partition, f->placement, f->orders, c->base.step_time,
                                &seen, c->diag);
    if (err != LP_OK)
        return err == LP_EREFUSED ? LP_OK : err;
    uint32_t tried = BARS_MOST / (seen.bars + 1);
    err = find_moves(&seen, flows, &moves, c->diag);
    tried = tried > TRIED_MOST ? TRIED_MOST : tried;
    tried = tried > moves.count ? moves.count : tried;
    if (err == LP_OK && moves.count > 0) {
        qsort(moves.item, moves.count, sizeof *moves.item, by_promise);
        err = price_moves(c, &moves, (LpOrder)order, tried, &good);
    }
    for (uint32_t i = 0; err == LP_OK && i < good && i < ROWS_MOST; i++) {
        char words[LP_DRAFT_WORDS], name[32], label[LP_CHOICE_LABEL];
        print_move(&moves.item[i], name, sizeof name);
        snprintf(label, sizeof label, "%s first", name);
        print_words(&moves.item[i], (LpOrder)order, words);
        err = lp_choose(c, label, flows ? "before all other flows" : "before all other ops", words);
    }
    lp_free(moves.item);
    lp_step_inspection_fini(&seen);
    return err;
}
