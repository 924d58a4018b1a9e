/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list as a screen: groups on the left, what is marked on the right. */
#include <stdio.h>
#include <string.h>

#include "front/picker_impl.h"
#include "widgets/flow.h"
#include "widgets/widgets_keys.h"
#include "widgets/widgets_list.h"

enum {
    LIST_COLS = 41, /* of the list where a picture stands beside it */
    LIST_MOST = 70,
    BESIDE = 76, /* columns from which on there is one */
    NAME_COLS = 18,
    LINES_MOST = LP_PICK_MOST + LP_PICK_GROUPS,
    TEXT_ROWS = 9 /* of what is said above the picture, at most */
};

/* A line of the list: a heading, or an entry and its row. */
typedef struct Line {
    const LpPickEntry *entry; /* NULL: the line is the heading of `group` */
    LpPickGroup group;
    int row;
} Line;

static int build(const LpPicker *p, Line line[LINES_MOST], int *marked) {
    int count = 0, group = -1;
    const LpPickEntry *entry;
    *marked = 0;
    for (int row = 0; (entry = lp_picker_shown(p, row)) != NULL; row++) {
        if ((int)entry->group != group)
            line[count++] = (Line){.group = entry->group};
        group = (int)entry->group;
        if (row == p->row)
            *marked = count;
        line[count++] = (Line){entry, entry->group, row};
    }
    return count;
}

static void draw_heading(const LpPicker *p, const LpArea *area, int y, LpPickGroup group) {
    static const char *const names[] = {"START HERE", "LESSONS", "SCENARIOS", "RECENT SESSIONS"};
    int lessons = 0, done = 0;
    int x = lp_area_text(area, 1, y, LP_ROLE_LABEL | LP_BOLD, names[group]) + 1;
    for (int i = 0; i < p->count; i++) {
        const LpCatalogItem *item = p->entry[i].item;
        if (p->entry[i].group != LP_PICK_LESSONS || !item)
            continue;
        lessons++;
        done += item->lesson < LP_PROGRESS_LESSONS && p->progress.lesson[item->lesson];
    }
    if (group == LP_PICK_LESSONS && !p->search[0])
        x = lp_area_textf(area, x, y, LP_ROLE_MUTED, "%d of %d done", done, lessons) + 1;
    lp_area_repeat(area, x, y, area->rect.w - x - 1, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
}

/* "4 of 6 answered", in a lesson that is begun and not done; else "". */
static const char *answered_of(const LpPicker *p, const LpCatalogItem *item, char text[32]) {
    text[0] = '\0';
    if (item && item->goal && item->lesson < LP_PROGRESS_LESSONS &&
        p->progress.asked[item->lesson] > 0 && !p->progress.lesson[item->lesson])
        snprintf(text, 32, "%u of %u answered", (unsigned)p->progress.answered[item->lesson],
                 (unsigned)p->progress.asked[item->lesson]);
    return text;
}

/* "12 min", "4 of 6 answered" or "32 servers" at the right end. */
static const char *fact_of(const LpPicker *p, const LpPickEntry *entry, char text[32]) {
    const LpCatalogItem *item = entry->item;
    if (entry->tour)
        return "2 min";
    if (!item)
        return entry->fact;
    if (item->error)
        return "";
    if (answered_of(p, item, text)[0])
        return text;
    if (item->goal)
        snprintf(text, 32, "%u min", (unsigned)item->minutes);
    else
        snprintf(text, 32, "%u server%s", (unsigned)item->servers, item->servers == 1 ? "" : "s");
    return text;
}

static const char *title_of(const LpPickEntry *entry) {
    if (entry->tour)
        return "seven stops on a small cluster";
    return !entry->item ? "" : entry->item->error ? "cannot be opened" : entry->item->title;
}

static void draw_entry(const LpPicker *p, const LpArea *area, int y, const Line *line) {
    const LpPickEntry *entry = line->entry;
    const LpCatalogItem *item = entry->item;
    bool marked = line->row == p->row, bad = item && item->error;
    bool done = item && item->goal && item->lesson < LP_PROGRESS_LESSONS &&
                p->progress.lesson[item->lesson];
    LpStyle style = bad ? LP_ROLE_MUTED : marked ? LP_ROLE_TEXT | LP_BOLD : (LpStyle)LP_ROLE_TEXT;
    char fact[32], title[200];
    const char *right = fact_of(p, entry, fact);
    enum { DAY = 6, NARROW = 46 }; /* "11-27 " of a session has no room in a narrow list */
    if (!item && !entry->tour && area->rect.w < NARROW && strlen(right) > DAY)
        right += DAY;
    int w = area->rect.w, end = w - 1 - lp_text_width(right);
    if (done || (entry->tour && p->progress.toured))
        lp_area_glyph(area, 1, y, LP_ROLE_GOOD, LP_GLYPH_CHECK);
    if (marked)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    int x = lp_area_fit(area, 3, y, entry->item ? NAME_COLS + 8 : end - 4, style, entry->name);
    x = entry->item && x < 3 + NAME_COLS ? 3 + NAME_COLS : x + 1;
    if (end - x > 24)
        lp_area_fit(area, x, y, end - x - 1, bad ? LP_ROLE_BAD : LP_ROLE_MUTED,
                    lp_str_show(title, sizeof title, title_of(entry)));
    if (x < end)
        lp_area_text(area, end, y, LP_ROLE_MUTED, right);
    if (marked)
        lp_area_mark(area, 2, y, w - 3, LP_REVERSE);
}

static void draw_list(const LpPicker *p, const LpArea *area) {
    Line line[LINES_MOST];
    int marked, count = build(p, line, &marked), rows = area->rect.h;
    bool scrolls = count > rows;
    rows -= scrolls; /* the last one says what is above and below */
    int first = marked <= 1 ? 0 : lp_list_around(marked, count, rows);
    if (count == 0)
        lp_area_keys(area, 2, 0, area->rect.w - 2, LP_ROLE_MUTED, p->keymap,
                     p->search[0] ? "nothing of that name; {out} shows all"
                                  : "no scenario came with the program; lightpath FILE opens one");
    for (int y = 0; y < rows && first + y < count; y++) {
        if (line[first + y].entry)
            draw_entry(p, area, y, &line[first + y]);
        else
            draw_heading(p, area, y, line[first + y].group);
    }
    if (scrolls)
        lp_area_textf(area, 3, rows, LP_ROLE_MUTED, "lines %d to %d of %d", first + 1,
                      first + rows < count ? first + rows : count, count);
}

/* ---- what is marked ---- */

static void add_about(const LpPicker *p, const LpPickEntry *entry, LpBuf *out) {
    const LpCatalogItem *item = entry->item;
    char title[200], notes[2000], answered[32];
    if (entry->tour) {
        lp_buf_add(out,
                   "# the tour\nThe real program on a RAMP cluster (an optical network in which "
                   "every server has a transmitter to every group of servers): what is on the "
                   "screen, why a job is split, and what that costs the next one. Jobs are "
                   "judged by JCT, job completion time: from arriving until done.\n");
        return;
    }
    if (!item) {
        lp_buf_addf(out,
                    "# %s\nA session that was saved by itself: it goes on where it was left, "
                    "with all its branches.\n%s\n",
                    entry->name, entry->told);
        return;
    }
    lp_str_show(title, sizeof title, item->title[0] ? item->title : item->name);
    lp_str_show(notes, sizeof notes,
                item->error  ? item->error
                : item->goal ? item->goal
                             : item->notes);
    lp_buf_addf(out, "# %s\n", title);
    if (!item->error && item->goal)
        lp_buf_addf(out, "lesson %u, %u minutes, %u server%s%s%s%s%s\n", (unsigned)item->lesson,
                    (unsigned)item->minutes, (unsigned)item->servers, item->servers == 1 ? "" : "s",
                    item->needs ? ", " : "", item->needs ? item->needs : "",
                    answered_of(p, item, answered)[0] ? ", " : "", answered);
    else if (!item->error)
        lp_buf_addf(out, "%s, %u server%s, %s\n", item->fabric, (unsigned)item->servers,
                    item->servers == 1 ? "" : "s", item->semantics);
    lp_buf_addf(out, "%s\n", notes);
}

static void draw_about(const LpPicker *p, const LpArea *area) {
    const LpPickEntry *entry = lp_picker_marked(p);
    LpBuf text = {0};
    if (!entry || area->rect.h <= 0)
        return;
    add_about(p, entry, &text);
    int lines = lp_flow_draw(NULL, lp_buf_text(&text), area->rect.w, 0);
    int most = p->preview && area->rect.h > 2 * TEXT_ROWS ? TEXT_ROWS : area->rect.h;
    if (p->preview && area->rect.h <= 2 * TEXT_ROWS)
        most = area->rect.h - TEXT_ROWS > 3 ? area->rect.h - TEXT_ROWS : 3;
    lines = lines < most ? lines : most;
    LpArea upper = lp_area_part(area, (LpRect){0, 0, area->rect.w, lines});
    lp_flow_draw(&upper, lp_buf_text(&text), area->rect.w, 0);
    lp_area_done(area, &text);
    if (!p->preview)
        return;
    LpArea lower =
        lp_area_part(area, (LpRect){0, lines + 1, area->rect.w, area->rect.h - lines - 1});
    lp_preview_draw(p->preview, &lower);
}

static void draw_foot(const LpPicker *p, const LpArea *area, int y) {
    int w = area->rect.w;
    if (p->message[0])
        lp_area_fit(area, 1, y, w - 1, LP_ROLE_WAIT, p->message);
    else if (p->searching)
        lp_area_textf(area, 1, y, LP_ROLE_KEY, "/%s_   Enter opens  Esc shows all", p->search);
    else if (p->words)
        lp_area_keys(area, 1, y, w - 1, LP_ROLE_MUTED, p->keymap,
                     "{up} {down} more words  {out} back to the list");
    else
        lp_area_keys(area, 1, y, w - 1, LP_ROLE_MUTED, p->keymap,
                     w < 60 ? "{take} open  {search} search  {words} words  {quit} quit"
                            : "{take} open  {search} search  {stage} group  {up} {down} choose  "
                              "{words} words  {quit} quit");
}

void lp_picker_draw(const LpPicker *p, LpCanvas *canvas) {
    int rows = canvas->rows, cols = canvas->cols;
    bool beside = cols >= BESIDE;
    int w = beside ? (cols * 2 / 5 > LIST_COLS ? cols * 2 / 5 : LIST_COLS) : cols;
    w = w > LIST_MOST ? LIST_MOST : w;
    lp_canvas_clear(canvas);
    LpArea whole = lp_canvas_area(canvas, (LpRect){0, 0, cols, rows});
    lp_area_text(&whole, 1, 0, LP_ROLE_TITLE, "lightpath");
    if (cols >= 40)
        lp_area_right(&whole, cols - 1, 0, LP_ROLE_MUTED, "what do you want to see?");
    LpArea list = lp_area_part(&whole, (LpRect){0, 2, w, rows - 3});
    if (rows >= 3 && !p->progress.toured && !p->search[0])
        lp_area_keys(&whole, 1, 1, cols - 1, LP_ROLE_STAGE | LP_BOLD, p->keymap,
                     "First time here? {take} starts the tour; {out} leaves it at any moment.");
    draw_list(p, &list);
    if (beside) {
        LpArea about = lp_area_part(&whole, (LpRect){w + 2, 2, cols - w - 3, rows - 3});
        draw_about(p, &about);
    }
    if (p->words) {
        int left = beside ? w + 2 : 1;
        LpArea words = lp_area_part(&whole, (LpRect){left, 2, cols - left - 1, rows - 3});
        lp_picker_draw_words(p, canvas, &words);
    }
    draw_foot(p, &whole, rows - 1);
}
