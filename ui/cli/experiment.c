/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath experiment pac-ml`: the published experiment, beside the published numbers. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/batch.h"
#include "many/experiment/experiment.h"
#include "views/study/study_charts.h"

enum { PLOT_COLS = 80 };

typedef struct Options {
    LpTexts agents, sets;
    const char *from, *study, *profiles, *betas, *seeds, *markdown, *out, *resume, *shard;
    double until, threads;
    LpCsvMode csv;
    bool json, print, plot, ascii, zoo, bound, tune;
    LpStudyMetric metric; /* of markdown */
} Options;

static const LpFlag flags[] = {
    {"--study", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, study), NULL,
     "table (default), ideal, load or metric"},
    {"--profiles", NULL, "DIR", LP_FLAG_TEXT, offsetof(Options, profiles), NULL,
     "folder with the five PipeDream profiles (default: $LIGHTPATH_PROFILES, else the zoo)"},
    {"--zoo", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, zoo), NULL,
     "models of the zoo, whatever LIGHTPATH_PROFILES says"},
    {"--agents", NULL, "LIST", LP_FLAG_LIST, offsetof(Options, agents), NULL,
     "agents such as max,min,k4, or a policy FILE.lua:k=v; may be repeated"},
    {"--betas", NULL, "LETTERS", LP_FLAG_TEXT, offsetof(Options, betas), NULL,
     "distributions of deadlines, such as AD (default: all; load: A; metric: none)"},
    {"--seeds", NULL, "LIST", LP_FLAG_TEXT, offsetof(Options, seeds), NULL,
     "seeds such as 1..10 (default 1..5)"},
    {"--set", NULL, "PATH=VALUE", LP_FLAG_LIST, offsetof(Options, sets), NULL,
     "override a key of the scenarios; may be repeated"},
    {"--until", NULL, "TIME", LP_FLAG_PARSED, offsetof(Options, until), lp_arg_time,
     "end of every run (default 1e6 s)"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, threads), lp_arg_whole,
     "runs at a time (default: one per processor)"},
    {"--out", NULL, "RESULTS", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "keep each run in this new file as it is done"},
    {"--resume", NULL, "RESULTS", LP_FLAG_TEXT, offsetof(Options, resume), NULL,
     "go on with such a file, or begin it"},
    {"--shard", NULL, "I/N", LP_FLAG_TEXT, offsetof(Options, shard), NULL,
     "make only share I of N, into such a file, and print nothing"},
    {"--bound", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, bound), NULL,
     "also what no policy can beat, and how far each agent is above it (tables and JSON)"},
    {"--tune", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, tune), NULL,
     "also an agent that a search over rules and parameters finds on training seeds"},
    {"--print", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, print), NULL,
     "print the first scenario instead, for lightpath run"},
    {"--from", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, from), NULL,
     "draw what --json printed earlier, without running anything"},
    {"--plot", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, plot), NULL,
     "print the curves without the tables (studies load and metric)"},
    {"--ascii", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ascii), NULL,
     "draw them with ASCII characters only"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--markdown", NULL, "METRIC", LP_FLAG_TEXT, offsetof(Options, markdown), NULL,
     "print one metric as a Markdown table: blocking_rate, unserved_rate, lost_rate, mean_jct, "
     "offered_throughput or cluster_throughput"},
    {"--csv", NULL, NULL, LP_FLAG_CSV, offsetof(Options, csv), NULL, LP_CSV_RUNS_HELP},
};

static int print_buf(LpBuf *text, LpErr err, LpDiag *diag) {
    LpOutput output = lp_output_standard();
    int code = LP_EXIT_OK;
    if (err != LP_OK)
        code = lp_cli_fail_run(diag);
    else if (lp_output_add(&output, text, diag) != LP_OK)
        code = lp_cli_fail_output(&output, diag);
    lp_buf_fini(text);
    return code;
}

static LpErr add_plots(const Options *o, const LpStudyData *data, LpBuf *out, LpDiag *diag) {
    bool ascii = o->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    return lp_study_print(data, PLOT_COLS, ascii, out, diag);
}

/* Tables, and curves where there is an axis for them. */
static LpErr add_text(const Options *o, const LpExperiment *e, LpBuf *out, LpDiag *diag) {
    LpStudyData data;
    LpDiag why;
    if (!o->plot)
        LP_TRY(lp_experiment_text(e, out, diag));
    if (e->study != LP_STUDY_LOAD && e->study != LP_STUDY_METRIC)
        return LP_OK;
    LpErr err = lp_study_of(e, &data, &why);
    if (err != LP_OK && err != LP_ENOMEM) { /* such as more agents than letters */
        lp_buf_addf(out, "\nNo curves: %s.\n", why.text);
        return lp_buf_ok(out, diag);
    }
    if (err != LP_OK)
        return lp_fail_memory(diag, "the curves");
    err = add_plots(o, &data, out, diag);
    lp_study_fini(&data);
    return err;
}

static int print_results(const Options *o, const LpExperiment *e) {
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = o->json       ? lp_experiment_json(e, &text, &diag)
                : o->csv      ? lp_experiment_csv(e, o->csv == LP_CSV_RAW, &text, &diag)
                : o->markdown ? lp_experiment_markdown(e, o->metric, &text, &diag)
                              : add_text(o, e, &text, &diag);
    return print_buf(&text, err, &diag);
}

/* Prints a study from its JSON file again. */
static int print_earlier(const Options *o) {
    LpStudyData data;
    LpBuf text = {0};
    LpDiag diag;
    if (lp_study_load(o->from, &data, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    LpErr err = add_plots(o, &data, &text, &diag);
    bool axis = lp_study_has_axis(&data);
    lp_study_fini(&data);
    if (err == LP_OK && !axis) {
        lp_buf_fini(&text);
        lp_fail(&diag, LP_EINVAL,
                "%s: of a study without an axis of loads: expected the study load or metric",
                o->from);
        return lp_cli_fail(&diag);
    }
    return print_buf(&text, err, &diag);
}

static int print_scenario(const LpExperimentSpec *spec) {
    LpPoint point[LP_POINTS_MAX];
    LpBuf text = {0};
    LpDiag diag;
    uint32_t points;
    if (lp_experiment_points(spec, point, &points, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    LpErr err = lp_experiment_print(spec, &point[0], &text, &diag);
    if (err != LP_OK && err != LP_ENOMEM) {
        lp_buf_fini(&text);
        return lp_cli_fail(&diag);
    }
    return print_buf(&text, err, &diag);
}

static LpErr read_markdown(Options *o, LpDiag *diag) {
    char shown[80];
    int metric = o->markdown != NULL ? lp_study_metric_find(o->markdown) : LP_STUDY_METRIC_BLOCKING;
    if (o->markdown != NULL && (o->json || o->csv || o->plot || o->from != NULL))
        return lp_fail(diag, LP_EINVAL,
                       "--markdown is one table: expected no --json, --csv, --plot or --from");
    if (metric < 0)
        return lp_fail(diag, LP_EINVAL,
                       "--markdown: there is no metric \"%s\"; expected blocking_rate, "
                       "unserved_rate, lost_rate, mean_jct, offered_throughput or "
                       "cluster_throughput",
                       lp_str_show(shown, sizeof shown, o->markdown));
    o->metric = (LpStudyMetric)metric;
    return LP_OK;
}

static LpErr read_options(const Options *o, const char *name, LpArena *arena,
                          LpExperimentSpec *spec, LpDiag *diag) {
    char shown[80];
    int study = o->study != NULL ? lp_study_find(o->study) : LP_STUDY_TABLE;
    const char *folder = o->profiles != NULL || o->zoo ? o->profiles : getenv("LIGHTPATH_PROFILES");
    if (strcmp(name, "pac-ml") != 0)
        return lp_fail(diag, LP_EINVAL, "there is no experiment \"%s\"; expected pac-ml",
                       lp_str_show(shown, sizeof shown, name));
    if (study < 0)
        return lp_fail(diag, LP_EINVAL,
                       "there is no study \"%s\"; expected table, ideal, load or metric",
                       lp_str_show(shown, sizeof shown, o->study));
    if (o->json && o->csv)
        return lp_fail(diag, LP_EINVAL, "--json and --csv exclude each other");
    if (o->plot && (o->json || o->csv || study == LP_STUDY_TABLE || study == LP_STUDY_IDEAL))
        return lp_fail(diag, LP_EINVAL,
                       "--plot is for the studies load and metric, without --json or --csv");
    if (o->tune && study != LP_STUDY_TABLE && study != LP_STUDY_IDEAL)
        return lp_fail(diag, LP_EINVAL, "--tune is for the studies table and ideal");
    if (o->from != NULL && (o->json || o->csv || o->print || o->study != NULL))
        return lp_fail(diag, LP_EINVAL,
                       "--from draws an earlier result: expected no --study, --json, --csv or "
                       "--print");
    if (o->zoo && o->profiles != NULL)
        return lp_fail(diag, LP_EINVAL, "--zoo and --profiles exclude each other");
    spec->study = (LpStudy)study;
    spec->profiles = folder != NULL && folder[0] != '\0' ? folder : NULL;
    spec->agents = o->agents.count;
    spec->agent = o->agents.item;
    spec->betas = o->betas;
    spec->bound = o->bound;
    spec->tune = o->tune;
    spec->sets = o->sets.count;
    spec->set = o->sets.item;
    spec->until = o->until;
    spec->threads = o->threads < 256 ? (unsigned)o->threads : 256;
    return lp_seeds_parse(o->seeds != NULL ? o->seeds : "1..5", arena, &spec->seed, &spec->seeds,
                          diag);
}

static void note_opened(void *user, uint32_t found, uint32_t damaged) {
    LpCliProgress *progress = user;
    progress->found = found;
    lp_cli_note_damaged(damaged);
}

static LpErr read_keep(const LpCli *cli, const Options *o, LpArena *arena, LpExperimentKeep *out,
                       LpDiag *diag) {
    if (o->out != NULL && o->resume != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "--out begins a file and --resume goes on with one: expected one of them");
    if (o->shard != NULL && o->out == NULL && o->resume == NULL)
        return lp_fail(diag, LP_EINVAL, "--shard of an experiment expects --out or --resume");
    if (o->shard != NULL)
        LP_TRY(lp_shard_parse(o->shard, &out->shard, &out->shards, diag));
    out->file = o->resume != NULL ? o->resume : o->out;
    out->resume = o->resume != NULL;
    out->opened = note_opened;
    return lp_cli_words(&lp_command_experiment, cli, arena, &out->word, &out->words, diag);
}

static int run_study(const LpCli *cli, const Options *o, LpExperimentSpec *spec) {
    spec->log = lp_cli_log_to(cli->log);
    LpExperiment experiment;
    LpDiag diag;
    bool began;
    cli->watch();
    LpCliProgress progress = lp_cli_progress(cli);
    spec->progress = lp_cli_progress_show;
    spec->cancelled = lp_cli_progress_cancelled;
    spec->user = &progress;
    LpErr err = lp_experiment_run(spec, &experiment, &began, &diag);
    lp_cli_progress_end(&progress);
    if (err != LP_OK)
        return began ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (experiment.batch.stopped)
        lp_cli_note_stopped(spec->keep.file);
    int code = o->shard != NULL ? LP_EXIT_OK : print_results(o, &experiment);
    if (code == LP_EXIT_OK && experiment.batch.stopped)
        code = lp_cli_interrupted(cli);
    lp_experiment_fini(&experiment);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpExperimentSpec spec = {0};
    LpArgs args;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_experiment, cli, &options, &args, &code))
        return code;
    if (read_markdown(&options, &diag) != LP_OK ||
        read_options(&options, args.word[0], args.arena, &spec, &diag) != LP_OK ||
        read_keep(cli, &options, args.arena, &spec.keep, &diag) != LP_OK)
        code = lp_cli_fail(&diag);
    else
        code = options.from    ? print_earlier(&options)
               : options.print ? print_scenario(&spec)
                               : run_study(cli, &options, &spec);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_experiment = {
    .name = "experiment",
    .arguments = "NAME",
    .summary = "Repeat the published experiment (pac-ml) beside its published numbers",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Agents: max, min, random, no, sip-ml, k1, k2, k4, k8, k16, meets-deadline,\n"
             "least-fragmenting, prefer4, prefer8, few, throughput, tight; first-fit, best-fit,\n"
             "worst-fit, pack-groups, random-place; fifo, fit-first, easy, edf, sjf, fewest-late,\n"
             "defragment, las, srpt, fewest-late-preempt; all of them: all; or a policy's file.\n"
             "docs/pac-ml.md tells what came out.\n",
    .run = run,
};
