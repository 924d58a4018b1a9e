/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which policies there are: every script of the usual folders, loaded to be asked for its name. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/policy/mini.h"
#include "ask/policy/tools.h"
#include "base/json_out.h"
#include "base/lack.h"
#include "base/mem.h"
#include "host/paths.h"

enum { PATH_ROOM = LP_PATH_TEXT + 300 };

/* ---- finding files ---- */

typedef struct Script {
    char *name; /* without its ending */
    char *path;
    size_t at; /* order of finding */
} Script;

typedef struct Scripts {
    LpArena *arena;
    Script *item;
    size_t count, cap;
} Scripts;

static LpErr add_script(Scripts *scripts, const char *folder, const char *file) {
    char path[PATH_ROOM];
    size_t len = strlen(file);
    void *items = scripts->item;
    if (file[0] == '.' || len < 5 || strcmp(file + len - 4, ".lua") != 0)
        return LP_OK;
    bool here = strcmp(folder, ".") == 0;
    snprintf(path, sizeof path, "%s%s%s", here ? "" : folder, here ? "" : "/", file);
    LP_TRY(lp_grow(&items, &scripts->cap, scripts->count + 1, sizeof *scripts->item));
    scripts->item = items;
    Script script = {lp_arena_strndup(scripts->arena, file, len - 4),
                     lp_arena_strdup(scripts->arena, path), scripts->count};
    scripts->item[scripts->count++] = script;
    return script.name != NULL && script.path != NULL ? LP_OK : LP_ENOMEM;
}

/* A folder that is not there has no scripts; one that cannot be opened for want of room may. */
static LpErr add_folder(Scripts *scripts, const char *folder, LpDiag *diag) {
    struct dirent *entry;
    LpErr err = LP_OK;
    DIR *open = opendir(folder);
    if (open == NULL && errno == ENOMEM)
        return lp_fail_memory(diag, "the list of policies");
    if (open == NULL && lp_err_of(errno) == LP_ENOMEM)
        return lp_fail(diag, LP_ENOMEM, "cannot list policies: %s", strerror(errno));
    while (open != NULL && err == LP_OK && (entry = readdir(open)) != NULL)
        err = add_script(scripts, folder, entry->d_name);
    if (open != NULL)
        closedir(open);
    return err == LP_OK ? LP_OK : lp_fail_memory(diag, "the list of policies");
}

/* By name; of equal names the one found first comes first. */
static int compare_scripts(const void *a, const void *b) {
    const Script *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Sorted, each name once. */
static LpErr find_scripts(Scripts *scripts, LpDiag *diag) {
    LpPaths paths;
    LP_TRY(add_folder(scripts, ".", diag));
    LP_TRY(add_folder(scripts, "scripts", diag));
    for (const char *const *dir = lp_paths_dirs(&paths); *dir != NULL; dir++) {
        char folder[PATH_ROOM];
        snprintf(folder, sizeof folder, "%s/scripts", *dir);
        LP_TRY(add_folder(scripts, folder, diag));
    }
    if (scripts->count > 0)
        qsort(scripts->item, scripts->count, sizeof *scripts->item, compare_scripts);
    size_t kept = 0;
    for (size_t i = 0; i < scripts->count; i++)
        if (kept == 0 || strcmp(scripts->item[kept - 1].name, scripts->item[i].name) != 0)
            scripts->item[kept++] = scripts->item[i];
    scripts->count = kept;
    return LP_OK;
}

/* ---- one policy ---- */

/* A policy under two scenarios: a parameter that differs takes its default from the scenario. */
typedef struct Pair {
    LpPolicy *policy, *other;
} Pair;

static LpErr load_one(const char *path, uint32_t max_degree, LpPolicy **out, LpDiag *diag) {
    LpScenario *scenario;
    LP_TRY(lp_mini_open(0, max_degree, &scenario, diag));
    LpErr err = lp_mini_policy(path, scenario, 0, NULL, out, diag);
    lp_scenario_free(scenario);
    return err;
}

static LpErr load_pair(const char *path, Pair *pair, LpDiag *diag) {
    LP_TRY(load_one(path, 4, &pair->policy, diag));
    return load_one(path, 8, &pair->other, diag);
}

static void free_pair(Pair *pair) {
    lp_policy_free(pair->policy);
    lp_policy_free(pair->other);
    *pair = (Pair){NULL, NULL};
}

static bool from_scenario(const Pair *pair, uint32_t i) {
    LpPolicyParamInfo a = lp_policy_param(pair->policy, i);
    return i < lp_policy_params(pair->other) &&
           strcmp(a.value, lp_policy_param(pair->other, i).value) != 0;
}

/* ---- as text ---- */

static void add_safe(LpBuf *out, const char *text) {
    lp_str_escape(out, text, strlen(text));
}

static void text_failure(LpBuf *out, const Script *script, const LpDiag *diag) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT + 64];
    add_safe(out, script->name);
    lp_buf_addf(out, "\n    does not load: %s\n", lp_diag_format(diag, text, sizeof text));
}

static void text_policy(LpBuf *out, const Script *script, const Pair *pair) {
    const LpPolicy *policy = pair->policy;
    add_safe(out, script->name);
    if (strcmp(lp_policy_name(policy), script->name) != 0) {
        lp_buf_add(out, " (");
        add_safe(out, lp_policy_name(policy));
        lp_buf_add(out, ")");
    }
    lp_buf_add(out, "\n    ");
    add_safe(out, lp_policy_doc(policy)[0] != '\0' ? lp_policy_doc(policy) : "(says nothing)");
    lp_buf_add(out, "\n");
    for (uint32_t i = 0; i < lp_policy_params(policy); i++) {
        LpPolicyParamInfo p = lp_policy_param(policy, i);
        lp_buf_add(out, "    --param ");
        add_safe(out, p.name);
        lp_buf_add(out, "=");
        add_safe(out, from_scenario(pair, i) ? "(the scenario's)" : p.value);
        lp_buf_addf(out, "  %s%s", p.type, p.doc != NULL && p.doc[0] != '\0' ? ", " : "");
        add_safe(out, p.doc != NULL ? p.doc : "");
        lp_buf_add(out, "\n");
    }
}

/* ---- as JSON ---- */

static void json_param(LpJsonOut *out, const Pair *pair, uint32_t i) {
    LpPolicyParamInfo p = lp_policy_param(pair->policy, i);
    bool text = strcmp(p.type, "string") == 0 || strcmp(p.type, "network") == 0;
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "name", p.name);
    lp_json_put_text(out, "type", p.type);
    lp_json_put_text(out, "doc", p.doc != NULL ? p.doc : "");
    (text ? lp_json_put_text : lp_json_put_raw)(out, "default",
                                                from_scenario(pair, i) ? NULL : p.value);
    lp_json_close(out, '}');
}

static void json_policy(LpJsonOut *out, const Pair *pair) {
    lp_json_put_text(out, "name", lp_policy_name(pair->policy));
    lp_json_put_text(out, "doc", lp_policy_doc(pair->policy));
    lp_json_open(out, "params", '[');
    for (uint32_t i = 0; i < lp_policy_params(pair->policy); i++)
        json_param(out, pair, i);
    lp_json_close(out, ']');
}

/* `error`: why it does not load, NULL: it does. */
static void json_one(LpJsonOut *out, const Script *script, const Pair *pair, const LpDiag *error) {
    char text[LP_DIAG_FILE + LP_DIAG_TEXT + 64];
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "file", script->path);
    if (error == NULL)
        json_policy(out, pair);
    else
        lp_json_put_text(out, "error", lp_diag_format(error, text, sizeof text));
    lp_json_close(out, '}');
}

/* ---- the list ---- */

static LpErr add_one(LpJsonOut *out, bool json, const Script *script, LpDiag *diag) {
    Pair pair = {NULL, NULL};
    LpDiag inner;
    LpErr err = load_pair(script->path, &pair, &inner);
    if (err == LP_ENOMEM) {
        free_pair(&pair);
        *diag = inner;
        return err;
    }
    if (json)
        json_one(out, script, &pair, err == LP_OK ? NULL : &inner);
    else if (err == LP_OK)
        text_policy(out->out, script, &pair);
    else
        text_failure(out->out, script, &inner);
    free_pair(&pair);
    return LP_OK;
}

LpErr lp_policy_tool_list(bool json, LpBuf *text, LpDiag *diag) {
    LpJsonOut out = {.out = text};
    Scripts scripts = {.arena = lp_arena_new(0)};
    LpErr err = scripts.arena != NULL ? find_scripts(&scripts, diag)
                                      : lp_fail_memory(diag, "the list of policies");
    if (json) {
        lp_json_open(&out, NULL, '{');
        lp_json_put_count(&out, "lightpath", 1);
        lp_json_open(&out, "policies", '[');
    }
    for (size_t i = 0; err == LP_OK && i < scripts.count; i++)
        err = add_one(&out, json, &scripts.item[i], diag);
    if (json) {
        lp_json_close(&out, ']');
        lp_json_end(&out);
    }
    lp_free(scripts.item);
    lp_arena_free(scripts.arena);
    return err == LP_OK ? lp_buf_ok(text, diag) : err;
}
