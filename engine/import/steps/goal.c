/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/goal.h"

#include <string.h>

#include "import/steps/steps.h"
#include "io/files/lines.h"

/* ---- telling and reading ---- */

static bool is_binary(const LpHead *head) {
    return head->len > 0 && memchr(head->text, '\0', head->len < 64 ? head->len : 64) != NULL;
}

static bool is_goal(const LpHead *head) {
    static const char cookie[] = "\x7f\x10\0\0\0\0\0\0";
    if (is_binary(head))
        return head->len >= 8 && memcmp(head->text, cookie, 8) == 0;
    return lp_head_has(head, "num_ranks");
}

static void drop(void *own) {
    LpGoal *goal = own;
    lp_step_trace_free(goal->trace);
    lp_free(goal);
}

/* The form of a file, by its first bytes. */
static LpErr look(const char *file, bool *binary, LpDiag *diag) {
    LpLineFile *lines;
    LpHead head;
    LP_TRY(lp_lines_open(file, 0, &lines, diag));
    LpErr err = lp_lines_head(lines, &head.text, &head.len, diag);
    *binary = err == LP_OK && is_binary(&head);
    lp_lines_close(lines);
    return err;
}

static LpErr read_goal(LpReading *reading, LpDiag *diag) {
    const char *file = reading->file[0];
    uint64_t max = reading->options->max_input, kinds;
    bool binary = false;
    LpGoal *goal = lp_alloc(1, sizeof *goal);
    if (goal == NULL)
        return lp_fail_memory(diag, "a schedule");
    reading->own = goal;
    if (strcmp(file, "-") != 0) /* standard input can be read once: it is text */
        LP_TRY(look(file, &binary, diag));
    reading->called = binary ? "goal binary" : "goal text";
    LP_TRY(binary ? lp_goal_read_binary(file, max, goal, diag)
                  : lp_goal_read_text(file, max, goal, diag));
    return lp_step_trace_unmatched(goal->trace, &goal->unmatched, &kinds, &goal->wild, diag);
}

/* ---- the report ---- */

typedef struct Figures {
    uint64_t calc_ns, sends, receives, sent;
    uint32_t begun; /* dependencies on what only has to have begun */
} Figures;

static Figures figures_of(const LpTraceRank *rank) {
    Figures f = {0};
    for (uint32_t i = 0; i < rank->nodes; i++) {
        const LpTraceNode *node = &rank->node[i];
        f.sends += node->kind == LP_TRACE_SEND;
        f.receives += node->kind == LP_TRACE_RECEIVE;
        if (node->kind == LP_TRACE_OP)
            f.calc_ns = lp_trace_sum(f.calc_ns, node->amount);
        else if (node->kind == LP_TRACE_SEND)
            f.sent = lp_trace_sum(f.sent, node->amount);
    }
    for (uint32_t i = 0; i < rank->edges; i++)
        f.begun += (rank->edge[i] & LP_TRACE_BEGUN) != 0;
    return f;
}

static void put_rank(const LpGoal *goal, uint32_t r, LpJsonOut *json) {
    const LpTraceRank *rank = &goal->trace->rank[r];
    Figures f = figures_of(rank);
    lp_json_break(json);
    lp_json_open(json, NULL, '{');
    lp_json_put_count(json, "rank", r);
    lp_json_put_count(json, "ops", rank->nodes);
    lp_json_put_count(json, "calc_ns", f.calc_ns);
    lp_json_put_count(json, "sends", f.sends);
    lp_json_put_count(json, "receives", f.receives);
    lp_json_put_count(json, "sent", f.sent);
    lp_json_put_count(json, "requires", rank->edges - f.begun);
    lp_json_put_count(json, "irequires", f.begun);
    lp_json_put_count(json, "calc_path_ns", rank->longest_ns);
    lp_json_close(json, '}');
}

static void sum_up(const LpStepTrace *trace, uint64_t *ops, uint64_t *sent) {
    *ops = *sent = 0;
    for (uint32_t r = 0; r < trace->ranks; r++) {
        *ops += trace->rank[r].nodes;
        *sent = lp_trace_sum(*sent, figures_of(&trace->rank[r]).sent);
    }
}

/* Receives that take any may be the partners of some. */
static uint64_t unmatched_of(const LpGoal *goal) {
    return goal->unmatched > goal->wild ? goal->unmatched - goal->wild : 0;
}

static void report(const LpReading *reading, bool all, LpJsonOut *json) {
    const LpGoal *goal = reading->own;
    uint64_t ops, sent;
    sum_up(goal->trace, &ops, &sent);
    lp_json_put_count(json, "ranks", goal->trace->ranks);
    lp_json_put_count(json, "ops", ops);
    lp_json_put_count(json, "sent", sent);
    lp_json_put_count(json, "wildcard_receives", goal->wild);
    lp_json_put_count(json, "unmatched", unmatched_of(goal));
    if (!all)
        return;
    lp_json_lines(json, "rank", '[');
    for (uint32_t r = 0; r < goal->trace->ranks; r++)
        put_rank(goal, r, json);
    lp_json_close(json, ']');
}

const LpFormat lp_format_goal = {.name = "goal",
                                 .what = "a schedule of LogGOPSim and ATLAHS: text, or txt2bin's",
                                 .makes = LP_MAKES_STEP,
                                 .least = 1,
                                 .most = 1,
                                 .is = is_goal,
                                 .read = read_goal,
                                 .report = report,
                                 .drop = drop};
