/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network of others is read into: servers and switches by name, the cables between them, and
 * the tree that they form where the source has one. */
#ifndef LP_IMPORT_NETS_NET_H
#define LP_IMPORT_NETS_NET_H

#include "import/rows/format.h"

typedef struct LpNetCable {
    uint32_t from, to; /* nodes: servers first, then switches */
    double bandwidth;  /* B/s each way; 0: the source has none, the options' is taken */
    double delay;      /* s */
} LpNetCable;

/* A node of a level: what lies under it. */
typedef struct LpNetNode {
    const char *name;
    uint32_t *child; /* servers in the lowest level, else nodes of the level below */
    uint32_t children;
} LpNetNode;

typedef struct LpNetLevel {
    const char *name; /* "leaf", "spine", "core", "level4"; "block"; "domain" */
    LpNetNode *node;
    uint32_t nodes;
} LpNetLevel;

LpErr lp_net_new(LpNet **out, LpDiag *diag) LP_MUST_USE;
void lp_net_free(LpNet *net); /* NULL allowed */

/* ---- for readers ---- */

/* A name is copied; its number among servers or among switches goes to *out (NULL allowed). A name
 * that is there already is the reader's to refuse: lp_net_find. LP_ENOMEM. */
LpErr lp_net_server(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_net_switch(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) LP_MUST_USE;
/* Expected O(1). True where a node has the name; *is_server, *number say which. */
bool lp_net_find(const LpNet *net, const char *name, bool *is_server, uint32_t *number);
/* Ends: number of a server, or of a switch with `is_switch`. LP_ENOMEM. */
typedef struct LpNetEnd {
    uint32_t number;
    bool is_switch;
} LpNetEnd;
LpErr lp_net_cable(LpNet *net, LpNetEnd from, LpNetEnd to, double bandwidth, double delay,
                   LpDiag *diag) LP_MUST_USE;
/* Adds a level above those that are there; arrays and names are copied. LP_ENOMEM. */
LpErr lp_net_level(LpNet *net, const LpNetLevel *level, LpDiag *diag) LP_MUST_USE;
void lp_net_note(LpNet *net, const char *word, uint64_t count); /* as lp_rows_note */
void lp_net_assume(LpNet *net, const char *sentence);           /* as lp_rows_assume */

/* ---- for what is made of it ---- */

uint32_t lp_net_servers(const LpNet *net);
uint32_t lp_net_switches(const LpNet *net);
const char *lp_net_server_name(const LpNet *net, uint32_t server);
const char *lp_net_switch_name(const LpNet *net, uint32_t number);
/* In the order in which they were added; ends as nodes, servers first. */
uint32_t lp_net_cables(const LpNet *net, const LpNetCable **out);
uint32_t lp_net_levels(const LpNet *net, const LpNetLevel **out); /* closest to the servers first */

/* The members of the report after "format", with `all` the long lists (links, nodes by rank). */
void lp_net_report(const LpNet *net, const LpReading *reading, bool all, LpJsonOut *json);
void lp_net_text(const LpNet *net, const LpReading *reading, LpBuf *out);
/* The value of the key `cluster` of a scenario: fabric packet with topology links (torus where
 * that is what it is), levels and names. LP_EINVAL where the fabric cannot be so. */
LpErr lp_net_cluster(const LpNet *net, const LpReading *reading, LpJsonOut *json,
                     LpDiag *diag) LP_MUST_USE;

#endif
