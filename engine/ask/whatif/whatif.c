/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of alternatives for the decision at hand, and where they lead. */
#include "ask/whatif/whatif.h"

#include <math.h>
#include <string.h>

#include "model/split/split.h"
#include "session/session_impl.h"
#include "sim/world.h"

typedef struct Builder {
    LpSession *s;
    LpWhatIfs *out;
    size_t cap;
    uint32_t job;
    uint32_t *allowed;
    uint32_t allowed_count;
    LpDiag *diag;
} Builder;

/* ---- rows ---- */

static LpErr add_row(Builder *b, const LpWhatIf *row) {
    void *items = b->out->row;
    if (lp_grow(&items, &b->cap, (size_t)b->out->count + 1, sizeof *b->out->row) != LP_OK)
        return lp_fail_memory(b->diag, "the what-if table");
    b->out->row = items;
    b->out->row[b->out->count++] = *row;
    return LP_OK;
}

static bool is_allowed(const Builder *b, uint32_t degree) {
    for (uint32_t i = 0; i < b->allowed_count; i++)
        if (b->allowed[i] == degree)
            return true;
    return false;
}

/* Forecast and verdict of an answer that lets the job run. A plan has no mask. */
static LpErr predict(Builder *b, const LpAnswer *answer, LpWhatIf *row) {
    const LpJob *job = lp_world_job(b->s->world, b->job);
    uint32_t free_servers = lp_world_free_servers(b->s->world);
    LpForecast *f = &row->forecast;
    LP_TRY(lp_world_predict(b->s->world, b->s->context, b->job, answer, f, b->diag));
    double waited = lp_world_now(b->s->world) - job->asked.arrival;
    row->of_limit = f->feasible ? lp_job_of_limit(job, waited + f->jct) : (double)NAN;
    row->free_after = f->feasible ? free_servers - f->servers : free_servers;
    row->servers = f->feasible ? f->servers : 0;
    row->server = f->feasible ? f->server : NULL;
    LP_TRY(lp_plan_figures(b->s, b->job, answer->has_plan ? &answer->parallel : NULL, f, &row->plan,
                           b->diag));
    row->allowed =
        job->graph < 0 || row->plan.planned ? f->feasible : is_allowed(b, answer->degree);
    row->accepted = f->feasible && row->allowed && f->cause == LP_CAUSE_NONE;
    return LP_OK;
}

_Static_assert(sizeof(LpShape) == 4 * sizeof(uint32_t), "same_shape compares every member");

static bool same_shape(const LpShape *a, const LpShape *b) {
    return a->groups == b->groups && a->racks == b->racks && a->servers == b->servers &&
           a->diagonal == b->diagonal;
}

/* Has a row of this way these servers already, placed by their numbers? It is of that shape, then.
 */
static bool known_block(const Builder *b, uint32_t first, const LpShape *shape,
                        const uint32_t *server, uint32_t n) {
    for (uint32_t i = first; i < b->out->count; i++) {
        LpWhatIf *row = &b->out->row[i];
        if (row->servers != n || memcmp(row->server, server, n * sizeof *server) != 0)
            continue;
        if (row->forecast.shape.groups == 0)
            row->forecast.shape = *shape;
        return true;
    }
    return false;
}

/* The first free block of a shape, unless a row of this way has it. `way`: degree or plan. */
static LpErr add_shape(Builder *b, const LpAnswer *way, uint32_t first, const LpShape *shape,
                       uint32_t n) {
    LpBlockSearch search;
    for (uint32_t i = first; i < b->out->count; i++)
        if (same_shape(&b->out->row[i].forecast.shape, shape))
            return LP_OK;
    uint32_t *server = lp_arena_alloc(b->out->arena, n, sizeof *server);
    if (server == NULL)
        return lp_fail_memory(b->diag, "the what-if table");
    lp_block_search_in(&search, &lp_world_context(b->s->world, b->s->context)->fabric, n, false,
                       lp_world_room(b->s->world), NULL, NULL);
    lp_block_only(&search, shape);
    if (!lp_block_next(&search, server))
        return LP_OK;
    if (known_block(b, first, shape, server, n))
        return LP_OK;
    LpAnswer answer = *way;
    answer.servers = n;
    answer.server = server;
    LpWhatIf row = {.kind = LP_ANSWER_RUN, .degree = b->out->row[first].degree, .placed = true};
    LP_TRY(predict(b, &answer, &row));
    if (!row.forecast.feasible)
        return LP_OK;
    row.forecast.shape = *shape;
    return add_row(b, &row);
}

/* A degree or a plan, which takes `degree` servers. */
static LpErr add_way(Builder *b, const LpAnswer *answer, uint32_t degree) {
    LpShape shape[LP_SHAPES_MAX];
    const LpFabric *fabric = &lp_world_context(b->s->world, b->s->context)->fabric;
    LpWhatIf row = {.kind = LP_ANSWER_RUN, .degree = degree};
    uint32_t first = b->out->count;
    LP_TRY(predict(b, answer, &row));
    LP_TRY(add_row(b, &row));
    if (!row.forecast.feasible || row.servers < 2)
        return LP_OK;
    uint32_t shapes = fabric->ops->shapes(fabric, row.servers, false, shape);
    for (uint32_t i = 0; i < shapes; i++)
        LP_TRY(add_shape(b, answer, first, &shape[i], row.servers));
    return LP_OK;
}

static LpErr add_degree(Builder *b, uint32_t degree) {
    return add_way(b, &(LpAnswer){.kind = LP_ANSWER_RUN, .degree = degree}, degree);
}

static LpErr add_listed(Builder *b, LpPlanChoice *listed) {
    uint32_t count;
    LP_TRY(lp_world_plans(b->s->world, b->s->context, b->job, listed, LP_SPLIT_PLANS, &count,
                          b->diag));
    for (uint32_t i = 0; i < count; i++)
        LP_TRY(add_way(
            b, &(LpAnswer){.kind = LP_ANSWER_RUN, .has_plan = true, .parallel = *listed[i].plan},
            listed[i].servers));
    return LP_OK;
}

static LpErr add_plans(Builder *b) {
    LpPlanChoice *listed = lp_alloc(LP_SPLIT_PLANS, sizeof *listed);
    if (listed == NULL)
        return lp_fail_memory(b->diag, "the plans of a job");
    LpErr err = add_listed(b, listed);
    lp_free(listed);
    return err;
}

static bool power_of_two(uint32_t n) {
    return (n & (n - 1)) == 0;
}

/* Every degree that is allowed, and the powers of two that are not: why not is worth knowing. */
static LpErr add_degrees(Builder *b) {
    const LpJob *job = lp_world_job(b->s->world, b->job);
    uint32_t most = b->s->scenario->partition.max_degree;
    if (lp_job_has_plans(b->s, b->job))
        return add_plans(b);
    if (job->graph < 0)
        return add_degree(b, 0);
    if (most > b->s->context->fabric.servers)
        most = b->s->context->fabric.servers;
    for (uint32_t d = 1; d <= most; d++)
        if (power_of_two(d) || is_allowed(b, d))
            LP_TRY(add_degree(b, d));
    return LP_OK;
}

/* ---- the policy's answer ---- */

static bool is_answer(const LpWhatIf *row, const LpAnswer *a, const LpForecast *forecast) {
    if (row->kind != a->kind)
        return false;
    if (a->kind != LP_ANSWER_RUN)
        return true;
    if (row->plan.planned &&
        (forecast->partition == LP_NO_INDEX || row->forecast.partition != forecast->partition))
        return false;
    if (!row->plan.planned && (a->ways != NULL || row->degree != a->degree))
        return false;
    return row->servers == (forecast->feasible ? forecast->servers : 0) &&
           (row->servers == 0 ||
            memcmp(row->server, forecast->server, row->servers * sizeof *row->server) == 0);
}

static LpErr mark_chosen(Builder *b) {
    LP_TRY(lp_session_ask(b->s, b->diag));
    const LpAnswer *answer = &b->s->pending.answer;
    LpWhatIf own = {.kind = answer->kind,
                    .degree = answer->degree,
                    .chosen = true,
                    .placed = answer->servers > 0};
    bool declines = answer->kind == LP_ANSWER_RUN && answer->degree == 0 && answer->ways == NULL &&
                    !answer->has_plan && lp_world_job(b->s->world, b->job)->graph >= 0;
    if (declines)
        own.kind = LP_ANSWER_DECLINE;
    else if (answer->kind == LP_ANSWER_RUN)
        LP_TRY(predict(b, answer, &own));
    if (own.plan.planned && own.plan.plan.tensor > 0)
        own.degree = lp_parallel_devices(&own.plan.plan);
    for (uint32_t i = 0; i < b->out->count; i++)
        if (declines ? b->out->row[i].kind == LP_ANSWER_DECLINE
                     : is_answer(&b->out->row[i], answer, &own.forecast)) {
            b->out->row[i].chosen = true;
            return LP_OK;
        }
    return add_row(b, &own);
}

static LpErr build(Builder *b) {
    LpSession *s = b->s;
    uint32_t most = s->scenario->partition.max_degree;
    b->out->arena = lp_arena_new(0);
    b->allowed = lp_alloc(most, sizeof *b->allowed);
    if (b->out->arena == NULL || b->allowed == NULL)
        return lp_fail_memory(b->diag, "the what-if table");
    if (lp_world_job(s->world, b->job)->graph >= 0)
        LP_TRY(lp_world_degrees(s->world, s->context, b->job, 0, b->allowed, most,
                                &b->allowed_count, b->diag));
    LP_TRY(add_degrees(b));
    const LpTally *tally = lp_world_tally(b->s->world);
    uint32_t free_servers = lp_world_free_servers(b->s->world);
    LpWhatIf row = {.of_limit = (double)NAN, .allowed = true, .free_after = free_servers};
    row.kind = LP_ANSWER_WAIT;
    row.accepted = tally->waiting < b->s->scenario->queue_capacity;
    if (b->s->scenario->queue_capacity > 0)
        LP_TRY(add_row(b, &row));
    row.kind = LP_ANSWER_DECLINE;
    row.accepted = false;
    LP_TRY(add_row(b, &row));
    return mark_chosen(b);
}

LpErr lp_whatif_table(LpSession *s, LpWhatIfs *out, LpDiag *diag) {
    LpWhatIfs table = {.job = lp_world_due(s->world),
                       .decision = lp_world_tally(s->world)->decisions,
                       .time = lp_world_now(s->world)};
    Builder b = {.s = s, .out = &table, .job = table.job, .diag = diag};
    if (table.job == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due");
    LpErr err = build(&b);
    lp_free(b.allowed);
    if (err != LP_OK)
        lp_whatif_fini(&table);
    else
        *out = table;
    return err;
}

void lp_whatif_fini(LpWhatIfs *table) {
    lp_free(table->row);
    lp_arena_free(table->arena);
    *table = (LpWhatIfs){0};
}

LpAnswer lp_whatif_answer(const LpWhatIf *row) {
    bool plan = row->plan.planned && row->plan.plan.tensor > 0;
    return (LpAnswer){.kind = row->kind,
                      .degree = row->degree,
                      .has_plan = plan,
                      .parallel = row->plan.plan,
                      .servers = row->placed ? row->servers : 0,
                      .server = row->placed ? row->server : NULL,
                      .why = "what if"};
}
