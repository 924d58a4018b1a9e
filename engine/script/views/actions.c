/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What order_queue and review return: jobs in order, and actions. Only the form is judged; what an
 * action would do is the world's business. */
#include <string.h>

#include "script/views/views.h"

#define MAX_DEGREE LP_SERVERS_MAX
#define ACTION_FORM "expected an action, as in { \"preempt\", job = job }"

/* ---- actions ---- */

typedef enum Key { KEY_JOB, KEY_SERVERS, KEY_DEGREE, KEY_LINKS, KEY_AT, KEYS } Key;

static const char *const KEY_NAMES[KEYS] = {
#define X(name, type, doc) #name,
    LP_API_ACTION_KEYS(X)
#undef X
};

/* The keys that each kind needs, as bits. */
static const unsigned NEEDS[LP_ACTION_COUNT] = {
    [LP_ACTION_PREEMPT] = 1U << KEY_JOB,
    [LP_ACTION_RESUME] = 1U << KEY_JOB,
    [LP_ACTION_MIGRATE] = 1U << KEY_JOB | 1U << KEY_SERVERS,
    [LP_ACTION_RESIZE] = 1U << KEY_JOB | 1U << KEY_DEGREE,
    [LP_ACTION_REGROUP] = 1U << KEY_LINKS,
    [LP_ACTION_WAKE] = 1U << KEY_AT,
};

/* Id of the job that the value at the top stands for: a view, or its id. */
static uint32_t read_job(lua_State *L, const char *what) {
    const LpPolicy *p = lp_policy_of(L);
    if (lp_proxy_kind(L, -1) == LP_PROXY_JOB)
        return lp_proxy_check_job(L, -1, what);
    int whole = 0;
    lua_Integer id = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &whole) : -1;
    lua_Integer jobs = lp_world_jobs(p->world);
    if (!whole || id < 0 || id >= jobs)
        luaL_error(L, "%s: job is %s; expected a job or the id of one, 0 to %I", what,
                   lp_hook_describe(L, -1), (LUAI_UACINT)jobs - 1);
    return (uint32_t)id;
}

static double read_time(lua_State *L, const char *what) {
    double at = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
    if (!(at >= 0) || at > 1e300)
        luaL_error(L, "%s: at is %s; expected a time in seconds", what, lp_hook_describe(L, -1));
    return at;
}

/* The value of one key, at the top. */
static void read_key(lua_State *L, Key key, const char *what, LpReadAction *out) {
    LpPolicy *p = lp_policy_of(L);
    char name[64];
    LpBuf text = {0};
    lp_buf_addf(&text, "%s: %s", what, KEY_NAMES[key]);
    lp_str_copy(name, sizeof name, lp_buf_text(&text));
    lp_buf_fini(&text);
    switch (key) {
    case KEY_JOB:
        out->action.job = read_job(L, what);
        break;
    case KEY_SERVERS:
        out->first = p->moved.count;
        lp_hook_read_servers(L, lua_gettop(L), name, &p->moved);
        out->action.servers = p->moved.count - out->first;
        break;
    case KEY_DEGREE:
        out->action.degree = (uint32_t)lp_hook_whole(L, -1, name, 1, MAX_DEGREE);
        break;
    case KEY_LINKS:
        out->first = (uint32_t)p->links;
        out->action.links = lp_optics_read_links(L, name);
        break;
    case KEY_AT:
        out->action.at = read_time(L, what);
        break;
    case KEYS:
        break;
    }
}

/* The kind, which stands first. */
static LpActionKind read_kind(lua_State *L, int index, const char *what) {
    static const char *const KINDS[] = {
#define X(id, name) name,
        LP_ACTION_TABLE(X)
#undef X
    };
    const char *name = lua_rawgeti(L, index, 1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (!name)
        luaL_error(L, "%s begins with %s; expected its name, as in { \"preempt\", job = job }",
                   what, lp_hook_describe(L, -1));
    int kind = lp_action_find(name);
    if (kind < 0) {
        lp_env_push_nearest_of(L, name, KINDS, LP_COUNTOF(KINDS));
        const char *nearest = lua_tostring(L, -1); /* describing pushes */
        luaL_error(L,
                   "%s is called %s%s; expected preempt, resume, migrate, resize, regroup or "
                   "wake",
                   what, lp_hook_describe(L, -2), nearest);
    }
    lua_pop(L, 1);
    return (LpActionKind)kind;
}

/* Names the smallest key that this kind of action does not have. */
static void refuse_strangers(lua_State *L, int index, const char *what, LpActionKind kind) {
    lua_Integer count = lp_sorted_push(L, index);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        bool known = lua_isinteger(L, -1) && lua_tointeger(L, -1) == 1;
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        for (int key = 0; key < KEYS; key++)
            known = known || (NEEDS[kind] >> key & 1 && strcmp(name, KEY_NAMES[key]) == 0);
        if (!known)
            luaL_error(L, "%s: %s has no %s", what, lp_action_name(kind), lp_hook_describe(L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void lp_action_reset(LpPolicy *p) {
    p->reads = 0;
    p->moved.count = 0;
    p->links = 0;
}

LpAction lp_action_get(const LpPolicy *p, uint32_t i) {
    LpAction action = p->read[i].action;
    if (action.servers > 0)
        action.server = p->moved.item + p->read[i].first;
    if (action.links > 0)
        action.link = p->link + p->read[i].first;
    return action;
}

static LpReadAction *append(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    if (lp_grow((void **)&p->read, &p->read_cap, (size_t)p->reads + 1, sizeof *p->read) != LP_OK) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "actions");
        lp_sandbox_fail_engine(L, &diag);
    }
    return &p->read[p->reads];
}

void lp_action_read(lua_State *L, int index, const char *what) {
    LpPolicy *p = lp_policy_of(L);
    LpReadAction *out = append(L);
    luaL_checkstack(L, 16, what);
    index = lua_absindex(L, index);
    int top = lua_gettop(L);
    if (lp_env_unlock(L, index))
        index = top + 1;
    if (!lua_istable(L, index))
        luaL_error(L, "%s is %s; " ACTION_FORM, what, lp_hook_describe(L, index));
    *out = (LpReadAction){.action = {.kind = read_kind(L, index, what)}};
    lp_sandbox_charge(L, 32);
    refuse_strangers(L, index, what, out->action.kind);
    for (int key = 0; key < KEYS; key++) {
        if (!(NEEDS[out->action.kind] >> key & 1))
            continue;
        lp_push_text(L, KEY_NAMES[key]);
        if (lua_rawget(L, index) == LUA_TNIL)
            luaL_error(L, "%s: %s needs %s", what, lp_action_name(out->action.kind),
                       KEY_NAMES[key]);
        read_key(L, (Key)key, what, out);
        lua_pop(L, 1);
    }
    lua_settop(L, top);
    p->reads++;
}

/* ---- review ---- */

void lp_hook_read_review(lua_State *L, int index) {
    const LpPolicy *p = lp_policy_of(L);
    lp_action_reset(lp_policy_of(L));
    lp_hook_read_why(L, index + 1);
    if (lua_isnil(L, index))
        return;
    if (!lua_istable(L, index))
        luaL_error(L, "returned %s; expected a list of actions or nil", lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    if (count > p->result)
        luaL_error(L, "%I actions; at most %I are allowed", (LUAI_UACINT)count,
                   (LUAI_UACINT)p->result);
    if (count == 0) {
        lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
        lua_pushnil(L);
        if (lua_next(L, index))
            luaL_error(L,
                       "returned a table with a key %s; expected a list of actions: { { "
                       "\"preempt\", job = job } }",
                       lp_hook_describe(L, -2));
    }
    for (size_t i = 1; i <= count; i++) {
        char what[32];
        lua_pushfstring(L, "action %I", (LUAI_UACINT)i);
        lp_str_copy(what, sizeof what, lua_tostring(L, -1));
        lua_pop(L, 1);
        lua_rawgeti(L, index, (lua_Integer)i);
        lp_action_read(L, -1, what);
        lua_pop(L, 1);
    }
}

/* ---- order_queue ---- */

/* Bits of p->taken: jobs that may still be named. */
static void mark_round(lua_State *L, LpPolicy *p) {
    uint32_t words = lp_world_jobs(p->real) / 32 + 1;
    lp_numbers_reserve(L, &p->taken, words);
    lp_sandbox_charge(L, words / 8);
    memset(p->taken.item, 0, words * sizeof *p->taken.item);
    for (uint32_t i = 0; i < p->queue.count; i++)
        p->taken.item[p->queue.item[i] / 32] |= UINT32_C(1) << p->queue.item[i] % 32;
}

static bool take(LpPolicy *p, uint32_t job) {
    uint32_t bit = UINT32_C(1) << job % 32, *word = &p->taken.item[job / 32];
    bool open = (*word & bit) != 0;
    *word &= ~bit;
    return open;
}

static bool named(const LpPolicy *p, uint32_t count, uint32_t job) {
    for (uint32_t i = 0; i < count; i++)
        if (p->moved.item[i] == job)
            return true;
    return false;
}

void lp_hook_read_queue(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    lp_hook_read_why(L, index + 1);
    if (lua_isnil(L, index))
        return;
    if (!lua_istable(L, index))
        luaL_error(L,
                   "returned %s; expected { job, ... }, jobs of the queue in the order in which "
                   "they are to be offered",
                   lp_hook_describe(L, index));
    size_t count = lua_rawlen(L, index);
    bool listed = !p->queue_unlisted;
    if (listed && count > p->queue.count)
        luaL_error(L, "%I entries for a queue of %d; expected each job once", (LUAI_UACINT)count,
                   (int)p->queue.count);
    if (listed)
        mark_round(L, p);
    lp_sandbox_charge(L, 4 * count);
    for (size_t i = 0; i < count; i++) {
        char what[32];
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        lua_pushfstring(L, "entry %I", (LUAI_UACINT)i + 1);
        lp_str_copy(what, sizeof what, lua_tostring(L, -1));
        lua_pop(L, 1);
        uint32_t job = read_job(L, what);
        if (listed && !take(p, job))
            luaL_error(L, "%s: job %d %s; expected a job of the queue, each once", what, (int)job,
                       named(p, (uint32_t)i, job) ? "was named before"
                                                  : "is not among those to be offered");
        lua_pop(L, 1);
        lp_numbers_reserve(L, &p->moved, i + 1);
        p->moved.item[i] = job;
    }
    lp_numbers_reserve(L, &p->queue, count);
    if (count > 0)
        memcpy(p->queue.item, p->moved.item, count * sizeof *p->queue.item);
    p->queue.count = (uint32_t)count;
    p->ordered = true;
}
