/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of light: which pairs of groups are lit in which order, and at an instant of a step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "moment/motion_internal.h"
#include "run/inspect/light.h"
#include "sim/store/store.h"

static uint32_t group_pair(const LpMotionSubject *s, uint32_t from, uint32_t to) {
    const LpFabric *f = &s->model->context->fabric;
    return lp_fabric_group(f, from) * f->groups + lp_fabric_group(f, to);
}

/* The light of the plan, share of a step per pair of groups; NULL: it uses no light paths. */
static const double *light_of(LpMotionSubject *s, uint32_t *groups) {
    if (s->forecast)
        return lp_session_light_ahead(s->session, s->forecast, groups);
    return lp_session_light(s->session, s->job->id, groups);
}

static bool make_room(LpMotionSubject *s, uint32_t groups) {
    LpMotionModel *m = s->motion;
    size_t cells = (size_t)groups * groups;
    if (lp_grow((void **)&m->light, &m->light_cap, cells + 1, sizeof *m->light) != LP_OK)
        return false;
    memset(m->light, 0, cells * sizeof *m->light);
    m->groups = groups;
    m->lit = true;
    m->plan = s->forecast != NULL;
    m->letter = lp_letters_of(&s->model->letters, s->job->id);
    return true;
}

static uint32_t lit_pairs(const double *light, uint32_t groups) {
    uint32_t count = 0;
    for (size_t i = 0; light && i < (size_t)groups * groups; i++)
        count += light[i] > 0.0;
    return count;
}

/* A pair of groups, and when in the step it is lit first. */
typedef struct Pair {
    double first;
    uint32_t pair;
} Pair;

static int compare_pairs(const void *x, const void *y) {
    const Pair *a = x, *b = y;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

/* The least start of a flow between each pair of groups; what only collectives light is lit with
 * the first of them. */
static void find_first(const LpMotionSubject *s, Pair *pair, uint32_t cells) {
    const LpStepInspection *seen = &s->motion->step.seen;
    double collective = (double)INFINITY;
    for (uint32_t r = seen->servers; r < seen->rows; r++) {
        const LpStepRow *row = &seen->row[r];
        if (row->first >= row->end)
            continue;
        double start = seen->bar[row->first].start;
        if (row->kind == LP_STEP_COLLECTIVES) {
            collective = fmin(collective, start);
        } else {
            Pair *of = &pair[group_pair(s, row->server, row->to)];
            of->first = fmin(of->first, start);
        }
    }
    for (uint32_t i = 0; i < cells; i++)
        pair[i].first = fmin(pair[i].first, collective);
}

/* The pairs that are lit at all in the order in which they are; the caller frees them. NULL: out of
 * memory. */
static Pair *order_pairs(const LpMotionSubject *s, const double *light, uint32_t groups) {
    uint32_t cells = groups * groups, count = 0;
    Pair *pair = lp_alloc(cells, sizeof *pair);
    if (!pair)
        return NULL;
    for (uint32_t i = 0; i < cells; i++)
        pair[i] = (Pair){(double)INFINITY, i};
    find_first(s, pair, cells);
    for (uint32_t i = 0; i < cells; i++)
        if (light[i] > 0.0)
            pair[count++] = pair[i];
    qsort(pair, count, sizeof *pair, compare_pairs);
    return pair;
}

int lp_motion_light_frames(LpMotionSubject *s) {
    uint32_t groups;
    const double *light = light_of(s, &groups);
    s->pairs = lit_pairs(light, groups);
    return lp_motion_frames_for(lp_motion_lay_out(s) ? s->pairs : 0);
}

/* "from group 3 to group 2" of a pair of groups. */
static void say_pair(LpMotionSubject *s, uint32_t pair, uint32_t groups, uint32_t now,
                     const char *share) {
    LpSaid *said = &s->now->said;
    unsigned from = pair / groups, to = pair % groups, all = s->pairs;
    bool last = now == s->pairs;
    if (last && all > 1) {
        lp_said_add(said, LP_FORM_LONG,
                    "All %u pairs of groups of %s are lit, the last one from group %u to group %u.",
                    all, s->name, from, to);
        lp_said_add(said, LP_FORM_SHORT, "All %u pairs of groups of %s are lit.", all, s->name);
        return;
    }
    lp_said_add(said, LP_FORM_LONG,
                "Lighting paths for %s: from group %u to group %u, lit %s of a step. %u of %u lit.",
                s->name, from, to, share, (unsigned)now, all);
    lp_said_add(said, LP_FORM_SHORT, "Lighting for %s: g%u to g%u, %s of a step.", s->name, from,
                to, share);
}

void lp_motion_show_light(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t groups;
    const double *light = light_of(s, &groups);
    char share[LP_SHOW_TEXT];
    if (!light || s->pairs == 0 || !make_room(s, groups)) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s needs no light path between servers.",
                    s->name);
        return;
    }
    Pair *pair = order_pairs(s, light, groups);
    if (!pair) {
        s->failed = true;
        return;
    }
    uint32_t now = lp_motion_upto(s->pairs, m->frame, m->frames), last = pair[now - 1].pair;
    for (uint32_t i = 0; i < now; i++)
        m->light[pair[i].pair] = light[pair[i].pair];
    lp_free(pair);
    say_pair(s, last, groups, now, lp_show_percent(light[last], share));
}

/* At an instant: pairs that carry a flow, all of the job's pairs during a collective. */
static void light_at(LpMotionSubject *s, const double *light, uint32_t groups) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    for (uint32_t r = seen->servers; r < seen->rows; r++) {
        const LpStepRow *row = &seen->row[r];
        if (!lp_motion_bar(seen, r, m->at))
            continue;
        if (row->kind == LP_STEP_PAIR)
            m->light[group_pair(s, row->server, row->to)] = 1.0;
        for (uint32_t i = 0; row->kind == LP_STEP_COLLECTIVES && i < groups * groups; i++)
            m->light[i] = light[i] > 0.0 ? 1.0 : m->light[i];
    }
}

static void say_send(LpMotionSubject *s, const LpTurn *choice) {
    LpMotionModel *m = s->motion;
    LpSaid *said = &s->now->said;
    const LpStepRow *row = &m->step.seen.row[choice->row];
    const char *rule = lp_motion_rule(s, true, choice);
    unsigned wants = choice->waits + 1, op = m->step.seen.bar[choice->bar].op;
    const char *pass = m->step.seen.bar[choice->bar].backward ? "b" : "";
    lp_said_add(said, LP_FORM_LONG,
                "%u transfers of %s want the light from server %u to %u. %s: after op %u%s goes, "
                "the other%s.",
                wants, s->name, (unsigned)row->server, (unsigned)row->to, rule, op, pass,
                wants == 2 ? " waits" : "s wait");
    lp_said_add(said, LP_FORM_SHORT, "%u transfers want the light s%u to s%u. %s", wants,
                (unsigned)row->server, (unsigned)row->to, rule);
}

/* Over the step: how long data are under way, and nobody computes. */
static void say_exposed(LpMotionSubject *s) {
    const LpForecast *f = s->forecast;
    LpSaid *said = &s->now->said;
    char data[LP_SHOW_TEXT], idle[LP_SHOW_TEXT];
    double step = s->motion->step.seen.step_time;
    const LpStepSummary *sum = lp_store_step(s->model->context->store, f->step);
    lp_show_percent(sum->communication / sum->step_time, data);
    lp_show_percent(sum->exposed / sum->step_time, idle);
    lp_said_add(said, LP_FORM_LONG,
                "Data of %s are under way for %s of a step of %s; nobody computes for %s of it.",
                s->name, data, lp_show_seconds(step, (char[LP_SHOW_TEXT]){0}), idle);
    lp_said_add(said, LP_FORM_SHORT, "Data under way %s of a step, nobody computes %s.", data,
                idle);
}

void lp_motion_show_flows(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t groups;
    const double *light = light_of(s, &groups);
    if (!m->step.known || !s->forecast || s->forecast->step == LP_NO_INDEX || !light ||
        !make_room(s, groups)) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s has nothing to send by light of its own.",
                    s->name);
        return;
    }
    const LpTurn *choice = lp_motion_choice(s);
    m->instant = choice != NULL;
    if (choice) {
        light_at(s, light, groups);
        say_send(s, choice);
        return;
    }
    memcpy(m->light, light, (size_t)groups * groups * sizeof *light);
    say_exposed(s);
}
