/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to blame, as a sentence and as JSON. */
#include <inttypes.h>
#include <math.h>

#include "ask/whatif/blame_impl.h"
#include "base/mem.h"
#include "base/num.h"

static const char *const names[] = {
    [LP_BLAME_NOTHING] = "nothing",
    [LP_BLAME_DEGREE] = "degree",
    [LP_BLAME_BLOCK] = "block",
    [LP_BLAME_WAIT] = "wait",
};

enum { TEXT = 64, SERVERS_SHOWN = 8 };

static void add_time(LpBuf *out, double seconds) {
    char text[TEXT];
    lp_buf_add(out, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

static void add_ways(LpBuf *out, uint32_t degree) {
    lp_buf_addf(out, "%" PRIu32 " way%s", degree, degree == 1 ? "" : "s");
}

static void add_servers(LpBuf *out, const LpBlame *b) {
    lp_buf_add(out, b->servers == 1 ? "server" : "servers");
    for (uint32_t i = 0; i < b->servers && i < SERVERS_SHOWN; i++)
        lp_buf_addf(out, " %" PRIu32, b->server[i]);
    if (b->servers > SERVERS_SHOWN)
        lp_buf_add(out, " ...");
}

/* What was decided: "because job 52 took 16 ways 740 s earlier; ". */
static void add_reason(LpBuf *out, const LpBlame *b) {
    if (b->by == b->job) {
        lp_buf_add(out, " by its own decision");
        if (b->was > 0) {
            lp_buf_add(out, " for ");
            add_ways(out, b->was);
        }
        lp_buf_add(out, "; ");
        return;
    }
    lp_buf_addf(out, " because job %" PRIu32, b->by);
    lp_buf_add(out, b->kind == LP_BLAME_DEGREE  ? " took "
                    : b->kind == LP_BLAME_BLOCK ? " started where it did"
                                                : " started");
    if (b->kind == LP_BLAME_DEGREE)
        add_ways(out, b->was);
    lp_buf_add(out, " ");
    add_time(out, b->time - b->decided);
    lp_buf_add(out, " earlier; ");
}

/* What is told of each trouble. */
static const struct {
    const char *is, *waited, *cure, *none;
} words[] = {
    [LP_TROUBLE_BLOCKED] = {"was blocked", "this one would have got in", "would have let it in",
                            "let it in"},
    [LP_TROUBLE_WAITING] = {"waits", "this one would have started by now",
                            "would have let it start by now", "let it start by now"},
    [LP_TROUBLE_LATE] = {"is late", "this one would have been in time", "would have had it in time",
                         "had it in time"},
};

static void add_change(LpBuf *out, const LpBlame *b) {
    if (b->kind == LP_BLAME_DEGREE)
        add_ways(out, b->would);
    else if (b->kind == LP_BLAME_BLOCK)
        add_servers(out, b);
    else
        lp_buf_addf(out, "had it waited, %s", words[b->trouble].waited);
    if (b->kind != LP_BLAME_WAIT)
        lp_buf_addf(out, " %s", words[b->trouble].cure);
}

static void add_cost(LpBuf *out, const LpBlame *b) {
    if (b->worse == 0)
        lp_buf_add(out, ", at no other job's cost");
    else if (b->worse == 1)
        lp_buf_addf(out, ", at the cost of job %" PRIu32, b->first_worse);
    else
        lp_buf_addf(out, ", at the cost of %" PRIu32 " other jobs, the first is job %" PRIu32,
                    b->worse, b->first_worse);
    if (b->kind == LP_BLAME_WAIT && isnan(b->own_delay))
        lp_buf_addf(out, " (job %" PRIu32 " itself would still wait)", b->by);
    if (b->by == b->job || !(b->own_delay > 0))
        return;
    lp_buf_addf(out, " (job %" PRIu32 " itself would end ", b->by);
    add_time(out, b->own_delay);
    lp_buf_add(out, " later)");
}

static void add_nothing(LpBuf *out, const LpBlame *b) {
    if (b->in_the_way == 0)
        lp_buf_addf(out, "; no job was in its way, and no other degree would have %s",
                    words[b->trouble].none);
    else
        lp_buf_addf(out,
                    "; no single change helps: %" PRIu32 " tried, %" PRIu32 " job%s in its way",
                    b->replays, b->in_the_way, b->in_the_way == 1 ? "" : "s");
}

LpErr lp_blame_tell(LpArena *arena, LpBlame *b, LpDiag *diag) {
    LpBuf out = {0};
    lp_buf_addf(&out, "job %" PRIu32 " %s", b->job, words[b->trouble].is);
    if (b->kind == LP_BLAME_NOTHING) {
        if (lp_cause_code(b->cause))
            lp_buf_addf(&out, " (%s)", lp_cause_code(b->cause));
        add_nothing(&out, b);
    } else {
        add_reason(&out, b);
        add_change(&out, b);
        add_cost(&out, b);
    }
    b->text = out.failed ? NULL : lp_arena_strdup(arena, lp_buf_text(&out));
    lp_buf_fini(&out);
    return b->text != NULL ? LP_OK : lp_fail_memory(diag, "what is to blame");
}

/* ---- JSON ---- */

static void add_remedy(LpJsonOut *out, const LpBlame *b) {
    lp_json_put_count(out, "by", b->by);
    lp_json_put_text(out, "change", names[b->kind]);
    lp_json_put_number(out, "decided", b->decided);
    lp_json_put_count(out, "decision", b->decision);
    lp_json_put_count(out, "was", b->was);
    if (b->kind == LP_BLAME_DEGREE)
        lp_json_put_count(out, "degree", b->would);
    if (b->kind == LP_BLAME_BLOCK)
        lp_json_put_counts(out, "servers", b->server, b->servers);
    lp_json_put_number(out, "own_delay", b->own_delay);
    lp_json_put_count(out, "worse", b->worse);
    if (b->worse > 0)
        lp_json_put_count(out, "first_worse", b->first_worse);
}

void lp_blame_json(LpJsonOut *out, const LpBlame *b) {
    const char *cause = lp_cause_code(b->cause);
    lp_json_open(out, NULL, '{');
    lp_json_put_count(out, "job", b->job);
    lp_json_put_text(out, "cause", cause != NULL ? cause : "");
    lp_json_put_number(out, "time", b->time);
    lp_json_put_bool(out, "found", b->kind != LP_BLAME_NOTHING);
    lp_json_put_count(out, "in_the_way", b->in_the_way);
    lp_json_put_count(out, "replays", b->replays);
    if (b->kind != LP_BLAME_NOTHING)
        add_remedy(out, b);
    lp_json_put_text(out, "text", b->text);
    lp_json_close(out, '}');
}
