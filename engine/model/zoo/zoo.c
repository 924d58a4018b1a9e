/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The zoo's catalogue: which models there are, which knobs each has, and building one by name. */
#include "model/zoo/zoo.h"

#include <string.h>

#include "base/str.h"
#include "model/zoo/zoo_impl.h"

static const LpZooModel MODELS[] = {
    {"alexnet", "AlexNet", "Krizhevsky, One weird trick, arXiv 1404.5997 (2014)", 256},
    {"vgg16", "VGG-16", "Simonyan, Zisserman, arXiv 1409.1556 (2014), configuration D", 128},
    {"resnet18", "ResNet-18", "He, Zhang, Ren, Sun, arXiv 1512.03385 (2015)", 256},
    {"squeezenet1_0", "SqueezeNet 1.0", "Iandola et al., arXiv 1602.07360 (2016)", 256},
    {"gnmt", "GNMT, 4 layers", "Wu et al., arXiv 1609.08144 (2016)", 32},
    {"transformer", "decoder-only transformer", "Radford et al., GPT-2 (2019)", 8},
};

/* A number that a spec may set. */
typedef struct Knob {
    const char *name;
    size_t offset; /* in LpZooSpec */
    uint32_t min, max;
} Knob;

enum { BATCH, LAYERS, HIDDEN, HEADS, SEQUENCE, VOCABULARY, KNOBS };

#define ROW(field, min, max)                                                                       \
    { #field, offsetof(LpZooSpec, field), min, max }
static const Knob KNOB_TABLE[KNOBS] = {
    [BATCH] = ROW(batch, 1, 1u << 20),       [LAYERS] = ROW(layers, 1, 1u << 14),
    [HIDDEN] = ROW(hidden, 1, 1u << 18),     [HEADS] = ROW(heads, 1, 1u << 14),
    [SEQUENCE] = ROW(sequence, 2, 1u << 20), [VOCABULARY] = ROW(vocabulary, 2, 1u << 24),
};
#undef ROW

/* In the order of MODELS. A default of 0: the model has no such knob; batch is in MODELS. */
static const struct {
    void (*build)(LpZoo *zoo);
    uint32_t initial[KNOBS];
} RECIPES[LP_COUNTOF(MODELS)] = {
    {lp_zoo_alexnet, {0}},
    {lp_zoo_vgg16, {0}},
    {lp_zoo_resnet18, {0}},
    {lp_zoo_squeezenet, {0}},
    {lp_zoo_gnmt, {[SEQUENCE] = 48}},
    /* GPT-2 small */
    {lp_zoo_transformer,
     {[LAYERS] = 12, [HIDDEN] = 768, [HEADS] = 12, [SEQUENCE] = 1024, [VOCABULARY] = 50257}},
};

const LpZooModel *lp_zoo_table(size_t *count) {
    *count = LP_COUNTOF(MODELS);
    return MODELS;
}

/* ---- by name ---- */

static LpErr unknown_model(const char *name, LpDiag *diag) {
    const char *names[LP_COUNTOF(MODELS)];
    for (size_t i = 0; i < LP_COUNTOF(MODELS); i++)
        names[i] = MODELS[i].name;
    int nearest = lp_str_nearest(name, names, LP_COUNTOF(names));
    LpBuf text = {0};
    lp_buf_add(&text, "unknown zoo model '");
    lp_str_escape(&text, name, strlen(name));
    lp_buf_add(&text, nearest >= 0 ? "', did you mean " : "', expected one of ");
    if (nearest >= 0)
        lp_buf_addf(&text, "'%s'?", names[nearest]);
    for (size_t i = 0; i < LP_COUNTOF(names) && nearest < 0; i++)
        lp_buf_addf(&text, "%s%s", i > 0 ? ", " : "", names[i]);
    LpErr err = lp_fail(diag, LP_EINVAL, "%s", lp_buf_text(&text));
    lp_buf_fini(&text);
    return err;
}

static LpErr find_model(const char *name, size_t *index, LpDiag *diag) {
    for (size_t i = 0; i < LP_COUNTOF(MODELS); i++) {
        if (name != NULL && strcmp(name, MODELS[i].name) == 0) {
            *index = i;
            return LP_OK;
        }
    }
    return unknown_model(name != NULL ? name : "", diag);
}

/* ---- knobs ---- */

/* Fills in what is 0 and checks the rest. */
static LpErr settle_knob(size_t model, size_t k, LpZooSpec *spec, LpDiag *diag) {
    const Knob *knob = &KNOB_TABLE[k];
    uint32_t *value = (uint32_t *)(void *)((char *)spec + KNOB_TABLE[k].offset);
    const uint32_t initial = k == BATCH ? MODELS[model].default_batch : RECIPES[model].initial[k];
    if (*value != 0 && initial == 0)
        return lp_fail(diag, LP_EINVAL, "zoo model '%s' has no '%s' to choose", MODELS[model].name,
                       knob->name);
    if (*value == 0)
        *value = initial;
    if (initial != 0 && (*value < knob->min || *value > knob->max))
        return lp_fail(diag, LP_EINVAL, "'%s' of zoo model '%s' is %u, expected %u to %u",
                       knob->name, MODELS[model].name, (unsigned)*value, (unsigned)knob->min,
                       (unsigned)knob->max);
    return LP_OK;
}

static LpErr settle(size_t model, LpZooSpec *spec, LpDiag *diag) {
    for (size_t k = 0; k < KNOBS; k++)
        LP_TRY(settle_knob(model, k, spec, diag));
    if (spec->heads != 0 && spec->hidden % spec->heads != 0)
        return lp_fail(diag, LP_EINVAL,
                       "'hidden' of zoo model '%s' is %u, expected a multiple of 'heads', %u",
                       MODELS[model].name, (unsigned)spec->hidden, (unsigned)spec->heads);
    if (spec->bytes_per_value == 0)
        spec->bytes_per_value = 4;
    if (spec->bytes_per_value != 2 && spec->bytes_per_value != 4)
        return lp_fail(
            diag, LP_EINVAL,
            "'bytes_per_value' of zoo model '%s' is %u, expected 4 or 2 (arithmetic is at the "
            "device's fp32 rate either way)",
            MODELS[model].name, (unsigned)spec->bytes_per_value);
    return LP_OK;
}

/* ---- building ---- */

LpErr lp_zoo_build(const char *id, const LpZooSpec *spec, LpGraph **out, LpDiag *diag) {
    size_t model = 0;
    LpZoo zoo = {.spec = *spec, .diag = diag};
    LP_TRY(find_model(spec->name, &model, diag));
    LP_TRY(settle(model, &zoo.spec, diag));
    zoo.batch = zoo.spec.batch;
    zoo.value_bytes = zoo.spec.bytes_per_value;
    zoo.builder = lp_graph_builder_new(id, NULL);
    if (zoo.builder == NULL)
        return lp_fail_memory(diag, "a zoo model");
    lp_graph_builder_batch(zoo.builder, zoo.batch);
    RECIPES[model].build(&zoo);
    if (zoo.err == LP_OK)
        zoo.err = lp_graph_builder_finish(zoo.builder, out, diag);
    if (zoo.err == LP_OK) {
        (*out)->value_bytes = zoo.spec.bytes_per_value;
        /* What nothing reads is what training compares with its targets. */
        LpGraph *graph = *out;
        for (uint32_t u = 0; u < graph->ops; u++)
            graph->op[u].to_loss =
                graph->succ_begin[u] == graph->succ_begin[u + 1] && graph->op[u].kind != LP_OP_LOSS;
    }
    lp_graph_builder_free(zoo.builder);
    return zoo.err;
}
