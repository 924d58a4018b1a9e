/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay: a record belongs to the state with its number of events, which a world reaches by
 * advancing; so a log needs no marks between the steps that made it. */
#include "history/replay.h"

#include "base/mem.h"
#include "sim/condition.h"
#include "sim/light/circuits.h"
#include "sim/queue/rank.h"
#include "sim/recover.h"
#include "sim/world.h"

typedef struct Replay {
    LpWorld *world;
    const LpContext *context;
    const LpLog *log;
    size_t *at, end;
    LpAnswerRoom *room;
    const LpReplayWatch *watch;
    LpDiag *diag;
} Replay;

static uint64_t events_of(const LpWorld *world) {
    return lp_world_tally(world)->events;
}

static LpErr tell(const LpReplayWatch *watch, const LpEvent *event, LpDiag *diag) {
    bool shown = event->kind != LP_EVENT_ROUND && event->kind != LP_EVENT_NONE;
    return shown && watch != NULL && watch->event != NULL ? watch->event(watch->user, event, diag)
                                                          : LP_OK;
}

static LpErr differs(const LpWorld *world, const char *what, LpDiag *diag) {
    const LpTally *tally = lp_world_tally(world);
    return lp_fail(diag, LP_EREFUSED, "decision %llu differs from its record at %.6g s: %s",
                   (unsigned long long)tally->decisions, lp_world_now(world), what);
}

static LpErr advance(LpWorld *world, const LpContext *context, const LpReplayWatch *watch,
                     LpDiag *diag) {
    LpEvent event;
    if (lp_world_due(world) != LP_NO_INDEX)
        return differs(world, "a decision is due that was not recorded", diag);
    if (lp_world_over(world))
        return differs(world, "the run is over already", diag);
    lp_world_ask(world, false); /* what somebody answered is recorded */
    LP_TRY(lp_world_advance(world, context, &event, diag));
    return tell(watch, &event, diag);
}

LpErr lp_replay_reach(LpWorld *world, const LpContext *context, const LpReplayGoal *goal,
                      const LpReplayWatch *watch, LpDiag *diag) {
    while (events_of(world) < goal->events || (goal->over && !lp_world_over(world)))
        LP_TRY(advance(world, context, watch, diag));
    if (events_of(world) > goal->events || lp_world_over(world) != goal->over)
        return differs(world, "more happened than was recorded", diag);
    return LP_OK;
}

/* ---- one record ---- */

static LpErr damaged(const LpRecord *r, LpDiag *diag) {
    return lp_fail(diag, LP_EINVAL, "the log's record \"%s\" at %.6g s is damaged",
                   lp_record_name(r->kind), r->time);
}

static LpErr play_answer(Replay *p, const LpRecord *r) {
    LpAnswer answer;
    uint32_t job;
    size_t next;
    LpEvent event;
    char reason[LP_DIAG_TEXT] = "";
    if (lp_world_due(p->world) != r->subject)
        return differs(p->world, "it is not due", p->diag);
    LP_TRY(lp_log_read_answer(p->log, *p->at, p->room, &answer, &job, &next, p->diag));
    LP_TRY(lp_world_decide(p->world, p->context, job, &answer, &event, reason, p->diag));
    *p->at = next;
    if (p->watch != NULL && p->watch->decided != NULL)
        LP_TRY(p->watch->decided(p->watch->user, job, &answer, reason, p->diag));
    return tell(p->watch, &event, p->diag);
}

static LpErr play_action(Replay *p, const LpRecord *r) {
    LpAction action;
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    (void)r;
    LP_TRY(lp_log_read_action(p->log, *p->at, p->room, &action, p->diag));
    LP_TRY(lp_world_act(p->world, p->context, &action, &event, &cause, reason, p->diag));
    if (cause != LP_CAUSE_NONE)
        return differs(p->world, reason, p->diag);
    ++*p->at;
    return tell(p->watch, &event, p->diag);
}

static LpErr play_configure(Replay *p, const LpRecord *r) {
    LpSchedule schedule;
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT];
    (void)r;
    LP_TRY(lp_log_read_configure(p->log, *p->at, p->room, &schedule, p->diag));
    LP_TRY(lp_world_configure(p->world, p->context, &schedule, &event, &cause, reason, p->diag));
    if (cause != LP_CAUSE_NONE)
        return differs(p->world, reason, p->diag);
    ++*p->at;
    return tell(p->watch, &event, p->diag);
}

static LpErr play_order(Replay *p, const LpRecord *r) {
    uint32_t *jobs = lp_alloc(r->count, sizeof *jobs);
    LpDiag why = {0};
    if (jobs == NULL)
        return lp_fail_memory(p->diag, "an order of offers");
    for (uint32_t i = 0; i < r->count; i++)
        jobs[i] = (uint32_t)r->payload[i];
    LpErr err = lp_world_order_queue(p->world, jobs, r->count, &why);
    lp_free(jobs);
    if (err != LP_OK)
        return err == LP_ENOMEM ? lp_fail_memory(p->diag, "an order of offers")
                                : differs(p->world, why.text, p->diag);
    ++*p->at;
    return LP_OK;
}

static LpErr play_memory(Replay *p, const LpRecord *r) {
    double len = r->count > 0 ? r->payload[0] : -1;
    if (!(len >= 0 && len <= LP_POLICY_MEM) || r->count != 1 + ((size_t)len + 3) / 4)
        return damaged(r, p->diag);
    unsigned char *bytes = lp_alloc((size_t)len, 1);
    if (bytes == NULL)
        return lp_fail_memory(p->diag, "a policy's data");
    for (size_t i = 0; i < (size_t)len; i++)
        bytes[i] = (unsigned char)((uint32_t)r->payload[1 + i / 4] >> (8 * (i % 4)));
    LpErr err = lp_world_set_mem(p->world, bytes, (size_t)len, p->diag);
    lp_free(bytes);
    if (err == LP_OK)
        ++*p->at;
    return err;
}

static LpErr play_random(Replay *p, const LpRecord *r) {
    if (r->count != 8)
        return damaged(r, p->diag);
    LpRng *rng = lp_world_policy_rng(p->world);
    for (uint32_t i = 0; i < 4; i++)
        rng->s[i] = (uint64_t)r->payload[2 * i] | (uint64_t)r->payload[2 * i + 1] << 32;
    ++*p->at;
    return LP_OK;
}

static LpErr play_rank(Replay *p, const LpRecord *r) {
    LpDiag why = {0};
    bool one = r->subject != LP_NO_INDEX, forget = !one && r->count == 2;
    double rule = r->count > 0 && !forget ? r->payload[r->count - 1] : 0;
    if (r->count < 1 + (uint32_t)one || r->count > 2 || !(rule >= 0 && rule <= LP_QUEUE_RULES))
        return damaged(r, p->diag);
    for (uint32_t i = 0; forget && i < 2; i++)
        if (!(r->payload[i] >= 0 && r->payload[i] <= UINT32_MAX))
            return damaged(r, p->diag);
    if (forget)
        lp_world_forget_ranks(p->world, (uint64_t)r->payload[0] | (uint64_t)r->payload[1] << 32);
    else if (!one)
        lp_world_set_queue_rule(p->world, (uint32_t)rule);
    else if (lp_world_rank(p->world, r->subject, r->payload[0], (uint32_t)r->payload[1], &why) !=
             LP_OK)
        return differs(p->world, why.text, p->diag);
    ++*p->at;
    return LP_OK;
}

static LpErr play_finish(Replay *p, const LpRecord *r) {
    (void)r;
    lp_world_finish(p->world, p->context);
    ++*p->at;
    return LP_OK;
}

static LpErr play_condition(Replay *p, const LpRecord *r) {
    LpEvent event;
    LpDiag why = {0};
    LpCondition condition;
    if (lp_log_read_condition(p->log, *p->at, &condition, NULL) != LP_OK)
        return damaged(r, p->diag);
    LpErr err = lp_world_change(p->world, p->context, &condition, &event, &why);
    if (err != LP_OK)
        return err == LP_ENOMEM ? lp_fail_memory(p->diag, "a condition")
                                : differs(p->world, why.text, p->diag);
    ++*p->at;
    return tell(p->watch, &event, p->diag);
}

static LpErr play_recovery(Replay *p, const LpRecord *r) {
    LpRecovery how;
    LpEvent event;
    LpCause cause;
    char reason[LP_DIAG_TEXT] = "";
    if (lp_world_stopped(p->world) != r->subject)
        return differs(p->world, "no failure stopped it just now", p->diag);
    LP_TRY(lp_log_read_recovery(p->log, *p->at, p->room, &how, p->diag));
    LP_TRY(
        lp_world_recover(p->world, p->context, r->subject, &how, &event, &cause, reason, p->diag));
    if (cause != LP_CAUSE_NONE)
        return differs(p->world, reason, p->diag);
    ++*p->at;
    return tell(p->watch, &event, p->diag);
}

typedef LpErr (*PlayRecord)(Replay *p, const LpRecord *r);

static const PlayRecord player[LP_RECORD_COUNT] = {
    [LP_RECORD_PARTITION] = play_answer,    [LP_RECORD_WAIT] = play_answer,
    [LP_RECORD_DECLINE] = play_answer,      [LP_RECORD_ORDER_QUEUE] = play_order,
    [LP_RECORD_PREEMPT] = play_action,      [LP_RECORD_RESUME] = play_action,
    [LP_RECORD_MIGRATE] = play_action,      [LP_RECORD_RESIZE] = play_action,
    [LP_RECORD_WAKE] = play_action,         [LP_RECORD_MEMORY] = play_memory,
    [LP_RECORD_RANDOM] = play_random,       [LP_RECORD_FINISH] = play_finish,
    [LP_RECORD_CONDITION] = play_condition, [LP_RECORD_FAILURE] = play_condition,
    [LP_RECORD_REPAIR] = play_condition,    [LP_RECORD_REGROUP] = play_action,
    [LP_RECORD_CONFIGURE] = play_configure, [LP_RECORD_ON_FAILURE] = play_recovery,
    [LP_RECORD_RANK] = play_rank,
};

static LpErr play_one(Replay *p) {
    const LpRecord *r = lp_log_at(p->log, *p->at);
    while (events_of(p->world) < r->event)
        LP_TRY(advance(p->world, p->context, p->watch, p->diag));
    if (events_of(p->world) != r->event || lp_world_now(p->world) != r->time)
        return differs(p->world, "it was recorded at another time or event", p->diag);
    PlayRecord play = player[r->kind];
    return play != NULL ? play(p, r) : damaged(r, p->diag);
}

LpErr lp_replay_records(LpWorld *world, const LpContext *context, const LpLog *log, size_t *at,
                        size_t end, LpAnswerRoom *room, const LpReplayWatch *watch, LpDiag *diag) {
    Replay p = {world, context, log, at, end, room, watch, diag};
    while (*at < end)
        LP_TRY(play_one(&p));
    return LP_OK;
}
