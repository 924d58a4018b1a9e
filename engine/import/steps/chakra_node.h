/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node of a Chakra file, and what a rank is read into. */
#ifndef LP_IMPORT_STEPS_CHAKRA_NODE_H
#define LP_IMPORT_STEPS_CHAKRA_NODE_H

#include "import/steps/bytes.h"
#include "import/steps/chakra.h"
#include "import/steps/proto.h"

/* A call whose communicator is not known before all files were read. */
typedef struct LpChakraCall {
    uint32_t rank, node;
    uint64_t place;
} LpChakraCall;

/* A file under way. */
typedef struct LpChakraReader {
    LpChakra *chakra;
    uint32_t rank;
    bool no_ctrl_deps;     /* as ASTRA-sim's older feeder: nodes wait for their data alone */
    LpChakraRank *figures; /* of the rank */
    LpBytes bytes;
    LpTraceDraft draft;   /* node[i].first: where its needs begin */
    uint64_t *id, *place; /* by node */
    uint64_t *need;       /* ids that nodes wait for, node after node */
    size_t ids, id_cap, place_cap, needs, need_cap;
    LpChakraCall *call;
    size_t calls, call_cap;
} LpChakraReader;

/* Reads the message of a node and adds it to the draft. LP_EPARSE at its byte; LP_ELIMIT,
 * LP_ENOMEM. */
LpErr lp_chakra_node(LpChakraReader *r, LpProto message, LpDiag *diag) LP_MUST_USE;

#endif
