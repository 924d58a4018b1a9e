/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The published experiment's agents and numbers. */
#include <math.h>
#include <string.h>

#include "many/experiment/experiment.h"

static const struct {
    const char *name, *doc;
} STUDIES[] = {
#define X(id, name, doc) {name, doc},
    LP_STUDIES(X)
#undef X
};

const char *lp_study_name(LpStudy study) {
    return STUDIES[study].name;
}

const char *lp_study_doc(LpStudy study) {
    return STUDIES[study].doc;
}

int lp_study_find(const char *name) {
    for (int i = 0; i < LP_STUDY_COUNT; i++)
        if (strcmp(STUDIES[i].name, name) == 0)
            return i;
    return -1;
}

static const LpAgent AGENTS[] = {
    {"max", "max_parallelism.lua", NULL, "largest degree allowed: Para_max"},
    {"min", "acceptable_jct.lua", NULL, "least degree if splitting were free: Para_min"},
    {"random", "random.lua", NULL, "any degree allowed"},
    {"no", "no_parallelism.lua", NULL, "never split"},
    {"sip-ml", "sip_ml.lua", "max_degree=16", "SiP-ML: 16, less where there is no room"},
    {"k1", "sip_ml.lua", "max_degree=1", "always 1"},
    {"k2", "sip_ml.lua", "max_degree=2", "always 2"},
    {"k4", "sip_ml.lua", "max_degree=4", "4, less where there is no room"},
    {"k8", "sip_ml.lua", "max_degree=8", "8, less where there is no room"},
    {"k16", "sip_ml.lua", "max_degree=16", "16, less where there is no room"},
    {"meets-deadline", "meets_deadline.lua", NULL, "least degree whose forecast is in time"},
    {"least-fragmenting", "least_fragmenting.lua", NULL,
     "the same, on the block that leaves the largest block free"},
    {"prefer4", "least_fragmenting.lua", "prefer=4", "the same, 4 before all others"},
    {"prefer8", "least_fragmenting.lua", "prefer=8", "the same, 8 before all others"},
    {"few", "min_parallelism.lua", NULL, "2 ways: Para_min of the code"},
    {"throughput", "greedy_throughput.lua", NULL, "degree with the most steps a second a server"},
    {"tight", "tight.lua", NULL, "least degree in time, fewest groups, critical path first"},
    {"first-fit", "first_fit.lua", NULL, "the engine's degree, the first block"},
    {"best-fit", "best_fit.lua", NULL, "the engine's degree, the tightest block"},
    {"worst-fit", "worst_fit.lua", NULL, "the engine's degree, the roomiest block"},
    {"pack-groups", "pack_groups.lua", NULL, "the engine's degree, as few groups as possible"},
    {"random-place", "random_place.lua", NULL, "the engine's degree, any block"},
    {"fifo", "strict_fifo.lua", NULL, "jobs wait in line, nobody overtakes"},
    {"fit-first", "fit_first.lua", NULL, "jobs wait, whoever fits starts"},
    {"easy", "easy_backfill.lua", NULL, "jobs wait in line, gaps are filled"},
    {"edf", "edf.lua", NULL, "jobs wait, earliest deadline first"},
    {"sjf", "sjf.lua", NULL, "jobs wait, shortest first"},
    {"fewest-late", "fewest_late.lua", NULL,
     "jobs wait as planned ahead; as few as possible are late"},
    {"defragment", "defragment.lua", NULL, "jobs wait, running ones are moved for room"},
    {"las", "las_preempt.lua", NULL, "least attained service first, with preemption"},
    {"srpt", "srpt.lua", NULL, "least remaining work first, with preemption"},
    {"fewest-late-preempt", "fewest_late.lua", "preempt=true,most=8",
     "as fewest-late, and long jobs are stopped for short ones"},
};

const char *lp_act_word(LpAct act) {
    static const char *const WORDS[] = {
#define X(id, word, doc) word,
        LP_ACTS(X)
#undef X
    };
    return WORDS[act];
}

const LpAgent *lp_agents(size_t *count) {
    *count = LP_COUNTOF(AGENTS);
    return AGENTS;
}

#define NONE (double)NAN
#define PAPER "published, mean of 3 seeds"
#define RERUN "the published simulator, 1 seed"
#define MODEL "loss model, mean of 20 runs"

/* Figures of the published simulator's notebooks and of runs of it (its snapshot 9e0b5ba). */
static const LpReference REFERENCES[] = {
    {"max", LP_STUDY_TABLE, {0.2624, 0.2631, 0.2674, 0.2631}, PAPER, false},
    {"sip-ml", LP_STUDY_TABLE, {0.2624, 0.2631, 0.2674, 0.2631}, PAPER, false},
    {"k16", LP_STUDY_TABLE, {0.2624, 0.2631, 0.2674, 0.2631}, PAPER, false},
    {"min", LP_STUDY_TABLE, {0.3087, 0.3956, 0.3074, 0.1419}, PAPER, false},
    {"min", LP_STUDY_TABLE, {0.3107, 0.3816, 0.2987, 0.1059}, RERUN, true},
    {"random", LP_STUDY_TABLE, {0.5172, 0.6011, 0.5055, 0.4652}, PAPER, false},
    {"k2", LP_STUDY_TABLE, {NONE, NONE, NONE, 0.0999}, RERUN, true},
    {"k4", LP_STUDY_TABLE, {0.2208, 0.4725, 0.1199, NONE}, RERUN, true},
    {"k8", LP_STUDY_TABLE, {0.2987, 0.2917, 0.2797, 0.2797}, RERUN, true},
    {"pac-ml", LP_STUDY_TABLE, {0.2038, 0.2567, 0.1166, 0.0992}, "published, best epoch", false},
    {"pac-ml", LP_STUDY_TABLE, {0.2209, 0.2641, 0.1247, 0.1037}, "published, last epoch", false},
    {"pac-ml", LP_STUDY_TABLE, {0.217, 0.261, 0.135, 0.120}, "published, 1000 jobs, 1 seed", true},
    /* p^2 / (1 + p + p^2), p = 4/5: two slots, four of five jobs hold one for two arrivals */
    {"max", LP_STUDY_IDEAL, {0.64 / 2.44, 0.64 / 2.44, 0.64 / 2.44, 0.64 / 2.44}, "exact", false},
    {"k16", LP_STUDY_IDEAL, {0.64 / 2.44, 0.64 / 2.44, 0.64 / 2.44, 0.64 / 2.44}, "exact", false},
    {"k8", LP_STUDY_IDEAL, {0.139, 0.153, 0.120, NONE}, MODEL, false},
    {"min", LP_STUDY_IDEAL, {0.167, 0.219, 0.139, 0.089}, MODEL, false},
    {"meets-deadline", LP_STUDY_IDEAL, {0.158, 0.197, 0.126, 0.085}, MODEL, false},
};

const LpReference *lp_references(size_t *count) {
    *count = LP_COUNTOF(REFERENCES);
    return REFERENCES;
}
