/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fabric says of itself for boards, in its own words: what joins its servers, how they lie
 * together, and which pictures suit it. Who draws asks this, and never which fabric it is. */
#ifndef LP_MODEL_FABRIC_BOARD_H
#define LP_MODEL_FABRIC_BOARD_H

#include "base/str.h"
#include "model/fabric/fabric.h"

/* What joins servers. */
typedef enum LpBoardJoins {
    LP_BOARD_LIGHT,  /* transmitters: every server has one towards each group */
    LP_BOARD_SLICES, /* circuits that a slice holds as a whole */
    LP_BOARD_PORTS,  /* ports of circuit switches */
    LP_BOARD_LINKS,  /* links that jobs share, as behind ports, too */
    LP_BOARD_JOINS
} LpBoardJoins;

/* How links can be shown. */
typedef enum LpBoardLook {
    LP_BOARD_LIST,    /* as sentences, the fullest first */
    LP_BOARD_MATRIX,  /* up and down, a line for each rack, a column for each spine */
    LP_BOARD_PICTURE, /* a bar for each link over the column of its rack */
    LP_BOARD_WAYS,    /* what is measured from each site to each, and what is true */
    LP_BOARD_MAP,     /* sites, and the ways between them */
    LP_BOARD_LOOKS
} LpBoardLook;

struct LpBoardPlan {
    const char *name; /* the fabric's */
    LpBoardJoins joins;
    LpBoardLook look[LP_BOARD_LOOKS]; /* those that suit the links, the best one first, then LIST */
    uint32_t spines;                  /* columns of MATRIX and PICTURE */
    double light;                     /* circuits that can be lit at once */
    bool wavelengths; /* the place of a receiver in its rack is the wavelength that it is reached on
                       */
    /* Servers as equal blocks of numbers: group, rack and place as in LpFabric, each 1 where there
     * is none. */
    uint32_t servers, groups, racks, per_rack;
    /* Racks by what they are called, which need not be equal: lp_board_racks. */
    const char *rack, *rack_many; /* "leaf", "leaves"; NULL: servers lie in no racks */
    uint32_t count;               /* racks, 1 where there are none */
    bool loose;                   /* the last rack is of servers that are in none */
    bool sites;                   /* racks are sites with names of their own */
    const char *group;            /* "pod"; NULL: racks lie in no groups */
    uint32_t per_group;           /* racks of a group; 0 where there are none */
    uint32_t rows;                /* of racks that a board wants to show below each other */
    uint32_t row, layer; /* racks of a row and of a layer of their grid; 0: they lie in none */
};

/* O(1). */
LpBoardPlan lp_board_plan(const LpFabric *fabric);
/* Do jobs meet on links? */
static inline bool lp_board_shares(const LpBoardPlan *plan) {
    return plan->joins == LP_BOARD_PORTS || plan->joins == LP_BOARD_LINKS;
}
/* Group of a server, and rack in its group. */
static inline uint32_t lp_board_group(const LpBoardPlan *plan, uint32_t server) {
    return server / (plan->racks * plan->per_rack);
}
static inline uint32_t lp_board_rack(const LpBoardPlan *plan, uint32_t server) {
    return server / plan->per_rack % plan->racks;
}
/* The rack of each server. joined: of each port of a circuit switch the one that it is set to,
 * LP_NO_PORT where it is dark; NULL where there are no ports. O(servers + ports). */
void lp_board_racks(const LpFabric *fabric, const uint32_t *joined, uint32_t *rack);
/* "g2r1", "leaf 3", "north". */
void lp_board_rack_name(const LpFabric *fabric, uint32_t rack, LpBuf *out);
/* One end of a link: "leaf 3", "server 5", a site's name. */
void lp_board_node_name(const LpFabric *fabric, uint32_t node, LpBuf *out);

#endif
