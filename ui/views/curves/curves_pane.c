/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JCT curve: which fraction of the jobs is done within x. Of the jobs that arrived it levels
 * off below 1 where jobs are blocked or unfinished; of completed jobs only it always ends at 1. */
#include "views/curves/curves_view_impl.h"

#include <math.h>
#include <stdio.h>

#include "model/dist.h"
#include "widgets/panel.h"

/* The completion times of one branch, ascending. */
typedef struct Curve {
    const double *jct;
    uint32_t count;
    double base; /* jobs that 1.0 stands for */
    const char *name;
    LpStyle style;
    int number; /* from 0, in the order in which the branches were made */
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
                       0};
    if (model->ui->ghost) {
        const LpGhostModel *ghost = &model->ghost;
        bool done = model->ui->completed_only;
        curve[1] = (Curve){
            ghost->jct, ghost->jct_count, done ? (double)ghost->jct_count : (double)ghost->arrived,
            "as saved", LP_ROLE_PENDING,  1};
        return 2;
    }
    if (!other->world || other->short_of)
        return 1;
    curve[0].name = model->time.branch.name;
    curve[1] =
        (Curve){other->jct,  other->jct_count, base_of(model, other->world, other->jct_count),
                other->name, LP_ROLE_TEXT,     1};
    curve[0].number = other->at.branch < model->time.moment.branch;
    curve[1].number = !curve[0].number;
    return 2;
}

/* ---- the axis ---- */

/* The shortest and the longest JCT that jobs of a graph may have within their limits, alone. */
static void widen(const LpModel *model, const LpDist *steps, const LpDist *limit, uint32_t graph,
                  double range[2]) {
    double one = model->context->facts[graph].sequential_time, least, most, low, share = 1.0;
    lp_dist_bounds(steps, &least, &most);
    if (!isfinite(most))
        most = 3.0 * lp_dist_mean(steps);
    if (limit->kind != LP_DIST_NONE)
        lp_dist_bounds(limit, &low, &share);
    range[0] = fmin(range[0], one * fmax(least, 1.0) / model->scenario->partition.max_degree);
    range[1] = fmax(range[1], one * most * (isfinite(share) && share > 0.0 ? share : 1.0));
}

static void widen_by_job(const LpModel *model, const LpJobSpec *job, double range[2]) {
    double whole = job->graph < 0 ? job->rigid_duration
                                  : model->context->facts[job->graph].sequential_time * job->steps;
    double share = job->max_jct_fraction > 0.0 ? job->max_jct_fraction : 1.0;
    double degree = job->graph < 0 ? 1.0 : model->scenario->partition.max_degree;
    range[0] = fmin(range[0], whole / degree);
    range[1] = fmax(range[1], whole * share);
}

/* The JCT that a running job will have. */
static double expected_jct(const LpJob *job) {
    return job->times.forecast_end - job->asked.arrival;
}

/* From the scenario alone, so that it stays the same for a whole run; what takes longer still
 * (jobs that wait) makes it longer. */
static void find_range(const LpModel *model, const Curve curve[2], double range[2]) {
    const LpScenario *s = model->scenario;
    double most = 0.0;
    range[0] = (double)INFINITY;
    range[1] = 0.0;
    for (uint32_t i = 0; s->has_generator && i < s->generator.graphs; i++)
        widen(model, &s->generator.steps, &s->generator.max_jct_fraction, s->generator.graph[i],
              range);
    for (uint32_t i = 0; i < s->jobs; i++)
        widen_by_job(model, &s->job[i], range);
    for (int i = 0; i < 2; i++)
        most = fmax(most, curve[i].count ? curve[i].jct[curve[i].count - 1] : 0.0);
    for (uint32_t i = 0; i < model->running_count; i++)
        most = fmax(most, expected_jct(model->running[i].job));
    if (isfinite(most) && most > range[1])
        range[1] = lp_show_nice(most);
    if (!(range[0] > 0.0 && range[0] < range[1]))
        range[0] = range[1] / 100.0;
}

/* ---- the pane ---- */

/* Each running job where it will end, and the one that is decided where it would. */
static int put_letters(const LpModel *model, LpPanelMark mark[LP_PANEL_MARKS]) {
    int count = 0, marked = model->decision.due ? lp_model_marked(model) : -1;
    if (marked >= 0 && model->decision.candidate[marked].forecast.feasible) {
        const LpJob *job = lp_world_job(model->world, model->decision.job);
        double waited = lp_world_now(model->world) - job->asked.arrival;
        mark[count++] =
            (LpPanelMark){waited + model->decision.candidate[marked].forecast.jct,
                          (uint32_t)lp_letter(lp_model_deciding(model)), LP_ROLE_PENDING | LP_BOLD};
    }
    for (uint32_t i = 0; i < model->running_count && count < LP_PANEL_MARKS; i++) {
        const LpRunning *running = &model->running[i];
        double end = expected_jct(running->job);
        if (running->letter >= 0 && isfinite(end))
            mark[count++] = (LpPanelMark){end, (uint32_t)lp_letter(running->letter),
                                          lp_letter_style(running->job->id)};
    }
    return count;
}

/* "0.08 = 1 of 12"; of several "1 main 0.69". */
static void print_tag(const Curve *curve, int curves, int width, char *out, size_t size) {
    double value = curve->base > 0.0 ? curve->count / curve->base : 0.0;
    if (curves > 1 && lp_text_width(curve->name) <= (width > 40 ? 24 : 8)) /* whole, or not */
        snprintf(out, size, "%d %s %.2f", curve->number + 1, curve->name, value);
    else if (curves > 1)
        snprintf(out, size, "%d   %.2f", curve->number + 1, value);
    else if (width > 40)
        snprintf(out, size, "%.2f = %u of %.0f", value, (unsigned)curve->count, curve->base);
    else
        snprintf(out, size, "%.2f now", value);
}

void lp_view_jct_plot(const LpModel *model, const LpArea *area) {
    Curve curve[2] = {{0}, {0}};
    LpPlotLine line[2];
    LpPanelMark mark[LP_PANEL_MARKS];
    char tag[2][80];
    double range[2];
    LpPanel panel = {.lines = gather(model, curve),
                     .line = line,
                     .log = !lp_curves_state(model)->linear,
                     .mark = mark};
    for (int i = 0; i < panel.lines; i++) {
        int at = curve[i].number;
        print_tag(&curve[i], panel.lines, area->rect.w, tag[i], sizeof tag[i]);
        line[at] = (LpPlotLine){fraction_at, &curve[i], tag[i], curve[i].style, at > 0};
    }
    find_range(model, curve, range);
    panel.from = panel.log ? range[0] : 0.0;
    panel.to = range[1];
    panel.marks = put_letters(model, mark);
    lp_panel_draw(&panel, area);
}

void lp_view_curve(const LpModel *model, const LpArea *area) {
    const char *jobs = model->ui->completed_only ? "COMPLETED" : "ARRIVED";
    char title[120];
    snprintf(title, sizeof title, "JCT share of %s jobs done %s x%s", jobs,
             area->rect.w >= 44 ? "within" : "by",
             area->rect.w >= 76 ? "; a letter: its job ends there" : "");
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){0, 0, box.rect.w, box.rect.h});
    lp_view_jct_plot(model, &inside);
}
