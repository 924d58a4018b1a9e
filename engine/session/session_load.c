/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a session file: line by line, every step carried out again, up to its end or to where it
 * is damaged. */
#include <string.h>

#include "base/hash.h"
#include "host/paths.h"
#include "io/files/chain.h"
#include "io/files/file.h"
#include "io/files/watch.h"
#include "io/scenario/scenario.h"
#include "session/file.h"
#include "session/lines.h"
#include "session/verify.h"

enum { BRANCHES_MAX = 4096 };

static const size_t DEFAULT_MAX = (size_t)1 << 30;

/* A policy of the file. */
typedef struct Policy {
    LpPolicyLine line;
    uint32_t home; /* LP_NO_INDEX: not loaded yet */
} Policy;

/* A branch of the file. */
typedef struct Branch {
    bool known, ended; /* ended: nothing more of it is taken */
    uint32_t index;    /* in the session */
    uint64_t verified; /* last step whose state was the recorded one */
} Branch;

typedef struct Load {
    const LpLoadSpec *spec;
    LpLoadReport *report;
    LpChainReader reader;
    LpArena *arena, *line; /* of the load, of the line at hand */
    LpHeadLine head;
    LpKept *kept; /* the session's as soon as there is one */
    LpSealed *sealed;
    LpSession *session;
    Policy *policy;
    size_t policies, policies_cap;
    Branch *branch;
    size_t branches, branches_cap;
    bool stop;     /* nothing more is to be read */
    uint32_t last; /* branch that was written last */
} Load;

static LpErr misplaced(LpJsonValue line, const char *what, LpDiag *diag) {
    return lp_json_fail(line, diag, LP_EINVAL, "%s", what);
}

/* ---- where it begins ---- */

static LpErr take_head(Load *l, LpJsonValue line, LpDiag *diag) {
    if (l->head.version != NULL)
        return misplaced(line, "a second head line", diag);
    double most = l->spec->max_memory > 0 ? (double)l->spec->max_memory : (double)DEFAULT_MAX;
    LP_TRY(lp_line_head(line, l->arena, &l->head, diag));
    if (l->head.max_memory > most)
        return lp_json_fail(line, diag, LP_ELIMIT,
                            "the session was opened with --max-memory %.0f: expected at least that",
                            l->head.max_memory);
    lp_str_show(l->report->version, sizeof l->report->version, l->head.version);
    return LP_OK;
}

static LpErr take_scenario(Load *l, LpJsonValue line, LpDiag *diag) {
    LpJsonValue scenario = lp_json_member(line, "scenario");
    LpBuf text = {0};
    if (l->session != NULL || l->kept->scenario != NULL || scenario.item == NULL)
        return misplaced(line, "expected one scenario before the first branch", diag);
    lp_json_print(scenario, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (err == LP_OK) {
        l->kept->scenario = lp_arena_strdup(l->kept->arena, lp_buf_text(&text));
        l->kept->name = lp_arena_strdup(l->kept->arena, l->head.scenario);
        if (l->kept->scenario == NULL || l->kept->name == NULL)
            err = lp_fail_memory(diag, "a session");
    }
    if (err == LP_OK && l->head.defaults < LP_SESSION_DEFAULTS)
        err = lp_older_scenario(l->kept->name, l->kept->arena, &l->kept->scenario, diag);
    lp_buf_fini(&text);
    return err;
}

static LpErr take_file(Load *l, LpJsonValue line, LpDiag *diag) {
    if (l->session != NULL)
        return misplaced(line, "a file of the scenario after its first branch", diag);
    return lp_line_file(line, l->kept, diag);
}

static LpErr take_policy(Load *l, LpJsonValue line, LpDiag *diag) {
    Policy policy = {.home = LP_NO_INDEX};
    void *items = l->policy;
    LP_TRY(lp_line_policy(line, l->policies, l->sealed, &policy.line, diag));
    if (lp_grow(&items, &l->policies_cap, l->policies + 1, sizeof *l->policy) != LP_OK)
        return lp_fail_memory(diag, "a session");
    l->policy = items;
    l->policy[l->policies++] = policy;
    return LP_OK;
}

/* The session itself, still without any policy: those are loaded when a branch names them. */
static LpErr make_session(Load *l, LpJsonValue line, LpDiag *diag) {
    LpPaths paths;
    LpScenario *scenario;
    LpSessionSpec spec = {.has_seed = true,
                          .seed = l->head.seed,
                          .until = l->head.until,
                          .keep_events = true,
                          .keep_explain = l->spec->keep_explain,
                          .keep_timeline = true,
                          .max_memory = (size_t)l->head.max_memory,
                          .log = l->spec->log};
    if (l->kept->scenario == NULL)
        return misplaced(line, "a branch before the scenario", diag);
    LpFiles files = lp_kept_files(l->kept);
    LpLoadOptions options = {.files = &files};
    LP_TRY(lp_scenario_parse(l->kept->scenario, strlen(l->kept->scenario), l->kept->name, &options,
                             &scenario, diag));
    scenario->policy.path = NULL;
    scenario->policy.params = 0;
    LpKept *kept = l->kept;
    LpSealed *sealed = l->sealed;
    l->kept = NULL;
    l->sealed = NULL;
    LP_TRY(lp_session_make(scenario, kept, sealed, NULL, &spec, lp_paths_dirs(&paths), &l->session,
                           diag));
    l->sealed = sealed;
    return LP_OK;
}

/* ---- policies ---- */

static LpErr load_home(Load *l, const LpPolicyLine *policy, LpDiag *diag) {
    LpSession *s = l->session;
    LpPolicyHome *homes = lp_realloc(s->home, (size_t)s->homes + 1, sizeof *homes);
    if (homes == NULL)
        return lp_fail_memory(diag, "a policy");
    s->home = homes;
    LP_TRY(lp_session_load_home(s, policy->path, policy->params, policy->param, &s->home[s->homes],
                                diag));
    s->homes++;
    return LP_OK;
}

/* The home of a policy of the file; 0, the engine's own rule, for none and one that fails. */
static LpErr home_of(Load *l, const LpBranchLine *line, uint32_t *home, LpDiag *diag) {
    LpDiag why = {0};
    *home = 0;
    if (!line->has_policy)
        return LP_OK;
    if (line->policy >= l->policies)
        return lp_fail(diag, LP_EINVAL, "there is no policy %llu in the session",
                       (unsigned long long)line->policy);
    Policy *policy = &l->policy[line->policy];
    if (policy->home == LP_NO_INDEX) {
        LpErr err = load_home(l, &policy->line, &why);
        if (lp_play_ran_out(err)) {
            if (diag != NULL)
                *diag = why;
            return err;
        }
        policy->home = err == LP_OK ? l->session->homes - 1 : 0;
        if (err != LP_OK && !l->report->policy_failed) {
            l->report->policy_failed = true;
            lp_diag_format(&why, l->report->policy_error, sizeof l->report->policy_error);
        }
    }
    *home = policy->home;
    return LP_OK;
}

static void set_home(LpSession *s, uint32_t branch, uint32_t home) {
    lp_timeline_branch(s->timeline, branch)->policy = home;
    lp_session_enter(s, s->timeline->current);
    lp_session_forget(s);
}

/* ---- branches ---- */

static LpErr find(Load *l, uint64_t number, Branch **out, LpDiag *diag) {
    if (number >= l->branches || !l->branch[number].known)
        return lp_fail(diag, LP_EINVAL, "there is no branch %llu in the session",
                       (unsigned long long)number);
    *out = &l->branch[number];
    return LP_OK;
}

static LpErr go_to_tip(Load *l, uint32_t index, LpDiag *diag) {
    return lp_session_visit(l->session, index, lp_timeline_tip(l->session->timeline, index), diag);
}

/* Forks from a parent that may have ended before. */
static LpErr fork(Load *l, const LpBranchLine *line, const char *what, Branch *out, LpDiag *diag) {
    LpSession *s = l->session;
    Branch *parent = NULL;
    LP_TRY(find(l, line->parent, &parent, diag));
    uint64_t tip = lp_session_tip(s, parent->index);
    bool gone = lp_timeline_branch(s->timeline, parent->index)->deleted;
    *out = (Branch){.known = true, .ended = true};
    if (gone || (line->step > tip && parent->ended))
        return LP_OK;
    if (line->step > tip)
        return lp_fail(diag, LP_EINVAL, "branch %llu begins at a step that its parent has not",
                       (unsigned long long)line->branch);
    if (lp_session_branch_find(s, line->name) >= 0)
        return lp_fail(diag, LP_EINVAL, "two branches have one name");
    LP_TRY(lp_session_visit(s, parent->index, line->step, diag));
    LpForkSpec spec = {.name = line->name};
    uint32_t index;
    LP_TRY(lp_session_fork(s, &spec, &index, diag));
    LP_TRY(lp_timeline_describe(s->timeline, index, what, diag));
    *out = (Branch){.known = true, .index = index, .verified = line->step};
    return LP_OK;
}

static LpErr trunk(Load *l, LpJsonValue line, const LpBranchLine *b, Branch *out, LpDiag *diag) {
    if (b->branch != 0 || b->has_parent)
        return misplaced(line, "the first branch is not the trunk", diag);
    LP_TRY(make_session(l, line, diag));
    *out = (Branch){.known = true};
    return strcmp(b->name, "main") == 0 ? LP_OK : lp_session_rename(l->session, 0, b->name, diag);
}

static LpErr take_branch(Load *l, LpJsonValue line, LpDiag *diag) {
    LpBranchLine b;
    Branch fresh;
    uint32_t home = 0;
    void *items = l->branch;
    const char *what = lp_json_text(lp_json_member(line, "what"));
    LP_TRY(lp_line_branch(line, l->line, &b, diag));
    if (b.name == NULL || b.branch >= BRANCHES_MAX || b.branch < l->branches ||
        (l->session != NULL && !b.has_parent))
        return misplaced(line, "expected a name, a parent and the next number of a branch", diag);
    if (lp_grow(&items, &l->branches_cap, (size_t)b.branch + 1, sizeof *l->branch) != LP_OK)
        return lp_fail_memory(diag, "a session");
    l->branch = items;
    LP_TRY(l->session == NULL ? trunk(l, line, &b, &fresh, diag)
                              : fork(l, &b, what != NULL ? what : "", &fresh, diag));
    while (l->branches <= b.branch)
        l->branch[l->branches++] = (Branch){0};
    l->branch[b.branch] = fresh;
    if (fresh.ended)
        return LP_OK;
    LP_TRY(home_of(l, &b, &home, diag));
    set_home(l->session, fresh.index, home);
    return LP_OK;
}

static LpErr take_rename(Load *l, LpJsonValue line, LpDiag *diag) {
    LpBranchLine b;
    Branch *branch = NULL;
    LP_TRY(lp_line_branch(line, l->line, &b, diag));
    LP_TRY(find(l, b.branch, &branch, diag));
    if (b.name == NULL)
        return misplaced(line, "the key \"name\" is missing", diag);
    return branch->ended ? LP_OK : lp_session_rename(l->session, branch->index, b.name, diag);
}

static LpErr take_delete(Load *l, LpJsonValue line, LpDiag *diag) {
    LpBranchLine b;
    Branch *branch = NULL;
    LP_TRY(lp_line_branch(line, l->line, &b, diag));
    LP_TRY(find(l, b.branch, &branch, diag));
    if (branch->index == 0 && !branch->ended)
        return misplaced(line, "the trunk cannot be deleted", diag);
    if (branch->index != 0 && !lp_timeline_branch(l->session->timeline, branch->index)->deleted) {
        LP_TRY(go_to_tip(l, 0, diag));
        LP_TRY(lp_session_delete(l->session, branch->index, diag));
    }
    branch->ended = true;
    return LP_OK;
}

static LpErr take_decides(Load *l, LpJsonValue line, LpDiag *diag) {
    LpBranchLine b;
    Branch *branch = NULL;
    uint32_t home = 0;
    LP_TRY(lp_line_branch(line, l->line, &b, diag));
    LP_TRY(find(l, b.branch, &branch, diag));
    if (branch->ended)
        return LP_OK;
    LP_TRY(home_of(l, &b, &home, diag));
    set_home(l->session, branch->index, home);
    return LP_OK;
}

/* ---- steps ---- */

static LpErr check_records(const LpSession *s, const LpLog *log, LpDiag *diag) {
    for (size_t i = 0; i < lp_log_count(log); i++) {
        const LpRecord *r = lp_log_at(log, i);
        uint32_t jobs = lp_world_jobs(s->world), ops = 0;
        bool answer = r->kind == LP_RECORD_PARTITION || r->kind == LP_RECORD_PLACE;
        if (answer && r->subject >= jobs)
            return lp_fail(diag, LP_EINVAL, "there is no job %u at this step", r->subject);
        int32_t graph = answer ? lp_world_job(s->world, r->subject)->graph : -1;
        if (graph >= 0)
            ops = s->scenario->graph[graph]->ops;
        LP_TRY(lp_line_check_record(r, ops, diag));
    }
    return LP_OK;
}

/* Ends the branch at its last moment that is known to be right and that nobody was forked after. */
static LpErr cut_branch(Load *l, Branch *branch, LpDiag *diag) {
    LpSession *s = l->session;
    LpTimeline *t = s->timeline;
    LpWorld *world;
    uint64_t step = branch->verified;
    for (uint32_t i = 0; i < t->branches; i++) {
        const LpBranch *child = lp_timeline_branch(t, i);
        if (!child->deleted && child->parent == branch->index && child->forked_at > step)
            step = child->forked_at;
    }
    lp_timeline_cut(t, branch->index, step);
    LP_TRY(lp_timeline_world(t, branch->index, step, &world, diag));
    lp_world_free(s->world);
    s->world = world;
    t->step = step;
    const LpMark *mark = lp_timeline_mark(t, branch->index, step);
    s->acting.at = mark->acted_at;
    s->acting.count = mark->acted;
    lp_session_forget(s);
    branch->ended = true;
    return LP_OK;
}

static LpErr differs(Load *l, Branch *branch, const LpDifference *d, LpDiag *diag) {
    LpLoadReport *r = l->report;
    LpBranchInfo info;
    if (r->differences++ == 0 && lp_session_branch(l->session, branch->index, &info) == LP_OK) {
        lp_str_show(r->branch, sizeof r->branch, info.name);
        r->decision = d->decision;
        r->step = d->step;
        r->time = d->time;
        r->job = d->job;
        lp_str_show(r->recorded, sizeof r->recorded, d->recorded);
        lp_str_show(r->now, sizeof r->now, d->now);
    }
    if (l->spec->verify) {
        l->stop = true;
        return LP_OK;
    }
    return cut_branch(l, branch, diag);
}

static LpErr play_line(Load *l, Branch *branch, const LpStepLine *line, const LpLog *log,
                       LpDiag *diag) {
    LpSession *s = l->session;
    LpDifference d = {0};
    LpErr err = LP_OK;
    for (size_t i = 0; err == LP_OK && i < line->quiets; i++) {
        LpReplayed quiet = {.records = {.events = line->quiet[i]}};
        err = lp_play_step(s, log, &quiet, l->spec->verify, &d, diag);
    }
    if (err == LP_OK)
        LP_TRY(check_records(s, log, diag));
    LpReplayed last = {.records = {0, lp_log_count(log), line->events, line->over},
                       .hand = line->hand,
                       .acted = (uint32_t)line->acted,
                       .time = line->time,
                       .hash = line->has_hash ? &line->hash : NULL};
    if (err == LP_OK)
        err = lp_play_step(s, log, &last, l->spec->verify, &d, diag);
    if (err == LP_EREFUSED)
        return differs(l, branch, &d, diag);
    LP_TRY(err);
    if (line->has_hash)
        branch->verified = line->step;
    l->report->steps += line->quiets + 1;
    return LP_OK;
}

static LpErr take_step_with(Load *l, LpJsonValue json, LpLog *log, LpDiag *diag) {
    LpStepLine line;
    Branch *branch = NULL;
    LP_TRY(lp_line_step(json, l->line, log, &line, diag));
    LP_TRY(find(l, line.branch, &branch, diag));
    if (branch->ended)
        return LP_OK;
    uint64_t tip = lp_session_tip(l->session, branch->index);
    if (line.quiets >= line.step || line.step - line.quiets != tip + 1)
        return lp_json_fail(json, diag, LP_EINVAL, "step %llu comes where %llu was expected",
                            (unsigned long long)line.step, (unsigned long long)tip + 1);
    LP_TRY(go_to_tip(l, branch->index, diag));
    l->last = branch->index;
    return play_line(l, branch, &line, log, diag);
}

static LpErr take_step(Load *l, LpJsonValue line, LpDiag *diag) {
    LpLog *log = lp_log_new();
    if (log == NULL)
        return lp_fail_memory(diag, "a session");
    LpErr err = take_step_with(l, line, log, diag);
    lp_log_free(log);
    return err;
}

static LpErr take_end(Load *l, LpJsonValue line, LpDiag *diag) {
    LpBranchLine b;
    Branch *branch = NULL;
    LP_TRY(lp_line_branch(line, l->line, &b, diag));
    LP_TRY(find(l, b.branch, &branch, diag));
    l->report->ended = true;
    if (branch->ended && branch->index == 0)
        return LP_OK;
    if (lp_timeline_branch(l->session->timeline, branch->index)->deleted)
        return LP_OK;
    uint64_t tip = lp_session_tip(l->session, branch->index);
    l->last = branch->index;
    return lp_session_visit(l->session, branch->index, b.step < tip ? b.step : tip, diag);
}

/* ---- lines ---- */

static const struct {
    const char *kind;
    bool early; /* may come before the first branch */
    LpErr (*take)(Load *l, LpJsonValue line, LpDiag *diag);
} takers[] = {
    {"step", false, take_step},        {"branch", true, take_branch},
    {"policy", true, take_policy},     {"decides", false, take_decides},
    {"rename", false, take_rename},    {"delete", false, take_delete},
    {"end", false, take_end},          {"head", true, take_head},
    {"scenario", true, take_scenario}, {"file", true, take_file},
};

static LpErr take_line(Load *l, LpJsonValue line, LpDiag *diag) {
    const char *kind;
    char shown[64];
    LP_TRY(lp_line_kind(line, &kind, diag));
    l->report->ended = false;
    if (l->head.version == NULL && strcmp(kind, "head") != 0)
        return misplaced(line, "expected {\"lightpath-session\": 1, ... first", diag);
    for (size_t i = 0; i < LP_COUNTOF(takers); i++) {
        if (strcmp(takers[i].kind, kind) != 0)
            continue;
        if (l->session == NULL && !takers[i].early)
            return misplaced(line, "expected the scenario and its trunk first", diag);
        return takers[i].take(l, line, diag);
    }
    return lp_json_fail(line, diag, LP_EINVAL, "unknown kind of line \"%s\"",
                        lp_str_show(shown, sizeof shown, kind));
}

/* One line; *end at the end of the file. Messages name the file and the line. */
static LpErr next_line(Load *l, bool *end, LpDiag *diag) {
    LpJson *doc;
    LP_TRY(lp_chain_next(&l->reader, &doc, diag));
    *end = doc == NULL;
    if (doc == NULL)
        return LP_OK;
    lp_arena_reset(l->line);
    LpErr err = take_line(l, lp_json_root(doc), diag);
    lp_json_free(doc);
    if (err != LP_OK && diag != NULL) {
        lp_str_copy(diag->file, sizeof diag->file, l->reader.file);
        diag->line = l->reader.line;
        diag->col = 0;
    }
    return err;
}

static LpErr read_lines(Load *l, LpDiag *diag) {
    bool end = false;
    LpDiag why = {0};
    while (!end && !l->stop) {
        LpErr err = next_line(l, &end, &why);
        if (err != LP_OK && (l->session == NULL || lp_play_ran_out(err))) {
            if (diag != NULL)
                *diag = why;
            return err;
        }
        if (err != LP_OK) {
            /* Everything before the damage is kept. */
            l->report->damage_line = l->reader.line;
            l->report->damage_cut = l->reader.cut && why.code == LP_EIO;
            lp_str_copy(l->report->damage, sizeof l->report->damage, why.text);
            return LP_OK;
        }
        l->report->lines += end ? 0 : 1;
    }
    return l->session != NULL
               ? LP_OK
               : lp_fail_at(diag, LP_EPARSE, l->reader.file, 0, 0, "the session has no branch");
}

/* Stands where it was left, at the last moment that was written otherwise. */
static LpErr settle(Load *l, LpDiag *diag) {
    LpSession *s = l->session;
    if (l->report->ended || l->stop)
        return LP_OK;
    bool gone = lp_timeline_branch(s->timeline, l->last)->deleted;
    return go_to_tip(l, gone ? 0 : l->last, diag);
}

static LpErr load(Load *l, LpDiag *diag) {
    l->arena = lp_arena_new(0);
    l->line = lp_arena_new(0);
    l->kept = lp_kept_new();
    if (l->arena == NULL || l->line == NULL || l->kept == NULL)
        return lp_fail_memory(diag, "a session");
    LP_TRY(lp_sealed_new(&l->sealed, diag));
    LP_TRY(read_lines(l, diag));
    return settle(l, diag);
}

LpErr lp_session_load_text(const LpLoadSpec *spec, char *text, size_t len, LpSession **out,
                           LpLoadReport *report, LpDiag *diag) {
    Load l = {.spec = spec,
              .report = report,
              .reader = {.file = spec->path, .text = text, .len = len, .chain = LP_CHAIN_START}};
    *report = (LpLoadReport){.job = LP_NO_INDEX};
    LpErr err = load(&l, diag);
    lp_arena_free(l.arena);
    lp_arena_free(l.line);
    lp_free(l.policy);
    lp_free(l.branch);
    if (l.session == NULL) {
        lp_kept_free(l.kept);
        lp_sealed_free(l.sealed);
    }
    if (err != LP_OK) {
        lp_session_close(l.session);
        return err;
    }
    *out = l.session;
    return LP_OK;
}

LpErr lp_session_load(const LpLoadSpec *spec, LpSession **out, LpLoadReport *report, LpDiag *diag) {
    char *text;
    size_t len;
    LP_TRY(lp_file_read(spec->path, spec->max_input > 0 ? spec->max_input : DEFAULT_MAX, &text,
                        &len, diag));
    LpErr err = lp_session_load_text(spec, text, len, out, report, diag);
    lp_free(text);
    return err;
}

bool lp_session_file_is(const char *path) {
    return lp_chain_is_session(path);
}

uint64_t lp_session_file_stamp(const char *path) {
    return lp_file_stamp(path);
}
