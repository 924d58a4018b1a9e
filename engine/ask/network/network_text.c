/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what networks say. */
#include "ask/network/network_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 20, MOVES = 6, OF_GRAPH = 2, OPS = 4 };

static const char *const OF[] = {
    [LP_FEATURE_JOB] = "job",     [LP_FEATURE_SOON] = "soon", [LP_FEATURE_ACTION] = "action",
    [LP_FEATURE_MASK] = "mask",   [LP_FEATURE_NODE] = "ops",  [LP_FEATURE_EDGE] = "deps",
    [LP_FEATURE_QUEUE] = "queue", [LP_FEATURE_OWN] = "own"};
_Static_assert(LP_COUNTOF(OF) == LP_FEATURE_OWN + 1, "every kind of feature has its word");

/* One network and what is written of it. */
typedef struct Said {
    const LpSession *s;
    LpNetworkInspection seen;
    LpNetworkWhy why, value;
    LpArena *arena;
    LpJsonOut *json;
    LpBuf *out; /* of it */
} Said;

static LpErr gather(LpSession *s, uint32_t index, uint32_t job, Said *said, LpDiag *diag) {
    LP_TRY(lp_network_inspect(s, index, job, said->arena, &said->seen, diag));
    const LpNetworkInspection *seen = &said->seen;
    if (seen->actions == 0)
        return LP_OK;
    LP_TRY(lp_network_why(s, index, seen, lp_network_question(seen, seen->best), said->arena,
                          &said->why, diag));
    return lp_network_why(s, index, seen, (LpNetworkQuestion){.value = true}, said->arena,
                          &said->value, diag);
}

/* Calls `add` for each network of the policy. */
static LpErr for_each(LpSession *s, uint32_t job, LpJsonOut *json, void (*add)(const Said *said),
                      LpDiag *diag) {
    LpErr err = LP_OK;
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "what a network says");
    for (uint32_t i = 0; err == LP_OK && i < lp_network_count(s); i++) {
        Said said = {.s = s, .arena = arena, .json = json, .out = json->out};
        err = gather(s, i, job, &said, diag);
        if (err == LP_OK)
            add(&said);
        lp_arena_reset(arena);
    }
    lp_arena_free(arena);
    return err == LP_OK ? lp_buf_ok(json->out, diag) : err;
}

/* ---- JSON ---- */

static void add_text(LpJsonOut *out, const char *key, const char *value) {
    lp_json_put_text(out, key, value[0] != '\0' ? value : NULL);
}

/* An action by its number; null where it is none. */
static void add_action(LpJsonOut *out, const char *key, uint32_t action, uint32_t actions) {
    lp_json_put_index(out, key, action < actions ? action : LP_NO_INDEX);
}

static void add_actions(const Said *said) {
    LpJsonOut *out = said->json;
    lp_json_open(out, "actions", '[');
    for (uint32_t i = 0; i < said->seen.actions; i++) {
        const LpNetworkAction *a = &said->seen.action[i];
        char plan[LP_PARALLEL_TEXT];
        lp_json_open(out, NULL, '{');
        if (a->degree == LP_DEGREE_WAIT)
            lp_json_put_bool(out, "wait", true);
        else if (a->plan.tensor == 0)
            lp_json_put_count(out, "degree", a->degree);
        else
            lp_json_put_count(out, "degree", lp_parallel_devices(&a->plan));
        if (a->plan.tensor > 0)
            lp_json_put_text(out, "plan", lp_parallel_brief(&a->plan, plan));
        add_text(out, "rule", a->rule);
        lp_json_put_bool(out, "open", a->open);
        lp_json_put_number(out, "probability", a->probability);
        lp_json_put_number(out, "logit", a->logit);
        lp_json_put_number(out, "q", a->q);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

/* Who could go next, the likeliest first. */
static void add_queue(const Said *said) {
    LpJsonOut *out = said->json;
    lp_json_open(out, "queue", '[');
    for (uint32_t i = 0; i < said->seen.queued; i++) {
        const LpNetworkQueued *q = &said->seen.queue[i];
        lp_json_open(out, NULL, '{');
        lp_json_put_count(out, "job", q->job);
        lp_json_put_number(out, "probability", q->probability);
        lp_json_put_number(out, "priority", q->priority);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static void add_moves(LpJsonOut *out, const LpNetworkWhy *why, uint32_t actions) {
    lp_json_open(out, "moved", '[');
    for (uint32_t i = 0; i < why->moves; i++) {
        const LpNetworkMove *m = &why->move[i];
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "of", OF[m->feature.kind]);
        add_text(out, "name", m->feature.name);
        add_action(out, "action", m->feature.action, actions);
        lp_json_put_number(out, "input", m->input);
        lp_json_put_number(out, "moved", m->moved);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static void add_why(const Said *said, const char *key, const LpNetworkWhy *why) {
    LpJsonOut *out = said->json;
    uint32_t actions = why->question.value ? 0 : said->seen.actions;
    if (said->seen.actions == 0) {
        lp_json_put_null(out, key);
        return;
    }
    lp_json_open(out, key, '{');
    lp_json_put_number(out, "output", why->output);
    add_action(out, "action", why->question.action, actions);
    add_action(out, "against", why->question.against, actions);
    add_moves(out, why, said->seen.actions);
    lp_json_open(out, "ops", '[');
    for (uint32_t i = 0; i < why->ops && i < LP_NETWORK_OPS; i++) {
        const LpNetworkOp *op = &why->op[i];
        lp_json_open(out, NULL, '{');
        lp_json_put_count(out, "op", op->number);
        add_text(out, "name", op->name);
        lp_json_put_text(out, "pass", op->backward ? "backward" : "forward");
        lp_json_put_number(out, "moved", op->moved);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    lp_json_close(out, '}');
}

static void add_json(const Said *said) {
    LpJsonOut *out = said->json;
    const LpNetworkInspection *seen = &said->seen;
    bool any = seen->actions > 0;
    if (out->more)
        lp_json_break(out);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "param", seen->param);
    add_text(out, "encoding", seen->encoding);
    add_text(out, "problem", seen->problem);
    lp_json_put_number(out, "decision", any ? (double)seen->decision : (double)NAN);
    lp_json_put_number(out, "time",
                       any ? lp_scenario_time(lp_session_scenario(said->s), seen->time)
                           : (double)NAN);
    add_text(out, "graph", seen->graph);
    lp_json_put_number(out, "value", any ? seen->value : (double)NAN);
    add_action(out, "best", seen->best, seen->actions);
    add_action(out, "next", seen->next, seen->actions);
    add_actions(said);
    if (said->seen.queued > 0)
        add_queue(said);
    add_why(said, "why", &said->why);
    add_why(said, "why_value", &said->value);
    lp_json_close(out, '}');
}

LpErr lp_network_json(LpSession *s, uint32_t job, const char *key, LpJsonOut *out, LpDiag *diag) {
    lp_json_open(out, key, '[');
    LP_TRY(for_each(s, job, out, add_json, diag));
    lp_json_close(out, ']');
    return lp_buf_ok(out->out, diag);
}

/* ---- for people ---- */

static void tell_actions(const Said *said) {
    const LpNetworkInspection *seen = &said->seen;
    char text[LP_NETWORK_TEXT];
    lp_buf_addf(said->out, "  %-28s %8s %8s %8s\n", "answer", "probable", "score", "return");
    for (uint32_t i = 0; i < seen->actions; i++) {
        const LpNetworkAction *a = &seen->action[i];
        if (!a->open)
            continue;
        lp_buf_addf(said->out, "%s %-28s %6.1f %% %8.2f ", i == seen->best ? ">" : " ",
                    lp_network_action_text(seen, i, text), 100 * a->probability, a->logit);
        if (isnan(a->q))
            lp_buf_addf(said->out, "%8s  ", "-");
        else
            lp_buf_addf(said->out, "%8.2f  ", a->q);
        for (int b = 0; b < (int)(a->probability * BAR + 0.5); b++)
            lp_buf_add(said->out, "#");
        lp_buf_add(said->out, "\n");
    }
}

static void tell_queue(const Said *said) {
    const LpNetworkInspection *seen = &said->seen;
    if (seen->queued == 0)
        return;
    lp_buf_addf(said->out, "  %-28s %8s %8s\n", "who goes next", "probable", "priority");
    for (uint32_t i = 0; i < seen->queued; i++)
        lp_buf_addf(said->out, "%s job %-24" PRIu32 " %6.1f %% %8.2f\n",
                    seen->queue[i].job == seen->job ? ">" : " ", seen->queue[i].job,
                    100 * seen->queue[i].probability, seen->queue[i].priority);
}

static void tell_moves(const Said *said, const LpNetworkMove *move, uint32_t count) {
    char text[LP_NETWORK_TEXT];
    for (uint32_t i = 0; i < count; i++)
        lp_buf_addf(said->out, "  %+9.3f  %-40s %.3g\n", move[i].moved,
                    lp_network_move_text(&said->seen, &move[i], text), move[i].input);
}

static void tell_why(const Said *said, const LpNetworkWhy *why) {
    tell_moves(said, why->brief, why->briefs < MOVES ? why->briefs : MOVES);
    tell_moves(said, why->graph, why->graphs < OF_GRAPH ? why->graphs : OF_GRAPH);
    for (uint32_t i = 0; i < why->ops && i < OPS; i++) {
        lp_buf_addf(said->out, "  %+9.3f  op %" PRIu32 " ", why->op[i].moved, why->op[i].number);
        lp_str_escape(said->out, why->op[i].name, strlen(why->op[i].name));
        lp_buf_add(said->out, why->op[i].backward ? ", backward\n" : ", forward\n");
    }
}

static void tell(const Said *said) {
    const LpNetworkInspection *seen = &said->seen;
    const LpNetworkQuestion *q = &said->why.question;
    char text[LP_NETWORK_TEXT];
    lp_buf_add(said->out, "network ");
    lp_str_escape(said->out, seen->param, strlen(seen->param));
    if (seen->actions == 0) {
        lp_buf_addf(said->out, ": %s\n", seen->problem);
        return;
    }
    if (seen->queued > 0)
        lp_buf_addf(said->out, " (%s): priority %.2f of this job\n", seen->encoding, seen->value);
    else
        lp_buf_addf(said->out, " (%s): it expects a return of %.2f from here on\n", seen->encoding,
                    seen->value);
    if (seen->outside[0] != '\0')
        lp_buf_addf(said->out, "outside of its training: %s\n", seen->outside);
    tell_actions(said);
    tell_queue(said);
    lp_buf_addf(said->out, "what moved its score of %s, ",
                lp_network_action_text(seen, q->action, text));
    if (q->against < seen->actions)
        lp_buf_addf(said->out, "%.2f ahead of %s (gradient times input)\n", said->why.output,
                    lp_network_action_text(seen, q->against, text));
    else
        lp_buf_addf(said->out, "%.2f (gradient times input)\n", said->why.output);
    tell_why(said, &said->why);
    lp_buf_add(said->out, seen->queued > 0 ? "what moved its priority\n"
                                           : "what moved the return that it expects\n");
    tell_why(said, &said->value);
}

LpErr lp_network_text(LpSession *s, uint32_t job, LpBuf *out, LpDiag *diag) {
    return for_each(s, job, &(LpJsonOut){.out = out}, tell, diag);
}
