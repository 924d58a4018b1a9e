/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gathers the session's views for the screen. */
#include "moment/picture/model.h"

#include <stdlib.h>
#include <string.h>

#include "ask/inspect/inspect_light.h"
#include "ask/network/network.h"
#include "base/mem.h"
#include "moment/beside.h"
#include "moment/gather.h"
#include "moment/lesson_text.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "sim/state/look.h"
#include "sim/world.h"

/* Bytes of a world that is compared with another branch for every frame. */
enum { WHILE_PLAYING = 1 << 18 };

const char *lp_speed_name(int speed) {
    static const char *const names[] = {
#define X(id, name) name,
        LP_SPEED_TABLE(X)
#undef X
    };
    return names[speed];
}

/* From 4x on nothing is dimmed, so that nothing flickers. */
static bool is_fast(const char *speed) {
    enum { FAST = 4 };
    return speed[0] == 'm' || strtod(speed, NULL) >= FAST;
}

LpRect lp_model_rest(const LpUiState *ui) {
    return lp_pane_rest(ui->cols, ui->rows, lp_lesson_rows(ui));
}

LpErr lp_model_open(LpModel *model, const LpView *const *views, LpDiag *diag) {
    model->views = views;
    for (int pane = 0; pane < LP_PANE_COUNT; pane++) {
        const LpView *view = views[pane];
        model->state[pane] = lp_alloc(1, view->state + 1);
        model->facts[pane] = lp_alloc(1, view->facts + 1);
        if (!model->state[pane] || !model->facts[pane])
            return lp_fail_memory(diag, "the views");
        if (view->begin)
            view->begin(model->state[pane]);
    }
    return LP_OK;
}

void lp_model_fini(LpModel *model) {
    lp_beside_drop(model);
    lp_world_free(model->between);
    lp_links_drop(model);
    lp_letters_fini(&model->letters);
    lp_time_model_fini(&model->time);
    lp_free(model->running);
    lp_free(model->place);
    lp_free(model->decision.candidate);
    lp_arena_free(model->decision.room);
    lp_whatif_fini(&model->whatif);
    lp_free(model->pending);
    lp_free(model->jct);
    lp_free(model->ghost.jct);
    lp_motion_fini(&model->motion);
    lp_draft_model_fini(&model->drafted);
    lp_now_fini(&model->now);
    lp_network_model_fini(&model->network);
    for (int pane = 0; model->views && pane < LP_PANE_COUNT; pane++) {
        const LpView *view = model->views[pane];
        if (view->end && model->state[pane])
            view->end(model->state[pane]);
        if (view->drop && model->facts[pane])
            view->drop(model->facts[pane]);
        lp_free(model->state[pane]);
        lp_free(model->facts[pane]);
    }
    *model = (LpModel){0};
}

const LpView *lp_model_shown(const LpModel *model) {
    LpPane only = model->ui ? model->ui->only : LP_PANE_COUNT;
    return model->views && only != LP_PANE_COUNT ? model->views[only] : NULL;
}

unsigned lp_model_wants(const LpModel *model) {
    const LpView *view = lp_model_shown(model);
    LpPane pane[LP_LESSON_PANES];
    int panes = model->ui && model->views ? lp_model_panes(model->ui, pane) : 0;
    unsigned wants = view ? view->wants : LP_WANTS_DECISION | LP_WANTS_NETWORK;
    for (int i = 0; i < panes; i++)
        wants |= model->views[pane[i]]->wants;
    return wants;
}

/* The job whose decision was taken last, LP_NO_INDEX when none was. */
static uint32_t last_decided(const LpSession *session) {
    for (size_t i = lp_session_events(session); i-- > 0;) {
        const LpEvent *event = lp_session_event(session, i);
        if (lp_event_is(event->kind, LP_EVENT_DECIDED))
            return event->job;
    }
    return LP_NO_INDEX;
}

static LpErr gather_candidates(LpDecision *decision, LpSession *session, LpDiag *diag) {
    const LpCandidate *candidate = NULL;
    uint32_t count = 0;
    LP_TRY(lp_session_candidates(session, &candidate, &count, diag));
    if (lp_grow((void **)&decision->candidate, &decision->cap, (size_t)count + 1,
                sizeof *candidate) != LP_OK)
        return lp_fail_memory(diag, "the table of candidates");
    decision->chosen = -1;
    for (uint32_t i = 0; i < count; i++) {
        decision->candidate[i] = candidate[i];
        if (candidate[i].chosen)
            decision->chosen = (int)i;
    }
    decision->count = count;
    decision->answer = lp_session_pending(session, diag);
    return LP_OK;
}

/* Changes with every decision, and when the policy was loaded again. */
static uint64_t question(const LpModel *model) {
    return lp_world_tally(model->world)->decisions * 1024 +
           lp_session_reloads(model->session) % 1024;
}

/* What the policy weighed and what that took; asked for anything else afterwards, the policy tells
 * of that. */
static LpErr gather_explained(LpModel *model, LpSession *session, LpDiag *diag) {
    LpDecision *decision = &model->decision;
    uint64_t key = question(model) + 1;
    model->policy = lp_session_policy_summary(session);
    if (decision->due && decision->asked != key) {
        decision->instructions = model->policy.instructions;
        decision->predictions = model->policy.predictions;
        decision->asked = key;
    }
    decision->explained = (LpExplained){.chosen = -1};
    if (!decision->room && !(decision->room = lp_arena_new(0)))
        return lp_fail_memory(diag, "what the policy explained");
    lp_arena_reset(decision->room);
    if (decision->job == LP_NO_INDEX || !model->ui->explain)
        return LP_OK;
    return lp_session_explained_table(session, decision->job, decision->room, &decision->explained,
                                      diag);
}

/* Was the job cut and spread as a row says? One whose ops were chosen singly, or whose whole ops
 * lie on several servers, is in no row. */
static bool is_taken(const LpCandidate *c, const LpJob *job) {
    const LpForecast *f = &c->forecast;
    if (c->plan.planned)
        return f->partition == job->placed.partition;
    return c->degree == job->placed.degree &&
           (f->partition == LP_NO_INDEX || f->partition == job->placed.partition) &&
           (!f->feasible || f->servers == job->placed.servers);
}

/* Once it is taken, what was taken counts: by hand that may be another row than the policy's. */
static void mark_taken(LpDecision *decision, const LpWorld *world) {
    if (decision->due || decision->job == LP_NO_INDEX || decision->count == 0)
        return;
    const LpJob *job = lp_world_job(world, decision->job);
    decision->chosen = -1;
    for (uint32_t i = 0; i < decision->count; i++)
        if (job->placed.placement != LP_NO_INDEX && is_taken(&decision->candidate[i], job))
            decision->chosen = (int)i;
}

/* Keeps the table of a decision that has just been taken, so that it can still be read. */
static LpErr gather_decision(LpModel *model, LpSession *session, LpDiag *diag) {
    LpDecision *decision = &model->decision;
    uint32_t due = lp_world_due(model->world);
    uint32_t job = due != LP_NO_INDEX ? due : last_decided(session);
    decision->due = due != LP_NO_INDEX;
    decision->answer = NULL;
    if (job != decision->job && !decision->due) {
        decision->count = 0;
        decision->chosen = -1;
    }
    decision->job = job;
    if (decision->due)
        LP_TRY(gather_candidates(decision, session, diag));
    decision->why = (LpWhy){"", "", ""};
    if (job != LP_NO_INDEX)
        decision->why = lp_session_why(session, job);
    decision->by_hand = !decision->due && strcmp(decision->why.why, "by hand") == 0;
    mark_taken(decision, model->world);
    /* while a decision is due, the last failure is of another one */
    decision->error = decision->due ? NULL : lp_session_policy_error(session);
    return gather_explained(model, session, diag);
}

/* Asked once per decision that is due, for its column beside the ways to decide; what moved it, and
 * decisions that were taken, while its view is shown. */
static LpErr gather_network(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpUiState *ui = model->ui;
    const LpDecision *d = &model->decision;
    unsigned wants = lp_model_wants(model);
    bool shown = wants & LP_WANTS_WHY || (wants & LP_WANTS_DECISION && ui->explain);
    bool column = wants & LP_WANTS_NETWORK;
    bool marked = d->due && ui->row >= 0 && ui->row < (int)d->count;
    LpNetworkWish wish = {.index = ui->network,
                          .job = shown || column ? d->job : LP_NO_INDEX,
                          .due = d->due,
                          .back = shown && !ui->playing,
                          .loads = lp_session_reloads(session),
                          .why = shown && !ui->playing,
                          .degree = !marked ? LP_NO_INDEX
                                    : d->candidate[ui->row].plan.planned
                                        ? d->candidate[ui->row].plan.way
                                        : d->candidate[ui->row].degree};
    return lp_network_model_update(&model->network, session, &wish, diag);
}

/* Which rows the what-if table has: where it has the screen for itself those of the stage that is
 * looked at, with what the draft says of the others; else every way to decide. */
static uint64_t whatif_key(const LpModel *model, LpStage *stage, LpDraft *draft) {
    uint64_t key = lp_hash_u64(LP_HASH_INIT, question(model));
    *stage = model->ui->only == LP_PANE_WHATIF ? model->ui->stage : LP_STAGE_PARTITION;
    lp_model_draft(model, draft);
    for (int i = 0; *stage > LP_STAGE_PARTITION && i < LP_STAGE_COUNT; i++)
        key = lp_hash_text(key, draft->word[i]);
    return lp_hash_u64(key, *stage) | 1;
}

/* The what-if table, once per decision; what ran to the end in it stays until the next one. A stage
 * in which nothing can be chosen has the whole table. */
static LpErr gather_whatif(LpModel *model, LpSession *session, LpDiag *diag) {
    bool shown = lp_model_wants(model) & LP_WANTS_WHATIF;
    bool wanted = shown && model->decision.due && !model->ui->playing;
    LpStage stage;
    LpDraft draft;
    uint64_t key = whatif_key(model, &stage, &draft);
    if (model->whatif_of == key && model->decision.due)
        return LP_OK;
    lp_whatif_fini(&model->whatif);
    model->whatif = (LpWhatIfs){.job = LP_NO_INDEX};
    model->whatif_of = 0;
    if (!wanted)
        return LP_OK;
    if (stage > LP_STAGE_PARTITION)
        LP_TRY(lp_whatif_stage(session, &draft, stage, &model->whatif, diag));
    if (model->whatif.count == 0) {
        lp_whatif_fini(&model->whatif);
        LP_TRY(lp_whatif_table(session, &model->whatif, diag));
    }
    model->whatif_of = key;
    return LP_OK;
}

/* The job whose light is shown in steps does not show its own as well. */
static void gather_moving(LpModel *model) {
    const LpMotionModel *m = &model->motion;
    model->moving = (LpRunning){.letter = -1};
    if (!m->lit)
        return;
    model->moving = (LpRunning){lp_world_job(model->world, m->job),
                                m->letter,
                                0.0,
                                m->light,
                                m->tx,
                                m->txs,
                                m->path,
                                m->paths};
    model->light_groups = m->groups;
    for (uint32_t i = 0; i < model->running_count; i++)
        if (model->running[i].job->id == m->job) {
            model->running[i].light = NULL;
            model->running[i].txs = model->running[i].paths = 0;
        }
}

/* Gathers what is wanted for the frame, or for the marked row. */
static LpErr gather_wanted(LpModel *model, LpDiag *diag) {
    int marked = model->decision.due ? lp_model_marked(model) : -1;
    if (model->motion.on && model->motion.wants)
        return lp_gather_pending(model, model->motion.wanted, model->motion.wanted_count, diag);
    if (marked < 0 && !model->drafted.priced)
        return lp_gather_pending(model, NULL, 0, diag);
    if (model->drafted.priced)
        return lp_gather_pending(model, model->drafted.server, model->drafted.servers, diag);
    const LpForecast *forecast = lp_model_plan(model);
    if (lp_model_picked(model) >= 0)
        forecast = &model->whatif.row[lp_model_picked(model)].forecast;
    bool fits = forecast && forecast->feasible && forecast->server;
    return lp_gather_pending(model, fits ? forecast->server : NULL, fits ? forecast->servers : 0,
                             diag);
}

static LpErr gather_curve(LpModel *model, LpDiag *diag) {
    uint64_t completed = lp_world_tally(model->world)->completed;
    if (model->jct_of == completed + 1)
        return LP_OK;
    if (lp_grow((void **)&model->jct, &model->jct_cap, (size_t)completed + 1, sizeof *model->jct) !=
        LP_OK)
        return lp_fail_memory(diag, "the curve");
    model->jct_count = lp_metrics_jcts(model->world, model->jct, (uint32_t)completed);
    model->jct_of = completed + 1;
    return LP_OK;
}

static LpErr gather_ghost(LpModel *model, LpDiag *diag) {
    LpGhostModel *ghost = &model->ghost;
    ghost->jct_count = 0;
    if (!model->ui->ghost)
        return LP_OK;
    const LpWorld *world = lp_ghost_world(model->ui->ghost);
    uint64_t completed = lp_world_tally(world)->completed;
    if (lp_grow((void **)&ghost->jct, &ghost->jct_cap, (size_t)completed + 1, sizeof *ghost->jct) !=
        LP_OK)
        return lp_fail_memory(diag, "the ghost's curve");
    ghost->report = lp_ghost_report(model->ui->ghost);
    ghost->jct_count = lp_metrics_jcts(world, ghost->jct, (uint32_t)completed);
    ghost->arrived = lp_world_tally(world)->arrived;
    return LP_OK;
}

static bool is_placed(const LpModel *model, uint32_t id) {
    if (id >= lp_world_jobs(model->world))
        return false;
    const LpJob *job = lp_world_job(model->world, id);
    return job->graph >= 0 && job->placed.partition != LP_NO_INDEX &&
           job->placed.placement != LP_NO_INDEX;
}

static LpStepSubject of_job(const LpModel *model, uint32_t id) {
    const LpJob *job = lp_world_job(model->world, id);
    return (LpStepSubject){id,
                           lp_words_ways(job),
                           job->placed.partition,
                           job->placed.placement,
                           job->placed.orders,
                           false,
                           job->forecast.step_time};
}

bool lp_model_step_subject(const LpModel *model, uint32_t asked, LpStepSubject *out) {
    const LpDecision *d = &model->decision;
    int row = d->due ? lp_model_marked(model) : -1;
    if (is_placed(model, asked)) {
        *out = of_job(model, asked);
        return true;
    }
    const LpForecast *f = lp_model_plan(model);
    if (f && f->feasible && f->partition != LP_NO_INDEX) {
        uint32_t degree = row >= 0 && !model->drafted.priced ? d->candidate[row].degree : f->degree;
        *out = (LpStepSubject){d->job,    degree, f->partition, f->placement,
                               f->orders, true,   f->step_time};
        return true;
    }
    if (d->job != LP_NO_INDEX && is_placed(model, d->job)) {
        *out = of_job(model, d->job);
        return true;
    }
    for (uint32_t i = 0; i < model->running_count; i++)
        if (is_placed(model, model->running[i].job->id)) {
            *out = of_job(model, model->running[i].job->id);
            return true;
        }
    return false;
}

LpModel lp_model_ahead(const LpModel *model) {
    LpModel ahead = *model;
    const LpWorld *tip = NULL;
    if (model->time.known)
        tip = lp_session_tip_world(model->session, model->time.moment.branch);
    ahead.ahead = tip != NULL;
    ahead.world = tip ? tip : model->world;
    return ahead;
}

/* On another branch, or back in time, nothing that was worked out holds any more. */
static LpErr gather_time(LpModel *model, LpSession *session, LpDiag *diag) {
    LpMoment before = model->time.moment;
    bool beside = lp_model_wants(model) & LP_WANTS_BESIDE;
    bool busy = model->ui->playing && !beside && lp_world_bytes(model->world) > WHILE_PLAYING;
    LP_TRY(lp_time_model_update(&model->time, session, busy ? -1 : model->ui->versus, diag));
    LpMoment now = model->time.moment;
    if (!model->time.known || (now.branch == before.branch && now.step >= before.step))
        return LP_OK;
    model->jct_of = model->whatif_of = 0;
    lp_network_model_forget(&model->network);
    if (model->time.branch.parent == before.branch && model->time.branch.forked_at == before.step)
        return LP_OK; /* just forked: the decision that was looked at is the one just taken */
    model->decision.asked = 0;
    model->decision.count = 0;
    model->decision.job = LP_NO_INDEX;
    return LP_OK;
}

void lp_model_attach(LpModel *model, LpSession *session, const LpUiState *ui) {
    model->session = session;
    model->ui = ui;
    model->scenario = lp_session_scenario(session);
    model->context = lp_session_context(session);
    model->board = lp_board_plan(&model->context->fabric);
    model->world = lp_session_world(session);
    if (!model->decision.cap)
        model->decision.job = LP_NO_INDEX;
}

/* When the next thing happens as far as is known: it is on record, or the world can tell. */
static double next_time(LpSession *session, LpMoment at, double time) {
    const LpWorld *world = lp_session_world(session);
    size_t count = lp_session_branch_events(session, at.branch);
    for (size_t i = lp_session_events(session); i < count; i++) {
        double when = lp_session_branch_event(session, at.branch, i)->time;
        if (when > time)
            return when;
    }
    return lp_world_next_time(world, lp_session_context(session));
}

/* A time between two events is shown as the world is then: nothing but time went on. Two clusters
 * side by side stand at events. */
static LpErr look_between(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpUiState *ui = model->ui;
    model->until = 0.0;
    if (!(ui->look > lp_world_now(model->world)) || lp_session_branches(session) == 0 ||
        lp_model_wants(model) & LP_WANTS_BESIDE)
        return LP_OK;
    LpMoment now = lp_session_moment(session);
    if (now.branch != ui->look_at.branch || now.step != ui->look_at.step)
        return LP_OK;
    model->between = lp_world_look(model->world, ui->look, model->between);
    if (!model->between)
        return lp_fail_memory(diag, "the moment between two events");
    model->world = model->between;
    model->until = next_time(session, now, ui->look);
    return LP_OK;
}

LpErr lp_model_update(LpModel *model, LpSession *session, const LpUiState *ui, LpDiag *diag) {
    lp_model_attach(model, session, ui);
    LP_TRY(lp_links_keep(model, diag));
    LP_TRY(look_between(model, session, diag));
    LP_TRY(gather_time(model, session, diag));
    LP_TRY(lp_letters_update(&model->letters, session, diag));
    lp_marks_update(&model->marks, session, lp_world_now(model->world));
    LP_TRY(lp_gather_running(model, session, diag));
    LP_TRY(gather_decision(model, session, diag));
    LP_TRY(lp_draft_model_update(
        model, session, lp_model_wants(model) & (LP_WANTS_DECISION | LP_WANTS_WHATIF), diag));
    LP_TRY(gather_network(model, session, diag));
    LP_TRY(gather_whatif(model, session, diag));
    LP_TRY(lp_motion_update(model, session, diag));
    LP_TRY(lp_now_update(model, diag));
    gather_moving(model);
    LP_TRY(lp_beside_update(model, session, lp_model_wants(model) & LP_WANTS_BESIDE, diag));
    model->focus = lp_model_find_focus(model, is_fast(lp_speed_name(ui->speed)));
    lp_beside_focus(model);
    LP_TRY(gather_wanted(model, diag));
    LP_TRY(gather_curve(model, diag));
    LP_TRY(gather_ghost(model, diag));
    /* The facts of the views that are seen: the one that is alone, and those that a step asks for.
     */
    const LpView *shown = lp_model_shown(model);
    LpPane pane[LP_LESSON_PANES];
    int panes = model->views ? lp_model_panes(model->ui, pane) : 0;
    if (shown && shown->update)
        LP_TRY(shown->update(model, session, diag));
    for (int i = 0; i < panes; i++) {
        const LpView *view = model->views[pane[i]];
        if (view != shown && view->update)
            LP_TRY(view->update(model, session, diag));
    }
    return LP_OK;
}

LpStyle lp_model_job_style(const LpModel *model, const LpRunning *job) {
    bool plan = job == &model->moving && model->motion.plan;
    return plan ? (LpStyle)LP_ROLE_PENDING : lp_letter_hue(job->job->id);
}

int lp_model_deciding(const LpModel *model) {
    return model->decision.due ? lp_letters_of(&model->letters, model->decision.job) : -1;
}

bool lp_model_is_pending(const LpModel *model, uint32_t server) {
    return model->pending_count && model->pending[server / 8] >> server % 8 & 1;
}

LpServerMark lp_model_mark(const LpModel *model, uint32_t server) {
    const LpMotionModel *m = &model->motion;
    return m->on && m->marks && server < m->mark_cap ? (LpServerMark)m->mark[server]
                                                     : LP_SERVER_UNMARKED;
}

int lp_model_marked(const LpModel *model) {
    const LpDecision *decision = &model->decision;
    int row = model->ui->row;
    if (decision->count == 0)
        return -1;
    if (model->motion.on && model->motion.scene == LP_SCENE_PARTITION)
        return model->motion.weighed;
    return row >= 0 && row < (int)decision->count ? row : decision->chosen;
}

const LpForecast *lp_model_plan(const LpModel *model) {
    int marked = lp_model_marked(model);
    if (!model->decision.due)
        return NULL;
    if (model->drafted.priced)
        return lp_model_drafted(model);
    return marked >= 0 ? &model->decision.candidate[marked].forecast : NULL;
}

uint64_t lp_model_expected_jobs(const LpScenario *scenario) {
    return scenario->has_generator ? scenario->generator.count : scenario->jobs;
}

int lp_model_picked(const LpModel *model) {
    bool shown = lp_model_wants(model) & LP_WANTS_WHATIF;
    int count = shown ? (int)model->whatif.count : 0, pick = model->ui->pick;
    if (pick >= 0 && pick < count)
        return pick;
    for (int i = 0; i < count; i++)
        if (model->whatif.row[i].chosen)
            return i;
    return count > 0 ? 0 : -1;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int lp_model_deciding_line(const LpModel *model) {
    const LpDecision *decision = &model->decision;
    const char *where = decision->why.where, *file = base_name(model->policy.path);
    size_t len = strlen(file);
    if (decision->error)
        return strcmp(base_name(decision->error->file), file) == 0 ? decision->error->line : 0;
    if (decision->answer)
        where = decision->answer->where;
    if (!where || len == 0 || strncmp(base_name(where), file, len) != 0)
        return 0;
    const char *line = base_name(where) + len;
    return *line == ':' ? atoi(line + 1) : 0;
}

void lp_ui_scroll_to(LpUiState *ui, int line) {
    ui->search_line = line;
    ui->scroll = line > 3 ? line - 3 : 0;
    ui->follow = false;
}
