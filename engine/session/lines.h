/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a session file as plain data, checked as far as a line can be by itself. Private to
 * session/. */
#ifndef LP_SESSION_LINES_H
#define LP_SESSION_LINES_H

#include "history/log.h"
#include "io/files/kept.h"
#include "io/json/json.h"
#include "session/session_impl.h"

typedef struct LpHeadLine {
    const char *version, *scenario;
    uint64_t seed, defaults; /* defaults: see LP_SESSION_DEFAULTS, 1 where it is not stated */
    double until, max_memory;
} LpHeadLine;

typedef struct LpBranchLine {
    uint64_t branch, parent, step, policy;
    bool has_parent, has_policy;
    const char *name;
} LpBranchLine;

typedef struct LpStepLine {
    uint64_t branch, step, events, acted, hash;
    double time;
    bool over, hand, has_hash;
    uint64_t *quiet; /* events after each quiet step before it */
    size_t quiets;
} LpStepLine;

/* What a line is: the text of its key "is". Errors: LP_EINVAL. */
LpErr lp_line_kind(LpJsonValue line, const char **out, LpDiag *diag) LP_MUST_USE;
/* Texts go into the arena. Errors: LP_EINVAL, LP_ERANGE, LP_ENOMEM; LP_EINVAL for another format.
 */
LpErr lp_line_head(LpJsonValue line, LpArena *arena, LpHeadLine *out, LpDiag *diag) LP_MUST_USE;
/* Writes into a scenario from before LP_SESSION_DEFAULTS what it left open and then meant; `name`
 * is what messages call it. The text is the arena's. Errors: LP_EPARSE, LP_EINVAL (a "partition"
 * that is no object), LP_ENOMEM; the text is then as it was. */
LpErr lp_older_scenario(const char *name, LpArena *arena, const char **text,
                        LpDiag *diag) LP_MUST_USE;
LpErr lp_line_file(LpJsonValue line, LpKept *kept, LpDiag *diag) LP_MUST_USE;
/* A policy of the file; all in the arena of `sealed`, which gets its files. `number`: the one that
 * it must have. */
typedef struct LpPolicyLine {
    const char *path;
    const char *const *param;
    uint32_t params;
} LpPolicyLine;
LpErr lp_line_policy(LpJsonValue line, size_t number, LpSealed *sealed, LpPolicyLine *out,
                     LpDiag *diag) LP_MUST_USE;
/* Of "branch", "rename", "delete", "decides" and "end", whichever keys it has. */
LpErr lp_line_branch(LpJsonValue line, LpArena *arena, LpBranchLine *out, LpDiag *diag) LP_MUST_USE;
/* Records are appended to `log`; quiet goes into the arena. */
LpErr lp_line_step(LpJsonValue line, LpArena *arena, LpLog *log, LpStepLine *out,
                   LpDiag *diag) LP_MUST_USE;
/* Can the record's numbers be what they stand for? `ops`: of the subject's graph. Errors:
 * LP_EINVAL. */
LpErr lp_line_check_record(const LpRecord *record, uint32_t ops, LpDiag *diag) LP_MUST_USE;

#endif
