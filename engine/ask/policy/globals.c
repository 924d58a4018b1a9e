/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which names a script uses without declaring them: Lua's tokens and scopes, and nothing more. A
 * name that is declared later in the same statement (local x = x) counts as declared. */
#include <string.h>

#include "ask/policy/mini.h"
#include "base/mem.h"

enum { NEST_MAX = 250, PENDING_MAX = 16 };

/* ---- tokens ---- */

typedef enum Kind { END, NAME, OTHER } Kind;

typedef struct Token {
    Kind kind;
    const char *text;
    size_t len;
    int line;
} Token;

typedef struct Reader {
    const char *at, *end;
    int line;
} Reader;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char peek(const Reader *r, size_t ahead) {
    return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0';
}

static void skip(Reader *r, size_t count) {
    for (; count > 0 && r->at < r->end; count--)
        r->line += *r->at++ == '\n';
}

/* Level of a long bracket that starts here, -1 when none does. */
static int long_level(const Reader *r) {
    size_t level = 0;
    if (peek(r, 0) != '[')
        return -1;
    while (peek(r, level + 1) == '=')
        level++;
    return peek(r, level + 1) == '[' ? (int)level : -1;
}

static void skip_long(Reader *r, int level) {
    skip(r, (size_t)level + 2);
    while (r->at < r->end) {
        size_t equals = 0;
        if (peek(r, 0) == ']') {
            while (peek(r, equals + 1) == '=')
                equals++;
            if (equals == (size_t)level && peek(r, equals + 1) == ']') {
                skip(r, equals + 2);
                return;
            }
        }
        skip(r, 1);
    }
}

static void skip_comment(Reader *r) {
    skip(r, 2);
    int level = long_level(r);
    if (level >= 0)
        skip_long(r, level);
    else
        while (r->at < r->end && peek(r, 0) != '\n')
            skip(r, 1);
}

static void skip_space(Reader *r) {
    for (;;) {
        char c = peek(r, 0);
        if (r->at < r->end && strchr(" \t\r\n\f\v", c) != NULL)
            skip(r, 1);
        else if (c == '-' && peek(r, 1) == '-')
            skip_comment(r);
        else
            return;
    }
}

/* 0x1p-4, 1e+5, 3..2 is left to Lua's own parser. */
static void skip_number(Reader *r) {
    for (char before = '\0'; r->at < r->end; skip(r, 1)) {
        char c = peek(r, 0);
        bool sign = (c == '+' || c == '-') && before != '\0' && strchr("eEpP", before) != NULL;
        if (!is_letter(c) && !is_digit(c) && c != '.' && !sign)
            return;
        before = c;
    }
}

/* Operators that must not be taken for "=", "." or ":". */
static size_t operator_length(const Reader *r) {
    static const char *const LONG[] = {"...", "..", "==", "~=", "<=", ">=", "::", "//"};
    for (size_t i = 0; i < LP_COUNTOF(LONG); i++) {
        size_t len = strlen(LONG[i]);
        if ((size_t)(r->end - r->at) >= len && memcmp(r->at, LONG[i], len) == 0)
            return len;
    }
    return 1;
}

static Token next(Reader *r) {
    skip_space(r);
    Token t = {r->at < r->end ? OTHER : END, r->at, 0, r->line};
    char c = peek(r, 0);
    if (t.kind == END)
        return t;
    if (is_letter(c)) {
        t.kind = NAME;
        while (is_letter(peek(r, 0)) || is_digit(peek(r, 0)))
            skip(r, 1);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(r, 1)))) {
        skip_number(r);
    } else if (c == '"' || c == '\'') {
        char quote = peek(r, 0);
        skip(r, 1);
        while (r->at < r->end && peek(r, 0) != quote && peek(r, 0) != '\n')
            skip(r, peek(r, 0) == '\\' ? 2 : 1);
        skip(r, 1);
    } else if (long_level(r) >= 0) {
        skip_long(r, long_level(r));
    } else {
        skip(r, operator_length(r));
    }
    t.len = (size_t)(r->at - t.text);
    return t;
}

static bool is(const Token *t, const char *text) {
    return t->len == strlen(text) && memcmp(t->text, text, t->len) == 0;
}

static bool is_keyword(const Token *t) {
    static const char *const WORDS[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (size_t i = 0; i < LP_COUNTOF(WORDS); i++)
        if (is(t, WORDS[i]))
            return true;
    return false;
}

/* ---- scopes ---- */

/* What is open: a block of statements, or a bracket. */
typedef struct Open {
    char kind; /* 'b', or the bracket */
    size_t locals;
} Open;

typedef struct Scan {
    Reader reader;
    Token before;
    Open open[NEST_MAX];
    size_t depth;
    Token *local;
    size_t locals, cap;
    Token pending[PENDING_MAX]; /* names of a loop whose body has not begun */
    size_t pendings, pending_depth;
    LpGlobalUse *out;
    size_t room, count;
    bool failed;
} Scan;

static Token look_ahead(const Scan *s) {
    Reader copy = s->reader;
    return next(&copy);
}

static void declare(Scan *s, Token name) {
    void *items = s->local;
    if (lp_grow(&items, &s->cap, s->locals + 1, sizeof *s->local) != LP_OK) {
        s->failed = true;
        return;
    }
    s->local = items;
    s->local[s->locals++] = name;
}

static void push(Scan *s, char kind) {
    if (s->depth == NEST_MAX)
        s->failed = true; /* deeper than Lua itself allows */
    else
        s->open[s->depth++] = (Open){kind, s->locals};
}

/* Closes the innermost block and what is left open inside of it. */
static void pop_block(Scan *s, bool forget) {
    while (s->depth > 0) {
        Open last = s->open[--s->depth];
        if (last.kind != 'b')
            continue;
        if (forget)
            s->locals = last.locals;
        return;
    }
}

static bool is_local(const Scan *s, const Token *name) {
    for (size_t i = s->locals; i-- > 0;)
        if (s->local[i].len == name->len && memcmp(s->local[i].text, name->text, name->len) == 0)
            return true;
    return false;
}

/* ---- uses ---- */

static void note(Scan *s, const Token *name, const Token *field, bool assigned) {
    LpGlobalUse use = {.line = name->line, .assigned = assigned};
    if (name->len + (field != NULL ? field->len + 1 : 0) >= sizeof use.name)
        field = NULL;
    size_t len = name->len < sizeof use.name ? name->len : sizeof use.name - 1;
    memcpy(use.name, name->text, len);
    if (field != NULL) {
        use.name[len] = '.';
        memcpy(use.name + len + 1, field->text, field->len);
    }
    for (size_t i = 0; i < s->count && i < s->room; i++)
        if (strcmp(s->out[i].name, use.name) == 0 && s->out[i].assigned == assigned)
            return;
    if (s->count < s->room)
        s->out[s->count] = use;
    s->count++;
}

/* A name where an expression or an assignment may stand. */
static void use_name(Scan *s, const Token *name) {
    bool in_table = s->depth > 0 && s->open[s->depth - 1].kind == '{';
    Token after = look_ahead(s);
    if (in_table && is(&after, "="))
        return; /* the key of an entry */
    if (is_local(s, name))
        return;
    if (is(&after, ".")) {
        Reader copy = s->reader;
        (void)next(&copy);
        Token field = next(&copy);
        note(s, name, field.kind == NAME ? &field : NULL, false);
    } else {
        note(s, name, NULL, is(&after, "="));
    }
}

/* ---- statements ---- */

/* Parameters up to ")", into a block that has begun. */
static void read_parameters(Scan *s) {
    Token t = next(&s->reader);
    while (t.kind != END && !is(&t, ")")) {
        if (t.kind == NAME)
            declare(s, t);
        t = next(&s->reader);
    }
    s->before = t;
}

/* After "function": its name, if any, and its parameters. */
static void read_function(Scan *s, bool local) {
    bool method = false;
    Token t = look_ahead(s);
    if (t.kind == NAME) {
        (void)next(&s->reader);
        if (local)
            declare(s, t);
        Token after = look_ahead(s);
        if (!local && !is_local(s, &t))
            note(s, &t, NULL, is(&after, "("));
        for (; after.kind != END && !is(&after, "("); after = look_ahead(s)) {
            method = method || is(&after, ":");
            (void)next(&s->reader);
        }
    }
    push(s, 'b');
    if (method)
        declare(s, (Token){NAME, "self", 4, t.line});
    read_parameters(s);
}

/* After "local": names and their attributes. */
static void read_local(Scan *s) {
    Token t = look_ahead(s);
    if (is(&t, "function")) {
        (void)next(&s->reader);
        read_function(s, true);
        return;
    }
    while (t.kind == NAME && !is_keyword(&t)) {
        declare(s, next(&s->reader));
        t = look_ahead(s);
        if (is(&t, "<")) {
            for (int i = 0; i < 3; i++)
                (void)next(&s->reader);
            t = look_ahead(s);
        }
        if (!is(&t, ","))
            return;
        (void)next(&s->reader);
        t = look_ahead(s);
    }
}

/* After "for": names that hold from the loop's "do" on. */
static void read_for(Scan *s) {
    s->pendings = 0;
    s->pending_depth = s->depth;
    for (Token t = look_ahead(s); t.kind != END && !is(&t, "=") && !is(&t, "in");
         t = look_ahead(s)) {
        t = next(&s->reader);
        if (t.kind == NAME && s->pendings < PENDING_MAX)
            s->pending[s->pendings++] = t;
    }
}

static void read_do(Scan *s) {
    push(s, 'b');
    if (s->pendings == 0 || s->pending_depth + 1 != s->depth)
        return;
    for (size_t i = 0; i < s->pendings; i++)
        declare(s, s->pending[i]);
    s->pendings = 0;
}

static void read_keyword(Scan *s, const Token *t) {
    if (is(t, "function")) {
        read_function(s, false);
    } else if (is(t, "local")) {
        read_local(s);
    } else if (is(t, "for")) {
        read_for(s);
    } else if (is(t, "do")) {
        read_do(s);
    } else if (is(t, "then") || is(t, "repeat")) {
        push(s, 'b');
    } else if (is(t, "end") || is(t, "elseif")) {
        pop_block(s, true);
    } else if (is(t, "else")) {
        pop_block(s, true);
        push(s, 'b');
    } else if (is(t, "until")) {
        pop_block(s, false); /* its condition still sees the names of the block */
    } else if (is(t, "goto")) {
        (void)next(&s->reader);
    }
}

static void read_bracket(Scan *s, char c) {
    if (c == '{' || c == '(' || c == '[')
        push(s, c);
    else if ((c == '}' || c == ')' || c == ']') && s->depth > 0 &&
             s->open[s->depth - 1].kind != 'b')
        s->depth--;
}

static void read_label(Scan *s) {
    (void)next(&s->reader);
    (void)next(&s->reader);
}

static void read_token(Scan *s, const Token *t) {
    bool field = is(&s->before, ".") || is(&s->before, ":");
    s->before = *t;
    if (t->kind == NAME && field)
        return;
    if (t->kind == NAME && is_keyword(t))
        read_keyword(s, t);
    else if (t->kind == NAME)
        use_name(s, t);
    else if (is(t, "::"))
        read_label(s);
    else if (t->len == 1)
        read_bracket(s, t->text[0]);
}

size_t lp_globals_find(const char *source, size_t len, LpGlobalUse *out, size_t room) {
    Scan *s = lp_alloc(1, sizeof *s);
    if (s == NULL)
        return 0;
    s->reader = (Reader){source, source + len, 1};
    s->before = (Token){OTHER, "", 0, 1};
    s->out = out;
    s->room = room;
    if (peek(&s->reader, 0) == '#') /* a first line for a shell */
        while (s->reader.at < s->reader.end && peek(&s->reader, 0) != '\n')
            skip(&s->reader, 1);
    for (Token t = next(&s->reader); t.kind != END && !s->failed; t = next(&s->reader))
        read_token(s, &t);
    size_t count = s->count;
    lp_free(s->local);
    lp_free(s);
    return count;
}
