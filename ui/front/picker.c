/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list: what is in it, which of it is marked, and what keys do. */
#include "front/picker_impl.h"

#include <stdio.h>
#include <string.h>

#include "widgets/show.h"
#include "widgets/widgets_list.h"

enum { PAGE = 10, FAR = 100000, LINES_MOST = 1000 };

static void add(LpPicker *p, LpPickGroup group, const char *name, const char *path,
                const LpCatalogItem *item, bool tour) {
    if (p->count == LP_PICK_MOST)
        return;
    LpPickEntry *entry = &p->entry[p->count++];
    *entry = (LpPickEntry){.group = group, .path = path, .item = item, .tour = tour};
    lp_str_show(entry->name, sizeof entry->name, name);
}

void lp_picker_open(LpPicker *p, const LpCatalogItem *item, size_t count, const char *first,
                    const LpGoneThrough *progress) {
    *p = (LpPicker){.progress = *progress};
    for (size_t i = 0; i < count; i++)
        if (strcmp(item[i].name, first) == 0) {
            add(p, LP_PICK_START, "tour", item[i].path, &item[i], true);
            add(p, LP_PICK_START, item[i].name, item[i].path, &item[i], false);
        }
    for (int lessons = 1; lessons >= 0; lessons--)
        for (size_t i = 0; i < count; i++)
            if ((item[i].goal != NULL) == (lessons == 1) && strcmp(item[i].name, first) != 0)
                add(p, lessons ? LP_PICK_LESSONS : LP_PICK_SCENARIOS, item[i].name, item[i].path,
                    &item[i], false);
    p->row = progress->toured && p->count > 1;
}

void lp_picker_add_recent(LpPicker *p, const char *path) {
    const char *slash = strrchr(path, '/');
    add(p, LP_PICK_RECENT, slash ? slash + 1 : path, path, NULL, false);
}

void lp_picker_tell_recent(LpPicker *p, const LpAutosaveAbout *about) {
    char branch[80], shown[LP_SHOW_TEXT], *end;
    if (!about || p->count == 0)
        return;
    LpPickEntry *entry = &p->entry[p->count - 1];
    lp_str_show(branch, sizeof branch, about->branch);
    bool other = about->branch[0] && strcmp(about->branch, "main") != 0;
    lp_show_seconds(about->time, shown);
    snprintf(entry->told, sizeof entry->told, "%s, left at %s%s%s, %u branch%s%s", about->saved,
             shown, other ? " on " : "", other ? branch : "", (unsigned)about->branches,
             about->branches == 1 ? "" : "es", about->done ? "" : ", only played");
    const char *day = strlen(about->saved) > 5 ? about->saved + 5 : about->saved;
    snprintf(entry->fact, sizeof entry->fact, "%.11s  %.8s  %u br.", day, shown,
             (unsigned)about->branches);
    if ((end = strstr(entry->name, ".session")) != NULL)
        *end = '\0';
}

/* ---- searching ---- */

static bool is_shown(const LpPicker *p, const LpPickEntry *entry) {
    const LpCatalogItem *item = entry->item;
    if (!p->search[0] || lp_search_in(entry->name, p->search))
        return true;
    return item && !entry->tour &&
           (lp_search_in(item->title, p->search) || lp_search_in(item->notes, p->search) ||
            (item->goal && lp_search_in(item->goal, p->search)) ||
            lp_search_in(item->fabric, p->search));
}

static int count_shown(const LpPicker *p) {
    int count = 0;
    for (int i = 0; i < p->count; i++)
        count += is_shown(p, &p->entry[i]);
    return count;
}

const LpPickEntry *lp_picker_shown(const LpPicker *p, int row) {
    for (int i = 0; i < p->count; i++)
        if (is_shown(p, &p->entry[i]) && row-- == 0)
            return &p->entry[i];
    return NULL;
}

const LpPickEntry *lp_picker_marked(const LpPicker *p) {
    return lp_picker_shown(p, p->row);
}

/* ---- keys ---- */

static void choose(LpPicker *p) {
    const LpPickEntry *entry = lp_picker_marked(p);
    if (!entry)
        return;
    if (entry->item && entry->item->error)
        snprintf(p->message, sizeof p->message, "this scenario cannot be opened");
    else
        p->chosen = true;
}

/* The first entry of the next group. */
static void next_group(LpPicker *p, int by) {
    const LpPickEntry *from = lp_picker_marked(p), *to = from;
    int count = count_shown(p);
    for (int i = 0; i < count && from && to->group == from->group; i++) {
        p->row = (p->row + by + count) % count;
        to = lp_picker_shown(p, p->row);
    }
    while (by < 0 && p->row > 0 && lp_picker_shown(p, p->row - 1)->group == to->group)
        p->row--;
}

static void type(LpPicker *p, LpKey key) {
    size_t len = strlen(p->search);
    p->row = 0;
    if (key == LP_KEY_BACKSPACE && len > 0)
        p->search[len - 1] = '\0';
    else if (key > ' ' - 1 && key < 0x7f && len + 1 < sizeof p->search)
        p->search[len] = (char)key, p->search[len + 1] = '\0';
    else if (key == LP_KEY_ESC)
        p->search[0] = '\0';
    p->searching = key != LP_KEY_ESC && (key != LP_KEY_BACKSPACE || len > 0);
}

static const struct {
    LpUiAction action;
    int by;
} moves[] = {{LP_UI_ACTION_UP, -1},         {LP_UI_ACTION_DOWN, 1},
             {LP_UI_ACTION_PAGE_UP, -PAGE}, {LP_UI_ACTION_PAGE_DOWN, PAGE},
             {LP_UI_ACTION_TOP, -FAR},      {LP_UI_ACTION_BOTTOM, FAR}};

static bool moved(LpPicker *p, LpUiAction action) {
    for (size_t i = 0; i < LP_COUNTOF(moves); i++)
        if (moves[i].action == action) {
            p->row = lp_list_moved(p->row, moves[i].by, count_shown(p));
            return true;
        }
    return false;
}

static bool is_typed(const LpPicker *p, LpKey key) {
    return p->searching &&
           (key == LP_KEY_BACKSPACE || key == LP_KEY_ESC || (key >= ' ' && key < 0x7f));
}

/* While words are explained: scrolling, and back. */
static void read_words(LpPicker *p, LpUiAction action) {
    for (size_t i = 0; i < LP_COUNTOF(moves); i++)
        if (moves[i].action == action) {
            p->line = lp_list_moved(p->line, moves[i].by, LINES_MOST);
            return;
        }
    p->words = false;
}

void lp_picker_key(LpPicker *p, LpKey key) {
    LpUiAction action = lp_keymap_action(p->keymap, key);
    char name[16], search[16];
    p->message[0] = '\0';
    if (p->words && key != LP_KEY_NONE && action != LP_UI_ACTION_INTERRUPT)
        read_words(p, action);
    else if (is_typed(p, key))
        type(p, key);
    else if (moved(p, action))
        return;
    else if (action == LP_UI_ACTION_TAKE)
        choose(p);
    else if (action == LP_UI_ACTION_HELP || action == LP_UI_ACTION_WORDS)
        p->words = true, p->line = 0;
    else if (action == LP_UI_ACTION_SEARCH)
        p->searching = true, p->search[0] = '\0', p->row = 0;
    else if (action == LP_UI_ACTION_STAGE || action == LP_UI_ACTION_STAGE_BACK)
        next_group(p, action == LP_UI_ACTION_STAGE ? 1 : -1);
    else if (action == LP_UI_ACTION_OUT && p->search[0])
        p->search[0] = '\0', p->row = 0;
    else if (action == LP_UI_ACTION_QUIT || action == LP_UI_ACTION_QUIT_NOW ||
             action == LP_UI_ACTION_OUT || action == LP_UI_ACTION_INTERRUPT)
        p->quit = true;
    else if (key >= 'a' && key <= 'z')
        p->search[0] = '\0', type(p, key);
    else if (key != LP_KEY_NONE)
        snprintf(p->message, sizeof p->message, "%s does nothing here; %s searches",
                 lp_key_name(key, name), lp_keymap_key(p->keymap, LP_UI_ACTION_SEARCH, search));
}
