/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath explain`: the story of one job of a run. */
#include <string.h>

#include "ask/inspect/story.h"
#include "ask/network/network.h"
#include "base/num.h"
#include "cli/common/cli.h"
#include "sim/facts/identity.h"

typedef struct Options {
    LpSessionArgs session;
    const char *job, *cut;
    bool json;
} Options;

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--job", NULL, "JOB", LP_FLAG_TEXT, offsetof(Options, job), NULL,
     "which job, by its arrival from 0 (default 0), or key:ID, or name:NAME as its user calls it"},
    {"--cut", NULL, "FILE", LP_FLAG_TEXT, offsetof(Options, cut), NULL,
     "write the job and those that shared its network as a scenario"},
    {"--words", NULL, "WHOSE", LP_FLAG_PARSED, offsetof(Options, session.wording), lp_arg_wording,
     "whose short word says why a job waits: plain, slurm, kueue, volcano"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

static bool not_interrupted(void *user) {
    return !*((const LpCli *)user)->interrupted;
}

static bool go_on(void *user, const LpSession *session LP_UNUSED) {
    return not_interrupted(user);
}

/* Plays the run; where the policy has a network, with the time line that going back needs. */
static LpErr play(const LpCli *cli, LpSession *session, bool *stopped, LpDiag *diag) {
    if (lp_network_count(session) > 0)
        LP_TRY(lp_session_keep_timeline(session, diag));
    return lp_session_run(session, go_on, (void *)(uintptr_t)cli, stopped, diag);
}

/* The job as a scenario of its own. */
static int write_cut(const char *file, const char *scenario, const LpSession *session,
                     const LpCutout *cutout) {
    LpOutput output = lp_output_standard();
    LpWriteSpec spec = {
        .path = file, .kind = {"cut-out of a run", LP_CUTOUT_BEGINS}, .input = {scenario}};
    LpBuf text = {0};
    LpDiag diag;
    if (cutout->not != NULL) {
        lp_fail(&diag, LP_ESTATE, "--cut %s: the job cannot be run by itself: %s", file,
                cutout->not );
        return lp_cli_fail_run(&diag);
    }
    if (strcmp(file, "-") != 0 && lp_output_begin(&output, &spec, &diag) != LP_OK)
        return diag.code == LP_EINVAL ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    LpErr err = lp_cutout_document(session, cutout, &text, &diag);
    if (err == LP_OK)
        err = lp_output_add(&output, &text, &diag);
    if (err == LP_OK)
        err = lp_output_close(&output, &diag);
    lp_output_drop(&output);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

static int write_story(const Options *o, uint32_t job, LpSession *session, const LpCutout *cutout,
                       const LpSooner *sooner) {
    LpOutput output = lp_output_standard();
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = o->json ? lp_story_json(session, job, cutout, sooner, &text, &diag)
                        : lp_story_text(session, job, cutout, sooner, &text, &diag);
    if (err != LP_OK) {
        lp_buf_fini(&text);
        return lp_cli_fail_run(&diag);
    }
    err = lp_output_add(&output, &text, &diag);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

/* Whom --job means. */
typedef struct Asked {
    uint32_t number;
    const char *called; /* NULL: by the number */
    LpCalledBy by;
} Asked;

static bool read_job(const char *text, Asked *asked) {
    static const char *const begin[] = {[LP_CALLED_BY_KEY] = "key:", [LP_CALLED_BY_NAME] = "name:"};
    uint64_t number = 0;
    for (size_t i = 0; text != NULL && i < LP_COUNTOF(begin); i++)
        if (strncmp(text, begin[i], strlen(begin[i])) == 0) {
            *asked = (Asked){.called = text + strlen(begin[i]), .by = (LpCalledBy)i};
            return true;
        }
    bool read = text == NULL || lp_num_parse_u64(text, &number, NULL) == LP_OK;
    *asked = (Asked){.number = (uint32_t)number};
    return read && number < LP_NO_INDEX;
}

/* The first of those that are called so; of the others it is told which they are. */
static bool find_job(const Asked *asked, const LpSession *session, uint32_t *job) {
    enum { TOLD = 8 };
    const LpWorld *world = lp_session_world(session);
    const LpScenario *scenario = lp_session_scenario(session);
    LpBuf others = {0};
    char shown[LP_LABEL_TEXT];
    uint32_t count = 0;
    *job = asked->number;
    if (asked->called == NULL)
        return true;
    uint32_t id = lp_world_job_called(world, scenario, asked->by, asked->called, 0);
    *job = id;
    while (id != LP_NO_INDEX) {
        id = lp_world_job_called(world, scenario, asked->by, asked->called, id + 1);
        if (id != LP_NO_INDEX && count++ < TOLD)
            lp_buf_addf(&others, "%s%lu", count > 1 ? ", " : "", (unsigned long)id);
    }
    if (count > 0)
        lp_cli_note("job %lu is the first of %lu called %s; the others are %s%s",
                    (unsigned long)*job, (unsigned long)count + 1,
                    lp_str_show(shown, sizeof shown, asked->called), lp_buf_text(&others),
                    count > TOLD ? " and more" : "");
    lp_buf_fini(&others);
    return *job != LP_NO_INDEX;
}

static LpErr no_such_job(const Asked *asked, LpDiag *diag) {
    char shown[LP_LABEL_TEXT];
    return lp_fail(diag, LP_ERANGE, "--job: no job that has arrived has the %s %s",
                   asked->by == LP_CALLED_BY_KEY ? "id" : "name",
                   lp_str_show(shown, sizeof shown, asked->called));
}

/* The story, with what would have been sooner. */
static int tell_runs(const LpCli *cli, const Options *o, uint32_t job, LpSession *session,
                     const LpCutout *cutout) {
    LpSooner sooner;
    LpDiag diag;
    if (lp_sooner_new(session, job, not_interrupted, (void *)(uintptr_t)cli, &sooner, &diag) !=
        LP_OK)
        return lp_cli_fail_run(&diag);
    int code = write_story(o, job, session, cutout, &sooner);
    lp_sooner_fini(&sooner);
    return code;
}

static int tell(const LpCli *cli, const Options *o, const char *scenario, const Asked *asked,
                LpSession *session) {
    LpCutout cutout;
    LpDiag diag;
    bool stopped;
    uint32_t job;
    if (play(cli, session, &stopped, &diag) != LP_OK)
        return lp_cli_fail_run(&diag);
    if (!find_job(asked, session, &job)) {
        no_such_job(asked, &diag);
        return lp_cli_fail(&diag);
    }
    stopped |= *cli->interrupted != 0;
    if (stopped && job >= lp_world_jobs(lp_session_world(session))) {
        lp_cli_note("interrupted before job %lu arrived; there is no story", (unsigned long)job);
        return lp_cli_interrupted(cli);
    }
    if (stopped)
        lp_cli_note("interrupted; this is the story so far");
    LpErr err = lp_cutout_new(session, job, &cutout, &diag);
    if (err != LP_OK)
        return err == LP_ERANGE ? lp_cli_fail(&diag) : lp_cli_fail_run(&diag);
    int code = tell_runs(cli, o, job, session, &cutout);
    if (code == LP_EXIT_OK && o->cut != NULL)
        code = write_cut(o->cut, scenario, session, &cutout);
    lp_cutout_fini(&cutout);
    return code == LP_EXIT_OK && stopped ? lp_cli_interrupted(cli) : code;
}

static int open_and_tell(const LpCli *cli, Options *o, const char *scenario) {
    Asked asked;
    LpSession *session;
    LpDiag diag;
    if (!read_job(o->job, &asked)) {
        lp_fail(&diag, LP_EINVAL,
                "--job: expected a job's number, from 0, or key:ID, or name:NAME");
        return lp_cli_fail(&diag);
    }
    cli->watch();
    o->session.keep_explain = true;
    o->session.keep_files = o->session.keep_waited = true;
    o->session.log = lp_cli_log_to(cli->log);
    if (lp_cli_open(scenario, &o->session, true, &session, &diag) != LP_OK)
        return lp_cli_fail(&diag);
    int code = tell(cli, o, scenario, &asked, session);
    lp_session_close(session);
    return code;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_explain, cli, &options, &args, &code))
        return code;
    code = open_and_tell(cli, &options, args.word[0]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_explain = {
    .name = "explain",
    .arguments = "SCENARIO",
    .summary = "Tell the story of one job: why, where its time went, what would help",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Runs the scenario to its end first.\n",
    .run = run,
};
