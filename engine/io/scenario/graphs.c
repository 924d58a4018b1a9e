/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "graphs": profile files and models of the zoo, with their times in seconds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/files/file.h"
#include "io/profile/profile.h"
#include "io/scenario/loader.h"
#include "model/zoo/zoo.h"

enum { GRAPHS_MAX = 1024, PATH_TEXT = 4096 };

enum { PIPEDREAM, OWN };

static const char *const format_words[] = {"pipedream", "lightpath", NULL};

typedef struct GraphSpec {
    const char *id, *file;
    int format;
    double unit; /* seconds, 0: not stated */
    LpZooSpec zoo;
    const LpDevice *device;
    int precision, efficiency;
} GraphSpec;

enum { FLAT, BY_SIZE };

static const char *const efficiency_words[] = {"flat", "size", NULL};

static LpErr read_unit(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    GraphSpec *spec = target;
    LpDiag inner;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    LpErr err = lp_profile_unit(lp_json_text(value), &spec->unit, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(value, diag, err, "\"time_unit\": %s", inner.text);
}

static LpErr read_device(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    GraphSpec *spec = target;
    return lp_load_device(value, loader->scenario, &spec->device, diag);
}

/* What gives times to ops that state work. */
#define RATES_KEYS                                                                                 \
    {.name = "device", .type = LP_KEY_CUSTOM, .read = read_device, .shape = &lp_shape_text},       \
        {LP_FIELD("precision", LP_KEY_WORD, GraphSpec, precision), .words = lp_precision_words}, { \
        LP_FIELD("efficiency", LP_KEY_WORD, GraphSpec, efficiency), .words = efficiency_words      \
    }

#define ID_KEY                                                                                     \
    { LP_FIELD("id", LP_KEY_TEXT, GraphSpec, id), .required = true }

static const LpJsonKey file_keys[] = {
    ID_KEY,
    {LP_FIELD("file", LP_KEY_TEXT, GraphSpec, file), .required = true},
    {LP_FIELD("format", LP_KEY_WORD, GraphSpec, format), .words = format_words, .required = true},
    {.name = "time_unit", .type = LP_KEY_CUSTOM, .read = read_unit, .shape = &lp_shape_text},
    RATES_KEYS,
};

static const LpJsonKey zoo_keys[] = {
    ID_KEY,
    {LP_FIELD("zoo", LP_KEY_TEXT, GraphSpec, zoo.name), .required = true},
    LP_COUNTED("batch", GraphSpec, zoo.batch, 1, 0),
    LP_COUNTED("layers", GraphSpec, zoo.layers, 1, 0),
    LP_COUNTED("hidden", GraphSpec, zoo.hidden, 1, 0),
    LP_COUNTED("heads", GraphSpec, zoo.heads, 1, 0),
    LP_COUNTED("sequence", GraphSpec, zoo.sequence, 1, 0),
    LP_COUNTED("vocabulary", GraphSpec, zoo.vocabulary, 1, 0),
    LP_COUNTED("bytes_per_value", GraphSpec, zoo.bytes_per_value, 1, 0),
    RATES_KEYS,
};

static const LpJsonShape file_shape = LP_OBJECT_SHAPE(file_keys);
static const LpJsonShape zoo_shape = LP_OBJECT_SHAPE(zoo_keys);
static const LpJsonShape *const file_or_zoo[] = {
    &file_shape, &zoo_shape, &lp_shape_planned, &lp_shape_ranks, &lp_shape_trace, NULL};
static const LpJsonShape graph_shape = {.form = LP_FORM_ONE_OF, .of = file_or_zoo};
static const LpJsonShape *const of_graph[] = {&graph_shape, NULL};
const LpJsonShape lp_shape_graphs = {.form = LP_FORM_LIST, .of = of_graph};

/* ---- files ---- */

static LpErr check_file_keys(LpJsonValue value, const GraphSpec *spec, LpDiag *diag) {
    LpJsonValue unit = lp_json_member(value, "time_unit");
    if (spec->format == PIPEDREAM && spec->unit == 0)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "the key \"time_unit\" is missing here, expected the unit of the "
                            "profile's times: \"ms\" (as PipeDream writes them), \"s\", \"us\" or "
                            "\"ns\"");
    if (spec->format == OWN && spec->unit != 0 && spec->unit != 1)
        return lp_json_fail(unit, diag, LP_EINVAL,
                            "\"time_unit\" has no effect on format \"lightpath\", whose times are "
                            "seconds: expected none");
    static const char *const of_work[] = {"device", "precision", "efficiency"};
    for (size_t i = 0; spec->format == PIPEDREAM && i < LP_COUNTOF(of_work); i++) {
        LpJsonValue at = lp_json_member(value, of_work[i]);
        if (at.item != NULL)
            return lp_json_fail(at, diag, LP_EINVAL,
                                "\"%s\" has no effect on format \"pipedream\", whose times were "
                                "measured: expected none",
                                of_work[i]);
    }
    return LP_OK;
}

static LpErr read_file(const LpLoader *loader, LpJsonValue at, const char *file, char **text,
                       size_t *len, char path[PATH_TEXT], LpDiag *diag) {
    LpDiag inner;
    LpErr err = lp_files_find(loader->options->files, file, loader->file, NULL, NULL, path,
                              PATH_TEXT, &inner);
    if (err != LP_OK)
        return lp_json_fail(at, diag, err, "%s", inner.text);
    err =
        lp_files_read(loader->options->files, path, loader->options->max_input, text, len, &inner);
    if (err == LP_EPARSE && diag != NULL) /* what is no text has a place of its own */
        *diag = inner;
    else if (err != LP_OK)
        return lp_json_fail(at, diag, err, "%s: %s", inner.file, inner.text);
    return err;
}

static LpErr load_file(LpLoader *loader, LpJsonValue value, GraphSpec *spec, LpGraph **out,
                       LpDiag *diag) {
    char path[PATH_TEXT];
    char *text = NULL;
    size_t len = 0;
    LP_TRY(lp_json_read(value, file_keys, LP_COUNTOF(file_keys), spec, loader->scenario->arena,
                        loader, diag));
    LP_TRY(check_file_keys(value, spec, diag));
    LP_TRY(read_file(loader, lp_json_member(value, "file"), spec->file, &text, &len, path, diag));
    LpErr err = spec->format == PIPEDREAM
                    ? lp_profile_pipedream(spec->id, path, text, len, out, diag)
                    : lp_profile_json(spec->id, path, text, len, out, diag);
    if (err == LP_OK && loader->options->keep != NULL)
        err = lp_kept_keep(loader->options->keep, path, loader->scenario->graphs, text, len, diag);
    lp_free(text);
    if (err != LP_OK)
        return err;
    if (spec->format == PIPEDREAM && spec->unit != 1 &&
        !lp_published(&loader->scenario->options, LP_OPT_TIME_UNIT))
        lp_graph_scale_time(*out, spec->unit);
    return LP_OK;
}

/* ---- the zoo ---- */

/* The zoo names the knob that it refuses. */
static LpErr fail_zoo(LpJsonValue value, LpErr err, const LpDiag *inner, LpDiag *diag) {
    LpJsonValue at = lp_json_member(value, "zoo");
    char quoted[80];
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        snprintf(quoted, sizeof quoted, "'%s'", lp_json_key(v));
        if (strstr(inner->text, quoted) != NULL)
            return lp_json_fail(v, diag, err, "%s", inner->text);
    }
    return lp_json_fail(at, diag, err, "%s", inner->text);
}

static LpErr load_zoo(LpLoader *loader, LpJsonValue value, GraphSpec *spec, LpGraph **out,
                      LpDiag *diag) {
    LpDiag inner;
    LP_TRY(lp_json_read(value, zoo_keys, LP_COUNTOF(zoo_keys), spec, loader->scenario->arena,
                        loader, diag));
    if (spec->zoo.bytes_per_value == 0 && spec->precision >= LP_PRECISION_FP16)
        spec->zoo.bytes_per_value = 2; /* what such products read; sums stay fp32 */
    LpErr err = lp_zoo_build(spec->id, &spec->zoo, out, &inner);
    return err == LP_OK ? LP_OK : fail_zoo(value, err, &inner, diag);
}

/* ---- all graphs ---- */

static LpErr check_id(const LpScenario *scenario, LpJsonValue id, LpDiag *diag) {
    if (lp_json_kind(id) != LP_JSON_TEXT)
        return LP_OK; /* the table of keys complains */
    const char *text = lp_json_text(id);
    char shown[64];
    if (text[0] == '\0')
        return lp_json_fail(id, diag, LP_EINVAL, "the id of a graph is empty");
    for (uint32_t g = 0; g < scenario->graphs; g++)
        if (strcmp(scenario->graph[g]->id, text) == 0)
            return lp_json_fail(id, diag, LP_EINVAL,
                                "two graphs have the id \"%s\", expected different ids",
                                lp_str_show(shown, sizeof shown, text));
    return LP_OK;
}

static LpErr check_times(const LpGraph *graph, LpJsonValue value, LpDiag *diag) {
    double sum =
        graph->forward_sum + graph->backward_sum + graph->activation_sum + graph->parameter_sum;
    if (isfinite(sum))
        return LP_OK;
    return lp_json_fail(value, diag, LP_ERANGE,
                        "the times or sizes of the graph add up to more than 1.8e308");
}

static LpErr load_graph(LpLoader *loader, LpJsonValue value, LpGraph **out, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    GraphSpec spec = {.device = scenario->cluster.type[0].device};
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    bool file = lp_json_member(value, "file").item != NULL;
    bool zoo = lp_json_member(value, "zoo").item != NULL;
    bool planned = lp_json_member(value, "model").item != NULL ||
                   lp_json_member(value, "parallel").item != NULL;
    if (planned && (file || zoo))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a graph has both \"%s\" and \"%s\", expected one of them",
                            file ? "file" : "zoo",
                            lp_json_member(value, "model").item != NULL ? "model" : "parallel");
    bool ranks = lp_json_member(value, "ranks").item != NULL;
    bool recorded = ranks || lp_json_member(value, "trace").item != NULL;
    if (recorded && (file || zoo || planned))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a graph has both \"%s\" and \"%s\", expected one of them",
                            ranks ? "ranks" : "trace",
                            file  ? "file"
                            : zoo ? "zoo"
                                  : "model");
    if (file == zoo && !planned && !recorded)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "a graph has %s \"file\" %s \"zoo\", expected one of them",
                            file ? "both" : "neither", file ? "and" : "nor");
    LP_TRY(check_id(scenario, lp_json_member(value, "id"), diag));
    if (recorded) {
        LP_TRY(lp_load_recorded(value, loader, out, diag));
        return check_times(*out, value, diag);
    }
    if (planned) {
        LP_TRY(lp_load_planned(value, loader, out, diag));
        return check_times(*out, value, diag);
    }
    LP_TRY(file ? load_file(loader, value, &spec, out, diag)
                : load_zoo(loader, value, &spec, out, diag));
    LpGraph *graph = *out;
    const LpRates rates = {spec.device, (LpPrecision)spec.precision, spec.efficiency == BY_SIZE};
    LpJsonValue precision = lp_json_member(value, "precision");
    LpJsonValue at = precision.item != NULL ? precision : lp_json_member(value, "efficiency");
    LpDiag inner;
    LpErr err = lp_rates_check(&rates, &inner);
    if (err != LP_OK)
        return lp_json_fail(at.item != NULL ? at : value, diag, err, "%s", inner.text);
    lp_graph_cost(graph, &rates);
    return check_times(*out, value, diag);
}

LpErr lp_load_graphs(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value);
    if (count > GRAPHS_MAX)
        return lp_json_fail(value, diag, LP_ELIMIT, "%zu graphs, limit %d", count, GRAPHS_MAX);
    scenario->graph = lp_arena_alloc(scenario->arena, count, sizeof(LpGraph *));
    if (scenario->graph == NULL)
        return lp_fail_memory(diag, "the list of graphs");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LpGraph *graph = NULL;
        LpErr err = load_graph(context, v, &graph, diag);
        if (graph != NULL)
            scenario->graph[scenario->graphs++] = graph; /* freed with the scenario */
        LP_TRY(err);
    }
    return LP_OK;
}

LpErr lp_load_graph_ref(const LpScenario *scenario, LpJsonValue value, uint32_t *out,
                        LpDiag *diag) {
    const char *names[GRAPHS_MAX];
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const char *id = lp_json_text(value);
    for (uint32_t g = 0; g < scenario->graphs; g++) {
        if (strcmp(scenario->graph[g]->id, id) == 0) {
            *out = g;
            return LP_OK;
        }
        names[g] = scenario->graph[g]->id;
    }
    char shown[64], nearest[64];
    int near = lp_str_nearest(id, names, scenario->graphs);
    lp_str_show(nearest, sizeof nearest, near >= 0 ? names[near] : NULL);
    return lp_json_fail(value, diag, LP_EINVAL, "there is no graph \"%s\", expected %s%s%s",
                        lp_str_show(shown, sizeof shown, id),
                        near >= 0 ? "\"" : "the id of an entry of \"graphs\"", nearest,
                        near >= 0 ? "\"" : "");
}
