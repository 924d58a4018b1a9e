/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/fact.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- values ---- */

LpFactValue lp_fact_real(double value) {
    return (LpFactValue){.is = isfinite(value) ? LP_FACT_REAL : LP_FACT_NULL, .real = value};
}

LpFactValue lp_fact_text(const char *value) {
    bool known = value != NULL && value[0] != '\0';
    return (LpFactValue){.is = known ? LP_FACT_TEXT : LP_FACT_NULL, .text = value};
}

LpFactValue lp_fact_flag(bool value) {
    return (LpFactValue){.is = LP_FACT_FLAG, .real = value};
}

LpFactValue lp_fact_list(const uint32_t *item, uint32_t items) {
    return (LpFactValue){.is = LP_FACT_LIST, .item = item, .items = items};
}

LpFactValue lp_fact_null(void) {
    return (LpFactValue){.is = LP_FACT_NULL};
}

LpFactValue lp_fact_absent(void) {
    return (LpFactValue){.is = LP_FACT_ABSENT};
}

static LpFactValue member_of(const LpFactMember *member, const void *record) {
    const void *at = (const char *)record + member->offset;
    switch (member->kind) {
    case LP_MEMBER_REAL:
        return lp_fact_real(*(const double *)at);
    case LP_MEMBER_U32:
        return lp_fact_real(*(const uint32_t *)at);
    case LP_MEMBER_U64:
        return lp_fact_real((double)*(const uint64_t *)at);
    case LP_MEMBER_FLAG:
        return lp_fact_flag(*(const bool *)at);
    case LP_MEMBER_TEXT:
        return lp_fact_text(*(const char *const *)at);
    case LP_MEMBER_NONE:
        break;
    }
    return lp_fact_absent();
}

LpFactValue lp_fact_value(const LpFacts *facts, const LpFact *fact, const void *record,
                          void *around) {
    unsigned has = facts->traits != NULL ? facts->traits(record) : 0;
    if ((fact->of & ~has) != 0)
        return fact->optional ? lp_fact_absent() : lp_fact_null();
    LpFactValue value =
        fact->value != NULL ? fact->value(record, around) : member_of(&fact->member, record);
    return fact->positive && !(value.real > 0) ? lp_fact_null() : value;
}

const LpFact *lp_facts_find(const LpFacts *facts, const char *key) {
    for (size_t i = 0; i < facts->facts; i++)
        if (strcmp(facts->fact[i].key, key) == 0)
            return &facts->fact[i];
    return NULL;
}

/* ---- JSON ---- */

static void put(LpJsonOut *out, const char *key, const LpFactValue *value) {
    switch (value->is) {
    case LP_FACT_ABSENT:
        break;
    case LP_FACT_NULL:
        lp_json_put_null(out, key);
        break;
    case LP_FACT_REAL:
        lp_json_put_number(out, key, value->real);
        break;
    case LP_FACT_TEXT:
        lp_json_put_text(out, key, value->text);
        break;
    case LP_FACT_FLAG:
        lp_json_put_bool(out, key, value->real != 0);
        break;
    case LP_FACT_LIST:
        lp_json_put_counts(out, key, value->item, value->items);
        break;
    }
}

void lp_facts_json(const LpFacts *facts, const void *record, void *around, LpJsonOut *out) {
    for (size_t i = 0; i < facts->facts; i++) {
        if (!(facts->fact[i].to & LP_TO_JSON))
            continue;
        LpFactValue value = lp_fact_value(facts, &facts->fact[i], record, around);
        put(out, facts->fact[i].key, &value);
    }
}

void lp_fact_print(const LpFactValue *value, LpBuf *out) {
    LpJsonOut json = {.out = out};
    if (value->is == LP_FACT_TEXT)
        lp_buf_add(out, value->text);
    else if (value->is == LP_FACT_ABSENT)
        lp_json_put_null(&json, NULL);
    else
        put(&json, NULL, value);
}

static const char *unit_of(LpDimension dimension) {
    static const char *const units[] = {[LP_DIM_NONE] = "",
                                        [LP_DIM_TIME] = ", s",
                                        [LP_DIM_BYTES] = ", bytes",
                                        [LP_DIM_BANDWIDTH] = ", bytes/s",
                                        [LP_DIM_FLOPS] = ", FLOP/s"};
    return units[dimension];
}

void lp_facts_schema(const LpFacts *facts, LpJsonOut *out) {
    static const char *const types[] = {[LP_FACT_REAL] = "number",
                                        [LP_FACT_TEXT] = "string",
                                        [LP_FACT_FLAG] = "boolean",
                                        [LP_FACT_LIST] = "array"};
    for (size_t i = 0; i < facts->facts; i++) {
        const LpFact *fact = &facts->fact[i];
        const char *type[] = {types[fact->is], "null", "number"};
        LpBuf words = {0};
        if (!(fact->to & LP_TO_JSON))
            continue;
        lp_buf_addf(&words, "%s%s", fact->meaning, unit_of(fact->dimension));
        lp_json_open(out, fact->key, '{');
        lp_json_put_texts(out, "type", type, fact->or_number ? 3 : 2);
        if (fact->is == LP_FACT_LIST)
            lp_json_put_raw(out, "items", "{\"type\": \"integer\"}");
        lp_json_put_text(out, "description", lp_buf_text(&words));
        out->out->failed = out->out->failed || words.failed;
        lp_json_close(out, '}');
        lp_buf_fini(&words);
    }
}

void lp_facts_man(const LpFacts *facts, LpBuf *out) {
    for (size_t i = 0; i < facts->facts; i++) {
        const LpFact *fact = &facts->fact[i];
        lp_buf_addf(out, ".It Li %s\n%s%s.\n", fact->key, fact->meaning, unit_of(fact->dimension));
    }
}

/* ---- CSV ---- */

void lp_facts_csv_titles(const LpFacts *facts, LpCsvOut *out) {
    for (size_t i = 0; i < facts->facts; i++)
        if (facts->fact[i].to & LP_TO_CSV)
            lp_csv_put_words(out, facts->fact[i].key);
}

static void put_list(LpCsvOut *out, const LpFactValue *value) {
    lp_csv_put_words(out, "");
    for (uint32_t i = 0; i < value->items; i++)
        lp_buf_addf(out->out, "%s%" PRIu32, i > 0 ? " " : "", value->item[i]);
}

void lp_facts_csv(const LpFacts *facts, const void *record, void *around, LpCsvOut *out) {
    for (size_t i = 0; i < facts->facts; i++) {
        if (!(facts->fact[i].to & LP_TO_CSV))
            continue;
        LpFactValue value = lp_fact_value(facts, &facts->fact[i], record, around);
        if (value.is == LP_FACT_REAL)
            lp_csv_put_number(out, value.real);
        else if (value.is == LP_FACT_LIST)
            put_list(out, &value);
        else if (value.is == LP_FACT_FLAG)
            lp_csv_put_words(out, value.real != 0 ? "true" : "false");
        else
            lp_csv_put_text(out, value.is == LP_FACT_TEXT ? value.text : NULL);
    }
}
