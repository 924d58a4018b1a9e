/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views in general: making them, reading fields by name, and refusing what is dead, unknown or
 * written to. */
#include "script/views/proxy.h"

#include <math.h>
#include <string.h>

#include "script/views/views.h"

enum { FIELD_UNITS = 8 };

static const LpProxyClass *class_of(lua_State *L, LpProxyKind kind) {
    return lp_policy_of(L)->classes[kind];
}

/* ---- making ---- */

LpProxy *lp_proxy_push(lua_State *L, LpProxyKind kind, uint32_t job, uint32_t item, size_t size) {
    LpPolicy *policy = lp_policy_of(L);
    LpProxy *view = lua_newuserdatauv(L, size, 0);
    memset(view, 0, size);
    *view = (LpProxy){policy->generation, kind, job, item, policy->world_at};
    lua_rawgeti(L, LUA_REGISTRYINDEX, policy->proxy_class[kind]);
    lua_setmetatable(L, -2);
    return view;
}

void lp_proxy_push_job(lua_State *L, uint32_t job) {
    LpPolicy *policy = lp_policy_of(L);
    if (policy->world_at != 0) {
        (void)lp_proxy_push(L, LP_PROXY_JOB, job, 0, sizeof(LpProxy));
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, policy->jobs);
    if (lua_rawgeti(L, -1, job) == LUA_TNIL) {
        lua_pop(L, 1);
        lp_numbers_reserve(L, &policy->cached, (size_t)policy->cached.count + 1);
        (void)lp_proxy_push(L, LP_PROXY_JOB, job, 0, sizeof(LpProxy));
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, job);
        policy->cached.item[policy->cached.count++] = job;
    }
    lua_remove(L, -2);
}

void lp_proxy_push_cluster(lua_State *L) {
    LpPolicy *policy = lp_policy_of(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, policy->cluster);
    LpProxy *view = lua_touserdata(L, -1);
    view->generation = policy->generation; /* one object for ever: there is one real cluster */
}

void lp_proxy_renew(lua_State *L) {
    LpPolicy *policy = lp_policy_of(L);
    policy->generation++;
    memset(policy->listed, 0, sizeof policy->listed);
    if (policy->cached.count == 0)
        return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, policy->jobs);
    for (uint32_t i = 0; i < policy->cached.count; i++) {
        lua_pushnil(L);
        lua_rawseti(L, -2, policy->cached.item[i]);
    }
    lua_pop(L, 1);
    policy->cached.count = 0;
}

void lp_proxy_push_if(lua_State *L, bool exists, double value) {
    if (exists && !isnan(value))
        lua_pushnumber(L, value);
    else
        lua_pushnil(L);
}

void lp_proxy_push_ids(lua_State *L, const uint32_t *ids, uint32_t count) {
    lp_sandbox_charge(L, count);
    lua_createtable(L, count < 1 << 24 ? (int)count : 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, ids[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* ---- checking ---- */

/* Scripts get no full userdata but views, so its head can be trusted. */
LpProxyKind lp_proxy_kind(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA)
        return LP_PROXY_COUNT;
    const LpProxy *view = lua_touserdata(L, index);
    return view->kind;
}

static void check_alive(lua_State *L, const LpPolicy *policy, const LpProxy *view) {
    if (view->kind == LP_PROXY_NETWORK)
        return; /* is no view of a world */
    if (view->generation != policy->generation || !policy->context)
        luaL_error(L,
                   "this %s was kept from an earlier call: it can be used only until the hook "
                   "returns (keep its id, or numbers, instead)",
                   class_of(L, view->kind)->name);
}

LpProxy *lp_proxy_check(lua_State *L, int index, LpProxyKind kind, const char *what) {
    if (lp_proxy_kind(L, index) != kind)
        luaL_error(L, "%s: expected %s %s, got %s", what, kind == LP_PROXY_OBSERVATION ? "an" : "a",
                   class_of(L, kind)->name, lp_hook_describe(L, index));
    LpProxy *view = lua_touserdata(L, index);
    LpPolicy *policy = lp_policy_of(L);
    check_alive(L, policy, view);
    if (kind == LP_PROXY_CLUSTER)
        lp_policy_enter(policy, view->world);
    return view;
}

uint32_t lp_proxy_check_job(lua_State *L, int index, const char *what) {
    return lp_proxy_check(L, index, LP_PROXY_JOB, what)->job;
}

uint32_t lp_proxy_check_new_job(lua_State *L, int index, const char *what) {
    uint32_t id = lp_proxy_check_job(L, index, what);
    const LpJob *job = lp_world_job(lp_policy_of(L)->world, id);
    if (job->outcome != LP_JOB_DECIDING && job->outcome != LP_JOB_WAITING)
        luaL_error(L, "%s: job %d is %s; expected one that is waiting for its start", what, (int)id,
                   lp_outcome_name((LpOutcome)job->outcome));
    return id;
}

/* ---- metamethods ---- */

static const char *article(const LpProxyClass *class) {
    return class->name[0] == 'o' ? "an" : "a";
}

static void unknown_field(lua_State *L, const LpProxyClass *class) {
    if (lua_type(L, 2) != LUA_TSTRING)
        luaL_error(L, "%s %s has no %s", article(class), class->name, lp_hook_describe(L, 2));
    const char *names[64], *name = lua_tostring(L, 2);
    size_t count = 0;
    for (uint32_t i = 0; i < class->fields && count < LP_COUNTOF(names); i++)
        names[count++] = class->field[i].name;
    for (uint32_t i = 0; i < class->methods && count < LP_COUNTOF(names); i++)
        names[count++] = class->method[i].name;
    lp_env_push_nearest_of(L, name, names, count);
    if (strcmp(class->name, "job") == 0 && lp_api_has("cluster", name))
        luaL_error(L,
                   "a job has no field '%s', but the cluster has: a hook begins with 'function "
                   "policy:', with a colon",
                   name);
    luaL_error(L, "%s %s has no field '%s'%s", article(class), class->name, name,
               lua_tostring(L, -1));
}

/* Upvalue: table of names; a number is the position of a field, anything else its value. */
static int proxy_index(lua_State *L) {
    const LpProxy *view = lua_touserdata(L, 1);
    LpPolicy *policy = lp_policy_of(L);
    const LpProxyClass *class = class_of(L, view->kind);
    check_alive(L, policy, view);
    if (view->kind != LP_PROXY_NETWORK)
        lp_policy_enter(policy, view->world);
    lp_sandbox_charge(L, FIELD_UNITS);
    if ((class->item || class->next) && lua_isinteger(L, 2)) {
        lua_Integer i = lua_tointeger(L, 2);
        if (class->next != NULL) {
            if (i < 1 || i > UINT32_MAX ||
                !class->next(L, policy, lua_touserdata(L, 1), (uint32_t)(i - 1)))
                lua_pushnil(L);
        } else if (i >= 1 && i <= (lua_Integer) class->length(L, policy, view))
            class->item(L, policy, view, (uint32_t)(i - 1));
        else
            lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, 2);
    int type = lua_rawget(L, lua_upvalueindex(1));
    if (type == LUA_TNUMBER) {
        lua_Integer field = lua_tointeger(L, -1);
        class->field[field].push(L, policy, view);
    } else if (type == LUA_TNIL) {
        unknown_field(L, class);
    }
    return 1;
}

static int proxy_write(lua_State *L) {
    const LpProxy *view = lua_touserdata(L, 1);
    return luaL_error(L, "a %s is read-only: cannot set %s", class_of(L, view->kind)->name,
                      lp_hook_describe(L, 2));
}

static int proxy_length(lua_State *L) {
    const LpProxy *view = lua_touserdata(L, 1);
    LpPolicy *policy = lp_policy_of(L);
    const LpProxyClass *class = class_of(L, view->kind);
    check_alive(L, policy, view);
    if (!class->length)
        return luaL_error(L, "a %s has no length", class->name);
    lp_policy_enter(policy, view->world);
    lua_pushinteger(L, class->length(L, policy, view));
    return 1;
}

static int proxy_text(lua_State *L) {
    const LpProxy *view = lua_touserdata(L, 1);
    const char *name = class_of(L, view->kind)->name;
    if (view->kind == LP_PROXY_JOB)
        lua_pushfstring(L, "%s %I", name, (LUAI_UACINT)view->job);
    else
        lp_push_text(L, name);
    return 1;
}

/* Lua compares two different objects only; a job may have two across generations. */
static int proxy_equal(lua_State *L) {
    LpProxyKind kind = lp_proxy_kind(L, 1);
    const LpProxy *a = lua_touserdata(L, 1), *b = lua_touserdata(L, 2);
    lua_pushboolean(L, kind == LP_PROXY_JOB && lp_proxy_kind(L, 2) == kind && a->job == b->job &&
                           a->generation == b->generation);
    return 1;
}

void lp_proxy_open(lua_State *L, const LpProxyClass *const *classes) {
    static const luaL_Reg METAMETHODS[] = {{"__newindex", proxy_write},
                                           {"__len", proxy_length},
                                           {"__tostring", proxy_text},
                                           {"__eq", proxy_equal},
                                           {NULL, NULL}};
    LpPolicy *policy = lp_policy_of(L);
    policy->classes = classes;
    for (int kind = 0; kind < LP_PROXY_COUNT; kind++) {
        const LpProxyClass *class = classes[kind];
        luaL_newlib(L, METAMETHODS);
        lua_createtable(L, 0, (int)(class->fields + class->methods));
        for (uint32_t i = 0; i < class->fields; i++) {
            lua_pushinteger(L, i);
            lua_setfield(L, -2, class->field[i].name);
        }
        for (uint32_t i = 0; i < class->methods; i++) {
            lp_env_push_function(L, class->method[i].call);
            lua_setfield(L, -2, class->method[i].name);
        }
        lua_pushcclosure(L, proxy_index, 1);
        lua_setfield(L, -2, "__index");
        lp_push_text(L, class->name);
        lua_setfield(L, -2, "__name");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        policy->proxy_class[kind] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    lua_createtable(L, 0, 0);
    policy->jobs = luaL_ref(L, LUA_REGISTRYINDEX);
    (void)lp_proxy_push(L, LP_PROXY_CLUSTER, 0, 0, sizeof(LpProxy));
    policy->cluster = luaL_ref(L, LUA_REGISTRYINDEX);
}
