/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath pods`: availability, blocking, checkpoints and the published mix of pods of cubes. */
#include <string.h>

#include "ask/pod/tables.h"
#include "cli/common/cli.h"

typedef struct Options {
    LpPodAsk ask;
    bool json;
} Options;

#define ASK(flag, value, field, help)                                                              \
    { flag, NULL, value, LP_FLAG_TEXT, offsetof(Options, ask.field), NULL, help }

static const LpFlag flags[] = {
    ASK("--cubes", "N", cubes, "of the pod (default 64)"),
    ASK("--of", "LIST", of, "capacity: cubes of a slice (default 16,32,48,64)"),
    ASK("--hosts", "N", hosts, "capacity: hosts of a cube, of which all must work (default 16)"),
    ASK("--available", "LIST", available,
        "capacity: share of the time that a host works (default 0.99,0.995,0.999)"),
    ASK("--share", "X", share,
        "capacity: share of the time for which it is promised (default 0.97)"),
    ASK("--load", "X", load, "blocking: cubes asked for over cubes (default 0.7)"),
    ASK("--classes", "LIST", classes,
        "blocking: CUBES:WEIGHT with commas between (default: whole cubes of the published mix)"),
    ASK("--work", "TIME", work, "checkpoints: of the job (default 86400 s)"),
    ASK("--cost", "TIME", cost, "checkpoints: of one checkpoint (default 60 s)"),
    ASK("--restart", "TIME", restart, "checkpoints: after a failure (default 120 s)"),
    ASK("--mean", "TIME", mean, "checkpoints: between failures of the job (default 7200 s)"),
    ASK("--interval", "LIST", interval,
        "checkpoints: times, young or daly, with commas between (default young,daly)"),
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

typedef LpErr Topic(const LpPodAsk *ask, bool json, LpBuf *out, LpDiag *diag);

static const struct {
    const char *name;
    Topic *tell;
} topics[] = {{"capacity", lp_pods_capacity},
              {"blocking", lp_pods_blocking},
              {"checkpoints", lp_pods_checkpoints},
              {"mix", lp_pods_mix}};

/* An option whose help names another topic says nothing here. */
static LpErr check_flags(const Options *o, const char *topic, LpDiag *diag) {
    size_t len = strlen(topic);
    for (size_t i = 0; i < LP_COUNTOF(flags); i++) {
        const char *const *text = (const void *)((const char *)o + flags[i].offset);
        bool other = strncmp(flags[i].help, topic, len) != 0 || flags[i].help[len] != ':';
        bool common = flags[i].offset == offsetof(Options, ask.cubes) &&
                      (topic == topics[0].name || topic == topics[1].name);
        if (flags[i].kind == LP_FLAG_TEXT && *text != NULL && other && !common)
            return lp_fail(diag, LP_EINVAL, "%s says nothing of %s, expected it without",
                           flags[i].name, topic);
    }
    return LP_OK;
}

static LpErr tell(const Options *o, const char *word, LpBuf *text, LpDiag *diag) {
    char shown[64];
    for (size_t i = 0; i < LP_COUNTOF(topics); i++)
        if (strcmp(word, topics[i].name) == 0) {
            LP_TRY(check_flags(o, topics[i].name, diag));
            return topics[i].tell(&o->ask, o->json, text, diag);
        }
    return lp_fail(diag, LP_EINVAL, "pods %s: expected capacity, blocking, checkpoints or mix",
                   lp_str_show(shown, sizeof shown, word));
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpBuf text = {0};
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_pods, cli, &options, &args, &code))
        return code;
    LpErr err = tell(&options, args.word[0], &text, &diag);
    lp_args_fini(&args);
    return lp_cli_print(err, &text, &diag);
}

const LpCommand lp_command_pods = {
    .name = "pods",
    .arguments = "TOPIC",
    .summary = "Work out what pods of cubes can offer",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "TOPIC is capacity (of slices while hosts fail, switched and static),\n"
             "blocking (requests turned away, by size), checkpoints (how often, and the\n"
             "mean time of a job that failures stop) or mix (slices of the published\n"
             "sample). docs/pods.md has the formulas and their sources.\n",
    .run = run,
};
