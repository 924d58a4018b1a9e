/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What went wrong in a call, told as file:line: sentence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/sandbox/sandbox.h"

int lp_sandbox_on_error(lua_State *L) {
    LpSandbox *s = lp_sandbox_of(L);
    if (s->stop != LP_STOP_NONE)
        return 1;
    s->place = lp_sandbox_place(L);
    lp_sandbox_note_trace(L);
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
    else if (s->stop == LP_STOP_CHAIN && s->texts > LP_SANDBOX_CHAIN)
        snprintf(text, size,
                 "more than %d texts that Lua keeps in the same place, which makes each of them "
                 "slow: expected other texts",
                 LP_SANDBOX_CHAIN);
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

LpErr lp_sandbox_explain(LpSandbox *s, int status, LpDiag *diag) {
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
