/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of `predict` as a scenario: written as JSON and read like any other, so that they are
 * checked alike and --set reaches everything. */
#include <string.h>

#include "ask/predict/predict_impl.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "base/num.h"
#include "host/paths.h"
#include "host/profile.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "io/scenario/scenario.h"
#include "model/fabric/fabric.h"

static const char NAME[] = "predict", ZOO[] = "zoo:";

/* What the options are, checked. A negative number is not given. */
typedef struct Options {
    const LpPredictSpec *spec;
    const LpFabricOps *fabric;
    uint32_t size[LP_FORM_SIZES];
    double bandwidth, latency, io_latency, quantum;
    bool zoo;
    char name[128]; /* of the graph */
    LpProfileFormat format;
} Options;

/* ---- reading the options ---- */

/* Whole numbers joined by 'x', exactly `count` of them. */
static bool read_sizes(const char *text, uint32_t *out, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = 0;
        int digits = 0;
        for (; *text >= '0' && *text <= '9' && digits < 8; text++, digits++)
            value = 10 * value + (uint64_t)(*text - '0');
        if (digits == 0 || value == 0 || *text++ != (i + 1 < count ? 'x' : '\0'))
            return false;
        out[i] = (uint32_t)value;
    }
    return true;
}

/* Lists the fabrics that there are, without geometry last. */
static LpErr fail_fabric(const char *text, LpDiag *diag) {
    const char *usage[LP_FABRIC_COUNT];
    char shown[64];
    LpBuf all = {0};
    int count = 0;
    for (int last = 0; last < 2; last++)
        for (int kind = 0; kind < LP_FABRIC_COUNT; kind++)
            if (lp_fabric_ops((LpFabricKind)kind)->reserves == (last == 1))
                usage[count++] = lp_fabric_ops((LpFabricKind)kind)->form.usage;
    for (int i = 0; i < count; i++)
        lp_buf_addf(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", usage[i]);
    LpErr err = lp_fail(diag, LP_EINVAL, "--fabric %s: expected %s",
                        lp_str_show(shown, sizeof shown, text), lp_buf_text(&all));
    lp_buf_fini(&all);
    return err;
}

static LpErr read_fabric(Options *o, LpDiag *diag) {
    const char *text = o->spec->fabric != NULL ? o->spec->fabric : "ramp:4x4x2";
    for (int kind = 0; kind < LP_FABRIC_COUNT; kind++) {
        o->fabric = lp_fabric_ops((LpFabricKind)kind);
        size_t len = strlen(o->fabric->name);
        if (strncmp(text, o->fabric->name, len) == 0 && text[len] == ':' &&
            read_sizes(text + len + 1, o->size, o->fabric->form.sizes))
            return LP_OK;
    }
    return fail_fabric(text, diag);
}

/* An option's quantity; `above`: more than 0, else 0 or more. */
static LpErr read_quantity(const char *option, const char *text, LpDimension dim, bool above,
                           double *out, LpDiag *diag) {
    LpDiag inner;
    char shown[64];
    *out = -1;
    if (text == NULL)
        return LP_OK;
    LpErr err = lp_quantity_parse(text, dim, out, &inner);
    if (err != LP_OK)
        return lp_fail(diag, err, "%s: %s", option, inner.text);
    if (*out < 0 || (above && *out == 0))
        return lp_fail(diag, LP_ERANGE, "%s %s: expected %s", option,
                       lp_str_show(shown, sizeof shown, text), above ? "more than 0" : "0 or more");
    return LP_OK;
}

/* Seconds in what a bare quantum counts. */
static LpErr quantum_unit(const Options *o, double *unit, LpDiag *diag) {
    LpDiag inner;
    *unit = 1;
    if (o->spec->time_unit != NULL && lp_profile_unit(o->spec->time_unit, unit, &inner) != LP_OK)
        return lp_fail(diag, inner.code, "--time-unit: %s", inner.text);
    if (o->spec->time_unit == NULL && !o->zoo && o->format == LP_PROFILE_PIPEDREAM)
        *unit = 1e-3;
    if (o->spec->published)
        *unit = 1;
    return LP_OK;
}

/* Reads the file once to see that it is there and which format it has. */
static LpErr read_graph(Options *o, LpDiag *diag) {
    o->zoo = strncmp(o->spec->graph, ZOO, strlen(ZOO)) == 0;
    lp_profile_name(o->zoo ? o->spec->graph + strlen(ZOO) : o->spec->graph, o->name,
                    sizeof o->name);
    if (o->zoo)
        return LP_OK;
    if (strcmp(o->spec->graph, "-") == 0)
        return lp_fail(diag, LP_EINVAL, "standard input: expected a profile in a file");
    LP_TRY(lp_profile_detect(o->spec->graph, o->spec->max_input, &o->format, diag));
    if (o->format == LP_PROFILE_NEITHER)
        return lp_fail_at(diag, LP_EPARSE, o->spec->graph, 1, 1,
                          "this is no profile, expected PipeDream's text, or JSON with the key "
                          "\"lightpath_profile\"");
    return LP_OK;
}

/* ---- writing the scenario ---- */

/* A negative number was not given. */
static void add_number(LpJsonOut *out, const char *key, double value) {
    if (value >= 0)
        lp_json_put_number(out, key, value);
}

static void add_parameters(LpJsonOut *out, const Options *o) {
    const LpFabricForm *form = &o->fabric->form;
    for (uint32_t i = 0; i < form->sizes; i++)
        lp_json_put_count(out, form->size[i], o->size[i]);
    for (int i = 0; i < 2 && form->bandwidth[i] != NULL; i++)
        add_number(out, form->bandwidth[i], o->bandwidth);
    for (int i = 0; i < 2 && form->latency[i] != NULL; i++)
        add_number(out, form->latency[i], o->latency);
}

static void add_cluster(LpJsonOut *out, const Options *o) {
    const LpFabricForm *form = &o->fabric->form;
    lp_json_open(out, "cluster", '{');
    lp_json_put_text(out, "fabric", o->fabric->name);
    lp_json_open(out, o->fabric->name, '{');
    if (form->write != NULL)
        form->write(o->size, o->bandwidth, o->latency, out);
    else
        add_parameters(out, o);
    add_number(out, "io_latency", o->io_latency);
    if (form->more != NULL)
        lp_buf_add(out->out, form->more);
    lp_json_close(out, '}');
    if (o->spec->device != NULL) {
        lp_json_open(out, "server", '{');
        lp_json_put_text(out, "device", o->spec->device);
        lp_json_close(out, '}');
    }
    lp_json_close(out, '}');
}

static const char *graph_id(const Options *o) {
    return o->name[0] != '\0' ? o->name : "graph";
}

static void add_graph(LpJsonOut *out, const Options *o) {
    const char *unit = o->spec->time_unit;
    bool own = o->format == LP_PROFILE_OWN;
    lp_json_open(out, "graphs", '[');
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "id", graph_id(o));
    lp_json_put_text(out, o->zoo ? "zoo" : "file", o->spec->graph + (o->zoo ? strlen(ZOO) : 0));
    if (!o->zoo)
        lp_json_put_text(out, "format", own ? "lightpath" : "pipedream");
    if (!o->zoo && !own)
        lp_json_put_text(out, "time_unit", unit != NULL ? unit : "ms");
    if (o->spec->precision != NULL)
        lp_json_put_text(out, "precision", o->spec->precision);
    if (o->spec->efficiency != NULL)
        lp_json_put_text(out, "efficiency", o->spec->efficiency);
    lp_json_close(out, '}');
    lp_json_close(out, ']');
}

/* The largest degree asked for must pass wherever one is checked. */
static uint32_t max_degree(const LpPredictSpec *spec) {
    uint32_t most = LP_SERVERS_MAX;
    for (uint32_t i = 0; i < spec->degrees; i++)
        if (spec->degree[i] > most)
            most = spec->degree[i];
    return most;
}

static void add_all(LpBuf *text, const Options *o) {
    const LpPredictSpec *spec = o->spec;
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_put_text(&out, "name", NAME);
    lp_json_put_text(&out, "semantics", spec->published ? "published" : "corrected");
    add_cluster(&out, o);
    add_graph(&out, o);
    lp_json_open(&out, "jobs", '[');
    lp_json_open(&out, NULL, '{');
    lp_json_put_text(&out, "graph", graph_id(o));
    lp_json_put_count(&out, "arrival", 0);
    lp_json_put_number(&out, "steps", spec->steps > 0 ? spec->steps : 50);
    lp_json_close(&out, '}');
    lp_json_close(&out, ']');
    lp_json_open(&out, "partition", '{');
    lp_json_put_count(&out, "max_degree", max_degree(spec));
    add_number(&out, "min_op_time", o->quantum);
    if (spec->kind != NULL)
        lp_json_put_text(&out, "kind", spec->kind);
    lp_json_close(&out, '}');
    lp_json_close(&out, '}');
}

/* The place in the text that nobody wrote says nothing. */
static void forget_place(LpDiag *diag) {
    if (strcmp(diag->file, NAME) != 0)
        return;
    diag->file[0] = '\0';
    diag->line = diag->col = 0;
}

LpErr lp_predict_scenario(const LpPredictSpec *spec, LpScenario **out, LpDiag *diag) {
    Options options;
    LpPaths paths;
    LpDiag inner = {0};
    LpLoadOptions load = {.sets = spec->sets,
                          .set = spec->set,
                          .max_input = spec->max_input,
                          .data_dirs = lp_paths_dirs(&paths)};
    LpBuf text = {0};
    Options *o = &options;
    *o = (Options){.spec = spec};
    LP_TRY(read_fabric(o, diag));
    LP_TRY(read_graph(o, diag));
    LP_TRY(
        read_quantity("--bandwidth", spec->bandwidth, LP_DIM_BANDWIDTH, true, &o->bandwidth, diag));
    LP_TRY(read_quantity("--latency", spec->latency, LP_DIM_TIME, false, &o->latency, diag));
    LP_TRY(
        read_quantity("--io-latency", spec->io_latency, LP_DIM_TIME, false, &o->io_latency, diag));
    double unit, number;
    LP_TRY(quantum_unit(o, &unit, diag));
    LP_TRY(read_quantity("--quantum", o->spec->quantum, LP_DIM_TIME, true, &o->quantum, diag));
    if (o->spec->quantum != NULL && lp_num_parse(o->spec->quantum, &number, NULL) == LP_OK)
        o->quantum = number * unit;
    add_all(&text, &options);
    LpErr err = lp_buf_ok(&text, &inner);
    if (err == LP_OK)
        err = lp_scenario_parse(text.text, text.len, NAME, &load, out, &inner);
    lp_buf_fini(&text);
    forget_place(&inner);
    if (err != LP_OK && diag != NULL)
        *diag = inner;
    return err;
}
