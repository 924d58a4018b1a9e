/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graph of the scenario key "graphs" that is a transformer with plans: the keys "model",
 * "parallel" and "machine". docs/parallel.md, "Jobs". */
#include <stdio.h>

#include "base/str.h"
#include "io/scenario/loader.h"
#include "model/device/device.h"
#include "model/parallel/machine.h"
#include "model/parallel/zoo.h"
#include "model/split/split.h"
#include "sim/parallel/rail_light.h"

typedef struct PlannedSpec {
    const char *id;
    LpSplit split;
    const LpDevice *device;
} PlannedSpec;

static const char *const recompute_words[] = {"none", "selective", "full", NULL};
static const char *const attention_words[] = {"unfused", "fused", "causal", NULL};

/* ---- keys ---- */

#define KEY_NEEDED(field, structure)                                                               \
    {                                                                                              \
        LP_FIELD(#field, LP_KEY_COUNT, structure, field),                                          \
            .range = {.min = 1, .max = LP_PARALLEL_SIZE}, .required = true                         \
    }
#define KEY_WHOLE(field, structure) LP_COUNTED(#field, structure, field, 1, LP_PARALLEL_SIZE)
#define KEY_COUNT(field, structure) LP_COUNTED(#field, structure, field, 0, LP_PARALLEL_SIZE)
#define KEY_SWITCH(field, structure)                                                               \
    { LP_FIELD(#field, LP_KEY_FLAG, structure, field) }
#define KEY_RECOMPUTE(field, structure)                                                            \
    { LP_FIELD(#field, LP_KEY_WORD, structure, field), .words = recompute_words }
#define KEY_ATTENTION(field, structure)                                                            \
    { LP_FIELD(#field, LP_KEY_WORD, structure, field), .words = attention_words }

static const LpJsonKey model_keys[] = {
#define X(field, kind) KEY_##kind(field, LpDecoder),
    LP_DECODER_KEYS(X)
#undef X
};

static const LpJsonKey plan_keys[] = {
#define X(field, kind, usual) KEY_##kind(field, LpParallel),
    LP_PARALLEL_KEYS(X)
#undef X
};

static const LpJsonKey machine_keys[] = {
#define X(field, dimension, origin, meaning, source)                                               \
    LP_QUANTITY(#field, LpMachine, field, .dim = dimension),
    LP_MACHINE_TABLE(X)
#undef X
};

static const LpJsonShape model_shape = LP_OBJECT_SHAPE(model_keys);
static const LpJsonShape *const text_or_sizes[] = {&lp_shape_text, &model_shape, NULL};
static const LpJsonShape named_or_sizes = {.form = LP_FORM_ONE_OF, .of = text_or_sizes};
static const LpJsonShape plan_shape = LP_OBJECT_SHAPE(plan_keys);
static const LpJsonShape machine_shape = LP_OBJECT_SHAPE(machine_keys);
static const LpJsonShape *const of_plan[] = {&plan_shape, NULL};
static const LpJsonShape plans_shape = {.form = LP_FORM_LIST, .of = of_plan};
static const LpJsonShape *const one_or_more[] = {&plan_shape, &plans_shape, NULL};
static const LpJsonShape parallel_shape = {.form = LP_FORM_ONE_OF, .of = one_or_more};

/* ---- readers ---- */

/* A model by its name. */
static LpErr read_named(LpJsonValue value, LpDecoder *model, LpDiag *diag) {
    enum { NAMES = 64 };
    const char *names[NAMES];
    char shown[64];
    size_t count, known = 0;
    const LpTransformer *table = lp_transformer_table(&count);
    const LpTransformer *named = lp_transformer_find(lp_json_text(value));
    for (; known < count && known < NAMES; known++)
        names[known] = table[known].name;
    if (named != NULL) {
        *model = named->model;
        return LP_OK;
    }
    int near = lp_str_nearest(lp_json_text(value), names, known);
    return lp_json_fail(value, diag, LP_EINVAL,
                        "\"model\" is the text \"%s\", expected %s%s, or an object of sizes",
                        lp_str_show(shown, sizeof shown, lp_json_text(value)),
                        near >= 0 ? "" : "the name of a transformer such as ",
                        near >= 0 ? names[near] : names[0]);
}

static LpErr read_model(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpDecoder *model = &((PlannedSpec *)target)->split.model;
    if (lp_json_kind(value) == LP_JSON_TEXT)
        return read_named(value, model, diag);
    *model = lp_decoder_default();
    LP_TRY(lp_json_read(value, model_keys, LP_COUNTOF(model_keys), model, loader->scenario->arena,
                        NULL, diag));
    lp_decoder_settle(model);
    return LP_OK;
}

static LpErr read_plan(const LpLoader *loader, const LpDecoder *model, LpJsonValue value,
                       LpParallel *plan, LpDiag *diag) {
    LpDiag inner;
    *plan = lp_parallel_default();
    LP_TRY(lp_json_read(value, plan_keys, LP_COUNTOF(plan_keys), plan, loader->scenario->arena,
                        NULL, diag));
    LpErr err = lp_parallel_check(model, plan, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(value, diag, err, "%s", inner.text);
}

static LpErr read_plans(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpSplit *split = &((PlannedSpec *)target)->split;
    bool one = lp_json_kind(value) == LP_JSON_OBJECT;
    if (!one)
        LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = one ? 1 : lp_json_count(value), i = 0;
    if (count < 1 || count > LP_SPLIT_PLANS)
        return lp_json_fail(value, diag, count < 1 ? LP_EINVAL : LP_ELIMIT,
                            "%zu plans, expected 1 to %d", count, (int)LP_SPLIT_PLANS);
    LpParallel *plan = lp_arena_alloc(loader->scenario->arena, count, sizeof *plan);
    if (plan == NULL)
        return lp_fail_memory(diag, "the plans of a graph");
    if (one)
        LP_TRY(read_plan(loader, &split->model, value, plan, diag));
    for (LpJsonValue v = lp_json_first(value); !one && v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_plan(loader, &split->model, v, &plan[i++], diag));
    split->plan = plan;
    split->plans = (uint32_t)count;
    return LP_OK;
}

static LpErr read_machine(const LpLoader *loader, LpJsonValue value, LpMachine *machine,
                          LpDiag *diag) {
    LpDiag inner;
    LP_TRY(lp_json_read(value, machine_keys, LP_COUNTOF(machine_keys), machine,
                        loader->scenario->arena, NULL, diag));
    LpErr err = lp_machine_check(machine, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(value, diag, err, "%s", inner.text);
}

/* In the order of the table: the model before the plans that are held against it. */
static const LpJsonKey planned_keys[] = {
    {LP_FIELD("id", LP_KEY_TEXT, PlannedSpec, id), .required = true},
    {.name = "model",
     .type = LP_KEY_CUSTOM,
     .read = read_model,
     .shape = &named_or_sizes,
     .required = true},
    {.name = "parallel",
     .type = LP_KEY_CUSTOM,
     .read = read_plans,
     .shape = &parallel_shape,
     .required = true},
    {.name = "device", .type = LP_KEY_SKIP, .shape = &lp_shape_text},
    {.name = "machine", .type = LP_KEY_SKIP, .shape = &machine_shape},
};

const LpJsonShape lp_shape_planned = LP_OBJECT_SHAPE(planned_keys);

/* The device before what differs from it. */
static LpErr read_hardware(const LpLoader *loader, LpJsonValue value, PlannedSpec *spec,
                           LpDiag *diag) {
    LpJsonValue device = lp_json_member(value, "device");
    LpJsonValue machine = lp_json_member(value, "machine");
    LpDiag inner;
    if (device.item != NULL)
        LP_TRY(lp_load_device(device, loader->scenario, &spec->device, diag));
    LpErr err = lp_machine_of(spec->device, &spec->split.machine, &inner);
    if (err != LP_OK)
        return lp_json_fail(device.item != NULL ? device : value, diag, err, "%s", inner.text);
    return machine.item != NULL ? read_machine(loader, machine, &spec->split.machine, diag) : LP_OK;
}

/* What the circuits of the cluster cannot do for one of the plans is said here, not when a job of
 * it comes. */
static LpErr check_turns(const LpSplit *split, LpDiag *diag) {
    LpDiag inner;
    for (uint32_t i = 0; i < split->plans; i++) {
        LpRailLight light;
        if (!lp_split_turns(split, &split->plan[i]))
            continue;
        LpErr err = lp_light_make(&split->model, &split->plan[i], &split->machine, &split->turning,
                                  &light, &inner);
        lp_light_fini(&light);
        if (err != LP_OK)
            return lp_fail(diag, err, "plan %u of %u: %s", (unsigned)i + 1, (unsigned)split->plans,
                           inner.text);
    }
    return LP_OK;
}

LpErr lp_load_planned(LpJsonValue value, LpLoader *loader, LpGraph **out, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    PlannedSpec spec = {.device = scenario->cluster.type[0].device};
    LpDiag inner;
    LP_TRY(lp_json_read(value, planned_keys, LP_COUNTOF(planned_keys), &spec, scenario->arena,
                        loader, diag));
    LP_TRY(read_hardware(loader, value, &spec, diag));
    spec.split.turning = scenario->turning;
    LpErr err = check_turns(&spec.split, &inner);
    if (err == LP_OK)
        err = lp_split_graph(spec.id, NULL, spec.device->name, &spec.split, out, &inner);
    return err == LP_OK
               ? LP_OK
               : lp_json_fail(lp_json_member(value, "parallel"), diag, err, "%s", inner.text);
}
