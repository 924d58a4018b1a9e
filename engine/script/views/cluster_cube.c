/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster:cube: a cube of a pod, what holds it and what of it is broken. */
#include "script/views/cluster_api.h"
#include "script/views/proxy.h"
#include "sim/cube.h"
#include "sim/world.h"

enum { CUBE_UNITS = 40, FAILURES_PER_UNIT = 8 };

static void set_count(lua_State *L, const char *key, uint32_t value) {
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

static uint32_t faults_of(lua_State *L, const LpPolicy *p, uint32_t cube) {
    uint32_t faults;
    LpDiag diag;
    if (lp_world_cube_faults(p->world, lp_policy_context(p), cube, &faults) != LP_OK) {
        (void)lp_fail_memory(&diag, "the list of failures");
        lp_sandbox_fail_engine(L, &diag);
    }
    return faults;
}

int lp_api_cube(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:cube");
    const LpPolicy *p = lp_policy_of(L);
    const LpContext *context = lp_policy_context(p);
    if (!context->fabric.ops->slices)
        luaL_error(L, "cluster:cube: the fabric \"%s\" has no cubes; expected \"pod\"",
                   context->fabric.ops->name);
    uint32_t last = context->fabric.cluster->pod.net.cubes - 1;
    uint32_t cube = (uint32_t)lp_hook_whole(L, 2, "cluster:cube: number", 0, last);
    lp_sandbox_charge(L, CUBE_UNITS + context->fabric.per_rack +
                             lp_world_tally(p->world)->events / FAILURES_PER_UNIT);
    LpCube c = lp_world_cube(p->world, context, cube);
    lua_createtable(L, 0, 10);
    set_count(L, "number", cube);
    lp_push_text(L, lp_cube_word(c.state));
    lua_setfield(L, -2, "state");
    if (c.job != LP_NO_INDEX) {
        lp_proxy_push_job(L, c.job);
        lua_setfield(L, -2, "job");
    }
    lua_pushboolean(L, c.usable);
    lua_setfield(L, -2, "usable");
    set_count(L, "free", c.free);
    set_count(L, "up", c.up);
    set_count(L, "hosts", c.hosts);
    set_count(L, "hosts_up", c.hosts_up);
    set_count(L, "domain", c.domain);
    set_count(L, "faults", faults_of(L, p, cube));
    return 1;
}
