/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy of a session: finding and loading it with its parameters. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"
#include "host/inputs.h"
#include "host/paths.h"
#include "io/files/file.h"
#include "io/files/watch.h"
#include "session/param.h"
#include "session/player/services.h"
#include "session/session_impl.h"

enum { PATH_ROOM = 4096 };

/* ---- parameters ---- */

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
        LP_TRY(lp_param_parse(arena, spec->param[i], &params[*count], diag));
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
    if (lp_files_find(spec->files, spec->policy, NULL, dirs, "scripts", path, PATH_ROOM, diag) ==
        LP_OK)
        return LP_OK;
    char with_end[PATH_ROOM];
    snprintf(with_end, sizeof with_end, "%s.lua", spec->policy);
    LpDiag ignored;
    if (lp_files_find(spec->files, with_end, NULL, dirs, "scripts", path, PATH_ROOM, &ignored) ==
        LP_OK)
        return LP_OK;
    return lp_files_find(spec->files, spec->policy, scenario->file, dirs, "scripts", path,
                         PATH_ROOM, diag);
}

LpErr lp_session_load_again(const LpSession *s, const LpFiles *files, LpPolicy **out,
                            LpDiag *diag) {
    LpScriptServices services = lp_services(s->loaded.library);
    services.files = files;
    services.saved = strncmp(s->loaded.path, "session:", strlen("session:")) == 0;
    return lp_policy_load(s->loaded.path, s->loaded.param, s->loaded.params, s->scenario, NULL,
                          &services, out, diag);
}

LpErr lp_session_load_policy(LpSession *s, const LpSessionSpec *spec, const char *const *dirs,
                             LpDiag *diag) {
    char path[PATH_ROOM];
    if ((s->loaded.arena = lp_arena_new(0)) == NULL)
        return lp_fail_memory(diag, "a policy");
    LP_TRY(find_policy(s->scenario, spec, dirs, path, diag));
    LP_TRY(collect_params(s->loaded.arena, s->scenario, spec, &s->loaded.param, &s->loaded.params,
                          diag));
    if (path[0] == '\0') {
        if (s->loaded.params == 0)
            return LP_OK;
        return lp_fail(diag, LP_EINVAL, "--param %s: the scenario names no policy",
                       s->loaded.param[0].name);
    }
    s->loaded.path = lp_arena_strdup(s->loaded.arena, path);
    s->loaded.library = lp_paths_library(s->loaded.arena, dirs);
    s->loaded.stamps = lp_arena_alloc(s->loaded.arena, 1, sizeof *s->loaded.stamps);
    if (s->loaded.path == NULL || s->loaded.library == NULL || s->loaded.stamps == NULL)
        return lp_fail_memory(diag, "a policy");
    uint64_t stamp = lp_file_stamp(path);
    LP_TRY(lp_session_load_again(s, spec->files, &s->loaded.policy, diag));
    lp_session_stamp(s, stamp);
    return LP_OK;
}

/* ---- another policy for a branch ---- */

void lp_policy_home_free(LpPolicyHome *home) {
    lp_policy_free(home->policy);
    lp_arena_free(home->arena);
    *home = (LpPolicyHome){0};
}

/* What a parameter is given as: a network by its file as it was found, wherever that was looked
 * for; NULL when there is no memory. */
static const char *given_again(const LpSession *s, const LpPolicyParam *p, LpArena *room) {
    LpBuf text = {0};
    const char *file = NULL, *again = NULL;
    for (uint32_t i = 0; i < lp_policy_files(s->loaded.policy); i++) {
        const char *param = lp_policy_file_param(s->loaded.policy, i);
        if (param != NULL && strcmp(param, p->name) == 0)
            file = lp_policy_file(s->loaded.policy, i);
    }
    lp_buf_addf(&text, "%s=", p->name);
    if (file != NULL)
        lp_str_json(&text, file);
    else
        lp_buf_add(&text, p->json);
    if (!text.failed)
        again = lp_arena_strdup(room, lp_buf_text(&text));
    lp_buf_fini(&text);
    return again;
}

/* Writes the parameters in force as "k=v" behind `param`; those named there come first and win. */
static const char **all_params(const LpSession *s, LpArena *room, uint32_t params,
                               const char *const *param, uint32_t *count) {
    const char **all = lp_arena_alloc(room, (size_t)params + s->loaded.params, sizeof *all);
    *count = params;
    for (uint32_t i = 0; all != NULL && i < params; i++)
        all[i] = param[i];
    for (uint32_t i = 0; all != NULL && i < s->loaded.params; i++) {
        const LpPolicyParam *p = &s->loaded.param[i];
        size_t len = strlen(p->name);
        bool named = false;
        for (uint32_t k = 0; k < params; k++)
            named = named || (strncmp(param[k], p->name, len) == 0 && param[k][len] == '=');
        if (named)
            continue;
        all[*count] = given_again(s, p, room);
        if (all[(*count)++] == NULL)
            return NULL;
    }
    return all;
}

/* What decides now, not what the disk has meanwhile; but a network that is named anew is there. */
typedef struct OwnFiles {
    LpFiles own, all;
} OwnFiles;

static bool own_exists(void *user, const char *path) {
    const OwnFiles *f = user;
    const char *end = strrchr(path, '.');
    bool script = end != NULL && strcmp(end, ".lua") == 0;
    return f->own.exists(f->own.user, path) || (!script && access(path, F_OK) == 0);
}

static LpErr own_read(void *user, const char *path, size_t max, char **text, size_t *len,
                      LpDiag *diag) {
    const OwnFiles *f = user;
    if (f->own.exists(f->own.user, path))
        return f->own.read(f->own.user, path, max, text, len, diag);
    return lp_file_read(path, max, text, len, diag);
}

LpErr lp_session_copy_policy(const LpSession *s, LpPolicy **out, LpDiag *diag) {
    LpFiles files = lp_inputs_of_policy(s->loaded.policy);
    return lp_session_load_again(s, &files, out, diag);
}

LpErr lp_session_load_home(const LpSession *s, const char *policy, uint32_t params,
                           const char *const *param, LpPolicyHome *out, LpDiag *diag) {
    LpPaths paths;
    LpSession loader = {.scenario = s->scenario, .sealed = s->sealed};
    LpSessionSpec spec = {.policy = policy, .params = params, .param = param};
    LpArena *room = lp_arena_new(4096);
    if (room == NULL)
        return lp_fail_memory(diag, "a policy");
    LpErr err = LP_OK;
    OwnFiles files;
    bool same = policy == NULL && s->loaded.policy != NULL;
    if (same) {
        files.own = lp_inputs_of_policy(s->loaded.policy);
        files.all = (LpFiles){&files, own_read, own_exists, NULL};
        spec.policy = s->loaded.path;
        spec.param = all_params(s, room, params, param, &spec.params);
        if (spec.param == NULL)
            err = lp_fail_memory(diag, "the policy's parameters");
    }
    spec.files = same ? &files.all : lp_sealed_files(s->sealed, spec.policy);
    if (err == LP_OK)
        err = lp_session_load_policy(&loader, &spec, lp_paths_dirs(&paths), diag);
    lp_arena_free(room);
    *out = loader.loaded;
    if (err == LP_OK && same && s->loaded.stamps != NULL)
        *out->stamps = *s->loaded.stamps;
    if (err != LP_OK)
        lp_policy_home_free(out);
    return err;
}

LpErr lp_session_load_like(LpSession *s, LpSealed *sealed, const LpPolicyHome *home,
                           const LpSessionSpec *spec, LpDiag *diag) {
    const LpSession like = {.scenario = s->scenario, .loaded = *home, .sealed = sealed};
    LpPolicyHome own = {0};
    LP_TRY(lp_session_load_home(&like, spec->policy, spec->params, spec->param, &own, diag));
    s->loaded = own;
    return LP_OK;
}
