/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first stage by hand: ops, or the numbers of a plan, one by one. */
#include "app/hand/hand_impl.h"
#include "ask/draft/edit.h"

static bool is_here(const LpApp *app) {
    const LpUiState *ui = &app->ui;
    bool shown = ui->only == LP_PANE_COUNT || ui->only == LP_PANE_DECISION;
    return shown && !ui->page && !ui->words.open && !ui->focus && lp_app_is_due(app) &&
           ui->stage == LP_STAGE_PARTITION && !ui->explain;
}

bool lp_hand_on_split(const LpApp *app) {
    return is_here(app) && app->ui.hand.board && lp_model_split_rows(&app->model) > 0;
}

bool lp_hand_split_move(LpApp *app, int lines) {
    LpHandState *hand = &app->ui.hand;
    if (lp_hand_on_split(app)) {
        int64_t to = (int64_t)hand->cursor + lines, last = lp_model_split_rows(&app->model) - 1;
        hand->cursor = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
        return true;
    }
    if (is_here(app))
        hand->draft.word[LP_STAGE_PARTITION][0] = '\0'; /* a row is chosen instead */
    return false;
}

static void enter(LpApp *app) {
    LpHandState *hand = &app->ui.hand;
    if (lp_model_split_rows(&app->model) == 0) {
        lp_app_say(app, false, "a rigid job is not split: it is a number of servers and a time");
        return;
    }
    hand->board = true;
    hand->held = false;
    hand->cursor = 0;
    app->ui.playing = false;
}

bool lp_hand_split_along(LpApp *app, int by) {
    LpHandState *hand = &app->ui.hand;
    LpDraft draft;
    LpDiag diag = {0};
    if (!is_here(app) || (!lp_hand_on_split(app) && (by < 0 || app->ui.frame >= 0)))
        return false;
    if (!lp_hand_on_split(app)) {
        enter(app);
        return true;
    }
    lp_model_draft(&app->model, &draft);
    bool plan = app->model.drafted.plan.tensor > 0;
    LpErr err =
        plan ? lp_draft_turn_plan(app->session, &draft, (LpWayKind)hand->cursor, by > 0, &diag)
             : lp_draft_cut_op(app->session, &draft, hand->cursor + 1, by > 0, &diag);
    lp_hand_take_words(app, err, &draft, &diag);
    return true;
}

bool lp_hand_split_leave(LpApp *app) {
    bool on = lp_hand_on_split(app);
    if (on)
        app->ui.hand.board = false;
    return on;
}
