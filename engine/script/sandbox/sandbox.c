/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sandbox: loading chunks, protected calls, opening and closing. */
#include "script/sandbox/sandbox.h"

#include "script/source/source.h"

#include <string.h>

enum { CLEAN = 400 }; /* registers that hold nothing at the start of a call */

/* The mistake is in that file, not where it is required. */
static void fail_syntax(lua_State *L, const char *chunk) {
    lp_sandbox_of(L)->phase = LP_FAULT_SYNTAX;
    LpSandbox *s = lp_sandbox_of(L);
    lp_str_copy(s->unread, sizeof s->unread, chunk);
    lua_error(L);
}

static int add_piece(lua_State *L, const void *bytes, size_t size, void *buf) {
    (void)L;
    lp_buf_add_bytes(buf, bytes, size);
    return 0;
}

/* Naming a value in an error walks the function, and no hook sees it: notes how long that takes in
 * the function on top and those in it, and raises where one is too long. */
static void measure(lua_State *L, const char *chunk) {
    LpSandbox *s = lp_sandbox_of(L);
    LpBuf dump = {0};
    LpDiag diag;
    LpNaming naming = {.fault = LP_FUNCTION_NO_MEMORY};
    (void)lua_dump(L, add_piece, &dump, 0);
    if (lp_buf_ok(&dump, &diag) == LP_OK)
        naming = lp_functions_measure(lp_buf_text(&dump), dump.len);
    lp_buf_fini(&dump);
    switch (naming.fault) {
    case LP_FUNCTION_FINE:
        s->naming = naming.steps > s->naming ? naming.steps : s->naming;
        return;
    case LP_FUNCTION_LONG:
        luaL_error(L, "%s:%d: a function of more than %d instructions and local variables", chunk,
                   (int)naming.line, LP_FUNCTION_CODE);
        return;
    case LP_FUNCTION_DEEP:
        luaL_error(L,
                   "%s:%d: a function in which more than %d fields follow one another, as in a.b.c",
                   chunk, (int)naming.line, LP_FUNCTION_FIELDS);
        return;
    case LP_FUNCTION_NO_MEMORY:
        (void)lp_fail_memory(&diag, "a policy");
        break;
    case LP_FUNCTION_UNKNOWN:
        (void)lp_fail(&diag, LP_EREFUSED,
                      "the Lua library of this system writes functions down in another way than "
                      "that of Debian, 5.4.4 to 5.4.9, so how long an error takes is unknown");
        break;
    }
    lp_sandbox_fail_engine(L, &diag);
}

void lp_sandbox_load(lua_State *L, const char *text, size_t len, const char *chunk) {
    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* some editors' byte order mark */
        text += 3;
        len -= 3;
    }
    if (len > 0 && text[0] == LUA_SIGNATURE[0])
        luaL_error(L, "%s:1: this is compiled code; expected Lua source text", chunk);
    lp_price_check_source(L, chunk, text, len);
    lp_sandbox_charge_some(L, lp_scopes_price(text, len));
    if (!lp_price_add_chunk(lp_sandbox_of(L), chunk, text, len)) {
        LpDiag diag;
        (void)lp_fail_memory(&diag, "a policy");
        lp_sandbox_fail_engine(L, &diag);
    }
    lua_pushfstring(L, "@%s", chunk);
    int status = luaL_loadbufferx(L, text, len, lua_tostring(L, -1), "t");
    if (status == LUA_ERRMEM)
        lp_sandbox_stop(L, LP_STOP_MEMORY);
    else if (status != LUA_OK)
        fail_syntax(L, chunk);
    measure(L, chunk);
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
    lp_sandbox_watch(sandbox);
    lua_pushcfunction(L, lp_sandbox_on_error);
    lua_pushcfunction(L, body);
    lua_pushlightuserdata(L, argument);
    size_t used = sandbox->used;
    lua_gc(L, LUA_GCSTOP); /* when it collects must not show in what registers hold */
    int status = lua_pcall(L, 1, 0, 1);
    sandbox->running = false;
    lua_sethook(L, NULL, 0, 0);
    LpErr err = status == LUA_OK ? LP_OK : lp_sandbox_explain(sandbox, status, diag);
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
    if (!lp_sandbox_check_seed(L) || !lp_chains_check(L) || !lp_texts_check(L)) {
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
    *sandbox = (LpSandbox){
        .limits = *limits, .chunk = chunk, .path = path, .host = host, .hook = lp_sandbox_hook};
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
