/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blame: which one decision, taken otherwise, would have let a blocked job in, a waiting one start,
 * a late one be in time? Single changes to the decisions of the jobs that were in its way are
 * replayed, the latest decision first, and the first that helps at no other job's cost is told. */
#ifndef LP_ASK_BLAME_BLAME_H
#define LP_ASK_BLAME_BLAME_H

#include "base/fact.h"
#include "session/time.h"

enum { LP_BLAME_REPLAYS = 64 }; /* at most, for one blocked job */
/* An order, or circuits, that shorten a step by a smaller share are not tried. */
#define LP_BLAME_SHORTER 0.01

typedef enum LpBlameKind {
    LP_BLAME_NOTHING, /* no single change helps */
    LP_BLAME_DEGREE,  /* another partition degree */
    LP_BLAME_BLOCK,   /* the same degree on another block of servers */
    LP_BLAME_WAIT,    /* had it waited */
    /* the same servers, and another */
    LP_BLAME_ORDER_OPS,
    LP_BLAME_CIRCUITS,
    LP_BLAME_ORDER_FLOWS,
    LP_BLAME_KINDS
} LpBlameKind;

/* What is wrong with a job. */
typedef enum LpTrouble { LP_TROUBLE_BLOCKED, LP_TROUBLE_WAITING, LP_TROUBLE_LATE } LpTrouble;

/* One job in trouble. Times in s. */
typedef struct LpBlame {
    uint32_t job;
    LpTrouble trouble;
    LpCause cause;
    double time; /* of the block, of the late end, or now */
    LpBlameKind kind;
    uint32_t by;         /* the job whose decision is to blame, LP_NO_INDEX for nothing */
    double decided;      /* when it was decided */
    uint64_t decision;   /* number of that decision in the run, from 0 */
    uint32_t was, would; /* its degree as decided, and as it would have helped */
    uint32_t servers;    /* BLOCK: where it would have run */
    const uint32_t *server;
    bool by_hand; /* somebody else than the policy decided so */
    /* ORDER_OPS, CIRCUITS, ORDER_FLOWS: how it was, how it would have helped ("srpt",
     * "critical_path"), and that whole decision as words of a fork; else NULL */
    const char *was_so, *would_so, *words;
    double own_delay;     /* so much later would that job itself have ended; NAN: not started */
    uint32_t worse;       /* other jobs that would have ended later, waited, or been blocked */
    uint32_t first_worse; /* the first of them, LP_NO_INDEX */
    uint32_t in_the_way;  /* jobs that ran when it was blocked */
    uint32_t replays;     /* futures tried; of each kind: */
    uint32_t tried[LP_BLAME_KINDS];
    const char *text; /* the sentence for people */
} LpBlame;

/* Runs the session to its end as lp_session_run does and keeps, for every blocked job, who is to
 * blame (lp_session_blames). A replay goes on with the policy until the blocked job's fate is
 * known; of the changes that help, one that makes no other job worse wins, then the one that makes
 * the fewest worse, the first tried on a tie. Tried for a job, latest decision first: the other
 * degrees it could have had, nearest first; up to four other blocks; the rows of its stages order
 * ops, circuits and order flows (ask/draft/choices.h) that make its step shorter by
 * LP_BLAME_SHORTER or more; at last, where there is a queue, waiting, for that is all at its own
 * cost. Errors: the session's. Up to LP_BLAME_REPLAYS short runs for every blocked job; keeps a
 * copy of the world for every running job. */
LpErr lp_blame_run(LpSession *session, LpProgress progress, void *user, bool *stopped,
                   LpDiag *diag) LP_MUST_USE;

/* Finds who is to blame for one job's trouble up to the present moment of a time line: blocked,
 * waiting (the change would have started it by now) or later than its deadline, done or forecast
 * (it would have been in time). out->text lives as long as the session. Errors: LP_ESTATE without a
 * time line and for a job that has no trouble; LP_ERANGE for one that has not arrived; the
 * session's. */
LpErr lp_blame_job(LpSession *session, uint32_t job, LpBlame *out, LpDiag *diag) LP_MUST_USE;

/* What lp_blame_run found so far, in order of the blocks; NULL and *count 0 without it. */
const LpBlame *lp_session_blames(const LpSession *session, size_t *count);

extern const LpFacts lp_blame_facts; /* of an LpBlame */
/* Appends one blame as a JSON object; its times are those of the scenario (lp_scenario_time). */
void lp_blame_json(const LpScenario *scenario, const LpBlame *blame, LpJsonOut *out);

#endif
