/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workload as a trace: every rank goes through the layers forward and back, once a micro-batch,
 * and updates at the end. */
#include <math.h>
#include <string.h>

#include "import/steps/simai.h"

enum {
    NODES_MAX = 1 << 25, /* of all ranks */
    COMPUTING = 0,       /* streams: collectives of other groups do not wait for each other */
    TALKING = 1
};

typedef struct Program {
    const LpSimai *simai;
    LpTraceDraft draft;
    uint32_t comm[LP_SIMAI_GROUPS];
    uint32_t before[2]; /* what the next op waits for: the op and the collective before it */
} Program;

/* At most, of a rank in a micro-batch, the updates with it. */
static double nodes_of(const LpSimai *s) {
    double nodes = 0;
    for (size_t i = 0; i < s->layers; i++)
        nodes += s->layer[i].again ? 9 : 7;
    return nodes;
}

const char *lp_simai_refusal(const LpSimai *s) {
    double nodes = s->gpus * s->micro_batches * nodes_of(s);
    if (s->pipeline > 1)
        return "the file has one stage's layers and no pipeline schedule; use a model with a plan "
               "of pipeline ways, or pp: 1";
    if (s->mode == 1)
        return "mode 1 is inference: this is no training step";
    if (s->data <= 0)
        return "its data ways are unknown (--gpus)";
    if (floor(s->data / s->expert) * s->expert != s->data)
        return "its expert ways do not divide its data ways";
    return nodes > NODES_MAX ? "its ranks and layers are too many to be run one by one" : NULL;
}

/* ---- groups ---- */

/* Members of a group stand `apart` from each other, `each` of them; tensor ways vary fastest, then
 * experts, then the rest of the data ways. */
static LpErr add_groups(LpStepTrace *trace, uint32_t comm, uint32_t apart, uint32_t each,
                        LpDiag *diag) {
    uint32_t *member = lp_alloc(each, sizeof *member);
    LpErr err = member != NULL ? LP_OK : lp_fail_memory(diag, "groups of ranks");
    for (uint32_t first = 0; err == LP_OK && first < trace->ranks; first++) {
        if (first / apart % each != 0)
            continue;
        for (uint32_t i = 0; i < each; i++)
            member[i] = first + i * apart;
        err = lp_step_trace_group(trace, comm, member, each, diag);
    }
    lp_free(member);
    return err;
}

static LpErr make_groups(const LpSimai *s, LpStepTrace *trace, uint32_t comm[LP_SIMAI_GROUPS],
                         LpDiag *diag) {
    uint32_t tensor = (uint32_t)s->tensor, expert = (uint32_t)s->expert;
    const uint32_t apart[LP_SIMAI_GROUPS] = {1, tensor, tensor, tensor * expert};
    for (int g = 0; g < LP_SIMAI_GROUPS; g++) {
        const char *name = lp_simai_group_word((LpSimaiGroup)g);
        uint32_t each = (uint32_t)lp_simai_group_ranks(s, (LpSimaiGroup)g);
        LP_TRY(lp_step_trace_comm(trace, name, strlen(name), &comm[g], diag));
        LP_TRY(add_groups(trace, comm[g], apart[g], each, diag));
    }
    return LP_OK;
}

/* ---- a rank ---- */

static LpErr add_node(Program *p, const LpTraceNode *node, const uint32_t *after, size_t count,
                      LpDiag *diag) {
    uint32_t number = (uint32_t)p->draft.nodes;
    LP_TRY(lp_trace_draft_node(&p->draft, node, diag));
    for (size_t i = 0; i < count; i++)
        if (after[i] != LP_NO_INDEX)
            LP_TRY(lp_trace_draft_edge(&p->draft, number, after[i], diag));
    return LP_OK;
}

/* The op of a layer's phase and its collective; `waits`: what comes next waits for that, too. */
static LpErr add_phase(Program *p, const LpSimaiLayer *layer, LpSimaiPhase phase, bool waits,
                       uint32_t *last, LpDiag *diag) {
    const LpTraceNode op = {.kind = LP_TRACE_OP,
                            .stream = COMPUTING,
                            .what = (uint8_t)phase,
                            .amount = (uint64_t)(layer->ns[phase] + .5)};
    LP_TRY(add_node(p, &op, p->before, LP_COUNTOF(p->before), diag));
    *last = p->before[0] = (uint32_t)p->draft.nodes - 1;
    p->before[1] = LP_NO_INDEX;
    if (layer->bytes[phase] <= 0)
        return LP_OK;
    int group = layer->group[phase];
    const LpTraceNode call = {.kind = LP_TRACE_COLLECTIVE,
                              .stream = (uint8_t)(TALKING + group),
                              .what = layer->call[phase],
                              .peer = p->comm[group],
                              .amount = (uint64_t)(layer->bytes[phase] + .5)};
    LP_TRY(add_node(p, &call, last, 1, diag));
    *last = (uint32_t)p->draft.nodes - 1;
    if (waits)
        p->before[1] = *last;
    return LP_OK;
}

static LpErr add_micro_batch(Program *p, uint32_t *gradient, LpDiag *diag) {
    const LpSimai *s = p->simai;
    uint32_t last;
    for (size_t i = 0; i < s->layers; i++)
        LP_TRY(add_phase(p, &s->layer[i], LP_SIMAI_FORWARD, true, &last, diag));
    for (size_t i = s->layers; i-- > 0;) {
        const LpSimaiLayer *layer = &s->layer[i];
        if (layer->again)
            LP_TRY(add_phase(p, layer, LP_SIMAI_FORWARD, true, &last, diag));
        LP_TRY(add_phase(p, layer, LP_SIMAI_INPUT_GRADIENT, true, &last, diag));
        uint32_t call = p->before[1]; /* the weights' gradient need not wait for it */
        p->before[1] = LP_NO_INDEX;
        LP_TRY(add_phase(p, layer, LP_SIMAI_WEIGHT_GRADIENT, false, &gradient[i], diag));
        p->before[1] = call;
    }
    return LP_OK;
}

/* Once the gradients of all micro-batches are there: those of the last one come last. */
static LpErr add_updates(Program *p, const uint32_t *gradient, LpDiag *diag) {
    const LpSimai *s = p->simai;
    for (size_t i = 0; i < s->layers; i++) {
        const LpTraceNode op = {.kind = LP_TRACE_OP,
                                .stream = COMPUTING,
                                .what = LP_SIMAI_UPDATE,
                                .amount = (uint64_t)(s->layer[i].ns[LP_SIMAI_UPDATE] + .5)};
        const uint32_t after[] = {gradient[i], p->before[0], p->before[1]};
        LP_TRY(add_node(p, &op, after, LP_COUNTOF(after), diag));
    }
    return LP_OK;
}

static LpErr make_rank(Program *p, uint32_t *gradient, LpTraceRank *out, LpDiag *diag) {
    uint32_t cycle;
    p->before[0] = p->before[1] = LP_NO_INDEX;
    for (double batch = 0; batch < p->simai->micro_batches; batch++)
        LP_TRY(add_micro_batch(p, gradient, diag));
    LP_TRY(add_updates(p, gradient, diag));
    return lp_trace_draft_end(&p->draft, out, &cycle, diag);
}

LpErr lp_simai_trace(const LpSimai *simai, LpStepTrace **out, LpDiag *diag) {
    Program program = {.simai = simai};
    LpStepTrace *trace = NULL;
    const char *refusal = lp_simai_refusal(simai);
    if (refusal != NULL)
        return lp_fail(diag, LP_EINVAL, "the workload cannot be run: %s", refusal);
    uint32_t *gradient = lp_alloc(simai->layers, sizeof *gradient);
    LpErr err = gradient != NULL ? LP_OK : lp_fail_memory(diag, "a trace of a step");
    if (err == LP_OK)
        err = lp_step_trace_new((uint64_t)simai->gpus, &trace, diag);
    if (err == LP_OK)
        err = make_groups(simai, trace, program.comm, diag);
    for (uint32_t r = 0; err == LP_OK && r < trace->ranks; r++)
        err = make_rank(&program, gradient, &trace->rank[r], diag);
    lp_trace_draft_fini(&program.draft);
    lp_free(gradient);
    if (err != LP_OK) {
        lp_step_trace_free(trace);
        return err;
    }
    *out = trace;
    return LP_OK;
}
