/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The help as a text, made from the tables of keys and columns: what keys mean here first. */
#include <string.h>

#include "term/keymap.h"
#include "views/help/help_view.h"

/* On the main screen. */
static const LpViewKey main_keys[] = {
    {"Up Down", "mark a row of the decision"},
    {"Enter", "decide with it: forks; without one: into the decision"},
    {"Tab", "next stage of the decision, on the boards as well"},
    {"} {", "its frames one by one; also of a start, a block, an end"},
    {"x", "what the policy weighed"},
    {NULL, NULL},
};

/* While a cursor stands on the board of a stage, by what it goes over. */
static const LpViewKey server_keys[] = {
    {"Left Right Up Down",
     "another server, of a pod another cube; {left} from the first one: back to the rows"},
    {"space",
     "takes the server or cube, gives it back, or plugs it into the next aggregator; in a pod of "
     "static wiring the slice goes there"},
    {NULL, NULL},
};
static const LpViewKey part_keys[] = {
    {"Up Down", "another op, or another number of the plan"},
    {"Left Right", "one part or way less, or more: the next number that can be"},
    {"Esc", "back to the rows"},
    {NULL, NULL},
};
static const LpViewKey place_keys[] = {
    {"z", "the job's block slides here, if it fits"},
    {NULL, NULL},
};
static const LpViewKey bar_keys[] = {
    {"Left Right Up Down", "another bar; {left} from the first one: back to the rows"},
    {"space", "picks the op or flow up; {left} and {right} carry it, {play} drops it"},
    {NULL, NULL},
};
static const LpViewKey cross_keys[] = {
    {"Left Right Up Down", "another circuit: from the port of a row to the port of a column"},
    {"space", "sets the circuit, or takes it off: one in each row and column"},
    {"+ -", "the next matching, behind the last one a new one; the one before"},
    {"Up", "above the first row: how long the matching is held, by {left} and {right}"},
    {NULL, NULL},
};

/* The keys that are bound now for a list of defaults; other words as they are. */
static void add_bound(const LpKeymap *map, const char *list, LpBuf *out) {
    const char *gap = "";
    for (size_t len; *list; list += len + (list[len] == ' '), gap = " ") {
        char name[16];
        len = strcspn(list, " ");
        lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, list);
        LpUiAction action = lp_keymap_action(NULL, lp_key_find(name));
        lp_buf_addf(out, "%s%s", gap,
                    action != LP_UI_ACTION_NONE ? lp_keymap_key(map, action, name) : name);
    }
}

static void add_keys(const LpViewKey *key, const LpKeymap *map, LpBuf *out) {
    for (; key->keys; key++) {
        add_bound(map, key->keys, out);
        lp_buf_add(out, "\t");
        lp_keymap_add(map, key->help, out);
        lp_buf_add(out, "\n");
    }
}

static void add_board(const LpModel *model, const LpKeymap *map, LpBuf *out) {
    LpHit hit = lp_model_board_hit(model);
    if (!model->ui->hand.board || !lp_model_has_board(model))
        return;
    lp_buf_add(out, "# On this board\n");
    add_keys(hit == LP_HIT_BAR     ? bar_keys
             : hit == LP_HIT_OP    ? part_keys
             : hit == LP_HIT_CROSS ? cross_keys
                                   : server_keys,
             map, out);
    if (model->ui->stage == LP_STAGE_PLACE)
        add_keys(place_keys, map, out);
}

static void add_here(const LpView *view, const LpKeymap *map, LpBuf *out) {
    const LpViewKey *key = view ? view->keys : main_keys;
    if (!key)
        return;
    lp_buf_addf(out, "# %s\n", view ? "In this view" : "Here");
    add_keys(key, map, out);
    /* "of limit   JCT as a share of its limit (%)" */
    const LpTable *table = view ? view->table : NULL;
    bool titled = false;
    for (int c = 0; table && c < table->columns; c++) {
        const LpColumn *column = &table->column[c];
        if (!column->name)
            continue;
        if (!titled)
            lp_buf_add(out, "# Its columns\n");
        titled = true;
        lp_buf_addf(out, "%s\t%s", column->name, column->meaning);
        if (*column->unit)
            lp_buf_addf(out, " (%s)", column->unit);
        lp_buf_add(out, "\n");
    }
}

static const char *section_of(int action) {
    return lp_ui_action_info((LpUiAction)action)->section;
}

/* The actions of a section together, in the order of the sections' first ones. */
static void add_section(int first, const LpKeymap *map, LpBuf *out) {
    for (int i = LP_UI_ACTION_NONE + 1; i < first; i++)
        if (strcmp(section_of(i), section_of(first)) == 0)
            return;
    lp_buf_addf(out, "# %s\n", section_of(first));
    for (int i = first; i < LP_UI_ACTION_COUNT; i++) {
        if (strcmp(section_of(i), section_of(first)) != 0 || !lp_keymap_has(map, (LpUiAction)i))
            continue;
        lp_keymap_keys(map, (LpUiAction)i, out);
        lp_buf_add(out, "\t");
        lp_keymap_add(map, lp_ui_action_info((LpUiAction)i)->help, out);
        lp_buf_add(out, "\n");
    }
}

static void add_signs(bool ascii, LpBuf *out) {
    static const struct {
        LpGlyph glyph;
        const char *meaning;
    } signs[] = {{LP_GLYPH_STARTED, "a job started"},
                 {LP_GLYPH_DONE, "a job is done"},
                 {LP_GLYPH_WAITING, "a job waits"},
                 {LP_GLYPH_BLOCKED, "a job is blocked"},
                 {LP_GLYPH_BROKEN, "a server is broken"},
                 {LP_GLYPH_BOOKMARK, "a bookmark on the time line"}};
    lp_buf_add(
        out,
        "# Signs\nA B c\ta letter is one job on every board until it ends; among circuits, one "
        "transmitter that it has lit\n[A] (A)\ttaken now; would be taken\n.\tfree, dark\n");
    for (size_t i = 0; i < LP_COUNTOF(signs); i++)
        lp_buf_addf(out, "%s\t%s\n", lp_glyph_text(signs[i].glyph, ascii), signs[i].meaning);
}

void lp_view_help_text(const LpModel *model, bool ascii, LpBuf *out) {
    const LpKeymap *map = model->ui->keymap;
    add_board(model, map, out);
    add_here(lp_model_shown(model), map, out);
    for (int i = LP_UI_ACTION_NONE + 1; i < LP_UI_ACTION_COUNT; i++)
        add_section(i, map, out);
    add_signs(ascii, out);
}
