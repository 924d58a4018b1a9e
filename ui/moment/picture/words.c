/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A moment in words. */
#include "moment/picture/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/inspect/figures.h"
#include "moment/parts/event_face.h"
#include "sim/condition.h"
#include "sim/outages.h"

const char *lp_words_rigid(const LpModel *model) {
    return model->board.joins == LP_BOARD_SLICES ? "slices" : "rigid";
}

const char *lp_words_graph(const LpModel *model, const LpJob *job) {
    if (job->slice.row > 0 && job->graph < 0)
        return model->scenario
            ->slice[(job->slice.shape > 0 ? job->slice.shape : job->slice.row) - 1]
            .name;
    if (job->graph >= 0 && (uint32_t)job->graph < model->scenario->graphs)
        return model->scenario->graph[job->graph]->id;
    const char *name = lp_job_identity(model->scenario, job)->name;
    return name != NULL && name[0] != '\0' ? name : "rigid";
}

LpWordsName lp_words_name(const LpModel *model, const LpJob *job) {
    LpWordsName out;
    char graph[80];
    const char *name = lp_job_identity(model->scenario, job)->name;
    LpLabel label = lp_job_label(model->scenario, job);
    lp_str_show(graph, sizeof graph, lp_words_graph(model, job));
    bool once = name != NULL && lp_words_graph(model, job) == name;
    snprintf(out.text, sizeof out.text, "%s%s%s", label.text, once ? "" : " ", once ? "" : graph);
    return out;
}

uint32_t lp_words_ways(const LpJob *job) {
    if (job->graph < 0)
        return job->asked.rigid_servers;
    return job->placed.partition_degree ? job->placed.partition_degree : job->placed.degree;
}

bool lp_words_has_plans(const LpModel *model) {
    for (uint32_t g = 0; g < model->scenario->graphs; g++)
        if (model->scenario->graph[g]->split != NULL)
            return true;
    return false;
}

/* The plan that made a partition; NULL: a degree made it, or there is none. */
static const LpParallel *plan_of(const LpModel *model, uint32_t partition) {
    const LpPartition *p =
        partition != LP_NO_INDEX ? lp_store_partition(model->context->store, partition) : NULL;
    return p != NULL && p->planned ? &p->plan : NULL;
}

static const char *print_cut(const LpParallel *plan, uint32_t ways, char out[LP_WORDS_CUT]) {
    if (plan != NULL)
        return lp_plan_ways(plan, out);
    snprintf(out, LP_WORDS_CUT, "x%u", (unsigned)ways);
    return out;
}

static const char *print_split(const LpParallel *plan, uint32_t ways, const char *what,
                               char out[LP_WORDS_CUT]) {
    char text[LP_PLAN_WAYS_TEXT];
    if (plan != NULL)
        snprintf(out, LP_WORDS_CUT, "plan %.50s", lp_plan_ways(plan, text));
    else
        snprintf(out, LP_WORDS_CUT, "%u %s%s", (unsigned)ways, what, ways == 1 ? "" : "s");
    return out;
}

const char *lp_words_cut(const LpModel *model, const LpJob *job, char out[LP_WORDS_CUT]) {
    return lp_words_cut_by(model, job->placed.partition, lp_words_ways(job), out);
}

const char *lp_words_cut_by(const LpModel *model, uint32_t partition, uint32_t ways,
                            char out[LP_WORDS_CUT]) {
    return print_cut(plan_of(model, partition), ways, out);
}

const char *lp_words_cut_of(const LpCandidate *way, char out[LP_WORDS_CUT]) {
    return print_cut(way->plan.plan.tensor > 0 ? &way->plan.plan : NULL, way->degree, out);
}

const char *lp_words_split(const LpModel *model, const LpJob *job, char out[LP_WORDS_CUT]) {
    const char *what = job->graph < 0 ? "server" : "way";
    return print_split(plan_of(model, job->placed.partition), lp_words_ways(job), what, out);
}

const char *lp_words_split_of(const LpCandidate *way, char out[LP_WORDS_CUT]) {
    return print_split(way->plan.plan.tensor > 0 ? &way->plan.plan : NULL, way->degree, "way", out);
}

const char *lp_words_job(const LpModel *model, const LpJob *job, char out[LP_WORDS_JOB]) {
    int letter = lp_letters_ever(&model->letters, job->id);
    if (letter >= 0)
        snprintf(out, LP_WORDS_JOB, "%c", lp_letter(letter));
    else
        lp_str_copy(out, LP_WORDS_JOB, lp_job_label(model->scenario, job).text);
    return out;
}

void lp_words_place(const LpModel *model, uint32_t server, bool brief, LpBuf *out) {
    const LpFabric *f = &model->context->fabric;
    if (brief || f->groups <= 1)
        lp_words_servers(model, &server, 1, 1, out);
    else
        lp_buf_addf(out, "group %u, rack %u", (unsigned)lp_fabric_group(f, server),
                    (unsigned)lp_fabric_rack(f, server));
}

static void add_many(uint32_t count, const char *name, LpBuf *out) {
    lp_buf_addf(out, "%u %s%s", (unsigned)count, name, count == 1 ? "" : "s");
}

void lp_words_shape(const LpShape *shape, LpBuf *out) {
    char text[LP_SHAPE_TEXT];
    if (shape->diagonal) {
        lp_buf_add(out, lp_shape_print(shape, text));
        return;
    }
    add_many(shape->groups, "group", out);
    lp_buf_add(out, " x ");
    add_many(shape->racks, "rack", out);
    lp_buf_add(out, " x ");
    add_many(shape->servers, "server", out);
}

/* Whether a place was named before; the servers of a slice go to and fro between its cubes. */
enum { PLACES_MOST = 4096 };

static bool named_before(uint64_t seen[PLACES_MOST / 64], uint32_t place) {
    if (place >= PLACES_MOST)
        return false;
    bool before = seen[place / 64] >> place % 64 & 1;
    seen[place / 64] |= (uint64_t)1 << place % 64;
    return before;
}

/* Racks with a name of their own, such as leaves or cubes, are all that there is above a server. */
static bool has_own_racks(const LpBoardPlan *b) {
    return b->groups == 1 && b->rack && strcmp(b->rack, "rack") != 0;
}

/* "s19", "g2r1", or "cube 4" */
static void add_place(const LpModel *model, bool racks, uint32_t server, LpBuf *out) {
    const LpFabric *f = &model->context->fabric;
    if (!racks)
        lp_buf_addf(out, "s%u", (unsigned)server);
    else if (has_own_racks(&model->board))
        lp_buf_addf(out, "%s %u", model->board.rack, (unsigned)lp_fabric_rack(f, server));
    else
        lp_buf_addf(out, "g%ur%u", (unsigned)lp_fabric_group(f, server),
                    (unsigned)lp_fabric_rack(f, server));
}

void lp_words_servers(const LpModel *model, const uint32_t *server, uint32_t count, int most,
                      LpBuf *out) {
    const LpFabric *f = &model->context->fabric;
    bool racks = f->groups > 1 || f->racks > 1;
    uint64_t seen[PLACES_MOST / 64] = {0};
    uint32_t last = LP_NO_INDEX, named = 0, skipped = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = racks ? server[i] / f->per_rack : server[i];
        if (place == last || named_before(seen, place))
            continue;
        last = place;
        if ((int)named >= most) {
            skipped++;
            continue;
        }
        lp_buf_add(out, named++ ? " " : "");
        add_place(model, racks, server[i], out);
    }
    if (skipped)
        lp_buf_addf(out, " and %u more", (unsigned)skipped);
}

/* Groups and racks that servers lie in, by bits. */
typedef struct Span {
    uint64_t groups, racks;
    bool block; /* in each of these groups each of these racks */
} Span;

static uint32_t bits_of(uint64_t set) {
    uint32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static Span span_of(const LpFabric *f, const uint32_t *server, uint32_t count) {
    Span span = {0};
    uint32_t racks = 0, last = LP_NO_INDEX;
    if (f->groups > 64 || f->racks > 64 || f->racks < 2)
        return span;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rack = server[i] / f->per_rack;
        span.groups |= (uint64_t)1 << lp_fabric_group(f, server[i]);
        span.racks |= (uint64_t)1 << lp_fabric_rack(f, server[i]);
        racks += rack != last;
        last = rack;
    }
    span.block = racks == bits_of(span.groups) * bits_of(span.racks) && racks > 1;
    return span;
}

static void add_numbers(const char *letter, uint64_t set, LpBuf *out) {
    for (unsigned i = 0; i < 64; i++)
        if (set >> i & 1)
            lp_buf_addf(out, " %s%u", letter, i);
}

/* " g2 g3 r1 r2", " leaves 4 5" */
static void add_span(const LpBoardPlan *b, const Span *span, LpBuf *out) {
    if (has_own_racks(b)) {
        lp_buf_addf(out, " %s", b->rack_many);
        add_numbers("", span->racks, out);
        return;
    }
    add_numbers("g", span->groups, out);
    add_numbers("r", span->racks, out);
}

static LpWhy why_of(const LpModel *model, uint32_t job) {
    if (!model->ahead)
        return lp_session_why(model->session, job);
    LpMoment tip = {model->time.moment.branch, model->time.tip};
    return lp_session_why_at(model->session, tip, job);
}

/* "starts x4, g2 g3 r1 r2" */
static void print_start(const LpModel *model, const LpJob *job, LpBuf *out) {
    const LpStore *store = model->context->store;
    uint32_t ways = lp_words_ways(job);
    char cut[LP_WORDS_CUT];
    if (job->graph < 0)
        lp_buf_addf(out, "starts on %u server%s", (unsigned)ways, ways == 1 ? "" : "s");
    else
        lp_buf_addf(out, "starts %s", lp_words_cut(model, job, cut));
    if (strcmp(why_of(model, job->id).why, "by hand") == 0)
        lp_buf_add(out, " by hand");
    if (job->placed.placement == LP_NO_INDEX)
        return;
    const LpPlacement *placement = lp_store_placement(store, job->placed.placement);
    Span span = span_of(&model->context->fabric, placement->server, placement->servers);
    lp_buf_add(out, ",");
    if (span.block) {
        add_span(&model->board, &span, out);
        return;
    }
    lp_buf_add(out, " ");
    lp_words_servers(model, placement->server, placement->servers, 4, out);
}

static void print_block(const LpModel *model, const LpJob *job, LpBuf *out) {
    LpWhy why = why_of(model, job->id);
    const char *sentence = why.reason && *why.reason ? why.reason : why.why;
    if (!sentence || !*sentence)
        sentence = lp_cause_sentence((LpCause)job->cause);
    lp_buf_addf(out, "blocked: %s", sentence);
}

static void print_change(const LpModel *model, const LpEvent *event, LpBuf *out) {
    const LpChange *change = lp_world_change_of(model->world, event->serial);
    char text[LP_CONDITION_TEXT];
    if (change == NULL) {
        lp_buf_add(out, lp_event_name(event->kind));
        return;
    }
    lp_buf_add(out, lp_condition_text(&change->condition, model->context, text));
    if (change->stopped == 1)
        lp_buf_addf(out, ": %s is stopped",
                    lp_world_label(model->world, model->scenario, event->job).text);
    else if (change->stopped > 1)
        lp_buf_addf(out, ": %llu jobs are stopped", (unsigned long long)change->stopped);
}

/* "host 19 (cube 1)"; "something broken" where it was broken by hand. */
static void print_component(const LpModel *model, uint32_t fault, LpBuf *out) {
    char name[LP_COMPONENT_TEXT];
    const LpOutageEvent *e = lp_outages_of(model->context, lp_world_seed(model->world), fault);
    lp_buf_add(out, e != NULL ? lp_outages_text(model->context, e, name) : "something broken");
}

/* Slices that go on without some of their light. */
static void print_slower(const LpModel *model, const LpEvent *event, LpBuf *out) {
    uint32_t count = 0, first = LP_NO_INDEX;
    for (uint32_t i = 0; i < model->running_count; i++) {
        const LpJob *job = model->running[i].job;
        if (!(job->slice.drag > 0) || job->stops.by != event->fault)
            continue;
        first = count++ == 0 ? job->id : first;
    }
    if (count == 1)
        lp_buf_addf(out, ": %s goes on more slowly",
                    lp_world_label(model->world, model->scenario, first).text);
    else if (count > 1)
        lp_buf_addf(out, ": %u jobs go on more slowly", (unsigned)count);
}

/* What needs no more than the job, or nothing. */
static const char *plain_words(LpEventKind kind) {
    const LpEventFace *face = lp_event_face(kind);
    return face->line != NULL ? face->line : lp_event_name(kind);
}

static void say_arrival(const LpJob *job, LpBuf *out) {
    char text[LP_SHOW_TEXT];
    if (isinf(job->asked.max_jct))
        lp_buf_add(out, "arrives, no limit");
    else
        lp_buf_addf(out, "arrives, limit %s", lp_show_seconds(job->asked.max_jct, text));
}

static void say_completion(const LpJob *job, LpBuf *out) {
    char text[LP_SHOW_TEXT];
    lp_buf_addf(out, "done, JCT %s", lp_show_seconds(job->times.end - job->asked.arrival, text));
    if (isfinite(job->asked.max_jct))
        lp_buf_addf(
            out, ", %s of limit",
            lp_show_percent(lp_job_of_limit(job, job->times.end - job->asked.arrival), text));
}

/* What a job does that a failure stopped. */
static void say_stopped(const LpModel *model, const LpJob *job, LpEventKind kind, LpBuf *out) {
    lp_buf_add(out, kind == LP_EVENT_RESUME ? "goes on after "
                    : kind == LP_EVENT_HOLD
                        ? "keeps what it has and stands still until it is mended: "
                        : "given up after ");
    print_component(model, job->stops.by, out);
    if (kind != LP_EVENT_HOLD)
        lp_buf_add(out, " broke");
}

static void say_of_job(const LpModel *model, const LpJob *job, LpEventKind kind, LpBuf *out) {
    switch (kind) {
    case LP_EVENT_ARRIVAL:
        say_arrival(job, out);
        return;
    case LP_EVENT_START:
        print_start(model, job, out);
        return;
    case LP_EVENT_COMPLETION:
        say_completion(job, out);
        return;
    case LP_EVENT_BLOCK:
        print_block(model, job, out);
        return;
    case LP_EVENT_RESUME:
    case LP_EVENT_HOLD:
    case LP_EVENT_ABORT:
        say_stopped(model, job, kind, out);
        return;
    default:
        lp_buf_add(out, plain_words(kind));
        return;
    }
}

static void say_event(const LpModel *model, const LpEvent *event, bool number, LpBuf *out) {
    if (event->kind == LP_EVENT_CONDITION) {
        print_change(model, event, out);
        return;
    }
    if (event->kind == LP_EVENT_FAILURE || event->kind == LP_EVENT_REPAIR) {
        /* "host 19 (cube 1) breaks: job 0 is stopped" */
        print_component(model, event->fault, out);
        lp_buf_add(out, event->kind == LP_EVENT_FAILURE ? " breaks" : " is mended");
        if (event->kind == LP_EVENT_FAILURE && event->job != LP_NO_INDEX)
            lp_buf_addf(out, ": %s is stopped",
                        lp_world_label(model->world, model->scenario, event->job).text);
        else if (event->kind == LP_EVENT_FAILURE)
            print_slower(model, event, out);
        return;
    }
    if (event->job == LP_NO_INDEX) {
        lp_buf_add(out, plain_words(event->kind));
        return;
    }
    const LpJob *job = lp_world_job(model->world, event->job);
    int letter = lp_letters_ever(&model->letters, job->id);
    if (letter >= 0)
        lp_buf_addf(out, "%c ", lp_letter(letter));
    lp_buf_addf(out, "%s ",
                letter < 0 || number ? lp_words_name(model, job).text : lp_words_graph(model, job));
    say_of_job(model, job, event->kind, out);
}

void lp_words_event(const LpModel *model, const LpEvent *event, LpBuf *out) {
    say_event(model, event, true, out);
}

void lp_words_event_brief(const LpModel *model, const LpEvent *event, LpBuf *out) {
    say_event(model, event, false, out);
}

/* ---- times ---- */

/* "" where times are no dates. */
static const char *date_of(const LpModel *model, double time, LpDateForm form,
                           char out[LP_DATE_TEXT]) {
    out[0] = '\0';
    if (model->scenario->epoch.given)
        lp_scenario_date(model->scenario, time, form, out);
    return out;
}

const char *lp_words_clock(const LpModel *model, double time, char out[LP_SHOW_TEXT]) {
    char date[LP_DATE_TEXT];
    if (*date_of(model, time, lp_date_form_rows(model->marks.scale), date))
        return lp_str_copy(out, LP_SHOW_TEXT, date);
    return lp_show_clock(time, model->marks.scale, out);
}

static const char *print_time(const LpModel *model, double time, const char *front,
                              char out[LP_WORDS_TIME]) {
    char date[LP_DATE_TEXT], clock[LP_SHOW_TEXT];
    if (*date_of(model, time, LP_DATE_WHOLE, date))
        return lp_str_copy(out, LP_WORDS_TIME, date);
    snprintf(out, LP_WORDS_TIME, "%s%s s", front, lp_show_clock(time, model->marks.scale, clock));
    return out;
}

const char *lp_words_at(const LpModel *model, double time, char out[LP_WORDS_TIME]) {
    return print_time(model, time, "", out);
}

const char *lp_words_time(const LpModel *model, double time, char out[LP_WORDS_TIME]) {
    return print_time(model, time, "t ", out);
}

const char *lp_words_axis(const LpModel *model, double time, double span, char out[LP_SHOW_TEXT]) {
    char date[LP_DATE_TEXT];
    if (*date_of(model, time, lp_date_form_axis(span), date))
        return lp_str_copy(out, LP_SHOW_TEXT, date);
    return lp_show_seconds(time, out);
}

void lp_words_event_at(const LpModel *model, const LpEvent *event, LpBuf *out) {
    char at[LP_SHOW_TEXT];
    lp_buf_addf(out, "%s ", lp_words_clock(model, event->time, at));
    lp_words_event(model, event, out);
}

LpStyle lp_words_verdict(const LpJob *job, const LpForecast *forecast, bool allowed,
                         uint32_t free_after, bool brief, LpBuf *out) {
    char text[LP_SHOW_TEXT];
    double late = forecast->finish - lp_job_deadline(job);
    if (!forecast->feasible) {
        lp_buf_add(out, forecast->why[0] ? forecast->why : lp_cause_sentence(forecast->cause));
        return LP_ROLE_MUTED;
    }
    if (forecast->cause == LP_CAUSE_DEADLINE) {
        if (late > 0.0 && isfinite(late))
            lp_buf_addf(out, "late by %s", lp_show_seconds(late, text));
        else
            lp_buf_add(out, lp_cause_sentence(LP_CAUSE_DEADLINE));
        return LP_ROLE_BAD;
    }
    if (forecast->cause != LP_CAUSE_NONE) {
        lp_buf_add(out, forecast->why[0] ? forecast->why : lp_cause_sentence(forecast->cause));
        return LP_ROLE_BAD;
    }
    if (!allowed) {
        lp_buf_add(out, "not a degree that the rules allow");
        return LP_ROLE_MUTED;
    }
    const char *fits = isinf(job->asked.max_jct) ? "fits" : "in time";
    if (brief)
        lp_buf_addf(out, "%s, %u free", fits, (unsigned)free_after);
    else
        lp_buf_addf(out, "%s, %u stay%s free", fits, (unsigned)free_after,
                    free_after == 1 ? "s" : "");
    return LP_ROLE_GOOD;
}

void lp_words_cost(const LpModel *model, LpBuf *out) {
    const LpDecision *decision = &model->decision;
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], share[LP_SHOW_TEXT];
    if (!model->policy.source) {
        lp_buf_add(out, "the engine's own rule decides");
        return;
    }
    if (decision->asked == 0) {
        lp_buf_add(out, "not known");
        return;
    }
    lp_buf_addf(
        out, "%s prediction%s, %s instructions, %s of the budget",
        lp_show_count(decision->predictions, a), decision->predictions == 1 ? "" : "s",
        lp_show_count(decision->instructions, b),
        lp_show_percent((double)decision->instructions / (double)model->policy.budget, share));
}
