/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath train`: a network learns to decide a scenario's jobs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "cli.h"
#include "run/paths.h"
#include "run/train.h"

/* Each thread encodes the graphs of a gradient again. */
enum { THREADS_MAX = 256 };

typedef struct Options {
    const char *algo, *out, *encoding;
    double steps, threads, until;
    LpSeedArg seed;
    bool resume;
    LpTexts params, places, sets;
    size_t max_input, max_memory;
} Options;

static const LpFlag flags[] = {
    {"--algo", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, algo), NULL,
     "how to learn: ppo (the default)"},
    {"--steps", NULL, "N", LP_FLAG_PARSED, offsetof(Options, steps), lp_arg_whole,
     "decisions to learn from (default 2000000)"},
    {"--seed", NULL, "N", LP_FLAG_PARSED, offsetof(Options, seed), lp_arg_seed,
     "seed of the network and of what it meets (default 1)"},
    {"--out", "-o", "FILE", LP_FLAG_TEXT, offsetof(Options, out), NULL,
     "where the best network goes; beside it FILE.checkpoint, to go on from"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, threads), lp_arg_whole,
     "clusters to play at a time (default: one per processor)"},
    {"--resume", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, resume), NULL,
     "go on from FILE.checkpoint"},
    {"--encoding", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, encoding), NULL,
     "what the network sees: pac-ml (as published, the default) or corrected"},
    {"--place", NULL, "RULE", LP_FLAG_LIST, offsetof(Options, places), NULL,
     "how it may place, see lightpath env --help; may be repeated (default: engine)"},
    {"--param", NULL, "NAME=VALUE", LP_FLAG_LIST, offsetof(Options, params), NULL,
     "setting of the algorithm, see below; may be repeated"},
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
    LpOutput output;
    bool shown, failed;
    int64_t began;
    uint64_t first_steps; /* that a checkpoint brought */
    bool any;
    LpDiag diag;
} Progress;

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add_number(LpBuf *line, const char *key, double value) {
    char number[LP_NUM_TEXT];
    lp_buf_addf(line, ", \"%s\": %s", key, lp_num_print(value, number));
}

/* One line of the learning curve. */
static void write_report(const LpTrainReport *r, LpBuf *line) {
    lp_buf_addf(line, "{\"update\": %llu, \"steps\": %llu, \"episodes\": %llu",
                (unsigned long long)r->update, (unsigned long long)r->steps,
                (unsigned long long)r->episodes);
    add_number(line, "reward", r->reward);
    add_number(line, "blocked", r->blocked);
    add_number(line, "entropy", r->learnt.entropy);
    add_number(line, "kl", r->learnt.kl);
    add_number(line, "policy_loss", r->learnt.policy_loss);
    add_number(line, "value_loss", r->learnt.value_loss);
    add_number(line, "gradient", r->learnt.norm);
    add_number(line, "rate", r->rate);
    add_number(line, "eval_reward", r->evaluated ? r->eval_reward : (double)NAN);
    add_number(line, "eval_blocked", r->evaluated ? r->eval_blocked : (double)NAN);
    lp_buf_addf(line, ", \"saved\": %s}\n", r->saved ? "true" : "false");
}

static void show(const Progress *p, const LpTrainReport *r) {
    int64_t spent = now_ms() - p->began;
    double done = (double)(r->steps - p->first_steps), left = (double)(r->total - r->steps);
    fprintf(stderr, "\r\033[K%llu of %llu decisions, %.1f %% blocked, best %.3f",
            (unsigned long long)r->steps, (unsigned long long)r->total, 100 * r->blocked,
            r->best_reward);
    if (done > 0)
        fprintf(stderr, ", about %lld s left", (long long)((double)spent * left / done / 1000));
    fflush(stderr);
}

static bool progress(void *user, const LpTrainReport *r) {
    Progress *p = user;
    LpBuf line = {0};
    if (!p->any) /* the time of the first update is not known to be its own */
        p->first_steps = r->steps;
    if (!p->any)
        p->began = now_ms();
    p->any = true;
    write_report(r, &line);
    p->failed = lp_output_add(&p->output, &line, &p->diag) != LP_OK;
    lp_buf_fini(&line);
    if (p->shown)
        show(p, r);
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
    if (o->algo != NULL && strcmp(o->algo, "ppo") != 0)
        return lp_fail(diag, LP_EINVAL, "--algo %s: expected ppo", o->algo);
    if (o->out == NULL)
        return lp_fail(diag, LP_EINVAL, "train expects --out FILE, where the network goes");
    *spec = lp_train_defaults();
    spec->session = (LpSessionSpec){.scenario = scenario,
                                    .sets = o->sets.count,
                                    .set = o->sets.item,
                                    .until = o->until,
                                    .max_input = o->max_input,
                                    .max_memory = o->max_memory};
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
    spec->out = o->out;
    spec->resume = o->resume;
    if (o->encoding != NULL)
        LP_TRY(lp_train_set_encoding(spec, o->encoding, diag));
    for (uint32_t i = 0; i < o->params.count; i++)
        LP_TRY(lp_train_set(spec, o->params.item[i], diag));
    return read_places(o, spec, diag);
}

static int train(const LpCli *cli, const LpTrainSpec *spec) {
    Progress p = {
        .cli = cli, .output = lp_output_standard(), .shown = wants_progress(), .began = now_ms()};
    LpTrainReport last = {0};
    LpDiag diag;
    LpErr err = lp_train(spec, progress, &p, &last, &diag);
    if (p.shown)
        fputs("\r\033[K", stderr);
    if (err != LP_OK)
        return p.any ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (p.failed)
        return lp_cli_fail_output(&p.output, &p.diag);
    if (p.any)
        lp_cli_note("%llu decisions; the best network had a reward of %.4f a decision: %s",
                    (unsigned long long)last.steps, last.best_reward, spec->out);
    else
        lp_cli_note("%s.checkpoint has learnt from as many decisions already", spec->out);
    return *cli->interrupted ? LP_EXIT_INTERRUPTED : LP_EXIT_OK;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpTrainSpec spec;
    LpDiag diag;
    char path[LP_PATH_TEXT];
    int code;
    if (!lp_args_read(&lp_command_train, cli, &options, &args, &code))
        return code;
    cli->watch();
    const char *scenario = args.word[0];
    bool named = access(scenario, F_OK) != 0 && lp_paths_scenario(scenario, path, sizeof path);
    if (read_options(&options, named ? path : scenario, &spec, &diag) == LP_OK)
        code = train(cli, &spec);
    else
        code = lp_cli_fail(&diag);
    lp_args_fini(&args);
    return code;
}

#define X(name, init, least, most, meaning) "  " #name "=" #init "  " meaning "\n"
const LpCommand lp_command_train = {
    .name = "train",
    .arguments = "SCENARIO",
    .summary = "Let a network learn to decide a scenario's jobs",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Prints a line of JSON per update: the learning curve. Accepted jobs count 1, blocked\n"
        "ones -1. The same seed gives the same network, with any number of threads and also\n"
        "when training is broken off and goes on with --resume. Then:\n"
        "  lightpath run SCENARIO --policy pac_ml --param weights=FILE\n\n"
        "Settings for --param, with their defaults:\n" LP_PPO_TABLE(X),
    .run = run,
};
#undef X
