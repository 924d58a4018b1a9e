/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario keys "jobs" (a list of what arrives) and "generator" (how arrivals are drawn). */
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"

LpErr lp_load_raw(LpJsonValue value, LpArena *arena, const char **out, LpDiag *diag) {
    LpBuf text = {0};
    lp_json_print(value, &text);
    LpErr err = lp_buf_ok(&text, diag);
    const char *copy = err == LP_OK ? lp_arena_strndup(arena, lp_buf_text(&text), text.len) : NULL;
    lp_buf_fini(&text);
    if (err == LP_OK && copy == NULL)
        err = lp_fail_memory(diag, "a JSON value");
    if (err == LP_OK)
        *out = copy;
    return err;
}

/* ---- jobs ---- */

static LpErr read_hint(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpJobSpec *job = target;
    LpJsonValue degree = lp_json_member(value, "degree");
    job->hint.has_degree = lp_json_kind(degree) == LP_JSON_NUMBER;
    job->hint.degree = lp_json_number(degree);
    return lp_load_raw(value, loader->scenario->arena, &job->hint.json, diag);
}

static LpErr read_graph(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpJobSpec *job = target;
    uint32_t graph;
    LP_TRY(lp_load_graph_ref(loader->scenario, value, &graph, diag));
    job->graph = (int32_t)graph;
    return LP_OK;
}

static LpErr read_required(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    return lp_load_level_ref(loader->scenario, value, &((LpJobSpec *)target)->place.required, diag);
}

static LpErr read_preferred(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    return lp_load_level_ref(loader->scenario, value, &((LpJobSpec *)target)->place.preferred,
                             diag);
}

/* Keys of jobs that are placed in the cluster's tree, which those with a slice are not. */
#define PLACE_KEYS(Structure, required, preferred)                                                 \
    {.name = "required", .type = LP_KEY_CUSTOM, .read = required, .shape = &lp_shape_text},        \
        {.name = "preferred", .type = LP_KEY_CUSTOM, .read = preferred, .shape = &lp_shape_text},  \
        LP_COUNTED("segment", Structure, place.segment, 1, LP_SERVERS_MAX)

#define NAMED(key, reader)                                                                         \
    { .name = key, .type = LP_KEY_CUSTOM, .read = reader, .shape = &lp_shape_text }
#define SHARED_KEYS                                                                                \
    LP_QUANTITY("arrival", LpJobSpec, arrival, .dim = LP_DIM_TIME),                                \
        LP_QUANTITY("max_jct_fraction", LpJobSpec, max_jct_fraction, .above = true),               \
        LP_CUSTOM("hint", read_hint),                                                              \
        {.name = "id",                                                                             \
         .type = LP_KEY_CUSTOM,                                                                    \
         .read = lp_load_job_key,                                                                  \
         .shape = &lp_shape_text_or_number},                                                       \
        NAMED("name", lp_load_job_name), NAMED("user", lp_load_job_user),                          \
        NAMED("group", lp_load_job_group)

static LpErr read_checkpoint(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpJobSpec *job = target;
    (void)context;
    return lp_load_checkpoint(value, &job->checkpoint, diag);
}

static const LpJsonKey rigid_keys[] = {
    {LP_FIELD("servers", LP_KEY_COUNT, LpJobSpec, rigid_servers),
     .range = {.min = 1, .max = LP_SERVERS_MAX}, .required = true},
    {LP_FIELD("duration", LP_KEY_QUANTITY, LpJobSpec, rigid_duration),
     .range = {.dim = LP_DIM_TIME, .above = true}, .required = true},
    LP_QUANTITY("requested", LpJobSpec, requested, .dim = LP_DIM_TIME, .above = true),
    {.name = "checkpoint",
     .type = LP_KEY_CUSTOM,
     .read = read_checkpoint,
     .shape = &lp_shape_checkpoint},
    PLACE_KEYS(LpJobSpec, read_required, read_preferred),
    SHARED_KEYS,
};

static LpErr read_slice(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpJobSpec *job = target;
    return lp_load_slice(loader->scenario, value, &job->slice, diag);
}

static LpErr read_checkpoints(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpGenerator *generator = target;
    (void)context;
    return lp_load_checkpoint(value, &generator->checkpoint, diag);
}

static const LpJsonKey job_keys[] = {
    {.name = "graph",
     .type = LP_KEY_CUSTOM,
     .read = read_graph,
     .shape = &lp_shape_text,
     .required = true},
    LP_QUANTITY("steps", LpJobSpec, steps, .min = 1, .max = 0x1p53, .whole = true),
    {LP_FIELD("kind", LP_KEY_WORD, LpJobSpec, kind), .words = lp_partition_words},
    {.name = "slice", .type = LP_KEY_CUSTOM, .read = read_slice, .shape = &lp_shape_text},
    {.name = "checkpoint",
     .type = LP_KEY_CUSTOM,
     .read = read_checkpoint,
     .shape = &lp_shape_checkpoint},
    PLACE_KEYS(LpJobSpec, read_required, read_preferred),
    SHARED_KEYS,
};

static const LpJsonKey slice_keys[] = {
    {.name = "slice",
     .type = LP_KEY_CUSTOM,
     .read = read_slice,
     .shape = &lp_shape_text,
     .required = true},
    {LP_FIELD("duration", LP_KEY_QUANTITY, LpJobSpec, rigid_duration),
     .range = {.dim = LP_DIM_TIME, .above = true}, .required = true},
    {.name = "checkpoint",
     .type = LP_KEY_CUSTOM,
     .read = read_checkpoint,
     .shape = &lp_shape_checkpoint},
    LP_QUANTITY("communication_share", LpJobSpec, communication_share, .max = 1),
    SHARED_KEYS,
};

static const LpJsonShape job_shape = LP_OBJECT_SHAPE(job_keys);
static const LpJsonShape rigid_shape = LP_OBJECT_SHAPE(rigid_keys);
static const LpJsonShape slice_shape = LP_OBJECT_SHAPE(slice_keys);
static const LpJsonShape *const graph_or_rigid[] = {&job_shape, &rigid_shape, &slice_shape, NULL};
static const LpJsonShape one_job_shape = {.form = LP_FORM_ONE_OF, .of = graph_or_rigid};
static const LpJsonShape *const of_job[] = {&one_job_shape, NULL};
static const LpJsonShape list_shape = {.form = LP_FORM_LIST, .of = of_job};
static const LpJsonShape *const list_or_trace[] = {&list_shape, &lp_shape_imported, NULL};
const LpJsonShape lp_shape_jobs = {.form = LP_FORM_ONE_OF, .of = list_or_trace};

static LpErr load_job(LpLoader *loader, LpJsonValue value, LpJobSpec *job, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    LpJsonValue graph = lp_json_member(value, "graph");
    bool slice = graph.item == NULL && lp_json_member(value, "slice").item != NULL;
    bool rigid = slice || lp_json_member(value, "servers").item != NULL ||
                 lp_json_member(value, "duration").item != NULL;
    if (rigid && graph.item != NULL)
        return lp_json_fail_key(graph, diag, LP_EINVAL,
                                "a job has both \"graph\" and \"%s\", expected a graph, or servers "
                                "and a duration (a rigid job)",
                                lp_json_member(value, "servers").item != NULL ? "servers"
                                                                              : "duration");
    *job = lp_job_spec_default(scenario, rigid);
    if (slice)
        return lp_json_read(value, slice_keys, LP_COUNTOF(slice_keys), job, scenario->arena, loader,
                            diag);
    if (rigid)
        return lp_json_read(value, rigid_keys, LP_COUNTOF(rigid_keys), job, scenario->arena, loader,
                            diag);
    return lp_json_read(value, job_keys, LP_COUNTOF(job_keys), job, scenario->arena, loader, diag);
}

LpErr lp_load_jobs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLoader *loader = context;
    LpScenario *scenario = target;
    LpErr err = LP_OK;
    if (lp_json_kind(value) == LP_JSON_OBJECT)
        return lp_load_imported(value, loader, diag);
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value), j = 0;
    LpJobSpec *jobs = lp_arena_alloc(scenario->arena, count, sizeof *jobs);
    if (jobs == NULL)
        return lp_fail_memory(diag, "the list of jobs");
    LpJobNames naming = {.jobs = count};
    loader->naming = &naming;
    for (LpJsonValue v = lp_json_first(value); err == LP_OK && v.item != NULL;
         v = lp_json_next(v), j++) {
        err = load_job(loader, v, &jobs[j], diag);
        jobs[j].listed = (uint32_t)j;
    }
    loader->naming = NULL;
    lp_job_names_fini(&naming);
    LP_TRY(err);
    scenario->job = jobs;
    scenario->jobs = (uint32_t)count;
    return LP_OK;
}

/* ---- the generator ---- */

static const char *const sampling_words[] = {"replace", "remove", "remove_and_repeat", NULL};

static LpErr read_graphs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpGenerator *generator = target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value), g = 0;
    uint32_t *graph = lp_arena_alloc(loader->scenario->arena, count, sizeof *graph);
    if (graph == NULL)
        return lp_fail_memory(diag, "the list of graphs");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(lp_load_graph_ref(loader->scenario, v, &graph[g++], diag));
    generator->graph = graph;
    generator->graphs = (uint32_t)count;
    return LP_OK;
}

static LpErr read_interarrival(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpDistForm form = {.dim = LP_DIM_TIME, .shapes = true};
    const LpLoader *loader = context;
    LpGenerator *generator = target;
    bool word = lp_json_kind(value) == LP_JSON_TEXT, load = generator->load > 0;
    char found[80];
    LP_TRY(lp_load_dist(value, &form, loader->scenario->arena, &generator->interarrival, diag));
    if (load && !word)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"interarrival\" is %s beside \"load\", which sets its mean: expected "
                            "\"exponential\" or \"fixed\"",
                            lp_json_found(value, found, sizeof found));
    if (word && !load && generator->interarrival.value == 0)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"interarrival\" is %s, which needs \"load\" to set its mean: "
                            "expected a distribution such as {\"fixed\": \"1000 s\"}",
                            lp_json_found(value, found, sizeof found));
    return LP_OK;
}

static LpErr read_steps(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpDistForm form = {.whole = true};
    const LpLoader *loader = context;
    LpGenerator *generator = target;
    return lp_load_dist(value, &form, loader->scenario->arena, &generator->steps, diag);
}

static LpErr read_fraction(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpDistForm form = {.whole = false};
    const LpLoader *loader = context;
    LpGenerator *generator = target;
    return lp_load_dist(value, &form, loader->scenario->arena, &generator->max_jct_fraction, diag);
}

static LpErr read_duration(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpDistForm form = {.dim = LP_DIM_TIME};
    const LpLoader *loader = context;
    LpGenerator *generator = target;
    return lp_load_dist(value, &form, loader->scenario->arena, &generator->duration, diag);
}

static LpErr read_all_required(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    return lp_load_level_ref(loader->scenario, value, &((LpGenerator *)target)->place.required,
                             diag);
}

static LpErr read_all_preferred(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    return lp_load_level_ref(loader->scenario, value, &((LpGenerator *)target)->place.preferred,
                             diag);
}

static const LpJsonShape *const of_text[] = {&lp_shape_text, NULL};
static const LpJsonShape graph_ids_shape = {.form = LP_FORM_LIST, .of = of_text};

static const LpJsonKey generator_keys[] = {
    {LP_FIELD("count", LP_KEY_COUNT64, LpGenerator, count), .range = {.max = UINT32_MAX - 1}},
    {.name = "graphs", .type = LP_KEY_CUSTOM, .read = read_graphs, .shape = &graph_ids_shape},
    {LP_FIELD("sampling", LP_KEY_WORD, LpGenerator, sampling), .words = sampling_words},
    {LP_FIELD("replication", LP_KEY_COUNT64, LpGenerator, replication),
     .range = {.min = 1, .max = UINT32_MAX}},
    LP_QUANTITY("load", LpGenerator, load, .above = true),
    {.name = "interarrival",
     .type = LP_KEY_CUSTOM,
     .read = read_interarrival,
     .shape = &lp_shape_dist},
    {.name = "steps", .type = LP_KEY_CUSTOM, .read = read_steps, .shape = &lp_shape_dist},
    {.name = "max_jct_fraction",
     .type = LP_KEY_CUSTOM,
     .read = read_fraction,
     .shape = &lp_shape_dist},
    {LP_FIELD("kind", LP_KEY_WORD, LpGenerator, kind), .words = lp_partition_words},
    {.name = "slices", .type = LP_KEY_CUSTOM, .read = lp_load_slices, .shape = &lp_shape_slices},
    {.name = "duration", .type = LP_KEY_CUSTOM, .read = read_duration, .shape = &lp_shape_dist},
    {.name = "checkpoint",
     .type = LP_KEY_CUSTOM,
     .read = read_checkpoints,
     .shape = &lp_shape_checkpoint},
    LP_QUANTITY("communication_share", LpGenerator, communication_share, .max = 1),
    PLACE_KEYS(LpGenerator, read_all_required, read_all_preferred),
};

const LpJsonShape lp_shape_generator = LP_OBJECT_SHAPE(generator_keys);

LpErr lp_load_generator(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    scenario->has_generator = true;
    scenario->generator = lp_generator_default(scenario);
    uint32_t *graph = lp_arena_alloc(scenario->arena, scenario->graphs, sizeof *graph);
    if (graph == NULL)
        return lp_fail_memory(diag, "the list of graphs");
    for (uint32_t g = 0; g < scenario->graphs; g++)
        graph[g] = g;
    scenario->generator.graph = graph;
    scenario->generator.graphs = scenario->graphs;
    LpJsonValue graphs = lp_json_member(value, "graphs");
    if (graphs.item != NULL && lp_json_member(value, "slices").item != NULL)
        return lp_json_fail(graphs, diag, LP_EINVAL,
                            "a generator has both \"graphs\" and \"slices\", expected one of them: "
                            "jobs that it draws on slices have no graphs; \"jobs\" may state a "
                            "\"slice\" with a \"graph\"");
    return lp_json_read(value, generator_keys, LP_COUNTOF(generator_keys), &scenario->generator,
                        scenario->arena, context, diag);
}
