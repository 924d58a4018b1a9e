/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario keys "cluster.rails" and "cluster.region": circuits that turn inside the steps of
 * graphs with plans. docs/turning-light.md, sections 11 and 12. */
#include "io/scenario/loader.h"
#include "sim/turns/turns_keys.h"

#define X(id, word) word,
static const char *const reduce_words[] = {LP_TURN_REDUCE_TABLE(X) NULL};
#undef X
static const char *const overlap_words[] = {"none", "full", NULL};
static const char *const demand_words[] = {"gate", "last", NULL};
static const char *const turn_words[] = {"layer", "all_to_all", NULL};

static const LpJsonShape *const text_or_number[] = {&lp_shape_text, &lp_shape_number, NULL};
static const LpJsonShape delay_shape = {.form = LP_FORM_ONE_OF, .of = text_or_number};

/* What both forms have: as they are read. */
typedef struct Turns {
    double delay, notice, order_cost, rate;
    bool provisioned, serial, both_ways;
    uint32_t ports, parts;
    int reduce, overlap, demand, turn;
} Turns;

/* A time, or the name of a preset of switches. */
static LpErr read_delay(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpJsonRange range = {.dim = LP_DIM_TIME, .max = LP_TURN_LONGEST};
    Turns *turns = target;
    LpDiag inner;
    (void)context;
    if (lp_json_kind(value) != LP_JSON_TEXT)
        return lp_json_quantity(value, &range, &turns->delay, diag);
    if (lp_turn_delay_read(lp_json_text(value), &turns->delay, &inner) != LP_OK)
        return lp_json_fail(value, diag, inner.code, "\"delay\" is %s", inner.text);
    return LP_OK;
}

#define DELAY                                                                                      \
    {                                                                                              \
        .name = "delay", .type = LP_KEY_CUSTOM, .read = read_delay, .shape = &delay_shape,         \
        .required = true                                                                           \
    }
#define TIME(key) LP_QUANTITY(#key, Turns, key, .dim = LP_DIM_TIME, .max = LP_TURN_LONGEST)
#define WORD(key, list)                                                                            \
    { LP_FIELD(#key, LP_KEY_WORD, Turns, key), .words = list }
#define FLAG(key)                                                                                  \
    { LP_FIELD(#key, LP_KEY_FLAG, Turns, key) }

static const LpJsonKey rails_keys[] = {
    DELAY,
    FLAG(provisioned),
    LP_COUNTED("ports", Turns, ports, 1, 2),
    FLAG(serial),
    WORD(reduce, reduce_words),
    LP_COUNTED("parts", Turns, parts, 1, LP_TURN_NODES_MAX),
    WORD(overlap, overlap_words),
    FLAG(both_ways),
    TIME(notice),
    TIME(order_cost),
    LP_QUANTITY("rate", Turns, rate, .dim = LP_DIM_BANDWIDTH, .above = true, .max = 1e18),
};

static const LpJsonKey region_keys[] = {
    DELAY, FLAG(provisioned), WORD(demand, demand_words), WORD(turn, turn_words), TIME(order_cost),
};

const LpJsonShape lp_shape_rails = LP_OBJECT_SHAPE(rails_keys);
const LpJsonShape lp_shape_region = LP_OBJECT_SHAPE(region_keys);

/* Both would stand in one step. */
static LpErr check_alone(LpJsonValue value, const LpScenario *scenario, LpDiag *diag) {
    if (scenario->turning.form == LP_TURNING_NONE)
        return LP_OK;
    return lp_json_fail_key(value, diag, LP_EINVAL,
                            "\"rails\" and \"region\" stand in one cluster, expected one of them");
}

static LpTurnOrders orders_of(const Turns *t) {
    return t->provisioned ? LP_TURN_PROVISIONED : LP_TURN_DEMAND;
}

LpErr lp_load_rails(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    Turns t = {.ports = 1, .reduce = LP_TURN_REDUCE_BUCKET};
    (void)target;
    LP_TRY(check_alone(value, loader->scenario, diag));
    LP_TRY(lp_json_read(value, rails_keys, LP_COUNTOF(rails_keys), &t, NULL, NULL, diag));
    loader->scenario->turning = (LpTurning){.form = LP_TURNING_RAILS,
                                            .rails = {.delay = t.delay,
                                                      .orders = orders_of(&t),
                                                      .ports = t.ports,
                                                      .parts = t.parts,
                                                      .serial = t.serial,
                                                      .overlap = t.overlap == 1,
                                                      .both_ways = t.both_ways,
                                                      .reduce = (LpTurnReduce)t.reduce,
                                                      .notice = t.notice,
                                                      .order_cost = t.order_cost,
                                                      .rate = t.rate}};
    return LP_OK;
}

LpErr lp_load_region(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    Turns t = {0};
    (void)target;
    LP_TRY(check_alone(value, loader->scenario, diag));
    LP_TRY(lp_json_read(value, region_keys, LP_COUNTOF(region_keys), &t, NULL, NULL, diag));
    loader->scenario->turning = (LpTurning){.form = LP_TURNING_REGION,
                                            .region = {.delay = t.delay,
                                                       .orders = orders_of(&t),
                                                       .last = t.demand == 1,
                                                       .each = t.turn == 1,
                                                       .order_cost = t.order_cost}};
    return LP_OK;
}
