/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath run`: a scenario without a screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ask/blame/blame.h"
#include "ask/inspect/curves.h"
#include "ask/inspect/series.h"
#include "ask/inspect/values.h"
#include "ask/network/network.h"
#include "base/hash.h"
#include "cli/common/batch.h"
#include "host/provenance.h"
#include "moment/picture/model.h"
#include "say/report.h"
#include "session/failure.h"
#include "session/moment/line.h"
#include "sim/facts/worst.h"
#include "sim/world.h"

/* --worst and --worst=WORD. */
typedef struct Worst {
    bool asked;
    int word; /* LpWorstWord, -1: all */
} Worst;

static LpErr read_worst(const char *text, void *worst, LpDiag *diag) {
    *(Worst *)worst = (Worst){true, text != NULL ? lp_worst_find_word(text) : -1};
    if (text == NULL || ((Worst *)worst)->word >= 0)
        return LP_OK;
    return lp_fail(diag, LP_EINVAL, "expected remaining, queue or longest");
}

typedef struct Options {
    LpSessionArgs session;
    LpCsvMode csv;
    bool json, hash, explain, blame;
    const char *trace, *series, *values, *curves, *log;
    LpBatchArgs many; /* with --seeds */
    double hash_each; /* events; 0: no hashes on the way */
    Worst worst;
} Options;

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--csv", NULL, NULL, LP_FLAG_CSV, offsetof(Options, csv), NULL,
     "print a table of the jobs; a text that a spreadsheet would compute gets a ' in front, unless "
     "raw follows"},
    {"--worst", NULL, NULL, LP_FLAG_OPTIONAL, offsetof(Options, worst), read_worst,
     "print only when waiting was worst, and the command that opens it; --worst=remaining, "
     "--worst=queue or --worst=longest alone"},
    {"--tau", NULL, "TIME", LP_FLAG_PARSED, offsetof(Options, session.tau), lp_arg_tau,
     "of bounded slowdowns: shorter jobs count as this long (default 10 s)"},
    {"--trace", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, trace), NULL,
     "write events, and the tasks of each job's first step, as JSON lines"},
    {"--series", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, series), NULL,
     "write, wherever it changes, what each job sends and how busy its servers are, as CSV"},
    {"--values", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, values), NULL,
     "write, for every decision, the return that the policy's network expects, as CSV"},
    {"--curves", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, curves), NULL,
     "write how soon jobs are done, how busy servers are and how many jobs are blocked, as CSV"},
    {"--hash", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, hash), NULL,
     "print only the hash of the final state"},
    {"--hash-each", NULL, "N", LP_FLAG_PARSED, offsetof(Options, hash_each), lp_arg_whole,
     "print a line with the hash of the state on stderr every N events, and at the end"},
    {"--log", NULL, "ROOMS", LP_FLAG_TEXT, offsetof(Options, log), NULL,
     "print what the engine does as lines on stderr, such as sim,light:2 (rooms: below)"},
    {"--explain", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, explain), NULL,
     "with --json: the candidates that the policy weighed, job by job"},
    {"--words", NULL, "WHOSE", LP_FLAG_PARSED, offsetof(Options, session.wording), lp_arg_wording,
     "whose short word says why a job waits: plain, slurm, kueue, volcano"},
    {"--seeds", NULL, "LIST", LP_FLAG_TEXT, offsetof(Options, many.seeds), NULL,
     "make a run with each of these seeds, such as 1..10, and print their means"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, many.threads), lp_arg_whole,
     "with --seeds: runs at a time (default: one per processor)"},
    {"--shard", NULL, "I/N", LP_FLAG_TEXT, offsetof(Options, many.shard), NULL,
     "with --seeds: make only share I of N, and print a part for lightpath merge"},
    {"--out", NULL, "RESULTS", LP_FLAG_TEXT, offsetof(Options, many.out), NULL,
     "with --seeds: keep each run in this new file as it is done"},
    {"--resume", NULL, "RESULTS", LP_FLAG_TEXT, offsetof(Options, many.resume), NULL,
     "with --seeds: go on with such a file, or begin it"},
    {"--blame", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, blame), NULL,
     "for every blocked job: which one decision, taken otherwise, would have let it in"},
};

/* ---- progress ---- */

enum { FIRST_MS = 300, EVERY_MS = 100 };

typedef struct Progress {
    const LpCli *cli;
    bool shown;      /* stderr is a terminal */
    bool line;       /* there is a line to clear */
    int64_t next_ms; /* when to show the next one */
} Progress;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool progress(void *user, const LpSession *session) {
    Progress *p = user;
    if (*p->cli->interrupted)
        return false;
    int64_t now = p->shown ? now_ms() : 0;
    if (p->shown && now >= p->next_ms) {
        char at[LP_SHOW_TEXT], done[LP_SHOW_TEXT], all[LP_SHOW_TEXT];
        const LpWorld *world = lp_session_world(session);
        const LpTally *tally = lp_world_tally(world);
        uint64_t expected = lp_model_expected_jobs(lp_session_scenario(session));
        lp_show_count(tally->arrived, done);
        fprintf(stderr, "\r\033[Kt %s   %s%s%s jobs arrived, %llu running, %llu blocked",
                lp_show_seconds(lp_world_now(world), at), done, expected > 0 ? " of " : "",
                expected > 0 ? lp_show_count(expected, all) : "",
                (unsigned long long)tally->running, (unsigned long long)tally->blocked);
        fflush(stderr);
        p->line = true;
        p->next_ms = now + EVERY_MS;
    }
    return true;
}

static bool wants_progress(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

/* ---- hashes on the way ---- */

static void print_hash(const LpSession *session) {
    char hash[LP_HASH_HEX];
    const LpWorld *world = lp_session_world(session);
    fprintf(stderr, "event %llu t %.9g s hash %s\n",
            (unsigned long long)lp_world_tally(world)->events, lp_world_now(world),
            lp_hash_hex(lp_session_hash(session), hash));
}

/* lp_session_run with a line whenever `each` more events have happened: steps of the session, of
 * which one may be several events, so that a line stands where the last of them is over. */
static LpErr run_hashing(LpSession *session, uint64_t each, LpProgress tell, void *user,
                         bool *stopped, LpDiag *diag) {
    LpEvent event;
    uint64_t passed = 0;
    *stopped = false;
    while (!*stopped && !lp_world_over(lp_session_world(session))) {
        LP_TRY(lp_session_step(session, &event, diag));
        uint64_t events = lp_world_tally(lp_session_world(session))->events;
        if (events / each > passed) {
            passed = events / each;
            print_hash(session);
        }
        *stopped = !tell(user, session);
    }
    if (*stopped && !lp_world_over(lp_session_world(session)))
        LP_TRY(lp_session_finish(session, diag));
    print_hash(session);
    return LP_OK;
}

static LpErr run_session(const LpCli *cli, const Options *o, LpSession *session, bool *stopped,
                         LpDiag *diag) {
    bool lines = o->session.log != NULL || o->hash_each > 0; /* they would be overwritten */
    Progress p = {.cli = cli, .shown = wants_progress() && !lines};
    p.next_ms = p.shown ? now_ms() + FIRST_MS : 0;
    LpErr err = o->blame ? lp_blame_run(session, progress, &p, stopped, diag)
                : o->hash_each > 0
                    ? run_hashing(session, (uint64_t)o->hash_each, progress, &p, stopped, diag)
                    : lp_session_run(session, progress, &p, stopped, diag);
    if (p.line)
        fputs("\r\033[K", stderr);
    return err;
}

/* ---- results ---- */

/* What a run is told with. */
typedef struct Told {
    LpArena *arena;   /* of the command */
    LpInputs *inputs; /* what was read; NULL: nobody asks */
    const LpCli *cli;
    bool stopped;
} Told;

static LpErr make_provenance(const Options *o, const Told *told, const LpSession *session,
                             const char **out, LpDiag *diag) {
    const uint64_t seed = lp_session_scenario(session)->seed;
    LpProvenance p = {.sets = o->session.sets.count,
                      .set = o->session.sets.item,
                      .params = o->session.params.count,
                      .param = o->session.params.item,
                      .seeds = 1,
                      .seed = &seed};
    LpSource *source;
    LpBuf text = {0};
    LpJsonOut json = {.out = &text};
    LP_TRY(lp_cli_words(&lp_command_run, told->cli, told->arena, &p.word, &p.words, diag));
    LP_TRY(lp_inputs_sources(told->inputs, told->arena, &source, &p.sources, diag));
    p.source = source;
    lp_provenance_json(&p, NULL, &json);
    *out = text.failed ? NULL : lp_arena_strdup(told->arena, lp_buf_text(&text));
    lp_buf_fini(&text);
    return *out != NULL ? LP_OK : lp_fail_memory(diag, "the run's provenance");
}

static LpErr write_json(const Options *o, const Told *told, const LpSession *session,
                        LpOutput *output, LpDiag *diag) {
    LpReportTold with = {.complete = !told->stopped};
    LP_TRY(make_provenance(o, told, session, &with.provenance, diag));
    return lp_report_told(session, &with, lp_output_write, output, diag);
}

static LpErr write_hash(const LpSession *session, LpOutput *output, LpDiag *diag) {
    char text[LP_HASH_HEX + 1];
    lp_hash_hex(lp_session_hash(session), text);
    strcat(text, "\n");
    return lp_output_write(output, text, strlen(text), diag);
}

static int write_worst(const Options *o, const char *scenario, const LpSession *session) {
    LpBuf command = {0}, text = {0};
    LpDiag diag;
    lp_buf_add(&command, "lightpath ");
    lp_shell_word(&command, scenario);
    LpErr err = lp_buf_ok(&command, &diag);
    if (err == LP_OK)
        err = lp_report_worst(session, lp_buf_text(&command), o->worst.word, &text, &diag);
    lp_buf_fini(&command);
    return lp_cli_print(err, &text, &diag);
}

static int write_results(const Options *o, const char *scenario, const LpSession *session,
                         const Told *told) {
    LpOutput output = lp_output_standard();
    static const LpReportKind table[] = {LP_REPORT_TEXT, LP_REPORT_CSV, LP_REPORT_CSV_RAW};
    char hash[LP_HASH_HEX];
    LpDiag diag;
    if (o->worst.asked)
        return write_worst(o, scenario, session);
    LpErr err = o->json ? write_json(o, told, session, &output, &diag)
                : o->hash && !o->csv
                    ? write_hash(session, &output, &diag)
                    : lp_report_write(session, table[o->csv], lp_output_write, &output, &diag);
    if (err != LP_OK)
        return lp_cli_fail_output(&output, &diag);
    if (o->hash && o->csv)
        lp_cli_note("hash %s", lp_hash_hex(lp_session_hash(session), hash));
    return LP_EXIT_OK;
}

/* Traces may be long: they end at Ctrl-C, too, unless it came before them. */
typedef struct TraceSink {
    LpOutput *output;
    const volatile sig_atomic_t *interrupted; /* NULL: already handled */
} TraceSink;

static LpErr write_piece(void *user, const char *bytes, size_t len, LpDiag *diag) {
    const TraceSink *sink = user;
    if (sink->interrupted != NULL && *sink->interrupted)
        return lp_fail(diag, LP_ESTATE, "interrupted; there is no trace");
    return lp_output_write(sink->output, bytes, len, diag);
}

static int write_trace(const LpCli *cli, LpOutput *trace, const LpSession *session) {
    LpDiag diag;
    TraceSink sink = {trace, *cli->interrupted ? NULL : cli->interrupted};
    LpErr err = lp_report_write(session, LP_REPORT_TRACE, write_piece, &sink, &diag);
    if (err == LP_OK)
        err = lp_output_close(trace, &diag);
    if (err == LP_ESTATE)
        return lp_cli_fail_run(&diag), lp_cli_interrupted(cli);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(trace, &diag);
}

/* Curves are written while the run goes on. Where that fails the run is worth its results all the
 * same, and what went wrong is said after them. */
typedef struct SeriesFile {
    LpOutput output;
    LpSeries *series; /* NULL: not asked for */
    LpErr err;
    LpDiag diag;
} SeriesFile;

static LpErr write_series(void *user, const char *bytes, size_t len, LpDiag *diag LP_UNUSED) {
    SeriesFile *f = user;
    if (f->err == LP_OK)
        f->err = lp_output_write(&f->output, bytes, len, &f->diag);
    return LP_OK;
}

static LpErr open_series(SeriesFile *f, const char *file, const char *scenario, LpSession *session,
                         LpDiag *diag) {
    if (file == NULL)
        return LP_OK;
    LP_TRY(lp_output_open(&f->output, file, scenario, diag));
    return lp_series_open(session, write_series, f, &f->series, diag);
}

static LpErr end_series(SeriesFile *f, LpDiag *diag) {
    LP_TRY(lp_series_end(f->series, diag));
    if (f->err == LP_OK)
        return lp_output_close(&f->output, diag);
    *diag = f->diag;
    return f->err;
}

static LpErr make_values(LpSession *session, bool raw, LpBuf *out, LpDiag *diag) {
    return lp_values_csv(session, 0, raw, out, diag);
}

static LpErr make_curves(LpSession *session, bool raw, LpBuf *out, LpDiag *diag) {
    return lp_curves_csv_all(session, raw, out, diag);
}

static int write_table(const char *file, const char *scenario, LpSession *session, bool raw,
                       LpErr (*make)(LpSession *session, bool raw, LpBuf *out, LpDiag *diag)) {
    LpOutput output = {.fd = -1};
    LpBuf text = {0};
    LpDiag diag;
    if (lp_output_open(&output, file, scenario, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err = make(session, raw, &text, &diag);
    if (err == LP_OK)
        err = lp_output_add(&output, &text, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

/* A policy that fails loses a job, or an action, and nothing more; somebody should hear of it: the
 * first failure is told in full. */
static void note_failures(const LpSession *session) {
    if (lp_session_failures(session) == 0)
        return;
    const LpFailure *first = lp_session_failure(session, 0);
    const LpTally *tally = lp_world_tally(lp_session_world(session));
    unsigned long long times = lp_session_policy_record(session)->failures;
    unsigned long long lost = tally->blocked_by[LP_CAUSE_POLICY_ERROR];
    char shown[LP_DIAG_TEXT], place[LP_DIAG_FILE + 16];
    LpBuf text = {0};
    lp_failure_place(first, place, sizeof place);
    lp_str_show(shown, sizeof shown, first->error.text);
    lp_cli_note("%s%sthe policy failed %llu time%s (%llu job%s lost), first: %s", place,
                place[0] ? ": " : "", times, times == 1 ? "" : "s", lost, lost == 1 ? "" : "s",
                shown);
    lp_failure_text(first, &text);
    lp_cli_tell(lp_buf_text(&text));
    lp_buf_fini(&text);
}

/* A policy of which nothing counted is told of before its results, which are those of no policy. */
static bool note_all_failed(const LpSession *session) {
    LpBuf text = {0};
    bool all = lp_session_all_failed(session, &text);
    if (all)
        lp_cli_note("%s", lp_buf_text(&text));
    lp_buf_fini(&text);
    return all;
}

/* What came of a run that would not end is told with the reason. */
static bool note_stuck(const LpSession *session) {
    LpBuf text = {0};
    if (lp_session_stuck(session, &text))
        lp_cli_note("%s", lp_buf_text(&text));
    lp_buf_fini(&text);
    return lp_world_stuck(lp_session_world(session)) == LP_STUCK_VAINLY;
}

/* A network that decides what it was not trained for is told of before its results. */
static LpErr note_outside(LpSession *session, LpDiag *diag) {
    LpBuf text = {0};
    bool outside = lp_network_outside(session, &text);
    LpErr err = lp_buf_ok(&text, diag);
    if (outside && err == LP_OK)
        lp_cli_note("outside of its training: %s", lp_buf_text(&text));
    lp_buf_fini(&text);
    return err;
}

static int run_and_report(const LpCli *cli, const Options *o, const char *scenario,
                          LpSession *session, LpOutput *trace, Told *told) {
    LpDiag diag;
    bool stopped;
    char coarse[LP_DIAG_TEXT];
    if (lp_scenario_coarse(lp_session_scenario(session), coarse)[0] != '\0')
        lp_cli_note("%s", coarse);
    if (note_outside(session, &diag) != LP_OK ||
        run_session(cli, o, session, &stopped, &diag) != LP_OK) {
        int failed = lp_cli_fail_run(&diag);
        /* a hook hung: it ends the run, and decides nothing */
        if (diag.kind != NULL && strcmp(diag.kind, "engine") != 0)
            note_failures(session);
        return failed;
    }
    stopped |= *cli->interrupted != 0;
    if (stopped)
        lp_cli_note("interrupted; these are the results so far");
    bool hurry = stopped && *cli->interrupted != SIGINT; /* a trace may take long */
    if (trace != NULL && hurry)
        lp_cli_note("there is no trace");
    bool endless = note_stuck(session);
    bool nothing = note_all_failed(session);
    if (nothing)
        note_failures(session);
    int code = trace != NULL && !hurry ? write_trace(cli, trace, session) : LP_EXIT_OK;
    told->stopped = stopped;
    int second = write_results(o, scenario, session, told);
    if (!nothing)
        note_failures(session);
    if (code == LP_EXIT_OK)
        code = second;
    if (code == LP_EXIT_OK && stopped)
        return lp_cli_interrupted(cli);
    return code == LP_EXIT_OK && (nothing || endless) ? LP_EXIT_FAILED : code;
}

/* ---- the command ---- */

/* Fails before a long run, not after it, when an output cannot be written or two outputs are one
 * file. */
static LpErr check_files(const Options *o, const char *scenario, LpDiag *diag) {
    const struct {
        const char *option, *path;
    } file[] = {{"--trace", o->trace},
                {"--series", o->series},
                {"--values", o->values},
                {"--curves", o->curves}};
    char shown[LP_DIAG_FILE];
    for (size_t i = 0; i < LP_COUNTOF(file); i++) {
        if (file[i].path == NULL)
            continue;
        LP_TRY(lp_output_try(file[i].path, scenario, diag));
        for (size_t k = 0; k < i; k++) {
            if (file[k].path != NULL && lp_write_same_place(file[k].path, file[i].path))
                return lp_fail(diag, LP_EINVAL, "%s and %s both name %s: expected a file for each",
                               file[k].option, file[i].option,
                               lp_str_show(shown, sizeof shown, file[i].path));
        }
    }
    return LP_OK;
}

/* Tables follow a run that was printed, also of a policy that decided nothing. */
static bool is_printed(int code, const LpSession *session) {
    LpBuf said = {0};
    const LpWorld *world = lp_session_world(session);
    bool printed =
        code == LP_EXIT_OK ||
        (code == LP_EXIT_FAILED && lp_world_over(world) &&
         (lp_world_stuck(world) == LP_STUCK_VAINLY || lp_session_all_failed(session, &said)));
    lp_buf_fini(&said);
    return printed;
}

static int add_series(int code, SeriesFile *f, const LpSession *session) {
    LpDiag diag;
    if (f->series == NULL || !is_printed(code, session) || end_series(f, &diag) == LP_OK)
        return code;
    return lp_cli_fail_output(&f->output, &diag);
}

static int add_table(int code, const char *file, const char *scenario, LpSession *session, bool raw,
                     LpErr (*make)(LpSession *session, bool raw, LpBuf *out, LpDiag *diag)) {
    if (file == NULL || !is_printed(code, session))
        return code;
    int written = write_table(file, scenario, session, raw, make);
    return written != LP_EXIT_OK ? written : code;
}

static int run_session_of(const LpCli *cli, const Options *o, const char *scenario, Told *told) {
    LpSession *session;
    LpOutput trace = {.fd = -1};
    SeriesFile series = {.output = {.fd = -1}};
    LpDiag diag;
    if (o->json && o->csv) {
        lp_fail(&diag, LP_EINVAL, "--json and --csv exclude each other");
        return lp_cli_fail(&diag);
    }
    if (o->worst.asked && (o->json || o->csv)) {
        lp_fail(&diag, LP_EINVAL, "--worst prints a text: expected no --json and no --csv");
        return lp_cli_fail(&diag);
    }
    if (o->blame && o->hash_each > 0) {
        lp_fail(&diag, LP_EINVAL, "--blame and --hash-each exclude each other");
        return lp_cli_fail(&diag);
    }
    cli->watch();
    LpSessionArgs args = o->session;
    args.keep_explain = o->explain;
    args.pack_past = !o->blame;
    args.untold = !o->json && !o->csv;
    args.keep_waited = !args.untold;
    args.keep_timeline = o->values != NULL || o->curves != NULL; /* it is gone through again */
    args.files = told->inputs != NULL ? lp_inputs_files(told->inputs) : NULL;
    if (lp_cli_open(scenario, &args, o->trace != NULL, &session, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code;
    if (o->values != NULL && lp_network_count(session) == 0) {
        lp_fail(&diag, LP_EINVAL,
                "--values: the policy has no network that could expect anything, such as pac_ml");
        code = lp_cli_fail(&diag);
    } else if (check_files(o, scenario, &diag) != LP_OK ||
               (o->trace != NULL && lp_output_open(&trace, o->trace, scenario, &diag) != LP_OK) ||
               open_series(&series, o->series, scenario, session, &diag) != LP_OK)
        code = diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    else
        code = run_and_report(cli, o, scenario, session, o->trace != NULL ? &trace : NULL, told);
    code = add_series(code, &series, session);
    code = add_table(code, o->values, scenario, session, o->csv == LP_CSV_RAW, make_values);
    code = add_table(code, o->curves, scenario, session, o->csv == LP_CSV_RAW, make_curves);
    lp_output_drop(&trace);
    lp_output_drop(&series.output);
    lp_series_close(series.series);
    lp_session_close(session);
    return code;
}

static int run_scenario(const LpCli *cli, const Options *o, const char *scenario, LpArena *arena) {
    Told told = {.cli = cli, .arena = arena};
    LpDiag diag;
    if (o->json && lp_inputs_new_passing(&told.inputs, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = run_session_of(cli, o, scenario, &told);
    lp_inputs_free(told.inputs);
    return code;
}

/* ---- with many seeds ---- */

static LpErr check_many(const Options *o, LpDiag *diag) {
    const LpBatchArgs *m = &o->many;
    bool one = o->session.seed.given || o->session.tau.given || o->worst.asked || o->trace ||
               o->series || o->values || o->curves || o->hash || o->hash_each > 0 || o->explain ||
               o->blame;
    if (m->seeds == NULL && (m->threads > 0 || m->shard || m->out || m->resume))
        return lp_fail(diag, LP_EINVAL,
                       "--threads, --shard, --out and --resume are of many runs: expected --seeds");
    if (m->seeds != NULL && one)
        return lp_fail(diag, LP_EINVAL,
                       "--seeds makes many runs: expected none of the options that tell of one, "
                       "such as --seed, --trace, --hash or --explain");
    return LP_OK;
}

static int run_many(const LpCli *cli, const Options *o, const char *scenario, LpArena *arena) {
    LpBatchArgs many = o->many;
    const char *policy = o->session.policy;
    const LpVariant variant = {.label = policy != NULL ? policy : "scenario's", .policy = policy};
    LpCompareHead head = {.work = "run", .policies = 1};
    many.params = o->session.params;
    many.sets = o->session.sets;
    many.until = o->session.until;
    many.max_input = o->session.max_input;
    many.max_memory = o->session.max_memory;
    many.json = o->json;
    many.csv = o->csv;
    return lp_cli_batch(&lp_command_run, cli, &many, scenario, &head, &variant, 1, false, arena);
}

/* --log, or LP_LOG without it. */
static int run_logged(const LpCli *cli, Options *o, const char *scenario, LpArena *arena) {
    LpCliLog *log;
    LpDiag diag;
    if (check_many(o, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    if (lp_cli_log_open(o->log, &log, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    LpCli listening = *cli;
    listening.log = o->log != NULL ? log : cli->log;
    o->session.log = lp_cli_log_to(listening.log);
    int code = o->many.seeds != NULL ? run_many(&listening, o, scenario, arena)
                                     : run_scenario(cli, o, scenario, arena);
    lp_cli_log_close(log);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_run, cli, &options, &args, &code))
        return code;
    code = run_logged(cli, &options, args.word[0], args.arena);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_run = {
    .name = "run",
    .arguments = "SCENARIO",
    .summary = "Run a scenario without a screen and print a summary",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "SCENARIO is a file, - for standard input, or the name of one that is installed.\n"
             "Ctrl-C ends the run, prints the results so far, and exits with 130; so do\n"
             "SIGTERM with 143 and SIGHUP with 129.\n"
             "Rooms of --log, with commas between them, each with :2 for more; or "
             "all:\n" LP_CLI_LOG_ROOMS,
    .run = run,
};
