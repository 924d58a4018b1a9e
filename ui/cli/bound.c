/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath bound`: the blocking that no policy can go below. */
#include "run/bound/bound.h"
#include "cli/common/cli.h"

typedef struct Options {
    LpSessionArgs session;
    bool json;
} Options;

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

static int print(const Options *o, const LpSession *session, const LpBound *bound) {
    LpOutput output = lp_output_standard();
    LpBuf text = {0};
    LpDiag diag;
    if (o->json) {
        LpJsonOut json = {.out = &text};
        lp_json_open(&json, NULL, '{');
        lp_session_json_head(session, &json);
        lp_bound_json(bound, &json);
        lp_json_end(&json);
    } else {
        lp_bound_text(bound, &text);
    }
    LpErr err = lp_output_add(&output, &text, &diag);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static int tell(const Options *o, LpSession *session) {
    LpBound bound;
    LpDiag diag;
    if (lp_bound_session(session, &bound, &diag) == LP_OK)
        return print(o, session, &bound);
    return diag.code == LP_EREFUSED ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpSession *session;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_bound, cli, &options, &args, &code))
        return code;
    if (lp_cli_open(args.word[0], &options.session, false, &session, &diag) == LP_OK) {
        code = tell(&options, session);
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
    .summary = "Print the blocking that no policy can go below, arrivals known beforehand",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes =
        "Of the arrivals of one seed, by linear programming; docs/bound.md has the proofs. Lost "
        "is what\nis blocked, unfinished at the end, or late by true deadlines.\n",
    .run = run,
};
