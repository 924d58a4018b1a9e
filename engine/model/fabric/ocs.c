/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric "ocs": a packet network whose links are circuits. What depends on the links of the
 * moment is in model/fabric/packet.c; here are the constants, which do not. */
#include <string.h>

#include "model/fabric/internal.h"

/* What one server can receive: all that is plugged into switches, and its fixed cables. */
static double receive_rate(const LpOcsParams *o, uint32_t server) {
    double rate = 0;
    for (uint32_t p = 0; p < o->ports; p++)
        rate += o->plug[p].node == server ? o->plug[p].bandwidth : 0;
    for (uint32_t i = 0; i < o->cables; i++)
        rate += o->cable[i].a == server || o->cable[i].b == server ? o->cable[i].capacity : 0;
    return rate;
}

static double least_port(const LpOcsParams *o) {
    double least = 0;
    for (uint32_t p = 0; p < o->ports; p++)
        if (o->plug[p].node < o->servers && (least == 0 || o->plug[p].bandwidth < least))
            least = o->plug[p].bandwidth;
    return least;
}

/* A server reaches others over as many links as its circuits and cables have far ends. */
static uint32_t links_per_server(const LpOcsParams *o) {
    return o->servers + o->aggregators + o->cables;
}

void lp_ocs_init(LpFabric *f) {
    const LpOcsParams *o = &f->cluster->ocs;
    f->network = f->cluster->packet.network;
    f->servers = o->servers;
    f->groups = f->racks = 1;
    f->per_rack = f->servers;
    f->server_rate = receive_rate(o, 0);
    for (uint32_t s = 1; s < f->servers; s++) {
        double rate = receive_rate(o, s);
        f->server_rate = rate < f->server_rate ? rate : f->server_rate;
    }
    f->port_rate = least_port(o);
    f->latency = 2.0 * f->cluster->packet.io_latency + 2.0 * o->server_delay;
    f->tx_ports = f->rx_ports = f->servers * links_per_server(o);
    f->light_capacity = o->ports;
}

void lp_ocs_canonical(const LpFabric *fabric, const uint32_t *servers, uint32_t n, uint32_t *out) {
    (void)fabric;
    memcpy(out, servers, n * sizeof *out);
}
