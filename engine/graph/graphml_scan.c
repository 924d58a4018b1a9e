/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking through GraphML: tags, their depth, and the attributes that say what is joined to what.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "graph/graph_scan.h"

enum { ATTRIBUTES_MAX = 16, KEYS_MAX = 1024, NUMBER_TEXT = 64 };

/* A piece of the file. */
typedef struct Span {
    const char *text;
    size_t len;
} Span;

typedef struct Attribute {
    Span name, value;
} Attribute;

typedef struct Key {
    Span id;
    bool number; /* its values are numbers */
} Key;

/* The tag that was read last. */
typedef struct Tag {
    Span name;
    bool closes; /* </name> */
    bool empty;  /* <name/> */
    Attribute attribute[ATTRIBUTES_MAX];
    size_t attributes;
} Tag;

typedef struct Reader {
    LpGraphScan *scan;
    const char *at;
    int line;
    Tag tag;
    Key key[KEYS_MAX];
    size_t keys;
    uint32_t graphs, depth;
    bool directed;
    const char *data; /* of a number: where its text begins; NULL: no such value is open */
} Reader;

static bool is(Span span, const char *text) {
    return span.len == strlen(text) && memcmp(span.text, text, span.len) == 0;
}

#define FAIL(r, diag, ...) lp_fail_at(diag, LP_EPARSE, (r)->scan->file, (r)->line, 0, __VA_ARGS__)

static LpErr no_xml(const Reader *r, const char *what, LpDiag *diag) {
    return FAIL(r, diag, "this is no XML: the file ends inside %s", what);
}

static void go_to(Reader *r, const char *to) {
    for (; r->at < to; r->at++)
        r->line += *r->at == '\n';
}

/* Passes over what ends with `end`. */
static LpErr skip(Reader *r, const char *end, const char *what, LpDiag *diag) {
    const char *found = strstr(r->at, end);
    if (found == NULL)
        return no_xml(r, what, diag);
    go_to(r, found + strlen(end));
    return LP_OK;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static Span name_at(const char *text) {
    size_t len = 0;
    while (text[len] != '\0' && !is_blank(text[len]) && strchr("<>/=\"'", text[len]) == NULL)
        len++;
    return (Span){text, len};
}

/* Reads a tag; r->at stands behind its '<'. */
static LpErr read_tag(Reader *r, LpDiag *diag) {
    Tag *tag = &r->tag;
    tag->closes = *r->at == '/';
    tag->empty = false;
    tag->attributes = 0;
    r->at += tag->closes;
    tag->name = name_at(r->at);
    r->at += tag->name.len;
    for (;;) {
        Attribute found;
        while (is_blank(*r->at))
            go_to(r, r->at + 1);
        if (*r->at == '\0')
            return no_xml(r, "a tag", diag);
        if (*r->at == '>')
            break;
        if (r->at[0] == '/' && r->at[1] == '>') {
            tag->empty = true;
            r->at++;
            break;
        }
        found.name = name_at(r->at);
        go_to(r, r->at + found.name.len);
        while (is_blank(*r->at))
            go_to(r, r->at + 1);
        if (found.name.len == 0 || *r->at != '=')
            return FAIL(r, diag, "this is no XML: expected name=\"value\" in a tag");
        r->at++;
        while (is_blank(*r->at))
            go_to(r, r->at + 1);
        if (*r->at != '"' && *r->at != '\'')
            return FAIL(r, diag, "this is no XML: expected a value in quotes in a tag");
        const char *end = strchr(r->at + 1, *r->at);
        if (end == NULL)
            return no_xml(r, "a value in quotes", diag);
        found.value = (Span){r->at + 1, (size_t)(end - r->at - 1)};
        go_to(r, end + 1);
        if (tag->attributes < ATTRIBUTES_MAX)
            tag->attribute[tag->attributes++] = found;
    }
    r->at++;
    return LP_OK;
}

static bool attribute(const Reader *r, const char *name, Span *value) {
    for (size_t i = 0; i < r->tag.attributes; i++)
        if (is(r->tag.attribute[i].name, name)) {
            *value = r->tag.attribute[i].value;
            return true;
        }
    return false;
}

/* ---- texts of attributes ---- */

/* The code point of "#38" or "#x26"; 0: it is none. */
static uint32_t code_point(const char *text, size_t len) {
    bool hex = len > 1 && text[1] == 'x';
    uint32_t cp = 0;
    for (size_t i = hex ? 2 : 1; i < len; i++) {
        uint32_t digit = text[i] >= '0' && text[i] <= '9'          ? (uint32_t)(text[i] - '0')
                         : hex && text[i] >= 'a' && text[i] <= 'f' ? (uint32_t)(text[i] - 'a' + 10)
                         : hex && text[i] >= 'A' && text[i] <= 'F' ? (uint32_t)(text[i] - 'A' + 10)
                                                                   : 99;
        if (digit == 99 || cp > 0x10ffff)
            return 0;
        cp = (hex ? 16 : 10) * cp + digit;
    }
    return cp <= 0x10ffff ? cp : 0;
}

/* The text that a value stands for: entities and blanks replaced, as every reader of XML does. */
static void decode(Span value, LpBuf *out) {
    static const struct {
        const char *name;
        char letter;
    } entity[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    lp_buf_clear(out);
    for (size_t i = 0; i < value.len; i++) {
        const char *end = value.text[i] == '&' ? memchr(value.text + i, ';', value.len - i) : NULL;
        Span name = {value.text + i + 1, end != NULL ? (size_t)(end - value.text) - i - 1 : 0};
        char text[5] = {is_blank(value.text[i]) ? ' ' : value.text[i], '\0'};
        size_t used = 0;
        for (size_t e = 0; end != NULL && e < LP_COUNTOF(entity); e++)
            if (is(name, entity[e].name)) {
                text[0] = entity[e].letter;
                used = name.len + 1;
            }
        if (used == 0 && name.len > 1 && name.text[0] == '#') {
            uint32_t cp = code_point(name.text, name.len);
            if (cp > 0) {
                lp_utf8_encode(cp, text);
                used = name.len + 1;
            }
        }
        lp_buf_add(out, text);
        i += used;
    }
}

static LpErr mention(Reader *r, Span id, bool declared, LpDiag *diag) {
    LpBuf text = {0};
    decode(id, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_graph_scan_mention(r->scan, lp_buf_text(&text), text.len, r->line, declared, diag);
    lp_buf_fini(&text);
    return err;
}

/* ---- elements ---- */

static LpErr read_key(Reader *r, LpDiag *diag) {
    static const char *const numeric[] = {"int", "long", "float", "double"};
    Span id, type;
    if (!attribute(r, "id", &id))
        return FAIL(r, diag, "a key has no id, expected <key id=\"...\">");
    if (r->keys == KEYS_MAX)
        return lp_fail_at(diag, LP_ELIMIT, r->scan->file, r->line, 0, "more than %d keys",
                          (int)KEYS_MAX);
    r->key[r->keys] = (Key){.id = id};
    for (size_t i = 0; attribute(r, "attr.type", &type) && i < LP_COUNTOF(numeric); i++)
        r->key[r->keys].number = r->key[r->keys].number || is(type, numeric[i]);
    r->scan->keys = (uint32_t)++r->keys;
    return LP_OK;
}

static LpErr read_graph(Reader *r, LpDiag *diag) {
    Span edges;
    if (r->depth != 1)
        return FAIL(r, diag, "a graph inside another one or inside a node, expected one graph");
    r->directed = attribute(r, "edgedefault", &edges) && is(edges, "directed");
    r->graphs++;
    return LP_OK;
}

static LpErr read_edge(Reader *r, LpDiag *diag) {
    Span source, target, direction;
    if (!attribute(r, "source", &source) || !attribute(r, "target", &target))
        return FAIL(r, diag, "an edge without source or target, expected both");
    bool directed = attribute(r, "directed", &direction) ? is(direction, "true") : r->directed;
    r->scan->directed += directed;
    LP_TRY(mention(r, source, false, diag));
    return mention(r, target, false, diag);
}

static LpErr read_data(Reader *r, LpDiag *diag) {
    Span key;
    char shown[80];
    if (!attribute(r, "key", &key))
        return FAIL(r, diag, "data without a key, expected <data key=\"...\">");
    for (size_t i = 0; i < r->keys; i++)
        if (r->key[i].id.len == key.len && memcmp(r->key[i].id.text, key.text, key.len) == 0) {
            r->data = r->key[i].number ? r->at : NULL;
            return LP_OK;
        }
    lp_str_copy(shown, key.len < sizeof shown ? key.len + 1 : sizeof shown, key.text);
    return FAIL(r, diag, "data of the unknown key \"%s\", expected a <key> before the graph",
                shown);
}

/* At the end of a value that must be a number: igraph would not say where it stands. */
static LpErr check_number(Reader *r, const char *end, LpDiag *diag) {
    char text[NUMBER_TEXT];
    double number;
    const char *begin = r->data;
    r->data = NULL;
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    size_t len = (size_t)(end - begin) < sizeof text ? (size_t)(end - begin) : sizeof text - 1;
    memcpy(text, begin, len);
    text[len] = '\0';
    if (lp_num_parse(text + (text[0] == '+'), &number, NULL) == LP_OK)
        return LP_OK;
    return FAIL(r, diag, "\"%s\" is no number, which the type of its key asks for", text);
}

static LpErr read_element(Reader *r, LpDiag *diag) {
    const Tag *tag = &r->tag;
    Span id;
    bool in_graph = r->graphs > 0 && r->depth == 2;
    if (r->depth == 0 && !is(tag->name, "graphml"))
        return FAIL(r, diag, "the outermost element is not <graphml>");
    if (is(tag->name, "key"))
        return read_key(r, diag);
    if (is(tag->name, "graph"))
        return read_graph(r, diag);
    if (is(tag->name, "hyperedge"))
        return FAIL(r, diag, "a hyperedge, expected edges between two nodes");
    if (is(tag->name, "data"))
        return read_data(r, diag);
    if (is(tag->name, "port"))
        r->scan->ports++;
    if (is(tag->name, "node") && in_graph) {
        if (!attribute(r, "id", &id))
            return FAIL(r, diag, "a node has no id, expected <node id=\"...\">");
        return mention(r, id, true, diag);
    }
    return is(tag->name, "edge") && in_graph ? read_edge(r, diag) : LP_OK;
}

static LpErr scan(Reader *r, LpDiag *diag) {
    for (;;) {
        const char *next = strchr(r->at, '<');
        if (next == NULL)
            break;
        go_to(r, next);
        if (strncmp(next, "<!--", 4) == 0) {
            LP_TRY(skip(r, "-->", "a comment", diag));
        } else if (strncmp(next, "<![CDATA[", 9) == 0) {
            LP_TRY(skip(r, "]]>", "CDATA", diag));
        } else if (next[1] == '?') {
            LP_TRY(skip(r, "?>", "an instruction", diag));
        } else if (next[1] == '!') {
            if (next[2 + strcspn(next + 2, "[>")] == '[')
                return FAIL(r, diag, "the file declares entities of its own, expected none");
            LP_TRY(skip(r, ">", "a declaration", diag));
        } else {
            r->at++;
            LP_TRY(read_tag(r, diag));
            if (r->data != NULL)
                LP_TRY(check_number(r, next, diag));
            if (r->tag.closes) {
                r->depth -= r->depth > 0;
                continue;
            }
            LP_TRY(read_element(r, diag));
            r->depth += !r->tag.empty;
            if (r->tag.empty)
                r->data = NULL;
        }
    }
    if (r->depth > 0)
        return no_xml(r, "an element", diag);
    if (r->graphs != 1)
        return FAIL(r, diag, "%u graphs, expected one", r->graphs);
    return LP_OK;
}

LpErr lp_graphml_scan(LpGraphScan *out, const char *text, LpDiag *diag) {
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
