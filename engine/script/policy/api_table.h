/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public API of policies as tables: registration, messages and documentation read these rows
 * and nothing else. X(name, "type or signature", "meaning"). */
#ifndef LP_SCRIPT_POLICY_API_TABLE_H
#define LP_SCRIPT_POLICY_API_TABLE_H

#include <stddef.h>

/* Methods of a policy that the engine calls; where there is nothing to choose it does not. */
#define LP_API_HOOKS(X)                                                                            \
    X(partition,                                                                                   \
      "(job, cluster) -> degree | { [op] = ways } | nil | \"wait\" [, why [, { retry = }]]",       \
      "how many ways to split the job's operations; 0 or nil declines the job; absent: the "       \
      "largest degree that may be answered")                                                       \
    X(place,                                                                                       \
      "(job, cluster) -> { servers = { id, ... } } | { parts = { [op] = { id, ... } } } | true | " \
      "nil | \"wait\" [, why]",                                                                    \
      "which servers run the parts; absent or true: the first block that fits")                    \
    X(order_ops,                                                                                   \
      "(job, cluster) -> \"srpt\" | \"critical_path\" | \"fifo\" | { priority, ... } | nil [, "    \
      "why]",                                                                                      \
      "which ready part runs first on a server: a rule, or a priority for each of job.parts, the " \
      "greatest first; absent or nil: srpt")                                                       \
    X(order_flows,                                                                                 \
      "(job, flows, cluster) -> \"srpt\" | \"critical_path\" | \"fifo\" | { priority, ... } | "    \
      "nil [, why]",                                                                               \
      "which ready flow takes a light path first: a rule, or a priority for each of flows, the "   \
      "greatest first; absent or nil: srpt")                                                       \
    X(order_queue, "(queue, cluster) -> { job, ... } | nil [, why]",                               \
      "in which order waiting jobs are offered; a job left out waits this round; absent or nil: "  \
      "as in the queue")                                                                           \
    X(configure,                                                                                   \
      "(fabric, demand, cluster) -> { { match = { [port] = port }, hold = seconds }, ... } | nil " \
      "[, why]",                                                                                   \
      "which ports circuit switches join (fabric ocs only): one matching stays, several are a "    \
      "cycle; asked whenever running jobs change and at every interval of the scenario; fabric "   \
      "is "                                                                                        \
      "cluster:optics(), demand[i][j] bytes/s that jobs would send from port i to port j; nil: "   \
      "as "                                                                                        \
      "it is; absent: the engine's rule where the scenario gives an interval")                     \
    X(review, "(event, cluster) -> { action, ... } | nil [, why]",                                 \
      "what to do after something happened; absent or nil: nothing")

/* What review is told. */
#define LP_API_EVENT_FIELDS(X)                                                                     \
    X(kind, "string",                                                                              \
      "what happened: \"start\", \"wait\", \"block\", \"completion\", \"expiry\" (a waiting "      \
      "job can no longer meet its deadline), \"preempt\", \"move\" (migrated or resized), "        \
      "\"wake\", \"configure\" (circuits are being set), \"lit\" (they carry light), "             \
      "\"interval\" (of configure), \"condition\" (something broke, was mended or was changed "    \
      "by hand)")                                                                                  \
    X(job, "job | nil",                                                                            \
      "whom it happened to; nil for \"wake\" and for a condition that stopped nobody")             \
    X(time, "number", "when, seconds")

/* Actions of review. */
#define LP_API_ACTIONS(X)                                                                          \
    X(preempt, "{ \"preempt\", job = }",                                                           \
      "a running job leaves its servers and waits for resume; finished steps are kept")            \
    X(resume, "{ \"resume\", job = }", "a preempted job is decided anew, now")                     \
    X(migrate, "{ \"migrate\", job =, servers = }",                                                \
      "a running job moves to these servers, in block order")                                      \
    X(resize, "{ \"resize\", job =, degree = }",                                                   \
      "a running job goes on with another degree, on the first block that fits")                   \
    X(regroup, "{ \"regroup\", links = }",                                                         \
      "joins servers to other aggregators, or port to port, both ways; on ocs only")               \
    X(wake, "{ \"wake\", at = }", "review is asked again at that time")

#define LP_API_ACTION_KEYS(X)                                                                      \
    X(job, "job | integer", "a job, or its id")                                                    \
    X(servers, "{ id, ... }", "as many as the job has")                                            \
    X(degree, "integer", "as partition may answer")                                                \
    X(links, "{ { server =, aggregator = } | { from =, to = }, ... }",                             \
      "servers and aggregators by id, ports counted from 1")                                       \
    X(at, "number", "absolute time, after now")

/* Functions that need no object. */
#define LP_API_GLOBALS(X)                                                                          \
    X(explain, "explain{ columns =, rows =, chosen = }",                                           \
      "shows the candidates that were weighed beside the decision; the last call counts")          \
    X(require, "require(name) -> any",                                                             \
      "what name.lua returns: a file beside the policy, in its lib/, or in scripts/lib or "        \
      "scripts of the program; at the top of the file only")

/* Algorithms on lists of numbers; everything counts from 1. */
#define LP_API_MATCH(X)                                                                            \
    X(max_weight, "match.max_weight(W) -> { column | false, ... }",                                \
      "the matching of rows to columns with the greatest sum of weights; only weights above 0 "    \
      "count")                                                                                     \
    X(assignment, "match.assignment(C) -> { column, ... }",                                        \
      "a column for every row of a square matrix, with the least sum of costs")                    \
    X(bvn, "match.bvn(D) -> { { weight =, match = { column, ... } }, ... }, residue",              \
      "a demand with equal sums of rows and columns as a sum of weighted permutations")            \
    X(value, "match.value(W, m) -> number", "sum of the weights that a matching takes")

#define LP_API_GRAPH(X)                                                                            \
    X(topological,                                                                                 \
      "graph.topological(n, { { from, to }, ... }) -> { node, ... }, { depth, ... } | nil, why",   \
      "nodes so that every edge leads forward, and how many edges lead to each at most; nil for "  \
      "a cycle")                                                                                   \
    X(max_flow,                                                                                    \
      "graph.max_flow(n, { { from, to, capacity }, ... }, source, target) -> number, { flow, ... " \
      "}",                                                                                         \
      "the greatest flow, and what each edge carries of it")                                       \
    X(shortest,                                                                                    \
      "graph.shortest(n, { { from, to, length }, ... }, source) -> { distance, ... }, { edge | "   \
      "false, ... }",                                                                              \
      "distance of every node, math.huge where no path leads, and the last edge of its path")

#define LP_API_EXPLAIN_FIELDS(X)                                                                   \
    X(columns, "{ title, ... }", "at most 16")                                                     \
    X(rows, "{ { cell, ... }, ... }", "at most 64; a cell is a number, text, boolean or nil")      \
    X(chosen, "integer | nil", "the row that was chosen, from 1 on")

/* What `self` has in a hook besides the policy's own fields. */
#define LP_API_SELF(X)                                                                             \
    X(p, "table", "the parameters, typed as declared; read-only")                                  \
    X(mem, "table",                                                                                \
      "what the policy remembers from one call to the next: plain data, at most 64 KiB")           \
    X(rand, "self:rand([n]) -> number",                                                            \
      "the policy's own random stream: a float in [0, 1), or a whole number 1..n")

/* Keys of the table that a policy file returns. */
#define LP_API_POLICY(X)                                                                           \
    X(name, "string", "short name of the policy")                                                  \
    X(api, "integer", "version of this interface that it was written for: 1")                      \
    X(doc, "string", "one sentence for lists; optional")                                           \
    X(params, "{ [name] = { default =, doc =, type =, min =, max = } }",                           \
      "parameters that `--param` and the scenario may set; optional")

/* Networks, which a parameter of type "network" holds. */
#define LP_API_NETWORK_FIELDS(X)                                                                   \
    X(encoding, "string", "what it sees of a job: the name for job:observe")                       \
    X(actions, "integer", "how many answers it scores")
#define LP_API_NETWORK_METHODS(X)                                                                  \
    X(scores, "network:scores(observation [, mask]) -> { score, ... }",                            \
      "a score per action, the highest is its answer; -math.huge where an action is closed now, "  \
      "or mask[i] is false")                                                                       \
    X(value, "network:value(observation) -> number",                                               \
      "how much better than usual it expects things to go from here on, on the scale that it was " \
      "trained on")                                                                                \
    X(action, "network:action(i) -> degree, rule",                                                 \
      "what action i stands for: a degree, 0 declines, and the rule by which it is placed")        \
    X(servers, "network:servers(observation, i) -> { id, ... } | nil",                             \
      "where the rule of action i places the job now; nil where the engine itself does, or no "    \
      "block is free")

/* Keys of one parameter's declaration. */
#define LP_API_PARAM(X)                                                                            \
    X(default, "number | boolean | string",                                                        \
      "value when nobody sets one; max_degree may leave it to the scenario")                       \
    X(doc, "string", "one sentence")                                                               \
    X(type, "\"number\" | \"integer\" | \"boolean\" | \"string\" | \"network\"",                   \
      "default: that of `default`; a network is given by its file, which lightpath train wrote")   \
    X(min, "number", "smallest value; optional")                                                   \
    X(max, "number", "largest value; optional")

#define LP_API_CLUSTER_FIELDS(X)                                                                   \
    X(now, "number", "time of this decision, seconds")                                             \
    X(servers, "integer", "servers of the cluster; their ids are 0 to servers - 1")                \
    X(free, "integer", "servers that are free now")                                                \
    X(busy, "number",                                                                              \
      "share of the servers that jobs hold now, 0 to 1; servers - free is their number")           \
    X(running, "list of jobs", "in order of their start")                                          \
    X(waiting, "list of jobs", "in order of their arrival in the queue")                           \
    X(queue_capacity, "integer", "jobs that may wait")                                             \
    X(max_degree, "integer", "the scenario's largest degree")                                      \
    X(fabric, "string",                                                                            \
      "kind of the network: \"ramp\", \"ideal\", \"packet\", \"zones\", \"ocs\"")                  \
    X(groups, "integer", "communication groups")                                                   \
    X(racks, "integer", "racks in a group")                                                        \
    X(servers_per_rack, "integer",                                                                 \
      "servers in a rack; id = (group * racks + rack) * servers_per_rack + index")

#define LP_API_CLUSTER_METHODS(X)                                                                  \
    X(degrees, "cluster:degrees(job [, max]) -> { degree, ... }",                                  \
      "degrees that may be answered now, ascending, without 0; max: the scenario's max_degree")    \
    X(fits, "cluster:fits(n) -> boolean", "is a block of n servers free now?")                     \
    X(blocks, "cluster:blocks(n [, { shape =, limit = 32 }]) -> { block, ... }",                   \
      "free blocks of n servers in the order in which the engine tries them")                      \
    X(predict,                                                                                     \
      "cluster:predict(job, { degree = | ways =, kind =, servers =, order_ops =, order_flows = "   \
      "}) -> forecast",                                                                            \
      "what would happen if this were answered now; nothing changes")                              \
    X(is_free, "cluster:is_free(id) -> boolean", "may this server take a job now?")                \
    X(cost, "cluster:cost(action) -> cost | nil, cause, why",                                      \
      "what an action of review would cost; nil when it would be refused")                         \
    X(after, "cluster:after{ action, ... } -> cluster | nil, cause, why",                          \
      "a read-only cluster as if these actions had been taken; nil when one would be refused")     \
    X(link, "cluster:link(a, b) -> link",                                                          \
      "the way from server a to server b; on zones as it was measured, not as it is")              \
    X(zones, "cluster:zones() -> { zone, ... }",                                                   \
      "sites, leaves or edge switches, communication groups: servers that lie near each other")    \
    X(optics, "cluster:optics() -> optics | nil",                                                  \
      "ports of the circuit switches and what they are joined to; nil where there are none")

#define LP_API_OPTICS_FIELDS(X)                                                                    \
    X(ports, "integer", "ports of all circuit switches, counted from 1")                           \
    X(servers, "integer", "as cluster.servers")                                                    \
    X(aggregators, "integer", "packet switches; their ids are 0 to aggregators - 1")               \
    X(delay, "number", "seconds from an order to light")                                           \
    X(interval, "number", "seconds between calls of configure; 0: none but on change")             \
    X(rate, "number", "bytes per second of the narrowest port of a server")                        \
    X(lit_at, "number", "when all that was ordered is lit")                                        \
    X(port, "{ { server = | aggregator =, switch =, rate = }, ... }", "what is plugged in")        \
    X(match, "{ port | false, ... }", "what each port's input is joined to")                       \
    X(joined, "{ [server] = aggregator }", "servers that are joined to an aggregator")

#define LP_API_COST_FIELDS(X)                                                                      \
    X(seconds, "number", "until the job's steps go on, once it has servers")                       \
    X(bytes, "number", "of its checkpoint that go over the network")                               \
    X(pauses, "boolean", "the job makes no progress meanwhile")

#define LP_API_LINK_FIELDS(X)                                                                      \
    X(delay, "number", "seconds that the first byte takes")                                        \
    X(loss, "number", "fraction of packets that is lost; 0 but on zones")                          \
    X(throughput, "number", "bytes per second of one transfer while nobody is in its way")         \
    X(measured_at, "number", "time that these figures are of: now, but on zones")

#define LP_API_ZONE_FIELDS(X)                                                                      \
    X(name, "string", "as the scenario calls it; \"zone 3\" where it has no name")                 \
    X(servers, "{ id, ... }", "all its servers, ascending")                                        \
    X(free, "{ id, ... }", "those that may take a job now")

#define LP_API_JOB_FIELDS(X)                                                                       \
    X(id, "integer", "arrival number, from 0")                                                     \
    X(graph, "string | nil", "name of its computation graph; nil for a rigid job")                 \
    X(kind, "string", "partition kind: \"model\" or \"data\"")                                     \
    X(state, "string",                                                                             \
      "\"deciding\", \"waiting\", \"preempted\" or \"running\"; in an event also \"completed\" "   \
      "or "                                                                                        \
      "\"blocked\"")                                                                               \
    X(arrival, "number", "time of arrival, seconds")                                               \
    X(waited, "number", "seconds in the queue so far, all its waits together")                     \
    X(deadline, "number", "absolute time at which it must be done; math.huge when there is none")  \
    X(steps, "number", "training steps")                                                           \
    X(sequential_jct, "number", "seconds that the unsplit job takes on one server")                \
    X(max_jct, "number", "limit in seconds from arrival; math.huge when there is none")            \
    X(max_jct_fraction, "number | nil", "the limit as a fraction of sequential_jct; nil: none")    \
    X(hint, "any | nil", "the scenario's hint for this job, read-only")                            \
    X(ops, "list of ops | nil",                                                                    \
      "forward operations; job.ops[i] is op number i; nil for a rigid job")                        \
    X(deps, "list of deps | nil", "dependencies between forward operations; nil for a rigid job")  \
    X(parts, "list of parts | nil",                                                                \
      "parts after the split and where they run, in order_ops and order_flows; nil elsewhere")     \
    X(rigid, "integer | nil", "servers that a rigid job asks for; nil for others")                 \
    X(duration, "number | nil", "seconds that a rigid job runs; nil for others")                   \
    X(degree, "integer | nil", "degree answered: in place and the orders, and while it runs")      \
    X(servers, "{ id, ... }", "servers that it holds now")                                         \
    X(start, "number | nil", "time of its first start; nil before")                                \
    X(finish, "number | nil", "time at which it will be done; nil before it starts")               \
    X(remaining, "number | nil",                                                                   \
      "seconds of running left: until finish; when preempted, of its steps at the last degree; "   \
      "nil before it starts")                                                                      \
    X(attained, "number", "server-seconds of training that it has had")                            \
    X(steps_done, "number", "training steps finished; of a rigid job the share of its duration")   \
    X(preemptions, "integer", "times it was preempted")

#define LP_API_JOB_METHODS(X)                                                                      \
    X(observe, "job:observe(name) -> observation",                                                 \
      "what a network of that encoding sees of a job that has not started; for network:scores")

#define LP_API_OP_FIELDS(X)                                                                        \
    X(number, "integer", "1 to #job.ops")                                                          \
    X(name, "string", "description in the profile")                                                \
    X(forward, "number", "seconds of the forward pass, unsplit")                                   \
    X(backward, "number", "seconds of the backward pass, unsplit")                                 \
    X(activation, "number", "bytes of its output")                                                 \
    X(parameters, "number", "bytes of its parameters")

#define LP_API_DEP_FIELDS(X)                                                                       \
    X(from, "integer", "op number of the producer")                                                \
    X(to, "integer", "op number of the consumer")                                                  \
    X(bytes, "number", "bytes of the tensor")

#define LP_API_PART_FIELDS(X)                                                                      \
    X(op, "integer", "number of its op, see job.ops")                                              \
    X(backward, "boolean", "of the backward pass")                                                 \
    X(part, "integer", "1 to the ways of the op")                                                  \
    X(server, "integer", "where it runs")                                                          \
    X(time, "number", "seconds that it runs there")

#define LP_API_FLOW_FIELDS(X)                                                                      \
    X(from, "integer", "op number of the producer")                                                \
    X(to, "integer", "op number of the consumer")                                                  \
    X(backward, "boolean", "into a part of the backward pass")                                     \
    X(source, "integer", "server that sends")                                                      \
    X(target, "integer", "server that receives")                                                   \
    X(bytes, "number", "in one training step")                                                     \
    X(transfers, "integer", "pairs of parts between which they move")

#define LP_API_FORECAST_FIELDS(X)                                                                  \
    X(feasible, "boolean", "a placement exists; the deadline is not judged here")                  \
    X(cause, "string | nil", "stable code of what stands in the way, also \"deadline\"")           \
    X(why, "string | nil", "the same as a sentence")                                               \
    X(jct, "number | nil", "seconds from now until it would be done; nil when not feasible")       \
    X(finish, "number | nil", "absolute time at which it would be done")                           \
    X(step_time, "number | nil", "seconds of one training step")                                   \
    X(compute, "number | nil", "seconds in which some operation runs, all steps")                  \
    X(communication, "number | nil", "seconds in which some data moves, all steps")                \
    X(exposed, "number | nil", "seconds in which data moves and no operation runs, all steps")     \
    X(degree, "integer", "degree asked for")                                                       \
    X(partition_degree, "integer | nil",                                                           \
      "largest split that would really be made: servers of its block; known without a placement")  \
    X(ops, "integer | nil", "parts after the split")                                               \
    X(deps, "integer | nil", "dependencies after the split")                                       \
    X(servers, "{ id, ... }", "servers that it would hold, in block order")                        \
    X(shape, "string | nil", "shape of the block, \"2x2x1\"")                                      \
    X(circuits, "integer | nil", "ordered pairs of servers between which data would move")         \
    X(parts, "list of parts | nil", "what an order_ops of the same prediction is for")             \
    X(flows, "list of flows | nil", "what an order_flows of the same prediction is for")

#define LP_API_BLOCK_FIELDS(X)                                                                     \
    X(servers, "{ id, ... }", "in block order")                                                    \
    X(shape, "string", "groups x racks x servers, \"2x2x1\"")                                      \
    X(largest_left, "integer", "servers of the largest block left free if this one is taken")

#define LP_API_PREDICT_OPTIONS(X)                                                                  \
    X(degree, "integer", "as partition may answer")                                                \
    X(ways, "{ [op] = ways }", "instead of degree")                                                \
    X(kind, "string", "\"model\" or \"data\"; default: as answered, else the job's")               \
    X(servers, "{ id, ... }",                                                                      \
      "default: in the orders as answered by place, else the first block that fits")               \
    X(order_ops, "string | { priority, ... }", "as the hook may answer; default: srpt")            \
    X(order_flows, "string | { priority, ... }", "as the hook may answer; default: srpt")

#define LP_API_BLOCKS_OPTIONS(X)                                                                   \
    X(shape, "string", "only this shape, \"2x2x1\"")                                               \
    X(limit, "integer", "at most so many blocks; default 32")

typedef struct LpApiRow {
    const char *group; /* "cluster", "job", ... */
    const char *name, *type, *doc;
} LpApiRow;

/* Every row of every table above, in that order; *count is set. */
const LpApiRow *lp_api_table(size_t *count);

#endif
