/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking through GML: keys and values in brackets. */
#include <string.h>

#include "base/str.h"
#include "graph/graph_scan.h"

enum { NAMES_MAX = 256 }; /* attributes that are told apart */

/* A word, a text in quotes, or a bracket. */
typedef struct Token {
    const char *text;
    size_t len; /* 0: the end */
    int line;
} Token;

typedef struct Reader {
    LpGraphScan *scan;
    const char *at;
    int line;
    Token name[NAMES_MAX];
    size_t names;
} Reader;

static bool is(Token token, const char *text) {
    return token.len == strlen(text) && memcmp(token.text, text, token.len) == 0;
}

static Token next_token(Reader *r) {
    for (;; r->at++) {
        if (*r->at == '#')
            while (r->at[1] != '\0' && r->at[1] != '\n')
                r->at++;
        else if (*r->at == '\0' || strchr(" \t\r\n", *r->at) == NULL)
            break;
        r->line += *r->at == '\n';
    }
    Token token = {r->at, 0, r->line};
    if (*r->at == '"') {
        const char *end = strchr(r->at + 1, '"');
        token.len = end != NULL ? (size_t)(end - r->at) + 1 : strlen(r->at);
    } else if (*r->at == '[' || *r->at == ']') {
        token.len = 1;
    } else {
        token.len = strcspn(r->at, " \t\r\n[]\"#");
    }
    for (size_t i = 0; i < token.len; i++)
        r->line += token.text[i] == '\n';
    r->at += token.len;
    return token;
}

/* Counts the attribute if it is new. */
static LpErr count_name(Reader *r, Token name, LpDiag *diag) {
    for (size_t i = 0; i < r->names; i++)
        if (r->name[i].len == name.len && memcmp(r->name[i].text, name.text, name.len) == 0)
            return LP_OK;
    if (r->names == NAMES_MAX)
        return lp_fail_at(diag, LP_ELIMIT, r->scan->file, name.line, 0,
                          "more than %d attributes of nodes and edges", (int)NAMES_MAX);
    r->name[r->names++] = name;
    r->scan->keys = (uint32_t)r->names;
    return LP_OK;
}

/* Reads a node or an edge up to its closing bracket. */
static LpErr read_item(Reader *r, bool is_edge, int line, LpDiag *diag) {
    Token id[2] = {{0}};
    uint32_t depth = 1;
    for (Token key = next_token(r); key.len > 0; key = next_token(r)) {
        if (is(key, "[") || is(key, "]")) {
            depth += is(key, "[") ? 1 : UINT32_MAX;
            if (depth == 0)
                break;
            continue;
        }
        if (depth > 1)
            continue;
        LP_TRY(count_name(r, key, diag));
        Token value = next_token(r);
        depth += is(value, "[");
        if (is_edge ? is(key, "source") : is(key, "id"))
            id[0] = value;
        if (is_edge && is(key, "target"))
            id[1] = value;
    }
    LP_TRY(lp_graph_scan_mention(r->scan, id[0].text, id[0].len, line, !is_edge, diag));
    return is_edge ? lp_graph_scan_mention(r->scan, id[1].text, id[1].len, line, false, diag)
                   : LP_OK;
}

static LpErr scan(Reader *r, LpDiag *diag) {
    uint32_t depth = 0, graphs = 0, in_graph = 0;
    bool directed = false;
    for (Token key = next_token(r); key.len > 0; key = next_token(r)) {
        if (is(key, "]")) {
            depth -= depth > 0;
            continue;
        }
        if (is(key, "[")) {
            depth++;
            continue;
        }
        Token value = next_token(r);
        if (is(value, "[") && depth == 0 && is(key, "graph")) {
            in_graph = ++graphs;
            if (graphs > 1)
                return lp_fail_at(diag, LP_EPARSE, r->scan->file, key.line, 0,
                                  "2 graphs, expected one");
        } else if (depth == 0) {
            in_graph = 0;
        }
        if (depth == 1 && in_graph > 0 && is(key, "directed"))
            directed = is(value, "1");
        if (is(value, "[") && depth == 1 && in_graph > 0 && (is(key, "node") || is(key, "edge")))
            LP_TRY(read_item(r, is(key, "edge"), key.line, diag));
        else
            depth += is(value, "[");
    }
    r->scan->directed = directed ? r->scan->edges : 0;
    return LP_OK;
}

LpErr lp_gml_scan(LpGraphScan *out, const char *text, LpDiag *diag) {
    Reader *r = lp_alloc(1, sizeof *r);
    if (r == NULL)
        return lp_fail_memory(diag, "a graph");
    r->scan = out;
    r->at = text;
    r->line = 1;
    LpErr err = scan(r, diag);
    lp_free(r);
    return err;
}
