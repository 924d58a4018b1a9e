/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What if: every way to decide the job that is due, side by side - what each would cost now, and
 * where each leads in the end. Nothing of it changes the session. */
#ifndef LP_ASK_WHATIF_WHATIF_H
#define LP_ASK_WHATIF_WHATIF_H

#include "ask/draft/choices.h"
#include "ask/inspect/figures.h"
#include "base/fact.h"
#include "base/str.h"
#include "sim/facts/metrics.h"

/* One alternative. */
typedef struct LpWhatIf {
    LpAnswerKind kind;
    /* A row of a stage, else NULL: what is chosen, what that means (of places: which servers),
     * and the whole of it as words of a fork. */
    const char *label, *note, *words;
    uint32_t degree;        /* RUN; of a plan: its servers */
    LpPlanFigures plan;     /* RUN */
    uint32_t servers;       /* RUN and feasible: number of servers on which it would run */
    const uint32_t *server; /* these, in block order; the table's memory or the session's store */
    LpForecast forecast;    /* RUN; its cause also says why not */
    bool placed;            /* the servers are part of the answer, not the engine's choice */
    bool allowed;           /* the mask allows the degree */
    bool accepted;          /* would start: feasible, allowed, in time */
    bool chosen;            /* what the policy answers */
    double of_limit;        /* lp_job_of_limit; NAN where the job does not fit */
    uint32_t free_after;    /* servers */
    bool ended;             /* lp_whatif_to_end ran it; then: */
    LpSummary end;
    uint64_t hash; /* of the final world */
} LpWhatIf;

typedef struct LpWhatIfs {
    LpStage stage;     /* whose rows they are; the first: every way to decide */
    uint32_t job;      /* whose decision is due */
    uint64_t decision; /* its number, from 0 */
    double time;       /* s */
    LpWhatIf *row;
    uint32_t count;
    LpArena *arena;
} LpWhatIfs;

/* All legal degrees, or all plans that the job's graph lists, each on the first free block of every
 * shape it can lie in (the engine's own choice first), and waiting and declining; a degree that
 * cannot be placed has one row with its cause. The policy's own answer is marked, with a row of its
 * own where no other matches. Errors: LP_ESTATE when no decision is due; LP_ENOMEM. Cost: one
 * forecast a row, a step simulation for those not met before. */
LpErr lp_whatif_table(LpSession *session, LpWhatIfs *out, LpDiag *diag) LP_MUST_USE;
/* The rows of a later stage of the decision (lp_choices_list), with the other stages as the draft
 * has them; what the draft has of this stage is a row `by hand` where no other is the same. Where
 * nothing can be chosen count is 0. Errors: those of the list. Cost: that of the list. */
LpErr lp_whatif_stage(LpSession *session, const LpDraft *draft, LpStage stage, LpWhatIfs *out,
                      LpDiag *diag) LP_MUST_USE;
/* Runs the `best` alternatives (0: all) to the horizon and fills `end`: of the accepted ones those
 * done earliest, then waiting, then declining; the policy's choice always; what has ended counts.
 * The rest of the run is decided by the policy on the same arrivals. threads: rows that run at
 * a time (0: one per processor), with the same results for any number; not waiting for them:
 * ask/whatif/work.h. progress (NULL allowed; on the calling thread) false stops early; rows not run
 * keep ended false. Errors: LP_ENOMEM, LP_EIO when no thread can be made, those of the first row in
 * order that fails. */
LpErr lp_whatif_to_end(LpSession *session, LpWhatIfs *table, uint32_t best, unsigned threads,
                       LpProgress progress, void *user, LpDiag *diag) LP_MUST_USE;
/* The answer that a row without words stands for; points into the table. */
LpAnswer lp_whatif_answer(const LpWhatIf *row);
void lp_whatif_fini(LpWhatIfs *table); /* zeroed or filled */

/* Of an LpWhatIf, what is answered and what comes of it (between them its plan, figures.h); around
 * it is room for a text of LP_SHAPE_TEXT. */
extern const LpFacts lp_way_facts, lp_way_outcome_facts;

/* {"lightpath":1,...,"rows":[...],"networks":[...]}, null where a key says nothing; and a table for
 * people. networks: network_text.h. */
LpErr lp_whatif_json(LpSession *session, const LpWhatIfs *table, LpBuf *out,
                     LpDiag *diag) LP_MUST_USE;
LpErr lp_whatif_text(LpSession *session, const LpWhatIfs *table, LpBuf *out,
                     LpDiag *diag) LP_MUST_USE;

/* What is told of an LpStageRow. */
extern const LpFacts lp_choice_facts;
/* Rows of a stage: {"lightpath":1,...,"rows":[...]}; and a table for people. draft: its words.
 * ends: of the same rows, in their order, where each leads; NULL: not asked for. */
LpErr lp_choices_json(LpSession *session, LpStage stage, const char *draft,
                      const LpStageRows *choices, const LpWhatIfs *ends, LpBuf *out,
                      LpDiag *diag) LP_MUST_USE;
LpErr lp_choices_text(LpSession *session, LpStage stage, const LpStageRows *choices,
                      const LpWhatIfs *ends, LpBuf *out, LpDiag *diag) LP_MUST_USE;

#endif
