/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of light: one transmitter after the other as they are lit in a step, and what is lit
 * at an instant of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/inspect/inspect_light.h"
#include "base/mem.h"
#include "moment/frames/frames_impl.h"
#include "sim/store/store.h"

static uint32_t group_pair(const LpMotionSubject *s, uint32_t from, uint32_t to) {
    const LpFabric *f = &s->model->context->fabric;
    return lp_fabric_group(f, from) * f->groups + lp_fabric_group(f, to);
}

static uint32_t pair_of(const LpMotionSubject *s, const LpTransmitter *tx) {
    const LpFabric *f = &s->model->context->fabric;
    return lp_fabric_group(f, tx->server) * f->groups + tx->group;
}

/* The light of the plan; without a share of groups it uses no light paths. */
static LpPlanLight light_of(LpMotionSubject *s) {
    if (s->forecast)
        return lp_session_light_ahead(s->session, s->forecast);
    return lp_session_light(s->session, s->job->id);
}

/* Everything is dark at first. */
static bool make_room(LpMotionSubject *s, const LpPlanLight *light) {
    LpMotionModel *m = s->motion;
    size_t cells = (size_t)light->groups * light->groups;
    m->tx = light->tx;
    m->txs = light->txs;
    m->path = light->path;
    m->paths = light->paths;
    if (lp_grow((void **)&m->light, &m->light_cap, cells + 1, sizeof *m->light) != LP_OK ||
        lp_grow((void **)&m->shine, &m->shine_cap, m->txs + 1, sizeof *m->shine) != LP_OK) {
        s->failed = true;
        return false;
    }
    memset(m->light, 0, cells * sizeof *m->light);
    memset(m->shine, LP_SHINE_NOT, m->txs + 1);
    m->groups = light->groups;
    m->lit = true;
    m->plan = s->forecast != NULL;
    m->letter = lp_letters_of(&s->model->letters, s->job->id);
    return true;
}

/* Which of the transmitters, and when in the step it is lit first. */
typedef struct Turn {
    double first;
    uint32_t tx;
} Turn;

static int compare_turns(const void *x, const void *y) {
    const Turn *a = x, *b = y;
    if (a->first < b->first || b->first < a->first)
        return a->first < b->first ? -1 : 1;
    return (a->tx > b->tx) - (a->tx < b->tx);
}

/* The transmitters in the order in which they are lit; the caller frees them. NULL: out of memory.
 */
static Turn *order_turns(const LpMotionModel *m) {
    Turn *turn = lp_alloc(m->txs + 1, sizeof *turn);
    for (uint32_t i = 0; turn && i < m->txs; i++)
        turn[i] = (Turn){m->tx[i].first, i};
    if (turn && m->txs > 1)
        qsort(turn, m->txs, sizeof *turn, compare_turns);
    return turn;
}

int lp_motion_light_frames(LpMotionSubject *s) {
    s->txs = light_of(s).txs;
    return lp_motion_frames_for(s->txs);
}

/* ---- in words ---- */

enum { NAMED = 3 }; /* receivers, at most */

/* The receivers of a transmitter, at most NAMED; returns how many there are in all. */
static uint32_t receivers_of(LpMotionSubject *s, const LpTransmitter *tx, uint32_t to[NAMED]) {
    const LpFabric *f = &s->model->context->fabric;
    uint32_t count = 0;
    LpPlanLight light = light_of(s);
    for (uint32_t i = 0; i < light.paths; i++) {
        if (light.path[i].src != tx->server || lp_fabric_group(f, light.path[i].dst) != tx->group)
            continue;
        if (count < NAMED)
            to[count] = light.path[i].dst;
        count++;
    }
    return count;
}

/* "wavelength 1 of racks 1, 2", or where there are no wavelengths "server 5"; brief: without racks.
 */
static void name_receivers(LpMotionSubject *s, const LpTransmitter *tx, bool brief, LpBuf *out) {
    const LpFabric *f = &s->model->context->fabric;
    uint32_t to[NAMED], all = receivers_of(s, tx, to), seen = all < NAMED ? all : NAMED;
    for (uint32_t i = 0; i < seen; i++) {
        unsigned rack = lp_fabric_rack(f, to[i]), colour = to[i] % f->per_rack;
        bool same = i > 0 && to[i - 1] % f->per_rack == colour;
        bool more = i + 1 < seen && to[i + 1] % f->per_rack == colour;
        if (f->tx_ports == 0)
            lp_buf_addf(out, i == 0 ? "server %u" : ", %u", (unsigned)to[i]);
        else if (!same)
            lp_buf_addf(out, i == 0 ? "wavelength %u" : ", %u", colour);
        if (f->tx_ports > 0 && !brief)
            lp_buf_addf(out, same ? ", %u" : more ? " of racks %u" : " of rack %u", rack);
    }
    if (all > seen && !brief)
        lp_buf_addf(out, " and %u more", (unsigned)(all - seen));
}

/* One transmitter, or the last of several at a time. */
static void say_path(LpMotionSubject *s, const LpTransmitter *tx, uint32_t now, uint32_t at_once) {
    const LpFabric *f = &s->model->context->fabric;
    LpSaid *said = &s->now->said;
    LpBuf from = {0}, to = {0}, brief = {0}, waves = {0};
    const char *arrow = "->";
    unsigned lit = now, all = s->txs;
    lp_words_place(s->model, tx->server, false, &from);
    lp_words_place(s->model, tx->server, true, &brief);
    name_receivers(s, tx, false, &to);
    name_receivers(s, tx, true, &waves);
    char several[40] = "", group[40] = "", column[24] = "";
    if (at_once > 1)
        snprintf(several, sizeof several, ", %u at a time; the last", (unsigned)at_once);
    if (f->groups > 1) {
        snprintf(group, sizeof group, "group %u, ", (unsigned)tx->group);
        snprintf(column, sizeof column, "g%u on ", (unsigned)tx->group);
    }
    lp_said_add(said, LP_FORM_LONG, "Lighting paths for %s%s%s from %s to %s%s. %u of %u lit.",
                s->name, several, at_once > 1 ? "" : ":", lp_buf_text(&from), group,
                lp_buf_text(&to), lit, all);
    lp_said_add(said, LP_FORM_MIDDLE, "Lighting for %s: %s %s %s%s. %u of %u lit.", s->name,
                lp_buf_text(&brief), arrow, column, lp_buf_text(&waves), lit, all);
    lp_said_add(said, LP_FORM_SHORT, "%s lights %s %s %s%s.", s->name, lp_buf_text(&brief), arrow,
                column, lp_buf_text(&waves));
    s->failed |= from.failed || to.failed || brief.failed || waves.failed;
    lp_buf_fini(&from);
    lp_buf_fini(&to);
    lp_buf_fini(&brief);
    lp_buf_fini(&waves);
}

static void say_all(LpMotionSubject *s) {
    LpSaid *said = &s->now->said;
    const LpMotionModel *m = s->motion;
    const LpTransmitter *most = m->tx;
    char share[LP_SHOW_TEXT];
    for (uint32_t i = 1; i < m->txs; i++)
        most = m->tx[i].share > most->share ? &m->tx[i] : most;
    lp_show_percent(most->share, share);
    if (m->txs == 1) {
        lp_said_add(said, LP_FORM_LONG,
                    "The one transmitter of %s that sends is lit, for %s of a step.", s->name,
                    share);
        lp_said_add(said, LP_FORM_SHORT, "The transmitter of %s is lit, %s of a step.", s->name,
                    share);
        return;
    }
    lp_said_add(said, LP_FORM_LONG,
                "All %u transmitters of %s that send are lit; the busiest one for %s of a step.",
                (unsigned)m->txs, s->name, share);
    lp_said_add(said, LP_FORM_SHORT, "All %u transmitters of %s are lit. At most %s of a step.",
                (unsigned)m->txs, s->name, share);
}

/* A job whose transmitters hold no path: its light turns inside the step, nobody counts which
 * transmitter sends, or it needs none. */
static void say_no_paths(LpMotionSubject *s) {
    uint32_t index = s->forecast ? s->forecast->step : s->job->placed.step;
    const LpStepSummary *step =
        index != LP_NO_INDEX ? lp_store_step(s->model->context->store, index) : NULL;
    LpSaid *said = &s->now->said;
    char time[LP_SHOW_TEXT];
    if (step != NULL && step->turns > 0) {
        lp_said_add(said, LP_FORM_LONG,
                    "Light turns inside the step of %s: %u turn%s, %u exposed for %s.", s->name,
                    (unsigned)step->turns, lp_str_s(step->turns), (unsigned)step->exposed_turns,
                    lp_show_seconds(step->turn_time, time));
        lp_said_add(said, LP_FORM_SHORT, "%s: %u turn%s of light a step.", s->name,
                    (unsigned)step->turns, lp_str_s(step->turns));
    } else if (step != NULL && step->channels > 0) {
        lp_said_add(said, LP_FORM_LONG, "%s sends between %u pair%s of servers; no light is held.",
                    s->name, (unsigned)step->channels, lp_str_s(step->channels));
    } else {
        lp_said_add(said, LP_FORM_LONG, "%s needs no light path between servers.", s->name);
    }
}

/* ---- the frames ---- */

/* Lights the first `now` of them; those since `before` are the newest. */
static void light_turns(LpMotionSubject *s, const Turn *turn, uint32_t before, uint32_t now,
                        const double *light) {
    LpMotionModel *m = s->motion;
    bool marks = now < m->txs; /* the last frame is the still */
    for (uint32_t i = 0; i < now; i++) {
        uint32_t pair = pair_of(s, &m->tx[turn[i].tx]);
        m->shine[turn[i].tx] = i >= before && marks ? LP_SHINE_NEWEST : LP_SHINE_LIT;
        m->light[pair] = light[pair];
    }
}

void lp_motion_show_light(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpPlanLight light = light_of(s);
    if (!light.share || s->txs == 0) {
        say_no_paths(s);
        return;
    }
    Turn *turn = make_room(s, &light) ? order_turns(m) : NULL;
    if (!turn) {
        s->failed = true;
        return;
    }
    uint32_t now = lp_motion_upto(m->txs, m->frame, m->frames);
    uint32_t before = m->frame > 0 ? lp_motion_upto(m->txs, m->frame - 1, m->frames) : 0;
    light_turns(s, turn, before, now, light.share);
    if (now < m->txs)
        say_path(s, &m->tx[turn[now - 1].tx], now, now - before);
    else
        say_all(s);
    lp_free(turn);
}

/* At an instant: what carries a flow, all that the job ever lights during a collective. */
static void light_at(LpMotionSubject *s, const double *light, uint32_t groups) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    for (uint32_t r = seen->servers; r < seen->rows; r++) {
        const LpStepRow *row = &seen->row[r];
        if (!lp_motion_bar(seen, r, m->at))
            continue;
        uint32_t pair = group_pair(s, row->server, row->to);
        if (row->kind == LP_STEP_PAIR)
            m->light[pair] = 1.0;
        for (uint32_t i = 0; row->kind == LP_STEP_COLLECTIVES && i < groups * groups; i++)
            m->light[i] = light[i] > 0.0 ? 1.0 : m->light[i];
        for (uint32_t i = 0; i < m->txs; i++)
            if (row->kind == LP_STEP_COLLECTIVES ||
                (row->kind == LP_STEP_PAIR && m->tx[i].server == row->server &&
                 pair_of(s, &m->tx[i]) == pair))
                m->shine[i] = LP_SHINE_LIT;
    }
}

static void say_send(LpMotionSubject *s, const LpOrderTurn *choice) {
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

void lp_motion_show_flows(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    LpPlanLight light = light_of(s);
    if (!m->step.known || !s->forecast || s->forecast->step == LP_NO_INDEX || !light.share ||
        !make_room(s, &light)) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s has nothing to send by light of its own.",
                    s->name);
        return;
    }
    const LpOrderTurn *choice = lp_motion_choice(s);
    m->instant = choice != NULL;
    if (choice) {
        light_at(s, light.share, light.groups);
        say_send(s, choice);
        return;
    }
    memcpy(m->light, light.share, (size_t)light.groups * light.groups * sizeof *light.share);
    memset(m->shine, LP_SHINE_LIT, m->txs);
    /* Over the step: how long data are under way, and nobody computes. */
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
    lp_said_add(said, LP_FORM_SHORT, "Data under way %s of a step. Nobody computes %s.", data,
                idle);
}
