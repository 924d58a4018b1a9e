/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers one job's story and writes it for people and as JSON. */
#include "ask/inspect/story.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/inspect/bottleneck.h"
#include "ask/inspect/figures.h"
#include "ask/inspect/story_impl.h"
#include "ask/network/network_text.h"
#include "base/num.h"
#include "session/session_impl.h"
#include "sim/facts/identity.h"
#include "sim/facts/job_facts.h"
#include "sim/outages.h"
#include "sim/place/asked.h"
#include "sim/place/slice.h"
#include "sim/waits/wait_book.h"
#include "sim/waits/why.h"

enum { TEXT = 64 };

/* A knob that gains less is said to change nothing worth while. */
#define GAIN_SHOWN 1.005

typedef struct Story {
    const LpSession *s;
    const LpJob *job;
    bool started, waits;
    LpReason waiting; /* where it waits */
    LpBottleneck b;
    const LpCutout *cutout; /* NULL: knobs are turned for one step */
    LpBuf *out;
} Story;

LpWhyAsk lp_story_asks(const LpSession *s, uint32_t job) {
    const LpPolicy *policy = s->loaded.policy;
    return (LpWhyAsk){.says = lp_session_why(s, job).why,
                      .rule = policy != NULL ? lp_policy_queue(policy).rule : 0};
}

/* Why it waits, or waited when the run ended. */
static LpErr find_waiting(const LpSession *s, Story *story, LpDiag *diag) {
    LpWhyAsk ask = lp_story_asks(s, story->job->id);
    story->waits = lp_why_waits(story->job);
    if (!story->waits)
        return LP_OK;
    return lp_world_why(s->world, s->context, story->job->id, &ask, &story->waiting, diag);
}

static LpErr gather(const LpSession *s, uint32_t job, const LpCutout *cutout, LpBuf *out,
                    Story *story, LpDiag *diag) {
    if (job >= lp_world_jobs(s->world))
        return lp_fail(diag, LP_ERANGE, "there is no job %" PRIu32 ": %" PRIu32 " have arrived",
                       job, lp_world_jobs(s->world));
    *story = (Story){.s = s, .job = lp_world_job(s->world, job), .cutout = cutout, .out = out};
    story->started = story->job->times.start >= 0;
    LP_TRY(find_waiting(s, story, diag));
    return lp_bottleneck(s, job, &story->b, diag);
}

/* ---- who had the servers before ---- */

static const LpPlacement *placement_of(const Story *t, const LpJob *job) {
    return job->placed.placement != LP_NO_INDEX && job->times.start >= 0
               ? lp_store_placement(t->s->context->store, job->placed.placement)
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
        if (p == NULL || other->times.start > t->job->times.start || other->times.start <= latest ||
            !holds(p, server))
            continue;
        latest = other->times.start;
        found = i;
    }
    return found;
}

/* ---- for people ---- */

static void add_label(const Story *t, const char *label) {
    lp_story_label(t->out, label);
}

static void add_time(const Story *t, double seconds) {
    char text[TEXT];
    lp_buf_add(t->out, lp_quantity_print(seconds, LP_DIM_TIME, text, sizeof text));
}

/* A moment: a date where the scenario has an epoch. */
static void add_moment(const Story *t, double time) {
    char date[LP_DATE_TEXT];
    if (t->s->scenario->epoch.given)
        lp_buf_add(t->out, lp_scenario_date(t->s->scenario, time, LP_DATE_WHOLE, date));
    else
        add_time(t, time);
}

static void add_safe(const Story *t, const char *text) {
    lp_str_escape(t->out, text, strlen(text));
}

static void tell_outcome(const Story *t) {
    const LpJob *j = t->job;
    add_label(t, "outcome");
    lp_buf_add(t->out, lp_outcome_name((LpOutcome)j->outcome));
    if (j->outcome == LP_JOB_BLOCKED && lp_cause_code((LpCause)j->cause) != NULL) {
        LpWhy why = lp_session_why(t->s, j->id);
        bool own = j->cause == LP_CAUSE_DECLINED && why.why[0] != '\0'; /* told further down */
        lp_buf_addf(t->out, ", %s: ", lp_cause_code((LpCause)j->cause));
        add_safe(t,
                 !own && why.reason[0] != '\0' ? why.reason : lp_cause_sentence((LpCause)j->cause));
    }
    if (j->outcome == LP_JOB_COMPLETED) {
        lp_buf_add(t->out, ", JCT ");
        add_time(t, j->times.end - j->asked.arrival);
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
}

/* "  host 19 (cube 1)"; nothing for 0. */
static void add_component(const Story *t, uint32_t fault) {
    char name[LP_COMPONENT_TEXT];
    const LpOutageEvent *e = lp_outages_of(t->s->context, lp_world_seed(t->s->world), fault);
    if (e != NULL)
        lp_buf_addf(t->out, " %s", lp_outages_text(t->s->context, e, name));
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
        add_moment(t, e->time);
        add_component(t, e->fault);
        lp_buf_add(t->out, "\n");
    }
}

/* How often failures stopped it. */
static void tell_stops(const Story *t) {
    const LpJob *j = t->job;
    if (j->stops.count == 0)
        return;
    add_label(t, "stopped");
    lp_buf_addf(t->out, "%" PRIu32 " time%s, last by", j->stops.count,
                j->stops.count == 1 ? "" : "s");
    if (j->stops.by == 0)
        lp_buf_add(t->out, " hand");
    add_component(t, j->stops.by);
    lp_buf_add(t->out, "\n");
}

/* Servers or cubes from..to, of which the same is told. */
typedef struct Run {
    uint32_t from, to, before;
    bool open, told; /* some have been told of */
} Run;

static void tell_run(const Story *t, const char *word, Run *run) {
    const LpFabric *fabric = &t->s->context->fabric;
    char text[2 * LP_SERVER_TEXT], from[LP_SERVER_TEXT], to[LP_SERVER_TEXT];
    if (!run->open)
        return;
    add_label(t, run->told ? "" : word);
    run->told = true;
    if (fabric->ops->slices) { /* cubes have numbers only, and so have accelerators */
        snprintf(from, sizeof from, "%" PRIu32, run->from);
        snprintf(to, sizeof to, "%" PRIu32, run->to);
    } else {
        lp_cluster_server(fabric->cluster, run->from, from);
        lp_cluster_server(fabric->cluster, run->to, to);
    }
    if (run->from == run->to)
        snprintf(text, sizeof text, "%s", from);
    else
        snprintf(text, sizeof text, "%.70s to %.70s", from, to);
    lp_buf_addf(t->out, "%-6s", text);
    if (run->before == LP_NO_INDEX)
        lp_buf_add(t->out, " never used before\n");
    else
        lp_buf_addf(t->out, " before it: %s\n",
                    lp_world_label(t->s->world, t->s->scenario, run->before).text);
}

static void go_on(const Story *t, const char *word, uint32_t unit, uint32_t user, Run *run) {
    if (!run->open || user != run->before || unit != run->to + 1) {
        tell_run(t, word, run);
        run->from = unit;
    }
    run->to = unit;
    run->before = user;
    run->open = true;
}

/* Tells the servers, or the cubes of a slice: a cube that it has whole by its first accelerator. */
static void tell_servers(const Story *t) {
    const LpPlacement *p = placement_of(t, t->job);
    uint32_t size = t->s->context->fabric.ops->slices ? t->s->context->fabric.per_rack : 1;
    const char *word = size > 1 ? "cubes" : "servers";
    Run run = {0};
    for (uint32_t i = 0; p != NULL && i < p->servers; i++)
        if (p->servers < size ? i == 0 : p->server[i] % size == 0)
            go_on(t, word, p->server[i] / size, user_before(t, p->server[i]), &run);
    tell_run(t, word, &run);
}

/* What it lacked, in a clause. */
static void tell_lack(const Story *t, LpWaitCause cause) {
    const LpTree *tree = t->s->context->fabric.cluster->tree;
    LpTreeAsk ask = lp_job_tree_ask(t->s->context, t->job);
    uint32_t servers = t->job->asked.rigid_servers;
    char level[LP_TREE_PLURAL];
    switch (cause) {
    case LP_WAITED_RESOURCE:
        lp_buf_add(t->out, servers == 1 ? "no server was free" : "too few servers were free");
        break;
    case LP_WAITED_SHAPE:
        if (ask.segment > 0)
            lp_buf_addf(t->out, "no room for its segments of %" PRIu32, ask.segment);
        else if (ask.required > 0 && servers > 0)
            lp_buf_addf(t->out, "no %s had %" PRIu32,
                        lp_str_show(level, sizeof level, tree->level_name[ask.required - 1]),
                        servers);
        else
            lp_buf_add(t->out, "what was free was no place for it");
        break;
    case LP_WAITED_BROKEN:
        lp_buf_add(t->out, "while what it needed was down");
        break;
    case LP_WAITED_MEMORY:
        lp_buf_add(t->out, "no place had the memory");
        break;
    case LP_WAITED_LIGHT:
        lp_buf_add(t->out, "no circuit was free");
        break;
    case LP_WAITED_POLICY:
        lp_buf_add(t->out, "its policy let it wait");
        break;
    default:
        break;
    }
}

static void tell_behind(const Story *t) {
    const LpWaitBook *book = lp_session_wait_book(t->s);
    LpStoodBehind behind = book != NULL
                               ? lp_wait_book_behind(book, t->s->world, t->s->context, t->job->id)
                               : (LpStoodBehind){LP_NO_INDEX, true};
    if (behind.job == LP_NO_INDEX) {
        lp_buf_add(t->out, "behind others");
        return;
    }
    lp_buf_addf(t->out, "behind %s%s", lp_world_label(t->s->world, t->s->scenario, behind.job).text,
                behind.others ? " and others" : "");
}

/* "   4 s no server was free, 28 s behind job 3", of all its time in the queue. */
static void tell_waited(const Story *t) {
    const LpWaitBook *book = lp_session_wait_book(t->s);
    if (book == NULL && lp_job_slice(t->s->context, t->job) == NULL)
        return;
    LpWaited waited = lp_wait_book_of(book, t->s->world, t->job->id);
    const char *before = "   ";
    for (int i = 0; i < LP_WAITED_COUNT; i++) {
        if (!(waited.by[i] > 1e-9 * t->b.time.length))
            continue;
        lp_buf_add(t->out, before);
        before = ", ";
        add_time(t, waited.by[i]);
        lp_buf_add(t->out, " ");
        if (i == LP_WAITED_BEHIND)
            tell_behind(t);
        else
            tell_lack(t, (LpWaitCause)i);
    }
}

static bool is_wait(int part) {
    return part == LP_TIME_WAIT || part == LP_TIME_PREEMPTED || part == LP_TIME_REQUEUED;
}

/* Its parts but those of 0, and their sum. */
static void tell_time(const Story *t) {
    const LpJobTime *time = &t->b.time;
    const char *label = "time";
    bool told = false;
    for (int i = 0; i < LP_TIME_COUNT; i++) {
        if (fabs(time->part[i]) <= 1e-9 * time->length) /* what rounding leaves */
            continue;
        add_label(t, label);
        label = "";
        lp_buf_addf(t->out, "%-28s %5.1f %%  ", lp_time_words((LpTimePart)i),
                    100 * time->part[i] / time->length);
        add_time(t, time->part[i]);
        if (is_wait(i) && !told)
            tell_waited(t);
        told = told || is_wait(i);
        lp_buf_add(t->out, "\n");
    }
    if (label[0] != '\0')
        return;
    add_label(t, "");
    lp_buf_addf(t->out, "%-28s 100.0 %%  ",
                t->job->outcome == LP_JOB_COMPLETED ? "JCT"
                : t->job->outcome == LP_JOB_BLOCKED ? "until it was turned away"
                : t->job->outcome == LP_JOB_ABORTED ? "until it was given up"
                : t->job->outcome == LP_JOB_KILLED  ? "until it was ended"
                                                    : "since it arrived");
    add_time(t, time->length);
    lp_buf_add(t->out, "\n");
}

/* What turning a knob comes to: of the whole job, or of one step. */
static double gain_of(const Story *t, LpStepKnob knob) {
    return t->cutout != NULL ? lp_cutout_gain(t->cutout, knob) : lp_bottleneck_gain(&t->b, knob);
}

/* Knobs that it has, best gain first. */
static uint32_t knobs_of(const Story *t, LpStepKnob knob[LP_KNOB_COUNT]) {
    uint32_t count = 0;
    for (int k = 0; k < LP_KNOB_COUNT; k++) {
        uint32_t at = count;
        if (isnan(gain_of(t, (LpStepKnob)k)))
            continue;
        for (; at > 0 && gain_of(t, knob[at - 1]) < gain_of(t, (LpStepKnob)k); at--)
            knob[at] = knob[at - 1];
        knob[at] = (LpStepKnob)k;
        count++;
    }
    return count;
}

static void tell_steps(const Story *t, double before, double after) {
    add_time(t, before);
    lp_buf_add(t->out, " to ");
    add_time(t, after);
    lp_buf_add(t->out, t->cutout != NULL ? " a step, " : ", ");
}

static void tell_knob(const Story *t, LpStepKnob knob) {
    double gain = gain_of(t, knob);
    const LpCutout *c = t->cutout;
    add_label(t, "");
    lp_buf_addf(t->out, "%s: ", lp_knob_meaning(knob));
    if (gain < GAIN_SHOWN && gain > 2 - GAIN_SHOWN) {
        lp_buf_add(t->out, "no difference\n");
        return;
    }
    if (c != NULL)
        tell_steps(t, c->base.step_time, c->knob[knob].step_time);
    else
        tell_steps(t, knob == LP_KNOB_ALONE ? t->b.step_time : t->b.alone, t->b.knob[knob]);
    lp_buf_addf(t->out, gain > 1 ? "%.2f times faster" : "slower (%.2f times)", gain);
    if (c != NULL) {
        lp_buf_add(t->out, ", done ");
        add_time(t, fabs(c->base.held - c->knob[knob].held));
        lp_buf_add(t->out, gain > 1 ? " sooner" : " later");
    }
    lp_buf_add(t->out, "\n");
}

static void tell_knobs(const Story *t) {
    LpStepKnob knob[LP_KNOB_COUNT];
    const LpCutout *c = t->cutout;
    uint32_t count = knobs_of(t, knob);
    bool helps = count > 0 && gain_of(t, knob[0]) >= GAIN_SHOWN;
    add_label(t, "would help");
    if (t->job->graph < 0)
        lp_buf_add(t->out, "no other hardware: the job states how long it runs\n");
    else if (c != NULL && c->not != NULL)
        lp_buf_addf(t->out, "cannot be said: the job cannot be run by itself, %s\n", c->not );
    else if (count == 0)
        lp_buf_add(t->out, "unknown: its data have no way just now\n");
    else
        lp_buf_addf(t->out, "most: %s (%s)\n", helps ? lp_knob_meaning(knob[0]) : "none of these",
                    c != NULL ? "the job run once more, with that alone changed"
                              : "times of one step");
    for (uint32_t i = 0; i < count; i++)
        tell_knob(t, knob[i]);
}

/* "t8 p4 d2: step 3.4 s, 28 of 80 GB, bubble 20 %, exposed 4.4 %". */
static void tell_plan(const Story *t, const char *label, const LpPlanFigures *f) {
    char text[LP_PARALLEL_TEXT];
    add_label(t, label);
    lp_buf_addf(t->out, "%-22s step ", lp_parallel_brief(&f->plan, text));
    add_time(t, f->step_time);
    lp_buf_addf(t->out, ", %.1f of %.0f GB, bubble %.1f %%, exposed %.1f %%", f->memory / 1e9,
                f->memory_most / 1e9, 100 * f->bubble, 100 * f->exposed);
    if (f->turns > 0)
        lp_buf_addf(t->out, ", %" PRIu32 " of %" PRIu32 " turns exposed", f->exposed_turns,
                    f->turns);
    lp_buf_add(t->out, "\n");
}

/* The plan that it runs by, and those that its graph lists, alone. */
static LpErr tell_plans(const Story *t, LpDiag *diag) {
    LpPlanFigures own, other;
    const char *label = "other plans";
    LP_TRY(lp_plan_figures_of_job(t->s, t->job, &own, diag));
    if (own.plan.tensor > 0)
        tell_plan(t, "plan", &own);
    for (uint32_t i = 0; i < lp_job_plans(t->s, t->job->id); i++) {
        LP_TRY(lp_plan_figures_alone(t->s, t->job->id, i, &other, diag));
        if (own.plan.tensor > 0 && lp_parallel_same(&own.plan, &other.plan))
            continue;
        tell_plan(t, label, &other);
        label = "";
    }
    return LP_OK;
}

/* "llama-70b (7041) of u01, nlp: "; nothing of a job that says nothing. */
static void add_identity(const Story *t) {
    const LpIdentity *who = lp_job_identity(t->s->scenario, t->job);
    const char *part[] = {who->name, who->key, who->user, who->group};
    const char *before[] = {"", "(", "of ", who->user != NULL ? ", " : "of "};
    const char *after[] = {"", ")", "", ""};
    bool any = false;
    for (size_t i = 0; i < LP_COUNTOF(part); i++) {
        if (part[i] == NULL)
            continue;
        lp_buf_add(t->out, any && before[i][0] != ',' ? " " : "");
        lp_buf_add(t->out, before[i]);
        add_safe(t, part[i]);
        lp_buf_add(t->out, after[i]);
        any = true;
    }
    lp_buf_add(t->out, any ? ": " : "");
}

static void tell_waiting(const Story *t) {
    char word[LP_REASON_WORD];
    if (!t->waits)
        return;
    add_label(t, "waiting for");
    add_safe(t, lp_reason_word(&t->waiting, t->s->told.wording, word));
    lp_buf_add(t->out, ": ");
    add_safe(t, t->waiting.text);
    lp_buf_add(t->out, "\n");
}

LpErr lp_story_text(LpSession *s, uint32_t job, const LpCutout *cutout, const LpSooner *sooner,
                    LpBuf *out, LpDiag *diag) {
    Story t;
    char name[LP_SLICE_TEXT];
    LP_TRY(gather(s, job, cutout, out, &t, diag));
    add_label(&t, "job");
    lp_buf_addf(out, "%" PRIu32 " ", job);
    add_identity(&t);
    add_safe(&t, t.job->graph >= 0      ? s->scenario->graph[t.job->graph]->id
                 : t.job->slice.row > 0 ? lp_slice_name(lp_job_slice(s->context, t.job), name)
                                        : "rigid");
    lp_buf_add(out, ", arrived at ");
    add_moment(&t, t.job->asked.arrival);
    if (!isinf(t.job->asked.max_jct)) {
        lp_buf_add(out, ", limit ");
        add_time(&t, t.job->asked.max_jct);
    }
    lp_buf_add(out, "\n");
    tell_outcome(&t);
    tell_why(&t);
    tell_waiting(&t);
    LP_TRY(lp_story_considered(s, job, out, diag));
    LP_TRY(tell_plans(&t, diag));
    tell_events(&t);
    tell_stops(&t);
    tell_servers(&t);
    tell_time(&t);
    if (t.started)
        tell_knobs(&t);
    if (sooner != NULL)
        lp_sooner_text(sooner, s, out);
    LP_TRY(lp_network_text(s, job, out, diag));
    return lp_buf_ok(out, diag);
}

/* ---- JSON ---- */

static void add_head(const Story *t, LpJsonOut *out) {
    bool blocked = t->job->outcome == LP_JOB_BLOCKED;
    lp_session_json_head(t->s, out);
    lp_json_put_hash(out, "hash", lp_session_hash(t->s));
    lp_json_put_count(out, "job", t->job->id);
    if (lp_job_identities_told(t->s->context)) {
        LpJobAround around = {.world = t->s->world, .context = t->s->context};
        lp_facts_json(&lp_job_identity_facts, t->job, &around, out);
    }
    lp_json_put_text(out, "outcome", lp_outcome_name((LpOutcome)t->job->outcome));
    lp_json_put_text(out, "cause", blocked ? lp_cause_code((LpCause)t->job->cause) : NULL);
}

static void add_why(const Story *t, LpJsonOut *out) {
    LpWhy why = lp_session_why(t->s, t->job->id);
    lp_json_put_text(out, "why", why.why);
    lp_json_put_text(out, "where", why.where);
    lp_json_put_text(out, "reason", why.reason);
    lp_json_put_raw(out, "explain", lp_session_explain(t->s, t->job->id));
}

static void add_knob(const Story *t, LpStepKnob knob, LpJsonOut *out) {
    const LpCutout *c = t->cutout;
    lp_json_open(out, lp_knob_name(knob), '{');
    if (c != NULL)
        lp_json_put_number(out, "held", c->knob[knob].held);
    lp_json_put_number(out, "step_time", c != NULL ? c->knob[knob].step_time : t->b.knob[knob]);
    lp_json_put_number(out, "gain", gain_of(t, knob));
    if (c != NULL)
        lp_json_put_texts(out, "set", &c->knob[knob].set, 1);
    lp_json_close(out, '}');
}

static void add_waited(const Story *t, LpJsonOut *out) {
    const LpWaitBook *book = lp_session_wait_book(t->s);
    if (book == NULL && lp_job_slice(t->s->context, t->job) == NULL)
        return;
    LpWaited waited = lp_wait_book_of(book, t->s->world, t->job->id);
    lp_waited_json(out, &waited);
}

static void add_knobs(const Story *t, LpJsonOut *out) {
    const LpBottleneck *b = &t->b;
    const LpCutout *c = t->cutout;
    LpStepKnob knob[LP_KNOB_COUNT];
    uint32_t count = knobs_of(t, knob);
    bool helps = count > 0 && gain_of(t, knob[0]) > 1;
    lp_job_time_json(out, &b->time);
    add_waited(t, out);
    if (c != NULL)
        lp_json_put_number(out, "held", c->base.held);
    lp_json_put_number(out, "step_time", c != NULL ? c->base.step_time : b->step_time);
    if (count == 0) {
        lp_json_put_null(out, "knobs");
    } else {
        lp_json_open(out, "knobs", '{');
        for (int k = 0; k < LP_KNOB_COUNT; k++)
            if (!isnan(gain_of(t, (LpStepKnob)k)))
                add_knob(t, (LpStepKnob)k, out);
        lp_json_close(out, '}');
    }
    if (c != NULL)
        lp_json_put_text(out, "no_knobs", c->not );
    lp_json_put_text(out, "bottleneck", t->started ? lp_time_name(b->most) : NULL);
    lp_json_put_text(out, "helps", helps ? lp_knob_name(knob[0]) : NULL);
}

static void add_servers(const Story *t, LpJsonOut *out) {
    const LpPlacement *p = placement_of(t, t->job);
    lp_json_open(out, "servers", '[');
    for (uint32_t i = 0; p != NULL && i < p->servers; i++) {
        lp_json_open(out, NULL, '{');
        lp_json_put_count(out, "server", p->server[i]);
        lp_json_put_index(out, "before", user_before(t, p->server[i]));
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static void add_events(const Story *t, LpJsonOut *out) {
    lp_json_open(out, "events", '[');
    for (size_t i = 0; i < lp_session_events(t->s); i++) {
        const LpEvent *e = lp_session_event(t->s, i);
        if (e->job != t->job->id)
            continue;
        lp_json_open(out, NULL, '{');
        lp_json_put_text(out, "kind", lp_event_name(e->kind));
        lp_json_put_number(out, "time", lp_scenario_time(t->s->scenario, e->time));
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
}

static LpErr add_plans(const Story *t, LpJsonOut *out, LpDiag *diag) {
    uint32_t plans = lp_job_plans(t->s, t->job->id);
    LpPlanFigures figures;
    if (plans == 0)
        return LP_OK;
    LP_TRY(lp_plan_figures_of_job(t->s, t->job, &figures, diag));
    lp_json_open(out, "plan", '{');
    lp_plan_figures_json(out, &figures);
    lp_json_close(out, '}');
    lp_json_open(out, "plans", '[');
    for (uint32_t i = 0; i < plans; i++) {
        LP_TRY(lp_plan_figures_alone(t->s, t->job->id, i, &figures, diag));
        lp_json_open(out, NULL, '{');
        lp_plan_figures_json(out, &figures);
        lp_json_close(out, '}');
    }
    lp_json_close(out, ']');
    return LP_OK;
}

LpErr lp_story_json(LpSession *s, uint32_t job, const LpCutout *cutout, const LpSooner *sooner,
                    LpBuf *out, LpDiag *diag) {
    LpJsonOut json = {.out = out};
    Story t;
    LP_TRY(gather(s, job, cutout, out, &t, diag));
    lp_json_open(&json, NULL, '{');
    add_head(&t, &json);
    add_why(&t, &json);
    if (t.waits)
        lp_reason_json(&t.waiting, s->told.wording, &json);
    LP_TRY(add_plans(&t, &json, diag));
    LP_TRY(lp_network_json(s, job, "networks", &json, diag));
    add_knobs(&t, &json);
    if (sooner != NULL)
        lp_sooner_json(sooner, s, &json);
    add_servers(&t, &json);
    add_events(&t, &json);
    lp_json_end(&json);
    return lp_buf_ok(out, diag);
}
