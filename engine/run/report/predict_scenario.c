/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of `predict` as a scenario: written as JSON and read like any other, so that they are
 * checked alike and --set reaches everything. */
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "io/files/file.h"
#include "io/profile/profile.h"
#include "io/scenario/scenario.h"
#include "model/fabric/fabric.h"
#include "run/host/paths.h"
#include "run/host/profile.h"
#include "run/report/predict_impl.h"

static const char NAME[] = "predict", ZOO[] = "zoo:";

/* What the options are, checked. A negative number is not given. */
typedef struct Options {
    const LpPredictSpec *spec;
    LpFabricKind fabric;
    uint32_t size[3]; /* groups, racks, servers per rack; leaves, spines, servers per leaf; zones,
                         servers per zone; servers */
    double bandwidth, latency, io_latency, quantum;
    bool zoo;
    char name[128]; /* of the graph */
    LpProfileFormat format;
} Options;

/* ---- reading the options ---- */

/* Whole numbers joined by 'x', exactly `count` of them. */
static bool read_sizes(const char *text, uint32_t *out, int count) {
    for (int i = 0; i < count; i++) {
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

static LpErr read_fabric(Options *o, LpDiag *diag) {
    static const struct {
        const char *prefix;
        LpFabricKind kind;
        int sizes;
    } forms[] = {{"ramp:", LP_FABRIC_RAMP, 3},
                 {"ideal:", LP_FABRIC_IDEAL, 1},
                 {"packet:", LP_FABRIC_PACKET, 3},
                 {"ocs:", LP_FABRIC_OCS, 1},
                 {"zones:", LP_FABRIC_ZONES, 2}};
    const char *text = o->spec->fabric != NULL ? o->spec->fabric : "ramp:4x4x2";
    char shown[64];
    for (size_t i = 0; i < LP_COUNTOF(forms); i++) {
        size_t len = strlen(forms[i].prefix);
        o->fabric = forms[i].kind;
        if (strncmp(text, forms[i].prefix, len) == 0 &&
            read_sizes(text + len, o->size, forms[i].sizes))
            return LP_OK;
    }
    return lp_fail(diag, LP_EINVAL,
                   "--fabric %s: expected ramp:GROUPSxRACKSxSERVERS, such as ramp:4x4x2, "
                   "packet:LEAVESxSPINESxSERVERS, such as packet:8x2x4, ocs:SERVERS, "
                   "zones:ZONESxSERVERS or ideal:SERVERS, such as ideal:32",
                   lp_str_show(shown, sizeof shown, text));
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

static LpErr read_quantum(Options *o, LpDiag *diag) {
    double unit, number;
    LP_TRY(quantum_unit(o, &unit, diag));
    LP_TRY(read_quantity("--quantum", o->spec->quantum, LP_DIM_TIME, true, &o->quantum, diag));
    if (o->spec->quantum != NULL && lp_num_parse(o->spec->quantum, &number, NULL) == LP_OK)
        o->quantum = number * unit;
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

static LpErr read_options(const LpPredictSpec *spec, Options *o, LpDiag *diag) {
    *o = (Options){.spec = spec};
    LP_TRY(read_fabric(o, diag));
    LP_TRY(read_graph(o, diag));
    LP_TRY(
        read_quantity("--bandwidth", spec->bandwidth, LP_DIM_BANDWIDTH, true, &o->bandwidth, diag));
    LP_TRY(read_quantity("--latency", spec->latency, LP_DIM_TIME, false, &o->latency, diag));
    LP_TRY(
        read_quantity("--io-latency", spec->io_latency, LP_DIM_TIME, false, &o->io_latency, diag));
    return read_quantum(o, diag);
}

/* ---- writing the scenario ---- */

static void add_number(LpBuf *out, const char *key, double value) {
    char text[LP_NUM_TEXT];
    if (value >= 0)
        lp_buf_addf(out, ",\"%s\":%s", key, lp_num_print(value, text));
}

static void add_text(LpBuf *out, const char *key, const char *value) {
    lp_buf_addf(out, "\"%s\":", key);
    lp_str_json(out, value);
}

/* Ways of zones, which have objects of their own. */
static void add_way(LpBuf *out, const char *key, const Options *o) {
    LpBuf given = {0};
    add_number(&given, "bandwidth", o->bandwidth);
    add_number(&given, "delay", o->latency);
    const char *text = lp_buf_text(&given);
    lp_buf_addf(out, ",\"%s\":{%s}", key, *text == ',' ? text + 1 : text);
    lp_buf_fini(&given);
}

static void add_zones(LpBuf *out, const Options *o) {
    lp_buf_add(out, "\"zones\":[");
    for (uint32_t z = 0; z < o->size[0]; z++)
        lp_buf_addf(out, "%s{\"name\":\"zone %u\",\"servers\":%u}", z > 0 ? "," : "", z,
                    o->size[1]);
    lp_buf_add(out, "]");
    add_way(out, "inside", o);
    add_way(out, "between", o);
}

static void add_cluster(LpBuf *out, const Options *o) {
    /* how each fabric calls its sizes, the options --bandwidth (one or two keys) and --latency, and
     * what it needs besides; ocs: circuits follow the demand, else nothing would be lit */
    static const struct {
        const char *size[3], *bandwidth[2], *latency[2], *more;
    } keys[LP_FABRIC_COUNT] = {
        [LP_FABRIC_RAMP] = {{"communication_groups", "racks_per_group", "servers_per_rack"},
                            {"node_bandwidth", NULL},
                            {"propagation_latency", NULL},
                            ""},
        [LP_FABRIC_IDEAL] = {{"servers", NULL, NULL},
                             {"node_bandwidth", NULL},
                             {"latency", NULL},
                             ""},
        [LP_FABRIC_PACKET] = {{"leaves", "spines", "servers_per_leaf"},
                              {"server_bandwidth", "uplink_bandwidth"},
                              {"server_delay", "uplink_delay"},
                              ""},
        [LP_FABRIC_OCS] = {{"servers", NULL, NULL},
                           {"server_bandwidth", NULL},
                           {"server_delay", NULL},
                           ",\"interval\":1"},
        [LP_FABRIC_ZONES] = {.more = ""},
    };
    const char *name = lp_fabric_ops(o->fabric)->name;
    lp_buf_addf(out, "\"cluster\":{\"fabric\":\"%s\",\"%s\":{", name, name);
    if (o->fabric == LP_FABRIC_ZONES)
        add_zones(out, o);
    for (int i = 0; i < 3 && keys[o->fabric].size[i] != NULL; i++)
        lp_buf_addf(out, "%s\"%s\":%u", i > 0 ? "," : "", keys[o->fabric].size[i], o->size[i]);
    for (int i = 0; i < 2 && keys[o->fabric].bandwidth[i] != NULL; i++)
        add_number(out, keys[o->fabric].bandwidth[i], o->bandwidth);
    for (int i = 0; i < 2 && keys[o->fabric].latency[i] != NULL; i++)
        add_number(out, keys[o->fabric].latency[i], o->latency);
    add_number(out, "io_latency", o->io_latency);
    lp_buf_add(out, keys[o->fabric].more);
    lp_buf_add(out, "}");
    if (o->spec->device != NULL) {
        lp_buf_add(out, ",\"server\":{");
        add_text(out, "device", o->spec->device);
        lp_buf_add(out, "}");
    }
    lp_buf_add(out, "}");
}

static const char *graph_id(const Options *o) {
    return o->name[0] != '\0' ? o->name : "graph";
}

static void add_graph(LpBuf *out, const Options *o) {
    lp_buf_add(out, ",\"graphs\":[{");
    add_text(out, "id", graph_id(o));
    lp_buf_add(out, ",");
    if (o->zoo) {
        add_text(out, "zoo", o->spec->graph + strlen(ZOO));
    } else {
        bool own = o->format == LP_PROFILE_OWN;
        const char *unit = o->spec->time_unit;
        add_text(out, "file", o->spec->graph);
        lp_buf_add(out, own ? ",\"format\":\"lightpath\"" : ",\"format\":\"pipedream\",");
        if (!own)
            add_text(out, "time_unit", unit != NULL ? unit : "ms");
    }
    lp_buf_add(out, "}]");
}

/* The largest degree asked for must pass wherever one is checked. */
static uint32_t max_degree(const LpPredictSpec *spec) {
    uint32_t most = LP_SERVERS_MAX;
    for (uint32_t i = 0; i < spec->degrees; i++)
        if (spec->degree[i] > most)
            most = spec->degree[i];
    return most;
}

static void add_all(LpBuf *out, const Options *o) {
    const LpPredictSpec *spec = o->spec;
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "{\"lightpath\":1,\"name\":\"%s\",\"semantics\":\"%s\",", NAME,
                spec->published ? "published" : "corrected");
    add_cluster(out, o);
    add_graph(out, o);
    lp_buf_add(out, ",\"jobs\":[{");
    add_text(out, "graph", graph_id(o));
    lp_buf_addf(out, ",\"arrival\":0,\"steps\":%s}]",
                lp_num_print(spec->steps > 0 ? spec->steps : 50, text));
    lp_buf_addf(out, ",\"partition\":{\"max_degree\":%u", max_degree(spec));
    add_number(out, "min_op_time", o->quantum);
    lp_buf_add(out, "}}");
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
    LP_TRY(read_options(spec, &options, diag));
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
