/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the job being decided is made of once it is cut and placed, as scripts see it: parts on
 * servers, and flows between servers. Worked out on first use. */
#include <string.h>

#include "script/policy_internal.h"
#include "sim/store.h"

/* ---- working it out ---- */

static void fail(lua_State *L, LpErr err, const LpDiag *diag) {
    if (err != LP_OK)
        lp_sandbox_fail_engine(L, diag);
}

static void note_parts(lua_State *L, LpPolicy *p, const LpPartition *partition,
                       const LpPlacement *placement) {
    LpStepView *view = &p->step;
    uint32_t ops = partition->graph->ops;
    void *items = view->server;
    LpDiag diag;
    lp_sandbox_charge(L, partition->parts);
    LpErr err = lp_grow(&items, &view->server_cap, partition->parts, sizeof *view->server);
    if (err != LP_OK)
        err = lp_fail_memory(&diag, "the parts of a job");
    fail(L, err, &diag);
    view->server = items;
    for (uint32_t i = 0; i < partition->parts; i++) {
        uint32_t op = partition->part_op[i], forward = op < ops ? op : op - ops;
        uint32_t first = placement->group_begin[placement->op_group[forward]];
        view->server[i] = placement->group_server[first + (i - partition->part_begin[op])];
    }
    view->partition = partition;
}

/* Cuts and places the job as answered so far. False where that cannot be done. */
static bool outline(lua_State *L, LpPolicy *p) {
    LpStepView *view = &p->step;
    uint32_t partition, placement;
    LpDiag diag;
    if (view->known)
        return view->partition != NULL;
    fail(L,
         lp_world_outline(p->real, p->context, p->job, &p->answer, &partition, &placement, &diag),
         &diag);
    view->known = true;
    view->partition = NULL;
    view->placement = placement;
    view->partition_index = partition;
    if (placement != LP_NO_INDEX)
        note_parts(L, p, lp_store_partition(p->context->store, partition),
                   lp_store_placement(p->context->store, placement));
    return view->partition != NULL;
}

static void note_flows(lua_State *L, LpPolicy *p) {
    LpStepView *view = &p->step;
    const LpFlow *flow;
    uint32_t count;
    void *items = view->flow;
    LpDiag diag;
    fail(L,
         lp_store_flows(p->context, view->partition_index, view->placement, &flow, &count, &diag),
         &diag);
    lp_sandbox_charge(L, (uint64_t)view->partition->deps / 8 + count);
    LpErr err = lp_grow(&items, &view->flow_cap, count, sizeof *view->flow);
    if (err != LP_OK)
        err = lp_fail_memory(&diag, "the flows of a job");
    fail(L, err, &diag);
    view->flow = items;
    if (count > 0)
        memcpy(view->flow, flow, count * sizeof *flow);
    view->flows = count;
    view->flows_known = true;
}

/* ---- one part ---- */

static uint32_t part_op_of(const LpPolicy *p, const LpProxy *view) {
    return p->step.partition->part_op[view->item];
}

static uint32_t number_of(const LpPolicy *p, uint32_t op) {
    const LpGraph *graph = p->step.partition->graph;
    return graph->op[op < graph->ops ? op : op - graph->ops].number;
}

#define PART(name) static void part_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

PART(op) {
    lua_pushinteger(L, number_of(p, part_op_of(p, view)));
}

PART(backward) {
    lua_pushboolean(L, part_op_of(p, view) >= p->step.partition->graph->ops);
}

PART(part) {
    lua_pushinteger(L, view->item - p->step.partition->part_begin[part_op_of(p, view)] + 1);
}

PART(server) {
    lua_pushinteger(L, p->step.server[view->item]);
}

PART(time) {
    double time = p->step.partition->op_time[part_op_of(p, view)];
    const double *speed = p->context->speed;
    if (speed != NULL)
        time /= speed[lp_cluster_type_of(p->context->fabric.cluster, p->step.server[view->item])];
    lua_pushnumber(L, time);
}

#define PART_ROW(name, type, doc) {#name, part_##name},
static const LpField PART_FIELDS[] = {LP_API_PART_FIELDS(PART_ROW)};
const LpProxyClass lp_proxy_part = {
    .name = "part", .field = PART_FIELDS, .fields = LP_COUNTOF(PART_FIELDS)};

/* ---- one flow ---- */

static const LpFlow *flow_of(const LpPolicy *p, const LpProxy *view) {
    return &p->step.flow[view->item];
}

static const LpLink *link_of(const LpPolicy *p, const LpProxy *view) {
    return &p->step.partition->link[flow_of(p, view)->link];
}

#define FLOW(name) static void flow_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

FLOW(from) {
    lua_pushinteger(L, number_of(p, link_of(p, view)->src));
}

FLOW(to) {
    lua_pushinteger(L, number_of(p, link_of(p, view)->dst));
}

FLOW(backward) {
    lua_pushboolean(L, link_of(p, view)->dst >= p->step.partition->graph->ops);
}

FLOW(source) {
    lua_pushinteger(L, flow_of(p, view)->src);
}

FLOW(target) {
    lua_pushinteger(L, flow_of(p, view)->dst);
}

FLOW(bytes) {
    lua_pushnumber(L, flow_of(p, view)->bytes);
}

FLOW(transfers) {
    lua_pushinteger(L, flow_of(p, view)->transfers);
}

#define FLOW_ROW(name, type, doc) {#name, flow_##name},
static const LpField FLOW_FIELDS[] = {LP_API_FLOW_FIELDS(FLOW_ROW)};
const LpProxyClass lp_proxy_flow = {
    .name = "flow", .field = FLOW_FIELDS, .fields = LP_COUNTOF(FLOW_FIELDS)};

/* ---- lists ---- */

static uint32_t parts_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)view;
    return outline(L, p) ? p->step.partition->parts : 0;
}

static void parts_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    (void)p;
    (void)lp_proxy_push(L, LP_PROXY_PART, view->job, i, sizeof(LpProxy));
}

static uint32_t flows_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    (void)view;
    if (!outline(L, p))
        return 0;
    if (!p->step.flows_known)
        note_flows(L, p);
    return p->step.flows;
}

static void flows_item(lua_State *L, LpPolicy *p, const LpProxy *view, uint32_t i) {
    (void)p;
    (void)lp_proxy_push(L, LP_PROXY_FLOW, view->job, i, sizeof(LpProxy));
}

const LpProxyClass lp_proxy_parts = {
    .name = "list of parts", .length = parts_length, .item = parts_item};
const LpProxyClass lp_proxy_flows = {
    .name = "list of flows", .length = flows_length, .item = flows_item};
