/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches: by name, side by side, the one that would have helped a blocked job, servers joined
 * anew. */
#ifndef LP_UI_APP_FORK_H
#define LP_UI_APP_FORK_H

#include "app/state/state.h"

/* ---- app/fork/branch.c: branches by name ---- */

LpErr lp_app_switch(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* old NULL: the current branch. */
LpErr lp_app_rename(LpApp *app, const char *old, const char *name, LpDiag *diag) LP_MUST_USE;
LpErr lp_app_delete(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* LP_EINVAL for an unknown one, with the nearest. */
LpErr lp_app_find_branch(const LpApp *app, const char *name, uint32_t *out,
                         LpDiag *diag) LP_MUST_USE;

/* ---- app/fork/versus.c: the branch beside the present one ---- */

/* name NULL: the branch that was left last, or the parent; "policy=FILE param=K=V": the same jobs
 * from the start under that policy, as a new branch. */
LpErr lp_app_compare(LpApp *app, const char *name, LpDiag *diag) LP_MUST_USE;
/* The likely one, or where one is compared with the next; without any asks for a policy. */
void lp_app_choose_beside(LpApp *app);
/* Goes to the next decision that the two take otherwise; both play on until there is one. */
void lp_app_next_parted(LpApp *app);

/* ---- app/fork/seeds.c: two policies on other jobs ---- */

enum { LP_UI_SEEDS = 5, LP_UI_SEEDS_MOST = 50 };
/* Runs the policies of the two branches that are compared from the start with `count` further seeds
 * (1 to LP_UI_SEEDS_MOST), and shows each run and the paired differences. Errors: LP_ESTATE where
 * none are compared, where one policy decides both, or stopped; the session's. Two runs a seed. */
LpErr lp_app_seeds(LpApp *app, uint32_t count, LpDiag *diag) LP_MUST_USE;

/* ---- app/fork/blame.c: who is to blame ---- */

/* Looks for it; job LP_NO_INDEX: the one in trouble most lately. */
LpErr lp_app_blame(LpApp *app, uint32_t job, LpDiag *diag) LP_MUST_USE;
/* Forks where the blamed decision was due, with the change that helps. */
void lp_app_take_blame(LpApp *app);

/* ---- app/fork/fork_regroup.c ---- */

/* Rejoins servers as the words say; without words, or a line, so that each job sits under one
 * aggregator. */
LpErr lp_app_regroup(LpApp *app, const LpUiLine *line, LpDiag *diag) LP_MUST_USE;

#endif
