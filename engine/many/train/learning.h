/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves: what a training tells of each update, as lines of JSON, and the same read back
 * from files that may still be growing. */
#ifndef LP_MANY_TRAIN_LEARNING_H
#define LP_MANY_TRAIN_LEARNING_H

#include "base/str.h"
#include "many/train/train.h"

/* The numbers of a line, in its order. X(ID, "key", "what it is") */
#define LP_LEARN_TABLE(X)                                                                          \
    X(REWARD, "reward", "reward per decision")                                                     \
    X(BLOCKED, "blocked", "share of decisions that end blocked")                                   \
    X(ENTROPY, "entropy", "entropy: how open the choice is")                                       \
    X(KL, "kl", "kl: how far an update moved the policy")                                          \
    X(POLICY_LOSS, "policy_loss", "policy loss")                                                   \
    X(VALUE_LOSS, "value_loss", "value loss: the estimate's error")                                \
    X(EXPLAINED, "explained", "explained: share of what follows that the value estimate foresees") \
    X(GRADIENT, "gradient", "norm of the gradient")                                                \
    X(RATE, "rate", "step size")                                                                   \
    X(EVAL_REWARD, "eval_reward", "reward per decision, without exploring")                        \
    X(EVAL_BLOCKED, "eval_blocked", "share blocked, without exploring")

typedef enum LpLearnMetric {
#define X(id, key, title) LP_LEARN_##id,
    LP_LEARN_TABLE(X)
#undef X
        LP_LEARN_COUNT
} LpLearnMetric;

const char *lp_learn_key(LpLearnMetric metric);

/* One update. */
typedef struct LpLearnPoint {
    uint64_t update, steps, episodes; /* steps: decisions so far */
    double value[LP_LEARN_COUNT];     /* NAN: none, such as evaluations of an update without one */
    bool saved;                       /* its evaluation is the best so far */
} LpLearnPoint;

LpLearnPoint lp_learn_point(const LpTrainReport *report);
/* Appends its line, newline included. */
void lp_learn_line(const LpLearnPoint *point, LpBuf *out);
/* Reads a line (text[len] is 0). "update" and "steps" must be there; what else is missing is not
 * known; further keys are left aside. Errors: LP_EPARSE, LP_EINVAL at name:line:col; LP_ENOMEM. */
LpErr lp_learn_parse(const char *name, int line, const char *text, size_t len, LpLearnPoint *out,
                     LpDiag *diag) LP_MUST_USE;

enum { LP_LEARN_MOST = 1 << 18 }; /* updates of a curve */

/* Zero-initialise. Updates are in ascending order. */
typedef struct LpLearnCurve {
    LpLearnPoint *point;
    size_t cap;
    uint32_t count;
    uint32_t evaluated; /* how many of them were */
    uint32_t best;      /* index of the last that was saved + 1, 0: none */
} LpLearnCurve;

void lp_learn_fini(LpLearnCurve *curve);
/* An update that is not after the last one takes the place of it and what followed: training went
 * on from a checkpoint before them. Errors: LP_ENOMEM, LP_ELIMIT. Amortised O(1). */
LpErr lp_learn_add(LpLearnCurve *curve, const LpLearnPoint *point, LpDiag *diag) LP_MUST_USE;
/* The first update with at least `steps` decisions, NULL: none. O(log count). */
const LpLearnPoint *lp_learn_at(const LpLearnCurve *curve, double steps);
/* The last evaluated update with at most `steps` decisions, NULL: none. O(log count + updates
 * between evaluations). */
const LpLearnPoint *lp_learn_evaluated(const LpLearnCurve *curve, double steps);

/* ---- files ---- */

typedef struct LpLearnFile LpLearnFile;

/* What is known of a file. */
typedef struct LpLearnStatus {
    const char *path;
    const LpLearnCurve *curve;
    uint64_t lines, bad;   /* whole lines; those that are no update */
    const char *first_bad; /* what is wrong with the first of them, "line 3:1: ..."; "" */
    const char *trouble;   /* why it is not read on: gone, too large, unreadable; "" */
    bool cut;              /* the last line has no end yet */
    bool more;             /* there is more to be read now */
} LpLearnStatus;

/* Opens a regular file and reads nothing yet. Errors: LP_EIO where it is missing, unreadable or
 * not regular; LP_ELIMIT above `most` bytes (0: 64 MiB); LP_ENOMEM. */
LpErr lp_learn_open(const char *path, size_t most, LpLearnFile **out, LpDiag *diag) LP_MUST_USE;
void lp_learn_close(LpLearnFile *file); /* NULL allowed */
/* Reads on, about `budget` bytes at most; begins anew where the file was replaced or is shorter
 * than before. What is wrong with it is told by the status, and what was read stays. True when
 * it has changed. Never blocks for long: cheap where nothing was added. */
bool lp_learn_poll(LpLearnFile *file, size_t budget);
LpLearnStatus lp_learn_status(const LpLearnFile *file);

#endif
