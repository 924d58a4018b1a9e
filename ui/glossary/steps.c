/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about one training step of a job, and about why a job is blocked. */
#include "glossary/tables.h"
#include "model/answer.h"

static const LpGloss words[] = {
    {"step", "training step|steps|a step|one step",
     "One pass of training: every op forwards and backwards, and the data between its parts. A job "
     "is many equal steps.",
     NULL, NULL, "one step {step}, decision {decision}", "op, step time, data"},
    {"step time", "step of", "How long one training step takes, split and placed like this.",
     "from the first op to the last byte", "s", "decision {decision}, one step {step}",
     "step, JCT"},
    {"op", "ops|operation",
     "One operation of the model, such as a convolution. It runs on a server and "
     "sends its result to those that need it.",
     NULL, NULL, "one step {step}, ops {graph}", "part, step"},
    {"part", "parts", "An op that is split is so many parts, one on each server.", NULL, NULL,
     "ops {graph}, one step {step}", "op, ways"},
    {"forward", "backward|backwards",
     "A training step goes through the ops forwards, then backwards for "
     "the gradients; every op has a backward twin.",
     NULL, NULL, "one step {step}", "op, step"},
    {"traffic", NULL,
     "What the ways of a plan send to each other in a step: activations among those that share a "
     "layer and from stage to stage, gradients among replicas.",
     NULL, "GB a step", "circuits {circuits}", "plan, step, exposed"},
    {"plan", "plans|t# p# d#|t# p# d# e#|t# p# d# v#|t#",
     "How a transformer is split in several dimensions: t tensor ways, p stages of a pipeline, d "
     "replicas; t x p x d servers. Then what differs from the usual: e ways of the experts, v "
     "chunks, "
     "b samples of a micro-batch, recomputation, sp sequence parallelism.",
     "docs/parallel.md", NULL, "decision {decision}, what-if {whatif}, one step {step}",
     "pipeline stage, replica, bubble, micro-batch, memory"},
    {"pipeline stage", "stage #|# stages|p#",
     "Some of the model's layers, on servers of their own; stage 0 has the embedding, the last one "
     "the head. In the graph of a plan, once cut, p3 marks where stage 3 begins.",
     "docs/parallel.md", NULL, "one step {step}, ops {graph}", "plan, chunk, bubble"},
    {"replica", "replicas|copies|in # copies|data ways|copy|d#",
     "One of the d copies of a model, each of which does its share of every batch. After the "
     "backward pass they add up their gradients.",
     NULL, NULL, "ops {graph}, decision {decision}", "plan, ZeRO"},
    {"chunk", "chunks|v#",
     "One of several parts of the model on each stage: a micro-batch goes round the stages once "
     "for each chunk, so that stages wait less at the ends of a step.",
     NULL, NULL, "one step {step}, decision {decision}", "pipeline stage, bubble"},
    {"experts", "expert|e#|expert ways",
     "Feed-forward parts of which each token uses few. Cut into e ways, they are spread over "
     "replicas, and tokens go to them and back in all-to-alls.",
     NULL, NULL, "decision {decision}, one step {step}", "region, plan"},
    {"recomputation", "recompute|selective|full recomputation|recompute full|full",
     "What the backward pass needs is not kept but computed again: selective, the core of "
     "attention; full, all of each layer. Less memory, more time.",
     NULL, NULL, "decision {decision}", "memory, plan"},
    {"sequence parallel", "sp|sequence parallelism",
     "The servers of a tensor group also share out the tokens of norms and dropout, which takes "
     "less memory and sends as many bytes.",
     NULL, NULL, "decision {decision}", "plan, memory"},
    {"nowait", "sends not waited for",
     "A stage that sends goes on at once; without this word it is busy until the data have "
     "arrived.",
     NULL, NULL, "decision {decision}", "plan, pipeline stage"},
    {"ZeRO", "z1|z2|z3|sharded state",
     "Replicas share out what each would hold: z1 the optimiser's state, z2 gradients too, z3 "
     "parameters too.",
     "docs/parallel.md", NULL, "decision {decision}", "replica, memory"},
    {"overlap", "gradients overlapped",
     "Gradients and weights travel beside the passes that compute, a layer at a time.", NULL, NULL,
     "decision {decision}", "plan, exposed turn"},
    {"fused attention", "fused|causal",
     "The core of attention as one kernel that keeps its scores out of memory; causal also leaves "
     "out what the mask hides.",
     NULL, NULL, "decision {decision}", "recomputation, plan"},
    {"row of light", "light #",
     "What the circuits of a stage do during the step: how full they are, and each turn as X, w or "
     "h.",
     NULL, NULL, "one step {step}", "turn, rail, region"},
    {"region", "regions|regional switch",
     "Circuit switches that join the servers of an expert group and turn between the layers of a "
     "step, to fit where the tokens go.",
     NULL, NULL, "one step {step}", "turn, experts"},
    {"bubble", "bubbles",
     "Stages of a pipeline wait for each other at the beginning and end of a step: the share of "
     "their time that is no work.",
     "1 - work / (stages x time until the last backward pass)", "%",
     "decision {decision}, what-if {whatif}, one step {step}", "plan, micro-batch"},
    {"closer", "from here on",
     "The rows of a step once more, from the scrubber on, so close that micro-batches have their "
     "numbers; below, what the marked row does next.",
     NULL, NULL, "one step {step}", "micro-batch, pipeline stage"},
    {"micro-batch", "micro-batches",
     "A replica's share of a batch goes through the stages in so many pieces, so that stages work "
     "at the same time.",
     NULL, NULL, "one step {step}", "bubble, plan"},
    {"rail", "rails",
     "A circuit switch that joins the k-th accelerators of all servers. Stages send over it to the "
     "next stage, replicas meet on it.",
     NULL, NULL, "one step {step}", "turn, plan, circuit"},
    {"turn", "turns|turned|light turns",
     "Inside a step a circuit is set where another one was: after its delay it carries light. Row "
     "of light: X an exposed turn, w one that is waited for, h a hidden one.",
     NULL, NULL, "one step {step}", "exposed turn, provisioned, on demand, rail"},
    {"bucket", "buckets",
     "Gradients of some layers that are sent together as soon as their backward pass has ended.",
     NULL, NULL, "one step {step}", "replica, overlap"},
    {"exposed turn", "exposed turns|exposed X",
     "A turn on the longest way through the step: the step grows by its delay.",
     "step = step without delay + exposed turns x delay", NULL, "one step {step}",
     "hidden turn, turn, longest way"},
    {"hidden turn", "hidden turns|hidden h|waited for w",
     "A turn that is over before its data are ready, h; or for which data wait while something "
     "else takes longer, w.",
     NULL, NULL, "one step {step}", "exposed turn, turn"},
    {"delay", "delay of a turn|by delay|time by delay",
     "How long a turn takes, from the order until the circuit carries bits: programming, "
     "switching, "
     "and locking of the receiver.",
     NULL, "s", "one step {step}, {variant} there", "slope, kink, turn"},
    {"slope", "slopes",
     "By how much a step grows with the delay of a turn: by as many times as it has exposed turns, "
     "so it is a whole number.",
     "growth of the step / growth of the delay = exposed turns", NULL,
     "one step {step}, {variant} there", "kink, delay, exposed turn"},
    {"kink", "kinks",
     "A delay at which the slope grows: turns that were hidden behind what is computed, or behind "
     "other turns, are not hidden any more.",
     NULL, NULL, "one step {step}, {variant} there", "slope, hidden turn"},
    {"on demand", "on-demand", "A circuit is ordered when its data are ready.", NULL, NULL,
     "one step {step}", "provisioned, turn"},
    {"provisioned", "early",
     "A circuit is ordered as soon as its ports are idle, before its data are ready.", NULL, NULL,
     "one step {step}", "on demand, turn"},
    {"graph", "computation graph|graphs", "The ops of a model and which needs the result of which.",
     NULL, NULL, "ops {graph}, jobs {jobs}", "op, model"},
    {"as profiled", "profiled|profile", "The graph as it was measured, before anything is cut.",
     NULL, NULL, "ops {graph}", "as cut"},
    {"as cut", "cut", "The graph after the decision: every op in its parts, on their servers.",
     NULL, NULL, "ops {graph}", "part, as profiled"},
    {"longest way", "longest path|longest",
     "The chain of ops that need one another and takes longest, forward and back: no number of "
     "servers makes a step of whole ops shorter.",
     NULL, "s", "ops {graph}", "busiest server, waited for"},
    {"waited for", "it waited for|critical path|critical_path|critical",
     "What this step waited for, from its beginning to its end: ops and data of which none can "
     "take longer without a longer step. Where servers do one op after another that is more than "
     "the longest way.",
     NULL, "s", "one step {step}", "longest way, step time"},
    {"busiest server", NULL,
     "The server that computes longest in a step: the step cannot be shorter than "
     "that.",
     NULL, "s", "one step {step}", "step time, longest way"},
    {"computation", "computing|compute|computes|compute-busy",
     "Time of a step in which some op runs.", NULL, "s, %", "one step {step}, servers {servers}",
     "nobody computes, data"},
    {"data", "comm|communication|communicates|communicate", NULL,
     "time of a step in which data are under way / step time", "%",
     "decision {decision}, one step {step}", "nobody computes, transfer, light path"},
    {"nobody computes", "exposed|exposed communication|idle", NULL,
     "time in which data are under way and no op runs / step time", "%",
     "what-if {whatif}, decision {decision}, one step {step}", "data, computation"},
    {"dependency", "dependencies|deps", "A result of one op that another one needs.", NULL, NULL,
     "ops {graph}", "op, transfer"},
    {"transfer", "transfers|traffic|flow|flows|send|sends|sent",
     "Data from one server to another, within a step.", NULL, "bytes",
     "one step {step}, traffic {traffic}", "data, light path, collective"},
    {"collective", "collectives|collect.|collect|all-reduce|reduce-scatter|all-gather",
     "An exchange that all servers of an op take part in at once, such as adding up gradients.",
     NULL, NULL, "one step {step}", "transfer"},
    {"kernels", "kernel utilisation|kernels resident|resident",
     "Share of servers whose job computes or communicates, which a driver's monitor counts as "
     "busy.",
     NULL, "%", "traffic {traffic}, compare {compare}", "busy, utilisation"},
    {"memory", "GB|of memory|memory left",
     "What a server must hold of its parts: parameters, their state, and "
     "activations; of a plan those of its fullest server, of the largest there is. As a cause: the "
     "parts do not fit.",
     "state_factor x parameters + activations", "bytes", "servers {servers}, decision {decision}",
     "server, cause"},
/* why a job is blocked; the sentences are those of the engine */
#define X(id, code, golden, sentence)                                                              \
    {code,                                                                                         \
     NULL,                                                                                         \
     "A job is blocked: " sentence ".",                                                            \
     NULL,                                                                                         \
     NULL,                                                                                         \
     "jobs {jobs}, events {events}",                                                               \
     "blocked, cause"},
    LP_CAUSE_TABLE(X)
#undef X
};

LpGlossTable lp_gloss_steps(void) {
    return (LpGlossTable){words, LP_COUNTOF(words)};
}
