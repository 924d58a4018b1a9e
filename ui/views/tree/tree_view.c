/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going through the jobs that wait, the nodes and the levels of the tree. */
#include "views/tree/tree_view.h"

#include "views/tree/tree_view_impl.h"
#include "widgets/widgets_list.h"

static uint32_t marked_job(const LpModel *model) {
    const LpTreeFacts *f = lp_tree_facts(model);
    return f->focus >= 0 ? f->waiter[f->focus].job->id : LP_NO_INDEX;
}

static void mark(LpHost *host, int row) {
    LpTreeFacts *f = lp_tree_facts(host->model);
    if (row >= 0 && row < (int)f->waiters)
        lp_tree_state(host->model)->job = f->waiter[row].job->id;
}

static void key_move(LpHost *host, int by) {
    const LpTreeFacts *f = lp_tree_facts(host->model);
    if (f->waiters == 0)
        lp_host_say(host, false, "nobody waits");
    else
        mark(host, lp_list_moved(f->focus, by, (int)f->waiters));
}

static void key_along(LpHost *host, int columns) {
    const LpTreeFacts *f = lp_tree_facts(host->model);
    LpTreeState *state = lp_tree_state(host->model);
    int page = 8, last = f->nodes > 0 ? (int)f->nodes - 1 : 0;
    int64_t first = (int64_t)state->first + (int64_t)columns * page;
    state->first = first < 0 ? 0 : first > last ? (uint32_t)last : (uint32_t)first;
}

static void key_zoom(LpHost *host, bool in) {
    const LpTreeFacts *f = lp_tree_facts(host->model);
    LpTreeState *state = lp_tree_state(host->model);
    if (f->tree == NULL)
        return;
    if (in && f->level == 0)
        lp_host_say(host, false, "these are the nodes closest to the servers");
    else if (!in && f->level == f->tree->levels)
        lp_host_say(host, false, "this is the whole cluster");
    else
        state->level = in ? f->level - 1 : f->level + 1;
    state->first = 0;
}

static void key_shade(LpHost *host) {
    LpTreeState *state = lp_tree_state(host->model);
    state->shade = (LpTreeShade)((state->shade + 1) % LP_TREE_SHADE_COUNT);
}

/* Those who wait; turned: the nodes. */
static void key_sort(LpHost *host, bool turn) {
    LpTreeState *state = lp_tree_state(host->model);
    if (turn) {
        state->freest = !state->freest;
        state->first = 0;
    } else {
        state->order = (LpTreeOrder)((state->order + 1) % LP_TREE_ORDER_COUNT);
    }
}

static void key_story(LpHost *host) {
    LpDiag diag = {0};
    uint32_t job = marked_job(host->model);
    if (job == LP_NO_INDEX || lp_host_story(host, job, &diag) != LP_OK)
        lp_host_say(host, job != LP_NO_INDEX, "%s",
                    job == LP_NO_INDEX ? "nobody waits" : diag.text);
}

static void key_blame(LpHost *host) {
    LpDiag diag = {0};
    uint32_t job = marked_job(host->model);
    if (job == LP_NO_INDEX || host->app->blame(host, job, &diag) != LP_OK)
        lp_host_say(host, false, "%s", job == LP_NO_INDEX ? "nobody waits" : diag.text);
}

static void open_job(LpHost *host, uint32_t job) {
    if (job != LP_NO_INDEX)
        lp_tree_state(host->model)->job = job;
    host->app->show(host, LP_PANE_TREE);
}

static void click_row(LpHost *host, uint32_t row, bool again) {
    mark(host, (int)row);
    if (again)
        key_story(host);
}

static LpErr update(LpModel *model, LpSession *session LP_UNUSED, LpDiag *diag) {
    LP_TRY(lp_tree_facts_update(lp_tree_facts(model), model, lp_tree_state(model), diag));
    return lp_tree_say_worst(model, diag);
}

static void begin(void *state) {
    ((LpTreeState *)state)->job = LP_NO_INDEX;
}

static void drop(void *facts) {
    lp_tree_facts_fini(facts);
}

/* ---- as lines ---- */

static int count_lines(const LpModel *model) {
    return (int)lp_tree_facts(model)->waiters;
}

static int line_at(const LpModel *model) {
    return lp_tree_facts(model)->focus;
}

/* Its number, and the columns that are words. */
static void print_line(const LpModel *model, int line, LpBuf *out) {
    LpBuf room = {0};
    LpTableRow row = {
        .list = model, .item = &lp_tree_facts(model)->waiter[line], .index = line, .room = &room};
    lp_buf_addf(out, "%u", (unsigned)lp_tree_facts(model)->waiter[line].job->id);
    for (int c = 0; c < lp_tree_waiting.columns; c++) {
        const char *words = lp_table_value(&lp_tree_waiting, &row, c).text;
        if (words != NULL)
            lp_buf_addf(out, " %s", words);
    }
    lp_buf_fini(&room);
}

static const LpViewLines lines = {count_lines, line_at, print_line, mark};

static const LpViewKey keys[] = {
    {"Up Down", "mark a job that waits: gangs, shades and reasons are for it"},
    {"Enter x", "its story: why it waits, where its time went"},
    {"Z z", "up a level of the tree, down again"},
    {"Left Right", "where the nodes do not fit: those before, those after"},
    {"v", "shades: where its gang does not fit, what is not free, until when"},
    {"s", "sort those who wait: longest, widest, most overtaken, name, user"},
    {"S", "the nodes with most that is free first, or in their order"},
    {"b", "who is to blame for it"},
    {"/", "search; then {next-decision} {match-back} next and previous match, {out} ends"},
    {NULL, NULL},
};

const LpView lp_tree_view = {
    .state = sizeof(LpTreeState),
    .facts = sizeof(LpTreeFacts),
    .begin = begin,
    .drop = drop,
    .update = update,
    .draw = lp_view_tree,
    .move = key_move,
    .along = key_along,
    .zoom = key_zoom,
    .variant = key_shade,
    .take = key_story,
    .takes = "why",
    .looks = "other shades",
    .explain = key_story,
    .blame = key_blame,
    .sort = key_sort,
    .job = marked_job,
    .open = open_job,
    .row = click_row,
    .lines = &lines,
    .table = &lp_tree_waiting,
    .keys = keys,
};
