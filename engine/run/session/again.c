/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the records of a session on another world. */
#include "run/session/again.h"

#include "history/replay.h"
#include "run/session/session_impl.h"

typedef struct Again {
    LpContext *context;
    LpWorld *world;
    LpAgain take;
    void *user;
} Again;

static LpErr take(void *user, const LpEvent *event, LpDiag *diag) {
    const Again *a = user;
    return a->take(a->user, a->context, a->world, event, diag);
}

static LpErr replay_log(const LpSession *s, Again *a, LpAnswerRoom *room, LpDiag *diag) {
    LpReplayWatch watch = {take, NULL, a};
    LpReplayGoal goal = {lp_world_tally(s->world)->events, lp_world_over(s->world)};
    size_t at = 0;
    LP_TRY(lp_replay_records(a->world, a->context, s->log, &at, lp_log_count(s->log), room, &watch,
                             diag));
    return lp_replay_reach(a->world, a->context, &goal, &watch, diag);
}

static LpErr replay_steps(const LpSession *s, Again *a, LpAnswerRoom *room, LpDiag *diag) {
    const LpTimeline *line = s->timeline;
    LpReplayWatch watch = {take, NULL, a};
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

static LpErr make(const LpSession *s, Again *a, LpDiag *diag) {
    LP_TRY(lp_context_new(s->scenario, &a->context, diag));
    *a->context->max_memory = *s->context->max_memory;
    LP_TRY(lp_world_new(a->context, lp_world_seed(s->world), &a->world, diag));
    LpAnswerRoom *room = lp_answer_room_new();
    if (room == NULL)
        return lp_fail_memory(diag, "a replay");
    LpErr err = s->timeline != NULL ? replay_steps(s, a, room, diag) : replay_log(s, a, room, diag);
    lp_answer_room_free(room);
    return err == LP_OK ? take(a, NULL, diag) : err;
}

LpErr lp_session_again(const LpSession *s, LpAgain call, void *user, LpDiag *diag) {
    Again a = {.take = call, .user = user};
    LpErr err = make(s, &a, diag);
    lp_world_free(a.world);
    lp_context_free(a.context);
    return err;
}
