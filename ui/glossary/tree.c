/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about the cluster's tree: where gangs fit, and why jobs wait. */
#include "glossary/tables.h"

static const LpGloss words[] = {
    {"tree", "node|nodes|level|levels",
     "How a cluster's servers lie together: nodes of a lowest level, such as leaves or racks, have "
     "servers, those of each level above have nodes, and the cluster is above all. A job may ask "
     "for servers under one node of a level.",
     NULL, NULL, "tree {tree}", "gang, leaf, rack"},
    {"gang", "gangs|largest gang",
     "Servers that a job needs all at once, within one node of the level that is shown. How many "
     "gangs of a width fit: in each node as often as the width goes into what is free.",
     "sum of floor(free / width)", "gangs", "tree {tree}", "tree, across, unused"},
    {"across", "across so many nodes",
     "Nodes of the level that one gang would lie in now, if those with most that is free were "
     "taken "
     "first; - where not even all of them have enough.",
     NULL, "nodes", "tree {tree}", "gang, then"},
    {"unused", "cannot use",
     "The share of the free servers that no gang of that width in one node can use: how fragmented "
     "the cluster is for it.",
     "1 - gangs x width / free", "%", "tree {tree}", "gang, fragmentation"},
    {"shade", "shades|not free|until one ends|no gang fits",
     "Beside a node: the whole of it where no gang as wide as the marked job fits there; or how "
     "much of it is not free; or the time until the first job there ends.",
     NULL, NULL, "tree {tree}", "gang"},
    {"if one job ended now", "ended|makes no room",
     "For each running job, alone: would the marked job fit if that one were gone, and in which "
     "node?",
     NULL, NULL, "tree {tree}", "enough in, gang"},
    {"name", "by name", "What a user, or the scheduler of a cluster, calls a job.", NULL, NULL,
     "tree {tree}, jobs {jobs}", "job"},
    {"user", "users", NULL, NULL, NULL, "tree {tree}", "job"},
    {"LOOK", "looking for",
     "The run is played on to its end, since only all of it tells when waiting was worst; any key "
     "stops that.",
     NULL, "%", "now bar", "wait"},
    {"EASY", "backfill|easy_backfill",
     "A rule about who may overtake: whoever fits now and ends before the first one in the queue "
     "is "
     "to start. In its plain form it looks at times alone, not at where jobs lie.",
     NULL, NULL, "tree {tree}, policies", "overtaken, enough in"},
    {"asks", "asks for", NULL, NULL, NULL, "tree {tree}", "gang, tree"},
    {"came", NULL, NULL, NULL, "s", "tree {tree}", "arrived"},
    {"overtaken", "most overtaken|overtake|over|overtakings",
     "How many jobs that came later started first.", NULL, "jobs",
     "tree {tree}, jobs {jobs}, compare {compare}", "waited"},
    {"enough in", NULL, NULL, NULL, "s", "tree {tree}", "forecast, gang"},
    {"then", NULL, NULL, NULL, NULL, "tree {tree}", "across, step time"},
    {"in a word", NULL, NULL, NULL, NULL, "tree {tree}", "why"},
    {"widest", "wide|width|wider", "Jobs by the servers that they ask for, the most first.", NULL,
     NULL, "tree {tree}", "gang"},
    {"freest", "freest first", "Nodes by what is free in them, the most first.", NULL, NULL,
     "tree {tree}", "gang"},
};

LpGlossTable lp_gloss_tree(void) {
    return (LpGlossTable){words, LP_COUNTOF(words)};
}
