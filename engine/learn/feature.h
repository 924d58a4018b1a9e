/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of an observation by name, for people: what observe.h computes, in its order. */
#ifndef LP_LEARN_FEATURE_H
#define LP_LEARN_FEATURE_H

#include "base/str.h"
#include "learn/observe.h"

/* X("name", "what it is"), in the order of the numbers. */

#define LP_NODE_FEATURES(X)                                                                        \
    X("time", "time of the op / that of the longest op")                                           \
    X("longest", "is it the longest op? (pac-ml: always 0, Q22)")                                  \
    X("memory", "memory of the op / that of the largest")                                          \
    X("largest memory", "is it the op with the most memory?")                                      \
    X("depth", "ops on a shortest path from a source to it / the most of any op")

#define LP_EDGE_FEATURES(X)                                                                        \
    X("bytes", "bytes of the dependency / the most of any")                                        \
    X("most bytes", "is it the dependency with the most bytes?")

/* Features of the job and the cluster. */
#define LP_JOB_FEATURES(X)                                                                         \
    X("ops of the job", "number of ops, from the fewest to the most of the scenario's graphs")     \
    X("deps of the job", "number of dependencies, likewise")                                       \
    X("unsplit time", "time of all its steps without splitting, likewise")                         \
    X("limit", "the most time that it may take, likewise")                                         \
    X("limit fraction, scaled", "limit / unsplit time, from the least to the most of the jobs")    \
    X("limit fraction", "limit / unsplit time; 1 without a limit")                                 \
    X("memory of the job",                                                                         \
      "memory of all ops, from the least to the most of the scenario's graphs")                    \
    X("bytes of the job", "bytes of all dependencies, likewise")                                   \
    X("steps", "training steps, from the fewest to the most of the jobs")                          \
    X("mean op time", "mean time of an op / the longest")                                          \
    X("median op time", "median time of an op / the longest")                                      \
    X("mean op memory", "mean memory of an op / the largest")                                      \
    X("median op memory", "median memory of an op / the largest")                                  \
    X("mean bytes", "mean bytes of a dependency / the most")                                       \
    X("median bytes", "median bytes of a dependency / the most")                                   \
    X("busy servers", "busy servers / servers (pac-ml: as of the last tick, Q21)")                 \
    X("running jobs", "running jobs / servers")

/* Features of the cluster soon: X(arrivals, "name", "what it is"); encoding corrected only. */
#define LP_SOON_FEATURES(X)                                                                        \
    X(1, "free in 1 arrival",                                                                      \
      "servers that running jobs give back by one mean time between "                              \
      "arrivals from now / servers")                                                               \
    X(2, "free in 2 arrivals", "likewise by two")                                                  \
    X(4, "free in 4 arrivals", "likewise by four")                                                 \
    X(8, "free in 8 arrivals", "likewise by eight")                                                \
    X(12, "free in 12 arrivals", "likewise by twelve")                                             \
    X(20, "free in 20 arrivals", "likewise by twenty")

/* One number per action each; encoding corrected only, but for the last. */
#define LP_ACTION_FEATURES(X)                                                                      \
    X("accepted", "would the job be accepted if it were answered so now?")                         \
    X("servers taken", "servers that it would take / servers, 1 where it cannot be placed")        \
    X("block left", "servers of the largest block that it would leave free / servers, 0 unknown")  \
    X("lasting", "j / (j + t), j: the JCT that it would lead to, t: mean time between arrivals")
#define LP_MASK_FEATURES(X) X("open", "the mask: may it be answered?")

/* What the table is about. */
typedef enum LpFeatureKind {
    LP_FEATURE_JOB,
    LP_FEATURE_SOON,
    LP_FEATURE_ACTION,
    LP_FEATURE_MASK,
    LP_FEATURE_NODE,
    LP_FEATURE_EDGE,
    LP_FEATURE_QUEUE, /* encoding queue: what all actions have in common */
    LP_FEATURE_OWN    /* encoding queue: what one action has for itself */
} LpFeatureKind;

typedef struct LpFeature {
    LpFeatureKind kind;
    const char *name, *doc;
    uint32_t row;    /* in the table of its kind */
    uint32_t action; /* that it tells of; UINT32_MAX: of none */
} LpFeature;

/* The feature at `index` of an observation with `actions` actions; index < lp_observe_features. */
LpFeature lp_feature(LpEncoding encoding, uint32_t actions, uint32_t index);
LpFeature lp_feature_node(uint32_t index); /* < LP_NET_NODE */
LpFeature lp_feature_edge(uint32_t index); /* < LP_NET_EDGE */

/* Appends all of them as a table in Markdown: kind, name, encodings, what it is. */
void lp_feature_table(LpBuf *out);

#endif
