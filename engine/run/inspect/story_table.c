/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The candidates that a policy explained, as lines of a table under their label. */
#include <string.h>

#include "run/inspect/policy.h"
#include "run/inspect/story_impl.h"

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

static void add_blanks(LpBuf *out, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        lp_buf_add(out, " ");
}

static void add_row(const LpExplained *table, Cells cells, bool taken, LpBuf *out) {
    uint32_t owed = 0; /* blanks that stand only before another cell */
    lp_buf_add(out, taken ? "> " : "  ");
    for (uint32_t c = 0; c < cells.count; c++) {
        uint32_t rest = column_width(table, c) - shown_width(cells.cell[c]);
        bool right = is_right(table, c);
        add_blanks(out, owed + (right ? rest : 0));
        lp_str_escape(out, cells.cell[c], strlen(cells.cell[c]));
        owed = 2 + (right ? 0 : rest);
    }
    lp_buf_add(out, "\n");
}

LpErr lp_story_considered(const LpSession *session, uint32_t job, LpBuf *out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpExplained table;
    if (arena == NULL)
        return lp_fail_memory(diag, "the story of a job");
    LpErr err = lp_session_explained_table(session, job, arena, &table, diag);
    if (err == LP_OK && table.columns > 0 && table.rows > 0) {
        lp_story_label(out, "considered");
        add_row(&table, (Cells){table.column, table.columns}, false, out);
        for (uint32_t row = 0; row < table.rows; row++) {
            lp_story_label(out, "");
            add_row(&table, cells_of(&table, row), (int32_t)row == table.chosen, out);
        }
    }
    lp_arena_free(arena);
    return err;
}
