/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of text, a row a line, streamed from a file that may be packed: columns by name, fields in
 * quotes as RFC 4180 has them, numbers and moments with sentences where they are none. */
#ifndef LP_IMPORT_ROWS_TABLE_H
#define LP_IMPORT_ROWS_TABLE_H

#include "import/rows/format.h"
#include "io/files/lines.h"

typedef struct LpTraceTable {
    const char *const *column; /* names that the reader knows, in its own order */
    size_t columns;
    size_t needed;      /* of the first this many each must be there */
    char separator;     /* ',' or '|'; ' ': any number of blanks and tabs */
    bool any_case;      /* of names */
    bool headless;      /* no line of names: the fields are the columns, in this order */
    bool quotes;        /* a field may stand in quotes */
    bool open_end;      /* a separator may stand behind the last field */
    bool uncounted;     /* its rows are not rows of the trace: a second table */
    size_t loose;       /* number from 1 of the column that may hold separators; 0: none may */
    const char *advice; /* said where a column is missing; NULL: none */
    const char
        *comment; /* lines that begin with one of these letters are passed over; NULL: none */
} LpTraceTable;

typedef struct LpTraceRow {
    const LpTraceTable *table;
    LpLineFile *lines;
    char *const *field; /* of the file's columns, blanks around them taken off */
    size_t fields;
    const int *at; /* column of the table -> field of the file, -1: the file has none */
} LpTraceRow;

typedef LpErr LpRowReader(void *user, LpReading *reading, const LpTraceRow *row, LpDiag *diag);

/* Reads a file row by row. Blank lines are passed over; each row has to be taken or left out
 * (import/rows/rows.h) by `read` exactly once, and one that fails is a bad row. Errors: those of
 * `read`; LP_EPARSE for missing columns and for rows of another number of fields. */
LpErr lp_table_read(LpReading *reading, const char *file, const LpTraceTable *table,
                    LpRowReader *read, void *user, LpDiag *diag) LP_MUST_USE;

/* Has the file this column? */
bool lp_row_has(const LpTraceRow *row, size_t column);
/* The text of a column; "" where the file has no such column. */
const char *lp_row_text(const LpTraceRow *row, size_t column);
/* A finite number. LP_EPARSE naming line, column and text. */
LpErr lp_row_number(const LpTraceRow *row, size_t column, double *out, LpDiag *diag) LP_MUST_USE;
/* A moment: lp_when_parse. */
LpErr lp_row_when(const LpTraceRow *row, size_t column, int64_t *ns, LpDiag *diag) LP_MUST_USE;
/* A moment that is a number of seconds: lp_ns_of. LP_EPARSE. */
LpErr lp_row_seconds(const LpTraceRow *row, size_t column, int64_t *ns, LpDiag *diag) LP_MUST_USE;
/* A copy in small letters (ASCII), cut to size. Returns out. */
const char *lp_text_lower(const char *text, char *out, size_t size);
/* Seconds from `begin` to `end`, moments that one of the functions here gave. */
double lp_ns_between(int64_t begin, int64_t end);
/* Nanoseconds of a number of seconds; false from LP_NS_SECONDS on either way, so that 64 bits hold
 * the difference of any two moments. */
#define LP_NS_SECONDS 4.5e9
bool lp_ns_of(double seconds, int64_t *ns);

/* Nanoseconds since 1970 of "2020-06-09 18:41:01", also with T in the middle, a fraction, and Z,
 * +08:00 or +0800 at the end; without an offset as if it were UTC. *offset (NULL allowed): has it
 * one? False where the text is no such moment of the years 1830 to 2110. */
bool lp_when_parse(const char *text, int64_t *ns, bool *offset);
/* Seconds of "1-02:03:04", "02:03:04", "03:04" (days-hours:minutes:seconds[.fraction]), as Slurm
 * writes spans. False otherwise. */
bool lp_span_parse(const char *text, double *out);

#endif
