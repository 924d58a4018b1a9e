/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a policy was made of beside its own: what it required, and its networks. */
#include <string.h>

#include "base/hash.h"
#include "script/policy/policy_impl.h"

enum { MODULES_MAX = 32 };

static int out_of_memory(lua_State *L) {
    LpDiag diag;
    (void)lp_fail_memory(&diag, "a policy's files");
    return lp_sandbox_fail_engine(L, &diag);
}

/* Keeps the files in the order of their names: the hash must not depend on who asked first. */
static uint32_t remember(LpPolicy *p, const LpPolicyModule *module) {
    uint32_t at = p->modules++;
    while (at > 0 && strcmp(p->module[at - 1].name, module->name) > 0) {
        p->module[at] = p->module[at - 1];
        at--;
    }
    p->module[at] = *module;
    return at;
}

/* No raise between taking memory and giving it up. */
const LpPolicyModule *lp_policy_take_file(lua_State *L, const char *param, const char *name,
                                          const char *path) {
    LpPolicy *p = lp_policy_of(L);
    const char *what = param ? "a network" : "require";
    size_t most = param ? LP_NETWORK_FILE_MAX : LP_POLICY_SOURCE_MAX;
    char *text, *kept;
    size_t len;
    LpDiag diag;
    if (p->modules == MODULES_MAX)
        luaL_error(L, "%s: more than %d files", what, MODULES_MAX);
    LpErr err = lp_policy_read(p->services.files, path, most, &text, &len, &diag);
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, &diag);
    if (err != LP_OK) {
        char said[LP_DIAG_FILE + LP_DIAG_TEXT + 32];
        luaL_error(L, "%s: %s", what, lp_diag_format(&diag, said, sizeof said));
    }
    kept = lp_arena_strndup(p->arena, text, len);
    LpPolicyModule module = {.name = lp_arena_strdup(p->arena, name),
                             .path = lp_arena_strdup(p->arena, path),
                             .text = kept,
                             .param = param,
                             .len = len,
                             .hash = lp_hash_bytes(LP_HASH_INIT, text, len)};
    lp_free(text);
    if (!p->module)
        p->module = lp_arena_alloc(p->arena, MODULES_MAX, sizeof *p->module);
    if (!kept || !module.name || !module.path || !p->module)
        out_of_memory(L);
    uint32_t at = remember(p, &module);
    return &p->module[at];
}
