/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views: what scripts see of the engine, as read-only objects that hold ids, never pointers, and
 * die when the hook returns. */
#ifndef LP_SCRIPT_VIEWS_PROXY_H
#define LP_SCRIPT_VIEWS_PROXY_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

#include "script/policy/policy_impl.h"

/* Head of every view. */
typedef struct LpProxy {
    uint64_t generation;
    LpProxyKind kind;
    uint32_t job;   /* whose graph or job it is */
    uint32_t item;  /* index within */
    uint32_t world; /* 0: the real one, else the policy's clone[world - 1] */
} LpProxy;

/* Parts and flows, lists and items. */
typedef struct LpStepProxy {
    LpProxy view;
    LpStepOf of; /* of a list, no partition: of the answer so far */
} LpStepProxy;

typedef struct LpBlockProxy {
    LpProxy view;
    LpShape shape;
    uint32_t count;
    uint32_t largest_left; /* UINT32_MAX: not worked out yet */
    uint32_t server[];
} LpBlockProxy;

/* How a field is read, and what a class of views can do. */
typedef void LpFieldPush(lua_State *L, LpPolicy *policy, const LpProxy *view);
typedef struct LpField {
    const char *name;
    LpFieldPush *push;
} LpField;
typedef struct LpMethod {
    const char *name;
    lua_CFunction call;
} LpMethod;
typedef struct LpProxyClass {
    const char *name; /* "job" */
    const LpField *field;
    uint32_t fields;
    const LpMethod *method;
    uint32_t methods;
    /* lists: how many items there are, and item i (0-based) */
    uint32_t (*length)(lua_State *L, LpPolicy *policy, const LpProxy *view);
    void (*item)(lua_State *L, LpPolicy *policy, const LpProxy *view, uint32_t i);
    /* lists whose items are work to count have this instead: pushes item i; false: there is none */
    bool (*next)(lua_State *L, LpPolicy *policy, LpProxy *view, uint32_t i);
} LpProxyClass;

/* Makes the metatables of the LP_PROXY_COUNT classes, which the policy keeps; inside a protected
 * call. */
void lp_proxy_open(lua_State *L, const LpProxyClass *const *classes);
/* Starts (and ends) a generation: every view given out before is dead. */
void lp_proxy_renew(lua_State *L);

/* Pushes a new view of `size` bytes in all; the rest is zero. */
LpProxy *lp_proxy_push(lua_State *L, LpProxyKind kind, uint32_t job, uint32_t item, size_t size);
/* Pushes the view of a job in the world being looked at: in the real one the same object for one
 * job during one call. */
void lp_proxy_push_job(lua_State *L, uint32_t job);
void lp_proxy_push_cluster(lua_State *L);
/* Pushes the list of parts or of flows of a job; of NULL: as answered so far. */
void lp_proxy_push_step(lua_State *L, LpProxyKind kind, uint32_t job, const LpStepOf *of);
/* The view at index, alive and of this kind; raises otherwise. `what` is how the message calls the
 * argument ("cluster:degrees(job)"). A cluster decides which world is looked at from there on. */
LpProxy *lp_proxy_check(lua_State *L, int index, LpProxyKind kind, const char *what);
/* Id of the job at index. */
uint32_t lp_proxy_check_job(lua_State *L, int index, const char *what);
/* Id of the job at index, which must not have started; raises otherwise. */
uint32_t lp_proxy_check_new_job(lua_State *L, int index, const char *what);
/* Kind of the view at index, LP_PROXY_COUNT when it is none. */
LpProxyKind lp_proxy_kind(lua_State *L, int index);

/* Push helpers: a number, or nil where it does not exist (or is NAN); a list of ids as a new table.
 */
void lp_proxy_push_if(lua_State *L, bool exists, double value);
void lp_proxy_push_ids(lua_State *L, const uint32_t *ids, uint32_t count);

#endif
