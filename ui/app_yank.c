/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A moment as a command line: shown, handed to the terminal's clipboard, or written to a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app_impl.h"
#include "run/moment_line.h"

static LpErr make_line(const LpApp *app, LpBuf *out, bool *all, LpDiag *diag) {
    LpBuf line = {0};
    lp_buf_add(&line, app->command_line ? app->command_line : "lightpath SCENARIO");
    lp_moment_words(app->session, app->session_file != NULL, &line, all);
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
    int fd = open(
        path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (fd < 0)
        return lp_fail(diag, LP_EIO, "%s: %s", path, strerror(errno));
    FILE *file = fdopen(fd, "a");
    if (file == NULL) {
        (void)close(fd);
        return lp_fail_memory(diag, "a file");
    }
    bool good = fprintf(file, "%s\n", lp_buf_text(line)) > 0;
    good = fclose(file) == 0 && good;
    return good ? LP_OK : lp_fail(diag, LP_EIO, "%s: %s", path, strerror(errno));
}

LpErr lp_app_yank(LpApp *app, const char *path, LpDiag *diag) {
    bool all = true;
    lp_buf_clear(&app->yanked);
    LP_TRY(make_line(app, &app->yanked, &all, diag));
    if (path)
        LP_TRY(append_line(path, &app->yanked, diag));
    app->copy = true; /* the terminal's clipboard, where there is one */
    if (lp_text_width(lp_buf_text(&app->yanked)) + 2 > app->canvas.cols)
        lp_app_page(app, "this moment", &app->yanked);
    lp_app_say(app, !all, "%s%s",
               all ? "" : "without what was changed by hand: ", lp_buf_text(&app->yanked));
    return LP_OK;
}
