/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "devices": devices of its own, made from those of the table, and finding a
 * device by its name. */
#include "base/str.h"
#include "io/scenario/loader.h"
#include "model/device/device.h"

enum { DEVICES_MAX = 64, NAMES_MAX = 128 };

static LpErr fail_unknown(LpJsonValue value, const LpScenario *scenario, LpDiag *diag) {
    const char *names[NAMES_MAX];
    char found[80];
    size_t count, known = 0;
    const LpDevice *table = lp_device_table(&count);
    LpBuf list = {0};
    for (uint32_t i = 0; i < scenario->devices && known < NAMES_MAX; i++)
        names[known++] = scenario->device[i].name;
    for (size_t i = 0; i < count && known < NAMES_MAX; i++)
        names[known++] = table[i].name;
    for (size_t i = 0; i < known; i++)
        lp_buf_addf(&list, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
    int near = lp_str_nearest(lp_json_text(value), names, known);
    LpErr err =
        lp_json_fail(value, diag, LP_EINVAL, "\"%s\" is %s, expected %s%s%s", lp_json_key(value),
                     lp_json_found(value, found, sizeof found), near >= 0 ? "\"" : "one of ",
                     near >= 0 ? names[near] : lp_buf_text(&list), near >= 0 ? "\"" : "");
    lp_buf_fini(&list);
    return err;
}

LpErr lp_load_device(LpJsonValue value, const LpScenario *scenario, const LpDevice **out,
                     LpDiag *diag) {
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    const LpDevice *device = NULL;
    for (uint32_t i = 0; i < scenario->devices && device == NULL; i++)
        if (lp_device_same(scenario->device[i].name, lp_json_text(value)))
            device = &scenario->device[i];
    if (device == NULL)
        device = lp_device_find(lp_json_text(value));
    if (device == NULL)
        return fail_unknown(value, scenario, diag);
    *out = device;
    return LP_OK;
}

/* ---- devices of its own ---- */

static LpErr read_like(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    const LpDevice *like = NULL;
    LP_TRY(lp_load_device(value, loader->scenario, &like, diag));
    LpDevice *device = target;
    const char *source = device->source;
    *device = *like;
    device->alias = "";
    device->like = like->like != NULL ? like->like : like->name;
    device->doubt = "";
    device->source = source;
    return LP_OK;
}

#define RATE(key, member) LP_QUANTITY(key, LpDevice, member, .dim = LP_DIM_FLOPS, .above = true)
#define SHARE(key, member) LP_QUANTITY(key, LpDevice, member, .above = true, .max = 1)
#define WHOLE(key, member) LP_QUANTITY(key, LpDevice, member, .min = 1, .whole = true)

/* What it is like comes first: the other keys replace numbers of that. */
static const LpJsonKey device_keys[] = {
    {.name = "like", .type = LP_KEY_CUSTOM, .read = read_like, .shape = &lp_shape_text},
    {LP_FIELD("name", LP_KEY_TEXT, LpDevice, name), .required = true},
    {LP_FIELD("source", LP_KEY_TEXT, LpDevice, source)},
    RATE("fp32", peak_flops),
    RATE("tf32", tf32),
    RATE("fp16", fp16),
    RATE("bf16", bf16),
    RATE("fp8", fp8),
    LP_QUANTITY("bandwidth", LpDevice, bandwidth, .dim = LP_DIM_BANDWIDTH, .above = true),
    LP_QUANTITY("memory", LpDevice, memory, .dim = LP_DIM_BYTES, .above = true),
    SHARE("fp32_efficiency", flops_efficiency),
    SHARE("matrix_efficiency", matrix_efficiency),
    SHARE("memory_efficiency", memory_efficiency),
    WHOLE("units", units),
    WHOLE("tile_long", tile_long),
    WHOLE("tile_short", tile_short),
    LP_QUANTITY("op_time", LpDevice, op_time, .dim = LP_DIM_TIME),
};

static const LpJsonShape device_shape = LP_OBJECT_SHAPE(device_keys);
static const LpJsonShape *const of_device[] = {&device_shape, NULL};
const LpJsonShape lp_shape_devices = {.form = LP_FORM_LIST, .of = of_device};

static LpErr check_name(LpJsonValue value, const LpScenario *scenario, const LpDevice *device,
                        LpDiag *diag) {
    LpJsonValue at = lp_json_member(value, "name");
    char shown[64];
    lp_str_show(shown, sizeof shown, device->name);
    if (device->name[0] == '\0')
        return lp_json_fail(at, diag, LP_EINVAL, "the name of a device is empty");
    if (lp_device_find(device->name) != NULL)
        return lp_json_fail(at, diag, LP_EINVAL,
                            "\"%s\" is a device that lightpath knows, expected another name",
                            shown);
    for (uint32_t i = 0; i < scenario->devices; i++)
        if (lp_device_same(scenario->device[i].name, device->name))
            return lp_json_fail(at, diag, LP_EINVAL,
                                "two devices have the name \"%s\", expected different names",
                                shown);
    return LP_OK;
}

static LpErr check_numbers(LpJsonValue value, const LpDevice *device, LpDiag *diag) {
    const struct {
        const char *key;
        double value;
    } needed[] = {
        {"fp32", device->peak_flops}, {"bandwidth", device->bandwidth}, {"memory", device->memory}};
    for (size_t i = 0; i < LP_COUNTOF(needed); i++)
        if (!(needed[i].value > 0))
            return lp_json_fail(value, diag, LP_EINVAL,
                                "device \"%s\" has no \"%s\", expected a number, or the name of a "
                                "device that it is \"like\"",
                                device->name, needed[i].key);
    return LP_OK;
}

static LpErr read_one(LpJsonValue value, LpLoader *loader, LpDevice *out, LpDiag *diag) {
    LpScenario *scenario = loader->scenario;
    LpDevice device = lp_device_unstated();
    LP_TRY(lp_json_read(value, device_keys, LP_COUNTOF(device_keys), &device, scenario->arena,
                        loader, diag));
    LP_TRY(check_name(value, scenario, &device, diag));
    LP_TRY(check_numbers(value, &device, diag));
    *out = device;
    return LP_OK;
}

LpErr lp_load_devices(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    size_t count = lp_json_count(value);
    if (count > DEVICES_MAX)
        return lp_json_fail(value, diag, LP_ELIMIT, "%zu devices, limit %d", count, DEVICES_MAX);
    LpDevice *device = lp_arena_alloc(scenario->arena, count, sizeof *device);
    if (device == NULL)
        return lp_fail_memory(diag, "the list of devices");
    scenario->device = device;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(read_one(v, context, &device[scenario->devices], diag));
        scenario->devices++;
    }
    return LP_OK;
}
