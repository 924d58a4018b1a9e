/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of light: which pairs of groups are lit in which order, and at an instant of a step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "moment/motion_internal.h"
#include "run/inspect/light.h"

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
static uint32_t light_at(LpMotionSubject *s, const double *light, uint32_t groups) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    uint32_t flows = 0;
    for (uint32_t r = seen->servers; r < seen->rows; r++) {
        const LpStepRow *row = &seen->row[r];
        if (!lp_motion_bar(seen, r, m->at))
            continue;
        flows++;
        if (row->kind == LP_STEP_PAIR)
            m->light[group_pair(s, row->server, row->to)] = 1.0;
        for (uint32_t i = 0; row->kind == LP_STEP_COLLECTIVES && i < groups * groups; i++)
            m->light[i] = light[i] > 0.0 ? 1.0 : m->light[i];
    }
    return flows;
}

/* At an instant: what is under way; over the step: how long data are, and nobody computes. */
static void say_flows(LpMotionSubject *s, uint32_t flows, uint32_t pairs) {
    LpMotionModel *m = s->motion;
    LpSaid *said = &s->now->said;
    char at[LP_SHOW_TEXT];
    if (!m->instant) {
        lp_said_add(said, LP_FORM_LONG,
                    "Over a training step of %s: how long each pair of groups is lit.",
                    lp_show_seconds(m->step.seen.step_time, at));
        lp_said_add(said, LP_FORM_SHORT, "How long each pair of groups is lit in a step.");
        return;
    }
    lp_show_seconds(m->at, at);
    if (flows == 0)
        lp_said_add(said, LP_FORM_LONG, "%s into a step all is dark: the servers of %s compute.",
                    at, s->name);
    else
        lp_said_add(said, LP_FORM_LONG,
                    "%s into a step light between %u pairs of groups carries "
                    "data of %s.",
                    at, (unsigned)pairs, s->name);
    lp_said_add(said, LP_FORM_SHORT, "%s into a step: %u pairs of groups are lit.", at,
                (unsigned)pairs);
}

void lp_motion_show_flows(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    uint32_t groups;
    const double *light = light_of(s, &groups);
    if (m->frames <= 1 || !light || !make_room(s, groups)) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s has nothing to send between servers.",
                    s->name);
        return;
    }
    m->instant = lp_motion_instant(s);
    if (!m->instant)
        memcpy(m->light, light, (size_t)groups * groups * sizeof *light);
    uint32_t flows = m->instant ? light_at(s, light, groups) : 0;
    say_flows(s, flows, lit_pairs(m->light, groups));
}
