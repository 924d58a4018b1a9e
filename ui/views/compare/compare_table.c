/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both have come to so far, in numbers beside each other. Shares differ in points; a mean is
 * compared of the jobs that both have done. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "views/compare/compare_view_impl.h"

/* Is more of it good, bad, or neither? */
typedef enum Sense { NEITHER, MORE_IS_GOOD, MORE_IS_BAD } Sense;

typedef struct Columns {
    const LpArea *area;
    int y;
    int one, two, change; /* where they end */
} Columns;

static LpStyle style_of(Sense sense, double change) {
    if (sense == NEITHER || !(fabs(change) > 0.0))
        return LP_ROLE_TEXT;
    return (LpStyle)(((change > 0.0) == (sense == MORE_IS_GOOD) ? LP_ROLE_GOOD : LP_ROLE_BAD) |
                     LP_BOLD);
}

static void put_row(Columns *c, const char *name, const char *one, const char *two,
                    const char *change, LpStyle style) {
    lp_area_text(c->area, 1, c->y, LP_ROLE_LABEL, name);
    lp_area_right(c->area, c->one, c->y, LP_ROLE_TEXT, one);
    lp_area_right(c->area, c->two, c->y, LP_ROLE_TEXT, two);
    lp_area_right(c->area, c->change, c->y++, style, change);
}

static void put_count(Columns *c, const char *name, uint64_t one, uint64_t two, Sense sense) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], change[32] = "";
    if (one != two)
        snprintf(change, sizeof change, "%+lld", (long long)(two - one));
    put_row(c, name, lp_show_count(one, a), lp_show_count(two, b), change,
            style_of(sense, (double)two - (double)one));
}

static const char *share_text(double share, char text[LP_SHOW_TEXT]) {
    if (isnan(share))
        return lp_str_copy(text, LP_SHOW_TEXT, "-");
    snprintf(text, LP_SHOW_TEXT, "%.1f %%", share * 100.0);
    return text;
}

static void put_share(Columns *c, const char *name, double one, double two, Sense sense) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], points[LP_PAIR_TEXT];
    put_row(c, name, share_text(one, a), share_text(two, b), lp_pair_points(one, two, points),
            style_of(sense, two - one));
}

static double ratio(uint64_t part, uint64_t all) {
    return all ? (double)part / (double)all : (double)NAN;
}

/* "/2.9": 2.9 times sooner. */
static void put_both(Columns *c, const LpCompareSides *s) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], factor[32] = "-", name[32];
    bool sooner = s->sooner >= 1.0;
    if (s->sooner > 0.0)
        snprintf(factor, sizeof factor, "%c%.2f", sooner ? '/' : 'x',
                 sooner ? s->sooner : 1.0 / s->sooner);
    snprintf(name, sizeof name, "of both");
    put_row(c, name, lp_show_seconds(s->side[0].both_jct, a),
            lp_show_seconds(s->side[1].both_jct, b), factor,
            style_of(MORE_IS_BAD, s->side[1].both_jct - s->side[0].both_jct));
}

static void put_time(Columns *c, const char *name, double one, double two) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], change[LP_SHOW_TEXT + 2] = "", by[LP_SHOW_TEXT];
    if (one != two && !isnan(one) && !isnan(two))
        snprintf(change, sizeof change, "%c%s", two > one ? '+' : '-',
                 lp_show_seconds(fabs(two - one), by));
    put_row(c, name, lp_show_seconds(one, a), lp_show_seconds(two, b), change,
            style_of(MORE_IS_BAD, two - one));
}

static void put_mean(Columns *c, const char *name, double one, double two) {
    char a[LP_SHOW_TEXT] = "-", b[LP_SHOW_TEXT] = "-", change[LP_SHOW_TEXT] = "";
    if (!isnan(one))
        snprintf(a, sizeof a, "%.3g", one);
    if (!isnan(two))
        snprintf(b, sizeof b, "%.3g", two);
    if (one != two && !isnan(one) && !isnan(two))
        snprintf(change, sizeof change, "%+.2g", two - one);
    put_row(c, name, a, b, change, style_of(MORE_IS_BAD, two - one));
}

/* Waiting and fairness, as far as there is room. */
static void put_waits(Columns *c, const LpCompareFacts *f, const char *longest) {
    const LpCompareWaits *one = &f->waits[0], *two = &f->waits[1];
    int room = f->waited ? c->area->rect.h - c->y : 0;
    if (room > 0)
        put_time(c, "wait 95 %", one->p95, two->p95);
    if (room > 1)
        put_time(c, longest, one->longest, two->longest);
    if (room > 2)
        put_count(c, "overtakings", one->overtakings, two->overtakings, MORE_IS_BAD);
    if (room > 3)
        put_mean(c, "slowdown", one->slowdown, two->slowdown);
    if (room > 4)
        put_mean(c, "rho", one->rho, two->rho);
}

void lp_compare_table(const LpModel *model, const LpCompareSides *s, const LpArea *area) {
    LpArea inside = lp_area_heading(area, "SO FAR");
    enum { LABEL = 10, WAIT_LABEL = 13, POINTS = 9 };
    bool wide = inside.rect.w > WAIT_LABEL + 2 * 10 + POINTS;
    int label = lp_compare_facts(model)->waited && wide ? WAIT_LABEL : LABEL;
    int room = (inside.rect.w - 1 - label - POINTS) / 2, step = room < 10 ? room : 10;
    Columns c = {&inside, 0, label + step, label + 2 * step, label + 2 * step + POINTS};
    const LpTally *one = lp_world_tally(s->side[0].model->world);
    const LpTally *two = lp_world_tally(s->side[1].model->world);
    uint64_t servers = lp_world_servers(model->world);
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT];
    /* Where the two part, beside the heading. */
    const LpMomentFacts *split = &model->time.other.split;
    char text[80], at[LP_WORDS_TIME];
    snprintf(text, sizeof text, " apart since d%llu, %s ", (unsigned long long)split->decisions,
             lp_words_time(model, split->time, at));
    if (!lp_area_heading_note(area, "SO FAR", (int)strlen(text), LP_ROLE_MUTED, text)) {
        snprintf(text, sizeof text, " apart since d%llu ", (unsigned long long)split->decisions);
        lp_area_heading_note(area, "SO FAR", 0, LP_ROLE_MUTED, text);
    }
    lp_area_right(c.area, c.one, c.y, LP_ROLE_MUTED, "1");
    lp_area_right(c.area, c.two, c.y, LP_ROLE_MUTED, "2");
    lp_area_right(c.area, c.change, c.y++, LP_ROLE_MUTED, "2 to 1");
    put_count(&c, "arrived", one->arrived, two->arrived, NEITHER);
    put_count(&c, "done", one->completed, two->completed, MORE_IS_GOOD);
    put_count(&c, "blocked", one->blocked, two->blocked, MORE_IS_BAD);
    put_share(&c, "  share", ratio(one->blocked, one->arrived), ratio(two->blocked, two->arrived),
              MORE_IS_BAD);
    put_count(&c, "running", one->running, two->running, NEITHER);
    if (one->waiting || two->waiting)
        put_count(&c, "waiting", one->waiting, two->waiting, MORE_IS_BAD);
    put_share(&c, "busy", ratio(one->busy_servers, servers), ratio(two->busy_servers, servers),
              NEITHER);
    put_row(&c, "mean JCT", lp_show_seconds(s->side[0].mean_jct, a),
            lp_show_seconds(s->side[1].mean_jct, b), "", LP_ROLE_MUTED);
    put_both(&c, s);
    char jobs[LP_MANY_TEXT];
    lp_str_many(jobs, s->both, "job");
    if (c.y < c.area->rect.h)
        lp_area_textf(c.area, 1, c.y++, LP_ROLE_MUTED, "the %s done in both", jobs);
    put_waits(&c, lp_compare_facts(model), wide ? "longest wait" : "  longest");
}
