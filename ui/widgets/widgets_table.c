/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables on the screen and as CSV. */
#include "widgets/widgets_table.h"

#include <stdio.h>

#include "base/csv_out.h"

/* ---- a cell ---- */

const char *lp_table_words(const LpTableRow *row LP_UNUSED, LpTableValue value,
                           char text[LP_SHOW_TEXT]) {
    (void)text;
    return value.text;
}

const char *lp_table_seconds(const LpTableRow *row LP_UNUSED, LpTableValue value,
                             char text[LP_SHOW_TEXT]) {
    return lp_show_seconds(value.number, text);
}

const char *lp_table_percent(const LpTableRow *row LP_UNUSED, LpTableValue value,
                             char text[LP_SHOW_TEXT]) {
    return lp_show_percent(value.number, text);
}

const char *lp_table_count(const LpTableRow *row LP_UNUSED, LpTableValue value,
                           char text[LP_SHOW_TEXT]) {
    return lp_show_count((uint64_t)value.number, text);
}

LpTableValue lp_table_value(const LpTable *table, const LpTableRow *row, int column) {
    if (row->room)
        lp_buf_clear(row->room);
    return table->column[column].value(row);
}

const char *lp_table_print(const LpTable *table, const LpTableRow *row, int column,
                           char text[LP_SHOW_TEXT]) {
    LpTableValue value = lp_table_value(table, row, column);
    if (value.text)
        return value.text;
    return isnan(value.number) ? "-" : table->column[column].print(row, value, text);
}

/* ---- on the screen ---- */

static void put(const LpArea *area, int at, int y, int width, LpStyle style, const char *text) {
    int room = area->rect.w - at;
    if (width == 0)
        lp_area_right(area, at, y, style, text);
    else
        lp_area_fit(area, at, y, width < LP_TABLE_REST ? width : room, style, text);
}

void lp_table_titles(const LpTable *table, const LpArea *area, const int *at, int sorts) {
    for (int c = 0; c < table->columns; c++) {
        const LpColumn *column = &table->column[c];
        if (at[c] == 0 || !column->name)
            continue;
        int width = lp_text_width(column->name);
        LpStyle style = c == sorts ? LP_ROLE_LABEL | LP_UNDERLINE : (LpStyle)LP_ROLE_MUTED;
        if (column->width && !column->print)
            lp_area_text(area, at[c], 0, style, column->name);
        else
            put(area, at[c], 0, column->width, style, column->name);
        lp_area_hit(area, (LpRect){column->width ? at[c] : at[c] - width, 0, width, 1},
                    LP_HIT_TITLE, table->hit + (uint32_t)c);
    }
}

void lp_table_draw(const LpTable *table, const LpArea *area, int y, const int *at,
                   const LpTableRow *row) {
    for (int c = 0; c < table->columns; c++) {
        char text[LP_SHOW_TEXT];
        if (at[c] == 0 || !table->column[c].print)
            continue;
        const char *shown = lp_table_print(table, row, c, text);
        put(area, at[c], y, table->column[c].width,
            table->style ? table->style(row, c) : (LpStyle)LP_ROLE_TEXT, shown);
    }
}

/* ---- CSV ---- */

static void put_cell(LpCsvOut *csv, LpTableValue value) {
    if (!value.text)
        lp_csv_put_number(csv, value.number);
    else if (value.quoted)
        lp_csv_put_quoted(csv, value.text);
    else
        lp_csv_put_text(csv, value.text);
}

LpErr lp_table_csv(const LpTable *table, const void *list, LpBuf *out, LpDiag *diag) {
    LpBuf room = {0};
    LpCsvOut csv = {.out = out};
    int rows = table->rows(list);
    for (int i = -1; i < rows; i++) { /* -1: the names */
        LpTableRow row = {list, i < 0 ? NULL : table->item(list, i), i, &room};
        for (int c = 0; c < table->columns; c++) {
            const char *key = table->column[c].key;
            if (key)
                put_cell(&csv, i < 0 ? lp_table_word(key) : lp_table_value(table, &row, c));
        }
        lp_csv_end(&csv);
    }
    out->failed |= room.failed;
    lp_buf_fini(&room);
    return lp_buf_ok(out, diag);
}
