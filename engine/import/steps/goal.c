/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/goal.h"

#include <string.h>

#include "base/num.h"
#include "import/steps/steps.h"
#include "import/trace/run_report.h"
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
    lp_trace_run_free(&goal->run);
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

/* A step on the network of the options. */
static LpErr run_alone(const LpImportOptions *options, LpGoal *goal, LpDiag *diag) {
    LpTraceRunSpec spec = {.bandwidth = options->server_bandwidth,
                           .latency_ns = lp_num_round(options->latency * 1e9, 6),
                           .rules = LP_GOAL_RULES};
    goal->ran = spec.bandwidth > 0;
    return goal->ran ? lp_trace_run(goal->trace, &spec, &goal->run, diag) : LP_OK;
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
    LP_TRY(run_alone(reading->options, goal, diag));
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
    if (goal->ran)
        lp_trace_run_put(&goal->run, all, json);
    if (!all)
        return;
    lp_json_lines(json, "rank", '[');
    for (uint32_t r = 0; r < goal->trace->ranks; r++)
        put_rank(goal, r, json);
    lp_json_close(json, ']');
}

/* The pair of ranks with the most bytes from one to the other: of each rank, the peer to whom it
 * sends most. `bytes` has room for all ranks. */
static uint64_t busiest(const LpStepTrace *trace, uint64_t *bytes, uint32_t *from, uint32_t *to) {
    uint64_t most = 0;
    for (uint32_t r = 0; r < trace->ranks; r++) {
        const LpTraceRank *rank = &trace->rank[r];
        for (uint32_t i = 0; i < rank->nodes; i++)
            if (rank->node[i].kind == LP_TRACE_SEND)
                bytes[rank->node[i].peer] = 0;
        for (uint32_t i = 0; i < rank->nodes; i++) {
            const LpTraceNode *node = &rank->node[i];
            if (node->kind != LP_TRACE_SEND)
                continue;
            bytes[node->peer] = lp_trace_sum(bytes[node->peer], node->amount);
            if (bytes[node->peer] > most) {
                most = bytes[node->peer];
                *from = r;
                *to = node->peer;
            }
        }
    }
    return most;
}

static void add_pair(const LpStepTrace *trace, LpBuf *out) {
    uint64_t *bytes = lp_alloc(trace->ranks, sizeof *bytes);
    uint32_t from = 0, to = 0;
    char amount[32];
    uint64_t most = bytes != NULL ? busiest(trace, bytes, &from, &to) : 0;
    lp_free(bytes);
    if (most > 0)
        lp_buf_addf(out, "  busiest pair      rank %u to rank %u: %s\n", from, to,
                    lp_quantity_print((double)most, LP_DIM_BYTES, amount, sizeof amount));
}

static void add_streams(const LpStepTrace *trace, LpBuf *out) {
    int streams = 0, ports = 0;
    for (uint32_t r = 0; r < trace->ranks; r++)
        for (uint32_t i = 0; i < trace->rank[r].nodes; i++) {
            const LpTraceNode *node = &trace->rank[r].node[i];
            streams = node->stream > streams ? node->stream : streams;
            ports = node->port > ports ? node->port : ports;
        }
    lp_buf_addf(out, "  streams           up to cpu %d and nic %d of a rank\n", streams, ports);
}

static void text(const LpReading *reading, LpBuf *out) {
    const LpGoal *goal = reading->own;
    const LpStepTrace *trace = goal->trace;
    uint32_t slowest = lp_step_trace_slowest(trace);
    uint64_t ops, sent;
    char number[32];
    sum_up(trace, &ops, &sent);
    lp_buf_addf(out, "  ranks             %u\n  ops               %llu\n", trace->ranks,
                (unsigned long long)ops);
    lp_buf_addf(out, "  sent              %s",
                lp_quantity_print((double)sent, LP_DIM_BYTES, number, sizeof number));
    lp_buf_addf(out, "; %llu flow%s without a partner, %llu receive%s that take any\n",
                (unsigned long long)unmatched_of(goal), lp_str_s(unmatched_of(goal)),
                (unsigned long long)goal->wild, lp_str_s(goal->wild));
    add_pair(trace, out);
    lp_buf_addf(out, "  longest calc path %s on rank %u\n",
                lp_quantity_print((double)trace->rank[slowest].longest_ns * 1e-9, LP_DIM_TIME,
                                  number, sizeof number),
                slowest);
    add_streams(trace, out);
    if (goal->ran)
        lp_trace_run_text(&goal->run, out);
    lp_buf_add(out, "  assumed           parameters of LogGOPS are not used: the network is "
                    "lightpath's\n"
                    "                    several jobs are several jobs of a scenario: files that "
                    "merge them are not read\n");
}

static LpErr step(const LpReading *reading, bool take, LpStepTrace **out, LpTraceRules *rules,
                  LpDiag *diag) {
    LpGoal *goal = reading->own;
    (void)diag;
    *out = goal->trace;
    *rules = LP_GOAL_RULES;
    if (take)
        goal->trace = NULL;
    return LP_OK;
}

const LpFormat lp_format_goal = {.name = "goal",
                                 .what = "a schedule of LogGOPSim and ATLAHS: text, or txt2bin's",
                                 .makes = LP_MAKES_STEP,
                                 .least = 1,
                                 .most = 1,
                                 .is = is_goal,
                                 .read = read_goal,
                                 .report = report,
                                 .text = text,
                                 .step = step,
                                 .drop = drop};
