/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a training: defaults, how people write them, what a network's file says of them.
 */
#include <string.h>

#include "base/num.h"
#include "host/workers.h"
#include "many/train/train.h"

enum {
    DEFAULT_STEPS = 2000000,
    LOOKAHEAD_STEPS = 65536,
    EVOLVE_STEPS = 100000000,
    LOOKAHEAD_SKIP = 1000
};

static const char *const algo_names[] = {
#define X(id, name, doc) name,
    LP_TRAIN_ALGOS(X)
#undef X
};

static void add_settings(const LpTrainSpec *spec, LpBuf *out) {
    lp_buf_addf(out, "encoding=%s place=", lp_encoding_name(spec->encoding));
    for (uint32_t i = 0; i < spec->placings; i++)
        lp_buf_addf(out, "%s%s", i > 0 ? "," : "", lp_place_rule_name(spec->placing[i]));
    lp_ppo_describe(&spec->ppo, algo_names[spec->algo], out);
}

void lp_train_describe(const LpTrainSpec *spec, LpBuf *out) {
    lp_buf_addf(out, "%s seed=%llu threads=%u ", algo_names[spec->algo],
                (unsigned long long)spec->seed,
                spec->threads > 0 ? spec->threads : lp_workers_processors());
    add_settings(spec, out);
}

LpErr lp_train_note(const LpTrainSpec *spec, LpNetNote *note, LpDiag *diag) {
    LpBuf text = {0};
    char number[LP_NUM_TEXT];
    lp_buf_addf(&text, "steps=%llu ", (unsigned long long)spec->steps);
    add_settings(spec, &text);
    if (spec->session.until > 0)
        lp_buf_addf(&text, " until=%s", lp_num_print(spec->session.until, number));
    for (uint32_t i = 0; i < spec->session.sets; i++)
        lp_buf_addf(&text, " set:%s", spec->session.set[i]);
    LpErr err = lp_buf_ok(&text, diag);
    note->seed = spec->seed;
    note->scenarios = 1 + spec->alsos;
    lp_str_copy(note->algorithm, sizeof note->algorithm, algo_names[spec->algo]);
    lp_str_copy(note->settings, sizeof note->settings, lp_buf_text(&text));
    lp_buf_fini(&text);
    return err;
}

LpTrainSpec lp_train_defaults(void) {
    return (LpTrainSpec){.ppo = lp_ppo_defaults(),
                         .encoding = LP_ENCODING_PUBLISHED,
                         .placings = 1,
                         .placing = {LP_PLACE_ENGINE},
                         .seed = 1,
                         .steps = DEFAULT_STEPS};
}

LpErr lp_train_set_algo(LpTrainSpec *spec, const char *name, LpDiag *diag) {
    LpTrainAlgo algo = 0;
    while (algo < LP_ALGO_COUNT && strcmp(algo_names[algo], name) != 0)
        algo++;
    if (algo == LP_ALGO_COUNT)
        return lp_fail(diag, LP_EINVAL,
                       "there is no algorithm '%s'; expected ppo, lookahead or evolve", name);
    spec->algo = algo;
    spec->ppo = lp_ppo_defaults();
    if (algo == LP_ALGO_EVOLVE) {
        spec->encoding = LP_ENCODING_QUEUE;
        spec->placing[0] = LP_PLACE_LEAST_FRAGMENTING;
        spec->steps = EVOLVE_STEPS;
        spec->ppo.rate = 0.006;
        spec->ppo.hidden = 8;
        spec->ppo.eval_episodes = 4;
    }
    if (algo == LP_ALGO_LOOKAHEAD) { /* a decision costs hundreds, and says more */
        spec->steps = LOOKAHEAD_STEPS;
        spec->ppo.rollout = 32;
        spec->ppo.minibatch = 256;
        spec->ppo.epochs = 4;
        spec->ppo.kl = 0;
        spec->ppo.skip = LOOKAHEAD_SKIP;
    }
    return LP_OK;
}

LpErr lp_train_set(LpTrainSpec *spec, const char *assignment, LpDiag *diag) {
    return lp_ppo_set(&spec->ppo, algo_names[spec->algo], assignment, diag);
}

LpErr lp_train_set_encoding(LpTrainSpec *spec, const char *name, LpDiag *diag) {
    int found = lp_encoding_find(name);
    if (found < 0)
        return lp_fail(diag, LP_EINVAL, "there is no encoding '%s'; expected %s, %s or %s", name,
                       lp_encoding_name(LP_ENCODING_PUBLISHED),
                       lp_encoding_name(LP_ENCODING_CORRECTED),
                       lp_encoding_name(LP_ENCODING_QUEUE));
    spec->encoding = (LpEncoding)found;
    return LP_OK;
}
