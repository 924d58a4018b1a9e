/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauges: of what there is, how much is held and how much is lit, with counts, units and shares;
 * and how much was lit since the run began. */
#include "views/circuits/full.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "board/links.h"
#include "moment/picture/dates.h"
#include "sim/light/circuits.h"
#include "widgets/chart.h"
#include "widgets/flow.h"

enum {
    GAUGES = 5,
    BAR_LEAST = 6,
    BAR_MOST = 40,
    PERCENT = 6,
    PERCENT_WIDE = 8,
    PAST_LEAST = 5,
    PAST_MARKS = 64,
    DATE_COLS = 9 /* of a tick that is a date */
};

typedef struct Gauge {
    const char *name;
    char count[40], brief[24]; /* "38 of 128", "38/128" */
    double share;
} Gauge;

typedef struct Full {
    Gauge gauge[GAUGES];
    int gauges;
    char busiest[96]; /* "" for none; the last `more` bytes may be left out */
    int more;
    uint32_t busiest_job;
    const char *words; /* what those of the gauges mean */
    const char *past;  /* what the chart over time counts; NULL: there is none */
} Full;

/* The next gauge; its count is the caller's. */
static Gauge *add(Full *full, const char *name, double share) {
    Gauge *g = &full->gauge[full->gauges++];
    g->name = name;
    g->share = share;
    return g;
}

static void add_part(Full *full, const char *name, double part, double whole) {
    Gauge *g = add(full, name, whole > 0.0 ? part / whole : 0.0);
    snprintf(g->count, sizeof g->count, "%.0f of %.0f", part, whole);
    snprintf(g->brief, sizeof g->brief, "%.0f/%.0f", part, whole);
}

static void add_servers(const LpModel *model, Full *full) {
    add_part(full, "servers busy", lp_world_tally(model->world)->busy_servers,
             lp_world_servers(model->world));
}

/* ---- transmitters ---- */

/* The transmitters of one job that shine: how much they send at a moment, and the busiest. */
static double sum_shares(const LpModel *model, const LpRunning *job, const LpRunning **whose,
                         const LpTransmitter **most) {
    double sum = 0.0;
    for (uint32_t i = 0; i < job->txs; i++) {
        const LpTransmitter *tx = &job->tx[i];
        if (!lp_model_shines(model, job, tx))
            continue;
        sum += tx->share;
        if (*most == NULL || tx->share > (*most)->share) {
            *most = tx;
            *whose = job;
        }
    }
    return sum;
}

static void fill_light(const LpModel *model, const LpArea *area LP_UNUSED, Full *full) {
    const LpBoardPlan *plan = &model->board;
    const LpTransmitter *most = NULL;
    const LpRunning *whose = NULL;
    double all = (double)plan->servers * plan->groups, sum = 0.0;
    double held = (double)lp_world_tally(model->world)->busy_servers * plan->groups;
    for (uint32_t i = 0; i < model->running_count && !model->motion.instant; i++)
        sum += sum_shares(model, &model->running[i], &whose, &most);
    sum += sum_shares(model, &model->moving, &whose, &most);
    add_servers(model, full);
    add_part(full, "transmitters held", held, all);
    add_part(full, "lit in a step", lp_model_lit(model), all);
    Gauge *g = add(full, "lit at a moment", sum / all);
    snprintf(g->count, sizeof g->count, "%.1f of %.0f", sum, all);
    snprintf(g->brief, sizeof g->brief, "%.1f/%.0f", sum, all);
    if (most != NULL) {
        bool groups = plan->groups > 1;
        char share[LP_SHOW_TEXT], to[24] = "";
        if (groups)
            snprintf(to, sizeof to, " to g%u", (unsigned)most->group);
        snprintf(full->busiest, sizeof full->busiest, "busiest s%u%s: %c %s of a step",
                 (unsigned)most->server, to, lp_letter(whose->letter),
                 lp_show_percent(most->share, share));
        full->more = (int)strlen(" of a step");
        full->busiest_job = whose->job->id;
    }
    full->past = "circuits (sender to receiver) lit since the run began; a letter: that job starts";
    full->words =
        plan->groups > 1
            ? "held: all transmitters of a busy server; no other job may light them. lit: it sends "
              "in some part of a training step. at a moment: how many do on average."
            : "held: the transmitter of a busy server. lit: it sends in some part of a training "
              "step, to one server after the other. at a moment: how many do on average.";
}

/* ---- ports of switches ---- */

static void fill_ports(const LpModel *model, const LpArea *area LP_UNUSED, Full *full) {
    const LpOcsParams *ocs = &model->scenario->cluster.ocs;
    uint32_t turning = 0, held = 0;
    for (uint32_t p = 0; p < ocs->ports; p++) {
        uint32_t node = ocs->plug[p].node;
        turning += lp_world_port(model->world, model->context, p).state == LP_LIGHT_TURNING;
        held += node < ocs->servers && lp_world_server(model->world, node)->job != LP_NO_INDEX;
    }
    add_servers(model, full);
    add_part(full, "ports held", held, ocs->ports);
    add_part(full, "ports lit", lp_world_lit_at_once(model->world, model->context), ocs->ports);
    add_part(full, "being set, dark", turning, ocs->ports);
    full->past = "circuits lit since the run began; a letter: that job starts";
    full->words = "held: ports of busy servers. lit: light passes from this port to the one that "
                  "it is set to, also while no job sends. A port that is being set is dark.";
}

/* ---- links that jobs share ---- */

static void fill_links(const LpModel *model, const LpArea *area, Full *full) {
    LpLinkBoard b;
    uint32_t top[1];
    double sum = 0.0;
    if (!lp_links_open(&b, model, area))
        return;
    uint32_t used = b.sums->used_count;
    for (uint32_t i = 0; i < used; i++)
        sum += lp_link_share(&b, b.sums->used[i]);
    add_servers(model, full);
    add_part(full, "links in use", used, b.network->links);
    if (lp_links_busiest(&b, top, 1) > 0) {
        double share = lp_link_share(&b, top[0]);
        Gauge *g = add(full, "fullest link", share);
        snprintf(g->count, sizeof g->count, "%.3g of %.3g Gb/s", b.link[top[0]].rate * 8e-9,
                 b.network->capacity[top[0]] * 8e-9);
        snprintf(g->brief, sizeof g->brief, "%.3g Gb/s", b.link[top[0]].rate * 8e-9);
        g = add(full, "mean of those", sum / used);
        snprintf(g->count, sizeof g->count, "of the rate");
        LpBuf name = {0};
        lp_link_name(&b, top[0], &name);
        snprintf(full->busiest, sizeof full->busiest, "fullest: %s", lp_buf_text(&name));
        lp_area_done(area, &name);
        full->busiest_job = b.link[top[0]].jobs == 1 ? b.link[top[0]].job : LP_NO_INDEX;
    }
    full->words = "A link is not held: jobs that meet on one share its rate, and all of them go "
                  "slower where it is full.";
}

/* ---- drawing ---- */

/* Columns of the widest count. */
static int count_width(const Full *full, bool brief) {
    int width = 0;
    for (int i = 0; i < full->gauges; i++) {
        const Gauge *g = &full->gauge[i];
        int w = lp_text_width(brief ? g->brief : g->count);
        width = w > width ? w : width;
    }
    return width;
}

static int name_width(const Full *full) {
    int width = 0;
    for (int i = 0; i < full->gauges; i++) {
        int w = lp_text_width(full->gauge[i].name) + 1;
        width = w > width ? w : width;
    }
    return width;
}

static void draw_bar(const LpArea *area, int x, int y, int width, double share) {
    int on = (int)(share * width + 0.5);
    on = on > width ? width : on == 0 && share > 0.0 ? 1 : on;
    lp_area_repeat(area, x, y, on, share > 0.9 ? LP_ROLE_BAD : LP_ROLE_CURVE, LP_GLYPH_BAR);
    lp_area_repeat(area, x + on, y, width - on, LP_ROLE_FREE, LP_GLYPH_BAR_REST);
}

/* In so few columns shares below a hundredth have one digit, below a thousandth none. */
static const char *show_share(double share, bool brief, char out[LP_SHOW_TEXT]) {
    if (!brief || share <= 0.0 || share >= 1e-2)
        return lp_show_percent(share, out);
    snprintf(out, LP_SHOW_TEXT, share < 1e-3 ? "<0.1%%" : "%.1f %%", share * 100.0);
    return out;
}

static void draw_gauges(const LpArea *area, const Full *full) {
    int name = name_width(full);
    bool brief = name + count_width(full, false) + PERCENT_WIDE > area->rect.w;
    int percent_width = brief ? PERCENT : PERCENT_WIDE, count = count_width(full, brief);
    int bar = area->rect.w - name - count - percent_width - 1;
    bar = bar > BAR_MOST ? BAR_MOST : bar;
    for (int i = 0; i < full->gauges; i++) {
        const Gauge *g = &full->gauge[i];
        char percent[LP_SHOW_TEXT];
        lp_area_text(area, 0, i, LP_ROLE_TEXT, g->name);
        lp_area_right(area, name + count, i, LP_ROLE_TEXT, brief ? g->brief : g->count);
        if (bar >= BAR_LEAST)
            draw_bar(area, name + count + 1, i, bar, g->share);
        int end = name + count + percent_width + (bar >= BAR_LEAST ? bar + 1 : 0);
        lp_area_right(area, end, i, LP_ROLE_TEXT, show_share(g->share, brief, percent));
    }
}

static double lit_at(const void *data, double time) {
    const LpModel *model = data;
    LpMoment now = lp_session_moment(model->session);
    LpMoment at = {now.branch, lp_session_step_at(model->session, now.branch, time)};
    LpMomentFacts facts;
    return lp_session_moment_facts(model->session, at, &facts) == LP_OK ? facts.counts.lit
                                                                        : (double)NAN;
}

static void print_lit(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.0f", value);
}

/* Where jobs that still run began: their letters stand on the curve. */
static uint32_t mark_starts(const LpModel *model, LpChartMark mark[PAST_MARKS]) {
    uint32_t marks = 0;
    for (uint32_t i = 0; i < model->running_count && marks < PAST_MARKS; i++) {
        double start = model->running[i].job->times.start;
        mark[marks++] = (LpChartMark){.x = start,
                                      .y = lit_at(model, start),
                                      .low = (double)NAN,
                                      .high = (double)NAN,
                                      .cp = (uint32_t)lp_letter(model->running[i].letter),
                                      .style = lp_model_ink(model, model->running[i].job->id)};
    }
    return marks;
}

/* How much was lit up to now; false: there is no room, or nothing is known yet. */
static bool draw_past(const LpModel *model, const LpArea *area, const Full *full) {
    double now = lp_world_now(model->world), low = 0.0, most = 0.0;
    LpChartMark mark[PAST_MARKS];
    LpPlotLine line = {lit_at, model, "lit", lp_chart_style(0), false};
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    if (full->past == NULL || area->rect.h < PAST_LEAST || !(now > 0.0) ||
        isnan(lit_at(model, now)))
        return false;
    LpChart chart = {.to = now,
                     .print_x = lp_chart_seconds,
                     .print_y = print_lit,
                     .lines = 1,
                     .line = &line,
                     .cursor = -1.0};
    LpDateTicks dates;
    lp_date_ticks(model->scenario, 0, now, lp_chart_columns(area->rect.w) / DATE_COLS, &dates);
    chart.ticks = dates.count;
    chart.tick = dates.at;
    chart.tick_name = dates.name;
    lp_chart_span(&chart, lp_chart_columns(area->rect.w), &low, &most);
    chart.top = lp_show_nice(fmax(most, 2.0));
    chart.marks = mark_starts(model, mark);
    chart.mark = mark;
    lp_area_fit(area, 0, 0, area->rect.w, (LpStyle)LP_ROLE_MUTED, full->past);
    lp_chart_draw(&chart, &below);
    return true;
}

/* Below the gauges: the busiest of all, and over time how much was lit, or what the words mean,
 * where they have room as a whole. */
static void draw_words(const LpModel *model, const LpArea *area, Full *full) {
    int y = full->gauges, w = area->rect.w;
    if (lp_text_width(full->busiest) > w)
        full->busiest[strlen(full->busiest) - (size_t)full->more] = '\0';
    if (full->busiest[0] != '\0')
        lp_area_fit(area, 0, y++, w,
                    full->busiest_job == LP_NO_INDEX ? (LpStyle)LP_ROLE_TEXT
                                                     : lp_model_ink(model, full->busiest_job),
                    full->busiest);
    LpArea below = lp_area_part(area, (LpRect){0, y, w, area->rect.h - y});
    if (draw_past(model, &below, full))
        return;
    if (full->words != NULL && lp_flow_draw(NULL, full->words, w, 0) <= below.rect.h)
        lp_flow_draw(&below, full->words, w, 0);
}

void lp_view_full(const LpModel *model, const LpArea *area) {
    static void (*const fills[LP_BOARD_JOINS])(const LpModel *, const LpArea *, Full *) = {
        [LP_BOARD_LIGHT] = fill_light,
        [LP_BOARD_SLICES] = fill_light,
        [LP_BOARD_PORTS] = fill_ports,
        [LP_BOARD_LINKS] = fill_links,
    };
    Full full = {.busiest_job = LP_NO_INDEX};
    LpArea box = lp_area_heading(area, "HOW FULL");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    fills[model->board.joins](model, area, &full);
    draw_gauges(&inside, &full);
    draw_words(model, &inside, &full);
}
