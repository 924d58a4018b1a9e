/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a study says: values between points, crossings, sentences. */
#include "many/experiment/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

static const struct {
    const char *key, *heading, *unit;
} metrics[] = {
#define X(id, key, heading, unit) {key, heading, unit},
    LP_STUDY_METRICS(X)
#undef X
        [LP_STUDY_GAP] = {"gap", "gap to bound", "%"},
};

const char *lp_study_metric_key(LpStudyMetric metric) {
    return metrics[metric].key;
}

const char *lp_study_metric_heading(LpStudyMetric metric) {
    return metrics[metric].heading;
}

const char *lp_study_metric_unit(LpStudyMetric metric) {
    return metrics[metric].unit;
}

int lp_study_metric_find(const char *key) {
    for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++)
        if (strcmp(metrics[m].key, key) == 0)
            return m;
    return -1;
}

void lp_study_fini(LpStudyData *data) {
    lp_arena_free(data->arena);
    *data = (LpStudyData){0};
}

bool lp_study_has_axis(const LpStudyData *d) {
    return d->points > 1 && (d->study == LP_STUDY_LOAD || d->study == LP_STUDY_METRIC);
}

/* ---- between points ---- */

static double mean_at(const LpStudyData *d, LpStudyMetric m, uint32_t point, uint32_t agent) {
    return lp_study_at(d, m, point, agent)->mean;
}

/* The point before `time`, and how far towards the next it is; false: it is outside. */
static bool find_between(const LpStudyData *d, double time, uint32_t *point, double *share) {
    for (uint32_t p = 0; p + 1 < d->points; p++) {
        double from = d->point[p].interarrival, to = d->point[p + 1].interarrival;
        if (time < from * (1 - 1e-9) || time > to * (1 + 1e-9) || !(to > from))
            continue;
        *point = p;
        *share = lp_num_log(time / from) / lp_num_log(to / from);
        return true;
    }
    return false;
}

static double mix(double left, double right, double share) {
    if (share <= 1e-9)
        return left;
    return share >= 1 - 1e-9 ? right : left + share * (right - left);
}

double lp_study_between(const LpStudyData *d, LpStudyMetric m, uint32_t agent, double time) {
    uint32_t p;
    double share;
    if (!find_between(d, time, &p, &share))
        return (double)NAN;
    return mix(mean_at(d, m, p, agent), mean_at(d, m, p + 1, agent), share);
}

double lp_study_bound_between(const LpStudyData *d, double time) {
    uint32_t p;
    double share;
    if (!find_between(d, time, &p, &share))
        return (double)NAN;
    return mix(d->bound[p], d->bound[p + 1], share);
}

/* ---- crossings ---- */

/* The agent with the least at a point, the first of equals; `agents` where none has a mean. */
static uint32_t least_at(const LpStudyData *d, LpStudyMetric m, uint32_t point) {
    uint32_t best = d->agents;
    for (uint32_t a = 0; a < d->agents; a++) {
        double value = mean_at(d, m, point, a);
        if (!isnan(value) && (best == d->agents || value < mean_at(d, m, point, best)))
            best = a;
    }
    return best;
}

/* Where, as a share of the way from `point` to the next after `after`, another curve gets below the
 * leader's: the first such place, and whose; 2: nowhere. */
static double next_crossing(const LpStudyData *d, LpStudyMetric m, uint32_t point, uint32_t leader,
                            double after, uint32_t *who) {
    double first = 2;
    for (uint32_t a = 0; a < d->agents; a++) {
        double left = mean_at(d, m, point, a) - mean_at(d, m, point, leader);
        double right = mean_at(d, m, point + 1, a) - mean_at(d, m, point + 1, leader);
        if (a == leader || isnan(left) || isnan(right) || !(right < 0))
            continue;
        double share = left > 0 ? left / (left - right) : 0;
        share = share < after ? after : share;
        if (share < first) {
            first = share;
            *who = a;
        }
    }
    return first;
}

/* e^x of what lies between two logarithms: by halving, as results have no exp. */
static double time_at(double from, double to, double share) {
    double low = from, high = to, all = lp_num_log(to / from);
    for (int i = 0; i < 60; i++) {
        double middle = low + (high - low) / 2;
        if (lp_num_log(middle / from) < share * all)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void add_lead(LpStudyLead *out, uint32_t *count, double time, double value, uint32_t agent) {
    if (*count < LP_STUDY_LEADS && (*count == 0 || out[*count - 1].agent != agent))
        out[(*count)++] = (LpStudyLead){time, value, agent};
}

/* Who is best in one stretch between two points. */
static uint32_t follow(const LpStudyData *d, LpStudyMetric m, uint32_t p, uint32_t leader,
                       LpStudyLead *out, uint32_t *count) {
    double from = d->point[p].interarrival, to = d->point[p + 1].interarrival, share = 0;
    for (uint32_t turn = 0; turn < d->agents; turn++) {
        uint32_t who = leader;
        share = next_crossing(d, m, p, leader, share, &who);
        if (share > 1 || who == leader)
            break;
        double value =
            mean_at(d, m, p, who) + share * (mean_at(d, m, p + 1, who) - mean_at(d, m, p, who));
        add_lead(out, count, time_at(from, to, share), value, who);
        leader = who;
    }
    return leader;
}

uint32_t lp_study_leads(const LpStudyData *d, LpStudyMetric m, LpStudyLead out[LP_STUDY_LEADS]) {
    uint32_t count = 0, leader = d->agents;
    if (!lp_study_has_axis(d))
        return 0;
    for (uint32_t p = 0; p < d->points; p++) {
        uint32_t least = least_at(d, m, p);
        if (least == d->agents)
            continue;
        /* a leader who stays as good as the best stays */
        if (leader == d->agents || !(mean_at(d, m, p, leader) <= mean_at(d, m, p, least))) {
            leader = least;
            add_lead(out, &count, d->point[p].interarrival, mean_at(d, m, p, least), least);
        }
        if (p + 1 < d->points && d->point[p + 1].interarrival > d->point[p].interarrival)
            leader = follow(d, m, p, leader, out, &count);
    }
    return count;
}

/* ---- sentences ---- */

static void tell_load(const LpStudyData *d, LpBuf *out) {
    LpStudyLead lead[LP_STUDY_LEADS];
    uint32_t leads = lp_study_leads(d, LP_STUDY_METRIC_BLOCKING, lead);
    if (leads == 0)
        return;
    lp_buf_add(out, "Blocks least: ");
    for (uint32_t i = 0; i < leads; i++) {
        lp_buf_addf(out, "%s%s", i > 0 ? ", then " : "", d->agent[lead[i].agent]);
        if (i + 1 < leads)
            lp_buf_addf(out, " up to %.0f s", lead[i + 1].time);
    }
    lp_buf_add(out, leads > 1 ? "; x marks where the curves cross." : " everywhere.");
}

/* The agent with the most blocking at a point where every agent has both means. */
static bool most_and_best(const LpStudyData *d, uint32_t p, uint32_t *best, uint32_t *most,
                          uint32_t *least) {
    *best = *most = *least = 0;
    for (uint32_t a = 0; a < d->agents; a++) {
        double jct = mean_at(d, LP_STUDY_METRIC_JCT, p, a);
        double blocked = mean_at(d, LP_STUDY_METRIC_BLOCKING, p, a);
        if (isnan(jct) || isnan(blocked))
            return false;
        if (jct < mean_at(d, LP_STUDY_METRIC_JCT, p, *best))
            *best = a;
        if (blocked > mean_at(d, LP_STUDY_METRIC_BLOCKING, p, *most))
            *most = a;
        if (blocked < mean_at(d, LP_STUDY_METRIC_BLOCKING, p, *least))
            *least = a;
    }
    return d->agents > 1;
}

static void add_agent(const LpStudyData *d, uint32_t p, uint32_t a, LpBuf *out) {
    double jct = mean_at(d, LP_STUDY_METRIC_JCT, p, a);
    lp_buf_addf(out, jct >= 100 && jct < 1e12 ? "%.0f s" : "%.4g s", jct);
    lp_buf_addf(out, " and blocks %.3g %%", 100 * mean_at(d, LP_STUDY_METRIC_BLOCKING, p, a));
}

static void tell_metric(const LpStudyData *d, LpBuf *out) {
    double worst = 0;
    uint32_t at = d->points, who = 0, other = 0;
    for (uint32_t p = 0; p < d->points; p++) {
        uint32_t best, most, least;
        if (!most_and_best(d, p, &best, &most, &least) || best != most)
            continue;
        double excess = mean_at(d, LP_STUDY_METRIC_BLOCKING, p, best) -
                        mean_at(d, LP_STUDY_METRIC_BLOCKING, p, least);
        if (excess > worst) {
            worst = excess;
            at = p;
            who = best;
            other = least;
        }
    }
    if (at == d->points) {
        lp_buf_add(out, "Nowhere here does the agent with the best mean JCT block most.");
        return;
    }
    lp_buf_addf(out, "The agent with the best mean JCT blocks most: at %s %s has ",
                d->point[at].label, d->agent[who]);
    add_agent(d, at, who, out);
    lp_buf_addf(out, ", %s has ", d->agent[other]);
    add_agent(d, at, other, out);
    lp_buf_add(out, ".");
}

void lp_study_tell(const LpStudyData *d, LpBuf *out) {
    if (d->study == LP_STUDY_LOAD)
        tell_load(d, out);
    else if (d->study == LP_STUDY_METRIC)
        tell_metric(d, out);
}
