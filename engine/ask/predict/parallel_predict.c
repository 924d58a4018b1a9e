/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From words to a step, and the step as JSON and as text. */
#include "ask/predict/parallel_predict.h"

#include <inttypes.h>
#include <stdio.h>

#include "model/device/device.h"
#include "model/parallel/memory.h"
#include "model/parallel/zoo.h"

enum { SHOWN = 64 };

/* ---- working it out ---- */

static LpErr find_device(const char *name, const LpDevice **out, LpDiag *diag) {
    char shown[SHOWN];
    size_t count;
    const LpDevice *table = lp_device_table(&count);
    *out = name == NULL ? lp_device_default() : lp_device_find(name);
    if (*out != NULL)
        return LP_OK;
    LpBuf known = {0};
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&known, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", table[i].name);
    LpErr err = lp_fail(diag, LP_EINVAL, "--device %s: expected %s",
                        lp_str_show(shown, sizeof shown, name), lp_buf_text(&known));
    lp_buf_fini(&known);
    return err;
}

static LpErr predict_rails(const LpParallelSpec *spec, LpParallelPrediction *p, LpDiag *diag) {
    LpDiag inner;
    if (spec->rails == NULL)
        return LP_OK;
    p->turning = true;
    LP_TRY(lp_read_rails(spec->rails, &p->rails, diag));
    LpErr err = lp_rails_step(&p->model, &p->plan, &p->machine, &p->rails, &p->on_rails, &inner);
    return err == LP_OK ? LP_OK : lp_fail(diag, err, "--rails: %s", inner.text);
}

LpErr lp_parallel_predict(const LpParallelSpec *spec, LpParallelPrediction *out, LpDiag *diag) {
    LpParallelPrediction p = {0};
    const LpTransformer *named = spec->name != NULL ? lp_transformer_find(spec->name) : NULL;
    if (spec->name != NULL && named == NULL)
        return lp_fail(diag, LP_EINVAL, "there is no transformer of that name");
    if (named != NULL) {
        p.name = named->title;
        p.changed = spec->model != NULL;
    }
    LP_TRY(lp_read_decoder(spec->model, named != NULL ? &named->model : NULL, &p.model, diag));
    LP_TRY(lp_read_parallel(spec->parallel, &p.plan, diag));
    LP_TRY(find_device(spec->device, &p.device, diag));
    LP_TRY(lp_machine_of(p.device, &p.machine, diag));
    if (spec->machine != NULL)
        LP_TRY(lp_read_machine(spec->machine, &p.machine, diag));
    LP_TRY(lp_parallel_step(&p.model, &p.plan, &p.machine, &p.step, diag));
    LP_TRY(predict_rails(spec, &p, diag));
    *out = p;
    return LP_OK;
}

/* ---- JSON ---- */

static LpFactValue model_parameters(const void *record, void *around LP_UNUSED) {
    return lp_fact_real(lp_decoder_parameters(&((const LpParallelPrediction *)record)->model));
}

static LpFactValue active_parameters(const void *record, void *around LP_UNUSED) {
    return lp_fact_real(lp_decoder_active(&((const LpParallelPrediction *)record)->model));
}

#define PLAN(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpParallelPrediction, step.name)
static const LpFact of_plan[] = {
    {"step_time", LP_SECONDS, "time of the step", PLAN(step_time)},
    {"pipeline_time", LP_SECONDS, "of it, until the last backward pass has ended",
     PLAN(pipeline_time)},
    {"data_time", LP_SECONDS, "reducing the gradients", PLAN(data_time)},
    {"embedding_time", LP_SECONDS, "adding the gradients of the words of both ends",
     PLAN(embedding_time)},
    {"optimiser_time", LP_SECONDS, "updating the parameters", PLAN(optimiser_time)},
    {"wire_time", LP_SECONDS, "of a message between stages", PLAN(wire_time)},
    {"gather_time", LP_SECONDS, "what its receiver gathers of it", PLAN(gather_time)},
    {"bubble", LP_NUMBER,
     "share of the stages' time until the last backward pass in which they do not work",
     PLAN(bubble)},
    {"parameters", LP_NUMBER, "of a device", PLAN(parameters)},
    {"activation_bytes", LP_BYTES, "of the layers of stage 0", PLAN(activation_bytes)},
    {"activation_peak", LP_BYTES, "of the fullest stage, with both ends and what is recomputed",
     PLAN(activation_peak)},
    {"state_bytes", LP_BYTES, "18 for each parameter of the layers' matrices", PLAN(state_bytes)},
    {"flops", LP_NUMBER, "FLOP of the step on all devices", PLAN(flops)},
    {"parameter_bytes", LP_BYTES, "of the fullest device", PLAN(fullest.parameters)},
    {"gradient_bytes", LP_BYTES, "of the fullest device", PLAN(fullest.gradients)},
    {"optimiser_bytes", LP_BYTES, "of the fullest device", PLAN(fullest.optimiser)},
    {"held_bytes", LP_BYTES, "all that it holds with its activations", PLAN(held_bytes)},
    {"forward", LP_SECONDS, "of one layer for one micro-batch", PLAN(part[LP_PART_FORWARD])},
    {"recompute", LP_SECONDS, "likewise", PLAN(part[LP_PART_RECOMPUTE])},
    {"backward", LP_SECONDS, "likewise", PLAN(part[LP_PART_BACKWARD])},
    {"model_parameters", LP_NUMBER, "of the whole model", LP_TO_JSON, .value = model_parameters},
    {"active_parameters", LP_NUMBER, "those that a token meets", LP_TO_JSON,
     .value = active_parameters},
    {"tail_time", LP_SECONDS, "what of the step lies behind the last backward pass",
     PLAN(tail_time)},
    {"hidden_time", LP_SECONDS, "communication that is done beside something else",
     PLAN(hidden_time)},
    {"data_bytes", LP_BYTES,
     "of whole tensors that a device sends once round the rings of its replicas in a step",
     PLAN(data_bytes)},
    {"context_bytes", LP_BYTES, "the same round the rings of its context ways",
     PLAN(context_bytes)},
};
const LpFacts lp_plan_facts = {"plan", of_plan, LP_COUNTOF(of_plan), NULL};

static LpFactValue exposed_time(const void *record, void *around) {
    const LpRailsStep *rails = around;
    return lp_fact_real(((const LpTurnResult *)record)->time - rails->without.time);
}

#define RAILS(name) LP_TO_JSON, .member = LP_FACT_MEMBER(LpTurnResult, name)
static const LpFact of_rails[] = {
    {"rails_time", LP_SECONDS, "with --rails: of the step with its turns", RAILS(time)},
    {"exposed_time", LP_SECONDS, "by how much that is longer than with turns that take no time",
     LP_TO_JSON, .value = exposed_time},
    {"turns", LP_NUMBER, "that are ordered", RAILS(turns)},
    {"waiting_turns", LP_NUMBER, "whose transfer starts later for them", RAILS(waiting)},
    {"exposed_turns", LP_NUMBER, "the slope of rails_time by the delay", RAILS(exposed)},
};
const LpFacts lp_plan_rails_facts = {"plan", of_rails, LP_COUNTOF(of_rails), NULL};

void lp_parallel_json(const LpParallelPrediction *p, LpBuf *text) {
    LpRailsStep rails = p->on_rails;
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_open(&out, "rows", '[');
    lp_json_open(&out, NULL, '{');
    lp_facts_json(&lp_plan_facts, p, NULL, &out);
    if (p->turning)
        lp_facts_json(&lp_plan_rails_facts, &rails.with[p->rails.orders], &rails, &out);
    lp_json_close(&out, '}');
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

/* ---- text ---- */

typedef struct Shown {
    char text[SHOWN];
} Shown;

static Shown show(double value, LpDimension dimension) {
    Shown s;
    lp_quantity_print(value, dimension, s.text, sizeof s.text);
    return s;
}

static void add_model(LpBuf *out, const LpParallelPrediction *p) {
    const LpDecoder *m = &p->model;
    double all = lp_decoder_parameters(m), active = lp_decoder_active(m);
    lp_buf_addf(out, "            %s%s%.6g G parameters", p->name != NULL ? p->name : "",
                p->name == NULL ? ""
                : p->changed    ? " with sizes of --model, "
                                : ", ",
                all / 1e9);
    if (m->experts > 0)
        lp_buf_addf(out, ", %.4g G for a token: %" PRIu32 " of %" PRIu32 " experts a layer",
                    active / 1e9, m->active, m->experts);
    if (m->shared > 0)
        lp_buf_addf(out, " and %" PRIu32 " for all", m->shared);
    if (m->kv_heads > 0 && m->kv_heads < m->heads)
        lp_buf_addf(out, ", %" PRIu32 " head%s of keys and values", m->kv_heads,
                    lp_str_s(m->kv_heads));
    lp_buf_addf(out, "%s%s\n", m->kv_rank > 0 ? ", latent attention" : "",
                m->gated ? ", gated" : "");
}

/* What replicas share out, and what is done at once. */
static void add_sharing(LpBuf *out, const LpParallel *w) {
    static const char *const level[LP_ZERO_MOST + 1] = {
        "", "the optimiser's state", "the optimiser's state and gradients",
        "the optimiser's state, gradients and parameters"};
    static const char *const attention[] = {
        [LP_ATTENTION_UNFUSED] = "",
        [LP_ATTENTION_FUSED] = "attention in one kernel",
        [LP_ATTENTION_CAUSAL] = "attention in one kernel that skips what the mask hides"};
    const char *const said[] = {w->overlap ? "gradients and weights travel beside passes" : "",
                                attention[w->attention]};
    bool any = w->zero > 0;
    if (any)
        lp_buf_addf(out, "            ZeRO %" PRIu32 ": %" PRIu32 " replica%s share%s out %s",
                    w->zero, lp_parallel_replicas(w), lp_str_s(lp_parallel_replicas(w)),
                    lp_parallel_replicas(w) == 1 ? "s" : "", level[w->zero]);
    for (size_t i = 0; i < LP_COUNTOF(said); i++) {
        if (said[i][0] == '\0')
            continue;
        lp_buf_addf(out, "%s%s", any ? "; " : "            ", said[i]);
        any = true;
    }
    if (any)
        lp_buf_add(out, "\n");
}

static void add_plan(LpBuf *out, const LpParallelPrediction *p) {
    const LpDecoder *m = &p->model;
    const LpParallel *w = &p->plan;
    lp_buf_addf(out,
                "model       %" PRIu32 " layer%s, hidden %" PRIu32 ", %" PRIu32
                " head%s, feed-forward %" PRIu32 ", %" PRIu32 " token%s, %" PRIu32 " words%s\n",
                m->layers, lp_str_s(m->layers), m->hidden, m->heads, lp_str_s(m->heads), m->ff,
                m->sequence, lp_str_s(m->sequence), m->vocabulary, m->tied ? "" : ", two tables");
    add_model(out, p);
    lp_buf_addf(out, "plan        tensor %" PRIu32, w->tensor);
    if (lp_parallel_context(w) > 1)
        lp_buf_addf(out, " x context %" PRIu32, w->context);
    lp_buf_addf(out, " x pipeline %" PRIu32 " x data %" PRIu32 " = %" PRIu32 " device%s (%s)\n",
                w->pipeline, w->data, lp_parallel_devices(w), lp_str_s(lp_parallel_devices(w)),
                p->device->name);
    lp_buf_addf(out,
                "            batch %" PRIu32 " = %" PRIu32 " micro-batch%s of %" PRIu32
                " x data %" PRIu32 "; chunks %" PRIu32 "; recompute %s%s%s",
                w->batch, p->step.micro_batches, p->step.micro_batches == 1 ? "" : "es",
                w->micro_batch, w->data, w->chunks, lp_recompute_name(w->recompute),
                w->sequence ? "; sequence parallel" : "",
                w->wait ? "" : "; stages do not wait for sends");
    if (p->model.experts > 0)
        lp_buf_addf(out, "; expert ways %" PRIu32, lp_parallel_expert(w));
    lp_buf_add(out, "\n");
    add_sharing(out, w);
}

/* What the published figures call MFU: FLOP without recomputation of the whole step over what all
 * devices could do meanwhile. */
static double utilisation(const LpParallelPrediction *p) {
    LpParallel plain = p->plan;
    plain.recompute = LP_RECOMPUTE_NONE;
    plain.attention = LP_ATTENTION_UNFUSED;
    double devices = lp_parallel_devices(&plain);
    return lp_parallel_flops(&p->model, &plain) / (p->step.step_time * devices * p->machine.peak);
}

static void add_times(LpBuf *out, const LpParallelPrediction *p) {
    const LpParallelStep *s = &p->step;
    const struct {
        const char *name, *note;
        double time;
    } row[] = {
        {"  pipeline", "all micro-batches through all stages and back", s->pipeline_time},
        {"  data",
         p->plan.zero == 0              ? "reducing the gradients"
         : p->plan.zero == LP_ZERO_MOST ? "gradients are scattered within passes"
         : p->plan.zero == 1            ? "scattering gradients, gathering weights"
                                        : "gathering the weights",
         s->data_time},
        {"  optimiser", "updating the parameters", s->optimiser_time},
        {"  embedding", "adding both ends' gradients of the words", s->embedding_time},
    };
    lp_buf_addf(out, "step        %10s   %.1f %% of the device's peak, recomputation not counted\n",
                show(s->step_time, LP_DIM_TIME).text, 100 * utilisation(p));
    for (size_t i = 0; i < LP_COUNTOF(row); i++)
        lp_buf_addf(out, "%-12s%10s   %s\n", row[i].name, show(row[i].time, LP_DIM_TIME).text,
                    row[i].note);
    if (s->hidden_time > 0)
        lp_buf_addf(out, "%-12s%10s   of the communication is done beside something else\n",
                    "  hidden", show(s->hidden_time, LP_DIM_TIME).text);
    lp_buf_addf(out, "bubble      %8.2f %%   of the stages' time until the last backward pass\n",
                100 * s->bubble);
    lp_buf_addf(out, "message     %10s   between stages, and %s to gather it\n",
                show(s->wire_time, LP_DIM_TIME).text, show(s->gather_time, LP_DIM_TIME).text);
}

static void add_parts(LpBuf *out, const LpParallelStep *s) {
    static const struct {
        const char *name;
        int forward, again, backward;
    } row[] = {
        {"layer", LP_PART_FORWARD, LP_PART_RECOMPUTE, LP_PART_BACKWARD},
        {"embedding", LP_PART_EMBEDDING_FORWARD, -1, LP_PART_EMBEDDING_BACKWARD},
        {"head", LP_PART_HEAD_FORWARD, -1, LP_PART_HEAD_BACKWARD},
    };
    lp_buf_add(out, "\nper micro-batch    forward  recompute   backward\n");
    for (size_t i = 0; i < LP_COUNTOF(row); i++)
        lp_buf_addf(out, "%-15s %10s %10s %10s\n", row[i].name,
                    show(s->part[row[i].forward], LP_DIM_TIME).text,
                    row[i].again < 0 ? "-" : show(s->part[row[i].again], LP_DIM_TIME).text,
                    show(s->part[row[i].backward], LP_DIM_TIME).text);
}

static void add_memory(LpBuf *out, const LpParallelPrediction *p) {
    const LpParallelStep *s = &p->step;
    double memory = p->machine.memory;
    const LpStageMemory *m = &s->fullest;
    const struct {
        double bytes;
        const char *what;
    } part[] = {{m->parameters, "parameters, 2 bytes each"},
                {m->gradients, "gradients"},
                {m->optimiser, "optimiser: master copy and moments"},
                {m->activations, "activations in flight, at their peak"}};
    lp_buf_add(out, "\nof the fullest device\n");
    for (size_t i = 0; i < LP_COUNTOF(part); i++)
        lp_buf_addf(out, "%-12s%10s   %s\n", "", show(part[i].bytes, LP_DIM_BYTES).text,
                    part[i].what);
    lp_buf_addf(
        out, "%-12s%10s   together, %s %s it has: %s\n", "", show(s->held_bytes, LP_DIM_BYTES).text,
        s->held_bytes > memory ? "more than the" : "of the", show(memory, LP_DIM_BYTES).text,
        s->held_bytes > memory ? "it does not fit" : "it fits");
}

/* Times side by side differ in later digits than the third. */
static void add_seconds(LpBuf *out, const char *name, double seconds) {
    lp_buf_addf(out, "%-13s%9.6g s", name, seconds);
}

/* Both kinds of orders, so that what ordering early saves is seen. */
static void add_rails(LpBuf *out, const LpParallelPrediction *p) {
    static const char *const reduce[] = {
        [LP_TURN_REDUCE_NONE] = "not reduced",
        [LP_TURN_REDUCE_BUCKET] = "reduced part by part of the last backward pass",
        [LP_TURN_REDUCE_FLUSH] = "reduced after the last backward pass",
        [LP_TURN_REDUCE_ZERO3] = "scattered after each backward pass, weights gathered before",
    };
    const LpRails *r = &p->rails;
    const LpRailsStep *s = &p->on_rails;
    lp_buf_addf(out, "\non rails    %s a turn, %s a device%s; gradients %s\n",
                show(r->delay, LP_DIM_TIME).text, r->ports == 1 ? "one port" : "two ports",
                r->serial ? ", one turn at a time" : "",
                reduce[p->plan.data == 1              ? LP_TURN_REDUCE_NONE
                       : p->plan.zero == LP_ZERO_MOST ? LP_TURN_REDUCE_ZERO3
                                                      : r->reduce]);
    add_seconds(out, "  no delay", s->without.time);
    for (int i = 0; i < LP_TURN_ORDERS_COUNT; i++) {
        char name[SHOWN];
        const LpTurnResult *with = &s->with[i];
        snprintf(name, sizeof name, "  %s", lp_turn_orders_name((LpTurnOrders)i));
        lp_buf_add(out, "\n");
        add_seconds(out, name, with->time);
        lp_buf_addf(
            out, "   %s exposed: of %" PRIu32 " turns %" PRIu32 " wait, %" PRIu32 " are exposed%s",
            show(with->time - s->without.time, LP_DIM_TIME).text, with->turns, with->waiting,
            with->exposed, i == (int)r->orders ? ", as --rails says" : "");
    }
    lp_buf_add(out, "\n");
}

void lp_parallel_text(const LpParallelPrediction *p, LpBuf *out) {
    add_plan(out, p);
    add_times(out, p);
    add_parts(out, &p->step);
    add_memory(out, p);
    if (p->turning)
        add_rails(out, p);
}
