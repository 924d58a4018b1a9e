/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as files: io/ parses the JSON, learn/ knows what must stand in it. */
#include "session/player/weights_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files.h"
#include "host/write_file.h"
#include "io/files/file.h"
#include "io/json/json.h"
#include "session/player/place_rule.h"

enum { CHECKPOINT_MAX = 4 * LP_NETWORK_FILE_MAX };

/* The members before the tensors. */
typedef struct Head {
    int encoding;
    uint32_t format, degrees;
    const char *placing[LP_PLACINGS_MAX];
    uint32_t placings;
    LpNetShape shape;
    const char *scenario, *algorithm, *settings;
    LpNetNote note;
    LpJsonValue tensors, checkpoint;
} Head;

#define COUNT(key, structure, field, least, most)                                                  \
    {                                                                                              \
        .name = key, .type = LP_KEY_COUNT, .offset = offsetof(structure, field),                   \
        .range = {.min = least, .max = most}, .required = true                                     \
    }

static LpErr read_widths(LpJsonValue value, Head *head, LpArena *arena, LpDiag *diag) {
    static const LpJsonKey KEYS[] = {
        COUNT("rounds", LpNetShape, rounds, 1, LP_NET_ROUNDS),
        COUNT("messages", LpNetShape, messages, 2, LP_NET_WIDTH),
        COUNT("width", LpNetShape, width, 1, LP_NET_WIDTH),
        COUNT("embedding", LpNetShape, embedding, 1, LP_NET_WIDTH),
        COUNT("branch", LpNetShape, branch, 1, LP_NET_WIDTH),
        COUNT("hidden", LpNetShape, hidden, 1, LP_NET_WIDTH),
        {.name = "silent_sources",
         .type = LP_KEY_FLAG,
         .offset = offsetof(LpNetShape, silent_sources),
         .required = true},
    };
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    return lp_json_read(value, KEYS, LP_COUNTOF(KEYS), &head->shape, arena, NULL, diag);
}

/* The shape of a network that scores one by one follows from its encoding, but for this. */
static LpErr read_hidden(LpJsonValue value, Head *head, LpArena *arena, LpDiag *diag) {
    static const LpJsonKey KEYS[] = {COUNT("hidden", LpNetShape, hidden, 1, LP_NET_WIDTH)};
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    return lp_json_read(value, KEYS, LP_COUNTOF(KEYS), &head->shape, arena, NULL, diag);
}

/* [least, most]; missing in older files. */
static LpErr read_range(LpJsonValue note, const char *name, double out[2], LpDiag *diag) {
    LpJsonValue list = lp_json_member(note, name);
    if (lp_json_kind(list) == LP_JSON_NOTHING)
        return LP_OK;
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    LpJsonValue v = lp_json_first(list);
    for (int i = 0; i < 2; i++, v = lp_json_next(v)) {
        if (v.item == NULL || lp_json_count(list) != 2)
            return lp_json_fail(list, diag, LP_EINVAL, "%s: expected the least and the most", name);
        LP_TRY(lp_json_expect(v, LP_JSON_NUMBER, diag));
        out[i] = lp_json_number(v);
    }
    return LP_OK;
}

static LpErr read_note(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    static const LpJsonKey KEYS[] = {
        {.name = "scenario", .type = LP_KEY_TEXT, .offset = offsetof(Head, scenario)},
        {.name = "algorithm", .type = LP_KEY_TEXT, .offset = offsetof(Head, algorithm)},
        {.name = "seed", .type = LP_KEY_COUNT64, .offset = offsetof(Head, note.seed)},
        {.name = "threads", .type = LP_KEY_SKIP}, /* in older files; means nothing now */
        {.name = "steps", .type = LP_KEY_COUNT64, .offset = offsetof(Head, note.steps)},
        {.name = "return", .type = LP_KEY_SKIP},
        {.name = "simulated", .type = LP_KEY_COUNT64, .offset = offsetof(Head, note.simulated)},
        {.name = "scenarios",
         .type = LP_KEY_COUNT,
         .offset = offsetof(Head, note.scenarios),
         .range = {.max = UINT32_MAX}},
        {.name = "settings", .type = LP_KEY_TEXT, .offset = offsetof(Head, settings)},
        {.name = "servers", .type = LP_KEY_SKIP},
        {.name = "load", .type = LP_KEY_SKIP},
        {.name = "limit", .type = LP_KEY_SKIP},
    };
    Head *head = target;
    LP_TRY(lp_json_read(value, KEYS, LP_COUNTOF(KEYS), head, context, NULL, diag));
    LP_TRY(read_range(value, "servers", head->note.servers, diag));
    LP_TRY(read_range(value, "load", head->note.load, diag));
    LP_TRY(read_range(value, "limit", head->note.limit, diag));
    LpJsonValue mean = lp_json_member(value, "return");
    head->note.return_mean =
        lp_json_kind(mean) == LP_JSON_NUMBER ? lp_json_number(mean) : (double)NAN;
    lp_str_copy(head->note.scenario, sizeof head->note.scenario,
                head->scenario != NULL ? head->scenario : "");
    lp_str_copy(head->note.algorithm, sizeof head->note.algorithm,
                head->algorithm != NULL ? head->algorithm : "");
    lp_str_copy(head->note.settings, sizeof head->note.settings,
                head->settings != NULL ? head->settings : "");
    return LP_OK;
}

/* Rules of placement that this program has. */
static LpErr read_placings(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    Head *head = target;
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_LIST, diag));
    for (LpJsonValue v = lp_json_first(value); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(lp_json_expect(v, LP_JSON_TEXT, diag));
        int rule = lp_place_rule_find(lp_json_text(v));
        if (rule < 0)
            return lp_json_fail(v, diag, LP_EINVAL, "there is no rule of placement '%s'",
                                lp_json_text(v));
        if (head->placings == LP_PLACINGS_MAX)
            return lp_json_fail(v, diag, LP_ELIMIT, "more than %d rules of placement",
                                LP_PLACINGS_MAX);
        head->placing[head->placings++] = lp_place_rule_name((LpPlaceRule)rule);
    }
    return LP_OK;
}

static LpErr take_tensors(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    ((Head *)target)->tensors = value;
    return LP_OK;
}

static LpErr take_checkpoint(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    (void)context;
    LP_TRY(lp_json_expect(value, LP_JSON_OBJECT, diag));
    ((Head *)target)->checkpoint = value;
    return LP_OK;
}

/* Said before anything else, since the rest of another format is anything. */
static LpErr check_format(LpJsonValue root, LpDiag *diag) {
    LP_TRY(lp_json_expect(root, LP_JSON_OBJECT, diag));
    LpJsonValue format = lp_json_member(root, "lightpath_network");
    if (lp_json_kind(format) == LP_JSON_NOTHING)
        return lp_json_fail(root, diag, LP_EINVAL,
                            "is no network: there is no key \"lightpath_network\"");
    LP_TRY(lp_json_expect(format, LP_JSON_NUMBER, diag));
    char number[LP_NUM_TEXT];
    if (lp_json_number(format) != LP_NETWORK_FORMAT)
        return lp_json_fail(format, diag, LP_EINVAL,
                            "a network of format %s; this program reads format %d",
                            lp_num_print(lp_json_number(format), number), LP_NETWORK_FORMAT);
    return LP_OK;
}

static LpErr read_head(LpJsonValue root, LpArena *arena, Head *head, LpDiag *diag) {
    static const char *const WORDS[] = {
#define X(id, name) name,
        LP_ENCODING_TABLE(X)
#undef X
            NULL};
    static const LpJsonKey KEYS[] = {
        COUNT("lightpath_network", Head, format, LP_NETWORK_FORMAT, LP_NETWORK_FORMAT),
        {.name = "encoding",
         .type = LP_KEY_WORD,
         .words = WORDS,
         .offset = offsetof(Head, encoding),
         .required = true},
        COUNT("degrees", Head, degrees, 1, LP_OBSERVE_DEGREES),
        {.name = "placings", .type = LP_KEY_CUSTOM, .read = read_placings, .required = true},
        {.name = "shape", .type = LP_KEY_SKIP, .required = true},
        {.name = "trained", .type = LP_KEY_CUSTOM, .read = read_note},
        {.name = "checkpoint", .type = LP_KEY_CUSTOM, .read = take_checkpoint},
        {.name = "tensors", .type = LP_KEY_CUSTOM, .read = take_tensors, .required = true},
    };
    LP_TRY(check_format(root, diag));
    LP_TRY(lp_json_read(root, KEYS, LP_COUNTOF(KEYS), head, arena, arena, diag));
    LpJsonValue shape = lp_json_member(root, "shape");
    return head->encoding == LP_ENCODING_QUEUE ? read_hidden(shape, head, arena, diag)
                                               : read_widths(shape, head, arena, diag);
}

/* ---- numbers ---- */

static LpErr read_numbers(LpJsonValue list, size_t count, double *out, LpDiag *diag) {
    LP_TRY(lp_json_expect(list, LP_JSON_LIST, diag));
    size_t given = lp_json_count(list);
    if (given != count)
        return lp_json_fail(list, diag, LP_EINVAL, "%s has %zu numbers; expected %zu for the shape",
                            lp_json_key(list), given, count);
    for (LpJsonValue v = lp_json_first(list); v.item != NULL; v = lp_json_next(v)) {
        LP_TRY(lp_json_expect(v, LP_JSON_NUMBER, diag));
        *out++ = lp_json_number(v);
    }
    return LP_OK;
}

static LpErr read_packed(LpJsonValue v, LpWeights *agent, LpArena *arena, LpDiag *diag) {
    static const LpJsonKey KEYS[] = {
        {.name = "scale", .type = LP_KEY_SKIP, .required = true},
        {.name = "int16", .type = LP_KEY_SKIP, .required = true},
    };
    LP_TRY(lp_json_read(v, KEYS, LP_COUNTOF(KEYS), NULL, arena, NULL, diag));
    LpJsonValue scale = lp_json_member(v, "scale"), text = lp_json_member(v, "int16");
    LP_TRY(lp_json_expect(scale, LP_JSON_NUMBER, diag));
    LP_TRY(lp_json_expect(text, LP_JSON_TEXT, diag));
    LpDiag why;
    LpErr err =
        lp_weights_unpack(agent, lp_json_key(v), lp_json_number(scale), lp_json_text(text), &why);
    return err == LP_OK ? LP_OK : lp_json_fail_key(v, diag, err, "%s", why.text);
}

static LpErr read_tensors(LpJsonValue tensors, LpWeights *agent, LpArena *arena, LpDiag *diag) {
    for (LpJsonValue v = lp_json_first(tensors); v.item != NULL; v = lp_json_next(v)) {
        double *values;
        size_t count;
        LpDiag why;
        if (lp_json_kind(v) == LP_JSON_OBJECT) {
            LP_TRY(read_packed(v, agent, arena, diag));
            continue;
        }
        LpErr err = lp_weights_tensor(agent, lp_json_key(v), &values, &count, &why);
        if (err != LP_OK)
            return lp_json_fail_key(v, diag, err, "%s", why.text);
        LP_TRY(read_numbers(v, count, values, diag));
    }
    LpDiag why;
    LpErr err = lp_weights_complete(agent, &why);
    return err == LP_OK ? LP_OK : lp_json_fail(tensors, diag, err, "%s", why.text);
}

static LpErr take_moments(LpJsonValue value, void *target, void *context, LpDiag *diag) {
    const LpWeights *agent = context;
    double **out = target;
    *out = lp_alloc(agent->plan.params, sizeof **out);
    if (*out == NULL)
        return lp_fail_memory(diag, "a checkpoint");
    return read_numbers(value, agent->plan.params, *out, diag);
}

static LpErr read_checkpoint(const Head *head, LpWeights *agent, LpArena *arena,
                             LpNetworkCheckpoint *out, LpDiag *diag) {
    static const LpJsonKey KEYS[] = {
        {.name = "updates",
         .type = LP_KEY_COUNT64,
         .offset = offsetof(LpNetworkCheckpoint, updates)},
        {.name = "steps", .type = LP_KEY_COUNT64, .offset = offsetof(LpNetworkCheckpoint, steps)},
        {.name = "episodes",
         .type = LP_KEY_COUNT64,
         .offset = offsetof(LpNetworkCheckpoint, episodes)},
        {.name = "adam_steps",
         .type = LP_KEY_COUNT64,
         .offset = offsetof(LpNetworkCheckpoint, adam_steps)},
        {.name = "waited", .type = LP_KEY_COUNT64, .offset = offsetof(LpNetworkCheckpoint, waited)},
        {.name = "baseline", .type = LP_KEY_SKIP, .required = true},
        {.name = "first", .type = LP_KEY_SKIP, .required = true},
        {.name = "second", .type = LP_KEY_SKIP, .required = true},
    };
    LpJsonValue c = head->checkpoint;
    LP_TRY(lp_json_read(c, KEYS, LP_COUNTOF(KEYS), out, arena, NULL, diag));
    out->baseline = lp_json_number(lp_json_member(c, "baseline"));
    LP_TRY(take_moments(lp_json_member(c, "first"), &out->first, agent, diag));
    return take_moments(lp_json_member(c, "second"), &out->second, agent, diag);
}

/* ---- the whole file ---- */

static LpErr read_agent(const LpJson *doc, LpArena *arena, LpWeights **out,
                        LpNetworkCheckpoint *checkpoint, LpDiag *diag) {
    Head head = {0};
    LpJsonValue root = lp_json_root(doc);
    LP_TRY(read_head(root, arena, &head, diag));
    LpDiag why;
    LpErr err = lp_weights_new((LpEncoding)head.encoding, head.degrees, head.placing, head.placings,
                               &head.shape, out, &why);
    if (err != LP_OK)
        return lp_json_fail_key(lp_json_member(root, "shape"), diag, err, "%s", why.text);
    (*out)->note = head.note;
    LP_TRY(read_tensors(head.tensors, *out, arena, diag));
    if (checkpoint == NULL)
        return LP_OK;
    if (head.checkpoint.item == NULL)
        return lp_json_fail(root, diag, LP_EINVAL,
                            "the network has no checkpoint, so its training cannot go on");
    return read_checkpoint(&head, *out, arena, checkpoint, diag);
}

LpErr lp_weights_parse(const char *name, const char *text, size_t len, LpWeights **out,
                       LpNetworkCheckpoint *checkpoint, LpDiag *diag) {
    LpJson *doc;
    LpWeights *agent = NULL;
    LpNetworkCheckpoint read = {0};
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "a network");
    LpErr err = lp_json_parse(name, text, len, &doc, diag);
    if (err == LP_OK) {
        err = read_agent(doc, arena, &agent, checkpoint != NULL ? &read : NULL, diag);
        lp_json_free(doc);
    }
    lp_arena_free(arena);
    if (err != LP_OK) {
        lp_weights_free(agent);
        lp_free(read.first);
        lp_free(read.second);
        return err;
    }
    *out = agent;
    if (checkpoint != NULL)
        *checkpoint = read;
    return LP_OK;
}

LpErr lp_weights_load(const char *path, LpWeights **out, LpNetworkCheckpoint *checkpoint,
                      LpDiag *diag) {
    char *text;
    size_t len;
    size_t most = checkpoint != NULL ? CHECKPOINT_MAX : LP_NETWORK_FILE_MAX;
    LP_TRY(lp_file_read(path, most, &text, &len, diag));
    LpErr err = lp_weights_parse(path, text, len, out, checkpoint, diag);
    lp_free(text);
    return err;
}

enum { MOMENTS_PER_LINE = 64 };

static void write_checkpoint(const LpNetworkCheckpoint *c, size_t params, LpJsonOut *json) {
    lp_json_open(json, "checkpoint", '{');
    lp_json_put_count(json, "updates", c->updates);
    lp_json_put_count(json, "steps", c->steps);
    lp_json_put_count(json, "episodes", c->episodes);
    lp_json_put_count(json, "adam_steps", c->adam_steps);
    lp_json_put_count(json, "waited", c->waited);
    lp_json_put_number(json, "baseline", c->baseline);
    lp_json_put_rows(json, "first", c->first, params, MOMENTS_PER_LINE);
    lp_json_put_rows(json, "second", c->second, params, MOMENTS_PER_LINE);
    lp_json_close(json, '}');
}

static LpWriteSpec place_of(const char *path) {
    return (LpWriteSpec){.path = path, .kind = {"network", "{\"lightpath_network\":"}};
}

LpErr lp_weights_try(const char *path, LpDiag *diag) {
    LpWriteSpec spec = place_of(path);
    return lp_write_try(&spec, diag);
}

void lp_weights_text(const LpWeights *agent, const LpNetworkCheckpoint *checkpoint, LpBuf *out) {
    LpJsonOut json = {.out = out, .spaced = true};
    lp_json_lines(&json, NULL, '{');
    lp_weights_write(agent, &json);
    if (checkpoint != NULL)
        write_checkpoint(checkpoint, agent->plan.params, &json);
    lp_json_end(&json);
}

LpErr lp_weights_save(const char *path, const LpWeights *agent,
                      const LpNetworkCheckpoint *checkpoint, LpDiag *diag) {
    LpBuf text = {0};
    lp_weights_text(agent, checkpoint, &text);
    LpWriteSpec spec = place_of(path);
    LpErr err = lp_write_text(&spec, &text, diag);
    lp_buf_fini(&text);
    return err;
}

const char *lp_weights_script(const char *path) {
    LpWeights *agent = NULL;
    LpDiag ignored;
    bool queues = lp_weights_load(path, &agent, NULL, &ignored) == LP_OK &&
                  agent->encoding == LP_ENCODING_QUEUE;
    lp_weights_free(agent);
    return queues ? "pac_ml_queue.lua" : "pac_ml.lua";
}
