/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PipeDream profiles (graph.txt): one line per op or edge, fields cut at " -- ". PipeDream takes
 * ids (node7) as names: they may leave gaps and begin at 0. Ops are numbered from 1 in the order of
 * their ids, so that ids without gaps are the numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "io/profile/profile.h"

typedef struct Span {
    const char *text;
    size_t len;
} Span;

/* The id of an op, and where it stands. */
typedef struct Name {
    uint64_t id;
    int line;
} Name;

typedef struct Parser {
    const char *file;
    LpGraphBuilder *builder;
    Span whole; /* the current line */
    int line;
    Name *name; /* of every op, ascending by id, then by line */
    size_t names, name_cap;
    LpDiag *diag;
} Parser;

enum { FIELDS = 3, VALUES = 4, SHOWN = 48, DIGITS = 18 };

static const char *const value_names[VALUES] = {"forward_compute_time", "backward_compute_time",
                                                "activation_size", "parameter_size"};

static int column(const Parser *parser, const char *at) {
    return (int)(at - parser->whole.text) + 1;
}

static LpErr fail(const Parser *parser, const char *at, const char *text) {
    return lp_fail_at(parser->diag, LP_EPARSE, parser->file, parser->line, column(parser, at), "%s",
                      text);
}

static const char *show(Span span, char buf[SHOWN]) {
    char text[SHOWN];
    size_t len = span.len < sizeof text - 1 ? span.len : sizeof text - 1;
    memcpy(text, span.text, len);
    text[len] = '\0';
    return lp_str_show(buf, SHOWN, text);
}

/* "WHAT "found", expected EXPECTED" at the span. */
static LpErr fail_span(const Parser *parser, Span span, const char *what, const char *expected) {
    char text[256], shown[SHOWN];
    snprintf(text, sizeof text, "%s \"%s\", expected %s", what, show(span, shown), expected);
    return fail(parser, span.text, text);
}

/* ---- cutting ---- */

/* Takes what stands before the next separator (or all) from *rest; false when nothing is left. */
static bool take(Span *rest, const char *separator, Span *out) {
    size_t width = strlen(separator);
    if (rest->text == NULL)
        return false;
    for (size_t i = 0; i + width <= rest->len; i++) {
        if (memcmp(rest->text + i, separator, width) != 0)
            continue;
        *out = (Span){rest->text, i};
        *rest = (Span){rest->text + i + width, rest->len - i - width};
        return true;
    }
    *out = *rest;
    rest->text = NULL;
    return true;
}

static Span after_last_tab(Span span) {
    for (size_t i = span.len; i > 0; i--)
        if (span.text[i - 1] == '\t')
            return (Span){span.text + i, span.len - i};
    return span;
}

static Span trim(Span span) {
    while (span.len > 0 && span.text[0] == ' ')
        span = (Span){span.text + 1, span.len - 1};
    while (span.len > 0 && span.text[span.len - 1] == ' ')
        span.len--;
    return span;
}

static bool starts_with(Span span, const char *text) {
    size_t len = strlen(text);
    return span.len >= len && memcmp(span.text, text, len) == 0;
}

/* ---- parts of a line ---- */

/* node<ID> */
static LpErr parse_id(const Parser *parser, Span field, uint64_t *out) {
    static const char expected[] = "node and a number of up to 18 digits";
    uint64_t number = 0;
    if (!starts_with(field, "node") || field.len == 4)
        return fail_span(parser, field, "found", expected);
    for (size_t i = 4; i < field.len; i++) {
        char c = field.text[i];
        if (c < '0' || c > '9' || i >= 4 + DIGITS)
            return fail_span(parser, field, "bad id", expected);
        number = number * 10 + (uint64_t)(c - '0');
    }
    *out = number;
    return LP_OK;
}

static int by_id(const void *a, const void *b) {
    const Name *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Index of the first op with the id, or -1. */
static long find_name(const Parser *parser, uint64_t id) {
    size_t low = 0, high = parser->names;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (parser->name[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < parser->names && parser->name[low].id == id ? (long)low : -1;
}

static LpErr parse_number(const Parser *parser, Span span, double *out) {
    char text[64];
    double number = -1;
    span = trim(span);
    if (span.len < sizeof text) {
        memcpy(text, span.text, span.len);
        text[span.len] = '\0';
        LpErr err = lp_num_parse(text, &number, NULL);
        if (err == LP_ENOMEM)
            return lp_fail_memory(parser->diag, "reading a number");
        if (err == LP_OK && number >= 0 && strlen(text) == span.len) {
            *out = number;
            return LP_OK;
        }
    }
    return fail_span(parser, span, "bad value", "a finite number >= 0");
}

/* "[6291456.0; 131072.0]" counts as its sum. */
static LpErr parse_list(const Parser *parser, Span span, double *out) {
    double sum = 0, number = 0;
    if (span.text[span.len - 1] != ']' || span.len < 2)
        return fail_span(parser, span, "bad list", "[a; b; ...] with its closing bracket");
    Span rest = trim((Span){span.text + 1, span.len - 2}), entry;
    while (rest.len > 0 && take(&rest, ";", &entry)) {
        LP_TRY(parse_number(parser, entry, &number));
        sum += number;
        if (rest.text != NULL && rest.len == 0) /* "[1;]" */
            return fail_span(parser, span, "bad list", "a number after each ;");
    }
    if (!isfinite(sum))
        return fail_span(parser, span, "bad list", "a sum below 1.8e308");
    *out = sum;
    return LP_OK;
}

/* key=value; the key is known by its position. */
static LpErr parse_item(const Parser *parser, Span item, const char *key, double *out) {
    char expected[96];
    size_t len = strlen(key);
    if (!starts_with(item, key) || item.len == len || item.text[len] != '=') {
        snprintf(expected, sizeof expected, "%s=NUMBER", key);
        return fail_span(parser, item, "found", expected);
    }
    Span value = {item.text + len + 1, item.len - len - 1};
    if (value.len == 0) {
        snprintf(expected, sizeof expected, "%s has no value, expected a number", key);
        return fail(parser, value.text, expected);
    }
    return value.text[0] == '[' ? parse_list(parser, value, out) : parse_number(parser, value, out);
}

static LpErr parse_values(const Parser *parser, Span field, double value[VALUES]) {
    char expected[96];
    Span rest = field, item;
    for (size_t i = 0; i < VALUES; i++) {
        if (!take(&rest, ", ", &item)) {
            snprintf(expected, sizeof expected, "%s=NUMBER after it", value_names[i]);
            return fail_span(parser, field, "the line ends at", expected);
        }
        LP_TRY(parse_item(parser, item, value_names[i], &value[i]));
    }
    if (rest.text != NULL)
        return fail_span(parser, rest, "found", "no more than four values");
    return LP_OK;
}

/* ---- lines ---- */

static LpErr parse_op(const Parser *parser, const Span field[FIELDS]) {
    double value[VALUES] = {0};
    LpOp op = {0};
    uint64_t id = 0;
    char text[SHOWN + 64], shown[SHOWN];
    LP_TRY(parse_id(parser, field[0], &id));
    long at = find_name(parser, id);
    if (parser->name[at].line != parser->line) {
        snprintf(text, sizeof text, "%s is used twice, first at line %d", show(field[0], shown),
                 parser->name[at].line);
        return fail(parser, field[0].text, text);
    }
    op.number = (uint32_t)at + 1;
    LP_TRY(parse_values(parser, field[2], value));
    op.forward = value[0];
    op.backward = value[1];
    op.activation = value[2];
    op.parameters = value[3];
    char *name = lp_alloc(field[1].len + 1, 1);
    if (name == NULL)
        return lp_fail_memory(parser->diag, "a profile");
    memcpy(name, field[1].text, field[1].len);
    op.name = name;
    LpErr err = lp_graph_builder_op(parser->builder, &op, parser->line,
                                    column(parser, field[0].text), parser->diag);
    lp_free(name);
    return err;
}

static LpErr parse_edge(const Parser *parser, const Span field[FIELDS]) {
    long end[2];
    for (int i = 0; i < 2; i++) {
        uint64_t id = 0;
        LP_TRY(parse_id(parser, field[i], &id));
        end[i] = find_name(parser, id);
        if (end[i] < 0)
            return fail_span(parser, field[i], "there is no op",
                             "the id of a line \"nodeID -- name -- values\"");
    }
    return lp_graph_builder_edge(parser->builder, (uint32_t)end[0] + 1, (uint32_t)end[1] + 1,
                                 parser->line, column(parser, field[0].text), parser->diag);
}

static size_t cut_fields(const Parser *parser, Span field[FIELDS]) {
    Span rest = parser->whole;
    size_t fields = 0;
    while (fields < FIELDS && take(&rest, " -- ", &field[fields])) {
        field[fields] = after_last_tab(field[fields]);
        fields++;
    }
    return fields;
}

/* First pass: remembers the id of an op. What is wrong with the line the second pass says. */
static LpErr keep_name(Parser *parser) {
    Parser silent = *parser;
    Span field[FIELDS];
    uint64_t id = 0;
    silent.diag = NULL;
    if (cut_fields(parser, field) != FIELDS || parse_id(&silent, field[0], &id) != LP_OK)
        return LP_OK;
    if (lp_grow((void **)&parser->name, &parser->name_cap, parser->names + 1, sizeof(Name)) !=
        LP_OK)
        return lp_fail_memory(parser->diag, "a profile");
    parser->name[parser->names++] = (Name){id, parser->line};
    return LP_OK;
}

/* Second pass. */
static LpErr parse_line(Parser *parser) {
    Span field[FIELDS];
    /* A NUL would cut names short without a word. */
    const char *nul = memchr(parser->whole.text, '\0', parser->whole.len);
    LP_TRY(nul == NULL ? LP_OK : fail(parser, nul, "a NUL byte, expected text"));
    size_t fields = cut_fields(parser, field);
    if (fields == FIELDS)
        return parse_op(parser, field);
    if (fields == 2)
        return parse_edge(parser, field);
    return fail_span(parser, parser->whole, "found",
                     "\"nodeID -- name -- values\" or \"nodeID -- nodeID\"");
}

static bool is_blank(Span span) {
    for (size_t i = 0; i < span.len; i++)
        if (span.text[i] != ' ' && span.text[i] != '\t')
            return false;
    return true;
}

/* Calls for every line that is not blank. */
static LpErr each_line(Parser *parser, const char *text, size_t len,
                       LpErr (*call)(Parser *parser)) {
    const char *end = text + len;
    parser->line = 0;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (stop == NULL)
            stop = end;
        parser->line++;
        parser->whole = (Span){text, (size_t)(stop - text)};
        if (parser->whole.len > 0 && stop[-1] == '\r') /* written on Windows */
            parser->whole.len--;
        if (!is_blank(parser->whole))
            LP_TRY(call(parser));
        text = stop + 1;
    }
    return LP_OK;
}

static LpErr parse_text(Parser *parser, const char *text, size_t len) {
    if (len == 0)
        return lp_fail_at(parser->diag, LP_EPARSE, parser->file, 1, 1,
                          "the file is empty, expected lines of a PipeDream profile");
    LP_TRY(each_line(parser, text, len, keep_name));
    if (parser->names > 1)
        qsort(parser->name, parser->names, sizeof *parser->name, by_id);
    return each_line(parser, text, len, parse_line);
}

LpErr lp_profile_pipedream(const char *id, const char *file, const char *text, size_t len,
                           LpGraph **out, LpDiag *diag) {
    Parser parser = {.file = file, .diag = diag};
    parser.builder = lp_graph_builder_new(id, file);
    if (parser.builder == NULL)
        return lp_fail_memory(diag, "a profile");
    LpErr err = parse_text(&parser, text, len);
    if (err == LP_OK)
        err = lp_graph_builder_finish(parser.builder, out, diag);
    lp_graph_builder_free(parser.builder);
    lp_free(parser.name);
    if (err == LP_EINVAL && diag != NULL && diag->line == 0) /* edges only */
        return lp_fail_at(diag, err, file, parser.line, 1, "%s", diag->text);
    return err;
}

LpErr lp_profile_unit(const char *name, double *seconds, LpDiag *diag) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    char shown[SHOWN];
    for (size_t i = 0; i < LP_COUNTOF(units); i++) {
        if (strcmp(name, units[i].name) != 0)
            continue;
        *seconds = units[i].seconds;
        return LP_OK;
    }
    return lp_fail(diag, LP_EINVAL, "\"%s\" is no unit of time, expected s, ms, us or ns",
                   lp_str_show(shown, sizeof shown, name));
}
