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

/* How many items of a row are tried, one by one, for whether they need a word. */
enum { TRIMMED = 16 };

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

/* ---- why not ---- */

/* Does `op` need, directly or not, what `before` makes? Ops as a partition counts them; room: one
 * number for each, and `looked` is all false. */
static bool needs(const LpPartition *p, uint32_t op, uint32_t before, uint32_t *room,
                  bool *looked) {
    uint32_t count = 1;
    room[0] = op;
    looked[op] = true;
    while (count > 0) {
        op = room[--count];
        if (op == before)
            return true;
        for (uint32_t i = p->pred_begin[op]; i < p->pred_begin[op + 1]; i++) {
            uint32_t from = p->link[p->pred[i]].src;
            if (!looked[from])
                room[count++] = from;
            looked[from] = true;
        }
    }
    return false;
}

static uint32_t index_of(const LpPartition *p, uint32_t number, bool back) {
    return p->graph->by_number[number] + (back ? p->graph->ops : 0);
}

static LpErr refuse(const Carry *c, Key first, Key second, const char *why) {
    char a[48], b[48];
    print_key(first, a, sizeof a);
    print_key(second, b, sizeof b);
    return lp_fail(c->diag, LP_EREFUSED, "%s cannot go before %s: %s", a, b, why);
}

static LpErr check_needs(const Carry *c, const LpPartition *p, Key first, Key second) {
    bool *looked = lp_alloc(p->ops, sizeof *looked);
    uint32_t *room = lp_alloc(p->ops, sizeof *room);
    LpErr err = LP_OK;
    if (looked == NULL || room == NULL) {
        err = lp_fail_memory(c->diag, "an order by hand");
    } else {
        memset(looked, 0, p->ops * sizeof *looked);
        uint32_t made = second.to > 0 ? index_of(p, second.to, second.to_back)
                                      : index_of(p, second.op, second.back);
        if (needs(p, index_of(p, first.op, first.back), made, room, looked))
            err = refuse(c, first, second, "it needs its result");
    }
    lp_free(room);
    lp_free(looked);
    return err;
}

/* ---- what goes first ---- */

/* An order that is looked for, and what is tried for it. */
typedef struct Search {
    const Keys *row; /* as it shall be */
    uint32_t named;  /* the row up to what is changed, or was chosen before */
    Keys goal;       /* how the row shall begin */
    Keys elsewhere;  /* chosen before, in other rows */
    Keys list;       /* what goes first */
    Keys order;      /* the row that came of it */
} Search;

static void close_search(Search *s) {
    lp_free(s->goal.item);
    lp_free(s->elsewhere.item);
    lp_free(s->list.item);
    lp_free(s->order.item);
}

static LpErr copy_keys(Keys *to, const Key *from, uint32_t count, LpDiag *diag) {
    to->count = 0;
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(push(to, from[i], diag));
    return LP_OK;
}

static LpErr open_search(const Carry *c, const Keys *row, uint32_t upto, Search *out) {
    Keys before = {0};
    *out = (Search){.row = row};
    LpErr err = read_first(c, &before);
    for (uint32_t i = 0; err == LP_OK && i < before.count; i++) {
        int at = find_key(row, before.item[i]);
        if (at < 0)
            err = push(&out->elsewhere, before.item[i], c->diag);
        upto = at > (int)upto ? (uint32_t)at : upto;
    }
    out->named = upto + 1;
    if (err == LP_OK)
        err = copy_keys(&out->goal, row->item, out->named, c->diag);
    lp_free(before.item);
    return err;
}

static bool found(const Search *s) {
    for (uint32_t i = 0; i < s->goal.count; i++)
        if (i == s->order.count || !same_key(s->order.item[i], s->goal.item[i]))
            return false;
    return true;
}

/* The end of the row's named part and what was chosen elsewhere go first. */
static LpErr try_end(const Carry *c, Search *s, uint32_t length) {
    LP_TRY(copy_keys(&s->list, &s->row->item[s->named - length], length, c->diag));
    for (uint32_t i = 0; i < s->elsewhere.count; i++)
        LP_TRY(push(&s->list, s->elsewhere.item[i], c->diag));
    return try_first(c, &s->list, &s->order, NULL);
}

/* Takes those of the first items off the list that the order does not need. */
static LpErr trim(const Carry *c, Search *s) {
    uint32_t looked = 0, kept = 0;
    while (looked++ < TRIMMED && kept + s->elsewhere.count < s->list.count) {
        Key left = s->list.item[kept];
        Key *at = &s->list.item[kept];
        s->list.count--;
        memmove(at, at + 1, (s->list.count - kept) * sizeof *at);
        LP_TRY(try_first(c, &s->list, &s->order, NULL));
        if (found(s))
            continue;
        memmove(at + 1, at, (s->list.count - kept) * sizeof *at);
        *at = left;
        s->list.count++;
        kept++;
    }
    return LP_OK;
}

/* Names as little of the row as its order needs: the longer the row, the more would be simulated
 * if each item were tried by itself, so ends of 1, 2, 4 ... items are tried. */
static LpErr search(const Carry *c, Search *s, Key first, Key second) {
    uint32_t length = 1;
    LP_TRY(try_end(c, s, length));
    while (!found(s) && length < s->named) {
        length = 2 * length < s->named ? 2 * length : s->named;
        LP_TRY(try_end(c, s, length));
    }
    if (find_key(&s->order, first) > find_key(&s->order, second))
        return refuse(c, first, second, "it is not ready by then");
    if (!found(s))
        LP_TRY(copy_keys(&s->goal, s->order.item, s->order.count, c->diag));
    return trim(c, s);
}

/* ---- carrying ---- */

static LpErr find_bar(const Carry *c, const LpStepInspection *seen, Key key, uint32_t *at) {
    for (uint32_t r = 0; r < seen->rows; r++)
        for (uint32_t i = seen->row[r].first; is_row(c, &seen->row[r]) && i < seen->row[r].end; i++)
            if (same_key(key_of(&seen->bar[i], c->flows), key)) {
                *at = i;
                return LP_OK;
            }
    return lp_fail(c->diag, LP_EREFUSED, "it runs elsewhere now");
}

/* The words of what was found become the draft's. */
static LpErr settle(Carry *c, Search *s, Key moved, uint32_t *at) {
    LpStage stage = c->flows ? LP_STAGE_ORDER_FLOWS : LP_STAGE_ORDER_OPS;
    LpStepInspection seen;
    LP_TRY(try_first(c, &s->list, &s->order, &seen));
    LpErr err = find_bar(c, &seen, moved, at);
    if (err == LP_OK)
        (void)write_words(c, &s->list, c->draft->word[stage]);
    lp_step_inspection_fini(&seen);
    return err;
}

/* The one at `low` and the next one of the row change places. */
static LpErr carry(Carry *c, const LpPartition *p, Keys *row, uint32_t low, Key moved,
                   uint32_t *at) {
    Key first = row->item[low + 1], second = row->item[low];
    Search s;
    LP_TRY(check_needs(c, p, first, second));
    row->item[low] = first;
    row->item[low + 1] = second;
    LpErr err = open_search(c, row, low + 1, &s);
    if (err == LP_OK)
        err = search(c, &s, first, second);
    if (err == LP_OK)
        err = settle(c, &s, moved, at);
    close_search(&s);
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
                        (uint32_t)(later ? i : j), moved, at);
    }
    lp_free(row.item);
    return err;
}
