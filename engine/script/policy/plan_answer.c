/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as scripts write and read them: { tensor = 8, pipeline = 4, ... }. */
#include <string.h>

#include "model/split/split.h"
#include "script/policy/api_table.h"
#include "script/policy/policy_impl.h"

bool lp_hook_is_plan(lua_State *L, int index) {
    static const char *const ways[] = {"tensor", "pipeline", "data", "context"};
    index = lua_absindex(L, index);
    for (size_t i = 0; i < LP_COUNTOF(ways); i++) {
        lua_pushstring(L, ways[i]);
        bool there = lua_rawget(L, index) != LUA_TNIL;
        lua_pop(L, 1);
        if (there)
            return true;
    }
    return false;
}

/* What is on top of the stack, as a switch. */
static bool read_switch(lua_State *L, const char *what, const char *key) {
    if (!lua_isboolean(L, -1))
        luaL_error(L, "%s: %s is %s; expected true or false", what, key, lp_hook_describe(L, -1));
    return lua_toboolean(L, -1);
}

typedef enum Form { NUMBER, SWITCH, RECOMPUTE, ATTENTION } Form;

/* A key of a plan, and where in LpParallel it stands. */
typedef struct Key {
    const char *name;
    Form form;
    size_t offset;
    uint32_t least; /* of a NUMBER */
} Key;

static const Key keys[] = {
#define FORM_NEEDED NUMBER
#define FORM_WHOLE NUMBER
#define FORM_COUNT NUMBER
#define FORM_SWITCH SWITCH
#define FORM_RECOMPUTE RECOMPUTE
#define FORM_ATTENTION ATTENTION
#define LEAST_NEEDED 1
#define LEAST_WHOLE 1
#define LEAST_COUNT 0
#define LEAST_SWITCH 0
#define LEAST_RECOMPUTE 0
#define LEAST_ATTENTION 0
#define X(field, kind, usual) {#field, FORM_##kind, offsetof(LpParallel, field), LEAST_##kind},
    LP_PARALLEL_KEYS(X)
#undef X
};

static const Key *key_of(const char *name) {
    for (size_t i = 0; i < LP_COUNTOF(keys); i++)
        if (strcmp(name, keys[i].name) == 0)
            return &keys[i];
    return NULL;
}

/* A word on top of the stack, as its place among `count`. */
static int read_word(lua_State *L, const char *what, const char *key, const char *const *words,
                     int count, const char *expected) {
    const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    luaL_error(L, "%s: %s is %s; expected %s", what, key, lp_hook_describe(L, -1), expected);
    return 0;
}

static LpRecompute read_recompute(lua_State *L, const char *what) {
    const char *words[LP_RECOMPUTE_FULL + 1];
    for (int i = 0; i <= LP_RECOMPUTE_FULL; i++)
        words[i] = lp_recompute_name((LpRecompute)i);
    return (LpRecompute)read_word(L, what, "recompute", words, LP_RECOMPUTE_FULL + 1,
                                  "\"none\", \"selective\" or \"full\"");
}

static LpAttention read_attention(lua_State *L, const char *what) {
    const char *words[LP_ATTENTION_CAUSAL + 1];
    for (int i = 0; i <= LP_ATTENTION_CAUSAL; i++)
        words[i] = lp_attention_name((LpAttention)i);
    return (LpAttention)read_word(L, what, "attention", words, LP_ATTENTION_CAUSAL + 1,
                                  "\"unfused\", \"fused\" or \"causal\"");
}

/* What cluster:plans says of a plan besides, which may be answered with it. */
static bool is_figure(const char *key) {
    static const char *const figures[] = {"servers", "step_time", "memory", "bubble", "free"};
    for (size_t i = 0; i < LP_COUNTOF(figures); i++)
        if (strcmp(key, figures[i]) == 0)
            return true;
    return false;
}

/* One key, its value on top of the stack. */
static void read_key(lua_State *L, const char *what, const char *key, LpParallel *plan) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_PLAN_FIELDS(NAME)};
#undef NAME
    const Key *known = key_of(key);
    void *to = known != NULL ? (char *)plan + known->offset : NULL;
    if (known == NULL && is_figure(key))
        return;
    if (known == NULL) {
        lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
        luaL_error(L, "%s: a plan has no \"%s\"%s", what, key, lua_tostring(L, -1));
        return;
    }
    switch (known->form) {
    case NUMBER:
        *(uint32_t *)to = (uint32_t)lp_hook_whole(L, -1, key, known->least, LP_PARALLEL_SIZE);
        break;
    case SWITCH:
        *(bool *)to = read_switch(L, what, key);
        break;
    case RECOMPUTE:
        *(LpRecompute *)to = read_recompute(L, what);
        break;
    case ATTENTION:
        *(LpAttention *)to = read_attention(L, what);
        break;
    }
}

void lp_hook_read_plan(lua_State *L, int index, const char *what, const LpGraph *graph,
                       LpParallel *out) {
    luaL_checkstack(L, 8, what);
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        luaL_error(L, "%s is %s; expected { tensor =, pipeline =, data = }", what,
                   lp_hook_describe(L, index));
    if (graph == NULL || graph->split == NULL)
        luaL_error(L, "%s is a plan, but graph '%s' has none; expected a degree or ways", what,
                   graph != NULL ? graph->id : "");
    *out = lp_parallel_default();
    out->batch = graph->split->plan[0].batch;
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        int top = lua_gettop(L);
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "%s: a plan has an entry for %s; expected names such as tensor", what,
                       lp_hook_describe(L, -2));
        read_key(L, what, lua_tostring(L, -2), out);
        lua_settop(L, top);
    }
}

static void push_value(lua_State *L, const Key *key, const void *from) {
    switch (key->form) {
    case NUMBER:
        lua_pushinteger(L, *(const uint32_t *)from);
        break;
    case SWITCH:
        lua_pushboolean(L, *(const bool *)from);
        break;
    case RECOMPUTE:
        lua_pushstring(L, lp_recompute_name(*(const LpRecompute *)from));
        break;
    case ATTENTION:
        lua_pushstring(L, lp_attention_name(*(const LpAttention *)from));
        break;
    }
}

void lp_hook_push_plan(lua_State *L, const LpParallel *plan) {
    lua_createtable(L, 0, LP_PARALLEL_NUMBERS + 5);
    for (size_t i = 0; i < LP_COUNTOF(keys); i++) {
        push_value(L, &keys[i], (const char *)plan + keys[i].offset);
        lua_setfield(L, -2, keys[i].name);
    }
    lua_pushinteger(L, lp_parallel_devices(plan));
    lua_setfield(L, -2, "servers");
}
