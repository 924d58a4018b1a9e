/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From event to event: a phase begins or ends, own work starts to wait, a step is over. */
#include "sim/sharing/meeting.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { MARKS = 256, MARK_EVENTS = 10000 };

struct LpMeeting {
    const LpNetwork *network;
    LpShares *shares;
    LpRunner *runner;
    size_t runner_cap;
    uint32_t count, over;
    double now;
    /* the senders' problem */
    uint32_t *sender, *begin, *link;
    double *use, *cap, *rate;
    size_t sender_cap, begin_cap, link_cap, use_cap, cap_cap, rate_cap;
    /* an earlier moment at which the first job began a step */
    LpRunner *mark;
    size_t mark_cap;
    double mark_at;
    uint32_t starts, mark_starts; /* mark_starts 0: there is none */
    uint32_t events, mark_events;
};

LpMeeting *lp_meeting_new(void) {
    LpMeeting *m = lp_alloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->shares = lp_shares_new();
    if (m->shares == NULL) {
        lp_free(m);
        return NULL;
    }
    return m;
}

void lp_meeting_free(LpMeeting *m) {
    if (m == NULL)
        return;
    void *owned[] = {m->runner, m->sender, m->begin, m->link, m->use, m->cap, m->rate, m->mark};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_shares_free(m->shares);
    lp_free(m);
}

void lp_meeting_open(LpMeeting *m, const LpNetwork *network, double now) {
    m->network = network;
    m->now = now;
    m->count = m->over = 0;
    m->starts = m->mark_starts = m->events = m->mark_events = 0;
}

#define GROW(s, field, need)                                                                       \
    do {                                                                                           \
        void *grown_ = (s)->field;                                                                 \
        LP_TRY(lp_grow(&grown_, &(s)->field##_cap, (need), sizeof *(s)->field));                   \
        (s)->field = grown_;                                                                       \
    } while (0)

LpErr lp_meeting_reserve(LpMeeting *m, size_t runners, size_t links) {
    GROW(m, runner, runners);
    GROW(m, mark, runners);
    GROW(m, sender, runners);
    GROW(m, begin, runners + 1);
    GROW(m, cap, runners);
    GROW(m, rate, runners);
    GROW(m, link, links + 1);
    GROW(m, use, links + 1);
    return LP_OK;
}

LpErr lp_meeting_reserve_like(LpMeeting *m, const LpMeeting *like) {
    LP_TRY(lp_meeting_reserve(m, like->runner_cap, like->link_cap));
    return lp_shares_reserve(m->shares, like->shares);
}

LpErr lp_meeting_add(LpMeeting *m, const LpRunner *runner) {
    size_t links = runner->load->links;
    for (uint32_t i = 0; i < m->count; i++)
        links += m->runner[i].load->links;
    LP_TRY(lp_meeting_reserve(m, (size_t)m->count + 1, links));
    m->runner[m->count] = *runner;
    m->runner[m->count].sends = 0;
    m->over += runner->over;
    m->count++;
    return LP_OK;
}

LpRunner *lp_meeting_runner(LpMeeting *m, uint32_t index) {
    return &m->runner[index];
}

uint32_t lp_meeting_count(const LpMeeting *m) {
    return m->count;
}

double lp_meeting_now(const LpMeeting *m) {
    return m->now;
}

/* ---- one job ---- */

static const LpSendPhase *phase_of(const LpRunner *r) {
    const LpSendPhases *p = r->load->phases;
    return r->phase < p->count ? &p->phase[r->phase] : NULL;
}

static void enter_phase(LpRunner *r, uint32_t number) {
    r->phase = number;
    const LpSendPhase *phase = phase_of(r);
    r->quiet = phase != NULL ? phase->quiet : 0;
    r->wire = phase != NULL ? phase->load.sending : 0;
}

void lp_runner_begin_step(LpRunner *r) {
    r->own = 0;
    enter_phase(r, 0);
}

static bool at_start(const LpRunner *r) {
    const LpSendPhase *phase = phase_of(r);
    return r->own == 0 && r->phase == 0 && phase != NULL && r->quiet == phase->quiet &&
           r->wire == phase->load.sending;
}

/* Own work stops here, for the end of a phase or of the step. */
static double limit_of(const LpRunner *r) {
    const LpSendPhase *phase = phase_of(r);
    double own = r->load->phases->own;
    return phase != NULL && phase->until < own ? phase->until : own;
}

bool lp_runner_waits(const LpRunner *r) {
    return r->own >= limit_of(r) && phase_of(r) != NULL;
}

bool lp_runner_in_phase(const LpRunner *r) {
    const LpSendPhase *phase = phase_of(r);
    return phase != NULL && r->own >= phase->after;
}

double lp_runner_part(const LpRunner *r) {
    const LpSendPhases *p = r->load->phases;
    const LpSendPhase *phase = phase_of(r);
    double sent = p->sending, all = p->own + p->sending;
    if (phase != NULL)
        sent = phase->begun + (phase->quiet - r->quiet) + (phase->load.sending - r->wire);
    double part = all > 0 ? (r->own + sent) / all : 0;
    return part < 1 - 1e-6 ? part : 1 - 1e-6;
}

static bool idle(const LpMeeting *m, const LpRunner *r) {
    return r->over || r->begins > m->now;
}

/* Seconds until something happens to it at the present speed. */
static double until_event(const LpMeeting *m, const LpRunner *r) {
    if (r->over)
        return (double)INFINITY;
    if (r->begins > m->now)
        return r->begins - m->now;
    double limit = limit_of(r), next = (double)INFINITY;
    const LpSendPhase *phase = phase_of(r);
    if (r->own < limit)
        next = limit - r->own;
    if (phase == NULL)
        return next;
    if (r->own < phase->after)
        return fmin(next, phase->after - r->own);
    if (r->quiet > 0)
        return fmin(next, r->quiet);
    return r->speed > 0 ? fmin(next, r->wire / r->speed) : next;
}

static double less(double value, double by, double slack) {
    return value - by > slack ? value - by : 0;
}

static void send_on(LpRunner *r, double dt, double slack) {
    if (r->quiet > 0) {
        r->quiet = less(r->quiet, dt, slack);
        return;
    }
    r->wire = less(r->wire, r->speed * dt, slack);
    r->slower += (1 - r->speed) * dt;
}

static void go_on(LpMeeting *m, LpRunner *r, double dt) {
    /* Times that differ by less are one. */
    const LpSendPhases *p = r->load->phases;
    double slack = 1e-12 * (p->own + p->sending) + 4e-16 * m->now;
    bool in_phase = lp_runner_in_phase(r);
    if (r->own < limit_of(r)) {
        double limit = limit_of(r);
        const LpSendPhase *phase = phase_of(r);
        r->own = r->own + dt < limit - slack ? r->own + dt : limit;
        if (phase != NULL && fabs(r->own - phase->after) <= slack)
            r->own = phase->after;
    }
    if (in_phase)
        send_on(r, dt, slack);
}

/* What has ended; true where a step has. */
static bool turn_over(LpMeeting *m, LpRunner *r) {
    while (lp_runner_in_phase(r) && r->quiet == 0 && r->wire == 0)
        enter_phase(r, r->phase + 1);
    if (phase_of(r) != NULL || r->own < r->load->phases->own)
        return false;
    r->done += 1;
    lp_runner_begin_step(r);
    r->over = r->done >= r->steps - 1e-9;
    m->over += r->over;
    return true;
}

/* ---- speeds ---- */

static bool find_senders(LpMeeting *m) {
    bool changed = false;
    for (uint32_t i = 0; i < m->count; i++) {
        LpRunner *r = &m->runner[i];
        bool sends = !idle(m, r) && lp_runner_in_phase(r) && r->quiet == 0 && r->wire > 0;
        uint32_t now = sends ? r->phase + 1 : 0;
        changed = changed || now != r->sends;
        r->sends = now;
    }
    return changed;
}

/* The problem of sharing: the phases of those who send; with `all` what all send in a whole step.
 */
static LpShareProblem pose(LpMeeting *m, bool all) {
    uint32_t flows = 0, entries = 0;
    m->begin[0] = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        if (!all && m->runner[i].sends == 0)
            continue;
        const LpLoad *load = all ? m->runner[i].load : &phase_of(&m->runner[i])->load;
        memcpy(m->link + entries, load->link, load->links * sizeof *m->link);
        memcpy(m->use + entries, load->use, load->links * sizeof *m->use);
        entries += load->links;
        m->sender[flows] = i;
        m->cap[flows++] = load->rate;
        m->begin[flows] = entries;
    }
    return (LpShareProblem){.links = m->network->links,
                            .flows = flows,
                            .capacity = m->network->capacity,
                            .begin = m->begin,
                            .link = m->link,
                            .use = m->use,
                            .cap = m->cap};
}

/* As lp_shares_solve has it for one flow. */
static double rate_alone(const LpShareProblem *p) {
    double rate = p->cap[0];
    for (uint32_t i = 0; i < p->begin[1]; i++)
        rate = fmin(rate, p->capacity[p->link[i]] / p->use[i]);
    return rate;
}

static LpErr set_speeds(LpMeeting *m) {
    if (!find_senders(m))
        return LP_OK;
    LpShareProblem p = pose(m, false);
    if (p.flows == 1)
        m->rate[0] = rate_alone(&p);
    else if (p.flows > 1)
        LP_TRY(lp_shares_solve(m->shares, &p, m->rate));
    for (uint32_t i = 0; i < p.flows; i++)
        m->runner[m->sender[i]].speed = m->rate[i] / m->cap[i];
    return LP_OK;
}

LpErr lp_meeting_prepare(LpMeeting *m) {
    LpShareProblem p = pose(m, true);
    return p.flows > 0 ? lp_shares_solve(m->shares, &p, m->rate) : LP_OK;
}

/* ---- what repeats ---- */

/* A job alone: as many steps as fit. */
static void repeat_alone(LpMeeting *m, double until) {
    LpRunner *r = &m->runner[0];
    if (idle(m, r) || !at_start(r) || !(r->alone > 0))
        return;
    double left = r->steps - r->done, fit = floor((until - m->now) / r->alone * (1 + 1e-12));
    double times = fit < left ? fit : left;
    if (!(times > 0))
        return;
    m->now += times * r->alone;
    r->done += times;
    r->slower += times * r->alone_more;
    r->over = r->done >= r->steps - 1e-9;
    m->over += r->over;
}

static bool near(double a, double b, double step) {
    return fabs(a - b) <= 1e-9 * step;
}

static bool recurs(const LpMeeting *m) {
    for (uint32_t i = 0; i < m->count; i++) {
        const LpRunner *r = &m->runner[i], *was = &m->mark[i];
        double step = r->load->phases->own + r->load->phases->sending;
        if (r->over)
            continue;
        if (r->phase != was->phase || !near(r->own, was->own, step) ||
            !near(r->quiet, was->quiet, step) || !near(r->wire, was->wire, step))
            return false;
    }
    return true;
}

/* Steps since the mark; with parts where it is a mean and no period. */
static double steps_since(const LpRunner *r, const LpRunner *was, bool mean) {
    double whole = r->done - was->done;
    return mean ? whole + (lp_runner_part(r) - lp_runner_part(was)) : whole;
}

/* Takes the time since the mark as often as it fits before anybody's last step. */
static void repeat(LpMeeting *m, double until, bool mean) {
    double period = m->now - m->mark_at, times = floor((until - m->now) / period);
    for (uint32_t i = 0; i < m->count; i++) {
        const LpRunner *r = &m->runner[i];
        double each = steps_since(r, &m->mark[i], mean);
        if (!r->over && each > 0)
            times = fmin(times, floor((r->steps - r->done - 2) / each));
    }
    if (!(times > 0) || isinf(times))
        return;
    for (uint32_t i = 0; i < m->count; i++) {
        LpRunner *r = &m->runner[i];
        if (r->over)
            continue;
        r->done += floor(times * steps_since(r, &m->mark[i], mean) + 0.5);
        r->slower += times * (r->slower - m->mark[i].slower);
    }
    m->now += times * period;
    m->starts = m->mark_starts = 0;
}

static bool all_awake(const LpMeeting *m) {
    for (uint32_t i = 0; i < m->count; i++)
        if (m->runner[i].begins > m->now)
            return false;
    return true;
}

/* The first job begins a step. Marks lie at its 1st, 2nd, 4th, 8th ... one (Brent's way to find a
 * cycle). */
static void look_for_period(LpMeeting *m, double until) {
    if (!all_awake(m))
        return;
    m->starts++;
    if (m->mark_starts > 0) {
        bool period = recurs(m);
        bool long_enough =
            m->starts >= MARKS || m->events - m->mark_events >= (uint32_t)MARK_EVENTS;
        if (period || long_enough)
            repeat(m, until, !period);
    }
    if ((m->starts & (m->starts - 1)) == 0) {
        memcpy(m->mark, m->runner, m->count * sizeof *m->mark);
        m->mark_at = m->now;
        m->mark_starts = m->starts;
        m->mark_events = m->events;
    }
}

/* ---- the run ---- */

static bool stops(const LpMeeting *m, double until, uint32_t stop) {
    if (m->now >= until || m->over == m->count)
        return true;
    if (stop == LP_MEETING_ANYBODY)
        return m->over > 0;
    return stop < m->count && m->runner[stop].over;
}

/* Everybody goes on for dt; true where the first one that is not over begins a step. */
static bool pass(LpMeeting *m, double dt, double now) {
    bool first = true, began = false;
    for (uint32_t i = 0; i < m->count; i++)
        if (!idle(m, &m->runner[i]))
            go_on(m, &m->runner[i], dt);
    m->now = now;
    m->events++;
    for (uint32_t i = 0; i < m->count; i++) {
        LpRunner *r = &m->runner[i];
        if (idle(m, r))
            continue;
        bool step = turn_over(m, r);
        began = began || (first && step);
        if (r->over) /* another set of jobs from now on */
            m->starts = m->mark_starts = 0;
        first = false;
    }
    return began;
}

LpErr lp_meeting_run(LpMeeting *m, double until, uint32_t stop) {
    for (;;) {
        if (m->count == 1)
            repeat_alone(m, until);
        LP_TRY(set_speeds(m));
        if (stops(m, until, stop))
            return LP_OK;
        double dt = (double)INFINITY; /* to the next event */
        for (uint32_t i = 0; i < m->count; i++)
            dt = fmin(dt, until_event(m, &m->runner[i]));
        if (isinf(dt))
            return LP_OK; /* nobody will ever go on: a link that carries nothing */
        bool last = m->now + dt >= until;
        if (pass(m, last ? until - m->now : dt, last ? until : m->now + dt) && m->count > 1)
            look_for_period(m, until);
    }
}
