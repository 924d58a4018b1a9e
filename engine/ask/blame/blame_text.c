/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to blame, as a sentence and as JSON. */
#include <inttypes.h>
#include <math.h>

#include "ask/blame/blame_impl.h"
#include "base/mem.h"
#include "base/num.h"
#include "session/session_impl.h"
#include "sim/facts/identity.h"

static const char *const names[] = {
    [LP_BLAME_NOTHING] = "nothing",
    [LP_BLAME_DEGREE] = "degree",
    [LP_BLAME_BLOCK] = "block",
    [LP_BLAME_WAIT] = "wait",
    [LP_BLAME_ORDER_OPS] = "order_ops",
    [LP_BLAME_CIRCUITS] = "circuits",
    [LP_BLAME_ORDER_FLOWS] = "order_flows",
};

/* What a stage chose, before its name, and before the name of what would have helped. */
static const struct {
    const char *was, *would, *quote;
} stages[] = {
    [LP_BLAME_ORDER_OPS] = {"ordered its ops by", "ops by", ""},
    [LP_BLAME_CIRCUITS] = {"started with circuits", "circuits", "\""},
    [LP_BLAME_ORDER_FLOWS] = {"ordered its flows by", "flows by", ""},
};

/* `circuits "each job together"`, "ops by critical_path" */
static void add_choice(LpBuf *out, const LpBlame *b, const char *before, const char *name) {
    const char *quote = stages[b->kind].quote;
    lp_buf_addf(out, "%s %s%s%s", before, quote, name, quote);
}

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

static LpLabel label_of(const LpSession *s, uint32_t job) {
    return lp_world_label(s->world, s->scenario, job);
}

/* What was decided: "because job 52 took 16 ways 740 s earlier; ". */
static void add_reason(LpBuf *out, const LpSession *s, const LpBlame *b) {
    if (b->by == b->job) {
        lp_buf_add(out, " by its own decision");
        if (b->was > 0) {
            lp_buf_add(out, " for ");
            add_ways(out, b->was);
        }
        lp_buf_add(out, b->by_hand ? ", by hand; " : "; ");
        return;
    }
    lp_buf_addf(out, " because %s%s", label_of(s, b->by).text, b->by_hand ? ", by hand," : "");
    if (b->words != NULL) {
        lp_buf_add(out, " ");
        add_choice(out, b, stages[b->kind].was, b->was_so);
    } else {
        lp_buf_add(out, b->kind == LP_BLAME_DEGREE  ? " took "
                        : b->kind == LP_BLAME_BLOCK ? " started where it did"
                                                    : " started");
    }
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
    else if (b->words != NULL)
        add_choice(out, b, stages[b->kind].would, b->would_so);
    else
        lp_buf_addf(out, "had it waited, %s", words[b->trouble].waited);
    if (b->kind != LP_BLAME_WAIT)
        lp_buf_addf(out, " %s", words[b->trouble].cure);
}

static void add_cost(LpBuf *out, const LpSession *s, const LpBlame *b) {
    if (b->worse == 0)
        lp_buf_add(out, ", at no other job's cost");
    else if (b->worse == 1)
        lp_buf_addf(out, ", at the cost of %s", label_of(s, b->first_worse).text);
    else
        lp_buf_addf(out, ", at the cost of %" PRIu32 " other jobs, the first is %s", b->worse,
                    label_of(s, b->first_worse).text);
    if (b->kind == LP_BLAME_WAIT && isnan(b->own_delay))
        lp_buf_addf(out, " (%s itself would still wait)", label_of(s, b->by).text);
    if (b->by == b->job || !(b->own_delay > 0))
        return;
    lp_buf_addf(out, " (%s itself would end ", label_of(s, b->by).text);
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

LpErr lp_blame_tell(const LpSession *s, LpBlame *b, LpDiag *diag) {
    LpBuf out = {0};
    lp_buf_addf(&out, "%s %s", label_of(s, b->job).text, words[b->trouble].is);
    if (b->kind == LP_BLAME_NOTHING) {
        if (lp_cause_code(b->cause))
            lp_buf_addf(&out, " (%s)", lp_cause_code(b->cause));
        add_nothing(&out, b);
    } else {
        add_reason(&out, s, b);
        add_change(&out, b);
        add_cost(&out, s, b);
    }
    b->text = out.failed ? NULL : lp_arena_strdup(s->told.texts, lp_buf_text(&out));
    lp_buf_fini(&out);
    return b->text != NULL ? LP_OK : lp_fail_memory(diag, "what is to blame");
}

/* ---- facts ---- */

enum { FOUND = 1, DEGREE = 2, BLOCK = 4, COSTS = 8, STAGE = 16 };
static unsigned traits_of(const void *record) {
    const LpBlame *b = record;
    return (b->kind != LP_BLAME_NOTHING ? FOUND : 0) | (b->kind == LP_BLAME_DEGREE ? DEGREE : 0) |
           (b->kind == LP_BLAME_BLOCK ? BLOCK : 0) | (b->worse > 0 ? COSTS : 0) |
           (b->words != NULL ? STAGE : 0);
}

static LpFactValue cause(const void *record, void *around LP_UNUSED) {
    const char *code = lp_cause_code(((const LpBlame *)record)->cause);
    return (LpFactValue){.is = LP_FACT_TEXT, .text = code != NULL ? code : ""};
}

static LpFactValue found(const void *record, void *around LP_UNUSED) {
    return lp_fact_flag(((const LpBlame *)record)->kind != LP_BLAME_NOTHING);
}

static LpFactValue change(const void *record, void *around LP_UNUSED) {
    return lp_fact_text(names[((const LpBlame *)record)->kind]);
}

static LpFactValue servers(const void *record, void *around LP_UNUSED) {
    const LpBlame *b = record;
    return lp_fact_list(b->server, b->servers);
}

#define OF(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpBlame, name)
#define WHERE(traits) .of = FOUND | traits, .optional = true
static const LpFact of_blame[] = {
    {"job", LP_NUMBER, "that was blocked", OF(job)},
    {"cause", LP_WORDS, "code of why; empty: none", LP_TO_JSON, .value = cause},
    {"time", LP_SECONDS, "of the block", OF(time)},
    {"found", LP_FLAG, "a change would have let it in", LP_TO_JSON, .value = found},
    {"in_the_way", LP_NUMBER, "jobs that ran when it was blocked", OF(in_the_way)},
    {"replays", LP_NUMBER, "changes that were tried", OF(replays)},
    {"by", LP_NUMBER, "where a change was found: the job whose decision it is", OF(by), WHERE(0)},
    {"change", LP_WORDS, "degree, block, wait, order_ops, circuits or order_flows", LP_TO_JSON,
     .value = change, WHERE(0)},
    {"decided", LP_SECONDS, "when that was decided", OF(decided), WHERE(0)},
    {"decision", LP_NUMBER, "its number, from 0", OF(decision), WHERE(0)},
    {"was", LP_NUMBER, "its degree", OF(was), WHERE(0)},
    {"degree", LP_NUMBER, "the change: another degree", OF(would), WHERE(DEGREE)},
    {"servers", LP_COUNTS, "the change: other servers", LP_TO_JSON, .value = servers, WHERE(BLOCK)},
    {"words", LP_WORDS, "the change to orders or circuits: words of a fork", OF(words),
     WHERE(STAGE)},
    {"own_delay", LP_SECONDS, "by which that job itself would end later", OF(own_delay), WHERE(0)},
    {"worse", LP_NUMBER, "other jobs that are worse off", OF(worse), WHERE(0)},
    {"first_worse", LP_NUMBER, "the first of them", OF(first_worse), WHERE(COSTS)},
    {"text", LP_WORDS, "all of it as a sentence", OF(text)},
};
const LpFacts lp_blame_facts = {"blame", of_blame, LP_COUNTOF(of_blame), traits_of};

void lp_blame_json(const LpScenario *scenario, const LpBlame *b, LpJsonOut *out) {
    LpBlame told = *b;
    told.time = lp_scenario_time(scenario, b->time);
    told.decided = lp_scenario_time(scenario, b->decided);
    lp_json_open(out, NULL, '{');
    lp_facts_json(&lp_blame_facts, &told, NULL, out);
    lp_json_close(out, '}');
}
