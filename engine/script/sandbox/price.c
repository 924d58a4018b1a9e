/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an instruction may cost. Most take some nanoseconds, a few take as long as their operands
 * want: a remainder, a number made into text, a comparison of long texts, a search along
 * metatables or among colliding keys. The hook meets instructions at times that no script can
 * arrange; whatever the next one works on then lies in registers, and sets the price of all since
 * the last look. Everything depends on values only, so the price is the same on every machine. */
#include <string.h>

#include "base/mem.h"
#include "script/sandbox/sandbox.h"

enum {
    SHORT_TEXT = 32,
    BYTES_PER_UNIT = 16, /* of a text compared or read as a number */
    FLOAT_TEXT = 40,     /* a float made into text */
    INTEGER_TEXT = 8,
    FLOAT_OPERAND = 16, /* the same in a chain of `..`: each operand has an instruction of its own,
                          so one of them is what an instruction may cost */
    INTEGER_OPERAND = 1,
    REMAINDER = 64,          /* of two floats */
    CALL = 2,                /* of a function, from within an instruction */
    CHAIN_FREE = 2,          /* links of a chain of metatables that self and classes have */
    CHAIN_LOOKED_AT = 8,     /* links of a chain of metatables that are followed */
    CHAIN_LONG = 600,        /* price of a chain that goes on: Lua ends it after 2000 links */
    LENGTH_INSTRUCTIONS = 4, /* of a loop that asks for a length */
    UPVALUES = 60,
    REGISTERS_PER_UNIT = 4
};

/* ---- lines ---- */

/* Which operators a line of a chunk may hold; comments and texts count, too. */
enum { LINE_CONCAT = 1, LINE_REMAINDER = 2, LINE_LENGTH = 4, LINE_ALL = 7 };

struct LpLines {
    struct LpLines *next;
    uint32_t count;
    char chunk[LUA_IDSIZE];
    unsigned char flags[];
};

static uint32_t count_lines(const char *text, size_t len) {
    uint32_t lines = 1;
    for (size_t i = 0; i < len; i++)
        lines += text[i] == '\n' || text[i] == '\r';
    return lines;
}

/* Lines are counted as Lua does: \r\n and \n\r end one line. */
static void mark_lines(struct LpLines *lines, const char *text, size_t len) {
    uint32_t line = 0;
    for (size_t i = 0; i < len; i++) {
        char c = text[i], next = i + 1 < len ? text[i + 1] : '\0';
        if (c == '\n' || c == '\r') {
            i += (next == '\n' || next == '\r') && next != c;
            line++;
        } else if (c == '.' && next == '.') {
            lines->flags[line] |= LINE_CONCAT;
        } else if (c == '%') {
            lines->flags[line] |= LINE_REMAINDER;
        } else if (c == '#') {
            lines->flags[line] |= LINE_LENGTH;
        }
    }
}

bool lp_price_add_chunk(LpSandbox *s, const char *chunk, const char *text, size_t len) {
    uint32_t count = count_lines(text, len);
    struct LpLines *lines = lp_alloc(1, sizeof *lines + count + 1);
    if (!lines)
        return false;
    lines->count = count;
    lp_str_copy(lines->chunk, sizeof lines->chunk, chunk);
    mark_lines(lines, text, len);
    lines->next = s->lines;
    s->lines = lines;
    return true;
}

void lp_price_free(LpSandbox *s) {
    while (s->lines) {
        struct LpLines *next = s->lines->next;
        lp_free(s->lines);
        s->lines = next;
    }
}

static unsigned line_flags(const LpSandbox *s, lua_State *L, lua_Debug *info) {
    if (!lua_getinfo(L, "Sl", info) || info->currentline <= 0 || info->source[0] != '@')
        return LINE_ALL;
    for (const struct LpLines *l = s->lines; l; l = l->next)
        if (strcmp(l->chunk, info->source + 1) == 0)
            return (uint32_t)info->currentline <= l->count ? l->flags[info->currentline - 1] : 0;
    return LINE_ALL;
}

/* ---- values ---- */

uint64_t lp_price_text(const char *text, size_t len) {
    if (memchr(text, '\0', len)) /* compared piece by piece */
        return len;
    return len > SHORT_TEXT ? len / BYTES_PER_UNIT : 0;
}

uint64_t lp_price_number_text(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TNUMBER)
        return 0;
    return lua_isinteger(L, index) ? INTEGER_TEXT : FLOAT_TEXT;
}

uint64_t lp_price_walk(const LpSandbox *s) {
    return s->block / 512; /* slots without a value are passed, too */
}

/* Follows one kind of metamethod from the value at index as long as it leads to tables. */
static uint64_t price_chain(lua_State *L, int index, const char *method) {
    int top = lua_gettop(L), links = 0, type;
    lua_pushvalue(L, index);
    while ((type = luaL_getmetafield(L, -1, method)) == LUA_TTABLE && links < CHAIN_LOOKED_AT)
        links++;
    lua_settop(L, top);
    if (links == CHAIN_LOOKED_AT)
        return CHAIN_LONG;
    if (links == 0 && type == LUA_TFUNCTION && method[2] == 'i')
        return CALL;
    return links > CHAIN_FREE ? 4 * (uint64_t)links : 0;
}

static uint64_t price_table(lua_State *L, int index) {
    static const char *const METHODS[] = {"__index", "__newindex", "__call"};
    uint64_t price = 0;
    if (!lua_getmetatable(L, index))
        return 0;
    lua_pop(L, 1);
    for (size_t i = 0; i < LP_COUNTOF(METHODS); i++) {
        uint64_t chain = price_chain(L, index, METHODS[i]);
        price = chain > price ? chain : price;
    }
    return price;
}

typedef struct Found {
    uint64_t sum;  /* of what each value adds */
    uint64_t most; /* of what only one matters for */
    bool has_float;
} Found;

static void look_at(lua_State *L, int index, unsigned flags, Found *found) {
    uint64_t one = 0;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        found->has_float |= !lua_isinteger(L, index);
        if (flags & LINE_CONCAT)
            one = lua_isinteger(L, index) ? INTEGER_OPERAND : FLOAT_OPERAND;
        break;
    case LUA_TSTRING:
        found->sum += lp_price_text(lua_tostring(L, index), lua_rawlen(L, index));
        break;
    case LUA_TTABLE:
        one = price_table(L, index);
        break;
    default:
        break;
    }
    found->most = one > found->most ? one : found->most;
}

/* Tables that are upvalues are indexed without passing through a register. */
static void look_at_upvalues(lua_State *L, lua_Debug *info, Found *found) {
    int top = lua_gettop(L);
    lua_getinfo(L, "f", info);
    for (int i = 1; i <= UPVALUES && lua_getupvalue(L, top + 1, i); i++) {
        if (lua_istable(L, -1))
            look_at(L, lua_gettop(L), 0, found);
        lua_pop(L, 1);
    }
    lua_settop(L, top);
}

/* In a hook the stack of the running function is what indices reach. */
uint64_t lp_price_instruction(lua_State *L, lua_Debug *info, uint64_t *looking) {
    LpSandbox *s = lp_sandbox_of(L);
    unsigned flags = line_flags(s, L, info);
    int registers = lua_gettop(L);
    Found found = {0};
    *looking = (uint64_t)registers / REGISTERS_PER_UNIT;
    if (!lua_checkstack(L, UPVALUES))
        return 1;
    for (int i = 1; i <= registers; i++)
        look_at(L, i, flags, &found);
    look_at_upvalues(L, info, &found);
    uint64_t price = 1 + found.sum + found.most + lp_chains_price(s);
    if ((flags & LINE_REMAINDER) && found.has_float)
        price += REMAINDER;
    if (flags & LINE_LENGTH)
        price += lp_chains_length(s) / LENGTH_INSTRUCTIONS;
    return price;
}

/* ---- loading ---- */

/* Lua's parser takes time with the square of how often these occur in one function. */
static const struct {
    const char *word;
    bool name; /* letters: must stand alone */
} OFTEN[] = {{"or", true},    {"and", true},  {"elseif", true},
             {"break", true}, {"goto", true}, {"::", false}};
enum { OFTEN_MAX = 5000 };

static bool is_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool word_at(const char *text, size_t len, size_t at, size_t word) {
    size_t size = strlen(OFTEN[word].word);
    if (size > len - at || memcmp(text + at, OFTEN[word].word, size) != 0)
        return false;
    return !OFTEN[word].name ||
           ((at == 0 || !is_name(text[at - 1])) && (at + size == len || !is_name(text[at + size])));
}

void lp_price_check_source(lua_State *L, const char *chunk, const char *text, size_t len) {
    uint32_t seen[LP_COUNTOF(OFTEN)] = {0};
    int line = 1;
    for (size_t at = 0; at < len; at++) {
        line += text[at] == '\n';
        if (!strchr("oaebg:", text[at]) || text[at] == '\0')
            continue;
        for (size_t w = 0; w < LP_COUNTOF(OFTEN); w++)
            if (word_at(text, len, at, w) && ++seen[w] > OFTEN_MAX)
                luaL_error(L, "%s:%d: a file with '%s' more than %d times", chunk, line,
                           OFTEN[w].word, OFTEN_MAX);
    }
}
