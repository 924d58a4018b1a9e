/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ports of circuit switches, as every board of them draws them. */
#ifndef LP_UI_VIEWS_CIRCUITS_PORTS_H
#define LP_UI_VIEWS_CIRCUITS_PORTS_H

#include "sim/light/circuits.h"
#include "views/circuits/circuits_view_impl.h"

/* What the switches of a moment join. */
typedef struct LpPortBoard {
    const LpModel *model;
    const LpOcsParams *ocs;
    const LpSchedule *schedule;
    bool ascii;
    LpLit *circuit; /* ascending by input, then output; also those that are not lit yet */
    uint32_t count;
} LpPortBoard;

/* Or an aggregator. */
static inline bool lp_port_is_server(const LpPortBoard *b, uint32_t port) {
    return b->ocs->plug[port].node < b->ocs->servers;
}

/* A rack: servers whose ports are set to aggregators, by digits. Not where ports join servers to
 * each other, or a cycle of matchings turns. */
bool lp_view_rack_fits(const LpPortBoard *b, int width, int height);
/* Returns the lines that it takes. */
int lp_view_rack(const LpPortBoard *b, const LpArea *area);

#endif
