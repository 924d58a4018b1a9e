/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster:plans: the ways in which a job with plans may be split. */
#include "model/split/split.h"
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/forecast.h"
#include "sim/parallel/parallel_step.h"
#include "sim/world.h"

enum { PLAN_UNITS = 2000 };

static void push_choice(lua_State *L, const LpPlanChoice *choice) {
    lp_hook_push_plan(L, choice->plan);
    lua_pushnumber(L, choice->alone->step_time);
    lua_setfield(L, -2, "step_time");
    lua_pushnumber(L, choice->alone->held_bytes);
    lua_setfield(L, -2, "memory");
    lua_pushnumber(L, choice->alone->bubble);
    lua_setfield(L, -2, "bubble");
    lua_pushboolean(L, choice->free);
    lua_setfield(L, -2, "free");
}

int lp_api_plans(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:plans");
    LpPolicy *p = lp_policy_of(L);
    uint32_t job = lp_proxy_check_new_job(L, 2, "cluster:plans(job)"), count;
    LpDiag diag;
    LpPlanChoice *choice = lua_newuserdatauv(L, LP_SPLIT_PLANS * sizeof *choice, 0);
    LpErr err = lp_world_plans(p->world, p->context, job, choice, LP_SPLIT_PLANS, &count, &diag);
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, &diag);
    lp_sandbox_charge(L, 64 + (uint64_t)count * PLAN_UNITS);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0, at = 0; i < count; i++)
        if (choice[i].fits) {
            push_choice(L, &choice[i]);
            lua_rawseti(L, -2, (lua_Integer)++at);
        }
    return 1;
}
