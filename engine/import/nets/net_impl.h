/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: what a network is. */
#ifndef LP_IMPORT_NETS_NET_IMPL_H
#define LP_IMPORT_NETS_NET_IMPL_H

#include "import/nets/names.h"
#include "import/nets/net.h"
#include "model/network/network.h"

enum { LP_NET_LEVELS_MAX = 8, LP_NET_NOTES_MAX = 16 };

typedef struct LpNetRemark {
    const char *word;
    uint64_t count;
    const char *text; /* NULL: the count is told */
} LpNetRemark;

struct LpNet {
    LpArena *arena; /* levels, texts */
    LpNames servers, switches;
    LpNetCable *cable;
    uint32_t cables;
    size_t cables_cap;
    LpNetLevel level[LP_NET_LEVELS_MAX];
    uint32_t levels;
    LpNetRemark note[LP_NET_NOTES_MAX];
    size_t notes;
    const char *assumed[LP_NET_NOTES_MAX];
    size_t sentences;
    bool forwards;
    uint32_t size[LP_TORUS_DIMENSIONS], dimensions; /* 0: it is no torus */
};

/* The number of an end among all nodes: servers first, then switches. */
static inline uint32_t lp_net_node(const LpNet *net, LpNetEnd end) {
    return end.is_switch ? net->servers.count + end.number : end.number;
}

#endif
