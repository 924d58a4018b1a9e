/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of columns of the ways to decide, and where they stand. Private to the view. */
#ifndef LP_UI_VIEWS_DECISION_COLUMNS_H
#define LP_UI_VIEWS_DECISION_COLUMNS_H

#include "views/decision/decision_view_impl.h"

#define COLUMNS(X)                                                                                 \
    X(JOB, NULL, "job", "", "that is decided", 0, NULL,                                            \
      ((const LpModel *)row->list)->decision.job)                                                  \
    X(WAYS, "ways", "degree", "", "partition degree", 0, print_ways, it->degree)                   \
    X(NETWORK, "network", NULL, "%", "how probable the policy's network finds it", 0, NULL, "")    \
    LP_FORECAST_COLUMNS(X, NULL)                                                                   \
    X(BAR, "of limit", NULL, "%", "JCT as a share of its limit", 8, NULL, "")                      \
    X(LIMIT, NULL, "of_limit", "", "likewise", 0, NULL, it->of_limit)                              \
    X(DATA, "data", NULL, "%", "share of the steps in which data is under way", 0, NULL,           \
      communication(row))                                                                          \
    X(SERVERS, "servers", NULL, "", "that it needs, of those that are free", 0, print_servers,     \
      it->needs)                                                                                   \
    X(BLOCK, "block", NULL, "",                                                                    \
      "its servers: groups x racks x servers; of a plan tensor x pipeline x data ways", 8, NULL,   \
      "")                                                                                          \
    X(PLAN, "plan", "plan", "", "ways of a plan: t tensor, p pipeline, d data, e experts", 8,      \
      NULL, plan_text(row))                                                                        \
    X(MEMORY, "memory", "memory", "",                                                              \
      "bytes that a plan's fullest server holds, of the largest server there is", 0, NULL,         \
      plan_number(it, it->plan.memory))                                                            \
    X(BUBBLE, "bubble", "bubble", "%", "share of the stages' time in which they wait", 0, NULL,    \
      plan_number(it, it->plan.bubble))                                                            \
    X(EXPOSED, "exposed", "exposed", "%",                                                          \
      "share of the step in which data move and nobody computes", 0, NULL,                         \
      plan_number(it, it->plan.exposed))                                                           \
    X(TURNS, "turns", "exposed_turns", "", "exposed turns of light, of all in a step", 0,          \
      print_turns, it->plan.turns ? it->plan.exposed_turns : (double)NAN)                          \
    X(VERDICT, "verdict", NULL, "", "in time, or late, or why it cannot be placed", LP_TABLE_REST, \
      NULL, "")                                                                                    \
    X(THEN, "whole run then", NULL, "", "how the run ends if decided so, once w ran it",           \
      LP_TABLE_REST, NULL, "")                                                                     \
    LP_VERDICT_COLUMNS(X)

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

enum { LP_DECISION_BLOCK = 12 }; /* columns of a block's shape */

typedef struct LpDecisionForm {
    int at[COLUMN_COUNT], bar_width, net_bar, net_width;
    bool past;         /* one row of what was decided */
    bool brief, tight; /* verdicts in a word or two; no blanks that can be missed */
    int sentence;      /* column before which they end */
    bool plans;        /* rows are plans */
    bool whole, bytes; /* of plans: all that differs from the usual; memory in bytes */
} LpDecisionForm;

/* The richest table that has room for its verdicts. ended: some rows ran to the end. */
LpDecisionForm lp_decision_form(const LpModel *model, int width, bool ended);
LpStyle lp_decision_cell_style(const LpTableRow *row, int column);

#endif
