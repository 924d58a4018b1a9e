/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenario files: the top-level keys, in the order in which they depend on each other. */
#include "io/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "io/files/file.h"
#include "io/lesson/lesson.h"
#include "io/scenario/loader.h"
#include "io/scenario/recorded.h"
#include "sim/facts/worst.h"

/* ---- version and semantics ---- */

static const char *const semantics_words[] = {"corrected", "published", NULL};

static LpErr read_semantics(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpScenario *scenario = target;
    int word;
    LP_TRY(lp_json_word(value, semantics_words, &word, diag));
    scenario->semantics_published = word == 1;
    scenario->options = word == 1 ? lp_options_published() : lp_options_corrected();
    return LP_OK;
}

static LpErr fail_option(LpJsonValue value, LpDiag *diag) {
    const char *names[LP_OPT_COUNT];
    for (int o = 0; o < LP_OPT_COUNT; o++)
        names[o] = lp_option_info((LpOption)o)->name;
    LpBuf said = {0};
    char shown[64];
    int near = lp_str_nearest(lp_json_key(value), names, LP_OPT_COUNT);
    for (int o = 0; near < 0 && o < LP_OPT_COUNT; o++)
        lp_buf_addf(&said, "%s\"%s\"", o > 0 ? ", " : "one of ", names[o]);
    LpErr err = lp_json_fail_key(value, diag, LP_EINVAL, "unknown option \"%s\", expected %s%s%s",
                                 lp_str_show(shown, sizeof shown, lp_json_key(value)),
                                 near >= 0 ? "\"" : lp_buf_text(&said),
                                 near >= 0 ? names[near] : "", near >= 0 ? "\"" : "");
    lp_buf_fini(&said);
    return err;
}

static LpErr read_options(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpScenario *scenario = target;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        int option = lp_option_find(lp_json_key(v)), word;
        if (option < 0)
            return fail_option(v, diag);
        LP_TRY(lp_json_word(v, semantics_words, &word, diag));
        scenario->options.published[option] = word == 1;
    }
    LpDiag inner;
    LpErr err = lp_options_check(&scenario->options, &inner);
    return err == LP_OK ? LP_OK : lp_json_fail(value, diag, err, "%s", inner.text);
}

static const LpJsonKey partition_keys[] = {
    LP_COUNTED("max_degree", LpPartitionDefaults, max_degree, 1, 0),
    LP_QUANTITY("min_op_time", LpPartitionDefaults, min_op_time, .dim = LP_DIM_TIME, .above = true),
    {LP_FIELD("kind", LP_KEY_WORD, LpPartitionDefaults, kind), .words = lp_partition_words},
    {LP_FIELD("overlap", LP_KEY_FLAG, LpPartitionDefaults, overlap)},
    {LP_FIELD("sequence", LP_KEY_FLAG, LpPartitionDefaults, sequence)},
    {LP_FIELD("max_deps", LP_KEY_COUNT64, LpPartitionDefaults, max_deps),
     .range = {.min = 1, .max = 1e12}},
};

/* ---- small objects ---- */
static LpErr read_partition(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    return lp_json_read(value, partition_keys, LP_COUNTOF(partition_keys), &scenario->partition,
                        scenario->arena, context, diag);
}

static const LpJsonKey memory_keys[] = {
    LP_QUANTITY("state_factor", LpScenario, state_factor, .min = 0),
};

static LpErr read_memory(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return lp_json_read(value, memory_keys, LP_COUNTOF(memory_keys), target, NULL, context, diag);
}

#define SCALE(key, field) LP_QUANTITY(key, LpScenario, field, .above = true)
static const LpJsonKey scale_keys[] = {
    SCALE("compute", compute),
    SCALE("bandwidth", scale.bandwidth),
    SCALE("latency", scale.latency),
    SCALE("reconfiguration", scale.reconfiguration),
};

static LpErr read_scale(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return lp_json_read(value, scale_keys, LP_COUNTOF(scale_keys), target, NULL, context, diag);
}

static const LpJsonKey measure_keys[] = {
    LP_QUANTITY("from", LpScenario, measure_from, .dim = LP_DIM_TIME),
    LP_QUANTITY("until", LpScenario, measure_until, .dim = LP_DIM_TIME, .above = true),
};

static LpErr read_measure(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    scenario->has_measure = true;
    return lp_json_read(value, measure_keys, LP_COUNTOF(measure_keys), scenario, NULL, context,
                        diag);
}

static const char *const too_large_words[] = {"error", "block", NULL};
static const LpJsonShape too_large_shape = {.form = LP_FORM_WORD, .words = too_large_words};

static LpErr read_too_large(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LpScenario *scenario = target;
    int word;
    LP_TRY(lp_json_word(value, too_large_words, &word, diag));
    scenario->too_large_blocks = word == 1;
    return LP_OK;
}

/* ---- the clock ---- */

static LpErr read_epoch_date(LpJsonValue value, LpEpoch *epoch, bool offset_said, LpDiag *diag) {
    char found[80];
    LpDate date;
    if (lp_json_kind(value) != LP_JSON_TEXT || lp_date_parse(lp_json_text(value), &date) != LP_OK)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"epoch\" is %s, expected a date such as \"2026-03-01T00:00:00Z\", or "
                            "seconds since 1970",
                            lp_json_found(value, found, sizeof found));
    if (date.zoned && !offset_said)
        epoch->offset = date.offset;
    epoch->local = !date.zoned && !offset_said;
    epoch->seconds = date.seconds - (date.zoned ? date.offset : epoch->offset);
    return LP_OK;
}

static LpErr read_epoch(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonRange since_1970 = {.max = 253402300799.0};
    const LpLoader *loader = context;
    LpScenario *scenario = target;
    LpEpoch epoch = {.given = true};
    char found[80];
    LpJsonValue offset = lp_json_member(lp_json_root(loader->doc), "epoch_offset");
    if (offset.item != NULL && (lp_json_kind(offset) != LP_JSON_TEXT ||
                                lp_date_parse_offset(lp_json_text(offset), &epoch.offset) != LP_OK))
        return lp_json_fail(
            offset, diag, LP_EINVAL,
            "\"epoch_offset\" is %s, expected how far clocks are ahead of UTC, such "
            "as \"+01:00\"",
            lp_json_found(offset, found, sizeof found));
    if (lp_json_kind(value) == LP_JSON_NUMBER)
        LP_TRY(lp_json_quantity(value, &since_1970, &epoch.seconds, diag));
    else
        LP_TRY(read_epoch_date(value, &epoch, offset.item != NULL, diag));
    scenario->epoch = epoch;
    return LP_OK;
}

/* It is read with the epoch. */
static LpErr read_epoch_offset(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    (void)target;
    if (lp_json_member(lp_json_root(loader->doc), "epoch").item != NULL)
        return LP_OK;
    return lp_json_fail_key(value, diag, LP_EINVAL,
                            "\"epoch_offset\" says how far clocks are from UTC, and there is no "
                            "\"epoch\" that says when time 0 was");
}

static LpErr read_lesson(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpLoader *loader = context;
    LpScenario *scenario = target;
    if (lp_json_member(lp_json_root(loader->doc), "semantics").item == NULL)
        return lp_json_fail_key(value, diag, LP_EINVAL,
                                "a lesson says by which rules it computes: expected the key "
                                "\"semantics\" in the scenario");
    return lp_lesson_read(value, scenario->arena, &scenario->lesson, diag);
}

/* A letter and a number, such as d57. */
static bool is_numbered(const char *text) {
    uint64_t number;
    return (text[0] == 'd' || text[0] == 'e' || text[0] == 'j') &&
           lp_num_parse_u64(text + 1, &number, NULL) == LP_OK;
}

/* Where the explorer begins, in the words of session/moment/moment.h. */
static LpErr read_open(LpJsonValue value, void *target, void *context LP_UNUSED, LpDiag *diag) {
    LpScenario *scenario = target;
    double time;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const char *text = lp_json_text(value);
    bool worst = strcmp(text, "worst") == 0 ||
                 (strncmp(text, "worst ", 6) == 0 && lp_worst_find_word(text + 6) >= 0);
    bool at = lp_quantity_parse(text, LP_DIM_TIME, &time, NULL) == LP_OK && time >= 0;
    if (!worst && !is_numbered(text) && !at && strcmp(text, "first") != 0)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "expected first, worst, \"worst queue\", \"worst longest\" or a moment "
                            "such as d57, j12 or \"4000 s\"");
    scenario->open = NULL;
    if (strcmp(text, "first") == 0)
        return LP_OK;
    scenario->open = lp_arena_strdup(scenario->arena, text);
    return scenario->open != NULL ? LP_OK : lp_fail_memory(diag, "a scenario");
}

/* ---- the file ---- */

static const LpJsonShape open_shape = {.form = LP_FORM_TEXT};

static const LpJsonShape semantics_shape = {.form = LP_FORM_WORD, .words = semantics_words};
static const LpJsonShape *const of_semantics[] = {&semantics_shape, NULL};
#define X(id, name, quirks, published, corrected) name,
static const char *const option_words[] = {LP_OPTION_TABLE(X) NULL};
#undef X
static const LpJsonShape options_shape = {
    .form = LP_FORM_MAP, .words = option_words, .of = of_semantics};
const LpJsonShape lp_shape_partition = LP_OBJECT_SHAPE(partition_keys);
static const LpJsonShape memory_shape = LP_OBJECT_SHAPE(memory_keys);
static const LpJsonShape measure_shape = LP_OBJECT_SHAPE(measure_keys);
static const LpJsonShape scale_shape = LP_OBJECT_SHAPE(scale_keys);

static const char *const on_failure_words[] = {
#define X(id, word, meaning) #word,
    LP_ON_FAILURE_TABLE(X)
#undef X
        NULL};
static const char *const queue_words[] = {"loss", "fifo", NULL}; /* as LpQueueRule */

/* The first rows say what the defaults of the others are. */
enum { HEAD = 7 };

static const LpJsonKey scenario_keys[] = {
    {.name = "lightpath",
     .type = LP_KEY_CUSTOM,
     .read = lp_json_read_format,
     .shape = &lp_shape_format,
     .required = true},
    {LP_FIELD("name", LP_KEY_TEXT, LpScenario, name)},
    {LP_FIELD("title", LP_KEY_TEXT, LpScenario, title)},
    {LP_FIELD("notes", LP_KEY_TEXT, LpScenario, notes)},
    {LP_FIELD("seed", LP_KEY_COUNT64, LpScenario, seed)},
    {.name = "semantics", .type = LP_KEY_CUSTOM, .read = read_semantics, .shape = &semantics_shape},
    {.name = "options", .type = LP_KEY_CUSTOM, .read = read_options, .shape = &options_shape},
    {.name = "partition",
     .type = LP_KEY_CUSTOM,
     .read = read_partition,
     .shape = &lp_shape_partition},
    {.name = "memory", .type = LP_KEY_CUSTOM, .read = read_memory, .shape = &memory_shape},
    {.name = "failures",
     .type = LP_KEY_CUSTOM,
     .read = lp_load_failures,
     .shape = &lp_shape_failures},
    {LP_FIELD("on_failure", LP_KEY_WORD, LpScenario, on_failure), .words = on_failure_words},
    {LP_FIELD("queue", LP_KEY_WORD, LpScenario, queue), .words = queue_words},
    LP_COUNTED("queue_capacity", LpScenario, queue_capacity, 1, 0),
    LP_QUANTITY("horizon", LpScenario, horizon, .dim = LP_DIM_TIME, .above = true),
    {.name = "measure", .type = LP_KEY_CUSTOM, .read = read_measure, .shape = &measure_shape},
    {.name = "epoch", .type = LP_KEY_CUSTOM, .read = read_epoch, .shape = &lp_shape_text_or_number},
    {.name = "epoch_offset",
     .type = LP_KEY_CUSTOM,
     .read = read_epoch_offset,
     .shape = &lp_shape_text},
    {.name = "too_large", .type = LP_KEY_CUSTOM, .read = read_too_large, .shape = &too_large_shape},
    {LP_FIELD("reveal", LP_KEY_FLAG, LpScenario, reveal)},
    {LP_FIELD("kill_at_requested", LP_KEY_FLAG, LpScenario, kill_at_requested)},
    {.name = "policy", .type = LP_KEY_CUSTOM, .read = lp_load_policy, .shape = &lp_shape_policy},
    {.name = "devices", .type = LP_KEY_CUSTOM, .read = lp_load_devices, .shape = &lp_shape_devices},
    {.name = "cluster", .type = LP_KEY_CUSTOM, .read = lp_load_cluster, .shape = &lp_shape_cluster},
    {.name = "scale", .type = LP_KEY_CUSTOM, .read = read_scale, .shape = &scale_shape},
    {.name = "graphs", .type = LP_KEY_CUSTOM, .read = lp_load_graphs, .shape = &lp_shape_graphs},
    {.name = "jobs", .type = LP_KEY_CUSTOM, .read = lp_load_jobs, .shape = &lp_shape_jobs},
    {.name = "import", .type = LP_KEY_CUSTOM, .read = lp_load_import, .shape = &lp_shape_import},
    {.name = "generator",
     .type = LP_KEY_CUSTOM,
     .read = lp_load_generator,
     .shape = &lp_shape_generator},
    {.name = "open", .type = LP_KEY_CUSTOM, .read = read_open, .shape = &open_shape},
    {.name = "lesson", .type = LP_KEY_CUSTOM, .read = read_lesson, .shape = &lp_shape_lesson},
};

const LpJsonShape lp_shape_scenario = LP_OBJECT_SHAPE(scenario_keys);

static const char *shown_name(const char *file) {
    return strcmp(file, "-") == 0 ? "standard input" : file;
}

static LpErr check_workload(LpJsonValue root, LpDiag *diag) {
    LpJsonValue jobs = lp_json_member(root, "jobs");
    LpJsonValue generator = lp_json_member(root, "generator");
    if (jobs.item != NULL && generator.item != NULL)
        return lp_json_fail_key(generator, diag, LP_EINVAL,
                                "\"jobs\" and \"generator\" exclude each other, expected one");
    if (jobs.item == NULL && generator.item == NULL)
        return lp_json_fail(root, diag, LP_EINVAL,
                            "there is no work, expected the key \"jobs\" or \"generator\"");
    return LP_OK;
}

/* What is wrong with the whole has no value of its own: the key that the sentence begins with, the
 * graph that it names, or else the file. */
static LpErr fail_whole(const LpLoader *loader, const LpDiag *inner, LpDiag *diag) {
    if (inner->line > 0) /* of another file, such as a trace of failures */
        return lp_fail_at(diag, inner->code, inner->file, inner->line, inner->col, "%s",
                          inner->text);
    LpJsonValue at = lp_json_at_path(loader->doc, inner->text);
    LpJsonValue graph = lp_json_first(lp_json_member(lp_json_root(loader->doc), "graphs"));
    for (; at.item == NULL && graph.item != NULL; graph = lp_json_next(graph)) {
        char begin[128], shown[64];
        lp_str_show(shown, sizeof shown, lp_json_text(lp_json_member(graph, "id")));
        int len = snprintf(begin, sizeof begin, "graph \"%s\" ", shown);
        if (strncmp(inner->text, begin, (size_t)len) == 0)
            at = graph;
    }
    if (inner->code == LP_ENOMEM || at.item == NULL)
        return lp_fail_at(diag, inner->code, shown_name(loader->file), 0, 0, "%s", inner->text);
    return lp_json_fail(at, diag, inner->code, "%s", inner->text);
}

static LpErr read_root(LpLoader *loader, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    LpJsonValue root = lp_json_root(loader->doc);
    LpDiag inner;
    LP_TRY(lp_json_check_keys(root, scenario_keys, LP_COUNTOF(scenario_keys), diag));
    LP_TRY(check_workload(root, diag));
    LP_TRY(lp_json_read_keys(root, scenario_keys, HEAD, scenario, scenario->arena, loader, diag));
    lp_scenario_default_rules(scenario);
    LP_TRY(lp_json_read_keys(root, scenario_keys + HEAD, LP_COUNTOF(scenario_keys) - HEAD, scenario,
                             scenario->arena, loader, diag));
    if (lp_json_member(root, "queue_capacity").item == NULL)
        lp_scenario_default_queue(scenario);
    if (lp_json_member(root, "queue_capacity").item == NULL && loader->imported_queue > 0)
        scenario->queue_capacity = loader->imported_queue; /* replayed jobs wait */
    scenario->answers = lp_json_member(root, "on_failure").item != NULL;
    LpErr err = lp_scenario_finish(scenario, &inner);
    return err == LP_OK ? LP_OK : fail_whole(loader, &inner, diag);
}

/* The file's name without folder and ending, where the scenario states no name. */
static LpErr name_after_file(LpScenario *scenario, const char *file, LpDiag *diag) {
    const char *slash = strrchr(file, '/');
    const char *stem = slash != NULL ? slash + 1 : file;
    const char *dot = strrchr(stem, '.');
    size_t len = dot != NULL && dot != stem ? (size_t)(dot - stem) : strlen(stem);
    scenario->file = lp_arena_strdup(scenario->arena, file);
    scenario->name =
        strcmp(file, "-") == 0 ? "scenario" : lp_arena_strndup(scenario->arena, stem, len);
    if (scenario->file == NULL || scenario->name == NULL)
        return lp_fail_memory(diag, "a scenario");
    return LP_OK;
}

/* Sets a key of the document to a text; what is set lives in the arena. */
static LpErr set_text(LpJson *doc, LpArena *arena, const char *path, const char *text,
                      LpDiag *diag) {
    LpBuf line = {0};
    lp_buf_addf(&line, "%s=", path);
    lp_str_json(&line, text);
    LpErr err = lp_buf_ok(&line, diag);
    const char *kept = err == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&line)) : NULL;
    lp_buf_fini(&line);
    if (err == LP_OK && kept == NULL)
        err = lp_fail_memory(diag, "a scenario");
    return err == LP_OK ? lp_json_set(doc, kept, diag) : err;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The document; jobs of a trace stand in it as a list, and the capacity that they imply. */
static void print_kept(const LpLoader *loader, LpJsonValue root, LpBuf *out) {
    const char *before = "{";
    if (loader->imported.len == 0) {
        lp_json_print(root, out);
        return;
    }
    for (LpJsonValue v = lp_json_first(root); v.item != NULL; v = lp_json_next(v)) {
        lp_buf_add(out, before);
        lp_str_json(out, lp_json_key(v));
        lp_buf_add(out, ":");
        if (strcmp(lp_json_key(v), "jobs") == 0)
            lp_buf_add_bytes(out, loader->imported.text, loader->imported.len);
        else
            lp_json_print(v, out);
        before = ",";
    }
    if (lp_json_member(root, "queue_capacity").item == NULL)
        lp_buf_addf(out, ",\"queue_capacity\":%u", loader->scenario->queue_capacity);
    lp_buf_add(out, "}");
}

/* Recorded steps that were read from files, written out. */
static LpErr keep_recorded(const LpLoader *loader, LpJson *doc, LpDiag *diag) {
    LpArena *arena = loader->options->keep->arena;
    LpJsonValue value = lp_json_first(lp_json_member(lp_json_root(doc), "graphs"));
    static const char *const same[] = {"device", "precision"};
    for (uint32_t g = 0; value.item != NULL; g++, value = lp_json_next(value)) {
        const LpGraph *graph = loader->scenario->graph[g];
        LpBuf text = {0};
        LpJsonOut json = {.out = &text};
        if (lp_json_member(value, "trace").item == NULL)
            continue;
        lp_buf_addf(&text, "graphs[%u]=", (unsigned)g);
        lp_json_open(&json, NULL, '{');
        lp_json_put_text(&json, "id", graph->id);
        for (size_t i = 0; i < LP_COUNTOF(same); i++) {
            LpJsonValue of = lp_json_member(value, same[i]);
            if (of.item != NULL)
                lp_json_put_text(&json, same[i], lp_json_text(of));
        }
        lp_recorded_put(graph->trace, graph->trace_rules, &json);
        lp_json_close(&json, '}');
        LpErr err = lp_buf_ok(&text, diag);
        const char *kept = err == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&text)) : NULL;
        lp_buf_fini(&text);
        if (err == LP_OK && kept == NULL)
            err = lp_fail_memory(diag, "a scenario");
        LP_TRY(err);
        LP_TRY(lp_json_set(doc, kept, diag));
        value = lp_json_first(lp_json_member(lp_json_root(doc), "graphs"));
        for (uint32_t i = 0; i < g; i++)
            value = lp_json_next(value);
    }
    return LP_OK;
}

/* The document as it was meant, with the files by the names under which they are kept. */
static LpErr keep_document(const LpLoader *loader, LpJson *doc, LpDiag *diag) {
    LpKept *keep = loader->options->keep;
    LpBuf text = {0};
    char path[64];
    for (size_t i = 0; i < keep->files; i++) {
        snprintf(path, sizeof path, "graphs[%zu].file", keep->file[i].graph);
        LP_TRY(set_text(doc, keep->arena, path, keep->file[i].name, diag));
    }
    LP_TRY(keep_recorded(loader, doc, diag));
    const char *script = loader->scenario->policy.script;
    if (script != NULL)
        LP_TRY(set_text(doc, keep->arena, "policy.script", last_part(script), diag));
    if (loader->scenario->trace != NULL) /* its lines, whatever file they were in */
        LP_TRY(set_text(doc, keep->arena, "failures.trace", loader->scenario->trace, diag));
    print_kept(loader, lp_json_root(doc), &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK) {
        keep->scenario = lp_arena_strdup(keep->arena, lp_buf_text(&text));
        keep->name = lp_arena_strdup(keep->arena, last_part(shown_name(loader->file)));
        if (keep->scenario == NULL || keep->name == NULL)
            err = lp_fail_memory(diag, "a scenario");
    }
    lp_buf_fini(&text);
    return err;
}

static LpErr read_document(LpLoader *loader, LpJson *doc, LpDiag *diag) {
    const LpLoadOptions *options = loader->options;
    for (uint32_t i = 0; i < options->sets; i++)
        LP_TRY(lp_json_set(doc, options->set[i], diag));
    LP_TRY(name_after_file(loader->scenario, loader->file, diag));
    LP_TRY(read_root(loader, diag));
    return loader->options->keep != NULL ? keep_document(loader, doc, diag) : LP_OK;
}

LpErr lp_scenario_parse(const char *text, size_t len, const char *file,
                        const LpLoadOptions *options, LpScenario **out, LpDiag *diag) {
    static const LpLoadOptions none = {0};
    LpJson *doc = NULL;
    if (file == NULL)
        file = "-";
    LP_TRY(lp_json_parse(shown_name(file), text, len, &doc, diag));
    LpScenario *scenario = lp_scenario_new();
    LpLoader loader = {.scenario = scenario,
                       .options = options != NULL ? options : &none,
                       .file = file,
                       .doc = doc};
    LpErr err =
        scenario != NULL ? read_document(&loader, doc, diag) : lp_fail_memory(diag, "a scenario");
    lp_json_free(doc);
    lp_buf_fini(&loader.imported);
    if (err == LP_OK)
        *out = scenario;
    else
        lp_scenario_free(scenario);
    return err;
}

LpErr lp_scenario_load(const char *path, const LpLoadOptions *options, LpScenario **out,
                       LpDiag *diag) {
    char *text;
    size_t len;
    const LpFiles *files = options != NULL ? options->files : NULL;
    LP_TRY(lp_files_read(files, path, options != NULL ? options->max_input : 0, &text, &len, diag));
    LpErr err = lp_scenario_parse(text, len, path, options, out, diag);
    lp_free(text);
    return err;
}
