/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decisions by hand, found in the record of a branch and made again. */
#include "ask/whatif/hands.h"

#include <string.h>

#include "base/mem.h"
#include "history/log.h"
#include "history/timeline.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* One answer or action. */
typedef struct Hand {
    const LpLog *log;
    size_t record;
    bool action;
    double time;         /* of an action */
    uint32_t job, offer; /* of an answer: the offer-th decision about the job, from 0 */
    size_t circuits;     /* of an answer: record of those that were set with it, SIZE_MAX: none */
    uint32_t passed;     /* decisions about the job in the run so far */
} Hand;

struct LpHands {
    Hand *hand;
    size_t count, cap, acted; /* of the actions those before `acted` are done */
    LpAnswerRoom *room, *light;
    bool other_policy;
};

/* How often the job was due on the branch before this step. */
static uint32_t offers_before(const LpTimeline *t, uint64_t step, uint32_t job) {
    uint32_t offers = 0;
    for (uint64_t i = 1; i < step; i++)
        offers += lp_timeline_mark(t, t->current, i - 1)->due == job;
    return offers;
}

/* The circuits that somebody set with an answer. */
static size_t circuits_of(const LpLog *log, size_t from, size_t to) {
    for (size_t r = from; r < to; r++)
        if (lp_log_at(log, r)->kind == LP_RECORD_CONFIGURE &&
            strcmp(lp_log_at(log, r)->why, LP_BY_HAND) == 0)
            return r;
    return SIZE_MAX;
}

static LpErr add_step(LpHands *h, const LpTimeline *t, uint64_t step, LpDiag *diag) {
    size_t index;
    const LpBranch *b = lp_timeline_owner(t, t->current, step, &index);
    size_t from = b->mark[index - 1].record, to = b->mark[index].record;
    for (size_t r = from; r < to; r++) {
        const LpRecord *record = lp_log_at(b->log, r);
        bool answer = record->kind == LP_RECORD_PARTITION || record->kind == LP_RECORD_WAIT ||
                      record->kind == LP_RECORD_DECLINE;
        bool action = record->kind == LP_RECORD_REGROUP;
        if (!answer && !action)
            continue;
        if (lp_grow((void **)&h->hand, &h->cap, h->count + 1, sizeof *h->hand) != LP_OK)
            return lp_fail_memory(diag, "decisions by hand");
        h->hand[h->count++] = (Hand){.log = b->log,
                                     .record = r,
                                     .action = action,
                                     .time = record->time,
                                     .job = record->subject,
                                     .offer = action ? 0 : offers_before(t, step, record->subject)};
        if (answer) { /* the others of the step are its own, or what the policy did after it */
            h->hand[h->count - 1].circuits = circuits_of(b->log, r, to);
            break;
        }
    }
    return LP_OK;
}

LpErr lp_hands_list(const LpSession *s, LpHands **out, LpDiag *diag) {
    const LpTimeline *t = s->timeline;
    LpHands *h = lp_alloc(1, sizeof *h);
    LpErr err = LP_OK;
    if (h == NULL || (h->room = lp_answer_room_new()) == NULL ||
        (h->light = lp_answer_room_new()) == NULL) {
        lp_hands_free(h);
        return lp_fail_memory(diag, "decisions by hand");
    }
    for (uint64_t step = 1; err == LP_OK && t != NULL && step <= t->step; step++) {
        size_t index;
        if (lp_timeline_owner(t, t->current, step, &index)->policy !=
            lp_timeline_branch(t, t->current)->policy)
            h->other_policy = true;
        if (lp_timeline_mark(t, t->current, step)->hand)
            err = add_step(h, t, step, diag);
    }
    if (err != LP_OK) {
        lp_hands_free(h);
        return err;
    }
    *out = h;
    return LP_OK;
}

void lp_hands_free(LpHands *h) {
    if (h == NULL)
        return;
    lp_answer_room_free(h->room);
    lp_answer_room_free(h->light);
    lp_free(h->hand);
    lp_free(h);
}

bool lp_hands_any(const LpHands *h) {
    return h->count > 0;
}

bool lp_hands_other_policy(const LpHands *h) {
    return h->other_policy;
}

static LpErr regroup(LpHands *h, const Hand *hand, LpSession *run, LpDiag *diag) {
    LpAction action;
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    LP_TRY(lp_log_read_action(hand->log, hand->record, h->room, &action, diag));
    LP_TRY(lp_session_act(run, &action, &event, &cause, reason, diag));
    return cause == LP_CAUSE_NONE
               ? LP_OK
               : lp_fail(diag, LP_EINVAL, "what was regrouped by hand cannot be here: %s", reason);
}

/* Actions whose time comes before the next event. */
static LpErr act_in_time(LpHands *h, LpSession *run, LpDiag *diag) {
    while (h->acted < h->count) {
        const Hand *hand = &h->hand[h->acted];
        bool early = hand->time < lp_world_next_time(run->world, run->context);
        if (hand->action && !early)
            return LP_OK;
        h->acted++;
        if (hand->action)
            LP_TRY(regroup(h, hand, run, diag));
    }
    return LP_OK;
}

static LpErr answer(LpHands *h, const Hand *hand, LpSession *run, LpEvent *event, LpDiag *diag) {
    LpAnswer given;
    LpDiag inner = {0};
    uint32_t job;
    size_t next;
    LP_TRY(lp_log_read_answer(hand->log, hand->record, h->room, &given, &job, &next, diag));
    LpSchedule circuits;
    bool lit = hand->circuits != SIZE_MAX;
    if (lit) /* into other room than the answer's */
        LP_TRY(lp_log_read_configure(hand->log, hand->circuits, h->light, &circuits, diag));
    LpErr err = lp_session_answer_lit(run, &given, lit ? &circuits : NULL, event, &inner);
    if (err == LP_EINVAL || err == LP_ERANGE || err == LP_EREFUSED)
        return lp_fail(diag, LP_EINVAL,
                       "the decision by hand about job %u cannot be taken here: %s",
                       (unsigned)hand->job, inner.text);
    if (err != LP_OK && diag != NULL)
        *diag = inner;
    return err;
}

LpErr lp_hands_step(LpHands *h, LpSession *run, LpEvent *event, LpDiag *diag) {
    LP_TRY(act_in_time(h, run, diag));
    uint32_t due = lp_world_due(run->world);
    const Hand *now = NULL;
    for (size_t i = 0; due != LP_NO_INDEX && i < h->count; i++) {
        Hand *hand = &h->hand[i];
        if (hand->action || hand->job != due)
            continue;
        if (hand->passed++ == hand->offer)
            now = hand;
    }
    return now != NULL ? answer(h, now, run, event, diag) : lp_session_step(run, event, diag);
}
