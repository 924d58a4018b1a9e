/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a row of the policy interface is made of: types, arguments, results. */
#ifndef LP_SCRIPT_POLICY_API_TYPES_H
#define LP_SCRIPT_POLICY_API_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

/* X(ID, "as the manual writes it", "as annotations for editors (LuaCATS) write it"). */
#define LP_API_TYPES(X)                                                                            \
    X(NUMBER, "number", "number")                                                                  \
    X(INTEGER, "integer", "integer")                                                               \
    X(STRING, "string", "string")                                                                  \
    X(BOOLEAN, "boolean", "boolean")                                                               \
    X(TABLE, "table", "table")                                                                     \
    X(ANY, "any", "any")                                                                           \
    X(NIL, "nil", "nil")                                                                           \
    X(TRUE, "true", "true")                                                                        \
    /* what a policy is given */                                                                   \
    X(JOB, "job", "lightpath.Job")                                                                 \
    X(CLUSTER, "cluster", "lightpath.Cluster")                                                     \
    X(EVENT, "event", "lightpath.Event")                                                           \
    X(FAILURE, "failure", "lightpath.Failure")                                                     \
    X(PHASE, "phase", "lightpath.Phase")                                                           \
    X(LIGHT, "light", "lightpath.Light")                                                           \
    X(FORECAST, "forecast", "lightpath.Forecast")                                                  \
    X(COST, "cost", "lightpath.Cost")                                                              \
    X(LINK, "link", "lightpath.Link")                                                              \
    X(OPTICS, "optics", "lightpath.Optics")                                                        \
    X(OBSERVATION, "observation", "userdata")                                                      \
    X(JOB_LIST, "list of jobs", "lightpath.Job[]")                                                 \
    X(OPS, "list of ops", "lightpath.Op[]")                                                        \
    X(DEPS, "list of deps", "lightpath.Dep[]")                                                     \
    X(PARTS, "list of parts", "lightpath.Part[]")                                                  \
    X(FLOWS, "list of flows", "lightpath.Flow[]")                                                  \
    X(JOBS, "{ job, ... }", "lightpath.Job[]")                                                     \
    X(BLOCK, "block", "lightpath.Block")                                                           \
    X(JOB_OR_SERVERS, "job | n", "lightpath.Job|integer")                                          \
    X(BLOCKS, "{ block, ... }", "lightpath.Block[]")                                               \
    X(ITERATOR, "iterator", "fun(): lightpath.Block?")                                             \
    X(SLICE, "slice", "lightpath.Slice")                                                           \
    X(SLICES, "list of slices", "lightpath.Slice[]")                                               \
    X(CUBE, "cube", "lightpath.Cube")                                                              \
    X(CUBES, "{ number, ... }", "integer[]")                                                       \
    X(TRIPLE, "{ x, y, z }", "integer[]")                                                          \
    X(ZONES, "{ zone, ... }", "lightpath.Zone[]")                                                  \
    X(DEGREES, "{ degree, ... }", "integer[]")                                                     \
    X(SCORES, "{ score, ... }", "number[]")                                                        \
    X(NUMBERS, "{ number, ... }", "number[]")                                                      \
    X(PORTS, "{ { server = | aggregator =, switch =, rate = }, ... }", "table")                    \
    X(PORT_MATCH, "{ port | false, ... }", "table")                                                \
    X(JOINED, "{ [server] = aggregator }", "table")                                                \
    /* what it answers */                                                                          \
    X(DEGREE, "degree", "integer")                                                                 \
    X(PLAN, "{ tensor =, pipeline =, data =, ... }", "lightpath.Plan")                             \
    X(PLANS, "{ plan, ... }", "lightpath.Plan[]")                                                  \
    X(RULE, "rule", "string")                                                                      \
    X(WAYS, "{ [op] = ways }", "table<integer, integer>")                                          \
    X(SERVERS, "{ id, ... }", "integer[]")                                                         \
    X(ON_SERVERS, "{ servers = { id, ... } }", "{ servers: integer[] }")                           \
    X(ON_PARTS, "{ parts = { [op] = { id, ... } } }", "{ parts: table<integer, integer[]> }")      \
    X(ON_CUBES, "{ cubes = { number, ... } [, slice =] }", "{ cubes: integer[], slice: string? }") \
    X(ON_BOX, "{ [cube =,] origin =, orientation = [, slice =] }",                                 \
      "{ cube: integer?, origin: integer[], orientation: integer[], slice: string? }")             \
    X(PRIORITIES, "{ priority, ... [, rule =] }", "number[]")                                      \
    X(MATCHINGS, "{ { match = { [port] = port }, hold = seconds }, ... }", "table")                \
    X(ACTION, "action", "lightpath.Action")                                                        \
    X(ACTIONS, "{ action, ... }", "lightpath.Action[]")                                            \
    X(JOINS, "{ { server =, aggregator = } | { from =, to = }, ... }", "table")                    \
    X(WAIT, "\"wait\"", "\"wait\"")                                                                \
    X(SRPT, "\"srpt\"", "\"srpt\"")                                                                \
    X(CRITICAL_PATH, "\"critical_path\"", "\"critical_path\"")                                     \
    X(FIFO, "\"fifo\"", "\"fifo\"")                                                                \
    X(LONGEST, "\"longest\"", "\"longest\"")                                                       \
    X(ON_DEMAND, "\"on-demand\"", "\"on-demand\"")                                                 \
    X(PROVISIONED, "\"provisioned\"", "\"provisioned\"")                                           \
    X(RECOVERY, "\"spare\" | \"requeue\" | \"hold\" | \"shrink\" | \"degraded\" | \"abort\"",      \
      "\"spare\"|\"requeue\"|\"hold\"|\"shrink\"|\"abort\"")                                       \
    X(SPARES, "{ \"spare\", cubes = | servers = { [old] = new } }", "table")                       \
    X(SMALLER, "{ \"shrink\", slice = | degree = }", "table")                                      \
    X(CAUSE, "cause", "string?")                                                                   \
    X(WHY, "why", "string?")                                                                       \
    X(RETRY, "{ retry = | fits = }", "table?")                                                     \
    /* options, and what a policy declares */                                                      \
    X(PREDICT_OPTIONS,                                                                             \
      "{ degree = | ways = | plan =, kind =, servers =, order_ops =, order_flows = }",             \
      "lightpath.PredictOption")                                                                   \
    X(BLOCKS_OPTIONS, "{ shape =, skip =, limit = 32 }", "lightpath.BlocksOption")                 \
    X(TREE_OPTIONS, "{ pick = \"tight\" }", "lightpath.TreeOption")                                \
    X(BEST_OPTIONS, "{ score =, tie =, degree =, shape =, limit = }", "lightpath.BestOption")      \
    X(SLICES_OPTIONS, "{ shapes = }", "lightpath.SlicesOption")                                    \
    X(EXPLAIN, "{ columns =, rows =, chosen = }", "lightpath.Explain")                             \
    X(TITLES, "{ title, ... }", "string[]")                                                        \
    X(CELLS, "{ { cell, ... }, ... }", "any[][]")                                                  \
    X(PARAMS, "{ [name] = { default =, doc =, type =, min =, max = } }",                           \
      "table<string, lightpath.Param>")                                                            \
    X(QUEUE, "{ head = \"passes\" | \"blocks\", ties = \"block\" | \"pass\", behind =, list = }",  \
      "{ head: \"passes\"|\"blocks\"?, ties: \"block\"|\"pass\"?, behind: string?, list: "         \
      "boolean? }")                                                                                \
    X(A_NUMBER, "\"number\"", "\"number\"")                                                        \
    X(AN_INTEGER, "\"integer\"", "\"integer\"")                                                    \
    X(A_BOOLEAN, "\"boolean\"", "\"boolean\"")                                                     \
    X(A_STRING, "\"string\"", "\"string\"")                                                        \
    X(A_NETWORK, "\"network\"", "\"network\"")                                                     \
    /* lists and matrices of match and graph */                                                    \
    X(MATRIX, "matrix", "number[][]")                                                              \
    X(PLACES, "{ n =, row = { row, ... }, column = { column, ... } }",                             \
      "{ n: integer, row: integer[], column: integer[] }")                                         \
    X(MASK, "{ boolean, ... }", "boolean[]")                                                       \
    X(COLUMNS, "{ column, ... }", "integer[]")                                                     \
    X(MATCHING, "{ column | false, ... }", "(integer|false)[]")                                    \
    X(PERMUTATIONS, "{ { weight =, match = { column, ... } }, ... }",                              \
      "{ weight: number, match: integer[] }[]")                                                    \
    X(RESIDUE, "residue", "number")                                                                \
    X(EDGES, "{ { from, to }, ... }", "number[][]")                                                \
    X(CAPACITIES, "{ { from, to, capacity }, ... }", "number[][]")                                 \
    X(LENGTHS, "{ { from, to, length }, ... }", "number[][]")                                      \
    X(NODES, "{ node, ... }", "integer[]")                                                         \
    X(DEPTHS, "{ depth, ... }", "integer[]")                                                       \
    X(CARRIED, "{ flow, ... }", "number[]")                                                        \
    X(DISTANCES, "{ distance, ... }", "number[]")                                                  \
    X(LAST_EDGES, "{ edge | false, ... }", "(integer|false)[]")

enum {
    LP_TYPE_NONE,
#define X(id, shown, annotation) LP_TYPE_##id,
    LP_API_TYPES(X)
#undef X
        LP_TYPE_COUNT
};
typedef uint8_t LpApiType; /* one of them */

/* Most types of a union, arguments and results of a function; a list with fewer ends with
 * LP_TYPE_NONE, or a name that is NULL. */
enum { LP_API_UNION = 8, LP_API_ARGUMENTS = 4, LP_API_RESULTS = 3 };

/* A value of one of these types. */
typedef struct LpApiUnion {
    LpApiType of[LP_API_UNION];
} LpApiUnion;

typedef struct LpApiArgument {
    const char *name;
    LpApiType type;
    bool optional;
    bool shape; /* the manual shows its type in place of its name: { from, to } */
} LpApiArgument;

typedef struct LpApiResult {
    LpApiUnion value;
    bool optional;
} LpApiResult;

typedef enum LpApiKind {
    LP_API_FIELD,
    LP_API_OPTIONAL, /* a field that may be missing */
    LP_API_CALL,     /* a function, or a method where `call` ends with a colon */
    LP_API_HOOK,     /* a method that the policy may have */
    LP_API_ACTION    /* a list that begins with the name; takes: its keys, by their names */
} LpApiKind;

typedef struct LpApiRow {
    const char *group; /* such as "cluster" or "job" */
    const char *owner; /* the class that has it: the group, but of hooks "policy" */
    const char *call;  /* what stands before the name of a function: "cluster:", "match.", "" */
    const char *name;
    LpApiKind kind;
    LpApiUnion value; /* of a field */
    LpApiArgument takes[LP_API_ARGUMENTS];
    LpApiResult gives[LP_API_RESULTS];
    const char *doc;
} LpApiRow;

/* Every row of every table of api_table.h, in that order; *count is set. */
const LpApiRow *lp_api_table(size_t *count);
/* Does the group ("job", "cluster") have a row of this name? O(rows). */
bool lp_api_has(const char *group, const char *name);
/* How many arguments, or results, a row has. */
size_t lp_api_takes(const LpApiRow *row);
size_t lp_api_gives(const LpApiRow *row);
/* Appends a type as annotations write it: "number|nil". */
void lp_api_annotate(LpBuf *out, const LpApiUnion *value);
/* Appends the type of a field, or how a function is called and what it returns, as the manual
 * writes it: "cluster:degrees(job [, max]) -> { degree, ... }". */
void lp_api_describe(LpBuf *out, const LpApiRow *row);

#endif
