/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line as a tree: a track of what happened when for every branch, where each was forked,
 * bookmarks, and a cursor that can be sent along a track to go there. */
#include "views/branches/branches_view_impl.h"
#include "widgets/widgets_list.h"

#include <math.h>
#include <stdio.h>

enum { NAME = 2, DETAIL_ROWS = 4, ROWS_LEAST = 3, TRACK_LEAST = 8 };

int lp_branches_row(const LpModel *model) {
    int row = lp_branches_state(model)->row, count = (int)model->time.twigs;
    if (row >= 0)
        return row < count ? row : count - 1;
    for (int i = 0; i < count; i++)
        if (model->time.twig[i].branch == model->time.moment.branch)
            return i;
    return 0;
}

int lp_view_track_columns(int cols) {
    LpBranchesForm c = lp_branches_form(cols - 4);
    return c.track_end - c.track > 1 ? c.track_end - c.track : 2;
}

static int column_of(const LpModel *model, const LpBranchesForm *c, double time) {
    int columns = c->track_end - c->track;
    double share = fmin(fmax(time / lp_branches_facts(model)->end, 0.0), 1.0);
    return c->track + (int)(share * (columns - 1) + 0.5);
}

/* ---- the tracks ---- */

static void draw_mark(const LpArea *area, int x, int y, uint8_t bits) {
    static const struct {
        uint8_t bit;
        LpRole role;
        LpGlyph glyph;
    } marks[] = {{LP_MARK_BLOCKED, LP_ROLE_BAD, LP_GLYPH_BLOCKED},
                 {LP_MARK_STARTED, LP_ROLE_TEXT, LP_GLYPH_STARTED},
                 {LP_MARK_WAITING, LP_ROLE_WAIT, LP_GLYPH_WAITING},
                 {LP_MARK_DONE, LP_ROLE_GOOD, LP_GLYPH_DONE}};
    for (size_t i = 0; i < LP_COUNTOF(marks); i++)
        if (bits & marks[i].bit) {
            lp_area_glyph(area, x, y, (LpStyle)marks[i].role, marks[i].glyph);
            return;
        }
    lp_area_glyph(area, x, y, LP_ROLE_BORDER, LP_GLYPH_PAST);
}

/* From where it was forked to its tip. */
static void draw_track(const LpModel *model, const LpArea *area, int y, uint32_t index,
                       const LpBranchesForm *c) {
    const LpTwig *twig = &model->time.twig[index];
    const LpMarks *marks = &lp_branches_facts(model)->marks[index];
    bool trunk = twig->info.parent == LP_NO_INDEX;
    int from = trunk ? c->track : column_of(model, c, twig->info.fork_time);
    int to = column_of(model, c, twig->info.tip_time), columns = c->track_end - c->track;
    double part = lp_branches_facts(model)->end / marks->scale / columns;
    for (int x = from; x <= to; x++) {
        int i = x - c->track;
        draw_mark(area, x, y, lp_marks_between(marks, i * part, (i + 1) * part));
    }
    if (!trunk)
        lp_area_glyph(area, from, y, LP_ROLE_CURSOR, LP_GLYPH_BOTTOM_LEFT);
}

static void draw_bookmarks(const LpModel *model, const LpArea *area, int y, const LpTwig *twig,
                           const LpBranchesForm *c) {
    for (int i = 0; i < model->ui->bookmarks; i++)
        if (model->ui->bookmark[i].branch == twig->branch)
            lp_area_glyph(area, column_of(model, c, model->ui->bookmark_time[i]), y, LP_ROLE_CURSOR,
                          LP_GLYPH_BOOKMARK);
}

static int row_of(const LpTimeModel *time, uint32_t branch) {
    for (uint32_t i = 0; i < time->twigs; i++)
        if (time->twig[i].branch == branch)
            return (int)i;
    return -1;
}

/* The row in whose track the branch was forked: its parent's, or that of an older ancestor where it
 * was forked before the parent was. */
static int fork_row(const LpTimeModel *time, const LpTwig *twig) {
    int row = row_of(time, twig->info.parent);
    while (row >= 0 && time->twig[row].info.parent != LP_NO_INDEX &&
           time->twig[row].info.fork_time > twig->info.fork_time)
        row = row_of(time, time->twig[row].info.parent);
    return row;
}

/* The line from a fork in its parent's track down to the branch, behind all else. */
static void draw_fork(const LpModel *model, const LpArea *area, int first, int rows, int index,
                      const LpBranchesForm *c) {
    const LpTwig *twig = &model->time.twig[index];
    int parent = fork_row(&model->time, twig);
    int x = column_of(model, c, twig->info.fork_time);
    for (int row = parent + 1; parent >= 0 && row < index; row++)
        if (row >= first && row < first + rows)
            lp_area_glyph(area, x, row - first, LP_ROLE_CURSOR, LP_GLYPH_VERTICAL);
}

static void draw_fork_mark(const LpModel *model, const LpArea *area, int first, int rows, int index,
                           const LpBranchesForm *c) {
    const LpTwig *twig = &model->time.twig[index];
    int parent = fork_row(&model->time, twig);
    if (parent >= first && parent < first + rows)
        lp_area_glyph(area, column_of(model, c, twig->info.fork_time), parent - first,
                      LP_ROLE_CURSOR, LP_GLYPH_BRANCH);
}

/* ---- rows ---- */

static void draw_twig(const LpModel *model, const LpArea *area, int y, uint32_t index,
                      const LpBranchesForm *c) {
    const LpTwig *twig = &model->time.twig[index];
    bool current = twig->branch == model->time.moment.branch;
    int depth = twig->depth < 8 ? twig->depth : 8;
    int x = NAME + (c->track >= 28 ? 2 * depth : 2 * (depth > 0));
    if (current)
        lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
    if (twig->depth > 0)
        lp_area_glyph(area, x - 2, y, LP_ROLE_BORDER, LP_GLYPH_BRANCH);
    lp_area_fit(area, x, y, c->track - 1 - x, current ? LP_ROLE_TEXT | LP_BOLD : LP_ROLE_TEXT,
                twig->info.name);
    draw_track(model, area, y, index, c);
    draw_bookmarks(model, area, y, twig, c);
    LpTableRow row = {.list = model, .item = twig};
    if (lp_session_tip_world(model->session, twig->branch))
        lp_table_draw(&lp_branches_table, area, y, c->at, &row);
    if (current)
        lp_area_glyph(area, column_of(model, c, lp_world_now(model->world)), y, LP_ROLE_CURSOR,
                      LP_GLYPH_CURSOR);
}

static void draw_headings(const LpModel *model, const LpArea *area, const LpBranchesForm *c) {
    static const LpStyle style = LP_ROLE_MUTED;
    double span = lp_branches_facts(model)->end;
    char begin[LP_SHOW_TEXT] = "0", end[LP_SHOW_TEXT];
    if (model->scenario->epoch.given)
        lp_words_axis(model, 0, span, begin);
    lp_table_titles(&lp_branches_table, area, c->at, -1);
    lp_area_text(area, c->track, 0, style, begin);
    lp_area_right(area, c->track_end, 0, style, lp_words_axis(model, span, span, end));
}

static void draw_rows(const LpModel *model, const LpArea *area, int first,
                      const LpBranchesForm *c) {
    int rows = area->rect.h, picked = lp_branches_row(model), count = (int)model->time.twigs;
    const LpTwig *twig = &model->time.twig[picked];
    for (int i = 0; i < count; i++)
        draw_fork(model, area, first, rows, i, c);
    for (int i = 0; i < rows && first + i < count; i++)
        draw_twig(model, area, i, (uint32_t)(first + i), c);
    for (int i = 0; i < rows && first + i < count; i++)
        lp_area_hit(area, (LpRect){0, i, area->rect.w, 1}, LP_HIT_ROW, (uint32_t)(first + i));
    for (int i = 0; i < count; i++)
        draw_fork_mark(model, area, first, rows, i, c);
    if (picked < first || picked >= first + rows)
        return;
    lp_area_mark(area, 0, picked - first, c->track - 1, LP_REVERSE);
    double at = lp_tracks_at(lp_branches_state(model), twig, lp_world_now(model->world));
    lp_area_mark(area, column_of(model, c, at), picked - first, 1, LP_REVERSE);
}

/* ---- what is known of the marked branch and of the moment under the cursor ---- */

static void say_branch(const LpModel *model, const LpTwig *twig, const LpArea *area, int y) {
    const LpBranchInfo *info = &twig->info;
    LpBranchInfo parent;
    char from[LP_WORDS_TIME], to[LP_WORDS_TIME], name[64];
    LpBuf text = {0};
    lp_words_time(model, info->tip_time, to);
    if (info->parent != LP_NO_INDEX &&
        lp_session_branch(model->session, info->parent, &parent) == LP_OK)
        lp_buf_addf(
            &text, "forked from %s at %s%s%s, ", lp_str_show(name, sizeof name, parent.name),
            lp_words_time(model, info->fork_time, from), *info->what ? ": " : "", info->what);
    lp_buf_addf(&text, "decided by %s, got as far as %s%s", info->policy, to,
                info->over ? ", the end" : "");
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void say_moment(const LpModel *model, const LpTwig *twig, const LpArea *area, int y) {
    double at = lp_tracks_at(lp_branches_state(model), twig, lp_world_now(model->world));
    LpMoment moment = {twig->branch, lp_session_step_at(model->session, twig->branch, at)};
    LpMomentFacts facts;
    char text[LP_WORDS_TIME];
    if (lp_session_moment_facts(model->session, moment, &facts) != LP_OK)
        return;
    int x = lp_area_textf(area, 0, y, LP_ROLE_KEY, "%s", lp_words_time(model, at, text));
    x = lp_area_textf(area, x, y, LP_ROLE_TEXT,
                      "  decision %llu  arrived %u  done %u  running %u  waiting %u",
                      (unsigned long long)facts.decisions, (unsigned)facts.counts.arrived,
                      (unsigned)facts.counts.completed, (unsigned)facts.counts.running,
                      (unsigned)facts.counts.waiting);
    lp_area_textf(area, x + 2, y, facts.counts.blocked ? LP_ROLE_BAD : LP_ROLE_TEXT, "blocked %u",
                  (unsigned)facts.counts.blocked);
}

/* The event before the moment under the cursor. */
static void say_event(const LpModel *model, const LpTwig *twig, const LpArea *area, int y) {
    double at = lp_tracks_at(lp_branches_state(model), twig, lp_world_now(model->world));
    size_t low = 0, high = lp_session_branch_events(model->session, twig->branch);
    while (low < high) { /* the first event after it */
        size_t middle = low + (high - low) / 2;
        if (lp_session_branch_event(model->session, twig->branch, middle)->time <= at)
            low = middle + 1;
        else
            high = middle;
    }
    const LpWorld *tip = lp_session_tip_world(model->session, twig->branch);
    if (low == 0 || tip == NULL)
        return;
    const LpEvent *event = lp_session_branch_event(model->session, twig->branch, low - 1);
    LpModel there = *model;
    there.world = tip;
    there.ahead = true;
    there.time.moment.branch = twig->branch;
    there.time.tip = twig->info.tip;
    LpBuf text = {0};
    lp_buf_add(&text, "last: ");
    lp_words_event_at(&there, event, &text);
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_MUTED, lp_buf_text(&text));
    lp_area_done(area, &text);
}

static void draw_details(const LpModel *model, const LpArea *area) {
    const LpTwig *twig = &model->time.twig[lp_branches_row(model)];
    say_branch(model, twig, area, 0);
    say_moment(model, twig, area, 1);
    say_event(model, twig, area, 2);
    lp_area_keys(area, 0, 3, area->rect.w, LP_ROLE_MUTED, model->ui->keymap,
                 area->rect.w >= 90
                     ? "{up} {down} branch  {left} {right} along it  {take} go there  {compare} "
                       "compare  {rename} rename  {delete} delete  {bookmark} bookmark"
                     : "{left} {right} along it  {take} go there  {compare} compare  {delete} "
                       "delete  {bookmark} bookmark");
}

void lp_view_branches(const LpModel *model, const LpArea *area) {
    const LpTimeModel *time = &model->time;
    LpArea box = lp_area_heading(area, "TIMELINE the futures that were begun");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (!time->known || time->twigs == 0 || lp_branches_facts(model)->count != time->twigs) {
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "this session keeps no time line");
        return;
    }
    LpBranchesForm c = lp_branches_form(inside.rect.w);
    int details = inside.rect.h >= 1 + ROWS_LEAST + DETAIL_ROWS ? DETAIL_ROWS : 0;
    int rows = inside.rect.h - 1 - details, picked = lp_branches_row(model);
    int first = lp_list_around(picked, (int)time->twigs, rows);
    if (rows < 1 || c.track_end - c.track < TRACK_LEAST)
        return;
    LpArea middle = lp_area_part(&inside, (LpRect){0, 1, inside.rect.w, rows});
    LpArea lower = lp_area_part(&inside, (LpRect){0, 1 + rows, inside.rect.w, details});
    draw_headings(model, &inside, &c);
    draw_rows(model, &middle, first, &c);
    if (details)
        draw_details(model, &lower);
}
