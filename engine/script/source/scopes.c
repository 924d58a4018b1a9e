/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lua's parser takes to look names up. It searches the local variables of the function, then
 * what that one has from outside, then the same for each function around it, one by one; a global
 * is not found in any. A small file of functions in functions, with many variables each, keeps it
 * busy for minutes, and no hook runs meanwhile. So the searches are counted before, by a look at
 * the words of the source; what is no Lua may be counted wrongly, since the parser ends there. */
#include <string.h>

#include "script/source/source.h"

enum {
    BLOCKS = 256,         /* nested: more than the parser takes */
    OUTER_MAX = 255,      /* variables that a function has from outside */
    LOOP_LOCALS = 4,      /* of `for`, hidden ones */
    FREE_STEPS = 4000000, /* a hundredth of a second */
    STEPS_PER_UNIT = 32
};

typedef struct Scope {
    uint64_t locals, outer; /* that are seen here: of all functions around, and what these have
                               from outside */
} Scope;

/* What names stand for just now. */
typedef enum Naming {
    USES,
    LOCALS,      /* after `local`, and a comma there */
    AFTER_LOCAL, /* of its list only a comma, or an attribute <const>, goes on */
    ATTRIBUTE,
    BEFORE_PARAMETERS,
    PARAMETERS,
    LOOP
} Naming;

typedef struct Scan {
    const char *at, *end;
    Scope now, block[BLOCKS];
    size_t blocks;
    bool too_deep, header; /* header: the next `do` belongs to a `for` */
    Naming naming;
    uint64_t steps;
} Scan;

static bool is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_part(char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
}

/* ---- texts and remarks ---- */

/* The level of a long bracket [==[ that begins here, -1 for none. */
static int long_level(const Scan *s) {
    const char *at = s->at + 1;
    if (s->at >= s->end || *s->at != '[')
        return -1;
    while (at < s->end && *at == '=')
        at++;
    return at < s->end && *at == '[' ? (int)(at - s->at - 1) : -1;
}

static void skip_long(Scan *s, int level) {
    for (s->at += level + 2; s->at < s->end; s->at++) {
        const char *at = s->at + 1;
        if (*s->at != ']')
            continue;
        while (at < s->end && *at == '=')
            at++;
        if (at < s->end && *at == ']' && at - s->at - 1 == level) {
            s->at = at + 1;
            return;
        }
    }
}

static void skip_remark(Scan *s) {
    s->at += 2;
    int level = long_level(s);
    if (level >= 0) {
        skip_long(s, level);
        return;
    }
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

/* ---- words ---- */

static void open_block(Scan *s) {
    if (s->blocks == BLOCKS)
        s->too_deep = true;
    else
        s->block[s->blocks++] = s->now;
}

static void close_block(Scan *s) {
    if (s->blocks > 0)
        s->now = s->block[--s->blocks];
}

static bool is_word(const char *word, size_t len, const char *text) {
    return strlen(text) == len && memcmp(word, text, len) == 0;
}

/* Words that open and close what names live in; false for any other. */
static bool take_keyword(Scan *s, const char *word, size_t len) {
    if (is_word(word, len, "function")) {
        s->now.locals += s->naming == LOCALS ? 1 : 0; /* its own name */
        open_block(s);
        s->now.outer += s->now.locals < OUTER_MAX ? s->now.locals + 1 : OUTER_MAX;
        s->naming = BEFORE_PARAMETERS;
    } else if (is_word(word, len, "local")) {
        s->naming = LOCALS;
    } else if (is_word(word, len, "for")) {
        open_block(s);
        s->now.locals += LOOP_LOCALS;
        s->header = true;
        s->naming = LOOP;
    } else if (is_word(word, len, "do")) {
        if (!s->header)
            open_block(s);
        s->header = false;
        s->naming = USES;
    } else if (is_word(word, len, "if") || is_word(word, len, "repeat")) {
        open_block(s);
        s->naming = USES;
    } else if (is_word(word, len, "end") || is_word(word, len, "until")) {
        close_block(s);
        s->naming = USES;
    } else if (is_word(word, len, "else") || is_word(word, len, "elseif")) {
        s->now = s->blocks > 0 ? s->block[s->blocks - 1] : s->now;
        s->naming = USES;
    } else if (is_word(word, len, "in")) {
        s->naming = USES;
    } else {
        return false;
    }
    return true;
}

static void take_word(Scan *s, bool field) {
    const char *word = s->at;
    while (s->at < s->end && is_part(*s->at))
        s->at++;
    if (field || take_keyword(s, word, (size_t)(s->at - word)))
        return;
    if (s->naming == LOCALS || s->naming == PARAMETERS || s->naming == LOOP)
        s->now.locals++;
    else
        s->steps += s->now.locals + s->now.outer;
    if (s->naming == LOCALS || s->naming == ATTRIBUTE)
        s->naming = AFTER_LOCAL;
    else if (s->naming == AFTER_LOCAL)
        s->naming = USES;
}

uint64_t lp_scopes_price(const char *text, size_t len) {
    Scan s = {.at = text, .end = text + len};
    bool field = false;
    while (s.at < s.end && !s.too_deep) {
        char c = *s.at, next = s.at + 1 < s.end ? s.at[1] : '\0';
        bool dot = false;
        if (is_letter(c)) {
            take_word(&s, field);
        } else if (c >= '0' && c <= '9') {
            while (s.at < s.end && (is_part(*s.at) || *s.at == '.'))
                s.at++;
        } else if (c == '"' || c == '\'') {
            char quote = *s.at++;
            while (s.at < s.end && *s.at != quote && *s.at != '\n')
                s.at += *s.at == '\\' && s.at + 1 < s.end ? 2 : 1;
            s.at += s.at < s.end ? 1 : 0;
        } else if (c == '-' && next == '-') {
            skip_remark(&s);
            dot = field;
        } else if (c == '[' && long_level(&s) >= 0) {
            skip_long(&s, long_level(&s));
        } else if ((c == '.' || c == ':') && next == c) {
            while (s.at < s.end && *s.at == c)
                s.at++;
        } else {
            dot = c == '.' || c == ':' || (field && (c == ' ' || (c >= '\t' && c <= '\r')));
            /* Signs that begin, end or go on with a list of names. */
            char sign = *s.at++;
            if (sign == '(' && s.naming == BEFORE_PARAMETERS)
                s.naming = PARAMETERS;
            else if (sign == ',' && s.naming == AFTER_LOCAL)
                s.naming = LOCALS;
            else if (sign == '<' && s.naming == AFTER_LOCAL)
                s.naming = ATTRIBUTE;
            else if (sign == ')' || sign == '=' || sign == ';')
                s.naming = USES;
        }
        field = dot;
    }
    return s.steps > FREE_STEPS ? (s.steps - FREE_STEPS) / STEPS_PER_UNIT : 0;
}
