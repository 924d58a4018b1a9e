/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath train`: a network learns to decide a scenario's jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/common/cli.h"
#include "front/live.h"
#include "front/live_train.h"
#include "host/paths.h"
#include "many/train/learning.h"
#include "many/train/train.h"
#include "term/term.h"

/* Each thread encodes the graphs of a gradient again. */
enum { THREADS_MAX = 256 };

typedef struct Options {
    const char *algo, *out, *encoding, *from, *curve, *theme, *keymap;
    double steps, threads, until;
    LpSeedArg seed;
    bool resume, live, ascii, no_color;
    LpTexts params, places, sets, also;
    size_t max_input, max_memory;
    const LpDebugLog *log; /* NULL: nobody listens */
} Options;

static const LpFlag flags[] = {
    {"--algo", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, algo), NULL,
     "how to learn: ppo (the default), lookahead or evolve"},
    {"--steps", NULL, "N", LP_FLAG_PARSED, offsetof(Options, steps), lp_arg_whole,
     "decisions to learn from (default 2000000; lookahead 65536, evolve 100 million)"},
    {"--seed", NULL, "N", LP_FLAG_PARSED, offsetof(Options, seed), lp_arg_seed,
     "seed of the network and of what it meets (default 1)"},
    {"--out", "-o", "FILE", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "where the best network goes; beside it FILE.checkpoint, to go on from"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, threads), lp_arg_whole,
     "threads to work on (default: one per processor); the result is the same"},
    {"--resume", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, resume), NULL,
     "go on from FILE.checkpoint"},
    {"--encoding", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, encoding), NULL,
     "what the network sees: pac-ml (as published, the default), corrected, or queue (evolve)"},
    {"--place", NULL, "RULE", LP_FLAG_LIST, offsetof(Options, places), NULL,
     "how it may place, see lightpath env --help; may be repeated (default: engine)"},
    {"--also", NULL, "SCENARIO", LP_FLAG_LIST, offsetof(Options, also), NULL,
     "evolve: a further scenario to learn from; may be repeated"},
    {"--from", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, from), NULL,
     "evolve: begin as the network of FILE, instead of as a rule"},
    {"--param", NULL, "NAME=VALUE", LP_FLAG_LIST, offsetof(Options, params), NULL,
     "setting of the algorithm, see below; may be repeated"},
    {"--live", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, live), NULL,
     "show the learning curves in the terminal while it trains, instead of printing them"},
    {"--curve", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, curve), NULL,
     "write the learning curve to FILE, too; with --resume at its end"},
    {"--theme", NULL, "NAME|FILE", LP_FLAG_TEXT, offsetof(Options, theme), NULL,
     "colours of --live: dark, light, high-contrast, colour-blind, paper, or a file"},
    {"--keymap", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, keymap), NULL,
     "other keys for --live, see lightpath-keys(5)"},
    {"--ascii", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, ascii), NULL,
     "--live draws with ASCII characters only"},
    {"--no-color", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, no_color), NULL,
     "--live uses no colours (also when NO_COLOR is set)"},
    {"--until", NULL, "TIME", LP_FLAG_PARSED, offsetof(Options, until), lp_arg_time,
     "end of every run, such as \"1e5 s\" or \"3 h\""},
    {"--set", NULL, "PATH=VALUE", LP_FLAG_LIST, offsetof(Options, sets), NULL,
     "override a key of the scenario; may be repeated"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
    {"--max-memory", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_memory), lp_arg_size,
     "memory that one cluster may need (default 1 GiB)"},
};

/* ---- progress ---- */

typedef struct Progress {
    const LpCli *cli;
    LpOutput output, curve;
    LpWriteSpec curve_at; /* path NULL: no file */
    bool resume;          /* goes on at the end of the curve that is there */
    bool printed;         /* lines go to standard output */
    bool shown, failed;
    int64_t began;
    bool any;
    const LpOutput *broken; /* when failed */
    LpDiag diag;
} Progress;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_line(Progress *p, LpOutput *output, const LpBuf *line) {
    if (p->failed || lp_output_add(output, line, &p->diag) == LP_OK)
        return;
    p->failed = true;
    p->broken = output;
}

/* The curve's file, in its place at once, so that it can be watched: a new one, or, to go on, the
 * one that is there. */
static LpErr open_curve(Progress *p) {
    LpWriter *file = &p->curve.file;
    if (p->resume)
        return lp_writer_append(file, &p->curve_at, &p->diag);
    LP_TRY(lp_writer_open(file, &p->curve_at, &p->diag));
    return lp_writer_place(file, &p->diag);
}

/* With the first update: what was there goes, or, after a half line that was broken off, stays. */
static void begin_curve(Progress *p) {
    char last = '\n';
    LpBuf newline = {0};
    const LpWriter *file = &p->curve.file;
    if (p->curve_at.path == NULL)
        return;
    p->broken = &p->curve;
    p->failed = open_curve(p) != LP_OK;
    if (!p->failed && file->size > 0 && pread(file->fd, &last, 1, (off_t)file->size - 1) == 1 &&
        last != '\n') {
        lp_buf_add(&newline, "\n");
        add_line(p, &p->curve, &newline);
        lp_buf_fini(&newline);
    }
}

static bool progress(void *user, const LpTrainReport *r) {
    Progress *p = user;
    if (!p->any)
        begin_curve(p);
    p->any = true;
    /* One line of the learning curve. */
    LpLearnPoint point = lp_learn_point(r);
    LpBuf line = {0};
    lp_learn_line(&point, &line);
    if (p->printed)
        add_line(p, &p->output, &line);
    if (lp_writer_is_open(&p->curve.file))
        add_line(p, &p->curve, &line);
    lp_buf_fini(&line);
    if (p->shown) {
        int64_t spent = now_ms() - p->began;
        double done = (double)(r->steps - r->first);
        double left = r->steps < r->total ? (double)(r->total - r->steps) : 0;
        fprintf(stderr, "\r\033[K%llu of %llu decisions, %.1f %% blocked, best %.3f",
                (unsigned long long)r->steps, (unsigned long long)r->total, 100 * r->blocked,
                r->best_reward);
        if (done > 0)
            fprintf(stderr, ", about %lld s left", (long long)((double)spent * left / done / 1000));
        fflush(stderr);
    }
    return !p->failed && !*p->cli->interrupted;
}

static bool wants_progress(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

/* ---- options ---- */

static LpErr read_places(const Options *o, LpTrainSpec *spec, LpDiag *diag) {
    if (o->places.count > LP_PLACINGS_MAX)
        return lp_fail(diag, LP_EINVAL, "--place is given %u times; expected at most %d",
                       o->places.count, LP_PLACINGS_MAX);
    for (uint32_t i = 0; i < o->places.count; i++) {
        int rule = lp_place_rule_find(o->places.item[i]);
        if (rule < 0)
            return lp_fail(diag, LP_EINVAL,
                           "--place %s: expected engine, first_fit, best_fit or least_fragmenting",
                           o->places.item[i]);
        spec->placing[i] = (LpPlaceRule)rule;
        spec->placings = i + 1;
    }
    return LP_OK;
}

static LpErr read_options(const Options *o, const char *scenario, LpTrainSpec *spec, LpDiag *diag) {
    if (o->out == NULL)
        return lp_fail(diag, LP_EINVAL, "train expects --out FILE, where the network goes");
    *spec = lp_train_defaults();
    if (o->algo != NULL)
        LP_TRY(lp_train_set_algo(spec, o->algo, diag));
    spec->session = (LpSessionSpec){.scenario = scenario,
                                    .sets = o->sets.count,
                                    .set = o->sets.item,
                                    .until = o->until,
                                    .max_input = o->max_input,
                                    .max_memory = o->max_memory,
                                    .log = o->log};
    if (o->seed.given)
        spec->seed = o->seed.value;
    if (o->steps > 0)
        spec->steps = (uint64_t)o->steps;
    if (o->threads > THREADS_MAX)
        return lp_fail(diag, LP_ERANGE,
                       "--threads %.0f: expected at most %d; more than processors "
                       "only cost time",
                       o->threads, THREADS_MAX);
    spec->threads = (unsigned)o->threads;
    if (o->also.count > 0 && spec->algo != LP_ALGO_EVOLVE)
        return lp_fail(diag, LP_EINVAL, "--also is for --algo evolve");
    if (o->also.count >= LP_TRAIN_SCENARIOS)
        return lp_fail(diag, LP_ELIMIT, "--also is given %u times; expected at most %d",
                       o->also.count, LP_TRAIN_SCENARIOS - 1);
    if (o->from != NULL && spec->algo != LP_ALGO_EVOLVE)
        return lp_fail(diag, LP_EINVAL, "--from is for --algo evolve");
    spec->from = o->from;
    spec->alsos = o->also.count;
    spec->also = o->also.item;
    spec->out = o->out;
    spec->resume = o->resume;
    if (o->encoding != NULL)
        LP_TRY(lp_train_set_encoding(spec, o->encoding, diag));
    for (uint32_t i = 0; i < o->params.count; i++)
        LP_TRY(lp_train_set(spec, o->params.item[i], diag));
    return read_places(o, spec, diag);
}

/* ---- the file of the curve ---- */

static bool is_same(const struct stat *about, const char *path) {
    struct stat other;
    return path != NULL && stat(path, &other) == 0 && about->st_dev == other.st_dev &&
           about->st_ino == other.st_ino;
}

static LpErr check_curve(const Options *o, const char *scenario, Progress *p, LpDiag *diag) {
    struct stat about;
    LpBuf checkpoint = {0};
    if (o->curve == NULL)
        return LP_OK;
    lp_buf_addf(&checkpoint, "%s.checkpoint", o->out);
    LpErr err = lp_buf_ok(&checkpoint, diag);
    bool taken = err == LP_OK && (lp_write_same_place(o->curve, o->out) ||
                                  lp_write_same_place(o->curve, lp_buf_text(&checkpoint)));
    lp_buf_fini(&checkpoint);
    LP_TRY(err);
    if (taken ||
        (stat(o->curve, &about) == 0 && (is_same(&about, scenario) || is_same(&about, o->out))))
        return lp_fail(diag, LP_EINVAL,
                       "--curve %s is read or written otherwise: expected a file of its own",
                       o->curve);
    p->curve.name = o->curve;
    p->curve_at = (LpWriteSpec){.path = o->curve, .kind = {"learning curve", "{\"update\":"}};
    return lp_write_try(&p->curve_at, diag);
}

/* ---- training ---- */

static int tell_end(const Progress *p, const LpTrainSpec *spec, const LpTrainReport *last,
                    bool stopped) {
    LpBuf text = {0};
    if (!p->any)
        lp_cli_note(
            "%s.checkpoint has learnt from as many decisions already: expected more --steps",
            spec->out);
    else if (stopped) {
        lp_live_tell(last, true, spec->out, &text);
        lp_cli_note("stopped after update %llu: %s%s", (unsigned long long)last->update,
                    lp_buf_text(&text), last->kept > 0 ? "; --resume goes on" : "");
    } else
        lp_cli_note("%llu decisions; the best network had a reward of %.4f a decision: %s",
                    (unsigned long long)last->steps, last->best_reward, spec->out);
    lp_buf_fini(&text);
    return LP_EXIT_OK;
}

static int train(const LpTrainSpec *spec, Progress *p) {
    LpTrainReport last = {0};
    LpDiag diag;
    p->shown = wants_progress();
    p->printed = true;
    p->cli->watch();
    LpErr err = lp_train(spec, progress, p, &last, &diag);
    if (p->shown)
        fputs("\r\033[K", stderr);
    if (err != LP_OK)
        return last.update > 0 ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (p->failed)
        return lp_cli_fail_output(p->broken, &p->diag);
    bool interrupted = *p->cli->interrupted != 0;
    tell_end(p, spec, &last, interrupted && last.steps < last.total);
    return interrupted ? lp_cli_interrupted(p->cli) : LP_EXIT_OK;
}

static int train_live(const Options *o, const LpTrainSpec *spec, const char *scenario,
                      Progress *p) {
    LpTheme theme = *lp_theme_built_in();
    LpKeymap keymap;
    LpTrainReport last = {0};
    LpBuf settings = {0};
    LpDiag diag;
    bool began, stopped, found = true;
    lp_keymap_defaults(&keymap);
    LpErr err = o->theme != NULL ? lp_theme_open(o->theme, spec->session.scenario, &theme, &diag)
                                 : lp_theme_open_default(&theme, &found, &diag);
    if (err == LP_OK)
        err = o->keymap != NULL ? lp_keymap_load(o->keymap, &keymap, &diag)
                                : lp_keymap_load_default(&keymap, &diag);
    if (err != LP_OK)
        return lp_cli_fail(&diag);
    lp_train_describe(spec, &settings);
    const char *name = strrchr(scenario, '/');
    LpLiveSpec live = {.train = spec,
                       .scenario = name != NULL ? name + 1 : scenario,
                       .settings = lp_buf_text(&settings),
                       .each = progress,
                       .user = p,
                       .theme = found ? &theme : NULL,
                       .keymap = &keymap,
                       .ascii = o->ascii,
                       .no_color = o->no_color};
    err = lp_live_train(&live, &last, &began, &stopped, &diag);
    lp_buf_fini(&settings);
    if (err != LP_OK)
        return began ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (p->failed)
        return lp_cli_fail_output(p->broken, &p->diag);
    int code = tell_end(p, spec, &last, stopped);
    return lp_term_ending() != 0 ? LP_EXIT_SIGNAL + lp_term_ending() : code;
}

static LpErr check_live(const Options *o, LpDiag *diag) {
    if (o->live && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        return lp_fail(diag, LP_EINVAL,
                       "--live needs a terminal as input and output: without it the learning curve "
                       "is printed, and --curve FILE keeps it");
    if (!o->live && (o->theme != NULL || o->keymap != NULL || o->ascii || o->no_color))
        return lp_fail(diag, LP_EINVAL, "--theme, --keymap, --ascii and --no-color are for --live");
    return LP_OK;
}

static int run_options(const LpCli *cli, const Options *o, const char *scenario) {
    char path[LP_PATH_TEXT];
    LpTrainSpec spec;
    LpDiag diag;
    Progress p = {
        .cli = cli, .output = lp_output_standard(), .began = now_ms(), .resume = o->resume};
    bool named = access(scenario, F_OK) != 0 && lp_paths_scenario(scenario, path, sizeof path);
    const char *file = named ? path : scenario;
    if (read_options(o, file, &spec, &diag) != LP_OK || check_live(o, &diag) != LP_OK ||
        check_curve(o, file, &p, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = o->live ? train_live(o, &spec, scenario, &p) : train(&spec, &p);
    if (lp_output_close(&p.curve, &diag) != LP_OK && code == LP_EXIT_OK)
        code = lp_cli_fail_output(&p.curve, &diag);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_train, cli, &options, &args, &code))
        return code;
    options.log = lp_cli_log_to(cli->log);
    code = run_options(cli, &options, args.word[0]);
    lp_args_fini(&args);
    return code;
}

#define X(name, init, least, most, who, meaning) "  " #name "=" #init "  " meaning " (" who ")\n"
const LpCommand lp_command_train = {
    .name = "train",
    .arguments = "SCENARIO",
    .summary = "Let a network learn to decide a scenario's jobs",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Prints a line of JSON per update: the learning curve, which :learning FILE draws in the\n"
        "explorer. With --live it is drawn instead while it trains; q then stops after the "
        "present\n"
        "update, m after the next checkpoint. Accepted jobs count 1, blocked ones -1. The same "
        "seed\n"
        "gives the same network, with any number of threads and also when training is broken off "
        "and goes on with --resume. Then:\n"
        "  lightpath run SCENARIO --policy pac_ml --param weights=FILE\n\n"
        "Settings for --param, with their defaults (but what evolve and lookahead have of their "
        "own)\n"
        "and the algorithms that heed them: p ppo, l lookahead, e evolve\n" LP_PPO_TABLE(X),
    .run = run,
};
#undef X
