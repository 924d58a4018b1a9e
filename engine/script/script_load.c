/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading a policy: its file or text, the contract it must keep, and its `self`. */
#include <string.h>

#include "base/hash.h"
#include "model/fabric/best.h"
#include "script/script_impl.h"
#include "sim/queue/rank.h"

enum { DEFAULT_MEMORY = 64 << 20, DEFAULT_RESULT = 1000000 };
#define DEFAULT_SECONDS 10.0 /* beyond what any budget of instructions takes */

/* Keys of the policy table that the program reads: hooks first. */
static const char *const KEYS[] = {
#define X(name, type, doc) #name,
    LP_API_HOOKS(X) LP_API_POLICY(X)
#undef X
};
static const char *const SELF_NAMES[] = {
#define X(name, type, doc) #name,
    LP_API_SELF(X)
#undef X
};

/* What the protected part of loading needs. */
typedef struct Loading {
    LpPolicy *policy;
    const LpPolicyParam *param;
    uint32_t params;
    const LpScenario *scenario;
} Loading;

static char *keep(lua_State *L, const char *text) {
    char *copy = lp_arena_strdup(lp_policy_of(L)->arena, text);
    if (!copy) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "a policy");
        lp_sandbox_fail_engine(L, &diag);
    }
    return copy;
}

/* ---- the contract ---- */

/* Hooks that earlier versions named: a policy that has one would wait in vain to be asked. Sessions
 * were saved with them and open all the same. */
static const struct {
    const char *name, *why;
} GONE[] = {{"allocate", "between two servers every fabric has one way at a time; order_flows says "
                         "which flow takes it first"}};

/* A key that is none of ours may be a helper, but hardly one that nearly has the name of a hook. */
static void check_key(lua_State *L, const char *key) {
    for (size_t i = 0; i < LP_COUNTOF(KEYS); i++)
        if (strcmp(key, KEYS[i]) == 0)
            return;
    for (size_t i = 0; i < LP_COUNTOF(SELF_NAMES); i++)
        if (strcmp(key, SELF_NAMES[i]) == 0)
            luaL_error(L, "the policy may not define '%s': self.%s is the program's", key, key);
    for (size_t i = 0; i < LP_COUNTOF(GONE); i++)
        if (strcmp(key, GONE[i].name) == 0 && !lp_policy_of(L)->services.saved)
            luaL_error(L, "the policy defines '%s', which is no hook any more: %s", key,
                       GONE[i].why);
    int near = lp_str_nearest(key, KEYS, LP_COUNTOF(KEYS));
    if (near >= 0)
        luaL_error(L, "the policy defines '%s', which means nothing here (did you mean '%s'?)", key,
                   KEYS[near]);
}

static char *read_text(lua_State *L, int index, const char *key, bool needed) {
    int type = lua_getfield(L, index, key);
    bool text = type == LUA_TSTRING && (!needed || lua_rawlen(L, -1) > 0);
    if (!text && (needed || type != LUA_TNIL))
        luaL_error(L, "%s is %s; expected a text%s", key, lp_hook_describe(L, -1),
                   needed ? ", as in { name = \"my-policy\", api = 1 }" : "");
    char *copy = keep(L, text ? lua_tostring(L, -1) : "");
    lua_pop(L, 1);
    return copy;
}

/* The names that the manual gives to the first argument behind self. */
static bool is_argument(const char *name) {
    static const char *const names[] = {"job", "queue", "fabric", "event", "cluster"};
    for (size_t i = 0; i < LP_COUNTOF(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Fails where a hook, on top of the stack, is defined with a dot, and so finds self where it
 * expects a job: its first parameter has the name of another argument. */
static void check_colon(lua_State *L, const char *hook) {
    lua_Debug at;
    const char *first = lua_getlocal(L, NULL, 1); /* NULL of a function in C */
    if (first == NULL || !is_argument(first))
        return;
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">Su", &at);
    if (at.nparams > 0)
        luaL_error(L,
                   "%s:%d: the first argument of %s is self, but is called '%s' here: expected "
                   "'function policy:%s', with a colon in place of the dot",
                   at.short_src, at.linedefined, hook, first, hook);
}

static void read_hooks(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    int found = 0;
    for (int hook = 0; hook < LP_HOOK_COUNT; hook++) {
        int type = lua_getfield(L, index, KEYS[hook]);
        if (type != LUA_TNIL && type != LUA_TFUNCTION)
            luaL_error(L, "%s is %s; expected a function", KEYS[hook], lp_hook_describe(L, -1));
        if (type == LUA_TFUNCTION)
            check_colon(L, KEYS[hook]);
        p->has_hook[hook] = type == LUA_TFUNCTION;
        found += type == LUA_TFUNCTION;
        p->hook[hook] = luaL_ref(L, LUA_REGISTRYINDEX);
    }
    if (found == 0) {
        lua_pushstring(L, KEYS[0]);
        for (int hook = 1; hook < LP_HOOK_COUNT; hook++) {
            lua_pushfstring(L, ", %s", KEYS[hook]);
            lua_concat(L, 2);
        }
        luaL_error(L, "the policy decides nothing; expected at least one of the methods %s",
                   lua_tostring(L, -1));
    }
}

/* A word of a table on top of the stack: is it the second of the two? */
static bool second_word(lua_State *L, const char *key, const char *first, const char *other) {
    int type = lua_getfield(L, -1, key);
    const char *word = type == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (type != LUA_TNIL && strcmp(word, first) != 0 && strcmp(word, other) != 0)
        luaL_error(L, "queue: %s is %s; expected \"%s\" or \"%s\"", key, lp_hook_describe(L, -1),
                   first, other);
    bool is_other = type != LUA_TNIL && strcmp(word, other) == 0;
    lua_pop(L, 1);
    return is_other;
}

/* One number of a job may stand in it. */
static char *read_behind(lua_State *L) {
    int type = lua_getfield(L, -1, "behind");
    const char *text = type == LUA_TSTRING ? lua_tostring(L, -1) : "behind job %d";
    const char *mark = strchr(text, '%');
    if ((type != LUA_TNIL && type != LUA_TSTRING) ||
        (mark != NULL && (mark[1] != 'd' || strchr(mark + 1, '%') != NULL)))
        luaL_error(L, "queue: behind is %s; expected a reason in which %%d may stand once",
                   lp_hook_describe(L, -1));
    char *copy = keep(L, text);
    lua_pop(L, 1);
    return copy;
}

/* Keys of the table on top of the stack: each is known, and belongs to a hook that is there. */
static void check_queue_keys(lua_State *L, const LpPolicy *p) {
    static const char *const NAMES[] = {"head", "ties", "behind", "list", "order"};
    int table = lua_gettop(L);
    lua_Integer count = lp_sorted_push(L, table);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        size_t at = 0;
        while (at < LP_COUNTOF(NAMES) && strcmp(key, NAMES[at]) != 0)
            at++;
        if (at == LP_COUNTOF(NAMES)) {
            lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
            const char *hint = lua_tostring(L, -1); /* describing pushes a text of its own */
            luaL_error(L, "queue has no %s%s", lp_hook_describe(L, -2), hint);
        }
        bool rounds = strcmp(key, "list") == 0 || strcmp(key, "order") == 0;
        LpHook hook = rounds ? LP_HOOK_order_queue : LP_HOOK_queue_key;
        if (!p->has_hook[hook])
            luaL_error(L, "queue: %s belongs to the hook %s, which the policy does not have", key,
                       lp_hook_names[hook]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_queue(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    if (p->has_hook[LP_HOOK_queue_key] && p->has_hook[LP_HOOK_order_queue])
        luaL_error(L, "the policy has both queue_key and order_queue; expected one of them: a key "
                      "for each job, or an order for each round");
    int type = lua_getfield(L, index, "queue");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        luaL_error(L, "queue is %s; expected { head = \"blocks\", behind = \"behind job %%d\" }",
                   lp_hook_describe(L, -1));
    if (type == LUA_TTABLE) {
        check_queue_keys(L, p);
        p->queue_unlisted = lua_getfield(L, -1, "list") == LUA_TBOOLEAN && !lua_toboolean(L, -1);
        if (!lua_isnil(L, -1) && !lua_isboolean(L, -1))
            luaL_error(L, "queue: list is %s; expected true or false", lp_hook_describe(L, -1));
        lua_pop(L, 1);
        p->queue_rule = (second_word(L, "head", "passes", "blocks") ? LP_QUEUE_BLOCKS : 0u) |
                        (second_word(L, "ties", "block", "pass") ? LP_QUEUE_TIES : 0u) |
                        (p->queue_unlisted ? LP_QUEUE_AGAIN : 0u);
        p->behind = read_behind(L);
    }
    lua_pop(L, 1);
}

/* ---- self ---- */

static int self_rand(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    if (!p->rng)
        return luaL_error(L, "self:rand works only while a hook runs");
    lp_sandbox_charge(L, 8);
    if (lua_gettop(L) < 1 || !lua_istable(L, 1))
        return luaL_error(L, "call self:rand() with a colon");
    if (lua_isnoneornil(L, 2))
        lua_pushnumber(L, lp_rng_unit(p->rng));
    else
        lua_pushinteger(
            L, (lua_Integer)lp_rng_below(
                   p->rng, (uint64_t)lp_hook_whole(L, 2, "self:rand(n): n", 1, LUA_MAXINTEGER)) +
                   1);
    return 1;
}

/* Fields that are not the program's are the policy's own; upvalue: its table. */
static int self_index(lua_State *L) {
    lua_pushvalue(L, 2);
    if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    if (lua_type(L, 2) != LUA_TSTRING)
        return luaL_error(L, "self has no %s", lp_hook_describe(L, 2));
    const char *name = lua_tostring(L, 2);
    if (lp_api_has("job", name)) /* a dot instead of the colon: self is in the place of the job */
        return luaL_error(L,
                          "self has no field '%s', but a job has: a hook begins with "
                          "'function policy:', with a colon",
                          name);
    lp_env_push_nearest_of(L, name, SELF_NAMES, LP_COUNTOF(SELF_NAMES));
    return luaL_error(L, "self has no field '%s'%s; what must last belongs in self.mem", name,
                      lua_tostring(L, -1));
}

/* `self` of the hooks: p, mem, rand and, behind them, the policy's own table at index. */
static void make_self(lua_State *L, int index, const Loading *loading) {
    LpPolicy *p = loading->policy;
    lua_createtable(L, 0, 4);
    lp_params_push(L, index, loading->param, loading->params, loading->scenario);
    lua_setfield(L, -2, "p");
    lua_createtable(L, 0, 0);
    lua_pushvalue(L, -1);
    p->mem = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_setfield(L, -2, "mem");
    lp_env_push_function(L, self_rand);
    lua_setfield(L, -2, "rand");
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, index);
    lua_pushcclosure(L, self_index, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lp_env_lock(L, "self (what must last belongs in self.mem)");
    p->self = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* What order_queue keeps to: a word, or the name of the parameter that has it. */
static void read_order(lua_State *L, int index) {
    static const char *const WORDS[] = {"any", "fifo", "backfill"};
    static const uint32_t RULES[] = {0, LP_QUEUE_IN_ORDER, LP_QUEUE_FILLS};
    LpPolicy *p = lp_policy_of(L);
    size_t at = 0;
    if (lua_getfield(L, index, "queue") != LUA_TTABLE || lua_getfield(L, -1, "order") == LUA_TNIL) {
        lua_settop(L, index);
        return;
    }
    for (int look = 0; look < 2; look++) {
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        for (at = 0; at < LP_COUNTOF(WORDS) && strcmp(word, WORDS[at]) != 0; at++)
            ;
        if (at < LP_COUNTOF(WORDS) || look == 1 || word[0] == '\0')
            break;
        lua_rawgeti(L, LUA_REGISTRYINDEX, p->self);
        lua_getfield(L, -1, "p");
        lua_getfield(L, -1, word); /* raises an error where there is no such parameter */
    }
    if (at == LP_COUNTOF(WORDS))
        luaL_error(L,
                   "queue: order is %s; expected \"fifo\", \"any\", \"backfill\", or a parameter "
                   "that is one of them",
                   lp_hook_describe(L, -1));
    p->queue_rule |= RULES[at];
    lua_settop(L, index);
}

/* ---- loading ---- */

static int load_body(lua_State *L) {
    const Loading *loading = lua_touserdata(L, 1);
    LpPolicy *p = loading->policy;
    lp_views_open(L);
    lp_policy_of(L)->foresee = lp_phase_foresee;
    lp_api_open_explain(L);
    lp_api_open_algorithms(L);
    lp_api_open_require(L);
    p->sandbox.phase = LP_FAULT_LOAD;
    lp_sandbox_load(L, p->source, p->source_len, p->chunk);
    lp_sandbox_refill(&p->sandbox); /* the parser is not the script's doing */
    lua_call(L, 0, 1);
    p->sandbox.phase = LP_FAULT_CONTRACT;
    if (!lua_istable(L, -1))
        return luaL_error(L,
                          "the file returned %s; expected the policy, a table with name, api and "
                          "methods (is 'return policy' missing at its end?)",
                          lp_hook_describe(L, -1));
    int index = lua_gettop(L);
    lua_Integer count = lp_sorted_push(L, index);
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -1, i) == LUA_TSTRING)
            check_key(L, lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    p->name = read_text(L, index, "name", true);
    lua_getfield(L, index, "api");
    if (lua_type(L, -1) != LUA_TNUMBER || lua_tonumber(L, -1) != LP_POLICY_API)
        luaL_error(L, "api is %s; expected %d, the version of the policy interface",
                   lp_hook_describe(L, -1), LP_POLICY_API);
    lua_pop(L, 1);
    p->doc = read_text(L, index, "doc", false);
    read_hooks(L, index);
    read_queue(L, index);
    make_self(L, index, loading);
    read_order(L, index);
    return 0;
}

/* The texts, before there is a Lua state. */
static LpErr set_texts(LpPolicy *p, const char *path, const char *source, size_t len) {
    const char *slash = strrchr(path, '/');
    p->path = lp_arena_strdup(p->arena, path);
    p->chunk = lp_arena_strdup(p->arena, slash ? slash + 1 : path);
    p->folder = lp_arena_strndup(p->arena, path, slash ? (size_t)(slash + 1 - path) : 0);
    p->source = lp_arena_strndup(p->arena, source, len);
    p->source_len = len;
    return p->path && p->chunk && p->folder && p->source ? LP_OK : LP_ENOMEM;
}

static LpErr load(LpPolicy *p, const LpPolicyLimits *limits, const Loading *loading, LpDiag *diag) {
    LpPolicyLimits settled = limits ? *limits : (LpPolicyLimits){0};
    if (settled.instructions == 0)
        settled.instructions = LP_POLICY_INSTRUCTIONS;
    if (settled.memory == 0)
        settled.memory = DEFAULT_MEMORY;
    if (settled.result == 0)
        settled.result = DEFAULT_RESULT;
    if (!(settled.seconds > 0))
        settled.seconds = DEFAULT_SECONDS;
    LpSandboxLimits sandbox = {settled.instructions, settled.memory, settled.seconds};
    Loading argument = *loading;
    p->result = settled.result;
    LP_TRY(lp_sandbox_open(&p->sandbox, &sandbox, p->chunk, p->path, p, diag));
    p->loading = true;
    LpErr err = lp_sandbox_call(&p->sandbox, load_body, &argument, diag);
    if (err != LP_OK) {
        if (diag)
            lp_policy_find_file(p, diag);
        return err;
    }
    p->loading = false;
    LP_TRY(lp_sandbox_keep(&p->sandbox, diag));
    p->services.library = NULL; /* borrowed until here */
    p->services.files = NULL;
    p->hash = lp_hash_bytes(LP_HASH_INIT, p->source, p->source_len);
    for (uint32_t i = 0; i < p->params; i++) {
        p->hash = lp_hash_text(p->hash, p->param[i].name);
        p->hash = lp_hash_text(p->hash, p->param[i].value);
    }
    for (uint32_t i = 0; i < p->modules; i++)
        p->hash = lp_hash_u64(lp_hash_text(p->hash, p->module[i].name), p->module[i].hash);
    return LP_OK;
}

LpErr lp_policy_load_text(const char *name, const char *source, size_t len,
                          const LpPolicyParam *params, uint32_t count, const LpScenario *scenario,
                          const LpPolicyLimits *limits, const LpScriptServices *services,
                          LpPolicy **out, LpDiag *diag) {
    LP_TRY(lp_policy_check_text(name, source, len, diag));
    LpPolicy *p = lp_alloc(1, sizeof *p);
    if (!p || !(p->arena = lp_arena_new(0)) || set_texts(p, name, source, len) != LP_OK) {
        lp_policy_free(p);
        return lp_fail_memory(diag, "a policy");
    }
    if (services)
        p->services = *services;
    Loading loading = {p, params, count, scenario};
    LpErr err = load(p, limits, &loading, diag);
    if (err == LP_OK)
        *out = p;
    else
        lp_policy_free(p);
    return err;
}

LpErr lp_policy_load(const char *path, const LpPolicyParam *params, uint32_t count,
                     const LpScenario *scenario, const LpPolicyLimits *limits,
                     const LpScriptServices *services, LpPolicy **out, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_policy_read(services ? services->files : NULL, path, LP_POLICY_SOURCE_MAX, &text,
                          &len, diag));
    LpErr err =
        lp_policy_load_text(path, text, len, params, count, scenario, limits, services, out, diag);
    lp_free(text);
    return err;
}

void lp_policy_let_last(LpPolicy *policy) {
    lp_sandbox_let_go(&policy->sandbox);
}

void lp_policy_free(LpPolicy *policy) {
    if (!policy)
        return;
    lp_sandbox_close(&policy->sandbox);
    LpNumbers *numbers[] = {&policy->cached,     &policy->list[LP_LIST_RUNNING],
                            &policy->degrees,    &policy->list[LP_LIST_WAITING],
                            &policy->block,      &policy->taken,
                            &policy->ways,       &policy->servers,
                            &policy->part_begin, &policy->part_server,
                            &policy->try_ways,   &policy->try_servers,
                            &policy->priced,     &policy->queue,
                            &policy->moved};
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        lp_free(numbers[i]->item);
    LpPriorities *orders[] = {&policy->op_order, &policy->flow_order, &policy->try_op_order,
                              &policy->try_flow_order, &policy->slice_times};
    for (size_t i = 0; i < LP_COUNTOF(orders); i++)
        lp_free(orders[i]->item);
    lp_block_scratch_free(policy->blocks);
    lp_free(policy->step.flow);
    lp_free(policy->phases.turn);
    lp_free(policy->swap);
    lp_free(policy->swaps.item);
    lp_buf_fini(&policy->output);
    lp_buf_fini(&policy->mem_bytes);
    lp_buf_fini(&policy->mem_next);
    lp_buf_fini(&policy->mem_before);
    lp_free(policy->read);
    lp_free(policy->link);
    lp_free(policy->circuit);
    lp_free(policy->hold);
    lp_free(policy->score);
    for (uint32_t i = 0; i < policy->networks; i++)
        policy->services.network_close(policy->network[i]);
    lp_free(policy->network);
    lp_free(policy->action);
    lp_free(policy->explain);
    lp_free(policy->clone);
    lp_world_free(policy->spare);
    lp_world_free(policy->judge);
    lp_arena_free(policy->arena);
    lp_free(policy);
}
