/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A moment as a command line: shown, handed to the terminal's clipboard, or written to a file. */
#include <stdio.h>
#include <string.h>

#include "app/keep/keep.h"
#include "app/show/show.h"
#include "host/write_file.h"
#include "session/moment/line.h"

static LpErr make_line(const LpApp *app, LpBuf *out, bool *all, LpDiag *diag) {
    LpBuf line = {0};
    lp_buf_add(&line, app->copied.command_line ? app->copied.command_line : "lightpath SCENARIO");
    lp_moment_words(app->session, app->file.path != NULL, &line, all);
    lp_moment_expect(app->session, &line);
    LpErr err = lp_buf_ok(&line, diag);
    if (err == LP_OK && line.len > LP_YANK_MOST)
        err = lp_fail(diag, LP_ELIMIT, "the line would have %zu bytes, limit %d", line.len,
                      LP_YANK_MOST);
    if (err == LP_OK) /* names of branches and files are what others wrote */
        lp_str_guard(out, lp_buf_text(&line), line.len);
    lp_buf_fini(&line);
    return err == LP_OK ? lp_buf_ok(out, diag) : err;
}

/* A new file, or a line more in one that is there. */
static LpErr append_line(const char *path, const LpBuf *line, LpDiag *diag) {
    LpWriteSpec spec = {.path = path};
    LpWriter file = {0};
    LpBuf text = {0};
    lp_buf_addf(&text, "%s\n", lp_buf_text(line));
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK)
        err = lp_writer_append(&file, &spec, diag);
    if (err == LP_OK)
        err = lp_writer_add(&file, lp_buf_text(&text), text.len, diag);
    if (err == LP_OK)
        err = lp_writer_close(&file, diag);
    lp_writer_drop(&file);
    lp_buf_fini(&text);
    return err;
}

LpErr lp_app_yank(LpApp *app, const char *path, LpDiag *diag) {
    bool all = true;
    lp_buf_clear(&app->copied.text);
    LP_TRY(make_line(app, &app->copied.text, &all, diag));
    if (path)
        LP_TRY(append_line(path, &app->copied.text, diag));
    app->copied.due = true; /* the terminal's clipboard, where there is one */
    if (lp_text_width(lp_buf_text(&app->copied.text)) + 2 > app->canvas.cols)
        lp_app_page(app, "this moment", &app->copied.text);
    lp_app_say(app, !all, "%s%s",
               all ? "" : "without what was changed by hand: ", lp_buf_text(&app->copied.text));
    return LP_OK;
}
