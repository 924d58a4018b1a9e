/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a collective on circuits may be. */
#include "model/collective/coll.h"

#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

typedef struct Algorithm {
    const char *word;
    uint32_t most;
    LpCollOp first;
    unsigned ops;
} Algorithm;

static const Algorithm ALGORITHMS[] = {
#define X(id, word, most, first, ops) {word, most, LP_COLL_##first, ops},
    LP_COLL_ALGORITHM_TABLE(X)
#undef X
};

static const char *const ALGORITHM_WORDS[] = {
#define X(id, word, most, first, ops) word,
    LP_COLL_ALGORITHM_TABLE(X)
#undef X
        NULL};

static const char *const OP_WORDS[] = {"all_reduce", "reduce_scatter", "all_gather", "all_to_all",
                                       NULL};
static const char *const ORDER_WORDS[] = {"near", "far", "swing", NULL};

const char *const *lp_coll_algorithm_words(void) {
    return ALGORITHM_WORDS;
}

const char *const *lp_coll_op_words(void) {
    return OP_WORDS;
}

const char *const *lp_coll_order_words(void) {
    return ORDER_WORDS;
}

LpCollOp lp_coll_first_op(LpCollAlgorithm algorithm) {
    return ALGORITHMS[algorithm].first;
}

/* ---- what fits ---- */

/* "a, b, c": the words whose bits are set. */
static void add_words(LpBuf *out, const char *const *word, unsigned bits) {
    const char *comma = "";
    for (unsigned i = 0; word[i] != NULL; i++)
        if (bits >> i & 1) {
            lp_buf_addf(out, "%s%s", comma, word[i]);
            comma = ", ";
        }
}

static LpErr fail_words(LpDiag *diag, const char *what, const char *const *word, unsigned bits) {
    LpBuf words = {0};
    add_words(&words, word, bits);
    LpErr err = lp_fail(diag, LP_EINVAL, "%s %s", what, lp_buf_text(&words));
    lp_buf_fini(&words);
    return err;
}

static unsigned orders_of(const LpCollSpec *spec) {
    switch (spec->algorithm) {
    case LP_COLL_HALVING:
    case LP_COLL_DOUBLING:
        return 1 << LP_COLL_NEAR | 1 << LP_COLL_FAR | 1 << LP_COLL_SWING;
    case LP_COLL_BRUCK:
    case LP_COLL_TERNARY:
        return spec->op == LP_COLL_ALL_TO_ALL ? 1 << LP_COLL_NEAR | 1 << LP_COLL_FAR
                                              : 1 << LP_COLL_NEAR;
    default:
        return 1 << LP_COLL_NEAR;
    }
}

static LpErr check_words(const LpCollSpec *spec, LpDiag *diag) {
    const Algorithm *algorithm = &ALGORITHMS[spec->algorithm];
    char what[LP_DIAG_TEXT];
    if (!(algorithm->ops >> spec->op & 1)) {
        snprintf(what, sizeof what, "op=%s: %s does", OP_WORDS[spec->op], algorithm->word);
        return fail_words(diag, what, OP_WORDS, algorithm->ops);
    }
    if (!(orders_of(spec) >> spec->order & 1)) {
        snprintf(what, sizeof what, "order=%s: %s for %s goes", ORDER_WORDS[spec->order],
                 algorithm->word, OP_WORDS[spec->op]);
        return fail_words(diag, what, ORDER_WORDS, orders_of(spec));
    }
    return LP_OK;
}

static LpErr check_servers(const LpCollSpec *spec, LpDiag *diag) {
    const Algorithm *algorithm = &ALGORITHMS[spec->algorithm];
    uint32_t n = spec->servers, low = 2;
    if (n < 2 || n > algorithm->most)
        return lp_fail(diag, LP_EINVAL, "servers=%u: expected a whole number from 2 to %u with %s",
                       (unsigned)n, (unsigned)algorithm->most, algorithm->word);
    if ((spec->algorithm == LP_COLL_HALVING || spec->algorithm == LP_COLL_DOUBLING) &&
        (n & (n - 1)) != 0) {
        while (2 * low < n)
            low *= 2;
        return lp_fail(diag, LP_EINVAL, "servers=%u: %s needs a power of two, such as %u or %u",
                       (unsigned)n, algorithm->word, (unsigned)low, (unsigned)low * 2);
    }
    return LP_OK;
}

static LpErr check_ports(const LpCollSpec *spec, LpDiag *diag) {
    unsigned ports = spec->ports, fan = spec->fan;
    if (ports < 1 || ports > LP_COLL_PORTS_MAX)
        return lp_fail(diag, LP_EINVAL, "ports=%u: expected a whole number from 1 to %d", ports,
                       (int)LP_COLL_PORTS_MAX);
    if (fan != 1 && spec->algorithm != LP_COLL_ROTATIONS)
        return lp_fail(diag, LP_EINVAL,
                       "fan=%u: only rotations have more than one partner at a time", fan);
    if (fan < 1 || ports % fan != 0)
        return lp_fail(diag, LP_EINVAL, "fan=%u: does not divide the %u ports", fan, ports);
    if (spec->algorithm == LP_COLL_TERNARY && ports % 2 != 0)
        return lp_fail(diag, LP_EINVAL,
                       "ports=%u: ternary sends both ways and needs an even number", ports);
    return LP_OK;
}

static LpErr check_base(const LpCollSpec *spec, LpDiag *diag) {
    unsigned ports = spec->ports, n = spec->servers, a = spec->side[0], b = spec->side[1];
    if (spec->base == LP_COLL_BASE_RING && ports > 1 && ports % 2 != 0)
        return lp_fail(diag, LP_EINVAL, "ports=%u: a ring needs 1 port or an even number", ports);
    if (spec->base == LP_COLL_BASE_NONE && spec->algorithm == LP_COLL_DIRECT &&
        ports % (n - 1) != 0)
        return lp_fail(diag, LP_EINVAL,
                       "base=none: nothing is lit, and direct has %u partners for %u ports", n - 1,
                       ports);
    if (spec->base != LP_COLL_BASE_TORUS)
        return LP_OK;
    if (a < 2 || b < 2)
        return lp_fail(diag, LP_EINVAL, "base=torus:%ux%u: expected sides of 2 or more", a, b);
    if ((uint64_t)a * b != n)
        return lp_fail(diag, LP_EINVAL, "base=torus:%ux%u: %u x %u are %llu servers, not %u", a, b,
                       a, b, (unsigned long long)a * b, n);
    if (ports % 4 != 0)
        return lp_fail(diag, LP_EINVAL, "ports=%u: a torus needs a multiple of 4", ports);
    return LP_OK;
}

static bool is_amount(double value) {
    return value >= 0 && value <= 1e300;
}

LpErr lp_coll_check(const LpCollSpec *spec, LpDiag *diag) {
    if (!is_amount(spec->bytes) || !is_amount(spec->rate) || !is_amount(spec->start) ||
        !is_amount(spec->hop) || !is_amount(spec->adds) || !(spec->bytes > 0) || !(spec->rate > 0))
        return lp_fail(diag, LP_EINVAL,
                       "bytes and rate: expected more than 0; start, hop and adds: 0 or more");
    LP_TRY(check_words(spec, diag));
    LP_TRY(check_servers(spec, diag));
    LP_TRY(check_ports(spec, diag));
    return check_base(spec, diag);
}

double lp_coll_bound(const LpCollSpec *spec) {
    double n = spec->servers, must = (n - 1) * spec->bytes;
    if (spec->op != LP_COLL_ALL_TO_ALL)
        must = (spec->op == LP_COLL_ALL_REDUCE ? 2 : 1) * spec->bytes * (n - 1) / n;
    return spec->start + spec->hop + must / (spec->ports * spec->rate);
}
