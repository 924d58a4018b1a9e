/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads steps written as KEY=VALUE. */
#include "sim/turns/turns_keys.h"

#include <string.h>

#include "base/num.h"
#include "model/circuit/circuit.h"

enum { SHOWN = 64, KEYS_MOST = 32 };

typedef enum Kind { COUNT, TIME, TIMES, WORD, REDUCE, PRESET } Kind;

typedef struct Key {
    const char *name;
    Kind kind;
    size_t offset;
    const char *word[4]; /* WORD: what stands for false and for true; REDUCE: the rules */
} Key;

#define FIELD(name) offsetof(LpTurnStep, name)

static const Key STEP_KEYS[] = {
    {"preset", PRESET, 0, {0}},
    {"stages", COUNT, FIELD(stages), {0}},
    {"replicas", COUNT, FIELD(replicas), {0}},
    {"micro_batches", COUNT, FIELD(micro_batches), {0}},
    {"chunks", COUNT, FIELD(chunks), {0}},
    {"layers", COUNT, FIELD(layers), {0}},
    {"ports", COUNT, FIELD(ports), {0}},
    {"steps", COUNT, FIELD(steps), {0}},
    {"forward", TIMES, FIELD(forward), {0}},
    {"backward", TIMES, FIELD(backward), {0}},
    {"send", TIMES, FIELD(send), {0}},
    {"bucket", TIMES, FIELD(bucket), {0}},
    {"gather", TIMES, FIELD(gather), {0}},
    {"optimiser", TIMES, FIELD(optimiser), {0}},
    {"notice", TIME, FIELD(notice), {0}},
    {"order_cost", TIME, FIELD(order_cost), {0}},
    {"serial", WORD, FIELD(serial), {"false", "true"}},
    {"overlap", WORD, FIELD(overlap), {"none", "full"}},
    {"schedule", WORD, FIELD(gpipe), {"1f1b", "gpipe"}},
    {"reduce",
     REDUCE,
     FIELD(reduce),
     {
#define X(id, word) word,
         LP_TURN_REDUCE_TABLE(X)
#undef X
     }},
};

#undef FIELD
#define FIELD(name) offsetof(LpTurnExperts, name)

static const Key EXPERT_KEYS[] = {
    {"layers", COUNT, FIELD(layers), {0}},
    {"steps", COUNT, FIELD(steps), {0}},
    {"attention", TIME, FIELD(attention), {0}},
    {"experts", TIME, FIELD(experts), {0}},
    {"attention_backward", TIME, FIELD(attention_backward), {0}},
    {"experts_backward", TIME, FIELD(experts_backward), {0}},
    {"all_to_all", TIME, FIELD(all_to_all), {0}},
    {"order_cost", TIME, FIELD(order_cost), {0}},
    {"demand", WORD, FIELD(last), {"gate", "last"}},
    {"turn", WORD, FIELD(each), {"layer", "all_to_all"}},
};

typedef struct Reader {
    LpArena *arena;
    const Key *key;
    size_t keys;
    char *target;
    LpTurnStep *step; /* NULL where layers with experts are read */
    bool given[KEYS_MOST];
    LpDiag *diag;
} Reader;

/* ---- values ---- */

static LpErr fail_value(const Reader *r, const Key *key, const char *value, const char *why) {
    char shown[SHOWN];
    return lp_fail(r->diag, LP_EINVAL, "%s=%s: %s", key->name,
                   lp_str_show(shown, sizeof shown, value), why);
}

static LpErr read_count(Reader *r, const Key *key, const char *value) {
    uint64_t number = 0;
    LpDiag ignored;
    if (lp_num_parse_u64(value, &number, &ignored) != LP_OK || number < 1 ||
        number > LP_TURN_NODES_MAX)
        return fail_value(r, key, value, "expected a whole number from 1 to 1000000");
    *(uint32_t *)(void *)(r->target + key->offset) = (uint32_t)number;
    return LP_OK;
}

static LpErr read_time(Reader *r, const Key *key, const char *value, double *out) {
    LpDiag why;
    LpErr err = lp_quantity_parse(value, LP_DIM_TIME, out, &why);
    return err == LP_OK || err == LP_ENOMEM ? err : fail_value(r, key, value, why.text);
}

/* One time, or several with commas between them. */
static LpErr read_times(Reader *r, const Key *key, char *value) {
    LpTurnTimes *times = (void *)(r->target + key->offset);
    uint32_t count = 1;
    for (const char *at = value; *at != '\0'; at++)
        count += *at == ',';
    double *item = lp_arena_alloc(r->arena, count, sizeof *item);
    if (item == NULL)
        return lp_fail_memory(r->diag, "a list of times");
    for (uint32_t i = 0; i < count; i++) {
        char *end = value + strcspn(value, ",");
        *end = '\0';
        while (*value == ' ')
            value++;
        LP_TRY(read_time(r, key, value, &item[i]));
        value = end + 1;
    }
    *times = (LpTurnTimes){.count = count, .item = item};
    return LP_OK;
}

/* The number of a word among those of a key, or of the nearest sentence. */
static LpErr read_word(Reader *r, const Key *key, const char *value, uint32_t *number) {
    LpBuf expected = {0};
    for (uint32_t i = 0; i < LP_COUNTOF(key->word) && key->word[i] != NULL; i++) {
        bool last = i + 1 == LP_COUNTOF(key->word) || key->word[i + 1] == NULL;
        if (strcmp(value, key->word[i]) == 0) {
            *number = i;
            lp_buf_fini(&expected);
            return LP_OK;
        }
        lp_buf_addf(&expected, "%s%s", i == 0 ? "expected " : last ? " or " : ", ", key->word[i]);
    }
    LpErr err = fail_value(r, key, value, lp_buf_text(&expected));
    lp_buf_fini(&expected);
    return err;
}

static LpErr read_choice(Reader *r, const Key *key, const char *value) {
    uint32_t number = 0;
    LP_TRY(read_word(r, key, value, &number));
    if (key->kind == REDUCE)
        r->step->reduce = (LpTurnReduce)number;
    else
        *(bool *)(r->target + key->offset) = number == 1;
    return LP_OK;
}

static LpErr read_preset(Reader *r, const Key *key, const char *value) {
    LpBuf names = {0};
    size_t count;
    const LpTurnPreset *table = lp_turn_preset_table(&count);
    const LpTurnPreset *preset = lp_turn_preset_find(value);
    for (size_t i = 0; i < r->keys; i++)
        if (preset != NULL && &r->key[i] != key && r->given[i])
            return fail_value(r, key, value, "expected it before all other keys");
    if (preset != NULL)
        return lp_turn_preset_step(preset, r->arena, r->step, r->diag);
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&names, "%s%s", i > 0 ? " or " : "expected ", table[i].name);
    LpErr err = fail_value(r, key, value, lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

/* ---- keys ---- */

static LpErr find_key(Reader *r, const char *name, size_t *index) {
    const char *names[KEYS_MOST];
    char shown[SHOWN];
    for (size_t i = 0; i < r->keys; i++) {
        names[i] = r->key[i].name;
        if (strcmp(name, names[i]) == 0) {
            *index = i;
            return LP_OK;
        }
    }
    if (name[0] == '\0')
        return lp_fail(r->diag, LP_EINVAL, "a key is missing before '=', expected KEY=VALUE");
    int near = lp_str_nearest(name, names, r->keys);
    return lp_fail(r->diag, LP_EINVAL, "there is no key %s%s%s",
                   lp_str_show(shown, sizeof shown, name), near >= 0 ? ", did you mean " : "",
                   near >= 0 ? names[near] : "");
}

static LpErr read_value(Reader *r, const Key *key, char *value) {
    switch (key->kind) {
    case COUNT:
        return read_count(r, key, value);
    case TIME:
        return read_time(r, key, value, (double *)(void *)(r->target + key->offset));
    case TIMES:
        return read_times(r, key, value);
    case PRESET:
        return read_preset(r, key, value);
    default:
        return read_choice(r, key, value);
    }
}

static LpErr read_pair(Reader *r, char *word) {
    char *equals = strchr(word, '=');
    char shown[SHOWN];
    size_t index = 0;
    if (equals == NULL)
        return lp_fail(r->diag, LP_EINVAL, "\"%s\": expected KEY=VALUE",
                       lp_str_show(shown, sizeof shown, word));
    *equals = '\0';
    LP_TRY(find_key(r, word, &index));
    if (r->given[index])
        return lp_fail(r->diag, LP_EINVAL, "%s is given twice", r->key[index].name);
    r->given[index] = true;
    return read_value(r, &r->key[index], equals + 1);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/* Cuts the next KEY=VALUE off: up to the blank before a word with another "=". */
static char *next_pair(char **text) {
    char *at = *text;
    while (is_blank(*at))
        at++;
    char *begin = at, *end = at;
    while (*at != '\0') {
        char *word = at;
        while (*at != '\0' && !is_blank(*at))
            at++;
        if (word != begin && memchr(word, '=', (size_t)(at - word)) != NULL) {
            at = word;
            break;
        }
        end = at;
        while (is_blank(*at))
            at++;
    }
    *text = at;
    if (end == begin)
        return NULL;
    *end = '\0';
    return begin;
}

static LpErr read_pairs(Reader *r, const char *text) {
    char *copy = lp_arena_strdup(r->arena, text);
    if (copy == NULL)
        return lp_fail_memory(r->diag, "the keys of a step");
    for (char *pair = next_pair(&copy); pair != NULL; pair = next_pair(&copy))
        LP_TRY(read_pair(r, pair));
    return LP_OK;
}

static bool is_given(const Reader *r, const char *name) {
    for (size_t i = 0; i < r->keys; i++)
        if (strcmp(r->key[i].name, name) == 0)
            return r->given[i];
    return false;
}

/* Who says how gradients meet has replicas. */
static void fill_replicas(Reader *r) {
    bool rings = is_given(r, "bucket") || is_given(r, "gather") || is_given(r, "reduce");
    if (r->step->replicas == 0)
        r->step->replicas = rings ? 2 : 1;
}

LpErr lp_turn_delay_read(const char *text, double *out, LpDiag *diag) {
    char shown[SHOWN];
    double delay = 0;
    LpDiag why;
    const LpPreset *preset = lp_preset_find(text);
    LpErr err = LP_OK;
    if (preset != NULL)
        delay = lp_reconfiguration_time(&preset->delay);
    else
        err = lp_quantity_parse(text, LP_DIM_TIME, &delay, &why);
    if (err == LP_ENOMEM)
        return lp_fail_memory(diag, "a delay");
    lp_str_show(shown, sizeof shown, text);
    if (err != LP_OK)
        return lp_fail(diag, LP_EINVAL, "%s: %s, or a name of lightpath presets", shown, why.text);
    if (!(delay >= 0 && delay <= LP_TURN_LONGEST))
        return lp_fail(diag, LP_EINVAL, "%s: expected 0 or more, and at most %g s", shown,
                       LP_TURN_LONGEST);
    *out = delay;
    return LP_OK;
}

/* One item of the list; *text moves behind it. */
static LpErr next_delay(const char **text, double *out, LpDiag *diag) {
    char item[SHOWN];
    size_t len;
    while (**text == ' ')
        (*text)++;
    len = strcspn(*text, ",");
    while (len > 0 && (*text)[len - 1] == ' ')
        len--;
    if (len >= sizeof item)
        return lp_fail(diag, LP_EINVAL, "--delays: an item of %zu characters is no time", len);
    memcpy(item, *text, len);
    item[len] = '\0';
    *text += strcspn(*text, ",");
    LpDiag why;
    LpErr err = lp_turn_delay_read(item, out, &why);
    return err == LP_OK ? LP_OK : lp_fail(diag, err, "--delays %s", why.text);
}

LpErr lp_turn_delays_read(const char *list, double **out, uint32_t *count, LpDiag *diag) {
    uint32_t delays = 1;
    for (const char *at = list; *at != '\0'; at++)
        delays += *at == ',';
    if (delays > LP_TURN_DELAYS_MAX)
        return lp_fail(diag, LP_ELIMIT, "--delays: %u delays: expected at most %d",
                       (unsigned)delays, (int)LP_TURN_DELAYS_MAX);
    double *delay = lp_alloc(delays, sizeof *delay);
    if (delay == NULL)
        return lp_fail_memory(diag, "the delays");
    for (uint32_t i = 0; i < delays; i++) {
        LpErr err = next_delay(&list, &delay[i], diag);
        if (err != LP_OK) {
            lp_free(delay);
            return err;
        }
        list += *list == ',';
    }
    *out = delay;
    *count = delays;
    return LP_OK;
}

LpErr lp_turn_step_read(const char *text, LpArena *arena, LpTurnStep *out, LpDiag *diag) {
    LpTurnStep step = {
        .micro_batches = 1, .layers = 1, .ports = 1, .steps = 1, .reduce = LP_TURN_REDUCE_BUCKET};
    Reader r = {.arena = arena,
                .key = STEP_KEYS,
                .keys = LP_COUNTOF(STEP_KEYS),
                .target = (char *)&step,
                .step = &step,
                .diag = diag};
    LP_TRY(read_pairs(&r, text));
    if (step.stages == 0)
        return lp_fail(diag, LP_EINVAL,
                       "stages is missing: expected stages=N, forward=TIME and "
                       "backward=TIME at least");
    fill_replicas(&r);
    *out = step;
    return LP_OK;
}

LpErr lp_turn_experts_read(const char *text, LpArena *arena, LpTurnExperts *out, LpDiag *diag) {
    LpTurnExperts step = {.steps = 1};
    Reader r = {.arena = arena,
                .key = EXPERT_KEYS,
                .keys = LP_COUNTOF(EXPERT_KEYS),
                .target = (char *)&step,
                .diag = diag};
    LP_TRY(read_pairs(&r, text));
    if (step.layers == 0)
        return lp_fail(diag, LP_EINVAL,
                       "layers is missing: expected layers=N, attention, experts, "
                       "attention_backward and experts_backward at least");
    *out = step;
    return LP_OK;
}
