/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schemas: every file that comes with the program conforms, broken ones do not; by the keywords
 * of JSON Schema that the schemas use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "group.h"
#include "io/files/file.h"
#include "io/schema.h"

/* ---- a validator ---- */

static bool conforms(LpJsonValue schema, LpJsonValue value);

static bool is_type(const char *type, LpJsonValue value) {
    static const struct {
        const char *name;
        LpJsonKind kind;
    } types[] = {{"string", LP_JSON_TEXT},   {"boolean", LP_JSON_BOOL},
                 {"number", LP_JSON_NUMBER}, {"integer", LP_JSON_NUMBER},
                 {"object", LP_JSON_OBJECT}, {"array", LP_JSON_LIST}};
    double number = lp_json_number(value);
    for (size_t i = 0; i < LP_COUNTOF(types); i++)
        if (strcmp(types[i].name, type) == 0)
            return lp_json_kind(value) == types[i].kind &&
                   (strcmp(type, "integer") != 0 || number == floor(number));
    fail_msg("a type \"%s\"", type);
    return false;
}

static bool has_type(LpJsonValue wish, LpJsonValue value) {
    if (lp_json_kind(wish) == LP_JSON_TEXT)
        return is_type(lp_json_text(wish), value);
    for (LpJsonValue v = lp_json_first(wish); v.item != NULL; v = lp_json_next(v))
        if (is_type(lp_json_text(v), value))
            return true;
    return false;
}

static bool in_enum(LpJsonValue list, const char *text) {
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        if (text != NULL && strcmp(lp_json_text(v), text) == 0)
            return true;
    return false;
}

static bool any_of(LpJsonValue list, LpJsonValue value) {
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v))
        if (conforms(v, value))
            return true;
    return false;
}

static bool member_conforms(LpJsonValue schema, LpJsonValue member) {
    LpJsonValue own = lp_json_member(lp_json_member(schema, "properties"), lp_json_key(member));
    LpJsonValue more = lp_json_member(schema, "additionalProperties");
    LpJsonValue names = lp_json_member(schema, "propertyNames");
    if (names.item != NULL && !in_enum(lp_json_member(names, "enum"), lp_json_key(member)))
        return false;
    if (own.item != NULL)
        return conforms(own, member);
    return more.item == NULL || lp_json_kind(more) == LP_JSON_BOOL ? more.item == NULL
                                                                   : conforms(more, member);
}

static bool object_conforms(LpJsonValue schema, LpJsonValue value) {
    LpJsonValue required = lp_json_member(schema, "required");
    LpJsonValue most = lp_json_member(schema, "maxProperties");
    LpJsonValue least = lp_json_member(schema, "minProperties");
    if (most.item != NULL && (double)lp_json_count(value) > lp_json_number(most))
        return false;
    if (least.item != NULL && (double)lp_json_count(value) < lp_json_number(least))
        return false;
    for (LpJsonValue v = lp_json_first(required); v.item != NULL; v = lp_json_next(v))
        if (lp_json_member(value, lp_json_text(v)).item == NULL)
            return false;
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v))
        if (!member_conforms(schema, v))
            return false;
    return true;
}

static bool in_range(LpJsonValue schema, double number) {
    LpJsonValue least = lp_json_member(schema, "minimum"), most = lp_json_member(schema, "maximum");
    LpJsonValue above = lp_json_member(schema, "exclusiveMinimum");
    return !(least.item != NULL && number < lp_json_number(least)) &&
           !(most.item != NULL && number > lp_json_number(most)) &&
           !(above.item != NULL && number <= lp_json_number(above));
}

static bool items_conform(LpJsonValue items, LpJsonValue list) {
    for (LpJsonValue v = lp_json_first(list); items.item != NULL && v.item != NULL;
         v = lp_json_next(v))
        if (!conforms(items, v))
            return false;
    return true;
}

static bool conforms(LpJsonValue schema, LpJsonValue value) {
    LpJsonValue type = lp_json_member(schema, "type"), any = lp_json_member(schema, "anyOf");
    LpJsonValue words = lp_json_member(schema, "enum"), one = lp_json_member(schema, "const");
    LpJsonKind kind = lp_json_kind(value);
    if (type.item != NULL && !has_type(type, value))
        return false;
    if (any.item != NULL && !any_of(any, value))
        return false;
    if (words.item != NULL && !in_enum(words, lp_json_text(value)))
        return false;
    if (one.item != NULL &&
        (kind != LP_JSON_NUMBER || lp_json_number(value) != lp_json_number(one)))
        return false;
    if (kind == LP_JSON_NUMBER && !in_range(schema, lp_json_number(value)))
        return false;
    if (kind == LP_JSON_OBJECT && type.item != NULL && !object_conforms(schema, value))
        return false;
    return kind != LP_JSON_LIST || items_conform(lp_json_member(schema, "items"), value);
}

/* ---- files ---- */

typedef struct Schema {
    LpBuf text;
    LpJson *doc;
} Schema;

static Schema open_schema(const char *name) {
    Schema schema = {{0}, NULL};
    LpDiag diag = {0};
    assert_int_equal(lp_schema_add(name, &schema.text, &diag), LP_OK);
    if (lp_json_parse(name, lp_buf_text(&schema.text), schema.text.len, &schema.doc, &diag) !=
        LP_OK)
        fail_msg("%s: %d:%d: %s", name, diag.line, diag.col, diag.text);
    return schema;
}

static void close_schema(Schema *schema) {
    lp_json_free(schema->doc);
    lp_buf_fini(&schema->text);
}

static bool text_conforms(const Schema *schema, const char *text) {
    LpJson *doc = NULL;
    LpDiag diag = {0};
    if (lp_json_parse("text", text, strlen(text), &doc, &diag) != LP_OK)
        fail_msg("%s: %s", text, diag.text);
    bool good = conforms(lp_json_root(schema->doc), lp_json_root(doc));
    lp_json_free(doc);
    return good;
}

/* Every file of a folder. */
static void check_folder(const char *name, const char *folder) {
    Schema schema = open_schema(name);
    DIR *dir = opendir(folder);
    int count = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *end = strrchr(entry->d_name, '.');
        char path[600], *text = NULL;
        size_t len = 0;
        LpDiag diag = {0};
        if (end == NULL || strcmp(end, ".json") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%.300s", folder, entry->d_name);
        assert_int_equal(lp_file_read(path, 0, &text, &len, &diag), LP_OK);
        if (!text_conforms(&schema, text))
            fail_msg("%s does not conform to the schema of a %s", path, name);
        lp_free(text);
        count++;
    }
    closedir(dir);
    close_schema(&schema);
    assert_true(count >= 2);
}

static void test_shipped(void **state) {
    (void)state;
    check_folder("scenario", LP_SOURCEDIR "/scenarios");
    check_folder("scenario", LP_SOURCEDIR "/tests/tui/scenarios");
    check_folder("theme", LP_SOURCEDIR "/themes");
}

static void check_all(const char *name, const char *const *good, const char *const *bad) {
    Schema schema = open_schema(name);
    for (; *good != NULL; good++)
        if (!text_conforms(&schema, *good))
            fail_msg("%s is refused: %s", name, *good);
    for (; *bad != NULL; bad++)
        if (text_conforms(&schema, *bad))
            fail_msg("%s is taken: %s", name, *bad);
    close_schema(&schema);
}

#define S "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ideal\"},"

static void test_scenarios(void **state) {
    (void)state;
    static const char *const good[] = {
        "{\"lightpath\":1}",
        S
        "\"horizon\":\"1e5 s\",\"jobs\":[{\"graph\":\"a\"},{\"servers\":2,\"duration\":\"1 h\"}]}",
        S "\"generator\":{\"steps\":50,\"interarrival\":\"exponential\"}}",
        S "\"generator\":{\"interarrival\":{\"fixed\":\"1000 s\"}}}",
        S "\"options\":{\"circuits\":\"corrected\"},\"policy\":{\"params\":{\"x\":[1]}}}",
        NULL};
    static const char *const bad[] = {
        "[]",
        "{}",
        "{\"lightpath\":2}",
        S "\"nonsense\":1}",
        S "\"seed\":\"x\"}",
        S "\"horizon\":0}",
        S "\"semantics\":\"other\"}",
        S "\"options\":{\"circuit\":\"corrected\"}}",
        S "\"queue_capacity\":0}",
        S "\"queue_capacity\":1.5}",
        S "\"graphs\":[{\"id\":\"a\"}]}",
        S "\"graphs\":[{\"id\":\"a\",\"zoo\":\"b\",\"file\":\"c\"}]}",
        S "\"jobs\":[{\"servers\":2}]}",
        S "\"generator\":{\"steps\":{\"fixed\":1,\"choice\":[]}}}",
        S "\"generator\":{\"steps\":{}}}",
        "{\"lightpath\":1,\"cluster\":{}}",
        "{\"lightpath\":1,\"cluster\":{\"fabric\":\"rope\"}}",
        "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ramp\",\"ramp\":{\"channels\":0}}}",
        "{\"lightpath\":1,\"cluster\":{\"fabric\":\"ramp\",\"ramp\":{\"rack_isolated\":1}}}",
        NULL};
    check_all("scenario", good, bad);
}

static void test_themes_and_keys(void **state) {
    (void)state;
    static const char *const good_theme[] = {
        "{\"lightpath_theme\":1,\"name\":\"x\"}",
        "{\"lightpath_theme\":1,\"name\":\"x\",\"roles\":{\"bad\":{\"c256\":255,\"c16\":\"red\"}}}",
        NULL};
    static const char *const bad_theme[] = {
        "{\"lightpath_theme\":1}", "{\"lightpath_theme\":1,\"name\":\"x\",\"background\":\"grey\"}",
        "{\"lightpath_theme\":1,\"name\":\"x\",\"roles\":{\"bad\":{\"c256\":256}}}",
        "{\"lightpath_theme\":1,\"name\":\"x\",\"roles\":{\"bad\":{\"attr\":[\"italic\"]}}}", NULL};
    static const char *const good_keys[] = {"{\"lightpath_keys\":1,\"keys\":{\"play\":\"F5\","
                                            "\"fork\":[],\"next-event\":[\"a\",\"b\"]}}",
                                            NULL};
    static const char *const bad_keys[] = {"{\"lightpath_keys\":1}",
                                           "{\"lightpath_keys\":1,\"keys\":{\"play\":5}}", NULL};
    check_all("theme", good_theme, bad_theme);
    check_all("keys", good_keys, bad_keys);
}

static void test_names(void **state) {
    (void)state;
    LpBuf out = {0};
    LpDiag diag = {0};
    static const char *const names[] = {"scenario", "lesson", "theme", "keys"};
    for (size_t i = 0; i < LP_COUNTOF(names); i++) {
        Schema schema = open_schema(names[i]);
        close_schema(&schema);
    }
    assert_int_equal(lp_schema_add("\x1bnope", &out, &diag), LP_EINVAL);
    assert_non_null(strstr(diag.text, "expected scenario, lesson, theme or keys"));
    lp_buf_fini(&out);
}

TEST_GROUP(test_io_schema) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_scenarios),
        cmocka_unit_test(test_themes_and_keys),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
