/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys in the last line: those that do something now, eight at most, and each of them whole. */
#include <stdio.h>
#include <string.h>

#include "views/ledger/ledger_view_impl.h"

enum { KEYS_MOST = 8, KEY_TEXT = 40, GAP = 2 };

/* When a key is worth showing. */
enum {
    MAIN = 1,         /* the main screen */
    ALONE = 2,        /* a view has the screen for itself */
    STILL = 4,        /* nothing plays */
    PLAYS = 8,        /* something does */
    DUE = 16,         /* a decision is due */
    MARKED = 32,      /* one of its rows is marked */
    PLAIN = 64,       /* none is */
    TAKES = 128,      /* the view knows Enter, */
    LOOKS = 256,      /* another look, */
    LISTS = 512,      /* searching, */
    ZOOMS = 1024,     /* zooming */
    FROM_LIST = 2048, /* leaving leads to the list, */
    ONCE = 4096,      /* or ends the program */
    BOARD = 8192,     /* a cursor stands on the board of a stage, */
    CARRIES = 16384,  /* a bar is carried, */
    THINGS = 32768,   /* servers are chosen, */
    PORTS = 1048576,  /* ports joined to each other, */
    HOLDS = 2097152,  /* how long they are, */
    SLIDES = 4194304, /* and a block can slide; */
    PARTS = 8388608,  /* ops are cut, or a plan is changed, */
    BARS = 65536,     /* or ops and flows ordered, */
    ANY = 131072,     /* or none of these */
    TOLD = 262144,    /* a lesson's step is as it was staged: keys go on in it, */
    FREE = 524288     /* or not */
};

/* In the order of the line; `rank`: what is left out first has the highest. All of `when` holds. */
static const struct {
    LpUiAction action;
    const char *keys; /* by default; NULL: the first of the action */
    const char *label;
    unsigned when;
    int rank;
} foot[] = {
    {LP_UI_ACTION_RIGHT, "Left/Right", "carry", BOARD | CARRIES, 0},
    {LP_UI_ACTION_RIGHT, "Left/Right", "bar", BOARD | BARS, 0},
    {LP_UI_ACTION_RIGHT, "Left/Right", "server", BOARD | THINGS, 0},
    {LP_UI_ACTION_RIGHT, "Left/Right", "circuit", BOARD | PORTS, 0},
    {LP_UI_ACTION_RIGHT, "Left/Right", "ways", BOARD | PARTS, 0},
    {LP_UI_ACTION_DOWN, "Up/Down", "row", BOARD | PARTS, 1},
    {LP_UI_ACTION_RIGHT, "Left/Right", "hold", BOARD | HOLDS, 0},
    {LP_UI_ACTION_PLAY, NULL, "set", BOARD | PORTS, 1},
    {LP_UI_ACTION_FASTER, NULL, "matching", BOARD | PORTS, 2},
    {LP_UI_ACTION_FASTER, NULL, "matching", BOARD | HOLDS, 2},
    {LP_UI_ACTION_PLAY, NULL, "drop", BOARD | CARRIES, 1},
    {LP_UI_ACTION_PLAY, NULL, "pick up", BOARD | BARS, 1},
    {LP_UI_ACTION_PLAY, NULL, "toggle", BOARD | THINGS, 1},
    {LP_UI_ACTION_ZOOM_IN, NULL, "slide here", BOARD | THINGS | SLIDES, 2},
    {LP_UI_ACTION_TAKE, NULL, "take it", BOARD, 2},
    {LP_UI_ACTION_OUT, NULL, "rows", BOARD, 3},
    {LP_UI_ACTION_STAGE, NULL, "stage", BOARD, 6},
    {LP_UI_ACTION_UNCHOOSE, NULL, "as policy", BOARD, 7},
    {LP_UI_ACTION_WORDS, NULL, "help", BOARD, 5},
    {LP_UI_ACTION_PLAY, NULL, "on", STILL | TOLD, 0},
    {LP_UI_ACTION_PLAY, NULL, "play", STILL | FREE, 0},
    {LP_UI_ACTION_PLAY, NULL, "pause", PLAYS, 0},
    {LP_UI_ACTION_NEXT_DECISION, NULL, "next", ANY, 1},
    {LP_UI_ACTION_BACK_DECISION, NULL, "back", ANY, 5},
    {LP_UI_ACTION_STAGE, NULL, "stage", MAIN | DUE, 6},
    {LP_UI_ACTION_TAKE, NULL, "take it", MAIN | DUE | MARKED, 4},
    {LP_UI_ACTION_TAKE, NULL, "why", MAIN | DUE | PLAIN | FREE, 7},
    {LP_UI_ACTION_TAKE, NULL, "open", ALONE | TAKES | FREE, 4},
    {LP_UI_ACTION_VARIANT, NULL, "another look", ALONE | LOOKS, 6},
    {LP_UI_ACTION_ZOOM_IN, "z/Z", "zoom", ALONE | ZOOMS, 7},
    {LP_UI_ACTION_SEARCH, NULL, "search", ALONE | LISTS, 8},
    {LP_UI_ACTION_WHATIF, NULL, "what-if", MAIN | DUE, 8},
    {LP_UI_ACTION_ADJUST, NULL, "adjust", MAIN, 9},
    {LP_UI_ACTION_COMMAND, NULL, "cmd", ANY, 10},
    {LP_UI_ACTION_WORDS, NULL, "help", ANY, 2},
    {LP_UI_ACTION_QUIT, NULL, "back", ALONE, 3},
    {LP_UI_ACTION_QUIT, NULL, "list", MAIN | FROM_LIST, 3},
    {LP_UI_ACTION_QUIT, NULL, "quit", MAIN | ONCE, 3},
};

static unsigned state_of(const LpModel *model) {
    const LpUiState *ui = model->ui;
    const LpView *view = lp_model_shown(model);
    bool marked = ui->row >= 0 || model->drafted.drafted;
    LpHit hit = lp_model_board_hit(model);
    bool cubes = model->board.joins == LP_BOARD_SLICES;
    unsigned slides = ui->stage == LP_STAGE_PLACE && !cubes ? SLIDES : 0;
    if (ui->hand.board && lp_model_has_board(model))
        return BOARD | slides |
               (ui->hand.held         ? CARRIES
                : hit == LP_HIT_OP    ? PARTS
                : hit == LP_HIT_BAR   ? BARS
                : hit == LP_HIT_CROSS ? (ui->hand.cursor == LP_HIT_HOLD ? HOLDS : PORTS)
                                      : THINGS);
    unsigned state = ANY | (ui->playing ? PLAYS : STILL) | (marked ? MARKED : PLAIN);
    state |= lp_model_tells(ui) ? TOLD : FREE;
    state |= (model->decision.due ? DUE : 0) | (ui->lists ? FROM_LIST : ONCE);
    if (!view)
        return state | MAIN;
    state |= ALONE | (view->take || view->fork ? TAKES : 0) | (view->variant ? LOOKS : 0);
    return state | (view->lines ? LISTS : 0) | (view->zoom ? ZOOMS : 0);
}

/* "z/Z": the keys that are bound now. */
static void key_text(const LpKeymap *map, size_t index, char out[KEY_TEXT]) {
    char one[16];
    const char *keys = foot[index].keys;
    lp_str_copy(out, KEY_TEXT, keys ? "" : lp_keymap_key(map, foot[index].action, one));
    for (const char *at = keys; at && *at;) {
        size_t len = strcspn(at, "/"), used = strlen(out);
        lp_str_copy(one, len + 1 < sizeof one ? len + 1 : sizeof one, at);
        snprintf(out + used, KEY_TEXT - used, "%s%s", used ? "/" : "",
                 lp_keymap_key(map, lp_keymap_action(NULL, lp_key_find(one)), one));
        at += len + (at[len] == '/');
    }
}

/* What it does, in the words of the view that is shown where that has some. */
static const char *label_of(const LpModel *model, size_t index) {
    const LpView *view = lp_model_shown(model);
    bool cubes = model->board.joins == LP_BOARD_SLICES && model->ui->stage == LP_STAGE_PLACE;
    if (cubes && foot[index].when == (BOARD | THINGS) && foot[index].action == LP_UI_ACTION_RIGHT)
        return "cube";
    if (view && view->takes && foot[index].action == LP_UI_ACTION_TAKE)
        return view->takes;
    if (view && view->looks && foot[index].action == LP_UI_ACTION_VARIANT)
        return view->looks;
    return foot[index].label;
}

static int width_of(const LpModel *model, size_t index) {
    char key[KEY_TEXT];
    key_text(model->ui->keymap, index, key);
    return lp_text_width(key) + 1 + lp_text_width(label_of(model, index));
}

/* Which of them are shown: by rank as many as fit. */
static void choose(const LpModel *model, int width, bool shown[LP_COUNTOF(foot)]) {
    const LpKeymap *map = model->ui->keymap;
    unsigned state = state_of(model);
    int count = 0, used = 1;
    for (int rank = 0; rank < (int)LP_COUNTOF(foot); rank++)
        for (size_t i = 0; i < LP_COUNTOF(foot); i++) {
            bool holds = (foot[i].when & state) == foot[i].when;
            if (foot[i].rank != rank || !holds || !lp_keymap_has(map, foot[i].action))
                continue;
            int more = width_of(model, i) + (count ? GAP : 0);
            if (count == KEYS_MOST || used + more > width)
                continue;
            shown[i] = true;
            used += more;
            count++;
        }
}

/* Returns the column after it. */
static int draw_key(const LpArea *area, int x, const char *key, const char *label,
                    LpUiAction action) {
    int from = x;
    x = lp_area_text(area, x, 0, LP_ROLE_KEY, key) + 1;
    x = lp_area_text(area, x, 0, LP_ROLE_TEXT, label);
    lp_area_hit(area, (LpRect){from, 0, x - from, 1}, LP_HIT_KEY, (uint32_t)action);
    return x + GAP;
}

/* The keys that a view names, as many as fit; each of them whole. */
static void draw_foot(const LpModel *model, const LpViewFoot *keys, const LpArea *area) {
    int x = 1;
    for (; keys->label; keys++) {
        char key[16];
        bool plays = keys->action == LP_UI_ACTION_PLAY && model->ui->playing;
        bool on = keys->action == LP_UI_ACTION_PLAY && lp_model_tells(model->ui);
        bool takes = keys->action == LP_UI_ACTION_TAKE && lp_model_tells(model->ui);
        const char *label = plays ? "pause" : on ? "on" : keys->label;
        if (takes || !lp_keymap_has(model->ui->keymap, keys->action))
            continue;
        lp_keymap_key(model->ui->keymap, keys->action, key);
        if (x + lp_text_width(key) + 1 + lp_text_width(label) <= area->rect.w)
            x = draw_key(area, x, key, label, keys->action);
    }
}

void lp_ledger_draw_keys(const LpModel *model, const LpArea *area) {
    bool shown[LP_COUNTOF(foot)] = {false};
    const LpView *view = lp_model_shown(model);
    int x = 1;
    if (view && view->foot) {
        draw_foot(model, view->foot, area);
        return;
    }
    choose(model, area->rect.w, shown);
    for (size_t i = 0; i < LP_COUNTOF(foot); i++) {
        char key[KEY_TEXT];
        if (!shown[i])
            continue;
        key_text(model->ui->keymap, i, key);
        x = draw_key(area, x, key, label_of(model, i), foot[i].action);
    }
}
