/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the graph that is looked at, and drawings of graphs that were. */
#include "views/graph/graph_facts.h"

#include <string.h>

#include "base/mem.h"

void lp_graph_model_fini(LpGraphModel *model) {
    lp_graph_draw_free(model->draw);
    lp_graph_inspection_fini(&model->seen);
    for (int i = 0; i < model->keeps; i++) {
        lp_free(model->kept[i].x);
        lp_free(model->kept[i].y);
    }
    *model = (LpGraphModel){0};
}

bool lp_graph_model_works(const LpGraphModel *model) {
    return model->known && model->seen.width < 0.0;
}

uint32_t lp_graph_model_node(const LpGraphModel *model, const LpGraphState *state) {
    uint32_t node = state->node[model->seen.cut];
    return node < model->seen.nodes ? node : model->seen.nodes ? model->seen.nodes - 1 : 0;
}

/* ---- drawings ---- */

static const LpGraphDrawing *find(const LpGraphModel *m, uint64_t shape, uint32_t nodes) {
    for (int i = 0; i < m->keeps; i++)
        if (m->kept[i].shape == shape && m->kept[i].nodes == nodes)
            return &m->kept[i];
    return NULL;
}

/* In place of the oldest one where there are many. */
static LpErr keep(LpGraphModel *m, const double *x, const double *y, uint32_t nodes, LpDiag *diag) {
    LpGraphDrawing made = {m->drawn, nodes, lp_alloc(nodes, sizeof *x), lp_alloc(nodes, sizeof *y)};
    if (!made.x || !made.y) {
        lp_free(made.x);
        lp_free(made.y);
        return lp_fail_memory(diag, "a drawing");
    }
    memcpy(made.x, x, nodes * sizeof *x);
    memcpy(made.y, y, nodes * sizeof *y);
    LpGraphDrawing *at = &m->kept[m->keeps < LP_GRAPH_DRAWINGS ? m->keeps : m->oldest];
    if (m->keeps == LP_GRAPH_DRAWINGS)
        m->oldest = (m->oldest + 1) % LP_GRAPH_DRAWINGS;
    else
        m->keeps++;
    lp_free(at->x);
    lp_free(at->y);
    *at = made;
    return LP_OK;
}

static LpErr draw(LpGraphModel *m, bool at_once, LpDiag *diag) {
    if (m->seen.width >= 0.0)
        return LP_OK;
    if (m->draw && (at_once || !lp_graph_draw_works(m->draw))) {
        /* Takes over what the thread has drawn. */
        const double *x, *y;
        uint32_t nodes = lp_graph_draw_nodes(m->draw);
        LpErr err = lp_graph_draw_wait(m->draw, &x, &y, diag);
        if (err == LP_OK)
            err = keep(m, x, y, nodes, diag);
        lp_graph_draw_free(m->draw);
        m->draw = NULL;
        LP_TRY(err);
    }
    const LpGraphDrawing *known = find(m, m->seen.shape, m->seen.nodes);
    if (!known && !m->draw) {
        LP_TRY(lp_graph_draw(&m->seen, &m->draw, diag));
        m->drawn = m->seen.shape;
        if (at_once)
            return draw(m, at_once, diag);
    }
    return known ? lp_graph_inspection_place(&m->seen, known->x, known->y, diag) : LP_OK;
}

/* ---- the graph ---- */

static bool same(const LpGraphModel *m, const LpStepSubject *s, bool cut) {
    const LpStepSubject *of = &m->of;
    return m->known && m->seen.cut == cut && of->job == s->job && of->partition == s->partition &&
           of->placement == s->placement && of->orders.ops == s->orders.ops &&
           of->orders.flows == s->orders.flows;
}

static LpErr seen(LpGraphModel *m, const LpSession *session, const LpStepSubject *s, bool cut,
                  LpDiag *diag) {
    const LpJob *job = lp_world_job(lp_session_world(session), s->job);
    lp_graph_inspection_fini(&m->seen);
    m->known = false;
    m->graph = (uint32_t)job->graph;
    if (cut)
        LP_TRY(lp_graph_inspect_cut(lp_step_subject_context(session, s), s->partition, s->placement,
                                    s->orders, &m->seen, diag));
    else
        LP_TRY(lp_graph_inspect(lp_session_context(session), m->graph, &m->seen, diag));
    m->known = true;
    return LP_OK;
}

LpErr lp_graph_model_update(LpGraphModel *m, const LpSession *session, const LpStepSubject *subject,
                            const LpGraphState *state, bool at_once, LpDiag *diag) {
    if (!subject) {
        m->known = false;
        return LP_OK;
    }
    m->cuts = subject->partition != LP_NO_INDEX && subject->placement != LP_NO_INDEX;
    bool cut = state->cut && m->cuts;
    uint64_t conditions = lp_step_subject_conditions(session, subject);
    if (!same(m, subject, cut) || conditions != m->conditions)
        LP_TRY(seen(m, session, subject, cut, diag));
    m->conditions = conditions;
    m->of = *subject;
    return draw(m, at_once, diag);
}
