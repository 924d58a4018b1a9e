/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network of others is read into: servers and switches by name, the cables between them, and
 * the tree that they form where the source has one. */
#ifndef LP_IMPORT_NETS_NET_H
#define LP_IMPORT_NETS_NET_H

#include "import/rows/format.h"

/* A server or a switch, by its number among its kind. */
typedef struct LpNetEnd {
    uint32_t number;
    bool is_switch;
} LpNetEnd;

typedef struct LpNetCable {
    LpNetEnd from, to;
    double bandwidth; /* B/s each way */
    double delay;     /* s */
} LpNetCable;

/* A node of a level: what lies under it. */
typedef struct LpNetNode {
    const char *name;
    const uint32_t *child; /* servers in the lowest level, else nodes of the level below */
    uint32_t children;
} LpNetNode;

typedef struct LpNetLevel {
    const char *name; /* "leaf", "spine", "core", "level4"; "block"; "domain"; "host" */
    const LpNetNode *node;
    uint32_t nodes;
} LpNetLevel;

LpErr lp_net_new(LpNet **out, LpDiag *diag) LP_MUST_USE;
void lp_net_free(LpNet *net); /* NULL allowed */

/* ---- for readers ---- */

/* A name is copied; its number among servers, or among switches, goes to *out (NULL allowed).
 * Errors: LP_EINVAL for a name that one of its kind has already, LP_ENOMEM, LP_ELIMIT. */
LpErr lp_net_server(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) LP_MUST_USE;
LpErr lp_net_switch(LpNet *net, const char *name, uint32_t *out, LpDiag *diag) LP_MUST_USE;
/* A cable between nodes that were added. LP_ENOMEM; LP_ELIMIT above those of a network. */
LpErr lp_net_cable(LpNet *net, const LpNetCable *cable, LpDiag *diag) LP_MUST_USE;
/* Adds a level above those that are there; arrays and names are copied. LP_ENOMEM. */
LpErr lp_net_level(LpNet *net, const LpNetLevel *level, LpDiag *diag) LP_MUST_USE;
/* Counts what is to be told besides: "parallel_cables". `word` stays the caller's, a constant. */
LpErr lp_net_note(LpNet *net, const char *word, uint64_t count, LpDiag *diag) LP_MUST_USE;
/* Tells what the source says under such a word, in place of a count; copied. */
LpErr lp_net_note_text(LpNet *net, const char *word, const char *text, LpDiag *diag) LP_MUST_USE;
/* A sentence of the report's "assumed" line; copied. */
LpErr lp_net_assume(LpNet *net, const char *sentence, LpDiag *diag) LP_MUST_USE;
/* Servers pass on what others send. */
void lp_net_forwards(LpNet *net);
/* The network is a torus of these sizes, the last of which runs fastest in the servers' numbers; at
 * most LP_TORUS_DIMENSIONS of them. */
void lp_net_is_torus(LpNet *net, const uint32_t *size, uint32_t dimensions);

/* ---- for what is made of it ---- */

uint32_t lp_net_servers(const LpNet *net);
uint32_t lp_net_switches(const LpNet *net);
const char *lp_net_server_name(const LpNet *net, uint32_t server);
const char *lp_net_switch_name(const LpNet *net, uint32_t number);
/* In the order in which they were added. Valid until the next is. */
uint32_t lp_net_cables(const LpNet *net, const LpNetCable **out);
uint32_t lp_net_levels(const LpNet *net, const LpNetLevel **out); /* closest to the servers first */
/* B/s of all cables at servers, one direction. */
double lp_net_bandwidth_of_servers(const LpNet *net);

/* Members of the report: {word: count or text}. */
void lp_net_put_notes(const LpNet *net, LpJsonOut *json);
/* The members of the report of a network without a tree, after "format"; with `all` every link. */
void lp_net_report(const LpReading *reading, bool all, LpJsonOut *json);
/* Lines of the report as text: sizes, diameter, oversubscription, what is assumed and noted. */
void lp_net_text(const LpReading *reading, LpBuf *out);
/* Some of those lines alone: diameter and oversubscription; what is assumed and noted. */
void lp_net_text_reach(const LpNet *net, LpBuf *out);
void lp_net_text_notes(const LpNet *net, LpBuf *out);

/* Writes the key `cluster` of a scenario with its value: fabric packet with topology links (torus
 * where that is what it is), levels and names. LP_EINVAL where the fabric
 * cannot be so: no server, too many of them, too many nodes that forward. */
LpErr lp_net_cluster(const LpNet *net, const LpReading *reading, LpJsonOut *json,
                     LpDiag *diag) LP_MUST_USE;

#endif
