/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the jobs that wait, column by column. */
#include <stdio.h>

#include "base/num.h"
#include "sim/facts/identity.h"
#include "views/tree/tree_view_impl.h"

const char *lp_tree_asks_text(const LpModel *model, const LpTreeWaiter *waiter,
                              char out[LP_TREE_ASKS]) {
    const LpTree *tree = model->scenario->cluster.tree;
    char level[LP_TREE_NAME + 8];
    int len = waiter->servers > 0 ? snprintf(out, LP_TREE_ASKS, "%u", (unsigned)waiter->servers)
                                  : snprintf(out, LP_TREE_ASKS, "any");
    if (waiter->ask.segment > 0)
        len += snprintf(out + len, LP_TREE_ASKS - (size_t)len, " by %u",
                        (unsigned)waiter->ask.segment);
    if (waiter->ask.required > 0)
        snprintf(out + len, LP_TREE_ASKS - (size_t)len, " in one %s",
                 lp_str_show(level, sizeof level, tree->level_name[waiter->ask.required - 1]));
    return out;
}

static const LpModel *model_of(const LpTableRow *row) {
    return row->list;
}

static const LpTreeWaiter *waiter_of(const LpTableRow *row) {
    return row->item;
}

static const char *name(const LpTableRow *row) {
    lp_buf_add(row->room, lp_job_label(model_of(row)->scenario, waiter_of(row)->job).text);
    return lp_buf_text(row->room);
}

static const char *user(const LpTableRow *row) {
    const char *text = lp_job_identity(model_of(row)->scenario, waiter_of(row)->job)->user;
    return text != NULL ? text : "";
}

static const char *asks(const LpTableRow *row) {
    char text[LP_TREE_ASKS];
    lp_buf_add(row->room, lp_tree_asks_text(model_of(row), waiter_of(row), text));
    return lp_buf_text(row->room);
}

/* NULL: it was not asked for, since the row is not near those that are seen. */
static const LpTreeWhy *why_of(const LpTableRow *row) {
    return lp_tree_why_of(&lp_tree_facts(model_of(row))->whys, waiter_of(row)->job->id);
}

static const char *word(const LpTableRow *row) {
    const LpTreeWhy *why = why_of(row);
    return lp_tree_is_asked(model_of(row)) ? "?" : why != NULL ? why->word : "";
}

static const char *text(const LpTableRow *row) {
    const LpTreeWhy *why = why_of(row);
    return lp_tree_is_asked(model_of(row)) ? "?" : why != NULL ? why->text : "";
}

static double enough_in(const LpTableRow *row) {
    const LpTreeWhy *why = why_of(row);
    double now = lp_world_now(model_of(row)->world);
    return why != NULL && why->enough_at > now ? why->enough_at - now : (double)NAN;
}

static double across(const LpTableRow *row) {
    const LpTreeWhy *why = why_of(row);
    return why != NULL && why->across > 1 ? why->across : (double)NAN;
}

static double ratio(const LpTableRow *row) {
    const LpTreeWhy *why = why_of(row);
    return why != NULL && why->across > 1 ? why->ratio : (double)NAN;
}

/* ---- as text ---- */

static const char *print_span(const LpTableRow *row LP_UNUSED, LpTableValue value,
                              char out[LP_SHOW_TEXT]) {
    char span[LP_SPAN_TEXT];
    snprintf(out, LP_SHOW_TEXT, "%s", lp_span_print(value.number, span));
    return out;
}

static const char *print_clock(const LpTableRow *row, LpTableValue value, char out[LP_SHOW_TEXT]) {
    return lp_words_clock(model_of(row), value.number, out);
}

static const char *print_ratio(const LpTableRow *row LP_UNUSED, LpTableValue value,
                               char out[LP_SHOW_TEXT]) {
    snprintf(out, LP_SHOW_TEXT, "%.2f x", value.number);
    return out;
}

/* ---- the table ---- */

#define LP_TABLE_ITEM LpTreeWaiter
#define COLUMNS(X)                                                                                 \
    X(JOB, "job", "name", "", "its name, else its number", 15, lp_table_words,                     \
      lp_table_text(name(row)))                                                                    \
    X(ID, NULL, "job", "", "its number in order of arrival", 0, NULL, it->job->id)                 \
    X(USER, "user", "user", "", "who sent it", 9, lp_table_words, lp_table_text(user(row)))        \
    X(ASKS, "asks", "asks", "",                                                                    \
      "servers that it asks for, in which groups, and what one node has to hold them all", 15,     \
      lp_table_words, lp_table_text(asks(row)))                                                    \
    X(CAME, "came", "arrival_s", "s", "when it arrived", 0, print_clock, it->job->asked.arrival)   \
    X(WAITED, "waited", "waited_s", "s", "time in the queue so far", 0, print_span, it->waited)    \
    X(OVERTAKEN, "overtaken", "overtaken", "", "jobs that came later and have started", 0,         \
      lp_table_count, it->overtaken)                                                               \
    X(ENOUGH, "enough in", "enough_in_s", "s",                                                     \
      "time until there is room for it, if running jobs end as forecast and nobody starts", 0,     \
      print_span, enough_in(row))                                                                  \
    X(ACROSS, "across", "across", "", "nodes that it could lie in now, where it asks for one", 0,  \
      lp_table_count, across(row))                                                                 \
    X(THEN, "then", "step_ratio", "", "its step time there over that in one node", 0, print_ratio, \
      ratio(row))                                                                                  \
    X(WORD, "in a word", "word", "", "why it waits, as schedulers call it", 13, lp_table_words,    \
      word(row))                                                                                   \
    X(WHY, "why", "why", "", "what it lacks, and when there will be enough", LP_TABLE_REST,        \
      lp_table_words, lp_table_text(text(row)))

enum { COLUMNS(LP_TABLE_ID) COLUMN_COUNT };

COLUMNS(LP_TABLE_VALUE)

static const LpColumn columns[] = {COLUMNS(LP_TABLE_COLUMN)};

static int rows(const void *model) {
    return (int)lp_tree_facts(model)->waiters;
}

static const void *item(const void *model, int row) {
    return &lp_tree_facts(model)->waiter[row];
}

static LpStyle style_of(const LpTableRow *row, int column) {
    const LpTreeFacts *f = lp_tree_facts(model_of(row));
    bool focus = f->focus >= 0 && waiter_of(row) == &f->waiter[f->focus];
    return (LpStyle)((column == COLUMN_WORD ? LP_ROLE_WAIT : LP_ROLE_TEXT) | (focus ? LP_BOLD : 0));
}

const LpTable lp_tree_waiting = {.column = columns,
                                 .columns = COLUMN_COUNT,
                                 .hit = LP_PANE_TREE * LP_TABLE_COLUMNS,
                                 .rows = rows,
                                 .item = item,
                                 .style = style_of};

void lp_tree_waiting_form(int width, int at[LP_TABLE_COLUMNS]) {
    static const struct {
        int least;
        short at[COLUMN_COUNT];
    } forms[] = {
        {160,
         {[COLUMN_JOB] = 4,
          [COLUMN_USER] = 21,
          [COLUMN_ASKS] = 32,
          [COLUMN_CAME] = 60,
          [COLUMN_WAITED] = 72,
          [COLUMN_OVERTAKEN] = 83,
          [COLUMN_ENOUGH] = 96,
          [COLUMN_ACROSS] = 104,
          [COLUMN_THEN] = 112,
          [COLUMN_WORD] = 115,
          [COLUMN_WHY] = 131}},
        {96,
         {[COLUMN_JOB] = 4,
          [COLUMN_ASKS] = 20,
          [COLUMN_WAITED] = 47,
          [COLUMN_WORD] = 49,
          [COLUMN_WHY] = 63}},
        {0,
         {[COLUMN_JOB] = 4,
          [COLUMN_ASKS] = 20,
          [COLUMN_WAITED] = 46,
          [COLUMN_WORD] = 48,
          [COLUMN_WHY] = 62}},
    };
    size_t form = 0;
    while (width < forms[form].least)
        form++;
    for (int c = 0; c < LP_TABLE_COLUMNS; c++)
        at[c] = c < COLUMN_COUNT ? forms[form].at[c] : 0;
}
