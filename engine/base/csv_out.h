/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes tables as CSV (RFC 4180): what all of them have alike. Cells stand one after the other;
 * lp_csv_end ends a line. Whether memory lasted, the buffer knows at the end (lp_buf_ok). */
#ifndef LP_BASE_CSV_OUT_H
#define LP_BASE_CSV_OUT_H

#include "base/str.h"

/* How a command writes CSV, as --csv says it. */
typedef enum LpCsvMode {
    LP_CSV_NONE, /* not at all */
    LP_CSV_SAFE, /* texts that a spreadsheet would compute are neutralised, see lp_str_csv */
    LP_CSV_RAW   /* texts stay */
} LpCsvMode;

/* {.out = buffer, .raw = whether texts stay}; the rest starts as zeros. */
typedef struct LpCsvOut {
    LpBuf *out; /* borrowed; may be emptied between two calls */
    bool more;  /* the line has begun */
    bool raw;   /* texts stay as they are also where a spreadsheet would take them for formulas */
} LpCsvOut;

/* Cells that stand as they are, such as a header of words ("job,degree"); NULL: an empty cell. */
void lp_csv_put_words(LpCsvOut *csv, const char *words);
/* Escaped, in quotes where it needs them; NULL: an empty cell. */
void lp_csv_put_text(LpCsvOut *csv, const char *text);
void lp_csv_put_quoted(LpCsvOut *csv, const char *text); /* in quotes always */
void lp_csv_put_number(LpCsvOut *csv, double value);     /* empty unless finite */
void lp_csv_put_count(LpCsvOut *csv, uint64_t value);
void lp_csv_end(LpCsvOut *csv);

#endif
