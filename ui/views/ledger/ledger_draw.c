/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ledger: where every job that arrived has gone, and how much of the cluster is in use. It is
 * there at every size, in fewer words where there is less room. */
#include "views/ledger/ledger_view_impl.h"

#include "sim/light/circuits.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 12 };

/* How much is said; the first that has room is taken. */
typedef enum Detail {
    VERSUS, /* also how many more than on the branch that is compared with */
    AGED,   /* also how long the one of those that wait has waited that waits longest */
    WHOLE,
    PLAIN, /* what is not there is left out */
    SHORT, /* "25/32" for "25 of 32" */
    VERSUS_SHORT,
    JOBS_ONLY
} Detail;

typedef struct Part {
    LpStyle style;
    const char *before; /* what parts it from the one before */
    char text[64];
} Part;

typedef struct Line {
    Part part[PARTS_MAX];
    int count;
} Line;

LP_PRINTF(4, 5)
static void add(Line *line, LpStyle style, const char *before, const char *fmt, ...) {
    Part *part = &line->part[line->count++];
    va_list args;
    va_start(args, fmt);
    vsnprintf(part->text, sizeof part->text, fmt, args);
    va_end(args);
    part->style = style;
    part->before = before;
}

/* Is there a branch that has got as far as this one? */
static bool compares(const LpModel *model) {
    return model->time.other.world && !model->time.other.short_of;
}

/* "[+2]": two more than on the branch that is compared with. */
static void add_difference(Line *line, Detail detail, uint64_t here, uint64_t there) {
    Part *part = &line->part[line->count - 1];
    size_t len = strlen(part->text);
    if ((detail == VERSUS || detail == VERSUS_SHORT) && here != there)
        snprintf(part->text + len, sizeof part->text - len, " [%+lld]", (long long)(here - there));
}

/* Jobs that have arrived and are none of the others: the one that is decided. */
static uint64_t open_jobs(const LpTally *t) {
    uint64_t settled = t->completed + t->blocked + t->running + t->waiting + t->unfinished +
                       t->aborted + t->killed;
    return t->arrived > settled ? t->arrived - settled : 0;
}

/* " (oldest 3 h 12 min)", where jobs wait. O(waiting). */
static void add_oldest(Line *line, const LpModel *model) {
    Part *part = &line->part[line->count - 1];
    double since = (double)INFINITY, now = lp_world_now(model->world);
    size_t len = strlen(part->text);
    char span[LP_SHOW_TEXT];
    for (uint32_t id = lp_world_first_waiting(model->world); id != LP_NO_INDEX;
         id = lp_world_next_waiting(model->world, id))
        since = fmin(since, lp_world_job(model->world, id)->times.waiting_since);
    if (isfinite(since))
        snprintf(part->text + len, sizeof part->text - len, " (oldest %s)",
                 lp_show_span(now - since, span));
}

/* "arrived 12 = done 1 + running 10 + deciding 1 + waiting 0 + blocked 0": it adds up. */
static void add_jobs(Line *line, const LpModel *model, Detail detail) {
    const LpTally *t = lp_world_tally(model->world);
    const LpTally *o = compares(model) ? lp_world_tally(model->time.other.world) : t;
    /* A job that is lost while jobs move lights its counter up. */
    bool lost = model->ui && model->ui->playing && model->ui->speed >= LP_SPEED_4X &&
                model->motion.scene == LP_SCENE_BLOCKED;
    LpStyle blocked = lost ? LP_ROLE_BAD | LP_BOLD | LP_REVERSE : (LpStyle)LP_ROLE_BAD;
    const struct {
        const char *name;
        uint64_t here, there;
        LpStyle style; /* where there are any */
        bool always;
    } sums[] = {
        {"done", t->completed, o->completed, LP_ROLE_GOOD, true},
        {"running", t->running, o->running, LP_ROLE_TEXT, true},
        {"deciding", open_jobs(t), open_jobs(t), LP_ROLE_PENDING, true},
        {"waiting", t->waiting, o->waiting, LP_ROLE_WAIT, detail <= WHOLE},
        {"blocked", t->blocked, o->blocked, blocked, true},
        {"aborted", t->aborted, o->aborted, LP_ROLE_BAD, false},
        {"killed", t->killed, o->killed, LP_ROLE_BAD, false},
        {"unfinished", t->unfinished, o->unfinished, LP_ROLE_WAIT, false},
    };
    char text[LP_SHOW_TEXT];
    const char *before = " = ";
    add(line, LP_ROLE_TEXT, "", "arrived %s", lp_show_count(t->arrived, text));
    for (size_t i = 0; i < LP_COUNTOF(sums); i++) {
        if (!sums[i].always && sums[i].here == 0)
            continue;
        add(line, sums[i].here > 0 ? sums[i].style : LP_ROLE_TEXT, before, "%s %s", sums[i].name,
            lp_show_count(sums[i].here, text));
        if (detail <= WHOLE && strcmp(sums[i].name, "blocked") == 0 && t->arrived > 0) {
            Part *part = &line->part[line->count - 1];
            size_t len = strlen(part->text);
            snprintf(part->text + len, sizeof part->text - len, " (%.1f %%)",
                     100.0 * (double)t->blocked / (double)t->arrived);
        }
        if (detail == AGED && strcmp(sums[i].name, "waiting") == 0)
            add_oldest(line, model);
        add_difference(line, detail, sums[i].here, sums[i].there);
        before = " + ";
    }
}

/* Circuits that are lit at this moment: what the board of circuits shows. */
static uint32_t lit_of(const LpModel *model) {
    if (model->board.joins == LP_BOARD_PORTS)
        return lp_world_lit_at_once(model->world, model->context);
    return model->board.joins == LP_BOARD_LINKS ? lp_world_tally(model->world)->lit_circuits
                                                : lp_model_lit(model);
}

static void add_cluster(Line *line, const LpModel *model, Detail detail) {
    const LpTally *t = lp_world_tally(model->world);
    const char *gap = detail <= PLAIN ? "    " : "   ", *of = detail <= PLAIN ? " of " : "/";
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT];
    add(line, LP_ROLE_TEXT, gap, "busy %s%s%s", lp_show_count(t->busy_servers, a), of,
        lp_show_count(lp_world_servers(model->world), b));
    if (t->failed_servers > 0)
        add(line, LP_ROLE_BAD, "  ", "broken %s", lp_show_count(t->failed_servers, a));
    if (model->scenario->turning.form != LP_TURNING_NONE)
        return; /* its light turns inside steps: the view of a step counts it */
    lp_show_count(lit_of(model), a);
    lp_show_count((uint64_t)model->board.light, b);
    add(line, LP_ROLE_TEXT, detail <= PLAIN ? "   " : "  ",
        detail <= PLAIN ? "lit %s of %s" : "lit %s", a, b);
}

static int width_of(const Line *line, int margin) {
    int x = margin;
    for (int i = 0; i < line->count; i++)
        x += lp_text_width(line->part[i].text) + lp_text_width(line->part[i].before);
    return x;
}

static Line build(const LpModel *model, int width, int margin) {
    static const Detail order[] = {VERSUS, VERSUS_SHORT, AGED, WHOLE, PLAIN, SHORT, JOBS_ONLY};
    const LpTally *t = lp_world_tally(model->world);
    Line line = {0};
    bool versus = compares(model) && !model->beside; /* that shows them itself */
    for (size_t i = versus ? 0 : 2; i < LP_COUNTOF(order); i++) {
        line = (Line){0};
        add_jobs(&line, model, order[i]);
        if (order[i] < JOBS_ONLY)
            add_cluster(&line, model, order[i]);
        if (width_of(&line, margin) <= width)
            return line;
    }
    line = (Line){0};
    add(&line, t->blocked ? LP_ROLE_BAD : LP_ROLE_TEXT, "", "blocked %llu of %llu",
        (unsigned long long)t->blocked, (unsigned long long)t->arrived);
    if (width_of(&line, margin) + 14 <= width)
        add(&line, LP_ROLE_TEXT, ", ", "running %llu", (unsigned long long)t->running);
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
    int x = area->rect.w >= 40;
    Line line = build(model, area->rect.w, x);
    for (int i = 0; i < line.count; i++) {
        x = lp_area_text(area, x, 0, LP_ROLE_TEXT, line.part[i].before);
        x = lp_area_text(area, x, 0, line.part[i].style, line.part[i].text);
    }
    if (lp_world_tally(model->world)->blocked)
        draw_causes(model, area, x + 3);
}
