/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The candidates that a policy explained, as lines of a table under their label. */
#include <string.h>

#include "ask/inspect/inspect_policy.h"
#include "ask/inspect/story_impl.h"

/* Cells of one row; their texts are shown escaped. */
typedef struct Cells {
    const char *const *cell;
    uint32_t count;
} Cells;

static Cells cells_of(const LpExplained *table, uint32_t row) {
    return (Cells){table->cell + (size_t)row * table->columns, table->columns};
}

/* Columns that the text takes: its code points, none of which is wide once it is escaped. */
static uint32_t width_of(const LpBuf *text) {
    uint32_t width = 0;
    for (const char *at = lp_buf_text(text); *at != '\0'; at++)
        width += ((unsigned char)*at & 0xC0) != 0x80;
    return width;
}

static uint32_t shown_width(const char *cell) {
    LpBuf text = {0};
    lp_str_escape(&text, cell, strlen(cell));
    uint32_t width = width_of(&text);
    lp_buf_fini(&text);
    return width;
}

static uint32_t column_width(const LpExplained *table, uint32_t column) {
    uint32_t most = shown_width(table->column[column]);
    for (uint32_t row = 0; row < table->rows; row++) {
        uint32_t width = shown_width(cells_of(table, row).cell[column]);
        most = width > most ? width : most;
    }
    return most;
}

static bool is_number(const char *text) {
    return text[strspn(text, "+-0123456789.eE %")] == '\0';
}

/* Numbers stand to the right of their column, as its title does then. */
static bool is_right(const LpExplained *table, uint32_t column) {
    for (uint32_t row = 0; row < table->rows; row++)
        if (!is_number(cells_of(table, row).cell[column]))
            return false;
    return true;
}

/* How a column is set. */
typedef struct Column {
    uint32_t width;
    bool right;
} Column;

static void add_row(const Column *column, Cells cells, bool taken, LpBuf *out) {
    uint32_t owed = 0; /* blanks that stand only before another cell */
    lp_buf_add(out, taken ? "> " : "  ");
    for (uint32_t c = 0; c < cells.count; c++) {
        uint32_t rest = column[c].width - shown_width(cells.cell[c]);
        uint32_t count = owed + (column[c].right ? rest : 0);
        for (uint32_t i = 0; i < count; i++)
            lp_buf_add(out, " ");
        lp_str_escape(out, cells.cell[c], strlen(cells.cell[c]));
        owed = 2 + (column[c].right ? 0 : rest);
    }
    lp_buf_add(out, "\n");
}

static LpErr add_table(const LpExplained *table, LpArena *arena, LpBuf *out) {
    Column *column = lp_arena_alloc(arena, table->columns, sizeof *column);
    if (column == NULL)
        return LP_ENOMEM;
    for (uint32_t c = 0; c < table->columns; c++)
        column[c] = (Column){column_width(table, c), is_right(table, c)};
    lp_story_label(out, "considered");
    add_row(column, (Cells){table->column, table->columns}, false, out);
    for (uint32_t row = 0; row < table->rows; row++) {
        lp_story_label(out, "");
        add_row(column, cells_of(table, row), (int32_t)row == table->chosen, out);
    }
    return LP_OK;
}

LpErr lp_story_considered(const LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpExplained table;
    if (arena == NULL)
        return lp_fail_memory(diag, "the story of a job");
    LpErr err = lp_session_explained_table(session, job, arena, &table, diag);
    if (err == LP_OK && table.columns > 0 && table.rows > 0 &&
        add_table(&table, arena, out) != LP_OK)
        err = lp_fail_memory(diag, "the story of a job");
    lp_arena_free(arena);
    return err;
}
