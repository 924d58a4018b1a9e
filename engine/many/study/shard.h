/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch in parts: one process makes a share of the runs and writes them down with every bit of
 * their results; the parts of all shares together say what one process would have said.
 *
 * A part is JSON lines: a head (program version, what is run, hashes of its inputs, which share),
 * one line per run, and an end with a hash of the lines before it. */
#ifndef LP_MANY_STUDY_SHARD_H
#define LP_MANY_STUDY_SHARD_H

#include "host/inputs.h"
#include "many/study/compare.h"

/* "3/10": the third of ten shares. *shard counts from 0. Errors: LP_EINVAL. */
LpErr lp_shard_parse(const char *text, uint32_t *shard, uint32_t *shards, LpDiag *diag) LP_MUST_USE;

/* What must be the same in all parts besides what LpCompareHead and LpBatch say. */
typedef struct LpShardHead {
    uint64_t inputs;        /* of the scenario's file and those of its graphs */
    const uint64_t *policy; /* per policy (LpCompareHead.policies); 0: cannot be loaded */
} LpShardHead;

/* Loads the scenario and each policy once, through spec->inputs (not NULL), and fills the head, its
 * list from the arena. Errors: those of loading, except of policies when spec->tolerant. */
LpErr lp_shard_identify(const LpBatchSpec *spec, uint32_t policies, LpArena *arena,
                        LpShardHead *out, LpDiag *diag) LP_MUST_USE;

/* Appends the part. A batch that was stopped has no end, which a merge says. */
LpErr lp_shard_write(const LpCompareHead *head, const LpShardHead *shard, const LpBatchSpec *spec,
                     const LpBatch *batch, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* The whole batch again. */
typedef struct LpMerged {
    LpCompareHead head;
    LpBatch batch;
    LpArena *arena; /* what they borrow */
} LpMerged;

/* A part as it was read. */
typedef struct LpPart {
    const char *name; /* of its file, for messages */
    char *text;       /* NUL-terminated; changed by lp_merge */
    size_t len;
} LpPart;

/* Reads a regular file of at most 4 GiB; name is borrowed. Errors: LP_EIO, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_part_read(const char *name, LpPart *out, LpDiag *diag) LP_MUST_USE;
void lp_part_fini(LpPart *part);

/* Every share of one batch exactly once, in any order. Errors: LP_EPARSE for a damaged part, at its
 * line; LP_EINVAL for parts of different batches (naming what differs), and for shares that are
 * missing or there twice; LP_ELIMIT; LP_ENOMEM. */
LpErr lp_merge(LpPart *part, uint32_t parts, LpMerged *out, LpDiag *diag) LP_MUST_USE;
void lp_merged_fini(LpMerged *merged); /* zeroed or filled */

#endif
