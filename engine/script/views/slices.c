/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a job's slice may lie in a pod, as a list that is worked out as far as it is read, and what
 * a policy scores a place by. */
#include <math.h>
#include <string.h>

#include "model/pod/place.h"
#include "script/views/classes.h"
#include "script/views/cluster_api.h"
#include "script/views/slices.h"
#include "script/views/views.h"
#include "sim/world.h"

/* What a place costs, beside the cubes and accelerators that its search asks about; and what the
 * times of a shape cost once. */
enum { PLACE_UNITS = 64, LOOKS_PER_UNIT = 4, TIMES_UNITS = 20000 };

typedef struct LpSlicesProxy {
    LpProxy view;
    bool all;       /* shapes of as many accelerators, too */
    bool counted;   /* `count` is how many there are */
    uint32_t count; /* found so far */
    uint32_t shape; /* 0: the one asked for; else row of the scenario's slices */
    LpPodPlaces places;
} LpSlicesProxy;

const LpPod *lp_slices_pod(const LpPolicy *p) {
    return &lp_policy_context(p)->fabric.cluster->pod.net;
}

const LpSlice *lp_slices_row(const LpPolicy *p, uint32_t row) {
    return &p->context->scenario->slice[row - 1].slice;
}

static LpSliceView view_of(const LpPolicy *p) {
    return (LpSliceView){lp_policy_context(p), p->world, false};
}

/* ---- the list ---- */

/* The next shape that is tried: the rows behind those that are asked for, then other rows asked
 * for, of as many accelerators. False: that was the last one. */
static bool next_shape(const LpPolicy *p, LpSlicesProxy *list) {
    uint32_t asked = lp_world_job(p->world, list->view.job)->slice.row;
    const LpScenario *scenario = p->context->scenario;
    while (list->all && list->shape < scenario->shapes) {
        list->shape++;
        const LpSlice *slice = lp_slices_row(p, list->shape);
        if (list->shape != asked && slice->misfit == LP_SLICE_FITS &&
            slice->accelerators == lp_slices_row(p, asked)->accelerators)
            return true;
    }
    return false;
}

static uint32_t row_of(const LpPolicy *p, const LpSlicesProxy *list) {
    return list->shape > 0 ? list->shape : lp_world_job(p->world, list->view.job)->slice.row;
}

/* Finds the next place; its accelerators go into the policy's scratch. */
static bool find_next(lua_State *L, LpPolicy *p, LpSlicesProxy *list) {
    LpSliceView view = view_of(p);
    LpPodSite site = lp_slice_site(&view);
    while (!list->counted) {
        const LpSlice *slice = lp_slices_row(p, row_of(p, list));
        uint64_t before = list->places.looked;
        lp_numbers_reserve(L, &p->block, slice->accelerators);
        bool found = lp_pod_places_next(&list->places, &site, slice, p->block.item);
        lp_sandbox_charge(L, (list->places.looked - before) / LOOKS_PER_UNIT + PLACE_UNITS +
                                 slice->accelerators / LOOKS_PER_UNIT);
        if (found) {
            list->count++;
            return true;
        }
        list->places = (LpPodPlaces){0};
        list->counted = !next_shape(p, list);
    }
    return false;
}

/* Going back begins anew. */
static bool slices_item(lua_State *L, LpPolicy *p, LpProxy *view, uint32_t i) {
    LpSlicesProxy *list = (LpSlicesProxy *)view;
    if (list->counted && i >= list->count)
        return false;
    if (i < list->count || list->counted) {
        list->places = (LpPodPlaces){0};
        list->counted = false;
        list->count = list->shape = 0;
    }
    while (list->count <= i)
        if (!find_next(L, p, list))
            return false;
    const LpSlice *slice = lp_slices_row(p, row_of(p, list));
    uint32_t cubes = slice->cubes > 0 ? slice->cubes : 1;
    size_t size = sizeof(LpSliceProxy) + cubes * sizeof(uint32_t);
    LpSliceProxy *out =
        (LpSliceProxy *)lp_proxy_push(L, LP_PROXY_SLICE, list->view.job, row_of(p, list), size);
    out->box = list->places.box;
    out->boxed = slice->cubes == 0 || lp_slices_pod(p)->fixed;
    out->largest_left = UINT32_MAX;
    out->cubes = cubes;
    if (slice->cubes > 0)
        lp_pod_cubes_of(lp_slices_pod(p), slice, p->block.item, out->cube);
    else
        out->cube[0] = list->places.box.cube;
    return true;
}

static uint32_t slices_length(lua_State *L, LpPolicy *p, const LpProxy *view) {
    LpSlicesProxy *list = lua_touserdata(L, 1);
    (void)view;
    while (!list->counted)
        (void)find_next(L, p, list);
    return list->count;
}

const LpProxyClass lp_proxy_slices = {
    .name = "list of slices", .length = slices_length, .next = slices_item};

static bool read_options(lua_State *L, int index) {
#define NAME(name, type, doc) #name,
    static const char *const NAMES[] = {LP_API_SLICES_OPTIONS(NAME)};
#undef NAME
    bool all = false;
    if (lua_isnoneornil(L, index))
        return all;
    luaL_checktype(L, index, LUA_TTABLE);
    lp_sandbox_charge(L, lp_price_walk(lp_sandbox_of(L)));
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        if (strcmp(key, NAMES[0]) != 0) {
            lp_env_push_nearest_of(L, key, NAMES, LP_COUNTOF(NAMES));
            const char *nearest = lua_tostring(L, -1); /* describing pushes */
            luaL_error(L, "cluster:slices: unknown option %s%s", lp_hook_describe(L, -3), nearest);
        }
        if (!lua_isboolean(L, -1))
            luaL_error(L, "cluster:slices: shapes is %s; expected true or false",
                       lp_hook_describe(L, -1));
        all = lua_toboolean(L, -1);
    }
    return all;
}

int lp_api_slices(lua_State *L) {
    lp_proxy_check(L, 1, LP_PROXY_CLUSTER, "cluster:slices");
    LpPolicy *p = lp_policy_of(L);
    uint32_t job = lp_proxy_check_new_job(L, 2, "cluster:slices(job)");
    bool all = read_options(L, 3);
    if (lp_world_job(p->world, job)->slice.row == 0)
        luaL_error(L, "cluster:slices: job %d asks for no slice; expected the fabric \"pod\"",
                   (int)job);
    LpSlicesProxy *list =
        (LpSlicesProxy *)lp_proxy_push(L, LP_PROXY_SLICES, job, 0, sizeof(LpSlicesProxy));
    list->all = all;
    return 1;
}

/* ---- one place ---- */

#define FIELD(name) static void slice_##name(lua_State *L, LpPolicy *p, const LpProxy *view)

static const LpSliceProxy *place_of(const LpProxy *view) {
    return (const LpSliceProxy *)view;
}

FIELD(shape) {
    char text[LP_SLICE_TEXT];
    lp_push_text(L, lp_slice_name(lp_slices_row(p, view->item), text));
}

FIELD(twisted) {
    lua_pushboolean(L, lp_slices_row(p, view->item)->twisted);
}

FIELD(cubes) {
    (void)p;
    lp_proxy_push_ids(L, place_of(view)->cube, place_of(view)->cubes);
}

void lp_slices_lay(lua_State *L, LpPolicy *p, const LpSliceProxy *place, LpNumbers *out) {
    const LpSlice *slice = lp_slices_row(p, place->view.item);
    lp_numbers_reserve(L, out, slice->accelerators);
    lp_sandbox_charge(L, slice->accelerators);
    if (place->boxed)
        lp_pod_box_lay(lp_slices_pod(p), slice, &place->box, out->item);
    else
        lp_pod_lay(lp_slices_pod(p), slice, place->cube, out->item);
    out->count = slice->accelerators;
}

FIELD(servers) {
    lp_slices_lay(L, p, place_of(view), &p->block);
    lp_proxy_push_ids(L, p->block.item, p->block.count);
}

static void push_triple(lua_State *L, bool exists, const uint32_t numbers[3]) {
    if (exists)
        lp_proxy_push_ids(L, numbers, 3);
    else
        lua_pushnil(L);
}

FIELD(origin) {
    (void)p;
    push_triple(L, place_of(view)->boxed, place_of(view)->box.origin);
}

FIELD(orientation) {
    (void)p;
    push_triple(L, place_of(view)->boxed, place_of(view)->box.size);
}

/* How many of the cubes lie in the same domain at most; then how many domains there are. */
static uint32_t crowd(lua_State *L, const LpPolicy *p, const LpSliceProxy *place, uint32_t *most) {
    uint32_t per = lp_policy_context(p)->fabric.cluster->pod.rules.cubes_per_domain, domains = 0;
    *most = 0;
    lp_sandbox_charge(L, (uint64_t)place->cubes * place->cubes / LOOKS_PER_UNIT + 1);
    for (uint32_t i = 0; i < place->cubes; i++) {
        uint32_t same = 0, before = 0;
        for (uint32_t k = 0; k < place->cubes; k++)
            if (place->cube[k] / per == place->cube[i] / per) {
                same++;
                before += k < i;
            }
        domains += before == 0;
        *most = same > *most ? same : *most;
    }
    return domains;
}

FIELD(domains) {
    uint32_t most;
    lua_pushinteger(L, crowd(L, p, place_of(view), &most));
}

FIELD(most_in_domain) {
    uint32_t most;
    (void)crowd(L, p, place_of(view), &most);
    lua_pushinteger(L, most);
}

FIELD(cross_connects) {
    lua_pushinteger(L, lp_slice_circuits(lp_slices_pod(p), lp_slices_row(p, view->item)));
}

/* ---- what is left ---- */

static bool takes(const LpSliceProxy *place, uint32_t cube) {
    for (uint32_t i = 0; i < place->cubes; i++)
        if (place->cube[i] == cube)
            return true;
    return false;
}

FIELD(left) {
    uint32_t cubes = lp_slices_pod(p)->cubes, left = 0;
    lp_sandbox_charge(L, (uint64_t)cubes * place_of(view)->cubes / LOOKS_PER_UNIT + PLACE_UNITS);
    for (uint32_t c = 0; c < cubes; c++)
        left += lp_slice_usable(p->world, lp_policy_context(p), c) && !takes(place_of(view), c);
    lua_pushinteger(L, left);
}

FIELD(largest_left) {
    const LpSliceProxy *place = place_of(view);
    if (place->largest_left == UINT32_MAX) {
        LpSliceProxy *known = lua_touserdata(L, 1);
        LpSliceView world = view_of(p);
        LpPodSite site = lp_slice_site(&world);
        uint64_t cubes = site.pod->cubes, boxes = site.pod->fixed ? cubes : 1;
        lp_sandbox_charge(L, (cubes * boxes + cubes * place->cubes) / LOOKS_PER_UNIT + PLACE_UNITS);
        known->largest_left = lp_pod_largest(&site, place->cube, place->cubes);
    }
    lua_pushinteger(L, place->largest_left);
}

FIELD(left_in_cube) {
    const LpSlice *slice = lp_slices_row(p, view->item);
    LpSliceView world = view_of(p);
    LpPodSite site = lp_slice_site(&world);
    if (slice->cubes > 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, site.free(site.context, place_of(view)->cube[0]) - slice->accelerators);
}

/* ---- times ---- */

enum { RINGS = 8 /* ways in which dimensions can be rings */ };

/* Times of collectives at a place, worked out once for its row and rings; NAN where they would take
 * too long. */
static const double *times_of(lua_State *L, LpPolicy *p, const LpSliceProxy *place) {
    size_t need = 2 * RINGS * (size_t)p->context->scenario->shapes;
    LpPriorities *times = &p->slice_times;
    LpDiag diag;
    void *items = times->item;
    if (times->count == 0) {
        if (lp_grow(&items, &times->cap, need, sizeof *times->item) != LP_OK) {
            (void)lp_fail_memory(&diag, "times of slices");
            lp_sandbox_fail_engine(L, &diag);
        }
        times->item = items;
        times->count = (uint32_t)need;
        for (size_t i = 0; i < need; i++)
            times->item[i] = -1;
    }
    LpSlice slice = *lp_slices_row(p, place->view.item);
    if (place->boxed)
        slice = lp_pod_box_slice(lp_slices_pod(p), &slice, &place->box);
    size_t rings = (size_t)(slice.closed[0] + 2 * slice.closed[1] + 4 * slice.closed[2]);
    double *of = times->item + 2 * (RINGS * (size_t)(place->view.item - 1) + rings);
    if (of[0] == -1) {
        lp_sandbox_charge(L, TIMES_UNITS);
        if (p->services.slice_times == NULL)
            luaL_error(L, "this program has no times of slices");
        if (p->services.slice_times(lp_slices_pod(p), &slice, &of[0], &of[1], &diag) != LP_OK) {
            of[0] = -1;
            lp_sandbox_fail_engine(L, &diag);
        }
    }
    return of;
}

FIELD(all_to_all) {
    lp_proxy_push_if(L, true, times_of(L, p, place_of(view))[0]);
}

FIELD(all_reduce) {
    lp_proxy_push_if(L, true, times_of(L, p, place_of(view))[1]);
}

#define ROW(name, type, doc) {#name, slice_##name},
static const LpField FIELDS[] = {LP_API_SLICE_FIELDS(ROW)};
const LpProxyClass lp_proxy_slice = {
    .name = "slice", .field = FIELDS, .fields = LP_COUNTOF(FIELDS)};
