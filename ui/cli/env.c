/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath env`: a scenario as an environment for learners in other programs, lines of JSON on
 * standard input and output. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "cli/common/batch.h"
#include "host/paths.h"
#include "many/experiment/experiment.h"
#include "many/train/gym_serve.h"

/* PIECE: what a pipe that is ready takes without waiting (PIPE_BUF of Linux). */
enum { CHUNK = 64 * 1024, PIECE = 4096 };

typedef struct Options {
    LpTexts sets, places;
    LpSeedArg seed;
    double until;
    size_t max_input, max_memory;
    const char *reward, *encoding;
    const char *queue;
    bool features, wait, board, zoo;
    const char *profiles, *betas;
    double threads;
    const LpDebugLog *log; /* NULL: nobody listens */
} Options;

static const LpFlag flags[] = {
    {"--seed", NULL, "N", LP_FLAG_PARSED, offsetof(Options, seed), lp_arg_seed,
     "seed of the first episode (default: the scenario's); each further one takes the next"},
    {"--set", NULL, "PATH=VALUE", LP_FLAG_LIST, offsetof(Options, sets), NULL,
     "override a key of the scenario; may be repeated"},
    {"--until", NULL, "TIME", LP_FLAG_PARSED, offsetof(Options, until), lp_arg_time,
     "end of every episode, such as \"1e5 s\" or \"3 h\""},
    {"--reward", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, reward), NULL,
     "reward of a decision (default job_acceptance); see lightpath(1)"},
    {"--encoding", NULL, "NAME", LP_FLAG_TEXT, offsetof(Options, encoding), NULL,
     "features of an observation: pac-ml or corrected (default: by the scenario's semantics)"},
    {"--place", NULL, "RULE", LP_FLAG_LIST, offsetof(Options, places), NULL,
     "observe actions as placed by this rule, such as best_fit; may be repeated (default: engine)"},
    {"--wait", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, wait), NULL,
     "one more action: the job waits and is offered again whenever one completes"},
    {"--queue", NULL, "ORDER", LP_FLAG_TEXT, offsetof(Options, queue), NULL,
     "order of these offers: arrival (default) or deadline, the earliest true one first"},
    {"--features", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, features), NULL,
     "print what the numbers of an observation are, as a table, and end"},
    {"--leaderboard", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, board), NULL,
     "rank agents by the jobs that they lose on the test seeds 101 to 130: policies, networks"},
    {"--betas", NULL, "LETTERS", LP_FLAG_TEXT, offsetof(Options, betas), NULL,
     "leaderboard: distributions of deadlines, such as AD (default: all)"},
    {"--profiles", NULL, "DIR", LP_FLAG_TEXT, offsetof(Options, profiles), NULL,
     "leaderboard: folder of the PipeDream profiles (default: $LIGHTPATH_PROFILES, else the zoo)"},
    {"--zoo", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, zoo), NULL,
     "leaderboard: models of the zoo, whatever LIGHTPATH_PROFILES says"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, threads), lp_arg_whole,
     "leaderboard: runs at a time (default: one per processor)"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest input file (default 64 MiB)"},
    {"--max-memory", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_memory), lp_arg_size,
     "memory that one input may ask for (default 1 GiB)"},
};

/* ---- opening ---- */

static LpErr open_gym(const Options *o, const char *scenario, LpGym **out, LpDiag *diag) {
    if (strcmp(scenario, "-") == 0)
        return lp_fail(diag, LP_EINVAL,
                       "env reads requests from standard input: expected a scenario file");
    LpGymOpenSpec spec = {.session = {.scenario = scenario,
                                      .sets = o->sets.count,
                                      .set = o->sets.item,
                                      .has_seed = o->seed.given,
                                      .seed = o->seed.value,
                                      .until = o->until,
                                      .max_input = o->max_input,
                                      .max_memory = o->max_memory,
                                      .log = o->log},
                          .reward = o->reward,
                          .waits = o->wait,
                          .queue = o->queue};
    return lp_gym_open_named(&spec, out, diag);
}

static LpErr open_server(const Options *o, const char *scenario, LpGymServer **out, LpDiag *diag) {
    LpGym *gym;
    LP_TRY(open_gym(o, scenario, &gym, diag));
    LpGymServerSpec spec = {
        .encoding = o->encoding, .places = (uint32_t)o->places.count, .place = o->places.item};
    return lp_gym_server_new(gym, &spec, out, diag);
}

/* ---- the other program ---- */

/* Waits until the file is ready. False: a signal came that ends the program, before or meanwhile;
 * once it has, this waits for at most a second more. Signals are let in while it waits only, so
 * none is missed; should another thread have taken one, the next second shows it. */
static bool wait_for(const LpCli *cli, int fd, bool writing) {
    const struct timespec second = {.tv_sec = 1};
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, &before);
    int ready = 0;
    for (bool last = false; ready == 0 && !last;) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(fd, &set);
        last = *cli->interrupted != 0;
        if (last && !writing)
            break;
        ready =
            pselect(fd + 1, writing ? NULL : &set, writing ? &set : NULL, NULL, &second, &before);
        ready = ready < 0 && errno == EINTR ? 0 : ready; /* what fails is told by what follows */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready != 0;
}

/* ---- lines ---- */

/* Bytes read and not answered yet. `skip`: inside of a line that is too long. */
typedef struct Lines {
    char *text;
    size_t len, cap;
    bool skip, end;
} Lines;

static bool blank(const char *line, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static LpErr answer(LpGymServer *server, Lines *in, char *line, size_t len, LpBuf *out, bool *go_on,
                    LpDiag *diag) {
    bool skip = in->skip || len > LP_GYM_LINE_MAX;
    in->skip = false;
    line[len] = '\0';
    if (!skip)
        return blank(line, len) ? LP_OK : lp_gym_server_answer(server, line, len, out, go_on, diag);
    lp_gym_server_too_long(out);
    return LP_OK;
}

/* Answers what is there in whole lines, and the last one at the end of the input. */
static LpErr answer_lines(const LpCli *cli, LpGymServer *server, Lines *in, LpBuf *out, bool *go_on,
                          LpDiag *diag) {
    char *at = in->text, *end = in->text + in->len;
    while (*go_on && *cli->interrupted == 0 && at < end) {
        size_t left = (size_t)(end - at);
        size_t frame = in->skip ? 0 : lp_gym_server_frame(server, at, left);
        if (frame > left)
            break;
        if (frame > 0) {
            LP_TRY(lp_gym_server_answer_frame(server, at, out, diag));
            at += frame;
            continue;
        }
        char *newline = memchr(at, '\n', left);
        if (newline == NULL && !in->end)
            break;
        char *stop = newline != NULL ? newline : end;
        LP_TRY(answer(server, in, at, (size_t)(stop - at), out, go_on, diag));
        at = newline != NULL ? newline + 1 : end;
    }
    in->len = (size_t)(end - at);
    memmove(in->text, at, in->len);
    if (in->len > LP_GYM_LINE_MAX) {
        in->skip = true;
        in->len = 0;
    }
    return LP_OK;
}

static LpErr serve(const LpCli *cli, LpGymServer *server, Lines *in, LpOutput *output, LpBuf *out,
                   LpDiag *diag) {
    bool go_on = true;
    while (go_on && !in->end && wait_for(cli, STDIN_FILENO, false)) {
        void *items = in->text;
        if (lp_grow(&items, &in->cap, in->len + CHUNK + 1, 1) != LP_OK)
            return lp_fail_memory(diag, "a request");
        in->text = items;
        ssize_t got;
        do
            got = read(STDIN_FILENO, in->text + in->len, CHUNK);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            return lp_fail(diag, LP_EIO, "cannot read standard input: %s", strerror(errno));
        in->end = got == 0;
        in->len += (size_t)got;
        LP_TRY(answer_lines(cli, server, in, out, &go_on, diag));
        /* Writes the whole reply, unless a signal came and nobody reads. */
        LP_TRY(lp_buf_ok(out, diag));
        for (size_t done = 0; done < out->len && wait_for(cli, output->fd, true);) {
            size_t len = out->len - done < PIECE ? out->len - done : PIECE;
            LP_TRY(lp_output_write(output, lp_buf_text(out) + done, len, diag));
            done += len;
        }
        lp_buf_clear(out);
    }
    return LP_OK;
}

static int run_server(const LpCli *cli, LpGymServer *server) {
    LpOutput output = lp_output_standard();
    Lines in = {0};
    LpBuf out = {0};
    LpDiag diag;
    LpErr err = serve(cli, server, &in, &output, &out, &diag);
    lp_free(in.text);
    lp_buf_fini(&out);
    if (err != LP_OK)
        return lp_cli_fail_output(&output, &diag);
    return *cli->interrupted != 0 ? lp_cli_interrupted(cli) : LP_EXIT_OK;
}

/* ---- the leaderboard ---- */

static int print_text(LpBuf *text) {
    LpOutput output = lp_output_standard();
    LpDiag diag;
    LpErr err = lp_output_add(&output, text, &diag);
    lp_buf_fini(text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static LpErr board_spec(const Options *o, const LpArgs *args, LpExperimentSpec *out, LpDiag *diag) {
    uint64_t *seed = lp_arena_alloc(args->arena, LP_TEST_SEEDS, sizeof *seed);
    const char *folder = o->profiles != NULL || o->zoo ? o->profiles : getenv("LIGHTPATH_PROFILES");
    if (seed == NULL)
        return lp_fail_memory(diag, "the leaderboard");
    if (args->words == 0)
        return lp_fail(diag, LP_EINVAL,
                       "--leaderboard expects agents: names such as max, FILE.lua:k=v, a "
                       "network's FILE.json");
    if (o->seed.given || o->reward != NULL || o->encoding != NULL)
        return lp_fail(diag, LP_EINVAL,
                       "--leaderboard has its own seeds: expected no --seed, --reward, --encoding");
    if (o->zoo && o->profiles != NULL)
        return lp_fail(diag, LP_EINVAL, "--zoo and --profiles exclude each other");
    for (uint32_t i = 0; i < LP_TEST_SEEDS; i++)
        seed[i] = LP_TEST_SEED_FIRST + i;
    *out = (LpExperimentSpec){.study = LP_STUDY_TABLE,
                              .profiles = folder != NULL && folder[0] != '\0' ? folder : NULL,
                              .agents = (uint32_t)args->words,
                              .agent = args->word,
                              .betas = o->betas,
                              .seeds = LP_TEST_SEEDS,
                              .seed = seed,
                              .sets = o->sets.count,
                              .set = o->sets.item,
                              .until = o->until,
                              .threads = o->threads < 256 ? (unsigned)o->threads : 256};
    return LP_OK;
}

static int print_board(const LpCli *cli, const Options *o, const LpArgs *args) {
    LpExperiment experiment;
    LpExperimentSpec spec;
    LpBuf text = {0};
    LpDiag diag;
    bool began;
    if (board_spec(o, args, &spec, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    cli->watch();
    LpCliProgress progress = lp_cli_progress(cli);
    spec.progress = lp_cli_progress_show;
    spec.cancelled = lp_cli_progress_cancelled;
    spec.user = &progress;
    LpErr err = lp_experiment_run(&spec, &experiment, &began, &diag);
    lp_cli_progress_end(&progress);
    if (err != LP_OK)
        return began ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (experiment.batch.stopped)
        lp_cli_note("interrupted; these are the runs that were done");
    err = lp_experiment_board(&experiment, &text, &diag);
    int code = err == LP_OK ? print_text(&text) : lp_cli_fail_run(&diag);
    if (code == LP_EXIT_OK && experiment.batch.stopped)
        code = lp_cli_interrupted(cli);
    lp_experiment_fini(&experiment);
    return code;
}

static int print_features(void) {
    LpBuf text = {0};
    lp_gym_features(&text);
    return print_text(&text);
}

static int serve_scenario(const LpCli *cli, const Options *options, const LpArgs *args) {
    LpGymServer *server;
    LpDiag diag;
    if (args->words != 1) {
        lp_fail(&diag, LP_EINVAL, "lightpath env expects %s (see lightpath env --help)",
                args->words == 0 ? "SCENARIO" : "one SCENARIO");
        return lp_cli_fail(&diag);
    }
    if (open_server(options, args->word[0], &server, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    cli->watch();
    int code = run_server(cli, server);
    lp_gym_server_free(server);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_env, cli, &options, &args, &code))
        return code;
    options.log = lp_cli_log_to(cli->log);
    code = options.features ? print_features()
           : options.board  ? print_board(cli, &options, &args)
                            : serve_scenario(cli, &options, &args);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_env = {
    .name = "env",
    .arguments = "SCENARIO | --leaderboard AGENT...",
    .summary = "Serve a scenario to a learner: requests and answers as lines of JSON",
    .least = 0,
    .most = -1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Each line of standard input is a request, such as {\"cmd\":\"reset\",\"seed\":7} or\n"
             "{\"cmd\":\"step\",\"action\":4}; each is answered by one line. docs/env.md has them\n"
             "all, and docs/examples/gym_env.py a client.\n",
    .run = run,
};
