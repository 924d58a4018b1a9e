/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training steps under tensor, pipeline and data parallelism against another implementation of the
 * same model (tests/golden/open/parallel.csv: 26 configurations with their parts, 7 digits), and
 * against what was published. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"
#include "model/device/device.h"
#include "model/parallel/memory.h"
#include "model/parallel/times.h"
#include "model/parallel/zoo.h"
#include "sim/parallel/parallel_step.h"

static const double TOLERANCE = 1e-6;

static void near(const char *where, const char *what, double got, double expected,
                 double tolerance) {
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("%s: %s is %.9g, expected %.9g", where, what, got, expected);
}

static LpMachine a100(void) {
    LpMachine machine;
    assert_int_equal(lp_machine_of(lp_device_find("a100-80g"), &machine, NULL), LP_OK);
    return machine;
}

static LpParallelStep step_of(const LpDecoder *model, const LpParallel *plan) {
    LpMachine machine = a100();
    LpParallelStep step;
    LpDiag diag = {0};
    if (lp_parallel_step(model, plan, &machine, &step, &diag) != LP_OK)
        fail_msg("refused: %s", diag.text);
    return step;
}

/* ---- the goldens ---- */

typedef struct Config {
    LpDecoder model;
    LpParallel plan;
} Config;

static void read_recompute(LpParallel *plan, const char *word) {
    plan->sequence = strstr(word, "+sp") != NULL;
    size_t len = strcspn(word, "+");
    for (int i = LP_RECOMPUTE_NONE; i <= LP_RECOMPUTE_FULL; i++)
        if (strlen(lp_recompute_name((LpRecompute)i)) == len &&
            strncmp(word, lp_recompute_name((LpRecompute)i), len) == 0) {
            plan->recompute = (LpRecompute)i;
            return;
        }
    fail_msg("no recomputation: %s", word);
}

static void read_config_word(Config *c, const char *word) {
    const struct {
        const char *key;
        uint32_t *field;
    } number[] = {
        {"ff", &c->model.ff},    {"h", &c->model.hidden},     {"a", &c->model.heads},
        {"L", &c->model.layers}, {"s", &c->model.sequence},   {"V", &c->model.vocabulary},
        {"t", &c->plan.tensor},  {"p", &c->plan.pipeline},    {"d", &c->plan.data},
        {"v", &c->plan.chunks},  {"b", &c->plan.micro_batch}, {"B", &c->plan.batch},
    };
    if (strcmp(word, "nowait") == 0) {
        c->plan.wait = false;
        return;
    }
    if (strcmp(word, "untied") == 0) {
        c->model.tied = false;
        return;
    }
    for (size_t i = 0; i < LP_COUNTOF(number); i++) {
        size_t len = strlen(number[i].key);
        if (strncmp(word, number[i].key, len) == 0 && word[len] >= '0' && word[len] <= '9') {
            *number[i].field = (uint32_t)strtoul(word + len, NULL, 10);
            return;
        }
    }
    read_recompute(&c->plan, word);
}

static Config read_config(char *words) {
    Config c = {.model = {.sequence = 2048, .vocabulary = 51200, .tied = true},
                .plan = {.wait = true}};
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " "))
        read_config_word(&c, word);
    if (c.model.ff == 0)
        c.model.ff = 4 * c.model.hidden;
    return c;
}

/* The columns after the configuration, in their order and units. */
static size_t columns(const LpParallelStep *s, double out[32]) {
    const double all[] = {
        1e3 * s->part[LP_PART_FORWARD],
        1e3 * s->part[LP_PART_RECOMPUTE],
        1e3 * s->part[LP_PART_BACKWARD],
        1e3 * s->part[LP_PART_EMBEDDING_FORWARD],
        1e3 * s->part[LP_PART_EMBEDDING_BACKWARD],
        1e3 * s->part[LP_PART_HEAD_FORWARD],
        1e3 * s->part[LP_PART_HEAD_BACKWARD],
        1e3 * s->wire_time,
        1e3 * s->gather_time,
        s->pipeline_time,
        s->data_time,
        s->embedding_time,
        s->optimiser_time,
        s->step_time,
        s->bubble,
        s->parameters,
        s->layer_activation,
        s->activation_bytes,
        s->activation_peak,
        s->state_bytes,
        s->flops,
    };
    memcpy(out, all, sizeof all);
    return LP_COUNTOF(all);
}

static void check_line(char *line) {
    char name[1024], *cell = strchr(line, ',');
    assert_non_null(cell);
    *cell++ = '\0';
    snprintf(name, sizeof name, "%s", line);
    Config c = read_config(line);
    LpParallelStep step = step_of(&c.model, &c.plan);
    double got[32];
    size_t count = columns(&step, got);
    for (size_t i = 0; i < count; i++) {
        char what[32], *end;
        double expected = strtod(cell, &end);
        assert_true(end != cell && (*end == ',' || i + 1 == count));
        snprintf(what, sizeof what, "column %zu", i + 2);
        near(name, what, got[i], expected, TOLERANCE);
        cell = end + 1;
    }
}

static void all_configurations(void **state) {
    (void)state;
    FILE *file = fopen("tests/golden/open/parallel.csv", "r");
    char line[1024];
    int lines = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    for (; fgets(line, sizeof line, file) != NULL; lines++) {
        line[strcspn(line, "\r\n")] = '\0';
        check_line(line);
    }
    fclose(file);
    assert_int_equal(lines, 26);
}

/* ---- published step times and memory ---- */

#define GPT(h, a, L, f)                                                                            \
    {                                                                                              \
        .hidden = h, .heads = a, .layers = L, .ff = f, .sequence = 2048, .vocabulary = 51200,      \
        .tied = true                                                                               \
    }

/* Korthikanti et al., arXiv 2205.05198, tables 3 and 5. */
static const struct Published {
    const char *name;
    LpDecoder model;
    uint32_t pipeline, chunks, micro_batch, batch;
    double full, selective;                 /* s: everything recomputed; selective, sequence */
    double state, activation, sequence_act; /* GiB, figure 1 */
} PUBLISHED[] = {
    {"22B", GPT(6144, 64, 48, 24576), 1, 1, 4, 4, 1.42, 1.10, 45.5625, 59.25, 9.5625},
    {"175B", GPT(12288, 96, 96, 49152), 8, 3, 1, 64, 18.13, 13.75, 45.5625, 66.84375, 12.3515625},
    {"530B", GPT(20480, 128, 105, 81920), 35, 3, 1, 280, 49.05, 37.83, 31.640625, 114.0234375,
     23.076171875},
    {"1T", GPT(25600, 160, 128, 102400), 64, 1, 1, 512, 94.42, 71.49, 32.958984375, 131.25,
     26.5625},
};

static LpParallel plan_of(const struct Published *p, LpRecompute recompute, bool sequence) {
    return (LpParallel){.tensor = 8,
                        .pipeline = p->pipeline,
                        .data = 1,
                        .chunks = p->chunks,
                        .micro_batch = p->micro_batch,
                        .batch = p->batch,
                        .recompute = recompute,
                        .sequence = sequence,
                        .wait = true};
}

static void table_5(void **state) {
    (void)state;
    double sum = 0, worst = 0;
    for (size_t i = 0; i < LP_COUNTOF(PUBLISHED); i++) {
        const struct Published *p = &PUBLISHED[i];
        for (int k = 0; k < 2; k++) {
            LpParallel plan =
                plan_of(p, k == 0 ? LP_RECOMPUTE_FULL : LP_RECOMPUTE_SELECTIVE, k == 1);
            double paper = k == 0 ? p->full : p->selective;
            double model = step_of(&p->model, &plan).step_time;
            double error = fabs(model / paper - 1);
            print_message("%-5s %-10s %8.4f s, published %6.2f: %+.2f %%\n", p->name,
                          k == 0 ? "full" : "selective", model, paper, 100 * (model / paper - 1));
            sum += error / 8;
            worst = error > worst ? error : worst;
        }
    }
    print_message("mean %.2f %%, worst %.2f %%\n", 100 * sum, 100 * worst);
    assert_true(sum <= 0.016);
    assert_true(worst <= 0.04);
}

/* Figure 1: parameters with their state, and activations without recomputation and with selective
 * recomputation and sequence parallelism. */
static void figure_1(void **state) {
    (void)state;
    const double gib = 0x1p30;
    for (size_t i = 0; i < LP_COUNTOF(PUBLISHED); i++) {
        const struct Published *p = &PUBLISHED[i];
        LpParallel plain = plan_of(p, LP_RECOMPUTE_NONE, false);
        LpParallel present = plan_of(p, LP_RECOMPUTE_SELECTIVE, true);
        LpParallelStep a = step_of(&p->model, &plain), b = step_of(&p->model, &present);
        near(p->name, "state", a.state_bytes / gib, p->state, 1e-9);
        near(p->name, "activations", a.activation_bytes / gib, p->activation, 1e-9);
        near(p->name, "activations, present work", b.activation_bytes / gib, p->sequence_act, 1e-9);
    }
}

/* Per layer of the 22B model, forward and backward: table 4 there, ms. Not used in choosing
 * anything. */
static void table_4(void **state) {
    (void)state;
    const struct {
        LpRecompute recompute;
        bool sequence;
        double model, paper;
    } row[] = {
        {LP_RECOMPUTE_NONE, false, 20.04, 19.6},     {LP_RECOMPUTE_NONE, true, 19.31, 19.0},
        {LP_RECOMPUTE_FULL, false, 27.43, 27.2},     {LP_RECOMPUTE_SELECTIVE, false, 21.07, 20.9},
        {LP_RECOMPUTE_SELECTIVE, true, 20.34, 20.3},
    };
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        LpParallel plan = plan_of(&PUBLISHED[0], row[i].recompute, row[i].sequence);
        LpParallelStep s = step_of(&PUBLISHED[0].model, &plan);
        double ms =
            1e3 * (s.part[LP_PART_FORWARD] + s.part[LP_PART_RECOMPUTE] + s.part[LP_PART_BACKWARD]);
        near("22B", "a layer, as documented", ms, row[i].model, 1e-3);
        assert_true(ms > row[i].paper && ms < 1.025 * row[i].paper);
    }
}

/* Narayanan et al., arXiv 2104.04473, table 1, TFLOP/s per device by the published formula;
 * micro-batches and chunks of examples/sc21/run_table_1.sh. Older software: the model is 8 %
 * faster, see docs/parallel.md. */
static void sc21_table_1(void **state) {
    (void)state;
    static const struct {
        uint32_t heads, hidden, layers, tensor, pipeline, devices, batch, micro, chunks;
        double model, paper;
    } row[] = {
        {24, 2304, 24, 1, 1, 32, 512, 16, 1, 157.6, 137},
        {32, 3072, 30, 2, 1, 64, 512, 16, 1, 152.8, 138},
        {32, 4096, 36, 4, 1, 128, 512, 16, 1, 147.7, 142},
        {48, 6144, 40, 8, 1, 256, 1024, 8, 1, 138.7, 135},
        {64, 8192, 48, 8, 2, 512, 1536, 4, 1, 142.4, 138},
        {80, 10240, 60, 8, 4, 1024, 1792, 2, 3, 156.7, 140},
        {96, 12288, 80, 8, 8, 1536, 2304, 2, 2, 158.0, 148},
        {128, 16384, 96, 8, 16, 1920, 2160, 1, 2, 170.1, 155},
        {128, 20480, 105, 8, 35, 2520, 2520, 1, 3, 179.7, 163},
        {160, 25600, 128, 8, 64, 3072, 3072, 1, 1, 175.1, 163},
    };
    double sum = 0;
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        double h = row[i].hidden, L = row[i].layers, s = 2048, V = 51200;
        LpDecoder model = GPT(row[i].hidden, row[i].heads, row[i].layers, 4 * row[i].hidden);
        LpParallel plan = {.tensor = row[i].tensor,
                           .pipeline = row[i].pipeline,
                           .data = row[i].devices / row[i].tensor / row[i].pipeline,
                           .chunks = row[i].chunks,
                           .micro_batch = row[i].micro,
                           .batch = row[i].batch,
                           .recompute = LP_RECOMPUTE_FULL,
                           .wait = true};
        double flops = 96 * row[i].batch * s * L * h * h * (1 + s / (6 * h) + V / (16 * L * h));
        double rate = flops / step_of(&model, &plan).step_time / row[i].devices / 1e12;
        print_message("%5.0f %5.1f TFLOP/s, published %3.0f: %+.1f %%\n", h, rate, row[i].paper,
                      100 * (rate / row[i].paper - 1));
        near("SC21", "TFLOP/s, as documented", rate, row[i].model, 5e-4);
        sum += rate / row[i].paper - 1;
    }
    near("SC21", "mean error", sum / LP_COUNTOF(row), 0.082, 0.02);
}

/* ---- single operators, collectives, messages ---- */

/* Arithmetic alone, as if memory were no limit. */
static void products(void **state) {
    (void)state;
    const struct {
        double n, m, columns, k, us;
    } row[] = {
        {1, 8192, 2304, 6144, 1045.35},   {1, 8192, 6144, 768, 326.6718},
        {1, 2048, 4608, 12288, 1045.35},  {1, 2048, 12288, 1536, 348.4499},
        {1, 2048, 12288, 6144, 1393.799}, {1, 12288, 4608, 2048, 929.1997},
        {1, 100, 100, 100, 2.835692},     {12, 2048, 2048, 128, 54.44529},
        {12, 2048, 128, 2048, 58.07498},  {20, 2048, 160, 2048, 174.2249},
    };
    LpMachine machine = a100();
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        LpStepOp op = {.kind = LP_STEP_MAT,
                       .n = row[i].n,
                       .m_rows = row[i].m,
                       .n_columns = row[i].columns,
                       .k_inner = row[i].k};
        double us = 1e6 * (lp_step_compute_time(&op, &machine) - machine.op_time);
        near("mat", "us", us, row[i].us, TOLERANCE);
    }
}

static void collectives(void **state) {
    (void)state;
    const struct {
        LpStepOpKind kind;
        double ranks, packed, bytes, us;
    } row[] = {
        {LP_STEP_ALL_REDUCE, 8, 8, 50331648, 423.0016},
        {LP_STEP_REDUCE_SCATTER, 8, 8, 50331648, 215.7008},
        {LP_STEP_ALL_GATHER, 8, 8, 8192, 32.22987},
        {LP_STEP_ALL_REDUCE, 16, 8, 33554432, 457.4519},
        {LP_STEP_ALL_REDUCE, 32, 8, 2.4e9, 24990.44},
        {LP_STEP_ALL_REDUCE, 32, 1, 2.4e9, 198475.9},
        {LP_STEP_ALL_REDUCE, 2, 1, 3e8, 12793.56},
    };
    LpMachine machine = a100();
    for (size_t i = 0; i < LP_COUNTOF(row); i++)
        near("collective", "us",
             1e6 * lp_ring_time(row[i].kind, row[i].ranks, row[i].packed, row[i].bytes, &machine),
             row[i].us, TOLERANCE);
    assert_true(lp_ring_time(LP_STEP_ALL_REDUCE, 1, 1, 1e9, &machine) == 0);
    assert_true(lp_ring_time(LP_STEP_ALL_REDUCE, 8, 8, 0, &machine) == 0);
}

/* 6 291 456 bytes per device: hidden 12288, 2048 tokens, 8 ways. */
static void messages(void **state) {
    (void)state;
    const LpDecoder *model = &PUBLISHED[1].model;
    LpParallel plan = plan_of(&PUBLISHED[1], LP_RECOMPUTE_NONE, true);
    LpStepShape shape = lp_step_shape(model, &plan);
    LpMachine machine = a100();
    near("wire", "between nodes", 1e6 * lp_wire_time(&shape, &plan, &machine, 0), 285.7215,
         TOLERANCE);
    machine.node = 64;
    near("wire", "inside a node", 1e6 * lp_wire_time(&shape, &plan, &machine, 0), 38.0144,
         TOLERANCE);
    near("wire", "back to stage 0", 1e6 * lp_wire_time(&shape, &plan, &machine, 7), 38.0144,
         TOLERANCE);
    machine.node =
        12; /* stages of 8: 0-7 | 8-15: the first devices share a node, the last do not */
    near("wire", "half inside", 1e6 * lp_wire_time(&shape, &plan, &machine, 0), 285.7215,
         TOLERANCE);
}

static void operators(void **state) {
    (void)state;
    const struct {
        const char *name;
        double us;
    } row[] = {
        {"ln1", 11.01264},       {"qkv", 1049.35},           {"scores", 67.11372},
        {"softmax", 116.2022},   {"attn_dropout", 144.2527}, {"proj", 352.4499},
        {"drop_add1", 16.27211}, {"mlp1", 1397.799},         {"gelu", 32.05054},
        {"b_mlp2_w", 1281.65},   {"b_softmax", 172.3033},    {"b_qkv_w", 933.1997},
        {"b_ln1", 14.51895},
    };
    LpParallel plan = plan_of(&PUBLISHED[1], LP_RECOMPUTE_SELECTIVE, true);
    LpStepShape shape = lp_step_shape(&PUBLISHED[1].model, &plan);
    LpMachine machine = a100();
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        LpStepOps ops;
        bool found = false;
        for (int part = LP_PART_FORWARD; part <= LP_PART_BACKWARD && !found; part++) {
            lp_step_ops(&shape, (LpStepPart)part, &ops);
            for (uint32_t k = 0; k < ops.count && !found; k++)
                if (strcmp(ops.op[k].name, row[i].name) == 0) {
                    near(row[i].name, "us", 1e6 * lp_step_compute_time(&ops.op[k], &machine),
                         row[i].us, TOLERANCE);
                    found = true;
                }
        }
        assert_true(found);
    }
}

/* ---- models with names ---- */

static double weights_of(const LpDecoder *m) {
    const LpParallel one = {.tensor = 1, .pipeline = 1, .data = 1, .chunks = 1, .micro_batch = 1};
    LpDecoder all = *m; /* what a token meets */
    all.experts = 0;
    all.active = all.shared = all.dense = all.dense_ff = 0;
    if (m->experts > 0)
        all.ff = m->ff * (m->active + m->shared);
    double router = m->experts > 0 ? (double)m->layers * m->experts * m->hidden : 0;
    double words = lp_step_shape(m, &one).vocabulary * m->hidden; /* the head; padded */
    return lp_paper_parameters(&all, &one) + router + words;
}

/* Products of matrices: 6 FLOP for each weight that a token meets, and 6 for each pair of tokens
 * and value of keys and of values. */
static void named_flops(const LpTransformer *t) {
    const LpDecoder *m = &t->model;
    LpParallel plan = {
        .tensor = 1, .pipeline = 1, .data = 1, .chunks = 1, .micro_batch = 1, .batch = 3};
    double width = m->head_width > 0 ? m->head_width : (double)m->hidden / m->heads;
    double pairs = (double)m->layers * m->heads * m->sequence * (2 * width + m->rope);
    double narrow = m->q_rank > 0 ? (double)m->layers * (m->q_rank + m->kv_rank) : 0; /* norms */
    double want = 3.0 * m->sequence * (6 * (weights_of(m) - narrow) + 6 * pairs);
    near(t->name, "FLOP", lp_parallel_flops(m, &plan), want, 1e-12);
}

/* To half of the last digit that is published: whole numbers are those of released weights. */
static void named_models(void **state) {
    static const struct {
        const char *name;
        double apart; /* of the count from what is published, as a share */
    } rounded[] = {
        {"gpt-3-125m", .002},  {"gpt-3-350m", .0004}, {"gpt-3-760m", .0004},
        {"gpt-3-1.3b", .0033}, {"gpt-3-2.7b", .0006}, {"gpt-3-6.7b", .0003},
        {"gpt-3-13b", .0003},  {"gpt-3-175b", 3e-5},  {"deepseek-v3", 4e-5},
    };
    size_t count;
    const LpTransformer *table = lp_transformer_table(&count);
    (void)state;
    assert_int_equal(count, 21);
    for (size_t i = 0; i < count; i++) {
        const LpTransformer *t = &table[i];
        double apart = 0;
        for (size_t k = 0; k < LP_COUNTOF(rounded); k++)
            if (strcmp(t->name, rounded[k].name) == 0)
                apart = rounded[k].apart;
        near(t->name, "parameters", lp_decoder_parameters(&t->model), t->parameters, apart);
        if (t->active > 0)
            near(t->name, "active", lp_decoder_active(&t->model), t->active, .015);
        else
            assert_true(lp_decoder_active(&t->model) == lp_decoder_parameters(&t->model));
        assert_non_null(lp_transformer_find(t->name));
        named_flops(t);
    }
    assert_null(lp_transformer_find("gpt-5"));
}

/* Training compute: arXiv 2005.14165, table D.1 (300e9 tokens), and arXiv 2407.21783 (15.6e12): 6
 * FLOP per parameter and token. What is above it here is attention between tokens, which that
 * leaves out, less the tables that nothing is multiplied with. */
static void named_compute(void **state) {
    static const struct {
        const char *name;
        double tokens, published, above; /* share */
    } row[] = {
        {"gpt-3-1.3b", 300e9, 2.38e21, .146},     {"gpt-3-6.7b", 300e9, 1.20e22, .079},
        {"gpt-3-13b", 300e9, 2.31e22, .065},      {"gpt-3-175b", 300e9, 3.14e23, .0281},
        {"llama-3-405b", 15.6e12, 3.8e25, .0780},
    };
    (void)state;
    for (size_t i = 0; i < LP_COUNTOF(row); i++) {
        const LpDecoder *m = &lp_transformer_find(row[i].name)->model;
        LpParallel plan = {
            .tensor = 1, .pipeline = 1, .data = 1, .chunks = 1, .micro_batch = 1, .batch = 1};
        double each = lp_parallel_flops(m, &plan) / m->sequence;
        near(row[i].name, "above", each * row[i].tokens / row[i].published - 1, row[i].above, .02);
    }
}

/* Experts: ways that nothing is sent between change memory alone; what is sent is paid. */
static void expert_ways(void **state) {
    const LpDecoder *m = &lp_transformer_find("mixtral-8x7b")->model;
    LpParallel plan = {.tensor = 1,
                       .pipeline = 4,
                       .data = 8,
                       .chunks = 1,
                       .micro_batch = 1,
                       .batch = 64,
                       .wait = true};
    double expert = 8 * 3.0 * 4096 * 14336 * 8; /* of a stage of 8 layers */
    (void)state;
    LpParallelStep one = step_of(m, &plan);
    double whole = lp_stage_parameters(m, &plan, 1);
    plan.expert = 8;
    LpParallelStep eight = step_of(m, &plan);
    assert_true(lp_stage_expert_parameters(m, &plan, 1) == expert / 8);
    assert_true(whole - lp_stage_parameters(m, &plan, 1) == expert * 7 / 8);
    near("expert 8", "FLOP", eight.flops, one.flops, 1e-12);
    /* four all-to-alls of 2 bytes x 4096 tokens x 4096 x 2 experts; 7/8 go to others of the node */
    LpMachine machine = a100();
    double bytes = 2.0 * 4096 * 4096 * 2;
    double sent = machine.base_latency + machine.link_latency + bytes * 7 / 8 / machine.link_rate;
    near("expert 8", "all-to-all", lp_all_to_all_time(8, 8, bytes, &machine), sent, 1e-12);
    double layer = 0;
    for (int part = LP_PART_FORWARD; part <= LP_PART_BACKWARD; part++) {
        LpStepShape shape = lp_step_shape(m, &plan);
        LpStepOps ops;
        lp_step_ops(&shape, (LpStepPart)part, &ops);
        for (uint32_t i = 0; i < ops.count; i++)
            if (ops.op[i].kind == LP_STEP_ALL_TO_ALL) {
                assert_true(ops.op[i].bytes == bytes);
                layer += 1;
            }
    }
    assert_true(layer == 4);
    assert_true(eight.data_time < one.data_time);
}

/* Groups of heads, gates: by hand, Llama 3 8B on 8 devices, one layer, in values of 2 bytes. */
static void grouped_heads(void **state) {
    const LpDecoder *m = &lp_transformer_find("llama-3-8b")->model;
    LpParallel plan = {
        .tensor = 8, .pipeline = 1, .data = 1, .chunks = 1, .micro_batch = 1, .batch = 1};
    LpStepShape s = lp_step_shape(m, &plan);
    (void)state;
    assert_true(lp_step_qkv(&s) == 4096 + 2 * 1024);
    /* norms, masks and inputs 10 x 4096; q 4096, k and v 1024, output 4096; ff 3 x 14336 */
    assert_true(lp_layer_activation(&s, LP_RECOMPUTE_SELECTIVE) ==
                8192.0 * (10 * 4096 + 2 * (4096 + 1024 + 1024 + 4096 + 3 * 14336) / 8.0));
    plan.pipeline = 2; /* so that both ends have a table of words */
    double both = lp_stage_parameters(m, &plan, 0) + lp_stage_parameters(m, &plan, 1);
    double words = lp_step_shape(m, &plan).vocabulary - m->vocabulary, norms = 65.0 * 4096;
    assert_true(8 * both - 7 * norms - 2 * words * 4096 == 8030261248.0);
}

TEST_GROUP(test_parallel) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_configurations), cmocka_unit_test(table_5),
        cmocka_unit_test(figure_1),           cmocka_unit_test(table_4),
        cmocka_unit_test(sc21_table_1),       cmocka_unit_test(products),
        cmocka_unit_test(collectives),        cmocka_unit_test(messages),
        cmocka_unit_test(operators),          cmocka_unit_test(named_models),
        cmocka_unit_test(named_compute),      cmocka_unit_test(expert_ways),
        cmocka_unit_test(grouped_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
