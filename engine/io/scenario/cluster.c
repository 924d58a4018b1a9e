/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "cluster": fabric, its parameters, and the servers. */
#include <stdio.h>
#include <string.h>

#include "io/scenario/loader.h"
#include "model/device/device.h"
#include "model/fabric/fabric.h"

#define WORD(KIND, word) #word,
static const char *const fabric_words[] = {LP_FABRICS(WORD) NULL}; /* as LpFabricKind */

#define TIME .dim = LP_DIM_TIME
#define BANDWIDTH .dim = LP_DIM_BANDWIDTH, .above = true

static const LpJsonKey ramp_keys[] = {
    LP_COUNTED("communication_groups", LpRampParams, communication_groups, 1, LP_SERVERS_MAX),
    LP_COUNTED("racks_per_group", LpRampParams, racks_per_group, 1, LP_SERVERS_MAX),
    LP_COUNTED("servers_per_rack", LpRampParams, servers_per_rack, 1, LP_SERVERS_MAX),
    LP_QUANTITY("node_bandwidth", LpRampParams, node_bandwidth, BANDWIDTH),
    LP_QUANTITY("propagation_latency", LpRampParams, propagation_latency, TIME),
    LP_QUANTITY("io_latency", LpRampParams, io_latency, TIME),
    LP_COUNTED("channels", LpRampParams, channels, 1, 65536),
    {LP_FIELD("rack_isolated", LP_KEY_FLAG, LpRampParams, rack_isolated)},
    LP_QUANTITY("slot", LpRampParams, slot, TIME),
};

static LpErr read_ramp(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpCluster *cluster = target;
    return lp_json_read(value, ramp_keys, LP_COUNTOF(ramp_keys), &cluster->ramp, NULL, context,
                        diag);
}

static const LpJsonKey ideal_keys[] = {
    LP_COUNTED("servers", LpIdealParams, servers, 1, LP_SERVERS_MAX),
    LP_QUANTITY("node_bandwidth", LpIdealParams, node_bandwidth, BANDWIDTH),
    LP_QUANTITY("latency", LpIdealParams, latency, TIME),
    LP_QUANTITY("io_latency", LpIdealParams, io_latency, TIME),
};

static LpErr read_ideal(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpCluster *cluster = target;
    return lp_json_read(value, ideal_keys, LP_COUNTOF(ideal_keys), &cluster->ideal, NULL, context,
                        diag);
}

/* ---- servers ---- */

static LpErr read_device(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpServerType *type = target;
    LP_TRY(lp_load_device(value, loader->scenario, &type->device, diag));
    type->memory = type->device->memory;
    return LP_OK;
}

static const LpJsonKey type_keys[] = {
    {.name = "device", .type = LP_KEY_CUSTOM, .read = read_device, .shape = &lp_shape_text},
    LP_QUANTITY("memory", LpServerType, memory, .dim = LP_DIM_BYTES, .above = true),
    LP_COUNTED("count", LpServerType, count, 1, LP_SERVERS_MAX),
};

/* Without a count a kind of server stands for all of them. */
static LpErr read_type(LpJsonValue value, LpServerType *type, void *loader, LpDiag *diag) {
    *type = lp_server_type_default();
    return lp_json_read(value, type_keys, LP_COUNTOF(type_keys), type, NULL, loader, diag);
}

static LpErr read_types(LpJsonValue list, LpCluster *cluster, void *loader, LpDiag *diag) {
    LpServerType type[LP_SERVER_TYPES_MAX];
    size_t count = lp_json_count(list), t = 0;
    if (count < 1 || count > LP_SERVER_TYPES_MAX)
        return lp_json_fail(list, diag, LP_ELIMIT,
                            "\"server\" has %zu kinds of server, expected 1 to %d", count,
                            (int)LP_SERVER_TYPES_MAX);
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v), t++) {
        LP_TRY(read_type(v, &type[t], loader, diag));
        if (count > 1 && type[t].count == 0)
            return lp_json_fail(v, diag, LP_EINVAL,
                                "the key \"count\" is missing here, expected "
                                "how many servers are of this kind");
    }
    memcpy(cluster->type, type, count * sizeof *type);
    cluster->types = (uint32_t)count;
    return LP_OK;
}

static LpErr read_server(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpCluster *cluster = target;
    if (lp_json_kind(value) == LP_JSON_LIST)
        return read_types(value, cluster, context, diag);
    cluster->types = 1;
    return read_type(value, &cluster->type[0], context, diag);
}

static const LpJsonShape ramp_shape = LP_OBJECT_SHAPE(ramp_keys);
static const LpJsonShape ideal_shape = LP_OBJECT_SHAPE(ideal_keys);
static const LpJsonShape type_shape = LP_OBJECT_SHAPE(type_keys);
static const LpJsonShape *const of_type[] = {&type_shape, NULL};
static const LpJsonShape types_shape = {.form = LP_FORM_LIST, .of = of_type};
static const LpJsonShape *const type_or_types[] = {&type_shape, &types_shape, NULL};
static const LpJsonShape server_shape = {.form = LP_FORM_ONE_OF, .of = type_or_types};

/* The offset is that of its parameters: where its keys, but for those with readers of their own,
 * are found again (numbers.c). */
#define FABRIC(word, reader, form)                                                                 \
    { LP_FIELD(#word, LP_KEY_CUSTOM, LpCluster, word), .read = reader, .shape = &(form) }

static const LpJsonKey cluster_keys[] = {
    {LP_FIELD("fabric", LP_KEY_WORD, LpCluster, fabric), .words = fabric_words, .required = true},
    FABRIC(ramp, read_ramp, ramp_shape),
    FABRIC(ideal, read_ideal, ideal_shape),
    FABRIC(packet, lp_load_packet, lp_shape_packet),
    FABRIC(ocs, lp_load_ocs, lp_shape_ocs),
    FABRIC(zones, lp_load_zones, lp_shape_zones),
    FABRIC(pod, lp_load_pod, lp_shape_pod),
    {.name = "rails", .type = LP_KEY_CUSTOM, .read = lp_load_rails, .shape = &lp_shape_rails},
    {.name = "region", .type = LP_KEY_CUSTOM, .read = lp_load_region, .shape = &lp_shape_region},
    {.name = "server", .type = LP_KEY_CUSTOM, .read = read_server, .shape = &server_shape},
    {.name = "levels", .type = LP_KEY_CUSTOM, .read = lp_load_levels, .shape = &lp_shape_levels},
    {.name = "names", .type = LP_KEY_CUSTOM, .read = lp_load_names, .shape = &lp_shape_names},
};

const LpJsonShape lp_shape_cluster = LP_OBJECT_SHAPE(cluster_keys);

/* Rails and regions are what joins accelerators; a fabric with links of its own would join them
 * twice. */
static LpErr check_turning(LpJsonValue value, const LpScenario *scenario, LpDiag *diag) {
    const char *key = scenario->turning.form == LP_TURNING_RAILS ? "rails" : "region";
    const char *fabric = lp_fabric_ops(scenario->cluster.fabric)->name;
    if (scenario->turning.form == LP_TURNING_NONE || strcmp(fabric, "ideal") == 0)
        return LP_OK;
    return lp_json_fail_key(
        lp_json_member(value, key), diag, LP_EINVAL,
        "\"%s\" stands beside the fabric \"%s\", expected \"ideal\": what joins "
        "the accelerators is the circuits",
        key, fabric);
}

LpErr lp_load_cluster(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    LP_TRY(lp_json_read(value, cluster_keys, LP_COUNTOF(cluster_keys), &scenario->cluster,
                        scenario->arena, context, diag));
    return check_turning(value, scenario, diag);
}
