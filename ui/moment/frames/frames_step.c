/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside a training step: the instants at which an order is chosen, and the frames of the order of
 * ops. */
#include "base/hash.h"
#include "moment/frames/frames_impl.h"

enum { LOOK_AHEAD = 32 /* bars after one that are asked whether they waited for it */ };

/* ---- where there is a choice ---- */

/* What waits in the row while bar i begins; 0: nothing. */
static uint32_t waiting(const LpStepInspection *seen, uint32_t row, uint32_t i, LpOrderTurn *out) {
    const LpStepBar *first = &seen->bar[i];
    uint32_t end = seen->row[row].end;
    *out = (LpOrderTurn){.row = row, .bar = i};
    for (uint32_t j = i + 1; j < end && j <= i + LOOK_AHEAD && first->end > first->start; j++) {
        const LpStepBar *bar = &seen->bar[j];
        if (bar->ready > first->start || bar->start <= first->start || bar->end <= bar->start)
            continue;
        if (out->waits < LP_CHOICE_WAIT)
            out->wait[out->waits] = j;
        out->waits++;
    }
    return out->waits;
}

/* Is it a part of what another choice already shows? */
static bool is_shown(const LpMotionModel *m, uint32_t bar) {
    const LpStepBar *all = m->step.seen.bar;
    for (int i = 0; i < m->choices; i++) {
        const LpOrderTurn *c = &m->choice[i];
        uint32_t last = c->wait[c->waits < LP_CHOICE_WAIT ? c->waits - 1 : LP_CHOICE_WAIT - 1];
        if (all[bar].start >= all[c->bar].start && all[bar].start <= all[last].start)
            return true;
    }
    return false;
}

/* Does it matter which goes first? */
static bool differs(const LpStepBar *bar, const LpOrderTurn *turn) {
    double a = bar[turn->bar].end - bar[turn->bar].start;
    double b = bar[turn->wait[0]].end - bar[turn->wait[0]].start;
    return b > a * 1.01 || a > b * 1.01;
}

/* What differs before what takes equally long, many that wait before few, then the earlier one. */
static bool is_better(const LpMotionModel *m, const LpOrderTurn *a, const LpOrderTurn *b) {
    const LpStepBar *bar = m->step.seen.bar;
    bool one = differs(bar, a), other = differs(bar, b);
    if (one != other)
        return one;
    uint32_t x = a->waits < LP_CHOICE_WAIT ? a->waits : LP_CHOICE_WAIT;
    uint32_t y = b->waits < LP_CHOICE_WAIT ? b->waits : LP_CHOICE_WAIT;
    return x != y ? x > y : bar[a->bar].start < bar[b->bar].start;
}

static bool find_best(LpMotionModel *m, uint32_t from, uint32_t to, LpOrderTurn *best) {
    const LpStepInspection *seen = &m->step.seen;
    LpOrderTurn choice;
    best->waits = 0;
    for (uint32_t row = from; row < to; row++)
        for (uint32_t i = seen->row[row].first; i < seen->row[row].end; i++)
            if (waiting(seen, row, i, &choice) && !is_shown(m, i) &&
                (best->waits == 0 || is_better(m, &choice, best)))
                *best = choice;
    return best->waits > 0;
}

static void sort_choices(LpMotionModel *m) {
    for (int i = 1; i < m->choices; i++)
        for (int k = i; k > 0 && m->step.seen.bar[m->choice[k].bar].start <
                                     m->step.seen.bar[m->choice[k - 1].bar].start;
             k--) {
            LpOrderTurn moved = m->choice[k];
            m->choice[k] = m->choice[k - 1];
            m->choice[k - 1] = moved;
        }
}

void lp_motion_find_choices(LpMotionModel *m) {
    const LpStepModel *step = &m->step;
    bool flows = m->scene == LP_SCENE_ORDER_FLOWS;
    uint64_t of = lp_hash_u64(lp_hash_u64(step->conditions, step->partition), step->placement);
    of = lp_hash_u64(lp_hash_u64(of, step->orders.ops), (uint64_t)step->orders.flows * 2 + flows);
    if (m->choices_of == (of | 1))
        return;
    m->choices_of = of | 1;
    m->choices = 0;
    uint32_t from = flows ? step->seen.servers : 0;
    uint32_t to = from + (flows ? step->seen.pairs : step->seen.servers);
    LpOrderTurn best;
    while (m->choices < LP_MOTION_CHOICES && find_best(m, from, to, &best))
        m->choice[m->choices++] = best;
    sort_choices(m);
}

const LpOrderTurn *lp_motion_choice(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    if (m->frame >= m->choices)
        return NULL;
    m->step_time = m->step.seen.step_time;
    m->at = m->step.seen.bar[m->choice[m->frame].bar].start;
    return &m->choice[m->frame];
}

/* ---- in words ---- */

static void add_op(const LpStepBar *bar, LpBuf *out) {
    lp_buf_addf(out, "%u%s", (unsigned)bar->op, bar->backward ? "b" : "");
}

void lp_motion_name_bars(const LpMotionModel *m, const LpOrderTurn *choice, LpBuf *out) {
    const LpStepBar *bar = m->step.seen.bar;
    uint32_t named = choice->waits < 2 ? choice->waits : 2;
    add_op(&bar[choice->bar], out);
    for (uint32_t i = 0; i < named; i++) {
        lp_buf_add(out, i + 1 < choice->waits ? ", " : " and ");
        add_op(&bar[choice->wait[i]], out);
    }
    if (choice->waits > named)
        lp_buf_addf(out, " and %u more", (unsigned)(choice->waits - named));
}

const char *lp_motion_rule(const LpMotionSubject *s, bool flows, const LpOrderTurn *turn) {
    const LpAnswer *answer = s->model->decision.answer;
    LpOrder order = !answer ? LP_ORDER_SRPT : flows ? answer->order_flows : answer->order_ops;
    if (answer && (flows ? answer->flow_priority != NULL : answer->op_priority != NULL))
        return "By the policy's list";
    return order == LP_ORDER_FIFO                     ? "First come, first served"
           : order == LP_ORDER_CRITICAL_PATH          ? "Most work behind it first"
           : !differs(s->motion->step.seen.bar, turn) ? "Equally long"
           : turn->waits == 1                         ? "Shorter first"
                                                      : "Shortest first";
}

/* ---- the order of ops ---- */

int lp_motion_step_frames(LpMotionSubject *s) {
    s->motion->choices = s->motion->choices_of ? s->motion->choices : 0;
    if (!lp_motion_lay_out(s))
        return 1;
    lp_motion_find_choices(s->motion);
    return s->motion->choices + 1;
}

/* Over the whole step: how much of it the servers compute. */
static void say_share(LpMotionSubject *s) {
    const LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    char share[LP_SHOW_TEXT], step[LP_SHOW_TEXT];
    double area = 0.0;
    for (uint32_t i = 0; i < seen->servers; i++)
        area += seen->row[i].busy;
    lp_show_percent(seen->servers ? area / (seen->servers * seen->step_time) : 0.0, share);
    lp_show_seconds(seen->step_time, step);
    lp_said_add(&s->now->said, LP_FORM_LONG,
                "A training step of %s takes %s; its server%s for %s of it.%s", s->name, step,
                seen->servers == 1 ? " computes" : "s compute", share,
                m->choices ? "" : " Two ops are never ready at once: no order to choose.");
    lp_said_add(&s->now->said, LP_FORM_SHORT, "A step of %s: %s. Computing %s of it.", s->name,
                step, share);
}

void lp_motion_show_ops(LpMotionSubject *s) {
    LpMotionModel *m = s->motion;
    const LpStepInspection *seen = &m->step.seen;
    LpBuf names = {0}, first = {0};
    if (!m->step.known) {
        lp_said_add(&s->now->said, LP_FORM_LONG, "%s has no training step to look into.", s->name);
        return;
    }
    const LpOrderTurn *choice = lp_motion_choice(s);
    if (!choice) {
        say_share(s);
        return;
    }
    for (uint32_t i = 0; i < seen->servers; i++)
        lp_motion_mark(m, seen->row[i].server,
                       lp_motion_bar(seen, i, m->at) ? LP_SERVER_COMPUTES : LP_SERVER_IDLE);
    lp_motion_name_bars(m, choice, &names);
    add_op(&seen->bar[choice->bar], &first);
    unsigned server = seen->row[choice->row].server;
    const char *rule = lp_motion_rule(s, false, choice);
    lp_said_add(&s->now->said, LP_FORM_LONG, "Ops %s are %sready on server %u. %s: %s runs now.",
                lp_buf_text(&names), choice->waits == 1 ? "both " : "", server, rule,
                lp_buf_text(&first));
    lp_said_add(&s->now->said, LP_FORM_SHORT, "Ops %s are ready on s%u. %s: %s",
                lp_buf_text(&names), server, rule, lp_buf_text(&first));
    s->failed |= names.failed || first.failed;
    lp_buf_fini(&names);
    lp_buf_fini(&first);
}
