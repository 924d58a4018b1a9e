/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sandbox: a budget that no script can swallow, protected calls, and errors told as file:line:
 * sentence. */
#include "script/sandbox/sandbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    LOOK_LEAST = 64,       /* instructions between two looks at the budget: so many ... */
    LOOK_SPREAD = 64,      /* ... and up to so many more, anew ... */
    LOOKS = 16,            /* ... every so many looks */
    DEEP = 16,             /* calls: setting a hook takes time with their number */
    WATCHED_UNITS = 65536, /* of work in C functions, which the hook does not see: the clock is
                              looked at after so many ... */
    CHARGE_WATCHED = 64,   /* ... counting each charge as so many more */
    CLEAN = 400,           /* registers that hold nothing at the start of a call */
    PCALL_UNITS = 64,      /* an error unwinds the stack and is told in words */
    TRACE_LEVELS = 12,     /* calls listed with an error */
    WIDE_LEVELS = 4        /* functions looked at for too many arguments */
};

#define FIRST_CHANCE 2463534242U

static void on_hook(lua_State *L, lua_Debug *info);
static void note_trace(lua_State *L, LpSandbox *s);

/* ---- work ---- */

/* From here on every instruction looks at the budget; only fields are set, so the allocator may
 * call this. */
static void arm(LpSandbox *s) {
    if (s->L && s->running)
        lua_sethook(s->L, on_hook, LUA_MASKCOUNT, 1);
}

void lp_sandbox_spend(LpSandbox *s, uint64_t units) {
    s->spent += units;
    s->left = units < (uint64_t)s->left ? s->left - (int64_t)units : 0;
    if (s->left == 0)
        arm(s);
}

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

static int stop(lua_State *L, LpStop why) {
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop == LP_STOP_NONE) {
        s->stop = why;
        s->place = lp_sandbox_place(L);
        note_trace(L, s);
    }
    arm(s);
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
        stop(L, LP_STOP_TIME);
    if (lua_getstack(L, DEEP, &level)) {
        s->deep = true;
        return;
    }
    next_interval(s);
    lua_sethook(L, on_hook, LUA_MASKCOUNT | LUA_MASKRET, (int)s->interval);
}

static void on_hook(lua_State *L, lua_Debug *info) {
    LpSandbox *s = lp_sandbox_of(L);
    if (info->event == LUA_HOOKRET) {
        note_return(L, s, info);
        return;
    }
    if (info->event != LUA_HOOKCOUNT)
        return;
    if (s->stop != LP_STOP_NONE)
        stop(L, s->stop);
    if (s->left > 0) {
        uint64_t looking, price = lp_price_instruction(L, info, &looking);
        lp_sandbox_spend(s, s->interval * price + looking);
    }
    if (!lp_chains_find(s))
        stop(L, LP_STOP_CHAIN);
    if (s->left == 0)
        stop(L, LP_STOP_WORK);
    if (too_wide(L))
        stop(L, LP_STOP_WIDE);
    if (++s->looks % LOOKS == 0)
        watch_tables(L, s);
}

void lp_sandbox_charge(lua_State *L, uint64_t units) {
    LpSandbox *s = lp_sandbox_of(L);
    lp_sandbox_spend(s, units);
    if (s->left == 0)
        stop(L, LP_STOP_WORK);
    s->unwatched += units + CHARGE_WATCHED;
    if (s->unwatched < WATCHED_UNITS)
        return;
    s->unwatched = 0;
    if (!lp_chains_find(s))
        stop(L, LP_STOP_CHAIN);
    if (late(s))
        stop(L, LP_STOP_TIME);
}

void lp_sandbox_refill(LpSandbox *sandbox) {
    sandbox->left = (int64_t)sandbox->limits.work;
    sandbox->returned.line = 0;
}

void lp_sandbox_extend(LpSandbox *sandbox, const struct timespec *since) {
    sandbox->engine_seconds += seconds_since(since, CLOCK_MONOTONIC);
}

/* ---- errors ---- */

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
static void note_trace(lua_State *L, LpSandbox *s) {
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

/* Message handler: notes the place, makes a text of other values. */
static int on_error(lua_State *L) {
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop != LP_STOP_NONE)
        return 1;
    s->place = lp_sandbox_place(L);
    note_trace(L, s);
    if (lua_type(L, 1) != LUA_TSTRING)
        lua_pushfstring(L, "error with a value of type %s instead of a message",
                        luaL_typename(L, 1));
    return 1;
}

/* Takes "chunk:12: text" apart: Lua puts the line of the blamed caller there, which may differ from
 * the line where the error was raised. Returns the text. */
static const char *strip_place(const LpSandbox *s, const char *message, LpPlace *place) {
    const char *names[] = {s->unread, s->chunk, place->file};
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        size_t len = strlen(names[i]);
        if (len == 0 || strncmp(message, names[i], len) != 0 || message[len] != ':')
            continue;
        char *end;
        long line = strtol(message + len + 1, &end, 10);
        if (line > 0 && line < 1 << 30 && end[0] == ':' && end[1] == ' ') {
            place->line = (int)line;
            if (i == 0)
                lp_str_copy(place->file, sizeof place->file, s->unread);
            return end + 2;
        }
    }
    return message;
}

/* Takes no memory: it may be what is missing. */
static void stop_text(const LpSandbox *s, bool memory, char *text, size_t size) {
    if (memory && s->refusal == LP_REFUSED_STRING)
        snprintf(text, size, "a string of more than %d KiB", LP_SANDBOX_STRING / 1024);
    else if (memory && s->refusal == LP_REFUSED_STACK)
        snprintf(text, size, "calls are nested too deeply (an endless recursion?)");
    else if (memory)
        snprintf(text, size, "out of memory: a policy may use %llu KiB",
                 (unsigned long long)(s->limits.memory / 1024));
    else if (s->stop == LP_STOP_WIDE)
        snprintf(text, size, "a call with more than %d arguments", LP_SANDBOX_UNPACK);
    else if (s->stop == LP_STOP_CHAIN)
        snprintf(
            text, size,
            "a table with more than 256 keys that fall in the same place of it, which makes it "
            "slow: expected other numbers or texts as keys");
    else if (s->stop == LP_STOP_TIME)
        snprintf(text, size, "took more than %g s of processor time", s->limits.seconds);
    else
        snprintf(text, size, "used up its budget of %llu instructions (an endless loop?)",
                 (unsigned long long)s->limits.work);
}

void lp_sandbox_copy_text(lua_State *L, int index, char *out, size_t size) {
    size_t len;
    const char *text = lua_tolstring(L, index, &len);
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < len && used + 1 < size; i++) { /* piece by piece, in no other memory */
        size_t piece = strlen(text + i), room = size - used;
        lp_str_copy(out + used, room, text + i);
        used += strlen(out + used);
        i += piece;
        if (piece >= room)
            break;
        if (i < len) {
            lp_str_copy(out + used, size - used, "\\x00");
            used += strlen(out + used);
        }
    }
}

static LpFault fault_of(const LpSandbox *s) {
    switch (s->stop) {
    case LP_STOP_WORK:
    case LP_STOP_WIDE:
    case LP_STOP_CHAIN:
        return LP_FAULT_BUDGET;
    case LP_STOP_MEMORY:
        return LP_FAULT_MEMORY;
    case LP_STOP_TIME:
        return LP_FAULT_WATCHDOG;
    case LP_STOP_ENGINE:
        return LP_FAULT_ENGINE;
    default:
        return s->phase;
    }
}

static LpErr explain(LpSandbox *s, int status, LpDiag *diag) {
    LpDiag ignored;
    diag = diag ? diag : &ignored;
    if (s->stop == LP_STOP_ENGINE) {
        *diag = s->engine;
        diag->kind = lp_fault_name(LP_FAULT_ENGINE);
        return s->engine.code;
    }
    bool memory = s->stop == LP_STOP_MEMORY || (s->stop == LP_STOP_NONE && status == LUA_ERRMEM);
    if (memory)
        s->stop = LP_STOP_MEMORY;
    LpErr code = s->stop == LP_STOP_NONE ? LP_ESCRIPT : LP_EBUDGET;
    char text[LP_DIAG_TEXT];
    LpPlace place =
        s->place.line > 0 ? s->place : s->returned; /* what a hook returned is at fault */
    if (code == LP_EBUDGET) {
        stop_text(s, memory, text, sizeof text);
    } else {
        char message[LP_DIAG_TEXT + LUA_IDSIZE] = "error without a message";
        if (lua_type(s->L, -1) == LUA_TSTRING)
            lp_sandbox_copy_text(s->L, -1, message, sizeof message);
        lp_str_copy(text, sizeof text, strip_place(s, message, &place));
    }
    const char *colon = s->doing[0] ? ": " : "";
    /* only the main chunk has a path; the others are named by their chunk */
    const char *file = place.file[0] && strcmp(place.file, s->chunk) != 0 ? place.file : s->path;
    lp_fail_at(diag, code, file, place.line, 0, "%s%s%s", s->doing, colon, text);
    diag->kind = lp_fault_name(fault_of(s));
    return code;
}

int lp_sandbox_fail_engine(lua_State *L, const LpDiag *diag) {
    LpSandbox *s = lp_sandbox_of(L);
    s->engine = *diag;
    return stop(L, LP_STOP_ENGINE);
}

int lp_sandbox_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    lp_sandbox_charge(L, PCALL_UNITS);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop != LP_STOP_NONE)
        return stop(L, s->stop);
    if (status == LUA_ERRMEM)
        return stop(L, LP_STOP_MEMORY);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

/* The mistake is in that file, not where it is required. */
static void fail_syntax(lua_State *L, const char *chunk) {
    lp_sandbox_of(L)->phase = LP_FAULT_SYNTAX;
    LpSandbox *s = lp_sandbox_of(L);
    lp_str_copy(s->unread, sizeof s->unread, chunk);
    lua_error(L);
}

void lp_sandbox_load(lua_State *L, const char *text, size_t len, const char *chunk) {
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* some editors' byte order mark */
        text += 3;
        len -= 3;
    }
    if (len > 0 && text[0] == LUA_SIGNATURE[0])
        luaL_error(L, "%s:1: this is compiled code; expected Lua source text", chunk);
    lp_price_check_source(L, chunk, text, len);
    if (!lp_price_add_chunk(lp_sandbox_of(L), chunk, text, len)) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "a policy");
        lp_sandbox_fail_engine(L, &diag);
    }
    lua_pushfstring(L, "@%s", chunk);
    int status = luaL_loadbufferx(L, text, len, lua_tostring(L, -1), "t");
    if (status == LUA_ERRMEM)
        stop(L, LP_STOP_MEMORY);
    else if (status != LUA_OK)
        fail_syntax(L, chunk);
    lp_env_push(L);
    lua_setupvalue(L, -2, 1);
    lua_remove(L, -2);
}

/* ---- calls ---- */

/* What an earlier call left in registers must not change the price of this one. */
static int clean_body(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT); /* clears what lies above the stack */
    return 0;
}

static void clean_registers(LpSandbox *s) {
    lua_State *L = s->L;
    if (lua_checkstack(L, CLEAN)) {
        lua_settop(L, CLEAN);
        lua_settop(L, 0);
    }
    if (s->deep) {
        lua_pushcfunction(L, clean_body);
        (void)lua_pcall(L, 0, 0, 0);
        lua_settop(L, 0);
    }
    s->deep = false;
}

LpErr lp_sandbox_call(LpSandbox *sandbox, lua_CFunction body, void *argument, LpDiag *diag) {
    lua_State *L = sandbox->L;
    (void)clock_gettime(CLOCK_MONOTONIC, &sandbox->start);
    sandbox->timed = false;
    sandbox->unwatched = 0;
    sandbox->engine_seconds = 0;
    sandbox->stop = LP_STOP_NONE;
    sandbox->refusal = LP_REFUSED_BYTES;
    sandbox->phase = LP_FAULT_RUNTIME;
    sandbox->trace[0] = '\0';
    sandbox->place = sandbox->returned = (LpPlace){.line = 0};
    sandbox->unread[0] = '\0';
    sandbox->running = true;
    lp_sandbox_refill(sandbox);
    if (sandbox->image)
        lp_image_restore(sandbox);
    else
        clean_registers(sandbox);
    sandbox->chance = FIRST_CHANCE;
    sandbox->looks = 0;
    next_interval(sandbox);
    lua_sethook(L, on_hook, LUA_MASKCOUNT | LUA_MASKRET, (int)sandbox->interval);
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, argument);
    size_t used = sandbox->used;
    lua_gc(L, LUA_GCSTOP); /* when it collects must not show in what registers hold */
    int status = lua_pcall(L, 1, 0, 1);
    sandbox->running = false;
    lua_sethook(L, NULL, 0, 0);
    LpErr err = status == LUA_OK ? LP_OK : explain(sandbox, status, diag);
    if (sandbox->image)
        return err;
    lua_settop(L, 0);
    lua_gc(L, LUA_GCRESTART);
    if (sandbox->used > used)
        lua_gc(L, LUA_GCSTEP, (int)((sandbox->used - used) / 1024 + 1));
    return err;
}

static int open_body(lua_State *L) {
    lp_sandbox_of(L)->phase = LP_FAULT_LOAD;
    if (!lp_sandbox_check_seed(L) || !lp_chains_check(L)) {
        LpDiag diag;
        (void)lp_fail(&diag, LP_EREFUSED,
                      "the Lua library of this system keeps its tables in an order that cannot be "
                      "fixed, so a policy could decide differently in every run; expected one like "
                      "Lua 5.4.4 to 5.4.9 of Debian");
        lp_sandbox_fail_engine(L, &diag);
    }
    lp_env_open(L);
    return 0;
}

LpErr lp_sandbox_open(LpSandbox *sandbox, const LpSandboxLimits *limits, const char *chunk,
                      const char *path, void *host, LpDiag *diag) {
    *sandbox = (LpSandbox){.limits = *limits, .chunk = chunk, .path = path, .host = host};
    if (sandbox->limits.work > INT64_MAX)
        sandbox->limits.work = INT64_MAX;
    sandbox->left = INT64_MAX; /* making a state is not the script's work */
    LP_TRY(lp_heap_open(&sandbox->heap, limits->memory, diag));
    lua_State *L = lua_newstate(lp_sandbox_allocate, sandbox);
    if (!L)
        lp_heap_close(&sandbox->heap);
    if (!L)
        return lp_fail(diag, LP_ENOMEM, "out of memory: a Lua state of at most %llu KiB",
                       (unsigned long long)(limits->memory / 1024));
    *(LpSandbox **)lua_getextraspace(L) = sandbox;
    sandbox->L = L;
    LpErr err = lp_sandbox_call(sandbox, open_body, NULL, diag);
    sandbox->spent = 0;
    sandbox->block = 0;
    if (err != LP_OK)
        lp_sandbox_close(sandbox);
    return err;
}

void lp_sandbox_close(LpSandbox *sandbox) {
    sandbox->L = NULL; /* nothing in it has more to do than to give its memory back */
    lp_heap_close(&sandbox->heap);
    lp_sandbox_let_go(sandbox);
    lp_buf_fini(&sandbox->output);
    lp_price_free(sandbox);
    lp_chains_free(sandbox);
}
