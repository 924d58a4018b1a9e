/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws what is pointed at: an accent on its cells, and brackets or a pointer where they have room,
 * since colours are never alone. What a cell is of, views have said for the mouse. */
#include <stdlib.h>
#include <string.h>

#include "screen/cover.h"

enum { STYLE = LP_ROLE_CURSOR | LP_BOLD | LP_FILL, TEXT_MOST = 80, BRACKETED = 16 };

/* A canvas that is looked through, and drawn on where `draw`. */
typedef struct Search {
    const LpModel *model;
    const LpScreenLayout *layout;
    LpCanvas *canvas;
    const LpPointer *pointer;
    uint32_t first, end; /* servers that are meant */
    bool draw;
    int found;
} Search;

static LpCell *cell_at(const Search *s, int x, int y) {
    return &s->canvas->cell[y * s->canvas->cols + x];
}

static bool is_blank(const Search *s, int x, int y, LpRect within) {
    return x >= within.x && x < within.x + within.w && cell_at(s, x, y)->cp == ' ';
}

/* ---- drawing ---- */

static void put(const Search *s, int x, int y, LpGlyph glyph) {
    LpArea area = lp_canvas_area(s->canvas, (LpRect){0, 0, s->canvas->cols, s->canvas->rows});
    LpCell before = *cell_at(s, x, y);
    lp_area_glyph(&area, x, y, LP_ROLE_CURSOR | LP_BOLD, glyph);
    cell_at(s, x, y)->hit = before.hit;
    cell_at(s, x, y)->what = before.what;
}

/* A bar swaps its colours with the mark: in the colour of the background it would be a hole. */
static void mark(const Search *s, int x, int y) {
    LpArea area = lp_canvas_area(s->canvas, (LpRect){0, 0, s->canvas->cols, s->canvas->rows});
    LpCell *cell = cell_at(s, x, y);
    if (lp_glyph_covers(cell->cp))
        lp_area_mark(&area, x, y, 1, LP_REVERSE);
    else
        cell->style = STYLE;
}

/* Accent on `count` cells; a bracket on either side where that is blank. */
static void found(Search *s, int x, int y, int count, LpRect within) {
    LpArea area = lp_canvas_area(s->canvas, (LpRect){0, 0, s->canvas->cols, s->canvas->rows});
    s->found++;
    if (!s->draw)
        return;
    for (int i = 0; i < count; i++)
        mark(s, x + i, y);
    if (count > BRACKETED || !is_blank(s, x - 1, y, within) || !is_blank(s, x + count, y, within))
        return;
    lp_area_put(&area, x - 1, y, LP_ROLE_CURSOR | LP_BOLD, '[');
    lp_area_put(&area, x + count, y, LP_ROLE_CURSOR | LP_BOLD, ']');
}

/* A whole row: from its first sign to its last, and a pointer in front. */
static void found_row(Search *s, LpRect rect, int y) {
    int x = rect.x, end = rect.x + rect.w;
    while (x < end && cell_at(s, x, y)->cp == ' ')
        x++;
    while (end > x && cell_at(s, end - 1, y)->cp == ' ')
        end--;
    s->found++;
    if (!s->draw)
        return;
    for (int i = x; i < end; i++)
        mark(s, i, y);
    if (x > rect.x)
        put(s, x - 1, y, LP_GLYPH_POINTER);
}

/* ---- cells that say what they are of ---- */

/* Does a running job, or the one that is decided, send from one server to the other? */
static bool is_lit(const LpModel *model, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i <= model->running_count; i++) {
        const LpRunning *job = i < model->running_count ? &model->running[i] : &model->moving;
        for (uint32_t k = 0; k < job->paths; k++)
            if (job->path[k].src == from && job->path[k].dst == to)
                return true;
    }
    return false;
}

/* The path itself, and the transmitter that lights it. */
static bool is_of_path(const Search *s, const LpCell *cell) {
    const LpFabric *f = &s->model->context->fabric;
    uint32_t from = s->pointer->number, to = s->pointer->other;
    if ((cell->hit != LP_HIT_PATH && cell->hit != LP_HIT_LIGHT) || !is_lit(s->model, from, to))
        return false;
    uint32_t light = LP_HIT_PATHS * from + lp_fabric_group(f, to);
    return (cell->hit == LP_HIT_PATH && cell->what == LP_HIT_PATHS * from + to) ||
           (cell->hit == LP_HIT_LIGHT && cell->what == light);
}

static bool is_meant(const Search *s, const LpCell *cell) {
    const LpPointer *p = s->pointer;
    switch (p->kind) {
    case LP_POINTER_SERVER: {
        bool light = cell->hit == LP_HIT_LIGHT;
        uint32_t server = light ? cell->what / LP_HIT_PATHS : cell->what;
        return (light || cell->hit == LP_HIT_SERVER) && server >= s->first && server < s->end;
    }
    case LP_POINTER_OP:
        return cell->hit == LP_HIT_OP && cell->what == p->number;
    case LP_POINTER_CURVE:
        return cell->hit == LP_HIT_CURVE && cell->what + 1 == p->number;
    case LP_POINTER_PATH:
        return is_of_path(s, cell);
    default:
        return false;
    }
}

static bool has_letter(const Search *s, const LpCell *cell) {
    const char letter = s->pointer->text[0];
    LpStyle role = cell->style & 0xff;
    return cell->cp == (uint32_t)letter &&
           ((role >= LP_ROLE_JOB0 && role < LP_ROLE_JOB0 + LP_JOB_ROLES) ||
            role == LP_ROLE_PENDING);
}

/* Runs of cells in a pane of which it holds. */
static void find_runs(Search *s, LpRect rect, bool (*holds)(const Search *, const LpCell *)) {
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) {
            int from = x;
            while (x < rect.x + rect.w && holds(s, cell_at(s, x, y)))
                x++;
            if (x > from)
                found(s, from, y, x - from, rect);
        }
}

/* ---- rows and words ---- */

static bool begins_row(const Search *s, LpRect rect, int y) {
    for (int x = rect.x; x < rect.x + rect.w; x++) {
        uint8_t hit = cell_at(s, x, y)->hit;
        if (hit == LP_HIT_ROW || hit == LP_HIT_JOB)
            return true;
    }
    return false;
}

/* The pane whose rows a number counts, where it has that many: the first of those that a step of a
 * lesson names, else that of the decision which is due. LP_PANE_COUNT: any. */
static LpPane spoken_of(const LpModel *model) {
    LpPane named[LP_LESSON_PANES];
    if (lp_model_panes(model->ui, named) > 0)
        return named[0];
    return model->decision.due ? LP_PANE_DECISION : LP_PANE_COUNT;
}

/* The n-th row of a pane. */
static void find_row(Search *s, LpRect rect) {
    uint32_t row = 0;
    for (int y = rect.y; y < rect.y + rect.h; y++)
        if (begins_row(s, rect, y) && ++row == s->pointer->number)
            found_row(s, rect, y);
}

static int decode(const char *text, uint32_t cp[TEXT_MOST]) {
    LpCell cell[TEXT_MOST];
    int count = lp_text_cells(text, TEXT_MOST, cell);
    for (int i = 0; i < count; i++)
        cp[i] = cell[i].cp;
    return count;
}

static bool is_text(const Search *s, int x, int y, const uint32_t *cp, int count) {
    for (int i = 0; i < count; i++)
        if (cell_at(s, x + i, y)->cp != cp[i])
            return false;
    return true;
}

static void find_words(Search *s, LpRect rect, bool rows) {
    uint32_t cp[TEXT_MOST];
    int count = decode(s->pointer->text, cp);
    for (int y = rect.y + (rows && rect.h > 1); y < rect.y + rect.h; y++)
        for (int x = rect.x; x + count <= rect.x + rect.w; x++) {
            if (!is_text(s, x, y, cp, count))
                continue;
            if (rows) {
                found_row(s, rect, y);
                break;
            }
            found(s, x, y, count, rect);
            x += count - 1;
        }
}

/* ---- which servers a name means ---- */

/* "g2", "g2r1", "g2r1s0": the servers from *first to *end. */
static bool read_server(const LpModel *model, const char *name, uint32_t *first, uint32_t *end) {
    const LpFabric *f = &model->context->fabric;
    const uint32_t most[] = {f->groups, f->racks, f->per_rack};
    static const char letters[] = "grs";
    uint32_t size = f->servers;
    *first = 0;
    for (int i = 0; i < 3 && *name; i++) {
        char *after;
        if (*name != letters[i] || most[i] == 0)
            return false;
        unsigned long place = strtoul(name + 1, &after, 10);
        if (after == name + 1 || place >= most[i])
            return false;
        size /= most[i];
        *first += (uint32_t)place * size;
        name = after;
    }
    *end = *first + size;
    return *name == '\0';
}

/* ---- all panes ---- */

static void find_in(Search *s, LpRect rect) {
    switch (s->pointer->kind) {
    case LP_POINTER_LETTER:
        find_runs(s, rect, has_letter);
        return;
    case LP_POINTER_ROW:
        if (s->pointer->numbered && s->found == 0)
            find_row(s, rect);
        else if (!s->pointer->numbered)
            find_words(s, rect, true);
        return;
    case LP_POINTER_WORDS:
        find_words(s, rect, false);
        return;
    default:
        find_runs(s, rect, is_meant);
    }
}

static int look(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas,
                const LpPointer *pointer, bool draw) {
    Search s = {.model = model, .layout = layout, .canvas = canvas, .pointer = pointer};
    s.draw = draw;
    s.first = pointer->number;
    s.end = pointer->number + 1;
    if (pointer->kind == LP_POINTER_SERVER && !pointer->numbered &&
        !read_server(model, pointer->text, &s.first, &s.end))
        return 0;
    LpPane first =
        pointer->kind == LP_POINTER_ROW && pointer->numbered ? spoken_of(model) : LP_PANE_COUNT;
    if (first != LP_PANE_COUNT && layout->pane[first].w > 0 && layout->pane[first].h > 0)
        find_in(&s, layout->pane[first]);
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        LpRect rect = layout->pane[pane];
        if (pane != LP_PANE_LESSON && pane != LP_PANE_KEYS && pane != LP_PANE_LEGEND &&
            rect.w > 0 && rect.h > 0)
            find_in(&s, rect);
    }
    return s.found;
}

int lp_screen_find(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas,
                   const LpPointer *pointer) {
    return look(model, layout, canvas, pointer, false);
}

void lp_screen_point(const LpModel *model, const LpScreenLayout *layout, LpCanvas *canvas) {
    for (int i = 0; i < model->ui->pointers; i++)
        look(model, layout, canvas, &model->ui->pointer[i], true);
}
