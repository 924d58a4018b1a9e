/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers one job's story and writes it for people and as JSON. */
#include "run/inspect/story.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "run/inspect/bottleneck.h"
#include "run/inspect/network_text.h"
#include "run/session/impl.h"

enum { TEXT = 64 };

/* A knob that gains less is said to change nothing worth while. */
#define GAIN_SHOWN 1.005

typedef struct Story {
    const LpSession *s;
    const LpJob *job;
    bool started;
    LpBottleneck b; /* started */
    LpBuf *out;
} Story;

static LpErr gather(const LpSession *s, uint32_t job, LpBuf *out, Story *story, LpDiag *diag) {
    if (job >= lp_world_jobs(s->world))
        return lp_fail(diag, LP_ERANGE, "there is no job %" PRIu32 ": %" PRIu32 " have arrived",
                       job, lp_world_jobs(s->world));
    *story = (Story){.s = s, .job = lp_world_job(s->world, job), .out = out};
    story->started = story->job->start >= 0;
    return story->started ? lp_bottleneck(s, job, &story->b, diag) : LP_OK;
}

/* ---- who had the servers before ---- */

static const LpPlacement *placement_of(const Story *t, const LpJob *job) {
    return job->placement != LP_NO_INDEX && job->start >= 0
               ? lp_store_placement(t->s->context->store, job->placement)
               : NULL;
}

static bool holds(const LpPlacement *p, uint32_t server) {
    for (uint32_t i = 0; i < p->servers; i++)
        if (p->server[i] == server)
            return true;
    return false;
}

/* The job that ran on the server last before this one started, LP_NO_INDEX. Jobs that moved count
 * where they ran last. */
static uint32_t user_before(const Story *t, uint32_t server) {
    uint32_t found = LP_NO_INDEX;
    double latest = -1;
    for (uint32_t i = 0; i < lp_world_jobs(t->s->world); i++) {
        const LpJob *other = lp_world_job(t->s->world, i);
        const LpPlacement *p = i != t->job->id ? placement_of(t, other) : NULL;
        if (p == NULL || other->start > t->job->start || other->start <= latest ||
            !holds(p, server))
            continue;
        latest = other->start;
        found = i;
    }
    return found;
}

/* ---- for people ---- */

static void add_label(const Story *t, const char *label) {
    lp_buf_addf(t->out, "%-12s", label);
}

static void add_time(const Story *t, double seconds) {
    char text[TEXT];
    lp_buf_add(t->out, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

static void add_safe(const Story *t, const char *text) {
    lp_str_escape(t->out, text, strlen(text));
}

static void tell_outcome(const Story *t) {
    const LpJob *j = t->job;
    add_label(t, "outcome");
    lp_buf_add(t->out, lp_outcome_name((LpOutcome)j->outcome));
    if (j->outcome == LP_JOB_BLOCKED && lp_cause_code((LpCause)j->cause) != NULL)
        lp_buf_addf(t->out, ", %s: %s", lp_cause_code((LpCause)j->cause),
                    lp_cause_sentence((LpCause)j->cause));
    if (j->outcome == LP_JOB_COMPLETED) {
        lp_buf_add(t->out, ", JCT ");
        add_time(t, j->end - j->arrival);
    }
    lp_buf_add(t->out, "\n");
}

static void tell_why(const Story *t) {
    LpWhy why = lp_session_why(t->s, t->job->id);
    if (why.why[0] != '\0') {
        add_label(t, "why");
        lp_buf_add(t->out, "\"");
        add_safe(t, why.why);
        lp_buf_add(t->out, "\" ");
        add_safe(t, why.where);
        lp_buf_add(t->out, "\n");
    }
    if (why.reason[0] != '\0' && strcmp(why.reason, why.why) != 0) {
        add_label(t, "");
        add_safe(t, why.reason);
        lp_buf_add(t->out, "\n");
    }
    const char *explain = lp_session_explain(t->s, t->job->id);
    if (explain != NULL) {
        add_label(t, "considered");
        lp_buf_addf(t->out, "%s\n", explain);
    }
}

static void tell_events(const Story *t) {
    const char *label = "history";
    for (size_t i = 0; i < lp_session_events(t->s); i++) {
        const LpEvent *e = lp_session_event(t->s, i);
        if (e->job != t->job->id)
            continue;
        add_label(t, label);
        label = "";
        lp_buf_addf(t->out, "%-14s ", lp_event_name(e->kind));
        add_time(t, e->time);
        lp_buf_add(t->out, "\n");
    }
}

static void tell_servers(const Story *t) {
    const LpPlacement *p = placement_of(t, t->job);
    for (uint32_t i = 0; p != NULL && i < p->servers; i++) {
        uint32_t before = user_before(t, p->server[i]);
        add_label(t, i == 0 ? "servers" : "");
        lp_buf_addf(t->out, "%-6" PRIu32, p->server[i]);
        if (before == LP_NO_INDEX)
            lp_buf_add(t->out, " never used before\n");
        else
            lp_buf_addf(t->out, " before it: job %" PRIu32 "\n", before);
    }
}

static void tell_spent(const Story *t) {
    double whole = 0;
    bool first = true;
    for (int i = 0; i < LP_SPENT_COUNT; i++)
        whole += t->b.spent[i];
    for (int i = 0; i < LP_SPENT_COUNT; i++) {
        if (!(t->b.spent[i] > 0))
            continue;
        add_label(t, first ? "time" : "");
        first = false;
        lp_buf_addf(t->out, "%-16s %5.1f %%  ", lp_spent_name((LpSpent)i),
                    100 * t->b.spent[i] / whole);
        add_time(t, t->b.spent[i]);
        lp_buf_addf(t->out, "  (%s)\n", lp_spent_meaning((LpSpent)i));
    }
}

static void tell_knobs(const Story *t) {
    for (int k = 0; k < LP_KNOB_COUNT; k++) {
        double gain = t->b.step_time / t->b.knob[k];
        add_label(t, k == 0 ? "would help" : "");
        lp_buf_addf(t->out, "%-38s ", lp_knob_meaning((LpKnob)k));
        if (gain > GAIN_SHOWN)
            lp_buf_addf(t->out, "%.3g times faster steps\n", gain);
        else
            lp_buf_addf(t->out, "hardly any effect: %s hides it\n", lp_spent_name(t->b.most));
    }
}

LpErr lp_story_text(LpSession *s, uint32_t job, LpBuf *out, LpDiag *diag) {
    Story t;
    LP_TRY(gather(s, job, out, &t, diag));
    add_label(&t, "job");
    lp_buf_addf(out, "%" PRIu32 " ", job);
    add_safe(&t, t.job->graph >= 0 ? s->scenario->graph[t.job->graph]->id : "rigid");
    lp_buf_add(out, ", arrived at ");
    add_time(&t, t.job->arrival);
    if (!isinf(t.job->max_jct)) {
        lp_buf_add(out, ", limit ");
        add_time(&t, t.job->max_jct);
    }
    lp_buf_add(out, "\n");
    tell_outcome(&t);
    tell_why(&t);
    tell_events(&t);
    tell_servers(&t);
    if (t.started) {
        tell_spent(&t);
        tell_knobs(&t);
    }
    LP_TRY(lp_network_text(s, job, out, diag));
    return lp_buf_ok(out, diag);
}

/* ---- JSON ---- */

static void add_number(LpBuf *out, const char *before, const char *key, double value) {
    char text[LP_NUM_TEXT];
    lp_buf_addf(out, "%s\"%s\":%s", before, key, lp_num_print(value, text));
}

static void add_head(const Story *t) {
    char hash[LP_HASH_HEX];
    const char *cause = lp_cause_code((LpCause)t->job->cause);
    lp_buf_add(t->out, "{\"lightpath\":1,\"scenario\":");
    lp_str_json(t->out, t->s->scenario->name);
    lp_buf_add(t->out, ",\"policy\":");
    lp_str_json(t->out, lp_session_policy_name(t->s));
    lp_buf_addf(t->out, ",\"seed\":%" PRIu64 ",\"hash\":\"%s\",\"job\":%" PRIu32,
                lp_world_seed(t->s->world), lp_hash_hex(lp_session_hash(t->s), hash), t->job->id);
    lp_buf_addf(t->out,
                ",\"outcome\":\"%s\",\"cause\":", lp_outcome_name((LpOutcome)t->job->outcome));
    if (t->job->outcome == LP_JOB_BLOCKED && cause != NULL)
        lp_str_json(t->out, cause);
    else
        lp_buf_add(t->out, "null");
}

static void add_why(const Story *t) {
    LpWhy why = lp_session_why(t->s, t->job->id);
    const char *explain = lp_session_explain(t->s, t->job->id);
    lp_buf_add(t->out, ",\"why\":");
    lp_str_json(t->out, why.why);
    lp_buf_add(t->out, ",\"where\":");
    lp_str_json(t->out, why.where);
    lp_buf_add(t->out, ",\"reason\":");
    lp_str_json(t->out, why.reason);
    lp_buf_addf(t->out, ",\"explain\":%s", explain != NULL ? explain : "null");
}

static void add_spent(const Story *t) {
    const LpBottleneck *b = &t->b;
    if (!t->started) {
        lp_buf_add(t->out, ",\"spent\":null,\"step_time\":null,\"knobs\":null,\"bottleneck\":null,"
                           "\"helps\":null");
        return;
    }
    lp_buf_add(t->out, ",\"spent\":{");
    for (int i = 0; i < LP_SPENT_COUNT; i++)
        add_number(t->out, i > 0 ? "," : "", lp_spent_name((LpSpent)i), b->spent[i]);
    add_number(t->out, "},", "step_time", b->step_time);
    lp_buf_add(t->out, ",\"knobs\":{");
    for (int k = 0; k < LP_KNOB_COUNT; k++)
        add_number(t->out, k > 0 ? "," : "", lp_knob_name((LpKnob)k), b->knob[k]);
    lp_buf_addf(t->out, "},\"bottleneck\":\"%s\",\"helps\":", lp_spent_name(b->most));
    if (b->help >= 0)
        lp_str_json(t->out, lp_knob_name((LpKnob)b->help));
    else
        lp_buf_add(t->out, "null");
}

static void add_servers(const Story *t) {
    const LpPlacement *p = placement_of(t, t->job);
    lp_buf_add(t->out, ",\"servers\":[");
    for (uint32_t i = 0; p != NULL && i < p->servers; i++) {
        uint32_t before = user_before(t, p->server[i]);
        lp_buf_addf(t->out, "%s{\"server\":%" PRIu32, i > 0 ? "," : "", p->server[i]);
        add_number(t->out, ",", "before", before != LP_NO_INDEX ? (double)before : (double)NAN);
        lp_buf_add(t->out, "}");
    }
    lp_buf_add(t->out, "]");
}

static void add_events(const Story *t) {
    const char *before = "";
    lp_buf_add(t->out, ",\"events\":[");
    for (size_t i = 0; i < lp_session_events(t->s); i++) {
        const LpEvent *e = lp_session_event(t->s, i);
        if (e->job != t->job->id)
            continue;
        lp_buf_addf(t->out, "%s{\"kind\":\"%s\"", before, lp_event_name(e->kind));
        add_number(t->out, ",", "time", e->time);
        lp_buf_add(t->out, "}");
        before = ",";
    }
    lp_buf_add(t->out, "]}\n");
}

LpErr lp_story_json(LpSession *s, uint32_t job, LpBuf *out, LpDiag *diag) {
    Story t;
    LP_TRY(gather(s, job, out, &t, diag));
    add_head(&t);
    add_why(&t);
    lp_buf_add(out, ",\"networks\":");
    LP_TRY(lp_network_json(s, job, out, diag));
    add_spent(&t);
    add_servers(&t);
    add_events(&t);
    return lp_buf_ok(out, diag);
}
