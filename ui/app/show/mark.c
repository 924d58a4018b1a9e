/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command that points at something on the screen. */
#include <string.h>

#include "app/show/show.h"
#include "screen/cover.h"
#include "screen/screen.h"

/* What there is of that kind, as a hint; "" when nothing can be said. */
static void add_there_is(const LpApp *app, const LpPointer *pointer, LpBuf *out) {
    const LpModel *model = &app->model;
    const LpFabric *f = &lp_session_context(app->session)->fabric;
    switch (pointer->kind) {
    case LP_POINTER_OP:
        lp_buf_add(out, "view graph and inspect show ops");
        return;
    case LP_POINTER_SERVER:
        lp_buf_addf(out, "servers are 0 to %u", (unsigned)f->servers - 1);
        if (f->groups > 1)
            lp_buf_addf(out, ", racks g0r0 to g%ur%u", (unsigned)f->groups - 1,
                        (unsigned)f->racks - 1);
        return;
    case LP_POINTER_LETTER:
        lp_buf_add(out, model->running_count > 0 ? "the letters here are" : "no job runs");
        for (uint32_t i = 0; i < model->running_count; i++)
            lp_buf_addf(out, " %c", lp_letter(model->running[i].letter));
        return;
    case LP_POINTER_CURVE:
        lp_buf_add(out, "view curves shows curves");
        return;
    case LP_POINTER_PATH:
        lp_buf_add(out, "view circuits shows light paths");
        return;
    default:
        lp_buf_add(out, "expected what stands in a pane now");
    }
}

static LpErr fail_missing(LpApp *app, const LpPointer *pointer, const char *text, LpDiag *diag) {
    LpBuf there = {0};
    char shown[120];
    add_there_is(app, pointer, &there);
    lp_fail(diag, LP_EINVAL, "\"%s\" is not on the screen: %s",
            lp_str_show(shown, sizeof shown, text), lp_buf_text(&there));
    lp_buf_fini(&there);
    return LP_EINVAL;
}

static bool is_there(LpApp *app, const LpPointer *pointer) {
    LpScreenLayout layout = lp_screen_layout(&app->model, &app->canvas);
    return lp_screen_find(&app->model, &layout, &app->canvas, pointer) > 0;
}

LpErr lp_app_run_mark(LpApp *app, const LpUiLine *line, int64_t now LP_UNUSED, LpDiag *diag) {
    LpUiState *ui = &app->ui;
    LpPointer pointer;
    app->dirty = true;
    if (strcmp(line->rest, "off") == 0) {
        ui->pointers = 0;
        return LP_OK;
    }
    LP_TRY(lp_pointer_parse(line->rest, &pointer, diag));
    if (ui->pointers == LP_LESSON_MARKS)
        return lp_fail(diag, LP_ELIMIT, "%d things are marked: expected mark off first",
                       LP_LESSON_MARKS);
    LP_TRY(lp_app_draw(app, diag)); /* what is there is what is seen */
    if (!is_there(app, &pointer)) {
        LP_TRY(lp_app_draw_whole(app, diag)); /* it may be worked out only now */
        if (!is_there(app, &pointer))
            return fail_missing(app, &pointer, line->rest, diag);
    }
    ui->pointer[ui->pointers++] = pointer;
    app->dirty = true;
    return LP_OK;
}

void lp_app_words_mark(LpBuf *out) {
#define X(id, name, what) lp_buf_add(out, name "\n");
    LP_POINTER_TABLE(X)
#undef X
    lp_buf_add(out, "off\n");
}
