/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first stage of a draft, number by number: into how many parts one op is cut, how many ways of
 * one kind a plan has. */
#include <stdio.h>
#include <string.h>

#include "ask/draft/edit.h"
#include "base/mem.h"
#include "base/str.h"
#include "session/moment/moment.h"
#include "session/session_impl.h"
#include "sim/forecast.h"
#include "sim/world.h"

/* ---- ops ---- */

/* The words without "ways=...". */
static void cut_ways(const char *words, char out[LP_DRAFT_WORDS]) {
    const char *at = strstr(words, "ways=");
    lp_str_copy(out, LP_DRAFT_WORDS, words);
    if (at == NULL)
        return;
    size_t from = (size_t)(at - words), len = strcspn(at, " ");
    lp_str_copy(out + from, LP_DRAFT_WORDS - from, at + len + (at[len] == ' '));
    while (from > 0 && out[from] == '\0' && out[from - 1] == ' ')
        out[--from] = '\0';
}

/* How words of the first stage cut each op, ways[ops]. */
static LpErr ways_of(LpSession *s, const char *words, uint32_t ops, uint32_t *ways, LpDiag *diag) {
    LpPrice price;
    LP_TRY(lp_draft_price(s, words, &price, diag));
    if (!price.possible || price.forecast.partition == LP_NO_INDEX)
        return lp_fail(diag, LP_EREFUSED, "%s", price.possible ? "nothing is cut" : price.why);
    memcpy(ways, lp_store_partition(s->context->store, price.forecast.partition)->ways,
           ops * sizeof *ways);
    return LP_OK;
}

/* The words in front, and those ops that are cut otherwise than these say. False: no room. */
static bool print_ways(const LpGraph *graph, const char *front, const uint32_t *was,
                       const uint32_t *is, char out[LP_DRAFT_WORDS]) {
    size_t len = strlen(front);
    bool some = false;
    lp_str_copy(out, LP_DRAFT_WORDS, front);
    for (uint32_t number = 1; number <= graph->ops; number++) {
        uint32_t i = graph->by_number[number];
        if (is[i] == was[i])
            continue;
        if (len + 32 > LP_DRAFT_WORDS)
            return false;
        const char *between = some ? "/" : len > 0 ? " ways=" : "ways=";
        len += (size_t)snprintf(out + len, LP_DRAFT_WORDS - len, "%s%u:%u", between, number, is[i]);
        some = true;
    }
    return true;
}

/* All ops are cut to divisors of the largest number: another largest one may change them all. */
static bool others_stay(const uint32_t *cut, const uint32_t *is, uint32_t ops, uint32_t op) {
    for (uint32_t i = 0; i < ops; i++)
        if (i != op && cut[i] != is[i])
            return false;
    return true;
}

static LpErr change_ways(LpSession *s, LpDraft *draft, const LpGraph *graph, uint32_t op, bool more,
                         uint32_t *was, uint32_t *is, LpDiag *diag) {
    enum { TRIES = 16 };
    char front[LP_DRAFT_WORDS], words[LP_DRAFT_WORDS];
    char *now = draft->word[LP_STAGE_PARTITION];
    uint32_t most = s->scenario->partition.max_degree;
    LpPrice price;
    char why[LP_DIAG_TEXT] = "";
    cut_ways(now, front);
    LP_TRY(ways_of(s, front, graph->ops, was, diag));
    LP_TRY(ways_of(s, now, graph->ops, is, diag));
    uint32_t before = is[op];
    for (int i = 0; i < TRIES; i++) {
        if (more ? is[op] >= most : is[op] <= 1)
            break;
        is[op] = more ? is[op] + 1 : is[op] - 1;
        if (!print_ways(graph, front, was, is, words))
            return lp_fail(diag, LP_EREFUSED, "more ops than a draft has words for");
        LP_TRY(lp_draft_price(s, words, &price, diag));
        const uint32_t *cut =
            price.possible ? lp_store_partition(s->context->store, price.forecast.partition)->ways
                           : NULL;
        if (cut != NULL && cut[op] != before && others_stay(cut, is, graph->ops, op)) {
            is[op] = cut[op]; /* as the rules round it */
            (void)print_ways(graph, front, was, is, now);
            return LP_OK;
        }
        if (cut != NULL)
            continue;
        if (why[0] == '\0')
            lp_str_copy(why, sizeof why, price.why);
    }
    if (why[0] != '\0')
        return lp_fail(diag, LP_EREFUSED, "%s", why);
    if (!more)
        return lp_fail(diag, LP_EREFUSED, "an op is in one part at least");
    return lp_fail(diag, LP_EREFUSED,
                   before >= most
                       ? "an op is in %u parts at most here (max_degree)"
                       : "in more parts, up to %u, it would change how the other ops are cut",
                   most);
}

LpErr lp_draft_cut_op(LpSession *s, LpDraft *draft, uint32_t number, bool more, LpDiag *diag) {
    uint32_t due = lp_world_due(s->world);
    const LpJob *job = due != LP_NO_INDEX ? lp_world_job(s->world, due) : NULL;
    if (job == NULL || job->graph < 0 || lp_context_planned(s->context, job->graph))
        return lp_fail(diag, LP_EREFUSED, "there are no ops to cut here");
    const LpGraph *graph = s->scenario->graph[job->graph];
    if (graph->trace != NULL)
        return lp_fail(diag, LP_EREFUSED,
                       "a recorded step is cut already: a server for each of "
                       "its %u ranks",
                       graph->ops);
    if (number < 1 || number > graph->ops)
        return lp_fail(diag, LP_EREFUSED, "there is no op %u: ops are 1 to %u", number, graph->ops);
    uint32_t *was = lp_alloc(graph->ops, sizeof *was), *is = lp_alloc(graph->ops, sizeof *is);
    LpErr err = was != NULL && is != NULL
                    ? change_ways(s, draft, graph, graph->by_number[number], more, was, is, diag)
                    : lp_fail_memory(diag, "the ways of ops");
    lp_free(was);
    lp_free(is);
    return err;
}

/* ---- plans ---- */

static const char *const names[LP_WAY_COUNT] = {"tensor", "pipeline", "data", "context"};

const char *lp_way_name(LpWayKind kind) {
    return names[kind];
}

uint32_t lp_way_of(const LpParallel *plan, LpWayKind kind) {
    const uint32_t of[LP_WAY_COUNT] = {plan->tensor, plan->pipeline, plan->data,
                                       lp_parallel_context(plan)};
    return of[kind];
}

static void set_way(LpParallel *plan, LpWayKind kind, uint32_t value) {
    uint32_t *const of[LP_WAY_COUNT] = {&plan->tensor, &plan->pipeline, &plan->data,
                                        &plan->context};
    *of[kind] = value;
}

LpErr lp_draft_plan(LpSession *s, const LpDraft *draft, LpParallel *out, LpDiag *diag) {
    LpArena *arena = lp_arena_new(0);
    LpForkText fork;
    if (arena == NULL)
        return lp_fail_memory(diag, "the plan of a draft");
    LpErr err = lp_fork_parse(draft->word[LP_STAGE_PARTITION], arena, &fork, diag);
    if (err == LP_OK)
        err = lp_fork_complete(s, &fork, diag);
    if (err == LP_OK && fork.spec.answer == NULL)
        err = lp_session_ask(s, diag);
    if (err == LP_OK) {
        const LpAnswer *answer = fork.spec.answer != NULL ? &fork.answer : &s->pending.answer;
        if (answer->has_plan)
            *out = answer->parallel;
        else
            err = lp_fail(diag, LP_EREFUSED, "the job runs by no plan here");
    }
    lp_arena_free(arena);
    return err;
}

LpErr lp_draft_turn_plan(LpSession *s, LpDraft *draft, LpWayKind kind, bool more, LpDiag *diag) {
    enum { FAR = 4 }; /* times the number of now */
    LpParallel plan;
    LpPrice price;
    char words[LP_PARALLEL_TEXT], why[LP_DIAG_TEXT] = "";
    LP_TRY(lp_draft_plan(s, draft, &plan, diag));
    uint32_t now = lp_way_of(&plan, kind);
    for (uint32_t value = now; more ? value < FAR * now : value > 1;) {
        value = more ? value + 1 : value - 1;
        set_way(&plan, kind, value);
        lp_parallel_words(&plan, words);
        LP_TRY(lp_draft_price(s, words, &price, diag));
        if (price.possible) {
            lp_str_copy(draft->word[LP_STAGE_PARTITION], LP_DRAFT_WORDS, words);
            return LP_OK;
        }
        if (why[0] == '\0' || value == 2 * now || 2 * value == now)
            lp_str_copy(why, sizeof why, price.why);
    }
    return why[0] != '\0' ? lp_fail(diag, LP_EREFUSED, "%s", why)
                          : lp_fail(diag, LP_EREFUSED, "there is one %s way at least", names[kind]);
}
