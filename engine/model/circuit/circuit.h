/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optical circuit switches: what is plugged into their ports, which ports they join (a matching, or
 * a cycle of them), and the packet network that the lit circuits make. */
#ifndef LP_MODEL_FABRIC_CIRCUIT_H
#define LP_MODEL_FABRIC_CIRCUIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "model/network/network.h"

#define LP_DARK UINT32_MAX /* no port, no node */

enum { LP_CIRCUIT_PORTS_MAX = 4096, LP_SCHEDULE_ENTRIES_MAX = 4096 };

/* What is plugged into a port: its transmitter at the port's input, its receiver at the output. */
typedef struct LpPlug {
    uint32_t node;    /* servers first, then aggregators */
    uint32_t device;  /* circuit switch */
    double bandwidth; /* bytes/s, each direction */
    double delay;     /* s, of the fibre to the switch */
} LpPlug;

/* Seconds from an order to light that carries data, by what they are spent on. */
typedef struct LpReconfiguration {
    double program, turn, lock; /* controller; mirrors or lasers; receivers and links */
} LpReconfiguration;

/* How sure a preset is: read in the work itself, in its abstract, in somebody else's text about it,
 * or known without a source at hand. */
typedef enum LpEvidence {
    LP_EVIDENCE_TEXT,
    LP_EVIDENCE_ABSTRACT,
    LP_EVIDENCE_SECOND_HAND,
    LP_EVIDENCE_MEMORY
} LpEvidence;

typedef struct LpPreset {
    const char *name, *title;
    LpReconfiguration delay; /* taken when the name is given */
    double least, most;      /* s, where sources disagree or give a range; else both the sum */
    LpEvidence evidence;
    const char *source;
} LpPreset;

const LpPreset *lp_preset_table(size_t *count);
const LpPreset *lp_preset_find(const char *name);  /* NULL when unknown */
const char *lp_evidence_name(LpEvidence evidence); /* such as "text" */

/* The parameters of the fabric "ocs" beside those of its packet network. */
typedef struct LpOcsParams {
    uint32_t servers, aggregators, switches;
    uint32_t nics, ports_per_aggregator; /* of the compact form */
    double server_bandwidth, uplink_bandwidth, server_delay, uplink_delay;
    bool servers_forward;
    uint32_t ports; /* of all switches, numbered through */
    const LpPlug *plug;
    uint32_t cables; /* fixed ones */
    const LpCable *cable;
    const uint32_t *initial; /* per port, the port that its input is joined to, or LP_DARK */
    LpReconfiguration delay;
    const char *preset; /* NULL: none was named */
    double interval;    /* s between decisions about circuits, 0: none */
} LpOcsParams;

/* A cycle of matchings: entry e joins input p to output to[e * ports + p] for hold[e] seconds. With
 * one entry its hold means nothing: it stays. */
typedef struct LpSchedule {
    uint32_t ports, entries;
    const uint32_t *to;
    const double *hold; /* s, > 0 */
} LpSchedule;

/* A circuit that is lit for a share of the time. */
typedef struct LpLit {
    uint32_t in, out;
    double share; /* 0 < share <= 1 */
} LpLit;

double lp_reconfiguration_time(const LpReconfiguration *r);

/* Fills in what the compact form leaves out: plugs (NIC k of server s is port k * servers + s, port
 * p of aggregator a is nics * servers + a * ports_per_aggregator + p; NIC k and port p go to switch
 * k or p modulo switches), cables between all aggregators, and all ports dark. What is listed
 * stays. Errors with the key: LP_EINVAL, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_ocs_finish(LpOcsParams *ocs, LpArena *arena, LpDiag *diag) LP_MUST_USE;

/* The rules that a schedule keeps: every port exists and is on the same switch as its partner
 * (same_switch) and of another node (two_nodes), no port is in two circuits of one entry
 * (one_circuit_per_port), holds are positive. An input joined to its own output counts as dark.
 * LP_EREFUSED with the rule in the sentence. */
LpErr lp_schedule_check(const LpOcsParams *ocs, const LpSchedule *schedule,
                        LpDiag *diag) LP_MUST_USE;

/* Circuits of a schedule with their duty shares, ascending by input, then output; out has room for
 * entries * ports. A change between neighbouring entries of the cycle darkens what changes for
 * `delay` seconds; who stays joined stays lit. One entry: all shares are 1. Returns how many.
 * O(ports * entries^2) at worst. */
uint32_t lp_schedule_lit(const LpSchedule *schedule, double delay, LpLit *out);

/* The network that lit circuits and the fixed cables make. A circuit runs at the rate of its
 * narrower plug times its share; parts of the network may be out of reach. Link l < count is
 * circuit l, then both directions of each cable. Errors: LP_ENOMEM, LP_ELIMIT. */
LpErr lp_ocs_network(const LpOcsParams *ocs, const LpLit *lit, uint32_t count, LpArena *arena,
                     const LpNetwork **out, LpDiag *diag) LP_MUST_USE;
/* The same servers under one ideal switch, with all their circuits and cables: what could be at
 * best. */
LpErr lp_ocs_reference(const LpOcsParams *ocs, LpArena *arena, const LpNetwork **out,
                       LpDiag *diag) LP_MUST_USE;

/* "server 3", "aggregator 0". Returns buf. */
enum { LP_NODE_TEXT = 32 };
const char *lp_ocs_node(const LpOcsParams *ocs, uint32_t node, char buf[LP_NODE_TEXT]);

#endif
