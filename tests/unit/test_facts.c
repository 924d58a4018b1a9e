/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts: every table is in order, and what writers make of each kind of value. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/fact.h"
#include "group.h"
#include "say/records.h"

/* ---- the tables ---- */

static bool lower_snake(const char *key) {
    for (const char *c = key; *c != '\0'; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
            return false;
    return islower((unsigned char)key[0]);
}

static int times_told(const char *record, const char *key) {
    int times = 0;
    const LpFacts *const *tables = lp_fact_tables;
    for (size_t t = 0; tables[t] != NULL; t++)
        times += strcmp(tables[t]->record, record) == 0 && lp_facts_find(tables[t], key) != NULL;
    return times;
}

/* What a member of that kind is told as. */
static const LpFactIs member_is[] = {
    [LP_MEMBER_NONE] = LP_FACT_NULL, [LP_MEMBER_REAL] = LP_FACT_REAL,
    [LP_MEMBER_U32] = LP_FACT_REAL,  [LP_MEMBER_U64] = LP_FACT_REAL,
    [LP_MEMBER_FLAG] = LP_FACT_FLAG, [LP_MEMBER_TEXT] = LP_FACT_TEXT};

static void every_row_is_whole(void **state) {
    (void)state;
    const LpFacts *const *tables = lp_fact_tables;
    for (size_t t = 0; tables[t] != NULL; t++)
        for (size_t i = 0; i < tables[t]->facts; i++) {
            const LpFact *fact = &tables[t]->fact[i];
            if (!lower_snake(fact->key))
                fail_msg("the key \"%s\" of a %s: expected small letters, digits and _", fact->key,
                         tables[t]->record);
            if (lp_facts_find(tables[t], fact->key) != fact ||
                times_told(tables[t]->record, fact->key) != 1)
                fail_msg("the key \"%s\" of a %s is there twice", fact->key, tables[t]->record);
            if (fact->meaning[0] == '\0' || strchr(fact->meaning, '.') != NULL)
                fail_msg("%s of a %s: expected a clause without a full stop, found \"%s\"",
                         fact->key, tables[t]->record, fact->meaning);
            if (!(fact->to & (LP_TO_JSON | LP_TO_CSV)))
                fail_msg("%s of a %s is told nowhere", fact->key, tables[t]->record);
            if (fact->value == NULL && fact->is != member_is[fact->member.kind])
                fail_msg("%s of a %s is no such member, or has no value", fact->key,
                         tables[t]->record);
            if (fact->positive && (fact->value != NULL || fact->is != LP_FACT_REAL))
                fail_msg("%s of a %s is no member that can be 0 or less", fact->key,
                         tables[t]->record);
            if (fact->is != LP_FACT_REAL && fact->is != LP_FACT_TEXT && fact->is != LP_FACT_FLAG &&
                fact->is != LP_FACT_LIST)
                fail_msg("%s of a %s: expected what its value is", fact->key, tables[t]->record);
            if (fact->is != LP_FACT_REAL && fact->dimension != LP_DIM_NONE)
                fail_msg("%s of a %s has a unit and is no number", fact->key, tables[t]->record);
            if (fact->of != 0 && tables[t]->traits == NULL)
                fail_msg("%s of a %s asks for traits that nobody tells", fact->key,
                         tables[t]->record);
        }
}

/* ---- writers ---- */

typedef struct Thing {
    double weight;
    const char *name;
    bool heavy;
    uint32_t legs;
    uint64_t hairs;
} Thing;

enum { HEAVY = 1 };
static unsigned traits_of(const void *record) {
    return ((const Thing *)record)->heavy ? HEAVY : 0;
}

static LpFactValue weight(const void *record, void *around) {
    (void)around;
    return lp_fact_real(((const Thing *)record)->weight);
}

static LpFactValue sides(const void *record, void *around) {
    static const uint32_t side[] = {3, 4, 5};
    (void)around;
    return ((const Thing *)record)->heavy ? lp_fact_list(side, 3) : lp_fact_absent();
}

#define MEMBER(name) .member = LP_FACT_MEMBER(Thing, name)
static const LpFact rows[] = {
    {"weight", LP_BYTES, "how heavy it is", LP_TO_JSON | LP_TO_CSV, .value = weight},
    {"name", LP_WORDS, "what it is called", LP_TO_JSON | LP_TO_CSV, .of = HEAVY, MEMBER(name)},
    {"sides", LP_COUNTS, "lengths", LP_TO_JSON | LP_TO_CSV, .value = sides},
    {"mass", LP_NUMBER, "the same", LP_TO_JSON, MEMBER(weight)},
    {"heavy", LP_FLAG, "it is", LP_TO_JSON | LP_TO_CSV, MEMBER(heavy)},
    {"legs", LP_NUMBER, "if any", LP_TO_JSON, MEMBER(legs), .positive = true},
    {"hairs", LP_NUMBER, "in all", LP_TO_JSON, MEMBER(hairs), .of = HEAVY, .optional = true},
};
static const LpFacts things = {"thing", rows, LP_COUNTOF(rows), traits_of};

static void expect_json(Thing thing, const char *want) {
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    lp_json_open(&json, NULL, '{');
    lp_facts_json(&things, &thing, NULL, &json);
    lp_json_close(&json, '}');
    assert_string_equal(lp_buf_text(&text), want);
    lp_buf_fini(&text);
}

static void json_has_every_key_that_is_not_absent(void **state) {
    (void)state;
    expect_json((Thing){2.5, "a \"b\"", true, 4, 1ull << 40},
                "{\"weight\":2.5,\"name\":\"a "
                "\\\"b\\\"\",\"sides\":[3,4,5],\"mass\":2.5,\"heavy\":true,\"legs\":4,\"hairs\":"
                "1099511627776}");
    expect_json((Thing){(double)INFINITY, "b", false, 0, 0},
                "{\"weight\":null,\"name\":null,\"mass\":null,\"heavy\":false,\"legs\":null}");
    expect_json((Thing){0, "", true, 0, 0}, "{\"weight\":0,\"name\":null,\"sides\":[3,4,5],"
                                            "\"mass\":0,\"heavy\":true,\"legs\":null,\"hairs\":0}");
}

static void expect_csv(Thing thing, const char *want) {
    LpBuf text = {0};
    LpCsvOut csv = {.out = &text};
    lp_facts_csv_titles(&things, &csv);
    lp_csv_end(&csv);
    lp_facts_csv(&things, &thing, NULL, &csv);
    lp_csv_end(&csv);
    assert_string_equal(lp_buf_text(&text), want);
    lp_buf_fini(&text);
}

static void csv_has_a_cell_for_every_title(void **state) {
    (void)state;
    expect_csv((Thing){2.5, "a,b", true, 0, 0},
               "weight,name,sides,heavy\n2.5,\"a,b\",3 4 5,true\n");
    expect_csv((Thing){(double)NAN, "a", false, 0, 0}, "weight,name,sides,heavy\n,,,false\n");
}

static void schema_has_types_and_units(void **state) {
    (void)state;
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    lp_json_open(&json, NULL, '{');
    lp_facts_schema(&things, &json);
    lp_json_close(&json, '}');
    assert_non_null(strstr(lp_buf_text(&text), "\"weight\":{\"type\":[\"number\",\"null\"],"
                                               "\"description\":\"how heavy it is, bytes\"}"));
    assert_non_null(strstr(lp_buf_text(&text), "\"sides\":{\"type\":[\"array\",\"null\"],"));
    assert_non_null(strstr(lp_buf_text(&text), "\"heavy\":{\"type\":[\"boolean\",\"null\"],"));
    lp_buf_fini(&text);
}

static void manual_has_an_item_for_every_key(void **state) {
    (void)state;
    LpBuf text = {0};
    lp_facts_man(&things, &text);
    const char *want = ".It Li weight\nhow heavy it is, bytes.\n.It Li name\nwhat it is called.\n";
    assert_memory_equal(lp_buf_text(&text), want, strlen(want));
    lp_buf_fini(&text);
}

static void one_value_is_printed_without_quotes(void **state) {
    (void)state;
    LpBuf text = {0};
    const Thing thing = {1.5, "a", true, 0, 0}, light = {1.5, "a", false, 0, 0};
    const LpFact *fact = lp_facts_find(&things, "name");
    LpFactValue is = lp_fact_value(&things, fact, &thing, NULL);
    lp_fact_print(&is, &text);
    is = lp_fact_value(&things, fact, &light, NULL);
    lp_fact_print(&is, &text);
    is = lp_fact_value(&things, lp_facts_find(&things, "sides"), &light, NULL);
    lp_fact_print(&is, &text);
    assert_string_equal(lp_buf_text(&text), "anullnull");
    assert_null(lp_facts_find(&things, "colour"));
    lp_buf_fini(&text);
}

TEST_GROUP(test_facts) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_whole),
        cmocka_unit_test(json_has_every_key_that_is_not_absent),
        cmocka_unit_test(csv_has_a_cell_for_every_title),
        cmocka_unit_test(schema_has_types_and_units),
        cmocka_unit_test(manual_has_an_item_for_every_key),
        cmocka_unit_test(one_value_is_printed_without_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
