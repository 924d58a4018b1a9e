/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric `zones`: sites far apart, a packet network whose ways lose packets and whose transfers
 * are carried by TCP (model/network/network.h, model/network/tcp.h). What differs from `packet`:
 * its symmetry. */
#include <string.h>

#include "base/mem.h"
#include "model/fabric/internal.h"
#include "model/network/internal.h"

/* A round number of zones of equal size stands as racks on the boards. */
static void zones_init(LpFabric *f) {
    lp_packet_init(f);
    const LpNetwork *n = f->network;
    bool equal = true;
    for (uint32_t z = 0; z < n->localities; z++)
        equal = equal && n->spec.zone[z].servers == n->spec.zone[0].servers;
    if (!equal)
        return;
    f->groups = n->localities;
    f->per_rack = n->spec.zone[0].servers;
}

/* Servers of one zone that follow each other and have like cables are interchangeable: their
 * numbers stay between those of their neighbours, so a ring in either order, a tree and groups meet
 * the same cables and ways in the same order. Other servers, and zones, differ. Where memory is
 * short everybody keeps their number, which costs a simulation and changes no result. */
static void zones_canonical(const LpFabric *f, const uint32_t *servers, uint32_t n, uint32_t *out) {
    const uint32_t *alike = f->network->alike;
    uint32_t *label = lp_alloc(2 * (size_t)f->servers, sizeof *label);
    memcpy(out, servers, n * sizeof *out);
    for (uint32_t i = 0; label != NULL && i < n; i++) {
        uint32_t first = alike[servers[i]], *mine = &label[servers[i]];
        uint32_t *given = &label[f->servers + first]; /* numbers of the run that are */
        if (*mine == 0)
            *mine = ++*given;
        out[i] = first + *mine - 1;
    }
    lp_free(label);
}

const LpFabricOps lp_fabric_zones = {
    .name = "zones",
    .title = "sites far apart, joined by TCP",
    .init = zones_init,
    .shapes = lp_packet_shapes,
    .regular = lp_packet_regular,
    .origins = lp_packet_origins,
    .block = lp_packet_block,
    .transfer_time = lp_packet_transfer,
    .collective_time = lp_packet_collective,
    .published_collective_time = lp_packet_published,
    .ports = lp_packet_ports,
    .canonical = zones_canonical,
    .wavelength = lp_packet_wavelength,
    .wavelengths = lp_packet_wavelengths,
};
