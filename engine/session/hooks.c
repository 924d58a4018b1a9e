/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy may say beyond one answer: the order of offers, actions after an event; and its
 * data, which live in the world image and not in the policy. */
#include <stdio.h>
#include <string.h>

#include "base/debug_log.h"
#include "base/str.h"
#include "session/session_impl.h"
#include "sim/queue/rank.h"
#include "sim/recover.h"
#include "sim/world.h"

enum { ACTIONS_PER_INSTANT = 256 };

/* ---- the policy's data ---- */

/* Gives the policy the world's data where it has others (a decision that was asked for and not
 * taken, another branch). */
LpErr lp_session_load_mem(LpSession *s, LpDiag *diag) {
    size_t have, want;
    const void *bytes = lp_world_mem(s->world, &want),
               *own = lp_policy_mem(s->loaded.policy, &have);
    if (have == want && (want == 0 || memcmp(own, bytes, want) == 0))
        return LP_OK;
    return lp_policy_set_mem(s->loaded.policy, bytes, want, diag);
}

LpErr lp_session_store_mem(LpSession *s, const void *bytes, size_t len, LpDiag *diag) {
    size_t have;
    const void *old = lp_world_mem(s->world, &have);
    if (have == len && (len == 0 || memcmp(old, bytes, len) == 0))
        return LP_OK;
    LP_TRY(lp_world_set_mem(s->world, bytes, len, diag));
    return lp_log_memory(s->log, lp_world_now(s->world), lp_world_tally(s->world)->events, bytes,
                         len, diag);
}

LpErr lp_session_store_rng(LpSession *s, const LpRng *rng, LpDiag *diag) {
    const LpWorld *w = s->world;
    if (memcmp(lp_world_rng(w), rng, sizeof *rng) == 0)
        return LP_OK;
    *lp_world_policy_rng(s->world) = *rng;
    return lp_log_random(s->log, lp_world_now(w), lp_world_tally(w)->events, rng, diag);
}

/* Around a call that is not a decision: stream and data go into the world when it returns. */
static LpErr keep_state(LpSession *s, const LpRng *rng, LpDiag *diag) {
    size_t len;
    const void *bytes = lp_policy_mem(s->loaded.policy, &len);
    LP_TRY(lp_session_store_rng(s, rng, diag));
    return lp_session_store_mem(s, bytes, len, diag);
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static void count_failure(LpSession *s, const LpDiag *error) {
    LP_DEBUG(s->context->log, POLICY, 1, "failed %s", error->text);
    lp_session_keep_failure(s, error);
    if (s->calls.record.failures++ == 0)
        s->calls.first_failure = *error;
}

void lp_session_count_call(LpSession *s, const LpDiag *error) {
    LpPolicyUse use = lp_policy_use(s->loaded.policy);
    LpPolicyRecord *r = &s->calls.record;
    r->calls++;
    LP_DEBUG(s->context->log, POLICY, 2, "cost %llu instructions %llu predictions",
             (unsigned long long)use.instructions, (unsigned long long)use.predictions);
    r->instructions += use.instructions;
    r->predictions += use.predictions;
    r->most_instructions = larger(r->most_instructions, use.instructions);
    r->most_predictions = larger(r->most_predictions, use.predictions);
    r->failed += error != NULL;
    if (error != NULL)
        count_failure(s, error);
}

static void note_failure(LpSession *s, const LpDiag *error) {
    s->calls.failed = true;
    s->calls.error = *error;
}

/* An answer of the policy that the engine refuses. */
void lp_session_note_refusal(LpSession *s, const LpDiag *error) {
    note_failure(s, error);
    count_failure(s, error);
}

/* What a call that is not a decision came to; an error is passed on. */
LpErr lp_session_called(LpSession *s, LpErr err, bool failed, const LpDiag *error, LpDiag *diag) {
    lp_session_count_call(s, err != LP_OK || failed ? error : NULL);
    if (failed)
        note_failure(s, error);
    if (err != LP_OK && diag != NULL)
        *diag = *error;
    return err;
}

/* ---- explain ---- */

LpErr lp_session_explained(const LpSession *s, LpArena *arena, const char **json, LpDiag *diag) {
    const LpExplain *e = s->told.keep_explain && s->loaded.policy && !s->calls.unasked
                             ? lp_policy_explain(s->loaded.policy)
                             : NULL;
    LpBuf text = {0};
    LpJsonOut out = {.out = &text};
    *json = NULL;
    if (e == NULL)
        return LP_OK;
    lp_json_open(&out, NULL, '{');
    lp_json_put_texts(&out, "columns", e->column, e->columns);
    lp_json_open(&out, "rows", '[');
    for (uint32_t r = 0; r < e->rows; r++)
        lp_json_put_texts(&out, NULL, &e->cell[(size_t)r * e->columns], e->columns);
    lp_json_close(&out, ']');
    lp_json_put_number(&out, "chosen", e->chosen < 0 ? -1 : e->chosen);
    lp_json_close(&out, '}');
    if (!text.failed)
        *json = lp_arena_strdup(arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    return *json ? LP_OK : lp_fail_memory(diag, "what a policy explained");
}

/* ---- order of offers ---- */

static LpErr ask_order(LpSession *s, const uint32_t *jobs, uint32_t count, LpDiag *diag) {
    LpRng rng = *lp_world_rng(s->world);
    LpDiag error = {0};
    bool failed = false;
    char numbers[LP_DEBUG_NUMBERS];
    LP_DEBUG(s->context->log, POLICY, 1, "ask order_queue jobs%s",
             lp_debug_numbers(jobs, count, numbers));
    LP_TRY(lp_session_load_mem(s, diag));
    const uint32_t *order;
    s->calls.record.orders++;
    LpErr asked = lp_policy_order_queue(s->loaded.policy, s->context, s->world, &rng, jobs, &count,
                                        &order, &failed, &error);
    LP_TRY(lp_session_called(s, asked, failed, &error, diag));
    LP_TRY(keep_state(s, &rng, diag));
    if (failed)
        return LP_OK;
    bool unlisted = lp_policy_queue(s->loaded.policy).unlisted;
    if (order == NULL && unlisted) /* who fits is asked, in the order of the queue */
        return LP_OK;
    if (order == NULL)
        order = jobs;
    LP_DEBUG(s->context->log, POLICY, 1, "order_queue answers%s",
             lp_debug_numbers(order, count, numbers));
    uint64_t at = lp_world_tally(s->world)->events;
    LpErr err = lp_world_order_queue(s->world, order, count, &error);
    if (err == LP_EREFUSED) {
        lp_policy_blame(s->loaded.policy, &error);
        lp_session_note_refusal(s, &error);
    }
    if (err != LP_OK)
        return err == LP_EREFUSED ? LP_OK : err;
    return lp_log_order(s->log, lp_world_now(s->world), at, order, count, NULL, diag);
}

/* By true deadlines; those of the same one stay in the order of the queue. */
static LpErr earliest_first(LpSession *s, uint32_t *jobs, uint32_t count, LpDiag *diag) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t id = jobs[i], at = i;
        const LpJob *job = lp_world_job(s->world, id);
        double until = job->asked.arrival + job->asked.max_jct;
        for (; at > 0; at--) {
            const LpJob *before = lp_world_job(s->world, jobs[at - 1]);
            if (before->asked.arrival + before->asked.max_jct <= until)
                break;
            jobs[at] = jobs[at - 1];
        }
        jobs[at] = id;
    }
    return lp_world_order_queue(s->world, jobs, count, diag);
}

/* ---- keys ---- */

static LpErr ask_key(LpSession *s, uint32_t job, LpDiag *diag) {
    LpRng rng = *lp_world_rng(s->world);
    LpDiag error = {0};
    bool failed = false;
    double key = 0;
    LP_DEBUG(s->context->log, POLICY, 1, "ask queue_key job %u", job);
    LP_TRY(lp_session_load_mem(s, diag));
    s->calls.record.keys++;
    LpErr asked = lp_policy_queue_key(s->loaded.policy, s->context, s->world, job, &rng, &key,
                                      &failed, &error);
    LP_TRY(lp_session_called(s, asked, failed, &error, diag));
    LP_TRY(keep_state(s, &rng, diag));
    LP_DEBUG(s->context->log, POLICY, 1, "queue_key answers %.9g", key);
    uint32_t rule = lp_policy_queue(s->loaded.policy).rule;
    LP_TRY(lp_session_declare(s, diag));
    LP_TRY(lp_log_rank(s->log, lp_world_now(s->world), lp_world_tally(s->world)->events, job, key,
                       rule, diag));
    return lp_world_rank(s->world, job, key, rule, diag);
}

/* Whoever has come into the queue since, also because he was preempted or stopped. */
LpErr lp_session_rank(LpSession *s, uint32_t job, LpDiag *diag) {
    if (s->loaded.policy == NULL || !lp_policy_has_hook(s->loaded.policy, "queue_key"))
        return LP_OK;
    for (uint32_t id; (id = lp_world_unranked(s->world)) != LP_NO_INDEX;)
        LP_TRY(ask_key(s, id, diag));
    return job == LP_NO_INDEX || lp_world_is_ranked(s->world, job) ? LP_OK : ask_key(s, job, diag);
}

/* What was declared by others is forgotten; from now on the loaded policy declares. */
static LpErr take_over(LpSession *s, uint64_t policy, LpDiag *diag) {
    lp_world_forget_ranks(s->world, policy);
    return lp_log_forget_ranks(s->log, lp_world_now(s->world), lp_world_tally(s->world)->events,
                               policy, diag);
}

LpErr lp_session_own_queue(LpSession *s, LpDiag *diag) {
    uint64_t policy = s->loaded.policy != NULL ? lp_policy_hash(s->loaded.policy) : 0;
    if (!lp_world_any_declared(s->world) || lp_world_declared_by(s->world) == policy)
        return LP_OK;
    return take_over(s, policy, diag);
}

LpErr lp_session_declare(LpSession *s, LpDiag *diag) {
    uint64_t policy = lp_policy_hash(s->loaded.policy);
    return lp_world_declared_by(s->world) == policy ? LP_OK : take_over(s, policy, diag);
}

/* The policy's, where it is not in force yet. */
static LpErr set_rule(LpSession *s, LpDiag *diag) {
    uint32_t rule = lp_policy_queue(s->loaded.policy).rule;
    if (lp_world_queue_rule(s->world) == rule)
        return LP_OK;
    LP_TRY(lp_session_declare(s, diag));
    lp_world_set_queue_rule(s->world, rule);
    return lp_log_queue_rule(s->log, lp_world_now(s->world), lp_world_tally(s->world)->events, rule,
                             diag);
}

LpErr lp_session_order(LpSession *s, LpDiag *diag) {
    if (s->loaded.policy == NULL ? !s->by_deadline
                                 : !lp_policy_has_hook(s->loaded.policy, "order_queue"))
        return LP_OK;
    if (s->loaded.policy != NULL)
        LP_TRY(set_rule(s, diag));
    if (s->loaded.policy != NULL && lp_policy_queue(s->loaded.policy).unlisted)
        return ask_order(s, NULL, 0, diag);
    uint32_t count = lp_world_round(s->world, NULL, 0);
    uint32_t *jobs = lp_alloc(count, sizeof *jobs);
    if (jobs == NULL)
        return lp_fail_memory(diag, "the order of offers");
    lp_world_round(s->world, jobs, count);
    LpErr err = s->loaded.policy != NULL ? ask_order(s, jobs, count, diag)
                                         : earliest_first(s, jobs, count, diag);
    lp_free(jobs);
    return err;
}

/* ---- jobs that failures stopped ---- */

bool lp_session_answers_failures(const LpSession *s) {
    return s->loaded.policy != NULL && lp_policy_has_hook(s->loaded.policy, "failure");
}

static const char *const recovery_words[LP_ON_FAILURE_COUNT] = {
#define X(id, word, meaning) [LP_ON_FAILURE_##id] = #word,
    LP_ON_FAILURE_TABLE(X)
#undef X
};

/* *how NULL: the scenario answers. */
static LpErr ask_failure(LpSession *s, uint32_t job, const LpRecovery **how, LpDiag *diag) {
    LpRng rng = *lp_world_rng(s->world);
    LpDiag error = {0};
    bool failed = false;
    LP_DEBUG(s->context->log, POLICY, 1, "ask failure job %u", job);
    LP_TRY(lp_session_load_mem(s, diag));
    LpErr asked =
        lp_policy_failure(s->loaded.policy, s->context, s->world, job, &rng, how, &failed, &error);
    LP_TRY(lp_session_called(s, asked, failed, &error, diag));
    LP_DEBUG(s->context->log, POLICY, 1, "failure answers job %u: %s", job,
             *how != NULL ? recovery_words[(*how)->kind] : "as the scenario says");
    return keep_state(s, &rng, diag);
}

LpErr lp_session_recover(LpSession *s, uint32_t job, LpEvent *event, LpDiag *diag) {
    const LpRecovery *how = NULL;
    LpCause cause;
    LpDiag error = {0};
    char reason[LP_DIAG_TEXT];
    double now = lp_world_now(s->world);
    uint64_t at = lp_world_tally(s->world)->events;
    LP_TRY(ask_failure(s, job, &how, diag));
    LP_TRY(lp_world_recover(s->world, s->context, job, how, event, &cause, reason, diag));
    if (cause != LP_CAUSE_NONE) {
        (void)lp_fail(&error, LP_EREFUSED, "failure: %s", reason);
        lp_policy_blame(s->loaded.policy, &error);
        lp_session_note_refusal(s, &error);
        return lp_world_recover(s->world, s->context, job, NULL, event, &cause, reason, diag);
    }
    if (how == NULL)
        return LP_OK;
    LP_TRY(lp_log_recovery(s->log, now, at, job, how, diag));
    LpAnswer told = {.why = how->why, .where = how->where};
    return how->why != NULL ? lp_session_tell(s, job, &told, "", NULL, diag) : LP_OK;
}

/* ---- review ---- */

/* Actions cause events, which are reviewed: a policy that answers each with another action would
 * hold the clock for ever. */
static bool too_many_actions(LpSession *s) {
    double now = lp_world_now(s->world);
    if (s->acting.at != now)
        s->acting.count = 0;
    s->acting.at = now;
    return s->acting.count >= ACTIONS_PER_INSTANT;
}

static void note_refused_action(LpSession *s, const LpDiag *place, const char *text, LpErr code) {
    LpDiag error;
    lp_fail_at(&error, code, place->line > 0 ? place->file : NULL, place->line, 0, "review: %s",
               text);
    lp_session_note_refusal(s, &error);
}

static LpErr apply_actions(LpSession *s, const LpAction *actions, uint32_t count, LpDiag *diag) {
    LpDiag place = {.line = 0};
    lp_policy_blame(s->loaded.policy, &place); /* now: an action may ask the policy again */
    for (uint32_t i = 0; i < count; i++) {
        LpEvent event;
        LpCause cause;
        char reason[LP_DIAG_TEXT];
        if (too_many_actions(s)) {
            snprintf(reason, sizeof reason,
                     "more than %d actions at one instant (%.6g s); the rest is left out",
                     ACTIONS_PER_INSTANT, s->acting.at);
            note_refused_action(s, &place, reason, LP_EBUDGET);
            return LP_OK;
        }
        s->acting.count++;
        LP_TRY(lp_session_act(s, &actions[i], &event, &cause, reason, diag));
        s->acting.moved = s->acting.moved || lp_event_is(event.kind, LP_EVENT_SHIFTS);
        if (cause != LP_CAUSE_NONE)
            note_refused_action(s, &place, reason, LP_EREFUSED);
    }
    return LP_OK;
}

/* Copies the actions: resuming a job asks the policy again, which reuses its buffers. */
static LpAction *copy_actions(LpArena *room, const LpAction *from, uint32_t count) {
    LpAction *to = lp_arena_alloc(room, count, sizeof *to);
    for (uint32_t i = 0; to != NULL && i < count; i++) {
        to[i] = from[i];
        uint32_t *servers = lp_arena_alloc(room, from[i].servers, sizeof *servers);
        if (servers == NULL)
            return NULL;
        if (from[i].servers > 0)
            memcpy(servers, from[i].server, from[i].servers * sizeof *servers);
        to[i].server = servers;
        LpRegroupLink *links = lp_arena_alloc(room, from[i].links, sizeof *links);
        if (links == NULL)
            return NULL;
        if (from[i].links > 0)
            memcpy(links, from[i].link, from[i].links * sizeof *links);
        to[i].link = links;
        to[i].why = from[i].why != NULL ? lp_arena_strdup(room, from[i].why) : NULL;
    }
    return to;
}

static LpErr ask_review(LpSession *s, const LpEvent *event, LpArena *room, LpDiag *diag) {
    const LpAction *answered;
    uint32_t count = 0;
    LpRng rng = *lp_world_rng(s->world);
    LpDiag error = {0};
    bool failed = false;
    LP_DEBUG(s->context->log, POLICY, 1, "ask review %s", lp_event_name(event->kind));
    LP_TRY(lp_session_load_mem(s, diag));
    s->calls.record.reviews++;
    LpErr asked = lp_policy_review(s->loaded.policy, s->context, s->world, event, &rng, &answered,
                                   &count, &failed, &error);
    LP_TRY(lp_session_called(s, asked, failed, &error, diag));
    LP_TRY(keep_state(s, &rng, diag));
    LP_DEBUG(s->context->log, POLICY, 1, "review answers %u actions", count);
    if (failed || count == 0)
        return LP_OK;
    LpAction *actions = copy_actions(room, answered, count);
    if (actions == NULL)
        return lp_fail_memory(diag, "the actions of a review");
    return apply_actions(s, actions, count, diag);
}

static LpErr review(LpSession *s, const LpEvent *event, LpDiag *diag) {
    bool due = lp_world_due(s->world) != LP_NO_INDEX;
    if (due || too_many_actions(s) || lp_world_over(s->world))
        return LP_OK;
    LP_TRY(lp_session_rank(s, LP_NO_INDEX, diag));
    LpArena *room = lp_arena_new(4096);
    if (room == NULL)
        return lp_fail_memory(diag, "a review");
    s->acting.reviewing = true; /* events that its own actions cause are not reviewed */
    LpErr err = ask_review(s, event, room, diag);
    s->acting.reviewing = false;
    lp_arena_free(room);
    return err;
}

static LpErr owe_review(LpSession *s, const LpEvent *event, LpDiag *diag) {
    LpSessionActing *a = &s->acting;
    void *items = a->owed;
    if (lp_grow(&items, &a->owed_cap, a->owes + 1, sizeof *a->owed) != LP_OK)
        return lp_fail_memory(diag, "the reviews of an instant");
    a->owed = items;
    a->owed[a->owes++] = *event;
    return LP_OK;
}

/* Kinds with which an instant begins. */
static bool begins(const LpEvent *event) {
    return event->kind == LP_EVENT_COMPLETION || event->kind == LP_EVENT_EXPIRY ||
           event->kind == LP_EVENT_WAKE;
}

/* On a time line, where somebody may have gone back to the middle of an instant, what is owed
 * follows from the events before this one. */
static LpErr owe_again(LpSession *s, const LpEvent *event, LpDiag *diag) {
    size_t events = lp_session_events(s), first = events;
    s->acting.owes = 0;
    while (begins(event) && first > 0 && begins(lp_session_event(s, first - 1)) &&
           lp_session_event(s, first - 1)->time == event->time)
        first--;
    for (; first < events; first++)
        LP_TRY(owe_review(s, lp_session_event(s, first), diag));
    return LP_OK;
}

/* A job that ends now is no longer to be stopped, so who may stop jobs is asked once all of them
 * have ended, about each event in turn. */
LpErr lp_session_review(LpSession *s, const LpEvent *event, LpDiag *diag) {
    if (s->loaded.policy == NULL || s->acting.reviewing ||
        !lp_policy_has_hook(s->loaded.policy, "review"))
        return LP_OK;
    if (s->timeline != NULL)
        LP_TRY(owe_again(s, event, diag));
    LP_TRY(owe_review(s, event, diag));
    if (lp_world_settling(s->world))
        return LP_OK;
    LpErr err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < s->acting.owes; i++)
        err = review(s, &s->acting.owed[i], diag);
    s->acting.owes = 0;
    return err;
}
