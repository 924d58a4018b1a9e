/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The provenance of a result, read back, so that it can be made again. */
#ifndef LP_HOST_ORIGIN_H
#define LP_HOST_ORIGIN_H

#include "host/provenance.h"

/* Texts are the arena's. */
typedef struct LpOrigin {
    bool part;     /* a part or a file of results; otherwise one object of JSON */
    bool complete; /* it was not interrupted */
    const char *version, *build;
    uint32_t words;
    const char **word; /* of the command */
    uint32_t sources;
    LpSource *source;
    uint32_t shard, shards; /* of a part; shard from 1 */
} LpOrigin;

/* From the text of a result; `name` is what messages call it. Errors: LP_EINVAL where it does not
 * say where it comes from; LP_EPARSE; LP_ENOMEM. O(len). */
LpErr lp_origin_read(const char *name, const char *text, size_t len, LpArena *arena, LpOrigin *out,
                     LpDiag *diag) LP_MUST_USE;

/* Has the file these contents now? Errors: those of reading it. */
LpErr lp_origin_check(const LpSource *source, bool *same, LpDiag *diag) LP_MUST_USE;

#endif
