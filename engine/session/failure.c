/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures of a policy: gathered where they happen, found by moment, told in words and in JSON. */
#include "session/failure.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "script/sandbox/fault.h"
#include "session/session_impl.h"
#include "sim/facts/identity.h"
#include "sim/world.h"

enum { AROUND = 3, WIDEST = 160 };

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* ---- gathering ---- */

static const char *keep_buf(LpSession *s, LpBuf *text) {
    const char *kept = text->failed ? NULL : lp_arena_strdup(s->failed.room, lp_buf_text(text));
    lp_buf_fini(text);
    return kept;
}

static const char *keep_what(LpSession *s, uint32_t job) {
    const LpWorld *w = s->world;
    const LpTally *tally = lp_world_tally(w);
    LpBuf out = {0};
    char graph[120];
    if (job != LP_NO_INDEX) {
        const LpJob *j = lp_world_job(w, job);
        lp_buf_addf(&out, "job %u: %s, %.17g steps, arrived at %.6g s; ", (unsigned)job,
                    j->graph < 0
                        ? "rigid"
                        : lp_str_show(graph, sizeof graph, s->scenario->graph[j->graph]->id),
                    j->asked.steps, j->asked.arrival);
    }
    lp_buf_addf(&out, "cluster: %u of %u servers free, %llu job%s running, %llu waiting",
                (unsigned)lp_world_free_servers(w), (unsigned)lp_world_servers(w),
                (unsigned long long)tally->running, lp_str_s(tally->running),
                (unsigned long long)tally->waiting);
    return keep_buf(s, &out);
}

static void add_line(LpBuf *out, const char *text, size_t len, int line, bool guilty) {
    lp_buf_addf(out, "%s%4d | ", guilty ? "> " : "  ", line);
    lp_str_escape(out, text, len < WIDEST ? len : WIDEST);
    lp_buf_add(out, "\n");
}

/* Lines around the error, if it lies in the policy's own file. */
static const char *keep_source(LpSession *s, const LpDiag *error) {
    const char *at = s->loaded.policy != NULL ? lp_policy_source(s->loaded.policy) : "";
    LpBuf out = {0};
    bool own = s->loaded.policy != NULL && error->line > 0 &&
               strcmp(base_name(error->file), base_name(lp_policy_path(s->loaded.policy))) == 0;
    for (int line = 1; own && *at != '\0' && line <= error->line + AROUND; line++) {
        size_t len = strcspn(at, "\n");
        if (line >= error->line - AROUND)
            add_line(&out, at, len, line, line == error->line);
        at += len + (at[len] == '\n');
    }
    return keep_buf(s, &out);
}

static bool same(const LpFailure *a, const LpFailure *b) {
    return a->branch == b->branch && a->events == b->events && a->job == b->job &&
           strcmp(a->call, b->call) == 0 && strcmp(a->error.text, b->error.text) == 0;
}

static uint32_t job_of(const LpSession *s, const char *call) {
    bool decides = strncmp(call, "review", 6) != 0 && strncmp(call, "order_queue", 11) != 0 &&
                   strncmp(call, "configure", 9) != 0 && strncmp(call, "queue_key", 9) != 0 &&
                   strncmp(call, "failure", 7) != 0;
    return decides ? lp_world_due(s->world) : LP_NO_INDEX;
}

void lp_session_keep_failure(LpSession *s, const LpDiag *error) {
    if (s->failed.count >= LP_FAILURES_KEPT || s->loaded.policy == NULL)
        return;
    if (s->failed.room == NULL && (s->failed.room = lp_arena_new(0)) == NULL)
        return;
    LpFailure f = {.error = *error, .time = lp_world_now(s->world)};
    if (f.error.kind == NULL)
        f.error.kind = lp_fault_name(LP_FAULT_REFUSED);
    f.call = lp_arena_strdup(s->failed.room, lp_policy_call(s->loaded.policy));
    f.job = f.call != NULL ? job_of(s, f.call) : LP_NO_INDEX;
    f.events = lp_world_tally(s->world)->events;
    f.decision = lp_world_tally(s->world)->decisions + (f.job != LP_NO_INDEX);
    f.branch = s->timeline != NULL ? s->timeline->current : 0;
    f.what = keep_what(s, f.job);
    f.traceback = lp_arena_strdup(s->failed.room, lp_policy_traceback(s->loaded.policy));
    f.source = keep_source(s, &f.error);
    if (!f.call || !f.what || !f.traceback || !f.source)
        return; /* it is told about in the message all the same */
    if (s->failed.count > 0 && same(&s->failed.failure[s->failed.count - 1], &f))
        return; /* asked again */
    if (lp_grow((void **)&s->failed.failure, &s->failed.cap, s->failed.count + 1, sizeof f) ==
        LP_OK)
        s->failed.failure[s->failed.count++] = f;
}

/* ---- finding ---- */

size_t lp_session_failures(const LpSession *s) {
    return s->failed.count;
}

const LpFailure *lp_session_failure(const LpSession *s, size_t index) {
    return &s->failed.failure[index];
}

/* Hooks are asked at the start of a step, but for review and configure, which follow its event. */
static bool in_step(const LpFailure *f, uint64_t before, uint64_t after) {
    bool follows = strncmp(f->call, "review", 6) == 0 || strncmp(f->call, "configure", 9) == 0;
    return follows ? f->events > before && f->events <= after
                   : f->events >= before && f->events < after;
}

const LpFailure *lp_session_failure_here(const LpSession *s) {
    const LpTimeline *t = s->timeline;
    size_t index;
    if (t == NULL || t->step == 0)
        return s->calls.failed && s->failed.count > 0 ? &s->failed.failure[s->failed.count - 1]
                                                      : NULL;
    const LpBranch *owner = lp_timeline_owner(t, t->current, t->step, &index);
    uint64_t after = lp_timeline_mark(t, t->current, t->step)->events;
    uint64_t before = lp_timeline_mark(t, t->current, t->step - 1)->events;
    for (size_t i = s->failed.count; i-- > 0;)
        if (lp_timeline_branch(t, s->failed.failure[i].branch) == owner &&
            in_step(&s->failed.failure[i], before, after))
            return &s->failed.failure[i];
    return NULL;
}

/* ---- a policy that says nothing that counts ---- */

/* ---- a run that would not end ---- */

static uint32_t first_unfinished(const LpWorld *world) {
    for (uint32_t j = 0; j < lp_world_jobs(world); j++)
        if (lp_world_job(world, j)->outcome == LP_JOB_UNFINISHED)
            return j;
    return LP_NO_INDEX;
}

static void add_left(const LpSession *s, LpBuf *out) {
    uint64_t left = lp_world_tally(s->world)->unfinished;
    uint32_t first = first_unfinished(s->world);
    lp_buf_addf(out, "%" PRIu64 " job%s unfinished", left, left == 1 ? " is" : "s are");
    if (first == LP_NO_INDEX)
        return;
    const LpJob *job = lp_world_job(s->world, first);
    lp_buf_addf(out, "; %s", lp_job_label(s->scenario, job).text);
    if (job->stops.count > 0)
        lp_buf_addf(out, " was stopped %" PRIu32 " time%s by a failure and", job->stops.count,
                    lp_str_s(job->stops.count));
    lp_buf_addf(out, " has done %.3g %% of its work",
                100 * job->work.steps_done / job->asked.steps);
}

bool lp_session_stuck(const LpSession *s, LpBuf *out) {
    LpStuck stuck = lp_world_stuck(s->world);
    char now[32];
    if (stuck == LP_STUCK_NOT)
        return false;
    lp_quantity_print(lp_world_now(s->world), LP_DIM_TIME, now, sizeof now);
    if (stuck == LP_STUCK_IDLE)
        lp_buf_addf(out, "at %s nothing would ever happen again: ", now);
    else
        lp_buf_addf(out,
                    "the run cannot end, it was stopped at %s: failures, repairs and decisions "
                    "about light went on and brought no job further; ",
                    now);
    add_left(s, out);
    return true;
}

bool lp_session_all_failed(const LpSession *s, LpBuf *out) {
    const LpTally *tally = lp_world_tally(s->world);
    uint64_t failed = tally->blocked_by[LP_CAUSE_POLICY_ERROR];
    uint64_t refused = tally->blocked_by[LP_CAUSE_REFUSED];
    if (s->loaded.policy == NULL)
        return false;
    if (s->calls.record.calls > 0 && s->calls.record.failed == s->calls.record.calls) {
        lp_buf_addf(out,
                    "the policy decided nothing: every call of it failed, %" PRIu64 " of %" PRIu64,
                    s->calls.record.failed, s->calls.record.calls);
        return true;
    }
    if (tally->arrived == 0 || failed + refused < tally->arrived)
        return false;
    lp_buf_addf(out, "the policy decided nothing: of %" PRIu64 " job%s ", tally->arrived,
                lp_str_s(tally->arrived));
    if (failed > 0)
        lp_buf_addf(out, "%" PRIu64 " %s lost to a failure of it%s", failed,
                    failed == 1 ? "was" : "were", refused > 0 ? ", " : "");
    if (refused > 0)
        lp_buf_addf(out, "%" PRIu64 " had an answer that was refused", refused);
    if (refused > 0 && s->calls.first_refusal[0] != '\0') {
        lp_buf_addf(out, ", first for job %" PRIu32 ": ", s->calls.refused_job);
        lp_str_escape(out, s->calls.first_refusal, strlen(s->calls.first_refusal));
    }
    return true;
}

/* ---- telling ---- */

static void add_indented(LpBuf *out, const char *text) {
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        lp_buf_add(out, "    ");
        lp_buf_add_bytes(out, text, len);
        lp_buf_add(out, "\n");
        text += len + (text[len] == '\n');
    }
}

void lp_failure_place(const LpFailure *f, char *out, size_t size) {
    LpBuf text = {0};
    if (f->error.line > 0)
        lp_buf_addf(&text, "%s:%d", base_name(f->error.file), f->error.line);
    lp_str_copy(out, size, lp_buf_text(&text));
    lp_buf_fini(&text);
}

void lp_failure_text(const LpFailure *f, LpBuf *out) {
    lp_buf_addf(out, "  %s in %s, decision %" PRIu64 ", at %.6g s\n", f->error.kind,
                f->call[0] ? f->call : "the policy", f->decision, f->time);
    lp_buf_addf(out, "  %s\n", f->what);
    if (f->source[0])
        lp_buf_addf(out, "  %s:\n", base_name(f->error.file));
    add_indented(out, f->source);
    if (f->traceback[0])
        lp_buf_add(out, "  calls under way:\n");
    add_indented(out, f->traceback);
}

void lp_failure_json(const LpScenario *scenario, const LpFailure *f, LpJsonOut *out) {
    bool placed = f->error.line > 0;
    char hook[32] = "";
    size_t len = strcspn(f->call, "(");
    if (len < sizeof hook)
        memcpy(hook, f->call, len);
    lp_json_open(out, NULL, '{');
    lp_json_put_text(out, "kind", f->error.kind);
    lp_json_put_text(out, "hook", hook);
    lp_json_put_count(out, "decision", f->decision);
    lp_json_put_number(out, "time", lp_scenario_time(scenario, f->time));
    lp_json_put_index(out, "job", f->job);
    lp_json_put_text(out, "file", placed ? base_name(f->error.file) : NULL);
    lp_json_put_number(out, "line", placed ? f->error.line : (double)NAN);
    lp_json_put_text(out, "message", f->error.text);
    lp_json_put_text(out, "call", f->call);
    lp_json_put_text(out, "arguments", f->what);
    lp_json_put_text(out, "traceback", f->traceback);
    lp_json_close(out, '}');
}
