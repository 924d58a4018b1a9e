/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario's first decisions, drawn by the views themselves. */
#include "front/preview.h"

#include "app/app.h"
#include "base/mem.h"
#include "screen/views.h"

enum { DECISIONS = 8, COLS = 100, ROWS = 30, SERVERS_ROWS = 12, PANE_ROWS = 6 };

struct LpPreview {
    LpSession *session;
    LpApp app;
    bool opened;
};

static LpErr show(LpPreview *p, const char *path, bool ascii, LpDiag *diag) {
    LpSessionSpec spec = {.scenario = path, .keep_events = true, .keep_timeline = true};
    LpUiOptions options = {.no_motion = true, .ascii = ascii};
    LP_TRY(lp_session_open(&spec, &p->session, diag));
    LP_TRY(lp_app_open(&p->app, p->session, &options, ROWS, COLS, diag));
    p->opened = true;
    p->app.ui.lesson.on = false;
    for (int i = 0; i < DECISIONS; i++)
        if (lp_app_command(&p->app, "next", 0, diag) != LP_OK)
            break; /* a short run shows what it has */
    p->app.dirty = true;
    return lp_app_draw(&p->app, diag);
}

LpPreview *lp_preview_open(const char *path, bool ascii) {
    LpPreview *p = lp_alloc(1, sizeof *p);
    LpDiag ignored = {0};
    if (p == NULL)
        return NULL;
    *p = (LpPreview){0};
    if (show(p, path, ascii, &ignored) == LP_OK)
        return p;
    lp_preview_close(p);
    return NULL;
}

void lp_preview_close(LpPreview *p) {
    if (p == NULL)
        return;
    if (p->opened)
        lp_app_fini(&p->app);
    lp_session_close(p->session);
    lp_free(p);
}

void lp_preview_draw(LpPreview *p, const LpArea *area) {
    static const LpPane panes[] = {LP_PANE_SERVERS, LP_PANE_CIRCUITS, LP_PANE_DECISION,
                                   LP_PANE_CURVE};
    const LpBoardPlan *board = &p->app.model.board;
    int y = 0, left = area->rect.h;
    for (size_t i = 0; i < LP_COUNTOF(panes) && left >= PANE_ROWS; i++) {
        int want = panes[i] == LP_PANE_SERVERS ? lp_app_view(LP_PANE_SERVERS)->rows(board) + 3
                                               : left / (int)(LP_COUNTOF(panes) - i);
        int h = want < PANE_ROWS ? PANE_ROWS : want > SERVERS_ROWS ? SERVERS_ROWS : want;
        h = h < left ? h : left;
        LpArea part = lp_area_part(area, (LpRect){0, y, area->rect.w, h});
        lp_app_view(panes[i])->draw(&p->app.model, &part);
        y += h;
        left -= h;
    }
}
