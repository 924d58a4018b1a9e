/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath whatif`: every way to take one decision, and where each leads. */
#include <string.h>

#include "ask/draft/choices.h"
#include "ask/whatif/whatif.h"
#include "base/mem.h"
#include "cli/common/cli.h"
#include "session/moment/moment.h"

typedef struct Options {
    LpSessionArgs session;
    const char *at, *stage, *draft;
    bool to_end, json;
    double best, threads;
} Options;

static const LpFlag flags[] = {
    LP_SESSION_FLAGS(Options),
    {"--at", NULL, "MOMENT", LP_FLAG_TEXT, offsetof(Options, at), NULL,
     "which decision: d57 (from 0), j12 (of job 12), or the first after a time"},
    {"--stage", NULL, "STAGE", LP_FLAG_TEXT, offsetof(Options, stage), NULL,
     "what can be chosen at one stage: place, order-ops, circuits or order-flows"},
    {"--draft", NULL, "WORDS", LP_FLAG_TEXT, offsetof(Options, draft), NULL,
     "with --stage: what is chosen at the others, such as \"degree=4 servers=0-3\""},
    {"--to-end", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, to_end), NULL,
     "also run each alternative to the end: blocking rate and mean JCT"},
    {"--best", NULL, "K", LP_FLAG_PARSED, offsetof(Options, best), lp_arg_whole,
     "run only the K best alternatives to the end"},
    {"--threads", NULL, "N", LP_FLAG_PARSED, offsetof(Options, threads), lp_arg_whole,
     "alternatives to run at a time (default: one per processor)"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
};

static bool go_on(void *user, const LpSession *session LP_UNUSED) {
    return !*((const LpCli *)user)->interrupted;
}

/* Goes to the moment, and on to the next decision where none is due. */
static LpErr find_decision(const LpCli *cli, const Options *o, LpSession *session, bool *stopped,
                           LpDiag *diag) {
    LpAt at = {.kind = LP_SEEK_DECISION, .value = 0};
    LpEvent event;
    if (o->at != NULL)
        LP_TRY(lp_at_parse(o->at, &at, diag));
    LP_TRY(lp_session_go_while(session, &at, go_on, (void *)(uintptr_t)cli, stopped, diag));
    if (*stopped)
        return LP_OK;
    if (lp_world_due(lp_session_world(session)) == LP_NO_INDEX &&
        !lp_world_over(lp_session_world(session)))
        LP_TRY(lp_session_to_decision(session, &event, diag));
    if (lp_world_due(lp_session_world(session)) == LP_NO_INDEX)
        return lp_fail(diag, LP_ERANGE, "--at %s: no decision is due from there on",
                       o->at != NULL ? o->at : "d0");
    return LP_OK;
}

static int print_table(const Options *o, LpSession *session, const LpWhatIfs *table) {
    LpOutput output = lp_output_standard();
    LpBuf text = {0};
    LpDiag diag;
    LpErr err = o->json ? lp_whatif_json(session, table, &text, &diag)
                        : lp_whatif_text(session, table, &text, &diag);
    if (err == LP_OK)
        err = lp_output_add(&output, &text, &diag);
    lp_buf_fini(&text);
    return err == LP_OK ? LP_EXIT_OK : lp_cli_fail_output(&output, &diag);
}

/* The words of a draft go to the stage that comes first: prices read all of them together. */
static LpErr list_choices(const Options *o, LpSession *session, LpStage stage, LpStageRows *choices,
                          LpDiag *diag) {
    LpDraft draft = {0};
    LpPrice price;
    if (o->draft != NULL && strlen(o->draft) >= LP_DRAFT_WORDS)
        return lp_fail(diag, LP_EINVAL, "--draft: longer than %d bytes", LP_DRAFT_WORDS - 1);
    if (o->draft != NULL)
        lp_str_copy(draft.word[LP_STAGE_PARTITION], LP_DRAFT_WORDS, o->draft);
    LP_TRY(lp_draft_price(session, draft.word[LP_STAGE_PARTITION], &price, diag));
    if (o->draft != NULL && !price.possible)
        return lp_fail(diag, LP_EINVAL, "--draft %s: %s", o->draft, price.why);
    return lp_choices_list(session, &draft, stage, choices, diag);
}

static int tell_choices(const Options *o, LpSession *session) {
    LpOutput output = lp_output_standard();
    LpStageRows *choices = lp_alloc(1, sizeof *choices);
    LpBuf text = {0};
    LpDiag diag;
    int stage = lp_stage_find(o->stage);
    LpErr err = LP_OK;
    if (stage <= (int)LP_STAGE_PARTITION)
        err = lp_fail(&diag, LP_EINVAL,
                      "--stage %s: expected place, order-ops, circuits or order-flows", o->stage);
    else if (choices == NULL)
        err = lp_fail_memory(&diag, "choices");
    if (err == LP_OK)
        err = list_choices(o, session, (LpStage)stage, choices, &diag);
    int code = err == LP_OK ? LP_EXIT_OK : lp_cli_fail(&diag);
    if (err == LP_OK)
        err = o->json ? lp_choices_json(session, (LpStage)stage, o->draft != NULL ? o->draft : "",
                                        choices, &text, &diag)
                      : lp_choices_text(session, (LpStage)stage, choices, &text, &diag);
    if (err == LP_OK)
        err = lp_output_add(&output, &text, &diag);
    lp_buf_fini(&text);
    lp_free(choices);
    return err == LP_OK || code != LP_EXIT_OK ? code : lp_cli_fail_output(&output, &diag);
}

static int tell(const LpCli *cli, const Options *o, LpSession *session) {
    LpWhatIfs table;
    LpDiag diag;
    if (lp_whatif_table(session, &table, &diag) != LP_OK)
        return lp_cli_fail_run(&diag);
    int code = LP_EXIT_OK;
    unsigned threads = o->threads < 256 ? (unsigned)o->threads : 256;
    uint32_t rows = o->best < table.count ? (uint32_t)o->best : table.count;
    if (o->to_end && lp_whatif_to_end(session, &table, rows, threads, go_on, (void *)(uintptr_t)cli,
                                      &diag) != LP_OK)
        code = lp_cli_fail_run(&diag);
    bool stopped = *cli->interrupted != 0;
    if (code == LP_EXIT_OK && stopped && o->to_end)
        lp_cli_note("interrupted; alternatives that did not come to their end have no results");
    if (code == LP_EXIT_OK)
        code = print_table(o, session, &table);
    lp_whatif_fini(&table);
    return code == LP_EXIT_OK && stopped ? lp_cli_interrupted(cli) : code;
}

static int show(const LpCli *cli, const Options *o, LpSession *session) {
    LpDiag diag;
    bool stopped;
    if (find_decision(cli, o, session, &stopped, &diag) != LP_OK)
        return diag.code == LP_EINVAL || diag.code == LP_ERANGE ? lp_cli_fail(&diag)
                                                                : lp_cli_fail_run(&diag);
    if (!stopped)
        return o->stage != NULL ? tell_choices(o, session) : tell(cli, o, session);
    lp_cli_note("interrupted on the way to the decision; there is no table");
    return lp_cli_interrupted(cli);
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    LpSession *session;
    LpDiag diag;
    int code;
    if (!lp_args_read(&lp_command_whatif, cli, &options, &args, &code))
        return code;
    options.session.log = lp_cli_log_to(cli->log);
    cli->watch();
    if (lp_cli_open(args.word[0], &options.session, false, &session, &diag) == LP_OK) {
        code = show(cli, &options, session);
        lp_session_close(session);
    } else {
        code = lp_cli_fail(&diag);
    }
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_whatif = {
    .name = "whatif",
    .arguments = "SCENARIO",
    .summary = "Show every way to take one decision, and where each leads",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "Without --at: the first decision. The marked row is what the policy answers.\n",
    .run = run,
};
