/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks as files. */
#include "learn/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

LpErr lp_weights_new(LpEncoding encoding, uint32_t degrees, const char *const *placing,
                     uint32_t placings, const LpNetShape *shape, LpWeights **out, LpDiag *diag) {
    LpNetShape full = *shape;
    if (degrees < 1 || degrees > LP_OBSERVE_DEGREES)
        return lp_fail(diag, LP_ERANGE, "a network for degrees up to %u; expected 1 to %d", degrees,
                       LP_OBSERVE_DEGREES);
    if (placings < 1 || placings > LP_PLACINGS_MAX)
        return lp_fail(diag, LP_ERANGE, "a network with %u rules of placement; expected 1 to %d",
                       placings, LP_PLACINGS_MAX);
    full.features = lp_observe_features(encoding, degrees, placings);
    full.actions = lp_observe_actions(degrees, placings);
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
    if (n->params == NULL || n->given == NULL) {
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
    copy->note = agent->note;
    return copy;
}

/* ---- writing ---- */

/* snprintf, but for the locale's decimal point. */
static void print_short(double value, char text[LP_NUM_TEXT]) {
    double rounded;
    char point[LP_NUM_TEXT];
    snprintf(point, sizeof point, "%.8g", value);
    for (char *c = point; *c != '\0'; c++)
        if (*c == ',')
            *c = '.';
    if (lp_num_parse(point, &rounded, NULL) != LP_OK)
        rounded = value;
    lp_num_print(rounded, text);
}

void lp_weights_round(LpWeights *agent) {
    char text[LP_NUM_TEXT];
    for (size_t i = 0; i < agent->plan.params; i++) {
        print_short(agent->params[i], text);
        if (lp_num_parse(text, &agent->params[i], NULL) != LP_OK)
            agent->params[i] = 0; /* not finite: lp_weights_complete refuses it when read */
    }
}

static void write_shape(const LpNetShape *s, LpBuf *out) {
    lp_buf_addf(out,
                "  \"shape\": {\"rounds\": %u, \"messages\": %u, \"width\": %u, \"embedding\": "
                "%u, \"branch\": %u, \"hidden\": %u, \"silent_sources\": %s},\n",
                s->rounds, s->messages, s->width, s->embedding, s->branch, s->hidden,
                s->silent_sources ? "true" : "false");
}

static void write_note(const LpNetNote *note, LpBuf *out) {
    char number[LP_NUM_TEXT];
    lp_buf_add(out, "  \"trained\": {\"scenario\": ");
    lp_str_json(out, note->scenario);
    lp_buf_add(out, ", \"algorithm\": ");
    lp_str_json(out, note->algorithm);
    lp_buf_addf(out, ", \"seed\": %llu, \"steps\": %llu, \"return\": %s},\n",
                (unsigned long long)note->seed, (unsigned long long)note->steps,
                lp_num_print(note->return_mean, number));
}

static void write_tensor(const LpWeights *agent, const LpTensor *t, LpBuf *out) {
    char number[LP_NUM_TEXT];
    const double *value = agent->params + t->offset;
    size_t count = (size_t)t->rows * t->columns;
    lp_str_json(out, t->name);
    lp_buf_add(out, ": [");
    for (size_t i = 0; i < count; i++) {
        lp_buf_add(out, i == 0 ? "" : i % t->columns == 0 ? ",\n     " : ", ");
        lp_buf_add(out, lp_num_print(value[i], number));
    }
    lp_buf_add(out, "]");
}

void lp_weights_write(const LpWeights *agent, const char *more, LpBuf *out) {
    lp_buf_addf(out, "{ \"lightpath_network\": %d, \"encoding\": ", LP_NETWORK_FORMAT);
    lp_str_json(out, lp_encoding_name(agent->encoding));
    lp_buf_addf(out, ", \"degrees\": %u, \"placings\": [", agent->degrees);
    for (uint32_t i = 0; i < agent->placings; i++) {
        lp_buf_add(out, i > 0 ? ", " : "");
        lp_str_json(out, agent->placing[i]);
    }
    lp_buf_add(out, "],\n");
    write_shape(&agent->plan.shape, out);
    write_note(&agent->note, out);
    if (more != NULL) {
        lp_buf_add(out, "  ");
        lp_buf_add(out, more);
        lp_buf_add(out, ",\n");
    }
    lp_buf_add(out, "  \"tensors\": {\n");
    for (uint32_t i = 0; i < agent->plan.tensors; i++) {
        lp_buf_add(out, i == 0 ? "    " : ",\n    ");
        write_tensor(agent, &agent->plan.tensor[i], out);
    }
    lp_buf_add(out, "\n  } }\n");
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
