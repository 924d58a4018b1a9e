/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/steps/simai.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "io/files/lines.h"

enum { FIELDS = 12, FIELDS_MAX = 13, WORDS_MAX = 4096, LAYERS_MAX = 1 << 20 };

static const char *const KIND[] = {"MICRO",
                                   "DATA",
                                   "MODEL",
                                   "HYBRID_DATA_MODEL",
                                   "HYBRID_MODEL_DATA",
                                   "HYBRID_TRANSFORMER",
                                   "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                   "HYBRID_DLRM",
                                   "HYBRID_DLRM_ENHANCED",
                                   "HYBRID_CUSTOMIZED",
                                   "DISTRIBUTED_INFERENCE"};

const char *lp_simai_kind(const char *word, size_t len) {
    for (size_t i = 0; i < LP_COUNTOF(KIND); i++)
        if (strlen(KIND[i]) == len && memcmp(KIND[i], word, len) == 0)
            return KIND[i];
    return NULL;
}

const char *lp_simai_phase_word(LpSimaiPhase phase) {
    static const char *const word[] = {"forward", "input_gradient", "weight_gradient", "update"};
    return word[phase];
}

const char *lp_simai_group_word(LpSimaiGroup group) {
    static const char *const word[] = {"tp", "dp", "ep", "dp_ep"};
    return word[group];
}

double lp_simai_group_ranks(const LpSimai *simai, LpSimaiGroup group) {
    switch (group) {
    case LP_SIMAI_TENSOR:
        return simai->tensor;
    case LP_SIMAI_EXPERT:
        return simai->expert;
    case LP_SIMAI_DATA:
        return simai->data > 0 ? simai->data : 0;
    default:
        return simai->data > 0 ? simai->data / simai->expert : 0;
    }
}

typedef struct Reader {
    LpSimai *simai;
    LpLineFile *lines;
    char *word[WORDS_MAX]; /* of the line */
    size_t words;
} Reader;

static LpErr next_line(Reader *r, bool *more, LpDiag *diag) {
    char *line;
    size_t len;
    LP_TRY(lp_lines_next(r->lines, &line, &len, diag));
    *more = line != NULL;
    r->words = 0;
    for (char *at = line; at != NULL && *(at += strspn(at, " \t")) != '\0';) {
        if (r->words == WORDS_MAX)
            return lp_lines_fail(r->lines, diag, "line %d has more than %d words",
                                 lp_lines_number(r->lines), WORDS_MAX);
        r->word[r->words++] = at;
        at += strcspn(at, " \t");
        if (*at != '\0')
            *at++ = '\0';
    }
    return LP_OK;
}

static const double MOST = 9e18; /* of ns and bytes, which a trace counts in 64 bits */

static LpErr number(const Reader *r, const char *text, const char *what, double *out,
                    LpDiag *diag) {
    char shown[64];
    if (lp_num_parse(text, out, NULL) != LP_OK)
        return lp_lines_fail(r->lines, diag, "line %d: %s is \"%s\", expected a number",
                             lp_lines_number(r->lines), what,
                             lp_str_show(shown, sizeof shown, text));
    if (*out < 0)
        return lp_lines_fail(r->lines, diag, "line %d: %s is %s, expected a number from 0 on",
                             lp_lines_number(r->lines), what, text);
    if (*out >= MOST)
        return lp_lines_fail(r->lines, diag, "line %d: %s is %s, expected less than %g",
                             lp_lines_number(r->lines), what, text, MOST);
    return LP_OK;
}

static LpErr whole(const Reader *r, const char *text, const char *what, double least, double *out,
                   LpDiag *diag) {
    LP_TRY(number(r, text, what, out, diag));
    if (*out < least || *out > UINT32_MAX || *out != (double)(uint32_t)*out)
        return lp_lines_fail(r->lines, diag,
                             "line %d: %s is %s, expected a whole number from %g on",
                             lp_lines_number(r->lines), what, text, least);
    return LP_OK;
}

/* ---- the first line ---- */

/* Layers that are computed again: a count, and as many numbers of layers; they are looked up when
 * the layers are known. */
typedef struct Again {
    uint32_t *layer;
    size_t layers, cap;
} Again;

static LpErr read_again(const Reader *r, size_t *at, Again *again, LpDiag *diag) {
    double count, layer;
    LP_TRY(whole(r, r->word[*at], "the number of checkpoints", 0, &count, diag));
    if (count >= (double)(r->words - *at))
        return lp_lines_fail(r->lines, diag, "line 1: %g checkpoints, but %zu words follow", count,
                             r->words - *at - 1);
    for (++*at; count > 0; count--, ++*at) {
        LP_TRY(whole(r, r->word[*at], "a checkpoint", 0, &layer, diag));
        if (lp_grow((void **)&again->layer, &again->cap, again->layers + 1, sizeof *again->layer) !=
            LP_OK)
            return lp_fail_memory(diag, "a workload");
        again->layer[again->layers++] = (uint32_t)layer;
    }
    return LP_OK;
}

static LpErr read_pair(const Reader *r, size_t *at, Again *again, LpDiag *diag) {
    LpSimai *s = r->simai;
    const struct {
        const char *name;
        double *to, least;
    } pair[] = {{"model_parallel_NPU_group:", &s->tensor, 1},
                {"ep:", &s->expert, 1},
                {"expert_parallel_npu_group:", &s->expert, 1},
                {"pp:", &s->pipeline, 1},
                {"vpp:", &s->virtual_pipeline, 0},
                {"ga:", &s->micro_batches, 1},
                {"all_gpus:", &s->gpus, 0},
                {"mode:", &s->mode, 0}};
    const char *name = r->word[(*at)++];
    bool checkpoints = strcmp(name, "checkpoints:") == 0;
    bool bytes = strcmp(name, "pp_comm:") == 0 || strcmp(name, "pp_comm") == 0;
    if (*at == r->words)
        return LP_OK;
    if (checkpoints)
        return read_again(r, at, again, diag);
    if (bytes)
        return number(r, r->word[(*at)++], "pp_comm", &s->pipeline_bytes, diag);
    for (size_t i = 0; i < LP_COUNTOF(pair); i++)
        if (strcmp(name, pair[i].name) == 0)
            return whole(r, r->word[(*at)++], name, pair[i].least, pair[i].to, diag);
    return LP_OK; /* a name of a later version, or a value of one */
}

static LpErr read_head(Reader *r, const LpImportOptions *options, Again *again, LpDiag *diag) {
    LpSimai *s = r->simai;
    bool more;
    LP_TRY(next_line(r, &more, diag));
    s->kind = r->words > 0 ? lp_simai_kind(r->word[0], strlen(r->word[0])) : NULL;
    if (s->kind == NULL) {
        char shown[64];
        return lp_fail_at(diag, LP_EPARSE, lp_lines_file(r->lines), 1, 0,
                          "\"%s\" is no kind of parallelism: expected %s or another of SimAI's",
                          lp_str_show(shown, sizeof shown, r->words > 0 ? r->word[0] : ""),
                          KIND[6]);
    }
    for (size_t at = 1; at < r->words;)
        LP_TRY(read_pair(r, &at, again, diag));
    s->gpus_of_file = s->gpus > 0;
    if (!s->gpus_of_file && options->gpus > 0)
        s->gpus = options->gpus;
    if (s->gpus <= 0)
        return LP_OK;
    s->data = s->gpus / (s->tensor * s->pipeline);
    if (s->data != (double)(uint32_t)s->data)
        return lp_lines_fail(r->lines, diag,
                             "%g GPUs are no multiple of %g tensor times %g pipeline ways", s->gpus,
                             s->tensor, s->pipeline);
    return LP_OK;
}

/* ---- layers ---- */

static LpErr read_call(const Reader *r, size_t phase, const char *word, LpSimaiLayer *layer,
                       LpDiag *diag) {
    static const struct {
        const char *word;
        LpTraceCall call;
    } calls[] = {{"ALLREDUCE", LP_TRACE_ALL_REDUCE},
                 {"ALLGATHER", LP_TRACE_ALL_GATHER},
                 {"REDUCESCATTER", LP_TRACE_REDUCE_SCATTER},
                 {"ALLTOALL", LP_TRACE_ALL_TO_ALL},
                 {"BROADCAST", LP_TRACE_BROADCAST}};
    char shown[64];
    size_t len = strcspn(word, "_");
    const char *suffix = word + len;
    bool data = phase == LP_SIMAI_WEIGHT_GRADIENT;
    int group = *suffix == '\0'                 ? data ? LP_SIMAI_DATA : LP_SIMAI_TENSOR
                : strcmp(suffix, "_EP") == 0    ? LP_SIMAI_EXPERT
                : strcmp(suffix, "_DP_EP") == 0 ? LP_SIMAI_EXPERT_DATA
                                                : LP_SIMAI_GROUPS;
    for (size_t i = 0; group != LP_SIMAI_GROUPS && i < LP_COUNTOF(calls); i++)
        if (strlen(calls[i].word) == len && memcmp(calls[i].word, word, len) == 0) {
            layer->call[phase] = (uint8_t)calls[i].call;
            layer->group[phase] = (uint8_t)group;
            return LP_OK;
        }
    return lp_lines_fail(r->lines, diag,
                         "line %d: \"%s\" is no collective: expected NONE, ALLREDUCE, ALLGATHER, "
                         "REDUCESCATTER, ALLTOALL or BROADCAST, perhaps with _EP or _DP_EP",
                         lp_lines_number(r->lines), lp_str_show(shown, sizeof shown, word));
}

/* name, dependency, three times (time, collective, bytes), and the time of the update. */
static LpErr read_layer(Reader *r, LpDiag *diag) {
    LpSimai *s = r->simai;
    LpSimaiLayer layer = {0};
    char what[16];
    if (r->words != FIELDS && r->words != FIELDS_MAX)
        return lp_lines_fail(r->lines, diag, "line %d has %zu fields, expected %d",
                             lp_lines_number(r->lines), r->words, FIELDS);
    for (size_t phase = 0; phase < LP_SIMAI_PHASES; phase++) {
        size_t at = 2 + 3 * phase;
        snprintf(what, sizeof what, "field %zu", at + 1);
        LP_TRY(number(r, r->word[at], what, &layer.ns[phase], diag));
        if (phase == LP_SIMAI_UPDATE)
            break;
        LP_TRY(number(r, r->word[at + 2], "its number of bytes", &layer.bytes[phase], diag));
        if (strcmp(r->word[at + 1], "NONE") == 0) {
            layer.bytes[phase] = 0;
            continue;
        }
        LP_TRY(read_call(r, phase, r->word[at + 1], &layer, diag));
        s->empty += layer.bytes[phase] == 0;
    }
    if (s->layers == LAYERS_MAX)
        return lp_fail(diag, LP_ELIMIT, "a workload has more than %d layers", LAYERS_MAX);
    if (lp_grow((void **)&s->layer, &s->cap, s->layers + 1, sizeof layer) != LP_OK)
        return lp_fail_memory(diag, "a workload");
    s->layer[s->layers++] = layer;
    return LP_OK;
}

static LpErr read_layers(Reader *r, bool lenient, LpDiag *diag) {
    uint64_t layers = 0;
    bool more;
    char shown[64];
    LP_TRY(next_line(r, &more, diag));
    if (r->words != 1 || lp_num_parse_u64(r->word[0], &layers, NULL) != LP_OK)
        return lp_fail_at(diag, LP_EPARSE, lp_lines_file(r->lines), 2, 0,
                          "line 2 is \"%s\", expected the number of layers",
                          lp_str_show(shown, sizeof shown, r->words > 0 ? r->word[0] : ""));
    for (;;) {
        LP_TRY(next_line(r, &more, diag));
        if (!more)
            break;
        if (r->words > 0)
            LP_TRY(read_layer(r, diag));
    }
    if (layers != r->simai->layers && !lenient)
        return lp_fail_at(diag, LP_EPARSE, lp_lines_file(r->lines), 2, 0,
                          "line 2: %llu layers, but %zu follow (--lenient takes those)",
                          (unsigned long long)layers, r->simai->layers);
    return LP_OK;
}

LpErr lp_simai_read(const char *file, const LpImportOptions *options, LpSimai *simai,
                    LpDiag *diag) {
    Again again = {0};
    Reader *r = lp_alloc(1, sizeof *r);
    if (r == NULL)
        return lp_fail_memory(diag, "a workload");
    *simai = (LpSimai){.tensor = 1,
                       .expert = 1,
                       .pipeline = 1,
                       .virtual_pipeline = 1,
                       .micro_batches = 1,
                       .gpus = -1,
                       .data = -1};
    r->simai = simai;
    LpErr err = lp_lines_open(file, lp_import_limit(options), &r->lines, diag);
    if (err == LP_OK)
        err = read_head(r, options, &again, diag);
    if (err == LP_OK)
        err = read_layers(r, options->lenient, diag);
    for (size_t i = 0; err == LP_OK && i < again.layers; i++)
        if (again.layer[i] < simai->layers)
            simai->layer[again.layer[i]].again = true;
    lp_lines_close(r->lines);
    lp_free(again.layer);
    lp_free(r);
    return err;
}
