/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "failures": what breaks by itself, how often, and for how long; and "checkpoint"
 * of a job. */
#include <stdio.h>
#include <string.h>

#include "io/files/file.h"
#include "io/scenario/loader.h"

enum { PATH_TEXT = 4096 };

#define TIME .dim = LP_DIM_TIME, .above = true

/* ---- times that are drawn ---- */

static LpErr read_law(LpJsonValue value, const LpJsonKey *keys, size_t count, LpOutageLaw law,
                      LpOutageTime *time, LpDiag *diag) {
    time->law = law;
    return lp_json_read(value, keys, count, time, NULL, NULL, diag);
}

#define NUMBER(key, field, ...)                                                                    \
    {                                                                                              \
        LP_FIELD(key, LP_KEY_QUANTITY, LpOutageTime, field), .range = {__VA_ARGS__},               \
                                                             .required = true                      \
    }

static LpErr read_exponential(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {NUMBER("mean", a, TIME)};
    (void)context;
    return read_law(value, keys, LP_COUNTOF(keys), LP_OUTAGE_EXPONENTIAL, target, diag);
}

static LpErr read_weibull(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {NUMBER("scale", a, TIME), NUMBER("shape", b, .above = true)};
    (void)context;
    return read_law(value, keys, LP_COUNTOF(keys), LP_OUTAGE_WEIBULL, target, diag);
}

static LpErr read_lognormal(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey keys[] = {NUMBER("median", a, TIME), NUMBER("sigma", b, .min = 0)};
    (void)context;
    return read_law(value, keys, LP_COUNTOF(keys), LP_OUTAGE_LOGNORMAL, target, diag);
}

static LpErr read_fixed(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonRange range = {TIME};
    LpOutageTime *time = target;
    (void)context;
    time->law = LP_OUTAGE_FIXED;
    return lp_json_quantity(value, &range, &time->a, diag);
}

static const LpJsonKey time_keys[] = {
    LP_CUSTOM("exponential", read_exponential),
    LP_CUSTOM("weibull", read_weibull),
    LP_CUSTOM("lognormal", read_lognormal),
    LP_CUSTOM("fixed", read_fixed),
};

/* A time, or an object with one of the laws. */
static LpErr read_time(LpJsonValue value, LpOutageTime *out, LpDiag *diag) {
    *out = (LpOutageTime){0};
    if (lp_json_kind(value) != LP_JSON_OBJECT)
        return read_fixed(value, out, NULL, diag);
    if (lp_json_count(value) != 1)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "\"%s\" has %zu keys, expected one of \"exponential\", \"weibull\", "
                            "\"lognormal\", \"fixed\"",
                            lp_json_key(value), lp_json_count(value));
    return lp_json_read(value, time_keys, LP_COUNTOF(time_keys), out, NULL, NULL, diag);
}

static LpErr read_fails(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpOutageProcess *process = target;
    (void)context;
    return read_time(value, &process->fails, diag);
}

static LpErr read_repair(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpOutageProcess *process = target;
    (void)context;
    return read_time(value, &process->repair, diag);
}

/* ---- kinds, preset, trace ---- */

static const LpJsonKey process_keys[] = {
    {.name = "fails", .type = LP_KEY_CUSTOM, .read = read_fails, .required = true},
    {.name = "repair", .type = LP_KEY_CUSTOM, .read = read_repair, .required = true},
};
static const LpJsonShape process_shape = LP_OBJECT_SHAPE(process_keys);

static LpErr read_process(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    int kind = lp_outage_find(lp_json_key(value));
    (void)context;
    scenario->outages.any = true;
    return lp_json_read(value, process_keys, LP_COUNTOF(process_keys),
                        &scenario->outages.process[kind], NULL, NULL, diag);
}

static const char *const preset_words[] = {"nsdi24", NULL};
static const LpJsonShape preset_shape = {.form = LP_FORM_WORD, .words = preset_words};

static LpErr read_preset(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    int word;
    (void)context;
    LP_TRY(lp_json_word(value, preset_words, &word, diag));
    lp_outage_nsdi24(&scenario->outages);
    return LP_OK;
}

/* The lines themselves, or the file that has them: lines have commas. */
static LpErr read_trace(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpScenario *scenario = target;
    char path[PATH_TEXT], *text = NULL;
    size_t len = 0;
    LpDiag inner;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    scenario->outages.any = true;
    scenario->trace = lp_json_text(value);
    if (strchr(scenario->trace, ',') == NULL) {
        LpErr err = lp_files_find(loader->options->files, scenario->trace, loader->file, NULL, NULL,
                                  path, PATH_TEXT, &inner);
        if (err == LP_OK)
            err = lp_files_read(loader->options->files, path, loader->options->max_input, &text,
                                &len, &inner);
        if (err != LP_OK)
            return lp_json_fail(value, diag, err, "%s", inner.text);
        scenario->trace = text;
        scenario->trace_file = lp_arena_strdup(scenario->arena, path);
    }
    scenario->trace = lp_arena_strdup(scenario->arena, scenario->trace);
    lp_free(text);
    return scenario->trace != NULL ? LP_OK : lp_fail_memory(diag, "a trace of failures");
}

static const LpJsonKey failure_keys[] = {
    {.name = "preset", .type = LP_KEY_CUSTOM, .read = read_preset, .shape = &preset_shape},
#define X(id, word)                                                                                \
    {.name = #word, .type = LP_KEY_CUSTOM, .read = read_process, .shape = &process_shape},
    LP_OUTAGE_KINDS(X)
#undef X
        {.name = "trace", .type = LP_KEY_CUSTOM, .read = read_trace, .shape = &lp_shape_text},
};

const LpJsonShape lp_shape_failures = LP_OBJECT_SHAPE(failure_keys);

LpErr lp_load_failures(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    return lp_json_read(value, failure_keys, LP_COUNTOF(failure_keys), target, NULL, context, diag);
}

/* ---- checkpoints ---- */

static LpErr read_interval(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonRange range = {TIME};
    LpCheckpointSpec *spec = target;
    const char *text = lp_json_text(value);
    (void)context;
    spec->rule = text != NULL && strcmp(text, "young") == 0  ? LP_CHECKPOINT_YOUNG
                 : text != NULL && strcmp(text, "daly") == 0 ? LP_CHECKPOINT_DALY
                                                             : LP_CHECKPOINT_EVERY;
    return spec->rule == LP_CHECKPOINT_EVERY
               ? lp_json_quantity(value, &range, &spec->interval, diag)
               : LP_OK;
}

static const LpJsonKey checkpoint_keys[] = {
    {.name = "interval", .type = LP_KEY_CUSTOM, .read = read_interval, .required = true},
    LP_QUANTITY("cost", LpCheckpointSpec, cost, .dim = LP_DIM_TIME),
    LP_QUANTITY("restart", LpCheckpointSpec, restart, .dim = LP_DIM_TIME),
};
const LpJsonShape lp_shape_checkpoint = LP_OBJECT_SHAPE(checkpoint_keys);

LpErr lp_load_checkpoint(LpJsonValue value, LpCheckpointSpec *out, LpDiag *diag) {
    LP_TRY(
        lp_json_read(value, checkpoint_keys, LP_COUNTOF(checkpoint_keys), out, NULL, NULL, diag));
    if (out->rule != LP_CHECKPOINT_EVERY && !(out->cost > 0))
        return lp_json_fail(value, diag, LP_EINVAL,
                            "the interval follows from the cost, which is 0: expected a cost above "
                            "0, or an interval");
    return LP_OK;
}
