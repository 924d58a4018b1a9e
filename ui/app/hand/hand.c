/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows, cursor and draft. */
#include "app/hand/hand_impl.h"

#include <string.h>

#include "ask/draft/edit.h"

/* ---- where it means something ---- */

/* The main screen, or the decision alone, with nothing over it, while a decision is due. */
static bool is_here(const LpApp *app) {
    const LpUiState *ui = &app->ui;
    bool shown = ui->only == LP_PANE_COUNT || ui->only == LP_PANE_DECISION;
    return shown && !ui->page && !ui->words.open && !ui->focus && lp_app_is_due(app) &&
           ui->stage > LP_STAGE_PARTITION && !ui->explain && app->model.drafted.choices != NULL;
}

static bool on_board(const LpApp *app) {
    return is_here(app) && app->ui.hand.board && lp_model_has_board(&app->model);
}

/* What the cursor of a stage goes over, and in which pane. */
static LpHit thing_of(const LpApp *app, LpPane *pane) {
    LpHit hit = lp_model_board_hit(&app->model);
    *pane = hit == LP_HIT_BAR     ? LP_PANE_DECISION
            : hit == LP_HIT_CROSS ? LP_PANE_CIRCUITS
                                  : LP_PANE_SERVERS;
    return hit;
}

/* ---- the draft changes ---- */

bool lp_hand_row(LpApp *app, uint32_t row) {
    const LpStageRows *rows = app->model.drafted.choices;
    if (!is_here(app) || rows->count == 0)
        return false;
    app->ui.hand.board = app->ui.hand.held = false;
    app->ui.hand.matching = 0;
    if (row < rows->count) {
        lp_str_copy(lp_hand_words(app), LP_DRAFT_WORDS, rows->row[row].words);
        lp_hand_settle(app);
    }
    return true;
}

bool lp_hand_move(LpApp *app, int lines) {
    const LpStageRows *rows = app->model.drafted.choices;
    LpPane pane;
    LpHit hit = thing_of(app, &pane);
    if (lp_hand_split_move(app, lines))
        return true;
    if (on_board(app)) {
        app->ui.hand.held = false;
        app->ui.hand.cursor =
            lp_hand_next(app, pane, hit, app->ui.hand.cursor, 0, lines < 0 ? -1 : 1);
        return true;
    }
    if (!is_here(app) || rows->count == 0)
        return false;
    int at = lp_model_choice(&app->model), last = (int)rows->count - 1;
    int to = at + lines;
    to = to < 0 ? 0 : to > last ? last : to;
    return lp_hand_row(app, (uint32_t)to);
}

/* ---- on the board ---- */

/* From the first port of the job to another one. */
static uint32_t first_cross(const LpApp *app) {
    const LpOcsParams *ocs = &app->model.scenario->cluster.ocs;
    const LpDraftModel *m = &app->model.drafted;
    uint32_t in = 0;
    while (m->servers > 0 && in + 1 < ocs->ports && ocs->plug[in].node != m->server[0])
        in++;
    return in * LP_HIT_PATHS + (in == 0);
}

/* Is there room for the matrix, which is drawn once the cursor is on it? */
static bool has_matrix(const LpApp *app) {
    enum { LEAST_ROWS = 5, LEAST_COLUMNS = 12 };
    LpRect in = lp_hand_pane(app, LP_PANE_CIRCUITS);
    return app->ui.only == LP_PANE_COUNT && in.h >= LEAST_ROWS && in.w >= LEAST_COLUMNS;
}

static void enter_board(LpApp *app) {
    LpHandState *hand = &app->ui.hand;
    const LpDraftModel *m = &app->model.drafted;
    LpPane pane;
    LpHit hit = thing_of(app, &pane);
    uint32_t first = lp_hand_first(app, pane, hit);
    if (!lp_model_has_board(&app->model)) {
        lp_app_say(app, false, "%s",
                   m->choices->none[0] ? m->choices->none : "nothing here is chosen one by one");
        return;
    }
    if (hit == LP_HIT_CROSS ? !has_matrix(app) : first == LP_NO_INDEX) {
        lp_app_tell(
            app, hit == LP_HIT_CROSS
                     ? "there is no room for the board of circuits here: {main} is the main screen"
                     : "there is no room for the board here: {decision} shows the decision alone");
        return;
    }
    hand->board = true;
    hand->held = false;
    hand->matching = 0;
    hand->cursor = hit == LP_HIT_SERVER && m->servers > 0 ? m->server[0]
                   : hit == LP_HIT_CROSS                  ? first_cross(app)
                                                          : first;
    app->ui.playing = false;
}

static void carry(LpApp *app, bool later) {
    LpHandState *hand = &app->ui.hand;
    LpDraft draft;
    LpDiag diag = {0};
    uint32_t at;
    const LpStepModel *step = &app->model.motion.step;
    lp_model_draft(&app->model, &draft);
    LpErr err = !step->known ? lp_fail(&diag, LP_EREFUSED, "there is no training step to look into")
                             : lp_draft_carry(app->session, &draft, &app->model.drafted.price,
                                              &step->seen, hand->cursor, later, &at, &diag);
    if (err != LP_OK) {
        lp_app_say(app, false, "%s", diag.text);
        return;
    }
    memcpy(lp_hand_words(app), draft.word[app->ui.stage], LP_DRAFT_WORDS);
    hand->cursor = at;
    lp_hand_settle(app);
}

/* ---- matchings ---- */

static void change_hold(LpApp *app, bool longer) {
    LpDraft draft;
    LpDiag diag = {0};
    lp_model_draft(&app->model, &draft);
    LpErr err = lp_draft_hold(app->session, &draft, app->ui.hand.matching, longer, &diag);
    lp_hand_take_words(app, err, &draft, &diag);
}

static void join_ports(LpApp *app) {
    LpHandState *hand = &app->ui.hand;
    uint32_t before = app->model.drafted.circuits.entries;
    LpDraft draft;
    LpDiag diag = {0};
    if (hand->cursor == LP_HIT_HOLD) {
        lp_app_tell(app, "{left} and {right} change how long this matching is held");
        return;
    }
    lp_model_draft(&app->model, &draft);
    LpErr err =
        lp_draft_join_ports(app->session, &draft, hand->matching, hand->cursor / LP_HIT_PATHS,
                            hand->cursor % LP_HIT_PATHS, &diag);
    lp_hand_take_words(app, err, &draft, &diag);
    if (err == LP_OK && hand->matching > 0 && hand->matching + 1 == before &&
        strchr(lp_hand_words(app), '/') == NULL)
        hand->matching--; /* the last one lost its last circuit */
}

bool lp_hand_matching(LpApp *app, int by) {
    LpHandState *hand = &app->ui.hand;
    LpPane pane;
    uint32_t have = app->model.drafted.circuits.entries;
    if (!on_board(app) || thing_of(app, &pane) != LP_HIT_CROSS)
        return false;
    if (by < 0 && hand->matching == 0)
        lp_app_say(app, false, "this is the first matching");
    else if (by > 0 && hand->matching >= have)
        lp_app_tell(app, "this matching has no circuit yet: {play} sets one");
    else
        hand->matching = by < 0 ? hand->matching - 1 : hand->matching + 1;
    if (by > 0 && hand->matching == have && have > 0)
        lp_app_tell(app, "another matching: {play} sets its circuits, then they take turns");
    return true;
}

bool lp_hand_along(LpApp *app, int by) {
    LpHandState *hand = &app->ui.hand;
    LpPane pane;
    LpHit hit = thing_of(app, &pane);
    if (lp_hand_split_along(app, by))
        return true;
    if (!is_here(app))
        return false;
    if (!on_board(app)) {
        bool enters = by > 0 && app->ui.frame < 0; /* an instant of an order goes on and back */
        if (enters)
            enter_board(app);
        return enters;
    }
    if (hand->held) {
        carry(app, by > 0);
        return true;
    }
    if (hit == LP_HIT_CROSS && hand->cursor == LP_HIT_HOLD) {
        change_hold(app, by > 0);
        return true;
    }
    uint32_t to = lp_hand_next(app, pane, hit, hand->cursor, by < 0 ? -1 : 1, 0);
    if (to == hand->cursor && by < 0)
        hand->board = false;
    hand->cursor = to;
    return true;
}

static void toggle_server(LpApp *app) {
    LpDraft draft;
    LpDiag diag = {0};
    LpErr err;
    uint32_t each = lp_hand_step(app, LP_PANE_SERVERS, LP_HIT_SERVER);
    bool cubes = app->ui.stage == LP_STAGE_PLACE && lp_draft_by_cubes(app->session);
    if (each > 1 && !cubes) {
        lp_app_say(app, false, "a cell is %u servers here: :fork servers=... names single ones",
                   (unsigned)each);
        return;
    }
    lp_model_draft(&app->model, &draft);
    if (cubes)
        err = lp_draft_take_cube(app->session, &draft, &app->model.drafted.price,
                                 app->ui.hand.cursor, &diag);
    else if (app->ui.stage == LP_STAGE_PLACE)
        err = lp_draft_toggle_server(app->session, &draft, &app->model.drafted.price,
                                     app->ui.hand.cursor, &diag);
    else
        err = lp_draft_turn_server(app->session, &draft, app->ui.hand.cursor, &diag);
    lp_hand_take_words(app, err, &draft, &diag);
}

bool lp_hand_slide(LpApp *app) {
    LpDraft draft;
    LpDiag diag = {0};
    if (!on_board(app) || app->ui.stage != LP_STAGE_PLACE)
        return false;
    lp_model_draft(&app->model, &draft);
    LpErr err =
        lp_draft_slide(app->session, &draft, &app->model.drafted.price, app->ui.hand.cursor, &diag);
    lp_hand_take_words(app, err, &draft, &diag);
    return true;
}

bool lp_hand_toggle(LpApp *app) {
    if (lp_hand_on_split(app)) {
        lp_app_tell(app, "{left} and {right} change this number");
        return true;
    }
    if (!on_board(app))
        return false;
    LpPane pane;
    LpHit hit = thing_of(app, &pane);
    if (hit == LP_HIT_BAR)
        app->ui.hand.held = !app->ui.hand.held;
    else if (hit == LP_HIT_CROSS)
        join_ports(app);
    else
        toggle_server(app);
    return true;
}

bool lp_hand_click(LpApp *app, const LpCell *at) {
    LpPane pane;
    bool split = lp_hand_on_split(app);
    if ((!split && !on_board(app)) || at->hit != thing_of(app, &pane))
        return false;
    app->ui.hand.cursor = at->what;
    return split || lp_hand_toggle(app);
}

static bool in_one_row(const LpStepInspection *seen, uint32_t a, uint32_t b) {
    for (uint32_t r = 0; r < seen->rows; r++)
        if (a >= seen->row[r].first && a < seen->row[r].end)
            return b >= seen->row[r].first && b < seen->row[r].end;
    return false;
}

bool lp_hand_drag(LpApp *app, const LpCell *at) {
    LpHandState *hand = &app->ui.hand;
    const LpStepModel *step = &app->model.motion.step;
    if (!on_board(app) || !hand->held || at->hit != LP_HIT_BAR || at->what == hand->cursor ||
        !step->known || !in_one_row(&step->seen, hand->cursor, at->what))
        return false;
    carry(app, at->what > hand->cursor);
    return true;
}

/* ---- taking it, leaving it ---- */

bool lp_hand_fork(LpApp *app) {
    const LpPrice *price = &app->model.drafted.price;
    char text[LP_STAGE_COUNT * LP_DRAFT_WORDS];
    LpDraft draft;
    LpDiag diag = {0};
    if (!price->possible) {
        lp_app_say(app, false, "not taken: %s", price->why);
        return false;
    }
    lp_model_draft(&app->model, &draft);
    if (lp_app_fork(app, lp_draft_text(&draft, text), &diag) == LP_OK)
        return true;
    lp_app_say(app, false, "not taken: %s", diag.text);
    return false;
}

bool lp_hand_take(LpApp *app) {
    const LpDraftModel *m = &app->model.drafted;
    bool shown = app->ui.only == LP_PANE_COUNT || app->ui.only == LP_PANE_DECISION;
    if (!shown || app->ui.page || app->ui.words.open || !lp_app_is_due(app) || !m->drafted)
        return false;
    (void)lp_hand_fork(app);
    return true;
}

void lp_hand_clear(LpApp *app) {
    LpHandState *hand = &app->ui.hand;
    hand->held = false;
    hand->matching = 0;
    if (!lp_app_is_due(app)) {
        lp_app_tell(app, "no decision is due; {next-decision} goes to the next one");
        return;
    }
    if (app->ui.stage == LP_STAGE_PARTITION)
        app->ui.row = -1;
    lp_hand_words(app)[0] = '\0';
    if (is_here(app))
        lp_hand_settle(app);
}

bool lp_hand_leave(LpApp *app) {
    LpHandState *hand = &app->ui.hand;
    if (lp_hand_split_leave(app))
        return true;
    if (on_board(app)) {
        if (hand->held)
            hand->held = false;
        else
            hand->board = false;
        return true;
    }
    if (!is_here(app) || !lp_draft_any(&hand->draft))
        return false;
    *hand = (LpHandState){0};
    lp_app_say(app, false, "the draft is given up: as the policy has it");
    return true;
}

void lp_hand_turn(LpApp *app) {
    app->ui.hand.board = app->ui.hand.held = false;
}
