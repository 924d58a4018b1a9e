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
     "also run each alternative, or row of the stage, to the end: blocking rate and mean JCT"},
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

/* Runs the rows to the end where that is asked for; says that it was interrupted. */
static LpErr run_to_end(const LpCli *cli, const Options *o, LpSession *session, LpWhatIfs *table,
                        LpDiag *diag) {
    unsigned threads = o->threads < 256 ? (unsigned)o->threads : 256;
    uint32_t rows = o->best < table->count ? (uint32_t)o->best : table->count;
    if (!o->to_end)
        return LP_OK;
    LP_TRY(lp_whatif_to_end(session, table, rows, threads, go_on, (void *)(uintptr_t)cli, diag));
    if (*cli->interrupted != 0)
        lp_cli_note("interrupted; alternatives that did not come to their end have no results");
    return LP_OK;
}

/* What `--draft` says of the other stages. Its words go to the stage that comes first: prices read
 * all of them together. */
static LpErr read_draft(const Options *o, LpSession *session, LpDraft *draft, LpDiag *diag) {
    LpPrice price;
    *draft = (LpDraft){0};
    if (o->draft == NULL)
        return LP_OK;
    if (strlen(o->draft) >= LP_DRAFT_WORDS)
        return lp_fail(diag, LP_EINVAL, "--draft: longer than %d bytes", LP_DRAFT_WORDS - 1);
    lp_str_copy(draft->word[LP_STAGE_PARTITION], LP_DRAFT_WORDS, o->draft);
    LP_TRY(lp_draft_price(session, o->draft, &price, diag));
    return price.possible ? LP_OK : lp_fail(diag, LP_EINVAL, "--draft %s: %s", o->draft, price.why);
}

/* The rows of a stage as a text; *ran: they were run to the end, and an error is of that. */
static LpErr list_stage(const LpCli *cli, const Options *o, LpSession *session,
                        LpStageRows *choices, LpBuf *text, bool *ran, LpDiag *diag) {
    LpStage stage = (LpStage)lp_stage_find(o->stage);
    LpWhatIfs table = {0};
    const LpWhatIfs *ends = o->to_end ? &table : NULL;
    LpDraft draft;
    if (lp_stage_find(o->stage) <= (int)LP_STAGE_PARTITION)
        return lp_fail(diag, LP_EINVAL,
                       "--stage %s: expected place, order-ops, circuits or order-flows", o->stage);
    LP_TRY(read_draft(o, session, &draft, diag));
    LP_TRY(lp_choices_list(session, &draft, stage, choices, diag));
    if (o->to_end)
        LP_TRY(lp_whatif_stage(session, &draft, stage, &table, diag));
    *ran = o->to_end;
    LpErr err = run_to_end(cli, o, session, &table, diag);
    if (err == LP_OK)
        err = o->json ? lp_choices_json(session, stage, o->draft != NULL ? o->draft : "", choices,
                                        ends, text, diag)
                      : lp_choices_text(session, stage, choices, ends, text, diag);
    lp_whatif_fini(&table);
    return err;
}

static int tell_stage(const LpCli *cli, const Options *o, LpSession *session) {
    LpOutput output = lp_output_standard();
    LpStageRows *choices = lp_alloc(1, sizeof *choices);
    LpBuf text = {0};
    LpDiag diag;
    bool ran = false;
    LpErr err = choices == NULL ? lp_fail_memory(&diag, "choices")
                                : list_stage(cli, o, session, choices, &text, &ran, &diag);
    int code = err == LP_OK ? LP_EXIT_OK : ran ? lp_cli_fail_run(&diag) : lp_cli_fail(&diag);
    if (err == LP_OK && lp_output_add(&output, &text, &diag) != LP_OK)
        code = lp_cli_fail_output(&output, &diag);
    lp_buf_fini(&text);
    lp_free(choices);
    return code == LP_EXIT_OK && o->to_end && *cli->interrupted != 0 ? lp_cli_interrupted(cli)
                                                                     : code;
}

static int tell(const LpCli *cli, const Options *o, LpSession *session) {
    LpWhatIfs table;
    LpDiag diag;
    if (lp_whatif_table(session, &table, &diag) != LP_OK)
        return lp_cli_fail_run(&diag);
    int code = run_to_end(cli, o, session, &table, &diag) == LP_OK ? print_table(o, session, &table)
                                                                   : lp_cli_fail_run(&diag);
    lp_whatif_fini(&table);
    return code == LP_EXIT_OK && *cli->interrupted != 0 ? lp_cli_interrupted(cli) : code;
}

static int show(const LpCli *cli, const Options *o, LpSession *session) {
    LpDiag diag;
    bool stopped;
    if (find_decision(cli, o, session, &stopped, &diag) != LP_OK)
        return diag.code == LP_EINVAL || diag.code == LP_ERANGE ? lp_cli_fail(&diag)
                                                                : lp_cli_fail_run(&diag);
    if (!stopped)
        return o->stage != NULL ? tell_stage(cli, o, session) : tell(cli, o, session);
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
