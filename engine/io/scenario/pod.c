/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster.pod", and the slices that jobs and the generator ask for. */
#include <string.h>

#include "io/scenario/loader.h"
#include "model/circuit/circuit.h"
#include "model/pod/capacity.h"

/* ---- the pod ---- */

static const char *const wiring_words[] = {"switched", "static", NULL}; /* as LpPodWiring */
static const char *const collective_words[] = {"concurrent", "sequential", NULL};
static const char *const order_words[] = {"lowest", "spread", NULL};
static const char *const sub_order_words[] = {"fewest", "lowest", NULL};

static LpErr read_triple(LpJsonValue value, uint32_t out[3], LpDiag *diag) {
    uint32_t read[3];
    int at = 0;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    if (lp_json_count(value) != 3)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"%s\" has %zu numbers, expected 3, along x, y and z",
                            lp_json_key(value), lp_json_count(value));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        uint64_t number;
        LP_TRY(lp_json_u64(v, 1, LP_POD_ACCELERATORS_MAX, &number, diag));
        read[at++] = (uint32_t)number;
    }
    memcpy(out, read, sizeof read);
    return LP_OK;
}

static LpErr read_grid(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpPodParams *pod = target;
    (void)context;
    return read_triple(value, pod->net.grid, diag);
}

static LpErr read_host(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpPodParams *pod = target;
    (void)context;
    return read_triple(value, pod->host, diag);
}

/* A time, or a preset of switches. */
static LpErr read_settle(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpJsonRange range = {.dim = LP_DIM_TIME};
    const LpPreset *preset = lp_preset_find(lp_json_text(value));
    LpPodParams *pod = target;
    (void)context;
    if (preset == NULL)
        return lp_json_quantity(value, &range, &pod->settle, diag);
    pod->settle = preset->delay.program + preset->delay.turn + preset->delay.lock;
    return LP_OK;
}

static const LpJsonShape whole_shape = {.form = LP_FORM_NUMBER};
static const LpJsonShape *const of_whole[] = {&whole_shape, NULL};
static const LpJsonShape triple_shape = {.form = LP_FORM_LIST, .of = of_whole};
static const LpJsonShape *const text_or_number[] = {&lp_shape_text, &lp_shape_number, NULL};
static const LpJsonShape settle_shape = {.form = LP_FORM_ONE_OF, .of = text_or_number};

#define WORDS(key, field, list)                                                                    \
    { LP_FIELD(key, LP_KEY_WORD, LpPodParams, field), .words = list }
#define SHAPED(key, reader, form)                                                                  \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader, .shape = &(form) }

static const LpJsonKey pod_keys[] = {
    LP_COUNTED("cube", LpPodParams, net.cube, 2, LP_POD_CUBE_MAX),
    LP_COUNTED("cubes", LpPodParams, net.cubes, 1, LP_POD_ACCELERATORS_MAX),
    SHAPED("host", read_host, triple_shape),
    WORDS("wiring", wiring, wiring_words),
    SHAPED("grid", read_grid, triple_shape),
    LP_COUNTED("ports", LpPodParams, net.ports, 2, 0),
    WORDS("order", order, order_words),
    WORDS("sub_order", sub_order, sub_order_words),
    LP_COUNTED("spares", LpPodParams, rules.spares, 0, LP_POD_ACCELERATORS_MAX),
    LP_COUNTED("cubes_per_domain", LpPodParams, rules.cubes_per_domain, 1, LP_POD_ACCELERATORS_MAX),
    LP_QUANTITY("link_bandwidth", LpPodParams, net.link_bandwidth, .dim = LP_DIM_BANDWIDTH,
                .above = true),
    LP_QUANTITY("link_delay", LpPodParams, net.link_delay, .dim = LP_DIM_TIME),
    LP_QUANTITY("io_latency", LpPodParams, net.io_latency, .dim = LP_DIM_TIME),
    LP_QUANTITY("efficiency", LpPodParams, net.efficiency, .above = true, .max = 1),
    LP_QUANTITY("twist_efficiency", LpPodParams, net.twist_efficiency, .above = true, .max = 1),
    WORDS("collective", collective, collective_words),
    SHAPED("settle", read_settle, settle_shape),
    {LP_FIELD("auto_twist", LP_KEY_FLAG, LpPodParams, auto_twist)},
    {LP_FIELD("fault_tolerant", LP_KEY_FLAG, LpPodParams, fault_tolerant)},
};

const LpJsonShape lp_shape_pod = LP_OBJECT_SHAPE(pod_keys);

LpErr lp_load_pod(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpCluster *cluster = target;
    return lp_json_read(value, pod_keys, LP_COUNTOF(pod_keys), &cluster->pod, NULL, context, diag);
}

/* ---- slices ---- */

/* Room for `more` rows: the table is copied when it is full, at powers of two. */
static LpErr grow(LpScenario *scenario, LpDiag *diag) {
    uint32_t n = scenario->slices;
    if (n > 0 && (n & (n - 1)) != 0)
        return LP_OK;
    LpSliceAsk *rows = lp_arena_alloc(scenario->arena, n > 0 ? 2 * (size_t)n : 1, sizeof *rows);
    if (rows == NULL)
        return lp_fail_memory(diag, "the list of slices");
    if (n > 0)
        memcpy(rows, scenario->slice, n * sizeof *rows);
    scenario->slice = rows;
    return LP_OK;
}

static LpErr add_row(LpScenario *scenario, const char *text, LpDiag *diag) {
    LP_TRY(grow(scenario, diag));
    const char *copy = lp_arena_strdup(scenario->arena, text);
    if (copy == NULL)
        return lp_fail_memory(diag, "the list of slices");
    scenario->slice[scenario->slices++] = (LpSliceAsk){.text = copy};
    return LP_OK;
}

LpErr lp_load_slice_text(LpScenario *scenario, const char *text, uint32_t *row, LpDiag *diag) {
    for (uint32_t i = 0; i < scenario->slices; i++)
        if (strcmp(scenario->slice[i].text, text) == 0) {
            *row = i + 1;
            return LP_OK;
        }
    LP_TRY(add_row(scenario, text, diag));
    *row = scenario->slices;
    return LP_OK;
}

LpErr lp_load_slice(LpScenario *scenario, LpJsonValue value, uint32_t *row, LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    return lp_load_slice_text(scenario, lp_json_text(value), row, diag);
}

/* The published sample. */
static LpErr take_table(LpScenario *scenario, LpGenerator *generator, LpDiag *diag) {
    size_t count;
    const LpPodAsked *mix = lp_pod_mix(&count);
    double *weight = lp_arena_alloc(scenario->arena, count, sizeof *weight);
    if (weight == NULL)
        return lp_fail_memory(diag, "the list of slices");
    generator->first_slice = scenario->slices;
    for (size_t i = 0; i < count; i++) {
        LP_TRY(add_row(scenario, mix[i].slice, diag));
        weight[i] = mix[i].percent;
    }
    generator->weight = weight;
    generator->slices = (uint32_t)count;
    return LP_OK;
}

typedef struct Weighed {
    const char *slice;
    double weight;
} Weighed;

static const LpJsonKey weighed_keys[] = {
    {LP_FIELD("slice", LP_KEY_TEXT, Weighed, slice), .required = true},
    LP_QUANTITY("weight", Weighed, weight, .min = 0),
};

static const char *const mix_words[] = {"table2", NULL};
static const LpJsonShape mix_shape = {.form = LP_FORM_WORD, .words = mix_words};
static const LpJsonShape weighed_shape = LP_OBJECT_SHAPE(weighed_keys);
static const LpJsonShape *const of_weighed[] = {&weighed_shape, NULL};
static const LpJsonShape list_shape = {.form = LP_FORM_LIST, .of = of_weighed};
static const LpJsonShape *const mix_or_list[] = {&mix_shape, &list_shape, NULL};
const LpJsonShape lp_shape_slices = {.form = LP_FORM_ONE_OF, .of = mix_or_list};

LpErr lp_load_slices(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpScenario *scenario = loader->scenario;
    LpGenerator *generator = target;
    uint32_t at = 0;
    int word;
    if (lp_json_kind(value) != LP_JSON_LIST) {
        LP_TRY(lp_json_word(value, mix_words, &word, diag));
        return take_table(scenario, generator, diag);
    }
    size_t count = lp_json_count(value);
    double *weight = lp_arena_alloc(scenario->arena, count + 1, sizeof *weight);
    if (weight == NULL)
        return lp_fail_memory(diag, "the list of slices");
    generator->first_slice = scenario->slices;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        Weighed row = {.weight = 1};
        LP_TRY(lp_json_read(v, weighed_keys, LP_COUNTOF(weighed_keys), &row, scenario->arena, NULL,
                            diag));
        LP_TRY(add_row(scenario, row.slice, diag));
        weight[at++] = row.weight;
    }
    generator->weight = weight;
    generator->slices = at;
    return LP_OK;
}
