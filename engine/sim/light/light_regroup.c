/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The action regroup: from the links that it names to a matching of ports. */
#include "sim/light/light_regroup.h"

#include <stdio.h>
#include <string.h>

#include "sim/light/circuits_impl.h"

typedef struct Regroup {
    const LpOcsParams *ocs;
    uint32_t *to;    /* the matching as it will be */
    uint32_t *named; /* per port, the link that it is in; LP_DARK: none */
    char *reason;
    LpErr err;
} Regroup;

static bool refuse(Regroup *r, const char *text) {
    snprintf(r->reason, LP_DIAG_TEXT, "regroup: %s", text);
    r->err = LP_EREFUSED;
    return false;
}

/* Takes the port out of every circuit. */
static void tear(Regroup *r, uint32_t port) {
    r->to[port] = LP_DARK;
    for (uint32_t p = 0; p < r->ocs->ports; p++)
        if (r->to[p] == port)
            r->to[p] = LP_DARK;
}

static uint32_t partner(const Regroup *r, uint32_t port) {
    if (r->to[port] != LP_DARK)
        return r->to[port];
    for (uint32_t p = 0; p < r->ocs->ports; p++)
        if (r->to[p] == port)
            return p;
    return LP_DARK;
}

/* The port by which a server is to be joined: the one already there, else its lowest. */
static uint32_t port_of_server(const Regroup *r, const LpRegroupLink *link, bool *there) {
    const LpOcsParams *o = r->ocs;
    uint32_t lowest = LP_DARK;
    *there = false;
    for (uint32_t p = 0; p < o->ports; p++) {
        if (o->plug[p].node != link->a)
            continue;
        uint32_t other = partner(r, p);
        if (other != LP_DARK && o->plug[other].node == o->servers + link->b) {
            *there = true;
            return p;
        }
        lowest = lowest == LP_DARK ? p : lowest;
    }
    return lowest;
}

static uint32_t free_port(const Regroup *r, uint32_t node, uint32_t device) {
    for (uint32_t p = 0; p < r->ocs->ports; p++)
        if (r->ocs->plug[p].node == node && r->ocs->plug[p].device == device &&
            partner(r, p) == LP_DARK)
            return p;
    return LP_DARK;
}

static bool name_port(Regroup *r, uint32_t port, uint32_t link) {
    char text[LP_DIAG_TEXT / 2];
    if (r->named[port] == LP_DARK) {
        r->named[port] = link;
        return true;
    }
    char node[LP_NODE_TEXT];
    snprintf(text, sizeof text, "port %u (%s) is in links %u and %u (rule one_circuit_per_port)",
             port, lp_ocs_node(r->ocs, r->ocs->plug[port].node, node), r->named[port] + 1,
             link + 1);
    return refuse(r, text);
}

/* First every port that is to be joined anew leaves its circuit, so that links may change places.
 */
static bool leave(Regroup *r, const LpRegroupLink *link, uint32_t number) {
    const LpOcsParams *o = r->ocs;
    char text[LP_DIAG_TEXT / 2];
    bool there;
    if (link->join && (link->a >= o->servers || link->b >= o->aggregators)) {
        snprintf(
            text, sizeof text,
            "link %u joins server %u to aggregator %u; there are %u servers and %u aggregators, "
            "counted from 0",
            number + 1, link->a, link->b, o->servers, o->aggregators);
        return refuse(r, text);
    }
    if (link->join) {
        uint32_t port = port_of_server(r, link, &there);
        if (port == LP_DARK) {
            snprintf(text, sizeof text, "server %u is plugged into no circuit switch", link->a);
            return refuse(r, text);
        }
        if (!there)
            tear(r, port);
        return name_port(r, port, number);
    }
    if (link->a >= o->ports || link->b >= o->ports || link->a == link->b) {
        snprintf(text, sizeof text,
                 "link %u joins port %u to port %u; expected two of the %u ports, counted from 0",
                 number + 1, link->a, link->b, o->ports);
        return refuse(r, text);
    }
    if (r->to[link->a] != link->b || r->to[link->b] != link->a) {
        tear(r, link->a);
        tear(r, link->b);
    }
    return name_port(r, link->a, number) && name_port(r, link->b, number);
}

static bool join(Regroup *r, const LpRegroupLink *link) {
    const LpOcsParams *o = r->ocs;
    char text[LP_DIAG_TEXT / 2];
    uint32_t a = link->a, b = link->b;
    if (link->join) {
        bool there;
        a = port_of_server(r, link, &there);
        if (there)
            return true;
        b = free_port(r, o->servers + link->b, o->plug[a].device);
        if (b == LP_DARK) {
            snprintf(text, sizeof text,
                     "aggregator %u has no dark port for server %u (rule ports): free one first",
                     link->b, link->a);
            return refuse(r, text);
        }
    }
    r->to[a] = b;
    r->to[b] = a;
    return true;
}

LpErr lp_regroup_matching(const LpWorld *world, const LpContext *context, const LpRegroupLink *link,
                          uint32_t links, uint32_t *to, char reason[LP_DIAG_TEXT], LpDiag *diag) {
    const LpSchedule *now = lp_world_schedule(world, context);
    const LpOcsParams *ocs = &context->scenario->cluster.ocs;
    Regroup r = {ocs, to, lp_alloc(ocs->ports, sizeof *r.named), reason, LP_OK};
    if (r.named == NULL)
        return lp_fail_memory(diag, "a regrouping");
    memcpy(to, now->to, ocs->ports * sizeof *to); /* of a cycle, its first matching */
    for (uint32_t p = 0; p < ocs->ports; p++)
        r.named[p] = LP_DARK;
    bool good = links > 0 || refuse(&r, "no links are named");
    for (uint32_t i = 0; good && i < links; i++)
        good = leave(&r, &link[i], i);
    for (uint32_t i = 0; good && i < links; i++)
        good = join(&r, &link[i]);
    lp_free(r.named);
    return r.err;
}
