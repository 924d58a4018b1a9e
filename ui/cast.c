/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes frames as asciicast events: rows that changed, from the first changed cell to the last. */
#include "cast.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "picture.h"

struct LpCast {
    FILE *file;
    LpCanvas shown;
    int64_t last;
    bool begun; /* a frame has been written */
};

static LpErr fail_write(LpDiag *diag) {
    return lp_fail(diag, LP_EIO, "the cast cannot be written: %s", strerror(errno));
}

LpErr lp_cast_open(const char *path, int cols, int rows, LpCast **out, LpDiag *diag) {
    LpCast *cast = lp_alloc(1, sizeof *cast);
    if (!cast)
        return lp_fail_memory(diag, "a cast");
    *cast = (LpCast){.file = fopen(path, "wb")};
    if (!cast->file) {
        char shown[LP_DIAG_FILE];
        lp_fail(diag, LP_EIO, "%s: %s", lp_str_show(shown, sizeof shown, path), strerror(errno));
        lp_free(cast);
        return LP_EIO;
    }
    fprintf(cast->file,
            "{\"version\": 2, \"width\": %d, \"height\": %d, \"env\": {\"TERM\": "
            "\"xterm-256color\"}}\n",
            cols, rows);
    *out = cast;
    return LP_OK;
}

/* --- what changed --- */

static bool same(const LpCell *a, const LpCell *b) {
    return a->cp == b->cp && a->style == b->style;
}

/* First and last column of a row that differ; false: none. */
static bool changed(const LpCast *cast, const LpCanvas *now, int y, int *first, int *last) {
    *first = -1;
    for (int x = 0; x < now->cols; x++) {
        if (cast->begun && same(lp_canvas_at(&cast->shown, x, y), lp_canvas_at(now, x, y)))
            continue;
        *first = *first < 0 ? x : *first;
        *last = x;
    }
    return *first >= 0;
}

static void add_row(const LpCanvas *now, const LpTheme *theme, int y, int first, int last,
                    LpBuf *out) {
    lp_buf_addf(out, "\x1b[%d;%dH", y + 1, first + 1);
    for (int x = first; x <= last; x++) {
        const LpCell *cell = lp_canvas_at(now, x, y);
        char utf8[4];
        if (x == first || cell->style != lp_canvas_at(now, x - 1, y)->style)
            lp_picture_sgr(theme, cell->style, out);
        lp_buf_add_bytes(out, utf8, lp_utf8_encode(cell->cp, utf8));
    }
}

/* JSON keeps the escape character as \u001b; all else is printable. */
static void write_event(const LpCast *cast, const char *kind, const char *text) {
    fprintf(cast->file, "[%lld.%03d, \"%s\", \"", (long long)(cast->last / 1000),
            (int)(cast->last % 1000), kind);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20)
            fprintf(cast->file, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            fprintf(cast->file, "\\%c", c);
        else
            fputc(c, cast->file);
    }
    fputs("\"]\n", cast->file);
}

static LpErr take_size(LpCast *cast, const LpCanvas *now, LpDiag *diag) {
    char size[32];
    if (cast->shown.rows == now->rows && cast->shown.cols == now->cols)
        return LP_OK;
    LP_TRY(lp_canvas_resize(&cast->shown, now->rows, now->cols, diag));
    snprintf(size, sizeof size, "%dx%d", now->cols, now->rows);
    if (cast->begun)
        write_event(cast, "r", size);
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
        write_event(cast, "o", lp_buf_text(&out));
    lp_buf_fini(&out);
    if (canvas->rows > 0 && canvas->cols > 0)
        memcpy(cast->shown.cell, canvas->cell,
               (size_t)canvas->rows * (size_t)canvas->cols * sizeof *canvas->cell);
    cast->begun = true;
    return err != LP_OK ? err : ferror(cast->file) ? fail_write(diag) : LP_OK;
}

LpErr lp_cast_close(LpCast *cast, LpDiag *diag) {
    if (!cast)
        return LP_OK;
    write_event(cast, "o", "\x1b[0m\x1b[?25h\r\n");
    bool good = !ferror(cast->file);
    good &= fclose(cast->file) == 0;
    lp_canvas_fini(&cast->shown);
    lp_free(cast);
    return good ? LP_OK : fail_write(diag);
}
