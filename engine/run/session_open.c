/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing sessions: scenario, overrides, policy and its parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "io/file.h"
#include "io/scenario.h"
#include "run/paths.h"
#include "run/services.h"
#include "run/session_impl.h"

enum { PATH_ROOM = 4096 };

#define DEFAULT_MEMORY (1024.0 * 1024 * 1024) /* --max-memory */

/* ---- parameters ---- */

/* "16", "0.5" and "true" are what they look like; anything else is a text. */
static LpErr param_json(LpArena *arena, const char *text, const char **json) {
    double number;
    bool literal = strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    if (literal || text[0] == '"' || lp_num_parse(text, &number, NULL) == LP_OK) {
        *json = lp_arena_strdup(arena, text);
        return *json ? LP_OK : LP_ENOMEM;
    }
    LpBuf quoted = {0};
    lp_str_json(&quoted, text);
    *json = lp_buf_ok(&quoted, NULL) == LP_OK ? lp_arena_strdup(arena, lp_buf_text(&quoted)) : NULL;
    lp_buf_fini(&quoted);
    return *json ? LP_OK : LP_ENOMEM;
}

static LpErr parse_param(LpArena *arena, const char *text, LpPolicyParam *out, LpDiag *diag) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return lp_fail(diag, LP_EINVAL, "--param %s: expected NAME=VALUE", text);
    out->name = lp_arena_strndup(arena, text, (size_t)(equals - text));
    if (out->name == NULL || param_json(arena, equals + 1, &out->json) != LP_OK)
        return lp_fail_memory(diag, "a parameter");
    return LP_OK;
}

static bool overridden(const LpPolicyParam *params, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(params[i].name, name) == 0)
            return true;
    return false;
}

/* The command line's parameters, then those of the scenario's policy that they leave (only where
 * the policy is the scenario's own). */
static LpErr collect_params(LpArena *arena, const LpScenario *scenario, const LpSessionSpec *spec,
                            LpPolicyParam **out, uint32_t *count, LpDiag *diag) {
    uint32_t own = spec->policy == NULL ? scenario->policy.params : 0;
    LpPolicyParam *params = lp_arena_alloc(arena, (size_t)spec->params + own, sizeof *params);
    if (params == NULL)
        return lp_fail_memory(diag, "the policy's parameters");
    *count = 0;
    for (uint32_t i = 0; i < spec->params; i++) {
        LP_TRY(parse_param(arena, spec->param[i], &params[*count], diag));
        ++*count;
    }
    for (uint32_t i = 0; i < own; i++)
        if (!overridden(params, spec->params, scenario->policy.param[i].name))
            params[(*count)++] = scenario->policy.param[i];
    *out = params;
    return LP_OK;
}

/* ---- policy ---- */

static LpErr find_policy(const LpScenario *scenario, const LpSessionSpec *spec,
                         const char *const *dirs, char path[PATH_ROOM], LpDiag *diag) {
    path[0] = '\0';
    if (spec->policy == NULL) {
        if (scenario->policy.path != NULL)
            lp_str_copy(path, PATH_ROOM, scenario->policy.path);
        return LP_OK;
    }
    /* as typed, from the working folder; then as a scenario would name it */
    if (lp_file_find(spec->policy, NULL, dirs, "scripts", path, PATH_ROOM, diag) == LP_OK)
        return LP_OK;
    char with_end[PATH_ROOM];
    snprintf(with_end, sizeof with_end, "%s.lua", spec->policy);
    LpDiag ignored;
    if (lp_file_find(with_end, NULL, dirs, "scripts", path, PATH_ROOM, &ignored) == LP_OK)
        return LP_OK;
    return lp_file_find(spec->policy, scenario->file, dirs, "scripts", path, PATH_ROOM, diag);
}

/* With the algorithms of graph/, and scripts/lib of every data folder for require(). */
static LpErr load_script(LpSession *s, const char *path, const LpPolicyParam *params,
                         uint32_t count, const char *const *dirs, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    size_t found = 0;
    while (dirs[found] != NULL)
        found++;
    const char **library = arena ? lp_arena_alloc(arena, found + 1, sizeof *library) : NULL;
    LpErr err = library ? LP_OK : lp_fail_memory(diag, "a policy");
    for (size_t i = 0; err == LP_OK && i < found; i++) {
        LpBuf path_text = {0};
        lp_buf_addf(&path_text, "%s/scripts/lib", dirs[i]);
        library[i] = lp_arena_strdup(arena, lp_buf_text(&path_text));
        err = library[i] && !path_text.failed ? LP_OK : lp_fail_memory(diag, "a policy");
        lp_buf_fini(&path_text);
    }
    if (err == LP_OK) {
        LpScriptServices services = lp_services(library);
        err = lp_policy_load(path, params, count, s->scenario, NULL, &services, &s->policy, diag);
    }
    lp_arena_free(arena);
    return err;
}

static LpErr load_policy(LpSession *s, const LpSessionSpec *spec, const char *const *dirs,
                         LpDiag *diag) {
    char path[PATH_ROOM];
    LpPolicyParam *params = NULL;
    uint32_t count = 0;
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "a policy");
    LpErr err = find_policy(s->scenario, spec, dirs, path, diag);
    if (err == LP_OK)
        err = collect_params(arena, s->scenario, spec, &params, &count, diag);
    if (err == LP_OK && path[0] != '\0')
        err = load_script(s, path, params, count, dirs, diag);
    else if (err == LP_OK && count > 0)
        err = lp_fail(diag, LP_EINVAL, "--param %s: the scenario names no policy", params[0].name);
    lp_arena_free(arena);
    return err;
}

/* ---- sessions ---- */

/* Servers and all jobs that will arrive, before any of it is allocated. Blocks double as they grow.
 */
static LpErr check_memory(const LpSession *s, LpDiag *diag) {
    const LpScenario *scenario = s->scenario;
    double jobs =
        scenario->jobs + (scenario->has_generator ? (double)scenario->generator.count : 0);
    double bytes = (double)scenario->cluster.servers * sizeof(LpServer) +
                   jobs * 2 * (sizeof(LpJob) + sizeof(LpStory));
    return lp_context_allow(s->context, "the world of this scenario", bytes, diag);
}

static LpErr build(LpSession *s, const LpSessionSpec *spec, const char *const *dirs, LpDiag *diag) {
    if (spec->has_seed)
        s->scenario->seed = spec->seed;
    if (spec->until > 0 && spec->until < s->scenario->horizon)
        s->scenario->horizon = spec->until;
    s->keep_events = spec->keep_events;
    s->keep_explain = spec->keep_explain;
    s->log = lp_log_new();
    s->texts = lp_arena_new(0);
    s->degrees = lp_alloc(s->scenario->partition.max_degree, sizeof *s->degrees);
    if (s->log == NULL || s->texts == NULL || s->degrees == NULL)
        return lp_fail_memory(diag, "a session");
    LP_TRY(lp_context_new(s->scenario, &s->context, diag));
    s->context->max_memory = spec->max_memory > 0 ? (double)spec->max_memory : DEFAULT_MEMORY;
    LP_TRY(check_memory(s, diag));
    LP_TRY(load_policy(s, spec, dirs, diag));
    return lp_world_new(s->context, s->scenario->seed, &s->world, diag);
}

static LpErr open_scenario(LpScenario *scenario, const LpSessionSpec *spec, const char *const *dirs,
                           LpSession **out, LpDiag *diag) {
    LpSession *s = lp_alloc(1, sizeof *s);
    if (s == NULL) {
        lp_scenario_free(scenario);
        return lp_fail_memory(diag, "a session");
    }
    s->scenario = scenario;
    LpErr err = build(s, spec, dirs, diag);
    if (err != LP_OK) {
        lp_session_close(s);
        return err;
    }
    *out = s;
    return LP_OK;
}

LpErr lp_session_open(const LpSessionSpec *spec, LpSession **out, LpDiag *diag) {
    LpPaths paths;
    const char *const *dirs = lp_paths_dirs(&paths);
    LpLoadOptions options = {
        .sets = spec->sets, .set = spec->set, .max_input = spec->max_input, .data_dirs = dirs};
    LpScenario *scenario;
    LP_TRY(lp_scenario_load(spec->scenario, &options, &scenario, diag));
    return open_scenario(scenario, spec, dirs, out, diag);
}

LpErr lp_session_open_scenario(LpScenario *scenario, const char *policy_path, bool has_seed,
                               uint64_t seed, bool keep_events, LpSession **out, LpDiag *diag) {
    LpPaths paths;
    LpSessionSpec spec = {
        .policy = policy_path, .has_seed = has_seed, .seed = seed, .keep_events = keep_events};
    return open_scenario(scenario, &spec, lp_paths_dirs(&paths), out, diag);
}

void lp_session_close(LpSession *s) {
    if (s == NULL)
        return;
    lp_world_free(s->world);
    lp_policy_free(s->policy);
    lp_context_free(s->context);
    lp_log_free(s->log);
    lp_arena_free(s->texts);
    lp_arena_free(s->pending.room);
    for (size_t i = 0; i < s->lights; i++)
        lp_free(s->light[i].share);
    lp_free(s->light);
    lp_free(s->story);
    lp_free(s->event);
    lp_free(s->candidate);
    lp_free(s->degrees);
    lp_scenario_free(s->scenario);
    lp_free(s);
}
