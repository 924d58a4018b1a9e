/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as files. */
#include "learn/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "learn/queue.h"

LpErr lp_weights_new(LpEncoding encoding, uint32_t degrees, const char *const *placing,
                     uint32_t placings, const LpNetShape *shape, LpWeights **out, LpDiag *diag) {
    LpNetShape full = *shape;
    full.own = 0;
    if (degrees < 1 || degrees > LP_OBSERVE_DEGREES)
        return lp_fail(diag, LP_ERANGE, "a network for degrees up to %u; expected 1 to %d", degrees,
                       LP_OBSERVE_DEGREES);
    if (placings < 1 || placings > LP_PLACINGS_MAX)
        return lp_fail(diag, LP_ERANGE, "a network with %u rules of placement; expected 1 to %d",
                       placings, LP_PLACINGS_MAX);
    full.features = lp_observe_features(encoding, degrees, placings);
    full.actions = lp_encoding_actions(encoding, degrees, placings);
    if (encoding == LP_ENCODING_QUEUE) /* nothing else has a width */
        full = (LpNetShape){.features = full.features,
                            .actions = full.actions,
                            .hidden = full.hidden,
                            .own = LP_QUEUE_OWNS};
    LP_TRY(lp_net_check(&full, diag));
    LpWeights *n = lp_alloc(1, sizeof *n);
    if (n == NULL)
        return lp_fail_memory(diag, "a network");
    n->encoding = encoding;
    n->degrees = degrees;
    n->placings = placings;
    for (uint32_t i = 0; i < placings; i++)
        lp_str_copy(n->placing[i], sizeof n->placing[i], placing[i]);
    lp_net_plan(&full, &n->plan);
    n->params = lp_alloc(n->plan.params, sizeof *n->params);
    n->given = lp_alloc(n->plan.tensors, sizeof *n->given);
    n->scale = lp_alloc(n->plan.tensors, sizeof *n->scale);
    if (n->params == NULL || n->given == NULL || n->scale == NULL) {
        lp_weights_free(n);
        return lp_fail_memory(diag, "a network");
    }
    *out = n;
    return LP_OK;
}

void lp_weights_free(LpWeights *agent) {
    if (agent == NULL)
        return;
    lp_free(agent->params);
    lp_free(agent->given);
    lp_free(agent->scale);
    lp_free(agent);
}

LpWeights *lp_weights_copy(const LpWeights *agent) {
    LpWeights *copy;
    const char *placing[LP_PLACINGS_MAX];
    for (uint32_t i = 0; i < agent->placings; i++)
        placing[i] = agent->placing[i];
    if (lp_weights_new(agent->encoding, agent->degrees, placing, agent->placings,
                       &agent->plan.shape, &copy, NULL) != LP_OK)
        return NULL;
    memcpy(copy->params, agent->params, agent->plan.params * sizeof *copy->params);
    memcpy(copy->given, agent->given, agent->plan.tensors * sizeof *copy->given);
    memcpy(copy->scale, agent->scale, agent->plan.tensors * sizeof *copy->scale);
    copy->note = agent->note;
    return copy;
}

/* ---- packing ---- */

#define PACK_MOST 32767.0

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Largest magnitude of a tensor; NAN where one is not finite. */
static double largest(const double *value, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(value[i]))
            return (double)NAN;
        most = fabs(value[i]) > most ? fabs(value[i]) : most;
    }
    return most;
}

void lp_weights_round(LpWeights *agent) {
    for (uint32_t t = 0; t < agent->plan.tensors; t++) {
        const LpTensor *tensor = &agent->plan.tensor[t];
        size_t count = (size_t)tensor->rows * tensor->columns;
        double *value = agent->params + tensor->offset, most = largest(value, count);
        double scale = most > PACK_MOST * 1e-300 ? most / PACK_MOST : 1;
        agent->scale[t] = isnan(most) ? 0 : scale;
        for (size_t i = 0; i < count && !isnan(most); i++)
            value[i] = floor(value[i] / scale + 0.5) * scale;
    }
}

/* The integer of a parameter, as 16 bits. */
static uint32_t packed(double value, double scale) {
    return (uint32_t)((int32_t)floor(value / scale + 0.5) & 0xffff);
}

/* Are these still multiples of scale? Training may have gone on since they were rounded. */
static bool are_packed(const double *value, size_t count, double scale) {
    for (size_t i = 0; scale > 0 && i < count; i++) {
        double multiple = floor(value[i] / scale + 0.5);
        if (!(multiple >= -PACK_MOST - 1 && multiple <= PACK_MOST && multiple * scale == value[i]))
            return false;
    }
    return scale > 0;
}

/* The integers as base64 of 16 bits each. */
static void write_packed(const double *value, size_t count, double scale, LpBuf *out) {
    size_t bytes = 2 * count;
    for (size_t at = 0; at < bytes; at += 3) {
        uint32_t group = 0;
        for (size_t k = at; k < at + 3; k++) {
            uint32_t bits = k < bytes ? packed(value[k / 2], scale) : 0;
            group = group << 8 | (k % 2 == 0 ? bits & 0xff : bits >> 8);
        }
        for (size_t k = 0; k < 4; k++)
            lp_buf_addf(out, "%c", at + k > bytes ? '=' : LETTERS[group >> (18 - 6 * k) & 63]);
    }
}

static int letter_value(char c) {
    const char *found = c != '\0' ? strchr(LETTERS, c) : NULL;
    return found != NULL ? (int)(found - LETTERS) : -1;
}

/* Byte `at` of the text; false where it is no base64 there. */
static bool byte_of(const char *text, size_t at, uint32_t *out) {
    const char *group = text + at / 3 * 4;
    size_t k = at % 3;
    int high = letter_value(group[k]), low = letter_value(group[k + 1]);
    if (high < 0 || low < 0)
        return false;
    *out = ((uint32_t)high << 6 | (uint32_t)low) >> (4 - 2 * k) & 0xff;
    return true;
}

LpErr lp_weights_unpack(LpWeights *agent, const char *name, double scale, const char *text,
                        LpDiag *diag) {
    double *values = NULL;
    size_t count = 0, len = strlen(text);
    LP_TRY(lp_weights_tensor(agent, name, &values, &count, diag));
    if (!(scale > 0 && isfinite(scale)))
        return lp_fail(diag, LP_EINVAL, "the scale of '%s' is not a positive number", name);
    size_t bytes = 2 * count, expected = (bytes + 2) / 3 * 4, letters = (bytes * 4 + 2) / 3;
    if (len != expected)
        return lp_fail(
            diag, LP_EINVAL,
            "the text of '%s' has %zu letters; expected %zu for %zu numbers of the shape", name,
            len, expected, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t low, high;
        if (!byte_of(text, 2 * i, &low) || !byte_of(text, 2 * i + 1, &high))
            return lp_fail(diag, LP_EINVAL, "the text of '%s' is not base64 at number %zu", name,
                           i);
        int32_t bits = (int32_t)(low | high << 8);
        values[i] = (bits >= 0x8000 ? bits - 0x10000 : bits) * scale;
    }
    for (size_t i = letters; i < len; i++)
        if (text[i] != '=')
            return lp_fail(diag, LP_EINVAL, "the text of '%s' does not end in '='", name);
    agent->scale[lp_net_find(&agent->plan, name)] = scale;
    return LP_OK;
}

/* ---- writing ---- */

static void write_shape(const LpNetShape *s, LpJsonOut *json) {
    lp_json_open(json, "shape", '{');
    if (s->own > 0) {
        lp_json_put_count(json, "hidden", s->hidden);
        lp_json_close(json, '}');
        return;
    }
    lp_json_put_count(json, "rounds", s->rounds);
    lp_json_put_count(json, "messages", s->messages);
    lp_json_put_count(json, "width", s->width);
    lp_json_put_count(json, "embedding", s->embedding);
    lp_json_put_count(json, "branch", s->branch);
    lp_json_put_count(json, "hidden", s->hidden);
    lp_json_put_bool(json, "silent_sources", s->silent_sources);
    lp_json_close(json, '}');
}

static void write_range(LpJsonOut *json, const char *name, const double range[2]) {
    lp_json_open(json, name, '[');
    lp_json_put_number(json, NULL, range[0]);
    lp_json_put_number(json, NULL, range[1]);
    lp_json_close(json, ']');
}

static void write_note(const LpNetNote *note, LpJsonOut *json) {
    lp_json_open(json, "trained", '{');
    lp_json_put_text(json, "scenario", note->scenario);
    lp_json_put_text(json, "algorithm", note->algorithm);
    lp_json_put_count(json, "seed", note->seed);
    lp_json_put_count(json, "steps", note->steps);
    lp_json_put_number(json, "return", note->return_mean);
    if (note->simulated > 0)
        lp_json_put_count(json, "simulated", note->simulated);
    if (note->scenarios > 0)
        lp_json_put_count(json, "scenarios", note->scenarios);
    if (note->settings[0] != '\0')
        lp_json_put_text(json, "settings", note->settings);
    if (note->servers[1] > 0) {
        write_range(json, "servers", note->servers);
        write_range(json, "load", note->load);
        write_range(json, "limit", note->limit);
    }
    lp_json_close(json, '}');
}

static void write_tensor(const LpWeights *agent, const LpTensor *t, double scale, LpJsonOut *json) {
    const double *value = agent->params + t->offset;
    size_t count = (size_t)t->rows * t->columns;
    if (!are_packed(value, count, scale)) {
        lp_json_put_rows(json, t->name, value, count, t->columns);
        return;
    }
    LpBuf text = {0};
    write_packed(value, count, scale, &text);
    lp_json_open(json, t->name, '{');
    lp_json_put_number(json, "scale", scale);
    lp_json_put_text(json, "int16", lp_buf_text(&text));
    lp_json_close(json, '}');
    json->out->failed |= text.failed;
    lp_buf_fini(&text);
}

void lp_weights_write(const LpWeights *agent, LpJsonOut *json) {
    lp_json_put_count(json, "lightpath_network", LP_NETWORK_FORMAT);
    lp_json_put_text(json, "encoding", lp_encoding_name(agent->encoding));
    lp_json_put_count(json, "degrees", agent->degrees);
    lp_json_open(json, "placings", '[');
    for (uint32_t i = 0; i < agent->placings; i++)
        lp_json_put_text(json, NULL, agent->placing[i]);
    lp_json_close(json, ']');
    write_shape(&agent->plan.shape, json);
    write_note(&agent->note, json);
    lp_json_lines(json, "tensors", '{');
    for (uint32_t i = 0; i < agent->plan.tensors; i++)
        write_tensor(agent, &agent->plan.tensor[i], agent->scale[i], json);
    lp_json_close(json, '}');
}

/* ---- reading ---- */

LpErr lp_weights_tensor(LpWeights *agent, const char *name, double **values, size_t *count,
                        LpDiag *diag) {
    const LpNetPlan *plan = &agent->plan;
    int index = lp_net_find(plan, name);
    if (index < 0) {
        const char *names[LP_NET_TENSORS];
        for (uint32_t i = 0; i < plan->tensors; i++)
            names[i] = plan->tensor[i].name;
        int near = lp_str_nearest(name, names, plan->tensors);
        char shown[80];
        return lp_fail(diag, LP_EINVAL, "a network of this shape has no tensor '%s'%s%s%s",
                       lp_str_show(shown, sizeof shown, name), near >= 0 ? " (did you mean '" : "",
                       near >= 0 ? names[near] : "", near >= 0 ? "'?)" : "");
    }
    if (agent->given[index])
        return lp_fail(diag, LP_EINVAL, "the tensor '%s' is given twice", name);
    agent->given[index] = true;
    *values = agent->params + plan->tensor[index].offset;
    *count = (size_t)plan->tensor[index].rows * plan->tensor[index].columns;
    return LP_OK;
}

LpErr lp_weights_complete(const LpWeights *agent, LpDiag *diag) {
    const LpNetPlan *plan = &agent->plan;
    for (uint32_t i = 0; i < plan->tensors; i++) {
        const LpTensor *t = &plan->tensor[i];
        if (!agent->given[i])
            return lp_fail(diag, LP_EINVAL, "the tensor '%s' (%u x %u numbers) is missing", t->name,
                           t->rows, t->columns);
        for (size_t k = 0; k < (size_t)t->rows * t->columns; k++)
            if (!isfinite(agent->params[t->offset + k]))
                return lp_fail(diag, LP_EINVAL, "the tensor '%s' holds what is no finite number",
                               t->name);
    }
    return LP_OK;
}
