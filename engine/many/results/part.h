/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch of runs in files: every run is a line with every bit of its results, so that a batch can
 * be stopped and gone on with (results.h), and made in shares by many processes, which together say
 * what one process would have said.
 *
 * A part is JSON lines, each with a hash of itself: a head (where it comes from, what is run, which
 * share), one line per run, and an end once all are there. */
#ifndef LP_MANY_RESULTS_PART_H
#define LP_MANY_RESULTS_PART_H

#include "host/inputs.h"
#include "host/provenance.h"
#include "many/study/compare.h"

/* "3/10": the third of ten shares. *shard counts from 0. Errors: LP_EINVAL. */
LpErr lp_shard_parse(const char *text, uint32_t *shard, uint32_t *shards, LpDiag *diag) LP_MUST_USE;

/* What must be the same in all parts besides what LpCompareHead and LpBatch say. */
typedef struct LpShardHead {
    uint64_t inputs;        /* of the scenario's file and those of its graphs */
    const uint64_t *policy; /* per policy (LpCompareHead.policies); 0: cannot be loaded */
    const char *provenance; /* as JSON */
} LpShardHead;

/* Loads the scenario and each policy once, and what each value of an axis names, through
 * spec->inputs (not NULL), and fills the head, its texts from the arena. words: those of the
 * command, as in LpProvenance. Errors: those of loading, except of policies when spec->tolerant. */
LpErr lp_shard_identify(const LpBatchSpec *spec, const LpCompareHead *head, const char *const *word,
                        uint32_t words, LpArena *arena, LpShardHead *out, LpDiag *diag) LP_MUST_USE;

/* What a part is of; borrowed. */
typedef struct LpPartSpec {
    const LpCompareHead *head;
    const LpShardHead *shard;
    const LpBatchSpec *spec; /* shards 0: all runs, as one share of one */
} LpPartSpec;

/* Gives all of the part to the sink, piece by piece. A batch that was stopped has no end, which a
 * merge says. Errors: those of the sink; LP_ENOMEM. */
LpErr lp_part_write(const LpPartSpec *part, const LpBatch *batch, LpSink sink, void *user,
                    LpDiag *diag) LP_MUST_USE;

/* A share as parts have it. */
typedef struct LpShare {
    bool there;       /* a part has it */
    uint32_t missing; /* runs of it that no part has */
} LpShare;

/* The whole batch again. */
typedef struct LpMerged {
    LpCompareHead head;
    LpBatch batch;  /* stopped: runs are missing */
    LpArena *arena; /* what they borrow */
    uint32_t shards;
    LpShare *share;   /* [shards] */
    uint32_t damaged; /* lines that are not what was written, and count for nothing */
    bool ended;       /* every part has its end, and nothing is damaged */
    const char *line; /* the head of the first part */
} LpMerged;

/* A part as it was read. */
typedef struct LpPart {
    const char *name; /* of its file, for messages */
    char *text;       /* NUL-terminated; changed by lp_merge */
    size_t len;
} LpPart;

/* Reads a regular file of at most 4 GiB, packed by gzip or zstd or not; name is borrowed. Errors:
 * LP_EIO, LP_ELIMIT, LP_ENOMEM. */
LpErr lp_part_read(const char *name, LpPart *out, LpDiag *diag) LP_MUST_USE;
void lp_part_fini(LpPart *part);

typedef enum LpMergeMode {
    LP_MERGE_WHOLE, /* every run of every share, nothing damaged */
    LP_MERGE_THERE  /* what is there; heads have to be whole, but a part may be empty */
} LpMergeMode;

/* Shares of one batch, each at most once, in any order. Errors: LP_EPARSE for a damaged part, at
 * its line; LP_EINVAL for parts of different batches (naming what differs), for shares that are
 * there twice, and, of a whole batch, for shares that are missing; LP_ELIMIT; LP_ENOMEM. */
LpErr lp_merge(LpPart *part, uint32_t parts, LpMergeMode mode, LpMerged *out,
               LpDiag *diag) LP_MUST_USE;
void lp_merged_fini(LpMerged *merged); /* zeroed or filled */
/* Gives what was joined to the sink as one part, which is the file of a study: without its end
 * where runs are missing. Errors: those of the sink; LP_ENOMEM. */
LpErr lp_merged_write(const LpMerged *merged, LpSink sink, void *user, LpDiag *diag) LP_MUST_USE;

#endif
