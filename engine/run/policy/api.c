/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of policies as annotations for editors (LuaCATS), manual entries, or text: all made
 * from the rows of script/api_table.h. */
#include <string.h>

#include "run/policy/tools.h"
#include "script/policy/api_table.h"

enum { NAME_ROOM = 64 };

/* ---- types ---------------------------------------------------------------------------------- */

/* What the table calls it, and its type. Texts that are not here become `table` or `any`. */
static const struct {
    const char *text, *type;
} TYPES[] = {
    {"number", "number"},
    {"integer", "integer"},
    {"string", "string"},
    {"boolean", "boolean"},
    {"table", "table"},
    {"any", "any"},
    {"nil", "nil"},
    {"true", "true"},
    {"false", "false"},
    {"seconds", "number"},
    {"degree", "integer"},
    {"rule name", "string"},
    {"forecast", "lightpath.Forecast"},
    {"block", "lightpath.Block"},
    {"job", "lightpath.Job"},
    {"cluster", "lightpath.Cluster"},
    {"list of jobs", "lightpath.Job[]"},
    {"list of ops", "lightpath.Op[]"},
    {"list of deps", "lightpath.Dep[]"},
    {"list of parts", "lightpath.Part[]"},
    {"list of flows", "lightpath.Flow[]"},
    {"{ priority, ... }", "number[]"},
    {"{ candidate, ... }", "integer[]"},
    {"{ job, ... }", "lightpath.Job[]"},
    {"{ block, ... }", "lightpath.Block[]"},
    {"{ action, ... }", "lightpath.Action[]"},
    {"action", "lightpath.Action"},
    {"cost", "lightpath.Cost"},
    {"network", "lightpath.Network"},
    {"observation", "userdata"},
    {"rule", "string"},
    {"{ score, ... }", "number[]"},
    {"link", "lightpath.Link"},
    {"cause", "string?"},
    {"why", "string?"},
    {"residue", "number"},
    {"{ title, ... }", "string[]"},
    {"{ column, ... }", "integer[]"},
    {"{ column | false, ... }", "(integer|false)[]"},
    {"{ edge | false, ... }", "(integer|false)[]"},
    {"{ node, ... }", "integer[]"},
    {"{ depth, ... }", "integer[]"},
    {"{ flow, ... }", "number[]"},
    {"{ distance, ... }", "number[]"},
    {"{ { from, to }, ... }", "number[][]"},
    {"{ { from, to, capacity }, ... }", "number[][]"},
    {"{ { from, to, length }, ... }", "number[][]"},
    {"{ { weight =, match = { column, ... } }, ... }", "{ weight: number, match: integer[] }[]"},
    {"{ { cell, ... }, ... }", "any[][]"},
    {"{ id, ... }", "integer[]"},
    {"{ degree, ... }", "integer[]"},
    {"{ number, ... }", "number[]"},
    {"{ [op] = ways }", "table<integer, integer>"},
    {"{ [op] = { id, ... } }", "table<integer, integer[]>"},
    {"{ servers = { id, ... } }", "{ servers: integer[] }"},
    {"{ parts = { [op] = { id, ... } } }", "{ parts: table<integer, integer[]> }"},
};

/* Parameters are known by their names. */
static const struct {
    const char *name, *type;
} PARAMETERS[] = {
    {"job", "lightpath.Job"},
    {"cluster", "lightpath.Cluster"},
    {"queue", "lightpath.Job[]"},
    {"event", "lightpath.Event"},
    {"observation", "userdata"},
    {"mask", "boolean[]"},
    {"i", "integer"},
    {"action", "lightpath.Action"},
    {"flows", "lightpath.Flow[]"},
    {"n", "integer"},
    {"max", "integer"},
    {"id", "integer"},
    {"a", "integer"},
    {"b", "integer"},
    {"name", "string"},
    {"W", "number[][]"},
    {"C", "number[][]"},
    {"D", "number[][]"},
    {"m", "(integer|false)[]"},
    {"source", "integer"},
    {"target", "integer"},
};

static void add_one_type(LpBuf *out, const char *text, size_t len) {
    for (size_t i = 0; i < LP_COUNTOF(TYPES); i++)
        if (strlen(TYPES[i].text) == len && memcmp(TYPES[i].text, text, len) == 0) {
            lp_buf_add(out, TYPES[i].type);
            return;
        }
    if (len > 1 && text[0] == '"')
        lp_buf_add_bytes(out, text, len);
    else
        lp_buf_add(out, len > 0 && text[0] == '{' ? "table" : "any");
}

/* Bytes up to one of `ends` outside of brackets and quotes, or to the end. */
static size_t outer_length(const char *text, size_t len, const char *ends) {
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        if (depth == 0 && strchr(ends, text[i]) != NULL)
            return i;
        depth += (strchr("({[", text[i]) != NULL) - (strchr(")}]", text[i]) != NULL);
    }
    return len;
}

static void trim(const char **text, size_t *len) {
    while (*len > 0 && **text == ' ') {
        ++*text;
        --*len;
    }
    while (*len > 0 && (*text)[*len - 1] == ' ')
        --*len;
}

/* "number | nil" and the like. */
static void add_type(LpBuf *out, const char *text, size_t len) {
    for (bool first = true; len > 0; first = false) {
        size_t part = outer_length(text, len, "|"), used = part < len ? part + 1 : part;
        const char *piece = text;
        trim(&piece, &part);
        lp_buf_add(out, first ? "" : "|");
        add_one_type(out, piece, part);
        text += used;
        len -= used;
    }
}

/* ---- functions ------------------------------------------------------------------------------ */

/* A signature: "cluster:blocks(n [, { shape = }]) -> { block, ... } [, why]". */
typedef struct Signature {
    const char *name; /* "cluster:blocks"; empty for hooks */
    size_t name_len;
    const char *arguments; /* inside of the parentheses */
    size_t arguments_len;
    const char *result; /* "" when there is none */
} Signature;

static bool read_signature(const char *text, Signature *out) {
    size_t len = strlen(text), name = strcspn(text, "({ ");
    if (text[name] != '(' && (text[name] != '{' || name == 0))
        return false;
    bool call = text[name] == '(';
    const char *open = text + name + call;
    size_t inside = call ? outer_length(open, len - name - 1, ")") : strcspn(open, "}") + 1;
    const char *arrow = strstr(open + (inside < strlen(open) ? inside : 0), "->");
    *out = (Signature){text, name, open, inside, arrow != NULL ? arrow + 2 : ""};
    return true;
}

/* What is being written, and the table it comes from. */
typedef struct Maker {
    LpBuf *out;
    const LpApiRow *row; /* the current one */
    const LpApiRow *rows;
    size_t count;
} Maker;

typedef void EachArgument(Maker *m, const char *name, const char *type, bool optional);

static void add_class_name(LpBuf *out, const char *group);

/* The class of a method's options, if the table has rows for them. */
static const LpApiRow *find_options(const Maker *m) {
    size_t len = strlen(m->row->name);
    for (size_t i = 0; i < m->count; i++)
        if (strncmp(m->rows[i].group, m->row->name, len) == 0 &&
            (m->rows[i].group[len] == '\0' || strcmp(m->rows[i].group + len, " option") == 0))
            return &m->rows[i];
    return NULL;
}

static void tell_argument(Maker *m, const char *text, size_t len, bool optional,
                          EachArgument *each) {
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    char name[NAME_ROOM] = "options";
    const LpApiRow *options = find_options(m);
    LpBuf type = {0};
    add_type(&type, text, len);
    if (strcmp(lp_buf_text(&type), "table") != 0 && text[0] == '{') {
        lp_str_copy(name, sizeof name, text[2] == '{' ? "edges" : "actions");
        each(m, name, lp_buf_text(&type), optional);
        lp_buf_fini(&type);
        return;
    }
    lp_buf_clear(&type);
    if (strspn(text, LETTERS) >= len && len < sizeof name) {
        memcpy(name, text, len);
        name[len] = '\0';
        for (size_t i = 0; i < LP_COUNTOF(PARAMETERS); i++)
            if (strcmp(PARAMETERS[i].name, name) == 0)
                lp_buf_add(&type, PARAMETERS[i].type);
    } else if (options != NULL) {
        add_class_name(&type, options->group);
    } else {
        lp_buf_add(&type, "table");
    }
    each(m, name, type.len > 0 ? lp_buf_text(&type) : "any", optional);
    lp_buf_fini(&type);
}

/* "job [, max]": calls for job and, optional, max. */
static void each_argument(Maker *m, const Signature *s, EachArgument *each) {
    const char *at = s->arguments, *end = at + s->arguments_len;
    bool optional = false;
    while (at < end) {
        while (at < end && strchr(" ,[]", *at) != NULL)
            optional = *at++ == '[' || optional;
        size_t len = outer_length(at, (size_t)(end - at), ",[]");
        const char *text = at;
        at += len;
        trim(&text, &len);
        if (len > 0)
            tell_argument(m, text, len, optional, each);
    }
}

/* "cluster | nil, cause, why" or "degree | nil [, why [, { retry = }]]": what follows the first is
 * told apart by commas, or by brackets where it may be missing. */
static void add_results(LpBuf *out, const char *result, const char *prefix, const char *between) {
    size_t len = 0;
    for (const char *mark = prefix; *result != '\0' && *result != '['; mark = between) {
        len = outer_length(result, strlen(result), "[,");
        lp_buf_add(out, mark);
        add_type(out, result, len);
        result += len + (result[len] == ',');
    }
    if (strstr(result, "why") != NULL)
        lp_buf_addf(out, "%sstring?", between);
    if (strstr(result, "retry") != NULL)
        lp_buf_addf(out, "%stable?", between);
}

/* ---- annotations ---------------------------------------------------------------------------- */

/* Hooks and what self has belong to the policy; keys of actions to the action. */
static const char *class_group(const char *group) {
    if (strcmp(group, "hook") == 0 || strcmp(group, "self") == 0)
        return "policy";
    return strcmp(group, "action key") == 0 ? "action" : group;
}

/* "predict option" -> "lightpath.PredictOption" */
static void add_class_name(LpBuf *out, const char *group) {
    bool upper = true;
    lp_buf_add(out, "lightpath.");
    for (const char *at = class_group(group); *at != '\0'; at++) {
        char c = upper && *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
        if (c != ' ')
            lp_buf_add_bytes(out, &c, 1);
        upper = *at == ' ';
    }
}

static bool is_function(const LpApiRow *row, Signature *s) {
    return read_signature(row->type, s) && s->name_len > 0;
}

static void add_fun_parameter(Maker *m, const char *name, const char *type, bool optional) {
    lp_buf_addf(m->out, ", %s%s: %s", name, optional ? "?" : "", type);
}

static bool is_optional(const LpApiRow *row) {
    return strcmp(row->group, "hook") == 0 || strcmp(row->group, "param") == 0 ||
           strcmp(row->group, "action key") == 0 || strstr(row->group, " option") != NULL ||
           strstr(row->doc, "optional") != NULL;
}

static void add_field(Maker *m) {
    Signature s;
    if (is_function(m->row, &s) || strcmp(m->row->group, "action") == 0)
        return;
    lp_buf_addf(m->out, "---@field %s%s ", m->row->name, is_optional(m->row) ? "?" : "");
    if (strcmp(m->row->group, "hook") == 0 && read_signature(m->row->type, &s)) {
        lp_buf_add(m->out, "fun(self: lightpath.Policy");
        each_argument(m, &s, add_fun_parameter);
        lp_buf_add(m->out, ")");
        add_results(m->out, s.result, ": ", ", ");
    } else if (strcmp(m->row->name, "params") == 0) {
        lp_buf_add(m->out, "table<string, lightpath.Param>");
    } else {
        add_type(m->out, m->row->type, strlen(m->row->type));
    }
    lp_buf_addf(m->out, " %s\n", m->row->doc);
}

static void add_param_line(Maker *m, const char *name, const char *type, bool optional) {
    lp_buf_addf(m->out, "---@param %s%s %s\n", name, optional ? "?" : "", type);
}

static void add_param_name(Maker *m, const char *name, const char *type, bool optional) {
    (void)type, (void)optional;
    bool first = m->out->len > 0 && m->out->text[m->out->len - 1] == '(';
    lp_buf_addf(m->out, "%s%s", first ? "" : ", ", name);
}

/* "cluster:fits" is a method of a class, "match.bvn" a function of a table, "explain" a global. */
static void add_function(Maker *m) {
    Signature s;
    if (!is_function(m->row, &s))
        return;
    size_t prefix = 0;
    while (prefix < s.name_len && s.name[prefix] != ':' && s.name[prefix] != '.')
        prefix++;
    lp_buf_addf(m->out, "\n---%s\n", m->row->doc);
    each_argument(m, &s, add_param_line);
    add_results(m->out, s.result, "---@return ", "\n---@return ");
    const char *end = m->out->text[m->out->len - 1] == '\n' ? "" : "\n";
    if (prefix < s.name_len && s.name[prefix] == ':')
        lp_buf_addf(m->out, "%sfunction %s%.*s(", end, class_group(m->row->group),
                    (int)(s.name_len - prefix), s.name + prefix);
    else
        lp_buf_addf(m->out, "%sfunction %.*s(", end, (int)s.name_len, s.name);
    each_argument(m, &s, add_param_name);
    lp_buf_add(m->out, ") end\n");
}

static bool starts_class(const Maker *m, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(class_group(m->rows[i].group), class_group(m->rows[at].group)) == 0)
            return false;
    return true;
}

/* The rows of one class: its fields first, then its functions. */
static void add_class(Maker *m, const char *group, void (*add)(Maker *m)) {
    for (size_t i = 0; i < m->count; i++) {
        m->row = &m->rows[i];
        if (strcmp(class_group(m->row->group), group) == 0)
            add(m);
    }
}

/* The name of the table that has the functions of a class in Lua, global for "match.bvn". */
static bool has_functions(const Maker *m, const char *group, bool *global) {
    Signature s;
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(class_group(m->rows[i].group), group) == 0 && is_function(&m->rows[i], &s)) {
            *global = memchr(s.name, '.', s.name_len) != NULL;
            return *global || memchr(s.name, ':', s.name_len) != NULL;
        }
    return false;
}

/* Actions are lists that begin with their name. */
static void add_action_name(Maker *m) {
    if (strcmp(m->row->group, "action") == 0)
        lp_buf_addf(m->out, "---| \"%s\" # %s\n", m->row->name, m->row->doc);
}

static bool has_fields(const Maker *m, const char *group) {
    Signature s;
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(class_group(m->rows[i].group), group) == 0 && !is_function(&m->rows[i], &s))
            return true;
    return false;
}

static void begin_class(Maker *m, const char *group) {
    bool action = strcmp(group, "action") == 0;
    if (action) {
        lp_buf_add(m->out, "\n---@alias lightpath.ActionName\n");
        add_class(m, group, add_action_name);
    }
    lp_buf_add(m->out, "\n---@class ");
    add_class_name(m->out, group);
    lp_buf_add(m->out, action ? "\n---@field [1] lightpath.ActionName\n" : "\n");
}

static void add_luacats(Maker *m) {
    lp_buf_add(m->out, "---@meta\n"
                       "-- The policy interface for editors (LuaCATS), made by `make docs` from\n"
                       "-- engine/script/api_table.h. See lightpath-lua(7). In a policy write\n"
                       "--     ---@type lightpath.Policy\n"
                       "-- above `local policy = { ... }`.\n");
    for (size_t i = 0; i < m->count; i++) {
        const char *group = class_group(m->rows[i].group);
        bool global = false;
        if (!starts_class(m, i))
            continue;
        if (has_fields(m, group))
            begin_class(m, group);
        add_class(m, group, add_field);
        if (has_functions(m, group, &global))
            lp_buf_addf(m->out, "%s%s = {}\n", global ? "\n" : "local ", group);
        add_class(m, group, add_function);
    }
}

/* ---- manual and text ------------------------------------------------------------------------ */

static void add_man(Maker *m) {
    for (size_t i = 0; i < m->count; i++) {
        const LpApiRow *row = &m->rows[i];
        if (i == 0 || strcmp(row->group, m->rows[i - 1].group) != 0)
            lp_buf_addf(m->out, "%s.Ss %s\n.Bl -tag -width Ds\n", i > 0 ? ".El\n" : "", row->group);
        lp_buf_addf(m->out, ".It Ic %s\n%s\n.br\n%s\n", row->name, row->type, row->doc);
    }
    lp_buf_add(m->out, ".El\n");
}

static void add_text(Maker *m) {
    for (size_t i = 0; i < m->count; i++) {
        const LpApiRow *row = &m->rows[i];
        if (i == 0 || strcmp(row->group, m->rows[i - 1].group) != 0)
            lp_buf_addf(m->out, "%s%s\n", i > 0 ? "\n" : "", row->group);
        lp_buf_addf(m->out, "  %s\n      %s\n      %s\n", row->name, row->type, row->doc);
    }
}

LpErr lp_policy_tool_api(const char *format, LpBuf *out, LpDiag *diag) {
    static const struct {
        const char *name;
        void (*add)(Maker *m);
    } FORMATS[] = {{"luacats", add_luacats}, {"man", add_man}, {"text", add_text}};
    char shown[NAME_ROOM];
    for (size_t i = 0; i < LP_COUNTOF(FORMATS); i++)
        if (strcmp(FORMATS[i].name, format) == 0) {
            Maker m = {.out = out};
            m.rows = lp_api_table(&m.count);
            FORMATS[i].add(&m);
            return lp_buf_ok(out, diag);
        }
    return lp_fail(diag, LP_EINVAL, "there is no format %s: expected luacats, man or text",
                   lp_str_show(shown, sizeof shown, format));
}
