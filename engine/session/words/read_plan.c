/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads words KEY=VALUE by a table of keys. */
#include "session/words/read_plan.h"

#include <string.h>

#include "base/fact.h"
#include "base/num.h"
#include "base/str.h"
#include "sim/turns/turns_keys.h"

enum { WORD = 128, KEYS = 32 };

typedef enum Kind {
    WHOLE,
    COUNT,
    SWITCH,
    RECOMPUTE,
    ATTENTION,
    QUANTITY,
    DELAY,
    ORDERS,
    REDUCE,
    OVERLAP
} Kind;

typedef struct Key {
    const char *name;
    Kind kind;
    size_t offset;
    bool needed;
    LpDimension dimension; /* of a QUANTITY */
} Key;

typedef struct Reading {
    const char *option; /* for messages */
    const Key *key;
    size_t keys;
    char *target;
    uint32_t given; /* one bit per key */
    LpDiag *diag;
} Reading;

/* ---- values ---- */

static LpErr fail_value(const Reading *r, const Key *key, const char *value, const char *expected) {
    char shown[WORD];
    return lp_fail(r->diag, LP_EINVAL, "%s: %s is %s: expected %s", r->option, key->name,
                   lp_str_show(shown, sizeof shown, value), expected);
}

static LpErr read_whole(const Reading *r, const Key *key, const char *value) {
    uint64_t number;
    if (lp_num_parse_u64(value, &number, NULL) != LP_OK || number < 1 || number > LP_PARALLEL_SIZE)
        return fail_value(r, key, value, "a whole number from 1 to 16777216");
    *(uint32_t *)(void *)(r->target + key->offset) = (uint32_t)number;
    return LP_OK;
}

/* 0 is a number too. */
static LpErr read_count(const Reading *r, const Key *key, const char *value) {
    uint64_t number;
    if (lp_num_parse_u64(value, &number, NULL) != LP_OK || number > LP_PARALLEL_SIZE)
        return fail_value(r, key, value, "a whole number from 0 to 16777216");
    *(uint32_t *)(void *)(r->target + key->offset) = (uint32_t)number;
    return LP_OK;
}

static LpErr read_switch(const Reading *r, const Key *key, const char *value) {
    bool on = strcmp(value, "true") == 0;
    if (!on && strcmp(value, "false") != 0)
        return fail_value(r, key, value, "true or false");
    *(bool *)(void *)(r->target + key->offset) = on;
    return LP_OK;
}

static LpErr read_recompute(const Reading *r, const Key *key, const char *value) {
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++)
        if (strcmp(value, lp_recompute_name((LpRecompute)i)) == 0) {
            *(LpRecompute *)(void *)(r->target + key->offset) = (LpRecompute)i;
            return LP_OK;
        }
    return fail_value(r, key, value, "none, selective or full");
}

static LpErr read_attention(const Reading *r, const Key *key, const char *value) {
    for (int i = LP_ATTENTION_UNFUSED; i <= LP_ATTENTION_CAUSAL; i++)
        if (strcmp(value, lp_attention_name((LpAttention)i)) == 0) {
            *(LpAttention *)(void *)(r->target + key->offset) = (LpAttention)i;
            return LP_OK;
        }
    return fail_value(r, key, value, "unfused, fused or causal");
}

static LpErr read_quantity(const Reading *r, const Key *key, const char *value) {
    LpDiag inner;
    double number;
    if (lp_quantity_parse(value, key->dimension, &number, &inner) != LP_OK)
        return lp_fail(r->diag, LP_EINVAL, "%s: %s: %s", r->option, key->name, inner.text);
    *(double *)(void *)(r->target + key->offset) = number;
    return LP_OK;
}

static LpErr read_delay(const Reading *r, const Key *key, const char *value) {
    LpDiag inner;
    LpErr err = lp_turn_delay_read(value, (double *)(void *)(r->target + key->offset), &inner);
    return err == LP_OK ? LP_OK
                        : lp_fail(r->diag, err, "%s: %s is %s", r->option, key->name, inner.text);
}

static LpErr read_orders(const Reading *r, const Key *key, const char *value) {
    bool provisioned = strcmp(value, "true") == 0;
    if (!provisioned && strcmp(value, "false") != 0)
        return fail_value(r, key, value, "true or false");
    *(LpTurnOrders *)(void *)(r->target + key->offset) =
        provisioned ? LP_TURN_PROVISIONED : LP_TURN_DEMAND;
    return LP_OK;
}

static LpErr read_reduce(const Reading *r, const Key *key, const char *value) {
    static const char *const word[] = {
#define X(id, word) word,
        LP_TURN_REDUCE_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < LP_COUNTOF(word); i++)
        if (strcmp(value, word[i]) == 0) {
            *(LpTurnReduce *)(void *)(r->target + key->offset) = (LpTurnReduce)i;
            return LP_OK;
        }
    return fail_value(r, key, value, "none, bucket, flush or zero3");
}

static LpErr read_overlap(const Reading *r, const Key *key, const char *value) {
    bool full = strcmp(value, "full") == 0;
    if (!full && strcmp(value, "none") != 0)
        return fail_value(r, key, value, "none or full");
    *(bool *)(void *)(r->target + key->offset) = full;
    return LP_OK;
}

static LpErr read_value(const Reading *r, const Key *key, const char *value) {
    static LpErr (*const read[])(const Reading *, const Key *, const char *) = {
        [WHOLE] = read_whole,         [COUNT] = read_count,         [SWITCH] = read_switch,
        [RECOMPUTE] = read_recompute, [ATTENTION] = read_attention, [QUANTITY] = read_quantity,
        [DELAY] = read_delay,         [ORDERS] = read_orders,       [REDUCE] = read_reduce,
        [OVERLAP] = read_overlap,
    };
    return read[key->kind](r, key, value);
}

/* ---- words ---- */

static LpErr fail_key(const Reading *r, const char *name) {
    const char *names[KEYS];
    char shown[WORD];
    LpBuf all = {0};
    for (size_t i = 0; i < r->keys; i++) {
        names[i] = r->key[i].name;
        lp_buf_addf(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    int near = lp_str_nearest(name, names, r->keys);
    LpErr err =
        lp_fail(r->diag, LP_EINVAL, "%s: unknown key %s, %s%s", r->option,
                lp_str_show(shown, sizeof shown, name), near >= 0 ? "did you mean " : "expected ",
                near >= 0 ? names[near] : lp_buf_text(&all));
    lp_buf_fini(&all);
    return err;
}

static LpErr read_word(Reading *r, char *word) {
    char shown[WORD];
    char *equals = strchr(word, '=');
    if (equals == NULL)
        return lp_fail(r->diag, LP_EINVAL, "%s: %s: expected KEY=VALUE", r->option,
                       lp_str_show(shown, sizeof shown, word));
    *equals = '\0';
    for (size_t i = 0; i < r->keys; i++) {
        if (strcmp(word, r->key[i].name) != 0)
            continue;
        if ((r->given >> i & 1) != 0)
            return lp_fail(r->diag, LP_EINVAL, "%s: %s is given twice", r->option, word);
        r->given |= UINT32_C(1) << i;
        return read_value(r, &r->key[i], equals + 1);
    }
    return fail_key(r, word);
}

static LpErr read_words(Reading *r, const char *text) {
    static const char BETWEEN[] = " \t\n,";
    for (text += strspn(text, BETWEEN); *text != '\0'; text += strspn(text, BETWEEN)) {
        char word[WORD], shown[WORD];
        size_t len = strcspn(text, BETWEEN);
        lp_str_copy(word, len + 1 < sizeof word ? len + 1 : sizeof word, text);
        if (len >= sizeof word)
            return lp_fail(r->diag, LP_EINVAL, "%s: %s: a word is too long, expected KEY=VALUE",
                           r->option, lp_str_show(shown, sizeof shown, word));
        LP_TRY(read_word(r, word));
        text += len;
    }
    for (size_t i = 0; i < r->keys; i++)
        if (r->key[i].needed && (r->given >> i & 1) == 0)
            return lp_fail(r->diag, LP_EINVAL, "%s: %s is missing, expected %s=NUMBER", r->option,
                           r->key[i].name, r->key[i].name);
    return LP_OK;
}

/* ---- what is read ---- */

/* Kinds of the tables of keys. */
enum { KIND_NEEDED = WHOLE, KIND_WHOLE = WHOLE, KIND_COUNT = COUNT, KIND_SWITCH = SWITCH };
enum { KIND_RECOMPUTE = RECOMPUTE, KIND_ATTENTION = ATTENTION };
enum { MUST_NEEDED = true, MUST_WHOLE = false, MUST_COUNT = false, MUST_SWITCH = false };
enum { MUST_RECOMPUTE = false, MUST_ATTENTION = false };

LpErr lp_read_decoder(const char *text, const LpDecoder *base, LpDecoder *out, LpDiag *diag) {
    const Key keys[] = {
#define X(field, k)                                                                                \
    {.name = #field,                                                                               \
     .kind = (Kind)KIND_##k,                                                                       \
     .offset = offsetof(LpDecoder, field),                                                         \
     .needed = MUST_##k && base == NULL},
        LP_DECODER_KEYS(X)
#undef X
    };
    LpDecoder model = base != NULL ? *base : lp_decoder_default();
    Reading r = {.option = "--model",
                 .key = keys,
                 .keys = LP_COUNTOF(keys),
                 .target = (char *)&model,
                 .diag = diag};
    LP_TRY(read_words(&r, text != NULL ? text : ""));
    lp_decoder_settle(&model);
    *out = model;
    return LP_OK;
}

static const Key plan_keys[LP_PARALLEL_NUMBERS] = {
#define X(field, k, usual)                                                                         \
    {.name = #field,                                                                               \
     .kind = (Kind)KIND_##k,                                                                       \
     .offset = offsetof(LpParallel, field),                                                        \
     .needed = MUST_##k},
    LP_PARALLEL_KEYS(X)
#undef X
};

const char *lp_parallel_key(size_t i) {
    return plan_keys[i].name;
}

LpErr lp_read_parallel(const char *text, LpParallel *out, LpDiag *diag) {
    LpParallel plan = lp_parallel_default();
    Reading r = {.option = "--parallel",
                 .key = plan_keys,
                 .keys = LP_COUNTOF(plan_keys),
                 .target = (char *)&plan,
                 .diag = diag};
    LP_TRY(read_words(&r, text));
    *out = plan;
    return LP_OK;
}

LpErr lp_read_parallel_change(const char *option, const char *text, LpParallel *plan,
                              LpDiag *diag) {
    LpParallel changed = *plan;
    Key keys[LP_COUNTOF(plan_keys)];
    Reading r = {.option = option,
                 .key = keys,
                 .keys = LP_COUNTOF(keys),
                 .target = (char *)&changed,
                 .diag = diag};
    for (size_t i = 0; i < LP_COUNTOF(keys); i++) {
        keys[i] = plan_keys[i];
        keys[i].needed = false;
    }
    LP_TRY(read_words(&r, text));
    *plan = changed;
    return LP_OK;
}

/* Numbers that a key does not bound by itself. */
static LpErr check_rails(const LpRails *rails, bool rate_given, LpDiag *diag) {
    char shown[LP_NUM_TEXT];
    if (rails->ports > 2)
        return lp_fail(diag, LP_EINVAL, "--rails: ports is %u: expected 1 or 2",
                       (unsigned)rails->ports);
    if (rate_given && !(rails->rate > 0))
        return lp_fail(diag, LP_EINVAL, "--rails: rate is %s B/s: expected more than 0",
                       lp_num_print(rails->rate, shown));
    return LP_OK;
}

LpErr lp_read_rails(const char *text, LpRails *out, LpDiag *diag) {
    enum { RATE = 1 };
    static const Key keys[] = {
        {.name = "delay", .kind = DELAY, .offset = offsetof(LpRails, delay), .needed = true},
        [RATE] = {.name = "rate",
                  .kind = QUANTITY,
                  .offset = offsetof(LpRails, rate),
                  .dimension = LP_DIM_BANDWIDTH},
        {.name = "provisioned", .kind = ORDERS, .offset = offsetof(LpRails, orders)},
        {.name = "ports", .kind = WHOLE, .offset = offsetof(LpRails, ports)},
        {.name = "serial", .kind = SWITCH, .offset = offsetof(LpRails, serial)},
        {.name = "reduce", .kind = REDUCE, .offset = offsetof(LpRails, reduce)},
        {.name = "parts", .kind = WHOLE, .offset = offsetof(LpRails, parts)},
        {.name = "overlap", .kind = OVERLAP, .offset = offsetof(LpRails, overlap)},
        {.name = "both_ways", .kind = SWITCH, .offset = offsetof(LpRails, both_ways)},
        {.name = "notice", .kind = DELAY, .offset = offsetof(LpRails, notice)},
        {.name = "order_cost", .kind = DELAY, .offset = offsetof(LpRails, order_cost)},
    };
    LpRails rails = {.ports = 1, .reduce = LP_TURN_REDUCE_BUCKET};
    Reading r = {.option = "--rails",
                 .key = keys,
                 .keys = LP_COUNTOF(keys),
                 .target = (char *)&rails,
                 .diag = diag};
    LP_TRY(read_words(&r, text));
    LP_TRY(check_rails(&rails, (r.given >> RATE & 1) != 0, diag));
    *out = rails;
    return LP_OK;
}

LpErr lp_read_machine(const char *text, LpMachine *machine, LpDiag *diag) {
    const LpFact *field = lp_machine_facts.fact;
    size_t count = lp_machine_facts.facts;
    Key keys[KEYS];
    LpMachine changed = *machine;
    LpDiag inner;
    for (size_t i = 0; i < count; i++)
        keys[i] = (Key){.name = field[i].key,
                        .kind = QUANTITY,
                        .offset = field[i].member.offset,
                        .dimension = field[i].dimension};
    Reading r = {.option = "--machine",
                 .key = keys,
                 .keys = count,
                 .target = (char *)&changed,
                 .diag = diag};
    LP_TRY(read_words(&r, text));
    if (lp_machine_check(&changed, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "--machine: %s", inner.text);
    *machine = changed;
    return LP_OK;
}
