/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrying an op, or a flow, past its neighbour: the order that is seen, with the two changed, is
 * what goes first; what need not be named for that is taken off again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/draft/edit.h"
#include "base/mem.h"
#include "base/str.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* An op, or what goes from one to another. */
typedef struct Key {
    uint32_t op, to; /* numbers; to 0: an op */
    bool back, to_back;
} Key;

typedef struct Keys {
    Key *item;
    uint32_t count;
    size_t cap;
} Keys;

typedef struct Carry {
    LpSession *session;
    LpDraft *draft;
    bool flows;
    LpOrder rule;
    uint32_t server, to; /* of the row */
    LpDiag *diag;
} Carry;

static Key key_of(const LpStepBar *bar, bool flows) {
    return flows ? (Key){bar->op, bar->to, bar->backward, bar->to_backward}
                 : (Key){.op = bar->op, .back = bar->backward};
}

static bool same_key(Key a, Key b) {
    return a.op == b.op && a.to == b.to && a.back == b.back && a.to_back == b.to_back;
}

static int find_key(const Keys *keys, Key key) {
    for (uint32_t i = 0; i < keys->count; i++)
        if (same_key(keys->item[i], key))
            return (int)i;
    return -1;
}

static LpErr push(Keys *keys, Key key, LpDiag *diag) {
    if (lp_grow((void **)&keys->item, &keys->cap, (size_t)keys->count + 1, sizeof key) != LP_OK)
        return lp_fail_memory(diag, "an order by hand");
    keys->item[keys->count++] = key;
    return LP_OK;
}

/* "5b", "9b-5b" */
static int print_key(Key key, char *out, size_t size) {
    return key.to > 0 ? snprintf(out, size, "%u%s-%u%s", key.op, key.back ? "b" : "", key.to,
                                 key.to_back ? "b" : "")
                      : snprintf(out, size, "%u%s", key.op, key.back ? "b" : "");
}

/* ---- what was chosen before ---- */

static bool read_end(const char **at, uint32_t *op, bool *back) {
    char *end;
    *op = (uint32_t)strtoul(*at, &end, 10);
    if (end == *at)
        return false;
    *at = end;
    *back = **at == 'b';
    *at += *back;
    return true;
}

/* The list behind the colon of the draft's word; a part ("4.2") is its whole op from now on. */
static LpErr read_first(const Carry *c, Keys *first) {
    const char *words = c->draft->word[c->flows ? LP_STAGE_ORDER_FLOWS : LP_STAGE_ORDER_OPS];
    const char *at = strchr(words, ':');
    while (at != NULL) {
        Key key = {0};
        at++;
        if (!read_end(&at, &key.op, &key.back))
            return LP_OK;
        if (c->flows && (*at++ != '-' || !read_end(&at, &key.to, &key.to_back)))
            return LP_OK;
        LP_TRY(push(first, key, c->diag));
        at = strchr(at, ',');
    }
    return LP_OK;
}

/* ---- the order of a row ---- */

/* In order of their first bars. */
static LpErr list_row(const LpStepInspection *seen, uint32_t row, bool flows, Keys *out,
                      LpDiag *diag) {
    out->count = 0;
    for (uint32_t i = seen->row[row].first; i < seen->row[row].end; i++) {
        Key key = key_of(&seen->bar[i], flows);
        if (find_key(out, key) < 0)
            LP_TRY(push(out, key, diag));
    }
    return LP_OK;
}

static bool is_row(const Carry *c, const LpStepRow *row) {
    return row->kind == (c->flows ? LP_STEP_PAIR : LP_STEP_SERVER) && row->server == c->server &&
           (!c->flows || row->to == c->to);
}

/* The word for what goes first; false: it does not fit. */
static bool write_words(const Carry *c, const Keys *first, char out[LP_DRAFT_WORDS]) {
    int len = snprintf(out, LP_DRAFT_WORDS, "%s=%s", c->flows ? "order_flows" : "order_ops",
                       lp_order_name(c->rule));
    for (uint32_t i = 0; i < first->count; i++) {
        char item[48];
        int width = print_key(first->item[i], item, sizeof item);
        if (len + width + 2 > LP_DRAFT_WORDS)
            return false;
        len += snprintf(out + len, LP_DRAFT_WORDS - (size_t)len, "%s%s", i > 0 ? "," : ":", item);
    }
    return true;
}

/* The order of the row, if this went first. A draft that cannot be has none. */
static LpErr try_first(const Carry *c, const Keys *first, Keys *out, LpStepInspection *kept) {
    LpDraft draft = *c->draft;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LpStepInspection seen;
    LpPrice price;
    const LpContext *context = lp_world_context(c->session->world, c->session->context);
    LpStage stage = c->flows ? LP_STAGE_ORDER_FLOWS : LP_STAGE_ORDER_OPS;
    out->count = 0;
    if (!write_words(c, first, draft.word[stage]))
        return lp_fail(c->diag, LP_EREFUSED, "more is carried than a draft has words for");
    LP_TRY(lp_draft_price(c->session, lp_draft_text(&draft, text), &price, c->diag));
    if (!price.possible)
        return lp_fail(c->diag, LP_EREFUSED, "%s", price.why);
    const LpForecast *f = &price.forecast;
    LP_TRY(lp_step_inspect(context, f->partition, f->placement, f->orders, price.step_time, &seen,
                           c->diag));
    LpErr err = LP_OK;
    for (uint32_t r = 0; err == LP_OK && r < seen.rows; r++)
        if (is_row(c, &seen.row[r]))
            err = list_row(&seen, r, c->flows, out, c->diag);
    if (kept != NULL && err == LP_OK)
        *kept = seen;
    else
        lp_step_inspection_fini(&seen);
    return err;
}

static bool same_order(const Keys *a, const Keys *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_key(a->item[i], b->item[i]))
            return false;
    return true;
}

/* Takes off, from the front, what the order does not need. */
static LpErr trim(const Carry *c, Keys *first, const Keys *wanted) {
    Keys order = {0}, fewer = {0};
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < first->count;) {
        fewer.count = 0;
        for (uint32_t k = 0; err == LP_OK && k < first->count; k++)
            if (k != i)
                err = push(&fewer, first->item[k], c->diag);
        if (err == LP_OK)
            err = try_first(c, &fewer, &order, NULL);
        if (err == LP_OK && same_order(&order, wanted)) {
            memcpy(first->item, fewer.item, fewer.count * sizeof *first->item);
            first->count = fewer.count;
        } else {
            i++;
        }
    }
    lp_free(order.item);
    lp_free(fewer.item);
    return err;
}

/* ---- why not ---- */

/* Does `op` need, directly or not, what `before` makes? Ops as a partition counts them. */
static bool needs(const LpPartition *p, uint32_t op, uint32_t before, bool *looked) {
    looked[op] = true;
    for (uint32_t i = p->pred_begin[op]; i < p->pred_begin[op + 1]; i++) {
        uint32_t from = p->link[p->pred[i]].src;
        if (from == before || (!looked[from] && needs(p, from, before, looked)))
            return true;
    }
    return false;
}

static uint32_t index_of(const LpPartition *p, uint32_t number, bool back) {
    return p->graph->by_number[number] + (back ? p->graph->ops : 0);
}

static LpErr refuse(const Carry *c, const LpPartition *p, Key first, Key second) {
    char a[48], b[48];
    bool *looked = lp_alloc(p->ops, sizeof *looked);
    if (looked == NULL)
        return lp_fail_memory(c->diag, "an order by hand");
    memset(looked, 0, p->ops * sizeof *looked);
    uint32_t made = second.to > 0 ? index_of(p, second.to, second.to_back)
                                  : index_of(p, second.op, second.back);
    bool needed = needs(p, index_of(p, first.op, first.back), made, looked);
    lp_free(looked);
    print_key(first, a, sizeof a);
    print_key(second, b, sizeof b);
    return lp_fail(c->diag, LP_EREFUSED,
                   needed ? "%s cannot go before %s: it needs its result"
                          : "%s cannot go before %s: it is not ready by then",
                   a, b);
}

/* ---- carrying ---- */

/* What goes first so that the row has this order: the row up to what is changed or was chosen, and
 * what was chosen elsewhere. */
static LpErr plan_first(const Carry *c, const Keys *row, uint32_t upto, Keys *first) {
    Keys before = {0};
    LpErr err = read_first(c, &before);
    for (uint32_t i = 0; i < before.count; i++) {
        int at = find_key(row, before.item[i]);
        upto = at > (int)upto ? (uint32_t)at : upto;
    }
    for (uint32_t i = 0; err == LP_OK && i <= upto && i < row->count; i++)
        err = push(first, row->item[i], c->diag);
    for (uint32_t i = 0; err == LP_OK && i < before.count; i++)
        if (find_key(row, before.item[i]) < 0)
            err = push(first, before.item[i], c->diag);
    lp_free(before.item);
    return err;
}

static LpErr find_bar(const Carry *c, const LpStepInspection *seen, Key key, uint32_t *at) {
    for (uint32_t r = 0; r < seen->rows; r++)
        for (uint32_t i = seen->row[r].first; is_row(c, &seen->row[r]) && i < seen->row[r].end; i++)
            if (same_key(key_of(&seen->bar[i], c->flows), key)) {
                *at = i;
                return LP_OK;
            }
    return lp_fail(c->diag, LP_EREFUSED, "it runs elsewhere now");
}

/* `first` shall go before `second`, its neighbour in the row. */
static LpErr carry(Carry *c, const LpPartition *p, Keys *row, uint32_t i, uint32_t j, Key moved,
                   uint32_t *at) {
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    Key first = row->item[high], second = row->item[low];
    Keys list = {0}, order = {0};
    LpStepInspection seen;
    bool known = false;
    row->item[low] = first;
    row->item[high] = second;
    LpErr err = plan_first(c, row, high, &list);
    if (err == LP_OK)
        err = try_first(c, &list, &order, NULL);
    if (err == LP_OK && find_key(&order, first) > find_key(&order, second))
        err = refuse(c, p, first, second);
    if (err == LP_OK)
        err = trim(c, &list, &order);
    if (err == LP_OK)
        err = try_first(c, &list, &order, &seen);
    known = err == LP_OK;
    if (err == LP_OK)
        err = find_bar(c, &seen, moved, at);
    LpStage stage = c->flows ? LP_STAGE_ORDER_FLOWS : LP_STAGE_ORDER_OPS;
    if (err == LP_OK)
        (void)write_words(c, &list, c->draft->word[stage]);
    if (known)
        lp_step_inspection_fini(&seen);
    lp_free(list.item);
    lp_free(order.item);
    return err;
}

LpErr lp_draft_carry(LpSession *s, LpDraft *draft, const LpPrice *price,
                     const LpStepInspection *seen, uint32_t bar, bool later, uint32_t *at,
                     LpDiag *diag) {
    uint32_t r = 0;
    Keys row = {0};
    char name[48];
    while (r < seen->rows && !(bar >= seen->row[r].first && bar < seen->row[r].end))
        r++;
    if (r == seen->rows || seen->row[r].kind == LP_STEP_COLLECTIVES)
        return lp_fail(diag, LP_EREFUSED, "this is no op and no flow of one path");
    const LpStepRow *of = &seen->row[r];
    bool flows = of->kind == LP_STEP_PAIR;
    uint32_t order = flows ? price->forecast.orders.flows : price->forecast.orders.ops;
    Carry c = {.session = s,
               .draft = draft,
               .flows = flows,
               .rule = lp_store_rule(s->context->store, order),
               .server = of->server,
               .to = of->to,
               .diag = diag};
    Key moved = key_of(&seen->bar[bar], flows);
    LpErr err = list_row(seen, r, flows, &row, diag);
    if (err == LP_OK) {
        int i = find_key(&row, moved), j = later ? i + 1 : i - 1;
        print_key(moved, name, sizeof name);
        if (j < 0 || j >= (int)row.count)
            err = lp_fail(diag, LP_EREFUSED, "%s is the %s there", name, later ? "last" : "first");
        else
            err = carry(&c, lp_store_partition(s->context->store, price->forecast.partition), &row,
                        (uint32_t)i, (uint32_t)j, moved, at);
    }
    lp_free(row.item);
    return err;
}
