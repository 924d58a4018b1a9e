/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a fork says of ops, flows and light: each word is a list whose items one function
 * reads. */
#include "session/moment/job_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/pod/place.h"
#include "session/session_impl.h"
#include "sim/forecast.h"
#include "sim/place/slice.h"
#include "sim/turns/turns.h"
#include "sim/world.h"

enum { SHOWN = 80 };

/* A word that is being read. */
typedef struct Reading {
    LpSession *session;
    LpForkText *fork;
    const LpJob *job;
    const LpGraph *graph; /* NULL: a rigid job */
    LpJobWord word;
    const char *at;
    LpDiag *diag;
} Reading;

static const char *const names[LP_JOB_WORD_COUNT] = {
#define X(id, name) [LP_JOB_WORD_##id] = name,
    LP_JOB_WORD_TABLE(X)
#undef X
};

/* What a word looks like, for a complaint. */
static const char *const forms[LP_JOB_WORD_COUNT] = {
    [LP_JOB_WORD_CUBES] = "numbers of cubes with commas between them, such as 0-3,7",
    [LP_JOB_WORD_ORIGIN] = "three numbers of cubes, such as 1,2,0",
    [LP_JOB_WORD_WAYS] = "OP:WAYS with / between them, such as 2:4/5:2",
    [LP_JOB_WORD_PARTS] = "OPS:SERVERS with / between them, such as 1-4:0/5-8:2/9:0,2",
    [LP_JOB_WORD_ORDER_OPS] = "a rule and what goes first, such as srpt:4,5b",
    [LP_JOB_WORD_ORDER_FLOWS] = "a rule and what goes first, such as srpt:5-9,9b-5b",
    [LP_JOB_WORD_CIRCUITS] = "SERVER:AGGREGATOR such as 1:0,3:0, or FROM-TO such as 0-1,1-0@20ms",
    [LP_JOB_WORD_PHASE] = "on-demand or provisioned, and turns that are not, such as on-demand:1,4",
};

int lp_job_word_find(const char *key) {
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++)
        if (strcmp(names[i], key) == 0)
            return i;
    return -1;
}

const char *lp_job_word_name(LpJobWord word) {
    return names[word];
}

/* ---- the pieces of a word ---- */

static LpErr fail_form(const Reading *r) {
    char shown[SHOWN];
    return lp_fail(r->diag, LP_EINVAL, "fork: %s=\"%s\": expected %s", names[r->word],
                   lp_str_show(shown, sizeof shown, r->fork->word[r->word]), forms[r->word]);
}

static bool take(Reading *r, char c) {
    bool there = *r->at == c;
    r->at += there;
    return there;
}

static LpErr need(Reading *r, char c) {
    return take(r, c) ? LP_OK : fail_form(r);
}

static LpErr read_number(Reading *r, uint32_t *out) {
    uint64_t value = 0;
    const char *from = r->at;
    for (; isdigit((unsigned char)*r->at) && value <= UINT32_MAX; r->at++)
        value = value * 10 + (uint64_t)(*r->at - '0');
    *out = (uint32_t)value;
    return r->at > from && value < UINT32_MAX ? LP_OK : fail_form(r);
}

/* "4", or "4-6" */
static LpErr read_range(Reading *r, uint32_t *first, uint32_t *last) {
    LP_TRY(read_number(r, first));
    *last = *first;
    if (take(r, '-'))
        LP_TRY(read_number(r, last));
    return *first <= *last ? LP_OK : fail_form(r);
}

/* The number of an op is its id in the graph; *index is its place in the file. */
static LpErr find_op(const Reading *r, uint32_t number, uint32_t *index) {
    if (number < 1 || number > r->graph->ops)
        return lp_fail(r->diag, LP_EINVAL, "fork: %s: there is no op %u: \"%s\" has ops 1 to %u",
                       names[r->word], number, r->graph->id, r->graph->ops);
    *index = r->graph->by_number[number];
    return LP_OK;
}

/* "5b": an op as a partition counts them, those of the way back behind all others. */
static LpErr read_op(Reading *r, uint32_t *op, bool *backward) {
    uint32_t number, index;
    LP_TRY(read_number(r, &number));
    LP_TRY(find_op(r, number, &index));
    *backward = take(r, 'b');
    *op = *backward ? r->graph->ops + index : index;
    return LP_OK;
}

/* The rule in front, up to a colon or the end. */
static LpErr read_rule(Reading *r, int (*find)(const char *name), int *out) {
    char name[32];
    size_t len = strcspn(r->at, ":");
    lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, r->at);
    r->at += len;
    *out = find(name);
    bool ends = *r->at == '\0' || (take(r, ':') && *r->at != '\0');
    return *out >= 0 && ends ? LP_OK : fail_form(r);
}

/* ---- places of slices ---- */

static LpErr find_slice(const Reading *r, bool fixed, const LpSlice **out) {
    const char *name = names[r->word];
    *out = r->job->slice.row > 0 ? lp_job_slice(r->session->context, r->job) : NULL;
    if (*out == NULL)
        return lp_fail(r->diag, LP_EREFUSED, "fork: %s: job %u asks for no slice of a pod", name,
                       r->job->id);
    if ((*out)->cubes == 0)
        return lp_fail(r->diag, LP_EREFUSED,
                       "fork: %s: the slice is a part of a cube: expected servers=, all of them",
                       name);
    if (r->session->context->fabric.cluster->pod.net.fixed == fixed)
        return LP_OK;
    return lp_fail(r->diag, LP_EREFUSED,
                   fixed ? "fork: origin: on switched wiring a slice takes any cubes: expected "
                           "cubes=, such as cubes=0-3,7"
                         : "fork: cubes: on static wiring a slice is a box of cubes: expected "
                           "origin=X,Y,Z, its lowest corner");
}

static LpErr take_slice(const Reading *r, const LpSlice *slice, uint32_t **server) {
    *server = lp_arena_alloc(r->fork->arena, slice->accelerators, sizeof **server);
    if (*server == NULL)
        return lp_fail_memory(r->diag, "a fork");
    r->fork->answer.server = *server;
    r->fork->answer.servers = slice->accelerators;
    r->fork->answer.part_begin = r->fork->answer.part_server = NULL;
    return LP_OK;
}

static LpErr read_cubes(Reading *r) {
    const LpPod *pod = &r->session->context->fabric.cluster->pod.net;
    const LpSlice *slice;
    uint32_t count = 0, first, last, *server;
    char name[LP_SLICE_TEXT];
    LP_TRY(find_slice(r, false, &slice));
    uint32_t *cube = lp_arena_alloc(r->fork->arena, pod->cubes, sizeof *cube);
    if (cube == NULL)
        return lp_fail_memory(r->diag, "a fork");
    do {
        if (*r->at == '\0' && count == 0)
            break; /* none of them */
        LP_TRY(read_range(r, &first, &last));
        if (last >= pod->cubes)
            return lp_fail(r->diag, LP_EREFUSED, "fork: there is no cube %u: cubes are 0 to %u",
                           last, pod->cubes - 1);
        for (; first <= last && count < pod->cubes; first++)
            cube[count++] = first;
    } while (take(r, ','));
    if (count != slice->cubes)
        return lp_fail(r->diag, LP_EREFUSED, "fork: %u cube%s, slice %s takes %u", count,
                       lp_str_s(count), lp_slice_name(slice, name), slice->cubes);
    LP_TRY(take_slice(r, slice, &server));
    lp_pod_lay(pod, slice, cube, server);
    return LP_OK;
}

static LpErr read_origin(Reading *r) {
    const LpSlice *slice;
    LpSliceView view = {r->session->context, r->session->world, false};
    LpPodPlaces places = {0};
    uint32_t at[3], *server;
    char name[LP_SLICE_TEXT];
    LP_TRY(find_slice(r, true, &slice));
    for (int axis = 0; axis < 3; axis++) {
        if (axis > 0)
            LP_TRY(need(r, ','));
        LP_TRY(read_number(r, &at[axis]));
    }
    LP_TRY(take_slice(r, slice, &server));
    LpPodSite site = lp_slice_site(&view);
    while (lp_pod_places_next(&places, &site, slice, server))
        if (memcmp(places.box.origin, at, sizeof at) == 0)
            return LP_OK;
    return lp_fail(r->diag, LP_EREFUSED, "fork: no box of slice %s is free from cube %u,%u,%u on",
                   lp_slice_name(slice, name), at[0], at[1], at[2]);
}

/* ---- partition and place ---- */

/* How the answer cuts the job so far. */
static LpErr outline(const Reading *r, uint32_t *partition, uint32_t *placement) {
    const LpSession *s = r->session;
    LP_TRY(lp_world_outline(s->world, s->context, r->job->id, &r->fork->answer, partition,
                            placement, r->diag));
    if (*partition != LP_NO_INDEX)
        return LP_OK;
    return lp_fail(r->diag, LP_EREFUSED,
                   "fork: %s: the job is not cut here, so there is nothing "
                   "to choose",
                   names[r->word]);
}

static LpErr read_ways(Reading *r) {
    const LpStore *store = r->session->context->store;
    uint32_t partition, placement, number, index, value;
    LP_TRY(outline(r, &partition, &placement));
    uint32_t *ways = lp_arena_alloc(r->fork->arena, r->graph->ops, sizeof *ways);
    if (ways == NULL)
        return lp_fail_memory(r->diag, "a fork");
    memcpy(ways, lp_store_partition(store, partition)->ways, r->graph->ops * sizeof *ways);
    do {
        LP_TRY(read_number(r, &number));
        LP_TRY(find_op(r, number, &index));
        LP_TRY(need(r, ':'));
        LP_TRY(read_number(r, &value));
        if (value == 0)
            return fail_form(r);
        ways[index] = value;
    } while (take(r, '/'));
    r->fork->answer.ways = ways;
    return LP_OK;
}

/* The servers of each op while `parts` is read. */
typedef struct Parts {
    uint32_t *first, *count; /* per op, into `server` */
    uint32_t *server, servers;
} Parts;

static LpErr read_part(Reading *r, Parts *p) {
    uint32_t from, to, index, first = p->servers;
    LP_TRY(read_range(r, &from, &to));
    LP_TRY(need(r, ':'));
    do {
        LP_TRY(read_number(r, &p->server[p->servers]));
        p->servers++;
    } while (take(r, ','));
    for (uint32_t number = from; number <= to; number++) {
        LP_TRY(find_op(r, number, &index));
        p->first[index] = first;
        p->count[index] = p->servers - first;
    }
    return LP_OK;
}

/* Ops that are not named lie as the answer has them, which must say it, then. */
static LpErr count_ways(const Reading *r, const Parts *p, uint32_t *ways, size_t *all) {
    const LpAnswer *was = &r->fork->answer;
    *all = 0;
    for (uint32_t i = 0; i < r->graph->ops; i++) {
        bool named = p->count[i] > 0;
        if (!named && was->part_begin == NULL)
            return lp_fail(r->diag, LP_EINVAL,
                           "fork: parts has no server for op %u: expected all ops from 1 to %u",
                           r->graph->op[i].number, r->graph->ops);
        ways[i] = named ? p->count[i] : was->part_begin[i + 1] - was->part_begin[i];
        *all += ways[i];
    }
    return LP_OK;
}

static void settle_parts(const Reading *r, const Parts *p, const uint32_t *ways, uint32_t *begin,
                         uint32_t *server) {
    const LpAnswer *was = &r->fork->answer;
    begin[0] = 0;
    for (uint32_t i = 0; i < r->graph->ops; i++) {
        memcpy(&server[begin[i]],
               p->count[i] > 0 ? &p->server[p->first[i]] : &was->part_server[was->part_begin[i]],
               ways[i] * sizeof *server);
        begin[i + 1] = begin[i] + ways[i];
    }
}

static LpErr read_parts(Reading *r) {
    LpAnswer *answer = &r->fork->answer;
    LpArena *arena = r->fork->arena;
    uint32_t ops = r->graph->ops;
    size_t all;
    Parts p = {.first = lp_arena_alloc(arena, ops, sizeof *p.first),
               .count = lp_arena_alloc(arena, ops, sizeof *p.count),
               .server = lp_arena_alloc(arena, strlen(r->at) / 2 + 1, sizeof *p.server)};
    uint32_t *begin = lp_arena_alloc(arena, (size_t)ops + 1, sizeof *begin),
             *ways = lp_arena_alloc(arena, ops, sizeof *ways);
    if (p.first == NULL || p.count == NULL || p.server == NULL || begin == NULL || ways == NULL)
        return lp_fail_memory(r->diag, "a fork");
    memset(p.count, 0, ops * sizeof *p.count);
    do
        LP_TRY(read_part(r, &p));
    while (take(r, '/'));
    LP_TRY(count_ways(r, &p, ways, &all));
    uint32_t *server = lp_arena_alloc(arena, all, sizeof *server);
    if (server == NULL)
        return lp_fail_memory(r->diag, "a fork");
    settle_parts(r, &p, ways, begin, server);
    answer->part_begin = begin;
    answer->part_server = server;
    answer->ways = ways;
    answer->servers = 0;
    answer->server = NULL;
    return LP_OK;
}

/* ---- orders ---- */

/* The list in the order in which it goes first becomes priorities: the first of n has n. */
typedef struct First {
    double *priority;
    uint32_t count, named, items; /* priorities; items of the list, read so far and in all */
} First;

static LpErr begin_first(const Reading *r, uint32_t count, First *out) {
    *out = (First){lp_arena_alloc(r->fork->arena, count, sizeof *out->priority), count, 0, 1};
    if (out->priority == NULL)
        return lp_fail_memory(r->diag, "a fork");
    for (uint32_t i = 0; i < count; i++)
        out->priority[i] = 0;
    for (const char *c = r->at; *c != '\0'; c++)
        out->items += *c == ',';
    return LP_OK;
}

static LpErr read_first_op(Reading *r, const LpPartition *p, First *first) {
    uint32_t op, part = 0;
    bool backward;
    LP_TRY(read_op(r, &op, &backward));
    if (take(r, '.')) {
        LP_TRY(read_number(r, &part));
        if (part < 1 || part > p->ways[op])
            return lp_fail(r->diag, LP_EINVAL,
                           "fork: order_ops: there is no part %u of an op in "
                           "%u parts",
                           part, p->ways[op]);
    }
    for (uint32_t k = 0; k < p->ways[op]; k++)
        if (part == 0 || k == part - 1)
            first->priority[p->part_begin[op] + k] = first->items - first->named;
    first->named++;
    return LP_OK;
}

static LpErr refuse_plan(const Reading *r) {
    if (r->graph->split == NULL)
        return LP_OK;
    return lp_fail(r->diag, LP_EREFUSED,
                   "fork: %s: job %u runs by a plan, which has its own "
                   "schedule",
                   names[r->word], r->job->id);
}

static LpErr read_order_ops(Reading *r) {
    LpAnswer *answer = &r->fork->answer;
    uint32_t partition, placement;
    int rule;
    First first;
    LP_TRY(refuse_plan(r));
    LP_TRY(read_rule(r, lp_order_find, &rule));
    answer->order_ops = (LpOrder)rule;
    answer->op_priority = NULL;
    answer->op_priorities = 0;
    if (*r->at == '\0')
        return LP_OK;
    LP_TRY(outline(r, &partition, &placement));
    const LpPartition *p = lp_store_partition(r->session->context->store, partition);
    LP_TRY(begin_first(r, p->parts, &first));
    do
        LP_TRY(read_first_op(r, p, &first));
    while (take(r, ','));
    answer->op_priority = first.priority;
    answer->op_priorities = first.count;
    return LP_OK;
}

/* "5-9", "9b-5b": what one op sends to another, between whichever servers. */
static LpErr read_first_flow(Reading *r, const LpPartition *p, const LpFlow *flow, First *first) {
    uint32_t from, to, found = 0;
    bool back_from, back_to;
    const char *begin = r->at;
    LP_TRY(read_op(r, &from, &back_from));
    LP_TRY(need(r, '-'));
    LP_TRY(read_op(r, &to, &back_to));
    for (uint32_t i = 0; i < first->count; i++) {
        const LpLink *link = &p->link[flow[i].link];
        if (link->src != from || link->dst != to)
            continue;
        first->priority[i] = first->items - first->named;
        found++;
    }
    first->named++;
    if (found > 0)
        return LP_OK;
    return lp_fail(r->diag, LP_EINVAL,
                   "fork: order_flows: nothing goes by light from op to op as "
                   "\"%.*s\" says",
                   (int)(r->at - begin), begin);
}

static LpErr read_order_flows(Reading *r) {
    LpAnswer *answer = &r->fork->answer;
    const LpContext *context = lp_world_context(r->session->world, r->session->context);
    uint32_t partition, placement, count;
    const LpFlow *flow;
    int rule;
    First first;
    LP_TRY(refuse_plan(r));
    LP_TRY(read_rule(r, lp_order_find, &rule));
    answer->order_flows = (LpOrder)rule;
    answer->flow_priority = NULL;
    answer->flow_priorities = 0;
    if (*r->at == '\0')
        return LP_OK;
    LP_TRY(outline(r, &partition, &placement));
    if (placement == LP_NO_INDEX)
        return lp_fail(r->diag, LP_EREFUSED, "fork: order_flows: the job has no place here");
    LP_TRY(lp_store_flows(context, partition, placement, &flow, &count, r->diag));
    LP_TRY(begin_first(r, count, &first));
    do
        LP_TRY(read_first_flow(r, lp_store_partition(context->store, partition), flow, &first));
    while (take(r, ','));
    answer->flow_priority = first.priority;
    answer->flow_priorities = first.count;
    return LP_OK;
}

/* ---- light ---- */

static LpErr read_links(Reading *r) {
    LpRegroupLink *link = lp_arena_alloc(r->fork->arena, strlen(r->at) / 2 + 1, sizeof *link);
    uint32_t links = 0;
    if (link == NULL)
        return lp_fail_memory(r->diag, "a fork");
    do {
        link[links].join = true;
        LP_TRY(read_number(r, &link[links].a));
        LP_TRY(need(r, ':'));
        LP_TRY(read_number(r, &link[links++].b));
    } while (take(r, ','));
    r->fork->spec.link = link;
    r->fork->spec.links = links;
    return LP_OK;
}

static LpErr read_hold(Reading *r, double *out) {
    char text[32];
    *out = 1;
    if (!take(r, '@'))
        return LP_OK;
    size_t len = strcspn(r->at, "/");
    if (len >= sizeof text)
        return fail_form(r);
    lp_str_copy(text, len + 1, r->at);
    r->at += len;
    return lp_quantity_parse(text, LP_DIM_TIME, out, NULL) == LP_OK && *out > 0 ? LP_OK
                                                                                : fail_form(r);
}

/* One matching into to[ports]. */
static LpErr read_matching(Reading *r, uint32_t ports, uint32_t *to) {
    uint32_t from, out;
    for (uint32_t i = 0; i < ports; i++)
        to[i] = LP_DARK;
    do {
        LP_TRY(read_number(r, &from));
        LP_TRY(need(r, '-'));
        LP_TRY(read_number(r, &out));
        if (from >= ports || out >= ports)
            return lp_fail(r->diag, LP_EINVAL,
                           "fork: circuits: there is no port %u: ports are 0 "
                           "to %u",
                           from >= ports ? from : out, ports - 1);
        bool twice = to[from] != LP_DARK;
        for (uint32_t i = 0; i < ports; i++)
            twice = twice || to[i] == out;
        if (twice)
            return lp_fail(r->diag, LP_EINVAL,
                           "fork: circuits: %u-%u is a second circuit of its "
                           "port in one matching: put / before it, and they take turns",
                           from, out);
        to[from] = out;
    } while (take(r, ','));
    return LP_OK;
}

static LpErr read_matchings(Reading *r) {
    uint32_t ports = r->session->scenario->cluster.ocs.ports, entries = 1, e = 0;
    for (const char *c = r->at; *c != '\0'; c++)
        entries += *c == '/';
    if (entries > LP_SCHEDULE_ENTRIES_MAX)
        return fail_form(r);
    uint32_t *to = lp_arena_alloc(r->fork->arena, (size_t)entries * ports, sizeof *to);
    double *hold = lp_arena_alloc(r->fork->arena, entries, sizeof *hold);
    if (to == NULL || hold == NULL)
        return lp_fail_memory(r->diag, "a fork");
    do {
        LP_TRY(read_matching(r, ports, &to[(size_t)e * ports]));
        LP_TRY(read_hold(r, &hold[e++]));
    } while (take(r, '/'));
    r->fork->schedule = (LpSchedule){ports, entries, to, hold};
    r->fork->spec.schedule = &r->fork->schedule;
    return LP_OK;
}

static LpErr read_circuits(Reading *r) {
    const LpContext *context = r->session->context;
    if (context->circuits != NULL && *r->at == '\0')
        return lp_fail(r->diag, LP_EINVAL,
                       "fork: circuits: no circuit is set: expected one or more");
    if (context->circuits == NULL)
        return lp_fail(r->diag, LP_EREFUSED,
                       "fork: circuits: the fabric %s has no circuits to set: what is lit follows "
                       "from the place",
                       context->fabric.ops->name);
    bool links = strchr(r->at, ':') != NULL;
    if (links != (r->session->scenario->cluster.ocs.aggregators > 0))
        return lp_fail(r->diag, LP_EINVAL, "fork: circuits=\"%s\": %s", r->at,
                       links ? "no aggregators here: expected circuits from port to port, such as "
                               "0-1,1-0"
                             : "servers join aggregators here: expected SERVER:AGGREGATOR, such as "
                               "1:0,3:0");
    return links ? read_links(r) : read_matchings(r);
}

static int find_phase(const char *name) {
    static const LpTurnOrders all[] = {LP_TURN_DEMAND, LP_TURN_PROVISIONED};
    for (size_t i = 0; i < LP_COUNTOF(all); i++)
        if (strcmp(lp_turn_orders_name(all[i]), name) == 0)
            return (int)all[i];
    return -1;
}

static LpErr read_phase(Reading *r) {
    const LpContext *context = lp_world_context(r->session->world, r->session->context);
    const LpStore *store = context->store;
    uint32_t partition, placement, turns = 0, turn;
    int rule;
    LP_TRY(read_rule(r, find_phase, &rule));
    bool some = *r->at != '\0';
    LP_TRY(outline(r, &partition, &placement));
    if (placement != LP_NO_INDEX)
        LP_TRY(lp_store_count_turns(context, lp_store_partition(store, partition),
                                    lp_store_placement(store, placement), &turns, r->diag));
    if (turns == 0)
        return lp_fail(r->diag, LP_EREFUSED,
                       "fork: phase: no circuit turns inside a step of job "
                       "%u here",
                       r->job->id);
    double *choice = lp_arena_alloc(r->fork->arena, turns, sizeof *choice);
    if (choice == NULL)
        return lp_fail_memory(r->diag, "a fork");
    for (uint32_t i = 0; i < turns; i++)
        choice[i] = rule == LP_TURN_PROVISIONED;
    while (some) {
        LP_TRY(read_number(r, &turn));
        if (turn < 1 || turn > turns)
            return lp_fail(r->diag, LP_EINVAL,
                           "fork: phase: there is no turn %u: a step has turns "
                           "1 to %u",
                           turn, turns);
        choice[turn - 1] = rule != LP_TURN_PROVISIONED;
        some = take(r, ',');
    }
    r->fork->answer.flow_priority = choice;
    r->fork->answer.flow_priorities = turns;
    return LP_OK;
}

/* ---- all of them ---- */

typedef struct Row {
    bool cut; /* only of a job that is cut */
    LpErr (*read)(Reading *r);
} Row;

/* In this order: orders are for the parts and flows of a known place. */
static const Row rows[LP_JOB_WORD_COUNT] = {
    [LP_JOB_WORD_CUBES] = {false, read_cubes},
    [LP_JOB_WORD_ORIGIN] = {false, read_origin},
    [LP_JOB_WORD_WAYS] = {true, read_ways},
    [LP_JOB_WORD_PARTS] = {true, read_parts},
    [LP_JOB_WORD_ORDER_OPS] = {true, read_order_ops},
    [LP_JOB_WORD_ORDER_FLOWS] = {true, read_order_flows},
    [LP_JOB_WORD_CIRCUITS] = {false, read_circuits},
    [LP_JOB_WORD_PHASE] = {true, read_phase},
};

LpErr lp_fork_read_job_words(LpSession *session, LpForkText *fork, LpDiag *diag) {
    uint32_t due = lp_world_due(session->world);
    if (due == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due here: there is nothing to answer");
    const LpJob *job = lp_world_job(session->world, due);
    const LpGraph *graph = job->graph >= 0 ? session->scenario->graph[job->graph] : NULL;
    for (int i = 0; i < LP_JOB_WORD_COUNT; i++) {
        if (fork->word[i] == NULL)
            continue;
        Reading r = {session, fork, job, graph, (LpJobWord)i, fork->word[i], diag};
        if (graph == NULL && rows[i].cut)
            return lp_fail(diag, LP_EREFUSED,
                           "fork: %s: job %u is not cut: it is a number of servers and a time",
                           names[i], due);
        LP_TRY(rows[i].read(&r));
        if (*r.at != '\0')
            return fail_form(&r);
    }
    return LP_OK;
}
