/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the branches that an answer by hand began, by the words that they were forked with. */
#include "ask/draft/by_hand.h"

#include "history/timeline.h"
#include "session/session_impl.h"
#include "sim/world.h"

/* Which stages the words of a fork choose. */
static void stages_of(const LpForkText *fork, bool chosen[LP_STAGE_COUNT]) {
    static const LpStage of_word[LP_JOB_WORD_COUNT] = {
        [LP_JOB_WORD_CUBES] = LP_STAGE_PLACE,
        [LP_JOB_WORD_ORIGIN] = LP_STAGE_PLACE,
        [LP_JOB_WORD_WAYS] = LP_STAGE_PARTITION,
        [LP_JOB_WORD_PARTS] = LP_STAGE_PLACE,
        [LP_JOB_WORD_ORDER_OPS] = LP_STAGE_ORDER_OPS,
        [LP_JOB_WORD_ORDER_FLOWS] = LP_STAGE_ORDER_FLOWS,
        [LP_JOB_WORD_CIRCUITS] = LP_STAGE_CIRCUITS,
        [LP_JOB_WORD_PHASE] = LP_STAGE_CIRCUITS};
    const LpAnswer *said = &fork->answer;
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        chosen[i] = false;
    chosen[LP_STAGE_PARTITION] = said->degree > 0 || said->has_plan || said->kind != LP_ANSWER_RUN;
    chosen[LP_STAGE_PLACE] = said->servers > 0;
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++)
        if (fork->word[i] != NULL)
            chosen[of_word[i]] = true;
}

/* Reads the words of a branch; false: no answer began it. */
static bool read_words(const LpBranch *b, LpArena *arena, LpForkText *out) {
    LpDiag ignored;
    return b->parent != LP_NO_INDEX && lp_fork_parse(b->what, arena, out, &ignored) == LP_OK &&
           out->spec.answer != NULL;
}

static LpErr read_answer(LpHandChoices *c, const LpBranch *b, LpHandChoice *out, LpDiag *diag) {
    size_t next, last = b->marks > 2 ? b->mark[2].record : lp_log_count(b->log);
    for (size_t r = b->mark[0].record; r < last; r++) {
        LpRecordKind kind = lp_log_at(b->log, r)->kind;
        if (kind != LP_RECORD_PARTITION && kind != LP_RECORD_WAIT && kind != LP_RECORD_DECLINE)
            continue;
        LP_TRY(lp_log_read_answer(b->log, r, c->room, &out->answer, &out->job, &next, diag));
        out->time = lp_log_at(b->log, r)->time;
        uint32_t ops = lp_session_forward_ops(c->session, out->job);
        return lp_session_copy_answer(c->arena, ops, &out->answer) == LP_OK
                   ? LP_OK
                   : lp_fail_memory(diag, "decisions by hand");
    }
    return lp_fail(diag, LP_EINVAL, "branch \"%s\" has no record of its decision", b->name);
}

static LpErr read_choice(LpHandChoices *c, const LpBranch *b, LpDiag *diag) {
    LpHandChoice *item = &c->item[c->count];
    LpMomentFacts facts;
    if (!read_words(b, c->arena, &item->fork))
        return LP_OK;
    item->fork.spec.answer = &item->fork.answer;
    stages_of(&item->fork, item->of);
    LP_TRY(read_answer(c, b, item, diag));
    LpErr err = lp_session_moment_facts(c->session, (LpMoment){b->parent, b->forked_at}, &facts);
    item->decision = err == LP_OK ? facts.decisions : 0;
    c->count++;
    return LP_OK;
}

LpErr lp_hand_choices_open(const LpSession *s, LpHandChoices *out, LpDiag *diag) {
    const LpTimeline *t = s->timeline;
    *out = (LpHandChoices){.session = s, .arena = lp_arena_new(0), .room = lp_answer_room_new()};
    if (out->arena == NULL || out->room == NULL)
        return lp_fail_memory(diag, "decisions by hand");
    if (t == NULL)
        return LP_OK;
    uint32_t *path = lp_arena_alloc(out->arena, t->branches, sizeof *path), count = 0;
    out->item = lp_arena_alloc(out->arena, t->branches, sizeof *out->item);
    if (path == NULL || out->item == NULL)
        return lp_fail_memory(diag, "decisions by hand");
    for (uint32_t b = t->current; b != LP_NO_INDEX; b = lp_timeline_branch(t, b)->parent)
        path[count++] = b;
    while (count-- > 0) {
        const LpBranch *b = lp_timeline_branch(t, path[count]);
        if (b->parent == LP_NO_INDEX || b->forked_at < t->step) /* else it lies ahead of here */
            LP_TRY(read_choice(out, b, diag));
    }
    return LP_OK;
}

void lp_hand_choices_close(LpHandChoices *c) {
    lp_answer_room_free(c->room);
    lp_arena_free(c->arena);
}

LpErr lp_by_hand(const LpSession *s, LpByHand *out, LpDiag *diag) {
    LpHandChoices c;
    LpErr err = lp_hand_choices_open(s, &c, diag);
    *out = (LpByHand){0};
    for (uint32_t i = 0; err == LP_OK && i < c.count; i++) {
        out->decisions++;
        for (int k = 0; k < LP_STAGE_COUNT; k++)
            out->of[k] += c.item[i].of[k];
    }
    lp_hand_choices_close(&c);
    return err;
}

void lp_by_hand_json(const LpByHand *hand, LpJsonOut *out) {
    static const char *const keys[LP_STAGE_COUNT] = {"split", "place", "order_ops", "circuits",
                                                     "order_flows"};
    lp_json_open(out, "by_hand", '{');
    for (int i = 0; i < LP_STAGE_COUNT; i++)
        lp_json_put_count(out, keys[i], hand->of[i]);
    lp_json_close(out, '}');
}
