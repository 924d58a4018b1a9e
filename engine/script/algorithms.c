/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.* and graph.*: the host's algorithms on tables of numbers, counting from 1. Each call is
 * charged by the size of its input before it runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/script_impl.h"

enum {
    SIDE_MAX = 1 << 12,
    NODES_MAX = 1 << 16,
    ENTRY_UNITS = 4,
    EDGE_UNITS = 20,
    WORK_PER_UNIT = 32
};
static const uint64_t FLOW_UNITS_MAX = 1 << 21;

typedef struct Matrix {
    const char *what; /* "match.value" */
    uint32_t rows, columns;
    double *item;
} Matrix;

typedef struct Edges {
    const char *what;
    LpScriptEdges list;
    double *value;
} Edges;

/* A pure function may last: what it takes is not the script's time. */
#define TIMED(policy, err, call)                                                                   \
    do {                                                                                           \
        struct timespec start_ = {0};                                                              \
        (void)clock_gettime(CLOCK_MONOTONIC, &start_);                                             \
        err = call;                                                                                \
        lp_sandbox_extend(&(policy)->sandbox, &start_);                                            \
    } while (0)

static void check_service(lua_State *L, bool there, const char *what) {
    if (!there)
        luaL_error(L, "%s is not available here: this program was made without it", what);
}

static void check_result(lua_State *L, LpErr err, const char *what, const LpDiag *diag) {
    if (err == LP_ENOMEM)
        lp_sandbox_fail_engine(L, diag);
    if (err != LP_OK)
        luaL_error(L, "%s: %s", what, diag->text);
}

/* Scratch memory that counts as the script's and goes with its garbage. */
static void *scratch(lua_State *L, size_t count, size_t size) {
    void *block = lua_newuserdatauv(L, count * size + 1, 0);
    return block;
}

/* ---- input ---- */

/* Pushes the list at index without its lock, and returns its length. */
static uint32_t push_list(lua_State *L, int index, const char *what, uint32_t max) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, what);
    if (!lp_env_unlock(L, index))
        lua_pushvalue(L, index);
    if (!lua_istable(L, -1))
        luaL_error(L, "%s is %s; expected a list", what, lp_hook_describe(L, -1));
    size_t count = lua_rawlen(L, -1);
    if (count > max)
        luaL_error(L, "%s has %I entries; at most %I are possible", what, (LUAI_UACINT)count,
                   (LUAI_UACINT)max);
    return (uint32_t)count;
}

static double number_at(lua_State *L, int index, lua_Integer i, const char *format, int a, int b) {
    if (lua_rawgeti(L, index, i) != LUA_TNUMBER) {
        const char *shown = lp_hook_describe(L, -1);
        lua_pushfstring(L, format, a, b);
        luaL_error(L, "%s is %s; expected a number", lua_tostring(L, -1), shown);
    }
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value != value ? (double)NAN : value; /* messages would show its sign */
}

static void read_row(lua_State *L, Matrix *m, uint32_t row) {
    char what[64];
    lua_pushfstring(L, "%s: row %d", m->what, (int)row + 1);
    lp_str_copy(what, sizeof what, lua_tostring(L, -1));
    lua_pop(L, 1);
    uint32_t columns = push_list(L, -1, what, SIDE_MAX);
    if (row == 0) {
        lp_sandbox_charge(L, ENTRY_UNITS * (uint64_t)m->rows * columns);
        m->columns = columns;
        m->item = scratch(L, (size_t)m->rows * columns, sizeof *m->item);
        lua_replace(L, 1); /* the argument's place keeps it alive; the list is on the stack */
    }
    if (columns != m->columns)
        luaL_error(L, "%s has %d entries, row 1 has %d", what, (int)columns, (int)m->columns);
    for (uint32_t c = 0; c < columns; c++)
        m->item[(size_t)row * columns + c] =
            number_at(L, -1, (lua_Integer)c + 1, "row %d, column %d", (int)row + 1, (int)c + 1);
    lua_pop(L, 1);
}

/* The matrix at argument 1, { { number, ... }, ... }. */
static Matrix read_matrix(lua_State *L, const char *what) {
    Matrix m = {.what = what};
    m.rows = push_list(L, 1, what, SIDE_MAX);
    int list = lua_gettop(L);
    for (uint32_t row = 0; row < m.rows; row++) {
        lua_rawgeti(L, list, (lua_Integer)row + 1);
        read_row(L, &m, row);
        lua_pop(L, 1);
    }
    if (!m.item)
        m.item = scratch(L, 0, 1);
    return m;
}

static void check_square(lua_State *L, const Matrix *m) {
    if (m->rows != m->columns && m->rows > 0)
        luaL_error(L, "%s: a matrix of %d x %d; expected as many rows as columns", m->what,
                   (int)m->rows, (int)m->columns);
}

static uint32_t read_node(lua_State *L, int index, const char *what, uint32_t nodes) {
    return (uint32_t)lp_hook_whole(L, index, what, 1, nodes) - 1;
}

/* Number of nodes at argument 1, edges { from, to [, value] } at argument 2; values unless NULL are
 * called `value`. */
static Edges read_edges(lua_State *L, const char *what, const char *value) {
    Edges e = {.what = what};
    char name[64];
    lua_pushfstring(L, "%s: number of nodes", what);
    lp_str_copy(name, sizeof name, lua_tostring(L, -1));
    e.list.nodes = (uint32_t)lp_hook_whole(L, 1, name, 1, NODES_MAX);
    lua_pushfstring(L, "%s: list of edges", what);
    lp_str_copy(name, sizeof name, lua_tostring(L, -1));
    e.list.edges = push_list(L, 2, name, 1 << 20);
    int list = lua_gettop(L);
    lp_sandbox_charge(L, EDGE_UNITS * ((uint64_t)e.list.edges + e.list.nodes));
    uint32_t *src = scratch(L, e.list.edges, sizeof *src);
    uint32_t *dst = scratch(L, e.list.edges, sizeof *dst);
    e.value = scratch(L, e.list.edges, sizeof *e.value);
    e.list.src = src;
    e.list.dst = dst;
    for (uint32_t i = 0; i < e.list.edges; i++) {
        lua_pushfstring(L, "%s: edge %d", what, (int)i + 1);
        lp_str_copy(name, sizeof name, lua_tostring(L, -1));
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        uint32_t parts = push_list(L, -1, name, 3);
        if (parts < (value ? 3U : 2U))
            luaL_error(L, "%s has %d entries; expected { from, to%s%s }", name, (int)parts,
                       value ? ", " : "", value ? value : "");
        lua_rawgeti(L, -1, 1);
        src[i] = read_node(L, -1, name, e.list.nodes);
        lua_rawgeti(L, -2, 2);
        dst[i] = read_node(L, -1, name, e.list.nodes);
        lua_pop(L, 2);
        if (value)
            e.value[i] = number_at(L, -1, 3, "the third entry of edge %d", (int)i + 1, 0);
        lua_settop(L, list + 3);
    }
    return e;
}

/* ---- output ---- */

/* A list of positions from 1 on, false for none. */
static void push_indices(lua_State *L, const uint32_t *index, uint32_t count) {
    lp_sandbox_charge(L, count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] == UINT32_MAX)
            lua_pushboolean(L, 0);
        else
            lua_pushinteger(L, (lua_Integer)index[i] + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_numbers(lua_State *L, const double *value, uint32_t count) {
    lp_sandbox_charge(L, count);
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushnumber(L, value[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* ---- matrices of few entries ---- */

/* The list `name` of the places at argument 2. */
static void push_places(lua_State *L, const char *what, const char *name, uint32_t entries) {
    lua_pushstring(L, name);
    lua_rawget(L, 2);
    lua_pushfstring(L, "%s: places.%s", what, name);
    lua_insert(L, -2);
    uint32_t count = push_list(L, -1, lua_tostring(L, -2), entries);
    if (count != entries)
        luaL_error(L, "%s has %d entries; expected %d, one for each weight", lua_tostring(L, -3),
                   (int)count, (int)entries);
}

/* A list of entries at argument 1, and their places at argument 2. */
static LpScriptSparse read_sparse(lua_State *L, const char *what) {
    LpScriptSparse m = {.n = 0};
    lua_settop(L, 2);
    m.entries = push_list(L, 1, what, 1 << 20);
    int list = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_pushliteral(L, "n");
    lua_rawget(L, 2);
    m.n = (uint32_t)lp_hook_whole(L, -1, "places.n", 0, SIDE_MAX);
    lp_sandbox_charge(L, ENTRY_UNITS * (uint64_t)m.entries + m.n +
                             (uint64_t)m.n * m.n / WORK_PER_UNIT);
    uint32_t *row = scratch(L, m.entries, sizeof *row);
    uint32_t *column = scratch(L, m.entries, sizeof *column);
    double *value = scratch(L, m.entries, sizeof *value);
    push_places(L, what, "row", m.entries);
    int rows = lua_gettop(L);
    push_places(L, what, "column", m.entries);
    int columns = lua_gettop(L);
    for (uint32_t k = 0; k < m.entries; k++) {
        lua_rawgeti(L, rows, (lua_Integer)k + 1);
        row[k] = read_node(L, -1, "an entry of places.row", m.n);
        lua_rawgeti(L, columns, (lua_Integer)k + 1);
        column[k] = read_node(L, -1, "an entry of places.column", m.n);
        lua_pop(L, 2);
        value[k] = number_at(L, list, (lua_Integer)k + 1, "entry %d", (int)k + 1, 0);
    }
    m.row = row;
    m.column = column;
    m.value = value;
    return m;
}

/* Steps that the script may still pay for. */
static uint64_t steps_left(const LpPolicy *p) {
    uint64_t left = (uint64_t)p->sandbox.left;
    return left < UINT64_MAX / WORK_PER_UNIT ? left * WORK_PER_UNIT : UINT64_MAX;
}

static int sparse_max_weight(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    double value = 0;
    check_service(L, p->services.sparse_max_weight, "match.max_weight");
    LpScriptSparse m = read_sparse(L, "match.max_weight");
    uint32_t *out = scratch(L, m.n, sizeof *out);
    uint64_t steps = steps_left(p);
    TIMED(p, err, p->services.sparse_max_weight(&m, out, &value, &steps, &diag));
    lp_sandbox_charge(L, steps / WORK_PER_UNIT); /* ends the call where they were not enough */
    check_result(L, err, "match.max_weight", &diag);
    push_indices(L, out, m.n);
    lua_pushnumber(L, value);
    return 2;
}

static int match_entries(lua_State *L) {
    uint32_t n = push_list(L, 1, "match.entries", SIDE_MAX), count = 0;
    int list = lua_gettop(L), value = list + 1, places = list + 2, row = list + 3;
    lp_sandbox_charge(L, (uint64_t)n * n);
    for (int i = 0; i < 4; i++)
        lua_createtable(L, 0, i == 1 ? 3 : 0);
    for (uint32_t i = 0; i < n; i++) {
        char what[64];
        snprintf(what, sizeof what, "match.entries: row %u", (unsigned)i + 1);
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        uint32_t columns = push_list(L, -1, what, SIDE_MAX);
        if (columns != n)
            luaL_error(L, "%s has %d entries; expected %d, one for each row", what, (int)columns,
                       (int)n);
        for (uint32_t j = 0; j < n; j++) {
            double entry =
                number_at(L, -1, (lua_Integer)j + 1, "row %d, column %d", (int)i + 1, (int)j + 1);
            if (entry == 0)
                continue;
            count++;
            lua_rawgeti(L, -1, (lua_Integer)j + 1);
            lua_rawseti(L, value, count);
            lua_pushinteger(L, (lua_Integer)i + 1);
            lua_rawseti(L, row, count);
            lua_pushinteger(L, (lua_Integer)j + 1);
            lua_rawseti(L, row + 1, count);
        }
        lua_pop(L, 2);
        lp_sandbox_charge(L, ENTRY_UNITS);
    }
    lp_sandbox_charge(L, ENTRY_UNITS * (uint64_t)count);
    lua_setfield(L, places, "column");
    lua_setfield(L, places, "row");
    lua_pushinteger(L, n);
    lua_setfield(L, places, "n");
    return 2;
}

/* ---- match ---- */

static int match_max_weight(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    if (!lua_isnoneornil(L, 2))
        return sparse_max_weight(L);
    check_service(L, p->services.max_weight, "match.max_weight");
    Matrix m = read_matrix(L, "match.max_weight");
    uint64_t s = m.rows < m.columns ? m.rows : m.columns, l = m.rows + m.columns - s;
    lp_sandbox_charge(L, s * s * l / WORK_PER_UNIT);
    uint32_t *out = scratch(L, m.rows, sizeof *out);
    TIMED(p, err, p->services.max_weight(m.item, m.rows, m.columns, out, &diag));
    check_result(L, err, m.what, &diag);
    push_indices(L, out, m.rows);
    return 1;
}

static int match_assignment(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    check_service(L, p->services.assignment, "match.assignment");
    Matrix m = read_matrix(L, "match.assignment");
    check_square(L, &m);
    lp_sandbox_charge(L, (uint64_t)m.rows * m.rows * m.rows / WORK_PER_UNIT);
    uint32_t *out = scratch(L, m.rows, sizeof *out);
    TIMED(p, err, p->services.assignment(m.item, m.rows, out, &diag));
    check_result(L, err, m.what, &diag);
    push_indices(L, out, m.rows);
    return 1;
}

static int match_value(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    double value = 0;
    check_service(L, p->services.value, "match.value");
    Matrix m = read_matrix(L, "match.value");
    uint32_t *match = scratch(L, m.rows, sizeof *match);
    uint32_t count = push_list(L, 2, "match.value: the matching", m.rows);
    for (uint32_t i = 0; i < m.rows; i++) {
        match[i] = UINT32_MAX;
        if (i < count && lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TNIL) {
            if (lua_type(L, -1) != LUA_TBOOLEAN || lua_toboolean(L, -1))
                match[i] = read_node(L, -1, "match.value: a column of the matching", m.columns);
        }
        lua_settop(L, lua_gettop(L) - (i < count));
    }
    check_result(L, p->services.value(m.item, m.rows, m.columns, match, &value, &diag), m.what,
                 &diag);
    lua_pushnumber(L, value);
    return 1;
}

/* Terms of a decomposition, protected: they must be freed whatever happens. */
static int push_terms(lua_State *L) {
    const LpScriptBvn *bvn = lua_touserdata(L, 1);
    lua_createtable(L, (int)bvn->terms, 0);
    for (uint32_t t = 0; t < bvn->terms; t++) {
        lua_createtable(L, 0, 2);
        lua_pushnumber(L, bvn->weight[t]);
        lua_setfield(L, -2, "weight");
        push_indices(L, bvn->match + (size_t)t * bvn->n, bvn->n);
        lua_setfield(L, -2, "match");
        lua_rawseti(L, -2, (lua_Integer)t + 1);
    }
    return 1;
}

/* Pushes what push_terms makes of them, and frees them. */
static int give_terms(lua_State *L, const LpPolicy *p, LpScriptBvn *bvn) {
    double residue = bvn->residue;
    lua_pushcfunction(L, push_terms);
    lua_pushlightuserdata(L, bvn);
    int status = lua_pcall(L, 1, 1, 0);
    p->services.bvn_free(bvn);
    if (status != LUA_OK)
        return lua_error(L);
    lua_pushnumber(L, residue);
    return 2;
}

static int sparse_bvn(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    LpScriptBvn bvn = {0};
    check_service(L, p->services.sparse_bvn, "match.bvn");
    LpScriptSparse m = read_sparse(L, "match.bvn");
    luaL_checkstack(L, 4, "match.bvn");
    uint64_t steps = steps_left(p);
    TIMED(p, err, p->services.sparse_bvn(&m, &bvn, &steps, &diag));
    int results = err == LP_OK ? give_terms(L, p, &bvn) : 0;
    lp_sandbox_charge(L, steps / WORK_PER_UNIT);
    check_result(L, err, "match.bvn", &diag);
    return results;
}

static int match_bvn(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    LpScriptBvn bvn = {0};
    if (!lua_isnoneornil(L, 2))
        return sparse_bvn(L);
    check_service(L, p->services.bvn, "match.bvn");
    Matrix m = read_matrix(L, "match.bvn");
    check_square(L, &m);
    lp_sandbox_charge(L, (uint64_t)m.rows * m.rows * m.rows * m.rows / (2 * WORK_PER_UNIT));
    luaL_checkstack(L, 4, "match.bvn");
    TIMED(p, err, p->services.bvn(m.item, m.rows, &bvn, &diag));
    check_result(L, err, m.what, &diag);
    return give_terms(L, p, &bvn);
}

/* ---- graph ---- */

static int graph_topological(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    check_service(L, p->services.topological, "graph.topological");
    Edges e = read_edges(L, "graph.topological", NULL);
    uint32_t *order = scratch(L, e.list.nodes, sizeof *order);
    uint32_t *depth = scratch(L, e.list.nodes, sizeof *depth);
    TIMED(p, err, p->services.topological(&e.list, order, depth, &diag));
    if (err == LP_ECYCLE) {
        lua_pushnil(L);
        lp_push_text(L, diag.text);
        return 2;
    }
    check_result(L, err, e.what, &diag);
    push_indices(L, order, e.list.nodes);
    lp_proxy_push_ids(L, depth, e.list.nodes);
    return 2;
}

static int graph_max_flow(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    double value = 0;
    check_service(L, p->services.max_flow, "graph.max_flow");
    Edges e = read_edges(L, "graph.max_flow", "capacity");
    uint32_t source = read_node(L, 3, "graph.max_flow: source", e.list.nodes);
    uint32_t target = read_node(L, 4, "graph.max_flow: target", e.list.nodes);
    /* at worst nodes^2 edges; the algorithm itself gives up after 2^26 looks at an edge */
    uint64_t work = (uint64_t)e.list.nodes * e.list.nodes / 256 * (e.list.edges + 1);
    lp_sandbox_charge(L, work < FLOW_UNITS_MAX ? work : FLOW_UNITS_MAX);
    double *flow = scratch(L, e.list.edges, sizeof *flow);
    TIMED(p, err, p->services.max_flow(&e.list, e.value, source, target, &value, flow, &diag));
    check_result(L, err, e.what, &diag);
    lua_pushnumber(L, value);
    push_numbers(L, flow, e.list.edges);
    return 2;
}

static int graph_shortest(lua_State *L) {
    LpPolicy *p = lp_policy_of(L);
    LpDiag diag;
    LpErr err;
    check_service(L, p->services.shortest, "graph.shortest");
    Edges e = read_edges(L, "graph.shortest", "length");
    uint32_t source = read_node(L, 3, "graph.shortest: source", e.list.nodes);
    double *distance = scratch(L, e.list.nodes, sizeof *distance);
    uint32_t *parent = scratch(L, e.list.nodes, sizeof *parent);
    TIMED(p, err, p->services.shortest(&e.list, e.value, source, distance, parent, &diag));
    check_result(L, err, e.what, &diag);
    push_numbers(L, distance, e.list.nodes);
    push_indices(L, parent, e.list.nodes);
    return 2;
}

void lp_api_open_algorithms(lua_State *L) {
    static const luaL_Reg MATCH[] = {
#define X(name, type, doc) {#name, match_##name},
        LP_API_MATCH(X)
#undef X
            {NULL, NULL}};
    static const luaL_Reg GRAPH[] = {
#define X(name, type, doc) {#name, graph_##name},
        LP_API_GRAPH(X)
#undef X
            {NULL, NULL}};
    lua_createtable(L, 0, (int)LP_COUNTOF(MATCH));
    lp_env_set_functions(L, MATCH);
    lp_env_define_library(L, "match");
    lua_createtable(L, 0, (int)LP_COUNTOF(GRAPH));
    lp_env_set_functions(L, GRAPH);
    lp_env_define_library(L, "graph");
}
