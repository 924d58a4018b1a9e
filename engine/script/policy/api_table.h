/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The public API of policies as tables: registration, calls of hooks, messages, annotations and the
 * manual read these rows and nothing else. X(name, what it is, "meaning"), and what it is:
 *
 *     FIELD(TYPE, ...)                 a value of one of these types (api_types.h)
 *     OPTIONAL(TYPE, ...)              one that may be missing
 *     CALL(TAKES(...), GIVES(...))     a function or method
 *     HOOK(TAKES(...), GIVES(...))     a method of the policy that the engine calls
 *     ACTION_OF(KEY(key), ...)         { "name", key = }
 *
 * TAKES has ARG(name, TYPE); OPT: it may be missing; SHAPE: the manual shows its type in place of
 * its name. GIVES has RESULT(TYPE, ...) and, for one that may be missing, MAYBE(TYPE). Who reads
 * the rows defines what it needs of these words: api_table.c all, arguments.c those of hooks. */
#ifndef LP_SCRIPT_POLICY_API_TABLE_H
#define LP_SCRIPT_POLICY_API_TABLE_H

#include "script/policy/api_types.h"

/* Methods of a policy that the engine calls; where there is nothing to choose it does not. An
 * argument is pushed by the function of its name in script/arguments.c. */
#define LP_API_HOOKS(X)                                                                            \
    X(partition,                                                                                   \
      HOOK(TAKES(ARG(job, JOB), ARG(cluster, CLUSTER)),                                            \
           GIVES(RESULT(DEGREE, WAYS, PLAN, NIL, WAIT), MAYBE(WHY), MAYBE(RETRY))),                \
      "how many ways to split the job's operations, or a plan of a job whose graph has plans (a "  \
      "degree then means the fastest plan of so many servers that fits); 0 or nil declines the "   \
      "job; absent: the largest degree that may be answered")                                      \
    X(place,                                                                                       \
      HOOK(TAKES(ARG(job, JOB), ARG(cluster, CLUSTER)),                                            \
           GIVES(RESULT(ON_SERVERS, ON_PARTS, SLICE, ON_CUBES, ON_BOX, TRUE, NIL, WAIT),           \
                 MAYBE(WHY), MAYBE(RETRY))),                                                       \
      "which servers run the parts; on a pod a place of cluster:slices, or cubes by ordinal "      \
      "(switched wiring, whole cubes), or a box (static wiring: of cubes in the grid; a part: of " \
      "accelerators in its cube); absent or true: the first block, or place, that fits")           \
    X(order_ops,                                                                                   \
      HOOK(TAKES(ARG(job, JOB), ARG(cluster, CLUSTER)),                                            \
           GIVES(RESULT(SRPT, CRITICAL_PATH, FIFO, LONGEST, PRIORITIES, NIL), MAYBE(WHY))),        \
      "which ready part runs first on a server: a rule, or a priority for each of job.parts, the " \
      "greatest first; absent or nil: srpt")                                                       \
    X(order_flows,                                                                                 \
      HOOK(TAKES(ARG(job, JOB), ARG(flows, FLOWS), ARG(cluster, CLUSTER)),                         \
           GIVES(RESULT(SRPT, CRITICAL_PATH, FIFO, LONGEST, PRIORITIES, NIL), MAYBE(WHY))),        \
      "which ready flow takes a light path first: a rule, or a priority for each of flows, the "   \
      "greatest first; absent or nil: srpt")                                                       \
    X(phase,                                                                                       \
      HOOK(TAKES(ARG(job, JOB), ARG(phase, PHASE), ARG(light, LIGHT)),                             \
           GIVES(RESULT(ON_DEMAND, PROVISIONED, NIL), MAYBE(WHY))),                                \
      "when is a circuit ordered that turns inside the step of a job with a plan, on rails or in " \
      "a region: when its data are ready, or as soon as its ports are idle; asked for each turn "  \
      "of a step, and all steps of the job are alike; absent or nil: as the scenario says")        \
    X(order_queue,                                                                                 \
      HOOK(TAKES(ARG(queue, JOBS), ARG(cluster, CLUSTER)), GIVES(RESULT(JOBS, NIL), MAYBE(WHY))),  \
      "in which order waiting jobs are offered; a job left out waits this round; absent or nil: "  \
      "as in the queue")                                                                           \
    X(queue_key, HOOK(TAKES(ARG(job, JOB), ARG(cluster, CLUSTER)), GIVES(RESULT(NUMBER))),         \
      "the job's place in the queue: the lower, the sooner, of equal ones the one that arrived "   \
      "first; asked when the job arrives, and each time that it comes back into the queue, so "    \
      "that it must not change while the job waits; not together with order_queue; absent: in "    \
      "the order in which they came")                                                              \
    X(configure,                                                                                   \
      HOOK(TAKES(ARG(fabric, OPTICS), ARG(demand, MATRIX), ARG(cluster, CLUSTER)),                 \
           GIVES(RESULT(MATCHINGS, NIL), MAYBE(WHY))),                                             \
      "which ports circuit switches join (fabric ocs only): one matching stays, several are a "    \
      "cycle; asked whenever running jobs change and at every interval of the scenario; fabric "   \
      "is "                                                                                        \
      "cluster:optics(), demand[i][j] bytes/s that jobs would send from port i to port j; nil: "   \
      "as "                                                                                        \
      "it is; absent: the engine's rule where the scenario gives an interval")                     \
    X(failure,                                                                                     \
      HOOK(TAKES(ARG(job, JOB), ARG(what, FAILURE), ARG(cluster, CLUSTER)),                        \
           GIVES(RESULT(RECOVERY, SPARES, SMALLER, NIL), MAYBE(WHY))),                             \
      "what does a job do that a failure stopped, in scenarios with failures or on_failure: go "   \
      "on "                                                                                        \
      "at once with others in place of what is broken, wait in the queue, keep its servers until " \
      "they are mended, go on smaller, or end, or one whose slice lost light and goes on more "    \
      "slowly: also go on so (degraded); asked once a job and instant, after all failures "        \
      "of "                                                                                        \
      "the instant; absent or nil: as on_failure says")                                            \
    X(review,                                                                                      \
      HOOK(TAKES(ARG(event, EVENT), ARG(cluster, CLUSTER)),                                        \
           GIVES(RESULT(ACTIONS, NIL), MAYBE(WHY))),                                               \
      "what to do after something happened; absent or nil: nothing")

/* What review is told. */
#define LP_API_EVENT_FIELDS(X)                                                                     \
    X(kind, FIELD(STRING),                                                                         \
      "what happened: \"start\", \"wait\", \"block\", \"completion\", \"expiry\" (a waiting "      \
      "job can no longer meet its deadline), \"preempt\", \"move\" (migrated or resized), "        \
      "\"wake\", \"configure\" (circuits are being set), \"lit\" (they carry light), "             \
      "\"interval\" (of configure), \"condition\" (something broke, was mended or was changed "    \
      "by hand), \"failure\" and \"repair\" (by itself), \"resume\", \"hold\" and \"abort\" "      \
      "(what a stopped job does), \"kill\" (it had its servers as long as was requested)")         \
    X(job, FIELD(JOB, NIL),                                                                        \
      "whom it happened to; nil for \"wake\" and for a condition that stopped nobody")             \
    X(time, FIELD(NUMBER), "when, seconds")

/* What the hook failure is told. */
#define LP_API_FAILURE_FIELDS(X)                                                                   \
    X(kind, FIELD(STRING, NIL),                                                                    \
      "of the component that broke: \"server\", \"host\", \"switch\" ...; nil: "                   \
      "by hand")                                                                                   \
    X(index, FIELD(INTEGER, NIL), "its number among those of its kind")                            \
    X(number, FIELD(INTEGER, NIL),                                                                 \
      "how often it had broken before; on a line of a trace that line")                            \
    X(name, FIELD(STRING), "the component in words, such as \"host 19 (cube 1)\"")                 \
    X(cubes, FIELD(SERVERS, NIL), "cubes that the job has, in slice order; nil without slices")    \
    X(servers, FIELD(SERVERS), "servers of the job that are broken now")                           \
    X(stops, FIELD(BOOLEAN),                                                                       \
      "it stopped the job; false: its slice lost light and goes on more slowly, which nil and "    \
      "\"degraded\" leave so")                                                                     \
    X(links, FIELD(INTEGER, NIL),                                                                  \
      "circuits of its slice that are dead now, all together; nil where slices do not go on "      \
      "without (fault_tolerant of the pod)")                                                       \
    X(slowdown, FIELD(NUMBER, NIL),                                                                \
      "greatest load of a link under uniform traffic over that with nothing dead: 1.17 is 17 % "   \
      "longer; nil where what is left falls apart, and as links")                                  \
    X(saved, FIELD(NUMBER), "seconds of work that the job has kept")                               \
    X(lost, FIELD(NUMBER), "seconds of work that failures have taken from it so far, this one too")

/* A turn of circuits inside a step, as it is under the usual orders. */
#define LP_API_PHASE_FIELDS(X)                                                                     \
    X(number, FIELD(INTEGER), "of the turn, from 1, as their data are ready without delays")       \
    X(kind, FIELD(STRING),                                                                         \
      "what goes through the circuit: \"act\" or \"grad\" (activations and their gradients, to "   \
      "the next stage and back), \"bucket\", \"flush\", \"gather\" or \"scatter\" (of replicas), " \
      "\"dispatch\" or \"combine\" (of experts)")                                                  \
    X(stage, FIELD(INTEGER),                                                                       \
      "whose replicas it joins, or which it joins with the next one, from 1; in a region the "     \
      "layer")                                                                                     \
    X(ring, FIELD(BOOLEAN), "it joins the replicas of a stage, not two stages")                    \
    X(item, FIELD(INTEGER), "micro-batch, or part of the last backward pass, from 1")              \
    X(ready, FIELD(NUMBER), "when its data are ready, seconds from the beginning of the step")     \
    X(start, FIELD(NUMBER), "when they go")                                                        \
    X(waits, FIELD(BOOLEAN), "they wait for light")                                                \
    X(exposed, FIELD(BOOLEAN), "its turn is on the longest path of the step")

#define LP_API_LIGHT_FIELDS(X)                                                                     \
    X(form, FIELD(STRING), "\"rails\" or \"region\"")                                              \
    X(delay, FIELD(NUMBER), "seconds from an order until bits pass")                               \
    X(orders, FIELD(STRING), "the usual ones: \"on-demand\" or \"provisioned\"")                   \
    X(turns, FIELD(INTEGER), "of a step")                                                          \
    X(step_time, FIELD(NUMBER), "of a step under the usual orders, seconds")

/* Actions of review. */
#define LP_API_ACTIONS(X)                                                                          \
    X(preempt, ACTION_OF(KEY(job)),                                                                \
      "a running job leaves its servers and waits for resume; finished steps are kept")            \
    X(resume, ACTION_OF(KEY(job)), "a job that was preempted, or waits, is decided anew, now")     \
    X(migrate, ACTION_OF(KEY(job), KEY(servers)),                                                  \
      "a running job moves to these servers, in block order")                                      \
    X(resize, ACTION_OF(KEY(job), KEY(degree)),                                                    \
      "a running job goes on with another degree, on the first block that fits")                   \
    X(regroup, ACTION_OF(KEY(links)),                                                              \
      "joins servers to other aggregators, or port to port, both ways; on ocs only")               \
    X(wake, ACTION_OF(KEY(at)), "review is asked again at that time")

#define LP_API_ACTION_KEYS(X)                                                                      \
    X(job, OPTIONAL(JOB, INTEGER), "a job, or its id")                                             \
    X(servers, OPTIONAL(SERVERS), "as many as the job has")                                        \
    X(degree, OPTIONAL(INTEGER), "as partition may answer")                                        \
    X(links, OPTIONAL(JOINS), "servers and aggregators by id, ports counted from 1")               \
    X(at, OPTIONAL(NUMBER), "absolute time, after now")

/* Functions that need no object. */
#define LP_API_GLOBALS(X)                                                                          \
    X(explain, CALL(TAKES(SHAPE(options, EXPLAIN)), NO_RESULT),                                    \
      "shows the candidates that were weighed beside the decision; the last call counts")          \
    X(require, CALL(TAKES(ARG(name, STRING)), GIVES(RESULT(ANY))),                                 \
      "what name.lua returns: a file beside the policy, in its lib/, or in scripts/lib or "        \
      "scripts of the program; at the top of the file only")

/* Algorithms on lists of numbers; everything counts from 1. */
#define LP_API_MATCH(X)                                                                            \
    X(max_weight,                                                                                  \
      CALL(TAKES(ARG(W, MATRIX), SHAPE_OPT(places, PLACES)),                                       \
           GIVES(RESULT(MATCHING), MAYBE(NUMBER))),                                                \
      "the matching of rows to columns with the greatest sum of weights; only weights above 0 "    \
      "count. With places W is a list of entries, the rest of a square matrix is 0; then the sum " \
      "is returned, too, and what it costs goes with the steps that it takes, not with n^3")       \
    X(entries, CALL(TAKES(ARG(W, MATRIX)), GIVES(RESULT(NUMBERS), RESULT(PLACES))),                \
      "the entries of a square matrix that are not 0, row by row, and where they stand")           \
    X(assignment, CALL(TAKES(ARG(C, MATRIX)), GIVES(RESULT(COLUMNS))),                             \
      "a column for every row of a square matrix, with the least sum of costs")                    \
    X(bvn,                                                                                         \
      CALL(TAKES(ARG(D, MATRIX), SHAPE_OPT(places, PLACES)),                                       \
           GIVES(RESULT(PERMUTATIONS), RESULT(RESIDUE))),                                          \
      "a demand with equal sums of rows and columns as a sum of weighted permutations; places: "   \
      "as "                                                                                        \
      "for max_weight")                                                                            \
    X(value, CALL(TAKES(ARG(W, MATRIX), ARG(m, MATCHING)), GIVES(RESULT(NUMBER))),                 \
      "sum of the weights that a matching takes")

#define LP_API_GRAPH(X)                                                                            \
    X(topological,                                                                                 \
      CALL(TAKES(ARG(n, INTEGER), SHAPE(edges, EDGES)),                                            \
           GIVES(RESULT(NODES), RESULT(DEPTHS, NIL), RESULT(WHY))),                                \
      "nodes so that every edge leads forward, and how many edges lead to each at most; nil for "  \
      "a cycle")                                                                                   \
    X(max_flow,                                                                                    \
      CALL(TAKES(ARG(n, INTEGER), SHAPE(edges, CAPACITIES), ARG(source, INTEGER),                  \
                 ARG(target, INTEGER)),                                                            \
           GIVES(RESULT(NUMBER), RESULT(CARRIED))),                                                \
      "the greatest flow, and what each edge carries of it")                                       \
    X(shortest,                                                                                    \
      CALL(TAKES(ARG(n, INTEGER), SHAPE(edges, LENGTHS), ARG(source, INTEGER)),                    \
           GIVES(RESULT(DISTANCES), RESULT(LAST_EDGES))),                                          \
      "distance of every node, math.huge where no path leads, and the last edge of its path")

#define LP_API_EXPLAIN_FIELDS(X)                                                                   \
    X(columns, FIELD(TITLES), "at most 16")                                                        \
    X(rows, FIELD(CELLS), "at most 64; a cell is a number, text, boolean or nil")                  \
    X(chosen, FIELD(INTEGER, NIL), "the row that was chosen, from 1 on")

/* What `self` has in a hook besides the policy's own fields. */
#define LP_API_SELF(X)                                                                             \
    X(p, FIELD(TABLE), "the parameters, typed as declared; read-only")                             \
    X(mem, FIELD(TABLE),                                                                           \
      "what the policy remembers from one call to the next: plain data, at most 64 KiB")           \
    X(rand, CALL(TAKES(OPT(n, INTEGER)), GIVES(RESULT(NUMBER))),                                   \
      "the policy's own random stream: a float in [0, 1), or a whole number 1..n")

/* Keys of the table that a policy file returns. */
#define LP_API_POLICY(X)                                                                           \
    X(name, FIELD(STRING), "short name of the policy")                                             \
    X(api, FIELD(INTEGER), "version of this interface that it was written for: 1")                 \
    X(doc, OPTIONAL(STRING), "one sentence for lists; optional")                                   \
    X(params, OPTIONAL(PARAMS), "parameters that `--param` and the scenario may set; optional")    \
    X(queue, OPTIONAL(QUEUE),                                                                      \
      "how the order of queue_key binds: with head = \"blocks\" nobody is asked while a job that " \
      "goes before it waits (ties = \"pass\": unless it has the same key), and a job that "        \
      "arrives "                                                                                   \
      "behind another waits with the reason behind, in which %d stands for that one's number; "    \
      "with list = false order_queue is given no queue (nil), which costs less where many wait, "  \
      "and is asked again after each start of its round; optional")

/* Networks, which a parameter of type "network" holds. */
#define LP_API_NETWORK_FIELDS(X)                                                                   \
    X(encoding, FIELD(STRING), "what it sees of a job: the name for job:observe")                  \
    X(actions, FIELD(INTEGER), "how many answers it scores")
#define LP_API_NETWORK_METHODS(X)                                                                  \
    X(scores, CALL(TAKES(ARG(observation, OBSERVATION), OPT(mask, MASK)), GIVES(RESULT(SCORES))),  \
      "a score per action, the highest is its answer; -math.huge where an action is closed now, "  \
      "or mask[i] is false")                                                                       \
    X(value, CALL(TAKES(ARG(observation, OBSERVATION)), GIVES(RESULT(NUMBER))),                    \
      "how much better than usual it expects things to go from here on, on the scale that it was " \
      "trained on")                                                                                \
    X(action,                                                                                      \
      CALL(TAKES(ARG(i, INTEGER), OPT(job, JOB)),                                                  \
           GIVES(RESULT(DEGREE, PLAN, WAIT), RESULT(RULE))),                                       \
      "what action i stands for: a degree, with a job that is split by plans one of its plans, 0 " \
      "declines, \"wait\" lets the job wait; and the rule "                                        \
      "by "                                                                                        \
      "which it is placed")                                                                        \
    X(servers,                                                                                     \
      CALL(TAKES(ARG(observation, OBSERVATION), ARG(i, INTEGER)), GIVES(RESULT(SERVERS, NIL))),    \
      "where the rule of action i places the job now; nil where the engine itself does, or no "    \
      "block is free")                                                                             \
    X(choose, CALL(TAKES(ARG(observation, OBSERVATION)), GIVES(RESULT(INTEGER), RESULT(RETRY))),   \
      "of a network that lets jobs wait: the open action with the highest score whose forecast "   \
      "ends before the true deadline, which waiting does not move; and with waiting the third "    \
      "result of partition where published rules overlook servers that have just been given back") \
    X(priority, CALL(TAKES(ARG(job, JOB)), GIVES(RESULT(NUMBER))),                                 \
      "likewise: how much a job matters that waits, runs or is due; the greater, the sooner")      \
    X(give_way, CALL(TAKES(ARG(job, JOB)), GIVES(RESULT(SERVERS))),                                \
      "likewise: ids of running jobs of less priority that are to stop for this waiting one; "     \
      "empty: nobody")

/* Keys of one parameter's declaration. */
#define LP_API_PARAM(X)                                                                            \
    X(default, OPTIONAL(NUMBER, BOOLEAN, STRING),                                                  \
      "value when nobody sets one; max_degree may leave it to the scenario")                       \
    X(doc, OPTIONAL(STRING), "one sentence")                                                       \
    X(type, OPTIONAL(A_NUMBER, AN_INTEGER, A_BOOLEAN, A_STRING, A_NETWORK),                        \
      "default: that of `default`; a network is given by its file, which lightpath train wrote")   \
    X(min, OPTIONAL(NUMBER), "smallest value; optional")                                           \
    X(max, OPTIONAL(NUMBER), "largest value; optional")

#define LP_API_CLUSTER_FIELDS(X)                                                                   \
    X(now, FIELD(NUMBER), "time of this decision, seconds")                                        \
    X(servers, FIELD(INTEGER), "servers of the cluster; their ids are 0 to servers - 1")           \
    X(free, FIELD(INTEGER), "servers that are free now")                                           \
    X(busy, FIELD(NUMBER),                                                                         \
      "share of the servers that jobs hold now, 0 to 1; servers - free is their number")           \
    X(running, FIELD(JOB_LIST), "in order of their start")                                         \
    X(waiting, FIELD(JOB_LIST), "in order of their arrival in the queue")                          \
    X(queue_capacity, FIELD(INTEGER), "jobs that may wait")                                        \
    X(max_degree, FIELD(INTEGER), "the scenario's largest degree")                                 \
    X(fabric, FIELD(STRING),                                                                       \
      "kind of the network: \"ramp\", \"ideal\", \"packet\", \"zones\", \"ocs\", \"pod\"")         \
    X(groups, FIELD(INTEGER), "communication groups")                                              \
    X(racks, FIELD(INTEGER), "racks in a group")                                                   \
    X(servers_per_rack, FIELD(INTEGER),                                                            \
      "servers in a rack; id = (group * racks + rack) * servers_per_rack + index")

#define LP_API_CLUSTER_METHODS(X)                                                                  \
    X(degrees, CALL(TAKES(ARG(job, JOB), OPT(max, INTEGER)), GIVES(RESULT(DEGREES))),              \
      "degrees that may be answered now, ascending, without 0; max: the scenario's max_degree")    \
    X(plans, CALL(TAKES(ARG(job, JOB)), GIVES(RESULT(PLANS))),                                     \
      "the plans of the job's graph that fit into the memory of a server, by servers, of equals "  \
      "the fastest first; empty for a job without plans. What is listed may be answered")          \
    X(fits, CALL(TAKES(ARG(n, INTEGER), OPT(without, JOBS)), GIVES(RESULT(BOOLEAN))),              \
      "is a block of n servers free now? without: if these running jobs were preempted; false "    \
      "where nobody may be")                                                                       \
    X(stops,                                                                                       \
      CALL(TAKES(ARG(n, INTEGER), ARG(by, STRING), ARG(above, NUMBER), OPT(levels, NUMBERS)),      \
           GIVES(RESULT(JOBS, NIL))),                                                              \
      "as few running jobs as make a block of n servers free if they are preempted, of those "     \
      "whose \"work\" left (servers x seconds) or \"service\" attained is above that number; "     \
      "levels: compared is how many of these a job's service has passed, in their order. The "     \
      "highest first, of equals the latest; nil: all of them do not, or nobody may be")            \
    X(passes_at, CALL(TAKES(ARG(levels, NUMBERS)), GIVES(RESULT(NUMBER, NIL))),                    \
      "when the next running job's service passes the next of these levels before it ends; "       \
      "nil: none will")                                                                            \
    X(first_waiting, CALL(TAKES(OPT(except, JOB)), GIVES(RESULT(JOB, NIL))),                       \
      "the first by queue_key of those that wait to be offered, but for this one; nil: none")      \
    X(waiting_upto,                                                                                \
      CALL(TAKES(ARG(n, INTEGER), ARG(seconds, NUMBER), OPT(limit, INTEGER)),                      \
           GIVES(RESULT(JOBS))),                                                                   \
      "those that may be offered at a completion, in the order of the queue; of the rigid ones "   \
      "only those for which a block is free, of at most n servers, that last at most so many "     \
      "seconds, and of these the first `limit`")                                                   \
    X(free_at, CALL(TAKES(SHAPE(job, JOB_OR_SERVERS)), GIVES(RESULT(NUMBER, NIL))),                \
      "the time from which a block of n servers, or a place that a job asks for, is free if "      \
      "running jobs end as forecast and nobody starts meanwhile: now where one is free; nil: "     \
      "never, or unknown under the published horizon")                                             \
    X(levels, CALL(NO_ARGUMENT, GIVES(RESULT(TABLE))),                                             \
      "the levels of the cluster's tree, closest to the servers first: { name, nodes, largest, "   \
      "most } with the free servers of the freest node and the servers of the largest one")        \
    X(nodes, CALL(TAKES(ARG(level, STRING)), GIVES(RESULT(TABLE))),                                \
      "the nodes of a level now: { name, number, free, servers, down, parent }, numbers from 0")   \
    X(free_in, CALL(TAKES(ARG(level, STRING), ARG(number, INTEGER)), GIVES(RESULT(INTEGER))),      \
      "free servers under a node; a few nanoseconds on any number of servers")                     \
    X(fits_place, CALL(TAKES(ARG(job, JOB)), GIVES(RESULT(BOOLEAN), MAYBE(STRING))),               \
      "is there a place for the job as it asks for one (job.required, preferred, segment), and "   \
      "under which node; of one with a graph in place")                                            \
    X(tree_place,                                                                                  \
      CALL(TAKES(ARG(job, JOB), SHAPE_OPT(options, TREE_OPTIONS)),                                 \
           GIVES(RESULT(SERVERS, NIL), MAYBE(TABLE), MAYBE(INTEGER))),                             \
      "servers for the job: the node of the lowest level that can hold it, then the tightest "     \
      "child, else the fullest one whole and the rest in the tightest; { node = servers } of the " \
      "lowest level, and how many nodes those are; nil: there is no place")                        \
    X(why, CALL(TAKES(ARG(job, JOB)), GIVES(RESULT(TABLE, NIL))),                                  \
      "why the job waits: { code, text, enough_at, across }: \"shape\" and the sentence of "       \
      "explain, when there will be enough, and across how many nodes it could lie now")            \
    X(blocks,                                                                                      \
      CALL(TAKES(ARG(n, INTEGER), SHAPE_OPT(options, BLOCKS_OPTIONS)), GIVES(RESULT(BLOCKS))),     \
      "free blocks of n servers in the order in which the engine tries them")                      \
    X(each_block,                                                                                  \
      CALL(TAKES(ARG(n, INTEGER), SHAPE_OPT(options, BLOCKS_OPTIONS)), GIVES(RESULT(ITERATOR))),   \
      "the same one by one, for block in cluster:each_block(n) do: those after the one at which "  \
      "the loop stops are not looked for; without a limit all")                                    \
    X(count_blocks,                                                                                \
      CALL(TAKES(ARG(n, INTEGER), SHAPE_OPT(options, BLOCKS_OPTIONS)), GIVES(RESULT(INTEGER))),    \
      "how many cluster:blocks would list, without making them")                                   \
    X(best_block,                                                                                  \
      CALL(TAKES(SHAPE(job, JOB_OR_SERVERS), SHAPE_OPT(options, BEST_OPTIONS)),                    \
           GIVES(RESULT(BLOCK, NIL))),                                                             \
      "the best free block for a job, or of so many servers, by a score; of equals the first; "    \
      "nil: "                                                                                      \
      "none is free")                                                                              \
    X(predict,                                                                                     \
      CALL(TAKES(ARG(job, JOB), SHAPE(options, PREDICT_OPTIONS)), GIVES(RESULT(FORECAST))),        \
      "what would happen if this were answered now, the policy's hook phase included; place and "  \
      "the orders are those stated, else the engine's; nothing changes")                           \
    X(is_free, CALL(TAKES(ARG(id, INTEGER)), GIVES(RESULT(BOOLEAN))),                              \
      "may this server take a job now?")                                                           \
    X(cost,                                                                                        \
      CALL(TAKES(ARG(action, ACTION)), GIVES(RESULT(COST, NIL), RESULT(CAUSE), RESULT(WHY))),      \
      "what an action of review would cost; nil when it would be refused")                         \
    X(after,                                                                                       \
      CALL(TAKES(SHAPE(actions, ACTIONS)),                                                         \
           GIVES(RESULT(CLUSTER, NIL), RESULT(CAUSE), RESULT(WHY))),                               \
      "a read-only cluster as if these actions had been taken; nil when one would be refused")     \
    X(slices,                                                                                      \
      CALL(TAKES(ARG(job, JOB), SHAPE_OPT(options, SLICES_OPTIONS)), GIVES(RESULT(SLICES))),       \
      "places for the job's slice in a pod, in the order in which the engine tries them; found "   \
      "one by one as the list is read. Switched whole cubes: those of the pod's order, then of "   \
      "the other one (lowest, spread) where they differ")                                          \
    X(cube, CALL(TAKES(ARG(number, INTEGER)), GIVES(RESULT(CUBE))),                                \
      "a cube of a pod as it is now; from 0")                                                      \
    X(link, CALL(TAKES(ARG(a, INTEGER), ARG(b, INTEGER)), GIVES(RESULT(LINK))),                    \
      "the way from server a to server b; on zones as it was measured, not as it is")              \
    X(zones, CALL(TAKES(OPT(lists, BOOLEAN)), GIVES(RESULT(ZONES))),                               \
      "sites, leaves or edge switches, communication groups: servers that lie near each other; "   \
      "lists: false leaves out the lists of servers, which on many servers cost the most")         \
    X(free_server, CALL(TAKES(ARG(k, INTEGER), OPT(zone, INTEGER)), GIVES(RESULT(INTEGER, NIL))),  \
      "the k-th of the free servers, ascending, or of those of a zone by its place in "            \
      "cluster:zones(); nil: there are fewer. A few microseconds on any number of servers")        \
    X(optics, CALL(NO_ARGUMENT, GIVES(RESULT(OPTICS, NIL))),                                       \
      "ports of the circuit switches and what they are joined to; nil where there are none")

#define LP_API_OPTICS_FIELDS(X)                                                                    \
    X(ports, FIELD(INTEGER), "ports of all circuit switches, counted from 1")                      \
    X(servers, FIELD(INTEGER), "as cluster.servers")                                               \
    X(aggregators, FIELD(INTEGER), "packet switches; their ids are 0 to aggregators - 1")          \
    X(delay, FIELD(NUMBER), "seconds from an order to light")                                      \
    X(interval, FIELD(NUMBER), "seconds between calls of configure; 0: none but on change")        \
    X(rate, FIELD(NUMBER), "bytes per second of the narrowest port of a server")                   \
    X(lit_at, FIELD(NUMBER), "when all that was ordered is lit")                                   \
    X(port, FIELD(PORTS), "what is plugged in")                                                    \
    X(match, FIELD(PORT_MATCH), "what each port's input is joined to")                             \
    X(joined, FIELD(JOINED), "servers that are joined to an aggregator")

#define LP_API_COST_FIELDS(X)                                                                      \
    X(seconds, FIELD(NUMBER), "until the job's steps go on, once it has servers")                  \
    X(bytes, FIELD(NUMBER), "of its checkpoint that go over the network")                          \
    X(pauses, FIELD(BOOLEAN), "the job makes no progress meanwhile")

#define LP_API_LINK_FIELDS(X)                                                                      \
    X(delay, FIELD(NUMBER), "seconds that the first byte takes")                                   \
    X(loss, FIELD(NUMBER), "fraction of packets that is lost; 0 but on zones")                     \
    X(throughput, FIELD(NUMBER), "bytes per second of one transfer while nobody is in its way")    \
    X(measured_at, FIELD(NUMBER), "time that these figures are of: now, but on zones")

/* Of an answer only the first nine count. */
#define LP_API_PLAN_FIELDS(X)                                                                      \
    X(tensor, OPTIONAL(INTEGER), "ways to split each layer; default 1")                            \
    X(pipeline, OPTIONAL(INTEGER), "stages; default 1")                                            \
    X(data, OPTIONAL(INTEGER), "replicas; default 1")                                              \
    X(expert, OPTIONAL(INTEGER), "ways of the experts, among the replicas; default 1")             \
    X(chunks, OPTIONAL(INTEGER), "of the model on each stage; default 1")                          \
    X(micro_batch, OPTIONAL(INTEGER), "samples of a micro-batch; default 1")                       \
    X(batch, OPTIONAL(INTEGER), "samples of a step; as the graph has it, the default")             \
    X(recompute, OPTIONAL(STRING), "\"none\" (default), \"selective\" or \"full\"")                \
    X(sequence, OPTIONAL(BOOLEAN), "sequence parallelism; default false")                          \
    X(wait, OPTIONAL(BOOLEAN), "stages wait until what they send has arrived; default true")       \
    X(overlap, OPTIONAL(BOOLEAN), "gradients and weights travel beside passes; default false")     \
    X(zero, OPTIONAL(INTEGER),                                                                     \
      "what replicas share out: 0 nothing (default), 1 the optimiser's state, 2 and gradients, "   \
      "3 and parameters")                                                                          \
    X(context, OPTIONAL(INTEGER), "ways to split the tokens of a sample; default 1")               \
    X(attention, OPTIONAL(STRING), "\"unfused\" (default), \"fused\" or \"causal\"")               \
    X(servers, OPTIONAL(INTEGER), "tensor x context x pipeline x data")                            \
    X(step_time, OPTIONAL(NUMBER),                                                                 \
      "seconds, alone on servers that lie together; cluster:predict says it of a block")           \
    X(memory, OPTIONAL(NUMBER), "bytes that a server of the fullest stage holds")                  \
    X(bubble, OPTIONAL(NUMBER), "share of the stages' time that is no work, 0 to 1")               \
    X(free, OPTIONAL(BOOLEAN), "is a block for it free now?")

#define LP_API_ZONE_FIELDS(X)                                                                      \
    X(name, FIELD(STRING), "as the scenario calls it; \"zone 3\" where it has no name")            \
    X(size, FIELD(INTEGER), "servers that it has")                                                 \
    X(free_count, FIELD(INTEGER), "those that may take a job now")                                 \
    X(servers, OPTIONAL(SERVERS), "all its servers, ascending; not with lists = false")            \
    X(free, OPTIONAL(SERVERS), "those that may take a job now; not with lists = false")

#define LP_API_JOB_FIELDS(X)                                                                       \
    X(id, FIELD(INTEGER), "arrival number, from 0")                                                \
    X(key, FIELD(STRING, NUMBER, NIL), "the user's own id of it; nil: none")                       \
    X(name, FIELD(STRING, NIL), "what its user calls it; nil: nothing")                            \
    X(user, FIELD(STRING, NIL), "who started it; nil: not said")                                   \
    X(group, FIELD(STRING, NIL), "whom its user belongs to; nil: not said")                        \
    X(graph, FIELD(STRING, NIL), "name of its computation graph; nil for a rigid job")             \
    X(kind, FIELD(STRING), "partition kind: \"model\", \"data\" or \"tensor\"")                    \
    X(state, FIELD(STRING),                                                                        \
      "\"deciding\", \"waiting\", \"preempted\" or \"running\"; in an event also \"completed\", "  \
      "\"blocked\" or \"killed\"")                                                                 \
    X(arrival, FIELD(NUMBER), "time of arrival, seconds")                                          \
    X(waited, FIELD(NUMBER), "seconds in the queue so far, all its waits together")                \
    X(deadline, FIELD(NUMBER),                                                                     \
      "absolute time at which it must be done; math.huge when there is none")                      \
    X(steps, FIELD(NUMBER), "training steps")                                                      \
    X(sequential_jct, FIELD(NUMBER), "seconds that the unsplit job takes on one server")           \
    X(max_jct, FIELD(NUMBER), "limit in seconds from arrival; math.huge when there is none")       \
    X(max_jct_fraction, FIELD(NUMBER, NIL),                                                        \
      "the limit as a fraction of sequential_jct; nil: none")                                      \
    X(hint, FIELD(ANY, NIL), "the scenario's hint for this job, read-only")                        \
    X(ops, FIELD(OPS, NIL), "forward operations; job.ops[i] is op number i; nil for a rigid job")  \
    X(deps, FIELD(DEPS, NIL), "dependencies between forward operations; nil for a rigid job")      \
    X(parts, FIELD(PARTS, NIL),                                                                    \
      "parts after the split and where they run, in order_ops and order_flows; nil elsewhere")     \
    X(rigid, FIELD(INTEGER, NIL), "servers that a rigid job asks for; nil for others")             \
    X(required, FIELD(STRING, NIL),                                                                \
      "level of which one node is to hold all its servers; nil: none")                             \
    X(preferred, FIELD(STRING, NIL), "level from which upwards its place is sought; nil: none")    \
    X(segment, FIELD(INTEGER, NIL),                                                                \
      "its servers come in groups of this size, each in one lowest node; nil: singly")             \
    X(duration, FIELD(NUMBER, NIL),                                                                \
      "seconds that a rigid job runs; where its user requested a time, that: the policy does not " \
      "see how long it really runs, here nor in finish, remaining, steps_done, sequential_jct, "   \
      "forecasts and cluster:free_at, unless the scenario says reveal; nil for others")            \
    X(requested, FIELD(NUMBER, NIL), "seconds that its user asked for; nil: not said")             \
    X(slice, FIELD(STRING, NIL), "slice that it asks for, \"4x4x8 twisted\"; nil: none")           \
    X(degree, FIELD(INTEGER, NIL), "degree answered: in place and the orders, and while it runs")  \
    X(servers, FIELD(SERVERS), "servers that it holds now")                                        \
    X(start, FIELD(NUMBER, NIL), "time of its first start; nil before")                            \
    X(finish, FIELD(NUMBER, NIL), "time at which it will be done; nil before it starts")           \
    X(remaining, FIELD(NUMBER, NIL),                                                               \
      "seconds of running left: until finish; when preempted, of its steps at the last degree; "   \
      "nil before it starts")                                                                      \
    X(attained, FIELD(NUMBER), "server-seconds of training that it has had")                       \
    X(steps_done, FIELD(NUMBER),                                                                   \
      "training steps finished; of a rigid job the share of its duration")                         \
    X(preemptions, FIELD(INTEGER), "times it was preempted")

#define LP_API_JOB_METHODS(X)                                                                      \
    X(observe, CALL(TAKES(ARG(name, STRING)), GIVES(RESULT(OBSERVATION))),                         \
      "what a network of that encoding sees of a job that has not started; for network:scores")

#define LP_API_OP_FIELDS(X)                                                                        \
    X(number, FIELD(INTEGER), "1 to #job.ops")                                                     \
    X(name, FIELD(STRING), "description in the profile")                                           \
    X(forward, FIELD(NUMBER), "seconds of the forward pass, unsplit")                              \
    X(backward, FIELD(NUMBER), "seconds of the backward pass, unsplit")                            \
    X(activation, FIELD(NUMBER), "bytes of its output")                                            \
    X(parameters, FIELD(NUMBER), "bytes of its parameters")

#define LP_API_DEP_FIELDS(X)                                                                       \
    X(from, FIELD(INTEGER), "op number of the producer")                                           \
    X(to, FIELD(INTEGER), "op number of the consumer")                                             \
    X(bytes, FIELD(NUMBER), "bytes of the tensor")

#define LP_API_PART_FIELDS(X)                                                                      \
    X(op, FIELD(INTEGER), "number of its op, see job.ops")                                         \
    X(backward, FIELD(BOOLEAN), "of the backward pass")                                            \
    X(part, FIELD(INTEGER), "1 to the ways of the op")                                             \
    X(server, FIELD(INTEGER), "where it runs")                                                     \
    X(time, FIELD(NUMBER), "seconds that it runs there")

#define LP_API_FLOW_FIELDS(X)                                                                      \
    X(from, FIELD(INTEGER), "op number of the producer")                                           \
    X(to, FIELD(INTEGER), "op number of the consumer")                                             \
    X(backward, FIELD(BOOLEAN), "into a part of the backward pass")                                \
    X(source, FIELD(INTEGER), "server that sends")                                                 \
    X(target, FIELD(INTEGER), "server that receives")                                              \
    X(bytes, FIELD(NUMBER), "in one training step")                                                \
    X(transfers, FIELD(INTEGER), "pairs of parts between which they move")

#define LP_API_FORECAST_FIELDS(X)                                                                  \
    X(feasible, FIELD(BOOLEAN), "a placement exists; the deadline is not judged here")             \
    X(cause, FIELD(STRING, NIL), "stable code of what stands in the way, also \"deadline\"")       \
    X(why, FIELD(STRING, NIL), "the same as a sentence")                                           \
    X(jct, FIELD(NUMBER, NIL), "seconds from now until it would be done; nil when not feasible")   \
    X(finish, FIELD(NUMBER, NIL), "absolute time at which it would be done")                       \
    X(step_time, FIELD(NUMBER, NIL), "seconds of one training step")                               \
    X(compute, FIELD(NUMBER, NIL), "seconds in which some operation runs, all steps")              \
    X(communication, FIELD(NUMBER, NIL), "seconds in which some data moves, all steps")            \
    X(exposed, FIELD(NUMBER, NIL), "seconds in which data moves and no operation runs, all steps") \
    X(degree, FIELD(INTEGER), "degree asked for")                                                  \
    X(partition_degree, FIELD(INTEGER, NIL),                                                       \
      "largest split that would really be made: servers of its block; known without a placement")  \
    X(ops, FIELD(INTEGER, NIL), "parts after the split")                                           \
    X(deps, FIELD(INTEGER, NIL), "dependencies after the split")                                   \
    X(servers, FIELD(SERVERS), "servers that it would hold, in block order")                       \
    X(shape, FIELD(STRING, NIL), "shape of the block, \"2x2x1\"")                                  \
    X(circuits, FIELD(INTEGER, NIL), "ordered pairs of servers between which data would move")     \
    X(parts, FIELD(PARTS, NIL), "what an order_ops of the same prediction is for")                 \
    X(flows, FIELD(FLOWS, NIL), "what an order_flows of the same prediction is for")

#define LP_API_BLOCK_FIELDS(X)                                                                     \
    X(servers, FIELD(SERVERS), "in block order")                                                   \
    X(shape, FIELD(STRING), "groups x racks x servers, \"2x2x1\"")                                 \
    X(largest_left, FIELD(INTEGER), "servers of the largest block left free if this one is taken") \
    X(left_in_racks, FIELD(INTEGER), "servers that stay free in the racks that it touches")        \
    X(left_in_groups, FIELD(INTEGER), "servers that stay free in the groups that it touches")      \
    X(groups, FIELD(INTEGER), "communication groups that it touches")                              \
    X(racks, FIELD(INTEGER), "racks that it touches")                                              \
    X(fragments, FIELD(INTEGER),                                                                   \
      "pieces that stay free in the racks that it touches: runs of servers of consecutive ids")

/* A place for a slice. */
#define LP_API_SLICE_FIELDS(X)                                                                     \
    X(shape, FIELD(STRING), "\"4x4x8 twisted\"")                                                   \
    X(twisted, FIELD(BOOLEAN), "its circuits are wired so")                                        \
    X(cubes, FIELD(CUBES), "by ordinal; of a part the one that it lies in")                        \
    X(servers, FIELD(SERVERS), "in slice order")                                                   \
    X(origin, FIELD(TRIPLE, NIL),                                                                  \
      "of its box in the grid of cubes (static wiring), or in its cube (a part); nil: no box")     \
    X(orientation, FIELD(TRIPLE, NIL), "extents of that box along the axes")                       \
    X(domains, FIELD(INTEGER), "failure domains that its cubes lie in")                            \
    X(most_in_domain, FIELD(INTEGER), "cubes in the one that has most of them")                    \
    X(cross_connects, FIELD(INTEGER), "circuits that are set when it starts")                      \
    X(all_to_all, FIELD(NUMBER, NIL),                                                              \
      "seconds for 1 MB from each accelerator to each other one in this shape; nil: more than "    \
      "1 024 accelerators without rings")                                                          \
    X(all_reduce, FIELD(NUMBER, NIL), "seconds for an all-reduce of 1 GB; nil likewise")           \
    X(left, FIELD(INTEGER), "usable cubes that stay if it is taken, those kept back included")     \
    X(largest_left, FIELD(INTEGER), "cubes of the largest slice that then still fits")             \
    X(left_in_cube, FIELD(INTEGER, NIL), "accelerators that stay free in a part's cube")

/* A cube of a pod. */
#define LP_API_CUBE_FIELDS(X)                                                                      \
    X(number, FIELD(INTEGER), "from 0")                                                            \
    X(state, FIELD(STRING),                                                                        \
      "the first that holds: \"off\" (all of it is down), \"broken\" (some is), \"dark\" (a "      \
      "cable of it, or a switch, is dead), \"settling\", \"restoring\", \"held\" (its job "        \
      "stands still), \"slow\" (its slice has lost light), \"running\" (one slice holds it), "     \
      "\"part\" (parts of it are held), \"kept\" (a spare), \"free\"")                             \
    X(job, FIELD(JOB, NIL), "whose slice of whole cubes holds it")                                 \
    X(usable, FIELD(BOOLEAN), "a slice of whole cubes may take it now")                            \
    X(free, FIELD(INTEGER), "accelerators that work and that nobody holds")                        \
    X(up, FIELD(INTEGER), "accelerators that work")                                                \
    X(hosts, FIELD(INTEGER), "hosts in it")                                                        \
    X(hosts_up, FIELD(INTEGER), "hosts of which all accelerators work")                            \
    X(domain, FIELD(INTEGER), "failure domain, from 0")                                            \
    X(faults, FIELD(INTEGER), "failures so far that took accelerators of it down")

#define LP_API_SLICES_OPTIONS(X)                                                                   \
    X(shapes, OPTIONAL(BOOLEAN),                                                                   \
      "then places of other shapes of as many accelerators, too; default false")

#define LP_API_PREDICT_OPTIONS(X)                                                                  \
    X(degree, OPTIONAL(INTEGER), "as partition may answer")                                        \
    X(plan, OPTIONAL(PLAN), "instead of degree, of a job whose graph has plans")                   \
    X(ways, OPTIONAL(WAYS), "instead of degree")                                                   \
    X(kind, OPTIONAL(STRING),                                                                      \
      "\"model\", \"data\" or \"tensor\"; default: as answered, else the job's")                   \
    X(servers, OPTIONAL(SERVERS),                                                                  \
      "default: in the orders as answered by place, else the first block that fits")               \
    X(order_ops, OPTIONAL(STRING, PRIORITIES), "as the hook may answer; default: srpt")            \
    X(order_flows, OPTIONAL(STRING, PRIORITIES), "as the hook may answer; default: srpt")

#define LP_API_BLOCKS_OPTIONS(X)                                                                   \
    X(shape, OPTIONAL(STRING), "only this shape, \"2x2x1\"")                                       \
    X(skip, OPTIONAL(INTEGER), "leave out the first so many; default 0")                           \
    X(limit, OPTIONAL(INTEGER), "at most so many blocks; default 32")

#define LP_API_TREE_OPTIONS(X)                                                                     \
    X(pick, OPTIONAL(STRING),                                                                      \
      "of nodes with room enough \"tight\" (default), the one with the least, \"loose\", the one " \
      "with the most, or the \"first\" one")

#define LP_API_BEST_OPTIONS(X)                                                                     \
    X(score, OPTIONAL(STRING),                                                                     \
      "\"first_fit\" (default), \"best_fit\" (fewest left_in_racks), \"worst_fit\" (most), "       \
      "\"fewest_groups\" (of these the fewest racks) or \"least_fragmenting\" (most "              \
      "largest_left)")                                                                             \
    X(tie, OPTIONAL(STRING),                                                                       \
      "a second score for blocks that are equal by the first; default \"first_fit\": the first "   \
      "of "                                                                                        \
      "them")                                                                                      \
    X(degree, OPTIONAL(INTEGER), "of the job, as partition may answer; in place: as answered")     \
    X(shape, OPTIONAL(STRING), "only this shape, \"2x2x1\"")                                       \
    X(limit, OPTIONAL(INTEGER), "look at so many blocks; default 256, least_fragmenting 32")

#endif
