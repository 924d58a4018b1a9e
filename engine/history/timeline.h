/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of futures: branches of recorded steps, with checkpoints of the world between them, so
 * that any moment can be made again without asking a policy. A branch holds only what differs from
 * its parent; what lies before its fork is its parent's. */
#ifndef LP_HISTORY_TIMELINE_H
#define LP_HISTORY_TIMELINE_H

#include "base/mem.h"
#include "history/replay.h"
#include "sim/facts/samples.h"

#define LP_TIMELINE_BUDGET ((size_t)256 * 1024 * 1024)
/* What samples of jobs may take, in all branches, or --max-memory where that is less: then the
 * older half of a branch's gives way. */
#define LP_TIMELINE_SAMPLES ((size_t)64 * 1024 * 1024)

/* Jobs by what has become of them, servers that jobs hold, and circuits lit: for curves over time.
 */
typedef struct LpMarkCounts {
    uint32_t arrived, completed, blocked, running, waiting, busy, lit;
} LpMarkCounts;

/* What is known of a moment. Counts of records and stories are of the branch's own, counts of
 * events are over the run. */
typedef struct LpMark {
    double time, acted_at;
    uint64_t events, decisions; /* tally of the world */
    size_t record, kept, story; /* records, shown events, stories so far */
    uint32_t due, acted;        /* acted: actions at the instant acted_at */
    bool over;
    bool hand; /* somebody else than the branch's policy did this step */
    LpMarkCounts counts;
    uint64_t hash;    /* of the world, 0: not known */
    size_t sample;    /* samples so far, over the run */
    double most_sent; /* the highest throughput of any of them, bytes/s */
} LpMark;

/* What is known of one decision about a job. */
typedef struct LpStory {
    const char *why, *where, *reason;
    const char *explain; /* JSON, NULL: none */
} LpStory;

typedef struct LpStoryEntry {
    LpStory story;
    uint64_t step; /* that decided */
    uint32_t job;
    uint32_t before; /* 1 + index of the job's story before in this branch, 0: none */
} LpStoryEntry;

typedef struct LpWorldCheck {
    uint64_t step;
    LpWorld *world;
} LpWorldCheck;

typedef struct LpBranch {
    char *name, *what; /* owned */
    uint32_t parent;   /* LP_NO_INDEX: trunk */
    uint32_t policy;   /* for the owner of the time line */
    uint64_t forked_at;
    bool deleted;
    LpLog *log;
    LpArena *texts;
    LpMark *mark; /* [0]: the fork, [i]: after step forked_at + i */
    size_t marks, marks_cap;
    LpEvent *event;
    size_t events, events_cap;
    LpStoryEntry *story;
    size_t stories, stories_cap;
    uint32_t *last; /* per job: 1 + index of its last story here, 0: none */
    size_t lasts, lasts_cap;
    LpSample *sample; /* `before`: 1 + number of the job's sample before in this branch, 0: none */
    size_t samples, samples_cap;
    size_t first_sample; /* number of sample[0] */
    uint32_t *head;      /* per job: 1 + number of its last sample here, 0: none */
    size_t heads, heads_cap;
    double most_sent;
    LpStamp sampled; /* of the world that was looked at last */
    LpWorldCheck *check;
    size_t checks, checks_cap;
    LpWorld *tip; /* NULL while the owner's current world is the tip */
} LpBranch;

typedef struct LpTimeline {
    const LpContext *context; /* borrowed */
    LpBranch **branch;
    size_t branches, branches_cap;
    uint32_t current;
    uint64_t step; /* of the owner's world */
    LpAnswerRoom *room;
    LpWorld *spare; /* to be recycled */
    size_t budget, check_bytes, checks;
    size_t sample_bytes; /* room for samples, of all branches */
    double stretch;      /* of the space between checkpoints; grows when the budget is short */
    bool hand;           /* the step under way is not the policy's; for its mark */
    bool hashing;        /* marks of steps with records get a hash now and then */
    uint64_t hashed_at;
} LpTimeline;

LpMarkCounts lp_mark_counts(const LpWorld *world);

/* A time line with the trunk "main" at step 0, which is `first`'s world (copied). */
LpErr lp_timeline_new(const LpContext *context, const LpWorld *first, LpTimeline **out,
                      LpDiag *diag) LP_MUST_USE;
void lp_timeline_free(LpTimeline *timeline); /* NULL allowed */

LpBranch *lp_timeline_branch(const LpTimeline *timeline, uint32_t branch);
uint64_t lp_timeline_tip(const LpTimeline *timeline, uint32_t branch);
bool lp_timeline_at_tip(const LpTimeline *timeline);
/* The mark of a moment, and the branch (and index) whose own step `step` is, 0 < step <= tip.
 * O(forks on the way). */
const LpMark *lp_timeline_mark(const LpTimeline *timeline, uint32_t branch, uint64_t step);
LpBranch *lp_timeline_owner(const LpTimeline *timeline, uint32_t branch, uint64_t step,
                            size_t *index);
/* Lowest step up to the tip whose mark has more than `value` events or decisions, or a time after
 * it; tip + 1 when none. O(log steps). */
typedef enum LpMarkField { LP_MARK_TIME, LP_MARK_EVENTS, LP_MARK_DECISIONS } LpMarkField;
uint64_t lp_timeline_above(const LpTimeline *timeline, uint32_t branch, LpMarkField field,
                           double value);

/* ---- recording, on the current branch at its tip ---- */

/* Ends a step: the world is now so. Nothing is recorded when nothing changed. Errors: LP_ENOMEM. */
LpErr lp_timeline_commit(LpTimeline *timeline, const LpWorld *world, double acted_at,
                         uint32_t acted, LpDiag *diag) LP_MUST_USE;
/* After an event: what jobs do now that have changed. Errors: LP_ENOMEM. O(changes). */
LpErr lp_timeline_sample(LpTimeline *timeline, const LpWorld *world, LpDiag *diag) LP_MUST_USE;
LpErr lp_timeline_event(LpTimeline *timeline, const LpEvent *event, LpDiag *diag) LP_MUST_USE;
/* Texts must live in the branch's arena. */
LpErr lp_timeline_story(LpTimeline *timeline, uint32_t job, const LpStory *story,
                        LpDiag *diag) LP_MUST_USE;

/* Forgets what came after a step of the branch itself, half a step included; no branch may have
 * been forked from there. The owner's world is not looked at. */
void lp_timeline_cut(LpTimeline *timeline, uint32_t branch, uint64_t step);

/* Forgets the branch's samples that came after one of its marks; part of a cut. */
void lp_timeline_cut_samples(LpBranch *branch, const LpMark *mark);

/* ---- reading ---- */

/* What a job did up to a moment: writes the last `room` of its samples, the latest first, and
 * returns how many it wrote. A sample holds until the next one. O(room + the job's samples after
 * it). */
size_t lp_timeline_samples(const LpTimeline *timeline, uint32_t branch, uint64_t step, uint32_t job,
                           LpSample *out, size_t room);

/* The last story about a job up to a moment, NULL when none. O(its decisions after it). */
const LpStoryEntry *lp_timeline_told(const LpTimeline *timeline, uint32_t branch, uint64_t step,
                                     uint32_t job);
/* The first one. O(its decisions). */
const LpStoryEntry *lp_timeline_told_first(const LpTimeline *timeline, uint32_t branch,
                                           uint32_t job);
const LpEvent *lp_timeline_event_at(const LpTimeline *timeline, uint32_t branch, size_t index);

/* A fresh copy of the world at a moment. Errors: LP_ENOMEM; LP_EREFUSED when the record does not
 * lead there (which would be a bug). */
LpErr lp_timeline_world(LpTimeline *timeline, uint32_t branch, uint64_t step, LpWorld **out,
                        LpDiag *diag) LP_MUST_USE;
/* Brings a world that is at `from` of this branch to `to` >= from. */
LpErr lp_timeline_play(LpTimeline *timeline, LpWorld *world, uint32_t branch, uint64_t from,
                       uint64_t to, LpDiag *diag) LP_MUST_USE;
/* Keeps a world that nobody needs any more, to copy into. NULL allowed. */
void lp_timeline_recycle(LpTimeline *timeline, LpWorld *world);

/* ---- branches ---- */

/* A branch from (parent, step), without steps of its own; name and what are copied. */
LpErr lp_timeline_fork(LpTimeline *timeline, uint32_t parent, uint64_t step, const char *name,
                       const char *what, uint32_t *out, LpDiag *diag) LP_MUST_USE;
/* Says in other words what the branch changed; copied. LP_ENOMEM. */
LpErr lp_timeline_describe(LpTimeline *timeline, uint32_t branch, const char *what,
                           LpDiag *diag) LP_MUST_USE;
/* Takes back the last fork. */
void lp_timeline_unfork(LpTimeline *timeline);
/* Frees what a branch holds but its names; it must have no children. */
void lp_timeline_delete(LpTimeline *timeline, uint32_t branch);
/* Drops checkpoints until they fit; the first one of all stays. */
void lp_timeline_thin(LpTimeline *timeline);

#endif
