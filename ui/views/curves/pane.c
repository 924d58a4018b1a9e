/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JCT curve: which fraction of the jobs is done within x. Of the jobs that arrived it levels
 * off below 1 where jobs are blocked or unfinished; of completed jobs only it always ends at 1. */
#include "views/curves/impl.h"

#include <math.h>
#include <stdio.h>

#include "widgets/plot.h"

/* The completion times of one branch, ascending. */
typedef struct Curve {
    const double *jct;
    uint32_t count;
    double base; /* jobs that 1.0 stands for */
    const char *name;
    LpStyle style;
    bool dashed;
} Curve;

/* The fraction done within x. */
static double fraction_at(const void *data, double x) {
    const Curve *curve = data;
    uint32_t low = 0, high = curve->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->jct[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return curve->base > 0.0 ? low / curve->base : 0.0;
}

static void print_fraction(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2f", value);
}

static double base_of(const LpModel *model, const LpWorld *world, uint32_t completed) {
    return model->ui->completed_only ? (double)completed : (double)lp_world_tally(world)->arrived;
}

/* The curve of the branch that is shown, and of the one it is compared with. */
static int gather(const LpModel *model, Curve curve[2]) {
    const LpOther *other = &model->time.other;
    const char *policy = lp_session_policy_name(model->session);
    curve[0] = (Curve){model->jct,
                       model->jct_count,
                       base_of(model, model->world, model->jct_count),
                       policy && *policy ? policy : "defaults",
                       LP_ROLE_CURVE,
                       false};
    if (model->ui->ghost) {
        const LpGhostModel *ghost = &model->ghost;
        bool done = model->ui->completed_only;
        curve[1] = (Curve){
            ghost->jct, ghost->jct_count, done ? (double)ghost->jct_count : (double)ghost->arrived,
            "as saved", LP_ROLE_PENDING,  true};
        return 2;
    }
    if (!other->world || other->short_of)
        return 1;
    curve[0].name = model->time.branch.name;
    curve[1] =
        (Curve){other->jct,  other->jct_count, base_of(model, other->world, other->jct_count),
                other->name, LP_ROLE_MUTED,    true};
    return 2;
}

static double last_of(const Curve *curve) {
    return curve->count ? curve->jct[curve->count - 1] : 0.0;
}

void lp_view_jct_plot(const LpModel *model, const LpArea *area) {
    Curve curve[2] = {{0}, {0}};
    LpPlotLine line[2];
    LpPlot plot = {.top = 1.0,
                   .top_label = "1.0",
                   .middle_label = "0.5",
                   .print = print_fraction,
                   .legend = area->rect.w >= 48 ? 21 : 15,
                   .lines = gather(model, curve),
                   .line = line};
    bool any = curve[0].count + curve[1].count > 0;
    for (int i = 0; i < plot.lines; i++)
        line[i] =
            (LpPlotLine){fraction_at, &curve[i], curve[i].name, curve[i].style, curve[i].dashed};
    plot.to = lp_show_nice(fmax(fmax(last_of(&curve[0]), last_of(&curve[1])), 1e-9));
    if (any)
        lp_show_seconds(plot.to, plot.end);
    lp_plot_draw(&plot, area, any ? NULL : "no job is done yet");
}

void lp_view_curve(const LpModel *model, const LpArea *area) {
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    char title[120];
    snprintf(title, sizeof title, "JCT %s fraction of %s jobs done within x", dash,
             model->ui->completed_only ? "COMPLETED" : "ARRIVED");
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    lp_view_jct_plot(model, &inside);
}
