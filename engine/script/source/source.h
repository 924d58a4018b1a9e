/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a script's source, and the functions in it, will take of Lua's own time where no hook looks:
 * the parser's search for names, and naming a value in an error. Both are read from texts; no Lua
 * state is needed. */
#ifndef LP_SCRIPT_SOURCE_H
#define LP_SCRIPT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LP_FUNCTION_CODE = 1 << 18, /* instructions and local variables of one function */
    LP_FUNCTION_FIELDS = 200    /* registers looked for to name one value */
};

typedef enum LpFunctionFault {
    LP_FUNCTION_FINE,
    LP_FUNCTION_LONG,    /* more than LP_FUNCTION_CODE */
    LP_FUNCTION_DEEP,    /* more than LP_FUNCTION_FIELDS */
    LP_FUNCTION_UNKNOWN, /* this is not how Lua 5.4 writes functions down */
    LP_FUNCTION_NO_MEMORY
} LpFunctionFault;

typedef struct LpNaming {
    LpFunctionFault fault; /* of the first function that has one */
    uint64_t line;         /* where that function begins */
    uint64_t steps;        /* of the longest naming of a value, else */
} LpNaming;

/* Units of what Lua's parser will take to look up the names of a source beyond an ordinary file's.
 * O(len). */
uint64_t lp_scopes_price(const char *text, size_t len);

/* How long naming a value in the functions of a dump (lua_dump, with its names) takes. O(len). */
LpNaming lp_functions_measure(const char *dump, size_t len);

#endif
