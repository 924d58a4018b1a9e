/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `lightpath replay`: carries out a session file, and with --verify lets its policies decide again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ask/draft/by_hand.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/num.h"
#include "cli/common/cli.h"
#include "say/report.h"
#include "session/file.h"

typedef struct Options {
    bool verify, json;
    size_t max_input, max_memory;
} Options;

static const LpFlag flags[] = {
    {"--verify", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, verify), NULL,
     "let the policies decide again, and compare every decision and state"},
    {"--json", NULL, NULL, LP_FLAG_SWITCH, offsetof(Options, json), NULL,
     "print everything as one JSON object"},
    {"--max-input", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_input), lp_arg_size,
     "largest session file (default 1 GiB)"},
    {"--max-memory", NULL, "SIZE", LP_FLAG_PARSED, offsetof(Options, max_memory), lp_arg_size,
     "memory that one input may ask for (default 1 GiB)"},
};

typedef struct Replay {
    const Options *options;
    LpSession *session;
    LpLoadReport report;
    LpOutput output;
    LpDiag diag;
} Replay;

/* ---- branches ---- */

/* Goes to the branch's end and ends the run there: jobs that still run are unfinished. */
static LpErr conclude(Replay *r, uint32_t branch, uint64_t *hash) {
    LP_TRY(lp_session_switch(r->session, branch, &r->diag));
    LP_TRY(lp_session_seek(r->session, lp_session_tip(r->session, branch), &r->diag));
    *hash = lp_session_hash(r->session);
    if (lp_world_over(lp_session_world(r->session)))
        return LP_OK;
    return lp_session_finish(r->session, &r->diag);
}

static LpErr print_branch(Replay *r, uint32_t branch, const LpBranchInfo *info) {
    char name[100], what[100], hex[LP_HASH_HEX], at[LP_NUM_TEXT];
    uint64_t hash, decisions;
    LpBuf line = {0};
    LP_TRY(conclude(r, branch, &hash));
    decisions = lp_world_tally(lp_session_world(r->session))->decisions;
    lp_buf_addf(&line, "%sbranch %s%s%s: %llu step%s, %llu decision%s, up to %s s, state #%s\n",
                branch > 0 ? "\n" : "", lp_str_show(name, sizeof name, info->name),
                info->what[0] != '\0' ? ", " : "", lp_str_show(what, sizeof what, info->what),
                (unsigned long long)info->tip, lp_str_s(info->tip), (unsigned long long)decisions,
                lp_str_s(decisions), lp_num_print(info->tip_time, at), lp_hash_hex(hash, hex));
    LpErr err = lp_output_add(&r->output, &line, &r->diag);
    lp_buf_fini(&line);
    LP_TRY(err);
    return lp_report_write(r->session, LP_REPORT_TEXT, lp_output_write, &r->output, &r->diag);
}

static LpErr print_branch_json(Replay *r, uint32_t branch, const LpBranchInfo *info) {
    uint64_t hash;
    LpBuf text = {0};
    LpJsonOut out = {.out = &text};
    LpByHand hand;
    LP_TRY(conclude(r, branch, &hash));
    LP_TRY(lp_by_hand(r->session, &hand, &r->diag));
    lp_buf_add(&text, branch > 0 ? ",\n" : "");
    lp_json_open(&out, NULL, '{');
    lp_json_put_text(&out, "name", info->name);
    lp_json_put_text(&out, "what", info->what);
    lp_json_put_count(&out, "steps", info->tip);
    lp_json_put_count(&out, "forked_at", info->forked_at);
    lp_json_put_hash(&out, "hash", hash);
    lp_by_hand_json(&hand, &out);
    lp_json_put_raw(&out, "run", ""); /* which writes itself */
    LpErr err = lp_output_add(&r->output, &text, &r->diag);
    lp_buf_fini(&text);
    LP_TRY(err);
    LP_TRY(lp_report_write(r->session, LP_REPORT_JSON, lp_output_write, &r->output, &r->diag));
    return lp_output_write(&r->output, "}", 1, &r->diag);
}

/* ---- verdicts ---- */

static bool policies_failed(const Replay *r) {
    return r->options->verify && r->report.policy_failed;
}

static bool differs(const Replay *r) {
    return r->report.differences > 0 || policies_failed(r);
}

static bool is_damaged(const Replay *r) {
    return r->report.damage_line > 0 && !r->report.damage_cut;
}

static void add_difference(const LpLoadReport *report, LpJsonOut *out) {
    if (report->differences == 0) {
        lp_json_put_null(out, "difference");
        return;
    }
    lp_json_open(out, "difference", '{');
    lp_json_put_text(out, "branch", report->branch);
    lp_json_put_count(out, "decision", report->decision);
    lp_json_put_count(out, "step", report->step);
    lp_json_put_number(out, "time", report->time);
    lp_json_put_index(out, "job", report->job);
    lp_json_put_text(out, "recorded", report->recorded);
    lp_json_put_text(out, "now", report->now);
    lp_json_close(out, '}');
}

static void add_damage(const LpLoadReport *report, LpJsonOut *out) {
    if (report->damage_line <= 0) {
        lp_json_put_null(out, "damage");
        return;
    }
    lp_json_open(out, "damage", '{');
    lp_json_put_number(out, "line", report->damage_line);
    lp_json_put_text(out, "text", report->damage);
    lp_json_put_bool(out, "only_the_end", report->damage_cut);
    lp_json_close(out, '}');
}

static LpErr print_head_json(Replay *r) {
    LpBuf text = {0};
    LpJsonOut out = {.out = &text};
    lp_json_open(&out, NULL, '{');
    lp_json_put_count(&out, "lightpath", 1);
    lp_json_put_text(&out, "version", r->report.version);
    lp_json_put_count(&out, "steps", r->report.steps);
    lp_json_put_raw(&out, "verified", !r->options->verify ? NULL : differs(r) ? "false" : "true");
    add_difference(&r->report, &out);
    add_damage(&r->report, &out);
    lp_json_open(&out, "branches", '[');
    lp_json_break(&out);
    LpErr err = lp_output_add(&r->output, &text, &r->diag);
    lp_buf_fini(&text);
    return err;
}

static void note_report(const Replay *r, const char *path) {
    const LpLoadReport *report = &r->report;
    char shown[200];
    lp_str_show(shown, sizeof shown, path);
    if (report->damage_line > 0)
        lp_cli_note("%s:%d: %s; the %llu line%s before it %s kept", shown, report->damage_line,
                    report->damage, (unsigned long long)report->lines, lp_str_s(report->lines),
                    report->lines == 1 ? "is" : "are");
    if (report->policy_failed)
        lp_cli_note("a policy of the session does not load: %s", report->policy_error);
    if (report->differences == 0)
        return;
    char job[32] = "";
    if (report->job != LP_NO_INDEX)
        snprintf(job, sizeof job, ", job %u", report->job);
    lp_cli_note("branch %s differs at decision %llu (step %llu, %.15g s%s): recorded: %s; now: %s",
                report->branch, (unsigned long long)report->decision,
                (unsigned long long)report->step, report->time, job, report->recorded, report->now);
    if (strcmp(report->version, LP_VERSION) != 0)
        lp_cli_note("the session was written by version %s, this is " LP_VERSION, report->version);
}

static LpErr print_all(Replay *r) {
    if (r->options->json)
        LP_TRY(print_head_json(r));
    bool inside = r->options->verify && r->report.differences > 0; /* it stands inside a step */
    if (!inside) {
        uint32_t count = lp_session_branches(r->session);
        for (uint32_t i = 0; i < count; i++) {
            LpBranchInfo info;
            if (lp_session_branch(r->session, i, &info) != LP_OK || info.deleted)
                continue;
            LP_TRY(r->options->json ? print_branch_json(r, i, &info) : print_branch(r, i, &info));
        }
    }
    if (r->options->json)
        return lp_output_write(&r->output, "]}\n", 3, &r->diag);
    if (!r->options->verify || differs(r))
        return LP_OK;
    LpBuf line = {0};
    lp_buf_addf(&line, "\nverified: all %llu step%s as recorded\n",
                (unsigned long long)r->report.steps, r->report.steps == 1 ? " is" : "s are");
    LpErr err = lp_output_add(&r->output, &line, &r->diag);
    lp_buf_fini(&line);
    return err;
}

/* ---- the command ---- */

static int replay(const LpCli *cli, const Options *options, const char *path) {
    LpLoadSpec spec = {.path = path,
                       .max_input = options->max_input,
                       .max_memory = options->max_memory,
                       .verify = options->verify,
                       .log = lp_cli_log_to(cli->log)};
    Replay r = {.options = options, .output = lp_output_standard()};
    if (!lp_session_file_is(path) && errno == 0) { /* else reading it tells */
        char shown[200];
        lp_fail(&r.diag, LP_EINVAL, "%s is no session: expected a file that :write made",
                lp_str_show(shown, sizeof shown, path));
        return lp_cli_fail(&r.diag);
    }
    if (lp_session_load(&spec, &r.session, &r.report, &r.diag) != LP_OK)
        return lp_cli_fail(&r.diag);
    note_report(&r, path);
    LpErr err = print_all(&r);
    lp_session_close(r.session);
    if (err != LP_OK)
        return lp_cli_fail_output(&r.output, &r.diag);
    return differs(&r) || is_damaged(&r) ? LP_EXIT_FAILED : LP_EXIT_OK;
}

static int run(const LpCli *cli) {
    Options options = {0};
    LpArgs args;
    int code;
    if (!lp_args_read(&lp_command_replay, cli, &options, &args, &code))
        return code;
    code = replay(cli, &options, args.word[0]);
    lp_args_fini(&args);
    return code;
}

const LpCommand lp_command_replay = {
    .name = "replay",
    .arguments = "SESSION",
    .summary = "Carry out a saved session again, and check it",
    .least = 1,
    .most = 1,
    .flag = flags,
    .flags = LP_COUNTOF(flags),
    .notes = "SESSION is a file that :write or the autosave of the explorer made.\n"
             "Without --verify no policy is asked: what was decided is carried out.\n"
             "Exit codes: 0 all is as recorded, 1 something differs or the file is damaged,\n"
             "2 bad input or usage. A last line that is cut off, as after a crash, is no damage.\n",
    .run = run,
};
