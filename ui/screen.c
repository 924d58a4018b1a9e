/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole screen: each view into the pane that the layout gives it. */
#include "view.h"

typedef void View(const LpModel *model, const LpArea *area);

static View *const views[LP_PANE_COUNT] = {
    [LP_PANE_TITLE] = lp_view_title,       [LP_PANE_LEDGER] = lp_view_ledger,
    [LP_PANE_SERVERS] = lp_view_servers,   [LP_PANE_CIRCUITS] = lp_view_circuits,
    [LP_PANE_JOBS] = lp_view_jobs,         [LP_PANE_DECISION] = lp_view_decision,
    [LP_PANE_CURVE] = lp_view_curve,       [LP_PANE_EVENTS] = lp_view_events,
    [LP_PANE_TIMELINE] = lp_view_timeline, [LP_PANE_KEYS] = lp_view_keys,
};

/* A centred part of the screen for the help. */
static LpRect help_rect(const LpCanvas *canvas) {
    int w, lines;
    lp_view_help_size(canvas->cols, &w, &lines);
    int h = canvas->rows < lines ? canvas->rows : lines;
    return (LpRect){(canvas->cols - w) / 2, (canvas->rows - h) / 2, w, h};
}

void lp_view_screen(const LpModel *model, LpCanvas *canvas) {
    const LpFabric *fabric = &model->context->fabric;
    LpLayoutSpec spec = {canvas->rows,
                         canvas->cols,
                         (int)(fabric->groups < 64 ? fabric->groups : 64),
                         lp_view_servers_width(fabric),
                         lp_view_circuits_width(fabric),
                         model->ui->only};
    LpLayout layout = lp_layout(&spec);
    lp_canvas_clear(canvas);
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        LpArea area = lp_canvas_area(canvas, layout.pane[pane]);
        if (area.rect.w > 0 && area.rect.h > 0)
            views[pane](model, &area);
    }
    if (model->ui->help) {
        LpArea area = lp_canvas_area(canvas, help_rect(canvas));
        lp_view_help(model, &area);
    }
}
