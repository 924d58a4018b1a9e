/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which knobs a run has, and where a turn leads. */
#include "ask/whatif/knob.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "io/scenario/numbers.h"
#include "session/session_impl.h"

static const struct {
    const char *heading;
    bool whole_run;
} groups[] = {
#define X(id, heading, whole) {heading, whole},
    LP_KNOB_GROUPS(X)
#undef X
};

/* What the keys of a scenario are called, where that is not their name with blanks; those that most
 * people turn first. Without a name: not offered. */
static const struct {
    const char *key, *part, *name, *meaning;
} NAMES[] = {
    {"load", NULL, "load", "work that arrives in a second over work that all servers do in one"},
    {"interarrival", NULL, "arrival every", "from one job's arrival to the next one's"},
    {"max_jct_fraction", NULL, "limit",
     "longest JCT (job completion time) that a job accepts, in times of one server"},
    {"max_jct_fraction", "min", "tightest limit",
     "the least JCT that a job accepts, over its time on one server"},
    {"max_jct_fraction", "max", "widest limit",
     "the most JCT that a job accepts, over its time on one server"},
    {"steps", NULL, "steps of a job", "training steps that each job repeats"},
    {"count", NULL, "jobs", "so many jobs arrive in all"},
    {"max_degree", NULL, "most ways", "a job is split at most so many ways"},
    {"min_op_time", NULL, "shortest part", "an op is not cut into parts shorter than this"},
    {"node_bandwidth", NULL, "bandwidth", "what a server can send in a second, over all its light"},
    {"slot", NULL, "tuning time", "a transmitter is dark so long as it is tuned"},
    {"propagation_latency", NULL, "distance", "time that light takes from server to server"},
    {"io_latency", NULL, "input, output", "time into and out of a server, at both ends"},
    {"communication_groups", NULL, "groups", "communication groups of the cluster"},
    {"racks_per_group", NULL, "racks of a group", "no more than groups: a rack is a wavelength"},
    {"servers_per_rack", NULL, "servers of a rack", "they share the rack's place in its group"},
    {"delay", NULL, "delay of a turn", "from the order of a circuit inside a step to its light"},
    {"provisioned", NULL, "provisioned",
     "1: a circuit is ordered as soon as its ports are idle; 0: on demand"},
    {"ports", NULL, "ports", "of an accelerator on its rail, 1 or 2"},
    {"memory", NULL, "memory", "of a server"},
    {"tensor", NULL, "tensor", "ways in which heads and widths are cut, which are its multiples"},
    {"pipeline", NULL, "stages", "of the pipeline, each with some of the layers"},
    {"data", NULL, "replicas", "data ways: each does its share of every batch"},
    {"expert", NULL, "expert ways", "the experts are cut into so many, which divide the replicas"},
    {"chunks", NULL, "chunks", "parts of the model on each stage, interleaved"},
    {"micro_batch", NULL, "micro-batch", "samples that go through the stages together"},
    {"replication", NULL, NULL, NULL},
    {"max_deps", NULL, NULL, NULL},
    {"channels", NULL, NULL, NULL},
    {"communication_share", NULL, NULL, NULL},
};

typedef struct List {
    LpKnobs *knobs;
    bool failed;
} List;

enum { KNOBS_MOST = LP_SCENARIO_NUMBERS + 40 };

static char *copy(List *list, const char *text) {
    char *made = lp_arena_strdup(list->knobs->arena, text);
    list->failed |= made == NULL;
    return made;
}

static void add(List *list, const LpRunKnob *knob) {
    if (list->knobs->count >= KNOBS_MOST)
        return;
    LpRunKnob *row = &list->knobs->row[list->knobs->count++];
    *row = *knob;
    if (row->heading == NULL)
        row->heading = groups[row->group].heading;
}

/* ---- of the scenario ---- */

/* "servers_per_rack" -> "servers per rack" */
static char *plain_name(List *list, const char *key) {
    char *name = copy(list, key);
    for (char *c = name; c != NULL && *c != '\0'; c++)
        *c = (char)(*c == '_' ? ' ' : *c);
    return name;
}

static bool same_part(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* The row of NAMES, LP_COUNTOF(NAMES): none. */
static size_t find_name(const LpScenarioNumber *number) {
    size_t i = 0;
    while (i < LP_COUNTOF(NAMES) &&
           (strcmp(NAMES[i].key, number->key) != 0 || !same_part(NAMES[i].part, number->part)))
        i++;
    return i;
}

static void add_number(List *list, const LpScenarioNumber *number, size_t row) {
    static const LpKnobGroup group[] = {[LP_NUMBER_JOBS] = LP_KNOB_JOBS,
                                        [LP_NUMBER_PARTITION] = LP_KNOB_CUTTING,
                                        [LP_NUMBER_CLUSTER] = LP_KNOB_CLUSTER,
                                        [LP_NUMBER_PLAN] = LP_KNOB_PLANS};
    bool known = row < LP_COUNTOF(NAMES);
    if (known && NAMES[row].name == NULL)
        return;
    add(list, &(LpRunKnob){.group = group[number->of],
                           .name = known ? NAMES[row].name : plain_name(list, number->key),
                           .meaning = known ? NAMES[row].meaning : "",
                           .path = copy(list, number->path),
                           .dim = number->dim,
                           .whole = number->whole,
                           .flag = number->flag,
                           .above = number->above,
                           .base = number->value,
                           .value = number->value,
                           .min = number->min,
                           .max = number->max});
}

LP_PRINTF(2, 3)
static char *print(List *list, const char *format, ...) {
    char text[96];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return copy(list, text);
}

/* In their own order: all of a plan together, all plans of a graph under one heading. */
static void add_plans(List *list, const LpScenario *scenario) {
    LpScenarioNumber number[LP_SCENARIO_NUMBERS];
    size_t count = lp_scenario_numbers(scenario, number);
    const char *graph = NULL, *heading = NULL;
    for (size_t i = 0; i < count; i++) {
        if (number[i].of != LP_NUMBER_PLAN)
            continue;
        if (graph == NULL || strcmp(graph, number[i].graph) != 0)
            heading = print(list, "plans of %.60s", number[i].graph);
        graph = number[i].graph;
        if (list->knobs->count >= KNOBS_MOST)
            return;
        add_number(list, &number[i], find_name(&number[i]));
        LpRunKnob *knob = &list->knobs->row[list->knobs->count - 1];
        knob->heading = heading;
        knob->name = print(list, "%u %s", (unsigned)number[i].plan, knob->name);
        knob->doubles = true;
    }
}

/* One group after the other; in each the rows of NAMES, then the others. */
static void add_numbers(List *list, const LpScenario *scenario, LpNumberOf of) {
    LpScenarioNumber number[LP_SCENARIO_NUMBERS];
    size_t count = lp_scenario_numbers(scenario, number);
    for (size_t row = 0; row <= LP_COUNTOF(NAMES); row++)
        for (size_t i = 0; i < count; i++)
            if (number[i].of == of && find_name(&number[i]) == row)
                add_number(list, &number[i], row);
}

static void add_seed(List *list, const LpScenario *scenario) {
    add(list, &(LpRunKnob){.group = LP_KNOB_JOBS,
                           .name = "seed",
                           .meaning = "another one: other jobs, drawn from the same distributions",
                           .path = "seed",
                           .whole = true,
                           .base = (double)scenario->seed,
                           .value = (double)scenario->seed,
                           .max = 0x1p53});
}

/* ---- of the run ---- */

static void add_factor(List *list, LpConditionKind kind, const char *name, const char *meaning,
                       double value) {
    add(list, &(LpRunKnob){.group = LP_KNOB_NOW,
                           .name = name,
                           .meaning = meaning,
                           .condition = kind,
                           .factor = true,
                           .above = true,
                           .base = value,
                           .value = value,
                           .max = 1e6});
}

static bool may_change(const LpSession *s) {
    return lp_options_first_published(&s->scenario->options) < 0 && !lp_world_over(s->world);
}

static void add_conditions(List *list, const LpSession *s) {
    const LpConditions now = lp_world_conditions(s->world);
    double broken = lp_world_tally(s->world)->failed_servers;
    if (!may_change(s))
        return;
    add_factor(list, LP_CONDITION_BANDWIDTH, "bandwidth",
               "of the whole network, times what the scenario says", now.bandwidth);
    add_factor(list, LP_CONDITION_LATENCY, "latency",
               "of the whole network, times what the scenario says", now.latency);
    add_factor(list, LP_CONDITION_RECONFIGURATION, "turning light",
               "how long that takes, times what the scenario says", now.reconfiguration);
    add_factor(list, LP_CONDITION_DEADLINE, "limits",
               "of the jobs that arrive from now on, times what they would be", now.deadline);
    add_factor(list, LP_CONDITION_RATE, "arrivals",
               "in a second from now on, times what the scenario says", now.rate);
    add(list, &(LpRunKnob){.group = LP_KNOB_NOW,
                           .name = "broken servers",
                           .meaning = "so many do not work, those with the lowest numbers first",
                           .condition = LP_CONDITION_FAIL_SERVER,
                           .whole = true,
                           .base = broken,
                           .value = broken,
                           .min = broken,
                           .max = lp_world_servers(s->world)});
}

static void add_params(List *list, const LpSession *s) {
    for (uint32_t i = 0; s->loaded.policy != NULL && i < lp_policy_params(s->loaded.policy); i++) {
        LpPolicyParamInfo info = lp_policy_param(s->loaded.policy, i);
        double value;
        bool whole = strcmp(info.type, "integer") == 0;
        if ((!whole && strcmp(info.type, "number") != 0) ||
            lp_num_parse(info.value, &value, NULL) != LP_OK)
            continue;
        add(list, &(LpRunKnob){.group = LP_KNOB_POLICY,
                               .name = copy(list, info.name),
                               .meaning = copy(list, info.doc),
                               .path = copy(list, info.name),
                               .whole = whole,
                               .base = value,
                               .value = value,
                               .min = -(double)INFINITY});
    }
}

LpErr lp_knobs_list(const LpSession *s, LpKnobs *out, LpDiag *diag) {
    LpKnobs knobs = {.arena = lp_arena_new(4096)};
    List list = {.knobs = &knobs};
    if (knobs.arena != NULL)
        knobs.row = lp_arena_alloc(knobs.arena, KNOBS_MOST, sizeof *knobs.row);
    if (knobs.row == NULL) {
        lp_arena_free(knobs.arena);
        return lp_fail_memory(diag, "the knobs");
    }
    if (s->kept != NULL) {
        add_numbers(&list, s->scenario, LP_NUMBER_JOBS);
        add_seed(&list, s->scenario);
        add_numbers(&list, s->scenario, LP_NUMBER_PARTITION);
        add_numbers(&list, s->scenario, LP_NUMBER_CLUSTER);
    }
    add_conditions(&list, s);
    add_params(&list, s);
    if (s->kept != NULL)
        add_plans(&list, s->scenario);
    if (list.failed) {
        lp_knobs_fini(&knobs);
        return lp_fail_memory(diag, "the knobs");
    }
    *out = knobs;
    return LP_OK;
}

void lp_knobs_fini(LpKnobs *knobs) {
    lp_arena_free(knobs->arena);
    *knobs = (LpKnobs){0};
}

/* ---- turning ---- */

/* The next of 16, 24, 32, 48 and so on. */
static double next_large(double at, bool up) {
    double below = 16;
    for (double k = 16; k < 0x1p53; k *= 2)
        for (int half = 0; half < 2; half++) {
            double next = half ? k * 1.5 : k;
            if (next >= at + (up ? 1 : 0))
                return up ? next : below;
            below = next;
        }
    return at;
}

static double next_whole(double value, bool up) {
    if (up ? value < 16 : value <= 16)
        return up ? value + 1 : value - 1;
    return next_large(value, up);
}

/* digit * 10^exponent, the double nearest to it. */
static double decimal(int digit, int exponent) {
    double power = lp_num_power_of_ten(exponent < 0 ? -exponent : exponent);
    return exponent < 0 ? digit / power : digit * power;
}

/* On 1, 2, 5 times a power of ten. */
static double next_decimal(double at, bool up) {
    static const int digits[] = {1, 2, 5};
    int exponent = (int)floor(log10(at)) - 1;
    double below = at;
    for (int k = 0; k < 4; k++, exponent++)
        for (size_t i = 0; i < LP_COUNTOF(digits); i++) {
            double next = decimal(digits[i], exponent);
            if (up ? next > at * (1 + 1e-9) : next >= at * (1 - 1e-9))
                return up ? next : below;
            below = next;
        }
    return at;
}

/* The step between nothing and something. */
static double least_step(const LpRunKnob *knob) {
    return knob->dim == LP_DIM_NONE ? 0.01 : knob->dim == LP_DIM_TIME ? 1e-9 : 1e6;
}

/* Above 0. Shares, such as a load, go by tenths. */
static double next_above_zero(const LpRunKnob *knob, double value, bool up) {
    bool share = !knob->factor && knob->dim == LP_DIM_NONE && value < 10;
    if (share && (up ? value >= 0.0999 : value > 0.1001))
        return (up ? floor(value * 10 + 1.0001) : ceil(value * 10 - 1.0001)) / 10;
    if (!up && !knob->above && value <= least_step(knob) * (1 + 1e-9))
        return 0;
    return next_decimal(value, up);
}

static double next_real(const LpRunKnob *knob, bool up) {
    if (knob->value == 0)
        return up ? least_step(knob) : -least_step(knob);
    if (knob->value < 0)
        return -next_above_zero(knob, -knob->value, !up);
    return next_above_zero(knob, knob->value, up);
}

static bool within(const LpRunKnob *knob, double value) {
    bool high = knob->max > 0 && value > knob->max;
    return !high && (knob->above ? value > knob->min : value >= knob->min);
}

bool lp_knob_turn(LpRunKnob *knob, int by) {
    bool up = by > 0, seed = knob->path != NULL && strcmp(knob->path, "seed") == 0;
    double next = seed            ? knob->value + by
                  : knob->doubles ? (up ? knob->value * 2 : floor(knob->value / 2))
                  : knob->whole   ? next_whole(knob->value, up)
                                  : next_real(knob, up);
    /* A turn never jumps over the value that was there before. */
    bool over = (knob->value < knob->base && next > knob->base) ||
                (knob->value > knob->base && next < knob->base);
    next = over ? knob->base : next;
    if (next == knob->value || !within(knob, next))
        return false;
    knob->value = next;
    return true;
}

/* ---- all together ---- */

bool lp_knob_is_whole_run(const LpRunKnob *knob) {
    return groups[knob->group].whole_run;
}

bool lp_knobs_turned(const LpKnobs *knobs) {
    for (uint32_t i = 0; i < knobs->count; i++)
        if (lp_knob_is_turned(&knobs->row[i]))
            return true;
    return false;
}

bool lp_knobs_anew(const LpKnobs *knobs) {
    for (uint32_t i = 0; i < knobs->count; i++)
        if (lp_knob_is_turned(&knobs->row[i]) && lp_knob_is_whole_run(&knobs->row[i]))
            return true;
    return false;
}

void lp_knobs_words(const LpKnobs *knobs, LpBuf *out) {
    const char *comma = "";
    for (uint32_t i = 0; i < knobs->count; i++) {
        const LpRunKnob *knob = &knobs->row[i];
        char text[40];
        if (!lp_knob_is_turned(knob))
            continue;
        lp_buf_addf(out, "%s%s=%s%s", comma, knob->name, knob->factor ? "x" : "",
                    lp_quantity_print(knob->value, knob->dim, text, sizeof text));
        comma = ", ";
    }
}
