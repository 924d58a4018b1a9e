/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PipeDream profiles (graph.txt): one line per op or edge, fields cut at " -- ". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "io/profile/profile.h"

typedef struct Span {
    const char *text;
    size_t len;
} Span;

typedef struct Parser {
    const char *file;
    LpGraphBuilder *builder;
    Span whole; /* the current line */
    int line;
    LpDiag *diag;
} Parser;

enum { FIELDS = 3, VALUES = 4, SHOWN = 48 };

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
static LpErr parse_id(const Parser *parser, Span field, uint32_t *out) {
    static const char expected[] = "node and a number from 1 to 1048576";
    uint32_t number = 0;
    if (!starts_with(field, "node") || field.len == 4)
        return fail_span(parser, field, "found", expected);
    for (size_t i = 4; i < field.len; i++) {
        char c = field.text[i];
        if (c < '0' || c > '9')
            return fail_span(parser, field, "bad id", expected);
        number = number * 10 + (uint32_t)(c - '0');
        if (number > LP_GRAPH_MAX_OPS)
            return fail_span(parser, field, "bad id", expected);
    }
    if (number == 0)
        return fail_span(parser, field, "bad id", expected);
    *out = number;
    return LP_OK;
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
    LP_TRY(parse_id(parser, field[0], &op.number));
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
    uint32_t src = 0, dst = 0;
    LP_TRY(parse_id(parser, field[0], &src));
    LP_TRY(parse_id(parser, field[1], &dst));
    return lp_graph_builder_edge(parser->builder, src, dst, parser->line,
                                 column(parser, field[0].text), parser->diag);
}

static LpErr parse_line(const Parser *parser) {
    Span rest = parser->whole, field[FIELDS];
    size_t fields = 0;
    if (rest.len == 0)
        return fail(parser, rest.text, "a blank line, expected an op or an edge");
    while (fields < FIELDS && take(&rest, " -- ", &field[fields])) {
        field[fields] = after_last_tab(field[fields]);
        fields++;
    }
    if (fields == FIELDS)
        return parse_op(parser, field);
    if (fields == 2)
        return parse_edge(parser, field);
    return fail_span(parser, parser->whole, "found",
                     "\"nodeID -- name -- values\" or \"nodeID -- nodeID\"");
}

/* A NUL would cut names short without a word. */
static LpErr check_line(const Parser *parser) {
    const char *nul = memchr(parser->whole.text, '\0', parser->whole.len);
    return nul == NULL ? LP_OK : fail(parser, nul, "a NUL byte, expected text");
}

static LpErr parse_text(Parser *parser, const char *text, size_t len) {
    const char *end = text + len;
    if (len == 0)
        return lp_fail_at(parser->diag, LP_EPARSE, parser->file, 1, 1,
                          "the file is empty, expected lines of a PipeDream profile");
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (stop == NULL)
            stop = end;
        parser->line++;
        parser->whole = (Span){text, (size_t)(stop - text)};
        if (parser->whole.len > 0 && stop[-1] == '\r') /* written on Windows */
            parser->whole.len--;
        LP_TRY(check_line(parser));
        LP_TRY(parse_line(parser));
        text = stop + 1;
    }
    return LP_OK;
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
