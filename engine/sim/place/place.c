/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Placement. Servers belong to one job at a time; memory is budgeted before anything is mounted. */
#include "sim/place/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/debug_log.h"
#include "sim/place/asked.h"
#include "sim/state/debug.h"
#include "sim/store/store_impl.h"

enum { MAX_GROUPS = 65535 };

/* What a search for servers looks at. */
typedef struct Site {
    const LpContext *context;
    const LpWorld *world;
    const LpPartition *partition;
    LpPlaceScratch *s;
    const double *need; /* bytes by block position, or NULL: `each` for all */
    double each;
    bool roomy; /* memory cannot run out whatever is placed where: nothing is budgeted */
    bool ample; /* of one block: every server has the memory that any of its positions needs */
} Site;

LpPlaceScratch *lp_place_scratch_new(const LpContext *context) {
    LpPlaceScratch *s = lp_alloc(1, sizeof *s);
    uint32_t servers = context->fabric.servers, ops = 1;
    uint32_t nodes = context->fabric.cluster->tree->nodes;
    if (s == NULL)
        return NULL;
    for (uint32_t g = 0; g < context->scenario->graphs; g++)
        if (context->scenario->graph[g]->ops > ops)
            ops = context->scenario->graph[g]->ops;
    s->ops_cap = ops;
    s->op_group = lp_alloc(ops, sizeof *s->op_group);
    s->group_begin = lp_alloc((size_t)ops + 2, sizeof *s->group_begin);
    s->block = lp_alloc(servers, sizeof *s->block);
    s->need = lp_alloc(servers, sizeof *s->need);
    s->used = lp_alloc(servers, sizeof *s->used);
    s->stamp = lp_alloc(servers, sizeof *s->stamp);
    s->server = lp_alloc(servers, sizeof *s->server);
    s->room = lp_alloc(nodes, sizeof *s->room);
    s->take = lp_alloc(nodes, sizeof *s->take);
    s->blocks = lp_blocks_new(&context->fabric);
    if (!s->op_group || !s->group_begin || !s->block || !s->need || !s->used || !s->stamp ||
        !s->server || !s->room || !s->take || !s->blocks) {
        lp_place_scratch_free(s);
        return NULL;
    }
    return s;
}

void lp_place_scratch_free(LpPlaceScratch *s) {
    if (s == NULL)
        return;
    lp_known_fini(&s->known);
    lp_blocks_free(s->blocks);
    lp_known_fini_shapes(&s->shapes);
    void *owned[] = {s->op_group, s->group_begin, s->group_server, s->block, s->need,
                     s->used,     s->stamp,       s->server,       s->room,  s->take};
    for (size_t i = 0; i < LP_COUNTOF(owned); i++)
        lp_free(owned[i]);
    lp_free(s);
}

/* ---- memory ---- */

static double capacity(const Site *site, uint32_t server) {
    const LpCluster *cluster = &site->context->scenario->cluster;
    return cluster->type[cluster->types == 1 ? 0 : lp_cluster_type_of(cluster, server)].memory;
}

static double least_memory(const Site *site) {
    const LpCluster *cluster = &site->context->scenario->cluster;
    double least = cluster->type[0].memory;
    for (uint32_t t = 1; t < cluster->types; t++)
        if (cluster->type[t].memory < least)
            least = cluster->type[t].memory;
    return least;
}

static double most_memory(const Site *site) {
    const LpCluster *cluster = &site->context->scenario->cluster;
    double most = 0;
    for (uint32_t t = 0; t < cluster->types; t++)
        if (cluster->type[t].memory > most)
            most = cluster->type[t].memory;
    return most;
}

static double used(const Site *site, uint32_t server) {
    return site->s->stamp[server] == site->s->round ? site->s->used[server] : 0;
}

static void use(const Site *site, uint32_t server, double bytes) {
    double before = used(site, server);
    site->s->stamp[server] = site->s->round;
    site->s->used[server] = before + bytes;
}

static bool is_free(const Site *site, uint32_t server) {
    return site->world == NULL || lp_world_server_free(site->world, server);
}

static bool test_fit(const void *context, uint32_t server, uint32_t position) {
    const Site *site = context;
    double need = site->need != NULL ? site->need[position] : site->each;
    return site->roomy || capacity(site, server) - used(site, server) >= need;
}

/* Blocks of n free servers, or with `fit` of those that also have the memory. */
static void search_blocks(LpBlockSearch *search, const Site *site, uint32_t n, bool fallbacks,
                          bool fit) {
    const LpFabric *fabric = &site->context->fabric;
    LpServerTest test = fit && !site->roomy && !site->ample ? test_fit : NULL;
    const LpRoom *room = site->world != NULL ? lp_world_room(site->world) : NULL;
    uint32_t shapes;
    const LpShape *shape = lp_known_shapes(&site->s->shapes, fabric, n, fallbacks, &shapes);
    if (shape != NULL)
        lp_block_search_listed(search, fabric, n, shape, shapes, room, test, site);
    else if (room != NULL)
        lp_block_search_in(search, fabric, n, fallbacks, room, test, site);
    else
        lp_block_search(search, fabric, n, fallbacks, test, site);
}

static void say_block(const Site *site, const LpBlockSearch *search, bool found,
                      const uint32_t *block) {
    char shape[LP_SHAPE_TEXT] = "", servers[LP_DEBUG_NUMBERS];
    if (found)
        lp_shape_print(&search->shape[search->at_shape], shape);
    if (found && block != NULL)
        lp_debug_line(site->context->log, LP_DEBUG_PLACE, 2, "look for %u: block %s servers%s",
                      search->n, shape, lp_debug_numbers(block, search->n, servers));
    else
        lp_debug_line(site->context->log, LP_DEBUG_PLACE, 2, "look for %u: %s%s", search->n,
                      found ? "there is one, " : "no block", shape);
}

/* The first block that a search finds, into `block` (NULL allowed); false: there is none. */
static bool next_block(const Site *site, LpBlockSearch *search, uint32_t *block) {
    bool found = lp_block_next(search, block);
    if (lp_debug_on(site->context->log, LP_DEBUG_PLACE, 2))
        say_block(site, search, found, block);
    return found;
}

/* ---- groups of servers ---- */

static LpErr add_group(LpPlaceScratch *s, const uint32_t *servers, uint32_t count,
                       uint16_t *group) {
    uint32_t begin = s->group_begin[s->groups];
    void *items = s->group_server;
    LP_TRY(lp_grow(&items, &s->group_server_cap, (size_t)begin + count, sizeof *s->group_server));
    s->group_server = items;
    memcpy(s->group_server + begin, servers, count * sizeof *servers);
    *group = (uint16_t)s->groups;
    s->group_begin[++s->groups] = begin + count;
    return LP_OK;
}

static void reset(LpPlaceScratch *s) {
    s->groups = 0;
    s->group_begin[0] = 0;
    s->round++;
    if (s->round == 0) /* a stale stamp could match again */
        s->round = 1;
}

static int compare_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Distinct servers of all groups, ascending. */
static uint32_t distinct_servers(LpPlaceScratch *s) {
    uint32_t count = 0;
    s->round++;
    for (uint32_t i = 0; i < s->group_begin[s->groups]; i++) {
        uint32_t server = s->group_server[i];
        if (s->stamp[server] == s->round)
            continue;
        s->stamp[server] = s->round;
        s->used[server] = 0;
        s->server[count++] = server;
    }
    qsort(s->server, count, sizeof *s->server, compare_u32);
    return count;
}

static void fill(const Site *site, uint32_t servers, const LpShape *shape, LpPlacement *out) {
    LpPlaceScratch *s = site->s;
    *out = (LpPlacement){.ops = site->partition != NULL ? site->partition->graph->ops : 0,
                         .op_group = s->op_group,
                         .groups = s->groups,
                         .group_begin = s->group_begin,
                         .group_server = s->group_server,
                         .servers = servers,
                         .server = s->server};
    if (shape != NULL)
        out->shape = *shape;
}

/* ---- published first fit (semantics 5) ---- */

static bool fits_parent(const Site *site, uint16_t group, uint32_t ways, double bytes) {
    const LpPlaceScratch *s = site->s;
    uint32_t begin = s->group_begin[group], end = s->group_begin[group + 1];
    if (end - begin != ways)
        return false;
    if (site->roomy)
        return true;
    double room = 0;
    for (uint32_t i = begin; i < end; i++)
        room += capacity(site, s->group_server[i]) - used(site, s->group_server[i]);
    return room >= bytes;
}

static bool parent_group(const Site *site, uint32_t op, double bytes, uint16_t *group) {
    const LpGraph *graph = site->partition->graph;
    for (uint32_t i = graph->pred_begin[op]; i < graph->pred_begin[op + 1]; i++) {
        uint16_t candidate = site->s->op_group[graph->pred[i]];
        if (fits_parent(site, candidate, site->partition->ways[op], bytes)) {
            *group = candidate;
            return true;
        }
    }
    return false;
}

/* Where memory cannot run out, every search for `ways` servers finds the same block again. */
static bool same_block(const Site *site, uint32_t ways, uint16_t *group) {
    const LpPlaceScratch *s = site->s;
    for (uint32_t g = 0; site->roomy && g < s->groups; g++)
        if (s->group_begin[g + 1] - s->group_begin[g] == ways) {
            *group = (uint16_t)g;
            return true;
        }
    return false;
}

static LpCause first_fit(Site *site, uint32_t op, uint16_t *group, LpShape *shape, LpErr *err) {
    uint32_t ways = site->partition->ways[op];
    LpBlockSearch search;
    if (ways > site->context->fabric.servers)
        return LP_CAUSE_NO_PLACEMENT;
    if (same_block(site, ways, group))
        return LP_CAUSE_NONE;
    search_blocks(&search, site, ways, true, true);
    if (!next_block(site, &search, site->s->block))
        return LP_CAUSE_NO_PLACEMENT;
    if (ways == site->partition->degree && shape->groups == 0)
        *shape = search.shape[search.at_shape];
    *err = add_group(site->s, site->s->block, ways, group);
    return LP_CAUSE_NONE;
}

/* The published simulator mounts both passes but budgets one: where that overflows it crashes. */
static LpCause check_mount(const Site *site, uint32_t servers, char *reason) {
    if (site->roomy || !lp_published(&site->context->scenario->options, LP_OPT_MEMORY))
        return LP_CAUSE_NONE;
    const LpPartition *p = site->partition;
    for (uint32_t f = 0; f < p->graph->ops; f++) {
        uint32_t begin = site->s->group_begin[site->s->op_group[f]];
        for (uint32_t k = 0; k < p->ways[f]; k++)
            use(site, site->s->group_server[begin + k], p->op_memory[f] * 2);
    }
    for (uint32_t i = 0; i < servers; i++) {
        uint32_t server = site->s->server[i];
        if (used(site, server) <= capacity(site, server))
            continue;
        snprintf(reason, LP_DIAG_TEXT,
                 "forward and backward parts need %.4g GB on server %u, which has %.4g GB; the "
                 "published simulator crashes there (Q13)",
                 used(site, server) / 1e9, server, capacity(site, server) / 1e9);
        return LP_CAUSE_UNSUPPORTED;
    }
    return LP_CAUSE_NONE;
}

/* Why an op found no block: the corrected memory rule tells missing memory from missing servers. */
static LpCause no_fit(const Site *site, uint32_t op, LpCause cause, char *reason) {
    const LpContext *context = site->context;
    uint32_t ways = site->partition->ways[op], number = site->partition->graph->op[op].number;
    LpBlockSearch search;
    char servers[LP_MANY_TEXT];
    if (!lp_published(&context->scenario->options, LP_OPT_MEMORY) &&
        ways <= context->fabric.servers) {
        search_blocks(&search, site, ways, true, false);
        if (lp_block_next(&search, site->s->block)) {
            snprintf(reason, LP_DIAG_TEXT, "%s for op %u, but a part needs %.4g GB",
                     lp_str_many(servers, ways, "free server"), number, site->each / 1e9);
            return LP_CAUSE_MEMORY;
        }
    }
    snprintf(reason, LP_DIAG_TEXT, "no block of %s for op %u",
             lp_str_many(servers, ways, "free server"), number);
    return cause;
}

static LpCause place_by_op(Site *site, LpPlacement *out, char *reason, LpErr *err) {
    const LpPartition *p = site->partition;
    LpShape shape = {0};
    site->roomy = lp_store_needs(site->context->store, p)->all <= least_memory(site);
    for (uint32_t i = 0; i < p->graph->ops; i++) {
        uint32_t f = p->graph->topo[i];
        double each = lp_store_op_bytes(site->context, p, f), bytes = each * p->ways[f];
        uint16_t group;
        if (lp_published(&site->context->scenario->options, LP_OPT_MEMORY))
            bytes = p->graph->op[f].activation + p->graph->op[f].parameters;
        if (!parent_group(site, f, bytes, &group)) {
            site->each = each;
            LpCause cause = first_fit(site, f, &group, &shape, err);
            if (cause != LP_CAUSE_NONE)
                return no_fit(site, f, cause, reason);
            if (*err != LP_OK)
                return LP_CAUSE_NONE;
        }
        site->s->op_group[f] = group;
        uint32_t begin = site->s->group_begin[group];
        for (uint32_t k = 0; !site->roomy && k < p->ways[f]; k++)
            use(site, site->s->group_server[begin + k], each);
    }
    uint32_t servers = distinct_servers(site->s);
    LpCause cause = check_mount(site, servers, reason);
    if (cause == LP_CAUSE_NONE)
        fill(site, servers, &shape, out);
    return cause;
}

/* ---- one block (corrected "reserve") ---- */

/* Every op uses the first servers of the block, as many as its ways; that of a plan those of its
 * stage. */
static LpErr group_by_block(Site *site, const uint32_t *block) {
    const LpBlockNeeds *needs = lp_store_needs(site->context->store, site->partition);
    LpPlaceScratch *s = site->s;
    uint16_t group;
    for (uint32_t g = 0; g < needs->groups; g++) {
        uint32_t from = needs->group_from != NULL ? needs->group_from[g] : 0;
        LP_TRY(add_group(s, block + from, needs->group_ways[g], &group));
    }
    memcpy(s->op_group, needs->op_group, site->partition->graph->ops * sizeof *s->op_group);
    return LP_OK;
}

static void no_block_reason(const Site *site, uint32_t n, char *reason) {
    uint32_t free =
        site->world != NULL ? lp_world_free_servers(site->world) : site->context->fabric.servers;
    if (free < n) {
        snprintf(reason, LP_DIAG_TEXT, "no block: %u server%s needed, %u free", n,
                 n == 1 ? "" : "s", free);
        return;
    }
    LpShape shapes[LP_SHAPES_MAX];
    uint32_t count = site->context->fabric.ops->shapes(&site->context->fabric, n, false, shapes);
    char tried[160] = "";
    size_t len = 0;
    for (uint32_t i = 0; i < count && len + LP_SHAPE_TEXT + 2 < sizeof tried; i++) {
        char text[LP_SHAPE_TEXT];
        lp_shape_print(&shapes[i], text);
        if (i > 0 && strstr(tried, text) != NULL)
            continue;
        len += (size_t)snprintf(tried + len, sizeof tried - len, "%s%s", len ? ", " : "", text);
    }
    snprintf(reason, LP_DIAG_TEXT, "no block: %u free, but not as %s", free,
             count > 0 ? tried : "any shape of this fabric");
}

static void plan_memory_reason(const Site *site, uint32_t n, char *reason) {
    double most = lp_store_needs(site->context->store, site->partition)->most;
    double there = most_memory(site);
    if (most > there)
        snprintf(reason, LP_DIAG_TEXT,
                 "the fullest server of the plan holds %.4g GB, the largest there is has %.4g GB",
                 most / 1e9, there / 1e9);
    else
        snprintf(reason, LP_DIAG_TEXT,
                 "%u free server%s, but the fullest one of the plan holds %.4g GB, which too few "
                 "of them have",
                 n, n == 1 ? "" : "s", most / 1e9);
}

static LpCause no_block(const Site *site, uint32_t n, char *reason) {
    LpBlockSearch search;
    search_blocks(&search, site, n, false, false);
    if (lp_block_next(&search, site->s->block)) {
        if (site->partition->planned)
            plan_memory_reason(site, n, reason);
        else
            snprintf(reason, LP_DIAG_TEXT,
                     "%u free server%s, but parts that share one need %.4g GB of memory", n,
                     n == 1 ? "" : "s",
                     lp_store_needs(site->context->store, site->partition)->most / 1e9);
        return LP_CAUSE_MEMORY;
    }
    no_block_reason(site, n, reason);
    return LP_CAUSE_NO_PLACEMENT;
}

/* What the positions of a block need. False: no server has the memory of the one that needs most.
 */
static bool need_of(Site *site) {
    const LpBlockNeeds *needs = lp_store_needs(site->context->store, site->partition);
    site->need = needs->need;
    site->ample = needs->most <= least_memory(site);
    return site->ample || needs->most <= most_memory(site);
}

bool lp_place_known_block(const LpContext *context, const LpWorld *world,
                          const LpPartition *partition, uint32_t *block) {
    Site site = {.context = context, .world = world, .partition = partition};
    LpBlocks *blocks = context->place->blocks;
    if (world == NULL || !lp_scenario_reserves(context->scenario) ||
        lp_published(&context->scenario->options, LP_OPT_MEMORY) ||
        lp_debug_on(context->log, LP_DEBUG_PLACE, 1) || !lp_blocks_has(blocks, partition->degree))
        return false;
    need_of(&site);
    if (!site.ample)
        return false;
    *block = lp_blocks_first(blocks, partition->degree, lp_world_room(world));
    return true;
}

static LpCause place_in_block(Site *site, LpPlacement *out, char *reason, LpErr *err) {
    const LpPartition *p = site->partition;
    LpBlockSearch search;
    char servers[LP_MANY_TEXT];
    if (p->degree > site->context->fabric.servers) {
        snprintf(reason, LP_DIAG_TEXT, "no block: %s needed, the cluster has %u",
                 lp_str_many(servers, p->degree, "server"), site->context->fabric.servers);
        return LP_CAUSE_NO_PLACEMENT;
    }
    bool can = need_of(site);
    search_blocks(&search, site, p->degree, false, true);
    if (!can || !next_block(site, &search, site->s->block))
        return no_block(site, p->degree, reason);
    *err = group_by_block(site, site->s->block);
    if (*err != LP_OK)
        return LP_CAUSE_NONE;
    memcpy(site->s->server, site->s->block, p->degree * sizeof *site->s->server);
    LpCause cause = check_mount(site, p->degree, reason);
    if (cause == LP_CAUSE_NONE)
        fill(site, p->degree, &search.shape[search.at_shape], out);
    return cause;
}

/* ---- a policy's choice ---- */

/* A server as people call it. */
static const char *name_of(const Site *site, uint32_t server, char name[LP_SERVER_TEXT]) {
    return lp_cluster_server(site->context->fabric.cluster, server, name);
}

static LpCause check_server(const Site *site, uint32_t server, char *reason) {
    char name[LP_SERVER_TEXT];
    if (server >= site->context->fabric.servers) {
        snprintf(reason, LP_DIAG_TEXT, "place: server %u does not exist, servers are 0 to %u",
                 server, site->context->fabric.servers - 1);
        return LP_CAUSE_REFUSED;
    }
    if (site->world != NULL &&
        lp_world_server(site->world, server)->state != LP_SERVER_IN_SERVICE) {
        snprintf(reason, LP_DIAG_TEXT, "place: server %.80s is broken",
                 name_of(site, server, name));
        return LP_CAUSE_REFUSED;
    }
    if (!is_free(site, server)) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: server %.80s already runs job %u (rule one_job_per_server)",
                 name_of(site, server, name), lp_world_server(site->world, server)->job);
        return LP_CAUSE_REFUSED;
    }
    return LP_CAUSE_NONE;
}

static LpCause check_memory(const Site *site, const uint32_t *server, uint32_t count,
                            char *reason) {
    char name[LP_SERVER_TEXT];
    for (uint32_t k = 0; k < count; k++) {
        if (capacity(site, server[k]) >= used(site, server[k]))
            continue;
        snprintf(reason, LP_DIAG_TEXT, "place: server %.80s would hold %.4g GB and has %.4g GB",
                 name_of(site, server[k], name), used(site, server[k]) / 1e9,
                 capacity(site, server[k]) / 1e9);
        return LP_CAUSE_MEMORY;
    }
    return LP_CAUSE_NONE;
}

static LpCause check_block(Site *site, const LpAnswer *answer, uint32_t n, char *reason) {
    LpPlaceScratch *s = site->s;
    char many[LP_MANY_TEXT], name[LP_SERVER_TEXT];
    if (answer->servers != n) {
        snprintf(reason, LP_DIAG_TEXT, "place: %s answered, the job needs %u",
                 lp_str_many(many, answer->servers, "server"), n);
        return LP_CAUSE_REFUSED;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t server = answer->server[k];
        LpCause cause = check_server(site, server, reason);
        if (cause != LP_CAUSE_NONE)
            return cause;
        if (s->stamp[server] == s->round) {
            snprintf(reason, LP_DIAG_TEXT, "place: server %.80s is named twice",
                     name_of(site, server, name));
            return LP_CAUSE_REFUSED;
        }
        use(site, server, site->need != NULL ? site->need[k] : 0);
        s->server[k] = server;
    }
    return check_memory(site, s->server, n, reason);
}

static LpCause place_answer(Site *site, const LpAnswer *answer, LpPlacement *out, char *reason,
                            LpErr *err) {
    const LpPartition *p = site->partition;
    char many[LP_MANY_TEXT];
    if (p->degree > site->context->fabric.servers) {
        snprintf(reason, LP_DIAG_TEXT, "place: the job needs %s, the cluster has %u",
                 lp_str_many(many, p->degree, "server"), site->context->fabric.servers);
        return LP_CAUSE_REFUSED;
    }
    site->need = lp_store_needs(site->context->store, p)->need;
    LpCause cause = check_block(site, answer, p->degree, reason);
    if (cause != LP_CAUSE_NONE)
        return cause;
    *err = group_by_block(site, site->s->server);
    fill(site, p->degree, NULL, out);
    return LP_CAUSE_NONE;
}

static LpCause place_parts(Site *site, const LpAnswer *answer, LpPlacement *out, char *reason,
                           LpErr *err) {
    const LpPartition *p = site->partition;
    for (uint32_t f = 0; f < p->graph->ops; f++) {
        const uint32_t *server = &answer->part_server[answer->part_begin[f]];
        uint32_t count = answer->part_begin[f + 1] - answer->part_begin[f];
        if (count != p->ways[f]) {
            char parts[LP_MANY_TEXT], many[LP_MANY_TEXT];
            snprintf(reason, LP_DIAG_TEXT, "place: op %u has %s, %s answered",
                     p->graph->op[f].number, lp_str_many(parts, p->ways[f], "part"),
                     lp_str_many(many, count, "server"));
            return LP_CAUSE_REFUSED;
        }
        double bytes = lp_store_op_bytes(site->context, p, f);
        for (uint32_t k = 0; k < count; k++) {
            LpCause cause = check_server(site, server[k], reason);
            if (cause != LP_CAUSE_NONE)
                return cause;
            use(site, server[k], bytes);
        }
        *err = add_group(site->s, server, count, &site->s->op_group[f]);
        if (*err != LP_OK)
            return LP_CAUSE_NONE;
    }
    /* budgets are kept in `used`; distinct_servers starts a new round, so check first */
    LpCause cause =
        check_memory(site, site->s->group_server, site->s->group_begin[site->s->groups], reason);
    if (cause == LP_CAUSE_NONE)
        fill(site, distinct_servers(site->s), NULL, out);
    return cause;
}

/* ---- a place in the tree ---- */

/* Answers the servers of a job that asks for a place where its policy names none: `chosen` is then
 * the answer with them, in site->s->block. */
static LpCause choose_asked(const Site *site, uint32_t n, const LpTreeAsk *ask,
                            const LpAnswer **answer, LpAnswer *chosen, char *reason) {
    LpPlaceScratch *s = site->s;
    bool named = *answer != NULL && ((*answer)->servers > 0 || (*answer)->part_server != NULL);
    if (ask == NULL || !lp_tree_asks(ask) || named)
        return LP_CAUSE_NONE;
    if (n > site->context->fabric.servers ||
        !lp_tree_servers(site->context, site->world, ask, n, LP_TREE_TIGHT, s->room, s->take,
                         s->block))
        return lp_tree_no_place(site->context, site->world, ask, n, reason);
    *chosen = *answer != NULL ? **answer : (LpAnswer){.kind = LP_ANSWER_RUN};
    chosen->servers = n;
    chosen->server = s->block;
    *answer = chosen;
    return LP_CAUSE_NONE;
}

/* Does the placement keep to what the job asks for? */
static LpCause check_asked(const Site *site, const LpTreeAsk *ask, LpCause cause,
                           const LpPlacement *out, char *reason) {
    if (cause != LP_CAUSE_NONE || ask == NULL || !lp_tree_asks(ask) ||
        lp_tree_keeps(site->context->fabric.cluster->tree, ask, out->server, out->servers,
                      site->s->take, reason))
        return cause;
    return LP_CAUSE_SHAPE;
}

/* ---- public ---- */

static LpCause place_graph(Site *site, const LpAnswer *answer, LpPlacement *out, char *reason,
                           LpErr *err) {
    if (answer != NULL && answer->part_server != NULL)
        return place_parts(site, answer, out, reason, err);
    if (answer != NULL && answer->servers > 0)
        return place_answer(site, answer, out, reason, err);
    if (!lp_scenario_reserves(site->context->scenario))
        return place_by_op(site, out, reason, err);
    return place_in_block(site, out, reason, err);
}

LpCause lp_place(LpPlaceScratch *s, const LpContext *context, const LpWorld *world,
                 const LpPartition *partition, const LpTreeAsk *ask, const LpAnswer *answer,
                 LpPlacement *out, char reason[LP_DIAG_TEXT], LpErr *err) {
    Site site = {.context = context, .world = world, .partition = partition, .s = s};
    LpAnswer chosen;
    *err = LP_OK;
    reset(s);
    if (partition->graph->ops > MAX_GROUPS) {
        snprintf(reason, LP_DIAG_TEXT, "graph %s has %u ops, at most %d can be placed",
                 partition->graph->id, partition->graph->ops, MAX_GROUPS);
        return LP_CAUSE_UNSUPPORTED;
    }
    if (partition->planned && answer != NULL && answer->part_server != NULL) {
        snprintf(reason, LP_DIAG_TEXT,
                 "place: a server for each part was answered, a plan takes a list of its %u "
                 "servers, stage by stage",
                 partition->degree);
        return LP_CAUSE_REFUSED;
    }
    LpCause cause = choose_asked(&site, partition->degree, ask, &answer, &chosen, reason);
    if (cause == LP_CAUSE_NONE)
        cause = place_graph(&site, answer, out, reason, err);
    return *err == LP_OK ? check_asked(&site, ask, cause, out, reason) : cause;
}

LpCause lp_place_on(LpPlaceScratch *s, const LpContext *context, const LpPartition *p,
                    const uint32_t *block, uint32_t n, LpPlacement *out, char reason[LP_DIAG_TEXT],
                    LpErr *err) {
    Site site = {.context = context, .partition = p, .s = s};
    *err = LP_OK;
    reset(s);
    if (p->graph->ops > MAX_GROUPS || p->degree > n) {
        snprintf(reason, LP_DIAG_TEXT,
                 "graph %s has %u ops split over %u servers: expected at most %d ops, and the %u "
                 "servers of the slice",
                 p->graph->id, p->graph->ops, p->degree, MAX_GROUPS, n);
        return LP_CAUSE_REFUSED;
    }
    memmove(s->server, block, n * sizeof *block);
    for (uint32_t k = 0; k < p->degree; k++)
        use(&site, block[k], lp_store_needs(context->store, p)->need[k]);
    LpCause cause = check_memory(&site, s->server, p->degree, reason);
    if (cause != LP_CAUSE_NONE)
        return cause;
    *err = group_by_block(&site, s->server);
    fill(&site, n, NULL, out);
    return LP_CAUSE_NONE;
}

LpCause lp_place_rigid(LpPlaceScratch *s, const LpContext *context, const LpWorld *world,
                       uint32_t n, const LpTreeAsk *ask, const LpAnswer *answer, LpPlacement *out,
                       char reason[LP_DIAG_TEXT], LpErr *err) {
    Site site = {.context = context, .world = world, .s = s};
    LpBlockSearch search;
    LpAnswer chosen;
    *err = LP_OK;
    reset(s);
    memset(s->need, 0, n * sizeof *s->need);
    LpCause cause = choose_asked(&site, n, ask, &answer, &chosen, reason);
    if (cause != LP_CAUSE_NONE)
        return cause;
    if (answer != NULL && answer->servers > 0) {
        cause = check_block(&site, answer, n, reason);
        if (cause == LP_CAUSE_NONE)
            fill(&site, n, NULL, out);
        return check_asked(&site, ask, cause, out, reason);
    }
    search_blocks(&search, &site, n, false, false);
    if (!next_block(&site, &search, s->server)) {
        no_block_reason(&site, n, reason);
        return LP_CAUSE_NO_PLACEMENT;
    }
    fill(&site, n, &search.shape[search.at_shape], out);
    return LP_CAUSE_NONE;
}

static bool block_exists(LpPlaceScratch *s, const LpContext *context, const LpWorld *world,
                         const LpPartition *p) {
    Site site = {.context = context, .world = world, .partition = p, .s = s};
    LpBlockSearch search;
    if (p->degree > (world != NULL ? lp_world_free_servers(world) : context->fabric.servers))
        return false;
    reset(s);
    if (!need_of(&site))
        return false;
    search_blocks(&search, &site, p->degree, false, true);
    return next_block(&site, &search, world != NULL && site.ample ? NULL : s->block);
}

LpErr lp_place_exists(LpPlaceScratch *s, const LpContext *context, const LpWorld *world,
                      const LpPartition *partition, const LpTreeAsk *ask, bool *exists) {
    char reason[LP_DIAG_TEXT];
    LpPlacement placement;
    LpErr err = LP_OK;
    uint32_t block;
    bool asks = ask != NULL && lp_tree_asks(ask);
    if (!asks && lp_place_known_block(context, world, partition, &block))
        *exists = block != LP_NO_INDEX;
    else if (!asks && lp_scenario_reserves(context->scenario))
        *exists = block_exists(s, context, world, partition);
    else
        *exists = lp_place(s, context, world, partition, ask, NULL, &placement, reason, &err) ==
                  LP_CAUSE_NONE;
    return err;
}
