/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as numbers and as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "model/parallel/decoder.h"

/* ---- numbers ---- */

LpParallel lp_parallel_default(void) {
    return (LpParallel){
#define X(field, kind, usual) .field = usual,
        LP_PARALLEL_KEYS(X)
#undef X
    };
}

LpDecoder lp_decoder_default(void) {
    return (LpDecoder){.sequence = 2048, .vocabulary = 51200, .tied = true};
}

void lp_decoder_settle(LpDecoder *model) {
    if (model->ff == 0)
        model->ff = 4 * model->hidden;
}

uint32_t lp_parallel_numbers(const LpParallel *p, uint32_t out[LP_PARALLEL_NUMBERS]) {
    static const uint32_t usual[] = {
#define X(field, kind, usual) usual,
        LP_PARALLEL_KEYS(X)
#undef X
    };
    const uint32_t number[] = {
#define X(field, kind, usual) p->field,
        LP_PARALLEL_KEYS(X)
#undef X
    };
    uint32_t matter = LP_PARALLEL_OLDEST;
    for (uint32_t i = 0; i < LP_PARALLEL_NUMBERS; i++) {
        out[i] = number[i];
        if (i >= matter && number[i] != usual[i])
            matter = i + 1;
    }
    return matter;
}

bool lp_parallel_of_numbers(const double *number, size_t count, LpParallel *out) {
    LpParallel plan = lp_parallel_default();
    if (count > LP_PARALLEL_NUMBERS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(number[i] >= 0 && number[i] <= LP_PARALLEL_SIZE))
            return false;
    if (count > LP_PARALLEL_AT_recompute && number[LP_PARALLEL_AT_recompute] > LP_RECOMPUTE_FULL)
        return false;
    if (count > LP_PARALLEL_AT_attention && number[LP_PARALLEL_AT_attention] > LP_ATTENTION_CAUSAL)
        return false;
#define READ_NEEDED(field) (uint32_t) number[LP_PARALLEL_AT_##field]
#define READ_WHOLE(field) READ_NEEDED(field)
#define READ_COUNT(field) READ_NEEDED(field)
#define READ_RECOMPUTE(field) (LpRecompute) READ_NEEDED(field)
#define READ_ATTENTION(field) (LpAttention) READ_NEEDED(field)
#define READ_SWITCH(field) (number[LP_PARALLEL_AT_##field] > 0)
#define X(field, kind, usual)                                                                      \
    if (count > LP_PARALLEL_AT_##field)                                                            \
        plan.field = READ_##kind(field);
    LP_PARALLEL_KEYS(X)
#undef X
    *out = plan;
    return true;
}

uint64_t lp_parallel_hash(uint64_t hash, const LpParallel *plan) {
    uint32_t number[LP_PARALLEL_NUMBERS], matter = lp_parallel_numbers(plan, number);
    for (uint32_t i = 0; i < matter; i++)
        hash = lp_hash_u64(hash, number[i]);
    return hash;
}

bool lp_parallel_same(const LpParallel *a, const LpParallel *b) {
    LpParallel one = *a, other = *b;
    one.expert = lp_parallel_expert(a); /* 0 is 1 */
    other.expert = lp_parallel_expert(b);
    one.context = lp_parallel_context(a);
    other.context = lp_parallel_context(b);
#define X(field, kind, usual)                                                                      \
    if (one.field != other.field)                                                                  \
        return false;
    LP_PARALLEL_KEYS(X)
#undef X
    return true;
}

/* ---- text ---- */

/* How the numbers that may differ from their defaults are written. */
typedef struct Words {
    const char *between, *context, *expert, *chunks, *micro, *recompute, *sequence, *no_wait, *zero,
        *overlap, *attention;
} Words;

static void add_text(char *buf, const Words *w, const char *name, const char *value) {
    size_t n = strlen(buf);
    snprintf(buf + n, LP_PARALLEL_TEXT - n, "%s%s%s", w->between, name, value);
}

static void add_number(char *buf, const Words *w, const char *name, uint32_t number) {
    char value[16];
    snprintf(value, sizeof value, "%" PRIu32, number);
    add_text(buf, w, name, value);
}

/* What differs from the defaults. */
static void add_rest(char *buf, const Words *w, const LpParallel *p) {
    const struct {
        const char *name;
        uint32_t number, usual;
    } number[] = {{w->context, lp_parallel_context(p), 1},
                  {w->expert, lp_parallel_expert(p), 1},
                  {w->chunks, p->chunks, 1},
                  {w->micro, p->micro_batch, 1}};
    for (size_t i = 0; i < LP_COUNTOF(number); i++)
        if (number[i].number > number[i].usual)
            add_number(buf, w, number[i].name, number[i].number);
    if (p->recompute != LP_RECOMPUTE_NONE)
        add_text(buf, w, w->recompute, lp_recompute_name(p->recompute));
    if (p->sequence)
        add_text(buf, w, w->sequence, "");
    if (!p->wait)
        add_text(buf, w, w->no_wait, "");
    if (p->zero > 0)
        add_number(buf, w, w->zero, p->zero);
    if (p->overlap)
        add_text(buf, w, w->overlap, "");
    if (p->attention != LP_ATTENTION_UNFUSED)
        add_text(buf, w, w->attention, lp_attention_name(p->attention));
}

const char *lp_parallel_print(const LpParallel *p, char buf[LP_PARALLEL_TEXT]) {
    static const Words words = {
        .between = ", ",
        .context = "context ",
        .expert = "expert ways ",
        .chunks = "chunks ",
        .micro = "micro-batch ",
        .recompute = "recompute ",
        .sequence = "sequence parallel",
        .no_wait = "sends not waited for",
        .zero = "ZeRO ",
        .overlap = "gradients overlapped",
        .attention = "attention ",
    };
    snprintf(buf, LP_PARALLEL_TEXT, "tensor %" PRIu32 " x pipeline %" PRIu32 " x data %" PRIu32,
             p->tensor, p->pipeline, p->data);
    add_rest(buf, &words, p);
    return buf;
}

const char *lp_parallel_brief(const LpParallel *p, char buf[LP_PARALLEL_TEXT]) {
    static const Words words = {
        .between = " ",
        .context = "c",
        .expert = "e",
        .chunks = "v",
        .micro = "b",
        .recompute = "",
        .sequence = "sp",
        .no_wait = "nowait",
        .zero = "z",
        .overlap = "overlap",
        .attention = "",
    };
    snprintf(buf, LP_PARALLEL_TEXT, "t%" PRIu32 " p%" PRIu32 " d%" PRIu32, p->tensor, p->pipeline,
             p->data);
    add_rest(buf, &words, p);
    return buf;
}

/* "recompute=selective" of key number i. */
static void add_word(char *buf, uint32_t i, uint32_t number) {
    static const char *const key[] = {
#define X(field, kind, usual) #field,
        LP_PARALLEL_KEYS(X)
#undef X
    };
    enum { SHOWN_NEEDED, SHOWN_WHOLE = 0, SHOWN_COUNT = 0, SHOWN_SWITCH, SHOWN_RECOMPUTE };
    enum { SHOWN_ATTENTION = SHOWN_RECOMPUTE + 1 };
    static const int shown[] = {
#define X(field, kind, usual) SHOWN_##kind,
        LP_PARALLEL_KEYS(X)
#undef X
    };
    size_t n = strlen(buf), room = LP_PARALLEL_TEXT - n;
    n += (size_t)snprintf(buf + n, room, "%s%s=", n > 0 ? " " : "", key[i]);
    room = LP_PARALLEL_TEXT - n;
    if (shown[i] == SHOWN_SWITCH)
        snprintf(buf + n, room, "%s", number != 0 ? "true" : "false");
    else if (shown[i] == SHOWN_RECOMPUTE)
        snprintf(buf + n, room, "%s", lp_recompute_name((LpRecompute)number));
    else if (shown[i] == SHOWN_ATTENTION)
        snprintf(buf + n, room, "%s", lp_attention_name((LpAttention)number));
    else
        snprintf(buf + n, room, "%" PRIu32, number);
}

const char *lp_parallel_words(const LpParallel *p, char buf[LP_PARALLEL_TEXT]) {
    uint32_t number[LP_PARALLEL_NUMBERS], usual[LP_PARALLEL_NUMBERS];
    LpParallel plain = lp_parallel_default(), plan = *p;
    plan.expert = lp_parallel_expert(p); /* 0 is 1 */
    plan.context = lp_parallel_context(p);
    lp_parallel_numbers(&plan, number);
    lp_parallel_numbers(&plain, usual);
    buf[0] = '\0';
    for (uint32_t i = 0; i < LP_PARALLEL_NUMBERS; i++)
        if (i == LP_PARALLEL_AT_tensor || (i != LP_PARALLEL_AT_batch && number[i] != usual[i]))
            add_word(buf, i, number[i]);
    return buf;
}

const char *lp_recompute_name(LpRecompute recompute) {
    static const char *const name[] = {"none", "selective", "full"};
    return name[recompute];
}

const char *lp_attention_name(LpAttention attention) {
    static const char *const name[] = {"unfused", "fused", "causal"};
    return name[attention];
}
