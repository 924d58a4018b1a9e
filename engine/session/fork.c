/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The branches of a session: forking, switching, naming. */
#include <string.h>

#include "base/str.h"
#include "base/word.h"
#include "session/session_impl.h"

static LpErr need_branch(const LpSession *s, uint32_t branch, LpDiag *diag) {
    const LpTimeline *t = s->timeline;
    if (t == NULL)
        return lp_fail(diag, LP_ESTATE, "this run keeps no time line");
    if (branch >= t->branches || lp_timeline_branch(t, branch)->deleted)
        return lp_fail(diag, LP_ERANGE, "there is no branch %u", branch);
    return LP_OK;
}

/* ---- conditions ---- */

LpErr lp_session_apply(LpSession *s, const LpCondition *condition, LpEvent *event, LpDiag *diag) {
    char why[LP_CONDITION_TEXT];
    uint64_t at = lp_world_tally(s->world)->events;
    LP_TRY(lp_world_change(s->world, s->context, condition, event, diag));
    lp_condition_text(condition, s->context, why);
    LP_TRY(lp_log_condition(s->log, lp_world_now(s->world), at, event->job, condition, why, diag));
    lp_session_forget(s);
    LP_TRY(lp_session_keep_event(s, event, diag));
    return lp_session_review(s, event, diag);
}

LpErr lp_session_change(LpSession *s, const LpCondition *condition, LpEvent *event, LpDiag *diag) {
    LP_TRY(lp_session_need_tip(s, diag));
    LpErr err = lp_session_apply(s, condition, event, diag);
    lp_session_by_hand(s);
    return lp_session_commit(s, err, diag);
}

/* ---- forking ---- */

/* " key=value", or key="a value". */
static void add_word(LpBuf *out, const char *word) {
    size_t key = strcspn(word, "=");
    key += word[key] != '\0';
    lp_buf_addf(out, " %.*s", (int)key, word);
    if (word[key] != '\0')
        lp_word_add(out, word + key);
}

/* What a fork changes, in words that make it again; in a name a plan is written short. */
static void describe(const LpSession *s, const LpForkSpec *f, bool name, LpBuf *out) {
    char plan[LP_PARALLEL_TEXT];
    if (f->words != NULL)
        lp_buf_addf(out, " %s", f->words);
    else if (f->answer != NULL && f->answer->kind == LP_ANSWER_RUN && f->answer->has_plan)
        lp_buf_addf(out, " %s",
                    name ? lp_parallel_brief(&f->answer->parallel, plan)
                         : lp_parallel_words(&f->answer->parallel, plan));
    else if (f->answer != NULL && f->answer->kind == LP_ANSWER_RUN && f->answer->degree > 0)
        lp_buf_addf(out, " degree=%u", f->answer->degree);
    else if (f->answer != NULL && f->answer->kind == LP_ANSWER_RUN)
        lp_buf_add(out, " answer");
    else if (f->answer != NULL)
        lp_buf_add(out, f->answer->kind == LP_ANSWER_WAIT ? " wait" : " decline");
    for (uint32_t i = 0; f->words == NULL && f->answer != NULL && i < f->answer->servers; i++)
        lp_buf_addf(out, "%s%u", i > 0 ? "," : " servers=", f->answer->server[i]);
    if (f->policy != NULL) {
        const char *slash = strrchr(f->policy, '/');
        lp_buf_add(out, " policy=");
        lp_word_add(out, slash != NULL ? slash + 1 : f->policy);
    }
    for (uint32_t i = 0; i < f->params; i++)
        add_word(out, f->param[i]);
    char text[LP_CONDITION_TEXT];
    if (f->condition != NULL && (int)f->condition->kind >= 0 &&
        f->condition->kind < LP_CONDITION_COUNT)
        add_word(out, lp_condition_words(f->condition, s->context, text));
}

/* The name asked for, or one made up; a second one of that name gets a number. */
static LpErr make_name(const LpSession *s, const LpForkSpec *f, LpBuf *out, LpDiag *diag) {
    char base[256];
    LpBuf what = {0};
    uint64_t decisions = lp_world_tally(s->world)->decisions;
    if (f->name != NULL && f->name[0] != '\0' && lp_session_branch_find(s, f->name) >= 0)
        return lp_fail(diag, LP_EINVAL, "there is a branch \"%s\" already", f->name);
    if (f->name != NULL && f->name[0] != '\0') {
        lp_buf_add(out, f->name);
        return lp_buf_ok(out, diag);
    }
    describe(s, f, true, &what);
    lp_buf_addf(out, "d%llu%s", (unsigned long long)decisions,
                what.len > 0 ? lp_buf_text(&what) : " fork");
    lp_buf_fini(&what);
    LP_TRY(lp_buf_ok(out, diag));
    lp_str_copy(base, sizeof base, lp_buf_text(out));
    for (unsigned n = 2; lp_session_branch_find(s, lp_buf_text(out)) >= 0; n++) {
        lp_buf_fini(out);
        *out = (LpBuf){0};
        lp_buf_addf(out, "%s (%u)", base, n);
        LP_TRY(lp_buf_ok(out, diag));
    }
    return LP_OK;
}

static LpErr add_home(LpSession *s, const LpForkSpec *f, LpDiag *diag) {
    LpPolicyHome *homes = lp_realloc(s->home, (size_t)s->homes + 1, sizeof *homes);
    if (homes == NULL)
        return lp_fail_memory(diag, "a policy");
    s->home = homes;
    LP_TRY(lp_session_load_home(s, f->policy, f->params, f->param, &s->home[s->homes], diag));
    s->homes++;
    return LP_OK;
}

/* Another policy starts without the data of the one before. */
static LpErr clear_mem(LpSession *s, const char *path_before, LpDiag *diag) {
    const char *path = s->loaded.path != NULL ? s->loaded.path : "";
    if (strcmp(path, path_before) == 0)
        return LP_OK;
    lp_session_by_hand(s);
    return lp_session_commit(s, lp_session_store_mem(s, NULL, 0, diag), diag);
}

/* An answer that lets the job run where it cannot is refused; late is a choice. */
static LpErr answer(LpSession *s, const LpForkSpec *f, LpDiag *diag) {
    LpEvent event;
    const LpAnswer *answer = f->answer;
    uint32_t due = lp_world_due(s->world);
    LP_TRY(lp_session_answer_lit(s, answer, f->schedule, &event, diag));
    const LpJob *job = lp_world_job(s->world, due);
    if (answer->kind != LP_ANSWER_RUN || event.kind != LP_EVENT_BLOCK ||
        job->cause == LP_CAUSE_DEADLINE || job->cause == LP_CAUSE_DECLINED)
        return LP_OK;
    const char *why = lp_session_why(s, due).reason;
    return lp_fail(diag, LP_EREFUSED, "%s",
                   why[0] != '\0' ? why : lp_cause_sentence((LpCause)job->cause));
}

/* Servers rejoin once the job has its place. */
static LpErr rejoin(LpSession *s, const LpForkSpec *f, LpDiag *diag) {
    LpAction action = {
        .kind = LP_ACTION_REGROUP, .links = f->links, .link = f->link, .why = LP_BY_HAND};
    char reason[LP_DIAG_TEXT] = "";
    LpCause cause = LP_CAUSE_NONE;
    LpEvent event;
    if (f->links > 0)
        LP_TRY(lp_session_act(s, &action, &event, &cause, reason, diag));
    return cause == LP_CAUSE_NONE ? LP_OK : lp_fail(diag, LP_EREFUSED, "circuits: %s", reason);
}

LpErr lp_session_take(LpSession *s, const LpForkSpec *f, LpDiag *diag) {
    if (f->answer != NULL)
        LP_TRY(answer(s, f, diag));
    return rejoin(s, f, diag);
}

/* On the new branch: what makes it another future. */
static LpErr differ(LpSession *s, const LpForkSpec *f, const char *path_before, LpDiag *diag) {
    LpEvent event;
    LP_TRY(clear_mem(s, path_before, diag));
    LP_TRY(lp_session_take(s, f, diag));
    return f->condition != NULL ? lp_session_change(s, f->condition, &event, diag) : LP_OK;
}

/* The parent's moment again, from the record; its tip where even that fails. */
static void make_parent_again(LpSession *s, uint32_t parent, uint64_t step) {
    LpTimeline *t = s->timeline;
    LpWorld *again;
    if (lp_timeline_world(t, parent, step, &again, NULL) != LP_OK) {
        step = lp_timeline_tip(t, parent);
        again = lp_timeline_branch(t, parent)->tip;
        lp_timeline_branch(t, parent)->tip = NULL;
    }
    lp_timeline_recycle(t, s->world);
    s->world = again;
    t->step = step;
}

/* Stands on the new branch; back on the old one when it comes to nothing. A parent that stands at
 * its tip keeps its world, and `copy` is the branch's; otherwise (copy NULL) the branch takes the
 * world that is there, for the parent's moment can be made again. */
static LpErr try_branch(LpSession *s, const LpForkSpec *f, uint32_t branch, LpWorld *copy,
                        LpDiag *diag) {
    LpTimeline *t = s->timeline;
    LpWorld *old = s->world;
    uint32_t parent = t->current;
    uint64_t step = t->step;
    const char *path_before = s->loaded.path != NULL ? s->loaded.path : "";
    if (copy != NULL)
        s->world = copy;
    lp_session_enter(s, branch);
    lp_session_forget(s);
    LpErr err = differ(s, f, path_before, diag);
    if (err == LP_OK) {
        if (copy != NULL)
            lp_timeline_branch(t, parent)->tip = old;
        return LP_OK;
    }
    if (copy != NULL) {
        lp_world_free(s->world);
        s->world = old;
        t->step = step;
    } else {
        make_parent_again(s, parent, step);
    }
    lp_session_enter(s, parent);
    lp_session_forget(s);
    return err;
}

static LpErr copy_at_tip(LpSession *s, LpWorld **copy, LpDiag *diag) {
    *copy = NULL;
    if (!lp_timeline_at_tip(s->timeline))
        return LP_OK;
    *copy = lp_world_clone(s->world, s->timeline->spare);
    s->timeline->spare = NULL; /* used, or freed */
    return *copy != NULL ? LP_OK : lp_fail_memory(diag, "a copy of the world");
}

static LpErr fork_named(LpSession *s, const LpForkSpec *f, const char *name, const char *what,
                        uint32_t *branch, LpDiag *diag) {
    LpTimeline *t = s->timeline;
    LpWorld *copy;
    bool other = f->policy != NULL || f->params > 0;
    uint32_t made;
    LP_TRY(copy_at_tip(s, &copy, diag));
    LpErr err = other ? add_home(s, f, diag) : LP_OK;
    bool added = err == LP_OK && other;
    if (err == LP_OK)
        err = lp_timeline_fork(t, t->current, t->step, name, what, &made, diag);
    if (err != LP_OK) {
        lp_timeline_recycle(t, copy);
    } else {
        if (other)
            lp_timeline_branch(t, made)->policy = s->homes - 1;
        err = try_branch(s, f, made, copy, diag);
        if (err != LP_OK)
            lp_timeline_unfork(t);
    }
    if (err != LP_OK && added)
        lp_policy_home_free(&s->home[--s->homes]);
    if (err == LP_OK)
        *branch = made;
    return err;
}

LpErr lp_session_fork(LpSession *s, const LpForkSpec *f, uint32_t *branch, LpDiag *diag) {
    LpBuf what = {0}, name = {0};
    if (s->timeline == NULL)
        return lp_fail(diag, LP_ESTATE, "this run keeps no time line");
    if (f->answer != NULL && lp_world_due(s->world) == LP_NO_INDEX)
        return lp_fail(diag, LP_ESTATE, "no decision is due here: there is nothing to answer");
    describe(s, f, false, &what);
    LpErr err = lp_buf_ok(&what, diag);
    if (err == LP_OK)
        err = make_name(s, f, &name, diag);
    const char *words = lp_buf_text(&what);
    if (err == LP_OK)
        err =
            fork_named(s, f, lp_buf_text(&name), words[0] == ' ' ? words + 1 : words, branch, diag);
    lp_buf_fini(&what);
    lp_buf_fini(&name);
    return err;
}

/* ---- views ---- */

uint32_t lp_session_branches(const LpSession *s) {
    return s->timeline != NULL ? (uint32_t)s->timeline->branches : 0;
}

static size_t bytes_of(const LpBranch *b) {
    if (b->deleted)
        return 0;
    return lp_log_bytes(b->log) + lp_arena_bytes(b->texts) + b->marks_cap * sizeof *b->mark +
           b->events_cap * sizeof *b->event + b->stories_cap * sizeof *b->story +
           b->lasts_cap * sizeof *b->last;
}

LpErr lp_session_branch(const LpSession *s, uint32_t branch, LpBranchInfo *out) {
    if (s->timeline == NULL)
        return LP_ESTATE;
    if (branch >= s->timeline->branches)
        return LP_ERANGE;
    const LpBranch *b = lp_timeline_branch(s->timeline, branch);
    const LpMark *tip = &b->mark[b->marks - 1];
    const LpPolicy *policy = b->deleted ? NULL : s->home[b->policy].policy;
    *out = (LpBranchInfo){.name = b->name,
                          .parent = b->parent,
                          .forked_at = b->forked_at,
                          .tip = b->forked_at + b->marks - 1,
                          .fork_time = b->mark[0].time,
                          .tip_time = tip->time,
                          .records = b->deleted ? 0 : lp_log_count(b->log),
                          .bytes = bytes_of(b),
                          .policy = policy != NULL ? lp_policy_name(policy) : "default",
                          .home = b->policy,
                          .what = b->what,
                          .deleted = b->deleted,
                          .over = tip->over};
    return LP_OK;
}

int lp_session_branch_find(const LpSession *s, const char *name) {
    for (uint32_t i = 0; i < lp_session_branches(s); i++) {
        const LpBranch *b = lp_timeline_branch(s->timeline, i);
        if (!b->deleted && strcmp(b->name, name) == 0)
            return (int)i;
    }
    return -1;
}

/* ---- commands ---- */

LpErr lp_session_switch(LpSession *s, uint32_t branch, LpDiag *diag) {
    LP_TRY(need_branch(s, branch, diag));
    double now = lp_world_now(s->world);
    uint64_t step = lp_timeline_above(s->timeline, branch, LP_MARK_TIME, now) - 1;
    return lp_session_visit(s, branch, step, diag);
}

LpErr lp_session_rename(LpSession *s, uint32_t branch, const char *name, LpDiag *diag) {
    LP_TRY(need_branch(s, branch, diag));
    int other = lp_session_branch_find(s, name);
    if (name[0] == '\0')
        return lp_fail(diag, LP_EINVAL, "a branch needs a name");
    if (other >= 0 && (uint32_t)other != branch)
        return lp_fail(diag, LP_EINVAL, "there is a branch \"%s\" already", name);
    size_t len = strlen(name) + 1;
    char *copy = lp_alloc(len, 1);
    if (copy == NULL)
        return lp_fail_memory(diag, "a name");
    memcpy(copy, name, len);
    LpBranch *b = lp_timeline_branch(s->timeline, branch);
    lp_free(b->name);
    b->name = copy;
    return LP_OK;
}

/* A policy that no branch decides with any more. */
static void drop_home(LpSession *s, uint32_t home) {
    for (uint32_t i = 0; i < s->timeline->branches; i++) {
        const LpBranch *b = lp_timeline_branch(s->timeline, i);
        if (!b->deleted && b->policy == home)
            return;
    }
    lp_policy_home_free(&s->home[home]);
}

LpErr lp_session_delete(LpSession *s, uint32_t branch, LpDiag *diag) {
    LP_TRY(need_branch(s, branch, diag));
    LpBranch *b = lp_timeline_branch(s->timeline, branch);
    if (branch == 0)
        return lp_fail(diag, LP_ESTATE, "\"%s\" is the trunk: it stays", b->name);
    if (branch == s->timeline->current)
        return lp_fail(diag, LP_ESTATE, "\"%s\" is the current branch: switch first", b->name);
    for (uint32_t i = 0; i < s->timeline->branches; i++) {
        const LpBranch *child = lp_timeline_branch(s->timeline, i);
        if (!child->deleted && child->parent == branch)
            return lp_fail(diag, LP_ESTATE, "\"%s\" was forked from \"%s\": delete it first",
                           child->name, b->name);
    }
    lp_timeline_delete(s->timeline, branch);
    drop_home(s, b->policy);
    return LP_OK;
}
