/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger: where every job that arrived has gone, and how much of the cluster is in use. It is
 * there at every size, in fewer words where there is less room. */
#include "views/ledger/impl.h"

#include "sim/light/circuits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 12 };

typedef enum Detail { VERSUS, LONG, PLAIN, SHORT, VERSUS_SHORT, JOBS_ONLY, LEAST, DETAILS } Detail;

typedef struct Part {
    LpStyle style;
    bool bar; /* a line stands before it */
    char text[48];
} Part;

typedef struct Line {
    Part part[PARTS_MAX];
    int count, gap;
} Line;

LP_PRINTF(4, 5)
static void add(Line *line, LpStyle style, bool bar, const char *fmt, ...) {
    Part *part = &line->part[line->count++];
    va_list args;
    va_start(args, fmt);
    vsnprintf(part->text, sizeof part->text, fmt, args);
    va_end(args);
    part->style = style;
    part->bar = bar;
}

/* Is there a branch that has got as far as this one? */
static bool compares(const LpModel *model) {
    return model->time.other.world && !model->time.other.short_of;
}

/* "[+2]": so many more than on the branch that is compared with. */
static void add_difference(Line *line, Detail detail, uint64_t here, uint64_t there) {
    Part *part = &line->part[line->count - 1];
    size_t len = strlen(part->text);
    if ((detail == VERSUS || detail == VERSUS_SHORT) && here != there)
        snprintf(part->text + len, sizeof part->text - len, " [%+lld]", (long long)(here - there));
}

static void add_count(Line *line, LpStyle style, const char *name, uint64_t count) {
    char text[LP_SHOW_TEXT];
    add(line, style, false, "%s %s", name, lp_show_count(count, text));
}

/* Jobs that have arrived and are none of the others: the one that is decided. */
static uint64_t open_jobs(const LpTally *t) {
    uint64_t settled = t->completed + t->blocked + t->running + t->waiting + t->unfinished;
    return t->arrived > settled ? t->arrived - settled : 0;
}

static void add_arrived(Line *line, const LpTally *t, Detail detail) {
    const char *name = detail <= PLAIN ? "arrived" : "arr";
    uint64_t open = open_jobs(t);
    char text[LP_SHOW_TEXT];
    lp_show_count(t->arrived - open, text);
    if (open)
        add(line, LP_ROLE_TEXT, false, detail <= PLAIN ? "%s %s (+%u)" : "%s %s+%u", name, text,
            (unsigned)open);
    else
        add(line, LP_ROLE_TEXT, false, "%s %s", name, text);
}

static void add_jobs(Line *line, const LpModel *model, Detail detail) {
    const LpTally *t = lp_world_tally(model->world);
    const LpTally *o = compares(model) ? lp_world_tally(model->time.other.world) : t;
    LpStyle waits = t->waiting ? LP_ROLE_WAIT : LP_ROLE_TEXT;
    LpStyle blocked = t->blocked ? LP_ROLE_BAD : LP_ROLE_TEXT;
    double rate = t->arrived ? (double)t->blocked / (double)t->arrived : 0.0;
    bool words = detail <= PLAIN;
    char text[LP_SHOW_TEXT];
    add_arrived(line, t, detail);
    if (detail != LEAST)
        add_count(line, LP_ROLE_GOOD, "done", t->completed);
    add_difference(line, detail, t->completed, o->completed);
    add_count(line, LP_ROLE_TEXT, words ? "running" : "run", t->running);
    add_difference(line, detail, t->running, o->running);
    if (detail != LEAST)
        add_count(line, waits, words ? "waiting" : "wait", t->waiting);
    add_difference(line, detail, t->waiting, o->waiting);
    lp_show_count(t->blocked, text);
    add(line, blocked, false, detail == LEAST ? "%s %s" : "%s %s (%.1f %%)",
        words ? "blocked" : "blk", text, rate * 100.0);
    add_difference(line, detail, t->blocked, o->blocked);
    if (lp_world_over(model->world))
        add_count(line, LP_ROLE_WAIT, words ? "unfinished" : "unf", t->unfinished);
}

static void add_cluster(Line *line, const LpModel *model, Detail detail) {
    const LpTally *t = lp_world_tally(model->world);
    uint32_t servers = lp_world_servers(model->world);
    bool switched = model->context->circuits != NULL;
    uint32_t lit = switched ? lp_world_lit_at_once(model->world, model->context) : t->lit_circuits;
    double share = servers ? (double)t->busy_servers / (double)servers : 0.0;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT];
    add(line, LP_ROLE_TEXT, true, detail <= LONG ? "busy %s/%s %s" : "busy %s/%s",
        lp_show_count(t->busy_servers, a), lp_show_count(servers, b), lp_show_percent(share, c));
    if (t->failed_servers > 0)
        add(line, LP_ROLE_BAD, false, "broken %s", lp_show_count(t->failed_servers, c));
    lp_show_count((uint64_t)model->context->fabric.light_capacity, b);
    add(line, LP_ROLE_TEXT, detail != PLAIN, detail <= LONG ? "light %s of %s" : "light %s/%s",
        lp_show_count(lit, a), b);
}

static int width_of(const Line *line, int margin) {
    int x = margin;
    for (int i = 0; i < line->count; i++)
        x += lp_text_width(line->part[i].text) + (line->part[i].bar ? 3 : i ? line->gap : 0);
    return x;
}

static Line build(const LpModel *model, int width, int margin) {
    static const Detail order[] = {VERSUS, VERSUS_SHORT, LONG, PLAIN, SHORT, JOBS_ONLY, LEAST};
    Line line = {0};
    for (size_t i = compares(model) ? 0 : 2; i < LP_COUNTOF(order); i++) {
        line = (Line){.gap = order[i] <= LONG ? 2 : 1};
        add_jobs(&line, model, order[i]);
        if (order[i] < JOBS_ONLY)
            add_cluster(&line, model, order[i]);
        if (width_of(&line, margin) <= width)
            break;
    }
    return line;
}

/* The causes of blocking, as far as there is room. */
static void draw_causes(const LpModel *model, const LpArea *area, int x) {
    const LpTally *tally = lp_world_tally(model->world);
    const char *start = "blocked by ";
    for (int cause = LP_CAUSE_NONE + 1; cause < LP_CAUSE_COUNT; cause++) {
        char text[64];
        if (!tally->blocked_by[cause])
            continue;
        snprintf(text, sizeof text, "%s%s %llu", start, lp_cause_code((LpCause)cause),
                 (unsigned long long)tally->blocked_by[cause]);
        if (x + lp_text_width(text) >= area->rect.w)
            return;
        x = lp_area_text(area, x, 0, LP_ROLE_MUTED, text);
        start = ", ";
    }
}

void lp_view_ledger(const LpModel *model, const LpArea *area) {
    const LpTally *tally = lp_world_tally(model->world);
    int x = area->rect.w >= 40;
    Line line = build(model, area->rect.w, x);
    /* so narrow that not even the least fits: what went wrong comes first */
    if (width_of(&line, x) > area->rect.w) {
        lp_area_textf(area, 0, 0, tally->blocked ? LP_ROLE_BAD : LP_ROLE_TEXT, "%llu/%llu blk",
                      (unsigned long long)tally->blocked, (unsigned long long)tally->arrived);
        return;
    }
    for (int i = 0; i < line.count; i++) {
        if (line.part[i].bar)
            lp_area_glyph(area, x + 1, 0, LP_ROLE_BORDER, LP_GLYPH_VERTICAL);
        x += line.part[i].bar ? 3 : i ? line.gap : 0;
        x = lp_area_text(area, x, 0, line.part[i].style, line.part[i].text);
    }
    if (tally->blocked)
        draw_causes(model, area, x + 3);
}
