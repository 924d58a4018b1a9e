/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters: what a policy declares, what the scenario or the user sets, and `self.p`. */
#include <string.h>

#include "base/num.h"
#include "script/script_impl.h"

typedef enum ParamType { INTEGER, NUMBER, BOOLEAN, STRING, NETWORK, TYPES } ParamType;

static const char *const TYPE_NAMES[TYPES] = {"integer", "number", "boolean", "string", "network"};

/* A declaration while it is read; the default is on the stack. */
typedef struct Param {
    const char *name;
    ParamType type;
    bool given; /* the value comes from the scenario or the user */
    bool has_min, has_max;
    double min, max;
} Param;

static int type_of_value(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        return lua_isinteger(L, index) ? INTEGER : NUMBER;
    case LUA_TBOOLEAN:
        return BOOLEAN;
    case LUA_TSTRING:
        return STRING;
    default:
        return -1;
    }
}

/* ---- declarations ---- */

static void check_keys(lua_State *L, int index, const char *name) {
#define NAME(key, type, doc) #key,
    static const char *const KEYS[] = {LP_API_PARAM(NAME)};
#undef NAME
    lua_Integer count = lp_sorted_push(L, index);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        bool known = false;
        for (size_t k = 0; k < LP_COUNTOF(KEYS); k++)
            known = known || strcmp(key, KEYS[k]) == 0;
        if (!known) {
            lp_env_push_nearest_of(L, key, KEYS, LP_COUNTOF(KEYS));
            const char *nearest = lua_tostring(L, -1); /* describing pushes */
            luaL_error(L, "parameter '%s': unknown key %s%s", name, lp_hook_describe(L, -2),
                       nearest);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static bool read_bound(lua_State *L, int index, const char *name, const char *key, double *out) {
    lua_getfield(L, index, key);
    bool given = !lua_isnil(L, -1);
    if (given && lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "parameter '%s': %s is %s; expected a number", name, key,
                   lp_hook_describe(L, -1));
    if (given)
        *out = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return given;
}

/* Type as stated at index, else that of the default on top of the stack. */
static ParamType read_type(lua_State *L, int index, const char *name) {
    int implied = type_of_value(L, -1);
    lua_getfield(L, index, "type");
    int type = lua_isnil(L, -1) ? implied : -1;
    for (int t = 0; t < TYPES && !lua_isnil(L, -1); t++)
        if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), TYPE_NAMES[t]) == 0)
            type = t;
    if (type < 0 && lua_isnil(L, -1))
        luaL_error(L,
                   "parameter '%s' has no default; expected e.g. { default = 16, doc = \"...\" }",
                   name);
    else if (type < 0)
        luaL_error(L,
                   "parameter '%s': type is %s; expected \"number\", \"integer\", \"boolean\", "
                   "\"string\" or \"network\"",
                   name, lp_hook_describe(L, -1));
    lua_pop(L, 1);
    return type < 0 ? INTEGER : (ParamType)type;
}

/* ---- values ---- */

/* Raises the message on top: a value that was given is the user's mistake, a default the script's.
 */
static void complain(lua_State *L, bool given) {
    const LpSandbox *sandbox = &lp_policy_of(L)->sandbox;
    LpDiag diag;
    if (!given)
        lua_error(L);
    (void)lp_fail(&diag, LP_EINVAL, "%s: %s", sandbox->chunk, lua_tostring(L, -1));
    lp_sandbox_fail_engine(L, &diag);
}

static void refuse_value(lua_State *L, const Param *param, const char *shown) {
    static const char *const EXPECTED[TYPES] = {"a whole number", "a number", "true or false",
                                                "a text", "the name of a network's file"};
    lua_pushfstring(L, "parameter '%s' is %s; expected %s", param->name, shown,
                    EXPECTED[param->type]);
    complain(L, param->given);
}

static void check_bounds(lua_State *L, const Param *param) {
    double value = lua_tonumber(L, -1);
    char bound[LP_NUM_TEXT];
    bool low = param->has_min && !(value >= param->min);
    bool high = param->has_max && !(value <= param->max);
    if (!low && !high)
        return;
    lua_pushfstring(L, "parameter '%s' is %s; expected at %s %s", param->name,
                    lp_hook_describe(L, -1), low ? "least" : "most",
                    lp_num_print(low ? param->min : param->max, bound));
    complain(L, param->given);
}

/* Makes the value on top one of the parameter's type, within its bounds. */
static void settle_value(lua_State *L, const Param *param) {
    int type = type_of_value(L, -1), is_whole = 1;
    if (param->type == INTEGER && type == NUMBER) {
        lua_Integer value = lua_tointegerx(L, -1, &is_whole);
        if (!is_whole)
            refuse_value(L, param, lp_hook_describe(L, -1));
        lua_pop(L, 1);
        lua_pushinteger(L, value);
        type = INTEGER;
    }
    bool named = type == STRING && param->type == NETWORK;
    if (type != (int)param->type && !(type == INTEGER && param->type == NUMBER) && !named)
        refuse_value(L, param, lp_hook_describe(L, -1));
    if (param->type == NUMBER && lua_tonumber(L, -1) != lua_tonumber(L, -1))
        refuse_value(L, param, "nan");
    if (param->type <= NUMBER)
        check_bounds(L, param);
}

/* A value given as JSON text; a text parameter also takes bare words. */
static void push_given(lua_State *L, const Param *param, const char *json) {
    char shown[48];
    double number;
    const char *text = json + strspn(json, " \t\r\n");
    bool words = param->type == STRING || param->type == NETWORK;
    if (words && *text == '"') {
        lp_sandbox_push_json(L, json, lua_pushfstring(L, "parameter '%s'", param->name));
        lua_remove(L, -2); /* what messages call it */
    } else if (words) {
        lp_push_text(L, json);
    } else if (param->type == BOOLEAN &&
               (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)) {
        lua_pushboolean(L, *text == 't');
    } else if (param->type != BOOLEAN && lp_num_parse(text, &number, NULL) == LP_OK) {
        lua_pushnumber(L, number);
    } else {
        refuse_value(L, param, lp_str_show(shown, sizeof shown, json));
    }
}

/* Text of the value on top for LpPolicyParamInfo. */
static void print_value(lua_State *L, char text[64]) {
    char number[LP_NUM_TEXT];
    if (lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1)) {
        lp_str_copy(text, 64, lp_num_print(lua_tonumber(L, -1), number));
        return;
    }
    lp_str_copy(text, 64, lp_sandbox_tostring(L, -1, NULL));
    lua_pop(L, 1);
}

/* ---- the whole table ---- */

static char *keep(lua_State *L, const char *text) {
    char *copy = lp_arena_strdup(lp_policy_of(L)->arena, text);
    if (!copy) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "a policy");
        lp_sandbox_fail_engine(L, &diag);
    }
    return copy;
}

static const LpPolicyParam *find_given(const LpPolicyParam *given, uint32_t count,
                                       const char *name) {
    const LpPolicyParam *found = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(given[i].name, name) == 0)
            found = &given[i]; /* the last one counts */
    return found;
}

/* Declaration at index: pushes the parameter's value and fills info. */
static void read_param(lua_State *L, int index, const char *name, const LpPolicyParam *given,
                       const LpScenario *scenario, LpPolicyParamInfo *info) {
    const char *json = given ? given->json : NULL;
    if (!lua_istable(L, index))
        luaL_error(L, "parameter '%s' is %s; expected e.g. { default = 16, doc = \"...\" }", name,
                   lp_hook_describe(L, index));
    check_keys(L, index, name);
    /* Pushes the default of the declaration at index: stated, or for max_degree the scenario's. */
    lua_getfield(L, index, "default");
    if (lua_isnil(L, -1) && strcmp(name, "max_degree") == 0 && scenario) {
        lua_pop(L, 1);
        lua_pushinteger(L, scenario->partition.max_degree);
    }
    Param param = {.name = name, .type = read_type(L, index, name), .given = json};
    param.has_min = read_bound(L, index, name, "min", &param.min);
    param.has_max = read_bound(L, index, name, "max", &param.max);
    if (json) {
        lua_pop(L, 1);
        push_given(L, &param, json);
    } else if (lua_isnil(L, -1)) {
        luaL_error(L, "parameter '%s' has no default", name);
    }
    settle_value(L, &param);
    lua_getfield(L, index, "doc");
    const char *doc = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    info->name = keep(L, name);
    info->doc = keep(L, doc);
    info->type = TYPE_NAMES[param.type < TYPES ? param.type : INTEGER];
    lua_pop(L, 1);
    print_value(L, info->value);
    if (param.type == NETWORK)
        lp_network_push(L, info->name, given);
}

/* self.p of a name that is not declared; upvalue: the contents. */
static int unknown_param(lua_State *L) {
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "parameters have names; got %s", lp_hook_describe(L, 2));
    lp_env_push_nearest(L, 1, lua_tostring(L, 2));
    return luaL_error(L, "there is no parameter '%s'%s", lua_tostring(L, 2), lua_tostring(L, -1));
}

/* Every given name must be declared: keys of the values (on top). */
static void check_given(lua_State *L, const LpPolicyParam *given, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        lp_push_text(L, given[i].name);
        if (lua_rawget(L, -2) == LUA_TNIL) {
            lp_env_push_nearest(L, -2, given[i].name);
            lua_pushfstring(L, "the policy has no parameter '%s'%s", given[i].name,
                            lua_tostring(L, -1));
            complain(L, true);
        }
        lua_pop(L, 1);
    }
}

static void read_all(lua_State *L, int declared, int values, const LpPolicyParam *given,
                     uint32_t count, const LpScenario *scenario) {
    LpPolicy *p = lp_policy_of(L);
    lua_Integer n = lp_sorted_push(L, declared);
    int keys = lua_gettop(L);
    p->param = lp_arena_alloc(p->arena, (size_t)n, sizeof *p->param);
    if (!p->param)
        (void)keep(L, ""); /* raises as well */
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, keys, i);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "params has an entry for %s; expected names", lp_hook_describe(L, -1));
        const char *name = lua_tostring(L, -1);
        lua_pushvalue(L, -1);
        lua_rawget(L, declared);
        read_param(L, lua_gettop(L), name, find_given(given, count, name), scenario,
                   &p->param[i - 1]);
        lua_setfield(L, values, name);
        lua_settop(L, keys);
        p->params = (uint32_t)i;
    }
}

void lp_params_push(lua_State *L, int index, const LpPolicyParam *given, uint32_t count,
                    const LpScenario *scenario) {
    luaL_checkstack(L, 20, "params");
    lua_createtable(L, 0, 4);
    int values = lua_gettop(L);
    lua_pushliteral(L, "params");
    lua_rawget(L, lua_absindex(L, index));
    if (lua_istable(L, -1))
        read_all(L, values + 1, values, given, count, scenario);
    else if (!lua_isnil(L, -1))
        luaL_error(L, "params is %s; expected a table of declarations", lp_hook_describe(L, -1));
    lua_settop(L, values);
    check_given(L, given, count);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_param);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, values);
    lp_env_lock(L, "self.p");
}
