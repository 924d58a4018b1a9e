/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place for a slice as place answers it: one of cluster:slices, or cubes, or a box. */
#include <string.h>

#include "model/pod/place.h"
#include "script/views/slices.h"
#include "sim/world.h"

#define CUBES_FORM "expected { cubes = { number, ... } }, the cubes by ordinal"

/* Pushes a key of the answered table; false: it is not there, and nothing is pushed. */
static bool has(lua_State *L, int index, const char *key) {
    lua_pushstring(L, key);
    if (lua_rawget(L, index) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

/* The list on top of the stack, just `count` numbers from 0 to last; pops it. */
static void read_numbers(lua_State *L, const char *what, uint32_t count, uint32_t last,
                         uint32_t *out) {
    if (!lua_istable(L, -1))
        luaL_error(L, "%s is %s; expected a list of %d numbers", what, lp_hook_describe(L, -1),
                   (int)count);
    if (lua_rawlen(L, -1) != count)
        luaL_error(L, "%s has %I entries; expected %d", what, (LUAI_UACINT)lua_rawlen(L, -1),
                   (int)count);
    lp_sandbox_charge(L, count);
    for (uint32_t i = 0; i < count; i++) {
        lua_Integer number = 0;
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (!lp_hook_is_whole(L, -1, 0, last, &number))
            luaL_error(L, "%s: entry %d is %s; expected a whole number from 0 to %d", what,
                       (int)i + 1, lp_hook_describe(L, -1), (int)last);
        out[i] = (uint32_t)number;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* ---- which slice ---- */

/* Row of what is answered as `slice`, on top of the stack; pops it. */
static uint32_t named_row(lua_State *L, const LpPolicy *p, const LpSlice *asked) {
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    LpSlice slice;
    LpDiag diag;
    if (lp_slice_ask(text, lp_slices_pod(p), &slice, &diag) != LP_OK)
        luaL_error(L, "slice is %s: %s", lp_hook_describe(L, -1), diag.text);
    if (slice.accelerators != asked->accelerators)
        luaL_error(L, "slice is %s, %d accelerators; the job asks for %d", lp_hook_describe(L, -1),
                   (int)slice.accelerators, (int)asked->accelerators);
    uint32_t row = lp_slice_row(p->context, &slice);
    if (row == 0)
        luaL_error(L, "slice is %s, which this pod does not have", lp_hook_describe(L, -1));
    lua_pop(L, 1);
    return row;
}

/* The same extents, with or without a twist. */
static uint32_t twisted_row(lua_State *L, const LpPolicy *p, const LpSlice *asked) {
    LpSlice slice = *asked;
    if (!lua_isboolean(L, -1))
        luaL_error(L, "twisted is %s; expected true or false", lp_hook_describe(L, -1));
    slice.asked_twist = lua_toboolean(L, -1);
    uint32_t row = lp_slice_row(p->context, &slice);
    if (row == 0)
        luaL_error(L, "twisted is %s; a slice of %dx%dx%d cannot be that here",
                   lp_hook_describe(L, -1), (int)slice.extent[0], (int)slice.extent[1],
                   (int)slice.extent[2]);
    lua_pop(L, 1);
    return row;
}

static uint32_t read_row(lua_State *L, int index, const LpPolicy *p) {
    uint32_t row = lp_world_job(p->world, p->job)->slice.row;
    const LpSlice *asked = lp_slices_row(p, row);
    if (has(L, index, "slice"))
        row = named_row(L, p, asked);
    if (has(L, index, "twisted"))
        row = twisted_row(L, p, lp_slices_row(p, row));
    return row;
}

/* ---- where ---- */

static void read_cubes(lua_State *L, LpPolicy *p, const LpSlice *slice) {
    const LpPod *pod = lp_slices_pod(p);
    if (pod->fixed || slice->cubes == 0)
        luaL_error(L, "cubes answered for %s; expected %s an origin and an orientation",
                   pod->fixed ? "static wiring" : "a part of a cube",
                   slice->cubes == 0 ? "a cube," : "");
    lp_numbers_reserve(L, &p->block, slice->cubes);
    read_numbers(L, "cubes", slice->cubes, pod->cubes - 1, p->block.item);
    lp_numbers_reserve(L, &p->servers, slice->accelerators);
    lp_pod_lay(pod, slice, p->block.item, p->servers.item);
}

static void read_box(lua_State *L, int index, LpPolicy *p, const LpSlice *slice) {
    const LpPod *pod = lp_slices_pod(p);
    uint32_t cube = LP_NO_INDEX, origin[3], size[3];
    LpPodBox box;
    if (!pod->fixed && slice->cubes > 0)
        luaL_error(L,
                   "an origin answered for a slice of whole cubes on switched wiring; " CUBES_FORM);
    read_numbers(L, "origin", 3, LP_POD_ACCELERATORS_MAX, origin);
    if (!has(L, index, "orientation"))
        luaL_error(L, "an origin answered without an orientation; expected { origin = { x, y, z }, "
                      "orientation = { u, v, w } }");
    read_numbers(L, "orientation", 3, LP_POD_ACCELERATORS_MAX, size);
    if (slice->cubes == 0) {
        lua_pushliteral(L, "cube");
        (void)lua_rawget(L, index);
        cube = (uint32_t)lp_hook_whole(L, -1, "cube", 0, (lua_Integer)pod->cubes - 1);
        lua_pop(L, 1);
    }
    if (!lp_pod_box_at(pod, slice, cube, origin, size, &box))
        luaL_error(L,
                   "a box of %dx%dx%d at %d, %d, %d is no place of the slice: expected one that "
                   "cluster:slices lists",
                   (int)size[0], (int)size[1], (int)size[2], (int)origin[0], (int)origin[1],
                   (int)origin[2]);
    lp_numbers_reserve(L, &p->servers, slice->accelerators);
    lp_pod_box_lay(pod, slice, &box, p->servers.item);
}

static void take(LpPolicy *p, uint32_t row) {
    p->servers.count = lp_slices_row(p, row)->accelerators;
    p->answer.servers = p->servers.count;
    p->answer.server = p->servers.item;
    p->answer.slice = row == lp_world_job(p->world, p->job)->slice.row ? 0 : row;
}

static bool read_table(lua_State *L, int index, LpPolicy *p) {
    bool cubes = has(L, index, "cubes");
    if (!cubes && !has(L, index, "origin"))
        return false;
    if (lp_world_job(p->world, p->job)->slice.row == 0)
        luaL_error(L, "%s answered for a job without a slice", cubes ? "cubes" : "an origin");
    uint32_t row = read_row(L, index, p);
    if (cubes)
        read_cubes(L, p, lp_slices_row(p, row));
    else
        read_box(L, index, p, lp_slices_row(p, row));
    lp_sandbox_charge(L, lp_slices_row(p, row)->accelerators);
    take(p, row);
    return true;
}

static bool read_view(lua_State *L, int index, LpPolicy *p) {
    const LpProxy *view = lp_proxy_check(L, index, LP_PROXY_SLICE, "place");
    lp_policy_enter(p, 0);
    if (view->job != p->job)
        luaL_error(L, "returned a slice of job %d; job %d is decided", (int)view->job, (int)p->job);
    lp_slices_lay(L, p, (const LpSliceProxy *)view, &p->servers);
    take(p, view->item);
    return true;
}

bool lp_slices_read(lua_State *L, int index) {
    LpPolicy *p = lp_policy_of(L);
    bool read = false;
    index = lua_absindex(L, index);
    lp_policy_enter(p, 0);
    if (lp_proxy_kind(L, index) == LP_PROXY_SLICE)
        read = read_view(L, index, p);
    else if (lua_istable(L, index))
        read = read_table(L, index, p);
    if (read)
        lp_hook_read_why(L, index + 1);
    return read;
}
