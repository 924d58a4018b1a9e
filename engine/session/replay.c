/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carrying out recorded steps on a session without its policy; twins are made this way. */
#include "session/replay.h"

#include <string.h>

#include "session/session_impl.h"

/* ---- what is recorded ---- */

const LpLog *lp_session_log(const LpSession *s, uint32_t branch) {
    return s->timeline == NULL ? s->log : lp_timeline_branch(s->timeline, branch)->log;
}

/* ---- one step ---- */

static LpErr keep(void *user, const LpEvent *event, LpDiag *diag) {
    return lp_session_keep_event(user, event, diag);
}

static LpErr decided(void *user, uint32_t job, const LpAnswer *answer, const char *reason,
                     LpDiag *diag) {
    return lp_session_tell(user, job, answer, reason, NULL, diag);
}

static LpErr copy_records(LpSession *s, const LpLog *log, size_t first, size_t end, LpDiag *diag) {
    for (size_t i = first; i < end; i++)
        LP_TRY(lp_log_append(s->log, lp_log_at(log, i), diag));
    return LP_OK;
}

static LpErr replay_step(LpSession *s, const LpLog *log, const LpStepRecords *step,
                         LpAnswerRoom *room, LpDiag *diag) {
    LpReplayWatch watch = {keep, decided, s};
    LpReplayGoal goal = {step->events, step->over};
    size_t at = step->first;
    if (step->end > lp_log_count(log))
        return lp_fail(diag, LP_ERANGE, "the log has %zu records, not %zu", lp_log_count(log),
                       step->end);
    lp_session_forget(s);
    LP_TRY(lp_replay_records(s->world, s->context, log, &at, step->end, room, &watch, diag));
    LP_TRY(lp_replay_reach(s->world, s->context, &goal, &watch, diag));
    LP_TRY(copy_records(s, log, step->first, step->end, diag));
    return lp_session_commit(s, LP_OK, diag);
}

LpErr lp_session_replay_step(LpSession *s, const LpLog *log, const LpStepRecords *step,
                             LpDiag *diag) {
    LP_TRY(lp_session_need_tip(s, diag));
    LpAnswerRoom *room = lp_answer_room_new();
    if (room == NULL)
        return lp_fail_memory(diag, "a replay");
    LpErr err = replay_step(s, log, step, room, diag);
    lp_answer_room_free(room);
    return err;
}

void lp_session_listen(LpSession *s, LpAgain take, void *user) {
    s->listener = take;
    s->listening = user;
}

/* ---- a whole log ---- */

typedef struct Replay {
    LpSession *session;
    const LpLog *log;
    LpAnswerRoom *room;
    uint64_t due_at; /* events when the decision that is due was announced as a step */
    bool in_round;
    LpDiag *diag;
} Replay;

/* ---- twins ---- */

/* Policy and parameters of the branch, or those given. */
static LpErr twin_policy(const LpSession *s, uint32_t branch, const char *policy, uint32_t params,
                         const char *const *param, LpSession *twin, LpDiag *diag) {
    const LpPolicyHome *home = &s->home[lp_timeline_branch(s->timeline, branch)->policy];
    LpSessionSpec spec = {.policy = policy, .params = params, .param = param};
    return lp_session_load_like(twin, s->sealed, home, &spec, diag);
}

static LpErr build_twin(const LpSession *s, bool keep_timeline, LpSession *twin, LpDiag *diag) {
    twin->seen.keep = s->seen.keep;
    twin->told.keep_explain = s->told.keep_explain;
    twin->acting.at = -1;
    twin->log = lp_log_new();
    twin->told.texts = lp_arena_new(0);
    twin->degrees = lp_alloc(s->scenario->partition.max_degree, sizeof *twin->degrees);
    if (twin->log == NULL || twin->told.texts == NULL || twin->degrees == NULL)
        return lp_fail_memory(diag, "a session");
    LP_TRY(lp_context_new(s->scenario, &twin->context, diag));
    *twin->context->max_memory = *s->context->max_memory;
    LP_TRY(lp_world_new(twin->context, s->scenario->seed, &twin->world, diag));
    return keep_timeline ? lp_session_start_timeline(twin, diag) : LP_OK;
}

static LpErr replay_path(const LpSession *s, LpMoment moment, LpSession *twin, LpDiag *diag) {
    const LpTimeline *t = s->timeline;
    LpAnswerRoom *room = lp_answer_room_new();
    LpErr err = room != NULL ? LP_OK : lp_fail_memory(diag, "a replay");
    for (uint64_t step = 1; err == LP_OK && step <= moment.step; step++) {
        size_t index;
        const LpBranch *b = lp_timeline_owner(t, moment.branch, step, &index);
        const LpMark *mark = &b->mark[index];
        LpStepRecords records = {mark[-1].record, mark->record, mark->events, mark->over};
        twin->acting.count = mark->acted;
        twin->acting.at = mark->acted_at;
        err = replay_step(twin, b->log, &records, room, diag);
    }
    lp_answer_room_free(room);
    return err;
}

/* Another policy starts without the data of the one before, as in a fork. */
static LpErr clear_mem(const LpSession *s, uint32_t branch, LpSession *twin, LpDiag *diag) {
    const char *path = s->home[lp_timeline_branch(s->timeline, branch)->policy].path;
    const char *own = twin->loaded.path;
    if (strcmp(path != NULL ? path : "", own != NULL ? own : "") == 0)
        return LP_OK;
    return lp_session_commit(twin, lp_session_store_mem(twin, NULL, 0, diag), diag);
}

LpErr lp_session_twin(const LpSession *s, LpMoment moment, const char *policy, uint32_t params,
                      const char *const *param, bool keep_timeline, LpSession **out, LpDiag *diag) {
    if (s->timeline == NULL)
        return lp_fail(diag, LP_ESTATE, "this run keeps no time line");
    if (moment.branch >= s->timeline->branches ||
        lp_timeline_branch(s->timeline, moment.branch)->deleted ||
        moment.step > lp_timeline_tip(s->timeline, moment.branch))
        return lp_fail(diag, LP_ERANGE, "there is no step %llu of branch %u",
                       (unsigned long long)moment.step, moment.branch);
    LpSession *twin = lp_alloc(1, sizeof *twin);
    if (twin == NULL)
        return lp_fail_memory(diag, "a session");
    twin->scenario = s->scenario;
    twin->borrowed = true;
    twin->sealed = s->sealed;
    LpErr err = twin_policy(s, moment.branch, policy, params, param, twin, diag);
    if (err == LP_OK)
        err = build_twin(s, keep_timeline, twin, diag);
    if (err == LP_OK)
        err = replay_path(s, moment, twin, diag);
    if (err == LP_OK)
        err = clear_mem(s, moment.branch, twin, diag);
    if (err != LP_OK) {
        lp_session_close(twin);
        return err;
    }
    *out = twin;
    return LP_OK;
}

/* ---- on a world of its own ---- */

typedef struct Again {
    LpContext *context;
    LpWorld *world;
    LpAgain take;
    void *user;
} Again;

static LpErr tell_again(void *user, const LpEvent *event, LpDiag *diag) {
    const Again *a = user;
    return a->take(a->user, a->context, a->world, event, diag);
}

static LpErr again_log(const LpSession *s, Again *a, LpAnswerRoom *room, LpDiag *diag) {
    LpReplayWatch watch = {tell_again, NULL, a};
    LpReplayGoal goal = {lp_world_tally(s->world)->events, lp_world_over(s->world)};
    size_t at = 0;
    LP_TRY(lp_replay_records(a->world, a->context, s->log, &at, lp_log_count(s->log), room, &watch,
                             diag));
    return lp_replay_reach(a->world, a->context, &goal, &watch, diag);
}

static LpErr again_steps(const LpSession *s, Again *a, LpAnswerRoom *room, LpDiag *diag) {
    const LpTimeline *line = s->timeline;
    LpReplayWatch watch = {tell_again, NULL, a};
    for (uint64_t step = 1; step <= line->step; step++) {
        size_t index;
        const LpBranch *b = lp_timeline_owner(line, line->current, step, &index);
        const LpMark *mark = &b->mark[index];
        LpReplayGoal goal = {mark->events, mark->over};
        size_t at = mark[-1].record;
        LP_TRY(
            lp_replay_records(a->world, a->context, b->log, &at, mark->record, room, &watch, diag));
        LP_TRY(lp_replay_reach(a->world, a->context, &goal, &watch, diag));
    }
    return LP_OK;
}

static LpErr go_again(const LpSession *s, Again *a, LpDiag *diag) {
    LP_TRY(lp_context_new(s->scenario, &a->context, diag));
    *a->context->max_memory = *s->context->max_memory;
    LP_TRY(lp_world_new(a->context, lp_world_seed(s->world), &a->world, diag));
    LpAnswerRoom *room = lp_answer_room_new();
    if (room == NULL)
        return lp_fail_memory(diag, "a replay");
    LpErr err = s->timeline != NULL ? again_steps(s, a, room, diag) : again_log(s, a, room, diag);
    lp_answer_room_free(room);
    return err == LP_OK ? tell_again(a, NULL, diag) : err;
}

LpErr lp_session_again(const LpSession *s, LpAgain take, void *user, LpDiag *diag) {
    Again a = {.take = take, .user = user};
    LpErr err = go_again(s, &a, diag);
    lp_world_free(a.world);
    lp_context_free(a.context);
    return err;
}
