/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts: what is told of a record, one row each. Writers walk rows and know no record; a row knows
 * no format. */
#ifndef LP_BASE_FACT_H
#define LP_BASE_FACT_H

#include <stddef.h>

#include "base/csv_out.h"
#include "base/json_out.h"
#include "base/num.h"

typedef enum LpFactIs {
    LP_FACT_NULL,   /* not known, or the record has no such thing */
    LP_FACT_ABSENT, /* the same, and JSON leaves the key out */
    LP_FACT_REAL,   /* also a count */
    LP_FACT_TEXT,
    LP_FACT_FLAG,
    LP_FACT_LIST /* of whole numbers */
} LpFactIs;

typedef struct LpFactValue {
    LpFactIs is;
    double real;          /* of a flag 0 or 1 */
    const char *text;     /* good until the next value is asked for */
    const uint32_t *item; /* good as long as `text` */
    uint32_t items;
} LpFactValue;

/* A text of "" or NULL is not known, nor is a number that is not finite. */
LpFactValue lp_fact_real(double value);
LpFactValue lp_fact_text(const char *value);
LpFactValue lp_fact_flag(bool value);
LpFactValue lp_fact_list(const uint32_t *item, uint32_t items);
LpFactValue lp_fact_null(void);
LpFactValue lp_fact_absent(void);

/* Where a fact is told. */
enum { LP_TO_JSON = 1, LP_TO_CSV = 2 };

/* A member of the record, for facts that are one. */
typedef enum LpMemberKind {
    LP_MEMBER_NONE,
    LP_MEMBER_REAL,
    LP_MEMBER_U32,
    LP_MEMBER_U64,
    LP_MEMBER_FLAG,
    LP_MEMBER_TEXT
} LpMemberKind;
typedef struct LpFactMember {
    size_t offset;
    LpMemberKind kind;
} LpFactMember;
/* clang-format off */
#define LP_FACT_MEMBER(type, name)                                                                 \
    {offsetof(type, name),                                                                         \
     _Generic(((type *)NULL)->name, double: LP_MEMBER_REAL, uint32_t: LP_MEMBER_U32,               \
              uint64_t: LP_MEMBER_U64, bool: LP_MEMBER_FLAG, const char *: LP_MEMBER_TEXT)}
/* clang-format on */

/* The first five members stand in their order in a row, the rest by name. */
typedef struct LpFact {
    const char *key; /* of JSON, CSV and paths into results: never renamed */
    LpFactIs is;     /* what its value is when it is known */
    LpDimension dimension;
    const char *meaning; /* a clause */
    unsigned to;         /* LP_TO_JSON | LP_TO_CSV */
    unsigned of;         /* traits that the record must have: else null, or absent */
    LpFactMember member; /* its value, or: */
    bool positive;       /* the member is not known where it is 0 or less */
    bool or_number;      /* a text that may be a number instead */
    bool optional;       /* it may be absent, and is where the record lacks traits */
    /* record: of the table's kind; around: what it stands in, also room for texts and lists. */
    LpFactValue (*value)(const void *record, void *around);
} LpFact;
/* The second and third member of a row. */
#define LP_NUMBER LP_FACT_REAL, LP_DIM_NONE
#define LP_SECONDS LP_FACT_REAL, LP_DIM_TIME
#define LP_BYTES LP_FACT_REAL, LP_DIM_BYTES
#define LP_WORDS LP_FACT_TEXT, LP_DIM_NONE
#define LP_FLAG LP_FACT_FLAG, LP_DIM_NONE
#define LP_COUNTS LP_FACT_LIST, LP_DIM_NONE

typedef struct LpFacts {
    const char *record; /* "job" */
    const LpFact *fact;
    size_t facts;
    unsigned (*traits)(const void *record); /* that `of` asks for; NULL: none */
} LpFacts;

/* The fact's value; null, or absent if it is optional, where the record lacks a trait. */
LpFactValue lp_fact_value(const LpFacts *facts, const LpFact *fact, const void *record,
                          void *around);
/* NULL: there is none of that key. O(facts). */
const LpFact *lp_facts_find(const LpFacts *facts, const char *key);

/* Members of an object that is open. */
void lp_facts_json(const LpFacts *facts, const void *record, void *around, LpJsonOut *out);
/* Cells of a row, in the order of the titles; a list is numbers with blanks between them. */
void lp_facts_csv_titles(const LpFacts *facts, LpCsvOut *out);
void lp_facts_csv(const LpFacts *facts, const void *record, void *around, LpCsvOut *out);
/* Properties of a JSON Schema, in an object that is open: what the values are, in SI units. */
void lp_facts_schema(const LpFacts *facts, LpJsonOut *out);
/* Items of a list of a manual: keys with meaning and unit. */
void lp_facts_man(const LpFacts *facts, LpBuf *out);
/* As JSON has it, but a text without quotes. */
void lp_fact_print(const LpFactValue *value, LpBuf *out);

#endif
