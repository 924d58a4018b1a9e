/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What if the job asked for another shape, or a twist? */
#include <stdio.h>

#include "views/pod/pod_view_impl.h"
#include "widgets/widgets_list.h"

static int count_shapes(const void *list) {
    return (int)lp_pod_facts(list)->shapes;
}

static const void *shape_at(const void *list, int row) {
    return &lp_pod_facts(list)->shape[row];
}

static const char *name_of(const LpTableRow *row, const LpSlice *slice) {
    char name[LP_SLICE_TEXT];
    if (row->room == NULL)
        return "";
    lp_buf_add(row->room, lp_slice_name(slice, name));
    return lp_buf_text(row->room);
}

static const char *print_load(const LpTableRow *row LP_UNUSED, LpTableValue value,
                              char text[LP_SHOW_TEXT]) {
    snprintf(text, LP_SHOW_TEXT, "%.5g", value.number);
    return text;
}

static const char *print_gain(const LpTableRow *row LP_UNUSED, LpTableValue value,
                              char text[LP_SHOW_TEXT]) {
    snprintf(text, LP_SHOW_TEXT, "x%.3g", value.number);
    return text;
}

#define LP_TABLE_ITEM LpPodShape
#define COLUMNS(X)                                                                                 \
    X(SHAPE, "slice", "slice", "", "a shape of as many accelerators", 20, lp_table_words,          \
      lp_table_text(name_of(row, &it->is.slice)))                                                  \
    X(LOAD, "load", "all_to_all_load", "",                                                         \
      "units on the busiest link when each sends one to each", 0, print_load, it->is.load)         \
    X(GAIN, "gain", "gain", "", "rate of all-to-all over that of plain rings", 0, print_gain,      \
      it->is.gain)                                                                                 \
    X(ALL_TO_ALL, "to all", "all_to_all_time", "s", "all-to-all of 1 GB from each to each", 0,     \
      lp_table_seconds, it->is.all_to_all_time)                                                    \
    X(ALL_REDUCE, "all-reduce", "all_reduce_time", "s", "all-reduce of 1 GB by rings", 0,          \
      lp_table_seconds, it->is.all_reduce_time)                                                    \
    X(CIRCUITS, "circuits", "cross_connects", "", "that it sets", 0, lp_table_count,               \
      it->is.cross_connects)                                                                       \
    X(FITS, "now", "now", "", "does it find a place now, or why not", LP_TABLE_REST,               \
      lp_table_words, it->cause == LP_CAUSE_NONE ? "fits" : lp_cause_code(it->cause))

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static LpStyle style_of(const LpTableRow *row, int column) {
    const LpPodShape *shape = row->item;
    if (column == COLUMN_FITS)
        return shape->cause == LP_CAUSE_NONE ? LP_ROLE_GOOD : LP_ROLE_BAD;
    if (column == COLUMN_SHAPE && shape->asked)
        return LP_ROLE_PENDING | LP_BOLD;
    return LP_ROLE_TEXT;
}

const LpTable lp_pod_shape_table = {.column = columns,
                                    .columns = LP_COUNTOF(columns),
                                    .rows = count_shapes,
                                    .item = shape_at,
                                    .style = style_of};

static const int at[COLUMN_COUNT] = {
    [COLUMN_SHAPE] = 2,       [COLUMN_LOAD] = 29,     [COLUMN_GAIN] = 36, [COLUMN_ALL_TO_ALL] = 45,
    [COLUMN_ALL_REDUCE] = 56, [COLUMN_CIRCUITS] = 66, [COLUMN_FITS] = 69};

static void draw_rows(const LpModel *model, const LpArea *area) {
    const LpPodFacts *f = lp_pod_facts(model);
    int count = (int)f->shapes, rows = area->rect.h - 1, marked = lp_pod_state(model)->row;
    LpBuf room = {0};
    marked = marked < count ? marked : count - 1;
    lp_table_titles(&lp_pod_shape_table, area, at, -1);
    for (int i = lp_list_around(marked, count, rows), y = 1; i < count && y <= rows; i++, y++) {
        LpTableRow row = {model, &f->shape[i], i, &room};
        if (i == marked)
            lp_area_glyph(area, 0, y, LP_ROLE_KEY, LP_GLYPH_POINTER);
        lp_table_draw(&lp_pod_shape_table, area, y, at, &row);
    }
    lp_area_done(area, &room);
}

static void draw_notes(const LpModel *model, const LpArea *area, int y) {
    const LpPodFacts *f = lp_pod_facts(model);
    int row = lp_pod_state(model)->row < (int)f->shapes ? lp_pod_state(model)->row : 0;
    const LpPodShape *shape = &f->shape[row];
    lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_TEXT,
                shape->cause == LP_CAUSE_NONE ? "the marked shape finds a place now" : shape->why);
    lp_area_fit(area, 0, y + 1, area->rect.w, LP_ROLE_MUTED,
                "gain of all-to-all over plain rings of this shape; all-reduce: as plain");
}

void lp_view_shapes(const LpModel *model, const LpArea *area) {
    enum { NOTES = 3 };
    const LpPodFacts *f = lp_pod_facts(model);
    LpBuf title = {0};
    lp_buf_add(&title, "SHAPES");
    if (f->shapes_job != LP_NO_INDEX && f->shapes > 0) {
        char whose[LP_WORDS_JOB], count[LP_SHOW_TEXT];
        lp_buf_addf(&title, " of %s accelerators for %s",
                    lp_show_count(f->shape[0].is.slice.accelerators, count),
                    lp_words_job(model, lp_world_job(model->world, f->shapes_job), whose));
    }
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (f->shapes == 0) {
        lp_area_fit(&inside, 0, 0, inside.rect.w, LP_ROLE_MUTED, "no slice has been decided yet");
    } else {
        int rows = (int)f->shapes + 1, most = inside.rect.h - NOTES;
        LpArea list =
            lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, rows < most ? rows : most});
        draw_rows(model, &list);
        draw_notes(model, &inside, (rows < most ? rows : most) + 1);
    }
    lp_area_done(area, &title);
}
