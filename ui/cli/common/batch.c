/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many runs: progress on standard error, Ctrl-C, and the report. */
#include "cli/common/batch.h"
#include "ask/inspect/curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "host/paths.h"
#include "many/results/results.h"
#include "many/study/tournament.h"

enum { FIRST_MS = 300 };

/* The runs, and how their progress is shown. */
typedef struct Work {
    const LpCommand *command;
    const LpCli *cli;
    const LpBatchArgs *args;
    LpCompareHead *head;
    LpBatchSpec *spec;
    LpArena *arena;
    LpShardHead shard; /* what parts say of themselves */
    LpInputs *inputs;
    LpResults *results; /* NULL: none are kept */
} Work;

static const char *results_file(const LpBatchArgs *a) {
    return a->resume != NULL ? a->resume : a->out;
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool lp_cli_progress_show(void *user, size_t done, size_t count) {
    LpCliProgress *p = user;
    int64_t spent = now_ms() - p->began;
    if (p->shown && spent > FIRST_MS) {
        p->line = true;
        fprintf(stderr, "\r\033[K%zu of %zu runs", p->found + done, p->found + count);
        if (done > 0)
            fprintf(stderr, ", about %lld s left",
                    (long long)(spent * (int64_t)(count - done) / (int64_t)done / 1000));
        fflush(stderr);
    }
    return !*p->cli->interrupted;
}

bool lp_cli_progress_cancelled(void *user) {
    return *((const LpCliProgress *)user)->cli->interrupted != 0;
}

static bool wants_progress(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

LpCliProgress lp_cli_progress(const LpCli *cli) {
    return (LpCliProgress){.cli = cli, .shown = wants_progress(), .began = now_ms()};
}

void lp_cli_progress_end(LpCliProgress *p) {
    if (p->line)
        fputs("\r\033[K", stderr);
    p->line = false;
}

void lp_cli_note_damaged(uint32_t lines) {
    if (lines > 0)
        lp_cli_note("%u damaged line%s left out", lines, lines == 1 ? " is" : "s are");
}

void lp_cli_note_stopped(const char *file) {
    if (file != NULL)
        lp_cli_note("interrupted; %s has the runs that were done: --resume %s goes on", file, file);
    else
        lp_cli_note("interrupted; these are the runs that were done");
}

static int print_text(const LpBuf *text) {
    LpOutput output = lp_output_standard();
    LpDiag diag;
    LpErr err = lp_output_add(&output, text, &diag);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

int lp_cli_batch_print(LpCompareHead *head, LpBatch *batch, bool json, LpCsvMode csv,
                       LpArena *arena) {
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = LP_OK;
    if (strcmp(head->work, "tournament") == 0)
        err = lp_tournament_rank(batch, arena, &head->rank, &diag);
    if (err == LP_OK)
        err = json  ? lp_compare_json(head, batch, &text, &diag)
              : csv ? lp_compare_csv(head, batch, csv == LP_CSV_RAW, &text, &diag)
                    : lp_compare_text(head, batch, &text, &diag);
    int code = err == LP_OK ? print_text(&text) : lp_cli_fail_run(&diag);
    lp_buf_fini(&text);
    return code;
}

static int print_part(const Work *w, const LpBatch *batch) {
    LpOutput output = lp_output_standard();
    LpPartSpec part = {w->head, &w->shard, w->spec};
    LpDiag diag;
    LpErr err = lp_part_write(&part, batch, lp_output_write, &output, &diag);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

/* The curves of one run. */
static LpErr add_curves(const LpBatchSpec *spec, const LpVariant *variant, uint64_t seed,
                        LpCsvOut *csv, LpDiag *diag) {
    LpBatchSpec one = *spec;
    LpSession *session;
    char text[32];
    bool stopped;
    one.base.keep_timeline = true;
    snprintf(text, sizeof text, "%llu", (unsigned long long)seed);
    LP_TRY(lp_batch_open(&one, variant, seed, NULL, &session, diag));
    LpErr err = lp_session_run(session, NULL, NULL, &stopped, diag);
    if (err == LP_OK)
        err =
            lp_curves_csv(session, lp_session_moment(session).branch,
                          lp_world_now(lp_session_world(session)), variant->label, text, csv, diag);
    lp_session_close(session);
    return err;
}

static LpErr make_curves(const LpBatchSpec *spec, bool raw, LpBuf *out, LpDiag *diag) {
    LpCsvOut csv = {.out = out, .raw = raw};
    lp_csv_put_words(&csv, LP_CURVES_CSV_TITLES_SEEDS);
    lp_csv_end(&csv);
    for (uint32_t i = 0; i < spec->variants; i++)
        for (uint32_t k = 0; k < spec->seeds; k++)
            LP_TRY(add_curves(spec, &spec->variant[i], spec->seed[k], &csv, diag));
    return lp_buf_ok(out, diag);
}

static int write_curves(const LpBatchSpec *spec, const char *file, bool raw) {
    LpOutput output = {.fd = -1};
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = make_curves(spec, raw, &text, &diag);
    if (err == LP_OK)
        err = lp_output_open(&output, file, spec->base.scenario, &diag);
    if (err == LP_OK)
        err = lp_output_add(&output, &text, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static LpErr check(const LpBatchArgs *a, LpDiag *diag) {
    if (a->curves != NULL && a->shard != NULL)
        return lp_fail(diag, LP_EINVAL, "--curves and --shard exclude each other");
    if (a->json && a->csv)
        return lp_fail(diag, LP_EINVAL, "--json and --csv exclude each other");
    if (a->shard != NULL && (a->json || a->csv))
        return lp_fail(diag, LP_EINVAL, "--shard prints a part: give %s to lightpath merge",
                       a->json ? "--json" : "--csv");
    if (a->out != NULL && a->resume != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "--out begins a file and --resume goes on with one: expected one of them");
    return LP_OK;
}

static LpErr prepare(const LpBatchArgs *a, const char *work, const char *scenario,
                     char path[LP_PATH_TEXT], LpArena *arena, LpBatchSpec *spec, LpDiag *diag) {
    bool tournament = strcmp(work, "tournament") == 0;
    const char *standard = tournament ? "1..10" : "1..5"; /* fewer than 6 tell no policies apart */
    LP_TRY(check(a, diag));
    if (a->shard != NULL)
        LP_TRY(lp_shard_parse(a->shard, &spec->shard, &spec->shards, diag));
    LP_TRY(lp_seeds_parse(a->seeds != NULL ? a->seeds : standard, arena, &spec->seed, &spec->seeds,
                          diag));
    bool named = strcmp(scenario, "-") != 0 && access(scenario, F_OK) != 0 &&
                 lp_paths_scenario(scenario, path, LP_PATH_TEXT);
    spec->base = (LpSessionSpec){.scenario = named ? path : scenario,
                                 .sets = a->sets.count,
                                 .set = a->sets.item,
                                 .params = a->params.count,
                                 .param = a->params.item,
                                 .until = a->until,
                                 .max_input = a->max_input,
                                 .max_memory = a->max_memory};
    spec->threads = a->threads < 256 ? (unsigned)a->threads : 256;
    return LP_OK;
}

/* Loads what runs are made of. Where nothing is kept what is wrong with it is told by the first run
 * that meets it. */
static LpErr identify(Work *w, LpDiag *diag) {
    const LpBatchArgs *a = w->args;
    const char *const *word = NULL;
    uint32_t words = 0;
    if (!a->json && a->shard == NULL && results_file(a) == NULL)
        return LP_OK;
    LP_TRY(lp_inputs_new(&w->inputs, diag));
    w->spec->inputs = w->inputs;
    LP_TRY(lp_cli_words(w->command, w->cli, w->arena, &word, &words, diag));
    LpErr err = lp_shard_identify(w->spec, w->head, word, words, w->arena, &w->shard, diag);
    bool needed = a->shard != NULL || results_file(a) != NULL;
    if (err != LP_OK && (needed || err == LP_ENOMEM))
        return err;
    w->head->provenance = err == LP_OK ? w->shard.provenance : NULL;
    return LP_OK;
}

static LpErr open_results(Work *w, LpCliProgress *p, LpDiag *diag) {
    const LpPartSpec part = {w->head, &w->shard, w->spec};
    const char *file = results_file(w->args);
    uint32_t damaged;
    if (file == NULL)
        return LP_OK;
    LP_TRY(lp_results_open(file, w->args->resume != NULL, &part, &w->results, diag));
    w->spec->keeper = lp_results_keeper(w->results);
    p->found = lp_results_found(w->results, &damaged);
    lp_cli_note_damaged(damaged);
    return LP_OK;
}

static LpErr run(Work *w, LpCliProgress *p, LpBatch *batch, bool *began, LpDiag *diag) {
    *began = false;
    LP_TRY(identify(w, diag));
    LP_TRY(open_results(w, p, diag));
    return lp_batch_run(w->spec, batch, began, diag);
}

/* A share in a file is told by merge. */
static int print_results(Work *w, LpBatch *batch) {
    const LpBatchArgs *a = w->args;
    if (a->shard != NULL)
        return w->results != NULL ? LP_EXIT_OK : print_part(w, batch);
    return lp_cli_batch_print(w->head, batch, a->json, a->csv, w->arena);
}

static int run_and_print(const LpCli *cli, Work *w) {
    LpCliProgress p = lp_cli_progress(cli);
    LpBatch batch;
    LpDiag diag, lost;
    bool began = true;
    w->spec->progress = lp_cli_progress_show;
    w->spec->cancelled = lp_cli_progress_cancelled;
    w->spec->user = &p;
    LpErr err = run(w, &p, &batch, &began, &diag);
    lp_cli_progress_end(&p);
    if (err != LP_OK)
        return began ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    LpErr kept = w->results != NULL ? lp_results_end(w->results, &batch, &lost) : LP_OK;
    bool stopped = batch.stopped;
    if (stopped)
        lp_cli_note_stopped(results_file(w->args));
    int code = print_results(w, &batch);
    lp_batch_fini(&batch);
    if (kept != LP_OK)
        return lp_cli_fail_run(&lost);
    return code == LP_EXIT_OK && stopped ? lp_cli_interrupted(cli) : code;
}

int lp_cli_batch(const LpCommand *command, const LpCli *cli, const LpBatchArgs *a,
                 const char *scenario, LpCompareHead *head, const LpVariant *variant,
                 uint32_t variants, bool tolerant, LpArena *arena) {
    char path[LP_PATH_TEXT];
    LpBatchSpec spec = {.variant = variant, .variants = variants, .tolerant = tolerant};
    Work work = {
        .command = command, .cli = cli, .args = a, .head = head, .spec = &spec, .arena = arena};
    LpDiag diag;
    if (prepare(a, head->work, scenario, path, arena, &spec, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    spec.base.log = lp_cli_log_to(cli->log);
    head->scenario = scenario;
    cli->watch();
    int code = a->curves != NULL && lp_output_try(a->curves, spec.base.scenario, &diag) != LP_OK
                   ? lp_cli_fail(&diag)
                   : run_and_print(cli, &work);
    if (code == LP_EXIT_OK && a->curves != NULL)
        code = write_curves(&spec, a->curves, a->csv == LP_CSV_RAW);
    lp_results_close(work.results);
    lp_inputs_free(work.inputs);
    return code;
}
