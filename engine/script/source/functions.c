/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long Lua takes to name a value in an error. It walks the function's instructions and local
 * variables to find what the value's register holds; where that is a field it walks them again for
 * the table, and so on along `a.b.c`, each a call deeper in C. No hook sees this. So both are
 * bounded when a function is loaded, and an error that is caught is charged for the longest naming
 * that any function has. The functions are read as Lua writes them down (lua_dump), which is the
 * same in all of 5.4. */
#include <string.h>

#include "base/mem.h"
#include "script/source/source.h"

enum {
    VISITS_MAX = LP_FUNCTION_FIELDS,
    REGISTERS = 256,
    HEADER = 31 + 1, /* bytes before the first function, with its number of upvalues */
    NUMBER = 8,      /* bytes of a number among the constants */
    UPVALUE = 3
};

/* Tags of constants that have something behind them. */
enum { WHOLE = 3, FLOAT = 19, SHORT = 4, LONG = 20 };

/* Instructions: 7 bits of what is done, then the registers A (8), k (1), B (8), C (8). */
enum { MOVE = 0, GETTABLE = 12, GETI = 13, GETFIELD = 14, SELF = 20 };

/* Whether an instruction sets A; what is looked for is found there then. */
static bool sets(unsigned op) {
    static const struct {
        unsigned char from, to;
    } SETS[] = {{0, 9}, {11, 14}, {19, 45}, {49, 53}, {67, 69}, {73, 74}, {77, 77}, {79, 81}};
    for (size_t i = 0; i < LP_COUNTOF(SETS); i++)
        if (op >= SETS[i].from && op <= SETS[i].to)
            return true;
    return false;
}

/* ---- reading ---- */

typedef struct Reader {
    const unsigned char *at, *end;
    bool broken; /* not as expected, or something was found: the rest is not read */
    LpNaming found;
} Reader;

static const unsigned char *take(Reader *r, uint64_t bytes) {
    static const unsigned char NOTHING[8];
    if (bytes > (uint64_t)(r->end - r->at)) {
        r->broken = true;
        r->at = r->end;
        return NOTHING;
    }
    const unsigned char *at = r->at;
    r->at += bytes;
    return at;
}

/* Seven bits each, the first ones first; the last byte has the eighth set. */
static uint64_t read_number(Reader *r) {
    uint64_t number = 0;
    while (!r->broken) {
        unsigned byte = *take(r, 1);
        number = number << 7 | (byte & 127);
        if (byte & 128)
            return number;
    }
    return 0;
}

static void skip_text(Reader *r) {
    uint64_t size = read_number(r); /* with the byte that ends it; 0: none */
    if (size > 0)
        (void)take(r, size - 1);
}

static void skip_constants(Reader *r) {
    for (uint64_t left = read_number(r); left > 0 && !r->broken; left--) {
        unsigned tag = *take(r, 1);
        if (tag == WHOLE || tag == FLOAT)
            (void)take(r, NUMBER);
        else if (tag == SHORT || tag == LONG)
            skip_text(r);
    }
}

/* Returns the number of local variables and of lines that are written down for themselves: these
 * are walked, too. more[i] becomes how many more variables live at instruction i than before it. */
static uint64_t read_debug(Reader *r, int32_t *more, uint64_t count) {
    (void)take(r, read_number(r)); /* lines, as distances of a byte */
    uint64_t lines = read_number(r);
    for (uint64_t left = lines; left > 0 && !r->broken; left--) {
        (void)read_number(r);
        (void)read_number(r);
    }
    uint64_t locals = read_number(r);
    for (uint64_t left = locals; left > 0 && !r->broken; left--) {
        skip_text(r);
        uint64_t from = read_number(r), to = read_number(r);
        if (from > count || to > count)
            r->broken = true;
        if (r->broken)
            break;
        more[from]++;
        more[to]--;
    }
    for (uint64_t left = read_number(r); left > 0 && !r->broken; left--)
        skip_text(r); /* names of upvalues */
    return lines + locals;
}

/* ---- measuring ---- */

/* The most registers that Lua looks for to name a value: each holds what its last instruction put
 * there, or Lua gives up; that of a local variable has its name. `more`: of read_debug. */
static uint32_t most_visits(const unsigned char *code, uint64_t count, const int32_t *more) {
    uint32_t visits[REGISTERS] = {0}, most = 1;
    int64_t locals = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, code + 4 * i, sizeof word);
        unsigned op = word & 127, a = word >> 7 & 255, b = word >> 16 & 255, c = word >> 24;
        bool constant = (word >> 15 & 1) != 0;
        locals += more[i];
        if (!sets(op))
            continue;
        uint32_t next = 1;
        if ((int64_t)b >= locals && (op == GETTABLE || op == GETI || op == GETFIELD || op == MOVE))
            next += visits[b];
        if ((int64_t)c >= locals && (op == GETTABLE || (op == SELF && !constant)))
            next += visits[c];
        visits[a] = next < 2 * VISITS_MAX ? next : 2 * VISITS_MAX;
        most = visits[a] > most ? visits[a] : most;
    }
    return most;
}

static void fail(Reader *r, LpFunctionFault fault, uint64_t line) {
    r->found.fault = fault;
    r->found.line = line > 0 ? line : 1;
    r->broken = true;
}

/* As deep as functions are nested, which Lua's parser bounds at 200. */
static void read_function(Reader *r) {
    skip_text(r); /* the source */
    uint64_t line = read_number(r);
    (void)read_number(r);
    (void)take(r, 3); /* parameters, `...`, registers */
    uint64_t count = read_number(r);
    const unsigned char *code = take(r, 4 * count);
    skip_constants(r);
    (void)take(r, UPVALUE * read_number(r));
    for (uint64_t left = read_number(r); left > 0 && !r->broken; left--)
        read_function(r);
    int32_t *more = lp_alloc((r->broken ? 0 : count) + 1, sizeof *more);
    if (more == NULL) {
        fail(r, LP_FUNCTION_NO_MEMORY, line);
        return;
    }
    uint64_t walked = count + read_debug(r, more, r->broken ? 0 : count);
    uint32_t visits = most_visits(code, r->broken ? 0 : count, more);
    lp_free(more);
    if (r->broken)
        return;
    if (walked > LP_FUNCTION_CODE)
        fail(r, LP_FUNCTION_LONG, line);
    else if (visits > VISITS_MAX)
        fail(r, LP_FUNCTION_DEEP, line);
    else if (walked * visits > r->found.steps)
        r->found.steps = walked * visits;
}

LpNaming lp_functions_measure(const char *dump, size_t len) {
    const unsigned char *text = (const unsigned char *)dump;
    Reader r = {.at = text, .end = text + len};
    (void)take(&r, HEADER);
    read_function(&r);
    if (r.found.fault == LP_FUNCTION_FINE && (r.broken || r.at != r.end))
        fail(&r, LP_FUNCTION_UNKNOWN, 0);
    return r.found;
}
