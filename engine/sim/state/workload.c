/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals, from the scenario's list or drawn by its generator. The state is one pointer-free
 * block; what is drawn for one purpose never shifts what is drawn for another. */
#include "sim/state/workload.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/rng.h"

/* What a generator draws, each from its own stream. */
typedef enum Slot { INTERARRIVAL, STEPS, FRACTION, SLOTS } Slot;

static const char *const slot_stream[SLOTS] = {"interarrival", "steps", "fraction"};

/* How the pool is kept. */
typedef enum Pool {
    POOL_NONE,   /* a list of jobs, or sampling with replacement */
    POOL_COUNTS, /* copies left per graph */
    POOL_JOBS    /* published: every pool job with its own fraction and steps */
} Pool;

/* Pool jobs of published semantics that are worth their memory: 20 bytes each. */
enum { POOL_JOBS_MAX = 1 << 22 };

/* Arrays follow the struct at these byte offsets (from its start; 0: absent). */
struct LpWorkload {
    uint64_t taken;     /* arrivals so far */
    double next;        /* time of the next one, INFINITY: none */
    double rate;        /* divides the gaps */
    uint64_t stretched; /* the rate was another than 1 once */
    uint64_t pool;      /* Pool */
    uint64_t left;      /* jobs left in the pool */
    uint64_t drawn;     /* running hash of what was drawn from a pool of jobs */
    uint64_t made;      /* hash of what lp_workload_init drew */
    LpRng model, rng[SLOTS];
    uint64_t chosen[SLOTS];         /* which of a choice */
    uint64_t at_table[SLOTS];       /* LpSkewTable */
    uint64_t graphs;                /* of the generator */
    uint64_t at_counts;             /* uint64_t per graph of the generator */
    uint64_t at_fraction, at_steps; /* double per pool job */
    uint64_t at_index;              /* uint32_t: a permutation, the jobs left come first */
};

/* ---- layout ---- */

static const LpDist *dist_of(const LpGenerator *generator, Slot slot) {
    switch (slot) {
    case INTERARRIVAL:
        return &generator->interarrival;
    case STEPS: /* a slice is held for a time */
        return generator->slices > 0 ? &generator->duration : &generator->steps;
    default:
        return &generator->max_jct_fraction;
    }
}

/* The distribution that this run draws from. */
static const LpDist *chosen_dist(const LpWorkload *workload, const LpScenario *scenario,
                                 Slot slot) {
    const LpDist *dist = dist_of(&scenario->generator, slot);
    return dist->kind == LP_DIST_CHOICE ? &dist->choices[workload->chosen[slot]] : dist;
}

static bool may_need_table(const LpDist *dist) {
    if (dist->kind == LP_DIST_CHOICE)
        for (uint32_t i = 0; i < dist->count; i++)
            if (dist->choices[i].kind == LP_DIST_SKEW_NORMAL)
                return true;
    return dist->kind == LP_DIST_SKEW_NORMAL;
}

/* Draws follow the semantics as a whole: a single option that is switched leaves the jobs alone. */
static bool draws_published(const LpScenario *scenario) {
    return scenario->semantics_published || lp_options_all_published(&scenario->options);
}

static Pool pool_of(const LpScenario *scenario) {
    if (!scenario->has_generator)
        return POOL_NONE;
    if (scenario->generator.slices > 0)
        return POOL_NONE;
    if (draws_published(scenario))
        return POOL_JOBS;
    return scenario->generator.sampling == LP_SAMPLE_REPLACE ? POOL_NONE : POOL_COUNTS;
}

/* Appends an array to the block; its length in bytes becomes a multiple of 8. */
static uint64_t append(size_t *bytes, size_t count, size_t size) {
    size_t at = *bytes;
    *bytes += (count * size + 7) / 8 * 8;
    return at;
}

static void lay_out(const LpScenario *scenario, LpWorkload *layout, size_t *bytes) {
    const LpGenerator *generator = &scenario->generator;
    *layout = (LpWorkload){.pool = pool_of(scenario)};
    *bytes = sizeof *layout;
    if (!scenario->has_generator)
        return;
    layout->graphs = generator->graphs;
    size_t jobs = (size_t)generator->replication * generator->graphs;
    for (int slot = 0; slot < SLOTS; slot++)
        if (may_need_table(dist_of(generator, (Slot)slot)))
            layout->at_table[slot] = append(bytes, 1, sizeof(LpSkewTable));
    if (layout->pool == POOL_COUNTS)
        layout->at_counts = append(bytes, generator->graphs, sizeof(uint64_t));
    if (layout->pool == POOL_JOBS) {
        layout->at_fraction = append(bytes, jobs, sizeof(double));
        layout->at_steps = append(bytes, jobs, sizeof(double));
        layout->at_index = append(bytes, jobs, sizeof(uint32_t));
    }
}

static void *array_at(LpWorkload *workload, uint64_t offset) {
    return offset ? (char *)workload + offset : NULL;
}

LpErr lp_workload_size(const LpScenario *scenario, size_t *bytes, LpDiag *diag) {
    const LpGenerator *generator = &scenario->generator;
    LpWorkload layout;
    /* Both factors are below 2^32. */
    if (pool_of(scenario) == POOL_JOBS &&
        generator->replication * generator->graphs > POOL_JOBS_MAX)
        return lp_fail(diag, LP_ELIMIT,
                       "generator.replication is %llu: the pool would hold %llu jobs, expected at "
                       "most %d",
                       (unsigned long long)generator->replication,
                       (unsigned long long)(generator->replication * generator->graphs),
                       POOL_JOBS_MAX);
    lay_out(scenario, &layout, bytes);
    return LP_OK;
}

/* ---- draws ---- */

/* Training steps are whole: a uniform without a grid is one on the grid of 1. */
static double draw_steps(const LpDist *dist, const LpSkewTable *table, LpRng *rng) {
    LpDist whole = *dist;
    if (whole.kind == LP_DIST_UNIFORM)
        whole.decimals = 0;
    double steps = floor(lp_dist_draw(&whole, table, rng) + 0.5);
    return steps < 1.0 ? 1.0 : steps;
}

static double draw(LpWorkload *workload, const LpScenario *scenario, Slot slot) {
    const LpDist *dist = chosen_dist(workload, scenario, slot);
    const LpSkewTable *table = array_at(workload, workload->at_table[slot]);
    if (dist->kind == LP_DIST_NONE)
        return 0.0; /* no deadline */
    if (slot == STEPS && scenario->generator.slices == 0)
        return draw_steps(dist, table, &workload->rng[slot]);
    return lp_dist_draw(dist, table, &workload->rng[slot]);
}

/* Takes one of the copies left, every copy equally likely: the place of its graph in the
 * generator's list. */
static uint32_t draw_count(LpWorkload *workload, const LpGenerator *generator) {
    uint64_t *left = array_at(workload, workload->at_counts);
    uint64_t at = lp_rng_below(&workload->model, workload->left);
    uint32_t g = 0;
    while (at >= left[g])
        at -= left[g++];
    left[g]--;
    if (--workload->left == 0 && generator->sampling == LP_SAMPLE_REMOVE_AND_REPEAT) {
        workload->left = generator->replication * generator->graphs;
        for (uint32_t i = 0; i < generator->graphs; i++)
            left[i] = generator->replication;
    }
    return g;
}

/* Takes one of the jobs left, all equally likely: its number in the pool. The one taken swaps
 * places with the last one left, so a refill is only a new count. */
static uint32_t draw_job(LpWorkload *workload, const LpGenerator *generator) {
    uint32_t *index = array_at(workload, workload->at_index);
    uint64_t at = lp_rng_below(&workload->model, workload->left);
    uint32_t job = index[at];
    if (generator->sampling == LP_SAMPLE_REPLACE)
        return job;
    index[at] = index[--workload->left];
    index[workload->left] = job;
    workload->drawn = lp_hash_u64(workload->drawn, at);
    if (workload->left == 0 && generator->sampling == LP_SAMPLE_REMOVE_AND_REPEAT)
        workload->left = generator->replication * generator->graphs;
    return job;
}

/* A slice by its weight, in the listed order, and for how long. */
static void draw_slice(LpWorkload *workload, const LpScenario *scenario, LpJobSpec *spec) {
    const LpGenerator *g = &scenario->generator;
    double sum = 0, upto = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < g->slices; i++)
        sum += g->weight[i];
    double drawn = lp_rng_unit(&workload->model) * sum;
    for (uint32_t i = 0; i < g->slices && upto <= drawn; i++) {
        upto += g->weight[i];
        at = g->weight[i] > 0 ? i : at;
    }
    spec->graph = -1;
    spec->steps = 1;
    spec->slice = g->first_slice + at + 1;
    spec->rigid_servers = scenario->slice[spec->slice - 1].slice.accelerators;
    spec->max_jct_fraction = draw(workload, scenario, FRACTION);
    spec->rigid_duration = draw(workload, scenario, STEPS);
    spec->checkpoint = g->checkpoint;
    spec->communication_share = g->communication_share;
}

static void draw_spec(LpWorkload *workload, const LpScenario *scenario, LpJobSpec *spec) {
    const LpGenerator *generator = &scenario->generator;
    uint32_t graph;
    *spec = (LpJobSpec){.arrival = workload->next, .kind = generator->kind};
    if (generator->slices > 0) {
        draw_slice(workload, scenario, spec);
        return;
    }
    if (workload->pool == POOL_JOBS) {
        const double *fraction = array_at(workload, workload->at_fraction);
        const double *steps = array_at(workload, workload->at_steps);
        uint32_t job = draw_job(workload, generator);
        graph = job % generator->graphs;
        spec->max_jct_fraction = fraction[job];
        spec->steps = steps[job];
    } else {
        graph = workload->pool == POOL_COUNTS
                    ? draw_count(workload, generator)
                    : (uint32_t)lp_rng_below(&workload->model, generator->graphs);
        spec->max_jct_fraction = draw(workload, scenario, FRACTION);
        spec->steps = draw(workload, scenario, STEPS);
    }
    spec->graph = (int32_t)generator->graph[graph];
}

/* ---- the start ---- */

static LpErr init_slot(LpWorkload *workload, const LpScenario *scenario, uint64_t seed, Slot slot,
                       LpDiag *diag) {
    const LpDist *dist = dist_of(&scenario->generator, slot);
    workload->rng[slot] = lp_rng_stream(seed, slot_stream[slot], 0);
    if (dist->kind == LP_DIST_CHOICE) {
        LpRng rng = lp_rng_stream(seed, "choice", slot);
        workload->chosen[slot] = lp_rng_below(&rng, dist->count);
    }
    dist = chosen_dist(workload, scenario, slot);
    if (dist->kind != LP_DIST_SKEW_NORMAL)
        return LP_OK;
    LpSkewTable *table = array_at(workload, workload->at_table[slot]);
    LpRng rng = lp_rng_stream(seed, "skew", slot);
    bool clamp = draws_published(scenario);
    LP_TRY(lp_skew_make(dist, clamp, &rng, table, diag));
    for (uint32_t i = 0; i < table->entries; i++)
        workload->made = lp_hash_u64(lp_hash_f64(workload->made, table->value[i]), table->upto[i]);
    return LP_OK;
}

static void init_pool(LpWorkload *workload, const LpScenario *scenario) {
    const LpGenerator *generator = &scenario->generator;
    workload->left = generator->replication * generator->graphs;
    if (workload->pool == POOL_JOBS) {
        /* Semantics 2.2: the fraction belongs to the pool job, so a refill repeats the same ones.
         */
        double *fraction = array_at(workload, workload->at_fraction);
        double *steps = array_at(workload, workload->at_steps);
        uint32_t *index = array_at(workload, workload->at_index);
        for (uint64_t job = 0; job < workload->left; job++) {
            fraction[job] = draw(workload, scenario, FRACTION);
            steps[job] = draw(workload, scenario, STEPS);
            index[job] = (uint32_t)job;
            workload->made = lp_hash_f64(workload->made, fraction[job]);
            workload->made = lp_hash_f64(workload->made, steps[job]);
        }
    }
    if (workload->pool == POOL_COUNTS) {
        uint64_t *left = array_at(workload, workload->at_counts);
        for (uint32_t g = 0; g < generator->graphs; g++)
            left[g] = generator->replication;
    }
}

LpErr lp_workload_init(LpWorkload *workload, const LpScenario *scenario, uint64_t seed,
                       LpDiag *diag) {
    size_t bytes;
    lay_out(scenario, workload, &bytes);
    workload->made = LP_HASH_INIT;
    workload->rate = 1;
    workload->model = lp_rng_stream(seed, "model", 0);
    if (scenario->has_generator) {
        for (int slot = 0; slot < SLOTS; slot++)
            LP_TRY(init_slot(workload, scenario, seed, (Slot)slot, diag));
        init_pool(workload, scenario);
    } else {
        workload->next = scenario->jobs > 0 ? scenario->job[0].arrival : (double)INFINITY;
    }
    return LP_OK;
}

/* ---- arrivals ---- */

double lp_workload_peek(const LpWorkload *workload) {
    return workload->next;
}

static bool is_last(const LpWorkload *workload, const LpGenerator *generator) {
    return workload->taken == generator->count || (generator->slices == 0 && workload->left == 0 &&
                                                   generator->sampling == LP_SAMPLE_REMOVE);
}

static void take_generated(LpWorkload *workload, const LpScenario *scenario, LpJobSpec *spec) {
    draw_spec(workload, scenario, spec);
    workload->taken++;
    if (is_last(workload, &scenario->generator))
        workload->next = (double)INFINITY;
    else
        workload->next += draw(workload, scenario, INTERARRIVAL) / workload->rate;
}

static void take_listed(LpWorkload *workload, const LpScenario *scenario, LpJobSpec *spec) {
    double now = workload->next;
    *spec = scenario->job[workload->taken++];
    if (workload->taken == scenario->jobs)
        workload->next = (double)INFINITY;
    else if (!workload->stretched)
        workload->next = scenario->job[workload->taken].arrival;
    else
        workload->next =
            now + (scenario->job[workload->taken].arrival - spec->arrival) / workload->rate;
}

bool lp_workload_take(LpWorkload *workload, const LpScenario *scenario, LpArrival *out) {
    if (workload->next == (double)INFINITY)
        return false;
    out->number = workload->taken;
    if (scenario->has_generator)
        take_generated(workload, scenario, &out->spec);
    else
        take_listed(workload, scenario, &out->spec);
    out->next = workload->next;
    return true;
}

void lp_workload_set_rate(LpWorkload *workload, double rate) {
    LP_ASSERT(rate > 0);
    workload->rate = rate;
    workload->stretched |= rate != 1;
}

void lp_workload_reseed(LpWorkload *workload, uint64_t seed) {
    workload->model = lp_rng_stream(seed, "model", 0);
    for (int slot = 0; slot < SLOTS; slot++)
        workload->rng[slot] = lp_rng_stream(seed, slot_stream[slot], 0);
}

static uint64_t hash_rng(uint64_t h, const LpRng *rng) {
    for (int i = 0; i < 4; i++)
        h = lp_hash_u64(h, rng->s[i]);
    return h;
}

_Static_assert(
    sizeof(LpWorkload) == (13 + 2 * SLOTS) * sizeof(uint64_t) + (1 + SLOTS) * sizeof(LpRng),
    "lp_workload_hash: a new member counts there, or follows from made, or from changes");

uint64_t lp_workload_hash(const LpWorkload *workload) {
    uint64_t h = lp_hash_u64(workload->made, workload->taken);
    h = lp_hash_f64(h, workload->next);
    h = lp_hash_u64(h, workload->left);
    h = lp_hash_u64(h, workload->drawn);
    h = hash_rng(h, &workload->model);
    for (int slot = 0; slot < SLOTS; slot++) {
        h = hash_rng(h, &workload->rng[slot]);
        h = lp_hash_u64(h, workload->chosen[slot]);
    }
    if (workload->at_counts) {
        const uint64_t *left = (const void *)((const char *)workload + workload->at_counts);
        for (uint64_t g = 0; g < workload->graphs; g++)
            h = lp_hash_u64(h, left[g]);
    }
    return h;
}
