/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listed networks: links in and out of each node, hops between the nodes that forward, and whether
 * every server can reach every other. */
#include <inttypes.h>
#include <string.h>

#include "model/network/network_impl.h"

/* Links grouped by the node that `end` gives for each, in order of their numbers. */
static LpErr group_links(const LpNetwork *n, LpArena *arena, const uint32_t *end,
                         const uint32_t **begin_out, const uint32_t **link_out) {
    uint32_t *begin = lp_arena_alloc(arena, (size_t)n->nodes + 1, sizeof *begin);
    uint32_t *link = lp_arena_raw(arena, n->links, sizeof *link);
    if (begin == NULL || link == NULL)
        return LP_ENOMEM;
    for (uint32_t l = 0; l < n->links; l++)
        begin[end[l] + 1]++;
    for (uint32_t i = 0; i < n->nodes; i++)
        begin[i + 1] += begin[i];
    for (uint32_t l = 0; l < n->links; l++)
        link[begin[end[l]]++] = l;
    memmove(begin + 1, begin, n->nodes * sizeof *begin); /* each had moved on to its end */
    begin[0] = 0;
    *begin_out = begin;
    *link_out = link;
    return LP_OK;
}

/* Hops from one forwarding node to all of them, breadth first. */
static void measure(const LpNetwork *n, uint32_t start, uint16_t *hops, uint32_t *queue) {
    uint32_t head = 0, tail = 0;
    for (uint32_t i = 0; i < n->forwarders; i++)
        hops[i] = LP_NETWORK_APART;
    hops[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        uint32_t at = queue[head++], node = at + n->first_forwarder;
        for (uint32_t i = n->out_begin[node]; i < n->out_begin[node + 1]; i++) {
            uint32_t next = n->to[n->out_link[i]];
            if (!lp_network_forwards(n, next) ||
                hops[next - n->first_forwarder] != LP_NETWORK_APART)
                continue;
            hops[next - n->first_forwarder] = (uint16_t)(hops[at] + 1);
            queue[tail++] = next - n->first_forwarder;
        }
    }
}

static LpErr measure_all(LpNetwork *n, LpArena *arena) {
    size_t f = n->forwarders;
    uint16_t *hops = lp_arena_raw(arena, f * f, sizeof *hops);
    uint32_t *queue = lp_alloc(f, sizeof *queue);
    if (hops == NULL || queue == NULL) {
        lp_free(queue);
        return LP_ENOMEM;
    }
    for (uint32_t i = 0; i < f; i++)
        measure(n, i, hops + i * f, queue);
    lp_free(queue);
    n->hops = hops;
    return LP_OK;
}

/* The node that everything is measured against: the first forwarding one that server 0 sees. */
static uint32_t centre(const LpNetwork *n) {
    if (lp_network_forwards(n, 0))
        return 0;
    for (uint32_t i = n->out_begin[0]; i < n->out_begin[1]; i++)
        if (lp_network_forwards(n, n->to[n->out_link[i]]))
            return n->to[n->out_link[i]];
    return UINT32_MAX;
}

/* Hops to the node farthest away, without those that cannot be reached. */
static uint32_t farthest(const LpNetwork *n) {
    uint32_t far = 0;
    for (size_t i = 0; i < (size_t)n->forwarders * n->forwarders; i++)
        if (n->hops[i] != LP_NETWORK_APART && n->hops[i] > far)
            far = n->hops[i];
    return far + 2;
}

static LpErr check_reach(LpNetwork *n, LpDiag *diag) {
    uint32_t middle = centre(n), far = 0;
    if (n->spec.one_way) {
        n->route_max = farthest(n);
        return LP_OK;
    }
    if (n->servers == 1)
        return LP_OK;
    if (middle == UINT32_MAX)
        return lp_fail(diag, LP_EINVAL, "server 0 has no link to a switch: expected one");
    for (uint32_t s = 0; s < n->servers; s++) {
        uint32_t away = lp_network_distance(n, middle, s);
        if (away == LP_NETWORK_APART)
            return lp_fail(diag, LP_EINVAL,
                           "server %" PRIu32 " cannot be reached from %s %" PRIu32
                           ": expected links that join all servers%s",
                           s, middle < n->servers ? "server" : "switch",
                           middle < n->servers ? middle : middle - n->servers,
                           lp_network_forwards(n, 0) ? "" : " through switches");
        far = away > far ? away : far;
    }
    n->route_max = 2 * far;
    return LP_OK;
}

/* Servers grouped by their first switch; those without one are a group each. */
static LpErr group_servers(LpNetwork *n, LpArena *arena) {
    uint32_t *begin = lp_arena_alloc(arena, (size_t)n->nodes + 1, sizeof *begin);
    if (begin == NULL)
        return LP_ENOMEM;
    n->localities = n->nodes;
    n->locality_begin = begin;
    for (uint32_t s = 0; n->switches == 0 && s < n->nodes; s++)
        begin[s + 1] = s + 1;
    if (n->switches == 0)
        return LP_OK; /* each has its own number */
    uint32_t *member = lp_arena_raw(arena, n->servers, sizeof *member);
    if (member == NULL)
        return LP_ENOMEM;
    for (uint32_t s = 0; s < n->servers; s++)
        begin[lp_network_locality(n, s) + 1]++;
    for (uint32_t i = 0; i < n->nodes; i++)
        begin[i + 1] += begin[i];
    for (uint32_t s = 0; s < n->servers; s++)
        member[begin[lp_network_locality(n, s)]++] = s;
    memmove(begin + 1, begin, n->nodes * sizeof *begin);
    begin[0] = 0;
    n->locality_member = member;
    return LP_OK;
}

LpErr lp_network_index(LpNetwork *n, LpArena *arena, LpDiag *diag) {
    n->first_forwarder = n->spec.servers_forward ? 0 : n->servers;
    n->forwarders = n->nodes - n->first_forwarder;
    if (n->forwarders > LP_NETWORK_FORWARDERS_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "the listed network routes through %" PRIu32
                       " nodes: expected at most %d (a fat tree or torus has its own topology)",
                       n->forwarders, (int)LP_NETWORK_FORWARDERS_MAX);
    if (group_links(n, arena, n->from, &n->out_begin, &n->out_link) != LP_OK ||
        group_links(n, arena, n->to, &n->in_begin, &n->in_link) != LP_OK ||
        measure_all(n, arena) != LP_OK || group_servers(n, arena) != LP_OK)
        return lp_fail_memory(diag, "the distances of a network");
    return check_reach(n, diag);
}
