/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about the cluster and its light. */
#include "glossary/tables.h"

static const LpGloss words[] = {
    {"RAMP", "ramp",
     "An optical network for a whole cluster, after Ottino, Benjamin and Zervas: every server has "
     "one "
     "transmitter to each group of servers, so no light is switched in the middle; who sends to "
     "whom is "
     "a matter of which transmitter and which wavelength.",
     NULL, NULL, "circuits {circuits}", "group, transmitter, wavelength, light path"},
    {"fabric", "fabrics",
     "The network that joins the servers: ramp, ideal, packet, ocs, zones or pod.", NULL, NULL,
     "circuits {circuits}", "RAMP, ideal, packet, ocs, zones, pod"},
    {"ideal", NULL,
     "A network without limits between servers: each pair has the full rate at once.", NULL, NULL,
     "circuits {circuits}", "fabric"},
    {"packet", "leaf-spine", "A network of packet switches: jobs that meet on a link share it.",
     NULL, NULL, "circuits {circuits}", "link, leaf"},
    {"interleaved", "always on|interleaving|sharing",
     "How jobs share the links of a packet network. Always on: flows count as if every job sent "
     "all of "
     "the time. Interleaved: flows share a link only while both jobs really send, and one may "
     "compute "
     "while the other sends. Key sharing of the network in the scenario.",
     NULL, NULL, "one step {step}", "packet, phase of sending"},
    {"phase of sending", "phases of sending",
     "A part of a training step in which a job sends over links that others may use. It begins "
     "when "
     "the work before it is done; work that needs it waits for its end.",
     NULL, NULL, "one step {step} of packet, interleaved", "interleaved, step"},
    {"ocs", "optical circuit switch|optical circuit switches|MEMS",
     "A network of optical circuit switches: each joins an input port to an output port by light, "
     "and is dark "
     "while it turns.",
     NULL, NULL, "circuits {circuits}", "port, matching, reconfiguration"},
    {"zones", "zone|site|sites|centre|region|regions",
     "A network of sites far from each other, joined by long links.", NULL, NULL,
     "servers {servers}, circuits {circuits}", "link, latency"},
    {"pod", "cube|cubes|c#",
     "A cluster of cubes, each of 4 x 4 x 4 accelerators wired inside. Circuit switches join the "
     "faces of cubes, any with any.",
     NULL, NULL, "servers {servers}, circuits {circuits}", "slice, ocs, fabric"},
    {"slice", "slices|twisted|twist",
     "What a job rents of a pod: a box of accelerators such as 4x4x8, whole cubes or a part of "
     "one, "
     "closed to rings by circuits. Twisted, the ends of the long rings are joined with an offset, "
     "which "
     "shortens ways across.",
     NULL, NULL, "circuits {circuits}, jobs {jobs}", "pod, shape"},
    {"spare", "spares|kept|kept as spares",
     "A usable cube that is kept back for slices that lose one: no slice of whole cubes takes it "
     "(cluster.pod.spares). The board marks the highest numbers, s; any other one does as well.",
     NULL, NULL, "servers {servers}", "slice, broken"},
    {"held up", "holds|stalled|standing still",
     "A failure stopped the job, and it keeps what it has, standing still, until that is mended "
     "(on_failure hold).",
     NULL, NULL, "servers {servers}, jobs {jobs}", "broken, goes on, mended"},
    {"mended", NULL, "What broke works again. What breaks by itself is mended by itself.", NULL,
     NULL, "the line of what happens, events {events}", "broken, held up"},
    {"goes on", "slow|more slowly|degraded",
     "A job that a failure stopped runs again, elsewhere or where it was. More slowly: its slice "
     "has "
     "lost light, and a second of work takes as much longer as the busiest link carries more, or "
     "as its step does, if it has a graph.",
     NULL, NULL, "the line of what happens, events {events}", "broken, slice, load"},
    {"hosts down", NULL,
     "Of a cube that nobody has: so many of its hosts are broken, + more than nine. No slice of "
     "whole cubes can have it, parts of a cube can.",
     NULL, "hosts", "servers {servers}", "broken, slice"},
    {"settles", "restarts|settling|restoring",
     "The circuits of a slice are being set, or the job reads its checkpoint: it does not work "
     "yet.",
     NULL, NULL, "servers {servers}", "slice, circuits"},
    {"seam", "seams",
     "Where a row or a column of a slice ends and its circuits lead back to the other end. "
     "Twisted, "
     "they lead to a place further on, which the letters at the end of a column show.",
     NULL, NULL, "pod (:view pod)", "slice, torus"},
    {"host", "hosts|host #",
     "A machine with four accelerators of a cube; when it fails, the cube with its 16 hosts is of "
     "no use to a slice.",
     NULL, NULL, "pod (:view pod)", "pod, broken, slice"},
    {"static wiring", "static|switched|wiring",
     "Switched: circuit switches join any cubes to a slice. Static: cables join each cube to its "
     "neighbours for good, so that a slice needs cubes that lie together.",
     NULL, NULL, "pod (:view pod)", "slice, ocs"},
    {"diameter", "mean distance",
     "How many links lie between the two accelerators farthest apart in a slice. Mean: between any "
     "two of them.",
     NULL, "links", "pod (:view pod)", "torus, slice"},
    {"checkpoint", "checkpoints|saved|lost work",
     "What a job writes down from time to time, so that after a failure it goes on from there: "
     "what "
     "it trained since is lost, and reading it takes a while.",
     NULL, "s", "jobs {jobs}, servers {servers}", "broken, aborted"},
    {"torus", "rings|ring",
     "A box of accelerators in which every row, column and stack is closed to a ring.", NULL, NULL,
     "pod (:view pod)", "slice, seam"},
    {"heat", NULL,
     "How loaded links are when every accelerator sends one unit to every other one, split evenly "
     "over all shortest paths: a bar for the busiest link of each accelerator, lines between them "
     "along z.",
     NULL, "units", "pod (:view pod)", "slice, all-to-all"},
    {"all-to-all", "to all",
     "Every accelerator sends as much to every other one. The busiest link sets its time; as a "
     "column, of 1 GB from each to each.",
     "diameter x delay + load x bytes / rate", "s", "pod (:view pod)", "heat, gain"},
    {"gain", "plain rings|plain",
     "Rate of all-to-all in a slice over that of the same shape with plain rings: what a twist "
     "wins, or missing rings lose.",
     "load of plain rings / load", NULL, "pod (:view pod)", "all-to-all, slice"},
    {"switch", "switches",
     "A circuit switch of a pod: each has one link of every face in one dimension, and joins the + "
     "face of a cube to the - face of the next.",
     NULL, NULL, "pod (:view pod), circuits {circuits}", "pod, circuits"},
    {"other shapes", "now",
     "Slices of as many accelerators as the job asks for, and whether each would find a place now: "
     "resource, shape and broken say why not.",
     NULL, NULL, "pod (:view pod)", "slice, gain"},
    {"capacity", "promised",
     "Share of a pod that slices of one size can use while hosts fail. Switched, any cubes that "
     "work make a slice; static, only fixed places do. Promised: the most that is there for 97 % "
     "of the time.",
     "switched: mean of floor(U/k) k/C, U cubes that work", NULL, "pod (:view pod)", "pod, slice"},
    {"server", "servers|srv|s#|of #",
     "A machine with one device that computes, such as a GPU. It belongs to one job at a time. "
     "As a column: how many the job takes, has or had.",
     NULL, NULL, "servers {servers}", "group, rack, busy, free"},
    {"cluster", "clusters", "All servers, and the network that joins them.", NULL, NULL,
     "servers {servers}, adjust {adjust}", "server, group"},
    {"device", "A100|V100|GPU|GPUs", "What computes in a server.", NULL, NULL, "servers {servers}",
     "server, memory"},
    {"group", "groups|g#|communication group",
     "A row of the boards: racks that are reached by the same transmitters.", NULL, NULL,
     "servers {servers}, circuits {circuits}", "rack, transmitter"},
    {"rack", "racks|r#",
     "Servers that stand together, a column of the server board. On RAMP racks of the same number "
     "in all groups share their light.",
     NULL, NULL, "servers {servers}", "group, wavelength"},
    {"free", "stay free|stays free|free after", "A server that no job holds; a dot on the board.",
     NULL, "servers", "servers {servers}", "busy, block"},
    {"busy", NULL, "Servers that jobs hold, whether they compute or wait for data.",
     "busy / all servers", "servers, %", "the line of counts, servers {servers}, traffic {traffic}",
     "free, held, nobody computes"},
    {"held", "reserved|reserve",
     "Reserved for a job until it ends, servers and transmitters alike: nobody else can have them, "
     "also while they are idle.",
     NULL, NULL, "servers {servers}, circuits {circuits}", "lit, busy"},
    {"lit", "light|# of #",
     "Transmitters that send for some job. A job holds all transmitters of its servers, and lights "
     "those "
     "that it needs.",
     "lit of all transmitters", "transmitters", "the line of counts, circuits {circuits}",
     "held, dark, transmitter"},
    {"how full", NULL,
     "How much of the cluster and its network is held, and how much of that sends. A network can "
     "be "
     "held as a whole and yet be nearly dark: transmitters of a busy server are its job's, also "
     "while it computes.",
     "part / whole", "transmitters, ports or links; %", "circuits {circuits}", "held, lit, busy"},
    {"dark", NULL, "A transmitter, or a light path, that nobody lights.", NULL, NULL,
     "circuits {circuits}", "lit"},
    {"broken", "fails|failed|failure|repair",
     "A server or a light path that has failed and takes no job until it is repaired. As a cause: "
     "a slice would have a place if nothing were broken.",
     NULL, NULL, "servers {servers}, circuits {circuits}; :change fail=server N", "condition"},
    {"circuits", "circuit|cross-connects|light path|light paths|path|paths|4/5",
     "Light from one server to another, or from a port to a port: nobody else uses it as long as "
     "it is lit. Also the "
     "fourth question of a decision: which light joins the servers?",
     NULL, NULL, "circuits {circuits}, decision {decision}", "lit, transmitter, wavelength"},
    {"transmitter", "transmitters|transceiver|transceivers|trx|sender|transmit",
     "Turns a server's data into light. On RAMP a server has one towards each group; it lights one "
     "path at a time.",
     "transmitters = servers x groups", NULL, "circuits {circuits}", "receiver, lit, tuning"},
    {"receiver", "receivers",
     "Turns light into a server's data. On RAMP a server has one from each group, and it takes one "
     "path at a time.",
     NULL, NULL, "circuits {circuits}", "transmitter"},
    {"wavelength", "wavelengths|w#|colour of light|lambda",
     "The colour of the light on a path. Paths of different wavelengths share a fibre; two of the "
     "same would "
     "disturb each other.",
     NULL, NULL, "circuits {circuits}", "light path, no_circuit"},
    {"tuning", "tune|tunes|to tune",
     "Turning a transmitter to another destination: it is dark for one slot.", NULL, "s",
     "circuits {circuits}", "transmitter, reconfiguration"},
    {"share of a step lit", "share of a step|lit share|share",
     "The share of a job's training step in which it keeps the light on.",
     "time with light / step time", "%", "circuits {circuits}", "lit, busiest, step"},
    {"busiest", "worst",
     "The light path that is lit for the largest share of a step, and the job that lights it.",
     "largest share of a step lit", "%", "circuits {circuits}", "share of a step lit"},
    {"from row to column", "row|column|col",
     "A cell of the circuits board is the light from the row's group to the column's.", NULL, NULL,
     "circuits {circuits}", "group, transmitter"},
    {"link", "links|cable",
     "A cable with a rate in each direction, which jobs share where they meet.", NULL, "bytes/s",
     "circuits {circuits} of packet networks", "packet, pace"},
    {"line", "lines|thickness",
     "On the map of sites the way between two: thin, heavy from a third of its rate on, double "
     "where "
     "it is full. The letters are the jobs that send over it.",
     NULL, NULL, "circuits {circuits} of zones", "site, link"},
    {"leaf", "spine|uplink|uplinks",
     "Packet switches: a leaf joins the servers of a rack, spines join the leaves, by uplinks.",
     NULL, NULL, "circuits {circuits} of packet networks", "link"},
    {"aggregator", "aggregators",
     "A packet switch below which servers talk freely; more than one of them share an uplink.",
     NULL, NULL, "servers {servers}, circuits {circuits} of ocs", "regroup, uplink"},
    {"regroup", "regrouping|rejoin",
     "Switching light so that all servers of a job sit below one aggregator.", NULL, NULL,
     "{regroup}, :regroup", "aggregator, ocs"},
    {"port", "ports", "A place of an optical circuit switch where a fibre is plugged in.", NULL,
     NULL, "circuits {circuits} of ocs", "matching"},
    {"digit", "digits",
     "On the board of a rack: the number of the aggregator that a server's port is joined to; ~ "
     "while the port is being set, and dark.",
     NULL, NULL, "circuits {circuits} of ocs", "aggregator, port, regroup"},
    {"matching", "matchings|configuration|set of circuits",
     "Which input of a switch is joined to which output: each port is in one circuit at most. "
     "Several "
     "take turns.",
     NULL, NULL, "circuits {circuits} of ocs", "port, hold, cycle"},
    {"hold", "for good|stays",
     "How long a matching stays before the next one of its cycle; a single one stays for good.",
     NULL, "s", "circuits {circuits} of ocs", "matching, cycle"},
    {"cycle", NULL, "Matchings that follow each other again and again.", NULL, "s",
     "circuits {circuits} of ocs", "matching, hold"},
    {"reconfiguration", "programming|switching|locking|turning",
     "What it takes to change circuits: programming, switching, locking. New ones are dark "
     "until then.",
     "programming + switching + locking", "s", "circuits {circuits} of ocs", "dark, ocs"},
    {"bandwidth", "rate|TB/s|GB/s|Gb/s|bytes/s", "How many bytes a second light or a link carries.",
     NULL, "bytes/s", "circuits {circuits}; :change bandwidth=2", "latency"},
    {"latency", "propagation|distance|input, output|delay",
     "How long the first byte takes, however few follow.", NULL, "s", "circuits {circuits}",
     "bandwidth, transfer"},
    {"demand", "sends", "What running jobs would send if all light were on.", NULL, "bytes/s",
     "circuits {circuits} of ocs, traffic {traffic}", "transfer"},
    {"pair", "pairs", "Two servers, one of which sends to the other.", NULL, NULL,
     "circuits {circuits}, one step {step}", "transfer"},
    {"pace", "speed|paces",
     "How fast the explorer plays, from 1x up to max. Of a job on a shared network: how its step "
     "goes "
     "compared with being alone.",
     NULL, NULL, "the first line, {faster} and {slower}", "frame, step time"},
    {"utilisation", "util", "Share of servers that compute, over time.",
     "time computing / time of all servers", "%", "traffic {traffic}, compare {compare}",
     "busy, kernels, allocation"},
    {"allocation", NULL, "Share of server-seconds that jobs hold.",
     "server-seconds held / (servers x time)", "%", "compare, sweep", "utilisation, goodput"},
    {"goodput", NULL, "Share of server-seconds that is work kept at the end.",
     "useful server-seconds / (servers x time)", "%", "compare, sweep", "utilisation, allocation"},
    {"cell", "cells|board|boards|bar|bars",
     "One place of a board: a server, a rack or several of them, or the light between two groups. "
     "Where many "
     "share a cell it is a bar, the higher the busier.",
     NULL, NULL, "servers {servers}, circuits {circuits}", "height"},
    {"height", NULL, "Where a cell is a bar: the higher, the more of its servers are busy.", NULL,
     NULL, "servers {servers}", "busy"},
};

LpGlossTable lp_gloss_light(void) {
    return (LpGlossTable){words, LP_COUNTOF(words)};
}
