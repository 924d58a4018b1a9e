/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's commands: step, decide, run; and the simple views. */
#include "session/session.h"

#include <string.h>

#include "base/hash.h"
#include "session/failure.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "sim/forecast.h"
#include "sim/queue/rank.h"
#include "sim/recover.h"
#include "sim/state/debug.h"
#include "sim/waits/wait_book.h"
#include "sim/world.h"

enum { PROGRESS_EVERY = 16 };

/* ---- the default policy ---- */

LpErr lp_session_default_answer(LpSession *s, uint32_t job, LpAnswer *answer, LpDiag *diag) {
    const LpJob *j = lp_world_job(s->world, job);
    uint32_t most = s->scenario->partition.max_degree, count;
    *answer = (LpAnswer){.kind = LP_ANSWER_RUN};
    if (j->graph < 0)
        return LP_OK;
    LP_TRY(lp_world_degrees(s->world, s->context, job, 0, s->degrees, most, &count, diag));
    if (count > 0) {
        answer->degree = s->degrees[count - 1];
        answer->why = "largest degree allowed now";
        return LP_OK;
    }
    answer->kind = LP_ANSWER_DECLINE;
    LP_TRY(lp_world_lack(s->world, s->context, job, s->calls.lack, diag));
    answer->why = s->calls.lack;
    return LP_OK;
}

/* ---- records ---- */

/* Most decisions say one of a few things: a text that was kept lately is not kept again. */
static const char *keep_text(LpSession *s, const char *text) {
    if (text == NULL || text[0] == '\0')
        return "";
    if (s->timeline != NULL) /* texts come and go with their branch */
        return lp_arena_strdup(s->told.texts, text);
    uint64_t h = lp_hash_text(LP_HASH_INIT, text);
    const char **lately = &s->told.lately[(h ^ h >> 32) % LP_COUNTOF(s->told.lately)];
    if (*lately == NULL || strcmp(*lately, text) != 0)
        *lately = lp_arena_strdup(s->told.texts, text);
    return *lately;
}

static LpErr put_story(LpSession *s, uint32_t job, const LpStory *story, LpDiag *diag) {
    void *items = s->told.story;
    if (lp_grow(&items, &s->told.cap, (size_t)job + 1, sizeof *s->told.story) != LP_OK)
        return lp_fail_memory(diag, "a job's story");
    s->told.story = items;
    for (; s->told.stories <= job; s->told.stories++)
        s->told.story[s->told.stories] = (LpStory){"", "", "", NULL};
    s->told.story[job] = *story;
    return LP_OK;
}

LpErr lp_session_tell(LpSession *s, uint32_t job, const LpAnswer *answer, const char *reason,
                      const char *explain, LpDiag *diag) {
    if (s->told.nothing)
        return LP_OK;
    LpStory story = {keep_text(s, answer->why), keep_text(s, answer->where), keep_text(s, reason),
                     explain};
    if (story.why == NULL || story.where == NULL || story.reason == NULL)
        return lp_fail_memory(diag, "a job's story");
    return s->timeline != NULL ? lp_timeline_story(s->timeline, job, &story, diag)
                               : put_story(s, job, &story, diag);
}

LpErr lp_session_keep_event(LpSession *s, const LpEvent *event, LpDiag *diag) {
    if (s->listener != NULL)
        LP_TRY(s->listener(s->listening, s->context, s->world, event, diag));
    if (s->timeline != NULL) {
        LP_TRY(lp_timeline_sample(s->timeline, s->world, diag));
        return lp_timeline_event(s->timeline, event, diag);
    }
    if (!s->seen.keep)
        return LP_OK;
    void *items = s->seen.event;
    if (lp_grow(&items, &s->seen.cap, s->seen.count + 1, sizeof *s->seen.event) != LP_OK)
        return lp_fail_memory(diag, "the list of events");
    s->seen.event = items;
    s->seen.event[s->seen.count++] = *event;
    return LP_OK;
}

uint32_t lp_session_forward_ops(const LpSession *s, uint32_t job) {
    int32_t graph = lp_world_job(s->world, job)->graph;
    return graph < 0 ? 0 : s->scenario->graph[graph]->ops;
}

/* ---- deciding ---- */

static LpErr apply(LpSession *s, uint32_t job, const LpAnswer *answer, const char *explain,
                   LpEvent *event, LpDiag *diag) {
    char reason[LP_DIAG_TEXT] = "";
    double now = lp_world_now(s->world);
    if (answer->kind == LP_ANSWER_WAIT && answer->fits > 0 && s->loaded.policy != NULL)
        LP_TRY(lp_session_declare(s, diag));
    if (s->mute)
        return lp_world_decide(s->world, s->context, job, answer, event, NULL, diag);
    LP_TRY(lp_world_decide(s->world, s->context, job, answer, event, reason, diag));
    if (lp_world_job(s->world, job)->cause == LP_CAUSE_REFUSED &&
        s->calls.first_refusal[0] == '\0') {
        lp_str_copy(s->calls.first_refusal, sizeof s->calls.first_refusal, reason);
        s->calls.refused_job = job;
    }
    LP_TRY(lp_log_answer(s->log, now, event->serial, job, lp_session_forward_ops(s, job), answer,
                         diag));
    LP_TRY(lp_session_tell(s, job, answer, reason, explain, diag));
    return lp_session_keep_event(s, event, diag);
}

/* The policy's order lets nobody before `first`: it has said so, and need not be asked. */
static void wait_behind(LpSession *s, uint32_t first, LpAnswer *answer) {
    const char *text = lp_policy_queue(s->loaded.policy).behind, *mark = strstr(text, "%d");
    size_t head = mark != NULL ? (size_t)(mark - text) : strlen(text);
    LpBuf why = {0};
    lp_buf_addf(&why, "%.*s", (int)head, text);
    if (mark != NULL)
        lp_buf_addf(&why, "%u%s", first, mark + 2);
    lp_str_copy(s->calls.behind, sizeof s->calls.behind, lp_buf_text(&why));
    lp_buf_fini(&why);
    *answer = (LpAnswer){.kind = LP_ANSWER_WAIT, .why = s->calls.behind};
}

static LpErr ask_policy(LpSession *s, uint32_t job, LpRng *rng, LpAnswer *answer, bool *failed,
                        LpDiag *error, LpDiag *diag) {
    *failed = false;
    lp_debug_at(s->context->log, lp_world_now(s->world));
    if (s->loaded.policy == NULL) {
        LP_TRY(lp_session_default_answer(s, job, answer, diag));
        lp_debug_answer(s->context, "default", lp_world_job(s->world, job), answer);
        return LP_OK;
    }
    LP_TRY(lp_session_load_mem(s, diag));
    uint32_t first = lp_world_bound_by(s->world, job);
    s->calls.unasked = first != LP_NO_INDEX;
    if (s->calls.unasked) {
        wait_behind(s, first, answer);
        return LP_OK;
    }
    LP_DEBUG(s->context->log, POLICY, 1, "ask decide job %u", job);
    s->calls.record.decisions++;
    LpErr err =
        lp_policy_decide(s->loaded.policy, s->context, s->world, job, rng, answer, failed, error);
    lp_session_count_call(s, err != LP_OK || *failed ? error : NULL);
    if (err != LP_OK && diag != NULL)
        *diag = *error;
    if (err == LP_OK)
        lp_debug_answer(s->context, "decide", lp_world_job(s->world, job), answer);
    return err;
}

static LpErr store_own_mem(LpSession *s, LpDiag *diag) {
    size_t len;
    if (s->loaded.policy == NULL)
        return LP_OK;
    const void *bytes = lp_policy_mem(s->loaded.policy, &len);
    return lp_session_store_mem(s, bytes, len, diag);
}

static LpErr decide(LpSession *s, LpEvent *event, LpDiag *diag) {
    uint32_t job = lp_world_due(s->world);
    LpPending *p = &s->pending;
    LpErr err;
    s->calls.failed = false;
    if (p->known && p->job == job) {
        LP_TRY(lp_session_store_rng(s, &p->rng, diag));
        LP_TRY(lp_session_store_mem(s, p->mem, p->mem_len, diag));
        s->calls.failed = p->failed;
        s->calls.error = p->error;
        const char *explain = p->explain != NULL ? keep_text(s, p->explain) : NULL;
        err = apply(s, job, &p->answer, explain, event, diag);
    } else {
        LpAnswer answer;
        LpRng rng = *lp_world_rng(s->world);
        LP_TRY(ask_policy(s, job, &rng, &answer, &s->calls.failed, &s->calls.error, diag));
        LP_TRY(lp_session_store_rng(s, &rng, diag));
        const char *explain;
        LP_TRY(store_own_mem(s, diag));
        LP_TRY(lp_session_explained(s, s->told.texts, &explain, diag));
        err = apply(s, job, &answer, explain, event, diag);
    }
    lp_session_forget(s);
    return err;
}

/* What follows an event, whoever caused it: the policy's review, then the circuits. */
static LpErr followed(LpSession *s, const LpEvent *event, LpDiag *diag) {
    LP_TRY(lp_session_review(s, event, diag));
    return lp_session_configure(s, event, diag);
}

static LpErr answer_due(LpSession *s, const LpAnswer *answer, LpEvent *event, LpDiag *diag) {
    uint32_t job = lp_world_due(s->world);
    if (job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    LP_TRY(lp_session_own_queue(s, diag));
    LpErr err = apply(s, job, answer, NULL, event, diag);
    lp_session_forget(s);
    return err == LP_OK ? followed(s, event, diag) : err;
}

LpErr lp_session_answer(LpSession *s, const LpAnswer *answer, LpEvent *event, LpDiag *diag) {
    LP_TRY(lp_session_need_tip(s, diag));
    lp_session_by_hand(s);
    s->acting.moved = false;
    return lp_session_commit(s, answer_due(s, answer, event, diag), diag);
}

LpErr lp_session_answer_lit(LpSession *s, const LpAnswer *answer, const LpSchedule *circuits,
                            LpEvent *event, LpDiag *diag) {
    s->acting.circuits = circuits;
    LpErr err = lp_session_answer(s, answer, event, diag);
    s->acting.circuits = NULL;
    return err;
}

static LpErr act(LpSession *s, const LpAction *action, LpEvent *event, LpCause *cause,
                 char reason[LP_DIAG_TEXT], LpDiag *diag) {
    double now = lp_world_now(s->world);
    uint64_t at = lp_world_tally(s->world)->events;
    LP_TRY(lp_world_act(s->world, s->context, action, event, cause, reason, diag));
    if (*cause != LP_CAUSE_NONE)
        return LP_OK;
    LP_TRY(lp_log_action(s->log, now, at, action, diag));
    if (event->kind != LP_EVENT_NONE)
        LP_TRY(lp_session_keep_event(s, event, diag));
    if (lp_world_due(s->world) == LP_NO_INDEX)
        return LP_OK;
    LP_TRY(lp_session_rank(s, lp_world_due(s->world), diag));
    return decide(s, event, diag);
}

LpErr lp_session_act(LpSession *s, const LpAction *action, LpEvent *event, LpCause *cause,
                     char reason[LP_DIAG_TEXT], LpDiag *diag) {
    LP_TRY(lp_session_need_tip(s, diag));
    if (!s->acting.reviewing)
        lp_session_by_hand(s);
    LpErr err = act(s, action, event, cause, reason, diag);
    return s->acting.reviewing ? err : lp_session_commit(s, err, diag);
}

/* ---- asking ahead ---- */

static const uint32_t *copy_u32(LpArena *room, const uint32_t *from, size_t count, bool *ok) {
    if (from == NULL)
        return NULL;
    uint32_t *to = lp_arena_alloc(room, count, sizeof *to);
    if (to == NULL)
        *ok = false;
    else if (count > 0)
        memcpy(to, from, count * sizeof *to);
    return to;
}

static const double *copy_f64(LpArena *room, const double *from, size_t count, bool *ok) {
    if (from == NULL)
        return NULL;
    double *to = lp_arena_alloc(room, count, sizeof *to);
    if (to == NULL)
        *ok = false;
    else if (count > 0)
        memcpy(to, from, count * sizeof *to);
    return to;
}

LpErr lp_session_copy_answer(LpArena *room, uint32_t ops, LpAnswer *a) {
    bool ok = true;
    a->ways = copy_u32(room, a->ways, ops, &ok);
    a->server = copy_u32(room, a->server, a->servers, &ok);
    a->op_priority = copy_f64(room, a->op_priority, a->op_priorities, &ok);
    a->flow_priority = copy_f64(room, a->flow_priority, a->flow_priorities, &ok);
    size_t parts = a->part_begin != NULL ? a->part_begin[ops] : 0;
    a->part_server = copy_u32(room, a->part_server, parts, &ok);
    a->part_begin = copy_u32(room, a->part_begin, (size_t)ops + 1, &ok);
    if (a->why != NULL)
        ok = ok && (a->why = lp_arena_strdup(room, a->why)) != NULL;
    if (a->where != NULL)
        ok = ok && (a->where = lp_arena_strdup(room, a->where)) != NULL;
    return ok ? LP_OK : LP_ENOMEM;
}

static LpErr keep_mem(const LpSession *s, LpPending *p) {
    p->mem_len = 0;
    p->mem = NULL;
    if (s->loaded.policy == NULL)
        return LP_OK;
    const void *bytes = lp_policy_mem(s->loaded.policy, &p->mem_len);
    void *copy = lp_arena_alloc(p->room, p->mem_len, 1);
    if (copy == NULL)
        return LP_ENOMEM;
    if (p->mem_len > 0)
        memcpy(copy, bytes, p->mem_len);
    p->mem = copy;
    return LP_OK;
}

LpErr lp_session_ask(LpSession *s, LpDiag *diag) {
    uint32_t job = lp_world_due(s->world);
    LpPending *p = &s->pending;
    if (job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    if (p->known && p->job == job)
        return LP_OK;
    if (p->room == NULL && (p->room = lp_arena_new(0)) == NULL)
        return lp_fail_memory(diag, "an answer");
    lp_arena_reset(p->room);
    if (lp_session_recorded(s, &p->answer, &p->explain)) {
        p->failed = false;
        if (lp_session_copy_answer(p->room, lp_session_forward_ops(s, job), &p->answer) != LP_OK)
            return lp_fail_memory(diag, "an answer");
        p->job = job;
        p->known = true;
        return LP_OK;
    }
    p->rng = *lp_world_rng(s->world);
    LP_TRY(ask_policy(s, job, &p->rng, &p->answer, &p->failed, &p->error, diag));
    if (lp_session_copy_answer(p->room, lp_session_forward_ops(s, job), &p->answer) != LP_OK)
        return lp_fail_memory(diag, "an answer");
    LP_TRY(lp_session_explained(s, p->room, &p->explain, diag));
    if (keep_mem(s, p) != LP_OK)
        return lp_fail_memory(diag, "an answer");
    p->job = job;
    p->known = true;
    return LP_OK;
}

void lp_session_forget(LpSession *s) {
    s->pending.known = false;
    s->candidates = 0;
    s->candidates_at = 0;
}

/* ---- commands ---- */

/* To the next event; rounds of offers are ordered and stopped jobs answered for on the way, which
 * is no event of its own. */
static LpErr advance(LpSession *s, LpEvent *event, LpDiag *diag) {
    bool over = lp_world_over(s->world);
    for (;;) {
        lp_world_ask(s->world, lp_session_answers_failures(s));
        if (s->waited != NULL)
            LP_TRY(lp_wait_book_look(s->waited, s->world, s->context, diag));
        LP_TRY(lp_world_advance(s->world, s->context, event, diag));
        LP_TRY(lp_session_rank(s, lp_world_due(s->world), diag));
        if (event->kind == LP_EVENT_ROUND)
            LP_TRY(lp_session_order(s, diag));
        if (event->kind == LP_EVENT_STOPPED)
            LP_TRY(lp_session_recover(s, event->job, event, diag));
        if (event->kind != LP_EVENT_ROUND && event->kind != LP_EVENT_NONE)
            break;
    }
    return over ? LP_OK : lp_session_keep_event(s, event, diag);
}

static LpErr step(LpSession *s, LpEvent *event, LpDiag *diag) {
    bool due = lp_world_due(s->world) != LP_NO_INDEX, changed;
    s->acting.moved = false;
    LP_TRY(lp_session_own_queue(s, diag));
    LP_TRY(lp_probe_follow(s, &changed, event, diag));
    if (changed)
        return LP_OK;
    LP_TRY(due ? decide(s, event, diag) : advance(s, event, diag));
    return followed(s, event, diag);
}

LpErr lp_session_step(LpSession *s, LpEvent *event, LpDiag *diag) {
    if (lp_session_rewound(s))
        return lp_session_forward(s, event, diag);
    LpErr err = step(s, event, diag);
    return s->timeline != NULL ? lp_session_commit(s, err, diag) : err;
}

LpErr lp_session_to_decision(LpSession *s, LpEvent *event, LpDiag *diag) {
    do {
        LP_TRY(lp_session_step(s, event, diag));
    } while (lp_world_due(s->world) == LP_NO_INDEX && !lp_world_over(s->world));
    return LP_OK;
}

/* When the next step happens; what is recorded may be a change that no event announces. */
static double next_time(const LpSession *s) {
    if (!lp_session_rewound(s))
        return lp_world_next_time(s->world, s->context);
    return lp_timeline_mark(s->timeline, s->timeline->current, s->timeline->step + 1)->time;
}

LpErr lp_session_to_time(LpSession *s, double until, LpDiag *diag) {
    LpEvent event;
    while (!lp_world_over(s->world) && next_time(s) <= until)
        LP_TRY(lp_session_step(s, &event, diag));
    return LP_OK;
}

LpErr lp_session_finish(LpSession *s, LpDiag *diag) {
    LP_TRY(lp_session_need_tip(s, diag));
    LpRecord record = {.time = lp_world_now(s->world),
                       .event = lp_world_tally(s->world)->events,
                       .kind = LP_RECORD_FINISH,
                       .subject = LP_NO_INDEX};
    LP_TRY(lp_log_append(s->log, &record, diag));
    lp_world_finish(s->world, s->context);
    lp_session_forget(s);
    lp_session_by_hand(s);
    return lp_session_commit(s, LP_OK, diag);
}

LpErr lp_session_run(LpSession *s, LpProgress progress, void *user, bool *stopped, LpDiag *diag) {
    LpEvent event;
    *stopped = false;
    for (uint64_t i = 1; !lp_world_over(s->world); i++) {
        LP_TRY(lp_session_step(s, &event, diag));
        if (progress != NULL && i % PROGRESS_EVERY == 0 && !progress(user, s)) {
            *stopped = true;
            return lp_session_rewound(s) ? LP_OK : lp_session_finish(s, diag);
        }
    }
    return LP_OK;
}

/* ---- views ---- */

const LpScenario *lp_session_scenario(const LpSession *s) {
    return s->scenario;
}

const LpContext *lp_session_context(const LpSession *s) {
    return s->context;
}

const LpWorld *lp_session_world(const LpSession *s) {
    return s->world;
}

const char *lp_session_policy_name(const LpSession *s) {
    return s->loaded.policy != NULL ? lp_policy_name(s->loaded.policy) : "default";
}

void lp_session_json_head(const LpSession *s, LpJsonOut *out) {
    lp_json_put_count(out, "lightpath", 1);
    lp_json_put_text(out, "scenario", s->scenario->name);
    lp_json_put_text(out, "policy", lp_session_policy_name(s));
    lp_json_put_count(out, "seed", lp_world_seed(s->world));
    char epoch[LP_DATE_TEXT];
    if (s->scenario->epoch.given)
        lp_json_put_text(out, "epoch", lp_scenario_epoch(s->scenario, epoch));
}

const char *lp_session_policy_path(const LpSession *s) {
    return s->loaded.policy != NULL ? lp_policy_path(s->loaded.policy) : "";
}

uint64_t lp_session_hash(const LpSession *s) {
    return lp_world_hash(s->world);
}

static const LpStory *story_of(const LpSession *s, uint32_t job) {
    const LpTimeline *t = s->timeline;
    if (t == NULL)
        return job < s->told.stories ? &s->told.story[job] : NULL;
    const LpStoryEntry *told = lp_timeline_told(t, t->current, t->step, job);
    return told != NULL ? &told->story : NULL;
}

LpWhy lp_session_why(const LpSession *s, uint32_t job) {
    const LpStory *story = story_of(s, job);
    return story != NULL ? (LpWhy){story->why, story->where, story->reason} : (LpWhy){"", "", ""};
}

LpWording lp_session_wording(const LpSession *s) {
    return s->told.wording;
}

const char *lp_session_explain(const LpSession *s, uint32_t job) {
    const LpStory *story = story_of(s, job);
    return story != NULL ? story->explain : NULL;
}

const LpWaitBook *lp_session_wait_book(const LpSession *s) {
    return s->waited;
}

size_t lp_session_events(const LpSession *s) {
    const LpTimeline *t = s->timeline;
    return t != NULL ? lp_timeline_mark(t, t->current, t->step)->kept : s->seen.count;
}

const LpEvent *lp_session_event(const LpSession *s, size_t index) {
    const LpTimeline *t = s->timeline;
    return t != NULL ? lp_timeline_event_at(t, t->current, index) : &s->seen.event[index];
}

const LpDiag *lp_session_policy_error(const LpSession *s) {
    const LpFailure *here = lp_session_failure_here(s);
    return s->calls.failed ? &s->calls.error : here != NULL ? &here->error : NULL;
}

const LpPolicyRecord *lp_session_policy_record(const LpSession *s) {
    return &s->calls.record;
}

const LpDiag *lp_session_first_failure(const LpSession *s) {
    return s->calls.record.failures > 0 ? &s->calls.first_failure : NULL;
}

const LpAnswer *lp_session_pending(LpSession *s, LpDiag *diag) {
    if (lp_world_due(s->world) == LP_NO_INDEX)
        return NULL;
    return lp_session_ask(s, diag) == LP_OK ? &s->pending.answer : NULL;
}
