/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An uneven all-to-all, as of a layer with experts, that a circuit switch carries in matchings: how
 * it is cut, when the bytes come, and when the experts have worked them off. Every server has
 * `ports` circuit ports, all of which a matching uses, and `packet_ports` more into a full fat
 * tree. docs/uneven.md says what is computed. Times are seconds, bytes whole, rates bytes/s. */
#ifndef LP_SIM_UNEVEN_H
#define LP_SIM_UNEVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define LP_UNEVEN_BYTES_MAX 0x1p46 /* from one server to another */
#define LP_UNEVEN_TIE 1e-12        /* relatively closer times and gains are one */
enum { LP_UNEVEN_PORTS_MAX = 1024 };

typedef struct LpUneven {
    uint32_t servers;      /* 2 to LP_UNEVEN_SERVERS_MAX */
    const int64_t *demand; /* servers * servers, row by row; borrowed. The diagonal is not sent */
    uint32_t ports, packet_ports;
    double rate; /* of a port */
    double start, hop;
    double compute; /* bytes/s of a server's experts; INFINITY: there are none */
    double launch;  /* of each batch */
    int64_t tile;   /* a batch is worked off in whole ones; 0: byte by byte */
    bool merge;     /* a server that becomes free takes all that is there as one batch */
} LpUneven;

/* How a demand is cut. X(ID, "word") */
#define LP_UNEVEN_CUT_TABLE(X)                                                                     \
    X(ROTATIONS, "rotations")                                                                      \
    X(BVN, "bvn")                                                                                  \
    X(SOLSTICE, "solstice")                                                                        \
    X(ECLIPSE, "eclipse")                                                                          \
    X(MAX_WEIGHT, "max_weight")                                                                    \
    X(GREEDY, "greedy")

typedef enum LpUnevenCut {
#define X(id, word) LP_UNEVEN_##id,
    LP_UNEVEN_CUT_TABLE(X)
#undef X
        LP_UNEVEN_CUTS
} LpUnevenCut;

const char *lp_uneven_cut_name(LpUnevenCut cut);

/* Matchings one after the other. Pairs that carry nothing are dark. */
typedef struct LpUnevenSlots {
    uint32_t servers, count;
    uint8_t *to;    /* count * servers: the receiver of each sender, or LP_UNEVEN_NONE */
    int64_t *bytes; /* beside them */
    size_t to_cap, bytes_cap;
} LpUnevenSlots;

/* Cuts the demand; eclipse reckons with a delay of a turn. *out is all of it, to be freed. Errors:
 * LP_ENOMEM. O(n^2) words of bits for each matching; for eclipse and max_weight O(n^3). */
LpErr lp_uneven_cut(const LpUneven *all, LpUnevenCut cut, double delay, LpUnevenSlots *out,
                    LpDiag *diag) LP_MUST_USE;
void lp_uneven_slots_free(LpUnevenSlots *slots); /* NULL and zeros allowed */

/* What comes of the first matchings, with packets for the rest. */
typedef struct LpUnevenRun {
    bool never; /* bytes are left, and there is no port for packets: nothing else is set */
    uint32_t turns;
    double communication; /* the last byte has arrived */
    double time;          /* and the last batch is done */
    uint32_t batches;     /* most of one server */
} LpUnevenRun;

/* A matching in time. */
typedef struct LpUnevenSlot {
    bool turned;
    double from, to; /* after its turn and start; its longest pair has arrived */
    int64_t bytes;   /* of all its pairs */
    uint32_t pairs;
} LpUnevenSlot;

/* The first 0, 1, ... `most` matchings: out[k] is that of k of them, for k from `least` on. `slot`,
 * where not NULL, has the times of the first `most`. Errors: LP_ENOMEM. O(n) for each matching and
 * each k behind it. */
LpErr lp_uneven_run(const LpUneven *all, const LpUnevenSlots *slots, double delay, uint32_t least,
                    uint32_t most, LpUnevenRun *out, LpUnevenSlot *slot, LpDiag *diag) LP_MUST_USE;

/* No cut is done sooner with this delay. O(n^2). */
double lp_uneven_bound(const LpUneven *all, double delay);
/* A packet network of as many ports, all bytes of a server as one batch. No bound: what feeds the
 * experts earlier may be done sooner. O(n^2). */
double lp_uneven_ideal(const LpUneven *all);
/* The time of a batch. */
double lp_uneven_work(const LpUneven *all, int64_t bytes);
/* Bytes of all pairs, and of those that stay where they are. */
int64_t lp_uneven_bytes(const LpUneven *all, int64_t *local);

#endif
