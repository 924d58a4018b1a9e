/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of iterations, modelled and published. */
#include "ask/predict/iteration.h"

#include "base/json_out.h"
#include "sim/turns/iteration.h"

enum { SHOWN = 64, RATIOS = 2 };

static const struct {
    const char *key, *words;
    LpIterationNetwork over, under;
} RATIO[RATIOS] = {
    {"mixnet_over_fat_tree", "MixNet over fat tree", LP_ITERATION_MIXNET, LP_ITERATION_FAT_TREE},
    {"topoopt_over_mixnet", "TopoOpt over MixNet", LP_ITERATION_TOPOOPT, LP_ITERATION_MIXNET},
};

static LpErr find(const char *name, const LpIterationPublished **out, LpDiag *diag) {
    char shown[SHOWN];
    size_t count;
    const LpIterationPublished *table = lp_iteration_table(&count);
    *out = lp_iteration_find(name);
    if (*out != NULL)
        return LP_OK;
    LpBuf names = {0};
    for (size_t i = 0; i < count; i++)
        lp_buf_addf(&names, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", table[i].name);
    LpErr err = lp_fail(diag, LP_EINVAL, "no iteration of %s is published: expected %s",
                        lp_str_show(shown, sizeof shown, name), lp_buf_text(&names));
    lp_buf_fini(&names);
    return err;
}

static double ratio_of(const LpIterationTimes *time, int ratio, int rate) {
    return time->of[RATIO[ratio].over][rate] / time->of[RATIO[ratio].under][rate];
}

/* Of two, by how much the first is off. */
static double off(double model, double published) {
    return model / published - 1;
}

static void add_json(const LpIterationPublished *p, const LpIterationModel *m, LpBuf *text) {
    LpJsonOut out = {.out = text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_put_text(&out, "model", p->name);
    lp_json_put_text(&out, "source", LP_ITERATION_SOURCE);
    lp_json_put_bool(&out, "reproduced", p->reproduced);
    lp_json_put_text(&out, "missing", p->reproduced ? NULL : LP_ITERATION_MISSING);
    lp_json_put_number(&out, "constant", m->constant);
    lp_json_put_number(&out, "volume", m->volume);
    lp_json_put_number(&out, "mixnet_x", m->x[LP_ITERATION_MIXNET]);
    lp_json_put_number(&out, "topoopt_x_fitted", m->x[LP_ITERATION_TOPOOPT]);
    lp_json_open(&out, "rows", '[');
    for (int i = 0; i < LP_ITERATION_RATES; i++) {
        lp_json_break(&out);
        lp_json_open(&out, NULL, '{');
        lp_json_put_number(&out, "gigabits", m->rate[i]);
        for (int r = 0; r < RATIOS; r++) {
            lp_json_open(&out, RATIO[r].key, '{');
            lp_json_put_number(&out, "model", ratio_of(&m->time, r, i));
            lp_json_put_number(&out, "published", ratio_of(&p->time, r, i));
            lp_json_close(&out, '}');
        }
        lp_json_close(&out, '}');
    }
    lp_json_close(&out, ']');
    lp_json_end(&out);
}

static void add_text(const LpIterationPublished *p, const LpIterationModel *m, LpBuf *out) {
    lp_buf_addf(out, "%s, an iteration on 1024 accelerators by link rate B: c + V x/B\n", p->title);
    lp_buf_addf(out, "V/(100 c) %.3f from the fat tree at 100 and 800 Gb/s, whose x is 1\n",
                m->volume / 100 / m->constant);
    lp_buf_addf(out, "MixNet    x %.4f, of the circuits of a region with a uniform demand\n",
                m->x[LP_ITERATION_MIXNET]);
    lp_buf_addf(out, "TopoOpt   x %.2f, a fit: taken from its time at 100 Gb/s\n\n",
                m->x[LP_ITERATION_TOPOOPT]);
    lp_buf_addf(out, "%9s", "Gb/s");
    for (int r = 0; r < RATIOS; r++)
        lp_buf_addf(out, "  %s: model, published", RATIO[r].words);
    for (int i = 0; i < LP_ITERATION_RATES; i++) {
        lp_buf_addf(out, "\n%9g", m->rate[i]);
        for (int r = 0; r < RATIOS; r++) {
            double model = ratio_of(&m->time, r, i), told = ratio_of(&p->time, r, i);
            lp_buf_addf(out, "  %14.3f  %8.3f  %+10.1f %%", model, told, 100 * off(model, told));
        }
    }
    lp_buf_add(out, "\n\n");
    if (!p->reproduced)
        lp_buf_addf(out, "Not reproduced: %s.\n", LP_ITERATION_MISSING);
    lp_buf_addf(out, "Published: %s.\n", LP_ITERATION_SOURCE);
}

LpErr lp_iteration_report(const char *name, bool json, LpBuf *out, LpDiag *diag) {
    const LpIterationPublished *published;
    LpIterationModel model;
    LP_TRY(find(name, &published, diag));
    LpArena *arena = lp_arena_new(0);
    if (arena == NULL)
        return lp_fail_memory(diag, "the circuits of a region");
    LpErr err = lp_iteration_model(published, arena, &model, diag);
    lp_arena_free(arena);
    if (err == LP_OK)
        (json ? add_json : add_text)(published, &model, out);
    return err;
}
