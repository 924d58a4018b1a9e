/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening and closing sessions: scenario, overrides, policy and its parameters. */
#include <string.h>

#include "host/paths.h"
#include "import/import.h"
#include "io/scenario/scenario.h"
#include "session/session_impl.h"
#include "session/variant.h"
#include "sim/store/store.h"
#include "sim/waits/wait_book.h"

#define DEFAULT_MEMORY (1024.0 * 1024 * 1024) /* --max-memory */

/* ---- sessions ---- */

/* What a job takes once it has ended. Blocks double as they grow; pages of a packed past do not. */
static double job_bytes(const LpSession *s) {
    double told = s->told.nothing ? 0 : 2 * sizeof(LpStory);
    return (s->pack_past ? LP_PACKED_JOB : 2 * sizeof(LpJob)) + told;
}

/* The policy that decides in another session now, or the one that the spec names. */
static LpErr load_like(LpSession *s, const LpSession *like, const LpSessionSpec *spec,
                       LpDiag *diag) {
    return lp_session_load_like(s, like->sealed, &like->loaded, spec, diag);
}

/* Keeps of world and log what a run needs that nobody looks back in. */
static LpErr keep_little(LpWorld *world, LpLog *log, LpDiag *diag) {
    lp_log_keep_nothing(log);
    return lp_world_pack_past(world, diag);
}

static LpErr build(LpSession *s, const LpSession *like, const LpSessionSpec *spec,
                   const char *const *dirs, LpDiag *diag) {
    if (spec->has_seed)
        s->scenario->seed = spec->seed;
    double until = lp_scenario_moment(s->scenario, spec->until);
    if (spec->has_tau)
        s->scenario->tau = spec->tau;
    if (until > 0 && until < s->scenario->horizon)
        s->scenario->horizon = s->until = until;
    s->seen.keep = spec->keep_events;
    s->told.keep_explain = spec->keep_explain;
    s->told.wording = spec->has_wording             ? spec->wording
                      : s->scenario->imported.given ? LP_WORDING_SLURM
                                                    : LP_WORDING_PLAIN;
    s->pack_past = spec->pack_past && !spec->keep_timeline && !spec->keep_events;
    s->told.nothing = spec->untold && s->pack_past;
    s->acting.at = -1;
    s->log = lp_log_new();
    s->told.texts = lp_arena_new(0);
    s->degrees = lp_alloc(s->scenario->partition.max_degree, sizeof *s->degrees);
    if (s->log == NULL || s->told.texts == NULL || s->degrees == NULL)
        return lp_fail_memory(diag, "a session");
    LP_TRY(lp_context_new(s->scenario, &s->context, diag));
    *s->context->max_memory = spec->max_memory > 0 ? (double)spec->max_memory : DEFAULT_MEMORY;
    lp_context_log(s->context, spec->log);
    /* Servers and all jobs that will arrive, before any of it is allocated. */
    const LpScenario *scenario = s->scenario;
    double jobs =
        scenario->jobs + (scenario->has_generator ? (double)scenario->generator.count : 0);
    double bytes = (double)scenario->cluster.servers * sizeof(LpServer) + jobs * job_bytes(s);
    LP_TRY(lp_context_allow(s->context, "the world of this scenario", bytes, diag));
    LP_TRY(like != NULL ? load_like(s, like, spec, diag)
                        : lp_session_load_policy(s, spec, dirs, diag));
    LP_TRY(lp_world_new(s->context, s->scenario->seed, &s->world, diag));
    if (s->pack_past) {
        LP_TRY(keep_little(s->world, s->log, diag));
        LP_TRY(lp_store_pack(s->context, diag));
    }
    if (spec->keep_waited && !spec->keep_timeline)
        LP_TRY(lp_wait_book_new(spec->keep_explain, &s->waited, diag));
    return spec->keep_timeline ? lp_session_start_timeline(s, diag) : LP_OK;
}

LpErr lp_session_make(LpScenario *scenario, LpKept *kept, LpSealed *sealed, const LpSession *like,
                      const LpSessionSpec *spec, const char *const *dirs, LpSession **out,
                      LpDiag *diag) {
    LpSession *s = lp_alloc(1, sizeof *s);
    if (s == NULL) {
        lp_scenario_free(scenario);
        lp_kept_free(kept);
        lp_sealed_free(sealed);
        return lp_fail_memory(diag, "a session");
    }
    s->scenario = scenario;
    s->kept = kept;
    s->sealed = sealed;
    LpErr err = build(s, like, spec, dirs, diag);
    if (err != LP_OK) {
        lp_session_close(s);
        return err;
    }
    *out = s;
    return LP_OK;
}

LpErr lp_session_open(const LpSessionSpec *spec, LpSession **out, LpDiag *diag) {
    LpPaths paths;
    const char *const *dirs = lp_paths_dirs(&paths);
    LpLoadOptions options = {.sets = spec->sets,
                             .set = spec->set,
                             .max_input = spec->max_input,
                             .data_dirs = dirs,
                             .files = spec->files,
                             .traces = &lp_import_source};
    LpScenario *scenario;
    bool keeps = spec->keep_timeline || spec->keep_files;
    if (keeps && (options.keep = lp_kept_new()) == NULL)
        return lp_fail_memory(diag, "a session");
    LpErr err = lp_scenario_load(spec->scenario, &options, &scenario, diag);
    if (err != LP_OK) {
        lp_kept_free(options.keep);
        return spec->files == NULL ? lp_format_hint(spec->scenario, err, diag) : err;
    }
    return lp_session_make(scenario, options.keep, NULL, NULL, spec, dirs, out, diag);
}

LpErr lp_session_open_with(LpScenario *scenario, const LpSessionSpec *spec, LpSession **out,
                           LpDiag *diag) {
    LpPaths paths;
    return lp_session_make(scenario, NULL, NULL, NULL, spec, lp_paths_dirs(&paths), out, diag);
}

/* ---- once more, with something else ---- */

/* Its own policy comes from the session, not from the scenario's file. */
static LpErr read_again(const LpSession *s, const LpSessionSpec *spec, LpKept *keep,
                        LpScenario **out, LpDiag *diag) {
    LpFiles files = lp_kept_files(s->kept);
    LpLoadOptions options = {.sets = spec->sets, .set = spec->set, .files = &files, .keep = keep};
    LP_TRY(lp_scenario_parse(s->kept->scenario, strlen(s->kept->scenario), s->kept->name, &options,
                             out, diag));
    (*out)->policy.path = NULL;
    (*out)->policy.params = 0;
    const char *file = s->scenario->file; /* as opened, not the name that it is kept under */
    if (file != NULL && ((*out)->file = lp_arena_strdup((*out)->arena, file)) == NULL) {
        lp_scenario_free(*out);
        return lp_fail_memory(diag, "a session");
    }
    return LP_OK;
}

LpErr lp_session_variant(const LpSession *s, const LpSessionSpec *spec, LpSession **out,
                         LpDiag *diag) {
    LpPaths paths;
    LpScenario *scenario;
    LpSessionSpec own = *spec;
    if (s->kept == NULL || s->kept->scenario == NULL)
        return lp_fail(diag, LP_ESTATE, "this run does not keep what it was read from");
    LpKept *keep = lp_kept_new();
    if (keep == NULL)
        return lp_fail_memory(diag, "a session");
    LpErr err = read_again(s, spec, keep, &scenario, diag);
    if (err != LP_OK) {
        lp_kept_free(keep);
        return err;
    }
    own.seed = spec->has_seed ? spec->seed : s->scenario->seed;
    own.has_seed = true;
    own.until = s->until;
    own.max_memory = (size_t)*s->context->max_memory;
    own.log = s->context->log;
    return lp_session_make(scenario, keep, NULL, s, &own, lp_paths_dirs(&paths), out, diag);
}

/* A share of `from`: steps that were simulated stay known, unless they have grown too many: then a
 * context of its own begins without them. */
static LpErr next_context(const LpSession *s, LpContext *from, LpContext **out, LpDiag *diag) {
    if ((double)lp_store_stats(from->store).bytes <= *from->max_memory / 16) {
        lp_context_share(from);
        *out = from;
        return LP_OK;
    }
    LP_TRY(lp_context_new(s->scenario, out, diag));
    *(*out)->max_memory = *from->max_memory;
    lp_context_log(*out, from->log);
    return LP_OK;
}

void lp_session_use_context(LpSession *s, LpContext *context) {
    if (context == s->context)
        return;
    s->context = context;
    for (size_t i = 0; i < s->lights; i++) {
        lp_free(s->light[i].share);
        lp_free(s->light[i].tx);
        lp_free(s->light[i].path);
    }
    lp_free(s->light_at);
    s->light_at = NULL;
    s->lights = s->light_slots = 0;
}

void lp_session_forget_run(LpSession *s) {
    lp_arena_reset(s->told.texts);
    lp_wait_book_free(s->waited);
    s->waited = NULL;
    memset(s->told.lately, 0, sizeof s->told.lately);
    lp_session_forget(s);
    s->told.stories = s->seen.count = s->blames = 0;
    s->acting.count = 0;
    s->acting.owes = 0;
    s->acting.at = -1;
    s->calls.failed = false;
    s->calls.record = (LpPolicyRecord){0};
}

/* Takes over a share of the context, also on failure. */
static LpErr restart_in(LpSession *s, LpContext *context, uint64_t seed, LpDiag *diag) {
    LpWorld *world = NULL;
    LpContext *before = s->context;
    LpLog *log = lp_log_new();
    LpErr err =
        log != NULL ? lp_world_new(context, seed, &world, diag) : lp_fail_memory(diag, "a session");
    if (err == LP_OK && s->pack_past)
        err = keep_little(world, log, diag);
    if (err != LP_OK) {
        lp_world_free(world);
        lp_log_free(log);
        lp_context_free(context);
        return err;
    }
    lp_world_free(s->world);
    lp_log_free(s->log);
    lp_session_use_context(s, context);
    lp_context_free(before);
    s->world = world;
    s->log = log;
    s->scenario->seed = seed;
    lp_session_forget_run(s);
    return LP_OK;
}

LpErr lp_session_restart_from(LpSession *s, LpContext *from, uint64_t seed, LpDiag *diag) {
    LpContext *context;
    if (s->timeline != NULL)
        return lp_fail(diag, LP_ESTATE, "a session with a time line cannot be started again");
    LP_TRY(next_context(s, from, &context, diag));
    return restart_in(s, context, seed, diag);
}

LpErr lp_session_restart(LpSession *s, uint64_t seed, LpDiag *diag) {
    return lp_session_restart_from(s, s->context, seed, diag);
}

void lp_session_close(LpSession *s) {
    if (s == NULL)
        return;
    lp_session_end_timeline(s);
    lp_watch_free(s->saved.watch);
    lp_wait_book_free(s->waited);
    lp_world_free(s->world);
    lp_policy_free(s->loaded.policy);
    lp_arena_free(s->loaded.arena);
    lp_context_free(s->context);
    lp_log_free(s->log);
    lp_arena_free(s->told.texts);
    lp_arena_free(s->pending.room);
    for (size_t i = 0; i < s->lights; i++) {
        lp_free(s->light[i].share);
        lp_free(s->light[i].tx);
        lp_free(s->light[i].path);
    }
    lp_free(s->light);
    lp_free(s->light_at);
    lp_free(s->told.story);
    lp_free(s->seen.event);
    lp_free(s->acting.owed);
    lp_free(s->candidate);
    lp_free(s->degrees);
    lp_free(s->blame);
    lp_free(s->failed.failure);
    lp_arena_free(s->failed.room);
    if (!s->borrowed) {
        lp_scenario_free(s->scenario);
        lp_kept_free(s->kept);
        lp_sealed_free(s->sealed);
    }
    lp_free(s);
}
