/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of a study while it is made. */
#include "many/results/results.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "host/write_file.h"
#include "many/results/part_impl.h"

enum { SYNC_S = 2 };

struct LpResults {
    LpPartSpec part;
    const char *path; /* borrowed */
    LpBatchKeeper keeper;
    pthread_mutex_t lock; /* of all below */
    LpWriter file;        /* closed once the file has its end */
    time_t synced;        /* s, of the monotonic clock */
    LpMerged known;       /* runs that were there; those that were taken have moved away */
    uint32_t found, damaged;
};

static time_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* ---- while runs are made ---- */

static bool take(void *user, uint32_t variant, uint32_t seed, LpRun *out) {
    LpResults *r = user;
    LpBatch *known = &r->known.batch;
    if (known->run == NULL)
        return false;
    LpRun *run = &known->run[(size_t)variant * known->seeds + seed];
    if (!run->done && run->err == LP_OK)
        return false;
    *out = *run;
    *run = (LpRun){0};
    return true;
}

static LpErr add_line(LpResults *r, const LpBuf *line, LpDiag *diag) {
    LP_TRY(lp_writer_add(&r->file, lp_buf_text(line), line->len, diag));
    if (now() - r->synced < SYNC_S)
        return LP_OK;
    LP_TRY(lp_writer_sync(&r->file, diag));
    r->synced = now();
    return LP_OK;
}

static LpErr keep(void *user, uint32_t variant, uint32_t seed, const LpRun *run, LpDiag *diag) {
    LpResults *r = user;
    LpBuf line = {0};
    lp_part_put_run(run, variant, seed, &line);
    LpErr err = lp_buf_ok(&line, diag);
    if (err == LP_OK) {
        pthread_mutex_lock(&r->lock);
        err = add_line(r, &line, diag);
        pthread_mutex_unlock(&r->lock);
    }
    lp_buf_fini(&line);
    return err;
}

/* ---- writing it anew ---- */

static LpErr add_bytes(void *writer, const char *bytes, size_t len, LpDiag *diag) {
    return lp_writer_add(writer, bytes, len, diag);
}

/* A batch as it is now, in the place of what is there. */
static LpErr write_anew(const LpResults *r, const LpBatch *batch, bool fresh,
                        const LpWriter *before, LpWriter *out, LpDiag *diag) {
    const LpWriteSpec spec = {.path = r->path,
                              .fresh = fresh,
                              .kind = {"file of results", "{\"lightpath_part\":"},
                              .input = {r->part.spec->base.scenario},
                              .locked = true,
                              .before = before};
    LpWriter file;
    LP_TRY(lp_writer_open(&file, &spec, diag));
    LpErr err = lp_part_write(&r->part, batch, add_bytes, &file, diag);
    if (err == LP_OK)
        err = lp_writer_place(&file, diag);
    if (err == LP_OK)
        *out = file;
    else
        lp_writer_drop(&file);
    return err;
}

/* ---- what is there ---- */

static LpErr check_share(const LpResults *r, LpDiag *diag) {
    const LpBatchSpec *spec = r->part.spec;
    const LpMerged *m = &r->known;
    uint32_t shards = spec->shards > 0 ? spec->shards : 1, at = 0;
    while (!m->share[at].there)
        at++;
    if (m->shards == shards && at == spec->shard)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL,
                   "%s has shard %u/%u, not %u/%u: expected --shard %u/%u, or another file",
                   r->path, at + 1, m->shards, spec->shard + 1, shards, at + 1, m->shards);
}

/* The head of the file is the text of the part, which is cut into lines. */
static LpErr check_head(const LpResults *r, const char *found, LpDiag *diag) {
    const LpBatchSpec *spec = r->part.spec;
    const LpBatch all = {.variants = spec->variants,
                         .seeds = spec->seeds,
                         .variant = spec->variant,
                         .seed = spec->seed};
    LpBuf wanted = {0}, what = {0};
    lp_part_put_head(&r->part, &all, &wanted);
    LpErr err = lp_buf_ok(&wanted, diag);
    if (err == LP_OK && lp_part_difference(found, lp_buf_text(&wanted), &what) != LP_OK)
        err = lp_fail_memory(diag, "the head of a study");
    else if (err == LP_OK && what.len > 0)
        err = lp_fail(diag, LP_EINVAL, "%s is of another study: %s", r->path, lp_buf_text(&what));
    lp_buf_fini(&wanted);
    lp_buf_fini(&what);
    return err;
}

static void count_found(LpResults *r) {
    const LpBatch *b = &r->known.batch;
    for (size_t i = 0; i < (size_t)b->variants * b->seeds; i++)
        r->found += b->run[i].done || b->run[i].err != LP_OK;
    r->damaged = r->known.damaged;
}

static LpErr read_part(LpResults *r, LpPart *part, LpDiag *diag) {
    if (part->len == 0)
        return LP_OK;
    LP_TRY(lp_merge(part, 1, LP_MERGE_THERE, &r->known, diag));
    LP_TRY(check_head(r, part->text, diag));
    LP_TRY(check_share(r, diag));
    count_found(r);
    return LP_OK;
}

static LpErr read_known(LpResults *r, LpDiag *diag) {
    LpPart part;
    LP_TRY(lp_part_read(r->path, &part, diag));
    LpErr err = read_part(r, &part, diag);
    lp_part_fini(&part);
    return err;
}

/* Where the file has its end nothing is left to write. */
static LpErr begin(LpResults *r, bool resume, LpDiag *diag) {
    struct stat about;
    bool there = lstat(r->path, &about) == 0;
    if (there && !resume)
        return lp_fail(diag, LP_EINVAL,
                       "%s is there already: --resume %s goes on with it, or expected the name of "
                       "a new file",
                       r->path, r->path);
    if (there)
        LP_TRY(read_known(r, diag));
    if (r->known.ended && !r->known.batch.stopped)
        return LP_OK;
    const LpBatchSpec *spec = r->part.spec;
    const LpBatch nothing = {.seeds = spec->seeds,
                             .variants = spec->variants,
                             .variant = spec->variant,
                             .seed = spec->seed,
                             .stopped = true};
    LpBatch known = r->known.batch;
    LpRun *none = NULL;
    if (known.run == NULL) {
        none = lp_alloc((size_t)spec->variants * spec->seeds, sizeof *none);
        if (none == NULL)
            return lp_fail_memory(diag, "a study");
        known = nothing;
        known.run = none;
    }
    known.variant = spec->variant;
    known.stopped = true; /* its end is for the last */
    LpErr err = write_anew(r, &known, !there, NULL, &r->file, diag);
    lp_free(none);
    return err;
}

LpErr lp_results_open(const char *path, bool resume, const LpPartSpec *part, LpResults **out,
                      LpDiag *diag) {
    LpResults *r = lp_alloc(1, sizeof *r);
    if (r == NULL)
        return lp_fail_memory(diag, "a study");
    *r = (LpResults){.part = *part, .path = path, .keeper = {r, take, keep}, .synced = now()};
    pthread_mutex_init(&r->lock, NULL);
    LpErr err = begin(r, resume, diag);
    if (err == LP_OK)
        *out = r;
    else
        lp_results_close(r);
    return err;
}

const LpBatchKeeper *lp_results_keeper(LpResults *r) {
    return &r->keeper;
}

uint32_t lp_results_found(const LpResults *r, uint32_t *damaged) {
    *damaged = r->damaged;
    return r->found;
}

LpErr lp_results_end(LpResults *r, const LpBatch *batch, LpDiag *diag) {
    LpWriter whole;
    if (!lp_writer_is_open(&r->file))
        return LP_OK;
    LP_TRY(lp_writer_sync(&r->file, diag));
    if (batch->stopped)
        return LP_OK;
    LP_TRY(write_anew(r, batch, false, &r->file, &whole, diag));
    lp_writer_drop(&r->file);
    return lp_writer_close(&whole, diag);
}

void lp_results_close(LpResults *r) {
    if (r == NULL)
        return;
    lp_writer_drop(&r->file);
    lp_merged_fini(&r->known);
    pthread_mutex_destroy(&r->lock);
    lp_free(r);
}
