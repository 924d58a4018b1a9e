/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/trace/run_report.h"

#include "base/num.h"

void lp_trace_run_put(const LpTraceRun *run, bool all, LpJsonOut *json) {
    lp_json_open(json, "alone", '{');
    lp_json_put_number(json, "step_ns", run->step_ns);
    lp_json_put_count(json, "slowest_rank", run->slowest);
    if (run->ranks > 0) {
        lp_json_put_number(json, "computing_ns", run->rank[run->slowest].computing_ns);
        lp_json_put_number(json, "exposed_ns", run->rank[run->slowest].exposed_ns);
    }
    if (run->stuck[0] != '\0')
        lp_json_put_text(json, "stuck", run->stuck);
    if (all) {
        lp_json_lines(json, "rank", '[');
        for (uint32_t r = 0; r < run->ranks; r++) {
            lp_json_open(json, NULL, '{');
            lp_json_put_number(json, "end_ns", run->rank[r].end_ns);
            lp_json_put_number(json, "computing_ns", run->rank[r].computing_ns);
            lp_json_put_number(json, "exposed_ns", run->rank[r].exposed_ns);
            lp_json_close(json, '}');
        }
        lp_json_close(json, ']');
    }
    lp_json_close(json, '}');
}

void lp_trace_run_text(const LpTraceRun *run, LpBuf *out) {
    char step[32], computing[32], exposed[32];
    if (run->stuck[0] != '\0') {
        lp_buf_addf(out, "  alone             it never ends: %s\n", run->stuck);
        return;
    }
    if (run->ranks == 0)
        return;
    const LpTraceRunRank *slowest = &run->rank[run->slowest];
    lp_quantity_print(run->step_ns * 1e-9, LP_DIM_TIME, step, sizeof step);
    lp_quantity_print(slowest->computing_ns * 1e-9, LP_DIM_TIME, computing, sizeof computing);
    lp_quantity_print(slowest->exposed_ns * 1e-9, LP_DIM_TIME, exposed, sizeof exposed);
    lp_buf_addf(out,
                "  alone             a step of %s; rank %u ends last: %s computing, %s only "
                "communicating\n"
                "                    each flow and collective with a link to itself\n",
                step, run->slowest, computing, exposed);
}
