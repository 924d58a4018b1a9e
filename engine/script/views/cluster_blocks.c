/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free blocks of servers: whether one fits, which there are, and what each leaves over. */
#include <math.h>
#include <string.h>

#include "model/fabric/best.h"
#include "script/views/classes.h"
#include "script/views/cluster_api.h"
#include "script/views/views.h"
#include "sim/world.h"

/* What a search costs: something to begin with, and the words that it reads of the index. */
enum { DEFAULT_LIMIT = 32, SEARCH_UNITS = 64, WORDS_PER_UNIT = 4 };

static void charge_search(lua_State *L, const LpBlockSearch *search) {
    lp_sandbox_charge(L, search->looked / WORDS_PER_UNIT + SEARCH_UNITS);
}

static bool fallbacks(const LpPolicy *p) {
    return lp_published(&p->context->scenario->options, LP_OPT_RESERVE);
}

static void start_search(LpPolicy *p, uint32_t n, const LpRoom *room, LpBlockSearch *search) {
    lp_block_search_in(search, &lp_policy_context(p)->fabric, n, fallbacks(p), room, NULL, NULL);
}

/* Made when it is first asked for, kept with the policy. */
static LpBlockScratch *scratch_of(lua_State *L, LpPolicy *p) {
    if (p->blocks != NULL && !lp_block_scratch_fits(p->blocks, lp_world_room(p->world))) {
        lp_block_scratch_free(p->blocks);
        p->blocks = NULL;
    }
    if (p->blocks == NULL)
        p->blocks = lp_block_scratch_new(&p->context->fabric);
    if (p->blocks == NULL) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "a choice of blocks");
        lp_sandbox_fail_engine(L, &diag);
    }
    return p->blocks;
}

bool lp_api_any_block(lua_State *L, uint32_t n, const LpRoom *room) {
    LpBlockSearch search;
    start_search(lp_policy_of(L), n, room, &search);
    bool found = lp_block_next(&search, NULL);
    charge_search(L, &search);
    return found;
}

void lp_api_reset_room(lua_State *L, const LpPolicy *p, LpRoom *room) {
    size_t bytes = lp_room_bytes(&lp_policy_context(p)->fabric);
    memcpy(room, lp_world_room(p->world), bytes);
    lp_sandbox_charge(L, bytes / (8 * WORDS_PER_UNIT));
}

uint32_t lp_api_free_job(lua_State *L, const LpPolicy *p, LpRoom *room, uint32_t id) {
    const LpJob *job = lp_world_job(p->world, id);
    uint32_t freed = 0;
    if (job->outcome != LP_JOB_RUNNING)
        return 0;
    lp_sandbox_charge(L, job->placed.servers);
    for (uint32_t s = job->placed.first_server; s != LP_NO_INDEX;
         s = lp_world_server(p->world, s)->next) {
        if (lp_world_server(p->world, s)->state != LP_SERVER_IN_SERVICE)
            continue;
        lp_room_set(room, s, true);
        freed++;
    }
    return freed;
}

/* The index of free servers as if the running jobs of a list had stopped, in a buffer of Lua's;
 * *free grows by what they hold. NULL where nobody may be stopped. */
static const LpRoom *room_without(lua_State *L, LpPolicy *p, int index, uint32_t *free) {
    if (lp_published(&p->context->scenario->options, LP_OPT_HORIZON))
        return NULL;
    luaL_checktype(L, index, LUA_TTABLE);
    size_t count = lua_rawlen(L, index);
    LpRoom *room = lua_newuserdatauv(L, lp_room_bytes(&lp_policy_context(p)->fabric), 0);
    lp_api_reset_room(L, p, room);
    lp_sandbox_charge(L, count);
    for (size_t i = 1; i <= count; i++) {
        lua_rawgeti(L, index, (lua_Integer)i);
        uint32_t id = lp_proxy_check_job(L, -1, "cluster:fits: without");
        lua_pop(L, 1);
        *free += lp_api_free_job(L, p, room, id);
    }
    return room;
}

int lp_api_fits(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:fits");
    LpPolicy *p = lp_policy_of(L);
    lua_Integer n = lp_hook_whole(L, 2, "cluster:fits: number of servers", 0, UINT32_MAX);
    uint32_t free = lp_world_free_servers(p->world);
    const LpRoom *room = lp_world_room(p->world);
    if (!lua_isnoneornil(L, 3))
        room = room_without(L, p, 3, &free);
    lua_pushboolean(L, room != NULL && n >= 1 && n <= (lua_Integer)free &&
                           lp_api_any_block(L, (uint32_t)n, room));
    return 1;
}

int lp_api_free_at(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:free_at");
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag = {0};
    if (lp_proxy_kind(L, 2) == LP_PROXY_JOB)
        return lp_api_place_at(L);
    lua_Integer n =
        lp_hook_whole(L, 2, "cluster:free_at: a job, or a number of servers", 1, UINT32_MAX);
    uint64_t looked = 0;
    double at = (double)INFINITY;
    bool known = !lp_published(&p->context->scenario->options, LP_OPT_HORIZON);
    if (known && lp_world_free_at(p->world, p->context, (uint32_t)n, &at, &looked, &diag) != LP_OK)
        lp_sandbox_fail_engine(L, &diag);
    lp_sandbox_charge(L, looked / WORDS_PER_UNIT + SEARCH_UNITS);
    if (isinf(at))
        lua_pushnil(L);
    else
        lua_pushnumber(L, at);
    return 1;
}

/* ---- one block ---- */

static void block_servers(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)p;
    const LpBlockProxy *block = (const LpBlockProxy *)view;
    lp_proxy_push_ids(L, block->server, block->count);
}

static void block_shape(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)p;
    char text[LP_SHAPE_TEXT];
    lp_push_text(L, lp_shape_print(&((const LpBlockProxy *)view)->shape, text));
}

/* Worked out when asked for, then kept in the view. */
static void block_largest_left(lua_State *L, LpPolicy *p, const LpProxy *view) {
    const LpBlockProxy *block = (const LpBlockProxy *)view;
    if (block->largest_left == UINT32_MAX) {
        LpBlockProxy *known = lua_touserdata(L, 1);
        const LpFabric *fabric = &lp_policy_context(p)->fabric;
        uint64_t looked = 0;
        known->largest_left =
            lp_block_largest_left(fabric, lp_world_room(p->world), fallbacks(p), block->server,
                                  block->count, scratch_of(L, p), &looked);
        lp_sandbox_charge(L, looked / WORDS_PER_UNIT + SEARCH_UNITS);
    }
    lua_pushinteger(L, block->largest_left);
}

static void block_left_in_racks(lua_State *L, LpPolicy *p, const LpProxy *view) {
    const LpBlockProxy *block = (const LpBlockProxy *)view;
    lp_sandbox_charge(L, block->count / WORDS_PER_UNIT + 1);
    lua_pushinteger(L,
                    lp_block_left_in_racks(&lp_policy_context(p)->fabric, lp_world_room(p->world),
                                           block->server, block->count));
}

static LpBlockTrace trace_of(lua_State *L, const LpPolicy *p, const LpProxy *view) {
    const LpBlockProxy *block = (const LpBlockProxy *)view;
    const LpFabric *fabric = &lp_policy_context(p)->fabric;
    lp_sandbox_charge(L, (block->count + fabric->per_rack / 64 + fabric->racks) / WORDS_PER_UNIT);
    return lp_block_trace(fabric, lp_world_room(p->world), block->server, block->count);
}

static void block_left_in_groups(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lua_pushinteger(L, trace_of(L, p, view).left_in_groups);
}

static void block_groups(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lua_pushinteger(L, trace_of(L, p, view).groups);
}

static void block_racks(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lua_pushinteger(L, trace_of(L, p, view).racks);
}

static void block_fragments(lua_State *L, LpPolicy *p, const LpProxy *view) {
    lua_pushinteger(L, trace_of(L, p, view).fragments);
}

#define ROW(name, type, doc) {#name, block_##name},
static const LpField FIELDS[] = {LP_API_BLOCK_FIELDS(ROW)};
const LpProxyClass lp_proxy_block = {
    .name = "block", .field = FIELDS, .fields = LP_COUNTOF(FIELDS)};

/* ---- all blocks ---- */

typedef struct BlocksOptions {
    lua_Integer limit, skip;
    const char *shape; /* NULL: all shapes */
} BlocksOptions;

/* Options at index 3. */
static BlocksOptions read_options(lua_State *L, lua_Integer limit) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_BLOCKS_OPTIONS(NAME)};
#undef NAME
    BlocksOptions o = {.limit = limit};
    if (lua_isnoneornil(L, 3))
        return o;
    luaL_checktype(L, 3, LUA_TTABLE);
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strcmp(key, "shape") == 0) {
            o.shape = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        } else if (strcmp(key, "limit") == 0) {
            o.limit = lp_hook_whole(L, -1, "cluster:blocks: limit", 1, 1 << 20);
        } else if (strcmp(key, "skip") == 0) {
            o.skip = lp_hook_whole(L, -1, "cluster:blocks: skip", 0, 1 << 20);
        } else {
            lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
            const char *nearest = lua_tostring(L, -1); /* describing pushes */
            luaL_error(L, "cluster:blocks: unknown option %s%s", lp_hook_describe(L, -3), nearest);
        }
    }
    return o;
}

/* "2x2x1" as a shape of n servers; false when it is none. */
static bool parse_shape(const char *text, uint32_t n, LpShape *shape) {
    uint32_t part[3] = {0};
    for (int i = 0; i < 3; i++) {
        if (*text < '1' || *text > '9')
            return false;
        for (; *text >= '0' && *text <= '9' && part[i] <= LP_SERVERS_MAX; text++)
            part[i] = part[i] * 10 + (uint32_t)(*text - '0');
        if (*text++ != (i < 2 ? 'x' : '\0'))
            return false;
    }
    *shape = (LpShape){.groups = part[0], .racks = part[1], .servers = part[2]};
    return part[0] <= n && part[1] <= n && part[2] <= n && (uint64_t)part[0] * part[1] <= n &&
           (uint64_t)part[0] * part[1] * part[2] == n;
}

/* Restricts the search to one shape; one that does not lie anywhere finds nothing. */
static void only_shape(lua_State *L, LpBlockSearch *blocks, uint32_t n, const char *text) {
    LpShape shape;
    if (!parse_shape(text, n, &shape))
        luaL_error(L,
                   "'%s' is no shape of %d servers; expected groups x racks x "
                   "servers as in \"2x2x1\"",
                   text, (int)n);
    lp_block_only(blocks, &shape);
}

static LpBlockProxy *push_block(lua_State *L, uint32_t n, const LpShape *shape) {
    LpPolicy *p = lp_policy_of(L);
    size_t size = sizeof(LpBlockProxy) + n * sizeof(uint32_t);
    LpBlockProxy *block = (LpBlockProxy *)lp_proxy_push(L, LP_PROXY_BLOCK, 0, 0, size);
    block->shape = *shape;
    block->count = n;
    block->largest_left = UINT32_MAX;
    memcpy(block->server, p->block.item, n * sizeof(uint32_t));
    return block;
}

/* A search of blocks of n servers (index 2) by options (index 3) among those of the cluster (index
 * 1); false: fewer than n servers are free. */
static bool begin_blocks(lua_State *L, const char *what, lua_Integer limit, BlocksOptions *o,
                         LpBlockSearch *search) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, what);
    LpPolicy *p = lp_policy_of(L);
    uint32_t n = (uint32_t)lp_hook_whole(L, 2, "cluster:blocks: number of servers", 1, UINT32_MAX);
    *o = read_options(L, limit);
    if (n > lp_world_free_servers(p->world))
        return false;
    lp_numbers_reserve(L, &p->block, n);
    start_search(p, n, lp_world_room(p->world), search);
    if (o->shape != NULL)
        only_shape(L, search, n, o->shape);
    return true;
}

/* Passes over blocks of the search, one after the other, at most `most`; returns how many. */
static lua_Integer pass_over(LpPolicy *p, LpBlockSearch *search, lua_Integer most) {
    lua_Integer passed = 0;
    while (passed < most && lp_block_next(search, p->block.item))
        passed++;
    return passed;
}

int lp_api_blocks(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    BlocksOptions o;
    LpBlockSearch blocks;
    bool any = begin_blocks(L, "cluster:blocks", DEFAULT_LIMIT, &o, &blocks);
    lua_createtable(L, 0, 0);
    if (!any)
        return 1;
    lua_Integer skipped = pass_over(p, &blocks, o.skip);
    for (lua_Integer i = 1;
         skipped == o.skip && i <= o.limit && lp_block_next(&blocks, p->block.item); i++) {
        push_block(L, blocks.n, &blocks.shape[blocks.at_shape]);
        lua_rawseti(L, -2, i);
    }
    charge_search(L, &blocks);
    return 1;
}

int lp_api_count_blocks(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    BlocksOptions o;
    LpBlockSearch blocks;
    if (!begin_blocks(L, "cluster:count_blocks", DEFAULT_LIMIT, &o, &blocks)) {
        lua_pushinteger(L, 0);
        return 1;
    }
    lua_Integer passed = pass_over(p, &blocks, o.skip + o.limit);
    charge_search(L, &blocks);
    lua_pushinteger(L, passed > o.skip ? passed - o.skip : 0);
    return 1;
}

/* ---- one block after the other ---- */

/* What a loop remembers, in a value that no script gets hold of. The cluster does not change while
 * a hook runs, but it may be looked at elsewhere meanwhile. */
typedef struct Walk {
    LpBlockSearch search;
    uint64_t generation;
    uint32_t world;
    lua_Integer skip, left;
} Walk;

static int next_block(lua_State *L) {
    Walk *walk = lua_touserdata(L, lua_upvalueindex(1));
    LpPolicy *p = lp_policy_of(L);
    if (walk->left > 0 && walk->generation != p->generation)
        luaL_error(L, "this loop over blocks was kept from an earlier call: it can be used only "
                      "until the hook returns");
    if (walk->left == 0) {
        lua_pushnil(L);
        return 1;
    }
    lp_policy_enter(p, walk->world);
    walk->search.fabric = &lp_policy_context(p)->fabric;
    walk->search.room = lp_world_room(p->world);
    uint64_t looked = walk->search.looked;
    lp_numbers_reserve(L, &p->block, walk->search.n);
    bool found = pass_over(p, &walk->search, walk->skip) == walk->skip &&
                 lp_block_next(&walk->search, p->block.item);
    walk->skip = 0;
    walk->left = found ? walk->left - 1 : 0;
    lp_sandbox_charge(L, (walk->search.looked - looked) / WORDS_PER_UNIT + 1);
    if (found)
        push_block(L, walk->search.n, &walk->search.shape[walk->search.at_shape]);
    else
        lua_pushnil(L);
    return 1;
}

int lp_api_each_block(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    BlocksOptions o;
    LpBlockSearch search;
    bool any = begin_blocks(L, "cluster:each_block", LUA_MAXINTEGER, &o, &search);
    lp_sandbox_charge(L, SEARCH_UNITS);
    Walk *walk = lua_newuserdatauv(L, sizeof *walk, 0);
    *walk = (Walk){.generation = p->generation, .world = p->world_at, .skip = o.skip};
    if (any) {
        walk->search = search;
        walk->left = o.limit;
    }
    lua_pushcclosure(L, next_block, 1);
    return 1;
}

/* ---- the best one ---- */

enum { BEST_LIMIT = 256 }; /* least_fragmenting: DEFAULT_LIMIT; its blocks cost more */

typedef struct BestOptions {
    LpBlockRank rank;
    uint32_t degree; /* 0: as answered */
    lua_Integer limit;
    const char *shape;
} BestOptions;

static LpBlockScore read_score(lua_State *L, int index, const char *option) {
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
    int score = lp_block_score_find(name);
    if (score < 0)
        luaL_error(L,
                   "cluster:best_block: the %s is %s; expected \"first_fit\", \"best_fit\", "
                   "\"worst_fit\", \"fewest_groups\" or \"least_fragmenting\"",
                   option, lp_hook_describe(L, index));
    return (LpBlockScore)score;
}

/* The value on top of the stack. */
static void read_best_option(lua_State *L, const char *key, BestOptions *o) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_BEST_OPTIONS(NAME)};
#undef NAME
    if (strcmp(key, "score") == 0) {
        o->rank.score = read_score(L, -1, key);
    } else if (strcmp(key, "tie") == 0) {
        o->rank.tie = read_score(L, -1, key);
    } else if (strcmp(key, "degree") == 0) {
        o->degree = (uint32_t)lp_hook_whole(L, -1, "cluster:best_block: degree", 1, UINT32_MAX);
    } else if (strcmp(key, "limit") == 0) {
        o->limit = lp_hook_whole(L, -1, "cluster:best_block: limit", 1, 1 << 20);
    } else if (strcmp(key, "shape") == 0) {
        o->shape = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    } else {
        lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
        const char *nearest = lua_tostring(L, -1); /* describing pushes */
        luaL_error(L, "cluster:best_block: unknown option %s%s", lp_hook_describe(L, -3), nearest);
    }
}

static BestOptions read_best(lua_State *L) {
    BestOptions o = {.rank = {LP_SCORE_FIRST_FIT, LP_SCORE_FIRST_FIT}};
    if (!lua_isnoneornil(L, 3)) {
        luaL_checktype(L, 3, LUA_TTABLE);
        lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
        for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1))
            read_best_option(L, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "", &o);
    }
    if (o.limit == 0)
        o.limit =
            o.rank.score == LP_SCORE_LEAST_FRAGMENTING || o.rank.tie == LP_SCORE_LEAST_FRAGMENTING
                ? DEFAULT_LIMIT
                : BEST_LIMIT;
    return o;
}

/* Servers that are looked for: as stated, of a rigid job, or of a job at a degree. 0: none will do.
 */
static uint32_t read_size(lua_State *L, LpPolicy *p, const BestOptions *o) {
    if (lp_proxy_kind(L, 2) != LP_PROXY_JOB)
        return (uint32_t)lp_hook_whole(L, 2, "cluster:best_block: a job, or a number of servers", 1,
                                       UINT32_MAX);
    uint32_t id = lp_proxy_check_new_job(L, 2, "cluster:best_block(job)");
    const LpJob *job = lp_world_job(p->world, id);
    if (job->graph < 0)
        return job->asked.rigid_servers;
    if (o->degree == 0 && (id != p->job || p->pending == 0))
        luaL_error(L, "cluster:best_block: state a degree, as in { degree = 4 }");
    return lp_api_block_size(L, id, o->degree);
}

int lp_api_best_block(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:best_block");
    LpPolicy *p = lp_policy_of(L);
    BestOptions o = read_best(L);
    uint32_t n = read_size(L, p, &o);
    LpBlockChoice choice;
    LpBlockSearch search;
    if (n == 0 || n > lp_world_free_servers(p->world)) {
        lua_pushnil(L);
        return 1;
    }
    lp_numbers_reserve(L, &p->block, n);
    start_search(p, n, lp_world_room(p->world), &search);
    if (o.shape != NULL)
        only_shape(L, &search, n, o.shape);
    bool found = lp_block_best(&search, o.rank, (uint32_t)o.limit, fallbacks(p), scratch_of(L, p),
                               p->block.item, &choice);
    charge_search(L, &search);
    if (!found) {
        lua_pushnil(L);
        return 1;
    }
    LpBlockProxy *block = push_block(L, n, &choice.shape);
    if (o.rank.score == LP_SCORE_LEAST_FRAGMENTING)
        block->largest_left = choice.value;
    return 1;
}
