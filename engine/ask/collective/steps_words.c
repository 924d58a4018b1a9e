/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a collective in steps. */
#include "ask/collective/steps_words.h"

#include <string.h>

#include "base/str.h"

typedef struct Raw {
    uint32_t algorithm, op, order, servers, ports, fan, any;
    const char *base;
    double bytes, rate, start, hop, adds;
} Raw;

static const char *const TURN_WORDS[] = {"own", "any", NULL};

/* base=ring, torus:AxB or none. */
static LpErr read_base(const char *text, LpCollSpec *spec, LpDiag *diag) {
    static const char torus[] = "torus:";
    char side[2][16];
    const char *a = text + strlen(torus), *x;
    LpDiag ignored;
    spec->base = LP_COLL_BASE_RING;
    if (strcmp(text, "ring") == 0)
        return LP_OK;
    spec->base = LP_COLL_BASE_NONE;
    if (strcmp(text, "none") == 0)
        return LP_OK;
    spec->base = LP_COLL_BASE_TORUS;
    if (strncmp(text, torus, strlen(torus)) != 0 || (x = strchr(a, 'x')) == NULL ||
        (size_t)(x - a) >= sizeof side[0] || strlen(x + 1) >= sizeof side[1])
        return lp_coll_words_fail(diag, "base", text, "expected ring, torus:AxB or none");
    memcpy(side[0], a, (size_t)(x - a));
    side[0][x - a] = '\0';
    lp_str_copy(side[1], sizeof side[1], x + 1);
    for (int i = 0; i < 2; i++)
        if (lp_coll_words_count("base", side[i], 2, LP_COLL_SERVERS_MAX, &spec->side[i],
                                &ignored) != LP_OK)
            return lp_coll_words_fail(
                diag, "base", text, "expected ring, torus:AxB with sides from 2 to 1024, or none");
    return LP_OK;
}

LpErr lp_coll_steps_read(const LpCollWords *words, LpCollSpec *out, LpDiag *diag) {
#define TO(member) offsetof(Raw, member)
    const LpCollKey keys[] = {
        {"algorithm", LP_COLL_WORD, true, TO(algorithm), 0, 0, lp_coll_algorithm_words()},
        {"op", LP_COLL_WORD, false, TO(op), 0, 0, lp_coll_op_words()},
        {"servers", LP_COLL_COUNT, true, TO(servers), 2, LP_COLL_SERVERS_MAX, NULL},
        {"bytes", LP_COLL_BYTES, true, TO(bytes), 0, 0, NULL},
        {"rate", LP_COLL_RATE, true, TO(rate), 0, 0, NULL},
        {"ports", LP_COLL_COUNT, false, TO(ports), 1, LP_COLL_PORTS_MAX, NULL},
        {"start", LP_COLL_TIME, false, TO(start), 0, 0, NULL},
        {"hop", LP_COLL_TIME, false, TO(hop), 0, 0, NULL},
        {"adds", LP_COLL_RATE, false, TO(adds), 0, 0, NULL},
        {"base", LP_COLL_TEXT, false, TO(base), 0, 0, NULL},
        {"order", LP_COLL_WORD, false, TO(order), 0, 0, lp_coll_order_words()},
        {"fan", LP_COLL_COUNT, false, TO(fan), 1, LP_COLL_PORTS_MAX, NULL},
        {"turn", LP_COLL_WORD, false, TO(any), 0, 0, TURN_WORDS},
    };
#undef TO
    Raw raw = {.op = LP_COLL_OPS, .ports = 2, .fan = 1, .base = "ring"};
    LP_TRY(lp_coll_words_read(words, keys, LP_COUNTOF(keys), &raw, diag));
    LpCollAlgorithm algorithm = (LpCollAlgorithm)raw.algorithm;
    LpCollSpec spec = {.algorithm = algorithm,
                       .op = raw.op == LP_COLL_OPS ? lp_coll_first_op(algorithm) : (LpCollOp)raw.op,
                       .order = (LpCollOrder)raw.order,
                       .servers = raw.servers,
                       .ports = raw.ports,
                       .fan = raw.fan,
                       .any = raw.any == 1,
                       .bytes = raw.bytes,
                       .rate = raw.rate,
                       .start = raw.start,
                       .hop = raw.hop,
                       .adds = raw.adds};
    LP_TRY(read_base(raw.base, &spec, diag));
    LP_TRY(lp_coll_check(&spec, diag));
    *out = spec;
    return LP_OK;
}
