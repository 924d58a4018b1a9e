/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The store's tables. A step is keyed by everything it depends on: the partition (graph, ways,
 * kind, options), the orders, the scales of the network, the placement up to the fabric's
 * symmetry, and where circuits come and go those that it can use. Options, fabric and device are
 * the scenario's, and a store belongs to one. */
#include "sim/store/store_impl.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/debug_log.h"
#include "base/hash.h"
#include "sim/ranks/ranks_step.h"

LpStore *lp_store_new(void) {
    LpStore *store = lp_alloc(1, sizeof *store);
    if (store != NULL && (store->arena = lp_arena_new(0)) == NULL) {
        lp_free(store);
        return NULL;
    }
    return store;
}

void lp_store_free(LpStore *store) {
    if (store == NULL)
        return;
    for (size_t i = store->partitions_shared; i < store->partition_key.count; i++)
        lp_partition_free(store->partition[i]);
    LpIntern *tables[] = {&store->partition_key, &store->placement_key, &store->step_key,
                          &store->traffic_key,   &store->list_key,      &store->load_key,
                          &store->pairs_key,     &store->order_key,     &store->left_key,
                          &store->rest_key,      &store->first_key,     &store->spell_key,
                          &store->pattern_key,   &store->links_key,     &store->known_key};
    for (size_t i = 0; i < LP_COUNTOF(tables); i++)
        lp_intern_fini(tables[i]);
    for (size_t i = 0; store->by_degree != NULL && store->by_degree[i] != NULL; i++)
        lp_free(store->by_degree[i]);
    lp_free(store->by_degree);
    lp_free(store->plan_step);
    lp_free(store->needs);
    lp_free(store->partition);
    lp_free(store->placement);
    lp_store_close_placements(store);
    lp_free(store->step);
    lp_free(store->known);
    lp_free(store->stretch);
    lp_free(store->first);
    lp_free(store->traffic);
    lp_free(store->load);
    lp_free(store->pairs);
    lp_free(store->left);
    lp_free(store->rest_step);
    lp_free(store->stamp);
    lp_free(store->in_slice);
    lp_free(store->dense);
    lp_free(store->ways);
    lp_free(store->canonical);
    lp_free(store->key);
    lp_arena_free(store->arena);
    lp_free(store);
}

/* BYTES_PER_DEP: of the task graph and the run of one step, about. */
enum { KINDS = LP_PARTITION_KINDS, DEGREES_MAX = 4096, BYTES_PER_DEP = 100 };

LpErr lp_store_prepare(LpStore *store, const LpContext *context) {
    uint32_t ops = 1;
    size_t lists = (size_t)context->scenario->graphs * KINDS;
    uint32_t most = context->scenario->partition.max_degree;
    store->degrees = (most < DEGREES_MAX ? most : DEGREES_MAX) + 1;
    store->by_degree = lp_alloc(lists + 1, sizeof *store->by_degree); /* NULL-terminated */
    if (store->by_degree == NULL)
        return LP_ENOMEM;
    for (size_t i = 0; i < lists; i++)
        if ((store->by_degree[i] = lp_alloc(store->degrees, sizeof(uint32_t))) == NULL)
            return LP_ENOMEM;
    for (uint32_t g = 0; g < context->scenario->graphs; g++)
        if (context->scenario->graph[g]->ops > ops)
            ops = context->scenario->graph[g]->ops;
    store->ways = lp_alloc(ops, sizeof *store->ways);
    store->stamp = lp_alloc(context->fabric.servers, sizeof *store->stamp);
    store->in_slice = lp_alloc(context->fabric.servers, sizeof *store->in_slice);
    store->dense = lp_alloc(context->fabric.servers, sizeof *store->dense);
    store->plan_step = lp_alloc(context->scenario->graphs, sizeof *store->plan_step);
    return store->plan_step && store->ways && store->stamp && store->dense && store->in_slice
               ? LP_OK
               : LP_ENOMEM;
}

const LpPartition *lp_store_partition(const LpStore *store, uint32_t index) {
    LP_ASSERT(index < store->partition_key.count);
    return store->partition[index];
}

const LpStepSummary *lp_store_step(const LpStore *store, uint32_t index) {
    LP_ASSERT(index < store->step_key.count);
    return &store->step[index]->summary;
}

const uint32_t *lp_store_list(const LpStore *store, uint32_t index, uint32_t *count) {
    LP_ASSERT(index < store->list_key.count);
    const LpInternEntry *e = &store->list_key.entry[index];
    *count = (uint32_t)(e->len / sizeof(uint32_t));
    return e->bytes;
}

LpStoreStats lp_store_stats(const LpStore *store) {
    return (LpStoreStats){.partitions = store->partition_key.count,
                          .placements = store->placement_key.count,
                          .steps = store->step_key.count,
                          .step_hits = store->step_hits,
                          .step_misses = store->step_misses,
                          .bytes = lp_arena_bytes(store->arena)};
}

/* ---- partitions ---- */

LpErr lp_store_degree(const LpContext *context, uint32_t graph, LpPartitionKind kind,
                      uint32_t degree, uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    uint32_t *known = degree < store->degrees
                          ? &store->by_degree[(size_t)graph * KINDS + (size_t)kind][degree]
                          : NULL;
    if (known != NULL && *known != 0) {
        *index = *known - 1;
        return LP_OK;
    }
    LpCut cut = lp_context_cut(context, graph, kind);
    if (cut.graph->trace != NULL) {
        LP_TRY(lp_store_add_recorded(context, graph, index, diag));
    } else if (cut.graph->split != NULL) {
        const LpParallel *plan;
        LP_TRY(lp_store_choose_plan(context, graph, degree, &plan, diag));
        LP_TRY(lp_store_add_plan(context, graph, plan, index, diag));
    } else {
        lp_cut_ways(&cut, degree, store->ways);
        LP_TRY(lp_store_add_partition(context, graph, kind, store->ways, index, diag));
    }
    if (known != NULL)
        *known = *index + 1;
    return LP_OK;
}

LpErr lp_store_add_partition(const LpContext *context, uint32_t graph, LpPartitionKind kind,
                             const uint32_t *ways, uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    LpCut cut = lp_context_cut(context, graph, kind);
    uint32_t head[2] = {graph, (uint32_t)kind};
    size_t bytes = cut.graph->ops * sizeof *ways;
    uint64_t hash;
    if (lp_store_key_room(store, sizeof head + bytes) != LP_OK)
        return lp_fail_memory(diag, "a partition");
    size_t len =
        lp_store_key_add(store, lp_store_key_add(store, 0, head, sizeof head), ways, bytes);
    *index = lp_intern_find(&store->partition_key, store->key, len, &hash);
    if (*index != LP_NO_INDEX)
        return LP_OK;
    LpPartition *partition;
    LP_TRY(lp_context_allow(context, "the step of so many dependencies",
                            (double)lp_cut_count_deps(&cut, ways) * BYTES_PER_DEP, diag));
    LP_TRY(lp_partition_build(&cut, ways, &partition, diag));
    if (lp_store_keep_partition(context, partition, store->key, len, hash, index) != LP_OK) {
        lp_partition_free(partition);
        return lp_fail_memory(diag, "a partition");
    }
    LP_DEBUG(context->log, STORE, 2, "partition %u %.40s x%u parts %u", *index,
             partition->graph->id, partition->degree, partition->parts);
    return LP_OK;
}

/* ---- steps ---- */

static LpErr canonical_room(LpStore *store, size_t count) {
    void *items = store->canonical;
    LP_TRY(lp_grow(&items, &store->canonical_cap, count, sizeof *store->canonical));
    store->canonical = items;
    return LP_OK;
}

/* What of the lit circuits a step can see. */
typedef enum Sight {
    SIGHT_NETWORK, /* all of it */
    SIGHT_LINKS,   /* nobody forwards: the links between the servers of its placement */
    SIGHT_STAR,    /* one switch: the cables of its servers, which are alike */
    SIGHT_RANKS    /* as SIGHT_LINKS, of servers by their place among those of the placement */
} Sight;

typedef struct Seen {
    uint32_t sight;
    uint32_t number; /* of a network (0 where circuits do not come and go), else of what is seen */
} Seen;

/* A link between two servers of a placement, with its place among the links out of the one and
 * into the other, which are ports. */
typedef struct SeenLink {
    uint32_t from, to, tx, rx;
    double capacity, delay;
} SeenLink;

_Static_assert(sizeof(SeenLink) == 4 * sizeof(uint32_t) + 2 * sizeof(double),
               "its bytes are its key: no holes");

/* May the servers be renamed without a change of their order, which is that of a ring? Why a way is
 * missing names them: that is told where circuits do not follow. */
static bool may_rank(const LpContext *context, const LpPlacement *p, LpOrders orders) {
    const LpCluster *cluster = &context->scenario->cluster;
    if (orders.flows >= LP_ORDER_COUNT || !(cluster->ocs.interval > 0) ||
        cluster->packet.collective != LP_ALGORITHM_RING)
        return false;
    for (uint32_t i = 1; i < p->servers; i++)
        if (p->server[i - 1] >= p->server[i])
            return false;
    return true;
}

/* Leaves the name of each server in store->dense. */
static LpErr list_links(LpStore *store, const LpNetwork *n, const LpPlacement *p, bool ranks,
                        size_t *len) {
    *len = 0;
    if (++store->round == 0) /* a stale stamp could match again */
        store->round = 1;
    for (uint32_t i = 0; i < p->servers; i++) {
        store->stamp[p->server[i]] = store->round;
        store->dense[p->server[i]] = ranks ? i : p->server[i];
    }
    for (uint32_t i = 0; i < p->servers; i++) {
        uint32_t from = p->server[i], begin = n->out_begin[from], rx;
        for (uint32_t at = begin; at < n->out_begin[from + 1]; at++) {
            uint32_t link = n->out_link[at], to = n->to[link];
            if (store->stamp[to] != store->round)
                continue;
            for (rx = 0; n->in_link[n->in_begin[to] + rx] != link;)
                rx++;
            const SeenLink seen = {store->dense[from], store->dense[to], at - begin, rx,
                                   n->capacity[link],  n->delay[link]};
            LP_TRY(lp_store_key_room(store, *len + sizeof seen));
            *len = lp_store_key_add(store, *len, &seen, sizeof seen);
        }
    }
    return LP_OK;
}

/* The cable that all servers of a placement have; false where they differ. */
static bool star_cable(const LpNetwork *n, const LpPlacement *p, double cable[2]) {
    if (!lp_network_star(n) || p->servers == 0)
        return false;
    for (uint32_t i = 0; i < p->servers; i++) {
        uint32_t link = n->out_link[n->out_begin[p->server[i]]];
        if (i == 0) {
            cable[0] = n->capacity[link];
            cable[1] = n->delay[link];
        } else if (n->capacity[link] != cable[0] || n->delay[link] != cable[1])
            return false;
    }
    return true;
}

static LpErr see(const LpContext *context, const LpPlacement *p, LpOrders orders, Seen *out) {
    LpStore *store = context->store;
    const LpNetwork *n = context->fabric.network;
    double cable[2];
    uint64_t hash;
    size_t len;
    *out = (Seen){SIGHT_NETWORK, context->network};
    LP_TRY(lp_store_key_room(store, sizeof cable)); /* nothing lit is a list, too */
    if (lp_network_direct(n)) {
        bool ranks = may_rank(context, p, orders);
        LP_TRY(list_links(store, n, p, ranks, &len));
        out->sight = ranks ? SIGHT_RANKS : SIGHT_LINKS;
    } else if (star_cable(n, p, cable)) {
        len = lp_store_key_add(store, 0, cable, sizeof cable);
        out->sight = SIGHT_STAR;
    } else
        return LP_OK;
    out->number = lp_intern_find(&store->links_key, store->key, len, &hash);
    return out->number != LP_NO_INDEX
               ? LP_OK
               : lp_intern_add(&store->links_key, store->key, len, hash, &out->number);
}

/* Servers of different speed are not interchangeable: their type goes into the key. */
static size_t add_types(const LpContext *context, size_t at, const LpPartition *partition,
                        const LpPlacement *p, const Seen *seen) {
    const LpCluster *cluster = &context->scenario->cluster;
    if (context->circuits != NULL)
        at = lp_store_key_add(context->store, at, seen, sizeof *seen);
    if (partition->planned) {
        uint32_t node = lp_store_plan_node(partition, p);
        at = lp_store_key_add(context->store, at, &node, sizeof node);
    }
    if (context->speed == NULL)
        return at;
    for (uint32_t i = 0; i < p->group_begin[p->groups]; i++) {
        uint32_t type = lp_cluster_type_of(cluster, p->group_server[i]);
        at = lp_store_key_add(context->store, at, &type, sizeof type);
    }
    return at;
}

/* Which dimensions of a slice are rings, where that is not as in an empty pod. */
static size_t add_rings(const LpContext *context, size_t at, const LpPlacement *p,
                        const LpFabric *fabric) {
    if (p->slice == 0)
        return at;
    const bool *closed = context->scenario->slice[p->slice - 1].slice.closed;
    if (memcmp(fabric->slice->closed, closed, sizeof fabric->slice->closed) == 0)
        return at;
    return lp_store_key_add(context->store, at, fabric->slice->closed,
                            sizeof fabric->slice->closed);
}

/* Servers of a step by their places in the placement, which is in order. */
static void rename_by_rank(LpStore *store, const LpPlacement *p) {
    for (uint32_t i = 0; i < p->servers; i++)
        store->dense[p->server[i]] = i;
    for (uint32_t i = 0; i < p->group_begin[p->groups]; i++)
        store->canonical[i] = store->dense[p->group_server[i]];
}

/* Servers of a star renamed without a change of their order, which is that of a ring. */
static void rename_in_order(const LpContext *context, const LpPlacement *p) {
    LpStore *store = context->store;
    uint32_t count = p->group_begin[p->groups], next = 0;
    if (++store->round == 0) /* a stale stamp could match again */
        store->round = 1;
    for (uint32_t i = 0; i < count; i++)
        store->stamp[p->group_server[i]] = store->round;
    for (uint32_t s = 0; s < context->fabric.servers; s++)
        if (store->stamp[s] == store->round)
            store->dense[s] = next++;
    for (uint32_t i = 0; i < count; i++)
        store->canonical[i] = store->dense[p->group_server[i]];
}

static LpErr step_key(const LpContext *context, uint32_t partition, const LpPlacement *p,
                      LpOrders orders, const Seen *seen, size_t *len) {
    LpStore *store = context->store;
    uint32_t count = p->group_begin[p->groups];
    uint32_t head[4] = {partition, orders.ops, orders.flows, context->scales};
    LP_TRY(lp_store_key_room(store, lp_store_placement_room(p) + sizeof head +
                                        (count + 3) * sizeof(uint32_t)));
    LP_TRY(canonical_room(store, count));
    const LpFabric *fabric = lp_store_fabric(context, p);
    bool ring = context->scenario->cluster.packet.collective == LP_ALGORITHM_RING;
    if (seen->sight == SIGHT_RANKS)
        rename_by_rank(store, p);
    else if (orders.flows < LP_ORDER_COUNT && seen->sight == SIGHT_STAR && ring)
        rename_in_order(context, p);
    else if (orders.flows < LP_ORDER_COUNT)
        fabric->ops->canonical(fabric, p->group_server, count, store->canonical);
    else /* a list of flows counts them by server: relabelled servers are another order */
        memcpy(store->canonical, p->group_server, count * sizeof *store->canonical);
    *len = lp_store_key_add(store, 0, head, sizeof head);
    *len = lp_store_placement_key(store, *len, p, store->canonical);
    *len = add_rings(context, *len, p, fabric);
    *len = add_types(context, *len, store->partition[partition], p, seen);
    return LP_OK;
}

static LpStepInput input_of(const LpContext *context, uint32_t partition,
                            const LpPlacement *placement, LpOrders orders) {
    const LpScenario *scenario = context->scenario;
    const LpStore *store = context->store;
    bool turns = lp_store_turns(store->partition[partition]); /* then the list is for turns */
    return (LpStepInput){.fabric = lp_store_fabric(context, placement),
                         .options = &scenario->options,
                         .partition = store->partition[partition],
                         .placement = placement,
                         .order_ops = lp_store_rule(store, orders.ops),
                         .order_flows = lp_store_rule(store, orders.flows),
                         .op_priority = lp_store_priorities(store, orders.ops, NULL),
                         .flow_priority =
                             turns ? NULL : lp_store_priorities(store, orders.flows, NULL),
                         .device = scenario->cluster.type[0].device,
                         .speed = context->speed};
}

LpErr lp_store_graph(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpOrders orders, LpStepGraph *graph, LpDiag *diag) {
    LpStepInput input =
        input_of(context, partition, lp_store_placement(context->store, placement), orders);
    LpStepGraph made;
    LpStepSummary summary;
    if (input.partition->graph->trace != NULL) /* its order of collectives comes of running it */
        return lp_ranks_step(context->scratch, &input, graph, &summary, NULL, diag);
    LP_TRY(lp_step_graph(context->scratch, &input, &made, diag));
    if (input.partition->planned &&
        lp_store_plan_sends(context, input.partition, input.placement, &made, NULL) != LP_OK)
        return lp_fail_memory(diag, "what the groups of a plan send");
    *graph = made;
    return LP_OK;
}

LpErr lp_store_flows(const LpContext *context, uint32_t partition, uint32_t placement,
                     const LpFlow **out, uint32_t *count, LpDiag *diag) {
    LpStepGraph graph;
    *out = NULL;
    *count = 0;
    if (lp_published(&context->scenario->options, LP_OPT_STEP_CLOCK) ||
        context->store->partition[partition]->graph->trace != NULL)
        return LP_OK; /* there every dependency goes its own way, here all goes as it was recorded
                       */
    LpErr err = lp_store_graph(context, partition, placement, LP_RULES_SRPT, &graph, diag);
    if (err == LP_EREFUSED)
        return LP_OK; /* no such step, no flows */
    LP_TRY(err);
    if (lp_step_flows(context->scratch, &graph, out, count, NULL) != LP_OK)
        return lp_fail_memory(diag, "the flows of a step");
    return LP_OK;
}

static LpErr summarize(const LpContext *context, const LpStepInput *input, LpOrders orders,
                       LpStepSummary *out, LpDiag *diag) {
    LpStepGraph graph;
    const LpPartition *partition = input->partition;
    uint32_t more = 0;
    if (partition->graph->trace != NULL) {
        LP_TRY(lp_ranks_step(context->scratch, input, &graph, out, NULL, diag));
        return context->circuits != NULL ? lp_load_reach(&context->fabric, &graph, partition, diag)
                                         : LP_OK;
    }
    LP_TRY(lp_step_graph(context->scratch, input, &graph, diag));
    if (partition->planned &&
        lp_store_plan_sends(context, partition, input->placement, &graph, &more) != LP_OK)
        return lp_fail_memory(diag, "what the groups of a plan send");
    if (context->circuits != NULL)
        LP_TRY(lp_load_reach(&context->fabric, &graph, partition, diag));
    if (partition->planned)
        return lp_store_plan_summary(context, partition, input->placement, orders, &graph, more,
                                     out, diag);
    return lp_step_run(context->scratch, &graph, &context->scenario->options, out, NULL, diag);
}

LpErr lp_store_step_again(const LpContext *context, uint32_t partition, uint32_t placement,
                          LpOrders orders, LpStepSummary *out, LpDiag *diag) {
    const LpPlacement *at = lp_store_placement(context->store, placement);
    LpStepInput input = input_of(context, partition, at, orders);
    LpStepSummary fresh;
    input.no_trace = true;
    LP_TRY(summarize(context, &input, orders, &fresh, diag));
    *out = fresh;
    return LP_OK;
}

LpErr lp_store_simulate(const LpContext *context, uint32_t partition, const LpPlacement *placement,
                        LpOrders orders, LpStepEntry *entry, LpDiag *diag) {
    LpDiag local = {0};
    LpStepInput input = input_of(context, partition, placement, orders);
    input.no_trace = true;
    LpErr err = summarize(context, &input, orders, &entry->summary, &local);
    if (err == LP_EREFUSED) {
        entry->refused = err;
        snprintf(entry->reason, sizeof entry->reason, "%s", local.text);
        return LP_OK;
    }
    if (err != LP_OK && diag != NULL)
        *diag = local;
    return err;
}

/* A step of the store: level 1 if it was just simulated, else it was there. */
static void say_step(const LpContext *context, uint32_t partition, uint32_t placement,
                     uint32_t step, unsigned level) {
    const LpPartition *p = context->store->partition[partition];
    const LpStepEntry *entry = context->store->step[step];
    bool refused = entry->refused != LP_OK;
    if (!lp_debug_on(context->log, LP_DEBUG_STORE, level))
        return;
    lp_debug_line(context->log, LP_DEBUG_STORE, level,
                  "%s step %u %.40s x%u placement %u network %u speed %u: %.9g s%s%s",
                  level == 1 ? "simulate" : "found", step, p->graph->id, p->degree, placement,
                  context->network, context->scales, entry->summary.step_time,
                  refused ? ", refused: " : "", refused ? entry->reason : "");
}

/* The step of a placement of this number, which its content need not be read for. */
static LpErr keep_known(LpStore *store, const void *key, size_t len, uint64_t hash, uint32_t step) {
    void *items = store->known;
    uint32_t number;
    LP_TRY(lp_grow(&items, &store->known_cap, store->known_key.count + 1, sizeof *store->known));
    store->known = items;
    LP_TRY(lp_intern_add(&store->known_key, key, len, hash, &number));
    store->known[number] = step;
    return LP_OK;
}

static LpErr add_step(const LpContext *context, uint32_t partition, uint32_t placement,
                      LpOrders orders, const Seen *seen, uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    const LpPlacement *p = lp_store_placement(store, placement);
    size_t len;
    uint64_t hash;
    void *items = store->step;
    if (step_key(context, partition, p, orders, seen, &len) != LP_OK)
        return lp_fail_memory(diag, "a step");
    *index = lp_intern_find(&store->step_key, store->key, len, &hash);
    if (*index != LP_NO_INDEX) {
        store->step_hits++;
        say_step(context, partition, placement, *index, 2);
        return LP_OK;
    }
    store->step_misses++;
    if (lp_grow(&items, &store->step_cap, store->step_key.count + 1, sizeof *store->step) != LP_OK)
        return lp_fail_memory(diag, "a step");
    store->step = items;
    LpStepEntry *entry = lp_arena_alloc(store->arena, 1, sizeof *entry);
    if (entry == NULL)
        return lp_fail_memory(diag, "a step");
    LP_TRY(lp_store_simulate(context, partition, p, orders, entry, diag));
    if (lp_intern_add(&store->step_key, store->key, len, hash, index) != LP_OK)
        return lp_fail_memory(diag, "a step");
    entry->plan = (LpStepPlan){partition, placement, orders, context->scales, context->network};
    store->step[*index] = entry;
    say_step(context, partition, placement, *index, 1);
    return LP_OK;
}

LpErr lp_store_add_step(const LpContext *context, uint32_t partition, uint32_t placement,
                        LpOrders orders, uint32_t *index, LpDiag *diag) {
    LpStore *store = context->store;
    Seen seen;
    uint64_t hash;
    if (context->circuits == NULL)
        return add_step(context, partition, placement, orders, &(Seen){SIGHT_NETWORK, 0}, index,
                        diag);
    if (see(context, lp_store_placement(store, placement), orders, &seen) != LP_OK)
        return lp_fail_memory(diag, "a step");
    uint32_t key[] = {partition,       placement,  orders.ops, orders.flows,
                      context->scales, seen.sight, seen.number};
    uint32_t known = lp_intern_find(&store->known_key, key, sizeof key, &hash);
    if (known != LP_NO_INDEX) {
        *index = store->known[known];
        store->step_hits++;
        say_step(context, partition, placement, *index, 2);
        return LP_OK;
    }
    LP_TRY(add_step(context, partition, placement, orders, &seen, index, diag));
    if (keep_known(store, key, sizeof key, hash, *index) != LP_OK)
        return lp_fail_memory(diag, "a step");
    return LP_OK;
}

LpErr lp_store_trace(const LpContext *context, uint32_t partition, uint32_t placement,
                     LpOrders orders, LpStepGraph *graph, LpTrace *trace, LpDiag *diag) {
    LpStepSummary summary;
    const LpStore *store = context->store;
    if (store->partition[partition]->graph->trace != NULL) {
        LpStepInput input =
            input_of(context, partition, lp_store_placement(store, placement), orders);
        return lp_ranks_step(context->scratch, &input, graph, &summary, trace, diag);
    }
    LP_TRY(lp_store_graph(context, partition, placement, orders, graph, diag));
    if (store->partition[partition]->planned)
        return lp_store_plan_trace(context, store->partition[partition],
                                   lp_store_placement(store, placement), orders, graph, trace,
                                   diag);
    return lp_step_run(context->scratch, graph, &context->scenario->options, &summary, trace, diag);
}

/* ---- traffic and lists ---- */

/* Servers renamed by first appearance: two placements with the same pattern send the same bytes. */
static uint32_t rename_servers(const LpContext *context, const LpPlacement *p) {
    LpStore *store = context->store;
    uint32_t next = 0;
    if (++store->round == 0) /* a stale stamp could match again */
        store->round = 1;
    for (uint32_t i = 0; i < p->group_begin[p->groups]; i++) {
        uint32_t server = p->group_server[i];
        if (store->stamp[server] != store->round) {
            store->stamp[server] = store->round;
            store->dense[server] = next++;
        }
        store->canonical[i] = store->dense[server];
    }
    return next;
}

LpErr lp_store_add_traffic(const LpContext *context, uint32_t partition, uint32_t placement,
                           LpTraffic *out, LpDiag *diag) {
    LpStore *store = context->store;
    const LpPlacement *p = lp_store_placement(store, placement);
    uint64_t hash;
    LpStepGraph graph; /* what collectives send depends on where the servers are */
    if (store->partition[partition]->collectives > 0 &&
        lp_store_graph(context, partition, placement, LP_RULES_SRPT, &graph, NULL) == LP_OK) {
        *out = (LpTraffic){graph.flows, graph.channels, graph.flow_bytes};
        return LP_OK;
    }
    if (lp_store_key_room(store, lp_store_placement_room(p) + sizeof partition) != LP_OK ||
        canonical_room(store, p->group_begin[p->groups]) != LP_OK)
        return lp_fail_memory(diag, "a job's traffic");
    uint32_t servers = rename_servers(context, p);
    size_t len = lp_store_key_add(store, 0, &partition, sizeof partition);
    len = lp_store_placement_key(store, len, p, store->canonical);
    uint32_t index = lp_intern_find(&store->traffic_key, store->key, len, &hash);
    if (index != LP_NO_INDEX) {
        *out = store->traffic[index];
        return LP_OK;
    }
    LpTraffic traffic;
    void *items = store->traffic;
    if (lp_traffic_count(store->partition[partition], p, store->canonical, servers,
                         context->fabric.channels, &traffic) != LP_OK ||
        lp_grow(&items, &store->traffic_cap, store->traffic_key.count + 1,
                sizeof *store->traffic) != LP_OK)
        return lp_fail_memory(diag, "a job's traffic");
    store->traffic = items;
    if (lp_intern_add(&store->traffic_key, store->key, len, hash, &index) != LP_OK)
        return lp_fail_memory(diag, "a job's traffic");
    store->traffic[index] = *out = traffic;
    return LP_OK;
}

LpErr lp_store_add_list(const LpContext *context, const uint32_t *items, uint32_t count,
                        uint32_t *index, LpDiag *diag) {
    LpIntern *lists = &context->store->list_key;
    uint64_t hash;
    *index = lp_intern_find(lists, items, count * sizeof *items, &hash);
    if (*index != LP_NO_INDEX)
        return LP_OK;
    if (lp_intern_add(lists, items, count * sizeof *items, hash, index) != LP_OK)
        return lp_fail_memory(diag, "a list of degrees");
    return LP_OK;
}
