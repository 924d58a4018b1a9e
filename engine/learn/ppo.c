/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advantages, the losses' slopes, and the passes of an update. */
#include "learn/ppo.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "learn/encode.h"
#include "learn/heads.h"

/* ---- settings ---- */

typedef struct Setting {
    const char *name;
    size_t offset;
    double init, least, most;
    const char *who; /* first letters of algorithms */
} Setting;

static const Setting SETTINGS[] = {
#define X(name, init, least, most, who, meaning)                                                   \
    {#name, offsetof(LpPpoSettings, name), init, least, most, who},
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

LpErr lp_ppo_set(LpPpoSettings *settings, const char *algo, const char *assignment, LpDiag *diag) {
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
    if (strchr(s->who, algo[0]) == NULL)
        return lp_fail(diag, LP_EINVAL, "%s: the algorithm %s does not heed it", name, algo);
    double value;
    LP_TRY(lp_num_parse(equals + 1, &value, diag));
    if (!(value >= s->least && value <= s->most))
        return lp_fail(diag, LP_ERANGE, "%s is %s; expected %s to %s", name, equals + 1,
                       lp_num_print(s->least, least), lp_num_print(s->most, most));
    *field(settings, s) = value;
    return LP_OK;
}

void lp_ppo_describe(const LpPpoSettings *settings, const char *algo, LpBuf *out) {
    char number[LP_NUM_TEXT];
    LpPpoSettings copy = *settings;
    for (size_t i = 0; i < LP_COUNTOF(SETTINGS); i++)
        if (strchr(SETTINGS[i].who, algo[0]) != NULL)
            lp_buf_addf(out, " %s=%s", SETTINGS[i].name,
                        lp_num_print(*field(&copy, &SETTINGS[i]), number));
}

/* ---- rollouts ---- */

LpErr lp_rollout_new(const LpNetShape *shape, uint32_t count, bool scores, LpRollout *out,
                     LpDiag *diag) {
    LpRollout r = {.count = count};
    double **numbers[] = {&r.log_prob, &r.reward, &r.estimate, &r.advantage, &r.target};
    bool ok = (r.features = lp_alloc((size_t)count * shape->features, sizeof(double))) != NULL;
    for (size_t i = 0; i < LP_COUNTOF(numbers); i++)
        ok = (*numbers[i] = lp_alloc(count, sizeof(double))) != NULL && ok;
    ok = (r.graph = lp_alloc(count, sizeof *r.graph)) != NULL && ok;
    ok = (r.action = lp_alloc(count, sizeof *r.action)) != NULL && ok;
    if (scores)
        ok = (r.score = lp_alloc((size_t)count * shape->actions, sizeof *r.score)) != NULL && ok;
    if (!ok) {
        lp_rollout_fini(&r);
        return lp_fail_memory(diag, "a rollout");
    }
    *out = r;
    return LP_OK;
}

void lp_rollout_fini(LpRollout *r) {
    void *all[] = {r->features, r->graph,     r->action, r->log_prob, r->reward,
                   r->estimate, r->advantage, r->target, r->score};
    for (size_t i = 0; i < LP_COUNTOF(all); i++)
        lp_free(all[i]);
    *r = (LpRollout){0};
}

uint32_t lp_ppo_softmax(const double *logits, const double *mask, uint32_t actions,
                        double *probability, double *log_probability) {
    uint32_t best = actions;
    double sum = 0;
    for (uint32_t a = 0; a < actions; a++)
        if (mask[a] > 0 && (best == actions || logits[a] > logits[best]))
            best = a;
    for (uint32_t a = 0; a < actions; a++) {
        probability[a] = mask[a] > 0 ? lp_num_exp(logits[a] - logits[best]) : 0;
        sum += probability[a];
    }
    double log_sum = lp_num_log(sum);
    for (uint32_t a = 0; a < actions; a++) {
        probability[a] /= sum;
        log_probability[a] = mask[a] > 0 ? logits[a] - logits[best] - log_sum : -(double)INFINITY;
    }
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

void lp_ppo_end(const LpPpoSettings *settings, LpRollout *r, uint32_t from, uint32_t count,
                bool cut) {
    uint32_t last = from + count - 1;
    lp_ppo_advantages(settings, r, from, cut ? count - 1 : count, cut ? r->estimate[last] : 0);
    if (cut) {
        r->advantage[last] = 0;
        r->target[last] = r->estimate[last];
    }
}

/* ---- updates ---- */

/* Sums over the decisions of a shard. */
typedef struct Sums {
    double policy, value, q, entropy, kl, clipped;
} Sums;

/* A part of the decisions. */
typedef struct Shard {
    LpHeads *heads;
    double *grad, *features, *probability, *log_probability, *d_embedding;
    uint32_t *graph, *action, count;
    const uint32_t *index; /* of its decisions in the rollout */
    Sums sums;
} Shard;

/* A part of the graphs. */
typedef struct Group {
    LpEncoder *encoder;
    double *grad;
    uint32_t first, count; /* rows of `embedding` */
} Group;

/* A gradient is worked out in parts, on any threads: graphs forwards, decisions forwards and
 * backwards, graphs backwards. There are always as many, and their sums go in their order, so the
 * bits do not depend on the threads. */
enum { SHARDS = 16, GROUPS = 8 };

struct LpPpo {
    LpNetPlan plan;
    LpPpoSettings settings;
    Shard shard[SHARDS];
    Group group[GROUPS];
    uint32_t most, groups, graphs;   /* most decisions of a shard */
    uint32_t *row;                   /* graphs: row of each graph's embedding */
    double *embedding, *d_embedding; /* graphs x embedding, in rows */
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

static LpErr make_shard(LpPpo *p, Shard *s, LpDiag *diag) {
    const LpNetShape *shape = &p->plan.shape;
    s->grad = lp_alloc(p->plan.params, sizeof *s->grad);
    s->features = lp_alloc((size_t)p->most * shape->features, sizeof *s->features);
    s->probability = lp_alloc(2 * (size_t)shape->actions, sizeof *s->probability);
    s->d_embedding = lp_alloc((size_t)p->graphs * shape->embedding, sizeof *s->d_embedding);
    s->graph = lp_alloc(p->most, sizeof *s->graph);
    s->action = lp_alloc(p->most, sizeof *s->action);
    if (s->grad == NULL || s->features == NULL || s->probability == NULL ||
        s->d_embedding == NULL || s->graph == NULL || s->action == NULL)
        return lp_fail_memory(diag, "training");
    s->log_probability = s->probability + shape->actions;
    return lp_heads_new(&p->plan, p->graphs, p->most, &s->heads, diag);
}

static size_t work_of(const LpNetGraph *g) {
    return (size_t)g->nodes + g->edges;
}

/* The largest graph that has no group yet goes to the group with the least work, and so on.
 * of[graph]: its group. */
static void share_out(const LpNetGraph *graphs, uint32_t count, uint32_t groups, uint32_t *of) {
    size_t work[GROUPS] = {0};
    for (uint32_t g = 0; g < count; g++)
        of[g] = groups;
    for (uint32_t done = 0; done < count; done++) {
        uint32_t largest = count, least = 0;
        for (uint32_t g = 0; g < count; g++)
            if (of[g] == groups &&
                (largest == count || work_of(&graphs[g]) > work_of(&graphs[largest])))
                largest = g;
        for (uint32_t k = 1; k < groups; k++)
            if (work[k] < work[least])
                least = k;
        of[largest] = least;
        work[least] += work_of(&graphs[largest]);
    }
}

static LpErr make_group(LpPpo *p, Group *group, const LpNetGraph *members, uint32_t first,
                        uint32_t count, LpDiag *diag) {
    group->first = first;
    group->count = count;
    if ((group->grad = lp_alloc(p->plan.params, sizeof *group->grad)) == NULL)
        return lp_fail_memory(diag, "training");
    return lp_encoder_new(&p->plan, members, count, &group->encoder, diag);
}

/* of, members: room for a number and a graph each. */
static LpErr make_groups(LpPpo *p, const LpNetGraph *graphs, uint32_t *of, LpNetGraph *members,
                         LpDiag *diag) {
    uint32_t width = p->plan.shape.embedding, next = 0;
    p->row = lp_alloc(p->graphs, sizeof *p->row);
    p->embedding = lp_alloc((size_t)p->graphs * width, sizeof *p->embedding);
    p->d_embedding = lp_alloc((size_t)p->graphs * width, sizeof *p->d_embedding);
    if (of == NULL || members == NULL || p->row == NULL || p->embedding == NULL ||
        p->d_embedding == NULL)
        return lp_fail_memory(diag, "training");
    p->groups = p->graphs < GROUPS ? p->graphs : GROUPS;
    share_out(graphs, p->graphs, p->groups, of);
    for (uint32_t k = 0; k < p->groups; k++) {
        uint32_t first = next;
        for (uint32_t g = 0; g < p->graphs; g++)
            if (of[g] == k) {
                members[next] = graphs[g];
                p->row[g] = next++;
            }
        LP_TRY(make_group(p, &p->group[k], members + first, first, next - first, diag));
    }
    return LP_OK;
}

static LpErr fill(LpPpo *p, const LpNetGraph *graphs, LpDiag *diag) {
    uint32_t *of = lp_alloc(p->graphs, sizeof *of);
    LpNetGraph *members = lp_alloc(p->graphs, sizeof *members);
    LpErr err = make_groups(p, graphs, of, members, diag);
    lp_free(of);
    lp_free(members);
    for (uint32_t i = 0; err == LP_OK && i < SHARDS; i++)
        err = make_shard(p, &p->shard[i], diag);
    return err;
}

LpErr lp_ppo_new(const LpNetPlan *plan, const LpPpoSettings *settings, const LpNetGraph *graphs,
                 uint32_t count, LpShardRun run, void *runner, LpPpo **out, LpDiag *diag) {
    LpPpo *p = lp_alloc(1, sizeof *p);
    if (p == NULL)
        return lp_fail_memory(diag, "training");
    p->plan = *plan;
    p->settings = *settings;
    p->entropy = settings->entropy;
    p->graphs = count;
    p->most = ((uint32_t)settings->minibatch + SHARDS - 1) / SHARDS;
    p->run = run;
    p->runner = runner;
    LpErr err = fill(p, graphs, diag);
    if (err != LP_OK) {
        lp_ppo_free(p);
        return err;
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
    for (uint32_t i = 0; i < SHARDS; i++) {
        Shard *s = &p->shard[i];
        lp_heads_free(s->heads);
        lp_free(s->grad);
        lp_free(s->features);
        lp_free(s->probability);
        lp_free(s->d_embedding);
        lp_free(s->graph);
        lp_free(s->action);
    }
    for (uint32_t i = 0; i < GROUPS; i++) {
        lp_encoder_free(p->group[i].encoder);
        lp_free(p->group[i].grad);
    }
    lp_free(p->row);
    lp_free(p->embedding);
    lp_free(p->d_embedding);
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
    double *prob = s->probability, *log_prob = s->log_probability, entropy = 0;
    lp_ppo_softmax(logits, mask, actions, prob, log_prob);
    double moved = log_prob[action] - r->log_prob[at], ratio = lp_num_exp(moved);
    double advantage = (r->advantage[at] - p->mean) * p->scale, clip = p->settings.clip;
    bool clipped = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip;
    double pull = clipped ? 0 : -advantage * ratio;
    double limited = ratio > 1 + clip ? 1 + clip : ratio < 1 - clip ? 1 - clip : ratio;
    for (uint32_t a = 0; a < actions; a++)
        if (prob[a] > 0)
            entropy -= prob[a] * log_prob[a];
    for (uint32_t a = 0; a < actions; a++) {
        double of_entropy = prob[a] > 0 ? -prob[a] * (log_prob[a] + entropy) : 0;
        slope[a] =
            (pull * ((a == action ? 1 : 0) - prob[a]) - p->entropy * of_entropy) / p->in_gradient;
    }
    double plain = ratio * advantage, other = limited * advantage;
    s->sums.policy -= plain < other ? plain : other;
    s->sums.entropy += entropy;
    s->sums.kl += (ratio - 1) - moved;
    s->sums.clipped += clipped ? 1 : 0;
}

/* Slopes of half the squares of what the logits, less their mean, lack to the scores. */
static void slope_scores(const LpPpo *p, Shard *s, uint32_t i, const double *logits,
                         double *slope) {
    const LpNetShape *shape = &p->plan.shape;
    uint32_t actions = shape->actions, open = 0;
    const double *mask = s->features + (size_t)(i + 1) * shape->features - actions;
    const double *score = p->rollout->score + (size_t)s->index[i] * actions;
    double off = 0, *prob = s->probability, *log_prob = s->log_probability;
    for (uint32_t a = 0; a < actions; a++)
        if (mask[a] > 0) {
            off += logits[a] - score[a];
            open++;
        }
    for (uint32_t a = 0; a < actions; a++) {
        double lack = mask[a] > 0 ? logits[a] - score[a] - off / open : 0;
        slope[a] = lack / p->in_gradient;
        s->sums.policy += 0.5 * lack * lack;
    }
    lp_ppo_softmax(logits, mask, actions, prob, log_prob);
    for (uint32_t a = 0; a < actions; a++)
        if (prob[a] > 0)
            s->sums.entropy -= prob[a] * log_prob[a];
}

static void gather(const LpPpo *p, Shard *s) {
    uint32_t width = p->plan.shape.features;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = s->index[i];
        memcpy(s->features + (size_t)i * width, p->rollout->features + (size_t)at * width,
               width * sizeof *s->features);
        s->graph[i] = p->row[p->rollout->graph[at]];
        s->action[i] = p->rollout->action[at];
    }
}

static void run_shard(void *user, uint32_t index) {
    LpPpo *p = user;
    Shard *s = &p->shard[index];
    const LpNetShape *shape = &p->plan.shape;
    s->sums = (Sums){0};
    if (s->count == 0)
        return;
    memset(s->grad, 0, p->plan.params * sizeof *s->grad);
    gather(p, s);
    lp_heads_forward(s->heads, p->params, s->count, p->embedding, s->graph, s->features, s->action);
    const double *logits = lp_heads_out(s->heads, LP_HEAD_POLICY);
    double *slope = lp_heads_slope(s->heads, LP_HEAD_POLICY);
    for (uint32_t i = 0; i < s->count; i++) {
        size_t row = (size_t)i * shape->actions;
        (p->rollout->score != NULL ? slope_scores : slope_policy)(p, s, i, logits + row,
                                                                  slope + row);
        double target = p->rollout->target[s->index[i]], n = p->in_gradient;
        double error = lp_heads_out(s->heads, LP_HEAD_VALUE)[i] - target;
        lp_heads_slope(s->heads, LP_HEAD_VALUE)[i] = p->settings.value * error / n;
        s->sums.value += 0.5 * error * error;
        double off = lp_heads_out(s->heads, LP_HEAD_Q)[i] - target;
        lp_heads_slope(s->heads, LP_HEAD_Q)[i] = p->settings.q * off / n;
        s->sums.q += 0.5 * off * off;
    }
    lp_heads_backward(s->heads, p->params, (1u << LP_HEAD_COUNT) - 1, s->grad, s->d_embedding,
                      NULL);
}

static void embed_group(void *user, uint32_t index) {
    LpPpo *p = user;
    const Group *g = &p->group[index];
    lp_encoder_forward(g->encoder, p->params,
                       p->embedding + (size_t)g->first * p->plan.shape.embedding);
}

static void slope_group(void *user, uint32_t index) {
    LpPpo *p = user;
    const Group *g = &p->group[index];
    size_t width = p->plan.shape.embedding, from = g->first * width, count = g->count * width;
    memset(p->d_embedding + from, 0, count * sizeof *p->d_embedding);
    for (uint32_t i = 0; i < SHARDS; i++)
        for (size_t k = from; p->shard[i].count > 0 && k < from + count; k++)
            p->d_embedding[k] += p->shard[i].d_embedding[k];
    memset(g->grad, 0, p->plan.graph_params * sizeof *g->grad);
    lp_encoder_backward(g->encoder, p->params, p->d_embedding + from, g->grad, NULL);
}

static void add_stats(const LpPpo *p, LpPpoStats *stats, double norm) {
    double n = p->in_gradient;
    for (uint32_t i = 0; i < SHARDS; i++) {
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

static LpErr run_parts(LpPpo *p, uint32_t count, LpShardTask task, LpDiag *diag) {
    if (p->run != NULL)
        return p->run(p->runner, count, task, p, diag);
    for (uint32_t i = 0; i < count; i++)
        task(p, i);
    return LP_OK;
}

/* The sum of all parts. */
static double *sum_gradients(LpPpo *p) {
    double *grad = p->shard[0].grad;
    for (uint32_t s = 1; s < SHARDS; s++)
        for (size_t i = p->plan.graph_params; p->shard[s].count > 0 && i < p->plan.params; i++)
            grad[i] += p->shard[s].grad[i];
    memset(grad, 0, p->plan.graph_params * sizeof *grad);
    for (uint32_t g = 0; g < p->groups; g++)
        for (size_t i = 0; i < p->plan.graph_params; i++)
            grad[i] += p->group[g].grad[i];
    return grad;
}

static LpErr step(LpPpo *p, const uint32_t *index, uint32_t count, LpAdam *adam, double *params,
                  LpPpoStats *stats, LpDiag *diag) {
    uint32_t each = (count + SHARDS - 1) / SHARDS;
    p->in_gradient = count;
    for (uint32_t i = 0, from = 0; i < SHARDS; i++) {
        p->shard[i].index = index + from;
        p->shard[i].count = count - from < each ? count - from : each;
        from += p->shard[i].count;
    }
    LP_TRY(run_parts(p, p->groups, embed_group, diag));
    LP_TRY(run_parts(p, SHARDS, run_shard, diag));
    LP_TRY(run_parts(p, p->groups, slope_group, diag));
    add_stats(p, stats, lp_adam_step(adam, p->settings.grad_clip, sum_gradients(p), params));
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

/* The share of the targets' variance that is explained; 0 where they do not vary. */
static double explained(const LpRollout *r) {
    double mean = 0, variance = 0, error = 0;
    for (uint32_t i = 0; i < r->count; i++)
        mean += r->target[i] / r->count;
    for (uint32_t i = 0; i < r->count; i++) {
        variance += (r->target[i] - mean) * (r->target[i] - mean);
        error += (r->target[i] - r->estimate[i]) * (r->target[i] - r->estimate[i]);
    }
    return variance > 0 ? 1 - error / variance : 0;
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
    stats->explained = explained(r);
    return LP_OK;
}
