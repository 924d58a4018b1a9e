/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: one row of a list of columns says all of a column. Titles, rows, searching, ordering,
 * what a click on a title tells, the help of a view and CSV read that list. */
#ifndef LP_UI_WIDGETS_TABLE_H
#define LP_UI_WIDGETS_TABLE_H

#include <math.h>

#include "base/str.h"
#include "term/canvas.h"
#include "widgets/show.h"

/* A row: what the list belongs to, and the row's own struct. */
typedef struct LpTableRow {
    const void *list, *item;
    int index;   /* in CSV */
    LpBuf *room; /* for words that are made for it; emptied before each value */
} LpTableRow;

/* What a column says of a row: words, or, with text NULL, a number (NAN: not known). */
typedef struct LpTableValue {
    const char *text;
    double number;
    bool quoted; /* words of a language, which CSV has in quotes */
} LpTableValue;

typedef LpTableValue LpTableOf(const LpTableRow *row);
/* As it stands on the screen: a number that is known, or words. Returns text, or the words. */
typedef const char *LpTablePrint(const LpTableRow *row, LpTableValue value,
                                 char text[LP_SHOW_TEXT]);

typedef struct LpColumn {
    const char *name; /* its title on the screen; NULL: it is not there */
    const char *key;  /* its name in CSV; NULL: it is not there */
    const char *unit, *meaning;
    int width;           /* of words, which begin where the column stands; 0: a number ends there */
    LpTablePrint *print; /* NULL: the view draws it by itself */
    LpTableOf *value;
} LpColumn;

enum { LP_TABLE_COLUMNS = 32, LP_TABLE_REST = 1000 }; /* width: as far as the area goes */

typedef struct LpTable {
    const LpColumn *column;
    int columns;
    uint32_t hit;                  /* of its titles: LP_TABLE_COLUMNS times a number of its own */
    int (*rows)(const void *list); /* for CSV */
    const void *(*item)(const void *list, int row);
    LpStyle (*style)(const LpTableRow *row, int column); /* NULL: all are plain text */
} LpTable;

/* A list of columns is X(ID, name, key, unit, meaning, width, print, value); the value is an
 * expression in `it`, the row's item (LP_TABLE_ITEM is its type), and `row`: a number, a word, or
 * what lp_table_text gives. These make of it an enum of places, functions, and rows of LpColumn. */
#define LP_TABLE_ID(id, ...) COLUMN_##id,
#define LP_TABLE_VALUE(id, name, key, unit, meaning, width, print, value)                            \
    static LpTableValue value_##id(const LpTableRow *row) {                                          \
        const LP_TABLE_ITEM *it = row->item;                                                         \
        (void)it;                                                                                    \
        return _Generic((value), char *: lp_table_word, const char *: lp_table_word,               \
                        LpTableValue: lp_table_same, default: lp_table_number)(value); \
    }
#define LP_TABLE_COLUMN(id, name, key, unit, meaning, width, print, value)                         \
    {name, key, unit, meaning, width, print, value_##id},

static inline LpTableValue lp_table_same(LpTableValue value) {
    return value;
}

static inline LpTableValue lp_table_number(double number) {
    return (LpTableValue){NULL, number, false};
}

static inline LpTableValue lp_table_word(const char *word) {
    return (LpTableValue){word ? word : "", (double)NAN, false};
}

static inline LpTableValue lp_table_flag(bool flag) {
    return lp_table_word(flag ? "true" : "false");
}

static inline LpTableValue lp_table_text(const char *text) {
    return (LpTableValue){text ? text : "", (double)NAN, true};
}

/* Ways to print: words as they are, and numbers. */
LpTablePrint lp_table_words, lp_table_seconds, lp_table_percent, lp_table_count;

LpTableValue lp_table_value(const LpTable *table, const LpTableRow *row, int column);
/* "-" where nothing is known; good until `text` and the row are. */
const char *lp_table_print(const LpTable *table, const LpTableRow *row, int column,
                           char text[LP_SHOW_TEXT]);

/* at[column]: where each column stands, 0: left out. Titles on the first row, the one that sorts
 * (-1: none) underlined; they can be clicked. */
void lp_table_titles(const LpTable *table, const LpArea *area, const int *at, int sorts);
/* The cells of a row that are not the view's own. */
void lp_table_draw(const LpTable *table, const LpArea *area, int y, const int *at,
                   const LpTableRow *row);

/* All of its rows (RFC 4180); what is not known is empty. Errors: LP_ENOMEM. */
LpErr lp_table_csv(const LpTable *table, const void *list, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
