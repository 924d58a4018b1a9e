/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chakra execution traces (mlcommons/chakra, schema/protobuf/et_def.proto): a file a rank. */
#ifndef LP_IMPORT_STEPS_CHAKRA_H
#define LP_IMPORT_STEPS_CHAKRA_H

#include "import/rows/format.h"
#include "import/trace/astra.h"
#include "sim/ranks/ranks_run.h"

/* X(name, word): what a node is, numbered as in the files; `what` of nodes that are no
 * collectives. */
#define LP_CHAKRA_TYPE_TABLE(X)                                                                    \
    X(INVALID, "invalid")                                                                          \
    X(METADATA, "metadata")                                                                        \
    X(MEM_LOAD, "mem_load")                                                                        \
    X(MEM_STORE, "mem_store")                                                                      \
    X(COMP, "comp")                                                                                \
    X(SEND, "send")                                                                                \
    X(RECV, "recv")                                                                                \
    X(COLL, "coll")

typedef enum LpChakraType {
#define X(name, word) LP_CHAKRA_##name,
    LP_CHAKRA_TYPE_TABLE(X)
#undef X
        LP_CHAKRA_TYPES
} LpChakraType;

/* Streams of a rank: one node of each at a time, as in ASTRA-sim. */
enum { LP_CHAKRA_ACCELERATOR, LP_CHAKRA_HOST, LP_CHAKRA_NETWORK };

/* An op that says nothing takes 1 ns, as ASTRA-sim takes it. */
#define LP_CHAKRA_RULES ((LpTraceRules){.unknown_ns = 1})

typedef struct LpChakraRank {
    const char *file;
    const char *version; /* "" where the file has none */
    uint64_t types[LP_CHAKRA_TYPES];
    uint64_t compute_ns, flop, tensor_bytes;
    uint64_t unknown; /* ops without a duration */
    uint64_t sent, received;
    bool has_starts; /* some node says when it started */
} LpChakraRank;

enum { LP_CHAKRA_TIMES = 16 };

typedef struct LpChakra {
    LpStepTrace *trace;
    LpChakraRank *rank;
    LpArena *arena;     /* of names of files and versions */
    const char *groups; /* file of communicators; NULL: none */
    uint64_t unmatched, differing;
    LpAstraSystem system;
    LpAstraTime time[LP_CHAKRA_TIMES]; /* what ASTRA-sim says, where its figures are given */
    size_t times;
    bool ran; /* alone, on the network of the options */
    LpTraceRun run;
} LpChakra;

/* Finds which file is which rank: chakra->rank[].file, and an empty trace. A file may be a folder
 * of them, whose comm_group.json is taken, too. LP_EINVAL for gaps and for ranks twice; LP_EIO. */
LpErr lp_chakra_files(const LpReading *reading, LpChakra *chakra, LpDiag *diag) LP_MUST_USE;
/* Reads the file of communicators. LP_EPARSE, LP_EINVAL at their place; LP_EIO. */
LpErr lp_chakra_groups(LpChakra *chakra, const char *file, LpDiag *diag) LP_MUST_USE;
/* Communicators that a metadata node of PyTorch defines: `text` is its value. Texts of other kinds
 * change nothing. False: it speaks of communicators and cannot be read, for which *diag has the
 * reason. */
LpErr lp_chakra_groups_of(LpChakra *chakra, const char *text, size_t len, LpDiag *diag) LP_MUST_USE;
/* Reads all ranks, and checks that their calls have communicators. */
LpErr lp_chakra_read(const LpReading *reading, LpChakra *chakra, LpDiag *diag) LP_MUST_USE;

#endif
