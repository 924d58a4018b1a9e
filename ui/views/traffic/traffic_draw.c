/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves over time, job by job: what it sends, and how busy its servers are by either meaning. */
#include "views/traffic/traffic_view_impl.h"

#include <math.h>
#include <stdio.h>

#include "widgets/plot.h"

enum { NAME = 24 };

typedef struct Line {
    const LpTrafficJob *job;
    double until; /* what is later is not known yet */
    size_t field; /* of LpSample */
    char name[NAME];
} Line;

/* The job's sample that holds at a time; NULL: it has not run yet. */
static const LpSample *sample_at(const LpTrafficJob *job, double time) {
    size_t low = 0, high = job->samples;
    while (low < high) { /* the first one, from the latest on, that is not later */
        size_t middle = low + (high - low) / 2;
        if (job->sample[middle].time <= time)
            high = middle;
        else
            low = middle + 1;
    }
    return low < job->samples ? &job->sample[low] : NULL;
}

static double value_at(const void *data, double x) {
    const Line *line = data;
    const LpSample *sample = x <= line->until ? sample_at(line->job, x) : NULL;
    const char *bytes = (const char *)(const void *)sample;
    return sample == NULL ? (double)NAN : *(const double *)(const void *)(bytes + line->field);
}

static void print_share(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.2f", value);
}

static void print_rate(double value, char text[LP_PLOT_LABEL]) {
    snprintf(text, LP_PLOT_LABEL, "%.3g GB/s", value / 1e9);
}

static const struct {
    const char *title;
    size_t field;
    bool rate;
} curves[] = {
    {"sent over the network, bytes/s", offsetof(LpSample, throughput), true},
    {"servers that compute", offsetof(LpSample, compute), false},
    {"servers that compute or communicate (kernels resident)", offsetof(LpSample, resident), false},
};

static LpStyle style_of(const LpModel *model, uint32_t job) {
    const LpRunning *running = lp_model_running(model, job);
    return running != NULL ? lp_letter_hue(job) : (LpStyle)LP_ROLE_MUTED;
}

static void draw(const LpModel *model, const LpArea *area, size_t which) {
    const LpTrafficFacts *facts = lp_traffic_facts(model);
    Line data[LP_TRAFFIC_JOBS];
    LpPlotLine line[LP_TRAFFIC_JOBS];
    double now = lp_world_now(model->world);
    LpPlot plot = {.to = now,
                   .top = curves[which].rate ? lp_show_nice(fmax(facts->most, 1)) : 1,
                   .print = curves[which].rate ? print_rate : print_share,
                   .legend = area->rect.w >= 48 ? 21 : 15,
                   .lines = (int)facts->jobs,
                   .line = line};
    for (int i = 0; i < plot.lines; i++) {
        uint32_t job = facts->job[i].job;
        data[i] = (Line){&facts->job[i], facts->until, curves[which].field, ""};
        lp_str_copy(data[i].name, NAME, lp_world_label(model->world, model->scenario, job).text);
        line[i] = (LpPlotLine){value_at, &data[i], data[i].name, style_of(model, job), i > 0};
    }
    lp_area_text(area, 0, 0, LP_ROLE_LABEL, curves[which].title);
    LpArea below = lp_area_part(area, (LpRect){0, 1, area->rect.w, area->rect.h - 1});
    snprintf(plot.top_label, sizeof plot.top_label, curves[which].rate ? "%.0f G" : "%.1f",
             curves[which].rate ? plot.top / 1e9 : plot.top);
    lp_words_axis(model, now, now, plot.end);
    lp_plot_draw(&plot, &below, now > 0 && plot.lines > 0 ? NULL : "nothing has run yet");
}

void lp_view_traffic(const LpModel *model, const LpArea *area) {
    LpArea box = lp_area_heading(area, "NETWORK and servers over time, job by job");
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int plots = (int)LP_COUNTOF(curves), h = inside.rect.h / plots;
    for (int i = 0; i < plots; i++) {
        LpArea part = lp_area_part(&inside, (LpRect){0, i * h, inside.rect.w, h});
        draw(model, &part, (size_t)i);
    }
}
