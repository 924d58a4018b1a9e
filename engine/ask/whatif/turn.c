/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs with turned knobs: a probe from the present, or a session of its own. */
#include "ask/whatif/turn.h"

#include <stdio.h>
#include <string.h>

#include "ask/whatif/hands.h"
#include "session/probe.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/world.h"

struct LpKnobTurn {
    LpSession *session; /* a probe, or one of its own: */
    bool anew;
    LpProbeHome home; /* of a probe with other parameters */
    LpArena *arena;   /* the policy of that home */
    LpArena *words;
    const LpKnobs *knobs; /* what changes at `at` is still to be turned; NULL: done */
    double at;
    const LpWorld *origin; /* the session's, whose changes until then are made anew */
    uint32_t repeated;     /* changes that were made anew */
    LpHands *hands;        /* what is decided by hand in a run from its start */
};

/* ---- what is turned, in words ---- */

typedef struct Words {
    const char **set, **param;
    uint32_t sets, params;
} Words;

static const char *print_value(const LpRunKnob *knob, char number[LP_NUM_TEXT]) {
    if (knob->flag)
        return knob->value > 0 ? "true" : "false";
    return lp_num_print(knob->value, number);
}

static const char *assign(LpArena *arena, const LpRunKnob *knob) {
    char number[LP_NUM_TEXT], text[160];
    snprintf(text, sizeof text, "%s=%s", knob->path, print_value(knob, number));
    return lp_arena_strdup(arena, text);
}

static LpErr list_words(const LpKnobs *knobs, LpArena *arena, Words *out, LpDiag *diag) {
    Words words = {0};
    bool failed = arena == NULL;
    if (!failed) {
        words.set = lp_arena_alloc(arena, (size_t)knobs->count + 1, sizeof *words.set);
        words.param = lp_arena_alloc(arena, (size_t)knobs->count + 1, sizeof *words.param);
        failed = words.set == NULL || words.param == NULL;
    }
    for (uint32_t i = 0; !failed && i < knobs->count; i++) {
        const LpRunKnob *knob = &knobs->row[i];
        const char *text = knob->path != NULL && lp_knob_is_turned(knob) ? assign(arena, knob) : "";
        failed = text == NULL;
        if (failed || *text == '\0')
            continue;
        if (knob->group == LP_KNOB_POLICY)
            words.param[words.params++] = text;
        else
            words.set[words.sets++] = text;
    }
    if (failed)
        return lp_fail_memory(diag, "turned knobs");
    *out = words;
    return LP_OK;
}

/* ---- conditions ---- */

static bool is_condition(const LpRunKnob *knob) {
    return knob->path == NULL && lp_knob_is_turned(knob);
}

static LpErr change(LpSession *s, bool own, const LpCondition *condition, LpDiag *diag) {
    LpEvent event;
    return own ? lp_session_change(s, condition, &event, diag)
               : lp_session_apply(s, condition, &event, diag);
}

/* Breaks servers, those with the lowest numbers first, until `wanted` are broken. */
static LpErr break_servers(LpSession *s, bool own, double wanted, LpDiag *diag) {
    uint32_t servers = lp_world_servers(s->world);
    for (uint32_t i = 0; i < servers; i++) {
        LpCondition condition = {.kind = LP_CONDITION_FAIL_SERVER, .value = i};
        if (lp_world_tally(s->world)->failed_servers >= wanted)
            return LP_OK;
        if (lp_world_server(s->world, i)->state != LP_SERVER_FAILED)
            LP_TRY(change(s, own, &condition, diag));
    }
    return LP_OK;
}

static LpErr apply(LpSession *s, bool own, const LpKnobs *knobs, LpDiag *diag) {
    for (uint32_t i = 0; i < knobs->count; i++) {
        const LpRunKnob *knob = &knobs->row[i];
        LpCondition condition = {.kind = knob->condition, .value = knob->value};
        if (!is_condition(knob))
            continue;
        LP_TRY(knob->condition == LP_CONDITION_FAIL_SERVER
                   ? break_servers(s, own, knob->value, diag)
                   : change(s, own, &condition, diag));
    }
    return LP_OK;
}

/* ---- a turn ---- */

static LpErr open_variant(const LpSession *s, const Words *words, bool timeline, LpSession **out,
                          LpDiag *diag) {
    LpSessionSpec spec = {.sets = words->sets,
                          .set = words->set,
                          .params = words->params,
                          .param = words->param,
                          .keep_events = timeline,
                          .keep_explain = timeline,
                          .keep_timeline = timeline};
    return lp_session_variant(s, &spec, out, diag);
}

static LpErr open_turn(LpKnobTurn *t, const LpSession *s, LpDiag *diag) {
    Words words;
    LP_TRY(list_words(t->knobs, t->words, &words, diag));
    if (t->anew)
        LP_TRY(lp_hands_list(s, &t->hands, diag));
    if (t->anew)
        return open_variant(s, &words, false, &t->session, diag);
    if (words.params == 0) {
        LP_TRY(lp_probe_open(s, s->world, &t->session, diag));
    } else {
        /* A policy with other parameters beside the session's. */
        LpSessionSpec spec = {.params = words.params, .param = words.param};
        LpSession like = {.scenario = s->scenario};
        LP_TRY(lp_session_load_like(&like, s->sealed, &s->loaded, &spec, diag));
        t->home.policy = like.loaded.policy;
        t->arena = like.loaded.arena;
        LP_TRY(lp_context_twin(s->context, &t->home.context, diag));
        LP_TRY(lp_probe_open_home(s, &t->home, s->world, &t->session, diag));
    }
    return apply(t->session, false, t->knobs, diag);
}

LpErr lp_turn_new(const LpSession *s, const LpKnobs *knobs, LpKnobTurn **out, LpDiag *diag) {
    LpKnobTurn *t = lp_alloc(1, sizeof *t);
    if (t == NULL)
        return lp_fail_memory(diag, "turned knobs");
    t->knobs = knobs;
    t->anew = lp_knobs_anew(knobs);
    t->at = lp_world_now(s->world);
    t->origin = s->world;
    t->words = lp_arena_new(4096);
    LpErr err = open_turn(t, s, diag);
    if (err != LP_OK) {
        lp_turn_free(t);
        return err;
    }
    if (!t->anew)
        t->knobs = NULL; /* all is turned */
    *out = t;
    return LP_OK;
}

void lp_turn_free(LpKnobTurn *t) {
    if (t == NULL)
        return;
    if (t->anew)
        lp_session_close(t->session);
    else
        lp_probe_close(t->session);
    lp_hands_free(t->hands);
    lp_probe_home_free(&t->home);
    lp_arena_free(t->arena);
    lp_arena_free(t->words);
    lp_free(t);
}

/* The origin's change that is the next to be made anew; NULL: none. */
static const LpChange *next_change(const LpKnobTurn *t) {
    uint32_t count;
    const LpChange *changes = lp_world_changes(t->origin, &count);
    return t->repeated < count ? &changes[t->repeated] : NULL;
}

/* In a run that began anew: what changed in the origin changes here as soon as that time has come,
 * and then what is turned from now on. */
static LpErr turn_in_time(LpKnobTurn *t, LpDiag *diag) {
    LpSession *s = t->session;
    const LpChange *next;
    if (t->knobs == NULL)
        return LP_OK;
    double upcoming = lp_world_next_time(s->world, s->context);
    while ((next = next_change(t)) != NULL && next->time < upcoming) {
        t->repeated++;
        LP_TRY(change(s, false, &next->condition, diag));
        upcoming = lp_world_next_time(s->world, s->context);
    }
    if (next != NULL || upcoming <= t->at)
        return LP_OK;
    const LpKnobs *knobs = t->knobs;
    t->knobs = NULL;
    return apply(s, false, knobs, diag);
}

LpErr lp_turn_work(LpKnobTurn *t, uint32_t steps, bool *done, LpDiag *diag) {
    LpErr err = LP_OK;
    for (uint32_t i = 0; err == LP_OK && i < steps && !lp_world_over(t->session->world); i++) {
        LpEvent event;
        err = turn_in_time(t, diag);
        if (err == LP_OK)
            err = t->anew ? lp_hands_step(t->hands, t->session, &event, diag)
                          : lp_session_step(t->session, &event, diag);
    }
    *done = err != LP_OK || lp_world_over(t->session->world);
    return err;
}

bool lp_turn_by_hand(const LpKnobTurn *t) {
    return t->hands != NULL && lp_hands_any(t->hands);
}

bool lp_turn_other_policy(const LpKnobTurn *t) {
    return t->hands != NULL && lp_hands_other_policy(t->hands);
}

const LpWorld *lp_turn_world(const LpKnobTurn *t) {
    return t->session->world;
}

const LpContext *lp_turn_context(const LpKnobTurn *t) {
    return t->session->context;
}

/* ---- making it real ---- */

static LpErr fork_named(LpSession *s, const LpKnobs *knobs, const char *name, const Words *words,
                        uint32_t *branch, LpDiag *diag) {
    LpMoment from = lp_session_moment(s);
    LpForkSpec spec = {.name = name, .params = words->params, .param = words->param};
    LpDiag ignored;
    uint32_t made;
    LP_TRY(lp_session_fork(s, &spec, &made, diag));
    LpErr err = apply(s, true, knobs, diag);
    if (err == LP_OK) {
        *branch = made;
        return LP_OK;
    }
    if (lp_session_switch(s, from.branch, &ignored) == LP_OK &&
        lp_session_seek(s, from.step, &ignored) == LP_OK)
        (void)!lp_session_delete(s, made, &ignored);
    return err;
}

void lp_knobs_sets(const LpKnobs *knobs, LpBuf *out) {
    char number[LP_NUM_TEXT];
    for (uint32_t i = 0; i < knobs->count; i++) {
        const LpRunKnob *knob = &knobs->row[i];
        if (lp_knob_is_turned(knob) && lp_knob_is_whole_run(knob))
            lp_buf_addf(out, " --set %s=%s", knob->path, print_value(knob, number));
    }
}

LpErr lp_knobs_fork(LpSession *s, const LpKnobs *knobs, uint32_t *branch, LpDiag *diag) {
    LpBuf name = {0};
    LpArena *arena = lp_arena_new(4096);
    Words words;
    if (lp_knobs_anew(knobs)) {
        lp_arena_free(arena);
        return lp_fail(diag, LP_ESTATE, "a run with another scenario is no branch of this one");
    }
    lp_knobs_words(knobs, &name);
    LpErr err = list_words(knobs, arena, &words, diag);
    if (err == LP_OK)
        err = lp_buf_ok(&name, diag);
    if (err == LP_OK)
        err = fork_named(s, knobs, lp_buf_text(&name), &words, branch, diag);
    lp_buf_fini(&name);
    lp_arena_free(arena);
    return err;
}

static LpErr to_time(LpSession *s, LpHands *hands, double until, LpDiag *diag) {
    LpEvent event;
    while (!lp_world_over(s->world) && lp_world_next_time(s->world, s->context) <= until)
        LP_TRY(lp_hands_step(hands, s, &event, diag));
    return LP_OK;
}

/* To the time of `origin`, with all that changed and was decided by hand there, and what is turned
 * from now on. */
static LpErr bring_to(LpSession *s, const LpWorld *origin, LpHands *hands, const LpKnobs *knobs,
                      LpDiag *diag) {
    uint32_t count;
    const LpChange *changes = lp_world_changes(origin, &count);
    for (uint32_t i = 0; i < count; i++) {
        LP_TRY(to_time(s, hands, changes[i].time, diag));
        if (lp_world_over(s->world))
            return LP_OK;
        LP_TRY(change(s, true, &changes[i].condition, diag));
    }
    LP_TRY(to_time(s, hands, lp_world_now(origin), diag));
    return lp_world_over(s->world) ? LP_OK : apply(s, true, knobs, diag);
}

LpErr lp_knobs_open(const LpSession *s, const LpKnobs *knobs, LpSession **out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(4096);
    LpSession *made = NULL;
    LpHands *hands = NULL;
    Words words;
    LpErr err = list_words(knobs, arena, &words, diag);
    if (err == LP_OK)
        err = lp_hands_list(s, &hands, diag);
    if (err == LP_OK)
        err = open_variant(s, &words, true, &made, diag);
    if (err == LP_OK)
        err = bring_to(made, s->world, hands, knobs, diag);
    lp_hands_free(hands);
    lp_arena_free(arena);
    if (err == LP_OK)
        *out = made;
    else
        lp_session_close(made);
    return err;
}
