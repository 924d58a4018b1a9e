/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advantages, the losses' slopes, and the passes of an update. */
#include "learn/ppo.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* ---- settings ---- */

typedef struct Setting {
    const char *name;
    size_t offset;
    double init, least, most;
} Setting;

static const Setting SETTINGS[] = {
#define X(name, init, least, most, meaning)                                                        \
    {#name, offsetof(LpPpoSettings, name), init, least, most},
    LP_PPO_TABLE(X)
#undef X
};

static double *field(LpPpoSettings *settings, const Setting *s) {
    return (double *)(void *)((char *)settings + s->offset);
}

LpPpoSettings lp_ppo_defaults(void) {
    LpPpoSettings settings;
    for (size_t i = 0; i < LP_COUNTOF(SETTINGS); i++)
        *field(&settings, &SETTINGS[i]) = SETTINGS[i].init;
    return settings;
}

static LpErr unknown(const char *name, LpDiag *diag) {
    const char *names[LP_COUNTOF(SETTINGS)];
    for (size_t i = 0; i < LP_COUNTOF(SETTINGS); i++)
        names[i] = SETTINGS[i].name;
    int near = lp_str_nearest(name, names, LP_COUNTOF(SETTINGS));
    char shown[64];
    return lp_fail(diag, LP_EINVAL, "training has no parameter '%s'%s%s%s",
                   lp_str_show(shown, sizeof shown, name), near >= 0 ? " (did you mean '" : "",
                   near >= 0 ? names[near] : "", near >= 0 ? "'?)" : "");
}

LpErr lp_ppo_set(LpPpoSettings *settings, const char *assignment, LpDiag *diag) {
    char name[64], least[LP_NUM_TEXT], most[LP_NUM_TEXT];
    const char *equals = strchr(assignment, '=');
    size_t len = equals != NULL ? (size_t)(equals - assignment) : strlen(assignment);
    if (equals == NULL || len >= sizeof name)
        return lp_fail(diag, LP_EINVAL, "%s: expected NAME=VALUE", assignment);
    memcpy(name, assignment, len);
    name[len] = '\0';
    const Setting *s = NULL;
    for (size_t i = 0; i < LP_COUNTOF(SETTINGS); i++)
        if (strcmp(SETTINGS[i].name, name) == 0)
            s = &SETTINGS[i];
    if (s == NULL)
        return unknown(name, diag);
    double value;
    LP_TRY(lp_num_parse(equals + 1, &value, diag));
    if (!(value >= s->least && value <= s->most))
        return lp_fail(diag, LP_ERANGE, "%s is %s; expected %s to %s", name, equals + 1,
                       lp_num_print(s->least, least), lp_num_print(s->most, most));
    *field(settings, s) = value;
    return LP_OK;
}

/* ---- rollouts ---- */

LpErr lp_rollout_new(const LpNetShape *shape, uint32_t count, LpRollout *out, LpDiag *diag) {
    LpRollout r = {.count = count};
    double **numbers[] = {&r.log_prob, &r.reward, &r.estimate, &r.advantage, &r.target};
    bool ok = (r.features = lp_alloc((size_t)count * shape->features, sizeof(double))) != NULL;
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        ok = (*numbers[i] = lp_alloc(count, sizeof(double))) != NULL && ok;
    ok = (r.graph = lp_alloc(count, sizeof *r.graph)) != NULL && ok;
    ok = (r.action = lp_alloc(count, sizeof *r.action)) != NULL && ok;
    if (!ok) {
        lp_rollout_fini(&r);
        return lp_fail_memory(diag, "a rollout");
    }
    *out = r;
    return LP_OK;
}

void lp_rollout_fini(LpRollout *r) {
    void *all[] = {r->features, r->graph,    r->action,    r->log_prob,
                   r->reward,   r->estimate, r->advantage, r->target};
    for (size_t i = 0; i < LP_COUNTOF(all); i++)
        lp_free(all[i]);
    *r = (LpRollout){0};
}

uint32_t lp_ppo_softmax(const double *logits, const double *mask, uint32_t actions,
                        double *probability) {
    uint32_t best = actions;
    double sum = 0;
    for (uint32_t a = 0; a < actions; a++)
        if (mask[a] > 0 && (best == actions || logits[a] > logits[best]))
            best = a;
    for (uint32_t a = 0; a < actions; a++) {
        probability[a] = mask[a] > 0 ? exp(logits[a] - logits[best]) : 0;
        sum += probability[a];
    }
    for (uint32_t a = 0; a < actions; a++)
        probability[a] /= sum;
    return best;
}

uint32_t lp_ppo_draw(const double *probability, uint32_t actions, LpRng *rng) {
    double at = lp_rng_unit(rng), sum = 0;
    uint32_t last = 0;
    for (uint32_t a = 0; a < actions; a++) {
        sum += probability[a];
        if (probability[a] > 0)
            last = a;
        if (at < sum)
            return a;
    }
    return last; /* rounding */
}

void lp_ppo_advantages(const LpPpoSettings *settings, LpRollout *r, uint32_t from, uint32_t count,
                       double last) {
    double next = last, advantage = 0;
    for (uint32_t i = from + count; i-- > from;) {
        double delta = r->reward[i] + settings->gamma * next - r->estimate[i];
        advantage = delta + settings->gamma * settings->lambda * advantage;
        r->advantage[i] = advantage;
        r->target[i] = advantage + r->estimate[i];
        next = r->estimate[i];
    }
}

/* ---- updates ---- */

/* Sums over the decisions of a shard. */
typedef struct Sums {
    double policy, value, q, entropy, kl, clipped;
} Sums;

typedef struct Shard {
    LpMinibatch *batch;
    double *grad, *features, *probability;
    uint32_t *graph, count;
    const uint32_t *index; /* of its decisions in the rollout */
    Sums sums;
} Shard;

struct LpPpo {
    LpNetPlan plan;
    LpPpoSettings settings;
    uint32_t shards, most; /* decisions of a shard */
    Shard *shard;
    LpShardRun run;
    void *runner;
    uint32_t *order;
    size_t order_cap;
    const LpRollout *rollout; /* of the update in progress */
    const double *params;
    double entropy;     /* weight now */
    double mean, scale; /* of its advantages */
    uint32_t in_gradient;
};

static LpErr make_shard(LpPpo *p, Shard *s, const LpNetGraph *graphs, uint32_t count,
                        LpDiag *diag) {
    const LpNetShape *shape = &p->plan.shape;
    s->grad = lp_alloc(p->plan.params, sizeof *s->grad);
    s->features = lp_alloc((size_t)p->most * shape->features, sizeof *s->features);
    s->probability = lp_alloc(shape->actions, sizeof *s->probability);
    s->graph = lp_alloc(p->most, sizeof *s->graph);
    if (s->grad == NULL || s->features == NULL || s->probability == NULL || s->graph == NULL)
        return lp_fail_memory(diag, "training");
    return lp_minibatch_new(&p->plan, graphs, count, p->most, &s->batch, diag);
}

LpErr lp_ppo_new(const LpNetPlan *plan, const LpPpoSettings *settings, const LpNetGraph *graphs,
                 uint32_t count, uint32_t shards, LpShardRun run, void *runner, LpPpo **out,
                 LpDiag *diag) {
    LpPpo *p = lp_alloc(1, sizeof *p);
    if (p == NULL || (p->shard = lp_alloc(shards, sizeof *p->shard)) == NULL) {
        lp_free(p);
        return lp_fail_memory(diag, "training");
    }
    p->plan = *plan;
    p->settings = *settings;
    p->entropy = settings->entropy;
    p->shards = shards;
    p->most = ((uint32_t)settings->minibatch + shards - 1) / shards;
    p->run = run;
    p->runner = runner;
    for (uint32_t i = 0; i < shards; i++) {
        LpErr err = make_shard(p, &p->shard[i], graphs, count, diag);
        if (err != LP_OK) {
            lp_ppo_free(p);
            return err;
        }
    }
    *out = p;
    return LP_OK;
}

void lp_ppo_anneal(LpPpo *p, double left) {
    p->entropy = p->settings.entropy * left;
}

void lp_ppo_free(LpPpo *p) {
    if (p == NULL)
        return;
    for (uint32_t i = 0; i < p->shards; i++) {
        Shard *s = &p->shard[i];
        lp_minibatch_free(s->batch);
        lp_free(s->grad);
        lp_free(s->features);
        lp_free(s->probability);
        lp_free(s->graph);
    }
    lp_free(p->shard);
    lp_free(p->order);
    lp_free(p);
}

/* Slopes of -min(ratio A, clip(ratio) A) - entropy_weight H by the logits, over n decisions. With
 * p the softmax: d log p_a / d logit_i = [i = a] - p_i; dH / d logit_i = -p_i (log p_i + H). */
static void slope_policy(const LpPpo *p, Shard *s, uint32_t i, const double *logits,
                         double *slope) {
    const LpRollout *r = p->rollout;
    const LpNetShape *shape = &p->plan.shape;
    uint32_t actions = shape->actions, at = s->index[i], action = r->action[at];
    const double *mask = s->features + (size_t)(i + 1) * shape->features - actions;
    double *prob = s->probability, entropy = 0;
    lp_ppo_softmax(logits, mask, actions, prob);
    double log_prob = log(prob[action] > 1e-30 ? prob[action] : 1e-30);
    double moved = log_prob - r->log_prob[at], ratio = exp(moved);
    double advantage = (r->advantage[at] - p->mean) * p->scale, clip = p->settings.clip;
    bool clipped = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip;
    double pull = clipped ? 0 : -advantage * ratio;
    double limited = ratio > 1 + clip ? 1 + clip : ratio < 1 - clip ? 1 - clip : ratio;
    for (uint32_t a = 0; a < actions; a++)
        if (prob[a] > 0)
            entropy -= prob[a] * log(prob[a]);
    for (uint32_t a = 0; a < actions; a++) {
        double of_entropy = prob[a] > 0 ? -prob[a] * (log(prob[a]) + entropy) : 0;
        slope[a] =
            (pull * ((a == action ? 1 : 0) - prob[a]) - p->entropy * of_entropy) / p->in_gradient;
    }
    double plain = ratio * advantage, other = limited * advantage;
    s->sums.policy -= plain < other ? plain : other;
    s->sums.entropy += entropy;
    s->sums.kl += (ratio - 1) - moved;
    s->sums.clipped += clipped ? 1 : 0;
}

static void slope_values(const LpPpo *p, Shard *s, uint32_t i) {
    uint32_t actions = p->plan.shape.actions, at = s->index[i];
    uint32_t action = p->rollout->action[at];
    double target = p->rollout->target[at], n = p->in_gradient;
    double error = lp_minibatch_out(s->batch, LP_HEAD_VALUE)[i] - target;
    lp_minibatch_slope(s->batch, LP_HEAD_VALUE)[i] = p->settings.value * error / n;
    s->sums.value += 0.5 * error * error;
    double *slope = lp_minibatch_slope(s->batch, LP_HEAD_Q) + (size_t)i * actions;
    double off = lp_minibatch_out(s->batch, LP_HEAD_Q)[(size_t)i * actions + action] - target;
    memset(slope, 0, actions * sizeof *slope);
    slope[action] = p->settings.q * off / n;
    s->sums.q += 0.5 * off * off;
}

static void run_shard(void *user, uint32_t index) {
    LpPpo *p = user;
    Shard *s = &p->shard[index];
    const LpNetShape *shape = &p->plan.shape;
    memset(s->grad, 0, p->plan.params * sizeof *s->grad);
    s->sums = (Sums){0};
    if (s->count == 0)
        return;
    for (uint32_t i = 0; i < s->count; i++) {
        memcpy(s->features + (size_t)i * shape->features,
               p->rollout->features + (size_t)s->index[i] * shape->features,
               shape->features * sizeof *s->features);
        s->graph[i] = p->rollout->graph[s->index[i]];
    }
    lp_minibatch_forward(s->batch, p->params, s->count, s->graph, s->features);
    const double *logits = lp_minibatch_out(s->batch, LP_HEAD_POLICY);
    double *slope = lp_minibatch_slope(s->batch, LP_HEAD_POLICY);
    for (uint32_t i = 0; i < s->count; i++) {
        size_t row = (size_t)i * shape->actions;
        slope_policy(p, s, i, logits + row, slope + row);
        slope_values(p, s, i);
    }
    lp_minibatch_backward(s->batch, p->params, (1u << LP_HEAD_COUNT) - 1, s->grad);
}

static void add_stats(const LpPpo *p, LpPpoStats *stats, double norm) {
    double n = p->in_gradient;
    for (uint32_t i = 0; i < p->shards; i++) {
        const Sums *s = &p->shard[i].sums;
        stats->policy_loss += s->policy / n;
        stats->value_loss += s->value / n;
        stats->q_loss += s->q / n;
        stats->entropy += s->entropy / n;
        stats->kl += s->kl / n;
        stats->clipped += s->clipped / n;
    }
    stats->norm += norm;
    stats->gradients++;
    stats->samples += p->in_gradient;
}

static LpErr step(LpPpo *p, const uint32_t *index, uint32_t count, LpAdam *adam, double *params,
                  LpPpoStats *stats, LpDiag *diag) {
    uint32_t each = (count + p->shards - 1) / p->shards;
    p->in_gradient = count;
    for (uint32_t i = 0, from = 0; i < p->shards; i++) {
        p->shard[i].index = index + from;
        p->shard[i].count = count - from < each ? count - from : each;
        from += p->shard[i].count;
    }
    if (p->run != NULL)
        LP_TRY(p->run(p->runner, p->shards, run_shard, p, diag));
    for (uint32_t i = 0; p->run == NULL && i < p->shards; i++)
        run_shard(p, i);
    double *grad = p->shard[0].grad;
    for (uint32_t s = 1; s < p->shards; s++)
        for (size_t i = 0; i < p->plan.params; i++)
            grad[i] += p->shard[s].grad[i];
    add_stats(p, stats, lp_adam_step(adam, p->settings.grad_clip, grad, params));
    return LP_OK;
}

static void shuffle(uint32_t *order, uint32_t count, LpRng *rng) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)lp_rng_below(rng, i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

/* Mean 0 and deviation 1. */
static void scale_advantages(LpPpo *p, const LpRollout *r) {
    double mean = 0, variance = 0;
    for (uint32_t i = 0; i < r->count; i++)
        mean += r->advantage[i];
    mean /= r->count;
    for (uint32_t i = 0; i < r->count; i++)
        variance += (r->advantage[i] - mean) * (r->advantage[i] - mean);
    p->mean = mean;
    p->scale = 1 / (sqrt(variance / r->count) + 1e-8);
}

static void finish_stats(LpPpoStats *s) {
    double *means[] = {&s->policy_loss, &s->value_loss, &s->q_loss, &s->entropy,
                       &s->kl,          &s->clipped,    &s->norm};
    for (size_t i = 0; i < LP_COUNTOF(means); i++)
        *means[i] /= s->gradients;
}

LpErr lp_ppo_update(LpPpo *p, LpRollout *r, LpAdam *adam, LpRng *rng, double *params,
                    LpPpoStats *stats, LpDiag *diag) {
    void *order = p->order;
    uint32_t most = (uint32_t)p->settings.minibatch;
    if (lp_grow(&order, &p->order_cap, r->count, sizeof *p->order) != LP_OK)
        return lp_fail_memory(diag, "training");
    p->order = order;
    p->rollout = r;
    p->params = params;
    *stats = (LpPpoStats){0};
    for (uint32_t i = 0; i < r->count; i++)
        p->order[i] = i;
    scale_advantages(p, r);
    bool moved = false;
    for (uint32_t epoch = 0; epoch < (uint32_t)p->settings.epochs && !moved; epoch++) {
        double kl = stats->kl;
        uint32_t gradients = stats->gradients;
        shuffle(p->order, r->count, rng);
        for (uint32_t at = 0; at < r->count; at += most)
            LP_TRY(step(p, p->order + at, r->count - at < most ? r->count - at : most, adam, params,
                        stats, diag));
        kl = (stats->kl - kl) / (stats->gradients - gradients);
        moved = p->settings.kl > 0 && kl > p->settings.kl;
    }
    finish_stats(stats);
    return LP_OK;
}
