/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks the tables of keys that a scenario was read by, and reads its numbers back. */
#include "io/scenario/numbers.h"

#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"
#include "model/fabric/fabric.h"
#include "model/split/split.h"
#include "sim/turns/turns.h"

typedef struct List {
    LpScenarioNumber *out;
    size_t count;
} List;

/* What the keys of a table belong to: "cluster.ramp", where their fields are. */
typedef struct Place {
    const char *path;
    LpNumberOf of;
    const void *base;
} Place;

static void add(List *list, const LpScenarioNumber *number) {
    if (list->count < LP_SCENARIO_NUMBERS && (number->value > 0 || number->flag))
        list->out[list->count++] = *number;
}

/* False for a key that is no number. */
static bool read_value(const LpJsonKey *key, const void *base, double *out) {
    const char *at = (const char *)base + key->offset;
    uint32_t count;
    uint64_t count64;
    switch (key->type) {
    case LP_KEY_QUANTITY:
        memcpy(out, at, sizeof *out);
        return true;
    case LP_KEY_COUNT:
        memcpy(&count, at, sizeof count);
        *out = count;
        return true;
    case LP_KEY_COUNT64:
        memcpy(&count64, at, sizeof count64);
        *out = (double)count64;
        return true;
    default:
        return false;
    }
}

static void add_table(List *list, const LpJsonShape *shape, const Place *place) {
    for (size_t i = 0; i < shape->count; i++) {
        const LpJsonKey *key = &shape->keys[i];
        const LpJsonRange *range = &key->range;
        LpScenarioNumber number = {.key = key->name,
                                   .of = place->of,
                                   .dim = range->dim,
                                   .whole = range->whole || key->type != LP_KEY_QUANTITY,
                                   .min = range->min,
                                   .max = range->max,
                                   .above = range->above};
        if (!read_value(key, place->base, &number.value))
            continue;
        snprintf(number.path, sizeof number.path, "%s.%s", place->path, key->name);
        add(list, &number);
    }
}

/* ---- distributions ---- */

typedef struct Drawn {
    const char *path, *key;
    LpDimension dim;
} Drawn;

static void add_bound(List *list, const Drawn *drawn, const char *part, double value) {
    LpScenarioNumber number = {.key = drawn->key,
                               .part = part,
                               .of = LP_NUMBER_JOBS,
                               .dim = drawn->dim,
                               .value = value,
                               .above = true};
    snprintf(number.path, sizeof number.path, part != NULL ? "%s.uniform.%s" : "%s", drawn->path,
             part);
    add(list, &number);
}

static void add_dist(List *list, const LpDist *dist, const Drawn *drawn) {
    if (dist->kind == LP_DIST_FIXED) {
        add_bound(list, drawn, NULL, dist->value);
    } else if (dist->kind == LP_DIST_UNIFORM) {
        add_bound(list, drawn, "min", dist->min);
        add_bound(list, drawn, "max", dist->max);
    }
}

/* ---- a scenario ---- */

static void add_generator(List *list, const LpScenario *scenario) {
    static const Drawn drawn[] = {
        {"generator.interarrival", "interarrival", LP_DIM_TIME},
        {"generator.steps", "steps", LP_DIM_NONE},
        {"generator.max_jct_fraction", "max_jct_fraction", LP_DIM_NONE},
    };
    const LpGenerator *g = &scenario->generator;
    const LpDist *dist[] = {&g->interarrival, &g->steps, &g->max_jct_fraction};
    const Place place = {"generator", LP_NUMBER_JOBS, g};
    if (!scenario->has_generator)
        return;
    add_table(list, &lp_shape_generator, &place);
    for (size_t i = 0; i < LP_COUNTOF(drawn); i++)
        add_dist(list, dist[i], &drawn[i]);
}

static void add_fabric(List *list, const LpCluster *cluster) {
    const char *word = lp_fabric_ops(cluster->fabric)->name;
    char path[40];
    snprintf(path, sizeof path, "cluster.%s", word);
    for (size_t i = 0; i < lp_shape_cluster.count; i++) {
        const LpJsonKey *key = &lp_shape_cluster.keys[i];
        const Place place = {path, LP_NUMBER_CLUSTER, (const char *)cluster + key->offset};
        if (strcmp(key->name, word) == 0)
            add_table(list, key->shape, &place);
    }
}

static void add_memory(List *list, const LpCluster *cluster) {
    LpScenarioNumber number = {.path = "cluster.server.memory",
                               .key = "memory",
                               .of = LP_NUMBER_CLUSTER,
                               .dim = LP_DIM_BYTES,
                               .value = cluster->type[0].memory,
                               .above = true};
    if (cluster->types == 1)
        add(list, &number);
}

static void add_turn(List *list, const char *place, const char *key, LpScenarioNumber number) {
    snprintf(number.path, sizeof number.path, "cluster.%s.%s", place, key);
    number.key = key;
    number.of = LP_NUMBER_CLUSTER;
    add(list, &number);
}

/* Circuits that turn inside steps. */
static void add_turning(List *list, const LpTurning *t) {
    bool rails = t->form == LP_TURNING_RAILS;
    const char *place = rails ? "rails" : "region";
    LpTurnOrders orders = rails ? t->rails.orders : t->region.orders;
    if (t->form == LP_TURNING_NONE)
        return;
    add_turn(list, place, "delay",
             (LpScenarioNumber){.dim = LP_DIM_TIME,
                                .value = rails ? t->rails.delay : t->region.delay,
                                .max = LP_TURN_LONGEST});
    add_turn(list, place, "provisioned",
             (LpScenarioNumber){
                 .whole = true, .flag = true, .value = orders == LP_TURN_PROVISIONED, .max = 1});
    if (rails)
        add_turn(list, place, "ports",
                 (LpScenarioNumber){.whole = true, .value = t->rails.ports, .min = 1, .max = 2});
}

/* The ways of a plan, what goes through its stages at once, and what else its model has. */
static void add_plan(List *list, const LpScenario *scenario, uint32_t g, uint32_t number) {
    const LpGraph *graph = scenario->graph[g];
    const LpParallel *plan = &graph->split->plan[number];
    const struct {
        const char *key;
        uint32_t value;
        bool there;
    } key[] = {{"tensor", plan->tensor, true},
               {"pipeline", plan->pipeline, true},
               {"data", plan->data, true},
               {"expert", lp_parallel_expert(plan), graph->split->model.experts > 0},
               {"chunks", plan->chunks, plan->pipeline > 1},
               {"micro_batch", plan->micro_batch, true}};
    for (size_t i = 0; i < LP_COUNTOF(key); i++) {
        LpScenarioNumber made = {.key = key[i].key,
                                 .of = LP_NUMBER_PLAN,
                                 .whole = true,
                                 .value = key[i].value,
                                 .min = 1,
                                 .max = LP_PARALLEL_SIZE,
                                 .graph = graph->id,
                                 .plan = number + 1};
        snprintf(made.path, sizeof made.path, "graphs[%u].parallel[%u].%s", (unsigned)g,
                 (unsigned)number, key[i].key);
        if (key[i].there)
            add(list, &made);
    }
}

size_t lp_scenario_numbers(const LpScenario *scenario, LpScenarioNumber out[LP_SCENARIO_NUMBERS]) {
    List list = {out, 0};
    const Place partition = {"partition", LP_NUMBER_PARTITION, &scenario->partition};
    add_generator(&list, scenario);
    add_fabric(&list, &scenario->cluster);
    add_turning(&list, &scenario->turning);
    add_memory(&list, &scenario->cluster);
    add_table(&list, &lp_shape_partition, &partition);
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        const LpSplit *split = scenario->graph[g]->split;
        for (uint32_t i = 0; split != NULL && i < split->plans; i++)
            add_plan(&list, scenario, g, i);
    }
    return list.count;
}
