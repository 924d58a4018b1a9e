/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenario key "policy": the script, found beside the scenario or among the installed ones,
 * and its parameters. */
#include <string.h>

#include "io/files/file.h"
#include "io/scenario/loader.h"

enum { PATH_TEXT = 4096 };

static LpErr read_script(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpArena *arena = loader->scenario->arena;
    LpPolicyRef *policy = target;
    char path[PATH_TEXT];
    LpDiag inner;
    LP_TRY(lp_json_expect(value, LP_JSON_TEXT, diag));
    LpErr err = lp_files_find(loader->options->files, lp_json_text(value), loader->file,
                              loader->options->data_dirs, "scripts", path, sizeof path, &inner);
    if (err != LP_OK)
        return lp_json_fail(value, diag, err, "%s", inner.text);
    policy->script = lp_arena_strdup(arena, lp_json_text(value));
    policy->path = lp_arena_strdup(arena, path);
    if (policy->script == NULL || policy->path == NULL)
        return lp_fail_memory(diag, "the policy");
    return LP_OK;
}

static LpErr read_param(LpJsonValue value, const LpLoader *loader, LpPolicyParam *param,
                        LpDiag *diag) {
    LpArena *arena = loader->scenario->arena;
    const char *slash = strrchr(loader->file, '/');
    LpJsonKind kind = lp_json_kind(value);
    char found[80], shown[64];
    if (kind != LP_JSON_BOOL && kind != LP_JSON_NUMBER && kind != LP_JSON_TEXT)
        return lp_json_fail(value, diag, LP_EINVAL,
                            "the parameter \"%s\" is %s, expected a number, a text, true or false",
                            lp_str_show(shown, sizeof shown, lp_json_key(value)),
                            lp_json_found(value, found, sizeof found));
    param->name = lp_arena_strdup(arena, lp_json_key(value));
    param->folder = lp_arena_strndup(arena, loader->file,
                                     slash != NULL ? (size_t)(slash + 1 - loader->file) : 0);
    if (param->name == NULL || param->folder == NULL)
        return lp_fail_memory(diag, "the policy's parameters");
    return lp_load_raw(value, arena, &param->json, diag);
}

static LpErr read_params(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpLoader *loader = context;
    LpPolicyRef *policy = target;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    size_t count = lp_json_count(value), p = 0;
    LpPolicyParam *param = lp_arena_alloc(loader->scenario->arena, count, sizeof *param);
    if (param == NULL)
        return lp_fail_memory(diag, "the policy's parameters");
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        LP_TRY(read_param(v, loader, &param[p++], diag));
    policy->param = param;
    policy->params = (uint32_t)count;
    return LP_OK;
}

static const LpJsonShape any_shape = {.form = LP_FORM_ANY};
static const LpJsonShape *const of_any[] = {&any_shape, NULL};
static const LpJsonShape params_shape = {.form = LP_FORM_MAP, .of = of_any};

static const LpJsonKey policy_keys[] = {
    {.name = "script", .type = LP_KEY_CUSTOM, .read = read_script, .shape = &lp_shape_text},
    {.name = "params", .type = LP_KEY_CUSTOM, .read = read_params, .shape = &params_shape},
};

const LpJsonShape lp_shape_policy = LP_OBJECT_SHAPE(policy_keys);

LpErr lp_load_policy(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    LpScenario *scenario = target;
    return lp_json_read(value, policy_keys, LP_COUNTOF(policy_keys), &scenario->policy,
                        scenario->arena, context, diag);
}
