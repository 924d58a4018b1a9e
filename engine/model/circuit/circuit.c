/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ports of circuit switches, the rules of their matchings, and the networks that these make. */
#include "model/circuit/circuit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *lp_ocs_node(const LpOcsParams *ocs, uint32_t node, char buf[LP_NODE_TEXT]) {
    bool server = node < ocs->servers;
    snprintf(buf, LP_NODE_TEXT, "%s %" PRIu32, server ? "server" : "aggregator",
             server ? node : node - ocs->servers);
    return buf;
}

/* ---- the compact form ---- */

static LpErr check_sizes(const LpOcsParams *o, LpDiag *diag) {
    if (o->servers < 1)
        return lp_fail(diag, LP_EINVAL, "servers is 0: expected at least 1");
    if (o->switches < 1)
        return lp_fail(diag, LP_EINVAL, "switches is 0: expected at least 1");
    if (o->plug == NULL && !(o->server_bandwidth > 0))
        return lp_fail(diag, LP_EINVAL, "server_bandwidth is missing: expected bytes/s of one NIC");
    uint64_t ports =
        (uint64_t)o->nics * o->servers + (uint64_t)o->aggregators * o->ports_per_aggregator;
    if (o->plug != NULL)
        ports = o->ports;
    if (ports > LP_CIRCUIT_PORTS_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "the circuit switches would have %" PRIu64 " ports: expected at most %d",
                       ports, (int)LP_CIRCUIT_PORTS_MAX);
    if ((uint64_t)o->servers + o->aggregators > LP_NETWORK_FORWARDERS_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "servers and aggregators are %" PRIu64 ": expected at most %d",
                       (uint64_t)o->servers + o->aggregators, (int)LP_NETWORK_FORWARDERS_MAX);
    return LP_OK;
}

static LpErr plug_ports(LpOcsParams *o, LpArena *arena, LpDiag *diag) {
    if (o->plug != NULL)
        return LP_OK;
    o->ports = o->nics * o->servers + o->aggregators * o->ports_per_aggregator;
    LpPlug *plug = lp_arena_raw(arena, o->ports, sizeof *plug);
    if (plug == NULL)
        return lp_fail_memory(diag, "the ports of circuit switches");
    uint32_t p = 0;
    for (uint32_t k = 0; k < o->nics; k++)
        for (uint32_t s = 0; s < o->servers; s++)
            plug[p++] = (LpPlug){s, k % o->switches, o->server_bandwidth, o->server_delay};
    for (uint32_t a = 0; a < o->aggregators; a++)
        for (uint32_t k = 0; k < o->ports_per_aggregator; k++)
            plug[p++] = (LpPlug){o->servers + a, k % o->switches, o->server_bandwidth, 0};
    o->plug = plug;
    return LP_OK;
}

/* Every aggregator with every other. */
static LpErr lay_uplinks(LpOcsParams *o, LpArena *arena, LpDiag *diag) {
    uint32_t n = o->aggregators, count = 0;
    if (o->cable != NULL || n < 2 || !(o->uplink_bandwidth > 0))
        return LP_OK;
    LpCable *cable = lp_arena_raw(arena, (size_t)n * (n - 1) / 2, sizeof *cable);
    if (cable == NULL)
        return lp_fail_memory(diag, "the links of aggregators");
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            cable[count++] =
                (LpCable){o->servers + a, o->servers + b, o->uplink_bandwidth, o->uplink_delay};
    o->cables = count;
    o->cable = cable;
    return LP_OK;
}

static LpErr darken(LpOcsParams *o, LpArena *arena, LpDiag *diag) {
    if (o->initial != NULL)
        return LP_OK;
    uint32_t *to = lp_arena_raw(arena, o->ports, sizeof *to);
    if (to == NULL)
        return lp_fail_memory(diag, "the ports of circuit switches");
    for (uint32_t p = 0; p < o->ports; p++)
        to[p] = LP_DARK;
    o->initial = to;
    return LP_OK;
}

LpErr lp_ocs_finish(LpOcsParams *o, LpArena *arena, LpDiag *diag) {
    LpDiag inner = {0};
    LP_TRY(check_sizes(o, diag));
    LP_TRY(plug_ports(o, arena, diag));
    LP_TRY(lay_uplinks(o, arena, diag));
    LP_TRY(darken(o, arena, diag));
    const double hold = 1;
    LpSchedule initial = {o->ports, 1, o->initial, &hold};
    if (lp_schedule_check(o, &initial, &inner) != LP_OK)
        return lp_fail(diag, LP_EINVAL, "circuits: %s", inner.text);
    return LP_OK;
}

/* ---- rules ---- */

static LpErr check_port(const LpOcsParams *o, uint32_t in, uint32_t out, LpDiag *diag) {
    char a[LP_NODE_TEXT], b[LP_NODE_TEXT];
    if (out >= o->ports)
        return lp_fail(diag, LP_EREFUSED,
                       "port %" PRIu32 " is joined to port %" PRIu32 ", which there is not: ports "
                       "are 0 to %" PRIu32,
                       in, out, o->ports - 1);
    if (in != out && o->plug[in].node == o->plug[out].node)
        return lp_fail(diag, LP_EREFUSED,
                       "port %" PRIu32 " and port %" PRIu32 " are both of %s (rule two_nodes)", in,
                       out, lp_ocs_node(o, o->plug[in].node, a));
    if (o->plug[in].device == o->plug[out].device)
        return LP_OK;
    return lp_fail(diag, LP_EREFUSED,
                   "port %" PRIu32 " (%s) and port %" PRIu32
                   " (%s) are on different circuit switches (rule same_switch)",
                   in, lp_ocs_node(o, o->plug[in].node, a), out,
                   lp_ocs_node(o, o->plug[out].node, b));
}

static LpErr check_entry(const LpOcsParams *o, const uint32_t *to, uint32_t *owner, LpDiag *diag) {
    for (uint32_t p = 0; p < o->ports; p++)
        owner[p] = LP_DARK;
    for (uint32_t p = 0; p < o->ports; p++) {
        uint32_t out = to[p];
        if (out == LP_DARK)
            continue;
        LP_TRY(check_port(o, p, out, diag));
        if (owner[out] != LP_DARK) {
            char a[LP_NODE_TEXT], b[LP_NODE_TEXT], c[LP_NODE_TEXT];
            return lp_fail(diag, LP_EREFUSED,
                           "port %" PRIu32 " (%s) is joined to ports %" PRIu32 " (%s) and %" PRIu32
                           " (%s) at once (rule one_circuit_per_port)",
                           out, lp_ocs_node(o, o->plug[out].node, a), owner[out],
                           lp_ocs_node(o, o->plug[owner[out]].node, b), p,
                           lp_ocs_node(o, o->plug[p].node, c));
        }
        owner[out] = p;
    }
    return LP_OK;
}

LpErr lp_schedule_check(const LpOcsParams *o, const LpSchedule *s, LpDiag *diag) {
    if (s->entries < 1 || s->entries > LP_SCHEDULE_ENTRIES_MAX || s->ports != o->ports)
        return lp_fail(diag, LP_EREFUSED,
                       "a schedule of %" PRIu32 " matchings of %" PRIu32
                       " ports: expected 1 to %d of %" PRIu32,
                       s->entries, s->ports, (int)LP_SCHEDULE_ENTRIES_MAX, o->ports);
    uint32_t *owner = lp_alloc(o->ports, sizeof *owner);
    LpErr err = owner != NULL ? LP_OK : lp_fail_memory(diag, "the ports of circuit switches");
    for (uint32_t e = 0; err == LP_OK && e < s->entries; e++) {
        if (!(s->hold[e] > 0) || isinf(s->hold[e]))
            err = lp_fail(diag, LP_EREFUSED,
                          "matching %" PRIu32 " is held %g s: expected more "
                          "than 0 s",
                          e, s->hold[e]);
        else
            err = check_entry(o, s->to + (size_t)e * o->ports, owner, diag);
    }
    lp_free(owner);
    return err;
}

/* ---- shares of time ---- */

static const uint32_t *entry_of(const LpSchedule *s, uint32_t e) {
    return s->to + (size_t)e * s->ports;
}

static bool joined(uint32_t in, uint32_t out) {
    return out != LP_DARK && out != in;
}

static bool changes(const LpSchedule *s, uint32_t e) {
    const uint32_t *now = entry_of(s, e), *before = entry_of(s, e > 0 ? e - 1 : s->entries - 1);
    return memcmp(now, before, s->ports * sizeof *now) != 0;
}

/* Seconds of a cycle in which input `in` is lit to `out`. */
static double lit_time(const LpSchedule *s, uint32_t in, uint32_t out, double delay) {
    double sum = 0;
    for (uint32_t e = 0; e < s->entries; e++) {
        uint32_t before = entry_of(s, e > 0 ? e - 1 : s->entries - 1)[in];
        if (entry_of(s, e)[in] != out)
            continue;
        sum += s->hold[e];
        if (changes(s, e) && before == out)
            sum += delay;
    }
    return sum;
}

static bool named_before(const LpSchedule *s, uint32_t e, uint32_t in, uint32_t out) {
    for (uint32_t k = 0; k < e; k++)
        if (entry_of(s, k)[in] == out)
            return true;
    return false;
}

static uint32_t insert(LpLit *list, uint32_t first, uint32_t count, LpLit lit) {
    uint32_t at = count;
    for (; at > first && list[at - 1].out > lit.out; at--)
        list[at] = list[at - 1];
    list[at] = lit;
    return count + 1;
}

uint32_t lp_schedule_lit(const LpSchedule *s, double delay, LpLit *out) {
    double cycle = 0;
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->entries; e++)
        cycle += s->hold[e] + (s->entries > 1 && changes(s, e) ? delay : 0);
    for (uint32_t p = 0; p < s->ports; p++) {
        uint32_t first = count;
        for (uint32_t e = 0; e < s->entries; e++) {
            uint32_t to = entry_of(s, e)[p];
            if (!joined(p, to) || named_before(s, e, p, to))
                continue;
            double share = s->entries == 1 ? 1 : lit_time(s, p, to, delay) / cycle;
            count = insert(out, first, count, (LpLit){p, to, share < 1 ? share : 1});
        }
    }
    return count;
}

/* ---- completion of a demand ---- */

/* ---- networks ---- */

LpErr lp_ocs_network(const LpOcsParams *o, const LpLit *lit, uint32_t count, LpArena *arena,
                     const LpNetwork **out, LpDiag *diag) {
    size_t links = (size_t)count + 2 * (size_t)o->cables;
    LpCable *link = lp_alloc(links, sizeof *link);
    if (link == NULL)
        return lp_fail_memory(diag, "the circuits of a network");
    for (uint32_t i = 0; i < count; i++) {
        const LpPlug *a = &o->plug[lit[i].in], *b = &o->plug[lit[i].out];
        double rate = a->bandwidth < b->bandwidth ? a->bandwidth : b->bandwidth;
        link[i] = (LpCable){a->node, b->node, rate * lit[i].share, a->delay + b->delay};
    }
    for (uint32_t i = 0; i < o->cables; i++) {
        const LpCable *c = &o->cable[i];
        link[count + 2 * i] = *c;
        link[count + 2 * i + 1] = (LpCable){c->b, c->a, c->capacity, c->delay};
    }
    LpNetworkSpec spec = {.topology = LP_TOPOLOGY_LINKS,
                          .servers = o->servers,
                          .switches = o->aggregators,
                          .cables = (uint32_t)links,
                          .cable = link,
                          .servers_forward = o->servers_forward,
                          .one_way = true};
    LpErr err = lp_network_build(&spec, arena, out, diag);
    lp_free(link);
    return err;
}

LpErr lp_ocs_reference(const LpOcsParams *o, LpArena *arena, const LpNetwork **out, LpDiag *diag) {
    LpCable *cable = lp_alloc(o->servers, sizeof *cable);
    if (cable == NULL)
        return lp_fail_memory(diag, "the circuits of a network");
    for (uint32_t s = 0; s < o->servers; s++)
        cable[s] = (LpCable){s, o->servers, 0, 0};
    for (uint32_t p = 0; p < o->ports; p++)
        if (o->plug[p].node < o->servers) {
            cable[o->plug[p].node].capacity += o->plug[p].bandwidth;
            cable[o->plug[p].node].delay = o->plug[p].delay;
        }
    for (uint32_t i = 0; i < o->cables; i++) {
        if (o->cable[i].a < o->servers)
            cable[o->cable[i].a].capacity += o->cable[i].capacity;
        if (o->cable[i].b < o->servers)
            cable[o->cable[i].b].capacity += o->cable[i].capacity;
    }
    for (uint32_t s = 0; s < o->servers; s++)
        if (!(cable[s].capacity > 0)) /* never to be reached */
            cable[s].capacity = 1;
    LpNetworkSpec spec = {.topology = LP_TOPOLOGY_LINKS,
                          .servers = o->servers,
                          .switches = 1,
                          .cables = o->servers,
                          .cable = cable};
    LpErr err = lp_network_build(&spec, arena, out, diag);
    lp_free(cable);
    return err;
}
