/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes frames as asciicast events: rows that changed, from the first changed cell to the last. */
#include "term/cast.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "host/write_file.h"
#include "term/picture.h"

struct LpCast {
    LpWriter file;
    LpBuf text; /* not written yet */
    bool failed;
    LpCanvas shown;
    int64_t last;
    bool begun; /* a frame has been written */
};

/* Everything that was added, at once. */
static LpErr write_out(LpCast *cast, LpDiag *diag) {
    LpErr err = lp_buf_ok(&cast->text, diag);
    if (err == LP_OK)
        err = lp_writer_add(&cast->file, lp_buf_text(&cast->text), cast->text.len, diag);
    lp_buf_clear(&cast->text);
    cast->failed |= err != LP_OK;
    return err;
}

LpErr lp_cast_open(const char *path, int cols, int rows, LpCast **out, LpDiag *diag) {
    LpWriteSpec spec = {.path = path, .kind = {"asciicast", "{\"version\":"}};
    LpCast *cast = lp_alloc(1, sizeof *cast);
    if (!cast)
        return lp_fail_memory(diag, "a cast");
    LpErr err = lp_writer_open(&cast->file, &spec, diag);
    if (err != LP_OK) {
        lp_free(cast);
        return err;
    }
    lp_buf_addf(&cast->text,
                "{\"version\": 2, \"width\": %d, \"height\": %d, \"env\": {\"TERM\": "
                "\"xterm-256color\"}}\n",
                cols, rows);
    *out = cast;
    return LP_OK;
}

/* ---- what changed ---- */

/* First and last column of a row that differ; false: none. */
static bool changed(const LpCast *cast, const LpCanvas *now, int y, int *first, int *last) {
    *first = *last = -1;
    for (int x = 0; x < now->cols; x++) {
        if (cast->begun && lp_cell_same(lp_canvas_at(&cast->shown, x, y), lp_canvas_at(now, x, y)))
            continue;
        *first = *first < 0 ? x : *first;
        *last = x;
    }
    /* a wide character is written from its first cell on */
    *first -= *first > 0 && lp_canvas_at(now, *first, y)->cp == LP_CELL_REST;
    return *first >= 0;
}

static void add_row(const LpCanvas *now, const LpTheme *theme, int y, int first, int last,
                    LpBuf *out) {
    lp_buf_addf(out, "\x1b[%d;%dH", y + 1, first + 1);
    for (int x = first; x <= last; x++) {
        LpCell cell = lp_canvas_shown(now, x, y);
        char utf8[LP_CELL_UTF8];
        if (x == first || cell.style != lp_canvas_at(now, x - 1, y)->style)
            lp_picture_sgr(theme, cell.style, out);
        lp_buf_add_bytes(out, utf8, lp_cell_utf8(&cell, utf8));
    }
}

/* JSON keeps the escape character as \u001b; all else is printable. */
static void add_event(LpCast *cast, const char *kind, const char *text) {
    LpBuf *out = &cast->text;
    lp_buf_addf(out, "[%lld.%03d, \"%s\", \"", (long long)(cast->last / 1000),
                (int)(cast->last % 1000), kind);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            lp_buf_addf(out, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            lp_buf_addf(out, "\\%c", c);
        else
            lp_buf_add_bytes(out, text, 1);
    }
    lp_buf_add(out, "\"]\n");
}

static LpErr take_size(LpCast *cast, const LpCanvas *now, LpDiag *diag) {
    char size[32];
    if (cast->shown.rows == now->rows && cast->shown.cols == now->cols)
        return LP_OK;
    LP_TRY(lp_canvas_resize(&cast->shown, now->rows, now->cols, diag));
    snprintf(size, sizeof size, "%dx%d", now->cols, now->rows);
    if (cast->begun)
        add_event(cast, "r", size);
    cast->begun = false;
    return LP_OK;
}

LpErr lp_cast_frame(LpCast *cast, const LpCanvas *canvas, const LpTheme *theme, int64_t ms,
                    LpDiag *diag) {
    LpBuf out = {0};
    int first, last;
    cast->last = ms > cast->last ? ms : cast->last;
    LP_TRY(take_size(cast, canvas, diag));
    if (!cast->begun)
        lp_buf_add(&out, "\x1b[?25l\x1b[2J");
    for (int y = 0; y < canvas->rows; y++)
        if (changed(cast, canvas, y, &first, &last))
            add_row(canvas, theme, y, first, last, &out);
    LpErr err = lp_buf_ok(&out, diag);
    if (err == LP_OK && out.len > 0)
        add_event(cast, "o", lp_buf_text(&out));
    lp_buf_fini(&out);
    if (canvas->rows > 0 && canvas->cols > 0)
        memcpy(cast->shown.cell, canvas->cell,
               (size_t)canvas->rows * (size_t)canvas->cols * sizeof *canvas->cell);
    cast->begun = true;
    return err == LP_OK ? write_out(cast, diag) : err;
}

static void free_cast(LpCast *cast) {
    lp_buf_fini(&cast->text);
    lp_canvas_fini(&cast->shown);
    lp_free(cast);
}

LpErr lp_cast_close(LpCast *cast, LpDiag *diag) {
    if (!cast)
        return LP_OK;
    LpErr err = LP_OK;
    add_event(cast, "o", "\x1b[0m\x1b[?25h\r\n");
    if (!cast->failed)
        err = write_out(cast, diag);
    if (cast->failed)
        lp_writer_drop(&cast->file);
    else
        err = lp_writer_close(&cast->file, diag);
    free_cast(cast);
    return err;
}

void lp_cast_drop(LpCast *cast) {
    if (!cast)
        return;
    lp_writer_drop(&cast->file);
    free_cast(cast);
}
