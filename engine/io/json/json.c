/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON document: strict scan, cJSON's tree, the place of every node, and messages about them.
 * --set is in json_set.c, tables of keys in json_keys.c. */
#include "io/json/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/json_impl.h"

/* ---- building ---- */

typedef struct Builder {
    LpJson *doc;
    size_t next; /* place of the next node */
    cJSON **member;
    size_t member_cap;
    LpDiag *diag;
} Builder;

static int by_key_then_place(const void *a, const void *b) {
    const cJSON *x = *(cJSON *const *)a, *y = *(cJSON *const *)b;
    int order = strcmp(x->string, y->string);
    return order != 0 ? order : (x->valueint > y->valueint) - (x->valueint < y->valueint);
}

static LpJsonValue value_of(const LpJson *doc, const cJSON *item) {
    return (LpJsonValue){doc, item};
}

/* Equal keys are neighbours once sorted; of all second ones the first in the file is reported. */
static LpErr check_duplicates(Builder *builder, cJSON *object) {
    size_t count = 0;
    for (cJSON *child = object->child; child != NULL; child = child->next) {
        if (lp_grow((void **)&builder->member, &builder->member_cap, count + 1, sizeof(cJSON *)) !=
            LP_OK)
            return lp_fail_memory(builder->diag, "a JSON object");
        builder->member[count++] = child;
    }
    if (count < 2)
        return LP_OK;
    qsort(builder->member, count, sizeof(cJSON *), by_key_then_place);
    const cJSON *second = NULL;
    for (size_t i = 1; i < count; i++) {
        const cJSON *item = builder->member[i];
        if (strcmp(item->string, builder->member[i - 1]->string) == 0 &&
            (second == NULL || item->valueint < second->valueint))
            second = item;
    }
    if (second == NULL)
        return LP_OK;
    return lp_json_fail_key(value_of(builder->doc, second), builder->diag, LP_EPARSE,
                            "the key \"%s\" stands twice in one object, expected once",
                            second->string);
}

/* cJSON's tree has the scanner's order, so numbering the nodes joins them to their places. */
static LpErr number_nodes(Builder *builder, cJSON *item) {
    item->valueint = (int)builder->next++;
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return lp_json_fail(value_of(builder->doc, item), builder->diag, LP_EPARSE,
                            "the number is too large, expected less than 1.8e308");
    for (cJSON *child = item->child; child != NULL; child = child->next)
        LP_TRY(number_nodes(builder, child));
    return cJSON_IsObject(item) ? check_duplicates(builder, item) : LP_OK;
}

LpErr lp_json_build(LpJson *doc, const LpJsonSource *source, size_t start, size_t len, cJSON **out,
                    LpDiag *diag) {
    if (lp_grow((void **)&doc->source, &doc->source_cap, doc->sources + 1, sizeof *doc->source) !=
        LP_OK)
        return lp_fail_memory(diag, "a JSON text");
    Builder builder = {.doc = doc, .next = doc->places.count, .diag = diag};
    doc->source[doc->sources] = *source;
    LP_TRY(lp_json_scan(source->file, source->text, len, start, (uint32_t)doc->sources,
                        &doc->places, diag));
    /* The scan has accepted the text, so only memory can fail here. */
    cJSON *item = cJSON_ParseWithLengthOpts(source->text + start, len - start + 1, NULL, 1);
    if (item == NULL)
        return lp_fail_memory(diag, "a JSON text");
    doc->sources++;
    LpErr err = number_nodes(&builder, item);
    lp_free(builder.member);
    if (err == LP_OK)
        *out = item;
    else
        cJSON_Delete(item);
    return err;
}

static LpErr find_lines(LpJson *doc, const char *text, size_t len, LpDiag *diag) {
    const char *end = text + len, *line = text;
    while (line != NULL) {
        if (lp_grow((void **)&doc->line, &doc->line_cap, doc->lines + 1, sizeof *doc->line) !=
            LP_OK)
            return lp_fail_memory(diag, "a JSON text");
        doc->line[doc->lines++] = (uint32_t)(line - text);
        line = memchr(line, '\n', (size_t)(end - line));
        line = line != NULL ? line + 1 : NULL;
    }
    return LP_OK;
}

LpErr lp_json_parse(const char *file, const char *text, size_t len, LpJson **out, LpDiag *diag) {
    static const char mark[] = "\xEF\xBB\xBF";
    LpJson *doc = lp_alloc(1, sizeof *doc);
    if (doc == NULL)
        return lp_fail_memory(diag, "a JSON text");
    const LpJsonSource source = {file, text};
    size_t start = len >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    LpErr err = find_lines(doc, text, len, diag);
    if (err == LP_OK)
        err = lp_json_build(doc, &source, start, len, &doc->root, diag);
    if (err != LP_OK) {
        lp_json_free(doc);
        return err;
    }
    *out = doc;
    return LP_OK;
}

void lp_json_free(LpJson *doc) {
    if (doc == NULL)
        return;
    cJSON_Delete(doc->root);
    lp_free(doc->places.place);
    lp_free(doc->line);
    lp_free(doc->source);
    lp_free(doc);
}

/* ---- reading ---- */

LpJsonValue lp_json_root(const LpJson *doc) {
    return value_of(doc, doc->root);
}

LpJsonKind lp_json_kind(LpJsonValue value) {
    static const struct {
        int type;
        LpJsonKind kind;
    } kinds[] = {
        {cJSON_NULL, LP_JSON_NULL},     {cJSON_True, LP_JSON_BOOL},   {cJSON_False, LP_JSON_BOOL},
        {cJSON_Number, LP_JSON_NUMBER}, {cJSON_String, LP_JSON_TEXT}, {cJSON_Array, LP_JSON_LIST},
        {cJSON_Object, LP_JSON_OBJECT},
    };
    for (size_t i = 0; value.item != NULL && i < LP_COUNTOF(kinds); i++)
        if ((value.item->type & 0xFF) == kinds[i].type)
            return kinds[i].kind;
    return LP_JSON_NOTHING;
}

const char *lp_json_key(LpJsonValue value) {
    return value.item != NULL ? value.item->string : NULL;
}

LpJsonValue lp_json_first(LpJsonValue value) {
    return value_of(value.doc, value.item != NULL ? value.item->child : NULL);
}

LpJsonValue lp_json_next(LpJsonValue value) {
    return value_of(value.doc, value.item != NULL ? value.item->next : NULL);
}

size_t lp_json_count(LpJsonValue value) {
    size_t count = 0;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        count++;
    return count;
}

LpJsonValue lp_json_member(LpJsonValue object, const char *key) {
    LpJsonValue v = lp_json_first(object);
    while (v.item != NULL && (v.item->string == NULL || strcmp(v.item->string, key) != 0))
        v = lp_json_next(v);
    return v;
}

const char *lp_json_text(LpJsonValue value) {
    return lp_json_kind(value) == LP_JSON_TEXT ? value.item->valuestring : NULL;
}

bool lp_json_bool(LpJsonValue value) {
    return value.item != NULL && cJSON_IsTrue(value.item);
}

double lp_json_number(LpJsonValue value) {
    return lp_json_kind(value) == LP_JSON_NUMBER ? value.item->valuedouble : 0;
}

/* The member of that name, or of the only member where that is an object: {"uniform": {...}}. */
static LpJsonValue member_through(LpJsonValue object, const char *name) {
    LpJsonValue found = lp_json_member(object, name), only = lp_json_first(object);
    if (found.item == NULL && only.item != NULL && only.item->next == NULL)
        found = lp_json_member(only, name);
    return found;
}

static LpJsonValue entry_at(LpJsonValue list, unsigned long index) {
    LpJsonValue entry = lp_json_first(list);
    while (entry.item != NULL && index-- > 0)
        entry = lp_json_next(entry);
    return entry;
}

LpJsonValue lp_json_at_path(const LpJson *doc, const char *text) {
    char name[64];
    LpJsonValue at = lp_json_root(doc), next;
    for (bool first = true;; first = false) {
        size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (text[0] == '[') {
            char *end;
            next = entry_at(at, strtoul(text + 1, &end, 10));
            text = *end == ']' ? end + 1 : "";
        } else {
            if (len == 0 || len >= sizeof name)
                return at;
            memcpy(name, text, len);
            name[len] = '\0';
            next = first ? lp_json_member(at, name) : member_through(at, name);
            text += len;
        }
        if (next.item == NULL)
            return first ? next : at;
        at = next;
        text += text[0] == '.';
        if (text[0] == ' ' || text[0] == ':')
            return at;
    }
}

static const LpJsonPlace *place_of(LpJsonValue value) {
    return &value.doc->places.place[value.item->valueint];
}

const char *lp_json_digits(LpJsonValue value, size_t *len) {
    const LpJsonPlace *place = place_of(value);
    *len = place->end - place->value;
    return value.doc->source[place->source].text + place->value;
}

void lp_json_print(LpJsonValue value, LpBuf *out) {
    size_t len;
    const char *digits;
    switch (lp_json_kind(value)) {
    case LP_JSON_NOTHING:
    case LP_JSON_NULL:
        lp_buf_add(out, "null");
        break;
    case LP_JSON_BOOL:
        lp_buf_add(out, lp_json_bool(value) ? "true" : "false");
        break;
    case LP_JSON_NUMBER:
        digits = lp_json_digits(value, &len);
        lp_buf_add_bytes(out, digits, len);
        break;
    case LP_JSON_TEXT:
        lp_str_json(out, lp_json_text(value));
        break;
    case LP_JSON_LIST:
    case LP_JSON_OBJECT:
        lp_buf_add(out, lp_json_kind(value) == LP_JSON_LIST ? "[" : "{");
        for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
            if (v.item != value.item->child)
                lp_buf_add(out, ",");
            if (v.item->string != NULL) {
                lp_str_json(out, v.item->string);
                lp_buf_add(out, ":");
            }
            lp_json_print(v, out);
        }
        lp_buf_add(out, lp_json_kind(value) == LP_JSON_LIST ? "]" : "}");
        break;
    }
}

/* ---- messages ---- */

const char *lp_json_found(LpJsonValue value, char *buf, size_t size) {
    static const char *const names[] = {"nothing", "null", "", "", "", "a list", "an object"};
    char text[48], number[LP_NUM_TEXT];
    LpJsonKind kind = lp_json_kind(value);
    switch (kind) {
    case LP_JSON_BOOL:
        snprintf(buf, size, "%s", lp_json_bool(value) ? "true" : "false");
        break;
    case LP_JSON_NUMBER:
        snprintf(buf, size, "%s", lp_num_print(lp_json_number(value), number));
        break;
    case LP_JSON_TEXT:
        snprintf(buf, size, "the text \"%s\"", lp_str_show(text, sizeof text, lp_json_text(value)));
        break;
    default:
        snprintf(buf, size, "%s", names[kind]);
        break;
    }
    return buf;
}

/* By halving: a profile asks for the place of each of its ops. */
static void line_col(const LpJson *doc, size_t offset, int *line, int *col) {
    size_t low = 0, high = doc->lines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (doc->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = (int)low + 1;
    *col = (int)(offset - doc->line[low]) + 1;
}

static LpErr fail_at(LpJsonValue value, bool key, LpDiag *diag, LpErr code, const char *text) {
    char shown[128];
    const LpJsonPlace *place = place_of(value);
    const LpJsonSource *source = &value.doc->source[place->source];
    if (source->file == NULL)
        return lp_fail(diag, code, "--set %s: %s", lp_str_show(shown, sizeof shown, source->text),
                       text);
    int line, col;
    line_col(value.doc, key ? place->key : place->value, &line, &col);
    return lp_fail_at(diag, code, source->file, line, col, "%s", text);
}

LpErr lp_json_fail(LpJsonValue value, LpDiag *diag, LpErr code, const char *fmt, ...) {
    char text[LP_DIAG_TEXT];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return fail_at(value, false, diag, code, text);
}

LpErr lp_json_fail_key(LpJsonValue value, LpDiag *diag, LpErr code, const char *fmt, ...) {
    char text[LP_DIAG_TEXT];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return fail_at(value, true, diag, code, text);
}

static void find_place(LpJsonValue value, size_t offset, int *line, int *col) {
    const LpJsonSource *source = &value.doc->source[place_of(value)->source];
    *line = *col = 0;
    if (source->file != NULL)
        line_col(value.doc, offset, line, col);
}

void lp_json_place(LpJsonValue value, int *line, int *col) {
    find_place(value, place_of(value)->value, line, col);
}

void lp_json_key_place(LpJsonValue value, int *line, int *col) {
    find_place(value, place_of(value)->key, line, col);
}
