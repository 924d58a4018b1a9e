/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of learning curves, and curves of them. */
#include "many/train/learning.h"

#include <math.h>

#include "base/json_out.h"
#include "base/mem.h"
#include "io/json/json.h"

static const char *const keys[LP_LEARN_COUNT] = {
#define X(id, key, title) key,
    LP_LEARN_TABLE(X)
#undef X
};

const char *lp_learn_key(LpLearnMetric metric) {
    return keys[metric];
}

/* ---- lines ---- */

LpLearnPoint lp_learn_point(const LpTrainReport *r) {
    double none = (double)NAN;
    return (LpLearnPoint){
        .update = r->update,
        .steps = r->steps,
        .episodes = r->episodes,
        .value = {[LP_LEARN_REWARD] = r->reward,
                  [LP_LEARN_BLOCKED] = r->blocked,
                  [LP_LEARN_ENTROPY] = r->learnt.entropy,
                  [LP_LEARN_KL] = r->learnt.kl,
                  [LP_LEARN_POLICY_LOSS] = r->learnt.policy_loss,
                  [LP_LEARN_VALUE_LOSS] = r->learnt.value_loss,
                  [LP_LEARN_EXPLAINED] = r->learnt.explained,
                  [LP_LEARN_GRADIENT] = r->learnt.norm,
                  [LP_LEARN_RATE] = r->rate,
                  [LP_LEARN_EVAL_REWARD] = r->evaluated ? r->eval_reward : none,
                  [LP_LEARN_EVAL_BLOCKED] = r->evaluated ? r->eval_blocked : none},
        .saved = r->saved};
}

void lp_learn_line(const LpLearnPoint *p, LpBuf *text) {
    LpJsonOut out = {.out = text, .spaced = true};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "update", p->update);
    lp_json_put_count(&out, "steps", p->steps);
    lp_json_put_count(&out, "episodes", p->episodes);
    for (int i = 0; i < LP_LEARN_COUNT; i++)
        lp_json_put_number(&out, keys[i], p->value[i]);
    lp_json_put_bool(&out, "saved", p->saved);
    lp_json_end(&out);
}

static LpErr read_whole(LpJsonValue line, const char *key, bool required, uint64_t *out,
                        LpDiag *diag) {
    LpJsonValue value = lp_json_member(line, key);
    if (lp_json_kind(value) == LP_JSON_NOTHING)
        return required ? lp_json_fail(line, diag, LP_EINVAL,
                                       "no update of a training: \"%s\" is missing", key)
                        : LP_OK;
    return lp_json_u64(value, 0, (uint64_t)1 << 53, out, diag);
}

static LpErr read_number(LpJsonValue line, const char *key, double *out, LpDiag *diag) {
    LpJsonValue value = lp_json_member(line, key);
    LpJsonKind kind = lp_json_kind(value);
    *out = (double)NAN;
    if (kind == LP_JSON_NOTHING || kind == LP_JSON_NULL)
        return LP_OK;
    LP_TRY(lp_json_expect(value, LP_JSON_NUMBER, diag));
    *out = lp_json_number(value);
    return LP_OK;
}

static LpErr read_line(LpJsonValue line, LpLearnPoint *p, LpDiag *diag) {
    LpJsonValue saved = lp_json_member(line, "saved");
    LP_TRY(lp_json_expect(line, LP_JSON_OBJECT, diag));
    LP_TRY(read_whole(line, "update", true, &p->update, diag));
    LP_TRY(read_whole(line, "steps", true, &p->steps, diag));
    LP_TRY(read_whole(line, "episodes", false, &p->episodes, diag));
    for (int i = 0; i < LP_LEARN_COUNT; i++)
        LP_TRY(read_number(line, keys[i], &p->value[i], diag));
    if (lp_json_kind(saved) != LP_JSON_NOTHING)
        LP_TRY(lp_json_expect(saved, LP_JSON_BOOL, diag));
    p->saved = lp_json_bool(saved) && !isnan(p->value[LP_LEARN_EVAL_REWARD]);
    return LP_OK;
}

LpErr lp_learn_parse(const char *name, int line, const char *text, size_t len, LpLearnPoint *out,
                     LpDiag *diag) {
    LpLearnPoint point = {0};
    LpDiag mine = {0};
    LpJson *doc = NULL;
    LpErr err = lp_json_parse(name, text, len, &doc, &mine);
    if (err == LP_OK)
        err = read_line(lp_json_root(doc), &point, &mine);
    lp_json_free(doc);
    if (err == LP_OK)
        *out = point;
    else if (err != LP_ENOMEM) /* the document was the line alone */
        lp_fail_at(diag, err, name, line, mine.col, "%s", mine.text);
    else
        lp_fail_memory(diag, "a line");
    return err;
}

/* ---- curves ---- */

void lp_learn_fini(LpLearnCurve *curve) {
    lp_free(curve->point);
    *curve = (LpLearnCurve){0};
}

static bool is_evaluated(const LpLearnPoint *p) {
    return !isnan(p->value[LP_LEARN_EVAL_REWARD]);
}

/* Forgets updates from that one on. */
static void rewind_to(LpLearnCurve *c, uint64_t update) {
    if (c->count == 0 || c->point[c->count - 1].update < update)
        return;
    while (c->count > 0 && c->point[c->count - 1].update >= update)
        c->evaluated -= is_evaluated(&c->point[--c->count]);
    if (c->best <= c->count)
        return;
    for (c->best = c->count; c->best > 0 && !c->point[c->best - 1].saved; c->best--) {
    }
}

LpErr lp_learn_add(LpLearnCurve *c, const LpLearnPoint *point, LpDiag *diag) {
    rewind_to(c, point->update);
    if (c->count == LP_LEARN_MOST)
        return lp_fail(diag, LP_ELIMIT, "more than %d updates", LP_LEARN_MOST);
    if (lp_grow((void **)&c->point, &c->cap, (size_t)c->count + 1, sizeof *c->point) != LP_OK)
        return lp_fail_memory(diag, "a learning curve");
    c->point[c->count++] = *point;
    c->evaluated += is_evaluated(point);
    if (point->saved)
        c->best = c->count;
    return LP_OK;
}

/* Updates with fewer decisions. Hostile files may go up and down: any answer will do then. */
static uint32_t before(const LpLearnCurve *c, double steps) {
    uint32_t low = 0, high = c->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)c->point[middle].steps < steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const LpLearnPoint *lp_learn_at(const LpLearnCurve *c, double steps) {
    uint32_t i = before(c, steps);
    return i < c->count ? &c->point[i] : NULL;
}

const LpLearnPoint *lp_learn_evaluated(const LpLearnCurve *c, double steps) {
    uint32_t i = before(c, steps);
    if (i < c->count && (double)c->point[i].steps <= steps)
        i++;
    while (i > 0 && !is_evaluated(&c->point[i - 1]))
        i--;
    return i > 0 ? &c->point[i - 1] : NULL;
}
