/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a job is made of once it is cut and placed, as scripts see it: parts on servers, and flows
 * between servers; of the answer so far, or of a forecast. Worked out on first use. */
#include <string.h>

#include "script/views/classes.h"
#include "script/views/views.h"
#include "sim/forecast.h"
#include "sim/store/store.h"
#include "sim/world.h"

/* ---- which partition and placement ---- */

static void fail(lua_State *L, LpErr err, const LpDiag *diag) {
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, diag);
}

/* Cuts and places the job as answered so far. */
static LpStepOf answered(lua_State *L, LpPolicy *p) {
    LpStepView *view = &p->step;
    LpDiag diag;
    if (!view->known)
        fail(L,
             lp_world_outline(p->real, p->context, p->job, &p->answer, &view->answered.partition,
                              &view->answered.placement, &diag),
             &diag);
    view->known = true;
    return view->answered;
}

/* Lists that are for the answer find out when they are touched. */
static LpStepOf step_of(lua_State *L, LpPolicy *p, const LpProxy *view) {
    LpStepOf of = ((const LpStepProxy *)view)->of;
    return of.partition != LP_NO_INDEX ? of : answered(L, p);
}

static const LpPartition *partition_of(const LpPolicy *p, const LpProxy *view) {
    return lp_store_partition(p->context->store, ((const LpStepProxy *)view)->of.partition);
}

void lp_proxy_push_step(lua_State *L, LpProxyKind kind, uint32_t job, const LpStepOf *of) {
    static const LpStepOf ANSWERED = {LP_NO_INDEX, LP_NO_INDEX};
    LpStepProxy *list = (LpStepProxy *)lp_proxy_push(L, kind, job, 0, sizeof *list);
    list->of = of != NULL ? *of : ANSWERED;
}

static void push_item(lua_State *L, LpPolicy *p, const LpProxy *view, LpProxyKind kind,
                      uint32_t i) {
    LpStepOf of = step_of(L, p, view);
    LpStepProxy *item = (LpStepProxy *)lp_proxy_push(L, kind, view->job, i, sizeof *item);
    item->of = of;
}

/* ---- flows: those of the step looked at last ---- */

/* The first of a call are cheap; going to and fro between two forecasts is not. */
static uint64_t price_of_flows(const LpPolicy *p, LpStepOf of) {
    const LpPartition *partition = lp_store_partition(p->context->store, of.partition);
    if (!p->step.flows_known)
        return partition->deps / 8;
    return 4 * ((uint64_t)partition->parts + partition->deps);
}

static void note_flows(lua_State *L, LpPolicy *p, LpStepOf of) {
    LpStepView *view = &p->step;
    const LpFlow *flow;
    uint32_t count;
    void *items = view->flow;
    LpDiag diag;
    if (view->flows_known && view->flows_of.partition == of.partition &&
        view->flows_of.placement == of.placement)
        return;
    lp_sandbox_charge(L, price_of_flows(p, of));
    fail(L, lp_store_flows(lp_policy_context(p), of.partition, of.placement, &flow, &count, &diag),
         &diag);
    LpErr err = lp_grow(&items, &view->flow_cap, count, sizeof *view->flow);
    if (err != LP_OK)
        err = lp_fail_memory(&diag, "the flows of a job");
    fail(L, err, &diag);
    view->flow = items;
    if (count > 0)
        memcpy(view->flow, flow, count * sizeof *flow);
    view->flows = count;
    view->flows_of = of;
    view->flows_known = true;
    lp_sandbox_charge(L, count);
}

/* ---- one part ---- */

static uint32_t part_op_of(const LpPolicy *p, const LpProxy *view) {
    return partition_of(p, view)->part_op[view->item];
}

static uint32_t number_of(const LpPolicy *p, const LpProxy *view, uint32_t op) {
    const LpGraph *graph = partition_of(p, view)->graph;
    return graph->op[op < graph->ops ? op : op - graph->ops].number;
}

static uint32_t server_of(const LpPolicy *p, const LpProxy *view) {
    const LpPartition *partition = partition_of(p, view);
    uint32_t placed = ((const LpStepProxy *)view)->of.placement, ops = partition->graph->ops;
    const LpPlacement *placement = lp_store_placement(p->context->store, placed);
    uint32_t op = partition->part_op[view->item];
    uint32_t group = placement->op_group[op < ops ? op : op - ops];
    uint32_t part = view->item - partition->part_begin[op];
    return placement->group_server[placement->group_begin[group] + part];
}

#define PART(name) static void part_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

PART(op) {
    lua_pushinteger(L, number_of(p, view, part_op_of(p, view)));
}

PART(backward) {
    lua_pushboolean(L, part_op_of(p, view) >= partition_of(p, view)->graph->ops);
}

PART(part) {
    lua_pushinteger(L, view->item - partition_of(p, view)->part_begin[part_op_of(p, view)] + 1);
}

PART(server) {
    lua_pushinteger(L, server_of(p, view));
}

PART(time) {
    double time = partition_of(p, view)->op_time[part_op_of(p, view)];
    const double *speed = p->context->speed;
    if (speed != NULL)
        time /= speed[lp_cluster_type_of(p->context->fabric.cluster, server_of(p, view))];
    lua_pushnumber(L, time);
}

#define PART_ROW(name, type, doc) {#name, part_##name},
static const LpField PART_FIELDS[] = {LP_API_PART_FIELDS(PART_ROW)};
const LpProxyClass lp_proxy_part = {
    .name = "part", .field = PART_FIELDS, .fields = LP_COUNTOF(PART_FIELDS)};

/* ---- one flow ---- */

static const LpFlow *flow_of(lua_State *L, LpPolicy *p, const LpProxy *view) {
    note_flows(L, p, ((const LpStepProxy *)view)->of);
    return &p->step.flow[view->item];
}

static const LpLink *link_of(lua_State *L, LpPolicy *p, const LpProxy *view) {
    return &partition_of(p, view)->link[flow_of(L, p, view)->link];
}

#define FLOW(name) static void flow_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

FLOW(from) {
    lua_pushinteger(L, number_of(p, view, link_of(L, p, view)->src));
}

FLOW(to) {
    lua_pushinteger(L, number_of(p, view, link_of(L, p, view)->dst));
}

FLOW(backward) {
    lua_pushboolean(L, link_of(L, p, view)->dst >= partition_of(p, view)->graph->ops);
}

FLOW(source) {
    lua_pushinteger(L, flow_of(L, p, view)->src);
}

FLOW(target) {
    lua_pushinteger(L, flow_of(L, p, view)->dst);
}

FLOW(bytes) {
    lua_pushnumber(L, flow_of(L, p, view)->bytes);
}

FLOW(transfers) {
    lua_pushinteger(L, flow_of(L, p, view)->transfers);
}

#define FLOW_ROW(name, type, doc) {#name, flow_##name},
static const LpField FLOW_FIELDS[] = {LP_API_FLOW_FIELDS(FLOW_ROW)};
const LpProxyClass lp_proxy_flow = {
    .name = "flow", .field = FLOW_FIELDS, .fields = LP_COUNTOF(FLOW_FIELDS)};

/* ---- lists ---- */

static uint32_t parts_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    LpStepOf of = step_of(L, p, view);
    if (of.placement == LP_NO_INDEX)
        return 0;
    return lp_store_partition(p->context->store, of.partition)->parts;
}

static void parts_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    push_item(L, p, view, LP_PROXY_PART, i);
}

static uint32_t flows_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    LpStepOf of = step_of(L, p, view);
    if (of.placement == LP_NO_INDEX)
        return 0;
    note_flows(L, p, of);
    return p->step.flows;
}

static void flows_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    push_item(L, p, view, LP_PROXY_FLOW, i);
}

const LpProxyClass lp_proxy_parts = {
    .name = "list of parts", .length = parts_length, .item = parts_item};
const LpProxyClass lp_proxy_flows = {
    .name = "list of flows", .length = flows_length, .item = flows_item};
