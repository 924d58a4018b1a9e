/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside import/nets: switches above switches above hosts, as Slurm and Topograph describe a
 * cluster, without rates. */
#ifndef LP_IMPORT_NETS_SWITCH_TREE_H
#define LP_IMPORT_NETS_SWITCH_TREE_H

#include "import/nets/names.h"
#include "import/nets/net.h"

typedef struct LpTreeSwitch {
    uint32_t up;      /* the switch above it, the first that was named; LP_NO_INDEX: it is a top */
    uint32_t parents; /* switches above it */
    uint32_t height;  /* 1 where no switch is below it; set by lp_switch_tree_done */
    uint32_t hosts;   /* that hang on it */
    int line, col;    /* where it stands in the file */
} LpTreeSwitch;

/* A switch below another one. */
typedef struct LpTreeLink {
    uint32_t above, below;
} LpTreeLink;

typedef struct LpTreeHost {
    uint32_t leaf;   /* the switch that it hangs on */
    uint32_t domain; /* LP_NO_INDEX: none */
} LpTreeHost;

typedef struct LpSwitchTree {
    LpNames switches, hosts, domains;
    LpTreeSwitch *sw; /* of each name of `switches` */
    size_t sw_cap;
    LpTreeHost *host; /* of each name of `hosts` */
    size_t host_cap;
    LpTreeLink *link;
    size_t links, link_cap;
    uint32_t levels; /* greatest height; set by lp_switch_tree_done */
    bool blocks;     /* the lowest level is one of blocks, and none above them is told */
    bool sorted;     /* tops are told by name, not in the order of the file */
    bool nested;     /* domains are a level; set by lp_switch_tree_net */
    uint32_t cables; /* of the file's hosts and switches; set by lp_switch_tree_net */
    uint32_t split;  /* servers that a host becomes; set by lp_switch_tree_net */
} LpSwitchTree;

LpErr lp_switch_tree_new(LpSwitchTree **out, LpDiag *diag) LP_MUST_USE;
void lp_switch_tree_free(void *tree);

/* The switch of this name, which is added where it is new (*fresh, NULL allowed) with its place.
 * LP_ENOMEM. */
LpErr lp_switch_tree_switch(LpSwitchTree *tree, const char *name, int line, int col,
                            uint32_t *number, bool *fresh, LpDiag *diag) LP_MUST_USE;
/* A host below a switch; *fresh: it was not there before, else nothing changes. LP_ENOMEM. */
LpErr lp_switch_tree_host(LpSwitchTree *tree, const char *name, uint32_t leaf, bool *fresh,
                          LpDiag *diag) LP_MUST_USE;
/* Puts a switch below another one. LP_ENOMEM. */
LpErr lp_switch_tree_link(LpSwitchTree *tree, uint32_t above, uint32_t below,
                          LpDiag *diag) LP_MUST_USE;

/* After the last of them: heights. LP_EPARSE at the place of a switch that is above itself;
 * LP_ELIMIT above 64 levels. */
LpErr lp_switch_tree_done(LpSwitchTree *tree, const char *file, LpDiag *diag) LP_MUST_USE;
/* Makes the network of the tree with rates, uplinks and servers per host as the options say, and
 * its levels. Several tops hang on one switch more, which the file does not have: a network in
 * which servers cannot reach each other is none. Errors: those of building it. */
LpErr lp_switch_tree_net(LpSwitchTree *tree, const LpImportOptions *options, LpNet *net,
                         LpDiag *diag) LP_MUST_USE;

/* Members of the report: lists and counts by name. */
void lp_switch_tree_put_domains(const LpSwitchTree *tree, LpJsonOut *json);
void lp_switch_tree_put_tops(const LpSwitchTree *tree, LpJsonOut *json);
void lp_switch_tree_put_leaf_sizes(const LpSwitchTree *tree, LpJsonOut *json);
/* Lines of the report as text; for LpFormat.text, with the tree as `own`. */
void lp_switch_tree_text(const LpReading *reading, LpBuf *out);

#endif
