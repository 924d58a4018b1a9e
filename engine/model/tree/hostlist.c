/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/tree/hostlist.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { NAME = 256, DIGITS = 9 };

typedef struct Expanding {
    uint32_t most, count;
    const char **names; /* NULL: names are counted only */
    LpArena *arena;
    LpDiag *diag;
    char name[NAME];
} Expanding;

static LpErr expand(Expanding *e, const char *at, size_t len);

static LpErr fail_at(const Expanding *e, const char *at, const char *expected) {
    char shown[40];
    return lp_fail(e->diag, LP_EPARSE, "the list of names has \"%s\": expected %s",
                   lp_str_show(shown, sizeof shown, at), expected);
}

static LpErr add_name(Expanding *e, size_t len) {
    if (len == 0)
        return lp_fail(e->diag, LP_EPARSE,
                       "the list of names has an empty one: expected names such as n[00-31]");
    if (e->count == e->most)
        return lp_fail(e->diag, LP_ELIMIT,
                       "the list of names has more than %" PRIu32 ": expected at most so many",
                       e->most);
    if (e->names != NULL) {
        e->names[e->count] = lp_arena_strndup(e->arena, e->name, len);
        if (e->names[e->count] == NULL)
            return lp_fail_memory(e->diag, "a list of names");
    }
    e->count++;
    return LP_OK;
}

static LpErr read_number(const Expanding *e, const char **at, uint32_t *value, size_t *width) {
    const char *begin = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        *value = *value * 10 + (uint32_t)(**at - '0');
    *width = (size_t)(*at - begin);
    return *width >= 1 && *width <= DIGITS ? LP_OK : fail_at(e, begin, "a number of 1 to 9 digits");
}

/* One number or range of a bracket, each with what comes after the bracket at `rest`. */
static LpErr expand_range(Expanding *e, const char **at, const char *rest, size_t len) {
    uint32_t from, to;
    size_t width, upto;
    const char *begin = *at;
    LP_TRY(read_number(e, at, &from, &width));
    to = from;
    upto = width;
    if (**at == '-') {
        ++*at;
        LP_TRY(read_number(e, at, &to, &upto));
    }
    if (to < from)
        return fail_at(e, begin, "a range that goes up");
    if (len + DIGITS + 1 >= NAME)
        return fail_at(e, begin, "names of less than 256 bytes");
    for (uint32_t n = from;; n++) {
        int digits = snprintf(e->name + len, DIGITS + 2, "%0*" PRIu32, (int)width, n);
        LP_TRY(expand(e, rest, len + (size_t)digits));
        if (n == to)
            return LP_OK;
    }
}

/* From `at` on; `len` bytes of the name are there. */
static LpErr expand(Expanding *e, const char *at, size_t len) {
    for (; *at != '\0' && *at != ',' && *at != '['; at++) {
        if (*at == ']')
            return fail_at(e, at, "a \"[\" before it");
        if (len + 1 >= NAME)
            return fail_at(e, at, "names of less than 256 bytes");
        e->name[len++] = *at;
    }
    if (*at != '[')
        return add_name(e, len);
    const char *rest = strchr(at, ']');
    if (rest == NULL)
        return fail_at(e, at, "a \"]\" after it");
    do {
        at++;
        LP_TRY(expand_range(e, &at, rest + 1, len));
    } while (*at == ',');
    return *at == ']' ? LP_OK : fail_at(e, at, "\",\", \"-\" or \"]\"");
}

/* Where the next item begins; NULL: this was the last one. */
static const char *next_item(const char *at) {
    bool inside = false;
    for (; *at != '\0' && (inside || *at != ','); at++)
        inside = *at == '[' || (inside && *at != ']');
    return *at == ',' ? at + 1 : NULL;
}

LpErr lp_hostlist_expand(const char *text, uint32_t most, LpArena *arena, const char *const **out,
                         uint32_t *count, LpDiag *diag) {
    Expanding e = {.most = most, .arena = arena, .diag = diag};
    for (const char *at = text; at != NULL; at = next_item(at))
        LP_TRY(expand(&e, at, 0));
    e.names = lp_arena_alloc(arena, e.count, sizeof *e.names);
    if (e.names == NULL)
        return lp_fail_memory(diag, "a list of names");
    e.count = 0;
    for (const char *at = text; at != NULL; at = next_item(at))
        LP_TRY(expand(&e, at, 0));
    *out = e.names;
    *count = e.count;
    return LP_OK;
}
