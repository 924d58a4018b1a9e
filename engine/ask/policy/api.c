/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of policies as annotations for editors (LuaCATS), manual entries, or text: all made
 * from the rows of script/policy/api_table.h. */
#include <string.h>

#include "ask/policy/tools.h"
#include "script/policy/api_table.h"

enum { NAME_ROOM = 64 };

/* What is being written, and the table it comes from. */
typedef struct Maker {
    LpBuf *out;
    const LpApiRow *row; /* the current one */
    const LpApiRow *rows;
    size_t count;
} Maker;

/* ---- annotations ---- */

static void add_argument(LpBuf *out, const char *before, const LpApiArgument *a,
                         const char *between) {
    LpApiUnion type = {{a->type}};
    lp_buf_addf(out, "%s%s%s%s", before, a->name, a->optional ? "?" : "", between);
    lp_api_annotate(out, &type);
}

static void add_hook_type(Maker *m) {
    lp_buf_add(m->out, "fun(self: lightpath.Policy");
    for (size_t i = 0; i < lp_api_takes(m->row); i++)
        add_argument(m->out, ", ", &m->row->takes[i], ": ");
    lp_buf_add(m->out, ")");
    for (size_t i = 0; i < lp_api_gives(m->row); i++) {
        lp_buf_add(m->out, i == 0 ? ": " : ", ");
        lp_api_annotate(m->out, &m->row->gives[i].value);
    }
}

static void add_field(Maker *m) {
    LpApiKind kind = m->row->kind;
    if (kind == LP_API_CALL || kind == LP_API_ACTION)
        return;
    lp_buf_addf(m->out, "---@field %s%s ", m->row->name, kind == LP_API_FIELD ? "" : "?");
    if (kind == LP_API_HOOK)
        add_hook_type(m);
    else
        lp_api_annotate(m->out, &m->row->value);
    lp_buf_addf(m->out, " %s\n", m->row->doc);
}

/* The sign between object and name: ':' for "cluster:", '.' for "match.", none for a global
 * function. */
static char separator(const LpApiRow *row) {
    size_t len = strlen(row->call);
    return len > 0 ? row->call[len - 1] : '\0';
}

static void add_function(Maker *m) {
    const LpApiRow *row = m->row;
    if (row->kind != LP_API_CALL)
        return;
    lp_buf_addf(m->out, "\n---%s\n", row->doc);
    for (size_t i = 0; i < lp_api_takes(row); i++) {
        add_argument(m->out, "---@param ", &row->takes[i], " ");
        lp_buf_add(m->out, "\n");
    }
    for (size_t i = 0; i < lp_api_gives(row); i++) {
        lp_buf_add(m->out, "---@return ");
        lp_api_annotate(m->out, &row->gives[i].value);
        lp_buf_add(m->out, "\n");
    }
    if (separator(row) == ':')
        lp_buf_addf(m->out, "function %s:%s(", row->owner, row->name);
    else
        lp_buf_addf(m->out, "function %s%s(", row->call, row->name);
    for (size_t i = 0; i < lp_api_takes(row); i++)
        lp_buf_addf(m->out, "%s%s", i > 0 ? ", " : "", row->takes[i].name);
    lp_buf_add(m->out, ") end\n");
}

static bool starts_class(const Maker *m, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (strcmp(m->rows[i].owner, m->rows[at].owner) == 0)
            return false;
    return true;
}

/* The rows of one class: its fields first, then its functions. */
static void add_class(Maker *m, const char *owner, void (*add)(Maker *m)) {
    for (size_t i = 0; i < m->count; i++) {
        m->row = &m->rows[i];
        if (strcmp(m->row->owner, owner) == 0)
            add(m);
    }
}

/* The first row of a class that is a function, or is none; NULL without one. */
static const LpApiRow *first_row(const Maker *m, const char *owner, bool function) {
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->rows[i].owner, owner) == 0 && (m->rows[i].kind == LP_API_CALL) == function)
            return &m->rows[i];
    return NULL;
}

/* Actions are lists that begin with their name. */
static void add_action_name(Maker *m) {
    if (m->row->kind == LP_API_ACTION)
        lp_buf_addf(m->out, "---| \"%s\" # %s\n", m->row->name, m->row->doc);
}

static void begin_class(Maker *m, const char *owner) {
    bool action = strcmp(owner, "action") == 0;
    if (action) {
        lp_buf_add(m->out, "\n---@alias lightpath.ActionName\n");
        add_class(m, owner, add_action_name);
    }
    lp_buf_add(m->out, "\n---@class ");
    /* "predict option" -> "lightpath.PredictOption" */
    LpBuf *out = m->out;
    bool upper = true;
    lp_buf_add(out, "lightpath.");
    for (const char *at = owner; *at != '\0'; at++) {
        char c = upper && *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
        if (c != ' ')
            lp_buf_add_bytes(out, &c, 1);
        upper = *at == ' ';
    }
    lp_buf_add(m->out, action ? "\n---@field [1] lightpath.ActionName\n" : "\n");
}

static void add_luacats(Maker *m) {
    lp_buf_add(m->out, "---@meta\n"
                       "-- The policy interface for editors (LuaCATS), made by `make docs` from\n"
                       "-- engine/script/policy/api_table.h. See lightpath-lua(7). In a policy "
                       "write\n"
                       "--     ---@type lightpath.Policy\n"
                       "-- above `local policy = { ... }`.\n");
    for (size_t i = 0; i < m->count; i++) {
        const char *owner = m->rows[i].owner;
        if (!starts_class(m, i))
            continue;
        if (first_row(m, owner, false) != NULL)
            begin_class(m, owner);
        add_class(m, owner, add_field);
        const LpApiRow *function = first_row(m, owner, true);
        if (function != NULL && separator(function) != '\0')
            lp_buf_addf(m->out, "%s%s = {}\n", separator(function) == '.' ? "\n" : "local ", owner);
        add_class(m, owner, add_function);
    }
}

/* ---- manual and text ---- */

static void add_man(Maker *m) {
    for (size_t i = 0; i < m->count; i++) {
        const LpApiRow *row = &m->rows[i];
        if (i == 0 || strcmp(row->group, m->rows[i - 1].group) != 0)
            lp_buf_addf(m->out, "%s.Ss %s\n.Bl -tag -width Ds\n", i > 0 ? ".El\n" : "", row->group);
        lp_buf_addf(m->out, ".It Ic %s\n", row->name);
        lp_api_describe(m->out, row);
        lp_buf_addf(m->out, "\n.br\n%s\n", row->doc);
    }
    lp_buf_add(m->out, ".El\n");
}

static void add_text(Maker *m) {
    for (size_t i = 0; i < m->count; i++) {
        const LpApiRow *row = &m->rows[i];
        if (i == 0 || strcmp(row->group, m->rows[i - 1].group) != 0)
            lp_buf_addf(m->out, "%s%s\n", i > 0 ? "\n" : "", row->group);
        lp_buf_addf(m->out, "  %s\n      ", row->name);
        lp_api_describe(m->out, row);
        lp_buf_addf(m->out, "\n      %s\n", row->doc);
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
