/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A job's computation graph as scripts see it: operations by number, dependencies in file order. */
#include "script/views/classes.h"
#include "script/views/views.h"

static const LpGraph *graph_of(const LpPolicy *policy, const LpProxy *view) {
    return policy->context->scenario->graph[lp_world_job(policy->world, view->job)->graph];
}

static const LpOp *op_of(const LpPolicy *policy, const LpProxy *view) {
    const LpGraph *graph = graph_of(policy, view);
    return &graph->op[graph->by_number[view->item]];
}

/* ---- one operation ---- */

#define OP(name) static void op_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

OP(number) {
    (void)p;
    lua_pushinteger(L, view->item);
}

OP(name) {
    lp_push_text(L, op_of(p, view)->name ? op_of(p, view)->name : "");
}

OP(forward) {
    lua_pushnumber(L, op_of(p, view)->forward);
}

OP(backward) {
    lua_pushnumber(L, op_of(p, view)->backward);
}

OP(activation) {
    lua_pushnumber(L, op_of(p, view)->activation);
}

OP(parameters) {
    lua_pushnumber(L, op_of(p, view)->parameters);
}

#define OP_ROW(name, type, doc) {#name, op_##name},
static const LpField OP_FIELDS[] = {LP_API_OP_FIELDS(OP_ROW)};
const LpProxyClass lp_proxy_op = {
    .name = "op", .field = OP_FIELDS, .fields = LP_COUNTOF(OP_FIELDS)};

/* ---- one dependency ---- */

#define DEP(name) static void dep_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

DEP(from) {
    const LpGraph *graph = graph_of(p, view);
    lua_pushinteger(L, graph->op[graph->edge_src[view->item]].number);
}

DEP(to) {
    const LpGraph *graph = graph_of(p, view);
    lua_pushinteger(L, graph->op[graph->edge_dst[view->item]].number);
}

DEP(bytes) {
    const LpGraph *graph = graph_of(p, view);
    lua_pushnumber(L, graph->op[graph->edge_src[view->item]].activation);
}

#define DEP_ROW(name, type, doc) {#name, dep_##name},
static const LpField DEP_FIELDS[] = {LP_API_DEP_FIELDS(DEP_ROW)};
const LpProxyClass lp_proxy_dep = {
    .name = "dep", .field = DEP_FIELDS, .fields = LP_COUNTOF(DEP_FIELDS)};

/* ---- lists ---- */

static uint32_t ops_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)L;
    return graph_of(p, view)->ops;
}

static void ops_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    (void)p;
    (void)lp_proxy_push(L, LP_PROXY_OP, view->job, i + 1, sizeof(LpProxy));
}

static uint32_t deps_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)L;
    return graph_of(p, view)->edges;
}

static void deps_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    (void)p;
    (void)lp_proxy_push(L, LP_PROXY_DEP, view->job, i, sizeof(LpProxy));
}

const LpProxyClass lp_proxy_ops = {.name = "list of ops", .length = ops_length, .item = ops_item};
const LpProxyClass lp_proxy_deps = {
    .name = "list of deps", .length = deps_length, .item = deps_item};
