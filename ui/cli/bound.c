/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath bound`: the share of jobs that every policy loses. */
#include "cli/common/cli.h"
#include "many/bound/reach.h"

enum { HORIZON_MOST = 1000000 };

typedef struct Options {
    LpSessionArgs session;
    bool json, rollout;
    double horizon;
} Options;

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--rollout", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, rollout), NULL,
     "also a run that knows the arrivals: a network's answers, tried in them (default: that of "
     "pac_ml_queue)"},
    {"--horizon", NULL, "N", LP_FLAG_PARSED, offsetof(Options, horizon), lp_arg_whole,
     "--rollout: decisions that each answer is played on for (default: to the end of the run)"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

static int print(const Options *o, const LpSession *session, const LpBound *bound,
                 const LpClairvoyant *reach) {
    LpOutput output = lp_output_standard();
    LpBuf text = {0};
    LpDiag diag;
    if (o->json) {
        LpJsonOut json = {.out = &text};
        lp_json_open(&json, NULL, '{');
        lp_session_json_head(session, &json);
        lp_bound_json(bound, &json);
        if (o->rollout)
            lp_reach_json(reach, &json);
        lp_json_end(&json);
    } else {
        lp_bound_text(bound, &text);
        if (o->rollout)
            lp_reach_text(reach, bound, &text);
    }
    LpErr err = lp_output_add(&output, &text, &diag);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static bool go_on(void *user) {
    const LpCli *cli = user;
    return *cli->interrupted == 0;
}

static int tell(const LpCli *cli, const Options *o, LpSession *session) {
    LpBound bound;
    LpClairvoyant reach = {0};
    LpDiag diag;
    bool stopped = false;
    if (o->rollout) {
        cli->watch();
        if (lp_reach_session(session, (uint32_t)o->horizon, go_on, (void *)(uintptr_t)cli, &reach,
                             &stopped, &diag) != LP_OK)
            return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
        if (stopped)
            return lp_cli_interrupted(cli);
    }
    if (lp_bound_session(session, &bound, &diag) == LP_OK)
        return print(o, session, &bound, &reach);
    return diag.code == LP_EREFUSED ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
}

static LpErr check(Options *o, LpDiag *diag) {
    if (o->horizon > 0 && !o->rollout)
        return lp_fail(diag, LP_EINVAL, "--horizon is for --rollout");
    if (o->horizon > HORIZON_MOST)
        return lp_fail(diag, LP_ERANGE, "--horizon %.0f: expected at most %d", o->horizon,
                       HORIZON_MOST);
    if (o->rollout && o->session.policy == NULL)
        o->session.policy = "pac_ml_queue";
    return LP_OK;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpSession *session;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_bound, cli, &options, &args, &code))
        return code;
    options.session.log = lp_cli_log_to(cli->log);
    if (check(&options, &diag) == LP_OK &&
        lp_cli_open(args.word[0], &options.session, false, &session, &diag) == LP_OK) {
        code = tell(cli, &options, session);
        lp_session_close(session);
    } else {
        code = lp_cli_fail(&diag);
    }
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_bound = {
    .name = "bound",
    .arguments = "SCENARIO",
    .summary = "Print the share of jobs that any policy loses, arrivals known beforehand",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Of the arrivals of one seed, by linear programming; docs/bound.md has the proofs. Lost "
        "is what\nis blocked, unfinished at the end, or late by true deadlines.\n",
    .run = run,
};
