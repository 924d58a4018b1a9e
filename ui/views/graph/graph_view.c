/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving in the view of a computation graph. */
#include "views/graph/graph_view.h"
#include "views/graph/graph_view_impl.h"

enum { LOOK_MS = 25 };

static const LpGraphInspection *inspection_of(const LpHost *host) {
    const LpGraphModel *model = lp_graph_facts(host->model);
    return model->known && model->seen.width >= 0.0 ? &model->seen : NULL;
}

static void step(LpHost *host, int dx) {
    LpGraphState *state = lp_graph_state(host->model);
    const LpGraphInspection *seen = inspection_of(host);
    uint32_t node = lp_graph_model_node(lp_graph_facts(host->model), state);
    state->node[seen->cut] = lp_graph_inspection_next(seen, node, dx, 0);
}

/* To the op beside this one, or where there is none to the band above or below. */
static void step_across(LpHost *host, int dy) {
    LpGraphState *state = lp_graph_state(host->model);
    const LpGraphInspection *seen = inspection_of(host);
    uint32_t node = lp_graph_model_node(lp_graph_facts(host->model), state);
    uint32_t next = lp_graph_inspection_next(seen, node, 0, dy);
    LpRect rest = lp_model_rest(host->ui);
    int band;
    lp_view_graph_zoom(host->model, rest.w, rest.h, &band);
    if (band > 0 && seen->node[next].row != seen->node[node].row)
        next = lp_graph_inspection_near(seen, seen->node[node].x + dy * band, seen->node[node].y);
    state->node[seen->cut] = next;
}

static void key_move(LpHost *host, int lines) {
    if (!inspection_of(host))
        return;
    if (lines <= -LP_UI_FAR || lines >= LP_UI_FAR) {
        /* First or last op, by number. */
        bool last = lines > 0;
        const LpGraphInspection *seen = inspection_of(host);
        lp_graph_state(host->model)->node[seen->cut] = last ? seen->nodes - 1 : 0;
        return;
    }
    bool page = lines > 1 || lines < -1; /* pages go along the graph, which is longer */
    for (int i = lines < 0 ? -lines : lines; i > 0; i--)
        if (page)
            step(host, lines < 0 ? -1 : 1);
        else
            step_across(host, lines);
}

static void key_along(LpHost *host, int columns) {
    if (inspection_of(host))
        step(host, columns);
}

static void key_zoom(LpHost *host, bool in) {
    if (!inspection_of(host))
        return;
    LpRect rest = lp_model_rest(host->ui);
    int band, zoom = (int)lp_view_graph_zoom(host->model, rest.w, rest.h, &band);
    zoom += in ? 1 : -1;
    if (zoom <= LP_GRAPH_ZOOM_AUTO || zoom >= LP_GRAPH_ZOOMS)
        lp_host_say(host, false, in ? "this is as close as it gets" : "this is all of it");
    else
        lp_graph_state(host->model)->zoom = (LpGraphZoom)zoom;
}

/* The cursor stays on the op that it was on. */
static void key_variant(LpHost *host) {
    LpGraphState *state = lp_graph_state(host->model);
    const LpGraphInspection *seen = inspection_of(host);
    if (!seen)
        return;
    if (!lp_graph_facts(host->model)->cuts) {
        lp_host_say(host, false, "the job is not cut and placed: there is only its profile");
        return;
    }
    uint32_t op = seen->node[lp_graph_model_node(lp_graph_facts(host->model), state)].op;
    state->cut = !state->cut;
    state->node[state->cut] = op;
    state->zoom = LP_GRAPH_ZOOM_AUTO;
}

static void key_step(LpHost *host) {
    lp_host_open(host, LP_PANE_STEP,
                 lp_graph_state(host->model)->chosen ? lp_graph_state(host->model)->job
                                                     : LP_NO_INDEX);
}

static void open_for(LpHost *host, uint32_t job) {
    bool cut = lp_graph_state(host->model)->cut;
    *lp_graph_state(host->model) =
        (LpGraphState){.chosen = job != LP_NO_INDEX, .job = job, .cut = cut};
    host->app->show(host, LP_PANE_GRAPH);
}

/* The job asked for, or as for a step; also one that has no servers. */
static bool subject_of(const LpModel *model, LpStepSubject *out) {
    const LpGraphState *state = lp_graph_state(model);
    uint32_t job = state->chosen ? state->job : model->decision.job;
    uint32_t asked = state->chosen ? state->job : LP_NO_INDEX;
    bool known = job < lp_world_jobs(model->world) && lp_world_job(model->world, job)->graph >= 0;
    bool found = lp_model_step_subject(model, asked, out);
    if (found && (!known || out->job == job))
        return true;
    *out = (LpStepSubject){
        .job = job, .partition = LP_NO_INDEX, .placement = LP_NO_INDEX, .ahead = true};
    return known;
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpStepSubject subject;
    bool any = subject_of(model, &subject);
    return lp_graph_model_update(lp_graph_facts(model), session, any ? &subject : NULL,
                                 lp_graph_state(model), model->ui->at_once, diag);
}

static void drop(void *facts) {
    lp_graph_model_fini(facts);
}

/* While a drawing is waited for: the view is drawn anew once it is there. */
static int64_t deadline(const LpHost *host, bool shown) {
    const LpGraphModel *facts = lp_graph_facts(host->model);
    return shown && lp_graph_model_works(facts) ? facts->until : -1;
}

static void tick(LpHost *host, bool shown, int64_t now) {
    LpGraphModel *facts = lp_graph_facts(host->model);
    if (!shown || !lp_graph_model_works(facts) || now < facts->until)
        return;
    facts->until = now + LOOK_MS;
    if (!facts->draw || !lp_graph_draw_works(facts->draw))
        host->app->redraw(host);
}

static const LpViewKey keys[] = {
    {"arrows", "to the next op along an edge, or beside it"},
    {"z Z", "look closer: numbers, names and times; see all of it"},
    {"v", "as profiled, or both passes as cut and placed"},
    {"Enter", "the job's training step"},
    {NULL, NULL},
};

const LpView lp_graph_view = {
    .state = sizeof(LpGraphState),
    .facts = sizeof(LpGraphModel),
    .drop = drop,
    .update = update,
    .draw = lp_view_graph,
    .move = key_move,
    .along = key_along,
    .zoom = key_zoom,
    .variant = key_variant,
    .take = key_step,
    .takes = "training step",
    .looks = "other form",
    .open = open_for,
    .deadline = deadline,
    .tick = tick,
    .keys = keys,
};
