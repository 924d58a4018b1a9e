/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The budget of a call: every instruction and every C function is charged, and a call that has used
 * it up, or lasts too long, is stopped in a way that no script can catch. */
#include <stdio.h>
#include <string.h>

#include "script/sandbox/sandbox.h"

enum {
    LOOK_LEAST = 64,       /* instructions between two looks at the budget, at least */
    LOOK_SPREAD = 64,      /* up to these come on top by chance */
    LOOKS = 16,            /* looks between two at the clock, with a new interval */
    DEEP = 16,             /* calls: setting a hook takes time with their number */
    WATCHED_UNITS = 65536, /* units of work in C functions, which the hook does not see, after
                              which the clock is looked at */
    CHARGE_WATCHED = 64,   /* units that each charge counts besides its own for WATCHED_UNITS */
    PCALL_UNITS = 64,      /* an error unwinds the stack and is told in words */
    NAMING_FREE = 1024,    /* steps of naming a value that an error does not pay for */
    NAMING_STEPS = 4,      /* steps of naming a value that make a unit, if there are more */
    TRACE_LEVELS = 12,     /* calls listed with an error */
    WIDE_LEVELS = 4        /* functions looked at for too many arguments */
};

#define FIRST_CHANCE 2463534242U

/* ---- where a call stands ---- */

LpPlace lp_sandbox_place(lua_State *L) {
    LpPlace place = {.line = 0};
    lua_Debug info;
    for (int level = 0; level < 32 && lua_getstack(L, level, &info); level++) {
        if (lua_getinfo(L, "Sl", &info) && info.currentline > 0) {
            place.line = info.currentline;
            lp_str_copy(place.file, sizeof place.file, info.short_src);
            break;
        }
    }
    return place;
}

/* The calls under way, innermost first; C functions are left out. */
void lp_sandbox_note_trace(lua_State *L) {
    LpSandbox *s = lp_sandbox_of(L);
    lua_Debug info;
    int kept = 0;
    s->trace[0] = '\0';
    for (int level = 0; kept < TRACE_LEVELS && lua_getstack(L, level, &info); level++) {
        char file[LUA_IDSIZE + 8], name[48];
        if (!lua_getinfo(L, "Sln", &info) || info.currentline <= 0)
            continue;
        lua_Debug outer; /* a hook is called by the body of the call, which is called by nobody */
        bool hook = s->doing[0] && !lua_getstack(L, level + 2, &outer);
        const char *called = hook                             ? s->doing
                             : strcmp(info.what, "main") == 0 ? "the file"
                             : info.name                      ? info.name
                                                              : "a function";
        char line[sizeof file + sizeof name + 32];
        snprintf(line, sizeof line, "%s%s:%d: in %s", kept++ > 0 ? "\n" : "",
                 lp_str_show(file, sizeof file, info.short_src), info.currentline,
                 lp_str_show(name, sizeof name, called));
        size_t used = strlen(s->trace);
        lp_str_copy(s->trace + used, sizeof s->trace - used, line);
    }
}

/* ---- stops ---- */

static double seconds_since(const struct timespec *start, clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* On a busy machine real time says little and processor time much, but it is dear to ask for: only
 * a call that lasts pays for it. */
static bool late(LpSandbox *s) {
    if (!s->timed)
        s->timed = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &s->start_cpu) == 0;
    return seconds_since(&s->start, CLOCK_MONOTONIC) > s->limits.seconds + s->engine_seconds &&
           seconds_since(&s->start_cpu, CLOCK_THREAD_CPUTIME_ID) > s->limits.seconds;
}

int lp_sandbox_stop(lua_State *L, LpStop why) {
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop == LP_STOP_NONE) {
        s->stop = why;
        s->place = lp_sandbox_place(L);
        lp_sandbox_note_trace(L);
    }
    lp_sandbox_arm(s);
    lua_pushnil(L); /* the sentence is made later from the reason: no memory is needed here */
    return lua_error(L);
}

static void note_return(lua_State *L, LpSandbox *s, lua_Debug *info) {
    lua_Debug caller;
    /* the outermost function is called by the body of lp_sandbox_call, which is called by nobody */
    if (lua_getstack(L, 2, &caller) || !lua_getstack(L, 1, &caller))
        return;
    if (!lua_getinfo(L, "Sl", info) || info->currentline <= 0)
        return;
    s->returned.line = info->currentline;
    lp_str_copy(s->returned.file, sizeof s->returned.file, info->short_src);
}

/* Passing very many arguments on is one instruction, however many they are. */
static bool too_wide(lua_State *L) {
    lua_Debug level;
    for (int i = 0; i < WIDE_LEVELS && lua_getstack(L, i, &level); i++) {
        if (lua_getlocal(L, &level, -(LP_SANDBOX_UNPACK + 1))) {
            lua_pop(L, 1);
            return true;
        }
    }
    return false;
}

/* Instructions to the next look: the same in every call, but nothing that a loop falls in step
 * with. */
static void next_interval(LpSandbox *s) {
    s->chance ^= s->chance << 13;
    s->chance ^= s->chance >> 17;
    s->chance ^= s->chance << 5;
    s->interval = LOOK_LEAST + s->chance % LOOK_SPREAD;
}

static void watch_tables(lua_State *L, LpSandbox *s) {
    lua_Debug level;
    if (late(s))
        lp_sandbox_stop(L, LP_STOP_TIME);
    if (lua_getstack(L, DEEP, &level)) {
        s->deep = true;
        return;
    }
    next_interval(s);
    lua_sethook(L, s->hook, LUA_MASKCOUNT | LUA_MASKRET, (int)s->interval);
}

void lp_sandbox_hook(lua_State *L, lua_Debug *info) {
    LpSandbox *s = lp_sandbox_of(L);
    if (info->event == LUA_HOOKRET) {
        note_return(L, s, info);
        return;
    }
    if (info->event != LUA_HOOKCOUNT)
        return;
    if (s->stop != LP_STOP_NONE)
        lp_sandbox_stop(L, s->stop);
    if (s->left > 0) {
        uint64_t looking, price = lp_price_instruction(L, info, &looking);
        lp_sandbox_spend(s, s->interval * price + looking);
    }
    if (!lp_chains_find(s))
        lp_sandbox_stop(L, LP_STOP_CHAIN);
    if (s->left == 0)
        lp_sandbox_stop(L, LP_STOP_WORK);
    if (too_wide(L))
        lp_sandbox_stop(L, LP_STOP_WIDE);
    if (++s->looks % LOOKS == 0)
        watch_tables(L, s);
}

void lp_sandbox_watch(LpSandbox *s) {
    s->chance = FIRST_CHANCE;
    s->looks = 0;
    next_interval(s);
    lua_sethook(s->L, s->hook, LUA_MASKCOUNT | LUA_MASKRET, (int)s->interval);
}

void lp_sandbox_charge(lua_State *L, uint64_t units) {
    LpSandbox *s = lp_sandbox_of(L);
    lp_sandbox_spend(s, units);
    if (s->left == 0)
        lp_sandbox_stop(L, LP_STOP_WORK);
    s->unwatched += units + CHARGE_WATCHED;
    if (s->unwatched < WATCHED_UNITS)
        return;
    s->unwatched = 0;
    if (!lp_chains_find(s))
        lp_sandbox_stop(L, LP_STOP_CHAIN);
    if (late(s))
        lp_sandbox_stop(L, LP_STOP_TIME);
}

void lp_sandbox_refill(LpSandbox *sandbox) {
    sandbox->left = (int64_t)sandbox->limits.work;
    sandbox->returned.line = 0;
}

void lp_sandbox_extend(LpSandbox *sandbox, const struct timespec *since) {
    sandbox->engine_seconds += seconds_since(since, CLOCK_MONOTONIC);
}

int lp_sandbox_fail_engine(lua_State *L, const LpDiag *diag) {
    LpSandbox *s = lp_sandbox_of(L);
    s->engine = *diag;
    return lp_sandbox_stop(L, LP_STOP_ENGINE);
}

uint64_t lp_sandbox_naming(const LpSandbox *s) {
    return s->naming > NAMING_FREE ? s->naming / NAMING_STEPS : 0;
}

int lp_sandbox_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lp_sandbox_charge(L, PCALL_UNITS);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop != LP_STOP_NONE)
        return lp_sandbox_stop(L, s->stop);
    if (status == LUA_ERRMEM)
        return lp_sandbox_stop(L, LP_STOP_MEMORY);
    if (status != LUA_OK)
        lp_sandbox_charge_some(L, lp_sandbox_naming(s));
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}
